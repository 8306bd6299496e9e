//! Measures what events, keys and batches cost those who send submissions, and how fast events are read.

use formalize_tests::seed::{DATA, READER};
use formalize_tests::{Result, Server};
use poem::endpoint::make_sync;
use poem::http::StatusCode;
use poem::listener::{Acceptor, Listener, TcpListener};
use serde_json::{Value, json};

use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, rates};
use crate::wrk::{Load, NUMBER};

/// The size of the batches, and of the checks.
const BATCH: usize = 100;
const CHECKS: usize = 1000;

pub(crate) async fn measure(
    installation: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("events, keys and batches");
    let receiver = TcpListener::bind("127.0.0.1:0").into_acceptor().await?;
    let addresses = receiver.local_addr();
    let mut addresses = addresses.iter();
    let address = addresses.find_map(|address| address.as_socket_addr());
    let target = format!("http://{}/", address.ok_or("the receiver has no address")?);
    let accept = make_sync(|_| StatusCode::NO_CONTENT);
    tokio::spawn(poem::Server::new_with_acceptor(receiver).run(accept));
    let config = "webhook_allowed_targets = ['127.0.0.1']\n";
    let server = installation.command.clone().config(config)?.start().await?;
    let unlogged = installation.command.clone().arg("--event-log=false");
    let unlogged = unlogged.start().await?;
    let site = Site {
        server,
        token: installation.token(READER)?,
    };
    let observed = site.form().await?;
    let webhook = json!({
        "formIdentifier": observed, "url": target, "eventTypes": ["submission.submitted"], "payload": "full",
    });
    site.create("/formalize/webhooks", &webhook).await?;
    let form = site.form().await?;

    let post = site.post(&form);
    let without_log = Load {
        url: post
            .url
            .replace(site.server.base_url(), unlogged.base_url()),
        ..post.clone()
    };
    let with_webhook = site.post(&observed);
    let plain = site.numbered(&form);
    let with_key = Load {
        has_key: true,
        ..plain.clone()
    };
    let batch = site.batch(&form);
    let loads = [post, without_log, with_webhook, plain, with_key, batch];
    let [post, without_log, with_webhook, plain, with_key, batch] = rates(&loads, pace).await?;
    let row = |what: &str, measured: f64, must: f64, aim: f64| {
        let (must, aim) = (Target::AtLeast(must), Target::AtLeast(aim));
        Figure::new(what, measured, "×").must(must, Some(aim))
    };
    report.add(row(
        "POST with the event log, against without",
        post / without_log,
        0.85,
        0.92,
    ));
    report.add(row(
        "POST with a webhook, against without",
        with_webhook / post,
        0.75,
        0.85,
    ));
    report.add(row(
        "POST with a new key, against without",
        with_key / plain,
        0.75,
        0.85,
    ));
    let in_batches = batch * as_number(BATCH);
    report.add(row(
        "submissions in batches of 100, against single ones",
        in_batches / post,
        3.0,
        6.0,
    ));
    site.reads(&form, pace, report).await
}

/// A server and one user, who creates forms.
struct Site<'a> {
    server: Server,
    token: &'a str,
}

impl Site<'_> {
    async fn create(&self, path: &str, body: &Value) -> Result<Value> {
        let response = reqwest::Client::new()
            .post(format!("{}{path}", self.server.base_url()))
            .bearer_auth(self.token)
            .json(body)
            .send()
            .await?;
        Ok(response.error_for_status()?.json().await?)
    }

    /// Creates a form without a schema. Returns its identifier.
    async fn form(&self) -> Result<String> {
        let created = self
            .create("/formalize/forms", &json!({"name": "Events"}))
            .await?;
        let identifier = created.get("identifier").and_then(Value::as_str);
        Ok(identifier.ok_or("no identifier")?.to_owned())
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
        let check = json!({"resourceClass": "formalize:form", "resourceIdentifier": form, "action": "read"});
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

fn as_number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::NAN, f64::from)
}
