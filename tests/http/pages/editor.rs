//! The editor of forms: from a template to a form, edits, faults, two authors, and who may use it.

use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use super::{Page, Reader};
use crate::support::{App, FORMS, NOWHERE, SUBMISSIONS, at, id, submission};

on_every_store! {
    a_form_is_made_from_a_template,
    cards_are_edited_and_saved,
    what_was_not_changed_is_not_sent,
    of_two_authors_one_is_asked,
    who_may_change_a_form_sees_its_editor,
}

/// A schema with odd white space, line breaks, numbers and an unknown keyword.
const SCHEMA: &str = "{\r\n\t\"properties\" : {\r\n\t\t\"name\":{ \"type\":\"string\", \"x-mine\": 1.50 },\r\n\t\t\
    \"comes\": {\"type\": \"boolean\", \"title\": \"Do you come?\"},\r\n\t\t\"menu\": {\"$ref\": \"#/definitions/menu\"}\
    \r\n\t},\r\n\t\"definitions\": {\"menu\": {\"enum\": [\"meat\", \"fish\"]}}\r\n}\r\n";

async fn app(store: Arc<dyn Store>) -> App {
    App::on_store(store).await.with_pages(PageSetup::default())
}

async fn form_with(app: &App, schema: &str) -> String {
    id(&app.form(json!({ "dataFeedSchema": schema })).await)
}

async fn stored(app: &App, form: &str) -> Value {
    app.alice().get(&at(FORMS, form)).await.expect(200)
}

