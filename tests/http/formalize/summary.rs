//! Summaries of submissions.

use serde_json::json;

use crate::support::{App, NOWHERE, SUBMISSIONS, draft, query, submission};

const SUMMARY: &str = "/formalize/submissions/summary";
const SCHEMA: &str = r#"{"properties": {
    "meal": {"title": "Meal", "oneOf": [
        {"const": "fish", "localizedName": {"en": "Fish", "de": "Fisch"}}, {"const": "meat"}
    ]},
    "price": {"type": "number"}, "vegan": {"type": "boolean"}, "day": {"type": "string", "format": "date"},
    "note": {"type": "string"}
}}"#;

fn summary(form: &str, parameters: &[(&str, &str)]) -> String {
    query(SUMMARY, &[&[("formIdentifier", form)], parameters].concat())
}

#[tokio::test]
async fn answers_are_counted() {
    let app = App::new().await;
    let settings = json!({
        "dataFeedSchema": SCHEMA, "allowedSubmissionStates": ["draft", "submitted"],
    });
    let form = app.open_form(settings).await;
    for data in [
        r#"{"meal": "fish", "price": 2.5, "vegan": true, "day": "2026-12-24", "note": "secret"}"#,
        r#"{"meal": "fish", "price": 20, "vegan": false, "day": "2026-12-24"}"#,
    ] {
        let new = submission(&form, data);
        app.bob().post(SUBMISSIONS, new).await.expect(201);
    }
    app.travel("2026-11-22T00:00:00Z");
    let new = draft(&form, r#"{"meal": "tofu", "price": "much", "day": "soon"}"#);
    app.alice().post(SUBMISSIONS, new).await.expect(201);

    let all = app.alice().get(&summary(&form, &[])).await.expect(200);
    let day = |date: &str, count: u64| json!({ "date": date, "count": count });
    assert_eq!(all["numSubmissions"], 3);
    assert_eq!(all["isComplete"], true);
    assert_eq!(
        all["byDay"],
        json!([day("2026-11-21", 2), day("2026-11-22", 1)])
    );
    let expected = json!([
        {
            "pointer": "/meal", "label": "Meal", "kind": "choice", "numAnswered": 3,
            "counts": [
                { "value": "fish", "label": "Fish", "count": 2 }, { "value": "meat", "label": "meat", "count": 0 },
            ],
            "others": 1,
        },
        {
            "pointer": "/price", "label": "price", "kind": "number", "numAnswered": 3,
            "least": 2.5, "greatest": 20, "mean": 11.25,
            "bins": (2..=20).map(|from| {
                let count = u64::from(from == 2 || from == 20);
                json!({ "from": from, "to": from + 1, "count": count })
            }).collect::<Vec<_>>(),
            "others": 1,
        },
        {
            "pointer": "/vegan", "label": "vegan", "kind": "boolean", "numAnswered": 2,
            "counts": [
                { "value": "true", "label": "true", "count": 1 }, { "value": "false", "label": "false", "count": 1 },
            ],
            "others": 0,
        },
        {
            "pointer": "/day", "label": "day", "kind": "date", "numAnswered": 3,
            "byDay": [day("2026-12-24", 2)], "others": 1,
        },
        { "pointer": "/note", "label": "note", "kind": "text", "numAnswered": 1 },
    ]);
    assert_eq!(all["questions"], expected);

    for (parameters, number) in [
        (("creatorIdEquals", "bob"), 2),
        (("submissionState", "draft"), 1),
        (("createdFrom", "2026-11-22T00:00:00Z"), 1),
        (("createdBefore", "2026-11-22T00:00:00Z"), 2),
    ] {
        let some = app.alice().get(&summary(&form, &[parameters])).await;
        assert_eq!(some.expect(200)["numSubmissions"], number, "{parameters:?}");
    }
    let german = app
        .alice()
        .get(&summary(&form, &[("language", "de")]))
        .await;
    assert_eq!(
        german.expect(200)["questions"][0]["counts"][0]["label"],
        "Fisch"
    );
    let of_carol = app.carol().get(&summary(&form, &[])).await.expect(200);
    let nothing = json!({ "numSubmissions": 0, "isComplete": true, "byDay": [], "questions": [] });
    assert_eq!(of_carol, nothing);
}

#[tokio::test]
async fn impossible_summaries_are_refused() {
    let app = App::new().await;
    let unknown = app.alice().get(&summary(NOWHERE, &[])).await;
    unknown.refuse(404, "formalize:form-not-found", json!([]));
    let missing = app.alice().get(SUMMARY).await;
    missing.refuse(
        400,
        "formalize:required-field-missing",
        json!(["formIdentifier"]),
    );
    let form = app.open_form(json!({})).await;
    for (name, value) in [
        ("outputValidation", "KEYS"),
        ("page", "1"),
        ("createdFrom", "soon"),
    ] {
        let refused = app.alice().get(&summary(&form, &[(name, value)])).await;
        refused.refuse(400, "formalize:invalid-parameter", json!([name]));
    }
}
