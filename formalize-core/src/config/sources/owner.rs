//! Whose file is read that nobody has named. In a folder such as `/tmp`, everybody could put one.

use std::fs::{File, Metadata};
use std::path::Path;

use crate::config::ConfigError;

/// Opens a file. It must belong to the user of this process, or to root, and so must a symbolic link to it.
///
/// The owner is that of what was opened: what a path names can change in between.
///
/// # Errors
///
/// [`ConfigError::Foreign`] if it does not, [`ConfigError::Unreadable`].
pub(super) fn open(path: &Path) -> Result<File, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    };
    // The link first: opening what others have put there could wait forever.
    check(path, &path.symlink_metadata().map_err(unreadable)?)?;
    let file = File::open(path).map_err(unreadable)?;
    check(path, &file.metadata().map_err(unreadable)?)?;
    Ok(file)
}

#[cfg(target_os = "linux")]
fn check(path: &Path, metadata: &Metadata) -> Result<(), ConfigError> {
    use std::os::unix::fs::MetadataExt;

    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let path = path.to_owned();
    let is_own = is_trusted(metadata.uid(), &status);
    ensure!(is_own, ConfigError::Foreign { path });
    Ok(())
}

/// Elsewhere, the standard library does not tell the user of a process.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
fn check(_: &Path, _: &Metadata) -> Result<(), ConfigError> {
    Ok(())
}

/// Whether an owner is root, or the user who runs a process with this text in `/proc`: real, effective, saved and file system user.
#[cfg(target_os = "linux")]
fn is_trusted(owner: u32, status: &str) -> bool {
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    let effective = users.and_then(|users| users.split_whitespace().nth(1)?.parse().ok());
    owner == 0 || effective == Some(owner)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::read_to_string;
    use std::os::unix::fs::{chown, lchown, symlink};

    use super::*;

    #[test]
    fn a_file_of_another_user_is_not_read() {
        let status = "Name:\tformalize\nUid:\t1000\t1001\t1001\t1001\nGid:\t1\t1\t1\t1\n";
        for (owner, is_read) in [(0, true), (1001, true), (1000, false), (1002, false)] {
            assert_eq!(is_trusted(owner, status), is_read, "{owner}");
        }
        assert!(!is_trusted(1001, ""), "the user is unknown");
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("formalize.toml");
        std::fs::write(&own, "own").unwrap();
        let link = folder.path().join("link");
        symlink(&own, &link).unwrap();
        for path in [&own, &link] {
            assert_eq!(read_to_string(open(path).unwrap()).unwrap(), "own");
        }
        // Only root can give files away.
        let is_refused = |path: &Path| matches!(open(path), Err(ConfigError::Foreign { .. }));
        if lchown(&link, Some(12_345), None).is_ok() {
            assert!(is_refused(&link) && !is_refused(&own));
            lchown(&link, Some(0), None).unwrap();
            chown(&own, Some(12_345), None).unwrap();
            assert!(is_refused(&link) && is_refused(&own));
        }
    }
}
