use poem::http::Method;
use serde_json::json;

use crate::support::{App, MEMBERS, at, each};

const ME: &str = "/me";

#[tokio::test]
async fn the_caller_is_described() {
    let app = App::new().await;
    let [inner, outer, _] = [
        app.group("Inner").await,
        app.group("Outer").await,
        app.group("Of others").await,
    ];
    for member in [
        json!({ "groupIdentifier": inner, "userIdentifier": "dora" }),
        json!({ "groupIdentifier": outer, "childGroupIdentifier": inner }),
    ] {
        app.alice().post(MEMBERS, member).await.expect(201);
    }
    let attributes = json!({ "roles": ["staff"], "age": 36 });
    let token = app.token("dora", attributes.clone(), None).await;
    let dora = || app.with_token(&token);
    let me = dora().get(ME).await;
    assert!(me.header("etag").is_some());
    let head = dora().request(Method::HEAD, ME).send().await;
    assert_eq!(head.header("etag"), me.header("etag"));
    assert_eq!(
        me.expect(200),
        json!({
            "userIdentifier": "dora",
            "attributes": attributes,
            "credentials": "api-token",
            "dynamicGroups": ["everybody", "staff"],
            "groups": {
                "items": [{ "identifier": inner }, { "identifier": outer }],
                "page": 1, "perPage": 30, "nextCursor": null,
            },
        })
    );
    // She may read neither of them.
    let group = dora().get(&at("/authorization/groups", &inner)).await;
    group.refuse(403, "authorization:forbidden", json!([]));

    let first = dora().get(&format!("{ME}?perPage=1")).await.expect(200);
    assert_eq!(each(&first["groups"], "identifier"), [&inner]);
    let cursor = first["groups"]["nextCursor"].as_str().unwrap();
    let next = format!("{ME}?perPage=1&cursor={cursor}");
    let rest = dora().get(&next).await.expect(200);
    assert_eq!(each(&rest["groups"], "identifier"), [&outer]);
    assert_eq!(rest["groups"]["nextCursor"], json!(null));
    let foreign = app.bob().get(&next).await;
    foreign.refuse(400, "formalize:invalid-parameter", json!(["cursor"]));
}

#[tokio::test]
async fn callers_without_groups_are_described() {
    let app = App::new().await;
    let me = app.bob().get(ME).await.expect(200);
    assert_eq!(me["userIdentifier"], "bob");
    assert_eq!(me["dynamicGroups"], json!(["everybody"]));
    assert_eq!(me["groups"]["items"], json!([]));
    let refused = app.anon().get(ME).await;
    refused.refuse(401, "formalize:authentication-required", json!([]));
}
