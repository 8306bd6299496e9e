//! The first steps of the README in a browser, word for word.

use std::fs;
use std::path::Path;

use formalize_tests::ServerCommand;
use formalize_tests::browser::Tab;
use serde_json::json;

/// What the README says, from this heading to the next one.
const HEADING: &str = "### In a browser\n";

/// The words in italics: what to choose, in order.
fn choices() -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let (_, section) = readme.split_once(HEADING).unwrap();
    let (section, _) = section.split_once("\n### ").unwrap();
    let parts = section.split('*').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// Somebody who reads the README beside a browser.
struct Newcomer {
    tab: Tab,
    choices: Vec<String>,
}

impl Newcomer {
    /// Chooses the link or button that the README names next, and waits until the page has what follows.
    async fn choose(&mut self, expected: &str, then: &str) {
        let next = self.choices.remove(0);
        assert_eq!(next, expected, "the README names another step");
        self.click(&next, then).await;
    }

    async fn click(&mut self, name: &str, then: &str) {
        self.tab.wait_for("main h1").await.unwrap();
        let mark = format!(
            "(() => {{ const all = [...document.querySelectorAll('main a, main button, nav a')]; \
             const found = all.find((one) => one.textContent.trim() === {name:?} || \
               one.querySelector('strong, b, .label, h2, h3')?.textContent.trim() === {name:?}); \
             found?.setAttribute('data-next', ''); return !!found }})()"
        );
        let found = self.tab.evaluate(&mark).await.unwrap();
        let page = self.tab.text("body").await.unwrap();
        assert_eq!(found, true, "no {name}: {page}");
        self.tab.click("[data-next]").await.unwrap();
        self.tab.wait_for(then).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn the_first_steps_of_the_readme_work() {
    let server = ServerCommand::new().unwrap().start().await.unwrap();
    let lines = server.stdout();
    let address = lines.iter().find_map(|line| line.strip_prefix("sign in: "));
    let mut newcomer = Newcomer {
        tab: Tab::open(address.unwrap()).await.unwrap(),
        choices: choices(),
    };
    newcomer
        .choose("Sign in", "a[href='/console/forms/new']")
        .await;
    newcomer.choose("New form", ".templates").await;
    newcomer.choose("Registration", "form.editor").await;
    newcomer
        .choose("Create the form", ".tabs a[href$='/links']")
        .await;
    newcomer.choose("Links", "button[value=create]").await;
    newcomer.choose("Create link", "#url").await;
    let url = newcomer
        .tab
        .evaluate("document.querySelector('#url').value");
    let url = url.await.unwrap().as_str().unwrap().to_owned();

    // A tab of its own is another browser: it has no session.
    let mut visitor = Newcomer {
        tab: Tab::open(&url).await.unwrap(),
        choices: std::mem::take(&mut newcomer.choices),
    };
    visitor.tab.show(360, 720, false).await.unwrap();
    visitor.tab.wait_for("[name='/name']").await.unwrap();
    visitor
        .tab
        .paste("[name='/name']", "Ada Lovelace")
        .await
        .unwrap();
    visitor
        .tab
        .paste("[name='/email']", "ada@example.org")
        .await
        .unwrap();
    for answer in [
        "[name='/attendance'][type=radio]",
        "[name='/guests'][value=false]",
    ] {
        visitor.tab.click(answer).await.unwrap();
    }
    // A page that is sent within two seconds could come from a program.
    tokio::time::sleep(std::time::Duration::from_millis(2_100)).await;
    visitor.choose("Send", "main .receipt, main code").await;
    newcomer.choices = visitor.choices;

    newcomer.choose("Answers", "tbody tr").await;
    let table = newcomer.tab.text("table").await.unwrap();
    assert!(table.contains("Ada Lovelace"), "{table}");
    let download = newcomer.choices.remove(0);
    let csv = format!(
        "(async () => {{ const all = [...document.querySelectorAll('main button')]; \
         const button = all.find((one) => one.textContent.trim() === {download:?}); \
         const query = new URLSearchParams(new FormData(button.form, button)); \
         return await (await fetch(`${{button.form.action}}?${{query}}`)).text() }})()"
    );
    let csv = newcomer.tab.evaluate(&csv).await.unwrap();
    assert!(csv.as_str().unwrap().contains("Ada Lovelace"), "{csv}");
    newcomer.choose("Summary", "main svg").await;
    assert_eq!(json!(newcomer.choices), json!([]), "steps without a test");
}
