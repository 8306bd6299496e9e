//! The page with counts of the answers to a form.

use formalize_http::failure::Refusal;
use formalize_web::SummaryPage;
use poem::{Response, http::StatusCode};

use super::{super::visit::Visit, answers, form::ManagedForm};

/// The page with the summary of the answers that the reader may read and that the address selects.
pub(super) async fn show(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let managed = ManagedForm::of(visit, id).await?;
    let (submissions, language) = (visit.formalize().submissions(), visit.language.tag());
    let filter = answers::filter(visit)?;
    let summary = submissions.summary(visit.caller()?, managed.id, &filter, Some(language));
    let summary = summary.await?;
    let extent = summary.extent();
    let draw = move |visit: &Visit| {
        let page = SummaryPage {
            frame: managed.frame(),
            filter: answers::shown(visit, &filter),
            answers: format!(
                "{}/submissions?{}",
                managed.path(),
                answers::query(visit, &[])
            ),
            may_read: managed.form.reads_all_submissions(),
            summary: &summary,
        };
        visit.html(StatusCode::OK, page.render(&visit.shell()))
    };
    visit.draw(extent, draw).await
}
