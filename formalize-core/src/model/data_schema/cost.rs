//! What checking one place of the data may cost.
//!
//! A short schema can ask for more work than any machine has time for: thirty definitions of which each
//! refers twice to the next are a billion checks of the same place. So the sub-schemas that apply to one
//! place are counted with all their repetitions before a schema is accepted. Keywords that step into the
//! data begin a new place, and with it a new count: recursive schemas for trees are fine.

use std::collections::HashSet;

use jsonschema::Draft;
use serde_json::Value;

use super::dialect::Reach;
use super::extent::Extent;
use super::rejection::Violation;
use super::structure::{Edge, Structure, push_token};

/// The most sub-schemas that may apply to one place of the data.
pub(super) const MAX_SCHEMAS_PER_PLACE: u64 = 100_000;

/// The counts of a schema.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) cost: Cost,
    /// How many sub-schemas each sub-schema applies to one place, itself included.
    applied: Vec<u64>,
}

impl Counts {
    /// How many sub-schemas may fail at one place without the one that applies them failing: those of
    /// alternatives and conditions.
    pub(super) fn failing(&self, structure: &Structure<'_>, node: usize) -> u64 {
        /// Chains of alternatives, where each would be charged for all that follow, are to remain usable.
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

/// The longest chain of sub-schemas that `unevaluatedProperties` and `unevaluatedItems` may look through.
///
/// The validator writes it down for each link of the chain.
const MAX_UNEVALUATED_NESTING: usize = 2_000;

/// What the references of a schema come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// The longest chain of sub-schemas that apply to one place, each by the one before.
    pub(super) nesting: usize,
    /// The most violations that there can be for one value of the data, whatever its place.
    ///
    /// The number of ways through the schema, steps into the data included, each with the failures at its
    /// end. Without bound for recursive schemas, where it grows with every level of the data.
    pub(super) ways: u64,
    /// How many keys of `patternProperties` may apply to one place.
    pub(super) key_patterns: u64,
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

/// What a sub-schema applies, itself included.
#[derive(Debug, Clone, Copy)]
struct Sum {
    schemas: u64,
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

/// What became of a sub-schema in the count.
#[derive(Debug, Clone, Copy)]
enum Count {
    Unknown,
    /// Being counted: whoever meets it again has found a circle.
    Open,
    Known(Sum),
}

struct Counting<'a, 's> {
    structure: &'a Structure<'s>,
    /// Whether steps into the data count too.
    with_steps: bool,
    /// What a sub-schema itself counts.
    own: fn(&Structure<'s>, usize) -> u64,
    counts: Vec<Count>,
    circles: Vec<Circle>,
}

/// A sub-schema whose count is under way.
struct Frame {
    node: usize,
    next_edge: usize,
    applied: Sum,
}

impl<'a, 's> Counting<'a, 's> {
    fn new(
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

    fn count_all(&mut self) {
        for node in 0..self.structure.nodes.len() {
            self.count(node);
        }
    }

    fn known(&self, node: usize) -> Sum {
        match self.counts.get(node) {
            Some(Count::Known(sum)) => *sum,
            _ => Sum::ZERO,
        }
    }

    /// The most that a sub-schema comes to.
    fn most(&self) -> u64 {
        let nodes = 0..self.structure.nodes.len();
        nodes
            .map(|node| self.known(node).schemas)
            .max()
            .unwrap_or(0)
    }

    fn nesting(&self) -> usize {
        let nodes = 0..self.structure.nodes.len();
        nodes
            .map(|node| self.known(node).nesting)
            .max()
            .unwrap_or(0)
    }

    /// Counts a sub-schema and all that it applies, with a stack of its own: chains of references may be
    /// as long as the schema.
    fn count(&mut self, start: usize) {
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

    /// Whether a sub-schema applies the others twice: once to check the data, and once more to find out
    /// which parts of it they have evaluated.
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

    /// A violation for each sub-schema that would have to look through too long a chain.
    fn long_unevaluated(&self) -> Vec<Violation> {
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

    /// The last reference on the way from `target` back to it. There is one: without references,
    /// sub-schemas only ever lead deeper.
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

impl Structure<'_> {
    /// How many violations a sub-schema itself may have at one place: those of its keywords, without
    /// those of the sub-schemas it applies, unless they are `true` or `false`.
    pub(super) fn failures(&self, node: usize) -> u64 {
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

    /// How many keys of `patternProperties` a sub-schema has.
    fn key_patterns(&self, node: usize) -> u64 {
        let node = self.nodes.get(node);
        let keys = node.and_then(|node| node.schema.get("patternProperties")?.as_object());
        keys.map_or(0, |keys| u64::try_from(keys.len()).unwrap_or(u64::MAX))
    }

    /// The sub-schemas whose violations hold copies of the data: they list unexpected members, or tell
    /// why an alternative of several was not taken.
    pub(super) fn copying(&self) -> HashSet<usize> {
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

    /// The branches of `anyOf` and `oneOf`, with all that they apply.
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

/// How many violations a keyword may have at one place beyond the first.
fn failures_of(keyword: &str, value: &Value) -> usize {
    match (keyword, value) {
        ("required", Value::Array(names)) => names.len(),
        ("dependentRequired" | "dependencies", Value::Object(lists)) => {
            let lists = lists.values().filter_map(Value::as_array);
            lists.map(Vec::len).sum()
        }
        // The violation holds a copy of what is excluded, which is like so many violations.
        ("not", excluded) => Extent::of(excluded).values / 8,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::DataSchema;
    use serde_json::{Map, Value, json};

    /// `levels` definitions of which each applies the next one twice by way of `twice`.
    fn doubling(levels: usize, twice: impl Fn(Value) -> Value) -> Value {
        let mut definitions = Map::new();
        for level in 0..levels {
            let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
            definitions.insert(level.to_string(), twice(next));
        }
        definitions.insert(levels.to_string(), json!({"type": "string"}));
        json!({"$ref": "#/$defs/0", "$defs": definitions})
    }

    fn refused(schema: &Value) -> Vec<(String, String)> {
        let refused = DataSchema::compile(&schema.to_string()).expect_err(&schema.to_string());
        let (_, violations) = refused.into_parts();
        violations
            .into_iter()
            .map(|one| (one.instance_path, one.message))
            .collect()
    }

    fn is_accepted(schema: &Value) -> bool {
        DataSchema::compile(&schema.to_string()).is_ok()
    }

    #[test]
    fn multiplied_references_are_bounded() {
        let all: fn(Value) -> Value = |next| json!({"allOf": [next, next]});
        let any = |next: Value| json!({"anyOf": [next, next]});
        let branch = |next: Value| json!({"if": next, "then": next});
        let not = |next: Value| json!({"oneOf": [{"not": next}], "$ref": next["$ref"]});
        let dependent = |next: Value| json!({"dependentSchemas": {"a": next, "b": next}});
        for twice in [all, any, branch, not, dependent] {
            assert!(is_accepted(&doubling(13, twice)));
            let [(place, message)] = <[_; 1]>::try_from(refused(&doubling(30, twice))).unwrap();
            assert_eq!(place, "");
            assert!(message.contains("100000"), "{message}");
        }
    }

    #[test]
    fn the_bound_is_exact() {
        let schema = |branches: usize| {
            let many = json!({"allOf": vec![json!({}); branches]});
            json!({"allOf": vec![json!({"$ref": "#/$defs/many"}); 41], "$defs": {"many": many}})
        };
        // The root, and 41 times the reference, its target and the branches of that.
        assert!(is_accepted(&schema(2_437)));
        assert!(!is_accepted(&schema(2_438)));
    }

    #[test]
    fn the_costly_place_is_named() {
        let mut schema = doubling(30, |next| json!({"allOf": [next, next]}));
        let start = schema["$ref"].take();
        schema.as_object_mut().unwrap().remove("$ref");
        schema["properties"] = json!({"a": {"items": {"$ref": start}}});
        let [(place, _)] = <[_; 1]>::try_from(refused(&schema)).unwrap();
        assert_eq!(place, "/properties/a/items");
    }

    #[test]
    fn what_nothing_applies_costs_nothing() {
        let mut schema = doubling(30, |next| json!({"allOf": [next, next]}));
        schema.as_object_mut().unwrap().remove("$ref");
        assert!(is_accepted(&schema));
    }

    #[test]
    fn a_step_into_the_data_begins_a_new_count() {
        let step = |next: Value| json!({"properties": {"a": next, "b": next}, "items": next});
        let schema = doubling(60, step);
        let compiled = DataSchema::compile(&schema.to_string()).unwrap();
        assert!(compiled.validate(&json!({"a": {"b": [[]]}})).is_ok());
    }

    #[test]
    fn circles_need_a_step_into_the_data() {
        let message = "must not lead back to itself without a step into the data";
        for (schema, place) in [
            (json!({"$ref": "#"}), "/$ref"),
            (
                json!({"$defs": {"a": {"$ref": "#/$defs/a"}}}),
                "/$defs/a/$ref",
            ),
            (
                json!({"allOf": [{"not": {"$ref": "#"}}]}),
                "/allOf/0/not/$ref",
            ),
            (
                json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"if": {"$ref": "#/$defs/a"}}}}),
                "/$defs/b/if/$ref",
            ),
            (
                json!({"$dynamicAnchor": "a", "anyOf": [{"$dynamicRef": "#a"}]}),
                "/anyOf/0/$dynamicRef",
            ),
            (
                json!({"dependentSchemas": {"a": {"$ref": "#"}}}),
                "/dependentSchemas/a/$ref",
            ),
        ] {
            assert_eq!(
                refused(&schema),
                [(place.to_owned(), message.to_owned())],
                "{schema}"
            );
        }
        for schema in [
            json!({"properties": {"a": {"$ref": "#"}}}),
            json!({"items": {"$ref": "#"}}),
            json!({"additionalProperties": {"$ref": "#"}}),
            json!({"patternProperties": {"^a": {"$ref": "#"}}}),
            json!({"prefixItems": [{"$ref": "#"}], "contains": {"$ref": "#"}}),
            json!({"unevaluatedProperties": {"$ref": "#"}, "unevaluatedItems": {"$ref": "#"}}),
            json!({"propertyNames": {"$ref": "#"}}),
        ] {
            assert!(is_accepted(&schema), "{schema}");
        }
    }

    #[test]
    fn what_stands_beside_a_reference_counts_only_where_it_applies() {
        let circle = |draft: &str| {
            json!({
                "$schema": draft,
                "definitions": {"a": {"$ref": "#/definitions/b", "not": {"$ref": "#/definitions/a"}}, "b": {}}
            })
        };
        assert!(is_accepted(&circle(
            "http://json-schema.org/draft-07/schema#"
        )));
        assert!(!is_accepted(&circle(
            "https://json-schema.org/draft/2019-09/schema"
        )));
    }

    #[test]
    fn nested_unevaluated_keywords_multiply() {
        let nested = |levels| {
            doubling(
                levels,
                |next| json!({"unevaluatedProperties": false, "anyOf": [next, true]}),
            )
        };
        assert!(is_accepted(&nested(10)));
        assert!(!is_accepted(&nested(20)));
    }

    #[test]
    fn unevaluated_keywords_look_through_short_chains_only() {
        let chain = |links: usize| {
            let mut definitions = Map::new();
            for link in 0..links {
                let next = json!({"$ref": format!("#/$defs/{}", link + 1)});
                definitions.insert(link.to_string(), next);
            }
            definitions.insert(links.to_string(), json!({"properties": {"a": true}}));
            json!({"items": {"unevaluatedProperties": false, "$ref": "#/$defs/0"}, "$defs": definitions})
        };
        let compiled = DataSchema::compile(&chain(1_000).to_string()).unwrap();
        assert_eq!(compiled.validate(&json!([{"a": 1}])), Ok(()));
        assert!(compiled.validate(&json!([{"b": 1}])).is_err());
        let [(place, _)] = <[_; 1]>::try_from(refused(&chain(2_000))).unwrap();
        assert_eq!(place, "/items/unevaluatedProperties");
    }

    #[test]
    fn counting_takes_linear_time_for_the_largest_schemas() {
        let mut definitions = Map::new();
        for link in 0..4_900 {
            let next = json!({"allOf": [{"$ref": format!("#/$defs/{}", link + 1)}]});
            definitions.insert(link.to_string(), next);
        }
        definitions.insert("4900".to_owned(), json!({"type": "string"}));
        let schema = json!({"$ref": "#/$defs/0", "$defs": definitions});
        let compiled = DataSchema::compile(&schema.to_string()).unwrap();
        assert!(compiled.validate(&json!("text")).is_ok());
        assert!(compiled.validate(&json!({"a": {}})).is_err());
    }
}
