//! Pages by number and by cursor, and invalid pages.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::openapi::{document, operations};
use crate::support::{
    ACTIONS, Actor, App, DYNAMIC_GROUPS, FORM_LINKS, FORMS, GRANTS, GROUPS, MEMBERS, RESOURCES,
    Receiver, SUBMISSIONS, WEBHOOKS, at, each, id, items, query, submission,
};

/// Every list with the number of its items, at least two for Alice.
async fn lists(app: &App) -> Vec<(String, &'static str)> {
    let [first, second] = [app.group("First").await, app.group("Second").await];
    for user in ["bob", "carol", "dora"] {
        let member = json!({ "groupIdentifier": first, "userIdentifier": user });
        app.alice().post(MEMBERS, member).await.expect(201);
    }
    app.share_group(&second, "read", "bob").await;
    let form = app.open_form(json!({})).await;
    app.form(json!({})).await;
    for _ in 0..3 {
        app.bob()
            .post(SUBMISSIONS, submission(&form, "{}"))
            .await
            .expect(201);
    }
    for _ in 0..3 {
        let link = json!({ "formIdentifier": form });
        app.alice().post(FORM_LINKS, link).await.expect(201);
    }
    for number in 0..2 {
        let url = format!("https://example.org/{number}");
        let webhook = json!({ "formIdentifier": form, "url": url });
        app.alice().post(WEBHOOKS, webhook).await.expect(201);
    }
    vec![
        (WEBHOOKS.to_owned(), "formalize"),
        (format!("{GROUPS}?search="), "authorization"),
        (
            query(MEMBERS, &[("groupIdentifier", &first)]),
            "authorization",
        ),
        (
            format!("{RESOURCES}?resourceClass=DbpRelayFormalizeForm"),
            "authorization",
        ),
        (
            format!("{GRANTS}?resourceClass=DbpRelayAuthorizationGroup"),
            "authorization",
        ),
        (format!("{ACTIONS}?perPage=1"), "authorization"),
        (format!("{DYNAMIC_GROUPS}?perPage=1"), "authorization"),
        (
            format!("{FORMS}?whereReadFormSubmissionsGranted=true"),
            "formalize",
        ),
        (query(FORM_LINKS, &[("formIdentifier", &form)]), "formalize"),
        (
            query(SUBMISSIONS, &[("formIdentifier", &form)]),
            "formalize",
        ),
    ]
}

fn with_size(path: &str, size: usize) -> String {
    let rest = path.trim_end_matches("?perPage=1");
    let sign = if rest.contains('?') { '&' } else { '?' };
    format!("{rest}{sign}perPage={size}")
}

fn keys(list: &[Value]) -> Vec<String> {
    let key = |item: &Value| {
        item.get("identifier")
            .unwrap_or(&item["resourceClass"])
            .to_string()
    };
    list.iter().map(key).collect()
}

#[tokio::test]
async fn every_list_is_tested() {
    let app = App::new().await;
    let described = operations(&app).await.into_iter();
    let described = described.filter(|it| it.parameters.iter().any(|name| name == "cursor"));
    // The change feed is no list, and lists of parts of a record have tests of their own.
    let apart = [
        "listEvents",
        "listWebhookDeliveries",
        "listSubmittedFiles",
        "getMe",
    ];
    let described = described.filter(|it| !apart.contains(&&*it.id));
    let described: BTreeSet<String> = described.map(|it| it.path).collect();
    let tried = lists(&app).await.into_iter();
    let tried = tried.map(|(path, _)| path.split('?').next().unwrap().to_owned());
    assert_eq!(tried.collect::<BTreeSet<_>>(), described);
}

#[tokio::test]
async fn every_list_can_be_read_page_by_page() {
    let app = App::new().await;
    for (path, _) in lists(&app).await {
        let whole = app.alice().get(&with_size(&path, 10_000)).await.expect(200);
        assert_eq!(
            (&whole["page"], &whole["perPage"]),
            (&json!(1), &json!(10_000))
        );
        assert_eq!(whole["nextCursor"], Value::Null);
        let whole = items(&whole);
        assert!(whole.len() >= 2, "{path}");
        for size in 1..=whole.len() {
            let path = with_size(&path, size);
            assert_eq!(keys(&app.alice().walk(&path).await), keys(whole), "{path}");
            let mut numbered = Vec::new();
            for page in 1.. {
                let answer = app.alice().get(&format!("{path}&page={page}")).await;
                let link = answer.next();
                let list = answer.expect(200);
                assert_eq!(list["page"], page);
                assert_eq!(link.is_some(), list["nextCursor"].is_string(), "{path}");
                numbered.extend(items(&list).clone());
                if list["nextCursor"].is_null() {
                    break;
                }
            }
            assert_eq!(keys(&numbered), keys(whole), "{path}");
            let behind = app
                .alice()
                .get(&format!("{path}&page=1000"))
                .await
                .expect(200);
            assert!(items(&behind).is_empty() && behind["nextCursor"].is_null());
        }
    }
}

