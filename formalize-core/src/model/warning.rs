//! What the author of a form may not have meant.

use std::fmt;

/// Something in a form that its author may not have meant. The form is stored nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormWarning {
    /// The schema has rules about files, but the service takes no files. If files are required, nobody can submit.
    FilesNotTaken,
}

impl fmt::Display for FormWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FilesNotTaken => {
                "the schema has rules about files, but this service takes no files; the operator can set `files_url`"
            }
        })
    }
}
