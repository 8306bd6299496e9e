//! Pages of schemas that other projects use, with documents that are valid or not. They are not part of this project:
//! the build script finds them in a folder beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use super::Reader;
use crate::support::{App, SUBMISSIONS, at, id, submission};

on_every_store! {
    schemas_of_others_have_pages,
}

/// The folder that the build script has found: each folder in it has a schema and documents.
const FOLDER: &str = env!("FORMALIZE_SCHEMAS");

fn paths(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Removes what a page cannot tell from no answer.
fn meaning(value: &Value) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), meaning(value)));
            Value::Object(members.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => items.iter().map(meaning).collect(),
        other => other.clone(),
    }
}

async fn schemas_of_others_have_pages(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let mut bob = Reader::signed_in(&app, "bob").await;
    let (mut valid, mut invalid) = (0, 0);
    for folder in paths(Path::new(FOLDER)).iter().filter(|path| path.is_dir()) {
        let schema = fs::read_to_string(folder.join("schema.json")).unwrap();
        let members =
            json!({"dataFeedSchema": schema, "allowedActionsWhenSubmitted": ["read", "update"]});
        let form = app.open_form(members).await;
        let page = bob.open(&format!("/f/{form}")).await;
        assert_eq!(page.status(), 200, "{}", folder.display());
        for document in paths(&folder.join("valid")) {
            returns_unchanged(&app, &mut bob, &form, &document).await;
            valid += 1;
        }
        for document in paths(&folder.join("invalid")) {
            let data = fs::read_to_string(&document).unwrap();
            let refused = app.bob().post(SUBMISSIONS, submission(&form, &data)).await;
            assert_eq!(refused.status.as_u16(), 400, "{}", document.display());
            invalid += 1;
        }
    }
    assert!(valid > 40 && invalid > 40, "{valid} {invalid}");
}

/// A document that the interface accepts is shown on a page, and is the same after the page was sent.
async fn returns_unchanged(app: &App, bob: &mut Reader<'_>, form: &str, document: &Path) {
    let data = fs::read_to_string(document).unwrap();
    let document = document.display();
    let sent = app.bob().post(SUBMISSIONS, submission(form, &data)).await;
    let sent = id(&sent.expect(201));
    let page = bob.open(&format!("/s/{sent}")).await;
    assert_eq!(
        (page.status(), page.has(".problem")),
        (200, false),
        "{document}"
    );
    let changed = bob.press(&page, "send", &[]).await;
    assert_eq!(
        changed.status(),
        303,
        "{document}: {:?}",
        changed.texts(".summary li")
    );
    let stored = app.bob().get(&at(SUBMISSIONS, &sent)).await.expect(200);
    let stored: Value = serde_json::from_str(stored["dataFeedElement"].as_str().unwrap()).unwrap();
    let expected: Value = serde_json::from_str(&data).unwrap();
    assert_eq!(meaning(&stored), meaning(&expected), "{document}");
}
