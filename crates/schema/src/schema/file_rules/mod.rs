//! The rules of a form about the files of its submissions: the keywords `files` and `additionalFiles` of its schema.

mod attribute;
mod read;
#[cfg(test)]
mod tests;

pub use attribute::{FileAttributeName, InvalidFileAttributeName};

use std::fmt;

use serde_json::Number;

/// Which files the submissions of a form have.
///
/// A schema states the rules in two keywords at its root. `files` has the groups of files that belong to a submission, with a
/// rule for each. `additionalFiles` says whether files in other groups are allowed, and by which rule. Without these keywords,
/// or without a schema, a submitted submission has no files. Drafts may have any.
///
/// ```
/// use formalize_schema::{DataSchema, FileAttributeName};
///
/// let schema = DataSchema::compile(r#"{
///     "type": "object",
///     "files": {"photo": {"allowedMimeTypes": ["image/*"], "maxSizeMb": 0.5}}
/// }"#)?;
/// let rules = schema.file_rules();
/// let photo = rules.of(&FileAttributeName::new("photo")?).unwrap();
/// assert_eq!((photo.min_number(), photo.max_number(), photo.max_bytes()), (1, 1, 512 * 1024));
/// assert!(rules.of(&FileAttributeName::new("video")?).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileRules {
    /// The groups that a schema names.
    declared: Vec<(FileAttributeName, FileRule)>,
    /// The rule for all other groups; `None`: there must be no others.
    additional: Option<FileRule>,
}

impl FileRules {
    /// The maximum number of groups that a schema can name.
    pub const MAX_ATTRIBUTES: usize = 50;

    /// The rules of a form without a schema.
    pub const NO_FILES: Self = Self {
        declared: Vec::new(),
        additional: None,
    };

    /// The rule for the files of a group; `None` if the form does not allow the group.
    pub fn of(&self, attribute: &FileAttributeName) -> Option<&FileRule> {
        let mut declared = self.declared.iter();
        let declared = declared.find(|(name, _)| name == attribute);
        declared.map(|(_, rule)| rule).or(self.additional.as_ref())
    }

    /// The groups that the schema names, with their rules, in alphabetical order.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    ///
    /// let schema = DataSchema::compile(r#"{"files": {"cv": {"allowedMimeTypes": ["application/pdf"]}}}"#)?;
    /// let groups: Vec<_> = schema.file_rules().declared().map(|(group, _)| group.as_str()).collect();
    /// assert_eq!(groups, ["cv"]);
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn declared(&self) -> impl Iterator<Item = (&FileAttributeName, &FileRule)> {
        self.declared.iter().map(|(group, rule)| (group, rule))
    }
}

/// The rule for the files of one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRule {
    min_number: u64,
    max_number: u64,
    /// In MiB, as the schema states it.
    max_size: Number,
    allowed: Vec<AllowedType>,
}

impl FileRule {
    /// The minimum number of files.
    pub fn min_number(&self) -> u64 {
        self.min_number
    }

    /// The maximum number of files.
    pub fn max_number(&self) -> u64 {
        self.max_number
    }

    /// The maximum size of a file in bytes.
    pub fn max_bytes(&self) -> u64 {
        const BYTES_OF_MIB: f64 = 1024.0 * 1024.0;
        let bytes = self.max_size.as_f64().unwrap_or(f64::MAX) * BYTES_OF_MIB;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "fractions of a byte are dropped; the number is positive, and a cast saturates"
        )]
        let bytes = bytes as u64;
        bytes
    }

    /// The maximum size of a file in MiB, as the schema states it.
    pub fn max_size_mb(&self) -> &Number {
        &self.max_size
    }

    /// The types that are allowed, in lower case: `application/pdf`, `image/*` or `*/*`.
    pub fn allowed_types(&self) -> impl Iterator<Item = String> {
        self.allowed.iter().map(ToString::to_string)
    }

    /// Whether files of a type are allowed, such as `application/pdf`, in lower case.
    pub fn allows(&self, mime_type: &str) -> bool {
        self.allowed
            .iter()
            .any(|allowed| allowed.includes(mime_type))
    }
}

/// An element of `allowedMimeTypes`, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
enum AllowedType {
    /// `*/*`.
    Any,
    /// All of a top-level type: `image/`, for `image/*`.
    Group(String),
    /// One type.
    One(String),
}

impl fmt::Display for AllowedType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("*/*"),
            Self::Group(group) => write!(formatter, "{group}*"),
            Self::One(name) => formatter.write_str(name),
        }
    }
}

impl AllowedType {
    fn includes(&self, mime_type: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Group(group) => mime_type.starts_with(group.as_str()),
            Self::One(name) => mime_type == name,
        }
    }
}
