//! Use cases: one file per kind of record, one public method per use case, one transaction per method.
//!
//! Every method begins the same way: it opens a transaction, finds its record, and lets the authorizer check the rule
//! of its operation. Only this module uses a store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::authz::Policies;
use crate::authz::authority::Authority;
use crate::authz::authorizer::Authorizer;
use crate::authz::condition::Condition;
use crate::authz::policy::Policy;
use crate::error::{Error, Result};
use crate::id::{GrantId, ResourceId, Revision, UuidV7Source};
use crate::model::action::{Action, ActionCatalog, Actions};
use crate::model::grant::GrantRecord;
use crate::model::resource::{Object, Resource, ResourceRef};
use crate::model::subject::{Caller, DynamicGroupId, Subject, UserId};
use crate::page::{CursorKey, ListContext, Listing, Page, PageRequest, from_hex};
use crate::statistics::Statistics;
use crate::store::{Inserted, ReadTx, Store, StoreError, WriteTx};
use crate::time::{Clock, SystemClock, Timestamp};

mod actions;
mod forms;
mod grants;
mod groups;
mod known_tokens;
mod memberships;
mod resources;
mod sharing;
mod submissions;
#[cfg(test)]
mod tests;
mod tokens;
mod validators;

use known_tokens::KnownTokens;

pub use actions::{ActionsService, ClassActionsView};
pub use forms::{FormView, FormsService};
pub use grants::GrantsService;
pub use groups::GroupsService;
pub use memberships::MembershipsService;
pub use resources::ResourcesService;
pub use sharing::{FormAccess, UnknownFormAccess};
pub use submissions::SubmissionsService;
pub use tokens::{Secret, TokensService};

/// An item with the caller's permissions on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewed<T> {
    /// The item.
    pub item: T,
    /// The caller's effective actions on it.
    pub granted_actions: Actions,
}

impl<T> Viewed<T> {
    fn new(item: T, granted_actions: Actions) -> Self {
        Self {
            item,
            granted_actions,
        }
    }

    fn page(page: Page<(T, Actions)>) -> Page<Self> {
        page.map(|(item, actions)| Self::new(item, actions))
    }
}

/// The whole service on one store: the entry point of the library.
///
/// It is a handle; clones share everything.
///
/// ```
/// # use std::sync::Arc;
/// # use formalize_core::store::memory::MemoryStore;
/// # use formalize_core::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<()> {
/// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
/// let (groups, forms) = (formalize.groups(), formalize.forms());
/// let new = NewGroup { name: GroupName::new("Editors")? };
/// groups.create(&Caller::System, new).await?;
/// let page = forms.list(&Caller::System, FormFilter::default(), &PageRequest::default()).await?;
/// assert!(page.items.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Formalize(Arc<Shared>);

struct Shared {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    ids: UuidV7Source,
    authority: Authority,
    cursors: CursorKey,
    validators: validators::Validators,
    known_tokens: KnownTokens,
}

impl std::fmt::Debug for Formalize {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Formalize")
            .field("authority", &self.0.authority)
            .finish_non_exhaustive()
    }
}

/// The setting with the key of cursors. It is written when a service first uses the store.
const CURSOR_KEY: &str = "cursor_key";
/// The setting with the administrator of the first start.
const FIRST_ADMINISTRATOR: &str = "first_administrator";

/// Configures and creates a [`Formalize`].
pub struct Builder {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    ids: UuidV7Source,
    catalog: ActionCatalog,
    policies: Policies,
    dynamic_groups: BTreeMap<DynamicGroupId, Condition>,
    token_memory: Duration,
}

