//! Submissions as a table that people read.

use std::sync::Arc;

use formalize_schema::DataSchema;
use formalize_schema::internals::{answer_shown, extent_of_part, json_question};
use formalize_schema::questions::{Extent, Question, ShownAnswer};
use serde_json::value::RawValue;

use super::SubmissionsService;
use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::export::Columns;
use crate::id::FormId;
use crate::model::form::Form;
use crate::model::subject::Caller;
use crate::model::submission::{Submission, SubmissionFilter};
use crate::page::{Page, PageRequest};
use crate::service::Viewed;

/// A part of a table of submissions.
#[derive(Debug, Clone)]
pub struct SubmissionTable {
    /// All columns for answers.
    pub columns: Arc<Columns>,
    /// The places of the columns that the rows have among [`Columns::leaves`].
    pub shown: Vec<usize>,
    /// The rows.
    pub page: Page<TableRow>,
}

/// A row of a table of submissions.
#[derive(Debug, Clone)]
pub struct TableRow {
    /// The submission, and what the caller may do with it.
    pub submission: Viewed<Submission>,
    /// The answers.
    pub cells: Vec<TableCell>,
}

/// An answer in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableCell {
    /// The answer as people read it. Of a long one, it has the beginning: at least [`SubmissionTable::CELL`] characters.
    pub shown: ShownAnswer,
    /// The stored value: a string as it is, other values as JSON. Long ones are cut.
    pub stored: String,
}

impl SubmissionTable {
    /// The number of columns if a caller chooses none.
    pub const COLUMNS: usize = 8;

    /// The maximum number of characters of a cell.
    pub const CELL: usize = 120;

    /// The extent of a page with the table and the names of all columns.
    pub fn extent(&self) -> Extent {
        let columns = self.columns.leaves().iter();
        let columns = columns.map(|column| extent_of_part(column.label()));
        let cells = self.page.items.iter().flat_map(|row| &row.cells);
        let cells = cells.map(|cell| extent_of_part(&cell.stored));
        columns.chain(cells).sum()
    }
}

impl SubmissionsService<'_> {
    /// Lists the submissions that [`SubmissionsService::list`] lists, as a table with these columns, which are named by
    /// their [pointers](crate::export::Column::pointer). Without any that exists, it has the first
    /// [`SubmissionTable::COLUMNS`]. Labels, also those of choices, are in `language`, a key of `localizedName`.
    ///
    /// A caller who may not read the form, and none of these submissions, gets no columns.
    ///
    /// # Errors
    ///
    /// Those of [`SubmissionsService::list`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let schema = r#"{"properties": {"entry": {"title": "Your entry"}, "town": {}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let submissions = formalize.submissions();
    /// let new = NewSubmission::new(form.id, r#"{"entry": "Lovely."}"#);
    /// submissions.create(&Caller::System, new).await?;
    /// let (all, first) = (SubmissionFilter::default(), PageRequest::default());
    /// let chosen = ["/entry".to_owned()];
    /// let table = submissions.table(&Caller::System, form.id, &all, &first, &chosen, "en").await?;
    /// assert_eq!(table.columns.leaves()[table.shown[0]].label(), "Your entry");
    /// assert_eq!(table.page.items[0].cells[0].stored, "Lovely.");
    /// # Ok(()) });
    /// ```
    pub async fn table(
        &self,
        caller: &Caller,
        form: FormId,
        filter: &SubmissionFilter,
        request: &PageRequest,
        chosen: &[String],
        language: &str,
    ) -> Result<SubmissionTable> {
        let page = self.list(caller, form, filter, request).await?;
        let form = self.form_of_table(caller, form, !page.items.is_empty());
        let validators = &self.0.forms.validators;
        let (validator, columns) = match form.await? {
            Some(form) => {
                let (validator, columns) = validators.columns(caller, &form, language).await?;
                (Some(validator), columns)
            }
            None => (None, Arc::default()),
        };
        let asked = (validator, language.to_owned());
        validators.table(caller, asked, columns, page, chosen).await
    }

    /// The form, if the caller may know its questions.
    async fn form_of_table(
        &self,
        caller: &Caller,
        form: FormId,
        reads_submissions: bool,
    ) -> Result<Option<Form>> {
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.find_form(tx.as_mut(), form).await?;
            let (form, _) = found.ok_or(Error::FormNotFound)?;
            if reads_submissions {
                return Ok(Some(form));
            }
            let target = Target::Form(form.id);
            let actions = authorizer.actions_on(tx.as_mut(), &target).await?;
            Ok(authorizer
                .allows(Operation::FormGet, &actions)
                .then_some(form))
        });
        reading.await
    }
}

impl SubmissionTable {
    /// A table with the chosen columns of a schema, with labels in a language.
    pub(in crate::service) fn new(
        schema: Option<&DataSchema>,
        language: &str,
        columns: Arc<Columns>,
        page: Page<Viewed<Submission>>,
        chosen: &[String],
    ) -> Self {
        let leaves = columns.leaves().iter().enumerate();
        let chosen = leaves.filter(|(_, leaf)| chosen.iter().any(|one| one == leaf.pointer()));
        let mut shown: Vec<usize> = chosen.map(|(place, _)| place).collect();
        if shown.is_empty() {
            shown = (0..columns.leaves().len().min(Self::COLUMNS)).collect();
        }
        let places = shown.iter().copied();
        let mut questions = columns.questions(schema, Some(language), places, true);
        questions.resize_with(shown.len(), json_question);
        let page = page.map(|submission| {
            let data = submission.item.data.as_deref().unwrap_or("{}");
            let values = columns.values(data);
            let asked = shown.iter().zip(&questions);
            let cells = asked.map(|(place, question)| {
                TableCell::of(question, values.get(*place).copied().flatten())
            });
            TableRow {
                cells: cells.collect(),
                submission,
            }
        });
        Self {
            columns,
            shown,
            page,
        }
    }
}

impl TableCell {
    fn of(question: &Question, value: Option<&RawValue>) -> Self {
        let Some(value) = value else {
            return Self {
                shown: ShownAnswer::Nothing,
                stored: String::new(),
            };
        };
        let text = serde_json::from_str::<String>(value.get());
        Self {
            // One more, which shows that something is cut off.
            shown: answer_shown(question, value, SubmissionTable::CELL.saturating_add(1)),
            stored: shortened(text.as_deref().unwrap_or(value.get())),
        }
    }
}

fn shortened(text: &str) -> String {
    let end = text.char_indices().nth(SubmissionTable::CELL);
    match end.and_then(|(end, _)| text.get(..end)) {
        Some(start) => format!("{start}…"),
        None => text.to_owned(),
    }
}
