//! What a service call can fail with.

use crate::invalid_value::InvalidValue;
use crate::schema::Rejection;
use crate::service::Current;
use crate::store::StoreError;

/// The result of a service call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! fields {
    ($($variant:ident = $name:literal,)+) => {
        /// A field of a record by its name in the interface.
        #[expect(missing_docs, reason = "the names say it")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field { $($variant,)+ }

        impl Field {
            /// The name in the interface, in camel case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

fields! {
    Name = "name",
    GroupIdentifier = "groupIdentifier",
    UserIdentifier = "userIdentifier",
    ChildGroupIdentifier = "childGroupIdentifier",
    DynamicGroupIdentifier = "dynamicGroupIdentifier",
    Action = "action",
    ResourceClass = "resourceClass",
    ResourceIdentifier = "resourceIdentifier",
    AuthorizationResourceIdentifier = "authorizationResourceIdentifier",
    DataFeedSchema = "dataFeedSchema",
    GrantBasedSubmissionAuthorization = "grantBasedSubmissionAuthorization",
    AllowedActionsWhenSubmitted = "allowedActionsWhenSubmitted",
    AllowedSubmissionStates = "allowedSubmissionStates",
    AvailableStarts = "availableStarts",
    AvailabilityEnds = "availabilityEnds",
    MaxNumSubmissionsPerCreator = "maxNumSubmissionsPerCreator",
    FormIdentifier = "formIdentifier",
    DataFeedElement = "dataFeedElement",
    SubmissionState = "submissionState",
}

impl std::fmt::Display for Field {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why a service call failed.
///
/// The enum is exhaustive on purpose: code that maps it must be revisited when a case is added.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller is not entitled to this.
    #[error("you do not have permission to do this")]
    Forbidden,
    /// A value was refused before a service was called; see [`InvalidValue`].
    #[error(transparent)]
    InvalidValue(#[from] InvalidValue),
    /// A page was asked for with a cursor that was not given out to this caller for this list.
    #[error("the cursor does not belong to this list of this caller")]
    InvalidCursor,

    /// The record is not in the state in which the caller expected it; see [`Expected`](crate::Expected).
    #[error("the record was changed in the meantime")]
    RevisionMismatch {
        /// The record as it is now, if the caller may read it.
        current: Option<Box<Current>>,
    },

    /// No such group; the field tells which member of a request named it.
    #[error("group not found")]
    GroupNotFound(Option<Field>),
    /// No such membership.
    #[error("membership not found")]
    MembershipNotFound,
    /// No such resource.
    #[error("resource not found")]
    ResourceNotFound,
    /// No such grant.
    #[error("grant not found")]
    GrantNotFound,
    /// No such class of resources.
    #[error("resource class not found")]
    ResourceClassNotFound,
    /// No such dynamic group.
    #[error("dynamic group not found")]
    DynamicGroupNotFound,
    /// No such form.
    #[error("form not found")]
    FormNotFound,
    /// No such submission.
    #[error("submission not found")]
    SubmissionNotFound,
    /// No such token.
    #[error("token not found")]
    TokenNotFound,

    /// Fields of a group are missing or have impossible values.
    #[error("invalid group: {}", names(.0))]
    GroupInvalid(Vec<Field>),
    /// Fields of a membership are missing or have impossible values.
    #[error("invalid membership: {}", names(.0))]
    MembershipInvalid(Vec<Field>),
    /// The group has that member already.
    #[error("the group already has this member")]
    MembershipExists,

    /// A grant without an action.
    #[error("the action of the grant is missing")]
    GrantActionMissing,
    /// The action is not defined for the class, or not for this kind (item or collection).
    #[error("the action is not defined for the class of the resource")]
    GrantActionUndefined,
    /// Not exactly one holder; the fields at fault.
    #[error("a grant must have exactly one holder: {}", names(.0))]
    GrantInvalidHolder(Vec<Field>),
    /// The parts that name the resource of a grant are missing or disagree.
    #[error("the resource of the grant is missing or contradictory: {}", names(.0))]
    GrantInvalidResource(Vec<Field>),
    /// No dynamic group of this name is defined.
    #[error("the dynamic group is not defined")]
    DynamicGroupUndefined,
    /// The same grant exists.
    #[error("the grant already exists")]
    GrantExists,
    /// An item must keep at least one `manage` grant.
    #[error("the last `manage` grant of an item cannot be deleted")]
    LastManageGrant,
    /// The resource is registered already.
    #[error("the resource is already registered")]
    ResourceExists,
    /// Items of the service's own classes come and go with their groups, forms and submissions.
    #[error("resources of this class are managed by the service itself")]
    ResourceReserved,

    /// Fields of a form are missing or have impossible values.
    #[error("invalid form: {}", names(.0))]
    FormInvalid(Vec<Field>),
    /// The schema of a form is no JSON or no JSON Schema that can be used.
    #[error("invalid schema: {0}")]
    DataSchemaInvalid(Rejection),
    /// These fields can change only while a form has no submissions.
    #[error("cannot change while the form has submissions: {}", names(.0))]
    FormHasSubmissions(Vec<Field>),

    /// The form does not allow this state; the word that was asked for.
    #[error("the form does not allow the state `{0}`")]
    SubmissionStateNotAllowed(String),
    /// A submitted submission cannot become a draft again.
    #[error("a submitted submission cannot become a draft again")]
    SubmissionStateTransitionNotAllowed,
    /// The form does not accept submissions at this time.
    #[error("the form does not accept submissions at this time")]
    FormNotAvailable,
    /// The creator has as many submissions of the form as it allows.
    #[error("the creator has reached the limit of submissions for this form")]
    SubmissionCapReached,
    /// The data is no JSON, or breaks the schema.
    #[error("invalid data: {0}")]
    SubmissionDataInvalid(Rejection),
    /// The data has more than 1 MiB.
    #[error("the data must not be larger than 1 MiB")]
    SubmissionDataTooLarge,

    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    pub(crate) fn revision_mismatch(current: Option<impl Into<Current>>) -> Self {
        Self::RevisionMismatch {
            current: current.map(|current| Box::new(current.into())),
        }
    }
}

fn names(fields: &[Field]) -> String {
    fields
        .iter()
        .map(|field| field.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}
