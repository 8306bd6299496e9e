//! Promise 11: scopes of resources and of the grants on them.

use std::collections::HashSet;
use std::sync::Arc;

use uuid::Uuid;

use formalize_core::store::scope::{GrantScope, Holding, Reach, Reached, ResourceScope, Subjects};
use formalize_core::store::{Store, StoreResult, Window};
use formalize_core::{
    Action, Grant, Resource, ResourceClass, ResourceFilter, Subject, SubmissionState,
    authorization::IdentifierFilter, forms::SubmittedAction,
};

use crate::store::list::{ANY, List};
use crate::store::samples::{
    Ids, allowed, class, creator_based, dynamic, grant_based, holder, identifier, subjects, user,
};
use crate::store::scene::{FormMade, Scene, SharedSubmission};
use formalize_core::internals::scopes::{any_access, held_by, managing};

const EXACTLY: &str = "promise 11: exactly the rows of the scope";

/// What grants of Alice and the crowd reach in these ways.
fn reached(ways: &[Reach]) -> Reached {
    Reached {
        subjects: subjects([holder("alice"), dynamic("crowd")]),
        ways: ways.to_vec(),
        managed_collections: vec![],
    }
}

fn filter(wanted_class: Option<&str>, wanted_identifier: Option<&str>) -> ResourceFilter {
    ResourceFilter {
        class: wanted_class.map(class),
        identifier: wanted_identifier.map(identifier).into(),
    }
}

fn items(class: Option<&str>) -> ResourceFilter {
    ResourceFilter {
        identifier: IdentifierFilter::Items,
        ..filter(class, None)
    }
}

fn collections(class: Option<&str>) -> ResourceFilter {
    ResourceFilter {
        identifier: IdentifierFilter::Collections,
        ..filter(class, None)
    }
}

fn uuids<'a>(resources: impl IntoIterator<Item = &'a Resource>) -> Vec<Uuid> {
    let ids = resources.into_iter().map(|resource| resource.id.as_uuid());
    ids.collect()
}

/// Fails unless exactly these resources, and exactly the grants on them, are reached in these ways.
async fn must_reach(store: &dyn Store, ways: &[Reach], expected: &[&Resource]) -> StoreResult<()> {
    let expected = uuids(expected.iter().copied());
    List::Resources(ResourceScope::Reached(reached(ways)), ANY)
        .must_hold(store, &expected, EXACTLY)
        .await?;
    let all = all_grants(store).await?;
    let subjects = reached(ways).subjects;
    let on_reached: Vec<Uuid> = all
        .iter()
        .filter(|grant| {
            subjects.contains(&grant.subject) || expected.contains(&grant.resource.id.as_uuid())
        })
        .map(|grant| grant.id.as_uuid())
        .collect();
    let scope = GrantScope::HeldOrOn(reached(ways));
    List::Grants(scope.clone(), ANY)
        .must_hold(store, &on_reached, EXACTLY)
        .await?;
    for holder in holders(&all) {
        let of_holder = |grant: &&Grant| grant.subject == holder;
        let ids = all.iter().filter(of_holder).map(|grant| grant.id.as_uuid());
        let (own, among): (Vec<Uuid>, Vec<Uuid>) = (
            ids.clone().collect(),
            ids.filter(|id| on_reached.contains(id)).collect(),
        );
        for (scope, expected) in [(GrantScope::All, own), (scope.clone(), among)] {
            List::Grants(held_by(holder.clone(), scope), ANY)
                .must_hold(store, &expected, EXACTLY)
                .await?;
        }
    }
    Ok(())
}

fn holders(grants: &[Grant]) -> HashSet<Subject> {
    grants.iter().map(|grant| grant.subject.clone()).collect()
}

async fn all_grants(store: &dyn Store) -> StoreResult<Vec<Grant>> {
    let mut tx = store.read().await?;
    tx.grants(&GrantScope::All, &ANY, Window::ALL).await
}

