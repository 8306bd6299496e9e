//! The page on which the rules of a form are changed.

use formalize_core::{
    Change, Error, Field, Form, FormChange, FormName, InvalidFields, Revision,
    authorization::Operation,
    forms::{FormContact, FormDetailsChange, SubmissionCap, SubmissionLimit},
};
use formalize_http::config::PageTimeZone;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_web::{FormTab, Problems, SettingsPage, SettingsValues};
use poem::{Response, http::StatusCode};

use super::{
    super::{sent::Sent, visit::Visit},
    entered::{Entered, shown},
    form::ManagedForm,
    opened, shown_revision, status_of,
};

/// The page with the rules of a form.
pub(super) async fn show(visit: &Visit, id: &str, old: Option<&Sent>) -> Result<Response, Refusal> {
    let managed = changeable(visit, id).await?;
    let (status, problems) = opened(old);
    let (revision, values) = if let Some(sent) = old {
        (sent.revision()?, entered(visit, sent))
    } else {
        let form = managed.form.readable()?;
        let zone = visit.parameter(TIME_ZONE);
        let zone = zone.and_then(|name| name.parse().ok());
        let zone = zone.unwrap_or_else(|| visit.site.zone.clone());
        (form.revision, values(&zone, form))
    };
    let page = SettingsPage {
        is_saved: old.is_none() && visit.parameter("saved").is_some(),
        problems,
        ..page(visit, &managed, revision, values)
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// Changes the rules of a form.
pub(super) async fn save(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let managed = changeable(visit, id).await?;
    let (form, revision) = (managed.form.readable()?, sent.revision()?);
    let chosen = TimeZoneEntry::of(visit, sent);
    let changed = match change(&chosen.zone, form, sent) {
        // The problem of the time zone is added to the page.
        Ok(_) if chosen.is_wrong => Err(Error::InvalidFields(InvalidFields::Form(Vec::new()))),
        Ok(change) => {
            let forms = visit.formalize().forms();
            let expected = managed.id.at(revision);
            forms.update(visit.caller()?, expected, change).await
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => Ok(visit.redirect(&format!(
            "{}/settings?saved&timeZone={}",
            managed.path(),
            percent::encode(chosen.zone.name())
        ))),
        Err(error @ (Error::Forbidden | Error::FormNotFound | Error::Store(_))) => {
            Err(error.into())
        }
        Err(error) => Ok(refused(visit, &managed, form, sent, &chosen, error)),
    }
}

/// The page again, with what was entered. After a conflict it shows what is stored, and saving again replaces that.
fn refused(
    visit: &Visit,
    managed: &ManagedForm,
    form: &Form,
    sent: &Sent,
    chosen: &TimeZoneEntry,
    error: Error,
) -> Response {
    let (own, stored) = (entered(visit, sent), values(&chosen.zone, form));
    let is_conflict = matches!(error, Error::RevisionMismatch);
    let revision = shown_revision(&error, sent, form.revision);
    let page = SettingsPage {
        problems: Problems::of(&error).with_time_zone(chosen.is_wrong),
        stored: is_conflict.then_some(stored),
        ..page(visit, managed, revision, own)
    };
    visit.html(status_of(error), page.render(&visit.shell()))
}

async fn changeable(visit: &Visit, id: &str) -> Result<ManagedForm, Refusal> {
    ManagedForm::allowing(visit, id, Operation::FormUpdate).await
}

fn page<'a>(
    visit: &'a Visit,
    managed: &'a ManagedForm,
    revision: Revision,
    values: SettingsValues,
) -> SettingsPage<'a> {
    SettingsPage {
        frame: managed.frame(),
        token: visit.token(&visit.path),
        revision: revision.as_uuid().to_string(),
        values,
        stored: None,
        problems: Problems::default(),
        is_saved: false,
        time_zones: PageTimeZone::names(),
        delete: managed.delete_form(FormTab::Settings),
    }
}

/// The name of the input for the time zone of the window, which is no setting of the form.
const TIME_ZONE: &str = "timeZone";

/// The time zone that was chosen for the window of the form.
struct TimeZoneEntry {
    zone: PageTimeZone,
    /// Whether there is none of the name that was entered. Then `zone` is that of pages.
    is_wrong: bool,
}

impl TimeZoneEntry {
    fn of(visit: &Visit, sent: &Sent) -> Self {
        let zone = sent
            .own(TIME_ZONE)
            .and_then(|name| name.trim().parse().ok());
        Self {
            is_wrong: zone.is_none(),
            zone: zone.unwrap_or_else(|| visit.site.zone.clone()),
        }
    }
}

/// The settings of a form as inputs have them.
fn values(zone: &PageTimeZone, form: &Form) -> SettingsValues {
    let rules = &form.rules;
    let time = |time| shown(zone, time);
    let number = |number: i64| number.to_string();
    let states = rules.allowed_states.iter();
    let actions = rules.allowed_actions_when_submitted.iter();
    SettingsValues {
        name: form.name.as_str().to_owned(),
        contact: (form.details.contact.as_ref())
            .map_or(String::new(), |contact| contact.as_str().to_owned()),
        starts: rules.availability.starts().map_or(String::new(), time),
        ends: rules.availability.ends().map_or(String::new(), time),
        time_zone: zone.name().to_owned(),
        states: states.map(|state| state.as_str().to_owned()).collect(),
        cap: rules.cap.map_or(String::new(), |cap| number(cap.get())),
        limit: rules
            .limit
            .map_or(String::new(), |limit| number(limit.get())),
        actions: actions.map(|action| action.as_str().to_owned()).collect(),
        is_grant_based: rules.grant_based,
    }
}

/// The settings that were entered.
fn entered(visit: &Visit, sent: &Sent) -> SettingsValues {
    let entered = Entered::new(visit, sent);
    let text = |field| entered.text(field).to_owned();
    let ticked = |field| entered.ticked(field).map(str::to_owned).collect();
    SettingsValues {
        name: text(Field::Name),
        contact: text(Field::Contact),
        starts: text(Field::AvailableStarts),
        ends: text(Field::AvailabilityEnds),
        time_zone: sent.own(TIME_ZONE).unwrap_or_default().to_owned(),
        states: ticked(Field::AllowedSubmissionStates),
        cap: text(Field::MaxNumSubmissionsPerCreator),
        limit: text(Field::MaxNumSubmissions),
        actions: ticked(Field::AllowedActionsWhenSubmitted),
        is_grant_based: entered.is_ticked(Field::GrantBasedSubmissionAuthorization),
    }
}

/// The change that was entered.
fn change(zone: &PageTimeZone, form: &Form, sent: &Sent) -> Result<FormChange, Error> {
    let mut entered = Entered::in_zone(zone, sent);
    let window = form.rules.availability;
    let name = entered.required(Field::Name, FormName::new);
    let contact = entered.optional(Field::Contact, FormContact::new);
    let starts = entered.time(Field::AvailableStarts, window.starts());
    let ends = entered.time(Field::AvailabilityEnds, window.ends());
    let cap = entered.number(Field::MaxNumSubmissionsPerCreator, SubmissionCap::new);
    let limit = entered.number(Field::MaxNumSubmissions, SubmissionLimit::new);
    let states = entered.ticked(Field::AllowedSubmissionStates);
    let states = states.map(str::parse).collect::<Result<_, _>>().ok();
    let actions = entered.ticked(Field::AllowedActionsWhenSubmitted);
    let actions = actions.map(str::parse).collect::<Result<_, _>>().ok();
    let grant_based = entered.is_ticked(Field::GrantBasedSubmissionAuthorization);
    if states.is_none() {
        entered.refuse(Field::AllowedSubmissionStates);
    }
    if actions.is_none() {
        entered.refuse(Field::AllowedActionsWhenSubmitted);
    }
    match entered.wrong() {
        wrong if wrong.is_empty() => Ok(FormChange {
            name,
            grant_based: Some(grant_based),
            allowed_states: states,
            allowed_actions_when_submitted: actions,
            available_starts: set_or_clear(starts),
            availability_ends: set_or_clear(ends),
            cap: set_or_clear(cap),
            limit: set_or_clear(limit),
            details: FormDetailsChange {
                contact: set_or_clear(contact),
                ..FormDetailsChange::default()
            },
            ..FormChange::default()
        }),
        wrong => Err(Error::InvalidFields(InvalidFields::Form(wrong))),
    }
}

/// An input that is empty removes the value.
pub(super) fn set_or_clear<T>(value: Option<T>) -> Change<T> {
    value.map_or(Change::Clear, Change::Set)
}

/// The page that asks whether to delete the form.
pub(super) async fn ask_to_delete(
    visit: &Visit,
    id: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let managed = deletable(visit, id).await?;
    Ok(confirm(visit, &managed, opened(old).0))
}

/// Deletes the form, if its name was entered.
pub(super) async fn delete(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let managed = deletable(visit, id).await?;
    if !managed.is_confirmed(sent) {
        return Ok(confirm(visit, &managed, StatusCode::UNPROCESSABLE_ENTITY));
    }
    let forms = visit.formalize().forms();
    forms.delete(visit.caller()?, managed.id).await?;
    Ok(visit.redirect("/console"))
}

async fn deletable(visit: &Visit, id: &str) -> Result<ManagedForm, Refusal> {
    ManagedForm::allowing(visit, id, Operation::FormDelete).await
}

fn confirm(visit: &Visit, managed: &ManagedForm, status: StatusCode) -> Response {
    managed.confirm(visit, true, status)
}
