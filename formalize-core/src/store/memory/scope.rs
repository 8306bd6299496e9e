//! Whether a scope admits a row, as the documentation of [`scope`](crate::authz::scope) defines it.

use crate::authz::scope::{
    FormScope, GrantScope, Holding, ItemScope, Reach, Reached, ResourceScope, Subjects,
    SubmissionReach, SubmissionScope,
};
use crate::id::SubmissionId;
use crate::model::action::Action;
use crate::model::form::Form;
use crate::model::grant::Grant;
use crate::model::resource::{Anchor, Object, Resource, ResourceClass};
use crate::model::submission::Submission;
use crate::model::words::{SubmissionState, SubmittedActions};
use crate::store::memory::state::State;

impl State {
    /// Whether one of the subjects has a grant of one of the actions on a matching resource.
    fn holds(
        &self,
        subjects: &Subjects,
        is_action: impl Fn(&Action) -> bool,
        is_resource: impl Fn(&Resource) -> bool,
    ) -> bool {
        self.grants.values().any(|grant| {
            is_resource(&grant.resource)
                && is_action(&grant.action)
                && subjects.contains(&grant.subject)
        })
    }

    /// Whether one of the subjects has such a grant on a resource with the anchor.
    fn holds_under(&self, anchor: Anchor, subjects: &Subjects, holding: &Holding) -> bool {
        self.holds(
            subjects,
            |action| holding.actions.contains(action),
            |resource| resource.anchor() == anchor && resource.class() == &holding.class,
        )
    }

    /// Whether one of the subjects has one of the actions on the submission through a grant on itself.
    fn holds_on_submission(
        &self,
        submission: SubmissionId,
        subjects: &Subjects,
        actions: &[Action],
    ) -> bool {
        let holding = Holding {
            class: ResourceClass::SUBMISSION,
            actions: actions.to_vec(),
        };
        self.holds_under(Anchor::from(submission), subjects, &holding)
    }

    pub(super) fn admits_item(&self, scope: &ItemScope, item: Anchor) -> bool {
        match scope {
            ItemScope::All => true,
            ItemScope::Granted { subjects, holdings } => holdings
                .iter()
                .any(|holding| self.holds_under(item, subjects, holding)),
        }
    }

    pub(super) fn admits_form(&self, scope: &FormScope, form: &Form) -> bool {
        self.admits_item(&scope.items, Anchor::from(form.id))
            && scope.keys.admit(form.details.frontend_key.as_ref())
            && scope
                .with_submissions
                .as_ref()
                .is_none_or(|reach| self.reaches_submissions(reach, form))
    }

    /// Whether all submissions of the form, or an existing one, can be reached.
    fn reaches_submissions(&self, reach: &SubmissionReach, form: &Form) -> bool {
        let through_form = reach
            .through_form
            .iter()
            .any(|holding| self.holds_under(Anchor::from(form.id), &reach.subjects, holding));
        let of_form = |submission: &&Submission| submission.form == form.id;
        through_form
            || self
                .submissions
                .values()
                .filter(of_form)
                .any(|submission| self.is_own(reach, form, submission))
    }

    /// Whether authorship or a grant on the submission itself gives access to it.
    fn is_own(&self, reach: &SubmissionReach, form: &Form, submission: &Submission) -> bool {
        let own = if form.rules.grant_based {
            self.holds_on_submission(submission.id, &reach.subjects, &reach.own)
        } else {
            submission.creator == reach.creator
        };
        own && counts(submission.state, form, reach.in_force)
    }

    pub(super) fn admits_submission(&self, scope: &SubmissionScope, row: &Submission) -> bool {
        let by_state = scope.all.contains(row.state);
        let by_creator = scope
            .created
            .as_ref()
            .is_some_and(|(creator, states)| *creator == row.creator && states.contains(row.state));
        let by_grant = scope
            .granted
            .as_ref()
            .is_some_and(|(subjects, actions, states)| {
                states.contains(row.state) && self.holds_on_submission(row.id, subjects, actions)
            });
        by_state || by_creator || by_grant
    }

    pub(super) fn admits_resource(&self, scope: &ResourceScope, resource: &Resource) -> bool {
        match scope {
            ResourceScope::All => true,
            ResourceScope::Reached(reached) => self.reaches(reached, resource),
        }
    }

    pub(super) fn admits_grant(&self, scope: &GrantScope, grant: &Grant) -> bool {
        match scope {
            GrantScope::All => true,
            GrantScope::HeldOrOn(reached) => self.holds_or_reaches(reached, grant),
            GrantScope::Of { holder, among } => {
                let is_among = |reached| self.holds_or_reaches(reached, grant);
                grant.subject == *holder && among.as_ref().is_none_or(is_among)
            }
        }
    }

    fn holds_or_reaches(&self, reached: &Reached, grant: &Grant) -> bool {
        reached.subjects.contains(&grant.subject) || self.reaches(reached, &grant.resource)
    }

    fn reaches(&self, reached: &Reached, resource: &Resource) -> bool {
        let managed = resource.resource.identifier.is_none()
            && reached.managed_collections.contains(resource.class());
        managed
            || reached
                .ways
                .iter()
                .any(|way| self.leads_to(way, &reached.subjects, resource))
    }

    fn leads_to(&self, way: &Reach, subjects: &Subjects, resource: &Resource) -> bool {
        match way {
            Reach::Itself(actions) => {
                resource.object.form().is_none()
                    && self.holds(
                        subjects,
                        |action| actions.as_ref().is_none_or(|any| any.contains(action)),
                        |granted| granted.id == resource.id,
                    )
            }
            Reach::SameAnchor { target, holding } => {
                resource.class() == target && self.holds_under(resource.anchor(), subjects, holding)
            }
            Reach::Submission { actions, in_force } => {
                self.grant_based(resource)
                    .is_some_and(|(submission, form)| {
                        counts(submission.state, form, *in_force)
                            && self.holds_on_submission(submission.id, subjects, actions)
                    })
            }
            Reach::SubmissionsOfForm(holding) => {
                self.grant_based(resource)
                    .is_some_and(|(submission, form)| {
                        submission.state == SubmissionState::Submitted
                            && self.holds_under(Anchor::from(form.id), subjects, holding)
                    })
            }
            Reach::Everything { submitted } => {
                let is_submitted = || {
                    self.grant_based(resource).is_some_and(|(submission, _)| {
                        submission.state == SubmissionState::Submitted
                    })
                };
                resource.object.form().is_none() || (*submitted && is_submitted())
            }
        }
    }

    /// The submission of a grant-based form that a resource belongs to, together with the form.
    fn grant_based(&self, resource: &Resource) -> Option<(&Submission, &Form)> {
        let Object::Submission { id, form } = resource.object else {
            return None;
        };
        let form = self.forms.get(&form)?;
        let submission = self.submissions.get(&id)?;
        form.rules.grant_based.then_some((submission, form))
    }
}

/// Whether authorship and own grants apply to a submission in this state.
fn counts(state: SubmissionState, form: &Form, in_force: SubmittedActions) -> bool {
    match state {
        SubmissionState::Draft => true,
        SubmissionState::Submitted => {
            let allowed = form.rules.allowed_actions_when_submitted;
            allowed.intersects(in_force)
        }
    }
}

impl Resource {
    fn class(&self) -> &ResourceClass {
        &self.resource.class
    }
}
