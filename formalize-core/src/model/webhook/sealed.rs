//! Secrets as stores keep them.

/// The text that a store keeps for the secret of a webhook: readable, or encrypted.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret(pub String);

impl SealedSecret {
    /// The prefix of encrypted secrets. What follows is the base64 of the nonce, the ciphertext and the tag.
    pub const ENCRYPTED: &str = "aes256gcm:";

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.starts_with(Self::ENCRYPTED)
    }
}

secret! { SealedSecret }
