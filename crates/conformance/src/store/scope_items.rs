//! Promise 11: scopes of groups and forms.

use std::sync::Arc;

use formalize_core::SubmissionState::{Draft, Submitted};
use formalize_core::forms::SubmittedAction::{Delete, Manage, Read, Update};
use formalize_core::store::scope::{FormScope, Holding, ItemScope, Subjects, SubmissionReach};
use formalize_core::store::{Store, StoreResult};
use formalize_core::{Action, Member, ResourceClass, forms::FrontendKeys};

use crate::store::list::{ALL_FORMS, List};
use crate::store::samples::{
    Ids, action, allowed, creator_based, dynamic, grant_based, holder, subjects, user,
};
use crate::store::scene::Scene;

const EXACTLY: &str = "promise 11: exactly the rows of the scope";

fn granted(subjects: Subjects, class: ResourceClass, actions: &[Action]) -> ItemScope {
    let actions = actions.to_vec();
    let holdings = vec![Holding { class, actions }];
    ItemScope::Granted { subjects, holdings }
}

fn groups(subjects: Subjects, actions: &[Action]) -> List {
    List::Groups(granted(subjects, ResourceClass::GROUP, actions), None)
}

fn forms(subjects: Subjects, class: ResourceClass, actions: &[Action]) -> List {
    List::Forms(FormScope {
        items: granted(subjects, class, actions),
        with_submissions: None,
        keys: FrontendKeys::ALL,
    })
}

/// Promise 11: every group is listed, with or without grants and resources.
pub async fn all_groups(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let granted = scene.group("granted").await?;
    scene
        .grant(&holder("alice"), Action::READ, &granted.resource)
        .await?;
    let plain = scene.group("plain").await?;
    let bare = ids.group("without a resource");
    scene.tx.insert_group(&bare).await?;
    scene.commit().await?;
    let all = [granted.uuid(), plain.uuid(), bare.id.as_uuid()];
    List::Groups(ItemScope::All, None)
        .must_hold(&*store, &all, EXACTLY)
        .await
}

/// Promise 11: a group is listed exactly for the holders of a grant of one of the actions on it.
pub async fn granted_groups(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let by_user = scene.group("by user").await?;
    let by_group = scene.group("by group").await?;
    let by_dynamic = scene.group("by dynamic group").await?;
    let managed = scene.group("managed").await?;
    let (alice, crowd) = (holder("alice"), dynamic("crowd"));
    let team = managed.subject();
    for (subject, done, on) in [
        (&alice, Action::READ, &by_user),
        (&alice, Action::UPDATE, &by_group),
        (&team, Action::READ, &by_group),
        (&crowd, Action::READ, &by_dynamic),
        (&alice, Action::MANAGE, &managed),
        (&holder("bob"), Action::READ, &managed),
    ] {
        scene.grant(subject, done, &on.resource).await?;
    }
    let all = scene.collection(&ResourceClass::GROUP).await?;
    scene.grant(&alice, Action::READ, &all).await?;
    let namesake = scene.item("other", &by_dynamic.id().to_string()).await?;
    scene.grant(&alice, Action::READ, &namesake).await?;
    scene.commit().await?;

    let read = [Action::READ];
    let any = [Action::READ, Action::MANAGE];
    let everyone = || subjects([alice.clone(), team.clone(), crowd.clone()]);
    for (list, expected) in [
        (groups(subjects([alice.clone()]), &read), vec![&by_user]),
        (
            groups(subjects([alice.clone()]), &any),
            vec![&by_user, &managed],
        ),
        (groups(subjects([team.clone()]), &any), vec![&by_group]),
        (groups(subjects([crowd.clone()]), &any), vec![&by_dynamic]),
        (
            groups(everyone(), &any),
            vec![&by_user, &by_group, &by_dynamic, &managed],
        ),
        (groups(everyone(), &[Action::UPDATE]), vec![&by_group]),
        (groups(everyone(), &[Action::DELETE]), vec![]),
        (groups(everyone(), &[]), vec![]),
        (groups(subjects([holder("crowd")]), &any), vec![]),
        (groups(subjects([]), &any), vec![]),
    ] {
        let expected: Vec<_> = expected.iter().map(|group| group.uuid()).collect();
        list.must_hold(&*store, &expected, EXACTLY).await?;
    }
    Ok(())
}

/// Promise 11: members of a group have its grants only if the group is among the subjects, because stores do not
/// authorize.
pub async fn subjects_are_taken_as_they_are(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let team = scene.group("team").await?;
    scene.member(team.id(), Member::User(user("alice"))).await?;
    let of_team = team.subject();
    scene.grant(&of_team, Action::READ, &team.resource).await?;
    scene.commit().await?;
    groups(subjects([holder("alice")]), &[Action::READ])
        .must_hold(&*store, &[], EXACTLY)
        .await
}

