//! `SqlStore::verify` must find nothing in databases that the services wrote, and exactly the expected findings for
//! each kind of damage.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::{
    Action, Attributes, Caller, Change, Clock as _, FormChange, FormName, ResourceRef, Store as _,
    Subject, SubmissionRules, SubmissionState, UuidV7Source,
    files::FileId,
    forms::{SubmissionLimit, SubmittedAction},
    links::{EmbedOrigins, LinkCap, LinkLabel, NewFormLink},
    tokens::NewApiToken,
    webhooks::{NewWebhook, WebhookDescription},
};
use formalize_sql::{Checked, FindingKind, SqlStore};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::seed::{self, Sizes};
use formalize_tests::stores::{Database, sqlite_connection};
use formalize_tests::world::{
    START, World, instant, new_form, new_form_with, new_session, new_submission, user, user_id,
};
use sqlx::{Connection as _, PgConnection};

use self::contents::{contents_are_compared_with_records, findings_about_contents_span_many_pages};
use self::damage::{DAMAGES, POSTGRES_DAMAGES, SQLITE_DAMAGES};

mod contents;
mod damage;

/// A finding without its message and record.
type Found = (FindingKind, Option<&'static str>);

/// Defines a test on each database for every `async fn(Database)`.
macro_rules! on_both {
    ($($body:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test]
                async fn $body() {
                    super::$body(super::Kind::Sqlite).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test]
                #[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
                async fn $body() {
                    super::$body(super::Kind::Postgres).await;
                }
            )+
        }
    };
}

