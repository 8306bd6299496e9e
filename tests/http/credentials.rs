//! Credentials: section 2 of the contract.

use poem::http::Method;
use serde_json::json;

use crate::openapi::{Described, operations};
use crate::support::{App, FORMS, GRANTS, GROUP_CLASS, GROUPS, at, grant, query};

#[tokio::test]
async fn without_valid_credentials_every_route_answers_401() {
    let app = App::new().await;
    for Described {
        method, path, area, ..
    } in operations(&app)
        .await
        .iter()
        .filter(|described| !described.public)
    {
        let refused = app.anon().request(method.clone(), path).send().await;
        refused.refuse(401, &format!("{area}:authentication-required"), json!([]));
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    }
}

#[tokio::test]
async fn credentials_must_be_one_valid_token() {
    let app = App::new().await;
    let token = app
        .token("dora", json!({}), Some("2026-11-21T09:00:00Z"))
        .await;
    let unknown = format!("fmz_{}", "0".repeat(64));
    let with = async |value: &str| {
        app.anon()
            .request(Method::GET, GROUPS)
            .header("authorization", value)
            .send()
            .await
    };
    for value in [
        format!("Bearer {token}"),
        format!("bearer {token}"),
        format!("BEARER  {token}"),
    ] {
        with(&value).await.expect(200);
    }
    let basic = format!("Basic {token}");
    let shouted = format!("Bearer {}", token.to_uppercase());
    let longer = format!("Bearer {token}0");
    let spaced = format!("Bearer {token} x");
    let unknown = format!("Bearer {unknown}");
    let jwt = "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.";
    for value in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer fmz_",
        &token,
        &basic,
        &shouted,
        &longer,
        &spaced,
        &unknown,
        jwt,
    ] {
        with(value)
            .await
            .refuse(401, "authorization:authentication-required", json!([]));
    }
    let header = format!("Bearer {token}");
    let twice = app
        .with_token(&token)
        .request(Method::GET, GROUPS)
        .header("authorization", &header);
    twice
        .send()
        .await
        .refuse(401, "authorization:authentication-required", json!([]));
    let in_query = app
        .anon()
        .get(&query(GROUPS, &[("access_token", &token)]))
        .await;
    in_query.refuse(401, "authorization:authentication-required", json!([]));

    app.travel("2026-11-21T08:59:59.999Z");
    with(&header).await.expect(200);
    app.travel("2026-11-21T09:00:00Z");
    with(&header)
        .await
        .refuse(401, "authorization:authentication-required", json!([]));
}

#[tokio::test]
async fn revoked_tokens_are_rejected_at_once() {
    use formalize_core::{Caller, PageRequest};
    let app = App::new().await;
    app.bob().get(FORMS).await.expect(200);
    let tokens = app.formalize.tokens();
    for token in tokens
        .list(&Caller::System, &PageRequest::default())
        .await
        .unwrap()
        .items
    {
        tokens.revoke(&Caller::System, token.id).await.unwrap();
    }
    app.bob()
        .get(FORMS)
        .await
        .refuse(401, "formalize:authentication-required", json!([]));
}

#[tokio::test]
async fn attributes_come_only_from_the_token() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let staff = json!({ "dynamicGroupIdentifier": "staff" });
    let right = grant("read", GROUP_CLASS, Some(&group), staff);
    app.alice().post(GRANTS, right).await.expect(201);
    let path = at(GROUPS, &group);
    for (attributes, member) in [
        (json!({ "roles": ["staff", "boss"] }), true),
        (json!({ "roles": ["boss"] }), false),
        (json!({ "roles": "staff" }), false),
        (json!({ "roles": null }), false),
        (json!({}), false),
    ] {
        let token = app.token("dora", attributes.clone(), None).await;
        let answer = app.with_token(&token).get(&path).await;
        assert_eq!(
            answer.status.as_u16(),
            if member { 200 } else { 403 },
            "{attributes}"
        );
    }
}

#[tokio::test]
async fn user_identifiers_are_compared_code_point_by_code_point() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    app.share_group(&group, "read", "jos\u{e9}").await;
    for (user, same) in [
        ("jos\u{e9}", true),
        ("jose\u{301}", false),
        ("Jos\u{e9}", false),
        ("jos\u{e9} ", false),
    ] {
        let token = app.token(user, json!({}), None).await;
        let answer = app.with_token(&token).get(&at(GROUPS, &group)).await;
        assert_eq!(
            answer.status.as_u16(),
            if same { 200 } else { 403 },
            "{user}"
        );
    }
}

#[tokio::test]
async fn policies_decide_who_manages_collections() {
    let configuration = r#"
        [policies.manage_collection]
        VendorThing = 'user.id == "bob"'
        DbpRelayFormalizeForm = '"staff" in user.attributes.roles'
        [resource_classes.VendorThing]
        collection_actions = { create = { en = "Create", de = "Erstellen" } }"#;
    let app = App::with(configuration).await;
    let right = grant(
        "create",
        "VendorThing",
        None,
        json!({ "userIdentifier": "alice" }),
    );
    app.bob().post(GRANTS, right.clone()).await.expect(201);
    app.admin()
        .post(GRANTS, right)
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    app.carol()
        .post(FORMS, json!({ "name": "x" }))
        .await
        .expect(201);
    app.bob().post(FORMS, json!({ "name": "x" })).await.refuse(
        403,
        "formalize:forbidden",
        json!([]),
    );
}

#[tokio::test]
async fn failing_policies_deny() {
    let configuration = "[policies]
        create_groups = 'user.attributes.level > 3'";
    let app = App::with(configuration).await;
    let status = async |attributes| {
        let token = app.token("dora", attributes, None).await;
        app.with_token(&token)
            .post(GROUPS, json!({ "name": "x" }))
            .await
            .status
            .as_u16()
    };
    assert_eq!(status(json!({})).await, 403);
    assert_eq!(status(json!({ "level": "high" })).await, 403);
    assert_eq!(status(json!({ "level": 3 })).await, 403);
    assert_eq!(status(json!({ "level": 4 })).await, 201);
}
