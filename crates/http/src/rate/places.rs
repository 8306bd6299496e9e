//! How much of something long there may be at a time, on a server and of one that does it.

use formalize_core::{
    Caller, UserId,
    internals::admission::{InUse, Quota},
};

use crate::connections::Source;

/// Who uses a part of what is limited, such as a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Holder {
    /// Somebody with credentials.
    User(UserId),
    /// Somebody without credentials: all who have the same public link are one user, so they are told apart by where they come
    /// from. No user: somebody who has no link, either.
    Visitor(Option<UserId>, Source),
}

impl Holder {
    /// The holder that a caller is who comes from a source.
    pub fn of(caller: &Caller, source: Source) -> Self {
        match caller {
            Caller::Link(_) => Self::Visitor(Some(caller.author()), source),
            Caller::User(_) | Caller::System => Self::with_credentials(caller),
        }
    }

    /// The holder that a caller is who has credentials.
    pub fn with_credentials(caller: &Caller) -> Self {
        Self::User(caller.author())
    }

    pub(super) fn is_visitor(&self) -> bool {
        matches!(self, Self::Visitor(..))
    }
}

/// How many places there are.
#[derive(Debug, Clone, Copy)]
pub struct Shares {
    /// On the server.
    pub all: u32,
    /// Of a user.
    pub of_user: u32,
    /// Of a visitor: of a public link and a source.
    pub of_visitor: u32,
    /// Of all visitors together.
    pub of_visitors: u32,
    /// Those that are left to holders who have none yet.
    pub first: u32,
}

/// What a limit is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// `None` for all who read the documents of the service without credentials.
    Of(Option<Holder>),
    All,
    /// All visitors, or all others.
    Visitors(bool),
}

impl Part {
    /// The parts of what is limited that count what a holder uses.
    pub(super) fn of(holder: Option<Holder>) -> [Self; 3] {
        let is_visitor = holder.as_ref().is_some_and(Holder::is_visitor);
        [Self::Of(holder), Self::All, Self::Visitors(is_visitor)]
    }
}

/// The places of a server, by holder. Clones share them.
#[derive(Debug, Clone)]
pub struct Places {
    shares: Shares,
    taken: Quota<Part>,
}

/// A place, which is free again when this is dropped.
pub type Place = InUse<Part, 3>;

/// Which places are all taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// The holder has as many as one may have.
    OfHolder,
    /// The server has no more.
    Everywhere,
}

impl Places {
    /// Places with these shares.
    pub fn new(shares: Shares) -> Self {
        Self {
            shares,
            taken: Quota::default(),
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    ///
    /// If those that the holder may take are all taken.
    pub fn take(&self, holder: Holder) -> Result<Place, Full> {
        let shares = &self.shares;
        let (of_holder, of_visitors) = if holder.is_visitor() {
            (shares.of_visitor, shares.of_visitors)
        } else {
            (shares.of_user, u32::MAX)
        };
        let parts = Part::of(Some(holder));
        let take = |of_holder: u32, all: u32| {
            let most = [of_holder, all, of_visitors].map(u64::from);
            self.taken.take(parts.clone(), most, 1)
        };
        match take(of_holder, shares.all.saturating_sub(shares.first)) {
            Ok(place) => Ok(place),
            Err(Part::Of(_)) => Err(Full::OfHolder),
            // The last places are for those who have none.
            Err(_) => take(of_holder.min(1), shares.all).map_err(|_| Full::Everywhere),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARES: Shares = Shares {
        all: 12,
        of_user: 10,
        of_visitor: 2,
        of_visitors: 6,
        first: 0,
    };

    fn user(name: &str) -> Holder {
        Holder::User(UserId::new(name).unwrap())
    }

    fn visitor(link: &str, host: u8) -> Holder {
        let source = Source::of([192, 0, 2, host].into());
        Holder::Visitor(Some(UserId::new(link).unwrap()), source)
    }

    #[test]
    fn places_are_limited_and_given_back() {
        let places = Places::new(SHARES);
        let mut of_ann: Vec<_> = (0..10).map(|_| places.take(user("ann")).unwrap()).collect();
        assert_eq!(places.take(user("ann")).unwrap_err(), Full::OfHolder);
        let _of_bob = [
            places.take(user("bob")).unwrap(),
            places.take(user("bob")).unwrap(),
        ];
        assert_eq!(places.take(user("eve")).unwrap_err(), Full::Everywhere);
        of_ann.pop();
        assert!(places.take(user("eve")).is_ok());
        drop(of_ann);
        assert_eq!(places.taken.keys(), 3, "only those of bob are taken");
    }

    #[test]
    fn visitors_leave_places_to_each_other_and_to_users() {
        let places = Places::new(SHARES);
        let mut taken = Vec::new();
        for (link, host) in [("a", 1), ("a", 2), ("b", 1)] {
            for _ in 0..2 {
                taken.push(places.take(visitor(link, host)).unwrap());
            }
            let more = places.take(visitor(link, host));
            assert_eq!(more.unwrap_err(), Full::OfHolder, "{link} {host}");
        }
        let more = places.take(visitor("b", 2));
        assert_eq!(more.unwrap_err(), Full::Everywhere, "half are taken");
        let users = (0..6).map(|_| places.take(user("ann")).unwrap());
        assert_eq!(users.count(), 6);
        taken.pop();
        assert!(places.take(visitor("b", 2)).is_ok());
    }

    #[test]
    fn the_last_places_are_left_to_those_who_have_none() {
        let places = Places::new(Shares { first: 3, ..SHARES });
        let of_ann: Vec<_> = (0..9).map(|_| places.take(user("ann")).unwrap()).collect();
        assert_eq!(places.take(user("ann")).unwrap_err(), Full::Everywhere);
        let of_others = ["bob", "eve", "joe"].map(|name| places.take(user(name)).unwrap());
        assert_eq!(places.take(user("zoe")).unwrap_err(), Full::Everywhere);
        drop((of_ann, of_others));
    }
}
