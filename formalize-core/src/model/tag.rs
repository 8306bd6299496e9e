//! Tags of submissions: short texts of a list that each form has, by which submissions are sorted and found.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use crate::fields::{Field, InvalidFields};
use crate::model::text::is_plain;
use crate::model::words::{TagAction, TagActions};

/// A tag: 1 to 128 characters, no control characters. Tags are compared exactly.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(Arc<str>);

impl Tag {
    /// The maximum number of characters.
    pub const MAX_CHARS: usize = 128;

    /// Parses a tag; `None` for any other text, which no submission can have.
    ///
    /// ```
    /// use formalize_core::submissions::Tag;
    ///
    /// assert_eq!(Tag::new("checked").map(|tag| tag.as_str().len()), Some(7));
    /// assert_eq!(Tag::new(""), None);
    /// ```
    pub fn new(text: &str) -> Option<Self> {
        is_plain(text, Self::MAX_CHARS).then(|| Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The tags of a submission, without duplicates, in the order in which they were set.
///
/// ```
/// use formalize_core::submissions::{Tag, Tags};
///
/// let checked = Tag::new("checked").into_iter();
/// let tags: Tags = checked.clone().chain(checked).collect();
/// assert_eq!(tags.as_slice().len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<Tag>);

impl Tags {
    /// The maximum number of tags of a submission.
    pub const MAX: usize = 50;

    /// The tags.
    pub fn as_slice(&self) -> &[Tag] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a tag is one of these.
    pub fn contains(&self, tag: &Tag) -> bool {
        self.0.contains(tag)
    }

    /// The texts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(Tag::as_str)
    }

    /// The tags as a JSON array; `None` if there are none.
    pub fn to_json(&self) -> Option<String> {
        let texts: Vec<&str> = self.iter().collect();
        (!texts.is_empty()).then(|| serde_json::json!(texts).to_string())
    }

    /// The tags that a store kept as [JSON](Self::to_json); `None` if it is not what was kept.
    pub fn stored(json: &str) -> Option<Self> {
        let texts: Vec<String> = serde_json::from_str(json).ok()?;
        texts.iter().map(|text| Tag::new(text)).collect()
    }
}

impl FromIterator<Tag> for Tags {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        let mut seen = HashSet::new();
        let first = tags.into_iter().filter(|tag| seen.insert(tag.clone()));
        Self(first.collect())
    }
}

/// The tags that submissions to a form may get: JSON objects, each with an `identifier`, which is the [`Tag`].
/// Their other members, such as names and colours, belong to applications and come back as the same values.
///
/// ```
/// use formalize_core::forms::AvailableTags;
///
/// let tags = [serde_json::json!({"identifier": "checked", "colour": "green"})];
/// assert_eq!(AvailableTags::new(&tags)?.to_vec(), tags);
/// assert!(AvailableTags::new(&["checked".into()]).is_err());
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AvailableTags(Option<Arc<str>>);

impl AvailableTags {
    /// The maximum number of tags of a form.
    pub const MAX: usize = 200;

    /// The maximum size of the JSON text, in bytes.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// Checks a list of tags.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] if they are not at most [`AvailableTags::MAX`] objects with different identifiers, or have more
    /// than [`AvailableTags::MAX_BYTES`].
    pub fn new(items: &[Value]) -> Result<Self, InvalidFields> {
        let invalid = || InvalidFields::Form(vec![Field::AvailableTags]);
        if items.is_empty() {
            return Ok(Self::default());
        }
        let tags: Option<Vec<Tag>> = items
            .iter()
            .map(identifier)
            .map(|text| Tag::new(text?))
            .collect();
        let tags = tags.ok_or_else(invalid)?;
        let different: HashSet<&Tag> = tags.iter().collect();
        let text = serde_json::json!(items).to_string();
        let is_allowed = tags.len() <= Self::MAX
            && different.len() == tags.len()
            && text.len() <= Self::MAX_BYTES;
        is_allowed
            .then(|| Self(Some(text.into())))
            .ok_or_else(invalid)
    }

    /// The text that a store kept.
    pub fn stored(text: Option<String>) -> Self {
        Self(text.map(Into::into))
    }

    /// The text for a store; `None` if there are none.
    pub fn to_json(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The objects.
    pub fn to_vec(&self) -> Vec<Value> {
        let text = self.0.as_deref();
        let items = text.and_then(|text| serde_json::from_str(text).ok());
        items.unwrap_or_default()
    }

    /// The identifiers.
    pub fn identifiers(&self) -> Vec<String> {
        let items = self.to_vec();
        items
            .iter()
            .filter_map(identifier)
            .map(str::to_owned)
            .collect()
    }

    /// The number of bytes of the text.
    pub(crate) fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |text| text.len())
    }
}

fn identifier(item: &Value) -> Option<&str> {
    item.get("identifier").and_then(Value::as_str)
}

/// What submitters may do with the tags of their submissions. Submitters are all who may not update every submission of the
/// form.
///
/// ```
/// use formalize_core::forms::{TagAction, TagPermissions};
///
/// assert!(TagPermissions::Add.actions().contains(TagAction::Read));
/// let only_removing = [TagAction::Remove].into_iter().collect();
/// assert!(TagPermissions::of(only_removing).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum TagPermissions {
    /// Nothing: tags are hidden from them.
    Hidden,
    /// See them.
    #[default]
    Read,
    /// See them and add some.
    Add,
    /// See, add and remove them.
    Remove,
}

impl TagPermissions {
    /// All values, from the least to the most.
    pub const ALL: [Self; 4] = [Self::Hidden, Self::Read, Self::Add, Self::Remove];

    /// The actions. Each value allows what those before it allow.
    pub fn actions(self) -> TagActions {
        let number = match self {
            Self::Hidden => 0,
            Self::Read => 1,
            Self::Add => 2,
            Self::Remove => 3,
        };
        TagAction::ALL.iter().copied().take(number).collect()
    }

    /// The permissions that consist of these actions.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] if adding is allowed without reading, or removing without adding.
    pub fn of(actions: TagActions) -> Result<Self, InvalidFields> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|permissions| permissions.actions() == actions);
        found.ok_or_else(|| InvalidFields::Form(vec![Field::TagPermissionsForSubmitters]))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_has_at_most_200_different_tags() {
        let numbered = |number: usize| {
            let tags = (0..number).map(|tag| json!({"identifier": tag.to_string()}));
            tags.collect::<Vec<_>>()
        };
        assert!(AvailableTags::new(&numbered(200)).is_ok());
        let long = "x".repeat(64 * 1024);
        for refused in [
            numbered(201),
            vec![json!({})],
            vec![json!("a")],
            vec![json!({"identifier": 1})],
            vec![json!({"identifier": ""})],
            vec![json!({"identifier": "a\u{0}"})],
            vec![json!({"identifier": "x".repeat(129)})],
            vec![
                json!({"identifier": "a"}),
                json!({"identifier": "a", "name": "A"}),
            ],
            vec![json!({"identifier": "a", "name": long})],
        ] {
            let error = AvailableTags::new(&refused).unwrap_err();
            let is_field =
                matches!(&error, InvalidFields::Form(fields) if *fields == [Field::AvailableTags]);
            assert!(is_field, "{error:?}");
        }
    }

    #[test]
    fn permissions_are_one_of_four_sets() {
        let possible = (0..8).map(TagActions::from_bits);
        let allowed = possible.filter_map(|actions| TagPermissions::of(actions).ok());
        assert_eq!(allowed.collect::<Vec<_>>(), TagPermissions::ALL);
    }
}
