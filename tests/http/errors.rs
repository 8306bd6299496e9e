//! Responses when the store fails: the error of the operation, or 503 if the store is unavailable, and never the cause.

use std::sync::Arc;

use formalize_tests::failing::{CAUSE, Failure};
use formalize_tests::patience::found;
use poem::http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::openapi::operations;
use crate::support::{
    Answer, App, BATCH, CHECK, FORM_LINKS, FORMS, GRANTS, GROUP_CLASS, GROUPS, MEMBERS, RESOURCES,
    SUBMISSIONS, WEBHOOKS, at, grant, id, items, query, submission,
};

/// Method, path, the store methods that fail besides beginning a transaction, and the expected error. In the contract,
/// the ids for lists and single items of members are swapped.
const CASES: &str = "
GET    /authorization/groups                                        groups            authorization:getting-group-collection-failed
POST   /authorization/groups                                        insert_group      authorization:adding-group-failed
GET    /authorization/groups/{group}                                find_group_for    authorization:getting-group-item-failed
PATCH  /authorization/groups/{group}                                update_group      authorization:group-not-updated
DELETE /authorization/groups/{group}                                delete_group      authorization:removing-group-failed
GET    /authorization/groups-members?groupIdentifier={group}        memberships       authorization:getting-group-member-item-failed
POST   /authorization/groups-members                                insert_membership authorization:adding-group-member-failed
GET    /authorization/groups-members/{member}                       find_membership   authorization:getting-group-member-collection-failed
DELETE /authorization/groups-members/{member}                       delete_membership authorization:removing-group-member-failed
GET    /authorization/resources                                     resources         authorization:getting-resource-collection-failed
GET    /authorization/resources/{resource}                          find_resource     authorization:getting-resource-item-failed
GET    /authorization/resource-action-grants                        grants            authorization:getting-resource-action-grant-collection-failed
POST   /authorization/resource-action-grants                        insert_grant      authorization:adding-resource-action-grant-failed
GET    /authorization/resource-action-grants/{grant}                find_grant        authorization:getting-resource-action-grant-item-failed
DELETE /authorization/resource-action-grants/{grant}                delete_grant      authorization:removing-resource-action-grant-failed
GET    /authorization/available-resource-class-actions              groups_of         authorization:internal-error
GET    /authorization/available-resource-class-actions/VendorThing  find_token        authorization:internal-error
GET    /authorization/dynamic-groups                                find_token        authorization:internal-error
GET    /authorization/dynamic-groups/staff                          find_token        authorization:internal-error
GET    /authorization/granted-actions/VendorThing                   find_resource_for authorization:internal-error
GET    /authorization/granted-actions/DbpRelayFormalizeForm/{form}  find_resource_for authorization:internal-error
GET    /me                                                          groups_of         formalize:internal-error
POST   /authorization/check                                         resources_of      authorization:check-failed
GET    /formalize/forms                                             forms             formalize:getting-form-collection-failed
POST   /formalize/forms                                             insert_form       formalize:form-not-created
GET    /formalize/forms/{form}                                      find_form_for     formalize:getting-form-item-failed
POST   /formalize/forms/{form}/questions                            find_form_for     formalize:getting-form-item-failed
PATCH  /formalize/forms/{form}                                      update_form       formalize:form-not-updated
DELETE /formalize/forms/{form}                                      delete_form       formalize:form-not-removed
GET    /formalize/events                                            events            formalize:getting-event-collection-failed
GET    /formalize/submissions?formIdentifier={form}                 submissions       formalize:getting-submission-collection-failed
GET    /formalize/submissions/export?formIdentifier={form}&format=json submissions       formalize:submissions-not-exported
GET    /formalize/submissions/summary?formIdentifier={form}         submissions       formalize:getting-submission-collection-failed
POST   /formalize/submissions                                       submit            formalize:submission-not-created
POST   /formalize/submissions/batch                                 submit_all        formalize:submissions-not-created
DELETE /formalize/submissions?formIdentifier={form}                 delete_submitted  formalize:form-submissions-not-removed
GET    /formalize/submissions/{submission}                          find_submission_for formalize:getting-submission-item-failed
PATCH  /formalize/submissions/{submission}                          update_submission formalize:submission-not-updated
DELETE /formalize/submissions/{submission}                          delete_submission formalize:submission-not-deleted
GET    /formalize/submissions/{submission}/files                    find_submission_for formalize:getting-submitted-file-failed
GET    /formalize/submissions/{submission}/files/{file}             find_submission_for formalize:getting-submitted-file-failed
GET    /formalize/submissions/{submission}/files/{file}/content     find_submission_for formalize:getting-submitted-file-failed
POST   /formalize/submissions/{submission}/files?fileAttributeName=cv insert_file     formalize:saving-submitted-file-failed
DELETE /formalize/submissions/{submission}/files/{file}             update_submission formalize:removing-submitted-file-failed
GET    /formalize/form-links?formIdentifier={form}                  links             formalize:internal-error
POST   /formalize/form-links                                        insert_link       formalize:internal-error
GET    /formalize/form-links/{link}                                 find_link         formalize:internal-error
PATCH  /formalize/form-links/{link}                                 update_link       formalize:internal-error
DELETE /formalize/form-links/{link}                                 delete_link       formalize:internal-error
GET    /formalize/webhooks                                          webhooks          formalize:getting-webhook-collection-failed
POST   /formalize/webhooks                                          insert_webhook    formalize:webhook-not-created
GET    /formalize/webhooks/{webhook}                                find_webhook      formalize:getting-webhook-item-failed
PATCH  /formalize/webhooks/{webhook}                                update_webhook    formalize:webhook-not-updated
DELETE /formalize/webhooks/{webhook}                                delete_webhook    formalize:webhook-not-removed
POST   /formalize/webhooks/{webhook}/rotate-secret                  set_webhook_secrets formalize:webhook-secret-not-rotated
POST   /formalize/webhooks/{webhook}/test                           find_webhook      formalize:webhook-not-tested
POST   /formalize/webhooks/{webhook}/resend                         requeue_deliveries formalize:webhook-not-resent
GET    /formalize/webhooks/{webhook}/deliveries                     deliveries        formalize:getting-webhook-delivery-collection-failed
GET    /formalize/webhooks/{webhook}/deliveries/{delivery}          find_delivery     formalize:getting-webhook-delivery-item-failed
";

