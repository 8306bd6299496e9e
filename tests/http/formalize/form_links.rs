use serde_json::{Value, json};

use crate::support::{
    App, BASE, FORM_LINKS, FORMS, GRANTS, MEMBERS, NOW, NOWHERE, SUBMISSIONS, at, but, grant, id,
    items, query, submission,
};

const INVALID: &str = "formalize:form-link-invalid";
const NOT_FOUND: &str = "formalize:form-link-not-found";

/// A form of Alice, and a link to it with this body.
async fn linked(app: &App, members: Value) -> (String, Value) {
    let form = id(&app.form(json!({})).await);
    let mut body = json!({ "formIdentifier": form });
    crate::support::merge(&mut body, members);
    let made = app.alice().post(FORM_LINKS, body).await.expect(201);
    (form, made)
}

/// Submits through a link, and returns the identifier of the submission.
async fn send(app: &App, link: &Value) -> String {
    let url = link["url"].as_str().unwrap();
    let secret = url.rsplit('/').next().unwrap();
    let found = app.formalize.links().authenticate(secret).await.unwrap();
    let found = found.expect("the URL has the secret of the link");
    let new = formalize_core::NewSubmission::new(found.form, "{}");
    let (submissions, caller) = (app.formalize.submissions(), found.caller());
    let sent = submissions.create(&caller, new).await;
    sent.unwrap().item.id.to_string()
}

/// The link as every response but that of its creation has it.
fn without_url(link: &Value) -> Value {
    let mut link = link.clone();
    link.as_object_mut().unwrap().remove("url");
    link
}

#[tokio::test]
async fn a_link_is_created() {
    let app = App::new().await;
    let members = json!({
        "label": "Poster", "expires": "2026-12-24T18:00:00+01:00", "maxNumSubmissions": 3.0,
        "oncePerBrowser": true, "embedOrigins": ["https://example.org", "http://localhost:8080"],
    });
    let (form, made) = linked(&app, members).await;
    let url = made["url"].as_str().unwrap();
    let secret = url.strip_prefix(&format!("{BASE}/l/fml_")).unwrap();
    assert_eq!(secret.len(), 40);
    let expected = json!({
        "identifier": made["identifier"],
        "formIdentifier": form,
        "label": "Poster",
        "url": url,
        "expires": "2026-12-24T17:00:00.000Z",
        "maxNumSubmissions": 3,
        "numSubmissions": 0,
        "oncePerBrowser": true,
        "embedOrigins": ["https://example.org", "http://localhost:8080"],
        "dateCreated": NOW,
        "creatorId": "alice",
    });
    assert_eq!(made, expected);

    send(&app, &made).await;
    let path = at(FORM_LINKS, &id(&made));
    let read = app.alice().get(&path).await.expect(200);
    assert_eq!(read, but(without_url(&made), "numSubmissions", json!(1)));
}

#[tokio::test]
async fn missing_members_have_defaults() {
    let app = App::new().await;
    let nulls = json!({ "label": null, "expires": null, "maxNumSubmissions": null });
    for members in [json!({}), nulls] {
        let (_, made) = linked(&app, members).await;
        for (member, value) in [
            ("label", json!(null)),
            ("expires", json!(null)),
            ("maxNumSubmissions", json!(null)),
            ("oncePerBrowser", json!(false)),
            ("embedOrigins", json!([])),
        ] {
            assert_eq!(made[member], value, "{member}");
        }
    }
}

#[tokio::test]
async fn a_link_requires_a_form_that_the_caller_manages() {
    let app = App::new().await;
    for missing in [json!({}), json!({ "formIdentifier": null })] {
        let refused = app.alice().post(FORM_LINKS, missing).await;
        let details = json!(["formIdentifier"]);
        refused.refuse(422, "formalize:required-field-missing", details);
    }
    for nothing in [NOWHERE, "x", ""] {
        let body = json!({ "formIdentifier": nothing });
        let refused = app.alice().post(FORM_LINKS, body).await;
        refused.refuse(404, "formalize:form-not-found", json!([]));
    }
    let (form, made) = linked(&app, json!({})).await;
    app.share_form(&form, "update", json!({ "userIdentifier": "bob" }))
        .await;
    let body = json!({ "formIdentifier": form });
    let refused = app.bob().post(FORM_LINKS, body).await;
    refused.refuse(403, "formalize:forbidden", json!([]));
    let detail = refused.problem(403, "formalize:forbidden")["detail"].clone();
    assert_eq!(
        detail,
        "you do not have permission to create links to this form"
    );
    let path = at(FORM_LINKS, &id(&made));
    for refused in [
        app.bob().get(&path).await,
        app.bob().patch(&path, json!({})).await,
        app.bob().delete(&path).await,
        app.bob()
            .get(&query(FORM_LINKS, &[("formIdentifier", &form)]))
            .await,
    ] {
        refused.refuse(403, "formalize:forbidden", json!([]));
    }
}

