//! `/formalize/...`

mod byte_exact;
mod data;
mod form_links;
mod forms;
mod questions;
mod schemas;
mod submissions;
