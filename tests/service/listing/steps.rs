//! Random worlds: steps that are taken on the service and in the model alike.

use formalize_core::{
    Action, Caller, Change, Error, FormChange, FormId, GroupId, Member, NewMembership,
    ResourceClass, ResourceFilter, ResourceRef, Subject, SubmissionChange, SubmissionId,
    SubmissionRules, SubmissionState, SubmittedAction, SubmittedActions,
};
use formalize_tests::world::{
    World, catalog, dynamic_group, everything, holder, new_grant, user_id,
};
use proptest::prelude::*;

use super::model::{Facts, FormFacts, Model, USERS};

/// Names one of the records that are there, by a number that is taken modulo their number.
type Pick = u8;

/// A step. One that names a record of which there is none is not taken.
#[derive(Debug, Clone)]
pub(super) enum Step {
    CreateGroup,
    CreateThing,
    CreateForm {
        grant_based: bool,
        allowed: u8,
    },
    AddUser {
        group: Pick,
        user: Pick,
    },
    AddGroup {
        group: Pick,
        child: Pick,
    },
    Submit {
        form: Pick,
        creator: Pick,
        is_draft: bool,
    },
    Grant {
        holder: Holder,
        action: Pick,
        on: Pick,
    },
    GrantOnItem {
        holder: Holder,
        action: Pick,
        on: Pick,
    },
    ReadForm {
        holder: Holder,
        form: Pick,
    },
    ShareSubmission {
        holder: Holder,
        action: Pick,
        submission: Pick,
    },
    Allow {
        form: Pick,
        allowed: u8,
    },
    HandIn {
        draft: Pick,
    },
    DeleteGroup(Pick),
    RemoveMember(Pick),
    DeleteForm(Pick),
    DeleteSubmission(Pick),
    DeleteSubmitted(Pick),
    DeleteGrant(Pick),
    DeleteThing(Pick),
}

#[derive(Debug, Clone)]
pub(super) enum Holder {
    User(Pick),
    Group(Pick),
    Dynamic(Pick),
}

/// Steps that build more than they tear down.
pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 0..50)
}

fn step() -> impl Strategy<Value = Step> {
    let pick = any::<Pick>;
    let grant = || (holder_of_grant(), pick(), pick());
    prop_oneof![
        5 => Just(Step::CreateGroup),
        1 => Just(Step::CreateThing),
        4 => (any::<bool>(), 0..16_u8)
            .prop_map(|(grant_based, allowed)| Step::CreateForm { grant_based, allowed }),
        5 => (pick(), pick()).prop_map(|(group, user)| Step::AddUser { group, user }),
        6 => (pick(), pick()).prop_map(|(group, child)| Step::AddGroup { group, child }),
        9 => (pick(), pick(), any::<bool>())
            .prop_map(|(form, creator, is_draft)| Step::Submit { form, creator, is_draft }),
        5 => grant().prop_map(|(holder, action, on)| Step::Grant { holder, action, on }),
        12 => grant().prop_map(|(holder, action, on)| Step::GrantOnItem { holder, action, on }),
        4 => (holder_of_grant(), pick())
            .prop_map(|(holder, form)| Step::ReadForm { holder, form }),
        6 => grant().prop_map(|(holder, action, submission)| {
            Step::ShareSubmission { holder, action, submission }
        }),
        1 => (pick(), 0..16_u8).prop_map(|(form, allowed)| Step::Allow { form, allowed }),
        1 => pick().prop_map(|draft| Step::HandIn { draft }),
        1 => pick().prop_map(Step::DeleteGroup),
        1 => pick().prop_map(Step::RemoveMember),
        1 => pick().prop_map(Step::DeleteForm),
        1 => pick().prop_map(Step::DeleteSubmission),
        1 => pick().prop_map(Step::DeleteSubmitted),
        1 => pick().prop_map(Step::DeleteGrant),
        1 => pick().prop_map(Step::DeleteThing),
    ]
}

fn holder_of_grant() -> impl Strategy<Value = Holder> {
    prop_oneof![
        4 => any::<Pick>().prop_map(Holder::User),
        4 => any::<Pick>().prop_map(Holder::Group),
        1 => any::<Pick>().prop_map(Holder::Dynamic),
    ]
}

