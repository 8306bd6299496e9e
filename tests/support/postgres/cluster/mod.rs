//! The cluster that all test processes of a run share.

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
use crate::process::helper_program;
use crate::{Error, Result};

#[cfg(test)]
mod tests;

/// How long a cluster goes on without users: long enough for tests in a row to share it.
const IDLE: Duration = Duration::from_mins(1);

/// How long a cluster may take to start, on a machine that is busy compiling.
const START: Duration = Duration::from_mins(2);

/// The longest path of a temporary folder in which a socket can lie; systems allow about 100 bytes
/// for the path of the socket, of which its name and those of our folders need almost 80.
const LONGEST_FOLDER: usize = 20;

/// A running cluster. It goes on running while any process has a value of this type.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// The folder of its socket.
    pub(crate) socket: PathBuf,
    _user: fs::File,
}

/// Where a cluster is, and from what it is made.
#[derive(Debug)]
struct Place {
    /// The folder of the cluster.
    layout: Layout,
    /// The folder of the programs of PostgreSQL.
    programs: PathBuf,
    /// How long it goes on without users.
    idle: Duration,
    /// What is set otherwise than for tests, as `name=value`.
    settings: &'static [&'static str],
}

/// As a server is set that must lose nothing, for measurements.
const DURABLE: &[&str] = &[
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "autovacuum=on",
    "shared_buffers=512MB",
    "max_wal_size=4GB",
];

impl Cluster {
    /// The cluster of this workspace, for the rest of this process.
    pub(crate) fn shared() -> Result<&'static Self> {
        static SHARED: OnceLock<Result<Cluster>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| Ok(Self::join(&Place::of_workspace("test", &[])?)?.0));
        shared.as_ref().map_err(|error| error.to_string().into())
    }

    /// A cluster that makes durable what it is given.
    pub(crate) fn durable() -> Result<&'static Self> {
        static DURABLE_ONE: OnceLock<Result<Cluster>> = OnceLock::new();
        let durable =
            DURABLE_ONE.get_or_init(|| Ok(Self::join(&Place::of_workspace("load", DURABLE)?)?.0));
        durable.as_ref().map_err(|error| error.to_string().into())
    }

    /// Joins the cluster at `place`. If it does not run, starts it and gives its keeper, too.
    fn join(place: &Place) -> Result<(Self, Option<Child>)> {
        let arrival = place.layout.arrival()?;
        arrival.lock()?;
        let mut user = place.layout.users()?;
        user.lock_shared()?;
        // Marks the time of the file, so that a short use is noticed, too.
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

    /// The place of a cluster in the folder `base`, which is made if it is not there.
    fn at(base: PathBuf, programs: PathBuf, idle: Duration) -> Result<Self> {
        // As root, the cluster runs as another user, who must be let through.
        match fs::DirBuilder::new().mode(0o711).create(&base) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
        // In a folder that somebody else has made, the cluster could be anybody's.
        let found = fs::symlink_metadata(&base)?;
        if !found.is_dir() || found.uid() != own_user()? {
            return Err(format!("{} belongs to somebody else", base.display()).into());
        }
        Ok(Self {
            layout: Layout { base },
            programs,
            idle,
            settings: &[],
        })
    }

    /// Waits until the cluster is announced; starts a keeper if there is none.
    fn ensure_kept(&self) -> Result<Option<Child>> {
        let deadline = Instant::now() + START;
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
                return Err(format!("it took longer than {} s", START.as_secs()).into());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether a keeper lives. It may be about to announce its cluster, or have withdrawn it.
    fn has_keeper(&self) -> Result<bool> {
        let lock = self.layout.keeper()?;
        Ok(matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)))
    }

    fn start_keeper(&self) -> Result<Child> {
        // What is announced now is the cluster of a keeper that was killed.
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
            // What ends the tests' group of processes must not end the cluster of other tests.
            .process_group(0)
            .spawn()?;
        Ok(keeper)
    }

    /// What the keeper and the programs of PostgreSQL write.
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

/// The number of the user whom this process runs as, who owns what it makes.
fn own_user() -> Result<u32> {
    Ok(tempfile::tempfile()?.metadata()?.uid())
}

/// What distinguishes the cluster of this workspace from those of others on the machine.
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
