//! Reproducible random numbers, and random values based on them.

use uuid::Uuid;

use formalize_core::store::Window;
use formalize_core::store::scope::{
    FormScope, GrantScope, Holding, ItemScope, Reach, Reached, ResourceScope, Subjects,
    SubmissionReach, SubmissionScope,
};
use formalize_core::{
    Action, ResourceClass, ResourceFilter, Subject, SubmissionRules, SubmissionState,
    authorization::IdentifierFilter,
    forms::{
        FrontendKey, FrontendKeys, SubmissionLimit, SubmissionStates, SubmittedAction,
        SubmittedActions,
    },
    submissions::Tags,
};

use crate::store::list::List;
use crate::store::random::world::World;
use crate::store::samples::{action, class, dynamic, frontend_key, holder, limit, tags, user};
use formalize_core::internals::scopes::{
    any_access, any_access_of_managers, held_by, items, managing, readable_submissions,
};

pub(super) const USERS: [&str; 7] = ["alice", "Alice", "bob", "é", "e\u{301}", "a%", "carol "];
pub(super) const NAMES: [&str; 6] = ["Readers", "readers", "Ärzte", "ärzte 2", "100%", "a_b\\"];
/// Keys of forms, of which some differ in case only.
const KEYS: [&str; 4] = ["survey", "Survey", "a.b", "~"];
/// Tags, of which some differ in case only, and one is JSON.
const TAGS: [&str; 4] = ["checked", "Checked", "[\"é\"]", " "];
const SEARCHES: [&str; 7] = ["", "read", "ärzte", "s", "%", "_", "\\"];

