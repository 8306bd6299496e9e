use std::collections::{BTreeMap, BTreeSet, HashSet};

use async_trait::async_trait;

use crate::authz::decision::HeldGrant;
use crate::authz::scope::{
    FormScope, GrantScope, ItemScope, ResourceScope, Subjects, SubmissionScope,
};
use crate::id::{
    FileHoldId, FileId, FormId, GrantId, GroupId, LinkId, MembershipId, ResourceId, SubmissionId,
};
use crate::model::deletion::Deletion;
use crate::model::file::{FileHold, SubmittedFile};
use crate::model::form::Form;
use crate::model::grant::Grant;
use crate::model::group::Group;
use crate::model::idempotency::{IdempotencyKey, KeptResponse};
use crate::model::link::FormLink;
use crate::model::membership::{Member, Membership};
use crate::model::resource::{Anchor, Resource, ResourceFilter, ResourceRef};
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::text::fold_case;
use crate::model::token::{ApiToken, SecretHash};
use crate::page::{Selection, Window};
use crate::store::memory::Transaction;
use crate::store::{
    ReadFiles, ReadForms, ReadGrants, ReadGroups, ReadKeptResponses, ReadLinks, ReadMemberships,
    ReadResources, ReadSettings, ReadSubmissions, ReadTokens, StoreResult, SubmissionHeader,
};
use crate::time::Timestamp;

#[async_trait]
impl<T: Send> ReadGroups for Transaction<T> {
    async fn deletion_of_group(&mut self, id: GroupId) -> StoreResult<Deletion> {
        Ok(self.state.deletion(|state| state.delete_group(id)))
    }

    async fn find_group(&mut self, id: GroupId) -> StoreResult<Option<Group>> {
        Ok(self.state.groups.get(&id).cloned())
    }

