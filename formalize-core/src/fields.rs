//! The fields of records, and what is wrong with them, in sentences.

use crate::must_be;

macro_rules! fields {
    ($($variant:ident = $name:literal, $must_be:expr;)+) => {
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

            /// What its value must be, where that is the same for all kinds of records: the end of a sentence such as
            /// "name must be …".
            ///
            /// ```
            /// use formalize_core::Field;
            ///
            /// assert_eq!(Field::Payload.must_be(), "`full` or `thin`");
            /// ```
            pub const fn must_be(self) -> &'static str {
                match self { $(Self::$variant => $must_be,)+ }
            }
        }
    };
}

fields! {
    Name = "name", must_be::FORM_NAME;
    GroupIdentifier = "groupIdentifier", "the identifier of a group";
    UserIdentifier = "userIdentifier", must_be::USER;
    ChildGroupIdentifier = "childGroupIdentifier", "the identifier of a group";
    DynamicGroupIdentifier = "dynamicGroupIdentifier", must_be::TEXT;
    Action = "action", must_be::TEXT;
    ResourceClass = "resourceClass", must_be::TEXT;
    ResourceIdentifier = "resourceIdentifier", must_be::TEXT;
    AuthorizationResourceIdentifier = "authorizationResourceIdentifier",
        "the identifier of a resource";
    DataFeedSchema = "dataFeedSchema", "a string containing a JSON Schema";
    GrantBasedSubmissionAuthorization = "grantBasedSubmissionAuthorization", "true or false";
    AllowedActionsWhenSubmitted = "allowedActionsWhenSubmitted", must_be::SUBMITTED_ACTIONS;
    AllowedSubmissionStates = "allowedSubmissionStates", must_be::STATES;
    AvailableStarts = "availableStarts", must_be::TIME;
    AvailabilityEnds = "availabilityEnds", must_be::TIME;
    MaxNumSubmissionsPerCreator = "maxNumSubmissionsPerCreator", must_be::CAP;
    MaxNumSubmissions = "maxNumSubmissions", must_be::CAP;
    LocalizedNames = "localizedNames", must_be::NAMES;
    FrontendKey = "frontendKey", must_be::FRONTEND_KEY;
    AdditionalData = "additionalData", must_be::ADDITIONAL_DATA;
    AvailableTags = "availableTags", must_be::AVAILABLE_TAGS;
    TagPermissionsForSubmitters = "tagPermissionsForSubmitters", must_be::TAG_ACTIONS;
    Contact = "contact",
        "a string of 1 to 200 characters that is not blank and has no control characters";
    FormIdentifier = "formIdentifier", "the identifier of a form";
    DataFeedElement = "dataFeedElement", "a string containing JSON";
    SubmissionState = "submissionState", must_be::STATE;
    Language = "language", "a language tag such as `de-AT`";
    Label = "label", must_be::TEXT;
    Expires = "expires", must_be::MOMENT;
    OncePerBrowser = "oncePerBrowser", "true or false";
    EmbedOrigins = "embedOrigins", must_be::ORIGINS;
    Checks = "checks", "an array of 1 to 1000 objects";
    Attributes = "attributes", "an object";
    Submissions = "submissions", "an array of 1 to 1000 objects";
    Key = "key", must_be::TEXT;
    Atomic = "atomic", "true or false";
    DryRun = "dryRun", "true or false";
    Url = "url",
        "a URL such as `https://hooks.example.org/formalize`, of at most 2048 characters and without a password";
    Description = "description", "a string of 1 to 256 characters without control characters";
    EventTypes = "eventTypes", must_be::EVENT_TYPES;
    Payload = "payload", "`full` or `thin`";
    Enabled = "enabled", "true or false";
    Secret = "secret", "`whsec_` and the base64 of 24 to 64 bytes";
    OverlapSeconds = "overlapSeconds", "a whole number from 0 to 604800";
    Deliveries = "deliveries", "an array of 1 to 1000 identifiers";
    Since = "since", must_be::MOMENT;
    Until = "until", must_be::MOMENT;
    State = "state", "`dead` or `all`";
    FileName = "fileName", "a string of at most 255 characters";
    FileAttributeName = "fileAttributeName",
        "a string of 1 to 128 characters without control characters, `[`, `]`, `\"`, `\\` and `/`";
    SubmittedFiles = "submittedFiles", "an array of files";
    FilesToRemove = "filesToRemove", "an array of identifiers";
    Tags = "tags", "an array of strings";
}

displayed! { Field }

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
