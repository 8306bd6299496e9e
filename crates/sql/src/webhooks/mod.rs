//! Statements about webhooks.

use async_trait::async_trait;
use formalize_core::events::{EventId, EventType};
use formalize_core::internals::SUBSCRIPTION_PREFIX;
use formalize_core::store::scope::ItemScope;
use formalize_core::store::{
    DeliveryProgress, EventPlace, FinishedAttempt, LeaseLimits, LeasedWebhook, NewDelivery,
    PendingDeliveries, ReadWebhooks, Requeued, SealedSecret, StoreResult, WebhookReader,
    WebhookResult, WebhookScope, WebhookSecrets, Window, WriteWebhooks,
};
use formalize_core::webhooks::{
    Attempt, Delivery, DeliveryFilter, DeliveryId, DisabledReason, FrozenSubmission, Webhook,
    WebhookDescription, WebhookEvents, WebhookHealth, WebhookId, WebhookUrl,
};
use formalize_core::{FormId, Revision, StoreError, Submission, Timestamp};
use uuid::Uuid;

use super::driver::{Dialect, Lock, Row, Statement, Transaction, saturated, sql};
use super::forms::held_on_form;
use super::query::{FENCE, Query, Source};
use super::record::{Record, written};

mod data;
mod deliveries;
mod leases;

pub(super) use data::{INSERT as INSERT_DATA, freeze_condition, frozen_event};
pub(super) use deliveries::{delete_of_events, read as read_delivery};

const COLUMNS: &str = "webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, \
     webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, \
     webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes";
const SECRETS: &str = "webhooks.secret, webhooks.previous_secret, webhooks.previous_until";

/// Reads a webhook without its secrets.
pub(super) fn read(row: &Row) -> StoreResult<Webhook> {
    let record = Record::new("formalize_webhooks", row);
    let description = record
        .optional_text("description")?
        .map(WebhookDescription::new);
    let names = record.parsed("event_types", |json| {
        serde_json::from_str::<Vec<String>>(&json)
    })?;
    let event_types: Result<Vec<EventType>, _> = names.iter().map(|name| name.parse()).collect();
    let event_types = record.checked("event_types", event_types)?;
    let disabled = record.optional_text("disabled")?;
    Ok(Webhook {
        id: WebhookId::from_uuid(record.id()?),
        form: record.optional_uuid("form_id")?.map(FormId::from_uuid),
        url: record.parsed("url", |text| WebhookUrl::stored(&text))?,
        description: record.checked("description", description.transpose())?,
        event_types: record.checked("event_types", WebhookEvents::new(event_types))?,
        payload: record.parsed("payload", |text| text.parse())?,
        disabled: record.checked("disabled", disabled.map(|text| text.parse()).transpose())?,
        creator: record.author("creator")?,
        date_created: record.instant("date_created")?,
        date_last_success: record.optional_instant("date_last_success")?,
        date_last_failure: record.optional_instant("date_last_failure")?,
        paused_until: record.optional_instant("date_resumes")?,
        revision: Revision::from_uuid(record.uuid("revision")?),
    })
}

/// Checks that all columns are readable. Only those who have the keys can read encrypted secrets.
pub(super) fn check(row: &Row) -> StoreResult<()> {
    read(row)?;
    read_secrets(row).map(drop)
}

fn read_secrets(row: &Row) -> StoreResult<WebhookSecrets> {
    let record = Record::new("formalize_webhooks", row);
    let previous = record.optional_text("previous_secret")?.map(SealedSecret);
    Ok(WebhookSecrets {
        current: SealedSecret(record.text("secret")?),
        previous: previous.zip(record.optional_instant("previous_until")?),
    })
}

fn read_health(row: &Row) -> StoreResult<WebhookHealth> {
    let record = Record::new("formalize_webhooks", row);
    Ok(WebhookHealth {
        failures: record.int("failures")?,
        failing_since: record.optional_instant("failing_since")?,
        resumes: record.optional_instant("date_resumes")?,
    })
}

