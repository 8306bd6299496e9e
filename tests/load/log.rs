//! Measures that reading the log of events does not depend on its length, and what deleting old events costs.

use std::sync::Arc;

use formalize_core::Formalize;
use formalize_sql::{SqlOptions, SqlStore};
use formalize_tests::seed::{self, READER, Sizes, Stretch};
use formalize_tests::{Result, Server};
use serde_json::Value;

use crate::events::at_least;
use crate::flatness::{growth, medians, text};
use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, median, submit};
use crate::wrk::Load;
use crate::{Scale, StoreKind};

/// The position of the first events that are read.
const FIRST: usize = 1_000;

impl Scale {
    /// The length of the log.
    fn positions(self) -> usize {
        match self {
            // More than one request for the feed looks at.
            Self::Small => 20_000,
            Self::Large => 1_000_000,
        }
    }
}

pub(crate) async fn measure(
    (kind, scale): (StoreKind, Scale),
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("the log of events");
    let installation = Installation::fill(kind, Sizes::few()).await?;
    // The server itself deletes nothing.
    let server = installation.command.clone().arg("--event-retention=400d");
    let server = server.start().await?;
    let reading = Reading {
        server: &server,
        token: installation.token(READER)?,
    };
    let store = Arc::new(SqlStore::open(&installation.url, &SqlOptions::default()).await?);
    let positions = scale.positions();
    // One visible event ends the page whose cursor is the position that is measured.
    let stretches = [
        Stretch::hidden(FIRST - 1),
        Stretch::visible(101),
        Stretch::hidden(positions - FIRST - 101),
        Stretch::visible(101),
    ];
    seed::log(Arc::clone(&store) as _, &stretches).await?;
    reading.feed(positions, pace, report).await?;
    seed::expired_keys(Arc::clone(&store) as _, positions).await?;
    let formalize = Formalize::builder(store).build().await?;
    let post = submit(&installation, &server)?;
    purge(formalize, &post, (positions, pace), report).await
}

/// The server, and a user who may see some of the events.
struct Reading<'a> {
    server: &'a Server,
    token: &'a str,
}

impl Reading<'_> {
    fn page(&self, size: usize, cursor: &str) -> Load {
        let base = self.server.base_url();
        let url = format!("{base}/formalize/events?perPage={size}{cursor}");
        Load::get(url, self.token).connections(1)
    }

    /// Reads the feed from a cursor to the next event, and returns the cursor behind that.
    async fn behind_next(&self, mut cursor: String) -> Result<String> {
        loop {
            let request = reqwest::Client::new().get(self.page(1, &cursor).url);
            let page = request.bearer_auth(self.token).send().await?;
            let page: Value = page.error_for_status()?.json().await?;
            cursor = format!("&cursor={}", text(&page, "nextCursor")?);
            let items = page.get("items").and_then(Value::as_array);
            if items.is_some_and(|items| !items.is_empty()) {
                return Ok(cursor);
            }
            if page.get("hasMore") != Some(&Value::Bool(true)) {
                return Err("the log ends before the next event".into());
            }
        }
    }

    /// Compares pages of 100 events near the beginning and the end of the log, and reads past events that the user may
    /// not see.
    async fn feed(&self, positions: usize, pace: Pace, report: &mut Report) -> Result<()> {
        let early = self.behind_next(String::new()).await?;
        let mut hidden = early.clone();
        for _ in 0..100 {
            hidden = self.behind_next(hidden).await?;
        }
        let late = self.behind_next(hidden.clone()).await?;
        let loads = [
            self.page(100, &early),
            self.page(100, &late),
            self.page(100, &hidden),
        ];
        let medians = medians(&loads, pace).await?;
        let [early, late, hidden] = medians[..] else {
            return Err("a load was not measured".into());
        };
        let what = format!("100 events: at position {positions} against {FIRST}");
        let flat = Figure::new(what, growth(&[(FIRST, early), (positions, late)]), "×");
        report.add(flat.must(Target::AtMost(1.3), Some(Target::AtMost(1.0))));
        let past = Figure::new(
            "events: past 10000 that the caller may not see",
            hidden,
            "ms",
        );
        report.add(past.must(Target::AtMost(250.0), Some(Target::AtMost(100.0))));
        Ok(())
    }
}

/// Compares submissions while another process deletes old events and keys with those before.
async fn purge(
    formalize: Formalize,
    post: &Load,
    (number, pace): (usize, Pace),
    report: &mut Report,
) -> Result<()> {
    post.run(1).await?;
    let mut before = Vec::new();
    for _ in 0..pace.rounds {
        before.push(post.run(pace.seconds).await?.rate);
    }
    let maintaining = tokio::spawn(async move { formalize.maintain().await });
    let mut during = Vec::new();
    while during.is_empty() || !maintaining.is_finished() {
        during.push(post.run(pace.seconds).await?.rate);
    }
    let deleted = maintaining.await??;
    let number = u64::try_from(number)?;
    if deleted.events < number || deleted.kept_responses < number {
        return Err(format!("not everything was deleted: {deleted:?}").into());
    }
    let what = format!("POST while {number} old events and keys are deleted, against before");
    report.add(at_least(&what, median(during) / median(before), 0.85, 0.95));
    Ok(())
}
