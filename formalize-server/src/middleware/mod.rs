//! What happens to every request before and after its handler.

mod conditional;
mod cors;
mod farewell;
mod judge;
pub mod media;
mod request_id;

pub use cors::{AllowedOrigin, Cors, InvalidOrigin};
pub use farewell::Farewell;
pub use judge::{Judge, Judged, RequestLimits};
pub use request_id::RequestId;

#[cfg(test)]
mod tests;
