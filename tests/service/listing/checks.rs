//! Comparisons of the service with the model, for one caller.

use std::collections::BTreeSet;
use std::fmt::Debug;

use formalize_core::{
    Action, Actions, Caller, Error, FormFilter, Grant, GroupFilter, OutputValidation, PageRequest,
    Resource, ResourceFilter, ResourceRef, Result, SubmissionFilter, SubmissionState, Viewed,
};
use formalize_tests::world::{World, everything, user_with};

use super::model::{GrantKey, Model, Words};
use super::paging::{self, Ways};
use super::steps::dynamic_groups_of;

/// Somebody who looks.
pub(super) struct Onlooker<'a> {
    world: &'a World,
    model: &'a Model,
    /// `None` is the system.
    user: Option<&'static str>,
    caller: Caller,
    pages: Ways,
}

impl<'a> Onlooker<'a> {
    pub(super) fn new(
        world: &'a World,
        model: &'a Model,
        user: Option<&'static str>,
        page_size: u32,
    ) -> Self {
        let caller = user.map_or(Caller::System, |user| {
            user_with(user, "groups", dynamic_groups_of(user))
        });
        Self {
            world,
            model,
            user,
            caller,
            pages: Ways::Pages(page_size),
        }
    }

    pub(super) async fn check(&self) {
        self.check_granted_actions().await;
        self.check_groups().await;
        self.check_memberships().await;
        self.check_resources().await;
        self.check_grants().await;
        self.check_forms().await;
        self.check_submissions().await;
        self.check_classes().await;
    }

    fn may(&self, action: &str, resource: &ResourceRef) -> bool {
        self.model.may(self.user, action, resource)
    }

    fn effective(&self, resource: &ResourceRef) -> Words {
        self.model.effective(self.user, resource)
    }

    /// What the service shows as effective actions must be what the model says.
    fn same(&self, shown: &Actions, resource: &ResourceRef) {
        let shown: Words = shown.iter().map(ToString::to_string).collect();
        let expected = self.effective(resource);
        assert_eq!(shown, expected, "{:?} on {resource:?}", self.user);
    }

    /// A read by identifier must succeed exactly if the model says so.
    fn read<T: Debug>(&self, read: Result<T>, may: bool, what: &impl Debug) -> Option<T> {
        match read {
            Ok(item) => {
                assert!(may, "{:?} may not read {what:?}", self.user);
                Some(item)
            }
            Err(Error::Forbidden) => {
                assert!(!may, "{:?} may read {what:?}", self.user);
                None
            }
            Err(error) => panic!("{:?} reads {what:?}: {error}", self.user),
        }
    }

    async fn check_granted_actions(&self) {
        let resources = self.world.resources();
        for resource in self.model.places() {
            let actions = resources.granted_actions(&self.caller, &resource).await;
            self.same(&actions.unwrap(), &resource);
        }
    }

    async fn check_groups(&self) {
        let groups = self.world.groups();
        let mut readable = BTreeSet::new();
        for id in &self.model.groups {
            let resource = ResourceRef::group(*id);
            let read = groups.get(&self.caller, *id).await;
            if let Some(view) = self.read(read, self.may("read", &resource), id) {
                self.same(&view.granted_actions, &resource);
                readable.insert(*id);
            }
        }
        let filter = GroupFilter::default();
        let list = async |request: PageRequest| groups.list(&self.caller, &filter, &request).await;
        let listed = paging::read(self.pages, |it| it.item.id, list).await;
        for view in &listed {
            self.same(&view.granted_actions, &ResourceRef::group(view.item.id));
        }
        let listed: BTreeSet<_> = listed.iter().map(|it| it.item.id).collect();
        assert_eq!(listed, readable, "{:?}", self.user);
    }

    async fn check_memberships(&self) {
        let memberships = self.world.memberships();
        for group in &self.model.groups {
            let may = self.may("read", &ResourceRef::group(*group));
            let of_system = memberships
                .list(&Caller::System, *group, &everything())
                .await;
            for membership in of_system.unwrap().items {
                let read = memberships.get(&self.caller, membership.id).await;
                self.read(read, may, &membership);
            }
            let first = memberships.list(&self.caller, *group, &everything()).await;
            if self.read(first, may, group).is_none() {
                continue;
            }
            let list =
                async |request: PageRequest| memberships.list(&self.caller, *group, &request).await;
            let listed = paging::read(self.pages, |it| it.id, list).await;
            let listed: BTreeSet<_> = listed.into_iter().map(|it| (it.group, it.member)).collect();
            let expected = self.model.memberships.iter();
            let expected = expected.filter(|(outer, _)| outer == group).cloned();
            assert_eq!(listed, expected.collect());
        }
    }

    /// Pages are tried without a filter and with two filters; more would tell nothing new and take long.
    fn in_ways<F>(&self, filters: Vec<F>) -> impl Iterator<Item = (F, Ways)> {
        let paged = std::iter::repeat_n(self.pages, 3);
        let ways = paged.chain(std::iter::repeat(Ways::Whole));
        filters.into_iter().zip(ways)
    }

