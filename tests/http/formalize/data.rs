//! Validation of `dataFeedElement`, and the reported violations.

use serde_json::json;

use crate::support::{App, FORMS, SUBMISSIONS, at, draft, id, submission};

async fn form(app: &App, schema: Option<&str>) -> String {
    let members = json!({
        "dataFeedSchema": schema, "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["manage"],
    });
    app.open_form(members).await
}

#[tokio::test]
async fn malformed_json_is_rejected_even_in_drafts() {
    let app = App::new().await;
    let form = form(&app, None).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let deep = "[".repeat(10_000);
    for text in [
        "",
        " ",
        "{",
        "{} {}",
        "{'a': 1}",
        "{\"a\": 1,}",
        "[1,]",
        "nul",
        "NaN",
        "01",
        "\u{feff}{}",
        "{\"a\":1,\"a\":1}",
        "{\"b\":[{\"\\u0061\":1,\"a\":2}]}",
        "\"\u{1}\"",
        "\"\\x\"",
        "\"\\ud800\"",
        "// no\n{}",
        &deep,
    ] {
        for answer in [
            app.bob().post(SUBMISSIONS, draft(&form, text)).await,
            app.bob().post(SUBMISSIONS, submission(&form, text)).await,
            app.bob()
                .patch(
                    &at(SUBMISSIONS, &id(&made)),
                    json!({ "dataFeedElement": text, "submissionState": "draft" }),
                )
                .await,
        ] {
            let problem = answer.problem(400, "formalize:submission-invalid-json");
            assert_eq!(problem["violations"], json!([]), "{text}");
            assert_eq!(
                problem["relay:errorDetails"].as_array().unwrap().len(),
                1,
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn without_a_schema_data_must_be_an_object() {
    let app = App::new().await;
    let form = form(&app, None).await;
    for text in ["[]", "3", "null", "\"{}\"", "true"] {
        app.bob()
            .post(SUBMISSIONS, draft(&form, text))
            .await
            .expect(201);
        let refused = app.bob().post(SUBMISSIONS, submission(&form, text)).await;
        let problem = refused.problem(400, "formalize:submission-invalid-json");
        assert_eq!(problem["violations"][0]["instancePath"], "", "{text}");
    }
    app.bob()
        .post(
            SUBMISSIONS,
            submission(&form, r#" {"anything": [1, null]} "#),
        )
        .await
        .expect(201);
}

#[tokio::test]
async fn with_a_schema_data_may_be_of_any_type() {
    let app = App::new().await;
    let form = form(&app, Some(r#"{"type": "array"}"#)).await;
    app.bob()
        .post(SUBMISSIONS, submission(&form, "[1]"))
        .await
        .expect(201);
    let refused = app
        .bob()
        .post(SUBMISSIONS, json!({ "formIdentifier": form }))
        .await;
    let problem = refused.problem(400, "formalize:submission-invalid-json");
    assert_eq!(
        problem["violations"][0]["keyword"], "type",
        "missing data count as an object"
    );
}

#[tokio::test]
async fn every_violation_is_reported_with_its_path() {
    let app = App::new().await;
    let schema = r#"{
        "type": "object",
        "required": ["name", "consent"],
        "properties": {
            "email": {"type": "string", "format": "email"},
            "tags": {"items": {"type": "string", "maxLength": 3}},
            "a/b~c": {"type": "integer"}
        }
    }"#;
    let form = form(&app, Some(schema)).await;
    let data = r#"{"email": "secret-value", "tags": ["ok", "secret-tag", 7], "a/b~c": 1.5}"#;
    let refused = app.bob().post(SUBMISSIONS, submission(&form, data)).await;
    let problem = refused.problem(400, "formalize:submission-invalid-json");
    insta::assert_json_snapshot!("violations", problem);
}

#[tokio::test]
async fn drafts_are_validated_only_when_submitted() {
    let app = App::new().await;
    let form = form(&app, Some(r#"{"required": ["a"]}"#)).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    let refused = app
        .bob()
        .patch(&path, json!({ "submissionState": "submitted" }))
        .await;
    refused.problem(400, "formalize:submission-invalid-json");
    let refused = app
        .bob()
        .patch(&path, json!({ "dataFeedElement": null }))
        .await;
    refused.problem(400, "formalize:submission-invalid-json");
    app.bob()
        .patch(&path, json!({ "dataFeedElement": "{\"a\":1}" }))
        .await
        .expect(200);
}

#[tokio::test]
async fn updates_of_submitted_data_are_validated() {
    let app = App::new().await;
    let form = form(&app, Some(r#"{"required": ["a"]}"#)).await;
    let made = app
        .bob()
        .post(SUBMISSIONS, submission(&form, "{\"a\":1}"))
        .await
        .expect(201);
    let path = at(SUBMISSIONS, &id(&made));
    for change in [
        json!({ "dataFeedElement": "{}" }),
        json!({ "dataFeedElement": null }),
    ] {
        let refused = app.bob().patch(&path, change).await;
        refused.problem(400, "formalize:submission-invalid-json");
    }
    // A new schema applies to later changes, not to existing data.
    let change = json!({ "dataFeedSchema": r#"{"required": ["b"]}"# });
    app.alice()
        .patch(&at(FORMS, &form), change)
        .await
        .expect(200);
    app.bob().get(&path).await.expect(200);
    let refused = app.bob().patch(&path, json!({})).await;
    refused.problem(400, "formalize:submission-invalid-json");
    app.bob()
        .patch(&path, json!({ "dataFeedElement": "{\"b\":1}" }))
        .await
        .expect(200);
}

#[tokio::test]
async fn formats_are_asserted_in_every_draft() {
    let app = App::new().await;
    for dialect in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema =
            json!({ "$schema": dialect, "properties": { "at": { "format": "date-time" } } });
        let form = form(&app, Some(&schema.to_string())).await;
        app.bob()
            .post(
                SUBMISSIONS,
                submission(&form, r#"{"at": "2026-11-21T08:00:00Z"}"#),
            )
            .await
            .expect(201);
        let refused = app
            .bob()
            .post(SUBMISSIONS, submission(&form, r#"{"at": "noon"}"#))
            .await;
        let problem = refused.problem(400, "formalize:submission-invalid-json");
        assert_eq!(problem["violations"][0]["keyword"], "format", "{dialect}");
    }
}

#[tokio::test]
async fn patterns_follow_ecma_262_and_are_bounded() {
    let app = App::new().await;
    let schema =
        |pattern: &str| json!({ "properties": { "a": { "pattern": pattern } } }).to_string();
    for (pattern, value, valid) in [
        ("^(?=.*\\d)(?!.*x).+$", "a1", true),
        ("^(?=.*\\d)(?!.*x).+$", "ax1", false),
        ("^\\p{Lu}", "Ärzte", true),
        ("^.$", "😀", true),
        ("^\\d$", "٣", false),
        ("b", "abc", true),
    ] {
        let form = form(&app, Some(&schema(pattern))).await;
        let data = json!({ "a": value }).to_string();
        let answer = app.bob().post(SUBMISSIONS, submission(&form, &data)).await;
        if valid {
            answer.expect(201);
        } else {
            let problem = answer.problem(400, "formalize:submission-invalid-json");
            assert_eq!(problem["violations"][0]["keyword"], "pattern", "{pattern}");
        }
    }
    // The backreference prevents matching in linear time.
    let form = form(&app, Some(&schema("^(a|aa)+\\1b$"))).await;
    let data = json!({ "a": "a".repeat(5000) }).to_string();
    let refused = app.bob().post(SUBMISSIONS, submission(&form, &data)).await;
    let problem = refused.problem(400, "formalize:submission-invalid-json");
    assert_eq!(problem["violations"][0]["keyword"], "pattern");
}

#[tokio::test]
async fn patterns_are_bounded_everywhere_in_a_schema() {
    let app = App::new().await;
    let slow = "^(a|aa)+\\\\1b$";
    let data = json!({ "a".repeat(5000): 1 }).to_string();
    for schema in [
        format!(r#"{{"patternProperties": {{"{slow}": {{"type": "string"}}}}}}"#),
        format!(r#"{{"patternProperties": {{"{slow}": {{}}}}, "additionalProperties": false}}"#),
        format!(r#"{{"propertyNames": {{"pattern": "{slow}"}}}}"#),
        format!(r#"{{"anyOf": [{{"propertyNames": {{"pattern": "{slow}"}}}}, {{}}]}}"#),
        format!(r#"{{"not": {{"propertyNames": {{"pattern": "{slow}"}}}}}}"#),
    ] {
        let form = form(&app, Some(&schema)).await;
        let refused = app.bob().post(SUBMISSIONS, submission(&form, &data)).await;
        let problem = refused.problem(400, "formalize:submission-invalid-json");
        assert!(
            !problem["violations"].as_array().unwrap().is_empty(),
            "{schema}"
        );
    }
}

#[tokio::test]
async fn data_over_1_mib_is_rejected_first() {
    let app = App::new().await;
    let form = form(&app, None).await;
    let sized = |bytes: usize| format!(r#"{{"a":"{}"}}"#, "é".repeat((bytes - 8) / 2));
    let most = 1 << 20;
    app.bob()
        .post(SUBMISSIONS, submission(&form, &sized(most)))
        .await
        .expect(201);
    let drafted = app
        .bob()
        .post(SUBMISSIONS, draft(&form, "{}"))
        .await
        .expect(201);
    let too_large = sized(most + 2);
    for answer in [
        app.bob()
            .post(SUBMISSIONS, submission(&form, &too_large))
            .await,
        app.bob()
            .post(SUBMISSIONS, submission(crate::support::NOWHERE, &too_large))
            .await,
        app.bob()
            .post(SUBMISSIONS, submission("x", &too_large))
            .await,
        app.bob()
            .patch(
                &at(SUBMISSIONS, &id(&drafted)),
                json!({ "dataFeedElement": too_large }),
            )
            .await,
        app.bob()
            .patch(
                &at(SUBMISSIONS, "x"),
                json!({ "dataFeedElement": too_large }),
            )
            .await,
        app.carol()
            .patch(
                &at(SUBMISSIONS, &id(&drafted)),
                json!({ "dataFeedElement": too_large }),
            )
            .await,
    ] {
        answer.refuse(413, "formalize:payload-too-large", json!([]));
    }
}

/// The last of the details counts the violations that are not listed, and is not one itself.
#[tokio::test]
async fn the_detail_counts_all_other_violations() {
    let app = App::new().await;
    let schema = r#"{"properties": {"a": {"items": {"type": "string"}}}}"#;
    let form = form(&app, Some(schema)).await;
    for (number, more) in [(1, ""), (2, "; and 1 more"), (100, "; and 99 more")] {
        let data = json!({"a": vec![1; number]}).to_string();
        let refused = app.bob().post(SUBMISSIONS, submission(&form, &data)).await;
        let problem = refused.problem(400, "formalize:submission-invalid-json");
        let detail = format!("dataFeedElement is invalid: /a/0: must be a string{more}");
        assert_eq!(problem["detail"], detail);
    }
}
