use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn attributes() -> BTreeMap<String, serde_json::Value> {
    let attributes = json!({
        "roles": ["staff", "press"],
        "level": 3,
        "ratio": 0.5,
        "huge": u64::MAX,
        "nothing": null,
        "active": true,
        "unit": {"name": "physics", "heads": ["ada", "grace"]},
        "word": "nonstaff",
        "numbers": [1, 2, 3],
    });
    serde_json::from_value(attributes).unwrap()
}

fn evaluate(source: &str) -> Result<bool, EvaluationError> {
    let attributes = attributes();
    let facts = Facts {
        user_id: "grace",
        attributes: &attributes,
        form_name: Some("Survey 1"),
    };
    let condition = Condition::compile(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    assert_eq!(
        condition.holds(&facts),
        condition.evaluate(&facts) == Ok(true),
        "{source}"
    );
    condition.evaluate(&facts)
}

#[test]
fn expressions_evaluate_to_the_expected_result() {
    let table = [
        (r#"user.id in ["admin", "grace"]"#, true),
        (r#"user.id in ["admin", "alan"]"#, false),
        (r#""staff" in user.attributes.roles"#, true),
        (r#""board" in user.attributes.roles"#, false),
        ("true", true),
        ("false", false),
        ("user.attributes.level >= 3", true),
        ("user.attributes.level == 3", true),
        ("user.attributes.level == 3.0", true),
        ("user.attributes.level + 1 == 4", true),
        ("user.attributes.level > 3", false),
        ("type(user.attributes.level) == int", true),
        ("user.attributes.huge > 9223372036854775807", true),
        ("2 in user.attributes.numbers", true),
        ("user.attributes.ratio < 1", true),
        ("user.attributes.nothing == null", true),
        ("user.attributes.active", true),
        ("user.attributes.unit.name == 'physics'", true),
        ("user.attributes['unit']['name'] == 'physics'", true),
        ("user.id in user.attributes.unit.heads", true),
        (
            "has(user.attributes.rank) && user.attributes.rank > 3",
            false,
        ),
        ("has(user.attributes.level)", true),
        ("'level' in user.attributes", true),
        ("user.attributes.rank == 1 || user.id == 'grace'", true),
        (
            "user.attributes.roles.exists(role, role.startsWith('st'))",
            true,
        ),
        ("user.attributes.roles.all(user, user != 'admin')", true),
        (
            "user.attributes.roles.filter(r, r in ['staff']).size() == 1",
            true,
        ),
        ("size(user.attributes.roles) == 2", true),
        ("user.id.matches('^gr[a-z]+$')", true),
        ("matches(user.id, '^[0-9]+$')", false),
        ("form.name.startsWith('Survey')", true),
        (".user.id == 'grace'", true),
        ("user.id == 'grace' ? user.attributes.active : false", true),
        ("true\r\n// a remark\n&& user.id != ''", true),
    ];
    for (source, expected) in table {
        assert_eq!(evaluate(source), Ok(expected), "{source}");
    }
}

#[test]
fn failed_evaluations_have_a_reason_and_do_not_hold() {
    let table = [
        (
            "'staff' in user.attributes.rights",
            EvaluationError::Missing,
        ),
        ("user.attributes.unit.dean == 'x'", EvaluationError::Missing),
        ("user.attributes.numbers[7] == 1", EvaluationError::Missing),
        // The string "nonstaff" contains "staff" as a substring, not as an element.
        (
            "'staff' in user.attributes.word",
            EvaluationError::UnsuitableType,
        ),
        ("user.attributes.word > 3", EvaluationError::UnsuitableType),
        (
            "user.attributes.word && true",
            EvaluationError::UnsuitableType,
        ),
        (
            "user.attributes.level.contains('3')",
            EvaluationError::UnsuitableType,
        ),
        ("user.id", EvaluationError::NotBoolean),
        ("user.attributes.level", EvaluationError::NotBoolean),
        ("null", EvaluationError::NotBoolean),
        (
            "9223372036854775807 + user.attributes.level > 0",
            EvaluationError::Impossible,
        ),
        ("-9223372036854775808 / -1 > 0", EvaluationError::Impossible),
        ("1 / 0 == 1", EvaluationError::Impossible),
        ("int(user.id) == 1", EvaluationError::Impossible),
        ("int(1e300) == 1", EvaluationError::Impossible),
    ];
    for (source, expected) in table {
        assert_eq!(evaluate(source), Err(expected), "{source}");
    }
}

#[test]
fn the_form_is_available_only_during_creation() {
    let condition = Condition::compile("form.name == 'Survey'").unwrap();
    assert!(condition.reads_form());
    assert!(
        !Condition::compile("user.id == 'form'")
            .unwrap()
            .reads_form()
    );
    assert!(
        !Condition::compile("[1].all(form, form == 1)")
            .unwrap()
            .reads_form()
    );

    let none = BTreeMap::new();
    let mut facts = Facts {
        user_id: "grace",
        attributes: &none,
        form_name: None,
    };
    assert_eq!(condition.evaluate(&facts), Err(EvaluationError::Missing));
    facts.form_name = Some("Survey");
    assert_eq!(condition.evaluate(&facts), Ok(true));
}

#[test]
fn errors_have_a_position() {
    let table = [
        ("", 1, 1, "unexpected end"),
        (
            "user.id ==\n  'äöü' && && true",
            2,
            12,
            "extraneous input '&&'",
        ),
        ("user.id = 'x'", 1, 9, "token recognition error at: '= '"),
        ("user.id == 'x", 1, 12, "token recognition error at: ''x'"),
        ("a b", 1, 3, "extraneous input 'b'"),
        ("usr.id == 'x'", 1, 1, "unknown variable `usr`"),
        (
            "'äöü😀' != user.id &&\n 'ä' in usr",
            2,
            9,
            "unknown variable `usr`",
        ),
        ("user.name == 'x'", 1, 5, "`user` has no field `name`"),
        ("has(user.name)", 1, 4, "`user` has no field `name`"),
        ("form.id == 'x'", 1, 5, "`form` has no field `id`"),
        ("[1].all(x, x > 0) && x > 0", 1, 22, "unknown variable `x`"),
        ("lower(user.id) == 'x'", 1, 6, "unknown function `lower`"),
        ("user.id.lower() == 'x'", 1, 14, "unknown function `lower`"),
        ("_lower(user.id)", 1, 7, "unknown function `_lower`"),
        (
            "size(user.id, 1) == 1",
            1,
            5,
            "`size` does not accept these arguments",
        ),
        (
            "contains(user.id, 'x')",
            1,
            9,
            "`contains` does not accept these arguments",
        ),
        (
            "user.id.matches('(')",
            1,
            17,
            "the pattern of `matches` is invalid or too large",
        ),
        (
            "user.id.matches(user.attributes.word)",
            1,
            32,
            "the pattern of `matches` must be a literal string",
        ),
        ("Message{a: 1} == 1", 1, 8, "unknown type `Message`"),
        (
            "[1].map(2, 3) == []",
            1,
            9,
            "argument must be a simple name",
        ),
        ("user.?id == 'x'", 1, 5, "unsupported syntax '.?'"),
    ];
    for (source, line, column, message) in table {
        let error = Condition::compile(source).unwrap_err();
        assert_eq!(
            (error.line, error.column, &*error.message),
            (line, column, message),
            "{source}"
        );
    }
    let error = Condition::compile("user.id ==\n usr").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 2: unknown variable `usr`"
    );
}

/// Sources of maximum length, with the greatest depth or number of parts that their shape allows.
fn hostile() -> Vec<String> {
    let fill = |start: &str, part: &str, end: &str| {
        let parts = (MAX_LENGTH - start.len() - end.len()) / part.len();
        format!("{start}{}{end}", part.repeat(parts))
    };
    let enclose = |open: &str, inner: &str, close: &str| {
        let parts = (MAX_LENGTH - inner.len()) / (open.len() + close.len());
        format!("{}{inner}{}", open.repeat(parts), close.repeat(parts))
    };
    vec![
        enclose("(", "true", ")"),
        enclose("[", "1", "]"),
        enclose("{1:", "1", "}"),
        enclose("user.attributes[", "1", "]"),
        enclose("size(", "1", ")"),
        enclose("[1].all(x,", "true", ")"),
        enclose("true?", "true", ":true"),
        fill("", "(", ""),
        fill("", "[", ""),
        fill("", "{1:", ""),
        fill("", "user[", ""),
        fill("", "size(", ""),
        fill("", "a.", ""),
        fill("", "a?", ""),
        fill("", "a{", ""),
        fill("", ")", ""),
        fill("", "&|", ""),
        fill("", "$", ""),
        fill("", "\"", ""),
        fill("", "'", ""),
        fill("", "\\", ""),
        fill("", "\u{0}", ""),
        fill("", "😀", ""),
        fill("", "1 ", ""),
        fill("", "true?1:", "1"),
        fill("user", ".b", ""),
        fill("user.attributes", ".b", ""),
        fill("user.attributes", "[0]", ""),
        fill("user.id", ".size()", ""),
        fill("1", "+1", ""),
        fill("1", "-1", ""),
        fill("1", "*1", ""),
        fill("1", "==1", ""),
        fill("1", " in[1]", ""),
        fill("true", "?true:true", ""),
        fill("[1]", ".map(x,x)", "==[]"),
    ]
}

#[test]
fn hostile_expressions_are_rejected() {
    for source in hostile() {
        let start: String = source.chars().take(20).collect();
        let error = quick(&start, || Condition::compile(&source)).expect_err(&start);
        assert_ne!(error.message, "syntax error", "{start}");
    }
    let error = Condition::compile(&" ".repeat(MAX_LENGTH + 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 8193: longer than 8192 bytes"
    );
}

#[test]
fn long_lists_and_alternatives_are_within_the_limits() {
    let users: Vec<String> = (0..700).map(|n| format!("'user{n}'")).collect();
    assert_eq!(
        evaluate(&format!("user.id in [{}]", users.join(","))),
        Ok(false)
    );
    let alternatives: Vec<String> = (0..400).map(|n| format!("user.id == '{n}'")).collect();
    assert_eq!(evaluate(&alternatives.join("||")), Ok(false));
    assert_eq!(evaluate(&format!("{}true", "!".repeat(8000))), Ok(true));
}

#[test]
fn the_number_and_nesting_of_macros_are_limited() {
    let chain = |links: usize| format!("[1]{} == [1]", ".map(x, x)".repeat(links));
    assert_eq!(evaluate(&chain(8)), Ok(true));
    let beyond = chain(MAX_COMPREHENSIONS + 1);
    assert!(Condition::compile(&beyond).is_err());
    let parallel = vec!["[1].all(x, x == 1)"; MAX_COMPREHENSIONS].join("&&");
    assert_eq!(evaluate(&parallel), Ok(true));
    let error = Condition::compile(&format!("{parallel} && [1].all(x, x == 1)")).unwrap_err();
    assert_eq!(error.message, "more than 16 macros over lists or maps");

    assert_eq!(evaluate("[1].all(x, [x].all(y, x == y))"), Ok(true));
    let error = Condition::compile("[1].all(x, [x].all(y, [y].all(z, z == x)))").unwrap_err();
    assert_eq!(error.message, "more than 2 nested macros");
}

/// The maximum duration of a request's work in a release build.
const PATIENCE: Duration = Duration::from_millis(100);

/// Runs `work` and asserts that it is quick. Durations are not checked in debug builds.
fn quick<T>(source: &str, work: impl Fn() -> T) -> T {
    let mut took = Duration::MAX;
    // Repeated because the machine may pause.
    for _ in 0..10 {
        let begin = Instant::now();
        let result = work();
        took = took.min(begin.elapsed());
        if cfg!(debug_assertions) || took <= PATIENCE {
            return result;
        }
    }
    panic!("{source}: {took:?}");
}

/// A list with as many numbers as the attributes have room for, not counting its name and the list itself.
fn long() -> serde_json::Value {
    json!((0..MAX_ATTRIBUTES / 8 - 2).collect::<Vec<_>>())
}

fn judge(source: &str, attribute: serde_json::Value) -> Result<bool, EvaluationError> {
    let attributes = BTreeMap::from([("a".to_owned(), attribute)]);
    let facts = Facts {
        user_id: "grace",
        attributes: &attributes,
        form_name: None,
    };
    let condition = Condition::compile(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    quick(source, || condition.evaluate(&facts))
}

#[test]
fn the_size_of_attributes_is_limited() {
    let beyond = [
        json!((0..MAX_ATTRIBUTES / 8).collect::<Vec<_>>()),
        json!((0..200_000).collect::<Vec<_>>()),
        json!("x".repeat(MAX_ATTRIBUTES)),
        json!({ "x".repeat(MAX_ATTRIBUTES): 1 }),
        json!(vec!["x".repeat(100); MAX_ATTRIBUTES / 100]),
        json!(vec![json!({"some": ["more"]}); 2_000]),
    ];
    for attribute in beyond {
        // Operators may ignore errors of their operands, but not this error.
        for source in ["true", "user.attributes.a == 1 || true"] {
            assert_eq!(
                judge(source, attribute.clone()),
                Err(EvaluationError::TooLarge)
            );
        }
    }
    let many: BTreeMap<String, serde_json::Value> = (0..MAX_ATTRIBUTES / 8)
        .map(|n| (n.to_string(), json!(n)))
        .collect();
    let facts = Facts {
        user_id: "grace",
        attributes: &many,
        form_name: None,
    };
    let result = Condition::compile("true").unwrap().evaluate(&facts);
    assert_eq!(result, Err(EvaluationError::TooLarge));
}

/// Expressions that read each value once stay within the time limit even for the largest attributes.
#[test]
fn the_largest_attributes_are_evaluated_quickly() {
    let nested = (0..MAX_ATTRIBUTE_DEPTH).fold(json!(1), |inner, _| json!([inner]));
    let long_text = json!("x".repeat(MAX_ATTRIBUTES - 9));
    let table = [
        ("user.attributes.a.all(x, x >= 0)", long(), true),
        ("user.attributes.a.exists(x, x < 0)", long(), false),
        (
            "user.attributes.a.filter(x, x > 1).map(x, x + 1).size() > 1",
            long(),
            true,
        ),
        ("-1 in user.attributes.a", long(), false),
        ("user.attributes.a == user.attributes.a", long(), true),
        (
            "user.attributes.a.contains('xxxy')",
            long_text.clone(),
            false,
        ),
        (
            "user.attributes.a.matches('^(x+)+$')",
            long_text.clone(),
            true,
        ),
        ("user.attributes.a.matches('^(x|xx)*y$')", long_text, false),
        ("7 in user.attributes.a", nested, false),
    ];
    for (source, attribute, expected) in table {
        assert_eq!(judge(source, attribute), Ok(expected), "{source}");
    }
}

#[test]
fn many_attributes_are_within_the_limits() {
    assert_eq!(judge("7 in user.attributes.a", long()), Ok(true));
    let roles: Vec<String> = (0..1_000).map(|n| format!("role-{n}")).collect();
    for source in [
        "user.attributes.a.exists(r, r in ['role-998', 'role-999'])",
        "user.attributes.a.exists(r, r.startsWith('role-99'))",
        "user.attributes.a.filter(r, r.endsWith('7')).map(r, size(r)).size() == 100",
    ] {
        assert_eq!(judge(source, json!(roles)), Ok(true), "{source}");
    }
    let some = json!(roles.get(..200));
    for source in [
        "user.attributes.a.all(r, user.attributes.a.exists(s, r == s))",
        "user.attributes.a.exists(r, r.matches('^role-1[0-9]+$'))",
    ] {
        assert_eq!(judge(source, some.clone()), Ok(true), "{source}");
    }
}

#[test]
fn the_nesting_of_attributes_is_limited() {
    let nested = |levels: usize| {
        (0..levels).fold(json!(1), |inner, level| match level % 2 {
            0 => json!([inner]),
            _ => json!({ "a": inner }),
        })
    };
    assert_eq!(judge("true", nested(MAX_ATTRIBUTE_DEPTH)), Ok(true));
    let beyond = nested(MAX_ATTRIBUTE_DEPTH + 1);
    assert_eq!(judge("true", beyond), Err(EvaluationError::TooDeep));
}

#[test]
fn an_explanation_contains_the_message_of_the_interpreter() {
    let explained = |source: &str| {
        let attributes = attributes();
        let facts = Facts {
            user_id: "grace",
            attributes: &attributes,
            form_name: None,
        };
        let explained = Condition::compile(source).unwrap().explain(&facts);
        explained.map_err(|failure| failure.to_string())
    };
    let missing = "the user has no attribute `rights`";
    assert_eq!(
        explained("'staff' in user.attributes.rights"),
        Err(missing.to_owned())
    );
    let boolean = "the result is not a boolean";
    assert_eq!(explained("user.id"), Err(boolean.to_owned()));
    assert_eq!(explained("user.id == 'grace'"), Ok(true));
    let long = explained("user.attributes.word + 1 > 2").unwrap_err();
    assert!(long.starts_with("a value has the wrong type: "), "{long}");
}

/// The deepest accepted expressions must fit the 2 MiB stack of a thread that is already deep in other calls.
#[test]
fn accepted_expressions_need_little_stack() {
    let deepest = |build: &dyn Fn(usize) -> String| {
        let conditions = (1..=MAX_DEPTH).map_while(|size| Condition::compile(&build(size)).ok());
        conditions.last().unwrap()
    };
    let around = |open: &'static str, inner: &'static str, close: &'static str| {
        deepest(&|size| format!("{}{inner}{}", open.repeat(size), close.repeat(size)))
    };
    let conditions = [
        around("[", "1", "]"),
        around("{1:", "1", "}"),
        around("user.attributes['", "x", "']"),
        around("true?", "true", ":true"),
        around("size(true?", "[]", ":[])"),
        around("string(", "1", ")"),
        around("user.attributes[user.id + ", "'x'", "]"),
        deepest(&|size| format!("1{}", "+1".repeat(size))),
        deepest(&|size| format!("user.attributes{}", ".b".repeat(size))),
        deepest(&|size| format!("user.attributes{}", "['b']".repeat(size))),
        deepest(&|size| format!("[1]{}", ".map(x,x)".repeat(size))),
        deepest(&|size| format!("[1].all(x,[1].all(y,{}))", "x==y==".repeat(size) + "true")),
    ];
    let evaluate = move || {
        let attributes = attributes();
        let facts = Facts {
            user_id: "grace",
            attributes: &attributes,
            form_name: None,
        };
        conditions
            .iter()
            .filter(|condition| condition.holds(&facts))
            .count()
    };
    let thread = std::thread::Builder::new()
        .stack_size(1024 * 1024)
        .spawn(evaluate)
        .unwrap();
    assert!(thread.join().is_ok());
}

/// Collects the log output as text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl tracing::Subscriber for Log {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        let mut log = self.0.lock().unwrap();
        event.record(
            &mut |field: &tracing::field::Field, value: &dyn fmt::Debug| {
                write!(log, "{field}={value:?};").unwrap();
            },
        );
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[test]
fn failures_are_logged_with_the_setting_and_without_values() {
    let log = Log::default();
    let attributes = attributes();
    let facts = Facts {
        user_id: "grace",
        attributes: &attributes,
        form_name: None,
    };
    tracing::subscriber::with_default(log.clone(), || {
        // A test on another thread may be registering the log callsite right now, before this subscriber exists.
        // `tracing` would cache that result and drop the events expected here.
        while log.0.lock().unwrap().is_empty() {
            tracing::callsite::rebuild_interest_cache();
            // A new one each time: each logs only its first failure.
            let failing = Condition::compile("user.attributes.none").unwrap();
            failing.holds(&facts);
        }
        log.0.lock().unwrap().clear();
        for source in [
            "user.attributes[user.id] == 1",
            "user.attributes.word > 3",
            "int(user.id) > 1",
        ] {
            let failing = Condition::compile(source).unwrap();
            let failing = failing.named("policies.create_forms");
            for condition in [&failing, &failing.clone(), &failing] {
                assert!(!condition.holds(&facts));
            }
        }
    });
    let log = log.0.lock().unwrap();
    assert_eq!(log.matches("policies.create_forms").count(), 3, "{log}");
    assert!(log.contains("a value is missing"), "{log}");
    assert!(!log.contains("grace") && !log.contains("nonstaff"), "{log}");
}

#[test]
fn conditions_can_be_shared() {
    fn shared<T: Clone + Send + Sync + 'static>(_: &T) {}
    let condition = Condition::compile("true").unwrap();
    shared(&condition);
    assert_eq!(condition.source(), "true");
    assert_eq!(
        format!("{condition:?}"),
        r#"Condition { setting: "condition", source: "true", .. }"#
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_source_makes_the_parser_panic(tokens in prop::collection::vec(token(), 0..30)) {
        let source: String = tokens.concat();
        match Condition::compile(&source) {
            Ok(_) => drop(evaluate(&source)),
            Err(error) => prop_assert_ne!(error.message, "syntax error"),
        }
    }
}

fn token() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "user.id",
        "user.attributes",
        ".level",
        ".roles",
        "user",
        "form.name",
        "1",
        "-1",
        "2.5",
        "3u",
        "9223372036854775807",
        "'a'",
        "'ä'",
        "b'x'",
        "r'\\'",
        "true",
        "false",
        "null",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        ":",
        "?",
        ".",
        "+",
        "-",
        "*",
        "/",
        "%",
        "!",
        "==",
        "!=",
        "<",
        ">=",
        " in ",
        "&&",
        "||",
        "size(",
        ".size()",
        ".map(x,",
        ".all(x,",
        ".exists(x,",
        ".filter(x,",
        "has(",
        "x",
        "int(",
        "string(",
        "type(",
        ".matches('a')",
        ".contains(",
        "\n",
        " ",
        "[1,2]",
        "{'a':1}",
        "'''",
        "\"",
        "\\",
        "`",
        "//",
        "@",
        "0x",
        "1e",
        "😀",
    ]);
    prop_oneof![9 => words.prop_map(str::to_owned), 1 => ".{0,3}"]
}
