//! What a stranger can find out: whether an identifier exists, because identifiers are not secret, and nothing else.

use formalize_core::Subject;
use poem::http::Method;
use serde_json::{Value, json};

use super::matrix::ask;
use super::rows::rows;
use super::stage::{Spot, Stage};
use crate::openapi::operations;
use crate::support::{
    Answer, App, COLLECTION_CLASS, FORM_CLASS, FORMS, GRANTED, GRANTS, GROUP_CLASS, GROUPS,
    MEMBERS, NOWHERE, RESOURCES, SUBMISSION_CLASS, SUBMISSIONS, at, but, query,
};

/// The whole response except its request id, and a cursor of the change feed: it tells how many events there are, which is
/// no secret.
fn gist(answer: &Answer) -> String {
    let headers = answer.headers_but("x-request-id");
    let body = match serde_json::from_slice::<Value>(&answer.body) {
        Ok(feed) if feed["hasMore"].is_boolean() => {
            but(feed, "nextCursor", Value::Null).to_string()
        }
        _ => String::from_utf8(answer.body.clone()).unwrap(),
    };
    format!("{} {headers:?} {body}", answer.status)
}

async fn stranger(app: &App) -> String {
    app.token("stranger", json!({}), None).await
}

/// None of the members, submissions, grants, names, schemas, windows, caps and states are revealed.
#[tokio::test]
async fn responses_to_strangers_reveal_no_content() {
    let app = App::new().await;
    let stage = Stage::build(&app).await;
    let (token, described) = (stranger(&app).await, operations(&app).await);
    let gists = async || {
        let mut gists = Vec::new();
        for row in rows() {
            let described = described.iter().find(|it| it.id == row.operation).unwrap();
            let asked = (row.ask)(&stage);
            let answer = ask(&app, Some(&token), &described.method, asked).await;
            gists.push((row.operation, gist(&answer)));
        }
        gists
    };
    let bare = gists().await;
    stage.enrich(&app).await;
    assert_eq!(gists().await, bare);
}

/// Operations that accept any string as an identifier must answer the same whether or not it exists.
#[tokio::test]
async fn filters_and_granted_actions_do_not_reveal_existence() {
    let app = App::new().await;
    let stage = Stage::build(&app).await;
    let token = stranger(&app).await;
    let mut paths = Vec::new();
    for (class, identifier) in [
        (GROUP_CLASS, &stage.group),
        (FORM_CLASS, &stage.form),
        (COLLECTION_CLASS, &stage.form),
        (SUBMISSION_CLASS, &stage.submission),
        (SUBMISSION_CLASS, &stage.draft),
    ] {
        let filter = [("resourceClass", class), ("resourceIdentifier", identifier)];
        paths.push(format!("{GRANTED}/{class}/{identifier}"));
        for list in [RESOURCES, GRANTS] {
            paths.push(query(list, &filter));
            paths.push(query(list, &filter[1..]));
        }
    }
    for list in [GROUPS, FORMS, RESOURCES, GRANTS] {
        paths.push(list.to_owned());
    }
    paths.push(query(GROUPS, &[("search", "Editors")]));
    let mut before = Vec::new();
    for path in &paths {
        let answer = app.with_token(&token).get(path).await;
        before.push(gist(&answer));
    }
    stage.strike(&app).await;
    for (path, before) in paths.iter().zip(before) {
        let answer = app.with_token(&token).get(path).await;
        assert_eq!(gist(&answer), before, "{path}");
    }
}

/// Where existence is revealed, only the status and a fixed message show it, the same for all kinds.
#[tokio::test]
async fn existing_items_are_forbidden_and_others_not_found() {
    let app = App::new().await;
    let stage = Stage::build(&app).await;
    let token = stranger(&app).await;
    let described = operations(&app).await;
    for row in rows()
        .iter()
        .filter(|it| it.shows.is_none() && !it.everybody)
    {
        let described = described.iter().find(|it| it.id == row.operation).unwrap();
        let (path, body) = (row.ask)(&stage);
        let (mut nowhere, mut body_of_nowhere) = (path.clone(), body.to_string());
        for identifier in stage.identifiers() {
            nowhere = nowhere.replace(identifier, NOWHERE);
            body_of_nowhere = body_of_nowhere.replace(identifier, NOWHERE);
        }
        let asked = (path, body.clone());
        let there = ask(&app, Some(&token), &described.method, asked.clone()).await;
        let forbidden = format!("{}:forbidden", described.area);
        there.refuse(403, &forbidden, json!([]));
        let nothing = (nowhere, serde_json::from_str(&body_of_nowhere).unwrap());
        if nothing != asked {
            let not_there = ask(&app, Some(&token), &described.method, nothing).await;
            assert_eq!(not_there.status.as_u16(), 404, "{not_there}");
        }
    }
}

