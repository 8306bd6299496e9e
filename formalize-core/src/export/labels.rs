//! Labels of choices, which the cells of tables for people have instead of stored values.

use std::collections::HashSet;

use formalize_schema::DataSchema;
use formalize_schema::internals::{json_question, label_of};
use formalize_schema::questions::{Choice, Question, QuestionKind};
use serde_json::Value;
use serde_json::value::RawValue;

use super::cells::{Cell, compact};
use super::column::{Column, Columns, Labelled, Labels};
use super::columns::Headers;

/// The cell of a choice that was made.
const CHOSEN: &str = "1";

impl Columns {
    /// The columns of a table whose cells have labels instead of stored values. `schema` is that of the columns.
    ///
    /// Each choice of a multiple choice has a column, as long as there are at most [`Columns::MAX`] columns for values.
    pub(crate) fn with_labels(mut self, schema: Option<&DataSchema>, language: &str) -> Self {
        self.labels = Some(Labels::of(&self, schema, language));
        #[cfg(feature = "xlsx")]
        self.label_groups(schema, language);
        self
    }
}

impl Labels {
    fn of(columns: &Columns, schema: Option<&DataSchema>, language: &str) -> Self {
        let leaves = columns.leaves();
        let mut questions = columns.questions(schema, Some(language), 0..leaves.len(), true);
        questions.resize_with(leaves.len(), json_question);
        let headers = |headers| columns.headers(headers).map(str::to_owned).collect();
        let mut taken = [headers(Headers::Path), headers(Headers::Label)];
        let mut room = Columns::MAX.saturating_sub(leaves.len());
        let mut place: usize = 0;
        let labels = leaves.iter().zip(questions).map(|(leaf, question)| {
            let (question, is_multiple) = with_choices(question);
            let mut choices = Vec::new();
            if let Some(left) = room
                .checked_sub(question.choices.len())
                .filter(|_| is_multiple)
            {
                room = left;
                let each = question.choices.iter();
                choices.extend(each.map(|choice| headers_of(leaf, choice, &mut taken)));
            }
            let next = place.saturating_add(1).saturating_add(choices.len());
            Labelled {
                place: std::mem::replace(&mut place, next),
                question,
                choices,
            }
        });
        Self(labels.collect())
    }

    /// The number of columns for values.
    pub(super) fn width(&self) -> usize {
        self.0.iter().map(|leaf| leaf.choices.len() + 1).sum()
    }

    /// The place of the cell for a leaf.
    pub(super) fn place(&self, index: usize) -> usize {
        self.0.get(index).map_or(usize::MAX, |leaf| leaf.place)
    }

    /// The headers of the columns for the choices of a leaf.
    pub(super) fn headers_of_choices(
        &self,
        index: usize,
        headers: Headers,
    ) -> impl Iterator<Item = &str> {
        let choices = self.0.get(index).map(|leaf| leaf.choices.as_slice());
        let choices = choices.unwrap_or_default().iter();
        choices.map(move |[path, label]| headers.of(path, label))
    }

    /// Writes the label of a value to its cell, or marks what was chosen in the cells behind it. Returns whether it did.
    pub(super) fn show<'d>(
        &self,
        index: usize,
        value: &'d RawValue,
        cells: Option<&mut [Cell<'d>]>,
    ) -> bool {
        let own_and_behind = cells.and_then(<[Cell<'d>]>::split_first_mut);
        let (Some(leaf), Some((own, behind))) = (self.0.get(index), own_and_behind) else {
            return false;
        };
        if let Some(label) = label_of(&leaf.question, value.get()) {
            *own = Cell::Text(label.to_owned().into());
            return true;
        }
        let items = serde_json::from_str::<Vec<&'d RawValue>>(value.get());
        let Some(mut items) = items.ok().filter(|_| !leaf.choices.is_empty()) else {
            return false;
        };
        let number = items.len();
        items.retain(|item| {
            let chosen = leaf.chosen(item).and_then(|choice| behind.get_mut(choice));
            // What was chosen again stays, like what is not among the choices.
            let Some(cell) = chosen.filter(|cell| **cell == Cell::Empty) else {
                return true;
            };
            *cell = Cell::Number(CHOSEN);
            false
        });
        if !items.is_empty() && items.len() < number {
            let others = serde_json::to_string(&items).unwrap_or_default();
            *own = Cell::Json(compact(&others).into_owned().into());
        }
        items.len() < number
    }
}

impl Labelled {
    /// The place of a value among the choices.
    fn chosen(&self, item: &RawValue) -> Option<usize> {
        let item: Value = serde_json::from_str(item.get()).ok()?;
        let mut choices = self.question.choices.iter();
        choices.position(|choice| choice.is(&item))
    }
}

/// The question that has the choices of a question, which for a list of choices is that of its items, and whether several
/// can be chosen.
fn with_choices(mut question: Question) -> (Question, bool) {
    let items = std::mem::take(&mut question.children);
    match question.kind {
        QuestionKind::Choices => (question, true),
        QuestionKind::List => match items.into_iter().next() {
            Some(item) if item.kind == QuestionKind::Choice => (item, true),
            _ => (question, false),
        },
        _ => (question, false),
    }
}

/// The headers of the column for a choice: by path, with the stored value, and by label. They differ from those that are
/// taken.
fn headers_of(leaf: &Column, choice: &Choice, taken: &mut [HashSet<String>; 2]) -> [String; 2] {
    let [paths, labels] = taken;
    let untaken = |start: &str, end: &str, taken: &mut HashSet<String>| {
        let mut header = format!("{start}: {end}");
        while !taken.insert(header.clone()) {
            header = format!("{header} ({})", choice.value);
        }
        header
    };
    [
        untaken(leaf.name(), &choice.value, paths),
        untaken(leaf.label(), &choice.label, labels),
    ]
}
