//! Forms, submissions and authorization, as a library.
//!
//! Users submit data to *forms*, which JSON Schemas describe; the data are *submissions*. Permissions follow from *grants*: a
//! grant allows a user, a group or a dynamic group to perform an action on a resource. Groups contain users and other groups.
//! A [`Store`] keeps all records: in memory, in SQLite, in PostgreSQL, or in a store of your own.
//!
//! [`Formalize`] is the entry point. It needs a store, and no server:
//!
//! ```
//! use std::sync::Arc;
//!
//! use formalize_core::store::memory::MemoryStore;
//! use formalize_core::{
//!     Action, Caller, Error, FormName, Formalize, NewForm, NewGrant, NewSubmission, PageRequest,
//!     ResourceRef, SubmissionFilter, SubmissionRules, UserId,
//! };
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Error> {
//!     let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
//!
//!     // The application creates a form with a schema for its submissions.
//!     let schema = r#"{"type": "object", "required": ["email"], "properties": {"email": {"format": "email"}}}"#;
//!     let new_form = NewForm {
//!         data_feed_schema: Some(schema.to_owned()),
//!         ..NewForm::new(FormName::new("Newsletter")?)
//!     };
//!     let form = formalize.forms().create(&Caller::System, new_form).await?.item;
//!
//!     // Bob needs a grant to submit.
//!     let bob = Caller::user(UserId::new("bob")?);
//!     let submission = |data: &str| NewSubmission::new(form.id, data);
//!     let refused = formalize.submissions().create(&bob, submission("{}")).await;
//!     assert!(matches!(refused, Err(Error::Forbidden)));
//!
//!     let grant = NewGrant::new(UserId::new("bob")?, Action::CREATE_SUBMISSIONS, ResourceRef::form(form.id));
//!     formalize.grants().create(&Caller::System, grant).await?;
//!
//!     // His submissions must match the schema.
//!     match formalize.submissions().create(&bob, submission(r#"{"email": "bob"}"#)).await {
//!         Err(Error::SubmissionDataInvalid(why)) => {
//!             assert_eq!(why.messages(), ["/email: must be a valid email address"]);
//!         }
//!         other => panic!("{other:?}"),
//!     }
//!     formalize.submissions().create(&bob, submission(r#"{"email": "bob@example.org"}"#)).await?;
//!
//!     // Submissions are returned exactly as they were submitted.
//!     let (everything, first_page) = (SubmissionFilter::default(), PageRequest::default());
//!     let page = formalize.submissions().list(&Caller::System, form.id, &everything, &first_page).await?;
//!     let data: Vec<_> = page.items.iter().filter_map(|shown| shown.item.data.as_deref()).collect();
//!     assert_eq!(data, [r#"{"email": "bob@example.org"}"#]);
//!     Ok(())
//! }
//! ```
//!
//! To keep records in a database, add the crate `formalize-sql`, open its `SqlStore` and migrate it.
//!
//! # Further reading
//!
//! | To | read |
//! |---|---|
//! | understand permissions | [`guide::authorization`] |
//! | embed forms in an application on axum or poem | [`guide::embed_in_axum`], [`guide::embed_in_poem`] |
//! | share the database of your application | the crate `formalize-sql` |
//! | implement a store | [`guide::own_store`] |
//! | authorize access to resources of your own application | [`guide::own_resources`] |
//! | define policies and dynamic groups | [`condition`], [`Policies`](authorization::Policies), [`Builder`] |
//! | learn which rules a form can have | [`DataSchema`], [`SubmissionRules`] |
//! | authenticate programs with tokens | [`TokensService`](tokens::TokensService) |
//! | let anyone with a link submit | [`LinksService`](links::LinksService) |
//! | keep people signed in to web pages | [`SessionsService`](tokens::SessionsService) |
//! | learn who may look up people in a directory of yours | [`PeopleService`](authorization::PeopleService) |
//! | send events to other programs | [`WebhooksService`](webhooks::WebhooksService) |
//!
//! # Overview
//!
//! [`Formalize`] has a service for each kind of record: [`FormsService`], [`SubmissionsService`], [`GroupsService`],
//! [`MembershipsService`], [`ResourcesService`], [`GrantsService`]; others are in the modules [`authorization`], [`events`],
//! [`files`], [`links`], [`tokens`] and [`webhooks`]. Each method is one use case in one transaction, which includes the check
//! of permissions.
//!
//! - The first argument is the caller. [`Caller::System`] has all permissions.
//! - Values are validated when they are constructed: names, identifiers, caps and schemas are always valid.
//! - `New…` is a record to create, `…Change` a change, and `…Filter` selects records for a list. `…View` and [`Viewed`] are
//!   records with the actions that the caller has on them.
//! - Lists are paged: [`PageRequest`], [`Page`].
//! - Methods whose names end in `_in` run in a transaction of yours, which [`Formalize::store`] begins.
//! - A change can require the revision that was read: [`Expected`].
//! - There is one [`Error`], to which the errors of all constructors convert. It is exhaustive, so that the compiler points out
//!   new variants to code that maps it.
//!
//! # Features
//!
//! | Feature | Adds |
//! |---|---|
//! | `conditions` (default) | policies and dynamic groups as expressions in CEL; without it, they are functions |
//! | `forms` (default) | the use cases of forms and of what belongs to them: schemas, submissions, files, exports, imports, summaries, public links, webhooks and the change feed. Without it, groups, memberships, resources, grants, tokens and the event log remain |
//! | `csv` (default) | exports in CSV |
//! | `encryption` (default) | keys that encrypt the secrets of webhooks in the store |
//! | `timers` | waiting between two attempts of a transaction, and for events of other processes, on Tokio |
//! | `config` | the configuration that the programs of this project share: settings, policies and classes in TOML |
//! | `fs` | a store of files in a local folder |
//! | `s3` | a store of files in a bucket of S3 |
//! | `xlsx` | exports as workbooks |
//!
//! Without features, which is enough for the store in memory, the crate depends on no runtime. It never depends on a database
//! driver. Records of forms, what stores promise about them, and decisions about access to them are the same with and without
//! the feature `forms`, so that a store need not know which features a program has. `config`, `csv`, `encryption`, `fs`,
//! `s3`, `xlsx` and the crate `formalize-sql` enable it.
//!
//! # Schemas
//!
//! Schemas, questions and the editor come from the crate `formalize-schema`. Their examples import from it; the same names are
//! here.
//!
//! # Public dependencies
//!
//! Types of these crates are part of the public API; use the same versions: `uuid` 1 (identifiers), `serde_json` 1
//! (attributes), `async-trait` 0.1 (to implement [`Store`]), `bytes` 1 (contents of files), `toml` 1 (feature `config`).

#[macro_use]
mod macros;

mod admission;
mod authorizer;
mod authz;
#[cfg(feature = "config")]
pub mod config;
mod database_parameters;
mod error;
#[cfg(feature = "forms")]
pub mod export;
mod fields;
#[cfg(feature = "forms")]
pub mod file_store;
#[cfg(any(doc, doctest))]
pub mod guide;
mod id;
#[cfg(feature = "forms")]
pub mod import;
#[doc(hidden)] // For the tests, benchmarks and suites of this project; not part of the public API.
pub mod internals;
mod invalid_value;
mod listing;
mod model;
pub mod must_be;
mod offload;
mod page;
mod service;
pub mod statistics;
pub mod store;
#[cfg(feature = "forms")]
pub mod summary;
mod time;

pub use authz::condition;
pub use error::{Error, Result};
pub use fields::{Field, InvalidFields};
#[cfg(feature = "forms")]
pub use formalize_schema::{
    DataSchema, Rejection, Violation, editor, nearest_name, parse_json, questions,
};
pub use id::{
    Expected, FormId, GrantId, GroupId, InvalidId, MembershipId, ResourceId, Revision,
    SubmissionId, UuidV7Source,
};
pub use invalid_value::InvalidValue;
pub use model::action::{Action, Actions};
pub use model::change::Change;
pub use model::deletion::Deletion;
pub use model::form::{Form, FormChange, FormFilter, NewForm, SubmissionRules};
pub use model::form_details::FormName;
pub use model::grant::{Grant, NewGrant};
pub use model::group::{Group, GroupChange, GroupFilter, GroupName, NewGroup};
pub use model::membership::{Member, Membership, NewMembership};
pub use model::resource::{
    Resource, ResourceClass, ResourceFilter, ResourceIdentifier, ResourceRef,
};
pub use model::subject::{
    Attributes, Caller, DynamicGroupId, InvalidSubject, Subject, User, UserId,
};
pub use model::submission::{NewSubmission, Submission, SubmissionChange, SubmissionFilter};
pub use model::text::InvalidText;
pub use model::words::SubmissionState;
pub use offload::OffloadError;
#[cfg(feature = "forms")]
pub use offload::{offload, offload_for};
pub use page::{InvalidPageSize, Page, PageRequest, PageSize, Position};
pub use service::{
    Builder, Formalize, GrantsService, GroupsService, Maintained, MembershipsService,
    ResourcesService, Viewed,
};
#[cfg(feature = "forms")]
pub use service::{FormView, FormsService, SubmissionsService};
pub use store::{Store, StoreError};
pub use time::{Clock, FixedClock, InvalidTimestamp, SystemClock, Timestamp};

/// Who may do what: the actions of classes, policies, and explanations of permissions.
pub mod authorization {
    pub use crate::authorizer::turns::CallerTurn;
    pub use crate::authz::Policies;
    pub use crate::authz::condition::Condition;
    pub use crate::authz::policy::Operation;
    pub use crate::model::action::{ActionCatalog, ClassActions, Labels, ReservedClass};
    pub use crate::model::grant::{InvalidGrant, NamedGrantee, NamedResource};
    pub use crate::model::membership::MAX_GROUPS_OF_USER;
    pub use crate::model::resource::{Anchor, IdentifierFilter, Object};
    pub use crate::service::{
        ActionsService, ClassActionsView, PeopleService, Permission, PermissionCheck,
        ReadableLocalData,
    };
    #[cfg(feature = "forms")]
    pub use crate::service::{Explanation, HolderReason, Reason};
}

/// The log of changes, and those who read it.
pub mod events {
    pub use crate::id::EventId;
    pub use crate::model::event::{Event, EventData, EventFilter, EventSubscription, NewEvent};
    pub use crate::model::event_type::{EventType, UnknownEventType};
    pub use crate::service::{EventBatch, EventConsumer, EventPage, EventsService};
    #[cfg(feature = "forms")]
    pub use crate::service::{EventItem, FeedEvent, FeedPage, FeedRequest, FeedStart};
    pub use crate::store::EventLog;
}

/// Files of submissions.
pub mod files {
    pub use crate::id::{FileHoldId, FileId};
    pub use crate::model::file::hash::{ContentHash, InvalidHash};
    pub use crate::model::file::mime_type::MimeType;
    pub use crate::model::file::name::FileName;
    pub use crate::model::file::{FileHold, SubmittedFile};
    #[cfg(feature = "fs")]
    pub use crate::service::CopiedFiles;
    #[cfg(feature = "forms")]
    pub use crate::{
        model::file::new_file::NewFile,
        model::file::rejection::{FileViolation, FilesRejection},
        service::{FileLimits, FileToRead, FilesService, Upload},
    };
    #[cfg(feature = "forms")]
    pub use formalize_schema::{FileAttributeName, FileRule, FileRules, InvalidFileAttributeName};
}

/// The details and rules of forms.
pub mod forms {
    pub use crate::model::form::{Availability, SubmissionCap, SubmissionLimit};
    pub use crate::model::form_details::{
        AdditionalData, FormContact, FormDetails, FormDetailsChange, FrontendKey, FrontendKeys,
        LanguageTag, LocalizedNames,
    };
    pub use crate::model::tag::{AvailableTags, TagPermissions};
    pub use crate::model::words::{
        InvalidWord, SubmissionStates, SubmittedAction, SubmittedActions, TagAction, TagActions,
    };
    #[cfg(feature = "forms")]
    pub use crate::{
        model::warning::FormWarning,
        service::{
            FormAccess, FormHead, FormToFillIn, FormToManage, NamedForm, SchemaTrial,
            UnknownFormAccess,
        },
    };
}

/// Requests that are performed once, however often they are sent.
pub mod idempotency {
    pub use crate::model::idempotency::{
        Fingerprint, IdempotencyKey, InvalidKey, KeptResponse, KeyedRequest, Once,
    };
}

/// Public links to forms.
pub mod links {
    pub use crate::id::LinkId;
    pub use crate::model::link::{
        EmbedOrigins, FormLink, FormLinkChange, LinkCap, LinkLabel, NewFormLink,
    };
    pub use crate::model::subject::LinkCaller;
    #[cfg(feature = "forms")]
    pub use crate::service::LinksService;
}

/// Batches, tables and states of submissions.
pub mod submissions {
    pub use crate::model::submission::{MAX_DATA_BYTES, OutputValidation, RequestedState};
    pub use crate::model::tag::{Tag, Tags};
    #[cfg(feature = "forms")]
    pub use crate::{
        error::BatchOutcome,
        model::batch::{BatchItem, BatchTooLarge, BatchedSubmission, ItemKey, SubmissionBatch},
        service::{
            ChangedSubmission, Export, ImportTrial, PageEntries, SentForm, SubmissionTable,
            SubmissionToFillIn, TableCell, TableRow,
        },
    };
}

/// API tokens of programs, and sessions of browsers.
pub mod tokens {
    pub use crate::id::TokenId;
    pub use crate::model::token::{
        ApiToken, NewApiToken, NewOwnToken, NewSession, Session, TokenKind, TokenLabel,
    };
    pub use crate::service::{Secret, SessionsService, TokensService};
}

/// Webhooks, their receivers and their deliveries.
pub mod webhooks {
    pub use crate::id::{DeliveryId, WebhookId};
    pub use crate::model::target::{
        AllowedTarget, AllowedTargets, InvalidTarget, InvalidWebhookUrl, MAX_WEBHOOK_URL_CHARS,
        WebhookHost, WebhookUrl, is_global,
    };
    pub use crate::model::webhook::{
        Attempt, AttemptError, Delivery, DeliveryFilter, DeliveryState, DisabledReason,
        FrozenSubmission, MAX_OVERLAP, MAX_WEBHOOKS, Payload, Resend, Resent, UnknownDeliveryWord,
        Webhook, WebhookAnswer, WebhookDescription, WebhookEvents, WebhookHealth, WebhookRequest,
        WebhookView,
    };
    #[cfg(feature = "forms")]
    pub use crate::{
        model::webhook::{InvalidSecretKey, NewWebhook, SecretKeys, WebhookChange, WebhookSecret},
        service::{
            AttemptOutcome, ClaimedDelivery, DeliveryView, TestOutcome, WebhookTransport,
            WebhooksService,
        },
    };
}

/// The example of the README. It is only compiled, because running it would create a file.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
