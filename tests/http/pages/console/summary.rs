//! The summary of the answers to a form.

use formalize_pages::PageSetup;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Page, Reader};
use crate::support::{App, SUBMISSIONS, id, query, submission};

const SUMMARY: &str = "/formalize/submissions/summary";
const SCHEMA: &str = r#"{"properties": {
    "meal": {"title": "Meal <b>", "oneOf": [
        {"const": "fish", "localizedName": {"en": "Fish & chips", "de": "Fisch"}}, {"const": "meat"}
    ]},
    "price": {"type": "number"}, "guests": {"type": "integer"}, "vegan": {"type": "boolean"},
    "day": {"type": "string", "format": "date"}, "note": {"type": "string"}
}}"#;

/// A service with pages and a form with answers of five people on two days.
async fn with_answers() -> (App, String) {
    let app = App::new().await;
    let clock = app.clock.clone();
    let app = app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    });
    let form = app.open_form(json!({"dataFeedSchema": SCHEMA})).await;
    for (at, data) in [
        (
            "2026-11-21T08:00:00Z",
            json!({"meal": "fish", "price": 2.5, "guests": 1, "vegan": true}),
        ),
        (
            "2026-11-21T09:00:00Z",
            json!({"meal": "fish", "price": 20, "guests": 3, "vegan": false}),
        ),
        (
            "2026-11-23T08:00:00Z",
            json!({"meal": "meat", "guests": 3, "day": "2026-12-24"}),
        ),
        (
            "2026-11-23T08:00:00Z",
            json!({"meal": "fish", "guests": 3, "note": "open sesame"}),
        ),
        (
            "2026-11-23T08:00:00Z",
            json!({"meal": "fish", "vegan": true}),
        ),
    ] {
        app.travel(at);
        let new = submission(&form, &data.to_string());
        app.alice().post(SUBMISSIONS, new).await.expect(201);
    }
    (app, form)
}

fn path(form: &str) -> String {
    format!("/console/forms/{form}/summary")
}

/// The rows of the table of a part of the page, with the texts of their cells.
fn rows(page: &Page, part: &str) -> Vec<Vec<String>> {
    let parts = page.all("section.tally").into_iter();
    let mut parts = parts.filter(|section| {
        let heading = scraper::Selector::parse("h2").unwrap();
        let mut headings = section.select(&heading);
        headings.next().unwrap().text().collect::<String>() == part
    });
    let section = parts
        .next()
        .unwrap_or_else(|| panic!("{part}: {}", page.answer));
    let (row, cell) = (
        scraper::Selector::parse("tbody tr").unwrap(),
        scraper::Selector::parse("th, td").unwrap(),
    );
    let rows = section.select(&row).map(|row| {
        let cells = row.select(&cell);
        cells.map(|cell| cell.text().collect()).collect()
    });
    rows.collect()
}

/// The counts of a part in the interface, as texts.
fn counts(list: &Value) -> Vec<String> {
    let counts = list.as_array().unwrap().iter();
    counts.map(|item| item["count"].to_string()).collect()
}

#[tokio::test]
async fn numbers_are_those_of_the_interface() {
    let (app, form) = with_answers().await;
    let of_form = query(SUMMARY, &[("formIdentifier", &form)]);
    let expected = app.alice().get(&of_form).await.expect(200);
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path(&form)).await;
    assert_eq!(page.status(), 200, "{}", page.answer);
    assert_eq!(page.texts("h2#total"), ["5 answers"]);
    assert_eq!(expected["numSubmissions"], 5);
    let numbers = |part: &str| -> Vec<String> {
        let rows = rows(&page, part).into_iter();
        rows.map(|row| row[1].clone()).collect()
    };
    assert_eq!(
        rows(&page, "5 answers"),
        [["2026-11-21", "2"], ["2026-11-23", "3"]]
    );
    assert_eq!(numbers("5 answers"), counts(&expected["byDay"]));
    for (place, part, member) in [
        (0, "Meal <b>", "counts"),
        (1, "price", "bins"),
        (2, "guests", "bins"),
        (3, "vegan", "counts"),
        (4, "day", "byDay"),
    ] {
        assert_eq!(
            numbers(part),
            counts(&expected["questions"][place][member]),
            "{part}"
        );
    }
    assert_eq!(
        rows(&page, "Meal <b>"),
        [["Fish & chips", "4", "80%"], ["meat", "1", "20%"]]
    );
    assert_eq!(
        rows(&page, "vegan"),
        [["Yes", "2", "67%"], ["No", "1", "33%"]]
    );
    assert_eq!(rows(&page, "guests"), [["1", "1"], ["2", "0"], ["3", "3"]]);
    assert_eq!(rows(&page, "price")[0], ["2 to below 3", "1"]);
    assert_eq!(
        page.texts("dl.facts dd"),
        ["2.5", "20", "11.25", "1", "3", "2.5"]
    );
    // One bar for each number of a chart, and two for each of a share.
    assert_eq!(page.all("figure rect").len(), 2 + 19 + 3 + 1);
    assert_eq!(page.all("td svg, th svg").len(), 4);
    let html = String::from_utf8_lossy(&page.answer.body);
    assert!(
        !html.contains("open sesame") && !html.contains("style="),
        "{html}"
    );
}

