//! Tests beyond the conformance suite: plans, broken records, and databases in use.

use std::time::Duration;

use formalize_core::authorization::{Anchor, IdentifierFilter};
use formalize_core::forms::{FrontendKey, FrontendKeys};
use formalize_core::internals::scopes;
use formalize_core::store::scope::{
    FormScope, GrantScope, ItemScope, Reach, Reached, ResourceScope, Subjects, SubmissionScope,
};
use formalize_core::store::{Principal, Selection, Window};
use formalize_core::{
    Action, FormId, GroupId, ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef, Store,
    StoreError, Subject, SubmissionId, SubmissionRules, UserId,
};
use uuid::Uuid;

use super::driver::{Purpose, Statement, Transaction, sql};
use super::{SqlOptions, SqlStore, forms, grants, groups, resources, submissions};

fn url(folder: &tempfile::TempDir) -> String {
    format!("sqlite://{}/formalize.db", folder.path().display())
}

async fn migrated() -> (SqlStore, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder).await;
    store.migrate().await.unwrap();
    (store, folder)
}

/// A store with short timeouts.
async fn open(folder: &tempfile::TempDir) -> SqlStore {
    let options = SqlOptions {
        wait: Duration::from_secs(1),
        ..SqlOptions::default()
    };
    SqlStore::open(&url(folder), &options).await.unwrap()
}

async fn run(tx: &mut Transaction, statement: &'static str) {
    tx.run(sql(statement)).await.unwrap();
}

#[tokio::test]
async fn a_transaction_with_a_failed_statement_is_not_committed() {
    let (store, _folder) = migrated().await;
    let mut tx = store.database.begin(Purpose::Write).await.unwrap();
    run(
        &mut tx,
        "INSERT INTO formalize_settings (name, value) VALUES ('kept', '')",
    )
    .await;
    tx.run(sql("INSERT INTO nowhere VALUES (1)"))
        .await
        .unwrap_err();
    assert!(matches!(tx.commit().await, Err(StoreError::Failed(_))));
    let mut tx = store.read().await.unwrap();
    assert_eq!(tx.find_setting("kept").await.unwrap(), None);
}

#[tokio::test]
async fn errors_name_broken_records_without_their_content() {
    let (store, _folder) = migrated().await;
    let group = GroupId::from_uuid(Uuid::from_u128(7));
    let mut tx = store.database.begin(Purpose::Write).await.unwrap();
    let insert = sql(
        "INSERT INTO formalize_groups (id, name, name_folded, revision, date_created) \
         VALUES ($1, $2, '', $1, 0)",
    );
    tx.run(insert.bind(group.as_uuid()).bind("of\nAlice"))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.read().await.unwrap();
    let error = tx.find_group(group).await.unwrap_err().to_string();
    let place = format!("table formalize_groups, record {group}");
    assert_eq!(
        error,
        format!("the store failed: {place}: the value of column name is invalid")
    );
}

#[tokio::test]
async fn a_database_in_use_is_unavailable_to_other_writers() {
    let (store, folder) = migrated().await;
    let other = open(&folder).await;
    let writing = store.write().await.unwrap();
    for waiting in [&store, &other] {
        let answer = waiting.write().await.map(drop);
        assert!(
            matches!(answer, Err(StoreError::Unavailable(_))),
            "{answer:?}"
        );
        waiting.read().await.unwrap();
        waiting.ping().await.unwrap();
    }
    drop(writing);
    other.write().await.unwrap().commit().await.unwrap();
}

#[tokio::test]
async fn reads_cannot_write() {
    let (store, _folder) = migrated().await;
    let mut tx = store.database.begin(Purpose::Read).await.unwrap();
    let refused = tx.run(sql("DELETE FROM formalize_settings")).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
}

/// The user Alice as a principal.
fn alice() -> (UserId, Subjects) {
    let alice = UserId::new("alice").unwrap();
    let group = Subject::Group(GroupId::from_uuid(Uuid::from_u128(1)));
    let subjects = Subjects::new(vec![Subject::User(alice.clone()), group]);
    (alice, subjects)
}

fn readable(class: &ResourceClass) -> ItemScope {
    scopes::items(alice().1, class, &Action::READ)
}

fn reached(ways: Vec<Reach>) -> Reached {
    Reached {
        subjects: alice().1,
        ways,
        managed_collections: vec![ResourceClass::FORM],
    }
}

fn submissions_scope(grant_based: bool) -> SubmissionScope {
    let (alice, subjects) = alice();
    let rules = SubmissionRules {
        grant_based,
        ..SubmissionRules::default()
    };
    scopes::submissions_of_holder(&rules, &subjects, &alice)
}

