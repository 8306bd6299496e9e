//! The events of use cases with forms, submissions and webhooks.

use super::{EventContent, EventData};
use crate::id::FormId;
use crate::model::event_type::EventType;
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::webhook::{DisabledReason, Webhook};
use crate::model::words::SubmissionState;

impl EventContent {
    pub(crate) fn submission_updated(old: SubmissionState, submission: &Submission) -> Self {
        use SubmissionState::{Draft, Submitted};
        let event_type = match (old, submission.state) {
            (_, Draft) => EventType::DraftUpdated,
            (Draft, Submitted) => EventType::SubmissionSubmitted,
            (Submitted, Submitted) => EventType::SubmissionUpdated,
        };
        let by = &submission.last_modified_by;
        Self::submission(event_type, submission, by.clone())
    }

    pub(crate) fn submission_deleted(submission: &Submission, by: UserId) -> Self {
        let event_type = match submission.state {
            SubmissionState::Draft => EventType::DraftDeleted,
            SubmissionState::Submitted => EventType::SubmissionDeleted,
        };
        Self::submission(event_type, submission, by)
    }

    pub(crate) const fn form(event_type: EventType, form: FormId) -> Self {
        let data = EventData::Form { form };
        Self { event_type, data }
    }

    pub(crate) fn webhook_disabled(webhook: &Webhook, reason: DisabledReason) -> Self {
        let data = EventData::Webhook {
            webhook: webhook.id,
            form: webhook.form,
            reason,
        };
        let event_type = EventType::WebhookDisabled;
        Self { event_type, data }
    }
}
