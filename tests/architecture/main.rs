//! What `ARCHITECTURE.md` says is absent, is absent.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use self::members::{LIBRARY, field, folders, front_ends, is_own, metadata, packages};
use self::sources::{product_code, root, sources};

mod bounds;
mod members;
mod rings;
mod sources;
mod steps;

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
    let words = ["poem", "clap", "anyhow", "StatusCode"];
    for folder in LIBRARY {
        assert_absent(folder, &words, &["/src/guide/"]);
    }
}

#[test]
fn decisions_do_no_io() {
    for file in ["decision.rs", "policy.rs", "scope.rs", "ways.rs"] {
        let text = fs::read_to_string(root().join("formalize-core/src/authz").join(file)).unwrap();
        for word in ["async", "store::", "Clock", "std::fs", "std::net"] {
            assert!(!product_code(&text).contains(word), "{file} has `{word}`");
        }
    }
}

#[test]
fn sql_stays_in_its_store_and_dialects_in_the_driver() {
    let sql = ["SELECT ", "INSERT INTO", "DELETE FROM", "sqlx::"];
    for folder in folders() {
        assert_absent(&folder, &sql, &["crates/sql/"]);
    }
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
    assert_absent("crates/sql/src", &dialects, &["/src/driver/"]);
}

#[test]
fn one_file_names_the_expression_language() {
    for folder in folders() {
        assert_absent(&folder, &["cel::"], &["/authz/condition"]);
    }
}

#[test]
fn handlers_and_commands_hold_no_rule() {
    let rules = ["store::scope", "HeldGrant", "ReadTx", "WriteTx", ".held("];
    for folder in front_ends() {
        assert_absent(&folder, &rules, &[]);
        for (path, text) in sources(&folder) {
            // Limits on requests are not rules about permissions, so front ends may use this part.
            let others = text.replace("internals::admission", "");
            assert!(!others.contains("internals"), "{}", path.display());
        }
    }
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
    for document in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "README.md",
        "SECURITY.md",
    ] {
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
        "crates/",
        "formalize-core/",
        "formalize-server/",
        "formalize-cli/",
        "formalize-web/",
        "formalize-webhook-sender/",
        "tests/",
        "examples/",
        "docs/",
        "packaging/",
        ".ci/",
    ];
    roots.iter().any(|root| word.starts_with(root)) && !word.contains(char::is_whitespace)
}

#[test]
fn the_architecture_stays_short() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(text.lines().count() <= 160);
}

/// What is forbidden cannot be allowed again in the sources, so that only a manifest could do without it.
#[test]
fn no_crate_may_be_unsafe() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("unsafe_code = \"forbid\"\n"));
    let metadata = metadata();
    let own: Vec<_> = packages(&metadata)
        .iter()
        .filter(|package| is_own(package))
        .collect();
    assert!(own.len() >= 5, "{} packages of our own", own.len());
    for package in own {
        let manifest = field(package, "manifest_path");
        let text = fs::read_to_string(manifest).unwrap();
        let (_, lints) = text.split_once("\n[lints]\n").unwrap_or_default();
        assert!(lints.starts_with("workspace = true\n"), "{manifest}");
    }
}

/// Major and minor version.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.split('.').map(|number| number.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap_or(0))
}

#[test]
fn no_dependency_needs_a_newer_rust_than_we_state() {
    let metadata = metadata();
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, stated) = workspace.split_once("\nrust-version = \"").unwrap();
    let stated = version(stated.split('"').next().unwrap());
    for package in packages(&metadata) {
        let name = field(package, "name");
        let needed = field(package, "rust_version");
        let needed = if needed.is_empty() { "1.0" } else { needed };
        assert!(version(needed) <= stated, "{name} needs Rust {needed}");
    }
}

/// `cargo deny` says more about them, where it is installed.
#[test]
fn all_dependencies_come_from_the_registry() {
    let metadata = metadata();
    for package in packages(&metadata) {
        let source = field(package, "source");
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        let expected = source.is_empty() || source == registry;
        assert!(expected, "{} comes from {source}", field(package, "name"));
    }
}

/// The files that cargo would publish of a package.
fn packaged(package: &str) -> Vec<String> {
    let cargo = std::process::Command::new(env!("CARGO"))
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "--locked",
            "-p",
        ])
        .arg(package)
        .current_dir(root())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&cargo.stderr).into_owned();
    assert!(cargo.status.success(), "{error}");
    let list = String::from_utf8(cargo.stdout).unwrap();
    list.lines().map(str::to_owned).collect()
}

#[test]
fn packages_hold_what_they_need_and_nothing_else() {
    for (package, more) in [
        ("formalize-core", &["src/guide/authorization.md"][..]),
        (
            "formalize-sql",
            &["migrations/0001_initial.sql", "src/existing_pool.md"],
        ),
        ("formalize-conformance", &[]),
        ("formalize-schema", &[]),
        ("formalize-views", &[]),
        ("formalize-http", &[]),
        ("formalize-pages", &[]),
        ("formalize-relay", &[]),
        ("formalize-server", &["src/main.rs"]),
        ("formalize-webhook-sender", &[]),
        ("formalize-cli", &["src/main.rs"]),
        (
            "formalize-web",
            &[
                "assets/console.css",
                "assets/console.js",
                "assets/embed.js",
                "assets/form.js",
                "assets/frame.js",
                "assets/icon.svg",
                "assets/page.css",
                "languages/de.json",
                "languages/en.json",
                "languages/fr.json",
                "templates/application.json",
                "templates/contact.json",
                "templates/empty.json",
                "templates/registration.json",
                "templates/survey.json",
            ],
        ),
    ] {
        let files = packaged(package);
        let needed = [
            "Cargo.toml",
            "LICENSE-APACHE",
            "LICENSE-MIT",
            "README.md",
            "src/lib.rs",
        ];
        for file in needed.iter().chain(more) {
            assert!(
                files.iter().any(|found| found == file),
                "{package} lacks {file}"
            );
        }
        let made_by_cargo = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];
        let known = |file: &&String| {
            let folder = file.starts_with("src/") || file.starts_with("migrations/");
            folder
                || [&needed[..], more, &made_by_cargo]
                    .iter()
                    .any(|list| list.contains(&file.as_str()))
        };
        let unknown: Vec<_> = files.iter().filter(|file| !known(file)).collect();
        assert!(unknown.is_empty(), "{package} has {unknown:?}");
    }
}

#[test]
fn packages_say_what_they_are() {
    let metadata = metadata();
    let published = |package: &&serde_json::Value| {
        field(package, "source").is_empty()
            && package
                .get("publish")
                .is_some_and(serde_json::Value::is_null)
    };
    let published: Vec<_> = packages(&metadata).iter().filter(published).collect();
    assert_eq!(published.len(), folders().len());
    for package in published {
        let name = field(package, "name");
        for said in ["description", "license", "readme", "rust_version"] {
            assert!(!field(package, said).is_empty(), "{name} has no {said}");
        }
        for (words, most) in [("keywords", 5), ("categories", 5)] {
            let count = package
                .get(words)
                .and_then(|it| it.as_array())
                .map_or(0, Vec::len);
            assert!((1..=most).contains(&count), "{name} has {count} {words}");
        }
        let licence = Path::new(field(package, "manifest_path")).with_file_name("LICENSE-MIT");
        assert_eq!(
            fs::read_to_string(licence).unwrap(),
            fs::read_to_string(root().join("LICENSE-MIT")).unwrap()
        );
    }
}
