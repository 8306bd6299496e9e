//! The content of a file as a response (RFC 9110, sections 13 and 14).

use std::{borrow::Cow, ops::Range};

use data_encoding::BASE64;
use formalize_core::{
    Timestamp,
    files::{FileToRead, SubmittedFile},
};
use poem::{
    Body, FromRequest, IntoResponse, Request, RequestBody, Response, Result,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};

use crate::contract::ErrorKey;
use crate::failure::{Refusal, set};
use crate::percent;
use crate::request::Conditions;
use crate::tag::{EntityTag, Tags};

/// The policy of files: nothing that they contain may run or load anything.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";
/// The policy of a PDF that is shown. Chromium shows none in a sandboxed document.
const POLICY_OF_PDF: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

const PDF: &str = "application/pdf";

/// What a request wants of a content.
pub struct WantedContent {
    is_head: bool,
    range: Option<String>,
    if_range: Option<HeaderValue>,
    conditions: Conditions,
}

impl<'a> FromRequest<'a> for WantedContent {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let is_head = request.method() == Method::HEAD;
        let conditions = request.data::<Conditions>().cloned();
        Ok(Self::new(
            request.headers(),
            is_head,
            conditions.unwrap_or_default(),
        ))
    }
}

impl WantedContent {
    /// What a request with these headers and validated conditions wants.
    pub fn new(headers: &HeaderMap, is_head: bool, conditions: Conditions) -> Self {
        Self {
            conditions,
            ..Self::unconditional(headers, is_head)
        }
    }

    /// What a request with these headers wants, whatever it knows already.
    pub fn unconditional(headers: &HeaderMap, is_head: bool) -> Self {
        let mut ranges = headers.get_all(header::RANGE).iter();
        let range = match (ranges.next(), ranges.next()) {
            (Some(range), None) => range.to_str().ok().map(str::to_owned),
            _ => None,
        };
        Self {
            is_head,
            range,
            if_range: headers.get(header::IF_RANGE).cloned(),
            conditions: Conditions::default(),
        }
    }

    /// Whether the conditions of the request lead to a response without content, which the middleware makes.
    fn is_precluded(&self, tag: &EntityTag) -> bool {
        let Conditions {
            if_match,
            if_none_match,
        } = &self.conditions;
        let is_other = |tags: &Tags| !tags.include_strongly(tag);
        let is_known = |tags: &Tags| tags.include_weakly(tag);
        if_match.as_ref().is_some_and(is_other) || if_none_match.as_ref().is_some_and(is_known)
    }

    /// The part of a content that is wanted; `None` for all of it.
    fn part(&self, file: &SubmittedFile, tag: &EntityTag) -> Option<Part> {
        let range = self.range.as_deref().filter(|_| !self.is_head)?;
        let is_current = |validator: &HeaderValue| {
            let validator = validator.as_bytes();
            let is_tag = Tags::parse(validator).is_some_and(|tags| tags.include_strongly(tag));
            (is_tag && validator != b"*") || validator == http_date(file.date_created).as_bytes()
        };
        if !self.if_range.as_ref().is_none_or(is_current) {
            return None;
        }
        Part::of(range, file.size)
    }
}

/// A part of a content that a request wants.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Bytes(Range<u64>),
    /// It is behind the end.
    Nowhere,
}

impl Part {
    /// Parses the value of `Range` for a content of this size. `None` if it is not a single range of bytes.
    fn of(range: &str, size: u64) -> Option<Self> {
        let (unit, range) = range.split_once('=')?;
        let (first, last) = range.trim().split_once('-')?;
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        let bytes = match (number(first).ok()?, number(last).ok()?) {
            (None, None) => return None,
            (None, Some(length)) => size.saturating_sub(length)..size,
            (Some(first), None) => first..size,
            (Some(first), Some(last)) if last < first => return None,
            (Some(first), Some(last)) => first..size.min(last.saturating_add(1)),
        };
        Some(if bytes.is_empty() {
            Self::Nowhere
        } else {
            Self::Bytes(bytes)
        })
    }
}

/// The text has other characters than digits.
struct NoNumber;

