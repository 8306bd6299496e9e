//! The stores of [`formalize_core`] in SQLite and PostgreSQL: [`SqlStore`].
//!
//! A program that has a database of its own reads [`existing_pool`]: how both share it.
//!
//! # Features
//!
//! | Feature | Adds |
//! |---|---|
//! | `sqlite` (default) | SQLite |
//! | `postgres` | PostgreSQL, with TLS |
//!
//! Types of these crates are part of the public API; use the same versions: `formalize-core`, and `sqlx` 0.9 (pools).

// Every statement is written once, with `$1..$n` for its arguments. Where the databases differ, it uses named
// fragments of `driver`, the only module that knows both databases. `query` turns scopes and windows into SQL. Each of
// the other files has the statements for one kind of record.

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("enable the feature `sqlite`, `postgres`, or both");

use std::path::Path;

use async_trait::async_trait;
use formalize_core::events::EventId;
use formalize_core::file_store::FileStore;
use formalize_core::forms::{SubmissionCap, SubmissionLimit};
use formalize_core::idempotency::KeptResponse;
use formalize_core::store::{OwnedTx, ReadTx, Revocations, StoreResult};
use formalize_core::{Revision, Store, StoreError, Submission};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

mod batch;
mod deletions;
mod driver;
mod events;
mod files;
mod forms;
mod grants;
mod groups;
mod kept_forms;
mod kept_responses;
mod links;
mod memberships;
mod outcomes;
mod parts;
mod query;
mod reach;
mod record;
mod resources;
mod statistics;
mod submissions;
mod tags;
mod tokens;
mod verify;
mod webhooks;

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;

#[cfg(any(doc, doctest))]
#[cfg(all(feature = "sqlite", feature = "postgres"))]
#[doc = include_str!("existing_pool.md")]
pub mod existing_pool {}

pub use statistics::{
    PoolStatistics, SqlStatistics, TransactionKind, TransactionOutcome, TransactionStatistics,
};

pub use driver::{BackupError, DatabaseKind, MigrationStatus, MigrationStep, SqlOptions};
#[cfg(feature = "plans")]
#[doc(hidden)]
pub use driver::{Plan, Plans, Run};

pub use verify::{
    Checked, ContentChecks, ContentVerification, ContentVerificationError, Finding, FindingKind,
    Verification,
};

use batch::SubmissionBatches;
use driver::{Database, Purpose, Transaction};

/// A store in a SQL database.
///
/// The names of its tables begin with `formalize_`. In PostgreSQL they are in the first schema of the search path.
/// Clones are cheap and use the same store.
///
/// ```
/// # #[cfg(feature = "sqlite")]
/// # formalize_conformance::example::run(async || {
/// use std::sync::Arc;
/// use formalize_core::Formalize;
/// use formalize_sql::{SqlOptions, SqlStore};
///
/// # let folder = tempfile::tempdir()?;
/// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
///
/// let store = SqlStore::open(&url, &SqlOptions::default()).await?;
/// store.migrate().await?;
/// let formalize = Formalize::builder(Arc::new(store)).build().await?;
/// # Ok(()) });
/// ```
#[derive(Debug, Clone)]
pub struct SqlStore {
    database: Database,
    batches: SubmissionBatches,
}

impl SqlStore {
    /// Connects to the database at a URL: `sqlite://relative.db`, `sqlite:///absolute.db` (percent-encoded where
    /// needed), `postgres://user:password@host/database`. This does not change the schema; see [`SqlStore::migrate`].
    ///
    /// SQLite databases use write-ahead logging, full durability, one connection for writing, and
    /// [`SqlOptions::readers`] for reading. A new file has the permissions 0600; those of an existing one are not
    /// changed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] if the database cannot be reached, [`StoreError::Refused`] if it rejects the user or
    /// the password of the URL, and [`StoreError::Failed`] if the URL is invalid, refers to a database in memory, or to
    /// a PostgreSQL database whose encoding is not UTF-8.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// use formalize_sql::{SqlOptions, SqlStore};
    /// use formalize_core::{Store, StoreError};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    ///
    /// let options = SqlOptions { create: false, ..SqlOptions::default() };
    /// let missing = SqlStore::open(&url, &options).await;
    /// assert!(matches!(missing, Err(StoreError::Unavailable(_))));
    ///
    /// let store = SqlStore::open(&url, &SqlOptions::default()).await?;
    /// store.ping().await?;
    /// # Ok(()) });
    /// ```
    pub async fn open(url: &str, options: &SqlOptions) -> StoreResult<Self> {
        let database = Database::open(url, options).await?;
        Ok(Self::new(database, options))
    }

    fn new(database: Database, options: &SqlOptions) -> Self {
        Self {
            database,
            batches: SubmissionBatches::new(options),
        }
    }

