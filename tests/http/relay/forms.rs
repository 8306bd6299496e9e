//! Forms.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use super::support::{delete, form_path, get, item, keys, members, patch, post, refused, success};
use crate::support::{App, FORMS, NOW, NOWHERE, at, id};

on_every_store![
    a_form_has_all_its_members,
    both_interfaces_show_the_same_form,
    sets_and_caps_are_numbers,
    members_are_written_whole,
    null_is_taken_in_requests,
    who_may_not_read_a_changed_form_gets_a_receipt,
    lists_are_filtered,
];

/// The members of every form in a list.
const MEMBERS: [&str; 16] = [
    "@id",
    "@type",
    "allowedActionsWhenSubmitted",
    "allowedSubmissionStates",
    "dateCreated",
    "grantBasedSubmissionAuthorization",
    "grantedActions",
    "grantedFormActions",
    "grantedSubmissionCollectionActions",
    "identifier",
    "localizedNames",
    "maxNumSubmissionsPerCreator",
    "name",
    "tagPermissionsForSubmitters",
    "availabilityStarts",
    "availabilityEnds",
];

async fn create(app: &App, body: Value) -> Value {
    item(&post(app.alice(), FORMS, &body).await, 201)
}

async fn a_form_has_all_its_members(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let body = json!({
        "@context": "x", "@id": "y", "@type": "z", "unknown": 1,
        "name": "Anmeldung",
        "dataFeedSchema": "{\"type\": \"object\"}",
        "localizedNames": [{ "@type": "FormalizeLocalizedFormName", "languageTag": "en", "name": "Registration" }],
        "availabilityStarts": "2026-01-01T00:00:00Z",
        "availabilityEnds": "2027-01-01T00:00:00Z",
        "grantBasedSubmissionAuthorization": true,
        "allowedSubmissionStates": 5,
        "allowedActionsWhenSubmitted": ["read"],
        "maxNumSubmissionsPerCreator": 3,
        "frontendKey": "sport",
        "additionalData": { "a": [1] },
    });
    let form = create(&app, body).await;
    let identifier = id(&form);
    let mut expected = MEMBERS.to_vec();
    expected.extend([
        "@context",
        "additionalData",
        "availableTags",
        "dataFeedSchema",
        "frontendKey",
        "numSubmissionsByCurrentUser",
    ]);
    expected.sort_unstable();
    assert_eq!(keys(&form), expected);
    for (member, value) in [
        ("@id", json!(form_path(&identifier))),
        ("@type", json!("https://schema.org/Dataset")),
        ("name", json!("Anmeldung")),
        ("dateCreated", json!(NOW)),
        ("dataFeedSchema", json!("{\"type\": \"object\"}")),
        (
            "localizedNames",
            json!([{ "@type": "FormalizeLocalizedFormName", "languageTag": "en", "name": "Registration" }]),
        ),
        ("availabilityStarts", json!("2026-01-01T00:00:00.000Z")),
        ("availabilityEnds", json!("2027-01-01T00:00:00.000Z")),
        ("grantBasedSubmissionAuthorization", json!(true)),
        ("allowedSubmissionStates", json!(5)),
        ("allowedActionsWhenSubmitted", json!(["read"])),
        ("maxNumSubmissionsPerCreator", json!(3)),
        ("tagPermissionsForSubmitters", json!(1)),
        ("availableTags", json!([])),
        ("frontendKey", json!("sport")),
        ("additionalData", json!({ "a": [1] })),
        ("grantedActions", json!(["manage"])),
        ("grantedFormActions", json!(["manage"])),
        ("grantedSubmissionCollectionActions", json!(["manage"])),
        ("numSubmissionsByCurrentUser", json!(0)),
    ] {
        assert_eq!(form[member], value, "{member}");
    }
    assert_eq!(
        item(&get(app.alice(), &at(FORMS, &identifier)).await, 200),
        form
    );
    let list = members(&get(app.alice(), FORMS).await);
    let mut expected = form.clone();
    for member in ["@context", "availableTags", "numSubmissionsByCurrentUser"] {
        expected.as_object_mut().unwrap().remove(member);
    }
    assert_eq!(list, [expected]);

    let plain = create(&app, json!({ "name": "Plain" })).await;
    let list = members(&get(app.alice(), FORMS).await);
    let mut expected = MEMBERS.to_vec();
    expected.retain(|member| !member.starts_with("availability"));
    expected.sort_unstable();
    assert_eq!(keys(&list[1]), expected);
    assert_eq!(plain["localizedNames"], json!([]));
}

