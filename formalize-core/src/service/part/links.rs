//! Use cases of public links.

use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{Expected, FormId, GrantId, LinkId};
use crate::model::action::Action;
use crate::model::grant::GrantRecord;
use crate::model::link::{FormLink, FormLinkChange, NewFormLink};
use crate::model::resource::ResourceRef;
use crate::model::subject::{Caller, Subject};
use crate::page::{Page, PageRequest};
use crate::service::secrets::{Secret, hash_behind};
use crate::service::{End, Shared};
use crate::store::{ReadTx, WriteTx};

/// The number of random bytes of a secret. People may have to type it from a poster.
const SECRET_BYTES: usize = 20;

/// Public links to forms. Who manages a form manages its links.
///
/// A link is the holder of one grant, `create_submissions` on its form, and ends when that grant is deleted. Its holder
/// is the user `link:` and the identifier of the link, who is the creator of all submissions through it. Other grants
/// for this user, memberships and tokens are rejected.
pub struct LinksService<'a>(pub(in crate::service) &'a Shared);

impl LinksService<'_> {
    /// Creates a link. This is the only time that its secret is returned.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let new = NewFormLink { cap: Some(LinkCap::new(1)?), ..NewFormLink::to(form.id) };
    /// let (link, secret) = formalize.links().create(&Caller::System, new).await?;
    /// println!("{}", secret.to_url("https://forms.example.org"));
    ///
    /// let submissions = formalize.submissions();
    /// submissions.create(&link.caller(), NewSubmission::new(form.id, "{}")).await?;
    /// let again = submissions.create(&link.caller(), NewSubmission::new(form.id, "{}")).await;
    /// assert!(matches!(again, Err(Error::SubmissionLimitReached)));
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewFormLink) -> Result<(FormLink, Secret)> {
        let secret = Secret::random::<SECRET_BYTES>(Secret::LINK_PREFIX)?;
        let now = self.0.now();
        let writing = self.0.transact(async |mut tx| {
            let form = ResourceRef::form(new.form);
            let found = tx.find_resource_of(&form).await?;
            let found = found.ok_or(Error::FormNotFound)?;
            let resource = tx.lock_resource(found.id).await?;
            let resource = resource.ok_or(Error::FormNotFound)?;
            self.require(tx.as_mut(), caller, Operation::LinkCreate, new.form)
                .await?;
            let id = LinkId::from_uuid(self.0.ids.next_of(Some(new.form), now));
            let link = new
                .clone()
                .make(id, self.0.revision(now), caller.author(), now);
            let grant = GrantRecord {
                id: GrantId::from_uuid(self.0.ids.next_of(Some(link.form), now)),
                subject: Subject::User(id.into()),
                action: Action::CREATE_SUBMISSIONS,
                resource: resource.id,
                date_created: now,
            };
            // No other grant has this holder.
            let _ = tx.insert_grant(&grant).await?;
            let links = tx.write_links()?;
            links.insert_link(&link, grant.id, &secret.hash()).await?;
            Ok(End::commit(tx, link))
        });
        Ok((writing.await?, secret))
    }

    /// Gets a link.
    ///
    /// # Errors
    ///
    /// [`Error::FormLinkNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let (link, _) = formalize.links().create(&Caller::System, NewFormLink::to(form.id)).await?;
    /// formalize.submissions().create(&link.caller(), NewSubmission::new(form.id, "{}")).await?;
    /// let read = formalize.links().get(&Caller::System, link.id).await?;
    /// assert_eq!(read.num_submissions, 1);
    /// # Ok(()) });
    /// ```
    pub async fn get(&self, caller: &Caller, id: LinkId) -> Result<FormLink> {
        let reading = self.0.read(async |mut tx| {
            let found = tx.read_links()?.find_link(id).await?;
            let link = found.ok_or(Error::FormLinkNotFound)?;
            self.require(tx.as_mut(), caller, Operation::LinkGet, link.form)
                .await?;
            Ok(link)
        });
        reading.await
    }

    /// Lists the links of a form.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`], [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let (link, _) = formalize.links().create(&Caller::System, NewFormLink::to(form.id)).await?;
    /// let page = formalize.links().list(&Caller::System, form.id, &PageRequest::default()).await?;
    /// assert_eq!(page.items, [link]);
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        form: FormId,
        request: &PageRequest,
    ) -> Result<Page<FormLink>> {
        let form_text = form.to_string();
        let filters = [Some(form_text.as_str())];
        let list = self.0.listing("links", caller, &filters, request)?;
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require_form(tx.as_mut(), Operation::LinkList, form)
                .await?;
            let links = tx.read_links()?.links(form, list.window).await?;
            Ok(list.page(links, |link| link.id.as_uuid()))
        });
        reading.await
    }

    /// Changes a link. Submissions that are being created meanwhile may still be judged by the link as it was.
    ///
    /// # Errors
    ///
    /// In this order: [`Error::FormLinkNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`]; [`Error::Store`]
    /// at any time.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let (link, _) = formalize.links().create(&Caller::System, NewFormLink::to(form.id)).await?;
    /// let change = FormLinkChange { cap: Change::Set(LinkCap::new(100)?), ..FormLinkChange::default() };
    /// let changed = formalize.links().update(&Caller::System, link.id.at(link.revision), change).await?;
    /// assert_eq!(changed.cap, Some(LinkCap::new(100)?));
    /// # Ok(()) });
    /// ```
    pub async fn update(
        &self,
        caller: &Caller,
        id: impl Into<Expected<LinkId>>,
        change: FormLinkChange,
    ) -> Result<FormLink> {
        let expected = id.into();
        let now = self.0.now();
        let writing = self.0.transact(async |mut tx| {
            let old = lock(tx.as_mut(), expected.id()).await?;
            self.require(tx.as_mut(), caller, Operation::LinkUpdate, old.form)
                .await?;
            expected.check(old.revision)?;
            let link = change.clone().apply(old, self.0.revision(now));
            tx.write_links()?.update_link(&link).await?;
            Ok(End::commit(tx, link))
        });
        writing.await
    }

    /// Deletes a link with its grant. The submissions through it remain.
    ///
    /// # Errors
    ///
    /// [`Error::FormLinkNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let (link, secret) = formalize.links().create(&Caller::System, NewFormLink::to(form.id)).await?;
    /// formalize.links().delete(&Caller::System, link.id).await?;
    /// assert_eq!(formalize.links().authenticate(secret.expose()).await?, None);
    /// # Ok(()) });
    /// ```
    pub async fn delete(&self, caller: &Caller, id: impl Into<Expected<LinkId>>) -> Result<()> {
        let expected = id.into();
        let id = expected.id();
        let writing = self.0.transact(async |mut tx| {
            let found = tx.read_links()?.find_link(id).await?;
            let link = found.ok_or(Error::FormLinkNotFound)?;
            // Locked as for every deletion of a grant, so that two deletions of the same grant do not deadlock.
            let form = ResourceRef::form(link.form);
            let resource = tx.find_resource_of(&form).await?;
            let resource = resource.ok_or(Error::FormLinkNotFound)?;
            tx.lock_resource_exclusive(resource.id).await?;
            let link = lock(tx.as_mut(), id).await?;
            self.require(tx.as_mut(), caller, Operation::LinkDelete, link.form)
                .await?;
            expected.check(link.revision)?;
            tx.write_links()?.delete_link(id).await?;
            Ok(End::commit(tx, ()))
        });
        writing.await
    }

    /// Returns the link that a secret belongs to; `None` if it is unknown, deleted or expired. A link at its cap, or of
    /// a form that is closed, is returned; [`create`](crate::service::SubmissionsService::create) rejects submissions then.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let (_, secret) = formalize.links().create(&Caller::System, NewFormLink::to(form.id)).await?;
    /// if let Some(link) = formalize.links().authenticate(secret.expose()).await? {
    ///     let asked = formalize.forms().questions(&link.caller(), link.form, None, None).await?;
    ///     assert!(asked.root.problems.is_empty());
    /// }
    /// # Ok(()) });
    /// ```
    pub async fn authenticate(&self, secret: &str) -> Result<Option<FormLink>> {
        let Some(secret) = hash_behind(Secret::LINK_PREFIX, secret) else {
            return Ok(None);
        };
        let find = reading!(|tx| tx.read_links()?.find_link_of(&secret));
        let found = self.0.read_once(find).await?;
        let now = self.0.now();
        Ok(found.filter(|link| link.is_valid(now)))
    }

    async fn require(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        operation: Operation,
        form: FormId,
    ) -> Result<()> {
        let authorizer = self.0.authorizer(caller);
        let target = Target::Form(form);
        authorizer.require(tx, operation, &target).await?;
        Ok(())
    }
}

async fn lock(tx: &mut dyn WriteTx, id: LinkId) -> Result<FormLink> {
    let locked = tx.write_links()?.lock_link_exclusive(id).await?;
    locked.ok_or(Error::FormLinkNotFound)
}
