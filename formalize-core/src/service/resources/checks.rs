//! Checks of many permissions at once, for applications that ask over the network.

use std::collections::{HashMap, HashSet};

use super::ResourcesService;
use super::permissions::submission_named;
use crate::authorizer::Authorizer;
use crate::authz::policy::Operation;
use crate::error::Result;
use crate::id::SubmissionId;
use crate::model::action::{Action, Actions};
use crate::model::resource::{ResourceClass, ResourceIdentifier, ResourceRef};
use crate::model::subject::{Caller, User};
use crate::store::ReadTx;

/// Whether a caller may perform an action on a resource, as a question. The names are those of a client, and need not be
/// valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionCheck {
    /// The class of the resource.
    pub class: String,
    /// The identifier of the item; `None` means the collection of the class.
    pub identifier: Option<String>,
    /// The action.
    pub action: String,
}

/// The answer to a [`PermissionCheck`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The caller may do it.
    Granted,
    /// The caller may not do it, or the resource does not exist.
    Denied,
    /// The class is not defined.
    ClassUnknown,
    /// The action is not defined for this kind of resource.
    ActionUndefined,
}

impl ResourcesService<'_> {
    /// Answers many checks, in their order, as of one moment and with a fixed number of statements.
    ///
    /// A check is granted if the operation itself would be permitted. So `create` on the collection of forms is granted to
    /// whom the policy `create_forms` names, even though [`ResourcesService::granted_actions`] has no such action; if the
    /// policy depends on the name of the form, the name is empty.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let check = |class: &str, action: &str| PermissionCheck {
    ///     class: class.to_owned(),
    ///     identifier: None,
    ///     action: action.to_owned(),
    /// };
    /// let form = ResourceClass::FORM.to_string();
    /// let checks = [check(&form, "create"), check(&form, "fly"), check("Unknown", "create")];
    ///
    /// let permissions = formalize.resources().check_all(&Caller::System, &checks).await?;
    /// assert_eq!(permissions, [Permission::Granted, Permission::ActionUndefined, Permission::ClassUnknown]);
    /// # Ok(()) });
    /// ```
    pub async fn check_all(
        &self,
        caller: &Caller,
        checks: &[PermissionCheck],
    ) -> Result<Vec<Permission>> {
        let named: Vec<Named> = checks.iter().map(|check| self.named(check)).collect();
        let resources: HashSet<&ResourceRef> = named.iter().filter_map(Named::resource).collect();
        let resources: Vec<ResourceRef> = resources.into_iter().cloned().collect();
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = actions_on_all(&authorizer, tx.as_mut(), &resources).await?;
            let none = Actions::default();
            let permissions = named.iter().map(|named| match named {
                Named::Nothing(permission) => *permission,
                Named::Action(resource, action) => {
                    let actions = found.get(resource).unwrap_or(&none);
                    let is_granted =
                        actions.allows(action) || self.may_by_policy(caller, resource, action);
                    if is_granted {
                        Permission::Granted
                    } else {
                        Permission::Denied
                    }
                }
            });
            Ok(permissions.collect())
        });
        reading.await
    }

    /// Like [`ResourcesService::check_all`], for a user other than the caller.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`](crate::Error::Forbidden) unless the policy `check_others` names the caller;
    /// [`Error::Store`](crate::Error::Store).
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let policies = Policies {
    ///     check_others: Some(Condition::compile(r#"user.id == "portal""#).unwrap()),
    ///     ..Policies::default()
    /// };
    /// let store = Arc::new(MemoryStore::new());
    /// let formalize = Formalize::builder(store).policies(policies).build().await?;
    /// let check = PermissionCheck {
    ///     class: ResourceClass::GROUP.to_string(),
    ///     identifier: None,
    ///     action: "create".to_owned(),
    /// };
    /// let portal = Caller::user(UserId::new("portal")?);
    /// let alice = User { id: UserId::new("alice")?, attributes: Attributes::default() };
    /// let permissions = formalize.resources().check_all_of(&portal, alice, &[check]).await?;
    /// assert_eq!(permissions, [Permission::Denied]);
    /// # Ok(()) });
    /// ```
    pub async fn check_all_of(
        &self,
        caller: &Caller,
        other: User,
        checks: &[PermissionCheck],
    ) -> Result<Vec<Permission>> {
        self.0.check(caller, Operation::CheckOthers)?;
        self.check_all(&Caller::User(other), checks).await
    }

    /// What a check names, if it is defined.
    fn named(&self, check: &PermissionCheck) -> Named {
        let catalog = &self.0.authority.catalog;
        let class = ResourceClass::new(&check.class).ok();
        let Some(class) = class.filter(|class| catalog.find(class).is_some()) else {
            return Named::Nothing(Permission::ClassUnknown);
        };
        let on_item = check.identifier.is_some();
        let action = Action::new(&check.action).ok();
        let Some(action) = action.filter(|action| catalog.defines(&class, on_item, action)) else {
            return Named::Nothing(Permission::ActionUndefined);
        };
        let identifier = check.identifier.as_ref().map(ResourceIdentifier::new);
        match identifier.transpose() {
            Ok(identifier) => Named::Action(ResourceRef { class, identifier }, action),
            Err(_) => Named::Nothing(Permission::Denied),
        }
    }

    /// Whether the policy for creating forms permits an action.
    fn may_by_policy(&self, caller: &Caller, resource: &ResourceRef, action: &Action) -> bool {
        *action == Action::CREATE
            && *resource == ResourceRef::collection(ResourceClass::FORM)
            && self.0.authority.may_create_form(caller, "")
    }
}

/// What a check names.
enum Named {
    /// An action on a resource, for which it is defined. The resource may not exist.
    Action(ResourceRef, Action),
    /// Nothing that could be granted.
    Nothing(Permission),
}

impl Named {
    fn resource(&self) -> Option<&ResourceRef> {
        match self {
            Self::Action(resource, _) => Some(resource),
            Self::Nothing(_) => None,
        }
    }
}

/// The effective actions on the resources that exist.
async fn actions_on_all(
    authorizer: &Authorizer<'_>,
    tx: &mut dyn ReadTx,
    resources: &[ResourceRef],
) -> Result<HashMap<ResourceRef, Actions>> {
    let found = tx.resources_of(resources).await?;
    let known: HashSet<&ResourceRef> = found.iter().map(|found| &found.resource).collect();
    let others = resources.iter().filter(|other| !known.contains(other));
    let others: Vec<SubmissionId> = others.filter_map(submission_named).collect();
    authorizer.actions_on_all(tx, &found, &others).await
}