/// Promise 11: a filter matches exactly the given class and identifier, and may select only items or only collections.
pub async fn resources_and_grants_are_filtered(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let things = scene.collection(&class("thing")).await?;
    let first = scene.item("thing", "1").await?;
    let second = scene.item("thing", "2").await?;
    let other = scene.item("other", "1").await?;
    let mut granted = Vec::new();
    for resource in [&things, &first, &second, &other] {
        for subject in [holder("alice"), holder("bob")] {
            granted.push(scene.grant(&subject, Action::READ, resource).await?);
        }
    }
    scene.commit().await?;
    for (filter, expected) in [
        (ANY, vec![&things, &first, &second, &other]),
        (filter(Some("thing"), None), vec![&things, &first, &second]),
        (filter(None, Some("1")), vec![&first, &other]),
        (filter(Some("thing"), Some("1")), vec![&first]),
        (filter(Some("other"), Some("2")), vec![]),
        (filter(Some("Thing"), None), vec![]),
        (filter(Some("thing%"), None), vec![]),
        (items(None), vec![&first, &second, &other]),
        (items(Some("thing")), vec![&first, &second]),
        (collections(None), vec![&things]),
        (collections(Some("thing")), vec![&things]),
        (collections(Some("other")), vec![]),
    ] {
        let expected = uuids(expected);
        for scope in [
            ResourceScope::All,
            ResourceScope::Reached(reached(&[Reach::Itself(None)])),
        ] {
            List::Resources(scope, filter.clone())
                .must_hold(&*store, &expected, EXACTLY)
                .await?;
        }
        let on = |grant: &&Grant| expected.contains(&grant.resource.id.as_uuid());
        let grants = granted.iter().filter(on);
        let grants: Vec<Uuid> = grants.map(|grant| grant.id.as_uuid()).collect();
        for scope in [
            GrantScope::All,
            GrantScope::HeldOrOn(reached(&[Reach::Itself(None)])),
        ] {
            List::Grants(scope, filter.clone())
                .must_hold(&*store, &grants, EXACTLY)
                .await?;
        }
    }
    Ok(())
}

/// A form with its submission collection, a shared draft, and a shared submission.
async fn form_with_submissions(
    scene: &mut Scene,
    actions: &[SubmittedAction],
) -> StoreResult<(FormMade, SharedSubmission, SharedSubmission)> {
    let form = scene.form(grant_based(actions)).await?;
    let (draft, submitted) = (SubmissionState::Draft, SubmissionState::Submitted);
    let creator = user("carol");
    let first = scene.shared_submission(&form.form, &creator, draft).await?;
    let second = scene
        .shared_submission(&form.form, &creator, submitted)
        .await?;
    Ok((form, first, second))
}

/// Promise 11: a grant on a resource reaches it, whatever its class and kind, unless it is a submission.
pub async fn resources_by_grants_on_themselves(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (alice, bob, crowd) = (holder("alice"), holder("bob"), dynamic("crowd"));
    let (form, draft, submitted) = form_with_submissions(&mut scene, &[]).await?;
    let (other_form, _, _) = form_with_submissions(&mut scene, &[]).await?;
    let group = scene.group("readers").await?;
    let thing = scene.item("thing", "1").await?;
    let of_bob = scene.item("thing", "2").await?;
    let things = scene.collection(&class("thing")).await?;
    let forms = scene.collection(&ResourceClass::FORM).await?;
    let submissions = scene.collection(&ResourceClass::SUBMISSION).await?;
    for (subject, done, on) in [
        (&alice, Action::READ, &form.resource),
        (&crowd, Action::READ, &other_form.collection),
        (&alice, Action::UPDATE, &group.resource),
        (&crowd, Action::MANAGE, &thing),
        (&alice, Action::MANAGE, &thing),
        (&alice, Action::CREATE, &things),
        (&alice, Action::CREATE, &forms),
        (&alice, Action::MANAGE, &submissions),
        (&alice, Action::MANAGE, &draft.resource),
        (&alice, Action::MANAGE, &submitted.resource),
        (&bob, Action::MANAGE, &of_bob),
        (&bob, Action::MANAGE, &thing),
    ] {
        scene.grant(subject, done, on).await?;
    }
    scene.commit().await?;
    let by_any = [
        &form.resource,
        &other_form.collection,
        &group.resource,
        &thing,
        &things,
        &forms,
        &submissions,
    ];
    must_reach(&*store, &[Reach::Itself(None)], &by_any).await?;
    let managing = Reach::Itself(Some(vec![Action::MANAGE]));
    must_reach(&*store, &[managing], &[&thing, &submissions]).await?;
    let either = Reach::Itself(Some(vec![Action::CREATE, Action::UPDATE]));
    must_reach(&*store, &[either], &[&group.resource, &things, &forms]).await?;
    must_reach(&*store, &[Reach::Itself(Some(vec![]))], &[]).await?;
    must_reach(&*store, &[], &[]).await
}

