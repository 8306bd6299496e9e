//! Two servers behind reverse proxies that are configured as in `docs/operations.md`.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use formalize_tests::Server;
use formalize_tests::patience::until;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::interval;

use crate::client::Installation;
use crate::documents::example;

/// A proxy that distributes requests to servers. Dropping it ends its process.
struct Proxy {
    process: Child,
    port: u16,
    folder: TempDir,
}

impl Proxy {
    /// The arguments of the configuration are the port, the addresses of the servers, and a folder for temporary files.
    async fn start(
        command: &str,
        configuration: fn(u16, &[&str], &Path) -> String,
        servers: &[&Server],
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Another process may take the port in between. Then the proxy does not start, and the test fails.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let addresses = servers
            .iter()
            .map(|server| server.base_url().strip_prefix("http://").unwrap());
        let addresses: Vec<_> = addresses.collect();
        let text = configuration(port, &addresses, folder.path());
        fs::write(folder.path().join("configuration"), text).unwrap();
        let errors = File::create(folder.path().join("errors")).unwrap();
        let mut words = command.split(' ');
        let process = Command::new(words.next().unwrap())
            .args(words)
            .env(
                "PATH",
                format!("{}:/usr/sbin", std::env::var("PATH").unwrap()),
            )
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(errors.try_clone().unwrap())
            .stderr(errors)
            .spawn()
            .unwrap();
        let mut proxy = Self {
            process,
            port,
            folder,
        };
        until("the proxy starts", async || {
            assert!(
                proxy.process.try_wait().unwrap().is_none(),
                "{}",
                proxy.errors()
            );
            TcpStream::connect(("127.0.0.1", port)).await.is_ok()
        })
        .await;
        proxy
    }

    async fn nginx(servers: &[&Server]) -> Self {
        Self::start("nginx -e errors -p . -c configuration", nginx, servers).await
    }

    async fn haproxy(servers: &[&Server]) -> Self {
        Self::start("haproxy -db -f configuration", haproxy, servers).await
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn errors(&self) -> String {
        fs::read_to_string(self.folder.path().join("errors")).unwrap_or_default()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Replaces lines of an example: each one that begins with the first text of a pair becomes the second one.
fn adapted(example: &str, lines: &[(&str, &str)]) -> String {
    let mut text = example.to_owned();
    for (start, new) in lines {
        let old = text.lines().find(|line| line.trim().starts_with(start));
        let old = old
            .unwrap_or_else(|| panic!("no line begins with `{start}`"))
            .to_owned();
        text = text.replacen(&old, new, 1);
    }
    text
}

fn nginx(port: u16, servers: &[&str], folder: &Path) -> String {
    let listen = format!("listen 127.0.0.1:{port};");
    let servers = servers.iter().map(|at| format!("server {at} max_fails=0;"));
    let servers: Vec<_> = servers.collect();
    let site = adapted(
        &example("docs/operations.md", "nginx"),
        &[
            ("server 127.0.0.1:8080 max_fails=0;", &servers.join("\n")),
            ("listen", &listen),
            ("ssl_certificate ", ""),
            ("ssl_certificate_key", ""),
        ],
    );
    let here = folder.display();
    format!(
        "daemon off; master_process off; pid {here}/pid; error_log {here}/errors warn;\n\
         events {{}}\n\
         http {{\n\
           access_log off; client_body_temp_path {here}/bodies; proxy_temp_path {here}/proxy;\n\
           fastcgi_temp_path {here}/f; uwsgi_temp_path {here}/u; scgi_temp_path {here}/s;\n\
           {site}\n\
         }}\n"
    )
}

fn haproxy(port: u16, servers: &[&str], _: &Path) -> String {
    let servers = servers.iter().enumerate().map(|(number, at)| {
        // With the usual two seconds between checks, the test would end before a server is taken for a failed one.
        format!("  server formalize{number} {at} check inter 200ms\n")
    });
    let servers: String = servers.collect();
    let bind = format!("  bind 127.0.0.1:{port}");
    adapted(
        &example("docs/operations.md", "haproxy"),
        &[("bind", &bind), ("server formalize", &servers)],
    )
}

/// One client's uploads are refused twice a second, while another one reads.
async fn refused_uploads_do_not_disturb_others(start: impl AsyncFn(&[&Server]) -> Proxy) {
    let installation = Installation::on_postgres().await.unwrap();
    let command = &installation.command;
    let (first, second) = (
        command.start().await.unwrap(),
        command.start().await.unwrap(),
    );
    let proxy = start(&[&first, &second]).await;
    let (http, url) = (reqwest::Client::new(), proxy.url());

    let attack = async {
        let mut pace = interval(Duration::from_millis(500));
        let mut statuses = Vec::new();
        for size in [1_000_000, 50_000, 3_000_000, 1_000_000]
            .into_iter()
            .cycle()
            .take(12)
        {
            pace.tick().await;
            let post = http
                .post(format!("{url}/formalize/forms"))
                .body(vec![b'x'; size]);
            statuses.push(post.send().await.unwrap().status().as_u16());
        }
        statuses
    };
    let others = async {
        let mut pace = interval(Duration::from_millis(25));
        let mut statuses = Vec::new();
        for _ in 0..200 {
            pace.tick().await;
            let get = http.get(format!("{url}/formalize/forms"));
            let get = get.bearer_auth(&installation.token);
            statuses.push(get.send().await.unwrap().status().as_u16());
        }
        statuses
    };
    let (refused, served) = tokio::join!(attack, others);
    let failed = served.iter().filter(|status| **status != 200).count();
    assert_eq!(failed, 0, "of 200: {}", proxy.errors());
    assert_eq!(refused, [401; 12], "{}", proxy.errors());
}

/// nginx takes a server whose connection is reset for a failed one, and sends it nothing for ten seconds.
#[tokio::test]
#[cfg_attr(
    not(all(formalize_nginx, formalize_postgres)),
    ignore = "no nginx or no PostgreSQL found"
)]
async fn refused_uploads_do_not_disturb_others_behind_nginx() {
    refused_uploads_do_not_disturb_others(Proxy::nginx).await;
}

#[tokio::test]
#[cfg_attr(
    not(all(formalize_haproxy, formalize_postgres)),
    ignore = "no HAProxy or no PostgreSQL found"
)]
async fn refused_uploads_do_not_disturb_others_behind_haproxy() {
    refused_uploads_do_not_disturb_others(Proxy::haproxy).await;
}

