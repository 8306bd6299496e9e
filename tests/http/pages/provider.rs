//! Signing in with an identity provider, which is the issuer of the tests.

use std::sync::Arc;

use formalize_core::Store;
use formalize_http::auth::Issuers;
use formalize_http::rate::RateLimits;
use formalize_tests::issuer::{Behaviour, TestClient, TestIssuer, TestKey, with};
use formalize_tests::on_every_store;
use poem::http::Method;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::{Page, Reader};
use crate::identity::{Log, issuers, table};
use crate::support::{App, BASE, NOW, id, instant};

/// The cookie with an attempt to sign in.
const ATTEMPT: &str = "__Host-formalize-sign-in=";

const SIGN_IN: &str = "client_id = 'forms & more'\nlabel = 'Example ID'\nattributes = ['roles']";

on_every_store! {
    people_sign_in_with_a_provider_and_out,
    another_server_finishes_what_one_has_begun,
}

fn now() -> i64 {
    instant(NOW).as_millis() / 1000
}

fn client() -> TestClient {
    TestClient {
        id: "forms & more".to_owned(),
        secret: None,
        redirect: format!("{BASE}/sign-in/callback"),
        key: TestKey::Rsa,
        now: Some(now()),
    }
}

async fn provider() -> TestIssuer {
    let issuer = TestIssuer::start(&[TestKey::Rsa.jwk("first").unwrap()]).await;
    let issuer = issuer.unwrap();
    issuer.offer_sign_in(client(), json!({}));
    issuer
}

/// The service to which people sign in with the providers of a configuration.
fn served(app: App, configuration: &str) -> App {
    let issuers = Issuers::new(issuers(configuration), app.clock.clone());
    app.with_providers(issuers.unwrap(), RateLimits::default())
}

async fn app(provider: &TestIssuer) -> App {
    served(App::new().await, &table(provider.url(), SIGN_IN))
}

/// Opens the page of the provider to which a response leads, and returns where its link leads: to a path of the service.
async fn follow(page: &Page, link: &str) -> String {
    assert_eq!(page.status(), 303, "{}", page.answer);
    let asked = reqwest::get(page.answer.header("location").unwrap())
        .await
        .unwrap();
    let (status, text) = (asked.status(), asked.text().await.unwrap());
    assert_eq!(status, 200, "{text}");
    let html = Html::parse_document(&text);
    let link = html.select(&Selector::parse(link).unwrap()).next().unwrap();
    link.attr("href")
        .unwrap()
        .strip_prefix(BASE)
        .unwrap()
        .to_owned()
}

/// Begins to sign in, and returns where the provider sends the person who confirms.
async fn begun(person: &mut Reader<'_>) -> String {
    let begun = person.open("/sign-in/oidc/1").await;
    follow(&begun, "#confirm").await
}

/// An address with another value of a parameter; `None` removes it.
fn but(address: &str, name: &str, value: Option<&str>) -> String {
    let (path, query) = address.split_once('?').unwrap();
    let is_other = |pair: &&str| pair.split('=').next() != Some(name);
    let mut pairs: Vec<String> = query
        .split('&')
        .filter(is_other)
        .map(str::to_owned)
        .collect();
    pairs.extend(value.map(|value| format!("{name}={value}")));
    format!("{path}?{}", pairs.join("&"))
}

/// Nobody was signed in, the attempt is over, and the page says so; the log has one line with the reason.
#[track_caller]
fn assert_failed(person: &Reader<'_>, page: &Page, status: u16, log: &Log, reason: &str) {
    assert_eq!(page.status(), status, "{reason}: {}", page.answer);
    assert_eq!(page.texts("h1"), ["Signing in did not work"]);
    assert!(page.links().iter().any(|link| link.starts_with("/sign-in")));
    let id = page.answer.header("x-request-id").unwrap();
    assert!(page.texts("main .hint")[0].contains(id));
    assert_eq!(person.cookie, None, "{reason}");
    let cleared = page
        .answer
        .cookies()
        .any(|cookie| cookie.starts_with(&format!("{ATTEMPT};")) && cookie.contains("Max-Age=0"));
    assert!(cleared, "{reason}: the attempt is over");
    let log = log.take();
    let lines: Vec<_> = log
        .lines()
        .filter(|line| line.contains("signing in failed"))
        .collect();
    assert_eq!(lines.len(), 1, "{reason}: {log}");
    assert!(lines[0].contains(reason), "{reason}: {}", lines[0]);
    assert!(!log.contains("planted") && !log.contains("jane"), "{log}");
}

