//! The order of checks: route, credentials, media types, size, body and parameters, existence, permission, state. Each
//! test repairs its request step by step.

use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    Answer, App, FORM_LINKS, FORMS, GRANTS, GROUP_CLASS, GROUPS, MEMBERS, NOWHERE, SUBMISSIONS, at,
    draft, grant, id, query, submission,
};

fn too_large() -> String {
    format!("{{\"name\": \"{}", "x".repeat(5 << 20))
}

#[tokio::test]
async fn writes_are_checked_from_the_route_to_the_body() {
    let app = App::new().await;
    let item = at(FORMS, NOWHERE);
    for (method, path, area) in [
        (Method::POST, GROUPS, "authorization"),
        (Method::POST, MEMBERS, "authorization"),
        (Method::POST, GRANTS, "authorization"),
        (Method::POST, FORMS, "formalize"),
        (Method::POST, SUBMISSIONS, "formalize"),
        (Method::POST, FORM_LINKS, "formalize"),
        (Method::PATCH, &at(FORM_LINKS, NOWHERE), "formalize"),
        (Method::PATCH, &at(GROUPS, NOWHERE), "authorization"),
        (Method::PATCH, &item, "formalize"),
        (Method::PATCH, &at(SUBMISSIONS, NOWHERE), "formalize"),
    ] {
        let wrong = format!("{path}?nonsense=%ff&nonsense");
        let id = |name: &str| format!("{area}:{name}");
        let request = |method: &Method, path: &str| {
            app.bob()
                .request(method.clone(), path)
                .header("accept", "text/html")
        };
        let refused = request(&method, &format!("{path}/x/y/z?nonsense"))
            .body(too_large())
            .send()
            .await;
        refused.refuse(404, &id("route-not-found"), json!([]));
        let refused = app
            .anon()
            .request(Method::PUT, &wrong)
            .body(too_large())
            .send()
            .await;
        refused.refuse(405, &id("method-not-allowed"), json!([]));
        let refused = app
            .anon()
            .request(method.clone(), &wrong)
            .header("accept", "text/html");
        let refused = refused.body(too_large()).send().await;
        refused.refuse(401, &id("authentication-required"), json!([]));
        let refused = request(&method, &wrong).body(too_large()).send().await;
        refused.refuse(406, &id("not-acceptable"), json!([]));
        let refused = app
            .bob()
            .request(method.clone(), &wrong)
            .body(too_large())
            .send()
            .await;
        refused.refuse(415, &id("unsupported-media-type"), json!([]));
        let json_body = |path: &str| {
            app.bob()
                .request(method.clone(), path)
                .header("content-type", "application/json")
        };
        let refused = json_body(&wrong).body(too_large()).send().await;
        refused.refuse(413, &id("payload-too-large"), json!([]));
        let refused = json_body(&format!("{path}?nonsense=1"))
            .body("{")
            .send()
            .await;
        assert_eq!(refused.status.as_u16(), 400, "{refused}");
        let refused = json_body(path).body("{").send().await;
        refused.refuse(400, &id("invalid-request-body"), json!([]));
    }
}

#[tokio::test]
async fn reads_and_deletions_are_checked_in_order() {
    let app = App::new().await;
    let form = at(FORMS, &id(&app.form(json!({})).await));
    let group = at(GROUPS, &app.group("Editors").await);
    for (path, area, missing) in [
        (form, "formalize", "form-not-found"),
        (group, "authorization", "group-not-found"),
    ] {
        let nothing = format!("{}/{NOWHERE}", path.rsplit_once('/').unwrap().0);
        let id = |name: &str| format!("{area}:{name}");
        for method in [Method::GET, Method::DELETE] {
            let send = async |actor: crate::support::Actor<'_>, path: &str, accept: &str| {
                actor
                    .request(method.clone(), path)
                    .header("accept", accept)
                    .send()
                    .await
            };
            let wrong = format!("{nothing}?nonsense=1");
            let refused = send(app.anon(), &wrong, "text/html").await;
            refused.refuse(401, &id("authentication-required"), json!([]));
            let refused = send(app.bob(), &wrong, "text/html").await;
            if method == Method::GET {
                refused.refuse(406, &id("not-acceptable"), json!([]));
            } else {
                refused.refuse(400, &id("invalid-parameter"), json!(["nonsense"]));
            }
            let refused = send(app.bob(), &wrong, "*/*").await;
            refused.refuse(400, &id("invalid-parameter"), json!(["nonsense"]));
            send(app.bob(), &nothing, "*/*")
                .await
                .refuse(404, &id(missing), json!([]));
            send(app.bob(), &path, "*/*")
                .await
                .refuse(403, &id("forbidden"), json!([]));
        }
        app.alice().delete(&path).await.expect(204);
    }
}

