//! The documentation page in a real browser: it works without a network, and people can use it to send requests.

use std::path::Path;
use std::{env, fs};

use formalize_tests::browser::Tab;
use serde_json::Value;

use crate::client::Installation;

const OPERATION: &str = "#operations-Forms-createForm";

/// Set this to take a new screenshot.
const UPDATE: &str = "FORMALIZE_UPDATE_DOCS";

/// The path of the screenshot, and its maximum size in bytes.
const PICTURE: &str = "../docs/pictures/documentation.png";
const LARGEST: usize = 200_000;

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn users_authorize_with_a_token_and_create_a_form() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let page = format!("{}/docs", server.base_url());
    let mut tab = Tab::open(&page).await.unwrap();

    log_in(&mut tab, &installation.token).await;
    let (status, body) = create_form(&mut tab).await;
    assert_eq!(status, "201", "{body}");
    let created: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(created["name"], "Workshop registration");
    take_picture(&mut tab).await;

    let (_, forms) = installation
        .client(&server)
        .get("/formalize/forms")
        .await
        .unwrap();
    assert_eq!(forms["items"][0]["identifier"], created["identifier"]);
    let of_the_server =
        |url: &&String| url.starts_with(server.base_url()) || url.starts_with("data:");
    let elsewhere: Vec<_> = tab
        .requests()
        .iter()
        .filter(|url| !of_the_server(url))
        .collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    assert!(
        tab.requests().len() >= 2,
        "the page and the request: {:?}",
        tab.requests()
    );
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn users_without_a_token_get_an_error() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let page = format!("{}/docs", server.base_url());
    let mut tab = Tab::open(&page).await.unwrap();
    let (status, body) = create_form(&mut tab).await;
    assert_eq!(status, "401");
    assert!(body.contains("formalize:authentication-required"), "{body}");
}

/// Refusals that nearly all operations have are shown when somebody wants to see them.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn common_refusals_are_folded() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let mut tab = Tab::open(&format!("{}/docs", server.base_url()))
        .await
        .unwrap();
    let open = format!("{OPERATION} .opblock-summary-control");
    tab.click(&open).await.unwrap();
    let button = format!("{OPERATION} .common-refusals");
    let shown = "Array.from(document.querySelectorAll('#operations-Forms-createForm tr.response'), row => row.dataset.code)";
    let text = tab.text(&button).await.unwrap();
    assert!(
        text.starts_with("Show common refusals: 401, 406, 408"),
        "{text}"
    );
    let folded = tab.evaluate(shown).await.unwrap();
    assert_eq!(
        folded,
        serde_json::json!(["201", "400", "403", "409", "422"])
    );
    tab.click(&button).await.unwrap();
    tab.wait_for(&format!("{OPERATION} tr.response[data-code='503']"))
        .await
        .unwrap();
    let text = tab.text(&button).await.unwrap();
    assert!(text.starts_with("Hide common refusals"), "{text}");
    assert!(tab.errors().await.unwrap().is_empty());
}

/// Pastes the token into the authorization dialog.
async fn log_in(tab: &mut Tab, token: &str) {
    tab.click(".auth-wrapper .authorize").await.unwrap();
    tab.paste(".auth-container input", token).await.unwrap();
    tab.click(".auth-btn-wrapper .authorize").await.unwrap();
    tab.click(".auth-btn-wrapper .btn-done").await.unwrap();
    tab.wait_for(".auth-wrapper .authorize.locked")
        .await
        .unwrap();
}

/// Sends the example unchanged. Returns the status and the body of the response as shown on the page.
async fn create_form(tab: &mut Tab) -> (String, String) {
    tab.click(&format!("{OPERATION} .opblock-summary-control"))
        .await
        .unwrap();
    tab.click(&format!("{OPERATION} .try-out__btn"))
        .await
        .unwrap();
    tab.click(&format!("{OPERATION} .execute")).await.unwrap();
    let answer = format!("{OPERATION} .live-responses-table .response");
    let status = tab
        .text(&format!("{answer} .response-col_status"))
        .await
        .unwrap();
    let body = tab
        .text(&format!("{answer} .highlight-code code"))
        .await
        .unwrap();
    (status, body)
}

async fn take_picture(tab: &mut Tab) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PICTURE);
    if env::var_os(UPDATE).is_some() {
        let scroll = format!("document.querySelector('{OPERATION}').scrollIntoView()");
        tab.evaluate(&scroll).await.unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, tab.picture().await.unwrap()).unwrap();
    }
    let size = fs::metadata(&path).unwrap().len();
    assert!(size < LARGEST.try_into().unwrap(), "{size}");
}
