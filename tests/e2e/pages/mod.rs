//! People use the web pages in a real browser: with and without scripts, and with the keyboard alone.

use std::time::Duration;

use formalize_tests::browser::{PageOrigin, Tab};
use formalize_tests::issuer::{TestClient, TestIssuer, TestKey};
use formalize_tests::{Server, ServerCommand};
use serde_json::{Value, json};

use crate::client::Client;
use crate::pictures;

mod console;
mod hostile;
mod journeys;
mod looks;
mod speed;
mod webhooks;

const SCHEMA: &str = r#"{
  "type": "object",
  "required": ["name", "email", "category"],
  "properties": {
    "name": {"type": "string", "title": "Full name", "minLength": 2, "maxLength": 100, "x-form": {"autocomplete": "name"}},
    "email": {"type": "string", "format": "email", "title": "Email address", "description": "We only use it for questions about your registration."},
    "category": {"title": "Category", "oneOf": [
      {"const": "runner", "title": "Runner"}, {"const": "team", "title": "Team of runners"}, {"const": "helper", "title": "Helper"}
    ]},
    "meals": {"type": "array", "title": "Meals", "uniqueItems": true, "items": {"enum": ["Breakfast", "Lunch"]}}
  },
  "if": {"properties": {"category": {"const": "team"}}, "required": ["category"]},
  "then": {"properties": {"members": {
    "type": "array", "title": "Members", "minItems": 1, "maxItems": 4, "items": {"type": "string", "minLength": 1}
  }}, "required": ["members"]}
}"#;

/// A server with a form, and a tab in which the administrator has signed in by the address that the server has printed.
struct Setup {
    server: Server,
    client: Client,
    tab: Tab,
    form: String,
}

impl Setup {
    async fn new() -> Self {
        Self::with(&[]).await
    }

    /// The same with more arguments of the server.
    async fn with(arguments: &[&str]) -> Self {
        let command = ServerCommand::new()
            .unwrap()
            .arg("--pages-title=Running club");
        let command = (arguments.iter()).fold(command, |command, one| command.arg(*one));
        let server = command.start().await.unwrap();
        let client = Client::new(&server, server.admin_token().unwrap());
        let new = json!({
            "name": "Registration for the spring run",
            "dataFeedSchema": SCHEMA,
            "allowedSubmissionStates": ["draft", "submitted"],
            "allowedActionsWhenSubmitted": ["read"],
        });
        let (_, form) = client.post("/formalize/forms", &new).await.unwrap();
        let form = form["identifier"].as_str().unwrap().to_owned();
        let lines = server.stdout();
        let link = lines.iter().find_map(|line| line.strip_prefix("sign in: "));
        let tab = Tab::open(link.unwrap()).await.unwrap();
        Self {
            server,
            client,
            tab,
            form,
        }
    }

    async fn sign_in(&mut self) {
        self.tab.click("main button").await.unwrap();
        self.tab.wait_for("a[href^='/f/']").await.unwrap();
    }

    /// The URL of a new public link, which these origins may show in a frame.
    async fn link(&self, origins: &Value) -> String {
        let new = json!({"formIdentifier": self.form, "embedOrigins": origins});
        let (_, link) = self
            .client
            .post("/formalize/form-links", &new)
            .await
            .unwrap();
        link["url"].as_str().unwrap().to_owned()
    }

    /// The data of the only submission.
    async fn data(&self) -> Value {
        let list = format!("/formalize/submissions?formIdentifier={}", self.form);
        let (_, page) = self.client.get(&list).await.unwrap();
        let data = page["items"][0]["dataFeedElement"].as_str().unwrap();
        serde_json::from_str(data).unwrap()
    }

    /// Takes pictures of the page: for a desktop, a phone, and in dark colours.
    async fn take_pictures(&mut self, name: &str) {
        pictures::take(&mut self.tab, name, (1000, 760)).await;
    }

