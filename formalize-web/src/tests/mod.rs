//! Form pages as a browser sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use formalize_core::DataSchema;
use formalize_core::questions::{Answers, Entries, Question, QuestionKind, Questions};
use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};

use crate::{
    Account, AnswerColumn, AnswerRow, AnswersFilter, AnswersPage, Asset, AttemptRow, ConsolePage,
    CreatedLink, DeleteAllPage, DeleteGroupPage, DeletePage, DeleteWebhookPage, DeliveryList,
    DeliveryPage, DeliveryRow, EditorNotice, EditorPage, EditorView, EndedPage, Entry,
    FirstSignInPage, FormFrame, FormOverviewPage, FormPage, FormRow, FormState, FormTab, Grantee,
    GroupMember, GroupPage, GroupsPage, Holder, Language, LinkPage, LinkPlaces, LinkRow,
    LinkValues, LinksPage, LocalTime, MessagePage, NewFormPage, Notice, PermissionReason, Problems,
    Reached, ReachedKind, ReadingPage, Right, SentPage, SettingsPage, SettingsValues, SharingPage,
    Shell, ShownFile, SignInFailedPage, SignInPage, SummaryPage, TokenRow, TokensPage,
    WebhookNotice, WebhookPage, WebhookRow, WebhookValues, WebhooksPage, Why, WhyRow,
};

mod file_fields;
mod pages;
mod sizes;
mod texts;

use pages::called;

fn compile(schema: &Value) -> DataSchema {
    DataSchema::compile(&schema.to_string()).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

fn page_in(language: Language, questions: &Questions) -> Html {
    let html = FormPage::new(called("A form"), questions).render(&Shell::new(language));
    let page = Html::parse_document(&html);
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

fn page(schema: &Value, data: Option<&Value>) -> Html {
    let data = data.map(Value::to_string);
    let questions = Questions::of(Some(&compile(schema)), data.as_deref(), None).unwrap();
    page_in(Language::English, &questions)
}

fn all<'p>(page: &'p Html, selector: &str) -> Vec<ElementRef<'p>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect()
}

/// What a browser sends if nothing is changed: the successful controls, in their order.
fn sent(page: &Html) -> Vec<(String, String)> {
    let mut sent = Vec::new();
    for control in all(page, "form input, form select, form textarea") {
        let name = control.attr("name").unwrap().to_owned();
        let lines = |text: &str| text.replace('\n', "\r\n");
        match (control.value().name(), control.attr("type")) {
            ("textarea", _) => {
                sent.push((name, lines(&text(control))));
            }
            ("select", _) => {
                let options = Selector::parse("option").unwrap();
                let options: Vec<_> = control.select(&options).collect();
                let selected = options
                    .iter()
                    .filter(|option| option.attr("selected").is_some());
                let mut values: Vec<_> = selected.map(|one| one.attr("value").unwrap()).collect();
                if control.attr("multiple").is_none() {
                    assert!(values.len() < 2);
                    values.truncate(1);
                    if values.is_empty() {
                        values.push(options[0].attr("value").unwrap());
                    }
                }
                sent.extend(values.into_iter().map(|value| (name.clone(), lines(value))));
            }
            (_, Some("checkbox" | "radio")) if control.attr("checked").is_none() => {}
            (_, kind) => {
                let value = control.attr("value").unwrap_or_default();
                let value = match kind {
                    Some("hidden" | "checkbox" | "radio") => lines(value),
                    Some("email" | "url") => value.trim().replace(['\r', '\n'], ""),
                    _ => value.replace(['\r', '\n'], ""),
                };
                sent.push((name, value));
            }
        }
    }
    sent
}