fn pick<T>(from: impl IntoIterator<Item = T>, number: Pick) -> Option<T> {
    let mut from: Vec<T> = from.into_iter().collect();
    (!from.is_empty()).then(|| from.swap_remove(usize::from(number) % from.len()))
}

const SYSTEM: &Caller = &Caller::System;

impl Step {
    /// Takes the step. What the service answers must be what the model foresees.
    pub(super) async fn take(&self, world: &World, model: &mut Model) -> Option<()> {
        match *self {
            Self::CreateGroup | Self::CreateThing | Self::CreateForm { .. } => {
                self.create(world, model).await;
            }
            Self::AddUser { group, user } => {
                let group = pick(model.groups.clone(), group)?;
                let (user, _, _) = pick(USERS, user)?;
                add_member(world, model, group, Member::User(user_id(user))).await;
            }
            Self::AddGroup { group, child } => {
                let group = pick(model.groups.clone(), group)?;
                let child = pick(model.groups.clone(), child)?;
                add_member(world, model, group, Member::ChildGroup(child)).await;
            }
            Self::Submit {
                form,
                creator,
                is_draft,
            } => {
                let form = pick(model.forms.keys().copied(), form)?;
                let (creator, _, _) = pick(USERS, creator)?;
                submit(world, model, form, creator, is_draft).await;
            }
            Self::Grant {
                ref holder,
                action,
                on,
            } => {
                let on = pick(model.resources.clone(), on)?;
                let action = grantable(&on, action);
                grant(world, model, holder.subject(model)?, action, on).await;
            }
            Self::GrantOnItem {
                ref holder,
                action,
                on,
            } => {
                let items = model.resources.iter().filter(|it| it.identifier.is_some());
                let on = pick(items.cloned(), on)?;
                let action = grantable(&on, action);
                grant(world, model, holder.subject(model)?, action, on).await;
            }
            Self::ReadForm { ref holder, form } => {
                let form = ResourceRef::form(pick(model.forms.keys().copied(), form)?);
                let subject = holder.subject(model)?;
                grant(world, model, subject, Action::READ, form).await;
            }
            Self::ShareSubmission {
                ref holder,
                action,
                submission,
            } => {
                let resources = model.resources.iter();
                let of_class = resources.filter(|it| it.class == ResourceClass::SUBMISSION);
                let on = pick(
                    of_class.filter(|it| it.identifier.is_some()).cloned(),
                    submission,
                )?;
                let action = grantable(&on, action);
                grant(world, model, holder.subject(model)?, action, on).await;
            }
            Self::Allow { form, allowed } => {
                let form = pick(model.forms.keys().copied(), form)?;
                allow(world, model, form, SubmittedActions::from_bits(allowed)).await;
            }
            Self::HandIn { draft } => {
                let drafts = model.submissions.iter().filter(|(_, facts)| facts.is_draft);
                let draft = pick(drafts.map(|(id, _)| *id), draft)?;
                let change = SubmissionChange {
                    data: Change::Set("{}".to_owned()),
                    ..SubmissionChange::default()
                };
                let handed_in = world.submissions().update(SYSTEM, draft, change).await;
                handed_in.unwrap().unwrap();
                model.submissions.get_mut(&draft)?.is_draft = false;
            }
            _ => self.delete(world, model).await?,
        }
        Some(())
    }

    async fn create(&self, world: &World, model: &mut Model) {
        match *self {
            Self::CreateForm {
                grant_based,
                allowed,
            } => {
                let allowed = SubmittedActions::from_bits(allowed);
                let rules = SubmissionRules {
                    grant_based,
                    allowed_actions_when_submitted: allowed,
                    allowed_states: SubmissionState::ALL.iter().copied().collect(),
                    ..SubmissionRules::default()
                };
                let form = world.form(rules).await;
                let allowed = words(allowed);
                let facts = FormFacts {
                    grant_based,
                    allowed,
                };
                model.forms.insert(form, facts);
                model.resources.insert(ResourceRef::form(form));
                let collection = ResourceRef::submission_collection(form);
                model.resources.insert(collection);
            }
            Self::CreateThing => {
                model.things += 1;
                let thing = world.thing(&model.things.to_string()).await;
                model.resources.insert(thing);
            }
            _ => {
                let group = world.group("Group").await;
                model.groups.push(group);
                model.resources.insert(ResourceRef::group(group));
            }
        }
    }

