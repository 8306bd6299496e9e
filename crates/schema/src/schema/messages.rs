//! Messages for violations, written by this crate.
//!
//! The validator's own messages quote the data, which would then appear in logs and in responses to callers who may not
//! read it.

use std::cell::OnceCell;
use std::collections::HashMap;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError, Validator};
use referencing::unescape_segment;
use serde_json::{Map, Value};

use super::listing::{self, Listing};
use super::params::{Params, quotation};
use super::patterns;
use super::plain;
use super::rejection::{Rejection, Violation};
use super::structure::push_token;
use super::{DataSchema, budget, json};

/// The maximum length of a quotation from the schema in a message, in bytes. Longer ones are omitted.
const MAX_QUOTATION: usize = 120;

/// The violations of a document under a validator of schemas.
pub(super) fn violations_of_schema(validator: &Validator, document: &Value) -> Listing {
    Messages::default().violations_under(validator, document)
}

/// The rejection of a schema from which the validator cannot be built.
///
/// Such an error concerns the schema, so its location is that of the keyword.
pub(super) fn rejection_of(error: &ValidationError<'_>) -> Rejection {
    let pointer = error.schema_path().as_str().to_owned();
    let message = Messages::default().message_of(error);
    Violation::of_keyword(keyword_of(error), pointer, message).into()
}

/// Describes violations, with the parts of the schema that this needs.
#[derive(Default)]
pub(super) struct Messages<'a> {
    text: &'a str,
    key_sources: Option<&'a HashMap<String, String>>,
    /// The original schema. It is parsed again only for messages that quote values that an error does not contain.
    document: OnceCell<Option<Value>>,
    params: Params,
}

impl<'a> Messages<'a> {
    /// Messages about data under this schema.
    pub(super) fn about(schema: &'a DataSchema) -> Self {
        Self {
            text: &schema.text,
            key_sources: Some(&schema.key_sources),
            ..Self::default()
        }
    }

    /// The violations of a document under a validator.
    pub(super) fn violations_under(&self, validator: &Validator, document: &Value) -> Listing {
        let mut listing = Listing::default();
        for error in validator.iter_errors(document) {
            self.describe(&error, &mut listing);
        }
        listing
    }

    /// The first violation of a document, after which the validator stops.
    pub(super) fn first_under(&self, validator: &Validator, document: &Value) -> Option<Violation> {
        let error = validator.validate(document).err()?;
        let mut listing = Listing::default();
        self.describe(&error, &mut listing);
        listing.into_parts().0.into_iter().next()
    }

    /// Adds the violations for an error of the validator: one for each unexpected member, otherwise exactly one.
    fn describe(&self, error: &ValidationError<'_>, listing: &mut Listing) {
        if !listing.has_room() {
            let unexpected = unexpected(error.kind());
            listing.omit(unexpected.map_or(1, |(names, _)| names.len()));
            return;
        }
        let schema_path = self.as_written(error.schema_path().as_str());
        let violation = |message: String, params: Map<String, Value>| Violation {
            instance_path: error.instance_path().as_str().to_owned(),
            schema_path: schema_path.clone(),
            keyword: keyword_of(error).to_owned(),
            message,
            params,
        };
        let Some((names, param)) = unexpected(error.kind()) else {
            let (schema, keyword) = schema_path.rsplit_once('/').unwrap_or_default();
            let beside = |keyword: &str| self.stated(schema)?.get(keyword);
            let params = self.params.of(error, keyword, beside);
            listing.push(violation(self.message_of(error), params));
            return;
        };
        for (at, name) in names.iter().enumerate() {
            if !listing.has_room() {
                listing.omit(names.len() - at);
                break;
            }
            let params = Map::from_iter([(param.to_owned(), Value::from(name.as_str()))]);
            listing.push(violation(unknown_field(name), params));
        }
    }

    /// The location of a keyword in the original schema.
    pub(super) fn as_written(&self, schema_path: &str) -> String {
        let schema_path = plain::unwrapped(schema_path);
        let sources = self.key_sources.filter(|sources| !sources.is_empty());
        let Some(sources) = sources.filter(|_| schema_path.contains("patternProperties")) else {
            return schema_path;
        };
        // The path contains the translated keys of `patternProperties`.
        let mut restored = String::new();
        for token in schema_path.split('/').skip(1).map(unescape_segment) {
            let source = sources.get(token.as_ref());
            push_token(&mut restored, source.map_or(&token, String::as_str));
        }
        restored
    }

    /// The value of a keyword in the original schema.
    fn stated(&self, schema_path: &str) -> Option<&Value> {
        let read = || json::parse_json(self.text).ok();
        self.document
            .get_or_init(read)
            .as_ref()?
            .pointer(schema_path)
    }

