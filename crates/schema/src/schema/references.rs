//! Resolution of the references in a schema.

use jsonschema::{Draft, uri};
use percent_encoding::percent_decode_str;
use referencing::{parse_index, unescape_segment};
use serde_json::Value;

use super::dialect::Applicator;
use super::structure::{Claim, Reference, Structure, push_token};

const LEADS_OUT: &str =
    "must refer to a location in this schema or to the meta-schema named by $schema";
const LEADS_NOWHERE: &str = "refers to a location without a schema";
const TOO_LONG: &str = "the paths of all references are too long in total";
const TOO_DYNAMIC: &str = "too many dynamic references";
const DISPUTED: &str = "refers to a name that more than one schema has";

/// The maximum total length of the JSON Pointers of all targets, in bytes.
///
/// A short reference can resolve to a long pointer, through an anchor or an identifier.
const MAX_TARGET_BYTES: usize = 64 * 1024 * 1024;

/// A reference with its target sub-schema.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) node: usize,
    pub(super) keyword: &'static str,
    pub(super) target: usize,
    /// The anchor, if the target depends on the path by which the schema is reached.
    pub(super) dynamic: Option<String>,
}

/// Resolves every reference of the schema, including those in unreachable locations.
///
/// A target at a location where the draft expects no schema becomes a sub-schema. Its own references are resolved too.
pub(super) fn resolve(structure: &mut Structure<'_>) -> Vec<Link> {
    let mut links = Vec::new();
    let mut next = 0;
    let mut target_bytes = 0_usize;
    while let Some(reference) = structure.references.get(next).copied() {
        next += 1;
        match target_of(structure, &reference) {
            Ok((target, anchor)) => {
                let pointer = structure.trails(target).into_iter().map(str::len).sum();
                target_bytes = target_bytes.saturating_add(pointer);
                if target_bytes > MAX_TARGET_BYTES {
                    structure.report(reference.node, reference.keyword, TOO_LONG);
                    break;
                }
                let anchor = match reference.keyword {
                    "$recursiveRef" => Some(String::new()),
                    "$dynamicRef" => anchor,
                    _ => None,
                };
                let candidates = candidates(structure, target, anchor.as_deref());
                if candidates.len() > 1 && !is_compilable(structure) {
                    structure.report(reference.node, reference.keyword, TOO_DYNAMIC);
                    continue;
                }
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
    structure.connect(reference.node, target, Applicator::InPlace, keyword);
    for candidate in candidates.iter().filter(|candidate| **candidate != target) {
        structure.connect(reference.node, *candidate, Applicator::InPlace, keyword);
    }
}

/// Whether a schema with references that must be resolved dynamically is small enough for the validator.
///
/// The validator compiles each sub-schema once for every order in which the resources may have been entered.
fn is_compilable(structure: &Structure<'_>) -> bool {
    const MAX_COMPILED: usize = 200_000;

    let mut orders = 1_usize;
    let mut of_length = 1_usize;
    for left in (1..=structure.resources.len()).rev() {
        of_length = of_length.saturating_mul(left);
        orders = orders.saturating_add(of_length);
        if orders.saturating_mul(structure.nodes.len()) > MAX_COMPILED {
            return false;
        }
    }
    true
}

/// The possible targets of a dynamic reference, which depend on the path to it. Empty for a plain reference.
fn candidates(structure: &Structure<'_>, target: usize, anchor: Option<&str>) -> Vec<usize> {
    anchor
        .and_then(|anchor| structure.dynamic_anchors.get(anchor))
        .filter(|anchored| anchored.contains(&target))
        .cloned()
        .unwrap_or_default()
}

/// The target of a reference, with the name of the anchor if the reference uses one.
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

/// The root of the resource that a reference names, or of the resource that contains it.
fn start_of(structure: &mut Structure<'_>, node: usize, name: &str) -> Result<usize, &'static str> {
    let resource = structure.resource_of(node).ok_or(LEADS_NOWHERE)?;
    if name.is_empty() {
        return Ok(resource.root);
    }
    let uri = uri::resolve_against(&resource.uri.borrow(), name)
        .map_err(|_| "must be a valid URI reference")?;
    let mut named = structure.named(uri.as_str());
    if named.is_none() && Draft::from_schema_uri(uri.as_str()) == structure.draft {
        structure.include_meta_schema();
        named = structure.named(uri.as_str());
    }
    match named {
        Some(Claim::By(root)) => Ok(root),
        Some(Claim::Disputed) => Err(DISPUTED),
        None => Err(LEADS_OUT),
    }
}

/// Follows a JSON Pointer from a sub-schema to a value, which thereby becomes a sub-schema.
fn follow(
    structure: &mut Structure<'_>,
    start: usize,
    pointer: &str,
) -> Result<usize, &'static str> {
    let mut value = structure.nodes.get(start).ok_or(LEADS_NOWHERE)?.schema;
    let mut enclosing = start;
    let mut trail = String::new();
    for token in pointer.split('/').skip(1) {
        let token = unescape_segment(token);
        value = match value {
            Value::Object(members) => members.get(token.as_ref()),
            Value::Array(items) => parse_index(&token).and_then(|at| items.get(at)),
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
    Ok(structure.visit_target(value, enclosing, trail, resource))
}

/// Decodes the percent-encoding of a fragment.
fn decode(fragment: &str) -> Option<String> {
    let is_encoded = |after: &str| {
        let digits = after.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let decoded = percent_decode_str(fragment).decode_utf8().ok()?;
    let is_valid = fragment.split('%').skip(1).all(is_encoded);
    is_valid.then(|| decoded.into_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::DataSchema;
    use serde_json::{Value, json};

    /// The locations and messages of the rejected references.
    pub(in crate::schema) fn refused(schema: &Value) -> Vec<(String, String)> {
        let refused = DataSchema::compile(&schema.to_string()).expect_err(&schema.to_string());
        let (_, violations) = refused.into_parts();
        violations
            .into_iter()
            .map(|one| (one.instance_path, one.message))
            .collect()
    }

    /// Asserts that a schema accepts strings for `a` and nothing else.
    fn takes_strings(schema: &Value) {
        let compiled = DataSchema::compile(&schema.to_string());
        let compiled = compiled.unwrap_or_else(|error| panic!("{schema}: {error}"));
        assert_eq!(compiled.validate(&json!({"a": "x"})), Ok(()), "{schema}");
        let refused = compiled
            .validate(&json!({"a": 1}))
            .expect_err(&schema.to_string());
        assert_eq!(refused.messages(), ["/a: must be a string"], "{schema}");
    }

    #[test]
    fn references_inside_the_schema_are_resolved() {
        let string = json!({"type": "string"});
        let a = |reference: &str| json!({"a": {"$ref": reference}});
        let draft7 = "http://json-schema.org/draft-07/schema#";
        let draft4 = "http://json-schema.org/draft-04/schema#";
        for schema in [
            json!({"properties": a("#/$defs/s"), "$defs": {"s": string}}),
            json!({"properties": a("#/%24defs/s%20~1~0"), "$defs": {"s /~": string}}),
            json!({"properties": {"a": {"$ref": "#/properties/b/items"}, "b": {"items": string}}}),
            json!({"properties": a("#s"), "$defs": {"x": {"$anchor": "s", "type": "string"}}}),
            json!({"properties": a("#s"), "$defs": {"x": {"$dynamicAnchor": "s", "type": "string"}}}),
            json!({"$id": "https://x.test/root.json", "properties": a("root.json#/$defs/s"), "$defs": {"s": string}}),
            json!({"$id": "https://x.test/root.json", "properties": a("https://x.test/root.json#/$defs/s"), "$defs": {"s": string}}),
            json!({"$id": "https://x.test/root.json", "properties": a("s"), "$defs": {"x": {"$id": "s", "type": "string"}}}),
            json!({"properties": a("s#/$defs/t"), "$defs": {"x": {"$id": "s", "$defs": {"t": {"$ref": "#/$defs/u"}, "u": string}}}}),
            json!({"properties": a("#/prefixItems/1"), "prefixItems": [true, string]}),
            json!({"$schema": draft7, "$ref": "#/definitions/r", "definitions": {"r": {"properties": a("#/definitions/s")}, "s": string}}),
            json!({"$schema": draft7, "properties": a("#s"), "definitions": {"x": {"$id": "#s", "type": "string"}}}),
            json!({"$schema": draft7, "properties": a("#/definitions/x"), "definitions": {"x": {"$id": "#/definitions/x", "type": "string"}}}),
            json!({"$schema": draft7, "properties": a("#/else/nowhere/s"), "else": {"nowhere": {"s": string}}}),
            json!({"$schema": draft4, "id": "http://x.test/", "properties": a("s#"), "definitions": {"x": {"id": "s", "type": "string"}}}),
            json!({"properties": {"a": {"$dynamicRef": "#s"}}, "$defs": {"x": {"$dynamicAnchor": "s", "type": "string"}}}),
            json!({"properties": {"a": {"$ref": "#/patternProperties/^\\d.b"}}, "patternProperties": {"^\\d.b": string, "^.b": true}}),
        ] {
            takes_strings(&schema);
        }
    }

    #[test]
    fn data_that_looks_like_a_reference_is_ignored() {
        for schema in [
            json!({"properties": {"$ref": {"type": "string"}}}),
            json!({"const": {"$ref": "https://x.test/"}}),
            json!({"enum": [{"$ref": "#/nowhere"}]}),
            json!({"default": {"$ref": 1}, "examples": [{"$ref": "#/nowhere"}]}),
            json!({"unknown": {"$ref": "https://x.test/"}}),
            json!({"properties": {"$id": {}, "$schema": {}, "id": {}}}),
        ] {
            assert!(DataSchema::compile(&schema.to_string()).is_ok(), "{schema}");
        }
    }

    #[test]
    fn external_references_are_rejected_with_their_location() {
        let out = super::LEADS_OUT;
        let nowhere = "refers to a location without a schema";
        for (reference, message) in [
            ("https://x.test/schema.json", out),
            ("http://127.0.0.1:9/x#/a", out),
            ("file:///etc/passwd", out),
            ("other.json#/definitions/a", out),
            ("https://json-schema.org/draft/2019-09/schema", out),
            ("http://json-schema.org/draft-07/schema#", out),
            ("json-schema:///1", out),
            ("#/nowhere", nowhere),
            ("#nowhere", nowhere),
            ("#/required/0", nowhere),
            ("#/%zz", "must be a valid URI reference"),
            ("http://[x", "must be a valid URI reference"),
        ] {
            let schema =
                json!({"required": ["a"], "properties": {"a": {"items": {"$ref": reference}}}});
            let pointer = "/properties/a/items/$ref".to_owned();
            assert_eq!(
                refused(&schema),
                [(pointer, message.to_owned())],
                "{reference}"
            );
        }
        let unused = json!({"$defs": {"x": {"$ref": "https://x.test/"}}});
        assert_eq!(
            refused(&unused),
            [("/$defs/x/$ref".to_owned(), out.to_owned())]
        );
        let dynamic = json!({"$dynamicRef": "https://x.test/#meta"});
        assert_eq!(
            refused(&dynamic),
            [("/$dynamicRef".to_owned(), out.to_owned())]
        );
    }

    #[test]
    fn an_ambiguous_name_is_an_invalid_target() {
        let schema = json!({
            "properties": {"a": {"$ref": "#x"}},
            "$defs": {"p": {"$anchor": "x"}, "q": {"$anchor": "x"}}
        });
        let [(pointer, message)] = <[_; 1]>::try_from(refused(&schema)).unwrap();
        assert_eq!(pointer, "/properties/a/$ref");
        assert!(message.contains("more than one"), "{message}");
    }

    #[test]
    fn the_root_may_have_the_identifier_of_a_meta_schema() {
        let name = "https://json-schema.org/draft/2020-12/schema";
        takes_strings(&json!({
            "$id": name,
            "properties": {"a": {"$ref": format!("{name}#/$defs/s")}},
            "$defs": {"s": {"type": "string"}}
        }));
    }

    #[test]
    fn the_meta_schema_of_the_draft_can_be_referenced() {
        for meta in [
            "http://json-schema.org/draft-04/schema#",
            "http://json-schema.org/draft-06/schema#",
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2019-09/schema",
            "https://json-schema.org/draft/2020-12/schema",
        ] {
            let schema = json!({
                "$schema": meta,
                "properties": {"schema": {"$ref": meta}, "again": {"$ref": meta}}
            });
            let schema = DataSchema::compile(&schema.to_string()).expect(meta);
            let nested = |length: i64| json!({"properties": {"a": {"minLength": length}}});
            assert_eq!(
                schema.validate(&json!({"schema": nested(1)})),
                Ok(()),
                "{meta}"
            );
            let refused = schema.validate(&json!({"schema": nested(-1)})).unwrap_err();
            let pointers: Vec<_> = refused
                .violations()
                .iter()
                .map(|one| &one.instance_path)
                .collect();
            assert_eq!(pointers, ["/schema/properties/a/minLength"], "{meta}");
            let other = json!({"$schema": meta, "$ref": "http://json-schema.org/draft-03/schema#"});
            assert!(
                refused_pointers(&other).contains(&"/$ref".to_owned()),
                "{meta}"
            );
        }
        let part = "http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger";
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#", "$ref": part,
            "definitions": {"http://json-schema.org/draft-07/schema#": false}
        });
        let schema = DataSchema::compile(&schema.to_string()).unwrap();
        assert_eq!(schema.validate(&json!(1)), Ok(()));
        assert!(schema.validate(&json!(-1)).is_err());
    }

    fn refused_pointers(schema: &Value) -> Vec<String> {
        refused(schema)
            .into_iter()
            .map(|(pointer, _)| pointer)
            .collect()
    }

    #[test]
    fn dynamic_references_depend_on_the_path() {
        let schema = json!({
            "$id": "https://x.test/strict",
            "$dynamicAnchor": "node",
            "$ref": "tree",
            "unevaluatedProperties": false,
            "$defs": {
                "tree": {
                    "$id": "tree",
                    "$dynamicAnchor": "node",
                    "properties": {"data": true, "children": {"items": {"$dynamicRef": "#node"}}}
                }
            }
        });
        let strict = DataSchema::compile(&schema.to_string()).unwrap();
        assert!(strict.validate(&json!({"children": [{"data": 1}]})).is_ok());
        let refused = strict
            .validate(&json!({"children": [{"daat": 1}]}))
            .unwrap_err();
        assert_eq!(refused.violations().len(), 1);

        let recursive = json!({
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "$id": "https://x.test/strict",
            "$recursiveAnchor": true,
            "$ref": "tree",
            "unevaluatedProperties": false,
            "$defs": {
                "tree": {
                    "$id": "tree",
                    "$recursiveAnchor": true,
                    "properties": {"data": true, "children": {"items": {"$recursiveRef": "#"}}}
                }
            }
        });
        let strict = DataSchema::compile(&recursive.to_string()).unwrap();
        assert!(strict.validate(&json!({"children": [{"data": 1}]})).is_ok());
        assert!(
            strict
                .validate(&json!({"children": [{"daat": 1}]}))
                .is_err()
        );
    }

    #[test]
    fn dynamic_references_among_many_resources_are_rejected() {
        let schema = |resources: usize| {
            let resource = |name: usize| {
                let others: Vec<_> = (0..resources)
                    .map(|other| json!({"$ref": format!("r{other}")}))
                    .collect();
                let dynamic = json!({"$dynamicRef": "#x"});
                let parts = json!({"prefixItems": others, "items": dynamic});
                (
                    name.to_string(),
                    json!({"$id": format!("r{name}"), "$dynamicAnchor": "x", "allOf": [parts]}),
                )
            };
            let definitions: Value = (0..resources).map(resource).collect();
            json!({"$ref": "r0", "$defs": definitions})
        };
        assert!(DataSchema::compile(&schema(4).to_string()).is_ok());
        let refused = refused(&schema(20));
        assert_eq!(refused.len(), 20);
        assert!(
            refused
                .iter()
                .all(|(pointer, _)| pointer.ends_with("/$dynamicRef")),
            "{refused:?}"
        );
    }

    #[test]
    fn a_recursive_reference_stays_within_its_resource() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "properties": {"list": {"$ref": "list"}},
            "$defs": {"l": {"$id": "list", "type": "object", "properties": {"next": {"$recursiveRef": "#"}}}}
        });
        let schema = DataSchema::compile(&schema.to_string()).unwrap();
        assert!(
            schema
                .validate(&json!({"list": {"next": {"next": {}}}}))
                .is_ok()
        );
        let refused = schema
            .validate(&json!({"list": {"next": {"next": 1}}}))
            .unwrap_err();
        assert_eq!(refused.messages(), ["/list/next/next: must be an object"]);
    }

    #[test]
    fn long_targets_of_short_references_are_rejected() {
        let many: Vec<_> = (0..300).map(|_| json!({"$ref": "#x"})).collect();
        let schema = json!({
            "allOf": many,
            "$defs": {"k".repeat(400_000): {"$anchor": "x"}}
        });
        assert!(
            refused(&schema)
                .iter()
                .all(|(_, message)| message.contains("too long in total"))
        );
    }
}
