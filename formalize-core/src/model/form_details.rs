//! Names of forms in other languages, and what applications keep with forms: the key of a user interface, additional data, and
//! the tags for submissions. Nothing here changes who may do what, or which data is accepted.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::fields::{Field, InvalidFields};
use crate::model::change::Change;
use crate::model::tag::AvailableTags;
use crate::model::text::bounded_texts;

bounded_texts! {
    /// The name of a form: 1 to 256 characters, not blank, no control characters. Leading and trailing blanks are kept.
    ///
    /// ```
    /// use formalize_core::FormName;
    ///
    /// assert_eq!(FormName::new("Newsletter")?.as_str(), "Newsletter");
    /// assert!(FormName::new(" ").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    FormName, 256, is_name, Form(Name);

    /// Whom to ask about a form: a line of 1 to 200 characters, not blank, no control characters.
    ///
    /// ```
    /// use formalize_core::forms::FormContact;
    ///
    /// let contact = FormContact::new("Registry, room 12, +43 316 873 0")?;
    /// assert_eq!(contact.as_str(), "Registry, room 12, +43 316 873 0");
    /// assert!(FormContact::new("Registry\nroom 12").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    FormContact, 200, is_name, Form(Contact);
}

/// A language tag of BCP 47 (RFC 5646), such as `de-AT`: at most 35 characters. It is kept in the case that section 2.1.1 of
/// RFC 5646 recommends, so that `DE-at` and `de-AT` are the same tag. Its parts are not looked up in the registry of
/// languages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageTag(String);

impl LanguageTag {
    /// The maximum number of characters, which RFC 5646 (section 4.4.1) derives from its longest tags.
    pub const MAX_CHARS: usize = 35;

    /// Parses a tag.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] for any other text.
    ///
    /// ```
    /// use formalize_core::forms::LanguageTag;
    ///
    /// assert_eq!(LanguageTag::new("ZH-hant-tw")?.as_str(), "zh-Hant-TW");
    /// assert!(LanguageTag::new("german language").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(text: &str) -> Result<Self, InvalidFields> {
        let fits = text.len() <= Self::MAX_CHARS;
        ensure!(fits && is_tag(text), invalid(Field::LocalizedNames));
        Ok(Self(in_recommended_case(text)))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The first part of a tag is a language, or `x` if all that follow are for private use.
fn is_tag(text: &str) -> bool {
    let private = text.strip_prefix(['x', 'X']);
    match private.and_then(|rest| rest.strip_prefix('-')) {
        Some(private) => (1..).zip(private.split('-')).all(is_subtag),
        None => text.split('-').enumerate().all(is_subtag),
    }
}

/// The first part of a tag is a language of 2 to 8 letters; the others have 1 to 8 letters or digits.
fn is_subtag((position, text): (usize, &str)) -> bool {
    match position {
        0 => (2..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic()),
        _ => (1..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric()),
    }
}

/// Regions (two letters) are in capitals, scripts (four letters) begin with one, and all else is small, as is what follows an
/// extension of one letter.
fn in_recommended_case(text: &str) -> String {
    let mut is_after_singleton = false;
    let subtags = text.split('-').enumerate().map(|(position, subtag)| {
        let mut subtag = subtag.to_ascii_lowercase();
        if position > 0 && !is_after_singleton {
            match subtag.len() {
                2 => subtag.make_ascii_uppercase(),
                4 => {
                    if let Some(first) = subtag.get_mut(..1) {
                        first.make_ascii_uppercase();
                    }
                }
                _ => {}
            }
        }
        is_after_singleton |= subtag.len() == 1;
        subtag
    });
    subtags.collect::<Vec<_>>().join("-")
}

/// The names of a form in other languages. [`Form::name`](crate::Form::name) is the one for all languages that are missing.
///
/// ```
/// use formalize_core::{FormName, forms::{LanguageTag, LocalizedNames}};
///
/// let names = LocalizedNames::new([(LanguageTag::new("de")?, FormName::new("Anmeldung")?)])?;
/// assert_eq!(names.iter().count(), 1);
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalizedNames(BTreeMap<LanguageTag, FormName>);

impl LocalizedNames {
    /// The maximum number of names.
    pub const MAX: usize = 50;

