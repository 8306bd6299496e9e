//! Forms.

use formalize_core::{Error, FormFilter};
use poem_openapi::{OpenApi, param::Path};

use super::{
    Changed, Context, Created, Deleted, Expectation, Found, Listed, Part, Query, parse_id,
};
use crate::{
    auth::Actor,
    contract::{
        endpoint::{CreateForm, DeleteForm, GetForm, ListForms, UpdateForm},
        parameter::WHERE_READ,
    },
    failure::Answer,
    wire::{
        Body,
        form::{Form, FormChange, NewForm},
    },
};

pub(super) struct Forms(pub(super) Context);

#[OpenApi(prefix_path = "/formalize/forms", tag = "Part::Forms")]
impl Forms {
    /// List the forms that the caller may read.
    ///
    /// Everyone may ask; the list has exactly the forms that `getForm` would answer with, but without
    /// `numSubmissionsByCurrentUser`. `whereReadFormSubmissionsGranted=true` leaves those with submissions to be
    /// read.
    #[oai(path = "/", method = "get")]
    async fn list(&self, Actor(caller): Actor, query: Query) -> Answer<Listed<Form>, ListForms> {
        let filter = FormFilter {
            where_read_form_submissions_granted: query.flag(&WHERE_READ),
        };
        let page = self
            .0
            .formalize
            .forms()
            .list(&caller, filter, &query.page())
            .await?;
        Ok(Listed::new(page, &query, &self.0.links))
    }

    /// Create a form.
    ///
    /// Needs `create` on the collection of forms, or the policy `create_forms` of the configuration. The caller then
    /// manages the form, by an ordinary grant; nobody else may submit to it until `createResourceActionGrant` says
    /// so. `dataFeedSchema` is a string that holds a JSON Schema; it comes back exactly as it was sent.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        Body(new): Body<NewForm>,
    ) -> Answer<Created<Form>, CreateForm> {
        let form = self.0.formalize.forms().create(&caller, new).await?;
        Ok(Created::new(form.into(), &self.0.links))
    }

    /// Read a form.
    ///
    /// Needs `read` on the form.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// The `identifier` of the form.
        identifier: Path<String>,
    ) -> Answer<Found<Form>, GetForm> {
        let form = self
            .0
            .formalize
            .forms()
            .get(&caller, parse_id(&identifier, Error::FormNotFound)?)
            .await?;
        Ok(Found(form.into()))
    }

    /// Change a form.
    ///
    /// Needs `update` on the form. Members that are absent stay as they are. Submissions that are there already
    /// are not judged anew. The answer is 204 without a body if the caller may not read the form.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        /// The `identifier` of the form.
        identifier: Path<String>,
        expectation: Expectation,
        Body(change): Body<FormChange>,
    ) -> Answer<Changed<Form>, UpdateForm> {
        let id = expectation.of(parse_id(&identifier, Error::FormNotFound)?);
        let form = self.0.formalize.forms().update(&caller, id, change).await?;
        Ok(Changed(form.map(Into::into)))
    }

    /// Delete a form.
    ///
    /// Needs `delete` on the form. All its submissions, drafts included, and all grants on it and them go with
    /// it.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// The `identifier` of the form.
        identifier: Path<String>,
        expectation: Expectation,
    ) -> Answer<Deleted, DeleteForm> {
        self.0
            .formalize
            .forms()
            .delete(
                &caller,
                expectation.of(parse_id(&identifier, Error::FormNotFound)?),
            )
            .await?;
        Ok(Deleted)
    }
}
