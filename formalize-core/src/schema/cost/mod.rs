//! The cost of checking one location of the data.
//!
//! A short schema can cause an infeasible amount of work: thirty definitions that each refer twice to the next cause a
//! billion checks of the same location. The sub-schemas that apply to one location are therefore counted with all their
//! repetitions before a schema is accepted. Keywords that step into the data start a new location with a new count, so
//! recursive schemas for trees are accepted.

use serde_json::Value;

use self::counting::Counting;
use super::dialect::Reach;
use super::rejection::Violation;
use super::structure::{Structure, push_token};

mod counting;
mod failures;

/// The maximum number of sub-schemas that may apply to one location of the data.
pub(super) const MAX_SCHEMAS_PER_PLACE: u64 = 100_000;

/// The counts of a schema.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) cost: Cost,
    /// The number of sub-schemas that each sub-schema applies to one location, including itself.
    applied: Vec<u64>,
}

impl Counts {
    /// The number of sub-schemas that may fail at one location without making this one fail: those in alternatives and
    /// conditions.
    pub(super) fn failing(&self, structure: &Structure<'_>, node: usize) -> u64 {
        /// Keeps chains of alternatives usable, in which each is charged for all that follow.
        const MOST_OF_ONE: u64 = 200;

        let Some(members) = structure
            .nodes
            .get(node)
            .and_then(|node| node.schema.as_object())
        else {
            return 0;
        };
        let alternatives = ["anyOf", "oneOf"]
            .iter()
            .filter_map(|keyword| members.get(*keyword));
        let alternatives = alternatives.filter_map(Value::as_array).flatten();
        let conditions = ["not", "if"]
            .iter()
            .filter_map(|keyword| members.get(*keyword));
        let applied = alternatives
            .chain(conditions)
            .filter_map(|schema| self.applied.get(structure.node_of(schema)?));
        applied.fold(0, |sum: u64, applied| {
            sum.saturating_add((*applied).min(MOST_OF_ONE))
        })
    }
}

/// The longest chain of sub-schemas that `unevaluatedProperties` and `unevaluatedItems` may follow.
///
/// The validator stores it for each link of the chain.
const MAX_UNEVALUATED_NESTING: usize = 2_000;

/// The cost of a schema with its references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// The longest chain of sub-schemas that apply to one location, each applied by the one before.
    pub(super) nesting: usize,
    /// The maximum number of violations for one value of the data, at any location.
    ///
    /// This is the number of paths through the schema, including steps into the data, each multiplied by the possible
    /// violations at its end. It is unlimited for recursive schemas, where it grows with each level of the data.
    pub(super) ways: u64,
    /// The maximum number of keys of `patternProperties` that may apply to one location.
    pub(super) key_patterns: u64,
}

/// Counts the sub-schemas of each location.
///
/// Takes linear time in the size of the schema: each sub-schema is counted once, and its count is added to those that
/// apply it.
///
/// # Errors
///
/// A violation for each reference that leads back to itself without a step into the data; or one violation at the root
/// of an expensive location, if more than [`MAX_SCHEMAS_PER_PLACE`] sub-schemas apply to it.
pub(super) fn check(structure: &Structure<'_>) -> Result<Counts, Vec<Violation>> {
    let mut places = Counting::new(structure, false, |_, _| 1);
    places.count_all();
    if !places.circles.is_empty() {
        return Err(places
            .circles
            .iter()
            .map(|circle| circle_violation(structure, *circle))
            .collect());
    }
    let roots = reachable_places(structure);
    if let Some(place) = roots
        .into_iter()
        .find(|place| places.known(*place).schemas > MAX_SCHEMAS_PER_PLACE)
    {
        let message = format!(
            "must not check one place of the data against more than {MAX_SCHEMAS_PER_PLACE} sub-schemas"
        );
        let pointer = structure.pointer(place);
        return Err(vec![Violation::of_keyword("$ref", pointer, message)]);
    }
    let chains = places.long_unevaluated();
    if !chains.is_empty() {
        return Err(chains);
    }
    let mut ways = Counting::new(structure, true, Structure::failures);
    ways.count(0);
    let mut keys = Counting::new(structure, false, Structure::key_patterns);
    keys.count_all();
    let cost = Cost {
        nesting: places.nesting(),
        ways: if ways.circles.is_empty() {
            ways.known(0).schemas
        } else {
            u64::MAX
        },
        key_patterns: keys.most(),
    };
    let nodes = 0..structure.nodes.len();
    let applied = nodes.map(|node| places.known(node).schemas).collect();
    Ok(Counts { cost, applied })
}

/// A reference by which a sub-schema leads back to itself.
type Circle = (usize, &'static str);

fn circle_violation(structure: &Structure<'_>, (node, keyword): Circle) -> Violation {
    let mut pointer = structure.pointer(node);
    push_token(&mut pointer, keyword);
    let message = "must not lead back to itself without a step into the data";
    Violation::of_keyword(keyword, pointer, message)
}

/// The sub-schemas at which the count of a location starts: the root, and all sub-schemas reached from there by a step
/// into the data.
fn reachable_places(structure: &Structure<'_>) -> Vec<usize> {
    let mut reached = vec![false; structure.nodes.len()];
    let mut places = vec![0];
    let mut pending = vec![0];
    while let Some(node) = pending.pop() {
        match reached.get_mut(node) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        let edges = structure.nodes.get(node).map(|node| node.edges.as_slice());
        for edge in edges.unwrap_or_default() {
            pending.push(edge.target);
            if edge.reach == Reach::NextPlace {
                places.push(edge.target);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests;
