//! Tokens of OpenID Connect issuers.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use formalize_core::{Caller, Clock, Timestamp};
use jsonwebtoken::{Algorithm, Header, dangerous::insecure_decode, decode_header};
use quick_cache::{Weighter, sync::Cache};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    Authenticate,
    claims::{self, Claims, Lifetime},
    exchange::CodeExchange,
    fetch::Fetcher,
    key_ring::{KeyRing, KeysUnknown},
    keys::{KeySet, KeySetId},
    refused::Refused,
    signature,
};
use crate::{
    config::IssuerSettings,
    contract::ErrorKey,
    failure::{Refusal, chain},
};

/// The maximum size of a token, in bytes.
const MOST_BYTES: usize = 16 * 1024;

/// The expected number of cached tokens.
const EXPECTED: usize = 4096;

/// The maximum size of the cache of verified tokens, in bytes; the sizes are estimates.
const KEPT_BYTES: u64 = 32 * 1024 * 1024;

/// The accepted types of tokens, without the prefix `application/`. Others, such as logout tokens, have the same issuer
/// and audience but grant no access.
const TYPES: [&str; 2] = ["JWT", "at+jwt"];

/// The HTTP client for issuers cannot be created.
#[derive(Debug, thiserror::Error)]
#[error("cannot create an HTTPS client for the issuers: {}", chain(.0))]
pub struct NoClient(#[from] reqwest::Error);

/// The OpenID Connect issuers whose tokens are accepted, and with which people sign in to web pages.
pub struct Issuers {
    pub(super) known: Vec<Issuer>,
    pub(super) clock: Arc<dyn Clock>,
    /// If people can sign in with one of the issuers.
    pub(super) exchange: Option<CodeExchange>,
    verified: Cache<[u8; 32], Arc<Verified>, ByMemory>,
}

pub(super) struct Issuer {
    pub(super) settings: Arc<IssuerSettings>,
    pub(super) ring: Arc<KeyRing>,
}

/// A verified token. It is accepted again until it expires or the keys of its issuer change.
struct Verified {
    issuer: usize,
    keys: KeySetId,
    lifetime: Lifetime,
    caller: Caller,
    weight: u64,
}

#[derive(Clone)]
struct ByMemory;

impl Weighter<[u8; 32], Arc<Verified>> for ByMemory {
    fn weight(&self, _: &[u8; 32], verified: &Arc<Verified>) -> u64 {
        verified.weight
    }
}

/// Why a token was not accepted.
#[derive(Debug, thiserror::Error)]
pub(super) enum Denial {
    #[error(transparent)]
    Refused(Refused),
    /// The token cannot be verified at the moment.
    #[error(transparent)]
    Undecided(KeysUnknown),
}

impl From<Refused> for Denial {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<KeysUnknown> for Denial {
    fn from(unknown: KeysUnknown) -> Self {
        Self::Undecided(unknown)
    }
}

impl Issuers {
    /// Creates the issuers. Their keys are fetched when the first token arrives, or by [`prepare`](Self::prepare).
    ///
    /// # Errors
    ///
    /// If HTTPS is unavailable because there are no trusted root certificates.
    pub fn new(settings: Vec<IssuerSettings>, clock: Arc<dyn Clock>) -> Result<Self, NoClient> {
        signature::use_ring();
        let fetcher = Fetcher::new()?;
        let lets_sign_in = settings.iter().any(|settings| settings.sign_in.is_some());
        let exchange = lets_sign_in.then(|| CodeExchange::new(&fetcher));
        let with_ring = |settings| {
            let settings = Arc::new(settings);
            let ring = KeyRing::new(Arc::clone(&settings), fetcher.clone(), Arc::clone(&clock));
            Issuer { settings, ring }
        };
        Ok(Self {
            known: settings.into_iter().map(with_ring).collect(),
            clock,
            exchange: exchange.transpose()?,
            verified: Cache::with_weighter(EXPECTED, KEPT_BYTES, ByMemory),
        })
    }

    /// Starts to fetch the keys of all issuers in the background. Requires a running Tokio runtime.
    pub fn prepare(&self) {
        for issuer in &self.known {
            issuer.ring.fetch(self.clock.now());
        }
    }

    async fn check(&self, token: &str) -> Result<Caller, Denial> {
        check_size(token)?;
        let digest = Sha256::digest(token.as_bytes()).into();
        if let Some(verified) = self.remembered(&digest).await? {
            verified.lifetime.check(self.clock.now())?;
            return Ok(verified.caller.clone());
        }
        let verified = self.verify(token).await?;
        verified.lifetime.check(self.clock.now())?;
        let caller = verified.caller.clone();
        self.verified.insert(digest, Arc::new(verified));
        Ok(caller)
    }

    /// The cached result for a token, unless the keys of its issuer have changed.
    async fn remembered(&self, digest: &[u8; 32]) -> Result<Option<Arc<Verified>>, KeysUnknown> {
        let Some(verified) = self.verified.get(digest) else {
            return Ok(None);
        };
        let Some(issuer) = self.known.get(verified.issuer) else {
            return Ok(None);
        };
        let keys = issuer.ring.current().await?;
        Ok((keys.id() == verified.keys).then_some(verified))
    }

    async fn verify(&self, token: &str) -> Result<Verified, Denial> {
        let header = acceptable_header(token)?;
        let named = issuer_named_by(token)?;
        let mut issuers = self.known.iter().enumerate();
        let (index, issuer) = issuers
            .find(|(_, issuer)| issuer.settings.url.as_str() == named)
            .ok_or(Refused::UnknownIssuer)?;
        let audience = &issuer.settings.audience;
        let (keys, claims) = issuer.verify(token, &header, audience).await?;
        Ok(Verified {
            issuer: index,
            keys: keys.id(),
            lifetime: Lifetime::of(&claims)?,
            caller: claims::caller(&issuer.settings, &claims)?,
            weight: weight(token),
        })
    }
}

impl Issuer {
    /// Verifies the signature of a token, its issuer and its audience.
    async fn verify(
        &self,
        token: &str,
        header: &Header,
        audience: &[impl ToString],
    ) -> Result<(Arc<KeySet>, Claims), Denial> {
        let mut keys = self.ring.current().await?;
        if keys.find(header)?.is_none() {
            keys = self.ring.renewed().await?;
        }
        let key = keys.find(header)?.ok_or(Refused::UnknownKey)?;
        let claims = key.verify(token, audience)?;
        Ok((keys, claims))
    }

    /// The user of an ID token. It passes the checks of bearer tokens, with the client as audience, and has the `nonce` of
    /// the attempt to sign in.
    pub(super) async fn identify(
        &self,
        token: &str,
        client: &str,
        nonce: &str,
        now: Timestamp,
    ) -> Result<Caller, Denial> {
        check_size(token)?;
        let header = acceptable_header(token)?;
        let (_, claims) = self.verify(token, &header, &[client]).await?;
        Lifetime::of(&claims)?.check(now)?;
        if claims.get("nonce").and_then(Value::as_str) != Some(nonce) {
            return Err(Refused::Nonce.into());
        }
        // The client for which the token was issued, which one with several audiences must name: each of them gets it, and could
        // sign in with it.
        let audiences = claims.get("aud").and_then(Value::as_array);
        let has_several = audiences.is_some_and(|audiences| audiences.len() > 1);
        let is_issued_to_client = match claims.get("azp") {
            Some(party) => party == client,
            None => !has_several,
        };
        if !is_issued_to_client {
            return Err(Refused::Audience.into());
        }
        Ok(claims::caller(&self.settings, &claims)?)
    }
}

fn check_size(token: &str) -> Result<(), Refused> {
    if token.len() > MOST_BYTES {
        return Err(Refused::TooLong(MOST_BYTES));
    }
    Ok(())
}

/// The estimated size of a cached token: parsed JSON is a small multiple of its text.
fn weight(token: &str) -> u64 {
    const ITSELF: u64 = 512;
    u64::try_from(token.len())
        .unwrap_or(u64::MAX)
        .saturating_mul(4)
        .saturating_add(ITSELF)
}

/// The header of a token, if all of its parameters are supported.
fn acceptable_header(token: &str) -> Result<Header, Refused> {
    let header = decode_header(token).map_err(|_| Refused::Malformed)?;
    if header.crit.is_some() {
        return Err(Refused::Critical);
    }
    if header.typ.as_deref().is_some_and(is_foreign) {
        return Err(Refused::Type);
    }
    match header.alg {
        Algorithm::RS256 | Algorithm::ES256 | Algorithm::EdDSA => Ok(header),
        _ => Err(Refused::Algorithm),
    }
}

fn is_foreign(typ: &str) -> bool {
    const PREFIX: &str = "application/";
    let short = match typ.split_at_checked(PREFIX.len()) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(PREFIX) => rest,
        _ => typ,
    };
    !TYPES.iter().any(|known| known.eq_ignore_ascii_case(short))
}

/// The issuer named in a token. It only selects the keys to try; it is not trusted until the signature is verified.
fn issuer_named_by(token: &str) -> Result<String, Refused> {
    #[derive(Deserialize)]
    struct Issued {
        iss: String,
    }
    let issued = insecure_decode::<Issued>(token).map_err(|_| Refused::NoIssuer)?;
    Ok(issued.claims.iss)
}

#[async_trait]
impl Authenticate for Issuers {
    async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Refusal> {
        match self.check(token).await {
            Ok(caller) => Ok(Some(caller)),
            Err(Denial::Refused(refused)) => {
                let reason = refused.to_string();
                tracing::info!(reason, "credentials refused");
                Ok(None)
            }
            // The token may be valid, so the client must not be told that it is invalid.
            Err(Denial::Undecided(unknown)) => {
                Err(Refusal::is(ErrorKey::ServiceUnavailable).caused_by(unknown))
            }
        }
    }
}

impl fmt::Debug for Issuers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let urls = self.known.iter().map(|issuer| &issuer.settings.url);
        formatter.debug_list().entries(urls).finish()
    }
}
