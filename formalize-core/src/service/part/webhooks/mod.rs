//! Use cases of webhooks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::fields::{Field, InvalidFields};
use crate::id::{DeliveryId, Expected, FormId, WebhookId};
use crate::model::event::EventFilter;
use crate::model::event_type::EventType;
use crate::model::resource::ResourceRef;
use crate::model::subject::Caller;
use crate::model::target::{AllowedTargets, InvalidWebhookUrl, WebhookUrl};
use crate::model::webhook::envelope::Envelope;
use crate::model::webhook::{
    Attempt, Delivery, DeliveryFilter, DeliveryState, MAX_WEBHOOKS, NewWebhook, SecretKeys,
    Webhook, WebhookChange, WebhookHealth, WebhookSecret, WebhookView,
};
use crate::page::{Page, PageRequest};
use crate::service::events::EventsService;
use crate::service::keyed::{ResponseKeeper, create_once, keep};
use crate::service::{End, Shared, random_bytes};
use crate::statistics::DeliveryStatistics;
use crate::store::{EventPlace, EventWindow, ReadTx, Requeued, WebhookSecrets, WriteTx};
use crate::time::Timestamp;

mod attempts;
mod builder;
mod maintenance;
mod queue;
mod resend;
mod secrets;
mod transport;

pub use attempts::{AttemptOutcome, ClaimedDelivery, TestOutcome};
pub use transport::WebhookTransport;

/// The configuration of webhooks.
#[derive(Debug, Clone)]
pub(super) struct WebhookOptions {
    pub(super) allowed_targets: AllowedTargets,
    pub(super) keys: SecretKeys,
    pub(super) log_retention: Duration,
    pub(super) disable_after: Duration,
    pub(super) timeout: Duration,
    /// How many requests this process sends at a time.
    pub(super) requests: usize,
}

impl Default for WebhookOptions {
    fn default() -> Self {
        Self {
            allowed_targets: AllowedTargets::default(),
            keys: SecretKeys::default(),
            log_retention: Duration::from_hours(7 * 24),
            disable_after: Duration::from_hours(5 * 24),
            timeout: Duration::from_secs(15),
            requests: 32,
        }
    }
}

/// The webhooks of this process.
#[derive(Debug)]
pub(super) struct WebhookState {
    pub(super) options: WebhookOptions,
    /// When webhooks were last tested.
    tested: Mutex<HashMap<WebhookId, Timestamp>>,
    /// What was pending at the last maintenance.
    pending: Mutex<DeliveryStatistics>,
    /// The claimed deliveries of webhooks that failed last or never succeeded. Each has a clone.
    unproven: Arc<()>,
}

impl WebhookState {
    pub(super) fn new(options: WebhookOptions) -> Self {
        Self {
            options,
            tested: Mutex::default(),
            pending: Mutex::default(),
            unproven: Arc::default(),
        }
    }

    /// How many more deliveries of webhooks that failed last or never succeeded may be claimed: a quarter of the requests.
    fn room_for_unproven(&self) -> usize {
        let claimed = Arc::strong_count(&self.unproven).saturating_sub(1);
        self.options.requests.div_ceil(4).saturating_sub(claimed)
    }

    pub(super) fn statistics(&self) -> DeliveryStatistics {
        *self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a test. Returns `false` if there was one less than `pause` before.
    fn may_test(&self, id: WebhookId, now: Timestamp, pause: Duration) -> bool {
        let mut tested = self.tested.lock().unwrap_or_else(PoisonError::into_inner);
        tested.retain(|_, date| date.saturating_add(pause) > now);
        let may_test = !tested.contains_key(&id);
        if may_test {
            tested.insert(id, now);
        }
        may_test
    }
}

/// A delivery with its last attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryView {
    /// The delivery.
    pub item: Delivery,
    /// Its last 20 attempts, in their order.
    pub attempts: Vec<Attempt>,
    /// The body that each attempt sends; `None` if the event was deleted from the log.
    pub body: Option<String>,
}

/// Webhooks. Who manages a form manages its webhooks. Only the system manages those that send the events of all forms.
///
/// A program that delivers calls [`claim`](Self::claim) and [`attempt`](Self::attempt) in a loop, or
/// [`deliver`](Self::deliver), with a [`WebhookTransport`](crate::webhooks::WebhookTransport) that sends requests. Several
/// programs on a store share the work.
pub struct WebhooksService<'a>(pub(in crate::service) &'a Shared);

