//! Connections to PostgreSQL, which are used again at once.
//!
//! The pool of sqlx asks a connection that comes back whether it still answers, and lends it again only then. Where a
//! transaction is one question, every other way to the server would be for that. So a connection that has just answered,
//! and has nothing open, rests here until its next use. It goes back into the pool when it has been away for a while, or
//! was not needed for a moment: the pool replaces what is broken or old.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool, PgTransactionManager};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::fault;
use crate::statistics::Histogram;
use crate::store::StoreResult;
use crate::store::sql::statistics::PoolStatistics;

/// What answered so recently is believed to answer again.
pub(super) const MOMENT: Duration = Duration::from_millis(500);
/// How long a connection stays away from the pool of sqlx.
const AWAY: Duration = Duration::from_secs(10);

/// Where connections come from. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    lender: PgPool,
    /// How long to wait for a connection, and for one to be given back.
    wait: Duration,
    /// None where the host application needs the connections too.
    resting: Option<Arc<Resting>>,
    /// How long transactions have waited for a connection.
    waits: Arc<Histogram>,
}

/// Connections between two uses.
#[derive(Debug)]
struct Resting {
    /// One for each connection that the pool may lend.
    permits: Arc<Semaphore>,
    /// Those used last come last; nothing once the pool is closed.
    connections: Mutex<Option<Vec<Lent>>>,
}

/// A connection of the pool, away from it. Dropped, it goes back, what it has begun undone; one that does not answer, or
/// whose state is not known, is closed.
#[derive(Debug)]
struct Lent {
    connection: PoolConnection<Postgres>,
    wait: Duration,
    since: Instant,
    used: Instant,
    /// Whether it is known if a transaction is open.
    settled: bool,
}

/// A connection in use.
#[derive(Debug)]
pub(super) struct Lease {
    lent: Lent,
    home: Home,
}

/// Where a connection may rest, with the permit to use it.
type Home = Option<(Arc<Resting>, OwnedSemaphorePermit)>;

impl Pool {
    /// A pool that nobody else takes connections from.
    pub(super) fn own(lender: PgPool, wait: Duration) -> Self {
        let most = lender.options().get_max_connections();
        let most = usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS);
        let resting = Resting {
            permits: Arc::new(Semaphore::new(most)),
            connections: Mutex::new(Some(Vec::new())),
        };
        Self {
            lender,
            wait,
            resting: Some(Arc::new(resting)),
            waits: Arc::new(Histogram::of_durations()),
        }
    }

    /// The pool of a host application.
    pub(super) fn shared(lender: PgPool, wait: Duration) -> Self {
        Self {
            lender,
            wait,
            resting: None,
            waits: Arc::new(Histogram::of_durations()),
        }
    }

    /// Whether its connections are set up as the store needs them, and nobody else's.
    pub(super) fn is_own(&self) -> bool {
        self.resting.is_some()
    }

    pub(super) fn lender(&self) -> &PgPool {
        &self.lender
    }

    /// A connection, as soon as there is one.
    pub(super) async fn lease(&self) -> StoreResult<Lease> {
        let wanted = Instant::now();
        let leased = timeout(self.wait, self.next()).await;
        self.waits.add_duration(wanted.elapsed());
        leased
            .unwrap_or(Err(sqlx::Error::PoolTimedOut))
            .map_err(fault)
    }

    /// What these connections are and do.
    pub(super) fn statistics(&self) -> PoolStatistics {
        let limit = self.lender.options().get_max_connections();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let in_use = if let Some(resting) = &self.resting {
            limit.saturating_sub(number(resting.permits.available_permits()))
        } else {
            let idle = number(self.lender.num_idle());
            self.lender.size().saturating_sub(idle)
        };
        PoolStatistics {
            name: "connections",
            limit,
            in_use,
            wait_nanoseconds: self.waits.snapshot(),
        }
    }

    async fn next(&self) -> sqlx::Result<Lease> {
        let Some(resting) = &self.resting else {
            return self.borrow(None).await;
        };
        let permit = Arc::clone(&resting.permits).acquire_owned().await;
        let permit = permit.map_err(|_| sqlx::Error::PoolClosed)?;
        let home = Some((Arc::clone(resting), permit));
        match resting.take() {
            Some(lent) => Ok(Lease { lent, home }),
            None => self.borrow(home).await,
        }
    }

    async fn borrow(&self, home: Home) -> sqlx::Result<Lease> {
        let connection = self.lender.acquire().await?;
        let now = Instant::now();
        let lent = Lent {
            connection,
            wait: self.wait,
            since: now,
            used: now,
            settled: true,
        };
        Ok(Lease { lent, home })
    }

    /// Waits for what is under way, and closes the connections.
    pub(super) async fn close(&self) {
        if let Some(resting) = &self.resting {
            drop(resting.connections().take());
        }
        self.lender.close().await;
    }
}

impl Resting {
    fn connections(&self) -> MutexGuard<'_, Option<Vec<Lent>>> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The one that was used last, which knows the statements best. Those that nobody has needed for a moment go back.
    fn take(&self) -> Option<Lent> {
        let mut connections = self.connections();
        let resting = connections.as_mut()?;
        let unneeded = resting.partition_point(|lent| lent.used.elapsed() > MOMENT);
        drop(resting.drain(..unneeded));
        resting.pop()
    }

    fn keep(&self, lent: Lent) {
        if lent.since.elapsed() > AWAY {
            return;
        }
        if let Some(resting) = self.connections().as_mut() {
            resting.push(lent);
        }
    }
}

impl Lease {
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        &mut self.lent.connection
    }

    /// Says whether it is known if a transaction is open. As long as it is not, a connection that is dropped is closed.
    pub(super) fn settled(&mut self, known: bool) {
        self.lent.settled = known;
    }

    /// Lets somebody else have the connection at once. It must have answered everything, and have nothing open.
    pub(super) fn rest(mut self) {
        if let Some((resting, _permit)) = self.home {
            self.lent.used = Instant::now();
            resting.keep(self.lent);
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // Without a runtime sqlx can only let go of a connection, which ends it.
        let runtime = Handle::try_current();
        if !self.settled && runtime.is_ok() {
            self.connection.close_on_drop();
            return;
        }
        PgTransactionManager::start_rollback(&mut self.connection);
        let (wait, returned) = (self.wait, self.connection.return_to_pool());
        let Ok(runtime) = runtime else {
            return;
        };
        runtime.spawn(async move {
            if timeout(wait, returned).await.is_err() {
                tracing::warn!("a connection to PostgreSQL does not answer, it is closed");
            }
        });
    }
}
