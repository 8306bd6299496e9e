//! Events as use cases append them.

use formalize_core::{
    FormId, Grant, GroupId, Membership, Resource, Submission, UserId,
    authorization::Object,
    events::{EventData, EventId, EventType, NewEvent},
};

use crate::store::samples::{Ids, now};

/// What happened, and to which record.
pub(super) type Happened = (EventType, EventData);

impl Ids {
    pub(super) fn event(&self, (event_type, data): Happened) -> NewEvent {
        NewEvent {
            id: EventId::from_uuid(self.next()),
            timestamp: now(),
            event_type,
            data,
        }
    }
}

pub(super) fn to_submission(what: EventType, submission: &Submission, by: &UserId) -> Happened {
    let data = EventData::Submission {
        submission: submission.id,
        form: submission.form,
        creator: submission.creator.clone(),
        by: by.clone(),
    };
    (what, data)
}

pub(super) const fn to_form(what: EventType, form: FormId) -> Happened {
    (what, EventData::Form { form })
}

pub(super) const fn to_group(what: EventType, group: GroupId) -> Happened {
    (what, EventData::Group { group })
}

pub(super) fn to_member(what: EventType, membership: &Membership) -> Happened {
    let data = EventData::Member {
        membership: membership.id,
        group: membership.group,
        member: membership.member.clone(),
    };
    (what, data)
}

pub(super) fn to_grant(what: EventType, grant: &Grant) -> Happened {
    let form = match grant.resource.object {
        Object::Form(form) | Object::Submissions(form) | Object::Submission { form, .. } => {
            Some(form)
        }
        Object::Group(_) | Object::Other(_) => None,
    };
    let data = EventData::Grant {
        grant: grant.id,
        action: grant.action.clone(),
        resource: grant.resource.resource.clone(),
        form,
        holder: grant.subject.clone(),
    };
    (what, data)
}

pub(super) fn to_resource(what: EventType, resource: &Resource) -> Happened {
    let data = EventData::Resource {
        record: resource.id,
        resource: resource.resource.clone(),
    };
    (what, data)
}
