//! Where records are kept: the promises that a store keeps, and the stores.
//!
//! A service call is one transaction: [`Store::read`] for those that only look, [`Store::write`] for the others.
//!
//! # Promises
//!
//! An implementation keeps these; the suite in `conformance` tests each by its number.
//!
//! 1. **Atomic.** What a write transaction did is there after [`WriteTx::commit`], all of it; if the transaction is
//!    dropped or fails, none of it is.
//! 2. **Durable.** What was committed survives the end of the process, unless the store is one of memory.
//! 3. **Snapshot.** A read transaction sees one state of the store from its first question to its last.
//! 4. **Own writes.** A write transaction sees what it has written.
//! 5. **Exact text.** Texts come back code point by code point, and are equal only if all code points are: no case,
//!    accent or blank is folded. Instants come back to the millisecond.
//! 6. **Order.** Lists are ordered by the identifier of their rows, and [`Window`] is taken in that order after all
//!    filters.
//! 7. **Unique.** Of two records with the same key (membership of a member in a group; grant of an action on a
//!    resource to a subject; resource by class and identifier; setting by name) the second is answered
//!    [`Inserted::Exists`] and the transaction goes on, also when both are written at the same moment.
//! 8. **Cascade.** Deleting a record deletes what cannot be without it: see the methods.
//! 9. **Locks.** A record that was read by a `lock_…` method is neither changed nor deleted by another transaction
//!    before this one ends, and the `…_exclusive` ones let only one transaction in at a time; they see the newest
//!    committed state. [`WriteTx::lock_memberships`] lets in one transaction at a time.
//! 10. **Counted.** [`Store::submit`] and [`WriteTx::submit`] never let a creator have more submissions of a form than the
//!     cap, whatever the number of transactions and servers.
//! 11. **Scopes.** A list holds exactly the rows of its scope. A store applies scopes; it decides nothing.
//! 12. **Nested groups.** Groups are found through memberships at any depth, diamonds included, and the search ends.
//! 13. **Unreachable is said so.** When the store cannot be reached or has no room for another transaction in good
//!     time, it answers [`StoreError::Unavailable`]; when it refuses the program's credentials,
//!     [`StoreError::Refused`]; when it has undone a transaction so that another may go on,
//!     [`StoreError::Deadlock`]; all else is [`StoreError::Failed`].
//!
//! 14. **Revocations.** If a store tells of them at all, [`Revocations::next`] answers soon after each commit that deletes
//!     an API token, whichever process made it.
//!
//! Locks are taken in this order, so that no two transactions wait for each other: memberships, groups, resources,
//! forms, submissions, places. What a deletion takes along may be locked in any order; a deletion that ends in a
//! [`StoreError::Deadlock`] is tried again.

use async_trait::async_trait;

use crate::authz::scope::{
    FormScope, GrantScope, ItemScope, ResourceScope, Subjects, SubmissionScope,
};
use crate::id::{
    FormId, GrantId, GroupId, MembershipId, ResourceId, Revision, SubmissionId, TokenId,
};
use crate::model::form::{Form, SubmissionCap};
use crate::model::grant::Grant;
use crate::model::group::Group;
use crate::model::membership::Membership;
use crate::model::resource::{Anchor, Resource, ResourceClass, ResourceFilter, ResourceRef};
use crate::model::subject::{Subject, UserId};
use crate::model::submission::Submission;
use crate::model::token::ApiToken;
use crate::time::Timestamp;

pub use crate::authz::decision::HeldGrant;
pub use crate::authz::scope;
pub use crate::model::grant::GrantRecord;
pub use crate::model::token::SecretHash;
pub use crate::page::Window;
pub use principal::{FormFor, Principal, SubmissionFor};

/// How names of groups are folded before they are searched; stores that search must fold alike.
pub use crate::model::text::fold_case;

pub mod memory;
mod principal;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub mod sql;

#[cfg(feature = "conformance")]
pub mod conformance;

/// Why a store did not answer. The cause is for logs; it may name files and servers and is never shown to users.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached, or is too busy; the same call may succeed later.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The transaction and another one waited for each other, and it was undone so that the other could go on. The same
    /// may be done again at once.
    #[error("the store has undone what another transaction waited for: {0}")]
    Deadlock(String),
    /// The store refuses who this program says it is: a wrong password, a role that is not there.
    #[error("the store refuses the credentials: {0}")]
    Refused(String),
    /// The store failed, or holds what it cannot hold.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// The result of a call to a store.
pub type StoreResult<T> = Result<T, StoreError>;

/// Whether a record was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Inserted {
    /// It was.
    Done,
    /// There is one with the same key; nothing was written.
    Exists,
}

/// Keeps records, in transactions.
#[async_trait]
pub trait Store: Send + Sync {
    /// Begins a transaction that only reads.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>>;