impl Builder {
    /// Uses this clock instead of the system clock.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let clock = Arc::new(FixedClock::new("2026-11-21T08:00:00Z".parse()?));
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).clock(clock.clone()).build().await?;
    /// let new = NewGroup { name: GroupName::new("Editors")? };
    /// let group = formalize.groups().create(&Caller::System, new).await?.item;
    /// assert_eq!(group.date_created, clock.now());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Defines the classes and actions. The catalogue always includes those of the service itself.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let document = ResourceClass::new("Document")?;
    /// let catalog = ActionCatalog::default().with_class(document.clone(), ClassActions::default())?;
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).catalog(catalog).build().await?;
    /// assert_eq!(formalize.actions().get("Document")?.class, document);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn catalog(mut self, catalog: ActionCatalog) -> Self {
        self.catalog = catalog;
        self
    }

    /// Sets the policies.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let policies = Policies {
    ///     create_forms: Some(Condition::compile(r#"user.id == "grace""#)?),
    ///     ..Policies::default()
    /// };
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).policies(policies).build().await?;
    ///
    /// let new = |name| FormName::new(name).map(|name| NewForm {
    ///     name,
    ///     data_feed_schema: None,
    ///     rules: SubmissionRules::default(),
    /// });
    /// let (grace, bob) = (Caller::user(UserId::new("grace")?), Caller::user(UserId::new("bob")?));
    /// formalize.forms().create(&grace, new("Call for talks")?).await?;
    /// assert!(matches!(formalize.forms().create(&bob, new("Talks")?).await, Err(Error::Forbidden)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn policies(mut self, policies: Policies) -> Self {
        self.policies = policies;
        self
    }

    /// Defines dynamic groups in addition to [`DynamicGroupId::EVERYBODY`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let staff = DynamicGroupId::new("staff")?;
    /// let condition = Condition::compile(r#""staff" in user.attributes.roles"#)?;
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
    ///     .dynamic_groups([(staff.clone(), condition)].into())
    ///     .build()
    ///     .await?;
    /// assert_eq!(formalize.actions().get_dynamic_group("staff")?, staff);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn dynamic_groups(mut self, groups: BTreeMap<DynamicGroupId, Condition>) -> Self {
        self.dynamic_groups = groups;
        self
    }

    /// Caches an authenticated API token for this long. A token that is revoked through this service or a clone of it
    /// is rejected immediately. A token that another process revokes is rejected after this time, or earlier if
    /// [`Formalize::follow_revocations`] is running. The default is zero, which disables the cache.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
    ///     .token_memory(std::time::Duration::from_millis(250))
    ///     .build()
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn token_memory(mut self, memory: Duration) -> Self {
        self.token_memory = memory;
        self
    }

    /// If the store has never been used by the service, issues an API token for `user` and returns its secret. The user
    /// is an administrator until a policy defines administrators. If the store has been used, does nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the store fails.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let builder = Formalize::builder(Arc::new(MemoryStore::new()));
    /// let admin = UserId::new("admin")?;
    /// let secret = builder.first_start(&admin).await?;
    /// assert!(secret.is_some());
    /// assert!(builder.first_start(&admin).await?.is_none());
    /// let formalize = builder.build().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn first_start(&self, user: &UserId) -> Result<Option<Secret>> {
        let now = self.clock.now();
        let mut tx = self.store.write().await?;
        if tx.find_setting(CURSOR_KEY).await?.is_some() {
            return Ok(None);
        }
        let (token, secret) = tokens::issue(&self.ids, now, user)?;
        tx.insert_token(&token, &secret.hash()).await?;
        let made = tx
            .insert_setting(FIRST_ADMINISTRATOR, user.as_str())
            .await?;
        if made == Inserted::Exists {
            return Ok(None);
        }
        self.prepare(tx.as_mut()).await?;
        tx.commit().await?;
        Ok(Some(secret))
    }

    /// Creates the service. On a new store this writes the collection resource of every class in the catalogue and a
    /// key for cursors.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the store fails.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn build(self) -> Result<Formalize> {
        if !self.is_prepared().await? {
            let mut tx = self.store.write().await?;
            self.prepare(tx.as_mut()).await?;
            tx.commit().await?;
        }
        let mut tx = self.store.read().await?;
        let key = tx
            .find_setting(CURSOR_KEY)
            .await?
            .as_deref()
            .and_then(from_hex)
            .and_then(|key| key.try_into().ok());
        let key = key
            .ok_or_else(|| StoreError::Failed(format!("the setting `{CURSOR_KEY}` is damaged")))?;
        let first_administrator = tx.find_setting(FIRST_ADMINISTRATOR).await?;
        drop(tx);
        Ok(Formalize(Arc::new(Shared {
            store: self.store,
            clock: self.clock,
            ids: self.ids,
            authority: Authority {
                policy: Policy::default(),
                catalog: self.catalog,
                policies: self.policies,
                dynamic_groups: self.dynamic_groups,
                first_administrator: first_administrator.and_then(|user| UserId::new(user).ok()),
            },
            cursors: CursorKey::new(key),
            validators: validators::Validators::default(),
            known_tokens: KnownTokens::new(self.token_memory),
        })))
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
        let key = hex::encode(random_bytes()?);
        let _: Inserted = tx.insert_setting(CURSOR_KEY, &key).await?;
        Ok(())
    }
}

