//! The JSON of requests and responses.
//!
//! A struct of a request body is there for the OpenAPI document; its [`Read`] takes the members of
//! a body one by one and builds what the core takes. What a text or number may be is known to the
//! core; what is absent, null or of the wrong type is judged here.

mod body;
pub mod form;
pub mod grant;
pub mod group;
pub mod member;
mod members;
pub mod submission;
mod value;

pub use body::Body;
pub use members::{Members, Read};
pub use value::{Id, Instant, Nullable};
