//! Pages with the answers to a form.

use formalize_core::{
    SubmissionFilter, SubmissionState,
    authorization::Operation,
    submissions::{SubmissionTable, TableRow},
};
use formalize_http::contract::ErrorKey;
use formalize_http::exports::ExportFormat;
use formalize_http::exports::Exported;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_web::{AnswerColumn, AnswerRow, AnswersFilter, AnswersPage, FormTab};
use poem::{IntoResponse, Response, http::StatusCode};

use super::{
    super::{sent::Sent, visit::Visit},
    form::ManagedForm,
    opened,
};

/// The formats of documents: their names for people, and in addresses.
const FORMATS: &[(&str, &str)] = &[
    #[cfg(feature = "xlsx")]
    ("XLSX", "xlsx"),
    ("CSV", "csv"),
    ("NDJSON", "ndjson"),
];

/// The number of answers on a page.
const ROWS: u32 = 50;

/// The page with the answers to a form.
pub(super) async fn show(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let managed = ManagedForm::of(visit, id).await?;
    let request = visit.page_request("cursor", Some(ROWS));
    let (filter, columns) = (filter(visit)?, chosen(visit));
    let (submissions, language) = (visit.formalize().submissions(), visit.language.tag());
    let (caller, form) = (visit.caller()?, managed.id);
    let table = submissions.table(caller, form, &filter, &request, &columns, language);
    let table = table.await?;
    let extent = table.extent();
    let draw = move |visit: &Visit| {
        let page = page(visit, &managed, &filter, &table);
        visit.html(StatusCode::OK, page.render(&visit.shell()))
    };
    visit.draw(extent, draw).await
}

fn page<'a>(
    visit: &Visit,
    managed: &'a ManagedForm,
    filter: &SubmissionFilter,
    table: &SubmissionTable,
) -> AnswersPage<'a> {
    let path = format!("{}/submissions", managed.path());
    let next = table.page.next.as_deref();
    let deletes = managed.form.may(Operation::SubmissionDeleteAll);
    let is_first = visit.parameter("cursor").is_none();
    AnswersPage {
        frame: managed.frame(),
        filter: shown(visit, filter),
        may_read: managed.form.reads_all_submissions(),
        columns: columns(table),
        rows: table
            .page
            .items
            .iter()
            .map(|item| row(visit, item))
            .collect(),
        next: next.map(|cursor| format!("{path}?{}", query(visit, &[("cursor", cursor)]))),
        first: (!is_first).then(|| format!("{path}?{}", query(visit, &[]))),
        formats: FORMATS,
        download: format!("{path}/export"),
        delete: deletes.then(|| format!("{path}/delete")),
        delete_form: managed.delete_form(FormTab::Answers),
    }
}

fn columns(table: &SubmissionTable) -> Vec<AnswerColumn> {
    let leaves = table.columns.leaves().iter().enumerate();
    let columns = leaves.map(|(place, leaf)| AnswerColumn {
        pointer: leaf.pointer().to_owned(),
        label: leaf.label().to_owned(),
        is_shown: table.shown.contains(&place),
    });
    columns.collect()
}

fn row(visit: &Visit, row: &TableRow) -> AnswerRow {
    let submission = &row.submission.item;
    AnswerRow {
        path: format!("/s/{}", submission.id),
        created: visit.time(submission.date_created),
        creator: submission.creator.to_string(),
        is_draft: submission.state == SubmissionState::Draft,
        files: submission.files.len(),
        cells: row.cells.clone(),
    }
}

/// The filter as the inputs of a page have it.
pub(super) fn shown(visit: &Visit, filter: &SubmissionFilter) -> AnswersFilter {
    AnswersFilter {
        state: filter.state.map_or("", SubmissionState::as_str).to_owned(),
        creator: filter.creator.clone().unwrap_or_default(),
        from: visit.parameter("from").unwrap_or_default().to_owned(),
        until: visit.parameter("until").unwrap_or_default().to_owned(),
    }
}

/// The answers that the address of the page selects.
pub(super) fn filter(visit: &Visit) -> Result<SubmissionFilter, Refusal> {
    let given = |name| visit.parameter(name).filter(|text| !text.is_empty());
    let state = given("state").map(str::parse).transpose();
    let state = state.map_err(|_| Refusal::is(ErrorKey::InvalidParameter))?;
    let day = |name| {
        let days = given(name).map(|text| visit.site.zone.day(text));
        let days = days.map(|days| days.ok_or_else(|| Refusal::is(ErrorKey::InvalidParameter)));
        days.transpose()
    };
    Ok(SubmissionFilter {
        creator: given("creator").map(str::to_owned),
        state,
        created_from: day("from")?.map(|(begin, _)| begin),
        created_before: day("until")?.map(|(_, end)| end),
        ..SubmissionFilter::default()
    })
}

/// The columns that the address of the page names.
fn chosen(visit: &Visit) -> Vec<String> {
    let columns = visit.query.iter().filter(|(name, _)| name == "column");
    columns.map(|(_, pointer)| pointer.clone()).collect()
}

/// The query of the page, with other parameters for the place in the list.
pub(super) fn query(visit: &Visit, more: &[(&str, &str)]) -> String {
    const KEPT: [&str; 5] = ["state", "creator", "from", "until", "column"];
    let kept = visit.query.iter();
    let kept = kept.filter(|(name, _)| KEPT.contains(&name.as_str()));
    let kept = kept.map(|(name, value)| (name.as_str(), value.as_str()));
    let pairs = kept.chain(more.iter().copied());
    let pairs = pairs.map(|(name, value)| format!("{name}={}", percent::encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// A document with the answers that the page shows, on all of its pages.
pub(super) async fn download(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let managed = ManagedForm::of(visit, id).await?;
    let language = visit.language;
    let format = visit.parameter("format").and_then(|name| {
        let labels = visit.parameter("labels") == Some("true");
        ExportFormat::for_people(name, labels, language.tag(), language.has_decimal_comma())
    });
    let format = format.ok_or_else(|| Refusal::is(ErrorKey::InvalidParameter))?;
    let (filter, exports, core) = (filter(visit)?, &visit.site.exports, visit.formalize());
    let document = exports.begin(core, visit.caller()?, managed.id, &filter, format.clone());
    let document = document.await?;
    let exported = Exported::of(document, &format, visit.is_head).await?;
    Ok(exported.into_response())
}

/// The page that asks whether to delete all submitted answers.
pub(super) async fn ask_to_delete(
    visit: &Visit,
    id: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let managed = deletable(visit, id).await?;
    Ok(confirm(visit, &managed, opened(old).0))
}

/// Deletes all submitted answers, if the name of the form was entered.
pub(super) async fn delete(visit: &Visit, id: &str, sent: &Sent) -> Result<Response, Refusal> {
    let managed = deletable(visit, id).await?;
    if !managed.is_confirmed(sent) {
        return Ok(confirm(visit, &managed, StatusCode::UNPROCESSABLE_ENTITY));
    }
    let submissions = visit.formalize().submissions();
    submissions.delete_all(visit.caller()?, managed.id).await?;
    Ok(visit.redirect(&format!("{}/submissions", managed.path())))
}

async fn deletable(visit: &Visit, id: &str) -> Result<ManagedForm, Refusal> {
    ManagedForm::allowing(visit, id, Operation::SubmissionDeleteAll).await
}

fn confirm(visit: &Visit, managed: &ManagedForm, status: StatusCode) -> Response {
    managed.confirm(visit, false, status)
}
