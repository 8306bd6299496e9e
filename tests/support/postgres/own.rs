//! A cluster of a test's own, which it may kill.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use sqlx::{Connection as _, PgConnection};
use tempfile::TempDir;
use tokio::time::sleep;

use super::binaries;
use super::cluster::short_temporary_folder;
use super::run_as::{User, succeeded};
use crate::Result;

/// How long a start may take, recovery from a crash included, on a machine that is busy compiling.
const START: Duration = Duration::from_mins(1);

/// What is set otherwise than by default: nothing that has to do with durability.
const SETTINGS: [&str; 4] = [
    "listen_addresses=",
    "shared_buffers=64MB",
    "jit=off",
    "timezone=UTC",
];

/// A PostgreSQL cluster that loses nothing that it has committed, with a process of its own. It goes when it is dropped.
///
/// ```no_run
/// # use formalize_tests::postgres::OwnCluster;
/// # async fn example() -> formalize_tests::Result<()> {
/// let mut cluster = OwnCluster::start().await?;
/// cluster.kill_9()?;
/// cluster.start_again().await?;
/// println!("{}", cluster.url());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct OwnCluster {
    programs: PathBuf,
    process: Option<Child>,
    folder: TempDir,
}

impl OwnCluster {
    /// Makes a cluster and starts it.
    ///
    /// # Errors
    ///
    /// If there is no PostgreSQL, or it does not start.
    pub async fn start() -> Result<Self> {
        let programs = binaries::find().ok_or("no PostgreSQL found")?;
        let folder = tempfile::Builder::new()
            .prefix("formalize-own-")
            .tempdir_in(short_temporary_folder())?;
        // As root, the cluster runs as another user, who must be let through.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711))?;
        let mut cluster = Self {
            programs,
            process: None,
            folder,
        };
        cluster.initialise()?;
        cluster.start_again().await?;
        Ok(cluster)
    }

    fn initialise(&self) -> Result<()> {
        let (user, folder) = (User::to_run_as()?, self.cluster());
        user.make_folder(&folder)?;
        let mut initdb = user.command(&self.programs.join("initdb"), &folder);
        initdb
            .args([
                "--username=formalize",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
            ])
            .arg("--pgdata")
            .arg(folder.join("data"))
            .stdout(Stdio::null());
        succeeded(initdb.status()?)
    }

    /// The user's folder within the one that is removed in the end.
    fn cluster(&self) -> PathBuf {
        self.folder.path().join("cluster")
    }

    /// The URL of its database.
    pub fn url(&self) -> String {
        let folder = self.cluster();
        format!(
            "postgres://formalize@localhost/postgres?host={}",
            super::encode(folder.as_os_str().as_encoded_bytes())
        )
    }

    /// Starts it after it was killed or stopped, and waits until it can be used.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn start_again(&mut self) -> Result<()> {
        let deadline = Instant::now() + START;
        loop {
            // Processes that have outlived one that was killed end by themselves; until then no other is let in.
            let ended = match &mut self.process {
                Some(process) => process.try_wait()?.is_some(),
                None => true,
            };
            if ended {
                self.process = Some(self.spawn()?);
            }
            if let Ok(connection) = PgConnection::connect(&self.url()).await {
                return Ok(connection.close().await?);
            }
            if Instant::now() >= deadline {
                let log = fs::read_to_string(self.log()).unwrap_or_default();
                return Err(format!("PostgreSQL does not start:\n{log}").into());
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    fn spawn(&self) -> Result<Child> {
        let folder = self.cluster();
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.log())?;
        let mut server = User::to_run_as()?.command(&self.programs.join("postgres"), &folder);
        server
            .arg("-D")
            .arg(folder.join("data"))
            .arg("-k")
            .arg(&folder)
            .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]))
            .stdout(log.try_clone()?)
            .stderr(log);
        Ok(server.spawn()?)
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// Ends its first process at once, as a crash would (`kill -9`); the others end when they notice.
    ///
    /// # Errors
    ///
    /// If it does not run.
    pub fn kill_9(&mut self) -> Result<()> {
        let process = self.process.as_mut().ok_or("the cluster does not run")?;
        process.kill()?;
        process.wait()?;
        Ok(())
    }

    /// Has it end connections, write down everything, and stop.
    ///
    /// # Errors
    ///
    /// If it does not run.
    pub fn stop(&mut self) -> Result<()> {
        self.end("INT")
    }

    fn end(&mut self, signal: &str) -> Result<()> {
        let Some(mut process) = self.process.take() else {
            return Err("the cluster does not run".into());
        };
        if process.try_wait()?.is_none() {
            let kill = format!("kill -{signal} \"$0\"");
            let id = process.id().to_string();
            succeeded(Command::new("sh").args(["-c", &kill, &id]).status()?)?;
            process.wait()?;
        }
        Ok(())
    }
}

impl Drop for OwnCluster {
    fn drop(&mut self) {
        // At once, but so that it releases its shared memory.
        let _ = self.end("QUIT");
        // What was killed before may still be ending, and writing.
        thread::sleep(Duration::from_millis(100));
    }
}
