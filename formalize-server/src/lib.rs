//! The REST server of formalize.

pub mod api;
pub mod auth;
pub mod contract;
pub mod failure;
pub mod middleware;
pub mod percent;
pub mod wire;
