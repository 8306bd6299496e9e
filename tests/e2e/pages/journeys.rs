//! What people come for, from the first page to the last, in each way of using pages: with and without scripts, with the
//! keyboard alone, and on a screen of 320 pixels.

use std::time::Duration;

use formalize_core::{Clock, SystemClock};
use formalize_tests::ServerCommand;
use formalize_tests::browser::Tab;
use formalize_tests::issuer::{TestClient, TestIssuer, TestKey};
use formalize_tests::patience::until;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::webhooks::an_author_sends_events_to_a_program;
use super::{SCHEMA, Setup, registration};
use crate::client::Client;

/// How somebody uses pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    WithScripts,
    WithoutScripts,
    KeyboardAlone,
    NarrowScreen,
}

/// Defines a test of each journey in each way.
macro_rules! journeys {
    ($($journey:ident),+) => {$(
        mod $journey {
            use super::Way;

            #[tokio::test(flavor = "multi_thread")]
            #[cfg_attr(not(formalize_browser), ignore = "no browser found")]
            async fn with_scripts() {
                super::$journey(Way::WithScripts).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            #[cfg_attr(not(formalize_browser), ignore = "no browser found")]
            async fn without_scripts() {
                super::$journey(Way::WithoutScripts).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            #[cfg_attr(not(formalize_browser), ignore = "no browser found")]
            async fn with_the_keyboard_alone() {
                super::$journey(Way::KeyboardAlone).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            #[cfg_attr(not(formalize_browser), ignore = "no browser found")]
            async fn on_a_narrow_screen() {
                super::$journey(Way::NarrowScreen).await;
            }
        }
    )+};
}

journeys!(
    anyone_fills_in_a_form_by_a_link,
    anyone_sends_a_file_by_a_link,
    a_member_saves_a_draft_and_submits_it_elsewhere,
    an_author_makes_a_form_and_reads_an_answer,
    an_author_sends_events_to_a_program
);

/// Somebody in front of a browser.
pub(super) struct Person<'t> {
    pub(super) tab: &'t mut Tab,
    way: Way,
    /// The folders of the files that were chosen.
    attached: Vec<TempDir>,
}

impl<'t> Person<'t> {
    pub(super) async fn at(tab: &'t mut Tab, url: &str, way: Way) -> Self {
        match way {
            Way::WithoutScripts => tab.disable_scripts().await.unwrap(),
            Way::NarrowScreen => tab.show(320, 640, false).await.unwrap(),
            Way::WithScripts | Way::KeyboardAlone => {}
        }
        tab.go(url).await.unwrap();
        Self {
            tab,
            way,
            attached: Vec::new(),
        }
    }

    /// Waits for an element. Meanwhile, the page never scrolls sideways.
    pub(super) async fn see(&mut self, selector: &str) {
        self.tab.wait_for(selector).await.unwrap();
        // Between two pages there may be no element.
        let wide = "document.documentElement?.scrollWidth > document.documentElement?.clientWidth";
        let is_wide = self.tab.evaluate(wide).await.unwrap();
        assert_eq!(is_wide, false, "{selector}: the page scrolls sideways");
    }

    /// Uses a button, a link, a check box or a radio button.
    pub(super) async fn choose(&mut self, selector: &str) {
        self.see(selector).await;
        if self.way != Way::KeyboardAlone {
            return self.tab.point(selector).await.unwrap();
        }
        self.reach(selector).await;
        let kind = self.property("type").await;
        match kind.as_str() {
            // The arrow key has chosen it already.
            Some("radio") if self.property("checked").await == true => {}
            Some("radio" | "checkbox") => self.tab.press(" ").await.unwrap(),
            _ => self.tab.press("Enter").await.unwrap(),
        }
    }

    /// Replaces the text of an input.
    pub(super) async fn write(&mut self, selector: &str, text: &str) {
        self.see(selector).await;
        if self.way == Way::KeyboardAlone {
            self.reach(selector).await;
        } else {
            self.tab.point(selector).await.unwrap();
        }
        // As Ctrl+A does.
        let select = "document.activeElement.select()";
        self.tab.evaluate(select).await.unwrap();
        self.tab.write(text).await.unwrap();
    }

    /// Chooses a file with this content in an input.
    async fn attach(&mut self, selector: &str, content: &str) {
        self.see(selector).await;
        if self.way == Way::KeyboardAlone {
            self.reach(selector).await;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Lebenslauf – Ada.pdf");
        std::fs::write(&file, content).unwrap();
        self.tab.choose_file(selector, &file).await.unwrap();
        // The browser reads it when the page is sent.
        self.attached.push(folder);
    }

    /// Chooses an option of a list. The list of a browser without a window cannot be clicked.
    pub(super) async fn pick(&mut self, selector: &str, value: &str) {
        self.see(selector).await;
        if self.way != Way::KeyboardAlone {
            let pick = format!("document.querySelector('{selector}').value = '{value}'");
            self.tab.evaluate(&pick).await.unwrap();
            return;
        }
        self.reach(selector).await;
        self.tab.press("Home").await.unwrap();
        for _ in 0..20 {
            if self.property("value").await == value {
                return;
            }
            self.tab.press("ArrowDown").await.unwrap();
        }
        panic!("{selector} has no option {value}");
    }

    /// Enters six in the evening of the 31st of January 2026.
    async fn enter_time(&mut self, selector: &str) {
        const TIME: &str = "2026-01-31T18:00";
        self.see(selector).await;
        if self.way == Way::KeyboardAlone {
            self.reach(selector).await;
            let keys = [
                "0",
                "1",
                "3",
                "1",
                "2",
                "0",
                "2",
                "6",
                "ArrowRight",
                "0",
                "6",
                "0",
                "0",
                "P",
            ];
            for key in keys {
                self.tab.press(key).await.unwrap();
            }
            assert_eq!(self.property("value").await, TIME);
        } else {
            let enter = format!("document.querySelector('{selector}').value = '{TIME}'");
            self.tab.evaluate(&enter).await.unwrap();
        }
    }

    /// A property of the element that has the focus.
    async fn property(&mut self, name: &str) -> Value {
        let read = format!("document.activeElement.{name}");
        self.tab.evaluate(&read).await.unwrap()
    }

    /// Moves the focus to an element with the keys Tab and, among radio buttons, Down.
    async fn reach(&mut self, selector: &str) {
        let state = format!(
            "(() => {{ const wanted = document.querySelector({}); const active = document.activeElement; \
             const isBeside = active !== null && active.type === 'radio' && active.name === wanted.name; \
             return active === wanted ? 'there' : isBeside ? 'beside' : 'elsewhere'; }})()",
            json!(selector)
        );
        for _ in 0..150 {
            let state = self.tab.evaluate(&state).await.unwrap();
            match state.as_str() {
                Some("there") => return,
                Some("beside") => self.tab.press("ArrowDown").await.unwrap(),
                _ => self.tab.press("Tab").await.unwrap(),
            }
        }
        panic!("the focus does not reach {selector}");
    }

    /// Asks for the questions that follow, which the script does by itself.
    async fn show_questions(&mut self) {
        if self.way == Way::WithoutScripts {
            self.choose("button.show").await;
        }
    }
}

async fn anyone_fills_in_a_form_by_a_link(way: Way) {
    let mut setup = Setup::new().await;
    let url = setup.link(&json!([])).await;
    let mut person = Person::at(&mut setup.tab, &url, way).await;
    person.write("[name='/name']", "Grace Hopper").await;
    person.write("[name='/email']", "grace@").await;
    person.choose("[name='/category'][value=team]").await;
    person.show_questions().await;
    person.write("[name='/members/0']", "Ada").await;
    person.choose("[value='add:/members']").await;
    person.write("[name='/members/1']", "Jean").await;
    person.choose("[name='/meals'][value=Lunch]").await;
    // Who sends a page within two seconds is asked to send it once more.
    tokio::time::sleep(Duration::from_secs(2)).await;
    person.choose(".primary[value=send]").await;

    // The link in the summary leads to the mistake.
    person.see(".summary:focus").await;
    person.choose(".summary a[href='#q/email']").await;
    person.see("[name='/email']:focus").await;
    person.write("[name='/email']", "grace@example.org").await;
    person.choose(".primary[value=send]").await;
    person.see("main code").await;
    let mut expected = registration();
    expected["members"] = json!(["Ada", "Jean"]);
    expected["meals"] = json!(["Lunch"]);
    assert_eq!(setup.data().await, expected);
    setup.assert_clean().await;
}

async fn anyone_sends_a_file_by_a_link(way: Way) {
    let mut setup = Setup::new().await;
    let rule = json!({ "allowedMimeTypes": ["application/pdf"], "maxNumber": 1 });
    let schema = json!({
        "type": "object", "properties": {"name": {"type": "string", "title": "Name"}}, "required": ["name"],
        "files": {"cv": rule},
    });
    let form = format!("/formalize/forms/{}", setup.form);
    let change = json!({ "dataFeedSchema": schema.to_string() });
    let changed = setup.client.send(Method::PATCH, &form, Some(&change)).await;
    assert_eq!(changed.unwrap().0, 200);
    let url = setup.link(&json!([])).await;
    let mut person = Person::at(&mut setup.tab, &url, way).await;
    person.write("[name='/name']", "Ada").await;
    person.attach("[type=file]", "This is not a PDF.").await;
    // Who sends a page within two seconds is asked to send it once more.
    tokio::time::sleep(Duration::from_secs(2)).await;
    person.choose(".primary[value=send]").await;

    // The link in the summary leads to the input, and the name is still there.
    person.see(".summary:focus").await;
    person.choose(".summary a").await;
    person.see("[type=file]:focus").await;
    person.see("[name='/name'][value=Ada]").await;
    let content = "%PDF-1.7\nThis is one.";
    person.attach("[type=file]", content).await;
    person.choose(".primary[value=send]").await;
    person.see("main code").await;

    let list = format!("/formalize/submissions?formIdentifier={}", setup.form);
    let (_, page) = setup.client.get(&list).await.unwrap();
    let submission = &page["items"][0];
    let [file] = &submission["submittedFiles"].as_array().unwrap()[..] else {
        panic!("{submission} has one file");
    };
    assert_eq!(file["fileName"], "Lebenslauf – Ada.pdf");
    let (submission, file) = (&submission["identifier"], &file["identifier"]);
    let path = format!(
        "/formalize/submissions/{}/files/{}/content",
        submission.as_str().unwrap(),
        file.as_str().unwrap()
    );
    let read = setup.client.text(&path).await.unwrap();
    assert_eq!(read, (200, content.to_owned()));
    setup.assert_clean().await;
}

async fn a_member_saves_a_draft_and_submits_it_elsewhere(way: Way) {
    let provider = TestIssuer::start(&[TestKey::Ec.jwk("first").unwrap()]).await;
    let provider = provider.unwrap();
    let client = |base_url: &str| TestClient {
        id: "pages".to_owned(),
        secret: None,
        redirect: format!("{base_url}/sign-in/callback"),
        key: TestKey::Ec,
        now: None,
    };
    provider.offer_sign_in(client(""), json!({}));
    let configuration = format!(
        "[policies]\ncreate_forms = 'user.id == \"boss\"'\n\
         [[issuers]]\nissuer = '{}'\naudience = 'formalize'\nclient_id = 'pages'\n",
        provider.url()
    );
    let command = ServerCommand::new().unwrap();
    let server = command
        .config(&configuration)
        .unwrap()
        .start()
        .await
        .unwrap();
    provider.offer_sign_in(client(server.base_url()), json!({}));
    let expires = SystemClock.now().as_millis() / 1000 + 600;
    let claims = json!({"iss": provider.url(), "aud": "formalize", "sub": "boss", "exp": expires});
    let header = json!({"alg": "ES256", "kid": "first"});
    // The keys are fetched before the first request.
    until("the keys are fetched", async || provider.fetches() > 0).await;
    let boss = Client::new(&server, &TestKey::Ec.sign(&header, &claims).unwrap());
    let new = json!({
        "name": "Spring run", "dataFeedSchema": SCHEMA, "allowedSubmissionStates": ["draft", "submitted"],
    });
    let (_, form) = boss.post("/formalize/forms", &new).await.unwrap();
    let form = form["identifier"].as_str().unwrap();
    let grant = json!({
        "action": "create_submissions", "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form,
        "dynamicGroupIdentifier": "everybody",
    });
    boss.post("/authorization/resource-action-grants", &grant)
        .await
        .unwrap();

    let mut tab = Tab::open("about:blank").await.unwrap();
    let address = format!("{}/f/{form}", server.base_url());
    let mut person = Person::at(&mut tab, &address, way).await;
    person.choose("main a[href*='/sign-in/oidc/1']").await;
    person.choose("#confirm").await;
    person.write("[name='/name']", "Grace Hopper").await;
    person.choose("button[value=save]:not([hidden])").await;
    person.see("p.note[role=status]").await;
    let address = person
        .tab
        .evaluate("location.href.split('?')[0]")
        .await
        .unwrap();

    let mut elsewhere = Tab::open("about:blank").await.unwrap();
    let mut person = Person::at(&mut elsewhere, address.as_str().unwrap(), way).await;
    person.choose("main a[href*='/sign-in/oidc/1']").await;
    person.choose("#confirm").await;
    person.see("[name='/name'][value='Grace Hopper']").await;
    person.write("[name='/email']", "grace@example.org").await;
    person.choose("[name='/category'][value=runner]").await;
    person.choose(".primary[value=send]").await;
    person.see("main code").await;
    for tab in [&mut tab, &mut elsewhere] {
        assert!(tab.errors().await.unwrap().is_empty());
    }
    let list = format!("/formalize/submissions?formIdentifier={form}");
    let (_, page) = boss.get(&list).await.unwrap();
    let data: Value =
        serde_json::from_str(page["items"][0]["dataFeedElement"].as_str().unwrap()).unwrap();
    let expected =
        json!({"name": "Grace Hopper", "email": "grace@example.org", "category": "runner"});
    assert_eq!(data, expected);
}

async fn an_author_makes_a_form_and_reads_an_answer(way: Way) {
    let server = ServerCommand::new().unwrap().start().await.unwrap();
    let client = Client::new(&server, server.admin_token().unwrap());
    let lines = server.stdout();
    let first = lines.iter().find_map(|line| line.strip_prefix("sign in: "));
    let mut tab = Tab::open("about:blank").await.unwrap();
    let mut person = Person::at(&mut tab, first.unwrap(), way).await;
    person.choose("main button").await;
    person.choose("main a[href='/console/forms/new']").await;
    person.choose("a[href$='template=contact']").await;
    person.write("[name='new.label:']", "Shoe size").await;
    person.choose("button[value='new:']").await;
    person.see("[data-card='/shoeSize']").await;
    person.choose(".primary[value=save]").await;

    person.choose(".tabs a[href$='/sharing']").await;
    person.pick("#holder", "dynamic:everybody").await;
    person.choose("button[value=share]").await;
    person
        .see("button[value='access:fill:dynamic:everybody']")
        .await;
    person.choose(".tabs a[href$='/links']").await;
    person.write("#label", "Poster in the hall").await;
    person.choose("button[value=create]").await;
    person.see("#url").await;
    let url = person
        .tab
        .evaluate("document.querySelector('#url').value")
        .await
        .unwrap();
    assert!(url.as_str().unwrap().contains("/l/fml_"), "{url}");

    let (_, forms) = client.get("/formalize/forms").await.unwrap();
    let form = forms["items"][0]["identifier"].as_str().unwrap();
    let data =
        json!({"name": "Ada", "email": "ada@example.org", "message": "Hello", "consent": true});
    let new = json!({"formIdentifier": form, "dataFeedElement": data.to_string()});
    client.post("/formalize/submissions", &new).await.unwrap();
    person.choose(".tabs a[href$='/submissions']").await;
    person.see("tbody tr").await;
    let row = person.tab.text("tbody tr").await.unwrap();
    assert!(row.contains("Ada") && row.contains("Hello"), "{row}");
    let download = "(() => { const button = document.querySelector('main button[value=csv]'); \
         const query = new URLSearchParams(new FormData(button.form, button)); \
         return fetch(`${button.form.action}?${query}`).then((one) => one.text()) })()";
    let table = person.tab.evaluate(download).await.unwrap();
    assert!(
        table.as_str().unwrap().contains("ada@example.org"),
        "{table}"
    );

    person.choose(".tabs a[href$='/settings']").await;
    person.enter_time("#availabilityEnds").await;
    person.choose("button[value=save]").await;
    person.see("p.note[role=status]").await;
    person.choose(".tabs li:first-child a").await;
    person.see(".badge.closed").await;
    let (_, form) = client
        .get(&format!("/formalize/forms/{form}"))
        .await
        .unwrap();
    assert_eq!(form["availabilityEnds"], "2026-01-31T18:00:00.000Z");
    let errors = tab.errors().await.unwrap();
    assert!(errors.is_empty(), "{errors:?}");
}
