//! `/formalize/...`

mod byte_exact;
mod data;
mod forms;
mod submission_rights;
mod submissions;
