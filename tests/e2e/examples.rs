//! The scripts in `examples/` that use a running server, except the one for schemas, which `schemas.rs` tests.

use std::path::Path;

use formalize_tests::binary;
use reqwest::Method;
use serde_json::json;
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
async fn the_form_for_media_is_made_by_script() {
    let installation = Installation::on_sqlite().await.unwrap();
    let server = installation.command.start().await.unwrap();
    let program = binary("formalize").unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = Command::new(root.join("examples/media_form.sh"))
        .arg("alice")
        .env("PATH", path)
        .current_dir(installation.command.folder())
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let client = installation.client(&server);
    let form = "019bdb56-6fc7-760d-938a-b128a89958a8";
    let media = json!({ "formIdentifier": form, "dataFeedElement": "{\"title\": \"A\"}", "submissionState": "draft" });
    let (status, draft) = client.post("/formalize/submissions", &media).await.unwrap();
    assert_eq!(status, 201, "{draft}");
    let submission = draft["identifier"].as_str().unwrap();
    let submission = format!("/formalize/submissions/{submission}");
    let add = format!("{submission}/files?fileAttributeName=attachments&fileName=a.pdf");
    let (status, file) = client.post(&add, &json!({})).await.unwrap();
    assert_eq!(status, 201, "{file}");
    let submit = json!({ "submissionState": "submitted" });
    let (status, refused) = client
        .send(Method::PATCH, &submission, Some(&submit))
        .await
        .unwrap();
    assert_eq!(status, 400, "it is no PDF: {refused}");
    server.terminate().await.unwrap();
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
