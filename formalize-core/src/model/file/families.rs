//! Families: formats that have the same content to begin with, so that only the sender can tell them apart.

use super::mime_type::MimeType;
use super::name::FileName;

/// A type, and the extensions of names of such files.
type Member = (&'static str, &'static [&'static str]);

impl FileName {
    /// What follows the last dot, in lower case; empty if there is none.
    pub(crate) fn extension(&self) -> String {
        let extension = self
            .as_str()
            .rsplit_once('.')
            .map(|(_, extension)| extension);
        extension.unwrap_or_default().to_ascii_lowercase()
    }
}

/// Each type that is found in contents and stands for several, with these. None is active: otherwise a sender could choose
/// what a browser does with a file.
const FAMILIES: &[(MimeType, &[Member])] = &[
    (
        MimeType::PLAIN_TEXT,
        &[
            ("text/csv", &["csv"]),
            ("text/tab-separated-values", &["tsv", "tab"]),
            ("text/markdown", &["md", "markdown"]),
            ("text/calendar", &["ics"]),
            ("text/vcard", &["vcf"]),
            ("application/json", &["json"]),
            ("application/x-ndjson", &["ndjson", "jsonl"]),
        ],
    ),
    (
        MimeType::of("application/zip"),
        &[
            (
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                &["docx"],
            ),
            (
                "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
                &["dotx"],
            ),
            (
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                &["xlsx"],
            ),
            (
                "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
                &["xltx"],
            ),
            (
                "application/vnd.openxmlformats-officedocument.presentationml.presentation",
                &["pptx"],
            ),
            (
                "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
                &["ppsx"],
            ),
            (
                "application/vnd.openxmlformats-officedocument.presentationml.template",
                &["potx"],
            ),
            ("application/vnd.oasis.opendocument.text", &["odt"]),
            ("application/vnd.oasis.opendocument.text-template", &["ott"]),
            ("application/vnd.oasis.opendocument.spreadsheet", &["ods"]),
            (
                "application/vnd.oasis.opendocument.spreadsheet-template",
                &["ots"],
            ),
            ("application/vnd.oasis.opendocument.presentation", &["odp"]),
            (
                "application/vnd.oasis.opendocument.presentation-template",
                &["otp"],
            ),
            ("application/vnd.oasis.opendocument.graphics", &["odg"]),
            (
                "application/vnd.oasis.opendocument.graphics-template",
                &["otg"],
            ),
            ("application/vnd.oasis.opendocument.formula", &["odf"]),
            ("application/epub+zip", &["epub"]),
        ],
    ),
    (
        MimeType::OLE,
        &[
            ("application/msword", &["doc", "dot"]),
            ("application/vnd.ms-excel", &["xls", "xlt"]),
            ("application/vnd.ms-powerpoint", &["ppt", "pps", "pot"]),
            ("application/vnd.ms-outlook", &["msg"]),
        ],
    ),
];

/// The extensions of types that belong to no family.
const EXTENSIONS: &[(&str, &str)] = &[
    ("application/pdf", "pdf"),
    ("application/zip", "zip"),
    ("image/avif", "avif"),
    ("image/gif", "gif"),
    ("image/heif", "heif"),
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/tiff", "tiff"),
    ("image/webp", "webp"),
    ("text/plain", "txt"),
];

/// Replaces the type of a family by the member that the declared type names, or else the extension.
pub(super) fn refine(found: MimeType, declared: Option<&str>, name: &FileName) -> MimeType {
    let Some((_, members)) = FAMILIES.iter().find(|(family, _)| *family == found) else {
        return found;
    };
    let declared = declared.map(essence);
    let by_declaration = members
        .iter()
        .find(|(member, _)| declared.as_deref() == Some(*member));
    let by_extension = || {
        let extension = name.extension();
        members
            .iter()
            .find(|(_, extensions)| extensions.contains(&extension.as_str()))
    };
    let member = by_declaration.or_else(by_extension);
    member.map_or(found, |(member, _)| MimeType::of(member))
}

/// The extension of a member of a family. Documents of the family OLE may have macros, so they have none.
fn extension_of_member(of: &MimeType) -> Option<&'static str> {
    let harmless = FAMILIES
        .iter()
        .filter(|(family, _)| *family != MimeType::OLE);
    let mut members = harmless.flat_map(|(_, members)| *members);
    let (_, extensions) = members.find(|(member, _)| *member == of.as_str())?;
    extensions.first().copied()
}

impl MimeType {
    /// An extension for the name of such a file, for example when it is saved. It is `bin` for active types and for all others that
    /// programs may run, macros included.
    ///
    /// ```
    /// use formalize_core::files::{FileName, MimeType};
    ///
    /// let name = FileName::clean("answers.csv")?;
    /// assert_eq!(MimeType::detect(b"a,b\n1,2\n", None, &name).extension(), "csv");
    /// assert_eq!(MimeType::detect(b"#!/bin/sh\n", None, &name).extension(), "csv");
    /// assert_eq!(MimeType::detect(b"<html>", None, &name).extension(), "bin");
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn extension(&self) -> &'static str {
        let known = EXTENSIONS.iter().find(|(name, _)| *name == self.as_str());
        let known = known.map(|(_, extension)| *extension);
        known.or_else(|| extension_of_member(self)).unwrap_or("bin")
    }
}

