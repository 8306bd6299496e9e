//! Reading all submissions of a form that a caller may read, in one snapshot.

use std::sync::Arc;

use formalize_schema::DataSchema;
use uuid::Uuid;

use super::{SubmissionsService, data_size, selected};
use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::authz::scope::SubmissionScope;
use crate::error::{Error, Result};
use crate::export::Columns;
use crate::id::FormId;
use crate::model::form::Form;
use crate::model::subject::Caller;
use crate::model::submission::{OutputValidation, Submission, SubmissionFilter};
use crate::model::tag::Tags;
use crate::model::words::TagAction;
use crate::offload::{Turn, offload_in_turn};
use crate::page::Window;
use crate::service::ATTEMPTS;
use crate::service::part::validators::Validator;
use crate::store::{ReadTx, StoreError};
use crate::time::Timestamp;

/// The rows to read at a time. Data has up to 1 MiB, so a window has less than 2 MiB.
const WINDOW: Window = Window {
    limit: 1_000,
    bytes: 1024 * 1024,
    ..Window::ALL
};

/// The submissions of a form, read in one snapshot; see [`SubmissionsService::export`].
pub struct Export {
    tx: Box<dyn ReadTx>,
    pub(super) began: Timestamp,
    pub(super) form: Form,
    is_form_shown: bool,
    scope: SubmissionScope,
    pub(super) filter: SubmissionFilter,
    validator: Arc<Validator>,
    pub(super) columns: Arc<Columns>,
    /// The language of labels.
    language: String,
    shows_tags: bool,
    newest_first: bool,
    /// The last submission that was read.
    last: Option<Uuid>,
    first: Option<Vec<Submission>>,
}

impl std::fmt::Debug for Export {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Export")
            .field("form", &self.form.id)
            .finish_non_exhaustive()
    }
}

impl SubmissionsService<'_> {
    /// Begins to read all submissions of a form that the caller may read: exactly those that the list shows, in the same
    /// order. `language` is that of the labels of columns, a key of `localizedName`.
    ///
    /// What is read and the caller's rights are those of one moment, however long it takes. Until the export is dropped, a
    /// database cannot remove what was deleted meanwhile, so limit the number of exports and their duration. Read on, or
    /// call [`Export::keep_alive`], every ten seconds.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, form, _| {
    /// use formalize_core::export::{CsvOptions, TextFormat, TextWriter};
    ///
    /// let (submissions, all) = (formalize.submissions(), SubmissionFilter::default());
    /// let mut export = submissions.export(&Caller::System, form.id, &all, "en").await?;
    /// let format = TextFormat::Csv(CsvOptions::default());
    /// let mut writer = TextWriter::new(format, export.columns());
    /// let mut file = Vec::new();
    /// writer.begin(&mut file)?;
    /// while let Some(rows) = export.next().await? {
    ///     writer.rows(&rows, &mut file)?;
    /// }
    /// writer.end(&mut file)?;
    /// assert!(String::from_utf8(file)?.ends_with(",Lovely.,\r\n"));
    /// # Ok(()) });
    /// ```
    pub async fn export(
        &self,
        caller: &Caller,
        form: FormId,
        filter: &SubmissionFilter,
        language: &str,
    ) -> Result<Export> {
        let keep = async |export| Ok(export);
        self.read_all(caller, form, (filter, false), language, keep)
            .await
    }

    /// Reads in one of both orders: with a filter, and maybe the newest first. If the connection is lost, all of `work` is
    /// repeated.
    pub(super) async fn read_all<T, F>(
        &self,
        caller: &Caller,
        form: FormId,
        (filter, newest_first): (&SubmissionFilter, bool),
        language: &str,
        work: impl Fn(Export) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        for _ in 0..ATTEMPTS {
            // The schema is compiled while no connection is held.
            let find = reading!(|tx| tx.read_forms()?.find_form(form));
            let known = self.0.read_once(find).await?;
            let known = known.ok_or(Error::FormNotFound)?;
            let (validator, columns) =
                (self.0.forms.validators.columns(caller, &known, language)).await?;
            let reading = self.0.read_long(async |mut tx| {
                let listed = self.listed(tx.as_mut(), caller, form, filter).await?;
                let (authorizer, form, scope) = listed;
                if form.revision != known.revision {
                    return Ok(None);
                }
                let target = Target::Form(form.id);
                let actions = authorizer.actions_on(tx.as_mut(), &target).await?;
                let tag_actions = authorizer.tag_actions(form.id, &form.rules);
                let shows_tags = tag_actions.contains(TagAction::Read);
                let columns = if shows_tags {
                    Arc::new(Columns::clone(&columns).with_tags())
                } else {
                    Arc::clone(&columns)
                };
                let mut export = Export {
                    is_form_shown: authorizer.allows(Operation::FormGet, &actions),
                    tx,
                    began: self.0.now(),
                    form,
                    scope,
                    filter: filter.clone(),
                    validator: Arc::clone(&validator),
                    columns,
                    language: language.to_owned(),
                    shows_tags,
                    newest_first,
                    last: None,
                    first: None,
                };
                let first = export.read().await?;
                // The columns of an empty table would reveal the questions to callers who may see neither form nor submissions.
                if first.is_none() && !export.is_form_shown {
                    export.columns = Arc::default();
                }
                export.first = first;
                work(export).await.map(Some)
            });
            if let Some(done) = reading.await? {
                return Ok(done);
            }
        }
        let why = "the form is changed again and again";
        Err(StoreError::Unavailable(why.to_owned()).into())
    }
}

