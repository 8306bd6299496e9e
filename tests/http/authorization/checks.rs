//! Checks of many permissions at once.

use serde_json::{Value, json};

use crate::support::{
    App, CHECK, COLLECTION_CLASS, FORM_CLASS, FORMS, GRANTED, GROUP_CLASS, NOWHERE,
    SUBMISSION_CLASS, SUBMISSIONS, at, grant, id, submission,
};
use formalize_http::config::Rate;
use formalize_http::rate::RateLimits;

const INVALID: &str = "authorization:invalid-request-body";

fn check(class: &str, identifier: Option<&str>, action: &str) -> Value {
    json!({ "resourceClass": class, "resourceIdentifier": identifier, "action": action })
}

fn allowed(checked: &Value) -> Vec<bool> {
    let results = checked["results"].as_array().unwrap();
    let allowed = results.iter().map(|result| result["allowed"].as_bool());
    allowed.collect::<Option<_>>().unwrap()
}

#[tokio::test]
async fn permissions_are_answered_in_the_order_of_the_checks() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    app.share_group(&group, "read", "bob").await;
    let checks = json!({ "checks": [
        check(GROUP_CLASS, Some(&group), "update"),
        check(GROUP_CLASS, Some(&group), "read"),
        check("Unknown", None, "read"),
        check(GROUP_CLASS, None, "fly"),
        check(GROUP_CLASS, Some(NOWHERE), "read"),
        check(GROUP_CLASS, Some(&"x".repeat(300)), "read"),
        check(GROUP_CLASS, Some(&group), "read"),
    ] });
    let checked = app.bob().post(CHECK, checks).await.expect(200);
    let unknown = json!({
        "relay:errorId": "authorization:resource-class-not-found",
        "relay:errorDetails": ["resourceClass"],
    });
    let undefined = json!({
        "relay:errorId": "authorization:resource-action-grant-invalid-action-undefined",
        "relay:errorDetails": ["action"],
    });
    let expected = json!({ "results": [
        { "allowed": false },
        { "allowed": true },
        { "allowed": false, "error": unknown },
        { "allowed": false, "error": undefined },
        { "allowed": false },
        { "allowed": false },
        { "allowed": true },
    ] });
    assert_eq!(checked, expected);
}

#[tokio::test]
async fn members_beside_the_checks_count_for_each_that_lacks_them() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let alone = check(GROUP_CLASS, Some(&group), "manage");
    let checked = app.alice().post(CHECK, alone).await.expect(200);
    assert_eq!(allowed(&checked), [true]);
    let checks = json!({
        "resourceClass": GROUP_CLASS,
        "resourceIdentifier": group,
        "action": "update",
        "checks": [
            {},
            { "resourceIdentifier": NOWHERE },
            { "resourceIdentifier": null, "action": "create" },
            { "resourceClass": FORM_CLASS },
        ],
    });
    let checked = app.alice().post(CHECK, checks).await.expect(200);
    assert_eq!(allowed(&checked), [true, false, true, false]);
}

/// The answers are those of granted actions, and those of the operations.
#[tokio::test]
async fn checks_agree_with_granted_actions_and_operations() {
    let app = App::new().await;
    let form = app
        .open_form(json!({ "allowedActionsWhenSubmitted": ["read"] }))
        .await;
    let made = submission(&form, "{}");
    let made = id(&app.bob().post(SUBMISSIONS, made).await.expect(201));
    let bob = json!({ "userIdentifier": "bob" });
    let shared = grant("update", COLLECTION_CLASS, Some(&form), bob);
    let shared = app.alice().post(crate::support::GRANTS, shared).await;
    shared.expect(201);
    for (class, identifier) in [
        (FORM_CLASS, &form),
        (COLLECTION_CLASS, &form),
        (SUBMISSION_CLASS, &made),
    ] {
        let path = at(&at(GRANTED, class), identifier);
        for actor in [App::alice, App::bob, App::carol, App::admin] {
            let granted = actor(&app).get(&path).await.expect(200)["actions"].clone();
            let granted: Vec<String> = serde_json::from_value(granted).unwrap();
            for action in ["read", "update", "delete", "manage", "update_submissions"] {
                let check = check(class, Some(identifier), action);
                let checked = actor(&app).post(CHECK, check).await.expect(200);
                let is_defined = checked["results"][0]["error"].is_null();
                let expected =
                    is_defined && granted.iter().any(|it| it == action || it == "manage");
                assert_eq!(
                    allowed(&checked),
                    [expected],
                    "{class} {action} {granted:?}"
                );
            }
        }
    }
    let read = app.carol().get(&at(SUBMISSIONS, &made)).await;
    read.refuse(403, "formalize:forbidden", json!([]));
    let read = check(SUBMISSION_CLASS, Some(&made), "read");
    let checked = app.carol().post(CHECK, read).await.expect(200);
    assert_eq!(allowed(&checked), [false]);
}