/// Promise 11: a grant on a form reaches its submission collection, and vice versa, if the way says so.
pub async fn resources_under_the_same_anchor(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (alice, bob, crowd) = (holder("alice"), holder("bob"), dynamic("crowd"));
    let by_form = scene.form(grant_based(&[])).await?;
    let by_collection = scene.form(creator_based(&[])).await?;
    let of_bob = scene.form(creator_based(&[])).await?;
    let forms = scene.collection(&ResourceClass::FORM).await?;
    let collections = scene
        .collection(&ResourceClass::SUBMISSION_COLLECTION)
        .await?;
    let reading = Action::READ_SUBMISSIONS;
    for (subject, done, on) in [
        (&alice, &reading, &by_form.resource),
        (&crowd, &Action::MANAGE, &by_form.resource),
        (&alice, &Action::READ, &by_collection.collection),
        (&bob, &reading, &of_bob.resource),
        (&bob, &Action::READ, &of_bob.collection),
        (&alice, &reading, &forms),
        (&alice, &Action::READ, &collections),
    ] {
        scene.grant(subject, done.clone(), on).await?;
    }
    scene.commit().await?;
    let to_collection = |actions: &[Action]| Reach::SameAnchor {
        target: ResourceClass::SUBMISSION_COLLECTION,
        holding: Holding {
            class: ResourceClass::FORM,
            actions: actions.to_vec(),
        },
    };
    let to_form = Reach::SameAnchor {
        target: ResourceClass::FORM,
        holding: Holding {
            class: ResourceClass::SUBMISSION_COLLECTION,
            actions: vec![Action::READ, Action::MANAGE],
        },
    };
    let both = [reading.clone(), Action::MANAGE];
    let (down, up) = (&by_form.collection, &by_collection.resource);
    must_reach(&*store, &[to_collection(&both)], &[down]).await?;
    must_reach(&*store, &[to_collection(&both[1..])], &[down]).await?;
    must_reach(&*store, &[to_collection(&[Action::READ])], &[]).await?;
    must_reach(&*store, std::slice::from_ref(&to_form), &[up]).await?;
    must_reach(&*store, &[to_collection(&both), to_form], &[down, up]).await
}

/// Promise 11: a grant on a submission reaches it while it is a draft, and after submission if the form allows one of
/// the actions.
pub async fn submissions_by_grants_on_themselves(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (closed, closed_draft, closed_submitted) = form_with_submissions(&mut scene, &[]).await?;
    let update = [SubmittedAction::Update];
    let (_, open_draft, open_submitted) = form_with_submissions(&mut scene, &update).await?;
    let (_, of_bob, _) = form_with_submissions(&mut scene, &update).await?;
    for (subject, done, on) in [
        (holder("alice"), Action::READ, &closed_draft),
        (holder("alice"), Action::READ, &closed_submitted),
        (dynamic("crowd"), Action::MANAGE, &open_draft),
        (holder("alice"), Action::MANAGE, &open_submitted),
        (dynamic("crowd"), Action::READ, &open_submitted),
        (holder("bob"), Action::MANAGE, &of_bob),
    ] {
        scene.grant(&subject, done, &on.resource).await?;
    }
    // Grants on the form are a different way.
    let alice = holder("alice");
    scene.grant(&alice, Action::READ, &closed.resource).await?;
    scene.commit().await?;
    let own = |actions: &[Action], in_force: &[SubmittedAction]| Reach::Submission {
        actions: actions.to_vec(),
        in_force: allowed(in_force),
    };
    let any = [Action::READ, Action::MANAGE];
    let (closed, open) = (&closed_draft.resource, &open_draft.resource);
    let submitted = &open_submitted.resource;
    let counting = own(&any, &[SubmittedAction::Update, SubmittedAction::Manage]);
    must_reach(&*store, &[counting], &[closed, open, submitted]).await?;
    let reading = own(&any, &[SubmittedAction::Read]);
    must_reach(&*store, &[reading], &[closed, open]).await?;
    must_reach(&*store, &[own(&any, &[])], &[closed, open]).await?;
    must_reach(&*store, &[own(&any[1..], &update)], &[open, submitted]).await?;
    must_reach(&*store, &[own(&[Action::DELETE], &update)], &[]).await
}