#[tokio::test]
async fn lists_check_parameters_before_existence() {
    let app = App::new().await;
    for (path, name, area, missing, details) in [
        (
            SUBMISSIONS,
            "formIdentifier",
            "formalize",
            "form-not-found",
            json!([]),
        ),
        (
            FORM_LINKS,
            "formIdentifier",
            "formalize",
            "form-not-found",
            json!([]),
        ),
        (
            MEMBERS,
            "groupIdentifier",
            "authorization",
            "group-not-found",
            json!(["groupIdentifier"]),
        ),
    ] {
        let refused = app
            .bob()
            .get(&query(path, &[(name, NOWHERE), ("page", "0")]))
            .await;
        refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["page"]));
        let refused = app.bob().get(&query(path, &[("page", "0")])).await;
        refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["page"]));
        for nothing in [NOWHERE, "x"] {
            let refused = app
                .bob()
                .get(&query(path, &[(name, nothing), ("cursor", "x")]))
                .await;
            refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["cursor"]));
            let refused = app.bob().get(&query(path, &[(name, nothing)])).await;
            refused.refuse(404, &format!("{area}:{missing}"), details.clone());
        }
    }
}

fn check(answer: &Answer, status: u16, error_id: &str) {
    answer.problem(status, error_id);
}

#[tokio::test]
async fn members_are_checked_from_the_body_to_the_state() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let post = async |body: Value| app.bob().post(MEMBERS, body).await;
    let cyclic = json!({ "groupIdentifier": group, "childGroupIdentifier": group });
    check(
        &post(json!({ "groupIdentifier": NOWHERE })).await,
        400,
        "authorization:group-member-invalid",
    );
    let nowhere = json!({ "groupIdentifier": NOWHERE, "childGroupIdentifier": group });
    check(&post(nowhere).await, 404, "authorization:group-not-found");
    let child_nowhere = json!({ "groupIdentifier": group, "childGroupIdentifier": NOWHERE });
    check(
        &post(child_nowhere).await,
        404,
        "authorization:group-not-found",
    );
    check(&post(cyclic.clone()).await, 403, "authorization:forbidden");
    app.share_group(&group, "manage", "bob").await;
    check(
        &post(cyclic).await,
        400,
        "authorization:group-member-invalid",
    );
}

#[tokio::test]
async fn grants_are_checked_from_the_body_to_the_state() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let post = async |body: Value| app.bob().post(GRANTS, body).await;
    let unknown = grant(
        "read",
        GROUP_CLASS,
        Some(NOWHERE),
        json!({ "dynamicGroupIdentifier": "nobody" }),
    );
    check(
        &post(unknown).await,
        400,
        "authorization:dynamic-group-undefined",
    );
    let nothing = grant(
        "read",
        GROUP_CLASS,
        Some(NOWHERE),
        json!({ "groupIdentifier": NOWHERE }),
    );
    check(
        &post(nothing).await,
        404,
        "authorization:resource-not-found",
    );
    let no_holder = grant(
        "read",
        GROUP_CLASS,
        Some(&group),
        json!({ "groupIdentifier": NOWHERE }),
    );
    check(&post(no_holder).await, 404, "authorization:group-not-found");
    let same = grant(
        "manage",
        GROUP_CLASS,
        Some(&group),
        json!({ "userIdentifier": "alice" }),
    );
    check(&post(same.clone()).await, 403, "authorization:forbidden");
    app.share_group(&group, "manage", "bob").await;
    check(
        &post(same).await,
        409,
        "authorization:resource-action-grant-exists",
    );
}