async fn both_interfaces_show_the_same_form(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let theirs = app
        .form(json!({
            "localizedNames": { "de": "Rundbrief" },
            "availableStarts": "2026-02-01",
            "maxNumSubmissionsPerCreator": 7,
            "frontendKey": "k",
            "additionalData": [1, null],
        }))
        .await;
    let identifier = id(&theirs);
    let path = at(FORMS, &identifier);
    let here = get(app.alice(), &path).await;
    let here: Value = serde_json::from_slice(&here.body).unwrap();
    assert_eq!(here["name"], theirs["name"]);
    assert_eq!(here["availabilityStarts"], theirs["availableStarts"]);
    assert_eq!(here["maxNumSubmissionsPerCreator"], 7);
    assert_eq!(here["localizedNames"][0]["languageTag"], "de");
    assert_eq!(here["additionalData"], json!([1, null]));
    let body = json!({ "name": "Changed", "maxNumSubmissionsPerCreator": 8 });
    let changed = patch(app.alice(), &path, &body).await;
    assert_eq!(changed.status.as_u16(), 200, "{changed}");
    let theirs = app.alice().get(&path).await.expect(200);
    assert_eq!(theirs["name"], "Changed");
    assert_eq!(theirs["maxNumSubmissionsPerCreator"], 8);
    assert_eq!(theirs["localizedNames"], json!({ "de": "Rundbrief" }));
    assert_eq!(theirs["frontendKey"], "k");
    success(&delete(app.alice(), &path).await, 204);
    app.alice()
        .get(&path)
        .await
        .refuse(404, "formalize:form-not-found", json!([]));
}

async fn sets_and_caps_are_numbers(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    for (number, states) in [
        (1, json!(["draft"])),
        (4, json!(["submitted"])),
        (5, json!(["draft", "submitted"])),
    ] {
        let form = create(
            &app,
            json!({ "name": "A", "allowedSubmissionStates": number }),
        )
        .await;
        assert_eq!(form["allowedSubmissionStates"], number);
        let theirs = app.alice().get(&at(FORMS, &id(&form))).await.expect(200);
        assert_eq!(theirs["allowedSubmissionStates"], states);
    }
    for number in [0, 2, 3, 6] {
        let body = json!({ "name": "A", "allowedSubmissionStates": number });
        let answer = post(app.alice(), FORMS, &body).await;
        refused(
            &answer,
            400,
            "formalize:form-invalid",
            json!(["allowedSubmissionStates"]),
        );
    }
    let body = json!({ "name": "A", "allowedSubmissionStates": ["draft"] });
    let answer = post(app.alice(), FORMS, &body).await;
    let id_of_body = "formalize:invalid-request-body";
    refused(&answer, 400, id_of_body, json!(["allowedSubmissionStates"]));

    for (sent, shown, cap) in [
        (json!({}), 10, json!(10)),
        (
            json!({ "maxNumSubmissionsPerCreator": 2_147_483_647 }),
            2_147_483_647,
            Value::Null,
        ),
        (
            json!({ "maxNumSubmissionsPerCreator": null }),
            10,
            json!(10),
        ),
        (json!({ "maxNumSubmissionsPerCreator": 1 }), 1, json!(1)),
    ] {
        let mut body = json!({ "name": "A" });
        crate::support::merge(&mut body, sent);
        let form = create(&app, body).await;
        assert_eq!(form["maxNumSubmissionsPerCreator"], shown);
        let path = at(FORMS, &id(&form));
        let theirs = app.alice().get(&path).await.expect(200);
        assert_eq!(theirs["maxNumSubmissionsPerCreator"], cap);
        let renamed = item(
            &patch(app.alice(), &path, &json!({ "name": "B" })).await,
            200,
        );
        assert_eq!(renamed["maxNumSubmissionsPerCreator"], shown);
    }
    let unlimited = app.form(json!({ "maxNumSubmissions": 5 })).await;
    let path = at(FORMS, &id(&unlimited));
    let here = item(&get(app.alice(), &path).await, 200);
    assert_eq!(here["maxNumSubmissionsPerCreator"], 2_147_483_647);
    assert!(here.get("maxNumSubmissions").is_none());
    let body = json!({ "maxNumSubmissionsPerCreator": 2_147_483_647, "maxNumSubmissions": 1 });
    item(&patch(app.alice(), &path, &body).await, 200);
    let theirs = app.alice().get(&path).await.expect(200);
    assert_eq!(theirs["maxNumSubmissionsPerCreator"], Value::Null);
    assert_eq!(theirs["maxNumSubmissions"], 5);
}

async fn members_are_written_whole(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let name = |language: &str, name: &str| json!({ "languageTag": language, "name": name });
    let form = create(
        &app,
        json!({
            "name": "A",
            "localizedNames": [name("de", "D"), name("fr", "F")],
            "additionalData": { "a": 1, "b": { "c": 2 } },
        }),
    )
    .await;
    let path = at(FORMS, &id(&form));
    let body =
        json!({ "localizedNames": [name("en", "E")], "additionalData": { "b": { "d": 3 } } });
    let changed = item(&patch(app.alice(), &path, &body).await, 200);
    assert_eq!(changed["localizedNames"].as_array().unwrap().len(), 1);
    assert_eq!(changed["localizedNames"][0]["name"], "E");
    assert_eq!(changed["additionalData"], json!({ "b": { "d": 3 } }));
    let kept = item(
        &patch(app.alice(), &path, &json!({ "name": "B" })).await,
        200,
    );
    assert_eq!(kept["localizedNames"], changed["localizedNames"]);
    for names in [
        json!([name("de", "D"), name("de", "E")]),
        json!([name("de-at", "D"), name("de-AT", "E")]),
    ] {
        for answer in [
            patch(app.alice(), &path, &json!({ "localizedNames": names })).await,
            post(
                app.alice(),
                FORMS,
                &json!({ "name": "A", "localizedNames": names }),
            )
            .await,
        ] {
            refused(
                &answer,
                400,
                "formalize:form-invalid",
                json!(["localizedNames"]),
            );
        }
    }
}

