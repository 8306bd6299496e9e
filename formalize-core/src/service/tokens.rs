//! Use cases of API tokens.

use sha2::{Digest, Sha256};

use super::{Shared, random_bytes};
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{TokenId, UuidV7Source};
use crate::model::action::Actions;
use crate::model::subject::{Attributes, Caller, UserId};
use crate::model::token::{ApiToken, NewApiToken, SecretHash};
use crate::page::{Page, PageRequest};
use crate::time::Timestamp;

/// The precision of the recorded last use of a token, in milliseconds. A write for every request would cost more than
/// the request.
const LAST_USED_PRECISION_MILLIS: i64 = 60 * 60 * 1000;

/// The secret of an API token: `fmz_` and 256 random bits. It is shown once and never stored.
///
/// Secrets cannot be compared, because comparing them takes longer the more of their beginning matches.
/// [`TokensService::authenticate`] looks up the hash of a secret instead.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The prefix of every secret, by which people, scanners and servers recognize it.
    pub const PREFIX: &str = "fmz_";

    /// The text that a client sends.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// // Show it once: only a hash is stored.
    /// assert!(secret.expose().starts_with(Secret::PREFIX));
    /// # Ok(())
    /// # }
    /// ```
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(crate) fn hash(&self) -> SecretHash {
        hash(&self.0)
    }
}

/// Secrets must not appear in logs.
impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret(..)")
    }
}

fn hash(secret: &str) -> SecretHash {
    SecretHash(hex::encode(Sha256::digest(secret.as_bytes())))
}

/// Creates a token that never expires, before the service is running.
pub(super) fn issue(
    ids: &UuidV7Source,
    now: Timestamp,
    user: &UserId,
) -> Result<(ApiToken, Secret)> {
    let new = NewApiToken {
        user: user.clone(),
        attributes: Attributes::new(),
        date_expires: None,
    };
    make(ids, now, new)
}

fn make(ids: &UuidV7Source, now: Timestamp, new: NewApiToken) -> Result<(ApiToken, Secret)> {
    let secret = Secret(format!(
        "{}{}",
        Secret::PREFIX,
        hex::encode(random_bytes()?)
    ));
    let token = ApiToken {
        id: TokenId::from_uuid(ids.next(now)),
        user: new.user,
        attributes: new.attributes,
        date_created: now,
        date_expires: new.date_expires,
        date_last_used: None,
    };
    Ok((token, secret))
}

/// API tokens. The system issues and revokes them, and users present them.
pub struct TokensService<'a>(&'a Shared);

impl<'a> TokensService<'a> {
    pub(super) fn new(shared: &'a Shared) -> Self {
        Self(shared)
    }

    /// Issues a token. This is the only time that the secret is returned.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::Store`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// assert_eq!(token.user.as_str(), "alice");
    /// let caller = formalize.tokens().authenticate(secret.expose()).await?;
    /// assert_eq!(caller, Some(Caller::user(UserId::new("alice")?)));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewApiToken) -> Result<(ApiToken, Secret)> {
        self.0
            .authorizer(caller)
            .check(Operation::TokenCreate, &Actions::default())?;
        let (token, secret) = make(&self.0.ids, self.0.now(), new)?;
        let mut tx = self.0.write().await?;
        tx.insert_token(&token, &secret.hash()).await?;
        tx.commit().await?;
        Ok((token, secret))
    }

    /// Lists the tokens that are not revoked.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::InvalidCursor`], [`Error::Store`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// let page = formalize.tokens().list(&Caller::System, &PageRequest::default()).await?;
    /// assert_eq!(page.items, [token]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn list(&self, caller: &Caller, request: &PageRequest) -> Result<Page<ApiToken>> {
        self.0
            .authorizer(caller)
            .check(Operation::TokenList, &Actions::default())?;
        let list = self.0.listing("tokens", caller, &[], request)?;
        let tokens = self.0.read_once().await?.tokens(list.window).await?;
        Ok(list.page(tokens, |token| token.id.as_uuid()))
    }

    /// Revokes a token.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system, [`Error::TokenNotFound`], [`Error::Store`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// formalize.tokens().revoke(&Caller::System, token.id).await?;
    /// assert_eq!(formalize.tokens().authenticate(secret.expose()).await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn revoke(&self, caller: &Caller, id: TokenId) -> Result<()> {
        self.0
            .authorizer(caller)
            .check(Operation::TokenRevoke, &Actions::default())?;
        let mut tx = self.0.write().await?;
        if !tx.delete_token(id).await? {
            return Err(Error::TokenNotFound);
        }
        tx.commit().await?;
        self.0.known_tokens.forget_all();
        Ok(())
    }

    /// Returns the caller that a secret identifies; `None` if it is unknown, revoked or expired.
    ///
    /// A recently authenticated token is not looked up again; see
    /// [`Builder::token_memory`](super::Builder::token_memory).
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// let caller = formalize.tokens().authenticate(secret.expose()).await?;
    /// assert_eq!(caller, Some(Caller::user(UserId::new("alice")?)));
    /// assert_eq!(formalize.tokens().authenticate("guessed").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Caller>> {
        if !secret.starts_with(Secret::PREFIX) {
            return Ok(None);
        }
        // From here on only hashes are compared. The time of a comparison reveals nothing about the secret, so it need
        // not be constant.
        let (now, secret) = (self.0.now(), hash(secret));
        let known = &self.0.known_tokens;
        if let Some(token) = known.find(&secret).filter(|token| !is_use_due(token, now)) {
            return Ok(caller(token, now));
        }
        let asked = known.ask();
        let found = self.0.read_once().await?.find_token(&secret).await?;
        let Some(mut token) = found.filter(|token| is_valid(token, now)) else {
            return Ok(None);
        };
        if is_use_due(&token, now) {
            if known.may_record(now) {
                self.record_use(&token, now).await;
            }
            token.date_last_used = Some(now);
        }
        known.keep(secret, token.clone(), asked);
        Ok(caller(token, now))
    }

    /// A request must not fail because the use of its token could not be recorded, and should not wait for other
    /// writers.
    async fn record_use(&self, token: &ApiToken, now: Timestamp) {
        if let Err(error) = self.try_record_use(token.id, now).await {
            self.0.known_tokens.not_recorded(now);
            tracing::warn!(%error, token = %token.id, "the use of a token could not be recorded");
        }
    }

    async fn try_record_use(&self, id: TokenId, now: Timestamp) -> Result<()> {
        let mut tx = self.0.write().await?;
        tx.touch_token(id, now).await?;
        Ok(tx.commit().await?)
    }
}

fn is_valid(token: &ApiToken, now: Timestamp) -> bool {
    token.date_expires.is_none_or(|expires| now < expires)
}

fn is_use_due(token: &ApiToken, now: Timestamp) -> bool {
    token.date_last_used.is_none_or(|used| {
        now.as_millis().saturating_sub(used.as_millis()) >= LAST_USED_PRECISION_MILLIS
    })
}

fn caller(token: ApiToken, now: Timestamp) -> Option<Caller> {
    is_valid(&token, now).then(|| Caller::with_attributes(token.user, token.attributes))
}
