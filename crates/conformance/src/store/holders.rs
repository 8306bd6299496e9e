//! Combined queries for a principal must return the same as the simple queries that they consist of.

use std::sync::Arc;

use formalize_core::store::scope::{ResourceScope, Subjects};
use formalize_core::store::{HeldGrant, Principal, ReadTx, Store, StoreResult};
use formalize_core::{
    Action, FormId, GroupId, Member, Resource, ResourceClass, ResourceRef, SubmissionId,
    SubmissionState, UserId,
};

use crate::store::samples::{Ids, class, dynamic, grant_based, holder, subjects, user};
use crate::store::scene::{FormMade, GroupMade, Scene, SharedSubmission};

/// Grants on a group, a form and a submission for all subjects of Alice (herself, two dynamic groups, and her groups),
/// and for others.
struct Stage {
    group: GroupMade,
    form: FormMade,
    shared: SharedSubmission,
}

impl Stage {
    async fn set(store: &dyn Store) -> StoreResult<Self> {
        let mut scene = Scene::begin(store, &Ids::default()).await?;
        let (outer, inner) = (scene.group("outer").await?, scene.group("inner").await?);
        let other = scene.group("other").await?;
        scene
            .member(outer.id(), Member::ChildGroup(inner.id()))
            .await?;
        scene
            .member(inner.id(), Member::User(user("alice")))
            .await?;
        let form = scene.form(grant_based(&[])).await?;
        let draft = SubmissionState::Draft;
        let shared = scene
            .shared_submission(&form.form, &user("alice"), draft)
            .await?;
        let everybody = [
            (holder("alice"), Action::READ),
            (outer.subject(), Action::UPDATE),
            (inner.subject(), Action::DELETE),
            (dynamic("staff"), Action::MANAGE),
            (dynamic("students"), Action::CREATE),
            (other.subject(), Action::CREATE),
            (holder("bob"), Action::CREATE),
        ];
        for resource in [
            &outer.resource,
            &form.resource,
            &form.collection,
            &shared.resource,
        ] {
            for (subject, action) in &everybody {
                scene.grant(subject, action.clone(), resource).await?;
            }
        }
        scene.commit().await?;
        Ok(Self {
            group: outer,
            form,
            shared,
        })
    }
}

/// The grants that Alice, who is in the dynamic group for staff, holds on a resource.
fn of_alice(resource: &Resource) -> Vec<HeldGrant> {
    let actions = [Action::READ, Action::UPDATE, Action::DELETE, Action::MANAGE];
    let held = |action| HeldGrant {
        anchor: resource.anchor(),
        class: resource.resource.class.clone(),
        action,
    };
    actions.map(held).into()
}

fn of_alice_on<const N: usize>(resources: [&Resource; N]) -> Vec<HeldGrant> {
    let held = resources.into_iter().flat_map(of_alice).collect();
    in_order(held)
}

fn in_order(mut held: Vec<HeldGrant>) -> Vec<HeldGrant> {
    held.sort_unstable_by_key(|grant| {
        (
            grant.anchor,
            grant.class.clone(),
            grant.action.as_str().to_owned(),
        )
    });
    held
}

/// Grants are found if they are held directly, through groups at any depth, or through dynamic groups. Grants of others
/// are not found.
pub async fn grants_are_found_for_a_holder(store: Arc<dyn Store>) -> StoreResult<()> {
    let stage = Stage::set(&*store).await?;
    let mut tx = store.read().await?;
    let alice = user("alice");
    let subjects = subjects([holder("alice"), dynamic("staff")]);
    let alice = Principal {
        user: &alice,
        subjects: &subjects,
    };
    let (group, form, shared) = (&stage.group, &stage.form, &stage.shared);
    let anchors = [group.id().into(), shared.submission.id.into()];
    let held = in_order(tx.held_by(&anchors, alice).await?);
    assert_eq!(held, of_alice_on([&group.resource, &shared.resource]));

    let found = tx.find_group_for(group.id(), alice).await?;
    let found = found.map(|(group, held)| (group, in_order(held)));
    let expected = (group.group.clone(), of_alice_on([&group.resource]));
    assert_eq!(found, Some(expected));

    for (resource, holding) in [
        (&group.resource, of_alice_on([&group.resource])),
        (
            &form.collection,
            of_alice_on([&form.resource, &form.collection]),
        ),
        (&shared.resource, of_alice_on([&shared.resource])),
    ] {
        let found = tx.find_resource_for(&resource.resource, alice).await?;
        let found = found.map(|(resource, held)| (resource, in_order(held)));
        assert_eq!(found, Some((resource.clone(), holding)));
    }

    let found = tx.read_forms()?.find_form_for(form.id(), alice).await?;
    let found = found.map(|found| (found.form, in_order(found.held), found.places_taken));
    let held = of_alice_on([&form.resource, &form.collection]);
    assert_eq!(found, Some((form.form.clone(), held, 1)));

    let id = shared.submission.id;
    let found = tx
        .read_submissions()?
        .find_submission_for(id, alice)
        .await?;
    let found = found.map(|found| (found.submission, found.rules, in_order(found.held)));
    let held = of_alice_on([&form.resource, &form.collection, &shared.resource]);
    let expected = (shared.submission.clone(), form.form.rules, held);
    assert_eq!(found, Some(expected));
    Ok(())
}