/// One row of the table.
struct Case {
    method: Method,
    path: String,
    body: Option<Value>,
    /// The store methods that fail, one at a time.
    fails_at: Vec<&'static str>,
    error_id: &'static str,
}

/// The service with one record of each kind, all created by Alice.
struct World {
    app: App,
    cases: Vec<Case>,
}

impl World {
    async fn new() -> Self {
        let app = App::new().await;
        let group = app.group("Editors").await;
        let member = json!({ "groupIdentifier": group, "userIdentifier": "carol" });
        let member = id(&app.alice().post(MEMBERS, member).await.expect(201));
        let grant = id(&app.share_group(&group, "read", "carol").await);
        let path = query(RESOURCES, &[("resourceIdentifier", &group)]);
        let resource = id(&items(&app.alice().get(&path).await.expect(200))[0]);
        let form = app
            .open_form(json!({
                "allowedActionsWhenSubmitted": ["read"],
                "dataFeedSchema": r#"{"additionalFiles": {"minNumber": 0, "allowedMimeTypes": ["*/*"]}}"#,
            }))
            .await;
        let made = submission(&form, "{}");
        let made = id(&app.alice().post(SUBMISSIONS, made).await.expect(201));
        let file = app.alice().add_file(&made, "photo", "a", "x").await;
        let file = id(&file.expect(201));
        let link = json!({ "formIdentifier": form });
        let link = id(&app.alice().post(FORM_LINKS, link).await.expect(201));
        let webhook = json!({ "formIdentifier": form, "url": "https://example.org/hook" });
        let webhook = id(&app.alice().post(WEBHOOKS, webhook).await.expect(201));
        let path = at(WEBHOOKS, &webhook);
        let everything = json!({ "since": "2020-01-01T00:00:00Z", "state": "all" });
        let resend = format!("{path}/resend");
        app.alice().post(&resend, everything).await.expect(202);
        let deliveries = app.alice().get(&format!("{path}/deliveries")).await;
        let delivery = id(&items(&deliveries.expect(200))[0]);
        let names = [
            ("{webhook}", webhook),
            ("{delivery}", delivery),
            ("{group}", group),
            ("{member}", member),
            ("{resource}", resource),
            ("{grant}", grant),
            ("{form}", form),
            ("{submission}", made),
            ("{link}", link),
            ("{file}", file),
        ];
        let cases = CASES
            .trim()
            .lines()
            .map(|row| Case::read(row, &names))
            .collect();
        Self { app, cases }
    }
}