#[tokio::test]
async fn a_page_by_cursor_has_no_number() {
    let app = App::new().await;
    for (path, area) in lists(&app).await {
        let first = app.alice().get(&with_size(&path, 1)).await.expect(200);
        let cursor = first["nextCursor"].as_str().unwrap();
        let next = app
            .alice()
            .get(&format!("{}&cursor={cursor}", with_size(&path, 2)))
            .await
            .expect(200);
        assert_eq!((&next["page"], &next["perPage"]), (&Value::Null, &json!(2)));
        // Generated clients may always send the number of the first page.
        let beside = format!("{}&cursor={cursor}&page=1", with_size(&path, 2));
        assert_eq!(app.alice().get(&beside).await.expect(200), next);
        let both = app
            .alice()
            .get(&format!("{}&cursor={cursor}&page=2", with_size(&path, 1)))
            .await;
        both.refuse(
            400,
            &format!("{area}:invalid-parameter"),
            json!(["page", "cursor"]),
        );
    }
}

#[tokio::test]
async fn page_numbers_must_be_integers_within_bounds() {
    let app = App::new().await;
    for (path, area) in lists(&app).await {
        let rest = path.trim_end_matches("?perPage=1");
        let sign = if rest.contains('?') { '&' } else { '?' };
        for name in ["page", "perPage"] {
            for value in [
                "0",
                "-1",
                "abc",
                "1e3",
                "%205",
                "5%20",
                "+5",
                "%2B5",
                "1.0",
                "",
                "0x1",
                "%D9%A3",
                "99999999999999999999",
            ] {
                let refused = app
                    .alice()
                    .get(&format!("{rest}{sign}{name}={value}"))
                    .await;
                refused.refuse(400, &format!("{area}:invalid-parameter"), json!([name]));
            }
            for value in ["1", "007", "10000"] {
                app.alice()
                    .get(&format!("{rest}{sign}{name}={value}"))
                    .await
                    .expect(200);
            }
        }
        let too_many = app.alice().get(&format!("{rest}{sign}perPage=10001")).await;
        too_many.refuse(
            400,
            &format!("{area}:invalid-parameter"),
            json!(["perPage"]),
        );
        app.alice()
            .get(&format!("{rest}{sign}page=4294967295&perPage=10000"))
            .await
            .expect(200);
        let twice = app.alice().get(&format!("{rest}{sign}page=1&page=2")).await;
        twice.refuse(400, &format!("{area}:invalid-parameter"), json!(["page"]));
        let all = app
            .alice()
            .get(&format!("{rest}{sign}page=0&perPage=0"))
            .await;
        all.refuse(
            400,
            &format!("{area}:invalid-parameter"),
            json!(["page", "perPage"]),
        );
    }
}

#[tokio::test]
async fn every_list_rejects_forged_cursors() {
    let app = App::new().await;
    for (path, area) in lists(&app).await {
        let first = app.alice().get(&with_size(&path, 1)).await.expect(200);
        let cursor = first["nextCursor"].as_str().unwrap();
        let mut flipped = cursor.to_owned();
        let last = if flipped.ends_with('0') { "1" } else { "0" };
        flipped.replace_range(cursor.len() - 1.., last);
        let mut moved = cursor.to_owned();
        moved.replace_range(..1, if cursor.starts_with('0') { "1" } else { "0" });
        let shorter: String = cursor.chars().skip(2).collect();
        let longer = format!("{cursor}00");
        let long = "f".repeat(5000);
        for forged in [
            "", "x", "0", "%00", "%C3%A9", "null", &flipped, &moved, &shorter, &longer, &long,
        ] {
            let refused = app
                .alice()
                .get(&format!("{}&cursor={forged}", with_size(&path, 1)))
                .await;
            refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["cursor"]));
        }
    }
}

