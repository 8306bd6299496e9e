//! The settings of files that all programs on a database share.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::setting::{
    CREATOR_FILES_QUOTA, FILE_SIZE_LIMIT, FILES_PER_SUBMISSION_LIMIT, FILES_RESERVE, FILES_URL,
    UPLOAD_GRACE, UPLOAD_TIMEOUT,
};
use super::{
    ByteSize, Count, DatabaseUrl, InvalidSetting, OrOff, Period, Problem, Sources, Timeout,
};
#[cfg(feature = "fs")]
use crate::file_store::{FileStoreResult, folder::FolderFileStore};
use crate::service::FileLimits;

/// The settings of files, which all programs on a database must have in common.
///
/// ```
/// use formalize_core::config::{FileSettings, Sources};
///
/// let mut sources = Sources::new(toml::Table::new()).variable("FORMALIZE_FILE_SIZE_LIMIT", "2MiB");
/// let files = FileSettings::read(&mut sources)?;
/// assert_eq!(files.limits.file_size, 2 << 20);
///
/// let url = files.url(&"sqlite://forms.db".parse()?);
/// assert_eq!(url.to_string(), "file:forms.db.files");
/// let url = files.url(&"postgres://db/forms".parse()?);
/// assert_eq!(url.to_string(), "off");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileSettings {
    /// Where the contents are; `None` if it depends on the database.
    chosen: Option<FilesUrl>,
    /// How much may be uploaded; see [`Builder::file_limits`](crate::Builder::file_limits).
    pub limits: FileLimits,
    /// How long a request that uploads files may take.
    pub upload_timeout: Duration,
    /// How many bytes uploads leave free on the disk.
    pub reserve: u64,
}

impl FileSettings {
    /// Reads the settings.
    ///
    /// # Errors
    ///
    /// If one of them is invalid.
    pub fn read(sources: &mut Sources) -> Result<Self, Problem> {
        // All are read before the first `?`, so that all problems are reported.
        let chosen = sources.optional(&FILES_URL);
        let file_size = sources.value(&FILE_SIZE_LIMIT);
        let per_submission = sources.value::<Count>(&FILES_PER_SUBMISSION_LIMIT);
        let quota = sources.value::<OrOff<ByteSize>>(&CREATOR_FILES_QUOTA);
        let reserve = sources.value(&FILES_RESERVE);
        let timeout = sources.value::<Timeout>(&UPLOAD_TIMEOUT);
        let grace = sources.value::<Period>(&UPLOAD_GRACE);
        let upload_timeout = timeout?.0;
        let per_submission = per_submission?.0;
        Ok(Self {
            chosen: chosen?,
            limits: FileLimits {
                file_size: bytes(file_size?),
                per_submission: usize::try_from(per_submission).unwrap_or(usize::MAX),
                creator_quota: quota?.0.map(bytes),
                upload_lifetime: upload_timeout.saturating_add(grace?.0),
            },
            upload_timeout,
            reserve: bytes(reserve?),
        })
    }

    /// Where the contents of files are stored beside this database.
    pub fn url(&self, database: &DatabaseUrl) -> FilesUrl {
        match (&self.chosen, database.sqlite_path()) {
            (Some(chosen), _) => chosen.clone(),
            (None, Some(path)) => FilesUrl(Some(format!("file:{path}.files"))),
            (None, None) => FilesUrl(None),
        }
    }

    /// Opens the store for the contents of files. `None` if files are off for this database.
    ///
    /// # Errors
    ///
    /// Those of [`FolderFileStore::open`].
    #[cfg(feature = "fs")]
    pub fn open(&self, database: &DatabaseUrl) -> FileStoreResult<Option<FolderFileStore>> {
        let folder = self.url(database).folder();
        let opened = folder.map(FolderFileStore::open).transpose()?;
        Ok(opened.map(|store| store.with_reserve(self.reserve)))
    }
}

fn bytes(size: ByteSize) -> u64 {
    u64::try_from(size.0).unwrap_or(u64::MAX)
}

/// The URL of a store for the contents of files: `file:` with a folder, percent-encoded, or `off`.
///
/// ```
/// use std::path::Path;
/// use formalize_core::config::FilesUrl;
///
/// let url: FilesUrl = "file:///var/lib/my%20forms".parse()?;
/// assert_eq!(url.folder().as_deref(), Some(Path::new("/var/lib/my forms")));
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilesUrl(Option<String>);

impl FilesUrl {
    /// The folder; `None` if files are off.
    pub fn folder(&self) -> Option<PathBuf> {
        self.0.as_deref().and_then(folder)
    }
}

/// The folder of a URL; `None` if it is malformed. A relative one is in the working directory.
fn folder(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("file:")?;
    let path = match path.strip_prefix("//") {
        // Between the slashes would be the name of a host.
        Some(absolute) => Some(absolute).filter(|path| path.starts_with('/'))?,
        None => path,
    };
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let is_valid = !path.is_empty() && !path.contains('\0');
    is_valid.then(|| PathBuf::from(path.into_owned()))
}

impl FromStr for FilesUrl {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        match text {
            "off" => Ok(Self(None)),
            _ if folder(text).is_some() => Ok(Self(Some(text.to_owned()))),
            _ => Err(InvalidSetting(
                "`file:` and a folder, such as `file:///var/lib/formalize/files`, or `off`",
            )),
        }
    }
}

impl fmt::Display for FilesUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.as_deref().unwrap_or("off"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn urls_name_folders() {
        for (text, expected) in [
            ("file:/srv/files", "/srv/files"),
            ("file:///srv/files", "/srv/files"),
            ("file:files", "files"),
            ("file:../my%20files", "../my files"),
        ] {
            let url: FilesUrl = text.parse().unwrap();
            assert_eq!(url.folder().as_deref(), Some(Path::new(expected)), "{text}");
            assert_eq!(url.to_string(), text);
        }
        assert_eq!("off".parse::<FilesUrl>().unwrap().folder(), None);
        for text in [
            "",
            "files",
            "/srv/files",
            "file:",
            "file://",
            "file://host/files",
            "file:%ff",
            "file:a%00b",
            "s3://bucket",
            "OFF",
        ] {
            assert!(text.parse::<FilesUrl>().is_err(), "{text}");
        }
    }

    #[test]
    fn files_are_beside_the_file_of_a_database() {
        let mut sources = Sources::new(toml::Table::new());
        let settings = FileSettings::read(&mut sources).unwrap();
        assert_eq!(settings.limits, FileLimits::default());
        for (database, folder) in [
            ("sqlite://forms.db", Some("forms.db.files")),
            ("sqlite:forms.db", Some("forms.db.files")),
            ("sqlite:///srv/a%20b.db?mode=rw", Some("/srv/a b.db.files")),
            ("postgres://localhost/forms", None),
        ] {
            let url = settings.url(&database.parse().unwrap());
            assert_eq!(url.folder().as_deref(), folder.map(Path::new), "{database}");
        }
        let mut sources = Sources::new("files_url = 'off'".parse().unwrap());
        let settings = FileSettings::read(&mut sources).unwrap();
        let url = settings.url(&"sqlite://forms.db".parse().unwrap());
        assert_eq!(url.folder(), None);
    }
}
