//! Counts by key, with limits.

use std::collections::HashMap;
use std::hash::Hash;
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// How much is in use by key, such as the bytes of each user. Clones share it. Keys of which nothing is in use take up no
/// memory.
///
/// Limits are given on each call, because they often depend on more than the key. They can change at any time: if more than a
/// new limit is in use, it stays in use, and nothing is added.
#[derive(Debug)]
pub struct Quota<K>(Arc<State<K>>);

#[derive(Debug)]
struct State<K> {
    used: Mutex<HashMap<K, u64>>,
    /// Notified when less is in use.
    less: Notify,
}

/// A weight that is in use of each of some keys, until this is dropped.
#[derive(Debug)]
#[must_use = "dropping it gives the weight back"]
pub struct InUse<K: Clone + Eq + Hash, const N: usize = 1> {
    keys: [K; N],
    /// It changes only under the lock of the quota.
    weight: AtomicU64,
    quota: Quota<K>,
}

impl<K> Clone for Quota<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> Default for Quota<K> {
    fn default() -> Self {
        Self(Arc::new(State {
            used: Mutex::default(),
            less: Notify::new(),
        }))
    }
}

impl<K> Quota<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, u64>> {
        // A panic leaves the numbers complete.
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash> Quota<K> {
    /// Takes a weight of each of these different keys, or of none of them. `most` are their limits.
    ///
    /// # Errors
    ///
    /// The first key of which more than its limit would be in use.
    pub fn take<const N: usize>(
        &self,
        keys: [K; N],
        most: [u64; N],
        weight: u64,
    ) -> Result<InUse<K, N>, K> {
        let taken = self.begin(keys);
        taken.resize(weight, most)?;
        Ok(taken)
    }

    /// Takes nothing yet.
    pub fn begin<const N: usize>(&self, keys: [K; N]) -> InUse<K, N> {
        InUse {
            keys,
            weight: AtomicU64::new(0),
            quota: self.clone(),
        }
    }

    /// How much of a key is in use.
    pub fn used(&self, key: &K) -> u64 {
        used(&self.lock(), key)
    }

    /// The number of keys of which something is in use.
    pub fn keys(&self) -> usize {
        self.lock().len()
    }
}

impl<K: Clone + Eq + Hash, const N: usize> InUse<K, N> {
    /// The weight.
    pub fn weight(&self) -> u64 {
        self.weight.load(Ordering::Relaxed)
    }

    /// Changes the weight. Reducing it always succeeds.
    ///
    /// # Errors
    ///
    /// The first key of which more than its limit would be in use. Then nothing changes.
    pub fn resize(&self, weight: u64, most: [u64; N]) -> Result<(), K> {
        let mut all = self.quota.lock();
        let own = self.weight();
        if let Some(more) = weight.checked_sub(own).filter(|more| *more > 0) {
            let mut limits = iter::zip(&self.keys, most);
            let full = limits.find(|(key, most)| used(&all, key).saturating_add(more) > *most);
            if let Some((key, _)) = full {
                return Err(key.clone());
            }
        }
        self.set(&mut all, weight);
        Ok(())
    }

    /// Adds to the weight without a limit. Returns how much of each key is in use then.
    pub fn add(&self, more: u64) -> [u64; N] {
        let mut all = self.quota.lock();
        self.set(&mut all, self.weight().saturating_add(more));
        self.keys.each_ref().map(|key| used(&all, key))
    }

    /// Reduces the weight.
    pub fn reduce(&self, by: u64) {
        let mut all = self.quota.lock();
        self.set(&mut all, self.weight().saturating_sub(by));
    }

    fn set(&self, all: &mut HashMap<K, u64>, weight: u64) {
        let own = self.weight.swap(weight, Ordering::Relaxed);
        for key in &self.keys {
            match used(all, key).saturating_sub(own).saturating_add(weight) {
                0 => all.remove(key),
                sum => all.insert(key.clone(), sum),
            };
        }
        if weight < own {
            self.quota.0.less.notify_waiters();
        }
    }

