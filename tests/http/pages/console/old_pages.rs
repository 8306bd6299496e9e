//! Pages that were opened in an earlier session.

use serde_json::json;

use super::{Reader, with_form};
use crate::support::{FORM_LINKS, GRANTS, WEBHOOKS, at, id, query};

type Changes = &'static [(&'static str, &'static [&'static str])];

/// Nothing is done, and what was entered is shown again. Sending it once more does it.
#[tokio::test]
async fn what_was_entered_is_kept() {
    let (app, form) = with_form(json!({})).await;
    let group = app.group("Committee").await;
    let link = json!({"formIdentifier": form, "label": "Poster"});
    let link = id(&app.alice().post(FORM_LINKS, link).await.expect(201));
    let webhook = json!({"formIdentifier": form, "url": "https://hooks.example.org/a"});
    let webhook = id(&app.alice().post(WEBHOOKS, webhook).await.expect(201));
    let of_form = |rest: &str| format!("/console/forms/{form}{rest}");
    let settings: Changes = &[
        ("name", &["Spring run"]),
        ("availableStarts", &["2026-12-24T18:00"]),
        ("maxNumSubmissions", &["40"]),
    ];
    let sharing: Changes = &[("userIdentifier", &["grace"]), ("right", &["read-answers"])];
    let new_link: Changes = &[
        ("label", &["Newsletter"]),
        ("embedOrigins", &["https://www.example.org"]),
    ];
    let new_webhook: Changes = &[
        ("url", &["https://hooks.example.org/b"]),
        ("description", &["Ticket system"]),
        ("payload", &["thin"]),
    ];
    let cases: [(String, &str, Changes); 13] = [
        (of_form("/settings"), "save", settings),
        (of_form("/sharing"), "share", sharing),
        (of_form("/links"), "create", new_link),
        (
            of_form(&format!("/links/{link}")),
            "save",
            &[("label", &["Hall"]), ("maxNumSubmissions", &["7"])],
        ),
        (of_form("/webhooks"), "create", new_webhook),
        (
            of_form(&format!("/webhooks/{webhook}")),
            "save",
            new_webhook,
        ),
        (
            of_form(&format!("/webhooks/{webhook}")),
            "rotate",
            &[("overlapSeconds", &["3600"])],
        ),
        (
            of_form(&format!("/webhooks/{webhook}/delete")),
            "delete",
            &[],
        ),
        (
            "/console/groups".to_owned(),
            "create",
            &[("name", &["Board"])],
        ),
        (
            format!("/console/groups/{group}"),
            "add",
            &[("userIdentifier", &["grace"])],
        ),
        (
            format!("/console/groups/{group}"),
            "rename",
            &[("name", &["Board"])],
        ),
        (of_form("/submissions/delete"), "delete", &[]),
        (of_form("/delete"), "delete", &[]),
    ];
    for (path, button, changes) in cases {
        let mut alice = Reader::signed_in(&app, "alice").await;
        let page = alice.open(&path).await;
        alice.cookie = Some(app.session("alice").await);
        let webhooks = query(WEBHOOKS, &[("formIdentifier", &form)]);
        let everything = async || {
            let grants = app.alice().get(GRANTS).await.expect(200);
            (grants, app.alice().get(&webhooks).await.expect(200))
        };
        let before = everything().await;
        let again = alice.press_one(&page, button, changes).await;
        assert_eq!(again.status(), 403, "{path}: {}", again.answer);
        assert!(
            again.texts(".summary")[0].contains("opened in an earlier session"),
            "{path}: {}",
            again.answer
        );
        assert_eq!(everything().await, before, "{path}");
        for (name, values) in changes {
            let shown = again.value(name);
            assert_eq!(
                shown.as_deref().map(str::trim),
                values.first().copied(),
                "{path}: {name}"
            );
        }
        if button != "delete" {
            let done = alice.press_one(&again, button, &[]).await;
            assert!(done.status() < 400, "{path}: {}", done.answer);
        }
    }
}

/// A page of an earlier session overwrites nothing that its reader has not seen.
#[tokio::test]
async fn changes_in_between_are_still_found() {
    let (app, form) = with_form(json!({})).await;
    let group = app.group("Committee").await;
    let link = json!({"formIdentifier": form, "label": "Poster"});
    let link = id(&app.alice().post(FORM_LINKS, link).await.expect(201));
    let webhook = json!({"formIdentifier": form, "url": "https://hooks.example.org/a"});
    let webhook = id(&app.alice().post(WEBHOOKS, webhook).await.expect(201));
    for (path, button, item) in [
        (
            format!("/console/forms/{form}/settings"),
            "save",
            at(crate::support::FORMS, &form),
        ),
        (
            format!("/console/forms/{form}/links/{link}"),
            "save",
            at(FORM_LINKS, &link),
        ),
        (
            format!("/console/forms/{form}/webhooks/{webhook}"),
            "save",
            at(WEBHOOKS, &webhook),
        ),
        (
            format!("/console/groups/{group}"),
            "rename",
            at(crate::support::GROUPS, &group),
        ),
    ] {
        let mut alice = Reader::signed_in(&app, "alice").await;
        let page = alice.open(&path).await;
        let field = match path.as_str() {
            path if path.contains("/links/") => "label",
            path if path.contains("/webhooks/") => "description",
            _ => "name",
        };
        let other = json!({field: "By another"});
        app.alice().patch(&item, other).await.expect(200);
        alice.cookie = Some(app.session("alice").await);
        let again = alice.press_one(&page, button, &[(field, &["Mine"])]).await;
        assert_eq!(again.status(), 403, "{path}");
        let conflict = alice.press_one(&again, button, &[]).await;
        assert_eq!(conflict.status(), 412, "{path}: {}", conflict.answer);
        assert_eq!(
            conflict.texts(".conflict dd"),
            ["Stored: By another", "Entered by you: Mine"]
        );
        alice.press_one(&conflict, button, &[]).await.leads_to();
        let stored = app.alice().get(&item).await.expect(200);
        assert_eq!(stored[field], "Mine", "{path}");
    }
}
