//! Counts of dates by day, month or year.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::{AnswerSummary, Count, DateCount, DateUnit, Summary, told};

/// Dates that were counted, by the longest text of a period that there are few of.
#[derive(Debug)]
pub(super) struct Dates {
    unit: DateUnit,
    counts: BTreeMap<String, u64>,
}

impl Dates {
    pub(super) fn new() -> Self {
        Self {
            unit: DateUnit::Day,
            counts: BTreeMap::new(),
        }
    }

    /// Adds the date at the beginning of a text. Returns `false` if there is none.
    pub(super) fn add(&mut self, text: &str) -> bool {
        const DATE: usize = 10;
        let Some(date) = text.get(..DATE).filter(|date| is_date(date)) else {
            return false;
        };
        let count = self
            .counts
            .entry(period(date, self.unit).to_owned())
            .or_default();
        *count = count.saturating_add(1);
        while self.counts.len() > Summary::MAX_DATES {
            let unit = match self.unit {
                DateUnit::Day => DateUnit::Month,
                DateUnit::Month => DateUnit::Year,
                // There are at most 10,000 years.
                DateUnit::Year => break,
            };
            self.unit = unit;
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            for (date, count) in &self.counts {
                let sum = counts.entry(period(date, unit).to_owned()).or_default();
                *sum = sum.saturating_add(*count);
            }
            self.counts = counts;
        }
        true
    }

    /// The last years, if there are too many, and how many other answers there are.
    pub(super) fn summary(&self, others: u64, minimum: u64) -> AnswerSummary {
        let (counts, left_out) = last(&self.counts, Summary::MAX_DATES);
        let others = others.saturating_add(left_out);
        let numbers: Vec<u64> = counts.iter().map(|(_, count)| *count).collect();
        let mut told = told(&[numbers, vec![others]].concat(), minimum).into_iter();
        AnswerSummary::Dates {
            unit: self.unit,
            counts: dated(counts, &mut told),
            others: told.next().unwrap_or(Count::Number(others)),
        }
    }
}

/// The counts of the last days.
pub(super) fn by_day(days: &BTreeMap<String, u64>, minimum: u64) -> Vec<DateCount> {
    let (days, _) = last(days, Summary::MAX_DAYS);
    let numbers: Vec<u64> = days.iter().map(|(_, count)| *count).collect();
    dated(days, told(&numbers, minimum))
}

/// The last of some counts, and the sum of the others.
fn last(counts: &BTreeMap<String, u64>, most: usize) -> (Vec<(&String, u64)>, u64) {
    let left_out = counts.len().saturating_sub(most);
    let sum = counts.values().take(left_out).sum();
    let kept = counts.iter().skip(left_out);
    (kept.map(|(date, count)| (date, *count)).collect(), sum)
}

fn dated(dates: Vec<(&String, u64)>, counts: impl IntoIterator<Item = Count>) -> Vec<DateCount> {
    let dates = dates.into_iter().zip(counts);
    let dates = dates.map(|((date, _), count)| DateCount {
        date: date.clone(),
        count,
    });
    dates.collect()
}

fn is_date(text: &str) -> bool {
    // Only four digits have the same length in every year.
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_plain && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// The beginning of a date.
fn period(date: &str, unit: DateUnit) -> &str {
    let length = match unit {
        DateUnit::Day => 10,
        DateUnit::Month => 7,
        DateUnit::Year => 4,
    };
    date.get(..length).unwrap_or(date)
}
