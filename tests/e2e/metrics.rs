//! The metrics for Prometheus: correct, well-formed, documented, and sufficient for the dashboard.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use formalize_tests::Server;
use formalize_tests::patience::until;
use formalize_tests::stores::sqlite_connection;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::client::Installation;
use crate::files::{add, draft};
use crate::socket::Connection;

/// What precedes the address in a log as text and as JSON.
const ADDRESS: [&str; 2] = ["metrics=\"http://", "\"metrics\":\"http://"];

async fn started(installation: &Installation) -> Server {
    let command = installation.command.clone();
    let people = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/people.csv");
    let command = command.arg("--metrics-listen=127.0.0.1:0");
    let command = command.arg("--directory-people").arg(people);
    command.start().await.unwrap()
}

/// The address of the metrics, from the log.
pub(crate) fn url_of(server: &Server) -> String {
    let log = server.stderr().unwrap();
    let found = ADDRESS.iter().find_map(|mark| log.split_once(mark));
    let (_, rest) = found.unwrap();
    let address = rest.split(['\n', '"']).next().unwrap();
    format!("http://{}", address.trim())
}

async fn figures(server: &Server) -> Exposition {
    let answer = reqwest::get(url_of(server)).await.unwrap();
    assert_eq!(answer.status(), 200);
    let media = answer.headers()["content-type"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        media.starts_with("application/openmetrics-text; version=1.0.0"),
        "{media}"
    );
    Exposition::read(&answer.text().await.unwrap())
}

/// The value of a metric; zero if it does not exist yet.
pub(crate) async fn value(server: &Server, series: &str) -> u64 {
    figures(server).await.count(series)
}

/// Waits until a metric has this value.
pub(crate) async fn reaches(server: &Server, series: &str, value: u64) {
    let what = format!("{series} is {value}");
    until(&what, async || self::value(server, series).await == value).await;
}

/// Waits until the server is busy with this number of requests, whose heads it has then received.
pub(crate) async fn in_progress(server: &Server, requests: u64) {
    reaches(server, "formalize_http_requests_in_flight", requests).await;
}

/// Metrics in the OpenMetrics text format, validated while parsing.
#[derive(Debug, Default)]
struct Exposition {
    /// The type of each family.
    families: BTreeMap<String, String>,
    /// By name and labels as they are written.
    samples: BTreeMap<String, f64>,
}

impl Exposition {
    fn read(text: &str) -> Self {
        let mut read = Self::default();
        let mut described = BTreeSet::new();
        let body = text.strip_suffix("# EOF\n").unwrap();
        for line in body.lines() {
            if let Some(comment) = line.strip_prefix("# ") {
                let mut words = comment.splitn(3, ' ');
                let [kind, family, rest] = [(); 3].map(|()| words.next().unwrap().to_owned());
                match kind.as_str() {
                    "HELP" => assert!(rest.ends_with('.') && described.insert(family), "{line}"),
                    "TYPE" => assert!(read.families.insert(family, rest).is_none(), "{line}"),
                    "UNIT" => assert!(family.ends_with(&format!("_{rest}")), "{line}"),
                    _ => panic!("{line}"),
                }
                continue;
            }
            let (series, value) = line.rsplit_once(' ').unwrap();
            read.family_of(series.split('{').next().unwrap());
            let value = value.parse().unwrap();
            assert!(
                read.samples.insert(series.to_owned(), value).is_none(),
                "twice: {line}"
            );
        }
        assert_eq!(described, read.families.keys().cloned().collect());
        read.check_histograms();
        read
    }

    /// The family of a sample, by the suffixes that its type allows.
    fn family_of(&self, name: &str) -> String {
        let suffixes = [
            ("counter", "_total"),
            ("gauge", ""),
            ("info", "_info"),
            ("histogram", "_bucket"),
            ("histogram", "_sum"),
            ("histogram", "_count"),
        ];
        let family = suffixes.into_iter().find_map(|(kind, suffix)| {
            let family = name.strip_suffix(suffix)?;
            (self.families.get(family)? == kind).then(|| family.to_owned())
        });
        family.unwrap_or_else(|| panic!("{name} is of no family before it"))
    }

