//! Test support.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

pub mod stores;
pub mod world;
