//! Annotations of properties, used to render forms.

use serde_json::Value;

use super::rejection::Violation;
use super::structure::{Structure, push_token};

/// Checks the annotations of everything under `properties`, at any depth.
pub(super) fn check(structure: &Structure<'_>) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (node, found) in structure.nodes.iter().enumerate() {
        let properties = found.schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            for (keyword, message) in faults(property) {
                let mut pointer = structure.pointer(node);
                for token in ["properties", name, keyword] {
                    push_token(&mut pointer, token);
                }
                violations.push(Violation::of_keyword(keyword, pointer, message));
            }
        }
    }
    violations
}

fn faults(property: &Value) -> impl Iterator<Item = (&'static str, &'static str)> {
    let name = property.get("localizedName").is_some_and(|names| {
        let names = names.as_object();
        !names.is_some_and(|names| names.values().all(Value::is_string))
    });
    let visible = property
        .get("tableViewVisibleDefault")
        .is_some_and(|value| !value.is_boolean());
    let name = name.then_some(("localizedName", "must be an object from language to string"));
    let visible = visible.then_some(("tableViewVisibleDefault", "must be true or false"));
    name.into_iter().chain(visible)
}
