//! Conditional requests: `ETag`, `If-None-Match`, `If-Match`.

use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    ACTIONS, Actor, Answer, App, DYNAMIC_GROUPS, FORM_CLASS, FORM_LINKS, FORMS, GRANTED, GRANTS,
    GROUPS, MEMBERS, NOWHERE, RESOURCES, SUBMISSIONS, at, each, id, query, submission,
};

const IF_MATCH: &str = "if-match";
const IF_NONE_MATCH: &str = "if-none-match";

async fn tag(actor: Actor<'_>, path: &str) -> String {
    let answer = actor.get(path).await;
    answer.expect(200);
    answer.header("etag").unwrap().to_owned()
}

/// The tag of another view of the same state.
fn another_view(tag: &str) -> String {
    format!("{}x\"", tag.strip_suffix('"').unwrap())
}

async fn with(
    actor: Actor<'_>,
    method: Method,
    path: &str,
    lines: &[(&'static str, &str)],
) -> Answer {
    let mut request = actor.request(method.clone(), path);
    for (name, value) in lines {
        request = request.header(name, value);
    }
    if [Method::PATCH, Method::POST].contains(&method) {
        request = request.json(&json!({}));
    }
    request.send().await
}

async fn patch_if_match(actor: Actor<'_>, path: &str, tags: &str) -> Answer {
    with(actor, Method::PATCH, path, &[(IF_MATCH, tags)]).await
}

/// One item of every kind that has its own path, all created by Alice.
struct Items {
    group: String,
    member: String,
    resource: String,
    grant: String,
    form: String,
    submission: String,
    link: String,
}

impl Items {
    async fn of_alice(app: &App) -> Self {
        let group = app.group("Editors").await;
        let member = json!({ "groupIdentifier": group, "userIdentifier": "bob" });
        let member = app.alice().post(MEMBERS, member).await.expect(201);
        let form = app
            .open_form(json!({ "allowedActionsWhenSubmitted": ["manage"] }))
            .await;
        let made = app
            .alice()
            .post(SUBMISSIONS, submission(&form, "{}"))
            .await
            .expect(201);
        let link = json!({ "formIdentifier": form });
        let link = app.alice().post(FORM_LINKS, link).await.expect(201);
        let granted = app
            .share_form(&form, "update", json!({ "userIdentifier": "carol" }))
            .await;
        let resources = app
            .alice()
            .get(&query(RESOURCES, &[("resourceClass", FORM_CLASS)]))
            .await;
        let resource = each(&resources.expect(200), "identifier")
            .first()
            .unwrap()
            .to_string();
        Self {
            group: at(GROUPS, &group),
            member: at(MEMBERS, &id(&member)),
            resource: at(RESOURCES, &resource),
            grant: at(GRANTS, &id(&granted)),
            form: at(FORMS, &form),
            submission: at(SUBMISSIONS, &id(&made)),
            link: at(FORM_LINKS, &id(&link)),
        }
    }

    fn all(&self) -> [&str; 7] {
        [
            &self.group,
            &self.member,
            &self.resource,
            &self.grant,
            &self.form,
            &self.submission,
            &self.link,
        ]
    }

    fn that_change(&self) -> [&str; 4] {
        [&self.group, &self.form, &self.submission, &self.link]
    }

    /// In an order in which no deletion removes a later item.
    fn to_delete(&self) -> [&str; 6] {
        [
            &self.grant,
            &self.member,
            &self.submission,
            &self.link,
            &self.group,
            &self.form,
        ]
    }
}

fn area(path: &str) -> &str {
    path.split('/').nth(1).unwrap()
}

#[track_caller]
fn expect_failed_precondition(answer: &Answer, path: &str, current: Option<&str>) {
    let error_id = match area(path) {
        "authorization" => "authorization:precondition-failed",
        _ => "formalize:precondition-failed",
    };
    answer.refuse(412, error_id, json!([]));
    assert_eq!(answer.header("etag"), current, "{answer}");
}

#[track_caller]
fn expect_refused_header(answer: &Answer, path: &str, names: Value) {
    answer.refuse(400, &format!("{}:invalid-parameter", area(path)), names);
}

#[tokio::test]
async fn unchanged_items_are_not_sent_again() {
    let app = App::new().await;
    let items = Items::of_alice(&app).await;
    let others = [
        at(ACTIONS, FORM_CLASS),
        at(DYNAMIC_GROUPS, "staff"),
        at(GRANTED, FORM_CLASS),
        format!("{GRANTED}/{FORM_CLASS}/{NOWHERE}"),
    ];
    for path in items
        .all()
        .into_iter()
        .chain(others.iter().map(String::as_str))
    {
        let current = tag(app.alice(), path).await;
        for method in [Method::GET, Method::HEAD] {
            for tags in [
                &current,
                "*",
                &format!("W/{current}"),
                &format!("\"x\", {current}"),
            ] {
                let answer =
                    with(app.alice(), method.clone(), path, &[(IF_NONE_MATCH, tags)]).await;
                assert_eq!(answer.status, 304, "{answer}: {tags}");
                assert_eq!(answer.header("etag"), Some(current.as_str()), "{answer}");
                assert!(answer.header("x-request-id").is_some(), "{answer}");
                assert_eq!(answer.header("content-type"), None, "{answer}");
                assert!(answer.body.is_empty(), "{answer}");
            }
        }
        let several = [(IF_NONE_MATCH, "\"x\""), (IF_NONE_MATCH, current.as_str())];
        let answer = with(app.alice(), Method::GET, path, &several).await;
        assert_eq!(answer.status, 304, "{answer}");
        let answer = with(
            app.alice(),
            Method::GET,
            path,
            &[(IF_NONE_MATCH, "\"x\", W/\"y\"")],
        )
        .await;
        answer.expect(200);
    }
}

#[tokio::test]
async fn tags_depend_on_the_view_of_the_caller() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    app.share_group(&group, "read", "bob").await;
    let path = at(GROUPS, &group);
    let bobs = tag(app.bob(), &path).await;
    with(app.alice(), Method::GET, &path, &[(IF_NONE_MATCH, &bobs)])
        .await
        .expect(200);
    app.share_group(&group, "update", "bob").await;
    with(app.bob(), Method::GET, &path, &[(IF_NONE_MATCH, &bobs)])
        .await
        .expect(200);

    let form = app.open_form(json!({})).await;
    let path = at(FORMS, &form);
    let known = tag(app.alice(), &path).await;
    app.alice()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let answer = with(app.alice(), Method::GET, &path, &[(IF_NONE_MATCH, &known)]).await;
    assert_eq!(answer.expect(200)["numSubmissionsByCurrentUser"], 1);
}

#[tokio::test]
async fn only_readers_get_not_modified() {
    let app = App::new().await;
    let path = at(GROUPS, &app.group("Editors").await);
    let known = tag(app.alice(), &path).await;
    let lines = [(IF_NONE_MATCH, known.as_str())];
    with(app.anon(), Method::GET, &path, &lines)
        .await
        .problem(401, "authorization:authentication-required");
    with(app.bob(), Method::GET, &path, &lines).await.refuse(
        403,
        "authorization:forbidden",
        json!([]),
    );
    let nowhere = at(GROUPS, NOWHERE);
    with(app.alice(), Method::GET, &nowhere, &[(IF_NONE_MATCH, "*")])
        .await
        .refuse(404, "authorization:group-not-found", json!([]));
}

#[tokio::test]
async fn if_match_applies_to_reads() {
    let app = App::new().await;
    let items = Items::of_alice(&app).await;
    for path in items.all() {
        let current = tag(app.alice(), path).await;
        for tags in [current.as_str(), "*"] {
            with(app.alice(), Method::GET, path, &[(IF_MATCH, tags)])
                .await
                .expect(200);
        }
        for tags in ["\"x\"", &format!("W/{current}"), &another_view(&current)] {
            let answer = with(app.alice(), Method::GET, path, &[(IF_MATCH, tags)]).await;
            expect_failed_precondition(&answer, path, Some(&current));
        }
    }
}

#[tokio::test]
async fn only_the_first_change_of_a_revision_succeeds() {
    let app = App::new().await;
    let items = Items::of_alice(&app).await;
    for path in items.that_change() {
        let read = tag(app.alice(), path).await;
        let changed = patch_if_match(app.alice(), path, &read).await;
        changed.expect(200);
        let current = changed.header("etag").unwrap();
        let refused = patch_if_match(app.alice(), path, &read).await;
        expect_failed_precondition(&refused, path, Some(current));
        assert_eq!(tag(app.alice(), path).await, current, "nothing was changed");
        // The tag in the error response can be used for the next attempt.
        patch_if_match(app.alice(), path, current).await.expect(200);
        let removed = with(app.alice(), Method::DELETE, path, &[(IF_MATCH, current)]).await;
        expect_failed_precondition(&removed, path, Some(&tag(app.alice(), path).await));
    }
}

#[tokio::test]
async fn the_tag_of_a_new_item_can_be_used_for_changes() {
    let app = App::new().await;
    let made = app.alice().post(GROUPS, json!({ "name": "Editors" })).await;
    let path = at(GROUPS, &id(&made.expect(201)));
    patch_if_match(app.alice(), &path, made.header("etag").unwrap())
        .await
        .expect(200);
}

#[tokio::test]
async fn unchanged_items_can_be_deleted() {
    let app = App::new().await;
    let items = Items::of_alice(&app).await;
    for path in items.to_delete() {
        let current = tag(app.alice(), path).await;
        let other = format!("\"{}.0\"", NOWHERE.replace('-', ""));
        for tags in ["\"x\"", &format!("W/{current}"), &other] {
            let answer = with(app.alice(), Method::DELETE, path, &[(IF_MATCH, tags)]).await;
            expect_failed_precondition(&answer, path, Some(&current));
        }
        let answer = with(
            app.alice(),
            Method::DELETE,
            path,
            &[(IF_MATCH, &another_view(&current))],
        )
        .await;
        answer.expect(204);
    }
}

#[tokio::test]
async fn unrelated_changes_do_not_fail_an_edit() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let path = at(GROUPS, &group);
    let read = tag(app.alice(), &path).await;
    app.share_group(&group, "manage", "bob").await;
    let bobs = tag(app.bob(), &path).await;
    patch_if_match(app.alice(), &path, &read).await.expect(200);

    let form = app.open_form(json!({})).await;
    let path = at(FORMS, &form);
    let read = tag(app.alice(), &path).await;
    app.alice()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    assert_ne!(tag(app.alice(), &path).await, read);
    patch_if_match(app.alice(), &path, &read).await.expect(200);

    // A tag identifies the state of the record, whoever received it.
    let path = at(GROUPS, &group);
    let refused = patch_if_match(app.bob(), &path, &bobs).await;
    expect_failed_precondition(&refused, &path, Some(&tag(app.bob(), &path).await));
    let alices = tag(app.alice(), &path).await;
    patch_if_match(app.bob(), &path, &alices).await.expect(200);
}

