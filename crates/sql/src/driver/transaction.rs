//! A transaction on either database. Its statements are sent to its session one after the other.

use formalize_core::StoreError;
use formalize_core::events::EventId;
use formalize_core::store::StoreResult;
use uuid::Uuid;

use super::{Database, Dialect, Row, Session, Statement, TransactionTimer};

/// A transaction on one connection.
pub(crate) struct Transaction {
    session: Box<dyn Session>,
    dialect: Dialect,
    state: State,
    timer: TransactionTimer,
    /// Where to find out whether the transaction was committed.
    database: Database,
    evidence: Option<Evidence>,
}

/// Shows whether a transaction was committed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Evidence {
    /// It appended an event.
    Event(EventId),
    /// It inserted a record into this table, which has an index by `id`.
    Inserted(&'static str, Uuid),
    /// It deleted a record of this table.
    Deleted(&'static str, Uuid),
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
        database: &Database,
        mut timer: TransactionTimer,
    ) -> Self {
        timer.statement_succeeded();
        Self {
            session,
            dialect: database.dialect(),
            state: State::Usable,
            timer,
            database: database.clone(),
            evidence: None,
        }
    }

    /// Notes that the transaction has appended this event to the event log.
    pub(crate) fn appended(&mut self, event: EventId) {
        self.evidence = Some(Evidence::Event(event));
    }

    /// Notes that the transaction has inserted this record.
    pub(crate) fn inserted(&mut self, table: &'static str, id: Uuid) {
        self.evidence.get_or_insert(Evidence::Inserted(table, id));
    }

    /// Notes that the transaction has deleted this record.
    pub(crate) fn deleted(&mut self, table: &'static str, id: Uuid) {
        self.evidence.get_or_insert(Evidence::Deleted(table, id));
    }

    /// What shows whether the transaction was committed, and the database in which to look for it.
    pub(crate) fn evidence(&self) -> Option<(Evidence, Database)> {
        Some((self.evidence?, self.database.clone()))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// All rows that a statement returns.
    pub(crate) async fn all(&mut self, statement: Statement<'_>) -> StoreResult<Vec<Row>> {
        self.begin_statement(&statement)?;
        let rows = self.session.all(statement).await?;
        self.end_statement();
        Ok(rows)
    }

    /// The first row that a statement returns, if any.
    pub(crate) async fn optional(&mut self, statement: Statement<'_>) -> StoreResult<Option<Row>> {
        Ok(self.all(statement).await?.into_iter().next())
    }

    /// Runs a statement and returns the number of rows it wrote.
    pub(crate) async fn run(&mut self, statement: Statement<'_>) -> StoreResult<u64> {
        self.begin_statement(&statement)?;
        let written = self.session.run(statement).await?;
        self.end_statement();
        Ok(written)
    }

    pub(crate) async fn commit(mut self) -> StoreResult<()> {
        if self.state != State::Complete {
            self.check()?;
        }
        self.timer.statement_sent();
        self.session.commit().await?;
        self.timer.committed();
        Ok(())
    }

    /// The transaction is considered failed until [`Transaction::end_statement`] is called.
    #[cfg_attr(
        not(feature = "plans"),
        expect(unused_variables, reason = "only tests are told statements")
    )]
    fn begin_statement(&mut self, statement: &Statement<'_>) -> StoreResult<()> {
        self.check()?;
        #[cfg(feature = "plans")]
        if let Some(told) = self.database.told {
            told(self.dialect.kind(), &statement.text);
        }
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
