//! Grants.

use formalize_core::{Error, Page};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{CreateGrant, DeleteGrant, GetGrant, ListGrants};
use formalize_http::contract::parameter::GRANT_CLASS;
use formalize_http::failure::Answer;
use formalize_views::grant::{NewGrant, ResourceActionGrant, for_class};
use poem_openapi::OpenApi;

use super::Body;
use super::{
    Context, Created, Deleted, Expectation, Found, Keyed, Listed, Part, PathText, Query, SentText,
    parse_id, resources::filter,
};

pub(super) struct Grants(pub(super) Context);

#[OpenApi(
    prefix_path = "/authorization/resource-action-grants",
    tag = "Part::Grants"
)]
impl Grants {
    /// List the grants that the caller holds, and those on resources that the caller manages.
    ///
    /// No special permission is needed. A caller holds the grants to their user, to their groups and to the dynamic
    /// groups that they belong to.
    #[oai(path = "/", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<ResourceActionGrant>, ListGrants> {
        let grants = self.0.core.grants();
        let page = match filter(&query)? {
            Some(filter) => grants.list(&caller, &filter, &query.page()).await?,
            None => Page::default(),
        };
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Grant an action on a resource.
    ///
    /// Requires `manage` on the resource. Identify it by `resourceClass` and `resourceIdentifier`, or by
    /// `authorizationResourceIdentifier`; without `resourceIdentifier`, the grant is on the collection of the class.
    /// Give exactly one holder: a user, a group or a dynamic group. The dynamic group `everybody` contains all
    /// authenticated users. The built-in classes are `DbpRelayAuthorizationGroup`, `DbpRelayFormalizeForm`,
    /// `DbpRelayFormalizeSubmission` and `DbpRelayFormalizeSubmissionCollection`; see `docs/permissions.md`.
    ///
    /// To let people fill in a form, grant both `create_submissions` and `read` on it. With `create_submissions` alone,
    /// they can submit, but neither see the form nor find it in lists.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        query: Query,
        keyed: Keyed,
        Body(new): Body<NewGrant>,
    ) -> Answer<Created<ResourceActionGrant>, CreateGrant> {
        let new = for_class(new, query.text(&GRANT_CLASS))?;
        let (core, links, sent) = (&self.0.core, &self.0.links, SentText::none());
        let keep = |view: &_| Created::<ResourceActionGrant>::of(view, links).kept(&sent);
        let outcome = (core.grants())
            .create_once(&caller, new, keyed.request(), &keep)
            .await?;
        Ok(Created::once(outcome, &sent, links)?)
    }

    /// Read a grant.
    ///
    /// Requires holding the grant, or `manage` on its resource.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the grant.
        identifier: PathText,
    ) -> Answer<Found<ResourceActionGrant>, GetGrant> {
        let id = parse_id(&identifier, Error::GrantNotFound)?;
        let grant = self.0.core.grants().get(&caller, id).await?;
        Ok(Found(grant.into()))
    }

    /// Delete a grant.
    ///
    /// Requires `manage` on the resource of the grant. The last `manage` grant on an item cannot be deleted, so that
    /// someone can always share the item.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// Identifier of the grant.
        identifier: PathText,
        expectation: Expectation,
    ) -> Answer<Deleted, DeleteGrant> {
        let id = parse_id(&identifier, Error::GrantNotFound)?;
        let grants = self.0.core.grants();
        let deleted = grants.delete(&caller, expectation.of(id)).await;
        expectation
            .or_current_tag::<ResourceActionGrant, _, _>(deleted, grants.get(&caller, id))
            .await?;
        Ok(Deleted)
    }
}
