//! Tags of submissions: who sees and changes them, and which.

use std::sync::Arc;

use formalize_core::export::Headers;
use formalize_core::forms::TagPermissions::{Add, Hidden, Read, Remove};
use formalize_core::submissions::ImportTrial;
use formalize_core::{
    Action, Caller, Change, Error, FormChange, FormId, NewSubmission, ResourceRef, Result, Store,
    Submission, SubmissionChange, SubmissionFilter, SubmissionId, SubmissionRules, SubmissionState,
    Viewed,
    forms::{AvailableTags, FormDetailsChange, SubmittedAction, TagAction, TagPermissions},
    submissions::{BatchItem, BatchOutcome, RequestedState, SubmissionBatch},
    webhooks::NewWebhook,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, new_form_with, user};
use serde_json::{Value, json};

use super::files::{create, note};
use super::webhooks::Receiver;
use super::{SYSTEM, fails};

on_every_store! {
    each_set_gives_submitters_what_it_says,
    changes_need_their_own_permission_unless_nothing_changes,
    hidden_tags_are_in_no_list,
    exports_have_the_tags_that_their_readers_may_see,
    tags_that_a_form_no_longer_has_stay,
    a_change_of_tags_alone_validates_nothing,
    tags_are_checked_after_places_and_before_data,
    batches_and_imports_have_tags,
    whoever_may_not_read_a_submission_may_still_tag_it,
    the_tags_of_a_form_are_seen_by_those_who_see_or_set_tags,
    other_changes_keep_tags,
    webhooks_get_tags_and_files_as_they_were,
}

fn available(tags: &[&str]) -> AvailableTags {
    let tags = tags.iter().map(|tag| json!({"identifier": tag}));
    AvailableTags::new(&tags.collect::<Vec<_>>()).unwrap()
}

/// A form with the tags `new` and `old`, to which everybody may submit.
async fn form(world: &World, permissions: TagPermissions, actions: &[SubmittedAction]) -> FormId {
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        allowed_actions_when_submitted: actions.iter().copied().collect(),
        tag_permissions: permissions,
        ..SubmissionRules::default()
    };
    let schema =
        r#"{"required": ["a"], "files": {"notes": {"minNumber": 0, "allowedMimeTypes": ["*/*"]}}}"#;
    let mut new = new_form_with(schema, rules);
    new.details.available_tags = available(&["new", "old"]);
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    grant(world, "alice", Action::CREATE_SUBMISSIONS, form).await;
    form
}

async fn grant(world: &World, to: &str, action: Action, form: FormId) {
    let resource = ResourceRef::form(form);
    world.grant_to(to, &action, &resource).await;
}

fn texts(tags: &[&str]) -> Vec<String> {
    tags.iter().copied().map(str::to_owned).collect()
}

const VALID: &str = r#"{"a": 1}"#;

async fn submit(
    world: &World,
    caller: &Caller,
    form: FormId,
    state: SubmissionState,
    tags: &[&str],
) -> Result<Viewed<Submission>> {
    let new = NewSubmission {
        state: state.into(),
        tags: texts(tags),
        ..NewSubmission::new(form, VALID)
    };
    world.submissions().create(caller, new).await
}

async fn tag(
    world: &World,
    caller: &Caller,
    id: SubmissionId,
    tags: &[&str],
) -> Result<Option<Viewed<Submission>>> {
    let state = world.submissions().get(SYSTEM, id).await?.item.state;
    let change = SubmissionChange {
        state: state.into(),
        tags: Some(texts(tags)),
        ..SubmissionChange::default()
    };
    world.submissions().update(caller, id, change).await
}

async fn stored(world: &World, id: SubmissionId) -> String {
    let read = world.submissions().get(SYSTEM, id).await.unwrap();
    read.item.tags.iter().collect::<Vec<_>>().join(" ")
}

fn words(view: &Viewed<Submission>) -> String {
    let actions: Vec<&str> = view.tag_actions.iter().map(TagAction::as_str).collect();
    actions.join(" ")
}