#[tokio::test]
async fn lists_of_tags_repeated_headers_and_asterisks_are_supported() {
    let app = App::new().await;
    let path = at(GROUPS, &app.group("Editors").await);
    let current = async || tag(app.alice(), &path).await;
    patch_if_match(app.alice(), &path, "*").await.expect(200);
    patch_if_match(
        app.alice(),
        &path,
        &format!("\"x,\",{} , W/\"y\"", current().await),
    )
    .await
    .expect(200);
    let tag = current().await;
    let lines = [(IF_MATCH, "\"x\""), (IF_MATCH, tag.as_str())];
    with(app.alice(), Method::PATCH, &path, &lines)
        .await
        .expect(200);
    let lines = [(IF_MATCH, "\"x\""), (IF_MATCH, "\"y\"")];
    let refused = with(app.alice(), Method::PATCH, &path, &lines).await;
    expect_failed_precondition(&refused, &path, Some(&current().await));
}

#[tokio::test]
async fn malformed_tags_are_rejected() {
    let app = App::new().await;
    let items = Items::of_alice(&app).await;
    for path in [&items.group, &items.form] {
        let known = tag(app.alice(), path).await;
        for value in [
            "",
            "x",
            "'x'",
            "*, \"x\"",
            "w/\"x\"",
            "\"x",
            known.trim_matches('"'),
        ] {
            for method in [Method::GET, Method::PATCH, Method::DELETE] {
                let answer = with(app.alice(), method, path, &[(IF_MATCH, value)]).await;
                expect_refused_header(&answer, path, json!(["If-Match"]));
            }
            let answer = with(app.alice(), Method::GET, path, &[(IF_NONE_MATCH, value)]).await;
            expect_refused_header(&answer, path, json!(["If-None-Match"]));
        }
        let both = [(IF_NONE_MATCH, "x"), (IF_MATCH, "x")];
        let answer = with(app.alice(), Method::GET, path, &both).await;
        expect_refused_header(&answer, path, json!(["If-Match", "If-None-Match"]));
    }
}

