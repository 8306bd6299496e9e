//! Fetches what a decision needs, within the transaction of the call, and asks for it.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::authz::authority::Authority;
use crate::authz::decision::{Held, HeldGrant, SubmissionFacts, Target, effective_actions};
use crate::authz::policy::{Operation, rule};
use crate::authz::scope::{ItemScope, Reach, Reached, Subjects};
use crate::error::{Error, Result};
use crate::id::{FormId, GroupId, SubmissionId};
use crate::model::action::{Action, Actions};
use crate::model::form::{Form, SubmissionRules};
use crate::model::group::Group;
use crate::model::resource::{Anchor, Resource, ResourceClass, ResourceRef};
use crate::model::subject::{Caller, Subject, UserId};
use crate::model::submission::Submission;
use crate::store::{Principal, ReadTx};

/// The entitlements of one caller in one transaction.
pub(crate) struct Authorizer<'a> {
    authority: &'a Authority,
    caller: &'a Caller,
    author: UserId,
    /// The caller and the dynamic groups; and the groups, where they are known.
    subjects: Subjects,
    has_groups: bool,
    known: Mutex<Known>,
}

/// What has been found out, so that nothing is asked twice.
#[derive(Default)]
struct Known {
    /// Under these anchors the caller holds what is held here, and nothing else.
    anchors: HashSet<Anchor>,
    held: Held,
}

impl<'a> Authorizer<'a> {
    /// The entitlements to single items. Nothing is asked yet; what the caller holds as a member of groups is found
    /// together with the rest.
    pub(crate) fn new(authority: &'a Authority, caller: &'a Caller) -> Self {
        let subjects = match caller {
            Caller::System => Vec::new(),
            Caller::User(user) => authority
                .dynamic_groups_of(user)
                .into_iter()
                .map(Subject::DynamicGroup)
                .chain([Subject::User(user.id.clone())])
                .collect(),
        };
        Self {
            authority,
            caller,
            author: caller.author(),
            subjects: Subjects::new(subjects),
            has_groups: false,
            known: Mutex::default(),
        }
    }

    /// Finds the groups of the caller as well: for scopes of lists, and to tell whose grants are the caller's.
    pub(crate) async fn with_groups(self, tx: &mut dyn ReadTx) -> Result<Self> {
        let groups = match self.caller {
            Caller::System => Vec::new(),
            Caller::User(user) => tx.groups_of(&user.id).await?,
        };
        let groups = groups.into_iter().map(Subject::Group);
        let subjects = groups.chain(self.subjects.iter().cloned()).collect();
        Ok(Self {
            subjects: Subjects::new(subjects),
            has_groups: true,
            ..self
        })
    }

    fn holder(&self) -> Principal<'_> {
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

    /// Takes note of a record that was made in this transaction, and of its resource, which the caller manages.
    pub(crate) fn made(&self, anchor: impl Into<Anchor>, class: ResourceClass) {
        let anchor = anchor.into();
        let managed = self.caller.user_id().map(|_| HeldGrant {
            anchor,
            class,
            action: Action::MANAGE,
        });
        self.learn([anchor], managed.into_iter().collect());
    }

    /// A group, with what is needed to decide about it.
    pub(crate) async fn find_group(
        &self,
        tx: &mut dyn ReadTx,
        id: GroupId,
    ) -> Result<Option<Group>> {
        let found = tx.find_group_for(id, self.holder()).await?;
        Ok(found.map(|(group, held)| {
            self.learn([id.into()], held);
            group
        }))
    }

    /// A form, with what is needed to decide about it, and how many submissions of it the caller has.
    pub(crate) async fn find_form(
        &self,
        tx: &mut dyn ReadTx,
        id: FormId,
    ) -> Result<Option<(Form, i64)>> {
        let found = tx.find_form_for(id, self.holder()).await?;
        Ok(found.map(|found| {
            self.learn([id.into()], found.held);
            (found.form, found.places_taken)
        }))
    }

