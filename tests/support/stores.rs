//! The stores that tests run on.
//!
//! A test of the services is written once, as an `async fn` that is given a store, and
//! [`on_every_store!`](crate::on_every_store) makes one test of it for each kind of store. A test of races is given a
//! [`Database`] instead, which it opens as often as it wants servers.

use std::sync::Arc;

use formalize_core::Store;
use formalize_core::store::memory::MemoryStore;

/// Somewhere records are kept. It goes when it is dropped.
pub struct Database(Kind);

enum Kind {
    Memory(MemoryStore),
}

impl Database {
    /// A store in memory.
    pub fn memory() -> Self {
        Self(Kind::Memory(MemoryStore::new()))
    }

    /// Opens the database once more: a store with connections of its own, as another server has them.
    pub async fn open(&self) -> Arc<dyn Store> {
        match &self.0 {
            Kind::Memory(store) => Arc::new(store.clone()),
        }
    }
}

/// Makes one test for each kind of store of every `async fn(Arc<dyn Store>)` that is named.
#[macro_export]
macro_rules! on_every_store {
    ($($body:ident),+ $(,)?) => {
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $body() {
                    let database = $crate::stores::Database::memory();
                    super::$body(database.open().await).await;
                }
            )+
        }
    };
}

/// Makes one test for each kind of store of every `async fn(Database)` that is named.
#[macro_export]
macro_rules! on_every_database {
    ($($body:ident),+ $(,)?) => {
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $body() {
                    super::$body($crate::stores::Database::memory()).await;
                }
            )+
        }
    };
}
