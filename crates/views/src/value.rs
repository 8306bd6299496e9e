//! Values in JSON.

use std::fmt::Display;

use serde::Serialize;

/// Declares a string with a format.
macro_rules! formatted {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct $name(pub(crate) String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Display> From<T> for $name {
            fn from(value: T) -> Self {
                Self(value.to_string())
            }
        }
    )+};
}

formatted! {
    /// An identifier of the service: a UUID, in lower case on output.
    Id;
    /// An instant: RFC 3339 in UTC with milliseconds.
    Instant;
}

/// A nullable value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct OrNull<T>(pub Option<T>);

impl<T> From<Option<T>> for OrNull<T> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}
