//! Secrets that sign what webhooks send: their text, and their signatures.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::fields::{Field, InvalidFields};
use crate::id::EventId;
use crate::time::Timestamp;

/// The secret with which a webhook signs, as the Standard Webhooks specification writes it: `whsec_` and the base64 of 24
/// to 64 bytes. A receiver needs the same text.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(pub(super) String);

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
        let key = secret.key();
        let fits = key.is_some_and(|key| (24..=64).contains(&key.len()));
        ensure!(fits, InvalidFields::Webhook(vec![Field::Secret]));
        Ok(secret)
    }

    pub(crate) fn of_bytes(bytes: [u8; 32]) -> Self {
        Self(format!("{}{}", Self::PREFIX, BASE64.encode(&bytes)))
    }

    /// The text for the receiver.
    pub fn expose(&self) -> &str {
        &self.0
    }

    fn key(&self) -> Option<Vec<u8>> {
        let digits = self.0.strip_prefix(Self::PREFIX)?;
        BASE64.decode(digits.as_bytes()).ok()
    }

    /// The signature of a message: `v1,` and the base64 of an HMAC with SHA-256.
    fn sign(&self, message: &[&[u8]]) -> Option<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key()?).ok()?;
        for part in message {
            mac.update(part);
        }
        Some(format!(
            "v1,{}",
            BASE64.encode(&mac.finalize().into_bytes())
        ))
    }
}

secret! { WebhookSecret }

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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn secret() -> WebhookSecret {
        WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap()
    }

    #[test]
    fn secrets_have_24_to_64_bytes() {
        let of = |bytes: usize| format!("whsec_{}", BASE64.encode(&vec![7; bytes]));
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
}
