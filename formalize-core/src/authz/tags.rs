//! What a caller may do with the tags of submissions.

use super::decision::{Held, Target, way_to};
use crate::id::FormId;
use crate::model::action::Action;
use crate::model::form::SubmissionRules;
use crate::model::words::{TagAction, TagActions};

/// What a form lets a caller do with the tags of its submissions, if the caller may read or update them.
///
/// Who may update all submissions of the form may do everything. All others are submitters, to whom the form gives
/// permissions; in addition, who may read all submissions sees their tags.
pub(crate) fn tag_actions(held: &Held, form: FormId, rules: &SubmissionRules) -> TagActions {
    let on_form = |action: &Action| way_to(held, &Target::Form(form), action).is_some();
    if on_form(&Action::UPDATE_SUBMISSIONS) {
        return all_tag_actions();
    }
    let granted = rules.tag_permissions.actions();
    if on_form(&Action::READ_SUBMISSIONS) {
        granted.union([TagAction::Read].into_iter().collect())
    } else {
        granted
    }
}

/// Every action on tags.
pub(crate) fn all_tag_actions() -> TagActions {
    TagAction::ALL.iter().copied().collect()
}

/// Those of a form's [`tag_actions`] that the caller has on one submission: seeing its tags needs the permission to read it,
/// changing them the one to update it.
pub(crate) fn tag_actions_on(of_form: TagActions, may_read: bool, may_update: bool) -> TagActions {
    let is_possible = |action: &TagAction| match action {
        TagAction::Read => may_read,
        TagAction::Add | TagAction::Remove => may_update,
    };
    of_form.iter().filter(is_possible).collect()
}
