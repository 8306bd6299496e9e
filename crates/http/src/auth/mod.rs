//! Authentication of requests.

mod api_tokens;
mod claims;
mod credentials;
mod endpoints;
mod exchange;
mod fetch;
mod issuers;
mod key_ring;
mod keys;
mod refused;
mod sign_in;
mod signature;

use async_trait::async_trait;
use formalize_core::Caller;
use poem::{FromRequest, Request, RequestBody, http::header};

use crate::failure::Refusal;

pub use api_tokens::ApiTokens;
pub use credentials::Credentials;
pub use issuers::{Issuers, NoClient};
pub use sign_in::{Attempt, CallbackParameters, SignInFailure};

/// Finds the caller that a bearer token belongs to.
#[async_trait]
pub trait Authenticate: Send + Sync + 'static {
    /// The caller that the token belongs to; `None` if the token is invalid.
    ///
    /// # Errors
    ///
    /// If the token cannot be checked, for example because the database is unavailable.
    async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Refusal>;
}

/// The bearer token in the `Authorization` header of a request, which must not be repeated.
pub fn bearer_token(request: &Request) -> Option<&str> {
    let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
    let (value, None) = (values.next()?, values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim_matches(' ');
    let token_is_one_word = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    (scheme.eq_ignore_ascii_case("bearer") && token_is_one_word).then_some(token)
}

/// The caller of a request, as a parameter of a handler.
#[derive(Debug, Clone)]
pub struct Actor(pub Caller);

impl<'a> FromRequest<'a> for Actor {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        match request.data::<Caller>() {
            Some(caller) => Ok(Self(caller.clone())),
            None => Err(Refusal::unforeseen("the handler was called without a caller").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(values: &[&str]) -> Option<String> {
        let mut request = Request::builder();
        for value in values {
            request = request.header(header::AUTHORIZATION, *value);
        }
        bearer_token(&request.finish()).map(str::to_owned)
    }

    #[test]
    fn a_bearer_token_is_recognized() {
        assert_eq!(token(&["Bearer abc"]).as_deref(), Some("abc"));
        assert_eq!(token(&["bearer  abc "]).as_deref(), Some("abc"));
    }

    #[test]
    fn other_credentials_are_ignored() {
        for values in [
            &[][..],
            &["Bearer"],
            &["Bearer "],
            &["Basic abc"],
            &["abc"],
            &["Bearer a b"],
            &["Bearer a", "Bearer a"],
        ] {
            assert_eq!(token(values), None, "{values:?}");
        }
    }
}
