//! Percent-encoding. Malformed text is rejected, not repaired.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters to encode: all except the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Decodes percent-encoded UTF-8.
///
/// Returns `None` if a `%` is not followed by two hexadecimal digits, or if the bytes are not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    let starts_with_digits = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !text.split('%').skip(1).all(starts_with_digits) {
        return None;
    }
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

/// The encoded pairs of a query string.
pub fn pairs(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter(|pair| !pair.is_empty())
}

/// Decodes a query string into its pairs; `+` stands for a space.
pub fn decode_query(query: &str) -> Option<Vec<(String, String)>> {
    pairs(query)
        .map(|pair| {
            let pair = pair.replace('+', " ");
            let (name, value) = pair.split_once('=').unwrap_or((&pair, ""));
            Some((decode(name)?, decode(value)?))
        })
        .collect()
}

/// Encodes text for use as a path segment or as a name or value in a query string.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decode_rejects_malformed_text() {
        assert_eq!(decode("a%20%C3%A9+").as_deref(), Some("a é+"));
        for text in ["%", "%4", "%zz", "%+1", "%%41", "%4%41", "%ff", "%C3"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    #[test]
    fn a_query_is_decoded_into_pairs() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            decode_query("a=1&&b=x+y%2B&c&d=e=f"),
            Some(vec![
                pair("a", "1"),
                pair("b", "x y+"),
                pair("c", ""),
                pair("d", "e=f")
            ])
        );
        assert_eq!(decode_query(""), Some(vec![]));
        assert_eq!(decode_query("a=%ff"), None);
    }

    #[test]
    fn encoded_text_survives_a_round_trip() {
        let text = "Zürich & co. + 100%/~";
        assert_eq!(encode("ü /~"), "%C3%BC%20%2F~");
        assert_eq!(decode(&encode(text)).as_deref(), Some(text));
    }
}
