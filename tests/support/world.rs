//! Helpers that create users, groups, grants, forms and submissions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::{FilesChanged, Inserted};
use formalize_core::{
    Action, Actions, Attributes, Caller, Clock, DynamicGroupId, FixedClock, FormId, FormName,
    Formalize, GrantId, Group, GroupId, GroupName, Member, Membership, MembershipId, NewForm,
    NewGrant, NewGroup, NewMembership, NewSubmission, PageRequest, PageSize, Position,
    ResourceClass, ResourceIdentifier, ResourceRef, Revision, Store, Subject, SubmissionId,
    SubmissionRules, SubmissionState, Timestamp, UserId, UuidV7Source,
    authorization::{ActionCatalog, ClassActions, Condition, Labels, NamedResource, Policies},
    files::{
        ContentHash, FileAttributeName, FileId, FileLimits, FileName, MimeType, SubmittedFile,
    },
    forms::{SubmissionLimit, SubmittedAction},
    submissions::{BatchItem, RequestedState, SubmissionBatch},
    tokens::NewSession,
};
use serde_json::Value;

use crate::{FailingFileStore, moto};

/// The initial time of the clock of a [`World`].
pub const START: &str = "2026-11-21T08:00:00Z";

/// The class of an application, which every [`World`] defines. Its items have the action `write`, its collection
/// `create`.
pub const THING: &str = "VendorThing";

/// Permissions of users of a [`World`] that do not come from grants.
#[derive(Default)]
pub struct Setup {
    /// The policies.
    pub policies: Policies,
    /// The dynamic groups by name, each with its condition.
    pub dynamic_groups: BTreeMap<DynamicGroupId, Condition>,
    /// How much may be uploaded.
    pub file_limits: FileLimits,
    /// For how long lost connections are made again, if not for as long as usual.
    pub retry_time: Option<Duration>,
    /// The contents of files, which other worlds may share; by default new ones.
    pub contents: Option<FailingFileStore>,
}

impl Setup {
    /// Adds a dynamic group.
    #[must_use]
    pub fn dynamic_group(mut self, name: &str, condition_source: &str) -> Self {
        self.dynamic_groups.insert(
            DynamicGroupId::new(name).unwrap(),
            condition(condition_source),
        );
        self
    }
}

/// A service with a fixed clock, and helpers that create records as the system.
pub struct World {
    /// The service.
    pub formalize: Formalize,
    /// Its clock.
    pub clock: Arc<FixedClock>,
    /// The contents of its files, in memory.
    pub contents: FailingFileStore,
}

impl Deref for World {
    type Target = Formalize;

    fn deref(&self) -> &Formalize {
        &self.formalize
    }
}

impl World {
    /// A service without policies.
    pub async fn on(store: Arc<dyn Store>) -> Self {
        Self::with(store, Setup::default()).await
    }

    /// A service with policies and dynamic groups.
    pub async fn with(store: Arc<dyn Store>, setup: Setup) -> Self {
        let clock = Arc::new(FixedClock::new(instant(START)));
        let contents = setup.contents;
        let contents = contents.unwrap_or_else(|| FailingFileStore::around(moto::empty_store()));
        let mut builder = Formalize::builder(store);
        if let Some(time) = setup.retry_time {
            builder = builder.retry_time(time);
        }
        let formalize = builder
            .clock(Arc::clone(&clock) as _)
            .catalog(catalog())
            .policies(setup.policies)
            .dynamic_groups(setup.dynamic_groups)
            .file_store(Arc::new(contents.clone()))
            .file_limits(setup.file_limits)
            .build()
            .await
            .unwrap();
        Self {
            formalize,
            clock,
            contents,
        }
    }

    /// Lets time pass.
    pub fn wait(&self, duration: Duration) {
        self.clock.set(self.clock.now().saturating_add(duration));
    }

    /// Creates a group without a manager.
    pub async fn group(&self, name: &str) -> GroupId {
        let created = self.groups().create(&Caller::System, new_group(name)).await;
        created.unwrap().item.id
    }

    /// Makes a user a member of a group.
    pub async fn member(&self, group: GroupId, user: &str) -> MembershipId {
        self.membership(group, Member::User(user_id(user))).await
    }

    /// Nests a group in another.
    pub async fn nest(&self, group: GroupId, child: GroupId) -> MembershipId {
        self.membership(group, Member::ChildGroup(child)).await
    }

