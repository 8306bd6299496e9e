//! What is wrong with data, said in words of this crate.
//!
//! The validator has messages of its own, but they quote the data, which then stands in logs and in
//! answers to people who may see less than it.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError, Validator};
use serde_json::Value;

use super::document_size::DocumentSize;
use super::enumeration::ENUMERATION;
use super::patterns;
use super::rejection::{Rejection, Violation};

/// Longer quotations of the schema are left out of a message.
const MAX_QUOTATION: usize = 120;

/// The violations of a document under a validator.
pub(super) fn violations_under(validator: &Validator, document: &Value) -> Vec<Violation> {
    let errors = validator.iter_errors(document);
    errors.flat_map(|error| violations_of(&error)).collect()
}

/// The violations that an error of the validator stands for: one for each unexpected member, otherwise
/// one.
fn violations_of(error: &ValidationError<'_>) -> Vec<Violation> {
    messages_of(error)
        .into_iter()
        .map(|message| Violation {
            instance_path: error.instance_path().as_str().to_owned(),
            schema_path: as_written(error.schema_path().as_str()),
            keyword: keyword_of(error.kind()).to_owned(),
            message,
        })
        .collect()
}

/// The refusal of a schema that the validator cannot be built from.
///
/// Such an error speaks of the schema, so its place is that of the keyword.
pub(super) fn rejection_of(error: &ValidationError<'_>) -> Rejection {
    let place = error.schema_path().as_str().to_owned();
    Violation::of_keyword(keyword_of(error.kind()), place, message_of(error)).into()
}

/// The place of a keyword in the schema of the author.
fn as_written(schema_path: &str) -> String {
    match schema_path.strip_suffix(ENUMERATION) {
        Some(schema) => format!("{schema}enum"),
        None => schema_path.to_owned(),
    }
}

fn keyword_of(kind: &ValidationErrorKind) -> &str {
    match kind {
        // What a schema says by `false` has no keyword; this is the name that has become usual for it.
        ValidationErrorKind::FalseSchema => "false schema",
        // Keys are all that the validator matches itself.
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. } => "patternProperties",
        kind => match kind.keyword() {
            ENUMERATION => "enum",
            keyword => keyword,
        },
    }
}

fn messages_of(error: &ValidationError<'_>) -> Vec<String> {
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .map(|name| format!("must not have the member `{name}`"))
            .collect(),
        _ => vec![message_of(error)],
    }
}

fn message_of(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    match error.kind() {
        Kind::Required { property } => format!("is required: {}", name_of(property)),
        Kind::Type { kind } => format!("must be {}", types(kind)),
        Kind::Constant { expected_value } => quoting("must be", expected_value, "the fixed value"),
        Kind::Enum { options } => enumeration(options),
        Kind::Format { format } => format!("must be {}", format_name(format)),
        Kind::Pattern { pattern } => patterns::mismatch(pattern),
        Kind::Custom { message, .. } => message.clone(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            patterns::limit_reached()
        }
        Kind::PropertyNames { error } => match error.instance().as_str() {
            Some(name) => format!("has the member name `{name}`, which {}", message_of(error)),
            None => message_of(error),
        },
        Kind::Not { .. } => "must not match the excluded schema".to_owned(),
        Kind::AnyOf { context } => {
            alternatives(error, "must match at least one alternative", context)
        }
        Kind::OneOfNotValid { context } => {
            alternatives(error, "must match one alternative", context)
        }
        Kind::OneOfMultipleValid { .. } => {
            "must match only one alternative, but matches several".to_owned()
        }
        kind => bound(kind),
    }
}

