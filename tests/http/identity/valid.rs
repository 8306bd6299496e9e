//! Valid tokens and their claims.

use formalize_tests::issuer::{TestIssuer, TestKey, with};
use serde_json::{Value, json};

use super::{app, claims, header, issuer, now, table, token};
use crate::support::{FORMS, GRANTS, GROUP_CLASS, GROUPS, at, grant};

#[tokio::test]
async fn every_algorithm_is_accepted_with_its_key() {
    let keys = [
        (TestKey::Rsa, "rsa"),
        (TestKey::Ec, "ec"),
        (TestKey::Ed25519, "ed"),
    ];
    let published = keys.map(|(key, id)| key.jwk(id).unwrap());
    let issuer = TestIssuer::start(&published).await.unwrap();
    let app = app(&table(issuer.url(), "")).await;
    for (key, id) in keys {
        let token = token(issuer.url(), key, id, json!({}));
        app.with_token(&token).get(FORMS).await.expect(200);
        let anonymous = json!({"alg": key.algorithm()});
        let token = key.sign(&anonymous, &claims(issuer.url())).unwrap();
        app.with_token(&token).get(FORMS).await.expect(200);
    }
    assert_eq!((issuer.discoveries(), issuer.fetches()), (1, 1));
}

#[tokio::test]
async fn optional_features_of_tokens_are_accepted() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    let url = issuer.url();
    for members in [
        json!({"aud": ["other", "formalize"]}),
        json!({"exp": now() - 59}),
        json!({"nbf": now() + 60}),
        json!({"exp": 1_900_000_000.5}),
        json!({"sub": "jos\u{e9} \u{1f600}"}),
        json!({"further": {"claims": [1, null]}}),
    ] {
        let token = token(url, TestKey::Rsa, "first", members);
        app.with_token(&token).get(FORMS).await.expect(200);
    }
    for typ in ["jwt", "at+jwt", "application/at+jwt", "APPLICATION/JWT"] {
        let header = with(header(TestKey::Rsa, "first"), json!({ "typ": typ }));
        let token = TestKey::Rsa.sign(&header, &claims(url)).unwrap();
        app.with_token(&token).get(FORMS).await.expect(200);
    }
    let mut unbounded = claims(url);
    unbounded.as_object_mut().unwrap().remove("nbf");
    let header = header(TestKey::Rsa, "first");
    let token = TestKey::Rsa.sign(&header, &unbounded).unwrap();
    app.with_token(&token).get(FORMS).await.expect(200);
}

#[tokio::test]
async fn api_tokens_work_beside_issuers() {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), "")).await;
    app.alice().get(FORMS).await.expect(200);
    assert_eq!(issuer.discoveries(), 0);
}

#[tokio::test]
async fn the_user_claim_identifies_the_user() {
    let issuer = issuer().await;
    let lines = "user_claim = 'profile.login'";
    let app = app(&table(issuer.url(), lines)).await;
    let group = app.group("Editors").await;
    app.share_group(&group, "read", "carla").await;
    for (members, status) in [
        (json!({"profile": {"login": "carla"}}), 200),
        (json!({"profile.login": "carla"}), 200),
        (json!({"profile": {"login": "Carla"}}), 403),
        (json!({"sub": "carla"}), 401),
    ] {
        let token = token(issuer.url(), TestKey::Rsa, "first", members.clone());
        let answer = app.with_token(&token).get(&at(GROUPS, &group)).await;
        assert_eq!(answer.status.as_u16(), status, "{members}");
    }
}

/// Whether a caller with these claims is in the dynamic group for the role `staff`.
async fn is_staff(attributes: &str, members: Value) -> bool {
    let issuer = issuer().await;
    let app = app(&table(issuer.url(), attributes)).await;
    let group = app.group("Editors").await;
    let staff = json!({ "dynamicGroupIdentifier": "staff" });
    let right = grant("read", GROUP_CLASS, Some(&group), staff);
    app.alice().post(GRANTS, right).await.expect(201);
    let token = token(issuer.url(), TestKey::Rsa, "first", members);
    let answer = app.with_token(&token).get(&at(GROUPS, &group)).await;
    match answer.status.as_u16() {
        200 => true,
        403 => false,
        _ => panic!("{answer}"),
    }
}

#[tokio::test]
async fn claims_become_attributes() {
    let roles = json!({"roles": ["staff"]});
    let nested = json!({"realm_access": {"roles": ["staff"]}});
    let named_by_url = json!({"https://example.org/roles": ["staff"]});
    for (lines, members, expected) in [
        ("", &roles, false),
        ("attributes = ['roles']", &roles, true),
        ("attributes = ['groups']", &roles, false),
        ("attributes = ['realm_access.roles']", &nested, false),
        (
            "attributes = { roles = 'realm_access.roles' }",
            &nested,
            true,
        ),
        (
            "attributes = { roles = 'https://example.org/roles' }",
            &named_by_url,
            true,
        ),
    ] {
        let found = is_staff(lines, members.clone()).await;
        assert_eq!(found, expected, "{lines} {members}");
    }
}
