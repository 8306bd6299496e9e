//! Makes the pages of a form, for tests of their script. Each line of standard input is a JSON array with the pairs of
//! name and value that a browser sends. The answer is a line with the page, as a JSON string.

use std::error::Error;
use std::io::{Write, stdin, stdout};

use formalize_core::forms::FormHead;
use formalize_core::questions::{Answers, Entries};
use formalize_core::{DataSchema, FormName};
use formalize_web::{FormPage, Language, Shell};

const SCHEMA: &str = r#"{
  "required": ["name", "email"],
  "properties": {
    "name": {"title": "Name", "type": "string"},
    "category": {"title": "Category", "enum": ["runner", "team", "helper"]},
    "tasks": {"title": "Tasks", "type": "array", "uniqueItems": true, "items": {"enum": ["Food", "Track"]}},
    "distance": {"title": "Distance", "enum": ["5 km", "10 km", "Half marathon", "Marathon", "Relay", "Nordic walking"]},
    "remarks": {"title": "Remarks", "type": "string", "maxLength": 1000},
    "guests": {"title": "Guests", "type": "array", "maxItems": 5, "items": {"required": ["name"], "properties": {
      "name": {"title": "Name of the guest", "type": "string"},
      "shirt": {"title": "Shirt", "enum": ["S", "M", "L"]},
      "notes": {"title": "Notes", "type": "array", "items": {"type": "string"}}
    }}},
    "pay": {"title": "Payment", "oneOf": [
      {"title": "By card", "required": ["card"], "properties": {"card": {"type": "string"}}},
      {"title": "By transfer", "required": ["account"], "properties": {"account": {"type": "string"}}}
    ]},
    "email": {"title": "Email address", "type": "string", "format": "email"}
  },
  "if": {"properties": {"category": {"const": "team"}}, "required": ["category"]},
  "then": {"required": ["team"], "properties": {"team": {"title": "Name of the team", "type": "string"}}},
  "else": {"properties": {"tasks": {"minItems": 1}}}
}"#;

fn page(schema: &DataSchema, sent: Vec<(String, String)>) -> Result<String, Box<dyn Error>> {
    let (actions, sent): (Vec<_>, Vec<_>) = sent.into_iter().partition(|(name, _)| name == "do");
    let action = actions.first().map_or("", |(_, action)| action);
    let mut entries = Entries::new(sent)?;
    match action.split_once(':') {
        Some(("add", list)) => entries.add_item(list),
        Some((_, item)) => entries.remove_item(item),
        None => {}
    }
    let answers = Answers::of(Some(schema), None, &entries, None)?;
    let (data, mut questions) = (answers.data, answers.questions);
    if action == "send"
        && let Err(rejection) = schema.validate(&serde_json::from_str(&data)?)
    {
        questions.place(rejection.into_parts().1);
    }
    let form = FormHead::named(FormName::new("Registration")?);
    let page = FormPage {
        entries: Some(&entries),
        seconds_left: Some(7200),
        ..FormPage::new(Some(&form), &questions)
    };
    Ok(page.render(&Shell::new(Language::English)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let schema = DataSchema::compile(SCHEMA)?;
    for line in stdin().lines() {
        let page = page(&schema, serde_json::from_str(&line?)?)?;
        writeln!(stdout(), "{}", serde_json::Value::from(page))?;
    }
    Ok(())
}
