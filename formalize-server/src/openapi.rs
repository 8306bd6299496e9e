//! The OpenAPI document: what the framework knows of the handlers, completed from the tables of the
//! contract.

use std::sync::Arc;

use formalize_core::{Formalize, store::memory::MemoryStore};
use poem_openapi::{OpenApi, OpenApiService};
use serde_json::{Map, Value, json};

use crate::{
    api::{self, Links},
    contract::{Condition, ErrorKey, Kind, Operation, Parameter, Spec, Verb},
    life::Stopping,
};

const DESCRIPTION: &str = "Forms, submissions and authorization.\n\n\
    Credentials are a bearer token. Errors are problem documents of RFC 9457; `relay:errorId` says \
    what is wrong, `relay:errorDetails` where. Lists are read page by page, by `page` or by `cursor`.\n\n\
    Every item is answered with an `ETag`, which names its state as the caller sees it. `If-None-Match` \
    saves reading again what is known. `If-Match` changes or deletes an item only if it is still as it was \
    read, whatever others may do with it by now; so concurrent editors do not overwrite each other. \
    Collections have no `ETag`: `If-Match` is ignored there. `If-None-Match` is for reading and refused elsewhere.";

/// The OpenAPI document of the service.
#[derive(Debug, Clone, PartialEq)]
pub struct Document(Value);

impl Document {
    /// The document of the interface, for which nothing has to run.
    ///
    /// # Errors
    ///
    /// None that a store in memory could have.
    pub async fn standalone() -> Result<Self, formalize_core::Error> {
        let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
            .build()
            .await?;
        let operations = api::operations(formalize, Links::new(""), Stopping::default());
        Ok(Self::of(&Self::service(operations)))
    }

    /// The framework's service for these operations.
    pub(crate) fn service<T: OpenApi>(operations: T) -> OpenApiService<T, ()> {
        OpenApiService::new(operations, "formalize", env!("CARGO_PKG_VERSION"))
            .description(DESCRIPTION)
    }

    /// The document of a service.
    pub(crate) fn of<T: OpenApi>(service: &OpenApiService<T, ()>) -> Self {
        let mut document: Value = serde_json::from_str(&service.spec()).unwrap_or_default();
        for operation in Operation::ALL {
            let spec = operation.spec();
            let verb = spec.verb.name().to_ascii_lowercase();
            if let Some(described) = object(&mut document, &["paths", spec.path, &verb]) {
                complete(described, spec);
            }
        }
        refuse_unknown_members(&mut document);
        if let Some(properties) = object(
            &mut document,
            &["components", "schemas", "Problem", "properties"],
        ) {
            properties.insert("relay:errorDetails".to_owned(), error_details());
        }
        if let Some(components) = object(&mut document, &["components"]) {
            components.insert("securitySchemes".to_owned(), security_schemes());
        }
        if let Some(members) = object(&mut document, &[]) {
            members.insert("security".to_owned(), json!([{ "bearer": [] }]));
            members.remove("servers");
        }
        Self(document)
    }

    /// The document as JSON, in the same order each time, with a newline at its end.
    pub fn to_json(&self) -> String {
        format!("{:#}\n", self.0)
    }

    /// A page that shows the document and lets people try it; everything is in the page.
    pub(crate) fn to_html<T: OpenApi>(&self, service: &OpenApiService<T, ()>) -> String {
        service
            .swagger_ui_html()
            .replacen(&service.spec(), &self.to_json(), 1)
    }

