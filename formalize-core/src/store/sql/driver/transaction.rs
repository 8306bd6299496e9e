//! A transaction on either database. Its statements are sent to its session one after the other.

use super::{Dialect, Row, Session, Statement, TransactionTimer};
use crate::store::{StoreError, StoreResult};

/// A transaction on one connection.
pub(in crate::store::sql) struct Transaction {
    session: Box<dyn Session>,
    dialect: Dialect,
    state: State,
    timer: TransactionTimer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    /// A statement failed or was cancelled. PostgreSQL would still report a successful commit. SQLite may have rolled
    /// everything back, and would then run further statements outside a transaction.
    Failed,
    /// The single statement of the session succeeded, and was committed.
    Complete,
}

impl Transaction {
    pub(super) fn new(
        session: Box<dyn Session>,
        dialect: Dialect,
        mut timer: TransactionTimer,
    ) -> Self {
        timer.statement_succeeded();
        Self {
            session,
            dialect,
            state: State::Usable,
            timer,
        }
    }

    pub(in crate::store::sql) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// All rows that a statement returns.
    pub(in crate::store::sql) async fn all(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<Vec<Row>> {
        self.begin_statement()?;
        let rows = self.session.all(statement).await?;
        self.end_statement();
        Ok(rows)
    }

    /// The first row that a statement returns, if any.
    pub(in crate::store::sql) async fn optional(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<Option<Row>> {
        Ok(self.all(statement).await?.into_iter().next())
    }

    /// Runs a statement and returns the number of rows it wrote.
    pub(in crate::store::sql) async fn run(
        &mut self,
        statement: Statement<'_>,
    ) -> StoreResult<u64> {
        self.begin_statement()?;
        let written = self.session.run(statement).await?;
        self.end_statement();
        Ok(written)
    }

    pub(in crate::store::sql) async fn commit(mut self) -> StoreResult<()> {
        if self.state != State::Complete {
            self.check()?;
        }
        self.timer.statement_sent();
        self.session.commit().await?;
        self.timer.committed();
        Ok(())
    }

    /// The transaction is considered failed until [`Transaction::end_statement`] is called.
    fn begin_statement(&mut self) -> StoreResult<()> {
        self.check()?;
        self.timer.count(1);
        self.timer.statement_sent();
        self.state = State::Failed;
        Ok(())
    }

    fn end_statement(&mut self) {
        self.timer.statement_succeeded();
        self.state = if self.session.continues() {
            State::Usable
        } else {
            State::Complete
        };
    }

    fn check(&self) -> StoreResult<()> {
        let why = match self.state {
            State::Usable => return Ok(()),
            State::Failed => "an earlier statement of the transaction failed, so it is rolled back",
            State::Complete => "this transaction is limited to a single statement",
        };
        Err(StoreError::Failed(why.to_owned()))
    }
}
