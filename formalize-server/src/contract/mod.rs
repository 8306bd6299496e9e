//! The contract as data: which operations there are, which errors there are, and which error
//! answers which cause.
//!
//! Everything that differs from one route to the next stands in the table of [`operation`];
//! everything that differs from one error to the next stands in the table of [`error`]. The rest
//! of the crate reads these tables: the middleware judges requests by them, the OpenAPI document is
//! completed from them, and the tests walk them.

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

/// The two areas of the interface; an error of the transport carries the name of its area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Groups, members, resources, grants and available actions.
    Authorization,
    /// Forms and submissions, and every route that is in neither area.
    Formalize,
}

impl Area {
    /// The area that a path belongs to, whether or not there is such a route.
    ///
    /// ```
    /// use formalize_server::contract::Area;
    /// assert_eq!(Area::of("/authorization/groups"), Area::Authorization);
    /// assert_eq!(Area::of("/nowhere"), Area::Formalize);
    /// ```
    pub fn of(path: &str) -> Self {
        match path.split('/').nth(1) {
            Some("authorization") => Self::Authorization,
            _ => Self::Formalize,
        }
    }

    /// The name as it stands before the colon of an error id.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authorization => "authorization",
            Self::Formalize => "formalize",
        }
    }
}
