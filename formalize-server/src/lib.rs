//! The REST server of formalize.
//!
//! This library exists for the program `formalize-server` and its tests; its API is not stable. To embed forms in your
//! own program, use [`formalize_core`].

pub mod api;
mod app;
pub mod auth;
pub mod config;
pub mod connections;
pub mod contract;
pub mod directory;
pub mod exports;
pub mod failure;
pub mod feed;
mod gzip;
pub mod middleware;
pub mod observe;
pub mod openapi;
pub mod pages;
pub mod percent;
pub mod rate;
pub mod readiness;
pub mod relay;
pub mod request;
pub mod serve;
pub mod tag;
pub mod webhooks;
pub mod wire;

pub use app::{App, DEFAULT_BODY_LIMIT, Endpoints};
