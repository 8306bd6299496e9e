//! Public links: anyone who has one fills in the form, and can do nothing else.

use std::sync::Arc;

use formalize_core::Store;
use formalize_http::rate::RateLimits;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use super::{Page, Reader};
use crate::support::{App, FORMS, SUBMISSIONS, at, id, items, merge};

on_every_store! {
    anyone_fills_in_a_form_by_a_link,
    a_link_that_is_unknown_revoked_or_expired_looks_the_same,
    a_link_ends_at_its_cap_and_for_a_browser,
}

const LINKS: &str = "/formalize/form-links";
const SCHEMA: &str = r#"{"type": "object", "required": ["name"], "properties": {
    "name": {"type": "string"}, "more": {"type": "array", "items": {"type": "string"}}}}"#;

async fn paged(store: Arc<dyn Store>) -> App {
    let app = App::on_store(store).await;
    let clock = app.clock.clone();
    app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    })
}

/// A form, a link to it with these members, and the path of the page of the link.
async fn linked(app: &App, members: Value) -> (String, Value, String) {
    let form = id(&app.form(json!({"dataFeedSchema": SCHEMA})).await);
    let mut new = json!({"formIdentifier": form});
    merge(&mut new, members);
    let link = app.alice().post(LINKS, new).await.expect(201);
    let url = link["url"].as_str().unwrap();
    let path = url
        .strip_prefix("https://forms.example.org/service")
        .unwrap()
        .to_owned();
    (form, link, path)
}

/// Lets people have time to fill in the form.
fn later(app: &App, seconds: u32) {
    app.travel(&format!("2026-11-21T08:00:{seconds:02}Z"));
}

async fn submissions(app: &App, form: &str) -> Vec<Value> {
    let list = format!("{SUBMISSIONS}?formIdentifier={form}");
    items(&app.alice().get(&list).await.expect(200)).clone()
}

async fn anyone_fills_in_a_form_by_a_link(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let (form, link, path) = linked(&app, json!({})).await;
    // The administrator has signed in, which makes no difference.
    let mut anyone = Reader::signed_in(&app, "admin").await;
    let page = anyone.open(&format!("{path}?p:/name=Ada")).await;
    assert_eq!(
        (page.status(), page.texts("h1")),
        (200, vec!["Newsletter".to_owned()])
    );
    assert!(!page.has("header form") && !page.has("[value=save]"));
    assert_eq!(page.value("/name").as_deref(), Some("Ada"));
    assert_eq!(page.answer.header("referrer-policy"), Some("no-referrer"));

    // A page that comes back at once is shown again, once.
    let early = anyone.press(&page, "send", &[("/name", "Grace")]).await;
    assert_eq!(
        (early.status(), early.value("/name").as_deref()),
        (422, Some("Grace"))
    );
    assert_eq!(
        early.texts(".note"),
        ["Please look through your answers and send once more."]
    );
    assert!(submissions(&app, &form).await.is_empty());
    let sent = anyone.press(&early, "send", &[]).await;
    let receipt = anyone.follow(&sent).await;
    assert_eq!(receipt.status(), 200);
    let found = submissions(&app, &form).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["dataFeedElement"], r#"{"name":"Grace"}"#);
    assert_eq!(found[0]["creatorId"], format!("link:{}", id(&link)));
    assert!(receipt.texts("main code")[0].contains(&id(&found[0])));
    assert_eq!(
        receipt.links(),
        [path.split('?').next().unwrap()],
        "what was sent cannot be read"
    );

    // What is wrong is said at once.
    let page = anyone.open(&path).await;
    let early = anyone.press(&page, "send", &[("/name", "")]).await;
    assert_eq!(early.status(), 422);
    assert_eq!(early.texts(".note").len(), 1);
    assert_eq!(
        early.texts(".summary a"),
        ["Name – Please answer this question"]
    );
    assert_eq!(submissions(&app, &form).await.len(), 1);

    // An update of the page does not begin the time anew.
    let page = anyone.open(&path).await;
    later(&app, 1);
    let page = anyone.press(&page, "add:/more", &[]).await;
    later(&app, 2);
    anyone
        .press(&page, "send", &[("/name", "Ada")])
        .await
        .leads_to();

    // Nobody can make up a time, and what people do not see stays empty.
    let page = anyone.open(&path).await;
    later(&app, 30);
    for (name, value) in [
        ("made", "0.00"),
        ("made", ""),
        ("website", "https://example.org"),
    ] {
        let refused = anyone
            .press(&page, "send", &[("/name", "Eve"), (name, value)])
            .await;
        assert_eq!(refused.status(), 422, "{name}");
        assert_eq!(refused.value("website").as_deref(), Some(""));
    }
    assert_eq!(submissions(&app, &form).await.len(), 2);
    let draft = anyone.press(&page, "save", &[("/name", "Eve")]).await;
    assert_eq!(draft.status(), 400, "links save no drafts");
    assert_eq!(submissions(&app, &form).await.len(), 2);
}

