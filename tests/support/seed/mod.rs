//! Fills a store for measurements. Like the services, it writes through the store and knows no tables, but it writes
//! many records per transaction.

use std::sync::Arc;

use formalize_core::store::{GrantRecord, Inserted, OwnedTx};
use formalize_core::{
    Action, Form, FormId, FormName, GrantId, Group, GroupId, GroupName, Member, Membership,
    MembershipId, Resource, ResourceId, ResourceRef, Revision, Store, Subject, Submission,
    SubmissionId, SubmissionRules, SubmissionState, Timestamp, UserId, UuidV7Source,
    authorization::Object, forms::FormDetails, submissions::Tags,
};

use crate::Result;

mod landmarks;
mod log;
pub mod page;

pub use landmarks::{
    AT_LONG_CHAIN, AT_SHORT_CHAIN, DATA, Landmarks, MEMBER, MOVER, READER, SCHEMA, Sizes, users,
    writers,
};
pub use log::{Stretch, expired_keys, log};

use landmarks::{
    FEWEST_READABLE, GROUPS_OF_USER, MEMBER_PREFIX, SHORT_CHAIN, SMALLEST, WRITER, decades,
};

/// The number of records per transaction.
const BATCH: usize = 20_000;

/// Fills an empty, migrated store. Equal sizes give equal data except for identifiers.
///
/// # Errors
///
/// If the store fails, or was not empty.
pub async fn fill(store: Arc<dyn Store>, sizes: &Sizes) -> Result<Landmarks> {
    let mut seed = Seed::new(store)?;
    let (moved, target) = seed.movable(sizes.moved).await?;
    seed.memberships(sizes).await?;
    let readers = seed.holder(READER, &[READER.to_owned()]).await?;
    let writers = seed.holder(WRITER, &writers().collect::<Vec<_>>()).await?;
    let form = seed.form(Some(SCHEMA)).await?;
    for (holder, action) in [
        (&readers, Action::READ_SUBMISSIONS),
        (&writers, Action::CREATE_SUBMISSIONS),
    ] {
        seed.grant(holder, action, &form.resource).await?;
    }
    for (length, user) in [(SHORT_CHAIN, AT_SHORT_CHAIN), (sizes.chain, AT_LONG_CHAIN)] {
        let highest = seed.chain(length, user).await?;
        seed.grant(&highest, Action::READ, &form.resource).await?;
    }
    let creator = UserId::new("somebody")?;
    let submission = seed.submission(&form, &creator).await?;
    let mut forms_by_size = Vec::new();
    for size in decades(sizes.submissions, SMALLEST) {
        let form = seed.form(Some(SCHEMA)).await?;
        seed.grant(&readers, Action::READ_SUBMISSIONS, &form.resource)
            .await?;
        for _ in 0..size {
            seed.submission(&form, &creator).await?;
        }
        forms_by_size.push((size, form.id));
    }
    let readers = seed.readable_forms(sizes).await?;
    seed.commit().await?;
    Ok(Landmarks {
        form: form.id,
        submission,
        forms_by_size,
        readers,
        moved,
        target,
    })
}

/// Makes a user a member of this number of new groups.
///
/// # Errors
///
/// If the store fails.
pub async fn memberships_of(store: Arc<dyn Store>, user: &UserId, groups: usize) -> Result<()> {
    let mut seed = Seed::new(store)?;
    for _ in 0..groups {
        let group = seed.group("a group of one user").await?;
        seed.member(group, Member::User(user.clone())).await?;
    }
    seed.commit().await
}

/// A form and its resource.
struct FormMade {
    id: FormId,
    revision: Revision,
    resource: Resource,
}

struct Seed {
    store: Arc<dyn Store>,
    /// The current transaction.
    open: Option<Box<dyn OwnedTx>>,
    written: usize,
    ids: UuidV7Source,
    now: Timestamp,
}

impl Seed {
    fn new(store: Arc<dyn Store>) -> Result<Self> {
        Ok(Self {
            store,
            open: None,
            written: 0,
            ids: UuidV7Source::new(),
            now: Timestamp::parse_start("2026-11-21T08:00:00Z")?,
        })
    }

    /// The transaction to write one more record with.
    async fn tx(&mut self) -> Result<&mut Box<dyn OwnedTx>> {
        self.written += 1;
        if self.written.is_multiple_of(BATCH) {
            self.commit().await?;
        }
        let tx = match self.open.take() {
            Some(tx) => tx,
            None => self.store.write().await?,
        };
        Ok(self.open.insert(tx))
    }

    async fn commit(&mut self) -> Result<()> {
        match self.open.take() {
            Some(full) => Ok(full.commit().await?),
            None => Ok(()),
        }
    }

    fn id(&self) -> uuid::Uuid {
        self.ids.next(self.now)
    }

    async fn group(&mut self, name: &str) -> Result<GroupId> {
        let group = Group {
            id: GroupId::from_uuid(self.id()),
            name: GroupName::new(name)?,
            date_created: self.now,
            revision: Revision::from_uuid(self.id()),
        };
        self.tx().await?.insert_group(&group).await?;
        Ok(group.id)
    }

    async fn member(&mut self, group: GroupId, member: Member) -> Result<()> {
        let membership = Membership {
            id: MembershipId::from_uuid(self.id()),
            group,
            member,
            date_created: self.now,
        };
        new(self.tx().await?.insert_membership(&membership).await?)
    }

    async fn resource(&mut self, resource: ResourceRef, object: Object) -> Result<Resource> {
        let resource = Resource {
            id: ResourceId::from_uuid(self.id()),
            resource,
            object,
            date_created: self.now,
        };
        new(self.tx().await?.insert_resource(&resource).await?)?;
        Ok(resource)
    }

