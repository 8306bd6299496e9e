//! Checks that the document is complete for every operation.

use std::collections::{BTreeSet, HashMap};

use formalize_http::contract::operation::Answer;
use formalize_http::contract::parameter::DRY_RUN;
use formalize_http::contract::{Details, ErrorKey};

use super::*;

/// The document, with the shared responses in place.
async fn document() -> Value {
    let mut document = Document::standalone().await.unwrap().0;
    let shared = document["components"]["responses"].clone();
    for operation in described_operations() {
        let verb = operation.verb.name().to_ascii_lowercase();
        let responses = &mut document["paths"][operation.path][verb]["responses"];
        for response in responses.as_object_mut().unwrap().values_mut() {
            if let Some(reference) = response["$ref"].as_str() {
                *response = shared[reference.rsplit('/').next().unwrap()].clone();
            }
        }
    }
    document
}

#[tokio::test]
async fn no_error_response_is_described_twice() {
    let document = Document::standalone().await.unwrap().0;
    let mut described = HashMap::new();
    let mut referred = BTreeSet::new();
    for spec in described_operations() {
        let responses = operation(&document, spec)["responses"].as_object().unwrap();
        for (status, response) in responses {
            if let Some(reference) = response["$ref"].as_str() {
                referred.insert(reference.rsplit('/').next().unwrap().to_owned());
            } else if status.as_str() >= "400" {
                let other = described.insert(response.to_string(), spec.id);
                assert_eq!(other, None, "{} {status}", spec.id);
            }
        }
    }
    for (name, response) in document["components"]["responses"].as_object().unwrap() {
        assert!(referred.remove(name), "{name} is not used");
        let other = described.insert(response.to_string(), "shared");
        assert_eq!(other, None, "{name}");
        let is_plain = |one: char| one.is_ascii_alphanumeric() || ".-".contains(one);
        assert!(name.chars().all(is_plain), "{name}");
    }
    assert_eq!(referred, BTreeSet::new());
}

#[tokio::test]
async fn the_served_document_is_compact() {
    let document = Document::standalone().await.unwrap();
    let (compact, pretty) = (document.to_compact_json(), document.to_json());
    assert_eq!(
        serde_json::from_str::<Value>(&compact).unwrap(),
        serde_json::from_str::<Value>(&pretty).unwrap()
    );
    assert!(!compact.contains('\n'));
    assert!(compact.len() < 500_000, "{}", compact.len());
}

#[test]
fn common_refusals_are_not_about_the_operation() {
    for spec in described_operations() {
        for key in spec.errors() {
            let row = key.row();
            let is_general = row.area.is_none() || key == spec.failure;
            if page::COMMON.contains(&row.status) && !is_general {
                // The content of the file cannot be read, which is a failure, too.
                assert_eq!(key, ErrorKey::SubmittedFileLost, "{}", spec.id);
            }
        }
    }
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
    let table = described_operations()
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
        let counted = spec
            .parameters
            .iter()
            .any(|one| one.name == DRY_RUN.name)
            .then(|| "200".to_owned());
        expected.extend(counted);
        let in_parts = (spec.id == "getSubmittedFileContent").then(|| "206".to_owned());
        expected.extend(in_parts);
        let is_item = !spec.conditions().is_empty() && spec.verb == Verb::Get;
        expected.extend(is_item.then(|| "304".to_owned()));
        let has_ranges = spec.errors().contains(&ErrorKey::RangeNotSatisfiable);
        expected.extend(has_ranges.then(|| "206".to_owned()));
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
                path + spec.parameters.len() + spec.deciding_headers().len(),
                "{}",
                spec.id
            );
        }
    }
}

#[tokio::test]
async fn the_document_matches_its_reviewed_copy() {
    let document = Document::standalone().await.unwrap().to_json();
    let reviewed = include_str!("../../../openapi.json");
    let hint = "if this is meant: `cargo run --bin formalize-server -- openapi > openapi.json`";
    assert!(document == reviewed, "{hint}");
}

