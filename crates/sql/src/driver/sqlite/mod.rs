//! A connection to a SQLite database, and how statements run on it.
//!
//! The database is in the same process, so a statement that touches few rows is finished before another thread could be
//! woken for it. Such a [brief](Statement::brief) statement runs on the task of the caller; others run on a blocking
//! thread. In both cases, a statement runs to its end even if the caller is cancelled, and the next statement on the
//! connection waits for it.
//!
//! A brief read that turns out to be long, because a caller is in many groups, is interrupted and repeated on a blocking
//! thread.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{fs, io};

use formalize_core::store::StoreResult;
use rusqlite::config::DbConfig;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{CachedStatement, ErrorCode, InterruptHandle, OpenFlags, StatementStatus};
use tempfile::NamedTempFile;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use self::fault::fault;
use super::fault::unavailable;
use super::row::{Column, Columns, InvalidColumn};
use super::{Argument, Row, Statement};

mod backup;
mod driver;
mod fault;
mod fragment;
mod lease;
mod migration;
mod open;
mod unchanged;
mod writer;

use lease::Leases;
pub(super) use open::open;
use writer::Writer;

/// Maximum number of prepared statements that a connection caches; the program has fewer.
const KEPT_STATEMENTS: usize = 256;

/// The number of steps of SQLite's virtual machine that a read may take on a thread that serves requests: well under a
/// millisecond.
const FEW_STEPS: i32 = 10_000;

/// How many steps a statement may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// Reads are interrupted after [`FEW_STEPS`].
    Few,
    Any,
}

/// A file, and how it is opened.
#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) access: Access,
    /// How long to wait while other processes write to the file.
    pub(super) wait: Duration,
}

/// How a file is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Read while no program changes the file. SQLite uses no locks and creates no other files.
    ReadUnchanging,
    Read,
    Write,
    /// Create the file if it does not exist.
    Create,
}

impl File {
    /// The same file, read-only.
    pub(super) fn to_read(&self) -> Self {
        let access = match self.access {
            Access::ReadUnchanging => Access::ReadUnchanging,
            Access::Read | Access::Write | Access::Create => Access::Read,
        };
        Self {
            access,
            ..self.clone()
        }
    }

    fn flags(&self) -> OpenFlags {
        let access = match self.access {
            Access::ReadUnchanging => OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        access | OpenFlags::SQLITE_OPEN_NO_MUTEX
    }

    fn connect(&self) -> rusqlite::Result<rusqlite::Connection> {
        if self.access == Access::Create {
            // If this fails, SQLite fails too, and reports the reason.
            let _ = create_private(&self.path);
        }
        let unchanging = self.access == Access::ReadUnchanging;
        let name = if unchanging {
            unchanged::name(&self.path)
        } else {
            self.path.clone()
        };
        let connection = rusqlite::Connection::open_with_flags(name, self.flags())?;
        connection.busy_timeout(Duration::ZERO)?;
        // Plans do not depend on the values of arguments. Otherwise SQLite would prepare a cached statement again each time
        // it gets new ones, if they might decide whether a partial index can be used.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(KEPT_STATEMENTS);
        if matches!(self.access, Access::Write | Access::Create) {
            // A commit is on disk before it is acknowledged, and readers do not wait for it.
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // The writer makes checkpoints, and closing the last connection.
            connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        }
        Ok(connection)
    }

    /// Copies a snapshot of the database to a file that is empty or does not exist. Other connections do not wait for
    /// it.
    pub(super) async fn copy(&self, to: String) -> StoreResult<()> {
        let file = self.to_read();
        let copied = blocking(move || {
            when_free(file.wait, || {
                file.connect()?.execute("VACUUM INTO ?1", [&to])
            })
        });
        copied.await?.map(drop).map_err(fault)
    }

    /// Opens the file. Enabling the write-ahead log requires exclusive access: when several connections open a new
    /// database at once, all but one find it locked, and try again.
    pub(super) async fn open(self) -> StoreResult<Connection> {
        let wait = self.wait;
        let opened = blocking(move || when_free(wait, || self.connect())).await?;
        let raw = opened.map_err(fault)?;
        Ok(Connection {
            interrupt: Arc::new(raw.get_interrupt_handle()),
            raw: Arc::new(Mutex::new(raw)),
            wait,
        })
    }
}

/// Creates an empty file that only its owner can read, unless the file exists. SQLite would make it readable for
/// everyone. SQLite gives the write-ahead log and the shared memory the permissions of the database.
fn create_private(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        existing => return existing.map(drop),
    }
    if let Ok(target) = fs::read_link(path) {
        return create_private(&folder.join(target));
    }
    // The file is closed before it gets its name. Closing a file that another connection of this process has opened
    // would release that connection's locks.
    let file = NamedTempFile::new_in(folder)?.into_temp_path();
    Ok(file.persist_noclobber(path)?)
}

