//! Differences between databases that must not show.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use crate::support::{
    App, FORMS, GRANTS, GROUPS, MEMBERS, NOWHERE, RESOURCES, SUBMISSIONS, at, draft, each, id,
    items, query,
};

on_every_store![
    texts_come_back_code_point_by_code_point,
    filters_and_paths_take_any_text,
    search_folds_case_everywhere_alike,
    numbers_reach_their_bounds,
    every_list_is_walked_in_order,
];

async fn texts_come_back_code_point_by_code_point(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app
        .open_form(json!({ "allowedSubmissionStates": ["draft"] }))
        .await;
    for text in [
        r#"{"z":1.0,"a":1.00,"b":1E+2,"c":-0.0,"d":12345678901234567890123456789}"#,
        " { \"nul\" : \"\\u0000\",\t\"plain\" : \"é/😀\", \"escaped\" : \"\\u00e9\\/\\ud83d\\ude00\" } ",
        "{\"composed\":\"\u{e9}\",\"decomposed\":\"e\u{301}\",\"line\":\"\u{2028}\"}",
    ] {
        let made = app
            .bob()
            .post(SUBMISSIONS, draft(&form, text))
            .await
            .expect(201);
        let read = app
            .bob()
            .get(&at(SUBMISSIONS, &id(&made)))
            .await
            .expect(200);
        assert_eq!(read, made);
        assert_eq!(read["dataFeedElement"], text);
        let schema = format!("{{\"examples\": [{text}] }}");
        let made = app
            .form(json!({ "name": format!(" {form} é e\u{301} 😀 "), "dataFeedSchema": schema }))
            .await;
        assert_eq!(made["dataFeedSchema"], schema);
        assert_eq!(
            app.alice().get(&at(FORMS, &id(&made))).await.expect(200),
            made
        );
    }
    let group = app.group("Editors").await;
    for user in [
        "jos\u{e9}",
        "jose\u{301}",
        "JOS\u{c9}",
        "jos\u{e9} ",
        " ",
        "ﬁ",
        "fi",
    ] {
        let member = json!({ "groupIdentifier": group, "userIdentifier": user });
        assert_eq!(
            app.alice().post(MEMBERS, member).await.expect(201)["userIdentifier"],
            user
        );
        assert_eq!(
            app.share_group(&group, "read", user).await["userIdentifier"],
            user
        );
    }
}

async fn filters_and_paths_take_any_text(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app.open_form(json!({})).await;
    let long = "x".repeat(5000);
    for text in [
        "\u{0}",
        "a\u{0}b",
        "'",
        "\"",
        "%",
        "_",
        "\\",
        "'; DROP TABLE formalize_forms; --",
        "\u{10ffff}",
        "\u{feff}",
        &long,
    ] {
        for path in [
            query(GROUPS, &[("search", text)]),
            query(RESOURCES, &[("resourceClass", text)]),
            query(RESOURCES, &[("resourceIdentifier", text)]),
            query(
                GRANTS,
                &[("resourceClass", text), ("resourceIdentifier", text)],
            ),
            query(
                SUBMISSIONS,
                &[("formIdentifier", &form), ("creatorIdEquals", text)],
            ),
        ] {
            assert!(items(&app.alice().get(&path).await.expect(200)).is_empty());
        }
        let encoded = formalize_http::percent::encode(text);
        app.bob().get(&at(GROUPS, &encoded)).await.refuse(
            404,
            "authorization:group-not-found",
            json!([]),
        );
        let granted = format!("/authorization/granted-actions/{encoded}/{encoded}");
        assert_eq!(
            app.bob().get(&granted).await.expect(200)["actions"],
            json!([])
        );
        let unknown = json!({
            "action": "read", "resourceClass": text, "resourceIdentifier": text, "userIdentifier": "bob",
        });
        app.bob().post(GRANTS, unknown).await.refuse(
            404,
            "authorization:resource-not-found",
            json!([]),
        );
    }
    app.bob()
        .get(&at(FORMS, NOWHERE))
        .await
        .refuse(404, "formalize:form-not-found", json!([]));
}

async fn search_folds_case_everywhere_alike(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    for name in [
        "Ärzte",
        "100%",
        "under_score",
        "back\\slash",
        "ΣΊΣΥΦΟΣ",
        "Straße",
        "İstanbul",
        "Kelvin \u{212a}",
        "caf\u{e9}",
        "cafe\u{301}",
    ] {
        app.group(name).await;
    }
    for (search, found) in [
        ("ÄRZ", "Ärzte"),
        ("0%", "100%"),
        ("r_s", "under_score"),
        ("\\", "back\\slash"),
        ("σίσυφοσ", "ΣΊΣΥΦΟΣ"),
        ("stra\u{1e9e}e", "Straße"),
        ("\u{130}ST", "İstanbul"),
        ("kelvin k", "Kelvin \u{212a}"),
        ("caf\u{e9}", "caf\u{e9}"),
        ("cafe", "cafe\u{301}"),
        ("_", "under_score"),
        ("arz", ""),
        ("strasse", ""),
        ("a b", ""),
    ] {
        let list = app
            .alice()
            .get(&query(GROUPS, &[("search", search)]))
            .await
            .expect(200);
        assert_eq!(each(&list, "name").join(" "), found, "{search}");
    }
    let all = query(GROUPS, &[("search", "")]);
    assert_eq!(items(&app.alice().get(&all).await.expect(200)).len(), 10);
}

async fn numbers_reach_their_bounds(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let members = json!({
        "maxNumSubmissionsPerCreator": 2_147_483_647,
        "maxNumSubmissions": 2_147_483_647,
        "availableStarts": "0000-01-01", "availabilityEnds": "9999-12-31",
    });
    let form = app.form(members).await;
    assert_eq!(
        app.alice().get(&at(FORMS, &id(&form))).await.expect(200),
        form
    );
    assert_eq!(form["availabilityEnds"], "9999-12-31T23:59:59.999Z");
    let list = app
        .alice()
        .get(&query(
            FORMS,
            &[("page", "4294967295"), ("perPage", "10000")],
        ))
        .await
        .expect(200);
    assert!(items(&list).is_empty());
    let longest = "😀".repeat(255);
    let group = app.group(&"😀".repeat(128)).await;
    let member = json!({ "groupIdentifier": group, "userIdentifier": longest });
    assert_eq!(
        app.alice().post(MEMBERS, member).await.expect(201)["userIdentifier"],
        longest
    );
}

async fn every_list_is_walked_in_order(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app
        .open_form(json!({ "allowedSubmissionStates": ["draft", "submitted"] }))
        .await;
    let mut made: [Vec<String>; 3] = Default::default();
    for at in 0..7 {
        made[0].push(app.group(&format!("group {at}")).await);
        made[1].push(id(&app.share_group(&made[0][at], "read", "bob").await));
        let body = draft(&form, "{}");
        made[2].push(id(&app.bob().post(SUBMISSIONS, body).await.expect(201)));
    }
    for (path, made) in [
        (query(GROUPS, &[("perPage", "2")]), &made[0]),
        (
            query(
                GRANTS,
                &[
                    ("perPage", "2"),
                    ("resourceClass", "DbpRelayAuthorizationGroup"),
                ],
            ),
            &made[1],
        ),
        (
            query(SUBMISSIONS, &[("perPage", "2"), ("formIdentifier", &form)]),
            &made[2],
        ),
    ] {
        let walked: Vec<Value> = app.bob().walk(&path).await;
        assert_eq!(&walked.iter().map(id).collect::<Vec<_>>(), made, "{path}");
    }
}
