//! Why a token is not believed.

use jsonwebtoken::errors::{Error, ErrorKind};

/// Why a token is refused. It is for the log alone: whoever sent the token learns nothing of it. No message repeats
/// more of the token than the name of its issuer, shortened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("longer than {0} bytes")]
    TooLong(usize),
    #[error("neither an API token nor a signed JWT of a known algorithm")]
    Malformed,
    #[error("the header asks for extensions (`crit`), and none is known")]
    Critical,
    #[error("the type in the header is that of something else than an access or ID token")]
    Type,
    #[error("the algorithm is none of RS256, ES256 and EdDSA")]
    Algorithm,
    #[error("the payload names no issuer")]
    NoIssuer,
    #[error("the issuer {0:?} is none of the configuration")]
    UnknownIssuer(String),
    #[error("no key identifier, and not exactly one key for the algorithm")]
    NoKeyIdentifier,
    #[error("the issuer has no usable key of that identifier and algorithm")]
    UnknownKey,
    #[error("the key of that identifier is for another algorithm")]
    OtherAlgorithm,
    #[error("the signature is wrong")]
    Signature,
    #[error("meant for another audience")]
    Audience,
    #[error("the claim `{0}` is missing or of the wrong type")]
    Claim(String),
    #[error("expired")]
    Expired,
    #[error("not valid yet")]
    NotYetValid,
    #[error("the claim `{0}` is no user identifier")]
    User(String),
}

impl Refused {
    /// The most characters that are shown of an issuer that is not known.
    const SHOWN: usize = 200;

    /// A token of an issuer that is not in the configuration.
    pub(crate) fn unknown_issuer(issuer: &str) -> Self {
        Self::UnknownIssuer(issuer.chars().take(Self::SHOWN).collect())
    }
}

/// What the verification of the signature and of the registered claims says.
impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        match error.into_kind() {
            ErrorKind::InvalidSignature => Self::Signature,
            ErrorKind::InvalidAudience => Self::Audience,
            ErrorKind::InvalidAlgorithm => Self::OtherAlgorithm,
            ErrorKind::MissingRequiredClaim(claim) => Self::Claim(claim),
            _ => Self::Malformed,
        }
    }
}
