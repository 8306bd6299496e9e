//! The REST server of formalize.
//!
//! This library exists for the program `formalize-server` and its tests; its API is not stable. To embed forms in your
//! own program, use [`formalize_core`].

pub mod api;
mod app;
pub mod feed;
pub mod openapi;
pub mod serve;
mod urls;
pub mod webhooks;

pub use app::{App, Endpoints};