/// Removes what a page cannot tell from no answer.
fn meaning(value: &Value) -> Value {
    let is_empty = |value: &Value| {
        let no_text = value.as_str().is_some_and(str::is_empty);
        let no_item = value.as_array().is_some_and(Vec::is_empty);
        let no_member = value.as_object().is_some_and(serde_json::Map::is_empty);
        value.is_null() || no_text || no_item || no_member
    };
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

fn assert_survives(schema: &DataSchema, data: &Value) {
    let stored = data.to_string();
    let questions = Questions::of(Some(schema), Some(&stored), None).unwrap();
    for language in Language::ALL {
        let entries = Entries::new(sent(&page_in(language, &questions))).unwrap();
        let answers = Answers::of(Some(schema), Some(&stored), &entries, None).unwrap();
        assert!(answers.unreadable.is_empty(), "{answers:?}");
        let back: Value = serde_json::from_str(&answers.data).unwrap();
        assert_eq!(meaning(&back), meaning(data), "{language:?}");
    }
}

/// A form with a question of every kind, and data for it.
fn every_kind() -> (Value, Value) {
    let many: Vec<_> = (0..25).map(|at| format!("choice {at}")).collect();
    let schema = json!({
        "required": ["text", "consent", "yes", "color", "fixed", "variant"],
        "additionalProperties": {"type": "integer"},
        "properties": {
            "text": {"type": "string", "minLength": 2, "maxLength": 80, "description": "See https://example.org/a."},
            "lines": {"type": "string", "maxLength": 400, "x-form": {"hint": "More than one line."}},
            "email": {"type": "string", "format": "email"},
            "site": {"type": "string", "format": "uri"},
            "day": {"type": "string", "format": "date"},
            "hour": {"type": "string", "format": "time"},
            "moment": {"type": "string", "format": "date-time"},
            "odd moment": {"type": "string", "format": "date-time"},
            "count": {"type": "integer", "minimum": 0, "maximum": 10},
            "price": {"type": "number"},
            "yes": {"type": "boolean"},
            "maybe": {"type": "boolean"},
            "consent": {"type": "boolean", "const": true},
            "color": {"enum": ["red", "green"]},
            "size": {"oneOf": [{"const": 1, "title": "Small"}, {"const": "1", "title": "Large"}]},
            "many": {"enum": many},
            "few of them": {"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b", "c"]}},
            "many of them": {"type": "array", "uniqueItems": true, "items": {"enum": many}},
            "group": {"type": "object", "properties": {"in/side": {"type": "string"}, "ti~lde": {"type": "string"}}},
            "list": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
            "row": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "variant": {"oneOf": [
                {"title": "By post", "required": ["street"], "properties": {"street": {"type": "string"}}},
                {"title": "By phone", "required": ["number"], "properties": {"number": {"type": "string"}}}
            ]},
            "types": {"type": ["string", "integer"]},
            "fixed": {"const": {"a": 1}},
            "shown": {"type": "string", "readOnly": true},
            "hidden": {"type": "string", "x-form": {"widget": "hidden"}},
            "anything": {}
        }
    });
    let data = json!({
        "text": "Ada", "lines": "\none\ntwo", "email": "a@example.org", "site": "https://example.org/?a=b&c",
        "day": "2026-01-31", "hour": "08:30:00+02:00", "moment": "2026-01-31T08:30:00-05:00",
        "odd moment": "2026-01-31T08:30:00.25Z", "count": 3, "price": 1.5, "yes": false, "maybe": true,
        "consent": true, "color": "green", "size": "1", "many": "choice 7", "few of them": ["c", "a"],
        "many of them": ["choice 3", "choice 1"], "group": {"in/side": "x", "ti~lde": "y"},
        "list": [{"name": "one", "more": 1}, {"name": "two"}], "row": ["a", 2],
        "variant": {"number": "123"}, "types": 5, "fixed": {"a": 1}, "shown": "s", "hidden": "h",
        "anything": [null, {"b": "c"}], "other": 7
    });
    (schema, data)
}

#[test]
fn data_survives_a_page_of_every_kind() {
    let (schema, data) = every_kind();
    let schema = compile(&schema);
    schema.validate(&data).unwrap();
    let questions = Questions::of(Some(&schema), Some(&data.to_string()), None).unwrap();
    let mut kinds = BTreeSet::new();
    let mut pending = vec![&questions.root];
    while let Some(question) = pending.pop() {
        kinds.insert(question.kind.as_str());
        pending.extend(&question.children);
    }
    assert_eq!(kinds.len(), 21, "{kinds:?}");
    assert_survives(&schema, &data);
    let whole = compile(&json!({"type": "array"}));
    assert_survives(&whole, &json!([1, "a"]));
    let variants = json!({"oneOf": [
        {"title": "A", "required": ["a"], "properties": {"a": {"type": "string"}}},
        {"title": "B", "required": ["b"], "properties": {"b": {"type": "string"}}}
    ]});
    assert_survives(&compile(&variants), &json!({"b": "x"}));
    let legend = text(all(&page(&variants, None), "legend")[0]);
    assert_eq!(legend, "A form");
}

/// What assistive technology needs.
fn assert_accessible(page: &Html) {
    let mut ids = BTreeSet::new();
    for element in all(page, "[id]") {
        let id = element.attr("id").unwrap();
        assert!(ids.insert(id), "{id} twice");
        assert!(!id.contains(char::is_whitespace), "{id}");
    }
    for element in all(page, "[aria-describedby]") {
        for id in element.attr("aria-describedby").unwrap().split(' ') {
            assert!(ids.contains(id), "{id}");
        }
    }
    let labelled: BTreeMap<_, _> = all(page, "label")
        .into_iter()
        .map(|label| (label.attr("for").unwrap(), text(label)))
        .collect();
    for control in all(page, "input:not([type=hidden]), select, textarea") {
        let label = labelled.get(control.attr("id").unwrap());
        assert!(
            label.is_some_and(|label| !label.trim().is_empty()),
            "{}",
            control.html()
        );
    }
    for set in all(page, "fieldset") {
        let first = set.child_elements().next().unwrap();
        assert_eq!(first.value().name(), "legend");
        assert!(!text(first).trim().is_empty());
    }
    for link in all(page, ".summary a") {
        assert!(ids.contains(link.attr("href").unwrap().strip_prefix('#').unwrap()));
    }
    for button in all(page, "button") {
        assert!(!text(button).trim().is_empty());
    }
    assert_eq!(all(page, "h1").len(), 1);
}

