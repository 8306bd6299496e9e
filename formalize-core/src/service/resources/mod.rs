//! Use cases of resources, the objects of grants.

mod checks;
mod permissions;

pub use checks::{Permission, PermissionCheck};

use super::{ATTEMPTS, Shared, Viewed, check_user};
use crate::authorizer::Authorizer;
use crate::authz::policy::Operation;
use crate::authz::scope::{Audience, ResourceScope};
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::listing::Listing;
use crate::model::event::EventContent;
use crate::model::event_type::EventType;
use crate::model::resource::{Object, Resource, ResourceFilter, ResourceRef};
use crate::model::subject::{Caller, UserId};
use crate::page::{Page, PageRequest};
use crate::store::{Inserted, ReadTx, WriteTx};

/// Resources of the service and of the embedding application, and checks of permissions on them.
///
/// Methods whose names end in `_in` take part in your own transaction, begun with
/// [`Formalize::store`](crate::Formalize::store).
pub struct ResourcesService<'a>(pub(super) &'a Shared);

impl ResourcesService<'_> {
    /// Registers an item of an application's own class. `manager` gets the grant to manage it.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system; [`Error::ResourceReserved`] for the service's own classes and
    /// for collections; [`Error::ResourceClassNotFound`]; [`Error::UserReserved`]; [`Error::ResourceExists`];
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// let alice = UserId::new("alice")?;
    /// let registered = formalize.resources().register(&Caller::System, handbook.clone(), Some(&alice)).await?;
    /// assert_eq!(registered.resource, handbook);
    ///
    /// // The manager may do everything that is defined for the class.
    /// assert!(formalize.resources().is_granted(&Caller::user(alice), &handbook, &publish).await?);
    /// # Ok(()) });
    /// ```
    pub async fn register(
        &self,
        caller: &Caller,
        resource: ResourceRef,
        manager: Option<&UserId>,
    ) -> Result<Resource> {
        let work = writing!(|tx| self.register_in(tx.as_mut(), caller, resource.clone(), manager));
        self.0.transact(work).await
    }

    /// Like [`ResourcesService::register`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::register`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// let mut tx = formalize.store().write().await?;
    /// formalize.resources().register_in(tx.as_mut(), &Caller::System, handbook.clone(), None).await?;
    /// let grant = NewGrant::new(UserId::new("bob")?, publish.clone(), handbook.clone());
    /// formalize.grants().create_in(tx.as_mut(), &Caller::System, grant).await?;
    /// // Both or neither.
    /// tx.commit().await?;
    /// # Ok(()) });
    /// ```
    pub async fn register_in(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        resource: ResourceRef,
        manager: Option<&UserId>,
    ) -> Result<Resource> {
        self.check_registration(caller, &resource, manager)?;
        let record = self.record(resource);
        let inserted = self.insert(tx, &record, manager).await? == Inserted::Done;
        ensure!(inserted, Error::ResourceExists);
        Ok(record)
    }

    /// Finds an item of an application's own class, or registers it if it is unknown. In the latter case, `manager`
    /// gets the grant to manage it.
    ///
    /// Call this when a program starts. Any number of programs may do so at the same time: one registers the item, and
    /// all get the same record. An existing item keeps its grants.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system; [`Error::ResourceReserved`] for the service's own classes and
    /// for collections; [`Error::ResourceClassNotFound`]; [`Error::UserReserved`]; [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let class = ResourceClass::new("Document")?;
    /// let catalog = ActionCatalog::default().with_class(class.clone(), ClassActions::default())?;
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).catalog(catalog).build().await?;
    ///
    /// let handbook = ResourceRef::item(class, ResourceIdentifier::new("handbook")?);
    /// let first = formalize.resources().ensure(&Caller::System, handbook.clone(), None).await?;
    /// let again = formalize.resources().ensure(&Caller::System, handbook, None).await?;
    /// assert_eq!(first, again);
    /// # Ok(()) });
    /// ```
    pub async fn ensure(
        &self,
        caller: &Caller,
        resource: ResourceRef,
        manager: Option<&UserId>,
    ) -> Result<Resource> {
        self.check_registration(caller, &resource, manager)?;
        // Usually the item exists. A read transaction finds it without waiting for writers.
        let find = reading!(|tx| tx.find_resource_of(&resource));
        if let Some(found) = self.0.read_once(find).await? {
            return Ok(found);
        }
        let work = writing!(|tx| self.ensure_in(tx.as_mut(), caller, resource.clone(), manager));
        self.0.transact(work).await
    }

    /// Like [`ResourcesService::ensure`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::ensure`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, _| {
    /// let mut tx = formalize.store().write().await?;
    /// let ensured = formalize.resources().ensure_in(tx.as_mut(), &Caller::System, handbook.clone(), None).await?;
    /// tx.commit().await?;
    /// assert_eq!(ensured.resource, handbook);
    /// # Ok(()) });
    /// ```
    pub async fn ensure_in(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        resource: ResourceRef,
        manager: Option<&UserId>,
    ) -> Result<Resource> {
        self.check_registration(caller, &resource, manager)?;
        let record = self.record(resource);
        for _ in 0..ATTEMPTS {
            if self.insert(tx, &record, manager).await? == Inserted::Done {
                return Ok(record);
            }
            // Nothing is found only if the item was deregistered between the two statements.
            if let Some(found) = tx.find_resource_of(&record.resource).await? {
                return Ok(found);
            }
        }
        Err(Error::ResourceNotFound)
    }

    async fn insert(
        &self,
        tx: &mut dyn WriteTx,
        record: &Resource,
        manager: Option<&UserId>,
    ) -> Result<Inserted> {
        let inserted = self.0.insert_managed(tx, record, manager).await?;
        if inserted == Inserted::Done {
            let registered = EventContent::resource(EventType::ResourceRegistered, record);
            let event = self.0.event(record.date_created, registered);
            self.0.append(tx, event).await?;
        }
        Ok(inserted)
    }

    fn check_registration(
        &self,
        caller: &Caller,
        resource: &ResourceRef,
        manager: Option<&UserId>,
    ) -> Result<()> {
        self.0.check(caller, Operation::ResourceRegister)?;
        let class = self.0.authority.catalog.find(&resource.class);
        ensure!(class.is_some(), Error::ResourceClassNotFound);
        check_registrable(resource)?;
        manager.map_or(Ok(()), check_user)
    }

    /// The record of an item that is registered now.
    fn record(&self, resource: ResourceRef) -> Resource {
        let now = self.0.now();
        let id = ResourceId::from_uuid(self.0.ids.next(now));
        Resource {
            id,
            resource,
            object: Object::Other(id),
            date_created: now,
        }
    }

    /// Removes an item of an application's own class, with all grants on it.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system; [`Error::ResourceReserved`] for the service's own classes and
    /// for collections; [`Error::ResourceNotFound`]; [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, _| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// formalize.resources().deregister(&Caller::System, &handbook).await?;
    /// let again = formalize.resources().deregister(&Caller::System, &handbook).await;
    /// assert!(matches!(again, Err(Error::ResourceNotFound)));
    /// # Ok(()) });
    /// ```
    pub async fn deregister(&self, caller: &Caller, resource: &ResourceRef) -> Result<()> {
        let work = writing!(|tx| self.deregister_in(tx.as_mut(), caller, resource));
        self.0.transact(work).await
    }

    /// Like [`ResourcesService::deregister`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::deregister`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, _| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let mut tx = formalize.store().write().await?;
    /// formalize.resources().deregister_in(tx.as_mut(), &Caller::System, &handbook).await?;
    /// // Dropping the transaction instead of committing it undoes everything.
    /// drop(tx);
    /// formalize.resources().deregister(&Caller::System, &handbook).await?;
    /// # Ok(()) });
    /// ```
    pub async fn deregister_in(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        resource: &ResourceRef,
    ) -> Result<()> {
        self.0.check(caller, Operation::ResourceDeregister)?;
        check_registrable(resource)?;
        let found = tx.find_resource_of(resource).await?;
        let found = found.ok_or(Error::ResourceNotFound)?;
        let locked = tx.lock_resource_exclusive(found.id).await?;
        locked.ok_or(Error::ResourceNotFound)?;
        let deregistered = EventContent::resource(EventType::ResourceDeregistered, &found);
        let event = self.0.event(self.0.now(), deregistered);
        let audience = Audience::of_resource(&found);
        self.0.tell(tx, event.as_ref(), &audience).await?;
        tx.delete_resource(found.id).await?;
        self.0.append(tx, event).await
    }

    /// Gets a resource by its record.
    ///
    /// # Errors
    ///
    /// [`Error::ResourceNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, _| {
    /// let registered = formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let read = formalize.resources().get(&Caller::System, registered.id).await?;
    /// assert_eq!(read.item.resource, handbook);
    /// # Ok(()) });
    /// ```
    pub async fn get(&self, caller: &Caller, id: ResourceId) -> Result<Viewed<Resource>> {
        self.0
            .read(async |mut tx| self.read(tx.as_mut(), caller, id).await)
            .await
    }

    /// [`ResourcesService::get`] in a transaction.
    pub(super) async fn read(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        id: ResourceId,
    ) -> Result<Viewed<Resource>> {
        let resource = tx.find_resource(id).await?.ok_or(Error::ResourceNotFound)?;
        let authorizer = self.0.authorizer(caller);
        let actions = authorizer.actions_on_resource(tx, &resource).await?;
        authorizer.check(Operation::ResourceGet, &actions)?;
        Ok(Viewed::new(resource, actions))
    }

    /// Lists the resources on which the caller has any effective action, with these actions.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, _| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let documents = ResourceFilter { class: Some(handbook.class.clone()), ..ResourceFilter::default() };
    /// let page = formalize.resources().list(&Caller::System, &documents, &PageRequest::default()).await?;
    /// let found: Vec<_> = page.items.into_iter().map(|shown| shown.item.resource).collect();
    /// assert!(found.contains(&handbook));
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        filter: &ResourceFilter,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Resource>>> {
        self.0
            .read(async |mut tx| self.list_in(tx.as_mut(), caller, filter, request).await)
            .await
    }

    /// Like [`ResourcesService::list`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::list`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, _| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let (everything, first) = (ResourceFilter::default(), PageRequest::default());
    /// let mut tx = formalize.store().read().await?;
    /// let page = formalize.resources().list_in(tx.as_mut(), &Caller::System, &everything, &first).await?;
    /// assert!(page.items.iter().any(|shown| shown.item.resource == handbook));
    /// # Ok(()) });
    /// ```
    pub async fn list_in(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        filter: &ResourceFilter,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Resource>>> {
        let filters = filter.texts();
        let list = self.0.listing("resources", caller, &filters, request)?;
        let authorizer = self.0.lister(tx, caller).await?;
        let scope = authorizer.resource_scope(Operation::ResourceList)?;
        select(tx, &authorizer, &list, &scope, filter).await
    }
}

fn check_registrable(resource: &ResourceRef) -> Result<()> {
    let is_registrable = !resource.class.is_built_in() && resource.identifier.is_some();
    ensure!(is_registrable, Error::ResourceReserved);
    Ok(())
}

/// A page of the resources in a scope that match a filter, each with the caller's actions on it.
async fn select(
    tx: &mut dyn ReadTx,
    authorizer: &Authorizer<'_>,
    list: &Listing<'_>,
    scope: &ResourceScope,
    filter: &ResourceFilter,
) -> Result<Page<Viewed<Resource>>> {
    let resources = tx.resources(scope, filter, list.window).await?;
    let page = list.page(resources, |resource| resource.id.as_uuid());
    let viewed = authorizer.view_all_resources(tx, page, |resource| resource);
    viewed.await.map(Viewed::page)
}