    /// In each histogram, the counts of the buckets must increase up to the total.
    fn check_histograms(&self) {
        let mut last: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for (series, count) in &self.samples {
            let Some((name, labels)) = series.split_once("_bucket{") else {
                continue;
            };
            let (bound, labels) = labels
                .strip_prefix("le=\"")
                .unwrap()
                .split_once('"')
                .unwrap();
            let bound = bound.replace("+Inf", "inf");
            let all = match labels.strip_prefix(',') {
                None => format!("{name}_count"),
                Some(labels) => format!("{name}_count{{{labels}"),
            };
            last.entry(all)
                .or_default()
                .push((bound.parse().unwrap(), *count));
        }
        assert!(!last.is_empty());
        for (all, mut ranges) in last {
            ranges.sort_by(|one, other| one.0.total_cmp(&other.0));
            assert!(ranges.is_sorted_by(|one, other| one.1 <= other.1), "{all}");
            let (bound, count) = ranges.pop().unwrap();
            assert!(bound.is_infinite(), "{all}");
            assert!((count - self.samples[&all]).abs() < 0.5, "{all}");
        }
    }

    /// The value of a metric; zero if it does not exist yet.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts are small integers"
    )]
    fn count(&self, series: &str) -> u64 {
        self.samples.get(series).copied().unwrap_or_default() as u64
    }

    /// The names that can be queried.
    fn names(&self) -> BTreeSet<String> {
        let names = self.samples.keys();
        names
            .map(|series| series.split('{').next().unwrap().to_owned())
            .collect()
    }
}

