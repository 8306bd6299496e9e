//! Support for tests of the whole: PostgreSQL databases to test on, and the real programs as
//! processes.

pub mod postgres;
pub mod process;

pub use postgres::TestDatabase;
pub use process::{Server, ServerCommand, binary};

/// What can go wrong around a test. A test unwraps it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// A result of the support.
pub type Result<T> = std::result::Result<T, Error>;
