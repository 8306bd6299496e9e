//! The contract as data: the operations, the errors, and the error for each cause.
//!
//! Differences between routes are in the table of [`operation`], and differences between errors in the table of
//! [`error`]. The rest of the crate reads these tables: the middleware validates requests by them, the OpenAPI document
//! is completed from them, and the tests iterate over them.

pub mod condition;
pub mod error;
pub mod operation;
pub mod parameter;
pub mod route;

pub use condition::Condition;
pub use error::{Details, ErrorKey, ErrorRow, Origin};
pub use operation::{Operation, Spec, Verb, endpoint};
pub use parameter::{Kind, Parameter};
pub use route::{Matched, PathParameters, route};

/// The two areas of the interface. The id of a transport error begins with the name of its area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Groups, members, resources, grants and available actions.
    Authorization,
    /// Forms and submissions, and all routes outside both areas.
    Formalize,
}

impl Area {
    /// The area of a path, whether or not the route exists.
    ///
    /// ```
    /// use formalize_http::contract::Area;
    /// assert_eq!(Area::of("/authorization/groups"), Area::Authorization);
    /// assert_eq!(Area::of("/nowhere"), Area::Formalize);
    /// ```
    pub fn of(path: &str) -> Self {
        match path.split('/').nth(1) {
            Some("authorization") => Self::Authorization,
            _ => Self::Formalize,
        }
    }

    /// The name before the colon of an error id.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authorization => "authorization",
            Self::Formalize => "formalize",
        }
    }
}
