//! Pages about webhooks.

use std::time::Duration;

use formalize_core::{
    Error, Field, InvalidFields,
    authorization::Operation,
    events::EventType,
    webhooks::{
        NewWebhook, Payload, Resend, Webhook, WebhookChange, WebhookDescription, WebhookEvents,
        WebhookId, WebhookSecret, WebhookUrl, WebhookView,
    },
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_web::{
    DeleteWebhookPage, Problems, WebhookNotice, WebhookPage, WebhookRow, WebhookValues,
    WebhooksPage,
};
use poem::{Response, http::StatusCode};

use super::{
    super::{route, sent::Sent, visit::Visit},
    deliveries,
    entered::Entered,
    form::ManagedForm,
    opened,
    settings::set_or_clear,
    shown_revision,
};

/// The page with the webhooks of a form.
pub(super) async fn show(visit: &Visit, id: &str, old: Option<&Sent>) -> Result<Response, Refusal> {
    let managed = manageable(visit, id).await?;
    let (status, problems) = opened(old);
    let values = old.map(|sent| entered(visit, sent)).unwrap_or_default();
    page(visit, &managed, status, (None, values, problems)).await
}

/// Creates a webhook. Its secret is on the page in the response, and nowhere else.
pub(super) async fn create(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let managed = manageable(visit, id).await?;
    if sent.own("do") != Some("create") {
        return Err(Refusal::is(ErrorKey::InvalidRequestBody));
    }
    let created = match new(visit, &managed, sent) {
        Ok(new) => {
            let webhooks = visit.formalize().webhooks();
            webhooks.create(visit.caller()?, new).await
        }
        Err(error) => Err(error),
    };
    let (status, parts) = match created {
        Ok((_, secret)) => (
            StatusCode::OK,
            (Some(secret), WebhookValues::default(), Problems::default()),
        ),
        Err(
            error @ (Error::InvalidFields(InvalidFields::Webhook(_)) | Error::WebhookLimitReached),
        ) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            (None, entered(visit, sent), problems(visit, sent, &error)),
        ),
        Err(error) => return Err(error.into()),
    };
    page(visit, &managed, status, parts).await
}

async fn manageable(visit: &Visit, id: &str) -> Result<ManagedForm, Refusal> {
    ManagedForm::allowing(visit, id, Operation::WebhookList).await
}

