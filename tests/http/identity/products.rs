//! Discovery documents and key sets in the format of real products.

use formalize_tests::issuer::{TestIssuer, TestKey, with};
use serde_json::{Value, json};

use super::{app, claims, table};
use crate::support::{GRANTS, GROUP_CLASS, GROUPS, at, grant};

/// The documents of a product, and the properties of its tokens.
struct Product {
    discovery: &'static str,
    keys: &'static str,
    /// The origin in the documents.
    origin: &'static str,
    /// The path of the issuer in the product's tokens, without the origin.
    issuer: &'static str,
    /// The index of the signing key in the key set.
    signs: usize,
    typ: &'static str,
    lines: &'static str,
    claims: Value,
}

fn keycloak() -> Product {
    Product {
        discovery: include_str!("../../data/identity/keycloak/openid-configuration.json"),
        keys: include_str!("../../data/identity/keycloak/jwks.json"),
        origin: "https://keycloak.example.org",
        issuer: "/realms/main",
        signs: 1,
        typ: "JWT",
        lines: "user_claim = 'preferred_username'\nattributes = { roles = 'realm_access.roles' }",
        claims: json!({
            "aud": ["formalize", "account"], "typ": "Bearer", "azp": "portal",
            "preferred_username": "carla", "realm_access": {"roles": ["staff", "offline_access"]},
            "resource_access": {"account": {"roles": ["view-profile"]}}, "scope": "openid profile",
        }),
    }
}

fn entra_id() -> Product {
    Product {
        discovery: include_str!("../../data/identity/entra/openid-configuration.json"),
        keys: include_str!("../../data/identity/entra/jwks.json"),
        origin: "https://login.microsoftonline.example",
        issuer: "/6babcaad-604b-40ac-a9d7-9fd97c0b779f/v2.0",
        signs: 1,
        typ: "JWT",
        lines: "user_claim = 'oid'\nattributes = ['roles']",
        claims: json!({
            "ver": "2.0", "oid": "carla", "tid": "6babcaad-604b-40ac-a9d7-9fd97c0b779f",
            "roles": ["staff"], "preferred_username": "carla@example.org",
        }),
    }
}

fn auth0() -> Product {
    Product {
        discovery: include_str!("../../data/identity/auth0/openid-configuration.json"),
        keys: include_str!("../../data/identity/auth0/jwks.json"),
        origin: "https://tenant.eu.auth0.example",
        issuer: "/",
        signs: 0,
        typ: "at+jwt",
        lines: "attributes = { roles = 'https://forms.example.org/roles' }",
        claims: json!({
            "aud": ["formalize", "https://tenant.eu.auth0.example/userinfo"], "sub": "auth0|carla",
            "https://forms.example.org/roles": ["staff"], "scope": "openid profile",
        }),
    }
}

#[tokio::test]
async fn tokens_of_real_products_are_accepted() {
    for product in [keycloak(), entra_id(), auth0()] {
        let server = TestIssuer::start(&[]).await.unwrap();
        let here = server.url().strip_suffix("/realms/main").unwrap();
        let localized = |text: &str| text.replace(product.origin, here);
        server.publish_documents(&localized(product.discovery), &localized(product.keys));
        let issuer = format!("{here}{}", product.issuer);
        let app = app(&table(&issuer, product.lines)).await;
        let group = app.group("Editors").await;
        let staff = json!({ "dynamicGroupIdentifier": "staff" });
        let right = grant("read", GROUP_CLASS, Some(&group), staff);
        app.alice().post(GRANTS, right).await.expect(201);

        let keys: Value = serde_json::from_str(product.keys).unwrap();
        let kid = &keys["keys"][product.signs]["kid"];
        let header = json!({"typ": product.typ, "alg": "RS256", "kid": kid});
        let claims = with(claims(&issuer), product.claims);
        let token = TestKey::Rsa.sign(&header, &claims).unwrap();
        let path = at(GROUPS, &group);
        app.with_token(&token).get(&path).await.expect(200);

        let forged = TestKey::OtherRsa.sign(&header, &claims).unwrap();
        let refused = app.with_token(&forged).get(&path).await;
        refused.refuse(401, "authorization:authentication-required", json!([]));
    }
}