async fn a_link_that_is_unknown_revoked_or_expired_looks_the_same(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let (_, revoked, of_revoked) = linked(&app, json!({})).await;
    let (_, _, of_expired) = linked(&app, json!({"expires": "2026-11-21T08:00:10Z"})).await;
    let (form, _, of_deleted) = linked(&app, json!({})).await;
    let mut anyone = Reader::new(&app);
    for path in [&of_revoked, &of_expired, &of_deleted] {
        assert_eq!(anyone.open(path).await.status(), 200);
    }
    app.alice()
        .delete(&at(LINKS, &id(&revoked)))
        .await
        .expect(204);
    app.alice().delete(&at(FORMS, &form)).await.expect(204);
    later(&app, 11);
    let without_id = |page: &Page| {
        let id = page.answer.header("x-request-id").unwrap();
        let text = String::from_utf8(page.answer.body.clone()).unwrap();
        (
            text.replace(id, ""),
            page.answer.headers_but("x-request-id").len(),
        )
    };
    let unknown = anyone.open("/l/fml_0000000000000000000000000000").await;
    assert_eq!(unknown.status(), 404);
    for path in [&of_revoked, &of_expired, &of_deleted, "/l/x", "/l/%ff"] {
        for suffix in ["", "/sent"] {
            let page = anyone.open(&format!("{path}{suffix}")).await;
            assert_eq!(page.status(), 404, "{path}");
            assert_eq!(without_id(&page), without_id(&unknown), "{path}");
        }
        let sent = [("do".to_owned(), "send".to_owned())];
        let refused = anyone.ask(Method::POST, path, Some(&sent), &[]).await;
        assert_eq!(without_id(&refused), without_id(&unknown), "{path}");
    }
}

async fn a_link_ends_at_its_cap_and_for_a_browser(store: Arc<dyn Store>) {
    let app = paged(store).await;
    let (form, _, path) = linked(&app, json!({"maxNumSubmissions": 1})).await;
    let mut anyone = Reader::new(&app);
    let (page, other) = (anyone.open(&path).await, anyone.open(&path).await);
    later(&app, 3);
    let sent = anyone.press(&page, "send", &[("/name", "Ada")]).await;
    assert_eq!(
        anyone.follow(&sent).await.links(),
        [""; 0],
        "there is no place for another one"
    );
    let refused = anyone.press(&other, "send", &[("/name", "Eve")]).await;
    assert_eq!(refused.status(), 403);
    assert_eq!(refused.texts(".closed p")[0], "All places are taken.");
    assert_eq!(refused.value("/name").as_deref(), Some("Eve"));
    assert!(!refused.has("main button[value=send]:not([disabled])"));
    // Somebody who never saw the page learns nothing of the form.
    let made = ("made".to_owned(), "forged".to_owned());
    let forged = [made, ("do".to_owned(), "send".to_owned())];
    let refused = anyone.ask(Method::POST, &path, Some(&forged), &[]).await;
    assert_eq!((refused.status(), refused.has("main form")), (403, false));
    assert_eq!(anyone.open(&path).await.status(), 403);
    assert_eq!(submissions(&app, &form).await.len(), 1);

    let (form, link, path) = linked(&app, json!({"oncePerBrowser": true})).await;
    let page = anyone.open(&path).await;
    later(&app, 6);
    let sent = anyone.press(&page, "send", &[("/name", "Ada")]).await;
    sent.leads_to();
    let cookie = format!("formalize-sent-{}=1", id(&link));
    assert_eq!(anyone.remembered, [cookie]);
    assert_eq!(anyone.open(&path).await.status(), 403);
    let refused = anyone.press(&page, "send", &[("/name", "Ada")]).await;
    assert_eq!(refused.status(), 403);
    assert_eq!(refused.value("/name").as_deref(), Some("Ada"));
    assert_eq!(
        Reader::new(&app).open(&path).await.status(),
        200,
        "another browser"
    );
    assert_eq!(submissions(&app, &form).await.len(), 1);
}

