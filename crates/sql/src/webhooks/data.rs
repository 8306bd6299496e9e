//! Statements about the data of submissions that is kept with events.

use std::collections::HashSet;
use std::sync::Arc;

use formalize_core::events::{EventId, EventType};
use formalize_core::store::StoreResult;
use formalize_core::webhooks::FrozenSubmission;
use formalize_core::{FormId, Submission, SubmissionState};
use uuid::Uuid;

use crate::driver::{Row, Transaction, saturated, sql};
use crate::query::alias;
use crate::record::Record;

/// A type of event in the set `frozen_events` of a webhook.
pub(crate) fn frozen_event(event_type: EventType) -> i64 {
    match event_type {
        EventType::SubmissionSubmitted => 1,
        EventType::SubmissionUpdated => 2,
        _ => 0,
    }
}

/// Whether an enabled webhook wants the data of a submission to a form at an event. The arguments are expressions.
pub(crate) fn freeze_condition(form: &str, event: &str) -> String {
    format!(
        "(EXISTS (SELECT 1 FROM formalize_webhooks AS webhooks WHERE webhooks.form_id = {form} \
         AND (webhooks.frozen_events & {event}) <> 0) \
         OR EXISTS (SELECT 1 FROM formalize_webhooks AS webhooks WHERE webhooks.form_id IS NULL \
         AND (webhooks.frozen_events & {event}) <> 0))"
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
    let wanted = freeze_condition("$8", "$9");
    let insert = sql(format!(
        "{INSERT} SELECT $1, $2, $3, $4, $5, $6, $7 WHERE {wanted}"
    ))
    .bind(event.as_uuid())
    .bind(submission.id.as_uuid())
    .bind(frozen.data.as_deref().map(str::to_owned))
    .bind(frozen.last_modified_by.to_string())
    .bind(frozen.date_created.as_millis())
    .bind(frozen.date_last_modified.as_millis())
    .bind(frozen.tags_and_files.as_deref().map(str::to_owned))
    .bind(FormId::as_uuid(submission.form))
    .bind(frozen_event(event_type));
    tx.run(insert.brief()).await.map(drop)
}

/// The beginning of a statement that keeps data: the event, and what is kept of the submission.
pub(crate) const INSERT: &str = "INSERT INTO formalize_event_data \
     (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)";

/// The columns of the data, named so that they can stand beside those of events.
pub(super) const COLUMNS: &str = "event_data.event_id AS data_of, event_data.data AS frozen_data, \
     event_data.last_modified_by AS frozen_by, event_data.date_created AS frozen_created, \
     event_data.date_last_modified AS frozen_modified, event_data.tags_and_files";

pub(super) fn read(row: &Row) -> StoreResult<Option<FrozenSubmission>> {
    let record = Record::joined("formalize_event_data", "data_of", row);
    if record.optional_uuid("data_of")?.is_none() {
        return Ok(None);
    }
    Ok(Some(FrozenSubmission {
        data: record.optional_text("frozen_data")?.map(Arc::from),
        last_modified_by: record.author("frozen_by")?,
        date_created: record.instant("frozen_created")?,
        date_last_modified: record.instant("frozen_modified")?,
        tags_and_files: record.optional_text("tags_and_files")?.map(Arc::from),
    }))
}

pub(super) async fn find(
    tx: &mut Transaction,
    event: EventId,
) -> StoreResult<Option<FrozenSubmission>> {
    let select = sql(format!(
        "SELECT {COLUMNS} FROM formalize_event_data AS event_data WHERE event_data.event_id = $1"
    ))
    .bind(event.as_uuid());
    Ok(tx.read_one(select.brief(), read).await?.flatten())
}

const NOT_PENDING: &str = "NOT EXISTS (SELECT 1 FROM formalize_webhook_deliveries AS webhook_deliveries \
     WHERE webhook_deliveries.event_id = event_data.event_id AND webhook_deliveries.state = 'pending')";

/// The number of rows that are looked at together.
const PAGE: usize = 100;

/// Looks at all data in pages. A statement about all of it at once could read every submission.
pub(super) async fn unneeded(tx: &mut Transaction, limit: u64) -> StoreResult<Vec<EventId>> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (mut after, mut found) = (Uuid::nil(), Vec::new());
    loop {
        let select = sql(
            "SELECT event_data.event_id AS id, event_data.submission_id FROM formalize_event_data AS event_data \
             WHERE event_data.event_id > $1 ORDER BY event_data.event_id LIMIT $2",
        )
        .bind(after)
        .bind(saturated(PAGE));
        let page: Vec<(Uuid, Uuid)> = tx
            .read_all(select, |row| {
                let record = Record::new("formalize_event_data", row);
                Ok((record.id()?, record.uuid("submission_id")?))
            })
            .await?;
        let Some((last, _)) = page.last() else {
            return Ok(found);
        };
        after = *last;
        let (events, submissions) = page.iter().copied().unzip();
        let there = among(tx, "formalize_submissions", "id", "", submissions).await?;
        let state = " AND webhook_deliveries.state = 'pending'";
        let pending = among(
            tx,
            "formalize_webhook_deliveries",
            "event_id",
            state,
            events,
        )
        .await?;
        let unneeded = page
            .iter()
            .filter(|(event, submission)| !there.contains(submission) && !pending.contains(event));
        found.extend(unneeded.map(|(event, _)| EventId::from_uuid(*event)));
        if found.len() >= limit || page.len() < PAGE {
            found.truncate(limit);
            return Ok(found);
        }
    }
}

/// Which of the values a column of a table has.
async fn among(
    tx: &mut Transaction,
    table: &'static str,
    column: &str,
    condition: &str,
    values: Vec<Uuid>,
) -> StoreResult<HashSet<Uuid>> {
    let name = alias(table);
    let is_one = tx.dialect().any_uuid(&format!("{name}.{column}"), "$1");
    let select = sql(format!(
        "SELECT {name}.{column} AS id FROM {table} AS {name} WHERE {is_one}{condition}"
    ));
    let found = tx.read_ids(table, select.bind(values)).await?;
    Ok(found.into_iter().collect())
}

pub(super) async fn delete(tx: &mut Transaction, events: &[EventId]) -> StoreResult<u64> {
    let ids: Vec<Uuid> = events.iter().map(|event| event.as_uuid()).collect();
    let is_one = tx.dialect().any_uuid("event_data.event_id", "$1");
    let delete =
        format!("DELETE FROM formalize_event_data AS event_data WHERE {is_one} AND {NOT_PENDING}");
    tx.run(sql(delete).bind(ids)).await
}
