use serde_json::{Value, json};

use crate::support::{
    Answer, App, COLLECTION_CLASS, FORM_CLASS, GRANTS, GROUP_CLASS, GROUPS, MEMBERS, NOW, NOWHERE,
    RESOURCES, at, but, each, grant, id, items, query, without_ids,
};

fn bob() -> Value {
    json!({ "userIdentifier": "bob" })
}

/// The identifier of the record of Alice's resource.
async fn record(app: &App, class: &str, identifier: &str) -> String {
    let filter = [("resourceClass", class), ("resourceIdentifier", identifier)];
    let list = app
        .alice()
        .get(&query(RESOURCES, &filter))
        .await
        .expect(200);
    id(&items(&list)[0])
}

#[tokio::test]
async fn a_grant_is_created_for_a_user() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let new = grant("read", GROUP_CLASS, Some(&group), bob());
    let made = app.alice().post(GRANTS, new).await.expect(201);
    let expected = json!({
        "identifier": made["identifier"],
        "action": "read",
        "resourceClass": GROUP_CLASS,
        "resourceIdentifier": group,
        "authorizationResourceIdentifier": record(&app, GROUP_CLASS, &group).await,
        "userIdentifier": "bob",
        "groupIdentifier": null,
        "dynamicGroupIdentifier": null,
        "dateCreated": NOW,
        "grantedActions": ["delete"],
    });
    assert_eq!(made, expected);
    let path = at(GRANTS, &id(&made));
    assert_eq!(app.alice().get(&path).await.expect(200), expected);
    assert_eq!(
        app.bob().get(&path).await.expect(200),
        but(expected, "grantedActions", json!([]))
    );
}

#[tokio::test]
async fn grants_are_created_for_groups_and_dynamic_groups() {
    let app = App::new().await;
    let (target, holder) = (app.group("Target").await, app.group("Holder").await);
    let to_group = json!({ "groupIdentifier": holder.to_uppercase() });
    let made = grant("read", GROUP_CLASS, Some(&target), to_group);
    let to_group = app.alice().post(GRANTS, made).await.expect(201);
    assert_eq!(to_group["groupIdentifier"], holder);
    let to_staff = json!({ "dynamicGroupIdentifier": "staff", "userIdentifier": null });
    let made = grant("update", GROUP_CLASS, Some(&target), to_staff);
    let to_staff = app.alice().post(GRANTS, made).await.expect(201);
    let grants = without_ids(json!([to_group, to_staff]));
    insta::assert_json_snapshot!("grants_to_groups", grants);
    let path = at(GROUPS, &target);
    app.carol()
        .patch(&path, json!({ "name": "Carol's" }))
        .await
        .expect(204);
    let refused = app.bob().patch(&path, json!({ "name": "Bob's" })).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
}

#[tokio::test]
async fn a_grant_on_a_collection_has_no_resource_identifier() {
    let app = App::new().await;
    for body in [
        json!({ "action": "create", "resourceClass": FORM_CLASS, "userIdentifier": "bob" }),
        grant("create", GROUP_CLASS, None, bob()),
    ] {
        let refused = app.bob().post(GRANTS, body.clone()).await;
        refused.refuse(403, "authorization:forbidden", json!([]));
        let made = app.admin().post(GRANTS, body).await.expect(201);
        assert_eq!(made["resourceIdentifier"], Value::Null);
    }
    app.bob()
        .post(GROUPS, json!({ "name": "Bob's" }))
        .await
        .expect(201);
    app.bob()
        .post(crate::support::FORMS, json!({ "name": "Bob's" }))
        .await
        .expect(201);
}

#[tokio::test]
async fn the_resource_may_be_given_by_its_record() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let resource = record(&app, GROUP_CLASS, &group).await;
    let by_record = json!({
        "action": "read", "authorizationResourceIdentifier": resource, "userIdentifier": "bob",
    });
    let made = app.alice().post(GRANTS, by_record).await.expect(201);
    assert_eq!(made["resourceIdentifier"], group);
    let by_both = json!({
        "action": "update", "authorizationResourceIdentifier": resource.to_uppercase(),
        "resourceClass": GROUP_CLASS, "resourceIdentifier": group, "userIdentifier": "bob",
    });
    app.alice().post(GRANTS, by_both).await.expect(201);
}

