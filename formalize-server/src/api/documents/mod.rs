//! Documents that the library writes. The types describe them for the OpenAPI document.

pub mod exported;
pub mod questions;
pub mod summary;
