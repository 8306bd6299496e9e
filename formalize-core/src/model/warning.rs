//! What the author of a form may not have meant.

use std::fmt;

/// Something in a form that its author may not have meant. The form is stored nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormWarning {
    /// The schema has rules about files, but the service takes no files. If files are required, nobody can submit.
    FilesNotTaken,
    /// A keyword of the schema is unknown, and therefore ignored. A form has at most 64 of these.
    ///
    /// ```
    /// use formalize_core::forms::FormWarning;
    ///
    /// let warning = FormWarning::Misspelled {
    ///     pointer: "/properties/name".to_owned(),
    ///     written: "maxlength".to_owned(),
    ///     keyword: "maxLength",
    /// };
    /// assert_eq!(
    ///     warning.to_string(),
    ///     "/properties/name: the unknown keyword `maxlength` is ignored; did you mean `maxLength`?"
    /// );
    /// ```
    Misspelled {
        /// The JSON Pointer of the sub-schema, or of one around it if that would have more than 2 KiB.
        pointer: String,
        /// The name as it is written.
        written: String,
        /// The keyword that was probably meant.
        keyword: &'static str,
    },
}

impl fmt::Display for FormWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FilesNotTaken => f.write_str(
                "the schema has rules about files, but this service takes no files; the operator can set `files_url`",
            ),
            Self::Misspelled {
                pointer,
                written,
                keyword,
            } => {
                let colon = if pointer.is_empty() { "" } else { ": " };
                write!(
                    f,
                    "{pointer}{colon}the unknown keyword `{written}` is ignored; did you mean `{keyword}`?"
                )
            }
        }
    }
}
