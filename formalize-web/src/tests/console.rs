//! The pages of the console.

use super::super::{
    ConsolePage, FormFrame, FormOverviewPage, FormRow, FormState, FormTab, LinkPlaces, LocalTime,
    Shell,
};
use super::{Data, Page, at, named};

/// All pages of the console.
pub(super) fn pages(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let mut pages = home(shell, data);
    pages.extend(overview(shell, data));
    pages
}

fn time(local: &str) -> LocalTime {
    LocalTime::new(format!("{local}Z"), local)
}

fn home(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let row = |name: &str, state, new_answers| FormRow {
        name: data(name),
        path: at("/console/forms", &data("1")),
        state,
        new_answers,
    };
    let (opens, closes) = (time("2027-02-01T08:00:00"), time("2027-03-31T23:59:59"));
    let page = ConsolePage {
        to_fill_in: vec![
            (
                data("Registration for the spring run"),
                at("/f", &data("1")),
            ),
            (data("Order of shirts"), at("/f", &data("2"))),
        ],
        more_to_fill_in: Some(at("", &data("console?fill-in=1"))),
        forms: vec![
            row(
                "Registration for the spring run",
                FormState::Open(Some(closes.clone())),
                Some(1000),
            ),
            row("Order of shirts", FormState::Opens(opens), Some(0)),
            row("Survey of members", FormState::Closed(closes), Some(12)),
            row("Volunteers", FormState::DraftsOnly, None),
        ],
        more_forms: Some(at("", &data("console?forms=1"))),
        new_form: Some(at("", &data("console/forms/new"))),
    };
    vec![
        named("console", page.render(shell)),
        named("console-empty", ConsolePage::default().render(shell)),
    ]
}

/// The frame of a form for somebody who manages it.
fn frame(name: &str, path: String) -> FormFrame<'_> {
    FormFrame {
        path,
        name: Some(name),
        tabs: vec![
            FormTab::Overview,
            FormTab::Questions,
            FormTab::Answers,
            FormTab::Summary,
            FormTab::Sharing,
            FormTab::Links,
            FormTab::Settings,
        ],
    }
}

fn overview(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let name = data("Registration for the spring run");
    let path = at("/console/forms", &data("1"));
    let (opens, closes) = (time("2027-02-01T08:00:00"), time("2027-03-31T23:59:59"));
    let link = |label: &str, taken, cap| LinkPlaces {
        label: data(label),
        taken,
        cap,
    };
    let page = FormOverviewPage {
        frame: frame(&name, path),
        state: FormState::Open(Some(closes.clone())),
        new_answers: Some(31),
        address: at(
            "https://forms.example.org/f",
            &data("0193b2f5-6f1c-7b90-8c3e-5a1d9f0e4b27"),
        ),
        fill_in: Some(at("/f", &data("1"))),
        cap: Some(1),
        limit: None,
        takes_drafts: true,
        created: time("2027-01-12T10:15:00"),
        links: vec![
            link("Poster at the town hall", 31, Some(40)),
            link("Newsletter", 112, None),
        ],
    };
    let mut pages = vec![named("form-overview", page.render(shell))];
    for (name, state) in [
        ("form-open", FormState::Open(None)),
        ("form-later", FormState::Opens(opens)),
        ("form-closed", FormState::Closed(closes)),
        ("form-drafts", FormState::DraftsOnly),
    ] {
        let own = FormFrame {
            name: None,
            tabs: vec![FormTab::Overview],
            ..page.frame.clone()
        };
        let page = FormOverviewPage {
            frame: own,
            state,
            fill_in: None,
            links: Vec::new(),
            takes_drafts: false,
            ..page.clone()
        };
        pages.push(named(name, page.render(shell)));
    }
    pages
}
