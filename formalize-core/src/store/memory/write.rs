use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use crate::id::{
    EventId, FileHoldId, FileId, FormId, GrantId, GroupId, LinkId, MembershipId, ResourceId,
    Revision, SubmissionId, TokenId,
};
use crate::model::action::Action;
use crate::model::event::NewEvent;
use crate::model::file::{FileHold, SubmittedFile};
use crate::model::form::{Form, SubmissionCap, SubmissionLimit};
use crate::model::grant::{Grant, GrantRecord};
use crate::model::group::Group;
use crate::model::idempotency::KeptResponse;
use crate::model::link::FormLink;
use crate::model::membership::{Member, Membership};
use crate::model::resource::Resource;
use crate::model::subject::{Subject, UserId};
use crate::model::submission::Submission;
use crate::model::tag::Tags;
use crate::model::token::{ApiToken, SecretHash, TokenKind};
use crate::model::words::SubmissionState;
use crate::store::memory::state::State;
use crate::store::memory::{Transaction, WriteLock};
use crate::store::{
    FilesChanged, Inserted, ReadFiles, ReadForms, ReadGroups, ReadLinks, ReadResources,
    ReadSubmissions, StoreError, StoreResult, WriteEvents, WriteFiles, WriteForms, WriteGrants,
    WriteGroups, WriteKeptResponses, WriteLinks, WriteMemberships, WriteResources, WriteSettings,
    WriteSubmissions, WriteTokens, WriteWebhooks,
};
use crate::time::Timestamp;

impl Transaction<WriteLock> {
    /// The private copy of the state, created when the transaction makes its first change.
    pub(super) fn state(&mut self) -> &mut State {
        Arc::make_mut(&mut self.state)
    }
}

/// Inserts a row that must not exist yet.
pub(super) fn insert<K: Ord, V>(table: &mut BTreeMap<K, V>, id: K, row: V) -> StoreResult<()> {
    if table.contains_key(&id) {
        return Err(StoreError::Failed(
            "the identifier is already in use".to_owned(),
        ));
    }
    table.insert(id, row);
    Ok(())
}

/// Inserts a row with a unique key, unless `exists` says that the key is in use.
fn insert_unique<K: Ord, V>(
    table: &mut BTreeMap<K, V>,
    exists: impl FnMut(&V) -> bool,
    id: K,
    row: V,
) -> StoreResult<Inserted> {
    if table.values().any(exists) {
        return Ok(Inserted::Exists);
    }
    insert(table, id, row).map(|()| Inserted::Done)
}

/// Replaces a row that must exist.
fn update<K: Ord, V>(table: &mut BTreeMap<K, V>, id: &K, row: V) -> StoreResult<()> {
    *table.get_mut(id).ok_or_else(|| missing("record"))? = row;
    Ok(())
}

/// Checks that a referenced row exists.
fn refer<K: Ord, V>(table: &BTreeMap<K, V>, id: &K, what: &str) -> StoreResult<()> {
    if table.contains_key(id) {
        Ok(())
    } else {
        Err(missing(what))
    }
}

pub(super) fn missing(what: &str) -> StoreError {
    StoreError::Failed(format!("the {what} does not exist"))
}

#[async_trait]
impl WriteGroups for Transaction<WriteLock> {
    async fn lock_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        self.find_group(id).await
    }

    async fn lock_group_exclusive(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        self.find_group(id).await
    }

    async fn insert_group(&mut self, group: &Group) -> StoreResult<()> {
        insert(&mut self.state().groups, group.id, group.clone())
    }

    async fn update_group(&mut self, group: &Group) -> StoreResult<()> {
        update(&mut self.state().groups, &group.id, group.clone())
    }

    async fn delete_group(&mut self, id: GroupId) -> StoreResult<()> {
        self.state().delete_group(id);
        Ok(())
    }
}

#[async_trait]
impl WriteMemberships for Transaction<WriteLock> {
    async fn lock_memberships(&mut self) -> StoreResult<()> {
        Ok(())
    }

    async fn insert_membership(&mut self, membership: &Membership) -> StoreResult<Inserted> {
        refer(&self.state.groups, &membership.group, "group")?;
        if let Member::ChildGroup(child) = &membership.member {
            refer(&self.state.groups, child, "group")?;
        }
        insert_unique(
            &mut self.state().memberships,
            |row| row.group == membership.group && row.member == membership.member,
            membership.id,
            membership.clone(),
        )
    }

    async fn delete_membership(&mut self, id: MembershipId) -> StoreResult<bool> {
        Ok(self.state().memberships.remove(&id).is_some())
    }
}

