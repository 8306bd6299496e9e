//! Examples of requests and responses about a workshop. A test sends the requests to the service and compares the
//! responses exactly.

use std::collections::BTreeMap;

use formalize_http::contract::Spec;
use formalize_http::contract::operation::FORM_DATA;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::object;

const TEXT: &str = include_str!("examples.json");

/// Requests in order, with their responses.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Examples(Vec<Example>);

/// A request and its response.
#[derive(Debug, Deserialize)]
struct Example {
    /// The id of the operation.
    operation: String,
    /// The name of the example in the document.
    name: String,
    /// The summary of the example.
    summary: String,
    /// The parameters in the path.
    #[serde(default)]
    path: BTreeMap<String, String>,
    /// The query parameters.
    #[serde(default)]
    query: BTreeMap<String, String>,
    request: Option<Value>,
    status: u16,
    response: Option<Value>,
}

impl Examples {
    /// Parses the examples in the file.
    pub(super) fn read() -> Self {
        // A test checks that the file is valid.
        serde_json::from_str(TEXT).unwrap_or_default()
    }

    fn examples<'a>(&'a self, spec: &'a Spec) -> impl Iterator<Item = &'a Example> {
        self.0.iter().filter(|example| example.operation == spec.id)
    }

    fn successes<'a>(&'a self, spec: &'a Spec) -> impl Iterator<Item = &'a Example> {
        self.examples(spec).filter(|example| example.status < 400)
    }

    /// The example of an error of an operation, if there is one.
    pub(super) fn refusal(&self, spec: &Spec, status: u16, id: &str) -> Option<Value> {
        let example = self.examples(spec).find(|example| {
            let problem = example.response.as_ref();
            let met = problem.and_then(|problem| problem.get("relay:errorId")?.as_str());
            example.status == status && met == Some(id)
        })?;
        Some(example.shows(example.response.as_ref()?))
    }

    /// Adds examples to the parameters, the request and the responses of an operation.
    pub(super) fn illustrate(&self, described: &mut Map<String, Value>, spec: &Spec) {
        if let Some(Value::Array(parameters)) = described.get_mut("parameters") {
            for parameter in parameters {
                self.illustrate_parameter(parameter, spec);
            }
        }
        let requests = || self.named(spec, |example| example.request.as_ref());
        if let Some(body) = described.get_mut("requestBody") {
            add_examples(body, &requests());
        }
        if let Some(Value::Object(responses)) = described.get_mut("responses") {
            for (status, response) in responses {
                self.illustrate_response(response, spec, status);
            }
        }
    }

    /// Adds to each media type of a response the examples that have it.
    fn illustrate_response(&self, response: &mut Value, spec: &Spec, status: &str) {
        let content = object(response, &["content"]).into_iter().flatten();
        for (media_type, described) in content {
            let examples = self
                .successes(spec)
                .filter(|example| example.status.to_string() == status && example.has(media_type));
            let examples = examples.filter_map(|example| {
                let response = example.response.as_ref()?;
                Some((example.name.clone(), example.shows(response)))
            });
            let examples: Map<String, Value> = examples.collect();
            if let Some(described) = described.as_object_mut().filter(|_| !examples.is_empty()) {
                described.insert("examples".to_owned(), json!(examples));
            }
        }
    }

    /// Optional parameters get no examples, because users who try an operation would send them unintentionally.
    fn illustrate_parameter(&self, parameter: &mut Value, spec: &Spec) {
        let Some(parameter) = parameter.as_object_mut() else {
            return;
        };
        let Some(name) = parameter.get("name").and_then(Value::as_str) else {
            return;
        };
        let is_required = parameter.get("required") == Some(&json!(true));
        let values = self
            .successes(spec)
            .find_map(|example| example.path.get(name).or_else(|| example.query.get(name)));
        if let Some(value) = values.filter(|_| is_required) {
            parameter.insert("example".to_owned(), json!(value));
        }
    }

    /// A part of each successful example, by its name.
    fn named(&self, spec: &Spec, part: impl Fn(&Example) -> Option<&Value>) -> Map<String, Value> {
        self.successes(spec)
            .filter_map(|example| Some((example.name.clone(), example.shows(part(example)?))))
            .collect()
    }
}

impl Example {
    /// Whether its response has a media type. Without the parameter `format`, it is JSON, like all others.
    fn has(&self, media_type: &str) -> bool {
        let format = self.query.get("format").map_or("json", String::as_str);
        let name = media_type.split([';', '/']).nth(1).unwrap_or_default();
        name.strip_prefix("x-").unwrap_or(name) == format
    }

    fn shows(&self, value: &Value) -> Value {
        json!({ "summary": self.summary, "value": value })
    }
}

/// Adds examples to every media type of a request or response.
fn add_examples(described: &mut Value, examples: &Map<String, Value>) {
    let Some(content) = object(described, &["content"]).filter(|_| !examples.is_empty()) else {
        return;
    };
    for (name, media) in content {
        let Some(media) = media.as_object_mut() else {
            continue;
        };
        let mut examples = examples.clone();
        if name == FORM_DATA {
            for example in examples.values_mut().filter_map(|it| it.get_mut("value")) {
                *example = json!({ "submission": example });
            }
        }
        media.insert("examples".to_owned(), json!(examples));
    }
}
