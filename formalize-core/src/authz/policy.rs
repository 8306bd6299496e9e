//! The policy table: the permission that each operation requires, and on which resource.

use std::fmt;

use crate::model::action::{Action, Actions};
use crate::model::resource::ResourceClass;

/// An operation of a service. `docs/permissions.md` has the permission that each one requires.
///
/// Programs ask by operation what a caller may do, for example [`Viewed::may`](crate::Viewed::may), and need not know the
/// actions that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Create a group.
    GroupCreate,
    /// Get a group.
    GroupGet,
    /// List groups.
    GroupList,
    /// Change a group.
    GroupUpdate,
    /// Delete a group.
    GroupDelete,
    /// Add a member to a group.
    MembershipCreate,
    /// Make a group a member of another one, as far as the member is concerned.
    MembershipCreateOfChild,
    /// Get a membership.
    MembershipGet,
    /// List the members of a group.
    MembershipList,
    /// Remove a member from a group.
    MembershipDelete,
    /// Get a resource.
    ResourceGet,
    /// List resources.
    ResourceList,
    /// Register an item of a class of the application.
    ResourceRegister,
    /// Deregister such an item.
    ResourceDeregister,
    /// Check the permissions of other users.
    CheckOthers,
    /// Search the directory of people.
    PeopleSearch,
    /// Read the local data of other users.
    LocalDataOfOthers,
    /// Create a grant on a resource.
    GrantCreate,
    /// Get a grant on a resource.
    GrantGet,
    /// List the grants on a resource.
    GrantList,
    /// Delete a grant on a resource.
    GrantDelete,
    /// Create a form.
    FormCreate,
    /// Get a form.
    FormGet,
    /// Get the questions of a form.
    FormQuestions,
    /// List forms.
    FormList,
    /// List the forms to fill in.
    FormListToFillIn,
    /// Change a form.
    FormUpdate,
    /// Delete a form.
    FormDelete,
    /// Submit to a form.
    SubmissionCreate,
    /// Get a submission.
    SubmissionGet,
    /// List the submissions to a form.
    SubmissionList,
    /// Change a submission.
    SubmissionUpdate,
    /// Delete a submission.
    SubmissionDelete,
    /// Delete all that was submitted to a form.
    SubmissionDeleteAll,
    /// List the files of a submission.
    SubmissionFileList,
    /// Get the description of a file.
    SubmissionFileGet,
    /// Read the content of a file.
    SubmissionFileRead,
    /// Add a file to a submission.
    SubmissionFileAdd,
    /// Remove a file from a submission.
    SubmissionFileRemove,
    /// Create a public link to a form.
    LinkCreate,
    /// Get a public link.
    LinkGet,
    /// List the public links to a form.
    LinkList,
    /// Change a public link.
    LinkUpdate,
    /// Delete a public link.
    LinkDelete,
    /// Create a webhook of a form.
    WebhookCreate,
    /// Get a webhook.
    WebhookGet,
    /// List webhooks.
    WebhookList,
    /// Change a webhook.
    WebhookUpdate,
    /// Delete a webhook.
    WebhookDelete,
    /// Replace the secret of a webhook.
    WebhookRotateSecret,
    /// Send a test event to a webhook.
    WebhookTest,
    /// List the deliveries of a webhook.
    WebhookDeliveries,
    /// Send deliveries of a webhook again.
    WebhookResend,
    /// Create, read or change a webhook of all forms.
    WebhookOfAllForms,
    /// Create an API token for another user.
    TokenCreate,
    /// List the API tokens of all users.
    TokenList,
    /// Revoke an API token of another user.
    TokenRevoke,
    /// Create an API token for oneself.
    OwnTokenCreate,
    /// List one's own API tokens.
    OwnTokenList,
    /// Revoke one of one's own API tokens.
    OwnTokenRevoke,
    /// Create a session of a person who has signed in.
    SessionCreate,
    /// End all sessions of a user.
    SessionEndAll,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 62] = [
        Self::GroupCreate,
        Self::GroupGet,
        Self::GroupList,
        Self::GroupUpdate,
        Self::GroupDelete,
        Self::MembershipCreate,
        Self::MembershipCreateOfChild,
        Self::MembershipGet,
        Self::MembershipList,
        Self::MembershipDelete,
        Self::ResourceGet,
        Self::ResourceList,
        Self::ResourceRegister,
        Self::ResourceDeregister,
        Self::CheckOthers,
        Self::PeopleSearch,
        Self::LocalDataOfOthers,
        Self::GrantCreate,
        Self::GrantGet,
        Self::GrantList,
        Self::GrantDelete,
        Self::FormCreate,
        Self::FormGet,
        Self::FormQuestions,
        Self::FormList,
        Self::FormListToFillIn,
        Self::FormUpdate,
        Self::FormDelete,
        Self::SubmissionCreate,
        Self::SubmissionGet,
        Self::SubmissionList,
        Self::SubmissionUpdate,
        Self::SubmissionDelete,
        Self::SubmissionDeleteAll,
        Self::SubmissionFileList,
        Self::SubmissionFileGet,
        Self::SubmissionFileRead,
        Self::SubmissionFileAdd,
        Self::SubmissionFileRemove,
        Self::LinkCreate,
        Self::LinkGet,
        Self::LinkList,
        Self::LinkUpdate,
        Self::LinkDelete,
        Self::WebhookCreate,
        Self::WebhookGet,
        Self::WebhookList,
        Self::WebhookUpdate,
        Self::WebhookDelete,
        Self::WebhookRotateSecret,
        Self::WebhookTest,
        Self::WebhookDeliveries,
        Self::WebhookResend,
        Self::WebhookOfAllForms,
        Self::TokenCreate,
        Self::TokenList,
        Self::TokenRevoke,
        Self::OwnTokenCreate,
        Self::OwnTokenList,
        Self::OwnTokenRevoke,
        Self::SessionCreate,
        Self::SessionEndAll,
    ];

    /// Whether callers with a public link may do it at all, if they have the permission.
    pub(crate) fn is_open_to_links(self) -> bool {
        matches!(self, Self::SubmissionCreate | Self::FormQuestions)
    }
}

