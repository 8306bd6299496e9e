//! Use cases of forms.

use std::sync::Arc;

use formalize_schema::DataSchema;
use formalize_schema::questions::Questions;

use super::warnings::warnings;
use crate::authorizer::Authorizer;
use crate::authz::decision::Target;
use crate::authz::policy::{Operation, Policy};
use crate::authz::scope::Audience;
use crate::error::{Error, Result};
use crate::fields::{Field, InvalidFields};
use crate::id::{Expected, FormId};
use crate::model::action::Actions;
use crate::model::change::Change;
use crate::model::deletion::Deletion;
use crate::model::event::EventContent;
use crate::model::event_type::EventType;
use crate::model::form::{Form, FormChange, NewForm};
use crate::model::resource::{Object, ResourceClass, ResourceFilter, ResourceRef};
use crate::model::subject::Caller;
use crate::model::tag::AvailableTags;
use crate::model::warning::FormWarning;
use crate::offload::offload_for;
use crate::page::PageRequest;
use crate::service::keyed::{ResponseKeeper, create_once, keep};
use crate::service::{End, GrantsService, Shared};
use crate::store::{Inserted, ReadTx, WriteTx};

/// A form with the caller's permissions on it, like [`Viewed`](crate::Viewed), and the number of the caller's submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormView {
    /// The form.
    pub item: Form,
    /// The caller's effective actions on it.
    pub granted_actions: Actions,
    /// Whether the caller manages the submissions to it: everyone who manages the form does, and others may.
    pub manages_submissions: bool,
    /// Whether the caller sees the tags for submissions. If not, the item is without them.
    pub sees_available_tags: bool,
    /// The number of submissions that the caller has created for it, including drafts; `None` in lists.
    pub num_submissions_by_caller: Option<i64>,
    /// What the author of a schema that was just stored may not have meant; else empty.
    pub warnings: Vec<FormWarning>,
}

impl FormView {
    /// Whether the caller may do this with the form. An operation on something else, such as one submission, is not permitted.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// # let form = form.id;
    /// # let alice = Caller::user(UserId::new("alice")?);
    /// # let everybody = Subject::from(DynamicGroupId::EVERYBODY);
    /// formalize.forms().share(&Caller::System, form, &everybody, FormAccess::Fill).await?;
    /// let view = formalize.forms().get(&alice, form).await?;
    /// assert!(view.may(Operation::SubmissionCreate));
    /// assert!(!view.may(Operation::FormUpdate));
    /// # Ok(()) });
    /// ```
    pub fn may(&self, operation: Operation) -> bool {
        Policy::default().permits(&ResourceClass::FORM, &self.granted_actions, operation)
    }
}

/// How many portions of a deleted form are deleted before the deletion returns, which takes about a second.
const PORTIONS_AT_ONCE: usize = 20;

/// Forms. Policies and grants decide who may create them; creators manage their forms.
pub struct FormsService<'a>(pub(in crate::service) &'a Shared);

