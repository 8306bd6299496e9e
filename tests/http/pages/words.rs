//! The words on the pages of the server are from the catalogue of the reader's language.

use formalize_pages::PageSetup;
use formalize_web::Language;
use poem::http::Method;
use scraper::Node;
use serde_json::json;

use super::{Page, Reader};
use crate::support::{
    App, FORM_LINKS, FORMS, GROUPS, Receiver, SUBMISSIONS, WEBHOOKS, at, each, id, submission,
};

/// Somebody who may do everything, and whose name has no letters.
const CONFIGURATION: &str = r#"
    administrators = 'user.id == "42"'
    [policies]
    create_groups = 'user.id == "42"'
    create_forms = 'user.id == "42"'
    manage_everything = 'user.id == "42"'
"#;

/// Its texts have no letters either.
const SCHEMA: &str = r#"{
    "required": ["1", "2", "9"],
    "properties": {
        "1": {"type": "string", "minLength": 3, "description": "1.1"},
        "2": {"type": "integer", "minimum": 1, "maximum": 5},
        "3": {"enum": ["31", "32"]},
        "4": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "5": {"type": "boolean"},
        "6": {"type": "string", "format": "date-time"},
        "7": {"type": "array", "uniqueItems": true, "items": {"enum": ["71", "72"]}},
        "8": {},
        "9": {"type": "boolean", "const": true}
    },
    "if": {"properties": {"5": {"const": true}}, "required": ["5"]},
    "then": {"properties": {"51": {"type": "string"}}}
}"#;

/// Names that are the same in all languages. The editor shows keywords.
const NAMES: [&str; 6] = ["UTC", "CSV", "NDJSON", "XLSX", "if", "then"];

/// Fails if a page has a word in plain letters: on pages in the language for tests, all other words have other letters.
#[track_caller]
fn assert_translated(page: &Page) {
    let attributes = ["alt", "title", "aria-label", "placeholder", "label"];
    let mut found = Vec::new();
    for node in page.html.tree.nodes() {
        let mut around = node
            .ancestors()
            .filter_map(|above| above.value().as_element());
        // Code, what people have entered, and the messages of the service about a schema.
        let is_data = |name: &str| matches!(name, "code" | "pre" | "script" | "style" | "textarea");
        if around.any(|above| is_data(above.name()) || above.attr("lang") == Some("en")) {
            continue;
        }
        match node.value() {
            Node::Text(text) => found.push(&**text),
            Node::Element(element) => {
                found.extend(attributes.iter().filter_map(|name| element.attr(name)));
                let is_told = |name: &str| name.starts_with("data-");
                let told = element.attrs().filter(|(name, _)| is_told(name));
                found.extend(
                    told.map(|(_, value)| value)
                        .filter(|value| value.contains(' ')),
                );
            }
            _ => {}
        }
    }
    assert!(found.len() > 5, "{}", page.path);
    for text in found {
        // The script replaces names in braces.
        let parts = text.split(['{', '}']).step_by(2);
        let words = parts.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '-'));
        // Words with digits are identifiers, some parts of which are letters only.
        let words = words.filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
        let plain = words.flat_map(|word| word.split('-'));
        let plain = plain.filter(|word| word.chars().all(|c| c.is_ascii_alphabetic()));
        for word in plain.filter(|word| word.len() > 1) {
            assert!(NAMES.contains(&word), "{}: {word} in {text}", page.path);
        }
    }
}

