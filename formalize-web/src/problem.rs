//! Problems in the words of a reader.

use formalize_core::Violation;
use formalize_core::questions::{Question, QuestionKind};
use serde_json::Value;

use crate::file_words::type_name;
use crate::language::Language;

/// The message for a problem of a question.
pub(crate) fn message(language: Language, question: &Question, problem: &Violation) -> String {
    let param = |name: &str| problem.params.get(name).map(plain).unwrap_or_default();
    let number = |name: &str| language.number(&param(name));
    let limited = |key: &str| {
        let limit = number("limit");
        let least = problem.params.get("limit").and_then(Value::as_f64);
        let ending = if language.is_singular(least.unwrap_or(0.0)) {
            "one"
        } else {
            "other"
        };
        language.say_with(&format!("{key}.{ending}"), &[("limit", &limit)])
    };
    let numbered = |key: &str, name: &str| language.say_with(key, &[(name, &number(name))]);
    let named = |key: &str, name: &str| language.say_with(key, &[("name", &param(name))]);
    let said = |key: &str| language.say(key).to_owned();
    match problem.keyword.as_str() {
        "required" | "dependentRequired" | "dependencies" => missing(language, question),
        "type" => wrong_type(language, &param("type")),
        "enum" => said("problem.choice"),
        "const" if question.kind == QuestionKind::Consent => said("problem.tick"),
        "const" if param("allowedValue").is_empty() => said("problem.unspecified"),
        "const" => language.say_with("problem.const", &[("allowedValue", &param("allowedValue"))]),
        "format" => wrong_format(language, &param("format")),
        "pattern" => said("problem.pattern"),
        "minLength" => limited("problem.minLength"),
        "maxLength" => limited("problem.maxLength"),
        "minimum" => numbered("problem.minimum", "limit"),
        "maximum" => numbered("problem.maximum", "limit"),
        "exclusiveMinimum" => numbered("problem.exclusiveMinimum", "limit"),
        "exclusiveMaximum" => numbered("problem.exclusiveMaximum", "limit"),
        "multipleOf" | "divisibleBy" => numbered("problem.multipleOf", "multipleOf"),
        "minItems" => limited("problem.minItems"),
        "maxItems" | "additionalItems" if problem.params.contains_key("limit") => {
            limited("problem.maxItems")
        }
        "uniqueItems" => {
            let position = |name: &str| {
                let at = problem
                    .params
                    .get(name)
                    .and_then(Value::as_u64)
                    .unwrap_or_default();
                at.saturating_add(1).to_string()
            };
            let values = [("first", &*position("j")), ("second", &*position("i"))];
            language.say_with("problem.uniqueItems", &values)
        }
        "minProperties" => limited("problem.minProperties"),
        "maxProperties" => limited("problem.maxProperties"),
        "additionalProperties" => named("problem.unknown", "additionalProperty"),
        "unevaluatedProperties" => named("problem.unknown", "unevaluatedProperty"),
        "propertyNames" => named("problem.name", "propertyName"),
        "contains" | "minContains" | "maxContains" => said("problem.contains"),
        "oneOf" => said("problem.oneOf"),
        "anyOf" => said("problem.anyOf"),
        "if" | "not" => said("problem.if"),
        "additionalItems" | "unevaluatedItems" | "false schema" => said("problem.forbidden"),
        "json" => said("problem.json"),
        // Of files in groups without a question.
        "minNumber" | "maxNumber" | "maxSizeMb" | "allowedMimeTypes" | "additionalFiles" => {
            file_message(language, problem)
        }
        // The data exceeds a limit of the validation.
        "" => said("problem.unchecked"),
        _ => said("problem.unspecified"),
    }
}

/// The message for a problem of files.
pub(crate) fn file_message(language: Language, problem: &Violation) -> String {
    let limit = problem.params.get("limit");
    let limited = |key: &str| {
        let count = limit.and_then(Value::as_u64).unwrap_or_default();
        counted(language, key, usize::try_from(count).unwrap_or(usize::MAX))
    };
    let name = problem.instance_path.rsplit('/').next().unwrap_or_default();
    match (problem.keyword.as_str(), limit) {
        ("minNumber", Some(_)) => limited("problem.minNumber"),
        ("maxNumber", Some(_)) => limited("problem.maxNumber"),
        ("maxSizeMb", Some(size)) => {
            let size = language.number(&plain(size));
            language.say_with("problem.maxSizeMb", &[("size", &size)])
        }
        ("allowedMimeTypes", _) if problem.params.contains_key("mimeType") => {
            let found = problem.params.get("mimeType").map(plain);
            let found = type_name(language, &found.unwrap_or_default());
            language.say_with("problem.allowedMimeTypes", &[("type", &found)])
        }
        ("additionalFiles", _) => language.say_with("problem.additionalFiles", &[("name", name)]),
        // About a file that the reader may not see.
        _ => language.say("problem.unspecified").to_owned(),
    }
}

/// A text about a number of things, from the keys with the endings `.one` and `.other`.
pub(crate) fn counted(language: Language, key: &str, count: usize) -> String {
    let is_one = u32::try_from(count).is_ok_and(|count| language.is_singular(count.into()));
    let ending = if is_one { "one" } else { "other" };
    language.say_with(&format!("{key}.{ending}"), &[("count", &count.to_string())])
}

fn missing(language: Language, question: &Question) -> String {
    let key = match question.kind {
        QuestionKind::Consent => "problem.tick",
        QuestionKind::Choice | QuestionKind::Choices => "problem.choice",
        _ => "problem.missing",
    };
    language.say(key).to_owned()
}

fn wrong_type(language: Language, types: &str) -> String {
    match types {
        "integer" => language.say("problem.wholeNumber").to_owned(),
        "number" => {
            let example = language.number("1.5");
            language.say_with("problem.number", &[("example", &example)])
        }
        _ => language.say("problem.type").to_owned(),
    }
}

fn wrong_format(language: Language, format: &str) -> String {
    let key = match format {
        "email" | "idn-email" => "problem.email",
        "uri" | "iri" => "problem.uri",
        "date" => "problem.date",
        "time" => "problem.time",
        "date-time" => "problem.date-time",
        _ => return language.say_with("problem.format", &[("format", format)]),
    };
    language.say(key).to_owned()
}

/// A text as it is, another value as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
