//! Items that the tests and benchmarks of this project use, and its suites for stores. They are not part of the public interface
//! and may change at any time.

use std::time::Duration;

pub use crate::authz::decision::{Held, Target, effective_actions};
pub use crate::authz::policy::Operation;
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
