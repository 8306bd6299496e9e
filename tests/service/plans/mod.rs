//! Query plans of every statement on both databases. No statement may scan a growing table from start to end, and the
//! plan of every statement must have been checked.

use std::collections::{BTreeMap, BTreeSet};

use formalize_sql::{DatabaseKind, Plan};
use formalize_tests::stores::{Database, sqlite_connection};
use sqlx::{Connection as _, PgConnection, Row as _};

use self::findings::{FirstColumns, Reading};
use crate::statements::{Ledger, every_operation};

mod findings;
mod reads;
mod sources;
mod statements;
mod webhooks;

/// Statements that may walk along an index until a page is full: the beginning and end of the operation's name, and the
/// table.
const WALKS: &[(&str, &str, &str)] = &[
    // Lists of everything, in order. Only the system and those who manage everything see that much. They also read past
    // non-matching rows: groups filtered by part of their name, resources and grants filtered by a rare class, and drafts
    // of others.
    ("list groups", "as the system", "groups"),
    ("list forms", "as the system", "forms"),
    ("list resources", "as the system", "resources"),
    ("list grants", "as the system", "grants"),
    ("list classes", "as the system", "resources"),
    ("list groups", MANAGER, "groups"),
    ("list forms", MANAGER, "forms"),
    ("list resources", MANAGER, "resources"),
    ("list grants", MANAGER, "grants"),
    ("list classes", MANAGER, "resources"),
    ("list tokens", "", "api_tokens"),
    // Sessions in the order in which they end, up to those that have not ended.
    ("delete ended sessions", "", "api_tokens"),
    // Kept responses in the order in which they expire, up to those that have not expired.
    ("delete ended sessions", "", "kept_responses"),
    // The event log from a position on, which is what it is for. The number of positions is limited.
    ("", "", "events"),
    ("", "", "event_arrivals"),
    // The few webhooks, each of which follows the log.
    ("", "", "webhooks"),
    // All unfinished uploads, when a server starts.
    ("give up uploads", "", "submitted_files"),
    // Files without a submission in the order in which they expire, up to those that have not expired.
    ("sweep", "", "submitted_files"),
    // All files, in portions, whose contents are copied for a backup.
    ("hold files", "", "submitted_files"),
    // Attempts in the order of their time, up to those that are kept.
    ("delete", "", "webhook_attempts"),
    // The data that is kept with events, to find that of deleted submissions. Maintenance does this once a minute.
    ("delete", "", "event_data"),
    ("delete ended sessions", "", "webhook_deliveries"),
];

const MANAGER: &str = "as a manager of everything";

/// The operation that reads every row.
const VERIFY: &str = "verify";

