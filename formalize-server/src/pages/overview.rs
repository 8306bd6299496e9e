//! The page that people see after they have signed in.

use formalize_core::{Action, FormFilter, PageRequest, Position};
use formalize_web::OverviewPage;
use poem::{Response, http::StatusCode};

use super::visit::Visit;
use crate::{failure::Refusal, percent};

/// The forms that a person may read and fill in.
pub(super) async fn show(visit: &Visit) -> Result<Response, Refusal> {
    let mut request = PageRequest::default();
    if let Some(cursor) = visit.parameter("cursor") {
        request.position = Position::Cursor(cursor.to_owned());
    }
    let forms = visit.formalize().forms();
    let forms = forms
        .list(visit.caller()?, FormFilter::default(), &request)
        .await?;
    let fillable = forms
        .items
        .iter()
        .filter(|form| form.granted_actions.allows(&Action::CREATE_SUBMISSIONS));
    let page = OverviewPage {
        forms: fillable
            .map(|form| {
                (
                    form.item.name.as_str().to_owned(),
                    format!("/f/{}", form.item.id),
                )
            })
            .collect(),
        next: forms
            .next
            .map(|cursor| format!("/console?cursor={}", percent::encode(&cursor))),
    };
    Ok(visit.html(StatusCode::OK, page.render(&visit.shell())))
}
