//! Scopes of lists, derived from the policy of the operations on single items.

use super::Authorizer;
use crate::authz::decision::Target;
use crate::authz::policy::{Operation, Rule};
use crate::authz::scope::{
    FormList, FormScope, GrantScope, ItemScope, Reach, Reached, ResourceScope, SubmissionReach,
    SubmissionScope,
};
use crate::error::{Error, Result};
use crate::model::action::{Action, Actions};
use crate::model::form::Form;
use crate::model::form_details::FrontendKeys;
use crate::model::resource::ResourceClass;
use crate::model::subject::Caller;
use crate::store::{ReadTx, WebhookScope};

/// All methods require the caller's groups, see [`Authorizer::with_groups`].
impl Authorizer<'_> {
    /// The items that a list shows: those on which the caller has the action that reading an item requires.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if reading an item requires anything other than one action on it.
    pub(crate) fn item_scope(&self, list: Operation) -> Result<ItemScope> {
        if *self.caller == Caller::System {
            return Ok(ItemScope::All);
        }
        let (class, action) = self.item_rule(list)?;
        if self.known().held.manages_all(&class) {
            return Ok(ItemScope::All);
        }
        Ok(ItemScope::granted(self.subjects.clone(), &class, &action))
    }

    /// The webhooks that a list shows.
    ///
    /// # Errors
    ///
    /// As [`Authorizer::item_scope`].
    pub(crate) fn webhook_scope(&self) -> Result<WebhookScope> {
        Ok(WebhookScope {
            forms: self.item_scope(Operation::WebhookList)?,
            of_all_forms: self.allows(Operation::WebhookOfAllForms, &Actions::default()),
        })
    }

    /// The class and the action required for each item of a list.
    fn item_rule(&self, list: Operation) -> Result<(ResourceClass, Action)> {
        match self.authority.policy.of_items(list) {
            Rule::OnItem(class, action) => Ok((class, action)),
            _ => Err(Error::Forbidden),
        }
    }

    /// The forms that a list shows.
    ///
    /// # Errors
    ///
    /// As [`Authorizer::item_scope`].
    pub(crate) fn form_scope(&self, list: FormList, keys: FrontendKeys) -> Result<FormScope> {
        let operation = match list {
            FormList::ToFillIn => Operation::FormListToFillIn,
            FormList::Readable | FormList::WithSubmissions | FormList::ToLookAfter => {
                Operation::FormList
            }
        };
        let reach = match list {
            FormList::Readable | FormList::ToFillIn => None,
            FormList::WithSubmissions => self.submission_reach()?,
            FormList::ToLookAfter => {
                let (_, update) = self.item_rule(Operation::FormUpdate)?;
                self.submission_reach()?.map(|reach| reach.or(&update))
            }
        };
        Ok(FormScope {
            items: self.item_scope(operation)?,
            with_submissions: reach.filter(|reach| !self.reaches_all(reach)),
            keys,
        })
    }

    /// The ways to submissions that the caller may read; `None` for the system, which may read all.
    fn submission_reach(&self) -> Result<Option<SubmissionReach>> {
        let (_, action) = self.item_rule(Operation::SubmissionList)?;
        let reader = self.caller.user_id();
        Ok(reader.map(|user| SubmissionReach::to(&action, self.subjects.clone(), user.clone())))
    }

    /// Whether the caller has access to the submitted submissions of every form.
    fn reaches_all(&self, reach: &SubmissionReach) -> bool {
        let known = self.known();
        let mut through_form = reach.through_form.iter();
        through_form.any(|holding| known.held.manages_all(&holding.class))
    }

    /// The submissions of a form that a list shows.
    ///
    /// # Errors
    ///
    /// As [`Authorizer::item_scope`]; [`Error::Store`].
    pub(crate) async fn submission_scope(
        &self,
        tx: &mut dyn ReadTx,
        form: &Form,
    ) -> Result<SubmissionScope> {
        let user = match self.caller {
            Caller::System => return Ok(SubmissionScope::everything()),
            Caller::Link(_) => return Ok(SubmissionScope::nothing()),
            Caller::User(user) => user,
        };
        let (_, action) = self.item_rule(Operation::SubmissionList)?;
        self.fetch(tx, &[Target::Form(form.id)]).await?;
        let known = self.known();
        let holds = |class: &ResourceClass, action: &Action| {
            known.held.allows(form.id.into(), class, action)
        };
        Ok(SubmissionScope::to(
            &action,
            &form.rules,
            &self.subjects,
            &user.id,
            holds,
        ))
    }

    /// The resources that a list shows.
    ///
    /// # Errors
    ///
    /// As [`Authorizer::item_scope`].
    pub(crate) fn resource_scope(&self, list: Operation) -> Result<ResourceScope> {
        let action = match self.authority.policy.of_items(list) {
            Rule::AnyAction => None,
            Rule::OnResource(action) => Some(action),
            _ => return Err(Error::Forbidden),
        };
        Ok(self.resources_with(action.as_ref()))
    }

    /// The resources on which the caller has the action, or any action if `None`.
    pub(crate) fn resources_with(&self, action: Option<&Action>) -> ResourceScope {
        let reached = self.reached(action);
        reached.map_or(ResourceScope::All, ResourceScope::Reached)
    }

    /// The grants that a list shows.
    ///
    /// # Errors
    ///
    /// As [`Authorizer::item_scope`].
    pub(crate) fn grant_scope(&self, list: Operation) -> Result<GrantScope> {
        let Rule::HolderOr(action) = self.authority.policy.of_items(list) else {
            return Err(Error::Forbidden);
        };
        let reached = self.reached(Some(&action));
        Ok(reached.map_or(GrantScope::All, GrantScope::HeldOrOn))
    }

    /// The resources on which the caller has the action (any action if `None`), and the collections that the caller
    /// manages by policy. Returns `None` for the system, which has no restriction.
    fn reached(&self, action: Option<&Action>) -> Option<Reached> {
        let ways = if self.known().held.manages_everything() {
            Reach::of_managers_of_everything
        } else {
            Reach::to
        };
        self.caller.user_id().map(|_| Reached {
            subjects: self.subjects.clone(),
            ways: ways(action),
            managed_collections: self.authority.managed_collections(self.caller),
        })
    }
}