async fn null_is_taken_in_requests(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let nothing = json!({
        "dataFeedSchema": null, "localizedNames": null, "availabilityStarts": null, "availabilityEnds": null,
        "grantBasedSubmissionAuthorization": null, "allowedSubmissionStates": null,
        "allowedActionsWhenSubmitted": null, "maxNumSubmissionsPerCreator": null, "frontendKey": null,
        "additionalData": null, "tagPermissionsForSubmitters": null, "availableTags": null,
    });
    let mut body = nothing.clone();
    body["name"] = json!("A");
    let empty = create(&app, body).await;
    assert_eq!(empty["allowedActionsWhenSubmitted"], json!([]));
    assert_eq!(empty["allowedSubmissionStates"], 4);
    let full = app
        .form(json!({
            "localizedNames": { "de": "D" }, "availableStarts": "2026-01-01", "availabilityEnds": "2027-01-01",
            "dataFeedSchema": "{}", "frontendKey": "k", "additionalData": {},
            "allowedActionsWhenSubmitted": ["read"],
        }))
        .await;
    let changed = item(
        &patch(app.alice(), &at(FORMS, &id(&full)), &nothing).await,
        200,
    );
    for member in [
        "dataFeedSchema",
        "availabilityStarts",
        "availabilityEnds",
        "frontendKey",
        "additionalData",
    ] {
        assert!(changed.get(member).is_none(), "{member}");
    }
    assert_eq!(changed["localizedNames"], json!([]));
    assert_eq!(changed["allowedActionsWhenSubmitted"], json!([]));
}

async fn who_may_not_read_a_changed_form_gets_a_receipt(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = id(&app.form(json!({})).await);
    app.share_form(&form, "update", json!({ "userIdentifier": "bob" }))
        .await;
    let answer = patch(app.bob(), &at(FORMS, &form), &json!({ "name": "By Bob" })).await;
    let receipt = success(&answer, 200);
    assert_eq!(keys(&receipt), ["@context", "@id", "@type", "identifier"]);
    assert_eq!(receipt["@id"], form_path(&form));
    app.share_form(&form, "read", json!({ "userIdentifier": "bob" }))
        .await;
    let shown = item(&get(app.bob(), &at(FORMS, &form)).await, 200);
    assert_eq!(shown["name"], "By Bob");
    assert_eq!(shown["grantedFormActions"], json!(["read", "update"]));
    assert_eq!(shown["grantedSubmissionCollectionActions"], json!([]));
    app.share_form(
        &form,
        "read_submissions",
        json!({ "userIdentifier": "bob" }),
    )
    .await;
    let shown = item(&get(app.bob(), &at(FORMS, &form)).await, 200);
    assert_eq!(shown["grantedSubmissionCollectionActions"], json!(["read"]));
}

async fn lists_are_filtered(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let mut forms = Vec::new();
    for key in [json!("a"), json!("b"), Value::Null] {
        forms.push(id(&app.form(json!({ "frontendKey": key })).await));
    }
    for (query, expected) in [
        ("whereFrontendKeyIn[]=a", vec![0]),
        (
            "whereFrontendKeyIn%5B%5D=a&whereFrontendKeyIn%5B%5D=b",
            vec![0, 1],
        ),
        ("whereFrontendKeyNotIn[]=a", vec![1, 2]),
        ("whereFrontendKeyIn[]=nobody", vec![]),
        ("whereMayReadSubmissions=1", vec![0, 1, 2]),
        (
            "whereReadFormSubmissionsGranted=No&unknown=1",
            vec![0, 1, 2],
        ),
    ] {
        let list = members(&get(app.alice(), &format!("{FORMS}?{query}")).await);
        let found: Vec<String> = list.iter().map(id).collect();
        let expected: Vec<String> = expected
            .iter()
            .map(|at: &usize| forms[*at].clone())
            .collect();
        assert_eq!(found, expected, "{query}");
    }
    let answer = get(
        app.alice(),
        &format!("{FORMS}?whereMayReadSubmissions=maybe"),
    )
    .await;
    refused(
        &answer,
        400,
        "formalize:invalid-parameter",
        json!(["whereMayReadSubmissions"]),
    );
    let answer = get(app.alice(), &at(FORMS, NOWHERE)).await;
    refused(
        &answer,
        404,
        "formalize:form-with-id-not-found",
        json!([NOWHERE]),
    );
}
