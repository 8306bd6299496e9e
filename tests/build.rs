//! Finds the optional programs that tests need: PostgreSQL, a browser, nginx, HAProxy, systemd and `script`. Sets
//! `cfg(formalize_postgres)`, `cfg(formalize_browser)`, `cfg(formalize_nginx)`, `cfg(formalize_haproxy)`,
//! `cfg(formalize_systemd)` and `cfg(formalize_script)`. Sets `cfg(formalize_schemas)` if there are schemas of other projects to test with.

use std::env;
use std::path::PathBuf;

#[path = "support/postgres/binaries.rs"]
mod binaries;

#[path = "support/browser/program.rs"]
mod browser;

/// The URL of an existing server to use instead.
const URL_VARIABLE: &str = "FORMALIZE_TEST_POSTGRES_URL";

/// A folder with schemas of other projects, each in a folder of its own with documents that are valid or not.
const SCHEMAS_VARIABLE: &str = "FORMALIZE_TEST_SCHEMAS";

/// With these variables set, a missing program fails the build instead of ignoring the tests.
const REQUIRE_POSTGRES: &str = "FORMALIZE_REQUIRE_POSTGRES";
const REQUIRE_BROWSER: &str = "FORMALIZE_REQUIRE_BROWSER";
const REQUIRE_CHECKERS: &str = "FORMALIZE_REQUIRE_CHECKERS";

/// Programs that check the configuration examples in the documents, or run others on a terminal, and the cfg that each one sets.
const CHECKERS: [(&str, &str); 4] = [
    ("nginx", "formalize_nginx"),
    ("haproxy", "formalize_haproxy"),
    ("systemd-analyze", "formalize_systemd"),
    ("script", "formalize_script"),
];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(formalize_postgres, formalize_browser)");
    println!("cargo::rustc-check-cfg=cfg(formalize_nginx, formalize_haproxy, formalize_systemd)");
    println!("cargo::rustc-check-cfg=cfg(formalize_schemas, formalize_script)");
    for file in [
        "build.rs",
        "support/postgres/binaries.rs",
        "support/browser/program.rs",
    ] {
        println!("cargo::rerun-if-changed={file}");
    }
    for variable in [
        URL_VARIABLE,
        SCHEMAS_VARIABLE,
        REQUIRE_POSTGRES,
        REQUIRE_BROWSER,
        REQUIRE_CHECKERS,
        binaries::VARIABLE,
        browser::VARIABLE,
        "PATH",
    ] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let initdb = binaries::find().map(|folder| folder.join("initdb"));
    let browser = browser::find();
    let given = env::var_os(URL_VARIABLE).is_some_and(|url| !url.is_empty());
    if given || is_required(REQUIRE_POSTGRES) || initdb.is_some() {
        println!("cargo::rustc-cfg=formalize_postgres");
    }
    if is_required(REQUIRE_BROWSER) || browser.is_some() {
        println!("cargo::rustc-cfg=formalize_browser");
    }
    let checkers = CHECKERS.map(|(program, _)| in_path(program));
    for ((_, name), found) in CHECKERS.iter().zip(&checkers) {
        if is_required(REQUIRE_CHECKERS) || found.is_some() {
            println!("cargo::rustc-cfg={name}");
        }
    }
    find_schemas();
    let [nginx, haproxy, systemd, script] = checkers;
    watch([initdb, browser, nginx, haproxy, systemd, script]);
}

fn find_schemas() {
    // A path that does not exist makes the tests fail.
    if let Some(folder) = env::var_os(SCHEMAS_VARIABLE).filter(|folder| !folder.is_empty()) {
        let folder = std::path::absolute(&folder).unwrap_or_else(|_| folder.into());
        println!("cargo::rustc-cfg=formalize_schemas");
        println!("cargo::rustc-env=FORMALIZE_SCHEMAS={}", folder.display());
    }
}

/// Finds a program in `PATH` or in Debian's folder of administration programs.
fn in_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(["/usr/sbin".into()])
        .map(|folder| folder.join(program))
        .find(|program| program.is_file())
}

fn is_required(variable: &str) -> bool {
    env::var(variable).is_ok_and(|required| required == "1")
}

/// Runs this script again if a program that was found is removed, or if something is installed.
fn watch(programs: [Option<PathBuf>; 6]) {
    let something_is_missing = programs.iter().any(Option::is_none);
    for program in programs.into_iter().flatten() {
        println!("cargo::rerun-if-changed={}", program.display());
    }
    if !something_is_missing {
        return;
    }
    // Cargo treats a path that does not exist as changed.
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}
