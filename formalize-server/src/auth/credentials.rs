//! Both kinds of bearer tokens side by side.

use async_trait::async_trait;
use formalize_core::{Caller, Secret};

use super::{ApiTokens, Authenticate, Issuers};
use crate::failure::Refusal;

/// Everybody who may be known: by an API token, or by a token of an OpenID Connect issuer. The prefix of API tokens
/// decides; no JWT can have it, since it is no base64 of a JSON object.
pub(crate) struct Credentials {
    pub(crate) api_tokens: ApiTokens,
    pub(crate) issuers: Issuers,
}

#[async_trait]
impl Authenticate for Credentials {
    async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Refusal> {
        if token.starts_with(Secret::PREFIX) {
            self.api_tokens.authenticate(token).await
        } else {
            self.issuers.authenticate(token).await
        }
    }
}