    /// Everything comes from the server, and the pages have broken no rule of theirs.
    async fn assert_clean(&mut self) {
        let base_url = self.server.base_url().to_owned();
        // The pictures in controls of the browser are data; the content policy forbids such of pages.
        let is_foreign = |url: &&String| !url.starts_with(&base_url) && !url.starts_with("data:");
        let foreign: Vec<_> = self.tab.requests().iter().filter(is_foreign).collect();
        assert!(foreign.is_empty(), "{foreign:?}");
        let errors = self.tab.errors().await.unwrap();
        assert!(errors.is_empty(), "{errors:?}");
        // A planted violation is found.
        let violate = "document.body.setAttribute('style', 'color: red')";
        self.tab.evaluate(violate).await.unwrap();
        assert!(!self.tab.errors().await.unwrap().is_empty());
    }
}

fn registration() -> Value {
    json!({"name": "Grace Hopper", "email": "grace@example.org", "category": "team", "members": ["Ada"]})
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn people_fill_in_a_form_without_scripts() {
    let mut setup = Setup::new().await;
    setup.tab.disable_scripts().await.unwrap();
    setup.take_pictures("first-sign-in").await;
    setup.sign_in().await;
    setup.take_pictures("forms").await;
    setup.tab.click("a[href^='/f/']").await.unwrap();
    setup.tab.wait_for("[name='/name']").await.unwrap();
    setup.take_pictures("form-empty").await;

    setup.tab.click("[value=team]").await.unwrap();
    setup.tab.click("button.show").await.unwrap();
    setup.tab.paste("[name='/members/0']", "Ada").await.unwrap();
    setup.tab.paste("[name='/name']", "G").await.unwrap();
    setup.tab.paste("[name='/email']", "grace@").await.unwrap();
    setup.tab.click(".primary[value=send]").await.unwrap();
    // Browsers move the focus after they have drawn the page.
    setup.tab.wait_for(".summary:focus").await.unwrap();
    setup.take_pictures("form").await;

    let empty = "for (const name of ['/name', '/email']) document.querySelector(`[name='${name}']`).value = ''";
    setup.tab.evaluate(empty).await.unwrap();
    setup
        .tab
        .paste("[name='/name']", "Grace Hopper")
        .await
        .unwrap();
    setup
        .tab
        .paste("[name='/email']", "grace@example.org")
        .await
        .unwrap();
    setup.tab.click(".primary[value=send]").await.unwrap();
    setup.tab.wait_for("main code").await.unwrap();
    setup.take_pictures("sent").await;
    assert_eq!(setup.data().await, registration());
    setup.tab.click("main a[href^='/s/']").await.unwrap();
    setup.tab.wait_for("[name='/members/0']").await.unwrap();
    setup.take_pictures("submission").await;
    setup.tab.click("header button").await.unwrap();
    setup.tab.wait_for("[name=secret]").await.unwrap();
    setup.take_pictures("sign-in").await;
    setup.assert_clean().await;
}

/// The focus moves with Tab, and everything that people do works from there.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn people_fill_in_a_form_with_the_keyboard_alone_on_a_phone() {
    let mut setup = Setup::new().await;
    setup.tab.disable_scripts().await.unwrap();
    setup.sign_in().await;
    setup.tab.show(320, 640, false).await.unwrap();
    let page = format!("{}/f/{}", setup.server.base_url(), setup.form);
    setup.tab.go(&page).await.unwrap();
    for (target, text) in [("/name", "Grace Hopper"), ("/email", "grace@example.org")] {
        reach(
            &mut setup.tab,
            &format!("document.activeElement?.name === '{target}'"),
        )
        .await;
        setup.tab.write(text).await.unwrap();
    }
    reach(
        &mut setup.tab,
        "document.activeElement?.name === '/category'",
    )
    .await;
    setup.tab.press(" ").await.unwrap();
    reach(
        &mut setup.tab,
        "document.activeElement?.matches('.primary[value=send]')",
    )
    .await;
    let wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    assert_eq!(
        setup.tab.evaluate(wide).await.unwrap(),
        false,
        "nothing scrolls sideways"
    );
    setup.tab.press("Enter").await.unwrap();
    setup.tab.wait_for("main code").await.unwrap();
    let sent = json!({"name": "Grace Hopper", "email": "grace@example.org", "category": "runner"});
    assert_eq!(setup.data().await, sent);
    setup.assert_clean().await;
}

