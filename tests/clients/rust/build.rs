//! Generates the client from `openapi.json` at the root of the repository.

use std::path::Path;
use std::{env, error::Error, fs};

use progenitor::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::{Map, Value};

const DOCUMENT: &str = "../../../openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={DOCUMENT}");
    println!("cargo:rerun-if-changed=build.rs");
    let mut document: Value = serde_json::from_str(&fs::read_to_string(DOCUMENT)?)?;
    let paths = document["paths"].as_object_mut().ok_or("no paths")?;
    for operation in paths
        .values_mut()
        .filter_map(Value::as_object_mut)
        .flat_map(Map::values_mut)
    {
        simplify(operation);
    }
    let shared = object(&mut document, "/components/responses").ok_or("no shared responses")?;
    shared.values_mut().for_each(name_problems_json);
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Builder);
    let tokens = Generator::new(&settings).generate_tokens(&serde_json::from_value(document)?)?;
    let code = prettyplease::unparse(&syn::parse2(tokens)?);
    fs::write(Path::new(&env::var("OUT_DIR")?).join("client.rs"), code)?;
    Ok(())
}

/// Works around three things that progenitor does not support: a body with one of several media types, success with and
/// without a body, and JSON with another media type.
fn simplify(operation: &mut Value) {
    if let Some(content) = object(operation, "/requestBody/content") {
        content.retain(|media, _| media == "application/json");
    }
    let Some(responses) = object(operation, "/responses") else {
        return;
    };
    if responses.contains_key("200") {
        responses.remove("204");
    }
    responses.values_mut().for_each(name_problems_json);
}

fn name_problems_json(response: &mut Value) {
    let Some(content) = object(response, "/content") else {
        return;
    };
    if let Some(problem) = content.remove("application/problem+json") {
        content.insert("application/json".to_owned(), problem);
    }
}

fn object<'a>(value: &'a mut Value, pointer: &str) -> Option<&'a mut Map<String, Value>> {
    value.pointer_mut(pointer)?.as_object_mut()
}
