//! `formalize verify`.

use formalize_core::store::sql::{Checked, SqlStore};
use formalize_core::{Store, StoreError};

use crate::connect::{Configuration, check_migrated};
use crate::failure::{Exit, Failure, unless_unread};
use crate::output::Printer;
use crate::progress::Progress;
use crate::record::Finding;
use crate::session::{note, plural};

/// Check the database for corruption and inconsistencies: prints the findings and exits with 0 or 7
///
/// Finds damaged files, tables that differ from those of formalize, groups that contain themselves, dangling references,
/// wrong counts, and invalid values, schemas and data. Reads one consistent state of the database, even while a server
/// writes to it, and changes no file.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(after_help = "Example:\n  formalize verify -o json")]
pub(crate) struct Args;

impl Args {
    pub(crate) async fn run(
        self,
        configuration: &Configuration,
        printer: Printer,
    ) -> Result<Exit, Failure> {
        let store = configuration.open_read_only().await?;
        let looked = look(&store, printer).await;
        store.close().await;
        let (checked, found) = looked?;
        let (invariants, records) = (number(checked.invariants), number(checked.records));
        note(&format!(
            "checked {} on {}: {}",
            plural(invariants, "invariant"),
            plural(records, "record"),
            plural(found, "finding")
        ));
        Ok(if found == 0 {
            Exit::Done
        } else {
            Exit::Invalid
        })
    }
}

/// Prints each finding as soon as it is found.
async fn look(store: &SqlStore, mut printer: Printer) -> Result<(Checked, usize), Failure> {
    match store.migration_status().await {
        // The database is damaged. The check says how.
        Err(StoreError::Failed(_)) => {}
        status => check_migrated(&status?)?,
    }
    let mut verification = store.verify().await?;
    let mut list = printer.list()?;
    let mut total = 0;
    let progress = Progress::waiting("verifying");
    while let Some(findings) = verification.proceed().await? {
        progress.say(&format!(
            "verifying, {} read",
            plural(number(verification.checked().records), "record")
        ));
        if findings.is_empty() {
            continue;
        }
        total += findings.len();
        let findings: Vec<Finding> = findings.into_iter().map(Finding::from).collect();
        list.page(&findings).or_else(unless_unread)?;
    }
    drop(progress);
    list.end().or_else(unless_unread)?;
    let checked = verification.checked();
    if checked.unjudged > 0 {
        let submissions = plural(number(checked.unjudged), "submission");
        note(&format!(
            "note: {submissions} older than the form's current schema do not match it; they cannot be checked because \
             old schemas are not kept"
        ));
    }
    Ok((checked, total))
}

fn number(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