#[tokio::test]
async fn nullable_fields_are_documented() {
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
async fn request_bodies_forbid_unknown_fields() {
    let document = document().await;
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let closed = schemas
        .iter()
        .filter(|(_, schema)| schema["additionalProperties"] == false);
    let closed: Vec<_> = closed.map(|(name, _)| name.as_str()).collect();
    let sent = [
        "FormChange",
        "FormLinkChange",
        "GroupChange",
        "NewForm",
        "NewFormLink",
        "NewGroup",
        "NewGroupMember",
        "NewResourceActionGrant",
        "NewSubmission",
        "NewSubmissions",
        "NewWebhook",
        "NoFields",
        "PermissionChecks",
        "QuestionsRequest",
        "Resending",
        "SecretRotation",
        "SubmissionChange",
        "WebhookChange",
    ];
    assert_eq!(closed, sent);
}

#[tokio::test]
async fn the_page_shows_the_completed_document() {
    let page = Document::standalone().await.unwrap().to_html();
    assert!(page.starts_with("\n<!doctype html>\n<html lang=\"en\">\n"));
    assert!(page.contains("<title>formalize</title>"));
    assert!(page.contains("SwaggerUIBundle=") && page.contains(".swagger-ui{"));
    assert!(page.contains("\"operationId\":\"listGroups\""));
    assert!(page.ends_with("</html>\n"));
    assert!(!page.contains("src=\"http"), "the page loads nothing else");
    assert!(page.contains("const COMMON_REFUSALS = [401, 406,"));
    assert!(page.contains("plugins: [FoldCommonRefusals],"));
}

/// The documentation that an operation lacks.
fn lacking(document: &Value, spec: &Spec) -> Vec<String> {
    let described = operation(document, spec);
    let mut lacking = Vec::new();
    let mut need = |what: &str, is_there: bool| {
        if !is_there {
            lacking.push(format!("{}: {what}", spec.id));
        }
    };
    need("id", described["operationId"] == spec.id);
    need("summary", is_text(&described["summary"]));
    need("description", is_text(&described["description"]));
    need("tag", has_described_tag(document, described));
    need(
        "security",
        (described["security"] == json!([])) == spec.public,
    );
    for parameter in described["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        need(name, is_text(&parameter["description"]));
        let is_required = parameter["required"] == true;
        need(
            &format!("example of {name}"),
            !is_required || is_text(&parameter["example"]),
        );
    }
    need(
        "example of request",
        has_examples(&described["requestBody"]),
    );
    for (status, response) in described["responses"].as_object().unwrap() {
        need(status, is_text(&response["description"]));
        need(&format!("example of {status}"), has_examples(response));
        for id in response["x-error-ids"].as_array().into_iter().flatten() {
            let is_shown = shows(document, response, status, id);
            need(&format!("example of {id}"), is_shown);
        }
    }
    lacking
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn has_described_tag(document: &Value, described: &Value) -> bool {
    let tags = document["tags"].as_array().unwrap();
    tags.iter()
        .any(|tag| tag["name"] == described["tags"][0] && is_text(&tag["description"]))
}

/// Whether every media type has examples. Content without a body needs none, and bytes cannot be shown.
fn has_examples(described: &Value) -> bool {
    let media = described["content"].as_object().into_iter().flatten();
    let mut media = media.filter(|(_, media)| media["schema"]["format"] != "binary");
    media.all(|(_, media)| {
        let examples = media["examples"].as_object();
        examples.is_some_and(|examples| !examples.is_empty())
    })
}

/// Whether an error is among the examples of a response.
fn shows(document: &Value, response: &Value, status: &str, id: &Value) -> bool {
    let examples = response["content"]["application/problem+json"]["examples"].as_object();
    examples.into_iter().flatten().any(|(_, example)| {
        let shared = example["$ref"].as_str().map(|reference| {
            let pointer = reference.strip_prefix('#').unwrap();
            document.pointer(pointer).unwrap()
        });
        let problem = &shared.unwrap_or(example)["value"];
        problem["relay:errorId"] == *id && problem["status"].as_u64() == status.parse().ok()
    })
}

#[tokio::test]
async fn every_operation_is_fully_documented() {
    let document = document().await;
    let lacking: Vec<String> = described_operations()
        .flat_map(|spec| lacking(&document, spec))
        .collect();
    assert!(lacking.is_empty(), "{lacking:#?}");
}

#[tokio::test]
async fn missing_documentation_is_detected() {
    let complete = document().await;
    let spec = Operation::UpdateForm.spec();
    for part in [
        "operationId",
        "summary",
        "description",
        "tags",
        "parameters/0/description",
        "parameters/0/example",
        "requestBody/content/application~1json/examples",
        "responses/200/content/application~1json; charset=utf-8/examples",
        "responses/204/description",
        "responses/403/content/application~1problem+json/examples/forbidden",
        "responses/409/content/application~1problem+json/examples",
    ] {
        let mut document = complete.clone();
        let place = format!("/paths/{}/patch/{part}", spec.path.replace('/', "~1"));
        *document.pointer_mut(&place).unwrap() = Value::Null;
        assert!(!lacking(&document, spec).is_empty(), "{part}");
    }
}

/// The documented operations: all except the document itself, its page and the redirect to it.
fn described_operations() -> impl Iterator<Item = &'static Spec> {
    let itself = [
        Operation::GetRoot,
        Operation::GetDocument,
        Operation::GetDocs,
    ];
    let described = Operation::ALL
        .iter()
        .filter(move |operation| !itself.contains(operation));
    described.map(|operation| operation.spec())
}

#[tokio::test]
async fn examples_of_violations_are_not_empty() {
    let document = document().await;
    for spec in described_operations() {
        for key in spec.errors() {
            let row = key.row();
            // Questions are only refused for data that is not JSON at all.
            if row.details != Details::Violations || spec.id == "getFormQuestions" {
                continue;
            }
            let responses = &operation(&document, spec)["responses"];
            let problem = &responses[row.status.to_string()]["content"]["application/problem+json"];
            let example = &problem["examples"][row.name]["value"];
            let violations = example["violations"].as_array().unwrap();
            assert!(!violations.is_empty(), "{}: {key:?}", spec.id);
        }
    }
}

#[test]
fn examples_name_the_invalid_fields() {
    for key in ErrorKey::ALL {
        let names = key.row().details == Details::Names;
        assert_eq!(names, !errors::at_fault(*key).is_empty(), "{key:?}");
    }
}

#[test]
fn the_examples_use_operations_of_the_table() {
    let examples: Vec<Value> = serde_json::from_str(include_str!("examples.json")).unwrap();
    for scene in &examples {
        let id = scene["operation"].as_str().unwrap();
        let spec = described_operations().find(|spec| spec.id == id);
        let spec = spec.unwrap_or_else(|| panic!("unknown operation {id}"));
        let status = u16::try_from(scene["status"].as_u64().unwrap()).unwrap();
        let is_counted = status == 200 && scene["query"]["dryRun"] == "true";
        let is_expected = status == spec.success || is_counted || status >= 400;
        assert!(is_expected, "{id}: {status}");
        if status >= 400 {
            let met = scene["response"]["relay:errorId"].as_str().unwrap();
            let name = met.split_once(':').unwrap().1;
            assert_eq!(scene["name"], name, "{id}");
        }
    }
}

#[tokio::test]
async fn the_most_used_tags_come_first() {
    let document = document().await;
    let tags = document["tags"].as_array().unwrap().iter();
    let tags: Vec<_> = tags.map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(tags, api::TAGS);
}

#[tokio::test]
async fn schemas_have_readable_names() {
    let document = document().await;
    for name in document["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
    {
        let is_plain = name.chars().all(|letter| letter.is_ascii_alphabetic());
        assert!(
            is_plain && name.starts_with(|letter: char| letter.is_ascii_uppercase()),
            "{name}"
        );
    }
    let page = &document["components"]["schemas"]["FormPage"]["properties"]["items"]["items"];
    assert_eq!(page["$ref"], "#/components/schemas/Form");
}