/// A generator of pseudo-random numbers (`SplitMix64`).
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, which must not be zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        usize::try_from(self.next() % bound).unwrap_or_default()
    }

    /// Returns `true` with a probability in percent.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// An element of `from`, which must not be empty.
    #[expect(clippy::indexing_slicing, reason = "the index is below the length")]
    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// A random selection that contains each element with a probability in percent.
    pub(super) fn some_of<T: Clone>(&mut self, from: &[T], percent: usize) -> Vec<T> {
        let picked = from.iter().filter(|_| self.percent(percent));
        picked.cloned().collect()
    }

    pub(super) fn state(&mut self) -> SubmissionState {
        self.pick(SubmissionState::ALL)
    }

    fn states(&mut self) -> SubmissionStates {
        self.some_of(SubmissionState::ALL, 60).into_iter().collect()
    }

    fn submitted_actions(&mut self) -> SubmittedActions {
        self.some_of(SubmittedAction::ALL, 30).into_iter().collect()
    }

    pub(super) fn rules(&mut self) -> SubmissionRules {
        SubmissionRules {
            grant_based: self.percent(60),
            allowed_actions_when_submitted: self.submitted_actions(),
            limit: self.limit(),
            ..SubmissionRules::default()
        }
    }

    /// A limit that some of the submissions exceed, or none.
    fn limit(&mut self) -> Option<SubmissionLimit> {
        let is_limited = self.percent(50);
        let number = i64::try_from(self.below(6)).unwrap_or_default();
        is_limited.then(|| limit(number))
    }

    /// The key of a form, or none.
    pub(super) fn key(&mut self) -> Option<FrontendKey> {
        let key = self.pick(&KEYS);
        self.percent(70).then(|| frontend_key(key))
    }

    pub(super) fn tags(&mut self) -> Tags {
        tags(&self.some_of(&TAGS, 40))
    }

    fn keys(&mut self) -> FrontendKeys {
        let mut some = |percent| {
            let keys = self.some_of(&KEYS, percent);
            keys.into_iter().map(frontend_key).collect()
        };
        let (any_of, none_of) = (some(50), some(20));
        FrontendKeys {
            any_of: self.percent(40).then_some(any_of),
            none_of,
        }
    }

    pub(super) fn class(&mut self) -> ResourceClass {
        let own = [class("thing"), class("Thing")];
        self.pick(&[&ResourceClass::BUILT_IN[..], &own[..]].concat())
    }

    pub(super) fn action(&mut self) -> Action {
        self.pick(&[
            Action::READ,
            Action::READ,
            Action::UPDATE,
            Action::DELETE,
            Action::MANAGE,
            Action::MANAGE,
            Action::READ_SUBMISSIONS,
            Action::UPDATE_SUBMISSIONS,
            Action::CREATE_SUBMISSIONS,
            Action::CREATE,
            action("Read"),
        ])
    }

    pub(super) fn subject(&mut self, world: &World) -> Subject {
        match self.below(10) {
            0..4 => holder(self.pick(&USERS)),
            4..8 if !world.groups.is_empty() => Subject::Group(self.pick(&world.groups).id),
            8 => dynamic("alice"),
            _ => dynamic("everybody"),
        }
    }

    /// A few subjects, possibly with duplicates.
    pub(super) fn subjects(&mut self, world: &World) -> Subjects {
        let count = self.below(12);
        Subjects::new((0..count).map(|_| self.subject(world)).collect())
    }

    /// Usually a holding on this class, with few actions or none.
    fn holding(&mut self, class: ResourceClass) -> Holding {
        let count = self.below(5);
        Holding {
            class: if self.percent(80) {
                class
            } else {
                self.class()
            },
            actions: (0..count).map(|_| self.action()).collect(),
        }
    }

    /// A holding on an item of a class. Anchors of other resources are no such items.
    fn holding_on(&mut self, class: &ResourceClass) -> Holding {
        if *class == ResourceClass::FORM {
            return self.holding_on_form();
        }
        Holding {
            class: class.clone(),
            ..self.holding(class.clone())
        }
    }

    /// A holding on a form or on its submissions.
    fn holding_on_form(&mut self) -> Holding {
        let classes = [ResourceClass::FORM, ResourceClass::SUBMISSION_COLLECTION];
        let class = self.pick(&classes);
        Holding {
            class,
            ..self.holding(ResourceClass::FORM)
        }
    }

    fn item_scope(&mut self, world: &World, class: &ResourceClass) -> ItemScope {
        let subjects = self.subjects(world);
        match self.below(5) {
            0 => ItemScope::All,
            1 | 2 => items(subjects, class, &self.action()),
            _ => {
                let count = self.below(3);
                let holdings = (0..count).map(|_| self.holding_on(class)).collect();
                ItemScope::Granted { subjects, holdings }
            }
        }
    }

    fn submission_reach(&mut self, world: &World) -> SubmissionReach {
        let creator = user(self.pick(&USERS));
        let reach = readable_submissions(self.subjects(world), creator);
        if self.percent(50) {
            return reach;
        }
        let count = self.below(3);
        SubmissionReach {
            through_form: (0..count).map(|_| self.holding_on_form()).collect(),
            own: vec![self.action(), self.action()],
            in_force: self.submitted_actions(),
            ..reach
        }
    }

    fn way(&mut self) -> Reach {
        let actions = vec![self.action(), self.action()];
        match self.below(6) {
            0 => Reach::Itself(None),
            1 => Reach::Itself(Some(actions)),
            2 => self.same_anchor(),
            3 => Reach::Submission {
                actions,
                in_force: self.submitted_actions(),
            },
            4 => Reach::Everything {
                submitted: self.percent(60),
            },
            _ => Reach::SubmissionsOfForm(self.holding_on_form()),
        }
    }

    fn same_anchor(&mut self) -> Reach {
        let mut classes = [ResourceClass::FORM, ResourceClass::SUBMISSION_COLLECTION];
        if self.percent(50) {
            classes.reverse();
        }
        let [target, class] = classes;
        let actions = vec![self.action(), self.action()];
        Reach::SameAnchor {
            target,
            holding: Holding { class, actions },
        }
    }

    fn reached(&mut self, world: &World) -> Reached {
        let ways = match self.below(5) {
            0 => any_access(),
            1 => managing(),
            2 => any_access_of_managers(),
            _ => {
                let count = self.below(4);
                (0..count).map(|_| self.way()).collect()
            }
        };
        let managed = self.below(3).saturating_sub(1);
        Reached {
            subjects: self.subjects(world),
            ways,
            managed_collections: (0..managed).map(|_| self.class()).collect(),
        }
    }

    fn submission_scope(&mut self, world: &World) -> SubmissionScope {
        let created = (user(self.pick(&USERS)), self.states());
        let actions = vec![Action::READ, self.action(), self.action()];
        let granted = (self.subjects(world), actions, self.states());
        SubmissionScope {
            all: self.some_of(SubmissionState::ALL, 20).into_iter().collect(),
            created: self.percent(50).then_some(created),
            granted: self.percent(60).then_some(granted),
        }
    }

    fn filter(&mut self, world: &World) -> ResourceFilter {
        let of = self.pick(&world.resources).resource;
        ResourceFilter {
            class: self.percent(20).then_some(of.class),
            identifier: match self.below(20) {
                0..6 => IdentifierFilter::Items,
                6 | 7 => IdentifierFilter::Collections,
                8 | 9 => of.identifier.into(),
                _ => IdentifierFilter::Any,
            },
        }
    }

    pub(super) fn list(&mut self, world: &World) -> List {
        match self.below(12) {
            0 | 1 => {
                let search = self.percent(40).then(|| self.pick(&SEARCHES).to_owned());
                List::Groups(self.item_scope(world, &ResourceClass::GROUP), search)
            }
            2 => List::Memberships(self.pick(&world.groups).id),
            3..6 => {
                let scope = ResourceScope::Reached(self.reached(world));
                List::Resources(scope, self.filter(world))
            }
            6 | 7 => {
                let scope = GrantScope::HeldOrOn(self.reached(world));
                let scope = match self.below(3) {
                    0 => held_by(self.subject(world), GrantScope::All),
                    1 => held_by(self.subject(world), scope),
                    _ => scope,
                };
                List::Grants(scope, self.filter(world))
            }
            8 | 9 => {
                let items = self.item_scope(world, &ResourceClass::FORM);
                let reach = self.submission_reach(world);
                List::Forms(FormScope {
                    items,
                    with_submissions: self.percent(60).then_some(reach),
                    keys: self.keys(),
                })
            }
            _ => {
                let creator = self.percent(20).then(|| self.pick(&USERS).to_owned());
                let (form, scope) = (self.pick(&world.forms).id, self.submission_scope(world));
                if self.percent(40) {
                    List::Tagged(form, scope, creator, self.pick(&TAGS).to_owned())
                } else {
                    List::Submissions(form, scope, creator)
                }
            }
        }
    }

    /// A window into a list of these rows.
    pub(super) fn window(&mut self, whole: &[Uuid]) -> Window {
        let after = match self.below(3) {
            0 => Uuid::nil(),
            _ if whole.is_empty() => Uuid::max(),
            _ => self.pick(whole),
        };
        let number = |bound| u64::try_from(bound).unwrap_or_default();
        Window {
            after,
            skip: number(self.below(3)),
            limit: number(self.below(7)),
            ..Window::ALL
        }
    }
}
