//! The table of errors, in the order of the interface specification.

use super::Area;

/// Who defined a row: the specification of the interface, or this project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Defined by the specification: id, status and details are exact.
    Given,
    /// Defined by this project.
    Ours,
}

/// The content of `relay:errorDetails`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Details {
    /// An empty array.
    None,
    /// An array of the names of fields or parameters, or of invalid words.
    Names,
    /// The object `{"message": ...}` with a fixed message.
    Message,
    /// An array of messages; the error also has the member `violations`.
    Violations,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct ErrorRow {
    /// The area; `None` for the area of the request's path.
    pub area: Option<Area>,
    /// The error id without its area.
    pub name: &'static str,
    /// The status of the response.
    pub status: u16,
    /// The shape of `relay:errorDetails`.
    pub details: Details,
    /// Who defined the row.
    pub origin: Origin,
    /// The title of the error.
    pub title: &'static str,
}

impl ErrorRow {
    /// The complete error id, `area:name`.
    pub fn id(&self, request_area: Area) -> String {
        format!("{}:{}", self.area.unwrap_or(request_area).name(), self.name)
    }
}

/// Generates [`ErrorKey`] and its rows from the table below.
macro_rules! errors {
    ($($origin:ident { $($key:ident: $area:tt $name:literal $status:literal $details:ident $title:literal;)* })*) => {
        /// The key of a row. Each meaning has its own key, so an error id with two statuses has two keys.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorKey {
            $($(
                #[doc = concat!("`", $name, "`: ", $title, ".")]
                $key,
            )*)*
        }

        impl ErrorKey {
            /// Every key, in the order of the table.
            pub const ALL: &[Self] = &[$($(Self::$key,)*)*];

            /// The row of this key.
            pub const fn row(self) -> ErrorRow {
                match self {
                    $($(Self::$key => ErrorRow {
                        area: errors!(@area $area),
                        name: $name,
                        status: $status,
                        details: Details::$details,
                        origin: Origin::$origin,
                        title: $title,
                    },)*)*
                }
            }
        }
    };
    (@area Any) => { None };
    (@area $area:ident) => { Some(Area::$area) };
}

