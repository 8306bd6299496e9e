//! Statements about deliveries and their attempts.

use std::time::Duration;

use formalize_core::events::{EventData, EventId, EventType};
use formalize_core::store::{NewDelivery, Requeued, StoreResult, Window};
use formalize_core::webhooks::{
    Attempt, Delivery, DeliveryFilter, DeliveryId, DeliveryState, WebhookId,
};
use formalize_core::{SubmissionId, Timestamp};
use uuid::Uuid;

use crate::driver::{Dialect, Range, Row, Statement, Transaction, saturated, sql};
use crate::query::{Bounds, Query};
use crate::record::Record;

const COLUMNS: &str = "webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, \
     webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, \
     webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, \
     webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, \
     webhook_deliveries.last_error";

/// The largest `date_next_attempt` of a delivery that was requested by hand, which is stored as the negated time of the request.
/// So it sorts before all others, and the index finds it even while a webhook is paused.
pub(super) const ASKED: i64 = 0;

/// The number of deliveries that one statement inserts.
const TOGETHER: usize = 50;

pub(crate) fn read(row: &Row) -> StoreResult<Delivery> {
    let record = Record::new("formalize_webhook_deliveries", row);
    let submission = record.optional_uuid("submission_id")?;
    let status = record.optional_int("last_status")?;
    let error = record.optional_text("last_error")?;
    let next_attempt = record.optional_int("date_next_attempt")?;
    let next_attempt = next_attempt.map(|next| Timestamp::from_millis(next.saturating_abs()));
    Ok(Delivery {
        id: DeliveryId::from_uuid(record.id()?),
        webhook: WebhookId::from_uuid(record.uuid("webhook_id")?),
        event: EventId::from_uuid(record.uuid("event_id")?),
        sequence: record.int("sequence")?,
        event_type: record.parsed("event_type", |text| text.parse::<EventType>())?,
        submission: submission.map(SubmissionId::from_uuid),
        state: record.parsed("state", |text| text.parse())?,
        num_attempts: record.int("num_attempts")?,
        date_created: record.instant("date_created")?,
        date_next_attempt: record.checked("date_next_attempt", next_attempt.transpose())?,
        date_done: record.optional_instant("date_done")?,
        last_status: record.checked("last_status", status.map(u16::try_from).transpose())?,
        last_error: record.checked("last_error", error.map(|text| text.parse()).transpose())?,
    })
}

pub(super) async fn find(
    tx: &mut Transaction,
    webhook: WebhookId,
    id: DeliveryId,
) -> StoreResult<Option<Delivery>> {
    let select = sql(format!(
        "SELECT {COLUMNS} FROM formalize_webhook_deliveries AS webhook_deliveries WHERE id = $1 AND webhook_id = $2"
    ))
    .bind(id.as_uuid())
    .bind(webhook.as_uuid());
    tx.read_one(select.brief(), read).await
}

pub(super) async fn list(
    tx: &mut Transaction,
    webhook: WebhookId,
    filter: DeliveryFilter,
    window: Window,
) -> StoreResult<Vec<Delivery>> {
    let mut query = Query::new(tx.dialect());
    let bounds = Bounds::from(window);
    let webhook = query.bind(webhook.as_uuid());
    let passing = [
        ("state", filter.state.map(DeliveryState::as_str)),
        ("event_type", filter.event_type.map(EventType::as_str)),
    ];
    let passing = passing.into_iter().filter_map(|(column, value)| {
        let value = query.bind(value?);
        Some(format!("webhook_deliveries.{column} = {value} AND "))
    });
    let passing: String = passing.collect();
    let range = if filter.newest_first {
        let end = Some(bounds.after).filter(|end| !end.is_nil());
        Range {
            after: query.bind(Uuid::nil()),
            before: end.map(|end| query.bind(end)),
            newest_first: true,
        }
    } else {
        Range::after(&query.bind(bounds.after))
    };
    let column = ("webhook_deliveries.webhook_id", webhook.as_str());
    let behind = tx
        .dialect()
        .behind(&[column], "webhook_deliveries.id", &range);
    let (limit, skip) = (query.bind(bounds.limit), query.bind(bounds.skip));
    let select = query.statement(format!(
        "SELECT {COLUMNS} FROM formalize_webhook_deliveries AS webhook_deliveries WHERE {passing}{behind} \
         LIMIT {limit} OFFSET {skip}"
    ));
    tx.read_all(select, read).await
}

