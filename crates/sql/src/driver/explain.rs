//! A driver that records the query plan of every statement that another driver runs. For tests that examine all plans, and
//! what lists read.

use std::any::Any;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use formalize_core::StoreError;
use formalize_core::store::{Revocations, StoreResult};
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use super::migration::Step;
use super::{
    Argument, BackupError, DatabaseKind, Dialect, Driver, Purpose, Row, Session, Statement,
    UnfinishedBackup, sql,
};
use crate::statistics::{PoolStatistics, TransactionKind};

/// The query plan of a statement, requested right before the statement was sent, or after it if it is measured.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The statement.
    pub statement: String,
    /// The types of its arguments in PostgreSQL.
    pub types: Vec<&'static str>,
    /// The steps: one per line for SQLite, JSON for PostgreSQL.
    pub steps: String,
    /// What running it took, on SQLite.
    pub run: Option<Run>,
}

/// What running a statement of SQLite took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Run {
    /// The steps of its virtual machine.
    pub steps: i32,
    /// How often the statement was prepared again although it was cached.
    pub prepared_again: i32,
}

/// The plans of statements, in the order in which the statements were sent. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Plans(Arc<Mutex<Vec<Plan>>>);

impl Plans {
    /// Takes the plans recorded since the last call.
    pub fn take(&self) -> Vec<Plan> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, plan: Plan) {
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        plans.push(plan);
    }
}

/// The plans that were requested, each by PostgreSQL's mode of planning, the statement, and its arguments, or their types if
/// one plan is for all. Tests send the same ones many times, and requesting a plan takes longer than running it.
type Known = Arc<Mutex<HashMap<(String, String, String), String>>>;

/// The driver.
#[derive(Debug)]
pub(super) struct ExplainingDriver {
    driver: Arc<dyn Driver>,
    plans: Plans,
    known: Known,
    executed: bool,
}

impl ExplainingDriver {
    /// With `executed`, the plans of sessions that read from PostgreSQL contain the rows and blocks that are read.
    pub(super) fn new(driver: Arc<dyn Driver>, plans: Plans, executed: bool) -> Self {
        Self {
            driver,
            plans,
            known: Known::default(),
            executed,
        }
    }
}

#[async_trait]
impl Driver for ExplainingDriver {
    fn dialect(&self) -> Dialect {
        self.driver.dialect()
    }

    fn pools(&self) -> Vec<PoolStatistics> {
        self.driver.pools()
    }

    async fn begin(&self, purpose: Purpose) -> StoreResult<Box<dyn Session>> {
        let kind = self.dialect().kind();
        let is_read = purpose.kind() == TransactionKind::Read;
        Ok(Box::new(ExplainingSession {
            session: self.driver.begin(purpose).await?,
            kind,
            plans: self.plans.clone(),
            known: Arc::clone(&self.known),
            mode: None,
            executed: self.executed && is_read && kind == DatabaseKind::Postgres,
        }))
    }

    fn shares_commits(&self) -> bool {
        self.driver.shares_commits()
    }

    fn is_standby(&self) -> Option<bool> {
        self.driver.is_standby()
    }

    async fn listen(&self, channel: &str) -> StoreResult<Option<Box<dyn Revocations>>> {
        self.driver.listen(channel).await
    }

    async fn copy(&self, to: &Path) -> Result<Box<dyn UnfinishedBackup>, BackupError> {
        self.driver.copy(to).await
    }

