//! A form for measuring pages.

use serde_json::{Map, Value, json};

/// A form with 17 questions of several kinds. One of them depends on another.
pub fn schema() -> Value {
    let text = json!({"type": "string", "maxLength": 100});
    let mut properties = Map::new();
    for name in [
        "firstName",
        "lastName",
        "street",
        "city",
        "country",
        "company",
        "role",
        "phone",
    ] {
        properties.insert(name.to_owned(), text.clone());
    }
    for (name, schema) in [
        ("email", json!({"type": "string", "format": "email"})),
        ("website", json!({"type": "string", "format": "uri"})),
        ("arrival", json!({"type": "string", "format": "date"})),
        (
            "nights",
            json!({"type": "integer", "minimum": 1, "maximum": 14}),
        ),
        ("meal", json!({"enum": ["none", "vegetarian", "vegan"]})),
        (
            "topics",
            json!({"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b", "c"]}}),
        ),
        ("remarks", json!({"type": "string", "maxLength": 1000})),
        ("guests", json!({"type": "integer", "minimum": 0})),
    ] {
        properties.insert(name.to_owned(), schema);
    }
    json!({
        "type": "object",
        "required": ["firstName", "lastName", "email"],
        "properties": properties,
        "if": {"properties": {"guests": {"minimum": 1}}, "required": ["guests"]},
        "then": {"properties": {"guestNames": text}}
    })
}

/// Answers as a browser sends them, and the same as a JSON document.
pub fn answers() -> (Vec<(&'static str, &'static str)>, Value) {
    let entered = vec![
        ("/firstName", "Ada"),
        ("/lastName", "Lovelace"),
        ("/email", "ada@example.org"),
        ("/nights", "3"),
        ("/guests", "1"),
        ("/guestNames", "Charles"),
    ];
    let data = json!({
        "firstName": "Ada", "lastName": "Lovelace", "email": "ada@example.org", "nights": 3, "guests": 1,
        "guestNames": "Charles"
    });
    (entered, data)
}
