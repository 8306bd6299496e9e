//! The query parameters: their names, what values they take, and what they are for.

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
