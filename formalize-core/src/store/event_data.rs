//! The data of events, as stores keep them.

use serde_json::Value;
use uuid::Uuid;

use crate::id::{FormId, GrantId, GroupId, MembershipId, ResourceId, SubmissionId, WebhookId};
use crate::model::action::Action;
use crate::model::event::EventData;
use crate::model::event_type::EventType;
use crate::model::membership::Member;
use crate::model::resource::{ResourceClass, ResourceIdentifier, ResourceRef};
use crate::model::subject::{DynamicGroupId, Subject, UserId};

/// What a store keeps of the data of an event: most have only identifiers, which a database keeps in columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEventData {
    /// The record that it happened to.
    pub record: Uuid,
    /// The form that it is about, or to which the record belongs.
    pub form: Option<FormId>,
    /// The creator of the submission, and the author of the change.
    pub people: Option<(UserId, UserId)>,
    /// Everything else, as JSON.
    pub data: Option<String>,
}

impl StoredEventData {
    /// What to keep.
    pub fn of(data: &EventData) -> Self {
        let (record, people, has_more) = match data {
            EventData::Submission {
                submission,
                creator,
                by,
                ..
            } => {
                let people = (creator.clone(), by.clone());
                (submission.as_uuid(), Some(people), false)
            }
            EventData::Form { form } => (form.as_uuid(), None, false),
            EventData::Group { group } => (group.as_uuid(), None, false),
            EventData::Member { membership, .. } => (membership.as_uuid(), None, true),
            EventData::Grant { grant, .. } => (grant.as_uuid(), None, true),
            EventData::Resource { record, .. } => (record.as_uuid(), None, true),
            EventData::Webhook { webhook, .. } => (webhook.as_uuid(), None, true),
        };
        Self {
            record,
            form: data.form(),
            people,
            data: has_more.then(|| data.to_json().to_string()),
        }
    }

    /// The data that was [kept](Self::of) for an event of a type; `None` if the values contradict each other.
    pub fn into_data(self, event_type: EventType) -> Option<EventData> {
        use EventType as Type;
        let json = match &self.data {
            Some(json) => serde_json::from_str(json).ok()?,
            None => Value::Null,
        };
        let json = Json(&json);
        Some(match event_type {
            Type::SubmissionSubmitted
            | Type::SubmissionUpdated
            | Type::SubmissionDeleted
            | Type::DraftCreated
            | Type::DraftUpdated
            | Type::DraftDeleted => {
                let (creator, by) = self.people?;
                EventData::Submission {
                    submission: SubmissionId::from_uuid(self.record),
                    form: self.form?,
                    creator,
                    by,
                }
            }
            Type::FormCreated | Type::FormUpdated | Type::FormCleared | Type::FormDeleted => {
                EventData::Form { form: self.form? }
            }
            Type::GroupCreated | Type::GroupUpdated | Type::GroupDeleted => EventData::Group {
                group: GroupId::from_uuid(self.record),
            },
            Type::MemberAdded | Type::MemberRemoved => EventData::Member {
                membership: MembershipId::from_uuid(self.record),
                group: json.text("groupIdentifier")?.parse().ok()?,
                member: match json.text("userIdentifier") {
                    Some(user) => Member::User(UserId::new(user).ok()?),
                    None => Member::ChildGroup(json.text("childGroupIdentifier")?.parse().ok()?),
                },
            },
            Type::GrantCreated | Type::GrantDeleted => EventData::Grant {
                grant: GrantId::from_uuid(self.record),
                action: Action::new(json.text("action")?).ok()?,
                resource: json.resource()?,
                form: self.form,
                holder: json.holder()?,
            },
            Type::ResourceRegistered | Type::ResourceDeregistered => EventData::Resource {
                record: ResourceId::from_uuid(self.record),
                resource: json.resource()?,
            },
            Type::WebhookDisabled => EventData::Webhook {
                webhook: WebhookId::from_uuid(self.record),
                form: self.form,
                reason: json.text("reason")?.parse().ok()?,
            },
        })
    }
}

/// The column `data`.
struct Json<'a>(&'a Value);

impl<'a> Json<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    fn resource(&self) -> Option<ResourceRef> {
        let identifier = self.text("resourceIdentifier");
        Some(ResourceRef {
            class: ResourceClass::new(self.text("resourceClass")?).ok()?,
            identifier: identifier.map(ResourceIdentifier::new).transpose().ok()?,
        })
    }

    fn holder(&self) -> Option<Subject> {
        if let Some(user) = self.text("userIdentifier") {
            return UserId::new(user).ok().map(Subject::User);
        }
        if let Some(group) = self.text("groupIdentifier") {
            return group.parse().ok().map(Subject::Group);
        }
        let group = DynamicGroupId::new(self.text("dynamicGroupIdentifier")?);
        group.ok().map(Subject::DynamicGroup)
    }
}
