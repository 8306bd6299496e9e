//! Names in other languages, keys of user interfaces, and additional data.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use crate::support::{App, FORMS, at, each, id, query};

on_every_store! {
    details_are_returned_as_they_were_saved,
    objects_are_merged_member_by_member,
    forms_are_filtered_by_their_keys,
}

/// The details of a form.
fn details(form: &Value) -> Value {
    json!([
        form["localizedNames"],
        form["frontendKey"],
        form["additionalData"],
        form["contact"]
    ])
}

async fn details_are_returned_as_they_were_saved(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let plain = app.form(json!({ "name": "Registration" })).await;
    assert_eq!(details(&plain), json!([{}, null, null, null]));

    let data = json!({ "colour": "green", "steps": [1, 2.5, null, { "a": "ä" }], "empty": {} });
    let form = app
        .form(json!({
            "name": "Registration",
            "localizedNames": { "DE-at": "Anmeldung", "fr": "Inscription" },
            "frontendKey": "course.Evaluation_~-9",
            "additionalData": data,
            "contact": " Büro \u{1F4DE} ",
        }))
        .await;
    let names = json!({ "de-AT": "Anmeldung", "fr": "Inscription" });
    let expected = json!([names, "course.Evaluation_~-9", data, " Büro \u{1F4DE} "]);
    assert_eq!(details(&form), expected);
    let read = app.alice().get(&at(FORMS, &id(&form))).await.expect(200);
    assert_eq!(read, form);
    let list = app.alice().get(FORMS).await.expect(200);
    let listed = list["items"].as_array().unwrap().iter();
    let listed: Vec<Value> = listed.map(details).collect();
    assert_eq!(listed, [details(&plain), expected]);

    let nulls = json!({
        "localizedNames": null, "frontendKey": null, "additionalData": null, "contact": null,
    });
    let form = app.form(nulls).await;
    assert_eq!(details(&form), details(&plain));
}

async fn objects_are_merged_member_by_member(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = app
        .form(json!({
            "localizedNames": { "de": "Anmeldung", "fr": "Inscription" },
            "frontendKey": "old",
            "contact": "Registry",
            "additionalData": { "a": { "b": 1, "c": 2 }, "d": [1, 2] },
        }))
        .await;
    let path = at(FORMS, &id(&form));
    for (change, expected) in [
        (
            json!({ "localizedNames": { "DE": "Einschreibung", "fr": null, "it": "Iscrizione" } }),
            json!([{ "de": "Einschreibung", "it": "Iscrizione" }, "old", { "a": { "b": 1, "c": 2 }, "d": [1, 2] }, "Registry"]),
        ),
        (
            json!({ "additionalData": { "a": { "b": null, "e": {} }, "d": [3] } }),
            json!([{ "de": "Einschreibung", "it": "Iscrizione" }, "old", { "a": { "c": 2, "e": {} }, "d": [3] }, "Registry"]),
        ),
        (
            json!({ "frontendKey": null, "localizedNames": null, "additionalData": ["whole"] }),
            json!([{}, null, ["whole"], "Registry"]),
        ),
        (
            json!({ "frontendKey": "new", "additionalData": null, "contact": "Room 12" }),
            json!([{}, "new", null, "Room 12"]),
        ),
        (json!({ "contact": null }), json!([{}, "new", null, null])),
    ] {
        let changed = app.alice().patch(&path, change.clone()).await.expect(200);
        assert_eq!(details(&changed), expected, "{change}");
        let read = app.alice().get(&path).await.expect(200);
        assert_eq!(details(&read), expected, "{change}");
    }
    let too_many: serde_json::Map<_, _> = ('a'..='z')
        .flat_map(|one| ["a", "b"].map(|two| (format!("{one}{two}"), json!("N"))))
        .collect();
    let refused = app
        .alice()
        .patch(&path, json!({ "localizedNames": too_many }))
        .await;
    refused.refuse(400, "formalize:form-invalid", json!(["localizedNames"]));
    let read = app.alice().get(&path).await.expect(200);
    assert_eq!(details(&read), json!([{}, "new", null, null]));
}

