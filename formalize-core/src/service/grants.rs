//! Use cases of grants.

use super::keyed::{ResponseKeeper, create_once, keep};
use super::{End, Shared, Viewed};
use crate::authorizer::Authorizer;
use crate::authz::policy::Operation;
use crate::authz::scope::GrantScope;
use crate::error::{Error, Result};
use crate::fields::Field;
use crate::id::{Expected, GrantId};
use crate::listing::Listing;
use crate::model::action::{Action, Actions};
use crate::model::event::EventContent;
use crate::model::event_type::EventType;
use crate::model::grant::{Grant, GrantRecord, InvalidGrant, NamedResource, NewGrant};
use crate::model::resource::{
    Resource, ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef,
};
use crate::model::subject::{Caller, Subject};
use crate::page::{Page, PageRequest};
use crate::store::{Inserted, ReadTx, WriteTx};

/// Grants. Managers of a resource create, see and delete the grants on it; holders see their grants.
pub struct GrantsService<'a>(pub(super) &'a Shared);

impl GrantsService<'_> {
    /// Creates a grant.
    ///
    /// # Errors
    ///
    /// [`InvalidGrant::Holder`] for a public link, which has a single grant from its creation on,
    /// [`InvalidGrant::ActionUndefined`], [`InvalidGrant::DynamicGroupUndefined`], [`Error::ResourceNotFound`],
    /// [`Error::GroupNotFound`], [`Error::Forbidden`], [`InvalidGrant::Resource`] when the record is of another
    /// class or identifier than the request says, [`Error::GrantExists`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let new = NewGrant::new(DynamicGroupId::EVERYBODY, Action::READ, ResourceRef::form(form.id));
    /// formalize.grants().create(&Caller::System, new).await?;
    ///
    /// let bob = Caller::user(UserId::new("bob")?);
    /// formalize.forms().get(&bob, form.id).await?;
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewGrant) -> Result<Viewed<Grant>> {
        self.create_and_keep(caller, new, None).await
    }

    create_once!("a grant", NewGrant, Viewed<Grant>);

    async fn create_and_keep(
        &self,
        caller: &Caller,
        new: NewGrant,
        keeper: Option<&ResponseKeeper<'_, Viewed<Grant>>>,
    ) -> Result<Viewed<Grant>> {
        self.check_request(&new)?;
        let is_keyed = keeper.is_some();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            let grant = self.create_in(tx.as_mut(), caller, new.clone()).await?;
            keep(keeper, tx.as_mut(), &grant).await?;
            Ok(End::commit(tx, grant))
        });
        writing.await
    }

    /// Like [`GrantsService::create`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`GrantsService::create`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let form = ResourceRef::form(form.id);
    /// let mut tx = formalize.store().write().await?;
    /// for user in ["alice", "bob"] {
    ///     let new = NewGrant::new(UserId::new(user)?, Action::READ, form.clone());
    ///     formalize.grants().create_in(tx.as_mut(), &Caller::System, new).await?;
    /// }
    /// tx.commit().await?;
    /// # Ok(()) });
    /// ```
    pub async fn create_in(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        new: NewGrant,
    ) -> Result<Viewed<Grant>> {
        self.check_request(&new)?;
        let now = self.0.now();
        let found = find_resource(tx, &new.resource)
            .await?
            .ok_or(Error::ResourceNotFound)?;
        if let Subject::Group(group) = new.subject {
            let locked = tx.lock_group(group).await?;
            locked.ok_or(Error::GroupNotFound(Some(Field::GroupIdentifier)))?;
        }
        let locked = tx.lock_resource(found.id).await?;
        let resource = locked.ok_or(Error::ResourceNotFound)?;
        let authorizer = self.0.authorizer(caller);
        let on_resource = authorizer.actions_on_resource(tx, &resource).await?;
        authorizer.check(Operation::GrantCreate, &on_resource)?;
        self.check_record(&new, &resource)?;
        let form = resource.object.of_form();
        let id = GrantId::from_uuid(self.0.ids.next_of(form, now));
        let record = GrantRecord {
            id,
            subject: new.subject.clone(),
            action: new.action.clone(),
            resource: resource.id,
            date_created: now,
        };
        let inserted = tx.insert_grant(&record).await? == Inserted::Done;
        ensure!(inserted, Error::GrantExists);
        let grant = Grant {
            id,
            subject: new.subject,
            action: new.action,
            resource,
            date_created: now,
        };
        let what = EventContent::grant(EventType::GrantCreated, &grant);
        let event = self.0.event(now, what);
        self.0.append(tx, event).await?;
        // An additional grant cannot remove the permission to create it.
        Ok(view(&authorizer, grant, &on_resource))
    }

    /// Gets a grant.
    ///
    /// # Errors
    ///
    /// [`Error::GrantNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let new = NewGrant::new(UserId::new("bob")?, Action::READ, ResourceRef::form(form.id));
    /// # let grant = formalize.grants().create(&Caller::System, new).await?.item;
    /// // The holder of a grant may read it.
    /// let bob = Caller::user(UserId::new("bob")?);
    /// let read = formalize.grants().get(&bob, grant.id).await?;
    /// assert_eq!(read.item, grant);
    /// assert!(read.granted_actions.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn get(&self, caller: &Caller, id: GrantId) -> Result<Viewed<Grant>> {
        self.0
            .read(async |mut tx| self.read(tx.as_mut(), caller, id).await)
            .await
    }

    /// [`GrantsService::get`] in a transaction.
    pub(super) async fn read(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        id: GrantId,
    ) -> Result<Viewed<Grant>> {
        let grant = tx.find_grant(id).await?.ok_or(Error::GrantNotFound)?;
        let authorizer = self.0.lister(tx, caller).await?;
        let on_resource = authorizer.actions_on_resource(tx, &grant.resource).await?;
        authorizer.check_grant(Operation::GrantGet, &on_resource, &grant.subject)?;
        Ok(view(&authorizer, grant, &on_resource))
    }

    /// Lists the grants that the caller holds, directly or through groups, and those on resources that the caller
    /// manages.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let new = NewGrant::new(UserId::new("bob")?, Action::READ, ResourceRef::form(form.id));
    /// # let grant = formalize.grants().create(&Caller::System, new).await?.item;
    /// let on_the_form = ResourceFilter::of(ResourceRef::form(form.id));
    /// let page = formalize.grants().list(&Caller::System, &on_the_form, &PageRequest::default()).await?;
    /// assert_eq!(page.items[0].item, grant);
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        filter: &ResourceFilter,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Grant>>> {
        let filters = filter.texts();
        let list = self.0.listing("grants", caller, &filters, request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.lister(tx.as_mut(), caller).await?;
            let scope = authorizer.grant_scope(Operation::GrantList)?;
            select(tx.as_mut(), &authorizer, &list, &scope, filter).await
        });
        reading.await
    }

    /// Lists the grants that a subject holds, such as those of a group: those of them that [`GrantsService::list`] shows.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let group = NewGroup { name: GroupName::new("Committee")? };
    /// let committee = Subject::from(formalize.groups().create(&Caller::System, group).await?.item.id);
    /// let new = NewGrant::new(committee.clone(), Action::READ, ResourceRef::form(form.id));
    /// let grant = formalize.grants().create(&Caller::System, new).await?.item;
    ///
    /// let first = PageRequest::default();
    /// let page = formalize.grants().list_of_holder(&Caller::System, &committee, &first).await?;
    /// assert_eq!(page.items[0].item, grant);
    /// # Ok(()) });
    /// ```
    pub async fn list_of_holder(
        &self,
        caller: &Caller,
        holder: &Subject,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Grant>>> {
        let text = holder.to_string();
        let filters = [Some(text.as_str())];
        let list = self
            .0
            .listing("grants of a holder", caller, &filters, request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.lister(tx.as_mut(), caller).await?;
            let scope = authorizer.grant_scope(Operation::GrantList)?;
            let (scope, any) = (scope.of(holder.clone()), ResourceFilter::default());
            select(tx.as_mut(), &authorizer, &list, &scope, &any).await
        });
        reading.await
    }

    /// Deletes a grant. A public link ends with its grant.
    ///
    /// # Errors
    ///
    /// [`Error::GrantNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::LastManageGrant`],
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let new = NewGrant::new(UserId::new("bob")?, Action::READ, ResourceRef::form(form.id));
    /// # let grant = formalize.grants().create(&Caller::System, new).await?.item;
    /// formalize.grants().delete(&Caller::System, grant.id).await?;
    /// let bob = Caller::user(UserId::new("bob")?);
    /// assert!(matches!(formalize.forms().get(&bob, form.id).await, Err(Error::Forbidden)));
    /// # Ok(()) });
    /// ```
    pub async fn delete(&self, caller: &Caller, id: impl Into<Expected<GrantId>>) -> Result<()> {
        let expected = id.into();
        let id = expected.id();
        let writing = self.0.transact(async |mut tx| {
            let found = tx.find_grant(id).await?.ok_or(Error::GrantNotFound)?;
            // Only one transaction at a time may delete grants on a resource, so that two of them cannot delete the last
            // ones.
            let locked = tx.lock_resource_exclusive(found.resource.id).await?;
            locked.ok_or(Error::GrantNotFound)?;
            let authorizer = self.0.authorizer(caller);
            let on_resource = authorizer
                .actions_on_resource(tx.as_mut(), &found.resource)
                .await?;
            authorizer.check(Operation::GrantDelete, &on_resource)?;
            expected.check(found.revision())?;
            delete_guarded(tx.as_mut(), &found).await?;
            let what = EventContent::grant(EventType::GrantDeleted, &found);
            let event = self.0.event(self.0.now(), what);
            Ok(End::commit(tx, ()).with(event))
        });
        writing.await
    }

    /// Checks that need only the request.
    fn check_request(&self, new: &NewGrant) -> Result<()> {
        match &new.subject {
            Subject::User(user) => {
                let reserved = InvalidGrant::Holder(vec![Field::UserIdentifier]);
                ensure!(!user.is_reserved(), reserved);
            }
            Subject::DynamicGroup(group) => {
                let is_defined = self.0.authority.defines_dynamic_group(group);
                ensure!(is_defined, InvalidGrant::DynamicGroupUndefined);
            }
            Subject::Group(_) => {}
        }
        let named = new
            .resource
            .class
            .as_ref()
            .and_then(|class| ResourceClass::new(class).ok());
        match named.filter(|_| new.resource.record.is_none()) {
            Some(class) if self.0.authority.catalog.find(&class).is_some() => {
                self.check_action(&class, new.resource.identifier.is_some(), &new.action)
            }
            _ => Ok(()),
        }
    }

    /// Checks that also need the record of the resource.
    fn check_record(&self, new: &NewGrant, resource: &Resource) -> Result<()> {
        let actual = &resource.resource;
        let class_differs = new
            .resource
            .class
            .as_ref()
            .is_some_and(|class| class != actual.class.as_str());
        let identifier_differs = new.resource.identifier.as_ref().is_some_and(|identifier| {
            actual.identifier.as_ref().map(ResourceIdentifier::as_str) != Some(identifier)
        });
        let invalid = InvalidGrant::Resource(vec![Field::AuthorizationResourceIdentifier]);
        ensure!(!class_differs && !identifier_differs, invalid);
        self.check_action(&actual.class, actual.identifier.is_some(), &new.action)
    }

    fn check_action(&self, class: &ResourceClass, on_item: bool, action: &Action) -> Result<()> {
        let is_defined = self.0.authority.catalog.defines(class, on_item, action);
        ensure!(is_defined, InvalidGrant::ActionUndefined);
        Ok(())
    }
}

