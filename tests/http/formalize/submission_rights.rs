//! Examples for section 5.3: what a caller may do with one submission.

use serde_json::{Value, json};

use crate::support::{
    Actor, App, COLLECTION_CLASS, FORMS, GRANTED, GRANTS, SUBMISSION_CLASS, SUBMISSIONS, at, draft,
    each, grant, id, items, query, submission,
};

const BOTH: [&str; 2] = ["draft", "submitted"];

fn form(grant_based: bool, kept: &[&str]) -> Value {
    json!({
        "grantBasedSubmissionAuthorization": grant_based,
        "allowedActionsWhenSubmitted": kept,
        "allowedSubmissionStates": BOTH,
    })
}

/// The granted actions of an actor on a submission. All places that return them must agree with each other and with
/// reading and listing.
async fn rights(actor: Actor<'_>, made: &Value) -> Value {
    let path = format!("{GRANTED}/{SUBMISSION_CLASS}/{}", id(made));
    let actions = actor.get(&path).await.expect(200)["actions"].clone();
    let readable = ["read", "manage"]
        .iter()
        .any(|action| actions.as_array().unwrap().contains(&json!(action)));
    let answer = actor.get(&at(SUBMISSIONS, &id(made))).await;
    if readable {
        assert_eq!(answer.expect(200)["grantedActions"], actions);
    } else {
        answer.refuse(403, "formalize:forbidden", json!([]));
    }
    let filter = [("formIdentifier", made["formIdentifier"].as_str().unwrap())];
    let list = actor.get(&query(SUBMISSIONS, &filter)).await.expect(200);
    let listed = items(&list)
        .iter()
        .find(|item| item["identifier"] == made["identifier"]);
    assert_eq!(
        listed.map(|item| &item["grantedActions"]),
        readable.then_some(&actions)
    );
    actions
}

async fn share(by: Actor<'_>, made: &Value, action: &str, holder: Value) -> crate::support::Answer {
    by.post(
        GRANTS,
        grant(action, SUBMISSION_CLASS, Some(&id(made)), holder),
    )
    .await
}

#[tokio::test]
async fn creators_have_all_actions_on_drafts_and_later_those_of_the_form() {
    let app = App::new().await;
    for (kept, rest) in [
        (&[][..], json!([])),
        (&["read"], json!(["read"])),
        (&["update", "delete"], json!(["delete", "update"])),
        (&["manage"], json!(["manage"])),
        (&["read", "manage"], json!(["manage"])),
    ] {
        let form = app.open_form(form(false, kept)).await;
        let drafted = app
            .bob()
            .post(SUBMISSIONS, draft(&form, "{}"))
            .await
            .expect(201);
        assert_eq!(
            rights(app.bob(), &drafted).await,
            json!(["delete", "read", "update"])
        );
        assert_eq!(rights(app.carol(), &drafted).await, json!([]));
        let made = app
            .bob()
            .post(SUBMISSIONS, submission(&form, "{}"))
            .await
            .expect(201);
        assert_eq!(rights(app.bob(), &made).await, rest);
        assert_eq!(rights(app.carol(), &made).await, json!([]));
    }
}

#[tokio::test]
async fn grants_on_the_form_do_not_extend_to_drafts_of_others() {
    let app = App::new().await;
    for grant_based in [true, false] {
        let form = app.open_form(form(grant_based, &["manage"])).await;
        let drafted = app
            .bob()
            .post(SUBMISSIONS, draft(&form, "{}"))
            .await
            .expect(201);
        assert_eq!(
            rights(app.alice(), &drafted).await,
            json!([]),
            "not even manage"
        );
        let path = at(SUBMISSIONS, &id(&drafted));
        app.alice()
            .patch(&path, json!({}))
            .await
            .refuse(403, "formalize:forbidden", json!([]));
        app.alice()
            .delete(&path)
            .await
            .refuse(403, "formalize:forbidden", json!([]));
        app.bob().patch(&path, json!({})).await.expect(200);
        assert_eq!(
            rights(app.alice(), &drafted).await,
            json!(["delete", "read", "update"])
        );
    }
}

#[tokio::test]
async fn grants_on_form_and_submission_collection_are_equivalent() {
    let app = App::new().await;
    let form = app.open_form(form(false, &[])).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let carol = json!({ "userIdentifier": "carol" });
    app.share_form(&form, "read_submissions", carol.clone())
        .await;
    assert_eq!(rights(app.carol(), &made).await, json!(["read"]));
    let update = grant("update", COLLECTION_CLASS, Some(&form), carol.clone());
    app.alice().post(GRANTS, update).await.expect(201);
    assert_eq!(rights(app.carol(), &made).await, json!(["read", "update"]));
    let create = grant(
        "create_submissions",
        COLLECTION_CLASS,
        Some(&form),
        json!({ "userIdentifier": "admin" }),
    );
    app.alice().post(GRANTS, create).await.expect(201);
    let manage = grant("manage", COLLECTION_CLASS, Some(&form), carol);
    app.alice().post(GRANTS, manage).await.expect(201);
    assert_eq!(
        rights(app.carol(), &made).await,
        json!(["delete", "read", "update"])
    );
    app.carol()
        .get(&at(FORMS, &form))
        .await
        .refuse(403, "formalize:forbidden", json!([]));
}

#[tokio::test]
async fn managers_of_the_submission_collection_may_submit() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    let manage = grant(
        "manage",
        COLLECTION_CLASS,
        Some(&form),
        json!({ "userIdentifier": "bob" }),
    );
    app.alice().post(GRANTS, manage).await.expect(201);
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
}

