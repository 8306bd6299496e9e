//! A store of one's own, for a program that needs authorization and no forms: groups, memberships, resources, grants and
//! settings.
//!
//! They are in maps in memory. A transaction has a copy of the maps, which replaces them when it is committed. One transaction
//! writes at a time, so a record that was found is locked already. All other methods keep their defaults: the parts that this
//! store does not have are *not configured*, and queries that a database answers at once are composed.
//!
//! The program compiles the library without the feature `forms`. The suite, which has it, says whether the store keeps its
//! promises: `cargo test -p formalize-own-store`.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use formalize_core::store::scope::{
    GrantScope, Holding, ItemScope, Reach, Reached, ResourceScope, Subjects,
};
use formalize_core::store::{
    GrantRecord, HeldGrant, Inserted, OwnedTx, ReadGrants, ReadGroups, ReadMemberships,
    ReadResources, ReadSettings, ReadTx, Store, StoreError, StoreResult, Window, WriteGrants,
    WriteGroups, WriteMemberships, WriteResources, WriteSettings, WriteTx, fold_case,
};
use formalize_core::{
    Action, Caller, Deletion, Formalize, Grant, GrantId, Group, GroupId, GroupName, Member,
    Membership, MembershipId, NewGrant, NewGroup, NewMembership, Resource, ResourceFilter,
    ResourceId, ResourceRef, Subject, UserId, authorization::Anchor,
};
use tokio::sync::OwnedMutexGuard;

#[derive(Clone, Default)]
struct Records {
    groups: BTreeMap<GroupId, Group>,
    memberships: BTreeMap<MembershipId, Membership>,
    resources: BTreeMap<ResourceId, Resource>,
    grants: BTreeMap<GrantId, Grant>,
    settings: BTreeMap<String, String>,
}

#[derive(Clone, Default)]
struct OwnStore {
    committed: Arc<Mutex<Records>>,
    /// Held by the transaction that writes.
    turn: Arc<tokio::sync::Mutex<()>>,
    is_closed: Arc<AtomicBool>,
}

struct Transaction {
    store: OwnStore,
    records: Records,
    _turn: Option<OwnedMutexGuard<()>>,
}

impl OwnStore {
    fn begin(&self, turn: Option<OwnedMutexGuard<()>>) -> StoreResult<Transaction> {
        if self.is_closed.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("the store is closed".to_owned()));
        }
        let committed = self.committed.lock();
        let records = committed.unwrap_or_else(PoisonError::into_inner).clone();
        Ok(Transaction {
            store: self.clone(),
            records,
            _turn: turn,
        })
    }
}

#[async_trait]
impl Store for OwnStore {
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
        Ok(Box::new(self.begin(None)?))
    }

    async fn write(&self) -> StoreResult<Box<dyn OwnedTx>> {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        Ok(Box::new(self.begin(Some(turn))?))
    }

    async fn ping(&self) -> StoreResult<()> {
        self.begin(None).map(drop)
    }

    async fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        drop(self.turn.lock().await);
    }
}

// A store with forms has the method `read_forms` here, which returns `Ok(self)`, and implements `ReadForms`.
impl ReadTx for Transaction {}

impl WriteTx for Transaction {}

#[async_trait]
impl OwnedTx for Transaction {
    async fn commit(self: Box<Self>) -> StoreResult<()> {
        let committed = self.store.committed.lock();
        *committed.unwrap_or_else(PoisonError::into_inner) = self.records;
        Ok(())
    }
}

/// Inserts a record with a key of its own, unless another one has the key.
fn insert<K: Ord, V>(
    table: &mut BTreeMap<K, V>,
    id: K,
    row: V,
    has_its_key: impl FnMut(&V) -> bool,
) -> Inserted {
    if table.values().any(has_its_key) {
        return Inserted::Exists;
    }
    table.insert(id, row);
    Inserted::Done
}

impl Records {
    /// The groups around a member. Each is visited once, so the search ends on cycles.
    fn groups_around(&self, member: Member) -> BTreeSet<GroupId> {
        let (mut found, mut waiting) = (BTreeSet::new(), vec![member]);
        while let Some(member) = waiting.pop() {
            let rows = self.memberships.values();
            for row in rows.filter(|row| row.member == member) {
                if found.insert(row.group) {
                    waiting.push(Member::ChildGroup(row.group));
                }
            }
        }
        found
    }

