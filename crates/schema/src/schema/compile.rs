//! Compilation of a schema.

use std::sync::OnceLock;

use jsonschema::{Draft, ValidationOptions};
use serde_json::Value;

use super::cost::{self, Cost};
use super::document_size::DocumentSize;
use super::file_rules::FileRules;
use super::keys::TopLevelKeys;
use super::listing::Listing;
use super::outline::{Outline, SourceSchema};
use super::patterns::Patterns;
use super::references::Link;
use super::rejection::{Rejection, Violation};
use super::structure::Structure;
use super::{
    DataSchema, annotations, budget, dialect, enumeration, json, messages, plain, references, stack,
};

/// The maximum recursion depth of the compiler: eight nested references, each through a document of the maximum depth,
/// and four calls for each sub-schema in a chain that `unevaluatedProperties` has to follow.
const COMPILER_FRAMES: usize = 9 * DataSchema::MAX_DEPTH * 8 + 4 * cost::MAX_NESTING;

/// Checks and compiles a schema.
pub(super) fn compile(text: &str) -> Result<DataSchema, Rejection> {
    compile_as(text, FileRules::read)
}

/// [`DataSchema::compile`] for the schema of a stored form. If it has faults in its rules for files, because it was stored
/// when these keywords had no meaning, it has no such rules.
///
/// # Errors
///
/// A rejection with all problems of the schema.
pub fn compile_stored(text: &str) -> Result<DataSchema, Rejection> {
    compile_as(text, |document| match FileRules::read(document) {
        (rules, faults) if faults.is_empty() => (rules, Vec::new()),
        _ => Default::default(),
    })
}

fn compile_as(
    text: &str,
    read_file_rules: fn(&Value) -> (FileRules, Vec<Violation>),
) -> Result<DataSchema, Rejection> {
    if text.len() > DataSchema::MAX_BYTES {
        return Err(Rejection::unreadable("must not be larger than 1 MiB"));
    }
    let document = json::parse_json_within(text, DataSchema::MAX_DEPTH)?;
    with_large_stack(|| {
        let (file_rules, faults) = read_file_rules(&document);
        let prepared = Prepared::of(&document, faults)?;
        prepared.compile(text, &document, file_rules)
    })
    .unwrap_or_else(|| Err(refusal("cannot be compiled")))
}

/// Reads what a valid schema asks for; `None` if that is not possible.
pub(super) fn outline(text: &str) -> Option<Outline> {
    let document = json::parse_json_within(text, DataSchema::MAX_DEPTH).ok()?;
    with_large_stack(|| {
        let prepared = Prepared::of(&document, Vec::new()).ok()?;
        let plain = prepared.plain();
        let Prepared {
            structure,
            links,
            patterns,
            cost,
        } = &prepared;
        Outline::of(
            &SourceSchema {
                text,
                structure,
                links,
                plain: &plain,
                patterns,
            },
            prepared.options(),
            cost.nesting(),
        )
    })
    .flatten()
}

/// Runs a part of the compiler on a stack that is large enough for any schema.
fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    stack::with_stack(COMPILER_FRAMES, work)
}

/// A schema that was checked, with everything that the validator needs.
struct Prepared<'d> {
    structure: Structure<'d>,
    links: Vec<Link>,
    patterns: Patterns,
    cost: Cost,
}

