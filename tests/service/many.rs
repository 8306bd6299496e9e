//! Deletions of 100,000 records: alone, beside others that share their COMMIT on SQLite, and rolled back at their end. SQLite
//! notes the pages that a transaction changes, and such a deletion has more of them than fit into memory. The tables have no statistics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use formalize_core::{
    Action, Caller, FormId, Formalize, GroupId, ResourceRef, Result, Store, SubmissionRules,
    SubmissionState,
};
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::stores::{Database, sqlite_connection};
use formalize_tests::world::{World, new_submission, thing, user};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::task::JoinSet;
use uuid::Uuid;

const SYSTEM: &Caller = &Caller::System;

/// The number of records.
const MANY: u32 = 100_000;

/// The number of tasks that submit beside a change.
const OTHERS: usize = 8;

/// What is deleted, and how many of its records are left.
const DELETED: [(Delete, &str); 10] = [
    (
        Delete::Submissions,
        "formalize_submissions WHERE form_id = {one:2}",
    ),
    (
        Delete::Group,
        "formalize_memberships WHERE group_id = {one:11}",
    ),
    (
        Delete::Resource,
        "formalize_grants WHERE class = 'VendorThing'",
    ),
    (Delete::Files, "formalize_submitted_files"),
    (
        Delete::Form,
        "formalize_submissions WHERE form_id = {one:1}",
    ),
    (Delete::Outdated, "formalize_api_tokens"),
    (Delete::Outdated, "formalize_kept_responses"),
    (Delete::Outdated, "formalize_events WHERE date <= {many}"),
    (
        Delete::Outdated,
        "formalize_webhook_deliveries WHERE state = 'delivered'",
    ),
    (Delete::Outdated, "formalize_webhook_attempts"),
];

/// A use case that deletes many records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Delete {
    Submissions,
    Group,
    Resource,
    Files,
    Form,
    /// What maintenance deletes, which is last.
    Outdated,
}

impl Delete {
    const ALL: [Self; 6] = [
        Self::Submissions,
        Self::Group,
        Self::Resource,
        Self::Files,
        Self::Form,
        Self::Outdated,
    ];
    /// Those that delete all records in one transaction.
    const IN_ONE: [Self; 3] = [Self::Submissions, Self::Group, Self::Resource];

    async fn perform(self, world: &World) -> Result<()> {
        let first = |kind: u128| Uuid::from_u128((kind << 96) | 1);
        match self {
            Self::Submissions => {
                let form = FormId::from_uuid(first(2));
                let deleted = world.submissions().delete_all(SYSTEM, form).await?;
                assert_eq!(deleted, u64::from(MANY));
                Ok(())
            }
            Self::Group => {
                let group = GroupId::from_uuid(first(11));
                world.groups().delete(SYSTEM, group).await
            }
            Self::Resource => world.resources().deregister(SYSTEM, &thing("many")).await,
            Self::Files => world.files().sweep().await.map(drop),
            Self::Form => {
                let form = FormId::from_uuid(first(1));
                world.forms().delete(SYSTEM, form).await?;
                // What the request has left.
                world.maintain().await.map(drop)
            }
            Self::Outdated => world.maintain().await.map(drop),
        }
    }
}

/// Adds the records of all use cases.
const FILL: &str = include_str!("many.sql");

/// A database with the records of all use cases.
struct Records(Database);

impl Records {
    async fn on_sqlite() -> Self {
        let database = Database::sqlite().await;
        let connection = sqlite_connection(&database.url());
        connection.execute_batch(&sql(FILL, true)).unwrap();
        Self(database)
    }

    async fn on_postgres() -> Self {
        Self(Database::postgres_filled(&sql(FILL, false)).await)
    }

    /// Fails unless so many of the records that a use case deletes are there.
    async fn assert_left(&self, delete: Delete, expected: u32) {
        for (_, records) in DELETED.iter().filter(|(by, _)| *by == delete) {
            let is_sqlite = self.0.url().starts_with("sqlite:");
            let count = sql(&format!("SELECT count(*) FROM {records}"), is_sqlite);
            let left: i64 = if is_sqlite {
                let connection = sqlite_connection(&self.0.url());
                let left = connection.query_row(&count, (), |row| row.get(0));
                left.unwrap()
            } else {
                let mut connection = PgConnection::connect(&self.0.url()).await.unwrap();
                let count = sqlx::query_scalar(AssertSqlSafe(count));
                count.fetch_one(&mut connection).await.unwrap()
            };
            assert_eq!(left, i64::from(expected), "{delete:?}: {records}");
        }
    }

