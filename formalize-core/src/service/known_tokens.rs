//! Tokens that were found lately, so that the store need not be asked for every request of a busy caller.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

use crate::model::token::{ApiToken, SecretHash};
use crate::time::Timestamp;

/// How many tokens are kept; those in use stay.
const KEPT: usize = 10_000;

/// How long no use of a token is recorded after one could not be, in milliseconds. To find that out takes as long as the
/// store has patience, which is much for everybody who only reads.
const RECORD_AGAIN_MILLIS: i64 = 30 * 1000;

/// Tokens as the store had them not longer than a moment ago.
pub(super) struct KnownTokens {
    memory: Duration,
    /// How many revocations this process has seen. A token that was found before the last of them is not known any more.
    revocations: AtomicU64,
    tokens: Cache<SecretHash, Arc<Known>>,
    /// When a use could not be recorded last, in milliseconds since 1970.
    not_recorded: AtomicI64,
}

struct Known {
    token: ApiToken,
    asked: Asked,
}

/// When the store was asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    at: Instant,
    revocations: u64,
}

impl KnownTokens {
    pub(super) fn new(memory: Duration) -> Self {
        Self {
            memory,
            revocations: AtomicU64::new(0),
            tokens: Cache::new(KEPT),
            not_recorded: AtomicI64::new(i64::MIN),
        }
    }

    /// Whether recording a use may be tried.
    pub(super) fn may_record(&self, now: Timestamp) -> bool {
        let failed = self.not_recorded.load(Ordering::Relaxed);
        let ago = now.as_millis().saturating_sub(failed);
        // A clock that was set back is no reason to wait for longer.
        !(0..RECORD_AGAIN_MILLIS).contains(&ago)
    }

    /// To be called when a use could not be recorded.
    pub(super) fn not_recorded(&self, now: Timestamp) {
        self.not_recorded.store(now.as_millis(), Ordering::Relaxed);
    }

    /// A token that is known.
    pub(super) fn find(&self, secret: &SecretHash) -> Option<ApiToken> {
        let known = self.tokens.get(secret)?;
        let is_current = known.asked.revocations == self.revocations.load(Ordering::Acquire)
            && known.asked.at.elapsed() < self.memory;
        is_current.then(|| known.token.clone())
    }

    /// To be called before the store is asked for a token, so that a revocation in between is noticed.
    pub(super) fn ask(&self) -> Asked {
        Asked {
            revocations: self.revocations.load(Ordering::Acquire),
            at: Instant::now(),
        }
    }

    /// Keeps what the store has answered.
    pub(super) fn keep(&self, secret: SecretHash, token: ApiToken, asked: Asked) {
        if self.memory.is_zero() {
            return;
        }
        self.tokens.insert(secret, Arc::new(Known { token, asked }));
    }

    /// To be called when a token has been revoked: from now on the store is asked for every token again. Revocations are
    /// rare, and this leaves no moment in which the revoked one is known.
    pub(super) fn forget_all(&self) {
        self.revocations.fetch_add(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TokenId;
    use crate::model::subject::{Attributes, UserId};

    fn secret() -> SecretHash {
        SecretHash("secret".to_owned())
    }

    fn token() -> ApiToken {
        ApiToken {
            id: TokenId::from_uuid(uuid::Uuid::from_u128(1)),
            user: UserId::new("alice").unwrap(),
            attributes: Attributes::new(),
            date_created: Timestamp::from_millis(0).unwrap(),
            date_expires: None,
            date_last_used: None,
        }
    }

    #[test]
    fn a_token_is_known_for_a_while() {
        let known = KnownTokens::new(Duration::from_mins(1));
        assert_eq!(known.find(&secret()), None);
        known.keep(secret(), token(), known.ask());
        assert_eq!(known.find(&secret()), Some(token()));

        let hasty = KnownTokens::new(Duration::ZERO);
        hasty.keep(secret(), token(), hasty.ask());
        assert_eq!(hasty.find(&secret()), None);
    }

    #[test]
    fn after_a_revocation_no_token_is_known() {
        let known = KnownTokens::new(Duration::from_mins(1));
        known.keep(secret(), token(), known.ask());
        known.forget_all();
        assert_eq!(known.find(&secret()), None);
        known.keep(secret(), token(), known.ask());
        assert_eq!(known.find(&secret()), Some(token()));
    }

    #[test]
    fn what_was_asked_before_a_revocation_is_not_kept_after_it() {
        let known = KnownTokens::new(Duration::from_mins(1));
        let asked = known.ask();
        known.forget_all();
        known.keep(secret(), token(), asked);
        assert_eq!(known.find(&secret()), None);
    }
}