pub(super) async fn attempts(
    tx: &mut Transaction,
    delivery: DeliveryId,
) -> StoreResult<Vec<Attempt>> {
    let select = sql(
        "SELECT delivery_id AS id, date, status, error, duration FROM formalize_webhook_attempts \
         WHERE delivery_id = $1 ORDER BY number",
    )
    .bind(delivery.as_uuid());
    tx.read_all(select, |row| {
        let record = Record::new("formalize_webhook_attempts", row);
        let status = record.optional_int("status")?;
        let error = record.optional_text("error")?;
        let duration = u64::try_from(record.int("duration")?);
        Ok(Attempt {
            date: record.instant("date")?,
            status: record.checked("status", status.map(u16::try_from).transpose())?,
            error: record.checked("error", error.map(|text| text.parse()).transpose())?,
            duration: Duration::from_millis(record.checked("duration", duration)?),
        })
    })
    .await
}

pub(super) async fn dead(
    tx: &mut Transaction,
    webhook: WebhookId,
    (since, until): (Timestamp, Timestamp),
    limit: u64,
) -> StoreResult<Vec<DeliveryId>> {
    let select = sql(
        "SELECT webhook_deliveries.id FROM formalize_webhook_deliveries AS webhook_deliveries \
         JOIN formalize_events AS events ON events.position = webhook_deliveries.sequence \
         AND events.id = webhook_deliveries.event_id \
         WHERE webhook_deliveries.webhook_id = $1 AND webhook_deliveries.state = 'dead' \
         AND events.date >= $2 AND events.date <= $3 ORDER BY webhook_deliveries.sequence LIMIT $4",
    )
    .bind(webhook.as_uuid())
    .bind(since.as_millis())
    .bind(until.as_millis())
    .bind(saturated(limit));
    let ids = tx.read_ids("formalize_webhook_deliveries", select).await?;
    Ok(ids.into_iter().map(DeliveryId::from_uuid).collect())
}

pub(super) async fn insert(tx: &mut Transaction, new: &[NewDelivery]) -> StoreResult<u64> {
    let mut inserted = 0;
    for part in new.chunks(TOGETHER) {
        let mut query = Query::new(tx.dialect());
        let rows: Vec<String> = part.iter().map(|one| row(&mut query, one)).collect();
        let insert = query.statement(format!(
            "INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, submission_id, lane, \
             state, num_attempts, tries, refusals, date_created, date_next_attempt) VALUES {} \
             ON CONFLICT (event_id, webhook_id) DO NOTHING",
            rows.join(", ")
        ));
        inserted += tx.run(insert.brief()).await?;
    }
    Ok(inserted)
}

/// The values of a delivery.
fn row(query: &mut Query<'_>, new: &NewDelivery) -> String {
    let event = &new.event;
    let submission = match &event.data {
        EventData::Submission { submission, .. } => Some(submission.as_uuid()),
        _ => None,
    };
    let values = [
        query.bind(new.id.as_uuid()),
        query.bind(new.webhook.as_uuid()),
        query.bind(event.id.as_uuid()),
        query.bind(event.sequence),
        query.bind(event.event_type.as_str()),
        query.bind(submission),
        query.bind(new.lane()),
    ];
    let (state, now) = (DeliveryState::Pending, query.bind(new.now.as_millis()));
    format!("({}, '{state}', 0, 0, 0, {now}, {now})", values.join(", "))
}

pub(super) async fn requeue(
    tx: &mut Transaction,
    webhook: WebhookId,
    which: Requeued<'_>,
    now: Timestamp,
) -> StoreResult<u64> {
    let update = requeueing(tx.dialect(), webhook, which, now);
    let queued = tx.run(update).await?;
    if let Requeued::Asked(ids) = which {
        tx.run(asking_for_earlier(tx.dialect(), webhook, ids, now))
            .await?;
    }
    Ok(queued)
}

