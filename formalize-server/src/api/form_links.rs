//! Public links to forms.

use formalize_core::Error;
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{
    CreateFormLink, DeleteFormLink, GetFormLink, ListFormLinks, UpdateFormLink,
};
use formalize_http::contract::parameter::FORM_IDENTIFIER;
use formalize_http::failure::Answer;
use formalize_views::link::{FormLink, FormLinkChange, NewFormLink};
use poem_openapi::OpenApi;

use super::Body;
use super::{
    Changed, Context, Created, Deleted, Expectation, Found, Listed, Part, PathText, Query, parse_id,
};

pub(super) struct FormLinks(pub(super) Context);

#[OpenApi(prefix_path = "/formalize/form-links", tag = "Part::FormLinks")]
impl FormLinks {
    /// List the public links to a form.
    ///
    /// Requires `manage` on the form. The list does not have the URLs of the links, which are not stored.
    #[oai(path = "/", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<FormLink>, ListFormLinks> {
        let form = query.id(&FORM_IDENTIFIER, Error::FormNotFound)?;
        let links = self.0.core.links();
        let page = links.list(&caller, form, &query.page()).await?;
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Create a public link to a form.
    ///
    /// Requires `manage` on the form. Anyone with the `url` in the response may submit to the form, and do nothing
    /// else. The URL is in this response only. The link is the holder of a grant, as the user `link:` and its
    /// identifier; it ends when that grant is deleted.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        Body(new): Body<NewFormLink>,
    ) -> Answer<Created<FormLink>, CreateFormLink> {
        let (link, secret) = self.0.core.links().create(&caller, new).await?;
        let url = self.0.links.to_public(&secret);
        Ok(Created::new(&FormLink::created(link, url), &self.0.links))
    }

    /// Read a public link.
    ///
    /// Requires `manage` on its form.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the link.
        identifier: PathText,
    ) -> Answer<Found<FormLink>, GetFormLink> {
        let id = parse_id(&identifier, Error::FormLinkNotFound)?;
        let link = self.0.core.links().get(&caller, id).await?;
        Ok(Found(link.into()))
    }

    /// Change a public link.
    ///
    /// Requires `manage` on its form. Absent fields keep their values; the form and the URL cannot change.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        /// Identifier of the link.
        identifier: PathText,
        expectation: Expectation,
        Body(change): Body<FormLinkChange>,
    ) -> Answer<Changed<FormLink>, UpdateFormLink> {
        let id = parse_id(&identifier, Error::FormLinkNotFound)?;
        let links = self.0.core.links();
        let changed = links.update(&caller, expectation.of(id), change).await;
        let link = expectation
            .or_current_tag::<FormLink, _, _>(changed, links.get(&caller, id))
            .await?;
        Ok(Changed(Some(link.into())))
    }

    /// Delete a public link.
    ///
    /// Requires `manage` on its form. The URL does not work any more; the submissions through the link remain.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// Identifier of the link.
        identifier: PathText,
        expectation: Expectation,
    ) -> Answer<Deleted, DeleteFormLink> {
        let id = parse_id(&identifier, Error::FormLinkNotFound)?;
        let links = self.0.core.links();
        let deleted = links.delete(&caller, expectation.of(id)).await;
        expectation
            .or_current_tag::<FormLink, _, _>(deleted, links.get(&caller, id))
            .await?;
        Ok(Deleted)
    }
}
