//! The kinds of databases.

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A SQLite file, for a single server.
    Sqlite,
    /// A PostgreSQL server, for any number of servers.
    Postgres,
}
