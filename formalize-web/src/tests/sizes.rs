//! No page is larger than 16 MiB, whatever a schema asks for, and an estimate says how large a page becomes.

use formalize_core::questions::Extent;
use serde_json::Map;

use super::*;

/// The maximum size of a page and of a tree of questions, in bytes.
const MAX: usize = 16 << 20;

/// The size of what surrounds the questions.
const SHELL: usize = 16 << 10;

fn properties(number: usize, property: impl Fn(usize) -> (String, Value)) -> Value {
    let properties: Map<String, Value> = (0..number).map(property).collect();
    json!({"type": "object", "properties": properties})
}

/// A thousand alternatives below seven long names.
fn alternatives_far_below() -> Value {
    let alternatives = (0..1_000).map(|at| properties(1, |_| (format!("a{at}"), json!({}))));
    let alternatives: Vec<Value> = alternatives.collect();
    let mut variants = json!({"0": {"properties": {"x": {}}, "oneOf": alternatives}});
    for at in 0..7 {
        let inner = json!({"$ref": format!("#/$defs/{at}")});
        variants[(at + 1).to_string()] =
            properties(1, |_| ("\u{1f600}".repeat(1_000), inner.clone()));
    }
    json!({"$defs": variants, "$ref": "#/$defs/7"})
}

/// Questions that are as large as possible.
fn hostile() -> Vec<(&'static str, Value, Option<Value>)> {
    let texts = || {
        properties(1_000, |at| {
            (format!("q{at}"), json!({"$ref": "#/$defs/text"}))
        })
    };
    // The schema itself may not have so long names above so many others.
    let within = |name: String, inner: Value, text: Value| {
        let definitions = json!({"text": text, "inner": inner});
        json!({"$defs": definitions, "properties": {name: {"$ref": "#/$defs/inner"}}})
    };
    let text = json!({"type": "string"});
    let options: Vec<String> = (0..1_000).map(|at| format!("option {at}")).collect();
    let radios = json!({"enum": options, "x-form": {"widget": "radio"}});
    let mut deep = radios.clone();
    for _ in 0..7 {
        deep = properties(1, |_| ("\u{1f600}".repeat(1_000), deep.clone()));
    }
    let list = |item: Value| json!({"properties": {"list": {"type": "array", "items": item}}});
    let items = |item: Value| Some(json!({"list": vec![item; 100]}));
    let quotes = "\"".repeat(50_000);
    vec![
        (
            "a long name",
            within("n".repeat(228_000), texts(), text.clone()),
            None,
        ),
        (
            "a name of 1,000 characters",
            within("\u{1f600}".repeat(1_000), texts(), text.clone()),
            None,
        ),
        (
            "a name of signs",
            within("\"".repeat(1_000), texts(), text),
            None,
        ),
        (
            "a question with five choices for each of many",
            within(
                "&".repeat(1_000),
                texts(),
                json!({"enum": ["a", "b", "c", "d", "e"]}),
            ),
            None,
        ),
        ("radio buttons far below", deep, None),
        ("alternatives far below", alternatives_far_below(), None),
        (
            "radio buttons in a list",
            list(radios),
            items(json!("option 1")),
        ),
        (
            "descriptions in a list",
            list(json!({"type": "string", "description": quotes})),
            items(json!("text")),
        ),
        (
            "titles in a list",
            list(json!({"type": "string", "title": quotes})),
            items(json!("text")),
        ),
        (
            "a long title",
            json!({"title": "&".repeat(900_000), "type": "string"}),
            Some(json!("a")),
        ),
        (
            "many choices",
            json!({"type": "array", "uniqueItems": true, "items": {"enum": (0..60_000).collect::<Vec<_>>()}}),
            None,
        ),
        (
            "long choices",
            properties(100, |at| {
                (
                    format!("q{at}"),
                    json!({"enum": ["<".repeat(4_000), "<".repeat(4_001)]}),
                )
            }),
            None,
        ),
        (
            "a long default",
            json!({"type": "string", "default": "&".repeat(900_000)}),
            None,
        ),
        (
            "a long answer",
            json!({"type": "string"}),
            Some(json!("&".repeat(1_000_000))),
        ),
        (
            "long JSON",
            json!({}),
            Some(json!({"a": "\"".repeat(500_000)})),
        ),
    ]
}