    /// Creates this number of groups without resources, quickly.
    pub async fn many_groups(&self, number: usize) -> Vec<GroupId> {
        let (now, ids) = (self.clock.now(), UuidV7Source::new());
        let mut tx = self.store().write().await.unwrap();
        let mut groups = Vec::new();
        for _ in 0..number {
            let group = Group {
                id: GroupId::from_uuid(ids.next(now)),
                name: GroupName::new("Group").unwrap(),
                date_created: now,
                revision: Revision::from_uuid(ids.next(now)),
            };
            tx.insert_group(&group).await.unwrap();
            groups.push(group.id);
        }
        tx.commit().await.unwrap();
        groups
    }

    /// Adds members to groups in one transaction, without any check.
    pub async fn join_many(&self, members: impl Iterator<Item = (GroupId, Member)>) {
        let (now, ids) = (self.clock.now(), UuidV7Source::new());
        let mut tx = self.store().write().await.unwrap();
        for (group, member) in members {
            let membership = Membership {
                id: MembershipId::from_uuid(ids.next(now)),
                group,
                member,
                date_created: now,
            };
            let inserted = tx.insert_membership(&membership).await.unwrap();
            assert_eq!(inserted, Inserted::Done);
        }
        tx.commit().await.unwrap();
    }

    async fn membership(&self, group: GroupId, member: Member) -> MembershipId {
        let new = NewMembership { group, member };
        let created = self.memberships().create(&Caller::System, new).await;
        created.unwrap().id
    }

    /// Creates a grant.
    pub async fn grant(
        &self,
        subject: &Subject,
        action: &Action,
        resource: &ResourceRef,
    ) -> GrantId {
        let new = new_grant(subject, action, resource);
        let created = self.grants().create(&Caller::System, new).await;
        created.unwrap().item.id
    }

    /// Creates a grant for a user.
    pub async fn grant_to(&self, user: &str, action: &Action, resource: &ResourceRef) -> GrantId {
        self.grant(&Subject::User(user_id(user)), action, resource)
            .await
    }

    /// Creates a form without a schema and without a manager.
    pub async fn form(&self, rules: SubmissionRules) -> FormId {
        let created = self
            .forms()
            .create(&Caller::System, new_form("Form", rules))
            .await;
        created.unwrap().item.id
    }

    /// Creates a grant-based form with a limit and submissions of a user, too many for a database to delete them with the
    /// form. Returns the form and one of its submissions.
    pub async fn large_form(&self, creator: &str) -> (FormId, SubmissionId) {
        let form = self
            .form(SubmissionRules {
                grant_based: true,
                allowed_actions_when_submitted: [SubmittedAction::Read].into_iter().collect(),
                limit: Some(SubmissionLimit::new(2_000).unwrap()),
                ..SubmissionRules::default()
            })
            .await;
        let last = self
            .submission(creator, form, SubmissionState::Submitted)
            .await;
        let resource = ResourceRef::form(form);
        self.grant_to(creator, &Action::CREATE_SUBMISSIONS, &resource)
            .await;
        let items = vec![BatchItem::new("{}"); SubmissionBatch::MAX_ITEMS];
        let batch = SubmissionBatch::new(form, items).unwrap();
        self.submissions()
            .create_batch(&user(creator), &batch)
            .await
            .unwrap();
        (form, last)
    }

    /// Creates a submission with the data `{}` as a user, who gets the grant to do so for that time (and must not hold
    /// it before).
    pub async fn submission(
        &self,
        creator: &str,
        form: FormId,
        state: SubmissionState,
    ) -> SubmissionId {
        let resource = ResourceRef::form(form);
        let entitled = self
            .grant_to(creator, &Action::CREATE_SUBMISSIONS, &resource)
            .await;
        let created = self
            .submissions()
            .create(&user(creator), new_submission(form, "{}", state))
            .await;
        self.grants()
            .delete(&Caller::System, entitled)
            .await
            .unwrap();
        created.unwrap().item.id
    }

    /// Adds a file to a submission as its creator, without a store of contents.
    pub async fn file(&self, submission: SubmissionId, content: &[u8]) -> FileId {
        let mut tx = self.store().write().await.unwrap();
        let now = self.clock.now();
        let id = FileId::from_uuid(UuidV7Source::new().next(now));
        let later = now.saturating_add(Duration::from_mins(1));
        tx.write_files()
            .unwrap()
            .insert_file(id, later)
            .await
            .unwrap();
        let found = tx
            .write_submissions()
            .unwrap()
            .lock_submission_exclusive(submission)
            .await
            .unwrap();
        let found = found.unwrap();
        let file = SubmittedFile {
            id,
            submission,
            attribute: FileAttributeName::new("attachments").unwrap(),
            name: FileName::clean("notes.txt").unwrap(),
            size: content.len() as u64,
            mime_type: MimeType::UNKNOWN,
            sha256: ContentHash::of(content),
            creator: found.creator.clone(),
            date_created: now,
        };
        let changed = tx
            .write_files()
            .unwrap()
            .change_files(&found, &[], &[file], None, now)
            .await;
        assert_eq!(changed.unwrap(), FilesChanged::Done);
        tx.commit().await.unwrap();
        id
    }

