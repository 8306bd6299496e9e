//! What the permission dialog of the client asks for.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use super::support::{delete, get, item, keys, members, post, refused, success};
use crate::support::{
    ACTIONS, App, COLLECTION_CLASS, FORM_CLASS, GRANTED, GRANTS, NOWHERE, at, but, id, query,
};

on_every_store![
    grants_are_made_found_and_deleted,
    every_kind_of_holder_can_be_named,
    invalid_grants_are_refused,
];

fn grant(form: &str, action: &str, user: &str) -> Value {
    json!({
        "resourceClass": FORM_CLASS, "resourceIdentifier": form, "action": action, "userIdentifier": user,
        "group": null, "dynamicGroupIdentifier": null,
    })
}

async fn grants_are_made_found_and_deleted(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = id(&app.form(json!({})).await);
    let actions = format!("{GRANTED}/{FORM_CLASS}/{form}");
    let granted = |answer| item(&answer, 200)["actions"].clone();
    assert_eq!(granted(get(app.bob(), &actions).await), json!([]));
    let created = item(
        &post(app.alice(), GRANTS, &grant(&form, "read", "bob")).await,
        201,
    );
    let identifier = id(&created);
    let path = at(GRANTS, &identifier);
    assert_eq!(
        created,
        json!({
            "@context": created["@context"],
            "@id": path,
            "@type": "AuthorizationResourceActionGrant",
            "identifier": identifier,
            "action": "read",
            "resourceClass": FORM_CLASS,
            "resourceIdentifier": form,
            "userIdentifier": "bob",
            "grantedActions": ["delete"],
        })
    );
    let answer = get(app.bob(), &actions).await;
    let own = item(&answer, 200);
    assert_eq!(
        keys(&own),
        [
            "@context",
            "@id",
            "@type",
            "actions",
            "resourceClass",
            "resourceIdentifier"
        ]
    );
    assert_eq!(own["actions"], json!(["read"]));
    let again = post(app.alice(), GRANTS, &grant(&form, "read", "bob")).await;
    refused(
        &again,
        409,
        "authorization:resource-action-grant-exists",
        json!({}),
    );
    assert_eq!(item(&get(app.alice(), &path).await, 200), created);
    let filter = [
        ("resourceClass", FORM_CLASS),
        ("resourceIdentifier", &form),
        ("perPage", "9999"),
    ];
    let list = members(&get(app.alice(), &query(GRANTS, &filter)).await);
    assert_eq!(list.len(), 2);
    assert_eq!(list[1]["@id"], created["@id"]);
    success(&delete(app.alice(), &path).await, 204);
    assert_eq!(granted(get(app.bob(), &actions).await), json!([]));
    let gone = get(app.alice(), &path).await;
    refused(
        &gone,
        404,
        "authorization:resource-action-grant-not-found",
        json!({}),
    );
    let answer = delete(app.alice(), &at(GRANTS, &id(&list[0]))).await;
    refused(&answer, 409, "authorization:last-manage-grant", json!({}));
    let impossible = query(GRANTS, &[("resourceClass", "\u{7}")]);
    assert!(members(&get(app.alice(), &impossible).await).is_empty());
}

