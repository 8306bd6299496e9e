//! Limits on sizes, numbers and rates.

use formalize_tests::patience::found;
use serde_json::json;
use tokio::time::{Duration, sleep, timeout};

use crate::client::{Installation, started};
use crate::metrics::in_progress;
use crate::socket::Connection;

const METRICS: &str = "--metrics-listen=127.0.0.1:0";

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn the_limit_of_heads_is_exact() {
    let (_installation, server) = started(&["--request-head-limit=32KiB"]).await;
    let start = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Other: ";
    for (bytes, status) in [
        (32_767, "200"),
        (32_768, "200"),
        (32_769, "431"),
        (33_000, "431"),
    ] {
        for pieces in [1, 3] {
            let mut connection = Connection::to(&server).await;
            let head = format!("{start}{}\r\n\r\n", "x".repeat(bytes - start.len() - 4));
            for piece in head.as_bytes().chunks(bytes / pieces + 1) {
                connection.send(std::str::from_utf8(piece).unwrap()).await;
                sleep(Duration::from_millis(20)).await;
            }
            let answer = connection.answer().await;
            let expected = format!("HTTP/1.1 {status}");
            assert!(
                answer.starts_with(&expected),
                "{bytes} in {pieces}: {answer}"
            );
        }
    }
}

/// Whether caches and browsers are told how to treat a response.
fn assert_protected(answer: &str) {
    let answer = answer.to_lowercase();
    let (head, _) = answer.split_once("\r\n\r\n").unwrap();
    let has = |field: &str| head.split("\r\n").any(|line| line.starts_with(field));
    assert!(has("x-content-type-options: nosniff"), "{head}");
    assert!(has("cache-control: "), "{head}");
}

#[tokio::test]
async fn responses_to_malformed_heads_are_not_stored_nor_interpreted() {
    let (_installation, server) = started(&["--request-head-limit=8KiB"]).await;
    let large = format!("GET / HTTP/1.1\r\nX-Other: {}\r\n\r\n", "x".repeat(9000));
    for (head, status) in [
        ("planted\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/9.9\r\n\r\n", 400),
        (&large, 431),
    ] {
        let mut connection = Connection::to(&server).await;
        connection.send(head).await;
        let answer = connection.answer().await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        assert!(answer.ends_with("GMT\r\n\r\n"), "{answer}");
        assert_protected(&answer);
    }
}

#[tokio::test]
async fn ambiguous_heads_are_rejected() {
    let (_installation, server) = started(&[]).await;
    for (headers, status) in [
        ("", 400),
        ("Host: a\r\n", 200),
        ("Host: a\r\nHost: a\r\n", 400),
        ("Host: a\r\nTransfer-Encoding: chunked\r\n", 200),
        (
            "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            400,
        ),
        ("Host: a\r\nTransfer-Encoding: chunked, chunked\r\n", 400),
        ("Host: a\r\nTransfer-Encoding: gzip, chunked\r\n", 400),
    ] {
        let mut connection = Connection::to(&server).await;
        let end = if headers.contains("chunked") {
            "0\r\n\r\n"
        } else {
            ""
        };
        connection
            .send(&format!("GET /healthz HTTP/1.1\r\n{headers}\r\n{end}"))
            .await;
        let answer = connection.answer().await.to_lowercase();
        assert!(
            answer.starts_with(&format!("http/1.1 {status}")),
            "{headers}: {answer}"
        );
        assert_eq!(
            answer.contains("connection: close"),
            status == 400,
            "{answer}"
        );
        assert_protected(&answer);
    }
    let mut old = Connection::to(&server).await;
    old.send("GET /healthz HTTP/1.0\r\n\r\n").await;
    assert!(old.answer().await.starts_with("HTTP/1.0 200"));
}

#[tokio::test]
async fn heads_are_limited_in_size_and_number() {
    let (_installation, server) =
        started(&["--request-head-limit=8KiB", "--request-header-limit=10"]).await;
    let many = |count: usize| "X-Other: 1\r\n".repeat(count);
    let large = |bytes: usize| format!("X-Other: {}\r\n", "x".repeat(bytes));
    for (headers, status) in [
        (many(9), "200"),
        (many(10), "431"),
        (large(7000), "200"),
        (large(9000), "431"),
        (large(1 << 20), "431"),
    ] {
        let mut connection = Connection::to(&server).await;
        let head = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        // The server does not read a head that is too large to its end.
        let _ = connection.try_send(&head).await;
        let answer = connection.answer().await;
        let expected = format!("HTTP/1.1 {status}");
        assert!(
            answer.starts_with(&expected),
            "{} bytes: {answer}",
            headers.len()
        );
    }
}

