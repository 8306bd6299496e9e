//! Which events a caller may learn of. Events about a record that exists are decided like reading the record.

use std::collections::{HashMap, HashSet};

use super::Authorizer;
use crate::authz::decision::{SubmissionFacts, Target};
use crate::authz::policy::Operation;
use crate::error::Result;
use crate::id::{EventId, FormId, GrantId, GroupId, MembershipId, SubmissionId};
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
        let mut grants = Vec::new();
        if !named.grants.is_empty() {
            grants = tx.grants_of(&named.grants).await?;
        }
        let mut memberships = Vec::new();
        if !named.memberships.is_empty() {
            memberships = tx.memberships_of(&named.memberships).await?;
        }
        let mut resources = Vec::new();
        if !named.resources.is_empty() {
            let wanted: Vec<_> = named.resources.into_iter().collect();
            resources = tx.resources_of(&wanted).await?;
        }
        let mut told = Vec::new();
        if !named.ends.is_empty() && *self.caller != Caller::System {
            let events = tx.read_events()?;
            told = events.events_told(&named.ends, &self.subjects).await?;
        }
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
        use EventType as Type;

        let now = match (&event.data, event.event_type) {
            (EventData::Submission { .. }, Type::DraftDeleted)
            | (EventData::Form { .. }, Type::FormDeleted)
            | (EventData::Group { .. }, Type::GroupDeleted)
            | (EventData::Resource { .. }, Type::ResourceDeregistered) => None,
            (EventData::Submission { form, .. }, Type::SubmissionDeleted) => {
                self.reads_submissions(*form)
            }
            (EventData::Submission { submission, .. }, event_type) => {
                let facts = self.submissions.get(submission).copied();
                facts.map(|facts| as_it_was(event_type, facts))
            }
            (EventData::Form { form }, _) => self.on_form(*form, Operation::FormGet),
            // Only the system may read webhooks of all forms.
            (EventData::Webhook { form, .. }, _) => match form {
                Some(form) => self.on_form(*form, Operation::WebhookGet),
                None => Some(Reason::System),
            },
            (EventData::Group { group }, _) => self.on_group(*group, Operation::GroupGet),
            (
                EventData::Member {
                    membership, group, ..
                },
                Type::MemberAdded,
            ) => {
                let read = Reason::May(Operation::MembershipGet, Target::Group(*group));
                self.memberships.contains(membership).then_some(read)
            }
            (EventData::Member { group, .. }, _) => self.on_group(*group, Operation::MembershipGet),
            (
                EventData::Grant {
                    resource, holder, ..
                },
                Type::GrantDeleted,
            ) => Some(Reason::Grant(self.resources.get(resource), holder)),
            (EventData::Grant { grant, .. }, _) => {
                let grant = self.grants.get(grant);
                grant.map(|grant| Reason::Grant(Some(&grant.resource), &grant.subject))
            }
            (EventData::Resource { record, resource }, _) => {
                // The same name may have been registered again since.
                let found = self.resources.get(resource);
                found
                    .filter(|found| found.id == *record)
                    .map(Reason::Resource)
            }
        };
        let also = match (&event.data, event.event_type) {
            (EventData::Form { form }, Type::FormCleared) => self.reads_submissions(*form),
            (
                EventData::Member {
                    member: Member::User(user),
                    ..
                },
                Type::MemberRemoved,
            ) => Some(Reason::Is(user)),
            _ => None,
        };
        let told = has_audience(event.event_type).then_some(Reason::Told);
        now.into_iter().chain(also).chain(told).collect()
    }

    fn on_form<'e>(&self, form: FormId, operation: Operation) -> Option<Reason<'e>> {
        let exists = self.resources.contains_key(&ResourceRef::form(form));
        exists.then_some(Reason::May(operation, Target::Form(form)))
    }

    fn on_group<'e>(&self, group: GroupId, operation: Operation) -> Option<Reason<'e>> {
        let exists = self.resources.contains_key(&ResourceRef::group(group));
        exists.then_some(Reason::May(operation, Target::Group(group)))
    }

    /// Being permitted to read every submitted submission of a form.
    fn reads_submissions<'e>(&self, form: FormId) -> Option<Reason<'e>> {
        let exists = self.resources.contains_key(&ResourceRef::form(form));
        exists.then_some(Reason::May(
            Operation::SubmissionGet,
            Target::Submissions(form),
        ))
    }
}

/// Reading a submission. The permissions on a form never lead to what happened to a draft, even if it was submitted since.
fn as_it_was<'e>(event_type: EventType, mut facts: SubmissionFacts) -> Reason<'e> {
    if matches!(
        event_type,
        EventType::DraftCreated | EventType::DraftUpdated
    ) {
        facts.state = SubmissionState::Draft;
    }
    Reason::May(Operation::SubmissionGet, Target::Submission(facts))
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
