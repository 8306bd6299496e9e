//! Names of files.

use crate::fields::{Field, InvalidFields};

/// The name of a file, as people see it. It is a label: no path, key, log line or metric contains it, and several files may
/// have the same name.
///
/// ```
/// use formalize_core::files::FileName;
///
/// assert_eq!(FileName::clean(r"C:\Users\Ada\report.pdf")?.as_str(), "report.pdf");
/// assert_eq!(FileName::clean("")?.as_str(), "file");
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileName(String);

impl FileName {
    /// The maximum number of Unicode scalar values in a name.
    pub const MAX_CHARS: usize = 255;

    /// The name of a file whose name has nothing that can be shown.
    const UNNAMED: &str = "file";

    /// Makes a name from the one that a client sent.
    ///
    /// What precedes the last slash or backslash is dropped, as are control characters and those that change the direction
    /// of text, with which `exe.fdp` can be made to look like `pdf.exe`. A name that is then empty, `.` or `..` becomes
    /// `file`. Nothing else is changed or decoded.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::SubmittedFile`] if more than 255 characters remain.
    pub fn clean(sent: &str) -> Result<Self, InvalidFields> {
        let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
        let kept: String = last.chars().filter(|one| !is_dropped(*one)).collect();
        let fits = kept.chars().count() <= Self::MAX_CHARS;
        ensure!(fits, InvalidFields::SubmittedFile(vec![Field::FileName]));
        Ok(match kept.as_str() {
            "" | "." | ".." => Self(Self::UNNAMED.to_owned()),
            _ => Self(kept),
        })
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether names are kept without this character: control characters, and those of bidirectional formatting.
fn is_dropped(character: char) -> bool {
    let changes_direction = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || changes_direction
}

displayed! { FileName }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text::is_plain;
    use proptest::prelude::*;

    fn cleaned(sent: &str) -> String {
        FileName::clean(sent).unwrap().as_str().to_owned()
    }

    #[test]
    fn names_are_labels() {
        for (sent, expected) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            (r"C:\Users\Ada\a/b\c.txt", "c.txt"),
            ("dir/", "file"),
            ("/", "file"),
            ("", "file"),
            (".", "file"),
            ("..", "file"),
            ("\u{0}.\u{7f}.\u{85}", "file"),
            ("...", "..."),
            (".htaccess", ".htaccess"),
            ("a\r\nb\tc\u{9f}", "abc"),
            ("\u{202e}fdp.exe\u{2069}\u{61c}\u{200f}", "fdp.exe"),
            ("%22%2f.pdf", "%22%2f.pdf"),
            ("ä\u{308}👩‍🚀 .PDF ", "ä\u{308}👩‍🚀 .PDF "),
            ("\u{feff}\u{200b}x", "\u{feff}\u{200b}x"),
        ] {
            assert_eq!(cleaned(sent), expected, "{sent:?}");
        }
    }

    #[test]
    fn the_length_is_judged_after_cleaning_and_in_characters() {
        let long = "ä".repeat(255);
        assert_eq!(cleaned(&format!("{}/{long}\n", "x".repeat(1000))), long);
        let refused = FileName::clean(&format!("{long}ä")).unwrap_err();
        assert!(
            matches!(&refused, InvalidFields::SubmittedFile(fields) if *fields == [Field::FileName])
        );
    }

    #[test]
    fn extensions_are_in_lower_case() {
        for (name, expected) in [
            ("a.CSV", "csv"),
            ("a.tar.gz", "gz"),
            ("a", ""),
            ("a.", ""),
            (".md", "md"),
        ] {
            assert_eq!(FileName::clean(name).unwrap().extension(), expected);
        }
    }

    proptest! {
        #[test]
        fn a_clean_name_is_safe_to_show_and_stays_as_it_is(sent in ".{0,300}") {
            if let Ok(name) = FileName::clean(&sent) {
                prop_assert!(is_plain(name.as_str(), FileName::MAX_CHARS));
                prop_assert!(!name.as_str().contains(['/', '\\']));
                prop_assert!(![".", ".."].contains(&name.as_str()));
                prop_assert_eq!(&FileName::clean(name.as_str()).unwrap(), &name);
            } else {
                prop_assert!(sent.chars().count() > FileName::MAX_CHARS);
            }
        }

        /// Names without the characters that have a meaning to us come back unchanged.
        #[test]
        fn ordinary_names_are_not_changed(sent in "[\\p{L}\\p{N} _%-]{1,80}\\.[a-z]{1,5}") {
            prop_assert_eq!(cleaned(&sent), sent);
        }
    }
}
