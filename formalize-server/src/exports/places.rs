//! The exports that run at the same time.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use formalize_core::{Caller, UserId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Count;

/// The places for exports on a server. A user can take half of them, so that slow downloads of one user leave some to others.
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
