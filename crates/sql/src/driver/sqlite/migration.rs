//! Migrations of a SQLite database. The table of steps has the format of sqlx, as on PostgreSQL.

use formalize_core::store::StoreResult;
use rusqlite::{Connection, params};

use super::fault::fault;
use super::{File, blocking, when_free};
use crate::driver::fault::migration_failed;
use crate::driver::migration::{Applied, Step, TABLE, missing};

impl File {
    /// Applies the missing steps in one transaction on a separate connection, and returns them. Other processes wait.
    pub(super) async fn migrate(&self, steps: &'static [Step]) -> StoreResult<Vec<&'static Step>> {
        let file = self.clone();
        let migrated = blocking(move || {
            let begin = || {
                let connection = file.connect()?;
                connection.execute_batch("BEGIN IMMEDIATE")?;
                Ok(connection)
            };
            // If a step fails, the connection is dropped, which rolls back all of them.
            let connection = when_free(file.wait, begin).map_err(fault)?;
            let taken = take(&connection, steps)?;
            let committed = connection.execute_batch("COMMIT");
            committed.map_err(fault).map(|()| taken)
        });
        migrated.await?
    }
}

fn take(connection: &Connection, steps: &'static [Step]) -> StoreResult<Vec<&'static Step>> {
    let missing = missing(steps, &applied(connection).map_err(fault)?)?;
    for step in &missing {
        let failed = |error| migration_failed(fault(error), step.version);
        connection.execute_batch(step.text).map_err(failed)?;
        let note = format!(
            "INSERT INTO {TABLE} (version, description, success, checksum, execution_time) \
             VALUES (?1, ?2, TRUE, ?3, -1)"
        );
        let row = params![step.version, step.description, step.checksum()];
        connection.execute(&note, row).map_err(failed)?;
    }
    Ok(missing)
}

/// The applied steps. Creates their table if it does not exist.
fn applied(connection: &Connection) -> rusqlite::Result<Vec<Applied>> {
    connection.execute_batch(&format!(
        "CREATE TABLE IF NOT EXISTS {TABLE} (\
             version BIGINT PRIMARY KEY, \
             description TEXT NOT NULL, \
             installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, \
             success BOOLEAN NOT NULL, \
             checksum BLOB NOT NULL, \
             execution_time BIGINT NOT NULL)"
    ))?;
    let select = format!("SELECT version, checksum, success FROM {TABLE} ORDER BY version");
    let mut select = connection.prepare(&select)?;
    let rows = select.query_map((), |row| {
        Ok(Applied {
            version: row.get(0)?,
            checksum: row.get(1)?,
            is_complete: row.get(2)?,
        })
    })?;
    rows.collect()
}