const ANY: ResourceFilter = ResourceFilter {
    class: None,
    identifier: IdentifierFilter::Any,
};

/// The plan of a list, one step per line. SQLite's plans do not depend on the records.
async fn plan(tx: &mut Transaction, list: Option<Statement<'_>>) -> String {
    let mut list = list.unwrap();
    list.text = format!("EXPLAIN QUERY PLAN {}", list.text).into();
    let steps = tx.all(list).await.unwrap();
    let steps = steps.iter().map(|step| step.text("detail").unwrap());
    steps.collect::<Vec<_>>().join("\n")
}

/// Fails if a plan scans a table or does not use an expected index.
fn assert_indexed(list: &str, plan: &str, expected: &[&str]) {
    // This index contains only the few forms that are being deleted.
    let is_small = |step: &&str| step.ends_with("INDEX formalize_forms_deleted");
    let steps: Vec<&str> = plan.lines().filter(|step| !is_small(step)).collect();
    let plan = &steps.join("\n");
    for table in [
        "groups",
        "resources",
        "grants",
        "forms",
        "submissions",
        "submission_places",
        "memberships",
    ] {
        for name in [table, &format!("formalize_{table}")] {
            assert!(!plan.contains(&format!("SCAN {name}")), "{list}:\n{plan}");
        }
    }
    for index in expected {
        assert!(plan.contains(index), "{list} without {index}:\n{plan}");
    }
}

#[tokio::test]
async fn lists_of_items_are_read_from_indexes() {
    let (store, _folder) = migrated().await;
    let tx = &mut store.database.begin(Purpose::Read).await.unwrap();
    let (dialect, window) = (tx.dialect(), Window::ALL);
    let item =
        "formalize_grants_of_action_on_item (subject=? AND class=? AND action=? AND anchor>?)";
    for (scope, search, index) in [
        (ItemScope::All, None, "groups_1 (id>?)"),
        (ItemScope::All, Some("a"), "groups_1 (id>?)"),
        (readable(&ResourceClass::GROUP), None, item),
        (readable(&ResourceClass::GROUP), Some("a"), item),
    ] {
        let plan = plan(tx, groups::select(dialect, &scope, search, window)).await;
        assert_indexed("groups", &plan, &[index]);
    }
    let (alice, subjects) = alice();
    let reach = Some(scopes::readable_submissions(subjects.clone(), alice));
    let places = "formalize_submission_places_of_creator (creator=? AND form_id>?)";
    let shared = "formalize_grants_of_action_in_form (subject=?";
    let to_fill_in = scopes::items(subjects, &ResourceClass::FORM, &Action::CREATE_SUBMISSIONS);
    let (any, keyed) = (
        FrontendKeys::ALL,
        FrontendKeys {
            any_of: Some(vec![FrontendKey::new("survey").unwrap()]),
            ..FrontendKeys::ALL
        },
    );
    let of_key = "formalize_forms_of_frontend_key (frontend_key=? AND id>?)";
    for (items, with_submissions, keys, indexes) in [
        (ItemScope::All, None, &any, vec!["forms_1 (id>?)"]),
        (ItemScope::All, None, &keyed, vec![of_key]),
        (readable(&ResourceClass::FORM), None, &any, vec![item]),
        (readable(&ResourceClass::FORM), None, &keyed, vec![item]),
        (to_fill_in, None, &any, vec![item]),
        (
            ItemScope::All,
            reach.clone(),
            &any,
            vec![item, places, shared],
        ),
        (
            readable(&ResourceClass::FORM),
            reach,
            &any,
            vec![
                item,
                places,
                shared,
                "formalize_grants_on_anchor (anchor=? AND subject=?)",
            ],
        ),
    ] {
        let scope = FormScope {
            items,
            with_submissions,
            keys: keys.clone(),
        };
        let plan = plan(tx, forms::select(dialect, &scope, window)).await;
        assert_indexed("forms", &plan, &indexes);
    }
}

