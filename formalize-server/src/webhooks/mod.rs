//! Delivers webhooks. `formalize-webhook-sender` sends the requests.

mod delivery;

pub use delivery::Deliveries;
