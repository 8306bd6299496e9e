//! What pages need to let people fill in forms.

use formalize_schema::internals::judge;
use formalize_schema::questions::{Answers, Entries};
use formalize_schema::{DataSchema, Rejection, parse_json};

use super::submissions::admit_change;
use super::submissions::create::{SubmissionResponse, admit};
use super::validators::Entered;
use crate::authorizer::Authorizer;
use crate::authorizer::forms::PlacesTaken;
use crate::authz::decision::Target;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::{FormId, SubmissionId};
use crate::model::action::Actions;
use crate::model::form::Form;
use crate::model::form_details::{FormContact, FormName};
use crate::model::idempotency::{KeyedRequest, Once};
use crate::model::subject::Caller;
use crate::model::submission::{NewSubmission, Submission};
use crate::model::words::SubmissionState;
use crate::service::{FormsService, Shared, SubmissionsService, Viewed};
use crate::store::ReadTx;

/// What everyone who fills in a form sees of it, besides the questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormHead {
    /// The name.
    pub name: FormName,
    /// Whom to ask about the form.
    pub contact: Option<FormContact>,
}

impl FormHead {
    /// Of a form that has no more than this name.
    pub const fn named(name: FormName) -> Self {
        Self {
            name,
            contact: None,
        }
    }

    fn of(form: Form) -> Self {
        Self {
            name: form.name,
            contact: form.details.contact,
        }
    }
}

/// A form, as someone who fills it in sees it.
#[derive(Debug)]
pub struct FormToFillIn {
    /// Its name, and what else everyone sees of it.
    pub head: FormHead,
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
    /// The form; `None` if the caller may not see the questions of the form.
    pub form: Option<FormHead>,
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
        let read = self.read_to_fill_in(caller, id).await?;
        read.filled_in(self.0, caller, entries, language).await
    }

    /// [`FormsService::fill_in`] with the problems for which [`create`](crate::SubmissionsService::create) would refuse the
    /// data. There are none if entries cannot be read, or the form takes no submission of the caller. Nothing is stored.
    ///
    /// # Errors
    ///
    /// Those of [`FormsService::fill_in`].
    ///
    /// ```
    /// use formalize_core::questions::Entries;
    ///
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let schema = r#"{"properties": {"guests": {"type": "integer"}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let entries = Entries::new([("/guests".to_owned(), "many".to_owned())]).unwrap();
    /// let checked = formalize.forms().check_entries(&Caller::System, form.id, entries, None).await?;
    /// assert_eq!(checked.answers.questions.root.children[0].problems.len(), 1);
    /// # Ok(()) });
    /// ```
    pub async fn check_entries(
        &self,
        caller: &Caller,
        id: FormId,
        entries: Entries,
        language: Option<String>,
    ) -> Result<FormToFillIn> {
        let read = self.read_to_fill_in(caller, id).await?;
        let form = read.form.clone();
        let mut filled = read.filled_in(self.0, caller, entries, language).await?;
        if filled.refusal.is_none() && filled.answers.unreadable.is_empty() {
            let data = filled.answers.data.clone();
            let verdict = move |schema: Option<&DataSchema>| -> std::result::Result<_, Rejection> {
                Ok(judge(schema, &parse_json(&data)?))
            };
            let verdict = self.0.forms.validators.ask(caller, &form, verdict).await?;
            if let Err(rejection) = verdict {
                filled.answers.questions.place_rejection(rejection);
            }
        }
        Ok(filled)
    }

    async fn read_to_fill_in<'a>(&'a self, caller: &'a Caller, id: FormId) -> Result<FormRead<'a>> {
        self.0
            .read_once(async |mut tx| FormRead::of(self.0, tx.as_mut(), caller, id).await)
            .await
    }
}

/// A form that somebody fills in, as it was read once.
struct FormRead<'a> {
    authorizer: Authorizer<'a>,
    form: Form,
    taken: PlacesTaken,
    actions: Actions,
}

impl<'a> FormRead<'a> {
    /// A form whose questions the caller may see.
    async fn of(
        shared: &'a Shared,
        tx: &mut dyn ReadTx,
        caller: &'a Caller,
        id: FormId,
    ) -> Result<Self> {
        let authorizer = shared.authorizer(caller);
        let found = authorizer.require_form(tx, Operation::FormQuestions, id);
        let (form, taken, actions) = found.await?;
        Ok(Self {
            authorizer,
            form,
            taken,
            actions,
        })
    }

