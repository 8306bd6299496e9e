//! Random records as services create them, and changes to them.

use formalize_core::store::{GrantRecord, Inserted, ReadTx, StoreResult, WriteTx};
use formalize_core::{
    Form, Grant, Group, GroupId, Member, Membership, Resource, ResourceClass, ResourceRef,
    Submission, SubmissionState, authorization::Object,
};

use crate::store::dump::contents;
use crate::store::list::Row;
use crate::store::random::draw::{Draw, NAMES, USERS};
use crate::store::samples::{Ids, class, group_name, item, user};

/// The existing records.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) groups: Vec<Group>,
    pub(super) memberships: Vec<Membership>,
    pub(super) resources: Vec<Resource>,
    pub(super) grants: Vec<Grant>,
    pub(super) forms: Vec<Form>,
    pub(super) submissions: Vec<Submission>,
}

impl World {
    pub(super) async fn read(tx: &mut dyn ReadTx) -> StoreResult<Self> {
        let mut world = Self::default();
        for row in contents(tx).await?.rows {
            match row {
                Row::Group(row) => world.groups.push(row),
                Row::Membership(row) => world.memberships.push(row),
                Row::Resource(row) => world.resources.push(row),
                Row::Grant(row) => world.grants.push(row),
                Row::Form(row) => world.forms.push(row),
                Row::Submission(row) => world.submissions.push(row),
                Row::Token(_) => {}
            }
        }
        Ok(world)
    }
}

/// A step of a scenario.
#[derive(Debug, Clone)]
pub(super) enum Step {
    InsertGroup(Group),
    InsertMembership(Membership),
    InsertResource(Resource),
    InsertGrant(GrantRecord),
    InsertForm(Form),
    InsertSubmission(Submission),
    UpdateGroup(Group),
    UpdateForm(Form),
    UpdateSubmission(Submission),
    SetTags(Submission),
    DeleteGroup(Group),
    DeleteMembership(Membership),
    DeleteResource(Resource),
    DeleteGrant(Grant),
    DeleteForm(Form),
    DeleteSubmission(Submission),
    DeleteSubmitted(Form),
}

impl Step {
    /// Takes the step. Returns a number that depends on the result.
    pub(super) async fn take(&self, tx: &mut dyn WriteTx) -> StoreResult<u64> {
        let inserted = |inserted| u64::from(inserted == Inserted::Done);
        match self {
            Self::InsertGroup(row) => tx.insert_group(row).await?,
            Self::InsertMembership(row) => return Ok(inserted(tx.insert_membership(row).await?)),
            Self::InsertResource(row) => return Ok(inserted(tx.insert_resource(row).await?)),
            Self::InsertGrant(row) => return Ok(inserted(tx.insert_grant(row).await?)),
            Self::InsertForm(row) => {
                return Ok(inserted(tx.write_forms()?.insert_form(row).await?));
            }
            Self::InsertSubmission(row) => {
                let form = tx.write_forms()?.lock_form(row.form).await?;
                let limit = form.as_ref().and_then(|form| form.rules.limit);
                let revision = form.map_or(row.revision, |form| form.revision);
                return Ok(u64::from(
                    tx.write_submissions()?
                        .submit(row, revision, None, limit, None)
                        .await?,
                ));
            }
            Self::UpdateGroup(row) => tx.update_group(row).await?,
            Self::UpdateForm(row) => {
                tx.write_forms()?.lock_form_exclusive(row.id).await?;
                tx.write_forms()?.update_form(row).await?;
            }
            Self::UpdateSubmission(row) => return submit_draft(tx, row).await,
            Self::SetTags(row) => {
                // There may have been no place for the submission.
                let Some(found) = tx
                    .write_submissions()?
                    .lock_submission_exclusive(row.id)
                    .await?
                else {
                    return Ok(0);
                };
                tx.write_submissions()?
                    .set_tags(found.id, found.form, &row.tags)
                    .await?;
            }
            Self::DeleteGroup(row) => tx.delete_group(row.id).await?,
            Self::DeleteMembership(row) => {
                return Ok(u64::from(tx.delete_membership(row.id).await?));
            }
            Self::DeleteResource(row) => tx.delete_resource(row.id).await?,
            Self::DeleteGrant(row) => return Ok(u64::from(tx.delete_grant(row.id).await?)),
            Self::DeleteForm(row) => {
                tx.write_forms()?.lock_form_exclusive(row.id).await?;
                tx.write_forms()?.delete_form(row.id).await?;
            }
            Self::DeleteSubmission(row) => tx.write_submissions()?.delete_submission(row).await?,
            Self::DeleteSubmitted(row) => {
                tx.write_forms()?.lock_form_exclusive(row.id).await?;
                return tx.write_submissions()?.delete_submitted(row.id).await;
            }
        }
        Ok(0)
    }
}

/// Replaces a submission, if there is a place for it.
async fn submit_draft(tx: &mut dyn WriteTx, row: &Submission) -> StoreResult<u64> {
    let form = tx.write_forms()?.lock_form(row.form).await?;
    let old = tx
        .write_submissions()?
        .lock_submission_exclusive(row.id)
        .await?;
    let is_draft = old.is_some_and(|old| old.state == SubmissionState::Draft);
    let limit = form.and_then(|form| form.rules.limit);
    if let Some(limit) = limit.filter(|_| is_draft)
        && !tx
            .write_submissions()?
            .take_form_place(row.form, limit)
            .await?
    {
        return Ok(0);
    }
    tx.write_submissions()?.update_submission(row).await?;
    Ok(1)
}