/// Records are found even for callers without grants, because stores do not authorize.
pub async fn who_holds_nothing_finds_records(store: Arc<dyn Store>) -> StoreResult<()> {
    let stage = Stage::set(&*store).await?;
    for nobody in [user("carol"), UserId::SYSTEM] {
        let nobody = Principal {
            user: &nobody,
            subjects: &Subjects::default(),
        };
        let mut tx = store.read().await?;
        let (group, form) = (stage.group.id(), stage.form.id());
        let held = tx.held_by(&[group.into()], nobody).await?;
        assert_eq!(held, []);
        let found = tx.find_group_for(group, nobody).await?;
        assert_eq!(found, Some((stage.group.group.clone(), Vec::new())));
        let resource = &stage.group.resource;
        let found = tx.find_resource_for(&resource.resource, nobody).await?;
        assert_eq!(found, Some((resource.clone(), Vec::new())));
        let found = tx.read_forms()?.find_form_for(form, nobody).await?;
        assert!(found.is_some_and(|found| {
            found.held.is_empty() && (found.places_taken, found.form_places_taken) == (0, None)
        }));
        let submission = stage.shared.submission.id;
        let found = tx
            .read_submissions()?
            .find_submission_for(submission, nobody)
            .await?;
        assert!(found.is_some_and(|found| found.held.is_empty()));
        must_find_nothing(&mut *tx, nobody).await?;
    }
    Ok(())
}

async fn must_find_nothing(tx: &mut dyn ReadTx, principal: Principal<'_>) -> StoreResult<()> {
    let absent = uuid::Uuid::max();
    let group = tx.find_group_for(GroupId::from_uuid(absent), principal);
    assert_eq!(group.await?, None);
    let resource = ResourceRef::group(GroupId::from_uuid(absent));
    let resource = tx.find_resource_for(&resource, principal);
    assert_eq!(resource.await?, None);
    let form = tx
        .read_forms()?
        .find_form_for(FormId::from_uuid(absent), principal);
    assert_eq!(form.await?, None);
    let submission = tx
        .read_submissions()?
        .find_submission_for(SubmissionId::from_uuid(absent), principal);
    assert_eq!(submission.await?, None);
    Ok(())
}

/// Returns the classes with a resource in the scope, in the order in which they were given.
pub async fn classes_are_found(store: Arc<dyn Store>) -> StoreResult<()> {
    const CLASSES: usize = 120;
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let all: Vec<ResourceClass> = (0..CLASSES)
        .rev()
        .map(|number| class(&format!("class {number}")))
        .collect();
    let there: Vec<ResourceClass> = all.iter().step_by(7).cloned().collect();
    for class in &there {
        scene.item(class.as_str(), "one").await?;
        scene.item(class.as_str(), "two").await?;
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    let found = tx.classes(&ResourceScope::All, &all).await?;
    assert_eq!(found, there);
    assert_eq!(tx.classes(&ResourceScope::All, &[]).await?, []);
    Ok(())
}

/// A store answers a single query outside of a transaction.
pub async fn a_single_question_is_answered(store: Arc<dyn Store>) -> StoreResult<()> {
    let stage = Stage::set(&*store).await?;
    let mut tx = store.read_once().await?;
    let found = tx.find_group(stage.group.id()).await?;
    assert_eq!(found, Some(stage.group.group));
    Ok(())
}
