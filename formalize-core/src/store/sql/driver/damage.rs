//! What a database says about its own files.

#[cfg(feature = "sqlite")]
use sqlx::AssertSqlSafe;
#[cfg(feature = "sqlite")]
use sqlx::sqlite::SqliteConnection;

use super::{Connection, Transaction};
use crate::store::StoreResult;

/// The tables, each with the identifier by which its rows are found.
#[cfg(feature = "sqlite")]
const TABLES: [(&str, &str); 8] = [
    ("groups", "id"),
    ("memberships", "id"),
    ("resources", "id"),
    ("grants", "id"),
    ("forms", "id"),
    ("submissions", "id"),
    ("submission_places", "form_id"),
    ("api_tokens", "id"),
];

/// The result code of a file that is not what it should be.
#[cfg(feature = "sqlite")]
const CORRUPT: i32 = 11;

impl Transaction {
    /// What the database finds wrong with itself, in its words; nothing when all is well. PostgreSQL checks what it
    /// reads, and has no such question.
    pub(in crate::store::sql) async fn damage(&mut self) -> StoreResult<Vec<String>> {
        let found = match self.connection()? {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(connection) => damage_of_sqlite(connection).await,
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => Ok(Vec::new()),
        };
        self.note(found)
    }
}

#[cfg(feature = "sqlite")]
async fn damage_of_sqlite(connection: &mut SqliteConnection) -> Result<Vec<String>, sqlx::Error> {
    let mut found = match integrity(connection).await {
        Err(sqlx::Error::Database(error)) if is_corrupt(&*error) => {
            vec![error.message().to_owned()]
        }
        other => other?,
    };
    found.retain(|line| line != "ok");
    if found.is_empty() {
        // Of files that are not whole, nothing else can be said.
        found = no_uuids(connection).await?;
        found.extend(other_references(connection).await?);
    }
    Ok(found)
}

#[cfg(feature = "sqlite")]
async fn integrity(connection: &mut SqliteConnection) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_all(connection)
        .await
}

#[cfg(feature = "sqlite")]
fn is_corrupt(error: &dyn sqlx::error::DatabaseError) -> bool {
    let code = error.code().and_then(|code| code.parse::<i32>().ok());
    code.is_some_and(|code| code & 0xff == CORRUPT)
}

/// SQLite takes any value in any column. What is no identifier stands outside the order in which rows are read.
#[cfg(feature = "sqlite")]
async fn no_uuids(connection: &mut SqliteConnection) -> Result<Vec<String>, sqlx::Error> {
    let mut found = Vec::new();
    for (table, id) in TABLES {
        let count = format!(
            "SELECT count(*) FROM {table} WHERE typeof({id}) <> 'blob' OR length({id}) <> 16"
        );
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&mut *connection)
            .await?;
        if count > 0 {
            found.push(format!("{count} rows of table {table} have no identifier"));
        }
    }
    Ok(found)
}

/// References that lead nowhere, from tables that are not the store's and so not looked at row by row.
#[cfg(feature = "sqlite")]
async fn other_references(connection: &mut SqliteConnection) -> Result<Vec<String>, sqlx::Error> {
    let broken: Vec<(String, String, i64)> = sqlx::query_as(
        "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2",
    )
    .fetch_all(connection)
    .await?;
    let others = broken
        .into_iter()
        .filter(|(table, ..)| TABLES.iter().all(|(known, _)| known != table));
    Ok(others
        .map(|(table, parent, count)| {
            format!("{count} rows of table {table} refer to rows of {parent} that are not there")
        })
        .collect())
}
