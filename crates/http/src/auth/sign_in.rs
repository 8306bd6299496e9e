//! Signing in to web pages with an OpenID Connect issuer: the authorization code flow with PKCE.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use formalize_core::Caller;
use reqwest::Url;
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    exchange::Grant,
    fetch::FetchError,
    issuers::{Denial, Issuer, Issuers},
    key_ring::KeysUnknown,
    refused::Refused,
};
use crate::config::SignInSettings;

/// The requested scopes: the identity of the person, and the claims from which user identifiers and attributes are
/// usually taken.
const SCOPE: &str = "openid profile email";

/// The errors that issuers name (RFC 6749 and OpenID Connect Core). Others are not logged, because anybody can write them
/// into an address.
const ERRORS: [&str; 14] = [
    "access_denied",
    "account_selection_required",
    "consent_required",
    "interaction_required",
    "invalid_client",
    "invalid_grant",
    "invalid_request",
    "invalid_scope",
    "login_required",
    "server_error",
    "temporarily_unavailable",
    "unauthorized_client",
    "unsupported_grant_type",
    "unsupported_response_type",
];

/// The name of an error, if it is a known one.
pub(super) fn known_error(error: &str) -> &'static str {
    let mut known = ERRORS.iter().filter(|known| **known == error);
    known.next().copied().unwrap_or("an unknown error")
}

/// Why signing in failed. This is logged but not shown, and contains nothing that the browser sent.
#[derive(Debug, thiserror::Error)]
pub enum SignInFailure {
    /// This browser has begun no attempt, or it took too long.
    #[error("this browser has begun no attempt to sign in, or it took too long")]
    NoAttempt,
    /// The `state` is not that of the attempt.
    #[error("the `state` is not that of the attempt")]
    State,
    /// Another issuer answered, or the answer does not name its issuer.
    #[error("the answer comes from another issuer, or does not name its issuer")]
    Issuer,
    /// The issuer answered with an error.
    #[error("the issuer answered with {0}")]
    Answer(&'static str),
    /// The answer has no code.
    #[error("the answer has no code")]
    NoCode,
    /// The issuer refused the code.
    #[error("the issuer refused the code with {0}")]
    CodeRefused(&'static str),
    /// The ID token is invalid.
    #[error("the ID token was refused")]
    TokenRefused(#[source] Refused),
    /// The discovery document names no usable endpoint of this name.
    #[error("the discovery document of the issuer names no usable `{0}`")]
    NoEndpoint(&'static str),
    /// The keys of the issuer are unknown.
    #[error(transparent)]
    KeysUnknown(#[from] KeysUnknown),
    /// The code could not be exchanged.
    #[error("the code could not be exchanged")]
    NotExchanged(#[from] FetchError),
    /// The operating system has no random numbers.
    #[error("the operating system has no random numbers")]
    NoRandom,
}

impl SignInFailure {
    /// Whether the issuer or this server failed, so that nothing is known about the person.
    pub fn is_outage(&self) -> bool {
        matches!(
            self,
            Self::NoEndpoint(_) | Self::KeysUnknown(_) | Self::NotExchanged(_) | Self::NoRandom
        )
    }
}

impl From<Denial> for SignInFailure {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::Refused(refused) => Self::TokenRefused(refused),
            Denial::Undecided(unknown) => Self::KeysUnknown(unknown),
        }
    }
}

/// An attempt to sign in, which the browser keeps. Each value is random, and sent to the issuer in another way.
#[derive(Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// The URL of the issuer, which is the same on all servers.
    issuer: String,
    /// Shows that an answer belongs to the attempt of this browser.
    state: String,
    /// Shows that an ID token was issued for this attempt.
    nonce: String,
    /// Shows that a code is exchanged by who began the attempt (PKCE); the issuer knows its hash before.
    verifier: String,
}

impl Attempt {
    fn new(issuer: &str) -> Result<Self, SignInFailure> {
        Ok(Self {
            issuer: issuer.to_owned(),
            state: random()?,
            nonce: random()?,
            verifier: random()?,
        })
    }
}

fn random() -> Result<String, SignInFailure> {
    let mut bytes = [0; 32];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| SignInFailure::NoRandom)?;
    Ok(HEXLOWER.encode(&bytes))
}

/// What a browser brings from an issuer: the parameters of the query.
#[derive(Debug, Clone, Copy)]
pub struct CallbackParameters<'a> {
    /// The state, which the attempt chose.
    pub state: Option<&'a str>,
    /// The issuer.
    pub issuer: Option<&'a str>,
    /// Why the issuer refused.
    pub error: Option<&'a str>,
    /// The code.
    pub code: Option<&'a str>,
}

impl Issuers {
    /// The issuers with which people sign in: their places in the configuration, from 1, and their labels.
    pub fn providers(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = (1..).zip(&self.known);
        numbered.filter_map(|(number, issuer)| {
            let settings = issuer.settings.sign_in.as_ref()?;
            Some((number, settings.label.as_str()))
        })
    }

