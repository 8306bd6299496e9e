//! The API tokens of the store.

use async_trait::async_trait;
use formalize_core::{Caller, Formalize, tokens::Secret};

use super::Authenticate;
use crate::failure::Refusal;

/// The API tokens of the store.
pub struct ApiTokens(pub Formalize);

#[async_trait]
impl Authenticate for ApiTokens {
    async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Refusal> {
        let caller = self.0.tokens().authenticate(token).await?;
        if caller.is_none() {
            let reason = if token.starts_with(Secret::PREFIX) {
                "an API token that is unknown, revoked or expired"
            } else if token.starts_with(Secret::SESSION_PREFIX) {
                "a session, which is not accepted as a bearer token"
            } else {
                "not an API token, and no issuers are configured"
            };
            tracing::info!(reason, "credentials refused");
        }
        Ok(caller)
    }
}