    /// A submission and the rules of its form, with what is needed to decide about it.
    pub(crate) async fn find_submission(
        &self,
        tx: &mut dyn ReadTx,
        id: SubmissionId,
    ) -> Result<Option<(Submission, SubmissionRules)>> {
        let found = tx.find_submission_for(id, self.holder()).await?;
        Ok(found.map(|found| {
            let anchors = [id.into(), found.submission.form.into()];
            self.learn(anchors, found.held);
            (found.submission, found.rules)
        }))
    }

    /// The effective actions on a target, provided that they are enough for the operation.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] when they are not.
    pub(crate) async fn require(
        &self,
        tx: &mut dyn ReadTx,
        operation: Operation,
        target: &Target,
    ) -> Result<Actions> {
        let actions = self.actions_on(tx, target).await?;
        self.check(operation, &actions, false)?;
        Ok(actions)
    }

    /// Whether the effective actions are enough for the operation; `holds_grant` tells whether the caller is a holder
    /// of the grant that it is about.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] when they are not.
    pub(crate) fn check(
        &self,
        operation: Operation,
        actions: &Actions,
        holds_grant: bool,
    ) -> Result<()> {
        let allowed =
            *self.caller == Caller::System || rule(operation).is_satisfied(actions, holds_grant);
        if allowed {
            Ok(())
        } else {
            Err(Error::Forbidden)
        }
    }

    /// Whether the caller holds grants of this subject, if the groups are known.
    pub(crate) fn is(&self, subject: &Subject) -> bool {
        self.subjects.contains(subject)
    }

    /// The effective actions on one target.
    pub(crate) async fn actions_on(&self, tx: &mut dyn ReadTx, target: &Target) -> Result<Actions> {
        let actions = self
            .actions_on_all(tx, std::slice::from_ref(target))
            .await?;
        Ok(actions.into_iter().next().unwrap_or_default())
    }

    /// The effective actions on each target, in their order.
    pub(crate) async fn actions_on_all(
        &self,
        tx: &mut dyn ReadTx,
        targets: &[Target],
    ) -> Result<Vec<Actions>> {
        if *self.caller == Caller::System {
            return Ok(vec![Actions::manage(); targets.len()]);
        }
        let unknown = self.unknown(targets);
        if !unknown.is_empty() {
            let held = if self.has_groups {
                tx.held(&unknown, &self.subjects).await?
            } else {
                tx.held_by(&unknown, self.holder()).await?
            };
            self.learn(unknown, held);
        }
        let known = self.known();
        let actions = targets
            .iter()
            .map(|target| effective_actions(&known.held, target));
        Ok(actions.collect())
    }

    /// The anchors that bear on targets and of which nothing is known, each once.
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

    /// The effective actions on the collection of a class.
    pub(crate) async fn actions_on_collection(
        &self,
        tx: &mut dyn ReadTx,
        class: ResourceClass,
    ) -> Result<Actions> {
        let collection = ResourceRef::collection(class);
        let found = tx.find_resource_of(&collection).await?;
        match found {
            Some(resource) => self.actions_on_resource(tx, &resource).await,
            None => Ok(self.by_policy(&collection)),
        }
    }

    /// The effective actions on a resource.
    pub(crate) async fn actions_on_resource(
        &self,
        tx: &mut dyn ReadTx,
        resource: &Resource,
    ) -> Result<Actions> {
        let actions = self.actions_on_resources(tx, &[resource]).await?;
        Ok(actions.into_iter().next().unwrap_or_default())
    }

    /// The effective actions on each resource, in their order.
    pub(crate) async fn actions_on_resources(
        &self,
        tx: &mut dyn ReadTx,
        resources: &[&Resource],
    ) -> Result<Vec<Actions>> {
        let targets = self.targets_of(tx, resources).await?;
        let by_grants = self.actions_on_all(tx, &targets).await?;
        let with_policies = resources
            .iter()
            .zip(by_grants)
            .map(|(resource, by_grants)| {
                let by_policy = self.by_policy(&resource.resource);
                by_grants.iter().chain(by_policy.iter()).cloned().collect()
            });
        Ok(with_policies.collect())
    }

