//! When the keys of issuers are fetched, and what happens while they are unavailable.

use std::time::{Duration, Instant};

use formalize_tests::issuer::{Behaviour, TestIssuer, TestKey};
use formalize_tests::patience::in_time;
use serde_json::json;

use super::{app, issuer, table, token};
use crate::support::{App, FORMS};

/// The status of the response to a token.
async fn status(app: &App, token: &str) -> u16 {
    app.with_token(token).get(FORMS).await.status.as_u16()
}

/// A token that is valid for days.
fn lasting(issuer: &TestIssuer, key: TestKey, id: &str) -> String {
    token(
        issuer.url(),
        key,
        id,
        json!({"exp": super::now() + 1_000_000}),
    )
}

fn travel(app: &App, seconds: i64) {
    let there = super::instant(super::NOW).checked_add_seconds(seconds);
    app.clock.set(there.unwrap());
}

#[tokio::test]
async fn new_keys_are_accepted_without_a_restart() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let old = lasting(&issuer, TestKey::Rsa, "first");
    let new = lasting(&issuer, TestKey::Ec, "second");
    assert_eq!(status(&app, &old).await, 200);
    issuer.publish(&[
        TestKey::Rsa.jwk("first").unwrap(),
        TestKey::Ec.jwk("second").unwrap(),
    ]);
    travel(&app, 30);
    assert_eq!(
        (status(&app, &new).await, status(&app, &old).await),
        (200, 200)
    );
    assert_eq!(issuer.fetches(), 2);
}

#[tokio::test]
async fn unknown_key_identifiers_cause_at_most_one_fetch_in_30_seconds() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let unknown = lasting(&issuer, TestKey::OtherRsa, "second");
    for (seconds, fetches) in [(0, 1), (0, 1), (29, 1), (30, 2), (31, 2), (59, 2), (60, 3)] {
        travel(&app, seconds);
        assert_eq!(status(&app, &unknown).await, 401);
        assert_eq!(
            (issuer.discoveries(), issuer.fetches()),
            (fetches, fetches),
            "after {seconds} s"
        );
    }
}

#[tokio::test]
async fn concurrent_requests_share_a_fetch() {
    let issuer = issuer().await;
    issuer.behave(Behaviour::IsSlow(Duration::from_millis(200)));
    let app = app(&table(issuer.url(), "")).await;
    let token = lasting(&issuer, TestKey::Rsa, "first");
    let ask = || status(&app, &token);
    let (a, b, c, d) = tokio::join!(ask(), ask(), ask(), ask());
    assert_eq!((a, b, c, d), (200, 200, 200, 200));
    assert_eq!((issuer.discoveries(), issuer.fetches()), (1, 1));
}

#[tokio::test]
async fn a_cancelled_request_does_not_stop_the_fetch() {
    let issuer = issuer().await;
    issuer.behave(Behaviour::IsSlow(Duration::from_millis(200)));
    let app = app(&table(issuer.url(), "")).await;
    let token = lasting(&issuer, TestKey::Rsa, "first");
    let impatient = tokio::time::timeout(Duration::from_millis(20), status(&app, &token)).await;
    assert!(impatient.is_err());
    assert_eq!(status(&app, &token).await, 200);
    assert_eq!(issuer.fetches(), 1);
}

#[tokio::test]
async fn withdrawn_keys_expire_after_an_hour() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let old = lasting(&issuer, TestKey::Rsa, "first");
    assert_eq!(status(&app, &old).await, 200);
    issuer.publish(&[TestKey::Ec.jwk("second").unwrap()]);
    travel(&app, 3599);
    assert_eq!(status(&app, &old).await, 200);
    assert_eq!(issuer.fetches(), 1);
    travel(&app, 3600);
    assert_eq!(
        status(&app, &old).await,
        401,
        "cached tokens of the key must be dropped"
    );
}

#[tokio::test]
async fn a_key_with_the_same_identifier_replaces_the_old_one() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let old = lasting(&issuer, TestKey::Rsa, "first");
    let new = lasting(&issuer, TestKey::OtherRsa, "first");
    assert_eq!(
        (status(&app, &old).await, status(&app, &new).await),
        (200, 401)
    );
    issuer.publish(&[TestKey::OtherRsa.jwk("first").unwrap()]);
    travel(&app, 3600);
    assert_eq!(
        (status(&app, &old).await, status(&app, &new).await),
        (401, 200)
    );
}

#[tokio::test]
async fn cached_tokens_expire() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let token = token(issuer.url(), TestKey::Rsa, "first", json!({}));
    for (seconds, expected) in [(0, 200), (659, 200), (660, 401), (0, 200), (-61, 401)] {
        travel(&app, seconds);
        assert_eq!(status(&app, &token).await, expected, "after {seconds} s");
    }
}

#[tokio::test]
async fn an_unreachable_issuer_keeps_its_keys_for_a_day() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let token = lasting(&issuer, TestKey::Rsa, "first");
    assert_eq!(status(&app, &token).await, 200);
    issuer.behave(Behaviour::Fails);
    for (seconds, expected) in [(3600, 200), (7200, 200), (86_399, 200), (86_400, 503)] {
        travel(&app, seconds);
        assert_eq!(status(&app, &token).await, expected, "after {seconds} s");
    }
    issuer.behave(Behaviour::Answers);
    travel(&app, 86_430);
    assert_eq!(status(&app, &token).await, 200);
}

