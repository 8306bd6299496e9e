//! The id of a request, which connects its response and its log lines.

use std::{
    collections::hash_map::RandomState,
    fmt,
    hash::{BuildHasher, Hasher},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
};

use poem::{Request, http::HeaderValue};

/// The id of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// The header with the id, in requests and responses.
    pub const HEADER: &str = "x-request-id";

    /// The id that the client sent, if it is well-formed, or a new one.
    pub fn of(request: &Request) -> Self {
        match request.header(Self::HEADER) {
            Some(id) if is_well_formed(id) => Self(id.to_owned()),
            _ => Self::fresh(),
        }
    }

    /// An id that is unique in this process and unlikely to occur in others.
    fn fresh() -> Self {
        static PROCESS: LazyLock<u64> =
            LazyLock::new(|| RandomState::new().build_hasher().finish());
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(format!(
            "{:016x}-{:06x}",
            *PROCESS,
            COUNT.fetch_add(1, Ordering::Relaxed)
        ))
    }

    /// The value of the header.
    pub fn header_value(&self) -> Option<HeaderValue> {
        HeaderValue::try_from(&self.0).ok()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn is_well_formed(id: &str) -> bool {
    (1..=128).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sent: &str) -> String {
        RequestId::of(&Request::builder().header(RequestId::HEADER, sent).finish()).to_string()
    }

    #[test]
    fn a_well_formed_id_is_kept() {
        for sent in ["a", "A.b_c-9", &"x".repeat(128)] {
            assert_eq!(of(sent), sent);
        }
    }

    #[test]
    fn a_malformed_id_is_replaced() {
        for sent in ["", "a b", "a/b", "é", &"x".repeat(129)] {
            let fresh = of(sent);
            assert_ne!(fresh, sent);
            assert!(is_well_formed(&fresh), "{fresh}");
        }
        assert_ne!(of(""), of(""));
    }
}
