//! Malicious schemas and data: nothing may crash or take long.

mod corpus;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::Budget;
use super::{DataSchema, Rejection, parse_json, validate_briefly, validate_lightly};
use crate::questions::{Question, Questions};

const KEYWORDS: [&str; 46] = [
    "$schema",
    "$id",
    "id",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$defs",
    "definitions",
    "type",
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "propertyNames",
    "required",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "enum",
    "const",
    "format",
    "pattern",
    "minLength",
    "maximum",
    "multipleOf",
    "uniqueItems",
    "contentMediaType",
    "contentEncoding",
    "formalize:charged",
    "formalize:failed",
];

const WORDS: [&str; 36] = [
    "",
    "a",
    "b",
    "#",
    "#/",
    "#a",
    "#/$defs/a",
    "#/definitions/a",
    "#/properties/a",
    "#/allOf/0",
    "#/patternProperties/a",
    "a#",
    "a#b",
    "http://x.test/a",
    "json-schema:///",
    "json-schema:///0",
    "urn:x:y",
    "..",
    "//",
    "?",
    "%",
    "#%25",
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
    "string",
    "object",
    "email",
    "regex",
    "date",
    "^(a|a)*\\1b",
    "(?=a)",
    "[",
    "\\p{L}{9}",
    "é\u{0}",
];

/// Values with random combinations of keywords and other strings from schemas.
fn schema_like() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => select(&WORDS[..]).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => (-2_i64..9).prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(6, 48, 6, |inner| {
        let name = prop_oneof![4 => select(&KEYWORDS[..]), 2 => select(&["a", "b", "0"][..])];
        prop_oneof![
            6 => vec((name, inner.clone()), 0..6).prop_map(|members| {
                let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect::<Map<_, _>>())
            }),
            1 => vec(inner, 0..4).prop_map(Value::Array),
        ]
    })
}

/// Schemas whose keywords mostly have valid values, so that most of the schemas compile.
fn schema() -> impl Strategy<Value = Value> {
    const REFERENCES: [&str; 6] = [
        "#",
        "#/$defs/a",
        "#/$defs/b",
        "#/$defs/a/properties/a",
        "#a",
        "r",
    ];
    let leaf = prop_oneof![
        select(&["string", "object", "array", "number", "null"][..])
            .prop_map(|kind| json!({"type": kind})),
        select(&REFERENCES[..]).prop_map(|target| json!({"$ref": target})),
        Just(json!({"$dynamicRef": "#a"})),
        Just(json!({"pattern": "^(a|a)*\\1b"})),
        Just(json!({"required": ["a", "b"]})),
        Just(json!({"const": {"a": 1}})),
        Just(json!(false)),
    ];
    let inner = leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            (
                select(&["allOf", "anyOf", "oneOf"][..]),
                vec(inner.clone(), 1..4)
            )
                .prop_map(|(keyword, schemas)| json!({keyword: schemas})),
            (
                select(
                    &[
                        "not",
                        "items",
                        "contains",
                        "additionalProperties",
                        "unevaluatedProperties",
                        "unevaluatedItems",
                        "propertyNames",
                        "if",
                        "then",
                        "else"
                    ][..]
                ),
                inner.clone(),
            )
                .prop_map(|(keyword, schema)| json!({keyword: schema})),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, rest)| json!({
                "properties": {"a": a}, "patternProperties": {"b|^(a|a)*\\1c": b},
                "unevaluatedProperties": rest
            })),
            (inner.clone(), inner.clone()).prop_map(|(first, second)| {
                let mut both = first;
                if let (Value::Object(both), Value::Object(second)) = (&mut both, second) {
                    both.extend(second);
                }
                both
            }),
        ]
    });
    (inner.clone(), inner.clone(), inner).prop_map(|(root, a, b)| {
        let mut root = root;
        if let Value::Object(members) = &mut root {
            let a = json!({"$dynamicAnchor": "a", "allOf": [a]});
            members.insert(
                "$defs".to_owned(),
                json!({"a": a, "b": b, "r": {"$id": "r"}}),
            );
        }
        root
    })
}