    /// The document as a value.
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

/// Completes one operation from its row.
fn complete(described: &mut Map<String, Value>, spec: &Spec) {
    described.insert("operationId".to_owned(), json!(spec.id));
    if spec.public {
        described.insert("security".to_owned(), json!([]));
    }
    let parameters = spec.parameters.iter().map(parameter);
    let parameters: Vec<Value> = parameters
        .chain(spec.conditions().iter().map(header))
        .collect();
    if !parameters.is_empty()
        && let Some(described) = described
            .entry("parameters")
            .or_insert_with(|| json!([]))
            .as_array_mut()
    {
        described.extend(parameters);
    }
    if let Some(content) = described
        .get_mut("requestBody")
        .and_then(|body| object(body, &["content"]))
    {
        let schemas: Vec<Value> = std::mem::take(content)
            .into_iter()
            .map(|(_, schema)| schema)
            .collect();
        for (media, schema) in spec.request_media().zip(schemas.iter().cycle()) {
            content.insert(media.to_owned(), schema.clone());
        }
    }
    if let Some(Value::Object(responses)) = described.get_mut("responses") {
        for (status, response) in responses {
            let errors = spec
                .errors()
                .into_iter()
                .filter(|key| key.row().status.to_string() == *status);
            describe_errors(response, spec, &errors.collect::<Vec<_>>());
        }
    }
    describe_rates(described);
    describe_conditions(described, spec);
}

/// Says what comes with the refusal of a request that is one too many.
fn describe_rates(described: &mut Map<String, Value>) {
    let Some(refused) = described
        .get_mut("responses")
        .and_then(|responses| object(responses, &["429"]))
    else {
        return;
    };
    let field =
        |kind, description| json!({ "description": description, "schema": { "type": kind } });
    let headers = json!({
        "Retry-After": field("integer", "In how many seconds the request may be sent again."),
        "RateLimit": field("string", "What is left, and in how many seconds there is more: `\"user\";r=0;t=1`."),
        "RateLimit-Policy": field("string", "How many requests in how many seconds: `\"user\";q=6000;w=60`."),
    });
    refused.insert("headers".to_owned(), headers);
}

/// Says of every object that a request may send that it has no members but those that are described.
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

/// Says what is answered when conditions do not hold.
fn describe_conditions(described: &mut Map<String, Value>, spec: &Spec) {
    let Some(Value::Object(responses)) = described.get_mut("responses") else {
        return;
    };
    let tag = |description| json!({ "ETag": { "description": description, "schema": { "type": "string" } } });
    if let Some(Value::Object(failed)) = responses.get_mut("412") {
        let description = "Names the state in which the item is now, if the caller may read it.";
        failed.insert("headers".to_owned(), tag(description));
    }
    if spec.verb == Verb::Get && !spec.conditions().is_empty() {
        let unchanged = json!({
            "description": "The item is in a state that the request names in `If-None-Match`.",
            "headers": tag("Names this state of the item, as the caller sees it."),
        });
        responses.insert("304".to_owned(), unchanged);
    }
}

/// The object that a path of names leads to, if it is there.
fn object<'a>(value: &'a mut Value, path: &[&str]) -> Option<&'a mut Map<String, Value>> {
    let place = path
        .iter()
        .try_fold(value, |place, name| place.get_mut(*name))?;
    place.as_object_mut()
}

/// Names the errors of one status, in words and for programs.
fn describe_errors(response: &mut Value, spec: &Spec, errors: &[ErrorKey]) {
    let Some(response) = response.as_object_mut().filter(|_| !errors.is_empty()) else {
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

fn parameter(parameter: &Parameter) -> Value {
    let schema = match parameter.kind {
        // What is empty counts as absent.
        Kind::Text if parameter.required => json!({ "type": "string", "minLength": 1 }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Count { max, default } => {
            json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default })
        }
        Kind::Flag => json!({ "type": "boolean", "default": false }),
        Kind::OneOf(words) => json!({ "type": "string", "enum": words }),
    };
    json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.description,
        "schema": schema,
    })
}

fn header(condition: &Condition) -> Value {
    json!({
        "name": condition.name,
        "in": "header",
        "required": false,
        "description": condition.description,
        "schema": { "type": "string", "minLength": 1, "pattern": condition.pattern },
    })
}

fn security_schemes() -> Value {
    json!({
        "bearer": { "type": "http", "scheme": "bearer", "description": "An API token, `fmz_...`, or a JWT of a configured OpenID Connect issuer." },
    })
}