impl<'d> Prepared<'d> {
    /// Checks a schema. `faults` are those of its rules about files, to be reported with all others.
    fn of(document: &'d Value, faults: Vec<Violation>) -> Result<Self, Rejection> {
        let extent = DocumentSize::of(document);
        if !extent.is_describable() {
            return Err(refusal("property names are too long in total"));
        }
        if extent.values > DataSchema::MAX_VALUES {
            let most = DataSchema::MAX_VALUES;
            return Err(refusal(&format!("must not have more than {most} values")));
        }
        let draft = dialect::draft_of(document)?;
        let mut structure = Structure::read(document, draft);
        if structure.nodes.len() > DataSchema::MAX_SUB_SCHEMAS {
            let most = DataSchema::MAX_SUB_SCHEMAS;
            return Err(refusal(&format!(
                "must not have more than {most} sub-schemas"
            )));
        }
        Rejection::if_listed(meta_violations(draft, &structure, 0))?;

        let links = references::resolve(&mut structure);
        let mut violations = Listing::from(std::mem::take(&mut structure.violations));
        violations.extend(annotations::check(&structure));
        violations.extend(faults);
        // The sub-schemas below a target are not checked separately: in draft-04, `false` is valid for
        // `additionalProperties` but is not a schema.
        for target in &structure.targets {
            let (listed, omitted) = meta_violations(draft, &structure, *target).into_parts();
            violations.extend(listed);
            violations.omit(omitted);
        }
        let patterns = Patterns::compile(&structure).unwrap_or_else(|unusable| {
            violations.extend(unusable);
            Patterns::default()
        });
        Rejection::if_listed(violations)?;
        let cost = cost::check(&structure).map_err(rejection)?;
        Ok(Self {
            structure,
            links,
            patterns,
            cost,
        })
    }

    /// The schema for the validator.
    fn plain(&self) -> Value {
        plain::plain_schema(&self.structure, &self.links, &self.patterns, &self.cost)
    }

    /// The options of the validator.
    fn options<'o>(&self) -> ValidationOptions<'o> {
        let options = enumeration::register(self.patterns.options(self.structure.draft));
        budget::register(options, self.cost.nesting())
    }

    fn compile(
        self,
        text: &str,
        document: &Value,
        file_rules: FileRules,
    ) -> Result<DataSchema, Rejection> {
        let validator = self
            .options()
            .build(&self.plain())
            .map_err(|error| messages::rejection_of(&error))?;
        let Self { patterns, cost, .. } = self;
        Ok(DataSchema {
            text: text.to_owned(),
            validator,
            nesting: cost.nesting(),
            key_patterns: patterns.key_patterns(cost.key_patterns()),
            key_sources: patterns.sources_of_keys(),
            memory_bytes: patterns.memory_bytes(),
            keys: TopLevelKeys::of(document),
            file_rules,
            outline: OnceLock::new(),
        })
    }
}

/// The violations of the meta-schema in a sub-schema and everything it contains.
fn meta_violations(draft: Draft, structure: &Structure<'_>, node: usize) -> Listing {
    let Some(schema) = structure.nodes.get(node).map(|node| node.schema) else {
        return Listing::default();
    };
    let meta = dialect::meta_validator(draft);
    if meta.is_valid(schema) {
        return Listing::default();
    }
    let (violations, omitted) = messages::violations_of_schema(&meta, schema).into_parts();
    let pointer = structure.pointer(node);
    let mut located = Listing::default();
    for mut violation in violations {
        violation.instance_path.insert_str(0, &pointer);
        located.push(violation);
    }
    located.omit(omitted);
    located
}

fn rejection(violations: Vec<Violation>) -> Rejection {
    let refused = Rejection::if_any(violations);
    refused
        .err()
        .unwrap_or_else(|| refusal("is not a valid schema"))
}

fn refusal(message: &str) -> Rejection {
    Violation::of_keyword("", String::new(), message).into()
}

#[cfg(test)]
mod tests {
    use super::super::{DataSchema, Rejection, parse_json};
    use super::*;
    use serde_json::json;

    const DRAFTS: [&str; 5] = [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ];

    fn refusal_of(schema: &Value) -> Rejection {
        DataSchema::compile(&schema.to_string()).expect_err(&schema.to_string())
    }

    /// The locations and keywords of the violations of a rejected schema.
    fn pointers(schema: &Value) -> Vec<(String, String)> {
        let (_, violations) = refusal_of(schema).into_parts();
        let pointers = violations
            .into_iter()
            .map(|one| (one.instance_path, one.keyword));
        pointers.collect()
    }

