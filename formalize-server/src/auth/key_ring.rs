//! The keys of an issuer as they are known, and when they are fetched again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formalize_core::{Clock, Timestamp};
use tokio::sync::watch;
use tracing::Instrument;

use super::{fetch::Fetcher, keys::KeySet};
use crate::{config::IssuerSettings, failure::chain};

/// The least time between two fetches, in milliseconds, whatever their outcome.
const PAUSE_MILLIS: i64 = 30 * 1000;

/// The age in milliseconds from which keys are fetched again before they are used.
const STALE_MILLIS: i64 = 60 * 60 * 1000;

/// The age in milliseconds from which keys are not used any more, though the issuer cannot be reached.
const VOID_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The keys of the issuer are not known, or have not been confirmed for too long.
#[derive(Debug, thiserror::Error)]
#[error("no keys of the issuer {0} are available")]
pub(crate) struct KeysUnknown(String);

/// The keys of one issuer. Fetches never overlap: who needs the keys while they are fetched waits for that fetch.
pub(crate) struct KeyRing {
    settings: Arc<IssuerSettings>,
    fetcher: Fetcher,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Says that a fetch has ended.
    ended: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    kept: Option<Kept>,
    /// When the last fetch began.
    asked: Option<Timestamp>,
    /// Whether the last fetch that has ended was in vain.
    failed: bool,
    is_fetching: bool,
}

struct Kept {
    keys: Arc<KeySet>,
    since: Timestamp,
}

impl State {
    /// The keys, unless they are void.
    fn keys(&self, now: Timestamp) -> Option<Arc<KeySet>> {
        let kept = self.kept.as_ref()?;
        (millis(kept.since, now) < VOID_MILLIS).then(|| Arc::clone(&kept.keys))
    }

    /// Whether the keys need no confirmation. A clock that was set back makes them stale, not fresh for ever.
    fn is_fresh(&self, now: Timestamp) -> bool {
        self.kept
            .as_ref()
            .is_some_and(|kept| (0..STALE_MILLIS).contains(&millis(kept.since, now)))
    }

    fn may_ask(&self, now: Timestamp) -> bool {
        self.asked
            .is_none_or(|asked| !(0..PAUSE_MILLIS).contains(&millis(asked, now)))
    }
}

fn millis(from: Timestamp, to: Timestamp) -> i64 {
    to.as_millis().saturating_sub(from.as_millis())
}

impl KeyRing {
    pub(crate) fn new(
        settings: Arc<IssuerSettings>,
        fetcher: Fetcher,
        clock: Arc<dyn Clock>,
    ) -> Arc<Self> {
        Arc::new(Self {
            settings,
            fetcher,
            clock,
            state: Mutex::default(),
            ended: watch::Sender::new(()),
        })
    }

    /// The keys to verify with.
    ///
    /// Stale ones are fetched again first. While the issuer fails, they stay in use without delay until they are void.
    ///
    /// # Errors
    ///
    /// If no keys are known, and none can be had.
    pub(crate) async fn current(self: &Arc<Self>) -> Result<Arc<KeySet>, KeysUnknown> {
        let now = self.clock.now();
        let (known, wait) = {
            let state = self.state();
            let known = state.keys(now);
            if state.is_fresh(now) {
                return known.ok_or_else(|| self.unknown());
            }
            let wait = known.is_none() || !state.failed;
            (known, wait)
        };
        let fetch = self.fetch(now);
        match known {
            Some(keys) if !wait => Ok(keys),
            _ => self.after(fetch).await,
        }
    }

    /// The keys after they were fetched again, or as they are if that is not due yet.
    ///
    /// # Errors
    ///
    /// If no keys are known.
    pub(crate) async fn renewed(self: &Arc<Self>) -> Result<Arc<KeySet>, KeysUnknown> {
        self.after(self.fetch(self.clock.now())).await
    }

    async fn after(&self, fetch: Option<watch::Receiver<()>>) -> Result<Arc<KeySet>, KeysUnknown> {
        if let Some(mut ended) = fetch {
            // The sender lives as long as this ring, so this ends with the fetch.
            let _ = ended.changed().await;
        }
        let keys = self.state().keys(self.clock.now());
        keys.ok_or_else(|| self.unknown())
    }

    /// Begins a fetch, or joins the one under way; nothing if the last one is too recent.
    ///
    /// It goes on if whoever asked for it goes away: otherwise callers who hang up could keep new keys from everybody.
    pub(crate) fn fetch(self: &Arc<Self>, now: Timestamp) -> Option<watch::Receiver<()>> {
        let mut state = self.state();
        if !state.is_fetching {
            if !state.may_ask(now) {
                return None;
            }
            state.is_fetching = true;
            state.asked = Some(now);
            let fetch = Fetch(Arc::clone(self));
            tokio::spawn(fetch.run().in_current_span());
        }
        Some(self.ended.subscribe())
    }

    fn unknown(&self) -> KeysUnknown {
        KeysUnknown(self.settings.url.to_string())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A fetch under way. However it ends, those who wait go on.
struct Fetch(Arc<KeyRing>);

impl Fetch {
    async fn run(self) {
        let ring = &self.0;
        let fetched = ring.fetcher.keys(&ring.settings).await;
        let issuer = &ring.settings.url;
        match &fetched {
            Ok(keys) if keys.len() == 0 => {
                tracing::warn!(%issuer, "the issuer publishes no usable keys");
            }
            Ok(keys) => tracing::info!(%issuer, keys = keys.len(), "keys fetched"),
            Err(error) => {
                tracing::warn!(%issuer, cause = chain(error), "failed to fetch the keys");
            }
        }
        self.keep(fetched.ok());
    }

    fn keep(&self, fetched: Option<KeySet>) {
        let since = self.0.clock.now();
        let mut state = self.0.state();
        state.failed = fetched.is_none();
        if let Some(keys) = fetched {
            let keys = Arc::new(keys);
            state.kept = Some(Kept { keys, since });
        }
    }
}

impl Drop for Fetch {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_fetching = false;
        self.0.ended.send_replace(());
    }
}
