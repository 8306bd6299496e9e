//! Memory for large responses.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::Holder;

/// One holder's responses may use this part of the budget: a quarter.
const SHARES: usize = 4;

/// The responses of all visitors together may use this part: half, so that strangers leave memory to people who have signed in.
const SHARES_OF_VISITORS: usize = 2;

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
    /// Those who read the documents of the service without credentials share one entry.
    by_holder: HashMap<Option<Holder>, usize>,
}

impl ResponsesBudget {
    /// A budget in bytes.
    pub fn new(bytes: usize) -> Self {
        let used = Mutex::default();
        Self(Arc::new(Budget { most: bytes, used }))
    }

    /// Reserves memory for a response, in bytes. `None` if too much is in use.
    pub(crate) fn reserve(&self, holder: Option<&Holder>, bytes: usize) -> Option<Reservation> {
        let mut reservation = Reservation {
            holder: holder.cloned(),
            bytes: 0,
            budget: Arc::clone(&self.0),
        };
        reservation.resize(bytes).then_some(reservation)
    }
}

impl Used {
    fn of_visitors(&self) -> usize {
        let holders = self.by_holder.iter();
        let visitors =
            holders.filter(|(holder, _)| holder.as_ref().is_some_and(Holder::is_visitor));
        visitors.map(|(_, bytes)| bytes).sum()
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
    holder: Option<Holder>,
    bytes: usize,
    budget: Arc<Budget>,
}

impl Reservation {
    /// Changes the size, and returns whether that is possible.
    pub fn resize(&mut self, bytes: usize) -> bool {
        let most = self.budget.most;
        let mut used = self.budget.used();
        let own = used.by_holder.get(&self.holder).copied();
        let others_of_holder = own.unwrap_or_default().saturating_sub(self.bytes);
        let others = used.total.saturating_sub(self.bytes);
        let is_visitor = self.holder.as_ref().is_some_and(Holder::is_visitor);
        let fits_beside_visitors = || {
            let others = used.of_visitors().saturating_sub(self.bytes);
            fits(others, bytes, most / SHARES_OF_VISITORS)
        };
        if bytes > self.bytes
            && !(fits(others, bytes, most)
                && fits(others_of_holder, bytes, most / SHARES)
                && (!is_visitor || fits_beside_visitors()))
        {
            return false;
        }
        used.total = others.saturating_add(bytes);
        match others_of_holder.saturating_add(bytes) {
            0 => used.by_holder.remove(&self.holder),
            own => used.by_holder.insert(self.holder.clone(), own),
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
    use formalize_core::UserId;

    use super::*;
    use crate::connections::Source;

    fn user(name: &str) -> Holder {
        Holder::User(UserId::new(name).unwrap())
    }

    fn visitor(link: &str, host: u8) -> Holder {
        let source = Source::of([192, 0, 2, host].into());
        Holder::Visitor(Some(UserId::new(link).unwrap()), source)
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
        assert_eq!((used.total, used.by_holder.len()), (0, 0));
    }

    #[test]
    fn visitors_leave_memory_to_each_other_and_to_users() {
        let budget = ResponsesBudget::new(400);
        let mut held = vec![budget.reserve(Some(&visitor("a", 1)), 100).unwrap()];
        assert!(budget.reserve(Some(&visitor("a", 1)), 1).is_none());
        held.push(budget.reserve(Some(&visitor("a", 2)), 60).unwrap());
        held.push(budget.reserve(Some(&visitor("b", 1)), 40).unwrap());
        assert!(budget.reserve(Some(&visitor("b", 2)), 1).is_none());
        assert!(!held[1].resize(61));
        for name in ["alice", "bob"] {
            held.push(budget.reserve(Some(&user(name)), 100).unwrap());
        }
        held.remove(0);
        assert!(budget.reserve(Some(&visitor("b", 2)), 100).is_some());
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
