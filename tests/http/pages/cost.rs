//! Pages that cost much are made on other threads. What they cost is an estimate, so these tests need no clock.

use formalize_pages::{Drawn, PageSetup};
use serde_json::{Map, json};

use super::{Page, Reader};
use crate::support::{App, BATCH, FORM_LINKS};

/// A form whose only required question is the first of so many.
async fn form(app: &App, questions: usize) -> String {
    let questions = (0..questions).map(|at| (format!("q{at}"), json!({"type": "string"})));
    let schema =
        json!({"properties": questions.collect::<Map<_, _>>(), "required": ["q0"]}).to_string();
    let states = ["draft", "submitted"];
    let form = json!({"dataFeedSchema": schema, "allowedSubmissionStates": states});
    let form = app.open_form(form).await;
    let answers = vec![json!({"dataFeedElement": r#"{"q0": "a"}"#}); 50];
    let batch = json!({"formIdentifier": form, "submissions": answers});
    app.alice().post(BATCH, batch).await.expect(200);
    form
}

/// The pages of people who fill in the form.
async fn for_people(app: &App, form: &str) -> Vec<Page> {
    let mut alice = Reader::signed_in(app, "alice").await;
    let path = format!("/f/{form}");
    let page = alice.open(&path).await;
    let shown = alice.press(&page, "show", &[]).await;
    let refused = alice.press(&page, "send", &[]).await;
    let old = alice.press(&page, "send", &[("token", "0")]).await;
    let saved = alice.press(&page, "save", &[]).await;
    let draft = alice.follow(&saved).await;
    let incomplete = alice.press(&draft, "send", &[]).await;
    let old_draft = alice.press(&draft, "send", &[("token", "0")]).await;
    let sent = alice.press(&draft, "send", &[("/q0", "a")]).await;
    let id = sent
        .leads_to()
        .split_once("submission=")
        .unwrap()
        .1
        .to_owned();
    let reading = alice.open(&format!("/s/{id}")).await;

    let link = json!({"formIdentifier": form});
    let link = app.alice().post(FORM_LINKS, link).await.expect(201);
    let (_, link) = link["url"]
        .as_str()
        .unwrap()
        .split_once("/service")
        .unwrap();
    let mut anyone = Reader::new(app);
    let of_link = anyone.open(link).await;
    let early = anyone.press(&of_link, "send", &[]).await;
    vec![
        page, shown, refused, old, draft, incomplete, old_draft, reading, of_link, early,
    ]
}

/// The pages of those who manage the form.
async fn for_managers(app: &App, form: &str, columns: usize) -> Vec<Page> {
    let mut alice = Reader::signed_in(app, "alice").await;
    let path = format!("/console/forms/{form}");
    let editor = alice.open(&format!("{path}/edit")).await;
    let tried = alice.press(&editor, "try", &[]).await;
    let text = alice.press(&editor, "view:text", &[]).await;
    let old = alice.press(&editor, "try", &[("token", "0")]).await;
    let template = "/console/forms/new?template=registration";
    let mut new = alice.open(template).await;
    let packed = editor.value("text").unwrap();
    new = alice.press(&new, "show", &[("text", &packed)]).await;
    let columns = (0..columns).map(|at| format!("column=/q{at}"));
    let columns = columns.collect::<Vec<_>>().join("&");
    let answers = alice.open(&format!("{path}/submissions?{columns}")).await;
    let summary = alice.open(&format!("{path}/summary")).await;
    vec![editor, tried, text, old, new, answers, summary]
}

#[tokio::test]
async fn pages_that_cost_much_are_made_on_other_threads() {
    let app = App::new().await.with_pages(PageSetup::default());
    for (questions, expected) in [(2, Drawn::Here), (900, Drawn::Elsewhere)] {
        let form = form(&app, questions).await;
        let mut pages = for_people(&app, &form).await;
        pages.extend(for_managers(&app, &form, questions.min(100)).await);
        for page in pages {
            let (asked, status) = (&page.answer.asked, page.status());
            assert!([200, 403, 422].contains(&status), "{asked}: {status}");
            let drawn = page.answer.drawn;
            assert_eq!(
                drawn,
                Some(expected),
                "{asked}: {status}, {questions} questions"
            );
        }
    }
}