fn data() -> impl Strategy<Value = Value> {
    const TEXTS: [&str; 4] = ["", "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "b"];
    let leaf = prop_oneof![
        select(&TEXTS[..]).prop_map(Value::from),
        (0_i64..3).prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(6, 24, 3, |inner| {
        prop_oneof![
            vec((select(&TEXTS[..]), inner.clone()), 0..3).prop_map(|members| {
                let members = members
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect())
            }),
            vec(inner, 0..3).prop_map(Value::Array),
        ]
    })
}

/// The number of problems in a question and its children.
fn problems_in(question: &Question) -> usize {
    question.problems.len() + question.children.iter().map(problems_in).sum::<usize>()
}

/// Whether a rejection has a message that may hide a panic of the validator.
fn hides_a_panic(result: Result<(), Rejection>) -> bool {
    let messages = result.err().map(|refused| refused.to_string());
    messages.is_some_and(|text| {
        [
            "cannot be compiled",
            "cannot be checked",
            "takes too long",
            "can be listed",
        ]
        .iter()
        .any(|hiding| text.contains(hiding))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_schema_crashes_the_compiler(schema in schema_like(), data in data()) {
        match DataSchema::compile(&schema.to_string()) {
            Ok(schema) => {
                prop_assert!(!hides_a_panic(schema.validate(&data)));
                schema.reduce_to_keys(&data.to_string());
            }
            refused => prop_assert!(!hides_a_panic(refused.map(drop))),
        }
    }

    #[test]
    fn no_data_crashes_a_schema(schema in schema(), data in data()) {
        if let Ok(schema) = DataSchema::compile(&schema.to_string()) {
            let first = schema.validate(&data);
            prop_assert!(!hides_a_panic(first.clone()));
            if let Some(light) = validate_lightly(&schema, &data) {
                prop_assert_eq!(&light, &first, "the limits do not change the result");
            }
            prop_assert_eq!(schema.validate(&data), first, "the result is deterministic");
        }
    }

    #[test]
    fn resolved_references_agree_with_the_original_schema(schema in schema(), data in data()) {
        let Ok(compiled) = DataSchema::compile(&schema.to_string()) else {
            return Ok(());
        };
        let written = jsonschema::options().should_validate_formats(true).build(&schema);
        let ours = compiled.validate(&data).map_err(|refused| refused.to_string());
        // The validator on its own accepts an alternative whose pattern it could not match.
        if ours.as_ref().is_err_and(|message| message.contains("too many steps")) {
            return Ok(());
        }
        prop_assert_eq!(written.unwrap().is_valid(&data), ours.is_ok(), "{:?}", ours);
    }

    #[test]
    fn conditions_are_decided_as_by_the_validator(schema in schema(), data in data()) {
        let Ok(compiled) = DataSchema::compile(&schema.to_string()) else {
            return Ok(());
        };
        // In a schema of its own, `#` would be another schema.
        prop_assume!(!schema.to_string().contains(r##""$ref":"#"}"##));
        let outline = compiled.outline();
        prop_assert!(outline.is_some(), "conditions of {}", schema);
        let outline = outline.unwrap();
        // Each alternative at the root, as a schema of its own.
        for keyword in ["oneOf", "anyOf", "if"] {
            let Some(alternatives) = schema.get(keyword) else {
                continue;
            };
            let count = alternatives.as_array().map_or(1, Vec::len);
            for at in 0..count {
                let pointer = match alternatives {
                    Value::Array(_) => format!("#/{keyword}/{at}"),
                    _ => format!("#/{keyword}"),
                };
                let mut alone = json!({"$ref": pointer, "$defs": schema["$defs"], keyword: alternatives});
                let whole = outline.schema(0).unwrap();
                let index = match (keyword, whole.condition) {
                    ("if", Some(condition)) => condition.test,
                    // Those of `oneOf` come before those of `anyOf`.
                    ("oneOf", _) => whole.alternatives.first().unwrap()[at],
                    _ => whole.alternatives.last().unwrap()[at],
                };
                if keyword != "if" {
                    // The other alternatives must not count.
                    alone = json!({"$ref": pointer.replace(keyword, "$defs/alternatives/x"), "$defs": schema["$defs"]});
                    alone["$defs"]["alternatives"] = json!({"x": alternatives});
                }
                let Ok(alone) = DataSchema::compile(&alone.to_string()) else {
                    continue;
                };
                let judged = alone.validate(&data).map_err(|refused| refused.to_string());
                // Names that take too long to match are refused as a whole.
                if judged.as_ref().is_err_and(|message| message.contains("too many steps")) {
                    continue;
                }
                let fits = outline.within(&mut Budget::checking(), &data, || outline.compare(data.clone()).fits(index));
                prop_assert_eq!(fits, Some(judged.is_ok()), "{} at {}", schema, pointer);
            }
        }
    }

    #[test]
    fn no_schema_crashes_its_questions(schema in schema(), data in data()) {
        if let Ok(schema) = DataSchema::compile(&schema.to_string()) {
            let questions = Questions::of(Some(&schema), Some(&data.to_string()), Some("de")).unwrap();
            let problems = schema.validate(&data).err();
            let problems = problems.map_or(0, |refused| refused.violations().len() + refused.omitted());
            prop_assert_eq!(problems_in(&questions.root) + questions.omitted_problems, problems);
        }
    }

    #[test]
    fn no_text_crashes_the_parser(text in ".{0,64}") {
        let _ = parse_json(&text);
        let _ = DataSchema::compile(&text);
    }
}

/// A schema whose violations double with each level of the data.
fn doubling_tree(draft: &str, definitions: &str) -> DataSchema {
    let next = json!({"$ref": format!("#/{definitions}/a")});
    let branch = |name: &str| json!({"properties": {"x": next}, "required": [name]});
    // The long chain makes each violation expensive, which keeps the test fast.
    let mut defined = chain(240, definitions, |next| json!({"allOf": [next]}));
    defined["a"] = json!({"anyOf": [branch("y"), branch("z")]});
    let schema = json!({"$schema": draft, "$ref": next["$ref"], definitions: defined});
    DataSchema::compile(&schema.to_string()).unwrap()
}

const DRAFT_7: (&str, &str) = ("http://json-schema.org/draft-07/schema#", "definitions");
const DRAFT_2020: (&str, &str) = ("https://json-schema.org/draft/2020-12/schema", "$defs");

fn nested(levels: usize, open: &str, innermost: &str, close: &str) -> Value {
    let text = format!("{}{innermost}{}", open.repeat(levels), close.repeat(levels));
    parse_json(&text).unwrap()
}

#[test]
fn valid_data_is_accepted_even_if_the_schema_doubles() {
    for (draft, definitions) in [DRAFT_7, DRAFT_2020] {
        let deep = nested(120, r#"{"y":1,"x":"#, "1", "}");
        assert_eq!(doubling_tree(draft, definitions).validate(&deep), Ok(()));
    }
}

#[test]
fn doubling_violations_are_rejected_without_a_list() {
    for (draft, definitions) in [DRAFT_7, DRAFT_2020] {
        let schema = doubling_tree(draft, definitions);
        let refused = schema
            .validate(&nested(120, r#"{"x":"#, "{}", "}"))
            .unwrap_err();
        let message = "does not match the schema, with too many violations to list";
        assert_eq!(refused.messages().last().unwrap(), message);
        let refused = schema
            .validate(&nested(4, r#"{"x":"#, "{}", "}"))
            .unwrap_err();
        assert_eq!(refused.violations()[0].keyword, "anyOf");
    }
}

#[test]
fn the_first_of_many_violations_are_listed() {
    let schema = DataSchema::compile(r#"{"items": {"type": "string"}}"#).unwrap();
    let refused = schema.validate(&json!(vec![1; 20_000])).unwrap_err();
    assert_eq!(
        (refused.violations().len(), refused.omitted()),
        (64, 19_936)
    );
    assert_eq!(refused.violations()[63].instance_path, "/63");
    assert_eq!(refused.messages()[64], "and 19936 more");
}

#[test]
fn violations_that_exceed_the_memory_limit_are_not_listed() {
    let names: Vec<_> = (0..5_000).map(|name| name.to_string()).collect();
    let schema = json!({"items": {"required": names}});
    let schema = DataSchema::compile(&schema.to_string()).unwrap();
    let refused = schema.validate(&json!(vec![json!({}); 5_000])).unwrap_err();
    let keywords = refused.violations().iter().map(|one| one.keyword.as_str());
    assert_eq!(keywords.collect::<Vec<_>>(), ["required", ""]);
    let refused = schema.validate(&json!([{}])).unwrap_err();
    assert_eq!((refused.violations().len(), refused.omitted()), (64, 4_936));
}

#[test]
fn excessive_checks_are_aborted() {
    // The long chain makes each check expensive, which keeps the test fast.
    let schema = json!({
        "items": {"allOf": vec![json!({"type": "number"}); 2_000]},
        "$defs": chain(450, "$defs", |next| next)
    });
    let schema = DataSchema::compile(&schema.to_string()).unwrap();
    assert_eq!(schema.validate(&json!([1])), Ok(()));
    let refused = schema.validate(&json!(vec![1; 4_000])).unwrap_err();
    assert_eq!(
        refused.messages(),
        ["takes too long to be checked against the schema"]
    );
}

/// Definitions, each of which applies the next one.
fn chain(links: usize, definitions: &str, applying: impl Fn(Value) -> Value) -> Value {
    let link = |link: usize| {
        let next = json!({"$ref": format!("#/{definitions}/{}", link + 1)});
        (link.to_string(), applying(next))
    };
    let last = (links.to_string(), json!({"type": "string"}));
    Value::Object((0..links).map(link).chain([last]).collect())
}

#[test]
fn a_small_stack_is_enough() {
    let definitions = chain(
        200,
        "$defs",
        |next| json!({"oneOf": [next, {"type": "null"}]}),
    );
    let text = json!({"$ref": "#/$defs/0", "$defs": definitions}).to_string();
    let work = move || {
        let schema = DataSchema::compile(&text).unwrap();
        assert!(schema.validate(&json!("text")).is_ok());
        assert!(schema.validate(&json!(1)).is_err());
    };
    let thread = std::thread::Builder::new().stack_size(1024 * 1024);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_long_key_above_many_invalid_values_is_rejected_without_a_list() {
    let schema = json!({"additionalProperties": {"items": {"type": "string"}}});
    let schema = DataSchema::compile(&schema.to_string()).unwrap();
    let data = json!({"k".repeat(500_000): vec![1; 1_000]});
    let refused = schema.validate(&data).unwrap_err();
    assert_eq!(refused.violations().len(), 2);
    assert!(refused.to_string().len() < 10_000);
}

/// Documents of a megabyte with as many, and as long, violations as possible.
fn verbose() -> Vec<(&'static str, Value, Value)> {
    let long = "n".repeat(60_000);
    let control = "\u{1}".repeat(20_000);
    let names = |number: usize| (0..number).map(|name| (format!("name {name}"), json!(1)));
    let members: Map<String, Value> = names(60_000).collect();
    let options: Vec<_> = (0..500).map(|option| format!("option {option}")).collect();
    let lists = json!({"additionalProperties": {"items": {"type": "string"}}});
    vec![
        (
            "many items",
            json!({"items": {"type": "string"}}),
            json!(vec![1; 400_000]),
        ),
        (
            "a long name",
            lists.clone(),
            json!({long.clone(): vec![1; 1_000]}),
        ),
        ("an escaped name", lists, json!({control: vec![1; 1_000]})),
        (
            "unknown members",
            json!({"additionalProperties": false}),
            members.clone().into(),
        ),
        (
            "unevaluated members",
            json!({"unevaluatedProperties": false}),
            members.clone().into(),
        ),
        (
            "names",
            json!({"propertyNames": {"maxLength": 3}}),
            members.into(),
        ),
        (
            "a long unknown name",
            json!({"additionalProperties": false}),
            json!({long.clone(): 1}),
        ),
        (
            "a long required name",
            json!({"required": [long]}),
            json!({}),
        ),
        (
            "options",
            json!({"items": {"enum": options}}),
            json!(vec![1; 10_000]),
        ),
        (
            "alternatives",
            json!({"items": {"anyOf": vec![json!({"type": "string"}); 50]}}),
            json!(vec![1; 10_000]),
        ),
        (
            "equal items",
            json!({"items": {"uniqueItems": true}}),
            json!(vec![[1, 1]; 10_000]),
        ),
    ]
}

#[test]
fn no_rejection_is_larger_than_its_limit() {
    for (what, schema, data) in verbose() {
        let schema = DataSchema::compile(&schema.to_string()).expect(what);
        for refused in [schema.validate(&data), validate_briefly(&schema, &data)] {
            let refused = refused.expect_err(what);
            assert!(refused.violations().len() <= 64, "{what}");
            assert!(!refused.violations().is_empty(), "{what}");
            let sent = json!([refused.violations(), refused.messages()]).to_string();
            assert!(sent.len() < 90 << 10, "{what}: {}", sent.len());
        }
        let brief = validate_briefly(&schema, &data).expect_err(what);
        let sent = json!([brief.violations(), brief.messages()]).to_string();
        assert!(sent.len() < 2_000, "{what}: {}", sent.len());
    }
}

#[test]
fn no_rejection_of_a_schema_is_larger_than_its_limit() {
    let long = "n".repeat(60_000);
    let wrong: Map<String, Value> = (0..9_000)
        .map(|name| (format!("{name}"), json!({"type": "x"})))
        .collect();
    for (what, schema) in [
        ("types", json!({"properties": wrong})),
        (
            "references",
            json!({"allOf": vec![json!({"$ref": format!("#/{long}")}); 10]}),
        ),
        (
            "a long name",
            json!({"properties": {long.clone(): vec![1; 1_000]}}),
        ),
        (
            "a long pattern",
            json!({"allOf": vec![json!({"pattern": format!("({long}")}); 10]}),
        ),
        ("file rules", json!({"files": {"a": wrong}})),
        ("a long file rule", json!({"files": {"a": {long: 1}}})),
    ] {
        let refused = DataSchema::compile(&schema.to_string()).expect_err(what);
        assert!(refused.violations().len() <= 64, "{what}");
        let sent = json!([refused.violations(), refused.messages()]).to_string();
        assert!(sent.len() < 90 << 10, "{what}: {}", sent.len());
    }
}
