//! Rules for every route: credentials, media types, methods, request ids, parameters, addresses.

use poem::http::Method;
use serde_json::{Value, json};

use crate::openapi::{Described, operations};
use crate::support::{
    App, BASE, DYNAMIC_GROUPS, FORMS, GROUPS, MEMBERS, NOWHERE, SUBMISSIONS, at, id, items, query,
};

#[tokio::test]
async fn unknown_routes_are_not_found_for_all_callers() {
    let app = App::new().await;
    for (path, area) in [
        ("/nowhere", "formalize"),
        ("/authorization", "authorization"),
        ("/authorization/", "authorization"),
        ("/authorization/nowhere", "authorization"),
        ("/authorizations/groups", "formalize"),
        ("/Authorization/groups", "formalize"),
        ("/authorization/groups/", "authorization"),
        ("/authorization//groups", "authorization"),
        ("/authorization/groups/x/", "authorization"),
        ("/authorization/groups/x/y", "authorization"),
        ("/authorization/granted-actions", "authorization"),
        ("/authorization/granted-actions/a/b/c", "authorization"),
        ("/formalize/forms/", "formalize"),
        ("/formalize/forms/x/submissions", "formalize"),
        ("/service/formalize/forms", "formalize"),
        ("/docs/", "formalize"),
        ("/healthz/", "formalize"),
    ] {
        for actor in [app.anon(), app.bob()] {
            for method in [Method::GET, Method::POST, Method::PUT, Method::OPTIONS] {
                let refused = actor.request(method, path).send().await;
                refused.refuse(404, &format!("{area}:route-not-found"), json!([]));
            }
        }
    }
}

#[tokio::test]
async fn other_methods_return_the_allowed_ones() {
    let app = App::new().await;
    let item = at(FORMS, NOWHERE);
    for (path, area, allow) in [
        (GROUPS, "authorization", "GET, HEAD, POST"),
        (MEMBERS, "authorization", "GET, HEAD, POST"),
        (
            &at(GROUPS, "x"),
            "authorization",
            "GET, HEAD, PATCH, DELETE",
        ),
        (&at(MEMBERS, "x"), "authorization", "GET, HEAD, DELETE"),
        (DYNAMIC_GROUPS, "authorization", "GET, HEAD"),
        (&item, "formalize", "GET, HEAD, PATCH, DELETE"),
        (SUBMISSIONS, "formalize", "GET, HEAD, POST, DELETE"),
        ("/healthz", "formalize", "GET, HEAD"),
        ("/openapi.json", "formalize", "GET, HEAD"),
    ] {
        let expected: Vec<&str> = allow.split(", ").collect();
        for method in ["PUT", "TRACE", "PROPFIND", "get"] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let refused = app.anon().request(method, path).send().await;
            refused.refuse(405, &format!("{area}:method-not-allowed"), json!([]));
            let mut allowed: Vec<&str> = refused.header("allow").unwrap().split(", ").collect();
            allowed.sort_unstable_by_key(|name| expected.iter().position(|other| other == name));
            assert_eq!(allowed, expected, "{path}");
        }
    }
}

#[tokio::test]
async fn head_is_answered_like_get() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let item = at(GROUPS, &group);
    for path in [GROUPS, &item, FORMS, "/healthz", "/openapi.json", "/docs"] {
        let got = app.alice().get(path).await;
        let head = app.alice().request(Method::HEAD, path).send().await;
        assert_eq!(head.status, got.status, "{path}");
        for name in ["content-type", "etag"] {
            assert_eq!(head.header(name), got.header(name), "{path} {name}");
        }
    }
    app.group("Authors").await;
    let list = format!("{GROUPS}?perPage=1");
    let got = app.alice().get(&list).await;
    let head = app.alice().request(Method::HEAD, &list).send().await;
    assert!(got.header("link").is_some());
    assert_eq!(head.header("link"), None, "only one item is read");
    assert_eq!(head.body, b"", "no items are composed");
    let missing = app
        .alice()
        .request(Method::HEAD, &at(GROUPS, NOWHERE))
        .send()
        .await;
    assert_eq!(missing.status.as_u16(), 404);
    let anonymous = app.anon().request(Method::HEAD, GROUPS).send().await;
    assert_eq!(anonymous.status.as_u16(), 401);
}