    fn message_of(&self, error: &ValidationError<'_>) -> String {
        use ValidationErrorKind as Kind;
        match error.kind() {
            Kind::Required { property } => {
                let name = listing::abridged(property.as_str().unwrap_or_default());
                format!("`{name}` is required")
            }
            Kind::Type { kind } => format!("must be {}", types(kind)),
            Kind::Constant { expected_value } => match quotation(expected_value, MAX_QUOTATION) {
                Some(value) => format!("must be {value}"),
                None => "must be the fixed value".to_owned(),
            },
            Kind::Enum { options } => enumeration(options),
            Kind::Format { format } => format!("must be {}", format_name(format)),
            Kind::Pattern { pattern } => patterns::mismatch(pattern),
            Kind::Custom { message, .. } => message.clone(),
            Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
                patterns::limit_reached()
            }
            Kind::PropertyNames { error } => match error.instance().as_str() {
                Some(name) => {
                    let name = listing::abridged(name);
                    format!("`{name}` is an invalid name: {}", self.message_of(error))
                }
                None => self.message_of(error),
            },
            Kind::Not { .. } => "must not match the excluded schema".to_owned(),
            Kind::AnyOf { context } => {
                self.alternatives(error, "must match at least one alternative", context)
            }
            Kind::OneOfNotValid { context } => {
                self.alternatives(error, "must match one alternative", context)
            }
            Kind::OneOfMultipleValid { .. } => {
                "must match only one alternative, but matches several".to_owned()
            }
            Kind::Contains => self.contains(error),
            kind => bound(kind),
        }
    }

    /// The required number of matching items, which the error does not contain.
    fn contains(&self, error: &ValidationError<'_>) -> String {
        let path = self.as_written(error.schema_path().as_str());
        let schema = path.rsplit_once('/').map_or("", |(schema, _)| schema);
        let schema = self.stated(schema);
        let number = |keyword: &str| schema?.get(keyword)?.as_f64();
        let least = number("minContains").unwrap_or(1.0);
        match number("maxContains") {
            Some(most) => format!("must contain between {least} and {most} matching items"),
            None if least <= 1.0 => "must contain at least 1 matching item".to_owned(),
            None => format!("must contain at least {least} matching items"),
        }
    }

    /// The problems of each of a few alternatives, so that the reader can see which of them was intended.
    fn alternatives(
        &self,
        error: &ValidationError<'_>,
        message: &str,
        context: &[Vec<ValidationError<'static>>],
    ) -> String {
        use ValidationErrorKind as Kind;
        const MAX_ALTERNATIVES: usize = 4;
        let mut reasons: Vec<String> = Vec::new();
        let is_written = |reason: &&ValidationError<'_>| !matches!(reason.kind(), Kind::Custom { keyword, .. } if keyword == budget::FAILED);
        let reasons_of_each = context.iter().filter_map(|errors| errors.first());
        for reason in reasons_of_each.filter(is_written) {
            let pointer = reason.instance_path().as_str();
            // The location of the whole value is reported already; only the rest is added.
            let pointer = pointer
                .strip_prefix(error.instance_path().as_str())
                .unwrap_or(pointer);
            let messages: Vec<_> = match unexpected(reason.kind()) {
                // One more than are listed.
                Some((names, _)) => {
                    let names = names.iter().take(MAX_ALTERNATIVES + 1);
                    names.map(|name| unknown_field(name)).collect()
                }
                None => vec![self.message_of(reason)],
            };
            for message in messages {
                let reason = match pointer {
                    "" => message,
                    pointer => format!("{pointer}: {message}"),
                };
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        if reasons.is_empty() || reasons.len() > MAX_ALTERNATIVES {
            return message.to_owned();
        }
        format!("{message} ({})", reasons.join("; "))
    }
}

/// The unexpected members in an error, with Ajv's name of the parameter for one of them.
fn unexpected(kind: &ValidationErrorKind) -> Option<(&[String], &'static str)> {
    match kind {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            Some((unexpected.as_slice(), "additionalProperty"))
        }
        ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            Some((unexpected.as_slice(), "unevaluatedProperty"))
        }
        _ => None,
    }
}

pub(super) fn unknown_field(name: &str) -> String {
    format!("`{}` is an unknown field", listing::abridged(name))
}

fn keyword_of<'e>(error: &'e ValidationError<'_>) -> &'e str {
    match error.kind() {
        // The schema `false` has no keyword; this is the usual name for it.
        ValidationErrorKind::FalseSchema => "false schema",
        // The validator itself matches only keys.
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. } => "patternProperties",
        ValidationErrorKind::Required { .. } => {
            let mut tokens = error.schema_path().as_str().rsplit('/');
            match tokens.next() {
                Some(keyword @ ("dependentRequired" | "dependencies")) => keyword,
                _ => "required",
            }
        }
        kind => kind.keyword(),
    }
}

/// Messages about bounds: on a number, or on the number of characters, items or members.
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
        Kind::MinProperties { limit } => format!("must have at least {}", count(*limit, "field")),
        Kind::MaxProperties { limit } => format!("must have at most {}", count(*limit, "field")),
        Kind::AdditionalItems { limit } => {
            let limit = u64::try_from(*limit).unwrap_or(u64::MAX);
            format!("must have at most {}", count(limit, "item"))
        }
        Kind::UnevaluatedItems { unexpected } => {
            let unexpected = u64::try_from(unexpected.len()).unwrap_or(u64::MAX);
            format!("has {}", count(unexpected, "unexpected item"))
        }
        Kind::UniqueItems => "must not contain the same item twice".to_owned(),
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

/// The message for a value that is not one of the options.
pub(super) fn enumeration(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let list = options.iter().try_fold(String::new(), |list, value| {
        let separator = if list.is_empty() { "" } else { ", " };
        let left = MAX_QUOTATION.checked_sub(list.len() + separator.len())?;
        let value = quotation(value, left)?;
        Some(list + separator + &value)
    });
    match list {
        Some(list) => format!("must be one of {list}"),
        None => format!("must be one of the {} allowed values", options.len()),
    }
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