    fn delete_resources(&mut self, goes: impl Fn(&Resource) -> bool) {
        self.resources.retain(|_, resource| !goes(resource));
        self.grants.retain(|_, grant| !goes(&grant.resource));
    }

    fn delete_group(&mut self, id: GroupId) {
        self.groups.remove(&id);
        let child = Member::ChildGroup(id);
        self.memberships
            .retain(|_, row| row.group != id && row.member != child);
        self.grants
            .retain(|_, grant| grant.subject != Subject::Group(id));
        self.delete_resources(|resource| resource.anchor() == Anchor::from(id));
    }

    fn holds_under(&self, anchor: Anchor, subjects: &Subjects, holding: &Holding) -> bool {
        self.grants.values().any(|grant| {
            grant.resource.anchor() == anchor
                && grant.resource.resource.class == holding.class
                && holding.actions.contains(&grant.action)
                && subjects.contains(&grant.subject)
        })
    }

    fn reaches(&self, reached: &Reached, resource: &Resource) -> bool {
        let Reached {
            subjects,
            ways,
            managed_collections,
        } = reached;
        let ResourceRef { class, identifier } = &resource.resource;
        let leads_there = |way: &Reach| match way {
            Reach::Everything { .. } => true,
            Reach::Itself(actions) => self.grants.values().any(|grant| {
                grant.resource.id == resource.id
                    && subjects.contains(&grant.subject)
                    && (actions.as_ref()).is_none_or(|any| any.contains(&grant.action))
            }),
            Reach::SameAnchor { target, holding } => {
                class == target && self.holds_under(resource.anchor(), subjects, holding)
            }
            // This store keeps no submissions.
            Reach::Submission { .. } | Reach::SubmissionsOfForm(_) => false,
        };
        (identifier.is_none() && managed_collections.contains(class))
            || ways.iter().any(leads_there)
    }
}