#[tokio::test]
async fn metrics_are_correct() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = started(&installation).await;
    let client = installation.client(&server);
    let schema = json!({ "type": "object", "properties": { "age": { "type": "integer" } } });
    let form = client
        .form(json!({ "dataFeedSchema": schema.to_string() }))
        .await
        .unwrap();
    for (age, status) in [(json!(1), 201), (json!(2), 201), (json!("old"), 400)] {
        let submitted = client.submit(&form, &json!({ "age": age })).await.unwrap();
        assert_eq!(submitted.0, status, "{submitted:?}");
    }
    for _ in 0..5 {
        assert_eq!(
            client
                .get(&format!("/formalize/forms/{form}"))
                .await
                .unwrap()
                .0,
            200
        );
    }
    let nothing = format!("/formalize/forms/{}", uuid::Uuid::nil());
    let refused = client.send(Method::DELETE, &nothing, None).await.unwrap();
    assert_eq!(refused.0, 404);
    let odd = Method::from_bytes(b"PLANTED").unwrap();
    assert_eq!(
        client.send(odd, "/planted/4711", None).await.unwrap().0,
        404
    );
    let mut raw = Connection::to(&server).await;
    raw.send("planted\r\n\r\n").await;
    raw.answer().await;
    drop(raw);

    // An unreadable request is counted when its connection has ended.
    let unreadable = "formalize_http_unreadable_requests_total";
    reaches(&server, unreadable, 1).await;
    let figures = figures(&server).await;
    for (series, expected) in [
        (
            r#"formalize_http_requests_total{method="GET",route="/formalize/forms/{identifier}",status="200",surface="service"}"#,
            5,
        ),
        (
            r#"formalize_http_requests_total{method="POST",route="/formalize/submissions",status="201",surface="service"}"#,
            2,
        ),
        (
            r#"formalize_http_requests_total{method="POST",route="/formalize/submissions",status="400",surface="service"}"#,
            1,
        ),
        (
            r#"formalize_http_requests_total{method="OTHER",route="unmatched",status="404",surface="service"}"#,
            1,
        ),
        (
            r#"formalize_http_request_duration_seconds_count{method="POST",route="/formalize/submissions",surface="service"}"#,
            3,
        ),
        (
            r#"formalize_store_transaction_duration_seconds_count{kind="write",outcome="undone"}"#,
            1,
        ),
        ("formalize_http_requests_in_flight", 0),
        (unreadable, 1),
        ("formalize_validator_cache_misses_total", 1),
        ("formalize_validator_cache_hits_total", 2),
        ("formalize_validator_cache_entries", 1),
        (r#"formalize_store_pool_limit{pool="writer"}"#, 1),
        (r#"formalize_store_pool_in_use{pool="writer"}"#, 0),
    ] {
        assert_eq!(figures.count(series), expected, "{series} in {figures:#?}");
    }
    // One more for unfinished uploads at the start, and one for the first use of the token.
    let written =
        r#"formalize_store_transaction_duration_seconds_count{kind="write",outcome="done"}"#;
    assert_eq!(figures.count(written), 5);
    assert_eq!(
        figures.count("formalize_store_commit_batch_transactions_sum"),
        5
    );
    assert!(figures.count("formalize_connections_open") >= 1);
    let all = format!("{figures:?}");
    assert!(!all.contains("planted") && !all.contains("PLANTED") && !all.contains(&form));
    assert!(server.terminate().await.unwrap().success());
}

/// A request that waits for the write lock of another program must report its duration, and so must its transaction,
/// both in seconds.
#[tokio::test]
async fn durations_are_in_seconds() {
    const LOCKED: Duration = Duration::from_millis(300);
    let installation = Installation::on_sqlite().await.unwrap();
    let server = started(&installation).await;
    let client = installation.client(&server);
    // The first use of the token is written, too.
    assert_eq!(client.get("/formalize/forms").await.unwrap().0, 200);
    let (before, began) = (figures(&server).await, Instant::now());
    let file = installation.command.folder().join("formalize.db");
    let url = format!("sqlite://{}", file.display());
    let other = sqlite_connection(&url);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let release = async {
        in_progress(&server, 1).await;
        sleep(LOCKED).await;
        other.execute_batch("ROLLBACK")
    };
    let (made, released) = tokio::join!(client.form(json!({})), release);
    made.unwrap();
    released.unwrap();
    let longest = began.elapsed().as_secs_f64();

    let after = figures(&server).await;
    for series in [
        r#"formalize_http_request_duration_seconds_sum{method="POST",route="/formalize/forms",surface="service"}"#,
        r#"formalize_store_transaction_duration_seconds_sum{kind="write",outcome="done"}"#,
    ] {
        // The use of the token was an earlier write.
        let seconds = after.samples[series] - before.samples.get(series).unwrap_or(&0.0);
        // Other transactions may have waited, too.
        let range = LOCKED.as_secs_f64() / 2.0..10.0 * longest;
        assert!(range.contains(&seconds), "{series} {seconds} in {range:?}");
    }
}

/// The metrics address serves nothing else, the service address does not serve metrics, and by default there is no
/// metrics address.
#[tokio::test]
async fn metrics_have_their_own_address() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = started(&installation).await;
    let metrics = url_of(&server);
    let status = async |method: Method, url: &str| {
        let request = reqwest::Client::new().request(method, url);
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(
        status(Method::GET, &metrics.replace("/metrics", "/healthz")).await,
        404
    );
    assert_eq!(status(Method::POST, &metrics).await, 405);
    assert_eq!(
        status(Method::GET, &format!("{}/metrics", server.base_url())).await,
        404
    );
    let taken = metrics
        .strip_prefix("http://")
        .unwrap()
        .strip_suffix("/metrics")
        .unwrap();
    let refused = installation
        .command
        .clone()
        .arg(format!("--metrics-listen={taken}"));
    let refused = refused.start().await.unwrap_err().to_string();
    assert!(
        refused.contains(&format!("cannot listen on {taken}")),
        "{refused}"
    );
    let quiet = installation.command.start().await.unwrap();
    assert!(!quiet.stderr().unwrap().contains(ADDRESS[0]));
}

fn read(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(file)).unwrap()
}

/// Every metric name in a text.
fn names_in(text: &str) -> BTreeSet<String> {
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words = text.split(|character| !is_of_name(character));
    let is_name = |word: &&str| word.starts_with("formalize_") || word.starts_with("process_");
    words.filter(is_name).map(str::to_owned).collect()
}

/// The queries of a dashboard, wherever they are in it.
fn queries(dashboard: &Value, found: &mut Vec<String>) {
    match dashboard {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(text)
                        if ["expr", "query", "definition"].contains(&key.as_str()) =>
                    {
                        found.push(text.clone());
                    }
                    value => queries(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| queries(item, found)),
        _ => {}
    }
}

