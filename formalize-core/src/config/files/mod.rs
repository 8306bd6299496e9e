//! The settings of files that all programs on a database share.

mod bucket;
mod url;

#[cfg(feature = "fs")]
use std::sync::Arc;
use std::time::Duration;

pub use self::url::FilesUrl;
use super::setting::{
    CREATOR_FILES_QUOTA, FILE_SIZE_LIMIT, FILES_PER_SUBMISSION_LIMIT, FILES_RESERVE, FILES_URL,
    UPLOAD_GRACE, UPLOAD_TIMEOUT,
};
use super::{ByteSize, Count, DatabaseUrl, OrOff, Period, Problem, Sources, Timeout};
use crate::file_store::S3Options;
#[cfg(all(feature = "fs", feature = "s3"))]
use crate::file_store::s3::S3FileStore;
#[cfg(feature = "fs")]
use crate::file_store::{FileStore, FileStoreError, FileStoreResult, folder::FolderFileStore};
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
    /// The bucket, if that is where they are.
    bucket: Option<S3Options>,
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
        let chosen = sources.optional::<FilesUrl>(&FILES_URL);
        let url = chosen.as_ref().ok().and_then(Option::as_ref);
        let bucket = bucket::read(sources, url);
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
            bucket: bucket?,
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
            (None, Some(path)) => FilesUrl::beside(path),
            (None, None) => FilesUrl::Off,
        }
    }

    /// The bucket in which the contents of files are; `None` if they are elsewhere.
    pub fn bucket(&self) -> Option<&S3Options> {
        self.bucket.as_ref()
    }

    /// Opens the store for the contents of files. `None` if files are off for this database.
    ///
    /// If a bucket cannot be reached, this succeeds with a warning in the log, because it may come back.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created or written, or if the bucket does not exist or rejects the credentials.
    #[cfg(feature = "fs")]
    pub async fn open(
        &self,
        database: &DatabaseUrl,
    ) -> FileStoreResult<Option<Arc<dyn FileStore>>> {
        if let Some(bucket) = &self.bucket {
            return open_bucket(bucket).await.map(Some);
        }
        let opened = self.url(database).folder().map(FolderFileStore::open);
        let opened = opened.transpose()?;
        let opened = opened.map(|store| store.with_reserve(self.reserve));
        Ok(opened.map(|store| Arc::new(store) as _))
    }

    /// Opens the store for the contents of files to read them: nothing is created. `None` if files are off for this database.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Missing`] if the folder does not exist; [`FileStoreError::Failed`] if it cannot be opened.
    #[cfg(feature = "fs")]
    pub fn open_to_read(
        &self,
        database: &DatabaseUrl,
    ) -> FileStoreResult<Option<Arc<dyn FileStore>>> {
        if let Some(bucket) = &self.bucket {
            return prepare_bucket(bucket).map(Some);
        }
        let folder = self.url(database).folder();
        let opened = folder.map(FolderFileStore::open_to_read).transpose()?;
        Ok(opened.map(|store| Arc::new(store) as _))
    }
}

/// Opens a bucket and checks it. A bucket that cannot be reached is not an error.
#[cfg(all(feature = "fs", feature = "s3"))]
async fn open_bucket(bucket: &S3Options) -> FileStoreResult<Arc<dyn FileStore>> {
    let store = S3FileStore::open(bucket)?;
    match store.check().await {
        Ok(()) => {}
        Err(FileStoreError::Unavailable(cause)) => tracing::warn!(
            cause,
            "the bucket cannot be reached; files are unavailable until it can"
        ),
        Err(error) => return Err(error),
    }
    Ok(Arc::new(store))
}

#[cfg(all(feature = "fs", feature = "s3"))]
fn prepare_bucket(bucket: &S3Options) -> FileStoreResult<Arc<dyn FileStore>> {
    Ok(Arc::new(S3FileStore::open(bucket)?))
}

#[cfg(all(feature = "fs", not(feature = "s3")))]
#[expect(clippy::unused_async, reason = "with the feature `s3` it waits")]
async fn open_bucket(bucket: &S3Options) -> FileStoreResult<Arc<dyn FileStore>> {
    prepare_bucket(bucket)
}

#[cfg(all(feature = "fs", not(feature = "s3")))]
fn prepare_bucket(_bucket: &S3Options) -> FileStoreResult<Arc<dyn FileStore>> {
    let what = "this program was built without the feature `s3`, which a bucket needs";
    Err(FileStoreError::Failed(what.to_owned()))
}

fn bytes(size: ByteSize) -> u64 {
    u64::try_from(size.0).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

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
