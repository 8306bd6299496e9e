//! Forms.

use std::collections::BTreeMap;

use formalize_core::{
    self as core, Field, FormName, FormView, InvalidFields, InvalidTimestamp, SubmissionRules,
    Timestamp,
    forms::{
        AdditionalData, Availability, AvailableTags, FormContact, FormDetails, FormDetailsChange,
        FrontendKey, LanguageTag, LocalizedNames, SubmissionCap, SubmissionLimit, SubmissionStates,
        SubmittedAction, SubmittedActions, TagActions, TagPermissions,
    },
};
use serde_json::{Number, Value};

pub use crate::words::{ActionWhenSubmitted, SubmissionState, TagAction};
use crate::{
    Id, Instant, OrNull, names,
    request::{Clearable, LIGHT, Nullable, Optional, Replaceable, Required, request_body},
    value_types::{self as values, whole},
    view::view,
};

request_body! {
    "A form to create."
    NewForm as "NewForm" {
        name: Required<values::FormName> = Name,
            "Display name: 1 to 256 characters, not blank, no control characters.";
        schema: Nullable<values::Schema> = DataFeedSchema,
            "JSON Schema of the submitted data, as a text of up to 1 MiB.";
        grant_based: Optional<values::Flag> = GrantBasedSubmissionAuthorization,
            "Whether grants, instead of authorship, govern access to submissions.";
        actions: Optional<values::SubmittedActions> = AllowedActionsWhenSubmitted,
            "Actions that are still allowed after submission: `read`, `update`, `delete`, `manage`; default: none.";
        states: Optional<values::States> = AllowedSubmissionStates,
            "States that submissions may have, at least one of `draft` and `submitted`; default: `submitted`.";
        starts: Nullable<values::Time> = AvailableStarts,
            "When submissions open: a date (start of the day, UTC), or a timestamp such as 2026-12-31T18:00:00Z.";
        ends: Nullable<values::Time> = AvailabilityEnds,
            "When submissions close: a date (end of the day, UTC), or a timestamp such as 2026-12-31T18:00:00Z.";
        cap: Nullable<values::Cap> = MaxNumSubmissionsPerCreator,
            "Maximum number of submissions per creator, drafts included; default: unlimited.";
        limit: Nullable<values::Cap> = MaxNumSubmissions,
            "Maximum number of submitted submissions, by all creators together; default: unlimited.";
        names: Nullable<values::LocalizedNames> = LocalizedNames,
            "Display names in other languages, by language tag.";
        frontend_key: Nullable<values::FrontendKey> = FrontendKey,
            "Identifies the user interface that belongs to the form; several forms may have the same.";
        additional_data: Nullable<values::AdditionalData> = AdditionalData,
            "An object or an array of an application, up to 64 KiB; it comes back as the same value.";
        available_tags: Optional<values::AvailableTags> = AvailableTags,
            "The tags that submissions may get: objects with an `identifier`; other members come back as they are.";
        tag_actions: Optional<values::TagActions> = TagPermissionsForSubmitters,
            "What submitters may do with tags: nothing, `read`, also `add`, and also `remove`; default: `read`.";
        contact: Nullable<values::FormContact> = Contact,
            "Whom to ask about the form, shown on its pages: a line of up to 200 characters.";
    }
    light up to LIGHT;
    build(self, members) -> core::NewForm {
        let name = members.accept_some(self.name.map(FormName::new));
        let actions = members.accept_some(self.actions.as_deref().map(allowed_actions));
        let states = members.accept_some(self.states.as_deref().map(allowed_states));
        let starts = members.accept_some(self.starts.as_deref().map(start));
        let ends = members.accept_some(self.ends.as_deref().map(end));
        let availability = members.accept(Availability::new(starts, ends));
        let cap = members.accept_some(self.cap.as_ref().map(cap_of));
        let limit = members.accept_some(self.limit.as_ref().map(limit_of));
        let names = members.accept_some(self.names.map(localized_names));
        let frontend_key = members.accept_some(self.frontend_key.map(FrontendKey::new));
        let additional_data = self.additional_data.as_ref().map(AdditionalData::new);
        let additional_data = members.accept_some(additional_data);
        let available_tags = self.available_tags.as_deref().map(AvailableTags::new);
        let available_tags = members.accept_some(available_tags);
        let tag_actions = members.accept_some(self.tag_actions.as_deref().map(tag_permissions));
        let contact = members.accept_some(self.contact.map(FormContact::new));
        let default = SubmissionRules::default();
        let rules = SubmissionRules {
            grant_based: self.grant_based.unwrap_or(default.grant_based),
            allowed_actions_when_submitted: actions
                .unwrap_or(default.allowed_actions_when_submitted),
            allowed_states: states.unwrap_or(default.allowed_states),
            availability: availability?,
            cap,
            limit,
            tag_permissions: tag_actions.unwrap_or(default.tag_permissions),
        };
        Some(core::NewForm {
            name: name?,
            data_feed_schema: self.schema,
            rules,
            details: FormDetails {
                localized_names: names.unwrap_or_default(),
                frontend_key,
                additional_data,
                available_tags: available_tags.unwrap_or_default(),
                contact,
            },
        })
    }
}

