//! Conditional changes.

use std::sync::Arc;

use formalize_core::{
    Action, Expected, FormChange, FormName, GroupChange, ResourceRef, Revision, Store,
    SubmissionChange, SubmissionRules, SubmissionState,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, user};
use uuid::Uuid;

use super::{SYSTEM, fails};

on_every_store! {
    outdated_changes_are_rejected,
    one_of_several_expected_revisions_suffices,
    memberships_and_grants_have_one_revision,
    existence_and_permission_come_first,
    states_are_checked_before_permissions_on_them,
}

const NEVER: Revision = Revision::from_uuid(Uuid::from_u128(1));
const MISMATCH: &str = "RevisionMismatch";

fn rename(name: &str) -> FormChange {
    FormChange {
        name: Some(FormName::new(name).unwrap()),
        ..FormChange::default()
    }
}

async fn outdated_changes_are_rejected(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (groups, forms, submissions) = (world.groups(), world.forms(), world.submissions());

    let group = world.group("Group").await;
    let old = groups.get(SYSTEM, group).await.unwrap().item.revision;
    let new = groups
        .update(SYSTEM, group.at(old), GroupChange::default())
        .await
        .unwrap()
        .unwrap();
    let refused = groups
        .update(SYSTEM, group.at(old), GroupChange::default())
        .await;
    fails(refused, MISMATCH);
    let refused = groups.delete(SYSTEM, group.at(old)).await;
    fails(refused, MISMATCH);
    assert_eq!(groups.get(SYSTEM, group).await.unwrap(), new);

    let form = world.form(SubmissionRules::default()).await;
    let old = forms.get(SYSTEM, form).await.unwrap().item.revision;
    let new = forms
        .update(SYSTEM, form.at(old), rename("New"))
        .await
        .unwrap()
        .unwrap();
    let refused = forms.update(SYSTEM, form.at(old), rename("Newer")).await;
    fails(refused, MISMATCH);
    let refused = forms.delete(SYSTEM, form.at(old)).await;
    fails(refused, MISMATCH);
    assert_eq!(forms.get(SYSTEM, form).await.unwrap(), new);

    let submission = world
        .submission("alice", form, SubmissionState::Submitted)
        .await;
    let old = submissions
        .get(SYSTEM, submission)
        .await
        .unwrap()
        .item
        .revision;
    let change = SubmissionChange::default;
    let new = submissions
        .update(SYSTEM, submission.at(old), change())
        .await
        .unwrap()
        .unwrap();
    let refused = submissions
        .update(SYSTEM, submission.at(old), change())
        .await;
    fails(refused, MISMATCH);
    let refused = submissions.delete(SYSTEM, submission.at(old)).await;
    fails(refused, MISMATCH);
    assert_eq!(submissions.get(SYSTEM, submission).await.unwrap(), new);

    submissions
        .delete(SYSTEM, submission.at(new.item.revision))
        .await
        .unwrap();
    fails(
        submissions.get(SYSTEM, submission).await,
        "SubmissionNotFound",
    );
}

async fn one_of_several_expected_revisions_suffices(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let groups = world.groups();
    let group = world.group("Group").await;
    let read = groups.get(SYSTEM, group).await.unwrap().item;
    let refused = groups
        .delete(SYSTEM, Expected::in_one_of(group, vec![NEVER]))
        .await;
    fails(refused, MISMATCH);
    let refused = groups
        .delete(SYSTEM, Expected::in_one_of(group, Vec::new()))
        .await;
    fails(refused, MISMATCH);
    groups
        .delete(
            SYSTEM,
            Expected::in_one_of(group, vec![NEVER, read.revision]),
        )
        .await
        .unwrap();
}

async fn memberships_and_grants_have_one_revision(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let group = world.group("Group").await;
    let (memberships, grants) = (world.memberships(), world.grants());

    let id = world.member(group, "alice").await;
    let membership = memberships.get(SYSTEM, id).await.unwrap();
    let refused = memberships.delete(SYSTEM, id.at(NEVER)).await;
    fails(refused, MISMATCH);
    memberships
        .delete(SYSTEM, id.at(membership.revision()))
        .await
        .unwrap();
    fails(memberships.get(SYSTEM, id).await, "MembershipNotFound");

    let id = world
        .grant_to("alice", &Action::READ, &ResourceRef::group(group))
        .await;
    let grant = grants.get(SYSTEM, id).await.unwrap();
    let refused = grants.delete(SYSTEM, id.at(NEVER)).await;
    fails(refused, MISMATCH);
    grants
        .delete(SYSTEM, id.at(grant.item.revision()))
        .await
        .unwrap();
    fails(grants.get(SYSTEM, id).await, "GrantNotFound");
}

async fn existence_and_permission_come_first(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (groups, forms) = (world.groups(), world.forms());
    let stranger = &user("stranger");
    let group = world.group("Group").await;
    let form = world.form(SubmissionRules::default()).await;
    let submission = world
        .submission("alice", form, SubmissionState::Submitted)
        .await;
    fails(groups.delete(stranger, group.at(NEVER)).await, "Forbidden");
    fails(forms.delete(stranger, form.at(NEVER)).await, "Forbidden");
    fails(
        forms.update(stranger, form.at(NEVER), rename("New")).await,
        "Forbidden",
    );
    fails(
        world
            .submissions()
            .delete(stranger, submission.at(NEVER))
            .await,
        "Forbidden",
    );
    forms.delete(SYSTEM, form).await.unwrap();
    fails(forms.delete(SYSTEM, form.at(NEVER)).await, "FormNotFound");
    fails(
        world
            .submissions()
            .delete(SYSTEM, submission.at(NEVER))
            .await,
        "SubmissionNotFound",
    );
}

async fn states_are_checked_before_permissions_on_them(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let submission = world
        .submission("alice", form, SubmissionState::Submitted)
        .await;
    let change = FormChange {
        grant_based: Some(true),
        ..FormChange::default()
    };
    let refused = world.forms().update(SYSTEM, form.at(NEVER), change).await;
    fails(refused, MISMATCH);
    let change = SubmissionChange {
        state: SubmissionState::Draft.into(),
        ..SubmissionChange::default()
    };
    let submissions = world.submissions();
    let refused = submissions
        .update(SYSTEM, submission.at(NEVER), change)
        .await;
    fails(refused, MISMATCH);
    let last = world
        .grant_to("alice", &Action::MANAGE, &ResourceRef::form(form))
        .await;
    let refused = world.grants().delete(SYSTEM, last.at(NEVER)).await;
    fails(refused, MISMATCH);
}
