//! The keys of contents, which are the same in every store, so that contents can be copied from one to another by any program.

use crate::id::FileId;

/// The key of a content: `<last two digits of its identifier>/<identifier>`.
pub(super) fn key_text(id: FileId) -> String {
    let text = id.to_string();
    let digits = text.get(text.len() - 2..).unwrap_or_default();
    format!("{digits}/{text}")
}

/// The file with this key; `None` for the key of something else.
pub(super) fn file_of(key: &str) -> Option<FileId> {
    let (_, name) = key.split_once('/')?;
    let id: FileId = name.parse().ok()?;
    (key == key_text(id)).then_some(id)
}
