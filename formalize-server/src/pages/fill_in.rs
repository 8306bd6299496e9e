//! Pages on which people fill in forms, and read, change and delete their answers.

use formalize_core::{
    Action, Change, Error, FormId, FormName, FormToFillIn, NewSubmission, Once, Revision,
    Submission, SubmissionChange, SubmissionId, SubmissionState, SubmissionToFillIn, Viewed,
    questions::{Entries, Questions},
};
use formalize_web::{DeletePage, FormPage, MessagePage, Notice, ReadingPage, SentPage};
use poem::{Response, http::StatusCode};
use uuid::Uuid;

use super::{
    sent::{PressedButton, Sent},
    visit::Visit,
};
use crate::{failure::Refusal, percent};

/// The page of a form.
pub(super) async fn show_form(visit: &Visit, form: FormId) -> Result<Response, Refusal> {
    let entries = visit.prefilled()?;
    let form = form_to_fill_in(visit, form, entries.clone()).await?;
    let sheet = Sheet::new_submission(visit, &form).with_defaults();
    Ok(sheet.page(StatusCode::OK, &entries, None))
}

/// Sends the answers to a form, saves them as a draft, or shows the page again with other questions.
pub(super) async fn send_form(visit: &Visit, id: FormId, sent: &Sent) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let mut form = form_to_fill_in(visit, id, entries.clone()).await?;
    let sheet = |form: &FormToFillIn, status, notice| {
        Sheet::new_submission(visit, form)
            .with_entered()
            .page(status, &entries, notice)
    };
    let Some(state) = state(sent, &form.answers.unreadable)? else {
        return Ok(sheet(
            &form,
            shown_again(&form.answers.unreadable, sent),
            None,
        ));
    };
    let new = NewSubmission {
        form: id,
        data: Some(form.answers.data.clone()),
        state: state.into(),
    };
    let submissions = visit.formalize().submissions();
    let request = sent.keyed("key", [&id.to_string(), &form.answers.data]);
    let response = |view: &_| identifier(view);
    let created = submissions
        .create_once(visit.caller()?, new, request.as_ref(), &response)
        .await;
    let created = created.map(|outcome| match outcome {
        Once::Done(view) => identifier(&view),
        Once::Repeated(identifier) => identifier,
    });
    match created {
        Ok(id) if state == SubmissionState::Draft => Ok(visit.redirect(&format!("/s/{id}?saved"))),
        Ok(id) => Ok(visit.redirect(&format!("{}/sent?submission={id}", visit.path))),
        Err(error) => {
            form.refusal = closing(&error).or(form.refusal.take());
            let (status, notice) = unsuccessful(error, &mut form.answers.questions)?;
            Ok(sheet(&form, status, notice))
        }
    }
}

/// Shows the answers again, which this browser cannot send because it has sent some before.
pub(super) async fn show_form_closed(
    visit: &Visit,
    form: FormId,
    sent: &Sent,
) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let mut form = form_to_fill_in(visit, form, entries.clone()).await?;
    form.refusal = Some(Error::SubmissionCapReached);
    let sheet = Sheet::new_submission(visit, &form).with_entered();
    Ok(sheet.page(StatusCode::FORBIDDEN, &entries, None))
}

/// Shows the answers again that came without a valid token: the page is older than the session. Nothing is done.
pub(super) async fn show_form_again(
    visit: &Visit,
    form: FormId,
    sent: &Sent,
    status: StatusCode,
) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let form = form_to_fill_in(visit, form, entries.clone()).await?;
    let sheet = Sheet::new_submission(visit, &form).with_entered();
    Ok(sheet.page(status, &entries, Some(Notice::Resend)))
}

/// Like [`show_form_again`], for the page of a submission.
pub(super) async fn show_submission_again(
    visit: &Visit,
    id: &str,
    sent: &Sent,
) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let submission = submission_to_fill_in(visit, id, entries.clone()).await?;
    let sheet = Sheet::submission(visit, &submission).with_entered();
    let sheet = sheet.based_on(sent.revision()?);
    Ok(sheet.page(StatusCode::FORBIDDEN, &entries, Some(Notice::Resend)))
}