#[async_trait]
impl WriteResources for Transaction<WriteLock> {
    async fn lock_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        self.find_resource(id).await
    }

    async fn lock_resource_exclusive(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        self.find_resource(id).await
    }

    async fn insert_resource(&mut self, resource: &Resource) -> StoreResult<Inserted> {
        insert_unique(
            &mut self.state().resources,
            |row| row.resource == resource.resource,
            resource.id,
            resource.clone(),
        )
    }

    async fn delete_resource(&mut self, id: ResourceId) -> StoreResult<()> {
        self.state().delete_resources(|resource| resource.id == id);
        Ok(())
    }
}

#[async_trait]
impl WriteGrants for Transaction<WriteLock> {
    async fn insert_grant(&mut self, grant: &GrantRecord) -> StoreResult<Inserted> {
        let resource = self.find_resource(grant.resource).await?;
        let resource = resource.ok_or_else(|| missing("resource"))?;
        if let Subject::Group(group) = &grant.subject {
            refer(&self.state.groups, group, "group")?;
        }
        let row = Grant {
            id: grant.id,
            subject: grant.subject.clone(),
            action: grant.action.clone(),
            resource,
            date_created: grant.date_created,
        };
        insert_unique(
            &mut self.state().grants,
            |row| {
                row.resource.id == grant.resource
                    && row.action == grant.action
                    && row.subject == grant.subject
            },
            grant.id,
            row,
        )
    }

    async fn delete_grant(&mut self, id: GrantId) -> StoreResult<bool> {
        Ok(self.state().delete_grant(id))
    }

    async fn has_other_manage_grant(
        &mut self,
        resource: ResourceId,
        grant: GrantId,
    ) -> StoreResult<bool> {
        let mut rows = self.state.grants.values();
        Ok(rows.any(|row| {
            row.resource.id == resource && row.action == Action::MANAGE && row.id != grant
        }))
    }
}

#[async_trait]
impl WriteForms for Transaction<WriteLock> {
    async fn lock_form(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        self.find_form(id).await
    }

    async fn lock_form_exclusive(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        self.find_form(id).await
    }

    async fn insert_form(&mut self, form: &Form) -> StoreResult<Inserted> {
        let is_same = |other: &Form| other.id == form.id;
        insert_unique(&mut self.state().forms, is_same, form.id, form.clone())
    }

    async fn update_form(&mut self, form: &Form) -> StoreResult<()> {
        update(&mut self.state().forms, &form.id, form.clone())
    }

    async fn delete_form(&mut self, id: FormId) -> StoreResult<bool> {
        self.state().delete_form(id);
        Ok(false)
    }

    async fn delete_remains(&mut self, _: usize) -> StoreResult<u64> {
        Ok(0)
    }
}

#[async_trait]
impl WriteSubmissions for Transaction<WriteLock> {
    async fn lock_submission_exclusive(
        &mut self,
        id: SubmissionId,
    ) -> StoreResult<Option<Submission>> {
        self.find_submission(id).await
    }

    async fn submit(
        &mut self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
    ) -> StoreResult<bool> {
        let at_revision = self.state.forms.get(&submission.form);
        if at_revision.is_none_or(|found| found.revision != form) {
            return Ok(false);
        }
        let place = (submission.form, submission.creator.clone());
        let taken = self.state.places.get(&place).copied().unwrap_or_default();
        if cap.is_some_and(|cap| taken >= cap.get()) {
            return Ok(false);
        }
        if submission.state == SubmissionState::Submitted
            && limit.is_some_and(|limit| self.state.is_full(submission.form, limit))
        {
            return Ok(false);
        }
        self.state().places.insert(place, taken + 1);
        let row = Submission {
            files: Vec::new(),
            tags: Tags::default(),
            ..submission.clone()
        };
        insert(&mut self.state().submissions, submission.id, row)?;
        if let Some(event) = event {
            let new = NewEvent::of_submission(event, submission);
            self.append_event(&new).await?;
            self.freeze(event, new.event_type, submission).await?;
        }
        Ok(true)
    }

    async fn take_form_place(&mut self, form: FormId, limit: SubmissionLimit) -> StoreResult<bool> {
        Ok(!self.state.is_full(form, limit))
    }