async fn people_sign_in_with_a_provider_and_out(store: Arc<dyn Store>) {
    let provider = provider().await;
    provider.claim(json!({"roles": ["staff"]}));
    let app = App::on_store(store).await;
    let app = served(app, &table(provider.url(), SIGN_IN));
    let form = id(&app.form(json!({})).await);
    let staff = json!({"dynamicGroupIdentifier": "staff"});
    app.share_form(&form, "create_submissions", staff).await;
    let path = format!("/f/{form}?lang=en");

    let mut jane = Reader::new(&app);
    let page = jane.open(&path).await;
    let sign_in = jane.follow(&page).await;
    assert!(!sign_in.has("main form"), "tokens are not accepted");
    assert_eq!(sign_in.texts("main a"), ["Example ID"]);
    let link = sign_in.links()[0].clone();
    assert!(link.starts_with("/sign-in/oidc/1?return=%2Ff%2F"), "{link}");
    let begun = jane.open(&link).await;
    let cookies: Vec<_> = begun.answer.cookies().collect();
    assert!(
        cookies.len() == 1
            && cookies[0].ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600")
    );
    let back = follow(&begun, "#confirm").await;
    // Whoever has set a cookie beforehand knows nothing about the session.
    let fixed = format!("fms_{}", "0".repeat(64));
    jane.cookie = Some(fixed.clone());
    let signed_in = jane.open(&back).await;
    assert_eq!(signed_in.leads_to(), path);
    assert_eq!(
        signed_in.answer.header("referrer-policy"),
        Some("no-referrer")
    );
    assert_ne!(jane.cookie, Some(fixed));
    assert_eq!(jane.remembered, [] as [&str; 0], "the attempt is over");
    let page = jane.open(&path).await;
    assert_eq!(page.status(), 200, "claims are attributes");
    assert_eq!(page.texts("header span"), ["Signed in as jane"]);
    assert_eq!(
        jane.open("/sign-in/oidc/1").await.status(),
        303,
        "as often as people like"
    );

    let out = page.sign_out_form();
    let out = jane.ask(Method::POST, "/sign-out", Some(&out), &[]).await;
    let out = jane.follow(&out).await;
    assert_eq!((out.status(), &jane.cookie), (200, &None));
    let link = out.all(".note a")[0].attr("href").unwrap();
    assert_eq!(
        link,
        format!("{}/logout?client_id=forms+%26+more", provider.url())
    );
    assert_eq!(out.texts(".note a"), ["Sign out of 127.0.0.1, too"]);
    assert!(!jane.open("/sign-in").await.has(".note"));
}

async fn another_server_finishes_what_one_has_begun(store: Arc<dyn Store>) {
    let provider = provider().await;
    let one = App::on_store(store).await;
    let configuration = table(provider.url(), SIGN_IN);
    let other = served(one.again().await, &configuration);
    let one = served(one, &configuration);
    let mut jane = Reader::new(&one);
    let back = begun(&mut jane).await;
    let mut there = Reader::new(&other);
    there.remembered.clone_from(&jane.remembered);
    assert_eq!(there.open(&back).await.leads_to(), "/console");
    jane.cookie.clone_from(&there.cookie);

    let page = there.open("/console").await;
    let token = page.all("header form input")[0].attr("value").unwrap();
    let out = [("token".to_owned(), token.to_owned())];
    there
        .ask(Method::POST, "/sign-out", Some(&out), &[])
        .await
        .leads_to();
    let page = jane.open("/console").await;
    assert!(
        page.leads_to().starts_with("/sign-in"),
        "signed out on one, and on the other"
    );
}

