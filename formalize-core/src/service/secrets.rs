//! Secrets of API tokens, sessions and public links, and the authentication of the former two.

use data_encoding::HEXLOWER;

use super::{Shared, random_bytes};
use crate::error::Result;
use crate::model::token::{ApiToken, SecretHash, TokenKind};
use crate::time::Timestamp;

/// The secret of an API token or a session, `fmz_` or `fms_` and 256 random bits, or of a public link, `fml_` and 160
/// random bits. It is shown once and never stored.
///
/// Secrets cannot be compared, because comparing them takes longer the more of their beginning matches.
/// [`TokensService::authenticate`](super::TokensService::authenticate),
/// [`SessionsService::authenticate`](super::SessionsService::authenticate) and
/// [`LinksService::authenticate`](super::LinksService::authenticate) look up the hash of a secret instead.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The prefix of the secret of every API token, by which people, scanners and servers recognize it.
    pub const PREFIX: &str = "fmz_";

    /// The prefix of the secret of every session.
    pub const SESSION_PREFIX: &str = "fms_";

    /// The prefix of the secret of every public link.
    pub const LINK_PREFIX: &str = "fml_";

    pub(super) fn new(kind: SecretKind) -> Result<Self> {
        Self::random::<32>(kind.prefix())
    }

    /// So many random bytes behind a prefix.
    pub(super) fn random<const BYTES: usize>(prefix: &str) -> Result<Self> {
        let bits = HEXLOWER.encode(&random_bytes::<BYTES>()?);
        Ok(Self(format!("{prefix}{bits}")))
    }

    /// The text that a client sends.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// # let new = NewApiToken { user: UserId::new("alice")?, attributes: Attributes::new(), date_expires: None };
    /// # let (token, secret) = formalize.tokens().create(&Caller::System, new).await?;
    /// // Show it once: only a hash is stored.
    /// assert!(secret.expose().starts_with(Secret::PREFIX));
    /// # Ok(()) });
    /// ```
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The URL of a public link with this secret, on a server with this base URL.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let (_, secret) = formalize.links().create(&Caller::System, NewFormLink::to(form.id)).await?;
    /// let url = secret.to_url("https://forms.example.org/");
    /// assert_eq!(url, format!("https://forms.example.org/l/{}", secret.expose()));
    /// # Ok(()) });
    /// ```
    pub fn to_url(&self, base_url: &str) -> String {
        format!("{}/l/{}", base_url.trim_end_matches('/'), self.0)
    }

    pub(super) fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }
}

secret! { Secret }

/// What the secret of a token is presented as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretKind {
    Api,
    Session,
}

impl SecretKind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Api => Secret::PREFIX,
            Self::Session => Secret::SESSION_PREFIX,
        }
    }

    /// The hash of a secret; `None` if it is not of this kind.
    pub(super) fn hash(self, secret: &str) -> Option<SecretHash> {
        hash_behind(self.prefix(), secret)
    }

    /// Whether a token is of this kind.
    pub(super) fn is_of(self, token: &ApiToken) -> bool {
        match token.kind {
            TokenKind::Api => self == Self::Api,
            TokenKind::Session { .. } => self == Self::Session,
        }
    }
}

/// The hash of a secret; `None` if it has another prefix.
pub(super) fn hash_behind(prefix: &str, secret: &str) -> Option<SecretHash> {
    secret.starts_with(prefix).then(|| SecretHash::of(secret))
}

impl Shared {
    /// The token of a kind that a secret belongs to; `None` if it is unknown, or no longer valid. Its use is recorded.
    pub(super) async fn find_valid(
        &self,
        kind: SecretKind,
        secret: &str,
    ) -> Result<Option<ApiToken>> {
        // From here on only hashes are compared. The time of a comparison reveals nothing about the secret, so it need
        // not be constant.
        let Some(secret) = kind.hash(secret) else {
            return Ok(None);
        };
        let (now, known) = (self.now(), &self.known_tokens);
        let is_valid = |token: &ApiToken| kind.is_of(token) && token.is_valid(now);
        if let Some(token) = known.find(&secret).filter(|token| !token.is_use_due(now)) {
            return Ok(Some(token).filter(is_valid));
        }
        let asked = known.ask();
        let find = reading!(|tx| tx.read_tokens()?.find_token(&secret));
        let found = self.read_once(find).await?;
        let Some(mut token) = found.filter(is_valid) else {
            return Ok(None);
        };
        if token.is_use_due(now) {
            self.record_use(&token, now).await;
            token.date_last_used = Some(now);
        }
        known.keep(secret, token.clone(), asked);
        Ok(Some(token))
    }

    /// A request must not fail because the use of its token could not be recorded, and should not wait for other
    /// writers. Of several requests at the same time, one records the use.
    async fn record_use(&self, token: &ApiToken, now: Timestamp) {
        let Some(recording) = self.known_tokens.begin_recording(token, now) else {
            return;
        };
        match self.try_record_use(token, now).await {
            Ok(()) => recording.done(),
            Err(error) => {
                self.known_tokens.not_recorded(now);
                tracing::warn!(%error, token = %token.id, "the use of a token could not be recorded");
            }
        }
    }

    async fn try_record_use(&self, token: &ApiToken, now: Timestamp) -> Result<()> {
        let work = writing!(|tx| tx.write_tokens()?.touch_token(token.id, now));
        self.try_once(work).await
    }
}