/// A connection. Clones share it.
#[derive(Clone)]
pub(super) struct Connection {
    raw: Arc<Mutex<rusqlite::Connection>>,
    interrupt: Arc<InterruptHandle>,
    wait: Duration,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// Runs a statement after the previous ones have finished.
    pub(super) async fn run(&self, statement: Script) -> StoreResult<Answer> {
        let raw = Arc::clone(&self.raw).lock_owned().await;
        if statement.brief {
            match statement.run(&raw, Steps::Few) {
                Err(error) if is_busy(&error) || is_interrupted(&error) => {}
                answer => return answer.map_err(fault),
            }
        }
        let wait = self.wait;
        let answer = blocking(move || when_free(wait, || statement.run(&raw, Steps::Any))).await?;
        answer.map_err(fault)
    }

    /// Runs a brief statement, unless another one is running.
    pub(super) fn try_run(&self, statement: &Script) -> Option<StoreResult<Answer>> {
        let raw = self.raw.try_lock().ok()?;
        Some(statement.run(&raw, Steps::Any).map_err(fault))
    }

    /// Interrupts the running statement, if any, and waits until it has ended. A statement that has not started,
    /// because no thread was free, cannot be interrupted; this therefore retries until the statement is over.
    pub(super) async fn give_up(&self) {
        const AGAIN: Duration = Duration::from_millis(5);
        loop {
            self.interrupt.interrupt();
            if tokio::time::timeout(AGAIN, self.raw.lock()).await.is_ok() {
                return;
            }
        }
    }
}

/// Retries while another connection has locked the file. SQLite's own waiting has increasing pauses, and would miss the
/// gaps between the transactions of a busy server. A statement that finds the file locked has had no effect. Only the
/// first statement of a transaction can find it locked.
fn when_free<T>(
    wait: Duration,
    mut work: impl FnMut() -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    const PAUSE: Duration = Duration::from_millis(1);
    let started = Instant::now();
    loop {
        match work() {
            Err(error) if is_busy(&error) && started.elapsed() < wait => sleep(PAUSE),
            done => return done,
        }
    }
}

/// Runs blocking work.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> StoreResult<T> {
    let lost = |_| unavailable("the runtime is shutting down");
    spawn_blocking(work).await.map_err(lost)
}

