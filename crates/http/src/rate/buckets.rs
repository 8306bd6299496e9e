//! Token buckets in bounded memory.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use governor::{
    nanos::Nanos,
    state::{StateStore, keyed::ShrinkableKeyedStateStore},
};

/// The maximum number of buckets: some ten megabytes.
const MOST: usize = 100_000;

/// The owner of a bucket.
pub(super) trait Key: Eq + Hash + Clone {}

impl<K: Eq + Hash + Clone> Key for K {}

/// The time at which each bucket is full again. A full bucket equals a missing one, and is removed when the limiter
/// cleans up.
///
/// Above the maximum, an arbitrary bucket is removed, and its owner gets a full one. An attacker needs that many
/// addresses within the time in which a bucket fills, and could not be stopped by a limit for each address anyway.
pub(super) struct Buckets<K> {
    full_at: Mutex<HashMap<K, Nanos>>,
    most: usize,
}

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self::of_at_most(MOST)
    }
}

impl<K> Buckets<K> {
    pub(super) fn of_at_most(most: usize) -> Self {
        Self {
            full_at: Mutex::default(),
            most,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Nanos>> {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Key> StateStore for Buckets<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut full_at = self.lock();
        if let Some(known) = full_at.get_mut(key) {
            let (measured, later) = measure(Some(*known))?;
            *known = later;
            return Ok(measured);
        }
        let (measured, later) = measure(None)?;
        if full_at.len() >= self.most
            && let Some(any) = full_at.keys().next().cloned()
        {
            full_at.remove(&any);
        }
        full_at.insert(key.clone(), later);
        Ok(measured)
    }
}

impl<K: Key> ShrinkableKeyedStateStore<K> for Buckets<K> {
    fn retain_recent(&self, drop_below: Nanos) {
        self.lock().retain(|_, full_at| *full_at > drop_below);
    }

    fn len(&self) -> usize {
        self.lock().len()
    }

    fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }
}
