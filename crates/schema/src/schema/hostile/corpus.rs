//! Schemas and data that would cause excessive work, and large but legitimate ones.
//!
//! In a release build, none may take more than 100 ms. To check this and print the durations, run
//! `cargo test --release -p formalize-schema --lib -- hostile --nocapture`. In a debug build, durations are compared with
//! that of a typical schema in the same run.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::super::{DataSchema, Rejection, parse_json};
use super::chain;
use crate::questions::{Answers, Entries, Question, Questions};

/// The expected result for a document.
#[derive(Debug, Clone, Copy)]
enum Expected {
    Valid,
    /// Rejected with a message that contains this text.
    Refused(&'static str),
}
use Expected::{Refused, Valid};

struct Case {
    name: &'static str,
    schema: String,
    /// The expected result of compiling the schema.
    compiles: Expected,
    data: Vec<(String, Expected)>,
}

fn schema(name: &'static str, schema: &Value, compiles: Expected) -> Case {
    Case {
        name,
        schema: schema.to_string(),
        compiles,
        data: Vec::new(),
    }
}

/// The text of a document.
struct Text(String);

impl From<Value> for Text {
    fn from(value: Value) -> Self {
        Self(value.to_string())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl Case {
    fn on(mut self, data: impl Into<Text>, expected: Expected) -> Self {
        self.data.push((data.into().0, expected));
        self
    }
}

fn assert_is(expected: Expected, result: Result<(), Rejection>, name: &str) {
    let message = result.map_err(|refused| refused.to_string());
    match (expected, message) {
        (Valid, Ok(())) => {}
        (Refused(part), Err(message)) if message.contains(part) => {}
        (_, other) => panic!("{name}: {expected:?}, but {other:?}"),
    }
}

/// The duration of the slowest step of a case.
fn run(case: &Case) -> Duration {
    let begin = Instant::now();
    let compiled = DataSchema::compile(&case.schema);
    let mut longest = begin.elapsed();
    let result = compiled.as_ref().map(drop).map_err(Clone::clone);
    assert_is(case.compiles, result, case.name);
    for (text, expected) in &case.data {
        let begin = Instant::now();
        let result = parse_json(text).and_then(|data| match &compiled {
            Ok(schema) => schema.validate(&data),
            Err(refused) => Err(refused.clone()),
        });
        longest = longest.max(begin.elapsed());
        assert_is(*expected, result, case.name);
        if let Ok(schema) = &compiled {
            longest = longest.max(ask(schema, text));
        }
    }
    longest
}

/// The duration of the slowest step that makes questions: reading what the schema asks for, asking for the data as it is,
/// and making the data from a page on which every member was entered.
fn ask(schema: &DataSchema, text: &str) -> Duration {
    let begin = Instant::now();
    schema.outline();
    let mut longest = begin.elapsed();
    for (stored, entries) in [(Some(text), Entries::default()), (None, entered(text))] {
        let begin = Instant::now();
        let answers = Answers::of(Some(schema), stored, &entries, None);
        longest = longest.max(begin.elapsed());
        if let Ok(answers) = answers {
            assert!(count(&answers.questions.root) <= 2 * Questions::MAX);
        }
    }
    longest
}

/// What a page sends on which the members of an object were entered, as far as a page may send it.
fn entered(text: &str) -> Entries {
    let members: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let entry = |(name, value): (String, Value)| {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        (format!("/{name}"), text)
    };
    Entries::new(members.into_iter().map(entry)).unwrap_or_default()
}

/// The number of questions, including variants and what is asked as JSON.
fn count(question: &Question) -> usize {
    1 + question.children.iter().map(count).sum::<usize>()
}

/// The duration for a schema with five hundred fields, about three milliseconds in a release build.
fn usual() -> Duration {
    let fields: Map<_, _> = (0..500)
        .map(|field| {
            let schema = json!({"type": "string", "maxLength": 100});
            (format!("field{field}"), schema)
        })
        .collect();
    let text = json!({"type": "object", "properties": fields}).to_string();
    let begin = Instant::now();
    DataSchema::compile(&text).unwrap();
    begin.elapsed()
}

/// The maximum duration of a step in a release build.
const PATIENCE: Duration = Duration::from_millis(100);

/// The maximum duration of a step in this build.
fn most() -> Duration {
    const TIMES: u32 = 150;

    if cfg!(debug_assertions) {
        usual() * TIMES
    } else {
        PATIENCE
    }
}

/// Runs cases and asserts that none exceeds the maximum duration.
fn assert_quick(cases: Vec<Case>) {
    let mut most = most();
    for case in cases {
        let mut took = run(&case);
        // Repeated because the machine may pause.
        for _ in 0..9 {
            if took <= most {
                break;
            }
            most = most.max(self::most());
            took = took.min(run(&case));
        }
        eprintln!("{}: {took:?} of {most:?}", case.name);
        assert!(took <= most, "{}: {took:?}, at most {most:?}", case.name);
    }
}

fn text(length: usize) -> Value {
    json!("a".repeat(length))
}

fn doubling(levels: usize, keyword: &str) -> Value {
    let twice = |next: Value| json!({keyword: [next, next]});
    json!({"$ref": "#/$defs/0", "$defs": chain(levels, "$defs", twice)})
}

#[test]
fn multiplying_references_are_limited() {
    assert_quick(vec![
        schema(
            "allOf",
            &doubling(30, "allOf"),
            Refused("100000 sub-schemas"),
        ),
        schema(
            "anyOf",
            &doubling(30, "anyOf"),
            Refused("100000 sub-schemas"),
        ),
        schema("doubling that is accepted", &doubling(13, "anyOf"), Valid)
            .on("\"x\"", Valid)
            .on("1", Refused("too many violations")),
        schema(
            "circle",
            &json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}}),
            Refused("refer back"),
        ),
        schema("itself", &json!({"$ref": "#"}), Refused("refer back")),
        schema("tree", &json!({"items": {"$ref": "#"}}), Valid)
            .on(format!("{}{}", "[".repeat(127), "]".repeat(127)), Valid),
        schema(
            "choices in a tree",
            &json!({"anyOf": [
                {"properties": {"x": {"$ref": "#"}}, "required": ["y"]},
                {"properties": {"x": {"$ref": "#"}}, "required": ["z"]}
            ]}),
            Valid,
        )
        .on(
            format!("{}{{}}{}", r#"{"x":"#.repeat(120), "}".repeat(120)),
            Refused("too many violations"),
        ),
        schema(
            "chain",
            &json!({"$ref": "#/$defs/0", "$defs": chain(32_000, "$defs", |next| next)}),
            Refused("10000 sub-schemas"),
        ),
        schema(
            "long chain",
            &json!({"$ref": "#/$defs/0", "$defs": chain(4_000, "$defs", |next| next)}),
            Refused("500 sub-schemas"),
        ),
        schema(
            "longest chain",
            &json!({"$ref": "#/$defs/0", "$defs": chain(498, "$defs", |next| next)}),
            Valid,
        )
        .on("\"x\"", Valid)
        .on("1", Refused("must be a string")),
    ]);
}

#[test]
fn failing_alternatives_for_many_items_are_limited() {
    let constants: Vec<_> = (0..3_000).map(|at| json!({"const": at})).collect();
    let none = json!({"anyOf": constants});
    let inside = |keyword: &str| json!({"properties": {"a": {keyword: constants}}});
    let texts = json!(vec!["a"; 100_000]);
    let objects = json!(vec![json!({"a": "x"}); 100_000]);
    let too_long = Refused("takes too long");
    let contains = json!({"contains": none, "minContains": 0});
    let by_reference = json!({"items": {"not": {"$ref": "#/$defs/x/contains"}}, "$defs": {"x": {"contains": none}}});
    assert_quick(vec![
        schema("contains", &contains, Valid).on(texts.clone(), too_long),
        schema("a reference to contains", &by_reference, Valid).on(texts, too_long),
        schema(
            "any of",
            &json!({"items": {"anyOf": [inside("anyOf"), {}]}}),
            Valid,
        )
        .on(objects.clone(), too_long),
        schema(
            "one of",
            &json!({"items": {"anyOf": [inside("oneOf"), {}]}}),
            Valid,
        )
        .on(objects.clone(), too_long),
        schema("not", &json!({"items": {"not": inside("anyOf")}}), Valid)
            .on(objects.clone(), too_long),
        schema(
            "if",
            &json!({"items": {"if": inside("anyOf"), "then": false}}),
            Valid,
        )
        .on(objects, too_long),
    ]);
}

#[test]
fn few_failing_alternatives_are_no_problem() {
    let constants: Vec<_> = (0..20).map(|at| json!({"const": at})).collect();
    let none = json!({"anyOf": constants});
    let texts = json!(vec!["a"; 50_000]);
    let cases = [
        json!({"contains": none, "minContains": 0}),
        json!({"items": {"anyOf": [none, {"type": "string"}]}}),
        json!({"items": {"oneOf": [none, {"type": "string"}]}}),
    ];
    let cases = cases
        .iter()
        .map(|one| schema("few", one, Valid).on(texts.clone(), Valid));
    assert_quick(cases.collect());
}

#[test]
fn excessive_sizes_are_rejected() {
    let many = |length: usize| json!(vec![1; length]);
    let required: Vec<_> = (0..5_000).map(|name| name.to_string()).collect();
    assert_quick(vec![
        schema(
            "sub-schemas",
            &json!({"allOf": vec![json!({"type": "number"}); 30_000]}),
            Refused("10000 sub-schemas"),
        ),
        schema(
            "values",
            &json!({"default": many(200_000)}),
            Refused("100000 values"),
        ),
        schema(
            "checks",
            &json!({"items": {"allOf": vec![json!({"type": "number"}); 1_000]}}),
            Valid,
        )
        .on(many(500), Valid)
        .on(many(100_000), Refused("takes too long")),
        schema("violations", &json!({"items": {"type": "string"}}), Valid)
            .on(many(500_000), Refused("too many violations")),
        schema(
            "missing names",
            &json!({"items": {"required": required}}),
            Valid,
        )
        .on(
            json!(vec![json!({}); 50_000]),
            Refused("too many violations"),
        ),
        schema(
            "alternatives in vain",
            &json!({"items": {"not": {"anyOf": vec![json!({"type": "null"}); 3_000]}}}),
            Valid,
        )
        .on(many(100_000), Refused("takes too long")),
    ]);
}

#[test]
fn large_enumerations_and_unique_items_are_fast() {
    let numbers: Vec<_> = (0..80_000).collect();
    let lists: Vec<_> = (0..30_000).map(|number| json!([number])).collect();
    let others: Vec<_> = (0..60_000).map(|number| json!([number % 30_000])).collect();
    let objects: Vec<_> = (0..100_000).map(|number| json!({"a": number})).collect();
    assert_quick(vec![
        schema("numbers", &json!({"items": {"enum": numbers}}), Valid)
            .on(json!(numbers), Valid)
            .on(json!([80_000]), Refused("80000 allowed")),
        schema(
            "lists",
            &json!({"contains": {"enum": lists}, "maxContains": 60_000}),
            Valid,
        )
        .on(json!(others), Valid),
        schema("unique", &json!({"uniqueItems": true}), Valid)
            .on(json!(objects), Valid)
            .on(json!([{"a": 1}, {"b": 1}, {"a": 1.0}]), Refused("twice")),
    ]);
}

#[test]
fn expensive_patterns_are_limited() {
    const LIMIT: &str = "too many steps";
    const LARGE: &str = "200000 states";
    let pattern = |pattern: &str| json!({ "pattern": pattern });
    let groups: Vec<_> = (0..20_000).map(|group| format!("(?<a{group}>x)")).collect();
    let groups = groups.concat();
    let many: Vec<_> = (0..1_000)
        .map(|number| pattern(&format!("z{number}")))
        .collect();
    assert_quick(vec![
        schema("nested quantifiers", &pattern("^(a+)+$"), Valid).on(text(100_000), Valid),
        schema("nested quantifiers, no match", &pattern("^(a+)+b"), Valid)
            .on(text(100_000), Refused("must match")),
        schema("alternatives", &pattern("^(a|a|aa)*c"), Valid)
            .on(text(100_000), Refused("must match")),
        schema("going back", &pattern("^(a|a)*\\1b"), Valid).on(text(60), Refused(LIMIT)),
        schema("look-around", &pattern("(?=.*b)c"), Valid)
            .on(text(200), Refused("must match"))
            .on(text(1_000_000), Refused(LIMIT)),
        schema(
            "counted repetitions",
            &pattern("(a{1000}){1000}"),
            Refused(LARGE),
        ),
        schema("repeated letters", &pattern("\\p{L}{2000}"), Refused(LARGE)),
        schema("a state for each character", &pattern(".{0,5000}x"), Valid)
            .on(text(20), Refused("must match"))
            .on(text(1_000_000), Refused(LIMIT)),
        schema(
            "optional repetitions",
            &pattern("(?:a?){5000}a{5000}"),
            Valid,
        )
        .on(text(4_000), Refused("")),
        schema("names of groups", &pattern(&groups), Refused(LARGE)),
        schema("patterns as data", &json!({"format": "regex"}), Valid)
            .on(json!(groups), Refused("regular expression"))
            .on(json!("(".repeat(500_000)), Refused("regular expression")),
        schema(
            "many patterns",
            &json!({"items": {"not": {"anyOf": many}}}),
            Valid,
        )
        .on(json!(vec!["a".repeat(40); 20_000]), Refused(LIMIT)),
    ]);
}

#[test]
fn expensive_property_names_are_limited() {
    const LIMIT: &str = "has field names";
    let names = |length: usize| -> Value {
        (0..20_000)
            .map(|name| (format!("{}{name}", "a".repeat(length)), json!(1)))
            .collect()
    };
    let keys = |patterns: &[String]| {
        let patterns: Map<_, _> = patterns
            .iter()
            .map(|pattern| (pattern.clone(), json!(true)))
            .collect();
        json!({ "patternProperties": patterns })
    };
    let many: Vec<_> = (0..2_000).map(|number| format!("z{number}")).collect();
    assert_quick(vec![
        schema("expensive names", &keys(&["^(a|a)*\\1b".to_owned()]), Valid)
            .on(names(40), Refused(LIMIT)),
        schema(
            "names by look-around",
            &keys(&["^(?=.*\\d).*$".to_owned()]),
            Valid,
        )
        .on(names(10), Valid),
        schema("many keys", &keys(&many), Valid).on(names(10), Refused(LIMIT)),
        schema("a long name", &keys(&[".{0,3000}x".to_owned()]), Valid)
            .on(json!({"a".repeat(1_000_000): 1}), Refused(LIMIT)),
        schema(
            "names as values",
            &json!({"propertyNames": {"pattern": "^(a|a)*\\1b"}}),
            Valid,
        )
        .on(names(40), Refused("")),
    ]);
}

#[test]
fn malformed_text_is_rejected() {
    let anything = json!({});
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert_quick(vec![
        schema("deep schema", &json!(null), Refused("")),
        Case {
            name: "nested too deeply",
            schema: format!("{}true{}", r#"{"not":"#.repeat(65), "}".repeat(65)),
            compiles: Refused("64 levels"),
            data: Vec::new(),
        },
        schema("documents", &anything, Valid)
            .on(deep, Refused("127 levels"))
            .on("[".repeat(1_000_000), Refused("127 levels"))
            .on(r#"{"a":1,"\u0061":2}"#, Refused("occurs twice"))
            .on(r#""\ud800""#, Refused("hex escape"))
            .on(r#"{"\udc00":1}"#, Refused("surrogate"))
            .on("\"\0\"", Refused("control character"))
            .on(r#""\u0000""#, Valid)
            .on("1".repeat(10_000_000), Refused("out of range"))
            .on(format!("0.{}", "1".repeat(10_000_000)), Valid)
            .on(
                format!("1e{}", "9".repeat(10_000_000)),
                Refused("out of range"),
            )
            .on(format!("1e-{}", "9".repeat(10_000_000)), Valid),
        schema("fractions", &json!({"multipleOf": 0.01}), Valid)
            .on(format!("0.{}", "1".repeat(1_000_000)), Refused("multiple"))
            .on("1e308", Valid),
    ]);
}

#[test]
fn chained_conditions_are_limited() {
    let name = |at: usize| format!("field{at}");
    let chain = |length: usize| {
        let link = |at: usize| {
            let next = json!({"properties": {name(at + 1): {"type": "string"}}});
            json!({"if": {"required": [name(at)]}, "then": next})
        };
        let links: Vec<_> = (0..length).map(link).collect();
        json!({"properties": {name(0): {"type": "string"}}, "allOf": links})
    };
    let answers = |length: usize, text: &str| -> Value {
        (0..=length).map(|at| (name(at), json!(text))).collect()
    };
    let long = "x".repeat(1_000);
    let reversed: Vec<_> = chain(300)["allOf"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .cloned()
        .collect();
    let reversed = json!({"properties": {name(0): {"type": "string"}}, "allOf": reversed});
    let constants: Vec<_> = (0..3_000).map(|at| json!({"const": at})).collect();
    let mut expensive = chain(300);
    expensive["allOf"][0]["if"]["properties"] =
        json!({"many": {"contains": {"anyOf": constants}, "minContains": 0}});
    expensive["properties"]["many"] = json!({});
    let mut many = answers(300, "x");
    many["many"] = json!(vec!["a"; 600]);
    let mut large = answers(300, "x");
    large[name(0)] = json!("x".repeat(1_000_000));
    assert_quick(vec![
        schema("a chain", &chain(300), Valid).on(answers(300, "x"), Valid),
        schema("a reversed chain", &reversed, Valid).on(answers(300, "x"), Valid),
        schema("a chain of long answers", &chain(300), Valid).on(answers(300, &long), Valid),
        schema("a chain of expensive conditions", &expensive, Valid).on(many, Valid),
        schema("a chain behind a long answer", &chain(300), Valid).on(large, Valid),
        schema("a long chain", &chain(1_500), Valid).on(answers(1_500, "x"), Valid),
        schema("a long chain of long answers", &chain(1_500), Valid)
            .on(answers(1_500, &long), Valid),
    ]);
}

#[test]
fn large_legitimate_schemas_are_accepted() {
    let described = |field: usize| {
        let schema = json!({"type": "string", "maxLength": 100, "description": "x".repeat(120)});
        (format!("field{field}"), schema)
    };
    let fields: Map<_, _> = (0..5_000).map(described).collect();
    let names: Vec<_> = fields.keys().cloned().collect();
    let answers: Value = names
        .iter()
        .map(|name| (name.clone(), json!("an answer")))
        .collect();
    let large = json!({"properties": fields, "required": names, "additionalProperties": false});
    let pattern = |field: usize| {
        let pattern = format!("^[A-Z]{{2}}\\d{{{}}}(?:-[a-zäöü]+)*$", 1 + field % 9);
        let pattern = if field.is_multiple_of(3) {
            "^(?!-)[\\p{L} .'-]{1,80}$"
        } else {
            &pattern
        };
        (
            format!("field{field}"),
            json!({"type": "string", "pattern": pattern}),
        )
    };
    let patterns: Map<_, _> = (0..300).map(pattern).collect();
    let filled: Map<_, _> = (0..300)
        .step_by(3)
        .map(|field| (format!("field{field}"), json!("Zoë O'Neill")))
        .collect();
    let formats = [
        "email",
        "uri",
        "uuid",
        "date",
        "date-time",
        "hostname",
        "ipv4",
        "ipv6",
    ];
    let formats: Map<_, _> = formats
        .iter()
        .map(|format| ((*format).to_owned(), json!({"format": format})))
        .collect();
    let formatted = json!({
        "email": "ada@example.org", "uri": "https://example.org/a", "uuid": "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b",
        "date": "2026-11-21", "date-time": "2026-11-21T08:00:00Z", "hostname": "example.org", "ipv4": "127.0.0.1", "ipv6": "::1"
    });
    assert_quick(vec![
        schema("five thousand fields", &large, Valid).on(answers, Valid).on(json!({}), Refused("is required")),
        schema("three hundred patterns", &json!({"properties": patterns}), Valid).on(Value::Object(filled), Valid),
        schema("formats", &json!({"properties": formats}), Valid).on(formatted, Valid),
        schema("a long text", &json!({"pattern": "^[^]{0,5000}$"}), Valid).on(text(4_000), Valid),
        schema("a password", &json!({"pattern": "^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$"}), Valid)
            .on(json!("aB3".repeat(300_000)), Valid),
        schema("a table", &json!({"items": {"properties": {"a": {"type": "integer"}, "b": {"pattern": "^[a-z ]*$"}}}}), Valid)
            .on(json!(vec![json!({"a": 1, "b": "some words"}); 30_000]), Valid),
        schema("countries", &json!({"items": {"enum": (0..250).map(|code| format!("c{code}")).collect::<Vec<_>>()}}), Valid)
            .on(json!(vec!["c200"; 10_000]), Valid),
    ]);
}
