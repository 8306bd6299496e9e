//! Each request has one line in the log, however it ends, and the line does not identify the user.

use std::collections::BTreeMap;
use std::time::Duration;

use formalize_tests::Server;
use formalize_tests::patience::found;
use formalize_tests::stores::sqlite_connection;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use crate::client::Installation;
use crate::metrics::in_progress;
use crate::socket::Connection;

/// A user whose identifier reveals who it is.
const JANE: &str = "jane.doe@example.org";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const TARGET: &str = "formalize_server::request";

/// A server that logs in the given format, and tokens of the administrator and of Jane.
struct Stage {
    installation: Installation,
    server: Server,
    jane: String,
}

impl Stage {
    async fn new(format: &str) -> Self {
        let installation = Installation::on_sqlite().await.unwrap();
        let jane = ["tokens", "create", "--user", JANE];
        let jane = installation.cli(&jane).await.unwrap();
        let server = installation
            .command
            .clone()
            .arg(format!("--log-format={format}"))
            .arg("--request-body-timeout=2s")
            .arg("--metrics-listen=127.0.0.1:0")
            .arg("--database-wait=1h")
            .arg("--request-body-limit=1KiB")
            .arg("--address-rate-limit=4/1h");
        let server = server.start().await.unwrap();
        Self {
            installation,
            server,
            jane,
        }
    }

    /// A request with an id by which its log line can be found.
    fn request(&self, id: &str, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.server.base_url());
        let request = Client::new().request(method, url);
        request.header("x-request-id", id)
    }

    /// Sends raw bytes one by one, and waits for the response.
    async fn send_raw(&self, text: &str) -> String {
        let mut connection = Connection::to(&self.server).await;
        connection.send(text).await;
        connection.answer().await
    }

    /// Sends requests of every kind. Returns the status that each request id should have in the log, its route, and
    /// whether the caller is authenticated.
    async fn play(&self) -> BTreeMap<&'static str, (u16, &'static str, bool)> {
        let mut expected = BTreeMap::new();
        let forms = "/formalize/forms";
        let form = "/formalize/forms/{identifier}";
        for (id, method, path, status, route) in [
            (
                "list",
                Method::GET,
                "/formalize/forms?perPage=3",
                200,
                forms,
            ),
            ("head", Method::HEAD, "/formalize/forms", 200, forms),
            ("item", Method::GET, "/formalize/forms/planted", 404, form),
            (
                "parameter",
                Method::GET,
                "/formalize/forms?planted=1",
                400,
                forms,
            ),
            ("media", Method::POST, "/formalize/forms", 415, forms),
        ] {
            let request = self.request(id, method, path).bearer_auth(&self.jane);
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), status, "{id}");
            expected.insert(id, (status, route, true));
        }
        let large = self.request("large", Method::POST, forms);
        let large = large
            .bearer_auth(&self.jane)
            .json(&json!({ "name": "planted".repeat(999) }));
        assert_eq!(large.send().await.unwrap().status(), 413);
        expected.insert("large", (413, forms, true));
        for (id, method, path, status, route) in [
            ("health", Method::GET, "/healthz", 200, ""),
            ("ready", Method::GET, "/readyz", 200, ""),
            (
                "nowhere",
                Method::GET,
                "/planted/jane.doe",
                404,
                "unmatched",
            ),
            ("put", Method::PUT, forms, 405, "unmatched"),
            ("token", Method::GET, forms, 401, forms),
            (
                "other",
                Method::from_bytes(b"PLANTED").unwrap(),
                forms,
                405,
                "unmatched",
            ),
            ("often", Method::GET, forms, 429, forms),
        ] {
            let answer = self.request(id, method, path).send().await.unwrap();
            assert_eq!(answer.status(), status, "{id}");
            if !route.is_empty() {
                expected.insert(id, (status, route, false));
            }
        }
        expected.insert("late", (408, forms, true));
        self.send_part_of_a_body().await;
        // The first use of a token is written; otherwise the next request would wait for this write.
        let first = self.request("first", Method::GET, forms);
        let first = first.bearer_auth(&self.installation.token);
        assert_eq!(first.send().await.unwrap().status(), 200);
        expected.insert("first", (200, forms, true));
        expected.insert("gone", (499, forms, true));
        self.leave_before_the_answer().await;
        let answer = self.send_raw("planted\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        expected
    }

    async fn send_part_of_a_body(&self) {
        let jane = &self.jane;
        let part = format!(
            "POST /formalize/forms HTTP/1.1\r\nhost: x\r\nx-request-id: late\r\nauthorization: Bearer {jane}\r\n\
             content-type: application/json\r\ncontent-length: 9\r\n\r\n{{"
        );
        let answer = self.send_raw(&part).await;
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    }

    /// Sends a request that takes long because another program has locked the database, and disconnects.
    async fn leave_before_the_answer(&self) {
        let file = self.installation.command.folder().join("formalize.db");
        let url = format!("sqlite://{}", file.display());
        let other = sqlite_connection(&url);
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let request = self
            .request("gone", Method::POST, "/formalize/forms")
            .bearer_auth(&self.installation.token)
            .json(&json!({ "name": "planted" }))
            .header("traceparent", format!("00-{TRACE}-b7ad6b7169203331-01"));
        let sending = tokio::spawn(request.send());
        in_progress(&self.server, 1).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        sending.abort();
        assert!(sending.await.unwrap_err().is_cancelled());
        in_progress(&self.server, 0).await;
        other.execute_batch("ROLLBACK").unwrap();
    }

    /// The log, as soon as it contains a text.
    async fn log(&self, text: &str) -> String {
        log_of(&self.server, text).await
    }
}

