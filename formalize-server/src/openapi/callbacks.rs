//! What receivers of webhooks get: the requests that follow from `createWebhook`, as its callback.

use formalize_core::{events::EventType, webhooks::WebhookEvents};
use formalize_http::contract::Operation;
use serde_json::{Value, json};

use super::object;

/// The type of the event that `testWebhook` sends.
const TEST: &str = "webhook.test";

/// The records of events: the first part of the names of their types, and the schema of `data`.
const RECORDS: [(&str, &str); 7] = [
    ("submission", "SubmissionEvent"),
    ("form", "FormEvent"),
    ("group", "GroupEvent"),
    ("member", "MemberEvent"),
    ("grant", "GrantEvent"),
    ("resource", "ResourceEvent"),
    ("webhook", "WebhookEvent"),
];

/// Describes the deliveries of a webhook at the operation that creates one.
pub(super) fn describe(document: &mut Value) {
    let spec = Operation::CreateWebhook.spec();
    if let Some(described) = object(document, &["paths", spec.path, "post"]) {
        let tags = described.get("tags").cloned().unwrap_or_default();
        let request = json!({ "{$request.body#/url}": { "post": delivery(&tags) } });
        described.insert("callbacks".to_owned(), json!({ "event": request }));
    }
}

fn delivery(tags: &Value) -> Value {
    json!({
        "operationId": "receiveEvent",
        "summary": "Receive an event.",
        "description": "The server sends this request to the URL of the webhook, without an API token. Verify the signature with a \
            library for Standard Webhooks, against the body exactly as it was received. A delivery is attempted until it \
            succeeds, so the same event can come several times. Events about one submission come in their order; see \
            `docs/webhooks.md`.",
        "tags": tags,
        "security": [],
        "parameters": headers(),
        "requestBody": {
            "description": "The event. The bytes are the same at every attempt.",
            "required": true,
            "content": { "application/json": { "schema": body(), "examples": examples() } },
        },
        "responses": responses(),
    })
}

fn headers() -> Value {
    let header = |name, description, schema, example| {
        json!({
            "name": name, "in": "header", "required": true, "description": description, "schema": schema,
            "example": example,
        })
    };
    json!([
        header(
            "webhook-id",
            "Identifier of the event, the same at every attempt. Recognize repetitions by it.",
            json!({ "type": "string", "format": "uuid" }),
            json!("01a1fd1e-8c00-7000-8000-000000000014"),
        ),
        header(
            "webhook-timestamp",
            "Time of the attempt, in seconds since 1970.",
            json!({ "type": "integer", "format": "int64" }),
            json!(1_795_252_200),
        ),
        header(
            "webhook-signature",
            "`v1,` and the base64 of an HMAC with SHA-256 over `webhook-id.webhook-timestamp.body`; two of them, separated by a \
             space, while an old secret signs, too.",
            json!({ "type": "string", "pattern": "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$" }),
            json!("v1,dHfsi9zoDQIEhQd7ZIeAYvRYp2gjPbtw62IvKUj9Z28="),
        ),
    ])
}

/// The schemas of the types: one for each kind of record.
fn body() -> Value {
    let types = WebhookEvents::of_all_forms();
    let types: Vec<EventType> = types.iter().collect();
    let with_submission = |it: &EventType| {
        matches!(
            it,
            EventType::SubmissionSubmitted | EventType::SubmissionUpdated
        )
    };
    let (full, others): (Vec<EventType>, Vec<_>) = types.into_iter().partition(with_submission);
    let names = |types: &[EventType]| -> Vec<&str> { types.iter().map(|it| it.as_str()).collect() };
    let mut schemas = vec![event(&names(&full), &submission())];
    for (record, schema) in RECORDS {
        let of_record = |it: &&EventType| it.as_str().split('.').next() == Some(record);
        let types: Vec<EventType> = others.iter().filter(of_record).copied().collect();
        let data = json!({ "$ref": format!("#/components/schemas/{schema}") });
        schemas.push(event(&names(&types), &data));
    }
    let mut test = event(&[TEST], &test_data());
    if let Some(members) = object(&mut test, &["properties", "sequence"]) {
        members.insert("nullable".to_owned(), json!(true));
    }
    schemas.push(test);
    json!({
        "description": "An event. Ignore members and types that you do not know: more may be added.",
        "oneOf": schemas,
    })
}