async fn each_set_gives_submitters_what_it_says(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    let both = [SubmittedAction::Read, SubmittedAction::Update];
    for (permissions, on_draft, reading, changing) in [
        (Hidden, "", "", ""),
        (Read, "read", "read", "read"),
        (Add, "read add", "read", "read add"),
        (Remove, "read add remove", "read", "read add remove"),
    ] {
        for (actions, state, expected) in [
            (&[][..], SubmissionState::Draft, on_draft),
            (&both[..1], SubmissionState::Submitted, reading),
            (&both[..], SubmissionState::Submitted, changing),
        ] {
            let form = form(&world, permissions, actions).await;
            let made = submit(&world, &alice, form, state, &[]).await.unwrap();
            let read = world.submissions().get(&alice, made.item.id).await.unwrap();
            assert_eq!(
                (words(&made), words(&read)),
                (expected.into(), expected.into())
            );
            let id = made.item.id;
            tag(&world, SYSTEM, id, &["new"]).await.unwrap();
            let read = world.submissions().get(&alice, id).await.unwrap();
            let shown = read.item.tags.iter().count();
            assert_eq!(shown, usize::from(permissions != Hidden), "{permissions:?}");
            let all = SubmissionFilter::default();
            let (submissions, page) = (world.submissions(), everything());
            let list = submissions.list(&alice, form, &all, &page).await;
            assert_eq!(list.unwrap().items, [read]);
        }
    }
    // Who may read all submissions sees their tags, and who may update all of them may do everything.
    for (action, expected) in [
        (Action::READ_SUBMISSIONS, "read"),
        (Action::UPDATE_SUBMISSIONS, "add remove"),
        (Action::MANAGE, "read add remove"),
    ] {
        let form = form(&world, Hidden, &[]).await;
        grant(&world, "bob", action, form).await;
        let made = submit(&world, &alice, form, SubmissionState::Submitted, &[]).await;
        let id = made.unwrap().item.id;
        let tagged = tag(&world, &user("bob"), id, &["old"]).await;
        match expected {
            "read" => fails(tagged, "Forbidden"),
            "add remove" => assert_eq!(tagged.unwrap(), None, "bob may not read it"),
            _ => assert_eq!(words(&tagged.unwrap().unwrap()), expected),
        }
        if expected != "add remove" {
            let read = world.submissions().get(&user("bob"), id).await.unwrap();
            assert_eq!(words(&read), expected);
        }
    }
}

async fn changes_need_their_own_permission_unless_nothing_changes(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    let actions = [SubmittedAction::Read, SubmittedAction::Update];
    for (permissions, creating, keeping, adding, removing) in [
        (Hidden, false, false, false, false),
        (Read, false, true, false, false),
        (Add, true, true, true, false),
        (Remove, true, true, true, true),
    ] {
        let form = form(&world, permissions, &actions).await;
        let submitted = SubmissionState::Submitted;
        let none = submit(&world, &alice, form, submitted, &[]).await.unwrap();
        assert_eq!(none.item.tags.iter().count(), 0);
        let made = submit(&world, &alice, form, submitted, &["new", "new"]).await;
        assert_eq!(made.is_ok(), creating, "{permissions:?}");
        let id = none.item.id;
        tag(&world, SYSTEM, id, &["old"]).await.unwrap();
        for (wanted, is_allowed, after) in [
            (&["old", "old"][..], keeping, "old"),
            (&["old", "new"], adding, "old new"),
            (&["new"], removing, "new"),
            (&[], removing, ""),
        ] {
            let before = stored(&world, id).await;
            let changed = tag(&world, &alice, id, wanted).await;
            let expected = if is_allowed { after } else { &before };
            assert_eq!(
                stored(&world, id).await,
                expected,
                "{permissions:?} {wanted:?}"
            );
            match changed {
                Ok(view) => assert!(is_allowed && view.is_some(), "{permissions:?} {wanted:?}"),
                Err(error) => assert!(!is_allowed && matches!(error, Error::TagsForbidden)),
            }
        }
    }
}

