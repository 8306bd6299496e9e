//! Which events a caller may learn of. Events about a record that exists are decided like reading the record.

use std::collections::{HashMap, HashSet};

use super::Authorizer;
use crate::authz::decision::{SubmissionFacts, Target};
use crate::authz::policy::Operation;
use crate::error::Result;
use crate::id::{EventId, FormId, GrantId, GroupId, MembershipId, ResourceId, SubmissionId};
use crate::model::action::Actions;
use crate::model::event::{Event, EventData};
use crate::model::event_type::EventType;
use crate::model::grant::Grant;
use crate::model::membership::Member;
use crate::model::resource::{Resource, ResourceRef};
use crate::model::subject::{Caller, Subject, UserId};
use crate::model::words::SubmissionState;
use crate::store::ReadTx;

/// A reason to show an event. One suffices.
enum Reason<'e> {
    /// The caller may do this to the target now.
    May(Operation, Target),
    /// The caller may read this resource now.
    Resource(&'e Resource),
    /// The caller holds the grant, or manages its resource now.
    Grant(Option<&'e Resource>, &'e Subject),
    /// The caller could read what was deleted.
    Told,
    /// The caller is this user.
    Is(&'e UserId),
    /// The caller is the system.
    System,
}

/// The records that events are about, as they are now.
struct Records {
    /// The existing ones among groups, forms and other resources.
    resources: HashMap<ResourceRef, Resource>,
    submissions: HashMap<SubmissionId, SubmissionFacts>,
    memberships: HashSet<MembershipId>,
    grants: HashMap<GrantId, Grant>,
    /// The events whose audience the caller belongs to.
    told: HashSet<EventId>,
}

impl Authorizer<'_> {
    /// Those of the events that the caller may learn of, with a fixed number of statements. Requires the caller's groups,
    /// see [`Authorizer::with_groups`].
    pub(crate) async fn visible(
        &self,
        tx: &mut dyn ReadTx,
        events: Vec<Event>,
    ) -> Result<Vec<Event>> {
        if events.is_empty() || matches!(self.caller, Caller::Link(_)) {
            return Ok(Vec::new());
        }
        let records = self.records(tx, &events).await?;
        let reasons: Vec<_> = events.iter().map(|event| records.reasons(event)).collect();
        let targets = reasons.iter().flatten();
        let targets: Vec<Target> = targets
            .filter_map(|reason| reason.target(&records))
            .collect();
        self.fetch(tx, &targets).await?;
        let is_shown = events.iter().zip(&reasons).map(|(event, reasons)| {
            let mut reasons = reasons.iter();
            reasons.any(|reason| self.holds(reason, event, &records))
        });
        let is_shown: Vec<bool> = is_shown.collect();
        let shown = events.into_iter().zip(is_shown);
        Ok(shown
            .filter_map(|(event, is_shown)| is_shown.then_some(event))
            .collect())
    }

    fn holds(&self, reason: &Reason<'_>, event: &Event, records: &Records) -> bool {
        let on_resource = |resource: Option<&Resource>| {
            resource.map_or_else(Actions::default, |resource| {
                let target = Self::target_of(resource, &records.submissions);
                self.known_actions_on_resource(resource, target.as_ref())
            })
        };
        match reason {
            Reason::May(operation, target) => {
                self.allows(*operation, &self.known_actions_on(Some(target)))
            }
            Reason::Resource(resource) => {
                self.allows(Operation::ResourceGet, &on_resource(Some(resource)))
            }
            Reason::Grant(resource, holder) => {
                let actions = on_resource(*resource);
                self.allows_holder(Operation::GrantGet, &actions, Some(holder))
            }
            Reason::Told => *self.caller == Caller::System || records.told.contains(&event.id),
            Reason::System => *self.caller == Caller::System,
            Reason::Is(user) => self.caller.user_id() == Some(user),
        }
    }

    async fn records(&self, tx: &mut dyn ReadTx, events: &[Event]) -> Result<Records> {
        let named = Named::by(events);
        let grants = if named.grants.is_empty() {
            Vec::new()
        } else {
            tx.grants_of(&named.grants).await?
        };
        let memberships = if named.memberships.is_empty() {
            Vec::new()
        } else {
            tx.memberships_of(&named.memberships).await?
        };
        let resources = if named.resources.is_empty() {
            Vec::new()
        } else {
            let resources: Vec<_> = named.resources.into_iter().collect();
            tx.resources_of(&resources).await?
        };
        let told = if named.ends.is_empty() || *self.caller == Caller::System {
            Vec::new()
        } else {
            tx.read_events()?
                .events_told(&named.ends, &self.subjects)
                .await?
        };
        let of_grants = grants.iter().map(|grant| &grant.resource);
        let of_resources = resources
            .iter()
            .chain(of_grants)
            .filter_map(Self::submission_of);
        let submissions: HashSet<_> = named.submissions.into_iter().chain(of_resources).collect();
        let submissions = self.facts_of(tx, submissions.into_iter().collect()).await?;
        let resources = resources.into_iter();
        Ok(Records {
            resources: resources
                .map(|found| (found.resource.clone(), found))
                .collect(),
            submissions,
            memberships: memberships.into_iter().map(|found| found.id).collect(),
            grants: grants.into_iter().map(|found| (found.id, found)).collect(),
            told: told.into_iter().collect(),
        })
    }
}

