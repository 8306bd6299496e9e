//! The policy table: the permission that each operation requires, and on which resource.

use std::fmt;

use crate::model::action::{Action, Actions};
use crate::model::resource::ResourceClass;

/// An operation of a service.
#[expect(
    missing_docs,
    reason = "the names are self-explanatory; the table below has the permission of each"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    GroupCreate,
    GroupGet,
    GroupList,
    GroupUpdate,
    GroupDelete,
    MembershipCreate,
    MembershipCreateOfChild,
    MembershipGet,
    MembershipList,
    MembershipDelete,
    ResourceGet,
    ResourceList,
    ResourceRegister,
    ResourceDeregister,
    CheckOthers,
    PeopleSearch,
    LocalDataOfOthers,
    GrantCreate,
    GrantGet,
    GrantList,
    GrantDelete,
    FormCreate,
    FormGet,
    FormQuestions,
    FormList,
    FormListToFillIn,
    FormUpdate,
    FormDelete,
    SubmissionCreate,
    SubmissionGet,
    SubmissionList,
    SubmissionUpdate,
    SubmissionDelete,
    SubmissionDeleteAll,
    SubmissionFileList,
    SubmissionFileGet,
    SubmissionFileRead,
    SubmissionFileAdd,
    SubmissionFileRemove,
    LinkCreate,
    LinkGet,
    LinkList,
    LinkUpdate,
    LinkDelete,
    WebhookCreate,
    WebhookGet,
    WebhookList,
    WebhookUpdate,
    WebhookDelete,
    WebhookRotateSecret,
    WebhookTest,
    WebhookDeliveries,
    WebhookResend,
    WebhookOfAllForms,
    TokenCreate,
    TokenList,
    TokenRevoke,
    OwnTokenCreate,
    OwnTokenList,
    OwnTokenRevoke,
    SessionCreate,
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
}
