//! Callers, and the subjects that hold grants.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::id::{GroupId, LinkId};
use crate::model::form::SubmissionCap;
use crate::model::text::opaque_texts;

opaque_texts! {
    /// The identifier of a user.
    UserId;
    /// The identifier of a dynamic group.
    DynamicGroupId;
}

impl DynamicGroupId {
    /// The dynamic group of all authenticated callers. It always exists.
    pub const EVERYBODY: Self = Self(Cow::Borrowed("everybody"));
}

impl UserId {
    /// The author of records that the system creates: the empty text, which is not a valid identifier of a user.
    pub const SYSTEM: Self = Self(Cow::Borrowed(""));

    /// Whether the identifier is reserved for public links: it begins with `link:`. A program that authenticates users
    /// must reject credentials for such a user.
    ///
    /// ```
    /// use formalize_core::{UserId, links::LinkId};
    ///
    /// let link: LinkId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
    /// assert!(UserId::from(link).is_reserved());
    /// assert!(!UserId::new("alice")?.is_reserved());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn is_reserved(&self) -> bool {
        self.as_str().starts_with(LINK)
    }
}

/// The beginning of the identifiers of users that stand for public links.
const LINK: &str = "link:";

/// The user that holds the grant of a public link and creates the submissions through it: `link:` and the identifier.
impl From<LinkId> for UserId {
    fn from(link: LinkId) -> Self {
        Self(Cow::Owned(format!("{LINK}{link}")))
    }
}

/// The attributes of a user by name, as JSON values. They come from the credentials of the caller, never from the content of
/// a request.
pub type Attributes = BTreeMap<String, serde_json::Value>;

/// A user as a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// The identifier.
    pub id: UserId,
    /// The attributes.
    pub attributes: Attributes,
}

/// The caller of a service.
///
/// ```
/// use formalize_core::{Caller, UserId};
///
/// let alice = Caller::user(UserId::new("alice")?);
/// assert_eq!(alice.user_id().map(UserId::as_str), Some("alice"));
/// assert_eq!(Caller::System.user_id(), None);
/// # Ok::<(), formalize_core::InvalidText>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Caller {
    /// The application or administrator that owns the store, with all permissions.
    System,
    /// A user, with the permissions of that user.
    User(User),
    /// A person with a public link. May only submit to its form, and see the form's name and questions.
    Link(LinkCaller),
}

/// A person with a public link, from [`FormLink::caller`](crate::links::FormLink::caller).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkCaller {
    user: UserId,
    pub(super) cap: Option<SubmissionCap>,
}

impl LinkCaller {
    pub(crate) const fn new(user: UserId, cap: Option<SubmissionCap>) -> Self {
        Self { user, cap }
    }

    /// The user that holds the grant of the link and creates the submissions through it.
    pub fn user_id(&self) -> &UserId {
        &self.user
    }
}

impl Caller {
    /// A user without attributes.
    ///
    /// ```
    /// use formalize_core::{Caller, UserId};
    ///
    /// let caller = Caller::user(UserId::new("alice")?);
    /// assert_eq!(caller.author(), UserId::new("alice")?);
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn user(id: UserId) -> Self {
        Self::with_attributes(id, Attributes::new())
    }

    /// A user with attributes.
    ///
    /// ```
    /// use formalize_core::{Attributes, Caller, UserId};
    /// use serde_json::json;
    ///
    /// let attributes = Attributes::from([("roles".to_owned(), json!(["staff"]))]);
    /// let caller = Caller::with_attributes(UserId::new("alice")?, attributes);
    /// assert_eq!(caller.user_id(), Some(&UserId::new("alice")?));
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn with_attributes(id: UserId, attributes: Attributes) -> Self {
        Self::User(User { id, attributes })
    }

    /// The author of the records that the caller creates.
    pub fn author(&self) -> UserId {
        self.user_id().cloned().unwrap_or(UserId::SYSTEM)
    }

    /// The identifier of the user; `None` for the system.
    pub fn user_id(&self) -> Option<&UserId> {
        match self {
            Self::System => None,
            Self::User(user) => Some(&user.id),
            Self::Link(link) => Some(link.user_id()),
        }
    }

    /// The user who has rights to what the caller creates. The system needs none, and a link has none.
    pub(crate) fn owner(&self) -> Option<&UserId> {
        match self {
            Self::User(user) => Some(&user.id),
            Self::System | Self::Link(_) => None,
        }
    }
}

/// The holder of a grant.
///
/// ```
/// use formalize_core::{DynamicGroupId, Subject, UserId};
///
/// let bob: Subject = UserId::new("bob")?.into();
/// assert_eq!(bob.to_string(), "user:bob");
/// assert_eq!("dynamic:everybody".parse::<Subject>()?, DynamicGroupId::EVERYBODY.into());
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A single user.
    User(UserId),
    /// The direct and indirect members of a group.
    Group(GroupId),
    /// The users who match the condition of a dynamic group.
    DynamicGroup(DynamicGroupId),
}

from_variants! { Subject { User(UserId) Group(GroupId) DynamicGroup(DynamicGroupId) } }

/// A unique text for each subject, by which grants are looked up.
impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(user) => write!(formatter, "user:{user}"),
            Self::Group(group) => write!(formatter, "group:{group}"),
            Self::DynamicGroup(group) => write!(formatter, "dynamic:{group}"),
        }
    }
}

/// The text is not a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `user:`, `group:` or `dynamic:` and an identifier")]
pub struct InvalidSubject;

impl std::str::FromStr for Subject {
    type Err = InvalidSubject;

    fn from_str(text: &str) -> Result<Self, InvalidSubject> {
        let (kind, name) = text.split_once(':').ok_or(InvalidSubject)?;
        match kind {
            "user" => UserId::new(name)
                .map(Self::User)
                .map_err(|_| InvalidSubject),
            "group" => name.parse().map(Self::Group).map_err(|_| InvalidSubject),
            "dynamic" => DynamicGroupId::new(name)
                .map(Self::DynamicGroup)
                .map_err(|_| InvalidSubject),
            _ => Err(InvalidSubject),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_parse_from_their_display() {
        for text in [
            "user:group:x",
            "group:0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b",
            "dynamic:everybody",
        ] {
            assert_eq!(text.parse::<Subject>().unwrap().to_string(), text);
        }
        for text in ["", "user:", "group:x", "robot:1"] {
            assert!(text.parse::<Subject>().is_err(), "{text}");
        }
    }
}
