//! Answers in the words of a reader.

use formalize_core::questions::ShownAnswer;

use crate::language::Language;
use crate::moment::{date_parts, has_seconds, is_date, is_date_time, is_time, local};

/// An answer in a language. It is empty if there is none.
pub(crate) fn words(language: Language, answer: &ShownAnswer) -> String {
    match answer {
        ShownAnswer::Nothing => String::new(),
        ShownAnswer::Text(text) => text.clone(),
        ShownAnswer::Boolean(is_so) => language.say(if *is_so { "yes" } else { "no" }).to_owned(),
        ShownAnswer::Number(json) => language.number(json),
        ShownAnswer::Date(text) => date(language, text),
        ShownAnswer::Time(text) => time(language, text),
        ShownAnswer::DateTime(text) => date_time(language, text),
        ShownAnswer::Several(answers) => {
            let has_parts =
                |one: &ShownAnswer| matches!(one, ShownAnswer::Several(_) | ShownAnswer::Named(_));
            let sign = if answers.iter().any(has_parts) {
                "; "
            } else {
                ", "
            };
            let answers = answers.iter().map(|answer| words(language, answer));
            let answers = answers.filter(|words| !words.is_empty());
            answers.collect::<Vec<_>>().join(sign)
        }
        ShownAnswer::Named(answers) => {
            let named = answers.iter().filter_map(|(name, answer)| {
                let answer = words(language, answer);
                let values = [("name", name.as_str()), ("answer", answer.as_str())];
                (!answer.is_empty()).then(|| language.say_with("answer.named", &values))
            });
            named.collect::<Vec<_>>().join(", ")
        }
    }
}

/// A date as people write it; another text as it is.
fn date(language: Language, text: &str) -> String {
    if text.is_empty() || !is_date(text) {
        return text.to_owned();
    }
    language.say_with("date", &date_parts(text))
}

fn time(language: Language, text: &str) -> String {
    if text.is_empty() || !is_time(text) {
        return text.to_owned();
    }
    with_offset(language, clock(text), text)
}

fn date_time(language: Language, text: &str) -> String {
    match text.split_once('T') {
        Some((day, rest)) if is_date_time(text) => {
            let [year, month, day] = date_parts(day);
            let values = [year, month, day, ("time", clock(rest))];
            with_offset(language, &language.say_with("dateTime", &values), rest)
        }
        _ => text.to_owned(),
    }
}

/// A time without its offset, and without seconds that are zero.
fn clock(time: &str) -> &str {
    let digits = local(time);
    match digits.get(..5) {
        Some(minutes) if !has_seconds(digits) => minutes,
        _ => digits,
    }
}

/// A time with the offset from UTC in which it is stored. A draft may have none.
fn with_offset(language: Language, shown: &str, time: &str) -> String {
    let offset = time.strip_prefix(local(time)).unwrap_or_default();
    if offset.is_empty() {
        return shown.to_owned();
    }
    let offset = offset.trim_start_matches(['Z', 'z']);
    language.say_with("answer.zone", &[("time", shown), ("offset", offset)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_by_language() {
        let date = |text: &str| ShownAnswer::Date(text.to_owned());
        let time = |text: &str| ShownAnswer::Time(text.to_owned());
        let moment = |text: &str| ShownAnswer::DateTime(text.to_owned());
        let text = |text: &str| ShownAnswer::Text(text.to_owned());
        let guest = |name: &str, age: &str| {
            ShownAnswer::Named(vec![
                ("Name".to_owned(), text(name)),
                ("Age".to_owned(), ShownAnswer::Number(age.to_owned())),
                ("Shirt".to_owned(), ShownAnswer::Nothing),
            ])
        };
        for (answer, english, german, french) in [
            (ShownAnswer::Nothing, "", "", ""),
            (ShownAnswer::Boolean(true), "Yes", "Ja", "Oui"),
            (
                ShownAnswer::Number("1.50".to_owned()),
                "1.50",
                "1,50",
                "1,50",
            ),
            (date("2026-01-31"), "2026-01-31", "31.01.2026", "31/01/2026"),
            (date("soon"), "soon", "soon", "soon"),
            (
                time("08:30:00Z"),
                "08:30 (UTC)",
                "08:30 (UTC)",
                "08:30 (UTC)",
            ),
            (time("08:30"), "08:30", "08:30", "08:30"),
            (
                moment("2026-01-31T08:30:15-05:00"),
                "2026-01-31 08:30:15 (UTC-05:00)",
                "31.01.2026, 08:30:15 (UTC-05:00)",
                "31/01/2026 08:30:15 (UTC-05:00)",
            ),
            (
                ShownAnswer::Several(vec![text("a"), ShownAnswer::Nothing, text("b")]),
                "a, b",
                "a, b",
                "a, b",
            ),
            (
                ShownAnswer::Several(vec![guest("Ada", "36.5"), guest("Bob", "4")]),
                "Name: Ada, Age: 36.5; Name: Bob, Age: 4",
                "Name: Ada, Age: 36,5; Name: Bob, Age: 4",
                "Name : Ada, Age : 36,5; Name : Bob, Age : 4",
            ),
        ] {
            for (language, expected) in [
                (Language::English, english),
                (Language::German, german),
                (Language::French, french),
            ] {
                assert_eq!(words(language, &answer), expected);
            }
        }
    }
}
