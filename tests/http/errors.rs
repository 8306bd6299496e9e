//! What is answered when the store fails: each operation's own error, 503 where the store cannot be reached, and never
//! a word of the cause.

use formalize_tests::failing::{CAUSE, Failure};
use poem::http::Method;
use serde_json::{Value, json};

use crate::openapi::operations;
use crate::support::{
    ACTIONS, Answer, App, DYNAMIC_GROUPS, FORM_CLASS, FORMS, GRANTED, GRANTS, GROUP_CLASS, GROUPS,
    MEMBERS, RESOURCES, SUBMISSIONS, at, grant, id, items, query, submission,
};

/// An operation, where the store fails in it, and what is answered then.
struct Case {
    method: Method,
    path: String,
    body: Option<Value>,
    fails_at: Vec<&'static str>,
    error_id: &'static str,
}

fn reading(path: impl Into<String>, fails_at: &'static str, error_id: &'static str) -> Case {
    let fails_at = vec!["read", fails_at];
    Case {
        method: Method::GET,
        path: path.into(),
        body: None,
        fails_at,
        error_id,
    }
}

fn writing(
    method: Method,
    path: impl Into<String>,
    body: Option<Value>,
    fails_at: &'static str,
    error_id: &'static str,
) -> Case {
    let fails_at = vec!["write", fails_at, "commit"];
    Case {
        method,
        path: path.into(),
        body,
        fails_at,
        error_id,
    }
}

/// Something of each kind, all of it Alice's.
struct World {
    app: App,
    group: String,
    member: String,
    grant: String,
    resource: String,
    form: String,
    submission: String,
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
            .open_form(json!({ "allowedActionsWhenSubmitted": ["read"] }))
            .await;
        let made = submission(&form, "{}");
        let submission = id(&app.alice().post(SUBMISSIONS, made).await.expect(201));
        Self {
            app,
            group,
            member,
            grant,
            resource,
            form,
            submission,
        }
    }

    fn authorization(&self) -> Vec<Case> {
        let post = Method::POST;
        let group = at(GROUPS, &self.group);
        let named = || Some(json!({ "name": "x" }));
        let member = json!({ "groupIdentifier": self.group, "userIdentifier": "dora" });
        let new_grant = grant(
            "update",
            GROUP_CLASS,
            Some(&self.group),
            json!({ "userIdentifier": "dora" }),
        );
        let members = query(MEMBERS, &[("groupIdentifier", &self.group)]);
        let member_path = at(MEMBERS, &self.member);
        let grant_path = at(GRANTS, &self.grant);
        let granted = format!("{GRANTED}/{GROUP_CLASS}");
        let adding_grant = "authorization:adding-resource-action-grant-failed";
        let removing_grant = "authorization:removing-resource-action-grant-failed";
        vec![
            reading(
                GROUPS,
                "groups",
                "authorization:getting-group-collection-failed",
            ),
            writing(
                post.clone(),
                GROUPS,
                named(),
                "insert_group",
                "authorization:adding-group-failed",
            ),
            reading(
                &group,
                "find_group",
                "authorization:getting-group-item-failed",
            ),
            writing(
                Method::PATCH,
                &group,
                named(),
                "update_group",
                "authorization:group-not-updated",
            ),
            writing(
                Method::DELETE,
                &group,
                None,
                "delete_group",
                "authorization:removing-group-failed",
            ),
            // The contract has these two the other way round.
            reading(
                members,
                "memberships",
                "authorization:getting-group-member-item-failed",
            ),
            reading(
                &member_path,
                "find_membership",
                "authorization:getting-group-member-collection-failed",
            ),
            writing(
                post.clone(),
                MEMBERS,
                Some(member),
                "insert_membership",
                "authorization:adding-group-member-failed",
            ),
            writing(
                Method::DELETE,
                &member_path,
                None,
                "delete_membership",
                "authorization:removing-group-member-failed",
            ),
            reading(
                RESOURCES,
                "resources",
                "authorization:getting-resource-collection-failed",
            ),
            reading(
                at(RESOURCES, &self.resource),
                "find_resource",
                "authorization:getting-resource-item-failed",
            ),
            reading(
                GRANTS,
                "grants",
                "authorization:getting-resource-action-grant-collection-failed",
            ),
            reading(
                &grant_path,
                "find_grant",
                "authorization:getting-resource-action-grant-item-failed",
            ),
            writing(post, GRANTS, Some(new_grant), "insert_grant", adding_grant),
            writing(
                Method::DELETE,
                &grant_path,
                None,
                "delete_grant",
                removing_grant,
            ),
            reading(ACTIONS, "groups_of", "authorization:internal-error"),
            reading(
                at(ACTIONS, FORM_CLASS),
                "find_token",
                "authorization:internal-error",
            ),
            reading(DYNAMIC_GROUPS, "find_token", "authorization:internal-error"),
            reading(
                at(DYNAMIC_GROUPS, "staff"),
                "find_token",
                "authorization:internal-error",
            ),
            reading(&granted, "groups_of", "authorization:internal-error"),
            reading(
                format!("{granted}/{}", self.group),
                "groups_of",
                "authorization:internal-error",
            ),
        ]
    }

    fn forms(&self) -> Vec<Case> {
        let form = at(FORMS, &self.form);
        let named = || Some(json!({ "name": "x" }));
        let submissions = query(SUBMISSIONS, &[("formIdentifier", &self.form)]);
        let made = at(SUBMISSIONS, &self.submission);
        let new = Some(submission(&self.form, "{}"));
        let not_removed = "formalize:form-submissions-not-removed";
        vec![
            reading(FORMS, "forms", "formalize:getting-form-collection-failed"),
            writing(
                Method::POST,
                FORMS,
                named(),
                "insert_form",
                "formalize:form-not-created",
            ),
            reading(&form, "find_form", "formalize:getting-form-item-failed"),
            writing(
                Method::PATCH,
                &form,
                named(),
                "update_form",
                "formalize:form-not-updated",
            ),
            writing(
                Method::DELETE,
                &form,
                None,
                "delete_form",
                "formalize:form-not-removed",
            ),
            reading(
                &submissions,
                "submissions",
                "formalize:getting-submission-collection-failed",
            ),
            writing(
                Method::POST,
                SUBMISSIONS,
                new,
                "insert_submission",
                "formalize:submission-not-created",
            ),
            writing(
                Method::DELETE,
                &submissions,
                None,
                "delete_submitted",
                not_removed,
            ),
            reading(
                &made,
                "find_submission",
                "formalize:getting-submission-item-failed",
            ),
            writing(
                Method::PATCH,
                &made,
                Some(json!({})),
                "update_submission",
                "formalize:submission-not-updated",
            ),
            writing(
                Method::DELETE,
                &made,
                None,
                "delete_submission",
                "formalize:submission-not-deleted",
            ),
        ]
    }

    async fn ask(&self, case: &Case) -> Answer {
        let request = self.app.alice().request(case.method.clone(), &case.path);
        match &case.body {
            Some(body) => request.json(body).send().await,
            None => request.send().await,
        }
    }

    /// What is answered when the store fails like this at every place of the case.
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

