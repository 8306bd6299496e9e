//! Refusals: why a request fails, and the problem document for it.

mod answer;
mod bounds;
mod cause;
mod large;

use std::{error::Error as StdError, fmt};

use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
};
use poem_openapi::types::Any;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    contract::{Area, Details, ErrorKey, Operation, Spec},
    tag::EntityTag,
};

pub use answer::{Answer, Failure, Problem, Violation};
pub use formalize_webhook_sender::chain;
pub use large::{Brief, Large};

/// The media type of a problem document.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// The value of `Retry-After` for an unavailable service, in seconds. A full queue is empty by then.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// The kind of a failure, which determines the row of the error table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// This row, regardless of the operation.
    Is(ErrorKey),
    /// A required value is missing; the operation determines the row.
    Missing,
    /// A value has the right type but is invalid; the operation determines the row.
    Invalid,
    /// The server failed; the operation determines the row.
    Unforeseen,
}

impl Fault {
    /// The row for this fault.
    pub fn key(self, operation: Option<Operation>) -> ErrorKey {
        let spec = operation.map(Operation::spec);
        match self {
            Self::Is(key) => key,
            Self::Missing => spec
                .and_then(|spec| spec.missing)
                .unwrap_or(ErrorKey::InvalidRequestBody),
            Self::Invalid => spec
                .and_then(|spec| spec.invalid)
                .unwrap_or(ErrorKey::InvalidRequestBody),
            Self::Unforeseen => spec.map_or(ErrorKey::InternalError, |spec| spec.failure),
        }
    }
}

