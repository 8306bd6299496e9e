//! AES-256-GCM (NIST SP 800-38D), with the feature `encryption`.

/// The size of a nonce, which no other message has with the same key.
pub(super) const NONCE_BYTES: usize = 12;

#[cfg(feature = "encryption")]
mod with_ring {
    use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

    use super::NONCE_BYTES;

    const _: () = assert!(NONCE_LEN == NONCE_BYTES);

    /// A key that encrypts and decrypts.
    pub(crate) struct Key(LessSafeKey);

    impl Key {
        pub(crate) fn new(bytes: [u8; 32]) -> Option<Self> {
            let key = UnboundKey::new(&AES_256_GCM, &bytes).ok()?;
            Some(Self(LessSafeKey::new(key)))
        }

        /// Encrypts a text, which can only be decrypted with the same `context`.
        pub(crate) fn seal(
            &self,
            nonce: [u8; NONCE_BYTES],
            context: &[u8],
            text: &[u8],
        ) -> Option<Vec<u8>> {
            let mut sealed = text.to_vec();
            let nonce = Nonce::assume_unique_for_key(nonce);
            let (key, context) = (&self.0, Aad::from(context));
            key.seal_in_place_append_tag(nonce, context, &mut sealed)
                .ok()?;
            Some(sealed)
        }

        /// The text; `None` if it was encrypted with another key, nonce or context, or changed.
        pub(crate) fn open(
            &self,
            nonce: [u8; NONCE_BYTES],
            context: &[u8],
            sealed: &[u8],
        ) -> Option<Vec<u8>> {
            let mut opened = sealed.to_vec();
            let nonce = Nonce::assume_unique_for_key(nonce);
            let text = self.0.open_in_place(nonce, Aad::from(context), &mut opened);
            Some(text.ok()?.to_vec())
        }
    }
}

#[cfg(not(feature = "encryption"))]
mod without {
    use super::NONCE_BYTES;

    /// Without the feature, a program cannot make a key.
    pub(crate) enum Key {}

    impl Key {
        pub(crate) fn seal(&self, _: [u8; NONCE_BYTES], _: &[u8], _: &[u8]) -> Option<Vec<u8>> {
            match *self {}
        }

        pub(crate) fn open(&self, _: [u8; NONCE_BYTES], _: &[u8], _: &[u8]) -> Option<Vec<u8>> {
            match *self {}
        }
    }
}

#[cfg(feature = "encryption")]
pub(super) use with_ring::Key;
#[cfg(not(feature = "encryption"))]
pub(super) use without::Key;
