//! What a database says about its own files.

#[cfg(feature = "sqlite")]
use std::borrow::Cow;

#[cfg(feature = "sqlite")]
use super::sqlite::{Reading, Script, SqliteRow};
#[cfg(feature = "sqlite")]
use super::transaction::Connection;
use super::transaction::Transaction;
#[cfg(feature = "sqlite")]
use crate::store::StoreError;
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

impl Transaction {
    /// What the database finds wrong with itself, in its words; nothing when all is well. PostgreSQL checks what it
    /// reads, and has no such question.
    pub(in crate::store::sql) async fn damage(&mut self) -> StoreResult<Vec<String>> {
        let found = match self.connection()? {
            #[cfg(feature = "sqlite")]
            Connection::Reading(reading) => damage_of_sqlite(reading).await?,
            _ => Vec::new(),
        };
        self.answered();
        Ok(found)
    }
}

#[cfg(feature = "sqlite")]
async fn damage_of_sqlite(reading: &mut Reading) -> StoreResult<Vec<String>> {
    let mut found = match rows(reading, "PRAGMA integrity_check").await {
        Ok(rows) => rows
            .iter()
            .filter_map(|row| row.get("integrity_check"))
            .collect(),
        // What it cannot even check.
        Err(StoreError::Failed(why)) => vec![why],
        Err(other) => return Err(other),
    };
    found.retain(|line| line != "ok");
    if found.is_empty() {
        // Of files that are not whole, nothing else can be said.
        found = no_uuids(reading).await?;
        found.extend(other_references(reading).await?);
    }
    Ok(found)
}

#[cfg(feature = "sqlite")]
async fn rows(
    reading: &mut Reading,
    text: impl Into<Cow<'static, str>>,
) -> StoreResult<Vec<SqliteRow>> {
    Ok(reading.run(Script::long(text)).await?.rows)
}

/// SQLite takes any value in any column. What is no identifier stands outside the order in which rows are read.
#[cfg(feature = "sqlite")]
async fn no_uuids(reading: &mut Reading) -> StoreResult<Vec<String>> {
    let mut found = Vec::new();
    for (table, id) in TABLES {
        let count = format!(
            "SELECT count(*) AS number FROM {table} WHERE typeof({id}) <> 'blob' OR length({id}) <> 16"
        );
        let counted = rows(reading, count).await?;
        let count: i64 = counted
            .first()
            .and_then(|row| row.get("number"))
            .unwrap_or_default();
        if count > 0 {
            found.push(format!("{count} rows of table {table} have no identifier"));
        }
    }
    Ok(found)
}

/// References that lead nowhere, from tables that are not the store's and so not looked at row by row.
#[cfg(feature = "sqlite")]
async fn other_references(reading: &mut Reading) -> StoreResult<Vec<String>> {
    const BROKEN: &str = "SELECT \"table\" AS child, parent, count(*) AS number \
                          FROM pragma_foreign_key_check GROUP BY 1, 2";
    let broken = rows(reading, BROKEN).await?;
    let broken = broken.iter().filter_map(|row| {
        let (table, parent): (String, String) = (row.get("child")?, row.get("parent")?);
        let known = TABLES.iter().any(|(known, _)| *known == table);
        let count: i64 = row.get("number")?;
        (!known).then(|| {
            format!("{count} rows of table {table} refer to rows of {parent} that are not there")
        })
    });
    Ok(broken.collect())
}
