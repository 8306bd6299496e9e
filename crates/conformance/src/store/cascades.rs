//! Promise 8: deleting a record also deletes everything that depends on it, and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use uuid::Uuid;

use formalize_core::store::scope::Subjects;
use formalize_core::store::{Principal, ReadTx, Store, StoreResult, Window};
use formalize_core::{
    Action, Deletion, Grant, GrantId, GroupId, Member, Membership, Resource, SubmissionState,
};

use crate::store::dump::contents;
use crate::store::list::Row;
use crate::store::samples::{Ids, creator_based, dynamic, grant_based, holder, user};
use crate::store::scene::{FormMade, GroupMade, Scene, SharedSubmission};

/// Two similar sets of records, of which one is deleted. They refer to each other wherever possible.
struct Twins {
    groups: [GroupMade; 2],
    memberships: Vec<Membership>,
    forms: [FormMade; 2],
    shared: Vec<SharedSubmission>,
    thing: Resource,
    grants: Vec<Grant>,
    ids: Ids,
}

impl Twins {
    async fn write(store: &dyn Store) -> StoreResult<Self> {
        let mut scene = Scene::begin(store, &Ids::default()).await?;
        let groups = [scene.group("first").await?, scene.group("second").await?];
        let parent = scene.group("parent").await?;
        let child = scene.group("child").await?;
        let memberships = memberships(&mut scene, &groups, [parent.id(), child.id()]).await?;
        let rules = grant_based(&[]);
        let forms = [scene.form(rules).await?, scene.form(rules).await?];
        let shared = submissions(&mut scene, &forms).await?;
        let thing = scene.item("thing", "1").await?;
        let mut resources: Vec<&Resource> = vec![&thing, &parent.resource, &child.resource];
        resources.extend(groups.iter().map(|group| &group.resource));
        for form in &forms {
            resources.extend([&form.resource, &form.collection]);
        }
        resources.extend(shared.iter().map(|shared| &shared.resource));
        let [first, second] = groups.each_ref().map(GroupMade::subject);
        let holders = [
            first,
            second,
            parent.subject(),
            holder("alice"),
            dynamic("crowd"),
        ];
        let mut grants = Vec::new();
        for resource in resources {
            for holder in &holders {
                grants.push(scene.grant(holder, Action::MANAGE, resource).await?);
            }
        }
        let token = scene.ids.token(&user("alice"));
        scene.token(&token, 1).await?;
        let ids = scene.ids.clone();
        scene.commit().await?;
        Ok(Self {
            groups,
            memberships,
            forms,
            shared,
            thing,
            grants,
            ids,
        })
    }

    /// The grants that match a condition.
    fn grants(&self, goes: impl Fn(&Grant) -> bool) -> impl Iterator<Item = Uuid> {
        let gone = self.grants.iter().filter(move |grant| goes(grant));
        gone.map(|grant| grant.id.as_uuid())
    }

    /// These resources and the grants on them.
    fn with_grants(&self, resources: &[&Resource]) -> Vec<Uuid> {
        let mut gone: Vec<Uuid> = resources
            .iter()
            .map(|resource| resource.id.as_uuid())
            .collect();
        let on = |grant: &Grant| resources.iter().any(|gone| gone.id == grant.resource.id);
        gone.extend(self.grants(on));
        gone
    }
}

/// Each group of the pair has a user and both children as members, and is a member of a parent.
async fn memberships(
    scene: &mut Scene,
    groups: &[GroupMade; 2],
    [parent, child]: [GroupId; 2],
) -> StoreResult<Vec<Membership>> {
    let mut memberships = Vec::new();
    for group in groups {
        for (group, member) in [
            (group.id(), Member::User(user("alice"))),
            (group.id(), Member::ChildGroup(child)),
            (parent, Member::ChildGroup(group.id())),
        ] {
            memberships.push(scene.member(group, member).await?);
        }
    }
    for (group, member) in [
        (parent, Member::User(user("alice"))),
        (parent, Member::ChildGroup(child)),
        (child, Member::User(user("bob"))),
    ] {
        memberships.push(scene.member(group, member).await?);
    }
    Ok(memberships)
}

