//! Finding out whether a transaction was committed whose connection was lost during its COMMIT. Only connections to a server
//! are lost, so this concerns PostgreSQL alone.

use std::time::{Duration, Instant};

use formalize_core::StoreError;
use formalize_core::store::StoreResult;

use super::driver::{Database, Evidence, Purpose, Transaction, sql};

/// The pause before the database is asked again after the connection was lost once more.
const PAUSE: Duration = Duration::from_millis(50);

/// The number of latest events among which an event of the last seconds is looked for. They have no index by identifier, and
/// a server writes a few thousand in a second.
const LATEST_EVENTS: i64 = 100_000;

/// Commits a transaction. If it is uncertain whether it was committed, looks for what it wrote, if that is known.
///
/// # Errors
///
/// [`StoreError::Disconnected`] if the transaction was not committed, [`StoreError::Uncertain`] if the database cannot be
/// asked in time, and those of a COMMIT.
pub(super) async fn commit(transaction: Transaction) -> StoreResult<()> {
    let evidence = transaction.evidence();
    let (uncertain, evidence, database) = match (transaction.commit().await, evidence) {
        (Err(StoreError::Uncertain(uncertain)), Some((evidence, database))) => {
            (uncertain, evidence, database)
        }
        (outcome, _) => return outcome,
    };
    let until = Instant::now() + database.wait();
    loop {
        match was_committed(&database, evidence).await {
            Ok(true) => return Ok(()),
            Ok(false) => return Err(StoreError::Disconnected(uncertain)),
            Err(
                StoreError::Disconnected(_) | StoreError::Uncertain(_) | StoreError::Conflict(_),
            ) if Instant::now() < until => {
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => {
                let why = format!("{uncertain}; and it cannot be found out: {error}");
                return Err(StoreError::Uncertain(why));
            }
        }
    }
}

async fn was_committed(database: &Database, evidence: Evidence) -> StoreResult<bool> {
    let (table, select) = match evidence {
        Evidence::Event(id) => {
            let select = sql(
                "SELECT 1 AS one WHERE EXISTS (SELECT FROM formalize_event_arrivals WHERE id = $1) OR $1 IN \
                 (SELECT id FROM (SELECT id FROM formalize_events ORDER BY position DESC LIMIT $2) AS latest)",
            );
            let select = select.bind(id.as_uuid()).bind(LATEST_EVENTS);
            ("formalize_event_arrivals", select)
        }
        Evidence::Inserted(table, id) | Evidence::Deleted(table, id) => {
            let select = sql(format!("SELECT 1 AS one FROM {table} WHERE id = $1"));
            (table, select.bind(id))
        }
    };
    let mut tx = settled(database, table).await?;
    let is_found = tx.optional(select).await?.is_some();
    tx.commit().await?;
    // Who else may have deleted the record makes no difference: it is deleted.
    Ok(is_found != matches!(evidence, Evidence::Deleted(..)))
}

/// A transaction that sees the outcome of all those that were writing to this table when it began.
///
/// The server may still be running one of them although its connection was lost, so this waits until they end: they hold a
/// lock on the table until then. One of them may be committed on the primary, but on no standby, and be lost in a failover.
/// So this transaction writes, too, and its COMMIT waits for a standby that has all earlier ones.
pub(super) async fn settled(database: &Database, table: &'static str) -> StoreResult<Transaction> {
    let mut tx = database.begin(Purpose::Write).await?;
    // In this order, as in the transaction that gives positions to events, so that they do not deadlock.
    tx.run(sql(
        "UPDATE formalize_event_log SET last = last WHERE id = 1",
    ))
    .await?;
    tx.run(sql(format!("LOCK TABLE {table} IN SHARE MODE")))
        .await?;
    Ok(tx)
}
