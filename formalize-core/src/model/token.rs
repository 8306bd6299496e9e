//! API tokens and sessions.

use std::time::Duration;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::id::TokenId;
use crate::model::subject::{Attributes, Caller, UserId};
use crate::model::text::opaque_texts;
use crate::time::Timestamp;

/// The precision of the recorded last use of an API token. A write for every request would cost more than the request.
const API_TOKEN_PRECISION: Duration = Duration::from_hours(1);

/// The precision of the recorded last use of a session, which decides when an unused session ends.
const SESSION_PRECISION: Duration = Duration::from_mins(5);

/// An API token, or a session. Only a hash of its secret is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiToken {
    /// The identifier; not a secret.
    pub id: TokenId,
    /// What the secret is accepted for.
    pub kind: TokenKind,
    /// The user that it authenticates.
    pub user: UserId,
    /// The attributes of the user.
    pub attributes: Attributes,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The time of expiry; `None` is never. A session always expires.
    pub date_expires: Option<Timestamp>,
    /// The time of the last use, to within an hour, or five minutes for a session; `None` is never.
    pub date_last_used: Option<Timestamp>,
    /// The label that the user gave it.
    pub label: Option<TokenLabel>,
    /// The API token with which the session began, or in whose session the API token was made. It ends when that token
    /// ends.
    pub origin: Option<TokenId>,
}

/// What a token is accepted for. Neither kind is accepted in place of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An API token, which a program sends with each request.
    Api,
    /// A session: a person has signed in to web pages.
    Session {
        /// How long after the recorded last use the session ends. This is [`NewSession::idle`] and five minutes, because
        /// the recorded use may be that much older than the last one.
        idle: Duration,
    },
}

impl TokenKind {
    /// The name: `api` or `session`.
    ///
    /// ```
    /// use formalize_core::tokens::TokenKind;
    ///
    /// assert_eq!(TokenKind::Api.as_str(), "api");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Session { .. } => "session",
        }
    }

    fn precision(self) -> Duration {
        match self {
            Self::Api => API_TOKEN_PRECISION,
            Self::Session { .. } => SESSION_PRECISION,
        }
    }
}

impl ApiToken {
    /// When a session ends if it is not used again; `None` for an API token.
    pub(crate) fn date_idle(&self) -> Option<Timestamp> {
        match self.kind {
            TokenKind::Api => None,
            TokenKind::Session { idle } => {
                let used = self.date_last_used.unwrap_or(self.date_created);
                Some(used.saturating_add(idle))
            }
        }
    }

    pub(crate) fn is_valid(&self, now: Timestamp) -> bool {
        [self.date_expires, self.date_idle()]
            .into_iter()
            .flatten()
            .all(|end| now < end)
    }

    /// Whether a use at this time is to be recorded.
    pub(crate) fn is_use_due(&self, now: Timestamp) -> bool {
        self.date_last_used
            .is_none_or(|used| self.is_due_after(used, now))
    }

    /// Whether a use at this time is to be recorded although an earlier one was.
    pub(crate) fn is_due_after(&self, recorded: Timestamp, now: Timestamp) -> bool {
        recorded.saturating_add(self.kind.precision()) <= now
    }

    /// The same token, which comes from another one and ends with it.
    pub(crate) fn within(mut self, origin: &Self) -> Self {
        let ends = [self.date_expires, origin.date_expires];
        self.date_expires = ends.into_iter().flatten().min();
        self.origin = Some(origin.id);
        self
    }

    pub(crate) fn into_caller(self) -> Caller {
        Caller::with_attributes(self.user, self.attributes)
    }
}

/// A token to issue.
///
/// ```
/// use formalize_core::{Attributes, UserId, tokens::NewApiToken};
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

/// An API token that a user creates in a session, with the attributes that the user has in it.
///
/// ```
/// use std::time::Duration;
/// use formalize_core::tokens::{NewOwnToken, TokenLabel};
///
/// let token = NewOwnToken {
///     label: Some(TokenLabel::new("Nightly report")?),
///     lifetime: NewOwnToken::MAX_LIFETIME,
/// };
/// # Ok::<(), formalize_core::InvalidText>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOwnToken {
    /// What it is for.
    pub label: Option<TokenLabel>,
    /// How long it is valid: [`NewOwnToken::MAX_LIFETIME`] at most, to which more is reduced.
    pub lifetime: Duration,
}

impl NewOwnToken {
    /// The longest lifetime: 90 days.
    pub const MAX_LIFETIME: Duration = Duration::from_hours(90 * 24);
}

opaque_texts! {
    /// The label of an API token, for its user.
    TokenLabel in tokens;
}

/// A session to begin.
///
/// ```
/// use std::time::Duration;
/// use formalize_core::{Attributes, UserId, tokens::NewSession};
///
/// let session = NewSession {
///     user: UserId::new("alice")?,
///     attributes: Attributes::new(),
///     lifetime: Duration::from_hours(12),
///     idle: Duration::from_hours(2),
/// };
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NewSession {
    /// The user who has signed in.
    pub user: UserId,
    /// The attributes of the user, which do not change during the session.
    pub attributes: Attributes,
    /// How long after its beginning the session ends.
    pub lifetime: Duration,
    /// How long the session may be unused. It ends at most five minutes later, because uses are recorded that precisely.
    pub idle: Duration,
}

impl NewSession {
    /// The record of a session that begins now. Signing in is its first use.
    pub(crate) fn begin(self, id: TokenId, now: Timestamp) -> ApiToken {
        let expires = now.saturating_add(self.lifetime);
        // The end of the lifetime comes first, anyway. This also rounds to milliseconds, in which stores count.
        let idle = now.saturating_add(self.idle).min(expires);
        let idle = idle.as_millis().saturating_sub(now.as_millis());
        let idle = Duration::from_millis(u64::try_from(idle).unwrap_or(0));
        ApiToken {
            id,
            kind: TokenKind::Session {
                idle: idle.saturating_add(SESSION_PRECISION),
            },
            user: self.user,
            attributes: self.attributes,
            date_created: now,
            date_expires: Some(expires),
            date_last_used: Some(now),
            label: None,
            origin: None,
        }
    }

    /// The most sessions that a user may have at a time.
    pub const MAX_OF_USER: usize = 100;
}

/// A valid session.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Session {
    /// The identifier of its record among API tokens; not a secret.
    pub id: TokenId,
    /// The user, with the attributes of the beginning.
    pub caller: Caller,
    /// When it began.
    pub date_created: Timestamp,
    /// When it ends at the latest.
    pub date_expires: Timestamp,
    /// When it ends if it is not used again. Uses are recorded to within five minutes, so not every use postpones this.
    pub date_idle: Timestamp,
    /// The API token with which the user signed in. The session ends with it, and so do the API tokens that are made in the
    /// session.
    pub origin: Option<TokenId>,
}

impl Session {
    /// `None` for an API token.
    pub(crate) fn of(token: ApiToken) -> Option<Self> {
        Some(Self {
            id: token.id,
            date_created: token.date_created,
            date_expires: token.date_expires?,
            date_idle: token.date_idle()?,
            origin: token.origin,
            caller: token.into_caller(),
        })
    }
}

/// The SHA-256 hash of a token's secret, in lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretHash(pub(crate) String);

impl SecretHash {
    /// The hash of a secret.
    ///
    /// ```
    /// use formalize_core::store::SecretHash;
    ///
    /// assert_eq!(SecretHash::of("fmz_").as_str().len(), 64);
    /// ```
    pub fn of(secret: &str) -> Self {
        Self(HEXLOWER.encode(&Sha256::digest(secret.as_bytes())))
    }

    /// The 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