#[tokio::test]
async fn writes_reject_if_none_match() {
    let app = App::new().await;
    let items = Items::of_alice(&app).await;
    for (method, path) in [(Method::PATCH, &items.group), (Method::DELETE, &items.form)] {
        let current = tag(app.alice(), path).await;
        // The item exists, so this condition is false, regardless of the others.
        for lines in [
            &[(IF_NONE_MATCH, "*")][..],
            &[(IF_NONE_MATCH, "*"), (IF_MATCH, &current)],
        ] {
            let answer = with(app.alice(), method.clone(), path, lines).await;
            expect_failed_precondition(&answer, path, Some(&current));
        }
        let answer = with(app.alice(), method, path, &[(IF_NONE_MATCH, "\"x\"")]).await;
        expect_refused_header(&answer, path, json!(["If-None-Match"]));
    }
    let submissions = query(
        SUBMISSIONS,
        &[("formIdentifier", items.form.rsplit('/').next().unwrap())],
    );
    for value in ["*", "\"x\""] {
        for (method, path) in [
            (Method::POST, GROUPS),
            (Method::POST, FORMS),
            (Method::DELETE, submissions.as_str()),
        ] {
            let answer = with(app.alice(), method, path, &[(IF_NONE_MATCH, value)]).await;
            expect_refused_header(&answer, path, json!(["If-None-Match"]));
        }
        for path in [GROUPS, submissions.as_str()] {
            with(app.alice(), Method::GET, path, &[(IF_NONE_MATCH, value)])
                .await
                .expect(200);
        }
    }
    assert_eq!(app.alice().walk(&submissions).await.len(), 1);
}

