//! Statements that lease deliveries and write the results of attempts.

use std::collections::HashMap;

use formalize_core::internals::{FAILURES_TO_BACK_OFF, at_a_time};
use formalize_core::store::{
    DeliveryProgress, FinishedAttempt, LeaseLimits, LeasedDelivery, LeasedWebhook, StoreResult,
};
use formalize_core::webhooks::{AttemptError, DeliveryId, Webhook};
use formalize_core::{FormId, Timestamp};
use uuid::Uuid;

use super::deliveries::ASKED;
use super::{COLUMNS, SECRETS, data, read, read_secrets, skip_locked};
use crate::driver::{Row, Transaction, saturated, sql};
use crate::events;
use crate::query::FENCE;
use crate::record::{Record, written};

/// The number of attempts of a delivery that are kept.
const KEPT_ATTEMPTS: i64 = 20;

/// Whether the last attempt of a webhook failed, or none has ever succeeded; never null.
fn unproven(webhook: &str) -> String {
    format!(
        "coalesce({webhook}.date_last_failure > {webhook}.date_last_success, {webhook}.date_last_success IS NULL)"
    )
}

/// How many deliveries of such webhooks of a form are leased at a time.
fn leased_of_form(form: &str, now: &str) -> String {
    format!(
        "(SELECT count(*) FROM formalize_webhooks AS others \
         JOIN formalize_webhook_deliveries AS held ON held.webhook_id = others.id AND held.held_until > {now} \
         WHERE others.form_id = {form} AND {})",
        unproven("others")
    )
}

pub(super) async fn lease(
    tx: &mut Transaction,
    holder: Uuid,
    times: (Timestamp, Timestamp),
    limits: LeaseLimits,
) -> StoreResult<Vec<LeasedWebhook>> {
    let mut leasing = Leasing {
        holder,
        times,
        left: saturated(limits.unproven.min(limits.all)),
        of_forms: HashMap::new(),
        most_of_form: saturated(limits.unproven_of_form),
        leased: Vec::new(),
    };
    let begun = leasing.left;
    if begun > 0 {
        leasing.unproven(tx).await?;
    }
    leasing.left = saturated(limits.all) - (begun - leasing.left);
    if leasing.left > 0 {
        leasing.proven(tx).await?;
    }
    Ok(leasing.leased)
}

/// What is leased in one transaction.
struct Leasing {
    holder: Uuid,
    /// Now, and the end of the lease.
    times: (Timestamp, Timestamp),
    /// How many deliveries may still be leased.
    left: i64,
    /// The deliveries of unproven webhooks of each form that were leased before this statement, or by it.
    of_forms: HashMap<Uuid, i64>,
    most_of_form: i64,
    leased: Vec<LeasedWebhook>,
}

impl Leasing {
    async fn unproven(&mut self, tx: &mut Transaction) -> StoreResult<()> {
        let select = sql(format!(
            "{} AND {} AND (webhooks.form_id IS NULL OR {} < $4) \
             ORDER BY coalesce(date_last_failure, 0), webhooks.id LIMIT $2{}",
            due(),
            unproven("webhooks"),
            leased_of_form("webhooks.form_id", "$1"),
            skip_locked(tx.dialect())
        ))
        .bind(self.times.0.as_millis())
        .bind(self.left)
        .bind(Uuid::nil())
        .bind(self.most_of_form);
        for row in &tx.all(select).await? {
            let webhook = read(row)?;
            let form = webhook.form.map(FormId::as_uuid);
            let room = match form {
                None => self.left,
                Some(form) => self.left.min(self.room_of_form(tx, form).await?),
            };
            let leased = self.lease_of(tx, row, webhook, room).await?;
            if let Some(of_form) = form.and_then(|form| self.of_forms.get_mut(&form)) {
                *of_form += leased;
            }
            if self.left <= 0 {
                break;
            }
        }
        Ok(())
    }

    /// How many more deliveries of a form's unproven webhooks may be leased. Servers lock different webhooks, so each one also
    /// locks the form's first webhook before it counts. While another server holds that lock, the answer is none.
    async fn room_of_form(&mut self, tx: &mut Transaction, form: Uuid) -> StoreResult<i64> {
        if let Some(leased) = self.of_forms.get(&form) {
            return Ok(self.most_of_form - leased);
        }
        let lock = sql(format!(
            "SELECT id FROM formalize_webhooks AS webhooks WHERE id = \
             (SELECT id FROM formalize_webhooks AS webhooks WHERE form_id = $1 ORDER BY id LIMIT 1){}",
            skip_locked(tx.dialect())
        ))
        .bind(form);
        let mut leased = self.most_of_form;
        if tx.optional(lock).await?.is_some() {
            let count = sql(format!("SELECT {} AS leased", leased_of_form("$1", "$2")))
                .bind(form)
                .bind(self.times.0.as_millis());
            let counted = |row: &Row| Record::new("formalize_webhooks", row).int("leased");
            leased = tx.read_one(count, counted).await?.unwrap_or(leased);
        }
        self.of_forms.insert(form, leased);
        Ok(self.most_of_form - leased)
    }