#[tokio::test]
async fn invalid_details_are_refused() {
    let app = App::new().await;
    let form = app.form(json!({})).await;
    let path = at(FORMS, &id(&form));
    let deep = |depth: usize| (1..depth).fold(json!([]), |inner, _| json!([inner]));
    let (long, long_line) = ("k".repeat(51), "k".repeat(201));
    for (member, value) in [
        ("localizedNames", json!({ "german language": "Anmeldung" })),
        ("localizedNames", json!({ "d": "Anmeldung" })),
        ("localizedNames", json!({ "de": " " })),
        (
            "localizedNames",
            json!({ "de-at": "Eins", "de-AT": "Zwei" }),
        ),
        ("localizedNames", json!({ "de": "a\nb" })),
        ("frontendKey", json!("")),
        ("frontendKey", json!("a,b")),
        ("frontendKey", json!("ä")),
        ("frontendKey", json!(long)),
        ("contact", json!("")),
        ("contact", json!(" ")),
        ("contact", json!("two\nlines")),
        ("contact", json!(long_line)),
        ("additionalData", deep(17)),
        ("additionalData", json!({ "long": "x".repeat(64 * 1024) })),
    ] {
        let refused = app
            .alice()
            .post(FORMS, json!({ "name": "x", member: value }))
            .await;
        refused.refuse(400, "formalize:form-invalid", json!([member]));
        let refused = app.alice().patch(&path, json!({ member: value })).await;
        refused.refuse(400, "formalize:form-invalid", json!([member]));
    }
    // A merge patch may be small, and what it makes too large.
    let half = json!({ "additionalData": { "a": "x".repeat(40 * 1024) } });
    app.alice().patch(&path, half).await.expect(200);
    let other = json!({ "additionalData": { "b": "x".repeat(40 * 1024) } });
    let refused = app.alice().patch(&path, other).await;
    refused.refuse(400, "formalize:form-invalid", json!(["additionalData"]));

    for value in [json!("text"), json!(1), json!(true)] {
        let refused = app
            .alice()
            .patch(&path, json!({ "additionalData": value }))
            .await;
        refused.refuse(
            400,
            "formalize:invalid-request-body",
            json!(["additionalData"]),
        );
    }
    let refused = app
        .alice()
        .patch(&path, json!({ "localizedNames": { "de": 1 } }))
        .await;
    refused.refuse(
        400,
        "formalize:invalid-request-body",
        json!(["localizedNames"]),
    );
}

async fn forms_are_filtered_by_their_keys(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    for (name, key) in [
        ("1", json!("survey")),
        ("2", json!("Survey")),
        ("3", json!(null)),
        ("4", json!("exam")),
        ("5", json!("survey")),
    ] {
        let form = app.form(json!({ "name": name, "frontendKey": key })).await;
        app.share_form(&id(&form), "read", json!({ "userIdentifier": "bob" }))
            .await;
    }
    let (is_in, not_in) = ("whereFrontendKeyIn", "whereFrontendKeyNotIn");
    for (filters, found) in [
        (vec![(is_in, "survey")], "1 5"),
        (vec![(is_in, "exam,survey")], "1 4 5"),
        (vec![(is_in, "nothing")], ""),
        (vec![(not_in, "survey")], "2 3 4"),
        (vec![(not_in, "survey,Survey,exam")], "3"),
        (vec![(is_in, "survey,exam"), (not_in, "exam")], "1 5"),
    ] {
        for reader in [app.alice(), app.bob()] {
            let list = reader.get(&query(FORMS, &filters)).await.expect(200);
            assert_eq!(each(&list, "name").join(" "), found, "{filters:?}");
        }
        // No page is short, and a cursor goes on in the same list.
        let mut paged: Vec<String> = Vec::new();
        let mut next: Option<String> = None;
        loop {
            let mut parameters = filters.clone();
            parameters.push(("perPage", "1"));
            if let Some(cursor) = &next {
                parameters.push(("cursor", cursor));
            }
            let list: Value = app.bob().get(&query(FORMS, &parameters)).await.expect(200);
            paged.extend(each(&list, "name").iter().map(ToString::to_string));
            match list["nextCursor"].as_str() {
                Some(cursor) => next = Some(cursor.to_owned()),
                None => break,
            }
        }
        assert_eq!(paged.join(" "), found, "{filters:?}");
    }
    let first = app
        .bob()
        .get(&query(FORMS, &[(is_in, "survey"), ("perPage", "1")]))
        .await
        .expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    let other = query(FORMS, &[(is_in, "exam"), ("cursor", cursor)]);
    let refused = app.bob().get(&other).await;
    refused.refuse(400, "formalize:invalid-parameter", json!(["cursor"]));
    for value in ["", ",", "a,", "a b", "ä"] {
        for name in [is_in, not_in] {
            let refused = app.bob().get(&query(FORMS, &[(name, value)])).await;
            refused.refuse(400, "formalize:invalid-parameter", json!([name]));
        }
    }
}