/// Why a request fails.
#[derive(Debug)]
pub struct Refusal {
    fault: Fault,
    names: Vec<String>,
    detail: Option<String>,
    violations: Option<Box<[Violation]>>,
    /// How many more violations there are.
    omitted: usize,
    results: Option<Box<[Any<Value>]>>,
    header: Option<Box<(HeaderName, HeaderValue)>>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Refusal {
    /// A refusal for a fault, without details.
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            names: Vec::new(),
            detail: None,
            violations: None,
            omitted: 0,
            results: None,
            header: None,
            source: None,
        }
    }

    /// A refusal with a row of the table, regardless of the operation.
    pub fn is(key: ErrorKey) -> Self {
        Self::new(Fault::Is(key))
    }

    /// A refusal for several fields, parameters or headers: the name of each, and a sentence about it.
    pub fn listing(key: ErrorKey, faults: Vec<(String, String)>) -> Self {
        Self::new(Fault::Is(key)).with_faults(faults)
    }

    /// A refusal for missing query parameters.
    pub fn missing_parameters(names: Vec<String>) -> Self {
        let required = |name: String| {
            let sentence = format!("{name} is required");
            (name, sentence)
        };
        Self::new(Fault::Missing).with_faults(names.into_iter().map(required).collect())
    }

    /// A refusal for a route that supports other methods.
    pub fn method_not_allowed(allow: String) -> Self {
        Self::is(ErrorKey::MethodNotAllowed)
            .saying(format!("this route supports {allow}"))
            .with_header(header::ALLOW, allow)
    }

    /// A refusal for a client with too many requests in progress.
    pub fn too_many_in_progress() -> Self {
        Self::is(ErrorKey::TooManyRequests)
            .saying("too many requests from your address are in progress; wait for their responses")
            .with_header(header::RETRY_AFTER, "1".to_owned())
    }

    /// A refusal for a request about more items than the caller may send now. It may be sent again after these seconds.
    pub fn too_many_items(more_in: u64) -> Self {
        Self::is(ErrorKey::TooManyRequests)
            .saying("each hundred items of a request count as one request; send fewer, or later")
            .with_header(header::RETRY_AFTER, more_in.to_string())
    }

    /// A refusal for a request whose idempotency key belongs to one that is still being performed.
    pub fn key_in_use() -> Self {
        Self::is(ErrorKey::IdempotencyKeyInUse).with_header(header::RETRY_AFTER, "1".to_owned())
    }

    /// A refusal for a test of a webhook that was tested a moment ago.
    pub fn tested_recently() -> Self {
        Self::is(ErrorKey::TooManyRequests)
            .saying("a webhook can be tested once in five seconds")
            .with_header(header::RETRY_AFTER, "5".to_owned())
    }

    /// A refusal for a large response, if too much memory is in use.
    pub fn no_memory_for_response() -> Self {
        Self::is(ErrorKey::ServiceUnavailable).saying(
            "too many large responses are being sent; try again later, or request fewer items at once",
        )
    }

    /// A refusal for a body in another media type than those of an operation, or one that is compressed.
    pub fn unsupported_media(spec: &Spec) -> Self {
        let media: Vec<&str> = spec.request_media().collect();
        if !spec.streamed {
            return Self::other_media_than(&media);
        }
        let media = media.join(" or ");
        Self::is(ErrorKey::UnsupportedMediaType).saying(format!(
            "send the content of the file as it is, with Content-Type: {media}: uncompressed, and not as multipart"
        ))
    }

    /// A refusal for a body in another media type than these, or one that is compressed.
    pub fn other_media_than(media: &[&str]) -> Self {
        let media = media.join(" or ");
        Self::is(ErrorKey::UnsupportedMediaType).saying(format!(
            "send Content-Type: {media}, in UTF-8 and uncompressed"
        ))
    }

    /// A refusal for an item that has none of the tags in `If-Match`. It includes the item's tag if the caller may read
    /// the item.
    pub fn precondition_failed(tag: Option<EntityTag>) -> Self {
        let refusal = Self::is(ErrorKey::PreconditionFailed)
            .saying("the item has changed since you read it; read it again");
        match tag {
            Some(tag) => refusal.with_header(header::ETAG, tag.to_string()),
            None => refusal,
        }
    }

    /// A refusal for an unexpected failure, whose cause is only logged.
    pub fn unforeseen(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            ..Self::new(Fault::Unforeseen)
        }
    }

    /// Adds a header to the response.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: String) -> Self {
        let value = HeaderValue::try_from(value).ok();
        Self {
            header: value.map(|value| Box::new((name, value))),
            ..self
        }
    }

    fn with_faults(self, faults: Vec<(String, String)>) -> Self {
        let (names, sentences) = bounds::told(faults);
        let detail = (!sentences.is_empty()).then(|| sentences.join("; "));
        Self {
            names,
            detail,
            ..self
        }
    }

    /// Says in the detail that there are so many other faults.
    #[must_use]
    pub fn omitting(self, omitted: usize) -> Self {
        match self.detail {
            Some(detail) if omitted > 0 => Self {
                detail: Some(format!("{detail}; and {omitted} more")),
                ..self
            },
            _ => self,
        }
    }

    /// Adds what is at fault, such as a field or a parameter, and its requirement.
    #[must_use]
    pub fn about(self, name: &str, must: &str) -> Self {
        self.with_faults(vec![(name.to_owned(), format!("{name} {must}"))])
    }

    /// Adds the names of invalid fields or parameters, or invalid words.
    #[must_use]
    pub fn naming(self, names: Vec<String>) -> Self {
        Self { names, ..self }
    }

    /// Sets the detail of the problem.
    #[must_use]
    pub fn saying(self, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()),
            ..self
        }
    }

    /// Adds the violations of a schema, with one message for each, and the number of those that are not listed.
    #[must_use]
    pub fn violating(
        self,
        messages: Vec<String>,
        violations: Vec<Violation>,
        omitted: usize,
    ) -> Self {
        Self {
            names: messages,
            violations: Some(violations.into()),
            omitted,
            ..self
        }
    }

    /// Adds the results of the submissions of a batch.
    #[must_use]
    pub fn with_results(self, results: impl Iterator<Item = Value>) -> Self {
        Self {
            results: Some(results.map(Any).collect()),
            ..self
        }
    }

    /// Adds a cause for the log.
    #[must_use]
    pub fn caused_by(self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            ..self
        }
    }

    /// The fault, which determines the row.
    pub fn fault(&self) -> Fault {
        self.fault
    }

    /// The cause that is logged, if any.
    pub fn cause(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        self.source.as_deref()
    }

    /// The names of invalid fields or parameters, or invalid words.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The violations of a schema, if any.
    pub fn violations(&self) -> &[Violation] {
        self.violations.as_deref().unwrap_or_default()
    }

    /// How many more violations there are.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The detail of the problem, if any.
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    /// Adds the names and the detail of another refusal, provided that both have the same row.
    #[must_use]
    pub fn joined_by(mut self, other: Self, operation: Operation) -> Self {
        if self.fault.key(Some(operation)) == other.fault.key(Some(operation)) {
            self.names.extend(other.names);
            self.detail = match (self.detail, other.detail) {
                (Some(first), Some(second)) => Some(format!("{first}; {second}")),
                (first, second) => first.or(second),
            };
        }
        self
    }

    /// The status of the response. If the server failed, the cause is logged.
    pub fn reported(&self, operation: Option<Operation>) -> StatusCode {
        let row = self.fault.key(operation).row();
        if row.status >= 500 {
            let cause = self.source.as_deref().map_or_else(String::new, chain);
            tracing::error!(error_id = row.name, cause, "request failed");
        }
        StatusCode::from_u16(row.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The error response. `operation` is `None` if the request matches none.
    pub fn answer(self, operation: Option<Operation>, area: Area) -> Response {
        let key = self.fault.key(operation);
        let document = self.problem_of(key, operation.map(Operation::spec), area);
        let mut response =
            sized(&document, Problem::without_details).set_content_type(PROBLEM_JSON);
        response.set_status(self.reported(operation));
        response.headers_mut().extend(self.headers(operation));
        response
    }

    /// The headers of the error response, apart from those that describe its body.
    pub fn headers(self, operation: Option<Operation>) -> HeaderMap {
        let key = self.fault.key(operation);
        let mut headers = HeaderMap::new();
        if key == ErrorKey::AuthenticationRequired {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if key == ErrorKey::RequestTimeout {
            // Close the connection, because the rest of the request is not read.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if key.row().status == StatusCode::SERVICE_UNAVAILABLE.as_u16() {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        if let Some((name, value)) = self.header.map(|header| *header) {
            headers.insert(name, value);
        }
        headers
    }

    /// The problem document for a row of the table, as a value.
    pub fn document(&self, key: ErrorKey, spec: Option<&Spec>, area: Area) -> Value {
        json!(self.problem_of(key, spec, area))
    }

    /// The problem document of this refusal.
    pub fn problem(&self, operation: Operation) -> Problem {
        let (key, spec) = (self.fault.key(Some(operation)), operation.spec());
        self.problem_of(key, Some(spec), spec.area())
    }

    fn problem_of(&self, key: ErrorKey, spec: Option<&Spec>, area: Area) -> Problem {
        let row = key.row();
        let id = row.id(area);
        let details = match row.details {
            Details::None => json!([]),
            Details::Message => json!({ "message": row.title }),
            Details::Names | Details::Violations => json!(bounds::names(&self.names)),
        };
        let detail = match (&self.detail, spec.and_then(|spec| spec.purpose)) {
            (Some(detail), _) => bounds::detail(detail),
            (None, Some(purpose)) if key == ErrorKey::Forbidden => {
                format!("you do not have permission to {purpose}")
            }
            (None, _) => row.title.to_owned(),
        };
        let violations = (row.details == Details::Violations).then(|| self.violations().to_vec());
        Problem {
            kind: format!("urn:formalize:error:{id}"),
            title: row.title.to_owned(),
            status: row.status,
            detail,
            error_id: id,
            error_details: Any(details),
            violations,
            results: self.results.as_deref().map(<[_]>::to_vec),
        }
    }
}

/// The response with a document. If it is large, it carries the document [without details](Brief), which is sent if there is no
/// memory for more.
pub fn sized<D: Serialize>(document: &D, without_details: impl FnOnce(&D) -> D) -> Response {
    let json = |document: &D| serde_json::to_string(document).unwrap_or_default();
    let mut text = json(document);
    let mut brief = None;
    if Large::is(text.len()) {
        let document = json(&without_details(document));
        if text.len() > bounds::MAX_DOCUMENT {
            text = document;
        } else {
            brief = Some(Brief(document));
        }
    }
    let bytes = text.len();
    let mut response = Response::builder().body(text);
    Large::mark(&mut response, bytes);
    if let Some(brief) = brief {
        response.set_data(brief);
    }
    response
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "refused: {:?} {:?}", self.fault, self.names)
    }
}

