//! The errors of each operation, with examples.

use formalize_http::contract::parameter::PER_PAGE;
use formalize_http::contract::{ErrorKey, Operation, Spec, Verb};
use formalize_http::failure::{PROBLEM_JSON, Refusal};
use serde_json::{Map, Value, json};

use super::{Examples, object};

/// Describes the errors among the responses of an operation.
pub(super) fn describe(responses: &mut Map<String, Value>, spec: &Spec, examples: &Examples) {
    for (status, response) in responses {
        let mut errors = spec.errors();
        errors.retain(|key| key.row().status.to_string() == *status);
        if !errors.is_empty() {
            name(response, spec, &errors);
            illustrate(response, spec, &errors, examples);
        }
    }
}

/// Lists the errors of one status, for people and for programs.
fn name(response: &mut Value, spec: &Spec, errors: &[ErrorKey]) {
    let Some(response) = response.as_object_mut() else {
        return;
    };
    let ids: Vec<String> = errors.iter().map(|key| key.row().id(spec.area())).collect();
    let lines = errors
        .iter()
        .zip(&ids)
        .map(|(key, id)| format!("`{id}`: {}", key.row().title));
    response.insert(
        "description".to_owned(),
        json!(lines.collect::<Vec<_>>().join("\n\n")),
    );
    response.insert("x-error-ids".to_owned(), json!(ids));
}

/// Adds an example of each error of one status.
fn illustrate(response: &mut Value, spec: &Spec, errors: &[ErrorKey], examples: &Examples) {
    let examples: Map<String, Value> = errors
        .iter()
        .map(|key| (key.row().name.to_owned(), example(*key, spec, examples)))
        .collect();
    if let Some(content) = object(response, &["content", PROBLEM_JSON]) {
        content.insert("examples".to_owned(), Value::Object(examples));
    }
}

/// The example of an error of an operation: from the file of examples if it has one, otherwise from the table. Errors
/// that are the same for all operations of an area are shared.
fn example(key: ErrorKey, spec: &Spec, examples: &Examples) -> Value {
    let row = key.row();
    let id = row.id(spec.area());
    if let Some(example) = examples.refusal(spec, row.status, &id) {
        return example;
    }
    if is_shared(key) {
        return json!({ "$ref": format!("#/components/examples/{}", shared_name(key, spec)) });
    }
    by_the_table(key, spec)
}

/// The examples that several operations refer to.
pub(super) fn shared_examples() -> Value {
    let used = Operation::ALL.iter().flat_map(|operation| {
        let spec = operation.spec();
        let shared = spec.errors().into_iter().filter(|key| is_shared(*key));
        shared.map(move |key| (shared_name(key, spec), by_the_table(key, spec)))
    });
    used.collect()
}

fn is_shared(key: ErrorKey) -> bool {
    key.row().area.is_none()
}

/// The name of a shared example: the error id without the colon, which is invalid in names of components.
fn shared_name(key: ErrorKey, spec: &Spec) -> String {
    let name = key.row().id(spec.area()).replace(':', ".");
    match key {
        ErrorKey::InvalidParameter if !has_pages(spec) => format!("{name}.unknown"),
        ErrorKey::UnsupportedMediaType if spec.streamed => format!("{name}.file"),
        ErrorKey::UnsupportedMediaType => match (spec.verb, spec.form) {
            (Verb::Patch, true) => format!("{name}.patch.form"),
            (Verb::Patch, false) => format!("{name}.patch"),
            (_, true) => format!("{name}.form"),
            (_, false) => name,
        },
        _ => name,
    }
}

fn has_pages(spec: &Spec) -> bool {
    spec.parameters.contains(&PER_PAGE)
}

/// An example of an error, generated from the table.
fn by_the_table(key: ErrorKey, spec: &Spec) -> Value {
    let problem = typical(key, spec).document(key, None, spec.area());
    json!({ "summary": key.row().title, "value": problem })
}

/// A typical refusal of requests for an operation.
fn typical(key: ErrorKey, spec: &Spec) -> Refusal {
    let one = |name: &str, sentence: &str| {
        Refusal::listing(key, vec![(name.to_owned(), sentence.to_owned())])
    };
    match key {
        ErrorKey::InvalidParameter if has_pages(spec) => {
            one("perPage", "perPage must be a whole number from 1 to 10000")
        }
        ErrorKey::InvalidParameter => one("verbose", "unknown query parameter \"verbose\""),
        ErrorKey::InvalidRequestBody => one("colour", "unknown field \"colour\""),
        ErrorKey::UnsupportedMediaType => Refusal::unsupported_media(spec),
        ErrorKey::PreconditionFailed => Refusal::precondition_failed(None),
        _ => {
            let names = at_fault(key).iter().map(|name| (*name).to_owned());
            Refusal::is(key).naming(names.collect())
        }
    }
}

/// The fields or parameters that are typically invalid, for errors that name them.
pub(super) fn at_fault(key: ErrorKey) -> &'static [&'static str] {
    match key {
        ErrorKey::GroupInvalid | ErrorKey::FormInvalid | ErrorKey::RequiredFieldMissing => {
            &["name"]
        }
        ErrorKey::InvalidRequestBody => &["colour"],
        ErrorKey::GroupMemberInvalid
        | ErrorKey::RequiredParameterMissing
        | ErrorKey::GroupNamedNotFound => &["groupIdentifier"],
        ErrorKey::RequiredFilterMissing => &["formIdentifier"],
        ErrorKey::GrantActionMissing | ErrorKey::GrantActionUndefined => &["action"],
        ErrorKey::GrantInvalidHolder => &["userIdentifier", "groupIdentifier"],
        ErrorKey::GrantInvalidResource => &["resourceClass"],
        ErrorKey::DynamicGroupUndefined => &["dynamicGroupIdentifier"],
        ErrorKey::FormHasSubmissions => &["grantBasedSubmissionAuthorization"],
        ErrorKey::TransitionNotAllowed => &["submissionState"],
        ErrorKey::StateNotAllowed => &["draft"],
        ErrorKey::FormLinkInvalid => &["embedOrigins"],
        ErrorKey::WebhookInvalid => &["url"],
        ErrorKey::InvalidParameter => &["perPage"],
        ErrorKey::BatchRefused => &["1"],
        ErrorKey::SubmissionTagsInvalid => &["unknown"],
        ErrorKey::SubmittedFileInvalid => &["fileAttributeName"],
        ErrorKey::SubmittedFilesNotFound => &["01a1fd2f-1840-7000-8000-0000000000f3"],
        _ => &[],
    }
}
