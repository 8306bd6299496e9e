//! How much of something long there may be at a time, on a server and of a user.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use formalize_core::{Caller, UserId};

/// The places of a server, by user. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    most: u32,
    most_of_user: u32,
    taken: Arc<Mutex<HashMap<UserId, u32>>>,
}

/// A place, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    user: UserId,
    taken: Arc<Mutex<HashMap<UserId, u32>>>,
}

/// Which places are all taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// The user has as many as a user may have.
    OfUser,
    /// The server has no more.
    Everywhere,
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
    /// So many places, and so many of them for a user.
    pub(crate) fn new(most: u32, most_of_user: u32) -> Self {
        Self {
            most,
            most_of_user,
            taken: Arc::default(),
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    ///
    /// If those of the user are all taken.
    pub(crate) fn take(&self, caller: &Caller) -> Result<Place, Full> {
        let user = caller.author();
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let of_user = taken.get(&user).copied().unwrap_or_default();
        if of_user >= self.most_of_user {
            return Err(Full::OfUser);
        }
        if taken.values().sum::<u32>() >= self.most {
            return Err(Full::Everywhere);
        }
        *taken.entry(user.clone()).or_default() += 1;
        Ok(Place {
            user,
            taken: Arc::clone(&self.taken),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> Caller {
        Caller::user(UserId::new(name).unwrap())
    }

    #[test]
    fn places_are_limited_and_given_back() {
        let places = Places::new(12, 10);
        let mut of_ann: Vec<_> = (0..10)
            .map(|_| places.take(&user("ann")).unwrap())
            .collect();
        assert_eq!(places.take(&user("ann")).unwrap_err(), Full::OfUser);
        let _of_bob = [
            places.take(&user("bob")).unwrap(),
            places.take(&user("bob")).unwrap(),
        ];
        assert_eq!(places.take(&user("eve")).unwrap_err(), Full::Everywhere);
        of_ann.pop();
        assert!(places.take(&user("eve")).is_ok());
        drop(of_ann);
        assert_eq!(places.taken.lock().unwrap().len(), 1);
    }
}
