//! Permissions on a directory of people, which the library does not keep itself.

use super::Shared;
use crate::authz::policy::Operation;
use crate::error::Result;
use crate::model::action::Actions;
use crate::model::subject::{Caller, UserId};

/// Whose local data in a directory a caller may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadableLocalData {
    /// Those of every person.
    OfEverybody,
    /// Only the caller's own.
    Of(UserId),
    /// None.
    OfNobody,
}

impl ReadableLocalData {
    /// Whether the caller may read the local data of the person with this identifier.
    ///
    /// ```
    /// use formalize_core::{UserId, authorization::ReadableLocalData};
    ///
    /// let own = ReadableLocalData::Of(UserId::new("alice")?);
    /// assert!(own.includes("alice") && !own.includes("bob"));
    /// # Ok::<(), formalize_core::InvalidText>(())
    /// ```
    pub fn includes(&self, person: &str) -> bool {
        match self {
            Self::OfEverybody => true,
            Self::Of(user) => user.as_str() == person,
            Self::OfNobody => false,
        }
    }
}

/// Permissions on a directory of people. The application keeps the directory.
pub struct PeopleService<'a>(pub(super) &'a Shared);

impl PeopleService<'_> {
    /// Checks that a caller may search for people.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`](crate::Error::Forbidden) unless the policy `search_people` names the caller, or is not set and the
    /// caller is a user.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let policies = Policies {
    ///     search_people: Some(Condition::compile(r#""staff" in user.attributes.roles"#).unwrap()),
    ///     ..Policies::default()
    /// };
    /// let store = Arc::new(MemoryStore::new());
    /// let formalize = Formalize::builder(store).policies(policies).build().await?;
    /// let alice = Caller::user(UserId::new("alice")?);
    /// let refused = formalize.people().check_search(&alice);
    /// assert!(matches!(refused, Err(Error::Forbidden)));
    /// # Ok(()) });
    /// ```
    pub fn check_search(&self, caller: &Caller) -> Result<()> {
        self.0.check(caller, Operation::PeopleSearch)
    }

    /// Whose local data a caller may read: everybody's if the policy `read_local_data` names the caller, or else the caller's
    /// own.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let alice = UserId::new("alice")?;
    /// let readable = formalize.people().readable_local_data(&Caller::user(alice.clone()));
    /// assert_eq!(readable, ReadableLocalData::Of(alice));
    /// # Ok(()) });
    /// ```
    pub fn readable_local_data(&self, caller: &Caller) -> ReadableLocalData {
        let authorizer = self.0.authorizer(caller);
        if authorizer.allows(Operation::LocalDataOfOthers, &Actions::default()) {
            return ReadableLocalData::OfEverybody;
        }
        match caller {
            Caller::User(user) => ReadableLocalData::Of(user.id.clone()),
            Caller::Link(_) | Caller::System => ReadableLocalData::OfNobody,
        }
    }
}
