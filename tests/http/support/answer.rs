//! Properties of every response.

use std::fmt;

use formalize_pages::Drawn;
use poem::http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::{BASE, id};

/// A response of the service.
pub(crate) struct Answer {
    pub(crate) asked: String,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// Where it was made, for a page with questions or answers.
    pub(crate) drawn: Option<Drawn>,
}

impl Answer {
    /// A header, which must not be repeated.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next().map(|value| value.to_str().unwrap());
        assert!(values.next().is_none(), "{self}: {name} is there twice");
        value
    }

    /// The cookies that the response sets.
    pub(crate) fn cookies(&self) -> impl Iterator<Item = &str> {
        let cookies = self.headers.get_all("set-cookie").iter();
        cookies.map(|cookie| cookie.to_str().unwrap())
    }

    /// Every header except one, by name.
    pub(crate) fn headers_but(&self, name: &str) -> Vec<(&str, &str)> {
        let headers = self.headers.iter();
        let mut headers: Vec<_> = headers
            .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
            .filter(|(other, _)| *other != name)
            .collect();
        headers.sort_unstable();
        headers
    }

    /// The body of a success after checking its general properties; `null` if there is none.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{self}");
        assert!(self.header("x-request-id").is_some(), "{self}");
        if status == 204 {
            assert!(
                self.body.is_empty() && self.header("content-type").is_none(),
                "{self}"
            );
            return Value::Null;
        }
        assert_eq!(
            self.header("content-type"),
            Some("application/json; charset=utf-8"),
            "{self}"
        );
        let value: Value = serde_json::from_slice(&self.body).unwrap();
        let other = ["items", "question", "byDay", "results", "deletes"];
        let is_item = other.iter().all(|name| value.get(name).is_none());
        let tag = self.header("etag").unwrap_or_default();
        let is_strong = tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"');
        assert_eq!(is_strong, is_item, "{self}: items have a strong ETag");
        if status == 201 {
            let (_, path) = self.asked.split_once(' ').unwrap();
            let collection = path.split('?').next().unwrap();
            let location = format!("{BASE}{collection}/{}", id(&value));
            assert_eq!(self.header("location"), Some(location.as_str()), "{self}");
        }
        value
    }

    /// Asserts an error with these details and the general properties of errors.
    #[track_caller]
    pub(crate) fn refuse(&self, status: u16, error_id: &str, details: impl Into<Value>) {
        let problem = self.problem(status, error_id);
        assert_eq!(problem["relay:errorDetails"], details.into(), "{self}");
    }

    /// The problem document of an error after checking its general properties.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, error_id: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{self}");
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{self}"
        );
        assert!(self.header("x-request-id").is_some(), "{self}");
        assert_eq!(
            self.header("www-authenticate").is_some(),
            status == 401,
            "{self}"
        );
        assert_eq!(self.header("allow").is_some(), status == 405, "{self}");
        let problem: Value = serde_json::from_slice(&self.body).unwrap();
        let expected = [
            "type",
            "title",
            "status",
            "detail",
            "relay:errorId",
            "relay:errorDetails",
        ];
        let violates = error_id.ends_with("invalid-json") || error_id.ends_with("-schema");
        let mut expected = expected.to_vec();
        expected.extend(violates.then_some("violations"));
        expected.extend(error_id.ends_with(":batch-refused").then_some("results"));
        expected.sort_unstable();
        let mut members: Vec<&str> = problem
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        members.sort_unstable();
        assert_eq!(members, expected, "{self}");
        assert_eq!(problem["relay:errorId"], error_id, "{self}");
        assert_eq!(
            problem["type"],
            format!("urn:formalize:error:{error_id}"),
            "{self}"
        );
        assert_eq!(problem["status"], status, "{self}");
        for phrase in ["title", "detail"] {
            assert!(!problem[phrase].as_str().unwrap().is_empty(), "{self}");
        }
        problem
    }

    /// The path and query of the next page.
    pub(crate) fn next(&self) -> Option<String> {
        let link = self.header("link")?;
        let link = link.strip_prefix(&format!("<{BASE}")).unwrap();
        Some(link.strip_suffix(">; rel=\"next\"").unwrap().to_owned())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        let shown: String = body.chars().take(2000).collect();
        write!(
            formatter,
            "{} -> {} {shown}",
            self.asked,
            self.status.as_u16()
        )
    }
}