    async fn migrate(&self, steps: &'static [Step]) -> StoreResult<Vec<&'static Step>> {
        self.driver.migrate(steps).await
    }

    fn check_unchanged(&self) -> StoreResult<()> {
        self.driver.check_unchanged()
    }

    async fn close(&self) {
        self.driver.close().await;
    }
}

struct ExplainingSession {
    session: Box<dyn Session>,
    kind: DatabaseKind,
    plans: Plans,
    known: Known,
    /// How PostgreSQL plans statements in this session, if it was asked. Each kind of session has its own mode.
    mode: Option<String>,
    executed: bool,
}

/// What is kept of a statement that is sent.
struct Sent {
    text: String,
    types: Vec<&'static str>,
}

impl Sent {
    fn of(statement: &Statement<'_>) -> Self {
        Self {
            text: statement.text.clone().into_owned(),
            types: types(statement),
        }
    }
}

impl ExplainingSession {
    /// The plan of a statement, which is requested on the connection on which the statement will be sent.
    async fn explain(&mut self, statement: &Statement<'_>) -> StoreResult<String> {
        let mode = self.mode().await?;
        // Then there is one plan for all arguments, from the first execution on.
        let is_generic = mode == "force_generic_plan";
        let arguments = if is_generic {
            types(statement).join(", ")
        } else {
            format!("{:?}", statement.arguments)
        };
        let key = (mode, statement.text.clone().into_owned(), arguments);
        let known = Arc::clone(&self.known);
        let known = || known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(steps) = known().get(&key) {
            return Ok(steps.clone());
        }
        let mut rows = Vec::new();
        for explain in self.explaining(statement, is_generic) {
            rows.extend(self.session.all(explain).await?);
        }
        let steps = steps(&rows)?;
        known().insert(key, steps.clone());
        Ok(steps)
    }

    /// The plan with which PostgreSQL has just run a query, which is cached, and what it reads.
    async fn executed(&mut self, statement: &Statement<'_>) -> StoreResult<String> {
        let name = "SELECT name FROM pg_prepared_statements WHERE statement = $1 ORDER BY prepare_time DESC LIMIT 1";
        let name = sql(name).bind(statement.text.clone().into_owned());
        let rows = self.session.all(name).await?;
        let name = rows.first().and_then(|row| row.text("name").ok());
        let name =
            name.ok_or_else(|| StoreError::Failed("a query that is not cached".to_owned()))?;
        let values: Vec<_> = statement.arguments.iter().map(literal).collect();
        let values = match &*values.join(", ") {
            "" => String::new(),
            values => format!("({values})"),
        };
        let explain = format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE {name} {values}");
        steps(&self.session.all(sql(explain)).await?)
    }

    fn add(&self, sent: Sent, steps: String) {
        self.plans.add(Plan {
            statement: sent.text,
            types: sent.types,
            steps,
            run: self.session.last_run(),
        });
    }

    /// The statements that return the plan of a statement: the plan for its arguments, or the generic plan if that is
    /// how it will run.
    fn explaining<'a>(&self, statement: &Statement<'a>, is_generic: bool) -> Vec<Statement<'a>> {
        if is_generic {
            return generic(statement).into();
        }
        let text = match self.kind {
            DatabaseKind::Sqlite => {
                // A text may consist of several statements.
                let text = statement.text.split("; ");
                let text = text.map(|statement| format!("EXPLAIN QUERY PLAN {statement}"));
                text.collect::<Vec<_>>().join("; ")
            }
            DatabaseKind::Postgres => format!("{EXPLAIN} {}", statement.text),
        };
        let mut explain = statement.clone();
        explain.text = text.into();
        vec![explain]
    }

    async fn mode(&mut self) -> StoreResult<String> {
        if self.kind == DatabaseKind::Postgres && self.mode.is_none() {
            let mode = self.session.all(sql("SHOW plan_cache_mode")).await?;
            self.mode = mode
                .first()
                .and_then(|row| row.text("plan_cache_mode").ok());
        }
        Ok(self.mode.clone().unwrap_or_default())
    }
}

const EXPLAIN: &str = "EXPLAIN (FORMAT JSON)";

