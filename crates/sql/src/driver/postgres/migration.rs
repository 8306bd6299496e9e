//! Migrations of a PostgreSQL database, with sqlx.

use formalize_core::store::StoreResult;
use sqlx::migrate::{Migrate as _, MigrateError, Migration, MigrationType};
use sqlx::{SqlSafeStr as _, postgres::PgConnection};

use super::fault::{fault, migration_fault};
use super::{pool::Pool, session};
use crate::driver::fault::migration_failed;
use crate::driver::migration::{Applied, Step, TABLE, missing};

/// Applies the missing steps, and returns them. Other servers wait for the migrator's lock.
///
/// The connection is always closed afterwards. It holds the lock, which a failure does not release, and its timeouts
/// are removed: a statement may take any time, if only because another server is migrating.
pub(super) async fn migrate(
    pool: &Pool,
    steps: &'static [Step],
) -> StoreResult<Vec<&'static Step>> {
    let mut lease = pool.lease().await?;
    lease.settled(false);
    let connection = lease.connection();
    session::lift_limits(connection).await.map_err(fault)?;
    connection.lock().await.map_err(migration_fault)?;
    let missing = missing(steps, &applied(connection).await.map_err(migration_fault)?)?;
    for step in &missing {
        let description = step.description.into();
        let text = step.text.into_sql_str();
        let kind = MigrationType::Simple;
        let migration = Migration::new(step.version, description, kind, text, false);
        let taken = connection.apply(TABLE, &migration).await;
        taken.map_err(|error| migration_failed(migration_fault(error), step.version))?;
    }
    Ok(missing)
}

async fn applied(connection: &mut PgConnection) -> Result<Vec<Applied>, MigrateError> {
    connection.ensure_migrations_table(TABLE).await?;
    let incomplete = connection.dirty_version(TABLE).await?;
    let rows = connection.list_applied_migrations(TABLE).await?;
    let applied = rows.into_iter().map(|row| Applied {
        version: row.version,
        checksum: row.checksum.into_owned(),
        is_complete: incomplete != Some(row.version),
    });
    Ok(applied.collect())
}