#[tokio::test]
async fn only_origins_of_the_link_may_show_it_in_a_frame() {
    let app = App::new().await.with_pages(PageSetup::default());
    let origins = json!(["https://www.example.org", "http://localhost:3000"]);
    let (_, _, path) = linked(&app, json!({ "embedOrigins": origins })).await;
    let (_, _, other) = linked(&app, json!({})).await;
    let mut anyone = Reader::new(&app);
    for (path, ancestors) in [
        (&path, "https://www.example.org http://localhost:3000"),
        (&other, "'none'"),
    ] {
        let page = anyone.open(path).await;
        let policy = page.answer.header("content-security-policy").unwrap();
        assert!(
            policy.ends_with(&format!("; frame-ancestors {ancestors}")),
            "{policy}"
        );
        assert_eq!(
            page.has("meta[name=formalize-embed]"),
            ancestors != "'none'"
        );
    }
    let script = anyone.open("/embed.js").await;
    let header = |name| script.answer.header(name);
    assert_eq!(header("cross-origin-resource-policy"), Some("cross-origin"));
    assert_eq!(header("cache-control"), Some("public, max-age=3600"));
    assert_eq!(
        header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
}

/// The time of a page is valid for a day. Then the page comes back whole, and the second send counts.
#[tokio::test]
async fn the_page_of_a_link_can_be_sent_for_a_day() {
    let app = App::new().await;
    let clock = app.clock.clone();
    let app = app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    });
    let (form, _, path) = linked(&app, json!({})).await;
    let mut anyone = Reader::new(&app);
    let page = anyone.open(&path).await;
    app.travel("2026-11-22T07:59:59Z");
    anyone
        .press(&page, "send", &[("/name", "Ada")])
        .await
        .leads_to();
    app.travel("2026-11-22T08:00:00Z");
    let refused = anyone.press(&page, "send", &[("/name", "Eve")]).await;
    assert_eq!(refused.status(), 422);
    assert_eq!(refused.value("/name").as_deref(), Some("Eve"));
    assert_eq!(submissions(&app, &form).await.len(), 1);
    anyone.press(&refused, "send", &[]).await.leads_to();
    assert_eq!(submissions(&app, &form).await.len(), 2);
}

#[tokio::test]
async fn links_have_a_rate_of_their_own() {
    let app = App::new().await;
    let (_, _, path) = linked(&app, json!({})).await;
    let (_, _, other) = linked(&app, json!({})).await;
    let off = formalize_http::config::Rate::OFF;
    let rates = RateLimits::new(off, "1/1h".parse().unwrap(), Vec::new());
    let app = app.with_rated_pages(rates.of_links("2/1h".parse().unwrap()));
    let mut anyone = Reader::new(&app);
    let part = [("x-page-part", "1")];
    for _ in 0..4 {
        let update = anyone.ask(Method::GET, &path, None, &part).await;
        assert_eq!(update.status(), 200, "updates count a quarter");
    }
    assert_eq!(anyone.open(&path).await.status(), 200);
    let refused = anyone.open(&path).await;
    assert_eq!((refused.status(), refused.has("h1")), (429, true));
    assert!(refused.answer.header("retry-after").is_some());
    assert_eq!(
        anyone.open(&other).await.status(),
        200,
        "other links are not affected"
    );
    assert_eq!(anyone.open("/l/fml_00").await.status(), 404);
    assert_eq!(
        anyone.open("/l/fml_01").await.status(),
        429,
        "guessing is limited by address"
    );
}