/// The log of a server, as soon as it contains a text.
async fn log_of(server: &Server, text: &str) -> String {
    found(&format!("the log contains {text}"), async || {
        let log = server.stderr().unwrap();
        log.contains(text).then_some(log)
    })
    .await
}

fn must_not_identify_users(log: &str) {
    for secret in [
        "jane",
        "example.org",
        "planted",
        "perPage",
        "PLANTED",
        "fmz_",
    ] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

#[tokio::test]
async fn each_request_has_one_line_of_json() {
    let stage = Stage::new("json").await;
    let expected = stage.play().await;
    stage.log("unreadable").await;
    let log = stage.log("\"status\":499").await;
    must_not_identify_users(&log);
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line["target"] == TARGET)
        .collect();
    assert_eq!(lines.len(), expected.len() + 1, "{log}");
    let mut callers = BTreeMap::new();
    for (id, (status, route, known)) in expected {
        let of_request = |line: &&Value| line["request_id"] == id;
        let found: Vec<_> = lines.iter().filter(of_request).collect();
        assert_eq!(found.len(), 1, "{id} in {log}");
        let line = found[0];
        assert_eq!(
            (&line["status"], &line["route"]),
            (&json!(status), &json!(route)),
            "{line}"
        );
        assert_eq!(line["level"], "INFO");
        assert_eq!(line["message"], "answered");
        let caller = line["caller"].as_str().unwrap();
        assert_eq!(caller != "anonymous", known, "{line}");
        callers.insert(id, caller);
        let micros = line["duration_us"].as_u64().unwrap();
        let waited = ["late", "gone"].contains(&id);
        assert!(micros > 200_000 || !waited, "{line}");
        let trace = if id == "gone" {
            json!(TRACE)
        } else {
            Value::Null
        };
        assert_eq!(line["trace_id"], trace, "{line}");
    }
    assert_eq!(callers["list"].len(), 16);
    assert_eq!(
        callers["list"], callers["late"],
        "the same person has the same mark"
    );
    assert_ne!(
        callers["list"], callers["gone"],
        "the administrator has another"
    );
    let methods = |id: &str| {
        let line = lines.iter().find(|line| line["request_id"] == id).unwrap();
        line["method"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        ["head", "put", "other"].map(methods),
        ["HEAD", "PUT", "OTHER"]
    );
}

#[tokio::test]
async fn each_request_has_one_line_of_text() {
    let stage = Stage::new("text").await;
    let expected = stage.play().await;
    stage.log("unreadable").await;
    let log = stage.log("status=499").await;
    must_not_identify_users(&log);
    let lines: Vec<_> = log.lines().filter(|line| line.contains(TARGET)).collect();
    assert_eq!(lines.len(), expected.len() + 1, "{log}");
    for (id, (status, route, _)) in expected {
        let name = format!(" request_id={id}");
        let of_request = |line: &&&str| line.ends_with(&name) || line.contains(&format!("{name} "));
        let found: Vec<_> = lines.iter().filter(of_request).collect();
        assert_eq!(found.len(), 1, "{id} in {log}");
        let fields = format!("route=\"{route}\" status={status} duration_us=");
        assert!(found[0].contains(&fields), "{}", found[0]);
    }
}

/// Lines logged while handling a request have its id, too.
#[tokio::test]
async fn other_lines_of_a_request_have_its_id() {
    let stage = Stage::new("json").await;
    let request = stage.request("refused-1", Method::GET, "/formalize/forms");
    let answer = request.bearer_auth("fmz_unknown").send().await.unwrap();
    assert_eq!(answer.status(), 401);
    let log = stage.log("answered").await;
    let refused = log
        .lines()
        .find(|line| line.contains("credentials refused"));
    let refused: Value = serde_json::from_str(refused.unwrap()).unwrap();
    assert_eq!(refused["span"]["request_id"], "refused-1", "{refused}");
}

/// If the mark were the same in every process, it could be computed for every known user.
#[tokio::test]
async fn the_mark_of_a_caller_differs_between_processes() {
    let stage = Stage::new("json").await;
    let command = stage.installation.command.clone();
    let other = command.arg("--log-format=json").start().await.unwrap();
    let mut marks = Vec::new();
    for server in [&stage.server, &other] {
        let url = format!("{}/formalize/forms", server.base_url());
        let answer = Client::new().get(url).bearer_auth(&stage.jane).send();
        assert_eq!(answer.await.unwrap().status(), 200);
        let log = log_of(server, TARGET).await;
        let line = log.lines().find(|line| line.contains(TARGET)).unwrap();
        let line: Value = serde_json::from_str(line).unwrap();
        let mark = line["caller"].as_str().unwrap().to_owned();
        assert_ne!(mark, "anonymous", "{line}");
        marks.push(mark);
    }
    assert_ne!(marks[0], marks[1]);
}