    /// The counts and measurements of this store, which clones share.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    /// # store.migrate().await?;
    ///
    /// use formalize_core::Store;
    /// use formalize_sql::{TransactionKind, TransactionOutcome};
    ///
    /// drop(store.write().await?);
    /// let statistics = store.statistics();
    /// let undone = statistics.transactions.iter().find(|row| {
    ///     (row.kind, row.outcome) == (TransactionKind::Write, TransactionOutcome::Undone)
    /// });
    /// assert!(undone.is_some());
    /// let pools: Vec<_> = statistics.pools.iter().map(|pool| pool.name).collect();
    /// assert_eq!(pools, ["readers", "writer"]);
    /// # Ok(()) });
    /// ```
    pub fn statistics(&self) -> SqlStatistics {
        self.database.statistics()
    }

    /// Makes this clone of the store record the query plan of every statement in a transaction before sending it.
    #[cfg(feature = "plans")]
    #[doc(hidden)]
    #[must_use]
    pub fn explaining_into(mut self, plans: Plans) -> Self {
        self.database.explain_into(plans, false);
        self
    }

    /// The same with what running each statement took. In PostgreSQL the steps are those of the cached plan, and it runs each
    /// query once more for them.
    #[cfg(feature = "plans")]
    #[doc(hidden)]
    #[must_use]
    pub fn measuring_into(mut self, plans: Plans) -> Self {
        self.database.explain_into(plans, true);
        self
    }

    /// Makes this clone of the store call a function with each statement of a transaction before it is sent.
    #[cfg(feature = "plans")]
    #[doc(hidden)]
    #[must_use]
    pub fn telling(mut self, told: fn(DatabaseKind, &str)) -> Self {
        self.database.tell(told);
        self
    }

    /// Makes this clone of the store know one migration more than this program, as the one of a later version does.
    #[cfg(feature = "plans")]
    #[doc(hidden)]
    #[must_use]
    pub fn with_next_step(mut self, description: &'static str, text: &'static str) -> Self {
        self.database.add_step(description, text);
        self
    }

    /// The kind of the database.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    ///
    /// use formalize_sql::DatabaseKind;
    ///
    /// assert_eq!(store.kind(), DatabaseKind::Sqlite);
    /// # Ok(()) });
    /// ```
    pub fn kind(&self) -> DatabaseKind {
        self.database.kind()
    }

    /// Which migrations have been applied.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    ///
    /// let new = store.migration_status().await?;
    /// assert!(new.applied.is_empty() && !new.pending.is_empty());
    ///
    /// store.migrate().await?;
    /// let migrated = store.migration_status().await?;
    /// assert_eq!(migrated.applied, new.pending);
    /// assert!(migrated.pending.is_empty() && !migrated.newer);
    /// # Ok(()) });
    /// ```
    pub async fn migration_status(&self) -> StoreResult<MigrationStatus> {
        self.database.migration_status().await
    }

    /// Applies pending migrations. If several servers start at once, one of them migrates and the others wait.
    ///
    /// # Errors
    ///
    /// [`StoreError::Failed`] if the database is newer than this program, or was migrated by a different program.
    /// Nothing is changed then.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    ///
    /// store.migrate().await?;
    /// // Nothing is left to do, so this changes nothing.
    /// store.migrate().await?;
    /// # Ok(()) });
    /// ```
    pub async fn migrate(&self) -> StoreResult<()> {
        self.database.migrate().await
    }

    /// Copies a consistent snapshot of a SQLite database to a file, without blocking writers. The copy contains
    /// everything that was committed before the call.
    ///
    /// The copy is an ordinary database that only its owner can read. It gets its name when it is complete and on disk.
    /// Until then it is a file in the same folder whose name begins with a dot.
    ///
    /// # Errors
    ///
    /// [`BackupError`]. In this case no file is left behind. Existing files are never overwritten.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    /// # store.migrate().await?;
    ///
    /// use formalize_sql::BackupError;
    ///
    /// let copy = folder.path().join("copy.db");
    /// store.back_up(&copy).await?;
    /// assert!(matches!(store.back_up(&copy).await, Err(BackupError::Exists)));
    /// # Ok(()) });
    /// ```
    pub async fn back_up(&self, to: &Path) -> Result<(), BackupError> {
        self.database.copy(to).await?.finish().await
    }

