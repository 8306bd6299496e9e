//! The fields of records, and what is wrong with them, in sentences.

use crate::must_be;

macro_rules! fields {
    ($($variant:ident = $name:literal,)+) => {
        /// A field of a record, identified by its name in the REST interface.
        #[expect(missing_docs, reason = "the names are self-explanatory")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field { $($variant,)+ }

        impl Field {
            /// Every field.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name in the REST interface, in camel case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

fields! {
    Name = "name",
    GroupIdentifier = "groupIdentifier",
    UserIdentifier = "userIdentifier",
    ChildGroupIdentifier = "childGroupIdentifier",
    DynamicGroupIdentifier = "dynamicGroupIdentifier",
    Action = "action",
    ResourceClass = "resourceClass",
    ResourceIdentifier = "resourceIdentifier",
    AuthorizationResourceIdentifier = "authorizationResourceIdentifier",
    DataFeedSchema = "dataFeedSchema",
    GrantBasedSubmissionAuthorization = "grantBasedSubmissionAuthorization",
    AllowedActionsWhenSubmitted = "allowedActionsWhenSubmitted",
    AllowedSubmissionStates = "allowedSubmissionStates",
    AvailableStarts = "availableStarts",
    AvailabilityEnds = "availabilityEnds",
    MaxNumSubmissionsPerCreator = "maxNumSubmissionsPerCreator",
    MaxNumSubmissions = "maxNumSubmissions",
    LocalizedNames = "localizedNames",
    FrontendKey = "frontendKey",
    AdditionalData = "additionalData",
    AvailableTags = "availableTags",
    TagPermissionsForSubmitters = "tagPermissionsForSubmitters",
    Contact = "contact",
    FormIdentifier = "formIdentifier",
    DataFeedElement = "dataFeedElement",
    SubmissionState = "submissionState",
    Language = "language",
    Label = "label",
    Expires = "expires",
    OncePerBrowser = "oncePerBrowser",
    EmbedOrigins = "embedOrigins",
    Checks = "checks",
    Attributes = "attributes",
    Submissions = "submissions",
    Key = "key",
    Atomic = "atomic",
    DryRun = "dryRun",
    Url = "url",
    Description = "description",
    EventTypes = "eventTypes",
    Payload = "payload",
    Enabled = "enabled",
    Secret = "secret",
    OverlapSeconds = "overlapSeconds",
    Deliveries = "deliveries",
    Since = "since",
    Until = "until",
    State = "state",
    FileName = "fileName",
    FileAttributeName = "fileAttributeName",
    SubmittedFiles = "submittedFiles",
    FilesToRemove = "filesToRemove",
    Tags = "tags",
}

impl std::fmt::Display for Field {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Fields of a record, or of a request concerning one, that are missing or invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFields {
    /// Of a group.
    #[error("invalid group: {}", joined(&of_group(.0)))]
    Group(Vec<Field>),
    /// Of a membership.
    #[error("invalid membership: {}", joined(&of_membership(.0)))]
    Membership(Vec<Field>),
    /// Of a form.
    #[error("invalid form: {}", joined(&of_form(.0)))]
    Form(Vec<Field>),
    /// Of a public link.
    #[error("invalid link: {}", joined(&of_link(.0)))]
    FormLink(Vec<Field>),
    /// Of a webhook.
    #[error("invalid webhook: {}", joined(&of_webhook(.0)))]
    Webhook(Vec<Field>),
    /// The name of a file, or of the group of files that it belongs to, is invalid, or the submission would have more files
    /// than [`FileLimits::per_submission`](crate::files::FileLimits::per_submission).
    #[error("invalid file: {}", joined(&of_file(.0)))]
    SubmittedFile(Vec<Field>),
}

impl InvalidFields {
    /// The fields.
    pub fn fields(&self) -> &[Field] {
        match self {
            Self::Group(fields)
            | Self::Membership(fields)
            | Self::Form(fields)
            | Self::FormLink(fields)
            | Self::Webhook(fields)
            | Self::SubmittedFile(fields) => fields,
        }
    }

    /// Sentences about the fields, under their names in the REST interface: what each of them must be, or why it was rejected.
    ///
    /// ```
    /// use formalize_core::FormName;
    ///
    /// let refused = FormName::new(" ").unwrap_err();
    /// let [reason] = refused.reasons().try_into().unwrap();
    /// assert!(reason.starts_with("name must be a string of 1 to 256 characters"));
    /// assert_eq!(refused.to_string(), format!("invalid form: {reason}"));
    /// ```
    pub fn reasons(&self) -> Vec<String> {
        match self {
            Self::Group(fields) => of_group(fields),
            Self::Membership(fields) => of_membership(fields),
            Self::Form(fields) => of_form(fields),
            Self::FormLink(fields) => of_link(fields),
            Self::Webhook(fields) => of_webhook(fields),
            Self::SubmittedFile(fields) => of_file(fields),
        }
    }
}

/// The sentences as one text.
pub(crate) fn joined(reasons: &[String]) -> String {
    reasons.join("; ")
}

fn of_group(fields: &[Field]) -> Vec<String> {
    each(fields, |field| match field {
        Field::Name => must_be::GROUP_NAME,
        other => other.must_be(),
    })
}

fn of_membership(fields: &[Field]) -> Vec<String> {
    let group = fields.contains(&Field::GroupIdentifier);
    let group = group.then(|| format!("{} is required", Field::GroupIdentifier));
    let member = match (
        fields.contains(&Field::UserIdentifier),
        fields.contains(&Field::ChildGroupIdentifier),
    ) {
        (true, true) => {
            Some("exactly one of userIdentifier and childGroupIdentifier must be given".to_owned())
        }
        (true, false) => Some(sentence(Field::UserIdentifier, must_be::USER)),
        (false, true) => Some(
            "childGroupIdentifier must not be the group itself or a group that contains it"
                .to_owned(),
        ),
        (false, false) => None,
    };
    group.into_iter().chain(member).collect()
}

fn of_form(fields: &[Field]) -> Vec<String> {
    if fields == [Field::AvailableStarts, Field::AvailabilityEnds] {
        return vec!["availableStarts must not be later than availabilityEnds".to_owned()];
    }
    each(fields, Field::must_be)
}

fn of_link(fields: &[Field]) -> Vec<String> {
    each(fields, |field| match field {
        Field::MaxNumSubmissions => must_be::LINK_CAP,
        other => other.must_be(),
    })
}

fn of_webhook(fields: &[Field]) -> Vec<String> {
    match fields {
        [Field::Deliveries, Field::Since] => vec!["give either deliveries or since".to_owned()],
        [Field::Deliveries, other] => vec![format!("{other} can only be combined with since")],
        fields => each(fields, Field::must_be),
    }
}

fn of_file(fields: &[Field]) -> Vec<String> {
    let sentence = |field: &Field| match field {
        Field::SubmittedFiles => "the submission would have too many files".to_owned(),
        other => sentence(*other, other.must_be()),
    };
    fields.iter().map(sentence).collect()
}

fn each(fields: &[Field], must_be: impl Fn(Field) -> &'static str) -> Vec<String> {
    let sentences = fields.iter();
    sentences
        .map(|field| sentence(*field, must_be(*field)))
        .collect()
}

pub(crate) fn sentence(field: Field, must_be: &str) -> String {
    format!("{field} must be {must_be}")
}

impl Field {
    /// What its value must be, where that is the same for all kinds of records: the end of a sentence such as "name must be …".
    ///
    /// ```
    /// use formalize_core::Field;
    ///
    /// assert_eq!(Field::Payload.must_be(), "`full` or `thin`");
    /// ```
    pub const fn must_be(self) -> &'static str {
        match self {
            Self::Name => must_be::FORM_NAME,
            Self::UserIdentifier => must_be::USER,
            Self::GroupIdentifier | Self::ChildGroupIdentifier => "the identifier of a group",
            Self::FormIdentifier => "the identifier of a form",
            Self::AuthorizationResourceIdentifier => "the identifier of a resource",
            Self::FilesToRemove => "an array of identifiers",
            Self::Deliveries => "an array of 1 to 1000 identifiers",
            Self::DynamicGroupIdentifier
            | Self::Action
            | Self::ResourceClass
            | Self::ResourceIdentifier
            | Self::Label
            | Self::Key => must_be::TEXT,
            Self::DataFeedSchema => "a string containing a JSON Schema",
            Self::DataFeedElement => "a string containing JSON",
            Self::GrantBasedSubmissionAuthorization
            | Self::OncePerBrowser
            | Self::Atomic
            | Self::DryRun
            | Self::Enabled => "true or false",
            Self::AllowedActionsWhenSubmitted => must_be::SUBMITTED_ACTIONS,
            Self::AllowedSubmissionStates => must_be::STATES,
            Self::SubmissionState => must_be::STATE,
            Self::AvailableStarts | Self::AvailabilityEnds => must_be::TIME,
            Self::Expires | Self::Since | Self::Until => must_be::MOMENT,
            Self::MaxNumSubmissionsPerCreator | Self::MaxNumSubmissions => must_be::CAP,
            Self::LocalizedNames => must_be::NAMES,
            Self::FrontendKey => must_be::FRONTEND_KEY,
            Self::AdditionalData => must_be::ADDITIONAL_DATA,
            Self::AvailableTags => must_be::AVAILABLE_TAGS,
            Self::TagPermissionsForSubmitters => must_be::TAG_ACTIONS,
            Self::Contact => {
                "a string of 1 to 200 characters that is not blank and has no control characters"
            }
            Self::Language => "a language tag such as `de-AT`",
            Self::EmbedOrigins => must_be::ORIGINS,
            Self::Checks | Self::Submissions => "an array of 1 to 1000 objects",
            Self::Attributes => "an object",
            Self::Url => {
                "a URL such as `https://hooks.example.org/formalize`, of at most 2048 characters and without a password"
            }
            Self::Description => "a string of 1 to 256 characters without control characters",
            Self::EventTypes => must_be::EVENT_TYPES,
            Self::Payload => "`full` or `thin`",
            Self::Secret => "`whsec_` and the base64 of 24 to 64 bytes",
            Self::OverlapSeconds => "a whole number from 0 to 604800",
            Self::State => "`dead` or `all`",
            Self::FileName => "a string of at most 255 characters",
            Self::FileAttributeName => {
                "a string of 1 to 128 characters without control characters, `[`, `]`, `\"`, `\\` and `/`"
            }
            Self::SubmittedFiles => "an array of files",
            Self::Tags => "an array of strings",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::webhook::WebhookEvents;

    #[test]
    fn a_wrong_type_of_event_is_answered_with_those_that_exist() {
        let sentence = InvalidFields::Webhook(vec![Field::EventTypes]).to_string();
        let (of_form, of_all) = sentence.split_once("; for webhooks of all forms").unwrap();
        let named = |text: &str| text.split('`').skip(1).step_by(2).count();
        let (events, all) = (WebhookEvents::of_form(), WebhookEvents::of_all_forms());
        assert_eq!(named(of_form), events.iter().len());
        assert_eq!(named(&sentence), all.iter().len());
        for event in all.iter() {
            let part = if events.contains(event) {
                of_form
            } else {
                of_all
            };
            assert!(part.contains(&format!("`{event}`")), "{event}: {sentence}");
        }
    }

    #[test]
    fn fields_at_fault_together_have_a_common_reason() {
        let availability = vec![Field::AvailableStarts, Field::AvailabilityEnds];
        let member = vec![Field::UserIdentifier, Field::ChildGroupIdentifier];
        let choice = vec![Field::Deliveries, Field::Since];
        for (error, message) in [
            (
                InvalidFields::Form(availability),
                "invalid form: availableStarts must not be later than availabilityEnds",
            ),
            (
                InvalidFields::Membership(member),
                "invalid membership: exactly one of userIdentifier and childGroupIdentifier must be given",
            ),
            (
                InvalidFields::Webhook(choice),
                "invalid webhook: give either deliveries or since",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
