//! Texts in several languages.

use serde_json::{Map, Value};

use super::below;
use super::spelled::{New, Spelled};

/// A pair of keywords for the same text: in one language, and in several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keywords {
    plain: &'static str,
    localized: &'static str,
}

pub(super) const LABEL: Keywords = Keywords {
    plain: "title",
    localized: "localizedName",
};

pub(super) const HELP: Keywords = Keywords {
    plain: "description",
    localized: "localizedDescription",
};

/// The text of a schema in each language, or one text if there are no languages.
pub(super) fn read(schema: &Value, keywords: Keywords, languages: &[String]) -> Vec<String> {
    let plain = schema.get(keywords.plain).and_then(Value::as_str);
    let texts = schema.get(keywords.localized).and_then(Value::as_object);
    let text = |(at, language): (usize, &String)| match texts {
        Some(texts) => texts.get(language).and_then(Value::as_str),
        None => plain.filter(|_| at == 0),
    };
    let texts = languages.iter().enumerate();
    let mut texts: Vec<String> = texts
        .map(|one| text(one).unwrap_or_default().to_owned())
        .collect();
    if texts.is_empty() {
        texts.push(plain.unwrap_or_default().to_owned());
    }
    texts
}

/// Whether the texts of a schema are strings, as far as there are some.
pub(super) fn are_texts(schema: &Map<String, Value>) -> bool {
    [LABEL, HELP].iter().all(|keywords| {
        let is_map_of_texts = |value: &Value| {
            let texts = value.as_object();
            texts.is_some_and(|texts| texts.values().all(Value::is_string))
        };
        schema.get(keywords.plain).is_none_or(Value::is_string)
            && schema.get(keywords.localized).is_none_or(is_map_of_texts)
    })
}

/// Writes the texts that have changed. `new` has as many texts as `old`.
pub(super) fn write(
    spelled: &mut Spelled,
    schema: &[String],
    keywords: Keywords,
    languages: &[String],
    old: &[String],
    new: &[String],
) {
    let (plain, localized) = (
        below(schema, [keywords.plain]),
        below(schema, [keywords.localized]),
    );
    if old == new {
        return;
    }
    if languages.is_empty() || new.iter().all(String::is_empty) {
        let text = new.first().map(String::as_str).unwrap_or_default();
        if text.is_empty() {
            spelled.remove(&plain);
            spelled.remove(&localized);
        } else {
            spelled.set(&plain, &New::text(text));
        }
        return;
    }
    if spelled.find(&localized).is_none() {
        spelled.set(&localized, &by_language(languages, new));
        return;
    }
    for ((language, old), new) in languages.iter().zip(old).zip(new) {
        let path = below(&localized, [language]);
        if new.is_empty() {
            spelled.remove(&path);
        } else if old != new {
            spelled.set(&path, &New::text(new));
        }
    }
}

/// The keyword for new texts, and its value. `None` without a text.
pub(super) fn new(
    keywords: Keywords,
    languages: &[String],
    texts: &[String],
) -> Option<(String, New)> {
    if texts.iter().all(String::is_empty) {
        return None;
    }
    if languages.is_empty() {
        let text = texts.first()?;
        return Some((keywords.plain.to_owned(), New::text(text)));
    }
    Some((keywords.localized.to_owned(), by_language(languages, texts)))
}

fn by_language(languages: &[String], texts: &[String]) -> New {
    let pairs = languages.iter().zip(texts);
    let pairs = pairs.filter(|(_, text)| !text.is_empty());
    New::Object(
        pairs
            .map(|(language, text)| (language.clone(), New::text(text)))
            .collect(),
    )
}
