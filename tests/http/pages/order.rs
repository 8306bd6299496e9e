//! The order of refusals of pages: address, method, origin, size and type of the body, its content, session, token against forged
//! requests, existence and permission. Each request has all faults at first, and they are repaired one by one.

use formalize_http::rate::RateLimits;
use formalize_pages::PageSetup;
use poem::http::Method;
use serde_json::json;

use super::reader::{Page, Reader};
use crate::support::{App, FORMS, GRANTS, NOWHERE, SUBMISSIONS, at, id, submission};

const URLENCODED: &str = "application/x-www-form-urlencoded";

/// What a request sends. What it says about a part with a fault is wrong.
#[derive(Clone)]
struct Sent<'a> {
    method: Method,
    origin: &'static str,
    content_type: &'static str,
    body: &'a str,
}

impl Sent<'_> {
    async fn by(&self, reader: &mut Reader<'_>, path: &str) -> Page {
        let body = Some((self.content_type, self.body.as_bytes().to_vec()));
        let origin = [("sec-fetch-site", self.origin)];
        reader.send(self.method.clone(), path, body, &origin).await
    }
}

const UNUSABLE: &str = "This page cannot be used like that";
const FORBIDDEN: &str = "You may not do this";
const TOO_MUCH: &str = "This is too much";
const NOT_UNDERSTOOD: &str = "The page sent something that cannot be understood";
const ENDED: &str = "Your session has ended";
const MISSING: &str = "This page does not exist";

#[track_caller]
fn refused(page: &Page, status: u16, heading: &str) {
    let shown = (page.status(), page.texts("h1").concat());
    assert_eq!(shown, (status, heading.to_owned()), "{}", page.path);
}

#[tokio::test]
async fn what_pages_send_is_checked_from_the_address_to_the_permission() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = app.open_form(json!({})).await;
    let sent = app.alice().post(SUBMISSIONS, submission(&form, "{}")).await;
    let sent = id(&sent.expect(201));
    let too_large = "a=".to_owned() + &"x".repeat(5 << 20);
    let mut anyone = Reader::new(&app);
    for (path, _) in pages(&form, &sent) {
        let mut sent = Sent {
            method: Method::PUT,
            origin: "cross-site",
            content_type: "text/plain",
            body: &too_large,
        };
        refused(&sent.by(&mut anyone, &path).await, 405, UNUSABLE);
        sent.method = Method::POST;
        refused(&sent.by(&mut anyone, &path).await, 403, FORBIDDEN);
        sent.origin = "same-origin";
        refused(&sent.by(&mut anyone, &path).await, 413, TOO_MUCH);
        sent.body = "a=%ff";
        refused(&sent.by(&mut anyone, &path).await, 415, NOT_UNDERSTOOD);
        sent.content_type = URLENCODED;
        refused(&sent.by(&mut anyone, &path).await, 400, NOT_UNDERSTOOD);
        sent.body = "unknown=1";
        refused(&sent.by(&mut anyone, &path).await, 403, ENDED);
    }
}

/// What somebody reads who sends a page without a token against forged requests.
#[derive(Clone, Copy)]
enum WithoutToken {
    /// The page again, as if it had been opened.
    ThePage,
    /// That they may not do this.
    Nothing,
}

/// Pages that change something, and what is shown without a token.
fn pages(form: &str, submission: &str) -> [(String, WithoutToken); 5] {
    use WithoutToken::{Nothing, ThePage};
    [
        (format!("/f/{form}"), ThePage),
        (format!("/s/{submission}"), ThePage),
        (format!("/s/{submission}/delete"), Nothing),
        (format!("/console/forms/{form}/settings"), ThePage),
        (format!("/console/forms/{form}/delete"), ThePage),
    ]
}

#[tokio::test]
async fn the_token_is_checked_before_existence_and_permission() {
    let app = App::new().await.with_pages(PageSetup::default());
    let form = id(&app.form(json!({})).await);
    let open = app.open_form(json!({})).await;
    let sent = app.alice().post(SUBMISSIONS, submission(&open, "{}")).await;
    let sent = id(&sent.expect(201));
    let mut bob = Reader::signed_in(&app, "bob").await;
    let save = |body| Sent {
        method: Method::POST,
        origin: "same-origin",
        content_type: URLENCODED,
        body,
    };
    let all = pages(&form, &sent).into_iter().zip(pages(NOWHERE, NOWHERE));
    for ((path, shown), (nowhere, _)) in all {
        let page = save("do=save").by(&mut bob, &nowhere).await;
        match shown {
            WithoutToken::ThePage => refused(&page, 404, MISSING),
            WithoutToken::Nothing => refused(&page, 403, FORBIDDEN),
        }
        refused(&save("do=save").by(&mut bob, &path).await, 403, FORBIDDEN);
    }
    // Whoever may use the page reads it again. A token is for one page and its reader, so the others get none.
    let path = format!("/f/{form}");
    let bobs = json!({ "userIdentifier": "bob" });
    let grant = id(&app.share_form(&form, "create_submissions", bobs).await);
    let page = save("do=send").by(&mut bob, &path).await;
    assert_eq!(page.status(), 403);
    let token = page.value("token").unwrap();
    let with_token = format!("do=send&token={token}");
    app.alice().delete(&at(GRANTS, &grant)).await.expect(204);
    refused(&save(&with_token).by(&mut bob, &path).await, 403, FORBIDDEN);
    app.alice().delete(&at(FORMS, &form)).await.expect(204);
    refused(&save(&with_token).by(&mut bob, &path).await, 404, MISSING);
}

#[tokio::test]
async fn requests_of_strangers_are_counted_before_they_are_refused() {
    let app = App::new().await;
    let off = formalize_http::config::Rate::OFF;
    let rates = RateLimits::new(off, "4/1h".parse().unwrap(), Vec::new());
    let app = app.with_rated_pages(rates);
    let mut anyone = Reader::new(&app);
    for (method, path, status) in [
        (Method::GET, "/console/typo", 404),
        (Method::GET, "/l/fml_typo", 404),
        (Method::PUT, "/sign-in", 405),
        (Method::GET, "/console", 303),
        (Method::GET, "/console/typo", 429),
        (Method::GET, "/l/fml_typo", 429),
        (Method::PUT, "/sign-in", 429),
        (Method::GET, "/console", 429),
    ] {
        let page = anyone.ask(method, path, None, &[]).await;
        assert_eq!(page.status(), status, "{path}");
    }
}
