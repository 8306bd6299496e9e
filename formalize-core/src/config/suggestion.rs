//! Finding what a mistyped name was meant to be.

/// The name nearest to `mistyped`, if one is near enough to be what was meant: at most a third of
/// its characters are changed, added or left out. Of equally near names it is the first.
pub(super) fn nearest<'a>(
    mistyped: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let measured = names
        .into_iter()
        .map(|name| (distance(mistyped, name), name));
    let (distance, name) = measured.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.chars().count() / 3).then_some(name)
}

/// How many characters must be changed, added or removed to make `a` into `b` (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // The distances from the part of `a` read so far to every beginning of `b`.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (read, from) in a.chars().enumerate() {
        let mut last = read + 1;
        let mut next = vec![last];
        for (to, above) in b.iter().zip(row.windows(2)) {
            let [changed, added] = above else { continue };
            last = (changed + usize::from(from != *to))
                .min(added + 1)
                .min(last + 1);
            next.push(last);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        let table = [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("grün", "grau", 2),
        ];
        for (a, b, expected) in table {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_near_names_are_suggested() {
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
