//! Use cases of memberships.

use super::keyed::{ResponseKeeper, create_once, keep};
use super::{End, Shared};
use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::fields::{Field, InvalidFields};
use crate::id::{Expected, GroupId, MembershipId};
use crate::model::event::EventContent;
use crate::model::event_type::EventType;
use crate::model::membership::{MAX_GROUPS_OF_USER, Member, Membership, NewMembership};
use crate::model::subject::Caller;
use crate::page::{Page, PageRequest};
use crate::store::{Inserted, ReadTx, WriteTx};

/// Memberships: the direct members of groups.
pub struct MembershipsService<'a>(pub(super) &'a Shared);

impl MembershipsService<'_> {
    /// Adds a member to a group.
    ///
    /// # Errors
    ///
    /// [`Error::GroupNotFound`], [`Error::Forbidden`], [`InvalidFields::Membership`] for a public link and for a child
    /// group that is or contains the group, [`Error::MembershipExists`], [`Error::MembershipLimitReached`],
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// let new = || UserId::new("alice").map(|alice| NewMembership::new(group.id, alice));
    /// formalize.memberships().create(&Caller::System, new()?).await?;
    ///
    /// let again = formalize.memberships().create(&Caller::System, new()?).await;
    /// assert!(matches!(again, Err(Error::MembershipExists)));
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewMembership) -> Result<Membership> {
        self.create_and_keep(caller, new, None).await
    }

    create_once!("a membership", NewMembership, Membership);

    async fn create_and_keep(
        &self,
        caller: &Caller,
        new: NewMembership,
        keeper: Option<&ResponseKeeper<'_, Membership>>,
    ) -> Result<Membership> {
        let child = match &new.member {
            Member::User(user) if user.is_reserved() => {
                return Err(InvalidFields::Membership(vec![Field::UserIdentifier]).into());
            }
            Member::User(_) => None,
            Member::ChildGroup(child) => Some(*child),
        };
        let now = self.0.now();
        let is_keyed = keeper.is_some();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            lock_groups(tx.as_mut(), new.group, child).await?;
            let authorizer = self.0.authorizer(caller);
            let group = Target::Group(new.group);
            authorizer
                .require(tx.as_mut(), Operation::MembershipCreate, &group)
                .await?;
            if let Some(child) = child {
                let child_group = Target::Group(child);
                authorizer
                    .require(
                        tx.as_mut(),
                        Operation::MembershipCreateOfChild,
                        &child_group,
                    )
                    .await?;
                let cycle = InvalidFields::Membership(vec![Field::ChildGroupIdentifier]);
                ensure!(!tx.is_within(new.group, child).await?, cycle);
            }
            let id = MembershipId::from_uuid(self.0.ids.next(now));
            let membership = Membership {
                id,
                group: new.group,
                member: new.member.clone(),
                date_created: now,
            };
            let inserted = tx.insert_membership(&membership).await? == Inserted::Done;
            ensure!(inserted, Error::MembershipExists);
            if let Member::User(user) = &membership.member
                && tx.groups_of(user).await?.len() > MAX_GROUPS_OF_USER
            {
                return Err(Error::MembershipLimitReached);
            }
            keep(keeper, tx.as_mut(), &membership).await?;
            let what = EventContent::member(EventType::MemberAdded, &membership);
            let event = self.0.event(now, what);
            Ok(End::commit(tx, membership).with(event))
        });
        writing.await
    }

    /// Gets a membership.
    ///
    /// # Errors
    ///
    /// [`Error::MembershipNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// # let new = NewMembership::new(group.id, UserId::new("alice")?);
    /// # let membership = formalize.memberships().create(&Caller::System, new).await?;
    /// let read = formalize.memberships().get(&Caller::System, membership.id).await?;
    /// assert_eq!(read.member, Member::User(UserId::new("alice")?));
    /// # Ok(()) });
    /// ```
    pub async fn get(&self, caller: &Caller, id: MembershipId) -> Result<Membership> {
        self.0
            .read(async |mut tx| self.read(tx.as_mut(), caller, id).await)
            .await
    }

    /// [`MembershipsService::get`] in a transaction.
    pub(super) async fn read(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        id: MembershipId,
    ) -> Result<Membership> {
        let found = tx.find_membership(id).await?;
        let membership = found.ok_or(Error::MembershipNotFound)?;
        let authorizer = self.0.authorizer(caller);
        let group = Target::Group(membership.group);
        authorizer
            .require(tx, Operation::MembershipGet, &group)
            .await?;
        Ok(membership)
    }

    /// Lists the direct members of a group.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::GroupNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// # let new = NewMembership::new(group.id, UserId::new("alice")?);
    /// # let membership = formalize.memberships().create(&Caller::System, new).await?;
    /// let first = PageRequest::default();
    /// let page = formalize.memberships().list(&Caller::System, group.id, &first).await?;
    /// assert_eq!(page.items, [membership]);
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        group: GroupId,
        request: &PageRequest,
    ) -> Result<Page<Membership>> {
        let group_text = group.to_string();
        let filters = [Some(group_text.as_str())];
        let list = self.0.listing("memberships", caller, &filters, request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.find_group(tx.as_mut(), group).await?;
            found.ok_or(Error::GroupNotFound(Some(Field::GroupIdentifier)))?;
            authorizer
                .require(
                    tx.as_mut(),
                    Operation::MembershipList,
                    &Target::Group(group),
                )
                .await?;
            let memberships = tx.memberships(group, list.window).await?;
            Ok(list.page(memberships, |membership| membership.id.as_uuid()))
        });
        reading.await
    }

    /// Removes a member from a group.
    ///
    /// # Errors
    ///
    /// [`Error::MembershipNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_group(async |formalize, group| {
    /// # let new = NewMembership::new(group.id, UserId::new("alice")?);
    /// # let membership = formalize.memberships().create(&Caller::System, new).await?;
    /// formalize.memberships().delete(&Caller::System, membership.id).await?;
    /// let gone = formalize.memberships().get(&Caller::System, membership.id).await;
    /// assert!(matches!(gone, Err(Error::MembershipNotFound)));
    /// # Ok(()) });
    /// ```
    pub async fn delete(
        &self,
        caller: &Caller,
        id: impl Into<Expected<MembershipId>>,
    ) -> Result<()> {
        let expected = id.into();
        let id = expected.id();
        let writing = self.0.transact(async |mut tx| {
            let found = tx.find_membership(id).await?;
            let membership = found.ok_or(Error::MembershipNotFound)?;
            let authorizer = self.0.authorizer(caller);
            let group = Target::Group(membership.group);
            authorizer
                .require(tx.as_mut(), Operation::MembershipDelete, &group)
                .await?;
            expected.check(membership.revision())?;
            ensure!(tx.delete_membership(id).await?, Error::MembershipNotFound);
            let removed = EventContent::member(EventType::MemberRemoved, &membership);
            let event = self.0.event(self.0.now(), removed);
            Ok(End::commit(tx, ()).with(event))
        });
        writing.await
    }
}

/// Ensures that the groups of a new membership exist and are not deleted concurrently. Only one transaction at a time
/// may add a member, so that two of them cannot close a cycle or exceed a user's limit together.
async fn lock_groups(tx: &mut dyn WriteTx, group: GroupId, child: Option<GroupId>) -> Result<()> {
    tx.lock_memberships().await?;
    let locked = tx.lock_group(group).await?;
    locked.ok_or(Error::GroupNotFound(Some(Field::GroupIdentifier)))?;
    if let Some(child) = child {
        let locked = tx.lock_group(child).await?;
        locked.ok_or(Error::GroupNotFound(Some(Field::ChildGroupIdentifier)))?;
    }
    Ok(())
}
