//! An author looks after a form in the console.

use formalize_tests::patience::until;
use serde_json::json;

use super::Setup;

/// Everything works without scripts: sharing, a link, an answer through it, the download's address, and closing the form.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn an_author_looks_after_a_form_without_scripts() {
    let mut setup = Setup::new().await;
    setup.tab.disable_scripts().await.unwrap();
    setup.sign_in().await;
    for name in ["Ada Lovelace", "Grace Hopper", "Jean Bartik"] {
        setup.submit(name).await;
    }
    let console = format!("{}/console", setup.server.base_url());
    setup.tab.go(&console).await.unwrap();
    setup.tab.wait_for(".badge.new").await.unwrap();
    setup.take_pictures("console").await;
    setup
        .tab
        .click("main a[href^='/console/forms/0']")
        .await
        .unwrap();
    setup.tab.wait_for(".tabs").await.unwrap();
    setup.take_pictures("console-form").await;

    setup.open_tab("sharing").await;
    let choose = "document.querySelector('#holder').value = 'dynamic:everybody'";
    setup.tab.evaluate(choose).await.unwrap();
    setup.tab.click("button[value=share]").await.unwrap();
    setup
        .tab
        .wait_for("button[value='access:fill:dynamic:everybody']")
        .await
        .unwrap();
    setup.tab.paste("#why", "ada").await.unwrap();
    setup.tab.click("#why + button").await.unwrap();
    setup.tab.wait_for(".reasons .badge").await.unwrap();
    setup.take_pictures("console-sharing").await;

    setup.open_tab("links").await;
    setup
        .tab
        .paste("#label", "Poster in the hall")
        .await
        .unwrap();
    setup.tab.paste("#maxNumSubmissions", "40").await.unwrap();
    setup.tab.click("button[value=create]").await.unwrap();
    setup.tab.wait_for("svg.code").await.unwrap();
    let url = setup
        .tab
        .evaluate("document.querySelector('#url').value")
        .await
        .unwrap();
    assert!(url.as_str().unwrap().contains("/l/fml_"), "{url}");
    setup.tab.click("main .rows a").await.unwrap();
    setup.tab.wait_for("button[value=revoke]").await.unwrap();
    setup.take_pictures("console-link").await;

    setup.open_tab("submissions").await;
    let rows = "document.querySelectorAll('tbody tr').length";
    assert_eq!(setup.tab.evaluate(rows).await.unwrap(), 3);
    setup.take_pictures("console-answers").await;
    setup.open_tab("summary").await;
    setup.tab.wait_for("main svg").await.unwrap();
    setup.take_pictures("console-summary").await;
    setup.open_tab("submissions").await;
    setup.tab.click("tbody a").await.unwrap();
    setup.tab.wait_for("[name='/name'], .value").await.unwrap();
    setup.tab.go(&console).await.unwrap();
    setup
        .tab
        .click("main a[href^='/console/forms/0']")
        .await
        .unwrap();

    setup.open_tab("settings").await;
    let close = "document.querySelector('#availabilityEnds').value = '2026-01-31T18:00'";
    setup.tab.evaluate(close).await.unwrap();
    setup.take_pictures("console-settings").await;
    setup.tab.click("button[value=save]").await.unwrap();
    setup.tab.wait_for("p.note").await.unwrap();
    setup.tab.click(".tabs a").await.unwrap();
    setup.tab.wait_for(".badge.closed").await.unwrap();
    let path = format!("/formalize/forms/{}", setup.form);
    let (_, form) = setup.client.get(&path).await.unwrap();
    assert_eq!(form["availabilityEnds"], "2026-01-31T18:00:00.000Z");

    setup.tab.go(&format!("{console}/groups")).await.unwrap();
    setup.tab.paste("#name", "Committee").await.unwrap();
    setup.tab.click("button[value=create]").await.unwrap();
    setup.tab.wait_for("button[value=add]").await.unwrap();
    setup.tab.paste("#userIdentifier", "grace").await.unwrap();
    setup.tab.click("button[value=add]").await.unwrap();
    setup
        .tab
        .wait_for("button[value^='remove:']")
        .await
        .unwrap();
    setup.take_pictures("console-group").await;
    setup.tab.go(&format!("{console}/tokens")).await.unwrap();
    setup.tab.paste("#label", "Nightly report").await.unwrap();
    setup.tab.click("button[value=create]").await.unwrap();
    setup.tab.wait_for("#secret").await.unwrap();
    setup.tab.go(&format!("{console}/tokens")).await.unwrap();
    setup
        .tab
        .wait_for("button[value^='revoke:']")
        .await
        .unwrap();
    setup.take_pictures("console-tokens").await;
    setup.assert_clean().await;
}

/// The script shows a button that copies the address of the form, and says so.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn an_author_copies_an_address() {
    let mut setup = Setup::new().await;
    setup.sign_in().await;
    let path = format!("/console/forms/{}", setup.form);
    let page = format!("{}{path}", setup.server.base_url());
    setup.tab.go(&page).await.unwrap();
    setup
        .tab
        .wait_for(".copy button:not([hidden])")
        .await
        .unwrap();
    // Browsers let scripts copy only after somebody pressed something.
    let focus = "document.querySelector('.copy button').focus()";
    setup.tab.evaluate(focus).await.unwrap();
    setup.tab.press("Enter").await.unwrap();
    let said = "document.querySelector('.copy [role=status]').textContent";
    let tab = &mut setup.tab;
    until("the script says so", async || {
        tab.evaluate(said).await.unwrap() == "Copied"
    })
    .await;
    let selected = "(({value, selectionStart, selectionEnd}) => value.slice(selectionStart, selectionEnd))(\
         document.querySelector('.copy input'))";
    let selected = setup.tab.evaluate(selected).await.unwrap();
    let address = format!("{}/f/{}", setup.server.base_url(), setup.form);
    assert_eq!(selected, address);
    setup.assert_clean().await;
}

impl Setup {
    /// Submits to the form as the administrator.
    pub(super) async fn submit(&self, name: &str) {
        let email = format!(
            "{}@example.org",
            name.split(' ').next().unwrap().to_lowercase()
        );
        let data = json!({"name": name, "email": email, "category": "runner"});
        let new = json!({"formIdentifier": self.form, "dataFeedElement": data.to_string()});
        self.client
            .post("/formalize/submissions", &new)
            .await
            .unwrap();
    }

    /// Opens a page about the form by its tab.
    async fn open_tab(&mut self, tab: &str) {
        let link = format!(".tabs a[href$='/{tab}']");
        self.tab.click(&link).await.unwrap();
        let current = format!("{link}[aria-current]");
        self.tab.wait_for(&current).await.unwrap();
    }
}
