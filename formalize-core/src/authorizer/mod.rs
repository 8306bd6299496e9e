//! Fetches the data for a decision within the transaction of the call, and decides.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::authz::authority::Authority;
use crate::authz::decision::{Held, HeldGrant, SubmissionFacts, Target, effective_actions};
use crate::authz::policy::{Operation, Rule};
use crate::authz::scope::Subjects;
use crate::error::{Error, Result};
use crate::id::{GroupId, SubmissionId};
use crate::model::action::{Action, Actions};
use crate::model::form::SubmissionRules;
use crate::model::group::Group;
use crate::model::resource::{Anchor, Object, Resource, ResourceClass, ResourceRef};
use crate::model::subject::{Caller, Subject, UserId};
use crate::model::submission::Submission;
use crate::page::Page;
use crate::store::{Principal, ReadTx, StoreResult};

#[cfg(feature = "forms")]
mod feed;
#[cfg(feature = "forms")]
pub(crate) mod forms;
mod lists;
#[cfg(feature = "forms")]
mod tags;
pub(crate) mod turns;

use turns::Turns;

/// If a query takes longer, the caller may be in many groups. Usually, one takes much less than a millisecond.
const SLOW: Duration = Duration::from_millis(10);

/// The permissions of one caller within one transaction.
pub(crate) struct Authorizer<'a> {
    authority: &'a Authority,
    turns: &'a Turns,
    caller: &'a Caller,
    author: UserId,
    /// The caller and their dynamic groups, plus their static groups once `has_groups` is set.
    subjects: Subjects,
    has_groups: bool,
    known: Mutex<Known>,
}

/// Data fetched so far, to avoid repeated queries.
struct Known {
    /// Anchors whose grants have been fetched: `held` is complete for them.
    anchors: HashSet<Anchor>,
    held: Held,
}

impl<'a> Authorizer<'a> {
    /// An authorizer for single items. It runs no query yet; grants held through groups are fetched together with the
    /// others.
    pub(crate) fn new(authority: &'a Authority, turns: &'a Turns, caller: &'a Caller) -> Self {
        let subjects = match caller {
            Caller::System => Vec::new(),
            Caller::User(user) => authority
                .dynamic_groups_of(user)
                .into_iter()
                .map(Subject::DynamicGroup)
                .chain([Subject::User(user.id.clone())])
                .collect(),
            Caller::Link(link) => vec![Subject::User(link.user_id().clone())],
        };
        let everything = match caller {
            Caller::System | Caller::Link(_) => false,
            Caller::User(user) => authority.manages_everything(user),
        };
        let known = Known {
            anchors: HashSet::new(),
            held: Held::by_policy(everything),
        };
        Self {
            authority,
            turns,
            caller,
            author: caller.author(),
            subjects: Subjects::new(subjects),
            has_groups: false,
            known: Mutex::new(known),
        }
    }

    /// Also fetches the caller's groups, which list scopes and checks of a grant's holder need. Lists show nothing to a
    /// link.
    pub(crate) async fn with_groups(self, tx: &mut dyn ReadTx) -> Result<Self> {
        let subjects = match self.caller {
            Caller::System | Caller::Link(_) => Vec::new(),
            Caller::User(user) => {
                let groups = tx.groups_of(&user.id).await?;
                self.turns.learn(&user.id, groups.len());
                let groups = groups.into_iter().map(Subject::Group);
                groups.chain(self.subjects.iter().cloned()).collect()
            }
        };
        Ok(Self {
            subjects: Subjects::new(subjects),
            has_groups: true,
            ..self
        })
    }

    /// The caller's groups, once they are [fetched](Self::with_groups), in no particular order.
    pub(crate) fn groups(&self) -> impl Iterator<Item = GroupId> {
        self.subjects.iter().filter_map(|subject| match subject {
            Subject::Group(group) => Some(*group),
            Subject::User(_) | Subject::DynamicGroup(_) => None,
        })
    }

    fn principal(&self) -> Principal<'_> {
        Principal {
            user: &self.author,
            subjects: &self.subjects,
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, anchors: impl IntoIterator<Item = Anchor>, held: Vec<HeldGrant>) {
        let mut known = self.known();
        known.anchors.extend(anchors);
        known.held.extend(held);
    }

    /// The result of a query that searches the caller's groups, whose time is noted.
    async fn searching<T>(&self, query: impl Future<Output = StoreResult<T>>) -> Result<T> {
        let began = Instant::now();
        let found = query.await?;
        if let Some(user) = self.caller.user_id()
            && began.elapsed() > SLOW
        {
            self.turns.suspect(user);
        }
        Ok(found)
    }

