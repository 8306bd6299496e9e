use serde_json::json;

use crate::support::{
    Answer, App, FORMS, GRANTS, GROUPS, MEMBERS, NOW, NOWHERE, at, each, id, items, query,
};

#[tokio::test]
async fn a_group_is_created() {
    let app = App::new().await;
    let group = app
        .alice()
        .post(GROUPS, json!({ "name": "Editors" }))
        .await
        .expect(201);
    let expected = json!({
        "identifier": group["identifier"],
        "name": "Editors",
        "dateCreated": NOW,
        "grantedActions": ["manage"],
    });
    assert_eq!(group, expected);
    let identifier = uuid::Uuid::parse_str(&id(&group)).unwrap();
    assert_eq!(identifier.get_version_num(), 7);
    assert_eq!(identifier.to_string(), id(&group), "in lower case");
}

#[tokio::test]
async fn creating_groups_requires_permission() {
    let app = App::new().await;
    let refused = app.bob().post(GROUPS, json!({ "name": "Mine" })).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
    app.admin()
        .post(GROUPS, json!({ "name": "Ours" }))
        .await
        .expect(201);
}

#[tokio::test]
async fn names_have_1_to_128_characters_and_are_not_blank() {
    let app = App::new().await;
    let longest = "ä".repeat(128);
    for name in ["x", " padded ", "two\u{a0}words", longest.as_str(), "👩‍👩‍👧"] {
        let group = app
            .alice()
            .post(GROUPS, json!({ "name": name }))
            .await
            .expect(201);
        assert_eq!(group["name"], name);
    }
    let too_long = "x".repeat(129);
    let group = at(GROUPS, &app.group("Editors").await);
    for name in [
        "", " ", "\u{2003}", "\t", "a\nb", "a\u{0}b", "a\u{7f}", "a\u{85}", &too_long,
    ] {
        let refused = app.alice().post(GROUPS, json!({ "name": name })).await;
        refused.refuse(400, "authorization:group-invalid", json!(["name"]));
        let refused = app.alice().patch(&group, json!({ "name": name })).await;
        refused.refuse(400, "authorization:group-invalid", json!(["name"]));
    }
    for missing in [json!({}), json!({ "name": null })] {
        let refused = app.alice().post(GROUPS, missing).await;
        refused.refuse(400, "authorization:group-invalid", json!(["name"]));
    }
}

#[tokio::test]
async fn groups_are_not_unique_by_name() {
    let app = App::new().await;
    assert_ne!(app.group("Twins").await, app.group("Twins").await);
}

#[tokio::test]
async fn a_group_is_returned_to_readers() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let path = at(GROUPS, &group);
    let read = app.alice().get(&path).await.expect(200);
    let expected = json!({
        "identifier": group, "name": "Editors", "dateCreated": NOW, "grantedActions": ["manage"],
    });
    assert_eq!(read, expected);
    let upper = app
        .alice()
        .get(&at(GROUPS, &group.to_uppercase()))
        .await
        .expect(200);
    assert_eq!(upper, expected);

    app.bob()
        .get(&path)
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    app.share_group(&group, "read", "bob").await;
    app.share_group(&group, "add_members", "bob").await;
    let read = app.bob().get(&path).await.expect(200);
    assert_eq!(read["grantedActions"], json!(["add_members", "read"]));
}

#[tokio::test]
async fn malformed_group_identifiers_are_not_found() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let braces = format!("%7B{group}%7D");
    let plain = group.replace('-', "");
    for name in [
        NOWHERE,
        "x",
        "1",
        &plain,
        &braces,
        "%20",
        "%00",
        "00000000-0000-0000-0000-000000000000",
    ] {
        let path = at(GROUPS, name);
        let not_found = |answer: Answer| {
            answer.refuse(404, "authorization:group-not-found", json!([]));
        };
        not_found(app.bob().get(&path).await);
        not_found(app.bob().patch(&path, json!({ "name": "x" })).await);
        not_found(app.bob().delete(&path).await);
    }
}