/// The page after the answers to a form were sent. The receipt is not looked up: it is what the address says.
pub(super) async fn show_sent(
    visit: &Visit,
    form: FormId,
    allows_another: bool,
) -> Result<Response, Refusal> {
    let form = form_to_fill_in(visit, form, Entries::default()).await?;
    let receipt = visit
        .parameter("submission")
        .and_then(|id| Uuid::parse_str(id).ok());
    let answers = match receipt {
        Some(id) if visit.session.is_some() => {
            let id = SubmissionId::from_uuid(id);
            let found = visit
                .formalize()
                .submissions()
                .get(visit.caller()?, id)
                .await;
            found.is_ok().then(|| format!("/s/{id}"))
        }
        _ => None,
    };
    let again = visit.path.strip_suffix("/sent").map(str::to_owned);
    let page = SentPage {
        form_name: form.name.as_str(),
        thanks: form.answers.questions.texts.thanks.as_deref(),
        receipt: receipt.map(|id| id.to_string()),
        answers,
        again: again.filter(|_| allows_another && form.refusal.is_none()),
    };
    Ok(visit.html(StatusCode::OK, page.render(&visit.shell())))
}

/// The page of a submission: to read it, or to change it.
pub(super) async fn show_submission(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let entries = Entries::default();
    let submission = submission_to_fill_in(visit, id, entries.clone()).await?;
    let notice = match () {
        () if visit.parameter("saved").is_some() => Some(Notice::Saved),
        () if visit.parameter("changed").is_some() => Some(Notice::Changed),
        () => None,
    };
    let sheet = Sheet::submission(visit, &submission);
    Ok(sheet.page(StatusCode::OK, &entries, notice))
}

/// Saves a changed submission, submits a draft, or shows the page again with other questions.
pub(super) async fn send_submission(
    visit: &Visit,
    id: &str,
    sent: &Sent,
) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let mut submission = submission_to_fill_in(visit, id, entries.clone()).await?;
    let revision = sent.revision()?;
    let sheet = |submission: &SubmissionToFillIn, status, notice| {
        let sheet = Sheet::submission(visit, submission).with_entered();
        // Only a page that says that someone else has changed the submission may replace the change.
        let sheet = match notice {
            Some(Notice::Conflict) => sheet,
            _ => sheet.based_on(revision),
        };
        sheet.page(status, &entries, notice)
    };
    let unreadable = &submission.answers.unreadable;
    let Some(state) = state(sent, unreadable)? else {
        return Ok(sheet(&submission, shown_again(unreadable, sent), None));
    };
    let change = SubmissionChange {
        data: Change::Set(submission.answers.data.clone()),
        state: state.into(),
        ..SubmissionChange::default()
    };
    let expected = submission_id(id)?.at(revision);
    let old = submission.submission.item.state;
    let submissions = visit.formalize().submissions();
    match submissions.update(visit.caller()?, expected, change).await {
        Ok(_) if state == SubmissionState::Draft => Ok(visit.redirect(&format!("/s/{id}?saved"))),
        Ok(_) if old == SubmissionState::Submitted => {
            Ok(visit.redirect(&format!("/s/{id}?changed")))
        }
        Ok(_) => {
            let form = submission.submission.item.form;
            Ok(visit.redirect(&format!("/f/{form}/sent?submission={id}")))
        }
        Err(error) => {
            submission.refusal = closing(&error).or(submission.refusal.take());
            let (status, notice) = unsuccessful(error, &mut submission.answers.questions)?;
            Ok(sheet(&submission, status, notice))
        }
    }
}

/// The page that asks whether to delete a submission.
pub(super) async fn ask_to_delete(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let submissions = visit.formalize().submissions();
    let found = submissions.get(visit.caller()?, submission_id(id)?).await?;
    if !found.granted_actions.allows(&Action::DELETE) {
        return Err(Error::Forbidden.into());
    }
    let page = DeletePage {
        token: visit.token(&visit.path),
        submission: &format!("/s/{id}"),
    };
    Ok(visit.html(StatusCode::OK, page.render(&visit.shell())))
}

/// Deletes a submission.
pub(super) async fn delete(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let submissions = visit.formalize().submissions();
    submissions
        .delete(visit.caller()?, submission_id(id)?)
        .await?;
    Ok(visit.redirect("/console"))
}

/// What is kept of a new submission for when its page is sent again.
fn identifier(view: &Viewed<Submission>) -> String {
    view.item.id.to_string()
}

