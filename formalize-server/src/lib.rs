//! The REST server of formalize.

pub mod api;
mod app;
pub mod auth;
pub mod config;
pub mod connections;
pub mod contract;
pub mod failure;
pub mod life;
pub mod middleware;
pub mod observe;
pub mod openapi;
pub mod percent;
pub mod rate;
pub mod serve;
pub mod tag;
pub mod wire;

pub use app::{App, DEFAULT_BODY_LIMIT};
