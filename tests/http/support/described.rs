//! Checks every response against the OpenAPI document: its status, media type, members and error id.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use formalize_http::contract::{Matched, route};
use jsonschema::Validator;
use serde_json::{Value, json};

use super::Answer;

/// The reviewed document, which another test compares with the one that is served.
fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.json");
        inlined(serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
    })
}

/// A document in which each reference to a shared response is replaced by that response.
pub(crate) fn inlined(mut document: Value) -> Value {
    let shared = document["components"]["responses"].clone();
    let paths = document["paths"].as_object_mut().unwrap().values_mut();
    for operation in paths.flat_map(|methods| methods.as_object_mut().unwrap().values_mut()) {
        for response in operation["responses"].as_object_mut().unwrap().values_mut() {
            if let Some(reference) = response["$ref"].as_str() {
                *response = shared[reference.rsplit('/').next().unwrap()].clone();
            }
        }
    }
    document
}

/// Checks a response. Responses that belong to no operation are not described.
#[track_caller]
pub(super) fn check(answer: &Answer) {
    let (method, path) = answer.asked.split_once(' ').unwrap();
    let path = path.split('?').next().unwrap();
    let Matched::Operation(operation, _) = route(method, path) else {
        return;
    };
    let spec = operation.spec();
    let verb = spec.verb.name().to_ascii_lowercase();
    let Some(described) = document()["paths"][spec.path].get(&verb) else {
        return;
    };
    let response = described["responses"].get(answer.status.as_str());
    let response = response.unwrap_or_else(|| panic!("{answer}: the status is not described"));
    if answer.body.is_empty() {
        return;
    }
    let media = answer.header("content-type").unwrap();
    if answer.status.is_success() && spec.id == "getSubmittedFileContent" {
        // Files have their own types.
        return;
    }
    let body = if media.starts_with("application/json") || media.contains("+json") {
        serde_json::from_slice(&answer.body).unwrap()
    } else {
        Value::String(String::from_utf8_lossy(&answer.body).into_owned())
    };
    let schema = &response["content"][media]["schema"];
    assert_eq!(faults(schema, &body), Vec::<String>::new(), "{answer}");
    if let Some(id) = body.get("relay:errorId") {
        let ids = response["x-error-ids"].as_array().unwrap();
        assert!(ids.contains(id), "{answer}: the error is not described");
    }
}

/// The violations of a value against a schema of the document. Members that are not described are violations, too.
pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let validator = validator(schema);
    let errors = validator.iter_errors(value);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

fn validator(schema: &Value) -> Arc<Validator> {
    static VALIDATORS: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let mut validators = VALIDATORS.lock().unwrap();
    let validator = validators.entry(schema.to_string()).or_insert_with(|| {
        let mut schema = as_json_schema(schema);
        schema["components"] = components().clone();
        let options = jsonschema::options().should_validate_formats(true);
        Arc::new(options.build(&schema).unwrap())
    });
    Arc::clone(validator)
}

fn components() -> &'static Value {
    static COMPONENTS: OnceLock<Value> = OnceLock::new();
    COMPONENTS
        .get_or_init(|| json!({ "schemas": as_json_schema(&document()["components"]["schemas"]) }))
}

/// Converts a schema of OpenAPI 3.0 into JSON Schema, where null is a type.
fn as_json_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, member)| (name.clone(), as_json_schema(member)));
            let mut schema = Value::Object(members.collect());
            if schema["type"] == "object" && schema["properties"].is_object() {
                schema["additionalProperties"] = json!(false);
            }
            if schema["nullable"] == true {
                schema = json!({ "anyOf": [schema, { "type": "null" }] });
            }
            schema
        }
        Value::Array(items) => items.iter().map(as_json_schema).collect(),
        other => other.clone(),
    }
}
