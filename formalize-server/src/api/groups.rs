//! Groups.

use formalize_core::{Error, GroupFilter};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{
    CreateGroup, DeleteGroup, GetGroup, ListGroups, UpdateGroup,
};
use formalize_http::contract::parameter::{DRY_RUN, SEARCH};
use formalize_http::failure::Answer;
use formalize_views::group::{Group, GroupChange, NewGroup};
use poem_openapi::OpenApi;

use super::Body;
use super::{
    Changed, Context, Created, DeletedOrCounted, Expectation, Found, Keyed, Listed, Part, PathText,
    Query, SentText, parse_id,
};

pub(super) struct Groups(pub(super) Context);

#[OpenApi(prefix_path = "/authorization/groups", tag = "Part::Groups")]
impl Groups {
    /// List the groups that the caller may read.
    ///
    /// No special permission is needed. The list has exactly the groups that `getGroup` would return. `search`
    /// matches part of the name.
    #[oai(path = "/", method = "get")]
    async fn list(&self, Actor(caller): Actor, query: Query) -> Answer<Listed<Group>, ListGroups> {
        let filter = GroupFilter {
            search: query.text(&SEARCH).map(str::to_owned),
        };
        let page = query.page();
        let page = self.0.core.groups().list(&caller, &filter, &page).await?;
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Create a group.
    ///
    /// Requires `create` on the collection of groups, which the policy `create_groups` in the configuration grants.
    /// The caller gets `manage` on the new group, as an ordinary grant. Names need not be unique.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        keyed: Keyed,
        Body(new): Body<NewGroup>,
    ) -> Answer<Created<Group>, CreateGroup> {
        let (core, links, sent) = (&self.0.core, &self.0.links, SentText::none());
        let keep = |view: &_| Created::<Group>::of(view, links).kept(&sent);
        let outcome = (core.groups())
            .create_once(&caller, new, keyed.request(), &keep)
            .await?;
        Ok(Created::once(outcome, &sent, links)?)
    }

    /// Read a group.
    ///
    /// Requires `read` on the group.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the group.
        identifier: PathText,
    ) -> Answer<Found<Group>, GetGroup> {
        let id = parse_id(&identifier, Error::GroupNotFound(None))?;
        let group = self.0.core.groups().get(&caller, id).await?;
        Ok(Found(group.into()))
    }

    /// Rename a group.
    ///
    /// Requires `update` on the group. The response is 204 without a body if the caller may not read the group.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        /// Identifier of the group.
        identifier: PathText,
        expectation: Expectation,
        Body(change): Body<GroupChange>,
    ) -> Answer<Changed<Group>, UpdateGroup> {
        let id = parse_id(&identifier, Error::GroupNotFound(None))?;
        let groups = self.0.core.groups();
        let changed = groups.update(&caller, expectation.of(id), change).await;
        let group = expectation
            .or_current_tag::<Group, _, _>(changed, groups.get(&caller, id))
            .await?;
        Ok(Changed(group.map(Into::into)))
    }

    /// Delete a group.
    ///
    /// Requires `delete` on the group. Also deletes its memberships, the grants that it holds and the grants on it;
    /// its members remain.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// Identifier of the group.
        identifier: PathText,
        query: Query,
        expectation: Expectation,
    ) -> Answer<DeletedOrCounted, DeleteGroup> {
        let id = parse_id(&identifier, Error::GroupNotFound(None))?;
        let groups = self.0.core.groups();
        let expected = expectation.of(id);
        let deleted = if query.flag(&DRY_RUN) {
            let counted = groups.check_delete(&caller, expected).await;
            counted.map(|deletion| DeletedOrCounted::Counted(deletion.into()))
        } else {
            let deleted = groups.delete(&caller, expected).await;
            deleted.map(|()| DeletedOrCounted::Deleted)
        };
        let deleted = expectation
            .or_current_tag::<Group, _, _>(deleted, groups.get(&caller, id))
            .await?;
        Ok(deleted)
    }
}
