//! The files of a cluster that several processes share, and who holds which lock.
//!
//! ```text
//! <base>/arrival    locked by whoever joins the cluster, or ends it, while doing so
//! <base>/users      locked together by all processes that use the cluster, for as long as they live
//! <base>/keeper     locked by the keeper for as long as it lives
//! <base>/host       the folder of the cluster's socket; there while the cluster accepts connections
//! <base>/<n>/       data, socket and log of the cluster
//! ```
//!
//! Locks end with the process that holds them, however it ends, so nothing has to be cleaned up for
//! the next process to know what is going on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The files of one shared cluster.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The folder of all of them.
    pub(crate) base: PathBuf,
}

impl Layout {
    /// The lock of those who join or end.
    pub(crate) fn arrival(&self) -> io::Result<File> {
        open(&self.base.join("arrival"))
    }

    /// The lock of those who use.
    pub(crate) fn users(&self) -> io::Result<File> {
        open(&self.base.join("users"))
    }

    /// The lock of the keeper.
    pub(crate) fn keeper(&self) -> io::Result<File> {
        open(&self.base.join("keeper"))
    }

    /// The file that names the folder of the socket.
    pub(crate) fn host(&self) -> PathBuf {
        self.base.join("host")
    }
}

/// Opens a file that is there to be locked. It is never removed: two processes could otherwise hold
/// the lock of two files of one name.
fn open(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}
