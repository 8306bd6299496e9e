//! What a user sees in a scenario. Checks, lists and granted actions are compared with the model and thereby with each
//! other.

use std::collections::BTreeSet;
use std::fmt::Debug;

use formalize_core::{
    Action, Caller, PageSize, Result,
    authorization::{Permission, PermissionCheck},
};
use formalize_tests::world::action;

use crate::model::words::ACTIONS;
use crate::model::{Actor, Model, Place, Words};
use crate::service::{Service, case_of, words};

mod authorization;
mod feed;
mod forms;

/// The lists of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Groups,
    Memberships,
    Resources,
    Grants,
    Forms,
    Submissions,
    Links,
    Classes,
}

impl List {
    pub(crate) const ALL: [Self; 8] = [
        Self::Groups,
        Self::Memberships,
        Self::Resources,
        Self::Grants,
        Self::Forms,
        Self::Submissions,
        Self::Links,
        Self::Classes,
    ];
}

/// What to compare closely. With many scenarios, each one needs to cover only a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Focus {
    /// The list that is also read in pages.
    pub(crate) list: List,
    pub(crate) page_size: u32,
    /// One of [`Focus::LOTS`] shares of all filters and actions.
    pub(crate) lot: usize,
}

impl Focus {
    pub(crate) const LOTS: usize = 10;

    /// The first value and this lot's share of the others.
    fn share<T>(self, all: Vec<T>) -> impl Iterator<Item = T> {
        let numbered = all.into_iter().enumerate();
        let mine = numbered.filter(move |(at, _)| *at == 0 || at % Self::LOTS == self.lot);
        mine.map(|(_, it)| it)
    }
}

/// A user who compares.
pub(crate) struct Onlooker<'a> {
    service: &'a Service,
    model: &'a Model,
    actor: Actor,
    caller: Caller,
    focus: Focus,
    /// The effective actions for each place according to the model.
    effective: Vec<(Place, Words)>,
}

impl<'a> Onlooker<'a> {
    pub(crate) fn new(service: &'a Service, model: &'a Model, actor: Actor, focus: Focus) -> Self {
        let places = model.places().into_iter();
        let effective = places.map(|place| (place, model.effective(actor, place)));
        Self {
            service,
            model,
            actor,
            caller: service.caller(actor),
            focus,
            effective: effective.collect(),
        }
    }

    pub(crate) async fn look(&self) {
        self.look_at_granted_actions().await;
        self.look_at_groups().await;
        self.look_at_memberships().await;
        self.look_at_resources().await;
        self.look_at_grants().await;
        self.look_at_classes().await;
        self.look_at_forms().await;
        self.look_at_submissions().await;
        self.look_at_links().await;
        self.look_at_feed().await;
    }

    fn effective(&self, place: Place) -> &Words {
        let mut known = self.effective.iter();
        let found = known.find(|(it, _)| *it == place);
        &found.expect("every place is known").1
    }

    fn may(&self, action: &str, place: Place) -> bool {
        let effective = self.effective(place);
        effective.contains("manage") || effective.contains(action)
    }

    /// Whether the actor sees the resource at a place. A link sees nothing.
    fn sees(&self, place: Place) -> bool {
        !matches!(self.actor, Actor::Link(_)) && !self.effective(place).is_empty()
    }

    fn page_size(&self, list: List) -> Option<PageSize> {
        (self.focus.list == list).then(|| PageSize::new(self.focus.page_size).unwrap())
    }

    /// A read must fail with the expected error or return the expected value.
    fn same<T: Debug + PartialEq>(
        &self,
        read: Result<T>,
        expected: Result<T, &str>,
        what: impl Debug,
    ) {
        let read = read.map_err(|error| case_of(&error));
        let expected = expected.map_err(str::to_owned);
        assert_eq!(read, expected, "{:?} reads {what:?}", self.actor);
    }

    async fn look_at_granted_actions(&self) {
        let resources = self.service.world.resources();
        for (place, expected) in &self.effective {
            let resource = self.service.resource(*place);
            let granted = resources.granted_actions(&self.caller, &resource).await;
            self.same(granted.map(|it| words(&it)), Ok(expected.clone()), place);
        }
        let all = self.effective.iter().zip(ACTIONS.iter().cycle());
        for ((place, _), word) in self.focus.share(all.collect()) {
            let (resource, asked) = (self.service.resource(*place), action(word));
            let granted = resources.is_granted(&self.caller, &resource, &asked);
            let is_defined = place.actions().contains(word);
            let expected = is_defined && self.may(word, *place);
            self.same(granted.await, Ok(expected), (place, word));
        }
        self.look_at_checks().await;
    }

    /// All checks at once: each action of each place.
    async fn look_at_checks(&self) {
        let places = self.effective.iter().map(|(place, _)| *place);
        let asked: Vec<_> = places
            .flat_map(|place| ACTIONS.iter().map(move |word| (place, *word)))
            .collect();
        let checks = asked.iter().map(|(place, word)| {
            let resource = self.service.resource(*place);
            let identifier = resource.identifier.map(|it| it.to_string());
            PermissionCheck {
                class: resource.class.to_string(),
                identifier,
                action: (*word).to_owned(),
            }
        });
        let checks: Vec<_> = checks.collect();
        let expected = asked.iter().map(|(place, word)| {
            if !place.actions().contains(word) {
                Permission::ActionUndefined
            } else if self.may(word, *place) {
                Permission::Granted
            } else {
                Permission::Denied
            }
        });
        let resources = self.service.world.resources();
        let permissions = resources.check_all(&self.caller, &checks).await;
        self.same(permissions, Ok(expected.collect()), "checks");
    }

    /// A class is available to users who may do anything with any of its resources.
    async fn look_at_classes(&self) {
        let service = self.service.world.actions();
        let list = async |request| service.list(&self.caller, &request).await;
        let listed = crate::paging::read(self.page_size(List::Classes), list).await;
        let listed = listed.map(|classes| {
            let classes = classes.into_iter().map(|it| it.class.to_string());
            classes.collect::<Vec<_>>()
        });
        let resources = self.model.resources.iter().map(|(_, place)| *place);
        let visible = resources.filter(|place| self.sees(*place));
        let expected: BTreeSet<String> = visible
            .map(|place| crate::service::class_of(place).to_string())
            .collect();
        self.same(listed, Ok(expected.into_iter().collect()), "classes");
    }
}

/// The only action on a grant.
fn deletable(can_be: bool) -> formalize_core::Actions {
    can_be.then_some(Action::DELETE).into_iter().collect()
}
