//! The query plans of statements, for a test that examines all of them. Without the feature `plans`, nothing is
//! recorded.

use std::panic::Location;
#[cfg(feature = "plans")]
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(feature = "plans")]
use super::transaction::Open;
#[cfg(feature = "plans")]
use super::{DatabaseKind, Row, Statement};
#[cfg(feature = "plans")]
use crate::store::{StoreError, StoreResult};

/// The places in the source code where a statement was built. Empty without the feature.
#[derive(Debug, Clone, Default)]
pub(in crate::store::sql) struct Places(Vec<&'static Location<'static>>);

impl Places {
    /// Adds the place of the call.
    #[cfg_attr(feature = "plans", track_caller)]
    pub(in crate::store::sql) fn add_caller(&mut self) {
        if cfg!(feature = "plans") {
            self.0.push(Location::caller());
        }
    }

    /// Adds the places of another part of the statement.
    pub(in crate::store::sql) fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

/// The query plan of a statement, requested right before the statement was sent.
#[cfg(feature = "plans")]
#[derive(Debug, Clone)]
pub struct Plan {
    /// The statement.
    pub statement: String,
    /// The places in the source code where it was built.
    pub places: Vec<&'static Location<'static>>,
    /// The steps: one per line for SQLite, JSON for PostgreSQL.
    pub steps: String,
}

/// The plans of statements, in the order in which the statements were sent. Clones share them.
#[cfg(feature = "plans")]
#[derive(Debug, Clone, Default)]
pub struct Plans(Arc<Mutex<Vec<Plan>>>);

#[cfg(feature = "plans")]
impl Plans {
    /// Takes the plans recorded since the last call.
    pub fn take(&self) -> Vec<Plan> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Requests the plan of a statement on the connection on which the statement will be sent.
    pub(super) async fn note(&self, statement: &Statement<'_>, open: &mut Open) -> StoreResult<()> {
        let mut rows = Vec::new();
        for explain in explaining(statement, open).await? {
            rows.extend(open.connection()?.all(explain).await?);
        }
        let steps: Option<Vec<_>> = rows.iter().map(text).collect();
        let steps = steps.ok_or_else(|| StoreError::Failed("a plan without text".to_owned()))?;
        let plan = Plan {
            statement: statement.text().to_owned(),
            places: statement.places().0.clone(),
            steps: steps.join("\n"),
        };
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(plan);
        Ok(())
    }
}

/// The statements that return the plan of a statement: the plan for its arguments, or the generic plan if that is how
/// it will run.
#[cfg(feature = "plans")]
async fn explaining<'a>(
    statement: &Statement<'a>,
    open: &mut Open,
) -> StoreResult<Vec<Statement<'a>>> {
    #[cfg(feature = "postgres")]
    if open.dialect().kind() == DatabaseKind::Postgres {
        let mode = super::sql("SHOW plan_cache_mode");
        let mode = open.connection()?.all(mode).await?;
        if mode.first().and_then(text).as_deref() == Some("force_generic_plan") {
            return Ok(statement.explained_once().into());
        }
    }
    Ok(vec![statement.clone().explained(open.dialect())])
}

/// The text in a row of a plan.
#[cfg(feature = "plans")]
fn text(row: &Row) -> Option<String> {
    match row {
        #[cfg(feature = "sqlite")]
        Row::Sqlite(row) => row.get("detail"),
        // Settings and JSON are transmitted as text.
        #[cfg(feature = "postgres")]
        Row::Postgres(row) => sqlx::Row::try_get_unchecked(row, 0).ok(),
    }
}
