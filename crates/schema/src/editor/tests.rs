use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::questions::{Question, Questions};
use crate::schema::DataSchema;

const CONDITIONS: &str = r#"{
  "type": "object",
  "properties": {
    "attends": {"type": "boolean", "title": "Do you come?"},
    "menu" : { "enum": ["meat",  "fish"], "x-note": 1.50 },
    "age": {"type":"integer","minimum":1e1}
  },
  "required": [ "attends","age" ],
  "allOf": [
    {
      "if": {"properties": {"attends": {"const": true}}, "required": ["attends"]},
      "then": {
        "properties": {
          "guests": {
            "type": "integer",
            "maximum": 4
          },
          "note": {"type": "string", "title": "Note"}
        },
        "required": ["guests"]
      }
    },
    {"not": {"required": ["other"]}}
  ],
  "x-form": {"send": "Register"}
}
"#;

const NESTED: &str = "{\r\n\t\"$schema\": \"http://json-schema.org/draft-07/schema#\",\r\n\t\"properties\": {\r\n\t\t\"people\": {\r\n\t\t\t\"type\": \"array\", \"minItems\": 1,\r\n\t\t\t\"items\": {\"type\": \"object\", \"required\": [\"name\"], \"properties\": {\"name\": {\"type\": \"string\"}, \"deep\": {\"type\": \"object\", \"properties\": {\"x\": {\"type\": \"string\"}}}}}\r\n\t\t},\r\n\t\t\"address\": {\"type\": \"object\", \"properties\": {\"street\": {\"type\": \"string\", \"maxLength\": 300}}}\r\n\t}\r\n}";

const TITLED: &str = r##"{"$schema":"http://json-schema.org/draft-04/schema#","definitions":{"n":{"type":"string"}},"properties":{"a":{"oneOf":[{"enum":["x"],"title":"X"},{"enum":["y"]}],"localizedName":{"de":"A","en":"Ä"}},"b":{"$ref":"#/definitions/n"},"c":{"type":"array","uniqueItems":true,"items":{"enum":["p","q"]}}},"additionalProperties":false,"required":["a"]}"##;

const SAMPLES: [&str; 5] = [
    "{}",
    CONDITIONS,
    NESTED,
    TITLED,
    r#" {"type": "object", "properties": {"ok": {"const": true, "type": "boolean"}, "n": {"enum": [1, 2.50]}}} "#,
];

/// The schemas of the tests of the whole program, and those in the folder that `FORMALIZE_TEST_SCHEMAS` names.
static FILES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e/schemas");
    let named = std::env::var_os("FORMALIZE_TEST_SCHEMAS").map(Into::into);
    let folders = [Some(own), named].into_iter().flatten();
    let entries = folders
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten();
    let files = entries.map(|entry| entry.unwrap().path().join("schema.json"));
    files
        .filter_map(|file| fs::read_to_string(file).ok())
        .collect()
});

fn schema(text: &str) -> SchemaText {
    SchemaText::new(text).unwrap()
}

fn all_cards(schema: &SchemaText, languages: &[String]) -> Vec<Card> {
    let cards = schema.cards(languages).into_iter();
    let cards = cards.flat_map(|card| {
        let inner = card.children.clone();
        std::iter::once(card).chain(inner)
    });
    cards.filter(Card::is_property).collect()
}

fn fields(schema: &SchemaText, pointer: &str, languages: &[String]) -> CardFields {
    let cards = all_cards(schema, languages).into_iter();
    let mut found = cards.filter(|card| card.pointer == pointer);
    found.next().unwrap().fields.unwrap()
}

/// What is kept of the fields that were entered for a question of a kind: one that becomes consent is required.
fn as_kept(before: QuestionKind, entered: CardFields) -> CardFields {
    let becomes_consent = entered.kind == QuestionKind::Consent && before != QuestionKind::Consent;
    CardFields {
        is_required: entered.is_required || becomes_consent,
        ..entered
    }
}

fn changed(before: &str, pointer: &str, change: impl FnOnce(&mut CardFields)) -> String {
    let schema = schema(before);
    let before = fields(&schema, pointer, &[]);
    let mut entered = before.clone();
    change(&mut entered);
    let changed = schema.change(pointer, &[], &entered).unwrap();
    assert_eq!(
        fields(&changed, pointer, &[]),
        as_kept(before.kind, entered)
    );
    DataSchema::compile(changed.text()).unwrap();
    changed.text().to_owned()
}

