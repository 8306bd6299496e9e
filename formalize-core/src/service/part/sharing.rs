//! Sharing a form: the grants that a purpose requires are created and deleted together.

use std::collections::BTreeSet;
use std::str::FromStr;

use crate::authz::policy::Operation;
use crate::authz::scope::{GrantScope, ItemScope};
use crate::error::{Error, Result};
use crate::id::FormId;
use crate::model::action::{Action, Actions};
use crate::model::event::EventContent;
use crate::model::event_type::EventType;
use crate::model::grant::{Grant, NewGrant};
use crate::model::resource::{ResourceFilter, ResourceRef};
use crate::model::subject::{Caller, Subject, UserId};
use crate::page::Window;
use crate::service::grants::delete_guarded;
use crate::service::{End, FormsService, GrantsService, Viewed};
use crate::store::{WebhookScope, WriteTx};

/// What a form is shared for: a set of actions on the form that are useful together.
///
/// ```
/// use formalize_core::{Action, forms::FormAccess};
///
/// let fill: FormAccess = "fill".parse()?;
/// assert_eq!(fill.actions(), [Action::READ, Action::CREATE_SUBMISSIONS]);
/// # Ok::<(), formalize_core::forms::UnknownFormAccess>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormAccess {
    /// See the form and submit to it: `read` and `create_submissions`.
    Fill,
    /// See the form and everything submitted to it: `read` and `read_submissions`.
    ReadAnswers,
    /// See the form, and see and change everything submitted to it: `read`, `read_submissions` and
    /// `update_submissions`.
    ChangeAnswers,
    /// See and change the form itself: `read` and `update`.
    Edit,
    /// Everything, including sharing the form with others: `manage`.
    Manage,
}

/// The text is not the name of a [`FormAccess`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be fill, read-answers, change-answers, edit or manage")]
pub struct UnknownFormAccess;

impl FormAccess {
    /// All values, from the least to the most access.
    pub const ALL: [Self; 5] = [
        Self::Fill,
        Self::ReadAnswers,
        Self::ChangeAnswers,
        Self::Edit,
        Self::Manage,
    ];

    /// The name, in kebab case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::ReadAnswers => "read-answers",
            Self::ChangeAnswers => "change-answers",
            Self::Edit => "edit",
            Self::Manage => "manage",
        }
    }

    /// The actions that the access consists of.
    pub const fn actions(self) -> &'static [Action] {
        const FILL: &[Action] = &[Action::READ, Action::CREATE_SUBMISSIONS];
        const READ_ANSWERS: &[Action] = &[Action::READ, Action::READ_SUBMISSIONS];
        const CHANGE_ANSWERS: &[Action] = &[
            Action::READ,
            Action::READ_SUBMISSIONS,
            Action::UPDATE_SUBMISSIONS,
        ];
        const EDIT: &[Action] = &[Action::READ, Action::UPDATE];
        const MANAGE: &[Action] = &[Action::MANAGE];
        match self {
            Self::Fill => FILL,
            Self::ReadAnswers => READ_ANSWERS,
            Self::ChangeAnswers => CHANGE_ANSWERS,
            Self::Edit => EDIT,
            Self::Manage => MANAGE,
        }
    }

    /// The accesses whose actions are all among these, without those that a larger one includes.
    ///
    /// ```
    /// use formalize_core::{Action, forms::FormAccess};
    ///
    /// let held = [&Action::READ, &Action::READ_SUBMISSIONS, &Action::UPDATE_SUBMISSIONS];
    /// assert_eq!(FormAccess::largest_of(&held.into()), [FormAccess::ChangeAnswers]);
    /// ```
    pub fn largest_of(held: &BTreeSet<&Action>) -> Vec<Self> {
        let complete = |access: &Self| access.actions().iter().all(|action| held.contains(action));
        let complete: Vec<_> = Self::ALL.into_iter().filter(complete).collect();
        let is_largest = |access: &&Self| {
            let mut others = complete.iter();
            !others.any(|other| other != *access && other.includes(**access))
        };
        complete.iter().filter(is_largest).copied().collect()
    }

    /// Whether this access has all actions of the other one.
    fn includes(self, other: Self) -> bool {
        let own = self.actions();
        other.actions().iter().all(|action| own.contains(action))
    }

    /// The actions to revoke together with this access, from those that a subject holds.
    ///
    /// These are the actions of this access and of every access that includes it, because changing answers requires
    /// reading them. An action is kept if it also belongs to another access that the subject holds completely and that
    /// neither includes this one nor is included in it. For example, `read` is kept for a subject who may still fill in
    /// the form.
    fn taken_back(self, held: &BTreeSet<&Action>) -> BTreeSet<&'static Action> {
        let including = Self::ALL.into_iter().filter(|other| other.includes(self));
        let kept: BTreeSet<&Action> = Self::ALL
            .into_iter()
            .filter(|other| !other.includes(self) && !self.includes(*other))
            .filter(|other| other.actions().iter().all(|action| held.contains(action)))
            .flat_map(Self::actions)
            .collect();
        let all = including.flat_map(Self::actions);
        all.filter(|action| held.contains(action) && !kept.contains(action))
            .collect()
    }
}

