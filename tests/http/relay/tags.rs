//! Tags of forms and submissions.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use serde_json::{Value, json};

use super::support::{
    Field::Text, change, form_path, get, item, members, open_form, patch, post, refused, submit,
};
use crate::support::{App, FORMS, SUBMISSIONS, at, id, query};

on_every_store![
    tags_are_numbers_and_lists,
    hidden_tags_are_an_empty_list,
    impossible_tags_are_refused,
];

/// A form with two tags, to which everybody may submit, with this number for submitters.
async fn form(app: &App, permissions: u8) -> String {
    let form = open_form(app, json!({})).await;
    let tags = json!({
        "availableTags": [{ "identifier": "new", "colour": "green" }, { "identifier": "old" }],
        "tagPermissionsForSubmitters": permissions,
    });
    item(&patch(app.alice(), &at(FORMS, &form), &tags).await, 200);
    form
}

fn actions_on_tags(submission: &Value) -> Vec<&str> {
    let actions = submission["grantedActions"].as_array().unwrap().iter();
    let actions = actions.map(|action| action.as_str().unwrap());
    actions.filter(|action| action.ends_with("_tags")).collect()
}

async fn tags_are_numbers_and_lists(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    for (number, words, actions) in [
        (1, json!(["read"]), &["read_tags"][..]),
        (2, json!(["read", "add"]), &["read_tags", "add_tags"]),
        (
            3,
            json!(["read", "add", "remove"]),
            &["read_tags", "add_tags", "remove_tags"],
        ),
    ] {
        let form = form(&app, number).await;
        let read = item(&get(app.alice(), &at(FORMS, &form)).await, 200);
        assert_eq!(read["tagPermissionsForSubmitters"], number);
        let tags = json!([{ "identifier": "new", "colour": "green" }, { "identifier": "old" }]);
        assert_eq!(read["availableTags"], tags);
        let ours = app.alice().get(&at(FORMS, &form)).await.expect(200);
        assert_eq!(ours["tagPermissionsForSubmitters"], words);
        assert_eq!(ours["availableTags"], tags);

        let path = form_path(&form);
        let sent = if number == 1 {
            "[]"
        } else {
            r#"["old", "new", "old"]"#
        };
        let made = submit(app.bob(), &[Text("form", &path), Text("tags", sent)]).await;
        let made = item(&made, 201);
        let expected = if number == 1 {
            json!([])
        } else {
            json!(["old", "new"])
        };
        assert_eq!(made["tags"], expected);
        assert_eq!(actions_on_tags(&made), actions);
        let ours = app
            .bob()
            .get(&at(SUBMISSIONS, &id(&made)))
            .await
            .expect(200);
        assert_eq!(ours["tags"], expected);
        let list = query(SUBMISSIONS, &[("formIdentifier", &form)]);
        assert_eq!(members(&get(app.bob(), &list).await)[0]["tags"], expected);

        let changed = change(app.bob(), &id(&made), &[Text("tags", "[]")]).await;
        if number == 2 {
            refused(&changed, 403, "", json!({}));
        } else {
            assert_eq!(item(&changed, 200)["tags"], json!([]));
        }
        let kept = change(app.alice(), &id(&made), &[Text("tags", r#"["new"]"#)]).await;
        assert_eq!(item(&kept, 200)["tags"], json!(["new"]));
        let kept = change(app.bob(), &id(&made), &[Text("dataFeedElement", "{}")]).await;
        assert_eq!(item(&kept, 200)["tags"], json!(["new"]), "absent: kept");
    }
    let form = form(&app, 2).await;
    let body = json!({ "form": form_path(&form), "tags": ["new"] });
    let made = item(&post(app.bob(), SUBMISSIONS, &body).await, 201);
    assert_eq!(made["tags"], json!(["new"]));
}

async fn hidden_tags_are_an_empty_list(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, 0).await;
    let path = form_path(&form);
    let made = submit(app.bob(), &[Text("form", &path), Text("tags", "null")]).await;
    let made = item(&made, 201);
    assert_eq!(actions_on_tags(&made), [""; 0]);
    let tagged = change(app.alice(), &id(&made), &[Text("tags", r#"["new"]"#)]).await;
    assert_eq!(item(&tagged, 200)["tags"], json!(["new"]));
    // The client sends the tags that it was given.
    let kept = change(app.bob(), &id(&made), &[Text("tags", "[]")]).await;
    assert_eq!(item(&kept, 200)["tags"], json!([]));
    let read = item(&get(app.alice(), &at(SUBMISSIONS, &id(&made))).await, 200);
    assert_eq!(read["tags"], json!(["new"]));
    let changed = change(app.bob(), &id(&made), &[Text("tags", r#"["new"]"#)]).await;
    refused(&changed, 403, "", json!({}));
    let to_bob = json!({ "userIdentifier": "bob" });
    app.share_form(&form, "read", to_bob).await;
    let read = item(&get(app.bob(), &at(FORMS, &form)).await, 200);
    assert_eq!(read["tagPermissionsForSubmitters"], 0);
    assert!(read.get("availableTags").is_none(), "{read}");
}

async fn impossible_tags_are_refused(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = form(&app, 3).await;
    let path = form_path(&form);
    for text in ["new", "{}", "[1]"] {
        let made = submit(app.bob(), &[Text("form", &path), Text("tags", text)]).await;
        refused(&made, 422, "formalize:invalid_json", json!({}));
    }
    let made = submit(app.bob(), &[Text("form", &path), Text("tags", r#"["x"]"#)]).await;
    refused(
        &made,
        400,
        "formalize:submission-tags-invalid",
        json!(["x"]),
    );
    for (member, value, error) in [
        (
            "availableTags",
            json!([{ "identifier": "" }]),
            "formalize:form-invalid-available-tags",
        ),
        (
            "tagPermissionsForSubmitters",
            json!(4),
            "formalize:form-invalid-tag-permissions-for-submitters",
        ),
    ] {
        let answer = patch(app.alice(), &at(FORMS, &form), &json!({ member: value })).await;
        refused(&answer, 400, error, json!({}));
    }
}