/// Two drafts and two submitted submissions for each form, by two creators.
async fn submissions(
    scene: &mut Scene,
    forms: &[FormMade; 2],
) -> StoreResult<Vec<SharedSubmission>> {
    let mut shared = Vec::new();
    for form in forms {
        for creator in ["alice", "bob"] {
            for state in SubmissionState::ALL {
                let creator = user(creator);
                let made = scene.shared_submission(&form.form, &creator, *state);
                shared.push(made.await?);
            }
        }
    }
    Ok(shared)
}

/// The identifiers of every record, including memberships of deleted groups.
async fn records(tx: &mut dyn ReadTx, twins: &Twins) -> StoreResult<BTreeSet<Uuid>> {
    let rows = contents(tx).await?.rows;
    let mut ids: BTreeSet<Uuid> = rows.iter().map(Row::id).collect();
    for membership in &twins.memberships {
        let found = tx.find_membership(membership.id).await?;
        ids.extend(found.map(|found| found.id.as_uuid()));
        let listed = tx.memberships(membership.group, Window::ALL).await?;
        ids.extend(listed.iter().map(|listed| listed.id.as_uuid()));
    }
    for shared in &twins.shared {
        let found = tx
            .read_submissions()?
            .find_submission(shared.submission.id)
            .await?;
        ids.extend(found.map(|found| found.id.as_uuid()));
        let found = tx.find_resource(shared.resource.id).await?;
        ids.extend(found.map(|found| found.id.as_uuid()));
    }
    for grant in &twins.grants {
        let found = tx.find_grant(grant.id).await?;
        ids.extend(found.map(|found| found.id.as_uuid()));
    }
    Ok(ids)
}

/// Fails unless exactly these records were deleted.
async fn must_go(
    store: &dyn Store,
    twins: &Twins,
    before: &BTreeSet<Uuid>,
    gone: impl IntoIterator<Item = Uuid>,
) -> StoreResult<()> {
    let after = records(&mut *store.read().await?, twins).await?;
    let gone: BTreeSet<Uuid> = gone.into_iter().collect();
    let went: BTreeSet<Uuid> = before.difference(&after).copied().collect();
    let wrongly: Vec<_> = went.difference(&gone).collect();
    let stayed: Vec<_> = gone.difference(&went).collect();
    assert!(
        wrongly.is_empty() && stayed.is_empty() && after.is_subset(before),
        "promise 8: {wrongly:?} should have been kept, {stayed:?} should have been deleted"
    );
    Ok(())
}

/// Fails unless a deletion was announced with the number of these records, of which some are not counted.
fn must_be_counted(counted: Deletion, gone: &[Uuid], uncounted: usize) {
    let counts = [
        counted.forms,
        counted.submissions,
        counted.drafts,
        counted.groups,
        counted.members,
        counted.resources,
        counted.grants,
        counted.links,
    ];
    let gone: BTreeSet<&Uuid> = gone.iter().collect();
    let expected = u64::try_from(gone.len() - uncounted).ok();
    assert_eq!(Some(counts.iter().sum()), expected, "{counted:?}");
}

