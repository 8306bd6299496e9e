//! Helpers that create the records of a case, and read them.

use uuid::Uuid;

use formalize_core::store::{Inserted, OwnedTx, SecretHash, Store, StoreResult};
use formalize_core::{
    Action, Form, FormId, Grant, GrantId, Group, GroupId, Member, Membership, Resource,
    ResourceClass, ResourceRef, Subject, Submission, SubmissionId, SubmissionRules,
    SubmissionState, UserId, authorization::Object, links::FormLink, tokens::ApiToken,
};

use crate::store::samples::{Ids, item, secret};

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

/// A write transaction in which a case creates its records.
pub(super) struct Scene {
    pub(super) tx: Box<dyn OwnedTx>,
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
        let resource = self
            .resource(of_group, Some(Object::Group(group.id)))
            .await?;
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
        object: Option<Object>,
    ) -> StoreResult<Resource> {
        let resource = self.ids.resource(resource, object);
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
        let inserted = self.tx.write_forms()?.insert_form(&form).await?;
        assert_eq!(inserted, Inserted::Done, "promise 7: {form:?}");
        let object = Some(Object::Form(form.id));
        let resource = self.resource(ResourceRef::form(form.id), object).await?;
        let of_collection = ResourceRef::submission_collection(form.id);
        let submissions = Some(Object::Submissions(form.id));
        let collection = self.resource(of_collection, submissions).await?;
        Ok(FormMade {
            form,
            resource,
            collection,
        })
    }

    /// A link without limits, and its grant.
    pub(super) async fn link(
        &mut self,
        form: &FormMade,
        secret: &SecretHash,
    ) -> StoreResult<(FormLink, GrantId)> {
        let link = self.ids.link(&form.form);
        let grant = self.insert_link(form, &link, secret).await?;
        Ok((link, grant))
    }

    pub(super) async fn insert_link(
        &mut self,
        form: &FormMade,
        link: &FormLink,
        secret: &SecretHash,
    ) -> StoreResult<GrantId> {
        let holder = Subject::User(link.id.into());
        let granted = self.grant(&holder, Action::CREATE_SUBMISSIONS, &form.resource);
        let grant = granted.await?.id;
        self.tx
            .write_links()?
            .insert_link(link, grant, secret)
            .await?;
        Ok(grant)
    }

    /// A submission without a resource, as in creator-based forms.
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

    /// Takes a place and inserts the submission.
    pub(super) async fn insert_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        let form = self.tx.write_forms()?.lock_form(submission.form).await?;
        let limit = form.as_ref().and_then(|form| form.rules.limit);
        let revision = form.map_or(submission.revision, |form| form.revision);
        let submitted = self
            .tx
            .write_submissions()?
            .submit(submission, revision, None, limit, None)
            .await?;
        assert!(submitted, "there is a place");
        Ok(())
    }

    /// A submission with a resource, as in grant-based forms.
    pub(super) async fn shared_submission(
        &mut self,
        form: &Form,
        creator: &UserId,
        state: SubmissionState,
    ) -> StoreResult<SharedSubmission> {
        assert!(form.rules.grant_based);
        let submission = self.submission(form, creator, state).await?;
        let of_submission = ResourceRef::submission(submission.id);
        let object = Object::Submission {
            id: submission.id,
            form: form.id,
        };
        let resource = self.resource(of_submission, Some(object)).await?;
        Ok(SharedSubmission {
            submission,
            resource,
        })
    }

    /// A token with the secret of this number.
    pub(super) async fn token(&mut self, token: &ApiToken, number: u64) -> StoreResult<()> {
        let tokens = self.tx.write_tokens()?;
        tokens.insert_token(token, &secret(number)).await
    }

    pub(super) async fn setting(&mut self, name: &str, value: &str) -> StoreResult<()> {
        let inserted = self.tx.insert_setting(name, value).await?;
        assert_eq!(inserted, Inserted::Done, "{name:?} is new");
        Ok(())
    }
}

/// A submission as others see it.
pub(super) async fn find_submission(
    store: &dyn Store,
    id: SubmissionId,
) -> StoreResult<Option<Submission>> {
    let mut tx = store.read().await?;
    tx.read_submissions()?.find_submission(id).await
}
