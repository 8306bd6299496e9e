//! Webhooks: they send the events of a form to a URL.

use std::time::Duration;

use crate::fields::{Field, InvalidFields};
use crate::id::{FormId, Revision, WebhookId};
use crate::model::event_type::EventType;
use crate::model::subject::UserId;
use crate::model::target::WebhookUrl;
use crate::model::text::bounded_texts;
use crate::time::Timestamp;

#[cfg(feature = "forms")]
mod aead;
mod attempt;
#[cfg(feature = "forms")]
mod change;
mod delivery;
#[cfg(feature = "forms")]
pub(crate) mod envelope;
mod frozen;
#[cfg(feature = "forms")]
pub(crate) mod keys;
#[cfg(feature = "forms")]
pub(crate) mod schedule;
mod sealed;
#[cfg(feature = "forms")]
pub(crate) mod secret;

pub use attempt::{AttemptError, UnknownDeliveryWord, WebhookAnswer, WebhookRequest};
pub use delivery::{Attempt, Delivery, DeliveryFilter, DeliveryState, Resend, Resent};
pub use frozen::{FrozenSubmission, tags_and_files};
pub use sealed::SealedSecret;

#[cfg(feature = "forms")]
pub use self::{
    change::{NewWebhook, WebhookChange},
    keys::{InvalidSecretKey, SecretKeys},
    secret::WebhookSecret,
};

/// The maximum number of webhooks of a form, and of those for all forms.
pub const MAX_WEBHOOKS: u64 = 20;

/// The longest time for which a replaced secret may still sign.
pub const MAX_OVERLAP: Duration = Duration::from_hours(7 * 24);

bounded_texts! {
    /// The description of a webhook: 1 to 256 characters, no control characters.
    ///
    /// ```
    /// use formalize_core::webhooks::WebhookDescription;
    ///
    /// assert_eq!(WebhookDescription::new("Ticket system")?.as_str(), "Ticket system");
    /// assert!(WebhookDescription::new("").is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    WebhookDescription, 256, is_plain, Webhook(Description);
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
        let invalid = InvalidFields::Webhook(vec![Field::EventTypes]);
        ensure!(!types.is_empty(), invalid);
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

    /// Whether the set contains a type.
    pub fn contains(&self, event_type: EventType) -> bool {
        self.0.contains(&event_type)
    }

    /// The types, in the order of [`EventType::ALL`].
    pub fn iter(&self) -> impl ExactSizeIterator<Item = EventType> {
        self.0.iter().copied()
    }
}

words! {
    /// How much a webhook sends with an event.
    #[derive(Default)]
    Payload or UnknownDeliveryWord {
        /// With the submission as it was when it was submitted or changed.
        #[default]
        Full = "full",
        /// Only the identifiers.
        Thin = "thin",
    }
}

words! {
    /// Why a webhook is disabled.
    DisabledReason or UnknownDeliveryWord {
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

/// After this number of failures in a row, deliveries of a webhook are attempted one at a time.
pub const FAILURES_TO_BACK_OFF: i64 = 5;

/// The number of deliveries of a webhook that are attempted at a time.
const MAX_LEASED: i64 = 4;

/// Whether a webhook with this number of failures in a row is attempted with one delivery at a time.
const fn is_backing_off(failures: i64) -> bool {
    failures >= FAILURES_TO_BACK_OFF
}

/// How many deliveries of a webhook with this number of failures in a row are attempted at a time.
pub const fn at_a_time(failures: i64) -> i64 {
    if is_backing_off(failures) {
        1
    } else {
        MAX_LEASED
    }
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
