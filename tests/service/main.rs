//! Tests of the services of `formalize-core` through their public interface.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod many;
mod matrix;
mod plans;
mod races;
mod rules;
mod statements;
mod statistics;
mod verification;
mod walks;
