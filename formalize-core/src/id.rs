//! Identifiers and revisions of records.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

use sha2::{Digest, Sha256};
use uuid::{ContextV7, Uuid};

use crate::time::Timestamp;

/// Generates UUIDs of version 7 (RFC 9562), which begin with the time in milliseconds and increase strictly within a
/// process.
///
/// Lists are ordered by identifier, and therefore by time of creation.
///
/// ```
/// use formalize_core::{Timestamp, UuidV7Source};
///
/// let (ids, now) = (UuidV7Source::new(), "2026-11-21T08:00:00Z".parse::<Timestamp>()?);
/// assert!(ids.next(now) < ids.next(now));
/// # Ok::<(), formalize_core::InvalidTimestamp>(())
/// ```
#[derive(Debug)]
pub struct UuidV7Source(Mutex<ContextV7>);

impl UuidV7Source {
    /// Creates an independent source.
    pub fn new() -> Self {
        Self(Mutex::new(ContextV7::new()))
    }

    /// A new UUID of version 7 for a record that is created at `now`. Later identifiers sort after earlier ones.
    pub fn next(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.as_millis()).unwrap_or(0);
        let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
        Uuid::new_v7(uuid::Timestamp::from_unix(&self.0, millis / 1000, nanos))
    }

    /// A new identifier for a form.
    #[cfg(feature = "forms")]
    pub(crate) fn next_form(&self, now: Timestamp) -> FormId {
        let id = self.next(now);
        FormId::from_uuid(with_slot(id, slot_of(id)))
    }

    /// A new identifier for a record that belongs to a form, or to none.
    pub(crate) fn next_of(&self, form: Option<FormId>, now: Timestamp) -> Uuid {
        let id = self.next(now);
        form.map_or(id, |form| with_slot(id, slot_of(form.as_uuid())))
    }
}

/// The bits of an identifier that are its slot: the last twelve.
const SLOT: u128 = 0xfff;

/// The slot of a form: a hash of the rest of its identifier. It must never change.
///
/// New identifiers of a form and of everything that belongs to it end with its slot. So if forms are ever distributed over
/// several databases, the identifier of a record says where it is. Nothing uses that today, but identifiers cannot be changed
/// later. Those from before this rule, and chosen identifiers of forms, end with other bits. The other 20 random bits and the
/// counter before them still make identifiers unique.
fn slot_of(form: Uuid) -> u128 {
    let hash = Sha256::digest((form.as_u128() & !SLOT).to_be_bytes());
    let first = hash
        .iter()
        .take(2)
        .fold(0, |bits, byte| bits << 8 | u128::from(*byte));
    first & SLOT
}

fn with_slot(id: Uuid, slot: u128) -> Uuid {
    Uuid::from_u128(id.as_u128() & !SLOT | slot)
}

/// A UUID before every one of version 7 that begins with this time or a later one, and after all that begin with an
/// earlier time.
#[cfg(feature = "forms")]
pub(crate) fn start_of(instant: Timestamp) -> Uuid {
    const BITS_AFTER_TIME: u32 = 80;
    let millis = u128::try_from(instant.as_millis()).unwrap_or(0);
    // Times have 48 bits, which suffice until the year 10889.
    Uuid::from_u128(millis << BITS_AFTER_TIME)
}

impl Default for UuidV7Source {
    fn default() -> Self {
        Self::new()
    }
}

/// Only the hyphenated form is valid, in upper or lower case.
fn parse_uuid(text: &str) -> Option<Uuid> {
    const HYPHENATED: usize = 36;
    (text.len() == HYPHENATED)
        .then(|| Uuid::try_parse(text).ok())
        .flatten()
}

/// The text is not a UUID in hyphenated form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a UUID such as 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b")]
pub struct InvalidId;

