//! One type for all values that a constructor or parser refuses, so that `?` turns each into [`Error`].

use formalize_schema::{InvalidFileAttributeName, Rejection};

use crate::authz::condition::ConditionError;
use crate::error::{Error, Field};
use crate::id::InvalidId;
use crate::model::action::ReservedClass;
use crate::model::event::UnknownEventType;
use crate::model::form::InvalidWord;
use crate::model::idempotency::InvalidKey;
use crate::model::subject::InvalidSubject;
use crate::model::text::InvalidText;
use crate::page::InvalidPageSize;
use crate::time::InvalidTimestamp;

macro_rules! invalid_values {
    ($($(#[$doc:meta])* $variant:ident($cause:ty),)+) => {
        /// A value that its constructor or parser rejected.
        ///
        /// The error type of every constructor converts to [`Error`], so that one `?` serves for building values and for
        /// calling services:
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

        $(impl From<$cause> for Error {
            fn from(cause: $cause) -> Self {
                Self::InvalidValue(cause.into())
            }
        })+
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

/// The rejection of a form's schema, which [`DataSchema::compile`](crate::DataSchema::compile) returns.
///
/// [`parse_json`](crate::parse_json) and [`DataSchema::validate`](crate::DataSchema::validate) reject data with the same
/// type: turn those into [`Error::SubmissionDataInvalid`] with `map_err`.
impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        Self::DataSchemaInvalid(rejection)
    }
}

impl From<InvalidFileAttributeName> for Error {
    fn from(_: InvalidFileAttributeName) -> Self {
        Self::SubmittedFileInvalid(vec![Field::FileAttributeName])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::action::{Action, ActionCatalog, ClassActions};
    use crate::model::event::EventType;
    use crate::model::form::{FormName, SubmissionState};
    use crate::model::idempotency::IdempotencyKey;
    use crate::model::subject::{Subject, UserId};
    use crate::offload::OffloadError;
    use crate::time::Timestamp;
    use crate::{Condition, DataSchema, FileAttributeName, FormId, PageSize, ResourceClass};

    /// Compiles only if `?` converts the error of every constructor.
    fn construct(wrong: &str) -> Result<(), Error> {
        match wrong {
            "id" => drop(wrong.parse::<FormId>()?),
            "text" => drop((UserId::new("")?, Action::new("")?)),
            "timestamp" => drop(wrong.parse::<Timestamp>()?),
            "subject" => drop(wrong.parse::<Subject>()?),
            "word" => drop(wrong.parse::<SubmissionState>()?),
            "event type" => drop(wrong.parse::<EventType>()?),
            "page size" => drop(PageSize::new(0)?),
            "class" => {
                let class = ResourceClass::FORM;
                drop(ActionCatalog::default().with_class(class, ClassActions::default())?);
            }
            "condition" => drop(Condition::compile("(")?),
            "schema" => drop(DataSchema::compile("{")?),
            "key" => drop(IdempotencyKey::new("")?),
            "name" => drop(FormName::new("")?),
            "group of files" => drop(FileAttributeName::new("")?),
            "offload" => Err(OffloadError::TooMuchWaiting)?,
            _ => {}
        }
        Ok(())
    }

    #[test]
    fn every_constructor_error_converts_to_the_error_of_services() {
        let told = |wrong| format!("{:?}", construct(wrong).unwrap_err());
        for (wrong, expected) in [
            ("id", "InvalidValue(Id("),
            ("text", "InvalidValue(Text("),
            ("timestamp", "InvalidValue(Timestamp("),
            ("subject", "InvalidValue(Subject("),
            ("word", "InvalidValue(Word("),
            ("event type", "InvalidValue(EventType("),
            ("page size", "InvalidValue(PageSize("),
            ("class", "InvalidValue(Class("),
            ("key", "InvalidValue(Key("),
            ("condition", "InvalidValue(Condition("),
            ("schema", "DataSchemaInvalid("),
            ("name", "FormInvalid("),
            (
                "group of files",
                "SubmittedFileInvalid([FileAttributeName])",
            ),
            ("offload", "Store(Unavailable("),
        ] {
            assert!(told(wrong).starts_with(expected), "{}", told(wrong));
        }
    }
}
