//! Runs the conformance suites on every store.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use formalize_conformance::conformance_suite;
use formalize_core::store::Store;
use formalize_sql::{SqlOptions, SqlStore};

async fn open(url: &str) -> Arc<SqlStore> {
    Arc::new(SqlStore::open(url, &SqlOptions::default()).await.unwrap())
}

mod databases;
mod file_stores;
mod parts;
mod upgrades;

mod memory {
    use formalize_core::store::memory::MemoryStore;

    use super::*;

    fn empty_store() -> std::future::Ready<Arc<dyn Store>> {
        std::future::ready(Arc::new(MemoryStore::new()))
    }

    conformance_suite!(empty_store());
}

mod sqlite {
    use super::*;

    async fn empty_store() -> (Arc<dyn Store>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&format!(
            "sqlite://{}",
            folder.path().join("formalize.db").display()
        ))
        .await;
        store.migrate().await.unwrap();
        (store, folder)
    }

    conformance_suite!(empty_store());
}

mod postgres {
    use formalize_tests::TestDatabase;

    use super::*;

    /// The template database is created anew when this text changes.
    const MIGRATIONS: &str = include_str!("../../crates/sql/migrations/0001_initial.sql");

    async fn empty_store() -> (Arc<dyn Store>, TestDatabase) {
        let migrate = async |url: String| {
            let store = open(&url).await;
            store.migrate().await?;
            store.close().await;
            Ok::<(), formalize_core::StoreError>(())
        };
        let database = TestDatabase::migrated(MIGRATIONS, migrate).await.unwrap();
        (open(database.url()).await, database)
    }

    conformance_suite!(
        empty_store(),
        #[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
    );
}