#[test]
fn every_control_has_a_label() {
    let (schema, data) = every_kind();
    assert_accessible(&page(&schema, Some(&data)));
    assert_accessible(&page(&schema, None));
    assert_accessible(&page(&schema, Some(&json!({}))));
}

#[test]
fn problems_are_linked_from_a_summary() {
    let schema = json!({
        "required": ["name", "age"],
        "properties": {"name": {"title": "Your name", "type": "string"}, "age": {"type": "integer", "minimum": 18}}
    });
    let page = page(&schema, Some(&json!({"age": 3})));
    assert_accessible(&page);
    assert_eq!(text(all(&page, "title")[0]), "Error: A form – formalize");
    assert_eq!(text(all(&page, ".summary h2")[0]), "There are 2 problems");
    let links: Vec<_> = all(&page, ".summary a").into_iter().map(text).collect();
    assert_eq!(
        links,
        [
            "Age – Enter 18 or more",
            "Your name – Please answer this question"
        ]
    );
    let input = all(&page, "input[name='/age']")[0];
    assert_eq!(input.attr("aria-invalid"), Some("true"));
    assert_eq!(
        input.attr("aria-describedby"),
        Some("q/age.hint q/age.problem")
    );
}

#[test]
fn problems_of_a_variant_are_shown() {
    let contact = json!({"oneOf": [
        {"title": "Many", "type": "object", "minProperties": 2, "properties": {"a": {"type": "string"}}},
        {"type": "string", "minLength": 3}
    ]});
    let schema = compile(&json!({"properties": {"contact": contact}}));
    let shown = |variant: &str, entered: &[(&str, &str)]| {
        let sent = [("variant:/contact", variant)]
            .into_iter()
            .chain(entered.iter().copied());
        let sent = sent.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let entries = Entries::new(sent).unwrap();
        let answers = Answers::of(Some(&schema), None, &entries, None).unwrap();
        let mut questions = answers.questions;
        let data = serde_json::from_str(&answers.data).unwrap();
        let rejection = schema.validate(&data).unwrap_err();
        questions.place(rejection.into_parts().1);
        let page = FormPage {
            entries: Some(&entries),
            ..FormPage::new(None, &questions)
        };
        let page = Html::parse_document(&page.render(&Shell::new(Language::English)));
        assert_accessible(&page);
        assert_eq!(all(&page, "ul.problem li").len(), 1, "{}", page.html());
    };
    shown("0", &[("/contact/a", "x")]);
    shown("1", &[("/contact", "x")]);
}

#[test]
fn what_was_entered_is_shown_again() {
    let schema = compile(&json!({"properties": {
        "n": {"type": "integer"}, "d": {"format": "date"}, "l": {"items": {"type": "string"}}, "b": {"type": "boolean", "default": true}
    }}));
    let entered = [
        ("/n", "three"),
        ("/d", "soon"),
        ("items:/l", "- -"),
        ("/l/0", ""),
        ("/l/1", ""),
        ("/b", ""),
    ];
    let entered = entered.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let entries = Entries::new(entered.clone()).unwrap();
    let answers = Answers::of(Some(&schema), None, &entries, None).unwrap();
    let page = FormPage {
        entries: Some(&entries),
        is_new: true,
        ..FormPage::new(called("A form"), &answers.questions)
    };
    let page = Html::parse_document(&page.render(&Shell::new(Language::German)));
    assert_eq!(BTreeSet::from_iter(sent(&page)), BTreeSet::from(entered));
    assert_eq!(all(&page, "input[name='/d']")[0].attr("type"), Some("text"));
}

#[test]
fn a_stored_time_is_shown_with_its_offset() {
    let schema = json!({"properties": {"at": {"type": "string", "format": "date-time"}}});
    let page = page(&schema, Some(&json!({"at": "2026-01-31T08:30:00-05:00"})));
    let hints: Vec<_> = all(&page, ".hint").into_iter().map(text).collect();
    let zone = "The time zone is -05:00 (difference from UTC).";
    assert!(hints.iter().any(|hint| hint.contains(zone)), "{hints:?}");
}

