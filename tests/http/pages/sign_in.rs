//! Signing in and out, and what a session is not.

use std::sync::Arc;

use formalize_core::{Store, UserId};
use formalize_http::rate::RateLimits;
use formalize_pages::{FirstCode, PageSetup};
use formalize_tests::on_every_store;
use poem::http::Method;

use super::{Page, Reader};
use crate::support::App;

on_every_store! {
    a_session_ends_with_its_token,
    people_sign_in_with_a_token_and_out,
    a_session_ends,
    secrets_are_not_exchanged,
    requests_of_other_sites_do_nothing,
}

fn secret(page: &Page, secret: &str) -> Vec<(String, String)> {
    let mut sent = page.sent();
    for (name, value) in &mut sent {
        if name == "secret" {
            secret.clone_into(value);
        }
    }
    sent
}

async fn people_sign_in_with_a_token_and_out(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let mut bob = Reader::new(&app);
    let page = bob.open("/console?cursor=x").await;
    let sign_in = bob.follow(&page).await;
    assert_eq!(
        sign_in.value("return").as_deref(),
        Some("/console?cursor=x")
    );

    let wrong = secret(&sign_in, "fmz_0000");
    let wrong = bob
        .ask(Method::POST, "/sign-in/token", Some(&wrong), &[])
        .await;
    assert_eq!(wrong.status(), 422);
    assert_eq!(wrong.texts("#token\\.problem"), ["This token is not valid"]);
    assert_eq!(
        wrong.value("secret").as_deref(),
        Some(""),
        "it is not shown"
    );
    assert_eq!(bob.cookie, None);

    let token = app.token("bob", serde_json::json!({}), None).await;
    let right = secret(&wrong, &format!(" {token} "));
    let right = bob
        .ask(Method::POST, "/sign-in/token", Some(&right), &[])
        .await;
    assert_eq!(right.leads_to(), "/console?cursor=x");
    let first = bob.cookie.clone().unwrap();
    let page = bob.open("/console").await;
    assert_eq!(
        (page.status(), page.texts("header span")),
        (200, vec!["Signed in as bob".to_owned()])
    );
    assert_eq!(bob.open("/sign-in?return=/f/x").await.leads_to(), "/f/x");

    let page = bob.open("/console").await;
    let out = page.sign_out_form();
    assert_eq!(
        page.all("header form")[0].attr("action"),
        Some("/service/sign-out")
    );
    let without = bob.ask(Method::POST, "/sign-out", Some(&[]), &[]).await;
    assert_eq!(without.status(), 403);
    assert_eq!(bob.open("/console").await.status(), 200, "still signed in");
    let out = bob.ask(Method::POST, "/sign-out", Some(&out), &[]).await;
    assert_eq!((out.leads_to().as_str(), &bob.cookie), ("/sign-in", &None));
    bob.cookie = Some(first);
    assert!(
        bob.open("/console")
            .await
            .leads_to()
            .starts_with("/sign-in")
    );
}

async fn a_session_ends(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let token = app.token("bob", serde_json::json!({}), None).await;
    let begin = async || {
        let mut bob = Reader::new(&app);
        let page = bob.open("/sign-in").await;
        let sent = secret(&page, &token);
        bob.ask(Method::POST, "/sign-in/token", Some(&sent), &[])
            .await;
        bob
    };
    let mut bob = begin().await;
    for (time, is_signed_in) in [
        ("2026-11-21T09:59:00Z", true),
        ("2026-11-21T11:58:00Z", true),
        ("2026-11-21T14:10:00Z", false),
    ] {
        app.travel(time);
        assert_eq!(
            bob.open("/console").await.status() == 200,
            is_signed_in,
            "{time}"
        );
    }
    let mut bob = begin().await;
    for hour in 15..=26 {
        let (day, hour) = (21 + hour / 24, hour % 24);
        app.travel(&format!("2026-11-{day}T{hour:02}:09:00Z"));
        assert_eq!(bob.open("/console").await.status(), 200, "{day} {hour}");
    }
    app.travel("2026-11-22T02:11:00Z");
    assert_eq!(
        bob.open("/console").await.status(),
        303,
        "after twelve hours"
    );
}

