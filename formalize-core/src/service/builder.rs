//! Configuration and creation of the service.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::events::EventWriting;
use super::files::{FileLimits, FileStorage};
use super::keyed::KeyedRequests;
use super::known_tokens::KnownTokens;
use super::maintenance::MaintenanceCounts;
use super::secrets::Secret;
use super::submissions::BatchItemCounts;
use super::tokens;
use super::transact::{End, Transactions};
use super::validators::Validators;
use super::webhooks::{WebhookOptions, WebhookState};
use super::{Formalize, Shared, random_bytes};
use crate::authorizer::turns::Turns;
use crate::authz::Policies;
use crate::authz::authority::Authority;
use crate::authz::condition::Condition;
use crate::authz::policy::Policy;
use crate::error::Result;
use crate::file_store::FileStore;
use crate::id::{ResourceId, UuidV7Source};
use crate::listing::{CursorKey, from_hex};
use crate::model::action::ActionCatalog;
use crate::model::resource::{Object, Resource, ResourceRef};
use crate::model::subject::{DynamicGroupId, UserId};
use crate::model::target::AllowedTargets;
use crate::model::webhook::SecretKeys;
use crate::offload::Line;
use crate::store::{CURSOR_KEY, Inserted, Part, Store, StoreError, WriteTx};
use crate::time::{Clock, SystemClock};

/// The number of summaries that may be made at the same time.
const SUMMARIES: usize = 2;
/// The number of summaries that a user may wait for, beside the one that is being made.
const WAITING_SUMMARIES: usize = 7;

/// The setting with the administrator of the first start.
const FIRST_ADMINISTRATOR: &str = "first_administrator";

/// How long events are kept unless the program says otherwise.
const EVENT_RETENTION: Duration = Duration::from_hours(7 * 24);

/// Configures and creates a [`Formalize`].
pub struct Builder {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    ids: UuidV7Source,
    catalog: ActionCatalog,
    policies: Policies,
    dynamic_groups: BTreeMap<DynamicGroupId, Condition>,
    token_memory: Duration,
    event_log: bool,
    event_retention: Duration,
    with_first_administrator: bool,
    summary_minimum: u64,
    retry_time: Duration,
    webhooks: WebhookOptions,
    files: FileStorage,
}

