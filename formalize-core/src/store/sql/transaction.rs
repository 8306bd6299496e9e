//! The questions and commands of a store, each answered in the file of its subject.

use async_trait::async_trait;

use super::driver::{Lock, Transaction};
use super::{forms, grants, groups, memberships, resources, submissions, tokens};
use crate::authz::decision::HeldGrant;
use crate::authz::scope::{
    FormScope, GrantScope, ItemScope, ResourceScope, Subjects, SubmissionScope,
};
use crate::id::{
    FormId, GrantId, GroupId, MembershipId, ResourceId, Revision, SubmissionId, TokenId,
};
use crate::model::form::{Form, SubmissionCap};
use crate::model::grant::{Grant, GrantRecord};
use crate::model::group::Group;
use crate::model::membership::Membership;
use crate::model::resource::{Anchor, Resource, ResourceClass, ResourceFilter, ResourceRef};
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::token::{ApiToken, SecretHash};
use crate::page::Window;
use crate::store::{FormFor, Inserted, Principal, ReadTx, StoreResult, SubmissionFor, WriteTx};
use crate::time::Timestamp;

/// A transaction of a SQL database.
pub(super) struct SqlTransaction(pub(super) Transaction);

#[async_trait]
impl ReadTx for SqlTransaction {
    async fn groups_of(&mut self, user: &UserId) -> StoreResult<Vec<GroupId>> {
        memberships::groups_of(&mut self.0, user).await
    }

    async fn is_within(&mut self, inner: GroupId, outer: GroupId) -> StoreResult<bool> {
        memberships::is_within(&mut self.0, inner, outer).await
    }

    async fn held(
        &mut self,
        anchors: &[Anchor],
        subjects: &Subjects,
    ) -> StoreResult<Vec<HeldGrant>> {
        grants::held(&mut self.0, anchors, subjects).await
    }

    async fn held_by(
        &mut self,
        anchors: &[Anchor],
        holder: Principal<'_>,
    ) -> StoreResult<Vec<HeldGrant>> {
        grants::held_by(&mut self.0, anchors, holder).await
    }