/// Promise 11: a grant on a form or on its submission collection reaches submitted submissions, and no drafts.
pub async fn submissions_by_grants_on_the_form(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (by_form, _, through_form) = form_with_submissions(&mut scene, &[]).await?;
    let (by_collection, _, through_collection) = form_with_submissions(&mut scene, &[]).await?;
    let (of_bob, _, _) = form_with_submissions(&mut scene, &[]).await?;
    let creators = scene.form(creator_based(&[])).await?;
    let (carol, submitted) = (user("carol"), SubmissionState::Submitted);
    scene.submission(&creators.form, &carol, submitted).await?;
    let reading = Action::READ_SUBMISSIONS;
    for (subject, done, on) in [
        (holder("alice"), &reading, &by_form.resource),
        (dynamic("crowd"), &reading, &by_form.resource),
        (holder("alice"), &Action::READ, &by_collection.collection),
        (holder("bob"), &reading, &of_bob.resource),
        (holder("alice"), &reading, &creators.resource),
    ] {
        scene.grant(&subject, done.clone(), on).await?;
    }
    scene.commit().await?;
    let through = |class: ResourceClass, action: &Action| {
        Reach::SubmissionsOfForm(Holding {
            class,
            actions: vec![action.clone(), Action::MANAGE],
        })
    };
    let form = through(ResourceClass::FORM, &reading);
    let collection = through(ResourceClass::SUBMISSION_COLLECTION, &Action::READ);
    let (down, up) = (&through_form.resource, &through_collection.resource);
    must_reach(&*store, std::slice::from_ref(&form), &[down]).await?;
    must_reach(&*store, std::slice::from_ref(&collection), &[up]).await?;
    must_reach(&*store, &[form, collection], &[down, up]).await?;
    let other = through(ResourceClass::FORM, &Action::READ);
    must_reach(&*store, &[other], &[]).await
}

/// Promise 11: collections managed through a policy are reached with the grants on them, but no items.
pub async fn managed_collections_are_reached(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let things = scene.collection(&class("thing")).await?;
    let others = scene.collection(&class("other")).await?;
    let forms = scene.collection(&ResourceClass::FORM).await?;
    let form = scene.form(creator_based(&[])).await?;
    let thing = scene.item("thing", "1").await?;
    let bob = holder("bob");
    let mut on_managed = Vec::new();
    for (resource, managed) in [
        (&things, true),
        (&forms, true),
        (&others, false),
        (&form.resource, false),
        (&thing, false),
    ] {
        let grant = scene.grant(&bob, Action::READ, resource).await?;
        on_managed.extend(managed.then_some(grant.id.as_uuid()));
    }
    let alice = holder("alice");
    let held = scene.grant(&alice, Action::READ, &things).await?;
    on_managed.push(held.id.as_uuid());
    scene.commit().await?;
    let reached = Reached {
        managed_collections: vec![class("thing"), ResourceClass::FORM, class("unknown")],
        ..reached(&[Reach::Itself(None)])
    };
    List::Resources(ResourceScope::Reached(reached.clone()), ANY)
        .must_hold(&*store, &uuids([&things, &forms]), EXACTLY)
        .await?;
    List::Grants(GrantScope::HeldOrOn(reached.clone()), ANY)
        .must_hold(&*store, &on_managed, EXACTLY)
        .await?;
    let nobody = Reached {
        subjects: Subjects::default(),
        ways: vec![],
        ..reached
    };
    List::Resources(ResourceScope::Reached(nobody), ANY)
        .must_hold(&*store, &uuids([&things, &forms]), EXACTLY)
        .await
}

