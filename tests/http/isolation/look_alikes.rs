//! Users whose names look the same are different, on every database and wherever they are named: in API tokens, grants,
//! memberships, subjects of JWTs, and as creators.

use std::sync::Arc;

use formalize_core::{Store, UserId};
use formalize_http::auth::Issuers;
use formalize_tests::issuer::{TestIssuer, TestKey};
use formalize_tests::on_every_store;
use serde_json::json;

use crate::identity::{issuers, table, token};
use crate::support::{
    Actor, App, FORMS, GRANTS, GROUP_CLASS, MEMBERS, SUBMISSIONS, at, each, grant, id, query,
    submission,
};

on_every_store! { users_who_look_alike_share_nothing, invalid_names_match_nobody }

/// Differences in case, composition, blanks, zero-width characters, and characters that look the same or are folded to
/// the same.
const LOOK_ALIKES: [&str; 14] = [
    "adam",
    "Adam",
    "ADAM",
    " adam",
    "adam ",
    "adam\u{a0}",
    "adam\u{200b}",
    "\u{feff}adam",
    "\u{430}dam",
    "\u{c4}dam",
    "A\u{308}dam",
    "\u{e4}dam",
    "\u{212b}dam",
    "\u{c5}dam",
];

/// The service on a store, with an issuer.
async fn app(store: Arc<dyn Store>) -> (App, TestIssuer) {
    let issuer = TestIssuer::start(&[TestKey::Ed25519.jwk("first").unwrap()])
        .await
        .unwrap();
    let app = App::on_store(store).await;
    let settings = issuers(&table(issuer.url(), ""));
    let issuers = Issuers::new(settings, app.clock.clone()).unwrap();
    (app.believing(issuers), issuer)
}

async fn users_who_look_alike_share_nothing(store: Arc<dyn Store>) {
    let (app, issuer) = app(store).await;
    let once = json!({
        "maxNumSubmissionsPerCreator": 1, "allowedActionsWhenSubmitted": ["read"],
    });
    let open = app.open_form(once).await;
    let mut own = Vec::new();
    for name in LOOK_ALIKES {
        own.push(entitle(&app, name).await);
    }
    for (name, own) in LOOK_ALIKES.into_iter().zip(own) {
        let by_jwt = token(
            issuer.url(),
            TestKey::Ed25519,
            "first",
            json!({ "sub": name }),
        );
        let by_token = app.token(name, json!({}), None).await;
        let made = app.with_token(&by_jwt);
        let made = made
            .post(SUBMISSIONS, submission(&open, "{}"))
            .await
            .expect(201);
        assert_eq!(made["creatorId"], name);
        for token in [&by_token, &by_jwt] {
            let user = app.with_token(token);
            assert_eq!(forms(user).await, own, "{name:?}");
            let again = user.post(SUBMISSIONS, submission(&open, "{}")).await;
            let error_id = "formalize:max-num-form-submissions-per-creator-reached";
            again.refuse(403, error_id, json!([]));
            let list = query(SUBMISSIONS, &[("formIdentifier", &open)]);
            let list = user.get(&list).await.expect(200);
            assert_eq!(each(&list, "creatorId"), [name]);
        }
    }
    for name in LOOK_ALIKES {
        let filter = [("formIdentifier", open.as_str()), ("creatorIdEquals", name)];
        let list = app
            .alice()
            .get(&query(SUBMISSIONS, &filter))
            .await
            .expect(200);
        assert_eq!(each(&list, "creatorId"), [name]);
    }
}

/// Two forms that only this user may read: through a grant, and as a member of a group.
async fn entitle(app: &App, name: &str) -> Vec<String> {
    let [direct, as_member] = [
        id(&app.form(json!({})).await),
        id(&app.form(json!({})).await),
    ];
    let user = json!({ "userIdentifier": name });
    app.share_form(&direct, "read", user).await;
    let group = app.group("Readers").await;
    let holder = json!({ "groupIdentifier": group });
    app.share_form(&as_member, "read", holder).await;
    let member = json!({ "groupIdentifier": group, "userIdentifier": name });
    app.alice().post(MEMBERS, member).await.expect(201);
    vec![direct, as_member]
}

async fn forms(user: Actor<'_>) -> Vec<String> {
    let list = user.get(&format!("{FORMS}?perPage=1000")).await.expect(200);
    let forms = each(&list, "identifier").into_iter();
    forms.map(str::to_owned).collect()
}

/// Names cannot contain control characters, so a database never sees one that it would truncate.
async fn invalid_names_match_nobody(store: Arc<dyn Store>) {
    let (app, issuer) = app(store).await;
    let group = app.group("Editors").await;
    let member = |user: &str| json!({ "groupIdentifier": group, "userIdentifier": user });
    let to = |user: &str| {
        let holder = json!({ "userIdentifier": user });
        grant("read", GROUP_CLASS, Some(&group), holder)
    };
    app.alice().post(MEMBERS, member("bob")).await.expect(201);
    app.alice().post(GRANTS, to("bob")).await.expect(201);
    for name in ["bob\0", "\0bob", "bob\0admin", "bob\n", "bob\u{85}", ""] {
        assert!(UserId::new(name).is_err());
        let refused = app.alice().post(MEMBERS, member(name)).await;
        let names = json!(["userIdentifier"]);
        refused.refuse(400, "authorization:group-member-invalid", names.clone());
        let refused = app.alice().post(GRANTS, to(name)).await;
        let error_id = "authorization:resource-action-grant-invalid-holder";
        refused.refuse(400, error_id, names);
        let jwt = token(
            issuer.url(),
            TestKey::Ed25519,
            "first",
            json!({ "sub": name }),
        );
        let refused = app.with_token(&jwt).get(&at(FORMS, "x")).await;
        refused.refuse(401, "formalize:authentication-required", json!([]));
    }
}