#[tokio::test]
async fn invalid_values_are_named() {
    let app = App::new().await;
    let (form, made) = linked(&app, json!({})).await;
    let path = at(FORM_LINKS, &id(&made));
    let many: Vec<_> = (0..21)
        .map(|number| format!("https://{number}.example"))
        .collect();
    for (member, value) in [
        ("label", json!("")),
        ("label", json!("ä".repeat(256))),
        ("label", json!("a\nb")),
        ("expires", json!("2026-12-24")),
        ("expires", json!("tomorrow")),
        ("maxNumSubmissions", json!(0)),
        ("maxNumSubmissions", json!(-1)),
        ("maxNumSubmissions", json!(1.5)),
        ("maxNumSubmissions", json!(2_147_483_648_i64)),
        ("embedOrigins", json!(["*"])),
        ("embedOrigins", json!(["http://example.org"])),
        ("embedOrigins", json!(["https://example.org/"])),
        ("embedOrigins", json!(["https://example.org; script-src *"])),
        ("embedOrigins", json!(many)),
    ] {
        let body = json!({ "formIdentifier": form, member: value });
        let refused = app.alice().post(FORM_LINKS, body).await;
        refused.refuse(400, INVALID, json!([member]));
        let refused = app.alice().patch(&path, json!({ member: value })).await;
        refused.refuse(400, INVALID, json!([member]));
        let detail = refused.problem(400, INVALID)["detail"].clone();
        let detail = detail.as_str().unwrap();
        assert!(
            detail.starts_with(&format!("{member} must be ")),
            "{detail}"
        );
    }
    let both = json!({ "label": "", "maxNumSubmissions": 0 });
    let refused = app.alice().patch(&path, both).await;
    refused.refuse(400, INVALID, json!(["label", "maxNumSubmissions"]));
    let read = app.alice().get(&path).await.expect(200);
    assert_eq!(read, without_url(&made));
}

#[tokio::test]
async fn a_link_is_changed_member_by_member() {
    let app = App::new().await;
    let (_, made) = linked(&app, json!({})).await;
    let path = at(FORM_LINKS, &id(&made));
    let mut expected = without_url(&made);
    for (member, value) in [
        ("label", json!("Newsletter")),
        ("label", json!(null)),
        ("expires", json!("2027-01-01T00:00:00.000Z")),
        ("expires", json!(null)),
        ("maxNumSubmissions", json!(5)),
        ("maxNumSubmissions", json!(null)),
        ("oncePerBrowser", json!(true)),
        ("embedOrigins", json!(["https://example.org"])),
        ("embedOrigins", json!([])),
    ] {
        expected[member] = value.clone();
        let changed = app.alice().patch(&path, json!({ member: value })).await;
        assert_eq!(changed.expect(200), expected);
        assert_eq!(app.alice().get(&path).await.expect(200), expected);
    }
    for fixed in ["formIdentifier", "url", "numSubmissions"] {
        let refused = app.alice().patch(&path, json!({ fixed: "x" })).await;
        refused.refuse(400, "formalize:invalid-request-body", json!([fixed]));
    }
}

#[tokio::test]
async fn the_links_of_a_form_are_listed() {
    let app = App::new().await;
    let (form, first) = linked(&app, json!({ "label": "first" })).await;
    linked(&app, json!({ "label": "of another form" })).await;
    let body = json!({ "formIdentifier": form, "label": "second" });
    let second = app.alice().post(FORM_LINKS, body).await.expect(201);
    let list = query(FORM_LINKS, &[("formIdentifier", &form)]);
    let page = app.alice().get(&list).await.expect(200);
    let expected = [without_url(&first), without_url(&second)];
    assert_eq!(items(&page), &expected);
    for missing in [
        FORM_LINKS.to_owned(),
        query(FORM_LINKS, &[("formIdentifier", "")]),
    ] {
        let refused = app.alice().get(&missing).await;
        let details = json!(["formIdentifier"]);
        refused.refuse(400, "formalize:required-field-missing", details);
    }
    let nowhere = query(FORM_LINKS, &[("formIdentifier", NOWHERE)]);
    let refused = app.alice().get(&nowhere).await;
    refused.refuse(404, "formalize:form-not-found", json!([]));
}

