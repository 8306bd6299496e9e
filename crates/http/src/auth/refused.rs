//! Why a token is rejected.

use jsonwebtoken::errors::{Error, ErrorKind};

/// Why a token is rejected. The reason is only logged, not disclosed to the client. Of the token, messages repeat only
/// the name of its issuer, shortened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("longer than {0} bytes")]
    TooLong(usize),
    #[error("neither an API token nor a signed JWT of a known algorithm")]
    Malformed,
    #[error("unsupported extensions (`crit`) in the header")]
    Critical,
    #[error("the `typ` in the header is not that of an access or ID token")]
    Type,
    #[error("unsupported algorithm; use RS256, ES256 or EdDSA")]
    Algorithm,
    #[error("the payload has no `iss`")]
    NoIssuer,
    /// Its name is not logged: it comes from a stranger, since nothing verifies it.
    #[error("the issuer is not configured")]
    UnknownIssuer,
    #[error("no `kid`, and the issuer has several keys for the algorithm")]
    NoKeyIdentifier,
    #[error("the issuer has no usable key with this `kid` and algorithm")]
    UnknownKey,
    #[error("the key with this `kid` is for another algorithm")]
    OtherAlgorithm,
    #[error("invalid signature")]
    Signature,
    #[error("issued by another issuer")]
    Issuer,
    #[error("issued for another audience")]
    Audience,
    #[error("the `nonce` is missing or not that of the attempt to sign in")]
    Nonce,
    #[error("the claim `{0}` is missing or of the wrong type")]
    Claim(String),
    #[error("expired")]
    Expired,
    #[error("not valid yet")]
    NotYetValid,
    #[error("the claim `{0}` is missing or not a valid user identifier")]
    User(String),
}

/// The result of verifying the signature and the registered claims.
impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        match error.into_kind() {
            ErrorKind::InvalidSignature => Self::Signature,
            ErrorKind::InvalidIssuer => Self::Issuer,
            ErrorKind::InvalidAudience => Self::Audience,
            ErrorKind::InvalidAlgorithm => Self::OtherAlgorithm,
            ErrorKind::MissingRequiredClaim(claim) => Self::Claim(claim),
            _ => Self::Malformed,
        }
    }
}