/// The identifier of a form in a path.
pub(super) fn form_id(text: &str) -> Result<FormId, Refusal> {
    let decoded = percent::decode(text);
    let id = decoded.and_then(|text| text.parse().ok());
    id.ok_or_else(|| Error::FormNotFound.into())
}

fn submission_id(text: &str) -> Result<SubmissionId, Refusal> {
    let decoded = percent::decode(text);
    let id = decoded.and_then(|text| text.parse().ok());
    id.ok_or_else(|| Error::SubmissionNotFound.into())
}

async fn form_to_fill_in(
    visit: &Visit,
    form: FormId,
    entries: Entries,
) -> Result<FormToFillIn, Refusal> {
    let language = Some(visit.language.tag().to_owned());
    let forms = visit.formalize().forms();
    let form = forms
        .fill_in(visit.caller()?, form, entries, language)
        .await?;
    match form.refusal {
        Some(Error::Forbidden) => Err(Error::Forbidden.into()),
        _ => Ok(form),
    }
}

async fn submission_to_fill_in(
    visit: &Visit,
    id: &str,
    entries: Entries,
) -> Result<SubmissionToFillIn, Refusal> {
    let language = Some(visit.language.tag().to_owned());
    let submissions = visit.formalize().submissions();
    let id = submission_id(id)?;
    Ok(submissions
        .fill_in(visit.caller()?, id, entries, language)
        .await?)
}

/// The state in which the answers are to be stored; `None` if they are only to be shown again, because of the button that
/// was pressed, or because some cannot be read.
fn state(
    sent: &Sent,
    unreadable: &[formalize_core::Violation],
) -> Result<Option<SubmissionState>, Refusal> {
    let state = match sent.press()? {
        PressedButton::Send => SubmissionState::Submitted,
        PressedButton::Save => SubmissionState::Draft,
        PressedButton::Show | PressedButton::AddItem(_) | PressedButton::RemoveItem(_) => {
            return Ok(None);
        }
    };
    Ok(unreadable.is_empty().then_some(state))
}

fn shown_again(unreadable: &[formalize_core::Violation], sent: &Sent) -> StatusCode {
    let is_refused = matches!(sent.press(), Ok(PressedButton::Send | PressedButton::Save));
    if is_refused && !unreadable.is_empty() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    }
}

/// The status and notice of the page that is shown again, with its problems, because answers were not stored. Nothing that
/// was entered is lost.
fn unsuccessful(
    error: Error,
    questions: &mut Questions,
) -> Result<(StatusCode, Option<Notice>), Refusal> {
    match error {
        Error::Forbidden | Error::FormNotFound | Error::SubmissionNotFound => Err(error.into()),
        Error::SubmissionDataInvalid(rejection) => {
            let (_, violations) = rejection.into_parts();
            let notice = violations.is_empty().then_some(Notice::Failed);
            questions.place(violations);
            Ok((StatusCode::UNPROCESSABLE_ENTITY, notice))
        }
        error => {
            let notice = Notice::of(&error);
            let status = match notice {
                // As the page of a form that is closed.
                Notice::NotOpen | Notice::CapReached | Notice::LimitReached => {
                    StatusCode::FORBIDDEN
                }
                _ => Refusal::from(error).reported(None),
            };
            Ok((status, Some(notice)))
        }
    }
}

/// The error again, if it says that the form takes no answers.
fn closing(error: &Error) -> Option<Error> {
    match error {
        Error::FormNotAvailable => Some(Error::FormNotAvailable),
        Error::SubmissionCapReached => Some(Error::SubmissionCapReached),
        Error::SubmissionLimitReached => Some(Error::SubmissionLimitReached),
        _ => None,
    }
}

/// What the page of a form and that of a submission have in common.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
struct Sheet<'a> {
    visit: &'a Visit,
    form_name: Option<&'a str>,
    questions: &'a Questions,
    refusal: Option<&'a Error>,
    takes_drafts: bool,
    is_new: bool,
    /// Whether the page has entered data, which must not be lost.
    has_entered: bool,
    /// The state of the stored submission, and the revision that the page is based on.
    stored: Option<(SubmissionState, String)>,
    may_read: bool,
    delete: Option<String>,
}

impl<'a> Sheet<'a> {
    fn new_submission(visit: &'a Visit, form: &'a FormToFillIn) -> Self {
        Self {
            visit,
            form_name: Some(form.name.as_str()),
            questions: &form.answers.questions,
            refusal: form.refusal.as_ref(),
            takes_drafts: form.takes_drafts,
            is_new: false,
            has_entered: false,
            stored: None,
            may_read: false,
            delete: None,
        }
    }

