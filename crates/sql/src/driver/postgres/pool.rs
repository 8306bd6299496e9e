//! Connections to PostgreSQL that are reused immediately.
//!
//! When a connection is returned, the pool of sqlx tests it before it is borrowed again. For transactions of one statement,
//! that would double the number of round trips. So a connection that has just answered and has no open transaction
//! is kept here until its next use. It returns to the pool after a while, or when it is unused for a moment, because the
//! pool replaces broken and old connections.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use formalize_core::internals::Histogram;
use formalize_core::store::StoreResult;
use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool, PgTransactionManager};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::fault::connect_fault;
use super::hosts::Hosts;
use crate::statistics::PoolStatistics;

/// How long a connection that has answered is assumed to work.
pub(super) const ASSUMED_ALIVE: Duration = Duration::from_millis(500);
/// A server that has not accepted a connection after this time may be gone.
const SLOW_CONNECT: Duration = Duration::from_millis(200);
/// A server that has not answered a statement after this time may be gone.
const LONG_SILENCE: Duration = Duration::from_secs(1);
/// How long a connection stays outside of the pool of sqlx.
const MAX_BORROWED: Duration = Duration::from_secs(10);

/// The source of connections. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    sqlx: PgPool,
    /// The timeout for getting a connection, and for returning it to the pool.
    wait: Duration,
    /// `None` if the host application uses the pool as well.
    idle: Option<Arc<IdleConnections>>,
    /// `None` if the host application chooses the server.
    hosts: Option<Arc<Hosts>>,
    /// How long transactions waited for a connection.
    waits: Arc<Histogram>,
}

/// Connections between two uses.
#[derive(Debug)]
struct IdleConnections {
    /// One permit for each connection that the pool may lend.
    permits: Arc<Semaphore>,
    /// Most recently used connections are last; `None` after the pool was closed.
    connections: Mutex<Option<Vec<Borrowed>>>,
    server: ServerState,
}

/// What is known of the server. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct ServerState(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// When a connection was last found to be lost. Older ones are not used any more, because the server may have crashed, or
    /// may no longer take writes.
    last_loss: Mutex<Option<Instant>>,
    is_standby: AtomicBool,
}

impl ServerState {
    /// Notes whether a new connection led to a standby.
    pub(super) fn connected(&self, to_standby: bool) {
        self.0.is_standby.store(to_standby, Ordering::Relaxed);
    }

    /// Whether a connection of this age is from before the loss.
    pub(super) fn is_older(&self, age: Duration) -> bool {
        self.get().is_some_and(|loss| loss.elapsed() <= age)
    }

    /// Whether a connection in use since then is from before the loss.
    fn is_after(&self, since: Instant) -> bool {
        self.get().is_some_and(|loss| since <= loss)
    }

    fn get(&self) -> Option<Instant> {
        *self.lock()
    }

