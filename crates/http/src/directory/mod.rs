//! The directory: files of the operator that give names to people, organizations, courses and rooms.
//!
//! Each file is read when the server starts, and again when it has changed. Requests read a snapshot in memory.

mod read;
mod records;
#[cfg(test)]
mod tests;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::SystemTime,
};

pub use read::FileProblem;
pub use records::{Member, Record, Records, Search, Wanted};

/// What a file of the directory lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// People.
    People,
    /// Organizations.
    Organizations,
    /// Courses.
    Courses,
    /// Rooms.
    Rooms,
}

impl Kind {
    /// The plural, as in paths.
    pub fn plural(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Organizations => "organizations",
            Self::Courses => "courses",
            Self::Rooms => "rooms",
        }
    }
}

/// The records of all files. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Directory(Arc<Vec<DirectoryFile>>);

impl Directory {
    /// The directory of files that have been read.
    pub fn new(files: impl IntoIterator<Item = DirectoryFile>) -> Self {
        Self(Arc::new(files.into_iter().collect()))
    }

    /// The current records of a kind; empty if no file is configured for it.
    pub fn records(&self, kind: Kind) -> Arc<Records> {
        let file = self.0.iter().find(|file| file.kind == kind);
        file.map(DirectoryFile::records).unwrap_or_default()
    }

    /// The files.
    pub fn files(&self) -> &[DirectoryFile] {
        &self.0
    }
}

/// A file of the directory, and what was read from it.
#[derive(Debug)]
pub struct DirectoryFile {
    /// What the file lists.
    pub kind: Kind,
    path: PathBuf,
    /// The version that was read last, even if it was refused.
    seen: Mutex<Option<Version>>,
    records: RwLock<Arc<Records>>,
}

/// What tells one version of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    size: u64,
    modified: SystemTime,
}

impl Version {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self {
            size: metadata.len(),
            modified: metadata.modified().ok()?,
        })
    }
}

impl DirectoryFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`FileProblem`] if it cannot be read, or has an invalid record.
    ///
    /// ```
    /// use formalize_http::directory::{Directory, DirectoryFile, Kind};
    ///
    /// let file = tempfile::NamedTempFile::with_suffix(".ndjson")?;
    /// std::fs::write(&file, r#"{"identifier": "alice", "givenName": "Alice", "familyName": "Adams"}"#)?;
    /// let directory = Directory::new([DirectoryFile::open(Kind::People, file.path())?]);
    /// assert!(directory.records(Kind::People).get("alice").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(kind: Kind, path: &Path) -> Result<Self, FileProblem> {
        let seen = Version::of(path);
        let records = read::read(kind, path)?;
        Ok(Self {
            kind,
            path: path.to_owned(),
            seen: Mutex::new(seen),
            records: RwLock::new(Arc::new(records)),
        })
    }

    /// The current records.
    pub fn records(&self) -> Arc<Records> {
        Arc::clone(&self.records.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the file again if its size or its time has changed since it was read. If the new version is invalid, the
    /// records stay as they are. Returns whether they were replaced. It blocks the thread.
    ///
    /// # Errors
    ///
    /// [`FileProblem`] if the new version is invalid, once for each version.
    pub fn refresh(&self) -> Result<bool, FileProblem> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let version = Version::of(&self.path);
        if *seen == version {
            return Ok(false);
        }
        let records = read::read(self.kind, &self.path);
        if Version::of(&self.path) != version {
            // It is still being written. The next call reads it.
            return Ok(false);
        }
        *seen = version;
        let records = Arc::new(records?);
        *self.records.write().unwrap_or_else(PoisonError::into_inner) = records;
        Ok(true)
    }
}
