//! Memory for large responses.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use formalize_core::UserId;

/// One user's responses may use this part of the budget: a quarter.
const SHARES: usize = 4;

/// The memory for all large responses that are being composed or sent. Clones share it.
#[derive(Debug, Clone)]
pub struct ResponsesBudget(Arc<Budget>);

#[derive(Debug)]
struct Budget {
    /// In bytes.
    most: usize,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    total: usize,
    /// Callers without a user, who read the documents of the service, share one entry.
    by_user: HashMap<Option<UserId>, usize>,
}

impl ResponsesBudget {
    /// A budget in bytes.
    pub fn new(bytes: usize) -> Self {
        let used = Mutex::default();
        Self(Arc::new(Budget { most: bytes, used }))
    }

    /// Reserves memory for a response, in bytes. `None` if too much is in use.
    pub fn reserve(&self, user: Option<&UserId>, bytes: usize) -> Option<Reservation> {
        let mut reservation = Reservation {
            user: user.cloned(),
            bytes: 0,
            budget: Arc::clone(&self.0),
        };
        reservation.resize(bytes).then_some(reservation)
    }
}

impl Budget {
    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether memory can be used beside that of others. A response that is larger than the limit is sent alone.
const fn fits(others: usize, bytes: usize, most: usize) -> bool {
    others == 0 || others.saturating_add(bytes) <= most
}

/// Memory that is reserved until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    user: Option<UserId>,
    bytes: usize,
    budget: Arc<Budget>,
}

impl Reservation {
    /// Changes the size, and returns whether that is possible.
    pub fn resize(&mut self, bytes: usize) -> bool {
        let most = self.budget.most;
        let mut used = self.budget.used();
        let of_user = used.by_user.get(&self.user).copied().unwrap_or_default();
        let others_of_user = of_user.saturating_sub(self.bytes);
        let others = used.total.saturating_sub(self.bytes);
        if bytes > self.bytes
            && !(fits(others, bytes, most) && fits(others_of_user, bytes, most / SHARES))
        {
            return false;
        }
        used.total = others.saturating_add(bytes);
        match others_of_user.saturating_add(bytes) {
            0 => used.by_user.remove(&self.user),
            of_user => used.by_user.insert(self.user.clone(), of_user),
        };
        drop(used);
        self.bytes = bytes;
        true
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.resize(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> UserId {
        UserId::new(name).unwrap()
    }

    #[test]
    fn users_have_shares_of_a_budget() {
        let budget = ResponsesBudget::new(400);
        let (alice, bob) = (user("alice"), user("bob"));
        let mut held = vec![budget.reserve(Some(&alice), 60).unwrap()];
        assert!(budget.reserve(Some(&alice), 41).is_none());
        held.push(budget.reserve(Some(&alice), 40).unwrap());
        assert!(!held[0].resize(61));
        assert!(held[0].resize(50) && held[0].resize(60));
        for other in [Some(&bob), Some(&user("carol")), None] {
            held.push(budget.reserve(other, 100).unwrap());
        }
        assert!(budget.reserve(Some(&user("dave")), 1).is_none());
        held.remove(0);
        held.push(budget.reserve(Some(&user("dave")), 60).unwrap());
        drop(held);
        let used = budget.0.used();
        assert_eq!((used.total, used.by_user.len()), (0, 0));
    }

    #[test]
    fn a_response_that_is_larger_than_the_budget_is_sent_alone() {
        let budget = ResponsesBudget::new(400);
        let (alice, bob) = (user("alice"), user("bob"));
        let mut large = budget.reserve(Some(&alice), 500).unwrap();
        assert!(large.resize(600));
        assert!(budget.reserve(Some(&bob), 1).is_none());
        drop(large);
        let _small = budget.reserve(Some(&bob), 1).unwrap();
        assert!(budget.reserve(Some(&alice), 500).is_none());
    }
}
