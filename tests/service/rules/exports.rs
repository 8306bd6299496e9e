//! Exports contain what lists contain, in one snapshot.

use std::sync::Arc;

use formalize_core::export::{Cell, Columns, CsvOptions, Guard, TextFormat, TextWriter};
use formalize_core::{
    Action, Caller, Change, FormChange, FormId, ResourceRef, Store, Submission, SubmissionFilter,
    SubmissionRules, SubmissionState,
    submissions::{Export, OutputValidation},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, new_form_with, new_submission, user};

use super::{SYSTEM, fails};

on_every_store! {
    an_export_has_the_rows_of_the_list_in_its_order,
    an_export_sees_one_state,
    windows_of_an_export_are_bounded,
    columns_follow_the_schema,
    what_nobody_shows_a_user_is_not_in_the_columns,
    an_unknown_form_is_not_exported,
}

const SCHEMA: &str = r#"{"properties": {"email": {"type": "string", "title": "E-mail"}, "age": {"type": "integer"}}}"#;

async fn export(world: &World, caller: &Caller, form: FormId) -> Export {
    let all = SubmissionFilter::default();
    let submissions = world.submissions();
    submissions.export(caller, form, &all, "en").await.unwrap()
}

async fn rows(export: &mut Export) -> Vec<Submission> {
    let mut all = Vec::new();
    while let Some(rows) = export.next().await.unwrap() {
        all.extend(rows);
    }
    all
}

async fn asked(world: &World) -> FormId {
    let new = new_form_with(SCHEMA, SubmissionRules::default());
    world.forms().create(SYSTEM, new).await.unwrap().item.id
}

async fn submit(world: &World, caller: &Caller, form: FormId, data: &str) -> Submission {
    let new = new_submission(form, data, SubmissionState::Submitted);
    world.submissions().create(caller, new).await.unwrap().item
}

async fn an_export_has_the_rows_of_the_list_in_its_order(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    let (ann, bob) = (user("ann"), user("bob"));
    for caller in [&ann, &bob] {
        world
            .grant_to(
                caller.user_id().unwrap().as_str(),
                &Action::CREATE_SUBMISSIONS,
                &ResourceRef::form(form),
            )
            .await;
    }
    for (number, caller) in [&ann, &bob].into_iter().cycle().take(6).enumerate() {
        let data = format!(r#"{{"age": {number}, "note": "x"}}"#);
        submit(&world, caller, form, &data).await;
    }
    for caller in [SYSTEM, &ann, &bob, &user("eve")] {
        for creator in [None, Some("ann".to_owned())] {
            for output in [OutputValidation::None, OutputValidation::Keys] {
                let filter = SubmissionFilter {
                    creator: creator.clone(),
                    output,
                    ..SubmissionFilter::default()
                };
                let submissions = world.submissions();
                let listed = submissions.list(caller, form, &filter, &everything()).await;
                let listed: Vec<_> = listed
                    .unwrap()
                    .items
                    .into_iter()
                    .map(|it| it.item)
                    .collect();
                let export = submissions.export(caller, form, &filter, "en").await;
                assert_eq!(
                    rows(&mut export.unwrap()).await,
                    listed,
                    "{caller:?} {filter:?}"
                );
            }
        }
    }
    assert_eq!(rows(&mut export(&world, SYSTEM, form).await).await.len(), 6);
}

async fn an_export_sees_one_state(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    let mut created = Vec::new();
    for _ in 0..1_001 {
        created.push(submit(&world, SYSTEM, form, "{}").await);
    }
    let mut export = export(&world, SYSTEM, form).await;
    let first = export.next().await.unwrap().unwrap();
    assert_eq!(first.len(), 1_000);
    submit(&world, SYSTEM, form, "{}").await;
    let last = created[1_000].id;
    world.submissions().delete(SYSTEM, last).await.unwrap();
    export.keep_alive().await.unwrap();
    let rest = rows(&mut export).await;
    assert_eq!(
        rest,
        created[1_000..],
        "the snapshot has what was deleted, and nothing new"
    );
    assert_eq!(export.next().await.unwrap(), None, "the end stays the end");
}

async fn windows_of_an_export_are_bounded(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let data = format!("{{\"a\":\"{}\"}}", "x".repeat((1 << 20) - 8));
    for _ in 0..4 {
        submit(&world, SYSTEM, form, &data).await;
    }
    let mut export = export(&world, SYSTEM, form).await;
    let mut sizes = Vec::new();
    while let Some(rows) = export.next().await.unwrap() {
        sizes.push(rows.len());
    }
    assert_eq!(sizes, [1, 1, 1, 1]);
}

async fn columns_follow_the_schema(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    submit(&world, SYSTEM, form, r#"{"age": 7, "email": "a@b.c"}"#).await;
    let change = FormChange {
        data_feed_schema: Change::Set(r#"{"properties": {"age": {}}}"#.to_owned()),
        ..FormChange::default()
    };
    let mut old = export(&world, SYSTEM, form).await;
    world.forms().update(SYSTEM, form, change).await.unwrap();
    let mut new = export(&world, SYSTEM, form).await;
    let cells = |columns: &Columns, row: &Submission| {
        let cells = columns.cells(row.data.as_deref().unwrap(), Guard::On);
        (
            cells.leaves.contains(&Cell::Number("7")),
            cells.leaves.len(),
            cells.other,
        )
    };
    let other = r#"{"/email":"a@b.c"}"#.to_owned();
    let (row, columns) = (rows(&mut old).await, old.columns());
    assert_eq!(cells(&columns, &row[0]), (true, 2, None));
    let (row, columns) = (rows(&mut new).await, new.columns());
    assert_eq!(cells(&columns, &row[0]), (true, 1, Some(other)));
}

/// Whoever may see neither the form nor a submission learns nothing of what is asked.
async fn what_nobody_shows_a_user_is_not_in_the_columns(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    let headers = async |caller: &Caller| {
        let mut export = export(&world, caller, form).await;
        let is_shown = export.form().is_some();
        let mut writer = TextWriter::new(TextFormat::Csv(CsvOptions::default()), export.columns());
        let mut document = Vec::new();
        writer.begin(&mut document).unwrap();
        let rows = rows(&mut export).await;
        writer.rows(&rows, &mut document).unwrap();
        writer.end(&mut document).unwrap();
        let document = String::from_utf8(document).unwrap();
        (
            is_shown,
            document.contains("_dateLastModified,_tags,email,age,_other"),
        )
    };
    let (ann, bob, eve) = (user("ann"), user("bob"), user("eve"));
    let resource = ResourceRef::form(form);
    world.grant_to("ann", &Action::READ, &resource).await;
    world
        .grant_to("bob", &Action::READ_SUBMISSIONS, &resource)
        .await;
    assert_eq!(headers(&ann).await, (true, true));
    assert_eq!(
        headers(&bob).await,
        (false, false),
        "there is nothing to read"
    );
    submit(&world, SYSTEM, form, "{}").await;
    assert_eq!(headers(&bob).await, (false, true));
    assert_eq!(headers(&eve).await, (false, false));
    assert_eq!(headers(SYSTEM).await, (true, true));
}

async fn an_unknown_form_is_not_exported(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let unknown = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse().unwrap();
    let all = SubmissionFilter::default();
    let export = world
        .submissions()
        .export(SYSTEM, unknown, &all, "en")
        .await;
    fails(export.map(drop), "FormNotFound");
}