/// The filters are those of the list of answers, and stay in the address.
#[tokio::test]
async fn the_address_selects_what_is_counted() {
    let (app, form) = with_answers().await;
    app.share_form(&form, "read_submissions", json!({"userIdentifier": "bob"}))
        .await;
    let bobs = submission(&form, r#"{"meal": "meat"}"#);
    app.bob().post(SUBMISSIONS, bobs).await.expect(201);
    let mut alice = Reader::signed_in(&app, "alice").await;
    for (on_page, in_interface, number) in [
        ("", &[][..], 6),
        ("?creator=bob", &[("creatorIdEquals", "bob")], 1),
        ("?state=submitted", &[("submissionState", "submitted")], 6),
        ("?state=draft", &[("submissionState", "draft")], 0),
        (
            "?from=2026-11-22",
            &[("createdFrom", "2026-11-22T00:00:00Z")],
            4,
        ),
        (
            "?until=2026-11-21",
            &[("createdBefore", "2026-11-22T00:00:00Z")],
            2,
        ),
        (
            "?state=&creator=alice&from=2026-11-22&until=2026-11-23",
            &[
                ("creatorIdEquals", "alice"),
                ("createdFrom", "2026-11-22T00:00:00Z"),
                ("createdBefore", "2026-11-24T00:00:00Z"),
            ],
            3,
        ),
    ] {
        let parameters = [&[("formIdentifier", form.as_str())], in_interface].concat();
        let expected = app.alice().get(&query(SUMMARY, &parameters)).await;
        let expected = expected.expect(200);
        assert_eq!(expected["numSubmissions"], number, "{on_page}");
        let page = alice.open(&format!("{}{on_page}", path(&form))).await;
        let total = page.texts("h2#total");
        let words = match number {
            0 => vec![],
            1 => vec!["1 answer".to_owned()],
            number => vec![format!("{number} answers")],
        };
        assert_eq!(total, words, "{on_page}");
        for pair in on_page.trim_start_matches('?').split('&') {
            let (name, value) = pair.split_once('=').unwrap_or(("state", ""));
            assert_eq!(page.value(name).as_deref(), Some(value), "{on_page}");
        }
        if number == 4 {
            let answers = format!("/console/forms/{form}/submissions{on_page}");
            assert!(page.links().contains(&answers), "{}", page.answer);
        }
    }
    let wrong = alice.open(&format!("{}?from=soon", path(&form))).await;
    assert_eq!(wrong.status(), 400);
}

#[tokio::test]
async fn words_are_those_of_the_language() {
    let (app, form) = with_answers().await;
    let mut alice = Reader::signed_in(&app, "alice").await.speaking("de");
    let page = alice.open(&path(&form)).await;
    assert_eq!(rows(&page, "5 Antworten")[0], ["21.11.2026", "2"]);
    assert_eq!(rows(&page, "Meal <b>")[0], ["Fisch", "4", "80\u{a0}%"]);
    assert_eq!(page.texts("dl.facts dd")[2], "11,25");
}

#[tokio::test]
async fn a_form_without_answers_has_no_numbers() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = id(&app.form(json!({"dataFeedSchema": SCHEMA})).await);
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path(&form)).await;
    assert_eq!(page.texts("p.empty"), ["There are no answers to show."]);
    assert!(!page.has("svg, section"), "{}", page.answer);
}

#[tokio::test]
async fn summaries_wait_for_each_other() {
    let (app, form) = with_answers().await;
    let mut alice = Vec::new();
    for _ in 0..10 {
        alice.push(Reader::signed_in(&app, "alice").await);
    }
    let bob = Reader::signed_in(&app, "bob").await;
    let path = path(&form);
    let open = async |mut reader: Reader<'_>| reader.open(&path).await;
    let (pages, other) = tokio::join!(join_all(alice.into_iter().map(open)), open(bob));
    let busy: Vec<&Page> = pages.iter().filter(|page| page.status() == 503).collect();
    assert_eq!(busy.len(), 2, "one is made, and seven wait");
    assert!(pages.iter().filter(|page| page.status() == 200).count() == 8);
    for refused in busy {
        assert_eq!(refused.texts("h1"), ["The service is busy"]);
        assert!(refused.answer.header("retry-after").is_some());
    }
    assert_ne!(other.status(), 503, "another user is not refused");
}
