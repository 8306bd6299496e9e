//! The README's first form, copied and pasted as it stands.

use std::path::Path;
use std::process::Stdio;

use formalize_tests::{ServerCommand, binary};
use tokio::process::Command;

/// The shell commands of a section of the README.
fn commands(section: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let text = readme.split(&format!("\n## {section}\n")).nth(1).unwrap();
    let text = text.split("\n## ").next().unwrap();
    let blocks = text
        .split("```sh\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap());
    blocks.collect::<Vec<_>>().join("echo\n")
}

#[tokio::test]
async fn the_first_form_of_the_readme_works() {
    let server = ServerCommand::new().unwrap();
    let running = server.start().await.unwrap();
    let cli = binary("formalize").unwrap();
    let script = commands("A first form")
        .replace("http://127.0.0.1:8080", running.base_url())
        .replace(
            "cargo run --release --quiet --bin formalize --",
            cli.to_str().unwrap(),
        );
    assert!(
        script.contains("tokens create") && script.contains("curl"),
        "{script}"
    );
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(server.folder())
        .stdin(Stdio::null())
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
        printed.contains("formalize:submission-invalid-json"),
        "the mistakes are refused: {printed}"
    );
    for mistake in ["/email", "/seats", "name"] {
        assert!(printed.contains(mistake), "{mistake}: {printed}");
    }
    assert!(
        printed.contains("\"submissionState\":\"submitted\""),
        "{printed}"
    );
    assert!(
        printed.contains("\"action\":\"create_submissions\""),
        "{printed}"
    );
    assert!(
        printed.contains("Grace"),
        "the list shows the submission: {printed}"
    );
}