/// Somebody without an account fills in the form on a phone. With scripts, questions appear without loading the page.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn anyone_fills_in_a_form_by_a_link_on_a_phone() {
    let mut setup = Setup::new().await;
    let url = setup.link(&json!([])).await;
    setup.tab.show(360, 720, false).await.unwrap();
    setup.tab.go(&url).await.unwrap();
    setup.tab.wait_for("[name='/name']").await.unwrap();
    setup
        .tab
        .evaluate("globalThis.isSame = true")
        .await
        .unwrap();
    setup.tab.click("[value=team]").await.unwrap();
    setup.tab.paste("[name='/members/0']", "Ada").await.unwrap();
    setup.tab.click("[value='add:/members']").await.unwrap();
    setup.tab.wait_for("[name='/members/1']").await.unwrap();
    setup
        .tab
        .click("[value='remove:/members/1']")
        .await
        .unwrap();
    setup
        .tab
        .paste("[name='/name']", "Grace Hopper")
        .await
        .unwrap();
    setup
        .tab
        .paste("[name='/email']", "grace@example.org")
        .await
        .unwrap();
    let is_same = setup
        .tab
        .evaluate("globalThis.isSame === true")
        .await
        .unwrap();
    assert_eq!(is_same, true, "the page was not loaded again");
    // Who sends a page within two seconds is asked to send it once more.
    tokio::time::sleep(Duration::from_secs(2)).await;
    setup.tab.click(".primary[value=send]").await.unwrap();
    setup.tab.wait_for("main code").await.unwrap();
    setup.take_pictures("link-sent").await;
    assert_eq!(setup.data().await, registration());
    setup.assert_clean().await;
    let secret = url.rsplit_once('/').unwrap().1;
    assert!(secret.starts_with("fml_"));
    setup.server.tell_to_stop().await.unwrap();
    setup.server.wait().await.unwrap();
    let log = setup.server.stderr().unwrap();
    assert!(log.contains("/l/{token}") && !log.contains(secret), "{log}");
}

/// How long a page waits for a frame, in milliseconds: a machine may be busy, but to be sure that nothing appears must not take
/// long.
fn patience(is_shown: bool) -> u32 {
    if is_shown { 100_000 } else { 4_000 }
}

/// Loads the script that shows a link, and reports the height of the frame as soon as it follows its content, or after some
/// time.
const EMBEDDING: &str = r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>Another site</title><body><script>
  const query = new URLSearchParams(location.search);
  const script = document.createElement("script");
  script.src = query.get("server") + "/embed.js";
  script.dataset.link = query.get("link");
  document.body.append(script);
  const began = Date.now();
  const patience = Number(query.get("patience"));
  const look = () => {
    const frame = document.querySelector("iframe");
    const height = frame?.style.height;
    if (height?.endsWith("px") || Date.now() - began > patience) {
      const { sandbox, title } = frame ?? {};
      const report = { height, title, sandbox: sandbox?.value };
      fetch("/report", { method: "POST", body: JSON.stringify(report) });
    } else {
      setTimeout(look, 50);
    }
  };
  look();
</script>"#;

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn other_sites_show_a_link_if_it_names_them() {
    let setup = Setup::new().await;
    let mut site = PageOrigin::serve(EMBEDDING).await.unwrap();
    for (origins, is_shown) in [
        (json!([site.origin()]), true),
        (json!(["https://www.example.org"]), false),
        (json!([]), false),
    ] {
        let link = setup.link(&origins).await;
        let (server, patience) = (setup.server.base_url(), patience(is_shown));
        let query = format!("server={server}&link={link}&patience={patience}");
        let report = site.report(&query).await.unwrap();
        assert_eq!(
            report["sandbox"], "allow-forms allow-scripts allow-same-origin",
            "{report}"
        );
        assert_eq!(report["title"], "Form");
        let height = report["height"].as_str().unwrap();
        let pixels = height
            .strip_suffix("px")
            .map(|height| height.parse::<u32>().unwrap());
        assert_eq!(pixels.is_some(), is_shown, "{origins} {report}");
        assert!(pixels.is_none_or(|pixels| pixels > 300), "{report}");
    }
}