    #[test]
    fn every_draft_is_supported_and_asserts_formats() {
        for draft in DRAFTS {
            let schema = json!({"$schema": draft, "properties": {"day": {"format": "date"}}});
            let schema = DataSchema::compile(&schema.to_string()).expect(draft);
            assert!(
                schema.validate(&json!({"day": "2026-02-28"})).is_ok(),
                "{draft}"
            );
            let refused = schema
                .validate(&json!({"day": "2026-02-30"}))
                .expect_err(draft);
            assert_eq!(refused.messages(), ["/day: must be a date like 2026-01-31"]);
        }
    }

    #[test]
    fn international_formats_are_asserted() {
        for (format, valid, invalid) in [
            ("idn-email", "实例@实例.测试", "2962"),
            ("idn-hostname", "실례.테스트", "〮실례.테스트"),
        ] {
            let schema = DataSchema::compile(&json!({"format": format}).to_string()).unwrap();
            assert_eq!(schema.validate(&json!(valid)), Ok(()), "{format}");
            assert!(schema.validate(&json!(invalid)).is_err(), "{format}");
        }
    }

    #[test]
    fn the_text_is_preserved() {
        let text = " { \"type\" :\t\"object\", \"x\": 1.00 } ";
        assert_eq!(DataSchema::compile(text).unwrap().text(), text);
    }

    #[test]
    fn true_and_false_are_schemas_from_draft_6_on() {
        assert!(
            DataSchema::compile("true")
                .unwrap()
                .validate(&json!(1))
                .is_ok()
        );
        assert!(
            DataSchema::compile("false")
                .unwrap()
                .validate(&json!(1))
                .is_err()
        );
        for text in ["1", "null", "[]", "\"object\""] {
            assert!(DataSchema::compile(text).is_err(), "{text}");
        }
        let nested = json!({"$schema": DRAFTS[0], "properties": {"a": true}});
        assert_eq!(pointers(&nested), [("/properties/a".into(), "type".into())]);
    }

    #[test]
    fn malformed_json_has_no_violations() {
        for text in ["", "{", r#"{"type":"object","type":"object"}"#] {
            let refused = DataSchema::compile(text).expect_err(text);
            assert!(refused.violations().is_empty(), "{text}");
            assert_eq!(refused.messages().len(), 1, "{text}");
        }
    }

    #[test]
    fn the_size_in_bytes_is_limited() {
        let padded = |bytes: usize| format!("{}{{}}", " ".repeat(bytes - 2));
        assert!(DataSchema::compile(&padded(DataSchema::MAX_BYTES)).is_ok());
        let refused = DataSchema::compile(&padded(DataSchema::MAX_BYTES + 1)).unwrap_err();
        assert_eq!(refused.messages(), ["must not be larger than 1 MiB"]);
    }

    #[test]
    fn the_depth_is_limited() {
        let nested = |levels: usize| {
            let (open, close) = ("{\"not\":".repeat(levels - 1), "}".repeat(levels - 1));
            format!("{open}{{}}{close}")
        };
        assert!(DataSchema::compile(&nested(DataSchema::MAX_DEPTH)).is_ok());
        let refused = DataSchema::compile(&nested(DataSchema::MAX_DEPTH + 1)).unwrap_err();
        assert_eq!(
            refused.messages(),
            ["must not be nested deeper than 64 levels"]
        );
    }

    #[test]
    fn every_violation_of_the_meta_schema_is_reported() {
        let schema = json!({
            "type": "strin",
            "required": "name",
            "properties": {"a/b": {"minLength": -1}}
        });
        for draft in DRAFTS {
            let mut schema = schema.clone();
            schema["$schema"] = json!(draft);
            let mut found = pointers(&schema);
            found.sort();
            let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
            assert_eq!(
                paths,
                ["/properties/a~1b/minLength", "/required", "/type"],
                "{draft}"
            );
        }
    }

