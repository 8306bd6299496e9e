//! Tests of the program as scripts and users see it: standard output, standard error and exit code of every command.
//! Each test has a separate database: SQLite, and for tests of names, lists and tables also PostgreSQL.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

#[macro_use]
mod bench;

mod backup;
#[cfg(unix)]
mod conflicts;
mod connection;
mod events;
mod exits;
mod export;
mod files;
mod forms;
mod help;
mod imports;
mod lines;
mod links;
mod names;
mod people;
mod policies;
mod reference;
mod sessions;
mod sharing;
mod shell;
mod submissions;
mod tables;
mod verify;
mod webhooks;
