//! What a transaction reads and writes, with a pair of traits for each kind of record.
//!
//! `find_…` methods return `None` for a record that does not exist. Lists follow [`Window`]. Every method fails with
//! [`StoreError`](super::StoreError) if the store fails, and for no other reason. The accessors of optional parts fail with
//! [`StoreError::NotConfigured`] if the store does not have the part, and for no other reason.
//!
//! The methods with a body are composed from others, and also fail if they need a part that is absent. A database overrides those
//! that it can run as one statement.

use async_trait::async_trait;
use uuid::Uuid;

use super::{
    EventLog, EventPlace, EventWindow, FilesChanged, FormFor, HeldGrant, Inserted, Part, Principal,
    ReadWebhooks, SecretHash, Selection, StoreError, StoreResult, SubmissionFor, SubmissionHeader,
    Window, WriteWebhooks,
};
use crate::authz::scope::{
    Audience, FormScope, GrantScope, ItemScope, ResourceScope, Subjects, SubmissionScope,
};
use crate::id::{
    EventId, FileHoldId, FileId, FormId, GrantId, GroupId, LinkId, MembershipId, ResourceId,
    Revision, SubmissionId, TokenId,
};
use crate::model::deletion::Deletion;
use crate::model::event::{Event, EventFilter, EventSubscription, NewEvent};
use crate::model::file::{FileHold, SubmittedFile};
use crate::model::form::{Form, SubmissionCap, SubmissionLimit};
use crate::model::grant::{Grant, GrantRecord};
use crate::model::group::Group;
use crate::model::idempotency::{IdempotencyKey, KeptResponse};
use crate::model::link::FormLink;
use crate::model::membership::Membership;
use crate::model::resource::{Anchor, Resource, ResourceClass, ResourceFilter, ResourceRef};
use crate::model::subject::{Subject, UserId};
use crate::model::submission::Submission;
use crate::model::tag::Tags;
use crate::model::token::ApiToken;
use crate::time::Timestamp;