/// Policies give the right to create forms without an action of the collection.
#[tokio::test]
async fn who_may_create_forms_by_policy_is_told_so() {
    let app = App::new().await;
    let create = check(FORM_CLASS, None, "create");
    let checked = app.alice().post(CHECK, create.clone()).await.expect(200);
    assert_eq!(allowed(&checked), [true]);
    let created = app.alice().post(FORMS, json!({ "name": "A" })).await;
    created.expect(201);
    let checked = app.bob().post(CHECK, create.clone()).await.expect(200);
    assert_eq!(allowed(&checked), [false]);

    let app = App::with("policies.create_forms = 'form.name.startsWith(\"A\")'").await;
    let checked = app.alice().post(CHECK, create).await.expect(200);
    assert_eq!(allowed(&checked), [false], "without a name");
}

#[tokio::test]
async fn others_are_checked_only_by_whom_the_policy_names() {
    let configuration = r#"
        [policies]
        create_groups = 'user.attributes.level == 3.0 || user.id == "dora"'
        check_others = 'user.id == "bob"'
    "#;
    let app = App::with(configuration).await;
    let of = |user: &str, level: Value| {
        json!({
            "resourceClass": GROUP_CLASS,
            "action": "create",
            "userIdentifier": user,
            "attributes": { "level": level },
        })
    };
    for (asked, expected) in [
        (of("dora", json!(1)), true),
        (of("emma", json!(3)), true),
        (of("emma", json!(2)), false),
        (of("bob", json!([])), false),
    ] {
        let checked = app.bob().post(CHECK, asked.clone()).await.expect(200);
        assert_eq!(allowed(&checked), [expected], "{asked}");
    }
    let refused = app.alice().post(CHECK, of("dora", json!(1))).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
    let refused = app.alice().post(CHECK, of("alice", json!(1))).await;
    refused.refuse(403, "authorization:forbidden", json!([]));
}

#[tokio::test]
async fn malformed_checks_are_refused_with_their_places() {
    let app = App::new().await;
    let good = check(GROUP_CLASS, None, "create");
    for (body, details) in [
        (json!({}), json!(["action", "resourceClass"])),
        (json!({ "checks": [] }), json!(["checks"])),
        (json!({ "checks": {} }), json!(["checks"])),
        (
            json!({ "checks": [good, good, good, { "resourceClass": GROUP_CLASS }] }),
            json!(["checks/3/action"]),
        ),
        (
            json!({ "checks": [{ "action": 1, "resourceClass": null }, good, 7] }),
            json!(["checks/0/action", "checks/0/resourceClass", "checks/2"]),
        ),
        (
            json!({ "checks": [{ "who": "x" }], "action": "read", "resourceClass": GROUP_CLASS }),
            json!(["checks/0/who"]),
        ),
        (json!({ "checks": [good], "user": "x" }), json!(["user"])),
        (
            json!({ "checks": [good], "attributes": {} }),
            json!(["userIdentifier"]),
        ),
        (
            json!({ "checks": [good], "userIdentifier": "" }),
            json!(["userIdentifier"]),
        ),
        (
            json!({ "checks": [good], "userIdentifier": "x", "attributes": [] }),
            json!(["attributes"]),
        ),
    ] {
        let refused = app.alice().post(CHECK, body.clone()).await;
        refused.refuse(400, INVALID, details);
    }
    let thousand = |count: usize| json!({ "checks": vec![good.clone(); count] });
    let most = app.alice().post(CHECK, thousand(1000)).await.expect(200);
    assert_eq!(allowed(&most), vec![true; 1000]);
    let refused = app.alice().post(CHECK, thousand(1001)).await;
    refused.refuse(413, "authorization:payload-too-large", json!([]));
}

#[tokio::test]
async fn a_hundred_checks_count_as_a_request() {
    let rate = |text: &str| text.parse::<Rate>().unwrap();
    let rates = RateLimits::new(rate("10/1h"), rate("off"), Vec::new());
    let app = App::new().await.rated(rates);
    let good = check(GROUP_CLASS, None, "create");
    let checks = |count: usize| json!({ "checks": vec![good.clone(); count] });
    app.alice().post(CHECK, checks(401)).await.expect(200);
    app.alice().post(CHECK, checks(400)).await.expect(200);
    let refused = app.alice().post(CHECK, checks(101)).await;
    refused.refuse(429, "authorization:too-many-requests", json!([]));
    assert!(refused.header("retry-after").is_some());
    app.bob().post(CHECK, checks(1000)).await.expect(200);
}