    async fn update_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        let rows = &mut self.state().submissions;
        let row = rows.get_mut(&submission.id);
        let row = row.ok_or_else(|| missing("record"))?;
        *row = Submission {
            files: std::mem::take(&mut row.files),
            tags: std::mem::take(&mut row.tags),
            ..submission.clone()
        };
        Ok(())
    }

    async fn set_tags(&mut self, id: SubmissionId, _form: FormId, tags: &Tags) -> StoreResult<()> {
        let row = self.state().submissions.get_mut(&id);
        row.ok_or_else(|| missing("record"))?.tags = tags.clone();
        Ok(())
    }

    async fn delete_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        self.state().delete_submission(submission.id);
        Ok(())
    }

    async fn delete_submitted(&mut self, form: FormId) -> StoreResult<u64> {
        Ok(self.state().delete_submitted(form))
    }
}

#[async_trait]
impl WriteFiles for Transaction<WriteLock> {
    async fn insert_file(&mut self, id: FileId, expires: Timestamp) -> StoreResult<()> {
        insert(&mut self.state().unused_files, id, Some(expires))
    }

    async fn change_files(
        &mut self,
        submission: &Submission,
        removed: &[FileId],
        added: &[SubmittedFile],
        quota: Option<u64>,
        now: Timestamp,
    ) -> StoreResult<FilesChanged> {
        let is_removed = |file: &SubmittedFile| removed.contains(&file.id);
        let freed = submission.files.iter().filter(|file| is_removed(file));
        let freed: u64 = freed.map(|file| file.size).sum();
        let needed: u64 = added.iter().map(|file| file.size).sum();
        let taken = self
            .file_bytes(submission.form, &submission.creator)
            .await?;
        if needed > freed && quota.is_some_and(|quota| taken + needed - freed > quota) {
            return Ok(FilesChanged::OverQuota);
        }
        let state = self.state();
        for file in added {
            let expires = state.unused_files.get(&file.id).copied().flatten();
            if expires.is_none_or(|expires| expires <= now) {
                return Ok(FilesChanged::Expired);
            }
            state.unused_files.remove(&file.id);
        }
        let row = state.submissions.get_mut(&submission.id);
        let row = row.ok_or_else(|| missing("submission"))?;
        let gone: Vec<_> = row.files.extract_if(.., |file| is_removed(file)).collect();
        row.files.extend_from_slice(added);
        row.files.sort_by_key(|file| file.id);
        state.release(&gone);
        Ok(FilesChanged::Done)
    }

    async fn expire_files(&mut self, ids: &[FileId]) -> StoreResult<Vec<FileId>> {
        let unused = &mut self.state().unused_files;
        let mut expired = Vec::new();
        for id in ids {
            if let Some(expires) = unused.get_mut(id) {
                *expires = None;
                expired.push(*id);
            }
        }
        Ok(expired)
    }

    async fn expire_all_uploads(&mut self) -> StoreResult<u64> {
        let unused = self.state().unused_files.values_mut();
        let expired = unused.filter_map(Option::take).count();
        Ok(u64::try_from(expired).unwrap_or(u64::MAX))
    }

    async fn delete_unused_files(&mut self, ids: &[FileId]) -> StoreResult<u64> {
        let unused = &mut self.state().unused_files;
        let gone = unused.extract_if(.., |id, expires| expires.is_none() && ids.contains(id));
        Ok(gone.count() as u64)
    }

    async fn insert_file_hold(&mut self, hold: FileHold, now: Timestamp) -> StoreResult<()> {
        let holds = &mut self.state().file_holds;
        holds.retain(|_, ends| *ends > now);
        insert(holds, hold.id, hold.date_ends)
    }

    async fn renew_file_hold(&mut self, hold: FileHold, now: Timestamp) -> StoreResult<bool> {
        let ends = self.state().file_holds.get_mut(&hold.id);
        let Some(ends) = ends.filter(|ends| **ends > now) else {
            return Ok(false);
        };
        *ends = hold.date_ends;
        Ok(true)
    }

    async fn delete_file_hold(&mut self, id: FileHoldId, now: Timestamp) -> StoreResult<bool> {
        let ended = self.state().file_holds.remove(&id);
        Ok(ended.is_some_and(|ends| ends > now))
    }
}

#[async_trait]
impl WriteLinks for Transaction<WriteLock> {
    async fn lock_link_exclusive(&mut self, id: LinkId) -> StoreResult<Option<FormLink>> {
        self.find_link(id).await
    }

    async fn insert_link(
        &mut self,
        link: &FormLink,
        grant: GrantId,
        secret: &SecretHash,
    ) -> StoreResult<()> {
        refer(&self.state.grants, &grant, "grant")?;
        let row = (link.clone(), grant, secret.clone());
        let is_used = |(_, of, hash): &(_, GrantId, SecretHash)| *of == grant || hash == secret;
        match insert_unique(&mut self.state().links, is_used, link.id, row)? {
            Inserted::Done => Ok(()),
            Inserted::Exists => Err(StoreError::Failed(
                "the grant or the secret is already in use".to_owned(),
            )),
        }
    }

