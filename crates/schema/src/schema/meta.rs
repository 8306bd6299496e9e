//! The official meta-schemas, built in so that references to them need no network access.

use std::sync::LazyLock;

use jsonschema::Draft;
use referencing::meta;
use serde_json::Value;

/// The documents of the meta-schema of a draft, starting with the main one.
pub(super) fn documents(draft: Draft) -> &'static [Value] {
    static BY_DRAFT: LazyLock<[Vec<Value>; 5]> = LazyLock::new(|| {
        [
            plain(&[&meta::DRAFT4]),
            plain(&[&meta::DRAFT6]),
            plain(&[&meta::DRAFT7]),
            plain(&[
                &meta::DRAFT201909,
                &meta::DRAFT201909_CORE,
                &meta::DRAFT201909_APPLICATOR,
                &meta::DRAFT201909_VALIDATION,
                &meta::DRAFT201909_META_DATA,
                &meta::DRAFT201909_FORMAT,
                &meta::DRAFT201909_CONTENT,
            ]),
            plain(&[
                &meta::DRAFT202012,
                &meta::DRAFT202012_CORE,
                &meta::DRAFT202012_APPLICATOR,
                &meta::DRAFT202012_UNEVALUATED,
                &meta::DRAFT202012_VALIDATION,
                &meta::DRAFT202012_META_DATA,
                &meta::DRAFT202012_FORMAT_ANNOTATION,
                &meta::DRAFT202012_CONTENT,
            ]),
        ]
    });
    let [draft4, draft6, draft7, draft2019, draft2020] = &*BY_DRAFT;
    match draft {
        Draft::Draft4 => draft4,
        Draft::Draft6 => draft6,
        Draft::Draft7 => draft7,
        Draft::Draft201909 => draft2019,
        _ => draft2020,
    }
}

/// The documents with plain references instead of dynamic ones.
///
/// Meta-schemas are not extended here, so their dynamic references always resolve to the main document. If they
/// remained dynamic, the eight resources would be too many to compile.
fn plain(documents: &[&Value]) -> Vec<Value> {
    let mut documents: Vec<Value> = documents.iter().copied().cloned().collect();
    let whole = documents.first().and_then(|whole| whole.get("$id"));
    if let Some(whole) = whole.and_then(Value::as_str).map(str::to_owned) {
        for document in &mut documents {
            make_plain(document, &whole);
        }
    }
    documents
}

/// Recursion is bounded by the depth of the meta-schemas.
fn make_plain(value: &mut Value, whole: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| make_plain(item, whole)),
        Value::Object(members) => {
            // Members of `properties` may have the same names, but their values are schemas.
            members.retain(|keyword, value| match keyword.as_str() {
                "$dynamicAnchor" => !value.is_string(),
                "$recursiveAnchor" => !value.is_boolean(),
                _ => true,
            });
            for keyword in ["$dynamicRef", "$recursiveRef"] {
                if members.get(keyword).is_some_and(Value::is_string) {
                    members.remove(keyword);
                    members.insert("$ref".to_owned(), whole.into());
                }
            }
            members
                .values_mut()
                .for_each(|member| make_plain(member, whole));
        }
        _ => {}
    }
}