async fn hidden_tags_are_in_no_list(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    let form = form(&world, Hidden, &[SubmittedAction::Read]).await;
    let made = submit(&world, &alice, form, SubmissionState::Submitted, &[]).await;
    let id = made.unwrap().item.id;
    tag(&world, SYSTEM, id, &["new"]).await.unwrap();
    let with = |tag: &str| SubmissionFilter {
        tag: Some(tag.to_owned()),
        ..SubmissionFilter::default()
    };
    let count = async |caller: &Caller, tag: &str| {
        let submissions = world.submissions();
        let listed = submissions
            .list(caller, form, &with(tag), &everything())
            .await;
        let summary = submissions.summary(caller, form, &with(tag), None).await;
        let counted = summary.unwrap().num_submissions;
        assert_eq!(listed.as_ref().unwrap().items.len() as u64, counted);
        counted
    };
    assert_eq!(
        (count(SYSTEM, "new").await, count(SYSTEM, "old").await),
        (1, 0)
    );
    assert_eq!(count(&alice, "new").await, 0);
    let change = FormChange {
        tag_permissions: Some(Read),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, change).await.unwrap();
    assert_eq!(
        (count(&alice, "new").await, count(&alice, "").await),
        (1, 0)
    );
}

async fn exports_have_the_tags_that_their_readers_may_see(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    for (permissions, is_seen) in [(Hidden, false), (Read, true)] {
        let form = form(&world, permissions, &[SubmittedAction::Read]).await;
        let made = submit(&world, &alice, form, SubmissionState::Submitted, &[]).await;
        let id = made.unwrap().item.id;
        tag(&world, SYSTEM, id, &["new"]).await.unwrap();
        for (reader, is_seen) in [(SYSTEM, true), (&alice, is_seen)] {
            let all = SubmissionFilter::default();
            let submissions = world.submissions();
            let mut export = submissions.export(reader, form, &all, "en").await.unwrap();
            let columns = export.columns();
            let has_column = columns.headers(Headers::Path).any(|name| name == "_tags");
            let rows = export.next().await.unwrap().unwrap();
            assert_eq!(has_column, is_seen, "{permissions:?}");
            let tags: Vec<&str> = rows[0].tags.iter().collect();
            let expected: &[&str] = if is_seen { &["new"] } else { &[] };
            assert_eq!(tags, expected, "{permissions:?}");
        }
    }
}

async fn tags_that_a_form_no_longer_has_stay(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form(&world, Remove, &[]).await;
    let draft = SubmissionState::Draft;
    let made = submit(&world, SYSTEM, form, draft, &["new", "old"]).await;
    let id = made.unwrap().item.id;
    let change = FormChange {
        details: FormDetailsChange {
            available_tags: Some(available(&["other"])),
            ..FormDetailsChange::default()
        },
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, change).await.unwrap();
    assert_eq!(stored(&world, id).await, "new old");
    tag(&world, SYSTEM, id, &["other", "old"]).await.unwrap();
    assert_eq!(stored(&world, id).await, "other old");
    let unknown = r#"SubmissionTagsInvalid(["new", "x"])"#;
    fails(tag(&world, SYSTEM, id, &["new", "old", "x"]).await, unknown);
    assert_eq!(stored(&world, id).await, "other old");
}

async fn a_change_of_tags_alone_validates_nothing(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form(&world, Remove, &[]).await;
    let submitted = SubmissionState::Submitted;
    let made = submit(&world, SYSTEM, form, submitted, &[]).await.unwrap();
    let schema = r#"{"required": ["b"], "files": {"cv": {"allowedMimeTypes": ["*/*"]}}}"#;
    let change = FormChange {
        data_feed_schema: Change::Set(schema.to_owned()),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, change).await.unwrap();
    tag(&world, SYSTEM, made.item.id, &["new"]).await.unwrap();
    assert_eq!(stored(&world, made.item.id).await, "new");
    let with_data = SubmissionChange {
        data: Change::Set(VALID.to_owned()),
        tags: Some(texts(&[])),
        ..SubmissionChange::default()
    };
    let submissions = world.submissions();
    let refused = submissions.update(SYSTEM, made.item.id, with_data);
    assert!(matches!(
        refused.await,
        Err(Error::SubmissionDataInvalid(_))
    ));
    // A draft that becomes submitted is validated.
    let draft = submit(&world, SYSTEM, form, SubmissionState::Draft, &[])
        .await
        .unwrap();
    let change = SubmissionChange {
        tags: Some(texts(&["new"])),
        ..SubmissionChange::default()
    };
    let refused = submissions.update(SYSTEM, draft.item.id, change);
    assert!(matches!(
        refused.await,
        Err(Error::SubmissionDataInvalid(_))
    ));
    assert_eq!(stored(&world, draft.item.id).await, "");
}

