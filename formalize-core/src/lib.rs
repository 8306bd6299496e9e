//! Forms, submissions and authorization.

pub mod authz;
mod error;
mod id;
pub mod model;
mod page;
mod service;
pub mod store;
mod time;

pub use authz::Policies;
pub use authz::condition::Condition;
pub use error::{Error, Field, Result};
pub use id::{
    FormId, GrantId, GroupId, IdSource, InvalidId, MembershipId, ResourceId, Revision, SubmissionId, TokenId,
    UuidV7Source,
};
pub use model::action::{Action, ActionCatalog, Actions, ClassActions, Labels, ReservedClass};
pub use model::data_schema::{DataSchema, Rejection, Violation};
pub use model::form::{
    Availability, Change, Form, FormChange, FormFilter, FormName, NewForm, SubmissionCap, SubmissionRules,
    SubmissionState, SubmissionStates, SubmittedAction, SubmittedActions,
};
pub use model::grant::{Grant, GrantRecord, NamedHolder, NamedResource, NewGrant};
pub use model::group::{Group, GroupChange, GroupFilter, GroupName, NewGroup};
pub use model::membership::{Member, Membership, NewMembership};
pub use model::resource::{Anchor, Resource, ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef};
pub use model::subject::{Attributes, Caller, DynamicGroupId, Subject, User, UserId};
pub use model::submission::{
    MAX_DATA_BYTES, NewSubmission, OutputValidation, RequestedState, Submission, SubmissionChange, SubmissionFilter,
};
pub use model::text::InvalidText;
pub use model::token::{ApiToken, NewApiToken, SecretHash};
pub use page::{Page, PageRequest, PageSize, Position, Window};
pub use service::{
    ActionsService, Builder, ClassActionsView, FormView, Formalize, FormsService, GrantsService, GroupsService,
    MembershipsService, ResourcesService, Secret, SubmissionsService, TokensService, Viewed,
};
pub use store::{Store, StoreError};
pub use time::{Clock, FixedClock, InvalidTimestamp, SystemClock, Timestamp};
