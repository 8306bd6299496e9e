//! The rejected lines, or rows, of an import.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::failure::{Exit, Failure};
use crate::input::{Line, is_standard};
use crate::output::for_terminal;
use crate::session::{Outcome, note, plural};

/// Writes rejected lines with their reasons.
pub(super) struct Rejected {
    /// What is rejected: `line` or `row`.
    noun: &'static str,
    destination: Destination,
    to: Option<BufWriter<Box<dyn Write>>>,
    pub(super) number: usize,
}

/// The destination. A file is created with its first line, and never overwrites another.
enum Destination {
    StandardOutput,
    /// The file that the user named.
    Named(PathBuf),
    /// The first unused name: the folder, the beginning of the name, and its extension.
    Free(PathBuf, String, &'static str),
}

/// A rejected line. It contains the line as text, because it may not be valid JSON.
#[derive(Serialize)]
struct Entry<'a> {
    line: u64,
    reasons: Vec<String>,
    data: &'a str,
}

impl Rejected {
    /// Uses the file that the user named or, without one, a new file next to the input with this extension.
    ///
    /// # Errors
    ///
    /// If the file that the user named exists.
    pub(super) fn of(
        noun: &'static str,
        input: &Path,
        file: Option<&Path>,
        extension: &'static str,
    ) -> Result<Self, Failure> {
        let destination = match file {
            Some(file) if is_standard(file) => Destination::StandardOutput,
            Some(file) if file.exists() => return Err(exists(file)),
            Some(file) => Destination::Named(file.to_owned()),
            None => beside(input, extension),
        };
        Ok(Self {
            noun,
            destination,
            to: None,
            number: 0,
        })
    }

    pub(super) fn is_standard(&self) -> bool {
        matches!(self.destination, Destination::StandardOutput)
    }

    /// Writes a line as NDJSON and flushes it.
    ///
    /// # Errors
    ///
    /// Those of [`Rejected::put`].
    pub(super) fn write(&mut self, line: &Line, failure: &Failure) -> Outcome {
        let entry = Entry {
            line: line.number,
            reasons: failure.reasons(),
            data: &String::from_utf8_lossy(&line.text),
        };
        let mut text =
            serde_json::to_vec(&entry).map_err(|error| self.unwritable(&error.into()))?;
        text.push(b'\n');
        self.put(&text)
    }

    /// Writes the text of a rejected line and flushes it. A terminal would act on what strangers have written.
    ///
    /// # Errors
    ///
    /// If it cannot be written. A closed pipe is an error here, because the line would be lost.
    pub(super) fn put(&mut self, text: &[u8]) -> Outcome {
        if self.to.is_none() {
            self.to = Some(BufWriter::new(self.open()?));
        }
        let text = if self.is_standard() && io::stdout().is_terminal() {
            Cow::Owned(for_terminal(text).into_bytes())
        } else {
            Cow::Borrowed(text)
        };
        if let Some(to) = &mut self.to {
            let written = to.write_all(&text).and_then(|()| to.flush());
            written.map_err(|error| self.unwritable(&error))?;
        }
        self.number += 1;
        Ok(())
    }

    fn unwritable(&self, error: &io::Error) -> Failure {
        let noun = self.noun;
        let message = format!("cannot write the rejected-{noun}s file: {error}");
        Failure::new(Exit::Failed, message)
    }

    /// The number of rejected lines and their destination.
    pub(super) fn summary(&self) -> String {
        let lines = plural(self.number, self.noun);
        match &self.destination {
            Destination::StandardOutput => format!("rejected {lines}"),
            Destination::Named(file) | Destination::Free(file, ..) => {
                format!("rejected {lines}; see {}", file.display())
            }
        }
    }

    fn open(&mut self) -> Result<Box<dyn Write>, Failure> {
        let (file, path) = match &self.destination {
            Destination::StandardOutput => return Ok(Box::new(io::stdout())),
            Destination::Named(path) => (create(path)?.ok_or_else(|| exists(path))?, path.clone()),
            Destination::Free(folder, name, extension) => first_free(folder, name, extension)?,
        };
        let noun = self.noun;
        note(&format!("writing rejected {noun}s to {}", path.display()));
        self.destination = Destination::Named(path);
        Ok(Box::new(file))
    }
}

fn exists(file: &Path) -> Failure {
    let message = format!("{} already exists", file.display());
    Failure::new(Exit::Conflict, message)
}

fn beside(input: &Path, extension: &'static str) -> Destination {
    let name = input.file_name().filter(|_| !is_standard(input));
    match name {
        None => Destination::Free(PathBuf::new(), "rejected".to_owned(), extension),
        Some(name) => {
            let folder = input.parent().unwrap_or(Path::new("")).to_owned();
            let name = format!("{}.rejected", name.to_string_lossy());
            Destination::Free(folder, name, extension)
        }
    }
}

/// Creates the first of `NAME.EXTENSION`, `NAME-2.EXTENSION` and so on that does not exist yet.
fn first_free(folder: &Path, name: &str, extension: &str) -> Result<(File, PathBuf), Failure> {
    let mut number = 1_u64;
    loop {
        let path = match number {
            1 => folder.join(format!("{name}.{extension}")),
            number => folder.join(format!("{name}-{number}.{extension}")),
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
