use formalize_core::Timestamp;
use serde_json::json;

use crate::support::{
    App, FORMS, NOW, NOWHERE, SUBMISSIONS, at, draft, each, id, items, query, submission,
    without_ids,
};

const BOTH: [&str; 2] = ["draft", "submitted"];
const LATER: &str = "2026-11-21T09:30:00.000Z";

fn list(form: &str) -> String {
    query(SUBMISSIONS, &[("formIdentifier", form)])
}

#[tokio::test]
async fn a_submission_is_created() {
    let app = App::new().await;
    let form = app
        .open_form(json!({ "allowedActionsWhenSubmitted": ["read", "update"] }))
        .await;
    let data = r#"{ "email": "bob@example.org" }"#;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form.to_uppercase(), data))
        .await
        .expect(201);
    let expected = json!({
        "identifier": made["identifier"],
        "formIdentifier": form,
        "dataFeedElement": data,
        "submissionState": "submitted",
        "creatorId": "bob",
        "lastModifiedById": "bob",
        "dateCreated": NOW,
        "dateLastModified": NOW,
        "submittedFiles": [],
        "tags": [],
        "grantedActions": ["read", "update"],
        "grantedTagActions": ["read"],
    });
    assert_eq!(made, expected);
    assert_eq!(
        app.bob()
            .get(&at(SUBMISSIONS, &id(&made)))
            .await
            .expect(200),
        expected
    );
}

#[tokio::test]
async fn missing_members_have_defaults() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    for body in [
        json!({ "formIdentifier": form }),
        json!({ "formIdentifier": form, "dataFeedElement": null }),
    ] {
        let made = app.bob().post(SUBMISSIONS, body).await.expect(201);
        insta::assert_json_snapshot!("submission_with_defaults", without_ids(made));
    }
}

#[tokio::test]
async fn a_submission_requires_its_form() {
    let app = App::new().await;
    for missing in [
        json!({}),
        json!({ "formIdentifier": null, "dataFeedElement": "{}" }),
    ] {
        let refused = app.bob().post(SUBMISSIONS, missing).await;
        refused.refuse(
            422,
            "formalize:required-field-missing",
            json!(["formIdentifier"]),
        );
    }
    for nothing in [NOWHERE, "x", ""] {
        let refused = app.bob().post(SUBMISSIONS, submission(nothing, "{")).await;
        refused.refuse(404, "formalize:form-not-found", json!([]));
    }
    let form = id(&app.form(json!({})).await);
    let refused = app.bob().post(SUBMISSIONS, submission(&form, "{")).await;
    refused.refuse(403, "formalize:forbidden", json!([]));
}

#[tokio::test]
async fn the_state_must_be_allowed_by_the_form() {
    let app = App::new().await;
    let submitted_only = app.open_form(json!({})).await;
    let drafts_only = app
        .open_form(json!({ "allowedSubmissionStates": ["draft"] }))
        .await;
    let not_allowed = "formalize:submission-state-not-allowed";
    let refused = app
        .bob()
        .post(SUBMISSIONS, draft(&submitted_only, "{}"))
        .await;
    refused.refuse(400, not_allowed, json!(["draft"]));
    let refused = app
        .bob()
        .post(SUBMISSIONS, submission(&drafts_only, "{}"))
        .await;
    refused.refuse(400, not_allowed, json!(["submitted"]));
    for word in ["accepted", "Draft", "", "sub\u{0}mitted"] {
        let mut body = submission(&drafts_only, "{}");
        body["submissionState"] = json!(word);
        let refused = app.bob().post(SUBMISSIONS, body).await;
        refused.refuse(400, not_allowed, json!([word]));
    }
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&drafts_only, "{}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    // A change without a state means `submitted`.
    let refused = app
        .bob()
        .patch(&path, json!({ "dataFeedElement": "{}" }))
        .await;
    refused.refuse(400, not_allowed, json!(["submitted"]));
    let refused = app
        .bob()
        .patch(&path, json!({ "submissionState": "x" }))
        .await;
    refused.refuse(400, not_allowed, json!(["x"]));
}

