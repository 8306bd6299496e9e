//! Scopes: the filters by which a store selects the items of a list.
//!
//! They are derived from the same ways as decisions about single items, so that an item is listed if and only if it can
//! be read. A scope only names subjects, classes and actions: the store applies it and makes no decision of its own.

pub use crate::authz::audience::{Audience, AudienceSource};
use crate::authz::ways::{Basis, Way, is_managed_by_policy, submitted_actions};
use crate::model::action::Action;
use crate::model::form::SubmissionRules;
use crate::model::form_details::FrontendKeys;
use crate::model::resource::ResourceClass;
use crate::model::subject::{Subject, UserId};
use crate::model::words::{SubmissionState, SubmissionStates, SubmittedActions};

/// The subjects whose grants apply to a caller: the user, the user's groups (direct and indirect), and the dynamic
/// groups.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subjects(Vec<Subject>);

impl Subjects {
    /// Wraps a list of subjects.
    pub fn new(subjects: Vec<Subject>) -> Self {
        Self(subjects)
    }

    /// Whether the subjects include this one.
    pub fn contains(&self, subject: &Subject) -> bool {
        self.0.contains(subject)
    }

    /// The subjects.
    pub fn iter(&self) -> impl Iterator<Item = &Subject> {
        self.0.iter()
    }
}

/// Grants of any of these actions on resources of this class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// The class of the granted resource.
    pub class: ResourceClass,
    /// The actions, any of which suffices.
    pub actions: Vec<Action>,
}

impl Holding {
    /// The grants that permit an action on resources of a class.
    fn new(class: ResourceClass, action: &Action) -> Self {
        let actions = action.implied_by();
        Self { class, actions }
    }

    /// Adds the actions of another holding of the same class.
    fn join(&mut self, other: &Self) {
        for action in &other.actions {
            if !self.actions.contains(action) {
                self.actions.push(action.clone());
            }
        }
    }
}

impl Basis {
    /// The grants that are the basis of the way.
    pub(super) fn holding(&self) -> Option<Holding> {
        match self {
            Self::Grant(class, action) => Some(Holding::new(class.clone(), action)),
            Self::Authorship => None,
        }
    }
}

/// The items of a class (groups or forms) that a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemScope {
    /// Every item.
    All,
    /// The items with a matching grant of one of the subjects.
    Granted {
        /// The subjects whose grants apply.
        subjects: Subjects,
        /// The matching grants, any of which suffices: on the item itself, or on the submission collection of a form.
        holdings: Vec<Holding>,
    },
}

impl ItemScope {
    /// The items of `class` on which the subjects may perform `action`.
    pub(crate) fn granted(subjects: Subjects, class: &ResourceClass, action: &Action) -> Self {
        let holdings = Way::to(class, action).filter_map(|way| way.basis.holding());
        Self::Granted {
            subjects,
            holdings: holdings.collect(),
        }
    }
}

/// The forms that a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormScope {
    /// The forms on which the caller has the action that the list requires.
    pub items: ItemScope,
    /// If set, only the forms that are reached in one of these ways.
    pub with_submissions: Option<SubmissionReach>,
    /// Only the forms with these keys.
    pub keys: FrontendKeys,
}

/// The ways to the submissions of a form that is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionReach {
    /// The subjects whose grants apply.
    pub subjects: Subjects,
    /// The caller.
    pub creator: UserId,
    /// Grants on a form or its submission collection, each of which suffices, even if there are no submissions.
    pub through_form: Vec<Holding>,
    /// Actions, any of which suffices as a grant on the submission itself, in grant-based forms.
    pub own: Vec<Action>,
    /// Authorship and grants on the submission apply to drafts, and to submitted submissions if the form allows one of
    /// these actions.
    pub in_force: SubmittedActions,
}

impl SubmissionReach {
    /// The ways to an action on submissions.
    pub(crate) fn to(action: &Action, subjects: Subjects, creator: UserId) -> Self {
        let through_form = Way::to(&ResourceClass::SUBMISSION, action)
            .filter_map(|way| way.basis.holding())
            .filter(|holding| holding.class != ResourceClass::SUBMISSION);
        Self {
            subjects,
            creator,
            through_form: through_form.collect(),
            own: action.implied_by(),
            in_force: submitted_actions(action),
        }
    }
}

/// The submissions of a known form that a list may show: the union of these fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionScope {
    /// In these states, every submission.
    pub all: SubmissionStates,
    /// In these states, the submissions of this creator.
    pub created: Option<(UserId, SubmissionStates)>,
    /// In these states, the submissions on which one of the subjects holds one of the actions.
    pub granted: Option<(Subjects, Vec<Action>, SubmissionStates)>,
}

