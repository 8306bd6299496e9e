//! `/formalize/...`

mod batches;
mod byte_exact;
mod data;
mod deletions;
mod event_stream;
mod events;
mod exports;
mod form_links;
mod forms;
mod questions;
mod schemas;
mod submissions;
mod summary;
mod webhook_outage;
mod webhooks;
