//! The number of violations of a single sub-schema.

use std::collections::HashSet;

use serde_json::Value;

use super::super::document_size::DocumentSize;
use super::super::structure::Structure;

impl Structure<'_> {
    /// The maximum number of violations of a sub-schema itself at one location: those of its keywords, without those of
    /// the sub-schemas it applies, unless they are `true` or `false`.
    pub(in super::super) fn failures(&self, node: usize) -> u64 {
        let Some(node) = self.nodes.get(node) else {
            return 0;
        };
        let members = node.schema.as_object().into_iter().flatten();
        let of_keywords: usize = members
            .map(|(keyword, value)| failures_of(keyword, value))
            .sum();
        let applied = node
            .edges
            .iter()
            .filter_map(|edge| self.nodes.get(edge.target));
        let of_booleans = applied.filter(|target| target.schema.is_boolean()).count();
        u64::try_from(1 + of_keywords + of_booleans).unwrap_or(u64::MAX)
    }

    /// The sub-schemas whose violations contain copies of the data: they list unexpected members, or explain why an
    /// alternative does not match.
    pub(in super::super) fn copying(&self) -> HashSet<usize> {
        let mut copying = self.alternatives();
        for (index, node) in self.nodes.iter().enumerate() {
            let mut keywords = [
                "additionalProperties",
                "unevaluatedProperties",
                "unevaluatedItems",
            ]
            .iter();
            if keywords.any(|keyword| node.schema.get(keyword).is_some()) {
                copying.insert(index);
            }
        }
        copying
    }

    /// The branches of `anyOf` and `oneOf`, with everything they apply.
    fn alternatives(&self) -> HashSet<usize> {
        let mut pending = Vec::new();
        for node in &self.nodes {
            for keyword in ["anyOf", "oneOf"] {
                let branches = node.schema.get(keyword).and_then(Value::as_array);
                let branches = branches.into_iter().flatten();
                pending.extend(branches.filter_map(|branch| self.node_of(branch)));
            }
        }
        let mut alternatives = HashSet::new();
        while let Some(node) = pending.pop() {
            if alternatives.insert(node) {
                let edges = self.nodes.get(node).map(|node| node.edges.as_slice());
                pending.extend(edges.unwrap_or_default().iter().map(|edge| edge.target));
            }
        }
        alternatives
    }
}

/// The maximum number of violations of a keyword at one location, beyond the first.
fn failures_of(keyword: &str, value: &Value) -> usize {
    match (keyword, value) {
        ("required", Value::Array(names)) => names.len(),
        ("dependentRequired" | "dependencies", Value::Object(lists)) => {
            let lists = lists.values().filter_map(Value::as_array);
            lists.map(Vec::len).sum()
        }
        // The violation contains a copy of the excluded schema, which costs as much as this many violations.
        ("not", excluded) => DocumentSize::of(excluded).values / 8,
        _ => 0,
    }
}