impl Case {
    fn read(row: &'static str, names: &[(&str, String); 10]) -> Self {
        let columns: Vec<&str> = row.split_whitespace().collect();
        let [method, path, fails_at, error_id] = columns[..] else {
            panic!("a row has four columns: {row}");
        };
        let method: Method = method.parse().unwrap();
        let filled = names
            .iter()
            .fold(path.to_owned(), |path, (name, id)| path.replace(name, id));
        let fails_at = match method {
            Method::GET => vec!["read", fails_at],
            _ if path.ends_with("/questions") || path.ends_with("/test") || path == CHECK => {
                vec!["read", fails_at]
            }
            _ => vec!["write", fails_at, "commit"],
        };
        let body = body(&method, path, &names[2].1, &names[6].1);
        Self {
            method,
            path: filled,
            body,
            fails_at,
            error_id,
        }
    }
}

/// A valid body.
fn body(method: &Method, path: &str, group: &str, form: &str) -> Option<Value> {
    let to_dora = json!({ "userIdentifier": "dora" });
    match (method.as_str(), path) {
        ("POST", MEMBERS) => Some(json!({ "groupIdentifier": group, "userIdentifier": "dora" })),
        ("POST", GRANTS) => Some(grant("update", GROUP_CLASS, Some(group), to_dora)),
        ("POST", BATCH) => Some(json!({ "formIdentifier": form, "submissions": [{}] })),
        ("POST", SUBMISSIONS) => Some(submission(form, "{}")),
        ("POST", FORM_LINKS) => Some(json!({ "formIdentifier": form })),
        ("PATCH", path) if path.starts_with(FORM_LINKS) => Some(json!({})),
        ("PATCH", path) if path.starts_with(SUBMISSIONS) => Some(json!({})),
        ("POST", path) if path.contains("/files") => Some(json!({})),
        ("POST", WEBHOOKS) => {
            Some(json!({ "formIdentifier": form, "url": "https://example.org/hook" }))
        }
        ("POST", path) if path.ends_with("/resend") => {
            Some(json!({ "since": "2020-01-01T00:00:00Z", "state": "all" }))
        }
        ("PATCH", path) if path.starts_with(WEBHOOKS) => Some(json!({})),
        ("POST", path) if path.starts_with(WEBHOOKS) => Some(json!({})),
        ("POST", path) if path.ends_with("/questions") => Some(json!({})),
        ("POST", CHECK) => Some(json!({ "resourceClass": GROUP_CLASS, "action": "create" })),
        ("POST" | "PATCH", _) => Some(json!({ "name": "x" })),
        _ => None,
    }
}

impl World {
    async fn ask(&self, case: &Case) -> Answer {
        let request = self.app.alice().request(case.method.clone(), &case.path);
        match &case.body {
            Some(body) => request.json(body).send().await,
            None => request.send().await,
        }
    }

    /// Sends the request once for each failing store method, and checks each response.
    async fn each_failing(&self, case: &Case, failure: Failure, check: impl Fn(&Answer)) {
        for method in &case.fails_at {
            self.app.store.fail_at(method, failure);
            let answer = self.ask(case).await;
            self.app.store.recover();
            check(&answer);
            let shown = format!("{answer}");
            for word in [CAUSE, "/var", "fire", "store", "panic"] {
                assert!(!shown.contains(word), "{shown}");
            }
        }
    }
}

/// The error id is that of the operation. Operations of forms that have one of their own have no message, nor have checks.
fn check_failed(answer: &Answer, error_id: &str) {
    let problem = answer.problem(500, error_id);
    let details = &problem["relay:errorDetails"];
    let is_of_access =
        error_id.starts_with("authorization:") && !error_id.ends_with("check-failed");
    if is_of_access || error_id.ends_with(":internal-error") {
        let message = details["message"].as_str().unwrap();
        assert!(
            !message.is_empty() && details.as_object().unwrap().len() == 1,
            "{answer}"
        );
    } else {
        assert_eq!(*details, json!([]), "{answer}");
    }
}

