//! The location of problems in the tree.

use serde_json::Value;

use super::{Question, QuestionKind, Questions};
use crate::schema::{FileAttributeName, Violation, push_token};

/// Adds each violation to the question that it is about: the one at its location, or the nearest one above. A missing
/// member is a problem of that member.
pub(super) fn place(questions: &mut Questions, violations: Vec<Violation>) {
    let omitted = violations.len().saturating_sub(Questions::MAX_PROBLEMS);
    questions.omitted_problems += omitted;
    for violation in violations.into_iter().take(Questions::MAX_PROBLEMS) {
        let mut pointer = violation.instance_path.clone();
        let missing = violation.params.get("missingProperty");
        if let Some(missing) = missing.and_then(Value::as_str) {
            push_token(&mut pointer, missing);
        }
        put(&mut questions.root, &pointer, violation);
    }
}

/// Adds a violation to the question for its group of files, or to the root if the group has none.
pub(super) fn place_file(
    questions: &mut Questions,
    group: &FileAttributeName,
    problem: &Violation,
) {
    let mut files = questions.files.iter_mut();
    let problems = match files.find(|question| question.attribute == *group) {
        Some(question) => &mut question.problems,
        None => &mut questions.root.problems,
    };
    // Two files can have the same problem, which is said once.
    if !problems.contains(problem) {
        problems.push(problem.clone());
    }
}

/// Adds a violation to the innermost question that contains a location.
fn put(question: &mut Question, pointer: &str, violation: Violation) {
    let contains = |child: &&mut Question| {
        let below = pointer.strip_prefix(child.pointer.as_str());
        let is_inside = below.is_some_and(|below| below.is_empty() || below.starts_with('/'));
        is_inside && child.kind != QuestionKind::Rest
    };
    match question.children.iter_mut().find(contains) {
        Some(child) => put(child, pointer, violation),
        None => question.problems.push(violation),
    }
}