    /// A store that waits for as long as a debug build on a busy machine may take.
    async fn open(&self) -> Arc<dyn Store> {
        let options = SqlOptions {
            wait: Duration::from_mins(5),
            statement: Duration::from_mins(5),
            ..SqlOptions::default()
        };
        Arc::new(SqlStore::open(&self.0.url(), &options).await.unwrap())
    }

    async fn assert_deletes(&self, world: &World, delete: Delete) {
        let performed = delete.perform(world).await;
        assert!(performed.is_ok(), "{delete:?}: {performed:?}");
        self.assert_left(delete, 0).await;
    }
}

/// SQL for a database: see `many.sql`.
fn sql(template: &str, is_sqlite: bool) -> String {
    let numbers = format!(
        "WITH RECURSIVE numbers (n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {MANY})"
    );
    let mut sql = template.replace("{numbers}", &numbers);
    sql = sql.replace("{many}", &MANY.to_string());
    for kind in 1..=18 {
        for (name, number) in [("one", "1"), ("n", "n")] {
            let id = if is_sqlite {
                format!("unhex(printf('%08x%024x', {kind}, {number}))")
            } else {
                format!("(lpad(to_hex({kind}), 8, '0') || lpad(to_hex({number}), 24, '0'))::UUID")
            };
            sql = sql.replace(&format!("{{{name}:{kind}}}"), &id);
        }
    }
    sql
}

/// Performs work while others submit. None of them may be refused, and nothing of theirs lost.
async fn beside_others(store: &Arc<dyn Store>, work: impl Future<Output = ()>) {
    let world = World::on(Arc::clone(store)).await;
    let form = world.form(SubmissionRules::default()).await;
    let resource = ResourceRef::form(form);
    world
        .grant_to("other", &Action::CREATE_SUBMISSIONS, &resource)
        .await;
    let is_over = Arc::new(AtomicBool::new(false));
    let mut others = JoinSet::new();
    for _ in 0..OTHERS {
        others.spawn(submit(world.formalize.clone(), form, Arc::clone(&is_over)));
    }
    work.await;
    is_over.store(true, Ordering::SeqCst);
    let submitted: u64 = others.join_all().await.into_iter().sum();
    let there = world.submissions().check_delete_all(SYSTEM, form).await;
    assert_eq!(there.unwrap().submissions, submitted);
}

/// Submits until the work is over, and returns how often.
async fn submit(formalize: Formalize, form: FormId, is_over: Arc<AtomicBool>) -> u64 {
    let other = user("other");
    let mut submitted = 0;
    while !is_over.load(Ordering::SeqCst) {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        let created = formalize.submissions().create(&other, new).await;
        created.unwrap();
        submitted += 1;
    }
    submitted
}

/// Deletes what one transaction deletes.
async fn many_records_are_deleted_together(records: Records) {
    let store = records.open().await;
    let world = World::on(Arc::clone(&store)).await;
    for delete in Delete::IN_ONE {
        records.assert_deletes(&world, delete).await;
    }
    store.close().await;
}

/// Deletes beside others: first in transactions that fail at their end, so that everything must come back.
async fn many_records_are_deleted_beside_others(records: Records, deletes: &[Delete]) {
    let store = records.open().await;
    let world = World::on(Arc::clone(&store)).await;
    beside_others(&store, async {
        let failing = FailingStore::around(Arc::clone(&store));
        let fails = World::on(Arc::new(failing.clone())).await;
        failing.fail_at("commit", Failure::Failed);
        for delete in Delete::IN_ONE {
            let performed = delete.perform(&fails).await;
            assert!(performed.is_err(), "{delete:?}");
            records.assert_left(delete, MANY).await;
        }
        for delete in deletes {
            records.assert_deletes(&world, *delete).await;
        }
    })
    .await;
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_records_are_deleted_together_on_sqlite() {
    many_records_are_deleted_together(Records::on_sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn many_records_are_deleted_together_on_postgres() {
    many_records_are_deleted_together(Records::on_postgres().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_records_are_deleted_beside_others_on_sqlite() {
    many_records_are_deleted_beside_others(Records::on_sqlite().await, &Delete::ALL).await;
}

/// What is deleted in portions takes minutes here, and shares its COMMIT with nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn many_records_are_deleted_beside_others_on_postgres() {
    many_records_are_deleted_beside_others(Records::on_postgres().await, &Delete::IN_ONE).await;
}
