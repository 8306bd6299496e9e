//! Files that commands create.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Exit, Failure};
use crate::input::is_standard;
use crate::output::plain;
use crate::session::Outcome;

/// Where the output of a command goes.
pub(crate) enum OutputFile {
    Standard,
    /// A terminal, which would act on what strangers have written.
    Terminal,
    /// A file, which gets its name when it is complete.
    File(NamedTempFile, PathBuf),
}

impl OutputFile {
    /// # Errors
    ///
    /// If the file exists, or its folder cannot be written to.
    pub(crate) fn create(file: &Path) -> Result<Self, Failure> {
        if is_standard(file) {
            let is_terminal = io::stdout().is_terminal();
            return Ok(if is_terminal {
                Self::Terminal
            } else {
                Self::Standard
            });
        }
        if file.symlink_metadata().is_ok() {
            return Err(exists(file));
        }
        let unnamed = || {
            let message = format!("{} is not the name of a file", file.display());
            Failure::usage(message)
        };
        let mut prefix = OsString::from(".");
        prefix.push(file.file_name().ok_or_else(unnamed)?);
        let unfinished = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(".unfinished")
            .tempfile_in(folder(file));
        let named = |error| Failure::from(error).with_subject(&file.display().to_string());
        Ok(Self::File(unfinished.map_err(named)?, file.to_owned()))
    }

    /// The folder for temporary files.
    #[cfg(feature = "xlsx")]
    pub(crate) fn folder(&self) -> PathBuf {
        match self {
            Self::Standard | Self::Terminal => std::env::temp_dir(),
            Self::File(_, to) => folder(to).to_owned(),
        }
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Standard => io::stdout().write_all(bytes),
            Self::Terminal => io::stdout().write_all(for_terminal(bytes).as_bytes()),
            Self::File(file, _) => file.write_all(bytes),
        }
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// If another file has got the name in the meantime, or the file cannot be written.
    pub(crate) fn finish(self) -> Outcome {
        let (unfinished, to) = match self {
            Self::Standard | Self::Terminal => return Ok(io::stdout().flush()?),
            Self::File(unfinished, to) => (unfinished, to),
        };
        unfinished.as_file().sync_all()?;
        unfinished.persist_noclobber(&to).map_err(|failed| {
            if failed.error.kind() == io::ErrorKind::AlreadyExists {
                exists(&to)
            } else {
                Failure::from(failed.error).with_subject(&to.display().to_string())
            }
        })?;
        // The name is stored in the folder, which must be synced too.
        if cfg!(unix) {
            File::open(folder(&to))?.sync_all()?;
        }
        Ok(())
    }
}

/// A text without what a terminal would act on. The ends of lines of CSV stay.
pub(crate) fn for_terminal(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<_> = text.split("\r\n").map(plain).collect();
    lines.join("\r\n")
}

fn exists(file: &Path) -> Failure {
    let message = format!("{}: the file already exists", file.display());
    Failure::new(Exit::Conflict, message)
}

fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_control_characters() {
        let csv = "a,b\r\n\u{1b}]52;c;eA==\u{7},\u{9b}2J\r\nx\ry,\"1\n2\"\r\n";
        assert_eq!(
            for_terminal(csv.as_bytes()),
            "a,b\r\n\\u{1b}]52;c;eA==\\u{7},\\u{9b}2J\r\nx\\u{d}y,\"1\n2\"\r\n"
        );
        assert_eq!(for_terminal(b"\xff\x1b"), "\u{fffd}\\u{1b}");
    }
}