/// An event of one of these types, with its data.
fn event(types: &[&str], data: &Value) -> Value {
    let member = |kind, format, description| json!({ "type": kind, "format": format, "description": description });
    json!({
        "type": "object",
        "required": ["identifier", "sequence", "type", "timestamp", "version", "data"],
        "properties": {
            "identifier": member("string", "uuid", "Identifier of the event."),
            "sequence": member("integer", "int64", "Position in the log of all events. It increases with every change of a record."),
            "type": { "type": "string", "enum": types, "description": "What happened." },
            "timestamp": member("string", "date-time", "When it happened."),
            "version": member("integer", "uint32", "Version of the members of `data`. Members may be added without a new version."),
            "data": data,
        },
    })
}

/// The data of an event that can have the submission.
fn submission() -> Value {
    json!({
        "type": "object",
        "required": ["submissionIdentifier", "formIdentifier", "creatorId", "by"],
        "properties": {
            "submissionIdentifier": { "type": "string", "format": "uuid", "description": "Identifier of the submission." },
            "formIdentifier": { "type": "string", "format": "uuid", "description": "Identifier of its form." },
            "creatorId": { "type": "string", "description": "Identifier of the user who created it." },
            "by": {
                "type": "string", "nullable": true,
                "description": "Identifier of the user who made the change; null for the service itself.",
            },
            "submission": {
                "type": "object", "nullable": true, "allOf": [{ "$ref": "#/components/schemas/ExportedSubmission" }],
                "description": "With the payload `full`: the submission as it was at the event, with its tags and files; null if \
                    it was omitted. Files also have `creatorId` and `dateCreated`, as in responses.",
            },
            "submissionOmitted": {
                "type": "boolean",
                "description": "`true` if the submission is too large, or was not kept because no webhook wanted it then.",
            },
        },
    })
}

fn test_data() -> Value {
    json!({
        "type": "object",
        "required": ["webhookIdentifier", "formIdentifier"],
        "properties": {
            "webhookIdentifier": { "type": "string", "format": "uuid", "description": "Identifier of the webhook." },
            "formIdentifier": {
                "type": "string", "format": "uuid", "nullable": true,
                "description": "Identifier of its form; null: it sends the events of all forms.",
            },
        },
    })
}

fn examples() -> Value {
    let envelope = |sequence: Value, kind: &str, data: Value| {
        json!({
            "identifier": "01a1fd1e-8c00-7000-8000-000000000014", "sequence": sequence, "type": kind,
            "timestamp": "2026-11-21T09:10:00.000Z", "version": 1, "data": data,
        })
    };
    let (form, submission) = (
        "01a1fd1e-8c00-7073-97d6-3f25a7101990",
        "01a1fd1e-8c00-7774-bce3-8d9284d677a1",
    );
    let submitted = json!({
        "submissionIdentifier": submission, "formIdentifier": form, "creatorId": "ada", "by": "ada",
        "submission": {
            "identifier": submission, "formIdentifier": form, "dataFeedElement": "{\"name\": \"Ada\"}",
            "submissionState": "submitted", "creatorId": "ada", "lastModifiedById": "ada",
            "dateCreated": "2026-11-21T09:10:00.000Z", "dateLastModified": "2026-11-21T09:10:00.000Z",
            "tags": ["new"], "submittedFiles": [],
        },
    });
    let test = json!({ "webhookIdentifier": "01a1fd1e-8c00-7000-8000-00000000001c", "formIdentifier": form });
    json!({
        "registration": {
            "summary": "Ada has registered",
            "value": envelope(json!(12), EventType::SubmissionSubmitted.as_str(), submitted),
        },
        "test": { "summary": "A test of the webhook", "value": envelope(Value::Null, TEST, test) },
    })
}

fn responses() -> Value {
    let meaning = |text| json!({ "description": text });
    json!({
        "2XX": meaning("The event was delivered. The body of the response is ignored."),
        "410": meaning("The receiver is gone: the webhook is disabled, and its pending deliveries are given up."),
        "429": meaning("The attempt failed, and does not count. `Retry-After` is respected, up to ten hours."),
        "503": meaning("The attempt failed, and does not count. `Retry-After` is respected, up to ten hours."),
        "default": meaning(
            "The attempt failed, and is repeated later; redirects are not followed. After ten failures, which take a day, the \
             delivery is given up. Failures with the status 502 or 504, or without a response in time, do not count.",
        ),
    })
}