#[tokio::test]
async fn answers_that_do_not_belong_to_the_attempt_are_refused() {
    const STATE: &str = "the `state` is not that of the attempt";
    const ISSUER: &str = "the answer comes from another issuer, or does not name its issuer";
    let provider = provider().await;
    let app = app(&provider).await;
    let (log, _guard) = Log::start();
    for (name, value, reason) in [
        ("state", None, STATE),
        ("state", Some(""), STATE),
        ("state", Some("planted-state"), STATE),
        ("iss", None, ISSUER),
        ("iss", Some("https://planted.example.org"), ISSUER),
        ("code", None, "the answer has no code"),
        (
            "code",
            Some("planted-code"),
            "the issuer refused the code with invalid_grant",
        ),
        (
            "error",
            Some("access_denied"),
            "the issuer answered with access_denied",
        ),
        (
            "error",
            Some("planted-error"),
            "the issuer answered with an unknown error",
        ),
    ] {
        let mut jane = Reader::new(&app);
        let back = begun(&mut jane).await;
        let page = jane.open(&but(&back, name, value)).await;
        assert_failed(&jane, &page, 403, &log, reason);
        // What was right then comes too late.
        let page = jane.open(&back).await;
        assert_failed(&jane, &page, 403, &log, "has begun no attempt");
    }
    // The code of another person is worth nothing without what that person's browser has kept.
    let (mut jane, mut mallory) = (Reader::new(&app), Reader::new(&app));
    let (own, foreign) = (begun(&mut jane).await, begun(&mut mallory).await);
    let page = Reader::new(&app).open(&own).await;
    assert_failed(&Reader::new(&app), &page, 403, &log, "has begun no attempt");
    let code = foreign.split("code=").nth(1);
    let page = jane.open(&but(&own, "code", code)).await;
    assert_failed(
        &jane,
        &page,
        403,
        &log,
        "the issuer refused the code with invalid_grant",
    );
    assert_eq!(provider.id_tokens(), 0);

    let mut jane = Reader::new(&app);
    let begun = jane.open("/sign-in/oidc/1").await;
    let back = follow(&begun, "#refuse").await;
    let page = jane.open(&back).await;
    assert_failed(
        &jane,
        &page,
        403,
        &log,
        "the issuer answered with access_denied",
    );
}

#[tokio::test]
async fn a_code_is_used_once() {
    let provider = provider().await;
    let app = app(&provider).await;
    let mut jane = Reader::new(&app);
    let back = begun(&mut jane).await;
    let kept = jane.remembered.clone();
    jane.open(&back).await.leads_to();
    let (log, _guard) = Log::start();
    let mut again = Reader::new(&app);
    let page = again.open(&back).await;
    assert_failed(&again, &page, 403, &log, "has begun no attempt");
    // Not even with what the browser had kept.
    again.remembered = kept;
    let page = again.open(&back).await;
    assert_failed(
        &again,
        &page,
        403,
        &log,
        "the issuer refused the code with invalid_grant",
    );
    assert_eq!(provider.id_tokens(), 1);
}

#[tokio::test]
async fn attempts_of_other_services_and_old_ones_are_refused() {
    let provider = provider().await;
    let (app, other) = (app(&provider).await, app(&provider).await);
    let (log, _guard) = Log::start();
    let mut jane = Reader::new(&other);
    let back = begun(&mut jane).await;
    let cookie = jane.remembered[0].clone();
    let (text, code) = cookie.rsplit_once('.').unwrap();
    let swapped = format!("{text}x.{code}");
    for cookie in [
        cookie.as_str(),
        &swapped,
        text,
        ATTEMPT,
        &format!("{ATTEMPT}."),
    ] {
        let mut jane = Reader::new(&app);
        jane.remembered.push(cookie.to_owned());
        let page = jane.open(&back).await;
        assert_failed(&jane, &page, 403, &log, "has begun no attempt");
    }
    for (seconds, works) in [(599, true), (600, false)] {
        app.travel(NOW);
        let mut jane = Reader::new(&app);
        let back = begun(&mut jane).await;
        let later = instant(NOW).checked_add_seconds(seconds).unwrap();
        app.clock.set(later);
        provider.claim(json!({"exp": now() + 1000}));
        let page = jane.open(&back).await;
        if works {
            page.leads_to();
        } else {
            assert_failed(&jane, &page, 403, &log, "or it took too long");
        }
    }
}

