//! How the secrets of webhooks are encrypted in the store.

use std::sync::Arc;

use data_encoding::BASE64;

use super::aead::{Key, NONCE_BYTES};
use super::sealed::SealedSecret;
use super::secret::WebhookSecret;
use crate::id::WebhookId;

/// A key is not the base64 of 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the base64 of 32 random bytes, such as the output of `openssl rand -base64 32`")]
pub struct InvalidSecretKey;

/// The keys that encrypt the secrets of webhooks in the store. The first one encrypts, and all of them decrypt. Without keys,
/// secrets are stored in readable form.
#[derive(Clone, Default)]
pub struct SecretKeys(Arc<[Key]>);

#[cfg(feature = "encryption")]
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
        Self(keys.into_iter().filter_map(Key::new).collect())
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
        let key = |text: &str| BASE64.decode(text.as_bytes()).ok()?.try_into().ok();
        let keys: Option<Vec<[u8; 32]>> = keys.iter().map(|text| key(text.as_ref())).collect();
        keys.map(Self::new).ok_or(InvalidSecretKey)
    }
}

impl SecretKeys {
    /// Whether secrets stay readable, because no key encrypts them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encrypts a secret with the first key, for this webhook only. Without keys it stays readable. `nonce` must be random.
    pub(crate) fn seal(
        &self,
        webhook: WebhookId,
        secret: &WebhookSecret,
        nonce: [u8; NONCE_BYTES],
    ) -> Option<SealedSecret> {
        let Some(key) = self.0.first() else {
            return Some(SealedSecret(secret.0.clone()));
        };
        let sealed = key.seal(nonce, webhook.as_uuid().as_bytes(), secret.0.as_bytes())?;
        let text = BASE64.encode(&[nonce.as_slice(), &sealed].concat());
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
        let bytes = BASE64.decode(text.as_bytes()).ok()?;
        let (nonce, ciphertext) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let open = |key: &Key| {
            // A program that can write to the database cannot move a secret to another webhook.
            let opened = key.open(*nonce, webhook.as_uuid().as_bytes(), ciphertext)?;
            WebhookSecret::new(String::from_utf8(opened).ok()?).ok()
        };
        self.0.iter().take(keys).find_map(open)
    }
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
    #[cfg(feature = "encryption")]
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
        assert_eq!(none.open(WEBHOOK, &readable), Some(secret()));
    }

    #[test]
    #[cfg(feature = "encryption")]
    fn readable_secrets_are_read_with_keys() {
        let readable = SecretKeys::default().seal(WEBHOOK, &secret(), [9; 12]);
        let (readable, keys) = (readable.unwrap(), SecretKeys::new([[1; 32]]));
        assert!(!keys.is_current(WEBHOOK, &readable));
        assert_eq!(keys.open(WEBHOOK, &readable), Some(secret()));
    }
}
