//! Tests of the order of checks, with a handler that returns the request body.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use poem::{Body, Endpoint, Middleware, Request, Response, endpoint::make, http::HeaderMap};
use serde_json::{Value, json};

use super::{Intake, RequestGuard, RequestLimits};
use formalize_core::{Caller, UserId};

use crate::{auth::Authenticate, failure::Refusal, rate::ResponsesBudget};

struct OneToken;

#[async_trait]
impl Authenticate for OneToken {
    async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Refusal> {
        Ok((token == "good").then(|| Caller::user(UserId::new("alice").unwrap())))
    }
}

const TOKEN: (&str, &str) = ("authorization", "Bearer good");
const JSON: (&str, &str) = ("content-type", "application/json");
const LIMIT: usize = 8;

type Headers<'a> = &'a [(&'static str, &'a str)];

async fn send(line: &str, headers: Headers<'_>, body: impl Into<Body>) -> Response {
    let handler = make(|mut request: Request| async move {
        assert_ne!(request.uri().query(), Some("search=panic"), "secret");
        Ok::<_, poem::Error>(request.take_body().into_string().await.unwrap())
    });
    let (method, uri) = line.split_once(' ').unwrap();
    let mut request = Request::builder()
        .method(method.parse().unwrap())
        .uri_str(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let limits = RequestLimits {
        body: LIMIT,
        body_timeout: Duration::from_millis(100),
        bodies: 1 << 20,
        responses: 1 << 20,
        page_size: 500,
        key_retention: Duration::from_hours(24),
    };
    let guard = RequestGuard::new(
        Arc::new(OneToken),
        Arc::new(Intake::new(
            limits,
            Arc::default(),
            ResponsesBudget::new(limits.responses),
        )),
    );
    let endpoint = guard.transform(handler);
    endpoint.call(request.body(body)).await.unwrap()
}

async fn read(response: Response) -> (u16, HeaderMap, Value) {
    let (parts, body) = response.into_parts();
    let text = body.into_string().await.unwrap();
    (
        parts.status.as_u16(),
        parts.headers,
        serde_json::from_str(&text).unwrap_or_default(),
    )
}

/// The error id of the response, and its details.
async fn refused(line: &str, headers: Headers<'_>, body: impl Into<Body>) -> (String, Value) {
    let (status, headers, document) = read(send(line, headers, body).await).await;
    assert_eq!(headers["content-type"], "application/problem+json");
    assert_eq!(document["status"], status);
    let id = document["relay:errorId"].as_str().unwrap().to_owned();
    (id, document["relay:errorDetails"].clone())
}

async fn id(line: &str, headers: Headers<'_>, body: &'static str) -> String {
    refused(line, headers, body).await.0
}

#[tokio::test]
async fn checks_run_in_their_order() {
    let html = ("accept", "text/html");
    let text = ("content-type", "text/plain");
    let long = "123456789";
    let post = "POST /authorization/groups?bogus=1";

    assert_eq!(
        id("POST /authorization/nothing?bogus=1", &[html, text], long).await,
        "authorization:route-not-found"
    );
    assert_eq!(
        id("PUT /authorization/groups?bogus=1", &[html, text], long).await,
        "authorization:method-not-allowed"
    );
    assert_eq!(
        id(post, &[html, text], long).await,
        "authorization:authentication-required"
    );
    assert_eq!(
        id(post, &[TOKEN, html, text], long).await,
        "authorization:not-acceptable"
    );
    assert_eq!(
        id(post, &[TOKEN, text], long).await,
        "authorization:unsupported-media-type"
    );
    assert_eq!(
        id(post, &[TOKEN, JSON], long).await,
        "authorization:payload-too-large"
    );
    assert_eq!(
        id(post, &[TOKEN, JSON], "").await,
        "authorization:invalid-parameter"
    );
    let (status, _, body) =
        read(send("POST /authorization/groups", &[TOKEN, JSON], "[1]").await).await;
    assert_eq!((status, body), (200, json!([1])));
}

#[tokio::test]
async fn routes_outside_both_areas_use_the_area_of_forms() {
    assert_eq!(
        id("GET /nowhere", &[], "").await,
        "formalize:route-not-found"
    );
    assert_eq!(
        id("GET /formalize/forms/", &[TOKEN], "").await,
        "formalize:route-not-found"
    );
}

#[tokio::test]
async fn other_methods_are_listed_in_allow() {
    let (status, headers, _) = read(send("PUT /formalize/submissions", &[], "").await).await;
    assert_eq!(status, 405);
    assert_eq!(headers["allow"], "GET, HEAD, POST, DELETE");
}

#[tokio::test]
async fn a_request_without_a_valid_token_gets_a_challenge() {
    for credentials in [
        &[][..],
        &[("authorization", "Bearer bad")],
        &[("authorization", "Basic good")],
    ] {
        let (status, headers, _) = read(send("GET /formalize/forms", credentials, "").await).await;
        assert_eq!(status, 401);
        assert_eq!(headers["www-authenticate"], "Bearer");
    }
}

#[tokio::test]
async fn public_routes_need_no_token() {
    for path in ["/healthz", "/readyz", "/version", "/openapi.json", "/docs"] {
        assert_eq!(
            send(&format!("GET {path}"), &[], "")
                .await
                .status()
                .as_u16(),
            200,
            "{path}"
        );
    }
    let browser = [("accept", "text/html")];
    assert_eq!(send("GET /docs", &browser, "").await.status().as_u16(), 200);
}

#[tokio::test]
async fn a_body_at_the_limit_is_accepted_with_and_without_content_length() {
    let line = "POST /formalize/forms";
    let streamed = |bytes: &'static str| Body::from_async_read(bytes.as_bytes());
    assert_eq!(
        send(line, &[TOKEN, JSON], "12345678")
            .await
            .status()
            .as_u16(),
        200
    );
    assert_eq!(
        send(line, &[TOKEN, JSON], streamed("12345678"))
            .await
            .status()
            .as_u16(),
        200
    );
    let (id, _) = refused(line, &[TOKEN, JSON], streamed("123456789")).await;
    assert_eq!(id, "formalize:payload-too-large");
    let announced = [TOKEN, JSON, ("content-length", "9")];
    let (id, _) = refused(line, &announced, "").await;
    assert_eq!(id, "formalize:payload-too-large");
}

#[tokio::test]
async fn a_body_that_stalls_times_out() {
    let (_held, half) = tokio::io::duplex(64);
    let response = send(
        "POST /formalize/forms",
        &[TOKEN, JSON],
        Body::from_async_read(half),
    );
    let (status, headers, problem) = read(response.await).await;
    assert_eq!(
        (status, &problem["relay:errorId"]),
        (408, &json!("formalize:request-timeout"))
    );
    assert_eq!(headers["connection"], "close");
}

#[tokio::test]
async fn deletions_ignore_the_accept_header() {
    let html = ("accept", "text/html");
    let response = send("DELETE /formalize/forms/x", &[TOKEN, html], "").await;
    assert_eq!(response.status().as_u16(), 200);
}

#[tokio::test]
async fn invalid_parameters_are_named() {
    for (query, names) in [
        ("bogus=1", json!(["bogus"])),
        ("search=a&search=b", json!(["search"])),
        (
            "perPage=0&page=x&Search=",
            json!(["perPage", "page", "Search"]),
        ),
        ("perPage=10001", json!(["perPage"])),
        ("perPage=501", json!(["perPage"])),
        ("page=%2B1", json!(["page"])),
        ("page=2&cursor=x", json!(["page", "cursor"])),
        ("search=%ff", json!([])),
        ("search=%4", json!([])),
    ] {
        let line = format!("GET /authorization/groups?{query}");
        let expected = ("authorization:invalid-parameter".to_owned(), names);
        assert_eq!(refused(&line, &[TOKEN], "").await, expected, "{query}");
    }
}

#[tokio::test]
async fn too_many_parameters_are_refused_unread() {
    // The list of groups has four parameters.
    let query = |number: usize| vec!["%ff"; number].join("&");
    for (number, detail) in [
        (12, "the query string must be percent-encoded UTF-8"),
        (13, "send at most 12 query parameters"),
        (9_000, "send at most 12 query parameters"),
    ] {
        let line = format!("GET /authorization/groups?{}", query(number));
        let (status, _, problem) = read(send(&line, &[TOKEN], "").await).await;
        assert_eq!(
            (status, &problem["detail"]),
            (400, &json!(detail)),
            "{number}"
        );
        assert_eq!(problem["relay:errorDetails"], json!([]), "{number}");
    }
}

#[tokio::test]
async fn a_refusal_names_at_most_ten_parameters() {
    let names: Vec<String> = (0..12).map(|number| format!("x{number}")).collect();
    let line = format!("GET /authorization/groups?{}", names.join("&"));
    let (_, details) = refused(&line, &[TOKEN], "").await;
    assert_eq!(details, json!(&names[..10]));
}

#[tokio::test]
async fn probes_ignore_parameters() {
    for path in ["/healthz?a&b=%ff", "/readyz?verbose"] {
        let (status, ..) = read(send(&format!("GET {path}"), &[], "").await).await;
        assert_eq!(status, 200, "{path}");
    }
    assert_eq!(
        refused("GET /version?verbose", &[], "").await.1,
        json!(["verbose"])
    );
}

#[tokio::test]
async fn details_name_the_parameter_and_its_requirement() {
    for (line, expected) in [
        (
            "GET /authorization/groups?bogus=1&perPage=0",
            "unknown query parameter \"bogus\"; perPage must be a whole number from 1 to 10000",
        ),
        (
            "GET /authorization/groups?search=a&search=b",
            "search must not be repeated",
        ),
        (
            "GET /authorization/groups?page=2&cursor=x",
            "page and cursor cannot be combined",
        ),
        (
            "GET /authorization/groups?perPage=501",
            "perPage must be at most 500",
        ),
        (
            "GET /authorization/groups?search=%ff",
            "the query string must be percent-encoded UTF-8",
        ),
        (
            "GET /authorization/groups-members",
            "groupIdentifier is required",
        ),
        (
            "GET /formalize/forms?whereReadFormSubmissionsGranted=yes",
            "whereReadFormSubmissionsGranted must be `true` or `false`",
        ),
        (
            "GET /formalize/submissions?formIdentifier=x&submissionState=sent",
            "submissionState must be `draft` or `submitted`",
        ),
        ("PUT /readyz", "this route supports GET, HEAD"),
    ] {
        let (_, _, problem) = read(send(line, &[TOKEN], "").await).await;
        assert_eq!(problem["detail"], expected, "{line}");
    }
    for (header, line, expected) in [
        (
            ("if-match", "a"),
            "GET /formalize/forms/x",
            "If-Match must be `*` or a list of entity tags in double quotes",
        ),
        (
            ("if-none-match", "\"a\""),
            "DELETE /formalize/forms/x",
            "If-None-Match must be `*` for this operation",
        ),
        (
            ("accept", "text/html"),
            "GET /formalize/forms",
            "no accepted media type is available; check the Accept header",
        ),
        (
            ("content-type", "text/plain"),
            "PATCH /formalize/forms/x",
            "send Content-Type: application/merge-patch+json or application/json, in UTF-8 and uncompressed",
        ),
    ] {
        let (_, _, problem) = read(send(line, &[TOKEN, header], "").await).await;
        assert_eq!(problem["detail"], expected, "{line}");
    }
}

#[tokio::test]
async fn the_operation_determines_the_row_for_missing_parameters() {
    for query in ["", "?groupIdentifier="] {
        let line = format!("GET /authorization/groups-members{query}");
        let expected = (
            "authorization:required-parameter-missing".to_owned(),
            json!(["groupIdentifier"]),
        );
        assert_eq!(refused(&line, &[TOKEN], "").await, expected);
    }
    for method in ["GET", "DELETE"] {
        let line = format!("{method} /formalize/submissions");
        let (status, _, document) = read(send(&line, &[TOKEN], "").await).await;
        assert_eq!(status, 400);
        assert_eq!(
            document["relay:errorId"],
            "formalize:required-field-missing"
        );
        assert_eq!(document["relay:errorDetails"], json!(["formIdentifier"]));
    }
}

#[tokio::test]
async fn the_operation_determines_the_row_for_a_panic() {
    let line = "GET /authorization/groups?search=panic";
    let (id, details) = refused(line, &[TOKEN], "").await;
    assert_eq!(id, "authorization:getting-group-collection-failed");
    assert_eq!(details, json!({"message": "the groups could not be read"}));
}
