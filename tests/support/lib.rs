//! Support for tests: attacks, databases, helpers that create records, databases for measurements, the real programs as
//! processes, folders of files, a browser, and waiting.

pub mod attacks;
pub mod browser;
pub mod client;
mod contents;
pub mod endurance;
pub mod failing;
mod failing_files;
pub mod failover;
pub mod issuer;
pub mod moto;
pub mod patience;
pub mod postgres;
pub mod process;
mod provider;
pub mod proxy;
pub mod receiver;
pub mod seed;
pub mod statements;
pub mod stores;
pub mod world;

pub use contents::contents;
pub use failing_files::{FILE_CAUSE, FailingFileStore, FileStep};
pub use postgres::TestDatabase;
pub use process::{Server, ServerCommand, binary};

/// An error in test support, which tests unwrap.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The result type of test support.
pub type Result<T> = std::result::Result<T, Error>;

/// Writes a result of a program to standard output.
#[expect(
    clippy::print_stdout,
    reason = "the results are the output of the program"
)]
pub fn print(text: &str) {
    println!("{text}");
}

/// Writes the progress of a program to standard error.
#[expect(
    clippy::print_stderr,
    reason = "a run takes minutes, so progress is shown"
)]
pub fn note(text: &str) {
    eprintln!("{text}");
}