request_body! {
    "A change of a form; absent fields keep their values, null clears them."
    FormChange as "FormChange" {
        name: Replaceable<values::FormName> = Name,
            "New display name: 1 to 256 characters, not blank, no control characters.";
        schema: Clearable<values::Schema> = DataFeedSchema,
            "New JSON Schema of the submitted data, as a text of up to 1 MiB.";
        grant_based: Optional<values::Flag> = GrantBasedSubmissionAuthorization,
            "Whether grants govern access to submissions; cannot change while the form has submissions.";
        actions: Optional<values::SubmittedActions> = AllowedActionsWhenSubmitted,
            "New set of actions that are still allowed after submission: `read`, `update`, `delete`, `manage`.";
        states: Optional<values::States> = AllowedSubmissionStates,
            "New set of states that submissions may have, at least one of `draft` and `submitted`.";
        starts: Clearable<values::Time> = AvailableStarts,
            "New opening time: a date (start of the day, UTC), or a timestamp such as 2026-12-31T18:00:00Z.";
        ends: Clearable<values::Time> = AvailabilityEnds,
            "New closing time: a date (end of the day, UTC), or a timestamp such as 2026-12-31T18:00:00Z.";
        cap: Clearable<values::Cap> = MaxNumSubmissionsPerCreator,
            "Maximum number of submissions per creator, drafts included.";
        limit: Clearable<values::Cap> = MaxNumSubmissions,
            "Maximum number of submitted submissions, by all creators together.";
        names: Clearable<values::LocalizedNameChanges> = LocalizedNames,
            "Display names in other languages to set; null removes one, and others stay. By language tag.";
        frontend_key: Clearable<values::FrontendKey> = FrontendKey,
            "Identifies the user interface that belongs to the form; several forms may have the same.";
        additional_data: Clearable<values::AdditionalData> = AdditionalData,
            "A JSON merge patch (RFC 7396) of the additional data; null removes them.";
        available_tags: Optional<values::AvailableTags> = AvailableTags,
            "The new tags that submissions may get; submissions keep tags that are not among them.";
        tag_actions: Optional<values::TagActions> = TagPermissionsForSubmitters,
            "What submitters may do with tags: nothing, `read`, also `add`, and also `remove`.";
        contact: Clearable<values::FormContact> = Contact,
            "Whom to ask about the form, shown on its pages: a line of up to 200 characters.";
    }
    light up to LIGHT;
    build(self, members) -> core::FormChange {
        let name = members.accept_some(self.name.map(FormName::new));
        let actions = members.accept_some(self.actions.as_deref().map(allowed_actions));
        let states = members.accept_some(self.states.as_deref().map(allowed_states));
        let tag_permissions = self.tag_actions.as_deref().map(tag_permissions);
        let tag_permissions = members.accept_some(tag_permissions);
        let available_tags = self.available_tags.as_deref().map(AvailableTags::new);
        Some(core::FormChange {
            name,
            grant_based: self.grant_based,
            allowed_actions_when_submitted: actions,
            allowed_states: states,
            available_starts: members.accept_change(self.starts, |text| start(text)),
            availability_ends: members.accept_change(self.ends, |text| end(text)),
            cap: members.accept_change(self.cap, cap_of),
            limit: members.accept_change(self.limit, limit_of),
            tag_permissions,
            data_feed_schema: self.schema,
            details: FormDetailsChange {
                localized_names: members.accept_change(self.names, name_changes),
                frontend_key: members.accept_change(self.frontend_key, |key| FrontendKey::new(key)),
                additional_data: self.additional_data,
                available_tags: members.accept_some(available_tags),
                contact: members.accept_change(self.contact, |line| FormContact::new(line)),
                is_whole: false,
            },
        })
    }
}

