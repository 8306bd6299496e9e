//! The query parameters of a request, validated for its operation.

use formalize_core::{Timestamp, events::EventType, forms::FrontendKey, webhooks::WebhookEvents};

use crate::{
    contract::{
        ErrorKey, Kind, Operation, Parameter,
        parameter::{CURSOR, FROM, PAGE, PER_PAGE},
    },
    failure::Refusal,
    percent,
};

/// How many parameters a request may have beyond those that its operation knows, so that a refusal can name misspelled
/// ones. Requests with more are refused before their parameters are decoded.
const SPARE: usize = 8;

/// The maximum number of parameters that a refusal names.
const NAMED: usize = 10;

/// Whether a value is valid for a kind of parameter.
fn admits(kind: Kind, value: &str) -> bool {
    match kind {
        Kind::Text => true,
        Kind::Count { max, .. } => count(value).is_some_and(|count| (1..=max).contains(&count)),
        Kind::Flag => matches!(value, "true" | "false"),
        Kind::Instant => value.parse::<Timestamp>().is_ok(),
        Kind::OneOf(words) => words.contains(&value),
        Kind::EventType => value
            .parse()
            .is_ok_and(|event_type| WebhookEvents::of_all_forms().contains(event_type)),
        Kind::EventTypes => event_types(value).all(|event_type| event_type.is_some()),
        Kind::FrontendKeys => frontend_keys(value).is_some(),
    }
}

/// The types of events in a list of names; `None` for an unknown one.
fn event_types(value: &str) -> impl Iterator<Item = Option<EventType>> {
    let names = value.split(',').filter(|_| !value.is_empty());
    names.map(|name| name.parse().ok())
}

/// The keys in a list of at least one; `None` if one is invalid.
fn frontend_keys(value: &str) -> Option<Vec<FrontendKey>> {
    value
        .split(',')
        .map(|key| FrontendKey::new(key).ok())
        .collect()
}

/// The error in a parameter, if any.
fn fault<'a>(
    known: &[Parameter],
    mut earlier: impl Iterator<Item = &'a String>,
    name: &str,
    value: &str,
) -> Option<String> {
    let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
        return Some(format!("unknown query parameter {name:?}"));
    };
    if earlier.any(|earlier| earlier == name) {
        return Some(format!("{name} must not be repeated"));
    }
    let must_be = match parameter.kind {
        kind if admits(kind, value) => return None,
        Kind::Text => "text".to_owned(),
        Kind::Count { max, .. } => format!("a whole number from 1 to {max}"),
        Kind::Flag => "`true` or `false`".to_owned(),
        Kind::Instant => "a timestamp such as 2026-12-31T18:00:00Z".to_owned(),
        Kind::OneOf(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            words.join(" or ")
        }
        Kind::EventType => "the name of an event type that webhooks can send".to_owned(),
        Kind::EventTypes => "names of event types, separated by commas".to_owned(),
        Kind::FrontendKeys => format!(
            "keys of 1 to {} of the characters A-Z, a-z, 0-9, `.`, `_`, `~` and `-`, separated by commas",
            FrontendKey::MAX_CHARS
        ),
    };
    Some(format!("{name} must be {must_be}"))
}

/// Parses a whole number in plain digits, without a sign.
fn count(value: &str) -> Option<u32> {
    value
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| value.parse().ok())
        .flatten()
}