#[tokio::test]
async fn the_members_that_identify_the_resource_must_agree() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let resource = record(&app, GROUP_CLASS, &group).await;
    let by_record = json!({
        "action": "read", "authorizationResourceIdentifier": resource, "userIdentifier": "bob",
    });
    let invalid = |answer: Answer, names: &[&str]| {
        let error_id = "authorization:resource-action-grant-invalid-resource";
        answer.refuse(400, error_id, json!(names));
    };
    let neither = json!({ "action": "read", "userIdentifier": "bob", "resourceIdentifier": "x" });
    let at_fault = ["resourceClass", "authorizationResourceIdentifier"];
    invalid(app.alice().post(GRANTS, neither).await, &at_fault);
    for (member, value) in [
        ("resourceClass", FORM_CLASS),
        ("resourceIdentifier", NOWHERE),
    ] {
        let body = but(by_record.clone(), member, json!(value));
        invalid(
            app.alice().post(GRANTS, body.clone()).await,
            &["authorizationResourceIdentifier"],
        );
        // Detected only with the record, so it is checked after permission.
        let refused = app.bob().post(GRANTS, body).await;
        refused.refuse(403, "authorization:forbidden", json!([]));
    }
}

#[tokio::test]
async fn the_class_in_the_query_must_match_the_grant() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let by_class = grant("read", GROUP_CLASS, Some(&group), bob());
    let of = |class: &str| query(GRANTS, &[("resourceClass", class)]);
    app.alice()
        .post(&of(GROUP_CLASS), by_class.clone())
        .await
        .expect(201);
    let error_id = "authorization:resource-action-grant-invalid-resource";
    for actor in [app.alice(), app.bob()] {
        let refused = actor.post(&of(FORM_CLASS), by_class.clone()).await;
        refused.refuse(400, error_id, json!(["resourceClass"]));
    }
    let of_nothing = but(by_class, "resourceIdentifier", json!(NOWHERE));
    let refused = app.bob().post(&of(FORM_CLASS), of_nothing).await;
    refused.refuse(400, error_id, json!(["resourceClass"]));
    let by_record = json!({
        "action": "update", "userIdentifier": "bob",
        "authorizationResourceIdentifier": record(&app, GROUP_CLASS, &group).await,
    });
    app.alice()
        .post(&of(GROUP_CLASS), by_record.clone())
        .await
        .expect(201);
    let refused = app.alice().post(&of(FORM_CLASS), by_record).await;
    refused.problem(400, error_id);
}

#[tokio::test]
async fn the_action_of_a_grant_must_be_defined() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let form = id(&app.form(json!({})).await);
    let on_group = |action: Value| {
        but(
            grant("", GROUP_CLASS, Some(&group), bob()),
            "action",
            action,
        )
    };
    for action in [Value::Null, json!("")] {
        let refused = app.bob().post(GRANTS, on_group(action)).await;
        let error_id = "authorization:resource-action-grant-invalid-action-missing";
        refused.refuse(400, error_id, json!(["action"]));
    }
    let refused = app.bob().post(GRANTS, json!({})).await;
    refused.problem(
        400,
        "authorization:resource-action-grant-invalid-action-missing",
    );
    let too_long = "x".repeat(256);
    for body in [
        on_group(json!("Read")),
        on_group(json!("create")),
        on_group(json!("read_submissions")),
        on_group(json!("rea\u{0}d")),
        on_group(json!(too_long)),
        grant("read", GROUP_CLASS, None, bob()),
        grant("read_submissions", COLLECTION_CLASS, Some(&form), bob()),
        grant("create", COLLECTION_CLASS, None, bob()),
        // An undefined action is detected in the body, before existence is checked.
        grant("nonsense", GROUP_CLASS, Some(NOWHERE), bob()),
    ] {
        let refused = app.bob().post(GRANTS, body).await;
        let error_id = "authorization:resource-action-grant-invalid-action-undefined";
        refused.refuse(400, error_id, json!(["action"]));
    }
    let by_record = json!({
        "action": "create", "userIdentifier": "bob",
        "authorizationResourceIdentifier": record(&app, GROUP_CLASS, &group).await,
    });
    let refused = app.alice().post(GRANTS, by_record.clone()).await;
    let error_id = "authorization:resource-action-grant-invalid-action-undefined";
    refused.refuse(400, error_id, json!(["action"]));
    let refused = app.bob().post(GRANTS, by_record).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
}