    /// Begins an attempt to sign in with an issuer. Returns it with the address to which the browser goes; `None` if
    /// people do not sign in with this issuer.
    pub async fn begin_sign_in(
        &self,
        number: usize,
        redirect: &str,
    ) -> Option<Result<(Attempt, Url), SignInFailure>> {
        let issuer = self.known.get(number.checked_sub(1)?)?;
        let settings = issuer.settings.sign_in.as_ref()?;
        Some(issuer.begin_sign_in(settings, redirect).await)
    }

    /// Finishes an attempt to sign in: who the person is.
    ///
    /// # Errors
    ///
    /// [`SignInFailure`] says why it failed.
    pub async fn finish_sign_in(
        &self,
        attempt: &Attempt,
        brought: CallbackParameters<'_>,
        redirect: &str,
    ) -> Result<Caller, SignInFailure> {
        if brought.state != Some(&attempt.state) {
            return Err(SignInFailure::State);
        }
        let mut known = self.known.iter();
        let issuer = known.find(|issuer| issuer.settings.url.as_str() == attempt.issuer);
        let (issuer, exchange) = issuer
            .zip(self.exchange.as_ref())
            .ok_or(SignInFailure::NoAttempt)?;
        let settings = issuer.settings.sign_in.as_ref();
        let settings = settings.ok_or(SignInFailure::NoAttempt)?;
        let endpoints = issuer.ring.endpoints().await?;
        match brought.issuer {
            Some(name) if name != attempt.issuer => return Err(SignInFailure::Issuer),
            None if endpoints.names_itself => return Err(SignInFailure::Issuer),
            _ => {}
        }
        if let Some(error) = brought.error {
            return Err(SignInFailure::Answer(known_error(error)));
        }
        let grant = Grant {
            code: brought.code.ok_or(SignInFailure::NoCode)?,
            verifier: &attempt.verifier,
            redirect,
        };
        let token = exchange.id_token(&endpoints, settings, &grant).await?;
        let (client, now) = (&settings.client_id, self.clock.now());
        Ok(issuer.identify(&token, client, &attempt.nonce, now).await?)
    }

    /// The hosts and addresses of the pages on which people can also sign out of the issuers. Issuers whose discovery
    /// document has not been fetched yet are omitted rather than waited for.
    ///
    /// Their labels are not used: they are texts of links for signing in.
    pub fn sign_outs(&self) -> impl Iterator<Item = (String, String)> {
        self.known.iter().filter_map(|issuer| {
            let settings = issuer.settings.sign_in.as_ref()?;
            let mut url = issuer.ring.known_endpoints()?.end_session.clone()?;
            url.query_pairs_mut()
                .append_pair("client_id", &settings.client_id);
            let host = url.host_str().unwrap_or_default().to_owned();
            Some((host, url.into()))
        })
    }
}

impl Issuer {
    async fn begin_sign_in(
        &self,
        settings: &SignInSettings,
        redirect: &str,
    ) -> Result<(Attempt, Url), SignInFailure> {
        let endpoints = self.ring.endpoints().await?;
        let url = endpoints.authorization.clone();
        let mut url = url.ok_or(SignInFailure::NoEndpoint("authorization_endpoint"))?;
        let attempt = Attempt::new(self.settings.url.as_str())?;
        let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(&attempt.verifier));
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &settings.client_id)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", SCOPE)
            .append_pair("state", &attempt.state)
            .append_pair("nonce", &attempt.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        Ok((attempt, url))
    }
}
