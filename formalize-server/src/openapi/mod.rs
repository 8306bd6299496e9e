//! The OpenAPI document: what the framework knows of the handlers, completed from the tables of the
//! contract and from examples.

mod errors;
mod examples;
mod published;
mod schemas;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use formalize_core::{Formalize, store::memory::MemoryStore};
use poem_openapi::{OpenApi, OpenApiService};
use serde_json::{Map, Value, json};

use crate::{
    api::{self, Links},
    contract::{Condition, Kind, Operation, Parameter, Spec, Verb},
    readiness::Stopping,
};
use examples::Examples;
pub(crate) use published::{Published, Text};

const DESCRIPTION: &str = "Forms, submissions and authorization.\n\n\
    Authenticate with a bearer token. Errors are problem documents (RFC 9457): `relay:errorId` identifies the \
    error, `relay:errorDetails` names the invalid fields or parameters, and `detail` explains it. Lists are \
    paginated, by `page` or by `cursor`.\n\n\
    Every item has an `ETag` that identifies its state as the caller sees it. Send it as `If-None-Match` to avoid \
    downloading an unchanged item again. Send it as `If-Match` to change or delete an item only if nobody has \
    changed it since, so that concurrent editors do not overwrite each other. Collections have no `ETag`: they \
    ignore `If-Match`. `If-None-Match` is only supported for reading.\n\n\
    In the examples, Grace organises a workshop and Ada registers for it.";

/// The page up to the document, as `build.rs` has compressed it.
const PAGE_BEGIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page-begin.gz"));
/// The page after the document.
const PAGE_END: &str = include_str!(concat!(env!("OUT_DIR"), "/page-end.html"));

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
        let examples = Examples::told();
        for operation in Operation::ALL {
            let spec = operation.spec();
            let verb = spec.verb.name().to_ascii_lowercase();
            if let Some(described) = object(&mut document, &["paths", spec.path, &verb]) {
                complete(described, spec, &examples);
            }
        }
        schemas::complete(&mut document);
        if let Some(components) = object(&mut document, &["components"]) {
            components.insert("examples".to_owned(), errors::shared_examples());
            components.insert("securitySchemes".to_owned(), security_schemes());
        }
        if let Some(members) = object(&mut document, &[]) {
            members.insert("security".to_owned(), json!([{ "bearer": [] }]));
            members.insert("servers".to_owned(), servers());
            if let Some(Value::Array(tags)) = members.get_mut("tags") {
                tags.sort_by_key(|tag| place_of(tag.get("name")));
            }
        }
        if let Some(info) = object(&mut document, &["info"]) {
            info.insert("license".to_owned(), license());
        }
        Self(document)
    }

    /// The document as JSON, in the same order each time, with a newline at its end.
    pub fn to_json(&self) -> String {
        format!("{:#}\n", self.0)
    }

    /// A page that shows the document and lets people try it; everything is in the page.
    ///
    /// Takes some milliseconds, since most of the page is kept compressed.
    pub(crate) fn to_html(&self) -> String {
        let begin = published::decompress(PAGE_BEGIN);
        let mut page = String::from_utf8(begin).unwrap_or_default();
        page.push_str(&self.to_json());
        page.push_str(PAGE_END);
        page
    }

    /// The document as a value.
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

/// Where the operations with a tag stand in the document: first what most clients use.
fn place_of(tag: Option<&Value>) -> usize {
    let name = tag.and_then(Value::as_str);
    let before = api::TAGS.iter().take_while(|other| name != Some(**other));
    before.count()
}

/// Completes one operation from its row and the examples of it.
fn complete(described: &mut Map<String, Value>, spec: &Spec, examples: &Examples) {
    described.insert("operationId".to_owned(), json!(spec.id));
    if spec.public {
        described.insert("security".to_owned(), json!([]));
    }
    describe_parameters(described, spec);
    describe_request_media(described, spec);
    if let Some(Value::Object(responses)) = described.get_mut("responses") {
        errors::describe(responses, spec, examples);
    }
    describe_rates(described);
    describe_conditions(described, spec);
    examples.illustrate(described, spec);
}

fn describe_parameters(described: &mut Map<String, Value>, spec: &Spec) {
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
}

/// The framework knows one media type of a body; the row may have several.
fn describe_request_media(described: &mut Map<String, Value>, spec: &Spec) {
    let Some(content) = described
        .get_mut("requestBody")
        .and_then(|body| object(body, &["content"]))
    else {
        return;
    };
    let schemas: Vec<Value> = std::mem::take(content)
        .into_iter()
        .map(|(_, schema)| schema)
        .collect();
    for (media, schema) in spec.request_media().zip(schemas.iter().cycle()) {
        content.insert(media.to_owned(), schema.clone());
    }
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
        "Retry-After": field("integer", "Number of seconds after which to retry."),
        "RateLimit": field("string", "Remaining requests, and the number of seconds until there are more: `\"user\";r=0;t=1`."),
        "RateLimit-Policy": field("string", "Number of requests allowed in a number of seconds: `\"user\";q=6000;w=60`."),
    });
    refused.insert("headers".to_owned(), headers);
}

/// Says what is answered when conditions do not hold.
fn describe_conditions(described: &mut Map<String, Value>, spec: &Spec) {
    let Some(Value::Object(responses)) = described.get_mut("responses") else {
        return;
    };
    let tag = |description| json!({ "ETag": { "description": description, "schema": { "type": "string" } } });
    if let Some(Value::Object(failed)) = responses.get_mut("412") {
        let description = "Identifies the current state of the item, if the caller may read it.";
        failed.insert("headers".to_owned(), tag(description));
    }
    if spec.verb == Verb::Get && !spec.conditions().is_empty() {
        let unchanged = json!({
            "description": "The item has one of the entity tags in `If-None-Match`.",
            "headers": tag("Identifies this state of the item as the caller sees it."),
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

fn servers() -> Value {
    json!([{ "url": "/", "description": "The server that serves this document." }])
}

fn license() -> Value {
    let url = "https://spdx.org/licenses/";
    json!({ "name": env!("CARGO_PKG_LICENSE"), "url": url })
}
