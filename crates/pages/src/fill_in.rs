//! Pages on which people fill in forms, and read, change and delete their answers.

use formalize_core::{
    Change, Error, Expected, FormId, NewSubmission, Revision, Submission, SubmissionChange,
    SubmissionId, SubmissionState, Viewed, Violation,
    authorization::Operation,
    files::FileId,
    forms::FormToFillIn,
    idempotency::Once,
    questions::{Entries, Questions},
    submissions::{PageEntries, SentForm, SubmissionToFillIn},
};
use formalize_http::failure::Refusal;
use formalize_web::{DeletePage, Notice, SentPage};
use poem::{Response, http::StatusCode};
use uuid::Uuid;

use super::{
    files::{NotStored, SentFiles},
    route::submission_id,
    sent::{PressedButton, Sent},
    sheet::{Sheet, closed_by},
    visit::Visit,
};

/// The page of a form.
pub(super) async fn show_form(visit: &Visit, form: FormId) -> Result<Response, Refusal> {
    let entries = visit.prefilled()?;
    let form = form_to_fill_in(visit, form, entries.clone()).await?;
    let extent = form.answers.questions.extent();
    let draw = move |visit: &Visit| {
        let sheet = Sheet {
            is_new: true,
            ..Sheet::new_submission(visit, &form)
        };
        sheet.page(StatusCode::OK, &entries, None)
    };
    visit.draw(extent, draw).await
}

/// The page of a form with what was entered on it. These groups of files must be chosen again.
async fn with_entered(
    visit: &Visit,
    form: FormToFillIn,
    entries: Entries,
    (status, notice): (StatusCode, Option<Notice>),
    lost: Vec<String>,
) -> Result<Response, Refusal> {
    let extent = form.answers.questions.extent();
    let draw = move |visit: &Visit| {
        let sheet = Sheet {
            has_entered: true,
            lost_files: lost,
            ..Sheet::new_submission(visit, &form)
        };
        sheet.page(status, &entries, notice)
    };
    visit.draw(extent, draw).await
}

/// Sends the answers to a form, saves them as a draft, or shows the page again with other questions.
pub(super) async fn send_form(
    visit: &Visit,
    id: FormId,
    sent: &Sent,
    files: &mut SentFiles,
) -> Result<Response, Refusal> {
    let (entries, state) = (visit.entered(sent)?, state(sent)?);
    let filled = if files.is_empty() {
        create(visit, id, sent, entries.clone(), state).await?
    } else {
        create_with_files(visit, id, files, entries.clone(), state).await?
    };
    let mut form = filled.form;
    match filled.stored {
        Some(Ok(id)) if state == Some(SubmissionState::Draft) => {
            Ok(visit.redirect(&format!("/s/{id}?saved")))
        }
        Some(Ok(id)) => Ok(visit.redirect(&format!("{}/sent?submission={id}", visit.path))),
        Some(Err(reason)) => {
            form.refusal = closing(&reason).or(form.refusal.take());
            let shown = unsuccessful(reason, &mut form.answers.questions)?;
            with_entered(visit, form, entries, shown, files.skip().await).await
        }
        None => {
            let shown = (shown_again(&form.answers.unreadable, state), None);
            with_entered(visit, form, entries, shown, files.skip().await).await
        }
    }
}

/// A form with what was entered.
struct Filled {
    form: FormToFillIn,
    /// The identifier of the new submission, or why it was refused. `None` if the page is only shown again.
    stored: Option<Result<String, NotStored>>,
}

/// Creates a submission. A page that is sent twice creates one.
async fn create(
    visit: &Visit,
    id: FormId,
    sent: &Sent,
    entries: Entries,
    state: Option<SubmissionState>,
) -> Result<Filled, Refusal> {
    let form = id.to_string();
    let page = PageEntries {
        form: id,
        entries,
        language: Some(visit.spoken()),
        state,
        request: &|data| sent.keyed("key", [&form, data]),
        response: &identifier,
    };
    let submissions = visit.formalize().submissions();
    // Boxed, so that other pages do not reserve memory for its state.
    let sending = Box::pin(submissions.send(visit.caller()?, page));
    let SentForm { form, stored } = sending.await?;
    let stored = stored.map(|stored| {
        Ok(match stored? {
            Once::Done(view) => identifier(&view),
            Once::Repeated(identifier) => identifier,
        })
    });
    Ok(Filled { form, stored })
}

/// Creates a submission with the files that the page sends.
async fn create_with_files(
    visit: &Visit,
    id: FormId,
    files: &mut SentFiles,
    entries: Entries,
    state: Option<SubmissionState>,
) -> Result<Filled, Refusal> {
    let form = form_to_fill_in(visit, id, entries).await?;
    let Some(state) = state.filter(|_| form.answers.unreadable.is_empty()) else {
        return Ok(Filled { form, stored: None });
    };
    let new = NewSubmission {
        state: state.into(),
        ..NewSubmission::new(id, form.answers.data.clone())
    };
    let submissions = visit.formalize().submissions();
    let stored = files
        .store(visit, submissions.upload_new(visit.caller()?, new))
        .await;
    let stored = stored.and_then(|created| {
        let unreadable = || Refusal::unforeseen("a new submission cannot be read");
        Ok(identifier(&created.ok_or_else(unreadable)?))
    });
    let stored = Some(stored);
    Ok(Filled { form, stored })
}

