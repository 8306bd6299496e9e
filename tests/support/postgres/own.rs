//! A cluster for one test, which can be stopped, killed and started.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::programs::{User, initialise, is_ready, server, signal, succeeded};
use super::{binaries, encode};
use crate::Result;
use crate::patience::LIMIT;

/// Commits survive a crash, and the cluster can become a standby.
const SETTINGS: [&str; 4] = [
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "wal_level=replica",
];

/// A cluster for one test with an empty database. Dropping it stops and deletes it.
///
/// All calls block until they are done.
#[derive(Debug)]
pub struct OwnCluster {
    /// The folder of the cluster, in a temporary one.
    folder: PathBuf,
    programs: PathBuf,
    user: User,
    server: Option<Child>,
    url: String,
    _temporary: TempDir,
}

impl OwnCluster {
    /// Creates and starts a cluster.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, or does not start.
    pub fn new() -> Result<Self> {
        let programs = binaries::find().ok_or("no PostgreSQL found")?;
        // The path of a socket must be short, and the user of the server needs access.
        let temporary = tempfile::Builder::new().prefix("fpg-").tempdir_in("/tmp")?;
        fs::set_permissions(temporary.path(), fs::Permissions::from_mode(0o711))?;
        let folder = temporary.path().join("cluster");
        let user = User::to_run_as()?;
        user.make_folder(&folder)?;
        user.make_folder(&folder.join("socket"))?;
        initialise(&user, &programs, &folder)?;
        let socket = encode(folder.join("socket").as_os_str().as_encoded_bytes());
        let mut cluster = Self {
            folder,
            programs,
            user,
            server: None,
            url: format!("postgres://formalize@localhost/postgres?host={socket}"),
            _temporary: temporary,
        };
        cluster.start()?;
        Ok(cluster)
    }

    /// The URL of its database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether it was started and has not ended since.
    pub fn runs(&self) -> bool {
        self.server.is_some()
    }

    /// Starts it again, and waits until it accepts connections.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn start(&mut self) -> Result<()> {
        let started = Instant::now();
        let mut child = self.spawn()?;
        while !self.is_ready(&child) {
            if child.try_wait()?.is_some() {
                // After a kill, some processes of the server live for a moment and prevent a new start.
                child = self.spawn()?;
            }
            if started.elapsed() > LIMIT {
                self.server = Some(child);
                let log = fs::read_to_string(self.log()).unwrap_or_default();
                return Err(format!("PostgreSQL does not start\n{log}").into());
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.server = Some(child);
        Ok(())
    }

    fn spawn(&self) -> Result<Child> {
        let settings = SETTINGS.into_iter();
        let mut command = server(&self.user, &self.programs, &self.folder, settings);
        let log = fs::File::create(self.log())?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?);
        Ok(command.stderr(log).spawn()?)
    }

    /// Whether this server is ready. One that was killed leaves its state file behind.
    fn is_ready(&self, child: &Child) -> bool {
        let state = fs::read_to_string(self.folder.join("data/postmaster.pid"));
        let own = |state: String| state.lines().next() == Some(&child.id().to_string());
        is_ready(&self.folder) && state.is_ok_and(own)
    }

    /// Stops it as an administrator would: connections are closed, and uncommitted transactions are rolled back.
    ///
    /// # Errors
    ///
    /// If it is not running.
    pub fn stop(&mut self) -> Result<()> {
        self.end("INT")
    }

    /// Ends it like a crash. The next start recovers committed transactions.
    ///
    /// # Errors
    ///
    /// If it is not running.
    pub fn crash(&mut self) -> Result<()> {
        self.end("QUIT")
    }

    /// Stops it, and starts it again as a standby, which takes no writes until [`OwnCluster::promote`].
    ///
    /// # Errors
    ///
    /// If it is not running, or does not start.
    pub fn demote(&mut self) -> Result<()> {
        self.stop()?;
        fs::write(self.folder.join("data/standby.signal"), "")?;
        self.start()
    }

    /// Makes a standby the primary.
    ///
    /// # Errors
    ///
    /// If it is not a standby.
    pub fn promote(&self) -> Result<()> {
        let mut promote = self
            .user
            .command(&self.programs.join("pg_ctl"), &self.folder);
        let promote = promote
            .arg("promote")
            .arg("-D")
            .arg(self.folder.join("data"));
        succeeded(promote.stdout(Stdio::null()).status()?)
    }

    /// Kills its main process (`kill -9`). The other processes end when they notice.
    ///
    /// # Errors
    ///
    /// If it is not running.
    pub fn kill_9(&mut self) -> Result<()> {
        self.end("KILL")
    }

    fn end(&mut self, name: &str) -> Result<()> {
        let mut server = self.server.take().ok_or("the cluster does not run")?;
        signal(&server, name)?;
        server.wait()?;
        Ok(())
    }

    fn log(&self) -> PathBuf {
        self.folder.join("log")
    }
}

impl Drop for OwnCluster {
    fn drop(&mut self) {
        // A failure only leaves files in the temporary folder.
        let _ = self.end("QUIT");
    }
}