#[tokio::test]
async fn id_tokens_pass_the_checks_of_bearer_tokens() {
    const AUDIENCE: &str = "the ID token was refused: issued for another audience";
    let provider = provider().await;
    let app = app(&provider).await;
    let (log, _guard) = Log::start();
    let other = json!(["forms & more", "other"]);
    for (claims, reason) in [
        (json!({"nonce": null}), "the `nonce` is missing or not that"),
        (
            json!({"nonce": "planted-nonce"}),
            "the `nonce` is missing or not that",
        ),
        (json!({"nonce": 3}), "the `nonce` is missing or not that"),
        // The audience of bearer tokens is not that of ID tokens.
        (json!({"aud": "formalize"}), AUDIENCE),
        (json!({"aud": null}), "the claim `aud` is missing"),
        (json!({"aud": other, "azp": "other"}), AUDIENCE),
        (json!({"aud": other}), AUDIENCE),
        (
            json!({"iss": "https://planted.example.org"}),
            "issued by another issuer",
        ),
        (
            json!({"exp": now() - 61}),
            "the ID token was refused: expired",
        ),
        (json!({"exp": null}), "the claim `exp` is missing"),
        (json!({"nbf": now() + 61}), "not valid yet"),
        (json!({"sub": null}), "the claim `sub` is missing"),
        (
            json!({"sub": "link:planted"}),
            "the claim `sub` is missing or not a valid user",
        ),
        (
            json!({"long": "x".repeat(16 * 1024)}),
            "longer than 16384 bytes",
        ),
    ] {
        provider.claim(claims);
        let mut jane = Reader::new(&app);
        let back = begun(&mut jane).await;
        let page = jane.open(&back).await;
        assert_failed(&jane, &page, 403, &log, reason);
    }
    provider.claim(json!({}));
    for (key, reason) in [
        (
            TestKey::OtherRsa,
            "the ID token was refused: invalid signature",
        ),
        (
            TestKey::Ec,
            "the key with this `kid` is for another algorithm",
        ),
    ] {
        provider.offer_sign_in(TestClient { key, ..client() }, json!({}));
        let mut jane = Reader::new(&app);
        let back = begun(&mut jane).await;
        let page = jane.open(&back).await;
        assert_failed(&jane, &page, 403, &log, reason);
    }
    provider.offer_sign_in(client(), json!({}));
    provider.claim(json!({"aud": ["forms & more", "other"], "azp": "forms & more"}));
    let mut jane = Reader::new(&app);
    let back = begun(&mut jane).await;
    jane.open(&back).await.leads_to();
}

#[tokio::test]
async fn answers_of_one_provider_are_not_taken_for_those_of_another() {
    let (one, other) = (provider().await, provider().await);
    let quiet = json!({"authorization_response_iss_parameter_supported": false});
    let tables = [&one, &other].map(|issuer| table(issuer.url(), SIGN_IN));
    let configuration = tables.concat();
    let app = served(App::new().await, &configuration);
    let (log, _guard) = Log::start();
    let mut later = 0;
    for (members, names_issuer, reason) in [
        (json!({}), true, "the answer comes from another issuer"),
        (json!({}), false, "or does not name its issuer"),
        // A provider that does not name itself refuses the code of another one.
        (
            quiet,
            false,
            "the issuer refused the code with invalid_grant",
        ),
    ] {
        one.offer_sign_in(client(), members);
        // The documents are an hour old, so they are fetched again.
        later += 3600;
        app.clock
            .set(instant(NOW).checked_add_seconds(later).unwrap());
        let mut jane = Reader::new(&app);
        let begun = jane.open("/sign-in/oidc/1").await;
        let own = follow(&begun, "#confirm").await;
        let state = own.split("state=").nth(1).unwrap().split('&').next();
        let mut mallory = Reader::new(&app);
        let foreign = follow(&mallory.open("/sign-in/oidc/2").await, "#confirm").await;
        let mut mixed = but(&foreign, "state", state);
        if !names_issuer {
            mixed = but(&mixed, "iss", None);
        }
        let page = jane.open(&mixed).await;
        assert_failed(&jane, &page, 403, &log, reason);
        assert_eq!(one.id_tokens() + other.id_tokens(), 0);
    }
    // The right answers are accepted, each from its own provider.
    for number in [1, 2] {
        let late = TestClient {
            now: Some(now() + later),
            ..client()
        };
        one.offer_sign_in(late.clone(), json!({}));
        other.offer_sign_in(late, json!({}));
        let mut jane = Reader::new(&app);
        let begun = jane.open(&format!("/sign-in/oidc/{number}")).await;
        let back = follow(&begun, "#confirm").await;
        jane.open(&back).await.leads_to();
    }
    assert_eq!((one.id_tokens(), other.id_tokens()), (1, 1));
}

