use serde_json::{Value, json};

use crate::support::{
    Answer, App, FORM_CLASS, FORMS, GRANTED, GRANTS, NOW, NOWHERE, SUBMISSIONS, at, draft, each,
    grant, id, items, query, submission,
};

fn invalid(answer: &Answer, names: &[&str]) {
    answer.refuse(400, "formalize:form-invalid", json!(names));
}

/// A form of Alice for which only the name was given.
fn plain(identifier: &str) -> Value {
    json!({
        "identifier": identifier,
        "name": "Newsletter",
        "dataFeedSchema": null,
        "grantBasedSubmissionAuthorization": false,
        "allowedActionsWhenSubmitted": [],
        "allowedSubmissionStates": ["submitted"],
        "availableStarts": null,
        "availabilityEnds": null,
        "maxNumSubmissionsPerCreator": null,
        "maxNumSubmissions": null,
        "localizedNames": {},
        "frontendKey": null,
        "additionalData": null,
        "contact": null,
        "tagPermissionsForSubmitters": ["read"],
        "availableTags": [],
        "dateCreated": NOW,
        "grantedActions": ["manage"],
        "numSubmissionsByCurrentUser": 0,
    })
}

#[tokio::test]
async fn a_form_is_created() {
    let app = App::new().await;
    let form = app
        .alice()
        .post(FORMS, json!({ "name": "Newsletter" }))
        .await
        .expect(201);
    assert_eq!(form, plain(&id(&form)));
    let read = app
        .alice()
        .get(&at(FORMS, &id(&form).to_uppercase()))
        .await
        .expect(200);
    assert_eq!(read, form);
}

#[tokio::test]
async fn a_form_is_created_with_all_members() {
    let app = App::new().await;
    let members = json!({
        "name": " Newsletter 📰 ",
        "dataFeedSchema": "{\"type\": \"object\"}",
        "grantBasedSubmissionAuthorization": true,
        "allowedActionsWhenSubmitted": ["update", "read", "update"],
        "allowedSubmissionStates": ["submitted", "draft", "draft"],
        "availableStarts": "2026-11-21",
        "availabilityEnds": "2026-11-21",
        "maxNumSubmissionsPerCreator": 3,
        "maxNumSubmissions": 300,
    });
    let form = app.form(members.clone()).await;
    let mut expected = plain(&id(&form));
    crate::support::merge(&mut expected, members);
    expected["allowedActionsWhenSubmitted"] = json!(["read", "update"]);
    expected["allowedSubmissionStates"] = json!(["draft", "submitted"]);
    expected["availableStarts"] = json!("2026-11-21T00:00:00.000Z");
    expected["availabilityEnds"] = json!("2026-11-21T23:59:59.999Z");
    assert_eq!(form, expected);
    assert_eq!(
        app.alice().get(&at(FORMS, &id(&form))).await.expect(200),
        expected
    );

    let nothing = json!({
        "dataFeedSchema": null, "availableStarts": null, "availabilityEnds": null,
        "maxNumSubmissionsPerCreator": null, "maxNumSubmissions": null,
    });
    let form = app.form(nothing).await;
    assert_eq!(form, plain(&id(&form)));
}

#[tokio::test]
async fn creating_forms_requires_permission() {
    let app = App::new().await;
    let new = json!({ "name": "Mine" });
    let refused = app.bob().post(FORMS, new.clone()).await;
    refused.refuse(403, "formalize:forbidden", json!([]));
    app.admin().post(FORMS, new.clone()).await.expect(201);
    let right = grant(
        "create",
        FORM_CLASS,
        None,
        json!({ "userIdentifier": "bob" }),
    );
    app.admin().post(GRANTS, right).await.expect(201);
    app.bob().post(FORMS, new).await.expect(201);
}

#[tokio::test]
async fn the_policy_sees_the_name_of_the_form() {
    let configuration = "[policies]
        create_forms = 'form.name.startsWith(user.id)'";
    let app = App::with(configuration).await;
    app.bob()
        .post(FORMS, json!({ "name": "bob's" }))
        .await
        .expect(201);
    let refused = app.bob().post(FORMS, json!({ "name": "alice's" })).await;
    refused.refuse(403, "formalize:forbidden", json!([]));
}

