//! What a store in a database counts and measures.

use crate::statistics::HistogramSnapshot;

/// What a [`SqlStore`](super::SqlStore) and its clones have done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SqlStatistics {
    /// How many statements were sent, those included that begin and end transactions.
    pub statements: u64,
    /// Transactions, from the wish for one to its end.
    pub transactions: Vec<TransactionStatistics>,
    /// Connections.
    pub pools: Vec<PoolStatistics>,
    /// How many transactions each COMMIT of SQLite has made durable; of PostgreSQL, where only submissions share one, how
    /// many of these.
    pub commit_batches: HistogramSnapshot,
}

/// Transactions of one kind that have ended in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransactionStatistics {
    /// What they were for.
    pub kind: TransactionKind,
    /// How they have ended.
    pub outcome: TransactionOutcome,
    /// How long they took, in nanoseconds, the wait for a connection included.
    pub nanoseconds: HistogramSnapshot,
}

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionKind {
    /// It only reads.
    Read,
    /// It also writes.
    Write,
}

impl TransactionKind {
    pub(super) const ALL: [Self; 2] = [Self::Read, Self::Write];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// How a transaction has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionOutcome {
    /// Everything was read, or is kept.
    Done,
    /// Nothing is kept, because a request was refused after it had begun to write.
    Undone,
    /// It could not be begun, a statement or the COMMIT failed, or nobody waited for the answer any more.
    Failed,
}

impl TransactionOutcome {
    pub(super) const ALL: [Self; 3] = [Self::Done, Self::Undone, Self::Failed];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Undone => "undone",
            Self::Failed => "failed",
        }
    }
}

/// Connections that transactions have one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// `readers` or `writer` of SQLite, `connections` of PostgreSQL.
    pub name: &'static str,
    /// How many connections there are at most.
    pub limit: u32,
    /// How many are in use at the moment.
    pub in_use: u32,
    /// How long transactions have waited for one, in nanoseconds; those included that have given up.
    pub wait_nanoseconds: HistogramSnapshot,
}
