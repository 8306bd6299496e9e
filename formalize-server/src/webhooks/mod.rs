//! Sends webhooks: requests to URLs that users choose, from inside the operator's network.
//!
//! Every connection is opened by `connection.rs`, which resolves the name, checks each address, and connects to exactly
//! those addresses. Redirects are not followed, proxies in the environment are ignored, and responses are not kept.

mod connection;
mod delivery;
mod kept;
mod no_transport;
mod proxy;
mod resolver;
mod retry_after;
mod sender;
#[cfg(test)]
mod tests;

pub use delivery::Deliveries;
pub use no_transport::NoWebhookTransport;
pub use resolver::{Resolve, SystemResolver};
pub use sender::Sender;