impl StdError for Refusal {}

impl From<Refusal> for poem::Error {
    fn from(refusal: Refusal) -> Self {
        // The status is a placeholder: the middleware extracts the refusal and looks up its row.
        Self::new(refusal, StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// Errors of poem itself, by status.
impl From<poem::Error> for Refusal {
    fn from(error: poem::Error) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(refusal) => return refusal,
            Err(error) => error,
        };
        let key = match error.status() {
            StatusCode::BAD_REQUEST => ErrorKey::InvalidRequestBody,
            StatusCode::UNAUTHORIZED => ErrorKey::AuthenticationRequired,
            StatusCode::NOT_FOUND => ErrorKey::RouteNotFound,
            StatusCode::METHOD_NOT_ALLOWED => ErrorKey::MethodNotAllowed,
            StatusCode::NOT_ACCEPTABLE => ErrorKey::NotAcceptable,
            StatusCode::PAYLOAD_TOO_LARGE => ErrorKey::PayloadTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorKey::UnsupportedMediaType,
            _ => return Self::unforeseen(error.to_string()),
        };
        Self::is(key)
    }
}

/// Sets a header of a response, unless its value is impossible.
pub fn set(response: &mut Response, name: HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        response.headers_mut().insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(refusal: &Refusal, operation: Operation) -> Value {
        let spec = operation.spec();
        refusal.document(refusal.fault.key(Some(operation)), Some(spec), spec.area())
    }

    #[test]
    fn the_operation_determines_the_row_for_missing_fields() {
        let refusal = Refusal::new(Fault::Missing).naming(vec!["name".to_owned()]);
        let form = document(&refusal, Operation::CreateForm);
        assert_eq!(form["status"], 422);
        assert_eq!(form["relay:errorId"], "formalize:required-field-missing");
        assert_eq!(form["relay:errorDetails"], json!(["name"]));
        let group = document(&refusal, Operation::CreateGroup);
        assert_eq!(
            group["type"],
            "urn:formalize:error:authorization:group-invalid"
        );
        assert_eq!(group["status"], 400);
    }

    #[test]
    fn a_missing_permission_is_named() {
        let refusal = Refusal::is(ErrorKey::Forbidden);
        let form = document(&refusal, Operation::UpdateForm);
        assert_eq!(
            form["detail"],
            "you do not have permission to update this form"
        );
        let spec = Operation::CreateGrant.spec();
        assert!(spec.purpose.is_some());
    }

    #[test]
    fn the_cause_of_a_failure_is_not_disclosed() {
        let refusal = Refusal::unforeseen("disk full at /var/lib/formalize.db");
        let group = document(&refusal, Operation::CreateGroup);
        assert_eq!(
            group["relay:errorDetails"],
            json!({"message": "the group could not be created"})
        );
        assert!(!group.to_string().contains("disk"));
        let form = document(&refusal, Operation::CreateForm);
        assert_eq!(form["relay:errorDetails"], json!([]));
    }

    #[test]
    fn only_data_and_schemas_have_violations() {
        let refusal = Refusal::is(ErrorKey::SubmissionInvalidJson).violating(
            vec!["no JSON".to_owned()],
            vec![],
            0,
        );
        let document_of_data = document(&refusal, Operation::CreateSubmission);
        assert_eq!(document_of_data["violations"], json!([]));
        assert_eq!(document_of_data["relay:errorDetails"], json!(["no JSON"]));
        let forbidden = document(
            &Refusal::is(ErrorKey::Forbidden),
            Operation::CreateSubmission,
        );
        assert!(forbidden.get("violations").is_none());
    }

    #[test]
    fn errors_of_poem_have_a_row() {
        let refusal = Refusal::from(poem::Error::from(poem::error::NotFoundError));
        assert_eq!(refusal.fault, Fault::Is(ErrorKey::RouteNotFound));
        let refusal = Refusal::from(poem::Error::from_status(StatusCode::IM_A_TEAPOT));
        assert_eq!(refusal.fault, Fault::Unforeseen);
        let refusal = Refusal::from(poem::Error::from(Refusal::is(ErrorKey::Forbidden)));
        assert_eq!(refusal.fault, Fault::Is(ErrorKey::Forbidden));
    }
}
