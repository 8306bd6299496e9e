//! Reading files and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use formalize_core::file_store::{ContentStream, reading};

use crate::failure::{Exit, Failure};

mod lines;
mod records;

pub(crate) use lines::{Input, Line, Lines, in_background};
pub(crate) use records::Records;

/// An opened input.
pub(crate) type Source = Box<dyn BufRead + Send>;

/// The byte order mark, with which some programs begin texts in UTF-8.
const BOM: &[u8] = "\u{feff}".as_bytes();

/// Opens a file, or standard input. The length in bytes may be known.
///
/// # Errors
///
/// If the file cannot be opened.
pub(crate) fn open(file: &Path) -> Result<(Source, Option<u64>), Failure> {
    if is_standard(file) {
        return Ok((Box::new(BufReader::new(io::stdin())), None));
    }
    let opened = File::open(file).map_err(|error| unreadable(file, &error))?;
    let about = opened.metadata().ok().filter(std::fs::Metadata::is_file);
    let length = about.map(|about| about.len());
    Ok((Box::new(BufReader::new(opened)), length))
}

/// A file, or standard input, as the content of a file of a submission, with its name and size if they are known.
///
/// # Errors
///
/// If the file cannot be opened.
pub(crate) fn content(file: &Path) -> Result<Content, Failure> {
    let (source, size) = open(file)?;
    let name = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    Ok(Content {
        bytes: reading(source),
        name: name.filter(|_| !is_standard(file)),
        size,
    })
}

/// See [`content`].
pub(crate) struct Content {
    pub(crate) bytes: ContentStream<'static>,
    pub(crate) name: Option<String>,
    pub(crate) size: Option<u64>,
}

/// The input without a byte order mark at its beginning.
///
/// # Errors
///
/// If it cannot be read.
pub(crate) fn without_bom(mut from: Source) -> io::Result<Source> {
    let mut start = Vec::new();
    let length = lines::as_length(BOM.len());
    (&mut from).take(length).read_to_end(&mut start)?;
    if start == BOM {
        start.clear();
    }
    Ok(Box::new(Cursor::new(start).chain(from)))
}

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