#[tokio::test]
async fn failed_fetches_are_retried() {
    let issuer = issuer().await;
    issuer.behave(Behaviour::Fails);
    let app = app(&table(issuer.url(), "")).await;
    let token = lasting(&issuer, TestKey::Rsa, "first");
    let unavailable = app.with_token(&token).get(FORMS).await;
    unavailable.refuse(503, "formalize:service-unavailable", json!([]));
    issuer.behave(Behaviour::Answers);
    travel(&app, 29);
    assert_eq!(status(&app, &token).await, 503);
    travel(&app, 30);
    assert_eq!(status(&app, &token).await, 200);
}

#[tokio::test]
async fn an_unreachable_issuer_does_not_affect_other_tokens() {
    let up = issuer().await;
    let hangs = issuer().await;
    hangs.behave(Behaviour::Hangs);
    let nobody = "http://127.0.0.1:9";
    let tables = [hangs.url(), nobody, up.url()].map(|url| table(url, ""));
    let app = app(&tables.concat()).await;
    let of = |issuer: &str| token(issuer, TestKey::Rsa, "first", json!({}));
    assert_eq!(status(&app, &of(up.url())).await, 200);
    assert_eq!(status(&app, &of(nobody)).await, 503);
    app.alice().get(FORMS).await.expect(200);
    assert_eq!(hangs.discoveries(), 0, "nobody waits for it");

    let token = of(hangs.url());
    let refused = in_time("the wait ends", status(&app, &token)).await;
    assert_eq!((refused, hangs.discoveries()), (503, 1));
    let refused = in_time("the wait ends", status(&app, &token)).await;
    assert_eq!((refused, hangs.discoveries()), (503, 1), "soon afterwards");
}

#[tokio::test]
async fn requests_do_not_wait_for_an_issuer_whose_keys_are_cached() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let token = lasting(&issuer, TestKey::Rsa, "first");
    assert_eq!(status(&app, &token).await, 200);
    issuer.behave(Behaviour::Fails);
    travel(&app, 3600);
    assert_eq!(status(&app, &token).await, 200);
    issuer.behave(Behaviour::Hangs);
    // If it waited, it would for 5 s each time. On a busy machine, it may be slow now and then.
    let mut shortest = Duration::MAX;
    for attempt in 1..10 {
        travel(&app, 3600 + 30 * attempt);
        let begin = Instant::now();
        assert_eq!(status(&app, &token).await, 200);
        shortest = shortest.min(begin.elapsed());
        if shortest < Duration::from_secs(2) {
            return;
        }
    }
    panic!("{shortest:?}");
}

#[tokio::test]
async fn malformed_documents_provide_no_keys() {
    let good = json!({"keys": [TestKey::Rsa.jwk("first").unwrap()]}).to_string();
    let issuer = issuer().await;
    let url = issuer.url();
    let at = |keys: &str| json!({"issuer": url, "jwks_uri": keys}).to_string();
    let certs = format!("{url}/certs");
    let other = json!({"issuer": format!("{url}/"), "jwks_uri": certs}).to_string();
    let no_keys = json!({ "issuer": url }).to_string();
    // The system routes this address to the local machine, but it is not a loopback address.
    let anywhere = certs.replace("127.0.0.1", "0.0.0.0");
    let documents = [
        (other, good.clone()),
        (no_keys, good.clone()),
        ("<html>".to_owned(), good.clone()),
        (at(&anywhere), good.clone()),
        (at("file:///etc/passwd"), good.clone()),
        (at("certs"), good.clone()),
        (at(&certs), "[]".to_owned()),
        (at(&certs), "{\"keys\": 1}".to_owned()),
        (at(&certs), String::new()),
    ];
    let app = app(&table(url, "")).await;
    let token = lasting(&issuer, TestKey::Rsa, "first");
    let mut seconds = 0;
    for (discovery, keys) in documents {
        issuer.publish_documents(&discovery, &keys);
        assert_eq!(status(&app, &token).await, 503, "{discovery} {keys}");
        seconds += 30;
        travel(&app, seconds);
    }
    issuer.publish_documents(&at(&certs), &good);
    assert_eq!(status(&app, &token).await, 200);
}

#[tokio::test]
async fn oversized_or_redirected_documents_provide_no_keys() {
    let issuer = issuer().await;
    let elsewhere = super::issuer().await;
    let keys = [TestKey::Rsa.jwk("first").unwrap()];
    let certs = format!("{}/certs", elsewhere.url());
    let discovery = json!({"issuer": issuer.url(), "jwks_uri": certs});
    elsewhere.publish_documents(&discovery.to_string(), &json!({ "keys": keys }).to_string());
    let well_known = format!("{}/.well-known/openid-configuration", elsewhere.url());
    let app = app(&table(issuer.url(), "")).await;
    let token = lasting(&issuer, TestKey::Rsa, "first");
    for (seconds, behaviour) in [
        (0, Behaviour::Floods),
        (30, Behaviour::Redirects(well_known)),
    ] {
        travel(&app, seconds);
        issuer.behave(behaviour.clone());
        assert_eq!(status(&app, &token).await, 503, "{behaviour:?}");
    }
    assert_eq!(elsewhere.discoveries(), 0);
    travel(&app, 60);
    issuer.behave(Behaviour::Answers);
    assert_eq!(status(&app, &token).await, 200);
}
