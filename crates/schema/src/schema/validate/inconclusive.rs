//! Violations for aborted matches.

use serde_json::Value;

use super::super::budget::Inconclusive;
use super::super::patterns;
use super::super::rejection::Violation;
use super::super::structure::push_token;

/// The violations for aborted matches that are not among the violations already reported.
pub(super) fn violations(
    unfinished: &[Inconclusive],
    data: &Value,
    reported: &[Violation],
) -> Vec<Violation> {
    let mut violations = Vec::new();
    for one in unfinished {
        let instance_path = pointer_to(&one.text, data).unwrap_or_default();
        let violation = Violation {
            instance_path,
            schema_path: one.schema_path.clone(),
            keyword: "pattern".to_owned(),
            message: patterns::limit_reached(),
            params: serde_json::Map::new(),
        };
        let is_same = |other: &Violation| {
            other.message == violation.message
                && other.instance_path == violation.instance_path
                && other.schema_path.starts_with(&violation.schema_path)
        };
        if !reported.iter().chain(&violations).any(is_same) {
            violations.push(violation);
        }
    }
    violations
}

/// The JSON Pointer of the first value equal to this text. Property names have none.
fn pointer_to(text: &str, value: &Value) -> Option<String> {
    let (token, below) = match value {
        Value::String(found) => return (found == text).then(String::new),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            pointer_to(text, item).map(|below| (index.to_string(), below))
        })?,
        Value::Object(members) => members
            .iter()
            .find_map(|(key, member)| pointer_to(text, member).map(|below| (key.clone(), below)))?,
        _ => return None,
    };
    let mut pointer = String::new();
    push_token(&mut pointer, &token);
    Some(pointer + &below)
}