/// A declared type without its parameters, in lower case.
fn essence(declared: &str) -> String {
    let without_parameters = declared.split(';').next().unwrap_or_default();
    without_parameters.trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_family_has_an_active_type() {
        for (family, members) in FAMILIES {
            assert!(!family.is_active());
            for (member, _) in *members {
                assert!(!MimeType::of(member).is_active(), "{member}");
            }
        }
    }

    #[test]
    fn members_and_extensions_are_unambiguous() {
        let (mut types, mut extensions) = (BTreeSet::new(), BTreeSet::new());
        for (_, members) in FAMILIES {
            for (member, its_extensions) in *members {
                assert!(types.insert(member), "{member}");
                for extension in *its_extensions {
                    assert!(extensions.insert(extension), "{extension}");
                    assert_eq!(*extension, extension.to_ascii_lowercase());
                }
            }
        }
    }

    #[test]
    fn the_declared_type_comes_before_the_extension() {
        let refined = |found: &'static str, declared, name| {
            let name = FileName::clean(name).unwrap();
            refine(MimeType::of(found), declared, &name)
                .as_str()
                .to_owned()
        };
        for (found, declared, name, expected) in [
            ("text/plain", Some("text/csv"), "a.md", "text/csv"),
            (
                "text/plain",
                Some("Text/CSV; header=present"),
                "a",
                "text/csv",
            ),
            (
                "text/plain",
                Some("application/vnd.ms-excel"),
                "a.csv",
                "text/csv",
            ),
            ("text/plain", Some("text/plain"), "a.CSV", "text/csv"),
            ("text/plain", None, "a.jsonl", "application/x-ndjson"),
            ("text/plain", Some("text/html"), "a.html", "text/plain"),
            ("text/plain", Some("text/javascript"), "a.js", "text/plain"),
            ("text/plain", Some("application/pdf"), "a.pdf", "text/plain"),
            (
                "application/zip",
                Some("text/csv"),
                "a.csv",
                "application/zip",
            ),
            ("application/zip", None, "a.epub", "application/epub+zip"),
            (
                "application/x-ole-storage",
                None,
                "a.msg",
                "application/vnd.ms-outlook",
            ),
            (
                "application/x-ole-storage",
                None,
                "a.docx",
                "application/x-ole-storage",
            ),
            (
                "application/pdf",
                Some("text/csv"),
                "a.csv",
                "application/pdf",
            ),
            ("text/html", Some("text/csv"), "a.csv", "text/html"),
        ] {
            let told = refined(found, declared, name);
            assert_eq!(told, expected, "{found} {declared:?} {name}");
        }
    }
}