#[tokio::test]
async fn store_failures_return_the_error_of_the_operation() {
    let world = World::new().await;
    for case in &world.cases {
        world
            .each_failing(case, Failure::Failed, |answer| {
                check_failed(answer, case.error_id);
            })
            .await;
    }
    // No request had an effect, and everything works again.
    for case in world.cases.iter().filter(|case| case.method == Method::GET) {
        let answer = world.ask(case).await;
        assert_eq!(answer.status.as_u16(), 200, "{answer}");
    }
    assert_eq!(
        items(&world.app.alice().get(GROUPS).await.expect(200)).len(),
        1
    );
    assert_eq!(
        items(&world.app.alice().get(FORMS).await.expect(200)).len(),
        1
    );
}

#[tokio::test]
async fn unavailable_stores_return_503() {
    let world = World::new().await;
    for case in &world.cases {
        let area = case.error_id.split(':').next().unwrap();
        let error_id = match area {
            "authorization" => "authorization:service-unavailable",
            _ => "formalize:service-unavailable",
        };
        let check = |answer: &Answer| {
            answer.refuse(503, error_id, json!([]));
            assert_eq!(answer.header("retry-after"), Some("1"));
        };
        world.each_failing(case, Failure::Unavailable, check).await;
    }
}

#[tokio::test]
async fn panics_are_answered_like_store_failures() {
    let world = World::new().await;
    for case in &world.cases {
        let in_handler =
            |method: &&'static str| !["read", "write", "commit", "find_token"].contains(method);
        let fails_at: Vec<_> = case.fails_at.iter().copied().filter(in_handler).collect();
        let (path, body) = (case.path.clone(), case.body.clone());
        let case = Case {
            fails_at,
            path,
            body,
            method: case.method.clone(),
            ..*case
        };
        world
            .each_failing(&case, Failure::Panic, |answer| {
                check_failed(answer, case.error_id);
            })
            .await;
    }
}

/// The primary server of a replicated database has changed: the connection is lost, and another server takes over.
#[tokio::test]
async fn requests_whose_connection_was_lost_are_repeated() {
    every_request_is_repeated_after(Failure::DisconnectedOnce).await;
}

#[tokio::test]
async fn requests_that_conflict_once_are_repeated() {
    every_request_is_repeated_after(Failure::ConflictOnce).await;
}

async fn every_request_is_repeated_after(failure: Failure) {
    for number in 0..World::new().await.cases.len() {
        let methods = World::new().await.cases[number].fails_at.clone();
        for method in methods {
            let world = World::new().await;
            let case = &world.cases[number];
            world.app.store.fail_at(method, failure);
            let answer = world.ask(case).await;
            assert!(answer.status.is_success(), "{method}: {answer}");
            let groups = items(&world.app.alice().get(GROUPS).await.expect(200)).len();
            let expected = match (&case.method, case.path.as_str()) {
                (&Method::POST, GROUPS) => 2,
                (&Method::DELETE, path) if path.starts_with(&format!("{GROUPS}/")) => 0,
                _ => 1,
            };
            assert_eq!(groups, expected, "{method}: {} {}", case.method, case.path);
        }
    }
}

/// If the connection is lost during a commit, only a key tells whether the request was performed.
#[tokio::test]
async fn a_request_with_a_key_is_repeated_after_an_uncertain_commit() {
    let world = World::new().await;
    let new = json!({ "name": "Authors" });
    world.app.store.fail_at("commit", Failure::UncertainOnce);
    let refused = world.app.alice().post(GROUPS, new.clone()).await;
    refused.refuse(503, "authorization:service-unavailable", json!([]));

    world.app.store.fail_at("commit", Failure::UncertainOnce);
    let request = world.app.alice().request(Method::POST, GROUPS);
    let request = request.header("Idempotency-Key", "authors");
    request.json(&new).send().await.expect(201);
    let groups = items(&world.app.alice().get(GROUPS).await.expect(200)).len();
    assert_eq!(groups, 2);
}

