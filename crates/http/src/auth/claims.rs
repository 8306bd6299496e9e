//! Converts the claims of a token into a caller.

use formalize_core::{Attributes, Caller, Timestamp, UserId};
use serde_json::{Map, Value};

use super::refused::Refused;
use crate::config::IssuerSettings;

/// The claims of a token, by name.
pub(crate) type Claims = Map<String, Value>;

/// The tolerance for the clock of an issuer, in milliseconds.
const LEEWAY_MILLIS: i64 = 60_000;

/// The lifetime of a token, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lifetime {
    begins: Option<i64>,
    ends: i64,
}

impl Lifetime {
    pub(crate) fn of(claims: &Claims) -> Result<Self, Refused> {
        let instant = |name: &str| {
            let claim = claims.get(name);
            claim.map(|claim| millis(claim).ok_or_else(|| Refused::Claim(name.to_owned())))
        };
        let ends = instant("exp").unwrap_or_else(|| Err(Refused::Claim("exp".to_owned())))?;
        Ok(Self {
            begins: instant("nbf").transpose()?,
            ends,
        })
    }

    pub(crate) fn check(self, now: Timestamp) -> Result<(), Refused> {
        let now = now.as_millis();
        if now >= self.ends.saturating_add(LEEWAY_MILLIS) {
            return Err(Refused::Expired);
        }
        let is_early = |begins: i64| now < begins.saturating_sub(LEEWAY_MILLIS);
        if self.begins.is_some_and(is_early) {
            return Err(Refused::NotYetValid);
        }
        Ok(())
    }
}

/// Converts seconds since 1970, possibly with a fraction, into milliseconds.
fn millis(seconds: &Value) -> Option<i64> {
    if let Some(whole) = seconds.as_i64() {
        return Some(whole.saturating_mul(1000));
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "numbers out of range saturate, far from any date"
    )]
    seconds.as_f64().map(|seconds| (seconds * 1000.0) as i64)
}

/// The user of the token.
pub(crate) fn caller(settings: &IssuerSettings, claims: &Claims) -> Result<Caller, Refused> {
    let user = settings
        .user_claim
        .find(claims)
        .and_then(Value::as_str)
        .and_then(|user| UserId::new(user).ok())
        .filter(|user| !user.is_reserved())
        .ok_or_else(|| Refused::User(settings.user_claim.to_string()))?;
    let attributes: Attributes = settings
        .attributes
        .iter()
        .filter_map(|(name, path)| Some((name.clone(), path.find(claims)?.clone())))
        .collect();
    Ok(Caller::with_attributes(user, attributes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claims(value: &Value) -> Claims {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_minute_of_clock_skew_is_tolerated() {
        let lifetime = Lifetime::of(&claims(&json!({"nbf": 1000, "exp": 2000.5}))).unwrap();
        for (now, expected) in [
            (939_999, Err(Refused::NotYetValid)),
            (940_000, Ok(())),
            (2_060_499, Ok(())),
            (2_060_500, Err(Refused::Expired)),
        ] {
            let now = Timestamp::from_millis(now).unwrap();
            assert_eq!(lifetime.check(now), expected, "{now}");
        }
    }

    #[test]
    fn a_lifetime_is_in_seconds() {
        for (wrong, name) in [
            (json!({}), "exp"),
            (json!({"exp": null}), "exp"),
            (json!({"exp": "2000"}), "exp"),
            (json!({"exp": [2000]}), "exp"),
            (json!({"exp": 1, "nbf": true}), "nbf"),
            (json!({"exp": 1, "nbf": null}), "nbf"),
        ] {
            let refused = Lifetime::of(&claims(&wrong)).unwrap_err();
            assert_eq!(refused, Refused::Claim(name.to_owned()), "{wrong}");
        }
        let now = Timestamp::from_millis(0).unwrap();
        for (exp, expected) in [
            (json!(u64::MAX), Ok(())),
            (json!(1e300), Ok(())),
            (json!(i64::MIN), Err(Refused::Expired)),
            (json!(-1e300), Err(Refused::Expired)),
        ] {
            let lifetime = Lifetime::of(&claims(&json!({ "exp": exp }))).unwrap();
            assert_eq!(lifetime.check(now), expected, "{exp}");
        }
    }
}
