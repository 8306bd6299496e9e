//! Invariants of the event log as a whole.

use formalize_core::store::StoreResult;

use super::{Finding, FindingKind};
use crate::driver::{Transaction, sql};

/// A table, what is wrong with it, and a statement that then returns a row.
type Check = (&'static str, &'static str, &'static str);

/// Identifiers of events have no index. Both databases sort or hash them for `EXCEPT`; for `NOT IN`, PostgreSQL compares all
/// with all once they do not fit into its `work_mem`.
pub(super) const CHECKS: [Check; 6] = [
    (
        "formalize_event_log",
        "does not have exactly one row",
        "SELECT 1 FROM (SELECT count(*) AS number FROM formalize_event_log) AS counted WHERE number <> 1",
    ),
    (
        "formalize_events",
        "has gaps between the first and the last position of the log, or events outside of them",
        "SELECT 1 FROM formalize_event_log WHERE last - purged_to <> (SELECT count(*) FROM formalize_events) \
         OR EXISTS (SELECT 1 FROM formalize_events WHERE position <= purged_to OR position > last)",
    ),
    (
        "formalize_events",
        "has several events with the same identifier",
        "SELECT 1 FROM formalize_events GROUP BY id HAVING count(*) > 1 LIMIT 1",
    ),
    (
        "formalize_event_audience",
        "has subjects for events that do not exist",
        "SELECT event_id FROM formalize_event_audience EXCEPT SELECT id FROM formalize_events \
         EXCEPT SELECT id FROM formalize_event_arrivals LIMIT 1",
    ),
    (
        "formalize_event_data",
        "has data for events that do not exist",
        "SELECT event_id FROM formalize_event_data EXCEPT SELECT id FROM formalize_events \
         EXCEPT SELECT id FROM formalize_event_arrivals LIMIT 1",
    ),
    (
        "formalize_event_arrivals",
        "has events without a position that are an hour older than others; run formalize maintain",
        "SELECT 1 FROM (SELECT max(date) - min(date) AS age FROM formalize_event_arrivals) AS waiting \
         WHERE age > 3600000",
    ),
];

/// The checks that fail.
pub(super) async fn findings(tx: &mut Transaction) -> StoreResult<Vec<Finding>> {
    let mut found = Vec::new();
    for (table, what, select) in CHECKS {
        if tx.optional(sql(select)).await?.is_some() {
            found.push(Finding::of(FindingKind::EventLog, table, None, what));
        }
    }
    Ok(found)
}