/// Reads groups.
#[async_trait]
pub trait ReadGroups: ReadGrants {
    /// Finds a group.
    async fn find_group(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// Finds a group with the principal's grants on it.
    async fn find_group_for(
        &mut self,
        id: GroupId,
        principal: Principal<'_>,
    ) -> StoreResult<Option<(Group, Vec<HeldGrant>)>> {
        let Some(group) = self.find_group(id).await? else {
            return Ok(None);
        };
        let held = self.held_by(&[id.into()], principal).await?;
        Ok(Some((group, held)))
    }

    /// Counts what [`WriteGroups::delete_group`] would delete.
    async fn deletion_of_group(&mut self, id: GroupId) -> StoreResult<Deletion>;

    /// Lists the groups in the scope. With `search`, only those whose name, folded by [`fold_case`](super::fold_case),
    /// contains that (folded) text.
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
    /// Locks a group, which is not deleted during the transaction.
    async fn lock_group(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// Locks a group exclusively.
    async fn lock_group_exclusive(&mut self, id: GroupId) -> StoreResult<Option<Group>>;

    /// Inserts a group.
    async fn insert_group(&mut self, group: &Group) -> StoreResult<()>;

    /// Replaces a group.
    async fn update_group(&mut self, group: &Group) -> StoreResult<()>;

    /// Deletes a group with its resource and the grants on it, the grants that it holds, and its memberships, as a
    /// group and as a child.
    async fn delete_group(&mut self, id: GroupId) -> StoreResult<()>;
}

/// Reads memberships.
#[async_trait]
pub trait ReadMemberships: Send {
    /// All groups that have the user as a direct or indirect member, each once, in no particular order.
    async fn groups_of(&mut self, user: &UserId) -> StoreResult<Vec<GroupId>>;

    /// The memberships that put the user into these groups: those of the user and those of the groups, each once, in no
    /// particular order.
    async fn memberships_above(&mut self, user: &UserId) -> StoreResult<Vec<Membership>>;

    /// Whether `outer` is `inner` or contains it, directly or indirectly.
    async fn is_within(&mut self, inner: GroupId, outer: GroupId) -> StoreResult<bool>;

    /// Finds a membership.
    async fn find_membership(&mut self, id: MembershipId) -> StoreResult<Option<Membership>>;

    /// Finds memberships by their identifiers, in no particular order. Unknown identifiers are omitted.
    async fn memberships_of(&mut self, ids: &[MembershipId]) -> StoreResult<Vec<Membership>>;

    /// Lists the direct memberships of a group.
    async fn memberships(&mut self, group: GroupId, window: Window)
    -> StoreResult<Vec<Membership>>;
}

/// Writes memberships.
#[async_trait]
pub trait WriteMemberships: ReadMemberships {
    /// Admits one transaction at a time that adds a member to a group or deletes a group.
    async fn lock_memberships(&mut self) -> StoreResult<()>;

    /// Inserts a membership.
    async fn insert_membership(&mut self, membership: &Membership) -> StoreResult<Inserted>;

    /// Deletes a membership. Returns `false` if it did not exist any more.
    async fn delete_membership(&mut self, id: MembershipId) -> StoreResult<bool>;
}

/// Reads resources.
#[async_trait]
pub trait ReadResources: ReadGrants {
    /// Finds a resource by its record.
    async fn find_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// Finds a resource by class and identifier.
    async fn find_resource_of(&mut self, resource: &ResourceRef) -> StoreResult<Option<Resource>>;

    /// Finds a resource by class and identifier, with the principal's grants under its anchor.
    async fn find_resource_for(
        &mut self,
        resource: &ResourceRef,
        principal: Principal<'_>,
    ) -> StoreResult<Option<(Resource, Vec<HeldGrant>)>> {
        let Some(resource) = self.find_resource_of(resource).await? else {
            return Ok(None);
        };
        let held = self.held_by(&[resource.anchor()], principal).await?;
        Ok(Some((resource, held)))
    }

    /// Finds resources by class and identifier, in no particular order. Unknown ones are omitted.
    async fn resources_of(&mut self, resources: &[ResourceRef]) -> StoreResult<Vec<Resource>>;

    /// Lists the resources in the scope.
    async fn resources(
        &mut self,
        scope: &ResourceScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Resource>>;

    /// Returns those of the classes with a resource in the scope, in the given order.
    async fn classes(
        &mut self,
        scope: &ResourceScope,
        classes: &[ResourceClass],
    ) -> StoreResult<Vec<ResourceClass>> {
        let mut found = Vec::new();
        for class in classes {
            let filter = ResourceFilter {
                class: Some(class.clone()),
                ..ResourceFilter::default()
            };
            let rows = self.resources(scope, &filter, Window::ONE).await?;
            if !rows.is_empty() {
                found.push(class.clone());
            }
        }
        Ok(found)
    }
}

/// Writes resources.
#[async_trait]
pub trait WriteResources: ReadResources {
    /// Locks a resource, which is not deleted during the transaction.
    async fn lock_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// Locks a resource exclusively.
    async fn lock_resource_exclusive(&mut self, id: ResourceId) -> StoreResult<Option<Resource>>;

    /// Inserts a resource.
    async fn insert_resource(&mut self, resource: &Resource) -> StoreResult<Inserted>;

    /// Deletes a resource with all grants on it.
    async fn delete_resource(&mut self, id: ResourceId) -> StoreResult<()>;
}

/// Reads grants.
#[async_trait]
pub trait ReadGrants: ReadMemberships {
    /// The grants that any of the subjects holds on resources with these anchors.
    async fn held(
        &mut self,
        anchors: &[Anchor],
        subjects: &Subjects,
    ) -> StoreResult<Vec<HeldGrant>>;

    /// The principal's grants on resources with these anchors.
    async fn held_by(
        &mut self,
        anchors: &[Anchor],
        principal: Principal<'_>,
    ) -> StoreResult<Vec<HeldGrant>> {
        let groups = self.groups_of(principal.user).await?;
        let groups = groups.into_iter().map(Subject::Group);
        let subjects = groups.chain(principal.subjects.iter().cloned()).collect();
        self.held(anchors, &Subjects::new(subjects)).await
    }

    /// Finds a grant.
    async fn find_grant(&mut self, id: GrantId) -> StoreResult<Option<Grant>>;

    /// Finds grants by their identifiers, in no particular order. Unknown identifiers are omitted.
    async fn grants_of(&mut self, ids: &[GrantId]) -> StoreResult<Vec<Grant>>;

    /// Lists the grants in the scope, on resources that match the filter.
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
    /// Inserts a grant. Its resource, and its group if a group holds it, must have been locked.
    async fn insert_grant(&mut self, grant: &GrantRecord) -> StoreResult<Inserted>;

    /// Deletes a grant, and the public link that it belongs to. Returns `false` if it did not exist any more.
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
pub trait ReadForms: ReadTx {
    /// Finds a form.
    async fn find_form(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// Finds a form with the principal's grants and the places that are taken.
    async fn find_form_for(
        &mut self,
        id: FormId,
        principal: Principal<'_>,
    ) -> StoreResult<Option<FormFor>> {
        let Some(form) = self.find_form(id).await? else {
            return Ok(None);
        };
        let held = self.held_by(&[id.into()], principal).await?;
        let (mut places_taken, mut form_places_taken) = (0, None);
        if let Ok(submissions) = self.read_submissions() {
            places_taken = submissions.places_taken(id, principal.user).await?;
            form_places_taken = submissions.form_places_taken(id).await?;
        }
        Ok(Some(FormFor {
            form,
            held,
            places_taken,
            form_places_taken,
        }))
    }

    /// Counts what [`WriteForms::delete_form`] would delete.
    async fn deletion_of_form(&mut self, id: FormId) -> StoreResult<Deletion>;

    /// Lists the forms in the scope.
    async fn forms(&mut self, scope: &FormScope, window: Window) -> StoreResult<Vec<Form>>;
}

/// Writes forms.
#[async_trait]
pub trait WriteForms: ReadForms {
    /// Locks a form, which is not changed or deleted during the transaction.
    async fn lock_form(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// Locks a form exclusively.
    async fn lock_form_exclusive(&mut self, id: FormId) -> StoreResult<Option<Form>>;

    /// Inserts a form, unless its identifier is in use, even by a form that was deleted and whose submissions are not yet.
    async fn insert_form(&mut self, form: &Form) -> StoreResult<Inserted>;

    /// Replaces a form, which must have been locked exclusively. If it gets a limit, its submitted submissions take
    /// places, even more than the limit.
    async fn update_form(&mut self, form: &Form) -> StoreResult<()>;

    /// Deletes a form with its submissions including drafts, their resources and its own (form and submission
    /// collection), and all grants on them. None of it is found afterwards.
    ///
    /// Returns whether records remain that [`delete_remains`](WriteForms::delete_remains) must delete. A store leaves
    /// some if deleting all of them in one transaction would take long.
    async fn delete_form(&mut self, id: FormId) -> StoreResult<bool>;

    /// Deletes about `limit` of the records that remain of deleted forms, and returns their number; zero if nothing remains.
    async fn delete_remains(&mut self, limit: usize) -> StoreResult<u64>;
}

/// Reads submissions and the places that they take.
#[async_trait]
pub trait ReadSubmissions: ReadTx {
    /// Finds a submission.
    async fn find_submission(&mut self, id: SubmissionId) -> StoreResult<Option<Submission>>;

    /// Finds a submission with the rules of its form and the principal's grants.
    async fn find_submission_for(
        &mut self,
        id: SubmissionId,
        principal: Principal<'_>,
    ) -> StoreResult<Option<SubmissionFor>> {
        let Some(submission) = self.find_submission(id).await? else {
            return Ok(None);
        };
        let form = self.read_forms()?.find_form(submission.form).await?;
        let Some(form) = form else {
            return Ok(None);
        };
        let anchors = [id.into(), form.id.into()];
        Ok(Some(SubmissionFor {
            submission,
            rules: form.rules,
            held: self.held_by(&anchors, principal).await?,
        }))
    }

    /// Finds submissions by their identifiers without their data, in no particular order. Unknown identifiers are omitted.
    async fn submission_headers(
        &mut self,
        ids: &[SubmissionId],
    ) -> StoreResult<Vec<SubmissionHeader>>;

    /// Lists the submissions of a form that are in the scope and selected.
    async fn submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        selection: Selection<'_>,
        window: Window,
    ) -> StoreResult<Vec<Submission>>;

    /// The number of submissions of a form in the scope that the window of a list would have.
    async fn count_submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        window: Window,
    ) -> StoreResult<u64>;

    /// The number of submissions that the creator has created for the form, including drafts.
    async fn places_taken(&mut self, form: FormId, creator: &UserId) -> StoreResult<i64>;

    /// The number of submitted submissions of a form with a limit; `None` if it has no limit or does not exist.
    async fn form_places_taken(&mut self, form: FormId) -> StoreResult<Option<i64>>;

    /// Counts what [`WriteSubmissions::delete_submitted`] would delete.
    async fn deletion_of_submitted(&mut self, form: FormId) -> StoreResult<Deletion>;

    /// Whether the form has submissions, including drafts.
    async fn has_submissions(&mut self, form: FormId) -> StoreResult<bool>;
}

/// Writes submissions and the places that they take.
#[async_trait]
pub trait WriteSubmissions: ReadSubmissions {
    /// Locks a submission exclusively.
    async fn lock_submission_exclusive(
        &mut self,
        id: SubmissionId,
    ) -> StoreResult<Option<Submission>>;

    /// Inserts a submission without its files and tags and takes its places, if its form has this revision, the creator has fewer
    /// submissions of it than the cap, and, unless it is a draft, the form has fewer submitted submissions than `limit`,
    /// which is the limit of the form. Returns whether it was inserted; otherwise nothing is written. The form does not
    /// change during the transaction.
    ///
    /// With `event`, [`NewEvent::of_submission`] with this identifier is appended to the log, as by
    /// [`WriteEvents::append_event`], and the data, files and tags are kept with it, as by [`WriteWebhooks::freeze`].
    async fn submit(
        &mut self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
    ) -> StoreResult<bool>;

    /// Inserts several submissions of one creator to one form, and takes their places, as
    /// [`submit`](WriteSubmissions::submit) does with each of them. The form must have been locked exclusively. Returns
    /// whether all were inserted; otherwise the transaction can only be dropped.
    async fn submit_all(
        &mut self,
        submissions: &[(Submission, Option<EventId>)],
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
    ) -> StoreResult<bool> {
        submit_all(self, submissions, form, cap, limit).await
    }

    /// Takes a place of a form for a draft that becomes submitted, if it has fewer submitted submissions than `limit`,
    /// which is the limit of the form. Returns whether a place was free. The form must have been locked, and
    /// [`WriteSubmissions::update_submission`] must follow. Forms without a limit have no places.
    async fn take_form_place(&mut self, form: FormId, limit: SubmissionLimit) -> StoreResult<bool>;

    /// Replaces a submission, except for its files and tags. If this submits a draft of a form with a limit, a place must have been
    /// taken with [`WriteSubmissions::take_form_place`].
    async fn update_submission(&mut self, submission: &Submission) -> StoreResult<()>;

    /// Replaces the tags of a submission of a form.
    async fn set_tags(&mut self, id: SubmissionId, form: FormId, tags: &Tags) -> StoreResult<()>;

    /// Deletes a submission, given as it was locked, with its resource and all grants on it, and frees its places. Its files
    /// expire at once, as with every deletion of a submission.
    async fn delete_submission(&mut self, submission: &Submission) -> StoreResult<()>;

    /// Deletes every submitted submission of a form like [`WriteSubmissions::delete_submission`], and returns their
    /// number. The form must have been locked exclusively.
    async fn delete_submitted(&mut self, form: FormId) -> StoreResult<u64>;
}

/// Reads records of files. Those of a submission are read together with it ([`Submission::files`]).
#[async_trait]
pub trait ReadFiles: ReadTx {
    /// Finds a file that belongs to a submission.
    async fn find_file(&mut self, id: FileId) -> StoreResult<Option<SubmittedFile>>;

    /// The bytes of the files in the submissions of a creator to a form, including drafts.
    async fn file_bytes(&mut self, form: FormId, creator: &UserId) -> StoreResult<u64>;

    /// At most `limit` of the files that belong to no submission and had expired by `now`.
    async fn unused_files(&mut self, now: Timestamp, limit: usize) -> StoreResult<Vec<FileId>>;

    /// At most `limit` of all files, after an identifier if one is given, in the order of their identifiers, each with whether
    /// it belongs to a submission.
    async fn files_after(
        &mut self,
        after: Option<FileId>,
        limit: usize,
    ) -> StoreResult<Vec<(FileId, bool)>>;

    /// The holds that end after `now`, in the order of their identifiers.
    async fn file_holds(&mut self, now: Timestamp) -> StoreResult<Vec<FileHold>>;
}

/// Writes files.
#[async_trait]
pub trait WriteFiles: ReadFiles {
    /// Inserts a file that belongs to no submission yet, before its content is stored. From `expires` on, it cannot be added
    /// to a submission any more, and is [unused](ReadFiles::unused_files).
    async fn insert_file(&mut self, id: FileId, expires: Timestamp) -> StoreResult<()>;

    /// Removes files from a submission, and adds others to it, with all their values. Those must have been inserted, and must
    /// not have expired by `now`. Removed files expire at once.
    ///
    /// The submission is given as it was locked exclusively or inserted by this transaction, and the removed files are among
    /// [its own](Submission::files). If its size grows, the files in all submissions of its creator to the form must have at
    /// most `quota` bytes afterwards. Unless the result is [`FilesChanged::Done`], the transaction must be dropped.
    async fn change_files(
        &mut self,
        submission: &Submission,
        removed: &[FileId],
        added: &[SubmittedFile],
        quota: Option<u64>,
        now: Timestamp,
    ) -> StoreResult<FilesChanged>;

    /// Makes those of the given files that belong to no submission expire at once. Returns those that have no submission and
    /// can never get one, in any order.
    async fn expire_files(&mut self, ids: &[FileId]) -> StoreResult<Vec<FileId>>;

    /// Makes all files that belong to no submission expire at once. Returns how many had not been expired this way before.
    async fn expire_all_uploads(&mut self) -> StoreResult<u64>;

    /// Deletes the records of those files that [`expire_files`](WriteFiles::expire_files) has returned. Returns their number.
    async fn delete_unused_files(&mut self, ids: &[FileId]) -> StoreResult<u64>;

    /// Inserts a hold. Those that had ended by `now` are deleted.
    async fn insert_file_hold(&mut self, hold: FileHold, now: Timestamp) -> StoreResult<()>;

    /// Sets the end of a hold. Returns `false` if it does not exist or had ended by `now`.
    async fn renew_file_hold(&mut self, hold: FileHold, now: Timestamp) -> StoreResult<bool>;

    /// Deletes a hold. Returns `false` if it did not exist or had ended by `now`.
    async fn delete_file_hold(&mut self, id: FileHoldId, now: Timestamp) -> StoreResult<bool>;
}

/// Reads public links.
#[async_trait]
pub trait ReadLinks: ReadTx {
    /// Finds a link, with the number of submissions of its user.
    async fn find_link(&mut self, id: LinkId) -> StoreResult<Option<FormLink>>;

    /// Finds a link by the hash of its secret.
    async fn find_link_of(&mut self, secret: &SecretHash) -> StoreResult<Option<FormLink>>;

    /// Lists the links of a form.
    async fn links(&mut self, form: FormId, window: Window) -> StoreResult<Vec<FormLink>>;
}

/// Writes public links.
#[async_trait]
pub trait WriteLinks: ReadLinks {
    /// Locks a link exclusively.
    async fn lock_link_exclusive(&mut self, id: LinkId) -> StoreResult<Option<FormLink>>;

    /// Inserts a link with the grant that it holds on its form, and the hash of its secret. The number of submissions
    /// is not stored.
    async fn insert_link(
        &mut self,
        link: &FormLink,
        grant: GrantId,
        secret: &SecretHash,
    ) -> StoreResult<()>;

    /// Replaces a link.
    async fn update_link(&mut self, link: &FormLink) -> StoreResult<()>;

    /// Deletes a link with its grant. The submissions of its user remain.
    async fn delete_link(&mut self, id: LinkId) -> StoreResult<()>;
}

/// Reads API tokens and sessions.
#[async_trait]
pub trait ReadTokens: ReadTx {
    /// Finds a token of either kind by the hash of its secret.
    async fn find_token(&mut self, secret: &SecretHash) -> StoreResult<Option<ApiToken>>;

    /// Lists the tokens of both kinds in the window.
    async fn tokens(&mut self, window: Window) -> StoreResult<Vec<ApiToken>>;

    /// Lists the tokens of both kinds of a user in the window.
    async fn tokens_of(&mut self, user: &UserId, window: Window) -> StoreResult<Vec<ApiToken>>;
}

/// Writes API tokens and sessions.
#[async_trait]
pub trait WriteTokens: ReadTokens {
    /// Inserts a token with the hash of its secret.
    async fn insert_token(&mut self, token: &ApiToken, secret: &SecretHash) -> StoreResult<()>;

    /// Locks a token of either kind.
    async fn lock_token_shared(&mut self, id: TokenId) -> StoreResult<Option<ApiToken>>;

    /// Deletes a token, and all that have it as their [origin](ApiToken::origin), directly or by way of others. Returns
    /// `false` if it did not exist.
    async fn delete_token(&mut self, id: TokenId) -> StoreResult<bool>;

    /// Deletes a token of a user in the same way. Returns `false` if the user has no such token.
    async fn delete_token_of(&mut self, user: &UserId, id: TokenId) -> StoreResult<bool>;

    /// Deletes the sessions of a user, and returns their number.
    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<u64>;

    /// Deletes all sessions of a user but those that were used last, `most` of them, and returns how many it deleted.
    async fn delete_surplus_sessions_of(&mut self, user: &UserId, most: usize) -> StoreResult<u64>;

    /// Deletes at most `limit` of the sessions that ended at this time or earlier, and returns their number: sessions that
    /// expired, and those whose recorded last use is as long ago as [`TokenKind::Session`](crate::tokens::TokenKind::Session)
    /// says. Their secrets are not accepted anyway, so that no notification is needed.
    async fn delete_ended_sessions(&mut self, now: Timestamp, limit: usize) -> StoreResult<u64>;

    /// Records the last use of a token.
    async fn touch_token(&mut self, id: TokenId, used: Timestamp) -> StoreResult<()>;
}

/// The setting with the key of cursors, from which others are derived. It is written when a service first uses the store.
pub(crate) const CURSOR_KEY: &str = "cursor_key";

/// Reads settings.
#[async_trait]
pub trait ReadSettings: Send {
    /// Finds the value of a setting.
    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>>;
}

/// Writes settings.
#[async_trait]
pub trait WriteSettings: ReadSettings {
    /// Inserts a setting that does not exist yet.
    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted>;
}

/// Reads the responses to requests with an idempotency key.
#[async_trait]
pub trait ReadKeptResponses: ReadTx {
    /// Finds the responses to the requests with these keys, unless they have expired, in no particular order.
    async fn kept_responses(
        &mut self,
        owner: &UserId,
        keys: &[&IdempotencyKey],
        now: Timestamp,
    ) -> StoreResult<Vec<KeptResponse>>;
}

/// Writes the responses to requests with an idempotency key.
#[async_trait]
pub trait WriteKeptResponses: ReadKeptResponses {
    /// Inserts a response. One with the same owner and key is replaced if it has expired at `now`.
    async fn keep_response(&mut self, kept: &KeptResponse, now: Timestamp)
    -> StoreResult<Inserted>;

    /// Deletes at most `limit` of the responses that expired at this time or earlier, and returns their number.
    async fn delete_expired_responses(&mut self, now: Timestamp, limit: usize) -> StoreResult<u64>;
}

/// Reads the event log.
#[async_trait]
pub trait ReadEvents: ReadTx {
    /// The extent of the log.
    async fn event_log(&mut self) -> StoreResult<EventLog>;

    /// The events in the window that pass the filter, in the order of their positions.
    async fn events(
        &mut self,
        window: EventWindow,
        filter: &EventFilter,
    ) -> StoreResult<Vec<Event>>;

    /// The number of committed events that have no position yet, counted up to `limit`. A store that gives positions when
    /// events are written returns zero.
    async fn event_arrivals(&mut self, limit: u64) -> StoreResult<i64>;

    /// The audience that was written with an event, in no particular order.
    async fn event_audience(&mut self, event: EventId) -> StoreResult<Vec<Subject>>;

    /// Those of the events whose audience has one of the subjects, in no particular order.
    async fn events_told(
        &mut self,
        events: &[EventId],
        subjects: &Subjects,
    ) -> StoreResult<Vec<EventId>>;

    /// Lists the subscriptions in the order of their names.
    async fn event_subscriptions(&mut self) -> StoreResult<Vec<EventSubscription>>;
}

/// Writes the event log.
#[async_trait]
pub trait WriteEvents: ReadEvents {
    /// Appends an event. The record that it is about must have been inserted by this transaction or locked exclusively.
    async fn append_event(&mut self, event: &NewEvent) -> StoreResult<()>;

    /// Writes the subjects of an audience with an event, each once. Call this before the deletion.
    async fn insert_audience(&mut self, event: EventId, audience: &Audience) -> StoreResult<()>;

    /// Gives positions to at most `limit` events that have none, and returns their number. Admits one transaction at a
    /// time. A transaction that does this must do nothing else.
    async fn place_events(&mut self, limit: u64) -> StoreResult<u64>;

    /// Deletes the events at the beginning of the log, with their audiences, kept data, and deliveries that did not succeed,
    /// up to the first one that is not older than `before`, but at most `limit`. Returns their number.
    async fn delete_events(&mut self, before: Timestamp, limit: u64) -> StoreResult<u64>;

    /// Sets the epoch of the log.
    async fn set_event_epoch(&mut self, epoch: i64) -> StoreResult<()>;

    /// Gives a subscription to `holder` until `until`, unless another one holds it later than `now`. Returns its place, or
    /// `None` if another one holds it. A new subscription begins at the oldest event.
    async fn lease_event_subscription(
        &mut self,
        name: &str,
        holder: Uuid,
        (now, until): (Timestamp, Timestamp),
    ) -> StoreResult<Option<EventPlace>>;

    /// Sets the place of a subscription. Returns `false` if `holder` does not hold it any more.
    async fn move_event_subscription(
        &mut self,
        name: &str,
        holder: Uuid,
        place: EventPlace,
    ) -> StoreResult<bool>;

    /// Ends the lease of `holder`.
    async fn release_event_subscription(&mut self, name: &str, holder: Uuid) -> StoreResult<()>;

    /// Deletes a subscription. Returns `false` if it did not exist.
    async fn delete_event_subscription(&mut self, name: &str) -> StoreResult<bool>;
}

/// A read transaction. Every store has groups, memberships, resources, grants and settings. The other records are optional
/// [parts](Part), each with an accessor. A store has the same parts in all its transactions, and for writing those for reading.
#[expect(
    clippy::missing_errors_doc,
    reason = "accessors fail for one reason, which the type of the error has"
)]
pub trait ReadTx: ReadGroups + ReadMemberships + ReadResources + ReadGrants + ReadSettings {
    /// Reads forms.
    fn read_forms(&mut self) -> StoreResult<&mut dyn ReadForms> {
        Err(StoreError::NotConfigured(Part::Forms))
    }

    /// Reads submissions and the places that they take.
    fn read_submissions(&mut self) -> StoreResult<&mut dyn ReadSubmissions> {
        Err(StoreError::NotConfigured(Part::Submissions))
    }

    /// Reads records of files.
    fn read_files(&mut self) -> StoreResult<&mut dyn ReadFiles> {
        Err(StoreError::NotConfigured(Part::Files))
    }

    /// Reads public links.
    fn read_links(&mut self) -> StoreResult<&mut dyn ReadLinks> {
        Err(StoreError::NotConfigured(Part::Links))
    }

    /// Reads API tokens and sessions.
    fn read_tokens(&mut self) -> StoreResult<&mut dyn ReadTokens> {
        Err(StoreError::NotConfigured(Part::Tokens))
    }

    /// Reads the responses to requests with an idempotency key.
    fn read_kept_responses(&mut self) -> StoreResult<&mut dyn ReadKeptResponses> {
        Err(StoreError::NotConfigured(Part::KeptResponses))
    }

    /// Reads the event log.
    fn read_events(&mut self) -> StoreResult<&mut dyn ReadEvents> {
        Err(StoreError::NotConfigured(Part::Events))
    }

    /// Reads webhooks and their deliveries.
    fn read_webhooks(&mut self) -> StoreResult<&mut dyn ReadWebhooks> {
        Err(StoreError::NotConfigured(Part::Webhooks))
    }

    /// Whether the store has a part.
    fn has(&mut self, part: Part) -> bool {
        match part {
            Part::Forms => self.read_forms().is_ok(),
            Part::Submissions => self.read_submissions().is_ok(),
            Part::Files => self.read_files().is_ok(),
            Part::Links => self.read_links().is_ok(),
            Part::Tokens => self.read_tokens().is_ok(),
            Part::KeptResponses => self.read_kept_responses().is_ok(),
            Part::Events => self.read_events().is_ok(),
            Part::Webhooks => self.read_webhooks().is_ok(),
        }
    }
}

/// A write transaction. After a failure it can only be dropped.
#[expect(
    clippy::missing_errors_doc,
    reason = "accessors fail for one reason, which the type of the error has"
)]
pub trait WriteTx:
    ReadTx + WriteGroups + WriteMemberships + WriteResources + WriteGrants + WriteSettings
{
    /// Writes forms.
    fn write_forms(&mut self) -> StoreResult<&mut dyn WriteForms> {
        Err(StoreError::NotConfigured(Part::Forms))
    }

    /// Writes submissions and the places that they take.
    fn write_submissions(&mut self) -> StoreResult<&mut dyn WriteSubmissions> {
        Err(StoreError::NotConfigured(Part::Submissions))
    }

    /// Writes records of files.
    fn write_files(&mut self) -> StoreResult<&mut dyn WriteFiles> {
        Err(StoreError::NotConfigured(Part::Files))
    }

    /// Writes public links.
    fn write_links(&mut self) -> StoreResult<&mut dyn WriteLinks> {
        Err(StoreError::NotConfigured(Part::Links))
    }

    /// Writes API tokens and sessions.
    fn write_tokens(&mut self) -> StoreResult<&mut dyn WriteTokens> {
        Err(StoreError::NotConfigured(Part::Tokens))
    }

    /// Writes the responses to requests with an idempotency key.
    fn write_kept_responses(&mut self) -> StoreResult<&mut dyn WriteKeptResponses> {
        Err(StoreError::NotConfigured(Part::KeptResponses))
    }

    /// Writes the event log.
    fn write_events(&mut self) -> StoreResult<&mut dyn WriteEvents> {
        Err(StoreError::NotConfigured(Part::Events))
    }

    /// Writes webhooks and their deliveries.
    fn write_webhooks(&mut self) -> StoreResult<&mut dyn WriteWebhooks> {
        Err(StoreError::NotConfigured(Part::Webhooks))
    }
}