#[tokio::test]
async fn all_bodies_together_have_a_budget() {
    let (installation, server) = started(&["--bodies-budget=1MiB"]).await;
    let http = reqwest::Client::new();
    let send = async |size: usize| {
        let post = http.post(format!("{}/formalize/forms", server.base_url()));
        let post = post.bearer_auth(&installation.token);
        let post = post.header("content-type", "application/json");
        post.body(" ".repeat(size)).send().await.unwrap()
    };
    assert_eq!(send(500_000).await.status().as_u16(), 400);
    let head = head_of_upload(&installation).replace("Length: 2", "Length: 1000000");
    let mostly = format!("{head}\r\n{}", " ".repeat(999_999));
    // While both bodies arrive, either may get the last part of the budget.
    let refused = found("the budget is used", async || {
        let mut other = Connection::to(&server).await;
        other.try_send(&mostly).await.ok()?;
        let refused = send(500_000).await;
        assert_eq!(send(65_536).await.status().as_u16(), 400, "it is small");
        other.try_send(" ").await.ok()?;
        let answer = other.try_answer().await.ok()?;
        let is_received = answer.starts_with("HTTP/1.1 400");
        (is_received && refused.status().as_u16() == 503).then_some(refused)
    });
    let refused = refused.await;
    assert!(refused.headers().contains_key("retry-after"), "{refused:?}");
    assert_eq!(send(500_000).await.status().as_u16(), 400);
}

/// The head of a request whose body the server waits for.
fn head_of_upload(installation: &Installation) -> String {
    format!(
        "POST /formalize/forms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n",
        installation.token
    )
}

#[tokio::test]
async fn connections_above_the_limit_wait() {
    let (installation, server) = started(&["--connection-limit=2", METRICS]).await;
    let mut first = Connection::to(&server).await;
    first.send(HEALTH).await;
    let answer = first.answer().await.to_lowercase();
    assert!(!answer.contains("connection: close"), "{answer}");
    let mut second = Connection::to(&server).await;
    second
        .send(&format!("{}\r\n", head_of_upload(&installation)))
        .await;
    // Until its head has arrived, it would have to make room.
    in_progress(&server, 1).await;
    let mut third = Connection::to(&server).await;
    third.send(HEALTH).await;
    let early = timeout(Duration::from_millis(700), third.answer()).await;
    assert!(early.is_err(), "{early:?}");
    first.send(HEALTH).await;
    let answer = first.rest().await.to_lowercase();
    assert!(answer.contains("connection: close"), "{answer}");
    assert!(third.answer().await.starts_with("HTTP/1.1 200"));
    second.send("{}").await;
    assert!(
        second.answer().await.starts_with("HTTP/1.1 4"),
        "it was not disturbed"
    );
}

#[tokio::test]
async fn connections_without_a_complete_head_make_room() {
    let (installation, server) =
        started(&["--connection-limit=3", "--request-head-timeout=1h"]).await;
    let mut busy = Connection::to(&server).await;
    busy.send(&format!("{}\r\n", head_of_upload(&installation)))
        .await;
    let mut attackers = Vec::new();
    for _ in 0..10 {
        let mut attacker = Connection::to(&server).await;
        // It may be closed at any time.
        let _ = attacker.try_send("GET /healthz HTTP/1.1\r\nX-Half: ").await;
        attackers.push(attacker);
        let mut other = Connection::to(&server).await;
        other.send(HEALTH).await;
        assert!(other.answer().await.starts_with("HTTP/1.1 200"));
    }
    busy.send("{}").await;
    assert!(
        busy.answer().await.starts_with("HTTP/1.1 4"),
        "it was not disturbed"
    );
}

