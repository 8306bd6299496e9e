//! The OpenAPI document and its page, ready to send: compressed, with an entity tag.

use flate2::Compression;
use formalize_http::failure::Large;
use formalize_http::gzip::{accepts_gzip, compress, decompress};
use formalize_http::tag::EntityTag;
use hyper::body::Bytes;
use poem::{
    Response,
    http::{HeaderMap, header},
};
use poem_openapi::{OpenApi, OpenApiService};

use super::Document;

/// The document and its page.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) document: Text,
    pub(crate) page: Text,
}

impl Published {
    /// Takes up to a tenth of a second, most of it to compress the page.
    pub(crate) fn new<T: OpenApi>(service: &OpenApiService<T, ()>) -> Self {
        let document = Document::of(service);
        Self {
            document: Text::new(
                "application/json; charset=utf-8",
                &document.to_compact_json(),
            ),
            page: Text::new("text/html; charset=utf-8", &document.to_html()),
        }
    }
}

/// A text that is the same in every response. Only its compressed form is kept in memory.
#[derive(Debug)]
pub(crate) struct Text {
    content_type: &'static str,
    gzip: Bytes,
    tag: EntityTag,
}

impl Text {
    fn new(content_type: &'static str, text: &str) -> Self {
        Self {
            content_type,
            gzip: compress(text.as_bytes(), Compression::default()).into(),
            tag: EntityTag::weak(text),
        }
    }

    /// The response to a request with these headers: compressed if the client accepts gzip.
    pub(crate) fn response(&self, request: &HeaderMap) -> Response {
        let response = Response::builder()
            .content_type(self.content_type)
            .header(header::ETAG, self.tag.to_string())
            // Caches may store the text, but must revalidate it.
            .header(header::CACHE_CONTROL, "no-cache")
            .header(header::VARY, "Accept-Encoding");
        let mut response = if accepts_gzip(request) {
            response
                .header(header::CONTENT_ENCODING, "gzip")
                .body(self.gzip.clone())
        } else {
            let text = decompress(&self.gzip);
            let bytes = text.len();
            let mut response = response.body(text);
            Large::mark(&mut response, bytes);
            response
        };
        response.set_data(self.tag.clone());
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(accept_encoding: Option<&str>) -> Response {
        let mut headers = HeaderMap::new();
        if let Some(value) = accept_encoding {
            headers.insert(header::ACCEPT_ENCODING, value.parse().unwrap());
        }
        Text::new("text/plain", &"text ".repeat(100)).response(&headers)
    }

    #[tokio::test]
    async fn a_text_is_compressed_if_the_client_accepts_gzip() {
        for (accept_encoding, is_compressed) in [
            (Some("gzip"), true),
            (Some("deflate, GZIP;q=0.5, br"), true),
            (Some("*"), true),
            (Some("*;q=0, gzip"), true),
            (None, false),
            (Some(""), false),
            (Some("br"), false),
            (Some("gzip;q=0"), false),
            (Some("gzip;q=0, *"), false),
            (Some("gzip;q=x"), false),
        ] {
            let response = response(accept_encoding);
            let encoding = response.header(header::CONTENT_ENCODING);
            assert_eq!(
                encoding,
                is_compressed.then_some("gzip"),
                "{accept_encoding:?}"
            );
            assert_eq!(response.header(header::VARY), Some("Accept-Encoding"));
            let body = response.into_body().into_vec().await.unwrap();
            let text = if is_compressed {
                decompress(&body)
            } else {
                body
            };
            assert_eq!(text, "text ".repeat(100).as_bytes());
        }
    }

    #[test]
    fn both_forms_have_the_same_weak_tag() {
        let tag = |accept_encoding| {
            response(accept_encoding)
                .header(header::ETAG)
                .unwrap()
                .to_owned()
        };
        assert_eq!(tag(None), tag(Some("gzip")));
        assert!(tag(None).starts_with("W/\""));
    }
}
