//! The folder of a file store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files in the folder of a file store: contents, and what is still being received.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn contents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut contents = Vec::new();
    for part in fs::read_dir(folder)? {
        for content in fs::read_dir(part?.path())? {
            contents.push(content?.path());
        }
    }
    Ok(contents)
}