/// The permission that an operation requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The action on the collection of the class. Creating forms is also open to users whom the policy names.
    OnCollection(ResourceClass, Action),
    /// The action on the item of the class that the operation concerns, such as the group of a membership or the form
    /// of a new submission.
    OnItem(ResourceClass, Action),
    /// One of two actions on the item.
    EitherOnItem(ResourceClass, Action, Action),
    /// The action on the resource that the operation concerns.
    OnResource(Action),
    /// Any effective action on the resource.
    AnyAction,
    /// Being the holder of the grant, or the action on its resource.
    HolderOr(Action),
    /// No permission: the list shows the items on which this operation is allowed.
    Items(Operation),
    /// Being the system.
    SystemOnly,
    /// Being a user whom the policy for creating tokens names, or by default an administrator.
    TokenCreator,
    /// Being a user whom the policy for checking the permissions of others names.
    CheckerOfOthers,
    /// Being a user whom the policy for searching people names, or by default any user.
    PeopleSearcher,
    /// Being a user whom the policy for reading the local data of others names.
    LocalDataReader,
    /// Being a user: the operation concerns only what belongs to the caller.
    Oneself,
}

/// The policy table.
#[expect(
    clippy::match_same_arms,
    reason = "a table has one row for each subject, also where rows agree"
)]
fn rule(operation: Operation) -> Rule {
    use Operation as Op;
    use Rule::{
        AnyAction, CheckerOfOthers, EitherOnItem, HolderOr, Items, LocalDataReader, OnCollection,
        OnItem, OnResource, Oneself, PeopleSearcher, SystemOnly, TokenCreator,
    };
    const GROUP: ResourceClass = ResourceClass::GROUP;
    const FORM: ResourceClass = ResourceClass::FORM;
    const SUBMISSION: ResourceClass = ResourceClass::SUBMISSION;
    match operation {
        Op::GroupCreate => OnCollection(GROUP, Action::CREATE),
        Op::GroupGet => OnItem(GROUP, Action::READ),
        Op::GroupUpdate => OnItem(GROUP, Action::UPDATE),
        Op::GroupDelete => OnItem(GROUP, Action::DELETE),
        Op::MembershipCreate => OnItem(GROUP, Action::ADD_MEMBERS),
        Op::MembershipCreateOfChild => OnItem(GROUP, Action::READ),
        Op::MembershipGet | Op::MembershipList => OnItem(GROUP, Action::READ),
        Op::MembershipDelete => OnItem(GROUP, Action::DELETE_MEMBERS),
        Op::GroupList => Items(Op::GroupGet),
        Op::ResourceList => Items(Op::ResourceGet),
        Op::GrantList => Items(Op::GrantGet),
        Op::FormList => Items(Op::FormGet),
        Op::FormListToFillIn => Items(Op::SubmissionCreate),
        Op::SubmissionList => Items(Op::SubmissionGet),
        Op::ResourceGet => AnyAction,
        Op::GrantCreate | Op::GrantDelete => OnResource(Action::MANAGE),
        Op::GrantGet => HolderOr(Action::MANAGE),
        Op::FormCreate => OnCollection(FORM, Action::CREATE),
        Op::FormGet => OnItem(FORM, Action::READ),
        // Who may submit to a form must be able to see what it asks for.
        Op::FormQuestions => EitherOnItem(FORM, Action::READ, Action::CREATE_SUBMISSIONS),
        Op::FormUpdate => OnItem(FORM, Action::UPDATE),
        Op::FormDelete => OnItem(FORM, Action::DELETE),
        Op::SubmissionCreate => OnItem(FORM, Action::CREATE_SUBMISSIONS),
        Op::SubmissionDeleteAll => OnItem(FORM, Action::DELETE_SUBMISSIONS),
        Op::SubmissionGet => OnItem(SUBMISSION, Action::READ),
        Op::SubmissionUpdate => OnItem(SUBMISSION, Action::UPDATE),
        Op::SubmissionDelete => OnItem(SUBMISSION, Action::DELETE),
        // Files belong to their submission. Taking one out changes the submission.
        Op::SubmissionFileList | Op::SubmissionFileGet | Op::SubmissionFileRead => {
            OnItem(SUBMISSION, Action::READ)
        }
        Op::SubmissionFileAdd | Op::SubmissionFileRemove => OnItem(SUBMISSION, Action::UPDATE),
        Op::LinkCreate | Op::LinkGet | Op::LinkList | Op::LinkUpdate | Op::LinkDelete => {
            OnItem(FORM, Action::MANAGE)
        }
        Op::WebhookCreate
        | Op::WebhookGet
        | Op::WebhookUpdate
        | Op::WebhookDelete
        | Op::WebhookRotateSecret
        | Op::WebhookTest
        | Op::WebhookDeliveries
        | Op::WebhookResend => OnItem(FORM, Action::MANAGE),
        Op::WebhookList => Items(Op::WebhookGet),
        Op::OwnTokenCreate => TokenCreator,
        Op::CheckOthers => CheckerOfOthers,
        Op::PeopleSearch => PeopleSearcher,
        Op::LocalDataOfOthers => LocalDataReader,
        Op::OwnTokenList | Op::OwnTokenRevoke => Oneself,
        Op::ResourceRegister
        | Op::ResourceDeregister
        | Op::TokenCreate
        | Op::TokenList
        | Op::TokenRevoke
        | Op::SessionCreate
        | Op::SessionEndAll
        // It shows what the managers of other forms have made.
        | Op::WebhookOfAllForms => SystemOnly,
    }
}

