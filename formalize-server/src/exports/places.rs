//! The exports that read at the same time, and what was written for users who have not taken it yet.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use formalize_core::{Caller, UserId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::config::Count;

/// The places for exports on a server that read the database. A user can take half of them, so that large exports of one user
/// leave some to others.
#[derive(Debug)]
pub(super) struct Places {
    all: Arc<Semaphore>,
    of_user: usize,
    /// The places of each user who runs an export or waits for one.
    users: Mutex<HashMap<UserId, Weak<Semaphore>>>,
}

/// A place for an export. Dropping it frees it.
#[derive(Debug)]
pub(super) struct Place {
    _all: OwnedSemaphorePermit,
    _of_user: Option<OfUser>,
}

/// A place of those that a user can take. It keeps them in the map.
#[derive(Debug)]
struct OfUser {
    _permit: OwnedSemaphorePermit,
    _places: Arc<Semaphore>,
}

impl Places {
    pub(super) fn new(limit: Count) -> Self {
        let all = usize::try_from(limit.0).unwrap_or(Semaphore::MAX_PERMITS);
        let all = all.min(Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(all)),
            of_user: all.div_ceil(2),
            users: Mutex::default(),
        }
    }

    fn of_user(&self, user: &UserId) -> Arc<Semaphore> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        let places = users.get(user).and_then(Weak::upgrade);
        places.unwrap_or_else(|| {
            users.retain(|_, places| places.strong_count() > 0);
            let places = Arc::new(Semaphore::new(self.of_user));
            users.insert(user.clone(), Arc::downgrade(&places));
            places
        })
    }

    /// Waits for a place.
    pub(super) async fn take(&self, caller: &Caller) -> Option<Place> {
        // While a user waits for a place of their own, they must not take one of all.
        let of_user = match caller.user_id() {
            Some(user) => {
                let places = self.of_user(user);
                Some(OfUser {
                    _permit: Arc::clone(&places).acquire_owned().await.ok()?,
                    _places: places,
                })
            }
            None => None,
        };
        Some(Place {
            _all: Arc::clone(&self.all).acquire_owned().await.ok()?,
            _of_user: of_user,
        })
    }
}

/// The bytes that were written for each user who has exports under way, and not sent.
#[derive(Debug, Default)]
pub(super) struct Spools(Mutex<HashMap<UserId, Weak<watch::Sender<u64>>>>);

/// What was written of one export, and not sent. Dropping it counts no longer.
#[derive(Debug)]
pub(super) struct Spooled {
    of_user: Arc<watch::Sender<u64>>,
    bytes: AtomicU64,
}

impl Spools {
    /// Begins to count what is written for a caller; `None` if that has `most` bytes already.
    pub(super) fn begin(&self, caller: &Caller, most: u64) -> Option<Spooled> {
        let user = caller.author();
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_user = users.get(&user).and_then(Weak::upgrade);
        let of_user = of_user.unwrap_or_else(|| {
            users.retain(|_, spool| spool.strong_count() > 0);
            let of_user = Arc::new(watch::Sender::new(0));
            users.insert(user, Arc::downgrade(&of_user));
            of_user
        });
        let spooled = *of_user.borrow();
        (spooled < most).then(|| Spooled {
            of_user,
            bytes: AtomicU64::new(0),
        })
    }
}

impl Spooled {
    /// The bytes of all exports of the user.
    pub(super) fn of_user(&self) -> watch::Receiver<u64> {
        self.of_user.subscribe()
    }

    /// Counts bytes that were written.
    pub(super) fn wrote(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.of_user.send_modify(|all| *all += bytes);
    }

    /// Counts bytes that were sent.
    pub(super) fn sent(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.of_user.send_modify(|all| *all -= bytes);
    }
}

impl Drop for Spooled {
    fn drop(&mut self) {
        let left = *self.bytes.get_mut();
        self.sent(left);
    }
}
