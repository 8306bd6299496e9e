//! `/formalize/...`

mod byte_exact;
mod data;
mod forms;
mod schemas;
mod submission_rights;
mod submissions;
