//! Attempts to sign in with an identity provider, which browsers keep in a cookie. So any server of the same store can
//! finish what another one has begun, and no server remembers anything.

use std::time::Duration;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use formalize_core::Timestamp;
use formalize_http::auth::Attempt;
use poem::http::HeaderMap;
use ring::hmac;
use serde::{Deserialize, Serialize};

use super::{
    cookie::{ATTEMPT_SECONDS, Cookie},
    destination::brief,
};

/// The maximum length of an address to return to, encoded. The cookie has it in Base64, beside the address of the provider.
const MOST_BYTES: usize = 900;

/// Writes and reads attempts.
#[derive(Debug)]
pub(super) struct Attempts {
    key: hmac::Key,
    cookie: Cookie,
}

/// An attempt to sign in with an identity provider.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    pub(super) attempt: Attempt,
    /// Where the person goes afterwards.
    pub(super) destination: Option<String>,
    /// When the attempt ends, in milliseconds since 1970.
    expires: i64,
}

impl Attempts {
    /// Attempts at a service with this base URL. All servers of a store have the same key.
    pub(super) fn new(key: &[u8; 32], base_url: &str) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
            cookie: Cookie::of_attempt(base_url),
        }
    }

    /// The value of `Set-Cookie` that keeps an attempt; `None` if it cannot be written.
    pub(super) fn write(
        &self,
        attempt: Attempt,
        destination: Option<&str>,
        now: Timestamp,
    ) -> Option<String> {
        let life = Duration::from_secs(ATTEMPT_SECONDS.into());
        let pending = Pending {
            attempt,
            destination: destination
                .and_then(|address| brief(address, MOST_BYTES))
                .map(str::to_owned),
            expires: now.saturating_add(life).as_millis(),
        };
        let text = BASE64URL_NOPAD.encode(&serde_json::to_vec(&pending).ok()?);
        let code = hmac::sign(&self.key, text.as_bytes());
        Some(
            self.cookie
                .write(&format!("{text}.{}", HEXLOWER.encode(code.as_ref()))),
        )
    }

    /// The value of `Set-Cookie` that removes the attempt.
    pub(super) fn clear(&self) -> String {
        self.cookie.clear()
    }

    /// The attempt in the cookies of a request, if a server of this store has written it and it has not ended.
    pub(super) fn read(&self, headers: &HeaderMap, now: Timestamp) -> Option<Pending> {
        let (text, code) = self.cookie.read(headers)?.split_once('.')?;
        let code = HEXLOWER_PERMISSIVE.decode(code.as_bytes()).ok()?;
        hmac::verify(&self.key, text.as_bytes(), &code).ok()?;
        let pending = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let pending: Pending = serde_json::from_slice(&pending).ok()?;
        (now.as_millis() < pending.expires).then_some(pending)
    }
}