/// The records that events name.
#[derive(Default)]
struct Named {
    submissions: Vec<SubmissionId>,
    memberships: Vec<MembershipId>,
    grants: Vec<GrantId>,
    resources: HashSet<ResourceRef>,
    /// The events with an audience.
    ends: Vec<EventId>,
}

impl Named {
    fn by(events: &[Event]) -> Self {
        let mut named = Self::default();
        for event in events {
            named.add(event);
        }
        named
    }

    fn add(&mut self, event: &Event) {
        if has_audience(event.event_type) {
            self.ends.push(event.id);
        }
        match (&event.data, event.event_type) {
            (EventData::Submission { form, .. }, EventType::SubmissionDeleted)
            | (
                EventData::Form { form }
                | EventData::Webhook {
                    form: Some(form), ..
                },
                _,
            ) => {
                self.resources.insert(ResourceRef::form(*form));
            }
            (EventData::Webhook { form: None, .. }, _) => {}
            (EventData::Submission { submission, .. }, _) => self.submissions.push(*submission),
            (EventData::Member { membership, .. }, EventType::MemberAdded) => {
                self.memberships.push(*membership);
            }
            (EventData::Group { group } | EventData::Member { group, .. }, _) => {
                self.resources.insert(ResourceRef::group(*group));
            }
            (EventData::Grant { grant, .. }, EventType::GrantCreated) => self.grants.push(*grant),
            (EventData::Grant { resource, .. } | EventData::Resource { resource, .. }, _) => {
                self.resources.insert(resource.clone());
            }
        }
    }
}

/// Whether the event says that something is gone, so that its audience was noted.
fn has_audience(event_type: EventType) -> bool {
    matches!(
        event_type,
        EventType::SubmissionDeleted
            | EventType::DraftDeleted
            | EventType::FormCleared
            | EventType::FormDeleted
            | EventType::GroupDeleted
            | EventType::ResourceDeregistered
    )
}

impl Records {
    /// The reasons to show an event. Events about a deleted record have none, except that of the deletion.
    fn reasons<'e>(&'e self, event: &'e Event) -> Vec<Reason<'e>> {
        match &event.data {
            EventData::Submission {
                submission, form, ..
            } => self.on_submission(event.event_type, *submission, *form),
            EventData::Form { form } => self.on_form(event.event_type, *form),
            EventData::Group { .. } if event.event_type == EventType::GroupDeleted => {
                vec![Reason::Told]
            }
            EventData::Group { group } => self.on_group(*group, Operation::GroupGet),
            EventData::Member {
                membership,
                group,
                member,
            } => self.on_member(event.event_type, *membership, *group, member),
            EventData::Grant {
                grant,
                resource,
                holder,
                ..
            } => self.on_grant(event.event_type, *grant, resource, holder),
            EventData::Resource { record, resource } => {
                self.on_resource(event.event_type, *record, resource)
            }
            EventData::Webhook { form, .. } => self.on_webhook(*form),
        }
    }

