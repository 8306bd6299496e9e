//! Lists of forms.

use super::forms::seen;
use crate::authz::decision::Target;
use crate::authz::of_forms::FormList;
use crate::error::Result;
use crate::id::FormId;
use crate::listing::Listing;
use crate::model::form::{Form, FormFilter};
use crate::model::form_details::{FormName, FrontendKey, FrontendKeys};
use crate::model::subject::Caller;
use crate::offload::place_to_read;
use crate::page::{Page, PageRequest};
use crate::service::{FormView, FormsService};

/// A form in the list of those that the caller may fill in, who may not be allowed to read more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedForm {
    /// The identifier.
    pub id: FormId,
    /// The name.
    pub name: FormName,
}

impl FormsService<'_> {
    /// Lists the forms that the caller may read.
    ///
    /// # Errors
    ///
    /// [`InvalidCursor`](crate::Error::InvalidCursor), [`PageTooLarge`](crate::Error::PageTooLarge),
    /// [`Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let (everything, first) = (FormFilter::default(), PageRequest::default());
    /// let page = formalize.forms().list(&Caller::System, &everything, &first).await?;
    /// assert_eq!(page.items.into_iter().map(|shown| shown.item).collect::<Vec<_>>(), [form]);
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        filter: &FormFilter,
        request: &PageRequest,
    ) -> Result<Page<FormView>> {
        let keys = &filter.frontend_keys;
        let (any_of, none_of) = (keys.any_of.as_deref().map(joined), joined(&keys.none_of));
        let filters = [
            filter
                .where_read_form_submissions_granted
                .then_some("with submissions"),
            any_of.as_deref(),
            Some(none_of.as_str()).filter(|_| !keys.none_of.is_empty()),
        ];
        let list = self.0.listing("forms", caller, &filters, request)?;
        let forms = if filter.where_read_form_submissions_granted {
            FormList::WithSubmissions
        } else {
            FormList::Readable
        };
        self.page(caller, &list, forms, keys).await
    }

    /// Lists the forms to look after: of those that the caller may read, the ones that the caller may change, and those of
    /// which the caller may read all submissions or an existing one.
    ///
    /// # Errors
    ///
    /// [`InvalidCursor`](crate::Error::InvalidCursor), [`PageTooLarge`](crate::Error::PageTooLarge),
    /// [`Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let (bob, first) = (Subject::User(UserId::new("bob")?), PageRequest::default());
    /// let caller = Caller::user(UserId::new("bob")?);
    /// formalize.forms().share(&Caller::System, form.id, &bob, FormAccess::Fill).await?;
    /// assert!(formalize.forms().list_to_look_after(&caller, &first).await?.items.is_empty());
    ///
    /// formalize.forms().share(&Caller::System, form.id, &bob, FormAccess::Edit).await?;
    /// let listed = formalize.forms().list_to_look_after(&caller, &first).await?;
    /// assert_eq!(listed.items[0].item, form);
    /// # Ok(()) });
    /// ```
    pub async fn list_to_look_after(
        &self,
        caller: &Caller,
        request: &PageRequest,
    ) -> Result<Page<FormView>> {
        let list = self
            .0
            .listing("forms to look after", caller, &[], request)?;
        self.page(caller, &list, FormList::ToLookAfter, &FrontendKeys::ALL)
            .await
    }

    /// Lists the forms that the caller may fill in: those on which the caller has `create_submissions`, whether or not they
    /// take submissions at the moment.
    ///
    /// # Errors
    ///
    /// [`InvalidCursor`](crate::Error::InvalidCursor), [`PageTooLarge`](crate::Error::PageTooLarge),
    /// [`Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let bob = UserId::new("bob")?;
    /// let grant = NewGrant::new(bob.clone(), Action::CREATE_SUBMISSIONS, ResourceRef::form(form.id));
    /// formalize.grants().create(&Caller::System, grant).await?;
    ///
    /// let (bob, first) = (Caller::user(bob), PageRequest::default());
    /// let listed = formalize.forms().list_to_fill_in(&bob, &first).await?;
    /// assert_eq!(listed.items, [NamedForm { id: form.id, name: form.name }]);
    /// assert!(formalize.forms().list(&bob, &FormFilter::default(), &first).await?.items.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn list_to_fill_in(
        &self,
        caller: &Caller,
        request: &PageRequest,
    ) -> Result<Page<NamedForm>> {
        let list = self.0.listing("forms to fill in", caller, &[], request)?;
        let page = self
            .page(caller, &list, FormList::ToFillIn, &FrontendKeys::ALL)
            .await?;
        Ok(page.map(|form| NamedForm {
            id: form.item.id,
            name: form.item.name,
        }))
    }

    /// A page of a list of forms.
    async fn page(
        &self,
        caller: &Caller,
        list: &Listing<'_>,
        forms: FormList,
        keys: &FrontendKeys,
    ) -> Result<Page<FormView>> {
        let mut place = None;
        loop {
            let reading = self.0.read(async |mut tx| {
                let authorizer = self.0.lister(tx.as_mut(), caller).await?;
                let scope = authorizer.form_scope(forms, keys.clone())?;
                let rows = tx
                    .read_forms()?
                    .forms(&scope, list.large_window(place.as_ref()))
                    .await?;
                if place.is_none() && list.is_cut(&rows, Form::bytes) {
                    return Ok(None);
                }
                let page = list.page_of_large(rows, |form| form.id.as_uuid(), Form::bytes)?;
                let viewed = authorizer.view_all(tx.as_mut(), page, |form| Target::Form(form.id));
                let viewed = viewed.await?;
                Ok(Some(
                    viewed.map(|(form, actions)| seen(&authorizer, form, actions)),
                ))
            });
            let Some(page) = reading.await? else {
                place = Some(place_to_read(caller).await?);
                continue;
            };
            if let Some(place) = place {
                place.rest();
            }
            return Ok(page);
        }
    }
}

/// Keys as a filter in the context of a cursor. No key has a comma.
fn joined(keys: &[FrontendKey]) -> String {
    let keys: Vec<_> = keys.iter().map(FrontendKey::as_str).collect();
    keys.join(",")
}
