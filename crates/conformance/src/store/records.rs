//! The methods for single records: insert, find, update and delete.

use std::sync::Arc;

use uuid::Uuid;

use formalize_core::store::{HeldGrant, Store, StoreResult, SubmissionHeader, Window};
use formalize_core::{
    Action, FormId, GrantId, GroupId, Member, MembershipId, Resource, ResourceId, ResourceRef,
    Subject, SubmissionId, SubmissionRules, SubmissionState, UserId, authorization::Anchor,
    forms::SubmittedAction, links::LinkId, tokens::TokenId,
};

use crate::store::dump::{Contents, contents};
use crate::store::list::List;
use crate::store::samples::{
    Ids, class, creator_based, dynamic, grant_based, group_name, holder, instant, item, now,
    secret, subjects, user,
};
use crate::store::scene::{Scene, find_submission};

/// On an empty store, nothing can be found, listed, locked or deleted.
pub async fn what_is_not_there_is_not_found(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut tx = store.write().await?;
    assert_eq!(contents(&mut *tx).await?, Contents::default());
    for id in [Uuid::nil(), Ids::default().next(), Uuid::max()] {
        let (group, form) = (GroupId::from_uuid(id), FormId::from_uuid(id));
        let (resource, grant) = (ResourceId::from_uuid(id), GrantId::from_uuid(id));
        let (submission, token) = (SubmissionId::from_uuid(id), TokenId::from_uuid(id));
        let (membership, link) = (MembershipId::from_uuid(id), LinkId::from_uuid(id));
        assert_eq!(tx.find_group(group).await?, None);
        assert_eq!(tx.find_membership(membership).await?, None);
        assert_eq!(tx.find_resource(resource).await?, None);
        assert_eq!(tx.find_grant(grant).await?, None);
        assert_eq!(tx.read_forms()?.find_form(form).await?, None);
        assert_eq!(
            tx.read_submissions()?.find_submission(submission).await?,
            None
        );
        assert_eq!(tx.read_links()?.find_link(link).await?, None);
        assert_eq!(tx.write_links()?.lock_link_exclusive(link).await?, None);
        assert_eq!(tx.read_links()?.links(form, Window::ALL).await?, []);
        tx.write_links()?.delete_link(link).await?;
        assert_eq!(tx.lock_group(group).await?, None);
        assert_eq!(tx.lock_group_exclusive(group).await?, None);
        assert_eq!(tx.lock_resource(resource).await?, None);
        assert_eq!(tx.lock_resource_exclusive(resource).await?, None);
        assert_eq!(tx.write_forms()?.lock_form(form).await?, None);
        assert_eq!(tx.write_forms()?.lock_form_exclusive(form).await?, None);
        assert_eq!(
            tx.write_submissions()?
                .lock_submission_exclusive(submission)
                .await?,
            None
        );
        assert_eq!(tx.memberships(group, Window::ALL).await?, []);
        assert!(!tx.read_submissions()?.has_submissions(form).await?);
        assert!(!tx.has_other_manage_grant(resource, grant).await?);
        assert!(!tx.delete_membership(membership).await?);
        assert!(!tx.delete_grant(grant).await?);
        assert!(!tx.write_tokens()?.delete_token(token).await?);
        tx.write_tokens()?.touch_token(token, now()).await?;
    }
    assert_eq!(tx.read_tokens()?.find_token(&secret(1)).await?, None);
    assert_eq!(tx.read_links()?.find_link_of(&secret(1)).await?, None);
    assert_eq!(tx.find_setting("colour").await?, None);
    assert_eq!(tx.find_resource_of(&item("thing", "1")).await?, None);
    assert_eq!(tx.groups_of(&user("alice")).await?, []);
    assert_eq!(tx.memberships_above(&user("alice")).await?, []);
    tx.commit().await
}

