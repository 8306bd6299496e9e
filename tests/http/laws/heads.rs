//! Requests that would make heads large.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use formalize_pages::PageSetup;
use poem::http::Method;
use serde_json::{Value, json};

use super::head;
use crate::openapi::operations;
use crate::support::{
    Answer, App, EVENTS, FORM_LINKS, FORMS, NOWHERE, SUBMISSIONS, files, id, merge, query,
    submission,
};

async fn paged() -> App {
    let app = App::new().await;
    let clock = app.clock.clone();
    app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    })
}

/// The addresses of all pages: the templates in the source, with an identifier for each parameter.
fn pages() -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/pages/src");
    let mut found = BTreeSet::new();
    for file in ["route.rs", "console/route.rs"] {
        let text = fs::read_to_string(source.join(file)).unwrap();
        let quoted = text.split("=> \"/").skip(1);
        for template in quoted.filter_map(|rest| rest.split('"').next()) {
            let segments = template.split('/').map(|segment| match segment {
                "{number}" => "0",
                "{code}" | "{token}" | "{name}" => "x",
                parameter if parameter.starts_with('{') => NOWHERE,
                segment => segment,
            });
            found.insert(format!("/{}", segments.collect::<Vec<_>>().join("/")));
        }
    }
    assert!(found.len() > 25, "{found:?}");
    found
}

/// Ends of addresses that are repeated in some way: in `Location`, `Link`, cookies, or not at all.
fn ends() -> Vec<String> {
    let (ands, letters) = ("&".repeat(7_000), "x".repeat(7_000));
    let path = format!("%2Ff%2F{NOWHERE}%3F{letters}");
    vec![
        format!("?{ands}"),
        format!("?{letters}"),
        format!("?lang=de&{letters}"),
        format!("?return={path}"),
        format!("?return=/f/{}", "/".repeat(1_400)),
        format!("?return=/f/{}&lang=de", "~".repeat(1_490)),
        format!("?return=/f/{}", "%25".repeat(490)),
        format!("?p:/name={letters}"),
        format!("/{letters}"),
        format!("/{}", "%C3%A4".repeat(1_000)),
    ]
}

/// Headers that could be repeated.
fn asked(
    app: &App,
    method: &Method,
    path: &str,
    cookie: Option<&str>,
) -> impl Future<Output = Answer> {
    let mut asking = app.anon().request(method.clone(), path);
    if let Some(secret) = cookie {
        asking = asking.header("cookie", &format!("__Host-formalize={secret}"));
    }
    for name in [
        "x-request-id",
        "origin",
        "if-none-match",
        "accept-language",
        "idempotency-key",
    ] {
        let long = if name == "x-request-id" { 128 } else { 3_000 };
        asking = asking.header(name, &"x".repeat(long));
    }
    asking.send()
}

#[tokio::test]
async fn no_page_has_a_large_head() {
    let app = paged().await;
    let secret = app.session("alice").await;
    for page in pages() {
        for end in ends() {
            for (method, cookie) in [
                (Method::GET, None),
                (Method::GET, Some(secret.as_str())),
                (Method::HEAD, None),
                (Method::POST, None),
                (Method::POST, Some(secret.as_str())),
            ] {
                // Every answer is checked.
                asked(&app, &method, &format!("{page}{end}"), cookie).await;
            }
        }
    }
}

#[tokio::test]
async fn no_operation_has_a_large_head() {
    let app = App::new().await;
    for operation in operations(&app).await {
        let names = operation.parameters.iter();
        let long = names.map(|name| format!("?{name}={}", "%C3%A4".repeat(1_000)));
        for end in ends().into_iter().chain(long) {
            let path = format!("{}{end}", operation.path);
            app.anon()
                .request(operation.method.clone(), &path)
                .send()
                .await;
            app.alice()
                .request(operation.method.clone(), &path)
                .send()
                .await;
        }
    }
}

#[tokio::test]
async fn a_long_address_is_returned_to_without_its_query() {
    let app = paged().await;
    let asked = app
        .anon()
        .get(&format!("/console?{}", "&".repeat(7_000)))
        .await;
    assert_eq!(
        (asked.status.as_u16(), asked.header("location")),
        (303, Some("/service/sign-in?return=%2Fconsole"))
    );
    let short = app.anon().get("/console?page=2").await;
    assert_eq!(
        short.header("location"),
        Some("/service/sign-in?return=%2Fconsole%3Fpage%3D2")
    );
    let endless = app
        .anon()
        .get(&format!("/console/{}", "x".repeat(7_000)))
        .await;
    assert!(
        endless.status.as_u16() == 404 || endless.header("location") == Some("/service/sign-in")
    );
}