    /// Like [`SqlStore::back_up`], but does something with the copy before it gets its name: what the copy refers to, such as
    /// the contents of files, can be copied, too. If that fails, no file is left behind.
    ///
    /// # Errors
    ///
    /// [`BackupError`], or the error of `complete`.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    /// # store.migrate().await?;
    ///
    /// use formalize_core::Store;
    /// use formalize_sql::BackupError;
    ///
    /// let to = folder.path().join("copy.db");
    /// let setting = store.back_up_with(&to, async |copy| {
    ///     let found = copy.read().await?.find_setting("colour").await?;
    ///     Ok::<_, BackupError>(found)
    /// });
    /// assert_eq!(setting.await?, None);
    /// assert!(to.exists());
    /// # Ok(()) });
    /// ```
    pub async fn back_up_with<T, E: From<BackupError>>(
        &self,
        to: &Path,
        complete: impl AsyncFnOnce(&Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let unfinished = self.database.copy(to).await?;
        let path = unfinished.path().to_string_lossy();
        let url = format!("sqlite://{}", utf8_percent_encode(&path, NON_ALPHANUMERIC));
        let options = SqlOptions {
            create: false,
            read_only: true,
            ..SqlOptions::default()
        };
        let copy = Self::open(&url, &options)
            .await
            .map_err(BackupError::from)?;
        let completed = complete(&copy).await;
        copy.close().await;
        let completed = completed?;
        unfinished.finish().await?;
        Ok(completed)
    }

    /// Begins to check the database for corruption and inconsistencies: damaged files, tables that differ from those of
    /// the migrations, cycles of groups, broken references, wrong counts, and invalid values, schemas and data.
    ///
    /// Tables of a host application in the same database are [`FindingKind::UnknownObject`]; ignore those that you know.
    ///
    /// The check reads one snapshot page by page, also during writes. While it runs, SQLite cannot reuse the space of
    /// its write-ahead log, and the store cannot be closed. Open the store with [`SqlOptions::read_only`] to leave the
    /// files of the database as they are.
    ///
    /// # Errors
    ///
    /// If the database cannot be reached. It must have been migrated.
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    /// # store.migrate().await?;
    ///
    /// let mut verification = store.verify().await?;
    /// while let Some(findings) = verification.proceed().await? {
    ///     for finding in findings {
    ///         println!("{}: {}", finding.kind, finding.what);
    ///     }
    /// }
    /// println!("{} records", verification.checked().records);
    /// # Ok(()) });
    /// ```
    pub async fn verify(&self) -> StoreResult<Verification> {
        Verification::new(self.database.clone()).await
    }

    /// Begins to check that the file store has the contents of all files. Servers can go on adding and deleting files. The
    /// records are checked by [`SqlStore::verify`].
    ///
    /// ```
    /// # #[cfg(feature = "sqlite")]
    /// # formalize_conformance::example::run(async || {
    /// # let folder = tempfile::tempdir()?;
    /// # let url = format!("sqlite://{}/formalize.db", folder.path().display());
    /// # let store = formalize_sql::SqlStore::open(&url, &Default::default()).await?;
    /// # store.migrate().await?;
    ///
    /// use formalize_core::file_store::{FileStore, memory::MemoryFileStore, whole};
    /// use formalize_sql::ContentChecks;
    ///
    /// let files = MemoryFileStore::default();
    /// files.put("0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?, whole("nobody's")).await?;
    /// let checks = ContentChecks { hashes: true, orphans: true };
    /// let mut verification = store.verify_contents(&files, checks);
    /// let mut kinds = Vec::new();
    /// while let Some(findings) = verification.proceed().await? {
    ///     kinds.extend(findings.iter().map(|finding| finding.kind.as_str()));
    /// }
    /// assert_eq!(kinds, ["orphan-file"]);
    /// # Ok(()) });
    /// ```
    pub fn verify_contents<'a>(
        &self,
        files: &'a dyn FileStore,
        checks: ContentChecks,
    ) -> ContentVerification<'a> {
        ContentVerification::new(self.database.clone(), files, checks)
    }

    /// The schema of the database, in the format of the checked-in files that [`SqlStore::verify`] compares it with.
    #[doc(hidden)]
    pub async fn describe_schema(&self) -> StoreResult<String> {
        self.verify().await?.describe().await
    }
}

#[async_trait]
impl OwnedTx for Transaction {
    async fn commit(self: Box<Self>) -> StoreResult<()> {
        outcomes::commit(*self).await
    }
}

#[async_trait]
impl Store for SqlStore {
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
        Ok(Box::new(self.database.begin(Purpose::Read).await?))
    }

    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
        Ok(Box::new(self.database.begin(Purpose::ReadOnce).await?))
    }

    async fn read_long(&self) -> StoreResult<Box<dyn ReadTx>> {
        Ok(Box::new(self.database.begin(Purpose::ReadLong).await?))
    }

    async fn write(&self) -> StoreResult<Box<dyn OwnedTx>> {
        Ok(Box::new(self.database.begin(Purpose::Write).await?))
    }

    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
        kept: &[KeptResponse],
    ) -> StoreResult<bool> {
        let database = &self.database;
        if database.shares_commits() {
            let places = (cap, limit);
            let submit = submissions::submit(database.dialect(), submission, form, places, event);
            let now = submission.date_created;
            return batch::submit_and_keep(database, submit, kept, now).await;
        }
        let batches = &self.batches;
        batches
            .submit(database, submission, form, (cap, limit), event, kept)
            .await
    }

    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
        self.database.listen(tokens::REVOKED).await
    }

    async fn ping(&self) -> StoreResult<()> {
        let answer = tokio::time::timeout(PING, self.database.check_version()).await;
        match answer {
            Ok(Ok(())) => Ok(()),
            _ if self.database.is_standby() == Some(true) => Err(StoreError::Unavailable(
                "read-only: the database server is a standby".to_owned(),
            )),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(StoreError::Unavailable(
                "the database did not respond in time".to_owned(),
            )),
        }
    }

    async fn close(&self) {
        self.database.close().await;
    }
}

/// If an empty query takes longer than this, the database is not ready for requests.
const PING: std::time::Duration = std::time::Duration::from_millis(700);