    /// Like [`Store::read`], for one question: what is asked after the first may fail. A database answers a single
    /// question without the statements that begin and end a transaction.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.read().await
    }

    /// Begins a transaction that also writes. Dropped without [`WriteTx::commit`] it leaves no trace.
    ///
    /// A store may let transactions in one after the other, and make several durable together. So nobody may wait for
    /// the end of one transaction while holding another.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached or is too busy.
    async fn write(&self) -> StoreResult<Box<dyn WriteTx>>;

    /// Does what [`WriteTx::submit`] does, in a transaction of its own that is committed if it wrote something. A database
    /// may do it without the statements that begin and end a transaction.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached or is too busy.
    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
    ) -> StoreResult<bool> {
        let mut tx = self.write().await?;
        let submitted = tx.submit(submission, form, cap).await?;
        if submitted {
            tx.commit().await?;
        }
        Ok(submitted)
    }

    /// Begins to listen for API tokens that any process deletes. `None`, unless a store says otherwise: it cannot tell.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
        Ok(None)
    }

    /// Whether the store can be reached at this moment.
    ///
    /// # Errors
    ///
    /// When it cannot.
    async fn ping(&self) -> StoreResult<()>;

    /// Waits for what is under way, then lets go of connections and files.
    async fn close(&self);
}

/// News of deleted API tokens, from [`Store::revocations`] on.
#[async_trait]
pub trait Revocations: Send {
    /// Waits until tokens have been deleted, or may have been, since the last answer.
    ///
    /// # Errors
    ///
    /// When there will be no more news.
    async fn next(&mut self) -> StoreResult<()>;
}

/// A transaction that reads.
///
/// `find_…` methods answer `None` for what is not there. Lists follow [`Window`].
///
/// # Errors
///
/// Every method fails with [`StoreError`] when the store does, and with nothing else.
#[async_trait]
pub trait ReadTx: Send {
    /// Every group that has the user as a direct or indirect member, in no particular order, each once.
    async fn groups_of(&mut self, user: &UserId) -> StoreResult<Vec<GroupId>>;

    /// Whether `outer` is `inner`, or has it as a direct or indirect child.
    async fn is_within(&mut self, inner: GroupId, outer: GroupId) -> StoreResult<bool>;

    /// The grants that any of the subjects holds on resources under these anchors.
    async fn held(
        &mut self,
        anchors: &[Anchor],
        subjects: &Subjects,
    ) -> StoreResult<Vec<HeldGrant>>;

    /// The grants on resources under these anchors that someone holds.
    ///
    /// This and the other questions on behalf of a [`Principal`] are put together from simpler ones here. A store that can
    /// answer them at once does so.
    async fn held_by(
        &mut self,
        anchors: &[Anchor],
        holder: Principal<'_>,
    ) -> StoreResult<Vec<HeldGrant>> {
        let groups = self.groups_of(holder.user).await?;
        let groups = groups.into_iter().map(Subject::Group);
        let subjects = groups.chain(holder.subjects.iter().cloned()).collect();
        self.held(anchors, &Subjects::new(subjects)).await
    }