#[tokio::test]
async fn a_well_formed_request_id_is_returned() {
    let app = App::new().await;
    let longest = "x".repeat(128);
    let too_long = "x".repeat(129);
    let mut fresh = Vec::new();
    for path in [GROUPS, "/nowhere", "/healthz", &at(GROUPS, "x")] {
        for sent in ["a", "A.b_c-9", &longest] {
            let answer = app
                .alice()
                .request(Method::GET, path)
                .header("x-request-id", sent)
                .send()
                .await;
            assert_eq!(answer.header("x-request-id"), Some(sent));
        }
        for sent in ["", "a b", "a/b", "a,b", "ä", &too_long] {
            let answer = app
                .alice()
                .request(Method::GET, path)
                .header("x-request-id", sent)
                .send()
                .await;
            fresh.push(answer.header("x-request-id").unwrap().to_owned());
        }
        fresh.push(
            app.anon()
                .get(path)
                .await
                .header("x-request-id")
                .unwrap()
                .to_owned(),
        );
    }
    let well_formed = |id: &String| {
        (1..=128).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    assert!(fresh.iter().all(well_formed), "{fresh:?}");
    let distinct: std::collections::HashSet<_> = fresh.iter().collect();
    assert_eq!(distinct.len(), fresh.len(), "{fresh:?}");
}

#[tokio::test]
async fn json_is_returned_to_clients_that_accept_it() {
    let app = App::new().await;
    for accept in [
        "",
        "*/*",
        "application/*",
        "application/json",
        "APPLICATION/JSON",
        "application/json; charset=utf-8",
        "application/problem+json",
        "text/html, application/json;q=0.1",
        "text/html, */*;q=0.8",
    ] {
        let answer = app
            .alice()
            .request(Method::GET, GROUPS)
            .header("accept", accept)
            .send()
            .await;
        answer.expect(200);
    }
    for accept in [
        "text/html",
        "application/ld+json",
        "application/xml",
        "*/*;q=0",
        "application/json;q=0",
        "application/json;q=0, application/problem+json;q=0, */*",
        "application/jsonp",
    ] {
        let refused = app
            .alice()
            .request(Method::GET, GROUPS)
            .header("accept", accept)
            .send()
            .await;
        refused.refuse(406, "authorization:not-acceptable", json!([]));
        let form = json!({ "name": "x" });
        let refused = app
            .alice()
            .request(Method::POST, FORMS)
            .header("accept", accept)
            .json(&form)
            .send()
            .await;
        refused.refuse(406, "formalize:not-acceptable", json!([]));
    }
    assert!(
        items(&app.alice().get(FORMS).await.expect(200)).is_empty(),
        "nothing was created"
    );
    let group = at(GROUPS, &app.group("Editors").await);
    let deleted = app
        .alice()
        .request(Method::DELETE, &group)
        .header("accept", "text/html")
        .send()
        .await;
    deleted.expect(204);
}

#[tokio::test]
async fn bodies_must_be_json() {
    let app = App::new().await;
    let group = at(GROUPS, &app.group("Editors").await);
    let send = async |method: Method, path: &str, content_type: Option<&str>| {
        let mut request = app
            .alice()
            .request(method, path)
            .body(json!({ "name": "x" }).to_string());
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        request.send().await
    };
    let json_types = [
        "application/json",
        "Application/JSON",
        "application/json;charset=UTF-8",
        "application/json; charset=\"utf-8\"",
    ];
    for content_type in json_types {
        send(Method::POST, GROUPS, Some(content_type))
            .await
            .expect(201);
        send(Method::PATCH, &group, Some(content_type))
            .await
            .expect(200);
    }
    let merge_patch = "application/merge-patch+json; charset=utf-8";
    send(Method::PATCH, &group, Some(merge_patch))
        .await
        .expect(200);
    let unsupported = |answer: crate::support::Answer| {
        answer.refuse(415, "authorization:unsupported-media-type", json!([]));
    };
    unsupported(send(Method::POST, GROUPS, Some(merge_patch)).await);
    for content_type in [
        None,
        Some(""),
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("application/ld+json"),
        Some("application/json-patch+json"),
        Some("application/json; charset=iso-8859-1"),
        Some("json"),
        Some("application/jsonx"),
        Some("multipart/form-data; boundary=x"),
    ] {
        unsupported(send(Method::POST, GROUPS, content_type).await);
        unsupported(send(Method::PATCH, &group, content_type).await);
    }
    let refused = app
        .alice()
        .request(Method::POST, FORMS)
        .body("{}")
        .send()
        .await;
    refused.refuse(415, "formalize:unsupported-media-type", json!([]));
    let compressed = app
        .alice()
        .request(Method::POST, GROUPS)
        .header("content-encoding", "gzip");
    unsupported(compressed.json(&json!({ "name": "x" })).send().await);
}

#[tokio::test]
async fn unknown_and_repeated_parameters_are_rejected() {
    let app = App::new().await;
    for Described {
        method,
        path,
        area,
        parameters,
        ..
    } in operations(&app).await
    {
        let send = async |query: &str| {
            let request = app
                .admin()
                .request(method.clone(), &format!("{path}?{query}"));
            let request = match method {
                Method::POST | Method::PATCH => request.json(&json!({})),
                _ => request,
            };
            request.send().await
        };
        if ["/healthz", "/readyz"].contains(&path.as_str()) {
            send("nonsense=1").await.expect(200);
            continue;
        }
        let invalid = format!("{area}:invalid-parameter");
        send("nonsense=1")
            .await
            .refuse(400, &invalid, json!(["nonsense"]));
        send("nonsense")
            .await
            .refuse(400, &invalid, json!(["nonsense"]));
        send("=").await.refuse(400, &invalid, json!([""]));
        for name in parameters {
            let upper = name.to_uppercase();
            send(&format!("{upper}=1"))
                .await
                .refuse(400, &invalid, json!([upper]));
            let value = match name.as_str() {
                "outputValidation" => "NONE",
                "submissionState" => "draft",
                "whereReadFormSubmissionsGranted" => "true",
                _ => "1",
            };
            send(&format!("{name}={value}&{name}={value}"))
                .await
                .refuse(400, &invalid, json!([name]));
        }
    }
}

#[tokio::test]
async fn query_strings_are_percent_encoded_utf_8() {
    let app = App::new().await;
    app.group("a b+c&d=é").await;
    for search in [
        "search=a+b%2Bc%26d%3D%C3%A9",
        "search=a%20b%2bc%26d%3d%c3%a9",
        "sear%63h=%C3%A9",
    ] {
        let list = app
            .alice()
            .get(&format!("{GROUPS}?{search}"))
            .await
            .expect(200);
        assert_eq!(items(&list).len(), 1, "{search}");
    }
    for broken in ["search=%ff", "search=%2", "search=%zz", "%ff=1"] {
        let refused = app.alice().get(&format!("{GROUPS}?{broken}")).await;
        refused.problem(400, "authorization:invalid-parameter");
    }
    app.alice().get(&format!("{GROUPS}?")).await.expect(200);
}

#[tokio::test]
async fn etags_identify_states() {
    let app = App::new().await;
    let group = app.group("Editors").await;
    let path = at(GROUPS, &group);
    let tag = async |actor: crate::support::Actor<'_>| {
        actor.get(&path).await.header("etag").unwrap().to_owned()
    };
    let first = tag(app.alice()).await;
    assert_eq!(tag(app.alice()).await, first);
    app.share_group(&group, "read", "bob").await;
    let revision = |tag: &str| tag.trim_matches('"').split('.').next().unwrap().to_owned();
    let bobs = tag(app.bob()).await;
    assert_ne!(bobs, first, "Bob sees other granted actions");
    assert_eq!(revision(&bobs), revision(&first));
    // A change without effect still creates a new revision.
    app.alice().patch(&path, json!({})).await.expect(200);
    let second = tag(app.alice()).await;
    assert_ne!(revision(&second), revision(&first));

    let form = app
        .open_form(json!({ "allowedActionsWhenSubmitted": ["manage"] }))
        .await;
    let made = app
        .alice()
        .post(SUBMISSIONS, crate::support::submission(&form, "{}"))
        .await
        .expect(201);
    for path in [at(FORMS, &form), at(SUBMISSIONS, &id(&made))] {
        let before = app.alice().get(&path).await;
        let after = app.alice().patch(&path, json!({})).await;
        after.expect(200);
        assert_ne!(
            revision(after.header("etag").unwrap()),
            revision(before.header("etag").unwrap()),
            "{path}"
        );
        let read = app.alice().get(&path).await;
        assert_eq!(read.header("etag"), after.header("etag"));
    }
}

