//! Many streams of events, of which half are never read.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use formalize_tests::Server;
use formalize_tests::process::resident;
use reqwest::header;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::client::{Client, Installation, started};
use crate::metrics::url_of;

/// The limit of streams of a server. A user may have ten.
const STREAMS: usize = 100;
const OF_USER: usize = 10;

/// The submissions, and the size of their data: together more than the sockets of a stream hold.
const SUBMISSIONS: usize = 32;
const BYTES: usize = 64 << 10;

/// How long a client may stall.
const PATIENCE: Duration = Duration::from_secs(2);

/// How much later it may be disconnected.
const GRACE: Duration = Duration::from_secs(8);

/// Long enough for anything that must happen, so that the test fails instead of hanging.
const LONG: Duration = Duration::from_mins(2);

/// More memory than this is not needed for the streams, in megabytes.
const MEMORY: f64 = 40.0;

/// A stream of events.
struct Stream {
    response: reqwest::Response,
    unread: Vec<u8>,
    /// The positions of the events so far.
    positions: BTreeSet<i64>,
    /// The cursor behind the last one.
    last: String,
}

impl Stream {
    /// Opens a stream of the events of a form with their items, behind a cursor or from the oldest on.
    async fn open(server: &Server, token: &str, form: &str, last: Option<&str>) -> Self {
        let url = format!(
            "{}/formalize/events?formIdentifier={form}&include=item&types=submission.submitted",
            server.base_url()
        );
        let mut request = reqwest::Client::new()
            .get(url)
            .bearer_auth(token)
            .header(header::ACCEPT, "text/event-stream");
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        Self {
            response,
            unread: Vec::new(),
            positions: BTreeSet::new(),
            last: last.unwrap_or_default().to_owned(),
        }
    }

    /// Reads until this many events have come. Returns whether they have; otherwise the stream has ended before.
    async fn read(&mut self, events: usize) -> bool {
        while self.positions.len() < events {
            if let Some(end) = self.unread.windows(2).position(|two| two == b"\n\n") {
                let part: Vec<u8> = self.unread.drain(..end + 2).collect();
                self.add(std::str::from_utf8(&part).unwrap());
                continue;
            }
            match timeout(LONG, self.response.chunk()).await.unwrap() {
                Ok(Some(bytes)) => self.unread.extend_from_slice(&bytes),
                Ok(None) | Err(_) => return false,
            }
        }
        true
    }

    fn add(&mut self, part: &str) {
        let field = |name| part.lines().find_map(|line| line.strip_prefix(name));
        if let Some(data) = field("data: ") {
            let event: Value = serde_json::from_str(data).unwrap();
            assert!(event["item"]["dataFeedElement"].is_string(), "{event}");
            let is_new = self.positions.insert(event["sequence"].as_i64().unwrap());
            assert!(is_new, "an event comes twice");
        }
        if let Some(id) = field("id: ") {
            id.clone_into(&mut self.last);
        }
    }
}

/// Users with a token each.
async fn tokens(installation: &Installation) -> Vec<String> {
    let mut tokens = Vec::new();
    for number in 0..STREAMS / OF_USER {
        let create = ["tokens", "create", "--user", &format!("reader-{number}")];
        tokens.push(installation.cli(&create).await.unwrap());
    }
    tokens
}

/// A form with large submissions that everybody may read.
async fn filled(client: &Client) -> String {
    let form = client.form(json!({})).await.unwrap();
    let grant = json!({
        "action": "read_submissions", "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form,
        "dynamicGroupIdentifier": "everybody",
    });
    let path = "/authorization/resource-action-grants";
    let (status, granted) = client.post(path, &grant).await.unwrap();
    assert_eq!(status, 201, "{granted}");
    for _ in 0..SUBMISSIONS {
        submit(client, &form).await;
    }
    form
}

async fn submit(client: &Client, form: &str) {
    let data = json!({"text": "x".repeat(BYTES)});
    let (status, created) = client.submit(form, &data).await.unwrap();
    assert_eq!(status, 201, "{created}");
}

/// The streams that were ended because their clients took nothing.
async fn ended_as_slow(server: &Server) -> Option<usize> {
    let figures = reqwest::get(url_of(server)).await.unwrap();
    let figures = figures.text().await.unwrap();
    let series = "formalize_event_streams_ended_total{reason=\"slow\"} ";
    let mut lines = figures.lines();
    lines.find_map(|line| line.strip_prefix(series)?.parse().ok())
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_that_are_not_read_are_cut_and_delay_no_others() {
    let (installation, server) =
        started(&["--response-timeout=2s", "--metrics-listen=127.0.0.1:0"]).await;
    let client = installation.client(&server);
    let (form, tokens) = (filled(&client).await, tokens(&installation).await);
    let before = resident(server.id(), "VmRSS").unwrap();
    let mut stalling = Vec::new();
    let mut reading = JoinSet::new();
    for number in 0..STREAMS {
        let token = &tokens[number / OF_USER];
        let mut stream = Stream::open(&server, token, &form, None).await;
        if number % 2 == 0 {
            assert!(stream.read(1).await);
            stalling.push((token, stream));
        } else {
            reading.spawn(async move {
                assert!(stream.read(SUBMISSIONS).await);
                stream
            });
        }
    }
    let mut reading = reading.join_all().await;
    let all = reading[0].positions.clone();

    // From now on, the server has nothing to do but to wait for those who do not read.
    let begun = Instant::now();
    while ended_as_slow(&server).await != Some(stalling.len()) {
        let waited = begun.elapsed();
        assert!(waited < PATIENCE + GRACE, "not cut after {waited:?}");
        sleep(Duration::from_millis(50)).await;
    }
    let memory = resident(server.id(), "VmHWM").unwrap() - before;
    assert!(memory < MEMORY, "{memory} MB");

    for (token, mut stream) in stalling {
        let is_whole = stream.read(SUBMISSIONS).await;
        assert!(!is_whole, "the sockets hold everything");
        let mut again = Stream::open(&server, token, &form, Some(&stream.last)).await;
        assert!(again.read(SUBMISSIONS - stream.positions.len()).await);
        assert!(stream.positions.is_disjoint(&again.positions));
        let both: BTreeSet<i64> = &stream.positions | &again.positions;
        assert_eq!(both, all, "nothing is lost");
    }
    submit(&client, &form).await;
    for stream in &mut reading {
        assert!(stream.read(SUBMISSIONS + 1).await);
    }
}
