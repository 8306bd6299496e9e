//! Finds a browser, for the build script and the tests.

use std::path::PathBuf;
use std::{env, ffi::OsString};

/// The path of the program. It takes precedence over `PATH`.
pub(crate) const VARIABLE: &str = "FORMALIZE_TEST_BROWSER";

/// The names of Chromium in different packages.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The program that [`VARIABLE`] names, else the first of these names in `PATH`.
pub(crate) fn find() -> Option<PathBuf> {
    let named: Option<OsString> = env::var_os(VARIABLE).filter(|named| !named.is_empty());
    if let Some(named) = named {
        return Some(PathBuf::from(named)).filter(|named| named.is_file());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|program| program.is_file())
}
