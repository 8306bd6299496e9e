//! The cached documents of an issuer, and when they are fetched again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formalize_core::{Clock, Timestamp};
use tokio::sync::watch;
use tracing::Instrument;

use super::{
    endpoints::Endpoints,
    fetch::{Fetcher, Published},
    keys::KeySet,
};
use crate::{config::IssuerSettings, failure::chain};

/// The minimum time between two fetches, in milliseconds, whether or not they succeed.
const PAUSE_MILLIS: i64 = 30 * 1000;

/// The age at which keys are fetched again before use, in milliseconds.
const STALE_MILLIS: i64 = 60 * 60 * 1000;

/// The age at which keys expire, in milliseconds, even if the issuer is unavailable.
const VOID_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The keys of the issuer are unknown, or were last confirmed too long ago.
#[derive(Debug, thiserror::Error)]
#[error("no keys of the issuer {0} are available")]
pub struct KeysUnknown(String);

/// The keys of one issuer. Fetches never overlap: callers that need the keys during a fetch wait for it.
pub(crate) struct KeyRing {
    settings: Arc<IssuerSettings>,
    fetcher: Fetcher,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Notifies waiting callers that a fetch has ended.
    ended: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    kept: Option<CachedKeys>,
    /// When the last fetch started.
    last_fetch: Option<Timestamp>,
    /// Whether the last completed fetch failed.
    failed: bool,
    is_fetching: bool,
}

struct CachedKeys {
    keys: Arc<KeySet>,
    endpoints: Arc<Endpoints>,
    since: Timestamp,
}

impl State {
    /// The keys, unless they have expired.
    fn keys(&self, now: Timestamp) -> Option<Arc<KeySet>> {
        let kept = self.kept.as_ref()?;
        (millis(kept.since, now) < VOID_MILLIS).then(|| Arc::clone(&kept.keys))
    }

    /// Whether the keys need no confirmation. If the clock was set back, they are stale rather than fresh forever.
    fn is_fresh(&self, now: Timestamp) -> bool {
        self.kept
            .as_ref()
            .is_some_and(|kept| (0..STALE_MILLIS).contains(&millis(kept.since, now)))
    }

    fn may_fetch(&self, now: Timestamp) -> bool {
        self.last_fetch
            .is_none_or(|last| !(0..PAUSE_MILLIS).contains(&millis(last, now)))
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
    /// Stale keys are fetched again first. While the issuer is unavailable, they stay in use without delay until they
    /// expire.
    ///
    /// # Errors
    ///
    /// If no keys are known and they cannot be fetched.
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

    /// Where people sign in, confirmed as often as the keys.
    ///
    /// # Errors
    ///
    /// If that is unknown and cannot be fetched.
    pub(crate) async fn endpoints(self: &Arc<Self>) -> Result<Arc<Endpoints>, KeysUnknown> {
        self.current().await?;
        self.known_endpoints().ok_or_else(|| self.unknown())
    }

    /// Where people sign in, as far as it is known without fetching it.
    pub(crate) fn known_endpoints(&self) -> Option<Arc<Endpoints>> {
        let state = self.state();
        state.kept.as_ref().map(|kept| Arc::clone(&kept.endpoints))
    }

    /// Fetches the keys again and returns them; returns the cached keys if a fetch is not due yet.
    ///
    /// # Errors
    ///
    /// If no keys are known.
    pub(crate) async fn renewed(self: &Arc<Self>) -> Result<Arc<KeySet>, KeysUnknown> {
        self.after(self.fetch(self.clock.now())).await
    }

    async fn after(&self, fetch: Option<watch::Receiver<()>>) -> Result<Arc<KeySet>, KeysUnknown> {
        if let Some(mut ended) = fetch {
            // The sender lives as long as this ring, so this completes when the fetch ends.
            let _ = ended.changed().await;
        }
        let keys = self.state().keys(self.clock.now());
        keys.ok_or_else(|| self.unknown())
    }

    /// Starts a fetch, or joins the one in progress; `None` if the last one is too recent.
    ///
    /// The fetch continues if its caller is cancelled. Otherwise clients that disconnect could prevent the keys from
    /// being renewed.
    pub(crate) fn fetch(self: &Arc<Self>, now: Timestamp) -> Option<watch::Receiver<()>> {
        let mut state = self.state();
        if !state.is_fetching {
            if !state.may_fetch(now) {
                return None;
            }
            state.is_fetching = true;
            state.last_fetch = Some(now);
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

/// A fetch in progress. Dropping it releases the waiting callers, even after a panic.
struct Fetch(Arc<KeyRing>);

impl Fetch {
    async fn run(self) {
        let ring = &self.0;
        let fetched = ring.fetcher.documents(&ring.settings).await;
        let issuer = &ring.settings.url;
        match &fetched {
            Ok(Published { keys, .. }) if keys.len() == 0 => {
                tracing::warn!(%issuer, "the issuer publishes no usable keys");
            }
            Ok(Published { keys, .. }) => {
                tracing::info!(%issuer, keys = keys.len(), "keys fetched");
            }
            Err(error) => {
                tracing::warn!(%issuer, cause = chain(error), "failed to fetch the keys");
            }
        }
        self.keep(fetched.ok());
    }

    fn keep(&self, fetched: Option<Published>) {
        let since = self.0.clock.now();
        let mut state = self.0.state();
        state.failed = fetched.is_none();
        if let Some(Published { keys, endpoints }) = fetched {
            state.kept = Some(CachedKeys {
                keys: Arc::new(keys),
                endpoints: Arc::new(endpoints),
                since,
            });
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