    /// Creates a set of names.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] if there are more than [`LocalizedNames::MAX`], or two in one language.
    pub fn new(
        names: impl IntoIterator<Item = (LanguageTag, FormName)>,
    ) -> Result<Self, InvalidFields> {
        let mut by_language = BTreeMap::new();
        for (language, name) in names {
            let is_new = by_language.insert(language, name).is_none();
            ensure!(is_new, invalid(Field::LocalizedNames));
        }
        let fits = by_language.len() <= Self::MAX;
        ensure!(fits, invalid(Field::LocalizedNames));
        Ok(Self(by_language))
    }

    /// The names as JSON; `None` if there are none.
    pub fn to_json(&self) -> Option<String> {
        let texts = self
            .iter()
            .map(|(language, name)| (language.as_str(), name.as_str()));
        let texts: BTreeMap<_, _> = texts.collect();
        (!texts.is_empty()).then(|| serde_json::json!(texts).to_string())
    }

    /// The names that a store kept as [JSON](Self::to_json).
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] if it is not what was kept.
    pub fn stored(json: &str) -> Result<Self, InvalidFields> {
        let invalid = |_| invalid(Field::LocalizedNames);
        let texts: BTreeMap<String, String> = serde_json::from_str(json).map_err(invalid)?;
        let names = texts.into_iter();
        let names =
            names.map(|(language, name)| Ok((LanguageTag::new(&language)?, FormName::new(name)?)));
        Self::new(names.collect::<Result<Vec<_>, InvalidFields>>()?)
    }

    /// The names, ordered by their language tags.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&LanguageTag, &FormName)> {
        self.0.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Identifies the user interface that belongs to a form: 1 to 50 of the characters `A-Z a-z 0-9 . _ ~ -`. Several forms may
/// have the same key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrontendKey(String);

impl FrontendKey {
    /// The maximum number of characters.
    pub const MAX_CHARS: usize = 50;

    /// Parses a key.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] for any other text.
    ///
    /// ```
    /// use formalize_core::forms::FrontendKey;
    ///
    /// assert_eq!(FrontendKey::new("course-evaluation")?.as_str(), "course-evaluation");
    /// assert!(FrontendKey::new("a/b").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidFields> {
        let text = text.into();
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte);
        let fits = (1..=Self::MAX_CHARS).contains(&text.len()) && text.bytes().all(is_allowed);
        ensure!(fits, invalid(Field::FrontendKey));
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Selects forms by their keys. The default selects all forms.
///
/// ```
/// use formalize_core::forms::{FrontendKey, FrontendKeys};
///
/// let key = FrontendKey::new("course-evaluation")?;
/// let others = FrontendKeys { none_of: vec![key.clone()], ..FrontendKeys::default() };
/// assert!(others.admit(None) && !others.admit(Some(&key)));
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontendKeys {
    /// If set, only forms with one of these keys.
    pub any_of: Option<Vec<FrontendKey>>,
    /// Only forms without key, or with another key than these.
    pub none_of: Vec<FrontendKey>,
}

impl FrontendKeys {
    /// All forms.
    pub const ALL: Self = Self {
        any_of: None,
        none_of: Vec::new(),
    };

    /// Whether a form with this key is selected.
    pub fn admit(&self, key: Option<&FrontendKey>) -> bool {
        let is_in = |keys: &Vec<FrontendKey>| key.is_some_and(|key| keys.contains(key));
        self.any_of.as_ref().is_none_or(is_in) && !is_in(&self.none_of)
    }
}

/// A JSON object or array of an application, which the service does not interpret. It comes back as the same value; blanks and
/// the order of members are not kept.
///
/// ```
/// use formalize_core::forms::AdditionalData;
///
/// let data = AdditionalData::new(&serde_json::json!({"colour": "green"}))?;
/// assert_eq!(data.as_str(), r#"{"colour":"green"}"#);
/// assert!(AdditionalData::new(&serde_json::json!("green")).is_err());
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdditionalData(Arc<str>);

impl AdditionalData {
    /// The maximum size of the text, in bytes.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// The maximum number of objects and arrays within each other.
    pub const MAX_DEPTH: usize = 16;