macro_rules! identifiers {
    ($($(#[$doc:meta])* $name:ident $(in $module:ident)?;)+) => {$(
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("use formalize_core::", $(stringify!($module), "::",)? stringify!($name), ";")]
        ///
        #[doc = concat!("let id: ", stringify!($name), " = \"0193A5B6-7C8D-7E9F-8A0B-1C2D3E4F5A6B\".parse()?;")]
        /// assert_eq!(id.to_string(), "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b");
        #[doc = concat!("assert_eq!(", stringify!($name), "::from_uuid(id.as_uuid()), id);")]
        #[doc = concat!("assert!(\"newsletter\".parse::<", stringify!($name), ">().is_err());")]
        /// # Ok::<(), formalize_core::InvalidId>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// The identifier with this value.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The identifier that a text of a request names.
            ///
            /// Text that is not a UUID names no record. It becomes the UUID that is all zeroes, which no record has, so
            /// that it is refused where the record is looked up: after everything else in the request was checked.
            pub fn named(text: &str) -> Self {
                Self(parse_uuid(text).unwrap_or_default())
            }

            /// The value.
            pub const fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                parse_uuid(text).map(Self).ok_or(InvalidId)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0.as_hyphenated(), formatter)
            }
        }
    )+};
}

identifiers! {
    /// The identifier of a group.
    GroupId;
    /// The identifier of a membership in a group.
    MembershipId;
    /// The identifier of the record of a resource, as opposed to that of the item.
    ResourceId;
    /// The identifier of a grant.
    GrantId;
    /// The identifier of a form.
    FormId;
    /// The identifier of a submission.
    SubmissionId;
    /// The identifier of an API token; not a secret.
    TokenId in tokens;
    /// The identifier of a public link; not a secret.
    LinkId in links;
    /// The identifier of an event, the same wherever the event is sent.
    EventId in events;
    /// The identifier of a webhook.
    WebhookId in webhooks;
    /// The identifier of a file of a submission.
    FileId in files;
    /// The identifier of a hold on files.
    FileHoldId in files;
    /// The identifier of a delivery: one event on its way to one webhook.
    DeliveryId in webhooks;
}

/// Identifies one state of a record. Every change assigns a new revision. Revisions are never reused, not even after a
/// rollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(Uuid);

impl Revision {
    /// The revision with this value.
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// The value.
    pub const fn as_uuid(self) -> Uuid {
        self.0
    }
}

/// A record to change or delete, and the revisions in which that is allowed.
///
/// Two users who read the same record and then change it overwrite each other's changes, unless both state the revision that
/// they read. The service compares it while it holds a lock: one change succeeds, and the other fails with
/// [`Error::RevisionMismatch`](crate::Error::RevisionMismatch).
///
/// An identifier alone accepts any revision.
///
/// ```
/// use formalize_core::{Caller, Error, GroupChange, GroupName, NewGroup};
///
/// # formalize_conformance::example::with_formalize(async |formalize| {
/// # let caller = Caller::System;
/// let groups = formalize.groups();
/// let name = |name| GroupName::new(name);
/// let read = groups.create(&caller, NewGroup { name: name("Editors")? }).await?.item;
///
/// // Another user renames the group in the meantime ...
/// groups.update(&caller, read.id, GroupChange { name: Some(name("Authors")?) }).await?;
///
/// // ... so the revision that was read is outdated.
/// let change = GroupChange { name: Some(name("Writers")?) };
/// let refused = groups.update(&caller, read.id.at(read.revision), change).await;
/// assert!(matches!(refused, Err(Error::RevisionMismatch)));
/// # Ok(()) });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected<I> {
    id: I,
    /// `None` accepts any revision.
    revisions: Option<Vec<Revision>>,
}

