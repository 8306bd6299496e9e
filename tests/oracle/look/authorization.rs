//! Groups, memberships, resources and grants.

use formalize_core::{
    Caller, Grant, GrantId, GroupFilter, GroupId, Member, Membership, Resource, ResourceClass,
    ResourceFilter, ResourceId, Viewed, authorization::IdentifierFilter,
};
use formalize_tests::world::{action, everything};

use super::{List, Onlooker, deletable};
use crate::model::words::{ACTIONS, SEARCHES};
use crate::model::{Id, Place, Words};
use crate::paging;
use crate::service::{class_of, words};

impl Onlooker<'_> {
    pub(super) async fn look_at_groups(&self) {
        let groups = self.service.world.groups();
        let view = |view: Viewed<formalize_core::Group>| -> (GroupId, String, Words) {
            let granted = words(&view.granted_actions);
            (view.item.id, view.item.name.as_str().to_owned(), granted)
        };
        let mut readable = Vec::new();
        for id in 0..self.model.groups.len() {
            let read = groups.get(&self.caller, self.service.group(id)).await;
            let expected = self.group(id);
            readable.extend(expected.clone().ok());
            self.same(read.map(view), expected, ("group", id));
        }
        let list = async |request| groups.of_caller(&self.caller, &request).await;
        let listed = paging::read(self.page_size(List::Groups), list).await;
        let own = self.model.groups.iter().map(|(id, _)| id);
        let own = own.filter(|id| self.model.is_in_group(self.actor, *id));
        let own = own.map(|id| self.service.group(id)).collect();
        self.same(listed, Ok(own), "own groups");
        let searches = [None].into_iter().chain(SEARCHES.map(Some));
        for search in self.focus.share(searches.collect()) {
            let filter = GroupFilter {
                search: search.map(str::to_owned),
            };
            let list = async |request| groups.list(&self.caller, &filter, &request).await;
            let listed = paging::read(self.page_size(List::Groups), list).await;
            let listed = listed.map(|all| all.into_iter().map(view).collect());
            let search = search.unwrap_or_default().to_lowercase();
            let mut expected = readable.clone();
            expected.retain(|(_, name, _)| name.to_lowercase().contains(&search));
            self.same(listed, Ok(expected), ("groups with", search));
        }
    }

    fn group(&self, id: Id) -> Result<(GroupId, String, Words), &'static str> {
        let name = *self.model.groups.get(id).ok_or("GroupNotFound")?;
        if !self.may("read", Place::Group(id)) {
            return Err("Forbidden");
        }
        let granted = self.effective(Place::Group(id)).clone();
        Ok((self.service.group(id), name.to_owned(), granted))
    }

    pub(super) async fn look_at_memberships(&self) {
        let memberships = self.service.world.memberships();
        let view = |it: Membership| (it.id, it.group, it.member);
        for id in 0..self.model.memberships.len() {
            let read = memberships
                .get(&self.caller, self.service.membership(id))
                .await;
            let expected = match self.model.memberships.get(id) {
                None => Err("MembershipNotFound"),
                Some(it) if !self.may("read", Place::Group(it.group)) => Err("Forbidden"),
                Some(_) => Ok(self.membership(id)),
            };
            self.same(read.map(view), expected, ("membership", id));
        }
        for group in 0..self.model.groups.len() {
            let id = self.service.group(group);
            let list = async |request| memberships.list(&self.caller, id, &request).await;
            let listed = paging::read(self.page_size(List::Memberships), list).await;
            let listed = listed.map(|all| all.into_iter().map(view).collect());
            let of_group = self.model.memberships.iter();
            let of_group = of_group.filter(|(_, it)| it.group == group);
            let expected = self.group(group).map(|_| {
                let of_group = of_group.map(|(id, _)| self.membership(id));
                of_group.collect::<Vec<_>>()
            });
            self.same(listed, expected, ("members of", group));
        }
    }

    fn membership(&self, id: Id) -> (formalize_core::MembershipId, GroupId, Member) {
        let membership = self.model.memberships.get(id).expect("it exists");
        let group = self.service.group(membership.group);
        let member = self.service.member(membership.member);
        (self.service.membership(id), group, member)
    }

    /// The records of all resources, which only lists return.
    async fn resource_records(&self) -> Vec<(Place, ResourceId)> {
        let resources = self.service.world.resources();
        let filter = ResourceFilter::default();
        let all = resources
            .list(&Caller::System, &filter, &everything())
            .await;
        let all = all.unwrap().items.into_iter().map(|it| it.item);
        let all: Vec<Resource> = all.collect();
        let expected = self.model.resources.iter().map(|(_, place)| *place);
        let expected: Vec<Place> = expected.collect();
        // The collections come first, in the order of the catalogue.
        let (collections, items) = all.split_at(Place::COLLECTIONS.len().min(all.len()));
        let collection = |place: &Place| {
            let mut collections = collections.iter();
            let resource = self.service.resource(*place);
            collections
                .find(|it| it.resource == resource)
                .map(|it| it.id)
        };
        let found: Vec<_> = items.iter().map(|it| it.resource.clone()).collect();
        let (known, rest) = expected.split_at(Place::COLLECTIONS.len());
        let should_be: Vec<_> = rest.iter().map(|it| self.service.resource(*it)).collect();
        assert_eq!(found, should_be, "all resources");
        let of_collections = known
            .iter()
            .map(|it| (*it, collection(it).expect("it always exists")));
        let of_items = rest.iter().copied().zip(items.iter().map(|it| it.id));
        let mut records: Vec<_> = of_collections.chain(of_items).collect();
        records.sort_by_key(|(_, id)| *id);
        records
    }

    pub(super) async fn look_at_resources(&self) {
        let resources = self.service.world.resources();
        let view = |it: Viewed<Resource>| (it.item.id, words(&it.granted_actions));
        let records = self.resource_records().await;
        for (place, id) in &records {
            let read = resources.get(&self.caller, *id).await;
            let granted = self.effective(*place).clone();
            let expected = self.sees(*place).then_some((*id, granted));
            let expected = expected.ok_or("Forbidden");
            self.same(read.map(view), expected, place);
        }
        for filter in self.focus.share(self.filters()) {
            let list = async |request| resources.list(&self.caller, &filter, &request).await;
            let listed = paging::read(self.page_size(List::Resources), list).await;
            let listed = listed.map(|all| all.into_iter().map(view).collect());
            let visible = records
                .iter()
                .filter(|(place, _)| self.passes(&filter, *place) && self.sees(*place));
            let expected = visible.map(|(place, id)| (*id, self.effective(*place).clone()));
            self.same(listed, Ok(expected.collect::<Vec<_>>()), &filter);
        }
        let classes = Place::COLLECTIONS.into_iter();
        let asked = classes.flat_map(|class| ACTIONS.map(|word| (class, word)));
        for (collection, word) in self.focus.share(asked.collect()) {
            let (class, asked) = (class_of(collection), action(word));
            let list = async |request| {
                let listed = resources.list_by_action(&self.caller, &class, &asked, &request);
                listed.await
            };
            let listed = paging::read(self.page_size(List::Resources), list).await;
            let listed = listed.map(|all| all.into_iter().map(view).collect());
            let permitted = records.iter().filter(|(place, _)| {
                let is_item_of_class = place.collection() == collection && *place != collection;
                is_item_of_class
                    && place.actions().contains(&word)
                    && self.may(word, *place)
                    && self.sees(*place)
            });
            let expected = permitted.map(|(place, id)| (*id, self.effective(*place).clone()));
            self.same(listed, Ok(expected.collect::<Vec<_>>()), (class, word));
        }
    }

    /// The identifiers of all grants, which only lists return.
    async fn grant_records(&self) -> Vec<(Id, GrantId)> {
        let grants = self.service.world.grants();
        let filter = ResourceFilter::default();
        let all = grants.list(&Caller::System, &filter, &everything()).await;
        let all = all.unwrap().items.into_iter().map(|it| it.item);
        let all: Vec<Grant> = all.collect();
        let found: Vec<_> = all
            .iter()
            .map(|it| {
                let resource = it.resource.resource.clone();
                (it.subject.clone(), it.action.to_string(), resource)
            })
            .collect();
        let expected = self.model.grants.iter().map(|(_, grant)| {
            let subject = self.service.subject(grant.holder);
            (
                subject,
                grant.action.to_owned(),
                self.service.resource(grant.on),
            )
        });
        assert_eq!(found, expected.collect::<Vec<_>>(), "all grants");
        let ids = self.model.grants.iter().map(|(id, _)| id);
        ids.zip(all.iter().map(|it| it.id)).collect()
    }

    pub(super) async fn look_at_grants(&self) {
        let grants = self.service.world.grants();
        let view = |it: Viewed<Grant>| (it.item.id, it.granted_actions);
        let records = self.grant_records().await;
        let shown = |(id, record): &(Id, GrantId)| {
            let grant = self.model.grants.get(*id).expect("it exists");
            (*record, deletable(self.may("manage", grant.on)))
        };
        let records: Vec<_> = records
            .into_iter()
            .map(|it| (it, self.model.sees_grant(self.actor, it.0)))
            .collect();
        for (record, seen) in &records {
            let read = grants.get(&self.caller, record.1).await;
            let expected = seen.then(|| shown(record)).ok_or("Forbidden");
            self.same(read.map(view), expected, ("grant", record.0));
        }
        for filter in self.focus.share(self.filters()) {
            let list = async |request| grants.list(&self.caller, &filter, &request).await;
            let listed = paging::read(self.page_size(List::Grants), list).await;
            let listed = listed.map(|all| all.into_iter().map(view).collect());
            let visible = records.iter().filter(|(record, seen)| {
                let grant = self.model.grants.get(record.0);
                *seen && grant.is_some_and(|grant| self.passes(&filter, grant.on))
            });
            let expected = visible.map(|(record, _)| shown(record));
            self.same(listed, Ok(expected.collect::<Vec<_>>()), &filter);
        }
    }

    /// No filter, one for each class, one for the last resource of each class, and some that match nothing.
    fn filters(&self) -> Vec<ResourceFilter> {
        use IdentifierFilter::{Any, Collections, Is, Items};
        let filter = |class, identifier| ResourceFilter { class, identifier };
        let unknown = ResourceClass::new("Unknown").unwrap();
        let mut filters = vec![
            filter(None, Any),
            filter(None, Items),
            filter(None, Collections),
            filter(Some(unknown), Any),
        ];
        for collection in Place::COLLECTIONS {
            let class = Some(class_of(collection));
            for identifier in [Any, Items, Collections] {
                filters.push(filter(class.clone(), identifier));
            }
            let mut places = self.effective.iter().rev().map(|(place, _)| *place);
            let last = places.find(|it| it.collection() == collection && *it != collection);
            let Some(resource) = last.map(|it| self.service.resource(it)) else {
                continue;
            };
            let identifier = resource.identifier.map_or(Any, Is);
            filters.push(filter(class, identifier.clone()));
            filters.push(filter(None, identifier));
        }
        filters
    }

    fn passes(&self, filter: &ResourceFilter, place: Place) -> bool {
        let resource = self.service.resource(place);
        (filter.class.is_none() || filter.class == Some(resource.class))
            && match &filter.identifier {
                IdentifierFilter::Any => true,
                IdentifierFilter::Items => resource.identifier.is_some(),
                IdentifierFilter::Collections => resource.identifier.is_none(),
                IdentifierFilter::Is(wanted) => resource.identifier.as_ref() == Some(wanted),
            }
    }
}
