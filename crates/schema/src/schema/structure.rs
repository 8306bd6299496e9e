//! The sub-schemas of a schema: their locations, names and references.

use std::collections::HashMap;

use jsonschema::{Draft, Uri, uri};
use serde_json::{Map, Value};

use super::dialect::{self, Applicator, Shape};
use super::meta;
use super::rejection::Violation;

/// The base URI of a schema without an identifier.
const NAMELESS: &str = "json-schema:///";

/// One sub-schema.
#[derive(Debug)]
pub(super) struct Node<'s> {
    pub(super) schema: &'s Value,
    /// The enclosing sub-schema. `None` for the root, and for locations that are schemas only because a reference
    /// targets them.
    parent: Option<usize>,
    /// The JSON Pointer from the parent, or from the document if there is no parent.
    trail: String,
    /// The resource it belongs to, as an index of [`Structure::resources`].
    pub(super) resource: usize,
    pub(super) edges: Vec<Edge>,
}

/// An edge to another sub-schema that is checked as part of this one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) target: usize,
    pub(super) applicator: Applicator,
    /// The keyword, if the edge is a reference.
    pub(super) reference: Option<&'static str>,
}

/// A sub-schema with its own URI, which is the base of the references in it.
#[derive(Debug)]
pub(super) struct Resource {
    pub(super) root: usize,
    pub(super) uri: Uri<String>,
}

/// A name that several sub-schemas may claim, which is a problem only if a reference uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    By(usize),
    Disputed,
}

/// A reference as written in the schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference<'s> {
    pub(super) node: usize,
    pub(super) keyword: &'static str,
    pub(super) text: &'s str,
}

/// All sub-schemas of a schema, found through the keywords of its draft.
///
/// Values of `const`, `enum`, `default`, `examples` and of unknown keywords are data and contain no sub-schemas, unless
/// a reference targets one.
#[derive(Debug)]
pub(super) struct Structure<'s> {
    pub(super) draft: Draft,
    pub(super) document: &'s Value,
    pub(super) nodes: Vec<Node<'s>>,
    pub(super) resources: Vec<Resource>,
    pub(super) references: Vec<Reference<'s>>,
    pub(super) violations: Vec<Violation>,
    /// The sub-schemas that are schemas only because a reference targets them.
    pub(super) targets: Vec<usize>,
    /// The documents of the meta-schema with their names among the definitions, if a reference targets the meta-schema.
    pub(super) meta_schemas: Vec<(String, &'s Value)>,
    by_address: HashMap<usize, usize>,
    by_uri: HashMap<String, Claim>,
    anchors: HashMap<(usize, String), Claim>,
    /// The sub-schemas with a dynamic anchor, by the name of the anchor; `""` stands for `$recursiveAnchor`.
    pub(super) dynamic_anchors: HashMap<String, Vec<usize>>,
}

/// The identity of a value is its address: the document is borrowed and does not move.
fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

/// Appends a token to a JSON Pointer.
pub fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    referencing::write_escaped_str(pointer, token);
}

impl<'s> Structure<'s> {
    /// Finds all sub-schemas at the locations defined by the keywords of the draft.
    pub(super) fn read(document: &'s Value, draft: Draft) -> Self {
        let mut structure = Self {
            draft,
            document,
            nodes: Vec::new(),
            resources: Vec::new(),
            references: Vec::new(),
            violations: Vec::new(),
            targets: Vec::new(),
            meta_schemas: Vec::new(),
            by_address: HashMap::new(),
            by_uri: HashMap::new(),
            anchors: HashMap::new(),
            dynamic_anchors: HashMap::new(),
        };
        if let Ok(uri) = uri::from_str(NAMELESS) {
            structure.resources.push(Resource { root: 0, uri });
        }
        structure.visit(document, None, String::new(), 0);
        if let Some(root) = structure.resources.first() {
            let name = root.uri.as_str().to_owned();
            structure.by_uri.entry(name).or_insert(Claim::By(0));
        }
        structure
    }

    /// The sub-schema at this value, if there is one.
    pub(super) fn node_of(&self, value: &Value) -> Option<usize> {
        self.by_address.get(&address(value)).copied()
    }

    /// The sub-schema with this URI.
    pub(super) fn named(&self, uri: &str) -> Option<Claim> {
        self.by_uri.get(uri).copied()
    }

