//! The order of refusals: route, credentials, type of the response, type and size of the body, query, conditions, content of the
//! body, existence and permission. Each request has all faults at first, and they are repaired one by one.

use formalize_http::rate::RateLimits;
use poem::http::Method;
use serde_json::json;

use super::support::refused;
use crate::support::{Actor, Answer, App, FORMS, GRANTS, NOWHERE, SUBMISSIONS, at, id};

/// A request for a route. What it says about a part with a fault is wrong.
#[derive(Clone, Copy)]
struct Asked<'a> {
    method: &'a Method,
    path: &'a str,
    accept: &'a str,
    content_type: Option<&'a str>,
    body: &'a str,
    query: &'a str,
    if_none_match: Option<&'a str>,
}

impl Asked<'_> {
    async fn send(self, actor: Actor<'_>) -> Answer {
        let path = format!("{}{}", self.path, self.query);
        let mut request = actor.at_relay().request(self.method.clone(), &path);
        request = request.header("accept", self.accept);
        if let Some(content_type) = self.content_type {
            request = request.header("content-type", content_type);
        }
        if let Some(tag) = self.if_none_match {
            request = request.header("if-none-match", tag);
        }
        request.body(self.body).send().await
    }
}

/// A request with all faults.
fn wrong<'a>(method: &'a Method, path: &'a str, body: &'a str) -> Asked<'a> {
    Asked {
        method,
        path,
        accept: "text/html",
        content_type: Some("text/plain"),
        body,
        query: "?a=%ff",
        if_none_match: Some("\"a\""),
    }
}

/// The area of errors at a path.
fn area(path: &str) -> &str {
    let first = path.split('/').nth(1);
    first
        .filter(|first| *first == "authorization")
        .unwrap_or("formalize")
}

#[track_caller]
fn refuses(answer: &Answer, status: u16, path: &str, name: &str, details: serde_json::Value) {
    refused(answer, status, &format!("{}:{name}", area(path)), details);
}

#[tokio::test]
async fn writes_are_checked_from_the_route_to_the_permission() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let (item, nothing) = (at(FORMS, &form), at(FORMS, NOWHERE));
    let too_large = format!("{{\"name\": \"{}", "x".repeat(5 << 20));
    for (method, path) in [
        (Method::POST, FORMS),
        (Method::PATCH, &nothing),
        (Method::PATCH, &item),
        (Method::POST, SUBMISSIONS),
        (Method::POST, GRANTS),
    ] {
        let mut asked = wrong(&method, path, &too_large);
        let below = format!("{path}/x/y/z");
        let nowhere = Asked {
            path: &below,
            ..asked
        };
        let answer = nowhere.send(app.anon()).await;
        refuses(&answer, 404, path, "route-not-found", json!({}));
        let put = Asked {
            method: &Method::PUT,
            ..asked
        };
        let answer = put.send(app.anon()).await;
        refuses(&answer, 405, path, "method-not-allowed", json!({}));
        refused(&asked.send(app.anon()).await, 401, "", json!({}));
        let answer = asked.send(app.bob()).await;
        refuses(&answer, 406, path, "not-acceptable", json!({}));
        asked.accept = "*/*";
        let answer = asked.send(app.bob()).await;
        refuses(&answer, 415, path, "unsupported-media-type", json!({}));
        asked.content_type = Some("application/ld+json");
        let answer = asked.send(app.bob()).await;
        refuses(&answer, 413, path, "payload-too-large", json!({}));
        asked.body = "{";
        let answer = asked.send(app.bob()).await;
        refuses(&answer, 400, path, "invalid-parameter", json!({}));
        asked.query = "";
        let answer = asked.send(app.bob()).await;
        let names = json!(["If-None-Match"]);
        refuses(&answer, 400, path, "invalid-parameter", names);
        asked.if_none_match = None;
        let answer = asked.send(app.bob()).await;
        refuses(&answer, 400, path, "invalid-request-body", json!({}));
    }
    let change = |path| Asked {
        accept: "*/*",
        content_type: Some("application/ld+json"),
        query: "",
        if_none_match: None,
        ..wrong(&Method::PATCH, path, "{\"name\": \"x\"}")
    };
    let answer = change(&nothing).send(app.bob()).await;
    refuses(
        &answer,
        404,
        FORMS,
        "form-with-id-not-found",
        json!([NOWHERE]),
    );
    let answer = change(&item).send(app.bob()).await;
    refused(&answer, 403, "", json!({}));
}

#[tokio::test]
async fn reads_and_deletions_are_checked_from_the_route_to_the_permission() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let (item, nothing) = (at(FORMS, &form), at(FORMS, NOWHERE));
    let too_large = "x".repeat(5 << 20);
    for method in [Method::GET, Method::DELETE] {
        // Whatever its body is, it is ignored.
        let mut asked = wrong(&method, &nothing, &too_large);
        refused(&asked.send(app.anon()).await, 401, "", json!({}));
        if method == Method::GET {
            let answer = asked.send(app.bob()).await;
            refuses(&answer, 406, FORMS, "not-acceptable", json!({}));
        }
        asked.accept = "*/*";
        let answer = asked.send(app.bob()).await;
        refuses(&answer, 400, FORMS, "invalid-parameter", json!({}));
        asked.query = "";
        asked.if_none_match = Some("a");
        let answer = asked.send(app.bob()).await;
        let names = json!(["If-None-Match"]);
        refuses(&answer, 400, FORMS, "invalid-parameter", names);
        asked.if_none_match = None;
        let answer = asked.send(app.bob()).await;
        refuses(
            &answer,
            404,
            FORMS,
            "form-with-id-not-found",
            json!([NOWHERE]),
        );
        asked.path = &item;
        let answer = asked.send(app.bob()).await;
        refused(&answer, 403, "", json!({}));
    }
}

#[tokio::test]
async fn requests_without_credentials_are_counted_before_they_are_refused() {
    let app = App::new().await;
    let off = formalize_http::config::Rate::OFF;
    let app = app.rated_at_relay(RateLimits::new(off, "3/1h".parse().unwrap(), Vec::new()));
    for (path, status, name) in [
        ("/formalize/typo", 404, "formalize:route-not-found"),
        (FORMS, 405, "formalize:method-not-allowed"),
        (FORMS, 401, ""),
        ("/formalize/typo", 429, "formalize:too-many-requests"),
        (FORMS, 429, "formalize:too-many-requests"),
    ] {
        let method = if status == 405 {
            Method::PUT
        } else {
            Method::GET
        };
        let request = app.anon().at_relay().request(method, path);
        refused(&request.send().await, status, name, json!({}));
    }
}