    async fn groups(
        &mut self,
        scope: &ItemScope,
        search: Option<&str>,
        window: Window,
    ) -> StoreResult<Vec<Group>> {
        let found = |group: &&Group| {
            search.is_none_or(|search| fold_case(group.name.as_str()).contains(search))
        };
        let rows = self.state.groups.values().filter(found);
        let rows = rows.filter(|row| self.state.admits_item(scope, Anchor::from(row.id)));
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl<T: Send> ReadMemberships for Transaction<T> {
    async fn groups_of(&mut self, user: &UserId) -> StoreResult<Vec<GroupId>> {
        let member = Member::User(user.clone());
        Ok(self.state.ancestors(&member).into_iter().collect())
    }

    async fn memberships_above(&mut self, user: &UserId) -> StoreResult<Vec<Membership>> {
        let member = Member::User(user.clone());
        let groups = self.state.ancestors(&member);
        let leads_up = |row: &&Membership| match &row.member {
            Member::ChildGroup(child) => groups.contains(child),
            other @ Member::User(_) => *other == member,
        };
        let rows = self.state.memberships.values();
        Ok(rows.filter(leads_up).cloned().collect())
    }

    async fn is_within(&mut self, inner: GroupId, outer: GroupId) -> StoreResult<bool> {
        let member = Member::ChildGroup(inner);
        Ok(inner == outer || self.state.ancestors(&member).contains(&outer))
    }

    async fn find_membership(&mut self, id: MembershipId) -> StoreResult<Option<Membership>> {
        Ok(self.state.memberships.get(&id).cloned())
    }

    async fn memberships_of(&mut self, ids: &[MembershipId]) -> StoreResult<Vec<Membership>> {
        let ids: BTreeSet<_> = ids.iter().collect();
        let rows = ids
            .into_iter()
            .filter_map(|id| self.state.memberships.get(id));
        Ok(rows.cloned().collect())
    }

    async fn memberships(
        &mut self,
        group: GroupId,
        window: Window,
    ) -> StoreResult<Vec<Membership>> {
        let rows = self.state.memberships.values();
        let rows = rows.filter(|row| row.group == group).cloned();
        Ok(window.part_of(rows, |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl<T: Send> ReadResources for Transaction<T> {
    async fn find_resource(&mut self, id: ResourceId) -> StoreResult<Option<Resource>> {
        Ok(self.state.resources.get(&id).cloned())
    }

    async fn find_resource_of(&mut self, resource: &ResourceRef) -> StoreResult<Option<Resource>> {
        let mut rows = self.state.resources.values();
        Ok(rows.find(|row| row.resource == *resource).cloned())
    }

    async fn resources_of(&mut self, resources: &[ResourceRef]) -> StoreResult<Vec<Resource>> {
        let wanted: HashSet<&ResourceRef> = resources.iter().collect();
        let rows = self.state.resources.values();
        let found = rows.filter(|row| wanted.contains(&row.resource));
        Ok(found.cloned().collect())
    }

    async fn resources(
        &mut self,
        scope: &ResourceScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Resource>> {
        let rows = self.state.resources.values();
        let rows = rows.filter(|row| filter.admits(&row.resource));
        let rows = rows.filter(|row| self.state.admits_resource(scope, row));
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl<T: Send> ReadGrants for Transaction<T> {
    async fn held(
        &mut self,
        anchors: &[Anchor],
        subjects: &Subjects,
    ) -> StoreResult<Vec<HeldGrant>> {
        let grants = self.state.grants.values();
        Ok(grants
            .filter(|grant| anchors.contains(&grant.resource.anchor()))
            .filter(|grant| subjects.contains(&grant.subject))
            .map(|grant| HeldGrant {
                anchor: grant.resource.anchor(),
                class: grant.resource.resource.class.clone(),
                action: grant.action.clone(),
            })
            .collect())
    }

    async fn find_grant(&mut self, id: GrantId) -> StoreResult<Option<Grant>> {
        Ok(self.state.grants.get(&id).cloned())
    }

    async fn grants_of(&mut self, ids: &[GrantId]) -> StoreResult<Vec<Grant>> {
        let ids: BTreeSet<_> = ids.iter().collect();
        let rows = ids.into_iter().filter_map(|id| self.state.grants.get(id));
        Ok(rows.cloned().collect())
    }

    async fn grants(
        &mut self,
        scope: &GrantScope,
        filter: &ResourceFilter,
        window: Window,
    ) -> StoreResult<Vec<Grant>> {
        let rows = self.state.grants.values();
        let rows = rows.filter(|row| filter.admits(&row.resource.resource));
        let rows = rows.filter(|row| self.state.admits_grant(scope, row));
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl<T: Send> ReadForms for Transaction<T> {
    async fn deletion_of_form(&mut self, id: FormId) -> StoreResult<Deletion> {
        Ok(self.state.deletion(|state| state.delete_form(id)))
    }

    async fn find_form(&mut self, id: FormId) -> StoreResult<Option<Form>> {
        Ok(self.state.forms.get(&id).cloned())
    }

    async fn forms(&mut self, scope: &FormScope, window: Window) -> StoreResult<Vec<Form>> {
        let rows = self.state.forms.values();
        let rows = rows.filter(|row| self.state.admits_form(scope, row));
        Ok(window.part_of(rows.cloned(), |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl<T: Send> ReadSubmissions for Transaction<T> {
    async fn deletion_of_submitted(&mut self, form: FormId) -> StoreResult<Deletion> {
        Ok(self.state.deletion(|state| {
            state.delete_submitted(form);
        }))
    }

    async fn find_submission(&mut self, id: SubmissionId) -> StoreResult<Option<Submission>> {
        Ok(self.state.submissions.get(&id).cloned())
    }

    async fn submission_headers(
        &mut self,
        ids: &[SubmissionId],
    ) -> StoreResult<Vec<SubmissionHeader>> {
        let rows = ids.iter().collect::<BTreeSet<_>>().into_iter();
        let rows = rows.filter_map(|id| self.state.submissions.get(id));
        let headers = rows.filter_map(|row| {
            let form = self.state.forms.get(&row.form)?;
            Some(SubmissionHeader {
                id: row.id,
                form: row.form,
                rules: form.rules,
                state: row.state,
                creator: row.creator.clone(),
            })
        });
        Ok(headers.collect())
    }

    async fn submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        selection: Selection<'_>,
        window: Window,
    ) -> StoreResult<Vec<Submission>> {
        let Selection {
            creator,
            tag,
            before,
            newest_first,
        } = selection;
        let rows = self
            .state
            .submissions
            .values()
            .filter(|row| row.form == form)
            .filter(|row| creator.is_none_or(|creator| row.creator.as_str() == creator))
            .filter(|row| tag.is_none_or(|tag| row.tags.iter().any(|of_it| of_it == tag)))
            .filter(|row| before.is_none_or(|before| row.id.as_uuid() < before))
            .filter(|row| self.state.admits_submission(scope, row))
            .cloned();
        let id = |row: &Submission| row.id.as_uuid();
        Ok(if newest_first {
            window.part_of(rows.rev(), id)
        } else {
            window.part_of(rows, id)
        })
    }

    async fn count_submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        window: Window,
    ) -> StoreResult<u64> {
        let rows = self
            .submissions(form, scope, Selection::default(), window)
            .await?;
        Ok(rows.len() as u64)
    }

    async fn places_taken(&mut self, form: FormId, creator: &UserId) -> StoreResult<i64> {
        let place = (form, creator.clone());
        Ok(self.state.places.get(&place).copied().unwrap_or(0))
    }

    async fn form_places_taken(&mut self, form: FormId) -> StoreResult<Option<i64>> {
        let row = self.state.forms.get(&form);
        let is_limited = row.is_some_and(|row| row.rules.limit.is_some());
        Ok(is_limited.then(|| self.state.form_places(form)))
    }

    async fn has_submissions(&mut self, form: FormId) -> StoreResult<bool> {
        let mut rows = self.state.submissions.values();
        Ok(rows.any(|row| row.form == form))
    }
}

#[async_trait]
impl<T: Send> ReadFiles for Transaction<T> {
    async fn find_file(&mut self, id: FileId) -> StoreResult<Option<SubmittedFile>> {
        let submissions = self.state.submissions.values();
        let mut files = submissions.flat_map(|row| &row.files);
        Ok(files.find(|file| file.id == id).cloned())
    }

    async fn file_bytes(&mut self, form: FormId, creator: &UserId) -> StoreResult<u64> {
        let submissions = self.state.submissions.values();
        let counted = submissions.filter(|row| row.form == form && row.creator == *creator);
        Ok(counted.map(Submission::file_bytes).sum())
    }

    async fn unused_files(&mut self, now: Timestamp, limit: usize) -> StoreResult<Vec<FileId>> {
        let unused = self.state.unused_files.iter();
        let expired = unused.filter(|(_, expires)| expires.is_none_or(|expires| expires <= now));
        Ok(expired.map(|(id, _)| *id).take(limit).collect())
    }

    async fn files_after(
        &mut self,
        after: Option<FileId>,
        limit: usize,
    ) -> StoreResult<Vec<(FileId, bool)>> {
        let submissions = self.state.submissions.values();
        let used = submissions.flat_map(|row| &row.files).map(|file| file.id);
        let unused = self.state.unused_files.keys();
        let all: BTreeMap<FileId, bool> = used
            .map(|id| (id, true))
            .chain(unused.map(|id| (*id, false)))
            .filter(|(id, _)| after.is_none_or(|after| *id > after))
            .collect();
        Ok(all.into_iter().take(limit).collect())
    }

    async fn file_holds(&mut self, now: Timestamp) -> StoreResult<Vec<FileHold>> {
        let holds = self.state.file_holds.iter();
        let hold = |(id, ends): (&FileHoldId, &Timestamp)| FileHold {
            id: *id,
            date_ends: *ends,
        };
        let last = |hold: &FileHold| hold.date_ends > now;
        Ok(holds.map(hold).filter(last).collect())
    }
}

#[async_trait]
impl<T: Send> ReadLinks for Transaction<T> {
    async fn find_link(&mut self, id: LinkId) -> StoreResult<Option<FormLink>> {
        let found = self.state.links.get(&id);
        Ok(found.map(|(link, ..)| self.state.counted(link)))
    }

    async fn find_link_of(&mut self, secret: &SecretHash) -> StoreResult<Option<FormLink>> {
        let mut rows = self.state.links.values();
        let found = rows.find(|(_, _, of_link)| of_link == secret);
        Ok(found.map(|(link, ..)| self.state.counted(link)))
    }

    async fn links(&mut self, form: FormId, window: Window) -> StoreResult<Vec<FormLink>> {
        let rows = self.state.links.values().map(|(link, ..)| link);
        let rows = rows.filter(|link| link.form == form);
        let rows = rows.map(|link| self.state.counted(link));
        Ok(window.part_of(rows, |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl<T: Send> ReadTokens for Transaction<T> {
    async fn find_token(&mut self, secret: &SecretHash) -> StoreResult<Option<ApiToken>> {
        let mut rows = self.state.tokens.values();
        let found = rows.find(|(_, of_token)| of_token == secret);
        Ok(found.map(|(token, _)| token.clone()))
    }

    async fn tokens(&mut self, window: Window) -> StoreResult<Vec<ApiToken>> {
        let rows = self.state.tokens.values().map(|(token, _)| token.clone());
        Ok(window.part_of(rows, |row| row.id.as_uuid()))
    }

    async fn tokens_of(&mut self, user: &UserId, window: Window) -> StoreResult<Vec<ApiToken>> {
        let rows = self.state.tokens.values().map(|(token, _)| token);
        let rows = rows.filter(|token| token.user == *user).cloned();
        Ok(window.part_of(rows, |row| row.id.as_uuid()))
    }
}

#[async_trait]
impl<T: Send> ReadSettings for Transaction<T> {
    async fn find_setting(&mut self, name: &str) -> StoreResult<Option<String>> {
        Ok(self.state.settings.get(name).cloned())
    }
}

#[async_trait]
impl<T: Send> ReadKeptResponses for Transaction<T> {
    async fn kept_responses(
        &mut self,
        owner: &UserId,
        keys: &[&IdempotencyKey],
        now: Timestamp,
    ) -> StoreResult<Vec<KeptResponse>> {
        let responses = &self.state.kept_responses;
        let kept = keys
            .iter()
            .filter_map(|key| responses.get(&(owner.clone(), (*key).clone())));
        Ok(kept
            .filter(|kept| kept.date_expires > now)
            .cloned()
            .collect())
    }
}
