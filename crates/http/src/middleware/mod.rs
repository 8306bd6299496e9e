//! Middleware that handles every request before and after its handler.

mod close_on_shutdown;
pub mod conditional;
mod cors;
mod guard;
mod head;
mod intake;
pub mod media;
mod memory;
mod protect;
mod steps;
mod upload;

pub use close_on_shutdown::CloseOnShutdown;
pub use cors::Cors;
pub use guard::{Guarded, RequestGuard};
pub use head::bound_head;
pub use intake::{Intake, RequestLimits, UploadLimits};
pub use protect::protect;
pub use steps::{Arrival, Arrived, Counted, Limit};
pub use upload::{BodyError, Streamed};

#[cfg(test)]
mod tests;