#[tokio::test]
async fn cursors_are_bound_to_list_caller_and_filters() {
    let app = App::new().await;
    let lists = lists(&app).await;
    let bound = async |actor: Actor<'_>, path: &str, cursor: &str, area: &str| {
        let sign = if path.contains('?') { '&' } else { '?' };
        let refused = actor.get(&format!("{path}{sign}cursor={cursor}")).await;
        refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["cursor"]));
    };
    for (path, area) in &lists {
        let first = app.alice().get(&with_size(path, 1)).await.expect(200);
        let cursor = first["nextCursor"].as_str().unwrap();
        for (other, area) in lists.iter().filter(|(other, _)| other != path) {
            bound(app.alice(), other, cursor, area).await;
        }
        if !path.contains(MEMBERS) {
            bound(app.carol(), path, cursor, area).await;
        }
    }
    let first = |path: &str| with_size(path, 1);
    let cursor_of = async |path: &str| {
        let page = app.alice().get(&first(path)).await.expect(200);
        page["nextCursor"].as_str().unwrap().to_owned()
    };
    let cursor = cursor_of(&format!("{GROUPS}?search=s")).await;
    bound(
        app.alice(),
        &format!("{GROUPS}?search=se"),
        &cursor,
        "authorization",
    )
    .await;
    bound(app.alice(), GROUPS, &cursor, "authorization").await;
    let cursor = cursor_of(RESOURCES).await;
    for filter in [
        "resourceIdentifier=x",
        "resourceIdentifier=%09",
        "resourceClass=%09",
    ] {
        let path = format!("{RESOURCES}?{filter}");
        bound(app.alice(), &path, &cursor, "authorization").await;
    }
    let cursor = cursor_of(FORMS).await;
    bound(
        app.alice(),
        &format!("{FORMS}?whereReadFormSubmissionsGranted=true"),
        &cursor,
        "formalize",
    )
    .await;
    let submissions = &lists.last().unwrap().0;
    let cursor = cursor_of(submissions).await;
    for filter in [
        "creatorIdEquals=bob",
        "submissionState=submitted",
        "createdFrom=2020-01-01T00:00:00Z",
        "createdBefore=9000-01-01T00:00:00Z",
        "outputValidation=KEYS",
    ] {
        bound(
            app.alice(),
            &format!("{submissions}&{filter}"),
            &cursor,
            "formalize",
        )
        .await;
    }
}

#[tokio::test]
async fn nothing_matches_text_that_no_resource_can_have() {
    let app = App::new().await;
    app.group("a").await;
    let long = "x".repeat(256);
    for list in [RESOURCES, GRANTS] {
        assert_ne!(
            items(&app.alice().get(list).await.expect(200)),
            &[] as &[Value]
        );
        for filter in ["resourceClass", "resourceIdentifier"] {
            for text in ["%09", &long] {
                let page = app.alice().get(&format!("{list}?{filter}={text}")).await;
                let page = page.expect(200);
                assert_eq!(items(&page), &[] as &[Value], "{filter}={text}");
                assert_eq!(page["nextCursor"], Value::Null);
            }
        }
    }
}

#[tokio::test]
async fn cursors_remain_valid_after_a_restart() {
    let app = App::new().await;
    for name in ["a", "b", "c"] {
        app.group(name).await;
    }
    let next = app
        .alice()
        .get(&query(GROUPS, &[("perPage", "1")]))
        .await
        .next()
        .unwrap();
    let later = app.again().await;
    let page = later.alice().get(&next).await.expect(200);
    assert_eq!(each(&page, "name"), ["b"]);
}

#[tokio::test]
async fn remaining_items_are_listed_exactly_once_during_changes() {
    let app = App::new().await;
    let mut groups = Vec::new();
    for at in 0..20 {
        groups.push(app.group(&format!("group {at}")).await);
    }
    let delete = async |group: &str| {
        app.alice().delete(&at(GROUPS, group)).await.expect(204);
    };
    let mut met = Vec::new();
    let mut next = Some(query(GROUPS, &[("perPage", "3")]));
    let mut round = 0;
    while let Some(path) = next {
        let answer = app.alice().get(&path).await;
        next = answer.next();
        met.extend(
            each(&answer.expect(200), "identifier")
                .into_iter()
                .map(str::to_owned),
        );
        if round < 3 {
            // Two items already listed, one of which the next page continues from, and one that is not listed yet.
            delete(&met[met.len() - 3]).await;
            delete(&met[met.len() - 1]).await;
            delete(&groups[19 - round]).await;
            groups.push(app.group("new").await);
        }
        round += 1;
    }
    let distinct: std::collections::HashSet<_> = met.iter().collect();
    assert_eq!(distinct.len(), met.len());
    let list = app
        .alice()
        .get(&query(GROUPS, &[("perPage", "100")]))
        .await
        .expect(200);
    for survivor in each(&list, "identifier") {
        assert!(met.iter().any(|id| id == survivor), "{survivor}");
    }
}

#[tokio::test]
async fn lists_are_in_order_of_creation_for_any_page_size() {
    let app = App::new().await;
    let mut made = Vec::new();
    for (at, name) in ["z", "a", "m", "b"].into_iter().enumerate() {
        app.travel(&format!("2026-11-21T08:00:0{at}Z"));
        made.push(app.group(name).await);
    }
    let first = app
        .alice()
        .get(&query(GROUPS, &[("perPage", "1")]))
        .await
        .expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    let path = query(GROUPS, &[("cursor", cursor), ("perPage", "2")]);
    let second = app.alice().get(&path).await;
    let link = second.next().unwrap();
    assert!(
        link.contains("perPage=2") && !link.contains("page="),
        "{link}"
    );
    let second = second.expect(200);
    let rest = app.alice().walk(&link).await;
    let met: Vec<String> = items(&first)
        .iter()
        .chain(items(&second))
        .chain(&rest)
        .map(id)
        .collect();
    assert_eq!(met, made);
}

