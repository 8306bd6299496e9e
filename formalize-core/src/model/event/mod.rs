//! Events: entries of the log of changes.

use serde_json::{Value, json};

use crate::id::{
    EventId, FormId, GrantId, GroupId, MembershipId, ResourceId, SubmissionId, WebhookId,
};
use crate::model::action::Action;
use crate::model::event_type::EventType;
use crate::model::grant::Grant;
use crate::model::membership::{Member, Membership};
use crate::model::resource::{Resource, ResourceRef};
use crate::model::subject::{Subject, UserId};
use crate::model::submission::Submission;
use crate::model::webhook::DisabledReason;
use crate::time::Timestamp;

#[cfg(feature = "forms")]
mod of_forms;

/// The record that an event is about. It contains no data that was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventData {
    /// A submission, or a draft.
    Submission {
        /// The submission.
        submission: SubmissionId,
        /// Its form.
        form: FormId,
        /// Its creator.
        creator: UserId,
        /// The user who made the change. [`UserId::SYSTEM`] for the system.
        by: UserId,
    },
    /// A form.
    Form {
        /// The form.
        form: FormId,
    },
    /// A group.
    Group {
        /// The group.
        group: GroupId,
    },
    /// A membership.
    Member {
        /// The membership.
        membership: MembershipId,
        /// The group.
        group: GroupId,
        /// Its member.
        member: Member,
    },
    /// A grant.
    Grant {
        /// The grant.
        grant: GrantId,
        /// The action that it allows.
        action: Action,
        /// The resource.
        resource: ResourceRef,
        /// The form, if the resource is one, its submissions, or one of them.
        form: Option<FormId>,
        /// Who holds the grant.
        holder: Subject,
    },
    /// A registered resource.
    Resource {
        /// The record of the resource.
        record: ResourceId,
        /// The resource.
        resource: ResourceRef,
    },
    /// A webhook.
    Webhook {
        /// The webhook.
        webhook: WebhookId,
        /// Its form; `None` if it sends all events.
        form: Option<FormId>,
        /// Why it was disabled.
        reason: DisabledReason,
    },
}

impl EventData {
    /// The form that the event is about, or to which its record belongs.
    pub fn form(&self) -> Option<FormId> {
        match self {
            Self::Submission { form, .. } | Self::Form { form } => Some(*form),
            Self::Grant { form, .. } | Self::Webhook { form, .. } => *form,
            Self::Group { .. } | Self::Member { .. } | Self::Resource { .. } => None,
        }
    }

    /// The member `data` of the event as JSON. Identifiers have the same names as in the REST interface.
    pub fn to_json(&self) -> Value {
        let members = self.members().into_iter();
        members
            .map(|(name, value)| (name.to_owned(), Value::from(value)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// The members of `data`, in the order in which webhooks send them. New ones may be added at the end.
    pub(crate) fn members(&self) -> Vec<(&'static str, Option<String>)> {
        match self {
            Self::Submission {
                submission,
                form,
                creator,
                by,
            } => vec![
                ("submissionIdentifier", Some(submission.to_string())),
                ("formIdentifier", Some(form.to_string())),
                ("creatorId", Some(creator.to_string())),
                ("by", Some(by.to_string()).filter(|by| !by.is_empty())),
            ],
            Self::Form { form } => vec![("formIdentifier", Some(form.to_string()))],
            Self::Group { group } => vec![("groupIdentifier", Some(group.to_string()))],
            Self::Member {
                membership,
                group,
                member,
            } => {
                let (user, child) = match member {
                    Member::User(user) => (Some(user.to_string()), None),
                    Member::ChildGroup(child) => (None, Some(child.to_string())),
                };
                vec![
                    ("memberIdentifier", Some(membership.to_string())),
                    ("groupIdentifier", Some(group.to_string())),
                    ("userIdentifier", user),
                    ("childGroupIdentifier", child),
                ]
            }
            Self::Grant {
                grant,
                action,
                resource,
                holder,
                ..
            } => {
                let (user, group, dynamic) = match holder {
                    Subject::User(user) => (Some(user.to_string()), None, None),
                    Subject::Group(group) => (None, Some(group.to_string()), None),
                    Subject::DynamicGroup(group) => (None, None, Some(group.to_string())),
                };
                vec![
                    ("grantIdentifier", Some(grant.to_string())),
                    ("action", Some(action.to_string())),
                    ("resourceClass", Some(resource.class.to_string())),
                    ("resourceIdentifier", item_of(resource)),
                    ("userIdentifier", user),
                    ("groupIdentifier", group),
                    ("dynamicGroupIdentifier", dynamic),
                ]
            }
            Self::Resource { record, resource } => vec![
                ("authorizationResourceIdentifier", Some(record.to_string())),
                ("resourceClass", Some(resource.class.to_string())),
                ("resourceIdentifier", item_of(resource)),
            ],
            Self::Webhook {
                webhook,
                form,
                reason,
            } => vec![
                ("webhookIdentifier", Some(webhook.to_string())),
                ("formIdentifier", form.map(|form| form.to_string())),
                ("reason", Some(reason.to_string())),
            ],
        }
    }
}

fn item_of(resource: &ResourceRef) -> Option<String> {
    resource.identifier.as_ref().map(ToString::to_string)
}

/// An event that has no position in the log yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The identifier of the event.
    pub id: EventId,
    /// When the change was made.
    pub timestamp: Timestamp,
    /// What happened.
    pub event_type: EventType,
    /// The record that it happened to.
    pub data: EventData,
}

impl NewEvent {
    /// The event of a new submission.
    pub fn of_submission(id: EventId, submission: &Submission) -> Self {
        EventContent::submission_created(submission).at(id, submission.date_created)
    }

    /// The event at a position.
    pub fn placed(self, sequence: i64) -> Event {
        Event {
            id: self.id,
            sequence,
            timestamp: self.timestamp,
            event_type: self.event_type,
            data: self.data,
        }
    }
}

/// An event in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The identifier of the event.
    pub id: EventId,
    /// Its position in the log: 1, 2, 3 and so on without gaps.
    pub sequence: i64,
    /// When the change was made. Clocks differ, so the order of events is that of [`Event::sequence`].
    pub timestamp: Timestamp,
    /// What happened.
    pub event_type: EventType,
    /// The record that it happened to.
    pub data: EventData,
}

impl Event {
    /// The version of the members of `data`. Members may be added without a new version.
    pub const VERSION: u32 = 1;

