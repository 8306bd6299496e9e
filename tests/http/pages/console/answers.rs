//! Answers as people read them: in the table of all, and on the page of one.

use formalize_pages::PageSetup;
use serde_json::json;

use super::{Page, Reader};
use crate::support::{App, SUBMISSIONS, id, submission};

const SCHEMA: &str = r#"{
    "properties": {
        "meal": {"oneOf": [
            {"const": "m", "localizedName": {"en": "Meat", "de": "Fleisch", "fr": "Viande"}},
            {"const": "f", "localizedName": {"en": "Fish", "de": "Fisch", "fr": "Poisson"}}
        ]},
        "days": {"type": "array", "uniqueItems": true, "items": {"anyOf": [
            {"const": 1, "localizedName": {"en": "Monday", "de": "Montag", "fr": "lundi"}},
            {"const": 2, "localizedName": {"en": "Tuesday", "de": "Dienstag", "fr": "mardi"}}
        ]}},
        "vegan": {"type": "boolean"},
        "agreed": {"type": "boolean", "const": true},
        "born": {"type": "string", "format": "date"},
        "arrives": {"type": "string", "format": "date-time"},
        "price": {"type": "number"},
        "guests": {"type": "array", "items": {"properties": {
            "name": {"type": "string", "localizedName": {"en": "Name", "de": "Vorname", "fr": "Prénom"}},
            "meal": {"oneOf": [{"const": "m", "localizedName": {"en": "Meat", "de": "Fleisch", "fr": "Viande"}}]}
        }}},
        "towns": {"type": "array", "items": {"type": "string"}},
        "size": {"enum": ["S", "L"]},
        "plain": {"type": "string"}
    }
}"#;

const DATA: &str = r#"{
    "meal": "m", "days": [2,1], "vegan": true, "agreed": true, "born": "2001-12-31",
    "arrives": "2026-01-31T08:30:00+01:00", "price": 2.5,
    "guests": [{"name":"Ada","meal":"m"},{"name":"Bob"}],
    "towns": ["Graz","Linz"], "size": "L", "plain": "as it is"
}"#;

/// The answers in a language, in the order of the schema.
fn expected(language: &str) -> [&'static str; 11] {
    match language {
        "en" => [
            "Meat",
            "Tuesday, Monday",
            "Yes",
            "Yes",
            "2001-12-31",
            "2026-01-31 08:30 (UTC+01:00)",
            "2.5",
            "Name: Ada, Meal: Meat; Name: Bob",
            "Graz, Linz",
            "L",
            "as it is",
        ],
        "de" => [
            "Fleisch",
            "Dienstag, Montag",
            "Ja",
            "Ja",
            "31.12.2001",
            "31.01.2026, 08:30 (UTC+01:00)",
            "2,5",
            "Vorname: Ada, Meal: Fleisch; Vorname: Bob",
            "Graz, Linz",
            "L",
            "as it is",
        ],
        _ => [
            "Viande",
            "mardi, lundi",
            "Oui",
            "Oui",
            "31/12/2001",
            "31/01/2026 08:30 (UTC+01:00)",
            "2,5",
            "Prénom : Ada, Meal : Viande; Prénom : Bob",
            "Graz, Linz",
            "L",
            "as it is",
        ],
    }
}

/// The stored value in the title of a cell, where people read something else.
const STORED: [Option<&str>; 11] = [
    Some("m"),
    Some("[2,1]"),
    Some("true"),
    Some("true"),
    Some("2001-12-31"),
    Some("2026-01-31T08:30:00+01:00"),
    Some("2.5"),
    Some(r#"[{"name":"Ada","meal":"m"},{"name":"Bob"}]"#),
    Some(r#"["Graz","Linz"]"#),
    None,
    None,
];

async fn answered() -> (App, String, String) {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = json!({"dataFeedSchema": SCHEMA, "allowedActionsWhenSubmitted": ["read"]});
    let form = id(&app.form(form).await);
    let new = submission(&form, DATA);
    let sent = app.alice().post(SUBMISSIONS, new).await.expect(201);
    (app, form, id(&sent))
}

/// The table with all columns.
async fn table(alice: &mut Reader<'_>, form: &str) -> Page {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    let names = schema["properties"].as_object().unwrap().keys();
    let columns: Vec<_> = names.map(|name| format!("column=/{name}")).collect();
    let columns = columns.join("&");
    let path = format!("/console/forms/{form}/submissions?{columns}");
    alice.open(&path).await
}

#[tokio::test]
async fn answers_are_what_people_chose_in_every_language() {
    let (app, form, _) = answered().await;
    for language in ["en", "de", "fr"] {
        let mut alice = Reader::signed_in(&app, "alice").await.speaking(language);
        let page = table(&mut alice, &form).await;
        let cells = page.all("tbody td[data-label]");
        let cells = cells.get(2..).unwrap();
        assert_eq!(cells.len(), 11, "{}", page.answer);
        for ((cell, words), stored) in cells.iter().zip(expected(language)).zip(STORED) {
            assert_eq!(cell.text().collect::<String>(), words, "{language}");
            let stored = stored.filter(|stored| *stored != words);
            assert_eq!(cell.attr("title"), stored, "{language} {words}");
        }
    }
}

#[tokio::test]
async fn one_answer_reads_as_in_the_table_and_a_download_has_what_is_stored() {
    let (app, form, sent) = answered().await;
    let holder = json!({"userIdentifier": "carol"});
    app.share_form(&form, "read_submissions", holder.clone())
        .await;
    app.share_form(&form, "read", holder).await;
    for language in ["en", "de", "fr"] {
        let mut carol = Reader::signed_in(&app, "carol").await.speaking(language);
        let page = carol.open(&format!("/s/{sent}")).await;
        assert_eq!(page.status(), 200);
        let values = page.texts("main p.value");
        for (at, words) in expected(language).into_iter().enumerate() {
            // Groups and lists have a part of the page for each answer.
            if ![7, 8].contains(&at) {
                assert!(values.contains(&words.to_owned()), "{words}: {values:?}");
            }
        }
    }
    let mut alice = Reader::signed_in(&app, "alice").await;
    let path = format!("/console/forms/{form}/submissions/export?format=ndjson");
    let download = alice.open(&path).await;
    let text = String::from_utf8_lossy(&download.answer.body);
    let row: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    let stored = row["dataFeedElement"].to_string();
    assert!(
        stored.contains("2001-12-31") && stored.contains("\"m"),
        "{text}"
    );
}

#[tokio::test]
async fn who_may_not_read_answers_is_told_so() {
    let (app, form, _) = answered().await;
    for (action, may_read) in [("delete_submissions", false), ("read_submissions", true)] {
        let holder = json!({"userIdentifier": "carol"});
        app.share_form(&form, action, holder).await;
        let mut carol = Reader::signed_in(&app, "carol").await;
        for (tab, shown) in [("submissions", "main tbody"), ("summary", "#total")] {
            let page = carol.open(&format!("/console/forms/{form}/{tab}")).await;
            assert_eq!(page.status(), 200);
            assert_eq!(page.has(shown), may_read, "{tab}");
            let said = page.texts("main .empty");
            let expected = "You do not have permission to read the answers";
            assert_eq!(
                said.iter().any(|text| text.starts_with(expected)),
                !may_read
            );
            // Nothing fits the filter, which is something else.
            let none = format!("{}?creator=nobody", page.path);
            let none = carol.open(&none).await.texts("main .empty");
            assert_eq!(none, ["There are no answers to show."], "{tab}");
        }
    }
}
