//! Items for the programs, the tests, the benchmarks and the conformance suites of this project. They are not part of the public interface and
//! may change at any time.

use std::time::Duration;

pub use crate::authz::decision::{Held, Target, effective_actions};
use crate::model::submission::Submission;
use crate::model::webhook::{Attempt, AttemptError, FrozenSubmission, SealedSecret, WebhookSecret};
use crate::time::Timestamp;

/// An attempt of a delivery.
pub fn attempt(
    date: Timestamp,
    status: Option<u16>,
    error: Option<AttemptError>,
    duration: Duration,
) -> Attempt {
    Attempt {
        date,
        status,
        error,
        duration,
    }
}

/// What a store keeps of a submission with an event, for webhooks with the payload *full*.
pub fn frozen(submission: &Submission) -> Option<FrozenSubmission> {
    FrozenSubmission::of(submission)
}

/// A secret as it is stored without keys.
pub fn readable(secret: &WebhookSecret) -> SealedSecret {
    SealedSecret(secret.expose().to_owned())
}

/// Limits of how much of something is in use at a time.
pub mod admission {
    pub use crate::admission::{FairQueue, InUse, Permit, Quota};
}

/// Scopes as the authorizer makes them.
pub mod scopes {
    use crate::authz::scope::{
        GrantScope, ItemScope, Reach, Subjects, SubmissionReach, SubmissionScope,
    };
    use crate::model::action::Action;
    use crate::model::resource::ResourceClass;
    use crate::model::subject::{Subject, UserId};

    /// The items on which the subjects may perform an action.
    pub fn items(subjects: Subjects, class: &ResourceClass, action: &Action) -> ItemScope {
        ItemScope::granted(subjects, class, action)
    }

    /// The ways to read submissions of forms.
    pub fn readable_submissions(subjects: Subjects, creator: UserId) -> SubmissionReach {
        SubmissionReach::to(&Action::READ, subjects, creator)
    }

    /// Every submission of a form.
    pub fn every_submission() -> SubmissionScope {
        SubmissionScope::everything()
    }

    /// No submission of a form.
    pub fn no_submission() -> SubmissionScope {
        SubmissionScope::nothing()
    }

    /// The ways to any action on a resource.
    pub fn any_access() -> Vec<Reach> {
        Reach::to(None)
    }

    /// The same for users who manage everything by policy.
    pub fn any_access_of_managers() -> Vec<Reach> {
        Reach::of_managers_of_everything(None)
    }

    /// The ways to manage a resource.
    pub fn managing() -> Vec<Reach> {
        Reach::to(Some(&Action::MANAGE))
    }

    /// The part of a scope that one subject holds.
    pub fn held_by(holder: Subject, scope: GrantScope) -> GrantScope {
        scope.of(holder)
    }
}
