//! The page with counts of what was submitted.

use chrono::{Datelike, NaiveDate};
use formalize_core::questions::QuestionKind;
use formalize_core::summary::{
    AnswerSummary, Bin, ChoiceCount, Count, DateCount, NumberSummary, QuestionSummary, Summary,
};
use maud::{Markup, html};

use super::answers::AnswersFilter;
use super::chart::{Bar, columns, scaled, share};
use super::frame::{FormFrame, FormTab};
use crate::language::Language;
use crate::moment::date_parts;
use crate::problem::counted;
use crate::shell::Shell;

/// The page with the summary of the answers to a form.
#[derive(Debug, Clone)]
pub struct SummaryPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// Which answers are counted.
    pub filter: AnswersFilter,
    /// The path of the page with these answers.
    pub answers: String,
    /// Whether the reader has permission to read all answers.
    pub may_read: bool,
    /// What is shown.
    pub summary: &'a Summary,
}

impl SummaryPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let (language, summary) = (shell.language, self.summary);
        let answers = shell.at(&self.answers);
        let content = html! {
            (self.filter.form(language, &html! {}))
            @if summary.num_submissions == 0 {
                p.empty { (language.say(self.filter.no_answers(self.may_read))) }
            } @else {
                (total(language, summary))
                div.columns {
                    @for (place, question) in summary.questions.iter().enumerate() {
                        (Part { language, question, place }.markup(&answers))
                    }
                }
            }
        };
        self.frame
            .page(shell, FormTab::Summary, false, None, &content)
    }
}

/// How many submissions there are, in all and by day.
fn total(language: Language, summary: &Summary) -> Markup {
    let number = usize::try_from(summary.num_submissions).unwrap_or(usize::MAX);
    let name = language.say("summary.days");
    html! {
        section.card.tally aria-labelledby="total" {
            @if summary.is_complete {
                h2 #total { (counted(language, "summary.total", number)) }
            } @else {
                h2 #total { (language.say_with("summary.newest", &[("count", &number.to_string())])) }
                p.hint { (language.say("summary.more")) }
            }
            h3 { (name) }
            (dates(language, name, &summary.by_day, None))
        }
    }
}

/// The part of the page about a question.
#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    language: Language,
    question: &'a QuestionSummary,
    place: usize,
}

impl Part<'_> {
    /// The part, with the address of the answers.
    fn markup(self, answers: &str) -> Markup {
        let (language, question) = (self.language, self.question);
        let id = format!("question.{}", self.place);
        let answered = question.num_answered.to_string();
        html! {
            section.card.tally aria-labelledby=(id) {
                h2 id=(id) dir="auto" { (question.label) }
                p.hint { (language.say_with("summary.answered", &[("count", &answered)])) }
                @match &question.answers {
                    AnswerSummary::Choices { counts, others } => (self.choices(counts, *others)),
                    AnswerSummary::Numbers(numbers) => (self.numbers(numbers)),
                    AnswerSummary::Dates { counts, others, .. } => {
                        (dates(language, &question.label, counts, Some(*others)))
                    },
                    AnswerSummary::Untold => p { a href=(answers) { (language.say("summary.read")) } },
                }
            }
        }
    }

    fn choices(self, counts: &[ChoiceCount], others: Count) -> Markup {
        let (language, answered) = (self.language, self.question.num_answered);
        let row = |label: &Markup, count: Count| {
            html! {
                tr {
                    th scope="row" { (label) (share(count, answered)) }
                    td { (said(language, count)) }
                    td {
                        @if let Some(number) = count.number() {
                            (language.say_with("percent", &[("number", &scaled(number, answered, 100).to_string())]))
                        }
                    }
                }
            }
        };
        let rows = html! {
            @for choice in counts {
                (row(&html! { span dir="auto" { (self.label(choice)) } }, choice.count))
            }
            @if others != Count::Number(0) { (row(&html! { (language.say("summary.others")) }, others)) }
        };
        let headers = ["summary.answer", "summary.number", "summary.share"];
        table(language, &self.question.label, &headers, &rows)
    }

    /// The text of a choice. A schema has no words for yes and no.
    fn label(self, choice: &ChoiceCount) -> &str {
        let is_boolean = matches!(
            self.question.kind,
            QuestionKind::Boolean | QuestionKind::Consent
        );
        match choice.value.as_str() {
            "true" if is_boolean => self.language.say("yes"),
            "false" if is_boolean => self.language.say("no"),
            _ => &choice.label,
        }
    }

    fn numbers(self, numbers: &NumberSummary) -> Markup {
        let (language, bins) = (self.language, &numbers.bins);
        let mean = numbers.mean.map(rounded);
        let facts = [
            ("summary.smallest", numbers.least.map(plain)),
            ("summary.largest", numbers.greatest.map(plain)),
            ("summary.mean", mean),
        ];
        let is_told = facts.iter().any(|(_, number)| number.is_some());
        let bars = bins.iter().zip(0..);
        let bars: Vec<_> = bars
            .map(|(bin, place)| Bar {
                place,
                count: bin.count,
            })
            .collect();
        let end = |bin: Option<&Bin>| html! { @if let Some(bin) = bin { (self.range(bin)) } };
        let rows = html! {
            @for bin in bins { (counted_row(language, &html! { (self.range(bin)) }, bin.count)) }
            (others_row(language, numbers.others))
        };
        html! {
            @if is_told {
                dl.facts {
                    @for (key, number) in &facts {
                        @if let Some(number) = number {
                            div {
                                dt { (language.say(key)) }
                                dd { (language.number(number)) }
                            }
                        }
                    }
                }
            }
            @if !bins.is_empty() {
                (columns(language, &self.question.label, &bars, [end(bins.first()), end(bins.last())], true))
            }
            (as_table(language, &self.question.label, "summary.range", &rows))
        }
    }

    /// The numbers in a bin, in words.
    fn range(self, bin: &Bin) -> String {
        let (from, last) = (plain(bin.from), plain(bin.to - 1.0));
        let is_whole = self.question.kind == QuestionKind::Integer;
        let number = |text: &str| self.language.number(text);
        if is_whole && from == last {
            return number(&from);
        }
        let (key, to) = if is_whole {
            ("summary.fromTo", last)
        } else {
            ("summary.below", plain(bin.to))
        };
        let values = [("from", number(&from)), ("to", number(&to))];
        self.language.say_with(key, &values)
    }
}