    /// The event as JSON, for other programs: `identifier`, `sequence`, `type`, `timestamp`, `version` and `data`.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let new = NewGroup { name: GroupName::new("Editors")? };
    /// let group = formalize.groups().create(&Caller::System, new).await?.item;
    ///
    /// let page = formalize.events().read(None, &EventFilter::default(), 100).await?;
    /// let event = page.events[0].to_json();
    /// assert_eq!((&event["sequence"], &event["type"]), (&1.into(), &"group.created".into()));
    /// assert_eq!(event["data"]["groupIdentifier"], group.id.to_string());
    /// # Ok(()) });
    /// ```
    pub fn to_json(&self) -> Value {
        json!({
            "identifier": self.id.to_string(),
            "sequence": self.sequence,
            "type": self.event_type.as_str(),
            "timestamp": self.timestamp.to_string(),
            "version": Self::VERSION,
            "data": self.data.to_json(),
        })
    }
}

/// Which events to read. The default is all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// Only events about this form, its submissions, and grants on them.
    pub form: Option<FormId>,
    /// Only events of these types, unless the list is empty.
    pub types: Vec<EventType>,
}

impl EventFilter {
    /// Whether an event passes the filter.
    pub fn admits(&self, event: &Event) -> bool {
        let of_form = self.form.is_none_or(|form| event.data.form() == Some(form));
        of_form && (self.types.is_empty() || self.types.contains(&event.event_type))
    }
}

/// A durable reader of the log, which keeps its place in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSubscription {
    /// Its name.
    pub name: String,
    /// The position of the last event that was processed; zero: none.
    pub position: i64,
    /// Whether the log was [reset](crate::events::EventsService::reset) since then, so that its positions mean other events.
    pub is_of_earlier_epoch: bool,
    /// If a consumer has the subscription, when it loses it unless it renews it.
    pub held_until: Option<Timestamp>,
}

/// What a use case did to a record. The functions below decide which event that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventContent {
    pub(crate) event_type: EventType,
    data: EventData,
}

impl EventContent {
    /// The form that it happened to, or to a record of which.
    pub(crate) fn of_form(&self) -> Option<FormId> {
        self.data.form()
    }

    pub(crate) fn at(self, id: EventId, timestamp: Timestamp) -> NewEvent {
        NewEvent {
            id,
            timestamp,
            event_type: self.event_type,
            data: self.data,
        }
    }

    pub(crate) fn submission_created(submission: &Submission) -> Self {
        let event_type = EventType::of_new_submission(submission.state);
        let by = &submission.last_modified_by;
        Self::submission(event_type, submission, by.clone())
    }

    fn submission(event_type: EventType, submission: &Submission, by: UserId) -> Self {
        let data = EventData::Submission {
            submission: submission.id,
            form: submission.form,
            creator: submission.creator.clone(),
            by,
        };
        Self { event_type, data }
    }

    pub(crate) const fn group(event_type: EventType, group: GroupId) -> Self {
        let data = EventData::Group { group };
        Self { event_type, data }
    }

    pub(crate) fn member(event_type: EventType, membership: &Membership) -> Self {
        let data = EventData::Member {
            membership: membership.id,
            group: membership.group,
            member: membership.member.clone(),
        };
        Self { event_type, data }
    }

    pub(crate) fn grant(event_type: EventType, grant: &Grant) -> Self {
        let data = EventData::Grant {
            grant: grant.id,
            action: grant.action.clone(),
            resource: grant.resource.resource.clone(),
            form: grant.resource.object.of_form(),
            holder: grant.subject.clone(),
        };
        Self { event_type, data }
    }

    pub(crate) fn resource(event_type: EventType, resource: &Resource) -> Self {
        let data = EventData::Resource {
            record: resource.id,
            resource: resource.resource.clone(),
        };
        Self { event_type, data }
    }
}
