//! An author makes a form in a real browser: with the script of the console, and without scripts.

use formalize_tests::browser::Tab;
use formalize_tests::{Server, ServerCommand};
use serde_json::Value;

use crate::client::Client;
use crate::pictures;

/// A server without forms, and a tab in which the administrator has signed in.
struct Setup {
    server: Server,
    client: Client,
    tab: Tab,
}

impl Setup {
    async fn new(has_scripts: bool) -> Self {
        let server = ServerCommand::new().unwrap().start().await.unwrap();
        let client = Client::new(&server, server.admin_token().unwrap());
        let lines = server.stdout();
        let link = lines.iter().find_map(|line| line.strip_prefix("sign in: "));
        let mut tab = Tab::open(link.unwrap()).await.unwrap();
        if !has_scripts {
            tab.disable_scripts().await.unwrap();
        }
        tab.show(1280, 900, false).await.unwrap();
        tab.click("main button").await.unwrap();
        tab.wait_for("main a[href='/console/forms/new']")
            .await
            .unwrap();
        tab.click("main a[href='/console/forms/new']")
            .await
            .unwrap();
        tab.wait_for(".templates").await.unwrap();
        Self {
            server,
            client,
            tab,
        }
    }

    async fn begin_with(&mut self, template: &str) {
        let link = format!("a[href$='template={template}']");
        self.tab.click(&link).await.unwrap();
        self.tab.wait_for("form.editor").await.unwrap();
    }

    async fn click(&mut self, selector: &str, then: &str) {
        self.tab.click(selector).await.unwrap();
        self.tab.wait_for(then).await.unwrap();
    }

    /// The labels of the cards.
    async fn labels(&mut self) -> Vec<String> {
        let labels = "[...document.querySelectorAll('.what > .label')].map((label) => label.textContent).join('|')";
        let labels = self.tab.evaluate(labels).await.unwrap();
        labels
            .as_str()
            .unwrap()
            .split('|')
            .map(str::to_owned)
            .collect()
    }

    /// The only form.
    async fn form(&self) -> Value {
        let (_, page) = self.client.get("/formalize/forms").await.unwrap();
        page["items"][0].clone()
    }

    async fn schema(&self) -> Value {
        let form = self.form().await;
        serde_json::from_str(form["dataFeedSchema"].as_str().unwrap()).unwrap()
    }

    async fn take_pictures(&mut self, name: &str) {
        pictures::take(&mut self.tab, name, (1280, 900)).await;
    }

    /// Everything comes from the server, and the pages have broken no rule of theirs.
    async fn assert_clean(&mut self) {
        let base_url = self.server.base_url().to_owned();
        let is_foreign = |url: &&String| !url.starts_with(&base_url);
        let foreign: Vec<_> = self.tab.requests().iter().filter(is_foreign).collect();
        assert!(foreign.is_empty(), "{foreign:?}");
        let errors = self.tab.errors().await.unwrap();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn an_author_makes_a_form_without_scripts() {
    let mut setup = Setup::new(false).await;
    setup.take_pictures("new-form").await;
    setup.begin_with("registration").await;
    setup
        .tab
        .paste("[name='new.label:']", "Shoe size")
        .await
        .unwrap();
    setup
        .click("button[value='new:']", "[data-card='/shoeSize']")
        .await;
    setup
        .click(
            "button[value='up:/shoeSize']",
            "button[value='down:/shoeSize']:enabled",
        )
        .await;
    setup
        .click("button[value='open:/shoeSize']", "[name='card.kind']")
        .await;
    // The browser moves the focus after it has shown the page.
    setup
        .tab
        .wait_for("[name='card.label.0']:focus")
        .await
        .unwrap();
    setup
        .tab
        .evaluate("document.querySelector('[name=\"card.kind\"]').value = 'integer'")
        .await
        .unwrap();
    setup
        .click(".fields button[value=apply]", "[name='card.least']")
        .await;
    setup.take_pictures("editor").await;
    setup
        .click(
            "button[value='close:/shoeSize']",
            "button[value='open:/shoeSize']",
        )
        .await;
    setup.click("button[value=try]", ".preview .summary").await;
    setup
        .click(".primary[value=save]", "[data-copy], nav.tabs")
        .await;
    assert_eq!(setup.form().await["name"], "Registration");
    let schema = setup.schema().await;
    assert_eq!(schema["properties"]["shoeSize"]["type"], "integer");
    setup
        .click("nav.tabs a[href$='/edit']", "form.editor")
        .await;
    let labels = setup.labels().await;
    assert_eq!(labels[labels.len() - 2..], ["Shoe size", "Remarks"]);
    setup.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn an_author_makes_a_form_with_the_script() {
    let mut setup = Setup::new(true).await;
    setup.begin_with("contact").await;
    setup.tab.evaluate("window.kept = true").await.unwrap();
    let asks = "(() => { const event = new Event('beforeunload', { cancelable: true }); \
        window.dispatchEvent(event); return event.defaultPrevented; })()";
    assert_eq!(setup.tab.evaluate(asks).await.unwrap(), false);

    // Cards are opened, changed and moved on the same page.
    setup
        .click("button[value='open:/subject']", "[name='card.label.0']")
        .await;
    setup
        .tab
        .paste("[name='card.label.0']", "Short: ")
        .await
        .unwrap();
    assert_eq!(setup.tab.evaluate(asks).await.unwrap(), true);
    setup
        .click(
            "button[value='close:/subject']",
            "button[value='open:/subject']",
        )
        .await;
    assert_eq!(setup.labels().await[2], "Short: Subject");
    let focused = "document.activeElement.value";
    assert_eq!(setup.tab.evaluate(focused).await.unwrap(), "open:/subject");
    let keys = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', \
        { key: 'ArrowUp', altKey: true, bubbles: true, cancelable: true }))";
    setup.tab.evaluate(keys).await.unwrap();
    setup
        .tab
        .wait_for("li.question:nth-of-type(2)[data-card='/subject']")
        .await
        .unwrap();
    assert_eq!(setup.tab.evaluate(focused).await.unwrap(), "up:/subject");

    // The preview follows, and judges what is entered.
    setup.tab.paste("[name='/name']", "Ada").await.unwrap();
    setup.click("button[value=try]", ".preview .summary").await;
    let name = "document.querySelector(\"[name='/name']\").value";
    assert_eq!(setup.tab.evaluate(name).await.unwrap(), "Ada");
    assert_eq!(setup.tab.evaluate("window.kept").await.unwrap(), true);
    assert_eq!(setup.tab.evaluate(asks).await.unwrap(), true);

    // Another view of the same text.
    setup
        .click("button[value='view:text']", "textarea[name=written]")
        .await;
    let text = "document.querySelector('textarea[name=written]').value";
    let text = setup.tab.evaluate(text).await.unwrap();
    assert!(text.as_str().unwrap().contains("Short: Subject"));
    setup
        .click("button[value='view:questions']", "li.question")
        .await;
    setup.click(".primary[value=save]", "nav.tabs").await;
    let form = setup.form().await;
    let schema = form["dataFeedSchema"].as_str().unwrap();
    let positions =
        ["\"name\":", "\"subject\":", "\"email\":"].map(|name| schema.find(name).unwrap());
    assert!(positions.is_sorted(), "{schema}");
    setup.assert_clean().await;
}
