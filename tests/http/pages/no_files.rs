//! Forms that ask for files, where the service takes none.

use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use super::Reader;
use crate::support::{App, FORMS, at, id};

on_every_store! {
    who_saves_a_form_that_asks_for_files_is_warned,
    who_stores_a_misspelled_keyword_is_warned,
}

const FILES: &str =
    r#"{"properties": {"a": {"title": "A"}}, "files": {"cv": {"allowedMimeTypes": ["*/*"]}}}"#;
const NO_FILES: &str = r#"{"properties": {"a": {"title": "A"}}}"#;

/// The same warnings that the editor has, at most 64 of them.
async fn who_stores_a_misspelled_keyword_is_warned(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let alice = app.alice();
    let schema = r#"{"properties": {"a": {"maxlength": 3}}, "requried": ["a"]}"#;
    let expected = json!([
        "the unknown keyword `requried` is ignored; did you mean `required`?",
        "/properties/a: the unknown keyword `maxlength` is ignored; did you mean `maxLength`?",
    ]);
    let created = alice
        .post(FORMS, json!({ "name": "F", "dataFeedSchema": schema }))
        .await;
    let created = created.expect(201);
    assert_eq!(created["warnings"], expected);
    let path = at(FORMS, &id(&created));
    let renamed = alice.patch(&path, json!({ "name": "G" })).await.expect(200);
    assert_eq!(renamed["warnings"], Value::Null);
    let many = (0..100).map(|number| (format!("a{number}"), json!({ "titl": "x" })));
    let many = json!({ "properties": many.collect::<serde_json::Map<_, _>>() }).to_string();
    let changed = alice
        .patch(&path, json!({ "dataFeedSchema": many }))
        .await
        .expect(200);
    assert_eq!(changed["warnings"].as_array().unwrap().len(), 64);
}

/// The warnings in a response.
fn warnings(form: &Value) -> usize {
    let warnings = form["warnings"].as_array().map_or(&[][..], Vec::as_slice);
    let expected = "the schema has rules about files, but this service takes no files";
    for warning in warnings {
        assert!(warning.as_str().unwrap().starts_with(expected), "{form}");
    }
    warnings.len()
}

async fn who_saves_a_form_that_asks_for_files_is_warned(store: Arc<dyn Store>) {
    for takes_files in [false, true] {
        let app = if takes_files {
            App::on_store(Arc::clone(&store)).await
        } else {
            App::without_files(Arc::clone(&store)).await
        };
        let app = app.with_pages(PageSetup::default());
        let alice = app.alice();
        for (schema, expected) in [(FILES, usize::from(!takes_files)), (NO_FILES, 0)] {
            let new = json!({"name": "Application", "dataFeedSchema": schema});
            let created = alice.post(FORMS, new).await.expect(201);
            assert_eq!(warnings(&created), expected, "{takes_files} {schema}");
            let path = at(FORMS, &id(&created));
            let change = json!({"dataFeedSchema": format!("{schema} ")});
            let changed = alice.patch(&path, change).await.expect(200);
            assert_eq!(warnings(&changed), expected, "{takes_files} {schema}");
            // Only who stores a schema is warned.
            let renamed = alice.patch(&path, json!({"name": "B"})).await.expect(200);
            let read = alice.get(&path).await.expect(200);
            assert_eq!((warnings(&renamed), warnings(&read)), (0, 0));

            let mut author = Reader::signed_in(&app, "alice").await;
            let editor = format!("/console/forms/{}/edit", id(&created));
            let page = author.open(&editor).await;
            let said = page.texts(".warnings li");
            let is_said = said.iter().any(|text| text.contains("takes no files"));
            assert_eq!(is_said, expected > 0, "{said:?}");
        }
    }
}
