//! Authorization decisions, as pure functions of the caller's grants. All decisions about single items are made here.

use std::collections::{BTreeSet, HashMap};

use crate::authz::ways::{Basis, Way, is_managed_by_policy};
use crate::id::{FormId, GroupId, ResourceId, SubmissionId};
use crate::model::action::{Action, Actions};
use crate::model::form::SubmissionRules;
use crate::model::resource::{Anchor, ResourceClass};
use crate::model::words::SubmissionState;

/// An action granted to one of the caller's subjects, with the class and anchor of its resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldGrant {
    /// The anchor of the resource.
    pub anchor: Anchor,
    /// The resource's class.
    pub class: ResourceClass,
    /// The action.
    pub action: Action,
}

/// What a caller holds: grants by anchor, and whether the policy `manage_everything` applies.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Held {
    grants: HashMap<Anchor, BTreeSet<(ResourceClass, Action)>>,
    everything: bool,
}

impl Extend<HeldGrant> for Held {
    fn extend<I: IntoIterator<Item = HeldGrant>>(&mut self, grants: I) {
        for grant in grants {
            let under_anchor = self.grants.entry(grant.anchor).or_default();
            under_anchor.insert((grant.class, grant.action));
        }
    }
}

impl FromIterator<HeldGrant> for Held {
    fn from_iter<I: IntoIterator<Item = HeldGrant>>(grants: I) -> Self {
        let mut held = Self::default();
        held.extend(grants);
        held
    }
}

impl Held {
    /// No grants, and the policy `manage_everything` if it applies.
    pub(crate) fn by_policy(everything: bool) -> Self {
        Self {
            everything,
            ..Self::default()
        }
    }

    /// Whether the policy `manage_everything` applies.
    pub(crate) fn manages_everything(&self) -> bool {
        self.everything
    }

    /// Whether the policy `manage_everything` gives `manage` on all resources of a class.
    pub(crate) fn manages_all(&self, class: &ResourceClass) -> bool {
        self.everything && is_managed_by_policy(class)
    }

    /// The actions held on the resource of a class under an anchor.
    fn on<'a>(
        &'a self,
        anchor: Anchor,
        class: &'a ResourceClass,
    ) -> impl Iterator<Item = &'a Action> {
        const MANAGE: &Action = &Action::MANAGE;
        let grants = self.grants.get(&anchor).into_iter().flatten();
        grants
            .filter(move |(held_class, _)| held_class == class)
            .map(|(_, action)| action)
            .chain(self.manages_all(class).then_some(MANAGE))
    }

    /// Whether an action is held on the resource of a class under an anchor.
    pub(crate) fn allows(&self, anchor: Anchor, class: &ResourceClass, action: &Action) -> bool {
        self.on(anchor, class).any(|held| held.implies(action))
    }
}

/// The [`Object`](crate::authorization::Object) of a decision, with the facts that the decision depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A group.
    Group(GroupId),
    /// A form.
    Form(FormId),
    /// The submissions of a form as a whole.
    Submissions(FormId),
    /// A submission.
    Submission(SubmissionFacts),
    /// An item of an application's own class, or a collection.
    Other {
        /// Its resource.
        id: ResourceId,
        /// Its class.
        class: ResourceClass,
    },
}

/// The facts about a submission that decisions depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubmissionFacts {
    /// The submission.
    pub id: SubmissionId,
    /// Its form.
    pub form: FormId,
    /// The rules of the form.
    pub rules: SubmissionRules,
    /// Its state.
    pub state: SubmissionState,
    /// Whether the caller created it.
    pub is_creator: bool,
}

impl Target {
    /// The class of the target.
    pub(crate) fn class(&self) -> ResourceClass {
        match self {
            Self::Group(_) => ResourceClass::GROUP,
            Self::Form(_) => ResourceClass::FORM,
            Self::Submissions(_) => ResourceClass::SUBMISSION_COLLECTION,
            Self::Submission(_) => ResourceClass::SUBMISSION,
            Self::Other { class, .. } => class.clone(),
        }
    }

    /// The anchor under which grants on resources of a class affect the target; `None` if they do not.
    fn anchor_of(&self, class: &ResourceClass) -> Option<Anchor> {
        let about_forms = [ResourceClass::FORM, ResourceClass::SUBMISSION_COLLECTION];
        match self {
            Self::Group(id) => (*class == ResourceClass::GROUP).then(|| (*id).into()),
            Self::Form(form) | Self::Submissions(form) => {
                about_forms.contains(class).then(|| (*form).into())
            }
            Self::Submission(facts) if *class == ResourceClass::SUBMISSION => {
                facts.rules.grant_based.then(|| facts.id.into())
            }
            Self::Submission(facts) => about_forms.contains(class).then(|| facts.form.into()),
            Self::Other { id, class: own } => (class == own).then(|| (*id).into()),
        }
    }

