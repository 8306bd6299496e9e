//! The examples of the OpenAPI document are real: they are sent to the service, and its responses are compared exactly.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use poem::http::Method;
use serde_json::{Map, Value, json};

use crate::openapi::document;
use crate::support::{Answer, App, query};

/// Grace organizes events and may create groups and forms; everybody else is a guest.
const CONFIGURATION: &str = r#"
    [policies]
    create_groups = 'user.id == "grace"'
    create_forms = 'user.id == "grace"'
    [dynamic_groups]
    staff = '"staff" in user.attributes.roles'
"#;

/// Set this to update the examples with the current responses.
const UPDATE: &str = "FORMALIZE_UPDATE_DOCS";

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../formalize-server/src/openapi/examples.json")
}

#[tokio::test]
async fn examples_match_the_responses_of_the_service() {
    let told: Vec<Value> = serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap();
    let played = Stage::new().await.play(&told).await;
    if env::var_os(UPDATE).is_some() {
        fs::write(file(), format!("{:#}\n", json!(played))).unwrap();
        return;
    }
    let hint = format!("if this is meant, run the test with {UPDATE}=1");
    for (told, played) in told.iter().zip(&played) {
        assert_eq!(told, played, "{hint}");
    }
}

/// Null is accepted for members that the document declares `nullable`, and for no others.
#[tokio::test]
async fn null_is_accepted_only_where_declared() {
    let told: Vec<Value> = serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap();
    let mut stage = Stage::new().await;
    let document = document(&stage.app).await;
    let mut tried = BTreeSet::new();
    for scene in told {
        stage.play_scene(&scene).await;
        let operation = scene["operation"].as_str().unwrap();
        let is_success = scene["status"].as_u64().unwrap() < 400;
        if is_success && scene["request"].is_object() && tried.insert(operation.to_owned()) {
            stage.try_null(&document, &scene).await;
        }
    }
    assert_eq!(tried.len(), 18, "{tried:?}");
}

/// The service and the callers in the examples.
struct Stage {
    app: App,
    operations: BTreeMap<String, (Method, String)>,
    tokens: BTreeMap<String, String>,
    names: Names,
}

impl Stage {
    async fn new() -> Self {
        let app = App::with(CONFIGURATION).await;
        let mut tokens = BTreeMap::new();
        for user in ["grace", "ada", "alan"] {
            let token = app.token(user, json!({ "roles": [] }), None).await;
            tokens.insert(user.to_owned(), token);
        }
        Self {
            operations: operations(&document(&app).await),
            app,
            tokens,
            names: Names::default(),
        }
    }

    /// Sends all example requests, and returns the examples with the current responses.
    async fn play(mut self, told: &[Value]) -> Vec<Value> {
        let mut played = Vec::new();
        for scene in told {
            played.push(self.play_scene(scene).await);
        }
        played
    }

    async fn play_scene(&mut self, told: &Value) -> Value {
        let answer = self.ask(told).await;
        let mut scene = told.clone();
        scene["status"] = answer.status.as_u16().into();
        if !answer.body.is_empty() {
            let is_json = answer.header("content-type").unwrap().contains("json;")
                || answer.status.as_u16() >= 400;
            let response: Value = if is_json {
                serde_json::from_slice(&answer.body).unwrap()
            } else {
                json!(String::from_utf8(answer.body).unwrap())
            };
            self.names.learn(&told["response"], &response);
            scene["response"] = self.names.told(&response);
        }
        scene
    }

    /// Repeats the request with each member set to null, and with it left out.
    async fn try_null(&self, document: &Value, scene: &Value) {
        let (method, path) = &self.operations[scene["operation"].as_str().unwrap()];
        let operation = &document["paths"][path][method.as_str().to_ascii_lowercase()];
        let reference = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let schema = document
            .pointer(reference.as_str().unwrap().trim_start_matches('#'))
            .unwrap();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if ["deliveries", "since"].contains(&&**name) {
                // One of them is required, so that null cannot be told from none.
                continue;
            }
            let mut asked = scene.clone();
            asked["request"][name] = Value::Null;
            let null = self.ask(&asked).await.status;
            asked["request"].as_object_mut().unwrap().remove(name);
            let absent = self.ask(&asked).await.status;
            let required = schema["required"].as_array();
            let is_required = required.is_some_and(|names| names.contains(&json!(name)));
            let is_taken = null == absent && !is_required;
            // Without a type, a member may be null.
            let has_type = ["type", "$ref", "allOf"]
                .iter()
                .any(|keyword| property.get(keyword).is_some());
            assert_eq!(
                property["nullable"] == true || !has_type,
                is_taken,
                "{path} {name}: {null}, {absent}"
            );
        }
    }

    async fn ask(&self, scene: &Value) -> Answer {
        if let Some(instant) = scene["at"].as_str() {
            self.app.travel(instant);
        }
        let (method, template) = &self.operations[scene["operation"].as_str().unwrap()];
        let scene = self.names.real(scene);
        let actor = match scene["caller"].as_str() {
            Some(user) => self.app.with_token(&self.tokens[user]),
            None => self.app.anon(),
        };
        let request = actor.request(method.clone(), &path(template, &scene));
        match &scene["request"] {
            Value::Null => request.send().await,
            // The content of a file.
            Value::String(content) => request.body(content.as_str()).send().await,
            body => request.json(body).send().await,
        }
    }
}