/// A session that began with a token, and all tokens that are made in it, expire and are revoked with that token.
async fn a_session_ends_with_its_token(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let clock = app.clock.clone();
    let app = app.with_pages(PageSetup {
        clock,
        ..PageSetup::default()
    });
    let tokens = app.formalize.tokens();
    let all = formalize_tests::world::everything();
    let rows = async || {
        let rows = tokens.list(&formalize_core::Caller::System, &all).await;
        rows.unwrap().items
    };
    let before = rows().await.len();
    let found = app
        .token("admin", serde_json::json!({}), Some("2026-11-21T12:00:00Z"))
        .await;
    let begin = async |token: &str| {
        let mut admin = Reader::new(&app);
        let page = admin.open("/sign-in").await;
        let sent = secret(&page, token);
        admin
            .ask(Method::POST, "/sign-in/token", Some(&sent), &[])
            .await
            .leads_to();
        admin
    };
    let make = async |admin: &mut Reader<'_>| {
        let page = admin.open("/console/tokens").await;
        let created = admin.press_one(&page, "create", &[("days", &["90"])]).await;
        created.all("#secret")[0].attr("value").unwrap().to_owned()
    };
    let is_valid = async |token: &str| {
        let answer = app.with_token(token).get("/formalize/forms").await;
        answer.status.as_u16() == 200
    };
    let mut admin = begin(&found).await;
    let token = make(&mut admin).await;
    let mut again = begin(&token).await;
    let last = make(&mut again).await;
    assert!(is_valid(&token).await && is_valid(&last).await);
    let rows = rows().await.split_off(before);
    assert_eq!(rows.len(), 5);
    let end = Some(formalize_tests::world::instant("2026-11-21T12:00:00Z"));
    assert!(rows.iter().all(|row| row.date_expires == end), "{rows:?}");

    app.travel("2026-11-21T12:00:00Z");
    assert!(!is_valid(&token).await && !is_valid(&last).await);
    assert!(
        admin
            .open("/console")
            .await
            .leads_to()
            .starts_with("/sign-in")
    );

    app.travel("2026-11-21T11:00:00Z");
    let revoked = tokens.revoke(&formalize_core::Caller::System, rows[0].id);
    revoked.await.unwrap();
    assert!(!is_valid(&token).await && !is_valid(&last).await);
    assert!(
        again
            .open("/console")
            .await
            .leads_to()
            .starts_with("/sign-in")
    );
}

/// Whoever has a token signs in as often as its user may send requests, from wherever.
#[tokio::test]
async fn signing_in_counts_for_the_user() {
    let off = formalize_http::config::Rate::OFF;
    let rates = RateLimits::new("2/1h".parse().unwrap(), off, Vec::new());
    let app = App::new().await.with_rated_pages(rates);
    let token = app.token("bob", serde_json::json!({}), None).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let mut bob = Reader::new(&app);
        let page = bob.open("/sign-in").await;
        let sent = secret(&page, &token);
        let begun = bob.ask(Method::POST, "/sign-in/token", Some(&sent), &[]);
        let begun = begun.await;
        statuses.push(begun.status());
        assert_eq!(bob.cookie.is_some(), begun.status() == 303);
    }
    assert_eq!(statuses, [303, 303, 429]);
}

async fn secrets_are_not_exchanged(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let mut bob = Reader::new(&app);
    let token = app.token("bob", serde_json::json!({}), None).await;
    let session = app.session("bob").await;
    for wrong in [
        token.as_str(),
        &token.replace("fmz_", "fms_"),
        "fms_",
        "",
        "x",
    ] {
        bob.cookie = Some(wrong.to_owned());
        assert!(
            bob.open("/console")
                .await
                .leads_to()
                .starts_with("/sign-in"),
            "{wrong}"
        );
    }
    let page = Reader::new(&app).open("/sign-in").await;
    let sent = secret(&page, &session);
    let refused = Reader::new(&app)
        .ask(Method::POST, "/sign-in/token", Some(&sent), &[])
        .await;
    assert_eq!(refused.status(), 422, "a session is no token");
    let bearer = app.with_token(&token).get("/console").await;
    assert_eq!(bearer.status.as_u16(), 303, "a token opens no page");
}

