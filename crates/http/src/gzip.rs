//! Compression of responses with gzip.

use std::io::{Read, Write};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use poem::http::{HeaderMap, header};

/// Compresses a text.
pub fn compress(text: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing to memory cannot fail.
    let written = encoder.write_all(text);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// The text that was compressed with [`compress`].
pub fn decompress(gzip: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    // The input comes from `compress`, so it is valid.
    let _ = GzDecoder::new(gzip).read_to_end(&mut text);
    text
}

/// Whether `Accept-Encoding` admits gzip, by name or by `*`, with a quality above zero.
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    let codings: Vec<&str> = values.flat_map(|value| value.split(',')).collect();
    let quality_of = |name: &str| {
        codings.iter().find_map(|coding| {
            let (coding, weight) = coding.split_once(';').unwrap_or((*coding, "q=1"));
            let quality = weight.trim().strip_prefix("q=")?.parse::<f32>().ok()?;
            coding.trim().eq_ignore_ascii_case(name).then_some(quality)
        })
    };
    quality_of("gzip")
        .or_else(|| quality_of("*"))
        .is_some_and(|quality| quality > 0.0)
}
