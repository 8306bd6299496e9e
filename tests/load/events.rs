//! Measures what events, keys and batches cost those who send submissions, and how fast events are read.

use std::time::Duration;

use formalize_core::forms::FormAccess;
use formalize_tests::receiver::WebhookReceiver;
use formalize_tests::seed::{DATA, READER};
use formalize_tests::{Result, Server};
use poem::endpoint::make_sync;
use poem::http::StatusCode;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, median, rates};
use crate::wrk::{JSON, Load, NUMBER};

/// The size of the batches, and of the checks.
pub(crate) const BATCH: usize = 100;
const CHECKS: usize = 1000;

/// How long the deliveries of one round may take.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

pub(crate) async fn measure(
    installation: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("events, keys and batches");
    let config = "webhook_allowed_targets = ['127.0.0.1']\n";
    let server = installation.command.clone().config(config)?.start().await?;
    let unlogged = installation.command.clone().arg("--event-log=false");
    let unlogged = unlogged.start().await?;
    let site = Site {
        installation,
        server,
        token: installation.token(READER)?,
    };
    let (form, _) = installation.form(None, FormAccess::Manage).await?;
    let post = site.post(&form);
    let without_log = Load {
        url: post
            .url
            .replace(site.server.base_url(), unlogged.base_url()),
        ..post.clone()
    };
    let plain = site.numbered(&form);
    let with_key = Load {
        has_key: true,
        ..plain.clone()
    };
    let batch = site.batch(&form);
    let loads = [post, without_log, plain, with_key, batch];
    let [post, without_log, plain, with_key, batch] = rates(&loads, pace).await?;
    let in_batches = batch * as_number(BATCH);
    for (what, ratio, must, aim) in [
        (
            "POST with the event log, against without",
            post / without_log,
            0.85,
            0.92,
        ),
        (
            "POST with a new key, against without",
            with_key / plain,
            0.75,
            0.85,
        ),
        (
            "submissions in batches of 100, against single ones",
            in_batches / post,
            3.0,
            6.0,
        ),
    ] {
        report.add(at_least(what, ratio, must, aim));
    }
    site.webhook(&form, pace, report).await?;
    site.deliveries(post, pace, report).await?;
    site.reads(&form, pace, report).await
}

pub(crate) fn at_least(what: &str, ratio: f64, must: f64, aim: f64) -> Figure {
    let (must, aim) = (Target::AtLeast(must), Target::AtLeast(aim));
    Figure::new(what, ratio, "×").must(must, Some(aim))
}

/// A server, and the token of a user who manages the forms.
pub(crate) struct Site<'a> {
    pub(crate) installation: &'a Installation,
    server: Server,
    token: &'a str,
}

impl Site<'_> {
    /// Compares submissions to a form that a webhook observes with those to another form.
    async fn webhook(&self, form: &str, pace: Pace, report: &mut Report) -> Result<()> {
        let accept = make_sync(|_| StatusCode::NO_CONTENT);
        let receiver = WebhookReceiver::start("127.0.0.1:0", accept).await?;
        let (observed, _) = self.installation.form(None, FormAccess::Manage).await?;
        let url = self.observe(&observed, &receiver.url).await?;
        let (post, with_webhook) = (self.post(form), self.post(&observed));
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for _ in 0..pace.rounds {
            without.push(post.run(pace.seconds).await?.rate);
            with.push(with_webhook.run(pace.seconds).await?.rate);
            // What is not delivered yet would slow down the next load.
            timeout(PATIENCE, self.deliver(&url)).await??;
        }
        let ratio = median(with) / median(without);
        report.add(at_least(
            "POST with a webhook, against without",
            ratio,
            0.75,
            0.85,
        ));
        Ok(())
    }

    /// Creates a webhook of a form, and returns its URL in the interface.
    pub(crate) async fn observe(&self, form: &str, receiver: &str) -> Result<String> {
        let webhook = json!({
            "formIdentifier": form, "url": receiver, "eventTypes": ["submission.submitted"], "payload": "full",
        });
        let url = format!("{}/formalize/webhooks", self.server.base_url());
        let created = self
            .send(reqwest::Client::new().post(&url).json(&webhook))
            .await?;
        let identifier = created.get("identifier").and_then(Value::as_str);
        Ok(format!("{url}/{}", identifier.ok_or("no identifier")?))
    }

    /// Sends one batch of submissions to a form.
    pub(crate) async fn submit_batch(&self, form: &str) -> Result<()> {
        let batch = self.batch(form);
        let request = reqwest::Client::new()
            .post(batch.url)
            .header("content-type", JSON)
            .body(batch.body.unwrap_or_default());
        self.send(request).await.map(drop)
    }

    /// Waits until a webhook has nothing to deliver.
    async fn deliver(&self, webhook: &str) -> Result<()> {
        loop {
            // Events are queued within a second.
            sleep(Duration::from_millis(1500)).await;
            let webhook = self.send(reqwest::Client::new().get(webhook)).await?;
            if webhook.get("numPending").and_then(Value::as_u64) == Some(0) {
                return Ok(());
            }
        }
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Value> {
        let response = request.bearer_auth(self.token).send().await?;
        Ok(response.error_for_status()?.json().await?)
    }

    fn load(&self, path: &str, body: &Value) -> Load {
        let url = format!("{}{path}", self.server.base_url());
        Load {
            body: Some(body.to_string()),
            ..Load::get(url, self.token).connections(64)
        }
    }

    fn post(&self, form: &str) -> Load {
        let body = json!({"formIdentifier": form, "dataFeedElement": DATA});
        self.load("/formalize/submissions", &body)
    }

    /// Each request is made anew, as with a key, so that the generator takes as long.
    fn numbered(&self, form: &str) -> Load {
        let data = json!({"number": NUMBER}).to_string();
        let body = json!({"formIdentifier": form, "dataFeedElement": data});
        self.load("/formalize/submissions", &body)
    }

    fn batch(&self, form: &str) -> Load {
        let items = vec![json!({"dataFeedElement": DATA}); BATCH];
        let body = json!({"formIdentifier": form, "submissions": items});
        self.load("/formalize/submissions/batch", &body)
            .connections(4)
    }

    /// Reads pages of events and of submissions, and checks permissions, over one connection each.
    async fn reads(&self, form: &str, pace: Pace, report: &mut Report) -> Result<()> {
        let get = |path: &str| {
            let url = format!("{}{path}", self.server.base_url());
            Load::get(url, self.token).connections(1)
        };
        let list = get(&format!(
            "/formalize/submissions?formIdentifier={form}&perPage=100"
        ));
        let feed = get(&format!(
            "/formalize/events?formIdentifier={form}&perPage=100"
        ));
        let check = json!({"resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form, "action": "read"});
        let checks = json!({"checks": vec![check; CHECKS]});
        let checks = self.load("/authorization/check", &checks).connections(1);
        let single = get(&format!("/formalize/forms/{form}"));
        let [list, feed, checks, single] = rates(&[list, feed, checks, single], pace).await?;
        report.add(
            Figure::new(
                "100 events, against a list of 100 submissions",
                list / feed,
                "×",
            )
            .must(Target::AtMost(2.5), Some(Target::AtMost(1.5))),
        );
        report.add(
            Figure::new(
                "1000 checks, against 1000 requests",
                checks * as_number(CHECKS) / single,
                "×",
            )
            .must(Target::AtLeast(20.0), None),
        );
        Ok(())
    }
}

pub(crate) fn as_number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::NAN, f64::from)
}
