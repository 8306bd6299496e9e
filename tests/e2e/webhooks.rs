//! Webhooks of a running server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use formalize_tests::Server;
use formalize_tests::client::Installation;
use formalize_tests::receiver::{ClosedPort, WebhookReceiver};
use poem::endpoint::make_sync;
use poem::http::StatusCode;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy, sink};
use tokio::net::TcpListener;

/// A receiver, and the number of its requests.
async fn receiver() -> (WebhookReceiver, Arc<AtomicUsize>) {
    let count: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&count);
    let endpoint = make_sync(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        StatusCode::NO_CONTENT
    });
    let receiver = WebhookReceiver::start("127.0.0.1:0", endpoint).await;
    (receiver.unwrap(), count)
}

#[tokio::test]
async fn proxies_of_the_environment_are_ignored() {
    let allowed = "webhook_allowed_targets = ['127.0.0.1']\n";
    let installation = Installation::configured(None, allowed).await.unwrap();
    let ((target, at_target), (proxy, at_proxy)) = (receiver().await, receiver().await);
    let names = ["http_proxy", "https_proxy", "all_proxy"];
    let names = names
        .iter()
        .flat_map(|name| [(*name).to_owned(), name.to_uppercase()]);
    let command = names.fold(installation.command.clone(), |command, name| {
        command.env(name, &proxy.url)
    });
    let server = command.env("no_proxy", "").start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    let webhook = json!({ "formIdentifier": form, "url": target.url });
    let (status, webhook) = client.post("/formalize/webhooks", &webhook).await.unwrap();
    assert_eq!(status, 201, "{webhook}");
    let identifier = webhook["identifier"].as_str().unwrap();
    let test = format!("/formalize/webhooks/{identifier}/test");
    let (status, tested) = client.post(&test, &json!({})).await.unwrap();
    assert_eq!((status, &tested["status"]), (200, &json!(204)), "{tested}");
    let numbers = [&at_target, &at_proxy].map(|number| number.load(Ordering::SeqCst));
    assert_eq!(numbers, [1, 0]);
}

#[tokio::test]
async fn the_log_says_why_a_receiver_is_not_reached() {
    let allowed = "webhook_allowed_targets = ['127.0.0.1']\n";
    let installation = Installation::configured(None, allowed).await.unwrap();
    let server = installation.command.start().await.unwrap();
    let client = installation.client(&server);
    let form = client.form(json!({})).await.unwrap();
    // It does not speak TLS.
    let (plain, _) = receiver().await;
    let without_tls = plain.url.replace("http://", "https://");
    let closed = ClosedPort::take().unwrap();
    let mail = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at_mail = mail.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = mail.accept().await {
            // Closing a connection before the request was read may take back what was sent.
            let _ = stream.read(&mut [0; 1 << 13]).await;
            let _ = stream.write_all(b"220 mail.example.org ESMTP\r\n").await;
            tokio::spawn(async move { copy(&mut stream, &mut sink()).await });
        }
    });
    let says_why = |server: &Server, identifier: &str, cause: &str| {
        let log = server.stderr().unwrap();
        let line = log.lines().find(|line| line.contains(identifier));
        let line = line.unwrap_or_else(|| panic!("{log}"));
        assert!(line.contains("the request of a webhook failed"), "{line}");
        assert!(line.contains(cause), "{line}");
    };
    let mut last = String::new();
    for (url, error, cause) in [
        (without_tls, "tls", "received corrupt message"),
        (closed.url.clone(), "connect", "refused"),
        (format!("http://{at_mail}/"), "protocol", "invalid HTTP"),
    ] {
        let webhook = json!({ "formIdentifier": form, "url": url });
        let (status, webhook) = client.post("/formalize/webhooks", &webhook).await.unwrap();
        assert_eq!(status, 201, "{webhook}");
        let identifier = webhook["identifier"].as_str().unwrap();
        let test = format!("/formalize/webhooks/{identifier}/test");
        let (status, tested) = client.post(&test, &json!({})).await.unwrap();
        assert_eq!((status, &tested["error"]), (200, &json!(error)), "{tested}");
        // Managers of the form learn no more than the word.
        assert!(!tested.to_string().contains(cause), "{tested}");
        says_why(&server, identifier, cause);
        last = identifier.to_owned();
    }
    server.terminate().await.unwrap();

    // What is allowed may change afterwards.
    let command = installation.command.clone();
    let command = command.arg("--webhook-allowed-targets=192.0.2.1");
    let server = command.start().await.unwrap();
    let test = format!("/formalize/webhooks/{last}/test");
    let tested = installation.client(&server).post(&test, &json!({})).await;
    assert_eq!(tested.unwrap().1["error"], "target-refused");
    says_why(&server, &last, "the URL is not allowed");
    server.terminate().await.unwrap();
}