impl WebhooksService<'_> {
    /// Parses the URL of a webhook, and checks that its host is allowed.
    ///
    /// # Errors
    ///
    /// The requirement that the URL does not meet.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// assert!(formalize.webhooks().parse_url("https://example.org/hook").is_ok());
    /// assert!(formalize.webhooks().parse_url("https://127.0.0.1/hook").is_err());
    /// # Ok(()) });
    /// ```
    pub fn parse_url(&self, text: &str) -> Result<WebhookUrl, InvalidWebhookUrl> {
        WebhookUrl::parse(text, &self.0.forms.webhooks.options.allowed_targets)
    }

    /// Creates a webhook, which sends what happens from now on. This and [`rotate_secret`](Self::rotate_secret) are the only
    /// methods that return a secret.
    ///
    /// # Errors
    ///
    /// In this order: [`InvalidFields::Webhook`], [`Error::FormNotFound`], [`Error::Forbidden`],
    /// [`Error::WebhookLimitReached`], [`Error::WebhookKeyMissing`]; [`Error::Store`] at any time.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let webhooks = formalize.webhooks();
    /// let url = webhooks.parse_url("https://example.org/hook")?;
    /// let (webhook, secret) = webhooks.create(&Caller::System, NewWebhook::of(form.id, url)).await?;
    /// assert!(webhook.is_enabled() && secret.expose().starts_with(WebhookSecret::PREFIX));
    /// # Ok(()) });
    /// ```
    pub async fn create(
        &self,
        caller: &Caller,
        new: NewWebhook,
    ) -> Result<(Webhook, WebhookSecret)> {
        self.create_and_keep(caller, new, None).await
    }

    create_once!("a webhook", NewWebhook, (Webhook, WebhookSecret));

    async fn create_and_keep(
        &self,
        caller: &Caller,
        mut new: NewWebhook,
        keeper: Option<&ResponseKeeper<'_, (Webhook, WebhookSecret)>>,
    ) -> Result<(Webhook, WebhookSecret)> {
        self.check_url(&new.url)?;
        let secret = match new.secret.take() {
            Some(secret) => secret,
            None => WebhookSecret::of_bytes(random_bytes()?),
        };
        let place = self.end_of_log().await?;
        let now = self.0.now();
        let is_keyed = keeper.is_some();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            if let Some(form) = new.form {
                let found = tx.find_resource_of(&ResourceRef::form(form)).await?;
                let found = found.ok_or(Error::FormNotFound)?;
                // Those who create webhooks of the form wait for each other, so that none exceeds the limit.
                let locked = tx.lock_resource_exclusive(found.id).await?;
                locked.ok_or(Error::FormNotFound)?;
            }
            self.require(tx.as_mut(), caller, Operation::WebhookCreate, new.form)
                .await?;
            let id = WebhookId::from_uuid(self.0.ids.next_of(new.form, now));
            let webhook = new
                .clone()
                .make(id, self.0.revision(now), caller.author(), now)?;
            let has_room = tx.read_webhooks()?.count_webhooks(webhook.form).await? < MAX_WEBHOOKS;
            ensure!(has_room, Error::WebhookLimitReached);
            let secrets = WebhookSecrets {
                current: self.seal(tx.as_mut(), id, &secret).await?,
                previous: None,
            };
            let webhooks = tx.write_webhooks()?;
            webhooks.insert_webhook(&webhook, &secrets).await?;
            if webhook.is_enabled() {
                let webhooks = tx.write_webhooks()?;
                webhooks.set_webhook_place(id, Some(place)).await?;
            }
            let created = (webhook, secret.clone());
            keep(keeper, tx.as_mut(), &created).await?;
            Ok(End::commit(tx, created))
        });
        writing.await
    }

    /// Gets a webhook with the numbers of its deliveries.
    ///
    /// # Errors
    ///
    /// [`Error::WebhookNotFound`], [`Error::Forbidden`], [`Error::Store`].
    pub async fn get(&self, caller: &Caller, id: WebhookId) -> Result<WebhookView> {
        self.0
            .read(async |mut tx| self.read(tx.as_mut(), caller, id).await)
            .await
    }

    pub(super) async fn read(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        id: WebhookId,
    ) -> Result<WebhookView> {
        let webhook = self.find(tx, caller, Operation::WebhookGet, id).await?;
        view(tx, webhook, self.0.now()).await
    }

    /// Lists the webhooks of the forms that the caller manages; with `form`, only those of this form.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    pub async fn list(
        &self,
        caller: &Caller,
        form: Option<FormId>,
        request: &PageRequest,
    ) -> Result<Page<Webhook>> {
        let form_text = form.map(|form| form.to_string());
        let filters = [form_text.as_deref()];
        let list = self.0.listing("webhooks", caller, &filters, request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.lister(tx.as_mut(), caller).await?;
            let scope = authorizer.webhook_scope()?;
            let webhooks = tx.read_webhooks()?;
            let webhooks = webhooks.webhooks(&scope, form, list.window).await?;
            let now = self.0.now();
            let webhooks = webhooks.into_iter().map(|webhook| webhook.at(now));
            Ok(list.page(webhooks.collect(), |webhook| webhook.id.as_uuid()))
        });
        reading.await
    }

    /// Changes a webhook.
    ///
    /// # Errors
    ///
    /// In this order: [`InvalidFields::Webhook`] for the URL, [`Error::WebhookNotFound`], [`Error::Forbidden`],
    /// [`Error::RevisionMismatch`], [`InvalidFields::Webhook`]; [`Error::Store`] at any time.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let webhooks = formalize.webhooks();
    /// # let url = webhooks.parse_url("https://example.org/hook")?;
    /// # let (webhook, _) = webhooks.create(&Caller::System, NewWebhook::of_all_forms(url)).await?;
    /// let change = WebhookChange { enabled: Some(false), ..WebhookChange::default() };
    /// let changed = webhooks.update(&Caller::System, webhook.id.at(webhook.revision), change).await?;
    /// assert_eq!(changed.item.disabled, Some(DisabledReason::Owner));
    /// # Ok(()) });
    /// ```
    pub async fn update(
        &self,
        caller: &Caller,
        id: impl Into<Expected<WebhookId>>,
        change: WebhookChange,
    ) -> Result<WebhookView> {
        let expected = id.into();
        if let Some(url) = &change.url {
            self.check_url(url)?;
        }
        let place = self.end_of_log().await?;
        let now = self.0.now();
        let writing = self.0.transact(async |mut tx| {
            let old = self
                .lock(tx.as_mut(), caller, Operation::WebhookUpdate, &expected)
                .await?;
            let (was_enabled, has_new_url) = (old.is_enabled(), change.url.is_some());
            let is_enabling = change.enabled == Some(true) && !was_enabled;
            let webhook = change.clone().apply(old, self.0.revision(now))?;
            let health = match tx.write_webhooks()?.lock_webhook_health(webhook.id).await? {
                Some((_, health)) if !has_new_url && !is_enabling => health,
                // A receiver at another URL is tried at once, with one delivery if the last one was down. Otherwise, webhooks of
                // receivers that never answer could take requests from others by changing their URLs.
                Some((_, health)) if !is_enabling => WebhookHealth {
                    failing_since: None,
                    resumes: None,
                    ..health
                },
                // One that was mended gets everything that is due.
                _ => WebhookHealth::default(),
            };
            let webhooks = tx.write_webhooks()?;
            webhooks.update_webhook(&webhook, health).await?;
            if has_new_url {
                // What waits for its next attempt at the old one need not.
                tx.write_webhooks()?
                    .requeue_deliveries(webhook.id, Requeued::Pending, now)
                    .await?;
            }
            if is_enabling {
                let webhooks = tx.write_webhooks()?;
                webhooks.set_webhook_place(webhook.id, Some(place)).await?;
            }
            if was_enabled && !webhook.is_enabled() {
                stop(tx.as_mut(), webhook.id, now).await?;
            }
            let webhook = Webhook {
                paused_until: health.resumes,
                ..webhook
            };
            let view = view(tx.as_mut(), webhook, now).await?;
            Ok(End::commit(tx, view))
        });
        writing.await
    }

    /// Deletes a webhook with its deliveries.
    ///
    /// # Errors
    ///
    /// [`Error::WebhookNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::Store`].
    pub async fn delete(&self, caller: &Caller, id: impl Into<Expected<WebhookId>>) -> Result<()> {
        let expected = id.into();
        let writing = self.0.transact(async |mut tx| {
            let operation = Operation::WebhookDelete;
            let webhook = self.lock(tx.as_mut(), caller, operation, &expected).await?;
            tx.write_webhooks()?.delete_webhook(webhook.id).await?;
            Ok(End::commit(tx, ()))
        });
        writing.await
    }

    /// Lists the deliveries of a webhook.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::WebhookNotFound`], [`Error::Forbidden`], [`Error::Store`].
    pub async fn deliveries(
        &self,
        caller: &Caller,
        id: WebhookId,
        filter: &DeliveryFilter,
        request: &PageRequest,
    ) -> Result<Page<Delivery>> {
        let id_text = id.to_string();
        let filters = [
            Some(id_text.as_str()),
            filter.state.map(DeliveryState::as_str),
            filter.event_type.map(EventType::as_str),
        ];
        let list = self
            .0
            .listing(list_of(*filter), caller, &filters, request)?;
        let reading = self.0.read(async |mut tx| {
            self.find(tx.as_mut(), caller, Operation::WebhookDeliveries, id)
                .await?;
            let webhooks = tx.read_webhooks()?;
            let deliveries = webhooks.deliveries(id, *filter, list.window).await?;
            Ok(list.page(deliveries, |delivery| delivery.id.as_uuid()))
        });
        reading.await
    }

    /// Gets a delivery of a webhook with its last attempts.
    ///
    /// # Errors
    ///
    /// [`Error::WebhookNotFound`], [`Error::Forbidden`], [`Error::WebhookDeliveryNotFound`], [`Error::Store`].
    pub async fn delivery(
        &self,
        caller: &Caller,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> Result<DeliveryView> {
        let reading = self.0.read(async |mut tx| {
            let webhook = self
                .find(tx.as_mut(), caller, Operation::WebhookDeliveries, webhook)
                .await?;
            let item = tx.read_webhooks()?.find_delivery(webhook.id, id).await?;
            let item = item.ok_or(Error::WebhookDeliveryNotFound)?;
            let attempts = tx.read_webhooks()?.attempts(id).await?;
            let body = body(tx.as_mut(), &webhook, &item).await?;
            Ok(DeliveryView {
                item,
                attempts,
                body,
            })
        });
        reading.await
    }

    /// The end of the log, after everything that was committed before.
    async fn end_of_log(&self) -> Result<EventPlace> {
        let log = EventsService(self.0).extent().await?;
        Ok(EventPlace {
            epoch: log.epoch,
            position: log.last,
        })
    }

    /// A URL may have been parsed with other targets.
    fn check_url(&self, url: &WebhookUrl) -> Result<()> {
        let checked = self.parse_url(url.as_str());
        checked
            .map(drop)
            .map_err(|_| Error::InvalidFields(InvalidFields::Webhook(vec![Field::Url])))
    }

    async fn require(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        operation: Operation,
        form: Option<FormId>,
    ) -> Result<()> {
        match form {
            Some(form) => {
                let (authorizer, target) = (self.0.authorizer(caller), Target::Form(form));
                authorizer.require(tx, operation, &target).await.map(drop)
            }
            None => self.0.check(caller, Operation::WebhookOfAllForms),
        }
    }

    async fn find(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        operation: Operation,
        id: WebhookId,
    ) -> Result<Webhook> {
        let found = tx.read_webhooks()?.find_webhook(id).await?;
        let webhook = found.ok_or(Error::WebhookNotFound)?;
        self.require(tx, caller, operation, webhook.form).await?;
        Ok(webhook)
    }

    async fn lock(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        operation: Operation,
        expected: &Expected<WebhookId>,
    ) -> Result<Webhook> {
        let webhooks = tx.write_webhooks()?;
        let found = webhooks.lock_webhook_exclusive(expected.id()).await?;
        let webhook = found.ok_or(Error::WebhookNotFound)?;
        self.require(tx, caller, operation, webhook.form).await?;
        expected.check(webhook.revision)?;
        Ok(webhook)
    }
}

