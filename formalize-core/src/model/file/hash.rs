//! Hashes of contents.

use std::fmt;
use std::str::FromStr;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::{Digest, Sha256};

/// The SHA-256 of the content of a file.
///
/// ```
/// use formalize_core::files::ContentHash;
///
/// let hash = ContentHash::of(b"abc");
/// assert_eq!(hash.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of a whole content.
    pub fn of(content: &[u8]) -> Self {
        Self(Sha256::digest(content).into())
    }

    /// The bytes of the hash.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for ContentHash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// The text does not consist of 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits")]
pub struct InvalidHash;

impl FromStr for ContentHash {
    type Err = InvalidHash;

    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes());
        let bytes = bytes.map_err(|_| InvalidHash)?;
        bytes.try_into().map(Self).map_err(|_| InvalidHash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_hashes_are_read() {
        let hash = ContentHash::of(b"");
        let text = hash.to_string();
        assert_eq!(text.to_uppercase().parse(), Ok(hash));
        for wrong in [
            "",
            &"a".repeat(63),
            &"a".repeat(62),
            &format!("{text}00"),
            &text.replace('e', "g"),
        ] {
            assert_eq!(wrong.parse::<ContentHash>(), Err(InvalidHash), "{wrong}");
        }
    }
}
