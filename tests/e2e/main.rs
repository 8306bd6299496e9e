//! Tests of the real programs over sockets, on both databases.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod attacks;
mod backup;
mod behind_proxies;
mod browser;
mod client;
mod command_line;
mod config;
mod database_away;
mod database_hosts;
mod docs_page;
mod documents;
mod durability;
mod editor;
mod endurance;
mod event_log;
mod event_order;
mod event_streams;
mod examples;
mod exports;
mod files;
mod first_start;
mod first_steps;
mod identity;
mod large_responses;
mod life;
mod limits;
mod link_uploads;
mod log_format;
mod lost_commits;
mod metrics;
mod migration;
mod mirror;
mod packaging;
mod pages;
mod pictures;
mod races;
mod readiness;
mod refusals;
mod relay;
mod request_log;
mod rolling;
mod s3;
mod schemas;
mod secrets;
mod slow_clients;
mod socket;
mod standby;
mod stopping;
mod storage;
mod traces;
mod webhooks;
mod writers;
