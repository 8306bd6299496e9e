//! The change feed as a stream of Server-Sent Events.

use std::time::Duration;

use formalize_core::{Caller, GroupName, NewGroup, PageRequest};
use formalize_http::config::{Count, Heartbeat, StreamSettings};
use formalize_http::observe::metrics::StreamMetrics;
use formalize_http::readiness::Stopping;
use formalize_server::feed::Streams;
use formalize_tests::patience::{LIMIT, in_time};
use poem::Response;
use poem::http::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};

use crate::support::{App, EVENTS, SUBMISSIONS, id, query, submission};

const SYSTEM: &Caller = &Caller::System;
const STREAM: &str = "text/event-stream";
const INVALID: &str = "formalize:invalid-parameter";

/// A part of a stream, up to an empty line.
#[derive(Debug, Default, PartialEq)]
struct Part {
    id: Option<String>,
    event: Option<String>,
    data: Option<Value>,
    retry: Option<String>,
}

/// Reads a stream as a browser does.
struct Reading(Box<dyn AsyncBufRead + Send + Unpin>);

impl Reading {
    fn of(response: Response) -> Self {
        let body = response.into_body().into_async_read();
        Self(Box::new(BufReader::new(Box::pin(body))))
    }

    /// The next part; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Part> {
        let mut part = Part::default();
        loop {
            let mut line = String::new();
            let read = in_time("the stream goes on", self.0.read_line(&mut line)).await;
            if read.unwrap() == 0 {
                return None;
            }
            let line = line.trim_end_matches('\n');
            if line.is_empty() {
                return Some(part);
            }
            let (field, value) = line.split_once(": ").unwrap_or((line, ""));
            let value = value.to_owned();
            match field {
                "id" => part.id = Some(value),
                "event" => part.event = Some(value),
                "data" => part.data = Some(serde_json::from_str(&value).unwrap()),
                "retry" => part.retry = Some(value),
                ":" => {}
                other => panic!("{other}"),
            }
        }
    }

    /// The next event. Skips heartbeats.
    async fn event(&mut self) -> Part {
        loop {
            let part = self.next().await.expect("the stream ended");
            if part.event.is_some() {
                return part;
            }
        }
    }
}

/// The service, whose streams have a heartbeat ten times a second.
async fn app() -> App {
    App::new().await.with_streams(streams(100))
}

fn streams(limit: u32) -> Streams {
    let settings = StreamSettings {
        limit: Count(limit),
        heartbeat: Heartbeat(Duration::from_millis(100)),
    };
    Streams::new(settings, LIMIT, StreamMetrics::default())
}

async fn open(app: &App, path: &str) -> Reading {
    let request = app.alice().request(Method::GET, path);
    let response = request.header("accept", STREAM).begin().await;
    assert_eq!(response.status(), 200);
    let header = |name: &str| response.header(name).map(str::to_owned);
    assert_eq!(header("content-type").as_deref(), Some(STREAM));
    assert_eq!(header("cache-control").as_deref(), Some("no-store"));
    assert_eq!(header("x-accel-buffering").as_deref(), Some("no"));
    let mut reading = Reading::of(response);
    let first = reading.next().await.unwrap();
    assert_eq!(first.retry.as_deref(), Some("3000"));
    reading
}

#[tokio::test]
async fn a_stream_has_the_events_of_the_feed_as_they_happen() {
    let app = app().await;
    let form = app.open_form(json!({})).await;
    let mut reading = open(&app, EVENTS).await;
    let page = app.alice().get(EVENTS).await.expect(200);
    for expected in page["items"].as_array().unwrap() {
        let part = reading.event().await;
        assert_eq!(part.event.as_deref(), expected["type"].as_str());
        assert_eq!(part.data.as_ref(), Some(expected));
    }
    let sent = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    let sent = id(&sent.expect(201));
    let part = reading.event().await;
    assert_eq!(part.event.as_deref(), Some("submission.submitted"));
    let data = &part.data.as_ref().unwrap()["data"];
    assert_eq!(data["submissionIdentifier"], json!(sent));

    // Whoever connects again goes on behind the last event, whatever the parameters say.
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let request = app
        .alice()
        .request(Method::GET, &query(EVENTS, &[("from", "oldest")]));
    let last = part.id.unwrap();
    let request = request
        .header("accept", STREAM)
        .header("last-event-id", &last);
    let mut again = Reading::of(request.begin().await);
    let first = again.event().await;
    assert_eq!(first.event.as_deref(), Some("submission.submitted"));
    assert_eq!(first, reading.event().await);
}

