//! Errors as the client expects them: one table from the rows of the REST interface to statuses, identifiers and details.

use formalize_http::contract::{Area, Details, ErrorKey, Operation, Verb};
use formalize_http::failure::{Refusal, Violation, sized};
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};
use serde_json::{Map, Value, json};

const PROBLEM: HeaderValue = HeaderValue::from_static("application/problem+json; charset=utf-8");

/// The text of a field is no JSON, where JSON is expected.
#[derive(Debug, thiserror::Error)]
#[error("the text of a field is not JSON of the expected type")]
pub(crate) struct InvalidJson;

/// Where an error occurred.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    pub(crate) verb: Option<Verb>,
    pub(crate) operation: Option<Operation>,
    /// The identifier in the path.
    pub(crate) subject: Option<String>,
}

/// The details of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detailed {
    /// An empty object.
    Nothing,
    /// What the REST interface says.
    Same,
    /// The identifier that was sent.
    Subject,
    /// An object from places in the data to messages.
    ByPointer,
    /// The name of a group of files, and a type if it is about one.
    File,
}

/// A row of the table.
struct Row {
    status: u16,
    id: String,
    details: Detailed,
}

/// The row for a row of the REST interface.
fn row(key: ErrorKey, refusal: &Refusal, area: Area, verb: Option<Verb>) -> Row {
    use Detailed::{ByPointer, File, Nothing, Subject};
    let is = |status: u16, id: &str, details: Detailed| Row {
        status,
        id: id.to_owned(),
        details,
    };
    let is_json_broken = refusal
        .cause()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<InvalidJson>);
    if is_json_broken {
        return is(422, "formalize:invalid_json", Nothing);
    }
    let of_member = match refusal.names() {
        [name] => name.as_str(),
        _ => "",
    };
    match (key, verb) {
        (ErrorKey::AuthenticationRequired, _) => is(401, "", Nothing),
        (ErrorKey::Forbidden | ErrorKey::TransitionNotAllowed, _) => is(403, "", Nothing),
        (ErrorKey::FormNotFound, _) => is(404, "formalize:form-with-id-not-found", Subject),
        (ErrorKey::SubmissionNotFound, _) => is(404, "formalize:submission-not-found", Subject),
        (ErrorKey::SubmittedFileNotFound | ErrorKey::SubmittedFilesNotFound, _) => {
            is(404, "formalize:submitted-file-not-found", Subject)
        }
        (ErrorKey::RequiredFilterMissing, _) => {
            is(400, "formalize:required-parameter-missing", Detailed::Same)
        }
        (ErrorKey::SubmissionInvalidJson, _) if refusal.violations().is_empty() => {
            is(400, "formalize:submission-invalid-json", Nothing)
        }
        (ErrorKey::SubmissionInvalidJson, _) => is(
            400,
            "formalize:submission-data-feed-invalid-schema",
            ByPointer,
        ),
        (ErrorKey::SubmissionFilesInvalid, _) => is(
            400,
            "formalize:submission-submitted-files-invalid-schema",
            File,
        ),
        (ErrorKey::FormInvalid, _) if of_member == "availableTags" => {
            is(400, "formalize:form-invalid-available-tags", Nothing)
        }
        (ErrorKey::FormInvalid, _) if of_member == "tagPermissionsForSubmitters" => is(
            400,
            "formalize:form-invalid-tag-permissions-for-submitters",
            Nothing,
        ),
        (ErrorKey::FormNotUpdated, _) => is(500, "formalize:updating-form-failed", Nothing),
        (ErrorKey::SubmissionNotDeleted, _) => is(500, "formalize:submission-not-removed", Nothing),
        (ErrorKey::ResourceNotFound, Some(Verb::Post)) => is(
            404,
            "authorization:authorization-resource-not-found",
            Nothing,
        ),
        (ErrorKey::GrantInvalidResource, _) => is(
            400,
            "authorization:resource-action-grant-invalid-authorization-resource-missing",
            Nothing,
        ),
        (ErrorKey::GrantActionUndefined, _) => is(
            400,
            "authorization:resource_action_grant-invalid-action-undefined",
            Detailed::Same,
        ),
        (other, _) => Row {
            status: other.row().status,
            id: other.row().id(area),
            details: Detailed::Same,
        },
    }
}

/// The names of members here, by those of the REST interface.
const RENAMED: [(&str, &str); 2] = [
    ("availableStarts", "availabilityStarts"),
    ("groupIdentifier", "group"),
];

/// The name of a member or parameter here.
fn renamed(name: &str, verb: Option<Verb>) -> &str {
    if name == "formIdentifier" && verb == Some(Verb::Post) {
        return "form";
    }
    let found = RENAMED.iter().find(|(theirs, _)| *theirs == name);
    found.map_or(name, |(_, here)| here)
}

