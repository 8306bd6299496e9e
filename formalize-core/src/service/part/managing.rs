//! What pages need to let people look after forms.

use super::forms::view;
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::id::FormId;
use crate::model::action::Action;
use crate::model::form::Form;
use crate::model::subject::Caller;
use crate::service::{FormView, FormsService};

/// A form as its managers, or those of its submissions, see it. Some of them may not read the form itself.
#[derive(Debug)]
pub struct FormToManage(FormView);

impl FormToManage {
    /// The form.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if the caller may not read it.
    pub fn readable(&self) -> Result<&Form> {
        self.require(Operation::FormGet)?;
        Ok(&self.0.item)
    }

    /// Whether the caller may do this with the form, as [`FormView::may`] says.
    pub fn may(&self, operation: Operation) -> bool {
        self.0.may(operation)
    }

    /// [`FormToManage::may`] as a result.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] if the caller may not.
    pub fn require(&self, operation: Operation) -> Result<()> {
        self.may(operation).then_some(()).ok_or(Error::Forbidden)
    }

    /// Whether the caller manages the submissions: everyone who manages the form does, and others may.
    pub fn manages_submissions(&self) -> bool {
        self.0.manages_submissions
    }

    /// Whether the caller reads everything that was submitted, and not only single submissions.
    pub fn reads_all_submissions(&self) -> bool {
        self.0.granted_actions.allows(&Action::READ_SUBMISSIONS)
    }

    /// Whether there may be submissions that the caller can read or delete: all, their own, or any for which grants decide. Those
    /// who may not read the form do not learn which of these it is.
    pub fn may_have_submissions(&self) -> bool {
        let form = self.readable().ok();
        self.reads_all_submissions()
            || self.may(Operation::SubmissionDeleteAll)
            || self.0.num_submissions_by_caller.is_some_and(|own| own > 0)
            || form.is_none_or(|form| form.rules.grant_based)
    }
}

impl FormsService<'_> {
    /// What the caller may do with a form and its submissions, if only to find out that it is nothing.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let form = form.id;
    /// let bob = UserId::new("bob")?;
    /// let answers = ResourceRef::submission_collection(form);
    /// let grant = NewGrant::new(bob.clone(), Action::MANAGE, answers);
    /// formalize.grants().create(&Caller::System, grant).await?;
    ///
    /// let managed = formalize.forms().to_manage(&Caller::user(bob), form).await?;
    /// assert!(managed.manages_submissions() && managed.may(Operation::SubmissionDeleteAll));
    /// assert!(matches!(managed.readable(), Err(Error::Forbidden)));
    /// # Ok(()) });
    /// ```
    pub async fn to_manage(&self, caller: &Caller, id: FormId) -> Result<FormToManage> {
        let reading = self.0.read_once(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.find_form(tx.as_mut(), id).await?;
            let (form, places) = found.ok_or(Error::FormNotFound)?;
            let view = view(&authorizer, tx.as_mut(), form, places.by_caller).await?;
            Ok(FormToManage(view))
        });
        reading.await
    }
}