#[tokio::test]
async fn forms_are_checked_from_the_body_to_the_state() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    app.alice()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let patch = async |form: &str, body: Value| app.bob().patch(&at(FORMS, form), body).await;
    let change = json!({ "grantBasedSubmissionAuthorization": true });
    check(
        &patch(NOWHERE, json!({ "dataFeedSchema": "{" })).await,
        404,
        "formalize:form-not-found",
    );
    check(
        &patch(&form, json!({ "dataFeedSchema": "{" })).await,
        403,
        "formalize:forbidden",
    );
    check(
        &patch(NOWHERE, json!({ "name": "" })).await,
        400,
        "formalize:form-invalid",
    );
    check(
        &patch(NOWHERE, change.clone()).await,
        404,
        "formalize:form-not-found",
    );
    check(
        &patch(&form, change.clone()).await,
        403,
        "formalize:forbidden",
    );
    let update = json!({ "userIdentifier": "bob" });
    app.share_form(&form, "update", update).await;
    check(
        &patch(&form, json!({ "dataFeedSchema": "{" })).await,
        400,
        "formalize:form-invalid-data-feed-schema",
    );
    check(
        &patch(&form, change).await,
        409,
        "formalize:form-has-submissions",
    );

    let post = async |body: Value| app.bob().post(FORMS, body).await;
    check(
        &post(json!({ "dataFeedSchema": "{" })).await,
        422,
        "formalize:required-field-missing",
    );
    check(
        &post(json!({ "name": 3, "dataFeedSchema": "{" })).await,
        400,
        "formalize:invalid-request-body",
    );
    check(
        &post(json!({ "name": "x", "dataFeedSchema": "{" })).await,
        403,
        "formalize:forbidden",
    );
    check(
        &post(json!({ "name": "" })).await,
        400,
        "formalize:form-invalid",
    );
    check(
        &post(json!({ "name": "x" })).await,
        403,
        "formalize:forbidden",
    );
}

#[tokio::test]
async fn submissions_are_checked_from_the_body_to_the_state() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let post = async |body: Value| app.bob().post(SUBMISSIONS, body).await;
    check(
        &post(json!({ "x": 1 })).await,
        400,
        "formalize:invalid-request-body",
    );
    check(
        &post(json!({ "submissionState": "x" })).await,
        422,
        "formalize:required-field-missing",
    );
    check(
        &post(draft(NOWHERE, "{")).await,
        404,
        "formalize:form-not-found",
    );
    check(&post(draft(&form, "{")).await, 403, "formalize:forbidden");
    app.share_form(
        &form,
        "create_submissions",
        json!({ "userIdentifier": "bob" }),
    )
    .await;
    check(
        &post(draft(&form, "{")).await,
        400,
        "formalize:submission-state-not-allowed",
    );

    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let patch = async |id: &str, body: Value| app.bob().patch(&at(SUBMISSIONS, id), body).await;
    let back = json!({ "submissionState": "draft", "dataFeedElement": "{" });
    check(
        &patch(NOWHERE, json!({ "formIdentifier": form })).await,
        400,
        "formalize:invalid-request-body",
    );
    check(
        &patch(NOWHERE, back.clone()).await,
        404,
        "formalize:submission-not-found",
    );
    check(
        &patch(&id(&made), back.clone()).await,
        403,
        "formalize:forbidden",
    );
    app.share_form(
        &form,
        "update_submissions",
        json!({ "userIdentifier": "bob" }),
    )
    .await;
    check(
        &patch(&id(&made), back).await,
        409,
        "formalize:submission-state-transition-not-allowed",
    );
}