/// How many there are of each date, as bars and as a table.
fn dates(language: Language, name: &str, counts: &[DateCount], others: Option<Count>) -> Markup {
    let first = counts.first().map_or(0, |count| number_of(&count.date));
    let bars = counts.iter().map(|count| Bar {
        place: number_of(&count.date).abs_diff(first),
        count: count.count,
    });
    let bars: Vec<_> = bars.collect();
    let end = |count: Option<&DateCount>| html! { @if let Some(count) = count { (date(language, &count.date)) } };
    let rows = html! {
        @for count in counts {
            (counted_row(language, &date(language, &count.date), count.count))
        }
        @if let Some(others) = others { (others_row(language, others)) }
    };
    html! {
        @if !counts.is_empty() {
            (columns(language, name, &bars, [end(counts.first()), end(counts.last())], false))
        }
        (as_table(language, name, "summary.date", &rows))
    }
}

/// The number of a day, a month or a year, such that the next one has the next number.
fn number_of(date: &str) -> i64 {
    if let Ok(day) = NaiveDate::parse_from_str(date, "%Y-%m-%d") {
        return day.num_days_from_ce().into();
    }
    let (year, month) = date.split_once('-').unwrap_or((date, ""));
    let year: i64 = year.parse().unwrap_or_default();
    match month.parse::<i64>() {
        Ok(month) => year.saturating_mul(12).saturating_add(month),
        Err(_) => year,
    }
}

/// A date as people write it.
fn date(language: Language, text: &str) -> Markup {
    let values = date_parts(text);
    let [(_, year), (_, month), (_, day)] = values;
    html! {
        time datetime=(text) {
            @if !day.is_empty() { (language.say_with("date", &values)) }
            @else if !month.is_empty() { (language.say_with("month", &values)) }
            @else { (year) }
        }
    }
}

fn others_row(language: Language, others: Count) -> Markup {
    html! {
        @if others != Count::Number(0) {
            (counted_row(language, &html! { (language.say("summary.others")) }, others))
        }
    }
}

fn counted_row(language: Language, label: &Markup, count: Count) -> Markup {
    html! { tr { th scope="row" { (label) } td { (said(language, count)) } } }
}

/// A count in words, unless it is a number.
fn said(language: Language, count: Count) -> String {
    match count {
        Count::Number(number) => number.to_string(),
        Count::Below(minimum) => {
            language.say_with("summary.fewer", &[("minimum", &minimum.to_string())])
        }
        Count::Withheld => language.say("summary.withheld").to_owned(),
    }
}

/// The numbers of a chart as a table, which is shown on demand.
fn as_table(language: Language, name: &str, header: &str, rows: &Markup) -> Markup {
    html! {
        @if !rows.0.is_empty() {
            details {
                summary { (language.say("summary.table")) }
                (table(language, name, &[header, "summary.number"], rows))
            }
        }
    }
}

fn table(language: Language, name: &str, headers: &[&str], rows: &Markup) -> Markup {
    html! {
        div.table role="region" aria-label=(language.say_with("table", &[("name", name)])) tabindex="0" {
            table {
                thead { tr { @for header in headers { th scope="col" { (language.say(header)) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// A number as JSON, without a fraction if it is whole.
fn plain(number: f64) -> String {
    const LONG: f64 = 1e15;
    if number.abs() < LONG {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// A number with two decimals, or more if it is small.
fn rounded(number: f64) -> String {
    let magnitude = number.abs();
    if number.fract() == 0.0 || !(1e-9..1e15).contains(&magnitude) {
        return plain(number);
    }
    let digits = if magnitude >= 1.0 {
        2
    } else if magnitude >= 0.01 {
        4
    } else {
        12
    };
    let text = format!("{number:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_that_follow_each_other_have_numbers_that_do() {
        for (one, next) in [
            ("2026-12-31", "2027-01-01"),
            ("2024-02-28", "2024-02-29"),
            ("2026-12", "2027-01"),
            ("2026", "2027"),
        ] {
            assert_eq!(number_of(next) - number_of(one), 1, "{one}");
        }
    }

    #[test]
    fn numbers_are_written_briefly() {
        for (number, text) in [
            (11.25, "11.25"),
            (10.0 / 3.0, "3.33"),
            (2.0 / 3.0, "0.6667"),
            (2.999, "3"),
            (-0.5, "-0.5"),
            (0.000_123, "0.000123"),
            (0.0, "0"),
            (1e300, "1e300"),
        ] {
            assert_eq!(rounded(number), text, "{number}");
        }
        assert_eq!((plain(20.0), plain(0.1)), ("20".into(), "0.1".into()));
    }
}
