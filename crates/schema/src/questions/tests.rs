use std::fmt::Write;

use serde_json::json;

use super::*;

const DRAFTS: [&str; 5] = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
];

fn questions(schema: &str, data: Option<&str>, language: Option<&str>) -> Questions {
    let schema = DataSchema::compile(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    Questions::of(Some(&schema), data, language).unwrap()
}

/// The questions of a schema, one per line: pointer, kind, label, and what else is remarkable.
fn sketch(schema: &str, data: &str) -> String {
    let questions = questions(schema, Some(data), None);
    let mut lines = String::from("\n");
    line(&questions.root, 0, &mut lines);
    if !questions.is_complete {
        lines.push_str("incomplete\n");
    }
    lines
}

fn line(question: &Question, depth: usize, lines: &mut String) {
    let indent = "  ".repeat(depth);
    let kind = question.kind.as_str();
    write!(lines, "{indent}{}: {kind}", question.pointer).unwrap();
    if !question.label.is_empty() {
        write!(lines, " ‘{}’", question.label).unwrap();
    }
    for (is_it, name) in [
        (question.is_required && depth > 0, "required"),
        (question.drives, "drives"),
        (!question.is_editable, "fixed"),
    ] {
        if is_it {
            write!(lines, " {name}").unwrap();
        }
    }
    if !question.choices.is_empty() {
        let choices = question.choices.iter();
        let choices: Vec<_> = choices
            .map(|one| format!("{}={}", one.value, one.label))
            .collect();
        write!(lines, " [{}]", choices.join(", ")).unwrap();
    }
    if let Some(value) = &question.value {
        write!(lines, " = {value}").unwrap();
    }
    for problem in &question.problems {
        write!(lines, " !{}", problem.keyword).unwrap();
    }
    lines.push('\n');
    for child in &question.children {
        line(child, depth + 1, lines);
    }
}

/// The question for the only property of an object.
fn only(property: &Value) -> Question {
    let schema = json!({"properties": {"p": property}}).to_string();
    let questions = questions(&schema, None, None);
    questions.root.children.into_iter().next().unwrap()
}

#[test]
fn each_schema_has_its_kind() {
    for (kind, property) in [
        ("text", json!({"type": "string"})),
        ("text", json!({"type": "string", "maxLength": 200})),
        ("text", json!({"type": "string", "format": "hostname"})),
        ("long-text", json!({"type": "string", "maxLength": 201})),
        (
            "long-text",
            json!({"type": "string", "x-form": {"widget": "textarea"}}),
        ),
        ("email", json!({"type": "string", "format": "email"})),
        ("email", json!({"format": "email"})),
        ("uri", json!({"type": "string", "format": "uri"})),
        ("date", json!({"type": "string", "format": "date"})),
        ("time", json!({"type": "string", "format": "time"})),
        (
            "date-time",
            json!({"type": "string", "format": "date-time"}),
        ),
        ("integer", json!({"type": "integer"})),
        ("integer", json!({"type": ["integer", "null"]})),
        ("number", json!({"type": "number"})),
        ("number", json!({"type": ["number", "integer"]})),
        ("boolean", json!({"type": "boolean"})),
        ("consent", json!({"type": "boolean", "const": true})),
        ("consent", json!({"type": "boolean", "enum": [true]})),
        ("choice", json!({"enum": ["a", null]})),
        (
            "choice",
            json!({"oneOf": [{"const": 1, "title": "One"}, {"enum": [2]}]}),
        ),
        ("choice", json!({"anyOf": [{"const": 1}, {"type": "null"}]})),
        (
            "choices",
            json!({"type": "array", "uniqueItems": true, "items": {"enum": [1]}}),
        ),
        ("list", json!({"type": "array", "items": {"enum": [1]}})),
        ("list", json!({"items": {"type": "string"}})),
        ("row", json!({"prefixItems": [{"type": "string"}]})),
        ("group", json!({"type": "object", "properties": {"a": {}}})),
        ("variant", json!({"type": ["string", "integer"]})),
        (
            "variant",
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        ),
        (
            "text",
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ),
        ("const", json!({"const": 7})),
        ("shown", json!({"type": "string", "readOnly": true})),
        ("json", json!({})),
        ("json", json!(true)),
        ("json", json!({"minimum": 1})),
        ("json", json!({"type": "null"})),
        ("json", json!({"type": "object"})),
        (
            "json",
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
        ),
        ("json", json!({"type": "array"})),
        (
            "json",
            json!({"type": "string", "contentEncoding": "base64"}),
        ),
        (
            "json",
            json!({"allOf": [{"type": "string"}, {"type": "integer"}]}),
        ),
        ("json", json!({"allOf": [{"const": 1}, {"const": 2}]})),
        ("json", json!({"allOf": [{"enum": [1]}, {"enum": [2]}]})),
        (
            "json",
            json!({"allOf": [{"format": "date"}, {"format": "email"}], "type": "string"}),
        ),
        (
            "json",
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}], "anyOf": [{"type": "string"}, {"type": "boolean"}]}),
        ),
    ] {
        assert_eq!(only(&property).kind.as_str(), kind, "{property}");
    }
}