on_both! {
    the_expected_schema_is_that_of_the_migrations,
    all_names_in_the_schema_have_the_prefix,
    nothing_is_reported_for_databases_written_by_the_services,
    nothing_is_reported_while_a_large_form_is_deleted,
    each_kind_of_damage_is_reported_exactly,
    differences_of_the_schema_are_named,
    submissions_made_under_earlier_schemas_are_no_error,
    files_added_under_earlier_rules_are_no_error,
    contents_are_compared_with_records,
    findings_about_contents_span_many_pages,
    findings_spanning_many_pages_are_reported_once,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    async fn database(self) -> Database {
        match self {
            Self::Sqlite => Database::sqlite().await,
            Self::Postgres => Database::postgres().await,
        }
    }

    /// Runs SQL that may break references.
    async fn run(self, database: &Database, statements: &[&'static str]) {
        let statements = statements.join(";\n");
        let url = database.url();
        match self {
            Self::Sqlite => {
                let text = format!("PRAGMA foreign_keys = OFF;\n{statements}");
                sqlite_connection(&url).execute_batch(&text).unwrap();
            }
            Self::Postgres => {
                let mut connection = PgConnection::connect(&url).await.unwrap();
                let text = format!("SET session_replication_role = replica;\n{statements}");
                let text = sqlx::raw_sql(sqlx::AssertSqlSafe(text));
                text.execute(&mut connection).await.unwrap();
                connection.close().await.unwrap();
            }
        }
    }
}

async fn verify(store: &SqlStore) -> (Vec<Found>, Checked) {
    let mut verification = store.verify().await.unwrap();
    let mut found = Vec::new();
    while let Some(findings) = verification.proceed().await.unwrap() {
        found.extend(findings.iter().map(|finding| (finding.kind, finding.table)));
    }
    (found, verification.checked())
}

const SYSTEM: &Caller = &Caller::System;
const SCHEMA: &str =
    r#"{"type": "object", "required": ["age"], "properties": {"age": {"type": "integer"}}}"#;
const FILES: &str =
    r#"{"files": {"attachments": {"allowedMimeTypes": ["*/*"], "minNumber": 0, "maxNumber": 2}}}"#;
const FITTING: &str = r#"{"age": 3}"#;

/// Creates records of every kind that [`DAMAGES`] refers to.
async fn furnish(world: &World) {
    let (outer, inner) = (world.group("outer").await, world.group("inner").await);
    world.nest(outer, inner).await;
    world.member(inner, "alice").await;
    world.group("empty").await;
    let lone = world.group("lone").await;
    world
        .forms()
        .create(SYSTEM, new_form("bare", SubmissionRules::default()))
        .await
        .unwrap();
    world.thing("plain").await;
    let item = world.thing("granted").await;
    world
        .grant(&Subject::Group(lone), &Action::MANAGE, &item)
        .await;
    world.grant_to("bob", &Action::MANAGE, &item).await;
    submissions(world).await;
    files(world).await;
    let token = NewApiToken {
        user: user_id("alice"),
        attributes: Attributes::new(),
        date_expires: None,
    };
    world.tokens().create(SYSTEM, token).await.unwrap();
    let session = new_session("alice");
    world.sessions().create(SYSTEM, session).await.unwrap();
    links(world).await;
    webhooks(world).await;
    // Every event gets its position.
    world.events().extent().await.unwrap();
}

async fn nothing_is_reported_while_a_large_form_is_deleted(kind: Kind) {
    let database = kind.database().await;
    let store = database.open_sql().await;
    let failing = FailingStore::around(Arc::new(store.clone()));
    let world = World::on(Arc::new(failing.clone())).await;
    let (empty, records) = verify(&store).await;
    assert_eq!(empty, []);
    let (form, _) = world.large_form("alice").await;
    failing.fail_at("delete_remains", Failure::Failed);
    world.forms().delete(SYSTEM, form).await.unwrap();
    assert_eq!(verify(&store).await.0, []);
    // The portions end among the resources, among the submissions, and before the place of their creator.
    for (portion, left) in [(400, 1_604), (1_000, 604), (602, 2)] {
        let mut tx = store.write().await.unwrap();
        assert_eq!(
            tx.write_forms()
                .unwrap()
                .delete_remains(portion)
                .await
                .unwrap(),
            portion as u64
        );
        tx.commit().await.unwrap();
        assert_eq!(verify(&store).await.0, [], "{left} are left");
    }
    failing.recover();
    assert_eq!(world.maintain().await.unwrap().remains, 2);
    let (found, checked) = verify(&store).await;
    assert_eq!((found, checked), (Vec::new(), records));
}

/// Creates a form with a link and a submission through it, and another link without limits.
async fn links(world: &World) {
    let form = world.form(SubmissionRules::default()).await;
    let new = NewFormLink {
        label: LinkLabel::new("Poster").ok(),
        cap: LinkCap::new(3).ok(),
        embed_origins: EmbedOrigins::new(["https://example.org"]).unwrap(),
        ..NewFormLink::to(form)
    };
    let (link, _) = world.links().create(SYSTEM, new).await.unwrap();
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let submissions = world.submissions();
    submissions.create(&link.caller(), new).await.unwrap();
    let bare = NewFormLink::to(form);
    world.links().create(SYSTEM, bare).await.unwrap();
}

/// Creates a submission of `filer` with two files, and an unfinished upload.
async fn files(world: &World) {
    let new = new_form_with(FILES, SubmissionRules::default());
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    let submission = world.submission("filer", form, SubmissionState::Submitted);
    let submission = submission.await;
    for content in ["one", "another"] {
        world.file(submission, content.as_bytes()).await;
    }
    let mut tx = world.store().write().await.unwrap();
    let id = FileId::from_uuid(UuidV7Source::new().next(instant(START)));
    tx.write_files()
        .unwrap()
        .insert_file(id, instant(START))
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Creates an enabled webhook with one pending delivery, and a disabled one.
async fn webhooks(world: &World) {
    let form = world.form(SubmissionRules::default()).await;
    let webhooks = world.webhooks();
    for description in ["on", "off"] {
        let url = webhooks.parse_url("https://example.org/hook").unwrap();
        let new = NewWebhook {
            description: WebhookDescription::new(description).ok(),
            enabled: description == "on",
            ..NewWebhook::of(form, url)
        };
        webhooks.create(SYSTEM, new).await.unwrap();
    }
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    world.submissions().create(SYSTEM, new).await.unwrap();
    assert_eq!(webhooks.claim(1).await.unwrap().len(), 1);
}

/// Creates a form of both kinds with submissions of `alice` and a draft of `drafter`.
async fn submissions(world: &World) {
    for (name, grant_based) in [("creators", false), ("grants", true)] {
        let rules = SubmissionRules {
            grant_based,
            allowed_states: SubmissionState::ALL.iter().copied().collect(),
            limit: (!grant_based).then(|| SubmissionLimit::new(5).unwrap()),
            ..SubmissionRules::default()
        };
        let mut new = new_form_with(SCHEMA, rules);
        new.name = FormName::new(name).unwrap();
        let form = world.forms().create(SYSTEM, new).await.unwrap();
        let form = form.item.id;
        let resource = ResourceRef::form(form);
        for creator in ["alice", "drafter"] {
            world
                .grant_to(creator, &Action::CREATE_SUBMISSIONS, &resource)
                .await;
        }
        let new = new_submission(form, FITTING, SubmissionState::Submitted);
        let submissions = world.submissions();
        submissions.create(&user("alice"), new).await.unwrap();
        if !grant_based {
            let new = new_submission(form, "{}", SubmissionState::Draft);
            submissions.create(&user("drafter"), new).await.unwrap();
        }
    }
}

/// See "Generated files" in `CONTRIBUTING.md`.
async fn the_expected_schema_is_that_of_the_migrations(kind: Kind) {
    let folder = match kind {
        Kind::Sqlite => "sqlite",
        Kind::Postgres => "postgres",
    };
    let file = format!("../crates/sql/src/driver/{folder}/objects.txt");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let database = kind.database().await;
    let store = database.open_sql().await;
    let schema = store.describe_schema().await.unwrap();
    store.close().await;
    if std::env::var_os("FORMALIZE_UPDATE_SCHEMA").is_some() {
        fs::write(&file, &schema).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap();
    assert_eq!(schema, expected, "update {}", file.display());
}

/// An application whose database the store shares has other names. The guide lists the tables.
async fn all_names_in_the_schema_have_the_prefix(kind: Kind) {
    // SQLite makes the names of these indexes from that of the table, and reserves their beginning.
    const OF_SQLITE: &str =
        "SELECT type, replace(name, 'sqlite_autoindex_', '') FROM sqlite_master";
    // Arrays of a type have its name after an underscore.
    const OF_POSTGRES: &str = "SELECT CASE relkind WHEN 'r' THEN 'table' ELSE relkind::text END, relname::text \
            FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
        UNION ALL SELECT 'constraint', conname::text FROM pg_constraint WHERE connamespace = current_schema()::regnamespace \
        UNION ALL SELECT 'type', ltrim(typname, '_') FROM pg_type WHERE typnamespace = current_schema()::regnamespace \
        UNION ALL SELECT 'function', proname::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace \
        UNION ALL SELECT 'trigger', tgname::text FROM pg_trigger WHERE NOT tgisinternal";
    let database = kind.database().await;
    let names: Vec<(String, String)> = match kind {
        Kind::Sqlite => {
            let connection = sqlite_connection(&database.url());
            let mut select = connection.prepare(OF_SQLITE).unwrap();
            let rows = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)));
            rows.unwrap().map(Result::unwrap).collect()
        }
        Kind::Postgres => {
            let mut connection = PgConnection::connect(&database.url()).await.unwrap();
            let select = sqlx::query_as(OF_POSTGRES);
            select.fetch_all(&mut connection).await.unwrap()
        }
    };
    let guide = include_str!("../../../crates/sql/src/existing_pool.md");
    let mut tables = 0;
    for (what, name) in &names {
        assert!(name.starts_with("formalize_"), "{what} {name}");
        if what == "table" {
            tables += 1;
            assert!(
                guide.contains(&format!("`{name}`")),
                "the guide lacks {name}"
            );
        }
    }
    assert_eq!(tables, 25, "{names:?}");
}