async fn schema_of(app: &App, form: &str) -> String {
    stored(app, form).await["dataFeedSchema"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn editor(form: &str) -> String {
    format!("/console/forms/{form}/edit")
}

/// The schema that the page carries.
fn text(page: &Page) -> String {
    serde_json::from_str(&page.value("text").unwrap()).unwrap()
}

/// Sends the page after these inputs were added to it, such as boxes that were ticked.
async fn press_with(
    reader: &mut Reader<'_>,
    page: &Page,
    button: &str,
    added: &[(&str, &str)],
) -> Page {
    let mut sent = page.sent();
    let pressed = ("do", button);
    let pairs = added.iter().chain([&pressed]);
    sent.extend(pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    reader.ask(Method::POST, &page.path, Some(&sent), &[]).await
}

async fn a_form_is_made_from_a_template(store: Arc<dyn Store>) {
    let app = app(store).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let begin = alice.open("/console/forms/new").await;
    let templates: Vec<_> = begin
        .links()
        .into_iter()
        .filter(|link| link.contains("template="))
        .collect();
    assert_eq!(templates.len(), 5, "{templates:?}");
    for template in &templates {
        for language in ["en", "de", "fr"] {
            let mut alice = Reader::signed_in(&app, "alice").await.speaking(language);
            let page = alice.open(template).await;
            assert_eq!(page.status(), 200);
            assert!(
                !page.has(".warnings") && !page.has(".summary"),
                "{template} {language}"
            );
        }
    }

    let page = alice.open("/console/forms/new?template=registration").await;
    assert_eq!(page.value("name").as_deref(), Some("Registration"));
    let nameless = alice.press(&page, "save", &[("name", " ")]).await;
    assert_eq!(nameless.status(), 422);
    assert!(nameless.has("#e-name[aria-invalid=true][aria-describedby='e-name.problem']"));
    let said = "Give the form a name of at most 255 characters.";
    assert_eq!(nameless.texts("[id='e-name.problem']"), [said]);
    assert_eq!(nameless.texts(".summary a[href='#e-name']"), [said]);

    let more = [("new.label:", "Shoe size"), ("new.kind:", "integer")];
    let page = alice.press(&page, "new:", &more).await;
    let labels = page.texts(".question .label");
    assert_eq!(labels.last().unwrap(), "Shoe size");
    assert!(page.has("section.preview input[name='/shoeSize']"));
    let created = alice.press(&page, "save", &[("name", "Spring run")]).await;
    let path = created.leads_to();
    let twice = alice.press(&page, "save", &[("name", "Spring run")]).await;
    assert_eq!(twice.leads_to(), path, "a double click creates one form");
    let form = path.strip_prefix("/console/forms/").unwrap();
    let form = stored(&app, form).await;
    assert_eq!(form["name"], "Spring run");
    assert!(
        form["dataFeedSchema"]
            .as_str()
            .unwrap()
            .contains("\"shoeSize\"")
    );
}

async fn cards_are_edited_and_saved(store: Arc<dyn Store>) {
    let app = app(store).await;
    let form = form_with(&app, SCHEMA).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&editor(&form)).await;
    assert_eq!(
        page.texts(".question .what > .label"),
        ["name", "Do you come?", "menu"]
    );
    assert!(page.texts(".question .facts")[2].starts_with("Written by hand"));

    let page = alice.press(&page, "open:/name", &[]).await;
    let changes = [
        ("card.label.0", "Your name"),
        ("card.condition", r#"["comes",["true"]]"#),
    ];
    let mut page = alice.press(&page, "close:/name", &changes).await;
    assert!(!page.has(".fields"));
    assert_eq!(
        page.texts(".question .what > .label"),
        ["Do you come?", "Your name", "menu"]
    );
    page = alice.press(&page, "down:/comes", &[]).await;
    assert_eq!(page.texts(".question .what > .label")[0], "menu");
    page = alice.press(&page, "copy:/menu", &[]).await;
    page = alice.press(&page, "delete:/menu", &[]).await;
    let expected = SCHEMA
        .replace(
            "\"name\":{ \"type\":\"string\", \"x-mine\": 1.50 },\r\n\t\t",
            "",
        )
        .replace(
            "\"comes\": {\"type\": \"boolean\", \"title\": \"Do you come?\"},\r\n\t\t",
            "",
        );
    let expected = expected.replace(
        "\"menu\": {\"$ref\": \"#/definitions/menu\"}",
        "\"menu2\": {\"$ref\": \"#/definitions/menu\"},\r\n\t\t\"comes\": {\"type\": \"boolean\", \"title\": \"Do you come?\"}",
    );
    let text = text(&page);
    let (before, behind) = text.split_once(",\r\n\t\"allOf\": ").unwrap();
    assert_eq!(before, expected.trim_end().strip_suffix("\r\n}").unwrap());
    assert!(
        behind.contains(
            "\"name\": { \"type\":\"string\", \"x-mine\": 1.50, \"title\": \"Your name\" }"
        ),
        "{behind}"
    );

    let refused = alice.press(&page, "delete:/comes", &[]).await;
    assert_eq!(refused.status(), 422);
    assert!(refused.texts(".problem")[0].starts_with("Other questions are asked"));
    let saved = alice.press(&page, "save", &[]).await;
    let page = alice.follow(&saved).await;
    assert_eq!(page.texts(".note"), ["Your changes are saved."]);
    assert_eq!(schema_of(&app, &form).await, text);

    // An answer in the preview shows the question that depends on it, and is judged.
    let shown = press_with(&mut alice, &page, "show", &[("/comes", "true")]).await;
    assert!(shown.has("section.preview input[name='/name']"));
    let tried = press_with(&mut alice, &shown, "try", &[("/menu2", "\"soup\"")]).await;
    assert_eq!(tried.status(), 422);
    assert!(tried.has("section.preview .summary"));
    let list: Value = app
        .admin()
        .get(&format!("{SUBMISSIONS}?formIdentifier={form}"))
        .await
        .expect(200);
    assert_eq!(list["items"], json!([]), "nothing is submitted");
}

async fn what_was_not_changed_is_not_sent(store: Arc<dyn Store>) {
    let app = app(store).await;
    let form = form_with(&app, SCHEMA).await;
    let before = stored(&app, &form).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let cards = alice.open(&editor(&form)).await;
    let opened = alice.press(&cards, "open:/name", &[]).await;
    let as_text = alice.press(&opened, "view:text", &[]).await;
    assert!(as_text.has("textarea[name=written]"));
    for page in [cards, opened, as_text] {
        let saved = alice.press(&page, "save", &[]).await;
        assert!(saved.leads_to().ends_with("?unchanged"));
    }
    assert_eq!(
        stored(&app, &form).await,
        before,
        "the revision is the same, too"
    );

    // A form without a schema stays without one.
    let bare = id(&app.form(json!({})).await);
    let page = alice.open(&editor(&bare)).await;
    assert!(
        alice
            .press(&page, "save", &[])
            .await
            .leads_to()
            .ends_with("?unchanged")
    );
    assert_eq!(stored(&app, &bare).await["dataFeedSchema"], Value::Null);
}

async fn of_two_authors_one_is_asked(store: Arc<dyn Store>) {
    let app = app(store).await;
    let form = form_with(&app, SCHEMA).await;
    let (mut one, mut other) = (
        Reader::signed_in(&app, "alice").await,
        Reader::signed_in(&app, "alice").await,
    );
    let theirs = one.open(&editor(&form)).await;
    let mine = other.open(&editor(&form)).await;
    let theirs = one.press(&theirs, "copy:/name", &[]).await;
    one.press(&theirs, "save", &[]).await.leads_to();
    let first = schema_of(&app, &form).await;

    let mine = other.press(&mine, "delete:/name", &[]).await;
    let asked = other.press(&mine, "save", &[]).await;
    assert_eq!(asked.status(), 412);
    assert_eq!(
        schema_of(&app, &form).await,
        first,
        "nothing is overwritten"
    );
    let shown: String = asked.texts(".summary textarea").concat();
    assert!(shown.contains("\"name2\""), "{shown}");
    assert_eq!(text(&asked), text(&mine));
    other.press(&asked, "save-anyway", &[]).await.leads_to();
    assert_eq!(schema_of(&app, &form).await, text(&mine));

    // With answers, the author is told how many there are.
    for data in [r#"{"comes": true}"#, "{}"] {
        let new = submission(&form, data);
        app.alice().post(SUBMISSIONS, new).await.expect(201);
    }
    let page = other.open(&editor(&form)).await;
    let page = other.press(&page, "delete:/menu", &[]).await;
    let asked = other.press(&page, "save", &[]).await;
    assert_eq!(asked.status(), 200);
    assert!(
        asked.texts(".ask p")[0].contains("2 answers"),
        "{:?}",
        asked.texts(".ask p")
    );
    assert_eq!(schema_of(&app, &form).await, text(&mine));
    other.press(&asked, "save-anyway", &[]).await.leads_to();
    assert_eq!(schema_of(&app, &form).await, text(&page));
}

async fn who_may_change_a_form_sees_its_editor(store: Arc<dyn Store>) {
    let app = app(store).await;
    let form = form_with(&app, SCHEMA).await;
    for (action, user) in [
        ("read", "bob"),
        ("update", "carol"),
        ("create_submissions", "dave"),
    ] {
        app.share_form(&form, action, json!({ "userIdentifier": user }))
            .await;
    }
    app.share_form(&form, "read", json!({ "userIdentifier": "carol" }))
        .await;
    for (user, status) in [
        ("alice", 200),
        ("carol", 200),
        ("bob", 403),
        ("dave", 403),
        ("nobody", 403),
    ] {
        let mut reader = Reader::signed_in(&app, user).await;
        let page = reader.open(&editor(&form)).await;
        assert_eq!(page.status(), status, "{user}");
        assert_eq!(
            String::from_utf8_lossy(&page.answer.body).contains("x-mine"),
            status == 200,
            "{user}"
        );
        let may_create = user == "alice";
        for path in ["/console/forms/new", "/console/forms/new?template=survey"] {
            assert_eq!(
                reader.open(path).await.status() == 200,
                may_create,
                "{user} {path}"
            );
        }
        if status != 200 {
            // The page of somebody else, with a token of one's own.
            let mut alice = Reader::signed_in(&app, "alice").await;
            let sent = alice.open(&editor(&form)).await.sent();
            let answer = reader
                .ask(Method::POST, &editor(&form), Some(&sent), &[])
                .await;
            assert_eq!(answer.status(), 403, "{user}");
        }
    }
    let mut nobody = Reader::new(&app);
    let page = nobody.open(&editor(&form)).await;
    assert!(
        page.leads_to()
            .starts_with("/sign-in?return=%2Fconsole%2Fforms%2F")
    );
    let mut alice = Reader::signed_in(&app, "alice").await;
    for path in [editor(NOWHERE), editor("x")] {
        assert_eq!(alice.open(&path).await.status(), 404, "{path}");
    }
    assert_eq!(schema_of(&app, &form).await, SCHEMA);
}

#[tokio::test]
async fn faults_are_shown_where_they_are() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = form_with(&app, SCHEMA).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&editor(&form)).await;
    let page = alice.press(&page, "view:text", &[]).await;

    let wrong = SCHEMA
        .replace("\"string\"", "\"text\"")
        .replace("\r\n", "\n");
    let cards = alice
        .press(&page, "view:questions", &[("written", &wrong)])
        .await;
    assert!(cards.has("li.question.wrong[data-card='/name']"));
    let summary = cards.texts(".summary li");
    assert!(summary[0].contains("/properties/name/type"), "{summary:?}");
    assert!(summary[0].ends_with("line 3, column 19"), "{summary:?}");
    let refused = alice.press(&cards, "save", &[]).await;
    assert_eq!(refused.status(), 422);
    assert!(refused.texts("title")[0].starts_with("Error: "));

    // What is no JSON is shown as text, whichever view is wanted.
    let broken = alice
        .press(&page, "view:questions", &[("written", "{\n\"a\" 1}")])
        .await;
    assert!(broken.has("textarea[name=written]") && !broken.has(".question"));
    assert!(broken.texts(".summary li")[0].contains("line 2 column 5"));
    assert_eq!(schema_of(&app, &form).await, SCHEMA);
}

#[tokio::test]
async fn texts_are_written_in_several_languages() {
    let app = App::new().await.with_pages(PageSetup::default());
    let schema = r#"{"properties": {"a": {"type": "string", "title": "Name"}}}"#;
    let form = form_with(&app, schema).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&editor(&form)).await;
    let page = alice
        .press(&page, "open:/a", &[("languages", "en, de")])
        .await;
    assert_eq!(page.value("card.label.0").as_deref(), Some("Name"));
    let page = alice
        .press(&page, "apply", &[("card.label.1", "Ihr Name")])
        .await;
    assert_eq!(
        text(&page),
        r#"{"properties": {"a": {"type": "string", "title": "Name", "localizedName": {"en": "Name", "de": "Ihr Name"}}}}"#
    );
    let page = alice.press(&page, "show", &[("spoken", "de")]).await;
    assert!(page.texts(".preview label").concat().contains("Ihr Name"));
}

