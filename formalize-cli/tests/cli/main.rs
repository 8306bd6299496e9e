//! The program as scripts and people see it: standard output, standard error and exit code of every command, on a
//! SQLite database of its own for each test.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

mod backup;
mod bench;
#[cfg(unix)]
mod conflicts;
mod connection;
mod exits;
mod forms;
mod help;
mod import;
mod names;
mod people;
mod policies;
mod reference;
mod sharing;
mod shell;
mod submissions;