/// Promise 8: deleting a group deletes its resource, the grants on it, the grants that it holds, and its memberships.
pub async fn what_goes_with_a_group(store: Arc<dyn Store>) -> StoreResult<()> {
    let twins = Twins::write(&*store).await?;
    let before = records(&mut *store.read().await?, &twins).await?;
    let [group, _] = &twins.groups;
    let mut tx = store.write().await?;
    let counted = tx.deletion_of_group(group.id()).await?;
    tx.delete_group(group.id()).await?;
    tx.commit().await?;
    let mut gone = twins.with_grants(&[&group.resource]);
    gone.push(group.uuid());
    gone.extend(twins.grants(|grant| grant.subject == group.subject()));
    let child = Member::ChildGroup(group.id());
    let of_group = |row: &&Membership| row.group == group.id() || row.member == child;
    let memberships = twins.memberships.iter().filter(of_group);
    gone.extend(memberships.map(|row| row.id.as_uuid()));
    assert_eq!(
        (counted.groups, counted.members, counted.resources),
        (1, 3, 1)
    );
    must_be_counted(counted, &gone, 0);
    must_go(&*store, &twins, &before, gone).await
}

/// Promise 8: deleting a resource deletes the grants on it, but not the record that it belongs to.
pub async fn what_goes_with_a_resource(store: Arc<dyn Store>) -> StoreResult<()> {
    let twins = Twins::write(&*store).await?;
    let before = records(&mut *store.read().await?, &twins).await?;
    let mut tx = store.write().await?;
    tx.delete_resource(twins.thing.id).await?;
    tx.commit().await?;
    let gone = twins.with_grants(&[&twins.thing]);
    must_go(&*store, &twins, &before, gone).await
}

/// Promise 8: deleting a form deletes its submissions including drafts, their resources and its own two, and the grants
/// on all of them.
pub async fn what_goes_with_a_form(store: Arc<dyn Store>) -> StoreResult<()> {
    form_goes(store, 0).await
}

/// Promise 8: all of that is gone at once even if there are so many submissions that a store deletes them later.
pub async fn what_goes_with_a_large_form(store: Arc<dyn Store>) -> StoreResult<()> {
    form_goes(Arc::clone(&store), MANY).await?;
    let mut previous = None;
    loop {
        let now = contents(&mut *store.read().await?).await?;
        assert_eq!(*previous.get_or_insert_with(|| now.clone()), now);
        let mut tx = store.write().await?;
        let deleted = tx.write_forms()?.delete_remains(700).await?;
        tx.commit().await?;
        if deleted == 0 {
            return Ok(());
        }
    }
}

/// More submissions than databases delete with their form.
const MANY: usize = 1_100;

async fn form_goes(store: Arc<dyn Store>, further: usize) -> StoreResult<()> {
    let twins = Twins::write(&*store).await?;
    let [form, other] = &twins.forms;
    let mut scene = Scene::begin(&*store, &twins.ids).await?;
    let (mut others, carol) = (Vec::new(), user("carol"));
    for _ in 0..further {
        let made = scene.submission(&form.form, &carol, SubmissionState::Submitted);
        others.push(made.await?.id.as_uuid());
    }
    scene.commit().await?;
    let before = records(&mut *store.read().await?, &twins).await?;
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form.id()).await?;
    let counted = tx.read_forms()?.deletion_of_form(form.id()).await?;
    tx.write_forms()?.delete_form(form.id()).await?;
    tx.commit().await?;
    let of_form: Vec<&SharedSubmission> = twins
        .shared
        .iter()
        .filter(|shared| shared.submission.form == form.id())
        .collect();
    let mut resources = vec![&form.resource, &form.collection];
    resources.extend(of_form.iter().map(|shared| &shared.resource));
    let mut gone = twins.with_grants(&resources);
    gone.push(form.uuid());
    gone.extend(of_form.iter().map(|shared| shared.uuid()));
    let submitted = u64::try_from(2 + others.len()).ok();
    gone.extend(others);
    assert_eq!((counted.forms, counted.drafts), (1, 2));
    assert_eq!(Some(counted.submissions), submitted);
    // The collection of the submissions counts as the form.
    must_be_counted(counted, &gone, 1);
    must_go(&*store, &twins, &before, gone).await?;
    must_not_be_found(&*store, &twins, form, &of_form).await?;
    let mut tx = store.read().await?;
    assert!(!tx.read_submissions()?.has_submissions(form.id()).await?);
    assert!(tx.read_submissions()?.has_submissions(other.id()).await?);
    assert_eq!(
        tx.read_submissions()?.form_places_taken(form.id()).await?,
        None
    );
    assert_eq!(
        tx.read_submissions()?
            .places_taken(form.id(), &user("alice"))
            .await?,
        0
    );
    assert_eq!(
        tx.read_submissions()?
            .places_taken(other.id(), &user("alice"))
            .await?,
        2
    );
    Ok(())
}

