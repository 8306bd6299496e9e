//! Webhooks: they send the events of a form to a URL.

use std::time::Duration;

use crate::fields::{Field, InvalidFields};
use crate::id::{FormId, Revision, WebhookId};
use crate::model::change::Change;
use crate::model::event_type::EventType;
use crate::model::subject::UserId;
use crate::model::target::WebhookUrl;
use crate::model::text::is_plain;
use crate::time::Timestamp;

mod attempt;
mod delivery;
mod envelope;
mod schedule;
mod secret;

pub use attempt::{AttemptError, WebhookAnswer, WebhookRequest};
pub use delivery::{
    Attempt, Delivery, DeliveryFilter, DeliveryState, Resend, Resent, UnknownDeliveryWord,
};
pub(crate) use envelope::{Envelope, test_body};
pub use envelope::{FrozenSubmission, tags_and_files};
pub use schedule::{FAILURES_TO_BACK_OFF, at_a_time};
pub(crate) use schedule::{MAX_COUNTED, Outcome, back_off, wait_after};
pub(crate) use secret::Signing;
pub use secret::{InvalidSecretKey, SealedSecret, SecretKeys, WebhookSecret};

/// The maximum number of webhooks of a form, and of those for all forms.
pub const MAX_WEBHOOKS: u64 = 20;

/// The longest time for which a replaced secret may still sign.
pub const MAX_OVERLAP: Duration = Duration::from_hours(7 * 24);

/// The description of a webhook: 1 to 256 characters, no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDescription(String);

impl WebhookDescription {
    /// The maximum number of characters.
    pub const MAX_CHARS: usize = 256;

    /// Parses a description.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Webhook`] for any other text.
    ///
    /// ```
    /// use formalize_core::webhooks::WebhookDescription;
    ///
    /// assert_eq!(WebhookDescription::new("Ticket system")?.as_str(), "Ticket system");
    /// assert!(WebhookDescription::new("").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidFields> {
        let text = text.into();
        if is_plain(&text, Self::MAX_CHARS) {
            Ok(Self(text))
        } else {
            Err(InvalidFields::Webhook(vec![Field::Description]))
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The types of the events that a webhook sends: at least one, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEvents(Vec<EventType>);

impl WebhookEvents {
    /// A set of types.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Webhook`] if it is empty.
    ///
    /// ```
    /// use formalize_core::{events::EventType, webhooks::WebhookEvents};
    ///
    /// let events = WebhookEvents::new([EventType::SubmissionSubmitted])?;
    /// assert!(events.contains(EventType::SubmissionSubmitted));
    /// assert!(WebhookEvents::new([]).is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(types: impl IntoIterator<Item = EventType>) -> Result<Self, InvalidFields> {
        let mut types: Vec<_> = types.into_iter().collect();
        types.sort_unstable();
        types.dedup();
        if types.is_empty() {
            return Err(InvalidFields::Webhook(vec![Field::EventTypes]));
        }
        Ok(Self(types))
    }

    /// The types that a webhook of one form can send. Drafts are private, so webhooks never send their events.
    pub fn of_form() -> Self {
        use EventType as Type;
        Self(vec![
            Type::SubmissionSubmitted,
            Type::SubmissionUpdated,
            Type::SubmissionDeleted,
            Type::FormUpdated,
            Type::FormCleared,
            Type::FormDeleted,
        ])
    }

    /// The types that a webhook of all forms can send: every type but those of drafts.
    pub fn of_all_forms() -> Self {
        use EventType::{DraftCreated, DraftDeleted, DraftUpdated};
        let types = EventType::ALL.iter().copied();
        let drafts = [DraftCreated, DraftUpdated, DraftDeleted];
        let mut types: Vec<_> = types.filter(|one| !drafts.contains(one)).collect();
        types.sort_unstable();
        Self(types)
    }

    /// The types that a webhook can send, depending on whether it belongs to a form.
    pub(crate) fn possible(form: Option<FormId>) -> Self {
        match form {
            Some(_) => Self::of_form(),
            None => Self::of_all_forms(),
        }
    }

    /// Whether the set contains a type.
    pub fn contains(&self, event_type: EventType) -> bool {
        self.0.contains(&event_type)
    }

    /// The types, in the order of [`EventType::ALL`].
    pub fn iter(&self) -> impl ExactSizeIterator<Item = EventType> {
        self.0.iter().copied()
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().all(|one| other.contains(*one))
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::model::webhook::UnknownDeliveryWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::model::webhook::UnknownDeliveryWord),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// How much a webhook sends with an event.
    #[derive(Default)]
    Payload {
        /// With the submission as it was when it was submitted or changed.
        #[default]
        Full = "full",
        /// Only the identifiers.
        Thin = "thin",
    }
}

words! {
    /// Why a webhook is disabled.
    DisabledReason {
        /// A manager disabled it.
        Owner = "owner",
        /// The receiver answered 410.
        Gone = "gone",
        /// All attempts failed for [`Builder::webhook_disable_after`](crate::Builder::webhook_disable_after).
        Failing = "failing",
    }
}

/// A webhook. Its secret is not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The identifier.
    pub id: WebhookId,
    /// The form whose events it sends; `None` for all events.
    pub form: Option<FormId>,
    /// The URL. It may contain a token of the receiver, so show it only to those who manage the form.
    pub url: WebhookUrl,
    /// What it is for.
    pub description: Option<WebhookDescription>,
    /// The events that it sends.
    pub event_types: WebhookEvents,
    /// How much it sends.
    pub payload: Payload,
    /// Why it is disabled; `None` if it is enabled.
    pub disabled: Option<DisabledReason>,
    /// The user who created it.
    pub creator: UserId,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The time of the last successful attempt.
    pub date_last_success: Option<Timestamp>,
    /// The time of the last failed attempt.
    pub date_last_failure: Option<Timestamp>,
    /// Until when it pauses after failures; `None` if it does not.
    pub paused_until: Option<Timestamp>,
    /// The current revision. Attempts do not change it.
    pub revision: Revision,
}
impl Webhook {
    /// Whether it sends events.
    pub fn is_enabled(&self) -> bool {
        self.disabled.is_none()
    }

