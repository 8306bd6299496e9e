use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use formalize_core::{
    config::EgressProxy,
    webhooks::{
        AllowedTargets, AttemptError, WebhookAnswer, WebhookId, WebhookRequest, WebhookTransport,
        WebhookUrl,
    },
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    time::sleep,
};
use uuid::Uuid;

use super::{Resolve, Sender};

const TIMEOUT: Duration = Duration::from_secs(2);
const NO_CONTENT: &str = "HTTP/1.1 204 No Content\r\n\r\n";

/// A receiver that sends the same response to every request.
struct Receiver {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    ended: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    async fn at(address: &str, response: &'static str) -> Self {
        Self::with(address, move |mut stream: TcpStream, requests| async move {
            while let Some(request) = read_request(&mut stream).await {
                requests.lock().unwrap().push(request);
                if stream.write_all(response.as_bytes()).await.is_err() {
                    return;
                }
            }
        })
        .await
    }

    async fn with<F, R>(address: &str, serve: F) -> Self
    where
        F: Fn(TcpStream, Arc<Mutex<Vec<String>>>) -> R + Send + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind((address, 0)).await.unwrap();
        let receiver = Self {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            ended: Arc::default(),
            requests: Arc::default(),
        };
        let (connections, ended, requests) = (
            Arc::clone(&receiver.connections),
            Arc::clone(&receiver.ended),
            Arc::clone(&receiver.requests),
        );
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                let (served, ended) = (serve(stream, Arc::clone(&requests)), Arc::clone(&ended));
                tokio::spawn(async move {
                    served.await;
                    ended.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        receiver
    }

    fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/hook?a=b", self.address.port())
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    fn open(&self) -> usize {
        self.connections() - self.ended.load(Ordering::SeqCst)
    }
}

/// Reads a head, and a body of the length that it states.
async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut text = String::new();
    loop {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.ok()?;
        if count == 0 {
            return None;
        }
        text.push_str(std::str::from_utf8(&part[..count]).unwrap());
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
            return Some(text);
        }
    }
}

/// A resolver with a list of answers, of which the last one is repeated.
struct Answers {
    answers: Mutex<Vec<Vec<IpAddr>>>,
    count: AtomicUsize,
}

impl Answers {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parsed = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        Arc::new(Self {
            answers: Mutex::new(answers.iter().map(parsed).collect()),
            count: AtomicUsize::new(0),
        })
    }
}

#[async_trait]
impl Resolve for Answers {
    async fn addresses(&self, _host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        self.count.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 {
            answers.remove(0)
        } else {
            answers.first().cloned().ok_or(io::ErrorKind::NotFound)?
        };
        Ok(answer
            .into_iter()
            .map(|ip| SocketAddr::new(ip, port))
            .collect())
    }
}

fn sender(allowed: &[&str]) -> Sender {
    let allowed = allowed.iter().map(|entry| entry.parse().unwrap()).collect();
    Sender::new(AllowedTargets::new(allowed), None)
}

fn request(webhook: u128, url: &str) -> WebhookRequest {
    WebhookRequest::new(
        WebhookId::from_uuid(Uuid::from_u128(webhook)),
        WebhookUrl::stored(url).unwrap(),
        vec![("content-type", "application/json".to_owned())],
        r#"{"a":"ä"}"#.to_owned(),
        TIMEOUT,
    )
}

async fn send(sender: &Sender, url: &str) -> Result<u16, AttemptError> {
    let sent = sender.send(&request(1, url)).await;
    sent.map(|answer| answer.status)
}

