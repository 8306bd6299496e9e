//! The refusals of each operation: which there are, and what each looks like.

use serde_json::{Map, Value, json};

use super::{Examples, object};
use crate::{
    contract::{Area, ErrorKey, Operation, Spec},
    failure::{PROBLEM_JSON, Refusal},
};

/// Describes the refusals among the responses of an operation.
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

/// Names the errors of one status, in words and for programs.
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

/// Shows what each error of one status looks like.
fn illustrate(response: &mut Value, spec: &Spec, errors: &[ErrorKey], examples: &Examples) {
    let examples: Map<String, Value> = errors
        .iter()
        .map(|key| (key.row().name.to_owned(), example(*key, spec, examples)))
        .collect();
    if let Some(content) = object(response, &["content", PROBLEM_JSON]) {
        content.insert("examples".to_owned(), Value::Object(examples));
    }
}

/// The example of an error of an operation: what was answered in the examples, else what the table says. Errors that are
/// the same for every operation of an area stand once in the document.
fn example(key: ErrorKey, spec: &Spec, examples: &Examples) -> Value {
    let row = key.row();
    let id = row.id(spec.area());
    if let Some(example) = examples.refusal(spec, row.status, &id) {
        return example;
    }
    if is_shared(key) {
        return json!({ "$ref": format!("#/components/examples/{}", shared_name(&id)) });
    }
    by_the_table(key, spec.area())
}

/// The examples that several operations refer to.
pub(super) fn shared_examples() -> Value {
    let used = Operation::ALL.iter().flat_map(|operation| {
        let spec = operation.spec();
        let shared = spec.errors().into_iter().filter(|key| is_shared(*key));
        shared.map(|key| (key, spec.area()))
    });
    used.map(|(key, area)| {
        let name = shared_name(&key.row().id(area));
        (name, by_the_table(key, area))
    })
    .collect()
}

fn is_shared(key: ErrorKey) -> bool {
    key.row().area.is_none()
}

/// The colon of an error id may not stand in the name of a component.
fn shared_name(id: &str) -> String {
    id.replace(':', ".")
}

/// An error as the service would answer with it.
fn by_the_table(key: ErrorKey, area: Area) -> Value {
    let names = at_fault(key).iter().map(|name| (*name).to_owned());
    let problem = Refusal::is(key).naming(names.collect()).document(key, area);
    json!({ "summary": key.row().title, "value": problem })
}

/// What is typically at fault, for errors that name it.
pub(super) fn at_fault(key: ErrorKey) -> &'static [&'static str] {
    match key {
        ErrorKey::GroupInvalid
        | ErrorKey::FormInvalid
        | ErrorKey::RequiredFieldMissing
        | ErrorKey::InvalidRequestBody => &["name"],
        ErrorKey::GroupMemberInvalid
        | ErrorKey::RequiredParameterMissing
        | ErrorKey::GroupNamedNotFound => &["groupIdentifier"],
        ErrorKey::RequiredFilterMissing => &["formIdentifier"],
        ErrorKey::GrantActionMissing | ErrorKey::GrantActionUndefined => &["action"],
        ErrorKey::GrantInvalidHolder => &["userIdentifier", "groupIdentifier"],
        ErrorKey::GrantInvalidResource => &["resourceClass"],
        ErrorKey::DynamicGroupUndefined => &["dynamicGroupIdentifier"],
        ErrorKey::FormHasSubmissions => &["grantBasedSubmissionAuthorization"],
        ErrorKey::TransitionNotAllowed | ErrorKey::StateNotAllowed => &["draft"],
        ErrorKey::InvalidParameter => &["perPage"],
        _ => &[],
    }
}
