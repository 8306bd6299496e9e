//! Error responses that several operations have, as shared components of the document.

use std::collections::{BTreeMap, BTreeSet};

use formalize_http::contract::{Operation, Spec};
use serde_json::{Map, Value, json};

use super::object;

const REFERENCE: &str = "#/components/responses/";

/// Replaces each error response that occurs more than once by a reference to a component. Otherwise they would be more
/// than half of the document.
pub(super) fn share(document: &mut Value) {
    let names = names(document);
    for operation in Operation::ALL {
        for (_, response) in refusals(document, operation.spec()) {
            if let Some(name) = names.get(&response.to_string()) {
                *response = json!({ "$ref": format!("{REFERENCE}{name}") });
            }
        }
    }
    let components = names
        .into_iter()
        .map(|(text, name)| (name, serde_json::from_str(&text).unwrap_or_default()))
        .collect();
    if let Some(place) = object(document, &["components"]) {
        place.insert("responses".to_owned(), Value::Object(components));
    }
}

/// The names of the error responses that occur more than once, by their JSON.
fn names(document: &mut Value) -> BTreeMap<String, String> {
    let mut met: BTreeSet<String> = BTreeSet::new();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for spec in Operation::ALL.iter().map(|operation| operation.spec()) {
        for (_, response) in refusals(document, spec) {
            let text = response.to_string();
            if met.insert(text.clone()) || names.contains_key(&text) {
                continue;
            }
            let mut name = name(response);
            if !taken.insert(name.clone()) {
                // The same errors with other headers or examples.
                name = format!("{name}.{}", spec.id);
                taken.insert(name.clone());
            }
            names.insert(text, name);
        }
    }
    names
}

/// The error ids of a response, without the colons, which are invalid in names of components.
fn name(response: &Value) -> String {
    let ids = response.get("x-error-ids").and_then(Value::as_array);
    let ids = ids.into_iter().flatten().filter_map(Value::as_str);
    let mut name = String::new();
    for id in ids {
        let (area, error) = id.split_once(':').unwrap_or_default();
        let before = if name.is_empty() { area } else { ".or" };
        name = format!("{name}{before}.{error}");
    }
    name
}

/// The error responses of an operation, by status.
fn refusals<'a>(
    document: &'a mut Value,
    spec: &Spec,
) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    let verb = spec.verb.name().to_ascii_lowercase();
    let responses = object(document, &["paths", spec.path, &verb, "responses"]);
    responses
        .into_iter()
        .flat_map(Map::iter_mut)
        .filter(|(_, response)| response.get("x-error-ids").is_some())
}