#[tokio::test]
async fn people_return_to_pages_of_this_service_only() {
    let provider = provider().await;
    let app = app(&provider).await;
    let long = format!("/f/x?p:/a={}", "y".repeat(3000));
    let long_if_encoded = format!("/f/x?{}", "%26".repeat(400));
    for (wanted, destination) in [
        ("/f/x%3Flang%3Dde", "/f/x?lang=de"),
        ("/s/x", "/s/x"),
        ("/console", "/console"),
        ("https://example.org/f/", "/console"),
        ("//example.org/f/", "/console"),
        ("%2F%5Cexample.org", "/console"),
        ("/f/a%0d%0aSet-Cookie:x", "/console"),
        ("/sign-out", "/console"),
        (&long, "/f/x"),
        (&long_if_encoded, "/f/x"),
        ("", "/console"),
    ] {
        let mut jane = Reader::new(&app);
        let begun = jane.open(&format!("/sign-in/oidc/1?return={wanted}")).await;
        let length = begun.answer.cookies().next().unwrap().len();
        assert!(length < 4000, "browsers ignore longer cookies: {length}");
        let back = follow(&begun, "#confirm").await;
        let back = format!("{back}&return=https://example.org");
        assert_eq!(jane.open(&back).await.leads_to(), destination, "{wanted}");
    }
}

#[tokio::test]
async fn a_client_proves_who_it_is_as_the_provider_wants() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    let secret = "planted secret+/&=";
    std::fs::write(&file, format!("{secret}\n")).unwrap();
    let provider = provider().await;
    let with_secret = format!("{SIGN_IN}\nclient_secret_file = '{}'", file.display());
    let (log, _guard) = Log::start();
    for (methods, lines, works) in [
        (json!({}), with_secret.as_str(), true),
        (
            json!(["client_secret_basic", "client_secret_post"]),
            &with_secret,
            true,
        ),
        (json!(["client_secret_post"]), &with_secret, true),
        (json!({}), SIGN_IN, false),
    ] {
        let client = TestClient {
            secret: Some(secret.to_owned()),
            ..client()
        };
        let members = json!({"token_endpoint_auth_methods_supported": methods});
        provider.offer_sign_in(client, members);
        let app = served(App::new().await, &table(provider.url(), lines));
        let mut jane = Reader::new(&app);
        let back = begun(&mut jane).await;
        let page = jane.open(&back).await;
        if works {
            page.leads_to();
        } else {
            assert_failed(
                &jane,
                &page,
                403,
                &log,
                "refused the code with invalid_client",
            );
        }
    }
}

