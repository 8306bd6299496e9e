//! The query parameters: their names, what values they take, and what they are for.

use super::{ErrorKey, operation::Operation};
use crate::{failure::Refusal, percent};

/// The values that a query parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text; what is in it is judged where it is used.
    Text,
    /// A whole number from 1 to a maximum, with the value that counts if it is absent.
    Count {
        /// The largest value.
        max: u32,
        /// The value if the parameter is absent.
        default: u32,
    },
    /// `true` or `false`; absent means `false`.
    Flag,
    /// One of these words, in documents the first is the default where there is one.
    OneOf(&'static [&'static str]),
}

/// A query parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name in the query string.
    pub name: &'static str,
    /// The values it takes.
    pub kind: Kind,
    /// Whether the request is refused without it (empty counts as absent then).
    pub required: bool,
    /// What it does, for the OpenAPI document.
    pub description: &'static str,
}

const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        required: false,
        description,
    }
}

const fn required(name: &'static str, description: &'static str) -> Parameter {
    Parameter {
        name,
        kind: Kind::Text,
        required: true,
        description,
    }
}

/// The number of a page.
pub const PAGE: Parameter = optional(
    "page",
    Kind::Count {
        max: u32::MAX,
        default: 1,
    },
    "Number of the page, starting at 1. Cannot be combined with `cursor`.",
);
/// The size of a page.
pub const PER_PAGE: Parameter = optional(
    "perPage",
    Kind::Count {
        max: 10_000,
        default: 30,
    },
    "Maximum number of items on a page.",
);
/// Where to go on reading.
pub const CURSOR: Parameter = optional(
    "cursor",
    Kind::Text,
    "The `nextCursor` of the previous page; send the same filters again. Cannot be combined with `page`.",
);
/// A part of the name of a group.
pub const SEARCH: Parameter = optional(
    "search",
    Kind::Text,
    "Only groups whose name contains this text; case-insensitive. An empty text matches all groups.",
);
/// The group whose members are listed.
pub const GROUP_IDENTIFIER: Parameter = required(
    "groupIdentifier",
    "Identifier of the group whose direct members are listed.",
);
/// The class of a resource.
pub const RESOURCE_CLASS: Parameter = optional(
    "resourceClass",
    Kind::Text,
    "Only items of this resource class.",
);
/// The class that a new grant must be for.
pub const GRANT_CLASS: Parameter = optional(
    "resourceClass",
    Kind::Text,
    "Class that the grant must be for; a grant for another class is refused.",
);
/// The identifier of a resource.
pub const RESOURCE_IDENTIFIER: Parameter = optional(
    "resourceIdentifier",
    Kind::Text,
    "Only items of the resource with this identifier.",
);
/// Only forms with submissions to be read.
pub const WHERE_READ: Parameter = optional(
    "whereReadFormSubmissionsGranted",
    Kind::Flag,
    "Only forms for which the caller may read all submissions, or at least one submission.",
);
/// The form whose submissions are meant.
pub const FORM_IDENTIFIER: Parameter = required("formIdentifier", "Identifier of the form.");
/// The creator of submissions.
pub const CREATOR_ID_EQUALS: Parameter = optional(
    "creatorIdEquals",
    Kind::Text,
    "Only submissions created by this user.",
);
/// The state of submissions.
pub const SUBMISSION_STATE: Parameter = optional(
    "submissionState",
    Kind::OneOf(&["draft", "submitted"]),
    "Only submissions in this state.",
);
/// What is shown of the data of submissions.
pub const OUTPUT_VALIDATION: Parameter = optional(
    "outputValidation",
    Kind::OneOf(&["NONE", "KEYS"]),
    "`KEYS` removes keys from each `dataFeedElement` that the schema does not define; `NONE` (default) returns the data unchanged.",
);

impl Kind {
    /// Whether a value is one that the parameter takes.
    fn admits(self, value: &str) -> bool {
        match self {
            Self::Text => true,
            Self::Count { max, .. } => count(value).is_some_and(|count| (1..=max).contains(&count)),
            Self::Flag => matches!(value, "true" | "false"),
            Self::OneOf(words) => words.contains(&value),
        }
    }
}

/// What is wrong with a parameter, if anything is.
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
        kind if kind.admits(value) => return None,
        Kind::Text => "text".to_owned(),
        Kind::Count { max, .. } => format!("a whole number from 1 to {max}"),
        Kind::Flag => "`true` or `false`".to_owned(),
        Kind::OneOf(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            words.join(" or ")
        }
    };
    Some(format!("{name} must be {must_be}"))
}

/// A whole number in plain digits, without sign.
fn count(value: &str) -> Option<u32> {
    value
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| value.parse().ok())
        .flatten()
}

/// The query parameters of a request, judged: each is known, stands once, and has a value that it
/// takes; the required ones are there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Judges the query string of a request for an operation.
    ///
    /// # Errors
    ///
    /// A refusal that names every parameter at fault: those that are unknown, repeated or malformed
    /// first; if there are none, those that are missing.
    pub fn judge(operation: Operation, query: Option<&str>) -> Result<Self, Refusal> {
        let known = operation.spec().parameters;
        let pairs = query
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
            return Err(Refusal::listing(ErrorKey::InvalidParameter, faulty));
        }
        let has = |name: &str| pairs.iter().any(|(given, _)| given == name);
        if has(PAGE.name) && has(CURSOR.name) {
            let both = [PAGE.name, CURSOR.name].map(str::to_owned).into();
            let refusal = Refusal::is(ErrorKey::InvalidParameter).naming(both);
            return Err(refusal.saying("page and cursor cannot be combined"));
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

    /// The value of a parameter, if it is there.
    pub fn text(&self, parameter: &Parameter) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(name, _)| name == parameter.name)?;
        Some(value)
    }

    /// The number that a [`Kind::Count`] parameter stands for, or its default.
    pub fn count(&self, parameter: &Parameter) -> u32 {
        let default = match parameter.kind {
            Kind::Count { default, .. } => default,
            _ => 0,
        };
        self.text(parameter).and_then(count).unwrap_or(default)
    }

    /// Refuses pages of more items than `most`, which may be less than the interface allows.
    ///
    /// # Errors
    ///
    /// A refusal that names the parameter.
    pub fn bound_page(self, most: u32) -> Result<Self, Refusal> {
        if self.count(&PER_PAGE) <= most {
            return Ok(self);
        }
        let sentence = format!("{} must be at most {most}", PER_PAGE.name);
        let faults = vec![(PER_PAGE.name.to_owned(), sentence)];
        Err(Refusal::listing(ErrorKey::InvalidParameter, faults))
    }

    /// Whether a [`Kind::Flag`] parameter is set.
    pub fn flag(&self, parameter: &Parameter) -> bool {
        self.text(parameter) == Some("true")
    }

    /// The parameters as they were sent, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
