//! A cache of recently authenticated tokens, so that the store is not queried for every request of a busy caller.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use quick_cache::unsync;

use crate::id::TokenId;
use crate::model::token::{ApiToken, SecretHash};
use crate::time::Timestamp;

/// The maximum number of tokens. Those in use are kept.
const KEPT: usize = 10_000;

/// How long to stop recording uses after a failure, in milliseconds. A failing attempt takes as long as the timeout of
/// the store, which would delay callers who only read.
const RECORD_AGAIN_MILLIS: i64 = 30 * 1000;

/// Recently authenticated tokens.
pub(super) struct KnownTokens {
    memory: Duration,
    /// The number of revocations that this process has seen. A token that was found before the last one is no longer
    /// valid.
    revocations: AtomicU64,
    tokens: Cache<SecretHash, Arc<Known>>,
    /// The time of the last failure to record a use, in milliseconds since 1970.
    not_recorded: AtomicI64,
    /// When this process last recorded uses, or began to.
    recorded: Mutex<unsync::Cache<TokenId, Timestamp>>,
}

/// The recording of a use. If it is not done, for example because the request was cancelled, another request records its
/// own use.
pub(super) struct Recording<'k> {
    known: &'k KnownTokens,
    token: TokenId,
    done: bool,
}

impl Recording<'_> {
    pub(super) fn done(mut self) {
        self.done = true;
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.known.recorded().remove(&self.token);
        }
    }
}

struct Known {
    token: ApiToken,
    asked: Asked,
}

/// The number of revocations when the store was queried.
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
            recorded: Mutex::new(unsync::Cache::new(KEPT)),
        }
    }

    /// Begins to record a use; `None` if this process has just recorded one, or failed to.
    pub(super) fn begin_recording(
        &self,
        token: &ApiToken,
        now: Timestamp,
    ) -> Option<Recording<'_>> {
        let failed = self.not_recorded.load(Ordering::Relaxed);
        let ago = now.as_millis().saturating_sub(failed);
        // If the clock was set back, do not wait any longer.
        if (0..RECORD_AGAIN_MILLIS).contains(&ago) {
            return None;
        }
        let mut recorded = self.recorded();
        if recorded
            .get(&token.id)
            .is_some_and(|at| *at <= now && !token.is_due_after(*at, now))
        {
            return None;
        }
        recorded.insert(token.id, now);
        Some(Recording {
            known: self,
            token: token.id,
            done: false,
        })
    }

    fn recorded(&self) -> MutexGuard<'_, unsync::Cache<TokenId, Timestamp>> {
        // A panic leaves the cache complete.
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Must be called when a use could not be recorded.
    pub(super) fn not_recorded(&self, now: Timestamp) {
        self.not_recorded.store(now.as_millis(), Ordering::Relaxed);
    }

    /// Finds a cached token.
    pub(super) fn find(&self, secret: &SecretHash) -> Option<ApiToken> {
        let known = self.tokens.get(secret)?;
        let is_current = known.asked.revocations == self.revocations.load(Ordering::Acquire)
            && known.asked.at.elapsed() < self.memory;
        is_current.then(|| known.token.clone())
    }

    /// Must be called before querying the store for a token, so that a revocation in between is noticed.
    pub(super) fn ask(&self) -> Asked {
        Asked {
            revocations: self.revocations.load(Ordering::Acquire),
            at: Instant::now(),
        }
    }

    /// Caches the result of the query.
    pub(super) fn keep(&self, secret: SecretHash, token: ApiToken, asked: Asked) {
        if self.memory.is_zero() {
            return;
        }
        self.tokens.insert(secret, Arc::new(Known { token, asked }));
    }

    /// Must be called when a token was revoked. It empties the whole cache: revocations are rare, and this rejects the
    /// revoked token immediately.
    pub(super) fn forget_all(&self) {
        self.revocations.fetch_add(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::subject::{Attributes, UserId};
    use crate::model::token::TokenKind;

    fn secret() -> SecretHash {
        SecretHash("secret".to_owned())
    }

    fn token() -> ApiToken {
        ApiToken {
            id: TokenId::from_uuid(uuid::Uuid::from_u128(1)),
            kind: TokenKind::Api,
            user: UserId::new("alice").unwrap(),
            attributes: Attributes::new(),
            date_created: Timestamp::from_millis(0).unwrap(),
            date_expires: None,
            date_last_used: None,
            label: None,
            origin: None,
        }
    }

    #[test]
    fn tokens_are_cached_for_the_configured_time() {
        let known = KnownTokens::new(Duration::from_mins(1));
        assert_eq!(known.find(&secret()), None);
        known.keep(secret(), token(), known.ask());
        assert_eq!(known.find(&secret()), Some(token()));

        let hasty = KnownTokens::new(Duration::ZERO);
        hasty.keep(secret(), token(), hasty.ask());
        assert_eq!(hasty.find(&secret()), None);
    }

    #[test]
    fn a_revocation_empties_the_cache() {
        let known = KnownTokens::new(Duration::from_mins(1));
        known.keep(secret(), token(), known.ask());
        known.forget_all();
        assert_eq!(known.find(&secret()), None);
        known.keep(secret(), token(), known.ask());
        assert_eq!(known.find(&secret()), Some(token()));
    }

    #[test]
    fn a_query_from_before_a_revocation_is_not_cached() {
        let known = KnownTokens::new(Duration::from_mins(1));
        let asked = known.ask();
        known.forget_all();
        known.keep(secret(), token(), asked);
        assert_eq!(known.find(&secret()), None);
    }

    #[test]
    fn one_request_records_a_use() {
        let known = KnownTokens::new(Duration::ZERO);
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        let hour = 60 * 60 * 1000;
        let begin = |now| known.begin_recording(&token(), at(now));
        let first = begin(hour).unwrap();
        assert!(begin(hour).is_none(), "another request records");
        drop(first);
        begin(hour).unwrap().done();
        assert!(begin(2 * hour - 1).is_none(), "it was recorded");
        begin(2 * hour).unwrap().done();
        assert!(begin(hour).is_some(), "the clock was set back");
    }
}
