//! The scripts in `examples/` that use a running server, except the one for schemas, which `schemas.rs` tests.

use std::path::Path;

use formalize_tests::{Server, binary};
use reqwest::Method;
use serde_json::json;
use tokio::process::Command;

use crate::client::{Installation, started};

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
    let relay = ["--relay-listen", "127.0.0.1:0"];
    let (installation, server) = started(&relay).await;
    let program = binary("formalize").unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    // Again, as after a run that broke off.
    for _ in 0..2 {
        let output = Command::new(root.join("examples/media_form.sh"))
            .arg("alice")
            .env("PATH", &path)
            .current_dir(installation.command.folder())
            .output()
            .await
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let bob = ["tokens", "create", "--user", "bob"];
    let bob = installation.cli(&bob).await.unwrap();
    let client = installation.client(&server).with_token(&bob);
    let form = "019bdb56-6fc7-760d-938a-b128a89958a8";
    let draft =
        json!({ "formIdentifier": form, "dataFeedElement": "{}", "submissionState": "draft" });
    let pdf = "%PDF-1.4\n";
    for (contents, status) in [
        (&[][..], 200),
        (&["{}"], 400),
        (&[pdf, pdf], 200),
        (&[pdf; 3], 400),
    ] {
        let (created, draft) = client.post("/formalize/submissions", &draft).await.unwrap();
        assert_eq!(created, 201, "{draft}");
        let submission = draft["identifier"].as_str().unwrap();
        let submission = format!("/formalize/submissions/{submission}");
        for content in contents {
            let files = format!("{}{submission}/files", server.base_url());
            let added = reqwest::Client::new()
                .post(format!(
                    "{files}?fileAttributeName=attachments&fileName=a.pdf"
                ))
                .bearer_auth(&bob)
                .body(*content)
                .send()
                .await
                .unwrap();
            assert_eq!(added.status(), 201);
        }
        let submit = json!({ "submissionState": "submitted" });
        let submitted = client.send(Method::PATCH, &submission, Some(&submit)).await;
        let (submitted, body) = submitted.unwrap();
        assert_eq!(submitted, status, "{contents:?}: {body}");
    }
    submit_as_the_client(&server, form, &bob).await;
    server.terminate().await.unwrap();
}

/// What the client sends for a form that was filled in: what was not asked is absent, and what was left out is empty.
async fn submit_as_the_client(server: &Server, form: &str, token: &str) {
    let data = json!({
        "category": "online", "advertisementSubcategory": "website", "mediaName": "facebook",
        "mediumOwnersName": "Meta Platforms Ireland Limited", "amountInEuro": "120,50", "campaignTitle": "",
        "sujetNotes": "", "notes": "", "sapOrderNumber": "", "reportingDeadline": "2026-12-01", "identifier": "bob",
    });
    let body = [
        ("form", format!("/formalize/forms/{form}")),
        ("dataFeedElement", data.to_string()),
        ("submissionState", "4".to_owned()),
    ];
    let part = |(name, text): (&str, String)| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let body = body.map(part).concat() + "--x--\r\n";
    let lines = server.stdout();
    let mut urls = lines
        .iter()
        .filter_map(|line| line.strip_prefix("relay listening on "));
    let submitted = reqwest::Client::new()
        .post(format!("{}/formalize/submissions", urls.next().unwrap()))
        .bearer_auth(token)
        .header("content-type", "multipart/form-data; boundary=x")
        .body(body)
        .send()
        .await
        .unwrap();
    let status = submitted.status();
    let body = submitted.text().await.unwrap();
    assert_eq!(status, 201, "{body}");
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
