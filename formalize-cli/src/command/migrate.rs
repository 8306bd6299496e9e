//! `formalize migrate`.

use formalize_core::Store;
use formalize_sql::SqlStore;

use crate::connect::Configuration;
use crate::failure::Failure;
use crate::output::Printer;
use crate::record::MigrationStep;
use crate::session::{Outcome, note, plural};

/// Show and apply database migrations
#[derive(Debug, Clone, Copy, clap::Subcommand)]
pub(crate) enum Args {
    /// List applied and pending migrations
    #[command(after_help = "Example:\n  formalize migrate status -o json")]
    Status,
    /// Apply pending migrations; creates a SQLite database if it does not exist
    #[command(after_help = "Example:\n  formalize migrate up --database-url sqlite://formalize.db")]
    Up,
}

impl Args {
    pub(crate) async fn run(self, configuration: &Configuration, printer: Printer) -> Outcome {
        let store = configuration.open(self.creates()).await?;
        let outcome = match self {
            Self::Status => status(&store, printer).await,
            Self::Up => up(&store).await,
        };
        store.close().await;
        outcome
    }

    fn creates(self) -> bool {
        matches!(self, Self::Up)
    }
}

async fn status(store: &SqlStore, mut printer: Printer) -> Outcome {
    let status = store.migration_status().await?;
    let applied = status
        .applied
        .into_iter()
        .map(|step| MigrationStep::new(step, "applied"));
    let pending = status
        .pending
        .into_iter()
        .map(|step| MigrationStep::new(step, "pending"));
    printer.all(applied.chain(pending))?;
    if status.newer {
        note(
            "note: the database was migrated by a newer version of formalize; upgrade this program",
        );
    }
    Ok(())
}

async fn up(store: &SqlStore) -> Result<(), Failure> {
    let pending = store.migration_status().await?.pending.len();
    store.migrate().await?;
    note(&format!("applied {}", plural(pending, "migration")));
    Ok(())
}
