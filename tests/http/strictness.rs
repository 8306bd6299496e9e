//! Request bodies: unknown, mistyped and duplicate members are rejected.

use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    Actor, Answer, App, FORM_LINKS, FORMS, GRANTS, GROUPS, MEMBERS, NOWHERE, SUBMISSIONS, at, but,
};

/// An operation with a body: its members with their types, and those that must not be null.
struct Taking {
    method: Method,
    path: String,
    /// The error for a malformed body.
    malformed: &'static str,
    members: Vec<(&'static str, &'static str)>,
    not_null: Vec<&'static str>,
}

fn form_members() -> Vec<(&'static str, &'static str)> {
    vec![
        ("name", "string"),
        ("dataFeedSchema", "string"),
        ("grantBasedSubmissionAuthorization", "boolean"),
        ("allowedActionsWhenSubmitted", "array"),
        ("allowedSubmissionStates", "array"),
        ("availableStarts", "string"),
        ("availabilityEnds", "string"),
        ("maxNumSubmissionsPerCreator", "number"),
        ("maxNumSubmissions", "number"),
        ("localizedNames", "object"),
        ("frontendKey", "string"),
        ("availableTags", "array"),
        ("tagPermissionsForSubmitters", "array"),
        ("contact", "string"),
    ]
}

fn operations() -> Vec<Taking> {
    let taking =
        |method: Method, path: &str, malformed, members, not_null: &[&'static str]| Taking {
            method,
            path: path.to_owned(),
            malformed,
            members,
            not_null: not_null.to_vec(),
        };
    let name = || vec![("name", "string")];
    let member = vec![
        ("groupIdentifier", "string"),
        ("userIdentifier", "string"),
        ("childGroupIdentifier", "string"),
    ];
    let grant = vec![
        ("action", "string"),
        ("resourceClass", "string"),
        ("resourceIdentifier", "string"),
        ("authorizationResourceIdentifier", "string"),
        ("userIdentifier", "string"),
        ("groupIdentifier", "string"),
        ("dynamicGroupIdentifier", "string"),
    ];
    let data = || {
        vec![
            ("dataFeedElement", "string"),
            ("submissionState", "string"),
            ("tags", "array"),
        ]
    };
    let with_form = [vec![("formIdentifier", "string")], data()].concat();
    let set = [
        "allowedActionsWhenSubmitted",
        "allowedSubmissionStates",
        "grantBasedSubmissionAuthorization",
        "availableTags",
        "tagPermissionsForSubmitters",
    ];
    let link = vec![
        ("label", "string"),
        ("expires", "string"),
        ("maxNumSubmissions", "number"),
        ("oncePerBrowser", "boolean"),
        ("embedOrigins", "array"),
    ];
    let new_link = [vec![("formIdentifier", "string")], link.clone()].concat();
    let not_null = ["oncePerBrowser", "embedOrigins"];
    let [post, patch] = [Method::POST, Method::PATCH];
    let groups = "authorization:invalid-request-body";
    let forms = "formalize:invalid-request-body";
    vec![
        taking(post.clone(), GROUPS, groups, name(), &[]),
        taking(patch.clone(), &at(GROUPS, NOWHERE), groups, name(), &[]),
        taking(post.clone(), MEMBERS, groups, member, &[]),
        taking(post.clone(), GRANTS, groups, grant, &[]),
        taking(post.clone(), FORMS, forms, form_members(), &set),
        taking(
            patch.clone(),
            &at(FORMS, NOWHERE),
            forms,
            form_members(),
            &set,
        ),
        taking(post.clone(), FORM_LINKS, forms, new_link, &not_null),
        taking(
            patch.clone(),
            &at(FORM_LINKS, NOWHERE),
            forms,
            link,
            &not_null,
        ),
        taking(
            post,
            SUBMISSIONS,
            forms,
            with_form,
            &["submissionState", "tags"],
        ),
        taking(
            patch,
            &at(SUBMISSIONS, NOWHERE),
            forms,
            [data(), vec![("filesToRemove", "array")]].concat(),
            &["submissionState", "filesToRemove", "tags"],
        ),
    ]
}

impl Taking {
    async fn send(&self, actor: Actor<'_>, body: impl Into<Vec<u8>>) -> Answer {
        let request = actor.request(self.method.clone(), &self.path);
        request
            .header("content-type", "application/json")
            .body(body)
            .send()
            .await
    }

    async fn refuses(&self, app: &App, body: impl Into<Vec<u8>>, names: &[&str]) {
        let refused = self.send(app.bob(), body).await;
        refused.refuse(400, self.malformed, json!(names));
    }
}

