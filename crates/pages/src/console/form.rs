//! The page about the state of a form, and what all pages about a form need.

use formalize_core::{
    FormId, PageRequest, SubmissionRules, SubmissionState, Timestamp,
    authorization::Operation,
    forms::{FormToManage, SubmissionCap, SubmissionLimit},
    links::LinkCap,
};
use formalize_http::failure::Refusal;
use formalize_web::{
    DeleteAllPage, FormFrame, FormOverviewPage, FormState, FormTab, LinkPlaces, Problems,
};
use poem::{Response, http::StatusCode};

use super::super::{route::form_id, sent::Sent, visit::Visit};
use super::links::label;

/// For how long answers are new: seven days.
const NEW_SECONDS: i64 = 7 * 24 * 60 * 60;

/// The most new answers that are counted.
const COUNTED: u64 = 1_000;

/// A form in the console, with what its reader may do.
pub(super) struct ManagedForm {
    pub(super) id: FormId,
    pub(super) form: FormToManage,
}

impl ManagedForm {
    /// The form at an identifier in a path.
    pub(super) async fn of(visit: &Visit, id: &str) -> Result<Self, Refusal> {
        let (id, caller) = (form_id(id)?, visit.caller()?);
        let form = visit.formalize().forms().to_manage(caller, id).await?;
        Ok(Self { id, form })
    }

    /// The form at an identifier in a path, for those who may do this with it.
    pub(super) async fn allowing(
        visit: &Visit,
        id: &str,
        operation: Operation,
    ) -> Result<Self, Refusal> {
        let managed = Self::of(visit, id).await?;
        managed.form.require(operation)?;
        Ok(managed)
    }

    /// What to enter before much is deleted: the name of the form, or its identifier if the reader may not know the name.
    pub(super) fn confirmation(&self) -> String {
        let form = self.form.readable();
        form.map_or_else(
            |_| self.id.to_string(),
            |form| form.name.as_str().to_owned(),
        )
    }

    /// Whether it was entered.
    pub(super) fn is_confirmed(&self, sent: &Sent) -> bool {
        let entered = sent.own("confirmation").unwrap_or_default();
        entered.trim() == self.confirmation().trim()
    }

    /// The page that asks whether to delete all submitted answers, or the form with them.
    pub(super) fn confirm(&self, visit: &Visit, with_form: bool, status: StatusCode) -> Response {
        let is_old = status == StatusCode::FORBIDDEN;
        let page = DeleteAllPage {
            frame: self.frame(),
            with_form,
            token: visit.token(&visit.path),
            confirmation: &self.confirmation(),
            is_wrong: status == StatusCode::UNPROCESSABLE_ENTITY,
            problems: if is_old {
                Problems::of_old_page()
            } else {
                Problems::default()
            },
        };
        visit.html(status, page.render(&visit.shell()))
    }

    /// The number of new answers, for those who may read all.
    async fn new_answers(&self, visit: &Visit) -> Result<Option<usize>, Refusal> {
        if self.form.reads_all_submissions() {
            new_answers(visit, self.id).await.map(Some)
        } else {
            Ok(None)
        }
    }

    /// The path of the form in the console.
    pub(super) fn path(&self) -> String {
        format!("/console/forms/{}", self.id)
    }

    /// The path of the page that deletes the form, for the tab with the button if the reader may do that.
    pub(super) fn delete_form(&self, on: FormTab) -> Option<String> {
        let is_there = self.form.may(Operation::FormDelete) && self.frame().deletion_tab() == on;
        is_there.then(|| format!("{}/delete", self.path()))
    }

    /// The name of the form, and the pages that the reader may use.
    pub(super) fn frame(&self) -> FormFrame<'_> {
        let form = self.form.readable().ok();
        let has_answers = self.form.may_have_submissions();
        let is_changeable = form.is_some() && self.form.may(Operation::FormUpdate);
        let tabs = [
            (FormTab::Overview, form.is_some()),
            (FormTab::Questions, is_changeable),
            (FormTab::Answers, has_answers),
            (FormTab::Summary, has_answers),
            (FormTab::Sharing, self.form.manages_submissions()),
            (FormTab::Links, self.form.may(Operation::LinkList)),
            (FormTab::Webhooks, self.form.may(Operation::WebhookList)),
            (FormTab::Settings, is_changeable),
        ];
        let usable = tabs.into_iter().filter(|(_, is_usable)| *is_usable);
        FormFrame {
            path: self.path(),
            name: form.map(|form| form.name.as_str()),
            tabs: usable.map(|(tab, _)| tab).collect(),
        }
    }
}

/// The number of answers of the last days that the reader may read, up to [`COUNTED`].
pub(super) async fn new_answers(visit: &Visit, form: FormId) -> Result<usize, Refusal> {
    let now = visit.site.clock.now();
    let since = now.checked_add_seconds(-NEW_SECONDS).unwrap_or(now);
    let submissions = visit.formalize().submissions();
    let count = submissions.count_since(visit.caller()?, form, since, COUNTED);
    Ok(usize::try_from(count.await?).unwrap_or(usize::MAX))
}

/// Whether a form with these rules takes answers now.
pub(super) fn state(visit: &Visit, rules: &SubmissionRules) -> FormState {
    let (now, window) = (visit.site.clock.now(), rules.availability);
    let time = |instant: Timestamp| visit.time(instant);
    match (window.starts(), window.ends()) {
        (Some(start), _) if now < start => FormState::Opens(time(start)),
        (_, Some(end)) if end < now => FormState::Closed(time(end)),
        _ if !rules.allowed_states.contains(SubmissionState::Submitted) => FormState::DraftsOnly,
        (_, end) => FormState::Open(end.map(time)),
    }
}

/// The page about the state of a form.
pub(super) async fn show(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let managed = ManagedForm::of(visit, id).await?;
    let form = managed.form.readable()?;
    let rules = &form.rules;
    let may_fill_in = managed.form.may(Operation::SubmissionCreate);
    let page = FormOverviewPage {
        frame: managed.frame(),
        state: state(visit, rules),
        new_answers: managed.new_answers(visit).await?,
        address: format!(
            "{}{}/f/{}",
            visit.site.origin, visit.site.base_path, form.id
        ),
        fill_in: may_fill_in.then(|| format!("/f/{}", form.id)),
        cap: rules.cap.map(SubmissionCap::get),
        limit: rules.limit.map(SubmissionLimit::get),
        takes_drafts: rules.allowed_states.contains(SubmissionState::Draft),
        created: visit.time(form.date_created),
        links: links(visit, &managed).await?,
        delete: managed.delete_form(FormTab::Overview),
    };
    Ok(visit.html(StatusCode::OK, page.render(&visit.shell())))
}

async fn links(visit: &Visit, managed: &ManagedForm) -> Result<Vec<LinkPlaces>, Refusal> {
    if !managed.form.may(Operation::LinkList) {
        return Ok(Vec::new());
    }
    let links = visit.formalize().links();
    let request = PageRequest::default();
    let page = links.list(visit.caller()?, managed.id, &request).await?;
    let links = page.items.iter().map(|link| LinkPlaces {
        label: label(link),
        taken: link.num_submissions,
        cap: link.cap.map(LinkCap::get),
    });
    Ok(links.collect())
}
