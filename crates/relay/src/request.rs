//! Requests that were admitted, and their queries. Unknown parameters are ignored.

use std::sync::Arc;

use formalize_core::{Caller, Error, Expected, Formalize};
use formalize_http::config::DirectorySettings;
use formalize_http::contract::{ErrorKey, PathParameters};
use formalize_http::failure::{Fault, Refusal};
use formalize_http::middleware::Streamed;
use formalize_http::percent;
use formalize_http::request::{Conditions, read_object};
use formalize_http::tag::EntityTag;
use hyper::body::Bytes;
use poem::{Response, http::HeaderMap};
use serde_json::{Map, Value};

/// What all requests share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) core: Formalize,
    /// The base of absolute URLs.
    pub(crate) base_url: Arc<str>,
    pub(crate) directory: DirectorySettings,
}

/// The body of a request.
pub(crate) enum Sent {
    /// It has none, or it is ignored.
    Nothing,
    /// JSON; empty if the request has no body.
    Json(Bytes),
    /// Fields and files, which are read while they arrive.
    Form(Streamed),
}

/// A request that was admitted.
pub(crate) struct Visit {
    pub(crate) shared: Shared,
    pub(crate) caller: Caller,
    pub(crate) path: PathParameters,
    pub(crate) query: Query,
    pub(crate) target: Target,
    pub(crate) headers: HeaderMap,
    pub(crate) is_head: bool,
    pub(crate) conditions: Conditions,
    pub(crate) sent: Sent,
}

impl Visit {
    /// The first parameter in the path, as it was sent.
    pub(crate) fn subject(&self) -> &str {
        self.path.first().unwrap_or_default()
    }

    /// The identifier in the path. Text that is not a UUID matches no record, so the error is `missing`.
    pub(crate) fn id<T: std::str::FromStr>(&self, missing: Error) -> Result<T, Error> {
        self.subject().parse().map_err(|_| missing)
    }

    /// The item with this identifier, with the revisions that the conditions allow.
    pub(crate) fn expect<I: Copy>(&self, id: I) -> Expected<I> {
        self.conditions.expect(id)
    }

    /// The outcome of a change. If the item is not in an expected revision, the refusal has its current tag, provided that
    /// the caller may read it.
    pub(crate) async fn or_current_tag<T>(
        &self,
        outcome: Result<T, Error>,
        current: impl Future<Output = Result<Response, Refusal>>,
    ) -> Result<T, Refusal> {
        match outcome {
            Err(Error::RevisionMismatch) => {
                let current = current.await.ok();
                let tag = current.and_then(|response| response.data::<EntityTag>().cloned());
                // A refusal does not wait until the change that it follows is committed. Until then, the item is read as it
                // was before.
                let is_old = |tag: &EntityTag| {
                    let expected = self.conditions.if_match.as_ref();
                    expected.is_some_and(|tags| tags.include_strongly(tag))
                };
                Err(Refusal::precondition_failed(tag.filter(|tag| !is_old(tag))))
            }
            outcome => Ok(outcome?),
        }
    }

    /// Reads the body as a JSON object. Without a body, the object is empty.
    pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, Refusal> {
        if bytes.is_empty() {
            return Ok(Map::new());
        }
        read_object(bytes)
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Bytes {
        match &self.sent {
            Sent::Json(bytes) => bytes.clone(),
            Sent::Nothing | Sent::Form(_) => Bytes::new(),
        }
    }
}

/// A refusal of a form because of a member with an invalid value.
pub(crate) fn invalid_member(member: &str, must_be: &str) -> Refusal {
    Refusal::is(ErrorKey::FormInvalid).about(member, &format!("must be {must_be}"))
}

/// The refusal of a body because of one member.
pub(crate) fn malformed(member: &str, must_be: &str) -> Refusal {
    Refusal::is(ErrorKey::InvalidRequestBody).about(member, &format!("must be {must_be}"))
}

/// The path and the query of a request, as they were sent.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) path: String,
    query: String,
}

impl Target {
    pub(crate) fn new(path: &str, query: Option<&str>) -> Self {
        Self {
            path: path.to_owned(),
            query: query.unwrap_or_default().to_owned(),
        }
    }

    /// The path and the query with the number of another page at the end.
    pub(crate) fn with_page(&self, page: u64) -> String {
        let is_page = |pair: &&str| {
            pair.split('=').next().and_then(percent::decode).as_deref() == Some("page")
        };
        let mut pairs: Vec<&str> = percent::pairs(&self.query)
            .filter(|pair| !is_page(pair))
            .collect();
        let page = format!("page={page}");
        pairs.push(&page);
        format!("{}?{}", self.path, pairs.join("&"))
    }
}

/// The maximum number of query parameters.
const PARAMETERS: usize = 200;
/// The default size of a page.
const PER_PAGE: u64 = 30;
/// The maximum size of a page. Larger numbers stand for this one.
const MOST_PER_PAGE: u64 = 100_000;