    /// The anchors of all grants that affect the target.
    pub fn anchors(&self) -> impl Iterator<Item = Anchor> {
        let of_form = match self {
            Self::Submission(facts) => Some(Anchor::from(facts.form)),
            _ => None,
        };
        self.anchor_of(&self.class()).into_iter().chain(of_form)
    }
}

/// The way that permits an action on a target to a caller who holds this, if there is one.
pub(crate) fn way_to(held: &Held, target: &Target, action: &Action) -> Option<Way> {
    let class = target.class();
    Way::to(&class, action).find(|way| holds(way, held, target))
}

fn holds(way: &Way, held: &Held, target: &Target) -> bool {
    let is_open = match target {
        Target::Submission(facts) => way.is_open(facts.state, &facts.rules),
        _ => true,
    };
    let has_basis = || match (&way.basis, target) {
        (Basis::Grant(class, action), _) => target
            .anchor_of(class)
            .is_some_and(|anchor| held.allows(anchor, class, action)),
        (Basis::Authorship, Target::Submission(facts)) => {
            facts.is_creator && !facts.rules.grant_based
        }
        (Basis::Authorship, _) => false,
    };
    is_open && has_basis()
}

/// The effective actions on a target for a caller who holds this.
pub fn effective_actions(held: &Held, target: &Target) -> Actions {
    let class = target.class();
    let anchor = target.anchor_of(&class);
    let own = anchor.map(|anchor| held.on(anchor, &class));
    let known = Way::indirect(&class).map(|way| &way.action);
    own.into_iter()
        .flatten()
        .chain(known)
        .filter(|action| way_to(held, target, action).is_some())
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::model::words::SubmissionState::{Draft, Submitted};
    use crate::model::words::SubmittedAction as Allowed;

    const FORM: u128 = 1;
    const SUBMISSION: u128 = 2;

    fn form() -> FormId {
        FormId::from_uuid(Uuid::from_u128(FORM))
    }

    fn held(grants: &[(u128, ResourceClass, Action)]) -> Held {
        let grants = grants.iter().cloned();
        grants
            .map(|(anchor, class, action)| HeldGrant {
                anchor: Anchor(Uuid::from_u128(anchor)),
                class,
                action,
            })
            .collect()
    }

    fn words(actions: &Actions) -> String {
        actions
            .iter()
            .map(Action::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn on_submission(
        grant_based: bool,
        is_creator: bool,
        state: SubmissionState,
        allowed: &[Allowed],
        grants: &[(u128, ResourceClass, Action)],
    ) -> String {
        let rules = SubmissionRules {
            grant_based,
            allowed_actions_when_submitted: allowed.iter().copied().collect(),
            ..SubmissionRules::default()
        };
        let facts = SubmissionFacts {
            id: SubmissionId::from_uuid(Uuid::from_u128(SUBMISSION)),
            form: form(),
            rules,
            state,
            is_creator,
        };
        words(&effective_actions(
            &held(grants),
            &Target::Submission(facts),
        ))
    }

    #[test]
    fn grants_on_the_form_and_its_submission_collection_are_equivalent() {
        let cases = [
            (ResourceClass::FORM, Action::MANAGE, "manage", "manage"),
            (ResourceClass::FORM, Action::READ, "read", ""),
            (
                ResourceClass::FORM,
                Action::READ_SUBMISSIONS,
                "read_submissions",
                "read",
            ),
            (
                ResourceClass::FORM,
                Action::CREATE_SUBMISSIONS,
                "create_submissions",
                "create_submissions",
            ),
            (
                ResourceClass::SUBMISSION_COLLECTION,
                Action::READ,
                "read_submissions",
                "read",
            ),
            (
                ResourceClass::SUBMISSION_COLLECTION,
                Action::DELETE,
                "delete_submissions",
                "delete",
            ),
            (
                ResourceClass::SUBMISSION_COLLECTION,
                Action::MANAGE,
                "create_submissions delete_submissions read_submissions update_submissions",
                "manage",
            ),
        ];
        for (class, action, on_form, on_collection) in cases {
            let held = held(&[(FORM, class.clone(), action.clone())]);
            assert_eq!(
                words(&effective_actions(&held, &Target::Form(form()))),
                on_form,
                "{class} {action}"
            );
            let collection = effective_actions(&held, &Target::Submissions(form()));
            assert_eq!(words(&collection), on_collection, "{class} {action}");
        }
    }

    #[test]
    fn grants_on_the_form_do_not_apply_to_drafts() {
        for action in [
            Action::MANAGE,
            Action::READ_SUBMISSIONS,
            Action::UPDATE_SUBMISSIONS,
        ] {
            let grants = [(FORM, ResourceClass::FORM, action)];
            for grant_based in [false, true] {
                assert_eq!(
                    on_submission(grant_based, false, Draft, Allowed::ALL, &grants),
                    ""
                );
            }
        }
    }

    #[test]
    fn grants_on_the_form_apply_to_submitted_submissions_without_sharing() {
        let manage = [(FORM, ResourceClass::FORM, Action::MANAGE)];
        assert_eq!(
            on_submission(true, false, Submitted, Allowed::ALL, &manage),
            "delete read update"
        );
        let update = [(FORM, ResourceClass::SUBMISSION_COLLECTION, Action::UPDATE)];
        assert_eq!(
            on_submission(false, false, Submitted, &[], &update),
            "update"
        );
        let create = [(FORM, ResourceClass::FORM, Action::CREATE_SUBMISSIONS)];
        assert_eq!(
            on_submission(false, false, Submitted, Allowed::ALL, &create),
            ""
        );
    }

    #[test]
    fn authorship_applies_to_creator_based_forms_only() {
        let cases: [(bool, SubmissionState, &[Allowed], &str); 7] = [
            (false, Draft, &[], "delete read update"),
            (false, Draft, &[Allowed::Manage], "delete read update"),
            (false, Submitted, &[], ""),
            (
                false,
                Submitted,
                &[Allowed::Read, Allowed::Delete],
                "delete read",
            ),
            (false, Submitted, &[Allowed::Manage], "manage"),
            (true, Draft, &[], ""),
            (true, Submitted, &[Allowed::Manage], ""),
        ];
        for (grant_based, state, allowed, expected) in cases {
            let actions = on_submission(grant_based, true, state, allowed, &[]);
            assert_eq!(actions, expected, "{grant_based} {state:?} {allowed:?}");
        }
    }

    #[test]
    fn grants_in_grant_based_forms_are_limited_by_the_form() {
        let cases: [(bool, Action, SubmissionState, &[Allowed], &str); 8] = [
            (true, Action::MANAGE, Draft, &[], "manage"),
            (true, Action::UPDATE, Draft, &[], "update"),
            (true, Action::MANAGE, Submitted, &[], ""),
            (
                true,
                Action::MANAGE,
                Submitted,
                &[Allowed::Read, Allowed::Update],
                "read update",
            ),
            (
                true,
                Action::MANAGE,
                Submitted,
                &[Allowed::Manage],
                "manage",
            ),
            (true, Action::READ, Submitted, &[Allowed::Manage], "read"),
            (true, Action::READ, Submitted, &[Allowed::Update], ""),
            (false, Action::MANAGE, Draft, Allowed::ALL, ""),
        ];
        for (grant_based, action, state, allowed, expected) in cases {
            let grants = [(SUBMISSION, ResourceClass::SUBMISSION, action.clone())];
            let actions = on_submission(grant_based, false, state, allowed, &grants);
            assert_eq!(
                actions, expected,
                "{grant_based} {action} {state:?} {allowed:?}"
            );
        }
    }

    #[test]
    fn grants_on_other_classes_and_anchors_are_ignored() {
        let target = Target::Group(GroupId::from_uuid(Uuid::from_u128(7)));
        let grants = [
            (7, ResourceClass::FORM, Action::MANAGE),
            (8, ResourceClass::GROUP, Action::MANAGE),
        ];
        assert_eq!(words(&effective_actions(&held(&grants), &target)), "");
    }

    #[test]
    fn a_decision_reports_its_basis() {
        let held = held(&[(FORM, ResourceClass::FORM, Action::MANAGE)]);
        let of_form = |class, action| Basis::Grant(class, action);
        let cases = [
            (
                Target::Form(form()),
                Action::READ_SUBMISSIONS,
                Some(of_form(ResourceClass::FORM, Action::READ_SUBMISSIONS)),
            ),
            (
                Target::Submissions(form()),
                Action::READ,
                Some(of_form(ResourceClass::FORM, Action::READ_SUBMISSIONS)),
            ),
            (
                Target::Submissions(form()),
                Action::MANAGE,
                Some(of_form(ResourceClass::FORM, Action::MANAGE)),
            ),
            (submission(true, Submitted), Action::MANAGE, None),
            (
                submission(true, Submitted),
                Action::DELETE,
                Some(of_form(ResourceClass::FORM, Action::DELETE_SUBMISSIONS)),
            ),
            (
                submission(false, Submitted),
                Action::MANAGE,
                Some(Basis::Authorship),
            ),
            (submission(false, Draft), Action::MANAGE, None),
        ];
        for (target, action, expected) in cases {
            let way = way_to(&held, &target, &action);
            assert_eq!(way.map(|way| way.basis), expected, "{target:?} {action}");
        }
    }

    /// A submission created by the caller, in a form that allows every action after submission.
    fn submission(grant_based: bool, state: SubmissionState) -> Target {
        Target::Submission(SubmissionFacts {
            id: SubmissionId::from_uuid(Uuid::from_u128(SUBMISSION)),
            form: form(),
            rules: SubmissionRules {
                grant_based,
                allowed_actions_when_submitted: Allowed::ALL.iter().copied().collect(),
                ..SubmissionRules::default()
            },
            state,
            is_creator: true,
        })
    }
}
