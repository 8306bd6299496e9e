//! Forms.

use formalize_core::{Error, Field, FormFilter, forms::FrontendKeys};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{
    AskQuestions, CreateForm, DeleteForm, GetForm, ListForms, UpdateForm,
};
use formalize_http::contract::parameter::{
    DRY_RUN, FRONTEND_KEY_IN, FRONTEND_KEY_NOT_IN, WHERE_READ,
};
use formalize_http::failure::Answer;
use formalize_views::form::{Form, FormChange, NewForm};
use formalize_views::questions::NewQuestions;
use poem_openapi::OpenApi;

use super::Body;
use super::{
    Changed, Context, Created, DeletedOrCounted, Expectation, FormQuestions, Found, Keyed, Listed,
    Part, PathText, Query, SentText, parse_id,
};

pub(super) struct Forms(pub(super) Context);

#[OpenApi(prefix_path = "/formalize/forms", tag = "Part::Forms")]
impl Forms {
    /// List the forms that the caller may read.
    ///
    /// No special permission is needed. The list has exactly the forms that `getForm` would return, but without
    /// `numSubmissionsByCurrentUser`. `whereReadFormSubmissionsGranted=true` selects forms with submissions that the
    /// caller may read, and `whereFrontendKeyIn` and `whereFrontendKeyNotIn` select forms by their `frontendKey`.
    #[oai(path = "/", method = "get")]
    async fn list(&self, Actor(caller): Actor, query: Query) -> Answer<Listed<Form>, ListForms> {
        let filter = FormFilter {
            where_read_form_submissions_granted: query.flag(&WHERE_READ),
            frontend_keys: FrontendKeys {
                any_of: query.frontend_keys(&FRONTEND_KEY_IN),
                none_of: query
                    .frontend_keys(&FRONTEND_KEY_NOT_IN)
                    .unwrap_or_default(),
            },
        };
        let page = query.page();
        let page = self.0.core.forms().list(&caller, &filter, &page).await?;
        let bytes = page.items.iter().map(|view| view.item.bytes()).sum();
        Ok(Listed::compose(&caller, page, bytes, &query, &self.0).await?)
    }

    /// Create a form.
    ///
    /// Requires `create` on the collection of forms, or the policy `create_forms` in the configuration. The caller
    /// gets `manage` on the new form, as an ordinary grant. Use `createResourceActionGrant` to let others submit to
    /// it; see `docs/permissions.md`. `dataFeedSchema` is a string containing a JSON Schema; it is returned exactly as it
    /// was sent.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        keyed: Keyed,
        Body(new): Body<NewForm>,
    ) -> Answer<Created<Form>, CreateForm> {
        let (core, links, sent) = (
            &self.0.core,
            &self.0.links,
            SentText::new(Field::DataFeedSchema, new.data_feed_schema.as_deref()),
        );
        let keep = |view: &_| Created::<Form>::of(view, links).kept(&sent);
        let outcome = (core.forms())
            .create_once(&caller, new, keyed.request(), &keep)
            .await?;
        Ok(Created::once(outcome, &sent, links)?)
    }

    /// Read a form.
    ///
    /// Requires `read` on the form.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the form.
        identifier: PathText,
    ) -> Answer<Found<Form>, GetForm> {
        let id = parse_id(&identifier, Error::FormNotFound)?;
        let form = self.0.core.forms().get(&caller, id).await?;
        Ok(Found(form.into()))
    }

    /// Ask which questions the form has.
    ///
    /// Requires `read` or `create_submissions` on the form. The response has the questions of the form for the data
    /// entered so far, as a tree, so that a page can ask them without interpreting JSON Schema. Nothing is stored.
    #[oai(path = "/:identifier/questions", method = "post")]
    async fn questions(
        &self,
        Actor(caller): Actor,
        /// Identifier of the form.
        identifier: PathText,
        Body(asked): Body<NewQuestions>,
    ) -> Answer<FormQuestions, AskQuestions> {
        let id = parse_id(&identifier, Error::FormNotFound)?;
        let forms = self.0.core.forms();
        let questions = forms.questions(&caller, id, asked.data, asked.language);
        Ok(FormQuestions::of(&caller, questions.await?).await?)
    }

    /// Change a form.
    ///
    /// Requires `update` on the form. Absent fields keep their values. Existing submissions are not validated again.
    /// The response is 204 without a body if the caller may not read the form.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        /// Identifier of the form.
        identifier: PathText,
        expectation: Expectation,
        Body(change): Body<FormChange>,
    ) -> Answer<Changed<Form>, UpdateForm> {
        let id = parse_id(&identifier, Error::FormNotFound)?;
        let forms = self.0.core.forms();
        let changed = forms.update(&caller, expectation.of(id), change).await;
        let form = expectation
            .or_current_tag::<Form, _, _>(changed, forms.get(&caller, id))
            .await?;
        Ok(Changed(form.map(Into::into)))
    }

    /// Delete a form.
    ///
    /// Requires `delete` on the form. Also deletes all its submissions, drafts included, and all grants on the form
    /// and its submissions.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// Identifier of the form.
        identifier: PathText,
        query: Query,
        expectation: Expectation,
    ) -> Answer<DeletedOrCounted, DeleteForm> {
        let id = parse_id(&identifier, Error::FormNotFound)?;
        let forms = self.0.core.forms();
        let expected = expectation.of(id);
        let deleted = if query.flag(&DRY_RUN) {
            let counted = forms.check_delete(&caller, expected).await;
            counted.map(|deletion| DeletedOrCounted::Counted(deletion.into()))
        } else {
            let deleted = forms.delete(&caller, expected).await;
            deleted.map(|()| DeletedOrCounted::Deleted)
        };
        let deleted = expectation
            .or_current_tag::<Form, _, _>(deleted, forms.get(&caller, id))
            .await?;
        Ok(deleted)
    }
}
