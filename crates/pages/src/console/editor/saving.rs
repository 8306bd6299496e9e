//! Saving the questions of a form.

use formalize_core::{
    Change, Error, FormChange, FormId, FormName, FormView, NewForm, PageRequest, PageSize,
    SubmissionFilter, idempotency::Once,
};
use formalize_http::failure::Refusal;
use formalize_web::EditorNotice;
use poem::{Response, http::StatusCode};

use super::OpenEditor;
use crate::sent::Sent;

/// The most submissions that are counted before questions are saved.
const COUNTED: u32 = 1_000;

impl OpenEditor {
    /// Saves the questions, unless something is wrong or the author has to be asked first.
    pub(super) async fn save(self, sent: &Sent, is_confirmed: bool) -> Result<Response, Refusal> {
        let Some(id) = self.edited.id() else {
            return self.create(sent).await;
        };
        if self.draft.text == self.edited.text() {
            return Ok(self
                .visit
                .redirect(&format!("{}?unchanged", self.visit.path)));
        }
        if self.revision != self.edited.revision() {
            return self.conflict().await;
        }
        if !self.trial().await?.faults.is_empty() {
            return self.refused(EditorNotice::Faults).await;
        }
        if !is_confirmed && let Some(notice) = self.answers(id).await? {
            return self.page(StatusCode::OK, Some(notice)).await;
        }
        let Some(revision) = self.revision else {
            return self.conflict().await;
        };
        let change = FormChange {
            data_feed_schema: Change::Set(self.draft.text.clone()),
            ..FormChange::default()
        };
        let forms = self.visit.formalize().forms();
        let caller = self.visit.caller()?;
        match forms.update(caller, id.at(revision), change).await {
            Ok(_) => Ok(self.visit.redirect(&format!("{}?saved", self.visit.path))),
            Err(Error::RevisionMismatch) => self.conflict().await,
            Err(error) => self.failed(error).await,
        }
    }

    async fn create(self, sent: &Sent) -> Result<Response, Refusal> {
        let Ok(name) = FormName::new(self.name.trim()) else {
            return self.refused(EditorNotice::NameInvalid).await;
        };
        if !self.trial().await?.faults.is_empty() {
            return self.refused(EditorNotice::Faults).await;
        }
        let new = NewForm {
            data_feed_schema: Some(self.draft.text.clone()),
            ..NewForm::new(name)
        };
        let request = sent.keyed("token", [new.name.as_str(), &self.draft.text]);
        let response = |form: &FormView| form.item.id.to_string();
        let forms = self.visit.formalize().forms();
        let caller = self.visit.caller()?;
        let create = forms.create_once(caller, new, request.as_ref(), &response);
        let id = match create.await {
            Ok(Once::Done(form)) => response(&form),
            Ok(Once::Repeated(id)) => id,
            Err(error) => return self.failed(error).await,
        };
        Ok(self.visit.redirect(&format!("/console/forms/{id}")))
    }

    /// Shows what somebody else has saved in the meantime. What the author saves next replaces it.
    async fn conflict(mut self) -> Result<Response, Refusal> {
        let id = self
            .edited
            .form
            .as_ref()
            .map(|(_, form)| form.id.to_string());
        self.edited = super::Edited::of(&self.visit, &id.unwrap_or_default()).await?;
        self.revision = self.edited.revision();
        let theirs = self.edited.text().to_owned();
        let status = Refusal::from(Error::RevisionMismatch).reported(None);
        self.page(status, Some(EditorNotice::Conflict(theirs)))
            .await
    }

    async fn refused(self, notice: EditorNotice) -> Result<Response, Refusal> {
        self.page(StatusCode::UNPROCESSABLE_ENTITY, Some(notice))
            .await
    }

    async fn failed(self, error: Error) -> Result<Response, Refusal> {
        if matches!(error, Error::Forbidden | Error::FormNotFound) {
            return Err(error.into());
        }
        let status = Refusal::from(error).reported(None);
        self.page(status, Some(EditorNotice::Failed)).await
    }

    /// How many submissions there are that the author may see, if there are some.
    async fn answers(&self, form: FormId) -> Result<Option<EditorNotice>, Refusal> {
        let request = PageRequest {
            size: PageSize::new(COUNTED).map_err(Error::from)?,
            ..PageRequest::default()
        };
        let submissions = self.visit.formalize().submissions();
        let filter = SubmissionFilter::default();
        let found = submissions
            .list(self.visit.caller()?, form, &filter, &request)
            .await;
        let found = match found {
            Ok(found) => found,
            Err(Error::Forbidden) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let (count, is_more) = (found.items.len(), found.next.is_some());
        Ok((count > 0).then_some(EditorNotice::HasSubmissions(count, is_more)))
    }
}
