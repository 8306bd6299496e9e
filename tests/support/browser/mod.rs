//! Tests in a real browser.

use std::process::Stdio;

use poem::endpoint::{make, make_sync};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::Html;
use poem::{Request, Route, Server};
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::Result;
use crate::patience::LIMIT;

#[path = "program.rs"]
mod program;
#[path = "tab.rs"]
mod tab;

pub use tab::Tab;

/// Headless Chromium without background connections. The sandbox needs privileges that containers lack; the page
/// belongs to the test.
const ARGUMENTS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// An origin with one page, which reports its result by a `POST` of JSON to `/report`.
///
/// ```no_run
/// # use formalize_tests::browser::PageOrigin;
/// # async fn example() -> formalize_tests::Result<()> {
/// let mut origin = PageOrigin::serve("<script>fetch('/report', {method: 'POST', body: '1'})</script>").await?;
/// assert_eq!(origin.report("").await?, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PageOrigin {
    origin: String,
    reports: mpsc::UnboundedReceiver<Value>,
    serving: AbortHandle,
}

impl PageOrigin {
    /// Serves the page on a free local port while this value lives.
    ///
    /// # Errors
    ///
    /// If there is no free port.
    pub async fn serve(page: &'static str) -> Result<Self> {
        let (sender, reports) = mpsc::unbounded_channel();
        let take_report = move |mut request: Request| {
            let sender = sender.clone();
            async move {
                let report: Value = request.take_body().into_json().await?;
                // If the receiver is gone, the report is not needed.
                let _ = sender.send(report);
                Ok::<_, poem::Error>(())
            }
        };
        let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await?;
        let addresses = acceptor.local_addr();
        let address = addresses
            .iter()
            .find_map(|address| address.as_socket_addr());
        let origin = format!("http://{}", address.ok_or("no address")?);
        let app = Route::new()
            .at("/", poem::get(make_sync(move |_| Html(page))))
            .at("/report", poem::post(make(take_report)));
        let serving = tokio::spawn(Server::new_with_acceptor(acceptor).run(app)).abort_handle();
        Ok(Self {
            origin,
            reports,
            serving,
        })
    }

    /// The origin in a browser's notation, such as `http://127.0.0.1:40123`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Opens the page with this query string in a new browser, and waits for its report.
    ///
    /// # Errors
    ///
    /// If there is no browser, or the page reports nothing in time.
    pub async fn report(&mut self, query: &str) -> Result<Value> {
        let program = program::find().ok_or("there is no browser")?;
        let profile = TempDir::with_prefix("formalize-browser-")?;
        let mut browser = Command::new(program)
            .args(ARGUMENTS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("{}/?{query}", self.origin))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let report = timeout(LIMIT, self.reports.recv()).await;
        browser.kill().await?;
        let report = report.map_err(|_| "the page has reported nothing")?;
        Ok(report.ok_or("the page is not served any more")?)
    }
}

impl Drop for PageOrigin {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
