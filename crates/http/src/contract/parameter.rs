//! The query parameters: their names, values and descriptions.

/// The values of a query parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text; it is validated where it is used.
    Text,
    /// A whole number from 1 to a maximum.
    Count {
        /// The maximum.
        max: u32,
        /// The value if the parameter is absent; `None` if something else decides then.
        default: Option<u32>,
    },
    /// `true` or `false`; absent means `false`.
    Flag,
    /// An RFC 3339 timestamp.
    Instant,
    /// One of these words. If there is a default, it is the first.
    OneOf(&'static [&'static str]),
    /// The name of a type of events that a webhook of all forms can send.
    EventType,
    /// Names of types of events, separated by commas.
    EventTypes,
    /// Keys of user interfaces, separated by commas.
    FrontendKeys,
}

/// A query parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name in the query string.
    pub name: &'static str,
    /// The allowed values.
    pub kind: Kind,
    /// Whether the parameter is required; an empty value is then treated as absent.
    pub required: bool,
    /// The description in the OpenAPI document.
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

/// Declares a constant for each parameter.
macro_rules! parameters {
    ($($(#[$about:meta])+ $name:ident = $parameter:expr;)+) => {
        $($(#[$about])+ pub const $name: Parameter = $parameter;)+
    };
}

parameters! {
    /// The number of a page.
    // Generated clients send defaults, also together with a cursor, so it has none.
    PAGE = optional("page", Kind::Count { max: u32::MAX, default: None },
        "Number of the page; without it and without `cursor`, the first, which is 1. Cannot be combined with `cursor`, except \
         that 1 is then ignored.");
    /// The size of a page.
    PER_PAGE = optional("perPage", Kind::Count { max: 10_000, default: Some(30) },
        "Maximum number of items on a page.");
    /// Where to continue.
    CURSOR = optional("cursor", Kind::Text,
        "The `nextCursor` of the previous page; send the same filters again. Cannot be combined with a `page` other than 1.");
    /// The order of a list.
    ORDER = optional("order", Kind::OneOf(&["oldest", "newest"]),
        "Whether the list begins with the oldest item (default) or with the newest. Send the same order with a `cursor`.");
    /// The form of webhooks.
    OF_FORM = optional("formIdentifier", Kind::Text, "Only webhooks of this form.");
    /// The state of deliveries.
    DELIVERY_STATE = optional("state", Kind::OneOf(&["pending", "delivered", "dead"]),
        "Only deliveries in this state.");
    /// The type of the events of deliveries.
    EVENT_TYPE = optional("type", Kind::EventType, "Only deliveries of events of this type.");
    /// A part of the name of a group.
    SEARCH = optional("search", Kind::Text,
        "Only groups whose name contains this text; case-insensitive. An empty text matches all groups.");
    /// The group whose members are listed.
    GROUP_IDENTIFIER = required("groupIdentifier",
        "Identifier of the group whose direct members are listed.");
    /// The class of a resource.
    RESOURCE_CLASS = optional("resourceClass", Kind::Text, "Only items of this resource class.");
    /// The class of the resource of a new grant.
    GRANT_CLASS = optional("resourceClass", Kind::Text,
        "Class that the grant must be for; a grant for another class is refused.");
    /// The identifier of a resource.
    RESOURCE_IDENTIFIER = optional("resourceIdentifier", Kind::Text,
        "Only items of the resource with this identifier.");
    /// Only forms with submissions that the caller may read.
    WHERE_READ = optional("whereReadFormSubmissionsGranted", Kind::Flag,
        "Only forms for which the caller may read all submissions, or at least one submission.");
    /// Only forms with one of these keys.
    FRONTEND_KEY_IN = optional("whereFrontendKeyIn", Kind::FrontendKeys,
        "Only forms with one of these values of `frontendKey`, separated by commas.");
    /// Only forms with none of these keys.
    FRONTEND_KEY_NOT_IN = optional("whereFrontendKeyNotIn", Kind::FrontendKeys,
        "Only forms with none of these values of `frontendKey`, separated by commas. Forms without a key are included.");
    /// The form of the submissions.
    FORM_IDENTIFIER = required("formIdentifier", "Identifier of the form.");
    /// Whether a deletion only counts.
    DRY_RUN = optional("dryRun", Kind::Flag,
        "`true`: deletes nothing, and responds with the number of records that would be deleted.");
    /// The creator of submissions.
    CREATOR_ID_EQUALS = optional("creatorIdEquals", Kind::Text,
        "Only submissions created by this user.");
    /// The state of submissions.
    SUBMISSION_STATE = optional("submissionState", Kind::OneOf(&["draft", "submitted"]),
        "Only submissions in this state.");
    /// A tag of submissions.
    TAG = optional("tag", Kind::Text,
        "Only submissions with this tag. None has it for callers from whom the form hides tags.");
    /// The time from which on submissions were created.
    CREATED_FROM = optional("createdFrom", Kind::Instant,
        "Only submissions created at this time or later. Encode the `+` of an offset as `%2B`.");
    /// The time before which submissions were created.
    CREATED_BEFORE = optional("createdBefore", Kind::Instant,
        "Only submissions created before this time. Encode the `+` of an offset as `%2B`.");
    /// The group of a new file.
    FILE_ATTRIBUTE_NAME = required("fileAttributeName",
        "Group of files that the file belongs to: 1 to 128 characters without control characters and `[`, `]`, `\"`, `\\`, `/`.");
    /// The group of files.
    FILE_ATTRIBUTE_EQUALS = optional("fileAttributeName", Kind::Text, "Only files of this group.");
    /// The name of a new file.
    FILE_NAME = optional("fileName", Kind::Text,
        "Name of the file, up to 255 characters. What precedes the last `/` or `\\` is dropped.");
    /// How a browser handles a file.
    DISPOSITION = optional("disposition", Kind::OneOf(&["attachment", "inline"]),
        "Whether browsers save the file (`attachment`, the default) or show it (`inline`). Only some images and PDF are shown.");
    /// How the data of submissions is returned.
    OUTPUT_VALIDATION = optional("outputValidation", Kind::OneOf(&["NONE", "KEYS"]),
        "`KEYS` removes keys from each `dataFeedElement` that the schema does not define; `NONE` (default) returns the data unchanged.");
    /// Where to continue in the change feed.
    EVENTS_CURSOR = optional("cursor", Kind::Text,
        "The `nextCursor` of an earlier page; send the same filters again. Cannot be combined with `from`.");
    /// Where the change feed begins.
    FROM = optional("from", Kind::OneOf(&["oldest", "now"]),
        "Where to begin without a `cursor`: at the oldest event in the log (default), or behind everything that has happened.");
    /// The size of a page of the change feed.
    EVENTS_PER_PAGE = optional("perPage", Kind::Count { max: 1000, default: Some(100) },
        "Maximum number of events on a page.");
    /// The form of events.
    FORM_OF_EVENTS = optional("formIdentifier", Kind::Text,
        "Only events about this form, its submissions, and grants on them. The form may have been deleted.");
    /// The types of events.
    TYPES = optional("types", Kind::EventTypes,
        "Only events of these types, separated by commas, such as `form.created,form.deleted`. The default is all types.");
    /// What is returned with each event.
    INCLUDE = optional("include", Kind::OneOf(&["item"]),
        "`item` returns each event with its record as it is now. A page ends after 8 MiB of records.");
    /// The format of an export.
    FORMAT = optional("format", Kind::OneOf(&["csv", "ndjson", "json", #[cfg(feature = "xlsx")] "xlsx"]),
        "Format of the document. Without it, the header `Accept` decides; `*/*` means `csv`.");
    /// The headers of a table.
    HEADERS = optional("headers", Kind::OneOf(&["path", "label"]),
        "Headers of CSV and XLSX: the paths of values (default), or the labels of the schema.");
    /// The language of labels.
    LANGUAGE = optional("language", Kind::Text,
        "Language of labels in CSV and XLSX: a key of `localizedName`. The default is `en`.");
    /// The language of texts in a summary.
    LANGUAGE_OF_SUMMARY = optional("language", Kind::Text,
        "Language of the texts of questions and choices: a tag such as `de`. The default is `en`.");
    /// Whether cells have labels.
    LABELS = optional("labels", Kind::Flag,
        "Whether cells of CSV and XLSX have the labels of choices instead of stored values. Each choice of a multiple choice gets a column, with `1` where it was chosen. Such a document cannot be imported.");
    /// Whether texts that look like formulas are changed.
    FORMULA_GUARD = optional("formulaGuard", Kind::OneOf(&["true", "false"]),
        "Whether texts in CSV that a spreadsheet would take for formulas get a `'` in front; `true` by default.");
    /// Whether CSV begins with a byte order mark.
    BOM = optional("bom", Kind::Flag,
        "Whether CSV begins with a byte order mark, by which some programs recognize UTF-8.");
    /// What separates the cells of CSV.
    SEPARATOR = optional("separator", Kind::OneOf(&["comma", "semicolon", "tab"]),
        "What separates the cells of a row of CSV; `comma` by default.");
    /// Whether a last line shows that nothing is missing.
    END_MARKER = optional("endMarker", Kind::Flag,
        "Whether CSV and NDJSON end with a line that shows that nothing is missing: `#end,rows=N` or `{\"end\":{\"rows\":N}}`.");
}
