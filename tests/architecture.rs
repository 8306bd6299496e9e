//! What `ARCHITECTURE.md` says is absent, is absent.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// Every Rust file below a folder, with its text without comments' and tests' share.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, product_code(&text)));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

fn product_code(text: &str) -> String {
    let until_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = until_tests
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Fails for every file of a folder that holds one of the words, unless its path contains one of the exceptions.
fn assert_absent(folder: &str, words: &[&str], exceptions: &[&str]) {
    for (path, text) in sources(folder) {
        let shown = path.display().to_string();
        if exceptions.iter().any(|exception| shown.contains(exception)) {
            continue;
        }
        for word in words {
            assert!(!text.contains(word), "{shown} has `{word}`");
        }
    }
}

#[test]
fn the_library_knows_nothing_of_http_or_the_command_line() {
    assert_absent(
        "formalize-core/src",
        &["poem", "clap", "anyhow", "StatusCode"],
        &[],
    );
}

#[test]
fn decisions_do_no_io() {
    for file in ["decision.rs", "policy.rs", "scope.rs"] {
        let text = fs::read_to_string(root().join("formalize-core/src/authz").join(file)).unwrap();
        for word in ["async", "store::", "Clock", "std::fs", "std::net"] {
            assert!(!product_code(&text).contains(word), "{file} has `{word}`");
        }
    }
}

#[test]
fn sql_stays_in_its_store_and_dialects_in_the_driver() {
    let sql = ["SELECT ", "INSERT INTO", "DELETE FROM", "sqlx::"];
    assert_absent("formalize-core/src", &sql, &["/store/sql/"]);
    assert_absent("formalize-server/src", &sql, &[]);
    assert_absent("formalize-cli/src", &sql, &[]);
    let dialects = [
        "Sqlite",
        "Postgres",
        "sqlite3",
        "PRAGMA",
        "json_each",
        "LATERAL",
        "FOR UPDATE",
        "FOR SHARE",
    ];
    assert_absent(
        "formalize-core/src/store/sql",
        &dialects,
        &["/sql/driver.rs", "/sql/driver/"],
    );
}

#[test]
fn one_file_names_the_expression_language() {
    assert_absent("formalize-core/src", &["cel::"], &["/authz/condition"]);
}

#[test]
fn handlers_and_commands_hold_no_rule() {
    let rules = [
        "authz::decision",
        "authz::policy",
        "authz::scope",
        "ReadTx",
        "WriteTx",
        ".held(",
    ];
    assert_absent("formalize-server/src", &rules, &[]);
    assert_absent("formalize-cli/src", &rules, &[]);
}

#[test]
fn services_alone_ask_the_store() {
    assert_absent(
        "formalize-core/src/model",
        &["crate::authz", "crate::service", "async "],
        &[],
    );
    assert_absent("formalize-core/src/authz", &["crate::service"], &[]);
    assert_absent(
        "formalize-core/src/store",
        &["crate::service", "authz::policy", "authz::authorizer"],
        &[],
    );
}

#[test]
fn the_paths_that_the_documents_name_exist() {
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let named = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|word| is_path(word));
        for path in named {
            assert!(
                root().join(path).exists(),
                "{document} names `{path}`, which is not there"
            );
        }
    }
}

fn is_path(word: &str) -> bool {
    let roots = [
        "formalize-core/",
        "formalize-server/",
        "formalize-cli/",
        "tests/",
        "examples/",
        "docs/",
        ".ci/",
    ];
    roots.iter().any(|root| word.starts_with(root)) && !word.contains(char::is_whitespace)
}

#[test]
fn the_architecture_stays_short() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(text.lines().count() <= 150);
}
