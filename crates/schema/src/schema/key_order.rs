//! The order in which a JSON text writes the keys of its objects.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

/// The keys of an object, and of all objects in it, with their positions in the text.
///
/// `serde_json` sorts the keys. Its feature that keeps their order would apply to every program that links this crate.
#[derive(Debug, Default)]
pub(super) enum KeyOrder {
    Object(HashMap<String, (usize, KeyOrder)>),
    Array(Vec<KeyOrder>),
    #[default]
    Scalar,
}

impl KeyOrder {
    /// Reads a text. The result is empty if it is not JSON.
    pub(super) fn of(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The order within the value at a JSON Pointer.
    pub(super) fn at(&self, pointer: &str) -> &Self {
        pointer.split('/').skip(1).fold(self, |order, token| {
            order.under(&referencing::unescape_segment(token))
        })
    }

    /// The order within the value of one key or index.
    pub(super) fn under(&self, token: &str) -> &Self {
        let found = match self {
            Self::Object(keys) => keys.get(token).map(|(_, order)| order),
            Self::Array(items) => referencing::parse_index(token).and_then(|at| items.get(at)),
            Self::Scalar => None,
        };
        found.unwrap_or(&Self::Scalar)
    }

    /// The position of a key of this object. Unknown keys come last.
    pub(super) fn position(&self, key: &str) -> usize {
        match self {
            Self::Object(keys) => keys.get(key).map_or(usize::MAX, |(position, _)| *position),
            _ => usize::MAX,
        }
    }
}

impl<'de> Deserialize<'de> for KeyOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = KeyOrder;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<KeyOrder, E> {
        Ok(KeyOrder::Scalar)
    }

    fn visit_i64<E>(self, _: i64) -> Result<KeyOrder, E> {
        Ok(KeyOrder::Scalar)
    }

    fn visit_u64<E>(self, _: u64) -> Result<KeyOrder, E> {
        Ok(KeyOrder::Scalar)
    }

    fn visit_f64<E>(self, _: f64) -> Result<KeyOrder, E> {
        Ok(KeyOrder::Scalar)
    }

    fn visit_str<E>(self, _: &str) -> Result<KeyOrder, E> {
        Ok(KeyOrder::Scalar)
    }

    fn visit_unit<E>(self) -> Result<KeyOrder, E> {
        Ok(KeyOrder::Scalar)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<KeyOrder, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(KeyOrder::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<KeyOrder, A::Error> {
        let mut keys = HashMap::new();
        while let Some((key, order)) = map.next_entry()? {
            keys.insert(key, (keys.len(), order));
        }
        Ok(KeyOrder::Object(keys))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_positions_at_any_depth() {
        let order =
            KeyOrder::of(r#"{"z": [0, {"é": 1.5, "b": null, "a/b": {"c": ""}}], "a": true}"#);
        assert_eq!((order.position("z"), order.position("a")), (0, 1));
        let inner = order.at("/z/1");
        let positions = ["é", "b", "a/b", "x"].map(|key| inner.position(key));
        assert_eq!(positions, [0, 1, 2, usize::MAX]);
        assert_eq!(order.at("/z/1/a~1b").position("c"), 0);
        assert_eq!(order.at("/nowhere/1").position("c"), usize::MAX);
        assert_eq!(KeyOrder::of("{").position("a"), usize::MAX);
    }
}
