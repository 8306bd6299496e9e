//! Measures pages at all depths of a list that was just filled.

use std::time::Instant;

use formalize_core::{
    Caller, FormName, NewForm, Store as _, Subject, SubmissionRules, UserId,
    forms::FormAccess,
    submissions::{BatchItem, SubmissionBatch},
};
use formalize_tests::Result;
use formalize_tests::seed::{DATA, READER};
use serde_json::Value;

use crate::Scale;
use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::median;

/// The number of submissions on a page.
const PAGE: usize = 100;

/// Walks through submissions that a user has just imported, and holds grants on, page by page. The database has not counted
/// them yet, as it would at some point later.
pub(crate) async fn measure(
    installation: &Installation,
    scale: Scale,
    report: &mut Report,
) -> Result<()> {
    crate::note("walks");
    let rows = match scale {
        Scale::Small => 10_000,
        Scale::Large => 100_000,
    };
    let form = import(installation, rows).await?;
    let server = installation.start().await?;
    let first = format!(
        "{}/formalize/submissions?formIdentifier={form}&perPage={PAGE}",
        server.base_url()
    );
    let client = reqwest::Client::new();
    let token = installation.token(READER)?;
    let (mut url, mut times, mut seen) = (first.clone(), Vec::new(), 0);
    loop {
        let begun = Instant::now();
        let page = client.get(&url).bearer_auth(token).send().await?;
        let page: Value = page.error_for_status()?.json().await?;
        times.push(begun.elapsed().as_secs_f64() * 1_000.0);
        seen += page
            .get("items")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        match page.get("nextCursor").and_then(Value::as_str) {
            Some(cursor) => url = format!("{first}&cursor={cursor}"),
            None => break,
        }
    }
    if seen != rows {
        return Err(format!("{seen} submissions of {rows} were listed").into());
    }
    let tenths = times.chunks(times.len().div_ceil(10));
    let tenths: Vec<f64> = tenths.map(|times| median(times.to_vec())).collect();
    let least = tenths.iter().copied().fold(f64::INFINITY, f64::min);
    let most = tenths.iter().copied().fold(0.0, f64::max);
    let what =
        format!("walk of {rows} imported submissions: the slowest tenth against the fastest");
    report.add(
        Figure::new(what, most / least, "×").must(Target::AtMost(2.0), Some(Target::AtMost(1.3))),
    );
    let what = format!("the same: a page of {PAGE} in the slowest tenth");
    report.add(Figure::new(what, most, "ms"));
    Ok(())
}

/// A grant-based form that a user manages, with submissions that the user created.
async fn import(installation: &Installation, rows: usize) -> Result<String> {
    let (store, formalize) = installation.open().await?;
    let rules = SubmissionRules {
        grant_based: true,
        ..SubmissionRules::default()
    };
    let new = NewForm {
        rules,
        ..NewForm::new(FormName::new("Imported")?)
    };
    let forms = formalize.forms();
    let form = forms.create(&Caller::System, new).await?.item.id;
    let user = UserId::new(READER)?;
    let subject = Subject::from(user.clone());
    let access = FormAccess::Manage;
    forms.share(&Caller::System, form, &subject, access).await?;
    let caller = Caller::user(user);
    let items = vec![BatchItem::new(DATA); SubmissionBatch::MAX_ITEMS];
    for items in vec![items; rows / SubmissionBatch::MAX_ITEMS] {
        let batch = SubmissionBatch::new(form, items)?;
        formalize
            .submissions()
            .create_batch(&caller, &batch)
            .await?;
    }
    store.close().await;
    Ok(form.to_string())
}
