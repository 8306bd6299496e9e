//! Records for the cases, and short ways to write them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::Uuid;

use crate::authz::scope::Subjects;
use crate::id::{
    FormId, GrantId, GroupId, MembershipId, ResourceId, Revision, SubmissionId, TokenId,
};
use crate::model::action::Action;
use crate::model::form::{
    Form, FormName, SubmissionCap, SubmissionRules, SubmissionState, SubmissionStates,
    SubmittedAction, SubmittedActions,
};
use crate::model::grant::{Grant, GrantRecord};
use crate::model::group::{Group, GroupName};
use crate::model::membership::{Member, Membership};
use crate::model::resource::{Anchor, Resource, ResourceClass, ResourceIdentifier, ResourceRef};
use crate::model::subject::{Attributes, DynamicGroupId, Subject, UserId};
use crate::model::submission::Submission;
use crate::model::token::{ApiToken, SecretHash};
use crate::store::{Inserted, Store, StoreResult, WriteTx};
use crate::time::Timestamp;

/// Gives out identifiers that do not rise, so that no order but that of identifiers passes for it. Every run of a case
/// gets the same ones. Clones go on with the same sequence.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids(Arc<AtomicU64>);

impl Ids {
    /// The next identifier, in the form of a UUID of version 7.
    pub(super) fn next(&self) -> Uuid {
        // An odd factor maps different numbers to different numbers.
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        let scattered = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let version = 0x0193_A5B6_7C8D_7000;
        let variant = 1 << 63;
        Uuid::from_u64_pair(version | scattered >> 52, variant | (scattered << 12 >> 2))
    }

    pub(super) fn group(&self, name: &str) -> Group {
        Group {
            id: GroupId::from_uuid(self.next()),
            name: group_name(name),
            date_created: now(),
            revision: self.revision(),
        }
    }

    pub(super) fn membership(&self, group: GroupId, member: Member) -> Membership {
        Membership {
            id: MembershipId::from_uuid(self.next()),
            group,
            member,
            date_created: now(),
        }
    }

    /// A resource; without an anchor it is its own.
    pub(super) fn resource(&self, resource: ResourceRef, anchor: Option<Anchor>) -> Resource {
        let id = ResourceId::from_uuid(self.next());
        Resource {
            id,
            resource,
            anchor: anchor.unwrap_or(Anchor::from(id)),
            form: None,
            date_created: now(),
        }
    }

    pub(super) fn grant(&self, subject: &Subject, action: Action, on: &Resource) -> GrantRecord {
        GrantRecord {
            id: GrantId::from_uuid(self.next()),
            subject: subject.clone(),
            action,
            resource: on.id,
            date_created: now(),
        }
    }

    pub(super) fn form(&self, rules: SubmissionRules) -> Form {
        Form {
            id: FormId::from_uuid(self.next()),
            name: form_name("a form"),
            data_feed_schema: None,
            rules,
            date_created: now(),
            revision: self.revision(),
        }
    }

    pub(super) fn submission(
        &self,
        form: &Form,
        creator: &UserId,
        state: SubmissionState,
    ) -> Submission {
        Submission {
            id: SubmissionId::from_uuid(self.next()),
            form: form.id,
            data: Some("{}".into()),
            state,
            creator: creator.clone(),
            last_modified_by: creator.clone(),
            date_created: now(),
            date_last_modified: now(),
            revision: self.revision(),
        }
    }

    pub(super) fn token(&self, user: &UserId) -> ApiToken {
        ApiToken {
            id: TokenId::from_uuid(self.next()),
            user: user.clone(),
            attributes: Attributes::new(),
            date_created: now(),
            date_expires: None,
            date_last_used: None,
        }
    }

    pub(super) fn revision(&self) -> Revision {
        Revision::from_uuid(self.next())
    }
}

/// A group and its resource.
pub(super) struct GroupMade {
    pub(super) group: Group,
    pub(super) resource: Resource,
}

impl GroupMade {
    pub(super) fn id(&self) -> GroupId {
        self.group.id
    }

    pub(super) fn uuid(&self) -> Uuid {
        self.group.id.as_uuid()
    }

    pub(super) fn subject(&self) -> Subject {
        Subject::Group(self.group.id)
    }
}

/// A form, its resource, and that of its submissions.
pub(super) struct FormMade {
    pub(super) form: Form,
    pub(super) resource: Resource,
    pub(super) collection: Resource,
}

