//! Routing: finds the operation for a method and a path, and decodes the parameters in the path.

use super::{Operation, Verb};
use crate::percent;

/// The result of routing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matched {
    /// An operation.
    Operation(Operation, PathParameters),
    /// A route that supports other methods: the value of the `Allow` header.
    OtherMethods(String),
    /// No route.
    Nothing,
}

/// The parameters in a path, by name and decoded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathParameters(Vec<(&'static str, String)>);

impl PathParameters {
    /// The parameter with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(other, _)| *other == name)?;
        Some(value)
    }

    /// The first parameter.
    pub fn first(&self) -> Option<&str> {
        let (_, value) = self.0.first()?;
        Some(value)
    }
}

/// Finds the operation of a request by its method and its path, which is still percent-encoded.
///
/// ```
/// use formalize_http::contract::{Matched, Operation, route};
/// let Matched::Operation(operation, parameters) = route("HEAD", "/formalize/forms/a%20b") else { panic!() };
/// assert_eq!((operation, parameters.get("identifier")), (Operation::GetForm, Some("a b")));
/// assert_eq!(route("PUT", "/readyz"), Matched::OtherMethods("GET, HEAD".to_owned()));
/// assert_eq!(route("GET", "/formalize/forms/"), Matched::Nothing);
/// ```
pub fn route(method: &str, path: &str) -> Matched {
    let verb = Verb::of(method);
    // Paths without parameters take precedence: `/formalize/submissions/export` is not a submission named `export`.
    let is_literal = Operation::ALL.iter().any(|one| one.spec().path == path);
    let is_possible = |one: &&Operation| !is_literal || one.spec().path == path;
    let possible = || Operation::ALL.iter().filter(is_possible);
    let mut of_verb = possible().filter(|operation| Some(operation.spec().verb) == verb);
    if let Some(matched) = of_verb.find_map(|operation| {
        let parameters = parameters(operation.spec().path, path)?;
        Some(Matched::Operation(*operation, parameters))
    }) {
        return matched;
    }
    let is_at_path = |operation: &&Operation| parameters(operation.spec().path, path).is_some();
    let others = possible().filter(is_at_path);
    let allow = allow(others.map(|operation| operation.spec().verb));
    allow.map_or(Matched::Nothing, Matched::OtherMethods)
}

/// The value of the `Allow` header of a path that supports these methods; `None` if it supports none.
pub fn allow(verbs: impl IntoIterator<Item = Verb>) -> Option<String> {
    let mut methods = Vec::new();
    for verb in verbs {
        methods.push(verb.name());
        methods.extend((verb == Verb::Get).then_some("HEAD"));
    }
    (!methods.is_empty()).then(|| methods.join(", "))
}

/// The parameters of a path that matches a template. Segments in braces match any text.
pub fn parameters(template: &'static str, path: &str) -> Option<PathParameters> {
    let (literal, _) = template.split_once('{').unwrap_or((template, ""));
    if !path.starts_with(literal) {
        return None;
    }
    let mut parameters = Vec::new();
    let mut segments = path.split('/');
    for expected in template.split('/') {
        let segment = segments.next()?;
        match name(expected) {
            Some(_) if segment.is_empty() => return None,
            Some(name) => parameters.push((name, percent::decode(segment)?)),
            None if segment == expected => {}
            None => return None,
        }
    }
    segments
        .next()
        .is_none()
        .then_some(PathParameters(parameters))
}

/// The name of a parameter, if a segment of a template is one.
fn name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_matches_one_segment_with_any_text() {
        let template = "/formalize/forms/{identifier}";
        for path in [
            "/formalize/forms/x",
            "/formalize/forms/%20",
            "/formalize/forms/a%2Fb",
        ] {
            assert!(parameters(template, path).is_some(), "{path}");
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
            assert!(parameters(template, path).is_none(), "{path}");
        }
    }

    #[test]
    fn other_methods_are_listed() {
        assert_eq!(
            route("PUT", "/authorization/groups/x"),
            Matched::OtherMethods("GET, HEAD, PATCH, DELETE".to_owned())
        );
        assert_eq!(route("OPTIONS", "/nowhere"), Matched::Nothing);
    }
}