impl FromStr for FormAccess {
    type Err = UnknownFormAccess;

    fn from_str(name: &str) -> Result<Self, UnknownFormAccess> {
        let mut all = Self::ALL.into_iter();
        all.find(|access| access.as_str() == name)
            .ok_or(UnknownFormAccess)
    }
}

impl FormsService<'_> {
    /// Shares a form: creates the grants of `access` that `with` does not hold yet, in one transaction. Returns the new
    /// grants. Sharing again creates none.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`] unless the caller manages the form,
    /// [`InvalidGrant::DynamicGroupUndefined`](crate::authorization::InvalidGrant::DynamicGroupUndefined),
    /// [`Error::GroupNotFound`], [`Error::Store`].
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use formalize_core::store::memory::MemoryStore;
    /// use formalize_core::{
    ///     Action, Caller, DynamicGroupId, FormName, Formalize, NewForm, ResourceRef, Subject, SubmissionRules,
    ///     UserId, forms::FormAccess,
    /// };
    ///
    /// # formalize_conformance::example::run(async || {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// let new = NewForm::new(FormName::new("Workshop")?);
    /// let form = formalize.forms().create(&Caller::System, new).await?.item.id;
    ///
    /// let everybody = Subject::from(DynamicGroupId::EVERYBODY);
    /// formalize.forms().share(&Caller::System, form, &everybody, FormAccess::Fill).await?;
    ///
    /// let (grace, form_resource) = (Caller::user(UserId::new("grace")?), ResourceRef::form(form));
    /// let actions = formalize.resources().granted_actions(&grace, &form_resource).await?;
    /// assert!(actions.allows(&Action::READ) && actions.allows(&Action::CREATE_SUBMISSIONS));
    ///
    /// formalize.forms().unshare(&Caller::System, form, &everybody, FormAccess::Fill).await?;
    /// let actions = formalize.resources().granted_actions(&grace, &form_resource).await?;
    /// assert!(actions.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn share(
        &self,
        caller: &Caller,
        form: FormId,
        with: &Subject,
        access: FormAccess,
    ) -> Result<Vec<Viewed<Grant>>> {
        let writing = self.0.transact(async |mut tx| {
            let mut made = Vec::new();
            for action in access.actions() {
                let new = NewGrant::new(with.clone(), action.clone(), ResourceRef::form(form));
                let grants = GrantsService(self.0);
                match grants.create_in(tx.as_mut(), caller, new).await {
                    Ok(grant) => made.push(grant),
                    Err(Error::GrantExists) => {}
                    Err(Error::ResourceNotFound) => return Err(Error::FormNotFound),
                    Err(error) => return Err(error),
                }
            }
            Ok(End::commit(tx, made))
        });
        writing.await
    }

    /// Revokes what [`FormsService::share`] granted, in one transaction. Returns the deleted grants. Revoking again
    /// deletes none.
    ///
    /// Every access that includes this one is revoked too: without permission to read answers, a user may not change
    /// them either. Grants that another access requires are kept: revoking `edit` keeps `read` if the user may also
    /// fill in the form. It makes no difference how the grants were created.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`] unless the caller manages the form, [`Error::LastManageGrant`],
    /// [`Error::Store`].
    pub async fn unshare(
        &self,
        caller: &Caller,
        form: FormId,
        with: &Subject,
        access: FormAccess,
    ) -> Result<Vec<Grant>> {
        let writing = self.0.transact(async |mut tx| {
            let revoked = self.revoke(tx.as_mut(), caller, form, with, access);
            let (grants, _) = revoked.await?;
            Ok(End::commit(tx, grants))
        });
        writing.await
    }

    /// Takes part in a transaction. Returns the deleted grants, and what the caller may do on the form before that.
    async fn revoke(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        form: FormId,
        with: &Subject,
        access: FormAccess,
    ) -> Result<(Vec<Grant>, Actions)> {
        let now = self.0.now();
        let itself = ResourceRef::form(form);
        let found = tx.find_resource_of(&itself).await?;
        let resource = found.ok_or(Error::FormNotFound)?;
        let locked = tx.lock_resource_exclusive(resource.id).await?;
        locked.ok_or(Error::FormNotFound)?;
        let authorizer = self.0.authorizer(caller);
        let on_form = authorizer.actions_on_resource(tx, &resource).await?;
        authorizer.check(Operation::GrantDelete, &on_form)?;
        let filter = ResourceFilter::of(itself);
        let mut grants = tx.grants(&GrantScope::All, &filter, Window::ALL).await?;
        grants.retain(|grant| grant.subject == *with);
        let held: BTreeSet<&Action> = grants.iter().map(|grant| &grant.action).collect();
        let taken = access.taken_back(&held);
        grants.retain(|grant| taken.contains(&grant.action));
        for grant in &grants {
            delete_guarded(tx, grant).await?;
            let what = EventContent::grant(EventType::GrantDeleted, grant);
            let event = self.0.event(now, what);
            self.0.append(tx, event).await?;
        }
        Ok((grants, on_form))
    }

    /// Revokes a user's permission to manage a form, as [`unshare`](Self::unshare) does, and deletes the public links and the
    /// webhooks of the form that the user has created, in one transaction. Returns the number of these. Without this, they do
    /// not end when the user may no longer manage the form: others may rely on them.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`] unless the caller manages the form, [`Error::LastManageGrant`],
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let form = form.id;
    /// # let ann = Subject::User(UserId::new("ann")?);
    /// # formalize.forms().share(&Caller::System, form, &ann, FormAccess::Manage).await?;
    /// let bob = UserId::new("bob")?;
    /// let (system, subject) = (Caller::System, Subject::User(bob.clone()));
    /// formalize.forms().share(&system, form, &subject, FormAccess::Manage).await?;
    /// let (_, secret) = formalize.links().create(&Caller::user(bob.clone()), NewFormLink::to(form)).await?;
    ///
    /// assert_eq!(formalize.forms().dismiss(&system, form, &bob).await?, 1);
    /// assert_eq!(formalize.links().authenticate(secret.expose()).await?, None);
    /// # Ok(()) });
    /// ```
    pub async fn dismiss(&self, caller: &Caller, form: FormId, manager: &UserId) -> Result<u64> {
        let writing = self.0.transact(async |mut tx| {
            let subject = Subject::User(manager.clone());
            let revoked = self.revoke(tx.as_mut(), caller, form, &subject, FormAccess::Manage);
            let (_, on_form) = revoked.await?;
            let authorizer = self.0.authorizer(caller);
            authorizer.check(Operation::LinkDelete, &on_form)?;
            authorizer.check(Operation::WebhookDelete, &on_form)?;
            let mut ended = 0;
            let mut links = match tx.read_links() {
                Ok(links) => links.links(form, Window::ALL).await?,
                Err(_) => Vec::new(),
            };
            links.retain(|link| link.creator == *manager);
            for link in links {
                tx.write_links()?.delete_link(link.id).await?;
                ended += 1;
            }
            let scope = WebhookScope {
                forms: ItemScope::All,
                of_all_forms: false,
            };
            let mut webhooks = match tx.read_webhooks() {
                Ok(webhooks) => webhooks.webhooks(&scope, Some(form), Window::ALL).await?,
                Err(_) => Vec::new(),
            };
            webhooks.retain(|webhook| webhook.creator == *manager);
            for webhook in webhooks {
                tx.write_webhooks()?.delete_webhook(webhook.id).await?;
                ended += 1;
            }
            Ok(End::commit(tx, ended))
        });
        writing.await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The actions that remain after one access is revoked.
    fn left(held: &[FormAccess], taken: FormAccess) -> Vec<String> {
        let held: BTreeSet<&Action> = held.iter().flat_map(|access| access.actions()).collect();
        let taken = taken.taken_back(&held);
        held.difference(&taken).map(ToString::to_string).collect()
    }

    #[test]
    fn names_parse_from_their_text() {
        for access in FormAccess::ALL {
            assert_eq!(access.as_str().parse(), Ok(access));
        }
        assert_eq!("read".parse::<FormAccess>(), Err(UnknownFormAccess));
    }

    #[test]
    fn a_single_access_is_revoked_completely() {
        for access in FormAccess::ALL {
            assert!(left(&[access], access).is_empty(), "{access:?}");
        }
    }

    #[test]
    fn actions_of_another_access_are_kept() {
        use FormAccess::{ChangeAnswers, Edit, Fill, Manage, ReadAnswers};
        assert_eq!(left(&[Fill, Edit], Edit), ["create_submissions", "read"]);
        assert_eq!(
            left(&[Fill, ReadAnswers], Fill),
            ["read", "read_submissions"]
        );
        assert_eq!(
            left(&[Fill, Manage], Manage),
            ["create_submissions", "read"]
        );
        assert_eq!(left(&[Fill], Manage), ["create_submissions", "read"]);
        assert!(left(&[ChangeAnswers], ReadAnswers).is_empty());
        assert!(left(&[ReadAnswers, ChangeAnswers], ChangeAnswers).is_empty());
    }
}
