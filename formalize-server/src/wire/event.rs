//! Events of the change feed.

use formalize_core::{
    self as core, Member, Subject, UserId,
    events::{FeedEvent, FeedPage},
};
use formalize_http::contract::parameter::{EVENTS_PER_PAGE, INCLUDE};
use formalize_http::request::Parameters;
use poem_openapi::{Object, Union};
use serde::Serialize;

use super::{
    Id, Instant, OrNull, form::Form, grant::ResourceActionGrant, group::Group, member::GroupMember,
    resource::Resource, submission::Submission, webhook::Webhook,
};

/// A part of the change feed.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct EventPage {
    /// The events, in the order of `sequence`. There may be none even if more follow.
    pub items: Vec<Event>,
    /// Maximum number of events.
    pub per_page: u32,
    /// Cursor behind these events. Keep it, and send it to continue here at any later time.
    pub next_cursor: String,
    /// Whether the end of the log was not reached. If so, continue at once.
    pub has_more: bool,
}

impl EventPage {
    /// The page that a request with these parameters returns.
    pub fn new(page: FeedPage, parameters: &Parameters, base_url: &str) -> Self {
        let with_items = parameters.text(&INCLUDE).is_some();
        let items = page.events.into_iter();
        Self {
            items: items
                .filter_map(|shown| Event::new(shown, with_items, base_url))
                .collect(),
            per_page: parameters.count(&EVENTS_PER_PAGE),
            next_cursor: page.next,
            has_more: page.has_more,
        }
    }
}

/// A change of a record.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Event {
    /// Identifier of the event.
    pub identifier: Id,
    /// Position in the log of all events. Positions increase; those that you do not see are events that you may not see.
    pub sequence: i64,
    /// What happened, such as `submission.submitted`. Ignore types that you do not know: more may be added.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    pub event_type: String,
    /// When it happened. Clocks of servers differ, so the order is that of `sequence`.
    pub timestamp: Instant,
    /// Version of the members of `data`. Members may be added without a new version.
    pub version: u32,
    /// The record that it happened to.
    pub data: EventData,
    /// With `include=item`: the record as it is now, as its GET returns it to the caller; null if there is none or the caller
    /// may not read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub item: Option<OrNull<EventItem>>,
}

impl Event {
    /// The event. `None` for kinds of records that this interface does not have.
    pub fn new(shown: FeedEvent, with_items: bool, base_url: &str) -> Option<Self> {
        let (event, item) = (shown.event, shown.item);
        let item = item.and_then(|item| EventItem::of(item, base_url));
        Some(Self {
            identifier: event.id.into(),
            sequence: event.sequence,
            event_type: event.event_type.to_string(),
            timestamp: event.timestamp.into(),
            version: core::events::Event::VERSION,
            data: EventData::of(event.data)?,
            item: with_items.then_some(OrNull(item)),
        })
    }
}

/// The record of an event, by the kind of its type.
#[derive(Debug, Serialize, Union)]
#[serde(untagged)]
pub enum EventData {
    /// Of `submission.…` and `draft.…`.
    Submission(SubmissionEvent),
    /// Of `member.…`.
    Member(MemberEvent),
    /// Of `grant.…`.
    Grant(GrantEvent),
    /// Of `resource.…`.
    Resource(ResourceEvent),
    /// Of `form.…`.
    Form(FormEvent),
    /// Of `webhook.…`.
    Webhook(WebhookEvent),
    /// Of `group.…`.
    Group(GroupEvent),
}

/// The submission or draft of an event.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct SubmissionEvent {
    /// Identifier of the submission.
    pub submission_identifier: Id,
    /// Identifier of its form.
    pub form_identifier: Id,
    /// Identifier of the user who created it.
    pub creator_id: String,
    /// Identifier of the user who made the change; null for the service itself.
    pub by: OrNull<String>,
}

/// The form of an event.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct FormEvent {
    /// Identifier of the form.
    pub form_identifier: Id,
}

/// The group of an event.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct GroupEvent {
    /// Identifier of the group.
    pub group_identifier: Id,
}

/// The membership of an event.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct MemberEvent {
    /// Identifier of the membership.
    pub member_identifier: Id,
    /// Identifier of the group.
    pub group_identifier: Id,
    /// Identifier of the user who is the member; null if a group is.
    pub user_identifier: OrNull<String>,
    /// Identifier of the group that is the member; null if a user is.
    pub child_group_identifier: OrNull<Id>,
}

/// The grant of an event.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct GrantEvent {
    /// Identifier of the grant.
    pub grant_identifier: Id,
    /// The action that it allows.
    pub action: String,
    /// Name of the class of its resource.
    pub resource_class: String,
    /// Identifier of the item; null: the collection of the class.
    pub resource_identifier: OrNull<String>,
    /// The user who holds it; null if another holder does.
    pub user_identifier: OrNull<String>,
    /// The group that holds it; null if another holder does.
    pub group_identifier: OrNull<Id>,
    /// The dynamic group that holds it; null if another holder does.
    pub dynamic_group_identifier: OrNull<String>,
}