impl<I: Copy> Expected<I> {
    /// Accepts the record in one of these revisions. An empty list accepts none.
    ///
    /// ```
    /// use formalize_core::{Expected, FormId, Revision};
    /// use uuid::Uuid;
    ///
    /// let form: FormId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
    /// let read = [1, 2].map(|number| Revision::from_uuid(Uuid::from_u128(number)));
    /// let expected = Expected::in_one_of(form, read.to_vec());
    /// assert_ne!(expected, form.into());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn in_one_of(id: I, revisions: Vec<Revision>) -> Self {
        Self {
            id,
            revisions: Some(revisions),
        }
    }

    pub(crate) fn id(&self) -> I {
        self.id
    }

    /// Checks that this revision of the record is accepted.
    ///
    /// # Errors
    ///
    /// [`OtherRevision`] if it is not.
    pub(crate) fn check(&self, revision: Revision) -> Result<(), OtherRevision> {
        match &self.revisions {
            Some(revisions) if !revisions.contains(&revision) => Err(OtherRevision),
            _ => Ok(()),
        }
    }
}

/// The record has a revision that was not expected.
#[derive(Debug)]
pub(crate) struct OtherRevision;

impl<I> From<I> for Expected<I> {
    fn from(id: I) -> Self {
        Self {
            id,
            revisions: None,
        }
    }
}

macro_rules! expectable {
    ($($name:ident)+) => {$(
        impl $name {
            /// Accepts the record in this revision only.
            pub fn at(self, revision: Revision) -> Expected<Self> {
                Expected::in_one_of(self, vec![revision])
            }
        }
    )+};
}

expectable! { GroupId MembershipId GrantId FormId SubmissionId LinkId WebhookId }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hyphenated_uuids_are_valid() {
        let text = "0193A5B6-7C8D-7e9f-8a0b-1c2d3e4f5a6b";
        assert_eq!(
            text.parse::<FormId>().unwrap().to_string(),
            text.to_lowercase()
        );
        for other in [
            "",
            "0193a5b67c8d7e9f8a0b1c2d3e4f5a6b",
            "{0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b}",
            "é",
        ] {
            assert_eq!(other.parse::<FormId>(), Err(InvalidId), "{other}");
        }
    }

    #[test]
    fn identifiers_within_a_millisecond_increase() {
        let source = UuidV7Source::new();
        let now = Timestamp::from_millis(1_795_000_000_123).unwrap();
        let made: Vec<Uuid> = (0..1000).map(|_| source.next(now)).collect();
        assert!(made.is_sorted() && made.iter().all(|id| id.get_version_num() == 7));
        let (seconds, nanos) = made[0].get_timestamp().unwrap().to_unix();
        assert_eq!((seconds, nanos), (1_795_000_000, 123_000_000));
    }

    #[test]
    fn what_belongs_to_a_form_ends_with_its_slot() {
        let (source, now) = (
            UuidV7Source::new(),
            Timestamp::from_millis(1_795_000_000_123),
        );
        let now = now.unwrap();
        let end = |id: Uuid| id.as_u128() & SLOT;
        let mut slots = std::collections::HashSet::new();
        for _ in 0..1000 {
            let form = source.next_form(now);
            let of_form = source.next_of(Some(form), now);
            assert_eq!(end(of_form), end(form.as_uuid()));
            assert!(of_form > form.as_uuid() && of_form.get_version_num() == 7);
            slots.insert(end(of_form));
        }
        assert!(slots.len() > 800, "{}", slots.len());
        // Identifiers that exist must keep their slot.
        let form: FormId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse().unwrap();
        assert_eq!(slot_of(form.as_uuid()), 0xea7);
    }

    #[test]
    fn a_time_starts_between_the_identifiers_before_and_after_it() {
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        let now = 1_795_000_000_123;
        let (before, after) = (UuidV7Source::new(), UuidV7Source::new());
        for _ in 0..1000 {
            assert!(before.next(at(now - 1)) < start_of(at(now)));
            assert!(after.next(at(now)) > start_of(at(now)));
        }
        let (first, last) = ("0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z");
        assert_eq!(start_of(first.parse().unwrap()), Uuid::nil());
        let last = last.parse().unwrap();
        assert!(UuidV7Source::new().next(last) > start_of(last));
    }
}
