//! Malicious tokens.

use formalize_core::UserId;
use formalize_tests::issuer::{TestIssuer, TestKey, part};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{app, claims, issuer, table, token};
use crate::support::{App, FORMS};

/// The status of the response to an `Authorization` header with these bytes.
async fn status(app: &App, value: &[u8]) -> u16 {
    let request = app.anon().request(poem::http::Method::GET, FORMS);
    request
        .header_bytes("authorization", value)
        .send()
        .await
        .status
        .as_u16()
}

/// Bytes that are allowed in a header.
fn header_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![Just(b'\t'), 0x20..=0x7e_u8, 0x80..=0xff_u8];
    proptest::collection::vec(byte, 0..200)
}

/// Three parts of arbitrary content.
fn parts() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[ -~]{0,20}",
        Just(part(r#"{"alg":"RS256","kid":"first"}"#)),
        Just(part(r#"{"alg":"EdDSA"}"#)),
        Just(part(r#"{"alg":"none"}"#)),
        "\\PC{0,30}".prop_map(part),
        json_text().prop_map(part),
    ];
    proptest::collection::vec(word, 0..6).prop_map(|words| words.join("."))
}

fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,10}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        "iss", "aud", "exp", "nbf", "sub", "alg", "kid", "crit", "jwk", "x5c", "[a-z]"
    ];
    let tree = leaf.prop_recursive(3, 20, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name.clone(), inner, 0..6)
                .prop_map(|members| members.into_iter().collect()),
        ]
    });
    tree.prop_map(|value| value.to_string())
}

#[tokio::test]
async fn arbitrary_credentials_are_rejected() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let mut runner = TestRunner::deterministic();
    let mut draw =
        |strategy: &BoxedStrategy<Vec<u8>>| strategy.new_tree(&mut runner).unwrap().current();
    let bytes = header_bytes().boxed();
    let tokens = parts()
        .prop_map(|token| [b"Bearer ", token.as_bytes()].concat())
        .prop_filter("no header", |value| value.iter().all(|byte| *byte >= 0x20))
        .boxed();
    for _ in 0..500 {
        for value in [draw(&bytes), draw(&tokens)] {
            assert_eq!(status(&app, &value).await, 401, "{value:?}");
        }
    }
}

/// Signed claims of any type must not break the server. They identify one user or none.
#[tokio::test]
async fn arbitrary_signed_claims_are_handled() {
    let issuer = TestIssuer::start(&[TestKey::Ed25519.jwk("first").unwrap()])
        .await
        .unwrap();
    let lines = "user_claim = 'a.b'\nattributes = ['c.d', 'e']";
    let app = app(&table(issuer.url(), lines)).await;
    let mut runner = TestRunner::deterministic();
    let claim = json_text().boxed();
    let mut draw = || -> Value {
        let text = claim.new_tree(&mut runner).unwrap().current();
        serde_json::from_str(&text).unwrap()
    };
    let mut believed = 0;
    for round in 0..400 {
        let mut members = json!({"a": {"b": draw()}, "c": draw(), "e": draw()});
        if round % 4 == 0 {
            members = json!({"a": draw(), "exp": draw(), "nbf": draw(), "aud": draw()});
        }
        let user = members["a"]["b"].as_str();
        let is_user = user.is_some_and(|user| UserId::new(user).is_ok());
        let token = token(issuer.url(), TestKey::Ed25519, "first", members.clone());
        let status = status(&app, format!("Bearer {token}").as_bytes()).await;
        if round % 4 == 0 {
            assert_eq!(status, 401, "{members}");
        } else {
            assert_eq!(status, if is_user { 200 } else { 401 }, "{members}");
            believed += usize::from(is_user);
        }
    }
    assert!(believed > 0, "some tokens must be accepted");
}

/// Replaces one character of a valid token. The last one of a part may encode the same bytes; every other change must
/// be rejected.
#[tokio::test]
async fn altered_tokens_are_rejected() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let header = super::header(TestKey::Rsa, "first");
    let good = TestKey::Rsa.sign(&header, &claims(issuer.url())).unwrap();
    assert_eq!(status(&app, format!("Bearer {good}").as_bytes()).await, 200);
    for at in (0..good.len()).step_by(3) {
        let mut changed = good.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let value = [b"Bearer ".as_slice(), &changed].concat();
        assert_eq!(status(&app, &value).await, 401, "at {at}");
    }
}
