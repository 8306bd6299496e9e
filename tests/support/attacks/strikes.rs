//! The requests of the attacker.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::{Result, Server};

use super::scene::{EXPENSIVE, PROXY, Scene, large_data};
use super::{Answers, Attack};

/// The rate of the attacks that send whole requests: the default limit of a user, over all connections.
const REQUESTS_PER_SECOND: u32 = 100;

/// The client on whose behalf the proxy sends the requests of the attacker.
const CLIENT: &str = "203.0.113.9";

/// How long a connection is held whose client neither reads nor sends. It outlasts the measurement.
const HELD: Duration = Duration::from_mins(10);

/// When the attacker tries again after a refusal.
const AGAIN: Duration = Duration::from_secs(1);

/// The names of this many parameters fit into a head of the default limit.
const PARAMETERS: usize = 9_000;

/// An attack under way. Dropping it ends it.
pub(super) struct Strikes {
    tasks: JoinSet<()>,
    tally: Tally,
}

impl Strikes {
    pub(super) fn begin(scene: &Scene, server: &Server, attack: Attack) -> Result<Self> {
        let http = Client::builder()
            .local_address(std::net::IpAddr::from(PROXY))
            .retry(reqwest::retry::never())
            .timeout(Duration::from_mins(1));
        let mut start = Start {
            strikes: Self {
                tasks: JoinSet::new(),
                tally: Tally::default(),
            },
            http: http.build()?,
            base: server.base_url().to_owned(),
            address: server.base_url().trim_start_matches("http://").parse()?,
        };
        start.attack(scene, attack);
        Ok(start.strikes)
    }

    /// Ends the attack, and returns what the attacker got.
    pub(super) async fn end(mut self) -> Answers {
        self.tasks.shutdown().await;
        self.tally
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Counts what the attacker gets.
#[derive(Debug, Clone, Default)]
struct Tally(Arc<Mutex<Answers>>);

impl Tally {
    fn add(&self, answer: String) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry(answer).or_default() += 1;
    }
}

struct Start {
    strikes: Strikes,
    http: Client,
    base: String,
    address: SocketAddr,
}

impl Start {
    fn attack(&mut self, scene: &Scene, attack: Attack) {
        let page = format!(
            "/formalize/submissions?formIdentifier={}&perPage=10000",
            scene.large
        );
        let base = self.base.clone();
        let forms = format!("{base}/formalize/forms");
        let submissions = format!("{base}/formalize/submissions");
        let (outsider, reader, member) = (&scene.outsider, &scene.reader, &scene.member);
        match attack {
            Attack::ExpensiveForms => {
                let body = json!({"name": "A form", "dataFeedSchema": EXPENSIVE}).to_string();
                let token = outsider.clone();
                self.flood(150, move |http, _| {
                    let post = http.post(&forms).bearer_auth(&token);
                    as_json(post).body(body.clone())
                });
            }
            Attack::LargeSubmissions => {
                let data = large_data().to_string();
                let body = json!({"formIdentifier": scene.large, "dataFeedElement": data});
                let (token, body) = (outsider.clone(), body.to_string());
                self.flood(150, move |http, _| {
                    let post = http.post(&submissions).bearer_auth(&token);
                    as_json(post).body(body.clone())
                });
            }
            Attack::ColdForms => {
                let (token, cold) = (reader.clone(), scene.cold.clone());
                self.flood(150, move |http, turn| {
                    let form = cold.get(turn as usize % cold.len());
                    let body = json!({"formIdentifier": form, "dataFeedElement": "{}"});
                    http.post(&submissions).bearer_auth(&token).json(&body)
                });
            }
            Attack::UnreadPages => {
                let request = request("GET", &page, reader, "");
                self.stall(12, request.into(), b"");
            }
            Attack::AbandonedPages => self.abandon(8, request("GET", &page, reader, "").into()),
            Attack::Heads => {
                let token = reader.clone();
                self.flood(8, move |http, _| {
                    let head = http.request(Method::HEAD, format!("{base}{page}"));
                    head.bearer_auth(&token)
                });
            }
            Attack::ParametersOfHealth => {
                let url = format!("{base}/healthz?{}", parameters());
                self.flood(16, move |http, _| http.get(&url));
            }
            Attack::ParametersOfLists => {
                let (token, url) = (outsider.clone(), format!("{forms}?{}", parameters()));
                self.flood(16, move |http, _| http.get(&url).bearer_auth(&token));
            }
            Attack::UnfinishedBodies => {
                let length = "Content-Type: application/json\r\nContent-Length: 4194304\r\n";
                let head = request("POST", "/formalize/submissions", reader, length);
                self.stall(250, head.into(), &BODY);
            }
            Attack::UnfinishedHeads => {
                self.stall(
                    900,
                    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-".into(),
                    b"",
                );
            }
            Attack::ManyGroups => {
                let token = member.clone();
                self.flood(16, move |http, _| http.get(&forms).bearer_auth(&token));
            }
            Attack::LargePages => {
                let url = format!("{base}{}", scene.questions);
                self.flood(8, move |http, _| http.get(&url));
            }
            Attack::RepeatedChoices => {
                let url = format!("{base}{}", scene.choices);
                let answers = vec!["%2Fchosen=choice+999"; 1_999].join("&");
                let body = format!("do=show&{answers}");
                self.flood(8, move |http, _| {
                    let post = http.post(&url).body(body.clone());
                    post.header("content-type", "application/x-www-form-urlencoded")
                });
            }
            Attack::VerboseRefusals => {
                let data = json!({"n".repeat(1_000): vec![1; 30_000]}).to_string();
                let body =
                    json!({"formIdentifier": scene.lists, "dataFeedElement": data}).to_string();
                let length = format!(
                    "Content-Type: application/json\r\nContent-Length: {}\r\n",
                    body.len()
                );
                let head = request("POST", "/formalize/submissions", reader, &length);
                self.stall(20, (head + &body).into(), b"");
            }
        }
    }

