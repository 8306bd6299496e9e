//! How many streams there may be.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use formalize_core::{Caller, UserId};
use poem::http::header;

use crate::{contract::ErrorKey, failure::Refusal};

/// The maximum number of streams of a user on a server.
const OF_USER: u32 = 10;

/// The streams of a server, by user. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Places {
    most: u32,
    taken: Arc<Mutex<HashMap<UserId, u32>>>,
}

/// The place of a stream, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    user: UserId,
    taken: Arc<Mutex<HashMap<UserId, u32>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = taken.get_mut(&self.user) {
            *number -= 1;
            if *number == 0 {
                taken.remove(&self.user);
            }
        }
    }
}

impl Places {
    pub(super) fn new(most: u32) -> Self {
        Self {
            most,
            taken: Arc::default(),
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    ///
    /// A refusal if the server or the user has too many streams.
    pub(super) fn take(&self, caller: &Caller) -> Result<Place, Refusal> {
        let user = caller.author();
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.get(&user).is_some_and(|number| *number >= OF_USER) {
            let sentence =
                format!("a user may have {OF_USER} streams at a time; close another one");
            return Err(refusal(ErrorKey::TooManyRequests, &sentence));
        }
        if taken.values().sum::<u32>() >= self.most {
            let sentence = "too many streams are open on this server; try again later";
            return Err(refusal(ErrorKey::ServiceUnavailable, sentence));
        }
        *taken.entry(user.clone()).or_default() += 1;
        Ok(Place {
            user,
            taken: Arc::clone(&self.taken),
        })
    }
}

fn refusal(key: ErrorKey, sentence: &str) -> Refusal {
    let refusal = Refusal::is(key).saying(sentence);
    refusal.with_header(header::RETRY_AFTER, "5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Fault;

    fn user(name: &str) -> Caller {
        Caller::user(UserId::new(name).unwrap())
    }

    #[test]
    fn places_are_limited_and_given_back() {
        let places = Places::new(12);
        let mut of_ann: Vec<_> = (0..OF_USER)
            .map(|_| places.take(&user("ann")).unwrap())
            .collect();
        let refused = places.take(&user("ann")).unwrap_err();
        assert_eq!(refused.fault(), Fault::Is(ErrorKey::TooManyRequests));
        let _of_bob = [
            places.take(&user("bob")).unwrap(),
            places.take(&user("bob")).unwrap(),
        ];
        let refused = places.take(&user("eve")).unwrap_err();
        assert_eq!(refused.fault(), Fault::Is(ErrorKey::ServiceUnavailable));
        of_ann.pop();
        assert!(places.take(&user("eve")).is_ok());
        drop(of_ann);
        assert_eq!(places.taken.lock().unwrap().len(), 1);
    }
}
