//! Items for the programs, the tests, the benchmarks and the conformance suites of this project. They are not part of the public interface and
//! may change at any time.

pub use crate::authz::decision::{Held, Target, effective_actions};
pub use crate::model::webhook::{
    FAILURES_TO_BACK_OFF, SUBSCRIPTION_PREFIX, at_a_time, tags_and_files,
};
pub use crate::statistics::Histogram;

/// The setting with the key of cursors.
pub const CURSOR_KEY: &str = crate::store::CURSOR_KEY;

/// The query parameters in the URL of a PostgreSQL database.
pub mod database_parameters {
    pub use crate::database_parameters::{PASSWORD, is_known};
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
    use crate::model::form::SubmissionRules;
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

    /// The ways to read submissions of a form with these rules, if the user holds every grant on the form.
    pub fn submissions_of_holder(
        rules: &SubmissionRules,
        subjects: &Subjects,
        user: &UserId,
    ) -> SubmissionScope {
        SubmissionScope::to(&Action::READ, rules, subjects, user, |_, _| true)
    }

    /// The ways to manage a resource.
    pub fn managing() -> Vec<Reach> {
        Reach::to(Some(&Action::MANAGE))
    }

    /// The same for users who manage everything by policy.
    pub fn managing_of_managers() -> Vec<Reach> {
        Reach::of_managers_of_everything(Some(&Action::MANAGE))
    }

    /// The part of a scope that one subject holds.
    pub fn held_by(holder: Subject, scope: GrantScope) -> GrantScope {
        scope.of(holder)
    }
}
