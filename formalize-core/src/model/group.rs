//! Groups of users and of other groups.

use crate::fields::{Field, InvalidFields};
use crate::id::{GroupId, Revision};
use crate::model::text::is_name;
use crate::time::Timestamp;

/// The name of a group: 1 to 128 characters, not blank, no control characters. Leading and trailing blanks are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupName(String);

impl GroupName {
    /// The maximum number of characters.
    pub const MAX_CHARS: usize = 128;

    /// Parses a name.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Group`] for any other text.
    ///
    /// ```
    /// use formalize_core::GroupName;
    ///
    /// assert_eq!(GroupName::new("Editors")?.as_str(), "Editors");
    /// assert!(GroupName::new("").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidFields> {
        let text = text.into();
        if is_name(&text, Self::MAX_CHARS) {
            Ok(Self(text))
        } else {
            Err(InvalidFields::Group(vec![Field::Name]))
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A named set of users and child groups. Names need not be unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The identifier.
    pub id: GroupId,
    /// The display name.
    pub name: GroupName,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The current revision.
    pub revision: Revision,
}

/// A group to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGroup {
    /// The display name.
    pub name: GroupName,
}

/// Changes of a group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupChange {
    /// The new name; `None` keeps the name.
    pub name: Option<GroupName>,
}

/// Selects groups for a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupFilter {
    /// Only groups whose names contain this text, ignoring case. An empty text selects all groups.
    pub search: Option<String>,
}
