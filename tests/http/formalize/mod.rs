//! `/formalize/...`

mod byte_exact;
mod data;
mod forms;
mod schemas;
mod submissions;