    async fn grant(&mut self, subject: &Subject, action: Action, on: &Resource) -> Result<()> {
        let grant = GrantRecord {
            id: GrantId::from_uuid(self.id()),
            subject: subject.clone(),
            action,
            resource: on.id,
            date_created: self.now,
        };
        new(self.tx().await?.insert_grant(&grant).await?)
    }

    /// A form whose creators may read their submissions.
    async fn form(&mut self, schema: Option<&str>) -> Result<FormMade> {
        let form = Form {
            id: FormId::from_uuid(self.id()),
            name: FormName::new("A form")?,
            data_feed_schema: schema.map(Into::into),
            rules: SubmissionRules::default(),
            details: FormDetails::default(),
            date_created: self.now,
            revision: Revision::from_uuid(self.id()),
        };
        let _ = self.tx().await?.write_forms()?.insert_form(&form).await?;
        let object = Object::Form(form.id);
        let resource = self.resource(ResourceRef::form(form.id), object).await?;
        let submissions = ResourceRef::submission_collection(form.id);
        self.resource(submissions, Object::Submissions(form.id))
            .await?;
        Ok(FormMade {
            id: form.id,
            revision: form.revision,
            resource,
        })
    }

    async fn submission(&mut self, form: &FormMade, creator: &UserId) -> Result<SubmissionId> {
        let submission = Submission {
            id: SubmissionId::from_uuid(self.id()),
            form: form.id,
            data: Some(DATA.into()),
            state: SubmissionState::Submitted,
            creator: creator.clone(),
            last_modified_by: creator.clone(),
            date_created: self.now,
            date_last_modified: self.now,
            revision: Revision::from_uuid(self.id()),
            files: Vec::new(),
            tags: Tags::default(),
        };
        let tx = self.tx().await?;
        if !tx
            .write_submissions()?
            .submit(&submission, form.revision, None, None, None)
            .await?
        {
            return Err("a form without a cap has no place".into());
        }
        Ok(submission.id)
    }

    /// A group with a nested group that has the users as members.
    async fn holder(&mut self, name: &str, users: &[String]) -> Result<Subject> {
        let outer = self.group(&format!("{name}s")).await?;
        let inner = self.group(&format!("some {name}s")).await?;
        self.member(outer, Member::ChildGroup(inner)).await?;
        for user in users {
            self.member(inner, Member::User(UserId::new(user)?)).await?;
        }
        Ok(Subject::Group(outer))
    }

    /// A chain of nested groups with the user in the innermost one. Returns the outermost one.
    async fn chain(&mut self, length: usize, user: &str) -> Result<Subject> {
        let mut highest = self.group("the lowest of a chain").await?;
        self.member(highest, Member::User(UserId::new(user)?))
            .await?;
        for _ in 1..length {
            let above = self.group("a link of a chain").await?;
            self.member(above, Member::ChildGroup(highest)).await?;
            highest = above;
        }
        Ok(Subject::Group(highest))
    }

    /// Groups nested to the given depth, and users who are members of some of the innermost ones.
    async fn memberships(&mut self, sizes: &Sizes) -> Result<()> {
        let mut lowest = Vec::new();
        for _ in 0..sizes.groups / sizes.depth {
            let mut within = None;
            for _ in 0..sizes.depth {
                let group = self.group("a group of many").await?;
                if let Some(outer) = within {
                    self.member(outer, Member::ChildGroup(group)).await?;
                }
                within = Some(group);
            }
            lowest.extend(within);
        }
        let mut turns = lowest.iter().copied().cycle();
        for number in 0..sizes.memberships / GROUPS_OF_USER {
            let user = UserId::new(format!("{MEMBER_PREFIX}{number}"))?;
            for group in turns.by_ref().take(GROUPS_OF_USER) {
                self.member(group, Member::User(user.clone())).await?;
            }
        }
        Ok(())
    }

    /// A group with many members, and one that it can be moved to.
    async fn movable(&mut self, members: usize) -> Result<(GroupId, GroupId)> {
        let (moved, target) = (
            self.group("is moved").await?,
            self.group("gets a child").await?,
        );
        for number in 0..members {
            let user = UserId::new(format!("moved-{number}"))?;
            self.member(moved, Member::User(user)).await?;
        }
        let manager = Subject::User(UserId::new(MOVER)?);
        for group in [moved, target] {
            let resource = self
                .resource(ResourceRef::group(group), Object::Group(group))
                .await?;
            self.grant(&manager, Action::MANAGE, &resource).await?;
        }
        Ok((moved, target))
    }

    /// All forms without submissions, and users who may each read an evenly spread share of them.
    async fn readable_forms(&mut self, sizes: &Sizes) -> Result<Vec<(usize, String)>> {
        let mut readers = Vec::new();
        for readable in decades(sizes.readable, FEWEST_READABLE) {
            let user = format!("reader-of-{readable}");
            let subject = Subject::User(UserId::new(user.clone())?);
            readers.push((readable, user, subject));
        }
        for number in 0..sizes.forms {
            let form = self.form(None).await?;
            for (readable, _, subject) in &readers {
                if number.is_multiple_of(sizes.forms / readable) {
                    self.grant(subject, Action::READ, &form.resource).await?;
                }
            }
        }
        let readers = readers.into_iter();
        Ok(readers
            .map(|(readable, user, _)| (readable, user))
            .collect())
    }
}

/// Fails if a new record already exists.
fn new(inserted: Inserted) -> Result<()> {
    match inserted {
        Inserted::Done => Ok(()),
        Inserted::Exists => Err("the store was not empty".into()),
    }
}
