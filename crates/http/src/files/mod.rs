//! Files in requests and responses.

mod content;
mod parts;

pub use content::{FileContent, WantedContent};
pub use parts::{FormFile, FormParts, at_fault, may_change};
