//! Exchanges the code that a browser brings for an ID token.

use reqwest::{Client, RequestBuilder, StatusCode, header, redirect};
use serde_json::Value;
use tokio::{sync::Semaphore, time::timeout};

use super::{
    endpoints::Endpoints,
    fetch::{FetchError, Fetcher, TIME_LIMIT, read},
    sign_in::{SignInFailure, known_error},
};
use crate::{
    config::{ClientSecret, SignInSettings},
    percent,
};

/// The maximum number of exchanges at a time. Others wait for their turn.
const MOST_AT_ONCE: usize = 32;

/// What is exchanged: the code, and what proves that it was issued for this attempt to sign in.
pub(super) struct Grant<'a> {
    pub(super) code: &'a str,
    /// The secret of the attempt (PKCE).
    pub(super) verifier: &'a str,
    /// The address to which the issuer sent the browser.
    pub(super) redirect: &'a str,
}

/// The HTTP clients for exchanges.
pub(super) struct CodeExchange {
    web: Client,
    loopback: Client,
    turns: Semaphore,
}

impl CodeExchange {
    /// # Errors
    ///
    /// If no trusted root certificates are found.
    pub(super) fn new(fetcher: &Fetcher) -> reqwest::Result<Self> {
        let web = Client::builder()
            .user_agent(concat!("formalize/", env!("CARGO_PKG_VERSION")))
            .https_only(true)
            // A redirect would send the code and the secret somewhere else.
            .redirect(redirect::Policy::none())
            .build()?;
        Ok(Self {
            web,
            loopback: fetcher.loopback(),
            turns: Semaphore::new(MOST_AT_ONCE),
        })
    }

    /// The ID token for a code. Other tokens in the response are ignored.
    pub(super) async fn id_token(
        &self,
        endpoints: &Endpoints,
        settings: &SignInSettings,
        grant: &Grant<'_>,
    ) -> Result<String, SignInFailure> {
        let request = self.request(endpoints, settings, grant)?;
        let exchanged = timeout(TIME_LIMIT, async {
            let _turn = self.turns.acquire().await;
            let response = request.send().await?;
            let status = response.status();
            Ok::<_, FetchError>((status, read(response).await?))
        });
        let (status, body) = exchanged.await.unwrap_or(Err(FetchError::TooSlow))?;
        let body: Option<Value> = serde_json::from_slice(&body).ok();
        let member = |name: &str| body.as_ref()?.get(name)?.as_str();
        match status {
            StatusCode::OK => {
                let token = member("id_token").ok_or(FetchError::Tokens)?;
                Ok(token.to_owned())
            }
            StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED => {
                let error = known_error(member("error").unwrap_or_default());
                Err(SignInFailure::CodeRefused(error))
            }
            other => Err(FetchError::Status(other).into()),
        }
    }

    fn request(
        &self,
        endpoints: &Endpoints,
        settings: &SignInSettings,
        grant: &Grant<'_>,
    ) -> Result<RequestBuilder, SignInFailure> {
        let url = endpoints.token.clone();
        let url = url.ok_or(SignInFailure::NoEndpoint("token_endpoint"))?;
        let client = if url.scheme() == "https" {
            &self.web
        } else {
            &self.loopback
        };
        let id = settings.client_id.as_str();
        let mut pairs = vec![
            ("grant_type", "authorization_code"),
            ("code", grant.code),
            ("redirect_uri", grant.redirect),
            ("code_verifier", grant.verifier),
        ];
        let request = client
            .post(url)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json");
        let secret = settings.client_secret.as_ref();
        let request = match secret.map(ClientSecret::expose) {
            Some(secret) if !endpoints.takes_secret_in_body => {
                // Both are encoded first (RFC 6749, 2.3.1).
                request.basic_auth(percent::encode(id), Some(percent::encode(secret)))
            }
            secret => {
                pairs.push(("client_id", id));
                pairs.extend(secret.map(|secret| ("client_secret", secret)));
                request
            }
        };
        let pairs = pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", percent::encode(value)));
        Ok(request.body(pairs.collect::<Vec<_>>().join("&")))
    }
}
