//! The strings that scenarios consist of.

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

/// The dynamic groups. The last one is not defined.
pub(crate) const DYNAMIC_GROUPS: [&str; 4] = ["staff", "press", "everybody", "ghosts"];

/// The identifiers of resources of an application's own class.
pub(crate) const THINGS: [&str; 4] = ["thing", "Thing", "thing ", "th\u{ef}ng"];

/// The keys of submissions in batches.
pub(crate) const KEYS: [&str; 3] = ["row 1", "Row 1", "r\u{f6}w 1"];

/// The names of groups and forms.
pub(crate) const NAMES: [&str; 5] = [
    "Students",
    "STAFF 100%",
    "\u{c4}rzte",
    "a_b",
    "Sch\u{e4}fer",
];

/// Search terms for groups. The empty one matches everything.
pub(crate) const SEARCHES: [&str; 6] = ["", "s", "\u{e4}", "%", "_", "\\"];

/// The data of submissions. The first is well-formed and always valid.
pub(crate) const DATA: [&str; 6] = [
    r#"{"a": 1, "b": 2}"#,
    r#"{ "a":null }"#,
    "{}",
    "[1]",
    r#"{"a": 1, "a": 2}"#,
    "{",
];

/// The schema of forms that have one; it requires `a`.
pub(crate) const SCHEMA: &str = r#"{"required": ["a"], "properties": {"a": {}}}"#;

/// The tags that a form may have for submissions.
pub(crate) const TAGS_OF_FORM: [TagList; 4] = [&["new", "New", "old"], &["new"], &["old"], &[]];

/// Tags that requests want for submissions. No form has the last one.
pub(crate) const TAGS: [TagList; 6] = [
    &[],
    &["new"],
    &["old", "new"],
    &["new", "old"],
    &["New"],
    &["new", "other"],
];

/// Different tags in an order.
pub(crate) type TagList = &'static [&'static str];

/// The actions on tags. Submitters have the first ones, as many as the form says.
pub(crate) const TAG_ACTIONS: [&str; 3] = ["read", "add", "remove"];

/// Whether data is well-formed JSON, as drafts require. Duplicate keys are rejected.
pub(crate) fn is_json(data: &str) -> bool {
    !matches!(data, "{" | r#"{"a": 1, "a": 2}"#)
}

/// Whether data is valid. With the schema, it must have `a` or not be an object, because `required` applies only to
/// objects. Without a schema, it must be an object.
pub(crate) fn is_valid(data: &str, has_schema: bool) -> bool {
    let is_object = data.starts_with('{');
    is_json(data)
        && if has_schema {
            !is_object || data.contains("\"a\"")
        } else {
            is_object
        }
}

/// Data reduced to the keys of the schema.
pub(crate) fn keys_only(data: &str, has_schema: bool) -> &'static str {
    match data {
        r#"{"a": 1, "b": 2}"# if has_schema => r#"{"a":1}"#,
        r#"{ "a":null }"# if has_schema => r#"{"a":null}"#,
        _ => "{}",
    }
}
