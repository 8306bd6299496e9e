//! What a list may show: filters that a store selects by.
//!
//! They are the rules of single decisions in another form, so that an item is listed if and only if it can be read. A scope
//! names subjects, classes and actions; it holds no rule itself, and whoever applies it decides nothing.

use crate::authz::decision::{SUBMISSION_ACTIONS, leaves_in_force};
use crate::model::action::{Action, Actions};
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
    fn new(class: ResourceClass, action: Action) -> Self {
        let actions = if action == Action::MANAGE {
            vec![action]
        } else {
            vec![action, Action::MANAGE]
        };
        Self { class, actions }
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
    pub(crate) fn granted(subjects: Subjects, class: ResourceClass, action: Action) -> Self {
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
    /// The ways to read submissions.
    pub(crate) fn reading(subjects: Subjects, creator: UserId) -> Self {
        Self {
            subjects,
            creator,
            through_form: on_submissions_of_form(&Action::READ),
            own: vec![Action::READ, Action::MANAGE],
            in_force: leaves_in_force(&Action::READ),
        }
    }
}

/// The grants on a form or its submission collection that give `action` on everything submitted.
fn on_submissions_of_form(action: &Action) -> Vec<Holding> {
    SUBMISSION_ACTIONS
        .into_iter()
        .filter(|row| row.submission.as_ref() == Some(action))
        .flat_map(|row| {
            [
                Holding::new(ResourceClass::FORM, row.form),
                Holding::new(ResourceClass::SUBMISSION_COLLECTION, row.collection),
            ]
        })
        .collect()
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

    /// The submissions of a form with these rules that a user with these subjects and effective actions on the form
    /// can read.
    pub(crate) fn readable(
        rules: &SubmissionRules,
        on_form: &Actions,
        subjects: Subjects,
        user: &UserId,
    ) -> Self {
        let all = if on_form.allows(&Action::READ_SUBMISSIONS) {
            [SubmissionState::Submitted].into_iter().collect()
        } else {
            SubmissionStates::NONE
        };
        let in_force = rules
            .allowed_actions_when_submitted
            .intersects(leaves_in_force(&Action::READ));
        let own_states = SubmissionState::ALL
            .iter()
            .copied()
            .filter(|state| in_force || *state == SubmissionState::Draft)
            .collect();
        if rules.grant_based {
            let actions = vec![Action::READ, Action::MANAGE];
            Self {
                all,
                created: None,
                granted: Some((subjects, actions, own_states)),
            }
        } else {
            Self {
                all,
                created: Some((user.clone(), own_states)),
                granted: None,
            }
        }
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
    /// The ways to have any effective action on a resource.
    pub(crate) fn by_any_action() -> Vec<Self> {
        let mut ways = vec![Self::Itself(None)];
        for row in SUBMISSION_ACTIONS {
            ways.push(Self::SameAnchor {
                target: ResourceClass::FORM,
                holding: Holding::new(ResourceClass::SUBMISSION_COLLECTION, row.collection),
            });
            ways.push(Self::SameAnchor {
                target: ResourceClass::SUBMISSION_COLLECTION,
                holding: Holding::new(ResourceClass::FORM, row.form),
            });
        }
        for action in [Action::READ, Action::UPDATE, Action::DELETE] {
            ways.push(Self::Submission {
                actions: vec![action.clone(), Action::MANAGE],
                in_force: leaves_in_force(&action),
            });
            ways.extend(
                on_submissions_of_form(&action)
                    .into_iter()
                    .map(Self::SubmissionsOfForm),
            );
        }
        merge(ways)
    }

    /// The ways to manage a resource.
    pub(crate) fn by_managing() -> Vec<Self> {
        vec![
            Self::Itself(Some(vec![Action::MANAGE])),
            Self::SameAnchor {
                target: ResourceClass::SUBMISSION_COLLECTION,
                holding: Holding::new(ResourceClass::FORM, Action::MANAGE),
            },
            Self::Submission {
                actions: vec![Action::MANAGE],
                in_force: leaves_in_force(&Action::MANAGE),
            },
        ]
    }
}

/// Joins ways that differ only in their actions, so that a store walks each path once.
fn merge(ways: Vec<Reach>) -> Vec<Reach> {
    let mut merged: Vec<Reach> = Vec::new();
    for way in ways {
        let twin = merged.iter_mut().find_map(|known| match (known, &way) {
            (
                Reach::SameAnchor { target, holding },
                Reach::SameAnchor {
                    target: other_target,
                    holding: other,
                },
            ) if target == other_target && holding.class == other.class => Some((holding, other)),
            (Reach::SubmissionsOfForm(holding), Reach::SubmissionsOfForm(other))
                if holding.class == other.class =>
            {
                Some((holding, other))
            }
            _ => None,
        });
        match twin {
            Some((holding, other)) => {
                let fresh: Vec<Action> = other
                    .actions
                    .iter()
                    .filter(|action| !holding.actions.contains(action))
                    .cloned()
                    .collect();
                holding.actions.extend(fresh);
            }
            None => merged.push(way),
        }
    }
    merged
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

    #[test]
    fn every_path_is_walked_once() {
        let ways = Reach::by_any_action();
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
}