fn event_types(webhook: &Webhook) -> StoreResult<String> {
    let names: Vec<&str> = webhook.event_types.iter().map(EventType::as_str).collect();
    serde_json::to_string(&names)
        .map_err(|_| StoreError::Failed("cannot write the types of events as JSON".to_owned()))
}

/// The events at which the data of submissions is kept for a webhook, as a set.
fn frozen_events(webhook: &Webhook) -> i64 {
    let types = [EventType::SubmissionSubmitted, EventType::SubmissionUpdated].into_iter();
    let frozen = types.filter(|event_type| webhook.freezes(*event_type));
    frozen.map(frozen_event).sum()
}

/// Webhooks whose form exists.
const THERE: &str = "webhooks.date_ended IS NULL";

fn find<'a>(id: WebhookId, lock: &str) -> Statement<'a> {
    let select = format!(
        "SELECT {COLUMNS} FROM formalize_webhooks AS webhooks WHERE webhooks.id = $1 AND {THERE}{lock}"
    );
    sql(select).bind(id.as_uuid()).brief()
}

/// The sets of webhooks that a list merges.
fn sources<'a>(
    query: &mut Query<'a>,
    scope: &'a WebhookScope,
    form: Option<FormId>,
) -> Vec<Source> {
    let form = form.map(|form| query.bind(form.as_uuid()));
    let all = |condition: &str| Source::of("webhooks", "webhooks.id", vec![condition.to_owned()]);
    let mut sources = match (&scope.forms, &form) {
        (ItemScope::All, Some(form)) => {
            vec![all(THERE).led_by("webhooks.form_id", form.clone())]
        }
        (ItemScope::All, None) => {
            return vec![if scope.of_all_forms {
                all(THERE)
            } else {
                all(THERE).and("webhooks.form_id IS NOT NULL")
            }];
        }
        (ItemScope::Granted { holdings, .. }, Some(_)) if holdings.is_empty() => Vec::new(),
        (ItemScope::Granted { subjects, holdings }, Some(form)) => {
            let held = held_on_form(query, subjects, holdings);
            let held = format!("EXISTS ({held} AND held.anchor = {form}{FENCE})");
            vec![
                all(THERE)
                    .and(held)
                    .led_by("webhooks.form_id", form.clone()),
            ]
        }
        (ItemScope::Granted { subjects, holdings }, None) => {
            let subjects = query.bind_subjects(subjects);
            let granted = Source::granted_any(query, &subjects, holdings).into_iter();
            let webhooks = granted.map(|source| {
                let joined = source.join("webhooks", "webhooks.form_id = grants.anchor");
                joined.and(THERE).ordered_by("webhooks.id")
            });
            webhooks.collect()
        }
    };
    if scope.of_all_forms && form.is_none() {
        sources.push(all(THERE).and("webhooks.form_id IS NULL"));
    }
    sources
}

#[async_trait]
impl ReadWebhooks for Transaction {
    async fn find_webhook(&mut self, id: WebhookId) -> StoreResult<Option<Webhook>> {
        self.read_one(find(id, ""), read).await
    }

    async fn webhooks(
        &mut self,
        scope: &WebhookScope,
        form: Option<FormId>,
        window: Window,
    ) -> StoreResult<Vec<Webhook>> {
        let mut query = Query::new(self.dialect());
        let sources = sources(&mut query, scope, form);
        let select = query.rows(COLUMNS, "webhooks", &sources, window);
        self.read_list(select, read).await
    }

    async fn count_webhooks(&mut self, form: Option<FormId>) -> StoreResult<u64> {
        let of_form = match form {
            Some(_) => "webhooks.form_id = $1",
            None => "webhooks.form_id IS NULL AND $1 IS NULL",
        };
        let select = sql(format!(
            "SELECT count(*) AS counted FROM formalize_webhooks AS webhooks WHERE {of_form} AND {THERE}"
        ))
        .bind(form.map(FormId::as_uuid));
        let number = self.read_one(select, |row| counted(row, "counted"));
        Ok(number.await?.unwrap_or_default())
    }

