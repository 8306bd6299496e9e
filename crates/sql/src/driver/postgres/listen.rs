//! Notifications between servers that share a database.

use formalize_core::StoreError;
use formalize_core::store::{Revocations, StoreResult};
use sqlx::postgres::{PgListener, PgPoolOptions};

use super::fault::{connect_fault, fault};
use super::pool::Pool;
use super::session::Limits;

/// Listens to a channel on a dedicated connection, which stays open indefinitely.
pub(super) async fn listen(
    pool: &Pool,
    limits: Limits,
    channel: &str,
) -> StoreResult<Box<dyn Revocations>> {
    let own = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(limits.wait);
    let server = pool.sqlx_pool().connect_options().as_ref().clone();
    let listener = PgListener::connect_with(&own.connect_lazy_with(server)).await;
    let mut listener = listener.map_err(connect_fault)?;
    listener.listen(channel).await.map_err(fault)?;
    Ok(Box::new(RevocationListener(listener)))
}

struct RevocationListener(PgListener);

#[async_trait::async_trait]
impl Revocations for RevocationListener {
    async fn next(&mut self) -> StoreResult<()> {
        // After a lost connection there may be another primary, so the caller must listen again.
        match self.0.try_recv().await.map_err(fault)? {
            Some(_) => Ok(()),
            None => Err(StoreError::Disconnected(
                "the connection for notifications was closed".to_owned(),
            )),
        }
    }
}