    /// Waits until no more than this is in use of each key.
    pub async fn until(&self, most: [u64; N]) {
        loop {
            // What is given back between the look and the wait is noticed, because it notifies this.
            let less = self.quota.0.less.notified();
            let fits = {
                let all = self.quota.lock();
                iter::zip(&self.keys, most).all(|(key, most)| used(&all, key) <= most)
            };
            if fits {
                return;
            }
            less.await;
        }
    }
}

impl<K: Clone + Eq + Hash, const N: usize> Drop for InUse<K, N> {
    fn drop(&mut self) {
        self.reduce(u64::MAX);
    }
}

fn used<K: Eq + Hash>(all: &HashMap<K, u64>, key: &K) -> u64 {
    all.get(key).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn what_exceeds_a_limit_is_refused_until_enough_is_given_back() {
        let quota = Quota::default();
        let first = quota.take(["ann"], [5], 3).unwrap();
        assert_eq!(quota.take(["ann"], [5], 3).unwrap_err(), "ann");
        let others = [
            quota.take(["ann"], [5], 2).unwrap(),
            quota.take(["bob"], [5], 5).unwrap(),
        ];
        drop(first);
        assert_eq!((quota.used(&"ann"), quota.used(&"bob")), (2, 5));
        assert!(quota.take(["ann"], [5], u64::MAX).is_err());
        let again = quota.take(["ann"], [5], 3).unwrap();
        drop((others, again));
        assert_eq!(quota.keys(), 0, "nothing is left behind");
    }

    #[test]
    fn all_keys_are_taken_or_none() {
        let quota = Quota::default();
        let all = quota.take(["all"], [9], 7).unwrap();
        assert_eq!(quota.take(["ann", "all"], [5, 9], 3).unwrap_err(), "all");
        assert_eq!(quota.take(["ann", "all"], [2, 9], 3).unwrap_err(), "ann");
        assert_eq!(quota.keys(), 1, "a refusal leaves nothing behind");
        let both = quota.take(["ann", "all"], [5, 9], 2).unwrap();
        assert_eq!((quota.used(&"ann"), quota.used(&"all")), (2, 9));
        drop(all);
        assert_eq!(both.resize(6, [5, 9]), Err("ann"));
        assert_eq!(both.resize(5, [5, 9]), Ok(()));
        assert_eq!((quota.used(&"ann"), quota.used(&"all")), (5, 5));
        drop(both);
        assert_eq!(quota.keys(), 0);
    }

    #[test]
    fn a_limit_below_what_is_in_use_refuses_more_and_takes_nothing_away() {
        let quota = Quota::default();
        let (one, other) = (quota.begin(["ann"]), quota.take(["ann"], [9], 4).unwrap());
        assert_eq!((one.weight(), one.add(4)), (0, [8]));
        assert_eq!(quota.take(["ann"], [5], 1).unwrap_err(), "ann");
        assert_eq!(one.resize(5, [5]), Err("ann"));
        assert_eq!((one.weight(), quota.used(&"ann")), (4, 8));
        one.resize(3, [5]).unwrap();
        assert_eq!(
            quota.used(&"ann"),
            7,
            "less is in use, though still too much"
        );
        one.reduce(9);
        assert_eq!((one.weight(), quota.used(&"ann")), (0, 4));
        one.resize(1, [5]).unwrap();
        drop((one, other));
        assert_eq!(quota.keys(), 0);
    }

    #[test]
    fn those_who_wait_are_woken_when_enough_is_given_back() {
        let quota = Quota::default();
        let (one, other) = (quota.begin([1]), quota.begin([1]));
        assert_eq!((one.add(4), other.add(4)), ([4], [8]));
        let dropped = quota.take([1], [9], 1).unwrap();
        let (mut first, mut second) = (Box::pin(one.until([5])), Box::pin(other.until([6])));
        let mut cancelled = Box::pin(one.until([4]));
        let mut context = Context::from_waker(Waker::noop());
        for waiting in [&mut cancelled, &mut first, &mut second] {
            assert!(waiting.as_mut().poll(&mut context).is_pending());
        }
        drop(cancelled);
        other.reduce(3);
        assert_eq!(second.as_mut().poll(&mut context), Poll::Ready(()));
        assert!(first.as_mut().poll(&mut context).is_pending());
        drop(dropped);
        assert_eq!(first.as_mut().poll(&mut context), Poll::Ready(()));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_notice_is_lost() {
        let quota = Quota::default();
        for _ in 0..10_000 {
            let (one, other) = (quota.begin([1]), quota.take([1], [1], 1).unwrap());
            let waiting = tokio::spawn(async move { one.until([0]).await });
            tokio::task::yield_now().await;
            drop(other);
            waiting.await.unwrap();
        }
        assert_eq!(quota.keys(), 0);
    }
}
