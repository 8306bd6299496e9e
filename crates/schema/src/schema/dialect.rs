//! The differences between the drafts of JSON Schema, as far as this crate interprets schemas itself.

use jsonschema::Draft;
use jsonschema::meta::MetaValidator;
use serde_json::Value;

use super::rejection::Violation;

/// The data to which a keyword applies its sub-schemas, in the terms of the specification of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Applicator {
    /// The value that the enclosing schema applies to.
    InPlace,
    /// The members or items of that value, or the names of its properties.
    Child,
    /// Nothing, unless a reference targets the sub-schema.
    OnlyByReference,
}

/// How the value of a keyword contains sub-schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Schema,
    Schemas,
    SchemaOrSchemas,
    /// An object of sub-schemas; members that are arrays (in `dependencies`) are ignored.
    Members,
}

/// The draft of a schema: the one named by `$schema`, or 2020-12.
///
/// # Errors
///
/// A violation if `$schema` names anything else.
pub(super) fn draft_of(schema: &Value) -> Result<Draft, Violation> {
    let Some(named) = schema.get("$schema").and_then(Value::as_str) else {
        return Ok(Draft::Draft202012);
    };
    match Draft::from_schema_uri(named) {
        Draft::Unknown => Err(unknown_draft("/$schema".to_owned())),
        draft => Ok(draft),
    }
}

/// The violation for a `$schema` that names an unknown draft.
pub(super) fn unknown_draft(instance_path: String) -> Violation {
    let message = "must name JSON Schema draft-04, draft-06, draft-07, 2019-09 or 2020-12";
    Violation::of_keyword("$schema", instance_path, message)
}

/// The validator for schemas of this draft.
pub(super) fn meta_validator(draft: Draft) -> MetaValidator<'static> {
    match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validator(),
        Draft::Draft6 => jsonschema::draft6::meta::validator(),
        Draft::Draft7 => jsonschema::draft7::meta::validator(),
        Draft::Draft201909 => jsonschema::draft201909::meta::validator(),
        _ => jsonschema::draft202012::meta::validator(),
    }
}

/// The keyword for the identifier of a sub-schema.
pub(super) fn id(draft: Draft) -> &'static str {
    match draft {
        Draft::Draft4 => "id",
        _ => "$id",
    }
}

/// The keyword for definitions.
pub(super) fn definitions(draft: Draft) -> &'static str {
    if draft >= Draft::Draft201909 {
        "$defs"
    } else {
        "definitions"
    }
}

/// Whether keywords next to `$ref` are ignored.
pub(super) fn ref_hides_siblings(draft: Draft) -> bool {
    draft <= Draft::Draft7
}

/// The keywords that depend on which parts of the data other sub-schemas evaluate.
pub(super) fn unevaluated(draft: Draft) -> &'static [&'static str] {
    if draft >= Draft::Draft201909 {
        &["unevaluatedProperties", "unevaluatedItems"]
    } else {
        &[]
    }
}

/// How a keyword of this draft applies sub-schemas; `None` if it does not.
pub(super) fn applicator(draft: Draft, keyword: &str) -> Option<(Applicator, Shape)> {
    use Applicator::{Child, InPlace, OnlyByReference};
    use Shape::{Members, Schema, SchemaOrSchemas, Schemas};

    let (since, applicator, shape) = match keyword {
        "allOf" | "anyOf" | "oneOf" => (Draft::Draft4, InPlace, Schemas),
        "not" => (Draft::Draft4, InPlace, Schema),
        "dependencies" => (Draft::Draft4, InPlace, Members),
        "properties" | "patternProperties" => (Draft::Draft4, Child, Members),
        "additionalProperties" | "additionalItems" => (Draft::Draft4, Child, Schema),
        "items" => (Draft::Draft4, Child, SchemaOrSchemas),
        "definitions" => (Draft::Draft4, OnlyByReference, Members),
        "contains" | "propertyNames" => (Draft::Draft6, Child, Schema),
        "if" | "then" | "else" => (Draft::Draft7, InPlace, Schema),
        "$defs" => (Draft::Draft201909, OnlyByReference, Members),
        "dependentSchemas" => (Draft::Draft201909, InPlace, Members),
        "unevaluatedItems" | "unevaluatedProperties" | "contentSchema" => {
            (Draft::Draft201909, Child, Schema)
        }
        "prefixItems" => (Draft::Draft202012, Child, Schemas),
        _ => return None,
    };
    (draft >= since).then_some((applicator, shape))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schema_names_the_draft() {
        for (uri, draft) in [
            ("http://json-schema.org/draft-04/schema#", Draft::Draft4),
            ("http://json-schema.org/draft-06/schema", Draft::Draft6),
            ("https://json-schema.org/draft-07/schema#", Draft::Draft7),
            (
                "https://json-schema.org/draft/2019-09/schema",
                Draft::Draft201909,
            ),
            (
                "https://json-schema.org/draft/2020-12/schema",
                Draft::Draft202012,
            ),
        ] {
            assert_eq!(draft_of(&json!({"$schema": uri})), Ok(draft), "{uri}");
        }
        assert_eq!(draft_of(&json!({})), Ok(Draft::Draft202012));
        assert_eq!(draft_of(&json!(true)), Ok(Draft::Draft202012));
        for uri in [
            "",
            "draft-07",
            "http://json-schema.org/draft-03/schema#",
            "https://x.test/",
        ] {
            let refused = draft_of(&json!({"$schema": uri})).expect_err(uri);
            assert_eq!(refused.instance_path, "/$schema");
        }
    }

    #[test]
    fn keywords_are_ignored_in_earlier_drafts() {
        assert_eq!(applicator(Draft::Draft6, "if"), None);
        assert!(applicator(Draft::Draft7, "if").is_some());
        assert_eq!(applicator(Draft::Draft201909, "prefixItems"), None);
        assert_eq!(applicator(Draft::Draft202012, "const"), None);
    }
}
