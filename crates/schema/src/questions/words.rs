//! The texts of questions.

use crate::schema::Words;

/// The text in a language: the same tag, else the same primary language, else the first text.
pub(super) fn in_language<'w>(words: &'w Words, language: Option<&str>) -> Option<&'w str> {
    let primary = |tag: &str| {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        primary.to_ascii_lowercase()
    };
    let exact = || {
        words
            .iter()
            .find(|(tag, _)| language.is_some_and(|wanted| tag.eq_ignore_ascii_case(wanted)))
    };
    let related = || {
        words
            .iter()
            .find(|(tag, _)| language.is_some_and(|wanted| primary(tag) == primary(wanted)))
    };
    let found = exact().or_else(related).or_else(|| words.first());
    found.map(|(_, text)| text.as_str())
}

/// The name of a member in words: `firstName` and `first_name` become `First name`, `homeURL` becomes `Home URL`.
pub(super) fn spelled_out(name: &str) -> String {
    let is_separator = |letter: char| letter.is_whitespace() || matches!(letter, '_' | '-');
    let mut spelled = String::with_capacity(name.len().saturating_mul(2));
    for word in name.split(is_separator).flat_map(parts) {
        let mut letters = word.chars();
        let Some(first) = letters.next() else {
            continue;
        };
        let is_acronym = word.chars().filter(|letter| letter.is_uppercase()).count() > 1;
        if spelled.is_empty() {
            spelled.extend(first.to_uppercase());
        } else {
            spelled.push(' ');
            if is_acronym {
                spelled.push(first);
            } else {
                spelled.extend(first.to_lowercase());
            }
        }
        spelled.push_str(letters.as_str());
    }
    if spelled.is_empty() {
        return name.to_owned();
    }
    spelled
}

/// The parts of a name that begin with a capital: behind a small letter or a digit, or before a small letter that ends an
/// acronym.
fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = name;
    let mut before: Option<char> = None;
    let mut letters = name.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let after = letters.peek().map(|(_, after)| *after);
        let follows_lower =
            before.is_some_and(|before| before.is_lowercase() || before.is_numeric());
        let ends_acronym =
            before.is_some_and(char::is_uppercase) && after.is_some_and(char::is_lowercase);
        let begun = name.len().saturating_sub(rest.len());
        if letter.is_uppercase()
            && (follows_lower || ends_acronym)
            && let Some((part, behind)) = rest.split_at_checked(at.saturating_sub(begun))
        {
            parts.push(part);
            rest = behind;
        }
        before = Some(letter);
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_members_become_words() {
        for (name, words) in [
            ("email", "Email"),
            ("firstName", "First name"),
            ("first_name", "First name"),
            ("first-name", "First name"),
            ("Date of birth", "Date of birth"),
            ("homeURL", "Home URL"),
            ("URLOfHome", "URL of home"),
            ("line2", "Line2"),
            ("straßeUndNummer", "Straße und nummer"),
            ("élan", "Élan"),
            ("_", "_"),
            ("", ""),
        ] {
            assert_eq!(spelled_out(name), words, "{name}");
        }
    }

    #[test]
    fn the_nearest_language_is_used() {
        let words = [("en", "Age"), ("de-AT", "Alter")];
        let words = words.map(|(tag, text)| (tag.to_owned(), text.to_owned()));
        let words = Words::from(words);
        for (language, text) in [
            (Some("en"), "Age"),
            (Some("de-at"), "Alter"),
            (Some("de"), "Alter"),
            (Some("de-CH"), "Alter"),
            (Some("fr"), "Age"),
            (None, "Age"),
        ] {
            assert_eq!(in_language(&words, language), Some(text), "{language:?}");
        }
        assert_eq!(in_language(&Words::new(), Some("en")), None);
    }
}
