//! Counts sub-schemas with all their repetitions.

use jsonschema::Draft;

use super::super::dialect::Reach;
use super::super::rejection::Violation;
use super::super::structure::{Edge, Structure, push_token};
use super::{Circle, MAX_UNEVALUATED_NESTING};

/// The sub-schemas that a sub-schema applies, including itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum {
    pub(super) schemas: u64,
    nesting: usize,
}

impl Sum {
    const ZERO: Self = Self {
        schemas: 0,
        nesting: 0,
    };

    fn add(&mut self, other: Self) {
        self.schemas = self.schemas.saturating_add(other.schemas);
        self.nesting = self.nesting.max(other.nesting);
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

pub(super) struct Counting<'a, 's> {
    structure: &'a Structure<'s>,
    /// Whether steps into the data are counted too.
    with_steps: bool,
    /// The count of a sub-schema on its own.
    own: fn(&Structure<'s>, usize) -> u64,
    counts: Vec<Count>,
    pub(super) circles: Vec<Circle>,
}

/// A sub-schema that is being counted.
struct Frame {
    node: usize,
    next_edge: usize,
    applied: Sum,
}

impl<'a, 's> Counting<'a, 's> {
    pub(super) fn new(
        structure: &'a Structure<'s>,
        with_steps: bool,
        own: fn(&Structure<'s>, usize) -> u64,
    ) -> Self {
        Self {
            structure,
            with_steps,
            own,
            counts: vec![Count::Unknown; structure.nodes.len()],
            circles: Vec::new(),
        }
    }

    pub(super) fn count_all(&mut self) {
        for node in 0..self.structure.nodes.len() {
            self.count(node);
        }
    }

    pub(super) fn known(&self, node: usize) -> Sum {
        match self.counts.get(node) {
            Some(Count::Known(sum)) => *sum,
            _ => Sum::ZERO,
        }
    }

    /// The largest count of a sub-schema.
    pub(super) fn most(&self) -> u64 {
        let nodes = 0..self.structure.nodes.len();
        nodes
            .map(|node| self.known(node).schemas)
            .max()
            .unwrap_or(0)
    }

    pub(super) fn nesting(&self) -> usize {
        let nodes = 0..self.structure.nodes.len();
        nodes
            .map(|node| self.known(node).nesting)
            .max()
            .unwrap_or(0)
    }

    /// Counts a sub-schema and all that it applies. Uses an explicit stack, because chains of references may be as long
    /// as the schema.
    pub(super) fn count(&mut self, start: usize) {
        if !matches!(self.counts.get(start), Some(Count::Unknown)) {
            return;
        }
        let mut frames = vec![self.open(start)];
        while let Some(frame) = frames.last_mut() {
            let Some(edge) = self.edge(frame.node, frame.next_edge) else {
                let sum = self.close(frame);
                frames.pop();
                if let Some(outer) = frames.last_mut() {
                    outer.applied.add(sum);
                }
                continue;
            };
            frame.next_edge += 1;
            if edge.reach != Reach::SamePlace && !self.with_steps {
                continue;
            }
            match self.counts.get(edge.target) {
                Some(Count::Known(sum)) => frame.applied.add(*sum),
                Some(Count::Open) => self.circles.extend(self.circle(&frames, edge.target)),
                _ => frames.push(self.open(edge.target)),
            }
        }
    }

    fn edge(&self, node: usize, index: usize) -> Option<Edge> {
        self.structure.nodes.get(node)?.edges.get(index).copied()
    }

    fn set(&mut self, node: usize, count: Count) {
        if let Some(slot) = self.counts.get_mut(node) {
            *slot = count;
        }
    }

    fn open(&mut self, node: usize) -> Frame {
        self.set(node, Count::Open);
        Frame {
            node,
            next_edge: 0,
            applied: Sum::ZERO,
        }
    }

    fn close(&mut self, frame: &Frame) -> Sum {
        let factor = if self.looks_twice(frame.node) { 2 } else { 1 };
        let own = (self.own)(self.structure, frame.node);
        let sum = Sum {
            schemas: frame
                .applied
                .schemas
                .saturating_mul(factor)
                .saturating_add(own),
            nesting: frame.applied.nesting + 1,
        };
        self.set(frame.node, Count::Known(sum));
        sum
    }

    /// Whether a sub-schema applies the others twice: once to check the data, and once to find out which parts of it
    /// are evaluated.
    fn looks_twice(&self, node: usize) -> bool {
        self.unevaluated(node).is_some()
    }

    fn unevaluated(&self, node: usize) -> Option<&'static str> {
        if self.structure.draft < Draft::Draft201909 {
            return None;
        }
        let schema = self.structure.nodes.get(node)?.schema;
        let mut keywords = ["unevaluatedProperties", "unevaluatedItems"].into_iter();
        keywords.find(|keyword| schema.get(keyword).is_some())
    }

    /// A violation for each sub-schema that would have to follow too long a chain.
    pub(super) fn long_unevaluated(&self) -> Vec<Violation> {
        let long = |node: &usize| self.known(*node).nesting > MAX_UNEVALUATED_NESTING;
        let nodes = (0..self.structure.nodes.len()).filter(long);
        let violation = |node| {
            let keyword = self.unevaluated(node)?;
            let mut pointer = self.structure.pointer(node);
            push_token(&mut pointer, keyword);
            let message = format!(
                "must not look through more than {MAX_UNEVALUATED_NESTING} sub-schemas, each applied by the one before"
            );
            Some(Violation::of_keyword(keyword, pointer, message))
        };
        nodes.filter_map(violation).collect()
    }

    /// The last reference on the path from `target` back to itself. There always is one: without references,
    /// sub-schemas only lead deeper.
    fn circle(&self, frames: &[Frame], target: usize) -> Option<Circle> {
        for frame in frames.iter().rev() {
            let taken = frame.next_edge.checked_sub(1)?;
            let edge = self.edge(frame.node, taken)?;
            if let Some(keyword) = edge.reference {
                return Some((frame.node, keyword));
            }
            if frame.node == target {
                return None;
            }
        }
        None
    }
}
