//! The schemas of the document: their names, and what the framework does not generate.

use serde_json::{Map, Value, json};

use super::object;
use crate::contract::Operation;

/// What the framework puts before the name of a type to name pages of it.
const PAGE_OF: &str = "Page_";
const REFERENCE: &str = "#/components/schemas/";
const ERROR_MESSAGE: &str = "ErrorMessage";

/// Completes the schemas of a document whose operations are complete.
pub(super) fn complete(document: &mut Value) {
    refuse_unknown_members(document);
    if let Some(properties) = object(
        document,
        &["components", "schemas", "Problem", "properties"],
    ) {
        properties.insert("relay:errorDetails".to_owned(), error_details());
    }
    if let Some(schemas) = object(document, &["components", "schemas"]) {
        *schemas = std::mem::take(schemas)
            .into_iter()
            .map(|(name, schema)| (spoken(&name), schema))
            .collect();
        schemas.values_mut().for_each(drop_title);
        schemas.insert(ERROR_MESSAGE.to_owned(), error_message());
    }
    tidy(document);
}

/// Marks the bodies of requests as closed: they have no members other than those described.
fn refuse_unknown_members(document: &mut Value) {
    let sent: Vec<String> = Operation::ALL
        .iter()
        .filter_map(|operation| {
            let spec = operation.spec();
            let verb = spec.verb.name().to_ascii_lowercase();
            let described = document.get("paths")?.get(spec.path)?.get(&verb)?;
            let content = described.get("requestBody")?.get("content")?;
            let (_, media) = content.as_object()?.iter().next()?;
            let reference = media.get("schema")?.get("$ref")?.as_str()?;
            reference.rsplit('/').next().map(str::to_owned)
        })
        .collect();
    for name in sent {
        if let Some(schema) = object(document, &["components", "schemas", &name]) {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
    }
}

/// The details of a failure that is ours.
fn error_message() -> Value {
    json!({
        "description": "A fixed phrase about an internal error.",
        "type": "object",
        "required": ["message"],
        "properties": { "message": { "description": "The phrase.", "type": "string" } },
    })
}

fn error_details() -> Value {
    json!({
        "description": "Names of the invalid fields or parameters, or invalid words; for an internal error, a fixed message.",
        "oneOf": [
            { "type": "array", "items": { "type": "string" } },
            { "$ref": format!("{REFERENCE}{ERROR_MESSAGE}") },
        ],
    })
}

/// The readable name of a schema: `FormPage` instead of the name of a generic type.
fn spoken(name: &str) -> String {
    name.strip_prefix(PAGE_OF)
        .map_or_else(|| name.to_owned(), |item| format!("{item}Page"))
}

/// A title would repeat the name by which the schema is found.
fn drop_title(schema: &mut Value) {
    schema
        .as_object_mut()
        .and_then(|schema| schema.remove("title"));
}

/// Renames references, and removes schemas that consist of a description alone.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(members) => {
            rename_reference(members);
            if let Some(Value::Array(parts)) = members.get_mut("allOf") {
                // Generators take it for a type; the description stands beside `allOf`, too.
                parts.retain(|part| !is_description_alone(part));
            }
            members.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn is_description_alone(schema: &Value) -> bool {
    schema
        .as_object()
        .is_some_and(|members| members.keys().all(|name| name == "description"))
}

fn rename_reference(members: &mut Map<String, Value>) {
    let Some(Value::String(reference)) = members.get_mut("$ref") else {
        return;
    };
    if let Some(name) = reference.strip_prefix(REFERENCE) {
        *reference = format!("{REFERENCE}{}", spoken(name));
    }
}
