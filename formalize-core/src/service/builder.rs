//! Configuration and creation of the service.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;

use super::events::EventWriting;
use super::keyed::KeyedRequests;
use super::known_tokens::KnownTokens;
use super::part::{FormsOptions, FormsPart};
use super::secrets::Secret;
use super::steps::MaintenanceCounts;
use super::tokens;
use super::transact::{End, Transactions};
use super::{Formalize, Shared, random_bytes};
use crate::authorizer::turns::Turns;
use crate::authz::Policies;
use crate::authz::authority::Authority;
use crate::authz::condition::Condition;
use crate::authz::policy::Policy;
use crate::error::Result;
use crate::id::{ResourceId, UuidV7Source};
use crate::listing::{CursorKey, from_hex};
use crate::model::action::ActionCatalog;
use crate::model::resource::{Object, Resource, ResourceRef};
use crate::model::subject::{DynamicGroupId, UserId};
use crate::store::{CURSOR_KEY, Inserted, Part, Store, StoreError, WriteTx};
use crate::time::{Clock, SystemClock};

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
    retry_time: Duration,
    pub(super) forms: FormsOptions,
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
            retry_time: Duration::from_secs(5),
            forms: FormsOptions::default(),
        }
    }

    setters! {
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
        clock(clock: Arc<dyn Clock>) => clock;

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
        catalog(catalog: ActionCatalog) => catalog;

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
        policies(policies: Policies) => policies;

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
        dynamic_groups(groups: BTreeMap<DynamicGroupId, Condition>) => dynamic_groups;

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
        token_memory(memory: Duration) => token_memory;

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
        event_log(written: bool) => event_log;

        /// Sets how long [`Formalize::maintain`] keeps events. The default is seven days.
        ///
        /// ```
        /// # use formalize_conformance::example::*; run(async || {
        /// let month = std::time::Duration::from_hours(30 * 24);
        /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).event_retention(month).build().await?;
        /// # Ok(()) });
        /// ```
        event_retention(retention: Duration) => event_retention;

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
        first_administrator(allowed: bool) => with_first_administrator;

        /// For how long a transaction is repeated because the store lost its connection, if nothing was committed, or if the
        /// request has an idempotency key. The default is 5 seconds, enough for a planned change of the primary server of
        /// PostgreSQL. Zero disables it. Conflicts with other transactions are repeated twice, whatever this is.
        retry_time(time: Duration) => retry_time;
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
            let tokens = tx.write_tokens()?;
            tokens.insert_token(&token, &secret.hash()).await?;
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
            let work = writing!(|tx| self.prepare(tx.as_mut()));
            transactions.transact(true, work).await?;
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
            known_tokens: KnownTokens::new(self.token_memory),
            events: EventWriting::new(self.event_log && keeps_events),
            keys: KeyedRequests::default(),
            maintenance: MaintenanceCounts::default(),
            event_retention: self.event_retention,
            turns: Turns::default(),
            forms: FormsPart::new(self.forms),
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
        let key = HEXLOWER.encode(&random_bytes::<32>()?);
        let _: Inserted = tx.insert_setting(CURSOR_KEY, &key).await?;
        Ok(())
    }
}
