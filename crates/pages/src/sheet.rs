//! The pages of forms and of submissions: to fill them in, to read them, or to say why that is not possible.

use formalize_core::{
    Error, Revision, SubmissionState,
    authorization::Operation,
    files::FileId,
    forms::{FormHead, FormToFillIn},
    questions::{Entries, Questions},
    submissions::SubmissionToFillIn,
};
use formalize_web::{FormPage, MessagePage, Notice, ReadingPage, ShownFile};
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{files, visit::Visit};

/// What the page of a form and that of a submission have in common.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
pub(super) struct Sheet<'a> {
    pub(super) visit: &'a Visit,
    pub(super) form: Option<&'a FormHead>,
    pub(super) questions: &'a Questions,
    pub(super) refusal: Option<&'a Error>,
    pub(super) takes_drafts: bool,
    /// Whether the defaults of the schema are filled in.
    pub(super) is_new: bool,
    /// Whether the page has entered data, which must not be lost: it is shown even if the form takes no answers any more.
    pub(super) has_entered: bool,
    /// The state of the stored submission.
    pub(super) state: Option<SubmissionState>,
    /// The revision of the submission that the page is based on. The stored one may be newer.
    pub(super) revision: Option<Revision>,
    pub(super) may_read: bool,
    pub(super) delete: Option<String>,
    /// The files that the submission has.
    pub(super) files: Vec<ShownFile>,
    /// The groups of files that must be chosen again, because they were not stored.
    pub(super) lost_files: Vec<String>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new_submission(visit: &'a Visit, form: &'a FormToFillIn) -> Self {
        Self {
            visit,
            form: Some(&form.head),
            questions: &form.answers.questions,
            refusal: form.refusal.as_ref(),
            takes_drafts: form.takes_drafts,
            is_new: false,
            has_entered: false,
            state: None,
            revision: None,
            may_read: false,
            delete: None,
            files: Vec::new(),
            lost_files: Vec::new(),
        }
    }

    /// The page of a submission. These files are to be removed when it is saved.
    pub(super) fn submission(
        visit: &'a Visit,
        shown: &'a SubmissionToFillIn,
        removed: &[FileId],
    ) -> Self {
        let submission = &shown.submission.item;
        let may_delete = shown.submission.may(Operation::SubmissionDelete);
        Self {
            visit,
            form: shown.form.as_ref(),
            questions: &shown.answers.questions,
            refusal: shown.refusal.as_ref(),
            takes_drafts: shown.takes_drafts,
            is_new: false,
            has_entered: false,
            state: Some(submission.state),
            revision: Some(submission.revision),
            may_read: true,
            delete: may_delete.then(|| format!("/s/{}/delete", submission.id)),
            files: files::shown(submission, removed),
            lost_files: Vec::new(),
        }
    }

    pub(super) fn page(
        &self,
        status: StatusCode,
        entries: &Entries,
        notice: Option<Notice>,
    ) -> Response {
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
        self.has_entered && was_shown && closed_by(reason).is_some()
    }

    fn form(&self, status: StatusCode, entries: &Entries, notice: Option<Notice>) -> Response {
        let visit = self.visit;
        let link = visit.link.as_ref();
        let (own, value) = match link {
            Some(link) => ("made", link.made(&visit.site)),
            None => ("token", visit.token(&visit.path)),
        };
        let key = visit.site.tokens.key();
        let revision = self.revision.map(|revision| revision.as_uuid().to_string());
        let stored = match &revision {
            Some(revision) => ("revision", revision.as_str()),
            None => ("key", key.as_str()),
        };
        let page = FormPage {
            form: self.form,
            questions: self.questions,
            entries: Some(entries),
            hidden: &[(own, value.as_str()), stored],
            notice,
            delete: self.delete.as_deref(),
            seconds_left: visit.seconds_left(),
            closed: self.refusal.filter(|_| !self.takes_drafts),
            action: &visit.path,
            files: &self.files,
            lost_files: &self.lost_files,
            has_honeypot: link.is_some(),
            is_new: self.is_new,
            is_change: self.state == Some(SubmissionState::Submitted),
            sends: self.refusal.is_none() || !self.takes_drafts,
            saves_drafts: self.takes_drafts,
        };
        let mut response = visit.html(status, page.render(&visit.shell()));
        if notice == Some(Notice::FilesBusy) {
            let seconds = HeaderValue::from_static("5");
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }

    fn reading(&self, status: StatusCode, notice: Option<Notice>) -> Response {
        let page = ReadingPage {
            form: self.form,
            questions: self.questions,
            files: &self.files,
            notice,
            delete: self.delete.clone(),
        };
        self.visit.html(status, page.render(&self.visit.shell()))
    }
}

/// The error again, if it says that the form takes no answers.
pub(super) fn closed_by(error: &Error) -> Option<Error> {
    match error {
        Error::FormNotAvailable => Some(Error::FormNotAvailable),
        Error::SubmissionCapReached => Some(Error::SubmissionCapReached),
        Error::SubmissionLimitReached => Some(Error::SubmissionLimitReached),
        _ => None,
    }
}
