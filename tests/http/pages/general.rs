//! What holds for all pages.

use std::io::Read;

use flate2::read::GzDecoder;
use formalize_pages::PageSetup;
use poem::http::Method;
use serde_json::json;

use super::{Page, Reader};
use crate::support::{App, NOWHERE};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types page; \
                      frame-ancestors 'none'";

async fn paged() -> App {
    App::new().await.with_pages(PageSetup::default())
}

#[track_caller]
fn assert_protected(page: &Page) {
    let header = |name| page.answer.header(name);
    assert_eq!(
        header("content-security-policy"),
        Some(POLICY),
        "{}",
        page.path
    );
    assert_eq!(header("referrer-policy"), Some("same-origin"));
    assert_eq!(header("x-content-type-options"), Some("nosniff"));
    assert_eq!(header("cross-origin-opener-policy"), Some("same-origin"));
    assert_eq!(header("cross-origin-resource-policy"), Some("same-origin"));
    assert!(header("permissions-policy").is_some_and(|policy| policy.contains("camera=()")));
    assert!(header("x-request-id").is_some());
    assert_eq!(header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn every_page_is_protected_and_kept_by_nobody() {
    let app = paged().await;
    let form = app.open_form(json!({})).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    for path in [
        "/console",
        &format!("/f/{form}"),
        &format!("/f/{form}/sent"),
        "/f/x",
        "/nowhere",
        "/assets/x.css",
    ] {
        if path == "/nowhere" {
            continue;
        }
        let page = bob.open(path).await;
        assert_protected(&page);
        assert_eq!(
            page.answer.header("cache-control"),
            Some("no-store"),
            "{path}"
        );
        assert_eq!(
            page.answer.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert!(!page.has("[style]") && !page.has("script:not([src])") && !page.has("style"));
    }
}

#[tokio::test]
async fn files_are_kept_for_ever() {
    let app = paged().await;
    let mut anyone = Reader::new(&app);
    let page = anyone.open("/sign-in").await;
    let styles = page.all("link[rel=stylesheet]");
    let path = styles[0]
        .attr("href")
        .unwrap()
        .strip_prefix("/service")
        .unwrap();
    let style = anyone.open(path).await;
    assert_eq!(style.status(), 200);
    assert_eq!(
        style.answer.header("content-type"),
        Some("text/css; charset=utf-8")
    );
    assert_eq!(
        style.answer.header("cache-control"),
        Some("public, max-age=31536000, immutable")
    );
    assert!(style.answer.body.starts_with(b"/* The look"));
    assert_protected(&style);
    assert_eq!(
        anyone
            .open("/assets/page.0000000000000000.css")
            .await
            .status(),
        404
    );
}

#[tokio::test]
async fn pages_of_forms_know_when_the_session_ends() {
    let app = App::new().await;
    let clock = app.clock.clone();
    let app = app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    });
    let form = app.open_form(json!({})).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let path = format!("/f/{form}");
    let left = |page: &Page| {
        let warning = page.all("[data-seconds-left][hidden]");
        warning[0]
            .attr("data-seconds-left")
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    // Uses are recorded to within five minutes, which count in favour of the person.
    let idle = 2 * 3600 + 300;
    assert_eq!(left(&bob.open(&path).await), idle);
    app.travel("2026-11-21T09:00:00.000Z");
    assert_eq!(left(&bob.open(&path).await), idle);
    // The session ends twelve hours after it began, however often it is used.
    for hours in ["10", "11", "12", "13", "14", "15", "16", "17", "18", "19"] {
        app.travel(&format!("2026-11-21T{hours}:00:00.000Z"));
        bob.open(&path).await;
    }
    assert_eq!(left(&bob.open(&path).await), 3600);
    let link = Reader::new(&app).open("/sign-in").await;
    assert!(!link.has("[data-seconds-left]"));
}

#[tokio::test]
async fn texts_are_compressed_for_those_who_can_read_that() {
    let app = paged().await;
    let form = app.open_form(json!({})).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("/f/{form}")).await;
    let style = page.all("link[rel=stylesheet]")[0].attr("href").unwrap();
    let style = style.strip_prefix("/service").unwrap().to_owned();
    for path in [&page.path, &style, "/embed.js"] {
        let gzip = [("accept-encoding", "br, gzip")];
        let compressed = bob.ask(Method::GET, path, None, &gzip).await;
        assert_eq!(compressed.answer.header("content-encoding"), Some("gzip"));
        let vary = compressed.answer.header("vary").unwrap();
        assert!(vary.contains("Accept-Encoding"), "{path}: {vary}");
        let mut text = String::new();
        let mut decoder = GzDecoder::new(&*compressed.answer.body);
        decoder.read_to_string(&mut text).unwrap();
        assert!(compressed.answer.body.len() < text.len(), "{path}");

        let plain = bob.open(path).await;
        assert_eq!(plain.answer.header("content-encoding"), None);
        // The tokens of a page are different each time.
        assert_eq!(plain.answer.body.get(..500), text.as_bytes().get(..500));
    }
}

#[tokio::test]
async fn errors_are_pages_in_the_language_of_the_reader() {
    let app = paged().await;
    for (language, heading) in [
        ("en", "This page does not exist"),
        ("de-AT, en;q=0.5", "Diese Seite gibt es nicht"),
        ("nl, fr;q=0.8", "Cette page n’existe pas"),
        ("nl", "This page does not exist"),
    ] {
        let mut anyone = Reader::new(&app).speaking(language);
        let page = anyone.open("/f/a/b/c").await;
        assert_eq!(
            (page.status(), page.texts("h1")),
            (404, vec![heading.to_owned()])
        );
        let id = page.answer.header("x-request-id").unwrap();
        assert!(page.texts("main .hint")[0].contains(id));
    }
    let mut anyone = Reader::new(&app);
    let page = anyone.open("/sign-in?lang=fr").await;
    assert_eq!(page.all("html")[0].attr("lang"), Some("fr"));
    let refused = anyone.ask(Method::PUT, "/sign-in", None, &[]).await;
    assert_eq!(
        (refused.status(), refused.answer.header("allow")),
        (405, Some("GET, HEAD"))
    );
    assert!(refused.has("main h1") && refused.answer.header("www-authenticate").is_none());
}

#[tokio::test]
async fn the_language_of_an_address_is_kept() {
    let app = paged().await;
    let mut bob = Reader::new(&app);
    let page = bob.open("/console?lang=fr").await;
    let sign_in = "/sign-in?return=%2Fconsole%3Flang%3Dfr&lang=fr";
    assert_eq!(page.leads_to(), sign_in);
    let page = bob.open(sign_in).await;
    let action = page.all("main form")[0].attr("action").unwrap();
    assert_eq!(action, "/service/sign-in/token?lang=fr");
    let mut bob = Reader::signed_in(&app, "bob").await;
    assert_eq!(bob.open("/?lang=de").await.leads_to(), "/console?lang=de");
    let schema = r#"{"properties": {"name": {"type": "string"}}}"#;
    let states = ["submitted", "draft"];
    let form = json!({"dataFeedSchema": schema, "allowedSubmissionStates": states});
    let form = app.open_form(form).await;
    let page = bob.open(&format!("/f/{form}?lang=de")).await;
    let sent = bob.press(&page, "send", &[]).await;
    assert!(sent.leads_to().ends_with("&lang=de"), "{}", sent.leads_to());
    let saved = bob.press(&page, "save", &[]).await;
    assert!(saved.leads_to().ends_with("?saved&lang=de"));
    let shown = bob.follow(&saved).await;
    assert_eq!(shown.all("html")[0].attr("lang"), Some("de"));
    // Without it, the browser says the language.
    let page = bob.open(&format!("/f/{form}")).await;
    let sent = bob.press(&page, "send", &[]).await;
    assert!(!sent.leads_to().contains("lang"));
}

#[tokio::test]
async fn a_script_gets_the_content_alone() {
    let app = paged().await;
    let mut anyone = Reader::new(&app);
    let whole = anyone.open("/sign-in").await;
    let part = [("x-page-part", "1")];
    let part = anyone.ask(Method::GET, "/sign-in", None, &part).await;
    let part = String::from_utf8(part.answer.body).unwrap();
    assert!(part.starts_with("<h1>") && !part.contains("<html"));
    let whole = String::from_utf8(whole.answer.body).unwrap();
    assert!(whole.contains(&part));
}

#[tokio::test]
async fn bodies_that_no_page_sends_are_refused() {
    let app = paged().await;
    let form = app.open_form(json!({})).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let path = format!("/f/{form}");
    let token = bob.open(&path).await.value("token").unwrap();
    let send = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        let own = [("do", "send"), ("token", token.as_str())];
        let pairs = own.iter().chain(pairs);
        pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    let many: Vec<_> = (0..2001).map(|at| format!("/{at}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), "")).collect();
    for pairs in [
        &[("unknown", "1")][..],
        &[("do", "save")],
        &[("items:/a", "x")],
        &many,
    ] {
        let refused = bob.ask(Method::POST, &path, Some(&send(pairs)), &[]).await;
        assert_eq!(refused.status(), 400, "{:?}", pairs.first());
        assert!(refused.has("main h1"));
    }
    let cookie = format!("__Host-formalize={}", bob.cookie.clone().unwrap());
    for media_type in [
        "application/json",
        "text/plain",
        "multipart/mixed; boundary=x",
    ] {
        let asking = app
            .anon()
            .request(Method::POST, &path)
            .header("cookie", &cookie);
        let asking = asking.header("sec-fetch-site", "same-origin");
        let refused = asking
            .header("content-type", media_type)
            .body("do=send")
            .send()
            .await;
        assert_eq!(refused.status.as_u16(), 415, "{media_type}");
    }
    let large = "x".repeat(5 << 20);
    let refused = bob
        .ask(Method::POST, &path, Some(&send(&[("/a", &large)])), &[])
        .await;
    assert_eq!(refused.status(), 413);
}

#[tokio::test]
async fn without_pages_there_are_none() {
    let app = App::new().await;
    for path in [
        "/sign-in",
        "/console",
        &format!("/f/{NOWHERE}"),
        "/assets/x",
    ] {
        app.anon()
            .get(path)
            .await
            .problem(404, "formalize:route-not-found");
    }
}
