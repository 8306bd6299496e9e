//! The console.

mod answers;
mod changes;
mod explanations;
mod old_pages;
mod rights;
mod sharing;
mod summary;
mod time_zones;
mod webhooks;

use formalize_pages::PageSetup;
use serde_json::{Value, json};

use super::{Page, Reader};
use crate::support::{App, id};

const SCHEMA: &str = r#"{"properties": {
    "name": {"type": "string", "title": "Full name"},
    "town": {"type": "string", "localizedName": {"en": "Town", "de": "Ort"}}
}}"#;

/// A service with pages and a form of Alice.
async fn with_form(members: Value) -> (App, String) {
    let app = App::new().await;
    let clock = app.clock.clone();
    let app = app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    });
    let mut form = json!({"dataFeedSchema": SCHEMA});
    crate::support::merge(&mut form, members);
    let form = id(&app.form(form).await);
    (app, form)
}

/// The paths of the tabs, without that of the form.
fn tabs(page: &Page, form: &str) -> Vec<String> {
    let start = format!("/console/forms/{form}");
    let tabs = page.all(".tabs a").into_iter();
    let paths = tabs.filter_map(|tab| tab.attr("href")?.strip_prefix("/service"));
    paths
        .map(|path| path.strip_prefix(&start).unwrap().to_owned())
        .collect()
}
