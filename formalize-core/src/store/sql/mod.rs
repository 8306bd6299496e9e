//! Records in SQLite or PostgreSQL: [`SqlStore`].

// Every statement is written once, with `$1..$n` for its arguments; what the databases spell differently are fragments
// with names, in `driver`, which alone knows that there are two of them. `query` turns scopes and windows into SQL; the
// other files hold the statements about one kind of record each.

use std::path::Path;

use async_trait::async_trait;

use crate::id::Revision;
use crate::model::form::SubmissionCap;
use crate::model::submission::Submission;
use crate::store::{ReadTx, Revocations, Store, StoreError, StoreResult, WriteTx};

#[cfg(feature = "postgres")]
mod batch;
mod driver;
mod forms;
mod grants;
mod groups;
mod memberships;
mod query;
mod reach;
mod record;
mod resources;
mod statistics;
mod submissions;
mod tokens;
mod verify;

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;

pub use statistics::{
    PoolStatistics, SqlStatistics, TransactionKind, TransactionOutcome, TransactionStatistics,
};

pub use driver::{BackupError, DatabaseKind, MigrationStatus, MigrationStep, SqlOptions};
#[cfg(feature = "plans")]
#[doc(hidden)]
pub use driver::{Plan, Plans};

pub use verify::{Checked, Finding, FindingKind, Verification};

#[cfg(feature = "postgres")]
use batch::SubmissionBatches;
use driver::{Database, Transaction, sql};

/// A store in a SQL database.
///
/// Its tables stand in the database, or in PostgreSQL in the first schema of the search path, under plain names (`forms`,
/// `grants`, …). Cloning is cheap and gives the same store.
///
/// ```
/// # async fn example() -> Result<(), formalize_core::StoreError> {
/// use formalize_core::store::sql::{SqlOptions, SqlStore};
///
/// let store = SqlStore::open("sqlite://formalize.db", &SqlOptions::default()).await?;
/// store.migrate().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SqlStore {
    database: Database,
    #[cfg(feature = "postgres")]
    batches: SubmissionBatches,
}

impl SqlStore {
    /// Connects to the database that a URL names: `sqlite://relative.db`, `sqlite:///absolute.db` (percent-encoded
    /// where needed), `postgres://user:password@host/database`. The schema is left as it is: see [`SqlStore::migrate`].
    ///
    /// SQLite databases get write-ahead logging, full durability, one connection that writes and
    /// [`SqlOptions::readers`] that read. A new one is created with the permissions 0600; those of an existing one stay.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] when the database cannot be reached, [`StoreError::Refused`] when it refuses the user
    /// or the password of the URL, and [`StoreError::Failed`] when the URL cannot
    /// be used, is one of a database in memory, or names a PostgreSQL database that is not encoded in UTF-8.
    pub async fn open(url: &str, options: &SqlOptions) -> StoreResult<Self> {
        let database = Database::open(url, options).await?;
        Ok(Self::new(database, options))
    }

    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "the others are options of the database")
    )]
    fn new(database: Database, options: &SqlOptions) -> Self {
        Self {
            database,
            #[cfg(feature = "postgres")]
            batches: SubmissionBatches::new(options),
        }
    }

    /// What this store has done so far, and does at the moment. Clones count together.
    pub fn statistics(&self) -> SqlStatistics {
        self.database.statistics()
    }

    /// From now on, this clone of the store asks for the plan of every statement of a transaction before it sends it.
    #[cfg(feature = "plans")]
    #[doc(hidden)]
    #[must_use]
    pub fn explaining_into(mut self, plans: Plans) -> Self {
        self.database.explain_into(plans);
        self
    }

    /// Which kind of database it is.
    pub fn kind(&self) -> DatabaseKind {
        self.database.kind()
    }

    /// How far the database has been migrated.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn migration_status(&self) -> StoreResult<MigrationStatus> {
        self.database.migration_status().await
    }

    /// Brings the schema up to date. When several servers start at once, one of them does it and the others wait.
    ///
    /// # Errors
    ///
    /// [`StoreError::Failed`] when the database is newer than this program, or was migrated by another one in another
    /// way; then nothing is changed.
    pub async fn migrate(&self) -> StoreResult<()> {
        self.database.migrate().await
    }

    /// Copies a SQLite database to a file: one state of it, with everything that was committed before, also while others
    /// write. They do not wait.
    ///
    /// The copy is a database like any other. Only its owner can read it. It gets its name when it is whole and on the
    /// disk; until then it is a file in the same folder with a name that begins with a dot.
    ///
    /// # Errors
    ///
    /// [`BackupError`]; nothing is left behind then, and no file is ever overwritten.
    pub async fn back_up(&self, to: &Path) -> Result<(), BackupError> {
        self.database.back_up(to).await
    }

    /// Begins to look for what cannot be: damaged files, groups within themselves, records that refer to nothing, counts
    /// that are off, values, schemas and data that are not valid.
    ///
    /// It sees one snapshot, also while others write, and reads it page by page. While it lasts, SQLite cannot make use
    /// of the room that its log takes, and the store cannot be closed.
    ///
    /// ```
    /// # async fn example(store: formalize_core::store::sql::SqlStore) -> Result<(), formalize_core::StoreError> {
    /// let mut verification = store.verify().await?;
    /// while let Some(findings) = verification.proceed().await? {
    ///     for finding in findings {
    ///         println!("{}: {}", finding.kind, finding.what);
    ///     }
    /// }
    /// println!("{} records", verification.checked().records);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the database cannot be reached. It must have been migrated.
    pub async fn verify(&self) -> StoreResult<Verification> {
        Ok(Verification::new(self.database.read().await?))
    }
}

#[async_trait]
impl WriteTx for Transaction {
    async fn commit(self: Box<Self>) -> StoreResult<()> {
        Transaction::commit(*self).await
    }
}

#[async_trait]
impl Store for SqlStore {
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
        Ok(Box::new(self.database.read().await?))
    }

    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
        Ok(Box::new(self.database.read_once().await?))
    }

    async fn write(&self) -> StoreResult<Box<dyn WriteTx>> {
        Ok(Box::new(self.database.write().await?))
    }

    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
    ) -> StoreResult<bool> {
        let database = &self.database;
        #[cfg(feature = "postgres")]
        if !database.shares_commits() {
            let batches = &self.batches;
            return batches.submit(database, submission, form, cap).await;
        }
        let submit = submissions::submit(database.dialect(), submission, form, cap);
        Ok(database.write_once(submit).await? > 0)
    }

    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
        self.database.listen(tokens::REVOKED).await
    }

    async fn ping(&self) -> StoreResult<()> {
        let answer = async {
            self.database
                .read_once()
                .await?
                .all(sql("SELECT 1").brief())
                .await
        };
        tokio::time::timeout(PING, answer)
            .await
            .map_err(|_| StoreError::Unavailable("the database does not answer".to_owned()))?
            .map(drop)
    }

    async fn close(&self) {
        self.database.close().await;
    }
}

/// A database that needs longer than this to answer nothing is not one to send requests to.
const PING: std::time::Duration = std::time::Duration::from_secs(2);
