//! Permissions on resources: of one, and which resources there is a permission on.

use super::ResourcesService;
use crate::authorizer::Authorizer;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::SubmissionId;
use crate::model::action::{Action, Actions};
use crate::model::resource::{
    IdentifierFilter, Resource, ResourceClass, ResourceFilter, ResourceRef,
};
use crate::model::subject::Caller;
use crate::page::{Page, PageRequest};
use crate::service::Viewed;
use crate::store::{Part, ReadTx};

impl ResourcesService<'_> {
    /// The caller's effective actions on a resource; none if the resource is unknown.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let grant = NewGrant::new(UserId::new("bob")?, publish.clone(), handbook.clone());
    /// formalize.grants().create(&Caller::System, grant).await?;
    ///
    /// let bob = Caller::user(UserId::new("bob")?);
    /// let actions = formalize.resources().granted_actions(&bob, &handbook).await?;
    /// assert_eq!(actions.iter().collect::<Vec<_>>(), [&publish]);
    /// # Ok(()) });
    /// ```
    pub async fn granted_actions(
        &self,
        caller: &Caller,
        resource: &ResourceRef,
    ) -> Result<Actions> {
        let reading = self.ask(resource, async |mut tx| {
            self.granted_actions_in(tx.as_mut(), caller, resource).await
        });
        reading.await
    }

    /// Like [`ResourcesService::granted_actions`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::granted_actions`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, _| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let mut tx = formalize.store().read().await?;
    /// let alice = Caller::user(UserId::new("alice")?);
    /// let actions = formalize.resources().granted_actions_in(tx.as_mut(), &alice, &handbook).await?;
    /// assert!(actions.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn granted_actions_in(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        resource: &ResourceRef,
    ) -> Result<Actions> {
        let actions = self.find_actions(tx, caller, resource).await?;
        Ok(actions.unwrap_or_default())
    }

    /// Reads for a question about one resource. One query answers it, unless it is about a submission, whose form counts, too.
    async fn ask<T, F>(
        &self,
        resource: &ResourceRef,
        work: impl Fn(Box<dyn ReadTx>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        if resource.class == ResourceClass::SUBMISSION {
            self.0.read(work).await
        } else {
            self.0.read_once(work).await
        }
    }

    /// The caller's effective actions on a resource; `None` if the resource is unknown.
    async fn find_actions(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        resource: &ResourceRef,
    ) -> Result<Option<Actions>> {
        let authorizer = self.0.authorizer(caller);
        match authorizer.find_resource(tx, resource).await? {
            Some(found) => authorizer.actions_on_resource(tx, &found).await.map(Some),
            None => actions_on_submission(&authorizer, tx, resource).await,
        }
    }

    /// Checks that the caller may perform an action on a resource, like the services themselves: a resource that does
    /// not exist is reported before a missing permission.
    ///
    /// # Errors
    ///
    /// [`Error::ResourceNotFound`]; [`Error::Forbidden`] if [`ResourcesService::is_granted`] returns false;
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// # let class = handbook.class.clone();
    /// let handbook = ResourceRef::item(class, ResourceIdentifier::new("handbook")?);
    /// let (alice, bob) = (UserId::new("alice")?, Caller::user(UserId::new("bob")?));
    /// let resources = formalize.resources();
    /// let refused = resources.check(&bob, &handbook, &publish).await;
    /// assert!(matches!(refused, Err(Error::ResourceNotFound)));
    ///
    /// resources.register(&Caller::System, handbook.clone(), Some(&alice)).await?;
    /// let refused = resources.check(&bob, &handbook, &publish).await;
    /// assert!(matches!(refused, Err(Error::Forbidden)));
    /// resources.check(&Caller::user(alice), &handbook, &publish).await?;
    /// # Ok(()) });
    /// ```
    pub async fn check(
        &self,
        caller: &Caller,
        resource: &ResourceRef,
        action: &Action,
    ) -> Result<()> {
        let reading = self.ask(resource, async |mut tx| {
            self.check_in(tx.as_mut(), caller, resource, action).await
        });
        reading.await
    }

    /// Like [`ResourcesService::check`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::check`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let mut tx = formalize.store().write().await?;
    /// formalize.resources().check_in(tx.as_mut(), &Caller::System, &handbook, &publish).await?;
    /// // Write your own records here, then commit.
    /// tx.commit().await?;
    /// # Ok(()) });
    /// ```
    pub async fn check_in(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        resource: &ResourceRef,
        action: &Action,
    ) -> Result<()> {
        let actions = self.find_actions(tx, caller, resource).await?;
        let actions = actions.ok_or(Error::ResourceNotFound)?;
        let catalog = &self.0.authority.catalog;
        let is_defined = catalog.defines(&resource.class, resource.identifier.is_some(), action);
        let granted = is_defined && actions.allows(action);
        granted.then_some(()).ok_or(Error::Forbidden)
    }

    /// Whether the caller may do something with the item of a resource, such as a form; false if it does not exist.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let form = form.id;
    /// let (form, alice) = (ResourceRef::form(form), Caller::user(UserId::new("alice")?));
    /// assert!(!formalize.resources().may(&alice, &form, Operation::FormDelete).await?);
    /// # Ok(()) });
    /// ```
    pub async fn may(
        &self,
        caller: &Caller,
        resource: &ResourceRef,
        operation: Operation,
    ) -> Result<bool> {
        let actions = self.granted_actions(caller, resource).await?;
        let policy = self.0.authority.policy;
        Ok(resource.identifier.is_some() && policy.permits(&resource.class, &actions, operation))
    }

    /// Whether the caller may perform an action on a resource. Actions that are not defined for the resource are denied
    /// to everyone, including its managers. Use [`ResourcesService::check`] to tell a resource that does not exist from a
    /// missing permission.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let alice = Caller::user(UserId::new("alice")?);
    /// assert!(formalize.resources().is_granted(&Caller::System, &handbook, &publish).await?);
    /// assert!(!formalize.resources().is_granted(&alice, &handbook, &publish).await?);
    ///
    /// // `fly` is not an action of the class.
    /// assert!(!formalize.resources().is_granted(&Caller::System, &handbook, &Action::new("fly")?).await?);
    /// # Ok(()) });
    /// ```
    pub async fn is_granted(
        &self,
        caller: &Caller,
        resource: &ResourceRef,
        action: &Action,
    ) -> Result<bool> {
        let reading = self.ask(resource, async |mut tx| {
            self.is_granted_in(tx.as_mut(), caller, resource, action)
                .await
        });
        reading.await
    }

    /// Like [`ResourcesService::is_granted`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::is_granted`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// # formalize.resources().register(&Caller::System, handbook.clone(), None).await?;
    /// let mut tx = formalize.store().read().await?;
    /// let resources = formalize.resources();
    /// assert!(resources.is_granted_in(tx.as_mut(), &Caller::System, &handbook, &publish).await?);
    /// # Ok(()) });
    /// ```
    pub async fn is_granted_in(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        resource: &ResourceRef,
        action: &Action,
    ) -> Result<bool> {
        match self.check_in(tx, caller, resource, action).await {
            Ok(()) => Ok(true),
            Err(Error::ResourceNotFound | Error::Forbidden) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Lists the items of a class on which the caller may perform an action: those that [`ResourcesService::check`]
    /// permits. The list is empty if the action is not defined for items of the class.
    ///
    /// The list does not contain the collection of the class; use `check` for it. Nor does it contain submissions of
    /// creator-based forms, because they are not resources.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// # let class = handbook.class.clone();
    /// let bob = Caller::user(UserId::new("bob")?);
    /// for name in ["handbook", "leaflet"] {
    ///     let document = ResourceRef::item(class.clone(), ResourceIdentifier::new(name)?);
    ///     formalize.resources().register(&Caller::System, document, None).await?;
    /// }
    /// let leaflet = ResourceRef::item(class.clone(), ResourceIdentifier::new("leaflet")?);
    /// let grant = NewGrant::new(UserId::new("bob")?, publish.clone(), leaflet.clone());
    /// formalize.grants().create(&Caller::System, grant).await?;
    ///
    /// let first = PageRequest::default();
    /// let page = formalize.resources().list_by_action(&bob, &class, &publish, &first).await?;
    /// let found: Vec<_> = page.items.into_iter().map(|shown| shown.item.resource).collect();
    /// assert_eq!(found, [leaflet]);
    /// # Ok(()) });
    /// ```
    pub async fn list_by_action(
        &self,
        caller: &Caller,
        class: &ResourceClass,
        action: &Action,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Resource>>> {
        let reading = self.0.read(async |mut tx| {
            self.list_by_action_in(tx.as_mut(), caller, class, action, request)
                .await
        });
        reading.await
    }

    /// Like [`ResourcesService::list_by_action`], but in a transaction of yours.
    ///
    /// # Errors
    ///
    /// Those of [`ResourcesService::list_by_action`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_document(async |formalize, handbook, publish| {
    /// # let class = handbook.class.clone();
    /// let mut tx = formalize.store().read().await?;
    /// let (bob, first) = (Caller::user(UserId::new("bob")?), PageRequest::default());
    /// let page = formalize.resources().list_by_action_in(tx.as_mut(), &bob, &class, &publish, &first).await?;
    /// assert!(page.items.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn list_by_action_in(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        class: &ResourceClass,
        action: &Action,
        request: &PageRequest,
    ) -> Result<Page<Viewed<Resource>>> {
        let texts = [Some(class.as_str()), Some(action.as_str())];
        let list = self
            .0
            .listing("resources by action", caller, &texts, request)?;
        if !self.0.authority.catalog.defines(class, true, action) {
            return Ok(Page::default());
        }
        let authorizer = self.0.lister(tx, caller).await?;
        let scope = authorizer.resources_with(Some(action));
        let filter = ResourceFilter {
            class: Some(class.clone()),
            identifier: IdentifierFilter::Items,
        };
        super::select(tx, &authorizer, &list, &scope, &filter).await
    }
}

/// The submission that a resource would stand for.
pub(super) fn submission_named(resource: &ResourceRef) -> Option<SubmissionId> {
    let named = resource
        .identifier
        .as_ref()
        .filter(|_| resource.class == ResourceClass::SUBMISSION);
    let id = named.and_then(|identifier| identifier.as_str().parse::<SubmissionId>().ok());
    // Identifiers of resources are compared exactly, so another spelling of the UUID does not match.
    id.filter(|id| ResourceRef::submission(*id) == *resource)
}

/// Submissions of creator-based forms are not resources, but there are actions on them.
async fn actions_on_submission(
    authorizer: &Authorizer<'_>,
    tx: &mut dyn ReadTx,
    resource: &ResourceRef,
) -> Result<Option<Actions>> {
    let named = submission_named(resource).filter(|_| tx.has(Part::Submissions));
    let Some(id) = named else {
        return Ok(None);
    };
    let Some((submission, rules)) = authorizer.find_submission(tx, id).await? else {
        return Ok(None);
    };
    let target = authorizer.submission(&submission, &rules);
    authorizer.actions_on(tx, &target).await.map(Some)
}