fn localized_names(names: BTreeMap<String, String>) -> Result<LocalizedNames, InvalidFields> {
    let names = names.into_iter().map(|(language, name)| {
        let name = localized_name(name)?;
        Ok((LanguageTag::new(&language)?, name))
    });
    LocalizedNames::new(names.collect::<Result<Vec<_>, InvalidFields>>()?)
}

fn name_changes(
    changes: &BTreeMap<String, Option<String>>,
) -> Result<BTreeMap<LanguageTag, Option<FormName>>, InvalidFields> {
    let mut by_language = BTreeMap::new();
    for (language, name) in changes {
        let name = name.clone().map(localized_name).transpose()?;
        // `de-at` and `de-AT` are the same language.
        if by_language
            .insert(LanguageTag::new(language)?, name)
            .is_some()
        {
            return Err(InvalidFields::Form(vec![Field::LocalizedNames]));
        }
    }
    Ok(by_language)
}

fn localized_name(name: String) -> Result<FormName, InvalidFields> {
    FormName::new(name).map_err(|_| InvalidFields::Form(vec![Field::LocalizedNames]))
}

fn tag_permissions(words: &[String]) -> Result<TagPermissions, InvalidFields> {
    let actions = words
        .iter()
        .map(|word| word.parse::<core::forms::TagAction>().ok());
    let actions: Option<TagActions> = actions.collect();
    let refused = InvalidFields::Form(vec![Field::TagPermissionsForSubmitters]);
    actions.ok_or(refused).and_then(TagPermissions::of)
}

fn allowed_actions(words: &[String]) -> Result<SubmittedActions, InvalidFields> {
    let actions = words
        .iter()
        .map(|word| word.parse::<SubmittedAction>().ok())
        .collect();
    Option::ok_or(
        actions,
        InvalidFields::Form(vec![Field::AllowedActionsWhenSubmitted]),
    )
}

fn allowed_states(words: &[String]) -> Result<SubmissionStates, InvalidFields> {
    let states: Option<SubmissionStates> = words
        .iter()
        .map(|word| word.parse::<core::SubmissionState>().ok())
        .collect();
    let states = states.filter(|states| !states.is_empty());
    states.ok_or(InvalidFields::Form(vec![Field::AllowedSubmissionStates]))
}

fn start(text: &str) -> Result<Timestamp, InvalidFields> {
    instant(Timestamp::parse_start(text), Field::AvailableStarts)
}

fn end(text: &str) -> Result<Timestamp, InvalidFields> {
    instant(Timestamp::parse_end(text), Field::AvailabilityEnds)
}

fn instant(
    parsed: Result<Timestamp, InvalidTimestamp>,
    field: Field,
) -> Result<Timestamp, InvalidFields> {
    parsed.map_err(|_| InvalidFields::Form(vec![field]))
}

fn cap_of(number: &Number) -> Result<SubmissionCap, InvalidFields> {
    let refused = || InvalidFields::Form(vec![Field::MaxNumSubmissionsPerCreator]);
    whole(number)
        .ok_or_else(refused)
        .and_then(SubmissionCap::new)
}

fn limit_of(number: &Number) -> Result<SubmissionLimit, InvalidFields> {
    let refused = || InvalidFields::Form(vec![Field::MaxNumSubmissions]);
    whole(number)
        .ok_or_else(refused)
        .and_then(SubmissionLimit::new)
}

