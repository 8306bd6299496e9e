//! What a transaction reads and writes, one pair of traits for each kind of record.
//!
//! `find_…` methods answer `None` for a record that does not exist. Lists follow [`Window`]. Every method fails with
//! [`StoreError`](super::StoreError) when the store does, and with nothing else.

use async_trait::async_trait;

use super::{
    FormFor, HeldGrant, Inserted, Principal, SecretHash, StoreResult, SubmissionFor, Window,
};
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
use crate::model::token::ApiToken;
use crate::time::Timestamp;

/// Reads groups.
#[async_trait]
pub trait ReadGroups: Send {
    /// A group.
    async fn find_group(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// A group, with the grants on it that someone holds.
    async fn find_group_for(
        &mut self,
        id: GroupId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<(Group, Vec<HeldGrant>)>>;

    /// Groups in the scope; with `search` only those whose name, folded by [`fold_case`](super::fold_case), contains that (folded) text.
    async fn groups(
        &mut self,
        scope: &ItemScope,
        search: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Group>>;
}

/// Writes groups.
#[async_trait]
pub trait WriteGroups: ReadGroups {
    /// A group that stays while the transaction lasts.
    async fn lock_group(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// A group; one transaction at a time has it.
    async fn lock_group_exclusive(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// Writes a group.
    async fn insert_group(&mut self, group: &Group) -> StoreResult<()>;

    /// Writes a group again, as it is now.
    async fn update_group(&mut self, group: &Group) -> StoreResult<()>;

    /// Deletes a group with its resource and the grants on that, the grants that it holds, and its memberships, as a
    /// group and as a child.
    async fn delete_group(&mut self, id: GroupId) -> StoreResult<()>;
}

/// Reads memberships.
#[async_trait]
pub trait ReadMemberships: Send {
    /// Every group that has the user as a direct or indirect member, in no particular order, each once.
    async fn groups_of(&mut self, user: &UserId) -> StoreResult<Vec<GroupId>>;

    /// Whether `outer` is `inner`, or has it as a direct or indirect child.
    async fn is_within(&mut self, inner: GroupId, outer: GroupId) -> StoreResult<bool>;

    /// A membership.
    async fn find_membership(&mut self, id: MembershipId) -> StoreResult<Option<Membership>>;

    /// The direct memberships of a group.
    async fn memberships(&mut self, group: GroupId, window: Window)
    -> StoreResult<Vec<Membership>>;
}

/// Writes memberships.
#[async_trait]
pub trait WriteMemberships: ReadMemberships {
    /// Lets in one transaction at a time that changes which groups contain which, or deletes one.
    async fn lock_memberships(&mut self) -> StoreResult<()>;

    /// Writes a membership.
    async fn insert_membership(&mut self, membership: &Membership) -> StoreResult<Inserted>;

    /// Deletes a membership; `false` when it was not there any more.
    async fn delete_membership(&mut self, id: MembershipId) -> StoreResult<bool>;
}

/// Reads resources.
#[async_trait]
pub trait ReadResources: Send {
    /// A resource by its record.
    async fn find_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// A resource by class and identifier.
    async fn find_resource_of(&mut self, resource: &ResourceRef) -> StoreResult<Option<Resource>>;

    /// Resources in the scope.
    async fn resources(
        &mut self,
        scope: &ResourceScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Resource>>;

    /// Those of the classes of which there is a resource in the scope, in their order.
    async fn classes(
        &mut self,
        scope: &ResourceScope,
        classes: &[ResourceClass],
    ) -> StoreResult<Vec<ResourceClass>>;
}

/// Writes resources.
#[async_trait]
pub trait WriteResources: ReadResources {
    /// A resource that stays while the transaction lasts.
    async fn lock_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// A resource; one transaction at a time has it.
    async fn lock_resource_exclusive(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// Writes a resource.
    async fn insert_resource(&mut self, resource: &Resource) -> StoreResult<Inserted>;

    /// Deletes a resource with all grants on it.
    async fn delete_resource(&mut self, id: ResourceId) -> StoreResult<()>;
}

/// Reads grants.
#[async_trait]
pub trait ReadGrants: Send {
    /// The grants that any of the subjects holds on resources under these anchors.
    async fn held(
        &mut self,
        anchors: &[Anchor],
        subjects: &Subjects,
    ) -> StoreResult<Vec<HeldGrant>>;

    /// The grants on resources under these anchors that someone holds.
    ///
    /// A store that cannot answer this and the other questions about a [`Principal`] at once composes the answers with the
    /// functions in [`compose`](super::compose).
    async fn held_by(
        &mut self,
        anchors: &[Anchor],
        holder: Principal<'_>,
    ) -> StoreResult<Vec<HeldGrant>>;

    /// A grant.
    async fn find_grant(&mut self, id: GrantId) -> StoreResult<Option<Grant>>;

    /// Grants in the scope, on resources that the filter admits.
    async fn grants(
        &mut self,
        scope: &GrantScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Grant>>;
}

/// Writes grants.
#[async_trait]
pub trait WriteGrants: ReadGrants {
    /// Writes a grant. Its resource, and its group if a group holds it, must have been locked.
    async fn insert_grant(&mut self, grant: &GrantRecord) -> StoreResult<Inserted>;

    /// Deletes a grant; `false` when it was not there any more.
    async fn delete_grant(&mut self, id: GrantId) -> StoreResult<bool>;

    /// Whether the resource has a `manage` grant other than this one.
    async fn has_other_manage_grant(
        &mut self,
        resource: ResourceId,
        grant: GrantId,
    ) -> StoreResult<bool>;
}

/// Reads forms.
#[async_trait]
pub trait ReadForms: Send {
    /// A form.
    async fn find_form(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// A form, with what it is to someone.
    async fn find_form_for(
        &mut self,
        id: FormId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<FormFor>>;

    /// Forms by their identifiers, in no particular order; what is not there is left out.
    async fn forms_of(&mut self, ids: &[FormId]) -> StoreResult<Vec<Form>>;

    /// Forms in the scope.
    async fn forms(&mut self, scope: &FormScope, window: Window) -> StoreResult<Vec<Form>>;
}

/// Writes forms.
#[async_trait]
pub trait WriteForms: ReadForms {
    /// A form that stays as it is while the transaction lasts.
    async fn lock_form(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// A form; one transaction at a time has it.
    async fn lock_form_exclusive(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// Writes a form.
    async fn insert_form(&mut self, form: &Form) -> StoreResult<()>;

    /// Writes a form again, as it is now.
    async fn update_form(&mut self, form: &Form) -> StoreResult<()>;

    /// Deletes a form with its submissions, drafts included, their resources and its own (form and submission
    /// collection), and all grants on them.
    async fn delete_form(&mut self, id: FormId) -> StoreResult<()>;
}

/// Reads submissions and the places that they take.
#[async_trait]
pub trait ReadSubmissions: Send {
    /// A submission.
    async fn find_submission(&mut self, id: SubmissionId) -> StoreResult<Option<Submission>>;

    /// A submission, with what it is to someone.
    async fn find_submission_for(
        &mut self,
        id: SubmissionId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<SubmissionFor>>;

    /// Submissions by their identifiers, in no particular order; what is not there is left out.
    async fn submissions_of(&mut self, ids: &[SubmissionId]) -> StoreResult<Vec<Submission>>;

    /// Submissions of a form in the scope; with `creator` only those of that creator.
    async fn submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        creator: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Submission>>;

    /// How many submissions of the form, drafts included, the creator has.
    async fn places_taken(&mut self, form: FormId, creator: &UserId) -> StoreResult<i64>;

    /// Whether the form has submissions, drafts included.
    async fn has_submissions(&mut self, form: FormId) -> StoreResult<bool>;
}

/// Writes submissions and the places that they take.
#[async_trait]
pub trait WriteSubmissions: ReadSubmissions {
    /// A submission; one transaction at a time has it.
    async fn lock_submission_exclusive(
        &mut self,
        id: SubmissionId,
    ) -> StoreResult<Option<Submission>>;

    /// Writes a submission and takes a place for it, if its form is at this revision and the creator has not as many
    /// submissions of it as the cap; tells whether it did. Otherwise nothing is written. The form stays as it is while
    /// the transaction lasts.
    async fn submit(
        &mut self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
    ) -> StoreResult<bool>;

    /// Writes a submission again, as it is now.
    async fn update_submission(&mut self, submission: &Submission) -> StoreResult<()>;

    /// Deletes a submission with its resource and all grants on that, and gives its place back.
    async fn delete_submission(&mut self, submission: &Submission) -> StoreResult<()>;

    /// Deletes every submitted submission of a form, each as [`WriteSubmissions::delete_submission`] does; tells how many. The
    /// form must have been locked exclusively.
    async fn delete_submitted(&mut self, form: FormId) -> StoreResult<u64>;
}

/// Reads API tokens.
#[async_trait]
pub trait ReadTokens: Send {
    /// A token by the hash of its secret.
    async fn find_token(&mut self, secret: &SecretHash) -> StoreResult<Option<ApiToken>>;

    /// Every token in the window.
    async fn tokens(&mut self, window: Window) -> StoreResult<Vec<ApiToken>>;
}

/// Writes API tokens.
#[async_trait]
pub trait WriteTokens: ReadTokens {
    /// Writes a token with the hash of its secret.
    async fn insert_token(&mut self, token: &ApiToken, secret: &SecretHash) -> StoreResult<()>;

    /// Deletes a token; `false` when it was not there.
    async fn delete_token(&mut self, id: TokenId) -> StoreResult<bool>;

    /// Writes down when a token was used last.
    async fn touch_token(&mut self, id: TokenId, used: Timestamp) -> StoreResult<()>;
}

/// Reads settings.
#[async_trait]
pub trait ReadSettings: Send {
    /// The value of a setting.
    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>>;
}

/// Writes settings.
#[async_trait]
pub trait WriteSettings: ReadSettings {
    /// Writes a setting that is not there yet.
    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted>;
}

/// A transaction that reads: every kind of record.
pub trait ReadTx:
    ReadGroups
    + ReadMemberships
    + ReadResources
    + ReadGrants
    + ReadForms
    + ReadSubmissions
    + ReadTokens
    + ReadSettings
{
}

impl<
    T: ReadGroups
        + ReadMemberships
        + ReadResources
        + ReadGrants
        + ReadForms
        + ReadSubmissions
        + ReadTokens
        + ReadSettings,
> ReadTx for T
{
}

/// A transaction that reads and writes every kind of record. After a failure it can only be dropped.
#[async_trait]
pub trait WriteTx:
    ReadTx
    + WriteGroups
    + WriteMemberships
    + WriteResources
    + WriteGrants
    + WriteForms
    + WriteSubmissions
    + WriteTokens
    + WriteSettings
{
    /// Keeps everything that the transaction did. When it returns, it is durable.
    async fn commit(self: Box<Self>) -> StoreResult<()>;
}
