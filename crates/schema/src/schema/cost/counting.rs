//! Counts sub-schemas with all their repetitions.

use super::super::dialect::{self, Applicator};
use super::super::structure::Structure;

/// The sub-schemas that a sub-schema applies to one location, including itself.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    pub(super) schemas: u64,
    /// The longest chain of them, each applied by the one before.
    pub(super) nesting: usize,
    /// The keys of `patternProperties` in them.
    pub(super) key_patterns: u64,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.schemas = self.schemas.saturating_add(other.schemas);
        self.nesting = self.nesting.max(other.nesting);
        self.key_patterns = self.key_patterns.saturating_add(other.key_patterns);
    }
}

/// The state of a sub-schema during counting.
#[derive(Debug, Clone, Copy)]
enum Count {
    Unknown,
    /// Being counted: meeting it again means that there is a cycle.
    Open,
    Known(Sum),
}

/// A reference by which a sub-schema refers back to itself.
pub(super) type Cycle = (usize, &'static str);

pub(super) struct Counting<'a, 's> {
    structure: &'a Structure<'s>,
    counts: Vec<Count>,
    /// The open sub-schemas, each with the reference by which it applies the next one.
    path: Vec<(usize, Option<&'static str>)>,
    cycles: Vec<Cycle>,
}

impl<'a, 's> Counting<'a, 's> {
    /// Counts every sub-schema once, in linear time.
    ///
    /// # Errors
    ///
    /// The references that refer back to themselves without descending into the data.
    pub(super) fn of_all(structure: &'a Structure<'s>) -> Result<Vec<Sum>, Vec<Cycle>> {
        let nodes = structure.nodes.len();
        let mut counting = Self {
            structure,
            counts: vec![Count::Unknown; nodes],
            path: Vec::new(),
            cycles: Vec::new(),
        };
        let sums = (0..nodes).map(|node| counting.count(node)).collect();
        if counting.cycles.is_empty() {
            Ok(sums)
        } else {
            Err(counting.cycles)
        }
    }

    /// Recursion is bounded by the number of sub-schemas.
    fn count(&mut self, node: usize) -> Sum {
        match self.counts.get(node) {
            Some(Count::Known(sum)) => return *sum,
            Some(Count::Open) => {
                self.cycles.extend(self.cycle(node));
                return Sum::default();
            }
            _ => self.set(node, Count::Open),
        }
        let structure = self.structure;
        let edges = structure.nodes.get(node).map(|node| node.edges.as_slice());
        let mut applied = Sum::default();
        for edge in edges.unwrap_or_default() {
            if edge.applicator == Applicator::InPlace {
                self.path.push((node, edge.reference));
                applied.add(self.count(edge.target));
                self.path.pop();
            }
        }
        let sum = self.with_own(node, applied);
        self.set(node, Count::Known(sum));
        sum
    }

    fn set(&mut self, node: usize, count: Count) {
        if let Some(slot) = self.counts.get_mut(node) {
            *slot = count;
        }
    }

    fn with_own(&self, node: usize, applied: Sum) -> Sum {
        let schema = self.structure.nodes.get(node).map(|node| node.schema);
        let has = |keyword: &&str| schema.is_some_and(|schema| schema.get(keyword).is_some());
        // The others are applied a second time to find out which parts of the data are evaluated.
        let unevaluated = dialect::unevaluated(self.structure.draft);
        let times = if unevaluated.iter().any(has) { 2 } else { 1 };
        let keys = schema.and_then(|schema| schema.get("patternProperties")?.as_object());
        let keys = keys.map_or(0, |keys| u64::try_from(keys.len()).unwrap_or(u64::MAX));
        Sum {
            schemas: applied.schemas.saturating_mul(times).saturating_add(1),
            nesting: applied.nesting + 1,
            key_patterns: applied
                .key_patterns
                .saturating_mul(times)
                .saturating_add(keys),
        }
    }

    /// The last reference on the path from `target` back to itself. There always is one: without references,
    /// sub-schemas only lead deeper.
    fn cycle(&self, target: usize) -> Option<Cycle> {
        let start = self.path.iter().rposition(|(node, _)| *node == target)?;
        let path = self.path.get(start..)?.iter().rev();
        path.copied()
            .find_map(|(node, reference)| Some((node, reference?)))
    }
}
