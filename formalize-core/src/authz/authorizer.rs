//! Fetches what a decision needs, within the transaction of the call, and asks for it.

use std::collections::HashMap;

use crate::authz::authority::Authority;
use crate::authz::decision::{Held, SubmissionFacts, Target, effective_actions};
use crate::authz::policy::{Operation, rule};
use crate::authz::scope::{ItemScope, Reach, Reached, Subjects};
use crate::error::{Error, Result};
use crate::id::{FormId, GroupId, SubmissionId};
use crate::model::action::{Action, Actions};
use crate::model::form::SubmissionRules;
use crate::model::resource::{Anchor, Resource, ResourceClass, ResourceRef};
use crate::model::subject::{Caller, Subject};
use crate::model::submission::Submission;
use crate::store::ReadTx;

/// The entitlements of one caller in one transaction.
pub(crate) struct Authorizer<'a> {
    authority: &'a Authority,
    caller: &'a Caller,
    subjects: Subjects,
}

impl<'a> Authorizer<'a> {
    /// Finds everyone whose grants count for the caller.
    pub(crate) async fn load(
        authority: &'a Authority,
        caller: &'a Caller,
        tx: &mut dyn ReadTx,
    ) -> Result<Self> {
        let subjects = match caller {
            Caller::System => Vec::new(),
            Caller::User(user) => {
                let groups = tx
                    .groups_of(&user.id)
                    .await?
                    .into_iter()
                    .map(Subject::Group);
                let dynamic = authority
                    .dynamic_groups_of(user)
                    .into_iter()
                    .map(Subject::DynamicGroup);
                groups
                    .chain(dynamic)
                    .chain([Subject::User(user.id.clone())])
                    .collect()
            }
        };
        Ok(Self {
            authority,
            caller,
            subjects: Subjects::new(subjects),
        })
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

    /// Whether the caller holds grants of this subject.
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
        let mut anchors: Vec<Anchor> = targets.iter().flat_map(Target::anchors).collect();
        anchors.sort_unstable();
        anchors.dedup();
        if anchors.is_empty() {
            return Ok(vec![Actions::default(); targets.len()]);
        }
        let held: Held = tx
            .held(&anchors, &self.subjects)
            .await?
            .into_iter()
            .collect();
        Ok(targets
            .iter()
            .map(|target| effective_actions(&held, target))
            .collect())
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

    /// The items of a class that the caller may read.
    pub(crate) fn readable(&self, class: ResourceClass) -> ItemScope {
        match self.caller {
            Caller::System => ItemScope::All,
            Caller::User(_) => ItemScope::granted(self.subjects.clone(), class, Action::READ),
        }
    }

    /// The resources that the caller reaches in these ways, with the collections that policies give; `None` is all.
    pub(crate) fn reached(&self, ways: Vec<Reach>) -> Option<Reached> {
        self.caller.user_id().map(|_| Reached {
            subjects: self.subjects.clone(),
            ways,
            managed_collections: self.authority.managed_collections(self.caller),
        })
    }

    /// Everyone whose grants count for the caller.
    pub(crate) fn subjects(&self) -> &Subjects {
        &self.subjects
    }
}
