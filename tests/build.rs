//! Tells the tests whether there is a PostgreSQL to run on, and a browser: sets `cfg(formalize_postgres)` and
//! `cfg(formalize_browser)`.

use std::env;
use std::path::PathBuf;

#[path = "support/postgres/binaries.rs"]
mod binaries;

#[path = "support/browser/program.rs"]
mod browser;

/// An existing server to use instead.
const URL_VARIABLE: &str = "FORMALIZE_TEST_POSTGRES_URL";

/// Make the lack of PostgreSQL, or of a browser, a failure instead of a reason to ignore tests.
const REQUIRE_POSTGRES: &str = "FORMALIZE_REQUIRE_POSTGRES";
const REQUIRE_BROWSER: &str = "FORMALIZE_REQUIRE_BROWSER";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(formalize_postgres, formalize_browser)");
    for file in [
        "build.rs",
        "support/postgres/binaries.rs",
        "support/browser/program.rs",
    ] {
        println!("cargo::rerun-if-changed={file}");
    }
    for variable in [
        URL_VARIABLE,
        REQUIRE_POSTGRES,
        REQUIRE_BROWSER,
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
    watch([initdb, browser]);
}

fn is_required(variable: &str) -> bool {
    env::var(variable).is_ok_and(|required| required == "1")
}

/// Has the answers looked up again when what was found is gone, or when something is installed.
fn watch(programs: [Option<PathBuf>; 2]) {
    let something_is_missing = programs.iter().any(Option::is_none);
    for program in programs.into_iter().flatten() {
        println!("cargo::rerun-if-changed={}", program.display());
    }
    if !something_is_missing {
        return;
    }
    // Cargo takes a path that does not exist for one that has changed.
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}
