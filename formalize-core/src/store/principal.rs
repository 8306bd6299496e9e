//! Records together with what they are to someone: all that a decision about them needs, in one question.

use crate::authz::decision::HeldGrant;
use crate::authz::scope::Subjects;
use crate::model::form::{Form, SubmissionRules};
use crate::model::subject::UserId;
use crate::model::submission::Submission;

/// Someone on whose behalf a store is asked.
#[derive(Debug, Clone, Copy)]
pub struct Principal<'a> {
    /// The user, whose groups hold grants too; [`UserId::SYSTEM`] is in none.
    pub user: &'a UserId,
    /// Who else holds them: as a rule the user, and dynamic groups.
    pub subjects: &'a Subjects,
}

/// A form, with what it is to a [`Principal`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormFor {
    /// The form.
    pub form: Form,
    /// The grants that they hold on it and on the collection of its submissions, in no particular order.
    pub held: Vec<HeldGrant>,
    /// How many submissions of it, drafts included, they have.
    pub places_taken: i64,
}

/// A submission, with what it is to a [`Principal`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionFor {
    /// The submission.
    pub submission: Submission,
    /// The rules of its form.
    pub rules: SubmissionRules,
    /// The grants that they hold on it, on its form, and on the collection of the form's submissions, in no particular
    /// order.
    pub held: Vec<HeldGrant>,
}