#[test]
fn no_page_and_no_tree_is_larger_than_its_limit() {
    for (what, schema, data) in hostile() {
        let data = data.map(|data| data.to_string());
        let questions = Questions::of(Some(&compile(&schema)), data.as_deref(), None).unwrap();
        let html =
            FormPage::new(called("A form"), &questions).render(&Shell::new(Language::German));
        assert!(html.len() < MAX, "{what}: {} bytes", html.len());
        let tree = serde_json::to_string(&questions).unwrap();
        assert!(tree.len() < MAX, "{what}: {} bytes of JSON", tree.len());
        let estimated = questions.extent().bytes + SHELL;
        assert!(
            estimated >= html.len(),
            "{what}: {estimated} for {}",
            html.len()
        );
    }
}

#[test]
fn a_member_with_a_long_name_is_asked_as_json() {
    let (name, other) = ("n".repeat(1_001), "n".repeat(1_000));
    let schema =
        json!({"properties": {name.clone(): {"type": "string"}, other: {"type": "string"}}});
    let data = json!({name: "text"}).to_string();
    let questions = Questions::of(Some(&compile(&schema)), Some(&data), None).unwrap();
    let kinds: Vec<_> = questions
        .root
        .children
        .iter()
        .map(|child| child.kind)
        .collect();
    assert_eq!(kinds, [QuestionKind::Text, QuestionKind::Rest]);
    assert!(!questions.is_complete);
    assert_eq!(
        questions.root.children[1].value.as_ref().unwrap().get(),
        data
    );
}

#[test]
fn alternatives_that_are_too_large_are_asked_as_json() {
    let alternative = |title: String, name: &str| json!({"title": title, "required": [name], "properties": {name: {}}});
    let schema =
        json!({"oneOf": [alternative("&".repeat(900_000), "a"), alternative("B".to_owned(), "b")]});
    // The first alternative, and none.
    for data in [r#"{"a":1}"#, r#"{"c":1}"#] {
        let questions = Questions::of(Some(&compile(&schema)), Some(data), None).unwrap();
        let root = &questions.root;
        assert_eq!(root.kind, QuestionKind::Json);
        assert_eq!(root.value.as_ref().unwrap().get(), data);
        assert!(root.choices.is_empty() && root.children.is_empty());
    }
}

/// The extent of a page with so many questions, each of which has so many choices.
fn extent(number: usize, choices: usize) -> Extent {
    let property = |at: usize| {
        let options: Vec<String> = (0..choices)
            .map(|option| format!("Option {option}"))
            .collect();
        let kind = if choices == 0 {
            json!({"type": "string"})
        } else {
            json!({"enum": options})
        };
        (format!("question {at}"), kind)
    };
    let schema = properties(number, property);
    let questions = Questions::of(Some(&compile(&schema)), None, None).unwrap();
    let extent = questions.extent();
    assert_eq!(
        (extent.questions, extent.choices),
        (number + 1, number * choices)
    );
    extent
}

#[test]
fn usual_pages_are_light_and_large_ones_are_not() {
    for (questions, choices) in [(10, 0), (100, 0), (60, 5), (5, 200), (1, 1_000)] {
        assert!(
            extent(questions, choices).is_light(),
            "{questions} × {choices}"
        );
    }
    for (questions, choices) in [(900, 0), (200, 20), (20, 500), (1, 10_000)] {
        assert!(
            !extent(questions, choices).is_light(),
            "{questions} × {choices}"
        );
    }
}

#[test]
fn choices_that_are_equal_are_selected() {
    let options = json!([{"a": 1, "b": [2, {}]}, [1, 2], 1, "1", null, -0.0]);
    let schema = json!({"type": "array", "uniqueItems": true, "items": {"enum": options}});
    let data = json!([[1, 2], {"b": [2, {}], "a": 1}, "1", 0.0]);
    let page = page(&schema, Some(&data));
    let ticked = all(&page, "input[checked]").len();
    assert_eq!(ticked, 4);
}