impl FormMade {
    pub(super) fn id(&self) -> FormId {
        self.form.id
    }

    pub(super) fn uuid(&self) -> Uuid {
        self.form.id.as_uuid()
    }
}

/// A submission to a grant-based form, and its resource.
pub(super) struct SharedSubmission {
    pub(super) submission: Submission,
    pub(super) resource: Resource,
}

impl SharedSubmission {
    pub(super) fn uuid(&self) -> Uuid {
        self.submission.id.as_uuid()
    }
}

/// A write transaction in which a case sets its scene.
pub(super) struct Scene {
    pub(super) tx: Box<dyn WriteTx>,
    pub(super) ids: Ids,
}

impl Scene {
    pub(super) async fn begin(store: &dyn Store, ids: &Ids) -> StoreResult<Self> {
        Ok(Self {
            tx: store.write().await?,
            ids: ids.clone(),
        })
    }

    pub(super) async fn commit(self) -> StoreResult<()> {
        self.tx.commit().await
    }

    pub(super) async fn group(&mut self, name: &str) -> StoreResult<GroupMade> {
        let group = self.ids.group(name);
        self.tx.insert_group(&group).await?;
        let of_group = ResourceRef::group(group.id);
        let resource = self.resource(of_group, Some(group.id.into())).await?;
        Ok(GroupMade { group, resource })
    }

    pub(super) async fn member(
        &mut self,
        group: GroupId,
        member: Member,
    ) -> StoreResult<Membership> {
        let membership = self.ids.membership(group, member);
        let inserted = self.tx.insert_membership(&membership).await?;
        assert_eq!(inserted, Inserted::Done, "{membership:?} is new");
        Ok(membership)
    }

    pub(super) async fn resource(
        &mut self,
        resource: ResourceRef,
        anchor: Option<Anchor>,
    ) -> StoreResult<Resource> {
        let resource = self.ids.resource(resource, anchor);
        self.insert_resource(resource).await
    }

    async fn insert_resource(&mut self, resource: Resource) -> StoreResult<Resource> {
        let inserted = self.tx.insert_resource(&resource).await?;
        assert_eq!(inserted, Inserted::Done, "{resource:?} is new");
        Ok(resource)
    }

    /// An item of an application's own class.
    pub(super) async fn item(&mut self, class: &str, identifier: &str) -> StoreResult<Resource> {
        self.resource(item(class, identifier), None).await
    }

    pub(super) async fn collection(&mut self, class: &ResourceClass) -> StoreResult<Resource> {
        self.resource(ResourceRef::collection(class.clone()), None)
            .await
    }

    pub(super) async fn grant(
        &mut self,
        subject: &Subject,
        action: Action,
        on: &Resource,
    ) -> StoreResult<Grant> {
        let record = self.ids.grant(subject, action, on);
        if let Subject::Group(group) = subject {
            assert!(self.tx.lock_group(*group).await?.is_some());
        }
        assert!(self.tx.lock_resource(on.id).await?.is_some());
        let inserted = self.tx.insert_grant(&record).await?;
        assert_eq!(inserted, Inserted::Done, "{record:?} is new");
        Ok(Grant {
            id: record.id,
            subject: record.subject,
            action: record.action,
            resource: on.clone(),
            date_created: record.date_created,
        })
    }

    pub(super) async fn form(&mut self, rules: SubmissionRules) -> StoreResult<FormMade> {
        let form = self.ids.form(rules);
        self.insert_form(form).await
    }

    pub(super) async fn insert_form(&mut self, form: Form) -> StoreResult<FormMade> {
        self.tx.insert_form(&form).await?;
        let anchor = Some(Anchor::from(form.id));
        let resource = self.resource(ResourceRef::form(form.id), anchor).await?;
        let of_collection = ResourceRef::submission_collection(form.id);
        let collection = self.resource(of_collection, anchor).await?;
        Ok(FormMade {
            form,
            resource,
            collection,
        })
    }

    /// A submission without a resource of its own, as creator-based forms have them.
    pub(super) async fn submission(
        &mut self,
        form: &Form,
        creator: &UserId,
        state: SubmissionState,
    ) -> StoreResult<Submission> {
        let submission = self.ids.submission(form, creator, state);
        self.insert_submission(&submission).await?;
        Ok(submission)
    }

