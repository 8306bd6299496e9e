//! Forms, submissions and authorization, as a library.
//!
//! People fill in *forms* that are described by JSON Schemas; what they enter are *submissions*. Who may do what
//! follows from *grants*: a user, a group or a dynamic group may do an action to a resource. Groups contain users and
//! other groups. Everything is kept in a [`Store`]: in memory, in SQLite, in PostgreSQL, or in one of your own.
//!
//! [`Formalize`] is the entry point. It takes a store, a clock and a [`Caller`], and needs no server:
//!
//! ```
//! use std::sync::Arc;
//!
//! use formalize_core::store::memory::MemoryStore;
//! use formalize_core::{
//!     Action, Caller, DataSchema, Error, FormName, Formalize, NamedHolder, NamedResource, NewForm, NewGrant,
//!     NewSubmission, RequestedState, ResourceClass, SubmissionRules, UserId,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
//! let bob = Caller::user(UserId::new("bob")?);
//!
//! // The application itself creates a form, which says what its submissions look like.
//! let schema = r#"{"type": "object", "required": ["email"], "properties": {"email": {"format": "email"}}}"#;
//! let form = formalize
//!     .forms()
//!     .create(
//!         &Caller::System,
//!         NewForm {
//!             name: FormName::new("Newsletter")?,
//!             data_feed_schema: Some(DataSchema::compile(schema).map_err(Error::DataSchemaInvalid)?),
//!             rules: SubmissionRules::default(),
//!         },
//!     )
//!     .await?
//!     .form;
//!
//! let submission = |data: &str| NewSubmission {
//!     form: form.id,
//!     data: Some(data.to_owned()),
//!     state: RequestedState::default(),
//! };
//!
//! // Bob may not submit until somebody says so.
//! let refused = formalize.submissions().create(&bob, submission("{}")).await;
//! assert!(matches!(refused, Err(Error::Forbidden)));
//!
//! let holder = NamedHolder { user: Some("bob".to_owned()), ..NamedHolder::default() };
//! let resource = NamedResource {
//!     class: Some(ResourceClass::FORM.to_string()),
//!     identifier: Some(form.id.to_string()),
//!     record: None,
//! };
//! let action = Some(Action::CREATE_SUBMISSIONS.to_string());
//! formalize.grants().create(&Caller::System, NewGrant::from_request(action, holder, resource)?).await?;
//!
//! // Now what he submits must satisfy the schema.
//! let refused = formalize.submissions().create(&bob, submission(r#"{"email": "bob"}"#)).await;
//! assert!(matches!(refused, Err(Error::SubmissionDataInvalid(_))));
//! formalize.submissions().create(&bob, submission(r#"{"email": "bob@example.org"}"#)).await?;
//! # Ok(())
//! # }
//! ```
//!
//! An application registers classes and actions of its own in an [`ActionCatalog`], and items of them with
//! [`ResourcesService::register`]; it asks [`ResourcesService::is_granted`] before it acts and
//! [`ResourcesService::list`] to show a person's things. Methods whose names end in `_in` take part in a transaction
//! begun with [`Formalize::store`].
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `sqlite` (default) | the SQLite store |
//! | `postgres` (default) | the PostgreSQL store |
//! | `config` | reading the library's part of the configuration file |
//! | `conformance` | the suite that every store must pass, for stores of your own |

mod apart;
pub mod authz;
#[cfg(feature = "config")]
pub mod config;
mod error;
mod id;
pub mod model;
mod page;
mod service;
pub mod statistics;
pub mod store;
mod time;

pub use apart::{Interrupted, apart};
pub use authz::Policies;
pub use authz::condition::Condition;
pub use error::{Error, Field, Result};
pub use id::{
    Expected, FormId, GrantId, GroupId, IdSource, InvalidId, MembershipId, ResourceId, Revision,
    SubmissionId, TokenId, UuidV7Source,
};
pub use model::action::{Action, ActionCatalog, Actions, ClassActions, Labels, ReservedClass};
pub use model::data_schema::{DataSchema, Rejection, Violation};
pub use model::form::{
    Availability, Change, Form, FormChange, FormFilter, FormName, NewForm, SubmissionCap,
    SubmissionRules, SubmissionState, SubmissionStates, SubmittedAction, SubmittedActions,
};
pub use model::grant::{Grant, GrantRecord, NamedHolder, NamedResource, NewGrant};
pub use model::group::{Group, GroupChange, GroupFilter, GroupName, NewGroup};
pub use model::membership::{Member, Membership, NewMembership};
pub use model::resource::{
    Anchor, Resource, ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef,
};
pub use model::subject::{Attributes, Caller, DynamicGroupId, Subject, User, UserId};
pub use model::submission::{
    MAX_DATA_BYTES, NewSubmission, OutputValidation, RequestedState, Submission, SubmissionChange,
    SubmissionFilter,
};
pub use model::text::InvalidText;
pub use model::token::{ApiToken, NewApiToken, SecretHash};
pub use page::{Page, PageRequest, PageSize, Position, Window};
pub use service::{
    ActionsService, Builder, ClassActionsView, Current, FormView, Formalize, FormsService,
    GrantsService, GroupsService, MembershipsService, ResourcesService, Secret, SubmissionsService,
    TokensService, Viewed,
};
pub use store::{Store, StoreError};
pub use time::{Clock, FixedClock, InvalidTimestamp, SystemClock, Timestamp};