#[tokio::test]
async fn a_choice_needs_choices() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = form_with(&app, r#"{"properties": {"a": {"type": "string"}}}"#).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&editor(&form)).await;
    let page = alice.press(&page, "open:/a", &[]).await;
    let page = alice
        .press(&page, "apply", &[("card.kind", "choice")])
        .await;
    assert_eq!(page.value("card.choices.0").as_deref(), Some("A"));
    let changes = [
        ("card.choices.0", "r = red\nblue\nred\nblue"),
        ("card.label.0", "Colour"),
    ];
    let refused = alice.press(&page, "apply", &changes).await;
    assert_eq!(refused.status(), 422);
    assert_eq!(
        refused.texts(".fields .problem"),
        ["The choice “blue” occurs twice."]
    );
    assert_eq!(
        refused.value("card.label.0").as_deref(),
        Some("Colour"),
        "nothing is lost"
    );
    let page = alice
        .press(&refused, "apply", &[("card.choices.0", "r = red\nblue")])
        .await;
    assert!(
        text(&page).contains(r#""oneOf": [{"const": "r", "title": "red"}, {"const": "blue"}]"#),
        "{}",
        text(&page)
    );
}

#[tokio::test]
async fn forged_and_old_pages_change_nothing() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = form_with(&app, SCHEMA).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&editor(&form)).await;
    let page = alice.press(&page, "delete:/name", &[]).await;
    let mut sent = page.sent();
    sent.push(("do".to_owned(), "save".to_owned()));
    let elsewhere = [("sec-fetch-site", "cross-site")];
    let forged = alice
        .ask(Method::POST, &page.path, Some(&sent), &elsewhere)
        .await;
    assert_eq!(forged.status(), 403);

    // A page of an earlier session is shown again, with everything in it.
    let mut again = Reader::signed_in(&app, "alice").await;
    let old = again.ask(Method::POST, &page.path, Some(&sent), &[]).await;
    assert_eq!((old.status(), text(&old)), (403, text(&page)));
    assert_eq!(schema_of(&app, &form).await, SCHEMA);
    again.press(&old, "save", &[]).await.leads_to();
    assert_eq!(schema_of(&app, &form).await, text(&page));

    for (name, value) in [("text", "{}}"), ("revision", "x"), ("text", "1")] {
        let page = again.open(&editor(&form)).await;
        assert_eq!(
            again.press(&page, "apply", &[(name, value)]).await.status(),
            400,
            "{name}"
        );
    }
}