impl FormsService<'_> {
    /// Creates a form, which its creator then manages.
    ///
    /// # Errors
    ///
    /// In this order: [`InvalidFields::Form`] without an allowed state, [`Error::Forbidden`], [`Error::DataSchemaInvalid`];
    /// [`Error::Store`] at any time.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let new = NewForm {
    ///     data_feed_schema: Some(r#"{"required": ["name"]}"#.to_owned()),
    ///     rules: SubmissionRules { cap: Some(SubmissionCap::new(1)?), ..SubmissionRules::default() },
    ///     ..NewForm::new(FormName::new("Registration")?)
    /// };
    /// let created = formalize.forms().create(&Caller::System, new).await?;
    /// assert_eq!(created.item.name.as_str(), "Registration");
    /// # Ok(()) });
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewForm) -> Result<FormView> {
        self.create_and_keep(caller, new, None).await
    }

    /// Creates a form with a chosen identifier, for applications that know their forms by fixed identifiers. It may be a UUID of
    /// any version; lists have the form where its identifier belongs, and not by its time.
    ///
    /// # Errors
    ///
    /// Those of [`create`](Self::create); [`Error::Forbidden`] if the caller is not the system;
    /// [`Error::FormIdentifierReserved`] for the UUID that is all zeroes; [`Error::FormExists`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let id: FormId = "7fd8c4c5-3e5b-4a06-9f6a-0d5f2d1f5f0e".parse()?;
    /// let new = || NewForm::new(FormName::new("Registration").unwrap());
    /// let created = formalize.forms().create_with_id(&Caller::System, id, new()).await?;
    /// assert_eq!(created.item.id, id);
    ///
    /// let again = formalize.forms().create_with_id(&Caller::System, id, new()).await;
    /// assert!(matches!(again, Err(Error::FormExists)));
    /// # Ok(()) });
    /// ```
    pub async fn create_with_id(
        &self,
        caller: &Caller,
        id: FormId,
        new: NewForm,
    ) -> Result<FormView> {
        // Otherwise users could find out which identifiers exist.
        ensure!(matches!(caller, Caller::System), Error::Forbidden);
        // Lists begin after it.
        ensure!(!id.as_uuid().is_nil(), Error::FormIdentifierReserved);
        self.create_as(caller, id, new, None).await
    }

    create_once!("a form", NewForm, FormView);

    /// Whether a policy, the [first start](crate::Builder::first_start) or a grant may let some user create forms. A program
    /// that starts without any should say so: nobody could begin to use it.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the store fails.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// assert!(!formalize.forms().anyone_may_create().await?);
    ///
    /// let forms = ResourceRef::collection(ResourceClass::FORM);
    /// let grant = NewGrant::new(UserId::new("alice")?, Action::CREATE, forms);
    /// formalize.grants().create(&Caller::System, grant).await?;
    /// assert!(formalize.forms().anyone_may_create().await?);
    /// # Ok(()) });
    /// ```
    pub async fn anyone_may_create(&self) -> Result<bool> {
        if self.0.authority.names_creators_of_forms() {
            return Ok(true);
        }
        let forms = ResourceFilter::of(ResourceRef::collection(ResourceClass::FORM));
        let grants = GrantsService(self.0);
        let first = PageRequest::default();
        let granted = grants.list(&Caller::System, &forms, &first).await?;
        Ok(!granted.items.is_empty())
    }

    async fn create_and_keep(
        &self,
        caller: &Caller,
        new: NewForm,
        keeper: Option<&ResponseKeeper<'_, FormView>>,
    ) -> Result<FormView> {
        let id = self.0.ids.next_form(self.0.now());
        self.create_as(caller, id, new, keeper).await
    }

    async fn create_as(
        &self,
        caller: &Caller,
        id: FormId,
        new: NewForm,
        keeper: Option<&ResponseKeeper<'_, FormView>>,
    ) -> Result<FormView> {
        let now = self.0.now();
        let form = Form {
            id,
            name: new.name,
            data_feed_schema: new.data_feed_schema.map(Into::into),
            rules: new.rules,
            details: new.details,
            date_created: now,
            revision: self.0.revision(now),
        };
        check_states(&form)?;
        let mut warnings = Vec::new();
        if let Some(schema) = &form.data_feed_schema {
            // Compiling is expensive, so it is done only for callers who may create the form.
            let reading = self.0.read(async |mut tx| {
                let authorizer = self.0.authorizer(caller);
                self.require_create(tx.as_mut(), &authorizer, caller, &form)
                    .await
            });
            reading.await?;
            warnings = self.check_schema(caller, schema).await?;
        }
        let is_keyed = keeper.is_some();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            self.require_create(tx.as_mut(), &authorizer, caller, &form)
                .await?;
            let inserted = tx.write_forms()?.insert_form(&form).await? == Inserted::Done;
            ensure!(inserted, Error::FormExists);
            self.insert_resources(tx.as_mut(), caller, &form).await?;
            authorizer.made(form.id, ResourceClass::FORM);
            let view = FormView {
                warnings: warnings.clone(),
                ..view(&authorizer, tx.as_mut(), form.clone(), 0).await?
            };
            keep(keeper, tx.as_mut(), &view).await?;
            let what = EventContent::form(EventType::FormCreated, view.item.id);
            let event = self.0.event(now, what);
            Ok(End::commit(tx, view).with(event))
        });
        writing.await
    }

    /// Whether the caller may create a form whose name is not known yet.
    ///
    /// A policy that depends on the name of the form is asked about the empty name, so [`FormsService::create`] may decide
    /// otherwise.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// assert!(formalize.forms().may_create(&Caller::System).await?);
    /// let alice = Caller::user(UserId::new("alice")?);
    /// assert!(!formalize.forms().may_create(&alice).await?);
    /// # Ok(()) });
    /// ```
    pub async fn may_create(&self, caller: &Caller) -> Result<bool> {
        if self.0.authority.may_create_form(caller, "") {
            return Ok(true);
        }
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            authorizer
                .may_on_collection(tx.as_mut(), Operation::FormCreate)
                .await
        });
        reading.await
    }

    /// A policy or a grant on the collection of forms allows creating a form.
    async fn require_create(
        &self,
        tx: &mut dyn ReadTx,
        authorizer: &Authorizer<'_>,
        caller: &Caller,
        form: &Form,
    ) -> Result<()> {
        if self.0.authority.may_create_form(caller, form.name.as_str()) {
            return Ok(());
        }
        authorizer
            .require_on_collection(tx, Operation::FormCreate)
            .await
    }

    /// A form has two resources: itself, and the collection of its submissions. Managing the form includes managing
    /// both.
    async fn insert_resources(
        &self,
        tx: &mut dyn WriteTx,
        caller: &Caller,
        form: &Form,
    ) -> Result<()> {
        let id = form.id;
        let itself = self
            .0
            .resource(ResourceRef::form(id), Object::Form(id), form.date_created);
        let _ = self.0.insert_managed(tx, &itself, caller.owner()).await?;
        let submissions = ResourceRef::submission_collection(id);
        let submissions = self
            .0
            .resource(submissions, Object::Submissions(id), form.date_created);
        let _ = self.0.insert_managed(tx, &submissions, None).await?;
        Ok(())
    }

    /// Gets a form.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let read = formalize.forms().get(&Caller::System, form.id).await?;
    /// assert_eq!(read.item, form);
    /// assert_eq!(read.num_submissions_by_caller, Some(0));
    ///
    /// let alice = Caller::user(UserId::new("alice")?);
    /// assert!(matches!(formalize.forms().get(&alice, form.id).await, Err(Error::Forbidden)));
    /// # Ok(()) });
    /// ```
    pub async fn get(&self, caller: &Caller, id: FormId) -> Result<FormView> {
        self.0
            .read_once(async |mut tx| self.read(tx.as_mut(), caller, id).await)
            .await
    }

    /// [`FormsService::get`] in a transaction.
    pub(super) async fn read(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        id: FormId,
    ) -> Result<FormView> {
        let authorizer = self.0.authorizer(caller);
        let found = authorizer.find_form(tx, id).await?;
        let (form, places) = found.ok_or(Error::FormNotFound)?;
        let view = view(&authorizer, tx, form, places.by_caller).await?;
        authorizer.check(Operation::FormGet, &view.granted_actions)?;
        Ok(view)
    }

    /// The questions that a form asks, for the data that was entered so far, with the problems of that data.
    ///
    /// They are those of [`Questions::of`], in `language`, which is a tag such as `de-AT`. The caller needs `read` or
    /// `create_submissions`.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::SubmissionDataInvalid`] if the data is not JSON,
    /// [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// let schema = r#"{"properties": {"firstName": {"type": "string"}}}"#;
    /// # let form = create_form(&formalize, schema).await?;
    /// let asked = formalize.forms().questions(&Caller::System, form.id, None, None).await?;
    /// assert_eq!(asked.root.children[0].label, "First name");
    /// # Ok(()) });
    /// ```
    pub async fn questions(
        &self,
        caller: &Caller,
        id: FormId,
        data: Option<String>,
        language: Option<String>,
    ) -> Result<Questions> {
        let form = self.to_ask(caller, id).await?;
        let ask = move |schema: Option<&DataSchema>| {
            Questions::of(schema, data.as_deref(), language.as_deref())
        };
        self.0.forms.validators.ask(caller, &form, ask).await
    }

    /// A form whose questions the caller may see.
    pub(super) async fn to_ask(&self, caller: &Caller, id: FormId) -> Result<Form> {
        let reading = self.0.read_once(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.require_form(tx.as_mut(), Operation::FormQuestions, id);
            Ok(found.await?.0)
        });
        reading.await
    }

    /// Changes a form. Returns `None` if the caller may change it but not read it.
    ///
    /// Existing submissions are not validated again.
    ///
    /// # Errors
    ///
    /// In this order: [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`],
    /// [`Error::DataSchemaInvalid`], [`InvalidFields::Form`], [`Error::FormHasSubmissions`]; [`Error::Store`] at any time.
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// let change = FormChange {
    ///     available_starts: Change::Set("2026-12-01T00:00:00Z".parse()?),
    ///     cap: Change::Set(SubmissionCap::new(1)?),
    ///     ..FormChange::default()
    /// };
    /// let changed = formalize.forms().update(&Caller::System, form.id.at(form.revision), change).await?;
    /// assert_eq!(changed.and_then(|shown| shown.item.rules.cap), Some(SubmissionCap::new(1)?));
    /// # Ok(()) });
    /// ```
    pub async fn update(
        &self,
        caller: &Caller,
        id: impl Into<Expected<FormId>>,
        change: FormChange,
    ) -> Result<Option<FormView>> {
        let expected = id.into();
        let id = expected.id();
        let mut warnings = Vec::new();
        if let Change::Set(schema) = &change.data_feed_schema {
            self.require_update(caller, &expected).await?;
            let schema = schema.as_str().into();
            warnings = self.check_schema(caller, &schema).await?;
        }
        let now = self.0.now();
        let writing = self.0.transact(async |mut tx| {
            let locked = tx.write_forms()?.lock_form_exclusive(id).await?;
            let old = locked.ok_or(Error::FormNotFound)?;
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require(tx.as_mut(), Operation::FormUpdate, &Target::Form(id))
                .await?;
            expected.check(old.revision)?;
            let form = change.clone().apply(&old, self.0.revision(now))?;
            check_states(&form)?;
            if form.rules.grant_based != old.rules.grant_based
                && let Ok(submissions) = tx.read_submissions()
                && submissions.has_submissions(id).await?
            {
                let fixed = vec![Field::GrantBasedSubmissionAuthorization];
                return Err(Error::FormHasSubmissions(fixed));
            }
            tx.write_forms()?.update_form(&form).await?;
            let shown = shown(&authorizer, tx.as_mut(), caller, form).await?;
            let what = EventContent::form(EventType::FormUpdated, id);
            let event = self.0.event(now, what);
            Ok(End::commit(tx, shown).with(event))
        });
        let shown = writing.await?;
        Ok(shown.map(|view| FormView { warnings, ..view }))
    }

    /// Compiles the schema of a form, on another thread: a pattern of ten bytes can take milliseconds.
    async fn check_schema(&self, caller: &Caller, schema: &Arc<str>) -> Result<Vec<FormWarning>> {
        let (schema, takes_files) = (Arc::clone(schema), self.0.takes_files());
        let compile = move || {
            let compiled = DataSchema::compile(&schema);
            compiled.map(|schema| warnings(&schema, takes_files))
        };
        let compiled = offload_for(caller, compile).await?;
        compiled.map_err(Error::DataSchemaInvalid)
    }

    /// Checks whether the caller may change the form now. The change checks it again, under its lock.
    pub(super) async fn require_update(
        &self,
        caller: &Caller,
        expected: &Expected<FormId>,
    ) -> Result<()> {
        let reading = self.0.read_once(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.require_form(tx.as_mut(), Operation::FormUpdate, expected.id());
            Ok(expected.check(found.await?.0.revision)?)
        });
        reading.await
    }

    /// Deletes a form with all its submissions, including drafts, and all grants on them. Its webhooks are gone at once, but
    /// still send what happened before, for a day at most.
    ///
    /// No request finds any of it afterwards. A store may delete the records of a large form in portions, so that no
    /// transaction takes long: some before this returns, and [`Formalize::maintain`](crate::Formalize::maintain) the rest.
    ///
    /// # Errors
    ///
    /// [`Error::FormNotFound`], [`Error::Forbidden`], [`Error::RevisionMismatch`], [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_form(async |formalize, form| {
    /// formalize.forms().delete(&Caller::System, form.id).await?;
    /// let gone = formalize.forms().get(&Caller::System, form.id).await;
    /// assert!(matches!(gone, Err(Error::FormNotFound)));
    /// # Ok(()) });
    /// ```
    pub async fn delete(&self, caller: &Caller, id: impl Into<Expected<FormId>>) -> Result<()> {
        let expected = id.into();
        let id = expected.id();
        let deleting = self.0.transact(async |mut tx| {
            let locked = tx.write_forms()?.lock_form_exclusive(id).await?;
            let form = locked.ok_or(Error::FormNotFound)?;
            let authorizer = self.0.authorizer(caller);
            authorizer
                .require(tx.as_mut(), Operation::FormDelete, &Target::Form(id))
                .await?;
            expected.check(form.revision)?;
            let now = self.0.now();
            if let Ok(webhooks) = tx.write_webhooks() {
                webhooks.end_webhooks(id, now).await?;
            }
            let what = EventContent::form(EventType::FormDeleted, id);
            let event = self.0.event(now, what);
            let audience = Audience::of_form(id, &form.rules);
            self.0.tell(tx.as_mut(), event.as_ref(), &audience).await?;
            let has_remains = tx.write_forms()?.delete_form(id).await?;
            Ok(End::commit(tx, has_remains).with(event))
        });
        let has_remains = deleting.await?;
        self.0.forms.files.note_left();
        if has_remains {
            // The form is deleted, whatever happens now. Maintenance deletes what is left here.
            let remains = self.0.delete_remains(PORTIONS_AT_ONCE).await;
            if let Err(error) = remains {
                tracing::warn!(%error, "cannot delete what remains of a deleted form yet");
            }
        }
        Ok(())
    }

    /// Counts what [`delete`](Self::delete) would delete at this moment, and deletes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`delete`](Self::delete).
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, form, _| {
    /// let deletion = formalize.forms().check_delete(&Caller::System, form.id).await?;
    /// assert_eq!((deletion.forms, deletion.submissions), (1, 1));
    /// # Ok(()) });
    /// ```
    pub async fn check_delete(
        &self,
        caller: &Caller,
        id: impl Into<Expected<FormId>>,
    ) -> Result<Deletion> {
        let expected = id.into();
        let id = expected.id();
        let reading = self.0.read(async |mut tx| {
            let authorizer = self.0.authorizer(caller);
            let found = authorizer.require_form(tx.as_mut(), Operation::FormDelete, id);
            expected.check(found.await?.0.revision)?;
            let webhooks = match tx.read_webhooks() {
                Ok(webhooks) => webhooks.count_webhooks(Some(id)).await?,
                Err(_) => 0,
            };
            let deletion = tx.read_forms()?.deletion_of_form(id).await?;
            Ok(Deletion {
                webhooks,
                ..deletion
            })
        });
        reading.await
    }
}

