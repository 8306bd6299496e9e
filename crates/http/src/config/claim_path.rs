//! The path of a claim.

use std::fmt;

use serde_json::{Map, Value};

/// The path of a claim: its name, or the names of nested claims separated by dots.
///
/// A name may contain dots, as URLs do: the longest existing name is used.
///
/// ```
/// use formalize_http::config::ClaimPath;
/// use serde_json::json;
///
/// let claims = json!({"realm_access": {"roles": ["staff"]}, "https://example.org/team": "a"});
/// let find = |path: &str| ClaimPath::new(path).and_then(|path| path.find(claims.as_object()?).cloned());
/// assert_eq!(find("realm_access.roles"), Some(json!(["staff"])));
/// assert_eq!(find("https://example.org/team"), Some(json!("a")));
/// assert_eq!(find("realm_access.groups"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPath(String);

impl ClaimPath {
    /// Parses a path; `None` if the text or one of its names is empty.
    pub fn new(path: impl Into<String>) -> Option<Self> {
        let path = path.into();
        let is_whole = path.split('.').all(|name| !name.is_empty());
        is_whole.then_some(Self(path))
    }

    /// The claim at this path.
    pub fn find<'a>(&self, claims: &'a Map<String, Value>) -> Option<&'a Value> {
        find(claims, &self.0)
    }
}

impl fmt::Display for ClaimPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn find<'a>(claims: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(claim) = claims.get(path) {
        return Some(claim);
    }
    path.rmatch_indices('.').find_map(|(dot, _)| {
        let (name, rest) = (path.get(..dot)?, path.get(dot + 1..)?);
        find(claims.get(name)?.as_object()?, rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_longest_existing_name_is_used() {
        let claims = json!({
            "roles": ["a"],
            "realm_access": {"roles": ["b"]},
            "resource_access": {"my.client": {"roles": ["c"]}},
            "https://example.org/roles": ["d"],
            "a.b": 1,
            "a": {"b": 2, "c": 3},
            "text": "x",
        });
        let claims = claims.as_object().unwrap();
        for (path, found) in [
            ("roles", Some(json!(["a"]))),
            ("realm_access.roles", Some(json!(["b"]))),
            ("resource_access.my.client.roles", Some(json!(["c"]))),
            ("https://example.org/roles", Some(json!(["d"]))),
            ("a.b", Some(json!(1))),
            ("a.c", Some(json!(3))),
            ("text.length", None),
            ("roles.0", None),
            ("nothing", None),
        ] {
            let path = ClaimPath::new(path).unwrap();
            assert_eq!(path.find(claims), found.as_ref(), "{path}");
        }
    }

    #[test]
    fn empty_names_are_rejected() {
        for path in ["", ".", "a.", ".a", "a..b"] {
            assert_eq!(ClaimPath::new(path), None, "{path}");
        }
    }
}
