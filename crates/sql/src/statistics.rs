//! Counts and measurements of a store in a database.

use formalize_core::statistics::HistogramSnapshot;

/// Statistics of a [`SqlStore`](super::SqlStore) and its clones.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SqlStatistics {
    /// The number of statements sent, including those that begin and end transactions.
    pub statements: u64,
    /// Transactions, including the time to begin them.
    pub transactions: Vec<TransactionStatistics>,
    /// The connection pools.
    pub pools: Vec<PoolStatistics>,
    /// Whether the server of a PostgreSQL database was a standby, which takes no writes, when it was last connected to.
    pub is_standby: Option<bool>,
    /// The number of transactions per COMMIT on SQLite. On PostgreSQL, where only submissions share a COMMIT, the
    /// number of submissions.
    pub commit_batches: HistogramSnapshot,
}

/// Transactions of one kind with one outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransactionStatistics {
    /// What they were for.
    pub kind: TransactionKind,
    /// How they ended.
    pub outcome: TransactionOutcome,
    /// Their durations in nanoseconds, including the wait for a connection.
    pub nanoseconds: HistogramSnapshot,
}

/// The purpose of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionKind {
    /// It only reads.
    Read,
    /// It also writes.
    Write,
}

impl TransactionKind {
    pub(super) const ALL: [Self; 2] = [Self::Read, Self::Write];

    /// The name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// The outcome of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionOutcome {
    /// All reads succeeded, or the writes were committed.
    Done,
    /// Nothing was written, because the request was rejected after the transaction had begun.
    Undone,
    /// It could not be begun, a statement or the COMMIT failed, or it was cancelled.
    Failed,
}

impl TransactionOutcome {
    pub(super) const ALL: [Self; 3] = [Self::Done, Self::Undone, Self::Failed];

    /// The name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Undone => "undone",
            Self::Failed => "failed",
        }
    }
}

/// A pool of connections.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// `readers` or `writer` of SQLite, `connections` of PostgreSQL.
    pub name: &'static str,
    /// The maximum number of connections.
    pub limit: u32,
    /// The number of connections in use.
    pub in_use: u32,
    /// How long transactions waited for a connection, in nanoseconds, including those that gave up.
    pub wait_nanoseconds: HistogramSnapshot,
}