/// Promise 11: an item with several matching grants is listed once.
pub async fn items_are_listed_once(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let holders = [holder("alice"), holder("bob"), dynamic("alice")];
    let any = [Action::READ, Action::MANAGE, action("other")];
    let (mut group_ids, mut form_ids) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let group = scene.group("a group").await?;
        let form = scene.form(creator_based(&[])).await?;
        for holder in &holders {
            for done in &any {
                scene.grant(holder, done.clone(), &group.resource).await?;
                scene.grant(holder, done.clone(), &form.resource).await?;
            }
        }
        group_ids.push(group.uuid());
        form_ids.push(form.uuid());
    }
    scene.commit().await?;
    let twice = || Subjects::new([holders.clone(), holders.clone()].concat());
    groups(twice(), &any)
        .must_hold(&*store, &group_ids, EXACTLY)
        .await?;
    forms(twice(), ResourceClass::FORM, &any)
        .must_hold(&*store, &form_ids, EXACTLY)
        .await
}

/// Promise 11: a search and a scope both restrict the list.
pub async fn granted_groups_are_searched(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (mut expected, alice) = (Vec::new(), holder("alice"));
    for (name, holder) in [
        ("Readers", &alice),
        ("All READERS", &alice),
        ("Writers", &alice),
        ("Readers", &holder("bob")),
    ] {
        let group = scene.group(name).await?;
        scene.grant(holder, Action::READ, &group.resource).await?;
        if *holder == alice && name != "Writers" {
            expected.push(group.uuid());
        }
    }
    scene.commit().await?;
    let scope = granted(subjects([alice]), ResourceClass::GROUP, &[Action::READ]);
    List::Groups(scope, Some("readers".to_owned()))
        .must_hold(&*store, &expected, EXACTLY)
        .await
}

/// Promise 11: a form is listed through grants on the classes in the scope, not on the other class with the same anchor,
/// and only once.
pub async fn granted_forms(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let by_form = scene.form(creator_based(&[])).await?;
    let by_collection = scene.form(creator_based(&[])).await?;
    let by_both = scene.form(creator_based(&[])).await?;
    let plain = scene.form(creator_based(&[])).await?;
    let alice = holder("alice");
    for form in [&by_form, &by_both] {
        scene.grant(&alice, Action::READ, &form.resource).await?;
    }
    for form in [&by_collection, &by_both] {
        scene.grant(&alice, Action::READ, &form.collection).await?;
    }
    let all = scene.collection(&ResourceClass::FORM).await?;
    scene.grant(&alice, Action::READ, &all).await?;
    let bob = holder("bob");
    scene.grant(&bob, Action::READ, &plain.resource).await?;
    scene.commit().await?;
    let (by_form, by_collection, by_both) = (by_form.uuid(), by_collection.uuid(), by_both.uuid());
    let everything = [by_form, by_collection, by_both, plain.uuid()];
    List::Forms(ALL_FORMS)
        .must_hold(&*store, &everything, EXACTLY)
        .await?;
    let alice = || subjects([alice.clone()]);
    forms(alice(), ResourceClass::FORM, &[Action::READ])
        .must_hold(&*store, &[by_form, by_both], EXACTLY)
        .await?;
    let collections = ResourceClass::SUBMISSION_COLLECTION;
    forms(alice(), collections, &[Action::READ])
        .must_hold(&*store, &[by_collection, by_both], EXACTLY)
        .await?;
    forms(alice(), ResourceClass::FORM, &[Action::UPDATE])
        .must_hold(&*store, &[], EXACTLY)
        .await?;
    let classes = [ResourceClass::FORM, ResourceClass::SUBMISSION_COLLECTION];
    let holdings = classes.map(|class| Holding {
        class,
        actions: vec![Action::READ],
    });
    let either = FormScope {
        items: ItemScope::Granted {
            subjects: alice(),
            holdings: holdings.into(),
        },
        with_submissions: None,
        keys: FrontendKeys::ALL,
    };
    List::Forms(either)
        .must_hold(&*store, &[by_form, by_collection, by_both], EXACTLY)
        .await
}

/// The forms with submissions that Alice may read, among those of a scope.
fn with_submissions(items: ItemScope) -> List {
    List::Forms(FormScope {
        items,
        with_submissions: Some(SubmissionReach {
            subjects: subjects([holder("alice"), dynamic("crowd")]),
            creator: user("alice"),
            through_form: vec![
                Holding {
                    class: ResourceClass::FORM,
                    actions: vec![Action::READ_SUBMISSIONS, Action::MANAGE],
                },
                Holding {
                    class: ResourceClass::SUBMISSION_COLLECTION,
                    actions: vec![Action::READ],
                },
            ],
            own: vec![Action::READ, Action::MANAGE],
            in_force: allowed(&[Read, Manage]),
        }),
        keys: FrontendKeys::ALL,
    })
}

