//! Files to upload.

use formalize_schema::FileAttributeName;

use super::name::FileName;

/// A file to upload: what is known before its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The group of files that it will belong to.
    pub attribute: FileAttributeName,
    /// The name, a label.
    pub name: FileName,
    /// The type that the sender declares. The content decides, where it can.
    pub declared_type: Option<String>,
    /// The size in bytes, if the sender has announced it. A file that will be too large is refused before its content.
    pub size: Option<u64>,
}

impl NewFile {
    /// A file of which no more is known.
    ///
    /// ```
    /// use formalize_core::files::{FileAttributeName, FileName, NewFile};
    ///
    /// let new = NewFile::new(FileAttributeName::new("cv")?, FileName::clean("cv.pdf")?);
    /// assert_eq!(new.declared_type, None);
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(attribute: FileAttributeName, name: FileName) -> Self {
        Self {
            attribute,
            name,
            declared_type: None,
            size: None,
        }
    }
}