/// A failure is answered with the operation's own error: a message in the one area, nothing in the other.
fn check_failed(answer: &Answer, error_id: &str) {
    let problem = answer.problem(500, error_id);
    let details = &problem["relay:errorDetails"];
    if error_id.starts_with("authorization:") {
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
async fn a_failing_store_is_answered_with_the_error_of_the_operation() {
    let world = World::new().await;
    for case in world.authorization().iter().chain(&world.forms()) {
        world
            .each_failing(case, Failure::Failed, |answer| {
                check_failed(answer, case.error_id)
            })
            .await;
    }
    // Nothing of all this has been done, and everything works again.
    for case in world
        .authorization()
        .iter()
        .chain(&world.forms())
        .filter(|case| case.method == Method::GET)
    {
        world.ask(case).await.expect(200);
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
async fn a_store_that_cannot_be_reached_is_answered_503() {
    let world = World::new().await;
    for case in world.authorization().iter().chain(&world.forms()) {
        let area = case.error_id.split(':').next().unwrap();
        let error_id = match area {
            "authorization" => "authorization:service-unavailable",
            _ => "formalize:service-unavailable",
        };
        let check = |answer: &Answer| answer.refuse(503, error_id, json!([]));
        world.each_failing(case, Failure::Unavailable, check).await;
    }
}

#[tokio::test]
async fn a_fault_of_the_program_is_answered_like_a_failing_store() {
    let world = World::new().await;
    for case in world.authorization().iter().chain(&world.forms()) {
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
                check_failed(answer, case.error_id)
            })
            .await;
    }
}

#[tokio::test]
async fn every_operation_with_credentials_has_a_case() {
    let world = World::new().await;
    let cases = world.authorization().len() + world.forms().len();
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
    for failure in [Failure::Failed, Failure::Unavailable] {
        app.store.fail_at("ping", failure);
        app.anon().get("/healthz").await.expect(200);
        let refused = app.anon().get("/readyz").await;
        refused.refuse(503, "formalize:service-unavailable", json!([]));
        app.store.recover();
        app.anon().get("/readyz").await.expect(200);
    }
}

#[tokio::test]
async fn nobody_is_turned_away_because_the_use_of_a_token_cannot_be_noted() {
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
