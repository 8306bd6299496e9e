//! Bodies of `multipart/form-data` (RFC 7578), read while they arrive.
//!
//! The crate `multer` finds the parts. Around it is what it leaves open: it gets small pieces, and must make something of
//! them, so that neither memory nor time grows with what it cannot interpret; and names are read from the header as it was
//! sent, because it takes what is not UTF-8 for absent.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use futures_util::{Stream, StreamExt};
use hyper::body::Bytes;
use poem::http::{HeaderMap, header};

use crate::contract::operation::FORM_DATA;

/// The longest boundary (RFC 2046, section 5.1.1).
const BOUNDARY: usize = 70;
/// How many bytes the parser gets at a time.
const PIECE: usize = 16 << 10;
/// How many bytes it gets while it reads small inputs: it takes a piece for each of them, whatever it has already.
const SMALL_PIECE: usize = 512;
/// How many bytes the parser may take without finding anything.
const UNPARSED: usize = 64 << 10;
/// The largest headers of a part, in bytes.
const HEADERS: usize = 16 << 10;
/// The maximum number of parts.
const PARTS: usize = 200;

/// Whether the body of a request is `multipart/form-data`.
pub fn is_form_data(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE);
    let media = value.and_then(|value| value.to_str().ok()?.split(';').next());
    media.is_some_and(|media| media.trim().eq_ignore_ascii_case(FORM_DATA))
}

/// Why a body cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    /// Its connection broke, or its sender was too slow.
    Interrupted,
    /// It is not of this form.
    Reason(&'static str),
    /// A part is not of this form.
    Part {
        /// The beginning of its name, with replacement characters for what is not UTF-8.
        name: String,
        /// What the part must be.
        must: &'static str,
    },
}

/// How many characters of the name of a part that is at fault are repeated.
const NAMED: usize = 128;

/// The parts of a body.
pub struct Multipart {
    parser: multer::Multipart<'static>,
    /// The bytes of which the parser has made nothing yet.
    unparsed: Arc<AtomicUsize>,
    parts: usize,
    most_parts: usize,
    /// How many bytes the parser gets at a time.
    piece: Arc<AtomicUsize>,
}

impl Multipart {
    /// The parts of a body with this `Content-Type`.
    ///
    /// # Errors
    ///
    /// If the type has no valid boundary.
    pub fn new(
        headers: &HeaderMap,
        body: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    ) -> Result<Self, Malformed> {
        let value = headers.get(header::CONTENT_TYPE);
        let boundary = value.and_then(|value| multer::parse_boundary(value.to_str().ok()?).ok());
        let boundary = boundary.filter(|it| (1..=BOUNDARY).contains(&it.len()));
        let no_boundary = "the content type must have a boundary of 1 to 70 characters";
        let boundary = boundary.ok_or(Malformed::Reason(no_boundary))?;
        let unparsed = Arc::new(AtomicUsize::new(0));
        let piece = Arc::new(AtomicUsize::new(PIECE));
        let pieces = Pieces {
            piece: Arc::clone(&piece),
            body: Box::pin(body),
            rest: Bytes::new(),
            is_paused: false,
            unparsed: Arc::clone(&unparsed),
        };
        Ok(Self {
            parser: multer::Multipart::new(pieces, boundary),
            unparsed,
            parts: 0,
            most_parts: PARTS,
            piece,
        })
    }

    /// Allows more parts than usual: so many inputs of a page, which precede its files.
    #[must_use]
    pub fn with_inputs(mut self, inputs: usize) -> Self {
        self.most_parts = PARTS + inputs;
        self.piece.store(SMALL_PIECE, Ordering::Relaxed);
        self
    }

    /// Expects files from here on.
    pub fn expect_files(&self) {
        self.piece.store(PIECE, Ordering::Relaxed);
    }

    /// The next part; `None` at the end. What was not read of the one before is skipped.
    ///
    /// # Errors
    ///
    /// If the body is malformed.
    pub async fn next(&mut self) -> Result<Option<Part>, Malformed> {
        let Some(field) = self.parser.next_field().await.map_err(malformed)? else {
            return Ok(None);
        };
        self.unparsed.store(0, Ordering::Relaxed);
        self.parts += 1;
        if self.parts > self.most_parts {
            return Err(Malformed::Reason("there are more than 200 parts"));
        }
        let unparsed = Arc::clone(&self.unparsed);
        Part::new(field, unparsed).map(Some)
    }
}