#[tokio::test]
async fn records_are_sent_with_their_events() {
    let app = app().await;
    let form = app.open_form(json!({})).await;
    let mut reading = open(
        &app,
        &query(EVENTS, &[("include", "item"), ("types", "form.created")]),
    )
    .await;
    let part = reading.event().await;
    assert_eq!(part.data.unwrap()["item"]["identifier"], json!(form));
}

#[tokio::test]
async fn heartbeats_move_readers_behind_events_that_they_may_not_see() {
    let app = app().await;
    let mut reading = open(&app, &query(EVENTS, &[("from", "now")])).await;
    assert_eq!(reading.next().await, Some(Part::default()));
    let name = GroupName::new("hidden").unwrap();
    let groups = app.formalize.groups();
    groups.create(SYSTEM, NewGroup { name }).await.unwrap();
    let moved = loop {
        let part = reading.next().await.unwrap();
        assert_eq!(part.event, None);
        if let Some(id) = part.id {
            break id;
        }
    };
    app.group("visible").await;
    let next = query(EVENTS, &[("cursor", &moved)]);
    let page = app.alice().get(&next).await.expect(200);
    assert_eq!(page["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_stream_ends_with_its_token_and_with_the_server() {
    let app = app().await;
    let token = app.token("alice", json!({}), None).await;
    let request = app.with_token(&token).request(Method::GET, EVENTS);
    let mut reading = Reading::of(request.header("accept", STREAM).begin().await);
    assert!(reading.next().await.is_some());
    let tokens = app.formalize.tokens();
    let found = tokens.list(SYSTEM, &PageRequest::default()).await.unwrap();
    let last = found.items.iter().map(|token| token.id).max().unwrap();
    tokens.revoke(SYSTEM, last).await.unwrap();
    app.group("after").await;
    while let Some(part) = reading.next().await {
        assert_eq!(
            part.event, None,
            "nothing is sent after a token was revoked"
        );
    }

    let stopping = Stopping::default();
    let app = App::new().await.stopping(stopping.clone(), streams(100));
    let mut reading = open(&app, EVENTS).await;
    stopping.begin();
    while reading.next().await.is_some() {}
}

#[tokio::test]
async fn streams_are_limited() {
    let app = App::new().await.with_streams(streams(3));
    let mut readings = Vec::new();
    for _ in 0..3 {
        readings.push(open(&app, EVENTS).await);
    }
    let ask = async || {
        let request = app.alice().request(Method::GET, EVENTS);
        request.header("accept", STREAM).send().await
    };
    let refused = ask().await;
    refused.refuse(503, "formalize:service-unavailable", json!([]));
    assert!(refused.header("retry-after").is_some());
    readings.pop();
    let response = app.alice().request(Method::GET, EVENTS);
    assert_eq!(
        response.header("accept", STREAM).begin().await.status(),
        200
    );
}

#[tokio::test]
async fn a_request_is_for_a_page_or_for_a_stream() {
    let app = app().await;
    let get = |path: &str, accept: &str| {
        let request = app.alice().request(Method::GET, path);
        request.header("accept", accept)
    };
    for accept in [
        "application/json, text/event-stream",
        "*/*",
        "application/*",
    ] {
        let page = get(EVENTS, accept).send().await.expect(200);
        assert!(page["nextCursor"].is_string(), "{accept}");
    }
    get(EVENTS, "text/html")
        .send()
        .await
        .refuse(406, "formalize:not-acceptable", json!([]));
    let sized = query(EVENTS, &[("perPage", "10")]);
    get(&sized, STREAM)
        .send()
        .await
        .refuse(400, INVALID, ["perPage"]);
    let forged = get(EVENTS, STREAM)
        .header("last-event-id", "forged")
        .send()
        .await;
    forged.refuse(400, INVALID, ["Last-Event-ID"]);
    let forged = query(EVENTS, &[("cursor", "forged")]);
    get(&forged, STREAM)
        .send()
        .await
        .refuse(400, INVALID, ["cursor"]);
    let page = app.alice().get(EVENTS).await.expect(200);
    let now = page["nextCursor"].as_str().unwrap();
    app.formalize.events().reset().await.unwrap();
    let expired = get(EVENTS, STREAM)
        .header("last-event-id", now)
        .send()
        .await;
    expired.refuse(410, "formalize:event-cursor-expired", json!([]));
    let request = app.alice().request(Method::HEAD, EVENTS);
    let head = request.header("accept", STREAM).begin().await;
    assert_eq!(head.header("content-type"), Some(STREAM));
}