#[tokio::test]
async fn signing_in_returns_to_a_long_address_without_its_query() {
    let app = paged().await;
    let token = app.token("alice", json!({}), None).await;
    let page = format!("/f/{NOWHERE}");
    for (sent, expected) in [
        (
            format!("{page}?{}", "x".repeat(7_000)),
            format!("/service{page}"),
        ),
        (
            format!("{page}?{}", "&".repeat(600)),
            format!("/service{page}"),
        ),
        (format!("{page}?a=b"), format!("/service{page}?a=b")),
        (
            format!("/f/{}", "x".repeat(7_000)),
            "/service/console".to_owned(),
        ),
    ] {
        let body = format!(
            "secret={token}&return={}",
            formalize_http::percent::encode(&sent)
        );
        let answer = app
            .anon()
            .request(Method::POST, "/sign-in/token")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("origin", "https://forms.example.org")
            .body(body)
            .send()
            .await;
        assert_eq!(
            answer.header("location"),
            Some(expected.as_str()),
            "{}",
            answer.status
        );
    }
}

/// Origins of this number, each with 250 bytes.
fn origins(number: usize) -> Value {
    let label = "a".repeat(56);
    let origin = |at: usize| format!("https://{at:02}.{label}.{label}.{label}.{label}.example");
    json!((0..number).map(origin).collect::<Vec<_>>())
}

#[tokio::test]
async fn the_origins_of_a_link_are_short_together() {
    let app = paged().await;
    let form = id(&app.form(json!({})).await);
    let new = |origins: Value| json!({"formIdentifier": form, "embedOrigins": origins});
    let refused = app.alice().post(FORM_LINKS, new(origins(20))).await;
    let problem = refused.problem(400, "formalize:form-link-invalid");
    assert!(
        problem["detail"].as_str().unwrap().contains("2048 bytes"),
        "{problem}"
    );
    let link = app
        .alice()
        .post(FORM_LINKS, new(origins(8)))
        .await
        .expect(201);
    let path = format!("{FORM_LINKS}/{}", id(&link));
    let long = app
        .alice()
        .patch(&path, json!({"embedOrigins": origins(9)}));
    long.await.problem(400, "formalize:form-link-invalid");
    let url = link["url"].as_str().unwrap().to_owned();
    let path = url
        .strip_prefix("https://forms.example.org/service")
        .unwrap();
    let page = app.anon().get(path).await;
    assert_eq!(page.status.as_u16(), 200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("https://07.") && head(&page) > 2_000);
}

#[tokio::test]
async fn a_link_to_the_next_page_is_left_out_if_it_is_long() {
    let app = App::new().await;
    for _ in 0..3 {
        app.form(json!({})).await;
    }
    for (repeated, has_link) in [(1, true), (300, false)] {
        let types = vec!["form.created"; repeated].join(",");
        let path = query(
            EVENTS,
            &[("types", &types), ("from", "oldest"), ("perPage", "1")],
        );
        let answer = app.alice().get(&path).await;
        assert_eq!(answer.next().is_some(), has_link, "{answer}");
        assert!(answer.expect(200)["nextCursor"].is_string());
    }
}

#[tokio::test]
async fn files_with_long_names_have_small_heads() {
    let app = App::new().await;
    let schema = json!({"additionalFiles": {"allowedMimeTypes": ["text/plain"], "maxNumber": 5}});
    let form = app.form(json!({
        "name": "\u{1f600}".repeat(128),
        "dataFeedSchema": schema.to_string(),
        "allowedActionsWhenSubmitted": ["manage"],
        "allowedSubmissionStates": ["draft", "submitted"],
    }));
    let form = id(&form.await);
    let mut new = submission(&form, "{}");
    merge(&mut new, json!({"submissionState": "draft"}));
    let made = id(&app.alice().post(SUBMISSIONS, new).await.expect(201));
    let name = format!("{}.txt", "\u{1f600}".repeat(251));
    let added = app.alice().add_file(&made, "notes", &name, "text").await;
    let added = added.expect(201);
    let path = format!("{}/{}/content", files(&made), id(&added));
    for disposition in ["attachment", "inline"] {
        let content = app
            .alice()
            .get(&query(&path, &[("disposition", disposition)]))
            .await;
        assert_eq!(content.status.as_u16(), 200, "{content}");
        let header = content.header("content-disposition").unwrap();
        assert!(header.ends_with("%F0%9F%98%80.txt"), "{header}");
    }
    let exported = format!("{FORMS}/{form}/submissions/export?format=csv");
    app.alice().get(&exported).await;
}
