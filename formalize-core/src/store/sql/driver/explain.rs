//! A driver that records the query plan of every statement before another driver runs the statement. For a test that
//! examines all plans.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use super::migration::Step;
use super::{
    Argument, BackupError, DatabaseKind, Dialect, Driver, Row, Session, Statement,
    UnfinishedBackup, sql,
};
use crate::store::sql::statistics::PoolStatistics;
use crate::store::{Revocations, StoreError, StoreResult};

/// The query plan of a statement, requested right before the statement was sent.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The statement.
    pub statement: String,
    /// The steps: one per line for SQLite, JSON for PostgreSQL.
    pub steps: String,
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

/// The driver.
#[derive(Debug)]
pub(super) struct ExplainingDriver {
    driver: Arc<dyn Driver>,
    plans: Plans,
}

impl ExplainingDriver {
    pub(super) fn new(driver: Arc<dyn Driver>, plans: Plans) -> Self {
        Self { driver, plans }
    }

    fn explaining(&self, session: Box<dyn Session>) -> Box<dyn Session> {
        Box::new(ExplainingSession {
            session,
            kind: self.dialect().kind(),
            plans: self.plans.clone(),
        })
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

    async fn read(&self) -> StoreResult<Box<dyn Session>> {
        Ok(self.explaining(self.driver.read().await?))
    }

    async fn read_once(&self) -> StoreResult<Box<dyn Session>> {
        Ok(self.explaining(self.driver.read_once().await?))
    }

    async fn read_long(&self) -> StoreResult<Box<dyn Session>> {
        Ok(self.explaining(self.driver.read_long().await?))
    }

    async fn write(&self) -> StoreResult<Box<dyn Session>> {
        Ok(self.explaining(self.driver.write().await?))
    }

    async fn write_once(&self) -> StoreResult<Box<dyn Session>> {
        Ok(self.explaining(self.driver.write_once().await?))
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

    async fn migrate(&self) -> StoreResult<Vec<&'static Step>> {
        self.driver.migrate().await
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
}

impl ExplainingSession {
    /// Requests the plan of a statement on the connection on which the statement will be sent.
    async fn explain(&mut self, statement: &Statement<'_>) -> StoreResult<()> {
        let mut rows = Vec::new();
        for explain in self.explaining(statement).await? {
            rows.extend(self.session.all(explain).await?);
        }
        let steps: Option<Vec<_>> = rows.iter().map(step).collect();
        let steps = steps.ok_or_else(|| StoreError::Failed("a plan without text".to_owned()))?;
        self.plans.add(Plan {
            statement: statement.text.clone().into_owned(),
            steps: steps.join("\n"),
        });
        Ok(())
    }

    /// The statements that return the plan of a statement: the plan for its arguments, or the generic plan if that is
    /// how it will run.
    async fn explaining<'a>(
        &mut self,
        statement: &Statement<'a>,
    ) -> StoreResult<Vec<Statement<'a>>> {
        let text = match self.kind {
            DatabaseKind::Sqlite => {
                // A text may consist of several statements.
                let text = statement.text.split("; ");
                let text = text.map(|statement| format!("EXPLAIN QUERY PLAN {statement}"));
                text.collect::<Vec<_>>().join("; ")
            }
            DatabaseKind::Postgres => {
                if self.plans_once().await? {
                    return Ok(generic(statement).into());
                }
                format!("{EXPLAIN} {}", statement.text)
            }
        };
        let mut explain = statement.clone();
        explain.text = text.into();
        Ok(vec![explain])
    }

    /// Whether PostgreSQL makes one plan for all arguments, from the first execution on.
    async fn plans_once(&mut self) -> StoreResult<bool> {
        let mode = self.session.all(sql("SHOW plan_cache_mode")).await?;
        let mode = mode
            .first()
            .and_then(|row| row.text("plan_cache_mode").ok());
        Ok(mode.as_deref() == Some("force_generic_plan"))
    }
}

const EXPLAIN: &str = "EXPLAIN (FORMAT JSON)";

/// The statements that return the generic plan of a PostgreSQL statement.
fn generic(statement: &Statement<'_>) -> [Statement<'static>; 3] {
    let types: Vec<_> = statement.arguments.iter().map(type_name).collect();
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
        self.explain(&statement).await?;
        self.session.all(statement).await
    }

    async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64> {
        self.explain(&statement).await?;
        self.session.run(statement).await
    }

    fn continues(&mut self) -> bool {
        self.session.continues()
    }

    async fn commit(self: Box<Self>) -> StoreResult<()> {
        self.session.commit().await
    }
}