#[tokio::test]
async fn a_link_is_deleted() {
    let app = App::new().await;
    let (_, made) = linked(&app, json!({})).await;
    let sent = send(&app, &made).await;
    let path = at(FORM_LINKS, &id(&made));
    app.alice().delete(&path).await.expect(204);
    for refused in [
        app.alice().get(&path).await,
        app.alice().patch(&path, json!({})).await,
        app.alice().delete(&path).await,
        app.alice().get(&at(FORM_LINKS, "x")).await,
    ] {
        refused.refuse(404, NOT_FOUND, json!([]));
    }
    // What was sent remains.
    let read = app.alice().get(&at(SUBMISSIONS, &sent)).await.expect(200);
    assert_eq!(read["creatorId"], format!("link:{}", id(&made)));
}

#[tokio::test]
async fn a_link_is_the_holder_of_a_grant_and_ends_with_it() {
    let app = App::new().await;
    let (form, made) = linked(&app, json!({})).await;
    let of_form = query(GRANTS, &[("resourceIdentifier", &form)]);
    let grants = app.alice().get(&of_form).await.expect(200);
    let holder = format!("link:{}", id(&made));
    let of_link = items(&grants);
    let of_link = of_link
        .iter()
        .find(|grant| grant["userIdentifier"] == holder);
    let of_link = of_link.unwrap();
    assert_eq!(of_link["action"], "create_submissions");
    let path = at(GRANTS, &id(of_link));
    app.alice().delete(&path).await.expect(204);
    let refused = app.alice().get(&at(FORM_LINKS, &id(&made))).await;
    refused.refuse(404, NOT_FOUND, json!([]));

    let (form, made) = linked(&app, json!({})).await;
    app.alice().delete(&at(FORMS, &form)).await.expect(204);
    let refused = app.alice().get(&at(FORM_LINKS, &id(&made))).await;
    refused.refuse(404, NOT_FOUND, json!([]));
}

#[tokio::test]
async fn the_users_of_links_are_reserved() {
    let app = App::new().await;
    let (form, made) = linked(&app, json!({})).await;
    let group = app.group("Editors").await;
    for user in [format!("link:{}", id(&made)), "link:x".to_owned()] {
        let holder = json!({ "userIdentifier": user });
        let new = grant("read", "DbpRelayFormalizeForm", Some(&form), holder);
        let refused = app.alice().post(GRANTS, new).await;
        let invalid = "authorization:resource-action-grant-invalid-holder";
        refused.refuse(400, invalid, json!(["userIdentifier"]));
        let member = json!({ "groupIdentifier": group, "userIdentifier": user });
        let refused = app.alice().post(MEMBERS, member).await;
        let invalid = "authorization:group-member-invalid";
        refused.refuse(400, invalid, json!(["userIdentifier"]));
        let detail = refused.problem(400, invalid)["detail"].clone();
        assert!(detail.as_str().unwrap().contains("`link:`"), "{detail}");
    }
}

#[tokio::test]
async fn the_secret_of_a_link_is_no_token() {
    let app = App::new().await;
    let (form, made) = linked(&app, json!({})).await;
    let url = made["url"].as_str().unwrap();
    let secret = url.rsplit('/').next().unwrap();
    let link = app.with_token(secret);
    let refused = link.post(SUBMISSIONS, submission(&form, "{}")).await;
    refused.refuse(401, "formalize:authentication-required", json!([]));
    let listed = query(FORM_LINKS, &[("formIdentifier", &form)]);
    let listed = app.alice().get(&listed).await.expect(200);
    assert_eq!(items(&listed).len(), 1);
    assert_eq!(items(&listed)[0]["numSubmissions"], 0);
    assert!(!listed.to_string().contains("fml_"), "{listed}");
}