/// Fails if a way other than a list leads to a deleted form or to what belonged to it.
async fn must_not_be_found(
    store: &dyn Store,
    twins: &Twins,
    form: &FormMade,
    gone: &[&SharedSubmission],
) -> StoreResult<()> {
    let mut tx = store.write().await?;
    assert_eq!(tx.read_forms()?.find_form(form.id()).await?, None);
    assert_eq!(tx.write_forms()?.lock_form(form.id()).await?, None);
    assert_eq!(
        tx.write_forms()?.lock_form_exclusive(form.id()).await?,
        None
    );
    let subjects = Subjects::new(vec![holder("alice")]);
    let alice = user("alice");
    let principal = Principal {
        user: &alice,
        subjects: &subjects,
    };
    assert!(
        tx.read_forms()?
            .find_form_for(form.id(), principal)
            .await?
            .is_none()
    );
    for shared in gone {
        let id = shared.submission.id;
        let found = tx
            .read_submissions()?
            .find_submission_for(id, principal)
            .await?;
        assert!(found.is_none(), "{found:?}");
        assert_eq!(tx.read_submissions()?.submission_headers(&[id]).await?, []);
        assert_eq!(
            tx.write_submissions()?
                .lock_submission_exclusive(id)
                .await?,
            None
        );
        let resource = &shared.resource;
        assert_eq!(tx.find_resource_of(&resource.resource).await?, None);
        let of = [resource.resource.clone()];
        assert_eq!(tx.resources_of(&of).await?, []);
        assert_eq!(tx.lock_resource(resource.id).await?, None);
        assert_eq!(tx.lock_resource_exclusive(resource.id).await?, None);
        assert_eq!(tx.held(&[id.into()], &subjects).await?, []);
        assert_eq!(tx.held_by(&[id.into()], principal).await?, []);
    }
    let revision = form.form.revision;
    let late = twins
        .ids
        .submission(&form.form, &alice, SubmissionState::Submitted);
    assert!(
        !tx.write_submissions()?
            .submit(&late, revision, None, None, None)
            .await?
    );
    let grants: Vec<GrantId> = twins.grants.iter().map(|grant| grant.id).collect();
    let kept = tx.grants_of(&grants).await?;
    let form = Some(form.id());
    assert!(
        kept.iter()
            .all(|grant| grant.resource.object.form() != form)
    );
    let [group, _] = &twins.groups;
    let of_group =
        |grant: &&Grant| grant.subject == group.subject() || grant.resource.id == group.resource.id;
    let of_group = kept.iter().filter(of_group).count();
    let counted = tx.deletion_of_group(group.id()).await?.grants;
    assert_eq!(Some(counted), u64::try_from(of_group).ok());
    Ok(())
}

/// Promise 8: deleting a submission deletes its resource and the grants on it, and frees its place.
pub async fn what_goes_with_a_submission(store: Arc<dyn Store>) -> StoreResult<()> {
    let twins = Twins::write(&*store).await?;
    let before = records(&mut *store.read().await?, &twins).await?;
    let Some(shared) = twins.shared.first() else {
        return Ok(());
    };
    let mut tx = store.write().await?;
    tx.write_submissions()?
        .lock_submission_exclusive(shared.submission.id)
        .await?;
    tx.write_submissions()?
        .delete_submission(&shared.submission)
        .await?;
    tx.commit().await?;
    let mut gone = twins.with_grants(&[&shared.resource]);
    gone.push(shared.uuid());
    must_go(&*store, &twins, &before, gone).await?;
    let mut tx = store.read().await?;
    let [form, other] = twins.forms.each_ref().map(FormMade::id);
    for (form, creator, expected) in [
        (form, "alice", 1),
        (form, "bob", 2),
        (other, "alice", 2),
        (other, "bob", 2),
    ] {
        let places = tx
            .read_submissions()?
            .places_taken(form, &user(creator))
            .await?;
        assert_eq!(places, expected, "promise 8: the places of {creator}");
    }
    Ok(())
}

