//! Why somebody may do something, and what a group may do.

use std::sync::Arc;

use formalize_core::Store;
use formalize_pages::PageSetup;
use formalize_tests::on_every_store;
use serde_json::json;

use super::Reader;
use crate::support::{App, MEMBERS, id};

on_every_store! {
    a_manager_sees_why_somebody_may_do_something,
    a_group_shows_what_is_shared_with_it,
}

async fn a_manager_sees_why_somebody_may_do_something(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let form = id(&app.form(json!({})).await);
    let group = app.group("Committee").await;
    let member = json!({"groupIdentifier": group, "userIdentifier": "grace"});
    app.alice().post(MEMBERS, member).await.expect(201);
    for action in ["read", "read_submissions"] {
        app.share_form(&form, action, json!({"groupIdentifier": group}))
            .await;
    }
    app.share_form(&form, "delete", json!({"userIdentifier": "grace"}))
        .await;
    let path = format!("/console/forms/{form}/sharing");
    let mut alice = Reader::signed_in(&app, "alice").await;
    assert!(!alice.open(&path).await.has(".reasons"));
    let page = alice.open(&format!("{path}?why=grace")).await;
    assert_eq!(page.status(), 200, "{}", page.answer);
    assert_eq!(
        page.texts(".reasons li > p"),
        ["The form is shared with grace", "As a member of Committee"]
    );
    assert_eq!(
        page.texts(".reasons .badge"),
        ["Delete the form", "May read answers"]
    );
    assert_eq!(page.all("#why")[0].attr("value"), Some("grace"));
    let nobody = alice.open(&format!("{path}?why=nobody")).await;
    assert!(nobody.has("#why-title") && !nobody.has(".reasons"));
    let invalid = alice.open(&format!("{path}?why=%00")).await;
    assert_eq!(invalid.status(), 422);
    assert!(invalid.has("#why[aria-invalid]"), "{}", invalid.answer);

    // Who manages the form but may not read the group does not learn who is in it.
    app.share_form(&form, "manage", json!({"userIdentifier": "bob"}))
        .await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    let page = bob.open(&format!("{path}?why=grace")).await;
    assert_eq!(
        page.texts(".reasons li > p"),
        ["The form is shared with grace"]
    );
    let mut grace = Reader::signed_in(&app, "grace").await;
    let page = grace.open(&format!("{path}?why=grace")).await;
    assert_eq!(page.status(), 403);
}

async fn a_group_shows_what_is_shared_with_it(store: Arc<dyn Store>) {
    let app = App::on_store(store).await.with_pages(PageSetup::default());
    let form = id(&app.form(json!({})).await);
    let group = app.group("Committee").await;
    for action in ["read", "create_submissions"] {
        app.share_form(&form, action, json!({"groupIdentifier": group}))
            .await;
    }
    let path = format!("/console/groups/{group}");
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path).await;
    assert_eq!(page.texts("#reach + .rows .name"), ["Newsletter"]);
    assert_eq!(page.texts("#reach + .rows .badge"), ["May fill in"]);
    assert!(page.links().contains(&format!("/console/forms/{form}")));
    // Bob may read the group, but neither is a member nor manages the form.
    app.share_group(&group, "read", "bob").await;
    let mut bob = Reader::signed_in(&app, "bob").await;
    assert!(bob.open(&path).await.has("#reach + .empty"));
    let member = json!({"groupIdentifier": group, "userIdentifier": "bob"});
    app.alice().post(MEMBERS, member).await.expect(201);
    let page = bob.open(&path).await;
    assert_eq!(page.texts("#reach + .rows .name"), ["Newsletter"]);
}
