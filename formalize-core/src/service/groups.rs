//! Use cases of groups.

use super::keyed::{ResponseKeeper, create_once, keep};
use super::{End, Shared, Viewed};
use crate::authorizer::Authorizer;
use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::authz::scope::Audience;
use crate::error::{Error, Result};
use crate::id::{Expected, GroupId, InvalidId};
use crate::model::action::Actions;
use crate::model::deletion::Deletion;
use crate::model::event::EventContent;
use crate::model::event_type::EventType;
use crate::model::group::{Group, GroupChange, GroupFilter, NewGroup};
use crate::model::resource::{Object, ResourceClass, ResourceRef};
use crate::model::subject::Caller;
use crate::model::text::fold_case;
use crate::page::{Page, PageRequest};
use crate::store::{ReadTx, WriteTx};
use crate::time::Timestamp;

/// Groups. Policies and grants decide who may create them; creators manage their groups.
pub struct GroupsService<'a>(pub(super) &'a Shared);

impl GroupsService<'_> {
    /// Whether the caller may create groups.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// assert!(formalize.groups().may_create(&Caller::System).await?);
    /// let alice = Caller::user(UserId::new("alice")?);
    /// assert!(!formalize.groups().may_create(&alice).await?);
    /// # Ok(()) });
    /// ```
    pub async fn may_create(&self, caller: &Caller) -> Result<bool> {
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            authorizer
                .may_on_collection(tx.as_mut(), Operation::GroupCreate)
                .await
        });
        reading.await
    }

    /// Creates a group, which its creator then manages.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let new = NewGroup { name: GroupName::new("Editors")? };
    /// let created = formalize.groups().create(&Caller::System, new).await?;
    /// assert_eq!(created.item.name.as_str(), "Editors");
    /// assert!(created.granted_actions.allows(&Action::ADD_MEMBERS));
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewGroup) -> Result<Viewed<Group>> {
        self.create_and_keep(caller, new, None).await
    }

    create_once!("a group", NewGroup, Viewed<Group>);

    async fn create_and_keep(
        &self,
        caller: &Caller,
        new: NewGroup,
        keeper: Option<&ResponseKeeper<'_, Viewed<Group>>>,
    ) -> Result<Viewed<Group>> {
        let now = self.0.now();
        let is_keyed = keeper.is_some();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require_on_collection(tx.as_mut(), Operation::GroupCreate)
                .await?;
            let id = GroupId::from_uuid(self.0.ids.next(now));
            let group = self.insert(tx.as_mut(), caller, id, &new, now).await?;
            authorizer.made(id, ResourceClass::GROUP);
            let actions = authorizer
                .actions_on(tx.as_mut(), &Target::Group(id))
                .await?;
            let view = Viewed::new(group, actions);
            keep(keeper, tx.as_mut(), &view).await?;
            let what = EventContent::group(EventType::GroupCreated, id);
            let event = self.0.event(now, what);
            Ok(End::commit(tx, view).with(event))
        });
        writing.await
    }

    /// Finds the group with this identifier, or creates it if it is unknown.
    ///
    /// Call this when a program starts, for groups that it depends on. Make the identifier a constant of the program:
    /// generate a UUID of version 7 once. Names are not suitable, because they can change and need not be unique. Any
    /// number of programs may call this at the same time; one of them creates the group. An existing group keeps its
    /// name.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::InvalidValue`] for the nil UUID, [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let editors: GroupId = "019ab3f2-5c80-7d3e-8a51-6f0f3d9c2b47".parse()?;
    /// let new = || GroupName::new("Editors").map(|name| NewGroup { name });
    ///
    /// let first = formalize.groups().ensure(&Caller::System, editors, new()?).await?;
    /// let again = formalize.groups().ensure(&Caller::System, editors, new()?).await?;
    /// assert_eq!(first, again);
    /// # Ok(()) });
    /// ```
    pub async fn ensure(
        &self,
        caller: &Caller,
        id: GroupId,
        new: NewGroup,
    ) -> Result<Viewed<Group>> {
        // Only the system may do this. Anyone else could choose an identifier that another program relies on, and would
        // manage the group of that program.
        self.0.check(caller, Operation::ResourceRegister)?;
        ensure!(!id.as_uuid().is_nil(), InvalidId);
        let find = reading!(|tx| tx.find_group(id));
        let group = match self.0.read_once(find).await? {
            Some(group) => group,
            None => self.find_or_insert(caller, id, new).await?,
        };
        Ok(Viewed::new(group, Actions::manage()))
    }

    async fn find_or_insert(&self, caller: &Caller, id: GroupId, new: NewGroup) -> Result<Group> {
        let now = self.0.now();
        let writing = self.0.transact(async |mut tx| {
            // One transaction at a time, so that another one cannot create the group after it was not found.
            tx.lock_memberships().await?;
            if let Some(group) = tx.find_group(id).await? {
                return Ok(End::roll_back(group));
            }
            let group = self.insert(tx.as_mut(), caller, id, &new, now).await?;
            let what = EventContent::group(EventType::GroupCreated, id);
            let event = self.0.event(now, what);
            Ok(End::commit(tx, group).with(event))
        });
        writing.await
    }

    /// Inserts a group, its resource, and the grant of its manager.
    async fn insert(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        id: GroupId,
        new: &NewGroup,
        now: Timestamp,
    ) -> Result<Group> {
        let group = Group {
            id,
            name: new.name.clone(),
            date_created: now,
            revision: self.0.revision(now),
        };
        tx.insert_group(&group).await?;
        let resource = self
            .0
            .resource(ResourceRef::group(id), Object::Group(id), now);
        let _ = self.0.insert_managed(tx, &resource, caller.owner()).await?;
        Ok(group)
    }

    /// Gets a group.
    ///
    /// # Errors
    ///
    /// [`Error::GroupNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// let bob = Caller::user(UserId::new("bob")?);
    /// assert!(matches!(formalize.groups().get(&bob, group.id).await, Err(Error::Forbidden)));
    ///
    /// let grant = NewGrant::new(UserId::new("bob")?, Action::READ, ResourceRef::group(group.id));
    /// formalize.grants().create(&Caller::System, grant).await?;
    /// let read = formalize.groups().get(&bob, group.id).await?;
    /// assert_eq!(read.item, group);
    /// assert_eq!(read.granted_actions.iter().collect::<Vec<_>>(), [&Action::READ]);
    /// # Ok(()) });
    /// ```
    pub async fn get(&self, caller: &Caller, id: GroupId) -> Result<Viewed<Group>> {
        self.0
            .read_once(async |mut tx| self.read(tx.as_mut(), caller, id).await)
            .await
    }

    /// [`GroupsService::get`] in a transaction.
    pub(super) async fn read(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        id: GroupId,
    ) -> Result<Viewed<Group>> {
        let authorizer = self.0.authorizer(caller);
        let found = authorizer.find_group(tx, id).await?;
        let group = found.ok_or(Error::GroupNotFound(None))?;
        let actions = authorizer
            .require(tx, Operation::GroupGet, &Target::Group(id))
            .await?;
        Ok(Viewed::new(group, actions))
    }

    /// Lists the groups that the caller may read.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// let filter = GroupFilter { search: Some("edit".to_owned()) };
    /// let page = formalize.groups().list(&Caller::System, &filter, &PageRequest::default()).await?;
    /// assert_eq!(page.items[0].item, group);
    /// assert_eq!(page.next, None);
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        filter: &GroupFilter,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Group>>> {
        let search = filter.search.as_deref().filter(|search| !search.is_empty());
        let filters = [search];
        let list = self.0.listing("groups", caller, &filters, request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.lister(tx.as_mut(), caller).await?;
            let scope = authorizer.item_scope(Operation::GroupList)?;
            let search = search.map(fold_case);
            let groups = tx.groups(&scope, search.as_deref(), list.window).await?;
            let page = list.page(groups, |group| group.id.as_uuid());
            let viewed = authorizer.view_all(tx.as_mut(), page, |group| Target::Group(group.id));
            viewed.await.map(Viewed::page)
        });
        reading.await
    }

    /// Lists the groups that the caller is in, directly or through other groups. Everybody may know their own. Dynamic
    /// groups are listed by [`ActionsService::dynamic_groups_of`](super::ActionsService::dynamic_groups_of).
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// let alice = UserId::new("alice")?;
    /// let new = NewMembership::new(group.id, alice.clone());
    /// formalize.memberships().create(&Caller::System, new).await?;
    /// let page = formalize.groups().of_caller(&Caller::user(alice), &PageRequest::default()).await?;
    /// assert_eq!(page.items, [group.id]);
    /// # Ok(()) });
    /// ```
    pub async fn of_caller(&self, caller: &Caller, request: &PageRequest) -> Result<Page<GroupId>> {
        let list = self
            .0
            .listing("groups of the caller", caller, &[], request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.lister(tx.as_mut(), caller).await?;
            let mut groups: Vec<GroupId> = authorizer.groups().collect();
            groups.sort_unstable();
            let id = |group: &GroupId| group.as_uuid();
            let groups = list.window.part_of(groups.into_iter(), id);
            Ok(list.page(groups, id))
        });
        reading.await
    }

    /// Changes a group. Returns `None` if the caller may change it but not read it.
    ///
    /// # Errors
    ///
    /// [`Error::GroupNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// let change = GroupChange { name: Some(GroupName::new("Authors")?) };
    /// let changed = formalize.groups().update(&Caller::System, group.id, change).await?;
    /// assert_eq!(changed.map(|shown| shown.item.name), Some(GroupName::new("Authors")?));
    /// # Ok(()) });
    /// ```
    pub async fn update(
        &self,
        caller: &Caller,
        id: impl Into<Expected<GroupId>>,
        change: GroupChange,
    ) -> Result<Option<Viewed<Group>>> {
        let expected = id.into();
        let id = expected.id();
        let now = self.0.now();
        let writing = self.0.transact(async |mut tx| {
            let locked = tx.lock_group_exclusive(id).await?;
            let group = locked.ok_or(Error::GroupNotFound(None))?;
            let authorizer = self.0.authorizer(caller);
            let actions = authorizer
                .require(tx.as_mut(), Operation::GroupUpdate, &Target::Group(id))
                .await?;
            expected.check(group.revision)?;
            let name = change.name.clone().unwrap_or(group.name);
            let group = Group {
                name,
                revision: self.0.revision(now),
                ..group
            };
            tx.update_group(&group).await?;
            let what = EventContent::group(EventType::GroupUpdated, id);
            let event = self.0.event(now, what);
            Ok(End::commit(tx, shown(&authorizer, group, actions)).with(event))
        });
        writing.await
    }

    /// Deletes a group with its memberships, the grants that it holds, and the grants on it.
    ///
    /// # Errors
    ///
    /// [`Error::GroupNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// // Only in the revision that was read.
    /// formalize.groups().delete(&Caller::System, group.id.at(group.revision)).await?;
    /// let gone = formalize.groups().get(&Caller::System, group.id).await;
    /// assert!(matches!(gone, Err(Error::GroupNotFound(None))));
    /// # Ok(()) });
    /// ```
    pub async fn delete(&self, caller: &Caller, id: impl Into<Expected<GroupId>>) -> Result<()> {
        let expected = id.into();
        let id = expected.id();
        let writing = self.0.transact(async |mut tx| {
            // Deletions of two groups that have grants on or contain each other delete the same rows in different orders,
            // which could deadlock.
            tx.lock_memberships().await?;
            let locked = tx.lock_group_exclusive(id).await?;
            let group = locked.ok_or(Error::GroupNotFound(None))?;
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require(tx.as_mut(), Operation::GroupDelete, &Target::Group(id))
                .await?;
            expected.check(group.revision)?;
            let what = EventContent::group(EventType::GroupDeleted, id);
            let event = self.0.event(self.0.now(), what);
            let audience = Audience::of_group(id);
            self.0.tell(tx.as_mut(), event.as_ref(), &audience).await?;
            tx.delete_group(id).await?;
            Ok(End::commit(tx, ()).with(event))
        });
        writing.await
    }

    /// Counts what [`delete`](Self::delete) would delete at this moment, and deletes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`delete`](Self::delete).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let new = NewGroup { name: GroupName::new("Editors")? };
    /// let group = formalize.groups().create(&Caller::System, new).await?.item;
    /// let deletion = formalize.groups().check_delete(&Caller::System, group.id).await?;
    /// assert_eq!((deletion.groups, deletion.resources, deletion.members), (1, 1, 0));
    /// # Ok(()) });
    /// ```
    pub async fn check_delete(
        &self,
        caller: &Caller,
        id: impl Into<Expected<GroupId>>,
    ) -> Result<Deletion> {
        let expected = id.into();
        let id = expected.id();
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.find_group(tx.as_mut(), id).await?;
            let group = found.ok_or(Error::GroupNotFound(None))?;
            authorizer
                .require(tx.as_mut(), Operation::GroupDelete, &Target::Group(id))
                .await?;
            expected.check(group.revision)?;
            Ok(tx.deletion_of_group(id).await?)
        });
        reading.await
    }
}

/// Returns the group as the caller sees it, if the caller may read it.
fn shown(authorizer: &Authorizer<'_>, group: Group, actions: Actions) -> Option<Viewed<Group>> {
    let readable = authorizer.allows(Operation::GroupGet, &actions);
    readable.then(|| Viewed::new(group, actions))
}
