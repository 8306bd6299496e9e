//! Statements about the data of submissions that is kept with events.

use std::sync::Arc;

use uuid::Uuid;

use super::number;
use crate::id::{EventId, FormId};
use crate::model::event::EventType;
use crate::model::form::SubmissionState;
use crate::model::submission::Submission;
use crate::model::webhook::FrozenSubmission;
use crate::store::StoreResult;
use crate::store::sql::driver::{Row, Transaction, sql};
use crate::store::sql::record::Record;

/// A type of event in the set `frozen_events` of a webhook.
pub(in crate::store::sql) fn frozen_event(event_type: EventType) -> i64 {
    match event_type {
        EventType::SubmissionSubmitted => 1,
        EventType::SubmissionUpdated => 2,
        _ => 0,
    }
}

/// Whether an enabled webhook wants the data of a submission to a form at an event. The arguments are expressions.
pub(in crate::store::sql) fn freeze_condition(form: &str, event: &str) -> String {
    format!(
        "(EXISTS (SELECT 1 FROM webhooks WHERE webhooks.form_id = {form} AND (webhooks.frozen_events & {event}) <> 0) \
         OR EXISTS (SELECT 1 FROM webhooks WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & {event}) <> 0))"
    )
}

pub(super) async fn freeze(
    tx: &mut Transaction,
    (event, event_type): (EventId, EventType),
    submission: &Submission,
) -> StoreResult<()> {
    let (true, Some(frozen)) = (
        submission.state == SubmissionState::Submitted,
        FrozenSubmission::of(submission),
    ) else {
        return Ok(());
    };
    let wanted = freeze_condition("$7", "$8");
    let insert = sql(format!(
        "{INSERT} SELECT $1, $2, $3, $4, $5, $6 WHERE {wanted}"
    ))
    .bind(event.as_uuid())
    .bind(submission.id.as_uuid())
    .bind(frozen.data.as_deref().map(str::to_owned))
    .bind(frozen.last_modified_by.to_string())
    .bind(frozen.date_created.as_millis())
    .bind(frozen.date_last_modified.as_millis())
    .bind(FormId::as_uuid(submission.form))
    .bind(frozen_event(event_type));
    tx.run(insert.brief()).await.map(drop)
}

/// The beginning of a statement that keeps data: the event, and what is kept of the submission.
pub(in crate::store::sql) const INSERT: &str = "INSERT INTO event_data \
     (event_id, submission_id, data, last_modified_by, date_created, date_last_modified)";

/// The columns of the data, named so that they can stand beside those of events.
pub(super) const COLUMNS: &str = "event_data.event_id AS data_of, event_data.data AS frozen_data, \
     event_data.last_modified_by AS frozen_by, event_data.date_created AS frozen_created, \
     event_data.date_last_modified AS frozen_modified";

pub(super) fn read(row: &Row) -> StoreResult<Option<FrozenSubmission>> {
    let record = Record::joined("event_data", "data_of", row);
    if record.optional_uuid("data_of")?.is_none() {
        return Ok(None);
    }
    Ok(Some(FrozenSubmission {
        data: record.optional_text("frozen_data")?.map(Arc::from),
        last_modified_by: record.author("frozen_by")?,
        date_created: record.instant("frozen_created")?,
        date_last_modified: record.instant("frozen_modified")?,
    }))
}

pub(super) async fn find(
    tx: &mut Transaction,
    event: EventId,
) -> StoreResult<Option<FrozenSubmission>> {
    let select = sql(format!(
        "SELECT {COLUMNS} FROM event_data WHERE event_data.event_id = $1"
    ))
    .bind(event.as_uuid());
    let row = tx.optional(select.brief()).await?;
    row.as_ref().map_or(Ok(None), read)
}

const NOT_PENDING: &str = "NOT EXISTS (SELECT 1 FROM webhook_deliveries \
     WHERE webhook_deliveries.event_id = event_data.event_id AND webhook_deliveries.state = 'pending')";

pub(super) async fn unneeded(tx: &mut Transaction, limit: u64) -> StoreResult<Vec<EventId>> {
    let select = sql(format!(
        "SELECT event_data.event_id AS id FROM event_data WHERE event_data.event_id > $1 \
         AND NOT EXISTS (SELECT 1 FROM submissions WHERE submissions.id = event_data.submission_id) \
         AND {NOT_PENDING} ORDER BY event_data.event_id LIMIT $2"
    ))
    .bind(Uuid::nil())
    .bind(number(limit));
    let rows = tx.all(select).await?;
    let id = |row| Ok(EventId::from_uuid(Record::new("event_data", row).id()?));
    rows.iter().map(id).collect()
}

pub(super) async fn delete(tx: &mut Transaction, events: &[EventId]) -> StoreResult<u64> {
    let ids: Vec<Uuid> = events.iter().map(|event| event.as_uuid()).collect();
    let is_one = tx.dialect().any_uuid("event_data.event_id", "$1");
    let delete = format!("DELETE FROM event_data WHERE {is_one} AND {NOT_PENDING}");
    tx.run(sql(delete).bind(ids)).await
}
