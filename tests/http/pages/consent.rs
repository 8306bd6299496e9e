//! Nothing but a person ticks a box of consent.

use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use super::{Page, Reader};
use crate::support::{App, FORM_LINKS, FORMS, at, id};

on_every_store! {
    no_template_and_no_address_gives_consent,
    consent_of_a_new_question_is_required,
}

async fn app(store: Arc<dyn Store>) -> App {
    App::on_store(store).await.with_pages(PageSetup::default())
}

/// The boxes of a page, and those that are ticked.
fn boxes(page: &Page) -> (usize, usize) {
    let count = |selector| page.all(selector).len();
    (
        count("main input[type=checkbox]"),
        count("main input[type=checkbox][checked]"),
    )
}

async fn no_template_and_no_address_gives_consent(store: Arc<dyn Store>) {
    let app = app(store).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let begin = alice.open("/console/forms/new").await;
    let templates = begin.links().into_iter();
    let templates: Vec<_> = templates
        .filter(|link| link.contains("template="))
        .collect();
    assert_eq!(templates.len(), 5, "{templates:?}");
    let mut with_consent = 0;
    for template in &templates {
        let page = alice.open(template).await;
        let created = alice.press(&page, "save", &[("name", "A form")]).await;
        let form = created.leads_to();
        let form = form.strip_prefix("/console/forms/").unwrap();
        let link = json!({"formIdentifier": form});
        let link = app.alice().post(FORM_LINKS, link).await.expect(201);
        let link = link["url"].as_str().unwrap();
        let link = link.strip_prefix("https://forms.example.org/service");
        let mut anyone = Reader::new(&app);
        for query in ["", "?p:/consent=true", "?p:/consent=&p:/consent=true"] {
            let pages = [
                alice.open(&format!("/f/{form}{query}")).await,
                anyone.open(&format!("{}{query}", link.unwrap())).await,
            ];
            for page in pages {
                assert_eq!(page.status(), 200, "{template} {query}");
                with_consent += usize::from(page.has("input[name='/consent'][type=checkbox]"));
                assert_eq!(boxes(&page).1, 0, "{template} {query}");
                let sent = alice.press(&page, "show", &[]).await;
                assert_eq!(boxes(&sent).1, 0, "{template} {query}");
            }
        }
    }
    assert_eq!(with_consent, 12, "two templates ask for consent");
}

async fn consent_of_a_new_question_is_required(store: Arc<dyn Store>) {
    let app = app(store).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open("/console/forms/new?template=empty").await;
    let consent = [("new.label:", "I agree"), ("new.kind:", "consent")];
    let page = alice.press(&page, "new:", &consent).await;
    // The preview keeps what its author has ticked, and nothing else.
    let previewed = |page: &Page| {
        let boxes = page.all("section.preview input[type=checkbox][checked]");
        boxes.len()
    };
    assert_eq!(previewed(&page), 0);
    let ticked = alice.press(&page, "show", &[("/iAgree", "true")]).await;
    assert_eq!(previewed(&ticked), 1);
    let created = alice.press(&page, "save", &[("name", "A form")]).await;
    let form = created.leads_to();
    let form = form.strip_prefix("/console/forms/").unwrap();
    let stored = app.alice().get(&at(FORMS, form)).await.expect(200);
    let schema: Value = serde_json::from_str(stored["dataFeedSchema"].as_str().unwrap()).unwrap();
    assert_eq!(schema["required"], json!(["iAgree"]));
    let page = alice.open(&format!("/f/{form}")).await;
    assert_eq!(boxes(&page), (1, 0));
    let refused = alice.press(&page, "send", &[]).await;
    assert_eq!(refused.status(), 422);
    assert!(refused.has("input[name='/iAgree'][aria-invalid=true]"));
    assert_eq!(id(&stored), form);
}
