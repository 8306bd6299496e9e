//! Documents as responses.

use poem::{Body, IntoResponse, Response, http::header};

use super::{Document, ExportFormat};
use crate::failure::{Refusal, set};
use crate::percent;

/// A document with submissions as a response.
pub struct Exported {
    body: Body,
    content_type: &'static str,
    disposition: String,
    /// The number of bytes, if it is known.
    bytes: Option<u64>,
}

impl Exported {
    /// The response with this document, which is named after its form and the day. The response to HEAD has no body, so
    /// the document is not written.
    ///
    /// # Errors
    ///
    /// A refusal if the document cannot be written.
    pub async fn of(
        document: Document,
        format: &ExportFormat,
        is_head: bool,
    ) -> Result<Self, Refusal> {
        let name = document.form_name.as_deref().unwrap_or("submissions");
        let began = document.began.to_string();
        let day = began.get(..10).unwrap_or_default();
        let disposition = attachment(name, day, format.name);
        let (body, bytes) = if is_head {
            (Body::empty(), None)
        } else {
            document.start().await?
        };
        Ok(Self {
            body,
            content_type: format.content_type,
            disposition,
            bytes,
        })
    }
}

/// The longest part of a name that becomes part of the name of a file, in characters.
const NAME: usize = 80;

/// The value of `Content-Disposition` for a file (RFC 6266): its name in ASCII, and as it is in UTF-8.
fn attachment(name: &str, day: &str, extension: &str) -> String {
    let is_special = |one: char| one.is_control() || matches!(one, '/' | '\\' | '"' | '`');
    let name: String = name.chars().take(NAME).collect();
    let name = name.replace(is_special, "_");
    let ascii = name.replace(|one: char| !one.is_ascii(), "_");
    let end = format!("-{day}.{extension}");
    let encoded = percent::encode(&name);
    format!("attachment; filename=\"{ascii}{end}\"; filename*=UTF-8''{encoded}{end}")
}

impl IntoResponse for Exported {
    fn into_response(self) -> Response {
        let mut response = Response::builder()
            .content_type(self.content_type)
            .header(header::CACHE_CONTROL, "no-store")
            .body(self.body);
        set(&mut response, header::CONTENT_DISPOSITION, self.disposition);
        if let Some(bytes) = self.bytes {
            set(&mut response, header::CONTENT_LENGTH, bytes.to_string());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_forms() {
        let named = |name: &str| attachment(name, "2026-11-24", "csv");
        assert_eq!(
            named("Guest book"),
            "attachment; filename=\"Guest book-2026-11-24.csv\"; filename*=UTF-8''Guest%20book-2026-11-24.csv"
        );
        assert_eq!(
            named("a/b\\\"c`\n\u{e4}"),
            "attachment; filename=\"a_b__c___-2026-11-24.csv\"; filename*=UTF-8''a_b__c__%C3%A4-2026-11-24.csv"
        );
        assert!(named(&"x".repeat(300)).len() < 2 * 100 + 50);
    }
}
