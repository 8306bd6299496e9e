//! Forms and submissions.

use std::cell::OnceCell;

use formalize_core::{Clock, FormView, SystemClock, Timestamp, Viewed, forms::Availability};
use formalize_views::{self as views, View};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{answers, field};
use crate::output::{Column, Fit, Printer, Record, cell, short_date};

/// A form, with what tables say about it.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Form {
    view: views::form::Form,
    /// Whether it is open.
    #[serde(skip)]
    state: String,
    /// The number of answers.
    #[serde(skip)]
    answers: Option<u64>,
}

impl Record for Form {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("name", "name", Fit::CutEnd),
        Column::new("state", "state", Fit::Whole),
        Column::new("answers", "answers", Fit::Whole),
        Column::new("created", "dateCreated", Fit::Date),
    ];
    const MORE_COLUMNS: &'static [Column] = &[
        Column::new("opens", "availableStarts", Fit::Date),
        Column::new("closes", "availabilityEnds", Fit::Date),
        Column::new("states", "allowedSubmissionStates", Fit::Whole),
        Column::new("max", "maxNumSubmissions", Fit::Whole),
        Column::new("actions", "grantedActions", Fit::Whole),
    ];
    const FIELDS: &'static [&'static str] = views::form::Form::DECLARED;
    /// Warnings are in JSON, and printed to standard error.
    const OMITTED: &'static [&'static str] = &["warnings"];

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        match &*column.field {
            "state" => self.state.clone(),
            "answers" => self.answers.map(counted).unwrap_or_default(),
            _ => field(column, fields),
        }
    }
}

/// The most answers of a form that are counted for a table.
pub(crate) const MOST_ANSWERS: u64 = 1_000;

fn counted(answers: u64) -> String {
    if answers > MOST_ANSWERS {
        "over 1,000".to_owned()
    } else {
        answers.to_string()
    }
}

/// Whether a form takes submissions at this time.
fn state(availability: &Availability, now: Timestamp) -> String {
    match availability.starts() {
        _ if availability.contains(now) => "open".to_owned(),
        Some(starts) if starts > now => format!("opens {}", short_date(&starts.to_string())),
        _ => "closed".to_owned(),
    }
}

/// A form, and the number of its answers that the caller may read: at most one more than [`MOST_ANSWERS`].
pub(crate) struct CountedForm {
    pub(crate) form: FormView,
    pub(crate) answers: Option<u64>,
}

impl From<CountedForm> for Form {
    fn from(counted: CountedForm) -> Self {
        Self {
            answers: counted.answers,
            ..counted.form.into()
        }
    }
}

impl From<FormView> for Form {
    fn from(view: FormView) -> Self {
        Self {
            state: state(&view.item.rules.availability, SystemClock.now()),
            answers: None,
            view: view.into(),
        }
    }
}

/// A submission.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Submission {
    view: views::submission::Submission,
    /// The data, parsed when a column first needs it.
    #[serde(skip)]
    answers: OnceCell<Value>,
}

impl Submission {
    /// The columns of a table of submissions to a form with this schema. The submitted values follow the state.
    pub(crate) fn columns(printer: &Printer, schema: Option<&str>) -> Vec<Column> {
        let mut columns = printer.columns::<Self>();
        let answers = schema.map(|schema| answers::columns(schema, printer.is_wide()));
        columns.splice(2..2, answers.unwrap_or_default());
        columns
    }

    fn answer(&self, pointer: &str) -> Option<String> {
        let data = self.view.data_feed_element.0.as_deref()?;
        let parsed = || serde_json::from_str(data).unwrap_or_default();
        let answers = self.answers.get_or_init(parsed);
        answers.pointer(pointer).map(cell)
    }
}

impl Record for Submission {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("state", "submissionState", Fit::Whole),
        Column::new("creator", "creatorId", Fit::Whole),
        Column::new("created", "dateCreated", Fit::Date),
    ];
    const MORE_COLUMNS: &'static [Column] = &[
        Column::new("modified by", "lastModifiedById", Fit::Whole),
        Column::new("modified", "dateLastModified", Fit::Date),
        Column::new("tags", "tags", Fit::Wrap),
    ];
    const FIELDS: &'static [&'static str] = views::submission::Submission::DECLARED;

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        if column.field.starts_with('/') {
            self.answer(&column.field).unwrap_or_default()
        } else {
            field(column, fields)
        }
    }
}

impl From<Viewed<formalize_core::Submission>> for Submission {
    fn from(view: Viewed<formalize_core::Submission>) -> Self {
        Self {
            view: views::submission::Submission::new(view, |_| String::new()),
            answers: OnceCell::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_open_closed_or_opens_later() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (before, now, after) = (
            at("2026-11-20T08:00:00Z"),
            at("2026-11-21T08:00:00Z"),
            at("2026-11-22T08:00:00Z"),
        );
        for (starts, ends, expected) in [
            (None, None, "open"),
            (Some(before), Some(after), "open"),
            (Some(now), Some(now), "open"),
            (None, Some(before), "closed"),
            (Some(after), None, "opens 2026-11-22 08:00"),
        ] {
            let availability = Availability::new(starts, ends).unwrap();
            assert_eq!(state(&availability, now), expected);
        }
    }

    #[test]
    fn answers_are_counted_to_a_thousand() {
        assert_eq!(counted(0), "0");
        assert_eq!(counted(MOST_ANSWERS), "1000");
        assert_eq!(counted(MOST_ANSWERS + 1), "over 1,000");
    }
}