/// Promise 8: deleting everything submitted to a form deletes each submission's resource, grants and place, and keeps
/// drafts.
pub async fn what_goes_with_everything_submitted(store: Arc<dyn Store>) -> StoreResult<()> {
    let twins = Twins::write(&*store).await?;
    let before = records(&mut *store.read().await?, &twins).await?;
    let [form, other] = twins.forms.each_ref().map(FormMade::id);
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(form).await?;
    let counted = tx.read_submissions()?.deletion_of_submitted(form).await?;
    assert_eq!(
        tx.write_submissions()?.delete_submitted(form).await?,
        2,
        "two were submitted"
    );
    assert_eq!(
        tx.write_submissions()?.delete_submitted(form).await?,
        0,
        "none remain"
    );
    tx.commit().await?;
    let is_gone = |shared: &&SharedSubmission| {
        shared.submission.form == form && shared.submission.state == SubmissionState::Submitted
    };
    let submitted: Vec<&SharedSubmission> = twins.shared.iter().filter(is_gone).collect();
    let resources: Vec<&Resource> = submitted.iter().map(|shared| &shared.resource).collect();
    let mut gone = twins.with_grants(&resources);
    gone.extend(submitted.iter().map(|shared| shared.uuid()));
    assert_eq!((counted.submissions, counted.resources), (2, 2));
    must_be_counted(counted, &gone, 0);
    must_go(&*store, &twins, &before, gone).await?;
    let mut tx = store.read().await?;
    for creator in ["alice", "bob"] {
        let places = tx
            .read_submissions()?
            .places_taken(form, &user(creator))
            .await?;
        assert_eq!(
            places, 1,
            "promise 8: the draft of {creator} keeps its place"
        );
        assert_eq!(
            tx.read_submissions()?
                .places_taken(other, &user(creator))
                .await?,
            2
        );
    }
    assert!(
        tx.read_submissions()?.has_submissions(form).await?,
        "drafts are kept"
    );
    Ok(())
}

/// Promise 8: submissions of creator-based forms, which have no resources, are deleted like others.
pub async fn submissions_without_resources_go_too(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let forms = [
        scene.form(creator_based(&[])).await?,
        scene.form(creator_based(&[])).await?,
    ];
    let alice = user("alice");
    let mut made = Vec::new();
    for form in &forms {
        for state in SubmissionState::ALL {
            made.push(scene.submission(&form.form, &alice, *state).await?);
        }
    }
    scene.commit().await?;
    let [first, second] = forms.each_ref().map(FormMade::id);
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form_exclusive(first).await?;
    assert_eq!(tx.write_submissions()?.delete_submitted(first).await?, 1);
    tx.write_forms()?.lock_form_exclusive(second).await?;
    tx.write_forms()?.delete_form(second).await?;
    tx.commit().await?;
    let mut tx = store.read().await?;
    for submission in made {
        let stays = submission.form == first && submission.state == SubmissionState::Draft;
        let found = tx
            .read_submissions()?
            .find_submission(submission.id)
            .await?;
        assert_eq!(found.is_some(), stays, "promise 8: {submission:?}");
    }
    assert_eq!(tx.read_submissions()?.places_taken(first, &alice).await?, 1);
    assert_eq!(
        tx.read_submissions()?.places_taken(second, &alice).await?,
        0
    );
    Ok(())
}