/// Promise 11: grants on a form or its submission collection reach its submissions, even if there are none.
pub async fn forms_whose_submissions_are_reached(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (alice, bob, crowd) = (holder("alice"), holder("bob"), dynamic("crowd"));
    let mut expected = Vec::new();
    for (subject, done, on_form, reached) in [
        (&alice, Action::READ_SUBMISSIONS, true, true),
        (&crowd, Action::READ_SUBMISSIONS, true, true),
        (&alice, Action::MANAGE, true, true),
        (&alice, Action::READ, false, true),
        (&alice, Action::READ, true, false),
        (&alice, Action::MANAGE, false, false),
        (&alice, Action::READ_SUBMISSIONS, false, false),
        (&bob, Action::READ_SUBMISSIONS, true, false),
    ] {
        let form = scene.form(creator_based(&[])).await?;
        let on = if on_form {
            &form.resource
        } else {
            &form.collection
        };
        scene.grant(subject, done, on).await?;
        if reached {
            expected.push(form.uuid());
        }
        let creator = user("bob");
        let submitted = Submitted;
        scene.submission(&form.form, &creator, submitted).await?;
    }
    scene.commit().await?;
    with_submissions(ItemScope::All)
        .must_hold(&*store, &expected, EXACTLY)
        .await
}

/// Promise 11: authorship reaches drafts, and submitted submissions as far as the form allows an action, but nothing in
/// grant-based forms.
pub async fn forms_with_submissions_of_ones_own(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let mut expected = Vec::new();
    for (rules, creator, state, reached) in [
        (creator_based(&[]), "alice", Draft, true),
        (creator_based(&[]), "alice", Submitted, false),
        (creator_based(&[Update]), "alice", Submitted, false),
        (creator_based(&[Read]), "alice", Submitted, true),
        (creator_based(&[Manage]), "alice", Submitted, true),
        (creator_based(&[Read]), "Alice", Submitted, false),
        (creator_based(&[Read]), "bob", Draft, false),
        (grant_based(&[Read]), "alice", Draft, false),
        (grant_based(&[Read]), "alice", Submitted, false),
    ] {
        let form = scene.form(rules).await?;
        scene.submission(&form.form, &user("bob"), state).await?;
        for _ in 0..2 {
            scene.submission(&form.form, &user(creator), state).await?;
        }
        if reached {
            expected.push(form.uuid());
        }
    }
    scene.commit().await?;
    with_submissions(ItemScope::All)
        .must_hold(&*store, &expected, EXACTLY)
        .await
}

/// Promise 11: grants on a submission itself reach drafts, and submitted submissions as far as the form allows an
/// action.
pub async fn forms_with_shared_submissions(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (alice, bob, crowd) = (holder("alice"), holder("bob"), dynamic("crowd"));
    let mut expected = Vec::new();
    for (actions, subject, done, state, reached) in [
        (vec![], &alice, Action::READ, Draft, true),
        (vec![], &crowd, Action::MANAGE, Draft, true),
        (vec![], &alice, Action::UPDATE, Draft, false),
        (vec![], &bob, Action::READ, Draft, false),
        (vec![], &alice, Action::READ, Submitted, false),
        (vec![Delete], &alice, Action::READ, Submitted, false),
        (vec![Read], &alice, Action::MANAGE, Submitted, true),
        (vec![Manage], &crowd, Action::READ, Submitted, true),
        (vec![Read], &bob, Action::READ, Submitted, false),
    ] {
        let form = scene.form(grant_based(&actions)).await?;
        let creator = user("carol");
        let shared = scene.shared_submission(&form.form, &creator, state).await?;
        scene.grant(subject, done, &shared.resource).await?;
        scene.shared_submission(&form.form, &creator, state).await?;
        if reached {
            expected.push(form.uuid());
        }
    }
    scene.commit().await?;
    with_submissions(ItemScope::All)
        .must_hold(&*store, &expected, EXACTLY)
        .await
}

/// Promise 11: of the forms with reachable submissions, only readable ones are listed, each once.
pub async fn forms_must_be_readable_too(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let (alice, crowd) = (holder("alice"), dynamic("crowd"));
    let readable = scene.form(creator_based(&[])).await?;
    let hidden = scene.form(creator_based(&[])).await?;
    let empty = scene.form(creator_based(&[])).await?;
    for form in [&readable, &hidden] {
        for subject in [&alice, &crowd] {
            let reading = Action::READ_SUBMISSIONS;
            scene.grant(subject, reading, &form.resource).await?;
            scene.grant(subject, Action::READ, &form.collection).await?;
        }
        let draft = Draft;
        scene.submission(&form.form, &user("alice"), draft).await?;
    }
    for form in [&readable, &empty] {
        scene.grant(&alice, Action::READ, &form.resource).await?;
        scene.grant(&crowd, Action::READ, &form.resource).await?;
    }
    scene.commit().await?;
    let both = subjects([alice, crowd]);
    let scope = granted(both, ResourceClass::FORM, &[Action::READ]);
    with_submissions(scope)
        .must_hold(&*store, &[readable.uuid()], EXACTLY)
        .await
}