#[tokio::test]
async fn lists_of_resources_and_grants_are_read_from_indexes() {
    let (store, _folder) = migrated().await;
    let tx = &mut store.database.begin(Purpose::Read).await.unwrap();
    let (dialect, window) = (tx.dialect(), Window::ALL);
    let exact = ResourceFilter::of(ResourceRef::item(
        ResourceClass::new("thing").unwrap(),
        ResourceIdentifier::new("1").unwrap(),
    ));
    let any_action = ResourceScope::Reached(reached(scopes::any_access()));
    let everything = ResourceScope::Reached(reached(scopes::any_access_of_managers()));
    let itself = "formalize_grants_of_subject_on_resource (subject=? AND resource_id>?)";
    let submission =
        "formalize_grants_of_action_on_submission (subject=? AND action=? AND resource_id>?)";
    let of_form = "formalize_resources_of_form (form_id=? AND id>?)";
    let wanted = "(identifier=?";
    for (scope, filter, indexes) in [
        (&ResourceScope::All, &ANY, vec!["resources_1 (id>?)"]),
        (&ResourceScope::All, &exact, vec![wanted]),
        (&any_action, &ANY, vec![itself, submission, of_form]),
        (&any_action, &exact, vec![wanted]),
        (
            &everything,
            &ANY,
            vec!["resources_1 (id>?)", "submissions_1 (id=?)", submission],
        ),
        (&everything, &exact, vec![wanted]),
    ] {
        let plan = plan(tx, resources::select(dialect, scope, filter, window)).await;
        assert_indexed("resources", &plan, &indexes);
    }
    let managing = GrantScope::HeldOrOn(reached(scopes::managing()));
    let everything = scopes::managing_of_managers();
    let everything = GrantScope::HeldOrOn(reached(everything));
    let committee = Subject::Group(GroupId::from_uuid(Uuid::from_u128(7)));
    let of_holder = scopes::held_by(committee.clone(), GrantScope::All);
    let of_holder_among = scopes::held_by(committee.clone(), managing.clone());
    let of_holder_among_all = scopes::held_by(committee, everything.clone());
    let held = "formalize_grants_of_subject (subject=? AND id>?)";
    let managed = "formalize_grants_of_action_on_resource (subject=? AND action=?)";
    let on = "formalize_grants_on_resource (resource_id=? AND id>?)";
    for (scope, filter, indexes) in [
        (&GrantScope::All, &ANY, vec!["grants_1 (id>?)"]),
        (&GrantScope::All, &exact, vec![wanted]),
        (&managing, &ANY, vec![held, managed, on]),
        (&managing, &exact, vec![wanted]),
        (&everything, &ANY, vec![held, "grants_1 (id>?)", on]),
        (&everything, &exact, vec![wanted]),
        (&of_holder, &ANY, vec![held]),
        (&of_holder_among, &ANY, vec![managed, on]),
        (&of_holder_among_all, &ANY, vec![held, on]),
    ] {
        let plan = plan(tx, grants::select(dialect, scope, filter, window)).await;
        assert_indexed("grants", &plan, &indexes);
    }
}

#[tokio::test]
async fn lists_of_submissions_are_read_from_indexes() {
    let (store, _folder) = migrated().await;
    let tx = &mut store.database.begin(Purpose::Read).await.unwrap();
    let form = FormId::from_uuid(Uuid::from_u128(1));
    let in_state = "formalize_submissions_in_state (form_id=? AND state=? AND id>?)";
    let of_creator =
        "formalize_submissions_of_creator (form_id=? AND creator=? AND state=? AND id>?)";
    let granted =
        "formalize_grants_of_action_in_form (subject=? AND form_id=? AND action=? AND anchor>?)";
    let (by_creator, by_grants) = (submissions_scope(false), submissions_scope(true));
    for (scope, creator, indexes) in [
        (&by_creator, None, vec![in_state, of_creator]),
        (&by_creator, Some("alice"), vec![of_creator]),
        (&by_grants, None, vec![in_state, granted]),
        (
            &by_grants,
            Some("bob"),
            vec![of_creator, "formalize_grants_on_anchor"],
        ),
    ] {
        for (before, newest_first) in [
            (None, false),
            (None, true),
            (Some(Uuid::max()), false),
            (Some(Uuid::max()), true),
        ] {
            let selection = Selection {
                creator,
                tag: None,
                before,
                newest_first,
            };
            let select = submissions::select(tx.dialect(), form, scope, selection, Window::ALL);
            let plan = plan(tx, select).await;
            let ranges = |index: &&str| match before {
                None => (*index).to_owned(),
                Some(_) => index
                    .replace("id>?)", "id>? AND id<?)")
                    .replace("anchor>?)", "anchor>? AND anchor<?)"),
            };
            let ranges: Vec<String> = indexes.iter().map(ranges).collect();
            let ranges: Vec<&str> = ranges.iter().map(String::as_str).collect();
            assert_indexed("submissions", &plan, &ranges);
        }
    }
}

