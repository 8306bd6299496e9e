//! Media types of requests and responses.

use poem::http::HeaderMap;
use poem::http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};

use crate::contract::Verb;

/// Whether a request accepts JSON or a problem document.
pub fn accepts_json(headers: &HeaderMap) -> bool {
    preferred(headers, &["application/json", "application/problem+json"]).is_some()
}

/// Which of these media types a request prefers: the place of the first one with the highest quality. `None` if it accepts
/// none of them.
pub fn preferred(headers: &HeaderMap, offered: &[&str]) -> Option<usize> {
    let values = headers.get_all(ACCEPT).iter();
    let values: Option<Vec<&str>> = values.map(|value| value.to_str().ok()).collect();
    let accept = values?.join(",");
    let ranges = accept.split(',').map(str::trim);
    let ranges: Vec<&str> = ranges.filter(|range| !range.is_empty()).collect();
    let ranges = if ranges.is_empty() {
        vec!["*/*"]
    } else {
        ranges
    };
    let mut best = None;
    for (place, media_type) in offered.iter().enumerate() {
        let quality = quality_of(&ranges, media_type);
        if quality > best.map_or(0.0, |(_, quality)| quality) {
            best = Some((place, quality));
        }
    }
    best.map(|(place, _)| place)
}

/// The quality of the most specific range that matches a media type; 0 if none does.
fn quality_of(ranges: &[&str], media_type: &str) -> f32 {
    let matching = ranges.iter().filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let specificity = specificity(parts.next()?, media_type)?;
        Some((specificity, quality(parts)))
    });
    let matching = matching.max_by_key(|(specificity, _)| *specificity);
    matching.map_or(0.0, |(_, quality)| quality)
}

fn specificity(range: &str, media_type: &str) -> Option<u8> {
    let range = range.to_ascii_lowercase();
    match range.split_once('/')? {
        ("*", "*") => Some(0),
        (class, "*") => (media_type.split('/').next() == Some(class)).then_some(1),
        _ => (range == media_type).then_some(2),
    }
}

fn quality<'a>(parameters: impl Iterator<Item = &'a str>) -> f32 {
    parameters
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
        .map_or(1.0, |(_, value)| value.trim().parse().unwrap_or(0.0))
}

/// Whether the body of a request is a content that is stored as it is: not compressed for the transfer, and not in parts.
pub fn carries_content(headers: &HeaderMap) -> bool {
    let types = headers.get_all(CONTENT_TYPE).iter();
    let in_parts = types.map(|value| value.as_bytes().to_ascii_lowercase());
    is_plain(headers) && !in_parts.into_iter().any(|it| it.starts_with(b"multipart/"))
}

/// Whether a body is not compressed for the transfer.
pub fn is_plain(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    encodings.all(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Whether the body of a request has a media type that the method accepts, is not compressed, and is UTF-8.
pub fn carries(verb: Verb, headers: &HeaderMap) -> bool {
    let expected = verb.request_media();
    let plain = is_plain(headers);
    let fits = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|content_type| is_one_of(expected, content_type));
    expected.is_empty() || (plain && fits)
}

/// Whether a `Content-Type` is one of these media types, in UTF-8.
pub fn is_one_of(expected: &[&str], content_type: &str) -> bool {
    let mut parts = content_type.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default();
    let utf8 = parts
        .filter_map(|parameter| parameter.split_once('='))
        .all(|(name, value)| {
            !name.eq_ignore_ascii_case("charset")
                || value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        });
    utf8 && expected
        .iter()
        .any(|expected| media.eq_ignore_ascii_case(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn the_type_of_highest_quality_is_preferred() {
        let offered = ["text/csv", "application/x-ndjson", "application/json"];
        for (accept, expected) in [
            ("", Some(0)),
            ("*/*", Some(0)),
            ("application/*", Some(1)),
            ("application/json", Some(2)),
            ("text/csv;q=0.5, application/json", Some(2)),
            ("application/json, text/csv", Some(0)),
            ("text/*;q=0, */*;q=0.1", Some(1)),
            ("text/html", None),
            ("*/*;q=0", None),
        ] {
            let preferred = preferred(&headers("accept", &[accept]), &offered);
            assert_eq!(preferred, expected, "{accept}");
        }
    }

    #[test]
    fn json_is_accepted() {
        for accept in [
            &[][..],
            &[""],
            &["*/*"],
            &["application/*"],
            &["application/json"],
            &["APPLICATION/JSON; charset=utf-8"],
            &["application/problem+json"],
            &["text/html, application/json;q=0.1"],
            &["text/html", "*/*;q=0.5"],
            &["application/json;q=0, */*"],
            &["*/*;q=0, application/json"],
        ] {
            assert!(accepts_json(&headers("accept", accept)), "{accept:?}");
        }
    }

    #[test]
    fn json_is_not_accepted() {
        for accept in [
            "text/html",
            "*/*;q=0",
            "application/json;q=0",
            "application/json;q=0.0, application/problem+json; Q=0, */*",
            "application/ld+json",
            "json",
            "text/*, */*;q=0",
            "*/*, application/json;q=0, application/problem+json;q=0",
        ] {
            assert!(!accepts_json(&headers("accept", &[accept])), "{accept}");
        }
    }

    #[test]
    fn bodies_require_a_media_type_of_their_method() {
        for (verb, content_type, fits) in [
            (Verb::Post, "application/json", true),
            (Verb::Post, "Application/JSON; Charset=\"UTF-8\"", true),
            (Verb::Post, "application/json; charset=iso-8859-1", false),
            (Verb::Post, "application/merge-patch+json", false),
            (Verb::Post, "text/plain", false),
            (Verb::Post, "", false),
            (Verb::Patch, "application/merge-patch+json", true),
            (Verb::Patch, "application/json", true),
            (Verb::Patch, "application/json-patch+json", false),
            (Verb::Delete, "text/plain", true),
        ] {
            let headers = headers("content-type", &[content_type]);
            assert_eq!(carries(verb, &headers), fits, "{verb:?} {content_type}");
        }
        assert!(!carries(Verb::Post, &HeaderMap::new()));
        assert!(carries(Verb::Get, &HeaderMap::new()));
        let mut compressed = headers("content-type", &["application/json"]);
        compressed.append(CONTENT_ENCODING, "gzip".parse().unwrap());
        assert!(!carries(Verb::Post, &compressed));
    }
}