#[test]
fn questions_have_the_order_of_the_text_and_follow_those_they_depend_on() {
    let schema = r#"{
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "comes": {"type": "boolean"},
            "guests": {"type": "integer"},
            "allergic": {"type": "string"},
            "address": {"type": "object", "properties": {"country": {"enum": ["AT", "DE"]}, "city": {"type": "string"}}}
        },
        "allOf": [
            {
                "if": {"properties": {"comes": {"const": true}, "guests": {"minimum": 1}}, "required": ["guests"]},
                "then": {"properties": {"who": {"type": "string"}, "when": {"format": "date"}}, "required": ["who"]},
                "else": {"properties": {"reason": {"type": "string"}}}
            },
            {
                "if": {"properties": {"address": {"properties": {"country": {"const": "AT"}}, "required": ["country"]}}, "required": ["address"]},
                "then": {"properties": {"canton": false, "province": {"type": "string"}}}
            }
        ],
        "dependentSchemas": {"who": {"properties": {"mail": {"format": "email"}}}},
        "dependentRequired": {"allergic": ["guests"]}
    }"#;
    assert_eq!(
        sketch(
            schema,
            r#"{"comes": true, "guests": 2, "address": {"country": "AT"}}"#
        ),
        "
: group
  /name: text ‘Name’ required !required
  /comes: boolean ‘Comes’ drives = true
  /guests: integer ‘Guests’ drives = 2
  /who: text ‘Who’ required drives !required
  /when: date ‘When’
  /allergic: text ‘Allergic’ drives
  /address: group ‘Address’
    /address/country: choice ‘Country’ drives [AT=AT, DE=DE] = \"AT\"
    /address/city: text ‘City’
  /province: text ‘Province’
"
    );
    assert_eq!(
        sketch(
            schema,
            r#"{"name": "Ada", "allergic": "nuts", "comes": true}"#
        ),
        "
: group
  /name: text ‘Name’ required = \"Ada\"
  /comes: boolean ‘Comes’ drives = true
  /guests: integer ‘Guests’ required drives !dependentRequired
  /reason: text ‘Reason’
  /allergic: text ‘Allergic’ drives = \"nuts\"
  /address: group ‘Address’
    /address/country: choice ‘Country’ drives [AT=AT, DE=DE]
    /address/city: text ‘City’
"
    );
}

