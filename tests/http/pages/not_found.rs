//! What is not found, at every path, and what browsers and search engines look for by themselves.

use formalize_pages::PageSetup;
use poem::http::Method;
use serde_json::json;

use super::Reader;
use crate::support::{App, NOWHERE};

/// What browsers accept when somebody opens an address.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

/// Paths of the interface, of pages, and of nothing.
fn paths() -> Vec<String> {
    let mut paths: Vec<String> = [
        "/typo",
        "/typo/of/something",
        "/consoles",
        "/docs/x",
        "/formalize",
        "/formalize/typo",
        "/authorization/typo",
        "/f",
        "/f/x/y",
        "/console/typo",
        "/s/x/y",
        "/l/fml_unknown",
        "/assets/x.css",
        "/sign-in/x",
        "/robots.txt/x",
    ]
    .map(str::to_owned)
    .into();
    paths.push(format!("/f/x/{NOWHERE}"));
    paths
}

#[tokio::test]
async fn browsers_get_a_page_about_what_is_not_there() {
    let app = App::new().await.with_pages(PageSetup::default());
    for path in paths() {
        for (language, heading) in [
            ("en", "This page does not exist"),
            ("de", "Diese Seite gibt es nicht"),
        ] {
            let mut reader = Reader::new(&app).speaking(language);
            let accept = [("accept", BROWSER)];
            let page = reader.ask(Method::GET, &path, None, &accept).await;
            assert_eq!(page.status(), 404, "{path}");
            assert_eq!(page.texts("h1"), [heading], "{path}");
            assert_eq!(page.all("html")[0].attr("lang"), Some(language));
            let header = |name| page.answer.header(name).unwrap_or_default();
            assert_eq!(header("content-type"), "text/html; charset=utf-8");
            assert_eq!(header("x-robots-tag"), "noindex", "{path}");
            assert!(header("content-security-policy").starts_with("default-src 'none'"));
            assert_eq!(header("cache-control"), "no-store", "{path}");
            let id = header("x-request-id").to_owned();
            assert!(
                !id.is_empty() && page.texts(".hint")[0].contains(&id),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn programs_get_json_about_what_is_not_there() {
    let app = App::new().await.with_pages(PageSetup::default());
    let outside = paths().into_iter().filter(|path| {
        let pages = [
            "/f",
            "/console/",
            "/s/",
            "/l/",
            "/assets/",
            "/sign-in/",
            "/robots.txt",
        ];
        !pages.iter().any(|page| path.starts_with(page)) || path.starts_with("/formalize")
    });
    for path in outside {
        for accept in [
            None,
            Some("*/*"),
            Some("application/json"),
            Some("application/problem+json, text/html;q=0.9"),
            Some("text/html, application/json"),
        ] {
            let mut asking = app.anon().request(Method::GET, &path);
            if let Some(accept) = accept {
                asking = asking.header("accept", accept);
            }
            let answer = asking.send().await;
            assert_eq!(answer.status.as_u16(), 404, "{path} {accept:?}");
            assert_eq!(
                answer.header("content-type"),
                Some("application/problem+json")
            );
            assert!(
                answer
                    .header("vary")
                    .is_some_and(|vary| vary.contains("Accept")),
                "{path}"
            );
        }
        let mut reader = Reader::new(&app);
        let page = reader
            .ask(Method::GET, &path, None, &[("accept", BROWSER)])
            .await;
        let mut headers = page.answer.headers_but("").into_iter();
        assert!(headers.any(|header| header == ("vary", "Accept")), "{path}");
    }
    // A record of the interface.
    let form = format!("/formalize/forms/{NOWHERE}");
    let found = app.alice().get(&form).await;
    assert_eq!(
        found.header("content-type"),
        Some("application/problem+json")
    );
    let opened = app.alice().request(Method::GET, &form);
    let opened = opened.header("accept", BROWSER).send().await;
    assert_eq!(opened.status.as_u16(), 404);
    assert_eq!(
        opened.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    // Only what is not found is a page.
    let refused = app.anon().request(Method::GET, &form);
    let refused = refused.header("accept", BROWSER).send().await;
    assert_eq!(refused.status.as_u16(), 401);
    assert_eq!(
        refused.header("content-type"),
        Some("application/problem+json")
    );
}

#[tokio::test]
async fn without_pages_everything_is_json() {
    let app = App::new().await;
    for path in paths()
        .iter()
        .chain(&["/favicon.ico".to_owned(), "/robots.txt".to_owned()])
    {
        let asking = app.anon().request(Method::GET, path);
        let answer = asking.header("accept", BROWSER).send().await;
        assert_eq!(answer.status.as_u16(), 404, "{path}");
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json")
        );
        assert_eq!(answer.header("x-robots-tag"), None);
    }
}

#[tokio::test]
async fn no_page_is_for_search_engines() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = app.open_form(json!({})).await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    for path in ["/", "/console", "/sign-in", "/f/x", &format!("/f/{form}")] {
        let page = bob.open(path).await;
        assert_eq!(
            page.answer.header("x-robots-tag"),
            Some("noindex"),
            "{path}"
        );
    }
    let page = bob.open("/console").await;
    let icon = page.all("link[rel=icon]")[0].attr("href").unwrap();
    let icon = icon.strip_prefix("/service").unwrap().to_owned();
    for path in [&icon, "/favicon.ico"] {
        let icon = bob.open(path).await;
        assert_eq!(icon.status(), 200);
        assert_eq!(icon.answer.header("content-type"), Some("image/svg+xml"));
    }
    let robots = bob.open("/robots.txt").await;
    assert_eq!(
        robots.answer.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    // Robots must read a page to see that it is not to be listed.
    let text = String::from_utf8_lossy(&robots.answer.body);
    assert!(
        text.starts_with("User-agent: *\n") && !text.contains("/l"),
        "{text}"
    );
}
