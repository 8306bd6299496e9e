//! A store in memory: the reference for other stores, and for embedding without a database.
//!
//! It is written to be obviously correct, not fast. Lists look at every row. A write transaction works on a copy of the
//! whole state, which replaces the state on commit. Only one transaction writes at a time, so locks need not do
//! anything.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio::sync::OwnedMutexGuard;

use crate::store::memory::state::State;
use crate::store::{OwnedTx, Part, ReadTx, Store, StoreError, StoreResult};

mod events;
mod parts;
mod read;
mod scope;
mod state;
mod webhooks;
mod write;

/// A store that keeps everything in memory while a handle to it exists.
///
/// Clones are handles to the same store. It keeps every promise of [`store`](crate::store) except durability.
///
/// ```
/// # formalize_conformance::example::run(async || {
/// use formalize_core::store::{Inserted, Store, memory::MemoryStore};
///
/// let store = MemoryStore::new();
/// let mut tx = store.write().await?;
/// assert_eq!(tx.insert_setting("colour", "blue").await?, Inserted::Done);
/// tx.commit().await?;
/// let colour = store.read().await?.find_setting("colour").await?;
/// assert_eq!(colour.as_deref(), Some("blue"));
/// # Ok(()) });
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryStore(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    committed: Mutex<Arc<State>>,
    /// Held by the write transaction. Waiting transactions are served in order.
    turn: Arc<tokio::sync::Mutex<()>>,
    closed: AtomicBool,
    without: Arc<[Part]>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store that does not keep some of the records, as a store of one's own may not.
    #[doc(hidden)]
    pub fn without(parts: &[Part]) -> Self {
        Self(Arc::new(Shared {
            without: parts.into(),
            ..Shared::default()
        }))
    }
}

impl Shared {
    fn begin<T>(&self, turn: T) -> Transaction<T> {
        Transaction {
            state: self.committed(),
            without: Arc::clone(&self.without),
            turn,
        }
    }

    fn committed(&self) -> Arc<State> {
        let committed = self.committed.lock();
        Arc::clone(&committed.unwrap_or_else(PoisonError::into_inner))
    }

    fn replace(&self, state: Arc<State>) {
        let committed = self.committed.lock();
        *committed.unwrap_or_else(PoisonError::into_inner) = state;
    }

    fn check_open(&self) -> StoreResult<()> {
        if self.closed.load(Ordering::SeqCst) {
            Err(StoreError::Unavailable("the store is closed".to_owned()))
        } else {
            Ok(())
        }
    }
}

/// A transaction. `T` is [`WriteLock`] for a write transaction, and `()` for a read transaction.
struct Transaction<T> {
    /// The state that the transaction sees. It is shared until the transaction changes it.
    state: Arc<State>,
    without: Arc<[Part]>,
    turn: T,
}

/// The right to write.
struct WriteLock {
    shared: Arc<Shared>,
    _guard: OwnedMutexGuard<()>,
}

#[async_trait]
impl Store for MemoryStore {
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.0.check_open()?;
        Ok(Box::new(self.0.begin(())))
    }

    async fn write(&self) -> StoreResult<Box<dyn OwnedTx>> {
        let turn = WriteLock {
            _guard: Arc::clone(&self.0.turn).lock_owned().await,
            shared: Arc::clone(&self.0),
        };
        self.0.check_open()?;
        Ok(Box::new(self.0.begin(turn)))
    }

    async fn ping(&self) -> StoreResult<()> {
        self.0.check_open()
    }

    async fn close(&self) {
        self.0.closed.store(true, Ordering::SeqCst);
        drop(self.0.turn.lock().await);
    }
}
