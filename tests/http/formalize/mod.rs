//! `/formalize/...`

mod byte_exact;
mod data;
mod exports;
mod form_links;
mod forms;
mod questions;
mod schemas;
mod submissions;
mod summary;
mod webhooks;
