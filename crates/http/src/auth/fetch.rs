//! Fetches the documents of an issuer: its keys, and where people sign in.

use std::time::Duration;

use formalize_webhook_sender::use_ring;
use reqwest::{Client, Response, StatusCode, Url, redirect};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::{endpoints::Endpoints, keys::KeySet};
use crate::config::{IssuerSettings, is_protected};

/// The timeout for both documents of an issuer together.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The maximum size of a document, in bytes.
const MOST_BYTES: usize = 256 * 1024;

/// The maximum number of redirects.
const MOST_REDIRECTS: usize = 3;

/// Why a document of an issuer could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("the issuer cannot be reached")]
    Request(#[from] reqwest::Error),
    #[error("the issuer responded with status {0}")]
    Status(StatusCode),
    #[error("the response of the issuer has more than {MOST_BYTES} bytes")]
    TooLarge,
    #[error("the issuer did not respond within {} s", TIME_LIMIT.as_secs())]
    TooSlow,
    #[error("the token response is malformed")]
    Tokens,
    #[error("malformed {0}")]
    Content(&'static str, #[source] serde_json::Error),
    #[error("the discovery document belongs to another issuer: {0:?}")]
    OtherIssuer(String),
    #[error("the `jwks_uri` must be `https://` or on loopback: {0:?}")]
    Unprotected(String),
}

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// What an issuer publishes.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) keys: KeySet,
    pub(crate) endpoints: Endpoints,
}

/// An HTTP client for the documents of issuers. Clones share their connections.
#[derive(Debug, Clone)]
pub(crate) struct Fetcher {
    web: Client,
    loopback: Client,
}

impl Fetcher {
    /// # Errors
    ///
    /// If no trusted root certificates are found.
    pub(crate) fn new() -> reqwest::Result<Self> {
        use_ring();
        let agent = concat!("formalize/", env!("CARGO_PKG_VERSION"));
        let web = Client::builder()
            .user_agent(agent)
            .https_only(true)
            .redirect(redirect::Policy::limited(MOST_REDIRECTS))
            .build()?;
        // A proxy would send unencrypted requests to another machine, where loopback is a different host.
        let loopback = Client::builder()
            .user_agent(agent)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .build()?;
        Ok(Self { web, loopback })
    }

    /// The client for loopback addresses.
    pub(super) fn loopback(&self) -> Client {
        self.loopback.clone()
    }

    /// Fetches what the issuer publishes now.
    pub(crate) async fn documents(
        &self,
        settings: &IssuerSettings,
    ) -> Result<Published, FetchError> {
        let fetched = timeout(TIME_LIMIT, self.both_documents(settings)).await;
        fetched.unwrap_or(Err(FetchError::TooSlow))
    }

    async fn both_documents(&self, settings: &IssuerSettings) -> Result<Published, FetchError> {
        let document = self.get(settings.url.discovery()).await?;
        let discovery: Discovery = serde_json::from_slice(&document)
            .map_err(|error| FetchError::Content("discovery document", error))?;
        if discovery.issuer != settings.url.as_str() {
            return Err(FetchError::OtherIssuer(discovery.issuer));
        }
        let address = Url::parse(&discovery.jwks_uri).ok().filter(is_protected);
        let address = address.ok_or(FetchError::Unprotected(discovery.jwks_uri))?;
        let document = self.get(address).await?;
        let keys = KeySet::parse(&document, settings);
        Ok(Published {
            keys: keys.map_err(|error| FetchError::Content("key set", error))?,
            endpoints: Endpoints::named_in(&discovery.others),
        })
    }

    async fn get(&self, url: Url) -> Result<Vec<u8>, FetchError> {
        let client = if url.scheme() == "https" {
            &self.web
        } else {
            &self.loopback
        };
        let response = client.get(url).send().await?;
        match response.status() {
            status if status.is_success() => read(response).await,
            status => Err(FetchError::Status(status)),
        }
    }
}

/// Reads the body of a response of limited size.
pub(super) async fn read(mut response: Response) -> Result<Vec<u8>, FetchError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(FetchError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
