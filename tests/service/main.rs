//! The services of `formalize-core`, from the outside: who may do what, and what comes of it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "what fails here fails the test"
)]

mod matrix;
mod plans;
mod races;
mod rules;
mod statements;
mod statistics;
mod submission_rights;
mod verification;
