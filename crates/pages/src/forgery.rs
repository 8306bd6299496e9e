//! Protection against requests that other web sites forge (CSRF).
//!
//! A browser sends the cookie of a session with every request to this service, whichever site causes it. So a request that
//! changes something must show two things: that it comes from a page of this service, by headers that sites cannot set, and
//! the token of that page.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use formalize_core::{Timestamp, links::LinkId, tokens::TokenId};
use poem::http::{HeaderMap, header};
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The bytes of a code, and of the random number that hides it.
const BYTES: usize = 32;

/// Whether a request comes from a page of this origin. Old browsers, and all browsers for plain HTTP outside of loopback, do
/// not send `Sec-Fetch-Site`; then `Origin` is compared.
pub(super) fn is_from_own_page(headers: &HeaderMap, own_origin: &str) -> bool {
    match headers.get(SEC_FETCH_SITE) {
        Some(site) => site == "same-origin",
        None => headers
            .get(header::ORIGIN)
            .is_some_and(|origin| origin == own_origin),
    }
}

/// Makes and checks the tokens of pages. All servers of a store have the same key.
#[derive(Debug)]
pub(super) struct PageTokens {
    key: hmac::Key,
    random: SystemRandom,
}

impl PageTokens {
    pub(super) fn new(key: &[u8; 32]) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
            random: SystemRandom::new(),
        }
    }

    /// The token for a path in a session: a message authentication code of both. It is hidden by a new random number each
    /// time, so that it cannot be found from the length of compressed pages (BREACH).
    pub(super) fn make(&self, session: TokenId, path: &str) -> String {
        let mut mask = [0; BYTES];
        if self.random.fill(&mut mask).is_err() {
            // A token that is never valid.
            return String::new();
        }
        let code = hmac::sign(&self.key, &message(session, path));
        let hidden = mixed(code.as_ref(), &mask);
        format!("{}{}", HEXLOWER.encode(&mask), HEXLOWER.encode(&hidden))
    }

    /// A key of a page, which no other page has. Empty if there are no random numbers.
    pub(super) fn key(&self) -> String {
        let mut bytes = [0; BYTES / 2];
        let filled = self.random.fill(&mut bytes);
        filled.map_or_else(|_| String::new(), |()| HEXLOWER.encode(&bytes))
    }

    /// Whether a token was made for this path in this session.
    pub(super) fn is_valid(&self, token: &str, session: TokenId, path: &str) -> bool {
        let Ok(bytes) = HEXLOWER_PERMISSIVE.decode(token.as_bytes()) else {
            return false;
        };
        let Some((mask, hidden)) = bytes.split_at_checked(BYTES) else {
            return false;
        };
        if hidden.len() != BYTES {
            return false;
        }
        let code = mixed(hidden, mask);
        // Compares in constant time.
        hmac::verify(&self.key, &message(session, path), &code).is_ok()
    }
}

/// Signs the times at which pages of public links were made.
#[derive(Debug)]
pub(super) struct PageTimes(hmac::Key);

impl PageTimes {
    pub(super) fn new(key: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// A time for a page of this link, so that nobody can claim another one.
    pub(super) fn sign(&self, link: LinkId, time: Timestamp) -> String {
        let millis = time.as_millis();
        let code = hmac::sign(&self.0, &stamp(link, millis));
        format!("{millis}.{}", HEXLOWER.encode(code.as_ref()))
    }

    /// The time in a text, if it was signed for this link.
    pub(super) fn read(&self, text: &str, link: LinkId) -> Option<Timestamp> {
        let (millis, code) = text.split_once('.')?;
        let millis = millis.parse().ok()?;
        let code = HEXLOWER_PERMISSIVE.decode(code.as_bytes()).ok()?;
        hmac::verify(&self.0, &stamp(link, millis), &code).ok()?;
        Timestamp::from_millis(millis).ok()
    }
}

fn stamp(link: LinkId, millis: i64) -> Vec<u8> {
    [link.as_uuid().as_bytes().as_slice(), &millis.to_be_bytes()].concat()
}

fn message(session: TokenId, path: &str) -> Vec<u8> {
    // The identifier has a fixed length.
    [session.as_uuid().as_bytes(), path.as_bytes()].concat()
}

fn mixed(bytes: &[u8], mask: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .zip(mask)
        .map(|(byte, mask)| byte ^ mask)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(number: u128) -> TokenId {
        TokenId::from_uuid(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn a_token_is_valid_for_its_session_and_path() {
        let tokens = PageTokens::new(&[7; 32]);
        let token = tokens.make(session(1), "/f/a");
        assert!(tokens.is_valid(&token, session(1), "/f/a"));
        assert!(!tokens.is_valid(&token, session(2), "/f/a"));
        assert!(!tokens.is_valid(&token, session(1), "/f/b"));
        assert!(!PageTokens::new(&[8; 32]).is_valid(&token, session(1), "/f/a"));
        for wrong in [
            "",
            "00",
            token.strip_suffix(char::is_alphanumeric).unwrap(),
            &format!("{token}00"),
        ] {
            assert!(!tokens.is_valid(wrong, session(1), "/f/a"), "{wrong}");
        }
    }

    #[test]
    fn a_token_looks_different_each_time() {
        let tokens = PageTokens::new(&[7; 32]);
        let make = || {
            let token = tokens.make(session(1), "/f/a");
            token.split_at(2 * BYTES).1.to_owned()
        };
        assert_ne!(make(), make());
    }

    #[test]
    fn requests_of_other_sites_are_recognized() {
        let own = "https://forms.example.org";
        for (site, origin, is_own) in [
            (Some("same-origin"), None, true),
            (Some("same-origin"), Some("null"), true),
            (Some("same-site"), Some(own), false),
            (Some("cross-site"), Some(own), false),
            (Some("none"), None, false),
            (None, Some(own), true),
            (None, Some("https://example.org"), false),
            (None, Some("null"), false),
            (None, None, false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [(SEC_FETCH_SITE, site), ("origin", origin)] {
                if let Some(value) = value {
                    headers.insert(name, value.parse().unwrap());
                }
            }
            assert_eq!(
                is_from_own_page(&headers, own),
                is_own,
                "{site:?} {origin:?}"
            );
        }
    }
}
