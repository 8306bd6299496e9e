use serde_json::{Value, json};

use crate::support::{
    Actor, App, COLLECTION_CLASS, FORM_CLASS, GROUP_CLASS, NOWHERE, RESOURCES, SUBMISSION_CLASS,
    SUBMISSIONS, at, each, id, items, query, submission, without_ids,
};

/// A resource in the list of a caller.
async fn find(actor: Actor<'_>, class: &str, identifier: &str) -> Option<Value> {
    let filter = [("resourceClass", class), ("resourceIdentifier", identifier)];
    let list = actor.get(&query(RESOURCES, &filter)).await.expect(200);
    assert!(items(&list).len() <= 1);
    items(&list).first().cloned()
}

#[tokio::test]
async fn a_group_is_a_resource() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let resource = find(app.alice(), GROUP_CLASS, &group).await.unwrap();
    let expected = json!({
        "identifier": resource["identifier"],
        "resourceClass": GROUP_CLASS,
        "resourceIdentifier": group,
        "grantedActions": ["manage"],
    });
    assert_eq!(resource, expected);
    let path = at(RESOURCES, &id(&resource));
    assert_eq!(app.alice().get(&path).await.expect(200), expected);
    assert_eq!(
        app.alice()
            .get(
                &path
                    .to_uppercase()
                    .replace("/AUTHORIZATION/RESOURCES", RESOURCES)
            )
            .await
            .expect(200),
        expected
    );
}

#[tokio::test]
async fn any_granted_action_makes_a_resource_readable() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let path = at(
        RESOURCES,
        &id(&find(app.alice(), GROUP_CLASS, &group).await.unwrap()),
    );
    app.bob()
        .get(&path)
        .await
        .refuse(403, "authorization:forbidden", json!([]));
    assert_eq!(find(app.bob(), GROUP_CLASS, &group).await, None);
    app.share_group(&group, "delete_members", "bob").await;
    let seen = app.bob().get(&path).await.expect(200);
    assert_eq!(seen["grantedActions"], json!(["delete_members"]));
    assert_eq!(find(app.bob(), GROUP_CLASS, &group).await, Some(seen));
    for nothing in [NOWHERE, "x", &group] {
        let refused = app.bob().get(&at(RESOURCES, nothing)).await;
        refused.refuse(404, "authorization:resource-not-found", json!([]));
    }
}

#[tokio::test]
async fn collections_are_always_resources() {
    let app = App::new().await;
    let list = app.admin().get(RESOURCES).await.expect(200);
    let mut collections = items(&list).clone();
    collections.sort_by_key(|collection| collection["resourceClass"].to_string());
    insta::assert_json_snapshot!("collections", without_ids(json!(collections)));
    let alices = app.alice().get(RESOURCES).await.expect(200);
    assert_eq!(
        each(&alices, "resourceClass"),
        [GROUP_CLASS],
        "by the policy create_groups"
    );
    assert!(items(&app.bob().get(RESOURCES).await.expect(200)).is_empty());
}

#[tokio::test]
async fn creating_a_form_creates_its_submission_collection() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    for class in [FORM_CLASS, COLLECTION_CLASS] {
        let resource = find(app.alice(), class, &form).await.unwrap();
        assert_eq!(resource["grantedActions"], json!(["manage"]), "{class}");
    }
    app.share_form(
        &form,
        "read_submissions",
        json!({ "userIdentifier": "bob" }),
    )
    .await;
    let on_form = find(app.bob(), FORM_CLASS, &form).await.unwrap();
    assert_eq!(on_form["grantedActions"], json!(["read_submissions"]));
    let on_collection = find(app.bob(), COLLECTION_CLASS, &form).await.unwrap();
    assert_eq!(on_collection["grantedActions"], json!(["read"]));
}

#[tokio::test]
async fn only_submissions_of_grant_based_forms_are_resources() {
    let app = App::new().await;
    for grant_based in [true, false] {
        let form = app
            .open_form(json!({
                "grantBasedSubmissionAuthorization": grant_based,
                "allowedActionsWhenSubmitted": ["manage"],
            }))
            .await;
        let made = app
            .bob()
            .post(SUBMISSIONS, submission(&form, "{}"))
            .await
            .expect(201);
        let found = find(app.bob(), SUBMISSION_CLASS, &id(&made)).await;
        assert_eq!(found.is_some(), grant_based);
    }
}

#[tokio::test]
async fn the_list_is_filtered_by_class_and_identifier() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let group = app.group("Editors").await;
    let count = async |filter: &[(&str, &str)]| {
        items(&app.alice().get(&query(RESOURCES, filter)).await.expect(200)).len()
    };
    assert_eq!(
        count(&[]).await,
        4,
        "the collection of groups, a group, a form, its submissions"
    );
    assert_eq!(count(&[("resourceClass", FORM_CLASS)]).await, 1);
    assert_eq!(count(&[("resourceClass", GROUP_CLASS)]).await, 2);
    assert_eq!(count(&[("resourceIdentifier", &form)]).await, 2);
    assert_eq!(
        count(&[
            ("resourceIdentifier", &group),
            ("resourceClass", FORM_CLASS)
        ])
        .await,
        0
    );
    assert_eq!(
        count(&[("resourceIdentifier", &form.to_uppercase())]).await,
        0
    );
    assert_eq!(
        count(&[("resourceClass", "dbprelayformalizeform")]).await,
        0
    );
    assert_eq!(count(&[("resourceClass", "Unknown")]).await, 0);
}