    /// Takes a place and writes the submission.
    pub(super) async fn insert_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        let form = self.tx.lock_form(submission.form).await?;
        assert!(form.is_some(), "there is a form {}", submission.form);
        let creator = &submission.creator;
        let taken = self.tx.take_place(submission.form, creator, None).await?;
        assert!(taken, "without a cap there is always a place");
        self.tx.insert_submission(submission).await
    }

    /// A submission with a resource of its own, as grant-based forms have them.
    pub(super) async fn shared_submission(
        &mut self,
        form: &Form,
        creator: &UserId,
        state: SubmissionState,
    ) -> StoreResult<SharedSubmission> {
        assert!(form.rules.grant_based);
        let submission = self.submission(form, creator, state).await?;
        let of_submission = ResourceRef::submission(submission.id);
        let anchor = Some(Anchor::from(submission.id));
        let mut resource = self.ids.resource(of_submission, anchor);
        resource.form = Some(form.id);
        let resource = self.insert_resource(resource).await?;
        Ok(SharedSubmission {
            submission,
            resource,
        })
    }

    pub(super) async fn setting(&mut self, name: &str, value: &str) -> StoreResult<()> {
        let inserted = self.tx.insert_setting(name, value).await?;
        assert_eq!(inserted, Inserted::Done, "{name:?} is new");
        Ok(())
    }
}

/// An instant with all its milliseconds.
pub(super) fn now() -> Timestamp {
    instant(1_795_000_000_123)
}

#[expect(clippy::expect_used, reason = "the cases name possible values only")]
mod values {
    use super::*;

    pub(in super::super) fn instant(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).expect("an instant")
    }

    pub(in super::super) fn user(text: &str) -> UserId {
        UserId::new(text).expect("a user identifier")
    }

    pub(in super::super) fn dynamic_group(text: &str) -> DynamicGroupId {
        DynamicGroupId::new(text).expect("the name of a dynamic group")
    }

    pub(in super::super) fn action(text: &str) -> Action {
        Action::new(text).expect("an action")
    }

    pub(in super::super) fn class(text: &str) -> ResourceClass {
        ResourceClass::new(text).expect("a class")
    }

    pub(in super::super) fn identifier(text: &str) -> ResourceIdentifier {
        ResourceIdentifier::new(text).expect("an identifier")
    }

    pub(in super::super) fn group_name(text: &str) -> GroupName {
        GroupName::new(text).expect("the name of a group")
    }

    pub(in super::super) fn form_name(text: &str) -> FormName {
        FormName::new(text).expect("the name of a form")
    }

    pub(in super::super) fn cap(number: i64) -> SubmissionCap {
        SubmissionCap::new(number).expect("a cap")
    }
}
pub(super) use values::{
    action, cap, class, dynamic_group, form_name, group_name, identifier, instant, user,
};

/// The hash of a secret: any 64 digits will do, as stores do not hash.
pub(super) fn secret(number: u64) -> SecretHash {
    SecretHash(format!("{number:064x}"))
}

pub(super) fn item(of_class: &str, named: &str) -> ResourceRef {
    ResourceRef::item(class(of_class), identifier(named))
}

/// The user of this name as the holder of a grant.
pub(super) fn holder(name: &str) -> Subject {
    Subject::User(user(name))
}

/// The dynamic group of this name as the holder of a grant.
pub(super) fn dynamic(name: &str) -> Subject {
    Subject::DynamicGroup(dynamic_group(name))
}

pub(super) fn subjects<const N: usize>(subjects: [Subject; N]) -> Subjects {
    Subjects::new(subjects.to_vec())
}

pub(super) fn states(states: &[SubmissionState]) -> SubmissionStates {
    states.iter().copied().collect()
}

pub(super) fn allowed(actions: &[SubmittedAction]) -> SubmittedActions {
    actions.iter().copied().collect()
}

/// The rules of a form whose submissions are governed by grants.
pub(super) fn grant_based(actions: &[SubmittedAction]) -> SubmissionRules {
    SubmissionRules {
        grant_based: true,
        ..creator_based(actions)
    }
}

/// The rules of a form whose submissions are governed by their creators.
pub(super) fn creator_based(actions: &[SubmittedAction]) -> SubmissionRules {
    SubmissionRules {
        allowed_actions_when_submitted: allowed(actions),
        allowed_states: states(SubmissionState::ALL),
        ..SubmissionRules::default()
    }
}
