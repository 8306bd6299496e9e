//! The table of errors, in the order of the interface description.

use super::Area;

/// Who fixed a row: the interface that the service implements, or this project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Fixed by the interface: id, status and details are exact.
    Given,
    /// A decision of this project.
    Ours,
}

/// What `relay:errorDetails` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Details {
    /// An empty array.
    None,
    /// An array of the names of members or parameters, or of the words at fault.
    Names,
    /// The object `{"message": ...}` with a fixed phrase.
    Message,
    /// An array of messages, accompanied by the member `violations`.
    Violations,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct ErrorRow {
    /// The area, or nothing where the area of the request's path counts.
    pub area: Option<Area>,
    /// The error id without its area.
    pub name: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// The shape of `relay:errorDetails`.
    pub details: Details,
    /// Who fixed the row.
    pub origin: Origin,
    /// The phrase that goes with the error id.
    pub title: &'static str,
}

impl ErrorRow {
    /// The error id as it is sent, `area:name`.
    pub fn id(&self, request_area: Area) -> String {
        format!("{}:{}", self.area.unwrap_or(request_area).name(), self.name)
    }
}

/// Turns the table below into [`ErrorKey`] and its rows.
macro_rules! errors {
    ($($origin:ident { $($key:ident: $area:tt $name:literal $status:literal $details:ident $title:literal;)* })*) => {
        /// The key of a row: one for each meaning, so that an error id with two statuses has two.
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
        GroupInvalid: Authorization "group-invalid" 400 Names "the group is not valid";
        GettingGroupCollectionFailed: Authorization "getting-group-collection-failed" 500 Message "the groups could not be read";
        GettingGroupItemFailed: Authorization "getting-group-item-failed" 500 Message "the group could not be read";
        RemovingGroupFailed: Authorization "removing-group-failed" 500 Message "the group could not be removed";
        AddingGroupMemberFailed: Authorization "adding-group-member-failed" 500 Message "the group member could not be added";
        GroupMemberInvalid: Authorization "group-member-invalid" 400 Names "the group member is not valid";
        GettingGroupMemberItemFailed: Authorization "getting-group-member-item-failed" 500 Message "the group members could not be read";
        RequiredParameterMissing: Authorization "required-parameter-missing" 400 Names "a required parameter is missing";
        GroupNamedNotFound: Authorization "group-not-found" 404 Names "there is no such group";
        GettingGroupMemberCollectionFailed: Authorization "getting-group-member-collection-failed" 500 Message "the group member could not be read";
        RemovingGroupMemberFailed: Authorization "removing-group-member-failed" 500 Message "the group member could not be removed";
        GettingResourceCollectionFailed: Authorization "getting-resource-collection-failed" 500 Message "the resources could not be read";
        GettingResourceItemFailed: Authorization "getting-resource-item-failed" 500 Message "the resource could not be read";
        AddingGrantFailed: Authorization "adding-resource-action-grant-failed" 500 Message "the grant could not be created";
        GrantActionMissing: Authorization "resource-action-grant-invalid-action-missing" 400 Names "the action of the grant is missing";
        GrantActionUndefined: Authorization "resource-action-grant-invalid-action-undefined" 400 Names "the action is not defined for this kind of resource";
        GettingGrantCollectionFailed: Authorization "getting-resource-action-grant-collection-failed" 500 Message "the grants could not be read";
        GettingGrantItemFailed: Authorization "getting-resource-action-grant-item-failed" 500 Message "the grant could not be read";
        RemovingGrantFailed: Authorization "removing-resource-action-grant-failed" 500 Message "the grant could not be removed";
        SubmissionNotCreated: Formalize "submission-not-created" 500 None "the submission could not be created";
        SubmissionInvalidJson: Formalize "submission-invalid-json" 400 Violations "the data of the submission are not valid";
        RequiredFieldMissing: Formalize "required-field-missing" 422 Names "a required field is missing";
        RequiredFilterMissing: Formalize "required-field-missing" 400 Names "a required field is missing";
        GettingSubmissionCollectionFailed: Formalize "getting-submission-collection-failed" 500 None "the submissions could not be read";
        FormNotFound: Formalize "form-not-found" 404 None "there is no such form";
        FormSubmissionsNotRemoved: Formalize "form-submissions-not-removed" 500 None "the submissions of the form could not be removed";
        SubmissionNotFound: Formalize "submission-not-found" 404 None "there is no such submission";
        GettingSubmissionItemFailed: Formalize "getting-submission-item-failed" 500 None "the submission could not be read";
        SubmissionNotUpdated: Formalize "submission-not-updated" 500 None "the submission could not be updated";
        SubmissionNotDeleted: Formalize "submission-not-deleted" 500 None "the submission could not be removed";
        FormNotCreated: Formalize "form-not-created" 500 None "the form could not be created";
        FormInvalidDataFeedSchema: Formalize "form-invalid-data-feed-schema" 400 Violations "the data feed schema is not a valid JSON Schema";
        GettingFormCollectionFailed: Formalize "getting-form-collection-failed" 500 None "the forms could not be read";
        GettingFormItemFailed: Formalize "getting-form-item-failed" 500 None "the form could not be read";
        FormNotUpdated: Formalize "form-not-updated" 500 None "the form could not be updated";
        FormNotRemoved: Formalize "form-not-removed" 500 None "the form could not be removed";
    }
    Ours {
        AuthenticationRequired: Any "authentication-required" 401 None "valid credentials are required";
        Forbidden: Any "forbidden" 403 None "the caller is not entitled to this";
        InvalidRequestBody: Any "invalid-request-body" 400 Names "the request body is not valid";
        InvalidParameter: Any "invalid-parameter" 400 Names "a query parameter or a header is not valid";
        RouteNotFound: Any "route-not-found" 404 None "there is no such route";
        MethodNotAllowed: Any "method-not-allowed" 405 None "the route does not have this method";
        NotAcceptable: Any "not-acceptable" 406 None "the answer would be JSON, which the request does not accept";
        UnsupportedMediaType: Any "unsupported-media-type" 415 None "the media type of the body is not supported";
        PayloadTooLarge: Any "payload-too-large" 413 None "the request is too large";
        RequestTimeout: Any "request-timeout" 408 None "the request was sent too slowly";
        TooManyRequests: Any "too-many-requests" 429 None "there are too many requests";
        PreconditionFailed: Any "precondition-failed" 412 None "the item is not in the state that the request expects";
        ServiceUnavailable: Any "service-unavailable" 503 None "the service is not available at the moment";
        InternalError: Any "internal-error" 500 Message "the request could not be answered";
        GroupNotFound: Authorization "group-not-found" 404 None "there is no such group";
        GroupMemberNotFound: Authorization "group-member-not-found" 404 None "there is no such group member";
        ResourceNotFound: Authorization "resource-not-found" 404 None "there is no such resource";
        GrantNotFound: Authorization "resource-action-grant-not-found" 404 None "there is no such grant";
        ResourceClassNotFound: Authorization "resource-class-not-found" 404 None "there is no such resource class";
        DynamicGroupNotFound: Authorization "dynamic-group-not-found" 404 None "there is no such dynamic group";
        GroupNotUpdated: Authorization "group-not-updated" 500 Message "the group could not be updated";
        GroupMemberExists: Authorization "group-member-exists" 409 None "the group already has this member";
        GrantExists: Authorization "resource-action-grant-exists" 409 None "the same grant exists already";
        LastManageGrant: Authorization "last-manage-grant" 409 None "the last manage grant of an item cannot be removed";
        GrantInvalidHolder: Authorization "resource-action-grant-invalid-holder" 400 Names "a grant has exactly one holder";
        GrantInvalidResource: Authorization "resource-action-grant-invalid-resource" 400 Names "the resource of the grant is not given without contradiction";
        DynamicGroupUndefined: Authorization "dynamic-group-undefined" 400 Names "the dynamic group is not defined";
        FormInvalid: Formalize "form-invalid" 400 Names "the form is not valid";
        FormHasSubmissions: Formalize "form-has-submissions" 409 Names "the form has submissions already";
        TransitionNotAllowed: Formalize "submission-state-transition-not-allowed" 409 Names "the submission cannot change to this state";
        StateNotAllowed: Formalize "submission-state-not-allowed" 400 Names "the form does not allow this submission state";
        FormNotAvailable: Formalize "submission-form-currently-not-available" 400 None "the form does not take submissions at this time";
        CapReached: Formalize "max-num-form-submissions-per-creator-reached" 403 None "the creator has as many submissions of this form as it allows";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn an_error_id_has_one_title_wherever_it_stands() {
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
    fn ids_of_the_transport_take_the_area_of_the_request() {
        let row = ErrorKey::Forbidden.row();
        assert_eq!(row.id(Area::Authorization), "authorization:forbidden");
        assert_eq!(row.id(Area::Formalize), "formalize:forbidden");
        let row = ErrorKey::GroupInvalid.row();
        assert_eq!(row.id(Area::Formalize), "authorization:group-invalid");
    }
}