fn details(row: &Row, key: ErrorKey, refusal: &Refusal, place: &Place) -> Value {
    let names: Vec<&str> = refusal
        .names()
        .iter()
        .map(|name| renamed(name, place.verb))
        .collect();
    match row.details {
        Detailed::Nothing => json!({}),
        Detailed::Subject => match (names.first(), &place.subject) {
            (Some(name), _) => json!([name]),
            (None, Some(subject)) => json!([subject]),
            (None, None) => json!({}),
        },
        Detailed::ByPointer => by_pointer(refusal.violations()),
        Detailed::File => of_file(refusal),
        Detailed::Same => match key.row().details {
            Details::None => json!({}),
            Details::Message => json!({ "message": key.row().title }),
            Details::Names | Details::Violations if names.is_empty() => json!({}),
            Details::Names | Details::Violations => json!(names),
        },
    }
}

/// Messages by the place that they are about.
fn by_pointer(violations: &[Violation]) -> Value {
    let mut places = Map::new();
    for violation in violations {
        let pointer = match violation.instance_path.as_str() {
            "" => "/",
            pointer => pointer,
        };
        let messages = places.entry(pointer).or_insert_with(|| json!([]));
        if let Value::Array(messages) = messages {
            messages.push(json!(violation.message));
        }
    }
    Value::Object(places)
}

/// The first violation, with dots between the names of its place: the client shows slashes as `&#x2F;`.
fn without_pointers(refusal: &Refusal) -> Option<String> {
    let (first, others) = refusal.violations().split_first()?;
    let names = first.instance_path.split('/').skip(1);
    let names: Vec<String> = names
        .map(|name| name.replace("~1", "/").replace("~0", "~"))
        .collect();
    let place = match names.join(".") {
        place if place.is_empty() => String::new(),
        place => format!("{place}: "),
    };
    let more = match others.len() + refusal.omitted() {
        0 => String::new(),
        count => format!("; and {count} more"),
    };
    Some(format!("{place}{}{more}", first.message))
}

/// The group of files that breaks a rule, with the type that is not allowed if that is the rule.
fn of_file(refusal: &Refusal) -> Value {
    let found = refusal.violations().iter();
    let mut of_type = found.filter(|violation| violation.keyword == "allowedMimeTypes");
    let with_type = of_type.find_map(|violation| {
        let attribute = violation.instance_path.strip_prefix("/submittedFiles/")?;
        let attribute = attribute.replace("~1", "/").replace("~0", "~");
        let mut values = violation.params.values();
        let media_type = values.find_map(|value| value.0.as_str())?;
        Some(json!([attribute, media_type]))
    });
    let attribute = refusal.names().first();
    with_type.unwrap_or_else(|| attribute.map_or_else(|| json!({}), |name| json!([name])))
}