fn malformed(error: multer::Error) -> Malformed {
    match error {
        multer::Error::StreamReadFailed(cause) if cause.is::<Unparsed>() => {
            Malformed::Reason("the boundary, or the end of the headers of a part, is missing")
        }
        multer::Error::StreamReadFailed(_) => Malformed::Interrupted,
        multer::Error::IncompleteStream | multer::Error::IncompleteFieldData { .. } => {
            Malformed::Reason("the body ends before its last boundary")
        }
        _ => Malformed::Reason("the headers of a part are malformed"),
    }
}

/// A part of a body.
pub struct Part {
    /// Its name.
    pub name: String,
    /// The name of its file, if it is one.
    pub file_name: Option<String>,
    /// Its declared type.
    pub content_type: Option<String>,
    field: multer::Field<'static>,
    unparsed: Arc<AtomicUsize>,
}

impl Part {
    fn new(field: multer::Field<'static>, unparsed: Arc<AtomicUsize>) -> Result<Self, Malformed> {
        let headers = field.headers();
        let disposition = headers.get(header::CONTENT_DISPOSITION);
        let disposition = disposition.map_or(&b""[..], |value| value.as_bytes());
        let name = parameter(disposition, "name")
            .ok_or(Malformed::Reason("each part must have a name"))?;
        let at_fault = |must| {
            let name = String::from_utf8_lossy(&name);
            let name = name.chars().take(NAMED).collect();
            Malformed::Part { name, must }
        };
        let size = headers
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len());
        if size.sum::<usize>() > HEADERS {
            return Err(at_fault("must have headers of at most 16 KiB"));
        }
        let encoding = headers.get("content-transfer-encoding");
        let is_plain = |it: &[u8]| {
            let plain: [&[u8]; 3] = [b"7bit", b"8bit", b"binary"];
            plain.iter().any(|plain| it.eq_ignore_ascii_case(plain))
        };
        if encoding.is_some_and(|it| !is_plain(it.as_bytes())) {
            return Err(at_fault(
                "must not be encoded: leave Content-Transfer-Encoding out",
            ));
        }
        let content_type = headers.get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|it| it.to_str().ok().map(str::to_owned));
        let is_multipart = |it: &String| it.to_ascii_lowercase().starts_with("multipart/");
        if content_type.as_ref().is_some_and(is_multipart) {
            return Err(at_fault("must not have parts of its own"));
        }
        let file_name = parameter(disposition, "filename").map(String::from_utf8);
        let file_name = file_name.transpose();
        let file_name = file_name.map_err(|_| at_fault("must have a file name in UTF-8"))?;
        let name =
            String::from_utf8(name.clone()).map_err(|_| at_fault("must have a name in UTF-8"))?;
        Ok(Self {
            name,
            file_name,
            content_type,
            field,
            unparsed,
        })
    }

    /// The next piece of the content; `None` at its end.
    ///
    /// # Errors
    ///
    /// If the body ends early.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Malformed> {
        loop {
            let chunk = self.field.chunk().await.map_err(malformed)?;
            if let Some(chunk) = &chunk {
                self.unparsed.store(0, Ordering::Relaxed);
                if chunk.is_empty() {
                    continue;
                }
            }
            return Ok(chunk);
        }
    }
}

/// The value of a parameter of `Content-Disposition`. In a quoted one, `\"` is a quote, and every other backslash is itself, as
/// browsers and curl write it.
fn parameter(header: &[u8], wanted: &str) -> Option<Vec<u8>> {
    let mut rest = header;
    loop {
        let start = rest.iter().position(|byte| *byte == b';')? + 1;
        rest = rest.get(start..)?.trim_ascii_start();
        let name_end = rest.iter().position(|byte| matches!(byte, b'=' | b';'))?;
        let (name, behind) = rest.split_at_checked(name_end)?;
        let Some(value) = behind.strip_prefix(b"=") else {
            rest = behind;
            continue;
        };
        let (value, behind) = value_of(value.trim_ascii_start());
        if name.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes()) {
            return Some(value);
        }
        rest = behind;
    }
}

