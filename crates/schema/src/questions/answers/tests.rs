use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;
use crate::questions::InvalidEntry;

type Sent = Vec<(String, String)>;

fn compile(schema: &Value) -> DataSchema {
    DataSchema::compile(&schema.to_string()).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

fn entries(sent: &[(&str, &str)]) -> Entries {
    let sent = sent.iter();
    Entries::new(sent.map(|(name, text)| ((*name).into(), (*text).into()))).unwrap()
}

/// The answers where the questions for the final data cannot be found, or not in time.
fn unsettled_answers(schema: &Value, sent: &[(&str, &str)]) -> Answers {
    Answers::of(Some(&compile(schema)), None, &entries(sent), None).unwrap()
}

fn answers(schema: &Value, stored: Option<&str>, sent: &[(&str, &str)]) -> Answers {
    let (schema, entries) = (compile(schema), entries(sent));
    let answers = Answers::of(Some(&schema), stored, &entries, None).unwrap();
    assert_asked_for_the_data(&schema, &answers, &entries);
    answers
}

/// The questions are those that are made for the final data at once.
fn assert_asked_for_the_data(schema: &DataSchema, answers: &Answers, entries: &Entries) {
    let value = parse_json(&answers.data).unwrap();
    let mut budget = Budget::checking();
    let (schema, entries) = (Some(schema), Some(entries));
    let tree = Questions::unjudged(schema, &value, &answers.data, None, entries, &mut budget);
    let mut questions = tree.unwrap().questions;
    questions.place(answers.unreadable.clone());
    questions.files.clone_from(&answers.questions.files);
    let [made, expected] = [&answers.questions, &questions].map(serde_json::to_value);
    assert_eq!(made.unwrap(), expected.unwrap());
}

fn data(schema: &Value, stored: Option<&str>, sent: &[(&str, &str)]) -> String {
    answers(schema, stored, sent).data
}

/// The data of a form with the property `p`.
fn property(schema: &Value, sent: &[(&str, &str)]) -> String {
    data(&json!({"properties": {"p": schema}}), None, sent)
}

#[test]
fn each_kind_of_question_has_its_data() {
    let text = json!({"type": "string"});
    let number = json!({"type": "number"});
    let choice = json!({"enum": ["a", 1, "1", ""]});
    let choices = json!({"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b", 1]}});
    let lines = json!({"enum": ["a\r\nb", "a\nb", "c\r\nd"]});
    let many_lines = json!({"type": "array", "uniqueItems": true, "items": lines});
    let moment = json!({"format": "date-time"});
    let time = json!({"format": "time"});
    let consent = json!({"type": "boolean", "const": true});
    let boolean = json!({"type": "boolean"});
    let ticked = json!({"type": "boolean", "default": true});
    for (schema, sent, expected) in [
        (&text, &["a\r\nb"][..], r#"{"p":"a\nb"}"#),
        (&text, &[""], "{}"),
        (&number, &["1.50"], r#"{"p":1.50}"#),
        (
            &number,
            &[" 12345678901234567890 "],
            r#"{"p":12345678901234567890}"#,
        ),
        (&number, &["1,5"], r#"{"p":"1,5"}"#),
        (&number, &["0x1"], r#"{"p":"0x1"}"#),
        (&number, &["true"], r#"{"p":"true"}"#),
        (&choice, &["", "a"], r#"{"p":"a"}"#),
        (&choice, &["1"], r#"{"p":1}"#),
        (&choice, &["\"1\""], r#"{"p":"1"}"#),
        (&choice, &["\"\""], r#"{"p":""}"#),
        (&choice, &["", "b"], r#"{"p":"b"}"#),
        (&choice, &[""], "{}"),
        (&choices, &["", "1", "a"], r#"{"p":[1,"a"]}"#),
        (&choices, &[""], "{}"),
        (&lines, &["a\nb"], r#"{"p":"a\nb"}"#),
        (&lines, &["c\nd"], r#"{"p":"c\r\nd"}"#),
        (&many_lines, &["a\nb", "c\nd"], r#"{"p":["a\nb","c\r\nd"]}"#),
        (&boolean, &["", "true"], r#"{"p":true}"#),
        (&boolean, &["false"], r#"{"p":false}"#),
        (&boolean, &["on"], r#"{"p":"on"}"#),
        (&boolean, &[""], "{}"),
        (&ticked, &[""], r#"{"p":false}"#),
        (&ticked, &[], "{}"),
        (&consent, &["", "true"], r#"{"p":true}"#),
        (&consent, &[""], "{}"),
        (
            &moment,
            &["2026-01-02T10:00"],
            r#"{"p":"2026-01-02T10:00:00Z"}"#,
        ),
        (
            &moment,
            &["2026-01-02T10:00:07"],
            r#"{"p":"2026-01-02T10:00:07Z"}"#,
        ),
        (
            &moment,
            &["2026-01-02T10:00:00+02:00"],
            r#"{"p":"2026-01-02T10:00:00+02:00"}"#,
        ),
        (&moment, &["tomorrow"], r#"{"p":"tomorrow"}"#),
        (&time, &["10:00"], r#"{"p":"10:00:00Z"}"#),
        (&json!({"const": 3}), &[], "{}"),
        (&json!(true), &[r#"{"a": [1.0]}"#], r#"{"p":{"a": [1.0]}}"#),
    ] {
        let sent: Vec<_> = sent.iter().map(|text| ("/p", *text)).collect();
        assert_eq!(property(schema, &sent), expected, "{schema} {sent:?}");
    }
}

#[test]
fn a_time_keeps_the_offset_of_the_stored_one() {
    for (format, stored, sent, expected) in [
        ("time", "08:30:00+02:00", "10:00", "10:00:00+02:00"),
        ("time", "08:30:00z", "10:00:05", "10:00:05z"),
        (
            "date-time",
            "2026-01-02T08:30:00-05:00",
            "2026-01-03T10:00",
            "2026-01-03T10:00:00-05:00",
        ),
        (
            "date-time",
            "2026-01-02",
            "2026-01-03T10:00",
            "2026-01-03T10:00:00Z",
        ),
        // These are not times.
        ("time", "8:30 - or later", "10:00", "10:00:00Z"),
        (
            "date-time",
            "Tuesday+noon",
            "2026-01-03T10:00",
            "2026-01-03T10:00:00Z",
        ),
    ] {
        let schema = json!({"properties": {"p": {"format": format}}});
        let stored = json!({"p": stored}).to_string();
        let made = data(&schema, Some(&stored), &[("/p", sent)]);
        assert_eq!(made, json!({"p": expected}).to_string(), "{stored}");
    }
}

#[test]
fn a_time_is_in_the_time_zone_of_the_page() {
    // The offsets of Berlin in two months; other dates are unknown.
    let offset = |local: &str| match local.get(..7)? {
        "2026-01" => Some("+01:00".to_owned()),
        "2026-07" => Some("+02:00".to_owned()),
        _ => None,
    };
    let zone = TimeZone::new("Europe/Berlin", offset);
    let schema = compile(&json!({"properties": {"p": {"format": "date-time"}}}));
    for (stored, sent, expected) in [
        (None, "2026-01-03T10:00", "2026-01-03T10:00:00+01:00"),
        (None, "2026-07-03T10:00", "2026-07-03T10:00:00+02:00"),
        (None, "1026-07-03T10:00", "1026-07-03T10:00:00Z"),
        // A stored time in this time zone is in it with another date, too.
        (
            Some("2026-01-02T08:30:00+01:00"),
            "2026-07-03T10:00",
            "2026-07-03T10:00:00+02:00",
        ),
        // This one is in another time zone.
        (
            Some("2026-01-02T08:30:00+02:00"),
            "2026-07-03T10:00",
            "2026-07-03T10:00:00+02:00",
        ),
        (
            Some("2026-07-02T08:30:00Z"),
            "2026-07-03T10:00",
            "2026-07-03T10:00:00Z",
        ),
    ] {
        let stored = stored.map(|stored| json!({"p": stored}).to_string());
        let entries = Entries::new([("/p".to_owned(), sent.to_owned())]).unwrap();
        let entries = entries.with_time_zone(zone.clone());
        let made = Answers::of(Some(&schema), stored.as_deref(), &entries, None).unwrap();
        assert_eq!(made.data, json!({"p": expected}).to_string(), "{stored:?}");
    }
}

#[test]
fn the_whole_data_can_be_entered_as_json() {
    let any = json!({});
    assert_eq!(data(&any, None, &[("#", "{\"a\": 1}")]), "{\"a\": 1}");
    let entries = Entries::new([("#".to_owned(), "[]".to_owned())]).unwrap();
    assert_eq!(Answers::of(None, None, &entries, None).unwrap().data, "[]");
}

#[test]
fn required_questions_exist_without_an_answer_where_that_is_possible() {
    let schema = json!({
        "required": ["list", "group", "fixed", "text", "yes"],
        "properties": {
            "list": {"items": {"type": "string"}},
            "group": {"properties": {"a": {"type": "string"}}},
            "fixed": {"const": 3},
            "text": {"type": "string"},
            "yes": {"type": "boolean"},
        }
    });
    let sent = [
        ("items:/list", ""),
        ("/group/a", ""),
        ("/text", ""),
        ("/yes", ""),
    ];
    assert_eq!(
        data(&schema, None, &sent),
        r#"{"fixed":3,"group":{},"list":[]}"#
    );
    // A required member does not bring its parent into being.
    let outer = json!({"properties": {"outer": schema}});
    let sent = [("items:/outer/list", ""), ("/outer/group/a", "")];
    assert_eq!(data(&outer, None, &sent), "{}");
    assert_eq!(
        data(
            &outer,
            None,
            &[("/outer/text", "x"), ("/outer/group/a", "")]
        ),
        r#"{"outer":{"fixed":3,"group":{},"text":"x"}}"#
    );
}

#[test]
fn items_that_are_empty_at_the_end_are_dropped() {
    let list = json!({"items": {"properties": {"a": {"type": "string"}}}});
    let sent = [
        ("items:/p", "- - -"),
        ("/p/0/a", ""),
        ("/p/1/a", "x"),
        ("/p/2/a", ""),
    ];
    assert_eq!(property(&list, &sent), r#"{"p":[{},{"a":"x"}]}"#);
    let texts = json!({"minItems": 2, "items": {"type": "string"}});
    assert_eq!(
        property(&texts, &[("items:/p", "0 1"), ("/p/0", ""), ("/p/1", "")]),
        "{}"
    );
    assert_eq!(
        property(&texts, &[("items:/p", "0 1"), ("/p/0", ""), ("/p/1", "x")]),
        r#"{"p":["","x"]}"#
    );
    let row = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]});
    assert_eq!(
        property(&row, &[("/p/0", "x"), ("/p/1", "")]),
        r#"{"p":["x"]}"#
    );
    assert_eq!(
        property(&row, &[("/p/0", ""), ("/p/1", "1")]),
        r#"{"p":["",1]}"#
    );
}

#[test]
fn what_the_page_did_not_show_is_kept() {
    let schema = json!({"properties": {"a": {"type": "string"}, "b": {"type": "boolean"}, "c": {"items": {"type": "integer"}}}});
    let stored = r#"{"a":"x","b":true,"c":[1],"old":1.0}"#;
    assert_eq!(data(&schema, Some(stored), &[]), stored);
    let sent = [
        ("/a", "y"),
        ("/b", ""),
        ("items:/c", "0 -"),
        ("/c/0", "1"),
        ("/c/1", "2"),
    ];
    assert_eq!(
        data(&schema, Some(stored), &sent),
        r#"{"a":"y","b":false,"c":[1,2],"old":1.0}"#
    );
    let row = json!({"properties": {"r": {"type": "array", "prefixItems": [{"type": "string"}]}}});
    assert_eq!(
        data(&row, Some(r#"{"r":["a",1,2]}"#), &[("/r/0", "")]),
        r#"{"r":["",1,2]}"#
    );
}

#[test]
fn items_keep_what_the_page_did_not_show_of_them_when_others_are_removed() {
    let schema = json!({"properties": {"l": {"items": {"properties": {"a": {"type": "string"}}}}}});
    let stored = r#"{"l":[{"a":"0","x":0},{"a":"1","x":1},{"a":"2","x":2}]}"#;
    let sent = [
        ("items:/l", "0 1 2"),
        ("/l/0/a", "0"),
        ("/l/1/a", "1"),
        ("/l/2/a", "two"),
    ];
    let sent = sent.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let mut entries = Entries::new(sent).unwrap();
    entries.remove_item("/l/1");
    entries.add_item("/l");
    // These are not on the page.
    entries.add_item("/m");
    entries.remove_item("/l/7");
    assert_eq!(entries.items("/m"), None);
    let schema = compile(&schema);
    let answers = Answers::of(Some(&schema), Some(stored), &entries, None).unwrap();
    assert_eq!(answers.data, r#"{"l":[{"a":"0","x":0},{"a":"two","x":2}]}"#);
    // The new item is shown although nothing was entered in it yet.
    assert_eq!(answers.questions.root.children[0].children.len(), 3);
}

#[test]
fn answers_to_questions_that_no_longer_apply_are_removed() {
    let schema = json!({
        "properties": {"pet": {"enum": ["none", "dog"]}},
        "if": {"properties": {"pet": {"const": "dog"}}, "required": ["pet"]},
        "then": {"properties": {"breed": {"type": "string"}, "age": {"type": "integer"}}}
    });
    let stored = r#"{"pet":"dog","breed":"beagle","age":3}"#;
    let sent = [("/pet", "none"), ("/breed", "beagle"), ("/age", "3")];
    assert_eq!(data(&schema, Some(stored), &sent), r#"{"pet":"none"}"#);
    let sent = [("/pet", "dog"), ("/breed", "collie"), ("/age", "3")];
    assert_eq!(
        data(&schema, Some(r#"{"pet":"none"}"#), &sent),
        r#"{"pet":"dog","age":3,"breed":"collie"}"#
    );
}

#[test]
fn the_variant_that_was_chosen_is_asked() {
    let schema = json!({"properties": {"contact": {"oneOf": [
        {"title": "E-mail", "required": ["email"], "properties": {"email": {"type": "string"}}},
        {"title": "Post", "required": ["street"], "properties": {"street": {"type": "string"}}}
    ]}}});
    let chosen = answers(&schema, None, &[("variant:/contact", "1")]);
    let contact = &chosen.questions.root.children[0];
    assert_eq!(contact.children[0].children[0].label, "Street");
    let stored = r#"{"contact":{"email":"a@b.example"}}"#;
    let sent = [
        ("variant:/contact", "1"),
        ("/contact/email", "a@b.example"),
        ("/contact/street", "A 1"),
    ];
    assert_eq!(
        data(&schema, Some(stored), &sent),
        r#"{"contact":{"street":"A 1"}}"#
    );
    assert_eq!(
        data(&schema, Some(stored), &[("variant:/contact", "")]),
        "{}"
    );
    let types = json!({"properties": {"v": {"type": ["string", "integer"]}}});
    assert_eq!(
        data(&types, None, &[("variant:/v", "1"), ("/v", "3")]),
        r#"{"v":3}"#
    );
    assert_eq!(
        data(&types, None, &[("variant:/v", "0"), ("/v", "3")]),
        r#"{"v":"3"}"#
    );
}

#[test]
fn other_members_are_entered_as_json() {
    let schema = json!({"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}});
    let stored = Some(r#"{"a":"x","n":1,"m":2}"#);
    assert_eq!(
        data(&schema, stored, &[("/a", "x"), ("rest:", "{\"k\": 3}")]),
        r#"{"a":"x","k":3}"#
    );
    assert_eq!(
        data(&schema, stored, &[("/a", "x"), ("rest:", " ")]),
        r#"{"a":"x"}"#
    );
    for unreadable in ["{", "[]", r#"{"a":1}"#] {
        let read = answers(&schema, stored, &[("/a", "x"), ("rest:", unreadable)]);
        assert_eq!(read.unreadable.len(), 1, "{unreadable}");
        assert_eq!(read.data, r#"{"a":"x","m":2,"n":1}"#);
    }
}

#[test]
fn what_is_not_json_is_reported_and_kept_as_a_text() {
    let read = answers(&json!({"properties": {"p": {}}}), None, &[("/p", "{x")]);
    assert_eq!(read.data, r#"{"p":"{x"}"#);
    let [problem] = read.unreadable.as_slice() else {
        panic!("{read:?}")
    };
    assert_eq!(
        (problem.instance_path.as_str(), problem.keyword.as_str()),
        ("/p", "json")
    );
    assert_eq!(read.questions.root.children[0].problems.len(), 1);
}

#[test]
fn defaults_answer_questions_of_a_new_page() {
    let schema = json!({
        "properties": {
            "color": {"enum": ["red", "blue"], "default": "red"},
            "names": {"items": {"type": "string"}, "default": ["a"]},
            "group": {"properties": {"x": {"type": "string", "default": "y"}}}
        },
        "if": {"properties": {"color": {"const": "red"}}, "required": ["color"]},
        "then": {"properties": {"shade": {"type": "string"}}}
    });
    let schema = compile(&schema);
    let entries = Entries::default().with_defaults();
    let shown = Answers::of(Some(&schema), None, &entries, None).unwrap();
    assert_eq!(shown.data, r#"{"color":"red","names":["a"]}"#);
    assert_eq!(shown.questions.root.children[1].label, "Shade");
    let entries = Entries::new([("/color".to_owned(), String::new())])
        .unwrap()
        .with_defaults();
    let shown = Answers::of(Some(&schema), None, &entries, None).unwrap();
    assert_eq!(shown.data, r#"{"names":["a"]}"#);
}

#[test]
fn nothing_but_a_person_gives_consent() {
    let consents = [
        json!({"type": "boolean", "const": true}),
        json!({"type": "boolean", "enum": [true]}),
        json!({"type": "boolean", "const": true, "default": true}),
        json!({"type": "boolean", "const": true, "x-form": {"widget": "hidden"}}),
        json!({"type": "boolean", "const": true, "default": true, "x-form": {"widget": "hidden"}}),
    ];
    let addresses = [
        vec![],
        vec![("/p", "true")],
        vec![("/p", ""), ("/p", "true")],
    ];
    for consent in &consents {
        for required in [json!([]), json!(["p"])] {
            let schema = compile(&json!({"properties": {"p": consent}, "required": required}));
            for address in &addresses {
                let address = address
                    .iter()
                    .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
                let entries = Entries::new(address).unwrap().with_defaults();
                let shown = Answers::of(Some(&schema), None, &entries, None).unwrap();
                assert_eq!(shown.data, "{}", "{consent}");
                let [box_to_tick] = shown.questions.root.children.as_slice() else {
                    panic!("{consent}")
                };
                assert_eq!(box_to_tick.kind, QuestionKind::Consent);
                assert_eq!((&box_to_tick.default, box_to_tick.widget), (&None, None));
            }
            // On a page that was sent, a person has ticked it.
            let entries = Entries::new([("/p".to_owned(), "true".to_owned())]).unwrap();
            let sent = Answers::of(Some(&schema), None, &entries, None).unwrap();
            assert_eq!(sent.data, r#"{"p":true}"#);
        }
    }
}

#[test]
fn null_among_the_values_of_a_required_choice_can_be_kept() {
    for values in [json!(["a", null]), json!(["null", null])] {
        let schema = json!({"required": ["p"], "properties": {"p": {"enum": values}}});
        for (sent, expected) in [("null", r#"{"p":null}"#), ("", "{}")] {
            let made = data(&schema, Some(r#"{"p":null}"#), &[("/p", sent)]);
            assert_eq!(made, expected, "{values}");
        }
    }
    // Nothing else makes `null` of an answer.
    let optional = json!({"properties": {"p": {"enum": ["a", null]}}});
    assert_eq!(data(&optional, None, &[("/p", "")]), "{}");
    let text =
        json!({"required": ["p"], "properties": {"p": {"type": "string", "enum": ["a", null]}}});
    let questions = Questions::of(Some(&compile(&text)), None, None).unwrap();
    assert_eq!(
        questions.root.children[0].choices.len(),
        1,
        "the type forbids it"
    );
}

#[test]
fn numbers_can_have_a_decimal_comma() {
    let schema = compile(&json!({"properties": {"p": {"type": "number"}}}));
    for (entered, expected) in [
        ("1,5", "1.5"),
        ("-0,25", "-0.25"),
        ("1.5", "1.5"),
        ("1.000,5", "\"1.000,5\""),
        ("1,0,0", "\"1,0,0\""),
    ] {
        let entries = Entries::new([("/p".to_owned(), entered.to_owned())])
            .unwrap()
            .with_decimal_comma(true);
        let read = Answers::of(Some(&schema), None, &entries, None).unwrap();
        assert_eq!(read.data, format!("{{\"p\":{expected}}}"), "{entered}");
    }
}

#[test]
fn entries_that_no_page_sends_are_rejected() {
    let new = |name: &str, value: &str| Entries::new([(name.to_owned(), value.to_owned())]);
    for name in ["", "a", "variant:a", "other:/a"] {
        assert_eq!(
            new(name, "").unwrap_err(),
            InvalidEntry::UnknownName(name.to_owned())
        );
    }
    for (name, value) in [
        ("variant:/a", "x"),
        ("items:/a", "0 x"),
        ("items:/a", "-1"),
        ("items:/a", &"- ".repeat(101)),
    ] {
        assert_eq!(
            new(name, value).unwrap_err(),
            InvalidEntry::InvalidValue(name.to_owned())
        );
    }
    for name in ["variant:/a", "items:/a", "rest:/a"] {
        let twice = [
            (name.to_owned(), String::new()),
            (name.to_owned(), String::new()),
        ];
        assert_eq!(
            Entries::new(twice).unwrap_err(),
            InvalidEntry::Duplicate(name.to_owned())
        );
    }
    let many = |count: usize| (0..count).map(|at| (format!("/{at}"), String::new()));
    assert!(Entries::new(many(Entries::MAX)).is_ok());
    assert_eq!(
        Entries::new(many(Entries::MAX + 1)).unwrap_err(),
        InvalidEntry::TooMany
    );

    let schema =
        compile(&json!({"properties": {"p": {"type": "string"}, "b": {"type": "boolean"}}}));
    for (name, values) in [("/p", ["x", ""]), ("/b", ["true", "false"])] {
        let sent = values.map(|value| (name.to_owned(), value.to_owned()));
        let entries = Entries::new(sent).unwrap();
        let refused = Answers::of(Some(&schema), None, &entries, None).unwrap_err();
        let expected = format!("`{name}` was sent more than once");
        assert_eq!(refused.messages(), [expected]);
    }
}

#[test]
fn long_chains_of_questions_are_answered_to_the_end() {
    let name = |at: usize| format!("a{at}");
    let link = |at: usize| {
        let next = json!({"properties": {name(at + 1): {"type": "string"}}});
        json!({"if": {"required": [name(at)]}, "then": next})
    };
    let links: Vec<_> = (0..40).map(link).collect();
    let schema = json!({"properties": {name(0): {"type": "string"}}, "allOf": links});
    let sent: Vec<_> = (0..=40)
        .map(|at| (format!("/{}", name(at)), "x".to_owned()))
        .collect();
    let sent: Vec<_> = sent
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let answers = answers(&schema, None, &sent);
    assert_eq!(answers.data.matches(r#":"x""#).count(), 41);
    assert_eq!(answers.questions.root.children.len(), 41);
}

#[test]
fn questions_that_take_too_long_are_reported_and_what_was_made_is_kept() {
    let constants: Vec<_> = (0..3_000).map(|at| json!({"const": at})).collect();
    let expensive = json!({"contains": {"anyOf": constants}, "minContains": 0});
    let schema = json!({
        "properties": {"first": {"type": "string"}, "many": {}},
        "if": {"properties": {"many": expensive}, "required": ["many"]},
        "then": {"properties": {"second": {"type": "string"}}}
    });
    let many = json!(vec!["x"; 100_000]).to_string();
    let sent = [("/many", &*many), ("/first", "one"), ("/second", "two")];
    let answers = unsettled_answers(&schema, &sent);
    let [problem] = answers.unreadable.as_slice() else {
        panic!("{:?}", answers.unreadable)
    };
    assert!(problem.message.contains("takes too long"));
    assert_eq!(answers.questions.root.problems, answers.unreadable);
    assert!(answers.data.contains(r#""first":"one""#));
}

#[test]
fn conditions_that_contradict_themselves_come_to_an_end() {
    let schema =
        json!({"if": {"required": ["a"]}, "else": {"properties": {"a": {"type": "string"}}}});
    // The question applies only while it has no answer.
    let made = unsettled_answers(&schema, &[("/a", "x")]).data;
    assert!(["{}", r#"{"a":"x"}"#].contains(&made.as_str()), "{made}");
}

/// What a browser sends for a page with these questions, on which nothing was changed.
fn sent(question: &Question, to: &mut Sent) {
    use QuestionKind as Kind;
    let mut add = |name: String, text: &str| to.push((name, text.replace('\n', "\r\n")));
    let pointer = || match question.pointer.as_str() {
        "" => "#".to_owned(),
        pointer => pointer.to_owned(),
    };
    let json = question.value.as_ref().map_or("", |value| value.get());
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let text = value
        .as_str()
        .unwrap_or(if value.is_null() { "" } else { json });
    match question.kind {
        Kind::Group | Kind::Row | Kind::Const | Kind::Shown => {}
        Kind::Rest => add(format!("rest:{}", question.pointer), json),
        Kind::Variant => add(format!("variant:{}", question.pointer), json),
        Kind::List => {
            let items: Vec<_> = (0..question.children.len())
                .map(|at| at.to_string())
                .collect();
            add(format!("items:{}", question.pointer), &items.join(" "));
        }
        Kind::Boolean | Kind::Consent => {
            add(pointer(), "");
            if value == true || (value == false && question.is_required) {
                add(pointer(), json);
            }
        }
        Kind::Choice | Kind::Choices => {
            add(pointer(), "");
            let values = match (question.kind, &value) {
                (Kind::Choices, Value::Array(values)) => values.clone(),
                _ => vec![value.clone()],
            };
            for choice in &question.choices {
                if values.contains(&choice.answer) {
                    add(pointer(), &choice.value);
                }
            }
        }
        Kind::Json => add(pointer(), json),
        Kind::DateTime => add(
            pointer(),
            text.split_at_checked(19).map_or("", |(local, _)| local),
        ),
        _ => add(pointer(), text),
    }
    for child in &question.children {
        sent(child, to);
    }
}

/// Sends data back as a page shows it.
fn returned(schema: &DataSchema, data: &Value) -> Value {
    let text = data.to_string();
    let questions = Questions::of(Some(schema), Some(&text), None).unwrap();
    let mut to = Vec::new();
    sent(&questions.root, &mut to);
    let entries = Entries::new(to).unwrap();
    let new = Answers::of(Some(schema), None, &entries, None).unwrap();
    assert_asked_for_the_data(schema, &new, &entries);
    let answers = Answers::of(Some(schema), Some(&text), &entries, None).unwrap();
    assert!(answers.unreadable.is_empty(), "{answers:?}");
    serde_json::from_str(&answers.data).unwrap()
}

/// Removes what a page cannot tell from no answer.
fn meaning(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), meaning(value)));
            Value::Object(members.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => {
            let mut items: Vec<_> = items.iter().map(meaning).collect();
            while items.last().is_some_and(is_empty) {
                items.pop();
            }
            items.into()
        }
        other => other.clone(),
    }
}

/// Schemas, each with data that it accepts.
fn schemas_with_data() -> impl Strategy<Value = (Value, Value)> {
    let texts = "[a-c \n]{1,4}";
    let names = prop::sample::subsequence(vec!["a", "b", "c", "d e", "f/g", "h~i"], 1..5);
    let leaf = prop_oneof![
        texts.prop_map(|text| (json!({"type": "string"}), json!(text))),
        texts.prop_map(|text| (json!({"type": "string", "maxLength": 300}), json!(text))),
        any::<i64>().prop_map(|number| (json!({"type": "integer"}), json!(number))),
        (-1e9..1e9).prop_map(|number: f64| (json!({"type": "number"}), json!(number))),
        any::<bool>().prop_map(|is| (json!({"type": "boolean"}), json!(is))),
        Just((json!({"type": "boolean", "const": true}), json!(true))),
        Just((json!({"const": [1]}), json!([1]))),
        Just((
            json!({"format": "date-time"}),
            json!("2026-01-02T03:04:05+06:00")
        )),
        prop::sample::select(vec![
            json!("x"),
            json!(1),
            json!("1"),
            json!(""),
            json!({"y": 1})
        ])
        .prop_map(|value| (json!({"enum": ["x", 1, "1", "", {"y": 1}]}), value)),
        Just((json!({"type": ["string", "integer"]}), json!(5))),
        Just((
            json!({"type": "array", "uniqueItems": true, "items": {"enum": ["x", "y", "z"]}}),
            json!(["z", "x"])
        )),
        Just((json!({}), json!({"any": ["thing", null]}))),
    ];
    let any = leaf.prop_recursive(4, 24, 4, move |inner| {
        let members = prop::collection::vec((inner.clone(), any::<bool>(), any::<bool>()), 5);
        prop_oneof![
            (names.clone(), members, any::<bool>()).prop_map(|(names, members, others)| {
                let mut properties = Map::new();
                let mut data = Map::new();
                let mut required = Vec::new();
                for (name, ((schema, value), is_required, is_there)) in names.iter().zip(members) {
                    properties.insert((*name).to_owned(), schema);
                    if is_required || is_there {
                        data.insert((*name).to_owned(), value);
                    }
                    if is_required {
                        required.push(*name);
                    }
                }
                if others {
                    data.insert("other".to_owned(), json!(1));
                }
                (json!({"type": "object", "properties": properties, "required": required, "additionalProperties": {}}), data.into())
            }),
            (inner.clone(), 0_usize..4).prop_map(|((schema, value), count)| {
                (json!({"type": "array", "items": schema}), vec![value; count].into())
            }),
            (inner.clone(), inner).prop_map(|(one, two)| {
                let data = json!([one.1, two.1]);
                (json!({"type": "array", "prefixItems": [one.0, two.0]}), data)
            }),
        ]
    });
    any.prop_map(|(schema, value)| (json!({"properties": {"p": schema}}), json!({"p": value})))
}

proptest! {
    #[test]
    fn data_survives_a_page((schema, data) in schemas_with_data()) {
        let schema = compile(&schema);
        prop_assert!(schema.validate(&data).is_ok(), "{data}");
        let back = returned(&schema, &data);
        prop_assert_eq!(meaning(&back), meaning(&data));
        prop_assert!(schema.validate(&back).is_ok(), "{}", back);
    }
}

/// A form with a question that has this many choices.
fn many_choices(number: usize) -> Value {
    let options: Vec<String> = (0..number).map(|at| format!("option {at}")).collect();
    json!({"properties": {"chosen": {"type": "array", "uniqueItems": true, "items": {"enum": options}}}})
}

fn chosen_of(number: usize, sent: impl Iterator<Item = usize>) -> Result<String, String> {
    let schema = DataSchema::compile(&many_choices(number).to_string()).unwrap();
    let sent = sent.map(|at| ("/chosen".to_owned(), format!("option {at}")));
    let entries = Entries::new(
        [("/chosen".to_owned(), String::new())]
            .into_iter()
            .chain(sent),
    );
    let answers = Answers::of(Some(&schema), None, &entries.unwrap(), None);
    answers
        .map(|answers| answers.data)
        .map_err(|rejection| rejection.to_string())
}

#[test]
fn the_same_choice_is_not_sent_more_often_than_there_are_choices() {
    let refused = chosen_of(1_000, [999].into_iter().cycle().take(1_999));
    assert_eq!(
        refused.unwrap_err(),
        "`/chosen` was sent more often than it has choices"
    );
    let all = chosen_of(1_000, 0..1_000).unwrap();
    assert!(all.starts_with(r#"{"chosen":["option 0","option 1","#));
    assert!(all.ends_with(r#""option 999"]}"#));
    // Fewer may be left because another answer has changed; the schema then rejects the others.
    let others = chosen_of(3, 0..6).unwrap();
    assert!(others.ends_with(r#""option 5"]}"#));
}

#[test]
fn entries_are_not_larger_than_they_may_be() {
    let sent = |bytes: usize| Entries::new([("/a".to_owned(), "x".repeat(bytes))]);
    assert!(sent(Entries::MAX_BYTES).is_ok());
    assert_eq!(
        sent(Entries::MAX_BYTES + 1).unwrap_err(),
        InvalidEntry::TooLarge
    );
}