/// In each place in which a page can have the box.
#[test]
fn no_box_of_consent_is_ticked_in_advance() {
    let consent = json!({"type": "boolean", "const": true, "default": true});
    let object = json!({"properties": {"c": consent}});
    let schema = compile(&json!({
        "required": ["plain", "color"],
        "properties": {
            "plain": consent,
            "hidden": {"type": "boolean", "const": true, "x-form": {"widget": "hidden"}},
            "color": {"enum": ["red", "blue"], "default": "red"},
            "group": object,
            "list": {"items": object, "minItems": 1},
            "stored": {"items": object, "default": [{"c": true}]},
            "row": {"prefixItems": [consent]},
            "variant": {"oneOf": [object, {"properties": {"d": {"type": "string"}}, "required": ["d"]}]}
        },
        "if": {"properties": {"color": {"const": "red"}}, "required": ["color"]},
        "then": {"properties": {"follows": consent}}
    }));
    let pointers = [
        "/plain",
        "/hidden",
        "/group/c",
        "/list/0/c",
        "/stored/0/c",
        "/row/0",
        "/variant/c",
        "/follows",
    ];
    let address = pointers.map(|pointer| (pointer.to_owned(), "true".to_owned()));
    for address in [Vec::new(), Vec::from(address)] {
        let entries = Entries::new(address).unwrap().with_defaults();
        let answers = Answers::of(Some(&schema), None, &entries, None).unwrap();
        let page = FormPage {
            entries: Some(&entries),
            is_new: true,
            ..FormPage::new(called("A form"), &answers.questions)
        };
        let page = Html::parse_document(&page.render(&Shell::new(Language::English)));
        let boxes = all(&page, "input[type=checkbox]");
        let names: BTreeSet<_> = boxes.iter().filter_map(|one| one.attr("name")).collect();
        // A list whose default would tick a box begins empty.
        let absent = ["/variant/c", "/stored/0/c"];
        for pointer in pointers.iter().filter(|pointer| !absent.contains(pointer)) {
            assert!(names.contains(pointer), "{pointer}: {names:?}");
        }
        assert!(boxes.iter().all(|one| one.attr("checked").is_none()));
        let given = sent(&page);
        assert!(given.iter().all(|(_, value)| value != "true"), "{given:?}");
    }
    // What a person has ticked stays ticked when the page is shown again.
    let entries = Entries::new([("/plain".to_owned(), "true".to_owned())]).unwrap();
    let answers = Answers::of(Some(&schema), None, &entries, None).unwrap();
    let page = FormPage {
        entries: Some(&entries),
        ..FormPage::new(called("A form"), &answers.questions)
    };
    let page = Html::parse_document(&page.render(&Shell::new(Language::English)));
    assert_eq!(all(&page, "input[name='/plain'][checked]").len(), 1);
}

#[test]
fn optional_choices_begin_with_none() {
    let variants = json!([
        {"title": "By post", "required": ["street"], "properties": {"street": {"type": "string"}}},
        {"title": "By phone", "required": ["number"], "properties": {"number": {"type": "string"}}}
    ]);
    let schema =
        compile(&json!({"properties": {"c": {"enum": ["a", "b"]}, "v": {"oneOf": variants}}}));
    let shown = |stored: Option<&str>, sent: &[(&str, &str)]| {
        let sent = sent
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let entries = Entries::new(sent).unwrap();
        let answers = Answers::of(Some(&schema), stored, &entries, None).unwrap();
        let page = FormPage {
            entries: Some(&entries),
            ..FormPage::new(called("A form"), &answers.questions)
        };
        Html::parse_document(&page.render(&Shell::new(Language::English)))
    };
    let checked = |page: &Html| {
        let checked = all(page, "input[type=radio][checked]").into_iter();
        let pair = |one: ElementRef<'_>| {
            (
                one.attr("name").unwrap().to_owned(),
                one.attr("value").unwrap().to_owned(),
            )
        };
        checked.map(pair).collect::<Vec<_>>()
    };
    let new = shown(None, &[]);
    assert_eq!(all(&new, "input[type=radio]").len(), 6);
    assert_eq!(checked(&new), []);
    // An answer that was taken back stays so.
    let stored = r#"{"c": "a", "v": {"number": "1"}}"#;
    let both = |c: &str, v: &str| {
        vec![
            ("/c".to_owned(), c.to_owned()),
            ("variant:/v".to_owned(), v.to_owned()),
        ]
    };
    assert_eq!(checked(&shown(Some(stored), &[])), both("a", "1"));
    let taken_back = [("/c", ""), ("/c", ""), ("variant:/v", "")];
    let page = shown(Some(stored), &taken_back);
    assert_eq!(checked(&page), both("", ""));
    let entries = Entries::new(sent(&page)).unwrap();
    let answers = Answers::of(Some(&schema), Some(stored), &entries, None).unwrap();
    assert_eq!(answers.data, "{}");
}