async fn tags_are_checked_after_places_and_before_data(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    let form = form(&world, Add, &[]).await;
    let new = |state: RequestedState, tags: &[&str]| NewSubmission {
        state,
        tags: texts(tags),
        ..NewSubmission::new(form, "{")
    };
    let create = async |new| world.submissions().create(&alice, new).await;
    let submitted = || RequestedState::from(SubmissionState::Submitted);
    let later = RequestedState::from_word("later");
    fails(
        create(new(later, &["x"])).await,
        r#"SubmissionStateNotAllowed("later")"#,
    );
    let unknown = create(new(submitted(), &["x", "new"])).await;
    fails(unknown, r#"SubmissionTagsInvalid(["x"])"#);
    let refused = create(new(submitted(), &["new"])).await;
    assert!(matches!(refused, Err(Error::SubmissionDataInvalid(_))));
    let change = FormChange {
        tag_permissions: Some(Read),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, change).await.unwrap();
    fails(create(new(submitted(), &["x"])).await, "TagsForbidden");
}

async fn batches_and_imports_have_tags(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    let submissions = world.submissions();
    let item = |tags: &[&str]| BatchItem {
        tags: texts(tags),
        ..BatchItem::new(VALID)
    };
    let refused = |outcome: &BatchOutcome| match outcome {
        BatchOutcome::Refused(error) => format!("{error:?}"),
        other => panic!("{other:?}"),
    };
    for permissions in [Add, Read] {
        let form = form(&world, permissions, &[]).await;
        let items = vec![item(&["new", "old", "new"]), item(&["x"]), item(&[])];
        let mut batch = SubmissionBatch::new(form, items).unwrap();
        let (unknown, forbidden) = (r#"SubmissionTagsInvalid(["x"])"#, "TagsForbidden");
        let is_adder = permissions == Add;
        let expected = if is_adder { unknown } else { forbidden };
        let together = submissions.create_batch(&alice, &batch).await;
        let Err(Error::BatchRefused(together)) = together else {
            panic!("{together:?}");
        };
        batch.is_atomic = false;
        let mut trial = ImportTrial::default();
        let tried = submissions.check_import(&alice, &batch, &mut trial).await;
        let checked = submissions.check_batch(&alice, &batch).await.unwrap();
        let each = submissions.create_batch(&alice, &batch).await.unwrap();
        let imported = submissions.import(&alice, &batch).await.unwrap();
        for outcomes in [together, tried.unwrap(), checked, each, imported] {
            assert_eq!(refused(&outcomes[1]), expected, "{outcomes:?}");
            let first = matches!(outcomes[0], BatchOutcome::Refused(_));
            assert_eq!(first, !is_adder, "{outcomes:?}");
            for (outcome, tags) in [(&outcomes[0], "new old"), (&outcomes[2], "")] {
                if let BatchOutcome::Created(created) = outcome {
                    assert_eq!(stored(&world, created.id).await, tags);
                }
            }
        }
        let count = if is_adder { 4 } else { 2 };
        let filter = SubmissionFilter::default();
        let listed = submissions.list(SYSTEM, form, &filter, &everything()).await;
        assert_eq!(listed.unwrap().items.len(), count);
        let batch = SubmissionBatch::new(form, vec![item(&["old"])]).unwrap();
        let created = submissions.create_batch(SYSTEM, &batch).await.unwrap();
        let BatchOutcome::Created(created) = created[0] else {
            panic!("{created:?}");
        };
        assert_eq!(stored(&world, created.id).await, "old");
    }
}

async fn whoever_may_not_read_a_submission_may_still_tag_it(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    let form = form(&world, Add, &[SubmittedAction::Update]).await;
    let submitted = SubmissionState::Submitted;
    let made = submit(&world, &alice, form, submitted, &["new"])
        .await
        .unwrap();
    assert_eq!(
        (words(&made), made.item.tags.iter().count()),
        ("add".into(), 0)
    );
    let id = made.item.id;
    assert_eq!(stored(&world, id).await, "new");
    assert_eq!(
        tag(&world, &alice, id, &["new", "old"]).await.unwrap(),
        None
    );
    assert_eq!(stored(&world, id).await, "new old");
    fails(tag(&world, &alice, id, &[]).await, "TagsForbidden");
}

async fn the_tags_of_a_form_are_seen_by_those_who_see_or_set_tags(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for (permissions, actions, is_seen) in [
        (Read, &[][..], true),
        (Hidden, &[], false),
        (Hidden, &[Action::READ_SUBMISSIONS], true),
        (Hidden, &[Action::UPDATE_SUBMISSIONS], true),
        (Hidden, &[Action::UPDATE], true),
        (Hidden, &[Action::DELETE], false),
        (Hidden, &[Action::MANAGE], true),
    ] {
        let form = form(&world, permissions, &[]).await;
        for action in [&[Action::READ][..], actions].concat() {
            grant(&world, "bob", action, form).await;
        }
        let view = world.forms().get(&user("bob"), form).await.unwrap();
        let number = view.item.details.available_tags.identifiers().len();
        let expected = (is_seen, if is_seen { 2 } else { 0 });
        assert_eq!((view.sees_available_tags, number), expected, "{actions:?}");
    }
}

async fn other_changes_keep_tags(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = form(&world, Remove, &[]).await;
    let draft = SubmissionState::Draft;
    let made = submit(&world, SYSTEM, form, draft, &["new"]).await.unwrap();
    let change = SubmissionChange {
        data: Change::Set(r#"{"a": 2}"#.to_owned()),
        ..SubmissionChange::default()
    };
    let submissions = world.submissions();
    let changed = submissions.update(SYSTEM, made.item.id, change);
    let tags = changed.await.unwrap().unwrap().item.tags;
    assert_eq!(
        (tags.iter().count(), stored(&world, made.item.id).await),
        (1, "new".into())
    );
}

async fn webhooks_get_tags_and_files_as_they_were(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    // Submitters may not read what they have submitted, nor see its tags afterwards.
    let form = form(&world, Add, &[SubmittedAction::Update]).await;
    let (webhooks, submissions) = (world.webhooks(), world.submissions());
    let url = webhooks.parse_url("https://example.org/hook").unwrap();
    let created = webhooks.create(SYSTEM, NewWebhook::of(form, url)).await;
    created.unwrap();
    let new = NewSubmission {
        tags: texts(&["old"]),
        ..NewSubmission::new(form, VALID)
    };
    let with_file = create(&world, new, vec![note("one")]).await.unwrap();
    let (alice, submitted) = (&user("alice"), SubmissionState::Submitted);
    let of_alice = submit(&world, alice, form, submitted, &["new"]);
    let of_alice = of_alice.await.unwrap().item;
    assert!(of_alice.tags.is_empty());
    let change = SubmissionChange {
        data: Change::Set(r#"{"a": 2}"#.to_owned()),
        ..SubmissionChange::default()
    };
    submissions
        .update(alice, of_alice.id, change)
        .await
        .unwrap();
    let change = SubmissionChange {
        tags: Some(Vec::new()),
        files_to_remove: vec![with_file.files[0].id],
        ..SubmissionChange::default()
    };
    submissions
        .update(SYSTEM, with_file.id, change)
        .await
        .unwrap();

    let receiver = Receiver::new();
    webhooks.deliver(&receiver).await.unwrap();
    let mut bodies = receiver.bodies();
    bodies.sort_by_key(|body| body["sequence"].as_i64());
    let sent = bodies.iter().map(|body| {
        let submission = &body["data"]["submission"];
        let file = &submission["submittedFiles"][0]["identifier"];
        (submission["tags"].clone(), file.clone())
    });
    let file = json!(with_file.files[0].id.to_string());
    let expected = [
        (json!(["old"]), file),
        (json!(["new"]), Value::Null),
        (json!(["new"]), Value::Null),
        (json!([]), Value::Null),
    ];
    assert_eq!(sent.collect::<Vec<_>>(), expected);
}
