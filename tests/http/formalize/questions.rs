use serde_json::{Value, json};

use crate::support::{App, FORMS, NOWHERE, at, id};

const SCHEMA: &str = r#"{
    "required": ["email"],
    "properties": {
        "email": {"type": "string", "format": "email", "maxLength": 50, "localizedName": {"de": "E-Mail", "en": "Mail"}},
        "guests": {"type": "integer", "minimum": 0},
        "menu": {"enum": ["meat", "none"], "default": "none"},
        "days": {"type": "array", "uniqueItems": true, "items": {"enum": [1, "1"]}},
        "notes": {"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}}}},
        "contact": {"oneOf": [{"title": "Phone", "type": "string"}, {"title": "None", "type": "null"}, {"type": "integer"}]},
        "rules": {"type": "boolean", "const": true},
        "free": {"patternProperties": {"^x": {}}}
    },
    "if": {"properties": {"guests": {"minimum": 1}}, "required": ["guests"]},
    "then": {"properties": {"firstGuest": {"type": "string", "x-form": {"widget": "textarea", "hint": "In full"}}}}
}"#;

fn questions(form: &str) -> String {
    format!("{}/questions", at(FORMS, form))
}

fn pointers(answer: &Value) -> Vec<&str> {
    let children = answer["question"]["children"].as_array().unwrap();
    let pointers = children.iter().map(|child| child["pointer"].as_str());
    pointers.map(Option::unwrap).collect()
}

#[tokio::test]
async fn the_questions_of_a_form_are_returned() {
    let app = App::new().await;
    let form = app.form(json!({"dataFeedSchema": SCHEMA})).await;
    let form = id(&form);
    let empty = app.alice().post(&questions(&form), json!({})).await;
    let empty = empty.expect(200);
    assert_eq!(empty["isComplete"], true);
    let plain = [
        "/email", "/guests", "/menu", "/days", "/notes", "/contact", "/rules", "/free",
    ];
    assert_eq!(pointers(&empty), plain);
    let email = &empty["question"]["children"][0];
    let expected = json!({
        "pointer": "/email", "kind": "email", "label": "E-Mail", "required": true, "editable": true, "drives": false,
        "limits": {"maxLength": 50},
    });
    assert_eq!(*email, expected);

    let data = r#"{"guests": 2, "email": "nobody", "notes": [{"text": "a"}], "contact": "0"}"#;
    let body = json!({"dataFeedElement": data, "language": "en-GB"});
    let asked = app.alice().post(&questions(&form), body).await.expect(200);
    assert_eq!(pointers(&asked)[..3], ["/email", "/guests", "/firstGuest"]);
    let children = &asked["question"]["children"];
    assert_eq!(children[0]["label"], "Mail");
    assert_eq!(children[0]["problems"][0]["keyword"], "format");
    assert_eq!(children[1]["value"], 2);
    assert_eq!(children[2]["hint"], "In full");
    let stored = app.alice().get(&at(FORMS, &form)).await.expect(200);
    assert_eq!(stored["numSubmissionsByCurrentUser"], 0);
}

#[tokio::test]
async fn groups_of_files_are_questions() {
    let app = App::new().await;
    let schema = json!({
        "files": {"cv": {"maxNumber": 2, "allowedMimeTypes": ["application/pdf"]}},
        "x-form": {"files": {"cv": {"label": {"en": "Curriculum vitae", "de": "Lebenslauf"}, "hint": "One page"}}},
    });
    let form = id(&app
        .form(json!({"dataFeedSchema": schema.to_string()}))
        .await);
    let (path, body) = (questions(&form), json!({"language": "de"}));
    let asked = app.alice().post(&path, body).await;
    let expected = json!([{
        "kind": "files", "fileAttributeName": "cv", "label": "Lebenslauf", "hint": "One page", "required": true,
        "minNumber": 1, "maxNumber": 2, "maxSizeMb": 10, "allowedMimeTypes": ["application/pdf"],
    }]);
    assert_eq!(asked.expect(200)["files"], expected);
}

#[tokio::test]
async fn questions_without_a_valid_request_are_refused() {
    let app = App::new().await;
    let form = app.form(json!({"dataFeedSchema": SCHEMA})).await;
    let form = id(&form);
    let (malformed, unknown) = (json!({"dataFeedElement": "{"}), json!({"data": "{}"}));
    let refused = app.alice().post(&questions(&form), malformed).await;
    refused.problem(400, "formalize:submission-invalid-json");
    for body in [unknown, json!({"language": 1})] {
        let refused = app.alice().post(&questions(&form), body).await;
        refused.problem(400, "formalize:invalid-request-body");
    }
    let nowhere = questions(NOWHERE);
    let refused = app.alice().post(&nowhere, json!({})).await;
    refused.problem(404, "formalize:form-not-found");
    let refused = app.bob().post(&questions(&form), json!({})).await;
    refused.problem(403, "formalize:forbidden");
}