#[tokio::test]
async fn conditions_are_checked_in_order() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let path = at(FORMS, &form);
    let made = app
        .alice()
        .post(SUBMISSIONS, submission(&form, "{}"))
        .await
        .expect(201);
    let bad = [(IF_MATCH, "\"x\"")];
    // Checked after existence and permission.
    with(app.alice(), Method::PATCH, &at(FORMS, NOWHERE), &bad)
        .await
        .refuse(404, "formalize:form-not-found", json!([]));
    with(
        app.alice(),
        Method::DELETE,
        &at(FORMS, NOWHERE),
        &[(IF_NONE_MATCH, "*")],
    )
    .await
    .refuse(404, "formalize:form-not-found", json!([]));
    with(app.bob(), Method::PATCH, &path, &bad)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    with(app.bob(), Method::PATCH, &at(SUBMISSIONS, &id(&made)), &bad)
        .await
        .refuse(403, "formalize:forbidden", json!([]));
    // Checked after the body, and before problems that depend on the state.
    let change = |body: Value| {
        app.alice()
            .request(Method::PATCH, &path)
            .header(IF_MATCH, "\"x\"")
            .json(&body)
    };
    change(json!({ "name": 3 }))
        .send()
        .await
        .problem(400, "formalize:invalid-request-body");
    let refused = change(json!({ "grantBasedSubmissionAuthorization": true }))
        .send()
        .await;
    refused.refuse(412, "formalize:precondition-failed", json!([]));
    let grants = app
        .alice()
        .get(&query(GRANTS, &[("resourceIdentifier", &form)]))
        .await
        .expect(200);
    let last = grants["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|grant| grant["action"] == "manage");
    let last = at(GRANTS, &id(last.unwrap()));
    with(app.alice(), Method::DELETE, &last, &bad).await.refuse(
        412,
        "authorization:precondition-failed",
        json!([]),
    );
    app.alice()
        .delete(&last)
        .await
        .refuse(409, "authorization:last-manage-grant", json!([]));
}

#[tokio::test]
async fn tags_are_not_revealed_to_writers_without_read_access() {
    let app = App::new().await;
    let items = Items::of_alice(&app).await;
    let group = items.group.rsplit('/').next().unwrap();
    app.share_group(group, "update", "carol").await;
    app.share_group(group, "delete_members", "carol").await;
    for path in [&items.group, &items.form] {
        let refused = patch_if_match(app.carol(), path, "\"x\"").await;
        expect_failed_precondition(&refused, path, None);
        let current = tag(app.alice(), path).await;
        patch_if_match(app.carol(), path, &current)
            .await
            .expect(204);
    }
    let refused = with(
        app.carol(),
        Method::DELETE,
        &items.member,
        &[(IF_MATCH, "\"x\"")],
    )
    .await;
    expect_failed_precondition(&refused, &items.member, None);
}