fn is_interrupted(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// One or several statements for SQLite, with the values of `$1..$n`.
#[derive(Debug)]
pub(super) struct Script {
    text: Cow<'static, str>,
    arguments: Vec<Value>,
    brief: bool,
}

impl Script {
    /// A brief statement without arguments.
    pub(super) fn brief(text: &'static str) -> Self {
        Self {
            brief: true,
            ..Self::long(text)
        }
    }

    /// A statement without arguments that may take long.
    pub(super) fn long(text: &'static str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            arguments: Vec::new(),
            brief: false,
        }
    }

    fn run(&self, connection: &rusqlite::Connection, steps: Steps) -> rusqlite::Result<Answer> {
        let mut answer = Answer::default();
        if !self.text.contains(';') {
            self.run_one(connection, steps, &self.text, &mut answer)?;
            return Ok(answer);
        }
        for text in self.text.split("; ") {
            self.run_one(connection, steps, text, &mut answer)?;
        }
        Ok(answer)
    }

    fn run_one(
        &self,
        connection: &rusqlite::Connection,
        steps: Steps,
        text: &str,
        answer: &mut Answer,
    ) -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached(text)?;
        self.fill_in(&mut statement)?;
        #[cfg(feature = "plans")]
        super::Run::begin(&statement);
        // Interrupting a write would roll back its whole transaction. `BEGIN` and `COMMIT` count as reads, but cannot be
        // repeated; they return no columns.
        let is_limited =
            steps == Steps::Few && statement.readonly() && statement.column_count() > 0;
        if is_limited {
            // SQLite counts the steps of a cached statement over all its runs.
            statement.reset_status(StatementStatus::VmStep);
            connection.progress_handler(FEW_STEPS, Some(|| true))?;
        }
        let taken = answer.take(&mut statement);
        if is_limited {
            connection.progress_handler(0, None::<fn() -> bool>)?;
        }
        taken?;
        #[cfg(feature = "plans")]
        answer.run.end(&statement);
        answer.written += connection.changes();
        Ok(())
    }

    /// Binds the arguments. SQLite treats `$n` as a named parameter and numbers those in the order of their first use,
    /// so the number of the argument is taken from the name.
    fn fill_in(&self, statement: &mut CachedStatement<'_>) -> rusqlite::Result<()> {
        for index in 1..=statement.parameter_count() {
            let number = statement
                .parameter_name(index)
                .and_then(|name| name.strip_prefix('$')?.parse::<usize>().ok())
                .unwrap_or(index);
            let argument = self.arguments.get(number.wrapping_sub(1));
            let argument = argument.ok_or(rusqlite::Error::InvalidParameterCount(
                number,
                self.arguments.len(),
            ))?;
            statement.raw_bind_parameter(index, argument)?;
        }
        Ok(())
    }
}

impl From<Statement<'_>> for Script {
    fn from(statement: Statement<'_>) -> Self {
        Self {
            brief: statement.is_brief(),
            arguments: statement.arguments.into_iter().map(value).collect(),
            text: statement.text,
        }
    }
}

fn value(argument: Argument<'_>) -> Value {
    fn or_null<T>(value: Option<T>, some: impl FnOnce(T) -> Value) -> Value {
        value.map_or(Value::Null, some)
    }
    match argument {
        Argument::Uuid(uuid) => or_null(uuid, |uuid| Value::Blob(uuid.as_bytes().to_vec())),
        Argument::Text(text) => or_null(text, |text| Value::Text(text.into_owned())),
        Argument::Int(int) => or_null(int, Value::Integer),
        Argument::Bool(bool) => Value::Integer(i64::from(bool)),
        Argument::Texts(texts) => Value::Text(fragment::json_of_texts(&texts)),
        Argument::Uuids(uuids) => Value::Text(fragment::json_of_uuids(&uuids)),
        Argument::IntColumn(ints) => Value::Text(serde_json::Value::from(ints).to_string()),
        Argument::TextColumn(texts) => Value::Text(serde_json::Value::from(texts).to_string()),
    }
}

/// The result of a statement.
#[derive(Default)]
pub(super) struct Answer {
    pub(super) rows: Vec<Row>,
    /// The number of rows written.
    pub(super) written: u64,
    #[cfg(feature = "plans")]
    pub(super) run: super::Run,
}

/// SQLite counts over all runs of a cached statement.
#[cfg(feature = "plans")]
impl super::Run {
    fn begin(statement: &CachedStatement<'_>) {
        statement.reset_status(StatementStatus::VmStep);
    }

    fn end(&mut self, statement: &CachedStatement<'_>) {
        self.steps += statement.reset_status(StatementStatus::VmStep);
        self.prepared_again += statement.reset_status(StatementStatus::RePrepare);
    }
}

impl Answer {
    fn take(&mut self, statement: &mut CachedStatement<'_>) -> rusqlite::Result<()> {
        let names = statement.column_names();
        let columns: Arc<[Box<str>]> = names.into_iter().map(Box::from).collect();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            let values = (0..columns.len()).map(|index| row.get_ref(index).map(owned));
            self.rows.push(Row::new(SqliteRow {
                columns: Arc::clone(&columns),
                values: values.collect::<rusqlite::Result<_>>()?,
            }));
        }
        Ok(())
    }
}