#[tokio::test]
async fn a_group_is_renamed() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let path = at(GROUPS, &group);
    let changed = app
        .alice()
        .patch(&path, json!({ "name": "Authors" }))
        .await
        .expect(200);
    let expected = json!({
        "identifier": group, "name": "Authors", "dateCreated": NOW, "grantedActions": ["manage"],
    });
    assert_eq!(changed, expected);
    assert_eq!(app.alice().get(&path).await.expect(200), expected);
    app.alice().patch(&path, json!({})).await.expect(200);
    let refused = app.alice().patch(&path, json!({ "name": null })).await;
    refused.refuse(400, "authorization:group-invalid", json!(["name"]));

    let change = json!({ "name": "Bob's" });
    app.bob()
        .patch(&path, change.clone())
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    app.share_group(&group, "update", "bob").await;
    app.bob().patch(&path, change).await.expect(204);
    assert_eq!(app.alice().get(&path).await.expect(200)["name"], "Bob's");
}

#[tokio::test]
async fn deleting_a_group_deletes_all_that_belongs_to_it() {
    let app = App::new().await;
    let (outer, inner) = (app.group("Outer").await, app.group("Inner").await);
    let nested = json!({ "groupIdentifier": outer, "childGroupIdentifier": inner });
    let member = app.alice().post(MEMBERS, nested).await.expect(201);
    let grant = app.share_group(&inner, "read", "bob").await;

    let path = at(GROUPS, &inner);
    app.bob()
        .delete(&path)
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    app.alice().delete(&path).await.expect(204);
    app.alice()
        .get(&path)
        .await
        .refuse(404, "authorization:group-not-found", json!([]));
    app.alice()
        .delete(&path)
        .await
        .refuse(404, "authorization:group-not-found", json!([]));
    let gone = app.alice().get(&at(MEMBERS, &id(&member))).await;
    gone.refuse(404, "authorization:group-member-not-found", json!([]));
    let gone = app.alice().get(&at(GRANTS, &id(&grant))).await;
    gone.refuse(
        404,
        "authorization:resource-action-grant-not-found",
        json!([]),
    );

    app.share_group(&outer, "delete", "bob").await;
    app.bob().delete(&at(GROUPS, &outer)).await.expect(204);
}

#[tokio::test]
async fn deleting_a_group_deletes_even_last_manage_grants() {
    let app = App::new().await;
    let group = app.group("Owners").await;
    let form = id(&app.form(json!({})).await);
    let to_group = app
        .share_form(&form, "manage", json!({ "groupIdentifier": group }))
        .await;
    let own = app
        .alice()
        .get(&query(GRANTS, &[("resourceIdentifier", &form)]))
        .await
        .expect(200);
    app.alice()
        .delete(&at(GRANTS, &id(&items(&own)[0])))
        .await
        .expect(204);
    let join = json!({ "groupIdentifier": group, "userIdentifier": "bob" });
    app.alice().post(MEMBERS, join).await.expect(201);
    app.bob().get(&at(FORMS, &form)).await.expect(200);
    app.alice().delete(&at(GROUPS, &group)).await.expect(204);
    app.bob()
        .get(&at(FORMS, &form))
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    let gone = app.bob().get(&at(GRANTS, &id(&to_group))).await;
    gone.refuse(
        404,
        "authorization:resource-action-grant-not-found",
        json!([]),
    );
}

#[tokio::test]
async fn the_list_has_exactly_the_readable_groups() {
    let app = App::new().await;
    let (first, second) = (app.group("First").await, app.group("Second").await);
    let list = app.alice().get(GROUPS).await;
    assert!(list.header("link").is_none());
    let list = list.expect(200);
    let group = |identifier: &str, name: &str| json!({ "identifier": identifier, "name": name, "dateCreated": NOW, "grantedActions": ["manage"] });
    let expected = json!({
        "items": [group(&first, "First"), group(&second, "Second")],
        "page": 1, "perPage": 30, "nextCursor": null,
    });
    assert_eq!(list, expected);

    app.share_group(&first, "update", "bob").await;
    assert!(
        items(&app.bob().get(GROUPS).await.expect(200)).is_empty(),
        "update is not read"
    );
    app.share_group(&second, "read", "bob").await;
    assert_eq!(
        each(&app.bob().get(GROUPS).await.expect(200), "name"),
        ["Second"]
    );
    assert!(
        items(&app.admin().get(GROUPS).await.expect(200)).is_empty(),
        "a collection is not its items"
    );
}