#[test]
fn a_required_choice_offers_null() {
    let schema = json!({"required": ["c"], "properties": {"c": {"enum": ["a", null]}}});
    let compiled = compile(&schema);
    let stored = page(&schema, Some(&json!({"c": null})));
    assert_eq!(
        all(&stored, "input[type=radio][checked]")[0].attr("value"),
        Some("null")
    );
    let labels: Vec<_> = all(&stored, ".option label")
        .into_iter()
        .map(text)
        .collect();
    assert_eq!(labels, ["a", "No answer"]);
    let entries = Entries::new(sent(&stored)).unwrap();
    let back = Answers::of(Some(&compiled), Some(r#"{"c":null}"#), &entries, None).unwrap();
    assert_eq!(back.data, r#"{"c":null}"#);
    assert!(all(&page(&schema, None), "[checked]").is_empty());
}

#[test]
fn groups_of_controls_say_that_they_are_wrong() {
    let many: Vec<_> = (0..25).collect();
    let schema = json!({
        "required": ["radios", "yes", "select"],
        "properties": {
            "radios": {"enum": ["a", "b"]},
            "yes": {"type": "boolean"},
            "select": {"enum": many},
            "boxes": {"type": "array", "uniqueItems": true, "minItems": 2, "items": {"enum": ["a", "b"]}},
            "consent": {"type": "boolean", "const": true},
            "list": {"type": "array", "minItems": 1, "items": {"type": "string"}},
            "fine": {"enum": ["a", "b"]}
        }
    });
    let page = page(
        &schema,
        Some(&json!({"boxes": ["a"], "consent": false, "list": []})),
    );
    assert_accessible(&page);
    for pointer in ["radios", "yes", "boxes", "list"] {
        let set = all(&page, &format!("fieldset[data-key={pointer}]"))[0];
        assert_eq!(set.attr("aria-invalid"), Some("true"), "{pointer}");
        let described = set.attr("aria-describedby").unwrap_or_default();
        assert!(described.contains(".problem"), "{pointer}");
    }
    for (selector, count) in [
        ("fieldset[role=radiogroup][aria-invalid]", 2),
        ("input[type=checkbox][name='/boxes'][aria-invalid]", 2),
        ("input[type=checkbox][name='/consent'][aria-invalid]", 1),
        ("select[aria-invalid]", 1),
        (
            "[data-key=fine] [aria-invalid], [data-key=fine][aria-invalid]",
            0,
        ),
    ] {
        assert_eq!(all(&page, selector).len(), count, "{selector}");
    }
}

#[test]
fn seconds_are_asked_for_only_if_there_are_some() {
    let schema = json!({"properties": {"t": {"format": "time"}, "m": {"format": "date-time"}}});
    let steps = |data: Option<&Value>| {
        let page = page(&schema, data);
        let inputs = all(&page, "input[step]").into_iter();
        inputs
            .map(|input| input.attr("step").unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(steps(None), ["60", "60"]);
    let minutes = json!({"t": "08:30:00Z", "m": "2026-01-31T08:30:00Z"});
    assert_eq!(steps(Some(&minutes)), ["60", "60"]);
    let seconds = json!({"t": "08:30:07Z", "m": "2026-01-31T08:30:10Z"});
    assert_eq!(steps(Some(&seconds)), ["1", "1"]);
}

#[test]
fn defaults_are_filled_in_on_a_new_page_only() {
    let schema = compile(
        &json!({"properties": {"g": {"properties": {"a": {"enum": ["x", "y"], "default": "y"}}}}}),
    );
    let questions = Questions::of(Some(&schema), None, None).unwrap();
    let shell = Shell::new(Language::English);
    let fresh = FormPage {
        is_new: true,
        ..FormPage::new(None, &questions)
    };
    let fresh = Html::parse_document(&fresh.render(&shell));
    assert_eq!(sent(&fresh)[1], ("/g/a".to_owned(), "y".to_owned()));
    let stored = Html::parse_document(&FormPage::new(None, &questions).render(&shell));
    assert_eq!(sent(&stored), [("/g/a".to_owned(), String::new())]);
}

/// Data that violates each keyword.
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn violations() -> Vec<(&'static str, Value, Value)> {
    vec![
        ("required", json!({"required": ["p"]}), json!({})),
        (
            "dependentRequired",
            json!({"dependentRequired": {"p": ["q"]}}),
            json!({"p": 1}),
        ),
        (
            "dependencies",
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"p": ["q"]}}),
            json!({"p": 1}),
        ),
        (
            "type",
            json!({"properties": {"p": {"type": "integer"}}}),
            json!({"p": "x"}),
        ),
        (
            "type",
            json!({"properties": {"p": {"type": "number"}}}),
            json!({"p": "x"}),
        ),
        (
            "type",
            json!({"properties": {"p": {"type": ["string", "null"]}}}),
            json!({"p": 1}),
        ),
        (
            "enum",
            json!({"properties": {"p": {"enum": [1]}}}),
            json!({"p": 2}),
        ),
        (
            "const",
            json!({"properties": {"p": {"const": 1}}}),
            json!({"p": 2}),
        ),
        (
            "const",
            json!({"properties": {"p": {"type": "boolean", "const": true}}}),
            json!({"p": false}),
        ),
        (
            "format",
            json!({"properties": {"p": {"format": "email"}}}),
            json!({"p": "x"}),
        ),
        (
            "format",
            json!({"properties": {"p": {"format": "ipv4"}}}),
            json!({"p": "x"}),
        ),
        (
            "pattern",
            json!({"properties": {"p": {"pattern": "^a"}}}),
            json!({"p": "x"}),
        ),
        (
            "minLength",
            json!({"properties": {"p": {"minLength": 2}}}),
            json!({"p": "x"}),
        ),
        (
            "maxLength",
            json!({"properties": {"p": {"maxLength": 1}}}),
            json!({"p": "xx"}),
        ),
        (
            "minimum",
            json!({"properties": {"p": {"minimum": 1.5}}}),
            json!({"p": 1}),
        ),
        (
            "maximum",
            json!({"properties": {"p": {"maximum": 1}}}),
            json!({"p": 2}),
        ),
        (
            "exclusiveMinimum",
            json!({"properties": {"p": {"exclusiveMinimum": 1}}}),
            json!({"p": 1}),
        ),
        (
            "exclusiveMaximum",
            json!({"properties": {"p": {"exclusiveMaximum": 1}}}),
            json!({"p": 1}),
        ),
        (
            "multipleOf",
            json!({"properties": {"p": {"multipleOf": 2}}}),
            json!({"p": 1}),
        ),
        (
            "minItems",
            json!({"properties": {"p": {"minItems": 1}}}),
            json!({"p": []}),
        ),
        (
            "maxItems",
            json!({"properties": {"p": {"maxItems": 1}}}),
            json!({"p": [1, 2]}),
        ),
        (
            "uniqueItems",
            json!({"properties": {"p": {"uniqueItems": true}}}),
            json!({"p": [1, 1]}),
        ),
        (
            "additionalItems",
            json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "properties": {"p": {"items": [{"type": "string"}], "additionalItems": false}}
            }),
            json!({"p": ["x", "y"]}),
        ),
        (
            "unevaluatedItems",
            json!({"properties": {"p": {"prefixItems": [{"type": "string"}], "unevaluatedItems": false}}}),
            json!({"p": ["x", "y"]}),
        ),
        ("minProperties", json!({"minProperties": 1}), json!({})),
        (
            "maxProperties",
            json!({"maxProperties": 1}),
            json!({"p": 1, "q": 1}),
        ),
        (
            "additionalProperties",
            json!({"additionalProperties": false}),
            json!({"p": 1}),
        ),
        (
            "unevaluatedProperties",
            json!({"unevaluatedProperties": false}),
            json!({"p": 1}),
        ),
        (
            "propertyNames",
            json!({"propertyNames": {"maxLength": 1}}),
            json!({"long": 1}),
        ),
        (
            "contains",
            json!({"properties": {"p": {"contains": {"const": 1}}}}),
            json!({"p": []}),
        ),
        (
            "contains",
            json!({"properties": {"p": {"contains": {"const": 1}, "minContains": 2, "maxContains": 3}}}),
            json!({"p": [1]}),
        ),
        (
            "oneOf",
            json!({"properties": {"p": {"oneOf": [{"minLength": 1}, {"maxLength": 1}]}}}),
            json!({"p": "x"}),
        ),
        (
            "anyOf",
            json!({"properties": {"p": {"anyOf": [{"type": "null"}, {"minLength": 2}]}}}),
            json!({"p": "x"}),
        ),
        (
            "not",
            json!({"properties": {"p": {"not": {"const": 1}}}}),
            json!({"p": 1}),
        ),
        (
            "false schema",
            json!({"properties": {"p": false}}),
            json!({"p": 1}),
        ),
    ]
}

