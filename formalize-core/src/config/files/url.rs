//! Where the contents of files are.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;

use super::super::InvalidSetting;

/// Where the contents of files are: `file:` and a folder, percent-encoded; `s3://`, a bucket and a prefix of keys; or `off`.
///
/// ```
/// use std::path::Path;
/// use formalize_core::config::FilesUrl;
///
/// let url: FilesUrl = "file:///var/lib/my%20forms".parse()?;
/// assert_eq!(url.folder().as_deref(), Some(Path::new("/var/lib/my forms")));
///
/// let url: FilesUrl = "s3://forms/files".parse()?;
/// assert_eq!(url.bucket(), Some(("forms", "files")));
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilesUrl {
    /// Files are off.
    Off,
    /// The URL of a folder.
    Folder(String),
    /// A bucket of S3, or of a service with the same interface.
    Bucket {
        /// Its name.
        name: String,
        /// The prefix of all keys, without slashes at its ends; may be empty.
        prefix: String,
    },
}

impl FilesUrl {
    /// The folder beside a SQLite database.
    pub(super) fn beside(database: &str) -> Self {
        Self::Folder(format!("file:{database}.files"))
    }

    /// The folder; `None` for a bucket and for `off`.
    pub fn folder(&self) -> Option<PathBuf> {
        match self {
            Self::Folder(url) => folder(url),
            Self::Off | Self::Bucket { .. } => None,
        }
    }

    /// The name of the bucket and the prefix of keys; `None` for a folder and for `off`.
    pub fn bucket(&self) -> Option<(&str, &str)> {
        match self {
            Self::Bucket { name, prefix } => Some((name, prefix)),
            Self::Off | Self::Folder(_) => None,
        }
    }
}

/// The folder of a URL; `None` if it is malformed. A relative one is in the working directory.
fn folder(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("file:")?;
    let path = match path.strip_prefix("//") {
        // Between the slashes would be the name of a host.
        Some(absolute) => Some(absolute).filter(|path| path.starts_with('/'))?,
        None => path,
    };
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let is_valid = !path.is_empty() && !path.contains('\0');
    is_valid.then(|| PathBuf::from(path.into_owned()))
}

/// The bucket and prefix of a URL; `None` if it is malformed. Keys may have the characters that AWS calls safe.
fn bucket(url: &str) -> Option<FilesUrl> {
    let (name, prefix) = url.strip_prefix("s3://")?.split_once('/').unzip();
    let name = name.or_else(|| url.strip_prefix("s3://"))?;
    let prefix = prefix.unwrap_or_default();
    let prefix = match prefix.strip_suffix('/') {
        Some(stripped) if !stripped.is_empty() => stripped,
        _ => prefix,
    };
    let has_only = |text: &str, others: &str| {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
        !text.is_empty() && text.chars().all(is_allowed)
    };
    let is_segment =
        |segment: &str| has_only(segment, "-._!*'()") && segment != "." && segment != "..";
    let is_valid = has_only(name, "-._")
        && name.len() <= 63
        && (prefix.is_empty() || prefix.split('/').all(is_segment))
        && prefix.len() <= 512;
    is_valid.then(|| FilesUrl::Bucket {
        name: name.to_owned(),
        prefix: prefix.to_owned(),
    })
}

impl FromStr for FilesUrl {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let bucket = bucket(text);
        match text {
            "off" => Ok(Self::Off),
            _ if folder(text).is_some() => Ok(Self::Folder(text.to_owned())),
            _ => bucket.ok_or(InvalidSetting(
                "`file:` and a folder, such as `file:///var/lib/formalize/files`; `s3://` and a bucket, such as \
                 `s3://bucket/prefix`; or `off`",
            )),
        }
    }
}

impl fmt::Display for FilesUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => formatter.write_str("off"),
            Self::Folder(url) => formatter.write_str(url),
            Self::Bucket { name, prefix } if prefix.is_empty() => write!(formatter, "s3://{name}"),
            Self::Bucket { name, prefix } => write!(formatter, "s3://{name}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn urls_name_folders() {
        for (text, expected) in [
            ("file:/srv/files", "/srv/files"),
            ("file:///srv/files", "/srv/files"),
            ("file:files", "files"),
            ("file:../my%20files", "../my files"),
        ] {
            let url: FilesUrl = text.parse().unwrap();
            assert_eq!(url.folder().as_deref(), Some(Path::new(expected)), "{text}");
            assert_eq!(url.bucket(), None, "{text}");
            assert_eq!(url.to_string(), text);
        }
        assert_eq!("off".parse::<FilesUrl>().unwrap().folder(), None);
    }

    #[test]
    fn urls_name_buckets_and_prefixes() {
        for (text, bucket, shown) in [
            ("s3://forms", ("forms", ""), "s3://forms"),
            ("s3://forms/", ("forms", ""), "s3://forms"),
            (
                "s3://my.forms-1/a/b",
                ("my.forms-1", "a/b"),
                "s3://my.forms-1/a/b",
            ),
            ("s3://forms/a/", ("forms", "a"), "s3://forms/a"),
        ] {
            let url: FilesUrl = text.parse().unwrap();
            assert_eq!(url.bucket(), Some(bucket), "{text}");
            assert_eq!(url.folder(), None, "{text}");
            assert_eq!(url.to_string(), shown);
        }
    }

    #[test]
    fn other_urls_are_refused() {
        for text in [
            "",
            "files",
            "/srv/files",
            "file:",
            "file://",
            "file://host/files",
            "file:%ff",
            "file:a%00b",
            "s3:",
            "s3://",
            "s3:///prefix",
            "s3:bucket",
            "s3://bucket//",
            "s3://bucket/a//b",
            "s3://bucket/..",
            "s3://bucket/a b",
            "s3://bucket/a?b",
            "s3://key:secret@bucket",
            "https://bucket",
            "OFF",
        ] {
            assert!(text.parse::<FilesUrl>().is_err(), "{text}");
        }
    }
}
