//! The packages of the workspace.

use std::process::Command;

use serde_json::Value;

use crate::sources::root;

/// The published packages, and those of ours that each may use. A package that is not here has no place yet.
const PACKAGES: &[(&str, &[&str])] = &[
    ("formalize-schema", &[]),
    ("formalize-core", &["formalize-schema"]),
    ("formalize-sql", &["formalize-core", "formalize-schema"]),
    ("formalize-conformance", &["formalize-core"]),
    ("formalize-web", &["formalize-core"]),
    ("formalize-webhook-sender", &["formalize-core"]),
    ("formalize-views", &["formalize-core"]),
    (
        "formalize-http",
        &[
            "formalize-core",
            "formalize-sql",
            "formalize-views",
            "formalize-webhook-sender",
        ],
    ),
    (
        "formalize-pages",
        &["formalize-core", "formalize-http", "formalize-web"],
    ),
    (
        "formalize-relay",
        &["formalize-core", "formalize-http", "formalize-views"],
    ),
    (
        "formalize-server",
        &[
            "formalize-core",
            "formalize-http",
            "formalize-pages",
            "formalize-relay",
            "formalize-sql",
            "formalize-views",
            "formalize-webhook-sender",
        ],
    ),
    (
        "formalize-cli",
        &[
            "formalize-core",
            "formalize-sql",
            "formalize-views",
            "formalize-webhook-sender",
        ],
    ),
];

/// The packages that show and test the others.
const OUTSIDE: [&str; 4] = [
    "formalize-examples",
    "formalize-own-store",
    "formalize-tests",
    "formalize-public-api",
];

/// The folders of the library and of the crate below it, which hold all rules.
pub(crate) const LIBRARY: [&str; 2] = ["crates/schema/src", "formalize-core/src"];

/// The folders of stores for the library, and of the suites for these.
const STORES: [&str; 2] = ["crates/sql/src", "crates/conformance/src"];

/// The folders of the published packages.
pub(crate) fn folders() -> Vec<String> {
    let folders = PACKAGES.iter().map(|(name, _)| folder(name));
    folders.collect()
}

/// The folders of the packages that hold no rule: all but those of the library and of its stores.
pub(crate) fn front_ends() -> Vec<String> {
    let mut folders = folders();
    folders.retain(|folder| ![LIBRARY, STORES].as_flattened().contains(&folder.as_str()));
    folders
}

/// The folder with the sources of a package.
fn folder(package: &str) -> String {
    let metadata = metadata();
    let mut packages = packages(&metadata).iter();
    let found = packages.find(|one| field(one, "name") == package && is_own(one));
    let manifest = field(found.unwrap(), "manifest_path");
    let folder = manifest.strip_suffix("/Cargo.toml").unwrap();
    let root = root().canonicalize().unwrap();
    let inside = folder.strip_prefix(root.to_str().unwrap()).unwrap();
    format!("{}/src", inside.trim_start_matches('/'))
}

pub(crate) fn is_own(package: &Value) -> bool {
    package.get("source").is_some_and(Value::is_null)
}

/// What cargo knows about the workspace and everything that it depends on, as locked.
pub(crate) fn metadata() -> Value {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .arg("--manifest-path")
        .arg(root().join("Cargo.toml"))
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&cargo.stderr).into_owned();
    assert!(cargo.status.success(), "{error}");
    serde_json::from_slice(&cargo.stdout).unwrap()
}

pub(crate) fn packages(metadata: &Value) -> &[Value] {
    let packages = metadata.get("packages").unwrap();
    packages.as_array().unwrap()
}

pub(crate) fn field<'v>(package: &'v Value, name: &str) -> &'v str {
    package.get(name).and_then(|it| it.as_str()).unwrap_or("")
}

#[test]
fn packages_use_each_other_one_way() {
    let metadata = metadata();
    let own: Vec<_> = packages(&metadata)
        .iter()
        .filter(|one| is_own(one))
        .collect();
    assert_eq!(own.len(), PACKAGES.len() + OUTSIDE.len());
    for package in own {
        let name = field(package, "name");
        if OUTSIDE.contains(&name) {
            continue;
        }
        let place = PACKAGES.iter().find(|(known, _)| *known == name);
        let (_, allowed) = place.unwrap_or_else(|| panic!("{name} has no place"));
        let used = package.get("dependencies").unwrap().as_array().unwrap();
        for dependency in used {
            let used = field(dependency, "name");
            let is_ours = dependency.get("path").is_some_and(Value::is_string);
            let is_of_tests = field(dependency, "kind") == "dev";
            let is_allowed = !is_ours || is_of_tests || allowed.contains(&used);
            assert!(is_allowed, "{name} uses {used}");
        }
    }
}
