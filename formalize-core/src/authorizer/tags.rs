//! What the caller may do with tags. The grants on the form must have been fetched.

use super::Authorizer;
use crate::authz::policy::Operation;
use crate::authz::tags::{all_tag_actions, tag_actions, tag_actions_on};
use crate::id::FormId;
use crate::model::action::Actions;
use crate::model::form::SubmissionRules;
use crate::model::subject::Caller;
use crate::model::words::{TagAction, TagActions};

impl Authorizer<'_> {
    /// What the form lets the caller do with the tags of submissions that the caller may read or update.
    pub(crate) fn tag_actions(&self, form: FormId, rules: &SubmissionRules) -> TagActions {
        match self.caller {
            Caller::System => all_tag_actions(),
            Caller::User(_) | Caller::Link(_) => tag_actions(&self.known().held, form, rules),
        }
    }

    /// What the caller may do with the tags of a submission, given the effective actions on it.
    pub(crate) fn tag_actions_on(
        &self,
        form: FormId,
        rules: &SubmissionRules,
        on_submission: &Actions,
    ) -> TagActions {
        tag_actions_on(
            self.tag_actions(form, rules),
            self.allows(Operation::SubmissionGet, on_submission),
            self.allows(Operation::SubmissionUpdate, on_submission),
        )
    }

    /// Whether a caller with these effective actions on a form sees the tags that it has for submissions: those who see the
    /// tags of submissions, and those who may change the list.
    pub(crate) fn sees_available_tags(
        &self,
        form: FormId,
        rules: &SubmissionRules,
        on_form: &Actions,
    ) -> bool {
        self.tag_actions(form, rules).contains(TagAction::Read)
            || self.allows(Operation::FormUpdate, on_form)
    }
}