#[tokio::test]
async fn a_body_must_be_a_json_object() {
    let app = App::new().await;
    // Bodies of groups, members and grants are at most 64 KiB.
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    let deep_object = format!("{}1{}", r#"{"name":"#.repeat(7_000), "}".repeat(7_000));
    for operation in operations() {
        for body in [
            "",
            " ",
            "null",
            "true",
            "3",
            "\"x\"",
            "[]",
            "[{}]",
            "{",
            "{}}",
            "{} {}",
            "{'name': 1}",
            "{\"name\": 1,}",
            "{name: 1}",
            "{\"name\": NaN}",
            "{\"name\": 01}",
            "{\"name\": \"a\nb\"}",
            "{\"name\": \"\\x\"}",
            "\u{feff}{}",
            "// no\n{}",
            "\u{0}{}",
            "{}\u{0}",
            &deep,
            &deep_object,
            "{\"name\": \"\\ud800\"}",
            "{\"\\udc00\": 1}",
            "{\"name\": \"\\ud83d\\u0041\"}",
        ] {
            operation.refuses(&app, body, &[]).await;
        }
        for bytes in [
            &b"{\"name\": \"\xff\"}"[..],
            b"\xff\xfe{\x00}\x00",
            b"{\"name\": \"\xed\xa0\x80\"}",
            b"{\"name\": \"\xc0\x80\"}",
        ] {
            operation.refuses(&app, bytes, &[]).await;
        }
    }
}

#[tokio::test]
async fn unknown_members_are_reported() {
    let app = App::new().await;
    for operation in operations() {
        let known = operation.members[0].0;
        let upper = known.to_uppercase();
        for (body, names) in [
            (json!({ "nonsense": 1 }), vec!["nonsense"]),
            (
                json!({ "nonsense": null, "": 1, "é": [] }),
                vec!["", "nonsense", "é"],
            ),
            (json!({ &upper: "x" }), vec![upper.as_str()]),
            (json!({ "identifier": NOWHERE }), vec!["identifier"]),
            (json!({ "dateCreated": null }), vec!["dateCreated"]),
            (json!({ "grantedActions": [] }), vec!["grantedActions"]),
            (json!({ "__proto__": {} }), vec!["__proto__"]),
        ] {
            operation.refuses(&app, body.to_string(), &names).await;
        }
        // Other problems are detected later.
        let body = json!({ known: 3, "nonsense": 1 });
        let mut names = vec![known, "nonsense"];
        names.sort_unstable();
        operation.refuses(&app, body.to_string(), &names).await;
    }
    let refused = app
        .bob()
        .patch(
            &at(SUBMISSIONS, NOWHERE),
            json!({ "formIdentifier": NOWHERE }),
        )
        .await;
    refused.refuse(
        400,
        "formalize:invalid-request-body",
        json!(["formIdentifier"]),
    );
}

#[tokio::test]
async fn all_values_of_the_wrong_type_are_reported() {
    let app = App::new().await;
    let values = [
        json!("x"),
        json!(3),
        json!(true),
        json!([]),
        json!({}),
        json!([3]),
        json!([null]),
        json!([["read"]]),
    ];
    let type_of = |value: &Value| match value {
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        Value::Array(items) if items.is_empty() => "array",
        Value::Array(_) => "array of others",
        _ => "object",
    };
    for operation in operations() {
        for value in &values {
            let wrong = operation
                .members
                .iter()
                .filter(|(_, expected)| *expected != type_of(value));
            let mut names: Vec<&str> = wrong.map(|(name, _)| *name).collect();
            let mut body = json!({});
            for name in &names {
                operation
                    .refuses(&app, json!({ *name: value }).to_string(), &[name])
                    .await;
                body = but(body, name, value.clone());
            }
            names.sort_unstable();
            if !names.is_empty() {
                operation.refuses(&app, body.to_string(), &names).await;
            }
        }
    }
}

#[tokio::test]
async fn null_is_rejected_for_members_that_are_not_nullable() {
    let app = App::new().await;
    for operation in operations() {
        for name in &operation.not_null {
            operation
                .refuses(&app, json!({ *name: null }).to_string(), &[name])
                .await;
        }
    }
}

#[tokio::test]
async fn duplicate_members_are_rejected() {
    let app = App::new().await;
    for operation in operations() {
        let name = operation.members[0].0;
        let first = name.chars().next().unwrap();
        let escaped = name.replacen(first, &format!("\\u{:04x}", u32::from(first)), 1);
        for body in [
            format!(r#"{{"{name}": "a", "{name}": "a"}}"#),
            format!(r#"{{"{name}": null, "{escaped}": "a"}}"#),
            r#"{"nonsense": {"a": 1, "a": 2}}"#.to_owned(),
        ] {
            let refused = operation.send(app.bob(), body).await;
            refused.problem(400, operation.malformed);
        }
    }
}

#[tokio::test]
async fn bodies_are_limited_to_4_mib() {
    let app = App::new().await;
    let most = 4 << 20;
    let sized = |bytes: usize| {
        let rest = bytes - r#"{"name": ""}"#.len();
        format!(r#"{{"name": "{}"}}"#, "x".repeat(rest)).into_bytes()
    };
    let post = || {
        app.alice()
            .request(Method::POST, FORMS)
            .header("content-type", "application/json")
    };
    let fits = post().body(sized(most)).send().await;
    fits.refuse(400, "formalize:form-invalid", json!(["name"]));
    let fits = post().streamed(sized(most)).send().await;
    fits.refuse(400, "formalize:form-invalid", json!(["name"]));
    let too_large = |answer: Answer| answer.refuse(413, "formalize:payload-too-large", json!([]));
    too_large(post().body(sized(most + 1)).send().await);
    too_large(post().streamed(sized(most + 1)).send().await);
    too_large(
        post()
            .header("content-length", "5000000")
            .body("{}")
            .send()
            .await,
    );
    too_large(post().body(vec![0xff; most + 1]).send().await);
    let refused = app.bob().post_text(GROUPS, sized(most + 1)).await;
    refused.refuse(413, "authorization:payload-too-large", json!([]));
}

#[tokio::test]
async fn strings_in_a_body_may_have_any_unicode() {
    let app = App::new().await;
    for (text, name) in [
        (r#"{"name": "\ud83d\ude00"}"#, "😀"),
        (r#"{"na\u006de": "e\u0301"}"#, "e\u{301}"),
        (
            " \t\r\n{\"name\"\n:\r\"\u{10ffff}\u{fffe}\"} ",
            "\u{10ffff}\u{fffe}",
        ),
        (r#"{"name": "\u200b\u202e"}"#, "\u{200b}\u{202e}"),
    ] {
        let group = app.alice().post_text(GROUPS, text).await.expect(201);
        assert_eq!(group["name"], name);
    }
}
