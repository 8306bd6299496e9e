//! The schema for the validator: references are plain pointers, and identifiers and anchors are removed.
//!
//! The validator could resolve references itself. But then the limit on the cost of a schema would depend on two
//! resolvers that must agree on every unusual identifier, and the validator might resolve a reference that is rejected
//! here. So only this crate resolves references, and the validator sees only the results.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use referencing::unescape_segment;
use serde_json::{Map, Value, json};

use super::budget::{CHARGED, FAILED};
use super::cost::Cost;
use super::dialect;
use super::patterns::Patterns;
use super::references::Link;
use super::structure::{Structure, push_token};

/// The schema with its references resolved and its keys translated.
/// Every sub-schema charges for its checks.
pub(super) fn plain_schema(
    structure: &Structure<'_>,
    links: &[Link],
    patterns: &Patterns,
    cost: &Cost,
) -> Value {
    let rewriting = Rewriting {
        structure,
        patterns,
        cost,
        copying: structure.copying(),
        links: links
            .iter()
            .map(|link| ((link.node, link.keyword), link))
            .collect(),
        keeps_resources: links.iter().any(|link| link.dynamic.is_some()),
    };
    let mut plain = rewriting.value(structure.document);
    for (name, document) in &structure.meta_schemas {
        let keyword = dialect::definitions(structure.draft);
        let Some(members) = plain.as_object_mut() else {
            break;
        };
        let definitions = members.entry(keyword).or_insert_with(|| json!({}));
        if let Some(definitions) = definitions.as_object_mut() {
            definitions.insert(name.clone(), rewriting.value(document));
        }
    }
    plain
}

struct Rewriting<'a, 's> {
    structure: &'a Structure<'s>,
    patterns: &'a Patterns,
    cost: &'a Cost,
    /// The sub-schemas whose violations contain copies of the data.
    copying: HashSet<usize>,
    links: HashMap<(usize, &'static str), &'a Link>,
    /// Dynamic references search the resources one after the other for an anchor, so the resources must remain
    /// separate. Without such references, the schema is a single resource for the validator.
    keeps_resources: bool,
}

impl Rewriting<'_, '_> {
    /// Recursion is bounded by the depth of the document.
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(members) => match self.structure.node_of(value) {
                Some(node) => self.schema(node, members),
                None => self.members(members, |_| false),
            },
            scalar => scalar.clone(),
        }
    }

    fn members(&self, members: &Map<String, Value>, skip: impl Fn(&str) -> bool) -> Value {
        members
            .iter()
            .filter(|(key, _)| !skip(key))
            .map(|(key, value)| (key.clone(), self.value(value)))
            .collect()
    }

    fn schema(&self, node: usize, written: &Map<String, Value>) -> Value {
        let mut plain = self.members(written, |keyword| self.is_dropped(keyword));
        let Value::Object(members) = &mut plain else {
            return plain;
        };
        self.translate_keys(members);
        if members.get("additionalProperties") == Some(&Value::Bool(false)) {
            // Otherwise the validator reports only the first unexpected member.
            let nothing = || Value::Object(Map::new());
            members.entry("properties").or_insert_with(nothing);
        }
        self.charge_for_failures(written, members);
        let failures = self.structure.failures(node);
        // At most one schema of `oneOf` does not fail, so its charge for failures suffices.
        let failing = self.failing(written, &["anyOf", "not", "if"]);
        let charged = json!([failures, self.copying.contains(&node), failing]);
        members.insert(CHARGED.to_owned(), charged);
        if self.keeps_resources
            && let Some(resource) = self.resource_rooted_at(node)
        {
            members.insert("$id".to_owned(), resource_uri(resource).into());
        }
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(link) = self.links.get(&(node, keyword)) {
                self.write_reference(members, link);
            }
        }
        plain
    }

    /// Whether a keyword is removed: those that only define names, which plain pointers do not need, and those of this
    /// crate.
    fn is_dropped(&self, keyword: &str) -> bool {
        match keyword {
            CHARGED | FAILED | "$schema" | "$anchor" | "$vocabulary" => true,
            keyword if keyword == dialect::id(self.structure.draft) => true,
            "$dynamicAnchor" | "$recursiveAnchor" => !self.keeps_resources,
            _ => false,
        }
    }

    /// Charges for the alternatives that fail, and for the items that `contains` does not look for.
    fn charge_for_failures(&self, written: &Map<String, Value>, plain: &mut Map<String, Value>) {
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(alternatives)) = plain.get_mut(keyword) {
                alternatives.push(json!({FAILED: self.failing(written, &[keyword])}));
            }
        }
        if dialect::applicator(self.structure.draft, "contains").is_some()
            && let Some(wanted) = plain.get_mut("contains")
        {
            let failed = self.failing(written, &["contains"]);
            *wanted = json!({"anyOf": [wanted.take(), {FAILED: failed}]});
        }
    }

    /// The number of sub-schemas that a check leaves when those of the keywords fail.
    fn failing(&self, written: &Map<String, Value>, keywords: &[&str]) -> usize {
        let values = keywords.iter().filter_map(|keyword| written.get(*keyword));
        let schemas = values.flat_map(|value| match value {
            Value::Array(several) => several.as_slice(),
            one => std::slice::from_ref(one),
        });
        self.cost.failing(self.structure, schemas)
    }

    fn translate_keys(&self, members: &mut Map<String, Value>) {
        let Some(Value::Object(properties)) = members.get_mut("patternProperties") else {
            return;
        };
        let written = std::mem::take(properties).into_iter();
        properties
            .extend(written.map(|(key, schema)| (self.patterns.key(&key).to_owned(), schema)));
    }

    fn resource_rooted_at(&self, node: usize) -> Option<usize> {
        let resource = self.structure.nodes.get(node)?.resource;
        let is_root = self.structure.resources.get(resource)?.root == node;
        is_root.then_some(resource)
    }

    fn write_reference(&self, members: &mut Map<String, Value>, link: &Link) {
        let target = self.uri_of(link.target, link.dynamic.as_deref());
        if link.keyword != "$recursiveRef" {
            members.insert(link.keyword.to_owned(), target.into());
            return;
        }
        // A recursive reference can only be `#`. If that is no longer the right target, a plain reference replaces it,
        // in addition to an existing one.
        if link.dynamic.is_none() && link.target != 0 {
            members.remove(link.keyword);
            let plain = Value::from_iter([("$ref", target)]);
            match members.get_mut("allOf") {
                Some(Value::Array(schemas)) => schemas.push(plain),
                _ => drop(members.insert("allOf".to_owned(), vec![plain].into())),
            }
        }
    }

    fn pointer(&self, node: usize) -> String {
        pointer(self.structure, self.patterns, node)
    }

    /// The reference to a sub-schema, through its anchor if it is resolved dynamically.
    fn uri_of(&self, target: usize, anchor: Option<&str>) -> String {
        let pointer = self.pointer(target);
        if !self.keeps_resources {
            return format!("#{}", encode(&pointer));
        }
        let resource = self
            .structure
            .nodes
            .get(target)
            .map_or(0, |node| node.resource);
        let root = self
            .structure
            .resources
            .get(resource)
            .map_or(0, |found| found.root);
        let root = self.pointer(root);
        let within = pointer.strip_prefix(&root).unwrap_or_default();
        let fragment = anchor.filter(|anchor| !anchor.is_empty()).unwrap_or(within);
        let uri = resource_uri(resource);
        // With an empty fragment, the validator would not recognize this as the root of a resource.
        if fragment.is_empty() {
            uri
        } else {
            format!("{uri}#{}", encode(fragment))
        }
    }
}

