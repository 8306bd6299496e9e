//! The first page of the console.

use std::collections::HashSet;

use formalize_core::{Action, FormFilter, FormId, FormView, PageRequest, PageSize, Position};
use formalize_web::{ConsolePage, FormRow};
use poem::{Response, http::StatusCode};

use super::{
    super::visit::Visit,
    form::{new_answers, state},
};
use crate::{failure::Refusal, percent};

/// The forms that a person may fill in, and those whose answers or questions a person may see or change.
pub(super) async fn show(visit: &Visit) -> Result<Response, Refusal> {
    let (caller, forms) = (visit.caller()?, visit.formalize().forms());
    let with_answers = FormFilter {
        where_read_form_submissions_granted: true,
    };
    let (to_fill_in, to_manage) = (request(visit, "fill-in"), request(visit, "forms"));
    let readable = forms
        .list(caller, FormFilter::default(), &to_fill_in)
        .await?;
    let managed = forms.list(caller, with_answers, &to_manage).await?;
    let known: HashSet<FormId> = managed.items.iter().map(|form| form.item.id).collect();
    let editable = readable.items.iter().filter(|form| {
        form.granted_actions.allows(&Action::UPDATE) && !known.contains(&form.item.id)
    });
    let mut rows = Vec::new();
    for form in &managed.items {
        let count = new_answers(visit, form.item.id).await?;
        rows.push(row(visit, form, Some(count)));
    }
    rows.extend(editable.map(|form| row(visit, form, None)));
    let to_fill_in = readable.items.iter();
    let to_fill_in =
        to_fill_in.filter(|form| form.granted_actions.allows(&Action::CREATE_SUBMISSIONS));
    let page = ConsolePage {
        forms: rows,
        more_forms: next("forms", managed.next.as_deref()),
        to_fill_in: to_fill_in.map(link).collect(),
        more_to_fill_in: next("fill-in", readable.next.as_deref()),
        new_form: (forms.may_create(caller).await?).then(|| "/console/forms/new".to_owned()),
    };
    Ok(visit.html(StatusCode::OK, page.render(&visit.shell())))
}

/// The number of forms in each list. For each form to look after, new answers are counted.
const ROWS: PageSize = match PageSize::new(20) {
    Ok(size) => size,
    Err(_) => unreachable!(),
};

fn request(visit: &Visit, parameter: &str) -> PageRequest {
    let cursor = visit.parameter(parameter);
    PageRequest {
        size: ROWS,
        position: cursor.map_or(Position::First, |cursor| {
            Position::Cursor(cursor.to_owned())
        }),
    }
}

fn next(parameter: &str, cursor: Option<&str>) -> Option<String> {
    cursor.map(|cursor| format!("/console?{parameter}={}", percent::encode(cursor)))
}

fn link(form: &FormView) -> (String, String) {
    let (id, name) = (form.item.id, form.item.name.as_str());
    (name.to_owned(), format!("/f/{id}"))
}

fn row(visit: &Visit, form: &FormView, new_answers: Option<usize>) -> FormRow {
    FormRow {
        name: form.item.name.as_str().to_owned(),
        path: format!("/console/forms/{}", form.item.id),
        state: state(visit, &form.item.rules),
        new_answers,
    }
}
