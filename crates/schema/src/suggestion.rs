//! Suggestions for misspelled names.

/// The name most similar to `mistyped`, if at most a third of its characters differ. Of equally similar names it is the
/// first.
///
/// ```
/// use formalize_schema::nearest_name;
///
/// let fields = ["name", "availableStarts", "availabilityEnds"];
/// assert_eq!(nearest_name("availableStart", fields), Some("availableStarts"));
/// assert_eq!(nearest_name("colour", fields), None);
/// ```
pub fn nearest_name<'a>(
    mistyped: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = mistyped.chars().count();
    let measured = names.into_iter().filter_map(|name| {
        let most = name.chars().count() / 3;
        // Names of very different lengths are not compared, because the mistyped one may be very long.
        if length.abs_diff(name.chars().count()) > most {
            return None;
        }
        let distance = strsim::levenshtein(mistyped, name);
        (distance <= most).then_some((distance, name))
    });
    let (_, name) = measured.min_by_key(|(distance, _)| *distance)?;
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let names = ["create_groups", "create_forms", "manage_collection"];
        let nearest = |mistyped| nearest_name(mistyped, names);
        assert_eq!(nearest("create_form"), Some("create_forms"));
        assert_eq!(nearest("create-group"), Some("create_groups"));
        assert_eq!(nearest("manageCollection"), Some("manage_collection"));
        assert_eq!(nearest("delete"), None);
        assert_eq!(nearest(&"create_forms".repeat(100_000)), None);
        assert_eq!(nearest_name("x", []), None);
        assert_eq!(nearest_name("", ["a"]), None);
    }
}
