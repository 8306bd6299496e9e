//! The words that the worlds are made of.

pub(crate) const OF_GROUP: [&str; 6] = [
    "read",
    "update",
    "delete",
    "add_members",
    "delete_members",
    "manage",
];

pub(crate) const OF_FORM: [&str; 8] = [
    "read",
    "update",
    "delete",
    "create_submissions",
    "read_submissions",
    "update_submissions",
    "delete_submissions",
    "manage",
];

pub(crate) const OF_SUBMISSIONS: [&str; 5] =
    ["create_submissions", "read", "update", "delete", "manage"];

pub(crate) const OF_SUBMISSION: [&str; 4] = ["read", "update", "delete", "manage"];

/// Every action of every class.
pub(crate) const ACTIONS: [&str; 13] = [
    "manage",
    "read",
    "update",
    "delete",
    "create",
    "add_members",
    "delete_members",
    "create_submissions",
    "read_submissions",
    "update_submissions",
    "delete_submissions",
    "write",
    "fly",
];

/// The dynamic groups. There is no such one as the last.
pub(crate) const DYNAMIC_GROUPS: [&str; 4] = ["staff", "press", "everybody", "ghosts"];

/// The identifiers of things, of an application's own class.
pub(crate) const THINGS: [&str; 4] = ["thing", "Thing", "thing ", "th\u{ef}ng"];

/// The names of groups and forms.
pub(crate) const NAMES: [&str; 5] = [
    "Students",
    "STAFF 100%",
    "\u{c4}rzte",
    "a_b",
    "Sch\u{e4}fer",
];

/// What groups are searched by. An empty search is none.
pub(crate) const SEARCHES: [&str; 6] = ["", "s", "\u{e4}", "%", "_", "\\"];

/// The data of submissions, of which the first is well-formed and valid whatever the form asks.
pub(crate) const DATA: [&str; 6] = [
    r#"{"a": 1, "b": 2}"#,
    r#"{ "a":null }"#,
    "{}",
    "[1]",
    r#"{"a": 1, "a": 2}"#,
    "{",
];

/// The schema of forms that have one: `a` is required.
pub(crate) const SCHEMA: &str = r#"{"required": ["a"], "properties": {"a": {}}}"#;

/// Whether data is JSON as drafts may have it, the duplicate key being none.
pub(crate) fn is_json(data: &str) -> bool {
    !matches!(data, "{" | r#"{"a": 1, "a": 2}"#)
}

/// Whether a form takes data: with the schema, whatever has `a` or is no object (of which `required` says nothing);
/// without, whatever is an object.
pub(crate) fn is_valid(data: &str, has_schema: bool) -> bool {
    let is_object = data.starts_with('{');
    is_json(data)
        && if has_schema {
            !is_object || data.contains("\"a\"")
        } else {
            is_object
        }
}

/// Data as it is shown with nothing but the keys of the schema.
pub(crate) fn keys_only(data: &str, has_schema: bool) -> &'static str {
    match data {
        r#"{"a": 1, "b": 2}"# if has_schema => r#"{"a":1}"#,
        r#"{ "a":null }"# if has_schema => r#"{"a":null}"#,
        _ => "{}",
    }
}
