//! Secrets that sign what webhooks send: their text, their signatures, and how they are encrypted in the store.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::Sha256;

use super::sealed::SealedSecret;
use crate::fields::{Field, InvalidFields};
use crate::id::{EventId, WebhookId};
use crate::time::Timestamp;

/// The secret with which a webhook signs, as the Standard Webhooks specification writes it: `whsec_` and the base64 of 24
/// to 64 bytes. A receiver needs the same text.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// The prefix, by which people, scanners and servers recognize the secret of a webhook.
    pub const PREFIX: &str = "whsec_";

    /// Parses a secret.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Webhook`] for any other text.
    ///
    /// ```
    /// use formalize_core::webhooks::WebhookSecret;
    ///
    /// assert!(WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").is_ok());
    /// assert!(WebhookSecret::new("secret").is_err());
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidFields> {
        let secret = Self(text.into());
        let fits = secret
            .key()
            .is_some_and(|key| (24..=64).contains(&key.len()));
        if fits {
            Ok(secret)
        } else {
            Err(InvalidFields::Webhook(vec![Field::Secret]))
        }
    }

    pub(crate) fn of_bytes(bytes: [u8; 32]) -> Self {
        Self(format!("{}{}", Self::PREFIX, STANDARD.encode(bytes)))
    }

    /// The text for the receiver.
    pub fn expose(&self) -> &str {
        &self.0
    }

    fn key(&self) -> Option<Vec<u8>> {
        let digits = self.0.strip_prefix(Self::PREFIX)?;
        STANDARD.decode(digits).ok()
    }

    /// The signature of a message: `v1,` and the base64 of an HMAC with SHA-256.
    fn sign(&self, message: &[&[u8]]) -> Option<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key()?).ok()?;
        for part in message {
            mac.update(part);
        }
        Some(format!(
            "v1,{}",
            STANDARD.encode(mac.finalize().into_bytes())
        ))
    }
}

/// Secrets must not appear in logs.
impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("WebhookSecret(..)")
    }
}

/// The secrets that sign at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signing {
    pub(crate) current: WebhookSecret,
    /// The secret before, which receivers may still use.
    pub(crate) previous: Option<WebhookSecret>,
}

impl Signing {
    /// The value of the header `webhook-signature`.
    pub(crate) fn header(&self, event: EventId, now: Timestamp, body: &str) -> String {
        let id = event.to_string();
        let seconds = now.as_millis().div_euclid(1000).to_string();
        let message = [
            id.as_bytes(),
            b".",
            seconds.as_bytes(),
            b".",
            body.as_bytes(),
        ];
        let secrets = std::iter::once(&self.current).chain(&self.previous);
        let signatures: Vec<String> = secrets.filter_map(|secret| secret.sign(&message)).collect();
        signatures.join(" ")
    }
}

/// A key is not the base64 of 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the base64 of 32 random bytes, such as the output of `openssl rand -base64 32`")]
pub struct InvalidSecretKey;

/// The keys that encrypt the secrets of webhooks in the store. The first one encrypts, and all of them decrypt. Without keys,
/// secrets are stored in readable form.
#[derive(Clone, Default)]
pub struct SecretKeys(Arc<[LessSafeKey]>);

impl SecretKeys {
    /// Keys of 32 random bytes.
    ///
    /// ```
    /// use formalize_core::webhooks::SecretKeys;
    ///
    /// assert!(SecretKeys::default().is_empty());
    /// assert!(!SecretKeys::new([[7; 32]]).is_empty());
    /// ```
    pub fn new(keys: impl IntoIterator<Item = [u8; 32]>) -> Self {
        let keys = keys.into_iter();
        // A key of 32 bytes always fits.
        let keys = keys.filter_map(|key| UnboundKey::new(&AES_256_GCM, &key).ok());
        Self(keys.map(LessSafeKey::new).collect())
    }