/// Addresses to which a name could be made to lead, each with a network that allows it.
const INNER_ADDRESSES: [(&str, &str); 34] = [
    ("0.0.0.0", "0.0.0.0/8"),
    ("10.0.0.1", "10.0.0.0/8"),
    ("100.64.0.1", "100.64.0.0/10"),
    ("100.100.100.200", "100.100.100.200"),
    ("127.0.0.1", "127.0.0.0/8"),
    ("127.8.8.8", "127.8.8.8"),
    ("168.63.129.16", "168.63.129.16"),
    ("169.254.0.1", "169.254.0.0/16"),
    ("169.254.169.254", "169.254.169.254"),
    ("172.16.0.1", "172.16.0.0/12"),
    ("192.0.0.192", "192.0.0.0/24"),
    ("192.0.2.1", "192.0.2.0/24"),
    ("192.88.99.1", "192.88.99.0/24"),
    ("192.168.1.1", "192.168.0.0/16"),
    ("198.18.0.1", "198.18.0.0/15"),
    ("198.51.100.1", "198.51.100.0/24"),
    ("203.0.113.1", "203.0.113.0/24"),
    ("224.0.0.251", "224.0.0.0/4"),
    ("255.255.255.255", "255.255.255.255"),
    ("::", "::"),
    ("::1", "::1"),
    ("::7f00:1", "::/96"),
    ("::ffff:127.0.0.1", "127.0.0.1"),
    ("::ffff:169.254.169.254", "169.254.0.0/16"),
    ("64:ff9b::7f00:1", "64:ff9b::/96"),
    ("64:ff9b:1::a00:1", "64:ff9b:1::/48"),
    ("2001::7f00:1", "2001::/32"),
    ("2001:db8::1", "2001:db8::/32"),
    ("2002:7f00:1::", "2002::/16"),
    ("3fff::1", "3fff::/20"),
    ("fc00::1", "fc00::/7"),
    ("fd00:ec2::254", "fd00:ec2::254"),
    ("fe80::1", "fe80::/10"),
    ("ff02::1", "ff00::/8"),
];

#[tokio::test]
async fn names_that_lead_inside_are_refused_before_a_packet_is_sent() {
    let inside = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let answers = INNER_ADDRESSES.iter().flat_map(|(address, _)| {
        [
            vec![*address],
            vec![address, "8.8.8.8"],
            vec!["8.8.8.8", address],
        ]
    });
    let answers: Vec<_> = answers.collect();
    let in_order: Vec<&[&str]> = answers.iter().map(Vec::as_slice).collect();
    let sender_to =
        |answers: &[&[&str]], allowed: &[&str]| sender(allowed).resolver(Answers::new(answers));
    let strict = sender_to(&in_order, &["10.20.0.0/16", ".example.net"]);
    let url = format!("https://hooks.example.org:{}/", inside.address.port());
    for answer in &answers {
        let began = Instant::now();
        let refused = send(&strict, &url).await;
        assert_eq!(refused, Err(AttemptError::TargetRefused), "{answer:?}");
        assert!(began.elapsed() < Duration::from_secs(1), "{answer:?}");
    }
    for (address, network) in INNER_ADDRESSES {
        let allowed = AllowedTargets::new(vec![network.parse().unwrap()]);
        let address: IpAddr = address.parse().unwrap();
        let name = Some("hooks.example.org");
        assert!(allowed.allows_address(name, address), "{address}");
    }
    assert_eq!(inside.connections(), 0);
    let url = inside.url("hooks.example.org");
    let listed = sender_to(&[&["127.0.0.1"]], &["127.0.0.1", "hooks.example.org"]);
    assert_eq!(send(&listed, &url).await, Ok(204));
    assert_eq!(inside.connections(), 1);
}

#[tokio::test]
async fn literal_addresses_and_names_are_checked_again_when_the_settings_have_changed() {
    let inside = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let port = inside.address.port();
    let strict = sender(&["127.0.0.2", "::1"]);
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::ffff:127.0.0.1]",
        "localhost",
        "localhost.",
    ] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            let refused = send(&strict, &url).await;
            assert_eq!(refused, Err(AttemptError::TargetRefused), "{url}");
        }
    }
    assert_eq!(inside.connections(), 0);
    assert_eq!(
        send(&sender(&["127.0.0.1"]), &inside.url("127.1")).await,
        Ok(204)
    );
}