    async fn count_deliveries(&mut self, webhook: WebhookId) -> StoreResult<(u64, u64)> {
        let of = |state| {
            format!(
                "(SELECT count(*) FROM formalize_webhook_deliveries AS webhook_deliveries WHERE webhook_id = $1 \
                 AND state = '{state}')"
            )
        };
        let select = sql(format!(
            "SELECT {} AS pending, {} AS dead",
            of("pending"),
            of("dead")
        ))
        .bind(webhook.as_uuid());
        let numbers = self.read_one(select, |row| {
            Ok((counted(row, "pending")?, counted(row, "dead")?))
        });
        Ok(numbers.await?.unwrap_or_default())
    }

    async fn pending_deliveries(&mut self) -> StoreResult<PendingDeliveries> {
        // Deliveries have a next attempt if and only if they are pending.
        let select = sql(
            "SELECT count(*) AS counted, min(date_created) AS oldest FROM formalize_webhook_deliveries \
             WHERE webhook_id > $1 AND date_next_attempt IS NOT NULL",
        )
        .bind(Uuid::nil());
        let pending = self.read_one(select, |row| {
            let record = Record::new("formalize_webhook_deliveries", row);
            Ok(PendingDeliveries {
                number: counted(row, "counted")?,
                oldest: record.optional_instant("oldest")?,
            })
        });
        Ok(pending.await?.unwrap_or_default())
    }

    async fn find_delivery(
        &mut self,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> StoreResult<Option<Delivery>> {
        deliveries::find(self, webhook, id).await
    }

    async fn deliveries(
        &mut self,
        webhook: WebhookId,
        filter: DeliveryFilter,
        window: Window,
    ) -> StoreResult<Vec<Delivery>> {
        deliveries::list(self, webhook, filter, window).await
    }

    async fn attempts(&mut self, delivery: DeliveryId) -> StoreResult<Vec<Attempt>> {
        deliveries::attempts(self, delivery).await
    }

    async fn dead_deliveries(
        &mut self,
        webhook: WebhookId,
        period: (Timestamp, Timestamp),
        limit: u64,
    ) -> StoreResult<Vec<DeliveryId>> {
        deliveries::dead(self, webhook, period, limit).await
    }

    async fn webhook_secrets(
        &mut self,
        after: WebhookId,
        limit: u64,
    ) -> StoreResult<Vec<(WebhookId, WebhookSecrets)>> {
        let select = sql(format!(
            "SELECT webhooks.id, {SECRETS} FROM formalize_webhooks AS webhooks WHERE webhooks.id > $1 \
             ORDER BY webhooks.id LIMIT $2"
        ))
        .bind(after.as_uuid())
        .bind(saturated(limit));
        self.read_all(select, |row| {
            let id = Record::new("formalize_webhooks", row).id()?;
            Ok((WebhookId::from_uuid(id), read_secrets(row)?))
        })
        .await
    }

    async fn has_encrypted_secrets(&mut self) -> StoreResult<bool> {
        let prefix = SealedSecret::ENCRYPTED;
        let select = sql(format!(
            "SELECT 1 FROM formalize_webhooks AS webhooks WHERE webhooks.id > $1 AND substr(secret, 1, {}) = $2 LIMIT 1",
            prefix.len()
        ))
        .bind(Uuid::nil())
        .bind(prefix);
        Ok(self.optional(select).await?.is_some())
    }

    async fn webhook_readers(&mut self) -> StoreResult<Vec<WebhookReader>> {
        let id = self.dialect().uuid_text("webhooks.id");
        let select = sql(format!(
            "SELECT {COLUMNS}, event_subscriptions.epoch, event_subscriptions.position, \
             (SELECT count(*) FROM formalize_webhook_deliveries AS webhook_deliveries \
             WHERE webhook_deliveries.webhook_id = webhooks.id \
             AND webhook_deliveries.state = 'pending') AS pending FROM formalize_webhooks AS webhooks \
             JOIN formalize_event_subscriptions AS event_subscriptions \
             ON event_subscriptions.name = '{SUBSCRIPTION_PREFIX}' || {id} \
             WHERE webhooks.id > $1 AND webhooks.disabled IS NULL"
        ))
        .bind(Uuid::nil());
        self.read_all(select, read_reader).await
    }

    async fn frozen(&mut self, event: EventId) -> StoreResult<Option<FrozenSubmission>> {
        data::find(self, event).await
    }

    async fn unneeded_data(&mut self, limit: u64) -> StoreResult<Vec<EventId>> {
        data::unneeded(self, limit).await
    }
}

/// Reads a webhook with its place in the event log.
fn read_reader(row: &Row) -> StoreResult<WebhookReader> {
    let record = Record::new("formalize_event_subscriptions", row);
    Ok(WebhookReader {
        webhook: read(row)?,
        place: EventPlace {
            epoch: record.int("epoch")?,
            position: record.int("position")?,
        },
        pending: counted(row, "pending")?,
    })
}

#[async_trait]
impl WriteWebhooks for Transaction {
    async fn lock_webhook_exclusive(&mut self, id: WebhookId) -> StoreResult<Option<Webhook>> {
        let lock = self.dialect().lock(Some(Lock::Exclusive));
        self.read_one(find(id, lock), read).await
    }

