//! The idempotency key of a request (draft-ietf-httpapi-idempotency-key-header).

use std::time::Duration;

use formalize_core::idempotency::{Fingerprint, IdempotencyKey, KeyedRequest};
use poem::{
    Request,
    http::{HeaderMap, HeaderValue},
};
use sha2::{Digest, Sha256};

use crate::{
    contract::{ErrorKey, condition::IDEMPOTENCY_KEY},
    failure::Refusal,
};

/// How long the keys of a request are remembered.
#[derive(Debug, Clone, Copy)]
pub struct KeyRetention(pub Duration);

/// The request with its key, if it has one.
///
/// # Errors
///
/// A refusal if the key is malformed, or if there are several.
pub fn keyed(
    request: &Request,
    body: &[u8],
    retention: Duration,
) -> Result<Option<KeyedRequest>, Refusal> {
    let Some(key) = key(request.headers())? else {
        return Ok(None);
    };
    let mut hash = Sha256::new();
    let target = request.uri().path_and_query();
    let target = target.map_or_else(|| request.uri().path(), |target| target.as_str());
    for part in [request.method().as_str(), " ", target, "\n"] {
        hash.update(part);
    }
    hash.update(body);
    Ok(Some(KeyedRequest {
        key,
        fingerprint: Fingerprint(hash.finalize().into()),
        retention,
    }))
}

fn key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Refusal> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let key = match values.next() {
        None => read(value)
            .ok_or("must have 1 to 255 printable ASCII characters, optionally in double quotes"),
        Some(_) => Err("must not be sent twice"),
    };
    let refused = |must| Refusal::is(ErrorKey::InvalidParameter).about(IDEMPOTENCY_KEY, must);
    key.map(Some).map_err(refused)
}

/// Reads a key as it is, or as a string of a structured field (RFC 9651, section 3.3.3).
fn read(value: &HeaderValue) -> Option<IdempotencyKey> {
    let text = value.to_str().ok()?.trim();
    let Some(quoted) = text.strip_prefix('"') else {
        return IdempotencyKey::new(text).ok();
    };
    let mut key = String::new();
    let mut rest = quoted.strip_suffix('"')?.chars();
    while let Some(one) = rest.next() {
        match one {
            '"' => return None,
            '\\' => key.push(rest.next().filter(|next| matches!(next, '"' | '\\'))?),
            one => key.push(one),
        }
    }
    IdempotencyKey::new(key).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_bare_or_quoted() {
        let read = |text: &str| {
            let value = HeaderValue::from_str(text).ok()?;
            read(&value).map(|key| key.as_str().to_owned())
        };
        let long = "x".repeat(255);
        for (text, key) in [
            ("order-17", "order-17"),
            ("\"order-17\"", "order-17"),
            ("  a b  ", "a b"),
            ("a\"b", "a\"b"),
            (r#""a\"b\\c""#, r#"a"b\c"#),
            (&*long, &*long),
        ] {
            assert_eq!(read(text).as_deref(), Some(key), "{text}");
        }
        let longer = "x".repeat(256);
        for text in [
            "", "\"", "\"\"", "\"open", "\"a\"b\"", "\"a\\", "\"a\\\"", "\"a\\b\"", "ä", &*longer,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn requests_differ_in_each_part() {
        let fingerprint = |uri: &'static str, body: &str| {
            let request = Request::builder()
                .uri_str(uri)
                .header(IDEMPOTENCY_KEY, "a")
                .finish();
            let keyed = keyed(&request, body.as_bytes(), Duration::ZERO);
            keyed.ok().flatten().unwrap().fingerprint
        };
        let one = fingerprint("/a?b", "{}");
        assert_eq!(one, fingerprint("/a?b", "{}"));
        for (uri, body) in [
            ("/a", "{}"),
            ("/a?c", "{}"),
            ("/a?b", "{ }"),
            ("/b?b", "{}"),
        ] {
            assert_ne!(one, fingerprint(uri, body), "{uri} {body}");
        }
    }
}
