//! The schemas of the document: their names, and the parts that poem does not generate.

use formalize_http::contract::Operation;
use serde_json::{Map, Value, json};

use super::object;

/// The prefix that poem gives to the names of page types.
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
            .map(|(name, schema)| (readable_name(&name), schema))
            .collect();
        schemas.values_mut().for_each(drop_title);
        schemas.insert(ERROR_MESSAGE.to_owned(), error_message());
    }
    tidy(document);
}

/// Forbids unknown fields in request bodies, and in the objects of their arrays.
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
            let members = schema.get_mut("properties").and_then(Value::as_object_mut);
            let items = members.into_iter().flat_map(Map::values_mut);
            let items = items.filter_map(|member| member.get_mut("items")?.as_object_mut());
            for item in items.filter(|item| item.contains_key("properties")) {
                item.insert("additionalProperties".to_owned(), json!(false));
            }
        }
    }
}

/// The details of an internal error.
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
fn readable_name(name: &str) -> String {
    name.strip_prefix(PAGE_OF)
        .map_or_else(|| name.to_owned(), |item| format!("{item}Page"))
}

/// Removes the title, which only repeats the name of the schema.
fn drop_title(schema: &mut Value) {
    schema
        .as_object_mut()
        .and_then(|schema| schema.remove("title"));
}

/// Renames references, and removes schemas that contain only a description.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(members) => {
            rename_reference(members);
            if let Some(Value::Array(parts)) = members.get_mut("allOf") {
                // Generators would treat it as a type; the description is also next to `allOf`.
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
        *reference = format!("{REFERENCE}{}", readable_name(name));
    }
}
