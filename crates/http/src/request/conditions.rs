//! The conditions of a request, validated for its operation.

use formalize_core::{Expected, Revision};
use poem::http::{HeaderMap, header};

use crate::{
    contract::{
        ErrorKey, Operation, Verb,
        condition::{IF_MATCH, IF_NONE_MATCH},
    },
    failure::Refusal,
    tag::{EntityTag, Tags},
};

/// The conditions of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The request is performed only if the item has one of these tags.
    pub if_match: Option<Tags>,
    /// The request is performed only if the item has none of these tags.
    pub if_none_match: Option<Tags>,
}

impl Conditions {
    /// Validates the conditional headers of a request for an operation.
    ///
    /// `If-Match` is ignored on collections, and both headers are ignored when a list is read. Elsewhere an unsupported
    /// `If-None-Match` is an error, because the client relies on it to prevent a repeated change.
    ///
    /// # Errors
    ///
    /// A refusal that names every header that is malformed or not supported by the operation.
    pub fn validate(operation: Operation, headers: &HeaderMap) -> Result<Self, Refusal> {
        let spec = operation.spec();
        if spec.verb == Verb::Get && !spec.tagged {
            return Ok(Self::default());
        }
        let if_match = if spec.tagged {
            read(headers, &header::IF_MATCH)
        } else {
            Ok(None)
        };
        let if_none_match = read(headers, &header::IF_NONE_MATCH).and_then(|tags| match &tags {
            Some(_) if !spec.tagged => Err("is not supported for this operation"),
            Some(Tags::OneOf(_)) if spec.verb != Verb::Get => Err("must be `*` for this operation"),
            _ => Ok(tags),
        });
        match (if_match, if_none_match) {
            (Ok(if_match), Ok(if_none_match)) => Ok(Self {
                if_match,
                if_none_match,
            }),
            (if_match, if_none_match) => {
                let faults = [
                    (IF_MATCH, if_match.err()),
                    (IF_NONE_MATCH, if_none_match.err()),
                ];
                let faults = faults.into_iter().filter_map(|(name, fault)| {
                    let sentence = format!("{name} {}", fault?);
                    Some((name.to_owned(), sentence))
                });
                let faults = faults.collect();
                Err(Refusal::listing(ErrorKey::InvalidParameter, faults))
            }
        }
    }

    /// The item to change or delete, with the revisions that the conditions allow. `If-None-Match: *` allows none,
    /// because an existing item always matches.
    pub fn expect<I: Copy>(&self, id: I) -> Expected<I> {
        match self.revisions() {
            Some(revisions) => Expected::in_one_of(id, revisions),
            None => id.into(),
        }
    }

    /// Whether an item may be changed or deleted in this revision.
    pub fn allow(&self, revision: Revision) -> bool {
        self.revisions()
            .is_none_or(|revisions| revisions.contains(&revision))
    }

    /// The refusal of a change or deletion of an item that does not meet the conditions; `tag` is its current tag.
    pub fn refusal(&self, tag: Option<EntityTag>) -> Refusal {
        let refusal = Refusal::precondition_failed(tag);
        match self.if_none_match {
            // This allows no revision, whether or not the item has changed.
            Some(_) => refusal.saying("the item exists; If-None-Match is only useful for reading"),
            None => refusal,
        }
    }

    fn revisions(&self) -> Option<Vec<Revision>> {
        match self.if_none_match {
            Some(_) => Some(Vec::new()),
            None => self.if_match.as_ref().and_then(Tags::revisions),
        }
    }
}

/// The tags in a header, whose lines are one list; the error is the requirement that the header does not meet.
fn read(headers: &HeaderMap, name: &header::HeaderName) -> Result<Option<Tags>, &'static str> {
    let lines: Vec<&[u8]> = headers
        .get_all(name)
        .iter()
        .map(header::HeaderValue::as_bytes)
        .collect();
    if lines.is_empty() {
        return Ok(None);
    }
    Tags::parse(&lines.join(b", ".as_slice()))
        .map(Some)
        .ok_or("must be `*` or a list of entity tags in double quotes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn validate(
        operation: Operation,
        lines: &[(&'static str, &str)],
    ) -> Result<Conditions, Vec<String>> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        Conditions::validate(operation, &headers).map_err(|refusal| refusal.names().to_vec())
    }

    #[test]
    fn conditions_are_evaluated_rejected_or_ignored() {
        use Operation::{
            CreateGroup, DeleteGroup, DeleteSubmissions, GetGroup, GetHealth, ListGroups,
            UpdateGroup,
        };
        let none = || Ok(Conditions::default());
        let refused = || Err(vec![IF_NONE_MATCH.to_owned()]);
        let any = Some(Tags::Any);
        for operation in [ListGroups, GetHealth] {
            assert_eq!(
                validate(operation, &[("if-match", "a"), ("if-none-match", "a")]),
                none()
            );
        }
        for operation in [CreateGroup, DeleteSubmissions] {
            assert_eq!(validate(operation, &[("if-match", "a")]), none());
            assert_eq!(validate(operation, &[("if-none-match", "*")]), refused());
            assert_eq!(
                validate(operation, &[("if-none-match", "\"a\"")]),
                refused()
            );
        }
        for operation in [UpdateGroup, DeleteGroup] {
            assert_eq!(
                validate(operation, &[("if-none-match", "\"a\"")]),
                refused()
            );
            let if_none_match = any.clone();
            let expected = Conditions {
                if_none_match,
                ..Conditions::default()
            };
            assert_eq!(validate(operation, &[("if-none-match", "*")]), Ok(expected));
        }
        for operation in [UpdateGroup, DeleteGroup, GetGroup] {
            let if_match = any.clone();
            let expected = Conditions {
                if_match,
                ..Conditions::default()
            };
            assert_eq!(validate(operation, &[("if-match", "*")]), Ok(expected));
            let both = Err(vec![IF_MATCH.to_owned(), IF_NONE_MATCH.to_owned()]);
            assert_eq!(
                validate(operation, &[("if-none-match", ""), ("if-match", "a")]),
                both
            );
            assert_eq!(validate(operation, &[]), none());
        }
    }

    #[test]
    fn repeated_headers_are_one_list() {
        let conditions = |lines: &[&str]| {
            let lines: Vec<_> = lines.iter().map(|line| ("if-match", *line)).collect();
            validate(Operation::UpdateGroup, &lines).ok()
        };
        assert_eq!(
            conditions(&["\"a\"", "\"b\""]),
            conditions(&["\"a\", \"b\""])
        );
        assert_eq!(conditions(&["\"a\"", ""]), conditions(&["\"a\""]));
        assert_eq!(conditions(&["*", "*"]), None);
        assert_eq!(conditions(&["\"a", "b\""]), None);
    }
}