/// Shows the answers again, which this browser cannot send because it has sent some before.
pub(super) async fn show_form_closed(
    visit: &Visit,
    form: FormId,
    sent: &Sent,
    files: &mut SentFiles,
) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let mut form = form_to_fill_in(visit, form, entries.clone()).await?;
    form.refusal = Some(Error::SubmissionCapReached);
    let shown = (StatusCode::FORBIDDEN, None);
    with_entered(visit, form, entries, shown, files.skip().await).await
}

/// Shows the answers again that came without a valid token: the page is older than the session. Nothing is done.
pub(super) async fn show_form_again(
    visit: &Visit,
    form: FormId,
    sent: &Sent,
    files: &mut SentFiles,
) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let form = form_to_fill_in(visit, form, entries.clone()).await?;
    let shown = (StatusCode::FORBIDDEN, Some(Notice::Resend));
    with_entered(visit, form, entries, shown, files.skip().await).await
}

/// Shows the answers again that a person would not have sent so fast, with what is wrong with them. Nothing is done.
pub(super) async fn show_form_to_check(
    visit: &Visit,
    id: FormId,
    sent: &Sent,
    files: &mut SentFiles,
) -> Result<Response, Refusal> {
    let entries = visit.entered(sent)?;
    let forms = visit.formalize().forms();
    let checked = forms.check_entries(visit.caller()?, id, entries.clone(), Some(visit.spoken()));
    let form = unless_forbidden(checked.await?)?;
    let shown = (StatusCode::UNPROCESSABLE_ENTITY, Some(Notice::TooFast));
    with_entered(visit, form, entries, shown, files.skip().await).await
}

/// Like [`show_form_again`], for the page of a submission.
pub(super) async fn show_submission_again(
    visit: &Visit,
    id: &str,
    sent: &Sent,
    files: &mut SentFiles,
) -> Result<Response, Refusal> {
    let entered = EnteredAnswers::of(visit, id, sent).await?;
    let (revision, lost) = (Some(sent.revision()?), files.skip().await);
    let shown = (StatusCode::FORBIDDEN, Some(Notice::Resend));
    entered.show(visit, revision, shown, lost).await
}

/// What was entered on the page of a submission.
struct EnteredAnswers {
    submission: SubmissionToFillIn,
    entries: Entries,
    files_to_remove: Vec<FileId>,
}

impl EnteredAnswers {
    async fn of(visit: &Visit, id: &str, sent: &Sent) -> Result<Self, Refusal> {
        let entries = visit.entered(sent)?;
        Ok(Self {
            submission: submission_to_fill_in(visit, id, entries.clone()).await?,
            entries,
            files_to_remove: sent.files_to_remove()?,
        })
    }

    /// The page with it, based on a revision or on the stored one. These groups of files must be chosen again.
    async fn show(
        self,
        visit: &Visit,
        revision: Option<Revision>,
        (status, notice): (StatusCode, Option<Notice>),
        lost: Vec<String>,
    ) -> Result<Response, Refusal> {
        let extent = self.submission.answers.questions.extent();
        let draw = move |visit: &Visit| {
            let stored = Sheet::submission(visit, &self.submission, &self.files_to_remove);
            let sheet = Sheet {
                has_entered: true,
                revision: revision.or(stored.revision),
                lost_files: lost,
                ..stored
            };
            sheet.page(status, &self.entries, notice)
        };
        visit.draw(extent, draw).await
    }
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
        form: &form.head,
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
    let extent = submission.answers.questions.extent();
    let draw = move |visit: &Visit| {
        let sheet = Sheet::submission(visit, &submission, &[]);
        sheet.page(StatusCode::OK, &entries, notice)
    };
    visit.draw(extent, draw).await
}

