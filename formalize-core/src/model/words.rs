//! Words of forms and submissions that stand for states and actions, and sets of them.

use std::str::FromStr;

/// The state of a submission.
///
/// ```
/// use formalize_core::SubmissionState;
///
/// assert_eq!(SubmissionState::Draft.as_str(), "draft");
/// assert_eq!("submitted".parse(), Ok(SubmissionState::Submitted));
/// let error = "sent".parse::<SubmissionState>().unwrap_err();
/// assert_eq!(error.to_string(), "expected draft or submitted");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubmissionState {
    /// In progress: the data need not match the schema yet.
    Draft,
    /// Submitted: the data matched the schema.
    Submitted,
}

/// An action that the rules of a form may allow on a submission after it was submitted.
///
/// ```
/// use formalize_core::forms::SubmittedAction;
///
/// assert_eq!("read".parse(), Ok(SubmittedAction::Read));
/// assert_eq!(SubmittedAction::ALL.len(), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubmittedAction {
    /// Read it.
    Read,
    /// Update it.
    Update,
    /// Delete it.
    Delete,
    /// All actions, and sharing.
    Manage,
}

/// An action on the tags of a submission.
///
/// ```
/// use formalize_core::forms::TagAction;
///
/// assert_eq!("add".parse(), Ok(TagAction::Add));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TagAction {
    /// See them.
    Read,
    /// Add tags.
    Add,
    /// Remove tags.
    Remove,
}

/// The text is not the name of a [`SubmissionState`], a [`SubmittedAction`] or a [`TagAction`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct InvalidWord(&'static str);

macro_rules! word_sets {
    ($($(#[$doc:meta])* $name:ident of $element:ident, $all:literal { $($variant:ident = $word:literal / $bit:literal,)+ })+) => {$(
        impl $element {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in the interface.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            const fn bit(self) -> u8 {
                match self { $(Self::$variant => $bit),+ }
            }
        }

        impl FromStr for $element {
            type Err = InvalidWord;

            /// The value with this name in the interface.
            fn from_str(word: &str) -> Result<Self, InvalidWord> {
                match word { $($word => Ok(Self::$variant),)+ _ => Err(InvalidWord($all)) }
            }
        }

        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(u8);

        impl $name {
            /// The empty set.
            pub const NONE: Self = Self(0);

            /// Whether the set contains the element.
            pub const fn contains(self, element: $element) -> bool {
                self.0 & element.bit() != 0
            }

            /// Whether the sets have a common element.
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// The elements of both sets.
            #[must_use]
            pub const fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// The elements of either set.
            #[must_use]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// Whether the set is empty.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The elements in a fixed order.
            pub fn iter(self) -> impl Iterator<Item = $element> {
                $element::ALL.iter().copied().filter(move |element| self.contains(*element))
            }

            /// The set as a bit mask, as stores keep it.
            pub const fn bits(self) -> u8 {
                self.0
            }

            /// The set of a bit mask. Unknown bits are ignored.
            pub fn from_bits(bits: u8) -> Self {
                $element::ALL.iter().copied().filter(|element| bits & element.bit() != 0).collect()
            }
        }

        impl FromIterator<$element> for $name {
            fn from_iter<I: IntoIterator<Item = $element>>(elements: I) -> Self {
                Self(elements.into_iter().fold(0, |bits, element| bits | element.bit()))
            }
        }
    )+};
}

word_sets! {
    /// A set of submission states.
    ///
    /// ```
    /// use formalize_core::{SubmissionState, forms::SubmissionStates};
    ///
    /// let drafts: SubmissionStates = [SubmissionState::Draft].into_iter().collect();
    /// assert!(drafts.contains(SubmissionState::Draft));
    /// assert!(drafts.intersection([SubmissionState::Submitted].into_iter().collect()).is_empty());
    /// assert_eq!(SubmissionStates::from_bits(drafts.bits()), drafts);
    /// ```
    SubmissionStates of SubmissionState, "draft or submitted" { Draft = "draft" / 1, Submitted = "submitted" / 2, }
    /// A set of actions on submitted submissions.
    ///
    /// ```
    /// use formalize_core::forms::{SubmittedAction, SubmittedActions};
    ///
    /// let reading: SubmittedActions = [SubmittedAction::Read].into_iter().collect();
    /// assert!(!reading.contains(SubmittedAction::Delete));
    /// assert_eq!(reading.union(SubmittedActions::NONE), reading);
    /// ```
    SubmittedActions of SubmittedAction, "read, update, delete or manage" { Read = "read" / 1, Update = "update" / 2, Delete = "delete" / 4, Manage = "manage" / 8, }
    /// A set of actions on the tags of submissions.
    ///
    /// ```
    /// use formalize_core::forms::{TagAction, TagActions};
    ///
    /// let reading: TagActions = [TagAction::Read].into_iter().collect();
    /// assert!(!reading.contains(TagAction::Add));
    /// ```
    TagActions of TagAction, "read, add or remove" { Read = "read" / 1, Add = "add" / 2, Remove = "remove" / 4, }
}