    async fn find_group_for(
        &mut self,
        id: GroupId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<(Group, Vec<HeldGrant>)>> {
        groups::find_for(&mut self.0, id, holder).await
    }

    async fn find_form_for(
        &mut self,
        id: FormId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<FormFor>> {
        forms::find_for(&mut self.0, id, holder).await
    }

    async fn find_submission_for(
        &mut self,
        id: SubmissionId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<SubmissionFor>> {
        submissions::find_for(&mut self.0, id, holder).await
    }

    async fn find_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        groups::find(&mut self.0, id, None).await
    }

    async fn groups(
        &mut self,
        scope: &ItemScope,
        search: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Group>> {
        groups::list(&mut self.0, scope, search, window).await
    }

    async fn find_membership(&mut self, id: MembershipId) -> StoreResult<Option<Membership>> {
        memberships::find(&mut self.0, id).await
    }

    async fn memberships(
        &mut self,
        group: GroupId,
        window: Window,
    ) -> StoreResult<Vec<Membership>> {
        memberships::list(&mut self.0, group, window).await
    }

    async fn find_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        resources::find(&mut self.0, id, None).await
    }

    async fn find_resource_of(&mut self, resource: &ResourceRef) -> StoreResult<Option<Resource>> {
        resources::find_of(&mut self.0, resource).await
    }

    async fn resources(
        &mut self,
        scope: &ResourceScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Resource>> {
        resources::list(&mut self.0, scope, filter, window).await
    }

    async fn classes(
        &mut self,
        scope: &ResourceScope,
        classes: &[ResourceClass],
    ) -> StoreResult<Vec<ResourceClass>> {
        resources::classes(&mut self.0, scope, classes).await
    }

    async fn find_grant(&mut self, id: GrantId) -> StoreResult<Option<Grant>> {
        grants::find(&mut self.0, id).await
    }

    async fn grants(
        &mut self,
        scope: &GrantScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Grant>> {
        grants::list(&mut self.0, scope, filter, window).await
    }

    async fn find_form(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        forms::find(&mut self.0, id, None).await
    }

    async fn forms_of(&mut self, ids: &[FormId]) -> StoreResult<Vec<Form>> {
        forms::find_all(&mut self.0, ids).await
    }

    async fn forms(&mut self, scope: &FormScope, window: Window) -> StoreResult<Vec<Form>> {
        forms::list(&mut self.0, scope, window).await
    }

    async fn find_submission(&mut self, id: SubmissionId) -> StoreResult<Option<Submission>> {
        submissions::find(&mut self.0, id, None).await
    }

    async fn submissions_of(&mut self, ids: &[SubmissionId]) -> StoreResult<Vec<Submission>> {
        submissions::find_all(&mut self.0, ids).await
    }

    async fn submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        creator: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Submission>> {
        submissions::list(&mut self.0, form, scope, creator, window).await
    }

    async fn places_taken(&mut self, form: FormId, creator: &UserId) -> StoreResult<i64> {
        submissions::places_taken(&mut self.0, form, creator).await
    }

    async fn has_submissions(&mut self, form: FormId) -> StoreResult<bool> {
        submissions::are_there(&mut self.0, form).await
    }

    async fn find_token(&mut self, secret: &SecretHash) -> StoreResult<Option<ApiToken>> {
        tokens::find(&mut self.0, secret).await
    }

    async fn tokens(&mut self, window: Window) -> StoreResult<Vec<ApiToken>> {
        tokens::list(&mut self.0, window).await
    }

    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>> {
        tokens::find_setting(&mut self.0, name).await
    }
}

#[async_trait]
impl WriteTx for SqlTransaction {
    async fn commit(self: Box<Self>) -> StoreResult<()> {
        self.0.commit().await
    }

    async fn lock_memberships(&mut self) -> StoreResult<()> {
        memberships::lock(&mut self.0).await
    }

    async fn lock_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        groups::find(&mut self.0, id, Some(Lock::Shared)).await
    }

    async fn lock_group_exclusive(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        groups::find(&mut self.0, id, Some(Lock::Exclusive)).await
    }

    async fn lock_resource_exclusive(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        resources::find(&mut self.0, id, Some(Lock::Exclusive)).await
    }

    async fn lock_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        resources::find(&mut self.0, id, Some(Lock::Shared)).await
    }

    async fn lock_form(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        forms::find(&mut self.0, id, Some(Lock::Shared)).await
    }

    async fn lock_form_exclusive(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        forms::find(&mut self.0, id, Some(Lock::Exclusive)).await
    }

    async fn lock_submission_exclusive(
        &mut self,
        id: SubmissionId,
    ) -> StoreResult<Option<Submission>> {
        submissions::find(&mut self.0, id, Some(Lock::Exclusive)).await
    }

    async fn insert_group(&mut self, group: &Group) -> StoreResult<()> {
        groups::insert(&mut self.0, group).await
    }

    async fn update_group(&mut self, group: &Group) -> StoreResult<()> {
        groups::update(&mut self.0, group).await
    }

    async fn delete_group(&mut self, id: GroupId) -> StoreResult<()> {
        groups::delete(&mut self.0, id).await
    }

    async fn insert_membership(&mut self, membership: &Membership) -> StoreResult<Inserted> {
        memberships::insert(&mut self.0, membership).await
    }

    async fn delete_membership(&mut self, id: MembershipId) -> StoreResult<bool> {
        memberships::delete(&mut self.0, id).await
    }

    async fn insert_resource(&mut self, resource: &Resource) -> StoreResult<Inserted> {
        resources::insert(&mut self.0, resource).await
    }

    async fn delete_resource(&mut self, id: ResourceId) -> StoreResult<()> {
        resources::delete(&mut self.0, id).await
    }

    async fn insert_grant(&mut self, grant: &GrantRecord) -> StoreResult<Inserted> {
        grants::insert(&mut self.0, grant).await
    }

    async fn delete_grant(&mut self, id: GrantId) -> StoreResult<bool> {
        grants::delete(&mut self.0, id).await
    }

    async fn has_other_manage_grant(
        &mut self,
        resource: ResourceId,
        grant: GrantId,
    ) -> StoreResult<bool> {
        grants::has_other_manage_grant(&mut self.0, resource, grant).await
    }

    async fn insert_form(&mut self, form: &Form) -> StoreResult<()> {
        forms::insert(&mut self.0, form).await
    }

    async fn update_form(&mut self, form: &Form) -> StoreResult<()> {
        forms::update(&mut self.0, form).await
    }

    async fn delete_form(&mut self, id: FormId) -> StoreResult<()> {
        forms::delete(&mut self.0, id).await
    }

    async fn submit(
        &mut self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
    ) -> StoreResult<bool> {
        let submit = submissions::submit(self.0.dialect(), submission, form, cap);
        Ok(self.0.run(submit).await? > 0)
    }

    async fn update_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        submissions::update(&mut self.0, submission).await
    }

    async fn delete_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        submissions::delete(&mut self.0, submission).await
    }

    async fn delete_submitted(&mut self, form: FormId) -> StoreResult<u64> {
        submissions::delete_submitted(&mut self.0, form).await
    }

    async fn insert_token(&mut self, token: &ApiToken, secret: &SecretHash) -> StoreResult<()> {
        tokens::insert(&mut self.0, token, secret).await
    }

    async fn delete_token(&mut self, id: TokenId) -> StoreResult<bool> {
        tokens::delete(&mut self.0, id).await
    }

    async fn touch_token(&mut self, id: TokenId, used: Timestamp) -> StoreResult<()> {
        tokens::touch(&mut self.0, id, used).await
    }

    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted> {
        tokens::insert_setting(&mut self.0, name, value).await
    }
}
