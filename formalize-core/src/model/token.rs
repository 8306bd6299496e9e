//! API tokens.

use crate::id::TokenId;
use crate::model::subject::{Attributes, UserId};
use crate::time::Timestamp;

/// An API token; its secret is not kept, only a hash.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiToken {
    /// Names the token; it is no secret.
    pub id: TokenId,
    /// The user that it stands for.
    pub user: UserId,
    /// What it says about the user.
    pub attributes: Attributes,
    /// When it was issued.
    pub date_created: Timestamp,
    /// From when on it is void; `None`: never.
    pub date_expires: Option<Timestamp>,
    /// When it was used last, to within an hour; `None`: never.
    pub date_last_used: Option<Timestamp>,
}

/// A token to be issued.
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
    /// The user that it will stand for.
    pub user: UserId,
    /// What it will say about the user.
    pub attributes: Attributes,
    /// From when on it will be void; `None`: never.
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
