//! What the editor of a schema needs.

use formalize_schema::editor::{Fault, SchemaText, Warning, WarningKind};
use formalize_schema::questions::{Answers, Entries, Questions};
use formalize_schema::{DataSchema, Rejection, parse_json};

use super::warnings::lacks_files;
use crate::error::{Error, Result};
use crate::id::{Expected, FormId};
use crate::model::subject::Caller;
use crate::offload::offload_for;
use crate::service::FormsService;

/// A schema that is being written, with answers that were tried.
#[derive(Debug)]
pub struct SchemaTrial {
    /// Why the schema cannot be stored.
    pub faults: Vec<Fault>,
    /// What its author may not have meant.
    pub warnings: Vec<Warning>,
    /// The answers, and the questions for them, with their problems if they were judged; `None` if there are faults.
    pub answers: Option<Answers>,
    /// Whether a form with this schema would take the answers; `None` if they were not judged.
    pub is_accepted: Option<bool>,
}

impl SchemaTrial {
    fn of(
        text: &str,
        entries: &Entries,
        language: Option<&str>,
        is_judged: bool,
        takes_files: bool,
    ) -> Result<Self, Rejection> {
        let schema = match DataSchema::compile(text) {
            Ok(schema) => schema,
            Err(rejection) => {
                return Ok(Self {
                    faults: Fault::all(text, &rejection),
                    warnings: Vec::new(),
                    answers: None,
                    is_accepted: None,
                });
            }
        };
        let empty = Questions::of(Some(&schema), None, language)?;
        let mut answers = Answers::of(Some(&schema), None, entries, language)?;
        let mut is_accepted = None;
        if is_judged {
            let verdict = schema.validate(&parse_json(&answers.data)?);
            is_accepted = Some(verdict.is_ok() && answers.unreadable.is_empty());
            if let Err(rejection) = verdict
                && answers.unreadable.is_empty()
            {
                answers.questions.place_rejection(rejection);
            }
        }
        let lacks_files = lacks_files(&schema, takes_files);
        let mut warnings: Vec<_> = lacks_files
            .then(|| Warning {
                kind: WarningKind::FilesNotTaken,
                card: String::new(),
                detail: String::new(),
            })
            .into_iter()
            .collect();
        warnings.extend(SchemaText::new(text)?.warnings(&empty));
        Ok(Self {
            faults: Vec::new(),
            warnings,
            answers: Some(answers),
            is_accepted,
        })
    }
}

impl FormsService<'_> {
    /// Tries a schema that is being written: says what is wrong with it, and which questions it asks for the `entries`.
    /// Nothing is stored.
    ///
    /// The caller needs `update` on the form, or permission to create forms if there is none yet.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::SubmissionDataInvalid`] if the entries cannot come from a
    /// page, [`Error::Store`].
    ///
    /// ```
    /// use formalize_core::questions::Entries;
    ///
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let schema = r#"{"properties": {"age": {"type": "integer"}}}"#.to_owned();
    /// let entries = Entries::new([("/age".to_owned(), "old".to_owned())]).unwrap();
    /// let trial = formalize.forms().try_schema(&Caller::System, None, schema, entries, None, true).await?;
    /// assert_eq!(trial.is_accepted, Some(false));
    /// # Ok(()) });
    /// ```
    pub async fn try_schema(
        &self,
        caller: &Caller,
        form: Option<FormId>,
        schema: String,
        entries: Entries,
        language: Option<String>,
        is_judged: bool,
    ) -> Result<SchemaTrial> {
        match form {
            Some(form) => self.require_update(caller, &Expected::from(form)).await?,
            None if self.may_create(caller).await? => {}
            None => return Err(Error::Forbidden),
        }
        let takes_files = self.0.takes_files();
        let work = move || {
            let language = language.as_deref();
            SchemaTrial::of(&schema, &entries, language, is_judged, takes_files)
        };
        let trial = offload_for(caller, work).await?;
        trial.map_err(Error::SubmissionDataInvalid)
    }
}