/// The steps that create a moderate number of records.
pub(super) fn creation(draw: &mut Draw, ids: &Ids) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut world = World::default();
    for class in ResourceClass::BUILT_IN.into_iter().chain([class("thing")]) {
        world
            .resources
            .push(ids.resource(ResourceRef::collection(class), None));
    }
    for of_class in ["thing", "Thing"] {
        for identifier in ["0", "1", "2", "a", "A"] {
            let resource = item(of_class, identifier);
            world.resources.push(ids.resource(resource, None));
        }
    }
    for _ in 0..12 {
        let group = ids.group(draw.pick(&NAMES));
        let object = Some(Object::Group(group.id));
        world
            .resources
            .push(ids.resource(ResourceRef::group(group.id), object));
        world.groups.push(group);
    }
    for _ in 0..10 {
        add_form(draw, ids, &mut world);
    }
    steps.extend(world.groups.iter().cloned().map(Step::InsertGroup));
    steps.extend(world.forms.iter().cloned().map(Step::InsertForm));
    steps.extend(world.resources.iter().cloned().map(Step::InsertResource));
    let submissions = world.submissions.iter().cloned();
    steps.extend(submissions.clone().map(Step::InsertSubmission));
    steps.extend(submissions.map(|submission| set_tags(draw, submission)));
    steps.extend((0..40).map(|_| membership(draw, ids, &world)));
    steps.extend((0..320).map(|_| grant(draw, ids, &world)));
    steps
}

/// A form with a few submissions, and all of their resources.
fn add_form(draw: &mut Draw, ids: &Ids, world: &mut World) {
    let mut form = ids.form(draw.rules());
    form.details.frontend_key = draw.key();
    for (resource, object) in [
        (ResourceRef::form(form.id), Object::Form(form.id)),
        (
            ResourceRef::submission_collection(form.id),
            Object::Submissions(form.id),
        ),
    ] {
        world.resources.push(ids.resource(resource, Some(object)));
    }
    for _ in 0..draw.below(14) {
        let creator = user(draw.pick(&USERS));
        let submission = ids.submission(&form, &creator, draw.state());
        if form.rules.grant_based {
            let of_submission = ResourceRef::submission(submission.id);
            let object = Object::Submission {
                id: submission.id,
                form: form.id,
            };
            world
                .resources
                .push(ids.resource(of_submission, Some(object)));
        }
        world.submissions.push(submission);
    }
    world.forms.push(form);
}

/// A membership that may already exist or close a cycle, but does not nest a group in itself.
fn membership(draw: &mut Draw, ids: &Ids, world: &World) -> Step {
    let group: GroupId = draw.pick(&world.groups).id;
    let child = draw.pick(&world.groups).id;
    let member = if child == group || draw.percent(50) {
        Member::User(user(draw.pick(&USERS)))
    } else {
        Member::ChildGroup(child)
    };
    Step::InsertMembership(ids.membership(group, member))
}

/// Other tags of a submission.
fn set_tags(draw: &mut Draw, submission: Submission) -> Step {
    Step::SetTags(Submission {
        tags: draw.tags(),
        ..submission
    })
}

/// A grant that may already exist.
fn grant(draw: &mut Draw, ids: &Ids, world: &World) -> Step {
    let subject = draw.subject(world);
    let resource = draw.pick(&world.resources);
    Step::InsertGrant(ids.grant(&subject, draw.action(), &resource))
}

/// A change, if the record that it changes exists.
pub(super) fn change(draw: &mut Draw, ids: &Ids, world: &World) -> Option<Step> {
    let own = |resource: &&Resource| resource.resource.class == class("thing");
    let things: Vec<Resource> = world.resources.iter().filter(own).cloned().collect();
    let is_enough = world.groups.len() > 3 && world.forms.len() > 3 && !things.is_empty();
    if !is_enough || world.submissions.is_empty() {
        return None;
    }
    Some(match draw.below(20) {
        0 => Step::DeleteGroup(draw.pick(&world.groups)),
        1 => Step::DeleteForm(draw.pick(&world.forms)),
        2 => Step::DeleteSubmitted(draw.pick(&world.forms)),
        3 => Step::DeleteResource(draw.pick(&things)),
        4 => Step::DeleteSubmission(draw.pick(&world.submissions)),
        5 => Step::DeleteMembership(world.memberships.first()?.clone()),
        6 => Step::DeleteGrant(world.grants.last()?.clone()),
        7 => {
            let mut group = draw.pick(&world.groups);
            group.name = group_name(draw.pick(&NAMES));
            Step::UpdateGroup(group)
        }
        8 | 9 => {
            let mut form = draw.pick(&world.forms);
            let grant_based = form.rules.grant_based;
            form.rules = draw.rules();
            form.rules.grant_based = grant_based;
            Step::UpdateForm(form)
        }
        10 | 11 => {
            let mut submission = draw.pick(&world.submissions);
            submission.state = SubmissionState::Submitted;
            Step::UpdateSubmission(submission)
        }
        12 => {
            let submission = draw.pick(&world.submissions);
            set_tags(draw, submission)
        }
        13..15 => membership(draw, ids, world),
        _ => grant(draw, ids, world),
    })
}