    /// The webhook as it is at this time: a pause that is over is none.
    pub(crate) fn at(self, now: Timestamp) -> Self {
        let is_enabled = self.is_enabled();
        let pauses = |until: &Timestamp| is_enabled && *until > now;
        Self {
            paused_until: self.paused_until.filter(pauses),
            ..self
        }
    }

    /// Whether its last attempt failed, or none has ever succeeded. A few of the requests are for such webhooks, so that
    /// receivers that never answer do not delay what others get.
    pub(crate) fn is_unproven(&self) -> bool {
        self.date_last_success.is_none_or(|succeeded| {
            self.date_last_failure
                .is_some_and(|failed| failed > succeeded)
        })
    }

    /// Whether the data of a submission must be kept with an event of this type.
    pub fn freezes(&self, event_type: EventType) -> bool {
        let has_data = matches!(
            event_type,
            EventType::SubmissionSubmitted | EventType::SubmissionUpdated
        );
        has_data
            && self.is_enabled()
            && self.payload == Payload::Full
            && self.event_types.contains(event_type)
    }

    /// The name of its subscription to the event log.
    pub fn subscription(id: WebhookId) -> String {
        format!("{SUBSCRIPTION_PREFIX}{id}")
    }
}

/// Subscriptions with these names belong to webhooks.
pub const SUBSCRIPTION_PREFIX: &str = "webhook:";

/// A webhook with the numbers of its deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookView {
    /// The webhook.
    pub item: Webhook,
    /// The number of deliveries that are not finished.
    pub num_pending: u64,
    /// The number of deliveries that were given up and can be sent again.
    pub num_dead: u64,
}

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
    if types.is_within(possible) {
        Ok(())
    } else {
        Err(InvalidFields::Webhook(vec![Field::EventTypes]))
    }
}

/// The state of a webhook's deliveries as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WebhookHealth {
    /// The number of failed attempts since the last successful one.
    pub failures: i64,
    /// The time of the first of them.
    pub failing_since: Option<Timestamp>,
    /// No attempt is made before.
    pub resumes: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_never_sent() {
        for event_type in EventType::ALL {
            let is_draft = event_type.as_str().starts_with("draft.");
            assert_eq!(
                WebhookEvents::of_all_forms().contains(*event_type),
                !is_draft
            );
            let of_form = event_type.as_str().starts_with("submission.")
                || ["form.updated", "form.cleared", "form.deleted"].contains(&event_type.as_str());
            assert_eq!(WebhookEvents::of_form().contains(*event_type), of_form);
        }
    }

    #[test]
    fn descriptions_are_bounded() {
        assert!(WebhookDescription::new("ä".repeat(256)).is_ok());
        for text in [String::new(), "ä".repeat(257), "a\nb".to_owned()] {
            assert!(WebhookDescription::new(text).is_err());
        }
    }
}
