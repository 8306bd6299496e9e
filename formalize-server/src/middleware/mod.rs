//! Middleware that handles every request before and after its handler.

mod close_on_shutdown;
mod conditional;
mod cors;
mod guard;
pub mod media;
mod memory;
mod protect;
mod upload;

pub use close_on_shutdown::CloseOnShutdown;
pub use cors::Cors;
pub use guard::{Guarded, RequestGuard, RequestLimits};
pub use protect::protect;

#[cfg(test)]
mod tests;
