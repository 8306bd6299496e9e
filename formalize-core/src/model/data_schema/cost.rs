//! What checking one place of the data may cost.
//!
//! A short schema can ask for more work than any machine has time for: thirty definitions of which each
//! refers twice to the next are a billion checks of the same place. So the sub-schemas that apply to one
//! place are counted with all their repetitions before a schema is accepted. Keywords that step into the
//! data begin a new place, and with it a new count: recursive schemas for trees are fine.

use super::dialect::Reach;
use super::rejection::Violation;
use super::structure::{Edge, Structure, push_token};

/// The most sub-schemas that may apply to one place of the data.
pub(super) const MAX_SCHEMAS_PER_PLACE: u64 = 100_000;

/// What became of a sub-schema in the count.
#[derive(Debug, Clone, Copy)]
enum Count {
    Unknown,
    /// Being counted: whoever meets it again has found a circle.
    Open,
    Known(u64),
}

/// Counts the sub-schemas of each place.
///
/// Linear in the size of the schema: each sub-schema is counted once and its number is added up by those
/// that apply it.
///
/// # Errors
///
/// A violation for each reference that leads back to itself without a step into the data; or one, at the
/// root of the costly place, where more than [`MAX_SCHEMAS_PER_PLACE`] apply.
pub(super) fn check(structure: &Structure<'_>) -> Result<(), Vec<Violation>> {
    let mut counting = Counting {
        structure,
        counts: vec![Count::Unknown; structure.nodes.len()],
        violations: Vec::new(),
    };
    for node in 0..structure.nodes.len() {
        counting.count(node);
    }
    if counting.violations.is_empty() {
        let excess = reachable_places(structure)
            .into_iter()
            .find(|place| counting.known(*place) > MAX_SCHEMAS_PER_PLACE);
        counting.violations.extend(excess.map(|place| {
            let message = format!(
                "must not check one place of the data against more than {MAX_SCHEMAS_PER_PLACE} sub-schemas"
            );
            Violation::of_keyword("$ref", structure.pointer(place), message)
        }));
    }
    if counting.violations.is_empty() {
        Ok(())
    } else {
        Err(counting.violations)
    }
}

struct Counting<'a, 's> {
    structure: &'a Structure<'s>,
    counts: Vec<Count>,
    violations: Vec<Violation>,
}

/// A sub-schema whose count is under way.
struct Frame {
    node: usize,
    next_edge: usize,
    sum: u64,
}

impl Counting<'_, '_> {
    fn known(&self, node: usize) -> u64 {
        match self.counts.get(node) {
            Some(Count::Known(count)) => *count,
            _ => 0,
        }
    }

    fn set(&mut self, node: usize, count: Count) {
        if let Some(slot) = self.counts.get_mut(node) {
            *slot = count;
        }
    }

    /// Counts a sub-schema and all that it applies to the same place, with a stack of its own: chains of
    /// references may be as long as the schema.
    fn count(&mut self, start: usize) {
        if !matches!(self.counts.get(start), Some(Count::Unknown)) {
            return;
        }
        let mut frames = vec![self.open(start)];
        while let Some(frame) = frames.last_mut() {
            let Some(edge) = self.edge(frame.node, frame.next_edge) else {
                let done = (frame.node, frame.sum);
                frames.pop();
                self.close(done, frames.last_mut());
                continue;
            };
            frame.next_edge += 1;
            match (edge.reach, self.counts.get(edge.target)) {
                (Reach::SamePlace, Some(Count::Known(count))) => {
                    frame.sum = frame.sum.saturating_add(*count);
                }
                (Reach::SamePlace, Some(Count::Open)) => self.report_circle(&frames, edge.target),
                (Reach::SamePlace, _) => frames.push(self.open(edge.target)),
                _ => {}
            }
        }
    }

    fn edge(&self, node: usize, index: usize) -> Option<Edge> {
        self.structure.nodes.get(node)?.edges.get(index).copied()
    }

    fn open(&mut self, node: usize) -> Frame {
        self.set(node, Count::Open);
        Frame {
            node,
            next_edge: 0,
            sum: 1,
        }
    }

    fn close(&mut self, (node, sum): (usize, u64), outer: Option<&mut Frame>) {
        self.set(node, Count::Known(sum));
        if let Some(outer) = outer {
            outer.sum = outer.sum.saturating_add(sum);
        }
    }

    /// Reports the last reference on the way from `target` back to it. There is one: without
    /// references, sub-schemas only ever lead deeper.
    fn report_circle(&mut self, frames: &[Frame], target: usize) {
        for frame in frames.iter().rev() {
            let taken = frame.next_edge.checked_sub(1);
            let edge = taken.and_then(|taken| self.edge(frame.node, taken));
            if let Some(keyword) = edge.and_then(|edge| edge.reference) {
                let mut pointer = self.structure.pointer(frame.node);
                push_token(&mut pointer, keyword);
                let message = "must not lead back to itself without a step into the data";
                let violation = Violation::of_keyword(keyword, pointer, message);
                self.violations.push(violation);
                return;
            }
            if frame.node == target {
                return;
            }
        }
    }
}

/// The sub-schemas at which the count of a place begins: the root, and whatever steps lead to from there.
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
