//! Groups of users and of other groups.

use crate::id::{GroupId, Revision};
use crate::model::text::bounded_texts;
use crate::time::Timestamp;

bounded_texts! {
    /// The name of a group: 1 to 128 characters, not blank, no control characters. Leading and trailing blanks are kept.
    ///
    /// ```
    /// use formalize_core::GroupName;
    ///
    /// assert_eq!(GroupName::new("Editors")?.as_str(), "Editors");
    /// assert!(GroupName::new("").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    GroupName, 128, is_name, Group(Name);
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