async fn page(
    visit: &Visit,
    managed: &ManagedForm,
    status: StatusCode,
    (secret, values, problems): (Option<WebhookSecret>, WebhookValues, Problems),
) -> Result<Response, Refusal> {
    let page = WebhooksPage {
        frame: managed.frame(),
        token: visit.token(&visit.path),
        webhooks: rows(visit, managed).await?,
        secret: secret.map(|secret| secret.expose().to_owned()),
        values,
        problems,
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// The webhooks of a form. They are so few that one page has all of them.
async fn rows(visit: &Visit, managed: &ManagedForm) -> Result<Vec<WebhookRow>, Refusal> {
    let (caller, webhooks) = (visit.caller()?, visit.formalize().webhooks());
    let request = formalize_core::PageRequest::default();
    let page = webhooks.list(caller, Some(managed.id), &request).await?;
    let mut rows = Vec::new();
    for webhook in page.items {
        match webhooks.get(caller, webhook.id).await {
            Ok(view) => rows.push(row(visit, managed, &view)),
            // Somebody has deleted it in between.
            Err(Error::WebhookNotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(rows)
}

fn row(visit: &Visit, managed: &ManagedForm, view: &WebhookView) -> WebhookRow {
    let webhook = &view.item;
    let time = |time| visit.time(time);
    WebhookRow {
        path: format!("{}/webhooks/{}", managed.path(), webhook.id),
        url: webhook.url.to_string(),
        description: description(webhook),
        disabled: webhook.disabled,
        pending: view.num_pending,
        dead: view.num_dead,
        succeeded: webhook.date_last_success.map(time),
        failed: webhook.date_last_failure.map(time),
        paused_until: webhook.paused_until.map(time),
    }
}

fn description(webhook: &Webhook) -> Option<String> {
    let description = webhook.description.as_ref();
    description.map(|description| description.as_str().to_owned())
}

/// A webhook of a form that the reader manages.
pub(super) struct Managed {
    pub(super) form: ManagedForm,
    pub(super) view: WebhookView,
}

impl Managed {
    /// The webhook at identifiers in a path. One of another form is not found here.
    pub(super) async fn of(visit: &Visit, form: &str, id: &str) -> Result<Self, Refusal> {
        let form = manageable(visit, form).await?;
        let id = route::id(id, Error::WebhookNotFound)?;
        let view = visit
            .formalize()
            .webhooks()
            .get(visit.caller()?, id)
            .await?;
        if view.item.form == Some(form.id) {
            Ok(Self { form, view })
        } else {
            Err(Error::WebhookNotFound.into())
        }
    }

    pub(super) fn id(&self) -> WebhookId {
        self.view.item.id
    }

    pub(super) fn path(&self) -> String {
        format!("{}/webhooks/{}", self.form.path(), self.id())
    }

    pub(super) fn row(&self, visit: &Visit) -> WebhookRow {
        row(visit, &self.form, &self.view)
    }
}

/// The page on which a webhook is changed, tested and watched.
pub(super) async fn show_one(
    visit: &Visit,
    form: &str,
    id: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let managed = Managed::of(visit, form, id).await?;
    let (status, problems) = opened(old);
    let done = |name| visit.parameter(name).filter(|_| old.is_none());
    let resent = done("resent").and_then(|number| number.parse().ok());
    let saved = done("saved").map(|_| WebhookNotice::Saved);
    let mut page = WebhookPage {
        notice: resent.map(WebhookNotice::Resent).or(saved),
        overlap: old.and_then(overlap_of),
        problems,
        ..one(visit, &managed).await?
    };
    if let Some(sent) = old.filter(|sent| sent.own("do") == Some("save")) {
        page.values = entered(visit, sent);
        page.revision = sent.revision()?.as_uuid().to_string();
    }
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// Changes or tests a webhook, replaces its secret, or sends again what was given up.
pub(super) async fn change(
    visit: &Visit,
    form: &str,
    id: &str,
    sent: &Sent,
) -> Result<Response, Refusal> {
    let managed = Managed::of(visit, form, id).await?;
    let done = match sent.own("do") {
        Some("save") => save(visit, &managed, sent).await?,
        Some("test") => test(visit, &managed).await?,
        Some("rotate") => rotate(visit, &managed, sent).await?,
        Some("resend") => resend(visit, &managed).await?,
        _ => return Err(Refusal::is(ErrorKey::InvalidRequestBody)),
    };
    match done {
        Ok(WebhookNotice::Saved) => Ok(visit.redirect(&format!("{}?saved", managed.path()))),
        Ok(WebhookNotice::Resent(number)) => {
            Ok(visit.redirect(&format!("{}?resent={number}", managed.path())))
        }
        // A secret or the outcome of a test is shown once. The revision of the webhook may be another one now.
        Ok(notice) => {
            let managed = Managed::of(visit, form, id).await?;
            let page = WebhookPage {
                notice: Some(notice),
                ..one(visit, &managed).await?
            };
            Ok(visit.html(StatusCode::OK, page.render(&visit.shell())))
        }
        Err(error) => refused(visit, &managed, sent, error).await,
    }
}

/// The page again after an error that its reader can mend, with what was entered.
async fn refused(
    visit: &Visit,
    managed: &Managed,
    sent: &Sent,
    error: Error,
) -> Result<Response, Refusal> {
    let status = match error {
        Error::RevisionMismatch => StatusCode::PRECONDITION_FAILED,
        Error::InvalidFields(InvalidFields::Webhook(_))
        | Error::WebhookDisabled
        | Error::WebhookTestedRecently => StatusCode::UNPROCESSABLE_ENTITY,
        error => return Err(error.into()),
    };
    let mut page = WebhookPage {
        problems: problems(visit, sent, &error),
        overlap: overlap_of(sent),
        ..one(visit, managed).await?
    };
    if sent.own("do") == Some("save") {
        let revision = shown_revision(&error, sent, managed.view.item.revision);
        page.revision = revision.as_uuid().to_string();
        let stored = std::mem::replace(&mut page.values, entered(visit, sent));
        page.stored = (status == StatusCode::PRECONDITION_FAILED).then_some(stored);
    }
    Ok(visit.html(status, page.render(&visit.shell())))
}

type Done = Result<Result<WebhookNotice, Error>, Refusal>;

async fn save(visit: &Visit, managed: &Managed, sent: &Sent) -> Done {
    let expected = managed.id().at(sent.revision()?);
    let change = match Settings::read(visit, sent, Some(&managed.view.item)) {
        Ok(settings) => settings.change(),
        Err(error) => return Ok(Err(error)),
    };
    let webhooks = visit.formalize().webhooks();
    let saved = webhooks.update(visit.caller()?, expected, change).await;
    Ok(saved.map(|_| WebhookNotice::Saved))
}

async fn test(visit: &Visit, managed: &Managed) -> Done {
    let (webhooks, transport) = (visit.formalize().webhooks(), visit.site.transport.as_ref());
    let tested = webhooks
        .test(visit.caller()?, managed.id(), transport)
        .await;
    Ok(tested.map(|outcome| WebhookNotice::Tested {
        status: outcome.status,
        error: outcome.error,
        duration: outcome.duration,
    }))
}

/// Replaces the secret of the revision that the page showed: a page that is sent twice by accident would otherwise replace
/// the new secret, too, and the first one would stop signing.
async fn rotate(visit: &Visit, managed: &Managed, sent: &Sent) -> Done {
    let expected = managed.id().at(sent.revision()?);
    let seconds = overlap_of(sent).and_then(|seconds| seconds.parse().ok());
    let seconds = seconds.ok_or_else(|| Refusal::is(ErrorKey::InvalidRequestBody))?;
    let webhooks = visit.formalize().webhooks();
    let overlap = Duration::from_secs(seconds);
    let rotated = webhooks.rotate_secret(visit.caller()?, expected, overlap);
    let rotated = rotated.await;
    Ok(rotated.map(|(_, secret)| WebhookNotice::Rotated(secret.expose().to_owned())))
}

async fn resend(visit: &Visit, managed: &Managed) -> Done {
    let dead = Resend::Since {
        // No event is older.
        since: visit.site.clock.now().saturating_sub(Duration::MAX),
        until: None,
        all: false,
    };
    let webhooks = visit.formalize().webhooks();
    let resent = webhooks.resend(visit.caller()?, managed.id(), dead).await;
    Ok(resent.map(|resent| WebhookNotice::Resent(resent.queued)))
}

/// The page with what is stored.
async fn one<'a>(visit: &'a Visit, managed: &'a Managed) -> Result<WebhookPage<'a>, Refusal> {
    let webhook = &managed.view.item;
    Ok(WebhookPage {
        frame: managed.form.frame(),
        token: visit.token(&visit.path),
        revision: webhook.revision.as_uuid().to_string(),
        webhook: managed.row(visit),
        creator: webhook.creator.to_string(),
        created: visit.time(webhook.date_created),
        values: values(webhook),
        stored: None,
        overlap: None,
        deliveries: deliveries::list(visit, managed).await?,
        notice: None,
        problems: Problems::default(),
    })
}

/// The settings of a webhook as inputs have them.
fn values(webhook: &Webhook) -> WebhookValues {
    let types = webhook.event_types.iter();
    WebhookValues {
        url: webhook.url.to_string(),
        description: description(webhook).unwrap_or_default(),
        event_types: types.map(|one| one.as_str().to_owned()).collect(),
        payload: webhook.payload.as_str().to_owned(),
        is_enabled: webhook.is_enabled(),
    }
}

/// The settings that were entered.
fn entered(visit: &Visit, sent: &Sent) -> WebhookValues {
    let entered = Entered::new(visit, sent);
    let text = |field| entered.text(field).to_owned();
    WebhookValues {
        url: text(Field::Url),
        description: text(Field::Description),
        event_types: entered
            .ticked(Field::EventTypes)
            .map(str::to_owned)
            .collect(),
        payload: text(Field::Payload),
        is_enabled: entered.is_ticked(Field::Enabled),
    }
}

/// For how many seconds the old secret signs, as it was chosen.
fn overlap_of(sent: &Sent) -> Option<String> {
    sent.own(Field::OverlapSeconds.as_str()).map(str::to_owned)
}

/// What an error is about, with the reason why the URL that was entered is wrong.
fn problems(visit: &Visit, sent: &Sent, error: &Error) -> Problems {
    let text = Entered::new(visit, sent).text(Field::Url);
    let webhooks = visit.formalize().webhooks();
    Problems::of(error).with_url(webhooks.parse_url(text).err())
}

/// Settings of a webhook that can be read.
struct Settings {
    /// The URL, if it is a new one: the receiver at another URL is tried at once.
    url: Option<WebhookUrl>,
    description: Option<WebhookDescription>,
    event_types: WebhookEvents,
    payload: Payload,
    is_enabled: bool,
}

impl Settings {
    fn read(visit: &Visit, sent: &Sent, stored: Option<&Webhook>) -> Result<Self, Error> {
        let mut entered = Entered::new(visit, sent);
        let invalid = |field| Error::InvalidFields(InvalidFields::Webhook(vec![field]));
        let webhooks = visit.formalize().webhooks();
        let is_stored = |webhook: &Webhook| webhook.url.as_str() == entered.text(Field::Url);
        let url = if stored.is_some_and(is_stored) {
            None
        } else {
            entered.required(Field::Url, |text| {
                webhooks.parse_url(text).map_err(|_| invalid(Field::Url))
            })
        };
        let description = entered.optional(Field::Description, WebhookDescription::new);
        let types = entered.ticked(Field::EventTypes).map(str::parse);
        let types: Result<Vec<EventType>, _> = types.collect();
        let event_types = types.ok().and_then(|types| WebhookEvents::new(types).ok());
        if event_types.is_none() {
            entered.refuse(Field::EventTypes);
        }
        let payload = entered.required(Field::Payload, |word| {
            word.parse().map_err(|_| invalid(Field::Payload))
        });
        let is_enabled = entered.is_ticked(Field::Enabled);
        let wrong = entered.wrong();
        match (event_types, payload) {
            (Some(event_types), Some(payload)) if wrong.is_empty() => Ok(Self {
                url,
                description,
                event_types,
                payload,
                is_enabled,
            }),
            _ => Err(Error::InvalidFields(InvalidFields::Webhook(wrong))),
        }
    }

    fn change(self) -> WebhookChange {
        WebhookChange {
            url: self.url,
            description: set_or_clear(self.description),
            event_types: Some(self.event_types),
            payload: Some(self.payload),
            enabled: Some(self.is_enabled),
        }
    }
}

/// The webhook that was entered. The service makes its secret.
fn new(visit: &Visit, managed: &ManagedForm, sent: &Sent) -> Result<NewWebhook, Error> {
    let settings = Settings::read(visit, sent, None)?;
    let invalid = || Error::InvalidFields(InvalidFields::Webhook(vec![Field::Url]));
    let url = settings.url.ok_or_else(invalid)?;
    Ok(NewWebhook {
        description: settings.description,
        event_types: Some(settings.event_types),
        payload: settings.payload,
        ..NewWebhook::of(managed.id, url)
    })
}

/// The page that asks whether to delete a webhook.
pub(super) async fn ask_to_delete(
    visit: &Visit,
    form: &str,
    id: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let (status, problems) = opened(old);
    let managed = Managed::of(visit, form, id).await?;
    let page = DeleteWebhookPage {
        frame: managed.form.frame(),
        token: visit.token(&visit.path),
        webhook: managed.row(visit),
        problems,
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// Deletes a webhook.
pub(super) async fn delete(visit: &Visit, form: &str, id: &str) -> Result<Response, Refusal> {
    let managed = Managed::of(visit, form, id).await?;
    let webhooks = visit.formalize().webhooks();
    webhooks.delete(visit.caller()?, managed.id()).await?;
    Ok(visit.redirect(&format!("{}/webhooks", managed.form.path())))
}
