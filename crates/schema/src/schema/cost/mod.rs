//! The cost of checking one location of the data.
//!
//! A short schema can cause an infeasible amount of work: thirty definitions that each refer twice to the next cause a
//! billion checks of the same location. The sub-schemas that apply to one location are therefore counted with all their
//! repetitions before a schema is accepted. Keywords that descend into the data start a new location with a new count, so
//! recursive schemas for trees are accepted.

use serde_json::Value;

use self::counting::{Counting, Sum};
use super::dialect::Applicator;
use super::rejection::Violation;
use super::structure::{Structure, push_token};

mod counting;
mod failures;

/// The maximum number of sub-schemas that may apply to one location of the data.
pub(super) const MAX_SCHEMAS_PER_LOCATION: u64 = 100_000;

/// The maximum length of a chain of sub-schemas that apply to one location, each applied by the one before.
///
/// The validator recurses once for each of them. Schemas in practice have a few dozen.
pub(super) const MAX_NESTING: usize = 500;

/// The cost of each sub-schema, with all that it applies to one location.
#[derive(Debug)]
pub(super) struct Cost(Vec<Sum>);

impl Cost {
    /// The longest chain of sub-schemas that apply to one location, each applied by the one before.
    pub(super) fn nesting(&self) -> usize {
        self.0.iter().map(|sum| sum.nesting).max().unwrap_or(0)
    }

    /// The maximum number of keys of `patternProperties` that may apply to one location.
    pub(super) fn key_patterns(&self) -> u64 {
        self.0.iter().map(|sum| sum.key_patterns).max().unwrap_or(0)
    }

    /// The number of sub-schemas that a check leaves when these fail: each may have failed because of one that it applies
    /// to the same location, and so on.
    pub(super) fn failing<'v>(
        &self,
        structure: &Structure<'_>,
        schemas: impl Iterator<Item = &'v Value>,
    ) -> usize {
        /// Keeps chains of alternatives usable, in which each is charged for all that follow.
        const MOST_OF_ONE: usize = 200;

        let sums = schemas.filter_map(|schema| self.0.get(structure.node_of(schema)?));
        sums.map(|sum| sum.nesting.min(MOST_OF_ONE))
            .fold(0, usize::saturating_add)
    }
}

/// Counts the sub-schemas of each location.
///
/// # Errors
///
/// A violation for each reference that refers back to itself without descending into the data; or one violation at the root
/// of an expensive location, if the sub-schemas that apply to it are too many or nested too deeply.
pub(super) fn check(structure: &Structure<'_>) -> Result<Cost, Vec<Violation>> {
    let sums = Counting::of_all(structure).map_err(|cycles| {
        let message = "must not refer back to itself without descending into the data";
        let violation = |(node, keyword)| {
            let mut pointer = structure.pointer(node);
            push_token(&mut pointer, keyword);
            Violation::of_keyword(keyword, pointer, message)
        };
        cycles.into_iter().map(violation).collect::<Vec<_>>()
    })?;
    let excess = |node: usize, message: String| {
        let violation = Violation::of_keyword("$ref", structure.pointer(node), message);
        Err(vec![violation])
    };
    let is_expensive = |node: &usize| {
        let sum = sums.get(*node);
        sum.is_some_and(|sum| sum.schemas > MAX_SCHEMAS_PER_LOCATION)
    };
    if let Some(node) = reachable_roots(structure).into_iter().find(is_expensive) {
        let most = MAX_SCHEMAS_PER_LOCATION;
        let message =
            format!("must not check one location in the data against more than {most} sub-schemas");
        return excess(node, message);
    }
    if let Some(node) = sums.iter().position(|sum| sum.nesting > MAX_NESTING) {
        let message = format!(
            "must not apply a chain of more than {MAX_NESTING} sub-schemas to one location in the data"
        );
        return excess(node, message);
    }
    Ok(Cost(sums))
}

/// The sub-schemas at which the count of a location starts: the root, and all sub-schemas reached from there by a step
/// into the data.
fn reachable_roots(structure: &Structure<'_>) -> Vec<usize> {
    let mut reached = vec![false; structure.nodes.len()];
    let mut roots = vec![0];
    let mut pending = vec![0];
    while let Some(node) = pending.pop() {
        match reached.get_mut(node) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        let edges = structure.nodes.get(node).map(|node| node.edges.as_slice());
        for edge in edges.unwrap_or_default() {
            pending.push(edge.target);
            if edge.applicator == Applicator::Child {
                roots.push(edge.target);
            }
        }
    }
    roots
}

#[cfg(test)]
mod tests;