    /// Keys, each as base64.
    ///
    /// # Errors
    ///
    /// [`InvalidSecretKey`] if one of them is not 32 bytes.
    ///
    /// ```
    /// use formalize_core::webhooks::{InvalidSecretKey, SecretKeys};
    ///
    /// assert!(SecretKeys::parse(&["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]).is_ok());
    /// assert!(matches!(SecretKeys::parse(&["AAAA"]), Err(InvalidSecretKey)));
    /// ```
    pub fn parse(keys: &[impl AsRef<str>]) -> Result<Self, InvalidSecretKey> {
        let key = |text: &str| STANDARD.decode(text).ok()?.try_into().ok();
        let keys: Option<Vec<[u8; 32]>> = keys.iter().map(|text| key(text.as_ref())).collect();
        keys.map(Self::new).ok_or(InvalidSecretKey)
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encrypts a secret with the first key, for this webhook only. Without keys it stays readable. `nonce` must be random.
    pub(crate) fn seal(
        &self,
        webhook: WebhookId,
        secret: &WebhookSecret,
        nonce: [u8; NONCE_LEN],
    ) -> Option<SealedSecret> {
        let Some(key) = self.0.first() else {
            return Some(SealedSecret(secret.0.clone()));
        };
        let mut sealed = secret.0.clone().into_bytes();
        let unique = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(unique, bound_to(webhook), &mut sealed)
            .ok()?;
        let text = STANDARD.encode([nonce.as_slice(), &sealed].concat());
        Some(SealedSecret(format!("{}{text}", SealedSecret::ENCRYPTED)))
    }

    /// Decrypts a secret, or returns it if it is readable. `None` if no key decrypts it.
    pub(crate) fn open(&self, webhook: WebhookId, sealed: &SealedSecret) -> Option<WebhookSecret> {
        self.open_with(webhook, sealed, self.0.len())
    }

    /// Whether a secret is in the form in which it would be written now.
    pub(crate) fn is_current(&self, webhook: WebhookId, sealed: &SealedSecret) -> bool {
        let is_readable = self.open_with(webhook, sealed, 1).is_some();
        is_readable && sealed.is_encrypted() != self.is_empty()
    }

    fn open_with(
        &self,
        webhook: WebhookId,
        sealed: &SealedSecret,
        keys: usize,
    ) -> Option<WebhookSecret> {
        let Some(text) = sealed.0.strip_prefix(SealedSecret::ENCRYPTED) else {
            return WebhookSecret::new(sealed.0.clone()).ok();
        };
        let bytes = STANDARD.decode(text).ok()?;
        let (nonce, ciphertext) = bytes.split_first_chunk::<NONCE_LEN>()?;
        let open = |key: &LessSafeKey| {
            let mut opened = ciphertext.to_vec();
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let opened = key.open_in_place(nonce, bound_to(webhook), &mut opened);
            let text = String::from_utf8(opened.ok()?.to_vec()).ok()?;
            WebhookSecret::new(text).ok()
        };
        self.0.iter().take(keys).find_map(open)
    }
}

/// A program that can write to the database cannot move a secret to another webhook.
fn bound_to(webhook: WebhookId) -> Aad<[u8; 16]> {
    Aad::from(webhook.as_uuid().into_bytes())
}

/// Keys must not appear in logs.
impl std::fmt::Debug for SecretKeys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "SecretKeys({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const WEBHOOK: WebhookId = WebhookId::from_uuid(Uuid::from_u128(1));

    fn secret() -> WebhookSecret {
        WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap()
    }

    #[test]
    fn secrets_have_24_to_64_bytes() {
        let of = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
        for bytes in [24, 32, 64] {
            assert!(WebhookSecret::new(of(bytes)).is_ok(), "{bytes}");
        }
        for text in [
            of(23),
            of(65),
            of(24).replace("whsec_", ""),
            "whsec_!".into(),
        ] {
            assert!(WebhookSecret::new(text).is_err());
        }
        assert_eq!(format!("{:?}", secret()), "WebhookSecret(..)");
    }

    /// Calculated with Python: `hmac.new(key, message, "sha256")`.
    #[test]
    fn signatures_are_those_of_the_specification() {
        let event = EventId::from_uuid(Uuid::from_u128(0x0193_a5b6_7c8d_7e9f_8a0b_1c2d_3e4f_5a6b));
        let now = Timestamp::from_millis(1_614_265_330_999).unwrap();
        let mut signing = Signing {
            current: secret(),
            previous: None,
        };
        let signature = "v1,qM2cl1OIlJFJ3Ig0CYkY1EpnnPTI9IrTMv4laI9O0ww=";
        assert_eq!(
            signing.header(event, now, r#"{"test": 2432232314}"#),
            signature
        );
        signing.previous = Some(secret());
        let both = format!("{signature} {signature}");
        assert_eq!(signing.header(event, now, r#"{"test": 2432232314}"#), both);
    }

    #[test]
    fn secrets_are_encrypted_with_the_first_key_and_bound_to_the_webhook() {
        let (one, two) = ([1; 32], [2; 32]);
        let old = SecretKeys::new([one]);
        let sealed = old.seal(WEBHOOK, &secret(), [9; 12]).unwrap();
        assert!(sealed.is_encrypted() && !sealed.0.contains("MfKQ"));
        assert_eq!(old.open(WEBHOOK, &sealed), Some(secret()));
        assert_eq!(old.open(WebhookId::from_uuid(Uuid::nil()), &sealed), None);

        let both = SecretKeys::new([two, one]);
        assert_eq!(both.open(WEBHOOK, &sealed), Some(secret()));
        assert!(old.is_current(WEBHOOK, &sealed) && !both.is_current(WEBHOOK, &sealed));
        let again = both.seal(WEBHOOK, &secret(), [8; 12]).unwrap();
        assert!(both.is_current(WEBHOOK, &again));
        assert_eq!(SecretKeys::new([two]).open(WEBHOOK, &again), Some(secret()));

        for keys in [SecretKeys::default(), SecretKeys::new([two])] {
            assert_eq!(keys.open(WEBHOOK, &sealed), None);
        }
        for cut in ["", "AAAA", "!"] {
            let damaged = SealedSecret(format!("{}{cut}", SealedSecret::ENCRYPTED));
            assert_eq!(both.open(WEBHOOK, &damaged), None);
        }
    }

    #[test]
    fn without_keys_secrets_are_readable() {
        let none = SecretKeys::default();
        let readable = none.seal(WEBHOOK, &secret(), [9; 12]).unwrap();
        assert_eq!(readable.0, secret().expose());
        assert!(none.is_current(WEBHOOK, &readable));
        let keys = SecretKeys::new([[1; 32]]);
        assert!(!keys.is_current(WEBHOOK, &readable));
        assert_eq!(keys.open(WEBHOOK, &readable), Some(secret()));
    }
}
