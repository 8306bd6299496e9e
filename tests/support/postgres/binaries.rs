//! Finds the programs of PostgreSQL, for the build script and the tests.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder with `initdb` and `postgres`. It takes precedence over all others.
pub(crate) const VARIABLE: &str = "FORMALIZE_TEST_POSTGRES_BIN";

/// Where Debian installs the versions, in `<version>/bin` and outside of `PATH`.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The folder with `initdb` and `postgres`: the one in [`VARIABLE`], else the first in `PATH`, else that of Debian's
/// newest version.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        return installation(Path::new(&named));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .find_map(|folder| installation(&folder))
        .or_else(newest_of_debian)
}

/// The folder that contains the programs, following symbolic links from `folder`.
fn installation(folder: &Path) -> Option<PathBuf> {
    let initdb = fs::canonicalize(folder.join("initdb")).ok()?;
    let folder = initdb.parent()?;
    folder.join("postgres").is_file().then(|| folder.to_owned())
}

fn newest_of_debian() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN).ok()?.filter_map(|entry| {
        let entry = entry.ok()?;
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((version, installation(&entry.path().join("bin"))?))
    });
    versions
        .max_by_key(|(version, _)| *version)
        .map(|(_, folder)| folder)
}