/// Promise 11: everything is reached without grants except submissions; if the way says so, submitted ones of grant-based
/// forms are, too. Grants on submissions are needed for the rest.
pub async fn everything_is_reached_without_grants(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (form, draft, submitted) = form_with_submissions(&mut scene, &[]).await?;
    let (other, own, of_other) = form_with_submissions(&mut scene, &[]).await?;
    let group = scene.group("readers").await?;
    let thing = scene.item("thing", "1").await?;
    let things = scene.collection(&class("thing")).await?;
    let (alice, bob) = (holder("alice"), holder("bob"));
    scene.grant(&alice, Action::MANAGE, &own.resource).await?;
    for resource in [&draft.resource, &submitted.resource, &thing, &things] {
        scene.grant(&bob, Action::READ, resource).await?;
    }
    scene.commit().await?;
    let others = [
        &form.resource,
        &form.collection,
        &other.resource,
        &other.collection,
        &group.resource,
        &thing,
        &things,
    ];
    let everything = |submitted| Reach::Everything { submitted };
    must_reach(&*store, &[everything(false)], &others).await?;
    let own_draft = Reach::Submission {
        actions: vec![Action::MANAGE],
        in_force: allowed(&[]),
    };
    let with_own = [&others[..], &[&own.resource]].concat();
    let ways = [everything(false), own_draft.clone()];
    must_reach(&*store, &ways, &with_own).await?;

    let with_submitted = [&others[..], &[&submitted.resource, &of_other.resource]].concat();
    must_reach(&*store, &[everything(true)], &with_submitted).await?;
    let either = [everything(false), everything(true)];
    must_reach(&*store, &either, &with_submitted).await?;
    for (wanted, expected) in [
        (filter(Some("thing"), None), vec![&thing, &things]),
        (items(Some("thing")), vec![&thing]),
        (filter(None, Some("1")), vec![&thing]),
        (filter(Some("thing"), Some("2")), vec![]),
    ] {
        let scope = ResourceScope::Reached(reached(&[everything(true), own_draft.clone()]));
        List::Resources(scope, wanted)
            .must_hold(&*store, &uuids(expected), EXACTLY)
            .await?;
    }
    Ok(())
}

/// Promise 11: a grant is listed for its holders and for those who reach its resource, and only once.
pub async fn grants_are_listed_once(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let thing = scene.item("thing", "1").await?;
    let other = scene.item("thing", "2").await?;
    let (alice, crowd) = (holder("alice"), dynamic("crowd"));
    let everyone: [&Subject; 3] = [&alice, &crowd, &holder("bob")];
    let mut expected = Vec::new();
    for subject in everyone {
        for done in [Action::READ, Action::MANAGE] {
            let grant = scene.grant(subject, done, &thing).await?;
            expected.push(grant.id.as_uuid());
        }
    }
    let held = scene.grant(&alice, Action::READ, &other).await?;
    expected.push(held.id.as_uuid());
    scene.grant(&holder("bob"), Action::READ, &other).await?;
    scene.commit().await?;
    let managing = Reach::Itself(Some(vec![Action::MANAGE]));
    let reached = reached(&[managing.clone(), managing]);
    List::Grants(GrantScope::HeldOrOn(reached), ANY)
        .must_hold(&*store, &expected, EXACTLY)
        .await
}

/// Promise 11: all ways of the rules together list every resource once.
pub async fn every_way_lists_once(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let everything = [SubmittedAction::Manage];
    let (form, draft, submitted) = form_with_submissions(&mut scene, &everything).await?;
    let (_, _, hidden) = form_with_submissions(&mut scene, &everything).await?;
    let resources = [
        &form.resource,
        &form.collection,
        &draft.resource,
        &submitted.resource,
    ];
    for resource in resources {
        for subject in [holder("alice"), dynamic("crowd")] {
            for done in [Action::READ, Action::READ_SUBMISSIONS, Action::MANAGE] {
                scene.grant(&subject, done, resource).await?;
            }
        }
    }
    let bob = holder("bob");
    scene.grant(&bob, Action::MANAGE, &hidden.resource).await?;
    scene.commit().await?;
    must_reach(&*store, &any_access(), &resources).await?;
    must_reach(&*store, &managing(), &resources).await
}