    /// Records an item created in this transaction, whose resource its owner manages.
    pub(crate) fn made(&self, anchor: impl Into<Anchor>, class: ResourceClass) {
        let anchor = anchor.into();
        let managed = self.caller.owner().map(|_| HeldGrant {
            anchor,
            class,
            action: Action::MANAGE,
        });
        self.learn([anchor], managed.into_iter().collect());
    }

    /// Fetches a group together with the grants needed to authorize access to it.
    pub(crate) async fn find_group(
        &self,
        tx: &mut dyn ReadTx,
        id: GroupId,
    ) -> Result<Option<Group>> {
        let found = tx.find_group_for(id, self.principal());
        let found = self.searching(found).await?;
        Ok(found.map(|(group, held)| {
            self.learn([id.into()], held);
            group
        }))
    }

    /// Fetches a resource together with the grants needed to authorize access to it. If it is a submission, those on its form
    /// count, too, and are not fetched yet.
    pub(crate) async fn find_resource(
        &self,
        tx: &mut dyn ReadTx,
        resource: &ResourceRef,
    ) -> Result<Option<Resource>> {
        let finding = tx.find_resource_for(resource, self.principal());
        let found = self.searching(finding).await?;
        Ok(found.map(|(resource, held)| {
            self.learn([resource.anchor()], held);
            resource
        }))
    }

    /// Fetches a submission and the rules of its form, together with the grants needed to authorize access to it.
    pub(crate) async fn find_submission(
        &self,
        tx: &mut dyn ReadTx,
        id: SubmissionId,
    ) -> Result<Option<(Submission, SubmissionRules)>> {
        let submissions = tx.read_submissions()?;
        let found = submissions.find_submission_for(id, self.principal());
        let found = self.searching(found).await?;
        Ok(found.map(|found| {
            let anchors = [id.into(), found.submission.form.into()];
            self.learn(anchors, found.held);
            (found.submission, found.rules)
        }))
    }

    /// The effective actions on a target, if they permit the operation.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if they do not.
    pub(crate) async fn require(
        &self,
        tx: &mut dyn ReadTx,
        operation: Operation,
        target: &Target,
    ) -> Result<Actions> {
        let actions = self.actions_on(tx, target).await?;
        self.check(operation, &actions)?;
        Ok(actions)
    }

    /// Whether these effective actions permit the operation.
    pub(crate) fn allows(&self, operation: Operation, actions: &Actions) -> bool {
        self.allows_holder(operation, actions, None)
    }

    /// [`Authorizer::allows`] for an operation on a grant held by this subject. Requires the groups if there is a
    /// holder.
    fn allows_holder(
        &self,
        operation: Operation,
        actions: &Actions,
        holder: Option<&Subject>,
    ) -> bool {
        let holds_grant = holder.is_some_and(|holder| self.subjects.contains(holder));
        let rule = self.authority.policy.rule(operation);
        match (self.caller, &rule) {
            (Caller::System, _) => true,
            (Caller::Link(_), _) if !operation.is_open_to_links() => false,
            (Caller::User(user), Rule::TokenCreator) => self.authority.may_create_token(user),
            (Caller::User(user), Rule::CheckerOfOthers) => self.authority.may_check_others(user),
            (Caller::User(user), Rule::PeopleSearcher) => self.authority.may_search_people(user),
            (Caller::User(user), Rule::LocalDataReader) => self.authority.may_read_local_data(user),
            (Caller::User(_) | Caller::Link(_), _) => rule.is_satisfied(actions, holds_grant),
        }
    }

    /// [`Authorizer::allows`] as a result.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if the actions are insufficient.
    pub(crate) fn check(&self, operation: Operation, actions: &Actions) -> Result<()> {
        let allowed = self.allows(operation, actions);
        allowed.then_some(()).ok_or(Error::Forbidden)
    }

    /// Checks an operation on a grant held by this subject, given the effective actions on its resource. Requires the
    /// groups.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if the operation is not permitted.
    pub(crate) fn check_grant(
        &self,
        operation: Operation,
        on_resource: &Actions,
        holder: &Subject,
    ) -> Result<()> {
        let allowed = self.allows_holder(operation, on_resource, Some(holder));
        allowed.then_some(()).ok_or(Error::Forbidden)
    }

