//! The caller.

use formalize_http::auth::{Actor, bearer_token};
use formalize_http::contract::endpoint::GetMe;
use formalize_http::failure::Answer;
use formalize_http::request::Parameters;
use poem::Request;
use poem_openapi::OpenApi;

use super::caller::{CredentialsKind, Me as View};
use super::page::Page;
use super::{Context, Found, Part, Query};

pub(super) struct Me(pub(super) Context);

#[OpenApi(tag = "Part::Actions")]
impl Me {
    /// Read who the caller is.
    ///
    /// No special permission is needed. The response has the user and the attributes as policies see them, and the
    /// groups through which grants reach the user. If there are many groups, read them page by page; groups that the
    /// user may not read are among them.
    #[oai(path = "/me", method = "get")]
    async fn get(
        &self,
        request: &Request,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Found<View>, GetMe> {
        let core = &self.0.core;
        let groups = core.groups();
        let groups = groups.of_caller(&caller, &query.whole_page()).await?;
        let groups = Page::new(groups, &Parameters::clone(&query));
        let dynamic_groups = core.actions().dynamic_groups_of(&caller);
        let credentials = CredentialsKind::of(bearer_token(request).unwrap_or_default());
        Ok(Found(View::new(
            &caller,
            credentials,
            &dynamic_groups,
            groups,
        )))
    }
}