/// The response to a request that was refused.
pub(crate) fn answer(refusal: Refusal, place: &Place, area: Area) -> Response {
    let key = refusal.fault().key(place.operation);
    let row = row(key, &refusal, area, place.verb);
    let status = StatusCode::from_u16(row.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let title = status.canonical_reason().unwrap_or_default();
    let phrase = key.row().title;
    let detail = refusal.detail().unwrap_or(phrase).to_owned();
    let detail = without_pointers(&refusal).unwrap_or(detail);
    let detail = RENAMED.iter().fold(detail, |detail, (theirs, here)| {
        detail.replace(theirs, here)
    });
    let number = row.status;
    let document = json!({
        "@context": "/contexts/ApiErrorResource",
        "@id": format!("/api-error-resources/id={number};status={number}"),
        "@type": "ApiErrorResource",
        "status": number,
        "type": format!("/errors/{number}"),
        "title": title,
        "hydra:title": title,
        "detail": detail,
        "description": phrase,
        "hydra:description": phrase,
        "relay:errorId": row.id,
        "relay:errorDetails": details(&row, key, &refusal, place),
    });
    // This logs the cause if the server failed.
    refusal.reported(place.operation);
    let mut response = sized(&document, |document| without_details(document, phrase));
    response.set_status(status);
    response
        .headers_mut()
        .extend(refusal.headers(place.operation));
    response.headers_mut().insert(header::CONTENT_TYPE, PROBLEM);
    response
}

/// The same error in a few lines.
fn without_details(document: &Value, phrase: &str) -> Value {
    let mut document = document.clone();
    if let Some(members) = document.as_object_mut() {
        members.insert("detail".to_owned(), phrase.into());
        members.insert("relay:errorDetails".to_owned(), json!({}));
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn body(refusal: Refusal, place: &Place) -> Value {
        let response = answer(refusal, place, Area::Formalize);
        assert_eq!(
            response.content_type(),
            Some("application/problem+json; charset=utf-8")
        );
        let body = response.into_body().into_vec().await.unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn place(verb: Verb, operation: Operation) -> Place {
        Place {
            verb: Some(verb),
            operation: Some(operation),
            subject: Some("x".to_owned()),
        }
    }

    #[tokio::test]
    async fn every_error_has_an_answer() {
        let posting = place(Verb::Post, Operation::CreateSubmission);
        for key in ErrorKey::ALL {
            let answer = body(Refusal::is(*key), &posting).await;
            let status = answer["status"].as_u64().unwrap();
            assert!((400..600).contains(&status), "{key:?}");
            assert_eq!(answer["type"], format!("/errors/{status}"));
            let details = &answer["relay:errorDetails"];
            assert!(details.is_array() || details.is_object(), "{key:?}");
            assert!(answer["relay:errorId"].is_string(), "{key:?}");
        }
    }

    #[tokio::test]
    #[expect(clippy::too_many_lines, reason = "it is a table")]
    async fn errors_that_the_client_knows_have_its_identifiers() {
        let named = |key: ErrorKey, name: &str| Refusal::is(key).naming(vec![name.to_owned()]);
        for (refusal, verb, operation, status, id, details) in [
            (
                Refusal::is(ErrorKey::AuthenticationRequired),
                Verb::Get,
                Operation::GetForm,
                401,
                "",
                json!({}),
            ),
            (
                Refusal::is(ErrorKey::Forbidden),
                Verb::Get,
                Operation::GetForm,
                403,
                "",
                json!({}),
            ),
            (
                named(ErrorKey::TransitionNotAllowed, "submissionState"),
                Verb::Patch,
                Operation::UpdateSubmission,
                403,
                "",
                json!({}),
            ),
            (
                Refusal::is(ErrorKey::FormNotFound),
                Verb::Get,
                Operation::GetForm,
                404,
                "formalize:form-with-id-not-found",
                json!(["x"]),
            ),
            (
                Refusal::is(ErrorKey::SubmissionNotFound),
                Verb::Get,
                Operation::GetSubmission,
                404,
                "formalize:submission-not-found",
                json!(["x"]),
            ),
            (
                Refusal::is(ErrorKey::SubmittedFileNotFound),
                Verb::Get,
                Operation::GetSubmittedFile,
                404,
                "formalize:submitted-file-not-found",
                json!(["x"]),
            ),
            (
                named(ErrorKey::RequiredFieldMissing, "formIdentifier"),
                Verb::Post,
                Operation::CreateSubmission,
                422,
                "formalize:required-field-missing",
                json!(["form"]),
            ),
            (
                named(ErrorKey::RequiredFilterMissing, "formIdentifier"),
                Verb::Get,
                Operation::ListSubmissions,
                400,
                "formalize:required-parameter-missing",
                json!(["formIdentifier"]),
            ),
            (
                named(ErrorKey::SubmissionInvalidJson, "must be JSON"),
                Verb::Post,
                Operation::CreateSubmission,
                400,
                "formalize:submission-invalid-json",
                json!({}),
            ),
            (
                named(ErrorKey::StateNotAllowed, "1"),
                Verb::Post,
                Operation::CreateSubmission,
                400,
                "formalize:submission-state-not-allowed",
                json!(["1"]),
            ),
            (
                named(ErrorKey::FormInvalid, "availableTags"),
                Verb::Post,
                Operation::CreateForm,
                400,
                "formalize:form-invalid-available-tags",
                json!({}),
            ),
            (
                named(ErrorKey::FormInvalid, "tagPermissionsForSubmitters"),
                Verb::Post,
                Operation::CreateForm,
                400,
                "formalize:form-invalid-tag-permissions-for-submitters",
                json!({}),
            ),
            (
                named(ErrorKey::FormInvalid, "availableStarts"),
                Verb::Post,
                Operation::CreateForm,
                400,
                "formalize:form-invalid",
                json!(["availabilityStarts"]),
            ),
            (
                Refusal::unforeseen("broken"),
                Verb::Patch,
                Operation::UpdateForm,
                500,
                "formalize:updating-form-failed",
                json!({}),
            ),
            (
                Refusal::unforeseen("broken"),
                Verb::Delete,
                Operation::DeleteSubmission,
                500,
                "formalize:submission-not-removed",
                json!({}),
            ),
            (
                Refusal::is(ErrorKey::ResourceNotFound),
                Verb::Post,
                Operation::CreateGrant,
                404,
                "authorization:authorization-resource-not-found",
                json!({}),
            ),
            (
                named(ErrorKey::GrantInvalidResource, "resourceClass"),
                Verb::Post,
                Operation::CreateGrant,
                400,
                "authorization:resource-action-grant-invalid-authorization-resource-missing",
                json!({}),
            ),
            (
                named(ErrorKey::GrantActionUndefined, "fly"),
                Verb::Post,
                Operation::CreateGrant,
                400,
                "authorization:resource_action_grant-invalid-action-undefined",
                json!(["fly"]),
            ),
            (
                Refusal::is(ErrorKey::InvalidRequestBody).caused_by(InvalidJson),
                Verb::Post,
                Operation::CreateSubmission,
                422,
                "formalize:invalid_json",
                json!({}),
            ),
        ] {
            let answer = body(refusal, &place(verb, operation)).await;
            assert_eq!(answer["status"], status, "{answer}");
            assert_eq!(answer["relay:errorId"], id, "{answer}");
            assert_eq!(answer["relay:errorDetails"], details, "{answer}");
        }
    }
}
