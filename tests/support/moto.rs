//! moto, a server with the interface of S3 that keeps objects in memory. `tests/s3/run` installs it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::process::{self, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use formalize_core::file_store::memory::MemoryFileStore;
use formalize_core::file_store::s3::S3FileStore;
use formalize_core::file_store::{FileStore, S3Credentials, S3Options};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::Result;

/// The variable with the path of the program `moto_server`.
const PROGRAM: &str = "FORMALIZE_MOTO";

/// The variable with the URL of a server that has the bucket [`BUCKET`].
const SHARED: &str = "FORMALIZE_TEST_S3";

/// The bucket of tests.
pub const BUCKET: &str = "formalize";

/// A server with a bucket. Dropping it kills its process.
#[derive(Debug)]
pub struct Moto {
    process: Child,
    port: u16,
}

impl Moto {
    /// Starts a server with an empty bucket on a free port.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn start() -> Result<Self> {
        Self::start_at(0).await
    }

    /// Starts a server with an empty bucket on this port.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn start_at(port: u16) -> Result<Self> {
        // The HTTP client needs it.
        formalize_webhook_sender::use_ring();
        let program = env::var_os(PROGRAM).ok_or("run tests/s3/run, which installs moto")?;
        let mut process = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let log = process.stderr.take().ok_or("no standard error")?;
        let mut lines = BufReader::new(log).lines();
        let started = async {
            while let Some(line) = lines.next_line().await? {
                if let Some((_, address)) = line.split_once("Running on http://127.0.0.1:") {
                    return Ok(address.trim().parse()?);
                }
            }
            Err("moto ended".into())
        };
        let started: Result<u16> = timeout(Duration::from_mins(1), started).await?;
        let moto = Self {
            process,
            port: started?,
        };
        // It would block once the pipe is full.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let bucket = format!("{}/{BUCKET}", moto.url());
        let created = reqwest::Client::new().put(bucket).send().await?;
        created.error_for_status()?;
        Ok(moto)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// From now on it refuses all credentials.
    ///
    /// # Errors
    ///
    /// If it cannot be told.
    pub async fn refuse_credentials(&self) -> Result<()> {
        let url = format!("{}/moto-api/reset-auth", self.url());
        let told = reqwest::Client::new().post(url).body("0").send().await?;
        told.error_for_status()?;
        Ok(())
    }

    /// Ends it, with everything that it has.
    ///
    /// # Errors
    ///
    /// If it cannot be killed.
    pub async fn kill(mut self) -> Result<()> {
        Ok(self.process.kill().await?)
    }

    /// What it returns for this path of the bucket.
    ///
    /// # Errors
    ///
    /// If it does not respond.
    pub async fn text(&self, path: &str) -> Result<String> {
        let url = format!("{}/{BUCKET}{path}", self.url());
        Ok(reqwest::get(url).await?.text().await?)
    }
}

/// Whether the variable names a program that [`Moto::start`] can start.
pub fn is_installed() -> bool {
    env::var_os(PROGRAM).is_some()
}

/// The settings of a server that stores files in a bucket at this URL.
pub fn settings(url: &str) -> String {
    format!(
        "files_url = 's3://{BUCKET}/files'\nfiles_s3_endpoint = '{url}'\nfiles_s3_allow_http = true\n\
         files_s3_access_key_id = 'test'\nfiles_s3_secret_access_key = 'confidential'\n"
    )
}

/// A store in the bucket at this URL, whose keys begin with a prefix of their own.
///
/// # Errors
///
/// If the URL is invalid.
pub fn store_at(url: &str) -> Result<S3FileStore> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    Ok(S3FileStore::open(&S3Options {
        bucket: BUCKET.to_owned(),
        prefix: format!("tests/{}-{number}", process::id()),
        endpoint: Some(url.to_owned()),
        region: "us-east-1".to_owned(),
        credentials: S3Credentials::Static {
            access_key_id: "test".to_owned(),
            secret_access_key: "test".to_owned(),
        },
        allows_http: true,
    })?)
}

/// An empty store for the contents of files: in memory, or in S3 if `tests/s3/run` runs the test.
///
/// # Panics
///
/// If the URL of the server is invalid.
pub fn empty_store() -> Arc<dyn FileStore> {
    match env::var(SHARED) {
        Ok(url) => Arc::new(store_at(&url).unwrap()),
        Err(_) => Arc::new(MemoryFileStore::default()),
    }
}
