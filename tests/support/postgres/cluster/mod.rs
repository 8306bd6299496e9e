//! The cluster that all test processes share.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use super::binaries;
use super::layout::Layout;
use crate::patience::LIMIT;
use crate::process::helper_program;
use crate::{Error, Result};

#[cfg(test)]
mod tests;

/// How long a cluster keeps running without users, so that consecutive test runs can share it.
const IDLE: Duration = Duration::from_mins(1);

/// The longest path of a temporary folder for the socket. Systems limit the path of a socket to about 100 bytes, of
/// which its name and our folders need almost 80.
const LONGEST_FOLDER: usize = 20;

/// A running cluster. It keeps running while any process has a value of this type.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// The folder of its socket.
    pub(crate) socket: PathBuf,
    _user: fs::File,
}

/// The location of a cluster, and how to create it.
#[derive(Debug)]
struct Place {
    /// The folder of the cluster.
    layout: Layout,
    /// The folder with the programs of PostgreSQL.
    programs: PathBuf,
    /// How long it keeps running without users.
    idle: Duration,
    /// Settings that differ from those for tests, as `name=value`.
    settings: &'static [&'static str],
}

/// Settings for measurements, with which no commit is lost.
const DURABLE: &[&str] = &[
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "autovacuum=on",
    "shared_buffers=512MB",
    "max_wal_size=4GB",
];

impl Cluster {
    /// The cluster of this workspace, for the remainder of this process.
    pub(crate) fn shared() -> Result<&'static Self> {
        static SHARED: OnceLock<Result<Cluster>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| Ok(Self::join(&Place::of_workspace("test", &[])?)?.0));
        shared.as_ref().map_err(|error| error.to_string().into())
    }

    /// A cluster with durable commits.
    pub(crate) fn durable() -> Result<&'static Self> {
        static DURABLE_ONE: OnceLock<Result<Cluster>> = OnceLock::new();
        let durable =
            DURABLE_ONE.get_or_init(|| Ok(Self::join(&Place::of_workspace("load", DURABLE)?)?.0));
        durable.as_ref().map_err(|error| error.to_string().into())
    }

    /// Joins the cluster at `place`. If it is not running, starts it and also returns its keeper.
    fn join(place: &Place) -> Result<(Self, Option<Child>)> {
        let arrival = place.layout.arrival()?;
        arrival.lock()?;
        let mut user = place.layout.users()?;
        user.lock_shared()?;
        // Updates the time of the file, so that even a short use is noticed.
        user.write_all(b".")?;
        let keeper = place.ensure_kept().map_err(|error| -> Error {
            let log = fs::read_to_string(place.log()).unwrap_or_default();
            format!("PostgreSQL does not start: {error}\n{log}").into()
        })?;
        let socket = PathBuf::from(fs::read_to_string(place.layout.host())?);
        Ok((
            Self {
                socket,
                _user: user,
            },
            keeper,
        ))
    }
}

impl Place {
    fn of_workspace(purpose: &str, settings: &'static [&'static str]) -> Result<Self> {
        let programs = binaries::find().ok_or_else(|| {
            format!(
                "no PostgreSQL found: neither in {}, nor in PATH, nor in /usr/lib/postgresql",
                binaries::VARIABLE
            )
        })?;
        let name = format!(
            "formalize-{purpose}-postgres-{}-{}",
            own_user()?,
            key(&programs)
        );
        let place = Self::at(short_temporary_folder().join(name), programs, IDLE)?;
        Ok(Self { settings, ..place })
    }

    /// The location of a cluster in the folder `base`, which is created if necessary.
    fn at(base: PathBuf, programs: PathBuf, idle: Duration) -> Result<Self> {
        // If this process runs as root, the cluster runs as another user, who needs access.
        match fs::DirBuilder::new().mode(0o711).create(&base) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
        // A folder of another user could contain that user's cluster.
        let found = fs::symlink_metadata(&base)?;
        if !found.is_dir() || found.uid() != own_user()? {
            return Err(format!("{} belongs to another user", base.display()).into());
        }
        Ok(Self {
            layout: Layout { base },
            programs,
            idle,
            settings: &[],
        })
    }

    /// Waits until the cluster is announced, and starts a keeper if necessary.
    fn ensure_kept(&self) -> Result<Option<Child>> {
        let deadline = Instant::now() + LIMIT;
        let mut started = None;
        loop {
            match &mut started {
                None if !self.has_keeper()? => started = Some(self.start_keeper()?),
                None => {}
                Some(keeper) => fail_if_ended(keeper)?,
            }
            if self.layout.host().exists() {
                return Ok(started);
            }
            if Instant::now() >= deadline {
                return Err(format!("it took longer than {} s", LIMIT.as_secs()).into());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether a keeper is running. It may be about to announce its cluster or have withdrawn it.
    fn has_keeper(&self) -> Result<bool> {
        let lock = self.layout.keeper()?;
        Ok(matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)))
    }

    fn start_keeper(&self) -> Result<Child> {
        // The announcement is that of a keeper that was killed.
        let _ = fs::remove_file(self.layout.host());
        let log = fs::File::create(self.log())?;
        let keeper = Command::new(helper_program("formalize-test-postgres")?)
            .arg(&self.layout.base)
            .arg(&self.programs)
            .arg(self.idle.as_secs().to_string())
            .args(self.settings)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            // Signals to the process group of the tests must not end the cluster of other tests.
            .process_group(0)
            .spawn()?;
        Ok(keeper)
    }

    /// The log of the keeper and of PostgreSQL.
    fn log(&self) -> PathBuf {
        self.layout.base.join("log")
    }
}

fn fail_if_ended(keeper: &mut Child) -> Result<()> {
    match keeper.try_wait()? {
        Some(status) => Err(format!("its keeper ended with {status}").into()),
        None => Ok(()),
    }
}

/// The user id of this process, which owns the files that it creates.
fn own_user() -> Result<u32> {
    Ok(tempfile::tempfile()?.metadata()?.uid())
}

/// Distinguishes the cluster of this workspace from others on the machine.
fn key(programs: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_MANIFEST_DIR"), programs).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn short_temporary_folder() -> PathBuf {
    let folder = env::temp_dir();
    let short = folder.as_os_str().len() <= LONGEST_FOLDER;
    if short { folder } else { PathBuf::from("/tmp") }
}