#[tokio::test]
async fn a_grant_has_exactly_one_holder() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let too_long = "x".repeat(256);
    for (holder, names) in [
        (
            json!({}),
            json!([
                "userIdentifier",
                "groupIdentifier",
                "dynamicGroupIdentifier"
            ]),
        ),
        (
            json!({ "userIdentifier": null, "groupIdentifier": null, "dynamicGroupIdentifier": null }),
            json!([
                "userIdentifier",
                "groupIdentifier",
                "dynamicGroupIdentifier"
            ]),
        ),
        (
            json!({ "userIdentifier": "bob", "groupIdentifier": group }),
            json!(["userIdentifier", "groupIdentifier"]),
        ),
        (
            json!({ "userIdentifier": "bob", "dynamicGroupIdentifier": "nonsense" }),
            json!(["userIdentifier", "dynamicGroupIdentifier"]),
        ),
        (json!({ "userIdentifier": "" }), json!(["userIdentifier"])),
        (
            json!({ "userIdentifier": too_long }),
            json!(["userIdentifier"]),
        ),
        (
            json!({ "userIdentifier": "a\u{1}" }),
            json!(["userIdentifier"]),
        ),
    ] {
        let refused = app
            .bob()
            .post(GRANTS, grant("read", GROUP_CLASS, Some(NOWHERE), holder))
            .await;
        refused.refuse(
            400,
            "authorization:resource-action-grant-invalid-holder",
            names,
        );
    }
    for unknown in ["nobody", "", "Staff", "a\u{0}", &too_long] {
        let holder = json!({ "dynamicGroupIdentifier": unknown });
        let refused = app
            .bob()
            .post(GRANTS, grant("read", GROUP_CLASS, Some(NOWHERE), holder))
            .await;
        refused.refuse(
            400,
            "authorization:dynamic-group-undefined",
            json!(["dynamicGroupIdentifier"]),
        );
    }
}

#[tokio::test]
async fn resource_and_group_of_a_grant_must_exist() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    for body in [
        grant("read", GROUP_CLASS, Some(NOWHERE), bob()),
        grant("read", GROUP_CLASS, Some("x"), bob()),
        grant("read", GROUP_CLASS, Some(""), bob()),
        grant("read", GROUP_CLASS, Some(&group.to_uppercase()), bob()),
        grant("read", FORM_CLASS, Some(&group), bob()),
        grant("read", "Unknown", None, bob()),
        grant("nonsense", "", Some("x"), bob()),
        json!({ "action": "read", "authorizationResourceIdentifier": NOWHERE, "userIdentifier": "bob" }),
        json!({ "action": "read", "authorizationResourceIdentifier": "x", "userIdentifier": "bob" }),
    ] {
        let refused = app.bob().post(GRANTS, body).await;
        refused.refuse(404, "authorization:resource-not-found", json!([]));
    }
    for nothing in [NOWHERE, "x", ""] {
        let holder = json!({ "groupIdentifier": nothing });
        let refused = app
            .bob()
            .post(GRANTS, grant("read", GROUP_CLASS, Some(&group), holder))
            .await;
        refused.refuse(
            404,
            "authorization:group-not-found",
            json!(["groupIdentifier"]),
        );
    }
}

#[tokio::test]
async fn duplicate_grants_are_rejected() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    app.share_group(&group, "read", "bob").await;
    let again = grant("read", GROUP_CLASS, Some(&group), bob());
    let refused = app.alice().post(GRANTS, again.clone()).await;
    refused.refuse(409, "authorization:resource-action-grant-exists", json!([]));
    let refused = app.bob().post(GRANTS, again).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
}

#[tokio::test]
async fn managers_create_and_delete_grants() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    app.share_group(&group, "update", "bob").await;
    let new = grant(
        "read",
        GROUP_CLASS,
        Some(&group),
        json!({ "userIdentifier": "carol" }),
    );
    let refused = app.bob().post(GRANTS, new.clone()).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
    let shared = app.share_group(&group, "manage", "bob").await;
    let made = app.bob().post(GRANTS, new).await.expect(201);
    app.carol().delete(&at(GRANTS, &id(&made))).await.refuse(
        403,
        "authorization:forbidden",
        json!([]),
    );
    app.bob().delete(&at(GRANTS, &id(&made))).await.expect(204);
    app.bob()
        .delete(&at(GRANTS, &id(&shared)))
        .await
        .expect(204);
    let gone = app.bob().delete(&at(GRANTS, &id(&shared))).await;
    gone.refuse(
        404,
        "authorization:resource-action-grant-not-found",
        json!([]),
    );
}

