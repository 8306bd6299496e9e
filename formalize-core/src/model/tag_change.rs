//! Changes of the tags of a submission.

use std::collections::HashSet;

use super::tag::{AvailableTags, Tag, Tags};
use super::words::{TagAction, TagActions};

/// Why a submission cannot have the tags that a request wants.
#[derive(Debug)]
pub(crate) enum RefusedTags {
    /// The caller may not change them in this way.
    Forbidden,
    /// The form does not have these, or they are too many.
    Invalid(Vec<String>),
}

impl Tags {
    /// The tags after a request to have `wanted` instead of these, if the caller may do this with the tags of the form.
    ///
    /// # Errors
    ///
    /// [`RefusedTags::Forbidden`] if the caller may not see, add or remove tags as it would need; [`RefusedTags::Invalid`] with
    /// the added tags that the form does not have, or those that are too many, at most [`Tags::MAX`] of them.
    pub(crate) fn replaced(
        &self,
        wanted: &[String],
        allowed: TagActions,
        available: &AvailableTags,
    ) -> Result<Self, RefusedTags> {
        ensure!(allowed.contains(TagAction::Read), RefusedTags::Forbidden);
        let mut seen = HashSet::new();
        let wanted = wanted.iter().map(String::as_str);
        let wanted: Vec<&str> = wanted.filter(|text| seen.insert(*text)).collect();
        let old: HashSet<&str> = self.iter().collect();
        let is_added = wanted.iter().any(|text| !old.contains(text));
        let is_removed = old.iter().any(|text| !seen.contains(text));
        let is_allowed = (!is_added || allowed.contains(TagAction::Add))
            && (!is_removed || allowed.contains(TagAction::Remove));
        ensure!(is_allowed, RefusedTags::Forbidden);
        if !is_added && !is_removed {
            return Ok(self.clone());
        }
        let known = available.identifiers();
        let known: HashSet<&str> = known.iter().map(String::as_str).collect();
        let unknown = wanted.iter();
        let unknown = unknown.filter(|text| !old.contains(*text) && !known.contains(*text));
        // A request may have very many, which are not all repeated to its sender.
        let mut refused: Vec<&str> = unknown.copied().take(Self::MAX).collect();
        if refused.is_empty() {
            refused = wanted
                .iter()
                .copied()
                .skip(Self::MAX)
                .take(Self::MAX)
                .collect();
        }
        if !refused.is_empty() {
            let refused = refused.into_iter().map(str::to_owned).collect();
            return Err(RefusedTags::Invalid(refused));
        }
        Ok(wanted.into_iter().filter_map(Tag::new).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::tag::TagPermissions::{self, Add, Hidden, Read, Remove};

    fn texts(tags: &[&str]) -> Vec<String> {
        tags.iter().map(|text| (*text).to_owned()).collect()
    }

    fn tags(tags: &[&str]) -> Tags {
        tags.iter().filter_map(|text| Tag::new(text)).collect()
    }

    fn available(tags: &[&str]) -> AvailableTags {
        let tags: Vec<_> = tags.iter().map(|tag| json!({"identifier": tag})).collect();
        AvailableTags::new(&tags).unwrap()
    }

    #[test]
    fn each_change_needs_its_own_permission() {
        let (old, form) = (tags(&["a", "b"]), available(&["a", "c"]));
        let change = |wanted: &[&str], allowed: TagPermissions| {
            let changed = old.replaced(&texts(wanted), allowed.actions(), &form);
            changed
                .map(|tags| tags.iter().collect::<Vec<_>>().join(" "))
                .ok()
        };
        for (wanted, hidden, read, add, remove) in [
            // The same tags in another order are no change.
            (
                &["b", "a", "b"][..],
                None,
                Some("a b"),
                Some("a b"),
                Some("a b"),
            ),
            (
                &["a", "b", "c", "c"],
                None,
                None,
                Some("a b c"),
                Some("a b c"),
            ),
            // The form no longer has "b".
            (&["c", "b"], None, None, None, Some("c b")),
            (&[], None, None, None, Some("")),
        ] {
            let allowed = [Hidden, Read, Add, Remove].map(|allowed| change(wanted, allowed));
            let expected = [hidden, read, add, remove].map(|tags| tags.map(str::to_owned));
            assert_eq!(allowed, expected, "{wanted:?}");
        }
    }

    #[test]
    fn unknown_tags_and_those_that_are_too_many_are_named() {
        let numbers: Vec<String> = (0..60).map(|number| number.to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let form = available(&numbers);
        let refused = |wanted: &[String]| {
            let all = Remove.actions();
            match Tags::default().replaced(wanted, all, &form) {
                Err(RefusedTags::Invalid(tags)) => tags,
                other => panic!("{other:?}"),
            }
        };
        let long = "x".repeat(129);
        assert_eq!(refused(&texts(&["1", "x", &long])), ["x", &long]);
        assert_eq!(refused(&texts(&numbers[..52])), ["50", "51"]);
        let many: Vec<String> = (100..300).map(|number| number.to_string()).collect();
        assert_eq!(refused(&many).len(), Tags::MAX);
    }
}
