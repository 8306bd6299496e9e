//! The rejected lines of an import.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::failure::{Exit, Failure};
use crate::input::{Line, is_standard};
use crate::session::{Outcome, note, plural};

/// Writes rejected lines with their reasons as NDJSON.
pub(super) struct Rejected {
    destination: Destination,
    to: Option<BufWriter<Box<dyn Write>>>,
    pub(super) number: usize,
}

/// The destination. A file is created with its first line, and never overwrites another.
enum Destination {
    StandardOutput,
    /// The file that the user named.
    Named(PathBuf),
    /// The first unused name: the folder, and the beginning of the name.
    Free(PathBuf, String),
}

/// A rejected line. It contains the line as text, because it may not be valid JSON.
#[derive(Serialize)]
struct Entry<'a> {
    line: u64,
    reasons: Vec<String>,
    data: &'a str,
}

impl Rejected {
    /// Uses the file that the user named or, without one, a new file next to the input.
    ///
    /// # Errors
    ///
    /// If the file that the user named exists.
    pub(super) fn of(input: &Path, file: Option<&Path>) -> Result<Self, Failure> {
        let destination = match file {
            Some(file) if is_standard(file) => Destination::StandardOutput,
            Some(file) if file.exists() => return Err(exists(file)),
            Some(file) => Destination::Named(file.to_owned()),
            None => beside(input),
        };
        Ok(Self {
            destination,
            to: None,
            number: 0,
        })
    }

    pub(super) fn is_standard(&self) -> bool {
        matches!(self.destination, Destination::StandardOutput)
    }

    /// Writes a line and flushes it.
    ///
    /// # Errors
    ///
    /// If it cannot be written. A closed pipe is an error here, because the line would be lost.
    pub(super) fn write(&mut self, line: &Line, failure: &Failure) -> Outcome {
        if self.to.is_none() {
            self.to = Some(BufWriter::new(self.open()?));
        }
        let entry = Entry {
            line: line.number,
            reasons: failure.reasons(),
            data: &String::from_utf8_lossy(&line.text),
        };
        if let Some(to) = &mut self.to {
            put(to, &entry).map_err(|error| {
                Failure::new(
                    Exit::Failed,
                    format!("cannot write the rejected-lines file: {error}"),
                )
            })?;
        }
        self.number += 1;
        Ok(())
    }

    /// The number of rejected lines and their destination.
    pub(super) fn summary(&self) -> String {
        let lines = plural(self.number, "line");
        match &self.destination {
            Destination::StandardOutput => format!("rejected {lines}"),
            Destination::Named(file) | Destination::Free(file, _) => {
                format!("rejected {lines}; see {}", file.display())
            }
        }
    }

    fn open(&mut self) -> Result<Box<dyn Write>, Failure> {
        let (file, path) = match &self.destination {
            Destination::StandardOutput => return Ok(Box::new(io::stdout())),
            Destination::Named(path) => (create(path)?.ok_or_else(|| exists(path))?, path.clone()),
            Destination::Free(folder, name) => first_free(folder, name)?,
        };
        note(&format!("writing rejected lines to {}", path.display()));
        self.destination = Destination::Named(path);
        Ok(Box::new(file))
    }
}

fn put(to: &mut impl Write, entry: &Entry<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *to, entry)?;
    to.write_all(b"\n")?;
    to.flush()
}

fn exists(file: &Path) -> Failure {
    let message = format!("{} already exists", file.display());
    Failure::new(Exit::Conflict, message)
}

fn beside(input: &Path) -> Destination {
    let name = input.file_name().filter(|_| !is_standard(input));
    match name {
        None => Destination::Free(PathBuf::new(), "rejected".to_owned()),
        Some(name) => {
            let folder = input.parent().unwrap_or(Path::new("")).to_owned();
            Destination::Free(folder, format!("{}.rejected", name.to_string_lossy()))
        }
    }
}

/// Creates the first of `NAME.ndjson`, `NAME-2.ndjson` and so on that does not exist yet.
fn first_free(folder: &Path, name: &str) -> Result<(File, PathBuf), Failure> {
    let mut number = 1_u64;
    loop {
        let path = match number {
            1 => folder.join(format!("{name}.ndjson")),
            number => folder.join(format!("{name}-{number}.ndjson")),
        };
        if let Some(file) = create(&path)? {
            return Ok((file, path));
        }
        number += 1;
    }
}

/// Creates a file that only its owner can read, because it contains submitted data. `None` if the file exists.
fn create(path: &Path) -> Result<Option<File>, Failure> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => {
            let message = format!("cannot write {}: {error}", path.display());
            Err(Failure::new(Exit::Failed, message))
        }
    }
}