/// The validated query parameters of a request: each is known, occurs once and has a valid value, and all required ones
/// are present.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Validates the query string of a request for an operation.
    ///
    /// # Errors
    ///
    /// A refusal. It names the parameters that are unknown, repeated or malformed, or else those that are missing. If
    /// there are too many parameters, it names none.
    pub fn validate(operation: Operation, query: Option<&str>) -> Result<Self, Refusal> {
        let spec = operation.spec();
        if !spec.counted {
            // Probes are not rate-limited, so no work may depend on what is sent to them.
            return Ok(Self::default());
        }
        let known = spec.parameters;
        let most = known.len() + SPARE;
        if query.is_some_and(|query| percent::pairs(query).nth(most).is_some()) {
            let refusal = Refusal::is(ErrorKey::InvalidParameter);
            return Err(refusal.saying(format!("send at most {most} query parameters")));
        }
        let mut pairs = query
            .map_or(Some(Vec::new()), percent::decode_query)
            .ok_or_else(|| {
                let refusal = Refusal::is(ErrorKey::InvalidParameter);
                refusal.saying("the query string must be percent-encoded UTF-8")
            })?;
        let mut faulty: Vec<(String, String)> = Vec::new();
        for (index, (name, value)) in pairs.iter().enumerate() {
            let earlier = pairs.iter().take(index).map(|(earlier, _)| earlier);
            let is_named = faulty.iter().any(|(named, _)| named == name);
            if let Some(sentence) = fault(known, earlier, name, value)
                && !is_named
            {
                faulty.push((name.clone(), sentence));
            }
        }
        if !faulty.is_empty() {
            faulty.truncate(NAMED);
            return Err(Refusal::listing(ErrorKey::InvalidParameter, faulty));
        }
        let has = |name: &str| pairs.iter().any(|(given, _)| given == name);
        // Some generated clients always send the number of the first page.
        let is_first = |name: &str, value: &str| name == PAGE.name && count(value) == Some(1);
        if has(CURSOR.name) {
            pairs.retain(|(name, value)| !is_first(name, value));
        }
        let has = |name: &str| pairs.iter().any(|(given, _)| given == name);
        let other = [PAGE.name, FROM.name].into_iter().find(|name| has(name));
        if let Some(other) = other.filter(|_| has(CURSOR.name)) {
            let both = [other, CURSOR.name].map(str::to_owned).into();
            let refusal = Refusal::is(ErrorKey::InvalidParameter).naming(both);
            return Err(refusal.saying(format!("{other} and cursor cannot be combined")));
        }
        let parameters = Self(pairs);
        let missing: Vec<String> = known
            .iter()
            .filter(|parameter| {
                parameter.required && parameters.text(parameter).is_none_or(str::is_empty)
            })
            .map(|parameter| parameter.name.to_owned())
            .collect();
        if missing.is_empty() {
            Ok(parameters)
        } else {
            Err(Refusal::missing_parameters(missing))
        }
    }

    /// The value of a parameter, if present.
    pub fn text(&self, parameter: &Parameter) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(name, _)| name == parameter.name)?;
        Some(value)
    }

    /// The value of a [`Kind::Count`] parameter, or its default; 1 if it has none.
    pub fn count(&self, parameter: &Parameter) -> u32 {
        let default = match parameter.kind {
            Kind::Count { default, .. } => default.unwrap_or(1),
            _ => 0,
        };
        self.text(parameter).and_then(count).unwrap_or(default)
    }

    /// Rejects a page size above `most`, which may be less than the maximum of the interface.
    ///
    /// # Errors
    ///
    /// A refusal that names the parameter.
    pub fn bound_page(self, most: u32) -> Result<Self, Refusal> {
        if self.count(&PER_PAGE) <= most {
            return Ok(self);
        }
        let bound = format!("must be at most {most}");
        Err(Refusal::is(ErrorKey::InvalidParameter).about(PER_PAGE.name, &bound))
    }

    /// Whether a [`Kind::Flag`] parameter is set.
    pub fn flag(&self, parameter: &Parameter) -> bool {
        self.text(parameter) == Some("true")
    }

    /// The values of a [`Kind::EventTypes`] parameter.
    pub fn event_types(&self, parameter: &Parameter) -> Vec<EventType> {
        let text = self.text(parameter).unwrap_or_default();
        event_types(text).flatten().collect()
    }

    /// The values of a [`Kind::FrontendKeys`] parameter, if present.
    pub fn frontend_keys(&self, parameter: &Parameter) -> Option<Vec<FrontendKey>> {
        frontend_keys(self.text(parameter)?)
    }

    /// The value of a [`Kind::Instant`] parameter, if present.
    pub fn instant(&self, parameter: &Parameter) -> Option<Timestamp> {
        self.text(parameter)?.parse().ok()
    }

    /// The parameters in the order of the query string.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
