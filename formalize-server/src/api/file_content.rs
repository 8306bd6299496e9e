//! The description of the content of a file as a response.

use formalize_http::files::FileContent;
use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponses, Registry},
};

use super::reply::{ETAG, Header, bytes, responses};

/// The content of a file, or a part of it: 200 or 206.
pub struct SentContent(pub FileContent);

impl IntoResponse for SentContent {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

const HEADERS: [Header; 4] = [
    ETAG,
    (
        "Content-Disposition",
        "How browsers handle the file, and its name.",
    ),
    (
        "Accept-Ranges",
        "`bytes`: parts can be requested with `Range`.",
    ),
    ("Repr-Digest", "SHA-256 of the whole content (RFC 9530)."),
];

impl ApiResponse for SentContent {
    fn meta() -> MetaResponses {
        let part = (
            "Content-Range",
            "Which part this is, and the size of the whole.",
        );
        let [first, second, third, fourth] = HEADERS;
        let of_part = [first, second, third, fourth, part];
        let mut responses = responses([
            (StatusCode::OK, "The content.", None, &HEADERS),
            (StatusCode::PARTIAL_CONTENT, "A part of it.", None, &of_part),
        ]);
        for response in &mut responses.responses {
            // The type is that of the file. Generators of clients ignore `*/*`.
            response.content = vec![MetaMediaType {
                content_type: "application/octet-stream",
                schema: bytes(),
            }];
        }
        responses
    }

    fn register(_registry: &mut Registry) {}
}
