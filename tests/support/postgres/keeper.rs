//! Keeps a PostgreSQL cluster running for as long as tests use it, then stops and removes it.
//!
//! Each test may run in its own process, so no test can own the shared cluster. The first one starts this program,
//! which outlives it.
//!
//! Usage: `formalize-test-postgres BASE PROGRAMS IDLE [SETTING=VALUE]...`: the folder of the cluster, the folder with
//! the programs of PostgreSQL, the seconds without users after which it stops, and settings that differ from those for
//! tests.

use std::error::Error;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant, SystemTime};
use std::{env, io, process, thread};

use layout::Layout;
use programs::{User, initialise, is_ready, server, signal};

#[path = "layout.rs"]
mod layout;
#[path = "programs.rs"]
mod programs;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How often to check for users of the cluster.
const INTERVAL: Duration = Duration::from_millis(500);

/// The timeout for the lock, which a process that checks for a keeper may still hold briefly. A program that is being
/// started also holds the locks of its parent for a moment.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [base, programs, idle, settings @ ..] = arguments.as_slice() else {
        return Err("usage: formalize-test-postgres BASE PROGRAMS IDLE [SETTING=VALUE]...".into());
    };
    let layout = Layout {
        base: PathBuf::from(base),
    };
    let idle = Duration::from_secs(idle.parse()?);

    let _keeper = become_keeper(&layout)?;
    remove_remains(&layout)?;
    let mut cluster = Cluster::start(&layout, Path::new(programs), settings)?;
    let ended = cluster
        .announce(&layout)
        .and_then(|()| cluster.keep(&layout, idle));
    cluster.stop()?;
    ended
}

/// Acquires the lock of the keeper.
fn become_keeper(layout: &Layout) -> Result<File> {
    let lock = layout.keeper()?;
    let deadline = Instant::now() + LOCK_PATIENCE;
    while lock.try_lock().is_err() {
        if Instant::now() >= deadline {
            return Err("another keeper is running".into());
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(lock)
}

/// Removes the files of a cluster whose keeper was killed. If its server is still running, it notices within a minute
/// that its files are gone, and exits. No process is killed by a number read from a file.
fn remove_remains(layout: &Layout) -> Result<()> {
    remove_if_there(&layout.host())?;
    for entry in fs::read_dir(&layout.base)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

struct Cluster {
    folder: PathBuf,
    server: Child,
}

impl Cluster {
    fn start(layout: &Layout, programs: &Path, settings: &[String]) -> Result<Self> {
        let folder = layout.base.join(process::id().to_string());
        let user = User::to_run_as()?;
        user.make_folder(&folder)?;
        user.make_folder(&folder.join("socket"))?;

        initialise(&user, programs, &folder)?;
        let settings = settings.iter().map(String::as_str);
        let mut server = server(&user, programs, &folder, settings);
        Ok(Self {
            server: server.spawn()?,
            folder,
        })
    }

    /// Waits until the server accepts connections, and announces it.
    fn announce(&mut self, layout: &Layout) -> Result<()> {
        while !is_ready(&self.folder) {
            self.fail_if_ended()?;
            thread::sleep(Duration::from_millis(10));
        }
        let unfinished = layout.base.join("host.new");
        fs::write(
            &unfinished,
            self.folder.join("socket").as_os_str().as_encoded_bytes(),
        )?;
        fs::rename(unfinished, layout.host())?;
        Ok(())
    }

    /// Returns when the cluster has been unused for the time `idle`.
    fn keep(&mut self, layout: &Layout, idle: Duration) -> Result<()> {
        let users = layout.users()?;
        let mut last_use = Instant::now();
        let mut last_arrival = SystemTime::UNIX_EPOCH;
        loop {
            thread::sleep(INTERVAL);
            self.fail_if_ended()?;
            // Users that came and went since the last check have updated the time of the file.
            let arrival = users.metadata()?.modified()?;
            if arrival != last_arrival || !free(&users)? {
                (last_use, last_arrival) = (Instant::now(), arrival);
            }
            if last_use.elapsed() >= idle && withdraw(layout, &users)? {
                return Ok(());
            }
        }
    }

    fn fail_if_ended(&mut self) -> Result<()> {
        match self.server.try_wait()? {
            Some(status) => Err(format!("the server ended with {status}").into()),
            None => Ok(()),
        }
    }

    /// Stops the server without a checkpoint, and removes its files.
    fn stop(mut self) -> Result<()> {
        if self.server.try_wait()?.is_none() {
            // Not `Child::kill`, because the server could not release its shared memory.
            signal(&self.server, "QUIT")?;
            self.server.wait()?;
        }
        fs::remove_dir_all(&self.folder)?;
        Ok(())
    }
}

/// Whether the lock of the users is currently free.
fn free(users: &File) -> io::Result<bool> {
    match users.try_lock() {
        Ok(()) => users.unlock().map(|()| true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Withdraws the announcement, unless a process is using the cluster or about to.
fn withdraw(layout: &Layout, users: &File) -> Result<bool> {
    let arrival = layout.arrival()?;
    if arrival.try_lock().is_err() || !free(users)? {
        return Ok(false);
    }
    remove_if_there(&layout.host())?;
    Ok(true)
}