async fn every_kind_of_holder_can_be_named(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = id(&app.form(json!({})).await);
    let group = app.group("Editors").await;
    let path = format!("/authorization/groups/{group}");
    let body = json!({ "resourceClass": FORM_CLASS, "resourceIdentifier": form, "action": "read" });
    let of_group = item(
        &post(
            app.alice(),
            GRANTS,
            &but(body.clone(), "group", json!(path)),
        )
        .await,
        201,
    );
    assert_eq!(of_group["group"], path);
    assert!(of_group.get("userIdentifier").is_none());
    let staff = but(body, "dynamicGroupIdentifier", json!("staff"));
    let of_staff = item(&post(app.alice(), GRANTS, &staff).await, 201);
    assert_eq!(of_staff["dynamicGroupIdentifier"], "staff");
    let theirs = app
        .alice()
        .get(&at(GRANTS, &id(&of_group)))
        .await
        .expect(200);
    assert_eq!(theirs["groupIdentifier"], group);
    let root = app.token("root", json!({}), None).await;
    let root = app.with_token(&root);
    let body = json!({
        "resourceClass": FORM_CLASS, "resourceIdentifier": "null", "action": "create", "userIdentifier": "bob",
    });
    let on_collection = item(&post(root, GRANTS, &body).await, 201);
    assert_eq!(on_collection["resourceIdentifier"], "null");
    let filter = query(GRANTS, &[("resourceIdentifier", "null")]);
    let of_bob = members(&get(app.bob(), &filter).await);
    assert_eq!(of_bob.len(), 1);
    assert_eq!(of_bob[0]["@id"], on_collection["@id"]);
    assert!(members(&get(app.alice(), &filter).await).is_empty());
    let own = item(
        &get(app.bob(), &format!("{GRANTED}/{FORM_CLASS}/null")).await,
        200,
    );
    assert_eq!(
        (&own["resourceIdentifier"], &own["actions"]),
        (&json!("null"), &json!(["create"]))
    );
}

async fn invalid_grants_are_refused(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = id(&app.form(json!({})).await);
    let valid = grant(&form, "read", "carol");
    let holder = "authorization:resource-action-grant-invalid-holder";
    for (body, status, error, details) in [
        (
            but(valid.clone(), "resourceIdentifier", json!(NOWHERE)),
            404,
            "authorization:authorization-resource-not-found",
            json!({}),
        ),
        (
            but(valid.clone(), "resourceClass", Value::Null),
            400,
            "authorization:resource-action-grant-invalid-authorization-resource-missing",
            json!({}),
        ),
        (
            but(valid.clone(), "action", json!("fly")),
            400,
            "authorization:resource_action_grant-invalid-action-undefined",
            json!(["fly"]),
        ),
        (
            but(valid.clone(), "dynamicGroupIdentifier", json!("staff")),
            400,
            holder,
            json!(["userIdentifier", "dynamicGroupIdentifier"]),
        ),
        (
            but(valid.clone(), "userIdentifier", json!(1)),
            400,
            "authorization:invalid-request-body",
            json!(["userIdentifier"]),
        ),
        (
            but(valid.clone(), "action", Value::Null),
            400,
            "authorization:resource-action-grant-invalid-action-missing",
            json!(["action"]),
        ),
    ] {
        refused(
            &post(app.alice(), GRANTS, &body).await,
            status,
            error,
            details,
        );
    }
    refused(&post(app.bob(), GRANTS, &valid).await, 403, "", json!({}));
}

#[tokio::test]
async fn actions_have_names() {
    let app = App::new().await;
    let classes = members(&get(app.bob(), ACTIONS).await);
    let theirs = app.bob().get(ACTIONS).await.expect(200);
    assert_eq!(classes.len(), theirs["items"].as_array().unwrap().len());
    let path = at(ACTIONS, COLLECTION_CLASS);
    let class = item(&get(app.bob(), &path).await, 200);
    assert_eq!(
        keys(&class),
        [
            "@context",
            "@id",
            "@type",
            "collectionActions",
            "itemActions",
            "resourceClass"
        ]
    );
    assert_eq!(class["@id"], path);
    assert_eq!(class["@type"], "AuthorizationAvailableResourceClassActions");
    for action in ["manage", "read", "create_submissions"] {
        let labels = &class["itemActions"][action];
        assert!(
            labels["en"].is_string() && labels["de"].is_string(),
            "{action}: {labels}"
        );
    }
    let nothing = get(app.bob(), &at(ACTIONS, "Nothing")).await;
    refused(
        &nothing,
        404,
        "authorization:resource-class-not-found",
        json!({}),
    );
}
