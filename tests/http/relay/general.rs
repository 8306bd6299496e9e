//! What all routes have in common.

use poem::http::Method;
use serde_json::{Value, json};

use super::support::{LD_JSON, delete, get, item, open_form, post, refused};
use crate::support::{App, FORMS, GRANTS, SUBMISSIONS, at, id};

#[tokio::test]
async fn responses_are_json_ld() {
    let app = App::new().await;
    for accept in [
        "*/*",
        "application/ld+json",
        "application/json",
        "application/problem+json",
        "text/html, */*;q=0.1",
    ] {
        let request = app.alice().at_relay().request(Method::GET, FORMS);
        let answer = request.header("accept", accept).send().await;
        assert_eq!(answer.header("content-type"), Some(LD_JSON), "{accept}");
    }
    let request = app.alice().at_relay().request(Method::GET, FORMS);
    let answer = request.header("accept", "text/html").send().await;
    refused(&answer, 406, "formalize:not-acceptable", json!({}));
    let form = id(&app.form(json!({})).await);
    let request = app
        .alice()
        .at_relay()
        .request(Method::DELETE, &at(FORMS, &form));
    let answer = request.header("accept", "text/html").send().await;
    assert_eq!(answer.status.as_u16(), 204);
}

#[tokio::test]
async fn types_of_bodies_are_judged_where_there_are_bodies() {
    let app = App::new().await;
    for path in [FORMS, SUBMISSIONS, GRANTS] {
        for media in [
            "text/plain",
            "application/merge-patch+json",
            "application/json; charset=latin1",
        ] {
            let request = app.alice().at_relay().request(Method::POST, path);
            let answer = request
                .header("content-type", media)
                .body("{}")
                .send()
                .await;
            let area = if path == GRANTS {
                "authorization"
            } else {
                "formalize"
            };
            refused(
                &answer,
                415,
                &format!("{area}:unsupported-media-type"),
                json!({}),
            );
        }
    }
    let form = open_form(&app, json!({})).await;
    let patched = |media: &'static str, path: String| {
        let request = app.alice().at_relay().request(Method::PATCH, &path);
        request.header("content-type", media).body("{}").send()
    };
    for media in [
        "application/ld+json",
        "application/json",
        "application/merge-patch+json",
    ] {
        item(&patched(media, at(FORMS, &form)).await, 200);
        let answer = patched(media, at(SUBMISSIONS, &form)).await;
        refused(&answer, 415, "formalize:unsupported-media-type", json!({}));
    }
    // A type without a body means nothing.
    let request = app.alice().at_relay().request(Method::POST, FORMS);
    let answer = request.header("content-type", "text/plain").send().await;
    refused(
        &answer,
        422,
        "formalize:required-field-missing",
        json!(["name"]),
    );
    for body in ["[]", "{", "{\"name\": \"a\", \"name\": \"b\"}"] {
        let request = app.alice().at_relay().request(Method::POST, FORMS);
        let request = request.header("content-type", "application/ld+json");
        refused(
            &request.body(body).send().await,
            400,
            "formalize:invalid-request-body",
            json!({}),
        );
    }
}

#[tokio::test]
async fn credentials_come_first() {
    let app = App::new().await;
    for (method, path) in [
        (Method::GET, FORMS),
        (Method::POST, FORMS),
        (Method::PATCH, "/formalize/submissions/x"),
        (Method::GET, "/formalize/submitted-files/x/content"),
        (Method::GET, "/frontend/users/bob"),
    ] {
        let request = app.anon().at_relay().request(method, path);
        let answer = request.header("accept", "text/html").send().await;
        refused(&answer, 401, "", json!({}));
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
}

#[tokio::test]
async fn only_known_routes_are_there() {
    let app = App::new().await;
    for path in [
        "/",
        "/openapi.json",
        "/docs",
        "/formalize/events",
        "/formalize/submissions/batch/x",
        "/docs.jsonld",
    ] {
        refused(
            &get(app.alice(), path).await,
            404,
            "formalize:route-not-found",
            json!({}),
        );
    }
    let request = app.alice().at_relay().request(Method::PUT, FORMS);
    let answer = request.send().await;
    refused(&answer, 405, "formalize:method-not-allowed", json!({}));
    assert_eq!(answer.header("allow"), Some("GET, HEAD, POST"));
    for path in ["/healthz", "/readyz", "/version"] {
        assert_eq!(get(app.anon(), path).await.status.as_u16(), 200, "{path}");
    }
}

#[tokio::test]
async fn pages_of_allowed_origins_may_use_every_route() {
    let app = App::new().await;
    for path in [
        FORMS,
        "/formalize/submitted-files/x/content",
        "/frontend/users/x",
    ] {
        for method in ["GET", "POST", "PATCH", "DELETE"] {
            let request = app.anon().at_relay().request(Method::OPTIONS, path);
            let request = request.header("origin", "https://client.example.org");
            let answer = request
                .header("access-control-request-method", method)
                .send()
                .await;
            assert_eq!(answer.status.as_u16(), 204);
            let methods = answer.header("access-control-allow-methods").unwrap();
            assert!(methods.contains(method), "{methods}");
        }
    }
    let request = app.anon().at_relay().request(Method::GET, FORMS);
    let answer = request
        .header("origin", "https://client.example.org")
        .send()
        .await;
    refused(&answer, 401, "", json!({}));
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("https://client.example.org")
    );
    let exposed = answer.header("access-control-expose-headers").unwrap();
    assert!(exposed.contains("Content-Disposition"), "{exposed}");
    let request = app.anon().at_relay().request(Method::GET, FORMS);
    let answer = request
        .header("origin", "https://other.example.org")
        .send()
        .await;
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn users_find_themselves() {
    let app = App::new().await;
    let user = item(&get(app.bob(), "/frontend/users/bob").await, 200);
    let expected = json!({
        "@context": user["@context"], "@id": "/frontend/users/bob", "@type": "FrontendUser",
        "identifier": "bob", "roles": [],
    });
    assert_eq!(user, expected);
    assert_eq!(
        get(app.bob(), "/frontend/users/alice")
            .await
            .status
            .as_u16(),
        404
    );
}

#[tokio::test]
async fn heads_have_the_headers_of_reads() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let path = at(FORMS, &form);
    let read = get(app.alice(), &path).await;
    let head = app
        .alice()
        .at_relay()
        .request(Method::HEAD, &path)
        .send()
        .await;
    assert_eq!(
        (head.status.as_u16(), head.header("etag")),
        (200, read.header("etag"))
    );
    let answer = delete(app.alice(), &path).await;
    assert_eq!(answer.status.as_u16(), 204);
    let body: Value = json!({ "name": "x".repeat(300) });
    let answer = post(app.alice(), FORMS, &body).await;
    refused(&answer, 400, "formalize:form-invalid", json!(["name"]));
}
