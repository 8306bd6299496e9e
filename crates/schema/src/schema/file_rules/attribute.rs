//! Names of the groups of files that a form asks for.

use std::fmt;

/// The name of a group of files of a submission, such as `attachments`. The rules of a form say which there are
/// ([`FileRules`](crate::FileRules)).
///
/// It has 1 to 128 characters, no control characters, and none of `[`, `]`, `"`, `\` and `/`, so that it can be part of the
/// name of a form field and of a JSON Pointer.
///
/// ```
/// use formalize_schema::FileAttributeName;
///
/// assert_eq!(FileAttributeName::new("attachments")?.as_str(), "attachments");
/// assert!(FileAttributeName::new("files[0]").is_err());
/// # Ok::<(), formalize_schema::InvalidFileAttributeName>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileAttributeName(String);

impl FileAttributeName {
    /// The maximum number of Unicode scalar values in a name.
    pub const MAX_CHARS: usize = 128;

    /// Parses a name.
    ///
    /// # Errors
    ///
    /// [`InvalidFileAttributeName`] if the name is invalid.
    pub fn new(name: impl Into<String>) -> Result<Self, InvalidFileAttributeName> {
        let name = name.into();
        let length = name.chars().take(Self::MAX_CHARS + 1).count();
        let is_refused = |one: char| one.is_control() || "[]\"\\/".contains(one);
        if (1..=Self::MAX_CHARS).contains(&length) && !name.contains(is_refused) {
            Ok(Self(name))
        } else {
            Err(InvalidFileAttributeName)
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FileAttributeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The text is not the name of a group of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must have 1 to 128 characters, no control characters, and none of `[`, `]`, `\"`, `\\` and `/`"
)]
pub struct InvalidFileAttributeName;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_names_fit_into_form_fields_and_pointers() {
        let long = "ä".repeat(128);
        for name in [
            "attachments",
            "form",
            "tags",
            "__proto__",
            " ",
            "a.b~c",
            &long,
        ] {
            assert_eq!(FileAttributeName::new(name).unwrap().as_str(), name);
        }
        let longer = "a".repeat(129);
        for name in [
            "", "a[b]", "]", "\"", "\\", "a/b", "a\nb", "\u{85}", &longer,
        ] {
            assert_eq!(
                FileAttributeName::new(name),
                Err(InvalidFileAttributeName),
                "{name:?}"
            );
        }
    }
}