/// Conditions are evaluated after permission, so knowing a tag reveals nothing.
#[tokio::test]
async fn conditions_reveal_nothing_to_strangers() {
    let app = App::new().await;
    let stage = Stage::build(&app).await;
    let token = stranger(&app).await;
    for (path, area) in [
        (at(GROUPS, &stage.group), "authorization"),
        (at(MEMBERS, &stage.member), "authorization"),
        (at(RESOURCES, &stage.resource), "authorization"),
        (at(GRANTS, &stage.grant), "authorization"),
        (at(FORMS, &stage.form), "formalize"),
        (at(SUBMISSIONS, &stage.submission), "formalize"),
    ] {
        let read = app.alice().get(&path).await;
        let tag = read.header("etag").unwrap();
        let mut asked = vec![
            (Method::GET, "if-none-match", tag),
            (Method::GET, "if-none-match", "*"),
        ];
        if !path.starts_with(RESOURCES) {
            let deletions = [tag, "\"x\"", "*"];
            asked.extend(deletions.map(|value| (Method::DELETE, "if-match", value)));
        }
        for (method, name, value) in asked {
            let request = app.with_token(&token).request(method, &path);
            let answer = request.header(name, value).send().await;
            answer.refuse(403, &format!("{area}:forbidden"), json!([]));
            assert_eq!(answer.header("etag"), None);
        }
    }
}

/// Identifiers in bodies are checked like those in paths.
#[tokio::test]
async fn identifiers_in_bodies_are_checked() {
    let app = App::new().await;
    let stage = Stage::build(&app).await;
    let bob = app.bob();
    let forbidden = |answer: Answer, area: &str| {
        answer.refuse(403, &format!("{area}:forbidden"), json!([]));
    };
    // A group that Bob may add members to, and a child that he may not read.
    let user = formalize_core::UserId::new("bob").unwrap();
    stage
        .grant(&app, &Subject::User(user), Spot::Group, "add_members")
        .await;
    let child =
        |of: &str, child: &str| json!({ "groupIdentifier": of, "childGroupIdentifier": child });
    let asked = child(&stage.group, &stage.hidden_group);
    forbidden(bob.post(MEMBERS, asked).await, "authorization");
    let asked = child(&stage.hidden_group, &stage.group);
    forbidden(bob.post(MEMBERS, asked).await, "authorization");
    // It must not reveal either whether the membership exists already or would close a cycle.
    let nested = child(&stage.hidden_group, &stage.hidden_group);
    forbidden(bob.post(MEMBERS, nested).await, "authorization");
    let dora = json!({ "groupIdentifier": stage.hidden_group, "userIdentifier": "dora" });
    forbidden(bob.post(MEMBERS, dora).await, "authorization");
    // It must not reveal either the class of a record, whether the action is defined for it, or whether the grant
    // exists.
    let by_record = |class: Value, action: &str, user: &str| {
        json!({
            "authorizationResourceIdentifier": stage.form_resource, "resourceClass": class,
            "action": action, "userIdentifier": user,
        })
    };
    for grant in [
        by_record(Value::Null, "read", "eve"),
        by_record(json!(FORM_CLASS), "read", "eve"),
        by_record(Value::Null, "manage", "alice"),
        but(
            by_record(Value::Null, "read", "eve"),
            "resourceIdentifier",
            json!(NOWHERE),
        ),
    ] {
        let grant = without_nulls(grant);
        forbidden(bob.post(GRANTS, grant).await, "authorization");
    }
    let undefined = without_nulls(by_record(Value::Null, "add_members", "eve"));
    forbidden(bob.post(GRANTS, undefined).await, "authorization");
    let other_class = by_record(json!(GROUP_CLASS), "read", "eve");
    forbidden(bob.post(GRANTS, other_class).await, "authorization");
    // A grant may name a group that its creator may not read. This reveals only that the group exists.
    let grant = json!({
        "action": "read", "resourceClass": FORM_CLASS, "resourceIdentifier": stage.form,
        "groupIdentifier": stage.hidden_group,
    });
    forbidden(bob.post(GRANTS, grant.clone()).await, "authorization");
    app.alice().post(GRANTS, grant).await.expect(201);
    forbidden(
        app.alice().get(&at(GROUPS, &stage.hidden_group)).await,
        "authorization",
    );
    // A form to which Bob may not submit must not reveal what it accepts.
    for (member, value) in [
        ("submissionState", json!("nonsense")),
        ("dataFeedElement", json!("{")),
        ("dataFeedElement", json!("[]")),
    ] {
        let submission = but(json!({ "formIdentifier": stage.form }), member, value);
        forbidden(bob.post(SUBMISSIONS, submission.clone()).await, "formalize");
        let path = at(SUBMISSIONS, &stage.submission);
        let change = json!({ member: submission[member] });
        forbidden(bob.patch(&path, change).await, "formalize");
    }
}

fn without_nulls(mut value: Value) -> Value {
    if let Value::Object(members) = &mut value {
        members.retain(|_, member| !member.is_null());
    }
    value
}

/// Unknown classes reveal nothing either.
#[tokio::test]
async fn lists_of_unreadable_and_missing_items_are_equal() {
    let app = App::new().await;
    Stage::build(&app).await;
    let token = stranger(&app).await;
    let mut gists = Vec::new();
    for class in [GROUP_CLASS, "Unknown"] {
        for list in [RESOURCES, GRANTS] {
            let path = query(list, &[("resourceClass", class)]);
            let answer = app.with_token(&token).get(&path).await;
            answer.expect(200);
            gists.push(gist(&answer));
        }
    }
    for gist in &gists {
        assert_eq!(*gist, gists[0]);
    }
}
