//! What servers on one database tell each other.

#[cfg(feature = "postgres")]
use sqlx::postgres::{PgListener, PgPoolOptions};

#[cfg(feature = "postgres")]
use super::fault;
use super::{Connections, Database};
use crate::store::{Revocations, StoreResult};

impl Database {
    /// Hears what is announced on a channel. A SQLite database cannot tell.
    pub(in crate::store::sql) async fn listen(
        &self,
        #[cfg_attr(
            not(feature = "postgres"),
            expect(unused_variables, reason = "nobody listens to a file")
        )]
        channel: &str,
    ) -> StoreResult<Option<Box<dyn Revocations>>> {
        match &self.connections {
            #[cfg(feature = "sqlite")]
            Connections::Sqlite { .. } => Ok(None),
            #[cfg(feature = "postgres")]
            Connections::Postgres { pool, limits } => {
                // A connection of its own, since it is kept for good.
                let own = PgPoolOptions::new()
                    .max_connections(1)
                    .acquire_timeout(limits.wait);
                let server = pool.lender().connect_options().as_ref().clone();
                let listener = PgListener::connect_with(&own.connect_lazy_with(server)).await;
                let mut listener = listener.map_err(fault)?;
                listener.listen(channel).await.map_err(fault)?;
                Ok(Some(Box::new(Heard(listener))))
            }
        }
    }
}

#[cfg(feature = "postgres")]
struct Heard(PgListener);

#[cfg(feature = "postgres")]
#[async_trait::async_trait]
impl Revocations for Heard {
    async fn next(&mut self) -> StoreResult<()> {
        // Where the connection was lost, so may have been what was announced meanwhile; the next call connects again.
        self.0.try_recv().await.map(drop).map_err(fault)
    }
}
