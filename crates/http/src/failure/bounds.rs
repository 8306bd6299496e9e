//! How large a refusal can be: it repeats parts of the request, such as the names of unknown fields.

use formalize_views::MAX_FAULTS;
use serde_json::Value;

/// The maximum size of a refusal, in bytes.
pub(super) const MAX_DOCUMENT: usize = 256 << 10;

/// The maximum size of all names together, in bytes of JSON.
const MAX_NAMES: usize = 64 << 10;

/// The maximum length of a name, in bytes of JSON.
const MAX_NAME: usize = 8 << 10;

/// The maximum length of a detail, in bytes of JSON.
const MAX_DETAIL: usize = 8 << 10;

/// The names and sentences about the first faults. The last sentence counts the others.
pub(super) fn told(faults: Vec<(String, String)>) -> (Vec<String>, Vec<String>) {
    let omitted = faults.len().saturating_sub(MAX_FAULTS);
    let (names, mut sentences): (Vec<String>, Vec<String>) =
        faults.into_iter().take(MAX_FAULTS).unzip();
    if omitted > 0 {
        sentences.push(format!("and {omitted} more"));
    }
    (names, sentences)
}

/// The first names, as many as fit; long ones are cut off.
pub(super) fn names(all: &[String]) -> Vec<String> {
    let mut left = MAX_NAMES;
    let names = all.iter().map(|name| cut(name, MAX_NAME));
    let fitting = names.map_while(|name| {
        left = left.checked_sub(length(&name))?;
        Some(name)
    });
    fitting.collect()
}

/// A detail, cut off if it is long.
pub(super) fn detail(text: &str) -> String {
    cut(text, MAX_DETAIL)
}

fn cut(text: &str, limit: usize) -> String {
    // A character takes up at least a byte, so this bounds the work for a long text.
    let start = text.get(..text.floor_char_boundary(limit + 1));
    let mut start = start.unwrap_or(text);
    if start.len() == text.len() && length(start) <= limit {
        return text.to_owned();
    }
    while length(start) > limit {
        let shorter = start.floor_char_boundary(start.len() / 8 * 7);
        start = start.get(..shorter).unwrap_or_default();
    }
    format!("{start}\u{2026}")
}

/// The length of a text in JSON.
fn length(text: &str) -> usize {
    Value::from(text).to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_off_as_they_are_written() {
        for one in ["a", "\u{1}", "\u{1f600}", "\"", "\u{e4}"] {
            for number in [0, 1, 1_000, 4_000, 8_190, 8_191, 100_000] {
                let text = one.repeat(number);
                let kept = cut(&text, MAX_NAME);
                assert!(length(&kept) <= MAX_NAME + 4, "{one:?} {number}");
                if length(&text) <= MAX_NAME {
                    assert_eq!(kept, text);
                } else {
                    assert!(length(&kept) > MAX_NAME / 2, "{one:?} {number}");
                    assert!(
                        kept.ends_with('\u{2026}')
                            && text.starts_with(kept.trim_end_matches('\u{2026}'))
                    );
                }
            }
        }
    }

    #[test]
    fn the_first_faults_are_told() {
        let fault = |number: usize| (number.to_string(), format!("unknown field {number}"));
        let (names, sentences) = told((0..100).map(fault).collect());
        assert_eq!((names.len(), sentences.len()), (64, 65));
        assert_eq!(sentences[64], "and 36 more");
        assert_eq!(told(vec![fault(1)]).1, ["unknown field 1"]);
    }

    #[test]
    fn names_fit_together() {
        let kept = names(&vec!["n".repeat(60_000); 100]);
        assert_eq!(kept.len(), 9);
        let numbers: Vec<String> = (0..1_000).map(|number| number.to_string()).collect();
        assert_eq!(names(&numbers), numbers);
    }
}