/// Invalid UTF-8 becomes a blob, which cannot be read as a text.
fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(int) => Value::Integer(int),
        ValueRef::Real(real) => Value::Real(real),
        ValueRef::Text(bytes) => match String::from_utf8(bytes.to_vec()) {
            Ok(text) => Value::Text(text),
            Err(error) => Value::Blob(error.into_bytes()),
        },
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}

/// A row of a result.
#[derive(Debug)]
struct SqliteRow {
    columns: Arc<[Box<str>]>,
    values: Vec<Value>,
}

impl SqliteRow {
    /// The value of a column that `read` accepts, or NULL.
    fn get<T>(&self, column: &str, read: fn(&Value) -> Option<T>) -> Column<Option<T>> {
        let index = self.columns.iter().position(|name| **name == *column);
        let value = index.and_then(|index| self.values.get(index));
        match value.ok_or(InvalidColumn)? {
            Value::Null => Ok(None),
            value => read(value).map(Some).ok_or(InvalidColumn),
        }
    }
}

impl Columns for SqliteRow {
    fn uuid(&self, column: &str) -> Column<Option<Uuid>> {
        self.get(column, |value| match value {
            Value::Blob(bytes) => Uuid::from_slice(bytes).ok(),
            _ => None,
        })
    }

    fn text(&self, column: &str) -> Column<Option<String>> {
        self.get(column, |value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    fn int(&self, column: &str) -> Column<Option<i64>> {
        self.get(column, |value| match value {
            Value::Integer(int) => Some(*int),
            _ => None,
        })
    }

    fn bool(&self, column: &str) -> Column<Option<bool>> {
        Ok(self.int(column)?.map(|int| int != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn connection() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let file = File {
            path: folder.path().join("test.db"),
            access: Access::Create,
            wait: Duration::ZERO,
        };
        (folder, file.open().await.unwrap())
    }

    /// Whether a statement is finished without another thread, and the value that it returns in the end.
    async fn run(connection: &Connection, text: &'static str) -> (bool, Vec<Row>) {
        let mut running = Box::pin(connection.run(Script::brief(text)));
        let at_once = tokio::time::timeout(Duration::ZERO, &mut running).await;
        let is_short = at_once.is_ok();
        let answer = match at_once {
            Ok(answer) => answer,
            Err(_) => running.await,
        };
        (is_short, answer.unwrap().rows)
    }

    #[tokio::test]
    async fn a_long_read_is_repeated_on_another_thread() {
        let (_folder, connection) = connection().await;
        let count = |rows: &[Row]| rows[0].int("n").unwrap();
        let short = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 100) \
            SELECT count(*) AS n FROM c";
        let long = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 100000) \
            SELECT count(*) AS n FROM c";
        for _ in 0..2 {
            let (is_short, rows) = run(&connection, short).await;
            assert_eq!((is_short, count(&rows)), (true, 100));
            let (is_short, rows) = run(&connection, long).await;
            assert_eq!((is_short, count(&rows)), (false, 100_000));
        }
    }

    #[tokio::test]
    async fn many_short_statements_are_not_interrupted() {
        let (_folder, connection) = connection().await;
        let read = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 9) SELECT n FROM c";
        // Together, each of them takes far more steps than one read may take.
        for _ in 0..6_000 {
            for text in ["BEGIN", read, "COMMIT"] {
                assert!(run(&connection, text).await.0, "{text}");
            }
        }
    }

    #[tokio::test]
    async fn a_write_is_not_interrupted() {
        let (_folder, connection) = connection().await;
        run(&connection, "CREATE TABLE numbers (n INTEGER)").await;
        run(&connection, "BEGIN").await;
        run(&connection, "INSERT INTO numbers VALUES (0)").await;
        let many = "INSERT INTO numbers WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL \
            SELECT n + 1 FROM c LIMIT 9999) SELECT n FROM c";
        assert!(run(&connection, many).await.0);
        run(&connection, "COMMIT").await;
        let (_, rows) = run(&connection, "SELECT count(*) AS n FROM numbers").await;
        assert_eq!(rows[0].int("n").unwrap(), 10_000);
    }
}
