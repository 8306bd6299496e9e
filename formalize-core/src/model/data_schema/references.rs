//! Where the references of a schema lead to.

use jsonschema::uri;
use serde_json::Value;

use super::dialect::Reach;
use super::structure::{Claim, Reference, Structure, push_token};

const LEADS_OUT: &str = "must lead to a place in this schema";
const LEADS_NOWHERE: &str = "leads to no schema";
const DISPUTED: &str = "leads to a name that stands for more than one schema";

/// A reference with the sub-schema it leads to.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) node: usize,
    pub(super) keyword: &'static str,
    pub(super) target: usize,
    /// The anchor, where the target depends on the way by which the schema is reached.
    pub(super) dynamic: Option<String>,
}

/// Resolves every reference of the schema, also those in places that nothing reaches.
///
/// A target that stands where the draft expects no schema becomes one by this, with the references it
/// holds in turn.
pub(super) fn resolve(structure: &mut Structure<'_>) -> Vec<Link> {
    let mut links = Vec::new();
    let mut next = 0;
    while let Some(reference) = structure.references.get(next).copied() {
        next += 1;
        match target_of(structure, &reference) {
            Ok((target, anchor)) => {
                let anchor = match reference.keyword {
                    "$recursiveRef" => Some(String::new()),
                    "$dynamicRef" => anchor,
                    _ => None,
                };
                let candidates = candidates(structure, target, anchor.as_deref());
                connect(structure, &reference, target, &candidates);
                links.push(Link {
                    node: reference.node,
                    keyword: reference.keyword,
                    target,
                    dynamic: anchor.filter(|_| candidates.len() > 1),
                });
            }
            Err(message) => structure.report(reference.node, reference.keyword, message),
        }
    }
    links
}

fn connect(
    structure: &mut Structure<'_>,
    reference: &Reference<'_>,
    target: usize,
    candidates: &[usize],
) {
    let keyword = Some(reference.keyword);
    structure.connect(reference.node, target, Reach::SamePlace, keyword);
    for candidate in candidates.iter().filter(|candidate| **candidate != target) {
        structure.connect(reference.node, *candidate, Reach::SamePlace, keyword);
    }
}

/// The sub-schemas among which the way to a dynamic reference decides; none where it is a plain one.
fn candidates(structure: &Structure<'_>, target: usize, anchor: Option<&str>) -> Vec<usize> {
    anchor
        .and_then(|anchor| structure.dynamic_anchors.get(anchor))
        .filter(|anchored| anchored.contains(&target))
        .cloned()
        .unwrap_or_default()
}

/// The sub-schema that a reference leads to, with the name of the anchor if it does so by one.
fn target_of(
    structure: &mut Structure<'_>,
    reference: &Reference<'_>,
) -> Result<(usize, Option<String>), &'static str> {
    let (name, fragment) = reference
        .text
        .split_once('#')
        .unwrap_or((reference.text, ""));
    let start = start_of(structure, reference.node, name)?;
    let fragment = decode(fragment).ok_or("must be a valid URI reference")?;
    if fragment.is_empty() {
        return Ok((start, None));
    }
    if fragment.starts_with('/') {
        return follow(structure, start, &fragment).map(|target| (target, None));
    }
    let resource = structure.nodes.get(start).map_or(0, |node| node.resource);
    match structure.anchored(resource, &fragment) {
        Some(Claim::By(target)) => Ok((target, Some(fragment))),
        Some(Claim::Disputed) => Err(DISPUTED),
        None => Err(LEADS_NOWHERE),
    }
}

/// The root of the resource that a reference names, or of the one it stands in.
fn start_of(structure: &Structure<'_>, node: usize, name: &str) -> Result<usize, &'static str> {
    let resource = structure.resource_of(node).ok_or(LEADS_NOWHERE)?;
    if name.is_empty() {
        return Ok(resource.root);
    }
    let uri = uri::resolve_against(&resource.uri.borrow(), name)
        .map_err(|_| "must be a valid URI reference")?;
    match structure.named(uri.as_str()) {
        Some(Claim::By(root)) => Ok(root),
        Some(Claim::Disputed) => Err(DISPUTED),
        None => Err(LEADS_OUT),
    }
}

/// Follows a JSON Pointer from a sub-schema to a value, which thereby is a sub-schema.
fn follow(
    structure: &mut Structure<'_>,
    start: usize,
    pointer: &str,
) -> Result<usize, &'static str> {
    let mut value = structure.nodes.get(start).ok_or(LEADS_NOWHERE)?.schema;
    let mut enclosing = start;
    let mut trail = String::new();
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        value = match value {
            Value::Object(members) => members.get(&token),
            Value::Array(items) => token.parse::<usize>().ok().and_then(|at| items.get(at)),
            _ => None,
        }
        .ok_or(LEADS_NOWHERE)?;
        push_token(&mut trail, &token);
        if let Some(known) = structure.node_of(value) {
            enclosing = known;
            trail.clear();
        }
    }
    if !matches!(value, Value::Object(_) | Value::Bool(_)) {
        return Err(LEADS_NOWHERE);
    }
    let resource = structure
        .nodes
        .get(enclosing)
        .map_or(0, |node| node.resource);
    Ok(structure.visit(value, Some(enclosing), trail, resource))
}

/// Resolves the percent-encoding of a fragment.
fn decode(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