    /// Sends requests over this many connections, at the same rate for any number.
    fn flood(
        &mut self,
        connections: u32,
        request: impl Fn(&Client, u32) -> RequestBuilder + Send + Sync + 'static,
    ) {
        let request = Arc::new(request);
        let pause = Duration::from_secs(1) * connections / REQUESTS_PER_SECOND;
        for number in 0..connections {
            let (http, tally) = (self.http.clone(), self.strikes.tally.clone());
            let request = Arc::clone(&request);
            self.strikes.tasks.spawn(async move {
                sleep(pause * number / connections).await;
                for turn in (number..).step_by(connections as usize) {
                    tally.add("requests".to_owned());
                    let sent = request(&http, turn)
                        .header("x-forwarded-for", CLIENT)
                        .send();
                    let (answer, ()) = tokio::join!(sent, sleep(pause));
                    tally.add(match answer {
                        Ok(answer) => answer.status().as_u16().to_string(),
                        Err(error) if error.is_timeout() => "timeout".to_owned(),
                        Err(_) => "closed".to_owned(),
                    });
                }
            });
        }
    }

    /// Sends a head and a body over each of this many connections, reads the status if there is one, and then holds
    /// the connection. Replaces connections that the server closes.
    fn stall(&mut self, connections: u32, head: Arc<str>, body: &'static [u8]) {
        self.repeat(connections, move |mut stream, tally| {
            let head = Arc::clone(&head);
            async move {
                let (mut reading, mut writing) = stream.split();
                let send = async {
                    writing.write_all(head.as_bytes()).await?;
                    writing.write_all(body).await
                };
                let receive = async {
                    let answer = status(&mut reading).await;
                    tally.add(answer.clone());
                    answer
                };
                let (answer, _) = tokio::join!(receive, send);
                // A refused request is sent again, though not at once.
                let is_served = answer.starts_with('2');
                sleep(if is_served { HELD } else { AGAIN }).await;
            }
        });
    }

    /// Sends a request over each of this many connections, and closes it when the response begins.
    fn abandon(&mut self, connections: u32, request: Arc<str>) {
        let pause = Duration::from_secs(1) * connections / REQUESTS_PER_SECOND;
        self.repeat(connections, move |mut stream, tally| {
            let request = Arc::clone(&request);
            async move {
                // If this fails, there is no status either.
                let _ = stream.write_all(request.as_bytes()).await;
                tally.add(status(&mut stream).await);
                drop(stream);
                sleep(pause).await;
            }
        });
    }

    /// Opens this many connections, and each anew when its use has ended.
    fn repeat<F: Future<Output = ()> + Send>(
        &mut self,
        connections: u32,
        attempt: impl Fn(TcpStream, Tally) -> F + Send + Sync + 'static,
    ) {
        let attempt = Arc::new(attempt);
        for _ in 0..connections {
            let (address, tally) = (self.address, self.strikes.tally.clone());
            let attempt = Arc::clone(&attempt);
            self.strikes.tasks.spawn(async move {
                loop {
                    let Ok(stream) = connect(address).await else {
                        sleep(AGAIN).await;
                        continue;
                    };
                    tally.add("connections".to_owned());
                    attempt(stream, tally.clone()).await;
                }
            });
        }
    }
}

/// All but the last byte of a body of 4 MiB.
static BODY: [u8; (4 << 20) - 1] = [b' '; (4 << 20) - 1];

fn as_json(request: RequestBuilder) -> RequestBuilder {
    request.header("content-type", "application/json")
}

fn request(method: &str, path: &str, token: &str, more: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         X-Forwarded-For: {CLIENT}\r\n{more}\r\n"
    )
}

/// Different short names, joined by `&`.
fn parameters() -> String {
    let letters: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let name = |mut number: usize| {
        let mut name = String::new();
        loop {
            name.extend(letters.get(number % letters.len()));
            number /= letters.len();
            if number == 0 {
                return name;
            }
        }
    };
    (0..PARAMETERS).map(name).collect::<Vec<_>>().join("&")
}

async fn connect(address: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    // Few bytes fit into the buffers of a client that does not read.
    socket.set_recv_buffer_size(1 << 12)?;
    socket.bind((Ipv4Addr::from(PROXY), 0).into())?;
    socket.connect(address).await
}

/// The status of a response; `closed` if there is none.
async fn status(stream: &mut (impl AsyncReadExt + Unpin)) -> String {
    let mut line = [0; 12];
    if stream.read_exact(&mut line).await.is_err() {
        return "closed".to_owned();
    }
    let line = String::from_utf8_lossy(&line);
    line.rsplit(' ').next().unwrap_or_default().to_owned()
}