impl SubmissionScope {
    /// Every submission.
    pub(crate) fn everything() -> Self {
        Self {
            all: SubmissionState::ALL.iter().copied().collect(),
            created: None,
            granted: None,
        }
    }

    /// No submission.
    pub(crate) fn nothing() -> Self {
        Self {
            all: SubmissionStates::NONE,
            created: None,
            granted: None,
        }
    }

    /// The submissions of a form with these rules on which a user may perform an action. `holds` returns whether the
    /// user holds a grant of the action, or of one that implies it, on the form or its submission collection.
    pub(crate) fn to(
        action: &Action,
        rules: &SubmissionRules,
        subjects: &Subjects,
        user: &UserId,
        holds: impl Fn(&ResourceClass, &Action) -> bool,
    ) -> Self {
        let mut scope = Self::nothing();
        for way in Way::to(&ResourceClass::SUBMISSION, action) {
            let states = SubmissionState::ALL.iter().copied();
            let states: SubmissionStates =
                states.filter(|state| way.is_open(*state, rules)).collect();
            match way.basis {
                Basis::Grant(class, action) if class == ResourceClass::SUBMISSION => {
                    scope.granted = rules
                        .grant_based
                        .then(|| (subjects.clone(), action.implied_by(), states));
                }
                Basis::Grant(class, action) if holds(&class, &action) => {
                    scope.all = scope.all.union(states);
                }
                Basis::Grant(..) => {}
                Basis::Authorship => {
                    scope.created = (!rules.grant_based).then(|| (user.clone(), states));
                }
            }
        }
        scope
    }
}

/// The resources that a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceScope {
    /// Every resource.
    All,
    /// The resources that the caller has access to.
    Reached(Reached),
}

/// The resources that a caller has access to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The subjects whose grants apply.
    pub subjects: Subjects,
    /// The ways, any of which suffices.
    pub ways: Vec<Reach>,
    /// The collections that the caller manages by policy.
    pub managed_collections: Vec<ResourceClass>,
}

/// A way in which grants give access to resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Access to collections and to items of every class except submissions, by grants on the resource itself: of one
    /// of these actions, or of any action if `None`.
    Itself(Option<Vec<Action>>),
    /// Access to resources of a class, by grants on another class under the same anchor.
    SameAnchor {
        /// The class of the accessible resources.
        target: ResourceClass,
        /// The required grants.
        holding: Holding,
    },
    /// Access to submissions of grant-based forms, by grants on the submission itself.
    Submission {
        /// The actions, any of which suffices.
        actions: Vec<Action>,
        /// Submitted submissions are included only if their form allows one of these actions; drafts always are.
        in_force: SubmittedActions,
    },
    /// Access to submitted submissions of grant-based forms, by grants on the form or its submission collection.
    SubmissionsOfForm(Holding),
    /// Access to all collections and to all items of every class except submissions, without grants.
    Everything {
        /// Whether there is access to all submitted submissions of grant-based forms, too.
        submitted: bool,
    },
}

impl Reach {
    /// The ways to an action on a resource, or to any action if `None`. Ways that differ only in their actions are
    /// merged, so that a store evaluates each path once.
    pub(crate) fn to(action: Option<&Action>) -> Vec<Self> {
        let mut reaches = vec![Self::Itself(action.map(Action::implied_by))];
        for class in ResourceClass::BUILT_IN {
            let actions = action.map_or_else(|| weakest(&class), |action| vec![action]);
            let ways = actions.into_iter().flat_map(|to| Way::to(&class, to));
            for reach in ways.filter_map(Self::by) {
                reach.join(&mut reaches);
            }
        }
        reaches
    }

    /// The same for users to whom the policy `manage_everything` applies.
    pub(crate) fn of_managers_of_everything(action: Option<&Action>) -> Vec<Self> {
        let mut reaches = Vec::new();
        for reach in Self::to(action) {
            reach.by_policy().join(&mut reaches);
        }
        reaches
    }

    /// The way without the grants that the policy replaces. [`Reach::Itself`] covers exactly the classes of
    /// [`is_managed_by_policy`].
    fn by_policy(self) -> Self {
        match self {
            Self::Itself(_) => Self::Everything { submitted: false },
            Self::SameAnchor { holding, .. } if is_managed_by_policy(&holding.class) => {
                Self::Everything { submitted: false }
            }
            Self::SubmissionsOfForm(holding) if is_managed_by_policy(&holding.class) => {
                Self::Everything { submitted: true }
            }
            way => way,
        }
    }

