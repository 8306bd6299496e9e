//! Where webhooks may send: to the public internet, and to what the operator allows besides.
//!
//! URLs come from users, and the server sends from inside the operator's network. A URL is checked when it is saved; the
//! addresses of its host are checked at each connection, because names can change.

mod address;
mod allowed;
#[cfg(test)]
mod tests;
mod url;

pub use self::address::is_global;
pub use self::allowed::{AllowedTarget, AllowedTargets, InvalidTarget};
pub use self::url::{InvalidWebhookUrl, MAX_WEBHOOK_URL_CHARS, WebhookHost, WebhookUrl};
