//! Records together with the grants that a principal holds on them: everything that a decision needs, in one query.

use crate::authz::decision::HeldGrant;
use crate::authz::scope::Subjects;
use crate::id::{FormId, SubmissionId};
use crate::model::form::{Form, SubmissionRules};
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::words::SubmissionState;

/// The user on whose behalf a store is queried.
#[derive(Debug, Clone, Copy)]
pub struct Principal<'a> {
    /// The user, whose groups hold grants, too; [`UserId::SYSTEM`] is in no group.
    pub user: &'a UserId,
    /// Other holders of the user's grants: usually the user and dynamic groups.
    pub subjects: &'a Subjects,
}

/// A form with the grants of a [`Principal`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormFor {
    /// The form.
    pub form: Form,
    /// The principal's grants on it and on the collection of its submissions, in no particular order.
    pub held: Vec<HeldGrant>,
    /// The number of submissions that the user has created for it, including drafts.
    pub places_taken: i64,
    /// The number of its submitted submissions, if it has a limit; see
    /// [`ReadSubmissions::form_places_taken`](super::ReadSubmissions::form_places_taken).
    pub form_places_taken: Option<i64>,
}

/// A submission with the grants of a [`Principal`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionFor {
    /// The submission.
    pub submission: Submission,
    /// The rules of its form.
    pub rules: SubmissionRules,
    /// The principal's grants on it, on its form, and on the collection of the form's submissions, in no particular
    /// order.
    pub held: Vec<HeldGrant>,
}

/// What decisions about a submission depend on besides grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionHeader {
    /// The submission.
    pub id: SubmissionId,
    /// Its form.
    pub form: FormId,
    /// The rules of its form.
    pub rules: SubmissionRules,
    /// Its state.
    pub state: SubmissionState,
    /// Its creator.
    pub creator: UserId,
}
