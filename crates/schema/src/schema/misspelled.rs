//! Keywords of a schema that are probably misspelled, which JSON Schema ignores like all unknown ones.

use std::collections::HashMap;

use serde_json::Value;

use super::dialect;
use super::listing::enclosed;
use super::structure::Structure;
use crate::suggestion::nearest_name;

/// The keywords of all drafts, except [`SHORT`] ones, those of this project, and those that other vocabularies often have.
const KEYWORDS: [&str; 70] = [
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "$schema",
    "$vocabulary",
    "additionalFiles",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "discriminator",
    "else",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "files",
    "format",
    "formatMaximum",
    "formatMinimum",
    "items",
    "localizedDescription",
    "localizedName",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "tableViewVisibleDefault",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
    "x-form",
];

/// Keywords that are too short to tell a misspelled one from another name.
const SHORT: [&str; 5] = ["id", "$id", "$ref", "if", "not"];

/// The maximum number of different unknown names that are compared with the keywords.
const MAX_NAMES: usize = 200;

/// The maximum number of misspelled keywords that are reported.
const MAX_FOUND: usize = 64;

/// A keyword that is probably misspelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misspelled {
    /// The JSON Pointer of the sub-schema, or of one around it that is short enough.
    pub pointer: String,
    /// The name as it is written.
    pub written: String,
    /// The keyword that was probably meant.
    pub keyword: &'static str,
}

/// The keywords of a valid schema that are probably misspelled.
pub fn misspelled(document: &Value) -> Vec<Misspelled> {
    let Ok(draft) = dialect::draft_of(document) else {
        return Vec::new();
    };
    let structure = Structure::read(document, draft);
    let mut meant: HashMap<&str, Option<&'static str>> = HashMap::new();
    let mut found = Vec::new();
    for (node, schema) in structure.nodes.iter().enumerate() {
        let members = schema.schema.as_object().into_iter().flatten();
        for written in members.map(|(name, _)| name.as_str()) {
            if KEYWORDS.contains(&written) || SHORT.contains(&written) {
                continue;
            }
            if meant.len() == MAX_NAMES && !meant.contains_key(written) {
                continue;
            }
            let keyword = *meant
                .entry(written)
                .or_insert_with(|| nearest_name(written, KEYWORDS));
            let Some(keyword) = keyword else { continue };
            found.push(Misspelled {
                pointer: enclosed(structure.pointer(node)),
                written: written.to_owned(),
                keyword,
            });
            if found.len() == MAX_FOUND {
                return found;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(schema: &Value) -> Vec<(String, String, &'static str)> {
        let found = misspelled(schema).into_iter();
        found
            .map(|one| (one.pointer, one.written, one.keyword))
            .collect()
    }

    #[test]
    fn keywords_are_compared_everywhere_in_the_schema() {
        let schema = json!({
            "requried": ["a"],
            "properties": {
                "requried": { "type": "string", "maxlength": 3 },
                "b": { "items": { "anyof": [], "allOf": [{ "titl": "x" }] } },
            },
        });
        let of = |pointer: &str, written: &str, keyword| {
            (pointer.to_owned(), written.to_owned(), keyword)
        };
        assert_eq!(
            found(&schema),
            [
                of("", "requried", "required"),
                of("/properties/b/items", "anyof", "anyOf"),
                of("/properties/b/items/allOf/0", "titl", "title"),
                of("/properties/requried", "maxlength", "maxLength"),
            ]
        );
    }

    #[test]
    fn other_names_are_not_misspelled() {
        let schema = json!({
            "$id": "https://x.test", "label": "x", "order": 1, "hint": "x", "note": "x", "x-form": { "requried": 1 },
            "enum": [{ "requried": 1 }], "default": { "requried": 1 }, "example": { "requried": 1 }, "anything": { "requried": 1 },
        });
        assert_eq!(found(&schema), []);
        for keyword in KEYWORDS.iter().chain(&SHORT) {
            assert_eq!(found(&json!({ *keyword: null })), [], "{keyword}");
        }
    }

    #[test]
    fn the_work_is_bounded() {
        let all_of = vec![json!({ "requried": [] }); MAX_FOUND + 36];
        assert_eq!(found(&json!({ "allOf": all_of })).len(), MAX_FOUND);
        // Members are compared in the order of their names.
        let others = |number| (0..number).map(|at| (format!("other {at:03}"), json!(1)));
        for (number, is_found) in [(MAX_NAMES - 1, true), (MAX_NAMES, false)] {
            let names = others(number).chain([("requried".to_owned(), json!(1))]);
            let found = found(&Value::Object(names.collect()));
            assert_eq!(!found.is_empty(), is_found, "{number}");
        }
        let long = "requried".repeat(100_000);
        assert_eq!(found(&json!({ &long: 1 })), []);
        let within = json!({ "properties": { long: { "requried": 1 } } });
        assert_eq!(found(&within)[0].0, "/properties");
    }
}
