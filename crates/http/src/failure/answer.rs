//! Error responses of handlers, as described in the OpenAPI document.

use std::{collections::BTreeMap, marker::PhantomData};

use poem_openapi::{
    ApiResponse, Object,
    registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchemaRef, Registry},
    types::{Any, Type},
};
use serde::Serialize;
use serde_json::Value;

use super::{PROBLEM_JSON, Refusal};
use crate::contract::endpoint::Endpoint;

/// A place where data violates a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Violation {
    /// JSON Pointer to the place in the data.
    pub instance_path: String,
    /// JSON Pointer to the keyword in the schema.
    pub schema_path: String,
    /// The keyword that is violated.
    pub keyword: String,
    /// What is wrong, in words. If it is about a member, it begins with the member's name.
    pub message: String,
    /// The parts of the message, under the names that Ajv gives them.
    pub params: BTreeMap<String, Any<Value>>,
    /// Identifier of the file, if a single file of the submission violates a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub identifier: Option<String>,
}

/// A problem document of RFC 9457 with the two members of this interface.
#[derive(Debug, Serialize, Object)]
pub struct Problem {
    /// `urn:formalize:error:` followed by the error id.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    pub kind: String,
    /// Fixed phrase for the error id.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// What is wrong with this request, and what to change.
    pub detail: String,
    /// Error id.
    #[serde(rename = "relay:errorId")]
    #[oai(rename = "relay:errorId")]
    pub error_id: String,
    /// Names of the invalid fields or parameters, or invalid words; or an object with a `message`; or an empty array.
    #[serde(rename = "relay:errorDetails")]
    #[oai(rename = "relay:errorDetails")]
    pub error_details: Any<Value>,
    /// For invalid data or an invalid schema: the violations.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub violations: Option<Vec<Violation>>,
    /// For a batch of submissions: the results, as in a response with status 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub results: Option<Vec<Any<Value>>>,
}

impl Problem {
    /// The same problem in a few lines.
    pub(crate) fn without_details(&self) -> Self {
        Self {
            kind: self.kind.clone(),
            title: self.title.clone(),
            status: self.status,
            detail: self.title.clone(),
            error_id: self.error_id.clone(),
            error_details: Any(Value::Array(Vec::new())),
            violations: self.violations.as_ref().map(|_| Vec::new()),
            results: None,
        }
    }
}

/// The error of a handler for one operation. It is created from a [`Refusal`] or from an error of the core.
pub struct Failure<O> {
    refusal: Refusal,
    operation: PhantomData<fn() -> O>,
}

impl<O, E: Into<Refusal>> From<E> for Failure<O> {
    fn from(error: E) -> Self {
        Self {
            refusal: error.into(),
            operation: PhantomData,
        }
    }
}

impl<O> From<Failure<O>> for poem::Error {
    fn from(failure: Failure<O>) -> Self {
        failure.refusal.into()
    }
}

impl<O: Endpoint> ApiResponse for Failure<O> {
    fn meta() -> MetaResponses {
        let mut statuses: Vec<u16> = O::OPERATION
            .spec()
            .errors()
            .iter()
            .map(|key| key.row().status)
            .collect();
        statuses.dedup();
        MetaResponses {
            responses: statuses.into_iter().map(problem).collect(),
        }
    }

    fn register(registry: &mut Registry) {
        Problem::register(registry);
    }
}

fn problem(status: u16) -> MetaResponse {
    MetaResponse {
        // The error ids of each status are added from the table later.
        description: "",
        status: Some(status),
        status_range: None,
        content: vec![MetaMediaType {
            content_type: PROBLEM_JSON,
            schema: MetaSchemaRef::Reference(Problem::name().into_owned()),
        }],
        headers: Vec::new(),
    }
}

/// The result of a handler.
pub type Answer<T, O> = Result<T, Failure<O>>;
