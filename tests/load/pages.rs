//! Measures web pages: the page of a public link, and sending its form.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::sql::{SqlOptions, SqlStore};
use formalize_core::{
    Caller, FormAccess, FormName, Formalize, NewForm, NewFormLink, Store as _, Subject,
    SubmissionRules, UserId,
};
use formalize_server::percent::encode;
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
    let (form, secret) = create(installation).await?;
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

/// Creates a form that the reader may fill in, and a link to it. Returns its identifier and the secret of the link.
async fn create(installation: &Installation) -> Result<(String, String)> {
    let store = Arc::new(SqlStore::open(&installation.url, &SqlOptions::default()).await?);
    let formalize = Formalize::builder(Arc::clone(&store) as _).build().await?;
    let new = NewForm {
        name: FormName::new("Conference")?,
        data_feed_schema: Some(page::schema().to_string()),
        rules: SubmissionRules::default(),
    };
    let forms = formalize.forms();
    let form = forms.create(&Caller::System, new).await?.item.id;
    let reader = Subject::from(UserId::new(READER)?);
    forms
        .share(&Caller::System, form, &reader, FormAccess::Fill)
        .await?;
    let links = formalize.links();
    let (_, secret) = links.create(&Caller::System, NewFormLink::to(form)).await?;
    store.close().await;
    Ok((form.to_string(), secret.expose().to_owned()))
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
