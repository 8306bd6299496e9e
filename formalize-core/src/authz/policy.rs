//! The policy table: the permission that each operation requires, and on which resource.

use std::fmt;

use crate::model::action::{Action, Actions};
use crate::model::resource::ResourceClass;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $rule:expr;)+) => {
        /// An operation of a service. `docs/permissions.md` has the permission that each one requires.
        ///
        /// Programs ask by operation what a caller may do, for example [`Viewed::may`](crate::Viewed::may), and need not know the
        /// actions that it takes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Operation { $($(#[$doc])* $name,)+ }

        impl Operation {
            /// Every operation.
            pub const ALL: [Self; [$(stringify!($name)),+].len()] = [$(Self::$name),+];
        }

        fn rule(operation: Operation) -> Rule {
            use Rule::{
                AnyAction, CheckerOfOthers, EitherOnItem, HolderOr, Items, LocalDataReader,
                OnCollection, OnItem, OnResource, Oneself, PeopleSearcher, SystemOnly, TokenCreator,
            };
            const GROUP: ResourceClass = ResourceClass::GROUP;
            const FORM: ResourceClass = ResourceClass::FORM;
            const SUBMISSION: ResourceClass = ResourceClass::SUBMISSION;
            match operation { $(Operation::$name => $rule,)+ }
        }
    };
}

// The policy table: an operation in each row, and the permission that it requires.
operations! {
    /// Create a group.
    GroupCreate => OnCollection(GROUP, Action::CREATE);
    /// Get a group.
    GroupGet => OnItem(GROUP, Action::READ);
    /// List groups.
    GroupList => Items(Operation::GroupGet);
    /// Change a group.
    GroupUpdate => OnItem(GROUP, Action::UPDATE);
    /// Delete a group.
    GroupDelete => OnItem(GROUP, Action::DELETE);
    /// Add a member to a group.
    MembershipCreate => OnItem(GROUP, Action::ADD_MEMBERS);
    /// Make a group a member of another one, as far as the member is concerned.
    MembershipCreateOfChild => OnItem(GROUP, Action::READ);
    /// Get a membership.
    MembershipGet => OnItem(GROUP, Action::READ);
    /// List the members of a group.
    MembershipList => OnItem(GROUP, Action::READ);
    /// Remove a member from a group.
    MembershipDelete => OnItem(GROUP, Action::DELETE_MEMBERS);
    /// Get a resource.
    ResourceGet => AnyAction;
    /// List resources.
    ResourceList => Items(Operation::ResourceGet);
    /// Register an item of a class of the application.
    ResourceRegister => SystemOnly;
    /// Deregister such an item.
    ResourceDeregister => SystemOnly;
    /// Check the permissions of other users.
    CheckOthers => CheckerOfOthers;
    /// Search the directory of people.
    PeopleSearch => PeopleSearcher;
    /// Read the local data of other users.
    LocalDataOfOthers => LocalDataReader;
    /// Create a grant on a resource.
    GrantCreate => OnResource(Action::MANAGE);
    /// Get a grant on a resource.
    GrantGet => HolderOr(Action::MANAGE);
    /// List the grants on a resource.
    GrantList => Items(Operation::GrantGet);
    /// Delete a grant on a resource.
    GrantDelete => OnResource(Action::MANAGE);
    /// Create a form.
    FormCreate => OnCollection(FORM, Action::CREATE);
    /// Get a form.
    FormGet => OnItem(FORM, Action::READ);
    /// Get the questions of a form.
    // Who may submit to a form must be able to see what it asks for.
    FormQuestions => EitherOnItem(FORM, Action::READ, Action::CREATE_SUBMISSIONS);
    /// List forms.
    FormList => Items(Operation::FormGet);
    /// List the forms to fill in.
    FormListToFillIn => Items(Operation::SubmissionCreate);
    /// Change a form.
    FormUpdate => OnItem(FORM, Action::UPDATE);
    /// Delete a form.
    FormDelete => OnItem(FORM, Action::DELETE);
    /// Submit to a form.
    SubmissionCreate => OnItem(FORM, Action::CREATE_SUBMISSIONS);
    /// Get a submission.
    SubmissionGet => OnItem(SUBMISSION, Action::READ);
    /// List the submissions to a form.
    SubmissionList => Items(Operation::SubmissionGet);
    /// Change a submission.
    SubmissionUpdate => OnItem(SUBMISSION, Action::UPDATE);
    /// Delete a submission.
    SubmissionDelete => OnItem(SUBMISSION, Action::DELETE);
    /// Delete all that was submitted to a form.
    SubmissionDeleteAll => OnItem(FORM, Action::DELETE_SUBMISSIONS);
    /// List the files of a submission.
    // Files belong to their submission. Taking one out changes the submission.
    SubmissionFileList => OnItem(SUBMISSION, Action::READ);
    /// Get the description of a file.
    SubmissionFileGet => OnItem(SUBMISSION, Action::READ);
    /// Read the content of a file.
    SubmissionFileRead => OnItem(SUBMISSION, Action::READ);
    /// Add a file to a submission.
    SubmissionFileAdd => OnItem(SUBMISSION, Action::UPDATE);
    /// Remove a file from a submission.
    SubmissionFileRemove => OnItem(SUBMISSION, Action::UPDATE);
    /// Create a public link to a form.
    LinkCreate => OnItem(FORM, Action::MANAGE);
    /// Get a public link.
    LinkGet => OnItem(FORM, Action::MANAGE);
    /// List the public links to a form.
    LinkList => OnItem(FORM, Action::MANAGE);
    /// Change a public link.
    LinkUpdate => OnItem(FORM, Action::MANAGE);
    /// Delete a public link.
    LinkDelete => OnItem(FORM, Action::MANAGE);
    /// Create a webhook of a form.
    WebhookCreate => OnItem(FORM, Action::MANAGE);
    /// Get a webhook.
    WebhookGet => OnItem(FORM, Action::MANAGE);
    /// List webhooks.
    WebhookList => Items(Operation::WebhookGet);
    /// Change a webhook.
    WebhookUpdate => OnItem(FORM, Action::MANAGE);
    /// Delete a webhook.
    WebhookDelete => OnItem(FORM, Action::MANAGE);
    /// Replace the secret of a webhook.
    WebhookRotateSecret => OnItem(FORM, Action::MANAGE);
    /// Send a test event to a webhook.
    WebhookTest => OnItem(FORM, Action::MANAGE);
    /// List the deliveries of a webhook.
    WebhookDeliveries => OnItem(FORM, Action::MANAGE);
    /// Send deliveries of a webhook again.
    WebhookResend => OnItem(FORM, Action::MANAGE);
    /// Create, read or change a webhook of all forms.
    // It shows what the managers of other forms have made.
    WebhookOfAllForms => SystemOnly;
    /// Create an API token for another user.
    TokenCreate => SystemOnly;
    /// List the API tokens of all users.
    TokenList => SystemOnly;
    /// Revoke an API token of another user.
    TokenRevoke => SystemOnly;
    /// Create an API token for oneself.
    OwnTokenCreate => TokenCreator;
    /// List one's own API tokens.
    OwnTokenList => Oneself;
    /// Revoke one of one's own API tokens.
    OwnTokenRevoke => Oneself;
    /// Create a session of a person who has signed in.
    SessionCreate => SystemOnly;
    /// End all sessions of a user.
    SessionEndAll => SystemOnly;
}

impl Operation {
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