#[async_trait]
impl ReadGroups for Transaction {
    async fn find_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        Ok(self.records.groups.get(&id).cloned())
    }

    async fn deletion_of_group(&mut self, id: GroupId) -> StoreResult<Deletion> {
        let (before, mut after) = (&self.records, self.records.clone());
        after.delete_group(id);
        let gone = |before: usize, after: usize| u64::try_from(before - after).unwrap_or(u64::MAX);
        let deletion = Deletion {
            groups: gone(before.groups.len(), after.groups.len()),
            members: gone(before.memberships.len(), after.memberships.len()),
            resources: gone(before.resources.len(), after.resources.len()),
            grants: gone(before.grants.len(), after.grants.len()),
            ..Deletion::default()
        };
        Ok(deletion)
    }

    async fn groups(
        &mut self,
        scope: &ItemScope,
        search: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Group>> {
        let rows = self.records.groups.values().filter(|row| {
            let is_found = search.is_none_or(|text| fold_case(row.name.as_str()).contains(text));
            let is_in_scope = match scope {
                ItemScope::All => true,
                ItemScope::Granted { subjects, holdings } => holdings
                    .iter()
                    .any(|holding| self.records.holds_under(row.id.into(), subjects, holding)),
            };
            is_found && is_in_scope
        });
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl WriteGroups for Transaction {
    async fn lock_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        self.find_group(id).await
    }

    async fn lock_group_exclusive(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        self.find_group(id).await
    }

    async fn insert_group(&mut self, group: &Group) -> StoreResult<()> {
        self.records.groups.insert(group.id, group.clone());
        Ok(())
    }

    async fn update_group(&mut self, group: &Group) -> StoreResult<()> {
        self.insert_group(group).await
    }

    async fn delete_group(&mut self, id: GroupId) -> StoreResult<()> {
        self.records.delete_group(id);
        Ok(())
    }
}

#[async_trait]
impl ReadMemberships for Transaction {
    async fn groups_of(&mut self, user: &UserId) -> StoreResult<Vec<GroupId>> {
        let around = self.records.groups_around(Member::User(user.clone()));
        Ok(around.into_iter().collect())
    }

    async fn memberships_above(&mut self, user: &UserId) -> StoreResult<Vec<Membership>> {
        let around = self.records.groups_around(Member::User(user.clone()));
        let rows = self.records.memberships.values();
        let rows = rows.filter(|row| match &row.member {
            Member::User(member) => member == user,
            Member::ChildGroup(child) => around.contains(child),
        });
        Ok(rows.cloned().collect())
    }

    async fn is_within(&mut self, inner: GroupId, outer: GroupId) -> StoreResult<bool> {
        let around = self.records.groups_around(Member::ChildGroup(inner));
        Ok(inner == outer || around.contains(&outer))
    }

    async fn find_membership(&mut self, id: MembershipId) -> StoreResult<Option<Membership>> {
        Ok(self.records.memberships.get(&id).cloned())
    }

    async fn memberships_of(&mut self, ids: &[MembershipId]) -> StoreResult<Vec<Membership>> {
        let rows = self.records.memberships.values();
        Ok(rows.filter(|row| ids.contains(&row.id)).cloned().collect())
    }

    async fn memberships(
        &mut self,
        group: GroupId,
        window: Window,
    ) -> StoreResult<Vec<Membership>> {
        let rows = self.records.memberships.values();
        let rows = rows.filter(|row| row.group == group).cloned();
        Ok(window.part_of(rows, |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl WriteMemberships for Transaction {
    async fn lock_memberships(&mut self) -> StoreResult<()> {
        Ok(())
    }

    async fn insert_membership(&mut self, new: &Membership) -> StoreResult<Inserted> {
        let is_same = |row: &Membership| row.group == new.group && row.member == new.member;
        let table = &mut self.records.memberships;
        Ok(insert(table, new.id, new.clone(), is_same))
    }

    async fn delete_membership(&mut self, id: MembershipId) -> StoreResult<bool> {
        Ok(self.records.memberships.remove(&id).is_some())
    }
}

#[async_trait]
impl ReadResources for Transaction {
    async fn find_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        Ok(self.records.resources.get(&id).cloned())
    }

    async fn find_resource_of(&mut self, resource: &ResourceRef) -> StoreResult<Option<Resource>> {
        let mut rows = self.records.resources.values();
        Ok(rows.find(|row| row.resource == *resource).cloned())
    }

    async fn resources_of(&mut self, resources: &[ResourceRef]) -> StoreResult<Vec<Resource>> {
        let rows = self.records.resources.values();
        let rows = rows.filter(|row| resources.contains(&row.resource));
        Ok(rows.cloned().collect())
    }

    async fn resources(
        &mut self,
        scope: &ResourceScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Resource>> {
        let rows = self.records.resources.values().filter(|row| {
            filter.admits(&row.resource)
                && match scope {
                    ResourceScope::All => true,
                    ResourceScope::Reached(reached) => self.records.reaches(reached, row),
                }
        });
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl WriteResources for Transaction {
    async fn lock_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        self.find_resource(id).await
    }

    async fn lock_resource_exclusive(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        self.find_resource(id).await
    }

    async fn insert_resource(&mut self, new: &Resource) -> StoreResult<Inserted> {
        let is_same = |row: &Resource| row.resource == new.resource;
        let table = &mut self.records.resources;
        Ok(insert(table, new.id, new.clone(), is_same))
    }

    async fn delete_resource(&mut self, id: ResourceId) -> StoreResult<()> {
        self.records.delete_resources(|resource| resource.id == id);
        Ok(())
    }
}

#[async_trait]
impl ReadGrants for Transaction {
    async fn held(
        &mut self,
        anchors: &[Anchor],
        subjects: &Subjects,
    ) -> StoreResult<Vec<HeldGrant>> {
        let rows = self.records.grants.values().filter(|row| {
            anchors.contains(&row.resource.anchor()) && subjects.contains(&row.subject)
        });
        let held = rows.map(|row| HeldGrant {
            anchor: row.resource.anchor(),
            class: row.resource.resource.class.clone(),
            action: row.action.clone(),
        });
        Ok(held.collect())
    }

    async fn find_grant(&mut self, id: GrantId) -> StoreResult<Option<Grant>> {
        Ok(self.records.grants.get(&id).cloned())
    }

    async fn grants_of(&mut self, ids: &[GrantId]) -> StoreResult<Vec<Grant>> {
        let rows = self.records.grants.values();
        Ok(rows.filter(|row| ids.contains(&row.id)).cloned().collect())
    }

    async fn grants(
        &mut self,
        scope: &GrantScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Grant>> {
        let is_among = |reached: &Reached, row: &Grant| {
            reached.subjects.contains(&row.subject) || self.records.reaches(reached, &row.resource)
        };
        let rows = self.records.grants.values().filter(|row| {
            filter.admits(&row.resource.resource)
                && match scope {
                    GrantScope::All => true,
                    GrantScope::HeldOrOn(reached) => is_among(reached, row),
                    GrantScope::Of { holder, among } => {
                        row.subject == *holder
                            && (among.as_ref()).is_none_or(|reached| is_among(reached, row))
                    }
                }
        });
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl WriteGrants for Transaction {
    async fn insert_grant(&mut self, new: &GrantRecord) -> StoreResult<Inserted> {
        let Some(resource) = self.find_resource(new.resource).await? else {
            return Err(StoreError::Failed("the resource is missing".to_owned()));
        };
        let grant = Grant {
            id: new.id,
            subject: new.subject.clone(),
            action: new.action.clone(),
            resource,
            date_created: new.date_created,
        };
        let is_same = |row: &Grant| {
            (row.resource.id, &row.action, &row.subject)
                == (new.resource, &new.action, &new.subject)
        };
        Ok(insert(&mut self.records.grants, new.id, grant, is_same))
    }

    async fn delete_grant(&mut self, id: GrantId) -> StoreResult<bool> {
        Ok(self.records.grants.remove(&id).is_some())
    }

    async fn has_other_manage_grant(
        &mut self,
        resource: ResourceId,
        grant: GrantId,
    ) -> StoreResult<bool> {
        Ok(self.records.grants.values().any(|row| {
            row.resource.id == resource && row.action == Action::MANAGE && row.id != grant
        }))
    }
}

#[async_trait]
impl ReadSettings for Transaction {
    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>> {
        Ok(self.records.settings.get(name).cloned())
    }
}

#[async_trait]
impl WriteSettings for Transaction {
    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted> {
        if self.records.settings.contains_key(name) {
            return Ok(Inserted::Exists);
        }
        let (name, value) = (name.to_owned(), value.to_owned());
        self.records.settings.insert(name, value);
        Ok(Inserted::Done)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let builder = Formalize::builder(Arc::new(OwnStore::default()));
    let formalize = builder.build().await?;
    let name = GroupName::new("Reading circle")?;
    let groups = formalize.groups();
    let circle = groups.create(&Caller::System, NewGroup { name }).await?;
    let circle = circle.item.id;
    let alice = UserId::new("alice")?;
    let membership = NewMembership::new(circle, alice.clone());
    formalize
        .memberships()
        .create(&Caller::System, membership)
        .await?;
    let grant = NewGrant::new(circle, Action::READ, ResourceRef::group(circle));
    formalize.grants().create(&Caller::System, grant).await?;
    let shown = groups.get(&Caller::user(alice), circle).await?;
    assert_eq!(shown.item.name.as_str(), "Reading circle");
    Ok(())
}

#[cfg(test)]
mod suite {
    use formalize_core::store::Part;
    use formalize_core::{FormName, NewForm};

    use super::*;

    fn empty_store() -> Arc<dyn Store> {
        Arc::new(OwnStore::default())
    }

    #[tokio::test]
    async fn forms_are_not_configured() -> Result<(), Box<dyn Error>> {
        let formalize = Formalize::builder(empty_store()).build().await?;
        let form = NewForm::new(FormName::new("Guest book")?);
        let refused = formalize.forms().create(&Caller::System, form).await;
        let lacks_forms =
            |error| matches!(error, formalize_core::Error::NotConfigured(Part::Forms));
        assert!(refused.is_err_and(lacks_forms));
        Ok(())
    }

    formalize_conformance::conformance_suite!(std::future::ready(empty_store()));
}