/// Parses a number of digits, which may be absent. Numbers that are too large are behind every end.
fn number(text: &str) -> Result<Option<u64>, NoNumber> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let is_there = !text.is_empty();
        Ok(is_there.then(|| text.parse().unwrap_or(u64::MAX)))
    } else {
        Err(NoNumber)
    }
}

/// An instant as HTTP writes it, in whole seconds.
fn http_date(instant: Timestamp) -> String {
    let instant = jiff::Timestamp::from_millisecond(instant.as_millis()).unwrap_or_default();
    instant.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// The content of a file, or a part of it: 200 or 206.
pub struct FileContent(Response);

impl FileContent {
    /// The response with what is wanted of a file. `inline` asks browsers to show it, if it is safe.
    ///
    /// # Errors
    ///
    /// A refusal if the wanted part is behind the end, or the content cannot be read.
    pub async fn of(
        file: &FileToRead<'_>,
        wanted: &WantedContent,
        inline: bool,
    ) -> Result<Self, Refusal> {
        let described = file.file();
        let tag = EntityTag::of_content(&described.sha256.to_string());
        if wanted.is_precluded(&tag) {
            let mut response = Response::builder().finish();
            describe_state(&mut response, described, &tag);
            response.set_data(tag);
            return Ok(Self(response));
        }
        let size = described.size;
        let (status, range) = match wanted.part(described, &tag) {
            None => (StatusCode::OK, 0..size),
            Some(Part::Bytes(range)) => (StatusCode::PARTIAL_CONTENT, range),
            Some(Part::Nowhere) => {
                let header = (header::CONTENT_RANGE, format!("bytes */{size}"));
                let refusal = Refusal::is(ErrorKey::RangeNotSatisfiable);
                return Err(refusal.with_header(header.0, header.1));
            }
        };
        let length = range.end - range.start;
        let content = file.read(range.clone()).await?;
        let body = if wanted.is_head {
            Body::empty()
        } else {
            Body::from_bytes_stream(content.bytes)
        };
        let mut response = Response::builder().status(status).body(body);
        describe_state(&mut response, described, &tag);
        describe_content(&mut response, described, inline);
        set(&mut response, header::CONTENT_LENGTH, length.to_string());
        if status == StatusCode::PARTIAL_CONTENT {
            let (first, last) = (range.start, range.end - 1);
            let part = format!("bytes {first}-{last}/{size}");
            set(&mut response, header::CONTENT_RANGE, part);
        }
        Ok(Self(response))
    }
}

/// The headers that a response without content has as well.
fn describe_state(response: &mut Response, file: &SubmittedFile, tag: &EntityTag) {
    set(response, header::ETAG, tag.to_string());
    set(
        response,
        header::LAST_MODIFIED,
        http_date(file.date_created),
    );
}

fn describe_content(response: &mut Response, file: &SubmittedFile, inline: bool) {
    let is_inline = inline && file.mime_type.may_be_inline();
    let is_shown_pdf = is_inline && file.mime_type.as_str() == PDF;
    let policy = if is_shown_pdf { POLICY_OF_PDF } else { POLICY };
    let digest = BASE64.encode(file.sha256.as_bytes());
    let disposition = if is_inline { "inline" } else { "attachment" };
    for (name, value) in [
        (header::CONTENT_TYPE, content_type(file)),
        (
            header::CONTENT_DISPOSITION,
            format!("{disposition}; {}", file_name(file.name.as_str())),
        ),
        (header::CONTENT_SECURITY_POLICY, policy.to_owned()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
        (
            HeaderName::from_static("repr-digest"),
            format!("sha-256=:{digest}:"),
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin".to_owned(),
        ),
    ] {
        set(response, name, value);
    }
}

/// The type under which a file is sent. Browsers must not run it, whatever it is.
fn content_type(file: &SubmittedFile) -> String {
    let mime_type = file.mime_type.as_str();
    if file.mime_type.is_active() {
        "application/octet-stream".to_owned()
    } else if mime_type.starts_with("text/") {
        format!("{mime_type}; charset=utf-8")
    } else {
        mime_type.to_owned()
    }
}

/// The maximum length of an encoded name, in bytes.
const MAX_ENCODED: usize = 900;

/// The maximum length of the extension of a name that is shortened, in bytes.
const MAX_EXTENSION: usize = 20;

/// A name that takes up no more than 900 bytes when it is encoded: its end is cut off, but not its extension.
fn shortened(name: &str) -> Cow<'_, str> {
    let width = |one: char| percent::encode(one.encode_utf8(&mut [0; 4])).len();
    let length: usize = name.chars().map(width).sum();
    if length <= MAX_ENCODED {
        return name.into();
    }
    let dot = name
        .rfind('.')
        .filter(|dot| name.len() - dot <= MAX_EXTENSION);
    let (stem, extension) = name.split_at(dot.unwrap_or(name.len()));
    let mut left = MAX_ENCODED.saturating_sub(percent::encode(extension).len());
    let fitting = stem.chars().map_while(|one| {
        left = left.checked_sub(width(one))?;
        Some(one)
    });
    let mut kept: String = fitting.collect();
    kept.push_str(extension);
    kept.into()
}

/// The parameters of `Content-Disposition` with a name (RFC 6266): in ASCII, and as it is in UTF-8 (RFC 8187).
fn file_name(name: &str) -> String {
    let name = &*shortened(name);
    let is_special = |one: char| !matches!(one, ' '..='~') || matches!(one, '"' | '\\' | '%');
    let ascii = name.replace(is_special, "_");
    let encoded = percent::encode(name);
    format!("filename=\"{ascii}\"; filename*=UTF-8''{encoded}")
}

impl IntoResponse for FileContent {
    fn into_response(self) -> Response {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_range_of_bytes_is_a_part() {
        let part = |range: &str| Part::of(range, 10);
        for (range, expected) in [
            ("bytes=0-3", Some(Part::Bytes(0..4))),
            ("bytes=3-", Some(Part::Bytes(3..10))),
            ("bytes=-3", Some(Part::Bytes(7..10))),
            ("bytes=-30", Some(Part::Bytes(0..10))),
            ("bytes=9-99999999999999999999999", Some(Part::Bytes(9..10))),
            ("Bytes=0-0", Some(Part::Bytes(0..1))),
            ("bytes=10-", Some(Part::Nowhere)),
            ("bytes=-0", Some(Part::Nowhere)),
            ("bytes=99999999999999999999999-", Some(Part::Nowhere)),
            ("bytes=3-2", None),
            ("bytes=0-1,3-4", None),
            ("bytes=-", None),
            ("bytes=a-b", None),
            ("bytes=+1-2", None),
            ("bytes", None),
            ("lines=0-3", None),
            ("", None),
        ] {
            assert_eq!(part(range), expected, "{range}");
        }
        assert_eq!(Part::of("bytes=0-", 0), Some(Part::Nowhere));
    }

    #[test]
    fn instants_are_in_whole_seconds() {
        let instant: Timestamp = "2026-11-21T08:09:10.987Z".parse().unwrap();
        assert_eq!(http_date(instant), "Sat, 21 Nov 2026 08:09:10 GMT");
    }

    #[test]
    fn a_long_name_keeps_its_extension() {
        let long = format!("{}.pdf", "\u{1f600}".repeat(251));
        let header = file_name(&long);
        assert!(header.len() < 1_100, "{}", header.len());
        assert!(header.ends_with("%F0%9F%98%80.pdf"));
        assert!(header.starts_with("filename=\"____"));
        assert_eq!(shortened("a.pdf"), "a.pdf");
        let without = "\u{e4}.".repeat(120) + &"\u{e4}".repeat(20);
        assert!(without.starts_with(&*shortened(&without)));
    }

    #[test]
    fn names_are_written_twice() {
        assert_eq!(
            file_name("Lebenslauf \"ä\" 100%.pdf"),
            "filename=\"Lebenslauf _ä_ 100_.pdf\"; filename*=UTF-8''Lebenslauf%20%22%C3%A4%22%20100%25.pdf"
                .replacen('ä', "_", 1)
        );
    }
}