/// Messages about numbers: of a value, of characters, of items, of members.
fn bound(kind: &ValidationErrorKind) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be greater than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => {
            format!("must be at least {} long", count(*limit, "character"))
        }
        Kind::MaxLength { limit } => format!("must be at most {} long", count(*limit, "character")),
        Kind::MinItems { limit } => format!("must have at least {}", count(*limit, "item")),
        Kind::MaxItems { limit } => format!("must have at most {}", count(*limit, "item")),
        Kind::MinProperties { limit } => format!("must have at least {}", count(*limit, "member")),
        Kind::MaxProperties { limit } => format!("must have at most {}", count(*limit, "member")),
        Kind::AdditionalItems { limit } => {
            let limit = u64::try_from(*limit).unwrap_or(u64::MAX);
            format!("must have at most {}", count(limit, "item"))
        }
        Kind::UnevaluatedItems { unexpected } => {
            let unexpected = u64::try_from(unexpected.len()).unwrap_or(u64::MAX);
            format!(
                "has {} more than the schema knows",
                count(unexpected, "item")
            )
        }
        Kind::UniqueItems => "must not contain the same item twice".to_owned(),
        Kind::Contains => {
            "must contain items of the demanded kind in the demanded number".to_owned()
        }
        Kind::FalseSchema => "must not be present".to_owned(),
        Kind::ContentEncoding { content_encoding } => {
            format!("must be encoded as {content_encoding}")
        }
        Kind::ContentMediaType { content_media_type } => {
            format!("must be of the media type {content_media_type}")
        }
        Kind::FromUtf8 { .. } => "must be encoded text".to_owned(),
        kind => format!("must satisfy `{}`", kind.keyword()),
    }
}

fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn name_of(property: &Value) -> String {
    format!("`{}`", property.as_str().unwrap_or_default())
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(single) => type_name(*single).to_owned(),
        TypeKind::Multiple(several) => {
            let names: Vec<_> = several.iter().map(type_name).collect();
            names.join(" or ")
        }
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn quoting(before: &str, value: &Value, otherwise: &str) -> String {
    match quotation(std::slice::from_ref(value)) {
        Some(text) => format!("{before} {text}"),
        None => format!("{before} {otherwise}"),
    }
}

/// What is wrong with a value that is none of these.
pub(super) fn enumeration(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    match quotation(options) {
        Some(list) => format!("must be one of {list}"),
        None => format!("must be one of the {} allowed values", options.len()),
    }
}

/// Values of the schema, separated by commas, unless they are long: this is asked for each violation.
fn quotation(values: &[Value]) -> Option<String> {
    let mut list = String::new();
    for value in values {
        if DocumentSize::of(value).values > MAX_QUOTATION {
            return None;
        }
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(&value.to_string());
        if list.len() > MAX_QUOTATION {
            return None;
        }
    }
    Some(list)
}

fn format_name(format: &str) -> String {
    let name = match format {
        "date" => "a date like 2026-01-31",
        "date-time" => "a date and time like 2026-01-31T08:30:00Z",
        "time" => "a time like 08:30:00Z",
        "duration" => "a duration like P3DT12H",
        "email" | "idn-email" => "a valid email address",
        "hostname" | "idn-hostname" => "a valid host name",
        "ipv4" => "a valid IPv4 address",
        "ipv6" => "a valid IPv6 address",
        "uri" | "iri" => "a valid URI",
        "uri-reference" | "iri-reference" => "a valid URI reference",
        "uri-template" => "a valid URI template",
        "uuid" => "a valid UUID",
        "regex" => "a valid regular expression",
        "json-pointer" | "relative-json-pointer" => "a valid JSON Pointer",
        other => return format!("a valid {other}"),
    };
    name.to_owned()
}

/// What each of a few alternatives misses, so that a person can see which of them was meant.
fn alternatives(
    error: &ValidationError<'_>,
    message: &str,
    context: &[Vec<ValidationError<'static>>],
) -> String {
    const MAX_ALTERNATIVES: usize = 4;
    let mut reasons: Vec<String> = Vec::new();
    for mut reason in context
        .iter()
        .filter_map(|errors| errors.first())
        .flat_map(violations_of)
    {
        // The place of the whole is told already; what remains leads from there.
        if let Some(below) = reason
            .instance_path
            .strip_prefix(error.instance_path().as_str())
        {
            reason.instance_path = below.to_owned();
        }
        let reason = reason.to_string();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() || reasons.len() > MAX_ALTERNATIVES {
        return message.to_owned();
    }
    format!("{message} ({})", reasons.join("; "))
}