/// The JSON Pointer of a sub-schema in the schema for the validator.
fn pointer(structure: &Structure<'_>, patterns: &Patterns, node: usize) -> String {
    let trails = structure.trails(node).into_iter();
    trails.map(|trail| translated(trail, patterns)).collect()
}

/// The fragment that refers to a sub-schema in the schema for the validator.
pub(super) fn fragment(structure: &Structure<'_>, patterns: &Patterns, node: usize) -> String {
    encode(&pointer(structure, patterns, node)).to_string()
}

/// A segment of a JSON Pointer, from one sub-schema to the next, in the schema for the validator.
fn translated(trail: &str, patterns: &Patterns) -> String {
    const KEYWORD: &str = "/patternProperties/";
    match trail.strip_prefix(KEYWORD) {
        Some(token) => {
            let mut trail = String::from("/patternProperties");
            push_token(&mut trail, patterns.key(&unescape_segment(token)));
            trail
        }
        None if trail == CONTAINS => WRAPPED.to_owned(),
        None => trail.to_owned(),
    }
}

/// The location of a sub-schema of `contains`, and in the schema for the validator.
const CONTAINS: &str = "/contains";
const WRAPPED: &str = "/contains/anyOf/0";

/// The location of a keyword in the original schema, from that in the schema for the validator, but for the keys of
/// `patternProperties`.
///
/// Violations are found within `contains` only if a reference targets it. They are never found within alternatives, so
/// this changes no location below a property named `contains` that has alternatives.
pub(super) fn unwrapped(location: &str) -> String {
    location.replace(WRAPPED, CONTAINS)
}

fn resource_uri(resource: usize) -> String {
    format!("json-schema:///{resource}")
}

/// Percent-encodes a fragment.
fn encode(text: &str) -> impl Display {
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    utf8_percent_encode(text, ENCODED)
}