    /// What a policy gives on a resource: `manage` on a collection.
    fn by_policy(&self, resource: &ResourceRef) -> Actions {
        let manages = resource.identifier.is_none()
            && self
                .authority
                .manages_collection(self.caller, &resource.class);
        if manages {
            Actions::manage()
        } else {
            Actions::default()
        }
    }

    /// The targets that resources stand for; what is known of submissions is fetched together.
    async fn targets_of(
        &self,
        tx: &mut dyn ReadTx,
        resources: &[&Resource],
    ) -> Result<Vec<Target>> {
        let of_submissions: Vec<SubmissionId> = resources
            .iter()
            .filter(|resource| resource.form.is_some())
            .map(|resource| SubmissionId::from_uuid(resource.anchor.0))
            .collect();
        let submissions = self.submission_targets(tx, &of_submissions).await?;
        let target_of = |resource: &Resource| match (&resource.resource.identifier, resource.form) {
            (Some(_), Some(_)) => submissions
                .get(&resource.anchor)
                .cloned()
                .unwrap_or(Target::Nothing),
            (Some(_), None) if resource.resource.class == ResourceClass::FORM => {
                Target::Form(FormId::from_uuid(resource.anchor.0))
            }
            (Some(_), None) if resource.resource.class == ResourceClass::SUBMISSION_COLLECTION => {
                Target::SubmissionCollection(FormId::from_uuid(resource.anchor.0))
            }
            _ => Target::Plain {
                anchor: resource.anchor,
                class: resource.resource.class.clone(),
            },
        };
        Ok(resources
            .iter()
            .map(|resource| target_of(resource))
            .collect())
    }

    async fn submission_targets(
        &self,
        tx: &mut dyn ReadTx,
        ids: &[SubmissionId],
    ) -> Result<HashMap<Anchor, Target>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let submissions = tx.submissions_of(ids).await?;
        let mut forms: Vec<FormId> = submissions
            .iter()
            .map(|submission| submission.form)
            .collect();
        forms.sort_unstable();
        forms.dedup();
        let rules: HashMap<FormId, SubmissionRules> = tx
            .forms_of(&forms)
            .await?
            .into_iter()
            .map(|form| (form.id, form.rules))
            .collect();
        let targets = submissions.iter().filter_map(|submission| {
            let rules = rules.get(&submission.form)?;
            Some((submission.id.into(), self.submission(submission, rules)))
        });
        Ok(targets.collect())
    }

    /// A submission of a form with these rules as a target.
    pub(crate) fn submission(&self, submission: &Submission, rules: &SubmissionRules) -> Target {
        Target::Submission(SubmissionFacts {
            anchor: submission.id.into(),
            form: submission.form,
            rules: *rules,
            state: submission.state,
            is_creator: self.caller.user_id() == Some(&submission.creator),
        })
    }

    /// A group as a target.
    pub(crate) fn group(id: GroupId) -> Target {
        Target::Plain {
            anchor: id.into(),
            class: ResourceClass::GROUP,
        }
    }

    /// The items of a class that the caller may read, if the groups are known.
    pub(crate) fn readable(&self, class: ResourceClass) -> ItemScope {
        match self.caller {
            Caller::System => ItemScope::All,
            Caller::User(_) => ItemScope::granted(self.subjects.clone(), class, Action::READ),
        }
    }

    /// The resources that the caller reaches in these ways, if the groups are known, with the collections that policies
    /// give; `None` is all.
    pub(crate) fn reached(&self, ways: Vec<Reach>) -> Option<Reached> {
        self.caller.user_id().map(|_| Reached {
            subjects: self.subjects.clone(),
            ways,
            managed_collections: self.authority.managed_collections(self.caller),
        })
    }

    /// Everyone whose grants count for the caller, if the groups are known.
    pub(crate) fn subjects(&self) -> &Subjects {
        &self.subjects
    }
}
