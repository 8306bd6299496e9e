//! Runs the acts of the model on the service under test.

use std::sync::Arc;

use formalize_core::{
    Caller, Change as Set, Deletion, Error, FormChange, FormId, FormName, GrantId, GroupChange,
    GroupId, GroupName, Member as ServiceMember, MembershipId, NewForm, NewGrant, NewGroup,
    NewMembership, NewSubmission, ResourceClass, ResourceFilter, ResourceId, ResourceRef, Result,
    Store, Subject, SubmissionChange, SubmissionId, SubmissionRules, SubmissionState, Timestamp,
    Viewed,
    authorization::{NamedResource, Policies},
    forms::{
        Availability, AvailableTags, FormDetails, FormDetailsChange, SubmissionCap,
        SubmissionLimit, SubmittedAction, TagPermissions,
    },
    links::{FormLink, FormLinkChange, LinkCap, LinkId, NewFormLink},
    submissions::{BatchItem, BatchOutcome, ItemKey, RequestedState, SubmissionBatch},
    tokens::Secret,
};
use formalize_tests::world::{
    START, Setup, THING, World, action, class, condition, dynamic_group, everything, instant,
    thing, user_id, user_with,
};
use serde_json::json;
use uuid::Uuid;

use crate::act::{Act, Answer, Change, Data, Item};
use crate::model::words::{ACTIONS, SCHEMA, THINGS, TagList};
use crate::model::{Actor, Creator, Form, Holder, Id, Member, Model, Place, State, Words};

/// The service, and the identifiers of its records.
pub(crate) struct Service {
    pub(crate) world: World,
    groups: Vec<GroupId>,
    pub(crate) memberships: Vec<MembershipId>,
    forms: Vec<FormId>,
    submissions: Vec<SubmissionId>,
    /// Grants that were created with a record are unknown until they are looked up.
    grants: Vec<Option<GrantId>>,
    /// As they were last changed.
    links: Vec<FormLink>,
    secrets: Vec<Secret>,
}

impl Service {
    /// A service on an empty store.
    pub(crate) async fn on(store: Arc<dyn Store>) -> Self {
        Self {
            world: World::with(store, setup()).await,
            groups: Vec::new(),
            memberships: Vec::new(),
            forms: Vec::new(),
            submissions: Vec::new(),
            grants: Vec::new(),
            links: Vec::new(),
            secrets: Vec::new(),
        }
    }

    pub(crate) fn group(&self, id: Id) -> GroupId {
        let known = self.groups.get(id).copied();
        known.unwrap_or(GroupId::from_uuid(Uuid::nil()))
    }

    pub(crate) fn form(&self, id: Id) -> FormId {
        let known = self.forms.get(id).copied();
        known.unwrap_or(FormId::from_uuid(Uuid::nil()))
    }

    pub(crate) fn submission(&self, id: Id) -> SubmissionId {
        let known = self.submissions.get(id).copied();
        known.unwrap_or(SubmissionId::from_uuid(Uuid::nil()))
    }

    pub(crate) fn membership(&self, id: Id) -> MembershipId {
        let known = self.memberships.get(id).copied();
        known.unwrap_or(MembershipId::from_uuid(Uuid::nil()))
    }

    pub(crate) fn grant(&self, id: Id) -> GrantId {
        let known = self.grants.get(id).copied().flatten();
        known.unwrap_or(GrantId::from_uuid(Uuid::nil()))
    }

    pub(crate) fn link(&self, id: Id) -> LinkId {
        let known = self.links.get(id).map(|link| link.id);
        known.unwrap_or(LinkId::from_uuid(Uuid::nil()))
    }

    /// The secret in the address of a link.
    pub(crate) fn secret(&self, id: Id) -> &str {
        self.secrets[id].expose()
    }

    pub(crate) fn caller(&self, actor: Actor) -> Caller {
        match actor {
            Actor::System => Caller::System,
            Actor::User(user) => user_with(user.name, "groups", user.dynamic_groups.to_vec()),
            Actor::Link(id) => self.links[id].caller(),
        }
    }