/// The list that a cursor belongs to, which is another one in the reverse order.
fn list_of(filter: DeliveryFilter) -> &'static str {
    if filter.newest_first {
        "webhook deliveries, newest first"
    } else {
        "webhook deliveries"
    }
}

/// A webhook as it is at this time, with the numbers of its deliveries.
async fn view(tx: &mut dyn ReadTx, webhook: Webhook, now: Timestamp) -> Result<WebhookView> {
    let (num_pending, num_dead) = tx.read_webhooks()?.count_deliveries(webhook.id).await?;
    Ok(WebhookView {
        item: webhook.at(now),
        num_pending,
        num_dead,
    })
}

/// The body of the requests of a delivery, while its event is in the log.
async fn body(
    tx: &mut dyn ReadTx,
    webhook: &Webhook,
    delivery: &Delivery,
) -> Result<Option<String>> {
    let window = EventWindow {
        after: delivery.sequence - 1,
        to: delivery.sequence,
        limit: 1,
    };
    let events = tx.read_events()?;
    let events = events.events(window, &EventFilter::default()).await?;
    let event = events.into_iter().find(|event| event.id == delivery.event);
    let Some(event) = event else {
        return Ok(None);
    };
    let frozen = tx.read_webhooks()?.frozen(event.id).await?;
    let envelope = Envelope {
        event: &event,
        payload: webhook.payload,
        frozen: frozen.as_ref(),
    };
    Ok(Some(envelope.to_body()))
}

/// A disabled webhook reads no events, and gives up what is pending.
/// Returns the number of deliveries that are given up.
async fn stop(tx: &mut dyn WriteTx, id: WebhookId, now: Timestamp) -> Result<u64> {
    // The place first: the task that moves it inserts deliveries.
    tx.write_webhooks()?.set_webhook_place(id, None).await?;
    Ok(tx.write_webhooks()?.give_up_deliveries(id, now).await?)
}