#[tokio::test]
async fn no_word_of_a_page_is_english_in_another_language() {
    let mut setup = PageSetup {
        language: Some(Language::Pseudo),
        ..PageSetup::default()
    };
    "0-0".clone_into(&mut setup.settings.title);
    let app = App::with(CONFIGURATION).await;
    setup.clock = app.clock.clone();
    let app = app.with_pages(setup);
    let token = app.token("42", json!({}), None).await;
    let actor = app.with_token(&token);
    let states = json!(["draft", "submitted"]);
    let new = json!({"name": "0-1", "dataFeedSchema": SCHEMA, "allowedSubmissionStates": states});
    let form = id(&actor.post(FORMS, new).await.expect(201));
    let webhook =
        json!({"formIdentifier": form, "url": "https://example.org/", "description": "0-4"});
    let webhook = id(&actor.post(WEBHOOKS, webhook).await.expect(201));
    let data = r#"{"1": "100", "2": 3, "3": "31", "9": true}"#;
    let sent = actor.post(SUBMISSIONS, submission(&form, data)).await;
    let sent = id(&sent.expect(201));
    Receiver::new(Ok(500)).take(&app).await;
    let deliveries = format!("{}/deliveries", at(WEBHOOKS, &webhook));
    let deliveries = actor.get(&deliveries).await.expect(200);
    let delivery = each(&deliveries, "identifier")[0].to_owned();
    let group = id(&actor.post(GROUPS, json!({"name": "0-2"})).await.expect(201));
    let link = json!({"formIdentifier": form, "label": "0-3", "maxNumSubmissions": 9});
    let link = actor.post(FORM_LINKS, link).await.expect(201);
    let url = link["url"].as_str().unwrap();
    let link_path = url
        .strip_prefix("https://forms.example.org/service")
        .unwrap();

    let mut reader = Reader::signed_in(&app, "42").await.speaking("nl");
    let console = format!("/console/forms/{form}");
    let mut paths: Vec<_> = [
        "",
        "/edit",
        "/submissions",
        "/submissions/delete",
        "/summary",
        "/sharing",
        "/links",
        "/webhooks",
        "/settings",
        "/delete",
    ]
    .map(|tab| format!("{console}{tab}"))
    .into();
    paths.extend([
        "/console".to_owned(),
        "/console/forms/new".to_owned(),
        "/console/groups".to_owned(),
        "/console/tokens".to_owned(),
        format!("/console/groups/{group}"),
        format!("/console/groups/{group}/delete"),
        format!("{console}/links/{}", id(&link)),
        format!("{console}/webhooks/{webhook}"),
        format!("{console}/webhooks/{webhook}/delete"),
        format!("{console}/webhooks/{webhook}/deliveries/{delivery}"),
        format!("/f/{form}"),
        format!("/f/{form}/sent?submission={sent}"),
        format!("/s/{sent}"),
        format!("/s/{sent}/delete"),
        "/f/0/0".to_owned(),
    ]);
    let templates = ["empty", "contact", "registration", "survey", "application"];
    paths.extend(templates.map(|template| format!("/console/forms/new?template={template}")));
    for path in &paths {
        let page = reader.open(path).await;
        assert!([200, 404].contains(&page.status()), "{}", page.answer);
        assert_eq!(page.all("html")[0].attr("dir"), Some("rtl"), "{path}");
        assert_translated(&page);
    }

    let page = reader.open(&format!("/f/{form}")).await;
    let wrong = [("/1", "1"), ("/2", "9"), ("/6", "7"), ("/8", "{")];
    for button in ["show", "add:/4", "send"] {
        let page = reader.press(&page, button, &wrong).await;
        assert_eq!(page.status() == 422, button == "send");
        assert_translated(&page);
    }
    let saved = reader.press(&page, "save", &[("/1", "1")]).await;
    assert_translated(&reader.follow(&saved).await);
    reader.cookie = None;
    let ended = reader.press(&page, "send", &[]).await;
    assert_translated(&ended);
    for path in [link_path, &format!("{link_path}/sent"), "/l/0", "/sign-in"] {
        assert_translated(&reader.open(path).await);
    }
    let wrong = [("secret".to_owned(), "0".to_owned())];
    let refused = reader
        .ask(Method::POST, "/sign-in/token", Some(&wrong), &[])
        .await;
    assert_eq!(refused.status(), 422);
    assert_translated(&refused);
}