#[tokio::test]
async fn a_form_requires_a_name() {
    let app = App::new().await;
    for missing in [
        json!({}),
        json!({ "name": null }),
        json!({ "maxNumSubmissionsPerCreator": -1 }),
        json!({ "maxNumSubmissions": -1 }),
    ] {
        let refused = app.bob().post(FORMS, missing).await;
        refused.refuse(422, "formalize:required-field-missing", json!(["name"]));
    }
    let path = at(FORMS, &id(&app.form(json!({})).await));
    invalid(
        &app.alice().patch(&path, json!({ "name": null })).await,
        &["name"],
    );
    let longest = "ß".repeat(256);
    for name in ["x", " padded ", longest.as_str()] {
        assert_eq!(app.form(json!({ "name": name })).await["name"], name);
    }
    let too_long = "x".repeat(257);
    for name in ["", " \u{3000}", "a\nb", "\u{0}", "a\u{9f}", &too_long] {
        invalid(
            &app.alice().post(FORMS, json!({ "name": name })).await,
            &["name"],
        );
        invalid(
            &app.alice().patch(&path, json!({ "name": name })).await,
            &["name"],
        );
    }
}

#[tokio::test]
async fn all_invalid_values_of_a_form_are_reported() {
    let app = App::new().await;
    let path = at(FORMS, &id(&app.form(json!({})).await));
    let window = ["availableStarts", "availabilityEnds"];
    let cap = ["maxNumSubmissionsPerCreator"];
    let limit = ["maxNumSubmissions"];
    for (members, names) in [
        (
            json!({ "allowedActionsWhenSubmitted": ["read", "Read"] }),
            &["allowedActionsWhenSubmitted"][..],
        ),
        (
            json!({ "allowedActionsWhenSubmitted": ["create"] }),
            &["allowedActionsWhenSubmitted"],
        ),
        (
            json!({ "allowedSubmissionStates": [] }),
            &["allowedSubmissionStates"],
        ),
        (
            json!({ "allowedSubmissionStates": ["accepted"] }),
            &["allowedSubmissionStates"],
        ),
        (
            json!({ "availableStarts": "tomorrow" }),
            &["availableStarts"],
        ),
        (json!({ "availableStarts": "" }), &["availableStarts"]),
        (
            json!({ "availableStarts": "2026-11-21T08:00:00" }),
            &["availableStarts"],
        ),
        (
            json!({ "availabilityEnds": "2026-02-29" }),
            &["availabilityEnds"],
        ),
        (
            json!({ "availabilityEnds": "2026-11-21T24:30:00Z" }),
            &["availabilityEnds"],
        ),
        (
            json!({ "availableStarts": "2026-11-22", "availabilityEnds": "2026-11-21" }),
            &window,
        ),
        (
            json!({ "availableStarts": "2026-11-21T08:00:00.001Z", "availabilityEnds": NOW }),
            &window,
        ),
        (json!({ "maxNumSubmissionsPerCreator": -1 }), &cap),
        (json!({ "maxNumSubmissionsPerCreator": 3.5 }), &cap),
        (
            json!({ "maxNumSubmissionsPerCreator": 2_147_483_648_i64 }),
            &cap,
        ),
        (json!({ "maxNumSubmissionsPerCreator": 1e300 }), &cap),
        (json!({ "maxNumSubmissions": -1 }), &limit),
        (json!({ "maxNumSubmissions": 2_147_483_648_i64 }), &limit),
        (
            json!({
                "name": "", "allowedActionsWhenSubmitted": ["x"], "allowedSubmissionStates": [],
                "availableStarts": "x", "availabilityEnds": "x", "maxNumSubmissionsPerCreator": -1,
            }),
            &[
                "name",
                "allowedActionsWhenSubmitted",
                "allowedSubmissionStates",
                "availableStarts",
                "availabilityEnds",
                "maxNumSubmissionsPerCreator",
            ],
        ),
    ] {
        let mut body = json!({ "name": "x" });
        crate::support::merge(&mut body, members.clone());
        invalid(&app.alice().post(FORMS, body).await, names);
        invalid(&app.alice().patch(&path, members).await, names);
    }
}

#[tokio::test]
async fn values_of_a_form_are_returned_normalized() {
    let app = App::new().await;
    for (member, given, shown) in [
        (
            "availableStarts",
            json!("2026-11-21T09:00:00.1239+01:00"),
            json!("2026-11-21T08:00:00.123Z"),
        ),
        (
            "availabilityEnds",
            json!("2026-11-21t08:00:00z"),
            json!(NOW),
        ),
        (
            "availabilityEnds",
            json!("9999-12-31"),
            json!("9999-12-31T23:59:59.999Z"),
        ),
        (
            "availabilityEnds",
            json!("2028-02-29"),
            json!("2028-02-29T23:59:59.999Z"),
        ),
        ("maxNumSubmissionsPerCreator", json!(3.0), json!(3)),
        ("maxNumSubmissions", json!(3.0), json!(3)),
        ("maxNumSubmissionsPerCreator", json!(0), json!(0)),
        (
            "maxNumSubmissionsPerCreator",
            json!(2_147_483_647),
            json!(2_147_483_647),
        ),
        (
            "allowedActionsWhenSubmitted",
            json!(["manage", "manage"]),
            json!(["manage"]),
        ),
    ] {
        let form = app.form(json!({ member: given })).await;
        assert_eq!(form[member], shown, "{member}");
    }
    let equal = json!({ "availableStarts": NOW, "availabilityEnds": NOW });
    app.form(equal).await;
}