impl Export {
    /// The columns of a table of these submissions. A caller who may not read the form, and none of these submissions, gets
    /// only the columns that every form has.
    pub fn columns(&self) -> Arc<Columns> {
        Arc::clone(&self.columns)
    }

    /// Makes tables with the labels of choices instead of stored values, and a column for each choice of a multiple choice; the
    /// module [`export`](crate::export) has the rules. An import refuses such tables. Other formats do not change.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// use formalize_core::export::Headers;
    ///
    /// let schema = r#"{"properties": {"days": {"title": "Days", "type": "array", "uniqueItems": true, "items": {"oneOf": [
    ///     {"const": "sa", "title": "Saturday"}, {"const": "su", "title": "Sunday"}
    /// ]}}}}"#;
    /// let mut new = NewForm::new(FormName::new("Weekend")?);
    /// new.data_feed_schema = Some(schema.to_owned());
    /// let form = formalize.forms().create(&Caller::System, new).await?.item;
    ///
    /// let (submissions, all) = (formalize.submissions(), SubmissionFilter::default());
    /// let export = submissions.export(&Caller::System, form.id, &all, "en").await?;
    /// let columns = export.with_labels().await?.columns();
    /// let headers: Vec<&str> = columns.headers(Headers::Label).skip(7).collect();
    /// assert_eq!(headers, ["Days", "Days: Saturday", "Days: Sunday", "_notShown"]);
    /// # Ok(()) });
    /// ```
    pub async fn with_labels(self) -> Result<Self> {
        self.with_columns(Columns::with_labels).await
    }

    /// Gives each repeated group a table of its own in a workbook: each list of objects. Other formats do not change.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_core::{Result, export::Headers, submissions::Export};
    /// # async fn example(export: Export) -> std::result::Result<(), Box<dyn std::error::Error>> {
    /// let export = export.with_groups().await?;
    /// let writer = export.workbook(Headers::Label, &std::env::temp_dir())?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "xlsx")]
    pub async fn with_groups(self) -> Result<Self> {
        self.with_columns(Columns::with_groups).await
    }

    /// Changes the columns, which takes too long for a thread that serves requests.
    async fn with_columns(
        mut self,
        change: fn(Columns, Option<&DataSchema>, &str) -> Columns,
    ) -> Result<Self> {
        let (columns, validator, language) =
            (self.columns(), self.validator(), self.language.clone());
        let change = move || {
            let columns = Columns::clone(&columns);
            Arc::new(change(columns, validator.schema(), &language))
        };
        self.columns = offload_in_turn(Turn::ReadingSnapshot, change).await?;
        Ok(self)
    }

    /// The form, if the caller may read it.
    pub fn form(&self) -> Option<&Form> {
        self.is_form_shown.then_some(&self.form)
    }

    /// When the snapshot was taken.
    pub fn began(&self) -> Timestamp {
        self.began
    }

    /// The next submissions: at most 1,000, and less than 2 MiB of data. `None` at the end.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]. Nothing more can be read then.
    pub async fn next(&mut self) -> Result<Option<Vec<Submission>>> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.read().await,
        }
    }

    /// Asks the database something, so that it does not end the transaction because it is idle. Call this every ten seconds
    /// while you wait for anything other than [`Export::next`].
    ///
    /// # Errors
    ///
    /// [`Error::Store`]. Nothing more can be read then.
    pub async fn keep_alive(&mut self) -> Result<()> {
        self.tx
            .read_submissions()?
            .has_submissions(self.form.id)
            .await?;
        Ok(())
    }

    /// The compiled schema of the form.
    pub(super) fn validator(&self) -> Arc<Validator> {
        Arc::clone(&self.validator)
    }

    async fn read(&mut self) -> Result<Option<Vec<Submission>>> {
        let (mut selection, mut window) = selected(&self.filter, WINDOW);
        selection.newest_first = self.newest_first;
        match self.last {
            Some(last) if self.newest_first => selection.before = Some(last),
            Some(last) => window.after = last,
            None => {}
        }
        let reading =
            (self.tx)
                .read_submissions()?
                .submissions(self.form.id, &self.scope, selection, window);
        let mut rows = reading.await?;
        rows.truncate(fitting(&rows));
        let Some(last) = rows.last() else {
            return Ok(None);
        };
        self.last = Some(last.id.as_uuid());
        if !self.shows_tags {
            for row in &mut rows {
                row.tags = Tags::default();
            }
        }
        match self.filter.output {
            OutputValidation::Keys => Ok(Some(self.validator.reduce_rows(rows).await?)),
            OutputValidation::None => Ok(Some(rows)),
        }
    }
}

/// The number of rows in a window. A store may return more.
fn fitting(rows: &[Submission]) -> usize {
    let mut bytes = 0;
    let fits = |row: &&Submission| {
        let fits = bytes < WINDOW.bytes;
        bytes += Window::ROW_BYTES + data_size(row) as u64;
        fits
    };
    rows.iter().take_while(fits).count()
}
