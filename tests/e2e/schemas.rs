//! The script that tests a server with schemas and documents from files.

use std::path::Path;

use tokio::process::Command;

use crate::client::Installation;

async fn try_schemas(installation: Installation) {
    let server = installation.command.start().await.unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(tests.parent().unwrap().join("examples/try_schemas.sh"))
        .arg(tests.join("e2e/schemas"))
        .env("FORMALIZE_URL", server.base_url())
        .env("FORMALIZE_TOKEN", &installation.token)
        .output()
        .await
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        printed.ends_with("3 accepted, 4 refused, 0 wrong\n"),
        "{printed}"
    );
}

#[tokio::test]
async fn valid_documents_are_accepted_and_others_rejected_on_sqlite() {
    try_schemas(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn valid_documents_are_accepted_and_others_rejected_on_postgresql() {
    try_schemas(Installation::on_postgres().await.unwrap()).await;
}
