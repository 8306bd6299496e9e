//! Questions.

use formalize_core::questions;
use serde::Serialize;

use crate::output::{Column, Fit, Record};

/// A question, as a line of a table. JSON output is the tree instead.
#[derive(Debug, Serialize)]
pub(crate) struct Question {
    pointer: String,
    kind: &'static str,
    /// Indented by the level of the question.
    label: String,
    required: bool,
    value: Option<String>,
    choices: Vec<String>,
    problems: Vec<String>,
}

impl Record for Question {
    const COLUMNS: &'static [Column] = &[
        Column::new("question", "label", Fit::CutEnd),
        Column::new("kind", "kind", Fit::Whole),
        Column::new("pointer", "pointer", Fit::CutStart),
        Column::new("required", "required", Fit::Whole),
        Column::new("answer", "value", Fit::CutEnd),
        Column::new("choices", "choices", Fit::CutEnd),
        Column::new("problems", "problems", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = &[
        "pointer", "kind", "label", "required", "value", "choices", "problems",
    ];
}

impl Question {
    /// The question for the files of a group.
    pub(crate) fn of_files(question: &questions::FileQuestion) -> Self {
        Self {
            pointer: format!("/submittedFiles/{}", question.attribute),
            kind: questions::FileQuestion::KIND,
            label: question.label.clone(),
            required: question.is_required(),
            value: None,
            choices: question.rule.allowed_types().collect(),
            problems: Vec::new(),
        }
    }

    /// Adds a question and those within it, in their order.
    pub(crate) fn add(question: &questions::Question, level: usize, to: &mut Vec<Self>) {
        to.push(Self {
            pointer: question.pointer.clone(),
            kind: question.kind.as_str(),
            label: format!("{}{}", "  ".repeat(level), question.label),
            required: question.is_required,
            value: question.value.as_ref().map(|value| value.get().to_owned()),
            choices: question
                .choices
                .iter()
                .map(|one| one.label.clone())
                .collect(),
            problems: question
                .problems
                .iter()
                .map(|one| one.message.clone())
                .collect(),
        });
        for child in &question.children {
            Self::add(child, level.saturating_add(1), to);
        }
    }
}
