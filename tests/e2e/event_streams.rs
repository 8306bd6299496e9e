//! Many streams of events, of which half are never read.

use std::collections::BTreeSet;

use formalize_tests::Server;
use formalize_tests::patience::in_time;
use formalize_tests::process::resident;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Duration, sleep};

use crate::client::{Client, Installation, started};
use crate::metrics::reaches;

/// How many streams of a server users can have who have some already: ten more are left to others. A user may have ten.
const STREAMS: usize = 90;
const OF_USER: usize = 10;

/// The submissions, and the size of their data: together more than the sockets of a stream hold.
const SUBMISSIONS: usize = 32;
const BYTES: usize = 64 << 10;

/// How long a client may stall: longer than those that read ever do, even if the machine is busy.
const PATIENCE: &str = "--response-timeout=10s";

/// How many streams were ended because their clients took nothing.
const SLOW: &str = "formalize_event_streams_ended_total{reason=\"slow\"}";

/// More memory than this is not needed for the streams, in megabytes: one for each that is not read. Its server holds a few
/// events, in buffers of up to 400 KiB.
const MEMORY: f64 = 50.0;

/// How much the socket of a client holds. By default, this differs between machines and may be more than the submissions.
const SOCKET_BYTES: u32 = 64 << 10;

/// A stream of events.
struct Stream {
    socket: TcpStream,
    unread: Vec<u8>,
    /// The positions of the events so far.
    positions: BTreeSet<i64>,
    /// The cursor behind the last one.
    last: String,
}

impl Stream {
    /// Opens a stream of the events of a form with their items, behind a cursor or from the oldest on.
    async fn open(server: &Server, token: &str, form: &str, last: Option<&str>) -> Self {
        let address = server.base_url().trim_start_matches("http://").to_owned();
        let last = last.unwrap_or_default().to_owned();
        let cursor = match last.as_str() {
            "" => String::new(),
            last => format!("Last-Event-ID: {last}\r\n"),
        };
        // In HTTP/1.0, a body is not in chunks.
        let request = format!(
            "GET /formalize/events?formIdentifier={form}&include=item&types=submission.submitted HTTP/1.0\r\n\
             Host: {address}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n{cursor}\r\n"
        );
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(SOCKET_BYTES).unwrap();
        let mut socket = socket.connect(address.parse().unwrap()).await.unwrap();
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut stream = Self {
            socket,
            unread: Vec::new(),
            positions: BTreeSet::new(),
            last,
        };
        let head = loop {
            let end = stream
                .unread
                .windows(4)
                .position(|four| four == b"\r\n\r\n");
            match end {
                Some(end) => break stream.unread.drain(..end + 4).collect::<Vec<_>>(),
                None => assert!(stream.receive().await, "no response"),
            }
        };
        let head = String::from_utf8(head).unwrap();
        assert!(head.starts_with("HTTP/1.0 200 "), "{head}");
        stream
    }

    /// Receives some bytes. Returns whether there were any; otherwise the stream has ended.
    async fn receive(&mut self) -> bool {
        let received = self.socket.read_buf(&mut self.unread);
        matches!(in_time("the stream goes on", received).await, Ok(1..))
    }

    /// Reads until this many events have come. Returns whether they have; otherwise the stream has ended before.
    async fn read(&mut self, events: usize) -> bool {
        while self.positions.len() < events {
            if let Some(end) = self.unread.windows(2).position(|two| two == b"\n\n") {
                let part: Vec<u8> = self.unread.drain(..end + 2).collect();
                self.add(std::str::from_utf8(&part).unwrap());
                continue;
            }
            if !self.receive().await {
                return false;
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

#[tokio::test(flavor = "multi_thread")]
async fn streams_that_are_not_read_are_cut_and_delay_no_others() {
    let arguments = [
        PATIENCE,
        // A busy machine may take minutes, in which those that read have nothing to read.
        "--keep-alive-timeout=1h",
        "--metrics-listen=127.0.0.1:0",
    ];
    let (installation, server) = started(&arguments).await;
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
    reaches(&server, SLOW, u64::try_from(stalling.len()).unwrap()).await;
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

/// A stream says something only now and then, so a connection on which nothing is sent is not idle.
#[tokio::test(flavor = "multi_thread")]
async fn streams_outlive_the_timeout_of_idle_connections() {
    let (installation, server) = started(&["--keep-alive-timeout=1s"]).await;
    let client = installation.client(&server);
    let form = filled(&client).await;
    let mut stream = Stream::open(&server, &installation.token, &form, None).await;
    assert!(stream.read(SUBMISSIONS).await);
    sleep(Duration::from_secs(4)).await;
    submit(&client, &form).await;
    assert!(stream.read(SUBMISSIONS + 1).await, "the stream was cut");
}
