//! Measures web pages: the page of a public link, and sending its form.

use std::time::Duration;

use formalize_core::forms::FormAccess;
use formalize_http::percent::encode;
use formalize_tests::Result;
use formalize_tests::seed::{READER, page};
use serde_json::json;

use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, rates};
use crate::wrk::{FORM, Load, NUMBER};

/// A page that comes back sooner is taken for one that a program sends.
const TIME_TO_FILL_IN: Duration = Duration::from_secs(3);

pub(crate) async fn measure(
    installation: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("pages");
    let schema = Some(page::schema().to_string());
    let (form, secret) = installation.form(schema, FormAccess::Fill).await?;
    let server = installation.start().await?;
    let address = format!("{}/l/{secret}", server.base_url());
    let html = reqwest::get(&address).await?.text().await?;
    tokio::time::sleep(TIME_TO_FILL_IN).await;
    let (entered, data) = page::answers();
    let bare = Load::without_token(format!("{}/healthz", server.base_url()));
    let get = Load::without_token(&address);
    let send = Load {
        body: Some(as_sent(&html, &entered)?),
        content_type: FORM,
        ..Load::without_token(&address).connections(64)
    };
    // Numbered as well, so that the generator takes as long as for pages.
    let data = data.to_string().replace("Charles", NUMBER);
    let body = json!({"formIdentifier": form, "dataFeedElement": data});
    let post = Load {
        body: Some(body.to_string()),
        ..Load::get(
            format!("{}/formalize/submissions", server.base_url()),
            installation.token(READER)?,
        )
        .connections(64)
    };
    let [bare, get, send, post] = rates(&[bare, get, send, post], pace).await?;
    report.add(
        Figure::new("page of a link, 17 questions", get / bare, "B")
            .must(Target::AtLeast(0.15), None),
    );
    report.add(
        Figure::new(
            "sending it, against POST over REST by one user",
            send / post,
            "×",
        )
        .must(Target::AtLeast(0.8), None),
    );
    Ok(())
}

/// The body that a browser sends for a page with these answers. Each request is for a page of its own: it has another key.
fn as_sent(html: &str, entered: &[(&str, &str)]) -> Result<String> {
    let made = html.split_once("name=\"made\" value=\"");
    let made = made.and_then(|(_, rest)| rest.split('"').next());
    let own = [
        ("made", made.ok_or("the page has no time")?),
        ("key", NUMBER),
        ("website", ""),
        ("do", "send"),
    ];
    let pairs = own.iter().chain(entered);
    let pairs = pairs.map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    Ok(pairs.collect::<Vec<_>>().join("&"))
}
