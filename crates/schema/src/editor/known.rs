//! What the editor knows.

use serde_json::{Map, Value};

use super::choices::{Choices, choices_of};
use super::texts;
use crate::questions::QuestionKind as Kind;

/// The length from which a text is long, in characters, as for the questions of a page.
const LONG: u64 = 200;

/// Keywords of properties that the editor does not know. What has one of them is written by hand.
const FOREIGN: [&str; 26] = [
    "$ref",
    "$recursiveRef",
    "$dynamicRef",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "minContains",
    "maxContains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "minProperties",
    "maxProperties",
    "readOnly",
];

/// The keywords that a kind of question has.
pub(super) const OF_KINDS: [&str; 13] = [
    "type",
    "format",
    "enum",
    "oneOf",
    "anyOf",
    "const",
    "items",
    "uniqueItems",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
];

/// The drafts of JSON Schema, as far as they differ for the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) has_const: bool,
    pub(super) has_if: bool,
}

impl Draft {
    pub(super) fn of(schema: &Value) -> Self {
        let named = schema.get("$schema").and_then(Value::as_str);
        let is = |draft: &str| named.is_some_and(|named| named.contains(draft));
        Self {
            has_const: !is("draft-04"),
            has_if: !is("draft-04") && !is("draft-06"),
        }
    }
}

/// The kind of question of a property; `None` if it is written by hand. Groups and lists cannot be nested.
pub(super) fn kind_of(schema: &Value, is_nested: bool) -> Option<Kind> {
    let members = schema.as_object()?;
    let is_closed = |value: &Value| value.as_object().is_none_or(Map::is_empty);
    if FOREIGN.iter().any(|keyword| members.contains_key(*keyword))
        || !members.get("additionalProperties").is_none_or(is_closed)
        || !texts::are_texts(members)
    {
        return None;
    }
    let stated = match members.get("type") {
        None => None,
        Some(stated) => Some(stated.as_str()?),
    };
    if ["enum", "oneOf", "anyOf", "const"]
        .iter()
        .any(|keyword| members.contains_key(*keyword))
    {
        return with_answers(members, stated);
    }
    match stated {
        Some("string") => text_kind(members),
        None if members.contains_key("format") => {
            text_kind(members).filter(|kind| *kind != Kind::Text)
        }
        Some("integer") => Some(Kind::Integer),
        Some("number") => Some(Kind::Number),
        Some("boolean") => Some(Kind::Boolean),
        Some("object") if !is_nested => {
            let properties = members.get("properties")?;
            (properties.is_object() && !has_items(members)).then_some(Kind::Group)
        }
        Some("array") => {
            let items = members
                .get("items")
                .filter(|_| !members.contains_key("properties"))?;
            let is_unique = members.get("uniqueItems") == Some(&Value::Bool(true));
            match kind_of(items, false)? {
                Kind::Choice if is_unique => Some(Kind::Choices),
                Kind::List | Kind::Choices => None,
                _ => (!is_nested).then_some(Kind::List),
            }
        }
        _ => None,
    }
}

fn has_items(members: &Map<String, Value>) -> bool {
    members.contains_key("items")
}

/// The kind of a property that allows certain answers only.
fn with_answers(members: &Map<String, Value>, stated: Option<&str>) -> Option<Kind> {
    let only = match (members.get("const"), members.get("enum")) {
        (Some(only), None) => Some(only),
        (None, Some(Value::Array(values))) => match values.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    };
    if stated == Some("boolean") {
        let is_alone = !members.contains_key("oneOf") && !members.contains_key("anyOf");
        return (is_alone && only == Some(&Value::Bool(true))).then_some(Kind::Consent);
    }
    let Choices { are_numbers, .. } = choices_of(members, &[])?;
    let fits = match stated {
        None => true,
        Some("string") => !are_numbers && !members.contains_key("format"),
        Some("number") => are_numbers,
        _ => false,
    };
    fits.then_some(Kind::Choice)
}

fn text_kind(members: &Map<String, Value>) -> Option<Kind> {
    let format = match members.get("format") {
        None => None,
        Some(format) => Some(format.as_str()?),
    };
    Some(match format {
        Some("email") => Kind::Email,
        Some("uri") => Kind::Uri,
        Some("date") => Kind::Date,
        Some("time") => Kind::Time,
        Some("date-time") => Kind::DateTime,
        Some(_) => return None,
        None => {
            let is_long = members
                .get("maxLength")
                .and_then(Value::as_u64)
                .is_some_and(|most| most > LONG);
            if is_long || is_text_area(members) {
                Kind::LongText
            } else {
                Kind::Text
            }
        }
    })
}

/// Whether pages show a long text, whatever its length.
pub(super) fn is_text_area(members: &Map<String, Value>) -> bool {
    let form = members.get("x-form");
    form.and_then(|form| form.get("widget")) == Some(&Value::from("textarea"))
}

/// The keywords for the least and the greatest value of a kind.
pub(super) fn limits(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::Text | Kind::LongText => Some(("minLength", "maxLength")),
        Kind::Integer | Kind::Number => Some(("minimum", "maximum")),
        Kind::Choices | Kind::List => Some(("minItems", "maxItems")),
        _ => None,
    }
}

/// Whether other questions can depend on a question of this kind.
pub(super) fn drives(kind: Kind) -> bool {
    matches!(kind, Kind::Boolean | Kind::Consent | Kind::Choice)
}
