//! The table of operations.

use poem::http::Method;

use super::{
    Area, ErrorKey,
    parameter::{
        BOM, CREATED_BEFORE, CREATED_FROM, CREATOR_ID_EQUALS, CURSOR, DELIVERY_STATE, DISPOSITION,
        DRY_RUN, END_MARKER, EVENT_TYPE, EVENTS_CURSOR, EVENTS_PER_PAGE, FILE_ATTRIBUTE_EQUALS,
        FILE_ATTRIBUTE_NAME, FILE_NAME, FORM_IDENTIFIER, FORM_OF_EVENTS, FORMAT, FORMULA_GUARD,
        FROM, FRONTEND_KEY_IN, FRONTEND_KEY_NOT_IN, GRANT_CLASS, GROUP_IDENTIFIER, HEADERS,
        INCLUDE, LABELS, LANGUAGE, LANGUAGE_OF_SUMMARY, OF_FORM, ORDER, OUTPUT_VALIDATION, PAGE,
        PER_PAGE, Parameter, RESOURCE_CLASS, RESOURCE_IDENTIFIER, SEARCH, SEPARATOR,
        SUBMISSION_STATE, TAG, TYPES, WHERE_READ,
    },
};

/// The media type of a body with files beside the JSON.
pub const FORM_DATA: &str = "multipart/form-data";

/// The methods of the interface. HEAD is handled as GET.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Get,
    /// Creates.
    Post,
    /// Updates, by JSON Merge Patch (RFC 7396).
    Patch,
    /// Deletes.
    Delete,
}

impl Verb {
    /// The name of the method.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// The method as a type of the `http` crate.
    pub fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
            Self::Patch => Method::PATCH,
            Self::Delete => Method::DELETE,
        }
    }

    /// The verb that handles a method.
    pub fn of(method: &str) -> Option<Self> {
        match method {
            "GET" | "HEAD" => Some(Self::Get),
            "POST" => Some(Self::Post),
            "PATCH" => Some(Self::Patch),
            "DELETE" => Some(Self::Delete),
            _ => None,
        }
    }

    /// The media types of a request body; empty if the method has no body.
    pub const fn request_media(self) -> &'static [&'static str] {
        match self {
            Self::Get | Self::Delete => &[],
            Self::Post => &["application/json"],
            Self::Patch => &["application/merge-patch+json", "application/json"],
        }
    }
}

/// The maximum size of most bodies, in bytes.
pub const SMALL_BODY: usize = 64 << 10;

/// The content of a successful response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// JSON, which the request must accept.
    Json,
    /// Other content or none; `Accept` is not checked.
    Other,
}

/// One row of the table.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each one is a column of the table that rows set by name"
)]
#[derive(Debug, Clone, Copy)]
pub struct Spec {
    /// The `operationId` in the OpenAPI document; stable.
    pub id: &'static str,
    /// The method.
    pub verb: Verb,
    /// The path. A segment in braces matches one segment with any text.
    pub path: &'static str,
    /// The status of a successful response.
    pub success: u16,
    /// The content of a successful response, which determines whether `Accept` is checked.
    pub answer: Answer,
    /// Whether the body may be absent, which means an empty object.
    pub optional_body: bool,
    /// Whether the body is a content of any type, which the handler reads while it arrives.
    pub streamed: bool,
    /// Whether the body may be larger than [`SMALL_BODY`], up to the setting: it has data, a schema, or many items.
    pub large_body: bool,
    /// Whether the body may have files beside the JSON, as `multipart/form-data`.
    pub form: bool,
    /// Whether no credentials are needed.
    pub public: bool,
    /// Whether the response has an entity tag, as responses about one item have. Conditional requests require one.
    pub tagged: bool,
    /// Whether requests count towards rate limits. Probes do not, because load balancers send them frequently; they
    /// ignore query parameters.
    pub counted: bool,
    /// The query parameters; others are rejected.
    pub parameters: &'static [Parameter],
    /// The end of the message `you do not have permission to …`.
    pub purpose: Option<&'static str>,
    /// The error for a missing required field or parameter.
    pub missing: Option<ErrorKey>,
    /// The error for a field with an invalid value of the right type.
    pub invalid: Option<ErrorKey>,
    /// The error for an unexpected failure.
    pub failure: ErrorKey,
    /// All other errors, except those of the transport.
    pub rows: &'static [ErrorKey],
}

