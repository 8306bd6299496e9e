//! The real programs over sockets, on both databases.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod browser;
mod client;
mod command_line;
mod config;
mod durability;
mod first_form;
mod identity;
mod life;
mod migration;
mod races;
mod readiness;
mod rolling;
mod schemas;
mod secrets;
mod stopping;