fn check_states(form: &Form) -> Result<()> {
    let invalid = InvalidFields::Form(vec![Field::AllowedSubmissionStates]);
    ensure!(!form.rules.allowed_states.is_empty(), invalid);
    Ok(())
}

pub(super) async fn view(
    authorizer: &Authorizer<'_>,
    tx: &mut dyn ReadTx,
    form: Form,
    num_submissions_by_caller: i64,
) -> Result<FormView> {
    let granted_actions = authorizer.actions_on(tx, &Target::Form(form.id)).await?;
    Ok(FormView {
        num_submissions_by_caller: Some(num_submissions_by_caller),
        ..seen(authorizer, form, granted_actions)
    })
}

/// A form as a caller with these effective actions on it sees it.
pub(super) fn seen(
    authorizer: &Authorizer<'_>,
    mut form: Form,
    granted_actions: Actions,
) -> FormView {
    let sees_available_tags =
        authorizer.sees_available_tags(form.id, &form.rules, &granted_actions);
    if !sees_available_tags {
        form.details.available_tags = AvailableTags::default();
    }
    FormView {
        manages_submissions: authorizer.manages_submissions(form.id),
        item: form,
        granted_actions,
        sees_available_tags,
        num_submissions_by_caller: None,
        warnings: Vec::new(),
    }
}

/// Returns the form as the caller sees it, if the caller may read it.
async fn shown(
    authorizer: &Authorizer<'_>,
    tx: &mut dyn ReadTx,
    caller: &Caller,
    form: Form,
) -> Result<Option<FormView>> {
    let places = match tx.read_submissions() {
        Ok(submissions) => submissions.places_taken(form.id, &caller.author()).await?,
        Err(_) => 0,
    };
    let view = view(authorizer, tx, form, places).await?;
    let readable = authorizer.allows(Operation::FormGet, &view.granted_actions);
    Ok(readable.then_some(view))
}
