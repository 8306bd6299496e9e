//! The scripts in `examples/` that use a running server, except the one for schemas, which `schemas.rs` tests.

use std::path::Path;

use tokio::process::Command;

use crate::client::Installation;

async fn first_form(installation: Installation) {
    let server = installation.command.start().await.unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = Command::new(root.join("examples/first_form.sh"))
        .env("FORMALIZE_URL", server.base_url())
        .env("FORMALIZE_TOKEN", &installation.token)
        .output()
        .await
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}\n{complaints}");
    for expected in [
        "POST /formalize/forms: 201",
        "POST /formalize/submissions: 400",
        "/email: must be a valid email address",
        "/seats: must be",
        "POST /formalize/submissions: 201",
        "POST /authorization/resource-action-grants: 201",
        "GET /formalize/submissions?formIdentifier=",
        r#""dataFeedElement":"{\"name\": \"Grace\", \"email\": \"grace@example.org\", \"seats\": 2}"#,
    ] {
        assert!(
            printed.contains(expected),
            "{expected} is missing: {printed}"
        );
    }
}

#[tokio::test]
async fn the_first_form_by_script_on_sqlite() {
    first_form(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn the_first_form_by_script_on_postgresql() {
    first_form(Installation::on_postgres().await.unwrap()).await;
}