    /// The way as a store evaluates it. `None` if [`Reach::Itself`] covers it, and for authorship: submissions of
    /// creator-based forms are not resources.
    fn by(way: Way) -> Option<Self> {
        let is_submission = way.class == ResourceClass::SUBMISSION;
        match way.basis {
            Basis::Grant(class, action) if class == way.class => {
                is_submission.then(|| Self::Submission {
                    actions: action.implied_by(),
                    in_force: submitted_actions(&way.action),
                })
            }
            Basis::Grant(class, action) if is_submission => {
                Some(Self::SubmissionsOfForm(Holding::new(class, &action)))
            }
            Basis::Grant(class, action) => Some(Self::SameAnchor {
                target: way.class,
                holding: Holding::new(class, &action),
            }),
            Basis::Authorship => None,
        }
    }

    fn join(self, reaches: &mut Vec<Self>) {
        for known in reaches.iter_mut() {
            match (known, &self) {
                (
                    Self::SameAnchor { target, holding },
                    Self::SameAnchor {
                        target: other_target,
                        holding: other,
                    },
                ) if target == other_target && holding.class == other.class => {
                    return holding.join(other);
                }
                (Self::SubmissionsOfForm(holding), Self::SubmissionsOfForm(other))
                    if holding.class == other.class =>
                {
                    return holding.join(other);
                }
                (Self::Everything { submitted }, Self::Everything { submitted: other }) => {
                    *submitted |= other;
                    return;
                }
                _ => {}
            }
        }
        reaches.push(self);
    }
}

/// The weakest actions, which imply no other action: testing for them covers every action.
fn weakest(class: &ResourceClass) -> Vec<&'static Action> {
    let mut actions: Vec<&Action> = Vec::new();
    for way in Way::indirect(class) {
        if !actions.contains(&&way.action) {
            actions.push(&way.action);
        }
    }
    let is_weakest = |action: &&Action| {
        let mut others = actions.iter().filter(|other| *other != action);
        !others.any(|other| action.implies(other))
    };
    actions.iter().copied().filter(is_weakest).collect()
}

/// The grants that a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantScope {
    /// Every grant.
    All,
    /// The grants held by one of the subjects, and those on resources that the caller has access to.
    HeldOrOn(Reached),
    /// The grants of one holder.
    Of {
        /// The holder.
        holder: Subject,
        /// If set, only those that [`GrantScope::HeldOrOn`] includes.
        among: Option<Reached>,
    },
}

impl GrantScope {
    /// The part of the scope that one subject holds.
    #[must_use]
    pub(crate) fn of(self, holder: Subject) -> Self {
        let among = match self {
            Self::All => None,
            Self::HeldOrOn(reached) => Some(reached),
            Self::Of { among, .. } => among,
        };
        Self::Of { holder, among }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authz::policy::{Operation, Policy, Rule};
    use crate::authz::ways::When;

    #[test]
    fn each_path_is_evaluated_once() {
        let ways = Reach::to(None);
        let forms: Vec<&Holding> = ways
            .iter()
            .filter_map(|way| match way {
                Reach::SubmissionsOfForm(holding) => Some(holding),
                _ => None,
            })
            .collect();
        assert_eq!(
            forms.len(),
            2,
            "one for the form, one for its submission collection"
        );
        assert!(
            !forms[0].actions.contains(&Action::CREATE_SUBMISSIONS),
            "creating gives no access to existing submissions"
        );
    }

    #[test]
    fn managers_of_everything_need_grants_only_for_submissions() {
        for (action, submitted) in [
            (None, true),
            (Some(&Action::READ), true),
            (Some(&Action::MANAGE), false),
            (Some(&Action::CREATE_SUBMISSIONS), false),
        ] {
            let ways = Reach::of_managers_of_everything(action);
            let (everything, others): (Vec<&Reach>, Vec<&Reach>) = ways
                .iter()
                .partition(|way| matches!(way, Reach::Everything { .. }));
            assert_eq!(everything, [&Reach::Everything { submitted }], "{action:?}");
            let of_submissions = |way: &&Reach| matches!(way, Reach::Submission { .. });
            assert!(others.iter().all(of_submissions), "{others:?}");
        }
    }

    /// An [`ItemScope`] only considers grants under the anchors of the items, so there must be no other way to them.
    #[test]
    fn grants_on_items_are_the_only_way_to_list_them() {
        const FORM: ResourceClass = ResourceClass::FORM;
        for (operation, classes) in [
            (Operation::GroupList, vec![ResourceClass::GROUP]),
            (Operation::FormList, vec![FORM]),
            (
                Operation::FormListToFillIn,
                vec![FORM, ResourceClass::SUBMISSION_COLLECTION],
            ),
        ] {
            let Rule::OnItem(class, action) = Policy::default().of_items(operation) else {
                panic!("{operation:?} lists no items");
            };
            let ways = Way::to(&class, &action).map(|way| {
                assert_eq!(way.when, When::Always, "{way:?}");
                way.basis.holding().unwrap().class
            });
            assert_eq!(ways.collect::<Vec<_>>(), classes, "{operation:?}");
        }
    }
}
