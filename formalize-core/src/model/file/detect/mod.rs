//! Finds the type of a file in its content.

use super::families::refine;
use super::mime_type::MimeType;
use super::name::FileName;

/// The first bytes of compound files of OLE.
const OLE_SIGNATURE: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// How formats begin that can consist of text alone. All other signatures in a text are words of it: it may begin with `BMI`,
/// and mention `%PDF`.
const TEXT_SIGNATURES: &[&str] = &["%PDF", "%!", "{\\rtf", "GIF8", "-----BEGIN "];

/// How HTML begins, according to the WHATWG's standard for MIME sniffing, which browsers follow.
const HTML_BEGINNINGS: &[&str] = &[
    "<!doctype html",
    "<html",
    "<head",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a",
    "<style",
    "<title",
    "<b",
    "<body",
    "<br",
    "<p",
];

impl MimeType {
    pub(super) const PLAIN_TEXT: Self = Self::of("text/plain");
    pub(super) const HTML: Self = Self::of("text/html");
    pub(super) const XML: Self = Self::of("text/xml");
    pub(super) const SVG: Self = Self::of("image/svg+xml");
    /// A compound file of Microsoft's OLE, such as a document of older office programs.
    pub(super) const OLE: Self = Self::of("application/x-ole-storage");

    /// The number of bytes at the beginning of a file in which its type is looked for.
    pub const PREFIX_BYTES: usize = 32 * 1024;

    /// Finds the type of a file in the first [`PREFIX_BYTES`](Self::PREFIX_BYTES) of its content: all of them, or the whole
    /// file.
    ///
    /// Signatures are looked for first, then text. What the sender declared, and the extension of the name, count only where
    /// the content leaves open which of several harmless formats it is: a CSV file is plain text by its content.
    ///
    /// ```
    /// use formalize_core::files::{FileName, MimeType};
    ///
    /// let name = FileName::clean("list.csv")?;
    /// let found = |content: &[u8]| MimeType::detect(content, Some("application/vnd.ms-excel"), &name);
    /// assert_eq!(found(b"a;b\n1;2\n").as_str(), "text/csv");
    /// assert_eq!(found(b"%PDF-1.7\n").as_str(), "application/pdf");
    /// assert_eq!(found(b"<html><script>").as_str(), "text/html");
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn detect(prefix: &[u8], declared: Option<&str>, name: &FileName) -> Self {
        let prefix = prefix.get(..Self::PREFIX_BYTES).unwrap_or(prefix);
        refine(by_content(prefix), declared, name)
    }
}

fn by_content(prefix: &[u8]) -> MimeType {
    if prefix.is_empty() {
        return MimeType::EMPTY;
    }
    match text_of(prefix) {
        None => by_signature(prefix).unwrap_or(MimeType::UNKNOWN),
        Some(text) if TEXT_SIGNATURES.iter().any(|it| text.starts_with(it)) => {
            by_signature(prefix).unwrap_or_else(|| of_text(text))
        }
        Some(text) => of_text(text),
    }
}

/// The type whose signature the content begins with.
fn by_signature(prefix: &[u8]) -> Option<MimeType> {
    // Without its parser of compound files, `infer` takes each for a document of Word.
    if prefix.starts_with(&OLE_SIGNATURE) {
        return Some(MimeType::OLE);
    }
    let found = infer::get(prefix)?;
    // Text is judged here, because its rules decide what is active.
    let is_text = found.matcher_type() == infer::MatcherType::Text;
    (!is_text).then(|| MimeType::of(found.mime_type()))
}

/// The content as text, if it is valid UTF-8 without control characters that do not occur in texts. A full prefix may end
/// within a character, of which the rest is then not looked at.
fn text_of(prefix: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(prefix) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && prefix.len() == MimeType::PREFIX_BYTES => {
            std::str::from_utf8(prefix.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let is_usual = |one: char| !one.is_control() || matches!(one, '\t' | '\n' | '\u{c}' | '\r');
    text.chars().all(is_usual).then_some(text)
}

/// The type of a text: one of the active ones if a browser could take it for markup.
fn of_text(text: &str) -> MimeType {
    if text.contains("<svg") {
        return MimeType::SVG;
    }
    let text = after_blanks(text);
    if !text.starts_with('<') {
        return MimeType::PLAIN_TEXT;
    }
    match after_comments(text) {
        Some(rest) if begins_as_html(rest) => MimeType::HTML,
        Some(_) => MimeType::XML,
        // The comment does not end in what is looked at. Browsers take such a text for HTML.
        None => MimeType::HTML,
    }
}

fn after_blanks(text: &str) -> &str {
    text.trim_start_matches(|one: char| one == '\u{feff}' || one.is_whitespace())
}

/// What follows comments and blanks at the beginning; `None` if a comment does not end.
fn after_comments(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(comment) = rest.strip_prefix("<!--") {
        let (_, after) = comment.split_once("-->")?;
        rest = after_blanks(after);
    }
    Some(rest)
}

fn begins_as_html(text: &str) -> bool {
    HTML_BEGINNINGS.iter().any(|beginning| {
        let Some((start, rest)) = text.split_at_checked(beginning.len()) else {
            return false;
        };
        let ends_the_name = |next: char| next.is_whitespace() || matches!(next, '>' | '/');
        start.eq_ignore_ascii_case(beginning) && rest.chars().next().is_none_or(ends_the_name)
    })
}

#[cfg(test)]
mod tests;
