//! Middleware that handles every request before and after its handler.

mod close_on_shutdown;
mod conditional;
mod cors;
mod guard;
pub mod media;
mod request_id;

pub use close_on_shutdown::CloseOnShutdown;
pub use cors::{AllowedOrigin, Cors, InvalidOrigin};
pub use guard::{Guarded, RequestGuard, RequestLimits};
pub use request_id::RequestId;

#[cfg(test)]
mod tests;