fn operations(document: &Value) -> BTreeMap<String, (Method, String)> {
    let mut operations = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let id = operation["operationId"].as_str().unwrap().to_owned();
            operations.insert(id, (method, path.clone()));
        }
    }
    operations
}

fn path(template: &str, scene: &Value) -> String {
    let texts = |part: &str| -> Vec<(String, String)> {
        let members = scene[part].as_object().into_iter().flatten();
        members
            .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
            .collect()
    };
    let mut path = template.to_owned();
    for (name, value) in texts("path") {
        path = path.replace(&format!("{{{name}}}"), &value);
    }
    let parameters = texts("query");
    if parameters.is_empty() {
        return path;
    }
    let parameters: Vec<_> = parameters
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    query(&path, &parameters)
}

/// Maps the identifiers in the examples to those of the service.
#[derive(Default)]
struct Names(Vec<(String, String)>);

impl Names {
    /// Maps identifiers at the same positions to each other.
    fn learn(&mut self, told: &Value, real: &Value) {
        match (told, real) {
            (Value::Object(told), Value::Object(real)) => {
                for (name, told) in told {
                    self.learn(told, real.get(name).unwrap_or(&Value::Null));
                }
            }
            (Value::Array(told), Value::Array(real)) => {
                told.iter()
                    .zip(real)
                    .for_each(|(told, real)| self.learn(told, real));
            }
            (Value::String(told), Value::String(real)) => self.take(told, real),
            _ => {}
        }
    }

    fn take(&mut self, told: &str, real: &str) {
        let is_known = self.0.iter().any(|(a, b)| a == told || b == real);
        if is_identifier(told) && is_identifier(real) && !is_known {
            self.0.push((told.to_owned(), real.to_owned()));
        }
    }

    /// Replaces the identifiers of the service by those of the examples; unknown ones get a new one.
    fn told(&mut self, value: &Value) -> Value {
        replaced(value, &mut |real| {
            if let Some(place) = place_of_cursor(real) {
                return format!("{place}{TAG}");
            }
            if !is_identifier(real) {
                // A document may contain identifiers.
                let known = self.0.iter();
                return known.fold(real.to_owned(), |text, (told, real)| {
                    text.replace(real, told)
                });
            }
            let known = self.0.iter().find(|(_, other)| other == real);
            let known = known.map(|(told, _)| told.clone());
            known.unwrap_or_else(|| {
                let told = format!("01a1fd1e-8c00-7000-8000-{:012x}", self.0.len());
                self.0.push((told.clone(), real.to_owned()));
                told
            })
        })
    }

    /// Replaces the identifiers of the examples by those of the service.
    fn real(&self, value: &Value) -> Value {
        replaced(value, &mut |told| {
            let known = self.0.iter().find(|(other, _)| other == told);
            known.map_or_else(|| told.to_owned(), |(_, real)| real.clone())
        })
    }
}

/// The end of each cursor in the examples. That of a real one depends on a random key.
const TAG: &str = "8f0c2a51d7be49f3a6c4e1902b7d5e38";

/// The place in the event log that a cursor begins with.
fn place_of_cursor(text: &str) -> Option<&str> {
    let is_cursor = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    // Hashes do not begin like a number.
    text.get(..32)
        .filter(|place| is_cursor && place.starts_with("0000"))
}

/// Also the URL of a public link, and the secret of a webhook, which are random.
fn is_identifier(text: &str) -> bool {
    let is_secret = text.contains("/l/fml_") || text.starts_with("whsec_");
    is_secret || uuid::Uuid::try_parse(text).is_ok()
}

/// The value with every string replaced.
fn replaced(value: &Value, replace: &mut impl FnMut(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(replace(text)),
        Value::Array(items) => items.iter().map(|item| replaced(item, replace)).collect(),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, member)| (name.clone(), replaced(member, replace)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}
