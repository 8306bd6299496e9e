//! Memory for large responses.

use formalize_core::internals::admission::{InUse, Quota};

use super::{Holder, places::Part};

/// One holder's responses may use this part of the budget: a quarter.
const SHARES: u64 = 4;

/// The responses of all visitors together may use this part: half, so that strangers leave memory to people who have signed in.
const SHARES_OF_VISITORS: u64 = 2;

/// The memory for all large responses that are being composed or sent, in bytes. Clones share it.
#[derive(Debug, Clone)]
pub struct ResponsesBudget {
    most: u64,
    used: Quota<Part>,
}

impl ResponsesBudget {
    /// A budget in bytes.
    pub fn new(bytes: usize) -> Self {
        let (most, used) = (bytes as u64, Quota::default());
        Self { most, used }
    }

    /// Reserves memory for a response, in bytes. `None` if too much is in use.
    pub fn reserve(&self, holder: Option<&Holder>, bytes: usize) -> Option<Reservation> {
        let used = self.used.begin(Part::of(holder.cloned()));
        let is_visitor = holder.is_some_and(Holder::is_visitor);
        let of_visitors = if is_visitor {
            self.most / SHARES_OF_VISITORS
        } else {
            u64::MAX
        };
        let most = [self.most / SHARES, self.most, of_visitors];
        let reservation = Reservation { most, used };
        reservation.resize(bytes).then_some(reservation)
    }
}

/// Memory that is reserved until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    most: [u64; 3],
    used: InUse<Part, 3>,
}

impl Reservation {
    /// Changes the size, and returns whether that is possible. A response that is larger than a limit is sent alone.
    pub fn resize(&self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        let most = self.most.map(|most| most.max(bytes));
        self.used.resize(bytes, most).is_ok()
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
        assert_eq!(budget.used.keys(), 0);
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
        let large = budget.reserve(Some(&alice), 500).unwrap();
        assert!(large.resize(600));
        assert!(budget.reserve(Some(&bob), 1).is_none());
        drop(large);
        let _small = budget.reserve(Some(&bob), 1).unwrap();
        assert!(budget.reserve(Some(&alice), 500).is_none());
    }
}