    /// The identifier of a creator; empty for the system.
    pub(crate) fn creator(&self, creator: Creator) -> String {
        match creator {
            Creator::System => String::new(),
            Creator::User(name) => name.to_owned(),
            Creator::Link(id) => format!("link:{}", self.link(id)),
        }
    }

    pub(crate) fn resource(&self, place: Place) -> ResourceRef {
        match place {
            Place::Group(id) => ResourceRef::group(self.group(id)),
            Place::Form(id) => ResourceRef::form(self.form(id)),
            Place::SubmissionsOf(id) => ResourceRef::submission_collection(self.form(id)),
            Place::Submission(id) => ResourceRef::submission(self.submission(id)),
            Place::Thing(id) => thing(THINGS[id]),
            _ => ResourceRef::collection(class_of(place)),
        }
    }

    pub(crate) fn subject(&self, holder: Holder) -> Subject {
        match holder {
            Holder::User(name) => Subject::User(user_id(name)),
            Holder::Group(id) => Subject::Group(self.group(id)),
            Holder::Dynamic(name) => Subject::DynamicGroup(dynamic_group(name)),
            Holder::Link(id) => Subject::User(self.link(id).into()),
        }
    }

    pub(crate) fn member(&self, member: Member) -> ServiceMember {
        match member {
            Member::User(name) => ServiceMember::User(user_id(name)),
            Member::Group(id) => ServiceMember::ChildGroup(self.group(id)),
        }
    }

    /// Adds a submission that was created by a request.
    pub(crate) fn found_submission(&mut self, id: SubmissionId) {
        self.submissions.push(id);
    }

    /// Adds a grant that was created by a request.
    pub(crate) fn found_grant(&mut self, id: GrantId) {
        self.grants.push(Some(id));
    }

    /// Performs an act. `model` is the state before it.
    pub(crate) async fn take(&mut self, actor: Actor, act: &Act, model: &Model) -> Answer {
        let caller = &self.caller(actor);
        let outcome = match act {
            Act::CreateGroup { .. }
            | Act::RenameGroup { .. }
            | Act::DeleteGroup { .. }
            | Act::AddMember { .. }
            | Act::RemoveMember { .. } => self.on_groups(caller, act).await,
            Act::Register { .. }
            | Act::Deregister { .. }
            | Act::Grant { .. }
            | Act::Revoke { .. } => self.on_grants(caller, act, model).await,
            Act::CreateForm { .. } | Act::ChangeForm { .. } | Act::DeleteForm { .. } => {
                self.on_forms(caller, act).await
            }
            Act::CreateLink { .. } | Act::ChangeLink { .. } | Act::DeleteLink { .. } => {
                self.on_links(caller, act).await
            }
            Act::MoveClock { seconds } => {
                self.world.clock.set(after(model.now + seconds));
                Ok(Answer::Done)
            }
            _ => self.on_submissions(caller, act).await,
        };
        outcome.unwrap_or_else(|error| Answer::Refused(case_of(&error)))
    }

    /// Records the grants that were created with a record.
    pub(crate) fn follow(&mut self, model: &Model) {
        self.grants.resize(model.grants.len(), None);
    }

    async fn on_groups(&mut self, caller: &Caller, act: &Act) -> Result<Answer> {
        let (groups, memberships) = (self.world.groups(), self.world.memberships());
        let name = |name: &str| GroupName::new(name).unwrap();
        match *act {
            Act::CreateGroup { name: text } => {
                let new = NewGroup { name: name(text) };
                let made = groups.create(caller, new).await?;
                self.groups.push(made.item.id);
                Ok(shown(&made))
            }
            Act::RenameGroup { group, name: text } => {
                let change = GroupChange {
                    name: Some(name(text)),
                };
                let changed = groups.update(caller, self.group(group), change).await?;
                Ok(changed.as_ref().map_or(Answer::Hidden, shown))
            }
            Act::DeleteGroup { group } => {
                let id = self.group(group);
                let counted = groups.check_delete(caller, id).await;
                deleted(groups.delete(caller, id).await, counted)
            }
            Act::AddMember { group, member } => {
                let new = NewMembership {
                    group: self.group(group),
                    member: self.member(member),
                };
                let made = memberships.create(caller, new).await?;
                self.memberships.push(made.id);
                Ok(Answer::Done)
            }
            Act::RemoveMember { membership } => {
                let id = self.membership(membership);
                memberships.delete(caller, id).await?;
                Ok(Answer::Done)
            }
            _ => unreachable!("{act:?} is not about groups"),
        }
    }