/// The statements that return the generic plan of a PostgreSQL statement.
fn generic(statement: &Statement<'_>) -> [Statement<'static>; 3] {
    let types = types(statement);
    let list = |of: &[&str]| match of {
        [] => String::new(),
        of => format!("({})", of.join(", ")),
    };
    let (types, values) = (list(&types), list(&vec!["NULL"; types.len()]));
    [
        format!("PREPARE planned {types} AS {}", statement.text),
        format!("{EXPLAIN} EXECUTE planned {values}"),
        "DEALLOCATE planned".to_owned(),
    ]
    .map(sql)
}

/// The types of the arguments of a statement in PostgreSQL.
fn types(statement: &Statement<'_>) -> Vec<&'static str> {
    statement.arguments.iter().map(type_name).collect()
}

/// The name of an argument's type in PostgreSQL.
fn type_name(argument: &Argument<'_>) -> &'static str {
    match argument {
        Argument::Uuid(_) => "UUID",
        Argument::Text(_) => "TEXT",
        Argument::Int(_) => "BIGINT",
        Argument::Bool(_) => "BOOLEAN",
        Argument::Texts(_) | Argument::TextColumn(_) => "TEXT[]",
        Argument::Uuids(_) => "UUID[]",
        Argument::IntColumn(_) => "BIGINT[]",
    }
}

/// The value of an argument in PostgreSQL's SQL.
fn literal(argument: &Argument<'_>) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let list = |values: Vec<Option<String>>| {
        let values = values
            .into_iter()
            .map(|value| value.map_or_else(|| "NULL".to_owned(), |value| quoted(&value)));
        let values: Vec<_> = values.collect();
        format!("ARRAY[{}]::{}", values.join(", "), type_name(argument))
    };
    let one = |value: Option<String>| {
        let value = value.map_or_else(|| "NULL".to_owned(), |value| quoted(&value));
        format!("{value}::{}", type_name(argument))
    };
    match argument {
        Argument::Uuid(value) => one(value.map(|value| value.to_string())),
        Argument::Text(value) => one(value.as_deref().map(str::to_owned)),
        Argument::Int(value) => one(value.map(|value| value.to_string())),
        Argument::Bool(value) => one(Some(value.to_string())),
        Argument::Texts(values) => list(values.iter().cloned().map(Some).collect()),
        Argument::Uuids(values) => list(values.iter().map(|id| Some(id.to_string())).collect()),
        Argument::IntColumn(values) => {
            list(values.iter().map(|int| Some(int.to_string())).collect())
        }
        Argument::TextColumn(values) => {
            list(values.iter().map(|text| text.map(str::to_owned)).collect())
        }
    }
}

fn steps(rows: &[Row]) -> StoreResult<String> {
    let steps: Option<Vec<_>> = rows.iter().map(step).collect();
    let steps = steps.ok_or_else(|| StoreError::Failed("a plan without text".to_owned()))?;
    Ok(steps.join("\n"))
}

/// The text in a row of a plan. PostgreSQL returns JSON, which is transmitted as text.
fn step(row: &Row) -> Option<String> {
    let columns: &dyn Any = &*row.0;
    match columns.downcast_ref::<PgRow>() {
        Some(json) => json.try_get_unchecked(0).ok(),
        None => row.text("detail").ok(),
    }
}

#[async_trait]
impl Session for ExplainingSession {
    async fn all(&mut self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        let sent = Sent::of(&statement);
        if self.executed {
            let rows = self.session.all(statement.clone()).await?;
            let steps = self.executed(&statement).await?;
            self.add(sent, steps);
            return Ok(rows);
        }
        let steps = self.explain(&statement).await?;
        let rows = self.session.all(statement).await;
        self.add(sent, steps);
        rows
    }

    async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64> {
        let sent = Sent::of(&statement);
        let steps = self.explain(&statement).await?;
        let written = self.session.run(statement).await;
        self.add(sent, steps);
        written
    }

    fn continues(&mut self) -> bool {
        self.session.continues()
    }

    async fn commit(self: Box<Self>) -> StoreResult<()> {
        self.session.commit().await
    }
}
