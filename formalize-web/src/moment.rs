//! Dates and times: those that inputs of HTML can show, and those that people read.

use maud::{Markup, html};

use crate::language::Language;

/// Whether a date input of HTML can show a text.
pub(crate) fn is_date(text: &str) -> bool {
    text.is_empty() || has_form(text, "dddd-dd-dd") && !text.starts_with("0000")
}

/// Whether a time input of HTML can show a text, apart from its offset.
pub(crate) fn is_time(text: &str) -> bool {
    let local = local(text);
    let is_leap_second = local.ends_with(":60");
    text.is_empty() || !is_leap_second && (has_form(local, "dd:dd:dd") || has_form(local, "dd:dd"))
}

/// Whether an input of HTML for a date and a time can show a text, apart from its offset.
pub(crate) fn is_date_time(text: &str) -> bool {
    text.is_empty()
        || text.split_once('T').is_some_and(|(date, time)| {
            !date.is_empty() && !time.is_empty() && is_date(date) && is_time(time)
        })
}

/// A time without its offset from UTC.
pub(crate) fn local(text: &str) -> &str {
    let begin = text.find('T').map_or(0, |at| at.saturating_add(1));
    let time = text.get(begin..).unwrap_or_default();
    let end = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    text.get(..begin.saturating_add(end)).unwrap_or_default()
}

/// Whether a time, with or without a date, has seconds other than zero.
pub(crate) fn has_seconds(text: &str) -> bool {
    let local = local(text);
    let (_, time) = local.split_once('T').unwrap_or(("", local));
    let seconds = time.split(':').nth(2);
    seconds.is_some_and(|seconds| seconds.chars().any(|digit| digit != '0'))
}

/// The `step` of an input for a time. Browsers show a field for seconds if it is less than 60, so only values with seconds get that.
pub(crate) fn step(shown: &str) -> &'static str {
    if has_seconds(shown) { "1" } else { "60" }
}

/// Whether a text has digits where the form has `d`, and else the same characters.
fn has_form(text: &str, form: &str) -> bool {
    let fits = |(one, wanted): (char, char)| match wanted {
        'd' => one.is_ascii_digit(),
        wanted => one == wanted,
    };
    text.chars().count() == form.chars().count() && text.chars().zip(form.chars()).all(fits)
}

/// The parts of a date, as texts name them.
pub(crate) fn date_parts(date: &str) -> [(&'static str, &str); 3] {
    let mut parts = date.split('-');
    ["year", "month", "day"].map(|name| (name, parts.next().unwrap_or_default()))
}

/// A point in time that a page shows, in the time zone of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalTime {
    instant: String,
    local: String,
}

impl LocalTime {
    /// A time: as RFC 3339 in UTC, and in the time zone of the service as an input of HTML has it.
    ///
    /// ```
    /// let opens = formalize_web::LocalTime::new("2026-01-31T07:30:00.000Z", "2026-01-31T08:30:00");
    /// ```
    pub fn new(instant: impl Into<String>, local: impl Into<String>) -> Self {
        Self {
            instant: instant.into(),
            local: local.into(),
        }
    }

    /// The time as people write it in a language.
    pub(crate) fn words(&self, language: Language) -> String {
        let (date, time) = self.local.split_once('T').unwrap_or((&self.local, ""));
        let [year, month, day] = date_parts(date);
        let time = ("time", time.get(..5).unwrap_or(time));
        language.say_with("dateTime", &[year, month, day, time])
    }

    pub(crate) fn markup(&self, language: Language) -> Markup {
        html! { time datetime=(self.instant) { (self.words(language)) } }
    }
}