impl Spec {
    const fn new(
        verb: Verb,
        id: &'static str,
        path: &'static str,
        success: u16,
        failure: ErrorKey,
    ) -> Self {
        let answer = match verb {
            Verb::Delete => Answer::Other,
            _ => Answer::Json,
        };
        Self {
            id,
            verb,
            path,
            success,
            answer,
            optional_body: false,
            streamed: false,
            large_body: false,
            form: false,
            public: false,
            tagged: is_item(path),
            counted: true,
            parameters: &[],
            purpose: None,
            missing: None,
            invalid: None,
            failure,
            rows: &[],
        }
    }

    /// The area of the operation's path.
    pub fn area(&self) -> Area {
        Area::of(self.path)
    }

    /// Whether a request may have an idempotency key.
    pub fn is_keyed(&self) -> bool {
        self.rows.contains(&ErrorKey::IdempotencyKeyReused)
    }

    /// The accepted media types of a request body.
    pub fn request_media(&self) -> impl Iterator<Item = &'static str> {
        let media = if self.streamed {
            &["application/octet-stream"]
        } else {
            self.verb.request_media()
        };
        let form = self.form.then_some(FORM_DATA);
        media.iter().copied().chain(form)
    }

    /// All possible errors of this operation, ordered by status and then as in the table of errors.
    pub fn errors(&self) -> Vec<ErrorKey> {
        let mut keys = vec![ErrorKey::ServiceUnavailable, self.failure];
        keys.extend(self.rows);
        keys.extend(self.missing);
        keys.extend(self.invalid);
        if self.is_keyed() {
            keys.push(ErrorKey::IdempotencyKeyInUse);
        }
        if !self.public {
            keys.push(ErrorKey::AuthenticationRequired);
        }
        if self.counted {
            keys.extend([ErrorKey::TooManyRequests, ErrorKey::InvalidParameter]);
        }
        if self.answer == Answer::Json {
            keys.push(ErrorKey::NotAcceptable);
        }
        if !self.verb.request_media().is_empty() {
            keys.extend([
                ErrorKey::InvalidRequestBody,
                ErrorKey::UnsupportedMediaType,
                ErrorKey::PayloadTooLarge,
                ErrorKey::RequestTimeout,
            ]);
        }
        if !self.conditions().is_empty() {
            keys.push(ErrorKey::PreconditionFailed);
        }
        keys.sort_by_key(|key| (key.row().status, *key as usize));
        keys.dedup();
        keys
    }
}

/// Whether a path is that of one item: it ends with a parameter.
const fn is_item(path: &str) -> bool {
    matches!(path.as_bytes(), [.., b'}'])
}

/// Generates [`Operation`], its rows, and the types of [`endpoint`] from the table below.
macro_rules! operations {
    ($($name:ident $id:literal: $verb:ident $path:literal $success:literal or $failure:ident { $($field:ident: $value:tt),* $(,)? })*) => {
        /// The operations of the interface.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Operation {
            $(#[doc = concat!("`", $id, "` at `", $path, "`.")] $name,)*
        }

        impl Operation {
            /// Every operation, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The row of this operation.
            pub const fn spec(self) -> &'static Spec {
                match self {
                    $(Self::$name => {
                        const SPEC: Spec = Spec {
                            $($field: operations!(@$field $value),)*
                            ..Spec::new(Verb::$verb, $id, $path, $success, ErrorKey::$failure)
                        };
                        &SPEC
                    })*
                }
            }
        }

        /// The operations as types. The signature of a handler uses them to name the operation whose errors it returns.
        pub mod endpoint {
            use super::Operation;

            /// A type that represents an operation.
            pub trait Endpoint: Send + Sync + 'static {
                /// The operation of this type.
                const OPERATION: Operation;
            }

            $(
                #[doc = concat!("`", $id, "` at `", $path, "`.")]
                #[derive(Debug)]
                pub enum $name {}

                impl Endpoint for $name {
                    const OPERATION: Operation = Operation::$name;
                }
            )*
        }
    };
    (@parameters [$($name:ident),* $(,)?]) => { &[$($name),*] };
    (@rows [$($key:ident),* $(,)?]) => { &[$(ErrorKey::$key),*] };
    (@purpose $purpose:literal) => { Some($purpose) };
    (@missing $key:ident) => { Some(ErrorKey::$key) };
    (@invalid $key:ident) => { Some(ErrorKey::$key) };
    (@answer $answer:ident) => { Answer::$answer };
    (@optional_body $optional:literal) => { $optional };
    (@form $form:literal) => { $form };
    (@streamed $streamed:literal) => { $streamed };
    (@large_body $large:literal) => { $large };
    (@public $public:literal) => { $public };
    (@tagged $tagged:literal) => { $tagged };
    (@counted $counted:literal) => { $counted };
}

