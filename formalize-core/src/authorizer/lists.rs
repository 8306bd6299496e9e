//! Scopes of lists, derived from the policy of the operations on single items.

use super::Authorizer;
use crate::authz::policy::{Operation, Rule};
use crate::authz::scope::{GrantScope, ItemScope, Reach, Reached, ResourceScope};
use crate::error::{Error, Result};
use crate::model::action::Action;
use crate::model::resource::ResourceClass;
use crate::model::subject::Caller;

/// All methods require the caller's groups, see [`Authorizer::with_groups`].
impl Authorizer<'_> {
    /// The items that a list shows: those on which the caller has the action that reading an item requires.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if reading an item requires anything other than one action on it.
    pub(crate) fn item_scope(&self, list: Operation) -> Result<ItemScope> {
        if *self.caller == Caller::System {
            return Ok(ItemScope::All);
        }
        let (class, action) = self.item_rule(list)?;
        if self.known().held.manages_all(&class) {
            return Ok(ItemScope::All);
        }
        Ok(ItemScope::granted(self.subjects.clone(), &class, &action))
    }

    /// The class and the action required for each item of a list.
    pub(super) fn item_rule(&self, list: Operation) -> Result<(ResourceClass, Action)> {
        match self.authority.policy.of_items(list) {
            Rule::OnItem(class, action) => Ok((class, action)),
            _ => Err(Error::Forbidden),
        }
    }

    /// The resources that a list shows.
    ///
    /// # Errors
    ///
    /// As [`Authorizer::item_scope`].
    pub(crate) fn resource_scope(&self, list: Operation) -> Result<ResourceScope> {
        let action = match self.authority.policy.of_items(list) {
            Rule::AnyAction => None,
            Rule::OnResource(action) => Some(action),
            _ => return Err(Error::Forbidden),
        };
        Ok(self.resources_with(action.as_ref()))
    }

    /// The resources on which the caller has the action, or any action if `None`.
    pub(crate) fn resources_with(&self, action: Option<&Action>) -> ResourceScope {
        let reached = self.reached(action);
        reached.map_or(ResourceScope::All, ResourceScope::Reached)
    }

    /// The grants that a list shows.
    ///
    /// # Errors
    ///
    /// As [`Authorizer::item_scope`].
    pub(crate) fn grant_scope(&self, list: Operation) -> Result<GrantScope> {
        let Rule::HolderOr(action) = self.authority.policy.of_items(list) else {
            return Err(Error::Forbidden);
        };
        let reached = self.reached(Some(&action));
        Ok(reached.map_or(GrantScope::All, GrantScope::HeldOrOn))
    }

    /// The resources on which the caller has the action (any action if `None`), and the collections that the caller
    /// manages by policy. Returns `None` for the system, which has no restriction.
    fn reached(&self, action: Option<&Action>) -> Option<Reached> {
        let ways = if self.known().held.manages_everything() {
            Reach::of_managers_of_everything
        } else {
            Reach::to
        };
        self.caller.user_id().map(|_| Reached {
            subjects: self.subjects.clone(),
            ways: ways(action),
            managed_collections: self.authority.managed_collections(self.caller),
        })
    }
}