#[tokio::test]
async fn a_draft_is_corrected_and_then_submitted() {
    let app = App::new().await;
    let members = json!({
        "allowedSubmissionStates": BOTH, "allowedActionsWhenSubmitted": ["read", "update"],
        "dataFeedSchema": r#"{"required": ["email"]}"#,
    });
    let form = app.open_form(members).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "[1]"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    app.travel(LATER);
    let keep = json!({ "dataFeedElement": "{ }", "submissionState": "draft" });
    let kept = app.bob().patch(&path, keep).await.expect(200);

    let refused = app.bob().patch(&path, json!({})).await;
    refused.problem(400, "formalize:submission-invalid-json");
    let right = json!({ "dataFeedElement": r#"{"email": 1}"# });
    let submitted = app.bob().patch(&path, right).await.expect(200);
    let states = without_ids(json!([made, kept, submitted]));
    insta::assert_json_snapshot!("a_draft_until_it_is_submitted", states);

    let back = json!({ "submissionState": "draft" });
    let refused = app.bob().patch(&path, back).await;
    let error_id = "formalize:submission-state-transition-not-allowed";
    refused.refuse(409, error_id, json!(["submissionState"]));
}

#[tokio::test]
async fn a_change_without_a_state_submits_a_draft() {
    let app = App::new().await;
    let members =
        json!({ "allowedSubmissionStates": BOTH, "allowedActionsWhenSubmitted": ["read"] });
    let form = app.open_form(members).await;
    for change in [
        json!({}),
        json!({ "dataFeedElement": "{}" }),
        json!({ "dataFeedElement": null }),
    ] {
        let made = app
            .bob()
            .post(SUBMISSIONS, draft(&form, "{\"a\":1}"))
            .await
            .expect(201);
        let changed = app
            .bob()
            .patch(&at(SUBMISSIONS, &id(&made)), change.clone())
            .await
            .expect(200);
        assert_eq!(changed["submissionState"], "submitted");
        let data = change.get("dataFeedElement").cloned();
        assert_eq!(
            changed["dataFeedElement"],
            data.unwrap_or(json!("{\"a\":1}"))
        );
    }
}

#[tokio::test]
async fn callers_who_lose_read_access_get_no_body() {
    let app = App::new().await;
    let form = app
        .open_form(json!({ "allowedSubmissionStates": BOTH }))
        .await;
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    app.bob().patch(&path, json!({})).await.expect(204);
    app.bob()
        .get(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
}

#[tokio::test]
async fn submissions_name_their_last_editor() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    app.travel(LATER);
    let changed = app
        .alice()
        .patch(&path, json!({ "dataFeedElement": "{\"a\":1}" }))
        .await
        .expect(200);
    assert_eq!(changed["creatorId"], "bob");
    assert_eq!(changed["lastModifiedById"], "alice");
    assert_eq!(changed["dateLastModified"], LATER);
}

#[tokio::test]
async fn submitting_is_restricted_to_the_window() {
    let app = App::new().await;
    let window = |starts: &str, ends: &str| {
        json!({
            "allowedSubmissionStates": BOTH, "allowedActionsWhenSubmitted": ["manage"],
            "availableStarts": starts, "availabilityEnds": ends,
        })
    };
    let closed = "formalize:submission-form-currently-not-available";
    for (starts, ends, open) in [
        (NOW, NOW, true),
        ("2026-11-21", "2026-11-21", true),
        ("2026-11-21T08:00:00.001Z", LATER, false),
        ("2026-11-20", "2026-11-21T07:59:59.999Z", false),
    ] {
        let form = app.open_form(window(starts, ends)).await;
        let answer = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
        if open {
            answer.expect(201);
        } else {
            answer.refuse(400, closed, json!([]));
        }
    }

    let form = app.open_form(window(NOW, NOW)).await;
    let submitted = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let drafted = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    app.travel(LATER);
    let path = at(SUBMISSIONS, &id(&drafted));
    app.bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .patch(&path, json!({ "submissionState": "draft" }))
        .await
        .expect(200);
    app.bob()
        .patch(&path, json!({}))
        .await
        .refuse(400, closed, json!([]));
    app.bob()
        .patch(&at(SUBMISSIONS, &id(&submitted)), json!({}))
        .await
        .expect(200);
}

#[tokio::test]
async fn the_cap_limits_submissions_of_a_creator() {
    let app = App::new().await;
    let members = json!({ "allowedSubmissionStates": BOTH, "maxNumSubmissionsPerCreator": 2 });
    let form = app.open_form(members).await;
    let full = "formalize:max-num-form-submissions-per-creator-reached";
    let drafted = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .refuse(403, full, json!([]));
    app.carol()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .delete(&at(SUBMISSIONS, &id(&drafted)))
        .await
        .expect(204);
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.alice()
        .patch(
            &at(FORMS, &form),
            json!({ "maxNumSubmissionsPerCreator": 1 }),
        )
        .await
        .expect(200);
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .refuse(403, full, json!([]));
    app.alice().delete(&list(&form)).await.expect(204);
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);

    let closed = app
        .open_form(json!({ "maxNumSubmissionsPerCreator": 0 }))
        .await;
    app.alice()
        .post(SUBMISSIONS, submission(&closed, "{}"))
        .await
        .refuse(403, full, json!([]));
}

#[tokio::test]
async fn the_limit_is_for_all_creators_together() {
    let app = App::new().await;
    let members = json!({
        "allowedSubmissionStates": BOTH, "allowedActionsWhenSubmitted": ["read"], "maxNumSubmissions": 2,
    });
    let form = app.open_form(members).await;
    let full = "formalize:max-num-form-submissions-reached";
    let drafted = app.bob().post(SUBMISSIONS, draft(&form, "{}")).await;
    let drafted = at(SUBMISSIONS, &id(&drafted.expect(201)));
    let mut made = Vec::new();
    for user in [app.bob(), app.carol()] {
        let created = user.post(SUBMISSIONS, submission(&form, "{}")).await;
        made.push(at(SUBMISSIONS, &id(&created.expect(201))));
    }
    let refused = app.carol().post(SUBMISSIONS, submission(&form, "{}")).await;
    refused.refuse(403, full, json!([]));
    let submit = json!({ "submissionState": "submitted" });
    let refused = app.bob().patch(&drafted, submit.clone()).await;
    refused.refuse(403, full, json!([]));
    let saved = json!({ "submissionState": "draft", "dataFeedElement": "{\"a\":1}" });
    app.bob().patch(&drafted, saved).await.expect(200);
    app.alice()
        .patch(&made[0], submit.clone())
        .await
        .expect(200);
    app.alice().delete(&list(&form)).await.expect(204);
    app.bob().patch(&drafted, submit).await.expect(200);

    let path = at(FORMS, &form);
    let changed = app
        .alice()
        .patch(&path, json!({ "maxNumSubmissions": 1 }))
        .await
        .expect(200);
    assert_eq!(changed["maxNumSubmissions"], 1);
    let refused = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    refused.refuse(403, full, json!([]));
    app.alice()
        .patch(&path, json!({ "maxNumSubmissions": null }))
        .await
        .expect(200);
    let created = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    created.expect(201);
}

/// Transition, state not allowed, window, cap, limit, not JSON, schema: each is checked before the next.
#[tokio::test]
async fn problems_of_a_submission_are_reported_in_order() {
    let app = App::new().await;
    let members = json!({
        "availabilityEnds": "2026-01-01", "maxNumSubmissionsPerCreator": 0, "maxNumSubmissions": 0,
        "dataFeedSchema": r#"{"required": ["a"]}"#,
    });
    let form = app.open_form(members).await;
    let path = at(FORMS, &form);
    let broken = "{";
    let refused = app.bob().post(SUBMISSIONS, draft(&form, broken)).await;
    refused.refuse(
        400,
        "formalize:submission-state-not-allowed",
        json!(["draft"]),
    );
    let refused = app.bob().post(SUBMISSIONS, submission(&form, broken)).await;
    refused.refuse(
        400,
        "formalize:submission-form-currently-not-available",
        json!([]),
    );
    app.alice()
        .patch(&path, json!({ "availabilityEnds": null }))
        .await
        .expect(200);
    let refused = app.bob().post(SUBMISSIONS, submission(&form, broken)).await;
    refused.refuse(
        403,
        "formalize:max-num-form-submissions-per-creator-reached",
        json!([]),
    );
    app.alice()
        .patch(&path, json!({ "maxNumSubmissionsPerCreator": 1 }))
        .await
        .expect(200);
    let refused = app.bob().post(SUBMISSIONS, submission(&form, broken)).await;
    refused.refuse(403, "formalize:max-num-form-submissions-reached", json!([]));
    app.alice()
        .patch(&path, json!({ "maxNumSubmissions": 1 }))
        .await
        .expect(200);
    let refused = app.bob().post(SUBMISSIONS, submission(&form, broken)).await;
    let problem = refused.problem(400, "formalize:submission-invalid-json");
    assert_eq!(problem["violations"], json!([]));
    let refused = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    let problem = refused.problem(400, "formalize:submission-invalid-json");
    assert_eq!(problem["violations"].as_array().unwrap().len(), 1);

    // The rejected requests did not count towards the cap.
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{\"a\":1}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    let back = json!({ "submissionState": "draft", "dataFeedElement": broken });
    let refused = app.alice().patch(&path, back).await;
    let error_id = "formalize:submission-state-transition-not-allowed";
    refused.refuse(409, error_id, json!(["submissionState"]));
    let refused = app
        .bob()
        .patch(&path, json!({ "submissionState": "draft" }))
        .await;
    refused.refuse(403, "formalize:forbidden", json!([]));
}

#[tokio::test]
async fn malformed_submission_identifiers_are_not_found() {
    let app = App::new().await;
    for nothing in [NOWHERE, "x", "%20"] {
        let path = at(SUBMISSIONS, nothing);
        let not_found = "formalize:submission-not-found";
        app.bob().get(&path).await.refuse(404, not_found, json!([]));
        app.bob()
            .patch(&path, json!({}))
            .await
            .refuse(404, not_found, json!([]));
        app.bob()
            .delete(&path)
            .await
            .refuse(404, not_found, json!([]));
    }
}

#[tokio::test]
async fn a_submission_is_deleted() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    app.bob()
        .delete(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    let carol = json!({ "userIdentifier": "carol" });
    app.share_form(&form, "delete_submissions", carol).await;
    app.carol()
        .get(&path)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    app.carol().delete(&path).await.expect(204);
    app.alice()
        .delete(&path)
        .await
        .refuse(404, "formalize:submission-not-found", json!([]));
}

#[tokio::test]
async fn the_list_has_exactly_the_readable_submissions() {
    let app = App::new().await;
    let members =
        json!({ "allowedSubmissionStates": BOTH, "allowedActionsWhenSubmitted": ["read"] });
    let form = app.open_form(members).await;
    let first = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let second = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{\"x\":1}"))
        .await
        .expect(201);
    app.carol()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let expected =
        json!({ "items": [first, second], "page": 1, "perPage": 30, "nextCursor": null });
    assert_eq!(app.bob().get(&list(&form)).await.expect(200), expected);
    let alices = app.alice().get(&list(&form)).await.expect(200);
    assert_eq!(
        each(&alices, "creatorId"),
        ["bob", "carol"],
        "drafts of others are not visible"
    );
    let none = json!({ "items": [], "page": 1, "perPage": 30, "nextCursor": null });
    assert_eq!(app.admin().get(&list(&form)).await.expect(200), none);
    let empty = id(&app.form(json!({})).await);
    assert_eq!(app.bob().get(&list(&empty)).await.expect(200), none);
}

#[tokio::test]
async fn the_list_requires_a_form() {
    let app = App::new().await;
    for path in [SUBMISSIONS.to_owned(), list("")] {
        let missing = "formalize:required-field-missing";
        app.bob()
            .get(&path)
            .await
            .refuse(400, missing, json!(["formIdentifier"]));
        app.bob()
            .delete(&path)
            .await
            .refuse(400, missing, json!(["formIdentifier"]));
    }
    for nothing in [NOWHERE, "x", " "] {
        let missing = "formalize:form-not-found";
        app.bob()
            .get(&list(nothing))
            .await
            .refuse(404, missing, json!([]));
        app.bob()
            .delete(&list(nothing))
            .await
            .refuse(404, missing, json!([]));
    }
}

#[tokio::test]
async fn the_list_is_filtered_by_creator_and_state() {
    let app = App::new().await;
    let members =
        json!({ "allowedSubmissionStates": BOTH, "allowedActionsWhenSubmitted": ["read"] });
    let form = app.open_form(members).await;
    app.bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.alice()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    app.alice()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let count = async |filter: &[(&str, &str)]| {
        let path = query(
            SUBMISSIONS,
            &[&[("formIdentifier", form.as_str())], filter].concat(),
        );
        items(&app.alice().get(&path).await.expect(200)).len()
    };
    assert_eq!(count(&[]).await, 3);
    assert_eq!(count(&[("creatorIdEquals", "bob")]).await, 1);
    assert_eq!(count(&[("creatorIdEquals", "Bob")]).await, 0);
    assert_eq!(count(&[("creatorIdEquals", "nobody")]).await, 0);
    assert_eq!(count(&[("creatorIdEquals", "a\u{0}")]).await, 0);
    assert_eq!(count(&[("submissionState", "draft")]).await, 1);
    assert_eq!(count(&[("submissionState", "submitted")]).await, 2);
    assert_eq!(
        count(&[
            ("submissionState", "submitted"),
            ("creatorIdEquals", "alice")
        ])
        .await,
        1
    );
    for (name, value) in [
        ("submissionState", "Draft"),
        ("submissionState", ""),
        ("submissionState", "accepted"),
        ("outputValidation", "keys"),
        ("outputValidation", ""),
        ("outputValidation", "ALL"),
    ] {
        let path = query(SUBMISSIONS, &[("formIdentifier", &form), (name, value)]);
        let refused = app.alice().get(&path).await;
        refused.refuse(400, "formalize:invalid-parameter", json!([name]));
    }
}

#[tokio::test]
async fn submissions_are_filtered_by_time() {
    let app = App::new().await;
    let readable = json!({
        "allowedSubmissionStates": BOTH, "allowedActionsWhenSubmitted": ["read"],
    });
    let form = app.open_form(readable).await;
    let mut created = Vec::new();
    for time in [
        "2026-11-21T09:00:00.000Z",
        "2026-11-21T09:00:00.001Z",
        "2026-11-22T00:00:00.000Z",
    ] {
        app.travel(time);
        for new in [submission(&form, "{}"), draft(&form, "{}")] {
            let made = app.bob().post(SUBMISSIONS, new).await.expect(201);
            created.push((made["dateCreated"].clone(), id(&made)));
        }
    }
    let times = [
        "2026-11-21T08:59:59.999Z",
        "2026-11-21T10:00:00+01:00",
        "2026-11-21T09:00:00.001Z",
        "2026-11-22T00:00:00Z",
        "2026-11-22T00:00:00.001Z",
        "1969-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999Z",
    ];
    let instant = |text: &str| text.parse::<Timestamp>().unwrap();
    for from in times {
        for before in times {
            let path = query(
                SUBMISSIONS,
                &[
                    ("formIdentifier", &form),
                    ("createdFrom", from),
                    ("createdBefore", before),
                ],
            );
            let page = app.bob().get(&path).await.expect(200);
            let listed: Vec<_> = items(&page).iter().map(id).collect();
            let expected = created.iter().filter(|(date, _)| {
                let date = instant(date.as_str().unwrap());
                date >= instant(from) && date < instant(before)
            });
            let expected: Vec<_> = expected.map(|(_, id)| id.clone()).collect();
            assert_eq!(listed, expected, "from {from} before {before}");
        }
    }
    for (name, value) in [
        ("createdFrom", ""),
        ("createdFrom", "2026-11-21"),
        ("createdBefore", "2026-11-21T09:00:00"),
        ("createdBefore", "2026-11-21T09:00:00 01:00"),
        ("createdBefore", "10000-01-01T00:00:00Z"),
    ] {
        let path = query(SUBMISSIONS, &[("formIdentifier", &form), (name, value)]);
        let refused = app.bob().get(&path).await;
        refused.refuse(400, "formalize:invalid-parameter", json!([name]));
    }
}

#[tokio::test]
async fn all_submissions_but_drafts_are_deleted_at_once() {
    let app = App::new().await;
    let members = json!({
        "allowedSubmissionStates": BOTH, "grantBasedSubmissionAuthorization": true,
    });
    let form = app.open_form(members).await;
    let other = app.open_form(json!({})).await;
    let gone = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let kept = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    app.bob()
        .post(SUBMISSIONS, submission(&other, "{}"))
        .await
        .expect(201);
    app.bob()
        .delete(&list(&form))
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    app.share_form(
        &form,
        "delete_submissions",
        json!({ "userIdentifier": "carol" }),
    )
    .await;
    app.carol().delete(&list(&form)).await.expect(204);
    let refused = app.alice().get(&at(SUBMISSIONS, &id(&gone))).await;
    refused.refuse(404, "formalize:submission-not-found", json!([]));
    app.bob()
        .get(&at(SUBMISSIONS, &id(&kept)))
        .await
        .expect(200);
    assert_eq!(
        items(&app.alice().get(&list(&other)).await.expect(200)).len(),
        1
    );
    app.carol().delete(&list(&form)).await.expect(204);
}

#[tokio::test]
async fn files_that_the_form_demands_must_be_there() {
    let app = App::new().await;
    let schema = r#"{"files": {"photo": {"allowedMimeTypes": ["image/png"]}}}"#;
    let form = app.open_form(json!({ "dataFeedSchema": schema })).await;
    let refused = app.bob().post(SUBMISSIONS, submission(&form, "{}")).await;
    let error = "formalize:submission-submitted-files-invalid-schema";
    refused.refuse(400, error, json!(["photo"]));
}
