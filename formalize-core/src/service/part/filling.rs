//! What pages need to let people fill in forms.

use formalize_schema::internals::judge;
use formalize_schema::questions::{Answers, Entries};
use formalize_schema::{DataSchema, Rejection, parse_json};

use super::submissions::admit_change;
use super::submissions::create::admit;
use super::validators::Entered;
use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{FormId, SubmissionId};
use crate::model::form_details::FormName;
use crate::model::subject::Caller;
use crate::model::submission::Submission;
use crate::model::words::SubmissionState;
use crate::service::{FormsService, SubmissionsService, Viewed};

/// A form, as someone who fills it in sees it.
#[derive(Debug)]
pub struct FormToFillIn {
    /// The name of the form.
    pub name: FormName,
    /// The data that the entries make, and the questions for it.
    pub answers: Answers,
    /// Why the form takes no submission of the caller at the moment.
    pub refusal: Option<Error>,
    /// Whether the caller may save a draft.
    pub takes_drafts: bool,
}

/// A submission, as someone who reads or changes it on a page sees it.
#[derive(Debug)]
pub struct SubmissionToFillIn {
    /// The submission as it is stored, and what the caller may do with it.
    pub submission: Viewed<Submission>,
    /// The name of the form; `None` if the caller may not see the questions of the form.
    pub form_name: Option<FormName>,
    /// The data that the entries make of the stored data, and the questions for it. Without permission to see the
    /// questions of the form, the whole data is one question for JSON.
    pub answers: Answers,
    /// Why the form does not take the submission at the moment, or not again after a change.
    pub refusal: Option<Error>,
    /// Whether it is a draft that may remain one.
    pub takes_drafts: bool,
}

impl FormsService<'_> {
    /// What a page shows to someone who fills in a form. The `entries` are those that were already made.
    ///
    /// The caller needs `read` or `create_submissions`. The data is not validated;
    /// [`create`](crate::SubmissionsService::create) does that.
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
    /// let schema = r#"{"properties": {"guests": {"type": "integer"}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let entries = Entries::new([("/guests".to_owned(), "3".to_owned())]).unwrap();
    /// let form = formalize.forms().fill_in(&Caller::System, form.id, entries, None).await?;
    /// assert_eq!(form.answers.data, r#"{"guests":3}"#);
    /// assert!(form.refusal.is_none());
    /// # Ok(()) });
    /// ```
    pub async fn fill_in(
        &self,
        caller: &Caller,
        id: FormId,
        entries: Entries,
        language: Option<String>,
    ) -> Result<FormToFillIn> {
        let reading = self.0.read_once(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.find_form(tx.as_mut(), id).await?;
            let (form, taken) = found.ok_or(Error::FormNotFound)?;
            let target = Target::Form(id);
            let actions = authorizer
                .require(tx.as_mut(), Operation::FormQuestions, &target)
                .await?;
            Ok((authorizer, form, taken, actions))
        });
        let (authorizer, form, taken, actions) = reading.await?;
        let now = self.0.now();
        let refusal = |state: SubmissionState| {
            authorizer.check(Operation::SubmissionCreate, &actions)?;
            admit(caller, &form, taken, state.into(), now)
        };
        let (refusal, takes_drafts) = (
            refusal(SubmissionState::Submitted).err(),
            refusal(SubmissionState::Draft).is_ok(),
        );
        let entered = Entered {
            stored: None,
            entries,
            language,
            shows_questions: true,
        };
        let answers = self
            .0
            .forms
            .validators
            .answers(caller, &form, entered)
            .await?;
        Ok(FormToFillIn {
            name: form.name,
            answers,
            refusal,
            takes_drafts,
        })
    }

    /// What [`create`](crate::SubmissionsService::create) would refuse data of a form for. Nothing is stored.
    ///
    /// The caller needs `read` or `create_submissions`.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::SubmissionDataInvalid`] if the data is not JSON,
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let schema = r#"{"properties": {"guests": {"type": "integer"}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let data = r#"{"guests": "many"}"#.to_owned();
    /// let problems = formalize.forms().problems(&Caller::System, form.id, data).await?.unwrap();
    /// assert_eq!(problems.violations()[0].instance_path, "/guests");
    /// # Ok(()) });
    /// ```
    pub async fn problems(
        &self,
        caller: &Caller,
        id: FormId,
        data: String,
    ) -> Result<Option<Rejection>> {
        let form = self.to_ask(caller, id).await?;
        let verdict = move |schema: Option<&DataSchema>| -> std::result::Result<_, Rejection> {
            Ok(judge(schema, &parse_json(&data)?))
        };
        let verdict = self.0.forms.validators.ask(caller, &form, verdict).await?;
        Ok(verdict.err())
    }
}

impl SubmissionsService<'_> {
    /// What a page shows to someone who reads or changes a submission. The `entries` are the changes that were already
    /// made.
    ///
    /// The caller needs `read`. The data is not validated; [`update`](crate::SubmissionsService::update) does that.
    ///
    /// # Errors
    ///
    /// [`Error::SubmissionNotFound`], [`Error::Forbidden`], [`Error::SubmissionDataInvalid`] if the entries cannot come
    /// from a page, [`Error::Store`].
    ///
    /// ```
    /// use formalize_core::questions::Entries;
    ///
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let schema = r#"{"properties": {"name": {"type": "string"}, "guests": {"type": "integer"}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let new = NewSubmission::new(form.id, r#"{"name": "Ada", "guests": 2}"#);
    /// let submission = formalize.submissions().create(&Caller::System, new).await?.item;
    /// let entries = Entries::new([("/guests".to_owned(), "3".to_owned())]).unwrap();
    /// let submissions = formalize.submissions();
    /// let changed = submissions.fill_in(&Caller::System, submission.id, entries, None).await?;
    /// assert_eq!(changed.answers.data, r#"{"name":"Ada","guests":3}"#);
    /// # Ok(()) });
    /// ```
    pub async fn fill_in(
        &self,
        caller: &Caller,
        id: SubmissionId,
        entries: Entries,
        language: Option<String>,
    ) -> Result<SubmissionToFillIn> {
        let view = self.get(caller, id).await?;
        let reading = self.0.read_once(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.find_form(tx.as_mut(), view.item.form).await?;
            let (form, taken) = found.ok_or(Error::SubmissionNotFound)?;
            let actions = authorizer
                .actions_on(tx.as_mut(), &Target::Form(form.id))
                .await?;
            Ok((authorizer, form, taken, actions))
        });
        let (authorizer, form, taken, actions) = reading.await?;
        let (now, old) = (self.0.now(), view.item.state);
        let refusal = |state: SubmissionState| {
            authorizer.check(Operation::SubmissionUpdate, &view.granted_actions)?;
            admit_change(&form, taken.of_form, old, state.into(), now)
        };
        let (refusal, takes_drafts) = (
            refusal(SubmissionState::Submitted).err(),
            refusal(SubmissionState::Draft).is_ok(),
        );
        let shows_questions = authorizer.allows(Operation::FormQuestions, &actions);
        let entered = Entered {
            stored: view.item.data.clone(),
            entries,
            language,
            shows_questions,
        };
        let answers = self
            .0
            .forms
            .validators
            .answers(caller, &form, entered)
            .await?;
        Ok(SubmissionToFillIn {
            submission: view,
            form_name: Some(form.name).filter(|_| shows_questions),
            answers,
            refusal,
            takes_drafts,
        })
    }
}