    async fn update_link(&mut self, link: &FormLink) -> StoreResult<()> {
        let row = self.state().links.get_mut(&link.id);
        row.ok_or_else(|| missing("record"))?.0 = link.clone();
        Ok(())
    }

    async fn delete_link(&mut self, id: LinkId) -> StoreResult<()> {
        let grant = self.state.links.get(&id).map(|(_, grant, _)| *grant);
        if let Some(grant) = grant {
            self.state().delete_grant(grant);
        }
        Ok(())
    }
}

#[async_trait]
impl WriteTokens for Transaction<WriteLock> {
    async fn insert_token(&mut self, token: &ApiToken, secret: &SecretHash) -> StoreResult<()> {
        let row = (token.clone(), secret.clone());
        insert(&mut self.state().tokens, token.id, row)
    }

    async fn lock_token_shared(&mut self, id: TokenId) -> StoreResult<Option<ApiToken>> {
        let found = self.state.tokens.get(&id);
        Ok(found.map(|(token, _)| token.clone()))
    }

    async fn delete_token(&mut self, id: TokenId) -> StoreResult<bool> {
        let is_it = |token: &ApiToken| token.id == id;
        Ok(self.state().delete_tokens(is_it, 1) > 0)
    }

    async fn delete_token_of(&mut self, user: &UserId, id: TokenId) -> StoreResult<bool> {
        let is_it = |token: &ApiToken| token.id == id && token.user == *user;
        Ok(self.state().delete_tokens(is_it, 1) > 0)
    }

    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<u64> {
        let is_theirs = |token: &ApiToken| token.kind != TokenKind::Api && token.user == *user;
        Ok(self.state().delete_tokens(is_theirs, usize::MAX))
    }

    async fn delete_surplus_sessions_of(&mut self, user: &UserId, most: usize) -> StoreResult<u64> {
        let tokens = self.state.tokens.values().map(|(token, _)| token);
        let mut sessions: Vec<(Option<Timestamp>, TokenId)> = tokens
            .filter(|token| token.kind != TokenKind::Api && token.user == *user)
            .map(|token| (token.date_last_used, token.id))
            .collect();
        sessions.sort_unstable_by(|one, other| other.cmp(one));
        let surplus: Vec<TokenId> = sessions.iter().skip(most).map(|(_, id)| *id).collect();
        let is_surplus = |token: &ApiToken| surplus.contains(&token.id);
        Ok(self.state().delete_tokens(is_surplus, usize::MAX))
    }

    async fn delete_ended_sessions(&mut self, now: Timestamp, limit: usize) -> StoreResult<u64> {
        let has_ended = |token: &ApiToken| token.kind != TokenKind::Api && !token.is_valid(now);
        Ok(self.state().delete_tokens(has_ended, limit))
    }

    async fn touch_token(&mut self, id: TokenId, used: Timestamp) -> StoreResult<()> {
        if let Some((token, _)) = self.state().tokens.get_mut(&id) {
            token.date_last_used = Some(used);
        }
        Ok(())
    }
}

#[async_trait]
impl WriteSettings for Transaction<WriteLock> {
    async fn insert_setting(&mut self, name: &str, value: &str) -> StoreResult<Inserted> {
        let settings = &mut self.state().settings;
        if settings.contains_key(name) {
            return Ok(Inserted::Exists);
        }
        settings.insert(name.to_owned(), value.to_owned());
        Ok(Inserted::Done)
    }
}

#[async_trait]
impl WriteKeptResponses for Transaction<WriteLock> {
    async fn keep_response(
        &mut self,
        kept: &KeptResponse,
        now: Timestamp,
    ) -> StoreResult<Inserted> {
        let key = (kept.owner.clone(), kept.key.clone());
        let responses = &mut self.state().kept_responses;
        if responses
            .get(&key)
            .is_some_and(|kept| kept.date_expires > now)
        {
            return Ok(Inserted::Exists);
        }
        responses.insert(key, kept.clone());
        Ok(Inserted::Done)
    }

    async fn delete_expired_responses(&mut self, now: Timestamp, limit: usize) -> StoreResult<u64> {
        let responses = &mut self.state().kept_responses;
        let expired = responses.extract_if(.., |_, kept| kept.date_expires <= now);
        Ok(expired.take(limit).count() as u64)
    }
}
