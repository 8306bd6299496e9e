use serde_json::json;

use crate::support::{
    App, COLLECTION_CLASS, FORM_CLASS, GRANTED, GROUP_CLASS, NOWHERE, SUBMISSION_CLASS,
    SUBMISSIONS, at, id, submission,
};

#[tokio::test]
async fn granted_actions_on_an_item() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let path = format!("{GRANTED}/{GROUP_CLASS}/{group}");
    let granted = |actions: &[&str]| json!({ "resourceClass": GROUP_CLASS, "resourceIdentifier": group, "actions": actions });
    assert_eq!(
        app.alice().get(&path).await.expect(200),
        granted(&["manage"])
    );
    assert_eq!(app.bob().get(&path).await.expect(200), granted(&[]));
    app.share_group(&group, "update", "bob").await;
    app.share_group(&group, "read", "bob").await;
    assert_eq!(
        app.bob().get(&path).await.expect(200),
        granted(&["read", "update"])
    );
    app.share_group(&group, "manage", "bob").await;
    assert_eq!(app.bob().get(&path).await.expect(200), granted(&["manage"]));
}

#[tokio::test]
async fn granted_actions_on_a_collection() {
    let app = App::new().await;
    let path = at(GRANTED, GROUP_CLASS);
    let granted = |actions: &[&str]| json!({ "resourceClass": GROUP_CLASS, "resourceIdentifier": null, "actions": actions });
    assert_eq!(
        app.admin().get(&path).await.expect(200),
        granted(&["manage"])
    );
    assert_eq!(
        app.alice().get(&path).await.expect(200),
        granted(&["manage"])
    );
    assert_eq!(app.bob().get(&path).await.expect(200), granted(&[]));
}

#[tokio::test]
async fn unknown_resources_have_no_granted_actions() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let upper = group.to_uppercase();
    for (class, identifier) in [
        (GROUP_CLASS, NOWHERE),
        (GROUP_CLASS, upper.as_str()),
        (FORM_CLASS, group.as_str()),
        ("Unknown", "x"),
        ("Unknown", "ä b/c"),
    ] {
        let path = format!(
            "{GRANTED}/{class}/{}",
            formalize_http::percent::encode(identifier)
        );
        let expected =
            json!({ "resourceClass": class, "resourceIdentifier": identifier, "actions": [] });
        assert_eq!(app.alice().get(&path).await.expect(200), expected);
    }
    app.alice()
        .get(&format!("{GRANTED}/{}/{}", "x".repeat(300), "%00"))
        .await
        .expect(200);
}

#[tokio::test]
async fn forms_and_their_submission_collections_agree() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let actions = async |class: &str| {
        let path = format!("{GRANTED}/{class}/{form}");
        app.bob().get(&path).await.expect(200)["actions"].clone()
    };
    let bob = json!({ "userIdentifier": "bob" });
    app.share_form(&form, "create_submissions", bob.clone())
        .await;
    app.share_form(&form, "update_submissions", bob.clone())
        .await;
    assert_eq!(
        actions(FORM_CLASS).await,
        json!(["create_submissions", "update_submissions"])
    );
    assert_eq!(
        actions(COLLECTION_CLASS).await,
        json!(["create_submissions", "update"])
    );
    let on_collection = crate::support::grant("manage", COLLECTION_CLASS, Some(&form), bob.clone());
    app.alice()
        .post(crate::support::GRANTS, on_collection)
        .await
        .expect(201);
    let four = json!([
        "create_submissions",
        "delete_submissions",
        "read_submissions",
        "update_submissions"
    ]);
    assert_eq!(actions(FORM_CLASS).await, four);
    assert_eq!(actions(COLLECTION_CLASS).await, json!(["manage"]));
    app.share_form(&form, "manage", bob).await;
    assert_eq!(actions(FORM_CLASS).await, json!(["manage"]));
}

#[tokio::test]
async fn submissions_that_are_not_resources_have_granted_actions() {
    let app = App::new().await;
    let form = app
        .open_form(json!({ "allowedActionsWhenSubmitted": ["read", "delete"] }))
        .await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let path = format!("{GRANTED}/{SUBMISSION_CLASS}/{}", id(&made));
    assert_eq!(
        app.bob().get(&path).await.expect(200)["actions"],
        json!(["delete", "read"])
    );
    assert_eq!(
        app.carol().get(&path).await.expect(200)["actions"],
        json!([])
    );
    let owner = app.alice().get(&path).await.expect(200);
    assert_eq!(
        owner["actions"],
        json!(["delete", "read", "update"]),
        "no form-level right shares"
    );
}