#[test]
fn cards_are_in_the_order_of_the_questions() {
    let cards = schema(CONDITIONS).cards(&[]);
    let pointers: Vec<_> = cards.iter().map(|card| &*card.pointer).collect();
    assert_eq!(
        pointers,
        ["/attends", "/guests", "/note", "/menu", "/age", "#/allOf/1"]
    );
    assert!(cards[5].fields.is_none() && !cards[5].is_property());
    let guests = cards[1].fields.as_ref().unwrap();
    let condition = guests.condition.as_ref().unwrap();
    assert_eq!(
        (&*condition.question, &*condition.answers),
        ("attends", &["true".to_owned()][..])
    );
    assert!(guests.is_required);
    assert_eq!((&*guests.least, &*guests.most), ("", "4"));
    assert_eq!(cards[4].fields.as_ref().unwrap().least, "1e1");
}

#[test]
fn groups_and_lists_have_cards_within() {
    let cards = schema(NESTED).cards(&[]);
    let inner: Vec<_> = cards[0]
        .children
        .iter()
        .map(|card| &*card.pointer)
        .collect();
    assert_eq!(inner, ["/people/name", "/people/deep"]);
    assert!(
        cards[0].children[1].fields.is_none(),
        "it is nested too deeply"
    );
    let street = cards[1].children[0].fields.as_ref().unwrap();
    assert_eq!(street.kind, QuestionKind::LongText);
}

