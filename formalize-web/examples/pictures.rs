//! Writes pages to a directory, to look at them in a browser: `cargo run -p formalize-web --example pictures DIRECTORY`.

use std::error::Error;
use std::fs;
use std::path::Path;

use formalize_core::DataSchema;
use formalize_core::questions::{Answers, Entries, Questions};
use formalize_web::{Asset, FormPage, Language, Shell};

/// A form as a club might have it.
const SCHEMA: &str = r#"{
  "type": "object",
  "required": ["name", "email", "category", "consent"],
  "properties": {
    "name": {"type": "string", "title": "Full name", "minLength": 2, "maxLength": 100, "x-form": {"autocomplete": "name"}},
    "email": {"type": "string", "format": "email", "title": "Email address", "description": "We only use it for questions about your registration."},
    "category": {"title": "Category", "oneOf": [
      {"const": "runner", "title": "Runner"}, {"const": "team", "title": "Team of runners"}, {"const": "helper", "title": "Helper"}
    ]},
    "birthday": {"type": "string", "format": "date", "title": "Date of birth"},
    "distance": {"title": "Distance", "enum": ["5 km", "10 km", "Half marathon", "Marathon", "Relay", "Nordic walking"]},
    "pace": {"type": "number", "title": "Expected pace", "minimum": 3, "maximum": 12.5, "x-form": {"hint": "In minutes per kilometre."}},
    "meals": {"type": "array", "title": "Meals", "uniqueItems": true, "items": {"enum": ["Breakfast", "Lunch", "Dinner"]}},
    "address": {"type": "object", "title": "Address", "properties": {
      "street": {"type": "string", "title": "Street and number", "x-form": {"autocomplete": "street-address"}},
      "town": {"type": "string", "title": "Town"}
    }},
    "remarks": {"type": "string", "title": "Remarks", "maxLength": 1000, "description": "See the rules of the race at https://example.org/rules."},
    "consent": {"type": "boolean", "const": true, "title": "I agree that my name is published in the list of results."}
  },
  "if": {"properties": {"category": {"const": "team"}}, "required": ["category"]},
  "then": {"properties": {"members": {
    "type": "array", "title": "Members", "minItems": 2, "maxItems": 4,
    "items": {"type": "object", "required": ["name"], "properties": {
      "name": {"type": "string", "title": "Name"}, "shirt": {"title": "Size of the shirt", "enum": ["S", "M", "L"]}
    }}
  }}}
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("expected a directory")?;
    let directory = Path::new(&directory);
    let schema = DataSchema::compile(SCHEMA)?;
    let write = |name: &str, language: Language, page: &FormPage<'_>| {
        let links = [(
            "Imprint".to_owned(),
            "https://example.org/imprint".to_owned(),
        )];
        let shell = Shell::new(language)
            .title("Running club of Example")
            .links(&links);
        // Opened as files, pages find their style beside them.
        let html = page
            .render(&shell)
            .replace(&Asset::Style.path(), "page.css");
        fs::write(directory.join(format!("{name}.html")), html)
    };
    fs::create_dir_all(directory)?;
    fs::write(directory.join("page.css"), Asset::Style.content())?;

    let name = "Registration for the spring run";
    let empty = Questions::of(Some(&schema), None, Some("en"))?;
    write(
        "empty",
        Language::English,
        &FormPage::new(name, &empty).with_drafts(),
    )?;

    let entered = [
        ("/name", "A"),
        ("/email", "ada@"),
        ("/category", "team"),
        ("items:/members", "- -"),
        ("/members/0/name", "Grace Hopper"),
        ("/members/0/shirt", "M"),
        ("/members/1/name", ""),
        ("/members/1/shirt", ""),
        ("/pace", "fast"),
        ("/consent", ""),
    ];
    let entered = entered.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let entries = Entries::new(entered)?;
    let Answers {
        data,
        mut questions,
        ..
    } = Answers::of(Some(&schema), None, &entries, Some("en"))?;
    if let Err(rejection) = schema.validate(&serde_json::from_str(&data)?) {
        questions.place(rejection.into_parts().1);
    }
    let page = FormPage::new(name, &questions).entries(&entries);
    write("problems", Language::English, &page)?;
    write("problems-de", Language::German, &page)?;
    Ok(())
}
