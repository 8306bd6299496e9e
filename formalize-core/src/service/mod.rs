//! Use cases: one file per kind of record, one public method per use case, one transaction per method.
//!
//! Every method begins the same way: in a transaction, it finds its record, and lets the authorizer check the rule of its
//! operation. Only this module uses a store, and only `transact.rs` begins transactions.
//!
//! This module is the kernel: groups, grants, tokens and the event log. `part/` has forms and what belongs to them.

use std::sync::Arc;
use std::time::Duration;

use crate::authorizer::Authorizer;
use crate::authorizer::turns::{CallerTurn, Turns};
use crate::authz::authority::Authority;
use crate::authz::policy::{Operation, Policy};
use crate::error::{Error, Result};
use crate::id::{GrantId, ResourceId, Revision, UuidV7Source};
use crate::listing::{CursorKey, ListContext, Listing};
use crate::model::action::{Action, Actions};
use crate::model::grant::GrantRecord;
use crate::model::group::Group;
use crate::model::resource::{Object, Resource, ResourceClass, ResourceRef};
use crate::model::subject::{Caller, Subject, UserId};
use crate::model::submission::Submission;
use crate::model::words::{TagAction, TagActions};
use crate::page::{Page, PageRequest};
use crate::statistics::Statistics;
use crate::store::{Inserted, ReadTx, Store, StoreError, WriteTx};
use crate::time::{Clock, Timestamp};

#[macro_use]
mod macros;

mod actions;
mod builder;
mod events;
mod grants;
mod groups;
mod keyed;
mod known_tokens;
mod maintenance;
mod memberships;
#[cfg(feature = "forms")]
mod part;
#[cfg(not(feature = "forms"))]
#[path = "no_part.rs"]
mod part;
mod people;
mod resources;
mod secrets;
mod sessions;
mod steps;
#[cfg(test)]
mod tests;
mod tokens;
mod transact;

use events::EventWriting;
use known_tokens::KnownTokens;
use part::FormsPart;
use transact::{End, Transactions};

pub use actions::{ActionsService, ClassActionsView};
pub use builder::Builder;
pub use events::{EventBatch, EventConsumer, EventPage, EventsService};
pub use grants::GrantsService;
pub use groups::GroupsService;
pub use memberships::MembershipsService;
pub use people::{PeopleService, ReadableLocalData};
pub use resources::{Permission, PermissionCheck, ResourcesService};
pub use secrets::Secret;
pub use sessions::SessionsService;
pub use steps::Maintained;
pub use tokens::TokensService;

#[cfg(feature = "fs")]
pub use part::CopiedFiles;
#[cfg(feature = "forms")]
pub use part::{
    AttemptOutcome, ChangedSubmission, ClaimedDelivery, DeliveryView, EventItem, Explanation,
    Export, FeedEvent, FeedPage, FeedRequest, FeedStart, FileLimits, FileToRead, FilesService,
    FormAccess, FormHead, FormToFillIn, FormToManage, FormView, FormsService, HolderReason,
    ImportTrial, LinksService, NamedForm, PageEntries, Reason, SchemaTrial, SentForm,
    SubmissionTable, SubmissionToFillIn, SubmissionsService, TableCell, TableRow, TestOutcome,
    UnknownFormAccess, Upload, WebhookTransport, WebhooksService,
};

/// An item with the caller's permissions on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewed<T> {
    /// The item.
    pub item: T,
    /// The caller's effective actions on it.
    pub granted_actions: Actions,
    /// Of a submission: what the caller may do with its tags.
    pub tag_actions: TagActions,
}

impl<T> Viewed<T> {
    fn new(item: T, granted_actions: Actions) -> Self {
        Self {
            item,
            granted_actions,
            tag_actions: TagActions::NONE,
        }
    }

    fn page(page: Page<(T, Actions)>) -> Page<Self> {
        page.map(|(item, actions)| Self::new(item, actions))
    }
}

/// A record that is an item of a class, whose view therefore says what the caller may do with it. Grants are not items. Only
/// this library implements this trait.
pub trait ItemOfClass {
    /// The class.
    const CLASS: ResourceClass;
}

impl ItemOfClass for Group {
    const CLASS: ResourceClass = ResourceClass::GROUP;
}

impl ItemOfClass for Submission {
    const CLASS: ResourceClass = ResourceClass::SUBMISSION;
}