#[tokio::test]
async fn a_page_of_large_submissions_ends_early() {
    let app = App::new().await;
    let form = app.open_form(json!({})).await;
    let data = format!(r#"{{"a": "{}"}}"#, "x".repeat((1 << 20) - 20));
    for _ in 0..9 {
        app.bob()
            .post(SUBMISSIONS, submission(&form, &data))
            .await
            .expect(201);
    }
    let path = query(SUBMISSIONS, &[("formIdentifier", &form), ("perPage", "20")]);
    let page = app.alice().get(&path).await.expect(200);
    assert_eq!(items(&page).len(), 8);
    let numbered = app.alice().get(&format!("{path}&page=1")).await;
    numbered.refuse(400, "formalize:invalid-parameter", json!(["perPage"]));
    let cursor = page["nextCursor"].as_str().unwrap();
    let rest = app.alice().get(&format!("{path}&cursor={cursor}")).await;
    assert_eq!(items(&rest.expect(200)).len(), 1);
}

/// A client that sends all defaults of the document can read every list by cursor.
#[tokio::test]
async fn defaults_in_the_document_do_not_conflict_with_cursors() {
    let app = App::new().await;
    let document = document(&app).await;
    for (path, _) in lists(&app).await {
        let route = path.split('?').next().unwrap();
        let parameters = &document["paths"][route]["get"]["parameters"];
        let mut defaults = String::new();
        for parameter in parameters.as_array().unwrap() {
            let (name, default) = (&parameter["name"], &parameter["schema"]["default"]);
            assert!(name != "page" || default.is_null(), "{route}");
            let name = name.as_str().unwrap();
            if !default.is_null() && name != "perPage" && !path.contains(name) {
                defaults = format!("{defaults}&{name}={default}");
            }
        }
        let path = format!("{}{defaults}", with_size(&path, 1));
        let first = app.alice().get(&path).await.expect(200);
        let cursor = first["nextCursor"].as_str().unwrap();
        let next = app.alice().get(&format!("{path}&cursor={cursor}")).await;
        next.expect(200);
    }
}

/// Lists that take `order` are the same from either end, also page by page. A cursor belongs to one order.
#[tokio::test]
async fn lists_begin_with_the_newest_item_if_requested() {
    let app = App::new().await;
    let mut lists = lists(&app).await;
    lists.retain(|(path, _)| path.starts_with(SUBMISSIONS));
    let form = app.open_form(json!({})).await;
    let url = "https://example.org/";
    let webhook = json!({ "formIdentifier": form, "url": url });
    let webhook = app.alice().post(WEBHOOKS, webhook).await.expect(201);
    for _ in 0..3 {
        let new = submission(&form, "{}");
        app.bob().post(SUBMISSIONS, new).await.expect(201);
    }
    Receiver::new(Ok(500)).take(&app).await;
    let deliveries = at(WEBHOOKS, &format!("{}/deliveries", id(&webhook)));
    lists.push((
        format!("{deliveries}?type=submission.submitted"),
        "formalize",
    ));
    let taking = operations(&app).await.into_iter();
    let taking = taking.filter(|one| one.parameters.iter().any(|name| name == "order"));
    assert_eq!(taking.count(), lists.len());
    for (path, area) in lists {
        let oldest = app.alice().walk(&with_size(&path, 100)).await;
        assert_eq!(oldest.len(), 3, "{path}");
        let explicit = format!("{path}&order=oldest");
        assert_eq!(app.alice().walk(&with_size(&explicit, 2)).await, oldest);
        let newest = format!("{path}&order=newest");
        for size in [1, 2, 3, 4] {
            let mut walked = app.alice().walk(&with_size(&newest, size)).await;
            walked.reverse();
            assert_eq!(keys(&walked), keys(&oldest), "{path}");
            let second = format!("{}&page=2", with_size(&newest, size));
            let second = app.alice().get(&second).await.expect(200);
            let expected = oldest.iter().rev().skip(size).take(size).cloned();
            assert_eq!(keys(items(&second)), keys(&expected.collect::<Vec<_>>()));
        }
        let first = app.alice().get(&with_size(&newest, 1)).await.expect(200);
        let cursor = first["nextCursor"].as_str().unwrap();
        let other = format!("{}&cursor={cursor}", with_size(&path, 1));
        let refused = app.alice().get(&other).await;
        refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["cursor"]));
        let refused = app.alice().get(&format!("{path}&order=Newest")).await;
        refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["order"]));
    }
}
