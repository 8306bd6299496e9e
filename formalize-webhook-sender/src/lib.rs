//! Sends webhooks: requests to URLs that users choose, from inside the operator's network.
//!
//! Every connection is opened by `connection.rs`, which resolves the name, checks each address, and connects to exactly
//! those addresses. Redirects are not followed, proxies in the environment are ignored, and responses are not kept.
//!
//! ```
//! use formalize_core::webhooks::AllowedTargets;
//! use formalize_webhook_sender::Sender;
//!
//! // To the public internet only, without a proxy.
//! let sender = Sender::new(AllowedTargets::default(), None);
//! ```

mod chain;
mod connection;
mod kept;
mod no_transport;
mod proxy;
mod resolver;
mod retry_after;
mod sender;
#[cfg(test)]
mod tests;
mod tls;

pub use chain::chain;
pub use no_transport::NoWebhookTransport;
pub use resolver::{Resolve, SystemResolver};
pub use sender::Sender;
pub use tls::use_ring;
