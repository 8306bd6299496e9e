//! Notifications between servers that share a database.

use sqlx::postgres::{PgListener, PgPoolOptions};

use super::fault::fault;
use super::pool::Pool;
use super::session::Limits;
use crate::store::{Revocations, StoreResult};

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
    let mut listener = listener.map_err(fault)?;
    listener.listen(channel).await.map_err(fault)?;
    Ok(Box::new(Heard(listener)))
}

struct Heard(PgListener);

#[async_trait::async_trait]
impl Revocations for Heard {
    async fn next(&mut self) -> StoreResult<()> {
        // After a lost connection this returns too, because notifications may have been missed. The next call
        // reconnects.
        self.0.try_recv().await.map(drop).map_err(fault)
    }
}