#[tokio::test]
async fn the_last_manage_grant_of_an_item_cannot_be_deleted() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let own = id(&items(&app.alice().get(GRANTS).await.expect(200))[0]);
    let refused = app.alice().delete(&at(GRANTS, &own)).await;
    refused.refuse(409, "authorization:last-manage-grant", json!([]));
    app.bob()
        .delete(&at(GRANTS, &own))
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    // Any manage grant counts, regardless of its holder; other actions do not.
    app.share_group(&group, "read", "bob").await;
    app.alice().delete(&at(GRANTS, &own)).await.refuse(
        409,
        "authorization:last-manage-grant",
        json!([]),
    );
    let empty = json!({ "groupIdentifier": app.group("Empty").await });
    let other = grant("manage", GROUP_CLASS, Some(&group), empty);
    app.alice().post(GRANTS, other).await.expect(201);
    app.alice().delete(&at(GRANTS, &own)).await.expect(204);
    app.alice()
        .get(&at(GROUPS, &group))
        .await
        .refuse(403, "authorization:forbidden", json!([]));
}

#[tokio::test]
async fn the_last_manage_grant_of_a_collection_can_be_deleted() {
    let app = App::new().await;
    let on_collection = grant("manage", FORM_CLASS, None, bob());
    let made = app.admin().post(GRANTS, on_collection).await.expect(201);
    app.bob().delete(&at(GRANTS, &id(&made))).await.expect(204);

    let form = id(&app.form(json!({})).await);
    let on_submissions = grant("manage", COLLECTION_CLASS, Some(&form), bob());
    let made = app.alice().post(GRANTS, on_submissions).await.expect(201);
    app.bob().delete(&at(GRANTS, &id(&made))).await.expect(204);
}

#[tokio::test]
async fn holders_see_their_grants() {
    let app = App::new().await;
    let (target, holder) = (app.group("Target").await, app.group("Holder").await);
    let inner = app.group("Inner").await;
    let nest = json!({ "groupIdentifier": holder, "childGroupIdentifier": inner });
    app.alice().post(MEMBERS, nest).await.expect(201);
    let join = json!({ "groupIdentifier": inner, "userIdentifier": "bob" });
    app.alice().post(MEMBERS, join).await.expect(201);
    for (action, holder) in [
        ("read", json!({ "groupIdentifier": holder })),
        ("update", json!({ "dynamicGroupIdentifier": "staff" })),
        ("delete", json!({ "dynamicGroupIdentifier": "everybody" })),
    ] {
        app.alice()
            .post(GRANTS, grant(action, GROUP_CLASS, Some(&target), holder))
            .await
            .expect(201);
    }
    let bobs = app.bob().get(GRANTS).await.expect(200);
    assert_eq!(each(&bobs, "action"), ["read", "delete"]);
    let carols = app.carol().get(GRANTS).await.expect(200);
    assert_eq!(each(&carols, "action"), ["update", "delete"]);
    let path = at(GRANTS, &id(&items(&carols)[0]));
    app.carol().get(&path).await.expect(200);
    app.bob()
        .get(&path)
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    for nothing in [NOWHERE, "x"] {
        let refused = app.bob().get(&at(GRANTS, nothing)).await;
        refused.refuse(
            404,
            "authorization:resource-action-grant-not-found",
            json!([]),
        );
    }
}

#[tokio::test]
async fn the_list_is_filtered_by_resource() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let form = id(&app.form(json!({})).await);
    app.share_form(&form, "read", bob()).await;
    let list = app.alice().get(GRANTS).await.expect(200);
    assert_eq!(each(&list, "action"), ["manage", "manage", "read"]);
    assert_eq!(list["perPage"], 30);
    let count = async |filter: &[(&str, &str)]| {
        items(&app.alice().get(&query(GRANTS, filter)).await.expect(200)).len()
    };
    assert_eq!(count(&[("resourceClass", FORM_CLASS)]).await, 2);
    assert_eq!(count(&[("resourceIdentifier", &group)]).await, 1);
    assert_eq!(
        count(&[
            ("resourceClass", FORM_CLASS),
            ("resourceIdentifier", &group)
        ])
        .await,
        0
    );
    assert_eq!(
        count(&[("resourceIdentifier", &group.to_uppercase())]).await,
        0
    );
    assert_eq!(count(&[("resourceClass", "Unknown")]).await, 0);
}

#[tokio::test]
async fn grants_to_a_removed_dynamic_group_have_no_effect() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let staff = json!({ "dynamicGroupIdentifier": "staff" });
    app.alice()
        .post(GRANTS, grant("read", GROUP_CLASS, Some(&group), staff))
        .await
        .expect(201);
    app.carol().get(&at(GROUPS, &group)).await.expect(200);
    let later = App::on(app.store.clone(), "").await;
    later
        .carol()
        .get(&at(GROUPS, &group))
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    let seen = later.alice().get(GRANTS).await.expect(200);
    assert_eq!(items(&seen)[1]["dynamicGroupIdentifier"], "staff");
}
