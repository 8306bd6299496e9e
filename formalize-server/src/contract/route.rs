//! Which operation a method and a path mean.

use super::{Operation, Verb};
use crate::percent;

/// What a method and a path mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matched {
    /// An operation.
    Operation(Operation),
    /// A route that has other methods: the value of the `Allow` header.
    OtherMethods(String),
    /// No route.
    Nothing,
}

/// Finds the operation of a request by its method and its path, still percent-encoded.
///
/// ```
/// use formalize_server::contract::{Matched, Operation, route};
/// assert_eq!(route("HEAD", "/formalize/forms"), Matched::Operation(Operation::ListForms));
/// assert_eq!(route("PUT", "/readyz"), Matched::OtherMethods("GET, HEAD".to_owned()));
/// assert_eq!(route("GET", "/formalize/forms/"), Matched::Nothing);
/// ```
pub fn route(method: &str, path: &str) -> Matched {
    let is_at_path = |operation: &&Operation| fits(operation.spec().path, path);
    let verb = Verb::of(method);
    let of_verb = |operation: &&Operation| Some(operation.spec().verb) == verb;
    if let Some(operation) = Operation::ALL.iter().filter(of_verb).find(is_at_path) {
        return Matched::Operation(*operation);
    }
    let mut methods = Vec::new();
    for operation in Operation::ALL.iter().filter(is_at_path) {
        match operation.spec().verb {
            Verb::Get => methods.extend(["GET", "HEAD"]),
            other => methods.push(other.name()),
        }
    }
    if methods.is_empty() {
        Matched::Nothing
    } else {
        Matched::OtherMethods(methods.join(", "))
    }
}

/// Whether a path has the form of a template: the same segments, any text where it has braces.
fn fits(template: &str, path: &str) -> bool {
    let mut segments = path.split('/');
    template.split('/').all(|expected| {
        segments.next().is_some_and(|segment| {
            if expected.starts_with('{') {
                is_text(segment)
            } else {
                segment == expected
            }
        })
    }) && segments.next().is_none()
}

fn is_text(segment: &str) -> bool {
    !segment.is_empty() && percent::decode(segment).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_takes_one_segment_of_any_text() {
        let template = "/formalize/forms/{identifier}";
        for path in [
            "/formalize/forms/x",
            "/formalize/forms/%20",
            "/formalize/forms/a%2Fb",
        ] {
            assert!(fits(template, path), "{path}");
        }
        for path in [
            "/formalize/forms",
            "/formalize/forms/",
            "/formalize/forms/x/",
            "/formalize/forms/x/y",
            "/formalize/forms/%ff",
            "/formalize/forms/%2",
            "/Formalize/forms/x",
        ] {
            assert!(!fits(template, path), "{path}");
        }
    }

    #[test]
    fn other_methods_are_named() {
        assert_eq!(
            route("PUT", "/authorization/groups/x"),
            Matched::OtherMethods("GET, HEAD, PATCH, DELETE".to_owned())
        );
        assert_eq!(route("OPTIONS", "/nowhere"), Matched::Nothing);
    }
}
