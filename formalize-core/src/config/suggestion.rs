//! Suggestions for misspelled names.

/// The name most similar to `mistyped`, if at most a third of its characters differ. Of equally similar names it is the
/// first.
pub(super) fn nearest<'a>(
    mistyped: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let measured = names
        .into_iter()
        .map(|name| (strsim::levenshtein(mistyped, name), name));
    let (distance, name) = measured.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.chars().count() / 3).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let names = ["create_groups", "create_forms", "manage_collection"];
        assert_eq!(nearest("create_form", names), Some("create_forms"));
        assert_eq!(nearest("create-group", names), Some("create_groups"));
        assert_eq!(
            nearest("manageCollection", names),
            Some("manage_collection")
        );
        assert_eq!(nearest("delete", names), None);
        assert_eq!(nearest("x", []), None);
        assert_eq!(nearest("", ["a"]), None);
    }
}
