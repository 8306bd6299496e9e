//! Forms with what a caller may do with them, and the scopes of lists of forms and of what belongs to them.

use super::Authorizer;
use crate::authz::decision::Target;
use crate::authz::of_forms::FormList;
use crate::authz::policy::Operation;
use crate::authz::scope::{FormScope, SubmissionReach, SubmissionScope};
use crate::error::{Error, Result};
use crate::id::FormId;
use crate::model::action::{Action, Actions};
use crate::model::form::Form;
use crate::model::form_details::FrontendKeys;
use crate::model::resource::ResourceClass;
use crate::model::subject::Caller;
use crate::store::{ReadTx, WebhookScope};

/// The places of a form that are taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacesTaken {
    /// The number of the caller's submissions, including drafts.
    pub(crate) by_caller: i64,
    /// The number of submitted submissions, if the form has a limit.
    pub(crate) of_form: Option<i64>,
}

impl Authorizer<'_> {
    /// Fetches a form together with the grants needed to authorize access to it, and its places.
    pub(crate) async fn find_form(
        &self,
        tx: &mut dyn ReadTx,
        id: FormId,
    ) -> Result<Option<(Form, PlacesTaken)>> {
        let found = tx.read_forms()?.find_form_for(id, self.principal());
        let found = self.searching(found).await?;
        Ok(found.map(|found| {
            self.learn([id.into()], found.held);
            let places = PlacesTaken {
                by_caller: found.places_taken,
                of_form: found.form_places_taken,
            };
            (found.form, places)
        }))
    }

    /// A form on which the caller may perform an operation, how many places are taken in it, and the caller's actions on it.
    pub(crate) async fn require_form(
        &self,
        tx: &mut dyn ReadTx,
        operation: Operation,
        id: FormId,
    ) -> Result<(Form, PlacesTaken, Actions)> {
        let found = self.find_form(tx, id).await?;
        let (form, taken) = found.ok_or(Error::FormNotFound)?;
        let actions = self.require(tx, operation, &Target::Form(id)).await?;
        Ok((form, taken, actions))
    }

    /// Whether the caller manages the submissions of a form whose grants have been fetched.
    pub(crate) fn manages_submissions(&self, form: FormId) -> bool {
        let actions = self.known_actions_on(Some(&Target::Submissions(form)));
        self.allows(Operation::GrantCreate, &actions)
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
}
