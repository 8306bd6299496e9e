use std::collections::BTreeMap;

use super::*;

#[test]
fn a_function_decides_by_the_facts() {
    let condition = Condition::new(|facts| {
        facts.user_id == "grace"
            && facts.attributes.contains_key("roles")
            && facts.form_name.is_none_or(|name| name == "Test")
    });
    let (none, roles) = (
        BTreeMap::new(),
        BTreeMap::from([("roles".to_owned(), serde_json::json!([]))]),
    );
    for (user_id, attributes, form_name, expected) in [
        ("grace", &roles, None, true),
        ("grace", &roles, Some("Test"), true),
        ("grace", &roles, Some("Another"), false),
        ("grace", &none, None, false),
        ("heidi", &roles, None, false),
    ] {
        let facts = Facts {
            user_id,
            attributes,
            form_name,
        };
        assert_eq!(condition.holds(&facts), expected, "{user_id} {form_name:?}");
    }
}

#[test]
fn a_function_is_equal_to_itself() {
    let (one, other) = (Condition::new(|_| true), Condition::new(|_| true));
    assert_eq!(one, one.clone().named("policies.administrators"));
    assert_ne!(one, other);
    assert_eq!(one.source(), "a function");
    #[cfg(feature = "conditions")]
    assert_ne!(one, Condition::compile("true").unwrap());
}