/// A group is found as inserted and as updated. Several groups may have the same name.
pub async fn groups_are_written_and_changed(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut group = scene.group("readers").await?.group;
    let other = scene.group("readers").await?.group;
    scene.commit().await?;
    let mut tx = store.write().await?;
    assert_eq!(tx.lock_group(group.id).await?, Some(group.clone()));
    let locked = tx.lock_group_exclusive(group.id).await?;
    assert_eq!(locked, Some(group.clone()));
    group.name = group_name("writers");
    group.revision = ids.revision();
    tx.update_group(&group).await?;
    tx.commit().await?;
    let mut tx = store.read().await?;
    assert_eq!(tx.find_group(group.id).await?, Some(group));
    assert_eq!(
        tx.find_group(other.id).await?,
        Some(other),
        "the other group is unchanged"
    );
    Ok(())
}

/// A membership is found as inserted until it is deleted. The deletion returns whether it existed.
pub async fn memberships_are_written_and_deleted(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let outer = scene.group("outer").await?;
    let inner = scene.group("inner").await?;
    let alice = Member::User(user("alice"));
    let of_user = scene.member(outer.id(), alice).await?;
    let of_group = scene
        .member(outer.id(), Member::ChildGroup(inner.id()))
        .await?;
    scene.commit().await?;
    let mut tx = store.write().await?;
    let found = tx.find_membership(of_user.id).await?;
    assert_eq!(found, Some(of_user.clone()));
    let found = tx.find_membership(of_group.id).await?;
    assert_eq!(found, Some(of_group.clone()));
    let unknown = MembershipId::from_uuid(ids.next());
    let asked = [of_group.id, unknown, of_user.id, of_group.id];
    let mut found = tx.memberships_of(&asked).await?;
    found.sort_by_key(|membership| membership.id);
    assert_eq!(found, [of_user.clone(), of_group.clone()]);
    assert_eq!(tx.memberships_of(&[]).await?, []);
    assert!(tx.delete_membership(of_user.id).await?, "it existed");
    assert!(
        !tx.delete_membership(of_user.id).await?,
        "it no longer exists"
    );
    tx.commit().await?;
    List::Memberships(outer.id())
        .must_hold(&*store, &[of_group.id.as_uuid()], "one remains")
        .await
}

/// Resources are found by record and by reference. The collection of a class is not one of its items.
pub async fn resources_are_found_both_ways(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(grant_based(&[])).await?;
    let submission = scene
        .shared_submission(&form.form, &user("alice"), SubmissionState::Draft)
        .await?;
    let written = [
        scene.item("thing", "1").await?,
        scene.item("other", "1").await?,
        scene.collection(&class("thing")).await?,
        form.resource,
        form.collection,
        submission.resource,
    ];
    scene.commit().await?;
    let mut tx = store.write().await?;
    let references: Vec<_> = written.iter().map(|it| it.resource.clone()).collect();
    // Another item of a class, and another class of an identifier: both are named, but not together.
    let others = references.into_iter().skip(1);
    let asked: Vec<_> = others.chain([item("thing", "2")]).collect();
    let mut found = tx.resources_of(&asked).await?;
    found.sort_by_key(|resource| resource.id.as_uuid());
    let mut expected: Vec<_> = written.iter().skip(1).cloned().collect();
    expected.sort_by_key(|resource| resource.id.as_uuid());
    assert_eq!(found, expected);
    assert_eq!(tx.resources_of(&[]).await?, []);
    for resource in written {
        let expected = Some(resource.clone());
        assert_eq!(tx.find_resource(resource.id).await?, expected);
        assert_eq!(tx.find_resource_of(&resource.resource).await?, expected);
        assert_eq!(tx.lock_resource(resource.id).await?, expected);
        assert_eq!(tx.lock_resource_exclusive(resource.id).await?, expected);
    }
    let collection = ResourceRef::collection(class("other"));
    assert_eq!(tx.find_resource_of(&collection).await?, None);
    assert_eq!(tx.find_resource_of(&item("thing", "2")).await?, None);
    Ok(())
}

