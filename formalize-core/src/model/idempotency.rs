//! Requests that can be sent again without being performed again.

use std::str::FromStr;
use std::time::Duration;

use crate::model::subject::UserId;
use crate::time::Timestamp;

/// A key that a client chooses for a request: 1 to 255 printable ASCII characters.
///
/// Keys belong to their user: the same key of two users is two keys.
///
/// ```
/// use formalize_core::idempotency::IdempotencyKey;
///
/// assert_eq!(IdempotencyKey::new("order 17")?.as_str(), "order 17");
/// assert!("".parse::<IdempotencyKey>().is_err());
/// assert!("bestellung ä".parse::<IdempotencyKey>().is_err());
/// # Ok::<(), formalize_core::idempotency::InvalidKey>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(pub(super) String);

/// The text is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to 255 printable ASCII characters")]
pub struct InvalidKey;

impl IdempotencyKey {
    /// The maximum number of characters.
    pub const MAX_CHARS: usize = 255;

    /// Parses a key.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] if it is empty, too long, or has other characters.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidKey> {
        let text = text.into();
        let is_printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let fits = !text.is_empty() && text.len() <= Self::MAX_CHARS && is_printable;
        ensure!(fits, InvalidKey);
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

displayed! { IdempotencyKey }

/// The SHA-256 of a request. It distinguishes a repeated request from another one with the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

/// A request with a key, which is performed once however often it is sent.
///
/// ```
/// # use formalize_conformance::example::*; with_formalize(async |formalize| {
/// let request = KeyedRequest {
///     key: IdempotencyKey::new("4b1f")?,
///     // The hash of everything that the client sent.
///     fingerprint: Fingerprint([7; 32]),
///     retention: Duration::from_hours(24),
/// };
/// let response = |created: &Viewed<Group>| created.item.id.to_string();
/// let (groups, new) = (formalize.groups(), NewGroup { name: GroupName::new("Editors")? });
/// let once = groups.create_once(&Caller::System, new.clone(), Some(&request), &response).await?;
/// let Once::Done(group) = once else { panic!() };
/// let again = groups.create_once(&Caller::System, new, Some(&request), &response).await?;
/// assert_eq!(again, Once::Repeated(group.item.id.to_string()));
/// # Ok(()) });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    /// The key.
    pub key: IdempotencyKey,
    /// Everything that the request consists of.
    pub fingerprint: Fingerprint,
    /// How long the response is kept after the request was performed.
    pub retention: Duration,
}

/// The outcome of a [`KeyedRequest`].
#[derive(Debug, Clone, PartialEq)]
pub enum Once<T> {
    /// The request was performed, and its response is kept.
    Done(T),
    /// The request was performed before. This is the response that was kept then. What it describes may have been changed
    /// or deleted since.
    Repeated(String),
}

/// The kept response to a request with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptResponse {
    /// The user whose key it is.
    pub owner: UserId,
    /// The key.
    pub key: IdempotencyKey,
    /// What the request was.
    pub fingerprint: Fingerprint,
    /// The response, in the words of the program that received the request.
    pub response: String,
    /// From then on, the key counts as unused.
    pub date_expires: Timestamp,
}
