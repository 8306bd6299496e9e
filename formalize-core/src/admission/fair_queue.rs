//! A queue in which users take turns.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Places for which callers wait, such as those of the tasks that run. Callers with the same key, usually a user, are served in
/// order of arrival, and only some of them have a place or wait for one; the others wait for these. So a user with many tasks
/// delays each of the others by a few, not by all of them.
///
/// The number of those who wait is not limited. A [`Quota`](super::Quota) can limit it.
#[derive(Debug)]
pub struct FairQueue<K> {
    places: Arc<Semaphore>,
    /// How many callers with the same key have a place or wait for one.
    turns: usize,
    keys: Keys<K>,
}

type Keys<K> = Arc<Mutex<HashMap<K, Share>>>;

/// The callers with the same key.
#[derive(Debug)]
struct Share {
    turns: Arc<Semaphore>,
    /// How many there are, those who wait for a turn included.
    callers: usize,
}

/// A place in a queue, until this is dropped.
#[derive(Debug)]
#[must_use = "dropping it gives the place back"]
pub struct Permit<K: Eq + Hash> {
    /// Semaphores are never closed, so there is always a permit.
    _place: Option<OwnedSemaphorePermit>,
    _turn: Option<OwnedSemaphorePermit>,
    _caller: Option<Caller<K>>,
}

/// Keeps the share of a key.
#[derive(Debug)]
struct Caller<K: Eq + Hash> {
    key: K,
    keys: Keys<K>,
}

impl<K: Clone + Eq + Hash> FairQueue<K> {
    /// A queue for so many places, and so many turns of each key.
    pub fn new(places: usize, turns: usize) -> Self {
        Self {
            places: semaphore(places),
            turns,
            keys: Arc::default(),
        }
    }

    /// A queue in which callers wait only for those with the same key.
    pub fn by_key(turns: usize) -> Self {
        Self::new(Semaphore::MAX_PERMITS, turns)
    }

    /// Waits for a place. Without a key, the caller waits only for a place, not for a turn. Dropping the future gives up the
    /// place in the queue.
    pub async fn take(&self, key: Option<&K>) -> Permit<K> {
        let (caller, turns) = key.map(|key| self.enter(key)).unzip();
        // While callers wait for a turn, they must not take a place.
        let turn = match turns {
            Some(turns) => turns.acquire_owned().await.ok(),
            None => None,
        };
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        Permit {
            _place: place,
            _turn: turn,
            _caller: caller,
        }
    }

    /// The number of places that are free.
    pub fn free(&self) -> usize {
        self.places.available_permits()
    }

    /// The number of keys of those who wait or have a place.
    pub fn keys(&self) -> usize {
        locked(&self.keys).len()
    }

    fn enter(&self, key: &K) -> (Caller<K>, Arc<Semaphore>) {
        let mut keys = locked(&self.keys);
        let share = keys.entry(key.clone()).or_insert_with(|| Share {
            turns: semaphore(self.turns),
            callers: 0,
        });
        share.callers += 1;
        let caller = Caller {
            key: key.clone(),
            keys: Arc::clone(&self.keys),
        };
        (caller, Arc::clone(&share.turns))
    }
}

impl<K: Eq + Hash> Drop for Caller<K> {
    fn drop(&mut self) {
        let mut keys = locked(&self.keys);
        if let Some(share) = keys.get_mut(&self.key) {
            share.callers -= 1;
            if share.callers == 0 {
                keys.remove(&self.key);
            }
        }
    }
}

fn semaphore(permits: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)))
}

fn locked<K>(keys: &Mutex<HashMap<K, Share>>) -> MutexGuard<'_, HashMap<K, Share>> {
    keys.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Waiting<'q> = Pin<Box<dyn Future<Output = Permit<&'static str>> + 'q>>;

    /// Begins to wait, which takes a place in the queue.
    fn wait<'q>(queue: &'q FairQueue<&'static str>, key: &'q &'static str) -> Waiting<'q> {
        let mut waiting: Waiting<'q> = Box::pin(queue.take(Some(key)));
        assert!(permit(&mut waiting).is_none());
        waiting
    }

    fn permit(waiting: &mut Waiting<'_>) -> Option<Permit<&'static str>> {
        match waiting
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(permit) => Some(permit),
            Poll::Pending => None,
        }
    }

    #[tokio::test]
    async fn users_take_turns() {
        let queue = FairQueue::new(1, 1);
        let running = queue.take(None).await;
        let names = ["ann", "ann", "bob", "ann", "eve", "bob"];
        let mut waiting: Vec<_> = names
            .iter()
            .map(|name| (name, wait(&queue, name)))
            .collect();
        assert_eq!((queue.free(), queue.keys()), (0, 3));
        drop(running);
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut served = None;
            waiting.retain_mut(|(name, waiting)| {
                let permit = permit(waiting);
                let is_served = permit.is_some();
                if is_served {
                    assert!(served.is_none(), "there is one place");
                    order.push(**name);
                    served = permit;
                }
                !is_served
            });
            assert_eq!(waiting.len() + 1, before);
        }
        assert_eq!(order, ["ann", "bob", "eve", "ann", "bob", "ann"]);
        assert_eq!((queue.free(), queue.keys()), (1, 0), "nothing is left");
    }

    #[tokio::test]
    async fn a_user_leaves_places_to_others() {
        let queue = FairQueue::new(4, 2);
        let first = queue.take(Some(&"ann")).await;
        let _second = queue.take(Some(&"ann")).await;
        let mut third = wait(&queue, &"ann");
        let _others = [queue.take(Some(&"bob")).await, queue.take(None).await];
        assert_eq!(queue.free(), 0, "a user without a turn takes no place");
        drop(first);
        assert!(permit(&mut third).is_some());
    }

    #[tokio::test]
    async fn those_who_stop_waiting_leave_nothing_behind() {
        let queue = FairQueue::new(1, 1);
        let running = queue.take(Some(&"ann")).await;
        // One waits for a turn, and the others for the place.
        let (for_turn, for_place) = (wait(&queue, &"ann"), wait(&queue, &"bob"));
        let mut last = wait(&queue, &"eve");
        drop((for_turn, for_place));
        assert_eq!(queue.keys(), 2);
        drop(running);
        assert_eq!(queue.keys(), 1);
        drop(permit(&mut last).expect("it is the next one"));
        // One who was given the place, and stopped before taking it, passes it on.
        let running = queue.take(None).await;
        let (chosen, mut next) = (wait(&queue, &"ann"), wait(&queue, &"ann"));
        drop(running);
        drop(chosen);
        drop(permit(&mut next).expect("it is the next one"));
        assert_eq!((queue.free(), queue.keys()), (1, 0));
    }

    #[tokio::test]
    async fn without_places_callers_wait_only_for_their_own_key() {
        let queue = FairQueue::by_key(1);
        let running = queue.take(Some(&"ann")).await;
        let mut waiting = wait(&queue, &"ann");
        let _others = [queue.take(Some(&"bob")).await, queue.take(None).await];
        drop(running);
        assert!(permit(&mut waiting).is_some());
    }
}
