//! The words of pages, by language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A language in which pages are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// For tests: the English texts in other letters, about a third longer, on pages that are written from right to left.
    /// A text in plain letters on such a page does not come from the catalogue. No reader can ask for this language.
    Pseudo,
}

pub(crate) type Catalogue = BTreeMap<String, String>;

static CATALOGUES: LazyLock<[Catalogue; 3]> = LazyLock::new(|| {
    Language::ALL.map(|language| serde_json::from_str(language.source()).unwrap_or_default())
});

static PSEUDO: LazyLock<Catalogue> = LazyLock::new(|| {
    let english = Language::English.catalogue().iter();
    let altered = english.map(|(key, text)| (key.clone(), altered(text)));
    altered.collect()
});

impl Language {
    /// All languages that readers can ask for. The first one is used if a reader prefers none of them.
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::French];

    /// The tag of the language (BCP 47).
    ///
    /// ```
    /// assert_eq!(formalize_web::Language::German.tag(), "de");
    /// ```
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Pseudo => "ar-XB",
        }
    }

    /// The direction in which the language is written, if it is from right to left: the value of the HTML attribute `dir`.
    pub(crate) fn direction(self) -> Option<&'static str> {
        (self == Self::Pseudo).then_some("rtl")
    }

    /// The language of a tag such as `de-AT`, if pages are written in it.
    ///
    /// ```
    /// use formalize_web::Language;
    ///
    /// assert_eq!(Language::of_tag("de-AT"), Some(Language::German));
    /// assert_eq!(Language::of_tag("nl"), None);
    /// ```
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        let is_it = |language: &Self| language.tag().eq_ignore_ascii_case(primary);
        Self::ALL.into_iter().find(is_it)
    }

    /// The language that the header `Accept-Language` prefers (RFC 9110, 12.5.4) of those in which pages are written.
    ///
    /// ```
    /// use formalize_web::Language;
    ///
    /// assert_eq!(Language::preferred("nl, fr;q=0.5, en;q=0.8"), Some(Language::English));
    /// assert_eq!(Language::preferred("fr;q=0, *"), None);
    /// ```
    pub fn preferred(accepted: &str) -> Option<Self> {
        let ranges = accepted.split(',').filter_map(|range| {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
            let quality = parameters.trim().strip_prefix("q=");
            let quality =
                quality.map_or(Some(1.0), |quality| quality.trim().parse::<f32>().ok())?;
            Some((Self::of_tag(tag.trim())?, quality))
        });
        let mut best = None;
        for (language, quality) in ranges {
            if quality > best.map_or(0.0, |(_, best)| best) {
                best = Some((language, quality));
            }
        }
        best.map(|(language, _)| language)
    }

    /// Whether decimals are written behind a comma.
    pub fn has_decimal_comma(self) -> bool {
        self != Self::English
    }

    /// The text of a key.
    pub(crate) fn say(self, key: &str) -> &'static str {
        let text = self.catalogue().get(key);
        text.map_or("", String::as_str)
    }

    /// The text of a key, with the values of its placeholders.
    pub(crate) fn say_with<V: AsRef<str>>(self, key: &str, values: &[(&str, V)]) -> String {
        let mut text = String::new();
        let mut rest = self.say(key);
        // In one pass, so that a value that looks like a placeholder stays what it is.
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').unwrap_or((behind, ""));
            let value = values.iter().find(|(known, _)| *known == name);
            text.push_str(before);
            text.push_str(value.map_or("", |(_, value)| value.as_ref()));
            rest = behind;
        }
        text.push_str(rest);
        text
    }

    /// Whether a text about this number has the singular.
    pub(crate) fn is_singular(self, number: f64) -> bool {
        match self {
            Self::English | Self::German | Self::Pseudo => (number - 1.0).abs() < f64::EPSILON,
            Self::French => (0.0..2.0).contains(&number),
        }
    }

    /// A number of JSON as people write it.
    pub(crate) fn number(self, json: &str) -> String {
        if self.has_decimal_comma() {
            json.replace('.', ",")
        } else {
            json.to_owned()
        }
    }

    pub(crate) fn catalogue(self) -> &'static Catalogue {
        let [english, german, french] = &*CATALOGUES;
        match self {
            Self::English => english,
            Self::German => german,
            Self::French => french,
            Self::Pseudo => &PSEUDO,
        }
    }

    fn source(self) -> &'static str {
        match self {
            Self::English | Self::Pseudo => include_str!("../languages/en.json"),
            Self::German => include_str!("../languages/de.json"),
            Self::French => include_str!("../languages/fr.json"),
        }
    }
}

