//! The public keys of an issuer.

use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind, Header, Validation, decode,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{claims::Claims, refused::Refused};
use crate::config::IssuerSettings;

/// The minimum size of an RSA key, in bits.
const LEAST_RSA_BITS: usize = 2048;

/// A hash of a set of keys. Tokens that were verified with a set need not be verified again with an equal one.
pub(crate) type KeySetId = [u8; 32];

/// The keys of an issuer for accepted signature algorithms; other keys are ignored.
#[derive(Debug)]
pub(crate) struct KeySet {
    id: KeySetId,
    keys: Vec<Key>,
}

/// A public key. Its type, not the token, determines the algorithm.
#[derive(Debug)]
pub(crate) struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    public: DecodingKey,
    validation: Validation,
}

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a JWK set.
    ///
    /// # Errors
    ///
    /// If the text is not a JWK set.
    pub(crate) fn parse(
        document: &[u8],
        settings: &IssuerSettings,
    ) -> Result<Self, serde_json::Error> {
        let Document { keys } = serde_json::from_slice(document)?;
        let keys = keys
            .into_iter()
            .filter_map(|key| Key::usable(serde_json::from_value(key).ok()?, settings));
        Ok(Self {
            id: Sha256::digest(document).into(),
            keys: keys.collect(),
        })
    }

    pub(crate) fn id(&self) -> KeySetId {
        self.id
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The key for a token with this header; `None` if it may be a new key that has not been fetched yet.
    ///
    /// A token without a key identifier uses the only key for its algorithm, if there is exactly one.
    pub(crate) fn find(&self, header: &Header) -> Result<Option<&Key>, Refused> {
        let mut fitting = self
            .keys
            .iter()
            .filter(|key| key.algorithm == header.alg)
            .filter(|key| header.kid.is_none() || key.id == header.kid);
        let (first, second) = (fitting.next(), fitting.next());
        if header.kid.is_none() && second.is_some() {
            return Err(Refused::NoKeyIdentifier);
        }
        let is_of_another = || self.keys.iter().any(|key| key.id == header.kid);
        if first.is_none() && header.kid.is_some() && is_of_another() {
            return Err(Refused::OtherAlgorithm);
        }
        Ok(first)
    }
}

impl Key {
    /// The key, if it is for signatures of an accepted algorithm.
    fn usable(jwk: Jwk, settings: &IssuerSettings) -> Option<Self> {
        let algorithm = algorithm(&jwk)?;
        let public = DecodingKey::from_jwk(&jwk).ok()?;
        let mut validation = Validation::new(algorithm);
        // The lifetime is checked with our own clock; see `Lifetime`.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        validation.set_issuer(&[settings.url.as_str()]);
        Some(Self {
            id: jwk.common.key_id,
            algorithm,
            public,
            validation,
        })
    }

    /// Verifies the signature, the issuer and the audience of a token, and returns its claims.
    pub(crate) fn verify(
        &self,
        token: &str,
        audience: &[impl ToString],
    ) -> Result<Claims, Refused> {
        let mut validation = self.validation.clone();
        validation.set_audience(audience);
        Ok(decode(token, &self.public, &validation)?.claims)
    }
}

/// The algorithm of a key, if it is accepted and the key is for signatures.
fn algorithm(jwk: &Jwk) -> Option<Algorithm> {
    let (algorithm, name) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) if has_enough_bits(jwk) => {
            (Algorithm::RS256, KeyAlgorithm::RS256)
        }
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            (Algorithm::EdDSA, KeyAlgorithm::EdDSA)
        }
        _ => return None,
    };
    let common = &jwk.common;
    let signs = common
        .public_key_use
        .as_ref()
        .is_none_or(|usage| *usage == PublicKeyUse::Signature);
    let verifies = common
        .key_operations
        .as_ref()
        .is_none_or(|operations| operations.contains(&KeyOperations::Verify));
    let agrees = common.key_algorithm.is_none_or(|stated| stated == name);
    (signs && verifies && agrees).then_some(algorithm)
}

fn has_enough_bits(jwk: &Jwk) -> bool {
    let Ok(key) = DecodingKey::from_jwk(jwk) else {
        return false;
    };
    let DecodingKeyKind::RsaModulusExponent { n, .. } = key.kind() else {
        return false;
    };
    let mut bytes = n.iter().skip_while(|byte| **byte == 0);
    let Some(first) = bytes.next() else {
        return false;
    };
    let unset = usize::try_from(first.leading_zeros()).unwrap_or(8);
    (bytes.count() + 1) * 8 - unset >= LEAST_RSA_BITS
}