/// A write transaction that its owner can commit: [`Store::write`](super::Store::write) returns it. Dropped without a commit, it
/// has no effect.
///
/// Use cases that run in a transaction of a program take a [`WriteTx`], which they cannot commit.
#[async_trait]
pub trait OwnedTx: WriteTx {
    /// Commits the transaction. When it returns, the writes are durable.
    async fn commit(self: Box<Self>) -> StoreResult<()>;
}

/// Keeps a response: [`WriteKeptResponses::keep_response`](WriteKeptResponses::keep_response), with an error if the
/// key is used.
///
/// # Errors
///
/// [`StoreError::key_used`]; otherwise if the store fails.
pub async fn keep(tx: &mut dyn WriteTx, kept: &KeptResponse, now: Timestamp) -> StoreResult<()> {
    match tx.write_kept_responses()?.keep_response(kept, now).await? {
        Inserted::Done => Ok(()),
        Inserted::Exists => Err(StoreError::key_used()),
    }
}

/// Inserts submissions one after the other: [`WriteSubmissions::submit_all`]
/// composed from [`WriteSubmissions::submit`].
///
/// # Errors
///
/// If the store fails.
///
/// ```
/// use formalize_core::store::compose;
///
/// # use formalize_conformance::example::*; with_submission(async |formalize, form, submission| {
/// # let store = formalize.store();
/// let copy = |id: u128| {
///     let id = SubmissionId::from_uuid(uuid::Uuid::from_u128(id));
///     (Submission { id, ..submission.clone() }, None)
/// };
/// let mut tx = store.write().await?;
/// // One of two places is taken, so two more submissions do not fit.
/// let cap = Some(SubmissionCap::new(2)?);
/// assert!(!compose::submit_all(tx.write_submissions()?, &[copy(1), copy(2)], form.revision, cap, None).await?);
/// # Ok(()) });
/// ```
pub async fn submit_all(
    tx: &mut (impl WriteSubmissions + ?Sized),
    submissions: &[(Submission, Option<EventId>)],
    form: Revision,
    cap: Option<SubmissionCap>,
    limit: Option<SubmissionLimit>,
) -> StoreResult<bool> {
    for (submission, event) in submissions {
        if !tx.submit(submission, form, cap, limit, *event).await? {
            return Ok(false);
        }
    }
    Ok(true)
}
