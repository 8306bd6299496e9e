//! What a database would do for each statement, for the test that looks at all of them. Without the feature `plans`
//! nothing of this is done.

use std::panic::Location;
#[cfg(feature = "plans")]
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(feature = "plans")]
use super::{Connection, Row, Statement, fault};
#[cfg(feature = "plans")]
use crate::store::StoreResult;

/// The places in the sources that a statement was put together in; none without the feature.
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

    /// Adds those of another part of the statement.
    pub(in crate::store::sql) fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

/// What a database would do for a statement, as it said right before the statement was sent.
#[cfg(feature = "plans")]
#[derive(Debug, Clone)]
pub struct Plan {
    /// The statement.
    pub statement: String,
    /// The places in the sources that it was put together in.
    pub places: Vec<&'static Location<'static>>,
    /// The steps: a line for each with SQLite, JSON with PostgreSQL.
    pub steps: String,
}

/// The plans of statements, in the order in which they were sent. Clones share them.
#[cfg(feature = "plans")]
#[derive(Debug, Clone, Default)]
pub struct Plans(Arc<Mutex<Vec<Plan>>>);

#[cfg(feature = "plans")]
impl Plans {
    /// The plans since this was asked last.
    pub fn take(&self) -> Vec<Plan> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Asks for the plan of a statement, with its arguments, on the connection that it will be sent on.
    pub(super) async fn note(
        &self,
        statement: &Statement<'_>,
        connection: Connection<'_>,
    ) -> StoreResult<()> {
        let (text, places) = (statement.text().to_owned(), statement.places().0.clone());
        let explained = statement.clone();
        let steps = match connection {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(connection) => {
                let explained = explained.explained(super::Dialect::Sqlite).for_sqlite()?;
                let rows = explained.fetch_all(connection).await.map_err(fault)?;
                let rows = rows.into_iter().map(Row::Sqlite);
                let steps: Result<Vec<_>, _> = rows.map(|row| row.text("detail")).collect();
                steps.map_err(fault)?.join("\n")
            }
            #[cfg(feature = "postgres")]
            Connection::Postgres(connection, _) => {
                use sqlx::Row as _;
                let explained = explained.explained(super::Dialect::Postgres);
                let row = explained.for_postgres()?.fetch_one(connection).await;
                // JSON travels as text.
                row.and_then(|row| row.try_get_unchecked(0))
                    .map_err(fault)?
            }
        };
        let plan = Plan {
            statement: text,
            places,
            steps,
        };
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(plan);
        Ok(())
    }
}
