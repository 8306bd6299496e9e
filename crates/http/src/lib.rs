//! What every front end over HTTP uses: settings, credentials, limits, the steps of a request, bodies, failures and observation.
//!
//! This library exists for the server of formalize; its API is not stable.

pub mod auth;
pub mod config;
pub mod connections;
pub mod contract;
pub mod directory;
pub mod exports;
pub mod failure;
pub mod files;
pub mod gzip;
pub mod middleware;
pub mod observe;
pub mod percent;
pub mod rate;
pub mod readiness;
pub mod request;
pub mod tag;