#[test]
fn every_keyword_has_words_in_every_language() {
    for (keyword, schema, data) in violations() {
        let compiled = compile(&schema);
        let questions = Questions::of(Some(&compiled), Some(&data.to_string()), None).unwrap();
        let mut said = BTreeSet::new();
        for language in Language::ALL {
            let page = page_in(language, &questions);
            let message = text(all(&page, ".summary li")[0]);
            assert!(
                !message.is_empty() && !message.contains(['{', '}']),
                "{keyword}: {message}"
            );
            let nothing_known = [
                "This answer is not allowed",
                "Diese Antwort ist nicht erlaubt",
                "Cette réponse n’est pas autorisée",
            ];
            assert!(
                !nothing_known.iter().any(|text| message.ends_with(text)),
                "{keyword}: {message}"
            );
            said.insert(message);
        }
        assert_eq!(said.len(), 3, "{keyword}: {said:?}");
        let found = all_problems(&questions.root);
        assert!(found.contains(&keyword.to_owned()), "{keyword}: {found:?}");
    }
}

fn all_problems(question: &Question) -> Vec<String> {
    let mut found: Vec<_> = question
        .problems
        .iter()
        .map(|problem| problem.keyword.clone())
        .collect();
    for child in &question.children {
        found.extend(all_problems(child));
    }
    found
}

