//! Forms, submissions and authorization.

pub mod authz;
pub mod error;
pub mod id;
pub mod model;
pub mod page;
pub mod store;
pub mod time;

pub use error::{Error, Field, Result};
pub use id::{
    FormId, GrantId, GroupId, IdSource, InvalidId, MembershipId, ResourceId, Revision,
    SubmissionId, TokenId, UuidV7Source,
};
pub use model::action::{Action, ActionCatalog, Actions, ClassActions};
pub use model::subject::{Attributes, Caller, DynamicGroupId, Subject, UserId};
pub use model::text::InvalidText;
pub use page::{Page, PageRequest, PageSize, Position};
pub use time::{Clock, FixedClock, InvalidTimestamp, SystemClock, Timestamp};