/// The query parameters of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    ///
    /// A refusal if it is not percent-encoded UTF-8, or there are too many parameters.
    pub(crate) fn read(query: Option<&str>) -> Result<Self, Refusal> {
        let query = query.unwrap_or_default();
        let invalid = || Refusal::is(ErrorKey::InvalidParameter);
        if percent::pairs(query).nth(PARAMETERS).is_some() {
            return Err(invalid().saying(format!("send at most {PARAMETERS} query parameters")));
        }
        let pairs = percent::decode_query(query);
        let pairs = pairs
            .ok_or_else(|| invalid().saying("the query string must be percent-encoded UTF-8"))?;
        Ok(Self(pairs))
    }

    /// The value of a parameter. The last one counts.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut found = self.0.iter().rev().filter(|(other, _)| other == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// All values of a parameter that is sent as `name[]`; `None` if it is absent.
    pub(crate) fn array(&self, name: &str) -> Option<Vec<&str>> {
        let is_element = |sent: &str| {
            let index = sent
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix('['));
            index.is_some_and(|index| index.ends_with(']'))
        };
        let values = self.0.iter().filter(|(sent, _)| is_element(sent));
        let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then_some(values)
    }

    /// The parameters whose names begin with a text, in the order in which they were sent.
    pub(crate) fn beginning_with(&self, text: &str) -> impl Iterator<Item = (&str, &str)> {
        let found = self
            .0
            .iter()
            .filter(move |(name, _)| name.starts_with(text));
        found.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether a parameter is switched on.
    ///
    /// # Errors
    ///
    /// A refusal if it is neither on nor off.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Refusal> {
        let value = self.text(name).unwrap_or_default().to_ascii_lowercase();
        match value.as_str() {
            "1" | "true" | "yes" | "on" => Ok(true),
            "0" | "false" | "no" | "off" | "" => Ok(false),
            _ => Err(invalid(name, "`true` or `false`")),
        }
    }

    /// The number of the page, and its size.
    ///
    /// # Errors
    ///
    /// A refusal if one of them is not a number, or zero.
    pub(crate) fn page(&self) -> Result<(u64, u64), Refusal> {
        let size = self.count("perPage", PER_PAGE)?;
        Ok((self.count("page", 1)?, size.min(MOST_PER_PAGE)))
    }

    fn count(&self, name: &str, default: u64) -> Result<u64, Refusal> {
        let Some(text) = self.text(name) else {
            return Ok(default);
        };
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // Larger numbers mean the same as this one.
        let number = text.parse().unwrap_or(u64::from(u32::MAX));
        if is_number && number > 0 {
            Ok(number.min(u64::from(u32::MAX)))
        } else {
            Err(invalid(name, "a whole number of at least 1"))
        }
    }

    /// The value of a parameter that is required.
    ///
    /// # Errors
    ///
    /// A refusal if it is absent or empty.
    pub(crate) fn required(&self, name: &str) -> Result<&str, Refusal> {
        let value = self.text(name).filter(|value| !value.is_empty());
        value.ok_or_else(|| Refusal::missing_parameters(vec![name.to_owned()]))
    }
}

fn invalid(name: &str, must_be: &str) -> Refusal {
    Refusal::is(ErrorKey::InvalidParameter).about(name, &format!("must be {must_be}"))
}

/// The kind of failure of an operation that lacks a member.
pub(crate) fn missing(member: &str) -> Refusal {
    Refusal::new(Fault::Missing).about(member, "is required")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Query {
        Query::read(Some(text)).unwrap()
    }

    #[test]
    fn pages_have_bounds() {
        for (text, expected) in [
            ("", Some((1, 30))),
            ("page=2&perPage=9999", Some((2, 9_999))),
            ("perPage=100000", Some((1, 100_000))),
            ("perPage=100001", Some((1, 100_000))),
            ("perPage=99999999999999999999999", Some((1, 100_000))),
            ("perPage=0", None),
            ("perPage=-1", None),
            ("perPage=", None),
            ("page=0", None),
            ("page=x", None),
        ] {
            assert_eq!(query(text).page().ok(), expected, "{text}");
        }
    }

    #[test]
    fn switches_have_several_words() {
        for word in ["1", "true", "YES", "on"] {
            assert_eq!(
                query(&format!("a={word}")).flag("a").ok(),
                Some(true),
                "{word}"
            );
        }
        for word in ["0", "False", "no", "off", ""] {
            assert_eq!(
                query(&format!("a={word}")).flag("a").ok(),
                Some(false),
                "{word}"
            );
        }
        assert!(query("a=maybe").flag("a").is_err());
        assert_eq!(query("").flag("a").ok(), Some(false));
    }

    #[test]
    fn arrays_have_brackets() {
        assert_eq!(
            query("a%5B%5D=1&a[]=2&b=3").array("a"),
            Some(vec!["1", "2"])
        );
        assert_eq!(query("a=1").array("a"), None);
    }

    #[test]
    fn the_page_comes_last() {
        let target = Target::new("/x", Some("page=3&a=%20&perPage=2"));
        assert_eq!(target.with_page(4), "/x?a=%20&perPage=2&page=4");
        assert_eq!(Target::new("/x", None).with_page(1), "/x?page=1");
    }
}