/// Asks for the pending deliveries for which these have to wait, too.
fn asking_for_earlier(
    dialect: Dialect,
    webhook: WebhookId,
    ids: &[DeliveryId],
    now: Timestamp,
) -> Statement<'static> {
    let mut query = Query::new(dialect);
    let webhook = query.bind(webhook.as_uuid());
    let ids = query.bind(uuids(ids));
    let is_named = dialect.any_uuid("named.id", &ids);
    let (asked, is_free) = (query.bind(-now.as_millis()), is_free(&mut query, now));
    query.statement(format!(
        "UPDATE formalize_webhook_deliveries AS webhook_deliveries SET date_next_attempt = {asked} WHERE id IN \
         (SELECT earlier.id FROM formalize_webhook_deliveries AS named \
          JOIN formalize_webhook_deliveries AS earlier ON earlier.webhook_id = named.webhook_id \
          AND earlier.state = 'pending' \
          AND earlier.lane = named.lane AND earlier.sequence < named.sequence \
          WHERE {is_named} AND named.webhook_id = {webhook} AND named.state = 'pending'){is_free}"
    ))
}

fn uuids(ids: &[DeliveryId]) -> Vec<Uuid> {
    ids.iter().map(|id| id.as_uuid()).collect()
}

/// Whether a delivery is not leased, and was not asked for before.
fn is_free(query: &mut Query<'_>, now: Timestamp) -> String {
    let now = query.bind(now.as_millis());
    format!(
        " AND (held_until IS NULL OR held_until <= {now}) \
         AND (date_next_attempt IS NULL OR date_next_attempt > {ASKED})"
    )
}

fn requeueing(
    dialect: Dialect,
    webhook: WebhookId,
    which: Requeued<'_>,
    now: Timestamp,
) -> Statement<'static> {
    let mut query = Query::new(dialect);
    let webhook = query.bind(webhook.as_uuid());
    let next = query.bind(match which {
        Requeued::Asked(_) => -now.as_millis(),
        _ => now.as_millis(),
    });
    let mut is_one = |column: &str, ids: Vec<Uuid>| {
        let ids = query.bind(ids);
        dialect.any_uuid(&format!("webhook_deliveries.{column}"), &ids)
    };
    let condition = match which {
        Requeued::Deliveries(ids) => is_one("id", uuids(ids)) + " AND state <> 'pending'",
        Requeued::Events(ids) => {
            let ids = ids.iter().map(|id| id.as_uuid()).collect();
            is_one("event_id", ids) + " AND state <> 'pending'"
        }
        Requeued::Asked(ids) => is_one("id", uuids(ids)),
        Requeued::Pending => "state = 'pending'".to_owned(),
    };
    let is_free = if matches!(which, Requeued::Asked(_) | Requeued::Pending) {
        is_free(&mut query, now)
    } else {
        String::new()
    };
    query.statement(format!(
        "UPDATE formalize_webhook_deliveries AS webhook_deliveries \
         SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = {next}, \
         date_done = NULL WHERE webhook_id = {webhook} AND {condition}{is_free} AND EXISTS (SELECT 1 \
         FROM formalize_events AS events \
         WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id)"
    ))
}

pub(super) async fn give_up(
    tx: &mut Transaction,
    webhook: WebhookId,
    now: Timestamp,
) -> StoreResult<u64> {
    let update = sql(
        "UPDATE formalize_webhook_deliveries SET state = 'dead', date_next_attempt = NULL, date_done = $2, holder = NULL, \
         held_until = NULL WHERE webhook_id = $1 AND state = 'pending'",
    )
    .bind(webhook.as_uuid())
    .bind(now.as_millis());
    tx.run(update).await
}

/// Deletes the deliveries of events that are deleted, unless they succeeded. `$1` is the list of events.
pub(crate) fn delete_of_events(is_one: &str) -> String {
    format!(
        "DELETE FROM formalize_webhook_deliveries AS webhook_deliveries WHERE {is_one} AND state <> 'delivered'"
    )
}