/// The proxy is this machine. Its connections do not count for one client, but requests do for the client that it names.
#[tokio::test]
async fn a_client_of_a_proxy_has_a_share_of_the_requests_in_progress() {
    let arguments = [
        "--connection-limit=8",
        "--trusted-proxies=127.0.0.1",
        METRICS,
    ];
    let (installation, server) = started(&arguments).await;
    let head = head_of_upload(&installation);
    let from = |client: &str| format!("X-Forwarded-For: {client}\r\n\r\n");
    let mut uploads = Vec::new();
    for _ in 0..2 {
        let mut connection = Connection::to(&server).await;
        connection
            .send(&format!("{head}{}", from("198.51.100.1")))
            .await;
        uploads.push(connection);
    }
    in_progress(&server, 2).await;
    let answer = async |path: &str, client: &str| {
        let mut connection = Connection::to(&server).await;
        let request = format!(
            "HEAD {path} HTTP/1.1\r\nHost: localhost\r\n{}",
            from(client)
        );
        connection.send(&request).await;
        connection.answer().await
    };
    for path in ["/healthz", "/sign-in"] {
        let refused = answer(path, "198.51.100.1").await;
        assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
        assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
        // A page is protected like any other.
        let protects = |name: &str| refused.contains(&format!("\r\n{name}: "));
        let names = ["content-security-policy", "x-robots-tag"];
        assert!(
            path == "/healthz" || names.into_iter().all(protects),
            "{refused}"
        );
        let other = answer(path, "198.51.100.2").await;
        assert!(other.starts_with("HTTP/1.1 200"), "{other}");
    }
    for connection in &mut uploads {
        connection.send("{}").await;
        assert!(connection.answer().await.starts_with("HTTP/1.1 4"));
    }
    let answer = answer("/healthz", "198.51.100.1").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn rates_are_limited() {
    let (installation, server) = started(&[
        "--user-rate-limit=3/1m",
        "--address-rate-limit=2/1m",
        "--trusted-proxies=127.0.0.1",
    ])
    .await;
    let http = reqwest::Client::new();
    let ask = async |token: &str, sender: &str| {
        let request = http
            .get(format!("{}/formalize/forms", server.base_url()))
            .header("x-forwarded-for", sender);
        let response = request.bearer_auth(token).send().await.unwrap();
        let waits = response.headers().contains_key("retry-after");
        let status = response.status().as_u16();
        assert_eq!(waits, status == 429, "{response:?}");
        let state = response.headers()["ratelimit"].to_str().unwrap().to_owned();
        (status, state)
    };
    for (token, sender, status, state) in [
        ("guess", "198.51.100.1", 401, r#""address";r=1;t=30"#),
        ("guess", "198.51.100.1", 401, r#""address";r=0;t=30"#),
        ("guess", "198.51.100.1", 429, r#""address";r=0;t=30"#),
        (
            "guess",
            "203.0.113.9, 198.51.100.1",
            429,
            r#""address";r=0;t=30"#,
        ),
        ("guess", "198.51.100.2", 401, r#""address";r=1;t=30"#),
        (
            &installation.token,
            "198.51.100.1",
            200,
            r#""user";r=2;t=20"#,
        ),
        (
            &installation.token,
            "198.51.100.2",
            200,
            r#""user";r=1;t=20"#,
        ),
    ] {
        let (answered, told) = ask(token, sender).await;
        // On a busy machine this takes a while, and the remaining time changes.
        let told = told.split(";t=").next().unwrap().to_owned();
        let state = state.split(";t=").next().unwrap();
        assert_eq!((answered, told.as_str()), (status, state), "{sender}");
    }
}

#[tokio::test]
async fn untrusted_proxies_cannot_set_the_client_address() {
    let (_installation, server) = started(&["--address-rate-limit=2/1m"]).await;
    let http = reqwest::Client::new();
    let mut statuses = Vec::new();
    for sender in 1..=3 {
        let request = http
            .get(format!("{}/formalize/forms", server.base_url()))
            .header("x-forwarded-for", format!("198.51.100.{sender}"));
        statuses.push(request.send().await.unwrap().status().as_u16());
    }
    assert_eq!(statuses, [401, 401, 429]);
    for _ in 0..5 {
        let health = http.get(format!("{}/readyz", server.base_url()));
        assert_eq!(health.send().await.unwrap().status().as_u16(), 200);
    }
}

#[tokio::test]
async fn rates_are_unlimited_on_loopback_by_default() {
    let (installation, server) = started(&[]).await;
    let client = installation.client(&server);
    client.form(json!({})).await.unwrap();
    let http = reqwest::Client::new();
    let answer = http.get(format!("{}/version", server.base_url()));
    let answer = answer.send().await.unwrap();
    assert!(!answer.headers().contains_key("ratelimit"), "{answer:?}");
}
