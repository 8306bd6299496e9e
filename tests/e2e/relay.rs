//! The interface for the Relay web client, in the real program.

use std::fs;

use formalize_tests::Server;
use reqwest::{Client as Http, Method};
use serde_json::{Value, json};

use crate::client::started;
use crate::metrics::reaches;

#[tokio::test(flavor = "multi_thread")]
async fn the_client_has_a_listener_of_its_own() {
    let (installation, server) = started(&[
        "--relay-listen",
        "127.0.0.1:0",
        "--cors-allowed-origins",
        "https://client.example.org",
        "--metrics-listen",
        "127.0.0.1:0",
    ])
    .await;
    let lines = server.stdout();
    let [.., relay, service] = &lines[..] else {
        panic!("{lines:?}");
    };
    let url = relay.strip_prefix("relay listening on ").unwrap();
    assert_eq!(*service, format!("listening on {}", server.base_url()));
    assert!(url.starts_with("http://127.0.0.1:") && url != server.base_url());

    let client = installation.client(&server);
    let form = client
        .form(json!({ "allowedSubmissionStates": ["draft"] }))
        .await;
    let form = form.unwrap();
    let http = Http::new();
    let read = http
        .get(format!("{url}/formalize/forms/{form}"))
        .bearer_auth(&installation.token)
        .header("origin", "https://client.example.org")
        .send()
        .await
        .unwrap();
    assert_eq!(read.status().as_u16(), 200);
    assert_eq!(
        read.headers()["access-control-allow-origin"],
        "https://client.example.org"
    );
    let item: Value = read.json().await.unwrap();
    assert_eq!(item["@id"], format!("/formalize/forms/{form}"));
    // Without a setting, URLs have the port that was picked.
    assert_eq!(item["@context"]["@vocab"], format!("{url}/docs.jsonld#"));

    let preflight = http
        .request(Method::OPTIONS, format!("{url}/formalize/submissions"))
        .header("origin", "https://client.example.org")
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,content-type",
        )
        .send()
        .await
        .unwrap();
    assert_eq!(preflight.status().as_u16(), 204);
    let allowed = preflight.headers()["access-control-allow-headers"]
        .to_str()
        .unwrap();
    assert!(allowed.contains("Authorization") && allowed.contains("Content-Type"));

    for path in ["/healthz", "/readyz", "/version"] {
        let answer = http.get(format!("{url}{path}")).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 200, "{path}");
    }
    // Each interface has its own routes.
    let answer = http
        .get(format!("{url}/openapi.json"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status().as_u16(), 404);
    let metrics = reqwest::get(crate::metrics::url_of(&server)).await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let series = r#"formalize_http_requests_total{method="GET",route="/formalize/forms/{identifier}",status="200",surface="relay"} 1"#;
    assert!(metrics.contains(series), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn its_url_has_no_path() {
    let command = formalize_tests::ServerCommand::new().unwrap();
    let command = command
        .arg("--relay-listen")
        .arg("127.0.0.1:0")
        .arg("--relay-base-url")
        .arg("https://example.org/relay");
    let error = command.start().await.err().unwrap().to_string();
    assert!(error.contains("must be a URL without a path"), "{error}");
}

/// The URL of the interface.
fn url_of(server: &Server) -> String {
    let lines = server.stdout();
    let mut urls = lines
        .iter()
        .filter_map(|line| line.strip_prefix("relay listening on "));
    urls.next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_change_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let write = |text: &str| {
        let new = folder.path().join("new");
        fs::write(&new, format!("identifier,givenName,familyName\n{text}")).unwrap();
        fs::rename(&new, &path).unwrap();
    };
    write("alice,Alice,Adams\n");
    let people = path.display().to_string();
    let (installation, server) = started(&[
        "--relay-listen",
        "127.0.0.1:0",
        "--metrics-listen",
        "127.0.0.1:0",
        "--directory-people",
        &people,
    ])
    .await;
    let url = url_of(&server);
    let name = async || {
        let http = Http::new();
        let person = http.get(format!("{url}/base/people/alice"));
        let person = person.bearer_auth(&installation.token).send().await;
        let person: Value = person.unwrap().json().await.unwrap();
        person["familyName"].as_str().unwrap().to_owned()
    };
    let records = "formalize_directory_records{file=\"people\"}";
    let refused = "formalize_directory_refused_total{file=\"people\"}";
    assert_eq!(name().await, "Adams");
    reaches(&server, records, 1).await;

    write("alice,Alice,Wrong\nbob\n");
    reaches(&server, refused, 1).await;
    assert_eq!(name().await, "Adams");
    let log = server.stderr().unwrap();
    assert!(
        log.contains("line 3: the line has 1 fields, and the header 3"),
        "{log}"
    );
    assert!(!log.contains("Wrong"), "{log}");

    write("alice,Alice,Berg\nbob,Bob,Carter\n");
    reaches(&server, records, 2).await;
    assert_eq!(name().await, "Berg");
    server.terminate().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_form_takes_submissions_of_the_client() {
    let (installation, server) = started(&["--relay-listen", "127.0.0.1:0"]).await;
    let url = url_of(&server);
    installation.cli(&["forms", "demo"]).await.unwrap();
    let carol = ["tokens", "create", "--user", "carol"];
    let carol = installation.cli(&carol).await.unwrap();
    let http = Http::new();
    let listed = http
        .get(format!("{url}/formalize/forms?perPage=9999"))
        .bearer_auth(&carol)
        .send()
        .await
        .unwrap();
    let listed: Value = listed.json().await.unwrap();
    let form = &listed["hydra:member"][0];
    assert_eq!(form["name"], "Demo form", "{listed}");
    // The client sends an empty text for what was not filled in.
    let data =
        r#"{"myString": "a", "myDate": "", "myDateTime": "", "myEnum": "", "myCheckbox": ""}"#;
    let submission = json!({ "form": form["@id"], "dataFeedElement": data, "submissionState": 4 });
    let submitted = http
        .post(format!("{url}/formalize/submissions"))
        .bearer_auth(&carol)
        .json(&submission)
        .send()
        .await
        .unwrap();
    let status = submitted.status().as_u16();
    let body = submitted.text().await.unwrap();
    assert_eq!(status, 201, "{body}");
    server.terminate().await.unwrap();
}