#[test]
fn questions_that_others_depend_on_can_be_followed_without_a_script() {
    let schema = json!({
        "properties": {"pet": {"type": "boolean"}},
        "if": {"properties": {"pet": {"const": true}}, "required": ["pet"]},
        "then": {"properties": {"name": {"type": "string"}}}
    });
    let first = page(&schema, None);
    let show = all(&first, ".field + .show")[0];
    assert_eq!(show.attr("value"), Some("show"));
    assert_eq!(all(&first, ".show").len(), 1);
    let shown = page(&schema, Some(&json!({"pet": true})));
    assert_eq!(all(&shown, "input[name='/name']").len(), 1);
}

#[test]
fn lists_can_be_extended_and_shortened_without_a_script() {
    let schema = json!({"properties": {"l": {"title": "Guests", "maxItems": 2, "items": {"type": "string"}}}});
    let one = page(&schema, Some(&json!({"l": ["a"]})));
    let buttons: Vec<_> = all(&one, "fieldset button")
        .into_iter()
        .map(|button| (button.attr("value").unwrap().to_owned(), text(button)))
        .collect();
    assert_eq!(
        buttons,
        [
            ("remove:/l/0".to_owned(), "Remove Guests 1".to_owned()),
            ("add:/l".to_owned(), "Add another: Guests".to_owned())
        ]
    );
    let full = page(&schema, Some(&json!({"l": ["a", "b"]})));
    assert!(all(&full, "button[value='add:/l']").is_empty());
}

#[test]
fn a_list_without_a_limit_ends_where_pages_end() {
    let schema = json!({"properties": {"l": {"items": {"type": "string"}}}});
    let buttons = |count: usize| {
        let page = page(&schema, Some(&json!({"l": vec!["a"; count]})));
        assert_eq!(all(&page, "div.item").len(), count);
        all(&page, "button[value='add:/l']").len()
    };
    assert_eq!(buttons(Entries::MAX_ITEMS - 1), 1);
    assert_eq!(buttons(Entries::MAX_ITEMS), 0);
}

#[test]
fn hidden_choices_are_sent_as_they_are() {
    let hidden = json!({"enum": [1, "1", "a"], "x-form": {"widget": "hidden"}});
    let schema = compile(&json!({"properties": {"p": hidden}}));
    for data in [json!({"p": 1}), json!({"p": "1"}), json!({"p": "a"})] {
        let questions = Questions::of(Some(&schema), Some(&data.to_string()), None).unwrap();
        let sent = sent(&page_in(Language::English, &questions));
        let entries = Entries::new(sent).unwrap();
        // On a new page, nothing is kept that was not sent.
        let answers = Answers::of(Some(&schema), None, &entries, None).unwrap();
        assert_eq!(answers.data, data.to_string());
    }
    assert_eq!(
        sent(&page_in(
            Language::English,
            &Questions::of(Some(&schema), None, None).unwrap()
        )),
        [("/p".to_owned(), String::new())]
    );
}

#[test]
fn the_enter_key_sends_the_form() {
    let schema = json!({"properties": {"l": {"items": {"type": "string"}}}});
    let page = page(&schema, Some(&json!({"l": ["a"]})));
    assert_eq!(all(&page, "form button")[0].attr("value"), Some("send"));
}

#[test]
fn questions_keep_their_keys_when_items_move() {
    let keys = |data: &Value| {
        let (schema, _) = every_kind();
        let page = page(&schema, Some(data));
        let below = all(&page, ".item .item, .item .field .field");
        let keys = below
            .into_iter()
            .map(|one| one.attr("data-key").unwrap().to_owned());
        keys.collect::<Vec<_>>()
    };
    assert_eq!(keys(&json!({"list": [{}, {}]})), ["name", "name"]);
}

