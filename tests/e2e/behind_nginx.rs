//! Two servers behind nginx.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use formalize_tests::Server;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::{interval, sleep};

use crate::client::Installation;

/// An nginx that distributes requests to servers. Dropping it ends its process.
struct Nginx {
    process: Child,
    port: u16,
    folder: TempDir,
}

impl Nginx {
    /// Configured as in `docs/operations.md`, with more than one server.
    async fn before(servers: &[&Server]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let upstream: String = servers
            .iter()
            .map(|server| server.base_url().replace("http://", "server ") + ";\n")
            .collect();
        // Another process may take the port in between. Then nginx does not start, and the test fails.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let here = folder.path().display();
        let text = format!(
            "daemon off; master_process off; pid {here}/pid; error_log {here}/error.log;\n\
             events {{}}\n\
             http {{\n\
               access_log off; client_body_temp_path {here}/bodies; proxy_temp_path {here}/proxy;\n\
               fastcgi_temp_path {here}/f; uwsgi_temp_path {here}/u; scgi_temp_path {here}/s;\n\
               upstream formalize {{ {upstream} keepalive 8; }}\n\
               server {{\n\
                 listen 127.0.0.1:{port};\n\
                 client_max_body_size 4m;\n\
                 location / {{\n\
                   proxy_pass http://formalize;\n\
                   proxy_http_version 1.1;\n\
                   proxy_set_header Connection \"\";\n\
                   proxy_set_header Host $host;\n\
                   proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\n\
                 }}\n\
               }}\n\
             }}\n"
        );
        let configuration = folder.path().join("nginx.conf");
        fs::write(&configuration, text).unwrap();
        let process = start(folder.path(), &configuration);
        let nginx = Self {
            process,
            port,
            folder,
        };
        for _ in 0..100 {
            if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
                return nginx;
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("nginx does not start: {}", nginx.errors());
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn errors(&self) -> String {
        fs::read_to_string(self.folder.path().join("error.log")).unwrap_or_default()
    }
}

fn start(folder: &Path, configuration: &Path) -> Child {
    let programs = format!("{}:/usr/sbin", std::env::var("PATH").unwrap());
    Command::new("nginx")
        .env("PATH", programs)
        .arg("-e")
        .arg(folder.join("error.log"))
        .arg("-p")
        .arg(folder)
        .arg("-c")
        .arg(configuration)
        .stdin(Stdio::null())
        .spawn()
        .unwrap()
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// nginx takes a server whose connection is reset for a failed one, and sends it nothing for ten seconds.
#[tokio::test]
#[cfg_attr(
    not(all(formalize_nginx, formalize_postgres)),
    ignore = "no nginx or no PostgreSQL found"
)]
async fn refused_uploads_do_not_disturb_others() {
    let installation = Installation::on_postgres().await.unwrap();
    let command = &installation.command;
    let (first, second) = (
        command.start().await.unwrap(),
        command.start().await.unwrap(),
    );
    let nginx = Nginx::before(&[&first, &second]).await;
    let (http, url) = (reqwest::Client::new(), nginx.url());

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
    assert_eq!(failed, 0, "of 200: {}", nginx.errors());
    assert_eq!(refused, [401; 12], "{}", nginx.errors());
}
