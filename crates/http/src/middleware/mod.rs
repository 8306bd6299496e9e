//! Middleware that handles every request before and after its handler.

mod close_on_shutdown;
pub mod conditional;
mod cors;
mod guard;
mod head;
mod intake;
pub mod media;
pub mod memory;
mod protect;
pub mod upload;

pub use close_on_shutdown::CloseOnShutdown;
pub use cors::Cors;
pub use guard::{Guarded, RequestGuard};
pub use head::bound_head;
pub use intake::count;
pub use intake::{Intake, RequestLimits, UploadLimits};
pub use protect::protect;
pub use upload::Streamed;

#[cfg(test)]
mod tests;