#[tokio::test]
async fn files_are_counted() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = started(&installation).await;
    let client = installation.client(&server);
    let files = draft(&client).await;
    let content = json!({ "answer": "x".repeat(100_000) });
    let size = content.to_string().len() as u64;
    let (status, file) = add(&client, &files, &content).await;
    assert_eq!(status, 201, "{file}");
    let path = format!("{files}/{}", file["identifier"].as_str().unwrap());
    for _ in 0..2 {
        let read = client.get(&format!("{path}/content")).await.unwrap();
        assert_eq!(read.0, 200);
    }
    let done = |operation: &str| {
        let labels = format!("operation=\"{operation}\",outcome=\"done\"");
        format!("formalize_file_operations_total{{{labels}}}")
    };
    let count = |figures: &Exposition, operation: &str| figures.count(&done(operation));
    // A download is counted after its last byte is sent.
    reaches(&server, &done("download"), 2).await;
    let figures = figures(&server).await;
    assert_eq!(count(&figures, "upload"), 1);
    assert_eq!(count(&figures, "download"), 2);
    for (operation, expected) in [("upload", size), ("download", 2 * size)] {
        let bytes = format!("formalize_file_content_bytes_total{{operation=\"{operation}\"}}");
        assert_eq!(figures.count(&bytes), expected, "{operation}");
        let times =
            format!("formalize_file_operation_duration_seconds_count{{operation=\"{operation}\"}}");
        assert_eq!(
            figures.count(&times),
            count(&figures, operation),
            "{operation}"
        );
    }

    let removed = client.send(Method::DELETE, &path, None).await;
    assert_eq!(removed.unwrap().0, 204);
    server.terminate().await.unwrap();
    // A server sweeps when it starts. A backup makes it wait.
    let hold = ["files", "hold", "--for", "1h"];
    installation.cli(&hold).await.unwrap();
    let server = started(&installation).await;
    reaches(&server, "formalize_files_waiting", 1).await;
    assert_eq!(count(&self::figures(&server).await, "deletion"), 0);
    server.terminate().await.unwrap();
    installation.cli(&["files", "release"]).await.unwrap();
    let server = started(&installation).await;
    reaches(&server, &done("deletion"), 1).await;
    reaches(&server, "formalize_files_waiting", 0).await;
    server.terminate().await.unwrap();
}

#[tokio::test]
async fn the_dashboard_uses_existing_documented_metrics() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = started(&installation).await;
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    client.submit(&form, &json!({})).await.unwrap();
    let export = format!("/formalize/submissions/export?formIdentifier={form}&format=json");
    assert_eq!(client.get(&export).await.unwrap().0, 200);
    let files = draft(&client).await;
    assert_eq!(add(&client, &files, &json!({})).await.0, 201);
    let done = "formalize_exports_total{format=\"json\",outcome=\"done\"}";
    // An export is counted after its last byte is sent.
    reaches(&server, done, 1).await;
    let figures = figures(&server).await;
    assert_eq!(figures.count("formalize_export_rows_total"), 1);
    let exported = figures.names();

    let dashboard: Value = serde_json::from_str(&read("docs/grafana/formalize.json")).unwrap();
    let mut asked = Vec::new();
    queries(&dashboard, &mut asked);
    let asked: BTreeSet<_> = asked.iter().flat_map(|query| names_in(query)).collect();
    assert!(asked.len() > 15, "{asked:?}");
    let unknown: Vec<_> = asked.difference(&exported).collect();
    assert!(unknown.is_empty(), "{unknown:?} are in the dashboard alone");

    // The rows of the table begin with the name of a counter, a gauge, or a histogram without suffix.
    let manual = read("docs/observability.md");
    let rows = manual.lines().filter_map(|line| line.strip_prefix("| `"));
    let documented: BTreeSet<_> = rows
        .filter_map(|row| row.split(['`', '{']).next())
        .filter(|name| !names_in(name).is_empty())
        .map(str::to_owned)
        .collect();
    let suffix = |kind: &str| match kind {
        "counter" => "_total",
        "info" => "_info",
        _ => "",
    };
    let families = figures.families.iter();
    let mut families: BTreeSet<_> = families
        .map(|(family, kind)| format!("{family}{}", suffix(kind)))
        .collect();
    // SQLite has no servers.
    families.insert("formalize_database_role".to_owned());
    assert_eq!(documented, families);
}