#[tokio::test]
async fn grants_share_drafts_of_grant_based_forms() {
    let app = App::new().await;
    let form = app.open_form(form(true, &["read"])).await;
    let drafted = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    assert_eq!(rights(app.bob(), &drafted).await, json!(["manage"]));
    let refused = share(
        app.alice(),
        &drafted,
        "read",
        json!({ "userIdentifier": "carol" }),
    )
    .await;
    refused.refuse(403, "authorization:forbidden", json!([]));
    share(
        app.bob(),
        &drafted,
        "update",
        json!({ "userIdentifier": "carol" }),
    )
    .await
    .expect(201);
    assert_eq!(rights(app.carol(), &drafted).await, json!(["update"]));
    let path = at(SUBMISSIONS, &id(&drafted));
    let keep = json!({ "dataFeedElement": "{}", "submissionState": "draft" });
    app.carol().patch(&path, keep).await.expect(204);
    // Carol submits it, because a change without a state submits.
    app.carol().patch(&path, json!({})).await.expect(204);
    assert_eq!(rights(app.bob(), &drafted).await, json!(["read"]));
    assert_eq!(
        rights(app.carol(), &drafted).await,
        json!([]),
        "update is not allowed any more"
    );
    let refused = share(
        app.bob(),
        &drafted,
        "read",
        json!({ "userIdentifier": "carol" }),
    )
    .await;
    refused.refuse(403, "authorization:forbidden", json!([]));
}

#[tokio::test]
async fn after_submission_the_form_limits_granted_actions() {
    let app = App::new().await;
    let holder = json!({ "dynamicGroupIdentifier": "staff" });
    for (kept, bobs, carols) in [
        (&[][..], json!([]), json!([])),
        (&["read"], json!(["read"]), json!([])),
        (
            &["read", "update"],
            json!(["read", "update"]),
            json!(["update"]),
        ),
        (&["manage"], json!(["manage"]), json!(["update"])),
    ] {
        let form = app.open_form(form(true, kept)).await;
        let drafted = app
            .bob()
            .post(SUBMISSIONS, draft(&form, "{}"))
            .await
            .expect(201);
        share(app.bob(), &drafted, "update", holder.clone())
            .await
            .expect(201);
        app.bob()
            .patch(&at(SUBMISSIONS, &id(&drafted)), json!({}))
            .await;
        assert_eq!(rights(app.bob(), &drafted).await, bobs, "{kept:?}");
        assert_eq!(rights(app.carol(), &drafted).await, carols, "{kept:?}");
        let shared = share(app.bob(), &drafted, "read", holder.clone()).await;
        assert_eq!(
            shared.status.as_u16(),
            if kept == ["manage"] { 201 } else { 403 },
            "{kept:?}"
        );
    }
}

#[tokio::test]
async fn grants_on_the_form_do_not_allow_sharing_submissions() {
    let app = App::new().await;
    let form = app.open_form(form(true, &["manage"])).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    assert_eq!(
        rights(app.alice(), &made).await,
        json!(["delete", "read", "update"])
    );
    let carol = json!({ "userIdentifier": "carol" });
    let refused = share(app.alice(), &made, "read", carol.clone()).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
    share(app.bob(), &made, "manage", carol).await.expect(201);
    assert_eq!(rights(app.carol(), &made).await, json!(["manage"]));
    let seen = app
        .alice()
        .get(&query(GRANTS, &[("resourceClass", SUBMISSION_CLASS)]))
        .await
        .expect(200);
    assert!(
        items(&seen).is_empty(),
        "Alice manages the form, not the submission"
    );
    let seen = app
        .carol()
        .get(&query(GRANTS, &[("resourceClass", SUBMISSION_CLASS)]))
        .await
        .expect(200);
    assert_eq!(each(&seen, "userIdentifier"), ["bob", "carol"]);
}

#[tokio::test]
async fn submissions_of_creator_based_forms_cannot_be_shared() {
    let app = App::new().await;
    let form = app.open_form(form(false, &["manage"])).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    assert_eq!(rights(app.bob(), &made).await, json!(["manage"]));
    let refused = share(
        app.bob(),
        &made,
        "read",
        json!({ "userIdentifier": "carol" }),
    )
    .await;
    refused.refuse(404, "authorization:resource-not-found", json!([]));
}

#[tokio::test]
async fn updating_and_deleting_require_only_that_action() {
    let app = App::new().await;
    let form = app.open_form(form(false, &["update", "delete"])).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    app.bob()
        .get(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    app.bob()
        .patch(&path, json!({ "dataFeedElement": "{\"a\":1}" }))
        .await
        .expect(204);
    app.bob().delete(&path).await.expect(204);
}

#[tokio::test]
async fn the_last_manage_grant_of_a_submission_cannot_be_deleted() {
    let app = App::new().await;
    let form = app.open_form(form(true, &["manage"])).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let own = app
        .bob()
        .get(&query(GRANTS, &[("resourceIdentifier", &id(&made))]))
        .await
        .expect(200);
    let refused = app.bob().delete(&at(GRANTS, &id(&items(&own)[0]))).await;
    refused.refuse(409, "authorization:last-manage-grant", json!([]));
}

#[tokio::test]
async fn changing_the_form_changes_allowed_actions() {
    let app = App::new().await;
    let form = app.open_form(form(false, &[])).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    assert_eq!(rights(app.bob(), &made).await, json!([]));
    let change = json!({ "allowedActionsWhenSubmitted": ["read"] });
    app.alice()
        .patch(&at(FORMS, &form), change)
        .await
        .expect(200);
    assert_eq!(rights(app.bob(), &made).await, json!(["read"]));
}
