//! Groups of users and of other groups.

use crate::error::{Error, Field};
use crate::id::{GroupId, Revision};
use crate::model::text::is_name;
use crate::time::Timestamp;

/// The name of a group: 1 to 128 characters, not blank, no control characters. Blanks around it stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupName(String);

impl GroupName {
    /// The most characters of a name.
    pub const MAX_CHARS: usize = 128;

    /// Parses a name.
    ///
    /// # Errors
    ///
    /// [`Error::GroupInvalid`] when the text is no such name.
    ///
    /// ```
    /// use formalize_core::GroupName;
    ///
    /// assert_eq!(GroupName::new("Editors")?.as_str(), "Editors");
    /// assert!(GroupName::new("").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self, Error> {
        let text = text.into();
        if is_name(&text, Self::MAX_CHARS) {
            Ok(Self(text))
        } else {
            Err(Error::GroupInvalid(vec![Field::Name]))
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A named set of users and child groups; names need not be unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Names the group.
    pub id: GroupId,
    /// What people call it.
    pub name: GroupName,
    /// When it was created.
    pub date_created: Timestamp,
    /// Its present state.
    pub revision: Revision,
}

/// A group to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGroup {
    /// What people will call it.
    pub name: GroupName,
}

/// What to change of a group; a group without a name cannot be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupChange {
    /// The new name; `None` keeps the old.
    pub name: Option<GroupName>,
}

/// Which groups a list asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupFilter {
    /// Groups whose name contains this text, whatever the case of either. An empty text filters nothing.
    pub search: Option<String>,
}