    async fn on_grants(&mut self, caller: &Caller, act: &Act, model: &Model) -> Result<Answer> {
        let (resources, grants) = (self.world.resources(), self.world.grants());
        match *act {
            Act::Register { thing, manager } => {
                let (thing, manager) = (self.resource(Place::Thing(thing)), manager.map(user_id));
                resources.register(caller, thing, manager.as_ref()).await?;
                Ok(Answer::Done)
            }
            Act::Deregister { thing } => {
                let thing = self.resource(Place::Thing(thing));
                resources.deregister(caller, &thing).await?;
                Ok(Answer::Done)
            }
            Act::Grant {
                holder,
                action: word,
                on,
                by_record,
            } => {
                let new = NewGrant {
                    subject: self.subject(holder),
                    action: action(word),
                    resource: self.named(on, by_record).await,
                };
                let made = grants.create(caller, new).await?;
                self.grants.push(Some(made.item.id));
                Ok(shown(&made))
            }
            Act::Revoke { grant } => {
                let id = self.find_grant(grant, model).await;
                grants.delete(caller, id).await?;
                self.grants[grant] = Some(id);
                Ok(Answer::Done)
            }
            _ => unreachable!("{act:?} is not about grants"),
        }
    }

    /// How a request names a resource.
    async fn named(&self, place: Place, by_record: bool) -> NamedResource {
        let resource = self.resource(place);
        if !by_record {
            return NamedResource {
                class: Some(resource.class.to_string()),
                identifier: resource.identifier.as_ref().map(ToString::to_string),
                record: None,
            };
        }
        let filter = ResourceFilter::of(resource.clone());
        let resources = self.world.resources();
        let found = resources
            .list(&Caller::System, &filter, &everything())
            .await;
        let found = found.unwrap().items;
        let record = found.iter().find(|it| it.item.resource == resource);
        let none = ResourceId::from_uuid(Uuid::nil());
        NamedResource {
            record: Some(record.map_or(none, |it| it.item.id)),
            ..NamedResource::default()
        }
    }

    async fn find_grant(&self, id: Id, model: &Model) -> GrantId {
        if let Some(known) = self.grants.get(id).copied().flatten() {
            return known;
        }
        let Some(grant) = model.grants.get(id) else {
            return GrantId::from_uuid(Uuid::nil());
        };
        let resource = self.resource(grant.on);
        let filter = ResourceFilter::of(resource.clone());
        let grants = self.world.grants();
        let found = grants.list(&Caller::System, &filter, &everything()).await;
        let found = found.unwrap().items;
        let mut found = found.iter().map(|it| &it.item);
        let found = found.find(|it| {
            it.subject == self.subject(grant.holder)
                && it.action.as_str() == grant.action
                && it.resource.resource == resource
        });
        found.expect("the grant exists").id
    }