/// A text of the catalogue for tests: other letters outside of placeholders, and each vowel twice.
fn altered(text: &str) -> String {
    const PLAIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const OTHER: &str = "àƀçđéƒğĥîĵķļɱñôþɋŕšţûṽŵẋýžÀƁÇĐÉƑĞĤÎĴĶĻḾÑÔÞɊŔŠŢÛṼŴẊÝŽ";

    let mut altered = String::new();
    let mut is_placeholder = false;
    for letter in text.chars() {
        is_placeholder = (is_placeholder || letter == '{') && letter != '}';
        let mut pairs = PLAIN.chars().zip(OTHER.chars());
        let other = pairs.find(|(plain, _)| *plain == letter && !is_placeholder);
        let (_, other) = other.unwrap_or((letter, letter));
        altered.push(other);
        if other != letter && "aeiou".contains(letter) {
            altered.push(other);
        }
    }
    altered
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn placeholders(text: &str) -> BTreeSet<&str> {
        let starts = text.split('{').skip(1);
        starts.map(|rest| rest.split('}').next().unwrap()).collect()
    }

    #[test]
    fn all_languages_have_the_same_keys_and_placeholders() {
        let english = Language::English.catalogue();
        assert!(english.len() > 50);
        for language in Language::ALL {
            let catalogue = language.catalogue();
            assert!(catalogue.keys().eq(english.keys()), "{language:?}");
            // A key that occurs twice has its last text. Each line has a key.
            let lines = language.source().lines();
            let keys = lines.filter(|line| line.starts_with("  \""));
            assert_eq!(keys.count(), catalogue.len(), "{language:?}");
            for (key, text) in catalogue {
                assert!(!text.trim().is_empty(), "{language:?} {key}");
                assert_eq!(
                    placeholders(text),
                    placeholders(&english[key]),
                    "{language:?} {key}"
                );
            }
        }
    }

    #[test]
    fn every_key_is_used_and_every_used_key_exists() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut code = String::new();
        let folders = ["", "console", "console/webhooks"].map(|folder| source.join(folder));
        let entries = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).unwrap());
        let files = entries.map(|entry| entry.unwrap().path());
        for file in files.filter(|path| path.is_file()) {
            let text = fs::read_to_string(file).unwrap();
            code.push_str(text.split("#[cfg(test)]").next().unwrap());
        }
        for template in fs::read_dir(source.join("../templates")).unwrap() {
            let text = fs::read_to_string(template.unwrap().path()).unwrap();
            code.push_str(&text.replace("\"{", "\"").replace("}\"", "\""));
        }
        let endings = [".one", ".other", ".least", ".most", ".both"];
        let stem = |key: &str| {
            let ending = endings.iter().find_map(|ending| key.strip_suffix(ending));
            ending.unwrap_or(key).to_owned()
        };
        let known: BTreeSet<_> = Language::English
            .catalogue()
            .keys()
            .map(|key| stem(key))
            .collect();
        for key in &known {
            let is_used = code.contains(&format!("\"{key}\""));
            assert!(is_used, "{key}");
        }
        for call in ["say(\"", "say_with(\"", "counted(\"", "say_limits(\""] {
            for rest in code.split(call).skip(1) {
                let key = rest.split('"').next().unwrap();
                assert!(known.contains(&stem(key)), "{key}");
            }
        }
    }

    #[test]
    fn nobody_reads_the_language_for_tests() {
        assert!(!Language::ALL.contains(&Language::Pseudo));
        assert_eq!(Language::of_tag(Language::Pseudo.tag()), None);
        let said = Language::Pseudo.say_with("signedInAs", &[("user", "Ada")]);
        assert_eq!(said, "Šîîğñééđ îîñ ààš Ada");
    }

    #[test]
    fn values_are_not_placeholders() {
        let said = Language::English.say_with("problem.unknown", &[("name", "{name}")]);
        assert_eq!(said, "The field “{name}” is not allowed here");
    }
}