    async fn list_resources(&self, filter: &ResourceFilter, ways: Ways) -> Vec<Viewed<Resource>> {
        let resources = self.world.resources();
        let list =
            async |request: PageRequest| resources.list(&self.caller, filter, &request).await;
        paging::read(ways, |it| it.item.id, list).await
    }

    async fn check_resources(&self) {
        let resources = self.world.resources();
        let filter = ResourceFilter::default();
        let of_system = resources
            .list(&Caller::System, &filter, &everything())
            .await;
        let of_system = of_system.unwrap().items;
        let all: BTreeSet<ResourceRef> = of_system
            .iter()
            .map(|it| it.item.resource.clone())
            .collect();
        assert_eq!(all, self.model.resources);
        for record in &of_system {
            let may = !self.effective(&record.item.resource).is_empty();
            let read = resources.get(&self.caller, record.item.id).await;
            if let Some(view) = self.read(read, may, &record.item.resource) {
                self.same(&view.granted_actions, &record.item.resource);
            }
        }
        for (filter, ways) in self.in_ways(filters(&self.model.resources)) {
            let listed = self.list_resources(&filter, ways).await;
            for view in &listed {
                self.same(&view.granted_actions, &view.item.resource);
            }
            let listed: BTreeSet<_> = listed.into_iter().map(|it| it.item.resource).collect();
            let expected = self.model.resources.iter().filter(|resource| {
                passes(&filter, resource) && !self.effective(resource).is_empty()
            });
            assert_eq!(
                listed,
                expected.cloned().collect(),
                "{:?} {filter:?}",
                self.user
            );
        }
    }

    async fn list_grants(&self, filter: &ResourceFilter, ways: Ways) -> Vec<Viewed<Grant>> {
        let grants = self.world.grants();
        let list = async |request: PageRequest| grants.list(&self.caller, filter, &request).await;
        paging::read(ways, |it| it.item.id, list).await
    }

    fn sees(&self, (subject, _, on): &GrantKey) -> bool {
        let holds = self
            .user
            .is_some_and(|user| self.model.counts_for(user, subject));
        holds || self.may("manage", on)
    }

    async fn check_grants(&self) {
        let grants = self.world.grants();
        let filter = ResourceFilter::default();
        let of_system = grants.list(&Caller::System, &filter, &everything()).await;
        let of_system = of_system.unwrap().items;
        let all: BTreeSet<GrantKey> = of_system.iter().map(|it| key(&it.item)).collect();
        assert_eq!(all, self.model.grants);
        for grant in &of_system {
            let key = key(&grant.item);
            let read = grants.get(&self.caller, grant.item.id).await;
            if let Some(view) = self.read(read, self.sees(&key), &key) {
                self.check_deletable(&view);
            }
        }
        for (filter, ways) in self.in_ways(filters(&self.model.resources)) {
            let listed = self.list_grants(&filter, ways).await;
            for view in &listed {
                self.check_deletable(view);
            }
            let listed: BTreeSet<_> = listed.iter().map(|it| key(&it.item)).collect();
            let expected = self.model.grants.iter();
            let expected = expected.filter(|it| passes(&filter, &it.2) && self.sees(it));
            assert_eq!(
                listed,
                expected.cloned().collect(),
                "{:?} {filter:?}",
                self.user
            );
        }
    }

    /// Whoever manages the resource may delete a grant on it.
    fn check_deletable(&self, view: &Viewed<Grant>) {
        let expected: Actions = self
            .may("manage", &view.item.resource.resource)
            .then_some(Action::DELETE)
            .into_iter()
            .collect();
        assert_eq!(view.granted_actions, expected);
    }

    async fn check_forms(&self) {
        let forms = self.world.forms();
        let mut readable = BTreeSet::new();
        for id in self.model.forms.keys() {
            let resource = ResourceRef::form(*id);
            let read = forms.get(&self.caller, *id).await;
            if let Some(view) = self.read(read, self.may("read", &resource), id) {
                self.same(&view.granted_actions, &resource);
                let own = self.model.submissions.values();
                let own = own.filter(|it| it.form == *id && Some(it.creator) == self.user);
                assert_eq!(
                    view.num_submissions_by_caller,
                    i64::try_from(own.count()).ok()
                );
                readable.insert(*id);
            }
        }
        for where_read_form_submissions_granted in [false, true] {
            let filter = FormFilter {
                where_read_form_submissions_granted,
            };
            let list =
                async |request: PageRequest| forms.list(&self.caller, filter, &request).await;
            let listed = paging::read(self.pages, |it| it.form.id, list).await;
            for view in &listed {
                self.same(&view.granted_actions, &ResourceRef::form(view.form.id));
            }
            let listed: BTreeSet<_> = listed.iter().map(|it| it.form.id).collect();
            let mut expected = readable.clone();
            expected.retain(|form| {
                !where_read_form_submissions_granted || self.reads_submissions_of(*form)
            });
            assert_eq!(listed, expected, "{:?} {filter:?}", self.user);
        }
    }