/// Saves a changed submission, submits a draft, or shows the page again with other questions.
pub(super) async fn send_submission(
    visit: &Visit,
    id: &str,
    sent: &Sent,
    files: &mut SentFiles,
) -> Result<Response, Refusal> {
    let mut entered = EnteredAnswers::of(visit, id, sent).await?;
    let (mut revision, pressed) = (sent.revision()?, state(sent)?);
    let submission = &mut entered.submission;
    let unreadable = &submission.answers.unreadable;
    let Some(state) = pressed.filter(|_| unreadable.is_empty()) else {
        let shown = (shown_again(unreadable, pressed), None);
        let lost = files.skip().await;
        return entered.show(visit, Some(revision), shown, lost).await;
    };
    let change = SubmissionChange {
        data: Change::Set(submission.answers.data.clone()),
        state: state.into(),
        files_to_remove: entered.files_to_remove.clone(),
        ..SubmissionChange::default()
    };
    let expected = submission_id(id)?.at(revision);
    let old = submission.submission.item.state;
    match update(visit, expected.clone(), change, files).await {
        Ok(()) if state == SubmissionState::Draft => Ok(visit.redirect(&format!("/s/{id}?saved"))),
        Ok(()) if old == SubmissionState::Submitted => {
            Ok(visit.redirect(&format!("/s/{id}?changed")))
        }
        Ok(()) => {
            let form = submission.submission.item.form;
            Ok(visit.redirect(&format!("/f/{form}/sent?submission={id}")))
        }
        Err(reason) => {
            submission.refusal = closing(&reason).or(submission.refusal.take());
            let shown = unsuccessful(reason, &mut submission.answers.questions)?;
            if old == SubmissionState::Draft
                && shown.1.is_none()
                && let Some(kept) = keep_in_draft(visit, expected, files).await?
            {
                revision = kept.item.revision;
                submission.submission = kept;
            }
            // Only a page that says that someone else has changed the submission may replace the change.
            let is_conflict = shown.1 == Some(Notice::Conflict);
            let (revision, lost) = (Some(revision).filter(|_| !is_conflict), files.skip().await);
            entered.show(visit, revision, shown, lost).await
        }
    }
}

/// Adds the files to a draft that cannot be submitted because of its answers, so that they need not be chosen again.
async fn keep_in_draft(
    visit: &Visit,
    id: Expected<SubmissionId>,
    files: &mut SentFiles,
) -> Result<Option<Viewed<Submission>>, Refusal> {
    if files.is_empty() {
        return Ok(None);
    }
    let (service, caller) = (visit.formalize().files(), visit.caller()?);
    let kept = files.store(visit, service.upload(caller, id)).await;
    Ok(kept.ok().flatten())
}

/// Changes a submission, and adds files to it.
async fn update(
    visit: &Visit,
    expected: Expected<SubmissionId>,
    change: SubmissionChange,
    files: &mut SentFiles,
) -> Result<(), NotStored> {
    let (submissions, caller) = (visit.formalize().submissions(), visit.caller()?);
    if files.is_empty() {
        submissions.update(caller, expected, change).await?;
    } else {
        let begin = submissions.upload_change(caller, expected, change);
        files.store(visit, begin).await?;
    }
    Ok(())
}

/// The page that asks whether to delete a submission.
pub(super) async fn ask_to_delete(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let submissions = visit.formalize().submissions();
    let found = submissions.get(visit.caller()?, submission_id(id)?).await?;
    found.require(Operation::SubmissionDelete)?;
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

async fn form_to_fill_in(
    visit: &Visit,
    form: FormId,
    entries: Entries,
) -> Result<FormToFillIn, Refusal> {
    let forms = visit.formalize().forms();
    let form = forms
        .fill_in(visit.caller()?, form, entries, Some(visit.spoken()))
        .await?;
    unless_forbidden(form)
}

/// The form, if the caller may submit to it.
fn unless_forbidden(form: FormToFillIn) -> Result<FormToFillIn, Refusal> {
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
    let submissions = visit.formalize().submissions();
    let id = submission_id(id)?;
    Ok(submissions
        .fill_in(visit.caller()?, id, entries, Some(visit.spoken()))
        .await?)
}

/// The state in which the answers are to be stored; `None` if they are only to be shown again, because of the button that
/// was pressed.
fn state(sent: &Sent) -> Result<Option<SubmissionState>, Refusal> {
    Ok(match sent.press()? {
        PressedButton::Send => Some(SubmissionState::Submitted),
        PressedButton::Save => Some(SubmissionState::Draft),
        _ => None,
    })
}

/// The status of a page that is shown again because its answers were not to be stored in a state, or cannot be read.
fn shown_again(unreadable: &[Violation], state: Option<SubmissionState>) -> StatusCode {
    if state.is_some() && !unreadable.is_empty() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    }
}

/// The status and notice of the page that is shown again, with its problems, because answers were not stored. Nothing that
/// was entered is lost.
fn unsuccessful(
    reason: NotStored,
    questions: &mut Questions,
) -> Result<(StatusCode, Option<Notice>), Refusal> {
    let error = match reason {
        NotStored::Error(error) => error,
        NotStored::Because(status, notice) => return Ok((status, Some(notice))),
        NotStored::Refusal(refusal) => return Err(refusal),
    };
    match error {
        Error::Forbidden | Error::FormNotFound | Error::SubmissionNotFound => Err(error.into()),
        Error::SubmissionDataInvalid(rejection) => {
            let notice = rejection.violations().is_empty().then_some(Notice::Failed);
            questions.place_rejection(rejection);
            Ok((StatusCode::UNPROCESSABLE_ENTITY, notice))
        }
        Error::SubmissionFilesInvalid(rejection) => {
            rejection.place_in(questions);
            Ok((StatusCode::UNPROCESSABLE_ENTITY, None))
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
fn closing(reason: &NotStored) -> Option<Error> {
    match reason {
        NotStored::Error(error) => closed_by(error),
        _ => None,
    }
}
