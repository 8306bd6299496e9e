use serde_json::{Value, json};

use crate::support::{App, GROUPS, MEMBERS, NOW, NOWHERE, at, each, id, items, query};

fn user(group: &str, user: &str) -> Value {
    json!({ "groupIdentifier": group, "userIdentifier": user })
}

fn child(group: &str, child: &str) -> Value {
    json!({ "groupIdentifier": group, "childGroupIdentifier": child })
}

fn list(group: &str) -> String {
    query(MEMBERS, &[("groupIdentifier", group)])
}

#[tokio::test]
async fn a_user_is_added_to_a_group() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let member = app
        .alice()
        .post(MEMBERS, user(&group, "bob"))
        .await
        .expect(201);
    let expected = json!({
        "identifier": member["identifier"],
        "groupIdentifier": group,
        "userIdentifier": "bob",
        "childGroupIdentifier": null,
        "dateCreated": NOW,
    });
    assert_eq!(member, expected);
    let again = app.alice().post(MEMBERS, user(&group, "bob")).await;
    again.refuse(409, "authorization:group-member-exists", json!([]));
    app.alice()
        .post(MEMBERS, user(&group, "Bob"))
        .await
        .expect(201);
}

#[tokio::test]
async fn a_group_is_added_to_a_group() {
    let app = App::new().await;
    let (outer, inner) = (app.group("Outer").await, app.group("Inner").await);
    let nested = json!({
        "groupIdentifier": outer.to_uppercase(), "childGroupIdentifier": inner, "userIdentifier": null,
    });
    let member = app.alice().post(MEMBERS, nested).await.expect(201);
    let expected = json!({
        "identifier": member["identifier"],
        "groupIdentifier": outer,
        "userIdentifier": null,
        "childGroupIdentifier": inner,
        "dateCreated": NOW,
    });
    assert_eq!(member, expected);
    let again = app.alice().post(MEMBERS, child(&outer, &inner)).await;
    again.refuse(409, "authorization:group-member-exists", json!([]));
}

#[tokio::test]
async fn a_member_has_a_group_and_is_either_a_user_or_a_group() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let other = app.group("Others").await;
    let too_long = "x".repeat(256);
    let both = ["userIdentifier", "childGroupIdentifier"];
    for (body, names) in [
        (json!({ "groupIdentifier": group }), json!(both)),
        (
            json!({ "groupIdentifier": group, "userIdentifier": null, "childGroupIdentifier": null }),
            json!(both),
        ),
        (
            json!({ "groupIdentifier": group, "userIdentifier": "bob", "childGroupIdentifier": other }),
            json!(both),
        ),
        (
            json!({ "userIdentifier": "bob" }),
            json!(["groupIdentifier"]),
        ),
        (
            json!({ "userIdentifier": "bob", "groupIdentifier": null }),
            json!(["groupIdentifier"]),
        ),
        (
            json!({}),
            json!(["groupIdentifier", "userIdentifier", "childGroupIdentifier"]),
        ),
        (user(&group, ""), json!(["userIdentifier"])),
        (user(&group, &too_long), json!(["userIdentifier"])),
        (user(&group, "a\u{0}b"), json!(["userIdentifier"])),
        (user(&group, "a\nb"), json!(["userIdentifier"])),
    ] {
        let refused = app.alice().post(MEMBERS, body).await;
        refused.refuse(400, "authorization:group-member-invalid", names);
    }
    app.alice()
        .post(MEMBERS, user(&group, &"ü".repeat(255)))
        .await
        .expect(201);
}

#[tokio::test]
async fn the_groups_of_a_membership_must_exist() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    for nothing in [NOWHERE, "x", ""] {
        let refused = app.bob().post(MEMBERS, user(nothing, "bob")).await;
        refused.refuse(
            404,
            "authorization:group-not-found",
            json!(["groupIdentifier"]),
        );
        let refused = app.bob().post(MEMBERS, child(&group, nothing)).await;
        refused.refuse(
            404,
            "authorization:group-not-found",
            json!(["childGroupIdentifier"]),
        );
    }
}

#[tokio::test]
async fn group_cycles_are_rejected_at_any_depth() {
    let app = App::new().await;
    let (a, b, c) = (
        app.group("A").await,
        app.group("B").await,
        app.group("C").await,
    );
    app.alice().post(MEMBERS, child(&a, &b)).await.expect(201);
    app.alice().post(MEMBERS, child(&b, &c)).await.expect(201);
    app.alice().post(MEMBERS, child(&a, &c)).await.expect(201);
    for (group, inner) in [(&a, &a), (&b, &a), (&c, &a), (&c, &b)] {
        let refused = app.alice().post(MEMBERS, child(group, inner)).await;
        refused.refuse(
            400,
            "authorization:group-member-invalid",
            json!(["childGroupIdentifier"]),
        );
    }
}