async fn requests_of_other_sites_do_nothing(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let form = app.open_form(serde_json::json!({})).await;
    let path = format!("/f/{form}");
    let mut bob = Reader::signed_in(&app, "bob").await;
    let mut other = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&path).await;
    let mut sent = page.sent();
    sent.push(("do".to_owned(), "send".to_owned()));
    let elsewhere = "https://forms.example.org.example";
    for headers in [
        &[("sec-fetch-site", "cross-site")][..],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://forms.example.org"),
        ],
    ] {
        let refused = bob.ask(Method::POST, &path, Some(&sent), headers).await;
        assert_eq!(refused.status(), 403, "{headers:?}");
        assert!(
            !refused.has("main form"),
            "what came from elsewhere is not shown"
        );
    }
    let origin = app
        .anon()
        .request(Method::POST, &path)
        .header("origin", elsewhere);
    assert_eq!(origin.send().await.status.as_u16(), 403);

    // A page of the same service, but of another session, another path, or without a token.
    let foreign = other.open(&path).await;
    let foreign = foreign.value("token").unwrap();
    let of_other_path = bob.open("/f/x").await;
    let of_other_path = of_other_path.all("header form input")[0]
        .attr("value")
        .unwrap()
        .to_owned();
    for token in [foreign.as_str(), &of_other_path, ""] {
        let mut sent = sent.clone();
        for (name, value) in &mut sent {
            if name == "token" {
                token.clone_into(value);
            }
        }
        let refused = bob.ask(Method::POST, &path, Some(&sent), &[]).await;
        assert_eq!(refused.status(), 403);
        assert!(refused.texts(".note")[0].starts_with("Nothing was sent"));
    }
    let list = format!("/formalize/submissions?formIdentifier={form}");
    let submissions = app.alice().get(&list).await.expect(200);
    assert_eq!(submissions["items"], serde_json::json!([]));
    let own = [("sec-fetch-site", "same-origin")];
    bob.ask(Method::POST, &path, Some(&sent), &own)
        .await
        .leads_to();
}

#[tokio::test]
async fn tokens_are_not_asked_for_where_they_are_not_accepted() {
    let setup = PageSetup {
        takes_tokens: false,
        ..PageSetup::default()
    };
    let app = App::new().await.with_pages(setup);
    let mut bob = Reader::new(&app);
    let page = bob.open("/sign-in").await;
    assert!(page.status() == 200 && !page.has("input"));
    let token = app.token("bob", serde_json::json!({}), None).await;
    let sent = [("secret".to_owned(), token)];
    let refused = bob
        .ask(Method::POST, "/sign-in/token", Some(&sent), &[])
        .await;
    assert_eq!((refused.status(), &bob.cookie), (404, &None));
}

#[tokio::test]
async fn the_first_administrator_signs_in_once() {
    let code = FirstCode::new(UserId::new("admin").unwrap()).unwrap();
    let path = code.path();
    let setup = PageSetup {
        first_code: Some(code),
        ..PageSetup::default()
    };
    let app = App::new().await.with_pages(setup);
    let mut admin = Reader::new(&app);
    for _ in 0..2 {
        let page = admin.open(&path).await;
        assert!(
            page.status() == 200 && page.has("main button"),
            "looking uses nothing up"
        );
        assert_eq!(page.answer.header("referrer-policy"), Some("no-referrer"));
    }
    let wrong = admin.open("/sign-in/first/0000").await;
    let sent = admin
        .ask(Method::POST, "/sign-in/first/0000", Some(&[]), &[])
        .await;
    assert_eq!(
        (wrong.status(), sent.status(), &admin.cookie),
        (404, 404, &None)
    );
    let begun = admin.ask(Method::POST, &path, Some(&[]), &[]).await;
    assert_eq!(begun.leads_to(), "/console");
    assert_eq!(
        admin.open("/console").await.texts("header span"),
        ["Signed in as admin"]
    );
    let mut other = Reader::new(&app);
    assert_eq!(other.open(&path).await.status(), 404);
    let again = other.ask(Method::POST, &path, Some(&[]), &[]).await;
    assert_eq!((again.status(), &other.cookie), (404, &None));
}
