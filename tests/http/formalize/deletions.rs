//! Dry runs of deletions.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    App, BATCH, FORM_LINKS, FORMS, GROUPS, MEMBERS, NOWHERE, SUBMISSIONS, WEBHOOKS, at, id, query,
};

on_every_store![
    a_dry_run_counts_what_a_deletion_removes,
    a_dry_run_is_judged_like_the_deletion,
];

fn counts(members: &Value) -> Value {
    let names = [
        "forms",
        "submissions",
        "drafts",
        "groups",
        "members",
        "resources",
        "grants",
        "links",
        "webhooks",
    ];
    let mut counts = json!({});
    for name in names {
        counts[name] = members.get(name).cloned().unwrap_or_else(|| json!(0));
    }
    json!({ "deletes": counts })
}

async fn a_dry_run_counts_what_a_deletion_removes(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    for grant_based in [true, false] {
        let form = app
            .open_form(json!({
                "grantBasedSubmissionAuthorization": grant_based,
                "allowedSubmissionStates": ["draft", "submitted"],
            }))
            .await;
        let draft = json!({ "submissionState": "draft" });
        let batch = json!({ "formIdentifier": form, "submissions": [{}, {}, draft] });
        app.bob().post(BATCH, batch).await.expect(200);
        let link = json!({ "formIdentifier": form });
        app.alice().post(FORM_LINKS, link).await.expect(201);
        let webhook = json!({ "formIdentifier": form, "url": "https://example.org/hook" });
        app.alice().post(WEBHOOKS, webhook).await.expect(201);
        let of_form = query(SUBMISSIONS, &[("formIdentifier", &form)]);
        let dry = format!("{of_form}&dryRun=true");
        let submitted = app.alice().delete(&dry).await.expect(200);
        let (each, all) = if grant_based { (2, 3) } else { (0, 0) };
        let expected = json!({ "submissions": 2, "resources": each, "grants": each });
        assert_eq!(submitted, counts(&expected));
        let path = at(FORMS, &form);
        let counted = app.alice().delete(&format!("{path}?dryRun=true")).await;
        // The form is managed by Alice, and open to everybody and by the link.
        let grants = all + 3;
        let expected = json!({ "forms": 1, "submissions": 2, "drafts": 1, "resources": all + 1,
            "grants": grants, "links": 1, "webhooks": 1 });
        assert_eq!(counted.expect(200), counts(&expected));
        app.alice().get(&path).await.expect(200);
        let dry = format!("{of_form}&dryRun=false");
        app.alice().delete(&dry).await.expect(204);
        let counted = app.alice().delete(&format!("{path}?dryRun=true")).await;
        assert_eq!(counted.expect(200)["deletes"]["submissions"], 0);
        app.alice().delete(&path).await.expect(204);
        app.alice()
            .get(&path)
            .await
            .problem(404, "formalize:form-not-found");
    }
    let group = app.group("Editors").await;
    let member = json!({ "groupIdentifier": group, "userIdentifier": "bob" });
    app.alice().post(MEMBERS, member).await.expect(201);
    let counted = app
        .alice()
        .delete(&format!("{}?dryRun=true", at(GROUPS, &group)))
        .await;
    let expected = json!({ "groups": 1, "members": 1, "resources": 1, "grants": 1 });
    assert_eq!(counted.expect(200), counts(&expected));
}

async fn a_dry_run_is_judged_like_the_deletion(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let form = id(&app.form(json!({})).await);
    let group = app.group("Editors").await;
    for (path, area, missing) in [
        (at(FORMS, &form), "formalize", "form-not-found"),
        (at(GROUPS, &group), "authorization", "group-not-found"),
        (
            query(SUBMISSIONS, &[("formIdentifier", &form)]),
            "formalize",
            "form-not-found",
        ),
    ] {
        let dry = if path.contains('?') {
            format!("{path}&dryRun=true")
        } else {
            format!("{path}?dryRun=true")
        };
        let refused = app.bob().delete(&dry).await;
        refused.refuse(403, &format!("{area}:forbidden"), json!([]));
        let nowhere = dry.replace(&form, NOWHERE).replace(&group, NOWHERE);
        let refused = app.alice().delete(&nowhere).await;
        refused.problem(404, &format!("{area}:{missing}"));
        let unclear = dry.replace("=true", "=yes");
        let refused = app.alice().delete(&unclear).await;
        refused.refuse(400, &format!("{area}:invalid-parameter"), json!(["dryRun"]));
        if !path.contains('?') {
            let request = app.alice().request(Method::DELETE, &dry);
            let outdated = request.header("if-match", "\"other\"").send().await;
            outdated.refuse(412, &format!("{area}:precondition-failed"), json!([]));
        }
    }
    // Only these deletions have dry runs.
    let grants = format!("{}?dryRun=true", at(SUBMISSIONS, NOWHERE));
    let refused = app.alice().delete(&grants).await;
    refused.refuse(400, "formalize:invalid-parameter", json!(["dryRun"]));
}