impl<T: ItemOfClass> Viewed<T> {
    /// Whether the caller may do this with the item. An operation on something else is not permitted.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewGroup { name: GroupName::new("Editors")? };
    /// let group = formalize.groups().create(&Caller::System, new).await?;
    /// assert!(group.may(Operation::GroupDelete));
    /// assert!(!group.may(Operation::FormDelete));
    /// # Ok(()) });
    /// ```
    pub fn may(&self, operation: Operation) -> bool {
        Policy::default().permits(&T::CLASS, &self.granted_actions, operation)
    }

    /// [`Viewed::may`] as a result, for a program that asks before it begins.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if the caller may not.
    pub fn require(&self, operation: Operation) -> Result<()> {
        self.may(operation).then_some(()).ok_or(Error::Forbidden)
    }
}

impl Viewed<Submission> {
    /// Whether the caller sees the tags of the submission. If not, the item is without them.
    pub fn sees_tags(&self) -> bool {
        self.tag_actions.contains(TagAction::Read)
    }
}

/// The whole service on one store: the entry point of the library.
///
/// It is a handle; clones share everything.
///
/// ```
/// # use formalize_conformance::example::*; with_formalize(async |formalize| {
/// let (groups, forms) = (formalize.groups(), formalize.forms());
/// let new = NewGroup { name: GroupName::new("Editors")? };
/// groups.create(&Caller::System, new).await?;
/// let page = forms.list(&Caller::System, &FormFilter::default(), &PageRequest::default()).await?;
/// assert!(page.items.is_empty());
/// # Ok(()) });
/// ```
#[derive(Clone)]
pub struct Formalize(Arc<Shared>);

/// The state that all services share. Forms and what belongs to them are a part of it.
struct Shared {
    transactions: Transactions,
    clock: Arc<dyn Clock>,
    ids: UuidV7Source,
    authority: Authority,
    ignored_first_administrator: Option<UserId>,
    cursors: CursorKey,
    known_tokens: KnownTokens,
    events: EventWriting,
    keys: keyed::KeyedRequests,
    maintenance: steps::MaintenanceCounts,
    event_retention: Duration,
    turns: Turns,
    forms: FormsPart,
}

impl std::fmt::Debug for Formalize {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Formalize")
            .field("authority", &self.0.authority)
            .finish_non_exhaustive()
    }
}

impl Formalize {
    /// Begins to configure a service on a store.
    ///
    /// A database must be migrated first.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let builder = Formalize::builder(Arc::new(MemoryStore::new()));
    /// let formalize = builder.clock(Arc::new(SystemClock)).build().await?;
    /// # Ok(()) });
    /// ```
    pub fn builder(store: Arc<dyn Store>) -> Builder {
        Builder::new(store)
    }

    /// The user of the first start, if it would be an administrator but for
    /// [`Builder::first_administrator`]. Warn about it when a program starts: that user has lost permissions.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// assert_eq!(formalize.ignored_first_administrator(), None);
    /// # Ok(()) });
    /// ```
    pub fn ignored_first_administrator(&self) -> Option<&UserId> {
        self.0.ignored_first_administrator.as_ref()
    }

    services! {
        /// Groups.
        groups: GroupsService;
        /// Memberships in groups.
        memberships: MembershipsService;
        /// Resources, and the caller's permissions on them.
        resources: ResourcesService;
        /// Grants.
        grants: GrantsService;
        /// Classes, their actions, and dynamic groups.
        actions: ActionsService;
        /// Permissions on a directory of people.
        people: PeopleService;
        /// API tokens.
        tokens: TokensService;
        /// Sessions of people who have signed in to web pages.
        sessions: SessionsService;
        /// The event log.
        events: EventsService;
    }

