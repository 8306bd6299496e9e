//! What a list may show: filters that a store selects by.
//!
//! They are made from the ways that single decisions try, so that an item is listed if and only if it can be read. A
//! scope names subjects, classes and actions; it holds no rule itself, and a store that applies it decides nothing.

use crate::authz::ways::{Basis, Way, submitted_actions};
use crate::model::action::Action;
use crate::model::form::{SubmissionRules, SubmissionState, SubmissionStates, SubmittedActions};
use crate::model::resource::ResourceClass;
use crate::model::subject::{Subject, UserId};

/// Everyone whose grants count for a caller: the user, the groups that reach the user, the dynamic groups.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subjects(Vec<Subject>);

impl Subjects {
    /// These subjects.
    pub fn new(subjects: Vec<Subject>) -> Self {
        Self(subjects)
    }

    /// Whether a subject is among them.
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
    /// The class of the resource that the grant is on.
    pub class: ResourceClass,
    /// The actions, any of which is enough.
    pub actions: Vec<Action>,
}

impl Holding {
    /// The grants that give an action on resources of a class.
    fn new(class: ResourceClass, action: &Action) -> Self {
        let actions = action.implied_by();
        Self { class, actions }
    }

    /// Adds the actions of another holding of the class.
    fn join(&mut self, other: &Self) {
        for action in &other.actions {
            if !self.actions.contains(action) {
                self.actions.push(action.clone());
            }
        }
    }
}

/// Which items of a class a list may show: groups, forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemScope {
    /// Every item.
    All,
    /// The items on which one of the subjects has such a grant.
    Granted {
        /// Whose grants count.
        subjects: Subjects,
        /// Which grants.
        holding: Holding,
    },
}

impl ItemScope {
    /// The items of `class` to which the subjects may do `action`.
    pub(crate) fn granted(subjects: Subjects, class: ResourceClass, action: &Action) -> Self {
        Self::Granted {
            subjects,
            holding: Holding::new(class, action),
        }
    }
}

/// Which forms a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormScope {
    /// The forms that can be read.
    pub readable: ItemScope,
    /// Of these only the ones whose submissions can be read, all or some; `None` does not ask.
    pub with_submissions: Option<SubmissionReach>,
}

/// The ways in which a caller reaches submissions of a form that is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionReach {
    /// Whose grants count.
    pub subjects: Subjects,
    /// Who asks.
    pub creator: UserId,
    /// Grants that reach everything submitted to the form they are on (as form or as submission collection).
    pub through_form: Vec<Holding>,
    /// Grants on the submission itself, in grant-based forms.
    pub own: Vec<Action>,
    /// Authorship and own grants count on drafts, and on submitted ones if the form allows one of these.
    pub in_force: SubmittedActions,
}

impl SubmissionReach {
    /// The ways to an action on submissions.
    pub(crate) fn to(action: &Action, subjects: Subjects, creator: UserId) -> Self {
        let through_form =
            Way::to(&ResourceClass::SUBMISSION, action).filter_map(|way| match way.basis {
                Basis::Grant(class, _) if class == ResourceClass::SUBMISSION => None,
                Basis::Grant(class, action) => Some(Holding::new(class, &action)),
                Basis::Authorship => None,
            });
        Self {
            subjects,
            creator,
            through_form: through_form.collect(),
            own: action.implied_by(),
            in_force: submitted_actions(action),
        }
    }
}

/// Which submissions of a known form a list may show: the union of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionScope {
    /// In these states, every submission.
    pub all: SubmissionStates,
    /// In these states, those of this creator.
    pub created: Option<(UserId, SubmissionStates)>,
    /// In these states, those on which one of the subjects holds one of the actions.
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

    /// The submissions of a form with these rules to which a user with these subjects may do an action. `holds` tells
    /// whether the user has a grant of the action, or of one that implies it, on the form or its submission collection.
    pub(crate) fn to(
        action: &Action,
        rules: &SubmissionRules,
        subjects: &Subjects,
        user: &UserId,
        holds: impl Fn(&ResourceClass, &Action) -> bool,
    ) -> Self {
        let mut scope = Self {
            all: SubmissionStates::NONE,
            created: None,
            granted: None,
        };
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

    /// The part of the scope in these states.
    #[must_use]
    pub(crate) fn in_states(self, states: SubmissionStates) -> Self {
        Self {
            all: self.all.intersection(states),
            created: self
                .created
                .map(|(creator, own)| (creator, own.intersection(states))),
            granted: self
                .granted
                .map(|(subjects, actions, own)| (subjects, actions, own.intersection(states))),
        }
    }
}

/// Which resources a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceScope {
    /// Every resource.
    All,
    /// Those that one of the ways leads to.
    Reached(Reached),
}

/// The resources that a caller reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// Whose grants count.
    pub subjects: Subjects,
    /// The ways, any of which is enough.
    pub ways: Vec<Reach>,
    /// Collections that the caller manages by a policy.
    pub managed_collections: Vec<ResourceClass>,
}

/// One way in which grants lead to resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// To collections and to items of every class but submissions, by grants on themselves: of one of the actions,
    /// or of any.
    Itself(Option<Vec<Action>>),
    /// To resources of a class, by grants on another class under the same anchor.
    SameAnchor {
        /// The class that is reached.
        target: ResourceClass,
        /// The grants that reach it.
        holding: Holding,
    },
    /// To submissions of grant-based forms by grants on themselves.
    Submission {
        /// One of these actions.
        actions: Vec<Action>,
        /// Submitted ones only if their form allows one of these; drafts always.
        in_force: SubmittedActions,
    },
    /// To submitted submissions of grant-based forms by grants on the form or its submission collection.
    SubmissionsOfForm(Holding),
}

impl Reach {
    /// The ways to an action on a resource; `None` is any action. Ways that differ only in their actions are joined, so
    /// that a store walks each path once.
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

    /// A way as stores walk it. `None` where [`Reach::Itself`] has it, and for authorship: submissions of creator-based
    /// forms are no resources.
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
                _ => {}
            }
        }
        reaches.push(self);
    }
}

/// The actions that are enough to test where any will do: those that imply no other.
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

/// Which grants a list may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantScope {
    /// Every grant.
    All,
    /// The grants that one of the subjects holds, and those on resources that the ways lead to.
    HeldOrOn(Reached),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authz::policy::{Operation, Policy, Rule};

    #[test]
    fn every_path_is_walked_once() {
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
            "creating says nothing about what is there"
        );
    }

    /// An [`ItemScope`] names the grants on the items themselves, so that there must be no other way to them.
    #[test]
    fn grants_on_items_are_the_only_way_to_list_them() {
        for operation in [Operation::GroupList, Operation::FormList] {
            let Rule::OnItem(class, action) = Policy::default().of_items(operation) else {
                panic!("{operation:?} lists no items");
            };
            let ways = Way::to(&class, &action).collect::<Vec<_>>();
            assert_eq!(ways.len(), 1, "{ways:?}");
        }
    }
}
