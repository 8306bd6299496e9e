//! One type for all values that a constructor or parser refuses, so that `?` turns each into [`Error`](enum@crate::Error).

use crate::authz::condition::ConditionError;
use crate::id::InvalidId;
use crate::model::action::ReservedClass;
use crate::model::event_type::UnknownEventType;
use crate::model::idempotency::InvalidKey;
use crate::model::subject::InvalidSubject;
use crate::model::text::InvalidText;
use crate::model::words::InvalidWord;
use crate::page::InvalidPageSize;
use crate::time::InvalidTimestamp;

macro_rules! invalid_values {
    ($($(#[$doc:meta])* $variant:ident($cause:ty),)+) => {
        /// A value that its constructor or parser rejected.
        ///
        /// The error type of every constructor converts to [`Error`](enum@crate::Error), so that one `?` serves for
        /// building values and for calling services:
        ///
        /// ```
        /// use formalize_core::{Action, Error, FormId, NewGrant, ResourceRef, UserId};
        ///
        /// fn grant(user: &str, form: &str) -> Result<NewGrant, Error> {
        ///     let form: FormId = form.parse()?;
        ///     Ok(NewGrant::new(UserId::new(user)?, Action::READ, ResourceRef::form(form)))
        /// }
        ///
        /// assert!(grant("bob", "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b").is_ok());
        /// assert!(matches!(grant("bob", "newsletter"), Err(Error::InvalidValue(_))));
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        #[error(transparent)]
        pub enum InvalidValue {
            $($(#[$doc])* $variant(#[from] $cause),)+
        }
    };
}

invalid_values! {
    /// The identifier of a record is not a UUID.
    Id(InvalidId),
    /// A user, action, class, resource or dynamic group has a malformed name.
    Text(InvalidText),
    /// A timestamp is malformed or out of range.
    Timestamp(InvalidTimestamp),
    /// A subject is malformed.
    Subject(InvalidSubject),
    /// A submission state or an action on submitted submissions has an unknown name.
    Word(InvalidWord),
    /// A type of event has an unknown name.
    EventType(UnknownEventType),
    /// A page is empty or too large.
    PageSize(InvalidPageSize),
    /// A class has the name of a built-in class.
    Class(ReservedClass),
    /// An idempotency key is malformed.
    Key(InvalidKey),
    /// An expression does not compile.
    Condition(ConditionError),
}