/// A grant is found with its resource until it is deleted. The deletion returns whether it existed.
pub async fn grants_are_found_with_their_resource(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let group = scene.group("readers").await?;
    let thing = scene.item("thing", "1").await?;
    let things = scene.collection(&class("thing")).await?;
    let holders = [group.subject(), holder("alice"), dynamic("everybody")];
    let mut written = Vec::new();
    for holder in &holders {
        for resource in [&thing, &things] {
            written.push(scene.grant(holder, Action::READ, resource).await?);
        }
    }
    scene.commit().await?;
    let mut tx = store.write().await?;
    let mut several = written.split_off(4);
    let mut asked: Vec<_> = several.iter().map(|grant| grant.id).collect();
    asked.push(GrantId::from_uuid(things.id.as_uuid()));
    let mut found = tx.grants_of(&asked).await?;
    found.sort_by_key(|grant| grant.id);
    several.sort_by_key(|grant| grant.id);
    assert_eq!(found, several);
    assert_eq!(tx.grants_of(&[]).await?, []);
    written.extend(several);
    for grant in &written {
        let found = tx.find_grant(grant.id).await?;
        assert_eq!(found.as_ref(), Some(grant));
        assert!(tx.delete_grant(grant.id).await?, "it existed");
        assert!(!tx.delete_grant(grant.id).await?, "it no longer exists");
        assert_eq!(tx.find_grant(grant.id).await?, None);
    }
    tx.commit().await
}

fn sorted_by_debug(mut held: Vec<HeldGrant>) -> Vec<HeldGrant> {
    held.sort_by_key(|grant| format!("{grant:?}"));
    held.dedup();
    held
}

fn held(on: &Resource, action: Action) -> HeldGrant {
    HeldGrant {
        anchor: on.anchor(),
        class: on.resource.class.clone(),
        action,
    }
}

/// Held grants are exactly those of any of the subjects on any of the anchors.
pub async fn held_grants_are_those_of_the_subjects(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let group = scene.group("readers").await?;
    let form = scene.form(SubmissionRules::default()).await?;
    let thing = scene.item("thing", "1").await?;
    let other = scene.item("thing", "2").await?;
    let (alice, crowd) = (holder("x"), dynamic("x"));
    scene.grant(&alice, Action::READ, &form.resource).await?;
    scene.grant(&crowd, Action::UPDATE, &form.resource).await?;
    let of_group = group.subject();
    scene
        .grant(&of_group, Action::READ, &form.collection)
        .await?;
    scene.grant(&alice, Action::MANAGE, &thing).await?;
    scene.grant(&alice, Action::DELETE, &other).await?;
    scene.commit().await?;

    let on_form = held(&form.resource, Action::READ);
    let of_crowd = held(&form.resource, Action::UPDATE);
    let on_collection = held(&form.collection, Action::READ);
    let on_thing = held(&thing, Action::MANAGE);
    let (anchor, elsewhere) = (Anchor::from(form.id()), thing.anchor());
    let everyone = subjects([alice.clone(), crowd.clone(), of_group.clone()]);
    let mut tx = store.read().await?;
    for (anchors, subjects, expected) in [
        (vec![anchor], subjects([alice.clone()]), vec![&on_form]),
        (vec![anchor], subjects([crowd]), vec![&of_crowd]),
        (vec![anchor], subjects([of_group]), vec![&on_collection]),
        (
            vec![anchor, elsewhere],
            everyone.clone(),
            vec![&on_form, &of_crowd, &on_collection, &on_thing],
        ),
        (vec![elsewhere], everyone.clone(), vec![&on_thing]),
        (vec![Anchor(Uuid::nil())], everyone.clone(), vec![]),
        (vec![], everyone, vec![]),
        (vec![anchor], subjects([]), vec![]),
        (vec![anchor], subjects([holder("y")]), vec![]),
    ] {
        let found = sorted_by_debug(tx.held(&anchors, &subjects).await?);
        let expected = sorted_by_debug(expected.into_iter().cloned().collect());
        assert_eq!(found, expected, "{subjects:?} under {anchors:?}");
    }
    Ok(())
}