fn error_details() -> Value {
    json!({
        "description": "The names or words at fault; or, where a failure is ours, a fixed message.",
        "oneOf": [
            { "type": "array", "items": { "type": "string" } },
            {
                "type": "object",
                "required": ["message"],
                "properties": { "message": { "type": "string" } },
            },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::contract::operation::Answer;

    async fn document() -> Value {
        Document::standalone().await.unwrap().0
    }

    fn operation<'a>(document: &'a Value, spec: &Spec) -> &'a Value {
        &document["paths"][spec.path][spec.verb.name().to_ascii_lowercase()]
    }

    #[tokio::test]
    async fn the_document_has_the_operations_of_the_table() {
        let document = document().await;
        let documented: BTreeSet<(String, String)> = document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, verbs)| {
                verbs
                    .as_object()
                    .unwrap()
                    .keys()
                    .map(move |verb| (path.clone(), verb.to_uppercase()))
            })
            .collect();
        let itself = [Operation::GetDocument, Operation::GetDocs];
        let table = Operation::ALL
            .iter()
            .filter(|operation| !itself.contains(operation))
            .map(|operation| operation.spec())
            .map(|spec| (spec.path.to_owned(), spec.verb.name().to_owned()))
            .collect();
        assert_eq!(documented, table);
    }

    #[tokio::test]
    async fn each_operation_has_the_errors_of_its_row() {
        let document = document().await;
        for spec in Operation::ALL.iter().map(|operation| operation.spec()) {
            let responses = operation(&document, spec)["responses"].as_object();
            let Some(responses) = responses else { continue };
            let mut expected: BTreeSet<String> = spec
                .errors()
                .iter()
                .map(|key| key.row().status.to_string())
                .collect();
            expected.insert(spec.success.to_string());
            let unseen = (spec.verb.name() == "PATCH").then(|| "204".to_owned());
            expected.extend(unseen);
            let is_item = !spec.conditions().is_empty() && spec.verb == Verb::Get;
            expected.extend(is_item.then(|| "304".to_owned()));
            let documented: BTreeSet<String> = responses.keys().cloned().collect();
            assert_eq!(documented, expected, "{}", spec.id);
            for key in spec.errors() {
                let ids = &responses[&key.row().status.to_string()]["x-error-ids"];
                assert!(
                    ids.as_array()
                        .unwrap()
                        .contains(&json!(key.row().id(spec.area()))),
                    "{}: {key:?}",
                    spec.id
                );
            }
        }
    }

    #[tokio::test]
    async fn bodies_and_parameters_are_those_of_the_table() {
        let document = document().await;
        for spec in Operation::ALL.iter().map(|operation| operation.spec()) {
            let described = operation(&document, spec);
            let media: Vec<&str> = described["requestBody"]["content"]
                .as_object()
                .map(|content| content.keys().map(String::as_str).collect())
                .unwrap_or_default();
            let mut expected: Vec<&str> = spec.request_media().collect();
            expected.sort_unstable();
            assert_eq!(media, expected, "{}", spec.id);
            let parameters = described["parameters"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let path = spec.path.matches('{').count();
            if spec.answer == Answer::Json && spec.id != "getOpenApi" {
                assert_eq!(
                    parameters.len(),
                    path + spec.parameters.len() + spec.conditions().len(),
                    "{}",
                    spec.id
                );
            }
        }
    }

    #[tokio::test]
    async fn the_document_is_the_one_that_was_reviewed() {
        let document = Document::standalone().await.unwrap().to_json();
        let reviewed = include_str!("../../openapi.json");
        let hint = "if this is meant: `cargo run --bin formalize-server -- openapi > openapi.json`";
        assert!(document == reviewed, "{hint}");
    }

    #[tokio::test]
    async fn null_is_shown_where_it_is_taken() {
        let document = document().await;
        let schemas = &document["components"]["schemas"];
        assert_eq!(
            schemas["NewForm"]["properties"]["dataFeedSchema"]["nullable"],
            true
        );
        assert_eq!(schemas["NewForm"]["required"], json!(["name"]));
        assert_eq!(
            schemas["Form"]["properties"]["availableStarts"]["nullable"],
            true
        );
        assert_eq!(
            schemas["Form"]["properties"]["availableStarts"]["format"],
            "date-time"
        );
        assert!(
            schemas["NewForm"]["properties"]["name"]
                .get("nullable")
                .is_none()
        );
    }

    #[tokio::test]
    async fn requests_have_no_members_but_those_described() {
        let document = document().await;
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let closed = schemas
            .iter()
            .filter(|(_, schema)| schema["additionalProperties"] == false);
        let closed: Vec<_> = closed.map(|(name, _)| name.as_str()).collect();
        let sent = [
            "FormChange",
            "GroupChange",
            "NewForm",
            "NewGrant",
            "NewGroup",
            "NewGroupMember",
            "NewSubmission",
            "SubmissionChange",
        ];
        assert_eq!(closed, sent);
    }

    #[tokio::test]
    async fn the_page_shows_the_completed_document() {
        let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
            .build()
            .await
            .unwrap();
        let service = Document::service(api::operations(
            formalize,
            Links::new(""),
            Stopping::default(),
        ));
        let page = Document::of(&service).to_html(&service);
        assert!(page.contains("\"operationId\": \"listGroups\""));
        assert!(
            !page.contains("src=\"http"),
            "nothing is fetched from elsewhere"
        );
    }
}
