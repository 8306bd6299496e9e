//! Traces over OTLP, sent by a server with that feature to a collector in this test. `tests/otlp/run` runs these tests.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use formalize_tests::ServerCommand;
use formalize_tests::patience::in_time;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use poem::endpoint::make;
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::{Request, Response};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::client::Installation;

mod spans;

use spans::{Span, spans};

/// The variable with the path of the program.
const PROGRAM: &str = "FORMALIZE_TEST_OTLP_SERVER";
const JANE: &str = "jane.doe@example.org";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// A collector that records what it receives.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Vec<u8>>>>);

impl Collector {
    /// Starts listening, and returns the address.
    async fn start(&self) -> String {
        let acceptor = TcpListener::bind("127.0.0.1:0")
            .into_acceptor()
            .await
            .unwrap();
        let addresses = acceptor.local_addr();
        let address = addresses[0].as_socket_addr().unwrap().to_string();
        let kept = self.clone();
        let endpoint = make(move |mut request: Request| {
            let kept = kept.clone();
            async move {
                assert_eq!(request.uri().path(), "/v1/traces");
                assert_eq!(
                    request.header("content-type"),
                    Some("application/x-protobuf")
                );
                let body = request.take_body().into_vec().await.unwrap();
                kept.0.lock().unwrap().push(body);
                Ok::<_, poem::Error>(Response::default())
            }
        });
        tokio::spawn(poem::Server::new_with_acceptor(acceptor).run(endpoint));
        format!("http://{address}")
    }

    fn spans(&self) -> Vec<Span> {
        let bodies = self.0.lock().unwrap();
        bodies.iter().flat_map(|body| spans(body)).collect()
    }
}

/// A server that sends traces, and a token of Jane.
async fn installed(endpoint: &str) -> (Installation, ServerCommand, String) {
    let installation = Installation::on_sqlite().await.unwrap();
    let jane = ["tokens", "create", "--user", JANE];
    let jane = installation.cli(&jane).await.unwrap();
    let program = std::env::var(PROGRAM).unwrap();
    let command = installation.command.clone().program(program);
    let command = command
        .arg(format!("--otlp-endpoint={endpoint}"))
        .arg("--log-format=json")
        .env("OTEL_BSP_SCHEDULE_DELAY", "100");
    (installation, command, jane)
}

/// The log line of a request.
fn line(log: &str, id: &str) -> Value {
    let lines = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut found = lines.filter(|line| line["request_id"] == id);
    found.next().unwrap()
}

#[tokio::test]
#[ignore = "needs a server with the feature `otlp`; run tests/otlp/run"]
async fn requests_and_their_transactions_are_spans() {
    let collector = Collector::default();
    let endpoint = collector.start().await;
    let (installation, command, jane) = installed(&endpoint).await;
    let server = command.start().await.unwrap();
    let ask = async |id: &str, method: Method, path: &str, token: &str, parent: &str| {
        let request = Client::new().request(method, format!("{}{path}", server.base_url()));
        let request = request.bearer_auth(token).header("x-request-id", id);
        let request = request
            .header("traceparent", parent)
            .header("tracestate", "vendor=1");
        let request = if token == installation.token {
            request.json(&json!({ "name": "planted" }))
        } else {
            request
        };
        request.send().await.unwrap().status()
    };
    let (get, post) = (Method::GET, Method::POST);
    let sampled = format!("00-{TRACE}-{PARENT}-01");
    let admin = &installation.token;
    assert_eq!(
        ask("made", post, "/formalize/forms", admin, &sampled).await,
        201
    );
    let silent = format!("00-{}-{PARENT}-00", TRACE.replace('0', "1"));
    assert_eq!(
        ask("silent", get.clone(), "/formalize/forms", &jane, &silent).await,
        200
    );
    let path = "/formalize/forms/planted?planted=1";
    assert_eq!(
        ask("refused", get.clone(), path, &jane, "nonsense").await,
        400
    );
    assert_eq!(
        ask("alone", get, "/formalize/forms", &jane, "00-0-0-00").await,
        200
    );
    let log = server.stderr().unwrap();
    assert!(server.terminate().await.unwrap().success());

    let spans = collector.spans();
    let of_request = |id: &str| {
        let mut found = spans
            .iter()
            .filter(|span| span.text("formalize.request_id") == id);
        let span = found.next();
        assert!(found.next().is_none(), "{id} twice in {spans:#?}");
        span
    };
    let made = of_request("made").unwrap();
    assert_eq!((made.trace.as_str(), made.parent.as_str()), (TRACE, PARENT));
    assert_eq!(
        (made.sent.name.as_str(), made.sent.kind()),
        ("POST /formalize/forms", SpanKind::Server)
    );
    assert_eq!(made.service, "formalize");
    assert_eq!(made.sent.trace_state, "vendor=1");
    assert_eq!(made.text("http.request.method"), "POST");
    assert_eq!(made.text("http.route"), "/formalize/forms");
    assert_eq!(made.text("http.response.status_code"), "201");
    let inside: Vec<_> = spans.iter().filter(|span| span.parent == made.id).collect();
    let written = inside
        .iter()
        .find(|span| span.sent.name == "write")
        .unwrap();
    assert_eq!(
        (written.trace.as_str(), written.sent.kind()),
        (TRACE, SpanKind::Client)
    );
    assert_eq!(written.text("db.system.name"), "sqlite");
    assert_eq!(written.text("formalize.transaction.outcome"), "done");
    let time = |span: &Span| (span.sent.start_time_unix_nano, span.sent.end_time_unix_nano);
    let (began, ended) = time(made);
    for span in inside {
        let (begins, ends) = time(span);
        assert!(began <= begins && ends <= ended, "{span:#?}");
    }

    assert!(
        of_request("silent").is_none(),
        "what the sender does not record"
    );
    let alone = of_request("alone").unwrap();
    assert_eq!(alone.parent, "");
    assert_eq!(line(&log, "alone")["trace_id"], alone.trace.as_str());
    assert_eq!(line(&log, "made")["trace_id"], TRACE);
    let refused = of_request("refused").unwrap();
    assert_eq!(refused.sent.name, "GET /formalize/forms/{identifier}");
    let all = format!("{spans:?}");
    for secret in ["jane", "planted", "fmz_", admin.as_str()] {
        assert!(!all.contains(secret), "{secret} in {spans:#?}");
    }
}

/// Requests do not wait for a collector that is down, and the log reports it once.
#[tokio::test]
#[ignore = "needs a server with the feature `otlp`; run tests/otlp/run"]
async fn requests_do_not_wait_for_an_unreachable_collector() {
    // Nothing listens on port 1.
    let (installation, command, _) = installed("http://127.0.0.1:1").await;
    let server = command.start().await.unwrap();
    let client = installation.client(&server);
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(1) {
        let asked = client.get("/formalize/forms");
        assert_eq!(in_time("it does not wait", asked).await.unwrap().0, 200);
    }
    let log = server.stderr().unwrap();
    let said = log.matches("trace export failed").count();
    assert_eq!(said, 1, "{log}");
    assert!(server.terminate().await.unwrap().success());
}
