//! The columns with submitted values in a table of submissions.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::output::{Column, Fit, plain};

/// The maximum number of these columns, except in wide tables. Usually fewer fit on a terminal.
const MOST: usize = 16;

/// Columns for the first leaves of a schema: those with `tableViewVisibleDefault: true` come first and those with `false`
/// last, otherwise in the order of the schema. The field of each column is the JSON pointer of its value. A wide table has all.
pub(crate) fn columns(schema: &str, is_wide: bool) -> Vec<Column> {
    let Ok(Schema(properties, _)) = serde_json::from_str(schema) else {
        return Vec::new();
    };
    let mut leaves = Vec::new();
    collect(&properties, "", "", &mut leaves);
    leaves.sort_by_key(|leaf| match leaf.visible {
        Some(true) => 0,
        None => 1,
        Some(false) => 2,
    });
    let most = if is_wide { leaves.len() } else { MOST };
    let columns = leaves.into_iter().take(most).map(|leaf| Column {
        title: plain(&leaf.title).into_owned().into(),
        field: leaf.pointer.into(),
        fit: Fit::CutEnd,
    });
    columns.collect()
}

/// A property without properties of its own.
struct Leaf {
    title: String,
    pointer: String,
    visible: Option<bool>,
}

fn collect(properties: &Properties, title: &str, pointer: &str, leaves: &mut Vec<Leaf>) {
    for (name, Schema(below, visible)) in &properties.0 {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        let pointer = format!("{pointer}/{escaped}");
        let title = match title {
            "" => name.clone(),
            title => format!("{title}.{name}"),
        };
        if below.0.is_empty() {
            leaves.push(Leaf {
                title,
                pointer,
                visible: *visible,
            });
        } else {
            collect(below, &title, &pointer, leaves);
        }
    }
}

/// The parts of a JSON Schema that matter here: its properties, and `tableViewVisibleDefault`.
struct Schema(Properties, Option<bool>);

/// The properties of a schema, in its order.
#[derive(Default)]
struct Properties(Vec<(String, Schema)>);

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Schema;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON Schema")
            }

            fn visit_bool<E>(self, _: bool) -> Result<Schema, E> {
                Ok(Schema(Properties::default(), None))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Schema, A::Error> {
                let mut schema = Schema(Properties::default(), None);
                while let Some(keyword) = map.next_key::<String>()? {
                    match keyword.as_str() {
                        "properties" => schema.0 = map.next_value()?,
                        "tableViewVisibleDefault" => schema.1 = map.next_value()?,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(schema)
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Properties;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of JSON Schemas")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
                let mut properties = Vec::new();
                while let Some(property) = map.next_entry()? {
                    properties.push(property);
                }
                Ok(Properties(properties))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(schema: &str) -> Vec<String> {
        let columns = columns(schema, false).into_iter();
        columns.map(|column| column.field.into_owned()).collect()
    }

    #[test]
    fn leaves_are_in_the_order_of_the_schema() {
        let schema = r#"{
            "required": ["b"],
            "properties": {
                "z": {"type": "string"},
                "address": {"type": "object", "properties": {"street": {}, "a/b~c": true}},
                "a": {"type": "array", "items": {"properties": {"x": {}}}}
            }
        }"#;
        assert_eq!(
            fields(schema),
            ["/z", "/address/street", "/address/a~1b~0c", "/a"]
        );
        assert_eq!(columns(schema, false)[1].title, "address.street");
    }

    #[test]
    fn properties_visible_by_default_come_first() {
        let schema = r#"{"properties": {
            "a": {"tableViewVisibleDefault": false},
            "b": {},
            "c": {"tableViewVisibleDefault": true}
        }}"#;
        assert_eq!(fields(schema), ["/c", "/b", "/a"]);
    }

    #[test]
    fn a_schema_without_properties_has_no_columns() {
        for schema in ["true", "{}", r#"{"type": "object"}"#, "[]", "{"] {
            assert!(fields(schema).is_empty(), "{schema}");
        }
    }

    #[test]
    fn columns_are_limited_and_titles_escaped() {
        let names = (0..40).map(|number| format!("\"{number}\\u001b\": {{}}"));
        let names: Vec<String> = names.collect();
        let schema = format!("{{\"properties\": {{{}}}}}", names.join(","));
        let few = columns(&schema, false);
        assert_eq!(few.len(), MOST);
        assert_eq!(few[0].title, "0\\u{1b}");
        assert_eq!(columns(&schema, true).len(), 40);
    }
}
