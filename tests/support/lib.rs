//! Support for tests: databases to test on, words for what a test builds up, worlds to measure in, the real programs as processes, and a
//! browser.

pub mod browser;
pub mod client;
pub mod endurance;
pub mod failing;
pub mod issuer;
pub mod postgres;
pub mod process;
pub mod proxy;
pub mod seed;
pub mod stores;
pub mod world;

pub use postgres::TestDatabase;
pub use process::{Server, ServerCommand, binary};

/// What can go wrong around a test. A test unwraps it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// A result of the support.
pub type Result<T> = std::result::Result<T, Error>;