impl Formalize {
    /// Begins to configure a service on a store.
    ///
    /// A database must be migrated first.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// let builder = Formalize::builder(Arc::new(MemoryStore::new()));
    /// let formalize = builder.clock(Arc::new(SystemClock)).build().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder(store: Arc<dyn Store>) -> Builder {
        Builder {
            store,
            clock: Arc::new(SystemClock),
            ids: UuidV7Source::new(),
            catalog: ActionCatalog::default(),
            policies: Policies::default(),
            dynamic_groups: BTreeMap::new(),
            token_memory: Duration::ZERO,
        }
    }

    /// Groups.
    pub fn groups(&self) -> GroupsService<'_> {
        GroupsService::new(&self.0)
    }

    /// Memberships in groups.
    pub fn memberships(&self) -> MembershipsService<'_> {
        MembershipsService::new(&self.0)
    }

    /// Resources, and the caller's permissions on them.
    pub fn resources(&self) -> ResourcesService<'_> {
        ResourcesService::new(&self.0)
    }

    /// Grants.
    pub fn grants(&self) -> GrantsService<'_> {
        GrantsService::new(&self.0)
    }

    /// Classes, their actions, and dynamic groups.
    pub fn actions(&self) -> ActionsService<'_> {
        ActionsService::new(&self.0)
    }

    /// Forms.
    pub fn forms(&self) -> FormsService<'_> {
        FormsService::new(&self.0)
    }

    /// Submissions.
    pub fn submissions(&self) -> SubmissionsService<'_> {
        SubmissionsService::new(&self.0)
    }

    /// API tokens.
    pub fn tokens(&self) -> TokensService<'_> {
        TokensService::new(&self.0)
    }

    /// Receives notifications of API tokens that other processes revoke on the same store, so that they are rejected
    /// before [`Builder::token_memory`] has passed. It returns at once if the store cannot send notifications, as with
    /// SQLite. On PostgreSQL it runs until the store fails, so spawn it as a task.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// let revocations = formalize.clone();
    /// tokio::spawn(async move {
    ///     if let Err(error) = revocations.follow_revocations().await {
    ///         eprintln!("lost the notifications of revoked tokens: {error}");
    ///     }
    /// });
    /// # Ok(())
    /// # }
    /// ```
    pub async fn follow_revocations(&self) -> Result<()> {
        let Some(mut revocations) = self.0.store.revocations().await? else {
            return Ok(());
        };
        loop {
            // Tokens may have been revoked before the notifications started.
            self.0.known_tokens.forget_all();
            revocations.next().await?;
        }
    }

    /// The counts of this service, which clones share. A store has its own statistics.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// println!("{:?}", formalize.statistics().validators);
    /// # Ok(())
    /// # }
    /// ```
    pub fn statistics(&self) -> Statistics {
        Statistics {
            validators: self.0.validators.statistics(),
        }
    }

    /// The store, to begin your own transactions. Methods whose names end in `_in` take part in them.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// formalize.store().ping().await?;
    ///
    /// let mut tx = formalize.store().read().await?;
    /// let form = ResourceRef::collection(ResourceClass::FORM);
    /// let actions = formalize.resources().granted_actions_in(tx.as_mut(), &Caller::System, &form).await?;
    /// assert!(actions.allows(&Action::CREATE));
    /// # Ok(())
    /// # }
    /// ```
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }
}

/// The number of attempts at a write that concurrent transactions may undo.
const ATTEMPTS: usize = 3;

/// Deletes, and retries if the store rolled back the deletion because of a deadlock.
///
/// The store chooses the order of cascading deletions, so two of them that delete the same grants can deadlock.
async fn retry_on_deadlock<T, F>(delete: impl Fn() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    for _ in 1..ATTEMPTS {
        match delete().await {
            Err(Error::Store(StoreError::Deadlock(_))) => {}
            ended => return ended,
        }
    }
    delete().await
}

impl Shared {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn revision(&self, now: Timestamp) -> Revision {
        Revision::from_uuid(self.ids.next(now))
    }

    async fn read(&self) -> Result<Box<dyn ReadTx>> {
        Ok(self.store.read().await?)
    }

    async fn read_once(&self) -> Result<Box<dyn ReadTx>> {
        Ok(self.store.read_once().await?)
    }

    async fn write(&self) -> Result<Box<dyn WriteTx>> {
        Ok(self.store.write().await?)
    }

    /// A page of a list to be read by a caller. The filters bind its cursors to this list.
    fn listing<'a>(
        &'a self,
        list: &'static str,
        caller: &'a Caller,
        filters: &'a [Option<&'a str>],
        request: &'a PageRequest,
    ) -> Result<Listing<'a>> {
        let context = ListContext {
            list,
            caller,
            filters,
        };
        self.cursors.listing(context, request)
    }

    /// The permissions of a caller on single items.
    fn authorizer<'a>(&'a self, caller: &'a Caller) -> Authorizer<'a> {
        Authorizer::new(&self.authority, caller)
    }

    /// The permissions of a caller on single items and in lists.
    async fn lister<'a>(
        &'a self,
        tx: &mut dyn ReadTx,
        caller: &'a Caller,
    ) -> Result<Authorizer<'a>> {
        self.authorizer(caller).with_groups(tx).await
    }

    /// Inserts a resource and, if there is a manager, the grant to manage it.
    async fn insert_managed(
        &self,
        tx: &mut dyn WriteTx,
        resource: &Resource,
        manager: Option<&UserId>,
    ) -> Result<Inserted> {
        if tx.insert_resource(resource).await? == Inserted::Exists {
            return Ok(Inserted::Exists);
        }
        let Some(manager) = manager else {
            return Ok(Inserted::Done);
        };
        let grant = GrantRecord {
            id: GrantId::from_uuid(self.ids.next(resource.date_created)),
            subject: Subject::User(manager.clone()),
            action: Action::MANAGE,
            resource: resource.id,
            date_created: resource.date_created,
        };
        Ok(tx.insert_grant(&grant).await?)
    }

    /// A new resource.
    fn resource(&self, resource: ResourceRef, object: Object, now: Timestamp) -> Resource {
        let id = ResourceId::from_uuid(self.ids.next(now));
        Resource {
            id,
            resource,
            object,
            date_created: now,
        }
    }
}

/// Cryptographically secure random bytes.
fn random_bytes() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|cause| Error::Store(StoreError::Failed(format!("no random numbers: {cause}"))))?;
    Ok(bytes)
}
