//! `/formalize/...`

mod byte_exact;
mod data;
mod forms;
mod questions;
mod schemas;
mod submissions;
