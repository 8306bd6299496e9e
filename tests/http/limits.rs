//! Limits on the rate of requests, on slow bodies, and on the size of pages.

use std::time::Duration;

use formalize_http::config::Rate;
use formalize_http::contract::Operation;
use formalize_http::middleware::RequestLimits;
use formalize_http::rate::RateLimits;
use poem::http::Method;
use serde_json::json;

use crate::support::{App, FORMS, GRANTS, GROUPS, NOWHERE, SUBMISSIONS, at};

fn rates(user: &str, address: &str) -> RateLimits {
    let rate = |text: &str| text.parse::<Rate>().unwrap();
    RateLimits::new(rate(user), rate(address), Vec::new())
}

#[tokio::test]
async fn rate_limits_count_all_requests_of_a_user() {
    let app = App::new().await.rated(rates("3/1m", "off"));
    let second = app.token("alice", json!({}), None).await;
    let answer = app.alice().get(FORMS).await;
    assert_eq!(answer.header("ratelimit-policy"), Some("\"user\";q=3;w=60"));
    assert_eq!(answer.header("ratelimit"), Some("\"user\";r=2;t=20"));
    assert_eq!(answer.header("retry-after"), None);
    app.with_token(&second).get(GROUPS).await.expect(200);
    let not_found = app.alice().get(&at(FORMS, "nothing")).await;
    assert_eq!(not_found.header("ratelimit"), Some("\"user\";r=0;t=20"));
    for (path, id) in [
        (FORMS, "formalize:too-many-requests"),
        (GROUPS, "authorization:too-many-requests"),
    ] {
        let refused = app.with_token(&second).get(path).await;
        refused.refuse(429, id, json!([]));
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((10..=20).contains(&wait), "{wait}");
        let state = format!("\"user\";r=0;t={wait}");
        assert_eq!(refused.header("ratelimit"), Some(state.as_str()));
    }
    app.bob().get(FORMS).await.expect(200);
}

#[tokio::test]
async fn rejected_requests_have_no_effect() {
    let app = App::new().await.rated(rates("1/1m", "off"));
    let created = app.alice().post(GROUPS, json!({ "name": "A" })).await;
    created.expect(201);
    let refused = app.alice().post(GROUPS, json!({ "name": "B" })).await;
    refused.refuse(429, "authorization:too-many-requests", json!([]));
    let groups = app.admin().get(GROUPS).await.expect(200);
    assert!(!groups.to_string().contains("\"B\""), "{groups}");
}

#[tokio::test]
async fn anonymous_requests_are_counted_by_address() {
    let app = App::new().await.rated(rates("off", "4/1m"));
    let id = "formalize:authentication-required";
    app.anon().get(FORMS).await.refuse(401, id, json!([]));
    let guess = app.with_token("fmz_guess").get(FORMS).await;
    guess.refuse(401, id, json!([]));
    assert_eq!(guess.header("ratelimit"), Some("\"address\";r=2;t=15"));
    app.anon().get("/version").await;
    app.anon().get("/nowhere").await;
    for path in [FORMS, "/version", "/nowhere"] {
        let refused = app.with_token("fmz_guess").get(path).await;
        refused.refuse(429, "formalize:too-many-requests", json!([]));
    }
    let refused = app.anon().request(Method::PUT, GRANTS).send().await;
    refused.refuse(429, "authorization:too-many-requests", json!([]));
    // Neither authenticated callers nor requests to the health endpoints.
    let answer = app.alice().get(FORMS).await;
    answer.expect(200);
    assert_eq!(answer.header("ratelimit"), None);
    for path in ["/healthz", "/readyz"] {
        let answer = app.anon().get(path).await;
        assert_eq!(answer.status.as_u16(), 200, "{answer}");
        assert_eq!(answer.header("ratelimit"), None);
    }
}

#[tokio::test]
async fn a_body_that_stalls_times_out() {
    let limits = RequestLimits {
        body: 4 << 20,
        body_timeout: Duration::from_millis(50),
        bodies: 256 << 20,
        responses: 256 << 20,
        page_size: 10_000,
        key_retention: Duration::from_hours(24),
    };
    let app = App::new().await.limited(limits);
    for (path, id) in [
        (GROUPS, "authorization:request-timeout"),
        (SUBMISSIONS, "formalize:request-timeout"),
    ] {
        let (_kept, half) = tokio::io::duplex(64);
        let request = app
            .alice()
            .request(Method::POST, path)
            .header("content-type", "application/json");
        let refused = request.slowly(half).send().await;
        refused.refuse(408, id, json!([]));
        assert_eq!(refused.header("connection"), Some("close"));
    }
}

#[tokio::test]
async fn the_page_size_limit_is_configurable() {
    let limits = RequestLimits {
        body: 4 << 20,
        body_timeout: Duration::from_secs(1),
        bodies: 256 << 20,
        responses: 256 << 20,
        page_size: 50,
        key_retention: Duration::from_hours(24),
    };
    let app = App::new().await.limited(limits);
    app.alice()
        .get(&format!("{FORMS}?perPage=50"))
        .await
        .expect(200);
    let refused = app.alice().get(&format!("{FORMS}?perPage=51")).await;
    refused.refuse(400, "formalize:invalid-parameter", json!(["perPage"]));
    let refused = app.alice().get(&format!("{GROUPS}?perPage=51")).await;
    refused.refuse(400, "authorization:invalid-parameter", json!(["perPage"]));
}

#[tokio::test]
async fn only_bodies_with_data_schemas_or_many_items_are_large() {
    let app = App::new().await;
    let text = |size: usize| " ".repeat(size).into_bytes();
    let mut large = Vec::new();
    for operation in Operation::ALL {
        let spec = operation.spec();
        let Some(media) = spec.request_media().next() else {
            continue;
        };
        // Files have limits of their own.
        if spec.streamed {
            continue;
        }
        let segments = spec.path.split('/').map(|segment| match segment {
            parameter if parameter.starts_with('{') => NOWHERE,
            other => other,
        });
        let path = segments.collect::<Vec<_>>().join("/");
        let send = async |body| {
            let request = app.alice().request(spec.verb.method(), &path);
            request
                .header("content-type", media)
                .body(body)
                .send()
                .await
        };
        let fits = send(text(65_536)).await;
        assert_eq!(fits.status.as_u16(), 400, "{}: {fits}", spec.id);
        let beyond = send(text(65_537)).await;
        if beyond.status.as_u16() == 400 {
            large.push(spec.id);
        } else {
            let area = path.split('/').nth(1).unwrap();
            beyond.refuse(413, &format!("{area}:payload-too-large"), json!([]));
        }
    }
    let expected = [
        "checkActions",
        "createForm",
        "getFormQuestions",
        "updateForm",
        "createSubmission",
        "createSubmissions",
        "updateSubmission",
    ];
    assert_eq!(large, expected);
}