    fn on_submission<'e>(
        &self,
        event_type: EventType,
        id: SubmissionId,
        form: FormId,
    ) -> Vec<Reason<'e>> {
        let read = |facts| Reason::May(Operation::SubmissionGet, Target::Submission(facts));
        let facts = self.submissions.get(&id).copied();
        match event_type {
            EventType::DraftDeleted => vec![Reason::Told],
            EventType::SubmissionDeleted => {
                let through_form = self.reads_submissions(form);
                through_form.into_iter().chain([Reason::Told]).collect()
            }
            // The permissions on a form never lead to what happened to a draft, even if it was submitted since.
            EventType::DraftCreated | EventType::DraftUpdated => facts
                .map(|facts| SubmissionFacts {
                    state: SubmissionState::Draft,
                    ..facts
                })
                .map(read)
                .into_iter()
                .collect(),
            _ => facts.map(read).into_iter().collect(),
        }
    }

    fn has_form(&self, form: FormId) -> bool {
        self.resources.contains_key(&ResourceRef::form(form))
    }

    /// Being permitted to read every submitted submission of a form.
    fn reads_submissions<'e>(&self, form: FormId) -> Option<Reason<'e>> {
        let read = Reason::May(Operation::SubmissionGet, Target::Submissions(form));
        self.has_form(form).then_some(read)
    }

    fn on_form<'e>(&self, event_type: EventType, form: FormId) -> Vec<Reason<'e>> {
        let read = Reason::May(Operation::FormGet, Target::Form(form));
        let read = self.has_form(form).then_some(read);
        match event_type {
            EventType::FormDeleted => vec![Reason::Told],
            EventType::FormCleared => {
                let reads_submissions = self.reads_submissions(form);
                let by_reading = read.into_iter().chain(reads_submissions);
                by_reading.chain([Reason::Told]).collect()
            }
            _ => read.into_iter().collect(),
        }
    }

    /// Those who may read the webhooks of the form. Only the system may read those of all forms.
    fn on_webhook<'e>(&self, form: Option<FormId>) -> Vec<Reason<'e>> {
        let Some(form) = form else {
            return vec![Reason::System];
        };
        let read = Reason::May(Operation::WebhookGet, Target::Form(form));
        self.has_form(form).then_some(read).into_iter().collect()
    }

    fn on_group<'e>(&self, group: GroupId, operation: Operation) -> Vec<Reason<'e>> {
        let read = Reason::May(operation, Target::Group(group));
        let exists = self.resources.contains_key(&ResourceRef::group(group));
        exists.then_some(read).into_iter().collect()
    }

    fn on_member<'e>(
        &self,
        event_type: EventType,
        id: MembershipId,
        group: GroupId,
        member: &'e Member,
    ) -> Vec<Reason<'e>> {
        let read = Operation::MembershipGet;
        if event_type == EventType::MemberAdded {
            let read = Reason::May(read, Target::Group(group));
            let exists = self.memberships.contains(&id);
            return exists.then_some(read).into_iter().collect();
        }
        let mut reasons = self.on_group(group, read);
        if let Member::User(user) = member {
            reasons.push(Reason::Is(user));
        }
        reasons
    }

    fn on_grant<'e>(
        &'e self,
        event_type: EventType,
        id: GrantId,
        resource: &ResourceRef,
        holder: &'e Subject,
    ) -> Vec<Reason<'e>> {
        if event_type == EventType::GrantDeleted {
            return vec![Reason::Grant(self.resources.get(resource), holder)];
        }
        let grant = self.grants.get(&id);
        let read = grant.map(|grant| Reason::Grant(Some(&grant.resource), &grant.subject));
        read.into_iter().collect()
    }

    fn on_resource<'e>(
        &'e self,
        event_type: EventType,
        record: ResourceId,
        resource: &ResourceRef,
    ) -> Vec<Reason<'e>> {
        if event_type == EventType::ResourceDeregistered {
            return vec![Reason::Told];
        }
        // The same name may have been registered again since.
        let found = self.resources.get(resource);
        let found = found.filter(|found| found.id == record);
        found.map(Reason::Resource).into_iter().collect()
    }
}

impl Reason<'_> {
    /// The target whose grants the reason depends on.
    fn target(&self, records: &Records) -> Option<Target> {
        match self {
            Self::May(_, target) => Some(target.clone()),
            Self::Resource(resource) | Self::Grant(Some(resource), _) => {
                Authorizer::target_of(resource, &records.submissions)
            }
            Self::Grant(None, _) | Self::Told | Self::Is(_) | Self::System => None,
        }
    }
}
