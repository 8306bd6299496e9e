//! The suite on both databases.

#[cfg(feature = "conformance")]
mod sqlite {
    use std::sync::Arc;

    use crate::store::Store;
    use crate::store::sql::{SqlOptions, SqlStore};

    async fn empty_store() -> (Arc<dyn Store>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/test.db", folder.path().display());
        let store = SqlStore::open(&url, &SqlOptions::default()).await.unwrap();
        store.migrate().await.unwrap();
        (Arc::new(store), folder)
    }

    crate::conformance_suite!(empty_store());
}

#[cfg(feature = "conformance")]
mod postgres {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

    use crate::store::Store;
    use crate::store::sql::{SqlOptions, SqlStore};

    async fn empty_store() -> Arc<dyn Store> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let base = std::env::var("FORMALIZE_TEST_POSTGRES_URL").unwrap();
        let mut connection = PgConnection::connect(&format!("{base}/postgres"))
            .await
            .unwrap();
        let name = format!(
            "t{}_{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::SeqCst)
        );
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut connection)
            .await
            .unwrap();
        let options = SqlOptions {
            connections: 20,
            ..SqlOptions::default()
        };
        let store = SqlStore::open(&format!("{base}/{name}"), &options)
            .await
            .unwrap();
        store.migrate().await.unwrap();
        Arc::new(store)
    }

    crate::conformance_suite!(@all tests { empty_store(); #[ignore = "needs FORMALIZE_TEST_POSTGRES_URL"] });
}