    async fn insert_webhook(
        &mut self,
        webhook: &Webhook,
        secrets: &WebhookSecrets,
    ) -> StoreResult<()> {
        let insert = sql("INSERT INTO formalize_webhooks \
             (id, form_id, url, description, event_types, payload, disabled, frozen_events, secret, \
              previous_secret, previous_until, creator, revision, date_created, failures) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0)")
        .bind(webhook.id.as_uuid())
        .bind(webhook.form.map(FormId::as_uuid))
        .bind(webhook.url.as_str())
        .bind(webhook.description.as_ref().map(WebhookDescription::as_str))
        .bind(event_types(webhook)?)
        .bind(webhook.payload.as_str())
        .bind(webhook.disabled.map(DisabledReason::as_str))
        .bind(frozen_events(webhook))
        .bind(secrets.current.0.as_str())
        .bind(secrets.previous.as_ref().map(|(secret, _)| secret.0.as_str()))
        .bind(secrets.previous.as_ref().map(|(_, until)| until.as_millis()))
        .bind(webhook.creator.as_str())
        .bind(webhook.revision.as_uuid())
        .bind(webhook.date_created.as_millis());
        self.run(insert.brief()).await?;
        self.inserted("formalize_webhooks", webhook.id.as_uuid());
        Ok(())
    }

    async fn update_webhook(
        &mut self,
        webhook: &Webhook,
        health: WebhookHealth,
    ) -> StoreResult<()> {
        let update = sql(
            "UPDATE formalize_webhooks SET url = $2, description = $3, event_types = $4, payload = $5, disabled = $6, \
             frozen_events = $7, revision = $8, failures = $9, failing_since = $10, date_resumes = $11 WHERE id = $1",
        )
        .bind(webhook.id.as_uuid())
        .bind(webhook.url.as_str())
        .bind(webhook.description.as_ref().map(WebhookDescription::as_str))
        .bind(event_types(webhook)?)
        .bind(webhook.payload.as_str())
        .bind(webhook.disabled.map(DisabledReason::as_str))
        .bind(frozen_events(webhook))
        .bind(webhook.revision.as_uuid())
        .bind(health.failures)
        .bind(health.failing_since.map(Timestamp::as_millis))
        .bind(health.resumes.map(Timestamp::as_millis));
        written(self.run(update.brief()).await?, "webhook")
    }

    async fn set_webhook_secrets(
        &mut self,
        webhook: &Webhook,
        secrets: &WebhookSecrets,
    ) -> StoreResult<()> {
        let update = sql(
            "UPDATE formalize_webhooks SET secret = $2, previous_secret = $3, previous_until = $4, revision = $5 \
             WHERE id = $1",
        )
        .bind(webhook.id.as_uuid())
        .bind(secrets.current.0.as_str())
        .bind(secrets.previous.as_ref().map(|(secret, _)| secret.0.as_str()))
        .bind(secrets.previous.as_ref().map(|(_, until)| until.as_millis()))
        .bind(webhook.revision.as_uuid());
        written(self.run(update.brief()).await?, "webhook")
    }