/// Items must always have a manager. Collections are managed through policies, and submission collections by the
/// managers of their form.
fn needs_a_manager(resource: &ResourceRef) -> bool {
    resource.identifier.is_some() && resource.class != ResourceClass::SUBMISSION_COLLECTION
}

/// Deletes a grant whose resource is locked exclusively, unless it is the last one to manage its item.
///
/// # Errors
///
/// [`Error::LastManageGrant`], [`Error::GrantNotFound`], [`Error::Store`].
pub(super) async fn delete_guarded(tx: &mut dyn WriteTx, grant: &Grant) -> Result<()> {
    let resource = &grant.resource;
    let is_guarded = grant.action == Action::MANAGE && needs_a_manager(&resource.resource);
    let may_go = !is_guarded || tx.has_other_manage_grant(resource.id, grant.id).await?;
    ensure!(may_go, Error::LastManageGrant);
    ensure!(tx.delete_grant(grant.id).await?, Error::GrantNotFound);
    Ok(())
}

async fn find_resource(tx: &mut dyn ReadTx, named: &NamedResource) -> Result<Option<Resource>> {
    if let Some(record) = named.record {
        return Ok(tx.find_resource(record).await?);
    }
    let class = named
        .class
        .as_ref()
        .and_then(|class| ResourceClass::new(class).ok());
    let identifier = named
        .identifier
        .as_ref()
        .map(ResourceIdentifier::new)
        .transpose();
    match (class, identifier) {
        (Some(class), Ok(identifier)) => Ok(tx
            .find_resource_of(&ResourceRef { class, identifier })
            .await?),
        _ => Ok(None),
    }
}

/// A page of the grants in a scope that match a filter.
async fn select(
    tx: &mut dyn ReadTx,
    authorizer: &Authorizer<'_>,
    list: &Listing<'_>,
    scope: &GrantScope,
    filter: &ResourceFilter,
) -> Result<Page<Viewed<Grant>>> {
    let grants = tx.grants(scope, filter, list.window).await?;
    let page = list.page(grants, |grant| grant.id.as_uuid());
    let viewed = authorizer.view_all_resources(tx, page, |grant| &grant.resource);
    let page = viewed.await?;
    Ok(page.map(|(grant, on_resource)| view(authorizer, grant, &on_resource)))
}

/// A grant with the only action that exists on it.
fn view(authorizer: &Authorizer<'_>, grant: Grant, on_resource: &Actions) -> Viewed<Grant> {
    let can_delete = authorizer.allows(Operation::GrantDelete, on_resource);
    Viewed::new(
        grant,
        can_delete.then_some(Action::DELETE).into_iter().collect(),
    )
}
