//! Tells the tests whether there is a PostgreSQL to run on: sets `cfg(formalize_postgres)`.

use std::env;

#[path = "support/postgres/binaries.rs"]
mod binaries;

/// An existing server to use instead.
const URL_VARIABLE: &str = "FORMALIZE_TEST_POSTGRES_URL";

/// Makes the lack of PostgreSQL a failure instead of a reason to ignore tests.
const REQUIRED_VARIABLE: &str = "FORMALIZE_REQUIRE_POSTGRES";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(formalize_postgres)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=support/postgres/binaries.rs");
    for variable in [URL_VARIABLE, REQUIRED_VARIABLE, binaries::VARIABLE, "PATH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let found = binaries::find();
    watch(found.as_deref());
    let given = env::var_os(URL_VARIABLE).is_some_and(|url| !url.is_empty());
    let required = env::var(REQUIRED_VARIABLE).is_ok_and(|required| required == "1");
    if given || required || found.is_some() {
        println!("cargo::rustc-cfg=formalize_postgres");
    }
}

/// Has the answer looked up again when what was found is gone, or when something is installed.
fn watch(found: Option<&std::path::Path>) {
    if let Some(folder) = found {
        println!(
            "cargo::rerun-if-changed={}",
            folder.join("initdb").display()
        );
        return;
    }
    // Cargo takes a path that does not exist for one that has changed.
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}