/// The value at the beginning of a text, and what follows it.
fn value_of(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let Some(mut rest) = text.strip_prefix(b"\"") else {
        let end = text.iter().position(|byte| *byte == b';');
        let (value, rest) = text.split_at(end.unwrap_or(text.len()));
        return (value.trim_ascii_end().to_vec(), rest);
    };
    let mut value = Vec::new();
    loop {
        match rest {
            [b'\\', b'"', behind @ ..] => {
                value.push(b'"');
                rest = behind;
            }
            [b'"', behind @ ..] => return (value, behind),
            [byte, behind @ ..] => {
                value.push(*byte);
                rest = behind;
            }
            [] => return (value, rest),
        }
    }
}

/// The parser has taken much without finding anything in it.
#[derive(Debug, thiserror::Error)]
#[error("nothing was found in 64 KiB of the body")]
struct Unparsed;

/// A body in small pieces, after each of which the parser has to look at what it has. It would otherwise read as long as there
/// is anything to read.
struct Pieces {
    body: Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>,
    rest: Bytes,
    is_paused: bool,
    unparsed: Arc<AtomicUsize>,
    piece: Arc<AtomicUsize>,
}

impl Stream for Pieces {
    type Item = Result<Bytes, Box<dyn std::error::Error + Send + Sync>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if std::mem::take(&mut this.is_paused) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if this.rest.is_empty() {
            match this.body.poll_next_unpin(context) {
                Poll::Ready(Some(Ok(piece))) => this.rest = piece,
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error.into()))),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            }
        }
        let length = this.rest.len().min(this.piece.load(Ordering::Relaxed));
        let piece = this.rest.split_to(length);
        this.is_paused = true;
        let unparsed = this.unparsed.fetch_add(length, Ordering::Relaxed) + length;
        if unparsed > UNPARSED {
            return Poll::Ready(Some(Err(Unparsed.into())));
        }
        Poll::Ready(Some(Ok(piece)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    /// A part that was read: its name, the name of its file, its type and its content.
    type Read = (String, Option<String>, Option<String>, Vec<u8>);

    /// Reads a body whose boundary is `x`, in pieces of this size.
    async fn read(body: &[u8], size: usize) -> Result<Vec<Read>, Malformed> {
        let mut headers = HeaderMap::new();
        let form_data = "multipart/form-data; boundary=x";
        headers.insert(header::CONTENT_TYPE, form_data.parse().unwrap());
        let pieces: VecDeque<_> = body
            .chunks(size)
            .map(|piece| Ok(Bytes::copy_from_slice(piece)))
            .collect();
        let mut parts = Multipart::new(&headers, futures_util::stream::iter(pieces))?;
        let mut found = Vec::new();
        while let Some(mut part) = parts.next().await? {
            let mut content = Vec::new();
            while let Some(chunk) = part.chunk().await? {
                content.extend_from_slice(&chunk);
            }
            found.push((part.name, part.file_name, part.content_type, content));
        }
        Ok(found)
    }

    const EXAMPLE: &[u8] = b"--x\r\nContent-Disposition: form-data; name=\"submission\"\r\n\
        Content-Type: application/json\r\n\r\n{}\r\n--x\r\n\
        Content-Disposition: form-data; name=\"files.cv\"; filename=\"a.txt\"\r\n\r\n\
        one\r\n--y\r\ntwo\r--x\r\n--x--\r\n";

    #[tokio::test]
    async fn parts_are_found_however_the_body_is_cut() {
        let expected = vec![
            (
                "submission".to_owned(),
                None,
                Some("application/json".to_owned()),
                b"{}".to_vec(),
            ),
            (
                "files.cv".to_owned(),
                Some("a.txt".to_owned()),
                None,
                b"one\r\n--y\r\ntwo\r--x".to_vec(),
            ),
        ];
        for size in 1..=EXAMPLE.len() {
            assert_eq!(read(EXAMPLE, size).await.as_ref(), Ok(&expected), "{size}");
        }
    }

    #[tokio::test]
    async fn a_body_that_ends_early_is_malformed() {
        let end = EXAMPLE.len() - "--\r\n".len();
        for length in 0..=end {
            let cut = EXAMPLE.get(..length).unwrap();
            let read = read(cut, 7).await;
            assert!(
                matches!(read, Err(Malformed::Reason(_))),
                "{length}: {read:?}"
            );
        }
    }

    #[tokio::test]
    async fn large_contents_are_read() {
        let content = "0123456789abcdef\r\n".repeat(50_000);
        let head = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";
        let body = format!("{head}{content}\r\n--x--");
        for size in [1000, 400_000, body.len()] {
            let parts = read(body.as_bytes(), size).await.unwrap();
            assert!(parts.first().unwrap().3 == content.as_bytes());
        }
    }

    #[tokio::test]
    async fn what_cannot_be_interpreted_is_not_collected() {
        let blanks = " ".repeat(1 << 20);
        for body in [
            blanks.clone(),
            format!("--x\r\nA: {blanks}"),
            format!("--x{blanks}"),
        ] {
            let read = read(body.as_bytes(), 400_000).await;
            assert!(matches!(read, Err(Malformed::Reason(_))), "{read:?}");
        }
        let head = "Content-Disposition: form-data; name=\"a\"\r\n";
        let long = format!("--x\r\n{head}A: {}\r\n\r\n\r\n--x--", "a".repeat(17 << 10));
        let read_long = read(long.as_bytes(), 1000).await;
        let of_a = |must| {
            let name = "a".to_owned();
            Malformed::Part { name, must }
        };
        assert_eq!(read_long, Err(of_a("must have headers of at most 16 KiB")));
        let many = format!("--x\r\n{head}\r\n\r\n").repeat(201) + "--x--";
        let read_many = read(many.as_bytes(), 1000).await;
        assert_eq!(
            read_many,
            Err(Malformed::Reason("there are more than 200 parts"))
        );
    }

    #[tokio::test]
    async fn parts_are_plain() {
        let part = |name: &str, must| {
            let name = name.to_owned();
            Malformed::Part { name, must }
        };
        let no_name = Malformed::Reason("each part must have a name");
        for (headers, expected) in [
            ("Content-Disposition: form-data", no_name.clone()),
            ("X: y", no_name),
            (
                "Content-Disposition: form-data; name=\"a\u{ff}\"",
                part("a\u{fffd}", "must have a name in UTF-8"),
            ),
            (
                "Content-Disposition: form-data; name=\"a\"; filename=\"\u{ff}\"",
                part("a", "must have a file name in UTF-8"),
            ),
            (
                "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: Multipart/mixed",
                part("a", "must not have parts of its own"),
            ),
            (
                "Content-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64",
                part(
                    "a",
                    "must not be encoded: leave Content-Transfer-Encoding out",
                ),
            ),
        ] {
            // The text stands for Latin-1.
            let head: Vec<u8> = headers
                .chars()
                .map(|one| u8::try_from(one).unwrap())
                .collect();
            let body = [b"--x\r\n", head.as_slice(), b"\r\n\r\n\r\n--x--"].concat();
            let read = read(&body, 100).await;
            assert_eq!(read, Err(expected), "{headers}");
        }
    }

    #[test]
    fn parameters_are_read_as_browsers_write_them() {
        for (header, name) in [
            (r#"form-data; name="a"; filename="b.txt""#, Some("b.txt")),
            (
                r#"form-data; filename="a;b\"c\d%22".txt"#,
                Some(r#"a;b"c\d%22"#),
            ),
            ("form-data; FileName = b.txt ; name=a", Some("b.txt")),
            (r#"form-data; x="filename=c"; filename="""#, Some("")),
            (r#"form-data; filename*=UTF-8''b.txt; name="a""#, None),
            ("form-data; flag; filename=b", Some("b")),
            ("form-data", None),
            ("", None),
        ] {
            let found = parameter(header.as_bytes(), "filename");
            let found = found.map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(found.as_deref(), name, "{header}");
        }
    }
}