    /// Checks a value.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] if it is neither an object nor an array, too large, or too deep.
    pub fn new(value: &Value) -> Result<Self, InvalidFields> {
        let text = value.to_string();
        let is_container = value.is_object() || value.is_array();
        let fits = text.len() <= Self::MAX_BYTES && depth(value) <= Self::MAX_DEPTH;
        ensure!(is_container && fits, invalid(Field::AdditionalData));
        Ok(Self(text.into()))
    }

    /// The text that a store kept.
    pub fn stored(text: String) -> Self {
        Self(text.into())
    }

    /// The value as JSON, without blanks.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

/// The number of objects and arrays within each other. Values were parsed with a limited depth, so this does not overflow the
/// stack.
fn invalid(field: Field) -> InvalidFields {
    InvalidFields::Form(vec![field])
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// The names of a form in other languages, and what applications keep with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FormDetails {
    /// The names in other languages.
    pub localized_names: LocalizedNames,
    /// The user interface that belongs to the form.
    pub frontend_key: Option<FrontendKey>,
    /// The data of an application.
    pub additional_data: Option<AdditionalData>,
    /// The tags that submissions may get.
    pub available_tags: AvailableTags,
    /// Whom to ask about the form.
    pub contact: Option<FormContact>,
}

impl FormDetails {
    /// The number of bytes of all texts.
    pub(crate) fn bytes(&self) -> usize {
        let names = self.localized_names.iter();
        let names: usize = names
            .map(|(language, name)| language.as_str().len() + name.as_str().len())
            .sum();
        let data = self.additional_data.as_ref().map_or(0, |data| data.0.len());
        let contact = self.contact.as_ref().map_or(0, |contact| contact.0.len());
        names + data + self.available_tags.bytes() + contact
    }
}

/// Changes of [`FormDetails`]. [`Change::Keep`] keeps the value of a field.
#[derive(Debug, Clone, Default)]
pub struct FormDetailsChange {
    /// Names to set, or to remove with `None`; [`Change::Clear`] removes all.
    pub localized_names: Change<BTreeMap<LanguageTag, Option<FormName>>>,
    /// The new key.
    pub frontend_key: Change<FrontendKey>,
    /// A JSON merge patch (RFC 7396) of the additional data.
    pub additional_data: Change<Value>,
    /// The new tags. Submissions keep tags that are not among them.
    pub available_tags: Option<AvailableTags>,
    /// Whom to ask about the form.
    pub contact: Change<FormContact>,
    /// Whether names and additional data that are set replace the old ones, instead of being merged with them.
    pub is_whole: bool,
}

#[cfg(feature = "forms")]
impl FormDetailsChange {
    /// The details after the change.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] if there are too many names, or the additional data are too large.
    pub(crate) fn apply(self, old: &FormDetails) -> Result<FormDetails, InvalidFields> {
        let additional_data = match self.additional_data {
            Change::Keep => old.additional_data.clone(),
            Change::Clear => None,
            Change::Set(value) if self.is_whole => Some(AdditionalData::new(&value)?),
            Change::Set(patch) => {
                let data = old.additional_data.as_ref();
                let mut value = data.map(AdditionalData::value).unwrap_or_default();
                super::merge_patch::merge(&mut value, patch);
                Some(AdditionalData::new(&value)?)
            }
        };
        let names = match &self.localized_names {
            Change::Set(_) if self.is_whole => LocalizedNames::default(),
            _ => old.localized_names.clone(),
        };
        Ok(FormDetails {
            localized_names: names.changed(self.localized_names)?,
            frontend_key: self.frontend_key.apply(old.frontend_key.clone()),
            additional_data,
            available_tags: self
                .available_tags
                .unwrap_or_else(|| old.available_tags.clone()),
            contact: self.contact.apply(old.contact.clone()),
        })
    }
}

#[cfg(feature = "forms")]
impl LocalizedNames {
    /// The names after a change, in which `None` removes a name.
    fn changed(
        self,
        change: Change<BTreeMap<LanguageTag, Option<FormName>>>,
    ) -> Result<Self, InvalidFields> {
        let changes = match change {
            Change::Keep => return Ok(self),
            Change::Clear => return Ok(Self::default()),
            Change::Set(changes) => changes,
        };
        let mut names = self.0;
        for (language, name) in changes {
            match name {
                Some(name) => names.insert(language, name),
                None => names.remove(&language),
            };
        }
        Self::new(names)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_are_kept_in_the_recommended_case() {
        for (text, kept) in [
            ("EN", "en"),
            ("de-at", "de-AT"),
            ("sr-LATN-rs", "sr-Latn-RS"),
            ("en-CA-X-CA", "en-CA-x-ca"),
            ("de-1996", "de-1996"),
            ("az-Arab-x-AZE-derbend", "az-Arab-x-aze-derbend"),
        ] {
            assert_eq!(LanguageTag::new(text).unwrap().as_str(), kept);
        }
        for text in ["", "d", "de-", "-de", "de_AT", "de-toolongpart", "dé", "12"] {
            assert!(LanguageTag::new(text).is_err(), "{text}");
        }
        let long = "de-12345678-12345678-12345678-12345";
        assert_eq!(long.len(), LanguageTag::MAX_CHARS);
        assert!(LanguageTag::new(long).is_ok());
        assert!(LanguageTag::new(&format!("{long}6")).is_err());
    }

    #[test]
    fn keys_have_characters_that_need_no_escape_in_a_url() {
        assert!(FrontendKey::new("a.B_c~d-9").is_ok() && FrontendKey::new("k".repeat(50)).is_ok());
        let long = "k".repeat(51);
        for text in ["", " a", "a,b", "a/b", "ä", &long] {
            assert!(FrontendKey::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn additional_data_are_limited_in_size_and_depth() {
        let nested = |depth| (1..depth).fold(json!([]), |inner, _| json!([inner]));
        assert!(AdditionalData::new(&nested(16)).is_ok());
        assert!(AdditionalData::new(&nested(17)).is_err());
        let sized = |bytes: usize| json!(["a".repeat(bytes - 4)]);
        assert!(AdditionalData::new(&sized(AdditionalData::MAX_BYTES)).is_ok());
        assert!(AdditionalData::new(&sized(AdditionalData::MAX_BYTES + 1)).is_err());
        for value in [json!(null), json!(1), json!("text"), json!(true)] {
            assert!(AdditionalData::new(&value).is_err(), "{value}");
        }
    }

    #[test]
    fn names_are_changed_one_by_one() {
        let name = |text| FormName::new(text).unwrap();
        let tag = |text: &str| LanguageTag::new(text).unwrap();
        let old =
            LocalizedNames::new([(tag("de"), name("Alt")), (tag("fr"), name("Ancien"))]).unwrap();
        let change = [
            (tag("DE"), Some(name("Neu"))),
            (tag("fr"), None),
            (tag("it"), None),
        ];
        let changed = old.clone().changed(Change::Set(change.into())).unwrap();
        assert_eq!(
            changed,
            LocalizedNames::new([(tag("de"), name("Neu"))]).unwrap()
        );
        assert_eq!(
            old.changed(Change::Clear).unwrap(),
            LocalizedNames::default()
        );

        let tags =
            ('a'..='z').flat_map(|first| ['a', 'b'].map(|second| format!("{first}{second}")));
        let names = |number| {
            tags.clone()
                .take(number)
                .map(|text| (tag(&text), name("N")))
        };
        assert!(LocalizedNames::new(names(LocalizedNames::MAX)).is_ok());
        assert!(LocalizedNames::new(names(LocalizedNames::MAX + 1)).is_err());
    }
}
