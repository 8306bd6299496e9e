//! API tokens.

use crate::id::TokenId;
use crate::model::subject::{Attributes, UserId};
use crate::time::Timestamp;

/// An API token. Only a hash of its secret is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiToken {
    /// The identifier; not a secret.
    pub id: TokenId,
    /// The user that it authenticates.
    pub user: UserId,
    /// The attributes of the user.
    pub attributes: Attributes,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The time of expiry; `None` is never.
    pub date_expires: Option<Timestamp>,
    /// The time of the last use, to within an hour; `None` is never.
    pub date_last_used: Option<Timestamp>,
}

/// A token to issue.
///
/// ```
/// use formalize_core::{Attributes, NewApiToken, UserId};
///
/// let token = NewApiToken {
///     user: UserId::new("backup")?,
///     attributes: Attributes::new(),
///     date_expires: Some("2027-01-01T00:00:00Z".parse()?),
/// };
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NewApiToken {
    /// The user that it authenticates.
    pub user: UserId,
    /// The attributes of the user.
    pub attributes: Attributes,
    /// The time of expiry; `None` is never.
    pub date_expires: Option<Timestamp>,
}

/// The SHA-256 hash of a token's secret, in lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretHash(pub(crate) String);

impl SecretHash {
    /// The 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
