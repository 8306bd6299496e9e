//! Users who are in very many groups, and whose calls run one after the other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::model::membership::MAX_GROUPS_OF_USER;
use crate::model::subject::{Caller, UserId};
use crate::offload::drop_after;

/// How long a user is remembered.
const REMEMBERED: Duration = Duration::from_mins(1);

/// The users who turned out to be in more than [`MAX_GROUPS_OF_USER`] groups. Nesting groups can bring that about.
///
/// Searching so many groups takes tens of milliseconds for each call. Calls of one such user at the same time would take up
/// the processors and the connections to the database that others need.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<UserId, Remembered>>);

#[derive(Debug)]
struct Remembered {
    /// One permit, for the call that runs; `None` if the user's groups are yet to be counted.
    turn: Option<Arc<Semaphore>>,
    since: Instant,
}

impl Turns {
    fn users(&self) -> MutexGuard<'_, HashMap<UserId, Remembered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, user: &UserId, turn: Option<Arc<Semaphore>>) {
        let mut users = self.users();
        users.retain(|_, user| user.since.elapsed() < REMEMBERED);
        let since = Instant::now();
        users.insert(user.clone(), Remembered { turn, since });
    }

    /// What is remembered of the user, if that is recent.
    fn recent<T>(&self, user: &UserId, of: impl FnOnce(&Remembered) -> T) -> Option<T> {
        let users = self.users();
        let user = users.get(user)?;
        (user.since.elapsed() < REMEMBERED).then(|| of(user))
    }

    /// Remembers that searching the groups of a user took long. That may have had other causes.
    pub(crate) fn suspect(&self, user: &UserId) {
        if self.recent(user, |_| ()).is_none() {
            self.remember(user, None);
        }
    }

    /// Whether the groups of the user should be counted, for [`Turns::learn`].
    pub(crate) fn is_suspected(&self, user: &UserId) -> bool {
        self.recent(user, |user| user.turn.is_none())
            .unwrap_or_default()
    }

    /// Remembers a user who is in so many groups, if they are many.
    pub(crate) fn learn(&self, user: &UserId, groups: usize) {
        if groups > MAX_GROUPS_OF_USER {
            let known = self.turn_of(user);
            self.remember(
                user,
                Some(known.unwrap_or_else(|| Arc::new(Semaphore::new(1)))),
            );
        } else {
            self.users().remove(user);
        }
    }

    fn turn_of(&self, user: &UserId) -> Option<Arc<Semaphore>> {
        self.recent(user, |user| user.turn.clone()).flatten()
    }

    /// Waits until no other call of a user in many groups runs. Other callers never wait.
    pub(crate) async fn take(&self, caller: &Caller) -> CallerTurn {
        let turn = caller.user_id().and_then(|user| self.turn_of(user));
        let permit = match turn {
            Some(turn) => turn.acquire_owned().await.ok(),
            None => None,
        };
        CallerTurn(permit.map(|permit| (permit, Instant::now())))
    }
}

/// The turn of a caller; see [`Formalize::turn`](crate::Formalize::turn). Dropping it ends the turn.
#[derive(Debug)]
#[must_use = "dropping it ends the turn"]
pub struct CallerTurn(Option<(OwnedSemaphorePermit, Instant)>);

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