    /// A group, with the grants on it that someone holds.
    async fn find_group_for(
        &mut self,
        id: GroupId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<(Group, Vec<HeldGrant>)>> {
        let Some(group) = self.find_group(id).await? else {
            return Ok(None);
        };
        let held = self.held_by(&[id.into()], holder).await?;
        Ok(Some((group, held)))
    }

    /// A form, with what it is to someone.
    async fn find_form_for(
        &mut self,
        id: FormId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<FormFor>> {
        let Some(form) = self.find_form(id).await? else {
            return Ok(None);
        };
        Ok(Some(FormFor {
            form,
            held: self.held_by(&[id.into()], holder).await?,
            places_taken: self.places_taken(id, holder.user).await?,
        }))
    }

    /// A submission, with what it is to someone.
    async fn find_submission_for(
        &mut self,
        id: SubmissionId,
        holder: Principal<'_>,
    ) -> StoreResult<Option<SubmissionFor>> {
        let Some(submission) = self.find_submission(id).await? else {
            return Ok(None);
        };
        let Some(form) = self.find_form(submission.form).await? else {
            return Ok(None);
        };
        let anchors = [id.into(), form.id.into()];
        Ok(Some(SubmissionFor {
            submission,
            rules: form.rules,
            held: self.held_by(&anchors, holder).await?,
        }))
    }

    /// A group.
    async fn find_group(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// Groups in the scope; with `search` only those whose name, folded by [`fold_case`], contains that (folded) text.
    async fn groups(
        &mut self,
        scope: &ItemScope,
        search: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Group>>;

    /// A membership.
    async fn find_membership(&mut self, id: MembershipId) -> StoreResult<Option<Membership>>;

    /// The direct memberships of a group.
    async fn memberships(&mut self, group: GroupId, window: Window)
    -> StoreResult<Vec<Membership>>;

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
    ) -> StoreResult<Vec<ResourceClass>> {
        let mut found = Vec::new();
        for class in classes {
            let filter = ResourceFilter {
                class: Some(class.to_string()),
                identifier: None,
            };
            if !self
                .resources(scope, &filter, Window::ONE)
                .await?
                .is_empty()
            {
                found.push(class.clone());
            }
        }
        Ok(found)
    }

    /// A grant.
    async fn find_grant(&mut self, id: GrantId) -> StoreResult<Option<Grant>>;

    /// Grants in the scope, on resources that the filter admits.
    async fn grants(
        &mut self,
        scope: &GrantScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Grant>>;

    /// A form.
    async fn find_form(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// Forms by their identifiers, in no particular order; what is not there is left out.
    async fn forms_of(&mut self, ids: &[FormId]) -> StoreResult<Vec<Form>>;

    /// Forms in the scope.
    async fn forms(&mut self, scope: &FormScope, window: Window) -> StoreResult<Vec<Form>>;

    /// A submission.
    async fn find_submission(&mut self, id: SubmissionId) -> StoreResult<Option<Submission>>;

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

    /// A token by the hash of its secret.
    async fn find_token(&mut self, secret: &SecretHash) -> StoreResult<Option<ApiToken>>;

    /// Every token in the window.
    async fn tokens(&mut self, window: Window) -> StoreResult<Vec<ApiToken>>;

    /// The value of a setting.
    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>>;
}

/// A transaction that reads and writes.
///
/// # Errors
///
/// Every method fails with [`StoreError`] when the store does, and with nothing else; after a failure the
/// transaction can only be dropped.
#[async_trait]
pub trait WriteTx: ReadTx {
    /// Keeps everything that the transaction did. When it returns, it is durable.
    async fn commit(self: Box<Self>) -> StoreResult<()>;

    /// Lets in one transaction at a time that changes which groups contain which, or deletes one.
    async fn lock_memberships(&mut self) -> StoreResult<()>;

    /// A group that stays while the transaction lasts.
    async fn lock_group(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// A group; one transaction at a time has it.
    async fn lock_group_exclusive(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// A resource; one transaction at a time has it.
    async fn lock_resource_exclusive(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// A resource that stays while the transaction lasts.
    async fn lock_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// A form that stays as it is while the transaction lasts.
    async fn lock_form(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// A form; one transaction at a time has it.
    async fn lock_form_exclusive(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// A submission; one transaction at a time has it.
    async fn lock_submission_exclusive(
        &mut self,
        id: SubmissionId,
    ) -> StoreResult<Option<Submission>>;

    /// Writes a group.
    async fn insert_group(&mut self, group: &Group) -> StoreResult<()>;

    /// Writes a group again, as it is now.
    async fn update_group(&mut self, group: &Group) -> StoreResult<()>;

    /// Deletes a group with its resource and the grants on that, the grants that it holds, and its memberships, as a
    /// group and as a child.
    async fn delete_group(&mut self, id: GroupId) -> StoreResult<()>;

    /// Writes a membership.
    async fn insert_membership(&mut self, membership: &Membership) -> StoreResult<Inserted>;

    /// Deletes a membership; `false` when it was not there any more.
    async fn delete_membership(&mut self, id: MembershipId) -> StoreResult<bool>;

    /// Writes a resource.
    async fn insert_resource(&mut self, resource: &Resource) -> StoreResult<Inserted>;

    /// Deletes a resource with all grants on it.
    async fn delete_resource(&mut self, id: ResourceId) -> StoreResult<()>;

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

    /// Writes a form.
    async fn insert_form(&mut self, form: &Form) -> StoreResult<()>;

    /// Writes a form again, as it is now.
    async fn update_form(&mut self, form: &Form) -> StoreResult<()>;

    /// Deletes a form with its submissions, drafts included, their resources and its own (form and submission
    /// collection), and all grants on them.
    async fn delete_form(&mut self, id: FormId) -> StoreResult<()>;

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

    /// Deletes every submitted submission of a form, each as [`WriteTx::delete_submission`] does; tells how many. The
    /// form must have been locked exclusively.
    async fn delete_submitted(&mut self, form: FormId) -> StoreResult<u64>;

    /// Writes a token with the hash of its secret.
    async fn insert_token(&mut self, token: &ApiToken, secret: &SecretHash) -> StoreResult<()>;

    /// Deletes a token; `false` when it was not there.
    async fn delete_token(&mut self, id: TokenId) -> StoreResult<bool>;

    /// Writes down when a token was used last.
    async fn touch_token(&mut self, id: TokenId, used: Timestamp) -> StoreResult<()>;

    /// Writes a setting that is not there yet.
    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted>;
}
