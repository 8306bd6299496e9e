//! The tables, and cascading deletions.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::id::{
    DeliveryId, EventId, FileHoldId, FileId, FormId, GrantId, GroupId, LinkId, MembershipId,
    ResourceId, SubmissionId, TokenId, WebhookId,
};
use crate::model::deletion::Deletion;
use crate::model::event::Event;
use crate::model::file::SubmittedFile;
use crate::model::form::{Form, SubmissionLimit};
use crate::model::grant::Grant;
use crate::model::group::Group;
use crate::model::idempotency::{IdempotencyKey, KeptResponse};
use crate::model::link::FormLink;
use crate::model::membership::{Member, Membership};
use crate::model::resource::{Anchor, Resource, ResourceClass};
use crate::model::subject::{Subject, UserId};
use crate::model::submission::Submission;
use crate::model::token::{ApiToken, SecretHash};
use crate::model::webhook::{
    Attempt, Delivery, DeliveryState, FrozenSubmission, Webhook, WebhookHealth,
};
use crate::model::words::SubmissionState;
use crate::store::{DeliveryProgress, EventLog, EventPlace, WebhookSecrets};
use crate::time::Timestamp;

/// All records, in order of their identifiers.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) groups: BTreeMap<GroupId, Group>,
    pub(super) memberships: BTreeMap<MembershipId, Membership>,
    pub(super) resources: BTreeMap<ResourceId, Resource>,
    /// With their resources, which do not change.
    pub(super) grants: BTreeMap<GrantId, Grant>,
    pub(super) forms: BTreeMap<FormId, Form>,
    pub(super) submissions: BTreeMap<SubmissionId, Submission>,
    /// The files that belong to no submission, and when they expire; `None`: they have expired for good.
    pub(super) unused_files: BTreeMap<FileId, Option<Timestamp>>,
    /// When each hold on files ends.
    pub(super) file_holds: BTreeMap<FileHoldId, Timestamp>,
    /// The number of places of a form that a creator's submissions take.
    pub(super) places: BTreeMap<(FormId, UserId), i64>,
    /// With their grants. The numbers of submissions are those in `places`.
    pub(super) links: BTreeMap<LinkId, (FormLink, GrantId, SecretHash)>,
    pub(super) tokens: BTreeMap<TokenId, (ApiToken, SecretHash)>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) kept_responses: BTreeMap<(UserId, IdempotencyKey), KeptResponse>,
    pub(super) event_log: EventLog,
    /// By their positions.
    pub(super) events: BTreeMap<i64, Event>,
    pub(super) event_audience: BTreeMap<EventId, BTreeSet<Subject>>,
    pub(super) event_subscriptions: BTreeMap<String, Subscribed>,
    /// The submissions as they were at events, with their identifiers.
    pub(super) event_data: BTreeMap<EventId, (SubmissionId, FrozenSubmission)>,
    pub(super) webhooks: BTreeMap<WebhookId, WebhookRow>,
    pub(super) deliveries: BTreeMap<DeliveryId, DeliveryRow>,
}

/// A webhook with what is not part of it.
#[derive(Debug, Clone)]
pub(super) struct WebhookRow {
    pub(super) webhook: Webhook,
    pub(super) secrets: WebhookSecrets,
    pub(super) health: WebhookHealth,
    /// When its form was deleted.
    pub(super) ended: Option<Timestamp>,
}

/// A delivery with what is not part of it.
#[derive(Debug, Clone)]
pub(super) struct DeliveryRow {
    pub(super) delivery: Delivery,
    pub(super) lane: Uuid,
    pub(super) progress: DeliveryProgress,
    pub(super) lease: Option<(Uuid, Timestamp)>,
    /// By their numbers.
    pub(super) attempts: BTreeMap<i64, Attempt>,
}

impl DeliveryRow {
    pub(super) fn is_pending(&self) -> bool {
        self.delivery.state == DeliveryState::Pending
    }

    /// Whether it is leased, and the lease has not ended.
    pub(super) fn is_held(&self, now: Timestamp) -> bool {
        self.lease.is_some_and(|(_, until)| until > now)
    }
}

/// A subscription, and the lease of its holder.
#[derive(Debug, Clone)]
pub(super) struct Subscribed {
    pub(super) place: EventPlace,
    pub(super) lease: Option<(Uuid, Timestamp)>,
}

impl State {
    /// The groups that have `member` as a direct member.
    fn parents(&self, member: &Member) -> impl Iterator<Item = GroupId> {
        self.memberships
            .values()
            .filter(move |membership| membership.member == *member)
            .map(|membership| membership.group)
    }

    /// The groups that have `member` as a member at any depth. Each group is visited once, even if several paths lead
    /// to it.
    pub(super) fn ancestors(&self, member: &Member) -> BTreeSet<GroupId> {
        let mut found = BTreeSet::new();
        let mut waiting: Vec<GroupId> = self.parents(member).collect();
        while let Some(group) = waiting.pop() {
            if found.insert(group) {
                waiting.extend(self.parents(&Member::ChildGroup(group)));
            }
        }
        found
    }

    pub(super) fn delete_group(&mut self, id: GroupId) {
        self.groups.remove(&id);
        let child = Member::ChildGroup(id);
        self.memberships
            .retain(|_, membership| membership.group != id && membership.member != child);
        self.grants
            .retain(|_, grant| grant.subject != Subject::Group(id));
        self.delete_resources(|resource| resource.anchor() == Anchor::from(id));
    }

