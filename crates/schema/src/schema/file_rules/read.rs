//! Reads the rules from a schema.

use serde_json::{Map, Number, Value};

use super::{AllowedType, FileAttributeName, FileRule, FileRules};
use crate::schema::messages::unknown_field;
use crate::schema::rejection::Violation;
use crate::schema::structure::push_token;

/// The default of `maxSizeMb`.
const DEFAULT_MAX_SIZE: u64 = 10;

/// The default of `maxNumber` in the rule for groups that a schema allows without a rule of their own.
const DEFAULT_ADDITIONAL: u64 = 2;

/// The maximum length of a type and of a subtype, by RFC 6838.
const MAX_TYPE_CHARS: usize = 127;

impl FileRules {
    /// Reads the rules of a schema, and returns the violations in them.
    pub(in crate::schema) fn read(schema: &Value) -> (Self, Vec<Violation>) {
        let mut reader = Reader::default();
        let rules = Self {
            declared: schema
                .get("files")
                .map_or_else(Vec::new, |files| reader.declared(files)),
            additional: schema
                .get("additionalFiles")
                .and_then(|rule| reader.additional(rule)),
        };
        (rules, reader.violations)
    }
}

#[derive(Default)]
struct Reader {
    violations: Vec<Violation>,
}

impl Reader {
    fn refuse(&mut self, keyword: &str, pointer: &str, message: impl Into<String>) {
        let violation = Violation::of_keyword(keyword, pointer.to_owned(), message);
        self.violations.push(violation);
    }

    fn declared(&mut self, files: &Value) -> Vec<(FileAttributeName, FileRule)> {
        let Some(files) = files.as_object() else {
            self.refuse("files", "/files", "must be an object from names to rules");
            return Vec::new();
        };
        if files.len() > FileRules::MAX_ATTRIBUTES {
            let most = FileRules::MAX_ATTRIBUTES;
            self.refuse(
                "files",
                "/files",
                format!("must not have more than {most} names"),
            );
            return Vec::new();
        }
        let mut declared = Vec::new();
        for (name, rule) in files {
            let mut pointer = "/files".to_owned();
            push_token(&mut pointer, name);
            let Ok(name) = FileAttributeName::new(name.as_str()) else {
                self.refuse("files", &pointer, INVALID_NAME);
                continue;
            };
            if let Some(rule) = self.rule("files", rule, &pointer) {
                declared.push((name, rule));
            }
        }
        declared
    }

    fn additional(&mut self, rule: &Value) -> Option<FileRule> {
        match rule {
            Value::Bool(false) => None,
            Value::Bool(true) => Some(FileRule {
                min_number: 0,
                max_number: DEFAULT_ADDITIONAL,
                max_size: DEFAULT_MAX_SIZE.into(),
                allowed: vec![AllowedType::One("application/pdf".to_owned())],
            }),
            Value::Object(_) => self.rule("additionalFiles", rule, "/additionalFiles"),
            _ => {
                let message = "must be true, false or a rule";
                self.refuse("additionalFiles", "/additionalFiles", message);
                None
            }
        }
    }

    fn rule(&mut self, keyword: &str, rule: &Value, pointer: &str) -> Option<FileRule> {
        let Some(members) = rule.as_object() else {
            self.refuse(keyword, pointer, "must be an object");
            return None;
        };
        let known = ["minNumber", "maxNumber", "maxSizeMb", "allowedMimeTypes"];
        for name in members
            .keys()
            .filter(|name| !known.contains(&name.as_str()))
        {
            self.refuse(keyword, pointer, unknown_field(name));
        }
        let mut rule = RuleReader {
            reader: self,
            members,
            pointer,
        };
        let min_number = rule.number("minNumber", 0).unwrap_or(1);
        let max_number = rule.number("maxNumber", 1);
        if max_number.is_some_and(|most| most < min_number) {
            rule.refuse("maxNumber", "must not be less than minNumber");
        }
        Some(FileRule {
            min_number,
            max_number: max_number.unwrap_or(min_number.max(1)),
            max_size: rule.max_size(),
            allowed: rule.allowed_types(),
        })
    }
}

const INVALID_NAME: &str =
    "must have a name of 1 to 128 characters without control characters and [ ] \" \\ /";

/// Reads the members of one rule.
struct RuleReader<'a> {
    reader: &'a mut Reader,
    members: &'a Map<String, Value>,
    pointer: &'a str,
}

impl RuleReader<'_> {
    fn refuse(&mut self, member: &str, message: impl Into<String>) {
        let mut pointer = self.pointer.to_owned();
        push_token(&mut pointer, member);
        self.reader.refuse(member, &pointer, message);
    }

    /// An integer; `None` if it is absent or no integer from `least` on.
    fn number(&mut self, member: &str, least: u64) -> Option<u64> {
        let number = integer(self.members.get(member)?).filter(|number| *number >= least);
        if number.is_none() {
            self.refuse(member, format!("must be an integer of at least {least}"));
        }
        number
    }

    fn max_size(&mut self) -> Number {
        let Some(stated) = self.members.get("maxSizeMb") else {
            return DEFAULT_MAX_SIZE.into();
        };
        let is_positive = |number: &&Number| number.as_f64().is_some_and(|number| number > 0.0);
        if let Some(number) = stated.as_number().filter(is_positive) {
            return number.clone();
        }
        self.refuse("maxSizeMb", "must be a number above 0");
        DEFAULT_MAX_SIZE.into()
    }

    fn allowed_types(&mut self) -> Vec<AllowedType> {
        let Some(stated) = self.members.get("allowedMimeTypes") else {
            let (pointer, message) = (self.pointer, "`allowedMimeTypes` is required");
            self.reader.refuse("allowedMimeTypes", pointer, message);
            return Vec::new();
        };
        let Some(items) = stated.as_array().filter(|items| !items.is_empty()) else {
            self.refuse(
                "allowedMimeTypes",
                "must be an array with at least one type",
            );
            return Vec::new();
        };
        let mut allowed = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(item) = item.as_str().and_then(allowed_type) {
                allowed.push(item);
            } else {
                let pointer = format!("{}/allowedMimeTypes/{index}", self.pointer);
                let message = "must be a type such as application/pdf, image/* or */*";
                self.reader.refuse("allowedMimeTypes", &pointer, message);
            }
        }
        allowed
    }
}

/// The value as a number of files. `2.0` is an integer in JSON Schema, too.
fn integer(value: &Value) -> Option<u64> {
    let of_float = || {
        let number = value.as_f64()?;
        let is_integer = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is an integer in range"
        )]
        let number = number as u64;
        is_integer.then_some(number)
    };
    value.as_u64().or_else(of_float)
}

fn allowed_type(text: &str) -> Option<AllowedType> {
    let text = text.to_ascii_lowercase();
    match text.split_once('/')? {
        ("*", "*") => Some(AllowedType::Any),
        (main, "*") if is_type_name(main) => Some(AllowedType::Group(format!("{main}/"))),
        (main, sub) if is_type_name(main) && is_type_name(sub) => Some(AllowedType::One(text)),
        _ => None,
    }
}

/// Whether the text is a type or a subtype by RFC 6838.
fn is_type_name(text: &str) -> bool {
    let is_part = |one: char| one.is_ascii_alphanumeric() || "!#$&-^_.+".contains(one);
    (1..=MAX_TYPE_CHARS).contains(&text.len())
        && text.starts_with(|one: char| one.is_ascii_alphanumeric())
        && text.chars().all(is_part)
}
