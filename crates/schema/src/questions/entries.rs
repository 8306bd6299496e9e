//! What a person has entered on a page, as a browser sends it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;

use super::TimeZone;

/// The entries of a page: the names and values of the inputs of an HTML form.
///
/// | Name | Value |
/// |---|---|
/// | the pointer of a question (`#` for the whole data) | the text that was entered, or the [`Choice::value`](super::Choice::value); once for each selected choice |
/// | `variant:` and the pointer of a [`Variant`](super::QuestionKind::Variant) | the selected choice; empty for none |
/// | `items:` and the pointer of a [`List`](super::QuestionKind::List) | for each item that the page shows, its position in the stored data, or `-` for a new one, separated by blanks |
/// | `rest:` and the pointer of a [`Group`](super::QuestionKind::Group) | the JSON of its other members |
///
/// Check boxes, radio buttons and lists of choices send nothing if nothing is selected. To be recognized as shown, they
/// need a hidden input with the same name and an empty value.
///
/// ```
/// use formalize_schema::questions::Entries;
///
/// let sent = [("/name", "Ada"), ("items:/guests", "0 -")];
/// let mut entries = Entries::new(sent.map(|(name, value)| (name.into(), value.into())))?;
/// entries.add_item("/guests");
/// assert_eq!(entries.items("/guests"), Some([Some(0), None, None].as_slice()));
/// # Ok::<(), formalize_schema::questions::InvalidEntry>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Entries {
    texts: BTreeMap<String, Vec<String>>,
    variants: BTreeMap<String, String>,
    items: BTreeMap<String, Vec<Option<usize>>>,
    rests: BTreeMap<String, String>,
    has_decimal_comma: bool,
    fills_defaults: bool,
    time_zone: TimeZone,
}

/// An entry that no page sends.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidEntry {
    /// There are more than [`Entries::MAX`] entries.
    TooMany,
    /// The values have more than [`Entries::MAX_BYTES`] together.
    TooLarge,
    /// The name belongs to no input.
    UnknownName(String),
    /// The value is not one that the input can have.
    InvalidValue(String),
    /// The name was sent more than once.
    Duplicate(String),
}

impl fmt::Display for InvalidEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(f, "there are more than {} entries", Entries::MAX),
            Self::TooLarge => write!(
                f,
                "the entries are larger than {} bytes",
                Entries::MAX_BYTES
            ),
            Self::UnknownName(name) => write!(f, "`{name}` is not the name of an input"),
            Self::InvalidValue(name) => write!(f, "`{name}` cannot have this value"),
            Self::Duplicate(name) => write!(f, "`{name}` was sent more than once"),
        }
    }
}

impl std::error::Error for InvalidEntry {}

impl Entries {
    /// The maximum number of entries.
    pub const MAX: usize = 2_000;
    /// The maximum size of all values, in bytes: twice that of data, because a page that is shown again repeats them.
    pub const MAX_BYTES: usize = 2 * 1024 * 1024;
    /// The maximum number of items of a list on a page. A longer list is entered as JSON.
    pub const MAX_ITEMS: usize = 100;

    /// The entries of a page. Line breaks become `\n`.
    ///
    /// # Errors
    ///
    /// [`InvalidEntry`] if a name or value cannot come from a page, or if there are too many.
    pub fn new(sent: impl IntoIterator<Item = (String, String)>) -> Result<Self, InvalidEntry> {
        let mut entries = Self::default();
        let mut left = Self::MAX_BYTES;
        for (at, (name, value)) in sent.into_iter().enumerate() {
            if at >= Self::MAX {
                return Err(InvalidEntry::TooMany);
            }
            let rest = left.checked_sub(value.len());
            left = rest.ok_or(InvalidEntry::TooLarge)?;
            entries.add(name, &value)?;
        }
        Ok(entries)
    }

    fn add(&mut self, name: String, value: &str) -> Result<(), InvalidEntry> {
        // Browsers send line breaks as CRLF.
        let value = value.replace("\r\n", "\n");
        if name == "#" || name.starts_with('/') {
            let pointer = if name == "#" { String::new() } else { name };
            self.texts.entry(pointer).or_default().push(value);
            return Ok(());
        }
        let is_pointer = |text: &str| text.is_empty() || text.starts_with('/');
        let (kind, pointer) = match name.split_once(':') {
            Some((kind, pointer)) if is_pointer(pointer) => (kind, pointer.to_owned()),
            _ => return Err(InvalidEntry::UnknownName(name)),
        };
        let is_duplicate = match kind {
            "variant" if value.is_empty() || value.parse::<usize>().is_ok() => {
                self.variants.insert(pointer, value).is_some()
            }
            "variant" => return Err(InvalidEntry::InvalidValue(name)),
            "items" => match positions(&value) {
                Some(items) => self.items.insert(pointer, items).is_some(),
                None => return Err(InvalidEntry::InvalidValue(name)),
            },
            "rest" => self.rests.insert(pointer, value).is_some(),
            _ => return Err(InvalidEntry::UnknownName(name)),
        };
        if is_duplicate {
            return Err(InvalidEntry::Duplicate(name));
        }
        Ok(())
    }

    /// Reads numbers with a comma before their decimals, as some languages write them.
    #[must_use]
    pub fn with_decimal_comma(mut self, has_decimal_comma: bool) -> Self {
        self.has_decimal_comma = has_decimal_comma;
        self
    }