impl Rule {
    /// Whether the effective actions on the object of the rule satisfy it. `holds_grant` is whether the caller holds
    /// the grant in question.
    pub(crate) fn is_satisfied(&self, effective: &Actions, holds_grant: bool) -> bool {
        match self {
            Self::OnCollection(_, action) | Self::OnItem(_, action) | Self::OnResource(action) => {
                effective.allows(action)
            }
            Self::EitherOnItem(_, one, other) => effective.allows(one) || effective.allows(other),
            Self::AnyAction => !effective.is_empty(),
            Self::HolderOr(action) => holds_grant || effective.allows(action),
            Self::Items(_) | Self::Oneself => true,
            // Nothing but the policy in the configuration allows it.
            Self::SystemOnly
            | Self::TokenCreator
            | Self::CheckerOfOthers
            | Self::PeopleSearcher
            | Self::LocalDataReader => false,
        }
    }
}

/// The policy table of a service. Tests replace rows.
#[derive(Clone, Copy)]
pub(crate) struct Policy(pub(crate) fn(Operation) -> Rule);

impl Default for Policy {
    fn default() -> Self {
        Self(rule)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Policy")
    }
}

impl Policy {
    /// The permission that an operation requires.
    pub(crate) fn rule(self, operation: Operation) -> Rule {
        (self.0)(operation)
    }

