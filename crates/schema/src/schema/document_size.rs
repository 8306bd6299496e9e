//! The size of a document.

use serde_json::Value;

/// The maximum total length of the JSON Pointers in a document. If a document exceeds it, problems are not reported by
/// location.
///
/// A long key is repeated in the pointer of each value below it: the pointers of a 1 MiB document can take gigabytes.
const MAX_POINTER_BYTES: usize = 64 * 1024 * 1024;

/// The measures of a document that limits are checked against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct DocumentSize {
    /// The nesting of objects and arrays.
    pub(super) depth: usize,
    /// The number of values, including the document itself.
    pub(super) values: usize,
    /// The total length of the JSON Pointers of all values.
    pointer_bytes: usize,
    /// The length of the longest JSON Pointer.
    pub(super) longest_pointer: usize,
}

impl DocumentSize {
    /// Measures a document.
    pub(super) fn of(value: &Value) -> Self {
        let mut extent = Self::default();
        extent.measure(value, 0, 0);
        extent
    }

    /// Whether problems of the document can be reported by location.
    pub(super) fn is_describable(self) -> bool {
        self.pointer_bytes <= MAX_POINTER_BYTES
    }

    /// Recursion is bounded by the parser's depth limit.
    fn measure(&mut self, value: &Value, depth: usize, pointer: usize) {
        self.values += 1;
        self.pointer_bytes = self.pointer_bytes.saturating_add(pointer);
        self.longest_pointer = self.longest_pointer.max(pointer);
        match value {
            Value::Array(items) => {
                // Enough for any index in a document of the maximum size.
                let below = pointer.saturating_add(8);
                for item in items {
                    self.measure(item, depth + 1, below);
                }
                self.depth = self.depth.max(depth + 1);
            }
            Value::Object(members) => {
                for (key, member) in members {
                    let below = pointer.saturating_add(key.len()).saturating_add(1);
                    self.measure(member, depth + 1, below);
                }
                self.depth = self.depth.max(depth + 1);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_levels_and_pointers() {
        assert_eq!(DocumentSize::of(&json!(1)).depth, 0);
        let extent = DocumentSize::of(&json!({"ab": {"c": 1}}));
        assert_eq!((extent.depth, extent.values), (2, 3));
        assert_eq!(extent.pointer_bytes, "/ab".len() + "/ab/c".len());
        assert_eq!(extent.longest_pointer, "/ab/c".len());
    }

    #[test]
    fn a_long_key_over_many_values_is_not_describable() {
        let values = vec![json!(0); 1000];
        assert!(DocumentSize::of(&json!({"k": values})).is_describable());
        let long = "k".repeat(100_000);
        assert!(!DocumentSize::of(&json!({long: values})).is_describable());
    }
}