    /// Takes times that have no offset from UTC for times in a time zone. Without this, it is UTC.
    #[must_use]
    pub fn with_time_zone(mut self, time_zone: TimeZone) -> Self {
        self.time_zone = time_zone;
        self
    }

    /// The time zone of times that have no offset from UTC.
    pub fn time_zone(&self) -> &TimeZone {
        &self.time_zone
    }

    /// Answers questions that are not among the entries with their `default`: for a page that is shown for the first
    /// time. Entries for [`Consent`](super::QuestionKind::Consent) are ignored then, because only people give it.
    #[must_use]
    pub fn with_defaults(mut self) -> Self {
        self.fills_defaults = true;
        self
    }

    /// The size of all names and values, in bytes.
    pub(crate) fn size(&self) -> usize {
        let texts = self.texts.iter();
        let texts =
            texts.map(|(name, texts)| name.len() + texts.iter().map(String::len).sum::<usize>());
        let items = self.items.iter();
        let items = items.map(|(name, items)| name.len() + size_of_val(items.as_slice()));
        let others = self.variants.iter().chain(&self.rests);
        let others = others.map(|(name, text)| name.len() + text.len());
        texts.chain(items).chain(others).sum()
    }

    /// Adds an empty item to the end of a list. Does nothing if the list was not on the page or has no more room.
    pub fn add_item(&mut self, list: &str) {
        if let Some(items) = self.items.get_mut(list)
            && items.len() < Self::MAX_ITEMS
        {
            items.push(None);
        }
    }

    /// Removes an item of a list with everything that was entered in it. Does nothing if the list has no such item.
    pub fn remove_item(&mut self, item: &str) {
        let Some((list, position)) = item.rsplit_once('/') else {
            return;
        };
        let Ok(position) = position.parse::<usize>() else {
            return;
        };
        match self.items.get_mut(list) {
            Some(items) if position < items.len() => drop(items.remove(position)),
            _ => return,
        }
        let moved = |pointer: &str| moved(pointer, list, position);
        self.texts = renamed(std::mem::take(&mut self.texts), moved);
        self.variants = renamed(std::mem::take(&mut self.variants), moved);
        self.items = renamed(std::mem::take(&mut self.items), moved);
        self.rests = renamed(std::mem::take(&mut self.rests), moved);
    }

    /// What was entered for a question, if it was on the page: one text, or the selected choices.
    pub fn texts(&self, pointer: &str) -> Option<&[String]> {
        self.texts.get(pointer).map(Vec::as_slice)
    }

    /// The [value](super::Choice::value) of the selected variant, or an empty text for none, if the question was on the
    /// page.
    pub fn variant(&self, pointer: &str) -> Option<&str> {
        self.variants.get(pointer).map(String::as_str)
    }

    /// The items of a list, if it was on the page: the position of each in the stored data, or `None` for a new item.
    pub fn items(&self, pointer: &str) -> Option<&[Option<usize>]> {
        self.items.get(pointer).map(Vec::as_slice)
    }

    /// The JSON of the other members of a group, if it was on the page.
    pub fn rest(&self, pointer: &str) -> Option<&str> {
        self.rests.get(pointer).map(String::as_str)
    }

    pub(super) fn has_decimal_comma(&self) -> bool {
        self.has_decimal_comma
    }

    /// Whether questions that are not among the entries are answered with their `default`, see [`Entries::with_defaults`].
    pub fn fills_defaults(&self) -> bool {
        self.fills_defaults
    }

    /// Whether the page had a question at a location or within it.
    pub(super) fn cover(&self, pointer: &str) -> bool {
        let below = format!("{pointer}/");
        covers(&self.texts, pointer, &below)
            || covers(&self.variants, pointer, &below)
            || covers(&self.items, pointer, &below)
            || covers(&self.rests, pointer, &below)
    }
}

/// The positions of the items of a list in the stored data: numbers, and `-` for new items.
fn positions(text: &str) -> Option<Vec<Option<usize>>> {
    let position = |text: &str| match text {
        "-" => Some(None),
        number => number.parse().ok().map(Some),
    };
    let positions: Option<Vec<_>> = text.split_whitespace().map(position).collect();
    positions.filter(|positions| positions.len() <= Entries::MAX_ITEMS)
}

fn covers<V>(entries: &BTreeMap<String, V>, pointer: &str, below: &str) -> bool {
    let mut behind = entries.range::<str, _>((Bound::Included(below), Bound::Unbounded));
    entries.contains_key(pointer)
        || behind
            .next()
            .is_some_and(|(name, _)| name.starts_with(below))
}

/// The pointer after an item of a list was removed; `None` if it is in that item.
fn moved(pointer: &str, list: &str, removed: usize) -> Option<String> {
    let same = || Some(pointer.to_owned());
    let Some(below) = pointer
        .strip_prefix(list)
        .and_then(|below| below.strip_prefix('/'))
    else {
        return same();
    };
    let (position, behind) = below.split_at(below.find('/').unwrap_or(below.len()));
    match position.parse::<usize>() {
        Ok(position) if position == removed => None,
        Ok(position) if position > removed => {
            Some(format!("{list}/{}{behind}", position.saturating_sub(1)))
        }
        _ => same(),
    }
}

fn renamed<V>(
    entries: BTreeMap<String, V>,
    moved: impl Fn(&str) -> Option<String>,
) -> BTreeMap<String, V> {
    let kept = entries.into_iter();
    kept.filter_map(|(pointer, value)| Some((moved(&pointer)?, value)))
        .collect()
}