/// A file of a submission is larger than other requests may be, and nginx passes it on without storing it.
#[tokio::test]
#[cfg_attr(not(formalize_nginx), ignore = "no nginx found")]
async fn a_file_of_eight_megabytes_is_sent_through_nginx() {
    const SIZE: usize = 8_000_000;
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let proxy = Proxy::nginx(&[&server]).await;
    let (http, url, token) = (reqwest::Client::new(), proxy.url(), &installation.token);
    let create = async |path: &str, body: Value| -> String {
        let post = http.post(format!("{url}{path}")).bearer_auth(token);
        let created = post.json(&body).send().await.unwrap();
        assert_eq!(created.status(), 201, "{path}");
        let created: Value = created.json().await.unwrap();
        created["identifier"].as_str().unwrap().to_owned()
    };
    let form = json!({"name": "Reports", "allowedSubmissionStates": ["draft", "submitted"]});
    let form = create("/formalize/forms", form).await;
    let draft =
        json!({"formIdentifier": form, "dataFeedElement": "{}", "submissionState": "draft"});
    let draft = create("/formalize/submissions", draft).await;

    let files = format!("{url}/formalize/submissions/{draft}/files");
    let content: Vec<u8> = (0..=250).cycle().take(SIZE).collect();
    let sent = http
        .post(format!(
            "{files}?fileAttributeName=report&fileName=report.bin"
        ))
        .bearer_auth(token)
        .header("Content-Type", "application/octet-stream")
        .body(content.clone());
    let sent = sent.send().await.unwrap();
    assert_eq!(sent.status(), 201, "{}", proxy.errors());
    let sent: Value = sent.json().await.unwrap();
    assert_eq!(sent["fileSize"], SIZE, "{sent}");

    let file = sent["identifier"].as_str().unwrap();
    let read = http.get(format!("{files}/{file}/content"));
    let read = read.bearer_auth(token).send().await.unwrap();
    assert_eq!(read.status(), 200, "{}", proxy.errors());
    assert!(read.bytes().await.unwrap() == content, "another content");
    let buffered = "a client request body is buffered";
    assert!(!proxy.errors().contains(buffered), "{}", proxy.errors());
}