/// Shows a link in a frame without our script, and reports whether the page in it answers.
const FRAMING: &str = r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>Another site</title><body><iframe></iframe><script>
  const frame = document.querySelector("iframe");
  const report = (answers) => fetch("/report", { method: "POST", body: JSON.stringify(answers) });
  addEventListener("message", ({ data }) => report(data.type === "formalize:height"));
  frame.addEventListener("load", () => frame.contentWindow.postMessage("formalize:hello", "*"));
  const query = new URLSearchParams(location.search);
  frame.src = query.get("link");
  setTimeout(() => report(false), Number(query.get("patience")));
</script>"#;

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn a_plain_frame_shows_a_link_if_it_names_the_site() {
    let setup = Setup::new().await;
    let mut site = PageOrigin::serve(FRAMING).await.unwrap();
    for (origins, is_shown) in [
        (json!([site.origin()]), true),
        (json!(["https://www.example.org"]), false),
    ] {
        let link = setup.link(&origins).await;
        let query = format!("link={link}&patience={}", patience(is_shown));
        let report = site.report(&query).await.unwrap();
        assert_eq!(report, is_shown, "{origins}");
    }
}

/// The browser comes back from another site, and its policies let it.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn people_sign_in_with_an_identity_provider() {
    let provider = TestIssuer::start(&[TestKey::Ec.jwk("first").unwrap()]).await;
    let provider = provider.unwrap();
    let client = |base_url: &str| TestClient {
        id: "pages".to_owned(),
        secret: None,
        redirect: format!("{base_url}/sign-in/callback"),
        key: TestKey::Ec,
        now: None,
    };
    // The server reads the documents when it starts, and has an address afterwards.
    provider.offer_sign_in(client(""), json!({}));
    let configuration = format!(
        "[[issuers]]\nissuer = '{}'\naudience = 'formalize'\nclient_id = 'pages'\nlabel = 'Example ID'\n",
        provider.url()
    );
    let command = ServerCommand::new().unwrap();
    let server = command.config(&configuration).unwrap();
    let mut server = server.start().await.unwrap();
    provider.offer_sign_in(client(server.base_url()), json!({}));
    let console = format!("{}/console", server.base_url());
    let mut tab = Tab::open(&console).await.unwrap();
    for has_scripts in [true, false] {
        if !has_scripts {
            tab.disable_scripts().await.unwrap();
        }
        tab.go(&console).await.unwrap();
        tab.click("main a[href*='/sign-in/oidc/1']").await.unwrap();
        tab.click("#refuse").await.unwrap();
        let text = tab.text("main h1").await.unwrap();
        assert_eq!(text, "Signing in did not work");
        tab.click("main a.primary").await.unwrap();
        tab.click("main a[href*='/sign-in/oidc/1']").await.unwrap();
        tab.click("#confirm").await.unwrap();
        let text = tab.text("header form span").await.unwrap();
        assert_eq!(text, "Signed in as jane");
        let address = tab.evaluate("location.href").await.unwrap();
        assert_eq!(address, console);
        let cookies = tab.evaluate("document.cookie").await.unwrap();
        assert_eq!(cookies, "", "no script reads a cookie");
        tab.click("header button").await.unwrap();
        tab.click(".note a").await.unwrap();
        tab.wait_for("#out").await.unwrap();
        let errors = tab.errors().await.unwrap();
        assert!(errors.is_empty(), "{errors:?}");
    }
    assert_eq!(provider.id_tokens(), 2);
    server.tell_to_stop().await.unwrap();
    server.wait().await.unwrap();
    let log = server.stderr().unwrap();
    assert_eq!(log.matches("signing in failed").count(), 2, "{log}");
    assert!(!log.contains("planted") && !log.contains("jane"), "{log}");
}

/// Presses Tab until this is true.
async fn reach(tab: &mut Tab, condition: &str) {
    for _ in 0..40 {
        tab.press("Tab").await.unwrap();
        if tab.evaluate(condition).await.unwrap() == true {
            return;
        }
    }
    panic!("the focus does not reach: {condition}");
}