    async fn reencrypt_webhook(
        &mut self,
        id: WebhookId,
        old: &WebhookSecrets,
        new: &WebhookSecrets,
    ) -> StoreResult<bool> {
        let update = sql(
            "UPDATE formalize_webhooks SET secret = $3, previous_secret = $4 WHERE id = $1 AND secret = $2",
        )
        .bind(id.as_uuid())
        .bind(old.current.0.as_str())
        .bind(new.current.0.as_str())
        .bind(new.previous.as_ref().map(|(secret, _)| secret.0.as_str()));
        Ok(self.run(update.brief()).await? > 0)
    }

    async fn set_webhook_place(
        &mut self,
        id: WebhookId,
        place: Option<EventPlace>,
    ) -> StoreResult<()> {
        let name = Webhook::subscription(id);
        let change = match place {
            None => sql("DELETE FROM formalize_event_subscriptions WHERE name = $1").bind(name),
            Some(place) => sql(
                "INSERT INTO formalize_event_subscriptions (name, epoch, position) VALUES ($1, $2, $3) \
                 ON CONFLICT (name) DO UPDATE SET epoch = $2, position = $3",
            )
            .bind(name)
            .bind(place.epoch)
            .bind(place.position),
        };
        self.run(change.brief()).await.map(drop)
    }

    /// Foreign keys delete the deliveries. The subscription is deleted first: the task that moves it inserts deliveries.
    async fn delete_webhook(&mut self, id: WebhookId) -> StoreResult<()> {
        self.set_webhook_place(id, None).await?;
        let delete = sql("DELETE FROM formalize_webhooks WHERE id = $1").bind(id.as_uuid());
        if self.run(delete).await? > 0 {
            self.deleted("formalize_webhooks", id.as_uuid());
        }
        Ok(())
    }

    async fn end_webhooks(&mut self, form: FormId, now: Timestamp) -> StoreResult<u64> {
        let update = sql(format!(
            "UPDATE formalize_webhooks AS webhooks SET date_ended = $2 WHERE form_id = $1 AND {THERE}"
        ))
        .bind(form.as_uuid())
        .bind(now.as_millis());
        self.run(update.brief()).await
    }

    async fn delete_ended_webhooks(&mut self, before: Timestamp) -> StoreResult<u64> {
        let select = sql("SELECT id FROM formalize_webhooks WHERE date_ended <= $1")
            .bind(before.as_millis());
        let mut deleted = 0;
        for id in self.read_ids("formalize_webhooks", select).await? {
            self.delete_webhook(WebhookId::from_uuid(id)).await?;
            deleted += 1;
        }
        Ok(deleted)
    }

    async fn freeze(
        &mut self,
        event: EventId,
        event_type: EventType,
        submission: &Submission,
    ) -> StoreResult<()> {
        data::freeze(self, (event, event_type), submission).await
    }

    async fn move_webhooks(
        &mut self,
        webhooks: &[WebhookId],
        from: EventPlace,
        to: EventPlace,
    ) -> StoreResult<Vec<WebhookId>> {
        let names: Vec<String> = webhooks
            .iter()
            .copied()
            .map(Webhook::subscription)
            .collect();
        let is_one = self.dialect().any_text("name", "$1");
        let update = sql(format!(
            "UPDATE formalize_event_subscriptions AS event_subscriptions SET epoch = $4, position = $5 \
             WHERE {is_one} AND epoch = $2 AND position = $3 RETURNING name"
        ))
        .bind(names)
        .bind(from.epoch)
        .bind(from.position)
        .bind(to.epoch)
        .bind(to.position);
        let moved = self.read_all(update, |row| {
            Record::joined("formalize_event_subscriptions", "name", row).text("name")
        });
        let id = |name: &String| name.strip_prefix(SUBSCRIPTION_PREFIX)?.parse().ok();
        Ok(moved.await?.iter().filter_map(id).collect())
    }

    async fn insert_deliveries(&mut self, new: &[NewDelivery]) -> StoreResult<u64> {
        deliveries::insert(self, new).await
    }

