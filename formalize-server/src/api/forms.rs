//! Forms.

use formalize_core::{FormFilter, FormId};
use poem_openapi::{OpenApi, param::Path};

use super::{Changed, Context, Created, Deleted, Expectation, Found, Listed, Part, Query};
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
    /// The caller then manages it.
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
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        identifier: Path<String>,
    ) -> Answer<Found<Form>, GetForm> {
        let form = self
            .0
            .formalize
            .forms()
            .get(&caller, FormId::named(&identifier))
            .await?;
        Ok(Found(form.into()))
    }

    /// Change a form.
    ///
    /// Submissions that are there already are not judged anew.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        identifier: Path<String>,
        expectation: Expectation,
        Body(change): Body<FormChange>,
    ) -> Answer<Changed<Form>, UpdateForm> {
        let id = expectation.of(FormId::named(&identifier));
        let form = self.0.formalize.forms().update(&caller, id, change).await?;
        Ok(Changed(form.map(Into::into)))
    }

    /// Delete a form.
    ///
    /// All its submissions, drafts included, and all grants on it and them go with it.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        identifier: Path<String>,
        expectation: Expectation,
    ) -> Answer<Deleted, DeleteForm> {
        self.0
            .formalize
            .forms()
            .delete(&caller, expectation.of(FormId::named(&identifier)))
            .await?;
        Ok(Deleted)
    }
}
