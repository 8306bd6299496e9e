//! Webhooks to create, and changes of them.

use super::{DisabledReason, Payload, Webhook, WebhookDescription, WebhookEvents, WebhookSecret};
use crate::fields::{Field, InvalidFields};
use crate::id::{FormId, Revision, WebhookId};
use crate::model::change::Change;
use crate::model::subject::UserId;
use crate::model::target::WebhookUrl;
use crate::time::Timestamp;

/// A webhook to create.
///
/// ```
/// use formalize_core::{FormId, events::EventType, webhooks::{AllowedTargets, NewWebhook, WebhookEvents, WebhookUrl}};
///
/// # fn example(form: FormId) -> Result<(), Box<dyn std::error::Error>> {
/// let url = WebhookUrl::parse("https://example.org/hook", &AllowedTargets::default())?;
/// let new = NewWebhook {
///     event_types: Some(WebhookEvents::new([EventType::SubmissionSubmitted])?),
///     ..NewWebhook::of(form, url)
/// };
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct NewWebhook {
    /// The form whose events it sends; `None` for all events, which only the system may create.
    pub form: Option<FormId>,
    /// The URL.
    pub url: WebhookUrl,
    /// What it is for.
    pub description: Option<WebhookDescription>,
    /// The events that it sends; `None` for all that are possible.
    pub event_types: Option<WebhookEvents>,
    /// How much it sends.
    pub payload: Payload,
    /// Whether it sends events.
    pub enabled: bool,
    /// The secret; `None` for a random one.
    pub secret: Option<WebhookSecret>,
}

impl NewWebhook {
    /// A webhook that sends all events of a form.
    pub fn of(form: FormId, url: WebhookUrl) -> Self {
        Self {
            form: Some(form),
            ..Self::of_all_forms(url)
        }
    }

    /// A webhook that sends all events.
    pub fn of_all_forms(url: WebhookUrl) -> Self {
        Self {
            form: None,
            url,
            description: None,
            event_types: None,
            payload: Payload::Full,
            enabled: true,
            secret: None,
        }
    }

    /// The webhook, created now by this user.
    pub(crate) fn make(
        self,
        id: WebhookId,
        revision: Revision,
        creator: UserId,
        now: Timestamp,
    ) -> Result<Webhook, InvalidFields> {
        let possible = WebhookEvents::possible(self.form);
        let event_types = self.event_types.unwrap_or_else(|| possible.clone());
        check_types(&event_types, &possible)?;
        Ok(Webhook {
            id,
            form: self.form,
            url: self.url,
            description: self.description,
            event_types,
            payload: self.payload,
            disabled: (!self.enabled).then_some(DisabledReason::Owner),
            creator,
            date_created: now,
            date_last_success: None,
            date_last_failure: None,
            paused_until: None,
            revision,
        })
    }
}

/// Changes of a webhook. `None` and [`Change::Keep`] keep the value of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookChange {
    /// The new URL. What is pending is attempted there at once, even if the old one failed.
    pub url: Option<WebhookUrl>,
    /// The new description.
    pub description: Change<WebhookDescription>,
    /// The new events.
    pub event_types: Option<WebhookEvents>,
    /// How much is sent. Applies to events from now on.
    pub payload: Option<Payload>,
    /// Whether it sends events. Disabling gives up what is pending; enabling continues with events from now on.
    pub enabled: Option<bool>,
}

impl WebhookChange {
    /// The webhook after the change.
    pub(crate) fn apply(
        self,
        webhook: Webhook,
        revision: Revision,
    ) -> Result<Webhook, InvalidFields> {
        let event_types = self.event_types.unwrap_or(webhook.event_types);
        check_types(&event_types, &WebhookEvents::possible(webhook.form))?;
        Ok(Webhook {
            url: self.url.unwrap_or(webhook.url),
            description: self.description.apply(webhook.description),
            event_types,
            payload: self.payload.unwrap_or(webhook.payload),
            disabled: match self.enabled {
                None => webhook.disabled,
                Some(true) => None,
                // The reason of the service remains until the webhook is enabled.
                Some(false) => webhook.disabled.or(Some(DisabledReason::Owner)),
            },
            revision,
            ..webhook
        })
    }
}

fn check_types(types: &WebhookEvents, possible: &WebhookEvents) -> Result<(), InvalidFields> {
    let is_possible = types.is_within(possible).then_some(());
    is_possible.ok_or_else(|| InvalidFields::Webhook(vec![Field::EventTypes]))
}

impl WebhookEvents {
    /// The types that a webhook can send, depending on whether it belongs to a form.
    pub(crate) fn possible(form: Option<FormId>) -> Self {
        match form {
            Some(_) => Self::of_form(),
            None => Self::of_all_forms(),
        }
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().all(|one| other.contains(*one))
    }
}

impl Webhook {
    /// The webhook as it is at this time: a pause that is over is none.
    pub(crate) fn at(self, now: Timestamp) -> Self {
        let is_enabled = self.is_enabled();
        let pauses = |until: &Timestamp| is_enabled && *until > now;
        Self {
            paused_until: self.paused_until.filter(pauses),
            ..self
        }
    }
}