    /// The sub-schema with this anchor in a resource.
    pub(super) fn anchored(&self, resource: usize, anchor: &str) -> Option<Claim> {
        self.anchors.get(&(resource, anchor.to_owned())).copied()
    }

    /// The JSON Pointer of a sub-schema in the document.
    pub(super) fn pointer(&self, node: usize) -> String {
        self.trails(node).concat()
    }

    /// The segments of the JSON Pointer, each from one sub-schema to the next.
    pub(super) fn trails(&self, node: usize) -> Vec<&str> {
        let mut trails = Vec::new();
        let mut current = Some(node);
        while let Some(node) = current.and_then(|index| self.nodes.get(index)) {
            trails.push(node.trail.as_str());
            current = node.parent;
        }
        trails.reverse();
        trails
    }

    /// Reports a problem with a keyword of a sub-schema.
    pub(super) fn report(&mut self, node: usize, keyword: &str, message: &str) {
        let mut pointer = self.pointer(node);
        push_token(&mut pointer, keyword);
        self.violations
            .push(Violation::of_keyword(keyword, pointer, message));
    }

    /// Adds a value as a sub-schema, with everything it contains.
    ///
    /// Recursion is bounded by the depth of the document.
    pub(super) fn visit(
        &mut self,
        schema: &'s Value,
        parent: Option<usize>,
        trail: String,
        resource: usize,
    ) -> usize {
        if let Some(known) = self.node_of(schema) {
            return known;
        }
        let node = self.nodes.len();
        self.by_address.insert(address(schema), node);
        self.nodes.push(Node {
            schema,
            parent,
            trail,
            resource,
            edges: Vec::new(),
        });
        if let Value::Object(members) = schema {
            self.read_names(node, members);
            self.read_references(node, members);
            self.visit_members(node, members);
        }
        node
    }

    /// Adds the target of a reference as a sub-schema, unless it is one already.
    pub(super) fn visit_target(
        &mut self,
        schema: &'s Value,
        parent: usize,
        trail: String,
        resource: usize,
    ) -> usize {
        let next = self.nodes.len();
        let target = self.visit(schema, Some(parent), trail, resource);
        if target == next {
            self.targets.push(target);
        }
        target
    }

    /// Adds the meta-schema of the draft, as if it were among the definitions of the document.
    pub(super) fn include_meta_schema(&mut self) {
        if !self.meta_schemas.is_empty() {
            return;
        }
        let keyword = dialect::definitions(self.draft);
        for document in meta::documents(self.draft) {
            let id = document
                .get(dialect::id(self.draft))
                .and_then(Value::as_str);
            let mut name = id.unwrap_or_default().to_owned();
            let taken = |name: &String| self.document.get(keyword)?.get(name);
            while taken(&name).is_some() {
                name.push(' ');
            }
            let mut trail = String::new();
            push_token(&mut trail, keyword);
            push_token(&mut trail, &name);
            self.meta_schemas.push((name, document));
            self.visit(document, None, trail, 0);
        }
    }

    fn visit_members(&mut self, node: usize, members: &'s Map<String, Value>) {
        let resource = self.nodes.get(node).map_or(0, |node| node.resource);
        let hidden = dialect::ref_hides_siblings(self.draft) && members.contains_key("$ref");
        for (keyword, value) in members {
            let Some((applicator, shape)) = dialect::applicator(self.draft, keyword) else {
                continue;
            };
            let applicator = if hidden {
                Applicator::OnlyByReference
            } else {
                applicator
            };
            for (token, schema) in held_schemas(value, shape) {
                let mut trail = String::new();
                push_token(&mut trail, keyword);
                if let Some(token) = token {
                    push_token(&mut trail, &token);
                }
                let target = self.visit(schema, Some(node), trail, resource);
                self.connect(node, target, applicator, None);
            }
        }
    }

    /// Records that checking `node` also checks `target`.
    pub(super) fn connect(
        &mut self,
        node: usize,
        target: usize,
        applicator: Applicator,
        reference: Option<&'static str>,
    ) {
        if applicator == Applicator::OnlyByReference {
            return;
        }
        if let Some(node) = self.nodes.get_mut(node) {
            node.edges.push(Edge {
                target,
                applicator,
                reference,
            });
        }
    }