    async fn requeue_deliveries(
        &mut self,
        webhook: WebhookId,
        which: Requeued<'_>,
        now: Timestamp,
    ) -> StoreResult<u64> {
        deliveries::requeue(self, webhook, which, now).await
    }

    async fn give_up_deliveries(&mut self, webhook: WebhookId, now: Timestamp) -> StoreResult<u64> {
        deliveries::give_up(self, webhook, now).await
    }

    async fn lease_deliveries(
        &mut self,
        holder: Uuid,
        lease: (Timestamp, Timestamp),
        limits: LeaseLimits,
    ) -> StoreResult<Vec<LeasedWebhook>> {
        leases::lease(self, holder, lease, limits).await
    }

    async fn lock_webhook_health(
        &mut self,
        id: WebhookId,
    ) -> StoreResult<Option<(Webhook, WebhookHealth)>> {
        let lock = self.dialect().lock(Some(Lock::Exclusive));
        let select = sql(format!(
            "SELECT {COLUMNS}, failures, failing_since FROM formalize_webhooks AS webhooks WHERE id = $1{lock}"
        ))
        .bind(id.as_uuid());
        self.read_one(select.brief(), |row| Ok((read(row)?, read_health(row)?)))
            .await
    }

    async fn leased_progress(
        &mut self,
        id: DeliveryId,
        holder: Uuid,
    ) -> StoreResult<Option<DeliveryProgress>> {
        leases::progress(self, id, holder).await
    }

    async fn finish_attempt(
        &mut self,
        id: DeliveryId,
        finished: &FinishedAttempt,
    ) -> StoreResult<()> {
        leases::finish(self, id, finished).await
    }

    async fn set_webhook_result(
        &mut self,
        id: WebhookId,
        result: &WebhookResult,
    ) -> StoreResult<()> {
        let date = if result.succeeded {
            "date_last_success"
        } else {
            "date_last_failure"
        };
        let update = sql(format!(
            "UPDATE formalize_webhooks AS webhooks \
             SET {date} = $2, failures = $3, failing_since = $4, date_resumes = $5 WHERE id = $1"
        ))
        .bind(id.as_uuid())
        .bind(result.date.as_millis())
        .bind(result.health.failures)
        .bind(result.health.failing_since.map(Timestamp::as_millis))
        .bind(result.health.resumes.map(Timestamp::as_millis));
        written(self.run(update.brief()).await?, "webhook")
    }

    async fn delete_deliveries(&mut self, before: Timestamp, limit: usize) -> StoreResult<u64> {
        // The outer condition excludes those that another transaction has queued again.
        let delete = sql("DELETE FROM formalize_webhook_deliveries WHERE id IN \
             (SELECT id FROM formalize_webhook_deliveries WHERE state = 'delivered' AND date_done < $1 \
             ORDER BY date_done LIMIT $2) \
             AND state = 'delivered' AND date_done < $1")
        .bind(before.as_millis())
        .bind(saturated(limit));
        self.run(delete).await
    }

    async fn delete_attempts(&mut self, before: Timestamp, limit: usize) -> StoreResult<u64> {
        let delete = sql(
            "DELETE FROM formalize_webhook_attempts WHERE (delivery_id, number) IN \
             (SELECT delivery_id, number FROM formalize_webhook_attempts WHERE date < $1 ORDER BY date LIMIT $2) \
             AND date < $1",
        )
        .bind(before.as_millis())
        .bind(saturated(limit));
        self.run(delete).await
    }

    async fn delete_data(&mut self, events: &[EventId]) -> StoreResult<u64> {
        data::delete(self, events).await
    }
}

fn counted(row: &Row, column: &'static str) -> StoreResult<u64> {
    let counted = Record::joined("formalize_webhooks", column, row).int(column)?;
    Ok(u64::try_from(counted).unwrap_or_default())
}

/// Whether the dialect locks rows, and skips those that others have locked.
fn skip_locked(dialect: Dialect) -> String {
    let lock = dialect.lock(Some(Lock::Exclusive));
    if lock.is_empty() {
        String::new()
    } else {
        format!("{lock} SKIP LOCKED")
    }
}