    async fn proven(&mut self, tx: &mut Transaction) -> StoreResult<()> {
        let select = sql(format!(
            "{} AND NOT {} ORDER BY date_last_success, webhooks.id LIMIT $2{}",
            due(),
            unproven("webhooks"),
            skip_locked(tx.dialect())
        ))
        .bind(self.times.0.as_millis())
        .bind(self.left)
        .bind(Uuid::nil());
        for row in &tx.all(select).await? {
            let webhook = read(row)?;
            self.lease_of(tx, row, webhook, self.left).await?;
            if self.left <= 0 {
                break;
            }
        }
        Ok(())
    }

    /// Leases deliveries of one webhook, at most `room`, and returns their number.
    async fn lease_of(
        &mut self,
        tx: &mut Transaction,
        row: &Row,
        webhook: Webhook,
        room: i64,
    ) -> StoreResult<i64> {
        if room <= 0 {
            return Ok(0);
        }
        let at_a_time = at_a_time(Record::new("formalize_webhooks", row).int("failures")?);
        let (holder, now, until) = (self.holder, self.times.0, self.times.1);
        let pauses = webhook.paused_until.is_some_and(|end| end > now);
        let due = if pauses { ASKED } else { now.as_millis() };
        let ids = lease_of(
            tx,
            (webhook.id.as_uuid(), due),
            (holder, now, until),
            (at_a_time, room),
        )
        .await?;
        let number = saturated(ids.len());
        if number > 0 {
            self.left -= number;
            self.leased.push(LeasedWebhook {
                webhook,
                secrets: read_secrets(row)?,
                deliveries: contents(tx, ids).await?,
            });
        }
        Ok(number)
    }
}

/// The webhooks that have deliveries to lease now, at `$1`. Of a webhook that pauses, only what was asked for is due.
///
/// They are locked first, so that the number of leased deliveries of each cannot be exceeded. The next statement sees what
/// others committed before the lock.
fn due() -> String {
    format!(
        "SELECT {COLUMNS}, {SECRETS}, failures FROM formalize_webhooks AS webhooks WHERE webhooks.id > $3 \
         AND disabled IS NULL AND EXISTS \
         (SELECT 1 FROM formalize_webhook_deliveries AS due WHERE due.webhook_id = webhooks.id AND {}{FENCE}) \
         AND (SELECT count(*) FROM formalize_webhook_deliveries AS held WHERE held.webhook_id = webhooks.id \
         AND held.held_until > $1) \
          < CASE WHEN failures >= {FAILURES_TO_BACK_OFF} THEN {} ELSE {} END",
        leasable(
            &format!("CASE WHEN webhooks.date_resumes > $1 THEN {ASKED} ELSE $1 END"),
            "$1"
        ),
        at_a_time(FAILURES_TO_BACK_OFF),
        at_a_time(0)
    )
}

/// Whether a delivery is due at a time, is not leased now, and waits for no pending one of its lane with a lower position.
fn leasable(time: &str, now: &str) -> String {
    format!(
        "due.date_next_attempt <= {time} AND (due.held_until IS NULL OR due.held_until <= {now}) \
         AND NOT EXISTS (SELECT 1 FROM formalize_webhook_deliveries AS earlier WHERE earlier.webhook_id = due.webhook_id \
          AND earlier.state = 'pending' AND earlier.lane = due.lane AND earlier.sequence < due.sequence)"
    )
}

