//! Responses to malformed heads. They have no body, and no endpoint is called.
//!
//! hyper responds to most of them itself, and has no setting for the fields of that response.

use poem::{
    Response,
    http::{StatusCode, header},
};

/// What hyper writes between the status line and the date.
const FIELDS: &[u8] = b"connection: close\r\ncontent-length: 0\r\ndate: ";
/// The fields that every response has.
const ADDED: &[u8] = b"x-content-type-options: nosniff\r\ncache-control: no-store\r\n";

/// The response to a head that only we reject.
pub(super) fn bad_request() -> Response {
    Response::builder()
        .status(StatusCode::BAD_REQUEST)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::CONNECTION, "close")
        .finish()
}

/// The response with the fields that it lacks, if this is one that hyper has written.
pub(super) fn completed(response: &[u8]) -> Option<Vec<u8>> {
    if !response.starts_with(b"HTTP/1.1 4") {
        return None;
    }
    let line = response.iter().position(|byte| *byte == b'\n')? + 1;
    let (line, fields) = response.split_at_checked(line)?;
    let date = fields.strip_prefix(FIELDS)?.strip_suffix(b"\r\n\r\n")?;
    let is_date = !date.iter().any(u8::is_ascii_control);
    is_date.then(|| [line, ADDED, fields].concat())
}

/// A response that is written instead of another one.
#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) bytes: Vec<u8>,
    pub(super) written: usize,
}

impl Replacement {
    /// The bytes that are not written yet.
    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.written..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_of_hyper_are_completed_and_no_others() {
        let date = "date: Thu, 26 Nov 2026 22:24:56 GMT\r\n\r\n";
        let plain = format!(
            "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n{date}"
        );
        let completed =
            |text: &str| completed(text.as_bytes()).map(|text| String::from_utf8(text).unwrap());
        let expected = format!(
            "HTTP/1.1 431 Request Header Fields Too Large\r\nx-content-type-options: nosniff\r\n\
             cache-control: no-store\r\nconnection: close\r\ncontent-length: 0\r\n{date}"
        );
        assert_eq!(completed(&plain), Some(expected));
        for other in [
            "",
            "HTTP/1.1 4",
            &plain.replace("431", "200"),
            &plain.replace("length: 0", "length: 1"),
            &format!("{plain}x"),
            &format!("{plain}{plain}"),
        ] {
            assert_eq!(completed(other), None, "{other}");
        }
    }
}
