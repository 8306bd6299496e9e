//! Rows of results.

#[cfg(feature = "postgres")]
use sqlx::Row as _;
#[cfg(feature = "postgres")]
use sqlx::postgres::PgRow;
use uuid::Uuid;

#[cfg(feature = "sqlite")]
use super::sqlite::SqliteRow;

/// A row of a result.
pub(in crate::store::sql) enum Row {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteRow),
    #[cfg(feature = "postgres")]
    Postgres(PgRow),
}

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)+) => {
        impl Row {$(
            $(#[$doc])*
            pub(in crate::store::sql) fn $name(&self, column: &str) -> Option<$type> {
                match self {
                    #[cfg(feature = "sqlite")]
                    Self::Sqlite(row) => row.get(column),
                    #[cfg(feature = "postgres")]
                    Self::Postgres(row) => row.try_get(column).ok(),
                }
            }
        )+}
    };
}

// `None` if there is no such column or its value has another type.
columns! {
    uuid: Uuid;
    optional_uuid: Option<Uuid>;
    text: String;
    optional_text: Option<String>;
    int: i64;
    optional_int: Option<i64>;
    bool: bool;
}