/// In a narrow window, the cells of a row are below each other.
#[test]
fn cells_have_the_names_of_their_columns() {
    let mut cells = 0;
    for (name, html) in pages::pages(Language::English, &str::to_owned).unwrap() {
        let page = Html::parse_document(&html);
        for table in all(&page, ".table:not(.tally .table)") {
            let find = |selector: &str| -> Vec<ElementRef<'_>> {
                table.select(&Selector::parse(selector).unwrap()).collect()
            };
            let columns: Vec<String> = find("thead th").into_iter().map(text).collect();
            let labels: Vec<&str> = find("tbody td")
                .into_iter()
                .map(|cell| cell.attr("data-label").unwrap_or_default())
                .collect();
            for row in labels.chunks(columns.len() - 1) {
                assert_eq!(row, &columns[1..], "{name}");
                cells += row.len();
            }
        }
    }
    assert!(cells > 20, "{cells}");
}

/// Nothing that was entered is lost, and nothing can be sent.
#[test]
fn a_closed_form_shows_what_was_entered() {
    let schema = compile(
        &json!({"properties": {"name": {"type": "string"}}, "x-form": {"closed": "Come next year."}}),
    );
    let questions = Questions::of(Some(&schema), None, None).unwrap();
    let entries = Entries::new([("/name".to_owned(), "Ada".to_owned())]).unwrap();
    let page = FormPage {
        entries: Some(&entries),
        closed: Some(&formalize_core::Error::FormNotAvailable),
        ..FormPage::new(called("A form"), &questions)
    };
    let page = Html::parse_document(&page.render(&Shell::new(Language::English)));
    assert_eq!(all(&page, "[name='/name']")[0].attr("value"), Some("Ada"));
    assert_eq!(text(all(&page, ".closed p")[0]), "Come next year.");
    assert!(all(&page, "button[value=send]:not([disabled])").is_empty());
}

/// The page of this name, in English.
fn page_named(name: &str) -> Html {
    let pages = pages::pages(Language::English, &str::to_owned).unwrap();
    let found = pages.into_iter().find(|(own, _)| own == name);
    Html::parse_document(&found.unwrap_or_else(|| panic!("{name}")).1)
}

#[test]
fn a_filter_is_not_called_optional() {
    for name in ["answers", "summary"] {
        let page = page_named(name);
        assert!(all(&page, "form.filters label").len() >= 3);
        assert!(all(&page, "form.filters .optional").is_empty(), "{name}");
    }
}

#[test]
fn who_may_create_a_form_is_led_to_the_first() {
    let page = |new_form: Option<&str>| {
        let page = ConsolePage {
            new_form: new_form.map(str::to_owned),
            ..ConsolePage::default()
        };
        Html::parse_document(&page.render(&Shell::new(Language::English)))
    };
    let first = page(Some("/console/forms/new"));
    let link = all(&first, ".empty a")[0];
    assert_eq!(link.attr("href"), Some("/console/forms/new"));
    assert_eq!(text(link), "Create your first form");
    let nothing = page(None);
    let said: Vec<_> = all(&nothing, ".empty").into_iter().map(text).collect();
    assert_eq!(said, ["There is no form for you yet."]);
}

#[test]
fn what_explains_a_box_is_below_it() {
    let schema = json!({
        "required": ["agreed"],
        "properties": {"agreed": {
            "type": "boolean", "const": true, "description": "In full.", "x-form": {"hint": "As always."}
        }}
    });
    let form = page(&schema, Some(&json!({"agreed": false})));
    for (page, note) in [
        (&form, ".help"),
        (&form, ".hint"),
        (&form, ".problem"),
        (&page_named("links"), ".help"),
    ] {
        let below = all(page, &format!(".option:has([type=checkbox]) ~ {note}"));
        assert!(!below.is_empty(), "{note}");
        let above = all(page, &format!(".field > {note}:has(+ .option)"));
        assert!(above.is_empty(), "{note}");
    }
}

#[test]
fn what_pages_load_is_small() {
    for asset in Asset::ALL.into_iter().chain([Asset::Embed]) {
        let most = if asset == Asset::Embed { 1_500 } else { 5_000 };
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(asset.content().as_bytes()).unwrap();
        let compressed = encoder.finish().unwrap().len();
        assert!(compressed <= most, "{asset:?}: {compressed}");
    }
}

#[test]
fn a_whole_page_is_small() {
    let (schema, _) = every_kind();
    let questions = Questions::of(Some(&compile(&schema)), None, None).unwrap();
    let html = FormPage::new(called("A form"), &questions).render(&Shell::new(Language::English));
    assert!(html.len() < 24 * 1024, "{}", html.len());
    assert_ne!(questions.root.kind, QuestionKind::Json);
}
