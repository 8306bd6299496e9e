//! Counts and measurements of a database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use formalize_core::internals::Histogram;
use formalize_core::statistics::HistogramSnapshot;
use tracing::Span;

use crate::statistics::{TransactionKind, TransactionOutcome, TransactionStatistics};

/// The number of transactions that share a COMMIT, in buckets with doubling bounds.
const BATCHES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The counts of a database, which clones share.
#[derive(Debug, Clone)]
pub(crate) struct StoreMetrics(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    statements: AtomicU64,
    /// Indexed by kind and outcome.
    transactions: [[Histogram; 3]; 2],
    commits: Histogram,
}

impl Default for StoreMetrics {
    fn default() -> Self {
        let transactions = || [(); 3].map(|()| Histogram::of_durations());
        Self(Arc::new(Counts {
            statements: AtomicU64::new(0),
            transactions: [transactions(), transactions()],
            commits: Histogram::new(BATCHES),
        }))
    }
}

impl StoreMetrics {
    /// Counts statements.
    pub(super) fn sent(&self, statements: u64) {
        self.0.statements.fetch_add(statements, Ordering::Relaxed);
    }

    /// The number of statements sent.
    pub(crate) fn statements(&self) -> u64 {
        self.0.statements.load(Ordering::Relaxed)
    }

    /// Counts a COMMIT by its number of transactions.
    pub(super) fn committed(&self, transactions: usize) {
        self.0
            .commits
            .add(u64::try_from(transactions).unwrap_or(u64::MAX));
    }

    pub(super) fn commits(&self) -> HistogramSnapshot {
        self.0.commits.snapshot()
    }

    /// Starts to measure a requested transaction.
    pub(super) fn timer(&self, kind: TransactionKind, system: &'static str) -> TransactionTimer {
        // The span is for tracing. Its level keeps it out of other logs.
        let span = tracing::trace_span!(
            target: "formalize_core::store",
            "transaction",
            otel.name = kind.name(),
            otel.kind = "client",
            db.system.name = system,
            formalize.transaction.outcome = tracing::field::Empty,
        );
        TransactionTimer {
            metrics: self.clone(),
            kind,
            began: Instant::now(),
            outcome: TransactionOutcome::Failed,
            span,
        }
    }

    pub(super) fn transactions(&self) -> Vec<TransactionStatistics> {
        let kinds = TransactionKind::ALL.into_iter().zip(&self.0.transactions);
        let rows = kinds.flat_map(|(kind, tallies)| {
            let outcomes = TransactionOutcome::ALL.into_iter().zip(tallies);
            outcomes.map(move |(outcome, tally)| TransactionStatistics {
                kind,
                outcome,
                nanoseconds: tally.snapshot(),
            })
        });
        // A read transaction has nothing to roll back.
        rows.filter(|row| {
            (row.kind, row.outcome) != (TransactionKind::Read, TransactionOutcome::Undone)
        })
        .collect()
    }
}

/// Measures a transaction from the request for it to its end.
#[derive(Debug)]
pub(super) struct TransactionTimer {
    metrics: StoreMetrics,
    kind: TransactionKind,
    began: Instant,
    outcome: TransactionOutcome,
    span: Span,
}

impl TransactionTimer {
    /// Counts statements.
    pub(super) fn count(&self, statements: u64) {
        self.metrics.sent(statements);
    }

    /// Must be called before a statement is sent, as it may fail.
    pub(super) fn statement_sent(&mut self) {
        self.outcome = TransactionOutcome::Failed;
    }

    /// Must be called after a statement succeeded. If the transaction ended now, it would be rolled back.
    pub(super) fn statement_succeeded(&mut self) {
        self.outcome = match self.kind {
            TransactionKind::Read => TransactionOutcome::Done,
            TransactionKind::Write => TransactionOutcome::Undone,
        };
    }

    /// Must be called after the transaction was committed.
    pub(super) fn committed(&mut self) {
        self.outcome = TransactionOutcome::Done;
    }
}

impl Drop for TransactionTimer {
    fn drop(&mut self) {
        self.span
            .record("formalize.transaction.outcome", self.outcome.name());
        let tallies = self.metrics.0.transactions.get(self.kind as usize);
        if let Some(tally) = tallies.and_then(|tallies| tallies.get(self.outcome as usize)) {
            tally.add_duration(self.began.elapsed());
        }
    }
}