operations! {
    ListGroups "listGroups": Get "/authorization/groups" 200 or GettingGroupCollectionFailed {
        parameters: [PAGE, PER_PAGE, CURSOR, SEARCH],
    }
    CreateGroup "createGroup": Post "/authorization/groups" 201 or AddingGroupFailed {
        purpose: "create groups",
        missing: GroupInvalid,
        invalid: GroupInvalid,
        rows: [Forbidden, IdempotencyKeyReused],
    }
    GetGroup "getGroup": Get "/authorization/groups/{identifier}" 200 or GettingGroupItemFailed {
        purpose: "read this group",
        rows: [GroupNotFound, Forbidden],
    }
    UpdateGroup "updateGroup": Patch "/authorization/groups/{identifier}" 200 or GroupNotUpdated {
        purpose: "update this group",
        missing: GroupInvalid,
        invalid: GroupInvalid,
        rows: [GroupNotFound, Forbidden],
    }
    DeleteGroup "deleteGroup": Delete "/authorization/groups/{identifier}" 204 or RemovingGroupFailed {
        purpose: "delete this group",
        parameters: [DRY_RUN],
        rows: [GroupNotFound, Forbidden],
    }

    // The interface specification swaps the error ids of listing and getting members.
    ListGroupMembers "listGroupMembers": Get "/authorization/groups-members" 200 or GettingGroupMemberItemFailed {
        purpose: "read the members of this group",
        parameters: [GROUP_IDENTIFIER, PAGE, PER_PAGE, CURSOR],
        missing: RequiredParameterMissing,
        rows: [GroupNamedNotFound, Forbidden],
    }
    CreateGroupMember "createGroupMember": Post "/authorization/groups-members" 201 or AddingGroupMemberFailed {
        purpose: "add this member to the group",
        missing: GroupMemberInvalid,
        invalid: GroupMemberInvalid,
        rows: [GroupNamedNotFound, Forbidden, GroupMemberExists, IdempotencyKeyReused],
    }
    GetGroupMember "getGroupMember": Get "/authorization/groups-members/{identifier}" 200 or GettingGroupMemberCollectionFailed {
        purpose: "read the members of this group",
        rows: [GroupMemberNotFound, Forbidden],
    }
    DeleteGroupMember "deleteGroupMember": Delete "/authorization/groups-members/{identifier}" 204 or RemovingGroupMemberFailed {
        purpose: "delete members of this group",
        rows: [GroupMemberNotFound, Forbidden],
    }

    ListResources "listResources": Get "/authorization/resources" 200 or GettingResourceCollectionFailed {
        parameters: [RESOURCE_CLASS, RESOURCE_IDENTIFIER, PAGE, PER_PAGE, CURSOR],
    }
    GetResource "getResource": Get "/authorization/resources/{identifier}" 200 or GettingResourceItemFailed {
        purpose: "read this resource",
        rows: [ResourceNotFound, Forbidden],
    }

    ListGrants "listResourceActionGrants": Get "/authorization/resource-action-grants" 200 or GettingGrantCollectionFailed {
        parameters: [RESOURCE_CLASS, RESOURCE_IDENTIFIER, PAGE, PER_PAGE, CURSOR],
    }
    CreateGrant "createResourceActionGrant": Post "/authorization/resource-action-grants" 201 or AddingGrantFailed {
        purpose: "share this resource",
        parameters: [GRANT_CLASS],
        missing: GrantActionMissing,
        rows: [
            GrantActionUndefined, GrantInvalidHolder, GrantInvalidResource, DynamicGroupUndefined,
            ResourceNotFound, GroupNamedNotFound, Forbidden, GrantExists, IdempotencyKeyReused,
        ],
    }
    GetGrant "getResourceActionGrant": Get "/authorization/resource-action-grants/{identifier}" 200 or GettingGrantItemFailed {
        purpose: "read this grant",
        rows: [GrantNotFound, Forbidden],
    }
    DeleteGrant "deleteResourceActionGrant": Delete "/authorization/resource-action-grants/{identifier}" 204 or RemovingGrantFailed {
        purpose: "delete grants on this resource",
        rows: [GrantNotFound, Forbidden, LastManageGrant],
    }

    ListAvailableActions "listAvailableResourceClassActions": Get "/authorization/available-resource-class-actions" 200 or InternalError {
        parameters: [PAGE, PER_PAGE, CURSOR],
    }
    GetAvailableActions "getAvailableResourceClassActions": Get "/authorization/available-resource-class-actions/{resourceClass}" 200 or InternalError {
        rows: [ResourceClassNotFound],
    }
    ListDynamicGroups "listDynamicGroups": Get "/authorization/dynamic-groups" 200 or InternalError {
        parameters: [PAGE, PER_PAGE, CURSOR],
    }
    GetDynamicGroup "getDynamicGroup": Get "/authorization/dynamic-groups/{identifier}" 200 or InternalError {
        rows: [DynamicGroupNotFound],
    }
    GetGrantedActions "getGrantedActions": Get "/authorization/granted-actions/{resourceClass}/{resourceIdentifier}" 200 or InternalError {}
    GetCollectionGrantedActions "getCollectionGrantedActions": Get "/authorization/granted-actions/{resourceClass}" 200 or InternalError {}

    CheckActions "checkActions": Post "/authorization/check" 200 or CheckFailed {
        large_body: true,
        purpose: "check the permissions of other users",
        rows: [Forbidden],
    }

    GetMe "getMe": Get "/me" 200 or InternalError {
        tagged: true,
        parameters: [PAGE, PER_PAGE, CURSOR],
    }

    ListForms "listForms": Get "/formalize/forms" 200 or GettingFormCollectionFailed {
        parameters: [WHERE_READ, FRONTEND_KEY_IN, FRONTEND_KEY_NOT_IN, PAGE, PER_PAGE, CURSOR],
    }
    CreateForm "createForm": Post "/formalize/forms" 201 or FormNotCreated {
        large_body: true,
        purpose: "create forms",
        missing: RequiredFieldMissing,
        invalid: FormInvalid,
        rows: [FormInvalidDataFeedSchema, Forbidden, IdempotencyKeyReused],
    }
    GetForm "getForm": Get "/formalize/forms/{identifier}" 200 or GettingFormItemFailed {
        purpose: "read this form",
        rows: [FormNotFound, Forbidden],
    }
    AskQuestions "getFormQuestions": Post "/formalize/forms/{identifier}/questions" 200 or GettingFormItemFailed {
        large_body: true,
        purpose: "read the questions of this form",
        rows: [SubmissionInvalidJson, FormNotFound, Forbidden],
    }
    UpdateForm "updateForm": Patch "/formalize/forms/{identifier}" 200 or FormNotUpdated {
        large_body: true,
        purpose: "update this form",
        missing: FormInvalid,
        invalid: FormInvalid,
        rows: [FormInvalidDataFeedSchema, FormNotFound, Forbidden, FormHasSubmissions],
    }
    DeleteForm "deleteForm": Delete "/formalize/forms/{identifier}" 204 or FormNotRemoved {
        purpose: "delete this form",
        parameters: [DRY_RUN],
        rows: [FormNotFound, Forbidden],
    }

    ListEvents "listEvents": Get "/formalize/events" 200 or GettingEventCollectionFailed {
        answer: Other,
        parameters: [EVENTS_CURSOR, FROM, EVENTS_PER_PAGE, FORM_OF_EVENTS, TYPES, INCLUDE],
        rows: [EventCursorExpired, NotAcceptable],
    }

    ListSubmissions "listSubmissions": Get "/formalize/submissions" 200 or GettingSubmissionCollectionFailed {
        parameters: [
            FORM_IDENTIFIER, CREATOR_ID_EQUALS, SUBMISSION_STATE, TAG, CREATED_FROM, CREATED_BEFORE, OUTPUT_VALIDATION,
            ORDER, PAGE, PER_PAGE, CURSOR,
        ],
        missing: RequiredFilterMissing,
        rows: [FormNotFound],
    }
    ExportSubmissions "exportSubmissions": Get "/formalize/submissions/export" 200 or SubmissionsNotExported {
        answer: Other,
        parameters: [
            FORM_IDENTIFIER, CREATOR_ID_EQUALS, SUBMISSION_STATE, TAG, CREATED_FROM, CREATED_BEFORE, OUTPUT_VALIDATION,
            FORMAT, HEADERS, LABELS, LANGUAGE, FORMULA_GUARD, BOM, SEPARATOR, END_MARKER,
        ],
        missing: RequiredFilterMissing,
        rows: [FormNotFound, NotAcceptable],
    }
    SummarizeSubmissions "summarizeSubmissions": Get "/formalize/submissions/summary" 200 or GettingSubmissionCollectionFailed {
        parameters: [
            FORM_IDENTIFIER, CREATOR_ID_EQUALS, SUBMISSION_STATE, TAG, CREATED_FROM, CREATED_BEFORE, LANGUAGE_OF_SUMMARY,
        ],
        missing: RequiredFilterMissing,
        rows: [FormNotFound],
    }
    CreateSubmission "createSubmission": Post "/formalize/submissions" 201 or SubmissionNotCreated {
        large_body: true,
        form: true,
        purpose: "create submissions of this form",
        missing: RequiredFieldMissing,
        rows: [
            SubmissionInvalidJson, SubmissionFilesInvalid, SubmittedFileInvalid, FormNotFound, Forbidden, StateNotAllowed,
            FormNotAvailable, CapReached, LimitReached, SubmissionTagsInvalid, FilesQuotaExceeded, FilesNotConfigured,
            InsufficientStorage, IdempotencyKeyReused,
        ],
    }
    CreateSubmissions "createSubmissions": Post "/formalize/submissions/batch" 200 or SubmissionsNotCreated {
        large_body: true,
        purpose: "create submissions of this form",
        missing: RequiredFieldMissing,
        rows: [BatchRefused, FormNotFound, Forbidden, IdempotencyKeyReused],
    }
    DeleteSubmissions "deleteSubmissions": Delete "/formalize/submissions" 204 or FormSubmissionsNotRemoved {
        purpose: "delete the submissions of this form",
        parameters: [FORM_IDENTIFIER, DRY_RUN],
        missing: RequiredFilterMissing,
        rows: [FormNotFound, Forbidden],
    }
    GetSubmission "getSubmission": Get "/formalize/submissions/{identifier}" 200 or GettingSubmissionItemFailed {
        purpose: "read this submission",
        rows: [SubmissionNotFound, Forbidden],
    }
    UpdateSubmission "updateSubmission": Patch "/formalize/submissions/{identifier}" 200 or SubmissionNotUpdated {
        large_body: true,
        form: true,
        purpose: "update this submission",
        rows: [
            SubmissionInvalidJson, SubmissionFilesInvalid, SubmittedFileInvalid, SubmissionNotFound, SubmittedFilesNotFound,
            Forbidden, TransitionNotAllowed, StateNotAllowed, FormNotAvailable, LimitReached, SubmissionTagsInvalid,
            FilesQuotaExceeded, FilesNotConfigured, InsufficientStorage,
        ],
    }
    DeleteSubmission "deleteSubmission": Delete "/formalize/submissions/{identifier}" 204 or SubmissionNotDeleted {
        purpose: "delete this submission",
        rows: [SubmissionNotFound, Forbidden],
    }

    ListSubmittedFiles "listSubmittedFiles": Get "/formalize/submissions/{identifier}/files" 200 or GettingSubmittedFileFailed {
        purpose: "read this submission",
        parameters: [FILE_ATTRIBUTE_EQUALS, PAGE, PER_PAGE, CURSOR],
        rows: [SubmissionNotFound, Forbidden],
    }
    AddSubmittedFile "addSubmittedFile": Post "/formalize/submissions/{identifier}/files" 201 or SavingSubmittedFileFailed {
        streamed: true,
        tagged: true,
        purpose: "add files to this submission",
        parameters: [FILE_ATTRIBUTE_NAME, FILE_NAME],
        missing: SubmittedFileInvalid,
        rows: [
            SubmissionFilesInvalid, SubmissionNotFound, Forbidden, FilesQuotaExceeded, FilesNotConfigured,
            InsufficientStorage,
        ],
    }
    GetSubmittedFile "getSubmittedFile": Get "/formalize/submissions/{identifier}/files/{fileIdentifier}" 200 or GettingSubmittedFileFailed {
        purpose: "read this submission",
        rows: [SubmissionNotFound, SubmittedFileNotFound, Forbidden],
    }
    GetSubmittedFileContent "getSubmittedFileContent": Get "/formalize/submissions/{identifier}/files/{fileIdentifier}/content" 200 or GettingSubmittedFileFailed {
        answer: Other,
        tagged: true,
        purpose: "read this submission",
        parameters: [DISPOSITION],
        rows: [
            SubmissionNotFound, SubmittedFileNotFound, Forbidden, RangeNotSatisfiable, SubmittedFileLost, FilesNotConfigured,
        ],
    }
    RemoveSubmittedFile "removeSubmittedFile": Delete "/formalize/submissions/{identifier}/files/{fileIdentifier}" 204 or RemovingSubmittedFileFailed {
        purpose: "remove files from this submission",
        rows: [SubmissionFilesInvalid, SubmissionNotFound, SubmittedFileNotFound, Forbidden],
    }

    ListFormLinks "listFormLinks": Get "/formalize/form-links" 200 or InternalError {
        purpose: "read the links to this form",
        parameters: [FORM_IDENTIFIER, PAGE, PER_PAGE, CURSOR],
        missing: RequiredFilterMissing,
        rows: [FormNotFound, Forbidden],
    }
    CreateFormLink "createFormLink": Post "/formalize/form-links" 201 or InternalError {
        purpose: "create links to this form",
        missing: RequiredFieldMissing,
        invalid: FormLinkInvalid,
        rows: [FormNotFound, Forbidden],
    }
    GetFormLink "getFormLink": Get "/formalize/form-links/{identifier}" 200 or InternalError {
        purpose: "read this link",
        rows: [FormLinkNotFound, Forbidden],
    }
    UpdateFormLink "updateFormLink": Patch "/formalize/form-links/{identifier}" 200 or InternalError {
        purpose: "update this link",
        invalid: FormLinkInvalid,
        rows: [FormLinkNotFound, Forbidden],
    }
    DeleteFormLink "deleteFormLink": Delete "/formalize/form-links/{identifier}" 204 or InternalError {
        purpose: "delete this link",
        rows: [FormLinkNotFound, Forbidden],
    }

    ListWebhooks "listWebhooks": Get "/formalize/webhooks" 200 or GettingWebhookCollectionFailed {
        parameters: [OF_FORM, PAGE, PER_PAGE, CURSOR],
    }
    CreateWebhook "createWebhook": Post "/formalize/webhooks" 201 or WebhookNotCreated {
        purpose: "create webhooks of this form",
        missing: RequiredFieldMissing,
        invalid: WebhookInvalid,
        rows: [FormNotFound, Forbidden, WebhookLimitReached, IdempotencyKeyReused],
    }
    GetWebhook "getWebhook": Get "/formalize/webhooks/{identifier}" 200 or GettingWebhookItemFailed {
        purpose: "read this webhook",
        rows: [WebhookNotFound, Forbidden],
    }
    UpdateWebhook "updateWebhook": Patch "/formalize/webhooks/{identifier}" 200 or WebhookNotUpdated {
        purpose: "update this webhook",
        invalid: WebhookInvalid,
        rows: [WebhookNotFound, Forbidden],
    }
    DeleteWebhook "deleteWebhook": Delete "/formalize/webhooks/{identifier}" 204 or WebhookNotRemoved {
        purpose: "delete this webhook",
        rows: [WebhookNotFound, Forbidden],
    }
    RotateWebhookSecret "rotateWebhookSecret": Post "/formalize/webhooks/{identifier}/rotate-secret" 200 or WebhookSecretNotRotated {
        optional_body: true,
        purpose: "replace the secret of this webhook",
        invalid: WebhookInvalid,
        rows: [WebhookNotFound, Forbidden, IdempotencyKeyReused],
    }
    TestWebhook "testWebhook": Post "/formalize/webhooks/{identifier}/test" 200 or WebhookNotTested {
        optional_body: true,
        purpose: "test this webhook",
        rows: [WebhookNotFound, Forbidden],
    }
    ResendWebhookDeliveries "resendWebhookDeliveries": Post "/formalize/webhooks/{identifier}/resend" 202 or WebhookNotResent {
        purpose: "send deliveries of this webhook again",
        invalid: WebhookInvalid,
        rows: [WebhookNotFound, WebhookDeliveryNotFound, Forbidden, WebhookDisabled, IdempotencyKeyReused],
    }
    ListWebhookDeliveries "listWebhookDeliveries": Get "/formalize/webhooks/{identifier}/deliveries" 200 or GettingWebhookDeliveryCollectionFailed {
        purpose: "read the deliveries of this webhook",
        parameters: [DELIVERY_STATE, EVENT_TYPE, ORDER, PAGE, PER_PAGE, CURSOR],
        rows: [WebhookNotFound, Forbidden],
    }
    GetWebhookDelivery "getWebhookDelivery": Get "/formalize/webhooks/{identifier}/deliveries/{deliveryIdentifier}" 200 or GettingWebhookDeliveryItemFailed {
        purpose: "read this delivery",
        rows: [WebhookNotFound, WebhookDeliveryNotFound, Forbidden],
    }

    GetHealth "getHealth": Get "/healthz" 200 or InternalError { public: true, counted: false }
    GetReadiness "getReadiness": Get "/readyz" 200 or InternalError { public: true, counted: false }
    GetVersion "getVersion": Get "/version" 200 or InternalError { public: true }
    GetRoot "getRoot": Get "/" 307 or InternalError { public: true, answer: Other }
    GetDocument "getOpenApi": Get "/openapi.json" 200 or InternalError { public: true, tagged: true }
    GetDocs "getDocs": Get "/docs" 200 or InternalError { public: true, tagged: true, answer: Other }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn specs() -> impl Iterator<Item = &'static Spec> {
        Operation::ALL.iter().map(|operation| operation.spec())
    }

    #[test]
    fn ids_and_routes_are_unique() {
        let ids: HashSet<_> = specs().map(|spec| spec.id).collect();
        let routes: HashSet<_> = specs().map(|spec| (spec.verb.name(), spec.path)).collect();
        assert_eq!(ids.len(), Operation::ALL.len());
        assert_eq!(routes.len(), Operation::ALL.len());
    }

    #[test]
    fn rows_are_in_the_area_of_their_operation() {
        for spec in specs() {
            for key in spec.errors() {
                let area = key.row().area;
                assert!(
                    area.is_none_or(|area| area == spec.area()),
                    "{}: {key:?}",
                    spec.id
                );
            }
        }
    }

    #[test]
    fn unexpected_failures_have_status_500() {
        for spec in specs() {
            assert_eq!(spec.failure.row().status, 500, "{}", spec.id);
        }
    }

    #[test]
    fn operations_that_need_permission_have_a_purpose() {
        for spec in specs() {
            let can_be_missing = spec.rows.contains(&ErrorKey::Forbidden);
            assert_eq!(spec.purpose.is_some(), can_be_missing, "{}", spec.id);
        }
    }

    #[test]
    fn operations_with_required_fields_have_a_row_for_missing_ones() {
        for spec in specs() {
            let required = spec.parameters.iter().any(|parameter| parameter.required);
            assert!(!required || spec.missing.is_some(), "{}", spec.id);
        }
    }

    #[test]
    fn every_row_is_used_by_an_operation() {
        // These errors belong to no operation, or to every one on a store that does not keep everything.
        let apart = [
            ErrorKey::RouteNotFound,
            ErrorKey::MethodNotAllowed,
            ErrorKey::NotConfigured,
        ];
        let used: HashSet<_> = specs().flat_map(Spec::errors).chain(apart).collect();
        for key in ErrorKey::ALL {
            assert!(used.contains(key), "{key:?}");
        }
    }
}
