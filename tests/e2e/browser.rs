//! Cross-origin pages in a real browser, which enforces CORS.

use formalize_tests::Server;
use formalize_tests::browser::PageOrigin;
use serde_json::{Value, json};

use crate::client::Installation;

const PAGE: &str = include_str!("browser/page.html");

async fn server_allowing(installation: &Installation, origins: &str) -> Server {
    let command = installation.command.clone();
    let command = command.arg("--cors-allowed-origins").arg(origins);
    command.start().await.unwrap()
}

async fn use_from(page: &mut PageOrigin, installation: &Installation, server: &Server) -> Value {
    let (api, token) = (server.base_url(), &installation.token);
    page.report(&format!("api={api}&token={token}"))
        .await
        .unwrap()
}

fn assert_all_works(report: &Value) {
    let status_of = |step: &str| report[step]["status"].as_u64();
    let steps = [
        ("anonymous", 401),
        ("missing", 404),
        ("created", 201),
        ("another", 201),
        ("listed", 200),
        ("kept", 304),
        ("changed", 200),
        ("removed", 204),
    ];
    for (step, status) in steps {
        assert_eq!(status_of(step), Some(status), "{step} in {report:#}");
    }
    assert_eq!(
        report["anonymous"]["body"]["relay:errorId"],
        "formalize:authentication-required"
    );
    let headers = &report["created"]["headers"];
    assert_eq!(headers["X-Request-Id"], "from-a-page");
    assert!(headers["ETag"].is_string() && headers["Location"].is_string());
    assert!(report["listed"]["headers"]["Link"].is_string());
    assert_eq!(report["changed"]["body"]["name"], "Changed by a page");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn pages_of_an_allowed_origin_may_do_everything() {
    let installation = Installation::on_sqlite().await.unwrap();
    let mut page = PageOrigin::serve(PAGE).await.unwrap();
    let named = format!("https://forms.example.org,{}", page.origin());
    let server = server_allowing(&installation, &named).await;
    assert_all_works(&use_from(&mut page, &installation, &server).await);
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn pages_of_all_origins_may_do_everything_if_all_are_allowed() {
    let installation = Installation::on_sqlite().await.unwrap();
    let mut page = PageOrigin::serve(PAGE).await.unwrap();
    let server = server_allowing(&installation, "*").await;
    assert_all_works(&use_from(&mut page, &installation, &server).await);
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn pages_of_other_origins_can_do_nothing() {
    let installation = Installation::on_sqlite().await.unwrap();
    let mut page = PageOrigin::serve(PAGE).await.unwrap();
    for allowed in [
        &["--cors-allowed-origins", "https://forms.example.org"][..],
        &[],
    ] {
        let mut command = installation.command.clone();
        for argument in allowed {
            command = command.arg(*argument);
        }
        let server = command.start().await.unwrap();
        let report = use_from(&mut page, &installation, &server).await;
        for step in ["anonymous", "missing", "created", "another", "listed"] {
            assert_eq!(report[step], json!({"blocked": "TypeError"}), "{step}");
        }
        let client = installation.client(&server);
        let (_, forms) = client.get("/formalize/forms").await.unwrap();
        assert_eq!(
            forms["items"],
            json!([]),
            "the browser asks before it sends"
        );
    }
}