    async fn on_forms(&mut self, caller: &Caller, act: &Act) -> Result<Answer> {
        let forms = self.world.forms();
        match act {
            Act::CreateForm { name, form } => {
                let schema = form.has_schema.then(|| SCHEMA.to_owned());
                let new = NewForm {
                    data_feed_schema: schema,
                    rules: rules(form),
                    details: FormDetails {
                        available_tags: available_tags(form.tags),
                        ..FormDetails::default()
                    },
                    ..NewForm::new(FormName::new(*name).unwrap())
                };
                let made = forms.create(caller, new).await?;
                self.forms.push(made.item.id);
                Ok(Answer::Shown(words(&made.granted_actions)))
            }
            Act::ChangeForm { form, change } => {
                let change = form_change(change);
                let changed = forms.update(caller, self.form(*form), change).await?;
                Ok(changed.map_or(Answer::Hidden, |view| {
                    Answer::Shown(words(&view.granted_actions))
                }))
            }
            Act::DeleteForm { form } => {
                let id = self.form(*form);
                let counted = forms.check_delete(caller, id).await;
                deleted(forms.delete(caller, id).await, counted)
            }
            _ => unreachable!("{act:?} is not about forms"),
        }
    }

    async fn on_links(&mut self, caller: &Caller, act: &Act) -> Result<Answer> {
        let links = self.world.links();
        match *act {
            Act::CreateLink { form, cap } => {
                let new = NewFormLink {
                    cap: cap.map(link_cap),
                    ..NewFormLink::to(self.form(form))
                };
                let (link, secret) = links.create(caller, new).await?;
                let found = links.authenticate(secret.expose()).await?;
                assert_eq!(found.as_ref(), Some(&link));
                self.links.push(link);
                self.secrets.push(secret);
            }
            Act::ChangeLink { link, cap } => {
                let change = FormLinkChange {
                    cap: cap.map(link_cap).map_or(Set::Clear, Set::Set),
                    ..FormLinkChange::default()
                };
                self.links[link] = links.update(caller, self.link(link), change).await?;
            }
            Act::DeleteLink { link } => links.delete(caller, self.link(link)).await?,
            _ => unreachable!("{act:?} is not about links"),
        }
        Ok(Answer::Done)
    }

    async fn on_submissions(&mut self, caller: &Caller, act: &Act) -> Result<Answer> {
        let submissions = self.world.submissions();
        match *act {
            Act::Submit {
                form,
                state,
                data,
                tags,
            } => {
                let new = NewSubmission {
                    form: self.form(form),
                    data: data.map(str::to_owned),
                    state: RequestedState::Known(state_of(state)),
                    tags: tags.iter().copied().map(str::to_owned).collect(),
                };
                let made = submissions.create(caller, new).await?;
                self.submissions.push(made.item.id);
                Ok(shown(&made))
            }
            Act::SubmitBatch {
                form,
                ref items,
                is_atomic,
                is_dry_run,
            } => {
                let items = items.iter().map(batch_item).collect();
                let mut batch = SubmissionBatch::new(self.form(form), items)?;
                batch.is_atomic = is_atomic;
                let outcomes = if is_dry_run {
                    submissions.check_batch(caller, &batch).await
                } else {
                    submissions.create_batch(caller, &batch).await
                };
                let outcomes = match outcomes {
                    Err(Error::BatchRefused(outcomes)) => outcomes,
                    outcomes => outcomes?,
                };
                let created = outcomes.iter().filter_map(|outcome| match outcome {
                    BatchOutcome::Created(created) => Some(created.id),
                    _ => None,
                });
                self.submissions.extend(created);
                Ok(Answer::Batch(outcomes.iter().map(word_of).collect()))
            }
            Act::ChangeSubmission {
                submission,
                state,
                data,
                tags,
            } => {
                let tags = tags.map(|tags| tags.iter().copied().map(str::to_owned).collect());
                let change = SubmissionChange {
                    data: match data {
                        Data::Keep => Set::Keep,
                        Data::Clear => Set::Clear,
                        Data::Set(data) => Set::Set(data.to_owned()),
                    },
                    state: RequestedState::Known(state_of(state)),
                    tags,
                    ..SubmissionChange::default()
                };
                let id = self.submission(submission);
                let changed = submissions.update(caller, id, change).await?;
                Ok(changed.as_ref().map_or(Answer::Hidden, shown))
            }
            Act::DeleteSubmission { submission } => {
                let id = self.submission(submission);
                submissions.delete(caller, id).await?;
                Ok(Answer::Done)
            }
            Act::DeleteSubmitted { form } => {
                let form = self.form(form);
                let counted = submissions.check_delete_all(caller, form).await;
                let number = submissions.delete_all(caller, form).await;
                if let (Ok(counted), Ok(number)) = (&counted, &number) {
                    assert_eq!(counted.submissions, *number);
                }
                deleted(number.map(drop), counted)
            }
            _ => unreachable!("{act:?} is not about submissions"),
        }
    }
}

