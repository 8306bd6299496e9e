//! Users who are in very many groups, and whose calls run one after the other.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::admission::{FairQueue, Permit};
use crate::model::membership::MAX_GROUPS_OF_USER;
use crate::model::subject::{Caller, UserId};
use crate::offload::drop_after;

/// How long a user is remembered.
const REMEMBERED: Duration = Duration::from_mins(1);

/// The users who turned out to be in more than [`MAX_GROUPS_OF_USER`] groups. Nesting groups can bring that about.
///
/// Searching so many groups takes tens of milliseconds for each call. Calls of one such user at the same time would take up
/// the processors and the connections to the database that others need.
#[derive(Debug)]
pub(crate) struct Turns {
    users: Mutex<HashMap<UserId, Remembered>>,
    queue: FairQueue<UserId>,
}

#[derive(Debug)]
struct Remembered {
    /// Whether the user is known to be in so many groups, rather than yet to be counted.
    is_known: bool,
    since: Instant,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            users: Mutex::default(),
            queue: FairQueue::by_key(1),
        }
    }
}

impl Turns {
    fn users(&self) -> MutexGuard<'_, HashMap<UserId, Remembered>> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, user: &UserId, is_known: bool) {
        let mut users = self.users();
        users.retain(|_, user| user.since.elapsed() < REMEMBERED);
        let since = Instant::now();
        users.insert(user.clone(), Remembered { is_known, since });
    }

    /// Whether the user is known to be in so many groups; `None` if nothing recent is remembered.
    fn is_known(&self, user: &UserId) -> Option<bool> {
        let users = self.users();
        let user = users.get(user)?;
        (user.since.elapsed() < REMEMBERED).then_some(user.is_known)
    }

    /// Remembers that searching the groups of a user took long. That may have had other causes.
    pub(crate) fn suspect(&self, user: &UserId) {
        if self.is_known(user).is_none() {
            self.remember(user, false);
        }
    }

    /// Whether the groups of the user should be counted, for [`Turns::learn`].
    pub(crate) fn is_suspected(&self, user: &UserId) -> bool {
        self.is_known(user) == Some(false)
    }

    /// Remembers a user who is in so many groups, if they are many.
    pub(crate) fn learn(&self, user: &UserId, groups: usize) {
        if groups > MAX_GROUPS_OF_USER {
            self.remember(user, true);
        } else {
            self.users().remove(user);
        }
    }

    /// Waits until no other call of a user in many groups runs. Other callers never wait.
    pub(crate) async fn take(&self, caller: &Caller) -> CallerTurn {
        let user = caller.user_id();
        let turn = match user.filter(|user| self.is_known(user) == Some(true)) {
            Some(user) => Some((self.queue.take(Some(user)).await, Instant::now())),
            None => None,
        };
        CallerTurn(turn)
    }
}

/// The turn of a caller; see [`Formalize::turn`](crate::Formalize::turn). Dropping it ends the turn.
#[derive(Debug)]
#[must_use = "dropping it ends the turn"]
pub struct CallerTurn(Option<(Permit<UserId>, Instant)>);

impl Drop for CallerTurn {
    /// The user's next call waits for as long again as this one took, so that half of the time is left for others.
    fn drop(&mut self) {
        if let Some((permit, began)) = self.0.take() {
            drop_after(began.elapsed(), permit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn calls_of_a_user_in_many_groups_run_one_after_the_other() {
        let turns = Turns::default();
        let user = |name| Caller::user(UserId::new(name).unwrap());
        let (ann, bob) = (user("ann"), user("bob"));
        let waits = async |caller| {
            let take = turns.take(caller);
            tokio::time::timeout(Duration::from_millis(10), take)
                .await
                .is_err()
        };
        let id = |caller: &Caller| caller.user_id().unwrap().clone();
        for (user, groups) in [(&ann, MAX_GROUPS_OF_USER + 1), (&bob, MAX_GROUPS_OF_USER)] {
            turns.suspect(&id(user));
            assert!(turns.is_suspected(&id(user)));
            turns.learn(&id(user), groups);
            assert!(!turns.is_suspected(&id(user)));
        }
        let turn = turns.take(&ann).await;
        let _other = turns.take(&bob).await;
        // Learning it again changes nothing.
        turns.suspect(&id(&ann));
        turns.learn(&id(&ann), MAX_GROUPS_OF_USER + 1);
        assert!(waits(&ann).await);
        assert!(!waits(&bob).await && !waits(&Caller::System).await);
        drop(turn);
        let _turn = turns.take(&ann).await;
    }
}
