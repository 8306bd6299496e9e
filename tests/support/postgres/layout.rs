//! The files of a cluster that several processes share, and their locks.
//!
//! ```text
//! <base>/arrival    locked while a process joins or stops the cluster
//! <base>/users      locked together by all processes that use the cluster, for as long as they live
//! <base>/keeper     locked by the keeper for as long as it lives
//! <base>/host       the folder of the cluster's socket; there while the cluster accepts connections
//! <base>/<n>/       data, socket and log of the cluster
//! ```
//!
//! Locks are released when the process that holds them ends, for whatever reason, so no cleanup is needed before the
//! next process.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The files of one shared cluster.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The folder that contains all of them.
    pub(crate) base: PathBuf,
}

impl Layout {
    /// The lock for joining and stopping.
    pub(crate) fn arrival(&self) -> io::Result<File> {
        open(&self.base.join("arrival"))
    }

    /// The lock of the users.
    pub(crate) fn users(&self) -> io::Result<File> {
        open(&self.base.join("users"))
    }

    /// The lock of the keeper.
    pub(crate) fn keeper(&self) -> io::Result<File> {
        open(&self.base.join("keeper"))
    }

    /// The file with the folder of the socket.
    pub(crate) fn host(&self) -> PathBuf {
        self.base.join("host")
    }
}

/// Opens a lock file. It is never deleted, because two processes could then lock two files of the same name.
fn open(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}
