//! A file store in a bucket of S3, or of a service with the same interface.
//!
//! The crate `object_store` signs and retries requests. This module bounds the memory of an upload, aborts broken uploads, and
//! maps errors. Two things differ from the [promises](super): parts that a killed process has uploaded stay until a lifecycle
//! rule of the bucket removes them, and a [`FileStore::put`] that is dropped after it has sent everything may still store the
//! content, which [`FilesService::sweep`](crate::files::FilesService::sweep) then deletes.

mod upload;

use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{Stream, StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::HttpError;
use object_store::path::Path as Key;
use object_store::{
    BackoffConfig, ClientOptions, Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt,
    PutPayload, RetryConfig,
};

use self::upload::{Parts, Upload};
use super::key::{file_of, key_text};
use super::{
    ContentStream, FileStore, FileStoreError, FileStoreResult, S3Credentials, S3Options,
    StoredContent, StoredFile, whole,
};
use crate::id::FileId;

/// How long a connection may take to be established.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the service may send nothing during a request.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a failed request is retried. It is short because a user waits for the response.
const RETRY_TIME: Duration = Duration::from_secs(10);

/// How long [`S3FileStore::check`] waits.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// A file store in a bucket of S3: the content of a file has the key
/// `<prefix>/<last two digits of its identifier>/<identifier>`.
///
/// An upload takes about 10 MiB of memory. A content can have 48 GiB, because S3 accepts 10,000 parts of an upload.
///
/// ```no_run
/// # formalize_conformance::example::run(async || {
/// use formalize_core::files::FileId;
/// use formalize_core::file_store::s3::S3FileStore;
/// use formalize_core::file_store::{FileStore, S3Credentials, S3Options, whole};
///
/// let store = S3FileStore::open(&S3Options {
///     bucket: "forms".to_owned(),
///     prefix: "files".to_owned(),
///     endpoint: None,
///     region: "eu-central-1".to_owned(),
///     credentials: S3Credentials::Environment,
///     allows_http: false,
/// })?;
/// store.check().await?;
/// let id: FileId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// store.put(id, whole("some text")).await?;
/// # Ok(()) });
/// ```
#[derive(Clone)]
pub struct S3FileStore {
    objects: Arc<AmazonS3>,
    bucket: Arc<str>,
    prefix: Key,
}

impl fmt::Debug for S3FileStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `objects` would show the credentials.
        formatter
            .debug_struct("S3FileStore")
            .field("bucket", &self.bucket)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

impl S3FileStore {
    /// Prepares to use a bucket. Nothing is sent.
    ///
    /// If the program has not chosen an implementation of the cryptography of TLS, ring becomes that of the whole process.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Failed`] if the options cannot be used.
    pub fn open(options: &S3Options) -> FileStoreResult<Self> {
        // This fails if the program has chosen one, which is then used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = match &options.credentials {
            S3Credentials::Environment => AmazonS3Builder::from_env(),
            S3Credentials::Static {
                access_key_id,
                secret_access_key,
            } => AmazonS3Builder::new()
                .with_access_key_id(access_key_id)
                .with_secret_access_key(secret_access_key),
        };
        let builder = match &options.endpoint {
            Some(endpoint) => builder.with_endpoint(endpoint),
            None => builder,
        };
        // A timeout of the whole request would break off downloads by slow clients.
        let client = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_read_timeout(READ_TIMEOUT)
            .with_allow_http(options.allows_http);
        let retry = RetryConfig {
            backoff: BackoffConfig {
                max_backoff: Duration::from_secs(2),
                ..BackoffConfig::default()
            },
            max_retries: 10,
            retry_timeout: RETRY_TIME,
        };
        let objects = builder
            .with_bucket_name(&options.bucket)
            .with_region(&options.region)
            .with_client_options(client)
            .with_retry(retry)
            // Some services do not support deleting several objects in one request.
            .with_disable_bulk_delete(true)
            .build()
            .map_err(failure)?;
        Ok(Self {
            objects: Arc::new(objects),
            bucket: options.bucket.as_str().into(),
            prefix: Key::from(options.prefix.as_str()),
        })
    }

    /// Checks whether the bucket can be written: puts an empty object and deletes it.
    ///
    /// # Errors
    ///
    /// [`FileStoreError::Failed`] if the bucket does not exist or rejects the credentials; [`FileStoreError::Unavailable`] if the
    /// service does not respond within 5 seconds.
    pub async fn check(&self) -> FileStoreResult<()> {
        let trial = self.with_prefix("writable");
        let tried = async {
            self.objects.put(&trial, PutPayload::new()).await?;
            self.objects.delete(&trial).await
        };
        match tokio::time::timeout(CHECK_TIMEOUT, tried).await {
            Ok(tried) => tried.map_err(|error| self.missing_is_failure(error)),
            Err(_) => Err(FileStoreError::Unavailable(format!(
                "the service did not respond within {} seconds",
                CHECK_TIMEOUT.as_secs()
            ))),
        }
    }

    fn with_prefix(&self, key: &str) -> Key {
        let prefix = self.prefix.as_ref();
        if prefix.is_empty() {
            Key::from(key)
        } else {
            Key::from(format!("{prefix}/{key}"))
        }
    }

    fn key(&self, id: FileId) -> Key {
        self.with_prefix(&key_text(id))
    }

    /// The file with this key; `None` for the key of something else.
    fn file_of(&self, key: &Key) -> Option<FileId> {
        let key = key.as_ref().strip_prefix(self.prefix.as_ref())?;
        file_of(key.strip_prefix('/').unwrap_or(key))
    }

    /// The error of a request that stores something. If that finds nothing, the bucket is missing.
    fn missing_is_failure(&self, error: Error) -> FileStoreError {
        match failure(error) {
            FileStoreError::Missing => {
                FileStoreError::Failed(format!("the bucket {} does not exist", self.bucket))
            }
            other => other,
        }
    }

    /// The size of a content if a range that starts here is empty. S3 responds to such a range with an error, and
    /// `object_store` does not tell which one it is.
    async fn size_if_behind_end(&self, key: &Key, start: u64) -> Option<u64> {
        // If the service is overloaded, this request would be retried, too.
        let head = tokio::time::timeout(CHECK_TIMEOUT, self.objects.head(key));
        let found = head.await.ok()?.ok()?;
        (start >= found.size).then_some(found.size)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn failure(error: Error) -> FileStoreError {
    match error {
        Error::NotFound { .. } => FileStoreError::Missing,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => FileStoreError::Failed(
            format!("the service rejected the credentials or denied access: {error}"),
        ),
        // No response, or a server error after all retries.
        Error::Generic { .. } => FileStoreError::Unavailable(error.to_string()),
        _ => FileStoreError::Failed(error.to_string()),
    }
}

/// Whether a request failed without a response.
fn has_no_response(error: &Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        if inner.is::<HttpError>() {
            return true;
        }
        cause = inner.source();
    }
    false
}

#[async_trait]
impl FileStore for S3FileStore {
    async fn put(&self, id: FileId, content: ContentStream<'_>) -> FileStoreResult<()> {
        let refused = |error| self.missing_is_failure(error);
        let key = self.key(id);
        let mut parts = Parts::of(content);
        let (first, is_last) = parts.next().await?;
        if is_last {
            return self
                .objects
                .put(&key, first)
                .await
                .map(drop)
                .map_err(refused);
        }
        let begun = self.objects.put_multipart(&key).await;
        let mut upload = Upload::of(begun.map_err(refused)?);
        upload.send(first).await.map_err(refused)?;
        loop {
            let (part, is_last) = parts.next().await?;
            if part.content_length() > 0 {
                upload.send(part).await.map_err(refused)?;
            }
            if is_last {
                return upload.complete().await.map_err(refused);
            }
        }
    }

    async fn get(&self, id: FileId, range: Range<u64>) -> FileStoreResult<StoredContent> {
        let key = self.key(id);
        let nothing = |size| StoredContent {
            size,
            bytes: whole(""),
        };
        if range.is_empty() {
            let found = self.objects.head(&key).await;
            return found.map(|found| nothing(found.size)).map_err(failure);
        }
        let wanted = match range.end {
            u64::MAX if range.start == 0 => None,
            u64::MAX => Some(GetRange::Offset(range.start)),
            _ => Some(GetRange::Bounded(range.clone())),
        };
        let options = GetOptions {
            range: wanted,
            ..GetOptions::default()
        };
        match self.objects.get_opts(&key, options).await {
            Ok(found) => Ok(StoredContent {
                size: found.meta.size,
                bytes: Box::pin(found.into_stream().map_err(Into::into)),
            }),
            Err(error @ Error::Generic { .. }) if !has_no_response(&error) => {
                let size = self.size_if_behind_end(&key, range.start).await;
                size.map(nothing).ok_or_else(|| failure(error))
            }
            Err(error) => Err(failure(error)),
        }
    }

    async fn delete(&self, id: FileId) -> FileStoreResult<()> {
        match self.objects.delete(&self.key(id)).await.map_err(failure) {
            Ok(()) | Err(FileStoreError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn list(&self) -> Pin<Box<dyn Stream<Item = FileStoreResult<StoredFile>> + Send + '_>> {
        let listed = self.objects.list(Some(&self.prefix));
        Box::pin(listed.filter_map(move |object| async move {
            match object {
                Ok(object) => {
                    let size = object.size;
                    let id = self.file_of(&object.location)?;
                    Some(Ok(StoredFile { id, size }))
                }
                Err(error) => Some(Err(failure(error))),
            }
        }))
    }
}
