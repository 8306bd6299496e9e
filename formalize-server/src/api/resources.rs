//! Resources.

use formalize_core::{Error, Page, ResourceFilter};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{GetResource, ListResources};
use formalize_http::contract::parameter::{CURSOR, RESOURCE_CLASS, RESOURCE_IDENTIFIER};
use formalize_http::failure::Answer;
use formalize_views::resource::Resource;
use poem_openapi::OpenApi;

use super::{Context, Found, Listed, Part, PathText, Query, parse_id};

pub(super) struct Resources(pub(super) Context);

/// The filter in the query of lists that belong to resources. `None` if no resource can match it, because its text cannot
/// be a class or an identifier.
///
/// # Errors
///
/// [`Error::InvalidCursor`] if there is a cursor as well: no list has returned one for such text.
pub(super) fn filter(query: &Query) -> Result<Option<ResourceFilter>, Error> {
    let class = query.text(&RESOURCE_CLASS).map(str::parse).transpose();
    let identifier = query.text(&RESOURCE_IDENTIFIER).map(str::parse).transpose();
    match (class, identifier, query.text(&CURSOR)) {
        (Ok(class), Ok(identifier), _) => Ok(Some(ResourceFilter {
            class,
            identifier: identifier.into(),
        })),
        (.., Some(_)) => Err(Error::InvalidCursor),
        (.., None) => Ok(None),
    }
}

#[OpenApi(prefix_path = "/authorization/resources", tag = "Part::Resources")]
impl Resources {
    /// List the resources on which the caller has any action.
    ///
    /// No special permission is needed. Resources are created with groups, forms and submissions; the collection of
    /// each class always exists.
    #[oai(path = "/", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<Resource>, ListResources> {
        let resources = self.0.core.resources();
        let page = match filter(&query)? {
            Some(filter) => resources.list(&caller, &filter, &query.page()).await?,
            None => Page::default(),
        };
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Read a resource.
    ///
    /// Requires any action on the resource. `identifier` identifies the record of the resource; grants call it
    /// `authorizationResourceIdentifier`.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the record of the resource.
        identifier: PathText,
    ) -> Answer<Found<Resource>, GetResource> {
        let id = parse_id(&identifier, Error::ResourceNotFound)?;
        let resource = self.0.core.resources().get(&caller, id).await?;
        Ok(Found(resource.into()))
    }
}
