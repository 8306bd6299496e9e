//! What is wrong with the fields that an error names, in sentences.

use crate::error::{Error, Field};
use crate::must_be;

impl Error {
    /// Sentences about the fields at fault, under their names in the REST interface: what each of them must be, or why it was
    /// rejected. Empty for an error without fields.
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
            Self::GroupNotFound(Some(field)) => vec![format!("{field} matches no group")],
            Self::GroupInvalid(fields) => of_group(fields),
            Self::MembershipInvalid(fields) => of_membership(fields),
            Self::GrantInvalidHolder(fields) => of_holder(fields),
            Self::GrantInvalidResource(fields) => of_resource(fields),
            Self::FormInvalid(fields) => of_form(fields),
            Self::FormHasSubmissions(fields) => of_used_form(fields),
            Self::FormLinkInvalid(fields) => of_link(fields),
            Self::WebhookInvalid(fields) => of_webhook(fields),
            Self::SubmittedFileInvalid(fields) => of_file(fields),
            _ => Vec::new(),
        }
    }
}

/// The sentences as one text.
pub(crate) fn joined(reasons: &[String]) -> String {
    reasons.join("; ")
}

pub(crate) fn of_group(fields: &[Field]) -> Vec<String> {
    each(fields, |field| match field {
        Field::Name => must_be::GROUP_NAME,
        other => other.must_be(),
    })
}

pub(crate) fn of_membership(fields: &[Field]) -> Vec<String> {
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

pub(crate) fn of_holder(fields: &[Field]) -> Vec<String> {
    vec![match fields {
        [Field::UserIdentifier] => sentence(Field::UserIdentifier, must_be::USER),
        _ => {
            "exactly one of userIdentifier, groupIdentifier and dynamicGroupIdentifier must be given"
                .to_owned()
        }
    }]
}

pub(crate) fn of_resource(_: &[Field]) -> Vec<String> {
    let sentence = "give either resourceClass with an optional resourceIdentifier, or authorizationResourceIdentifier, \
         without contradictions";
    vec![sentence.to_owned()]
}

pub(crate) fn of_form(fields: &[Field]) -> Vec<String> {
    if fields == [Field::AvailableStarts, Field::AvailabilityEnds] {
        return vec!["availableStarts must not be later than availabilityEnds".to_owned()];
    }
    each(fields, Field::must_be)
}

pub(crate) fn of_used_form(fields: &[Field]) -> Vec<String> {
    let names: Vec<&str> = fields.iter().map(|field| field.as_str()).collect();
    let names = names.join(", ");
    vec![format!(
        "{names} cannot change while the form has submissions"
    )]
}

pub(crate) fn of_link(fields: &[Field]) -> Vec<String> {
    each(fields, |field| match field {
        Field::MaxNumSubmissions => must_be::LINK_CAP,
        other => other.must_be(),
    })
}

pub(crate) fn of_webhook(fields: &[Field]) -> Vec<String> {
    match fields {
        [Field::Deliveries, Field::Since] => vec!["give either deliveries or since".to_owned()],
        [Field::Deliveries, other] => vec![format!("{other} can only be combined with since")],
        fields => each(fields, Field::must_be),
    }
}

pub(crate) fn of_file(fields: &[Field]) -> Vec<String> {
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

fn sentence(field: Field, must_be: &str) -> String {
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

    /// The errors that name fields.
    const NAMING: [fn(Vec<Field>) -> Error; 9] = [
        Error::GroupInvalid,
        Error::MembershipInvalid,
        Error::GrantInvalidHolder,
        Error::GrantInvalidResource,
        Error::FormInvalid,
        Error::FormHasSubmissions,
        Error::FormLinkInvalid,
        Error::WebhookInvalid,
        Error::SubmittedFileInvalid,
    ];

    /// An error without a reason leaves people with the name of a field, which they know already.
    #[test]
    fn an_error_that_names_fields_has_a_sentence_for_them_in_its_message() {
        for error in NAMING {
            for field in Field::ALL {
                let error = error(vec![*field]);
                let reasons = error.reasons();
                let is_of_another_record =
                    matches!(&error, Error::MembershipInvalid(_)) && reasons.is_empty();
                assert!(is_of_another_record || reasons.len() == 1, "{error:?}");
                let message = error.to_string();
                for reason in reasons {
                    assert!(reason.len() > field.as_str().len() + 10, "{reason}");
                    assert!(message.ends_with(&reason), "{message}");
                }
            }
        }
        let not_found = Error::GroupNotFound(Some(Field::ChildGroupIdentifier));
        assert_eq!(
            not_found.reasons(),
            ["childGroupIdentifier matches no group"]
        );
    }

    #[test]
    fn a_wrong_type_of_event_is_answered_with_those_that_exist() {
        let sentence = Error::WebhookInvalid(vec![Field::EventTypes]).to_string();
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
                Error::FormInvalid(availability),
                "invalid form: availableStarts must not be later than availabilityEnds",
            ),
            (
                Error::MembershipInvalid(member),
                "invalid membership: exactly one of userIdentifier and childGroupIdentifier must be given",
            ),
            (
                Error::WebhookInvalid(choice),
                "invalid webhook: give either deliveries or since",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