#[test]
fn all_drafts_have_the_same_questions() {
    for draft in DRAFTS {
        let is_old = !draft.contains("20");
        let (definitions, row) = if is_old {
            (
                "definitions",
                r#""items": [{"type": "string"}, {"type": "number"}]"#,
            )
        } else {
            (
                "$defs",
                r#""prefixItems": [{"type": "string"}, {"type": "number"}]"#,
            )
        };
        let row = if draft.contains("2019") {
            r#""items": [{"type": "string"}, {"type": "number"}]"#
        } else {
            row
        };
        let (dependencies, bound) = match draft {
            _ if draft == DRAFTS[0] => {
                ("dependencies", r#""minimum": 0, "exclusiveMinimum": true"#)
            }
            _ if is_old => ("dependencies", r#""exclusiveMinimum": 0"#),
            _ => ("dependentSchemas", r#""exclusiveMinimum": 0"#),
        };
        let schema = format!(
            r##"{{
                "$schema": "{draft}",
                "properties": {{
                    "price": {{"type": "number", {bound}}},
                    "pair": {{"type": "array", {row}}},
                    "home": {{"$ref": "#/{definitions}/address"}}
                }},
                "{dependencies}": {{"price": {{"properties": {{"currency": {{"type": "string"}}}}}}}},
                "{definitions}": {{"address": {{"type": "object", "properties": {{"city": {{"type": "string"}}}}}}}}
            }}"##
        );
        assert_eq!(
            sketch(&schema, r#"{"price": 1.50}"#),
            "
: group
  /price: number ‘Price’ drives = 1.50
  /currency: text ‘Currency’
  /pair: row ‘Pair’
    /pair/0: text ‘1’ required
    /pair/1: number ‘2’ required
  /home: group ‘Home’
    /home/city: text ‘City’
",
            "{draft}"
        );
        let price = &questions(&schema, None, None).root.children[0];
        assert_eq!(price.limits.exclusive_minimum, Some(0.into()), "{draft}");
        assert_eq!(price.limits.minimum, None, "{draft}");
    }
}

#[test]
fn the_variant_that_the_data_fits_is_asked() {
    let schema = r##"{
        "properties": {
            "pay": {
                "type": "object",
                "properties": {"amount": {"type": "number"}},
                "oneOf": [
                    {"title": "By card", "properties": {"by": {"const": "card"}, "number": {"type": "string"}}, "required": ["by"]},
                    {"$ref": "#/$defs/transfer"}
                ]
            },
            "size": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
            "any": {"type": ["string", "boolean"]},
            "either": {
                "properties": {"mail": {"type": "string"}, "phone": {"type": "string"}},
                "anyOf": [{"required": ["mail"]}, {"required": ["phone"]}]
            }
        },
        "$defs": {"transfer": {"title": "Transfer", "properties": {"by": {"const": "transfer"}, "iban": {"type": "string"}}, "required": ["by"]}}
    }"##;
    assert_eq!(
        sketch(
            schema,
            r#"{"pay": {"by": "transfer", "iban": "AT"}, "size": "L", "any": true}"#
        ),
        "
: group
  /pay: variant ‘Pay’ drives [0=By card, 1=Transfer] = 1
    /pay: group ‘Transfer’
      /pay/amount: number ‘Amount’
      /pay/by: const ‘By’ required fixed = \"transfer\"
      /pay/iban: text ‘Iban’ = \"AT\"
  /size: variant ‘Size’ drives [0=integer, 1=string] = 1
    /size: text ‘Size’ = \"L\"
  /any: variant ‘Any’ drives [0=string, 1=boolean] = 1
    /any: boolean ‘Any’ = true
  /either: group ‘Either’
    /either/mail: text ‘Mail’
    /either/phone: text ‘Phone’
"
    );
    assert_eq!(
        sketch(schema, "{}"),
        "
: group
  /pay: variant ‘Pay’ drives [0=By card, 1=Transfer]
    /pay: group ‘Pay’
      /pay/amount: number ‘Amount’
  /size: variant ‘Size’ drives [0=integer, 1=string]
  /any: variant ‘Any’ drives [0=string, 1=boolean]
  /either: group ‘Either’
    /either/mail: text ‘Mail’
    /either/phone: text ‘Phone’
"
    );
}

#[test]
fn what_has_no_question_is_asked_as_json() {
    let schema = r#"{
        "properties": {"a": {"type": "string"}, "free": {}},
        "patternProperties": {"^x-": {"type": "string"}}
    }"#;
    assert_eq!(
        sketch(
            schema,
            r#"{"x-2": 1, "a": "b", "free": {"n": 1.00}, "x-1": [ ]}"#
        ),
        "
: group !type !type
  /a: text ‘A’ = \"b\"
  /free: json ‘Free’ = {\"n\": 1.00}
  : rest = {\"x-1\":[ ],\"x-2\":1}
"
    );
    for (schema, data) in [
        ("true", "[1]"),
        (r#"{"type": "object"}"#, "{}"),
        (r#"{"type": "array"}"#, "[]"),
    ] {
        let root = questions(schema, Some(data), None).root;
        assert_eq!(
            (root.kind, root.value.unwrap().get()),
            (QuestionKind::Json, data)
        );
    }
    let without = Questions::of(None, Some("[]"), None).unwrap();
    assert_eq!(without.root.kind, QuestionKind::Json);
    assert_eq!(without.root.problems[0].message, "must be an object");
    assert!(without.is_complete);
}

#[test]
fn recursive_schemas_are_asked_once_beyond_the_data() {
    let schema = r##"{
        "$ref": "#/$defs/person",
        "$defs": {"person": {"type": "object", "properties": {"name": {"type": "string"}, "boss": {"$ref": "#/$defs/person"}}}}
    }"##;
    assert_eq!(
        sketch(schema, r#"{"boss": {"name": "Ada"}}"#),
        "
: group
  /name: text ‘Name’
  /boss: group ‘Boss’
    /boss/name: text ‘Name’ = \"Ada\"
    /boss/boss: group ‘Boss’
      /boss/boss/name: text ‘Name’
      /boss/boss/boss: json ‘Boss’
"
    );
    let deep = format!("{}{}", r#"{"boss":"#.repeat(20) + "{}", "}".repeat(20));
    let sketch = sketch(schema, &deep);
    assert_eq!(sketch.matches("group").count(), 9, "{sketch}");
    assert_eq!(
        sketch.matches("/boss: json ‘Boss’ = {").count(),
        1,
        "{sketch}"
    );
}

#[test]
fn texts_are_in_the_language_of_the_reader() {
    let schema = r#"{
        "title": "Event",
        "x-form": {"thanks": {"fr": "Merci", "de": "Danke"}, "send": "Go", "closed": false},
        "properties": {
            "a": {
                "title": "Count", "description": "How many?",
                "localizedName": {"fr": "Nombre", "de": "Anzahl"},
                "localizedDescription": {"de": "Wie viele?"},
                "x-form": {"hint": {"de": "Zahl", "en": "Number"}, "widget": "radio", "autocomplete": "age"}
            },
            "b": {"oneOf": [{"const": 1, "localizedName": {"de": "Eins", "en": "One"}}, {"const": 2, "title": "Two"}]},
            "c": {"type": "string", "x-form": {"hint": 7, "widget": "knob", "autocomplete": 1}},
            "d": {"type": "string", "x-form": {"hint": "all", "widget": "hidden"}, "default": "x"}
        }
    }"#;
    let texts = |language| {
        let root = questions(schema, None, Some(language)).root;
        let a = &root.children[0];
        let one = root.children[1].choices[0].label.clone();
        let hint = a.hint.clone().unwrap();
        (a.label.clone(), a.help.clone().unwrap(), hint, one)
    };
    let owned = |(a, b, c, d): (&str, &str, &str, &str)| (a.into(), b.into(), c.into(), d.into());
    assert_eq!(
        texts("de-AT"),
        owned(("Anzahl", "Wie viele?", "Zahl", "Eins"))
    );
    assert_eq!(
        texts("en"),
        owned(("Nombre", "Wie viele?", "Number", "One"))
    );
    let thanks = |language| questions(schema, None, language).texts.thanks;
    assert_eq!(thanks(Some("de")).as_deref(), Some("Danke"));
    assert_eq!(thanks(Some("en")).as_deref(), Some("Merci"));
    let Questions { root, texts, .. } = questions(schema, None, None);
    assert_eq!((texts.send.as_deref(), texts.closed), (Some("Go"), None));
    assert_eq!(root.label, "Event");
    let [a, _, c, d] = root.children.as_slice() else {
        panic!()
    };
    assert_eq!(
        (a.widget, a.autocomplete.as_deref()),
        (Some(Widget::Radio), Some("age"))
    );
    assert_eq!((c.widget, &c.hint, &c.autocomplete), (None, &None, &None));
    assert_eq!((d.widget, d.is_editable), (Some(Widget::Hidden), false));
    assert_eq!(
        (d.hint.as_deref(), &d.default),
        (Some("all"), &Some(json!("x")))
    );
}

#[test]
fn choices_that_look_alike_are_told_apart() {
    let question = only(&json!({"enum": ["1", 1, "b", true, "true", null, {"a": 1}]}));
    let values: Vec<_> = question
        .choices
        .iter()
        .map(|one| one.value.as_str())
        .collect();
    assert_eq!(
        values,
        [r#""1""#, "1", "b", "true", r#""true""#, r#"{"a":1}"#]
    );
    assert_eq!(question.choices[0].label, "1");
}

#[test]
fn the_stricter_of_several_limits_holds() {
    let question = only(&json!({
        "type": "string", "minLength": 2, "maxLength": 9, "pattern": "^a",
        "allOf": [{"minLength": 3.0, "maxLength": 20, "pattern": "b$"}]
    }));
    let limits = question.limits;
    assert_eq!((limits.min_length, limits.max_length), (Some(3), Some(9)));
    assert_eq!(limits.pattern.as_deref(), Some("^a"));
    let question = only(&json!({
        "type": "number", "minimum": 1.5, "maximum": 9, "exclusiveMaximum": 8, "multipleOf": 0.5,
        "allOf": [{"minimum": 2, "exclusiveMaximum": 7}]
    }));
    let limits = question.limits;
    assert_eq!(
        (limits.minimum, limits.maximum),
        (Some(2.into()), Some(9.into()))
    );
    assert_eq!(limits.exclusive_maximum, Some(7.into()));
    assert_eq!(
        limits.multiple_of.and_then(|number| number.as_f64()),
        Some(0.5)
    );
}

#[test]
fn the_number_of_questions_is_limited() {
    let members: Map<_, _> = (0..1_500)
        .map(|at| (format!("m{at:04}"), json!({"type": "string"})))
        .collect();
    let schema = json!({"properties": members}).to_string();
    let asked = questions(&schema, Some(r#"{"m0000": "a", "m1499": "b"}"#), None);
    assert!(!asked.is_complete);
    let (last, members) = asked.root.children.split_last().unwrap();
    assert_eq!(members.len(), Questions::MAX - 1);
    assert_eq!(last.kind, QuestionKind::Rest);
    assert_eq!(last.value.as_ref().unwrap().get(), r#"{"m1499":"b"}"#);

    let schema = r#"{"properties": {"l": {"items": {"type": "string"}}, "z": {"type": "string"}}}"#;
    let data = json!({"l": vec!["a"; 150]}).to_string();
    let asked = questions(schema, Some(&data), None);
    assert!(!asked.is_complete);
    let long = &asked.root.children[0];
    assert_eq!((long.kind, long.children.len()), (QuestionKind::Json, 0));
    assert!(long.value.is_some());
    assert_eq!(asked.root.children[1].pointer, "/z");
}

#[test]
fn the_total_length_of_texts_is_limited() {
    let item = json!({"type": "string", "description": "x".repeat(100_000)});
    let schema = json!({"properties": {"l": {"items": item}}}).to_string();
    let data = json!({"l": vec!["a"; 100]}).to_string();
    let asked = questions(&schema, Some(&data), None);
    assert!(!asked.is_complete);
    assert!(asked.root.children[0].children.len() < 15);
}

#[test]
fn conditions_that_take_too_long_leave_one_json_question() {
    let schema = json!({
        "properties": {"t": {"type": "string"}},
        "if": {"properties": {"l": {"items": {"allOf": vec![json!({"minLength": 1}); 100]}}}},
        "then": {"properties": {"y": {"type": "string"}}}
    });
    let schema = DataSchema::compile(&schema.to_string()).unwrap();
    let data = json!({"l": vec!["a"; 100_000]}).to_string();
    let asked = Questions::of(Some(&schema), Some(&data), None).unwrap();
    assert!(!asked.is_complete);
    assert_eq!(asked.root.kind, QuestionKind::Json);
    assert_eq!(asked.root.value.unwrap().get(), data);
}

#[test]
fn problems_stand_at_the_nearest_question() {
    let schema = r#"{
        "required": ["a"],
        "properties": {
            "a": {"type": "string"},
            "ab": {"type": "integer"},
            "many": {"type": "array", "uniqueItems": true, "maxItems": 1, "items": {"enum": ["x", "y"]}},
            "free": {"properties": {"deep": {"minimum": 3}}, "contentEncoding": "x"}
        },
        "additionalProperties": false
    }"#;
    assert_eq!(
        sketch(
            schema,
            r#"{"ab": "x", "many": ["x", "z"], "free": {"deep": 1}, "other": 1}"#
        ),
        "
: group !additionalProperties
  /a: text ‘A’ required !required
  /ab: integer ‘Ab’ = \"x\" !type
  /many: choices ‘Many’ [x=x, y=y] = [\"x\", \"z\"] !maxItems !enum
  /free: json ‘Free’ = {\"deep\": 1} !minimum
"
    );
    let schema = r#"{"items": {"type": "string"}}"#;
    let asked = questions(schema, Some(&json!(vec![1; 70]).to_string()), None);
    assert_eq!(asked.omitted_problems, 6);
    assert_eq!(asked.root.children[63].problems.len(), 1);
    assert!(asked.root.children[64].problems.is_empty());
}

#[test]
fn problems_that_are_placed_later_are_added_to_the_others() {
    let schema = DataSchema::compile(r#"{"items": {"type": "string"}}"#).unwrap();
    let data = json!(vec![1; 70]);
    let mut asked = Questions::of(Some(&schema), Some(&data.to_string()), None).unwrap();
    let rejection = schema.validate(&data).unwrap_err();
    asked.place_rejection(rejection.clone());
    assert_eq!(asked.omitted_problems, 12);
    let (_, mut violations) = rejection.into_parts();
    violations.truncate(1);
    asked.place(violations);
    assert_eq!(asked.omitted_problems, 12);
    assert_eq!(asked.root.children[0].problems.len(), 3);
}

#[test]
fn a_forbidden_member_is_asked_only_if_it_is_there() {
    let schema = r#"{"properties": {"a": {"type": "string"}, "b": false}}"#;
    assert_eq!(sketch(schema, "{}"), "\n: group\n  /a: text ‘A’\n");
    let there = sketch(schema, r#"{"b": 1}"#);
    assert!(there.contains("  /b: json ‘B’ = 1 !"), "{there}");
}

#[test]
fn a_question_as_json_omits_what_is_empty() {
    let schema = r#"{"required": ["a"], "properties": {"a": {"type": "string", "minLength": 2}}}"#;
    let json = |data| serde_json::to_value(questions(schema, data, None)).unwrap();
    let question = |value: Value| {
        let mut question = json!({
            "pointer": "/a", "kind": "text", "label": "A", "required": true, "editable": true, "drives": false,
            "limits": {"minLength": 2}
        });
        question
            .as_object_mut()
            .unwrap()
            .extend(value.as_object().unwrap().clone());
        question
    };
    let expected = json!({
        "isComplete": true, "omittedProblems": 0,
        "question": {
            "pointer": "", "kind": "group", "label": "", "required": true, "editable": true, "drives": false,
            "children": [question(json!({}))]
        }
    });
    assert_eq!(json(None), expected);
    let problem = json!({
        "instancePath": "/a", "schemaPath": "/properties/a/minLength", "keyword": "minLength",
        "message": "must be at least 2 characters long", "params": {"limit": 2}
    });
    let answered = question(json!({"value": "x", "problems": [problem]}));
    assert_eq!(
        json(Some(r#"{"a": "x"}"#))["question"]["children"][0],
        answered
    );
}