/// The registered resource of an event.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct ResourceEvent {
    /// Identifier of the record of the resource.
    pub authorization_resource_identifier: Id,
    /// Name of its class.
    pub resource_class: String,
    /// Identifier of the item; null: the collection of the class.
    pub resource_identifier: OrNull<String>,
}

/// The webhook of an event.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct WebhookEvent {
    /// Identifier of the webhook.
    pub webhook_identifier: Id,
    /// Identifier of its form; null: it sends the events of all forms.
    pub form_identifier: OrNull<Id>,
    /// Why the service disabled it: `gone` or `failing`.
    pub reason: String,
}

/// The user of a change; `None` for the service itself.
fn by(user: &UserId) -> Option<String> {
    (*user != UserId::SYSTEM).then(|| user.to_string())
}

impl From<core::ResourceRef> for ResourceName {
    fn from(resource: core::ResourceRef) -> Self {
        Self {
            class: resource.class.to_string(),
            identifier: OrNull(resource.identifier.map(|it| it.to_string())),
        }
    }
}

struct ResourceName {
    class: String,
    identifier: OrNull<String>,
}

impl EventData {
    /// What the library says about a record. `None` for kinds of records that this interface does not have.
    fn of(data: core::events::EventData) -> Option<Self> {
        Some(match data {
            core::events::EventData::Submission {
                submission,
                form,
                creator,
                by: author,
            } => Self::Submission(SubmissionEvent {
                submission_identifier: submission.into(),
                form_identifier: form.into(),
                creator_id: creator.to_string(),
                by: by(&author).into(),
            }),
            core::events::EventData::Form { form } => Self::Form(FormEvent {
                form_identifier: form.into(),
            }),
            core::events::EventData::Group { group } => Self::Group(GroupEvent {
                group_identifier: group.into(),
            }),
            core::events::EventData::Member {
                membership,
                group,
                member,
            } => {
                let (user, child) = match member {
                    Member::User(user) => (Some(user.to_string()), None),
                    Member::ChildGroup(child) => (None, Some(child.into())),
                };
                Self::Member(MemberEvent {
                    member_identifier: membership.into(),
                    group_identifier: group.into(),
                    user_identifier: user.into(),
                    child_group_identifier: child.into(),
                })
            }
            core::events::EventData::Grant {
                grant,
                action,
                resource,
                holder,
                ..
            } => Self::Grant(GrantEvent::new(grant.into(), &action, resource, &holder)),
            core::events::EventData::Resource { record, resource } => {
                let resource = ResourceName::from(resource);
                Self::Resource(ResourceEvent {
                    authorization_resource_identifier: record.into(),
                    resource_class: resource.class,
                    resource_identifier: resource.identifier,
                })
            }
            core::events::EventData::Webhook {
                webhook,
                form,
                reason,
            } => Self::Webhook(WebhookEvent {
                webhook_identifier: webhook.into(),
                form_identifier: form.map(Id::from).into(),
                reason: reason.to_string(),
            }),
            _ => return None,
        })
    }
}

impl GrantEvent {
    fn new(
        identifier: Id,
        action: &core::Action,
        resource: core::ResourceRef,
        holder: &Subject,
    ) -> Self {
        let (mut user, mut group, mut dynamic_group) = (None, None, None);
        match holder {
            Subject::User(id) => user = Some(id.to_string()),
            Subject::Group(id) => group = Some(Id::from(id)),
            Subject::DynamicGroup(id) => dynamic_group = Some(id.to_string()),
        }
        let resource = ResourceName::from(resource);
        Self {
            grant_identifier: identifier,
            action: action.to_string(),
            resource_class: resource.class,
            resource_identifier: resource.identifier,
            user_identifier: user.into(),
            group_identifier: group.into(),
            dynamic_group_identifier: dynamic_group.into(),
        }
    }
}

/// The record of an event, as its GET returns it.
#[derive(Debug, Serialize, Union)]
#[serde(untagged)]
pub enum EventItem {
    /// A submission or draft.
    Submission(Submission),
    /// A form.
    Form(Form),
    /// A membership.
    Member(GroupMember),
    /// A grant.
    Grant(ResourceActionGrant),
    /// A registered resource.
    Resource(Resource),
    /// A webhook.
    Webhook(Webhook),
    /// A group.
    Group(Group),
}

impl EventItem {
    fn of(item: core::events::EventItem, base_url: &str) -> Option<Self> {
        Some(match item {
            core::events::EventItem::Submission(view) => {
                Self::Submission(Submission::new(view, base_url))
            }
            core::events::EventItem::Form(view) => Self::Form(view.into()),
            core::events::EventItem::Group(view) => Self::Group(view.into()),
            core::events::EventItem::Membership(membership) => Self::Member(membership.into()),
            core::events::EventItem::Grant(view) => Self::Grant(view.into()),
            core::events::EventItem::Resource(view) => Self::Resource(view.into()),
            core::events::EventItem::Webhook(view) => Self::Webhook(view.into()),
            _ => return None,
        })
    }
}
