//! Reading files and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::failure::{Exit, Failure};

mod lines;

pub(crate) use lines::{Input, Line, Lines};

/// The exact text of a file; `-` is standard input.
///
/// # Errors
///
/// If the file cannot be read, or is not encoded in UTF-8, as JSON must be.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let bytes = if is_standard(file) {
        bytes(io::stdin().lock())
    } else {
        File::open(file).and_then(bytes)
    };
    let bytes = bytes.map_err(|error| unreadable(file, &error))?;
    text(bytes, file)
}

/// The bytes of a file as text.
///
/// # Errors
///
/// If they are not encoded in UTF-8.
pub(crate) fn text(bytes: Vec<u8>, file: &Path) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| {
        let message = format!("{} is not encoded in UTF-8", file.display());
        Failure::new(Exit::Invalid, message)
    })
}

/// Whether a file name means standard input or output.
pub(crate) fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

pub(crate) fn unreadable(file: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot read {}: {error}", file.display());
    Failure::new(Exit::Failed, message)
}

fn bytes(mut from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    Ok(bytes)
}