/// Leases deliveries of one webhook that are due at a time, at most `left`.
async fn lease_of(
    tx: &mut Transaction,
    (webhook, due): (Uuid, i64),
    (holder, now, until): (Uuid, Timestamp, Timestamp),
    (at_a_time, left): (i64, i64),
) -> StoreResult<Vec<Uuid>> {
    let update = sql(format!(
        "UPDATE formalize_webhook_deliveries AS webhook_deliveries SET holder = $2, held_until = $4 WHERE id IN \
         (SELECT due.id FROM formalize_webhook_deliveries AS due WHERE due.webhook_id = $1 AND due.state = 'pending' AND {} \
          ORDER BY due.date_next_attempt, due.sequence \
          LIMIT (SELECT CASE WHEN count(*) >= $5 THEN 0 WHEN $5 - count(*) > $6 THEN $6 ELSE $5 - count(*) END \
           FROM formalize_webhook_deliveries AS held WHERE held.webhook_id = $1 AND held.held_until > $3)) RETURNING id",
        leasable("$7", "$3")
    ))
    .bind(webhook)
    .bind(holder)
    .bind(now.as_millis())
    .bind(until.as_millis())
    .bind(at_a_time)
    .bind(left)
    .bind(due);
    tx.read_ids("formalize_webhook_deliveries", update).await
}

/// What leased deliveries send.
async fn contents(tx: &mut Transaction, ids: Vec<Uuid>) -> StoreResult<Vec<LeasedDelivery>> {
    let is_one = tx.dialect().any_uuid("webhook_deliveries.id", "$1");
    let select = sql(format!(
        "SELECT webhook_deliveries.id AS delivery_id, events.position, {}, {} \
         FROM formalize_webhook_deliveries AS webhook_deliveries \
         JOIN formalize_events AS events ON events.position = webhook_deliveries.sequence \
         AND events.id = webhook_deliveries.event_id \
         LEFT JOIN formalize_event_data AS event_data ON event_data.event_id = webhook_deliveries.event_id WHERE {is_one}",
        events::columns_of("events"),
        data::COLUMNS
    ))
    .bind(ids);
    tx.read_all(select, |row| {
        let id = Record::joined("formalize_webhook_deliveries", "delivery_id", row).id()?;
        Ok(LeasedDelivery {
            id: DeliveryId::from_uuid(id),
            event: events::read(row)?,
            frozen: data::read(row)?,
        })
    })
    .await
}

pub(super) async fn progress(
    tx: &mut Transaction,
    id: DeliveryId,
    holder: Uuid,
) -> StoreResult<Option<DeliveryProgress>> {
    let select = sql(
        "SELECT id, num_attempts, tries, refusals, date_next_attempt FROM formalize_webhook_deliveries \
         WHERE id = $1 AND holder = $2 AND state = 'pending'",
    )
    .bind(id.as_uuid())
    .bind(holder);
    tx.read_one(select.brief(), |row| {
        let record = Record::new("formalize_webhook_deliveries", row);
        Ok(DeliveryProgress {
            num_attempts: record.int("num_attempts")?,
            tries: record.int("tries")?,
            refusals: record.int("refusals")?,
            is_asked: record.int("date_next_attempt")? <= ASKED,
        })
    })
    .await
}

pub(super) async fn finish(
    tx: &mut Transaction,
    id: DeliveryId,
    finished: &FinishedAttempt,
) -> StoreResult<()> {
    let (progress, attempt) = (finished.progress, &finished.attempt);
    let done = finished.next.is_none().then_some(finished.now);
    let update = sql(
        "UPDATE formalize_webhook_deliveries SET state = $2, num_attempts = $3, tries = $4, refusals = $5, \
         date_next_attempt = $6, date_done = $7, last_status = $8, last_error = $9, holder = NULL, held_until = NULL \
         WHERE id = $1",
    )
    .bind(id.as_uuid())
    .bind(finished.state.as_str())
    .bind(progress.num_attempts)
    .bind(progress.tries)
    .bind(progress.refusals)
    .bind(finished.next.map(Timestamp::as_millis))
    .bind(done.map(Timestamp::as_millis))
    .bind(attempt.status.map(i64::from))
    .bind(attempt.error.map(AttemptError::as_str));
    written(tx.run(update.brief()).await?, "delivery")?;
    let insert = sql(
        "INSERT INTO formalize_webhook_attempts (delivery_id, number, date, status, error, duration) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id.as_uuid())
    .bind(progress.num_attempts)
    .bind(attempt.date.as_millis())
    .bind(attempt.status.map(i64::from))
    .bind(attempt.error.map(AttemptError::as_str))
    .bind(saturated(attempt.duration.as_millis()));
    tx.run(insert.brief()).await?;
    if progress.num_attempts > KEPT_ATTEMPTS {
        let delete =
            sql("DELETE FROM formalize_webhook_attempts WHERE delivery_id = $1 AND number <= $2")
                .bind(id.as_uuid())
                .bind(progress.num_attempts - KEPT_ATTEMPTS);
        tx.run(delete.brief()).await?;
    }
    Ok(())
}
