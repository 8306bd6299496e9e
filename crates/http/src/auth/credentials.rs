//! Authenticates both kinds of bearer tokens.

use std::sync::Arc;

use async_trait::async_trait;
use formalize_core::{Caller, tokens::Secret};

use super::{ApiTokens, Authenticate, Issuers};
use crate::failure::Refusal;

/// Authenticates callers by API tokens or tokens of OpenID Connect issuers. API tokens, and sessions, which are refused, are
/// recognized by their prefixes, which no JWT has, because they are not base64 of a JSON object.
pub struct Credentials {
    /// The API tokens.
    pub api_tokens: ApiTokens,
    /// The issuers.
    pub issuers: Arc<Issuers>,
}

#[async_trait]
impl Authenticate for Credentials {
    async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Refusal> {
        if token.starts_with(Secret::PREFIX) || token.starts_with(Secret::SESSION_PREFIX) {
            self.api_tokens.authenticate(token).await
        } else {
            self.issuers.authenticate(token).await
        }
    }
}