#[tokio::test]
async fn rows_end_after_the_bytes_of_a_window() {
    let (store, _folder) = migrated().await;
    let mut tx = store.database.begin(Purpose::Write).await.unwrap();
    run(
        &mut tx,
        "INSERT INTO formalize_forms (id, name, data_feed_schema, grant_based, allowed_actions, allowed_states, \
         date_created, revision) SELECT randomblob(16), 'Form', printf('%.*c', 1000, ' '), 0, 0, 1, 0, randomblob(16) \
         FROM (WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 9) SELECT n FROM n)",
    )
    .await;
    tx.commit().await.unwrap();
    let scope = FormScope {
        items: ItemScope::All,
        with_submissions: None,
        keys: FrontendKeys::ALL,
    };
    let mut tx = store.read().await.unwrap();
    let row = 1000 + Window::ROW_BYTES;
    for (bytes, rows) in [(1, 1), (row, 1), (row + 1, 2), (3 * row, 3), (100 * row, 9)] {
        let window = Window {
            bytes,
            ..Window::ALL
        };
        let found = tx
            .read_forms()
            .unwrap()
            .forms(&scope, window)
            .await
            .unwrap();
        assert_eq!(found.len(), rows, "{bytes} bytes");
    }
}

#[tokio::test]
async fn grants_that_apply_to_a_record_are_read_from_indexes() {
    let (store, _folder) = migrated().await;
    let tx = &mut store.database.begin(Purpose::Read).await.unwrap();
    let dialect = tx.dialect();
    let (alice, subjects) = alice();
    let alice = Principal {
        user: &alice,
        subjects: &subjects,
    };
    let id = Uuid::from_u128(1);
    let held = grants::select_held_by(dialect, &[Anchor(id)], alice);
    let thing = ResourceRef::group(GroupId::from_uuid(id));
    let resource = resources::select_for(dialect, &thing, alice);
    let group = groups::select_for(dialect, GroupId::from_uuid(id), alice);
    let form = forms::select_for(dialect, FormId::from_uuid(id), alice);
    let submission = submissions::select_for(dialect, SubmissionId::from_uuid(id), alice);
    for (what, select, indexes) in [
        ("held", held, vec![]),
        ("resource", resource, vec!["(identifier=? AND class=?)"]),
        ("group", group, vec!["groups_1 (id=?)"]),
        (
            "form",
            form,
            vec!["forms_1 (id=?)", "(form_id=? AND creator=?)"],
        ),
        (
            "submission",
            submission,
            vec!["submissions_1 (id=?)", "forms_1 (id=?)"],
        ),
    ] {
        let plan = plan(tx, Some(select)).await;
        assert_indexed(what, &plan, &indexes);
        let ways = [
            "formalize_grants_on_anchor (anchor=? AND subject=?)",
            "formalize_memberships_of_user (user_id=?)",
            "formalize_memberships_of_child (child_group_id=?)",
        ];
        assert_indexed(what, &plan, &ways);
    }
    let scope = ResourceScope::Reached(reached(scopes::any_access()));
    let classes = [ResourceClass::FORM, ResourceClass::GROUP];
    let plan = plan(tx, resources::select_classes(dialect, &scope, &classes)).await;
    let itself = "formalize_grants_of_subject_on_resource (subject=? AND resource_id>?)";
    assert_indexed("classes", &plan, &[itself]);
}

#[tokio::test]
async fn impossible_texts_match_nothing() {
    let (store, _folder) = migrated().await;
    let dialect = store.database.begin(Purpose::Read).await.unwrap().dialect();
    let window = Window::ALL;
    assert!(groups::select(dialect, &ItemScope::All, Some("\0"), window).is_none());
    let scope = scopes::every_submission();
    let form = FormId::from_uuid(Uuid::from_u128(1));
    let of_nobody = Selection {
        creator: Some("\0"),
        ..Selection::default()
    };
    assert!(submissions::select(dialect, form, &scope, of_nobody, window).is_none());
}

#[cfg(unix)]
mod permissions {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::Path;

    use formalize_core::Store;

    use super::{migrated, open};

    fn mode(file: &Path) -> u32 {
        fs::metadata(file).unwrap().permissions().mode() & 0o777
    }

    #[tokio::test]
    async fn only_the_owner_can_read_databases_and_backups() {
        let (store, folder) = migrated().await;
        store.ping().await.unwrap();
        store
            .back_up(&folder.path().join("backup.db"))
            .await
            .unwrap();
        let files: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        assert_eq!(files.len(), 4, "database, log, index and backup: {files:?}");
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
    }

    #[tokio::test]
    async fn permissions_of_an_existing_database_are_kept() {
        let (store, folder) = migrated().await;
        store.close().await;
        let file = folder.path().join("formalize.db");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        open(&folder).await.ping().await.unwrap();
        assert_eq!(mode(&file), 0o640);
    }

    #[tokio::test]
    async fn a_database_is_created_at_the_target_of_a_link() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        symlink("data/real.db", folder.path().join("formalize.db")).unwrap();
        open(&folder).await.migrate().await.unwrap();
        assert_eq!(mode(&folder.path().join("data/real.db")), 0o600);
        assert!(folder.path().join("formalize.db").is_symlink());
    }
}