    fn submission(visit: &'a Visit, shown: &'a SubmissionToFillIn) -> Self {
        let (submission, actions) = (&shown.submission.item, &shown.submission.granted_actions);
        let may_delete = actions.allows(&Action::DELETE);
        Self {
            visit,
            form_name: shown.form_name.as_ref().map(FormName::as_str),
            questions: &shown.answers.questions,
            refusal: shown.refusal.as_ref(),
            takes_drafts: shown.takes_drafts,
            is_new: false,
            has_entered: false,
            stored: Some((submission.state, submission.revision.as_uuid().to_string())),
            may_read: true,
            delete: may_delete.then(|| format!("/s/{}/delete", submission.id)),
        }
    }

    /// Keeps the revision on which the answers are based that were entered. The stored one may be newer.
    fn based_on(self, revision: Revision) -> Self {
        let stored = self.stored;
        Self {
            stored: stored.map(|(state, _)| (state, revision.as_uuid().to_string())),
            ..self
        }
    }

    /// Shows what was entered even if the form takes no answers any more.
    fn with_entered(self) -> Self {
        Self {
            has_entered: true,
            ..self
        }
    }

    /// Fills in the defaults of the schema.
    fn with_defaults(self) -> Self {
        Self {
            is_new: true,
            ..self
        }
    }

    fn page(&self, status: StatusCode, entries: &Entries, notice: Option<Notice>) -> Response {
        let visit = self.visit;
        match self.refusal {
            Some(_) if self.takes_drafts => {
                self.form(status, entries, notice.or(Some(Notice::OnlyDraft)))
            }
            Some(reason) if self.keeps_entered(reason) => {
                self.form(StatusCode::FORBIDDEN, entries, None)
            }
            Some(_) if self.may_read => self.reading(status, notice),
            Some(reason) => {
                let text = self.questions.texts.closed.as_deref();
                let page = MessagePage::closed(visit.language, reason, text);
                visit.html(StatusCode::FORBIDDEN, page.render(&visit.shell()))
            }
            None => self.form(status, entries, notice),
        }
    }

    /// Whether the page of a closed form shows what was entered. Somebody who never saw the page learns nothing from it.
    fn keeps_entered(&self, reason: &Error) -> bool {
        let link = self.visit.link.as_ref();
        let was_shown = link.is_none_or(|link| link.was_shown);
        self.has_entered && was_shown && closing(reason).is_some()
    }

    fn form(&self, status: StatusCode, entries: &Entries, notice: Option<Notice>) -> Response {
        let visit = self.visit;
        let name = self.form_name.unwrap_or_default();
        let link = visit.link.as_ref();
        let (own, value) = match link {
            Some(link) => ("made", link.made(&visit.site)),
            None => ("token", visit.token(&visit.path)),
        };
        let key = visit.site.tokens.key();
        let mut hidden = vec![(own, value.as_str())];
        if self.stored.is_none() {
            hidden.push(("key", key.as_str()));
        }
        hidden.extend(
            self.stored
                .as_ref()
                .map(|(_, revision)| ("revision", revision.as_str())),
        );
        let mut page = FormPage::new(name, self.questions)
            .entries(entries)
            .hidden(&hidden)
            .notice(notice)
            .seconds_left(visit.seconds_left())
            .delete(self.delete.as_deref());
        if link.is_some() {
            page = page.with_honeypot();
        }
        if self.is_new {
            page = page.with_defaults();
        }
        match self.refusal {
            Some(reason) if !self.takes_drafts => page = page.closed(reason),
            Some(_) => page = page.without_sending(),
            None => {}
        }
        if self.takes_drafts {
            page = page.with_drafts();
        }
        if matches!(self.stored, Some((SubmissionState::Submitted, _))) {
            page = page.for_changes(visit.language);
        }
        visit.html(status, page.render(&visit.shell()))
    }

    fn reading(&self, status: StatusCode, notice: Option<Notice>) -> Response {
        let page = ReadingPage {
            form_name: self.form_name,
            questions: self.questions,
            notice,
            delete: self.delete.clone(),
        };
        self.visit.html(status, page.render(&self.visit.shell()))
    }
}