    /// Receives notifications of API tokens and sessions that other processes revoke on the same store, so that they are
    /// rejected before [`Builder::token_memory`] has passed. It returns at once if the store cannot send notifications, as with
    /// SQLite. On PostgreSQL it runs until the store fails, so spawn it as a task.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let revocations = formalize.clone();
    /// tokio::spawn(async move {
    ///     if let Err(error) = revocations.follow_revocations().await {
    ///         eprintln!("lost the notifications of revoked tokens: {error}");
    ///     }
    /// });
    /// # Ok(()) });
    /// ```
    pub async fn follow_revocations(&self) -> Result<()> {
        let Some(mut revocations) = self.0.transactions.store.revocations().await? else {
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
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// println!("{:?}", formalize.statistics().validators);
    /// # Ok(()) });
    /// ```
    pub fn statistics(&self) -> Statistics {
        let kernel = Statistics {
            events: self.0.events.statistics(),
            retries: self.0.transactions.retries(),
            keys: self.0.keys.statistics(),
            maintenance: self.0.maintenance.statistics(),
            ..Statistics::default()
        };
        self.0.forms.statistics(kernel)
    }

    /// A key that all services on this store share, derived from one that is kept there. Keys for different purposes are
    /// independent of each other.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let key = formalize.derive_key("links in newsletters");
    /// assert_ne!(key, formalize.derive_key("links in invitations"));
    /// # Ok(()) });
    /// ```
    pub fn derive_key(&self, purpose: &str) -> [u8; 32] {
        self.0.cursors.derive(purpose)
    }

    /// Waits while another call of the caller has a turn, and for as long again as that took, if the caller is a member of
    /// more than [`MAX_GROUPS_OF_USER`](crate::authorization::MAX_GROUPS_OF_USER) groups. Each call of such a user takes tens of
    /// milliseconds, and many at once would delay others. Other callers never wait.
    ///
    /// The REST server takes a turn for each request. A program that serves users it does not trust should do the same. A
    /// caller who has a turn must not wait for another one.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let ann = Caller::user(UserId::new("ann")?);
    /// let turn = formalize.turn(&ann).await;
    /// let (all, first) = (GroupFilter::default(), PageRequest::default());
    /// let page = formalize.groups().list(&ann, &all, &first).await?;
    /// drop(turn);
    /// assert!(page.items.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn turn(&self, caller: &Caller) -> CallerTurn {
        let turns = &self.0.turns;
        if let Some(user) = caller.user_id()
            && turns.is_suspected(user)
            && let Ok(mut tx) = self.0.transactions.store.read_once().await
            && let Ok(groups) = tx.groups_of(user).await
        {
            turns.learn(user, groups.len());
        }
        turns.take(caller).await
    }

    /// The store, to begin your own transactions. Methods whose names end in `_in` take part in them.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// formalize.store().ping().await?;
    ///
    /// let mut tx = formalize.store().read().await?;
    /// let form = ResourceRef::collection(ResourceClass::FORM);
    /// let actions = formalize.resources().granted_actions_in(tx.as_mut(), &Caller::System, &form).await?;
    /// assert!(actions.allows(&Action::CREATE));
    /// # Ok(()) });
    /// ```
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.transactions.store
    }
}

/// The number of attempts at a write that concurrent transactions may undo.
const ATTEMPTS: usize = 3;

impl Shared {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn revision(&self, now: Timestamp) -> Revision {
        Revision::from_uuid(self.ids.next(now))
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
        Authorizer::new(&self.authority, &self.turns, caller)
    }

    /// Requires that the caller may perform an operation for which no action on a record is needed.
    fn check(&self, caller: &Caller, operation: Operation) -> Result<()> {
        let authorizer = self.authorizer(caller);
        authorizer.check(operation, &Actions::default())
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
        let form = resource.object.of_form();
        let grant = GrantRecord {
            id: GrantId::from_uuid(self.ids.next_of(form, resource.date_created)),
            subject: Subject::User(manager.clone()),
            action: Action::MANAGE,
            resource: resource.id,
            date_created: resource.date_created,
        };
        Ok(tx.insert_grant(&grant).await?)
    }

    /// A new resource.
    fn resource(&self, resource: ResourceRef, object: Object, now: Timestamp) -> Resource {
        let id = ResourceId::from_uuid(self.ids.next_of(object.of_form(), now));
        Resource {
            id,
            resource,
            object,
            date_created: now,
        }
    }
}

/// A public link is authenticated by its own secret only.
fn check_user(user: &UserId) -> Result<()> {
    ensure!(!user.is_reserved(), Error::UserReserved);
    Ok(())
}

/// Cryptographically secure random bytes.
fn random_bytes<const LENGTH: usize>() -> Result<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|cause| {
        Error::Store(StoreError::Failed(format!(
            "cannot read random numbers from the operating system: {cause}"
        )))
    })?;
    Ok(bytes)
}