/// The configuration that corresponds to the users of the model.
fn setup() -> Setup {
    let policies = Policies {
        administrators: Some(condition(r#"user.id == "ann ""#)),
        create_groups: Some(condition("user.id == \"A\u{308}nn\"")),
        create_forms: Some(condition(
            r#"user.id == "Ann" && form.name.startsWith("S")"#,
        )),
        create_tokens: None,
        check_others: None,
        search_people: None,
        read_local_data: None,
        manage_everything: Some(condition("user.id == \"\u{c4}nn \"")),
        manage_collection: [
            (class(THING), condition("user.id == \"\u{c4}nn\"")),
            (ResourceClass::FORM, condition("false")),
        ]
        .into(),
    };
    let setup = Setup {
        policies,
        ..Setup::default()
    };
    setup
        .dynamic_group("staff", r#""staff" in user.attributes.groups"#)
        .dynamic_group("press", r#""press" in user.attributes.groups"#)
}

pub(crate) fn class_of(place: Place) -> ResourceClass {
    match place.collection() {
        Place::Groups => ResourceClass::GROUP,
        Place::Forms => ResourceClass::FORM,
        Place::SubmissionCollections => ResourceClass::SUBMISSION_COLLECTION,
        Place::Submissions => ResourceClass::SUBMISSION,
        _ => class(THING),
    }
}

fn shown<T>(view: &Viewed<T>) -> Answer {
    Answer::Shown(words(&view.granted_actions))
}

/// Actions by the names of the model.
pub(crate) fn words(actions: &formalize_core::Actions) -> Words {
    let word = |action: &formalize_core::Action| {
        let mut known = ACTIONS.into_iter();
        known.find(|word| *word == action.as_str()).unwrap()
    };
    actions.iter().map(word).collect()
}

pub(crate) fn state_of(state: State) -> SubmissionState {
    match state {
        State::Draft => SubmissionState::Draft,
        State::Submitted => SubmissionState::Submitted,
    }
}

fn after(seconds: i64) -> Timestamp {
    instant(START).checked_add_seconds(seconds).unwrap()
}

fn cap(cap: usize) -> SubmissionCap {
    SubmissionCap::new(i64::try_from(cap).unwrap()).unwrap()
}

fn link_cap(cap: usize) -> LinkCap {
    LinkCap::new(i64::try_from(cap).unwrap()).unwrap()
}

fn limit(limit: usize) -> SubmissionLimit {
    SubmissionLimit::new(i64::try_from(limit).unwrap()).unwrap()
}

fn rules(form: &Form) -> SubmissionRules {
    let window = Availability::new(form.starts.map(after), form.ends.map(after));
    SubmissionRules {
        grant_based: form.grant_based,
        allowed_actions_when_submitted: allowed(&form.allowed),
        allowed_states: form.states.iter().map(|state| state_of(*state)).collect(),
        availability: window.unwrap(),
        cap: form.cap.map(cap),
        limit: form.limit.map(limit),
        tag_permissions: TagPermissions::ALL[form.tag_actions],
    }
}

fn available_tags(tags: TagList) -> AvailableTags {
    let tags: Vec<_> = tags.iter().map(|tag| json!({"identifier": tag})).collect();
    AvailableTags::new(&tags).unwrap()
}

fn allowed(words: &Words) -> formalize_core::forms::SubmittedActions {
    let actions = words
        .iter()
        .map(|word| word.parse::<SubmittedAction>().unwrap());
    actions.collect()
}

fn form_change(change: &Change) -> FormChange {
    let unchanged = FormChange::default();
    match change {
        Change::Nothing => unchanged,
        Change::GrantBased(grant_based) => FormChange {
            grant_based: Some(*grant_based),
            ..unchanged
        },
        Change::Allowed(words) => FormChange {
            allowed_actions_when_submitted: Some(allowed(words)),
            ..unchanged
        },
        Change::States(states) => FormChange {
            allowed_states: Some(states.iter().map(|state| state_of(*state)).collect()),
            ..unchanged
        },
        Change::Starts(starts) => FormChange {
            available_starts: starts.map(after).map_or(Set::Clear, Set::Set),
            ..unchanged
        },
        Change::Ends(ends) => FormChange {
            availability_ends: ends.map(after).map_or(Set::Clear, Set::Set),
            ..unchanged
        },
        Change::Cap(number) => FormChange {
            cap: number.map(cap).map_or(Set::Clear, Set::Set),
            ..unchanged
        },
        Change::Limit(number) => FormChange {
            limit: number.map(limit).map_or(Set::Clear, Set::Set),
            ..unchanged
        },
        Change::Schema(true) => FormChange {
            data_feed_schema: Set::Set(SCHEMA.to_owned()),
            ..unchanged
        },
        Change::Schema(false) => FormChange {
            data_feed_schema: Set::Clear,
            ..unchanged
        },
        Change::Tags(tags) => FormChange {
            details: FormDetailsChange {
                available_tags: Some(available_tags(tags)),
                ..FormDetailsChange::default()
            },
            ..unchanged
        },
        Change::TagActions(number) => FormChange {
            tag_permissions: Some(TagPermissions::ALL[*number]),
            ..unchanged
        },
        Change::BrokenSchema => FormChange {
            data_feed_schema: Set::Set("{".to_owned()),
            ..unchanged
        },
    }
}

/// The result of a deletion, which must have been announced: by the same counts that the model predicts, or by the same
/// error.
fn deleted(outcome: Result<()>, announced: Result<Deletion>) -> Result<Answer> {
    match (outcome, announced) {
        (Ok(()), Ok(deletion)) => {
            let counts = [
                deletion.forms,
                deletion.submissions,
                deletion.drafts,
                deletion.groups,
                deletion.members,
                deletion.resources,
                deletion.grants,
                deletion.links,
            ];
            Ok(Answer::Deleted(
                counts.map(|count| usize::try_from(count).unwrap()),
            ))
        }
        (Err(error), Err(announced)) => {
            assert_eq!(case_of(&error), case_of(&announced));
            Err(error)
        }
        (outcome, announced) => panic!("{outcome:?} was announced as {announced:?}"),
    }
}

fn batch_item(item: &Item) -> BatchItem {
    BatchItem {
        data: item.data.map(str::to_owned),
        state: RequestedState::Known(state_of(item.state)),
        tags: Vec::new(),
        key: item.key.map(|key| ItemKey::new(key).unwrap()),
    }
}

/// What became of a submission of a batch. A dry run has the same words as the batch itself.
fn word_of(outcome: &BatchOutcome) -> String {
    let word = match outcome {
        BatchOutcome::Refused(error) => return case_of(error),
        BatchOutcome::Omitted => "omitted",
        BatchOutcome::Repeated(_) => "repeated",
        BatchOutcome::Acceptable { is_repeated, .. } if *is_repeated => "repeated",
        BatchOutcome::Created(_) | BatchOutcome::Acceptable { .. } => "created",
    };
    word.to_owned()
}

/// The name of the variant; of an error that has a kind of its own, that kind.
pub(crate) fn case_of(error: &Error) -> String {
    let text = match error {
        Error::InvalidFields(invalid) => format!("Invalid{invalid:?}"),
        Error::InvalidGrant(invalid) => format!("InvalidGrant{invalid:?}"),
        error => format!("{error:?}"),
    };
    let end = text.find(|letter: char| !letter.is_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}
