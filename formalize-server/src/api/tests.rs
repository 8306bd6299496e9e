//! Tests of what the transport adds to the results of the core: URLs, tags, pages, statuses.

use std::sync::Arc;

use async_trait::async_trait;
use formalize_core::{
    Caller, Formalize, UserId,
    authorization::{Condition, Policies},
    store::{Part, memory::MemoryStore},
};
use formalize_http::auth::Authenticate;
use formalize_http::failure::Refusal;
use poem::{Endpoint, Request, Response, endpoint::BoxEndpoint};
use serde_json::{Value, json};

use crate::App;

/// Accepts every token; it is the name of the user.
struct Named;

#[async_trait]
impl Authenticate for Named {
    async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Refusal> {
        Ok(UserId::new(token).ok().map(Caller::user))
    }
}

struct Client(BoxEndpoint<'static, Response>);

impl Client {
    async fn new() -> Self {
        Self::on(MemoryStore::new()).await
    }

    async fn on(store: MemoryStore) -> Self {
        let anyone = Condition::compile("true").unwrap();
        let policies = Policies {
            create_groups: Some(anyone.clone()),
            create_forms: Some(anyone),
            ..Policies::default()
        };
        let formalize = Formalize::builder(Arc::new(store))
            .policies(policies)
            .build()
            .await
            .unwrap();
        let app = App::new(formalize)
            .base_url("https://forms.example.org/api/")
            .authenticate(Arc::new(Named));
        Self(app.build())
    }

    async fn send(&self, user: &str, line: &str, body: Value) -> Response {
        let (method, uri) = line.split_once(' ').unwrap();
        let request = Request::builder()
            .method(method.parse().unwrap())
            .uri_str(uri)
            .header("authorization", format!("Bearer {user}"))
            .content_type("application/json")
            .body(body.to_string());
        self.0.call(request).await.unwrap()
    }

    async fn json(&self, user: &str, line: &str, body: Value) -> Value {
        let response = self.send(user, line, body).await;
        assert!(response.is_success(), "{line}: {}", response.status());
        serde_json::from_str(&response.into_body().into_string().await.unwrap()).unwrap()
    }

    async fn status(&self, user: &str, line: &str, body: Value) -> u16 {
        self.send(user, line, body).await.status().as_u16()
    }
}

#[tokio::test]
async fn a_new_item_has_a_url() {
    let client = Client::new().await;
    let response = client
        .send("alice", "POST /authorization/groups", json!({"name": "g"}))
        .await;
    assert_eq!(response.status().as_u16(), 201);
    assert_eq!(
        response.content_type(),
        Some("application/json; charset=utf-8")
    );
    let location = response.header("location").unwrap().to_owned();
    let group: Value =
        serde_json::from_str(&response.into_body().into_string().await.unwrap()).unwrap();
    let path = location
        .strip_prefix("https://forms.example.org/api")
        .unwrap();
    assert_eq!(
        client
            .json("alice", &format!("GET {path}"), json!({}))
            .await,
        group
    );
}

#[tokio::test]
async fn a_tag_changes_with_the_record_and_the_view() {
    let client = Client::new().await;
    let form = client
        .json("alice", "POST /formalize/forms", json!({"name": "f"}))
        .await;
    let line = format!(
        "GET /formalize/forms/{}",
        form["identifier"].as_str().unwrap()
    );
    let grant = json!({
        "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form["identifier"],
        "userIdentifier": "bob", "action": "read",
    });
    client
        .json("alice", "POST /authorization/resource-action-grants", grant)
        .await;
    let tag = async |user: &str| {
        let response = client.send(user, &line, json!({})).await;
        response.header("etag").unwrap().to_owned()
    };
    let (first, of_bob) = (tag("alice").await, tag("bob").await);
    let revision = |tag: &str| tag.split('.').next().unwrap().to_owned();
    assert_ne!(first, of_bob);
    assert_eq!(revision(&first), revision(&of_bob));
    assert_eq!(first, tag("alice").await);
    client
        .json("alice", &line.replace("GET", "PATCH"), json!({"name": "f"}))
        .await;
    assert_ne!(revision(&first), revision(&tag("alice").await));
}

#[tokio::test]
async fn a_caller_who_may_not_read_gets_no_content() {
    let client = Client::new().await;
    let group = client
        .json("alice", "POST /authorization/groups", json!({"name": "g"}))
        .await;
    let grant = json!({
        "resourceClass": "DbpRelayAuthorizationGroup", "resourceIdentifier": group["identifier"],
        "userIdentifier": "bob", "action": "update",
    });
    client
        .json("alice", "POST /authorization/resource-action-grants", grant)
        .await;
    let item = format!(
        "/authorization/groups/{}",
        group["identifier"].as_str().unwrap()
    );
    assert_eq!(
        client
            .status("bob", &format!("PATCH {item}"), json!({"name": "h"}))
            .await,
        204
    );
    assert_eq!(
        client
            .status("bob", &format!("GET {item}"), json!({}))
            .await,
        403
    );
    assert_eq!(
        client
            .status("alice", &format!("HEAD {item}"), json!({}))
            .await,
        200
    );
    assert_eq!(
        client
            .status("alice", &format!("DELETE {item}"), json!({}))
            .await,
        204
    );
    assert_eq!(
        client
            .status("alice", &format!("GET {item}"), json!({}))
            .await,
        404
    );
}

#[tokio::test]
async fn each_page_links_to_the_next() {
    let client = Client::new().await;
    for name in ["a & b 1", "a & b 2", "a & b 3"] {
        client
            .json("alice", "POST /authorization/groups", json!({"name": name}))
            .await;
    }
    let mut request = "GET /authorization/groups?search=a%20%26%20b&perPage=2&page=1".to_owned();
    let response = client.send("alice", &request, json!({})).await;
    let link = response.header("link").unwrap();
    let next = link
        .strip_prefix("<https://forms.example.org/api")
        .unwrap()
        .strip_suffix(">; rel=\"next\"")
        .unwrap();
    request = format!("GET {next}");
    let second = client.send("alice", &request, json!({})).await;
    assert!(second.header("link").is_none());
    let page: Value =
        serde_json::from_str(&second.into_body().into_string().await.unwrap()).unwrap();
    assert_eq!(page["items"][0]["name"], "a & b 3");
    assert_eq!(
        (&page["page"], &page["perPage"], &page["nextCursor"]),
        (&Value::Null, &json!(2), &Value::Null)
    );
    let of_bob = client.send("bob", &request, json!({})).await;
    assert_eq!(
        of_bob.status().as_u16(),
        400,
        "a cursor belongs to its caller"
    );
}

#[tokio::test]
async fn a_malformed_identifier_matches_nothing() {
    let client = Client::new().await;
    for line in [
        "GET /formalize/forms/none",
        "DELETE /authorization/groups/%20",
        "GET /authorization/resources/x%2Fy",
    ] {
        assert_eq!(client.status("alice", line, json!({})).await, 404, "{line}");
    }
    let actions = client
        .json(
            "alice",
            "GET /authorization/granted-actions/x/a%2Fb",
            json!({}),
        )
        .await;
    assert_eq!(
        actions,
        json!({"resourceClass": "x", "resourceIdentifier": "a/b", "actions": []})
    );
}

#[tokio::test]
async fn what_the_store_does_not_keep_is_not_configured() {
    let client = Client::on(MemoryStore::without(&[Part::Links])).await;
    let form = client.json("alice", "POST /formalize/forms", json!({"name": "f"}));
    let link = json!({"formIdentifier": form.await["identifier"]});
    let refused = client.send("alice", "POST /formalize/form-links", link);
    let refused = refused.await;
    assert_eq!(refused.status().as_u16(), 501);
    let problem = refused.into_body().into_string().await.unwrap();
    let problem: Value = serde_json::from_str(&problem).unwrap();
    assert_eq!(problem["relay:errorId"], "formalize:not-configured");
    assert_eq!(problem["detail"], "this server keeps no public links");
}

#[tokio::test]
async fn the_endpoints_of_the_service_respond() {
    let client = Client::new().await;
    let ready = json!({"status": "ok", "failingMaintenance": []});
    for (path, expected) in [("/healthz", json!({"status": "ok"})), ("/readyz", ready)] {
        assert_eq!(
            client.json("", &format!("GET {path}"), json!({})).await,
            expected
        );
    }
    assert_eq!(
        client.json("", "GET /version", json!({})).await["version"],
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(
        client.json("", "GET /openapi.json", json!({})).await["openapi"],
        "3.0.0"
    );
    let docs = client.send("", "GET /docs", json!({})).await;
    assert_eq!(docs.content_type(), Some("text/html; charset=utf-8"));
}