#[tokio::test]
async fn sqlite() {
    let database = Database::sqlite().await;
    let plans = every_plan(&database).await;
    assert_all_seen(&plans, DatabaseKind::Sqlite);
    assert_times_are_ranges(&plans, &["id>? AND id<?", "anchor>? AND anchor<?"]);
    assert_bounded(&plans, findings::of_sqlite);
    assert_prepared_once(&plans);
    statements::assert_listed(&plans, DatabaseKind::Sqlite);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn postgres() {
    let (database, mut connection) = filled().await;
    let first_columns = first_columns(&mut connection).await;
    let plans = every_plan(&database).await;
    assert_all_seen(&plans, DatabaseKind::Postgres);
    assert_times_are_ranges(&plans, &["< ROW(", "(anchor < ", "(id < "]);
    assert_bounded(&plans, |steps| findings::of_postgres(steps, &first_columns));
    statements::assert_listed(&plans, DatabaseKind::Postgres);
}

/// The filled tables do not fit into this memory, as large ones do not fit into that of the default.
const WITH_LITTLE_MEMORY: &str = "DO $$ BEGIN \
    EXECUTE format('ALTER DATABASE %I SET work_mem = ''64kB''', current_database()); END $$";

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn verifying_on_postgres_takes_time_in_proportion_to_the_rows() {
    let (database, mut connection) = filled().await;
    let configure = sqlx::raw_sql(WITH_LITTLE_MEMORY);
    configure.execute(&mut connection).await.unwrap();
    let mut ledger = Ledger::with_plans(database.open_sql().await, reads::setup()).await;
    reads::verify(&mut ledger).await;
    let plans = ledger.planned.iter().filter(|(name, _)| name == VERIFY);
    assert!(plans.clone().count() > 30, "not every check has a plan");
    for (_, plan) in plans {
        let Plan {
            statement, steps, ..
        } = plan;
        let repeated = findings::repeated_scans(steps);
        assert!(repeated.is_empty(), "{repeated:?} in {statement}\n{steps}");
    }
}

/// Without this index, finding the groups of a user scans all memberships.
const WITHOUT_INDEX: &str = "DROP INDEX formalize_memberships_of_user";

#[tokio::test]
async fn a_missing_index_is_reported_on_sqlite() {
    let database = Database::sqlite().await;
    let connection = sqlite_connection(&database.url());
    connection.execute_batch(WITHOUT_INDEX).unwrap();
    assert_noticed(&plans_of_operations(&database).await, findings::of_sqlite);
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_missing_index_is_reported_on_postgres() {
    let (database, mut connection) = filled().await;
    let drop = sqlx::raw_sql(WITHOUT_INDEX);
    drop.execute(&mut connection).await.unwrap();
    let first_columns = first_columns(&mut connection).await;
    let plans = plans_of_operations(&database).await;
    assert_noticed(&plans, |steps| findings::of_postgres(steps, &first_columns));
}

fn assert_noticed(plans: &[(String, Plan)], evaluate: impl Fn(&str) -> Vec<findings::Finding>) {
    let faults = faults(plans, evaluate);
    let mut read = faults.keys();
    assert!(read.any(|(name, (_, table))| name == "get a form" && table == "memberships"));
}

/// A PostgreSQL database that is large enough for the planner to use indexes.
async fn filled() -> (Database, PgConnection) {
    let database = Database::postgres_filled(include_str!("fill.sql")).await;
    let connection = PgConnection::connect(&database.url()).await.unwrap();
    (database, connection)
}

/// The plans of the operations that [`assert_noticed`] needs, which are a few of those that are checked.
async fn plans_of_operations(database: &Database) -> Vec<(String, Plan)> {
    let mut ledger = Ledger::with_plans(database.open_sql().await, reads::setup()).await;
    every_operation(&mut ledger).await;
    ledger.planned
}

/// The plans of all statements of a new service, of reads, and of every other operation.
async fn every_plan(database: &Database) -> Vec<(String, Plan)> {
    let store = database.open_sql().await;
    let mut ledger = Ledger::with_plans(store, reads::setup()).await;
    reads::all(&mut ledger).await;
    every_operation(&mut ledger).await;
    webhooks::all(&mut ledger).await;
    reads::beside(&mut ledger).await;
    ledger.planned
}

/// The first column of every index of a PostgreSQL database.
async fn first_columns(connection: &mut PgConnection) -> FirstColumns {
    let select = "SELECT relname::TEXT, pg_get_indexdef(indexrelid, 1, true) FROM pg_index \
         JOIN pg_class ON pg_class.oid = indexrelid";
    let rows = sqlx::query(select).fetch_all(connection).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// Fails for every step that reads too much.
fn assert_bounded(plans: &[(String, Plan)], evaluate: impl Fn(&str) -> Vec<findings::Finding>) {
    let faults = faults(plans, evaluate);
    assert!(faults.is_empty(), "{}", report(&faults));
}

/// Fails for statements of SQLite that are prepared again each time they run.
fn assert_prepared_once(plans: &[(String, Plan)]) {
    let runs = plans.iter().filter_map(|(_, plan)| plan.run);
    assert!(runs.count() > 100, "the statements are not counted");
    let is_again = |plan: &Plan| plan.run.is_some_and(|run| run.prepared_again > 0);
    let again = plans.iter().filter(|(_, plan)| is_again(plan));
    let again: BTreeSet<_> = again.map(|(name, plan)| (name, &plan.statement)).collect();
    assert!(
        again.is_empty(),
        "{} are prepared again, such as {:#?}",
        again.len(),
        again.first()
    );
}

/// Fails for SQL in the sources that occurs in no statement with a plan.
fn assert_all_seen(plans: &[(String, Plan)], kind: DatabaseKind) {
    let statements: BTreeSet<_> = plans.iter().map(|(_, plan)| &plan.statement).collect();
    let statements: BTreeSet<_> = statements
        .into_iter()
        .map(|statement| sources::normalized(statement))
        .collect();
    let is_seen = |literal: &str| {
        let mut statements = statements.iter();
        statements.any(|statement| sources::occurs(literal, statement))
    };
    let mut unseen = sources::literals(kind);
    unseen.retain(|(_, literal)| !is_seen(literal));
    assert!(
        unseen.is_empty(),
        "no operation of this test sends this SQL: {unseen:#?}"
    );
}

/// Fails if a list of submissions that end at a time reads beyond the identifiers of that time.
fn assert_times_are_ranges(plans: &[(String, Plan)], ranges: &[&str]) {
    let is_read = |name: &str, plan: &Plan| {
        name.contains(reads::BEFORE_A_TIME) && plan.statement.contains("bytes_before")
    };
    let lists = plans.iter().filter(|(name, plan)| is_read(name, plan));
    let mut count = 0;
    for (name, plan) in lists {
        count += 1;
        let is_range = ranges.iter().any(|range| plan.steps.contains(range));
        assert!(is_range, "{name}\n{}\n{}", plan.statement, plan.steps);
    }
    assert!(count > 100, "only {count} lists");
}

/// The operation, the table and how it was read, with the first plan that does so.
type Faults<'p> = BTreeMap<(String, findings::Finding), &'p Plan>;

fn faults(
    plans: &[(String, Plan)],
    evaluate: impl Fn(&str) -> Vec<findings::Finding>,
) -> Faults<'_> {
    let mut faults = Faults::new();
    let mut evaluated = BTreeMap::new();
    for (name, plan) in plans {
        let found = evaluated.entry(&plan.steps);
        for finding in found.or_insert_with(|| evaluate(&plan.steps)) {
            if !is_allowed(name, finding) {
                faults
                    .entry((name.clone(), finding.clone()))
                    .or_insert(plan);
            }
        }
    }
    faults
}

fn is_allowed(name: &str, (reading, table): &findings::Finding) -> bool {
    let is_walk = *reading == Reading::Walk;
    let walks = || {
        WALKS
            .iter()
            .any(|(start, end, of)| name.starts_with(start) && name.ends_with(end) && of == table)
    };
    name == VERIFY || (is_walk && walks())
}

fn report(faults: &Faults<'_>) -> String {
    let faults = faults.iter().map(|((name, (reading, table)), plan)| {
        format!(
            "{name}: {reading:?} of {table}\n{}\n{}\n",
            plan.statement, plan.steps
        )
    });
    faults.collect::<Vec<_>>().join("\n")
}