    fn lose(&self) {
        *self.lock() = Some(Instant::now());
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0
            .last_loss
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection taken from the pool. When it is dropped, it is rolled back and returned. It is closed if it does not
/// respond or its state is unknown.
#[derive(Debug)]
struct Borrowed {
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
    borrowed: Borrowed,
    slot: IdleSlot,
}

/// Where a connection is kept between two uses, and the permit for it.
type IdleSlot = Option<(Arc<IdleConnections>, OwnedSemaphorePermit)>;

impl Pool {
    /// A pool that only this store uses.
    pub(super) fn own(pool: PgPool, wait: Duration, hosts: Hosts, server: ServerState) -> Self {
        let most = pool.options().get_max_connections();
        let most = usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS);
        let idle = IdleConnections {
            permits: Arc::new(Semaphore::new(most)),
            connections: Mutex::new(Some(Vec::new())),
            server,
        };
        Self {
            sqlx: pool,
            wait,
            idle: Some(Arc::new(idle)),
            hosts: Some(Arc::new(hosts)),
            waits: Arc::new(Histogram::of_durations()),
        }
    }

    /// The pool of a host application.
    pub(super) fn shared(pool: PgPool, wait: Duration) -> Self {
        Self {
            sqlx: pool,
            wait,
            idle: None,
            hosts: None,
            waits: Arc::new(Histogram::of_durations()),
        }
    }

    /// Whether the pool belongs to this store alone, so that its connections are set up for it.
    pub(super) fn is_own(&self) -> bool {
        self.idle.is_some()
    }

    pub(super) fn sqlx_pool(&self) -> &PgPool {
        &self.sqlx
    }

    /// Whether the last connection led to a standby. `None` for a pool of a host application.
    pub(super) fn is_standby(&self) -> Option<bool> {
        let server = &self.idle.as_ref()?.server;
        Some(server.0.is_standby.load(Ordering::Relaxed))
    }

    /// Takes a connection, waiting until one is available.
    pub(super) async fn lease(&self) -> StoreResult<Lease> {
        let wanted = Instant::now();
        let leased = timeout(self.wait, self.next()).await;
        self.waits.add_duration(wanted.elapsed());
        leased
            .unwrap_or(Err(sqlx::Error::PoolTimedOut))
            .map_err(connect_fault)
            .inspect_err(|_| self.search_primary())
    }

    /// Closes the connections that are not in use, and looks for the primary server, because the connection of this lease was
    /// lost. Does nothing if this was known when the connection was taken.
    pub(super) fn lost(&self, lease: &Lease) {
        let Some(idle) = &self.idle else {
            return;
        };
        if !idle.server.is_after(lease.borrowed.since) {
            idle.server.lose();
            idle.close_all();
        }
        self.search_primary();
    }

    fn search_primary(&self) {
        if let Some(hosts) = &self.hosts {
            hosts.search(&self.sqlx, self.wait);
        }
    }

    /// The statistics of the pool.
    pub(super) fn statistics(&self) -> PoolStatistics {
        let limit = self.sqlx.options().get_max_connections();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let in_use = if let Some(idle) = &self.idle {
            limit.saturating_sub(number(idle.permits.available_permits()))
        } else {
            let idle = number(self.sqlx.num_idle());
            self.sqlx.size().saturating_sub(idle)
        };
        PoolStatistics {
            name: "connections",
            limit,
            in_use,
            wait_nanoseconds: self.waits.snapshot(),
        }
    }

    async fn next(&self) -> sqlx::Result<Lease> {
        let Some(idle) = &self.idle else {
            return self.borrow(None).await;
        };
        let permit = Arc::clone(&idle.permits).acquire_owned().await;
        let permit = permit.map_err(|_| sqlx::Error::PoolClosed)?;
        let slot = Some((Arc::clone(idle), permit));
        match idle.take() {
            Some(borrowed) => Ok(Lease { borrowed, slot }),
            None => self.borrow(slot).await,
        }
    }

    async fn borrow(&self, slot: IdleSlot) -> sqlx::Result<Lease> {
        // Boxed, because this future is large, and nearly every lease reuses a connection and never runs it.
        let connection = Box::pin(self.connect()).await?;
        let now = Instant::now();
        let borrowed = Borrowed {
            connection,
            wait: self.wait,
            since: now,
            used: now,
            settled: true,
        };
        Ok(Lease { borrowed, slot })
    }

    /// A connection of the pool of sqlx. While a server refuses connections, sqlx tries again after longer and longer pauses,
    /// until its time is over. So the search for the primary runs in the meantime, and when it succeeds, sqlx is called again.
    async fn connect(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        let Some(hosts) = &self.hosts else {
            return self.sqlx.acquire().await;
        };
        let first = async {
            let connect = self.sqlx.acquire();
            tokio::pin!(connect);
            if let Ok(connected) = timeout(SLOW_CONNECT, &mut connect).await {
                return Some(connected);
            }
            let found = hosts.found();
            tokio::pin!(found);
            found.as_mut().enable();
            self.search_primary();
            tokio::select! {
                connected = connect => Some(connected),
                () = found => None,
            }
        };
        match first.await {
            Some(connected) => connected,
            None => self.sqlx.acquire().await,
        }
    }

    /// Waits for current transactions, and closes the connections.
    pub(super) async fn close(&self) {
        if let Some(idle) = &self.idle {
            drop(idle.connections().take());
        }
        self.sqlx.close().await;
    }
}

impl IdleConnections {
    fn connections(&self) -> MutexGuard<'_, Option<Vec<Borrowed>>> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the most recently used connection, which has the most prepared statements. Connections that have not been
    /// used for a moment return to the pool.
    fn take(&self) -> Option<Borrowed> {
        let mut connections = self.connections();
        let idle = connections.as_mut()?;
        // The list is in the order of last use, so connections that were idle for long come first. Dropping one returns
        // it to the pool of sqlx, which checks it.
        let unneeded = idle.partition_point(|borrowed| borrowed.used.elapsed() > ASSUMED_ALIVE);
        drop(idle.drain(..unneeded));
        idle.pop()
    }

