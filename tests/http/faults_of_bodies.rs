//! Faults of a body are judged before it is asked whether the records exist that the body names. So a request with such a
//! fault has the same response whether an identifier in the body is that of a record, that of none, or no identifier.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::openapi::document;
use crate::support::{
    App, BATCH, FORM_LINKS, GRANTS, GROUP_CLASS, MEMBERS, NOWHERE, RESOURCES, SUBMISSIONS,
    WEBHOOKS, id, query,
};

/// Refusals that depend on the form, and are therefore judged after its existence.
const BY_THE_FORM: [&str; 4] = [
    "formalize:submission-state-not-allowed",
    "formalize:submission-invalid-json",
    "formalize:submission-tags-invalid",
    "formalize:batch-refused",
];

/// Refusals of a grant that depend on the record of its resource.
const BY_THE_RECORD: [&str; 2] = [
    "authorization:resource-action-grant-invalid-resource",
    "authorization:resource-action-grant-invalid-action-undefined",
];

/// Valid requests of Alice, which name records in their bodies: at least one for each identifier of each operation.
async fn requests(app: &App) -> Vec<(&'static str, Value)> {
    let [group, child] = [app.group("Group").await, app.group("Child").await];
    let form = id(&app.form(json!({})).await);
    let record = app
        .alice()
        .get(&query(RESOURCES, &[("resourceIdentifier", &group)]))
        .await
        .expect(200)["items"][0]["identifier"]
        .clone();
    vec![
        (
            MEMBERS,
            json!({ "groupIdentifier": group, "childGroupIdentifier": child }),
        ),
        (
            MEMBERS,
            json!({ "groupIdentifier": group, "userIdentifier": "dora" }),
        ),
        (
            GRANTS,
            json!({
                "groupIdentifier": child, "action": "read", "resourceClass": GROUP_CLASS, "resourceIdentifier": group,
            }),
        ),
        (
            GRANTS,
            json!({ "groupIdentifier": child, "action": "update", "authorizationResourceIdentifier": record }),
        ),
        (
            SUBMISSIONS,
            json!({ "formIdentifier": form, "dataFeedElement": "{}" }),
        ),
        (
            BATCH,
            json!({ "formIdentifier": form, "submissions": [{ "dataFeedElement": "{}" }] }),
        ),
        (FORM_LINKS, json!({ "formIdentifier": form })),
        (
            WEBHOOKS,
            json!({ "formIdentifier": form, "url": "https://example.org/" }),
        ),
    ]
}

/// The members of each body that some POST takes, and whether each is an identifier, by the path.
fn members(document: &Value) -> BTreeMap<String, BTreeMap<String, bool>> {
    let mut bodies = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let content = &methods["post"]["requestBody"]["content"]["application/json"];
        let Some(reference) = content["schema"]["$ref"].as_str() else {
            continue;
        };
        let schema = document.pointer(reference.trim_start_matches('#')).unwrap();
        let members = schema["properties"].as_object().into_iter().flatten();
        let members = members.map(|(name, schema)| (name.clone(), schema["format"] == "uuid"));
        bodies.insert(path.clone(), members.collect());
    }
    bodies
}

/// Bodies in which one other member is missing, has another value, or is unknown.
fn mutations(body: &Value, identifier: &str, members: &BTreeMap<String, bool>) -> Vec<Value> {
    let mut mutations = Vec::new();
    let object = body.as_object().unwrap();
    let mut with = |change: &dyn Fn(&mut Map<String, Value>)| {
        let mut changed = object.clone();
        change(&mut changed);
        mutations.push(Value::Object(changed));
    };
    with(&|body| {
        body.insert("nonsense".to_owned(), json!(1));
    });
    for member in members.keys().filter(|member| *member != identifier) {
        with(&|body| {
            body.remove(member);
        });
        for value in [
            json!(null),
            json!(true),
            json!(-1),
            json!(""),
            json!("\u{7}"),
            json!("nonsense"),
            json!("x".repeat(3000)),
            json!([]),
            json!(["nonsense"]),
            json!({}),
        ] {
            with(&|body| {
                body.insert(member.clone(), value.clone());
            });
        }
    }
    mutations
}

#[tokio::test]
async fn faults_of_a_body_are_judged_before_existence() {
    let app = App::new().await;
    let members = members(&document(&app).await);
    let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, body) in &members {
        let identifiers = body.iter().filter(|(_, is_identifier)| **is_identifier);
        for (name, _) in identifiers {
            named.entry(path).or_default().push(name);
        }
    }
    let mut compared = 0;
    for (path, body) in requests(&app).await {
        let of_path = &members[path];
        let identifiers = of_path.keys().filter(|name| of_path[*name]);
        for identifier in identifiers.filter(|name| body.get(name).is_some()) {
            if let Some(untried) = named.get_mut(path) {
                untried.retain(|name| name != identifier);
            }
            for mutation in mutations(&body, identifier, of_path) {
                let answer = app.alice().post(path, mutation.clone()).await;
                if ![400, 413, 422].contains(&answer.status.as_u16()) {
                    continue;
                }
                let problem: Value = serde_json::from_slice(&answer.body).unwrap();
                let error = problem["relay:errorId"].as_str().unwrap();
                let by_the_record = mutation.get("authorizationResourceIdentifier").is_some();
                if BY_THE_FORM.contains(&error) || by_the_record && BY_THE_RECORD.contains(&error) {
                    continue;
                }
                for other in [NOWHERE, "x", "00000000-0000-0000-0000-000000000000"] {
                    let mut mutation = mutation.clone();
                    mutation[identifier] = json!(other);
                    let answer = app.alice().post(path, mutation.clone()).await;
                    let other: Value = serde_json::from_slice(&answer.body).unwrap();
                    assert_eq!(other, problem, "{path}: {mutation}");
                    compared += 1;
                }
            }
        }
    }
    named.retain(|_, untried| !untried.is_empty());
    assert!(named.is_empty(), "no request has {named:?}");
    assert!(compared > 300, "{compared}");
}

/// Text that is no identifier is answered as an identifier of no record.
#[tokio::test]
async fn malformed_identifiers_name_nothing() {
    let app = App::new().await;
    let mut compared = 0;
    let of_path = members(&document(&app).await);
    for (path, body) in requests(&app).await {
        let identifiers = of_path[path].iter().filter(|(_, is_one)| **is_one);
        for (identifier, _) in identifiers.filter(|(name, _)| body.get(name).is_some()) {
            for actor in [app.alice(), app.bob()] {
                let mut answers = Vec::new();
                for text in [NOWHERE, "x", ""] {
                    let mut body = body.clone();
                    body[identifier] = json!(text);
                    let answer = actor.post(path, body).await;
                    answers.push((answer.status, String::from_utf8(answer.body).unwrap()));
                }
                assert_eq!(answers[0].0.as_u16(), 404, "{path}: {identifier}");
                assert!(answers.iter().all(|it| *it == answers[0]), "{answers:?}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "{compared}");
}
