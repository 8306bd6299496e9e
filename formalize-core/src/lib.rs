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
//!     Action, Caller, DataSchema, Error, FormName, Formalize, NewForm, NewGrant, NewSubmission, PageRequest,
//!     ResourceRef, SubmissionFilter, SubmissionRules, UserId,
//! };
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Error> {
//!     let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
//!
//!     // The application itself creates a form, which says what its submissions look like.
//!     let schema = r#"{"type": "object", "required": ["email"], "properties": {"email": {"format": "email"}}}"#;
//!     let new_form = NewForm {
//!         name: FormName::new("Newsletter")?,
//!         data_feed_schema: Some(DataSchema::compile(schema)?),
//!         rules: SubmissionRules::default(),
//!     };
//!     let form = formalize.forms().create(&Caller::System, new_form).await?.form;
//!
//!     // Bob may not submit until somebody says so.
//!     let bob = Caller::user(UserId::new("bob")?);
//!     let submission = |data: &str| NewSubmission::new(form.id, data);
//!     let refused = formalize.submissions().create(&bob, submission("{}")).await;
//!     assert!(matches!(refused, Err(Error::Forbidden)));
//!
//!     let grant = NewGrant::new(UserId::new("bob")?, Action::CREATE_SUBMISSIONS, ResourceRef::form(form.id));
//!     formalize.grants().create(&Caller::System, grant).await?;
//!
//!     // Now what he submits must satisfy the schema.
//!     match formalize.submissions().create(&bob, submission(r#"{"email": "bob"}"#)).await {
//!         Err(Error::SubmissionDataInvalid(why)) => {
//!             assert_eq!(why.messages(), ["/email: must be a valid email address"]);
//!         }
//!         other => panic!("{other:?}"),
//!     }
//!     formalize.submissions().create(&bob, submission(r#"{"email": "bob@example.org"}"#)).await?;
//!
//!     // What has come in, exactly as it was submitted.
//!     let (everything, first_page) = (SubmissionFilter::default(), PageRequest::default());
//!     let page = formalize.submissions().list(&Caller::System, form.id, &everything, &first_page).await?;
//!     let data: Vec<_> = page.items.iter().filter_map(|shown| shown.item.data.as_deref()).collect();
//!     assert_eq!(data, [r#"{"email": "bob@example.org"}"#]);
//!     Ok(())
//! }
//! ```
//!
//! To keep records in a file instead, open it with [`SqlStore`](store::sql::SqlStore), and
//! [migrate](store::sql::SqlStore::migrate) it.
//!
//! # Where to read on
//!
//! | you want to | read |
//! |---|---|
//! | understand who may do what, and why | [`guide::authorization`] |
//! | put forms into an application on axum or poem | [`guide::embed_in_axum`], [`guide::embed_in_poem`] |
//! | keep records in the database that your application has open already | [`guide::existing_pool`] |
//! | keep records somewhere else | [`guide::own_store`] |
//! | authorize access to the things of your own application | [`guide::own_resources`] |
//! | say who may create, and define dynamic groups | [`condition`], [`Policies`], [`Builder`] |
//! | know what a form can demand | [`DataSchema`], [`SubmissionRules`] |
//! | let programs in by tokens | [`TokensService`] |
//!
//! # How it is laid out
//!
//! [`Formalize`] has a service for each kind of record: [`FormsService`], [`SubmissionsService`], [`GroupsService`],
//! [`MembershipsService`], [`ResourcesService`], [`GrantsService`], [`ActionsService`], [`TokensService`]. Each of their
//! methods is one use case and one transaction, in which it is also decided whether the caller may.
//!
//! - The caller comes first. [`Caller::System`] may do everything.
//! - What cannot be, cannot be made: names, identifiers, caps and schemas are checked when they are parsed.
//! - `New…` is what to create, `…Change` what to change, `…Filter` what to list; `…View` and [`Viewed`] are records with
//!   what the caller may do to them.
//! - Lists come in pages: [`PageRequest`], [`Page`].
//! - Methods whose names end in `_in` take part in a transaction of your own, begun with [`Formalize::store`].
//! - Whoever changes what they have read can say which revision that was: [`Expected`].
//! - All of it fails with one [`Error`], which is exhaustive: whoever maps it to something else must look again when a case
//!   is added.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `sqlite` (default) | the SQLite store |
//! | `postgres` | the PostgreSQL store, with TLS |
//! | `config` | the configuration that the programs of this project share: settings, policies and classes in TOML |
//! | `conformance` | the suite that every store must pass, for stores of your own |
//!
//! Without features, which is enough for the store in memory, the crate depends on no database driver and no runtime.
//!
//! # Crates in the interface
//!
//! Types of these are part of the interface, so an application that names them uses the same version: `uuid` 1
//! (identifiers), `serde_json` 1 (attributes), `async-trait` 0.1 (to implement [`Store`]), `sqlx` 0.9 (pools), `toml` 1
//! (feature `config`).

mod authz;
#[cfg(feature = "config")]
pub mod config;
#[cfg(any(feature = "config", feature = "postgres"))]
mod database_parameters;
mod error;
#[cfg(any(doc, doctest))]
pub mod guide;
mod id;
#[doc(hidden)] // What the project's own tests and benchmarks look at; no part of the interface.
pub mod internals;
mod invalid_value;
mod model;
mod offload;
mod page;
mod schema;
mod service;
pub mod statistics;
pub mod store;
mod time;

pub use authz::Policies;
pub use authz::condition;
pub use authz::condition::Condition;
pub use error::{Error, Field, Result};
pub use id::{
    Expected, FormId, GrantId, GroupId, IdSource, InvalidId, MembershipId, ResourceId, Revision,
    SubmissionId, TokenId, UuidV7Source,
};
pub use invalid_value::InvalidValue;
pub use model::action::{Action, ActionCatalog, Actions, ClassActions, Labels, ReservedClass};
pub use model::form::{
    Availability, Change, Form, FormChange, FormFilter, FormName, NewForm, SubmissionCap,
    SubmissionRules, SubmissionState, SubmissionStates, SubmittedAction, SubmittedActions,
};
pub use model::grant::{Grant, NamedGrantee, NamedResource, NewGrant};
pub use model::group::{Group, GroupChange, GroupFilter, GroupName, NewGroup};
pub use model::membership::{Member, Membership, NewMembership};
pub use model::resource::{
    Anchor, Resource, ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef,
};
pub use model::subject::{
    Attributes, Caller, DynamicGroupId, InvalidSubject, Subject, User, UserId,
};
pub use model::submission::{
    MAX_DATA_BYTES, NewSubmission, OutputValidation, RequestedState, Submission, SubmissionChange,
    SubmissionFilter,
};
pub use model::text::InvalidText;
pub use model::token::{ApiToken, NewApiToken};
pub use offload::{OffloadError, offload};
pub use page::{InvalidPageSize, Page, PageRequest, PageSize, Position};
pub use schema::{DataSchema, Rejection, Violation, parse_json};
pub use service::{
    ActionsService, Builder, ClassActionsView, Current, FormView, Formalize, FormsService,
    GrantsService, GroupsService, MembershipsService, ResourcesService, Secret, SubmissionsService,
    TokensService, Viewed,
};
pub use store::{Store, StoreError};
pub use time::{Clock, FixedClock, InvalidTimestamp, SystemClock, Timestamp};

/// The program of the package's README; it would leave a file, so it is only compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