    /// Whether the caller may read all submissions of a form (even if there are none), or one of those that there are.
    fn reads_submissions_of(&self, form: formalize_core::FormId) -> bool {
        let mut submissions = self.model.submissions_of(form).into_iter();
        self.may("read_submissions", &ResourceRef::form(form))
            || submissions.any(|it| self.may("read", &ResourceRef::submission(it)))
    }

    async fn check_submissions(&self) {
        let submissions = self.world.submissions();
        let mut readable = BTreeSet::new();
        for id in self.model.submissions.keys() {
            let resource = ResourceRef::submission(*id);
            let read = submissions.get(&self.caller, *id).await;
            if let Some(view) = self.read(read, self.may("read", &resource), id) {
                self.same(&view.granted_actions, &resource);
                readable.insert(*id);
            }
        }
        for form in self.model.forms.keys() {
            for (filter, ways) in self.in_ways(submission_filters()) {
                let list = async |request: PageRequest| {
                    submissions
                        .list(&self.caller, *form, &filter, &request)
                        .await
                };
                let listed = paging::read(ways, |it| it.item.id, list).await;
                for view in &listed {
                    let resource = ResourceRef::submission(view.item.id);
                    self.same(&view.granted_actions, &resource);
                }
                let listed: BTreeSet<_> = listed.iter().map(|it| it.item.id).collect();
                let expected = readable.iter().filter(|id| {
                    let facts = &self.model.submissions[*id];
                    let is_draft = filter.state.map(|it| it == SubmissionState::Draft);
                    facts.form == *form
                        && is_draft.is_none_or(|it| it == facts.is_draft)
                        && filter.creator.as_ref().is_none_or(|it| it == facts.creator)
                });
                assert_eq!(
                    listed,
                    expected.copied().collect(),
                    "{:?} {filter:?}",
                    self.user
                );
            }
        }
    }

    /// A class is available to whoever may do anything with anything of it.
    async fn check_classes(&self) {
        let actions = self.world.actions();
        let list = async |request: PageRequest| actions.list(&self.caller, &request).await;
        let listed = paging::read(self.pages, |it| it.class.clone(), list).await;
        let listed: BTreeSet<_> = listed.into_iter().map(|it| it.class).collect();
        let visible = self.model.resources.iter();
        let visible = visible.filter(|resource| !self.effective(resource).is_empty());
        let expected = visible.map(|resource| resource.class.clone()).collect();
        assert_eq!(listed, expected, "{:?}", self.user);
    }
}

fn key(grant: &Grant) -> GrantKey {
    let Grant {
        subject,
        action,
        resource,
        ..
    } = grant.clone();
    (subject, action, resource.resource)
}

/// No filter, one for each class, one for some single resource of each class, and one that nothing passes.
fn filters(resources: &BTreeSet<ResourceRef>) -> Vec<ResourceFilter> {
    let mut filters = vec![ResourceFilter::default()];
    let mut classes = BTreeSet::new();
    for resource in resources {
        if classes.insert(&resource.class) {
            filters.push(ResourceFilter {
                class: Some(resource.class.to_string()),
                identifier: None,
            });
            let mut of_class = resources.iter().filter(|it| it.class == resource.class);
            if let Some(identifier) = of_class.find_map(|it| it.identifier.as_ref()) {
                filters.push(ResourceFilter {
                    class: Some(resource.class.to_string()),
                    identifier: Some(identifier.to_string()),
                });
                filters.push(ResourceFilter {
                    class: None,
                    identifier: Some(identifier.to_string()),
                });
            }
        }
    }
    // What no resource can have is still a filter.
    for (class, identifier) in [
        (Some("Unknown"), None),
        (Some(""), None),
        (None, Some("")),
        (None, Some("\0")),
    ] {
        filters.push(ResourceFilter {
            class: class.map(str::to_owned),
            identifier: identifier.map(str::to_owned),
        });
    }
    filters
}

fn passes(filter: &ResourceFilter, resource: &ResourceRef) -> bool {
    let identifier = resource.identifier.as_ref().map(ToString::to_string);
    filter
        .class
        .as_ref()
        .is_none_or(|it| it == resource.class.as_str())
        && (filter.identifier.is_none() || filter.identifier == identifier)
}

fn submission_filters() -> Vec<SubmissionFilter> {
    let creators = [None, Some("alice".to_owned()), Some("a\0".to_owned())];
    let states = [
        None,
        Some(SubmissionState::Draft),
        Some(SubmissionState::Submitted),
    ];
    let filters = creators.into_iter().flat_map(|creator| {
        states.map(|state| SubmissionFilter {
            creator: creator.clone(),
            state,
            output: OutputValidation::None,
        })
    });
    filters.collect()
}