#[tokio::test]
async fn a_provider_that_is_down_is_no_fault_of_the_person() {
    let (provider, elsewhere) = (provider().await, provider().await);
    let app = app(&provider).await;
    let (log, _guard) = Log::start();
    let redirect = format!("{}/token", elsewhere.url());
    for (behaviour, reason) in [
        (Behaviour::Fails, "the issuer responded with status 500"),
        (Behaviour::Hangs, "the issuer did not respond within 5 s"),
        (
            Behaviour::Floods,
            "the response of the issuer has more than 262144 bytes",
        ),
        (
            Behaviour::Redirects(redirect),
            "the issuer responded with status 307",
        ),
    ] {
        let mut jane = Reader::new(&app);
        let back = begun(&mut jane).await;
        provider.behave(behaviour);
        let page = jane.open(&back).await;
        provider.behave(Behaviour::Answers);
        assert_failed(&jane, &page, 503, &log, reason);
        assert!(page.answer.header("retry-after").is_some());
    }
    assert_eq!(
        elsewhere.id_tokens(),
        0,
        "codes and secrets are sent nowhere else"
    );

    for (members, reason) in [
        (
            json!({"authorization_endpoint": null}),
            "names no usable `authorization_endpoint`",
        ),
        (
            json!({"authorization_endpoint": "http://example.org"}),
            "names no usable",
        ),
        (
            json!({"issuer": "https://example.org"}),
            "no keys of the issuer",
        ),
    ] {
        provider.offer_sign_in(client(), members);
        let app = self::app(&provider).await;
        let mut jane = Reader::new(&app).speaking("de");
        let page = jane.open("/sign-in/oidc/1?return=/f/x").await;
        assert_eq!(page.status(), 503);
        assert_eq!(page.texts("h1"), ["Die Anmeldung hat nicht funktioniert"]);
        assert_eq!(page.links(), ["/sign-in?return=%2Ff%2Fx"]);
        let log = log.take();
        assert_eq!(log.matches("signing in failed").count(), 1, "{log}");
        assert!(log.contains(reason), "{log}");
    }
}

#[tokio::test]
async fn only_providers_with_a_client_identifier_are_offered() {
    let (one, other) = (provider().await, provider().await);
    let tables = [
        table(one.url(), ""),
        table(other.url(), "client_id = 'forms & more'"),
    ];
    let app = served(App::new().await, &tables.concat());
    let mut anyone = Reader::new(&app);
    let page = anyone.open("/sign-in").await;
    assert_eq!(page.texts("main a"), ["127.0.0.1"]);
    assert_eq!(page.links(), ["/sign-in/oidc/2"]);
    for path in ["0", "1", "3", "x", "-1", "99999999999999999999", "2/x", ""] {
        let page = anyone.open(&format!("/sign-in/oidc/{path}")).await;
        assert_eq!(page.status(), 404, "{path}");
    }
    assert_eq!(anyone.open("/sign-in/oidc/2").await.status(), 303);
    let post = anyone
        .ask(Method::POST, "/sign-in/callback", Some(&[]), &[])
        .await;
    assert_eq!(post.status(), 405);
}

#[tokio::test]
async fn attempts_are_limited_by_address() {
    let provider = provider().await;
    let app = App::new().await;
    let settings = issuers(&table(provider.url(), SIGN_IN));
    let issuers = Issuers::new(settings, app.clock.clone()).unwrap();
    let (off, rate) = ("off".parse().unwrap(), "3/1h".parse().unwrap());
    let app = app.with_providers(issuers, RateLimits::new(off, rate, Vec::new()));
    let mut anyone = Reader::new(&app);
    assert_eq!(anyone.open("/sign-in/oidc/1").await.status(), 303);
    for status in [403, 403, 429] {
        let page = anyone.open("/sign-in/callback?state=x&code=y").await;
        assert_eq!(page.status(), status);
    }
}

/// An ID token is for the client, and a bearer token for the interface: the audiences tell them apart.
#[tokio::test]
async fn an_id_token_is_no_bearer_token() {
    let provider = provider().await;
    let app = app(&provider).await;
    let claims: Value =
        json!({"iss": provider.url(), "aud": "forms & more", "sub": "jane", "exp": now() + 300});
    let header = json!({"alg": "RS256", "kid": "first", "typ": "JWT"});
    for (audience, status) in [("forms & more", 401), ("formalize", 200)] {
        let claims = with(claims.clone(), json!({"aud": audience}));
        let token = TestKey::Rsa.sign(&header, &claims).unwrap();
        let answer = app.with_token(&token).get("/formalize/forms").await;
        assert_eq!(answer.status.as_u16(), status);
    }
}