    async fn delete(&self, world: &World, model: &mut Model) -> Option<()> {
        match *self {
            Self::DeleteGroup(number) => {
                let group = pick(model.groups.clone(), number)?;
                world.groups().delete(SYSTEM, group).await.unwrap();
                model.forget_group(group);
            }
            Self::RemoveMember(number) => {
                let (group, member) = pick(model.memberships.clone(), number)?;
                remove_member(world, group, &member).await;
                model.memberships.remove(&(group, member));
            }
            Self::DeleteForm(number) => {
                let form = pick(model.forms.keys().copied(), number)?;
                world.forms().delete(SYSTEM, form).await.unwrap();
                model.forget_form(form);
            }
            Self::DeleteSubmission(number) => {
                let submission = pick(model.submissions.keys().copied(), number)?;
                let deleted = world.submissions().delete(SYSTEM, submission).await;
                deleted.unwrap();
                model.forget_submission(submission);
            }
            Self::DeleteSubmitted(number) => {
                let form = pick(model.forms.keys().copied(), number)?;
                delete_submitted(world, model, form).await;
            }
            Self::DeleteThing(number) => {
                let things = model.resources.iter().filter(|it| {
                    it.identifier.is_some() && !ResourceClass::BUILT_IN.contains(&it.class)
                });
                let thing = pick(things.cloned(), number)?;
                world.resources().deregister(SYSTEM, &thing).await.unwrap();
                model.forget_resources(&[thing]);
            }
            Self::DeleteGrant(number) => delete_grant(world, model, number).await?,
            _ => unreachable!("{self:?} deletes nothing"),
        }
        Some(())
    }
}

impl Holder {
    fn subject(&self, model: &Model) -> Option<Subject> {
        match *self {
            Self::User(number) => pick(USERS, number).map(|(user, _, _)| holder(user)),
            Self::Group(number) => pick(model.groups.clone(), number).map(Subject::Group),
            Self::Dynamic(number) => pick(["staff", "press", "everybody"], number)
                .map(|name| Subject::DynamicGroup(dynamic_group(name))),
        }
    }
}

fn words(allowed: SubmittedActions) -> Vec<&'static str> {
    allowed.iter().map(SubmittedAction::as_str).collect()
}

async fn add_member(world: &World, model: &mut Model, group: GroupId, member: Member) {
    let new = NewMembership {
        group,
        member: member.clone(),
    };
    let closes_a_cycle = match member {
        Member::ChildGroup(child) => model.would_close_a_cycle(group, child),
        Member::User(_) => false,
    };
    match world.memberships().create(SYSTEM, new).await {
        Ok(_) => assert!(
            !closes_a_cycle && model.memberships.insert((group, member)),
            "neither a cycle nor there already"
        ),
        Err(Error::MembershipInvalid(_)) => assert!(closes_a_cycle),
        Err(Error::MembershipExists) => assert!(model.memberships.contains(&(group, member))),
        Err(error) => panic!("{error}"),
    }
}

async fn remove_member(world: &World, group: GroupId, member: &Member) {
    let memberships = world.memberships();
    let page = memberships.list(SYSTEM, group, &everything()).await;
    let page = page.unwrap();
    let found = page.items.iter().find(|it| it.member == *member);
    let id = found.unwrap().id;
    memberships.delete(SYSTEM, id).await.unwrap();
}

async fn submit(
    world: &World,
    model: &mut Model,
    form: FormId,
    creator: &'static str,
    is_draft: bool,
) {
    let may = model.may(
        Some(creator),
        "create_submissions",
        &ResourceRef::form(form),
    );
    let state = if is_draft {
        SubmissionState::Draft
    } else {
        SubmissionState::Submitted
    };
    let submission = submit_as(world, form, creator, state, may).await;
    let facts = Facts {
        form,
        creator,
        is_draft,
    };
    model.submissions.insert(submission, facts);
    if model.forms[&form].grant_based {
        let resource = ResourceRef::submission(submission);
        model.resources.insert(resource.clone());
        let managed = (holder(creator), Action::MANAGE, resource);
        model.grants.insert(managed);
    }
}