#[tokio::test]
async fn a_form_is_returned_to_readers() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let path = at(FORMS, &form);
    app.bob()
        .get(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    let bob = json!({ "userIdentifier": "bob" });
    app.share_form(&form, "create_submissions", bob.clone())
        .await;
    app.bob()
        .get(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    app.share_form(&form, "read", bob).await;
    let seen = app.bob().get(&path).await.expect(200);
    assert_eq!(
        seen["grantedActions"],
        json!(["create_submissions", "read"])
    );
    for nothing in [NOWHERE, "x", "%20"] {
        let refused = app.bob().get(&at(FORMS, nothing)).await;
        refused.refuse(404, "formalize:form-not-found", json!([]));
    }
}

#[tokio::test]
async fn an_item_has_the_number_of_the_callers_submissions() {
    let app = App::new().await;
    let form = app
        .open_form(json!({ "allowedSubmissionStates": ["draft", "submitted"] }))
        .await;
    app.share_form(&form, "read", json!({ "userIdentifier": "bob" }))
        .await;
    app.bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let count = |form: &Value| form["numSubmissionsByCurrentUser"].clone();
    let path = at(FORMS, &form);
    assert_eq!(count(&app.bob().get(&path).await.expect(200)), 2);
    assert_eq!(count(&app.alice().get(&path).await.expect(200)), 0);
    let list = app.bob().get(FORMS).await.expect(200);
    assert_eq!(items(&list)[0].get("numSubmissionsByCurrentUser"), None);
}

#[tokio::test]
async fn a_form_is_changed_member_by_member() {
    let app = App::new().await;
    let members = json!({
        "dataFeedSchema": "{}", "availableStarts": "2026-01-01", "availabilityEnds": "2026-12-31",
        "maxNumSubmissionsPerCreator": 3,
    });
    let mut form = app.form(members).await;
    let path = at(FORMS, &id(&form));
    for (member, value) in [
        ("name", json!("Renamed")),
        ("dataFeedSchema", json!("{ }")),
        ("dataFeedSchema", Value::Null),
        ("grantBasedSubmissionAuthorization", json!(true)),
        ("allowedActionsWhenSubmitted", json!(["read"])),
        ("allowedActionsWhenSubmitted", json!([])),
        ("allowedSubmissionStates", json!(["draft"])),
        ("availableStarts", Value::Null),
        ("availabilityEnds", Value::Null),
        ("maxNumSubmissionsPerCreator", json!(0)),
        ("maxNumSubmissionsPerCreator", Value::Null),
        ("maxNumSubmissions", json!(0)),
        ("maxNumSubmissions", Value::Null),
    ] {
        form[member] = value.clone();
        let changed = app
            .alice()
            .patch(&path, json!({ member: value }))
            .await
            .expect(200);
        assert_eq!(changed, form, "{member}");
        assert_eq!(app.alice().get(&path).await.expect(200), form, "{member}");
    }
    let unchanged = app.alice().patch(&path, json!({})).await.expect(200);
    assert_eq!(unchanged, form);
}

#[tokio::test]
async fn changing_one_end_of_a_window_checks_the_other() {
    let app = App::new().await;
    let form = app.form(json!({ "availableStarts": "2026-06-01" })).await;
    let path = at(FORMS, &id(&form));
    let refused = app
        .alice()
        .patch(&path, json!({ "availabilityEnds": "2026-05-31" }))
        .await;
    invalid(&refused, &["availableStarts", "availabilityEnds"]);
    app.alice()
        .patch(&path, json!({ "availabilityEnds": "2026-06-01" }))
        .await
        .expect(200);
    let refused = app
        .alice()
        .patch(&path, json!({ "availableStarts": "2026-06-02" }))
        .await;
    invalid(&refused, &["availableStarts", "availabilityEnds"]);
}

#[tokio::test]
async fn changing_a_form_requires_only_update() {
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let path = at(FORMS, &form);
    let change = json!({ "name": "Bob's" });
    app.bob()
        .patch(&path, change.clone())
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    app.share_form(&form, "update", json!({ "userIdentifier": "bob" }))
        .await;
    app.bob().patch(&path, change.clone()).await.expect(204);
    assert_eq!(app.alice().get(&path).await.expect(200)["name"], "Bob's");
    for nothing in [NOWHERE, "x"] {
        let refused = app.bob().patch(&at(FORMS, nothing), change.clone()).await;
        refused.refuse(404, "formalize:form-not-found", json!([]));
    }
}

#[tokio::test]
async fn the_kind_of_authorization_is_fixed_while_there_are_submissions() {
    let app = App::new().await;
    let form = app
        .open_form(json!({ "allowedSubmissionStates": ["draft"] }))
        .await;
    let path = at(FORMS, &form);
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let change = json!({ "grantBasedSubmissionAuthorization": true });
    let refused = app.alice().patch(&path, change.clone()).await;
    let names = json!(["grantBasedSubmissionAuthorization"]);
    refused.refuse(409, "formalize:form-has-submissions", names);
    let same = json!({ "grantBasedSubmissionAuthorization": false, "name": "Still" });
    app.alice().patch(&path, same).await.expect(200);
    app.bob()
        .delete(&at(SUBMISSIONS, &id(&made)))
        .await
        .expect(204);
    app.alice().patch(&path, change).await.expect(200);
}

#[tokio::test]
async fn deleting_a_form_deletes_all_that_belongs_to_it() {
    let app = App::new().await;
    let states = json!({
        "allowedSubmissionStates": ["draft", "submitted"], "grantBasedSubmissionAuthorization": true,
    });
    let form = app.open_form(states).await;
    let path = at(FORMS, &form);
    let one = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let other = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .delete(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    app.share_form(&form, "delete", json!({ "userIdentifier": "bob" }))
        .await;
    app.bob().delete(&path).await.expect(204);
    app.alice()
        .get(&path)
        .await
        .refuse(404, "formalize:form-not-found", json!([]));
    app.alice()
        .delete(&path)
        .await
        .refuse(404, "formalize:form-not-found", json!([]));
    for made in [one, other] {
        let gone = app.bob().get(&at(SUBMISSIONS, &id(&made))).await;
        gone.refuse(404, "formalize:submission-not-found", json!([]));
    }
    assert!(items(&app.bob().get(GRANTS).await.expect(200)).is_empty());
    let granted = app
        .alice()
        .get(&format!("{GRANTED}/{FORM_CLASS}/{form}"))
        .await
        .expect(200);
    assert_eq!(granted["actions"], json!([]));
}

#[tokio::test]
async fn the_list_has_exactly_the_readable_forms() {
    let app = App::new().await;
    let first = app
        .form(json!({ "name": "First", "dataFeedSchema": "{ }" }))
        .await;
    let second = app.form(json!({ "name": "Second" })).await;
    let without_count = |form: &Value| {
        let mut form = form.clone();
        for only_in_items in ["numSubmissionsByCurrentUser", "availableTags"] {
            form.as_object_mut().unwrap().remove(only_in_items);
        }
        form
    };
    let expected = json!({
        "items": [without_count(&first), without_count(&second)],
        "page": 1, "perPage": 30, "nextCursor": null,
    });
    assert_eq!(app.alice().get(FORMS).await.expect(200), expected);
    assert!(items(&app.bob().get(FORMS).await.expect(200)).is_empty());
    app.share_form(
        &id(&second),
        "read",
        json!({ "dynamicGroupIdentifier": "staff" }),
    )
    .await;
    assert_eq!(
        each(&app.carol().get(FORMS).await.expect(200), "name"),
        ["Second"]
    );
}

#[tokio::test]
async fn forms_are_filtered_by_readable_submissions() {
    let app = App::new().await;
    let everybody = json!({ "dynamicGroupIdentifier": "everybody" });
    let bob = json!({ "userIdentifier": "bob" });
    let mut forms = Vec::new();
    for (name, kept) in [
        ("all", json!([])),
        ("own", json!(["read"])),
        ("none", json!([])),
        ("draft", json!([])),
    ] {
        let members = json!({
            "name": name, "allowedActionsWhenSubmitted": kept,
            "allowedSubmissionStates": ["draft", "submitted"],
        });
        let form = app.open_form(members).await;
        app.share_form(&form, "read", everybody.clone()).await;
        forms.push(form);
    }
    app.share_form(&forms[0], "read_submissions", bob).await;
    for form in &forms[1..3] {
        app.bob()
            .post(SUBMISSIONS, submission(form, "{}"))
            .await
            .expect(201);
    }
    app.bob()
        .post(SUBMISSIONS, draft(&forms[3], "{}"))
        .await
        .expect(201);
    let names = async |value: &str| {
        let path = query(FORMS, &[("whereReadFormSubmissionsGranted", value)]);
        each(&app.bob().get(&path).await.expect(200), "name").join(" ")
    };
    assert_eq!(names("true").await, "all own draft");
    assert_eq!(names("false").await, "all own none draft");
    for value in ["", "1", "True", "yes"] {
        let refused = app
            .bob()
            .get(&query(FORMS, &[("whereReadFormSubmissionsGranted", value)]))
            .await;
        let names = json!(["whereReadFormSubmissionsGranted"]);
        refused.refuse(400, "formalize:invalid-parameter", names);
    }
}