    /// The effective actions on one target.
    pub(crate) async fn actions_on(&self, tx: &mut dyn ReadTx, target: &Target) -> Result<Actions> {
        self.fetch(tx, std::slice::from_ref(target)).await?;
        Ok(self.known_actions_on(Some(target)))
    }

    /// The items of a page, each with the effective actions on its target.
    pub(crate) async fn view_all<T>(
        &self,
        tx: &mut dyn ReadTx,
        page: Page<T>,
        target: impl Fn(&T) -> Target,
    ) -> Result<Page<(T, Actions)>> {
        let targets: Vec<Target> = page.items.iter().map(&target).collect();
        self.fetch(tx, &targets).await?;
        Ok(page.map(|item| {
            let actions = self.known_actions_on(Some(&target(&item)));
            (item, actions)
        }))
    }

    /// Fetches the grants that affect the targets, except those already known.
    async fn fetch(&self, tx: &mut dyn ReadTx, targets: &[Target]) -> Result<()> {
        if *self.caller == Caller::System {
            return Ok(());
        }
        let unknown = self.unknown(targets);
        if !unknown.is_empty() {
            let held = if self.has_groups {
                tx.held(&unknown, &self.subjects).await?
            } else {
                let held = tx.held_by(&unknown, self.principal());
                self.searching(held).await?
            };
            self.learn(unknown, held);
        }
        Ok(())
    }

    /// The effective actions on a target whose grants have been fetched. A resource without a target is a leftover of a
    /// deleted item.
    fn known_actions_on(&self, target: Option<&Target>) -> Actions {
        match (self.caller, target) {
            (Caller::System, _) => Actions::manage(),
            (_, Some(target)) => effective_actions(&self.known().held, target),
            (_, None) => Actions::default(),
        }
    }

    /// The anchors that affect the targets and have not been fetched yet, without duplicates.
    fn unknown(&self, targets: &[Target]) -> Vec<Anchor> {
        let known = self.known();
        let mut anchors: Vec<Anchor> = targets
            .iter()
            .flat_map(Target::anchors)
            .filter(|anchor| !known.anchors.contains(anchor))
            .collect();
        anchors.sort_unstable();
        anchors.dedup();
        anchors
    }

    /// Checks an operation that requires an action on the collection of a class.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if the caller lacks the action.
    pub(crate) async fn require_on_collection(
        &self,
        tx: &mut dyn ReadTx,
        operation: Operation,
    ) -> Result<()> {
        let Rule::OnCollection(class, _) = self.authority.policy.rule(operation) else {
            return Err(Error::Forbidden);
        };
        let collection = ResourceRef::collection(class);
        let found = self.find_resource(tx, &collection).await?;
        let actions = match found {
            Some(resource) => self.actions_on_resource(tx, &resource).await?,
            None => self.by_policy(&collection),
        };
        self.check(operation, &actions)
    }