    /// Closes all connections.
    fn close_all(&self) {
        if let Some(idle) = self.connections().as_mut() {
            idle.drain(..).for_each(Borrowed::close);
        }
    }

    fn keep(&self, borrowed: Borrowed) {
        if self.server.is_after(borrowed.since) {
            borrowed.close();
            return;
        }
        if borrowed.since.elapsed() > MAX_BORROWED {
            return;
        }
        if let Some(idle) = self.connections().as_mut() {
            idle.push(borrowed);
        }
    }
}

impl Lease {
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        &mut self.borrowed.connection
    }

    /// When it was taken from the pool.
    pub(super) fn since(&self) -> Instant {
        self.borrowed.since
    }

    /// Sets whether it is known if a transaction is open. While it is not known, dropping the connection closes it.
    pub(super) fn settled(&mut self, known: bool) {
        self.borrowed.settled = known;
    }

    /// Makes the connection available at once. All statements must have been answered, and no transaction may be open.
    pub(super) fn release(mut self) {
        if let Some((idle, _permit)) = self.slot {
            self.borrowed.used = Instant::now();
            idle.keep(self.borrowed);
        }
    }
}

/// The server's response, or an error if it takes too long.
pub(super) async fn within<T>(
    limit: Duration,
    answer: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    timeout(limit, answer).await.unwrap_or_else(|_| {
        let silence = "PostgreSQL did not respond in time";
        Err(io::Error::new(io::ErrorKind::TimedOut, silence).into())
    })
}

/// The wait for answers on a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait<'a> {
    pub(super) pool: &'a Pool,
    /// When the connection was taken from the pool.
    pub(super) since: Instant,
    /// For how long, for each answer.
    pub(super) limit: Duration,
}

impl Wait<'_> {
    /// The server's answer, or an error if it takes too long.
    ///
    /// A server that is frozen or cut off does not close its connections. So if there are several servers, this asks from time
    /// to time whether another one has become the primary, and if so, it gives up.
    pub(super) async fn answer<T>(
        self,
        answer: impl Future<Output = sqlx::Result<T>>,
    ) -> sqlx::Result<T> {
        let hosts = self.pool.hosts.as_ref();
        let Some(hosts) = hosts.filter(|hosts| hosts.leaves_silent()) else {
            return within(self.limit, answer).await;
        };
        let answer = within(self.limit, answer);
        tokio::pin!(answer);
        loop {
            tokio::select! {
                biased;
                answer = &mut answer => return answer,
                () = hosts.found() => {}
                () = sleep(LONG_SILENCE) => self.pool.search_primary(),
            }
            if hosts.moved_after(self.since) {
                let moved = "another PostgreSQL server has become the primary";
                return Err(io::Error::new(io::ErrorKind::ConnectionAborted, moved).into());
            }
        }
    }
}

impl Borrowed {
    /// Closes the connection, so that it is not used again.
    fn close(mut self) {
        self.settled = false;
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // Outside of a runtime, sqlx can only close a connection.
        let runtime = Handle::try_current();
        // A transaction may be open on the server, for example if BEGIN was sent and its response was never read. Only
        // closing the connection is certain to roll it back.
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
                tracing::warn!("closed a connection to PostgreSQL that did not respond in time");
            }
        });
    }
}
