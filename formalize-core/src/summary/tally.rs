//! Counts submissions, and the answers in them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use formalize_schema::DataSchema;
use formalize_schema::internals::choice_of_boolean;
use formalize_schema::questions::{Choice, QuestionKind};
use serde_json::Value;
use serde_json::value::RawValue;

use super::dates::{Dates, by_day};
use super::numbers::Numbers;
use super::{AnswerSummary, ChoiceCount, Count, QuestionSummary, Summary, told};
use crate::export::Columns;
use crate::model::submission::Submission;

/// A question to count the answers of.
#[derive(Debug)]
pub(crate) struct Leaf {
    kind: QuestionKind,
    choices: Vec<Choice>,
    num_answered: u64,
    /// The number of answers that are not counted one by one.
    others: u64,
    answers: Answers,
}

#[derive(Debug)]
enum Answers {
    /// How often each choice was made.
    Choices(Vec<u64>),
    Numbers(Numbers),
    Dates(Dates),
    Untold,
}

impl Leaf {
    /// The questions of columns, in a language.
    pub(crate) fn all(
        columns: &Columns,
        schema: Option<&DataSchema>,
        language: Option<&str>,
    ) -> Vec<Self> {
        let all = 0..columns.leaves().len();
        let mut asked = columns.questions(schema, language, all, false).into_iter();
        let leaves = columns.leaves().iter().map(|_| match asked.next() {
            Some(question) => Self::new(question.kind, question.choices),
            None => Self::new(QuestionKind::Json, Vec::new()),
        });
        leaves.collect()
    }

    fn new(kind: QuestionKind, mut choices: Vec<Choice>) -> Self {
        use QuestionKind as Kind;
        if matches!(kind, Kind::Boolean | Kind::Consent) {
            choices = [true, false].map(choice_of_boolean).into();
        }
        choices.truncate(Summary::MAX_CHOICES);
        let answers = match kind {
            Kind::Choice | Kind::Choices | Kind::Boolean | Kind::Consent => {
                Answers::Choices(vec![0; choices.len()])
            }
            Kind::Integer => Answers::Numbers(Numbers::new(true)),
            Kind::Number => Answers::Numbers(Numbers::new(false)),
            Kind::Date | Kind::DateTime => Answers::Dates(Dates::new()),
            _ => Answers::Untold,
        };
        Self {
            kind,
            choices,
            num_answered: 0,
            others: 0,
            answers,
        }
    }

    fn add(&mut self, value: &RawValue) {
        if !is_answer(value.get()) {
            return;
        }
        self.num_answered = self.num_answered.saturating_add(1);
        if matches!(self.answers, Answers::Untold) {
            return;
        }
        let value: Value = serde_json::from_str(value.get()).unwrap_or_default();
        let is_counted = match (&mut self.answers, &value) {
            (Answers::Choices(_), value) if self.kind == QuestionKind::Choices => {
                let items = value.as_array();
                items.map(|items| self.add_choices(items)).is_some()
            }
            (Answers::Choices(counts), value) => {
                let choice = self.choices.iter().position(|choice| choice.is(value));
                let count = choice.and_then(|choice| counts.get_mut(choice));
                count.map(increase).is_some()
            }
            (Answers::Numbers(numbers), value) => {
                let number = value.as_f64().filter(|number| number.is_finite());
                number.map(|number| numbers.add(number)).is_some()
            }
            (Answers::Dates(dates), Value::String(text)) => dates.add(text),
            (Answers::Dates(_) | Answers::Untold, _) => false,
        };
        if !is_counted {
            increase(&mut self.others);
        }
    }

    /// Adds what one person has chosen.
    fn add_choices(&mut self, items: &[Value]) {
        let Answers::Choices(counts) = &mut self.answers else {
            return;
        };
        // Each item is compared once, because there may be a hundred thousand.
        let chosen: HashSet<&Value> = items.iter().collect();
        for (choice, count) in self.choices.iter().zip(counts) {
            if chosen.contains(choice.answer()) {
                increase(count);
            }
        }
        let known: HashSet<&Value> = self.choices.iter().map(Choice::answer).collect();
        let others = items.iter().filter(|item| !known.contains(item)).count() as u64;
        self.others = self.others.saturating_add(others);
    }

    fn summary(&self, minimum: u64) -> AnswerSummary {
        match &self.answers {
            Answers::Choices(counts) => {
                let numbers = [counts.as_slice(), &[self.others]].concat();
                let mut told = told(&numbers, minimum).into_iter();
                let counts = self.choices.iter().zip(&mut told);
                let counts = counts.map(|(choice, count)| ChoiceCount {
                    value: choice.value.clone(),
                    label: choice.label.clone(),
                    count,
                });
                AnswerSummary::Choices {
                    counts: counts.collect(),
                    others: told.next().unwrap_or(Count::Number(self.others)),
                }
            }
            Answers::Numbers(numbers) => {
                AnswerSummary::Numbers(numbers.summary(self.others, minimum))
            }
            Answers::Dates(dates) => dates.summary(self.others, minimum),
            Answers::Untold => AnswerSummary::Untold,
        }
    }
}

fn increase(count: &mut u64) {
    *count = count.saturating_add(1);
}

/// Whether JSON is something that a person can have answered.
fn is_answer(json: &str) -> bool {
    let inner = |open: char, close: char| {
        let inner = json.strip_prefix(open)?.strip_suffix(close)?;
        Some(inner.trim_ascii())
    };
    let is_empty = |open, close| inner(open, close) == Some("");
    json != "null" && json != r#""""# && !is_empty('[', ']') && !is_empty('{', '}')
}

/// Submissions that were counted.
#[derive(Debug)]
pub(crate) struct Tally {
    columns: Arc<Columns>,
    leaves: Vec<Leaf>,
    num_submissions: u64,
    days: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts the answers to these questions, which are those of the columns.
    pub(crate) fn new(columns: Arc<Columns>, leaves: Vec<Leaf>) -> Self {
        Self {
            columns,
            leaves,
            num_submissions: 0,
            days: BTreeMap::new(),
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.num_submissions
    }

    pub(crate) fn add(&mut self, submission: &Submission) {
        increase(&mut self.num_submissions);
        let created = submission.date_created.to_string();
        let day = created.get(..10).unwrap_or(&created);
        increase(self.days.entry(day.to_owned()).or_default());
        let values = self
            .columns
            .values(submission.data.as_deref().unwrap_or("{}"));
        for (leaf, value) in self.leaves.iter_mut().zip(values) {
            if let Some(value) = value {
                leaf.add(value);
            }
        }
    }

    /// The summary, in which counts below a minimum are withheld.
    pub(crate) fn summary(&self, is_complete: bool, minimum: u64) -> Summary {
        let columns = self.columns.leaves().iter();
        let questions = columns
            .zip(&self.leaves)
            .map(|(column, leaf)| QuestionSummary {
                pointer: column.pointer().to_owned(),
                label: column.label().to_owned(),
                kind: leaf.kind,
                num_answered: leaf.num_answered,
                answers: leaf.summary(minimum),
            });
        Summary {
            num_submissions: self.num_submissions,
            is_complete,
            by_day: by_day(&self.days, minimum),
            questions: questions.collect(),
        }
    }
}
