//! Bodies of requests in JSON.

use formalize_core::{Caller, Error, offload_for, parse_json};
use formalize_views::{BadBody, BadValue, Members, RequestBody, check::MAX_CHECKS};
use serde_json::{Map, Value};

use crate::{
    contract::{ErrorKey, Operation},
    failure::{Fault, Refusal},
};

/// Parses a body, on another thread if it is large.
///
/// # Errors
///
/// A refusal if the body is invalid, or too much work is waiting.
pub async fn read_body<T: RequestBody>(
    bytes: impl AsRef<[u8]> + Send + 'static,
    operation: Operation,
    caller: &Caller,
) -> Result<T::Value, Refusal> {
    if bytes.as_ref().len() <= T::LIGHT_BYTES {
        return parse::<T>(bytes.as_ref(), operation);
    }
    offload_for(caller, move || parse::<T>(bytes.as_ref(), operation))
        .await
        .map_err(Error::from)?
}

fn parse<T: RequestBody>(bytes: &[u8], operation: Operation) -> Result<T::Value, Refusal> {
    read_members::<T>(read_object(bytes)?, operation)
}

/// Parses a body that must be a JSON object.
///
/// # Errors
///
/// A refusal if it is something else.
pub fn read_object(bytes: &[u8]) -> Result<Map<String, Value>, Refusal> {
    let malformed = || Refusal::is(ErrorKey::InvalidRequestBody);
    let text =
        str::from_utf8(bytes).map_err(|_| malformed().saying("the request body is not UTF-8"))?;
    match parse_json(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(malformed().saying("the request body must be a JSON object")),
        Err(rejection) => Err(malformed().saying(format!("the request body {rejection}"))),
    }
}

/// Reads the members of a body.
///
/// # Errors
///
/// A refusal that lists all unknown fields and fields of the wrong type. If there are none, it lists the invalid values that have
/// the same error as the first one.
pub fn read_members<T: RequestBody>(
    object: Map<String, Value>,
    operation: Operation,
) -> Result<T::Value, Refusal> {
    Members::read::<T>(object).map_err(|bad| refusal(bad, operation))
}

fn refusal(bad: BadBody, operation: Operation) -> Refusal {
    match bad {
        BadBody::Malformed { faults, omitted } => {
            Refusal::listing(ErrorKey::InvalidRequestBody, faults).omitting(omitted)
        }
        BadBody::Invalid(values) => {
            let refusals = values.into_iter().map(of_value);
            let joined = refusals.reduce(|first, next| first.joined_by(next, operation));
            joined.unwrap_or_else(unexplained)
        }
        BadBody::Unexplained => unexplained(),
    }
}

fn unexplained() -> Refusal {
    Refusal::unforeseen("the body was rejected without an error")
}

fn of_value(bad: BadValue) -> Refusal {
    match bad {
        BadValue::Missing(field) => {
            Refusal::new(Fault::Missing).about(field.as_str(), "is required")
        }
        BadValue::Null(field, must_be) => {
            Refusal::new(Fault::Invalid).about(field.as_str(), &format!("must be {must_be}"))
        }
        BadValue::Refused(error) => error.into(),
        BadValue::TooManyChecks => Refusal::is(ErrorKey::PayloadTooLarge)
            .saying(format!("checks must not have more than {MAX_CHECKS} items")),
        BadValue::NoSuchFiles(names) => Refusal::is(ErrorKey::SubmittedFilesNotFound).naming(names),
    }
}
