//! Whose file is read that nobody has named. In a folder such as `/tmp`, everybody could put one.

use std::path::Path;

use crate::config::ConfigError;

/// Checks that a file belongs to the user of this process, or to root.
///
/// # Errors
///
/// [`ConfigError::Foreign`] if it does not, [`ConfigError::Unreadable`].
#[cfg(target_os = "linux")]
pub(super) fn check(file: &Path) -> Result<(), ConfigError> {
    use std::os::unix::fs::MetadataExt;

    let metadata = file.metadata();
    let metadata = metadata.map_err(|source| ConfigError::Unreadable {
        path: file.to_owned(),
        source,
    })?;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if is_trusted(metadata.uid(), &status) {
        Ok(())
    } else {
        Err(ConfigError::Foreign {
            path: file.to_owned(),
        })
    }
}

/// Elsewhere, the standard library does not tell the user of a process.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
pub(super) fn check(_: &Path) -> Result<(), ConfigError> {
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
        std::fs::write(&own, "").unwrap();
        check(&own).unwrap();
        // Only root can give files away.
        if std::os::unix::fs::chown(&own, Some(12_345), None).is_ok() {
            assert!(matches!(check(&own), Err(ConfigError::Foreign { .. })));
        }
    }
}
