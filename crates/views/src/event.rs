//! Events of the change feed.

use formalize_core::{self as core, Member, Subject, UserId, events::FeedEvent};
use serde::Serialize;

use crate::{
    Id, Instant, OrNull, form::Form, grant::ResourceActionGrant, group::Group, member::GroupMember,
    resource::Resource, submission::Submission, view::view, webhook::Webhook,
};

view! {
    /// A change of a record.
    struct Event {
        /// Identifier of the event.
        identifier: Id,
        /// Position in the log of all events. Positions increase; those that you do not see are events that you may not see.
        sequence: i64,
        /// What happened, such as `submission.submitted`. Ignore types that you do not know: more may be added.
        r#type: String,
        /// When it happened. Clocks of servers differ, so the order is that of `sequence`.
        timestamp: Instant,
        /// Version of the members of `data`. Members may be added without a new version.
        version: u32,
        /// The record that it happened to.
        data: EventData,
        /// With `include=item`: the record as it is now, as its GET returns it to the caller; null if there is none or the caller
        /// may not read it.
        #[serde(skip_serializing_if = "Option::is_none")]
        item: Option<OrNull<EventItem>>,
    }
}

impl Event {
    /// The event. `None` for kinds of records that this interface does not have.
    pub fn new(event: core::events::Event) -> Option<Self> {
        Some(Self {
            identifier: event.id.into(),
            sequence: event.sequence,
            r#type: event.event_type.to_string(),
            timestamp: event.timestamp.into(),
            version: core::events::Event::VERSION,
            data: EventData::of(event.data)?,
            item: None,
        })
    }

    /// The event with the record as it is now; `url_of` is the URL of the content of a file.
    pub fn with_item(
        shown: FeedEvent,
        url_of: impl Fn(&core::files::SubmittedFile) -> String,
    ) -> Option<Self> {
        let item = shown.item.and_then(|item| EventItem::of(item, url_of));
        Some(Self {
            item: Some(OrNull(item)),
            ..Self::new(shown.event)?
        })
    }
}

/// The record of an event, by the kind of its type.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Union))]
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

view! {
    /// The submission or draft of an event.
    struct SubmissionEvent {
        /// Identifier of the submission.
        submission_identifier: Id,
        /// Identifier of its form.
        form_identifier: Id,
        /// Identifier of the user who created it.
        creator_id: String,
        /// Identifier of the user who made the change; null for the service itself.
        by: OrNull<String>,
    }
}

view! {
    /// The form of an event.
    struct FormEvent {
        /// Identifier of the form.
        form_identifier: Id,
    }
}

view! {
    /// The group of an event.
    struct GroupEvent {
        /// Identifier of the group.
        group_identifier: Id,
    }
}

view! {
    /// The membership of an event.
    struct MemberEvent {
        /// Identifier of the membership.
        member_identifier: Id,
        /// Identifier of the group.
        group_identifier: Id,
        /// Identifier of the user who is the member; null if a group is.
        user_identifier: OrNull<String>,
        /// Identifier of the group that is the member; null if a user is.
        child_group_identifier: OrNull<Id>,
    }
}

view! {
    /// The grant of an event.
    struct GrantEvent {
        /// Identifier of the grant.
        grant_identifier: Id,
        /// The action that it allows.
        action: String,
        /// Name of the class of its resource.
        resource_class: String,
        /// Identifier of the item; null: the collection of the class.
        resource_identifier: OrNull<String>,
        /// The user who holds it; null if another holder does.
        user_identifier: OrNull<String>,
        /// The group that holds it; null if another holder does.
        group_identifier: OrNull<Id>,
        /// The dynamic group that holds it; null if another holder does.
        dynamic_group_identifier: OrNull<String>,
    }
}

view! {
    /// The registered resource of an event.
    struct ResourceEvent {
        /// Identifier of the record of the resource.
        authorization_resource_identifier: Id,
        /// Name of its class.
        resource_class: String,
        /// Identifier of the item; null: the collection of the class.
        resource_identifier: OrNull<String>,
    }
}

view! {
    /// The webhook of an event.
    struct WebhookEvent {
        /// Identifier of the webhook.
        webhook_identifier: Id,
        /// Identifier of its form; null: it sends the events of all forms.
        form_identifier: OrNull<Id>,
        /// Why the service disabled it: `gone` or `failing`.
        reason: String,
    }
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
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Union))]
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
    fn of(
        item: core::events::EventItem,
        url_of: impl Fn(&core::files::SubmittedFile) -> String,
    ) -> Option<Self> {
        Some(match item {
            core::events::EventItem::Submission(view) => {
                Self::Submission(Submission::new(view, url_of))
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