    /// The form with what was entered.
    async fn filled_in(
        self,
        shared: &Shared,
        caller: &Caller,
        entries: Entries,
        language: Option<String>,
    ) -> Result<FormToFillIn> {
        let (form, now) = (self.form, shared.now());
        let refusal = |state: SubmissionState| {
            self.authorizer
                .check(Operation::SubmissionCreate, &self.actions)?;
            admit(caller, &form, self.taken, state.into(), now)
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
        let answers = shared
            .forms
            .validators
            .answers(caller, &form, entered)
            .await?;
        Ok(FormToFillIn {
            head: FormHead::of(form),
            answers,
            refusal,
            takes_drafts,
        })
    }
}

/// What a person sends on the page of a form.
pub struct PageEntries<'a> {
    /// The form.
    pub form: FormId,
    /// What was entered.
    pub entries: Entries,
    /// The language of the questions.
    pub language: Option<String>,
    /// The state in which to store it; `None` if the page is only shown again.
    pub state: Option<SubmissionState>,
    /// The request for the data that the entries make; `None` if the page may create several submissions.
    pub request: &'a (dyn Fn(&str) -> Option<KeyedRequest> + Send + Sync),
    /// Makes the response that is kept for when the request is sent again.
    pub response: &'a SubmissionResponse<'a>,
}

/// What became of a page that was sent.
#[derive(Debug)]
pub struct SentForm {
    /// The form with what was entered.
    pub form: FormToFillIn,
    /// The new submission, or why it was refused; `None` if it was not to be stored, or entries cannot be read.
    pub stored: Option<Result<Once<Viewed<Submission>>>>,
}

impl SubmissionsService<'_> {
    /// Creates a submission of what was entered on the page of a form. The form is read once, for both the questions and the
    /// decision. Permissions and the window in which the form is open count as they were then; its revision, the cap and the
    /// limit are compared again when the submission is stored.
    ///
    /// The caller needs `create_submissions`.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::SubmissionDataInvalid`] if the entries cannot come from a
    /// page, [`Error::Store`]. Why the submission was refused is in [`SentForm::stored`]: an error of
    /// [`create_once`](Self::create_once).
    ///
    /// ```
    /// use formalize_core::{idempotency::Once, questions::Entries, submissions::PageEntries};
    ///
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let schema = r#"{"properties": {"guests": {"type": "integer"}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let page = PageEntries {
    ///     form: form.id,
    ///     entries: Entries::new([("/guests".to_owned(), "3".to_owned())]).unwrap(),
    ///     language: None,
    ///     state: Some(SubmissionState::Submitted),
    ///     request: &|_| None,
    ///     response: &|created| created.item.id.to_string(),
    /// };
    /// let sent = formalize.submissions().send(&Caller::System, page).await?;
    /// assert!(matches!(sent.stored, Some(Ok(Once::Done(created))) if created.item.form == form.id));
    /// # Ok(()) });
    /// ```
    pub async fn send(&self, caller: &Caller, page: PageEntries<'_>) -> Result<SentForm> {
        let new = page.state.map(|state| NewSubmission {
            form: page.form,
            data: None,
            state: state.into(),
            tags: Vec::new(),
        });
        let reading = self.0.read_once(async |mut tx| {
            let read = FormRead::of(self.0, tx.as_mut(), caller, page.form).await?;
            read.authorizer
                .check(Operation::SubmissionCreate, &read.actions)?;
            let Some(new) = &new else {
                return Ok((read, None));
            };
            let FormRead {
                authorizer,
                form,
                taken,
                ..
            } = &read;
            let prepared =
                self.prepare_for(caller, new, form.clone(), *taken, authorizer, tx.as_mut());
            match prepared.await {
                Err(error @ Error::Store(_)) => Err(error),
                prepared => Ok((read, Some(prepared))),
            }
        });
        let (read, prepared) = reading.await?;
        let filled = read.filled_in(self.0, caller, page.entries, page.language);
        let form = filled.await?;
        let wanted = new.zip(prepared);
        let mut stored = None;
        if let Some((mut new, prepared)) = wanted.filter(|_| form.answers.unreadable.is_empty()) {
            let request = (page.request)(&form.answers.data);
            new.data = Some(form.answers.data.clone());
            let created =
                self.create_entered(caller, new, prepared, request.as_ref(), page.response);
            // Boxed, so that a page that is only shown again reserves no memory for its state.
            stored = Some(Box::pin(created).await);
        }
        Ok(SentForm { form, stored })
    }

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
            form: shows_questions.then(|| FormHead::of(form)),
            answers,
            refusal,
            takes_drafts,
        })
    }
}