#[tokio::test]
async fn a_connection_goes_to_the_address_that_was_checked() {
    let allowed = Receiver::at(
        "127.0.0.2",
        "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n",
    )
    .await;
    let resolver = Answers::new(&[&["127.0.0.2"], &["127.0.0.1"]]);
    let sender = sender(&["127.0.0.2", "hooks.example.org"]).resolver(Arc::clone(&resolver) as _);
    let url = allowed.url("hooks.example.org");
    assert_eq!(send(&sender, &url).await, Ok(204));
    assert_eq!(resolver.count.load(Ordering::SeqCst), 1);
    assert_eq!(send(&sender, &url).await, Err(AttemptError::TargetRefused));
    assert_eq!(allowed.connections(), 1);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let inside = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let location = inside.url("127.0.0.1");
    let response =
        format!("HTTP/1.1 301 Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
    let receiver = Receiver::at("127.0.0.2", response.leak()).await;
    let sender = sender(&["127.0.0.0/8"]);
    assert_eq!(send(&sender, &receiver.url("127.0.0.2")).await, Ok(301));
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn requests_have_the_given_bytes_and_no_headers_beyond_those_that_are_needed() {
    let receiver = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let sender = sender(&["127.0.0.1"]);
    assert_eq!(send(&sender, &receiver.url("127.0.0.1")).await, Ok(204));
    let expected = format!(
        "POST /hook?a=b HTTP/1.1\r\nhost: {}\r\nuser-agent: formalize/{}\r\ncontent-type: application/json\r\n\
         content-length: 10\r\n\r\n{{\"a\":\"ä\"}}",
        receiver.address,
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(*receiver.requests.lock().unwrap(), [expected]);
}

#[tokio::test]
async fn connections_are_kept_for_one_webhook() {
    let receiver = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let sender = sender(&["127.0.0.1"]);
    let url = receiver.url("127.0.0.1");
    for (webhook, connections) in [(1, 1), (1, 1), (2, 2), (1, 2), (2, 2)] {
        sender.send(&request(webhook, &url)).await.unwrap();
        assert_eq!(receiver.connections(), connections, "{webhook}");
    }
    let other = Receiver::at("127.0.0.1", NO_CONTENT).await;
    assert_eq!(send(&sender, &other.url("127.0.0.1")).await, Ok(204));
    assert_eq!(other.connections(), 1, "the URL of the webhook was changed");
}

#[tokio::test]
async fn idle_connections_are_closed() {
    let receiver = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let sender = sender(&["127.0.0.1"]).keep_for(Duration::from_secs(1));
    let url = receiver.url("127.0.0.1");
    for (wait, connections) in [(0, 1), (100, 1), (1100, 2), (100, 2)] {
        sleep(Duration::from_millis(wait)).await;
        assert_eq!(send(&sender, &url).await, Ok(204));
        assert_eq!(receiver.connections(), connections);
    }
    sender.close_idle();
    assert_eq!(receiver.open(), 1);
    sleep(Duration::from_millis(1100)).await;
    sender.close_idle();
    sleep(Duration::from_millis(100)).await;
    assert_eq!(receiver.open(), 0, "it is closed without a further request");
}

#[tokio::test]
async fn a_closed_connection_is_replaced() {
    let receiver = Receiver::with("127.0.0.1", |mut stream, _| async move {
        if read_request(&mut stream).await.is_some() {
            stream.write_all(NO_CONTENT.as_bytes()).await.unwrap();
        }
    })
    .await;
    let sender = sender(&["127.0.0.1"]);
    for connections in [1, 2, 3] {
        assert_eq!(send(&sender, &receiver.url("127.0.0.1")).await, Ok(204));
        assert_eq!(receiver.connections(), connections);
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn every_failure_has_its_word() {
    let no_http = Receiver::at("127.0.0.1", "220 mail.example.org ESMTP\r\n").await;
    let half = Receiver::with("127.0.0.1", |mut stream, _| async move {
        read_request(&mut stream).await;
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-")
            .await
            .unwrap();
    })
    .await;
    let silent = Receiver::with("127.0.0.1", |mut stream, _| async move {
        read_request(&mut stream).await;
        sleep(Duration::from_mins(1)).await;
    })
    .await;
    let slow_head = Receiver::with("127.0.0.1", |mut stream, _| async move {
        read_request(&mut stream).await;
        for byte in "HTTP/1.1 200 OK\r\n\r\n".bytes() {
            sleep(Duration::from_millis(500)).await;
            stream.write_all(&[byte]).await.unwrap();
        }
    })
    .await;
    // The socket is bound but does not listen, so nobody else gets the port.
    let taken = TcpSocket::new_v4().unwrap();
    taken.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let closed = taken.local_addr().unwrap();
    let sender = sender(&["127.0.0.1", "nowhere.example.org"]).resolver(Answers::new(&[]));
    let encrypted = format!("https://{}/", no_http.address);
    for (url, error) in [
        (no_http.url("127.0.0.1"), AttemptError::Protocol),
        (half.url("127.0.0.1"), AttemptError::Protocol),
        (silent.url("127.0.0.1"), AttemptError::Timeout),
        (slow_head.url("127.0.0.1"), AttemptError::Timeout),
        (format!("http://{closed}/"), AttemptError::Connect),
        ("http://nowhere.example.org/".to_owned(), AttemptError::Dns),
        (encrypted, AttemptError::Tls),
    ] {
        let began = Instant::now();
        assert_eq!(send(&sender, &url).await, Err(error), "{url}");
        assert!(began.elapsed() < TIMEOUT + Duration::from_secs(1), "{url}");
    }
}

#[tokio::test]
async fn bodies_are_not_waited_for() {
    let large = Receiver::with("127.0.0.1", |mut stream, _| async move {
        read_request(&mut stream).await;
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        let blanks = vec![b' '; 65536];
        while stream.write_all(&blanks).await.is_ok() {}
    })
    .await;
    let slow = Receiver::with("127.0.0.1", |mut stream, _| async move {
        read_request(&mut stream).await;
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        while stream.write_all(b" ").await.is_ok() {
            sleep(Duration::from_secs(1)).await;
        }
    })
    .await;
    let sender = sender(&["127.0.0.1"]);
    for receiver in [large, slow] {
        for connections in [1, 2] {
            let began = Instant::now();
            assert_eq!(send(&sender, &receiver.url("127.0.0.1")).await, Ok(200));
            assert!(began.elapsed() < Duration::from_millis(1500));
            assert_eq!(
                receiver.connections(),
                connections,
                "the connection was kept"
            );
        }
    }
}

#[tokio::test]
async fn retry_after_is_read() {
    let response = "HTTP/1.1 503 Busy\r\nretry-after: 90\r\ncontent-length: 0\r\n\r\n";
    let receiver = Receiver::at("127.0.0.1", response).await;
    let answer = sender(&["127.0.0.1"])
        .send(&request(1, &receiver.url("127.0.0.1")))
        .await;
    let expected = WebhookAnswer {
        status: 503,
        retry_after: Some(Duration::from_secs(90)),
    };
    assert_eq!(answer, Ok(expected));
}

/// A proxy that opens tunnels to one address, whatever it is asked for.
async fn proxy(target: SocketAddr, response: &'static str) -> Receiver {
    Receiver::with("127.0.0.1", move |mut stream, requests| async move {
        let request = read_request(&mut stream).await.unwrap();
        requests.lock().unwrap().push(request);
        stream.write_all(response.as_bytes()).await.unwrap();
        let mut onward = TcpStream::connect(target).await.unwrap();
        let _ = tokio::io::copy_bidirectional(&mut stream, &mut onward).await;
    })
    .await
}

#[tokio::test]
async fn a_proxy_tunnels_every_request_and_resolves_names() {
    let receiver = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let proxy = proxy(receiver.address, "HTTP/1.1 200 Connected\r\n\r\n").await;
    let setting: EgressProxy = format!("http://bob:s%20cret@{}", proxy.address)
        .parse()
        .unwrap();
    let allowed = AllowedTargets::new(vec![".example.org".parse().unwrap()]);
    let resolver = Answers::new(&[]);
    let sender = Sender::new(allowed, Some(setting)).resolver(Arc::clone(&resolver) as _);
    assert_eq!(send(&sender, "http://hooks.example.org/").await, Ok(204));
    let expected = "CONNECT hooks.example.org:80 HTTP/1.1\r\nhost: hooks.example.org:80\r\n\
                    proxy-authorization: Basic Ym9iOnMgY3JldA==\r\n\r\n";
    assert_eq!(*proxy.requests.lock().unwrap(), [expected]);
    assert!(
        receiver.requests.lock().unwrap()[0]
            .starts_with("POST / HTTP/1.1\r\nhost: hooks.example.org\r\n")
    );
    assert_eq!(resolver.count.load(Ordering::SeqCst), 0);
    // The URL is still checked as when it is saved.
    let inside = format!("https://{}/", receiver.address);
    assert_eq!(
        send(&sender, &inside).await,
        Err(AttemptError::TargetRefused)
    );
    assert_eq!(proxy.connections(), 1);
}

#[tokio::test]
async fn a_proxy_that_refuses_gets_nothing_else() {
    let receiver = Receiver::at("127.0.0.1", NO_CONTENT).await;
    let proxy = proxy(
        receiver.address,
        "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n",
    )
    .await;
    let setting: EgressProxy = format!("http://{}", proxy.address).parse().unwrap();
    let sender = Sender::new(AllowedTargets::default(), Some(setting));
    let refused = send(&sender, "https://hooks.example.org/").await;
    assert_eq!(refused, Err(AttemptError::Connect));
    assert!(receiver.requests.lock().unwrap().is_empty());
}