errors! {
    Given {
        AddingGroupFailed: Authorization "adding-group-failed" 500 Message "the group could not be created";
        GroupInvalid: Authorization "group-invalid" 400 Names "the group is invalid";
        GettingGroupCollectionFailed: Authorization "getting-group-collection-failed" 500 Message "the groups could not be read";
        GettingGroupItemFailed: Authorization "getting-group-item-failed" 500 Message "the group could not be read";
        RemovingGroupFailed: Authorization "removing-group-failed" 500 Message "the group could not be deleted";
        AddingGroupMemberFailed: Authorization "adding-group-member-failed" 500 Message "the group member could not be added";
        GroupMemberInvalid: Authorization "group-member-invalid" 400 Names "the group member is invalid";
        GettingGroupMemberItemFailed: Authorization "getting-group-member-item-failed" 500 Message "the group members could not be read";
        RequiredParameterMissing: Authorization "required-parameter-missing" 400 Names "a required parameter is missing";
        GroupNamedNotFound: Authorization "group-not-found" 404 Names "group not found";
        GettingGroupMemberCollectionFailed: Authorization "getting-group-member-collection-failed" 500 Message "the group member could not be read";
        RemovingGroupMemberFailed: Authorization "removing-group-member-failed" 500 Message "the group member could not be deleted";
        GettingResourceCollectionFailed: Authorization "getting-resource-collection-failed" 500 Message "the resources could not be read";
        GettingResourceItemFailed: Authorization "getting-resource-item-failed" 500 Message "the resource could not be read";
        AddingGrantFailed: Authorization "adding-resource-action-grant-failed" 500 Message "the grant could not be created";
        GrantActionMissing: Authorization "resource-action-grant-invalid-action-missing" 400 Names "the action of the grant is missing";
        GrantActionUndefined: Authorization "resource-action-grant-invalid-action-undefined" 400 Names "the action is not defined for this kind of resource";
        GettingGrantCollectionFailed: Authorization "getting-resource-action-grant-collection-failed" 500 Message "the grants could not be read";
        GettingGrantItemFailed: Authorization "getting-resource-action-grant-item-failed" 500 Message "the grant could not be read";
        RemovingGrantFailed: Authorization "removing-resource-action-grant-failed" 500 Message "the grant could not be deleted";
        SubmissionNotCreated: Formalize "submission-not-created" 500 None "the submission could not be created";
        SubmissionInvalidJson: Formalize "submission-invalid-json" 400 Violations "the submission does not match the form's schema";
        RequiredFieldMissing: Formalize "required-field-missing" 422 Names "a required field is missing";
        RequiredFilterMissing: Formalize "required-field-missing" 400 Names "a required field is missing";
        GettingSubmissionCollectionFailed: Formalize "getting-submission-collection-failed" 500 None "the submissions could not be read";
        FormNotFound: Formalize "form-not-found" 404 None "form not found";
        FormSubmissionsNotRemoved: Formalize "form-submissions-not-removed" 500 None "the submissions of the form could not be deleted";
        SubmissionNotFound: Formalize "submission-not-found" 404 None "submission not found";
        GettingSubmissionItemFailed: Formalize "getting-submission-item-failed" 500 None "the submission could not be read";
        SubmissionNotUpdated: Formalize "submission-not-updated" 500 None "the submission could not be updated";
        SubmissionNotDeleted: Formalize "submission-not-deleted" 500 None "the submission could not be deleted";
        FormNotCreated: Formalize "form-not-created" 500 None "the form could not be created";
        FormInvalidDataFeedSchema: Formalize "form-invalid-data-feed-schema" 400 Violations "the data feed schema is not a valid JSON Schema";
        GettingFormCollectionFailed: Formalize "getting-form-collection-failed" 500 None "the forms could not be read";
        GettingFormItemFailed: Formalize "getting-form-item-failed" 500 None "the form could not be read";
        FormNotUpdated: Formalize "form-not-updated" 500 None "the form could not be updated";
        FormNotRemoved: Formalize "form-not-removed" 500 None "the form could not be deleted";
    }
    Ours {
        AuthenticationRequired: Any "authentication-required" 401 None "valid credentials are required";
        Forbidden: Any "forbidden" 403 None "you do not have permission to do this";
        InvalidRequestBody: Any "invalid-request-body" 400 Names "the request body is invalid";
        InvalidParameter: Any "invalid-parameter" 400 Names "a query parameter or header is invalid";
        RouteNotFound: Any "route-not-found" 404 None "route not found";
        MethodNotAllowed: Any "method-not-allowed" 405 None "the route does not support this method";
        NotAcceptable: Any "not-acceptable" 406 None "no accepted media type is available; check the Accept header";
        UnsupportedMediaType: Any "unsupported-media-type" 415 None "the media type of the request body is not supported";
        PayloadTooLarge: Any "payload-too-large" 413 None "the request is too large";
        RequestTimeout: Any "request-timeout" 408 None "the request was sent too slowly";
        TooManyRequests: Any "too-many-requests" 429 None "too many requests";
        PreconditionFailed: Any "precondition-failed" 412 None "the item does not meet the conditions of the request";
        IdempotencyKeyReused: Any "idempotency-key-reused" 422 None "the idempotency key was used for another request";
        IdempotencyKeyInUse: Any "idempotency-key-in-use" 409 None "a request with this idempotency key is still being performed";
        ServiceUnavailable: Any "service-unavailable" 503 None "the service is temporarily unavailable";
        NotConfigured: Any "not-configured" 501 None "this server does not keep records of this kind";
        SubmissionsNotExported: Formalize "submissions-not-exported" 500 None "the submissions could not be exported";
        InternalError: Any "internal-error" 500 Message "the request could not be processed";
        SubmissionsNotCreated: Formalize "submissions-not-created" 500 None "the submissions could not be created";
        CheckFailed: Authorization "check-failed" 500 None "the permissions could not be checked";
        GroupNotFound: Authorization "group-not-found" 404 None "group not found";
        GroupMemberNotFound: Authorization "group-member-not-found" 404 None "group member not found";
        ResourceNotFound: Authorization "resource-not-found" 404 None "resource not found";
        GrantNotFound: Authorization "resource-action-grant-not-found" 404 None "grant not found";
        ResourceClassNotFound: Authorization "resource-class-not-found" 404 None "resource class not found";
        DynamicGroupNotFound: Authorization "dynamic-group-not-found" 404 None "dynamic group not found";
        GroupNotUpdated: Authorization "group-not-updated" 500 Message "the group could not be updated";
        GroupMemberExists: Authorization "group-member-exists" 409 None "the group already has this member";
        GrantExists: Authorization "resource-action-grant-exists" 409 None "the grant already exists";
        LastManageGrant: Authorization "last-manage-grant" 409 None "the last manage grant of an item cannot be deleted";
        GrantInvalidHolder: Authorization "resource-action-grant-invalid-holder" 400 Names "a grant has exactly one holder";
        GrantInvalidResource: Authorization "resource-action-grant-invalid-resource" 400 Names "the resource of the grant is missing or contradictory";
        DynamicGroupUndefined: Authorization "dynamic-group-undefined" 400 Names "the dynamic group is not defined";
        FormInvalid: Formalize "form-invalid" 400 Names "the form is invalid";
        FormHasSubmissions: Formalize "form-has-submissions" 409 Names "the form already has submissions";
        TransitionNotAllowed: Formalize "submission-state-transition-not-allowed" 409 Names "the submission cannot change to this state";
        StateNotAllowed: Formalize "submission-state-not-allowed" 400 Names "the form does not allow this submission state";
        SubmissionTagsInvalid: Formalize "submission-tags-invalid" 400 Names "the submission cannot have these tags";
        SubmissionFilesInvalid: Formalize "submission-submitted-files-invalid-schema" 400 Violations "the files of the submission do not match the rules of the form";
        SubmittedFileInvalid: Formalize "submitted-file-invalid" 400 Names "the file is invalid";
        SubmittedFileNotFound: Formalize "submitted-file-not-found" 404 None "file not found";
        SubmittedFilesNotFound: Formalize "submitted-file-not-found" 404 Names "file not found";
        FilesQuotaExceeded: Formalize "files-quota-exceeded" 403 None "the files in the creator's submissions of this form would be too large together";
        RangeNotSatisfiable: Formalize "range-not-satisfiable" 416 None "the file is smaller than the requested range";
        FilesNotConfigured: Formalize "files-not-configured" 501 None "this server stores no files";
        InsufficientStorage: Formalize "insufficient-storage" 507 None "there is not enough room for the file";
        SavingSubmittedFileFailed: Formalize "saving-submitted-file-failed" 500 None "the file could not be saved";
        RemovingSubmittedFileFailed: Formalize "removing-submitted-file-failed" 500 None "the file could not be removed";
        GettingSubmittedFileFailed: Formalize "getting-submitted-file-failed" 500 None "the file could not be read";
        SubmittedFileLost: Formalize "submitted-file-not-found-in-file-storage-backend" 500 None "the content of the file is lost";
        FormNotAvailable: Formalize "submission-form-currently-not-available" 400 None "the form does not accept submissions at this time";
        CapReached: Formalize "max-num-form-submissions-per-creator-reached" 403 None "you have reached the limit of submissions for this form";
        LimitReached: Formalize "max-num-form-submissions-reached" 403 None "this form has reached its limit of submissions";
        BatchRefused: Formalize "batch-refused" 400 Names "submissions of the batch were refused, so none was created";
        FormLinkNotFound: Formalize "form-link-not-found" 404 None "link not found";
        EventCursorExpired: Formalize "event-cursor-expired" 410 None "the log no longer has the events behind the cursor";
        GettingEventCollectionFailed: Formalize "getting-event-collection-failed" 500 None "the events could not be read";
        FormLinkInvalid: Formalize "form-link-invalid" 400 Names "the link is invalid";
        WebhookNotCreated: Formalize "webhook-not-created" 500 None "the webhook could not be created";
        WebhookInvalid: Formalize "webhook-invalid" 400 Names "the webhook, or the request about it, is invalid";
        WebhookNotFound: Formalize "webhook-not-found" 404 None "webhook not found";
        WebhookDeliveryNotFound: Formalize "webhook-delivery-not-found" 404 None "delivery not found";
        WebhookLimitReached: Formalize "webhook-limit-reached" 409 None "the form has reached its limit of webhooks";
        WebhookDisabled: Formalize "webhook-disabled" 409 None "the webhook is disabled";
        WebhookNotUpdated: Formalize "webhook-not-updated" 500 None "the webhook could not be updated";
        WebhookNotRemoved: Formalize "webhook-not-removed" 500 None "the webhook could not be deleted";
        WebhookSecretNotRotated: Formalize "webhook-secret-not-rotated" 500 None "the secret of the webhook could not be replaced";
        WebhookNotTested: Formalize "webhook-not-tested" 500 None "the webhook could not be tested";
        WebhookNotResent: Formalize "webhook-not-resent" 500 None "the deliveries could not be sent again";
        GettingWebhookCollectionFailed: Formalize "getting-webhook-collection-failed" 500 None "the webhooks could not be read";
        GettingWebhookItemFailed: Formalize "getting-webhook-item-failed" 500 None "the webhook could not be read";
        GettingWebhookDeliveryCollectionFailed: Formalize "getting-webhook-delivery-collection-failed" 500 None "the deliveries could not be read";
        GettingWebhookDeliveryItemFailed: Formalize "getting-webhook-delivery-item-failed" 500 None "the delivery could not be read";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn an_error_id_has_the_same_title_everywhere() {
        let mut titles = HashMap::new();
        for key in ErrorKey::ALL {
            let row = key.row();
            let title = titles
                .entry((row.area.map(Area::name), row.name))
                .or_insert(row.title);
            assert_eq!(*title, row.title, "{key:?}");
        }
    }

    #[test]
    fn titles_are_plain_phrases() {
        for key in ErrorKey::ALL {
            let title = key.row().title;
            assert!(!title.ends_with('.'), "{title}");
            assert!(
                title.starts_with(|first: char| first.is_lowercase()),
                "{title}"
            );
        }
    }

    #[test]
    fn transport_errors_use_the_area_of_the_request() {
        let row = ErrorKey::Forbidden.row();
        assert_eq!(row.id(Area::Authorization), "authorization:forbidden");
        assert_eq!(row.id(Area::Formalize), "formalize:forbidden");
        let row = ErrorKey::GroupInvalid.row();
        assert_eq!(row.id(Area::Formalize), "authorization:group-invalid");
    }
}
