use serde_json::json;

use crate::support::{ACTIONS, App, FORM_CLASS, GROUP_CLASS, at, each, grant, items};

#[tokio::test]
async fn everyone_may_read_the_actions_of_a_class() {
    let app = App::new().await;
    let read = app.bob().get(&at(ACTIONS, "VendorThing")).await.expect(200);
    let manage = json!({ "en": "Manage", "de": "Verwalten" });
    let expected = json!({
        "resourceClass": "VendorThing",
        "itemActions": { "write": { "en": "Write", "de": "Schreiben" }, "manage": manage },
        "collectionActions": { "create": { "en": "Create", "de": "Erstellen" }, "manage": manage },
    });
    assert_eq!(read, expected);
    for unknown in ["Unknown", "vendorthing", "%00", "a%2Fb", &"x".repeat(300)] {
        let refused = app.bob().get(&at(ACTIONS, unknown)).await;
        refused.refuse(404, "authorization:resource-class-not-found", json!([]));
    }
}

#[tokio::test]
async fn the_classes_of_the_service_have_the_actions_of_the_contract() {
    let app = App::new().await;
    for (class, item_actions, collection_actions) in [
        (
            GROUP_CLASS,
            vec![
                "add_members",
                "delete",
                "delete_members",
                "manage",
                "read",
                "update",
            ],
            vec!["create", "manage"],
        ),
        (
            FORM_CLASS,
            vec![
                "create_submissions",
                "delete",
                "delete_submissions",
                "manage",
                "read",
                "read_submissions",
                "update",
                "update_submissions",
            ],
            vec!["create", "manage"],
        ),
        (
            crate::support::COLLECTION_CLASS,
            vec!["create_submissions", "delete", "manage", "read", "update"],
            vec!["manage"],
        ),
        (
            crate::support::SUBMISSION_CLASS,
            vec!["delete", "manage", "read", "update"],
            vec!["manage"],
        ),
    ] {
        let read = app.bob().get(&at(ACTIONS, class)).await.expect(200);
        for (member, expected) in [
            ("itemActions", item_actions),
            ("collectionActions", collection_actions),
        ] {
            let actions = read[member].as_object().unwrap();
            let mut names: Vec<_> = actions.keys().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(names, expected, "{class} {member}");
            for labels in actions.values() {
                for language in ["en", "de"] {
                    assert!(
                        !labels[language].as_str().unwrap().is_empty(),
                        "{class} {labels}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn the_list_has_the_classes_that_the_caller_may_use() {
    let app = App::new().await;
    let classes = async |actor: crate::support::Actor<'_>| {
        let list = actor.get(ACTIONS).await.expect(200);
        each(&list, "resourceClass").join(" ")
    };
    assert_eq!(classes(app.bob()).await, "");
    assert_eq!(
        classes(app.alice()).await,
        GROUP_CLASS,
        "by the policy create_groups"
    );
    let group = app.group("Editors").await;
    app.share_group(&group, "delete_members", "bob").await;
    assert_eq!(classes(app.bob()).await, GROUP_CLASS);
    let on_collection = grant(
        "create",
        "VendorThing",
        None,
        json!({ "userIdentifier": "bob" }),
    );
    app.admin()
        .post(crate::support::GRANTS, on_collection)
        .await
        .expect(201);
    assert_eq!(
        classes(app.bob()).await,
        format!("{GROUP_CLASS} VendorThing")
    );
    let all = app.admin().get(ACTIONS).await.expect(200);
    insta::assert_json_snapshot!("classes", all);
    let item = app.bob().get(&at(ACTIONS, "VendorThing")).await.expect(200);
    assert_eq!(items(&all)[4], item);
}