/// Another `manage` grant counts regardless of its holder, and other actions do not.
pub async fn other_manage_grants_are_noticed(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let group = scene.group("managers").await?;
    let thing = scene.item("thing", "1").await?;
    let other = scene.item("thing", "2").await?;
    let alice = holder("alice");
    let own = scene.grant(&alice, Action::MANAGE, &thing).await?;
    scene.grant(&alice, Action::READ, &thing).await?;
    scene.grant(&holder("bob"), Action::UPDATE, &thing).await?;
    scene.grant(&alice, Action::MANAGE, &other).await?;
    let alone = scene.tx.has_other_manage_grant(thing.id, own.id).await?;
    assert!(!alone, "other actions and resources do not match");
    for holder in [group.subject(), holder("bob"), dynamic("everybody")] {
        let second = scene.grant(&holder, Action::MANAGE, &thing).await?;
        let has_other = scene.tx.has_other_manage_grant(thing.id, own.id).await?;
        assert!(has_other, "{holder:?} manages too");
        let has_other = scene.tx.has_other_manage_grant(thing.id, second.id).await?;
        assert!(has_other, "the first is a different grant");
        assert!(scene.tx.delete_grant(second.id).await?);
    }
    let alone = scene.tx.has_other_manage_grant(thing.id, own.id).await?;
    assert!(!alone, "the others were deleted");
    scene.commit().await
}

/// Several submissions are found by their identifiers with the rules of their forms, and unknown identifiers are omitted.
pub async fn records_are_found_by_several_identifiers(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let mut headers = Vec::new();
    let rules = [creator_based(&[]), grant_based(&[SubmittedAction::Read])];
    for (rules, creator) in rules.into_iter().zip([user("alice"), UserId::SYSTEM]) {
        let form = scene.form(rules).await?.form;
        for state in [SubmissionState::Draft, SubmissionState::Submitted] {
            let made = scene.submission(&form, &creator, state).await?;
            headers.push(SubmissionHeader {
                id: made.id,
                form: form.id,
                rules: form.rules,
                state,
                creator: creator.clone(),
            });
        }
    }
    scene.commit().await?;
    let mut tx = store.read().await?;
    assert_eq!(tx.read_submissions()?.submission_headers(&[]).await?, []);
    headers.sort_by_key(|header| header.id);
    headers.pop();
    let mut asked = vec![SubmissionId::from_uuid(ids.next())];
    asked.extend(headers.iter().rev().map(|header| header.id));
    let mut found = tx.read_submissions()?.submission_headers(&asked).await?;
    found.sort_by_key(|header| header.id);
    assert_eq!(found, headers);
    Ok(())
}

/// A submission is found as inserted and as updated.
pub async fn submissions_are_written_and_changed(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    let empty = scene.form(creator_based(&[])).await?.form;
    let alice = user("alice");
    let mut submission = scene
        .submission(&form, &alice, SubmissionState::Draft)
        .await?;
    scene.commit().await?;
    let mut tx = store.write().await?;
    assert!(
        tx.read_submissions()?.has_submissions(form.id).await?,
        "drafts are submissions too"
    );
    assert!(!tx.read_submissions()?.has_submissions(empty.id).await?);
    let locked = tx
        .write_submissions()?
        .lock_submission_exclusive(submission.id)
        .await?;
    assert_eq!(locked, Some(submission.clone()));
    submission.state = SubmissionState::Submitted;
    submission.data = None;
    submission.last_modified_by = user("bob");
    submission.date_last_modified = instant(1_795_000_001_000);
    submission.revision = ids.revision();
    tx.write_submissions()?
        .update_submission(&submission)
        .await?;
    tx.commit().await?;
    let found = find_submission(&*store, submission.id).await?;
    assert_eq!(found, Some(submission));
    Ok(())
}

/// A user, a group and a dynamic group with the same text are different holders.
pub async fn holders_of_the_same_text_are_different(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let group = scene.group("readers").await?;
    let thing = scene.item("thing", "1").await?;
    let text = group.id().to_string();
    let written = [
        scene.grant(&group.subject(), Action::READ, &thing).await?,
        scene.grant(&holder(&text), Action::UPDATE, &thing).await?,
        scene.grant(&dynamic(&text), Action::DELETE, &thing).await?,
        scene
            .grant(&holder(&format!("group:{text}")), Action::CREATE, &thing)
            .await?,
    ];
    scene.commit().await?;
    let mut tx = store.read().await?;
    for grant in written {
        let subject: Subject = grant.subject;
        let found = tx.held(&[thing.anchor()], &subjects([subject])).await?;
        assert_eq!(found, [held(&thing, grant.action)]);
    }
    Ok(())
}