#[tokio::test]
async fn adding_a_group_requires_add_members_and_reading_the_child() {
    let app = App::new().await;
    let (outer, inner) = (app.group("Outer").await, app.group("Inner").await);
    let forbidden = |answer: crate::support::Answer| {
        answer.refuse(403, "authorization:forbidden", json!([]));
    };
    forbidden(app.bob().post(MEMBERS, user(&outer, "bob")).await);
    app.share_group(&outer, "add_members", "bob").await;
    app.bob()
        .post(MEMBERS, user(&outer, "bob"))
        .await
        .expect(201);
    forbidden(app.bob().post(MEMBERS, child(&outer, &inner)).await);
    app.share_group(&inner, "read", "bob").await;
    app.bob()
        .post(MEMBERS, child(&outer, &inner))
        .await
        .expect(201);
}

#[tokio::test]
async fn readers_of_a_group_may_read_its_members() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let member = app
        .alice()
        .post(MEMBERS, user(&group, "bob"))
        .await
        .expect(201);
    let path = at(MEMBERS, &id(&member));
    assert_eq!(app.alice().get(&path).await.expect(200), member);
    let refused = app.bob().get(&path).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
    app.share_group(&group, "read", "bob").await;
    assert_eq!(app.bob().get(&path).await.expect(200), member);
    for nothing in [NOWHERE, "x"] {
        let refused = app.bob().get(&at(MEMBERS, nothing)).await;
        refused.refuse(404, "authorization:group-member-not-found", json!([]));
    }
}

#[tokio::test]
async fn a_member_is_removed() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let member = app
        .alice()
        .post(MEMBERS, user(&group, "carol"))
        .await
        .expect(201);
    let path = at(MEMBERS, &id(&member));
    app.bob()
        .delete(&path)
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    app.share_group(&group, "delete_members", "bob").await;
    app.bob().delete(&path).await.expect(204);
    let gone = app.alice().delete(&path).await;
    gone.refuse(404, "authorization:group-member-not-found", json!([]));
}

#[tokio::test]
async fn the_list_has_the_direct_members_of_a_group() {
    let app = App::new().await;
    let (outer, inner) = (app.group("Outer").await, app.group("Inner").await);
    let first = app
        .alice()
        .post(MEMBERS, user(&outer, "bob"))
        .await
        .expect(201);
    let second = app
        .alice()
        .post(MEMBERS, child(&outer, &inner))
        .await
        .expect(201);
    app.alice()
        .post(MEMBERS, user(&inner, "carol"))
        .await
        .expect(201);
    let expected =
        json!({ "items": [first, second], "page": 1, "perPage": 30, "nextCursor": null });
    assert_eq!(app.alice().get(&list(&outer)).await.expect(200), expected);
    let upper = app
        .alice()
        .get(&list(&inner.to_uppercase()))
        .await
        .expect(200);
    assert_eq!(each(&upper, "userIdentifier"), ["carol"]);

    app.bob()
        .get(&list(&outer))
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    app.share_group(&outer, "read", "bob").await;
    assert_eq!(
        items(&app.bob().get(&list(&outer)).await.expect(200)).len(),
        2
    );
}

#[tokio::test]
async fn the_list_requires_a_group() {
    let app = App::new().await;
    for path in [MEMBERS.to_owned(), list("")] {
        let refused = app.bob().get(&path).await;
        let missing = "authorization:required-parameter-missing";
        refused.refuse(400, missing, json!(["groupIdentifier"]));
    }
    for nothing in [NOWHERE, "x", " "] {
        let refused = app.bob().get(&list(nothing)).await;
        refused.refuse(
            404,
            "authorization:group-not-found",
            json!(["groupIdentifier"]),
        );
    }
}

#[tokio::test]
async fn members_of_nested_groups_have_the_grants_of_outer_groups() {
    let app = App::new().await;
    let [a, b, c] = [
        app.group("A").await,
        app.group("B").await,
        app.group("C").await,
    ];
    app.alice().post(MEMBERS, child(&a, &b)).await.expect(201);
    app.alice().post(MEMBERS, child(&b, &c)).await.expect(201);
    let member = app.alice().post(MEMBERS, user(&c, "bob")).await.expect(201);
    let target = app.group("Target").await;
    let to_a = crate::support::grant(
        "read",
        crate::support::GROUP_CLASS,
        Some(&target),
        json!({ "groupIdentifier": a }),
    );
    app.alice()
        .post(crate::support::GRANTS, to_a)
        .await
        .expect(201);
    app.bob().get(&at(GROUPS, &target)).await.expect(200);
    app.alice()
        .delete(&at(MEMBERS, &id(&member)))
        .await
        .expect(204);
    app.bob()
        .get(&at(GROUPS, &target))
        .await
        .refuse(403, "authorization:forbidden", json!([]));
}