    /// A caller's effective actions on a resource.
    pub async fn actions_on(&self, caller: &Caller, resource: &ResourceRef) -> Actions {
        let actions = self.resources().granted_actions(caller, resource).await;
        actions.unwrap()
    }

    /// Registers an item of [`THING`] without a manager.
    pub async fn thing(&self, name: &str) -> ResourceRef {
        let thing = thing(name);
        self.resources()
            .register(&Caller::System, thing.clone(), None)
            .await
            .unwrap();
        thing
    }
}

/// The classes of the service itself and [`THING`].
pub fn catalog() -> ActionCatalog {
    let one = |name: &str| BTreeMap::from([(action(name), Labels::new())]);
    let actions = ClassActions {
        item_actions: one("write"),
        collection_actions: one("create"),
    };
    ActionCatalog::default()
        .with_class(class(THING), actions)
        .unwrap()
}

/// Parses a timestamp in RFC 3339.
pub fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Parses a CEL condition.
pub fn condition(source: &str) -> Condition {
    Condition::compile(source).unwrap()
}

/// A user without attributes.
pub fn user(name: &str) -> Caller {
    Caller::user(user_id(name))
}

/// A user with one attribute.
pub fn user_with(name: &str, attribute: &str, value: impl Into<Value>) -> Caller {
    Caller::with_attributes(
        user_id(name),
        BTreeMap::from([(attribute.to_owned(), value.into())]),
    )
}

/// The identifier of a user.
pub fn user_id(name: &str) -> UserId {
    UserId::new(name).unwrap()
}

/// A user as the holder of a grant.
pub fn holder(name: &str) -> Subject {
    Subject::User(user_id(name))
}

/// A dynamic group.
pub fn dynamic_group(name: &str) -> DynamicGroupId {
    DynamicGroupId::new(name).unwrap()
}

/// An action.
pub fn action(name: &str) -> Action {
    Action::new(name).unwrap()
}

/// A class.
pub fn class(name: &str) -> ResourceClass {
    ResourceClass::new(name).unwrap()
}

/// An item of [`THING`].
pub fn thing(name: &str) -> ResourceRef {
    ResourceRef::item(class(THING), ResourceIdentifier::new(name).unwrap())
}

/// A new group.
pub fn new_group(name: &str) -> NewGroup {
    NewGroup {
        name: GroupName::new(name).unwrap(),
    }
}

/// A new session of the usual length.
pub fn new_session(user: &str) -> NewSession {
    NewSession {
        user: user_id(user),
        attributes: Attributes::new(),
        lifetime: Duration::from_hours(12),
        idle: Duration::from_hours(2),
    }
}

/// A new form without a schema.
pub fn new_form(name: &str, rules: SubmissionRules) -> NewForm {
    NewForm {
        rules,
        ..NewForm::new(FormName::new(name).unwrap())
    }
}

/// A new form with a schema.
pub fn new_form_with(schema: &str, rules: SubmissionRules) -> NewForm {
    NewForm {
        data_feed_schema: Some(schema.to_owned()),
        ..new_form("Form", rules)
    }
}

/// A new grant on a resource given by class and identifier.
pub fn new_grant(subject: &Subject, action: &Action, resource: &ResourceRef) -> NewGrant {
    NewGrant {
        subject: subject.clone(),
        action: action.clone(),
        resource: NamedResource {
            class: Some(resource.class.to_string()),
            identifier: resource.identifier.as_ref().map(ToString::to_string),
            record: None,
        },
    }
}

/// A new submission.
pub fn new_submission(form: FormId, data: &str, state: SubmissionState) -> NewSubmission {
    NewSubmission {
        state: RequestedState::Known(state),
        ..NewSubmission::new(form, data)
    }
}

/// The first page of this size.
pub fn page_of(size: u32) -> PageRequest {
    PageRequest {
        size: PageSize::new(size).unwrap(),
        position: Position::Number(1),
    }
}

/// A page that is large enough for everything.
pub fn everything() -> PageRequest {
    page_of(PageSize::MAX)
}
