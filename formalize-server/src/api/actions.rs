//! Available actions, dynamic groups, and what the caller may do.

#![expect(
    clippy::unused_async,
    reason = "the macro `OpenApi` requires asynchronous handlers"
)]

use formalize_core::{Caller, Error, ResourceClass, ResourceIdentifier, ResourceRef};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{
    CheckActions, GetAvailableActions, GetCollectionGrantedActions, GetDynamicGroup,
    GetGrantedActions, ListAvailableActions, ListDynamicGroups,
};
use formalize_http::failure::Answer;
use formalize_views::check::NewChecks;
use formalize_views::resource::{AvailableResourceClassActions, DynamicGroup, GrantedActions};
use poem_openapi::OpenApi;

use super::Body;
use super::checked::CheckedPermissions;
use super::{Composed, Context, Found, Listed, Part, PathText, Query};

pub(super) struct Actions(pub(super) Context);

#[OpenApi(prefix_path = "/authorization", tag = "Part::Actions")]
impl Actions {
    /// List the classes in which the caller has any action, by name.
    ///
    /// No special permission is needed. Each class has the actions on its items and on its collection, with display
    /// names.
    #[oai(path = "/available-resource-class-actions", method = "get")]
    async fn list_available(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<AvailableResourceClassActions>, ListAvailableActions> {
        let page = query.page();
        let page = self.0.core.actions().list(&caller, &page).await?;
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Read the actions of a class.
    ///
    /// No special permission is needed. Every class defines `manage`, which implies all other actions.
    #[oai(
        path = "/available-resource-class-actions/:resourceClass",
        method = "get"
    )]
    async fn get_available(
        &self,
        /// Name of the class.
        #[oai(name = "resourceClass")]
        resource_class: PathText,
    ) -> Answer<Found<AvailableResourceClassActions>, GetAvailableActions> {
        let actions = self.0.core.actions().get(&resource_class)?;
        Ok(Found(actions.into()))
    }

    /// List the dynamic groups, by name.
    ///
    /// No special permission is needed. Expressions in the configuration decide who belongs to a dynamic group,
    /// separately for each request. `everybody` always exists.
    #[oai(path = "/dynamic-groups", method = "get")]
    async fn list_dynamic_groups(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<DynamicGroup>, ListDynamicGroups> {
        let actions = self.0.core.actions();
        let page = actions.list_dynamic_groups(&caller, &query.page())?;
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Read a dynamic group.
    ///
    /// No special permission is needed. A dynamic group has only a name, which grants refer to.
    #[oai(path = "/dynamic-groups/:identifier", method = "get")]
    async fn get_dynamic_group(
        &self,
        /// Name of the dynamic group.
        identifier: PathText,
    ) -> Answer<Found<DynamicGroup>, GetDynamicGroup> {
        let group = self.0.core.actions().get_dynamic_group(&identifier)?;
        Ok(Found(group.into()))
    }

    /// Read the caller's actions on an item.
    ///
    /// No special permission is needed. Grants, groups, policies and the settings of forms are all taken into
    /// account. For a resource that does not exist, the list is empty.
    #[oai(
        path = "/granted-actions/:resourceClass/:resourceIdentifier",
        method = "get"
    )]
    async fn get_granted(
        &self,
        Actor(caller): Actor,
        /// Name of the class.
        #[oai(name = "resourceClass")]
        PathText(class): PathText,
        /// Identifier of the item; for the service's own classes, in lower case.
        #[oai(name = "resourceIdentifier")]
        PathText(identifier): PathText,
    ) -> Answer<Found<GrantedActions>, GetGrantedActions> {
        Ok(Found(self.granted(&caller, class, Some(identifier)).await?))
    }

    /// Read the caller's actions on the collection of a class.
    ///
    /// No special permission is needed. For example, `create` on the collection of groups means that the caller may
    /// create groups. The policy `create_forms` allows creating forms without any action on their collection.
    #[oai(path = "/granted-actions/:resourceClass", method = "get")]
    async fn get_granted_on_collection(
        &self,
        Actor(caller): Actor,
        /// Name of the class.
        #[oai(name = "resourceClass")]
        PathText(class): PathText,
    ) -> Answer<Found<GrantedActions>, GetCollectionGrantedActions> {
        Ok(Found(self.granted(&caller, class, None).await?))
    }

    /// Check whether actions are permitted.
    ///
    /// No special permission is needed to check the caller's own permissions, and the policy `check_others` to check those
    /// of another user. The answers are in the order of the checks and as of one moment: a check is allowed if the
    /// operation itself would be. Nothing is stored. Each hundred checks count as one request.
    #[oai(path = "/check", method = "post")]
    async fn check(
        &self,
        Actor(caller): Actor,
        Body(asked): Body<NewChecks>,
    ) -> Answer<Composed<CheckedPermissions>, CheckActions> {
        self.0.count_items(&caller, asked.checks.len())?;
        let resources = self.0.core.resources();
        let permissions = match asked.other {
            Some(other) => {
                resources
                    .check_all_of(&caller, other, &asked.checks)
                    .await?
            }
            None => resources.check_all(&caller, &asked.checks).await?,
        };
        Ok(Composed::of(&caller, CheckedPermissions::from(permissions)).await?)
    }
}

impl Actions {
    async fn granted(
        &self,
        caller: &Caller,
        class: String,
        identifier: Option<String>,
    ) -> Result<GrantedActions, Error> {
        let actions = match resource(&class, identifier.as_deref()) {
            Some(resource) => {
                let resources = self.0.core.resources();
                resources.granted_actions(caller, &resource).await?
            }
            None => formalize_core::Actions::default(),
        };
        Ok(GrantedActions::new(class, identifier, &actions))
    }
}

/// The resource in a path; `None` if the text is not a valid identifier.
fn resource(class: &str, identifier: Option<&str>) -> Option<ResourceRef> {
    let class = ResourceClass::new(class).ok()?;
    let identifier = identifier.map(ResourceIdentifier::new).transpose().ok()?;
    Some(ResourceRef { class, identifier })
}