impl Builder {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            clock: Arc::new(SystemClock),
            ids: UuidV7Source::new(),
            catalog: ActionCatalog::default(),
            policies: Policies::default(),
            dynamic_groups: BTreeMap::new(),
            token_memory: Duration::ZERO,
            event_log: true,
            event_retention: EVENT_RETENTION,
            with_first_administrator: true,
            summary_minimum: 1,
            retry_time: Duration::from_secs(5),
            webhooks: WebhookOptions::default(),
            files: FileStorage::default(),
        }
    }

    /// Uses this clock instead of the system clock.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let clock = Arc::new(FixedClock::new("2026-11-21T08:00:00Z".parse()?));
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).clock(clock.clone()).build().await?;
    /// let new = NewGroup { name: GroupName::new("Editors")? };
    /// let group = formalize.groups().create(&Caller::System, new).await?.item;
    /// assert_eq!(group.date_created, clock.now());
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Defines the classes and actions. The catalogue always includes those of the service itself.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let document = ResourceClass::new("Document")?;
    /// let catalog = ActionCatalog::default().with_class(document.clone(), ClassActions::default())?;
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).catalog(catalog).build().await?;
    /// assert_eq!(formalize.actions().get("Document")?.class, document);
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn catalog(mut self, catalog: ActionCatalog) -> Self {
        self.catalog = catalog;
        self
    }

    /// Sets the policies.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let policies = Policies {
    ///     create_forms: Some(Condition::compile(r#"user.id == "grace""#)?),
    ///     ..Policies::default()
    /// };
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).policies(policies).build().await?;
    ///
    /// let new = |name| FormName::new(name).map(NewForm::new);
    /// let (grace, bob) = (Caller::user(UserId::new("grace")?), Caller::user(UserId::new("bob")?));
    /// formalize.forms().create(&grace, new("Call for talks")?).await?;
    /// assert!(matches!(formalize.forms().create(&bob, new("Talks")?).await, Err(Error::Forbidden)));
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn policies(mut self, policies: Policies) -> Self {
        self.policies = policies;
        self
    }

    /// Defines dynamic groups in addition to [`DynamicGroupId::EVERYBODY`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let staff = DynamicGroupId::new("staff")?;
    /// let condition = Condition::compile(r#""staff" in user.attributes.roles"#)?;
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
    ///     .dynamic_groups([(staff.clone(), condition)].into())
    ///     .build()
    ///     .await?;
    /// assert_eq!(formalize.actions().get_dynamic_group("staff")?, staff);
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn dynamic_groups(mut self, groups: BTreeMap<DynamicGroupId, Condition>) -> Self {
        self.dynamic_groups = groups;
        self
    }

    /// Caches an authenticated API token or session for this long. One that is revoked through this service or a clone of
    /// it is rejected immediately. One that another process revokes is rejected after this time, or earlier if
    /// [`Formalize::follow_revocations`] is running. The default is zero, which disables the cache.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
    ///     .token_memory(std::time::Duration::from_millis(250))
    ///     .build()
    ///     .await?;
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn token_memory(mut self, memory: Duration) -> Self {
        self.token_memory = memory;
        self
    }

    /// Sets whether changes are written to the [event log](Formalize::events). The default is `true`. All services on a store
    /// must have the same value, because a log without some of the changes misleads its readers.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).event_log(false).build().await?;
    /// let new = NewGroup { name: GroupName::new("Editors")? };
    /// formalize.groups().create(&Caller::System, new).await?;
    /// assert_eq!(formalize.events().extent().await?.last, 0);
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn event_log(mut self, written: bool) -> Self {
        self.event_log = written;
        self
    }

    /// Sets how long [`Formalize::maintain`] keeps events. The default is seven days.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let month = std::time::Duration::from_hours(30 * 24);
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).event_retention(month).build().await?;
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn event_retention(mut self, retention: Duration) -> Self {
        self.event_retention = retention;
        self
    }

    /// Sets whether the user of the [first start](Self::first_start) is an administrator and manages everything while no
    /// policy defines administrators. The default is `true`.
    ///
    /// Pass `false` if an identity provider assigns user identifiers. Otherwise, a person to whom it assigns the same
    /// identifier would have these permissions. [`Formalize::ignored_first_administrator`] returns the ignored user.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let store = Arc::new(MemoryStore::new());
    /// let admin = UserId::new("admin")?;
    /// Formalize::builder(store.clone()).first_start(&admin).await?;
    /// let formalize = Formalize::builder(store).first_administrator(false).build().await?;
    /// assert_eq!(formalize.ignored_first_administrator(), Some(&admin));
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn first_administrator(mut self, allowed: bool) -> Self {
        self.with_first_administrator = allowed;
        self
    }

    /// Withholds counts from 1 to below this minimum in [summaries](crate::summary), because they could tell who the people
    /// are. The default is 1: none is withheld.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).summary_minimum(5).build().await?;
    /// # let form = create_form(&formalize, "{}").await?.id;
    /// formalize.submissions().create(&Caller::System, NewSubmission::new(form, "{}")).await?;
    /// let all = SubmissionFilter::default();
    /// let summary = formalize.submissions().summary(&Caller::System, form, &all, None).await?;
    /// assert_eq!(summary.by_day[0].count.to_string(), "< 5");
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn summary_minimum(mut self, minimum: u64) -> Self {
        self.summary_minimum = minimum;
        self
    }

    /// For how long a transaction is repeated because the store lost its connection, if nothing was committed, or if the
    /// request has an idempotency key. The default is 5 seconds, enough for a planned change of the primary server of
    /// PostgreSQL. Zero disables it. Conflicts with other transactions are repeated twice, whatever this is.
    #[must_use]
    pub fn retry_time(mut self, time: Duration) -> Self {
        self.retry_time = time;
        self
    }

    /// Allows webhooks to send to these targets besides the public internet. The default is none.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let intranet = AllowedTargets::new(vec!["10.20.0.0/16".parse()?]);
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
    ///     .webhook_allowed_targets(intranet)
    ///     .build()
    ///     .await?;
    /// assert!(formalize.webhooks().parse_url("https://10.20.1.1/hook").is_ok());
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn webhook_allowed_targets(mut self, targets: AllowedTargets) -> Self {
        self.webhooks.allowed_targets = targets;
        self
    }

    /// Encrypts the secrets of webhooks with these keys. The default is none: secrets are stored in readable form.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// # let random = [7; 32];
    /// let keys = SecretKeys::new([random]);
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).webhook_secret_keys(keys).build().await?;
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn webhook_secret_keys(mut self, keys: SecretKeys) -> Self {
        self.webhooks.keys = keys;
        self
    }

    /// Sets how long [`Formalize::maintain`] keeps attempts and successful deliveries of webhooks. The default is seven days.
    #[must_use]
    pub fn webhook_log_retention(mut self, retention: Duration) -> Self {
        self.webhooks.log_retention = retention;
        self
    }

    /// Sets after how long without a successful attempt a webhook is disabled. The default is five days. It must be at least
    /// a day shorter than [`event_retention`](Self::event_retention), so that events are sent or given up before they are
    /// deleted.
    #[must_use]
    pub fn webhook_disable_after(mut self, period: Duration) -> Self {
        self.webhooks.disable_after = period;
        self
    }

    /// Sets the time that a receiver has for its response, including connecting. The default is 15 seconds.
    #[must_use]
    pub fn webhook_timeout(mut self, timeout: Duration) -> Self {
        self.webhooks.timeout = timeout;
        self
    }

    /// Sets how many requests of webhooks this process sends at a time. The default is 32. A quarter of them may be for webhooks
    /// whose last attempt failed, or of which none has succeeded; see [`WebhooksService::claim`](super::WebhooksService::claim).
    #[must_use]
    pub fn webhook_requests(mut self, requests: usize) -> Self {
        self.webhooks.requests = requests;
        self
    }

    /// Sets the store for the contents of files. Without one, files can be neither uploaded nor read.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// use formalize_core::file_store::memory::MemoryFileStore;
    ///
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
    ///     .file_store(Arc::new(MemoryFileStore::default()))
    ///     .file_limits(FileLimits { creator_quota: None, ..FileLimits::default() })
    ///     .build()
    ///     .await?;
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn file_store(mut self, store: Arc<dyn FileStore>) -> Self {
        self.files.store = Some(store);
        self
    }

    /// Says that the service takes files, for a program that works on its database without the contents of files. Authors
    /// of forms are not warned then that there are none.
    #[must_use]
    pub fn files_elsewhere(mut self, are_elsewhere: bool) -> Self {
        self.files.is_elsewhere = are_elsewhere;
        self
    }

    /// Sets how much may be uploaded.
    #[must_use]
    pub fn file_limits(mut self, limits: FileLimits) -> Self {
        self.files.limits = limits;
        self
    }

    /// If the store has never been used by the service, issues an API token for `user` and returns its secret. The user
    /// is an administrator and [manages everything](crate::authorization::Policies::manage_everything) until a policy
    /// defines administrators, unless [`first_administrator`](Self::first_administrator) is `false`. If the store has been
    /// used, does nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store) when the store fails.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let builder = Formalize::builder(Arc::new(MemoryStore::new()));
    /// let admin = UserId::new("admin")?;
    /// let secret = builder.first_start(&admin).await?;
    /// assert!(secret.is_some());
    /// assert!(builder.first_start(&admin).await?.is_none());
    /// let formalize = builder.build().await?;
    /// # Ok(()) });
    /// ```
    pub async fn first_start(&self, user: &UserId) -> Result<Option<Secret>> {
        let now = self.clock.now();
        let transactions = self.transactions();
        let starting = transactions.transact(false, async |mut tx| {
            if tx.find_setting(CURSOR_KEY).await?.is_some() {
                return Ok(End::roll_back(None));
            }
            let (token, secret) = tokens::issue(&self.ids, now, user)?;
            tx.write_tokens()?
                .insert_token(&token, &secret.hash())
                .await?;
            let made = tx
                .insert_setting(FIRST_ADMINISTRATOR, user.as_str())
                .await?;
            if made == Inserted::Exists {
                return Ok(End::roll_back(None));
            }
            self.prepare(tx.as_mut()).await?;
            Ok(End::commit(tx, Some(secret)))
        });
        Ok(starting.await?.0)
    }

    /// Creates the service. On a new store this writes the collection resource of every class in the catalogue and a
    /// key for cursors.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store) when the store fails.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # Ok(()) });
    /// ```
    pub async fn build(self) -> Result<Formalize> {
        let transactions = self.transactions();
        if !self.is_prepared().await? {
            // Two services may prepare the store at the same time.
            let preparing = transactions.transact(true, async |mut tx| {
                self.prepare(tx.as_mut()).await?;
                Ok(End::commit(tx, ()))
            });
            preparing.await?;
        }
        let mut tx = self.store.read().await?;
        let key = tx
            .find_setting(CURSOR_KEY)
            .await?
            .as_deref()
            .and_then(from_hex)
            .and_then(|key| key.try_into().ok());
        let key = key
            .ok_or_else(|| StoreError::Failed(format!("the row `{CURSOR_KEY}` of table settings is invalid; restore the database from a backup")))?;
        let first = tx.find_setting(FIRST_ADMINISTRATOR).await?;
        let keeps_events = tx.has(Part::Events);
        drop(tx);
        // With a policy for administrators the user of the first start has no special permission.
        let first = first
            .filter(|_| self.policies.administrators.is_none())
            .and_then(|user| UserId::new(user).ok());
        let (first_administrator, ignored_first_administrator) = if self.with_first_administrator {
            (first, None)
        } else {
            (None, first)
        };
        Ok(Formalize(Arc::new(Shared {
            transactions,
            clock: self.clock,
            ids: self.ids,
            authority: Authority {
                policy: Policy::default(),
                catalog: self.catalog,
                policies: self.policies,
                dynamic_groups: self.dynamic_groups,
                first_administrator,
            },
            ignored_first_administrator,
            cursors: CursorKey::new(key),
            validators: Validators::default(),
            known_tokens: KnownTokens::new(self.token_memory),
            events: EventWriting::new(self.event_log && keeps_events),
            keys: KeyedRequests::default(),
            batch_items: BatchItemCounts::default(),
            maintenance: MaintenanceCounts::default(),
            event_retention: self.event_retention,
            turns: Turns::default(),
            summaries: Line::of_users(SUMMARIES, WAITING_SUMMARIES),
            summary_minimum: self.summary_minimum,
            webhooks: WebhookState::new(self.webhooks),
            files: self.files,
        })))
    }

    fn transactions(&self) -> Transactions {
        Transactions::new(Arc::clone(&self.store), self.retry_time)
    }

    async fn is_prepared(&self) -> Result<bool> {
        let mut tx = self.store.read().await?;
        for (class, _) in self.catalog.iter() {
            if tx
                .find_resource_of(&ResourceRef::collection(class.clone()))
                .await?
                .is_none()
            {
                return Ok(false);
            }
        }
        Ok(tx.find_setting(CURSOR_KEY).await?.is_some())
    }

    /// Writes the missing records. Several services may do this at the same time.
    async fn prepare(&self, tx: &mut dyn WriteTx) -> Result<()> {
        let now = self.clock.now();
        for (class, _) in self.catalog.iter() {
            let id = ResourceId::from_uuid(self.ids.next(now));
            let resource = ResourceRef::collection(class.clone());
            let collection = Resource {
                id,
                resource,
                object: Object::Other(id),
                date_created: now,
            };
            // It does not matter if the record already exists.
            let _: Inserted = tx.insert_resource(&collection).await?;
        }
        let key = hex::encode(random_bytes::<32>()?);
        let _: Inserted = tx.insert_setting(CURSOR_KEY, &key).await?;
        Ok(())
    }
}