view! {
    /// A form.
    revised struct Form {
        /// Identifier of the form.
        identifier: Id,
        /// Display name.
        name: String,
        /// JSON Schema of the submitted data, exactly as it was sent.
        data_feed_schema: OrNull<String>,
        /// `true`: grants govern access to submissions; `false`: their creator does.
        grant_based_submission_authorization: bool,
        /// Actions that creators, or holders of grants, may still perform after submission.
        allowed_actions_when_submitted: Vec<ActionWhenSubmitted>,
        /// States that submissions may have.
        allowed_submission_states: Vec<SubmissionState>,
        /// When submissions open.
        available_starts: OrNull<Instant>,
        /// When submissions close.
        availability_ends: OrNull<Instant>,
        /// Maximum number of submissions per creator, drafts included; null: unlimited.
        max_num_submissions_per_creator: OrNull<i64>,
        /// Maximum number of submitted submissions, by all creators together; null: unlimited.
        max_num_submissions: OrNull<i64>,
        /// Display names in other languages, by language tag.
        localized_names: BTreeMap<String, String>,
        /// Identifies the user interface that belongs to the form.
        frontend_key: OrNull<String>,
        /// An object or an array of an application, or null.
        additional_data: Value,
        /// Whom to ask about the form, which its pages show.
        contact: OrNull<String>,
        /// What submitters may do with tags. Submitters are all who may not update every submission.
        tag_permissions_for_submitters: Vec<TagAction>,
        /// The tags that submissions may get; absent in lists, and if the caller may not see them.
        #[serde(skip_serializing_if = "Option::is_none")]
        available_tags: Option<Vec<Value>>,
        /// When it was created.
        date_created: Instant,
        /// The caller's actions on the form.
        granted_actions: Vec<String>,
        /// Number of the caller's submissions of the form, drafts included; absent in lists.
        #[serde(skip_serializing_if = "Option::is_none")]
        num_submissions_by_current_user: Option<i64>,
        /// What may not have been meant in a schema that was just stored; absent if there is nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        warnings: Option<Vec<String>>,
    }
}

impl From<FormView> for Form {
    fn from(view: FormView) -> Self {
        let is_in_list = view.num_submissions_by_caller.is_none();
        let form = view.item;
        let shows_tags = view.sees_available_tags && !is_in_list;
        let rules = form.rules;
        Self {
            identifier: form.id.into(),
            name: form.name.as_str().to_owned(),
            data_feed_schema: form.data_feed_schema.map(|text| text.to_string()).into(),
            grant_based_submission_authorization: rules.grant_based,
            allowed_actions_when_submitted: rules
                .allowed_actions_when_submitted
                .iter()
                .map(Into::into)
                .collect(),
            allowed_submission_states: rules.allowed_states.iter().map(Into::into).collect(),
            available_starts: rules.availability.starts().map(Instant::from).into(),
            availability_ends: rules.availability.ends().map(Instant::from).into(),
            max_num_submissions_per_creator: rules.cap.map(SubmissionCap::get).into(),
            max_num_submissions: rules.limit.map(SubmissionLimit::get).into(),
            localized_names: names_by_language(&form.details.localized_names),
            frontend_key: form
                .details
                .frontend_key
                .map(|key| key.as_str().to_owned())
                .into(),
            additional_data: (form.details.additional_data)
                .map_or(Value::Null, |data| data.value()),
            contact: (form.details.contact)
                .map(|contact| contact.as_str().to_owned())
                .into(),
            tag_permissions_for_submitters: (rules.tag_permissions.actions().iter())
                .map(Into::into)
                .collect(),
            available_tags: shows_tags.then(|| form.details.available_tags.to_vec()),
            date_created: form.date_created.into(),
            granted_actions: names(&view.granted_actions),
            num_submissions_by_current_user: view.num_submissions_by_caller,
            warnings: (!view.warnings.is_empty())
                .then(|| view.warnings.iter().map(ToString::to_string).collect()),
            revision: form.revision.as_uuid(),
        }
    }
}

fn names_by_language(names: &LocalizedNames) -> BTreeMap<String, String> {
    names
        .iter()
        .map(|(language, name)| (language.as_str().to_owned(), name.as_str().to_owned()))
        .collect()
}