#[test]
fn what_the_editor_does_not_know_is_written_by_hand() {
    for text in [
        r##"{"$ref": "#/x"}"##,
        r#"{"type": ["string", "null"]}"#,
        r#"{"type": "string", "format": "hostname"}"#,
        r#"{"type": "string", "contentEncoding": "base64"}"#,
        r#"{"type": "string", "readOnly": true}"#,
        r#"{"const": 1}"#,
        r#"{"enum": ["a", 1]}"#,
        r#"{"enum": ["a", "a = b"]}"#,
        r#"{"enum": ["a", " b"]}"#,
        r#"{"type": "string", "title": "a\nb"}"#,
        r#"{"type": "string", "title": 1}"#,
        r#"{"type": "array"}"#,
        r#"{"type": "object"}"#,
        r#"{"type": "object", "properties": {}, "additionalProperties": {"type": "string"}}"#,
        r#"{"oneOf": [{"const": "a", "minLength": 1}]}"#,
        "true",
    ] {
        let text = format!(r#"{{"properties": {{"a": {text}}}}}"#);
        assert_eq!(schema(&text).cards(&[])[0].fields, None, "{text}");
    }
}

#[test]
fn a_change_is_written_where_it_belongs() {
    let text = r#"{"properties": {"a": {"type": "string", "x": 1.0}}}"#;
    for (change, property) in [
        (
            (|fields| fields.labels = vec!["Name".to_owned()]) as fn(&mut CardFields),
            r#"{"type": "string", "x": 1.0, "title": "Name"}"#,
        ),
        (
            |fields| fields.helps = vec!["two\nlines".to_owned()],
            r#"{"type": "string", "x": 1.0, "description": "two\nlines"}"#,
        ),
        (
            |fields| fields.most = "20".to_owned(),
            r#"{"type": "string", "x": 1.0, "maxLength": 20}"#,
        ),
        (
            |fields| fields.kind = QuestionKind::LongText,
            r#"{"type": "string", "x": 1.0, "x-form": {"widget": "textarea"}}"#,
        ),
        (
            |fields| {
                fields.kind = QuestionKind::Choices;
                fields.choices = ChoiceFields::of_lines(&["a = A\nb".to_owned()]);
            },
            r#"{"type": "array", "x": 1.0, "uniqueItems": true, "items": {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}}"#,
        ),
    ] {
        let expected = format!(r#"{{"properties": {{"a": {property}}}}}"#);
        assert_eq!(changed(text, "/a", change), expected);
    }
    let required = r#"{"properties": {"a": {"type": "string", "x": 1.0}}, "required": ["a"]}"#;
    assert_eq!(
        changed(text, "/a", |fields| fields.is_required = true),
        required
    );
    assert_eq!(
        changed(required, "/a", |fields| fields.is_required = false),
        text
    );
}

#[test]
fn consent_is_required() {
    let before = schema(
        r#"{"properties": {"g": {"type": "object", "properties": {"a": {"type": "string"}}}}}"#,
    );
    let (at_root, pointer) = before
        .add(None, QuestionKind::Consent, "I agree", &[])
        .unwrap();
    assert!(fields(&at_root, &pointer, &[]).is_required);
    let (within, pointer) = before
        .add(Some("/g"), QuestionKind::Consent, "I agree", &[])
        .unwrap();
    assert!(fields(&within, &pointer, &[]).is_required);
    assert_eq!(
        within.text(),
        r#"{"properties": {"g": {"type": "object", "properties": {"a": {"type": "string"}, "iAgree": {"type": "boolean", "const": true, "title": "I agree"}}, "required": ["iAgree"]}}}"#
    );
    let text = r#"{"properties": {"a": {"type": "string", "x": 1.0}}}"#;
    let consent =
        r#"{"properties": {"a": {"type": "boolean", "x": 1.0, "const": true}}, "required": ["a"]}"#;
    assert_eq!(
        changed(text, "/a", |fields| fields.kind = QuestionKind::Consent),
        consent
    );
    // The author may decide otherwise afterwards.
    let optional = changed(consent, "/a", |fields| fields.is_required = false);
    assert!(!optional.contains("required"));
    assert_eq!(
        changed(&optional, "/a", |fields| fields.labels =
            vec!["I agree".to_owned()]),
        r#"{"properties": {"a": {"type": "boolean", "x": 1.0, "const": true, "title": "I agree"}}}"#
    );
}

#[test]
fn limits_follow_a_question_to_its_new_kind() {
    let text = r#"{"properties": {"a": {"type": "integer", "minimum": 3, "maximum": 1e1}}}"#;
    let texts = changed(text, "/a", |fields| {
        fields.kind = QuestionKind::Text;
        fields.most = "10".to_owned();
    });
    assert_eq!(
        texts,
        r#"{"properties": {"a": {"type": "string", "minLength": 3, "maxLength": 10}}}"#
    );
    let numbers = schema(text);
    let mut fields = fields(&numbers, "/a", &[]);
    fields.kind = QuestionKind::Text;
    assert_eq!(
        numbers.change("/a", &[], &fields),
        Err(EditError::LimitNotNumber("1e1".to_owned()))
    );
}

#[test]
fn choices_that_stay_are_written_as_they_were() {
    let text =
        r#"{"properties": {"a": {"oneOf": [{"title": "A", "const": "\u0061"}, {"const": "b"}]}}}"#;
    let added = changed(text, "/a", |fields| {
        fields.choices = ChoiceFields::of_lines(&["b = B\na = A\nc".to_owned()]);
    });
    assert_eq!(
        added,
        r#"{"properties": {"a": {"oneOf": [{"const": "b", "title": "B"}, {"title": "A", "const": "\u0061"}, {"const": "c"}]}}}"#
    );
    let numbers = r#"{"properties": {"a": {"enum": [1.0, 2]}}}"#;
    let three = |fields: &mut CardFields| {
        fields.choices = ChoiceFields::of_lines(&["1.0\n2\n3".to_owned()]);
    };
    assert_eq!(
        changed(numbers, "/a", three),
        r#"{"properties": {"a": {"enum": [1.0, 2, 3]}}}"#
    );
}

#[test]
fn texts_are_written_in_languages() {
    let languages = ["en".to_owned(), "de".to_owned()];
    let before = schema(r#"{"properties": {"a": {"type": "string", "title": "Name"}}}"#);
    let mut fields = fields(&before, "/a", &languages);
    assert_eq!(fields.labels, ["Name", ""]);
    assert_eq!(before.change("/a", &languages, &fields).unwrap(), before);
    fields.labels[1] = "Ihr Name".to_owned();
    let after = before.change("/a", &languages, &fields).unwrap();
    let property =
        r#"{"type": "string", "title": "Name", "localizedName": {"en": "Name", "de": "Ihr Name"}}"#;
    assert_eq!(
        after.text(),
        format!(r#"{{"properties": {{"a": {property}}}}}"#)
    );
    assert_eq!(after.languages(), languages);
}

#[test]
fn a_condition_moves_a_question_and_back() {
    let text = r#"{"properties": {"a": {"type": "boolean"}, "b": {"type": "string"}, "c": {"type": "string"}}, "required": ["b"]}"#;
    let condition = CardCondition {
        question: "a".to_owned(),
        answers: vec!["true".to_owned()],
    };
    let asked = changed(text, "/b", |fields| {
        fields.condition = Some(condition.clone());
    });
    assert_eq!(
        asked,
        r#"{"properties": {"a": {"type": "boolean"}, "c": {"type": "string"}}, "allOf": [{"if": {"properties": {"a": {"const": true}}, "required": ["a"]}, "then": {"properties": {"b": {"type": "string"}}, "required": ["b"]}}]}"#
    );
    let both = changed(&asked, "/c", |fields| fields.condition = Some(condition));
    assert!(both.contains(r#""then": {"properties": {"b": {"type": "string"}, "c": {"type": "string"}}, "required": ["b"]}"#));
    let back = changed(&asked, "/b", |fields| fields.condition = None);
    assert_eq!(back, text);
    assert_eq!(schema(&asked).delete("/a"), Err(EditError::HasDependents));
    assert_eq!(
        schema(&asked).delete("/b").unwrap().text(),
        r#"{"properties": {"a": {"type": "boolean"}, "c": {"type": "string"}}}"#
    );
}

#[test]
fn what_contradicts_is_refused() {
    let text = schema(
        r#"{"properties": {"a": {"type": "string"}, "n": {"enum": [1]}, "g": {"type": "object", "properties": {}}}}"#,
    );
    let refused = |pointer: &str, change: fn(&mut CardFields)| {
        let mut fields = fields(&text, pointer, &[]);
        change(&mut fields);
        text.change(pointer, &[], &fields).unwrap_err()
    };
    assert_eq!(
        refused("/a", |fields| fields.kind = QuestionKind::Choice),
        EditError::NoChoices
    );
    assert_eq!(
        refused("/a", |fields| fields.least = "-1".to_owned()),
        EditError::LimitNotNumber("-1".to_owned())
    );
    assert_eq!(
        refused("/a", |fields| {
            fields.least = "2".to_owned();
            fields.most = "1".to_owned();
        }),
        EditError::LimitsCrossed
    );
    let choices = |lines: &str| ChoiceFields::of_lines(&[lines.to_owned()]);
    assert_eq!(
        refused("/n", |fields| fields.choices =
            ChoiceFields::of_lines(&["x".to_owned()])),
        EditError::ChoiceNotNumber("x".to_owned())
    );
    assert_eq!(choices("a\na").len(), 2);
    assert_eq!(
        refused("/n", |fields| fields.choices =
            ChoiceFields::of_lines(&["1\n1".to_owned()])),
        EditError::ChoiceTwice("1".to_owned())
    );
    assert_eq!(
        refused("/g", |fields| fields.kind = QuestionKind::Text),
        EditError::WrittenByHand("/g".to_owned())
    );
    assert_eq!(
        refused("/a", |fields| {
            fields.condition = Some(CardCondition {
                question: "g".to_owned(),
                answers: vec!["true".to_owned()],
            });
        }),
        EditError::NotADriver("g".to_owned())
    );
    assert_eq!(
        text.delete("/x"),
        Err(EditError::UnknownCard("/x".to_owned()))
    );
}

#[test]
fn names_are_made_from_labels() {
    for (label, name) in [
        ("First name", "firstName"),
        ("  IBAN?", "iban"),
        ("Straße & Nr.", "straßeNr"),
        ("…", "question"),
    ] {
        let (_, pointer) = schema("{}")
            .add(None, QuestionKind::Text, label, &[])
            .unwrap();
        assert_eq!(pointer, format!("/{name}"));
    }
    let (_, pointer) = schema(CONDITIONS)
        .add(None, QuestionKind::Text, "Note", &[])
        .unwrap();
    assert_eq!(
        pointer, "/note2",
        "the name is taken by a question with a condition"
    );
}

#[test]
fn every_kind_can_be_added_and_reads_back() {
    for text in SAMPLES {
        for kind in KINDS {
            let (added, pointer) = schema(text).add(None, kind, "New", &[]).unwrap();
            assert_eq!(fields(&added, &pointer, &[]).kind, kind, "{}", added.text());
            DataSchema::compile(added.text()).unwrap();
        }
    }
}

#[test]
fn faults_and_warnings_say_where() {
    let text = r#"{"x-form": {"sent": "x"}, "properties": {"a": {"type": "object", "properties": {"b": {"type": "text"}}}}}"#;
    let rejection = DataSchema::compile(text).unwrap_err();
    let faults = Fault::all(text, &rejection);
    assert_eq!(faults[0].card.as_deref(), Some("/a/b"));
    assert_eq!(faults[0].position, Some((1, 95)));
    let broken = "{\n  \"a\"";
    let fault = &Fault::all(broken, &DataSchema::compile(broken).unwrap_err())[0];
    assert!(fault.message.contains("line 2"), "{}", fault.message);

    let text = CONDITIONS.replace("\"const\": true", "\"const\": false");
    let text = text.replace(
        "\"attends\": {\"type\": \"boolean\"",
        "\"attends\": {\"enum\": [\"yes\"]",
    );
    let text = text.replace("\"const\": false", "\"const\": \"no\"");
    let questions = Questions::of(Some(&DataSchema::compile(&text).unwrap()), None, None).unwrap();
    let warnings = schema(&text).warnings(&questions);
    let of = |kind| warnings.iter().filter(move |one| one.kind == kind);
    assert_eq!(of(WarningKind::NeverAsked).count(), 2);
    let unlabelled: Vec<_> = of(WarningKind::NoLabel).map(|one| &*one.card).collect();
    assert_eq!(unlabelled, ["/menu", "/age", "/guests"]);
    assert_eq!(of(WarningKind::FormMember).count(), 0);
}

#[test]
fn texts_about_files_are_used_by_pages() {
    let warnings = |files: &str| {
        let text = format!(r#"{{"x-form": {{"files": {files}}}}}"#);
        let asked = Questions::of(Some(&DataSchema::compile(&text).unwrap()), None, None).unwrap();
        schema(&text).warnings(&asked).len()
    };
    let unused = warnings(r#"{"cv": {"labels": "x"}}"#);
    let used = [
        r#"{"cv": {"label": "CV", "hint": {"de": "Eine Seite"}}}"#,
        "{}",
    ];
    for texts in used {
        assert_eq!(warnings(texts) + 1, unused, "{texts}");
    }
    for texts in [r#""cv""#, r#"{"cv": "CV"}"#, r#"{"cv": {"label": 1}}"#] {
        assert_eq!(warnings(texts), unused, "{texts}");
    }
}

/// The text without a property: without its schema, its name in `required`, and what only it needs. What is empty then, or
/// was so before, is left out.
/// Schemas with about so many parts, each in one way that the editor has to look at all of them.
fn large(parts: usize) -> [String; 5] {
    let joined = |part: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = (0..parts).map(part).collect();
        parts.join(",\n")
    };
    let properties =
        joined(&|at| format!(r#""p{at}": {{"type": "string", "localizedName": {{"en": "P"}}}}"#));
    let names = joined(&|at| format!(r#""p{at}""#));
    let choices = joined(&|at| {
        format!(r#"{{"const": "c{at}", "title": "C", "localizedName": {{"en": "C"}}}}"#)
    });
    let entries = joined(&|at| {
        let test = r#"{"properties": {"a": {"const": "c1"}}, "required": ["a"]}"#;
        format!(r#"{{"if": {test}, "then": {{"properties": {{"b{at}": {{"type": "string"}}}}}}}}"#)
    });
    [
        format!(r#"{{"properties": {{{properties}}}, "required": [{names}]}}"#),
        format!(
            r#"{{"properties": {{"a": {{"type": "object", "properties": {{{properties}}}, "required": [{names}]}}}}}}"#
        ),
        format!(r#"{{"properties": {{"a": {{"oneOf": [{choices}]}}}}}}"#),
        format!(r#"{{"properties": {{"a": {{"enum": ["c1", {names}]}}}}, "allOf": [{entries}]}}"#),
        format!(
            r#"{{"properties": {{"a": {{}}}}, "allOf": [{}]}}"#,
            joined(&|_| "{}".to_owned())
        ),
    ]
}

#[test]
fn a_schema_is_read_once_and_not_for_each_property() {
    for text in large(3_000) {
        let schema = schema(&text);
        let languages = schema.languages();
        let cards = all_cards(&schema, &languages);
        assert!(
            !cards.is_empty() && cards.len() <= MAX_CARDS,
            "{}",
            cards.len()
        );
        for location in schema.locations().iter().step_by(100) {
            assert!(schema.location(&location.pointer()).is_some());
        }
        // Each level of values is read once: at most those of root, properties, property, items, item, and texts.
        let most = 8 * text.len();
        let read = schema.spelled.bytes_read();
        assert!(
            read <= most,
            "{read} of {}: {:?}",
            text.len(),
            text.get(..80)
        );
    }
}

#[test]
fn there_are_at_most_a_thousand_cards() {
    let [properties, nested, _, conditions, others] = large(3_000);
    for text in [properties, nested, conditions, others] {
        let cards = schema(&text).cards(&[]);
        let inner: usize = cards.iter().map(|card| card.children.len()).sum();
        assert_eq!(cards.len() + inner, MAX_CARDS);
    }
}

/// If the text were read once for each property, this would take hours.
#[test]
fn large_schemas_are_edited() {
    for text in large(4_000) {
        let before = schema(&text);
        let (added, pointer) = before.add(None, QuestionKind::Choice, "New", &[]).unwrap();
        let location = added.location(&pointer).unwrap();
        let fields = added.fields(&location, &[]).unwrap();
        let lines: Vec<String> = (0..4_000).map(|at| format!("x{at} = X")).collect();
        let choices = ChoiceFields::of_lines(&[lines.join("\n")]);
        let fields = CardFields { choices, ..fields };
        let changed = added.change(&pointer, &[], &fields).unwrap();
        let (copied, copy) = changed.duplicate(&pointer).unwrap();
        let moved = copied.shift(&copy, Direction::Up).unwrap();
        assert_eq!(
            moved
                .delete(&pointer)
                .unwrap()
                .delete(&copy)
                .unwrap()
                .text(),
            text
        );
        let warnings = before.warnings(&Questions::of(None, None, None).unwrap());
        assert!(warnings.len() <= 3 * MAX_CARDS);
    }
}

fn without(schema: &SchemaText, card: Option<&str>) -> String {
    let mut spelled = schema.spelled.clone();
    let location = card.map(|card| schema.location(card).unwrap());
    let remove_if_empty = |spelled: &mut Spelled, path: &[String]| {
        if spelled.find(path).is_some() && spelled.elements(path).is_empty() {
            spelled.remove(path);
        }
    };
    if let Some(location) = &location {
        let required = schema.at(&location.required()).and_then(Value::as_array);
        let at = required.and_then(|names| names.iter().position(|name| *name == location.name));
        if let Some(at) = at {
            spelled.remove(&below(&location.required(), [&at.to_string()]));
        }
        remove_if_empty(&mut spelled, &location.required());
        spelled.remove(&location.schema());
        if location.condition.is_some() {
            let entry = location.object.split_last().unwrap().1;
            if spelled.elements(&location.properties()).is_empty() {
                spelled.remove(entry);
            }
        }
    }
    for keyword in ["required", "properties", "allOf"] {
        remove_if_empty(&mut spelled, &below(&[], [keyword]));
    }
    if spelled.elements(&[]).is_empty() {
        return "{}".to_owned();
    }
    spelled.text().to_owned()
}

/// What a change of fields keeps of a property: the members that no field is about, as they are written.
fn kept(schema: &SchemaText, card: &str) -> Vec<(String, String)> {
    let location = schema.location(card).unwrap();
    let is_about_fields = |name: &str| {
        let others = [
            "title",
            "description",
            "localizedName",
            "localizedDescription",
            "default",
            "x-form",
            "minItems",
            "maxItems",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ];
        known::OF_KINDS.contains(&name) || others.contains(&name)
    };
    let own = below(&location.schema(), []);
    let form = below(&own, ["x-form"]);
    let names = schema.spelled.names(&own).into_iter();
    let names = names.filter(|name| !is_about_fields(name));
    let paths = names.map(|name| below(&own, [&name]));
    let in_form = schema.spelled.names(&form).into_iter();
    let in_form = in_form.filter(|name| name != "widget");
    let in_form = in_form.map(|name| below(&form, [&name]));
    let all = paths.chain(in_form);
    all.map(|path| (path.last().unwrap().clone(), schema.spelled.dedented(&path)))
        .collect()
}

/// Asserts that an edit has changed nothing but its part, to the byte.
fn assert_all_else_is_kept(before: &SchemaText, after: &SchemaText, done: &Done) {
    let raw = |schema: &SchemaText, card: &str| {
        let location = schema.location(card).unwrap();
        schema.dedented(&location)
    };
    match done {
        Done::Added(card) => assert_eq!(without(before, None), without(after, Some(card))),
        Done::Duplicated(card, copy) => {
            assert_eq!(without(before, None), without(after, Some(copy)));
            assert_eq!(raw(before, card), raw(after, card));
            assert_eq!(raw(after, card), raw(after, copy));
        }
        Done::Deleted(card) => assert_eq!(without(before, Some(card)), without(after, None)),
        Done::Changed(card) => {
            assert_eq!(without(before, Some(card)), without(after, Some(card)));
            assert_eq!(kept(before, card), kept(after, card));
            let [old, new] = [before, after].map(|schema| fields(schema, card, &[]));
            if (old.is_required, &old.condition) == (new.is_required, &new.condition) {
                let outside = |schema: &SchemaText| {
                    let path = schema.location(card).unwrap().schema();
                    let place = schema.spelled.find(&path).unwrap();
                    let mut text = schema.text().to_owned();
                    text.replace_range(place, "");
                    text
                };
                assert_eq!(outside(before), outside(after));
            }
        }
        Done::Moved(card, direction) => {
            let properties = before.location(card).unwrap().properties();
            let elements = before.spelled.elements(&properties);
            let name = path(card).pop().unwrap();
            let at = elements.iter().position(|one| one.name == name).unwrap();
            let first = match direction {
                Direction::Up => at.checked_sub(1),
                Direction::Down => Some(at),
            };
            let pair = first.and_then(|first| elements.get(first).zip(elements.get(first + 1)));
            let mut expected = before.text().to_owned();
            if let Some((first, second)) = pair {
                let text = |at: Range<usize>| expected.get(at).unwrap().to_owned();
                let texts = [first, second].map(|one| text(one.whole.clone()));
                let between = text(first.whole.end..second.whole.start);
                let exchanged = format!("{}{between}{}", texts[1], texts[0]);
                expected.replace_range(first.whole.start..second.whole.end, &exchanged);
            }
            assert_eq!(expected, after.text());
        }
    }
}

/// Compares the kinds of known cards with those of the questions that pages ask.
fn assert_kinds(schema: &SchemaText) {
    let compiled = DataSchema::compile(schema.text()).unwrap();
    let questions = Questions::of(Some(&compiled), None, None).unwrap();
    for card in schema.cards(&[]) {
        let Some(fields) = card.fields.filter(|fields| fields.condition.is_none()) else {
            continue;
        };
        let is_asked = |question: &&Question| question.pointer == card.pointer;
        let question = questions.root.children.iter().find(is_asked).unwrap();
        let is_empty_group = fields.kind == QuestionKind::Group && card.children.is_empty();
        if !is_empty_group {
            assert_eq!(
                question.kind,
                fields.kind,
                "{}: {}",
                card.pointer,
                schema.text()
            );
        }
    }
}

#[derive(Debug, Clone)]
enum Edit {
    Add(Index, Index, bool),
    Change(Index, Box<Entered>),
    Shift(Index, bool),
    Duplicate(Index),
    Delete(Index),
}

/// An edit that was applied to these cards.
enum Done {
    Added(String),
    Changed(String),
    Moved(String, Direction),
    /// The card, and its copy.
    Duplicated(String, String),
    Deleted(String),
}

/// Fields that a person enters.
#[derive(Debug, Clone)]
struct Entered {
    kind: Index,
    label: String,
    help: String,
    lines: String,
    limits: (String, String),
    is_required: bool,
    condition: Option<(Index, bool)>,
}

fn entered() -> impl Strategy<Value = Entered> {
    let limit = || {
        prop_oneof![
            Just(String::new()),
            Just("3".to_owned()),
            Just("1e1".to_owned())
        ]
    };
    (
        any::<Index>(),
        "[a-zÄ\"\\\\]{0,6}",
        "[a-z\n]{0,6}",
        prop_oneof![Just("a\nb"), Just("x = X\ny"), Just("1\n2.5"), Just("")],
        (limit(), limit()),
        any::<bool>(),
        prop::option::of((any::<Index>(), any::<bool>())),
    )
        .prop_map(
            |(kind, label, help, lines, limits, is_required, condition)| Entered {
                kind,
                label,
                help,
                lines: lines.to_owned(),
                limits,
                is_required,
                condition,
            },
        )
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (any::<Index>(), any::<Index>(), any::<bool>()).prop_map(|(a, b, c)| Edit::Add(a, b, c)),
        (any::<Index>(), entered()).prop_map(|(at, entered)| Edit::Change(at, Box::new(entered))),
        (any::<Index>(), any::<bool>()).prop_map(|(at, up)| Edit::Shift(at, up)),
        any::<Index>().prop_map(Edit::Duplicate),
        any::<Index>().prop_map(Edit::Delete),
    ]
}

/// The fields of a card after a person has entered others.
fn entered_into(schema: &SchemaText, card: &Card, entered: &Entered) -> Option<CardFields> {
    let old = card.fields.clone()?;
    let is_group = |kind| matches!(kind, QuestionKind::Group | QuestionKind::List);
    let kind = *entered.kind.get(&KINDS);
    let kind = if is_group(old.kind) || is_group(kind) {
        old.kind
    } else {
        kind
    };
    let lines = vec![entered.lines.clone()];
    let has_choices = matches!(kind, QuestionKind::Choice | QuestionKind::Choices);
    let has_limits = known::limits(kind).is_some();
    let limit = |text: &String| {
        if has_limits {
            text.clone()
        } else {
            String::new()
        }
    };
    let is_nested = card.pointer.matches('/').count() > 1;
    let condition = entered
        .condition
        .as_ref()
        .filter(|_| !is_nested && schema.takes_conditions());
    let drivers: Vec<Card> = schema
        .cards(&[])
        .into_iter()
        .filter(|one| {
            let fields = one.fields.as_ref();
            one.pointer != card.pointer
                && fields
                    .is_some_and(|fields| known::drives(fields.kind) && fields.condition.is_none())
        })
        .collect();
    let condition = condition.filter(|_| !drivers.is_empty()).map(|(at, yes)| {
        let driver = at.get(&drivers);
        let fields = driver.fields.as_ref().unwrap();
        let choice = fields.choices.first().map(|choice| choice.value.clone());
        CardCondition {
            question: driver.name.clone(),
            answers: vec![choice.unwrap_or_else(|| yes.to_string())],
        }
    });
    Some(CardFields {
        kind,
        labels: vec![entered.label.clone()],
        helps: vec![entered.help.clone()],
        is_required: entered.is_required,
        choices: if has_choices {
            ChoiceFields::of_lines(&lines)
        } else {
            Vec::new()
        },
        least: limit(&entered.limits.0),
        most: limit(&entered.limits.1),
        pattern: if kind == QuestionKind::Text {
            old.pattern
        } else {
            String::new()
        },
        condition,
    })
}

/// Applies an edit, if it is possible.
fn apply(schema: &SchemaText, edit: &Edit) -> Option<(SchemaText, Done)> {
    let cards = all_cards(schema, &[]);
    let pick = |at: &Index| (!cards.is_empty()).then(|| at.get(&cards).clone());
    match edit {
        Edit::Add(at, kind, inside) => {
            let kind = *kind.get(&KINDS);
            let card = pick(at).filter(|_| *inside);
            let group = card.as_ref().map(|card| &*card.pointer);
            let (after, pointer) = schema.add(group, kind, "New one", &[]).ok()?;
            Some((after, Done::Added(pointer)))
        }
        Edit::Change(at, entered) => {
            let card = pick(at)?;
            let fields = entered_into(schema, &card, entered)?;
            let after = schema.change(&card.pointer, &[], &fields).ok()?;
            let read = self::fields(&after, &card.pointer, &[]);
            let old = card.fields.as_ref()?.kind;
            assert_eq!(read, as_kept(old, fields), "{}", after.text());
            Some((after, Done::Changed(card.pointer)))
        }
        Edit::Shift(at, up) => {
            let card = pick(at)?;
            let direction = if *up { Direction::Up } else { Direction::Down };
            let after = schema.shift(&card.pointer, direction).unwrap();
            Some((after, Done::Moved(card.pointer, direction)))
        }
        Edit::Duplicate(at) => {
            let card = pick(at)?;
            let (after, copy) = schema.duplicate(&card.pointer).unwrap();
            Some((after, Done::Duplicated(card.pointer, copy)))
        }
        Edit::Delete(at) => {
            let card = pick(at)?;
            let after = schema.delete(&card.pointer).ok()?;
            Some((after, Done::Deleted(card.pointer)))
        }
    }
}

/// Applies edits one after the other, and checks what each of them has changed.
fn assert_local(text: &str, edits: &[Edit]) -> usize {
    let mut schema = schema(text);
    let mut applied = 0;
    assert_kinds(&schema);
    for edit in edits {
        let Some((after, done)) = apply(&schema, edit) else {
            continue;
        };
        applied += 1;
        assert_all_else_is_kept(&schema, &after, &done);
        let compiled = DataSchema::compile(after.text());
        assert!(compiled.is_ok(), "{edit:?}: {}", after.text());
        assert_kinds(&after);
        for card in all_cards(&after, &[]) {
            if let Some(fields) = &card.fields {
                assert_eq!(after.change(&card.pointer, &[], fields).unwrap(), after);
            }
        }
        schema = after;
    }
    applied
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn an_edit_changes_only_its_part(
        sample in prop::sample::select(&SAMPLES[..]),
        edits in prop::collection::vec(edit(), 1..6),
    ) {
        assert_local(sample, &edits);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn real_schemas_are_edited_locally(edits in prop::collection::vec(edit(), 1..6)) {
        assert!(FILES.len() > 1);
        for text in FILES.iter() {
            assert_local(text, &edits);
        }
    }
}

#[test]
fn most_edits_are_possible() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let edits = prop::collection::vec(edit(), 100);
    let edits = edits.new_tree(&mut runner).unwrap().current();
    assert!(assert_local(CONDITIONS, &edits) > 50);
}