#[tokio::test]
async fn if_match_on_a_collection_is_ignored() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let path = query(SUBMISSIONS, &[("formIdentifier", &form)]);
    app.alice()
        .request(Method::DELETE, &path)
        .header("if-match", "\"x\"")
        .send()
        .await
        .expect(204);
    app.alice()
        .request(Method::GET, &path)
        .header("if-match", "\"x\"")
        .send()
        .await
        .expect(200);
    let create = app
        .alice()
        .request(Method::POST, GROUPS)
        .header("if-match", "\"x\"");
    create
        .json(&json!({ "name": "x" }))
        .send()
        .await
        .expect(201);
}

#[tokio::test]
async fn only_configured_origins_get_cors_headers() {
    let app = App::new().await;
    let answer = app
        .alice()
        .request(Method::GET, GROUPS)
        .header("origin", "https://evil.example")
        .send()
        .await;
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn addresses_are_absolute_and_begin_with_the_base_url() {
    let app = App::new().await;
    let made = app.alice().post(GROUPS, json!({ "name": "First" })).await;
    let group = made.expect(201);
    assert_eq!(
        made.header("location"),
        Some(format!("{BASE}{GROUPS}/{}", id(&group)).as_str())
    );
    app.group("Second").await;
    let page = app
        .alice()
        .get(&query(GROUPS, &[("perPage", "1"), ("search", "é &s")]))
        .await;
    assert_eq!(page.header("link"), None);
    let page = app
        .alice()
        .get(&query(
            GROUPS,
            &[("perPage", "1"), ("search", "s"), ("page", "1")],
        ))
        .await;
    let cursor = page.expect(200)["nextCursor"].as_str().unwrap().to_owned();
    let link = format!("<{BASE}{GROUPS}?perPage=1&search=s&cursor={cursor}>; rel=\"next\"");
    assert_eq!(page.header("link"), Some(link.as_str()));
}

/// getHealth, getReadiness, getVersion
#[tokio::test]
async fn health_endpoints_require_no_credentials() {
    let app = App::new().await;
    let ready = json!({"status": "ok", "failingMaintenance": []});
    for (path, expected) in [("/healthz", json!({"status": "ok"})), ("/readyz", ready)] {
        assert_eq!(app.anon().get(path).await.expect(200), expected);
    }
    let version = app.anon().get("/version").await.expect(200);
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    let broken = app
        .anon()
        .request(Method::GET, "/healthz")
        .header("authorization", "Bearer x")
        .send()
        .await;
    broken.expect(200);
    let refused = app
        .anon()
        .request(Method::GET, "/version")
        .header("accept", "text/html")
        .send()
        .await;
    refused.refuse(406, "formalize:not-acceptable", json!([]));
}

#[tokio::test]
async fn the_documentation_loads_nothing_from_other_hosts() {
    let app = App::new().await;
    let page = app
        .anon()
        .request(Method::GET, "/docs")
        .header("accept", "text/html")
        .send()
        .await;
    assert_eq!(page.status.as_u16(), 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let html = String::from_utf8_lossy(&page.body);
    for foreign in ["src=\"http", "href=\"http", "src='http", "@import"] {
        assert!(!html.contains(foreign), "{foreign}");
    }
    assert!(html.contains("createForm"));
}

#[tokio::test]
async fn the_root_leads_to_the_documentation() {
    let app = App::new().await;
    let root = app.anon().get("/").await;
    assert_eq!(root.status.as_u16(), 307);
    let location = root.header("location").unwrap();
    assert!(location.ends_with("/docs"), "{location}");
    let refused = app.anon().request(Method::POST, "/").send().await;
    refused.refuse(405, "formalize:method-not-allowed", json!([]));
}

#[tokio::test]
async fn the_documentation_is_compressed_and_cached() {
    let app = App::new().await;
    for path in ["/docs", "/openapi.json"] {
        let read = |name, value| {
            app.anon()
                .request(Method::GET, path)
                .header(name, value)
                .send()
        };
        let whole = app.anon().get(path).await;
        let compressed = read("accept-encoding", "gzip, br").await;
        assert_eq!(compressed.header("content-encoding"), Some("gzip"));
        assert!(compressed.body.len() * 2 < whole.body.len(), "{path}");
        let tag = whole.header("etag").unwrap();
        assert_eq!(compressed.header("etag"), Some(tag));
        let known = read("if-none-match", tag).await;
        assert_eq!(known.status.as_u16(), 304);
        assert!(known.body.is_empty());
        assert_eq!(known.header("etag"), Some(tag));
        let other = read("if-none-match", "\"0\"").await;
        assert_eq!(other.status.as_u16(), 200);
    }
}

#[tokio::test]
async fn items_created_by_the_system_have_no_creator() {
    use formalize_core::{Caller, NewSubmission};
    let app = App::new().await;
    let form = id(&app.form(json!({})).await);
    let new = NewSubmission::new(form.parse().unwrap(), "{}");
    app.formalize
        .submissions()
        .create(&Caller::System, new)
        .await
        .unwrap();
    let list = app
        .alice()
        .get(&query(SUBMISSIONS, &[("formIdentifier", &form)]))
        .await
        .expect(200);
    assert_eq!(items(&list)[0]["creatorId"], Value::from(""));
}

#[tokio::test]
async fn responses_are_not_cached_nor_interpreted() {
    let app = App::new().await;
    let group = app.alice().post(GROUPS, json!({ "name": "A" })).await;
    let item = at(GROUPS, &id(&group.expect(201)));
    let tagged = app.alice().get(&item).await;
    assert!(tagged.header("etag").is_some(), "{tagged}");
    for answer in [
        tagged,
        app.alice().get(GROUPS).await,
        app.alice().get("/healthz").await,
        app.anon().get(GROUPS).await,
        app.anon().get("/nowhere").await,
        app.alice().delete(&item).await,
    ] {
        let control = match answer.header("etag") {
            Some(_) => "private, no-cache",
            None => "no-store",
        };
        assert_eq!(answer.header("cache-control"), Some(control), "{answer}");
        let sniffing = answer.header("x-content-type-options");
        assert_eq!(sniffing, Some("nosniff"), "{answer}");
    }
}