/// Submits as somebody who `may`; somebody who may not is entitled for that moment.
async fn submit_as(
    world: &World,
    form: FormId,
    creator: &str,
    state: SubmissionState,
    may: bool,
) -> SubmissionId {
    if !may {
        return world.submission(creator, form, state).await;
    }
    let new = formalize_tests::world::new_submission(form, "{}", state);
    let caller = formalize_tests::world::user_with(creator, "groups", dynamic_groups_of(creator));
    let created = world.submissions().create(&caller, new).await;
    created.unwrap().item.id
}

/// The dynamic groups of a user.
pub(super) fn dynamic_groups_of(user: &str) -> Vec<&'static str> {
    let found = USERS.iter().find(|(name, _, _)| *name == user);
    found.unwrap().1.to_vec()
}

/// One of the actions that can be granted on a resource.
fn grantable(on: &ResourceRef, number: Pick) -> Action {
    let catalog = catalog();
    let actions = catalog.find(&on.class).unwrap();
    let actions = match on.identifier {
        Some(_) => &actions.item_actions,
        None => &actions.collection_actions,
    };
    pick(actions.keys().cloned(), number).unwrap()
}

async fn grant(
    world: &World,
    model: &mut Model,
    subject: Subject,
    action: Action,
    on: ResourceRef,
) {
    let created = world
        .grants()
        .create(SYSTEM, new_grant(&subject, &action, &on))
        .await;
    let is_new = model.grants.insert((subject, action, on));
    match created {
        Ok(_) => assert!(is_new),
        Err(Error::GrantExists) => assert!(!is_new),
        Err(error) => panic!("{error}"),
    }
}

async fn delete_grant(world: &World, model: &mut Model, number: Pick) -> Option<()> {
    let key = pick(model.grants.clone(), number)?;
    let (subject, action, on) = &key;
    let filter = ResourceFilter {
        class: Some(on.class.to_string()),
        identifier: on.identifier.as_ref().map(ToString::to_string),
    };
    let page = world.grants().list(SYSTEM, &filter, &everything()).await;
    let page = page.unwrap();
    let found = page.items.iter().find(|it| {
        (
            &it.item.subject,
            &it.item.action,
            &it.item.resource.resource,
        ) == (subject, action, on)
    });
    let id = found.unwrap().item.id;
    let is_guarded = *action == Action::MANAGE
        && on.identifier.is_some()
        && on.class != ResourceClass::SUBMISSION_COLLECTION;
    let managers = model.grants.iter();
    let managers = managers.filter(|(_, it, at)| *it == Action::MANAGE && at == on);
    let is_last = is_guarded && managers.count() == 1;
    match world.grants().delete(SYSTEM, id).await {
        Ok(()) => {
            assert!(!is_last);
            model.grants.remove(&key);
        }
        Err(Error::LastManageGrant) => assert!(is_last),
        Err(error) => panic!("{error}"),
    }
    Some(())
}

async fn delete_submitted(world: &World, model: &mut Model, form: FormId) {
    let submitted = model.submissions_of(form).into_iter();
    let submitted: Vec<_> = submitted
        .filter(|id| !model.submissions[id].is_draft)
        .collect();
    let deleted = world.submissions().delete_all(SYSTEM, form).await;
    assert_eq!(deleted.unwrap(), submitted.len() as u64);
    for submission in submitted {
        model.forget_submission(submission);
    }
}

async fn allow(world: &World, model: &mut Model, form: FormId, allowed: SubmittedActions) {
    let change = FormChange {
        allowed_actions_when_submitted: Some(allowed),
        ..FormChange::default()
    };
    let changed = world.forms().update(SYSTEM, form, change).await;
    changed.unwrap().unwrap();
    model.forms.get_mut(&form).unwrap().allowed = words(allowed);
}