    /// Reads the names of a sub-schema (identifiers and anchors), and its draft.
    fn read_names(&mut self, node: usize, members: &Map<String, Value>) {
        let text = |keyword: &str| members.get(keyword).and_then(Value::as_str);
        if let Some(named) = text("$schema")
            && Draft::from_schema_uri(named) != self.draft
        {
            let message = "must name the same draft as the whole schema";
            self.report(node, "$schema", message);
        }
        let id_keyword = dialect::id(self.draft);
        let hidden = dialect::ref_hides_siblings(self.draft) && members.contains_key("$ref");
        if let Some(id) = text(id_keyword).filter(|_| !hidden) {
            self.read_id(node, id_keyword, id);
        }
        if self.draft >= Draft::Draft201909
            && let Some(anchor) = text("$anchor")
        {
            self.claim_anchor(node, anchor);
        }
        if self.draft == Draft::Draft202012
            && let Some(anchor) = text("$dynamicAnchor")
        {
            self.claim_anchor(node, anchor);
            let anchors = self.dynamic_anchors.entry(anchor.to_owned());
            anchors.or_default().push(node);
        }
        if self.draft == Draft::Draft201909
            && members.get("$recursiveAnchor") == Some(&Value::Bool(true))
        {
            let anchors = self.dynamic_anchors.entry(String::new());
            anchors.or_default().push(node);
        }
    }

    /// Reads `$id`, which starts a new resource and, in drafts up to 7, may also be an anchor.
    fn read_id(&mut self, node: usize, keyword: &'static str, id: &str) {
        let (name, fragment) = id.split_once('#').unwrap_or((id, ""));
        if !name.is_empty() {
            let base = self.resource_of(node).map(|resource| resource.uri.clone());
            match base.map(|base| uri::resolve_against(&base.borrow(), name)) {
                Some(Ok(uri)) => self.open_resource(node, uri),
                _ => self.report(node, keyword, "must be a valid URI reference"),
            }
        }
        if !fragment.is_empty() && !fragment.starts_with('/') {
            self.claim_anchor(node, fragment);
        }
    }

    fn open_resource(&mut self, node: usize, uri: Uri<String>) {
        let claim = self.by_uri.entry(uri.as_str().to_owned());
        claim
            .and_modify(|claim| *claim = Claim::Disputed)
            .or_insert(Claim::By(node));
        let resource = Resource { root: node, uri };
        // The URI of the root replaces the placeholder, so that the document is a single resource.
        let index = if node == 0 { 0 } else { self.resources.len() };
        match self.resources.get_mut(index) {
            Some(root) => *root = resource,
            None => self.resources.push(resource),
        }
        if let Some(node) = self.nodes.get_mut(node) {
            node.resource = index;
        }
    }

    fn claim_anchor(&mut self, node: usize, anchor: &str) {
        let resource = self.nodes.get(node).map_or(0, |node| node.resource);
        self.anchors
            .entry((resource, anchor.to_owned()))
            .and_modify(|claim| {
                if *claim != Claim::By(node) {
                    *claim = Claim::Disputed;
                }
            })
            .or_insert(Claim::By(node));
    }

    /// The resource that contains a sub-schema.
    pub(super) fn resource_of(&self, node: usize) -> Option<&Resource> {
        self.resources.get(self.nodes.get(node)?.resource)
    }

    fn read_references(&mut self, node: usize, members: &'s Map<String, Value>) {
        for (keyword, applies) in [
            ("$ref", true),
            ("$recursiveRef", self.draft == Draft::Draft201909),
            ("$dynamicRef", self.draft == Draft::Draft202012),
        ] {
            match members.get(keyword).filter(|_| applies) {
                None => {}
                Some(Value::String(text)) => self.references.push(Reference {
                    node,
                    keyword,
                    text,
                }),
                Some(_) => self.report(node, keyword, "must be a string"),
            }
        }
    }
}

/// The sub-schemas in the value of a keyword, each with its reference token relative to the keyword.
fn held_schemas(value: &Value, shape: Shape) -> Vec<(Option<String>, &Value)> {
    match (shape, value) {
        (Shape::Schemas | Shape::SchemaOrSchemas, Value::Array(items)) => {
            let mut schemas = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                schemas.push((Some(index.to_string()), item));
            }
            schemas
        }
        (Shape::Members, Value::Object(members)) => members
            .iter()
            .filter(|(_, schema)| !schema.is_array())
            .map(|(name, schema)| (Some(name.clone()), schema))
            .collect(),
        (Shape::Schema | Shape::SchemaOrSchemas, Value::Object(_) | Value::Bool(_)) => {
            vec![(None, value)]
        }
        _ => Vec::new(),
    }
}
