//! The REST interface accepts no session of the web pages, however it is sent.

use std::sync::Arc;

use formalize_core::Store;
use formalize_http::auth::Issuers;
use formalize_tests::on_every_store;
use serde_json::json;

use crate::identity::{issuers, table};
use crate::openapi::{Described, operations};
use crate::support::{App, FORMS};

on_every_store! {
    no_route_accepts_a_session,
    a_session_is_no_jwt,
}

async fn no_route_accepts_a_session(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let secret = app.session("admin").await;
    let cookies = format!("formalize={secret}; __Host-formalize={secret}");
    let headers = [
        ("authorization", format!("Bearer {secret}")),
        (
            "authorization",
            format!("Bearer {}", secret.replace("fms_", "fmz_")),
        ),
        ("authorization", format!("Session {secret}")),
        ("cookie", cookies),
    ];
    let operations = operations(&app).await;
    let closed = operations.iter().filter(|described| !described.public);
    for Described {
        method, path, area, ..
    } in closed
    {
        for (name, value) in &headers {
            let request = app.anon().request(method.clone(), path);
            let refused = request.header(name, value).send().await;
            refused.refuse(401, &format!("{area}:authentication-required"), json!([]));
            assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        }
    }
    let session = app.formalize.sessions().authenticate(&secret).await;
    assert!(session.unwrap().is_some(), "the session is valid");
}

async fn a_session_is_no_jwt(store: Arc<dyn Store>) {
    let app = App::on_store(store).await;
    let settings = issuers(&table("https://id.example.org", ""));
    let issuers = Issuers::new(settings, app.clock.clone()).unwrap();
    let app = app.believing(issuers);
    app.admin().get(FORMS).await.expect(200);
    let secret = app.session("admin").await;
    let refused = app.with_token(&secret).get(FORMS).await;
    refused.refuse(401, "formalize:authentication-required", json!([]));
}