    #[test]
    fn unknown_drafts_are_rejected() {
        let unknown = json!({"$schema": "https://example.test/dialect"});
        assert_eq!(pointers(&unknown), [("/$schema".into(), "$schema".into())]);
        let mixed = json!({"$defs": {"old": {"$id": "old", "$schema": DRAFTS[2]}}});
        assert_eq!(
            pointers(&mixed),
            [("/$defs/old/$schema".into(), "$schema".into())]
        );
        let same =
            json!({"$schema": DRAFTS[4], "$defs": {"x": {"$id": "x", "$schema": DRAFTS[4]}}});
        assert!(DataSchema::compile(&same.to_string()).is_ok());
    }

    #[test]
    fn annotations_of_properties_are_checked_at_any_depth() {
        let good = json!({
            "localizedName": "not on a property",
            "properties": {
                "localizedName": {"type": "string"},
                "a": {"localizedName": {"de": "Alter", "en": "Age"}, "tableViewVisibleDefault": true},
                "b": true
            }
        });
        assert!(DataSchema::compile(&good.to_string()).is_ok());
        let bad = json!({
            "properties": {
                "a": {"localizedName": "Age"},
                "b": {"localizedName": {"de": 1}, "tableViewVisibleDefault": "yes"},
                "c": {"items": {"properties": {"d": {"tableViewVisibleDefault": null}}}}
            }
        });
        let expected = [
            ("/properties/a/localizedName", "localizedName"),
            ("/properties/b/localizedName", "localizedName"),
            (
                "/properties/b/tableViewVisibleDefault",
                "tableViewVisibleDefault",
            ),
            (
                "/properties/c/items/properties/d/tableViewVisibleDefault",
                "tableViewVisibleDefault",
            ),
        ];
        assert_eq!(
            pointers(&bad),
            expected.map(|(path, word)| (path.into(), word.into()))
        );
    }

    #[test]
    fn a_target_in_an_unknown_location_is_a_schema() {
        let schema = |named: Value| json!({"$schema": DRAFTS[2], "$ref": "#/$defs/a", "$defs": {"a": named}});
        assert_eq!(
            pointers(&schema(json!({"type": "strin"}))),
            [("/$defs/a/type".into(), "anyOf".into())]
        );
        let schema = DataSchema::compile(&schema(json!({"type": "string"})).to_string()).unwrap();
        assert!(schema.validate(&json!(1)).is_err());
    }

    #[test]
    fn the_contents_of_a_target_are_checked_with_it() {
        for draft in DRAFTS {
            let target = json!({"additionalProperties": false, "inner": {"maxLength": -1}});
            let schema = |reference: &str| {
                json!({
                    "$schema": draft,
                    "properties": {"a": {"$ref": "#/definitions/a/b"}, "c": {"$ref": reference}},
                    "definitions": {"a": {"b": target}}
                })
            };
            let text = schema("#/definitions/a/b").to_string();
            let compiled = DataSchema::compile(&text).expect(draft);
            assert_eq!(compiled.validate(&json!({"a": {}})), Ok(()), "{draft}");
            assert!(
                compiled.validate(&json!({"a": {"x": 1}})).is_err(),
                "{draft}"
            );
            let refused = pointers(&schema("#/definitions/a/b/inner"));
            let paths: Vec<_> = refused.iter().map(|(path, _)| path.as_str()).collect();
            assert_eq!(paths, ["/definitions/a/b/inner/maxLength"], "{draft}");
        }
    }

    #[test]
    fn a_long_key_above_many_values_is_rejected() {
        let schema = json!({"properties": {"k".repeat(500_000): {"enum": vec![0; 200_000]}}});
        assert_eq!(pointers(&schema), [(String::new(), String::new())]);
    }

    #[test]
    fn a_compiled_schema_can_be_shared() {
        fn shared<T: Send + Sync + std::fmt::Debug>(_: &T) {}
        let schema = DataSchema::compile("{}").unwrap();
        shared(&schema);
        assert!(schema.memory_bytes() > 0);
        assert_eq!(
            parse_json("{}").and_then(|data| schema.validate(&data)),
            Ok(())
        );
    }
}
