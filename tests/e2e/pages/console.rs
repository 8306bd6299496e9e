//! An author looks after a form in the console.

use serde_json::json;

use super::Desk;

/// Everything works without scripts: sharing, a link, an answer through it, the download's address, and closing the form.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn an_author_looks_after_a_form_without_scripts() {
    let mut desk = Desk::new().await;
    desk.tab.disable_scripts().await.unwrap();
    desk.sign_in().await;
    for name in ["Ada Lovelace", "Grace Hopper", "Jean Bartik"] {
        desk.submit(name).await;
    }
    let console = format!("{}/console", desk.server.base_url());
    desk.tab.go(&console).await.unwrap();
    desk.tab.wait_for(".badge.new").await.unwrap();
    desk.take_pictures("console").await;
    desk.tab
        .click("main a[href^='/console/forms/0']")
        .await
        .unwrap();
    desk.tab.wait_for(".tabs").await.unwrap();
    desk.take_pictures("console-form").await;

    desk.open_tab("sharing").await;
    let choose = "document.querySelector('#holder').value = 'dynamic:everybody'";
    desk.tab.evaluate(choose).await.unwrap();
    desk.tab.click("button[value=share]").await.unwrap();
    desk.tab
        .wait_for("button[value='access:fill:dynamic:everybody']")
        .await
        .unwrap();
    desk.tab.paste("#why", "ada").await.unwrap();
    desk.tab.click("#why + button").await.unwrap();
    desk.tab.wait_for(".reasons .badge").await.unwrap();
    desk.take_pictures("console-sharing").await;

    desk.open_tab("links").await;
    desk.tab
        .paste("#label", "Poster in the hall")
        .await
        .unwrap();
    desk.tab.paste("#maxNumSubmissions", "40").await.unwrap();
    desk.tab.click("button[value=create]").await.unwrap();
    desk.tab.wait_for("svg.code").await.unwrap();
    let url = desk
        .tab
        .evaluate("document.querySelector('#url').value")
        .await
        .unwrap();
    assert!(url.as_str().unwrap().contains("/l/fml_"), "{url}");
    desk.tab.click("main .rows a").await.unwrap();
    desk.tab.wait_for("button[value=revoke]").await.unwrap();
    desk.take_pictures("console-link").await;

    desk.open_tab("submissions").await;
    let rows = "document.querySelectorAll('tbody tr').length";
    assert_eq!(desk.tab.evaluate(rows).await.unwrap(), 3);
    desk.take_pictures("console-answers").await;
    desk.open_tab("summary").await;
    desk.tab.wait_for("main svg").await.unwrap();
    desk.take_pictures("console-summary").await;
    desk.open_tab("submissions").await;
    desk.tab.click("tbody a").await.unwrap();
    desk.tab.wait_for("[name='/name'], .value").await.unwrap();
    desk.tab.go(&console).await.unwrap();
    desk.tab
        .click("main a[href^='/console/forms/0']")
        .await
        .unwrap();

    desk.open_tab("settings").await;
    let close = "document.querySelector('#availabilityEnds').value = '2026-01-31T18:00'";
    desk.tab.evaluate(close).await.unwrap();
    desk.take_pictures("console-settings").await;
    desk.tab.click("button[value=save]").await.unwrap();
    desk.tab.wait_for("p.note").await.unwrap();
    desk.tab.click(".tabs a").await.unwrap();
    desk.tab.wait_for(".badge.closed").await.unwrap();
    let path = format!("/formalize/forms/{}", desk.form);
    let (_, form) = desk.client.get(&path).await.unwrap();
    assert_eq!(form["availabilityEnds"], "2026-01-31T18:00:00.000Z");

    desk.tab.go(&format!("{console}/groups")).await.unwrap();
    desk.tab.paste("#name", "Committee").await.unwrap();
    desk.tab.click("button[value=create]").await.unwrap();
    desk.tab.wait_for("button[value=add]").await.unwrap();
    desk.tab.paste("#userIdentifier", "grace").await.unwrap();
    desk.tab.click("button[value=add]").await.unwrap();
    desk.tab.wait_for("button[value^='remove:']").await.unwrap();
    desk.take_pictures("console-group").await;
    desk.tab.go(&format!("{console}/tokens")).await.unwrap();
    desk.tab.paste("#label", "Nightly report").await.unwrap();
    desk.tab.click("button[value=create]").await.unwrap();
    desk.tab.wait_for("#secret").await.unwrap();
    desk.tab.go(&format!("{console}/tokens")).await.unwrap();
    desk.tab.wait_for("button[value^='revoke:']").await.unwrap();
    desk.take_pictures("console-tokens").await;
    desk.assert_clean().await;
}

/// The script shows a button that copies the address of the form, and says so.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn an_author_copies_an_address() {
    let mut desk = Desk::new().await;
    desk.sign_in().await;
    let path = format!("/console/forms/{}", desk.form);
    let page = format!("{}{path}", desk.server.base_url());
    desk.tab.go(&page).await.unwrap();
    desk.tab
        .wait_for(".copy button:not([hidden])")
        .await
        .unwrap();
    // Browsers let scripts copy only after somebody pressed something.
    let focus = "document.querySelector('.copy button').focus()";
    desk.tab.evaluate(focus).await.unwrap();
    desk.tab.press("Enter").await.unwrap();
    let said = "document.querySelector('.copy [role=status]').textContent";
    let mut text = desk.tab.evaluate(said).await.unwrap();
    for _ in 0..100 {
        if text == "Copied" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        text = desk.tab.evaluate(said).await.unwrap();
    }
    assert_eq!(text, "Copied");
    let selected = "(({value, selectionStart, selectionEnd}) => value.slice(selectionStart, selectionEnd))(\
         document.querySelector('.copy input'))";
    let selected = desk.tab.evaluate(selected).await.unwrap();
    let address = format!("{}/f/{}", desk.server.base_url(), desk.form);
    assert_eq!(selected, address);
    desk.assert_clean().await;
}

impl Desk {
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