    /// The permission that an operation requires; for a list, the permission required on each item.
    pub(crate) fn of_items(self, operation: Operation) -> Rule {
        match self.rule(operation) {
            Rule::Items(get) => self.rule(get),
            rule => rule,
        }
    }

    /// Whether effective actions on an item of a class permit an operation on the item. For a list, whether they permit what
    /// it shows. An operation that concerns no item of the class is not permitted.
    pub(crate) fn permits(
        self,
        class: &ResourceClass,
        effective: &Actions,
        operation: Operation,
    ) -> bool {
        let rule = self.of_items(operation);
        let is_concerned = match &rule {
            Rule::OnItem(of, _) | Rule::EitherOnItem(of, ..) => of == class,
            Rule::OnResource(_) | Rule::AnyAction | Rule::HolderOr(_) => true,
            _ => false,
        };
        is_concerned && rule.is_satisfied(effective, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [ResourceClass; 3] = [
        ResourceClass::GROUP,
        ResourceClass::FORM,
        ResourceClass::SUBMISSION,
    ];

    /// The classes on whose items one of these actions permits the operation.
    fn permitted(operation: Operation, actions: &[Action]) -> Vec<ResourceClass> {
        let actions: Actions = actions.iter().cloned().collect();
        let policy = Policy::default();
        let classes = CLASSES.into_iter();
        classes
            .filter(|class| policy.permits(class, &actions, operation))
            .collect()
    }

    #[test]
    fn an_operation_is_permitted_by_its_action_on_an_item_of_its_class() {
        let every = [
            Action::READ,
            Action::UPDATE,
            Action::DELETE,
            Action::CREATE,
            Action::ADD_MEMBERS,
            Action::DELETE_MEMBERS,
            Action::CREATE_SUBMISSIONS,
            Action::READ_SUBMISSIONS,
            Action::UPDATE_SUBMISSIONS,
            Action::DELETE_SUBMISSIONS,
            Action::MANAGE,
        ];
        for operation in Operation::ALL {
            let (class, needed) = match Policy::default().of_items(operation) {
                Rule::OnItem(class, action) => (class, vec![action]),
                Rule::EitherOnItem(class, one, other) => (class, vec![one, other]),
                _ => continue,
            };
            for action in &every {
                let is_enough = needed.contains(action) || *action == Action::MANAGE;
                let expected: Vec<_> = is_enough.then(|| class.clone()).into_iter().collect();
                assert_eq!(
                    permitted(operation, std::slice::from_ref(action)),
                    expected,
                    "{operation:?} with {action}"
                );
            }
        }
    }

    #[test]
    fn sharing_is_permitted_to_those_who_manage_an_item_of_any_class() {
        for operation in [
            Operation::GrantCreate,
            Operation::GrantList,
            Operation::GrantDelete,
        ] {
            assert_eq!(permitted(operation, &[Action::MANAGE]), CLASSES);
            assert_eq!(permitted(operation, &[Action::UPDATE]), []);
        }
        assert_eq!(permitted(Operation::ResourceGet, &[Action::READ]), CLASSES);
        assert_eq!(permitted(Operation::ResourceGet, &[]), []);
    }

    #[test]
    fn an_operation_on_no_item_is_not_permitted_by_managing_one() {
        for operation in [
            Operation::GroupCreate,
            Operation::FormCreate,
            Operation::ResourceRegister,
            Operation::TokenCreate,
            Operation::OwnTokenList,
            Operation::PeopleSearch,
        ] {
            assert_eq!(permitted(operation, &[Action::MANAGE]), [], "{operation:?}");
        }
    }
}
