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
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = name.chars().collect();
    let mut word = String::new();
    for (at, letter) in letters.iter().copied().enumerate() {
        if letter.is_whitespace() || matches!(letter, '_' | '-') {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(at.saturating_add(1));
        let follows_lower =
            before.is_some_and(|before| before.is_lowercase() || before.is_numeric());
        let ends_acronym = before.is_some_and(|before| before.is_uppercase())
            && after.is_some_and(|after| after.is_lowercase());
        if letter.is_uppercase() && (follows_lower || ends_acronym) {
            words.push(std::mem::take(&mut word));
        }
        word.push(letter);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    let is_acronym = |word: &str| word.chars().filter(|letter| letter.is_uppercase()).count() > 1;
    let words = words.into_iter().enumerate().map(|(at, word)| {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if at == 0 => first.to_uppercase().chain(letters).collect(),
            Some(first) if !is_acronym(&word) => first.to_lowercase().chain(letters).collect(),
            _ => word,
        }
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        return name.to_owned();
    }
    words.join(" ")
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