async fn nothing_is_reported_for_databases_written_by_the_services(kind: Kind) {
    let database = kind.database().await;
    let store = database.open_sql().await;
    let world = World::on(Arc::new(store.clone())).await;
    furnish(&world).await;
    let (found, checked) = verify(&store).await;
    assert_eq!(found, []);
    assert_eq!(checked.unjudged, 0);
    assert!(
        checked.records > 30 && checked.invariants > 30,
        "{checked:?}"
    );
    store.close().await;
}

async fn each_kind_of_damage_is_reported_exactly(kind: Kind) {
    let own: &[damage::Damage] = match kind {
        Kind::Sqlite => SQLITE_DAMAGES,
        Kind::Postgres => POSTGRES_DAMAGES,
    };
    for (name, statements, expected) in DAMAGES.iter().chain(own) {
        let database = kind.database().await;
        let store = database.open_sql().await;
        furnish(&World::on(Arc::new(store.clone())).await).await;
        kind.run(&database, statements).await;
        assert_eq!(verify(&store).await.0, *expected, "{name}");
        store.close().await;
    }
}

async fn differences_of_the_schema_are_named(kind: Kind) {
    let database = kind.database().await;
    let statements = &[
        "DROP INDEX formalize_memberships_of_group",
        "ALTER TABLE formalize_forms ADD COLUMN colour TEXT",
        "CREATE TABLE other (id BIGINT)",
        "DROP TABLE formalize_settings",
    ];
    kind.run(&database, statements).await;
    let store = database.open_sql().await;
    let mut verification = store.verify().await.unwrap();
    let mut found = Vec::new();
    while let Some(findings) = verification.proceed().await.unwrap() {
        found.extend(findings.into_iter().map(|finding| finding.what));
    }
    let expected = [
        "index `formalize_memberships_of_group` of table `formalize_memberships` is missing: `CREATE INDEX ",
        "table `formalize_settings` is missing",
        "column `colour` of table `formalize_forms` was not created by formalize",
        "table `other` was not created by formalize",
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    drop(verification);
    store.close().await;
}

#[tokio::test]
async fn tables_of_litestream_are_no_finding() {
    let database = Kind::Sqlite.database().await;
    let statements = &[
        "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
        "CREATE TABLE _litestream_lock (id INTEGER)",
    ];
    Kind::Sqlite.run(&database, statements).await;
    let store = database.open_sql().await;
    assert!(verify(&store).await.0.is_empty());
    store.close().await;
}

#[test]
fn every_kind_of_finding_is_tested() {
    let damages = || DAMAGES.iter().chain(SQLITE_DAMAGES).chain(POSTGRES_DAMAGES);
    for kind in FindingKind::ALL {
        let mut expected = damages().flat_map(|(_, _, expected)| *expected);
        let is_of_content = contents::KINDS.contains(kind);
        assert!(
            is_of_content || expected.any(|(expected, _)| expected == kind),
            "{kind}"
        );
    }
}

/// A submission that does not match the present schema may have matched an earlier one, if there was an earlier one.
async fn submissions_made_under_earlier_schemas_are_no_error(kind: Kind) {
    let database = kind.database().await;
    let store = database.open_sql().await;
    let world = World::on(Arc::new(store.clone())).await;
    let new = new_form_with(SCHEMA, SubmissionRules::default());
    let form = world.forms().create(SYSTEM, new).await.unwrap();
    let form = form.item.id;
    let submit = async |data: &str| {
        let new = new_submission(form, data, SubmissionState::Submitted);
        let submissions = world.submissions();
        submissions.create(SYSTEM, new).await.unwrap();
    };
    submit(FITTING).await;
    world.clock.set(instant("2026-11-21T09:00:00Z"));
    let name_as_well = r#"{"required": ["age", "name"]}"#;
    let change = FormChange {
        data_feed_schema: Change::Set(name_as_well.to_owned()),
        ..FormChange::default()
    };
    let changed = world.forms().update(SYSTEM, form, change).await;
    changed.unwrap();
    let (found, checked) = verify(&store).await;
    assert_eq!((found.len(), checked.unjudged), (0, 1));

    world.clock.set(instant("2026-11-21T09:30:00Z"));
    submit(r#"{"age": 4, "name": "x"}"#).await;
    assert_eq!(verify(&store).await.1.unjudged, 1);
    world.events().extent().await.unwrap();
    kind.run(&database, &["UPDATE formalize_submissions SET data = '{}'"])
        .await;
    let (found, checked) = verify(&store).await;
    let invalid = (
        FindingKind::InvalidSubmission,
        Some("formalize_submissions"),
    );
    assert_eq!((found, checked.unjudged), (vec![invalid], 1));
    store.close().await;
}

/// Files are checked when they are added, and data when it is changed: each by the rules of that time.
async fn files_added_under_earlier_rules_are_no_error(kind: Kind) {
    let database = kind.database().await;
    let store = database.open_sql().await;
    let world = World::on(Arc::new(store.clone())).await;
    let rules = SubmissionRules {
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let form = world
        .forms()
        .create(SYSTEM, new_form_with(FILES, rules))
        .await;
    let form = form.unwrap().item.id;
    let submit = async || {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        world
            .submissions()
            .create(SYSTEM, new)
            .await
            .unwrap()
            .item
            .id
    };
    let first = submit().await;
    world.file(first, b"one").await;
    let change = async |time: &str, schema: &str| {
        world.clock.set(instant(time));
        let change = FormChange {
            data_feed_schema: Change::Set(schema.to_owned()),
            ..FormChange::default()
        };
        world.forms().update(SYSTEM, form, change).await.unwrap();
        world
            .clock
            .set(world.clock.now().saturating_add(Duration::from_mins(30)));
    };
    change("2026-11-21T09:00:00Z", r#"{"type": "object"}"#).await;
    let (found, checked) = verify(&store).await;
    assert_eq!((found, checked.unjudged), (Vec::new(), 1));

    // The data no longer fits when a file is removed, which does not check it.
    change(
        "2026-11-21T10:00:00Z",
        &FILES.replacen('{', r#"{"required": ["age"], "#, 1),
    )
    .await;
    let read = world.submissions().get(SYSTEM, first).await.unwrap();
    let file = read.item.files[0].id;
    world.files().remove(SYSTEM, first, file).await.unwrap();
    world.events().extent().await.unwrap();
    let (found, checked) = verify(&store).await;
    assert_eq!((found, checked.unjudged), (Vec::new(), 1));

    change("2026-11-21T11:00:00Z", FILES).await;
    let second = submit().await;
    world.file(second, b"two").await;
    world.events().extent().await.unwrap();
    assert_eq!(verify(&store).await.0, []);
    kind.run(
        &database,
        &["UPDATE formalize_submitted_files SET attribute = 'other'"],
    )
    .await;
    let invalid = (FindingKind::InvalidFiles, Some("formalize_submissions"));
    assert_eq!(verify(&store).await.0, [invalid]);
    store.close().await;
}

/// Fills a database with groups that have no resource, as measurements do.
async fn findings_spanning_many_pages_are_reported_once(kind: Kind) {
    let database = kind.database().await;
    let store = database.open_sql().await;
    let sizes = Sizes {
        groups: 1_200,
        memberships: 1_200,
        ..Sizes::few()
    };
    seed::fill(Arc::new(store.clone()), &sizes).await.unwrap();
    let (mut found, checked) = verify(&store).await;
    // No service has ever used it.
    let unused = (FindingKind::MissingSetting, Some("formalize_settings"));
    found.retain(|found| *found != unused);
    assert!(found.len() > 1_200, "{}", found.len());
    let missing = (FindingKind::MissingResource, Some("formalize_groups"));
    assert!(found.iter().all(|found| *found == missing));
    assert!(checked.records > 3_000, "{checked:?}");
    store.close().await;
}

#[tokio::test]
async fn an_overwritten_file_is_reported_as_damaged() {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let database = Database::sqlite().await;
    let store = database.open_sql().await;
    furnish(&World::on(Arc::new(store.clone())).await).await;
    store.close().await;
    let path = database.url().replace("sqlite://", "");
    let mut file = fs::File::options().write(true).open(path).unwrap();
    // Beyond the pages that are read when the database is opened.
    file.seek(SeekFrom::Start(4096 * 12)).unwrap();
    file.write_all(&[0x5a; 4096 * 4]).unwrap();
    drop(file);
    let store = database.open_sql().await;
    let (found, checked) = verify(&store).await;
    assert!(!found.is_empty());
    assert!(found.iter().all(|(kind, _)| *kind == FindingKind::Damage));
    assert_eq!(
        checked.invariants, 1,
        "an unreadable file allows no further checks"
    );
}

#[test]
fn words_of_kinds_differ() {
    let mut words: Vec<_> = FindingKind::ALL.iter().map(|kind| kind.as_str()).collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), FindingKind::ALL.len());
}
