//! The first page of the console.

use formalize_core::{FormView, PageRequest, forms::NamedForm};
use formalize_http::failure::Refusal;
use formalize_web::{ConsolePage, FormRow};
use poem::{Response, http::StatusCode};

use super::{
    super::visit::Visit,
    form::{new_answers, state},
    next_page,
};

/// The forms that a person may fill in, and those whose answers or questions a person may see or change.
pub(super) async fn show(visit: &Visit) -> Result<Response, Refusal> {
    let (caller, forms) = (visit.caller()?, visit.formalize().forms());
    let (to_fill_in, to_look_after) = (request(visit, "fill-in"), request(visit, "forms"));
    let to_fill_in = forms.list_to_fill_in(caller, &to_fill_in).await?;
    let to_look_after = forms.list_to_look_after(caller, &to_look_after).await?;
    let mut rows = Vec::new();
    for form in &to_look_after.items {
        let count = new_answers(visit, form.item.id).await?;
        rows.push(row(visit, form, count));
    }
    let page = ConsolePage {
        forms: rows,
        more_forms: next_page("/console", "forms", to_look_after.next.as_deref()),
        to_fill_in: to_fill_in.items.iter().map(link).collect(),
        more_to_fill_in: next_page("/console", "fill-in", to_fill_in.next.as_deref()),
        new_form: (forms.may_create(caller).await?).then(|| "/console/forms/new".to_owned()),
    };
    Ok(visit.html(StatusCode::OK, page.render(&visit.shell())))
}

/// The number of forms in each list. For each form to look after, new answers are counted.
const ROWS: u32 = 20;

fn request(visit: &Visit, parameter: &str) -> PageRequest {
    visit.page_request(parameter, Some(ROWS))
}

fn link(form: &NamedForm) -> (String, String) {
    (form.name.as_str().to_owned(), format!("/f/{}", form.id))
}

fn row(visit: &Visit, form: &FormView, new_answers: usize) -> FormRow {
    FormRow {
        name: form.item.name.as_str().to_owned(),
        path: format!("/console/forms/{}", form.item.id),
        state: state(visit, &form.item.rules),
        new_answers,
    }
}