    /// Like [`Authorizer::require_on_collection`], for those who only want to know.
    pub(crate) async fn may_on_collection(
        &self,
        tx: &mut dyn ReadTx,
        operation: Operation,
    ) -> Result<bool> {
        match self.require_on_collection(tx, operation).await {
            Ok(()) => Ok(true),
            Err(Error::Forbidden) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The effective actions on a resource.
    pub(crate) async fn actions_on_resource(
        &self,
        tx: &mut dyn ReadTx,
        resource: &Resource,
    ) -> Result<Actions> {
        let submissions = self.submissions_of(tx, &[resource]).await?;
        let target = Self::target_of(resource, &submissions);
        self.fetch(tx, target.as_slice()).await?;
        Ok(self.known_actions_on_resource(resource, target.as_ref()))
    }

    /// The effective actions on resources, and on those submissions that are not resources. Takes a fixed number of
    /// statements. Submissions that do not exist are omitted.
    pub(crate) async fn actions_on_all(
        &self,
        tx: &mut dyn ReadTx,
        resources: &[Resource],
        others: &[SubmissionId],
    ) -> Result<HashMap<ResourceRef, Actions>> {
        let among = resources.iter().filter_map(Self::submission_of);
        let submissions = self
            .facts_of(tx, among.chain(others.iter().copied()).collect())
            .await?;
        let resources = resources.iter().map(|resource| {
            let target = Self::target_of(resource, &submissions);
            (resource.resource.clone(), Some(resource), target)
        });
        let others = others.iter().filter_map(|id| {
            let target = Target::Submission(*submissions.get(id)?);
            Some((ResourceRef::submission(*id), None, Some(target)))
        });
        let all: Vec<_> = resources.chain(others).collect();
        let targets: Vec<Target> = all.iter().filter_map(|(.., to)| to.clone()).collect();
        self.fetch(tx, &targets).await?;
        let actions = all.into_iter().map(|(reference, resource, target)| {
            let actions = match resource {
                Some(resource) => self.known_actions_on_resource(resource, target.as_ref()),
                None => self.known_actions_on(target.as_ref()),
            };
            (reference, actions)
        });
        Ok(actions.collect())
    }

    /// The items of a page, each with the effective actions on its resource.
    pub(crate) async fn view_all_resources<T>(
        &self,
        tx: &mut dyn ReadTx,
        page: Page<T>,
        resource: impl Fn(&T) -> &Resource,
    ) -> Result<Page<(T, Actions)>> {
        let resources: Vec<&Resource> = page.items.iter().map(&resource).collect();
        let submissions = self.submissions_of(tx, &resources).await?;
        let targets = resources.iter();
        let targets: Vec<Target> = targets
            .filter_map(|resource| Self::target_of(resource, &submissions))
            .collect();
        self.fetch(tx, &targets).await?;
        Ok(page.map(|item| {
            let target = Self::target_of(resource(&item), &submissions);
            let actions = self.known_actions_on_resource(resource(&item), target.as_ref());
            (item, actions)
        }))
    }

    fn known_actions_on_resource(&self, resource: &Resource, target: Option<&Target>) -> Actions {
        let (by_grants, by_policy) = (
            self.known_actions_on(target),
            self.by_policy(&resource.resource),
        );
        by_grants.iter().chain(by_policy.iter()).cloned().collect()
    }

    /// The actions that policies give on a resource: `manage` on a collection. What they give on items is part of
    /// [`Held`].
    fn by_policy(&self, resource: &ResourceRef) -> Actions {
        let manages = || {
            self.known().held.manages_everything()
                || self
                    .authority
                    .manages_collection(self.caller, &resource.class)
        };
        if resource.identifier.is_none() && manages() {
            Actions::manage()
        } else {
            Actions::default()
        }
    }

    /// The target for a resource. For a submission, `submissions` must contain it.
    fn target_of(
        resource: &Resource,
        submissions: &HashMap<SubmissionId, SubmissionFacts>,
    ) -> Option<Target> {
        Some(match resource.object {
            Object::Group(id) => Target::Group(id),
            Object::Form(id) => Target::Form(id),
            Object::Submissions(form) => Target::Submissions(form),
            Object::Submission { id, .. } => Target::Submission(*submissions.get(&id)?),
            Object::Other(id) => Target::Other {
                id,
                class: resource.resource.class.clone(),
            },
        })
    }

    /// The facts about the submissions among the resources, fetched together.
    async fn submissions_of(
        &self,
        tx: &mut dyn ReadTx,
        resources: &[&Resource],
    ) -> Result<HashMap<SubmissionId, SubmissionFacts>> {
        let ids = resources.iter();
        let ids = ids.filter_map(|resource| Self::submission_of(resource));
        self.facts_of(tx, ids.collect()).await
    }

    fn submission_of(resource: &Resource) -> Option<SubmissionId> {
        match resource.object {
            Object::Submission { id, .. } => Some(id),
            _ => None,
        }
    }

    /// The facts about submissions, fetched together.
    async fn facts_of(
        &self,
        tx: &mut dyn ReadTx,
        ids: Vec<SubmissionId>,
    ) -> Result<HashMap<SubmissionId, SubmissionFacts>> {
        let headers = match tx.read_submissions() {
            Ok(submissions) if !ids.is_empty() => submissions.submission_headers(&ids).await?,
            _ => Vec::new(),
        };
        let facts = headers.into_iter().map(|header| SubmissionFacts {
            id: header.id,
            form: header.form,
            rules: header.rules,
            state: header.state,
            is_creator: self.is_creator(&header.creator),
        });
        Ok(facts.map(|facts| (facts.id, facts)).collect())
    }

    fn facts(&self, submission: &Submission, rules: &SubmissionRules) -> SubmissionFacts {
        SubmissionFacts {
            id: submission.id,
            form: submission.form,
            rules: *rules,
            state: submission.state,
            is_creator: self.is_creator(&submission.creator),
        }
    }

    fn is_creator(&self, creator: &UserId) -> bool {
        self.caller.owner() == Some(creator)
    }

    /// A submission of a form with these rules as a target.
    pub(crate) fn submission(&self, submission: &Submission, rules: &SubmissionRules) -> Target {
        Target::Submission(self.facts(submission, rules))
    }
}
