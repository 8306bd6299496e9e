//! Members of groups.

use formalize_core::{Error, Field};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{
    CreateGroupMember, DeleteGroupMember, GetGroupMember, ListGroupMembers,
};
use formalize_http::contract::parameter::GROUP_IDENTIFIER;
use formalize_http::failure::Answer;
use formalize_views::member::{GroupMember, NewGroupMember};
use poem_openapi::OpenApi;

use super::Body;
use super::{
    Context, Created, Deleted, Expectation, Found, Keyed, Listed, Part, PathText, Query, SentText,
    parse_id,
};

pub(super) struct Members(pub(super) Context);

#[OpenApi(prefix_path = "/authorization/groups-members", tag = "Part::Members")]
impl Members {
    /// List the direct members of a group.
    ///
    /// Requires `read` on the group. A child group is listed as one member; its own members are not listed.
    #[oai(path = "/", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<GroupMember>, ListGroupMembers> {
        let missing = Error::GroupNotFound(Some(Field::GroupIdentifier));
        let group = query.id(&GROUP_IDENTIFIER, missing)?;
        let members = self.0.core.memberships();
        let page = members.list(&caller, group, &query.page()).await?;
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Add a member to a group.
    ///
    /// Requires `add_members` on the group. The member is a user, who need not be known to the service, or another
    /// group, on which the caller needs `read`. That group must not contain this one, at any depth.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        keyed: Keyed,
        Body(new): Body<NewGroupMember>,
    ) -> Answer<Created<GroupMember>, CreateGroupMember> {
        let (core, links, sent) = (&self.0.core, &self.0.links, SentText::none());
        let keep = |view: &_| Created::<GroupMember>::of(view, links).kept(&sent);
        let outcome = (core.memberships())
            .create_once(&caller, new, keyed.request(), &keep)
            .await?;
        Ok(Created::once(outcome, &sent, links)?)
    }

    /// Read a membership.
    ///
    /// Requires `read` on the group.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the membership.
        identifier: PathText,
    ) -> Answer<Found<GroupMember>, GetGroupMember> {
        let id = parse_id(&identifier, Error::MembershipNotFound)?;
        let member = self.0.core.memberships().get(&caller, id).await?;
        Ok(Found(member.into()))
    }

    /// Remove a member from a group.
    ///
    /// Requires `delete_members` on the group. The member loses the permissions of the group immediately, unless it
    /// also has them in another way.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// Identifier of the membership.
        identifier: PathText,
        expectation: Expectation,
    ) -> Answer<Deleted, DeleteGroupMember> {
        let id = parse_id(&identifier, Error::MembershipNotFound)?;
        let memberships = self.0.core.memberships();
        let deleted = memberships.delete(&caller, expectation.of(id)).await;
        expectation
            .or_current_tag::<GroupMember, _, _>(deleted, memberships.get(&caller, id))
            .await?;
        Ok(Deleted)
    }
}