/// Deletions also remove records that other deletions remove, so two of them can deadlock.
#[tokio::test]
async fn requests_that_conflict_with_others_are_repeated() {
    let world = World::new().await;
    for method in [
        "delete_link",
        "delete_submission",
        "delete_submitted",
        "delete_form",
        "delete_group",
    ] {
        let mut cases = world.cases.iter();
        let case = cases.find(|case| case.fails_at.contains(&method)).unwrap();
        world.app.store.fail_at(method, Failure::ConflictOnce);
        let answer = world.ask(case).await;
        assert!(answer.status.is_success(), "{method}: {answer}");
    }
    world
        .app
        .store
        .fail_at("insert_group", Failure::ConflictOnce);
    let answer = world.app.alice().post(GROUPS, json!({ "name": "x" })).await;
    answer.expect(201);
}

/// Only the library repeats transactions, so that the numbers of attempts do not multiply.
#[tokio::test]
async fn a_conflict_that_does_not_end_is_tried_three_times() {
    let world = World::new().await;
    let store = &world.app.store;
    for case in &world.cases {
        for method in &case.fails_at {
            let before = store.failures();
            store.fail_at(method, Failure::Conflict);
            let answer = world.ask(case).await;
            store.recover();
            assert_eq!(answer.status.as_u16(), 503, "{method}: {answer}");
            let tried = store.failures() - before;
            assert_eq!(tried, 3, "{method}: {} {}", case.method, case.path);
        }
    }
}

#[tokio::test]
async fn every_authenticated_operation_has_a_case() {
    let world = World::new().await;
    let cases = world.cases.len();
    let operations = operations(&world.app).await;
    assert_eq!(
        cases,
        operations
            .iter()
            .filter(|described| !described.public)
            .count()
    );
}

#[tokio::test]
async fn readiness_follows_the_store_and_health_does_not() {
    let app = App::new().await;
    // The server caches the readiness of the store for a second.
    let becomes = async |status: u16| {
        found(&format!("readiness is {status}"), async || {
            let ready = app.anon().get("/readyz").await;
            (ready.status.as_u16() == status).then_some(ready)
        })
        .await
    };
    for failure in [Failure::Failed, Failure::Unavailable] {
        becomes(200).await;
        app.store.fail_at("ping", failure);
        let refused = becomes(503).await;
        refused.refuse(503, "formalize:service-unavailable", json!([]));
        app.anon().get("/healthz").await.expect(200);
        app.store.recover();
    }
    becomes(200).await;
}

#[tokio::test]
async fn readiness_names_steps_of_the_maintenance_that_fail() {
    let app = App::new().await;
    app.store.fail_at("delete_events", Failure::Failed);
    for (failing, succeeds) in [(json!(["events"]), false), (json!([]), true)] {
        assert_eq!(app.formalize.maintain().await.is_ok(), succeeds);
        let ready = app.anon().get("/readyz").await.expect(200);
        assert_eq!(
            ready,
            json!({"status": "ok", "failingMaintenance": failing})
        );
        app.store.recover();
    }
}

#[tokio::test]
async fn readiness_queries_the_store_once_for_concurrent_requests() {
    let app = Arc::new(App::new().await);
    let before = app.store.calls();
    app.anon().get("/healthz").await.expect(200);
    assert_eq!(app.store.calls(), before);
    let mut asking = JoinSet::new();
    for _ in 0..200 {
        let app = Arc::clone(&app);
        asking.spawn(async move { app.anon().get("/readyz").await.expect(200) });
    }
    asking.join_all().await;
    let asked = app.store.calls() - before;
    assert!((1..=2).contains(&asked), "{asked}");
}

#[tokio::test]
async fn requests_succeed_when_the_use_of_a_token_cannot_be_recorded() {
    let app = App::new().await;
    app.store.fail_at("touch_token", Failure::Failed);
    app.bob().get(GROUPS).await.expect(200);
}

#[tokio::test]
async fn an_error_id_has_one_title_and_one_shape() {
    let app = App::new().await;
    let title =
        |answer: Answer, status, error_id: &str| answer.problem(status, error_id)["title"].clone();
    let one = title(
        app.bob().get(&at(FORMS, "x")).await,
        404,
        "formalize:form-not-found",
    );
    let other = title(
        app.bob().post(SUBMISSIONS, submission("x", "{}")).await,
        404,
        "formalize:form-not-found",
    );
    assert_eq!(one, other);
    let missing = "formalize:required-field-missing";
    let one = title(app.bob().get(SUBMISSIONS).await, 400, missing);
    let other = title(app.bob().post(SUBMISSIONS, json!({})).await, 422, missing);
    assert_eq!(one, other);
}