    /// Counts what a deletion removes, by trying it with a copy.
    pub(super) fn deletion(&self, delete: impl FnOnce(&mut Self)) -> Deletion {
        let mut left = self.clone();
        delete(&mut left);
        let gone = |before: usize, after: usize| u64::try_from(before - after).unwrap_or(u64::MAX);
        let in_state = |state: &Self, wanted| {
            let submissions = state.submissions.values();
            submissions.filter(|it| it.state == wanted).count()
        };
        let [submissions, drafts] = [SubmissionState::Submitted, SubmissionState::Draft]
            .map(|state| gone(in_state(self, state), in_state(&left, state)));
        let resources = |state: &Self| {
            let resources = state.resources.values();
            let is_counted =
                |it: &&Resource| it.resource.class != ResourceClass::SUBMISSION_COLLECTION;
            resources.filter(is_counted).count()
        };
        Deletion {
            forms: gone(self.forms.len(), left.forms.len()),
            submissions,
            drafts,
            groups: gone(self.groups.len(), left.groups.len()),
            members: gone(self.memberships.len(), left.memberships.len()),
            resources: gone(resources(self), resources(&left)),
            grants: gone(self.grants.len(), left.grants.len()),
            links: gone(self.links.len(), left.links.len()),
            webhooks: 0,
        }
    }

    /// Deletes every submitted submission of a form, and returns their number.
    pub(super) fn delete_submitted(&mut self, form: FormId) -> u64 {
        let submitted = self.submitted(form);
        for id in &submitted {
            self.delete_submission(*id);
        }
        submitted.len() as u64
    }

    /// Deletes resources with all grants on them.
    pub(super) fn delete_resources(&mut self, goes: impl Fn(&Resource) -> bool) {
        self.resources.retain(|_, resource| !goes(resource));
        self.grants
            .retain(|_, grant| self.resources.contains_key(&grant.resource.id));
        self.delete_ended_links();
    }

    /// Deletes the grant, and the link that it belongs to. Returns `false` if it did not exist.
    pub(super) fn delete_grant(&mut self, id: GrantId) -> bool {
        let existed = self.grants.remove(&id).is_some();
        self.delete_ended_links();
        existed
    }

    /// Deletes the links whose grants were deleted.
    fn delete_ended_links(&mut self) {
        self.links
            .retain(|_, (_, grant, _)| self.grants.contains_key(grant));
    }

    /// A link with the number of its submissions.
    pub(super) fn counted(&self, link: &FormLink) -> FormLink {
        let place = (link.form, link.id.into());
        FormLink {
            num_submissions: self.places.get(&place).copied().unwrap_or_default(),
            ..link.clone()
        }
    }

    pub(super) fn delete_form(&mut self, id: FormId) {
        self.forms.remove(&id);
        let submissions = &mut self.submissions;
        let gone = submissions.extract_if(.., |_, submission| submission.form == id);
        for (_, submission) in gone.collect::<Vec<_>>() {
            self.release(&submission.files);
        }
        self.places.retain(|(form, _), _| *form != id);
        self.delete_resources(|resource| {
            resource.anchor() == Anchor::from(id) || resource.object.form() == Some(id)
        });
    }

    /// Files that have lost their submission have expired.
    pub(super) fn release(&mut self, files: &[SubmittedFile]) {
        let released = files.iter().map(|file| (file.id, None));
        self.unused_files.extend(released);
    }

    pub(super) fn delete_submission(&mut self, id: SubmissionId) {
        let Some(submission) = self.submissions.remove(&id) else {
            return;
        };
        self.release(&submission.files);
        if let Some(taken) = self.places.get_mut(&(submission.form, submission.creator)) {
            *taken -= 1;
        }
        self.delete_resources(|resource| resource.anchor() == Anchor::from(id));
    }

    /// Deletes at most `limit` tokens, and returns their number. What has them as its origin goes, too.
    pub(super) fn delete_tokens(&mut self, goes: impl Fn(&ApiToken) -> bool, limit: usize) -> u64 {
        let going = self.tokens.values().map(|(token, _)| token);
        let going: Vec<TokenId> = going
            .filter(|token| goes(token))
            .map(|token| token.id)
            .take(limit)
            .collect();
        let mut deleted = 0;
        for id in going {
            deleted += u64::from(self.tokens.remove(&id).is_some());
            self.delete_tokens_of(id);
        }
        deleted
    }

    /// Deletes what has a token as its origin, directly or by way of others.
    fn delete_tokens_of(&mut self, origin: TokenId) {
        let mut origins = vec![origin];
        while let Some(origin) = origins.pop() {
            let tokens = &mut self.tokens;
            let made = tokens.extract_if(.., |_, (token, _)| token.origin == Some(origin));
            origins.extend(made.map(|(id, _)| id));
        }
    }

    /// The submitted submissions of a form.
    pub(super) fn submitted(&self, form: FormId) -> Vec<SubmissionId> {
        self.submissions
            .values()
            .filter(|row| row.form == form && row.state == SubmissionState::Submitted)
            .map(|row| row.id)
            .collect()
    }

    /// The number of submitted submissions of a form. Counting them each time cannot go wrong.
    pub(super) fn form_places(&self, form: FormId) -> i64 {
        i64::try_from(self.submitted(form).len()).unwrap_or(i64::MAX)
    }

    pub(super) fn is_full(&self, form: FormId, limit: SubmissionLimit) -> bool {
        self.form_places(form) >= limit.get()
    }
}
