//! The types of events.

use super::words::SubmissionState;

/// The text is not the name of an [`EventType`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown event type; expected a name such as submission.submitted")]
pub struct UnknownEventType;

words! {
    /// What an event says. New types may be added, so ignore those that you do not know.
    ///
    /// ```
    /// use formalize_core::events::EventType;
    ///
    /// assert_eq!("form.cleared".parse(), Ok(EventType::FormCleared));
    /// assert_eq!(EventType::MemberAdded.as_str(), "member.added");
    /// ```
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    EventType or UnknownEventType {
        /// A submission was created as submitted, or a draft was submitted.
        SubmissionSubmitted = "submission.submitted",
        /// A submitted submission was changed, even if the change made no difference.
        SubmissionUpdated = "submission.updated",
        /// A submitted submission was deleted by itself.
        SubmissionDeleted = "submission.deleted",
        /// A draft was created.
        DraftCreated = "draft.created",
        /// A draft was changed and remains a draft.
        DraftUpdated = "draft.updated",
        /// A draft was deleted by itself.
        DraftDeleted = "draft.deleted",
        /// A form was created.
        FormCreated = "form.created",
        /// A form was changed.
        FormUpdated = "form.updated",
        /// All submitted submissions of a form were deleted at once. Drafts remain.
        FormCleared = "form.cleared",
        /// A form was deleted with everything that belonged to it.
        FormDeleted = "form.deleted",
        /// A group was created.
        GroupCreated = "group.created",
        /// A group was changed.
        GroupUpdated = "group.updated",
        /// A group was deleted with its memberships and grants.
        GroupDeleted = "group.deleted",
        /// A group got a member.
        MemberAdded = "member.added",
        /// A member was removed from a group.
        MemberRemoved = "member.removed",
        /// A grant was created by itself.
        GrantCreated = "grant.created",
        /// A grant was deleted by itself.
        GrantDeleted = "grant.deleted",
        /// An item of an application's own class was registered.
        ResourceRegistered = "resource.registered",
        /// An item of an application's own class was removed with all grants on it.
        ResourceDeregistered = "resource.deregistered",
        /// The service disabled a webhook, because the receiver was gone or failed for long.
        WebhookDisabled = "webhook.disabled",
    }
}

impl EventType {
    /// The event of a submission that was created in a state.
    pub const fn of_new_submission(state: SubmissionState) -> Self {
        match state {
            SubmissionState::Draft => Self::DraftCreated,
            SubmissionState::Submitted => Self::SubmissionSubmitted,
        }
    }
}
