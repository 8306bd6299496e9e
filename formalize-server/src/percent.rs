//! Percent-encoding, strict on the way in: text that is not well encoded is refused, not repaired.

/// Decodes percent-encoded UTF-8.
///
/// Returns nothing if a `%` is not followed by two hexadecimal digits, or if the bytes are not
/// UTF-8.
pub fn decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => hex(bytes.next()?)? << 4 | hex(bytes.next()?)?,
            other => other,
        });
    }
    String::from_utf8(decoded).ok()
}

/// Decodes a query string into its pairs; `+` stands for a space.
pub fn decode_query(query: &str) -> Option<Vec<(String, String)>> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let pair = pair.replace('+', " ");
            let (name, value) = pair.split_once('=').unwrap_or((&pair, ""));
            Some((decode(name)?, decode(value)?))
        })
        .collect()
}

/// Encodes text for use as a path segment or as a name or value in a query string.
pub fn encode(text: &str) -> String {
    text.bytes()
        .fold(String::with_capacity(text.len()), |mut encoded, byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                encoded.push(char::from(byte));
            } else {
                encoded.push('%');
                encoded.extend([byte >> 4, byte & 15].map(digit));
            }
            encoded
        })
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

fn digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16)
        .unwrap_or('0')
        .to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_is_well_encoded() {
        assert_eq!(decode("a%20%C3%A9+").as_deref(), Some("a é+"));
        for text in ["%", "%4", "%zz", "%+1", "%ff", "%C3"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    #[test]
    fn a_query_is_pairs() {
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
    fn encoding_is_undone_by_decoding() {
        let text = "Zürich & co. + 100%/~";
        assert_eq!(encode("ü /~"), "%C3%BC%20%2F~");
        assert_eq!(decode(&encode(text)).as_deref(), Some(text));
    }
}
