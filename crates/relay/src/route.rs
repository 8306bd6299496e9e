//! The table of routes.

use formalize_http::contract::route::{allow, parameters};
use formalize_http::contract::{Operation, PathParameters, Verb};
use formalize_http::directory::Kind;

/// What a route does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    ListForms,
    CreateForm,
    GetForm,
    UpdateForm,
    DeleteForm,
    ListSubmissions,
    CreateSubmission,
    DeleteSubmissions,
    GetSubmission,
    UpdateSubmission,
    DeleteSubmission,
    GetFile,
    DownloadFile,
    ListClassActions,
    GetClassActions,
    ListGrants,
    CreateGrant,
    GetGrant,
    DeleteGrant,
    GetGrantedActions,
    GetUser,
    ListDirectory(Kind),
    GetFromDirectory(Kind),
}

/// What the body of a request may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// It is ignored.
    Ignored,
    /// JSON.
    Json,
    /// JSON, or fields and files.
    JsonOrForm,
    /// Fields and files.
    Form,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) verb: Verb,
    /// The path. A segment in braces matches one segment with any text.
    pub(crate) path: &'static str,
    pub(crate) body: BodyKind,
    pub(crate) action: Action,
    /// The operation of the REST interface that does the same. It determines the rows of errors and the conditions.
    pub(crate) operation: Option<Operation>,
}

impl Route {
    /// Whether the response is JSON, which the request must accept.
    pub(crate) fn answers_json(&self) -> bool {
        self.verb != Verb::Delete && self.action != Action::DownloadFile
    }
}

/// A row for requests without a body.
const fn plain(
    verb: Verb,
    path: &'static str,
    action: Action,
    operation: Option<Operation>,
) -> Route {
    with_body(verb, path, BodyKind::Ignored, action, operation)
}

const fn with_body(
    verb: Verb,
    path: &'static str,
    body: BodyKind,
    action: Action,
    operation: Option<Operation>,
) -> Route {
    Route {
        verb,
        path,
        body,
        action,
        operation,
    }
}

const FORMS: &str = "/formalize/forms";
const FORM: &str = "/formalize/forms/{identifier}";
const SUBMISSIONS: &str = "/formalize/submissions";
const SUBMISSION: &str = "/formalize/submissions/{identifier}";
const FILE: &str = "/formalize/submitted-files/{identifier}";
const CONTENT: &str = "/formalize/submitted-files/{identifier}/content";
const CLASSES: &str = "/authorization/available-resource-class-actions";
const CLASS: &str = "/authorization/available-resource-class-actions/{resourceClass}";
const GRANTS: &str = "/authorization/resource-action-grants";
const GRANT: &str = "/authorization/resource-action-grants/{identifier}";
const GRANTED: &str = "/authorization/granted-actions/{resourceClass}/{resourceIdentifier}";
const USER: &str = "/frontend/users/{identifier}";
const PEOPLE: &str = "/base/people";
const PERSON: &str = "/base/people/{identifier}";
const ORGANIZATIONS: &str = "/base/organizations";
const ORGANIZATION: &str = "/base/organizations/{identifier}";
const COURSES: &str = "/base/courses";
const COURSE: &str = "/base/courses/{identifier}";
const ROOMS: &str = "/base/rooms";
const ROOM: &str = "/base/rooms/{identifier}";

/// Every route.
#[rustfmt::skip]
pub(crate) const ROUTES: &[Route] = {
    use Verb::{Delete, Get, Patch, Post};
    use BodyKind::{Form, Json, JsonOrForm};
    &[
        plain(Get, FORMS, Action::ListForms, Some(Operation::ListForms)),
        with_body(Post, FORMS, Json, Action::CreateForm, Some(Operation::CreateForm)),
        plain(Get, FORM, Action::GetForm, Some(Operation::GetForm)),
        with_body(Patch, FORM, Json, Action::UpdateForm, Some(Operation::UpdateForm)),
        plain(Delete, FORM, Action::DeleteForm, Some(Operation::DeleteForm)),
        plain(Get, SUBMISSIONS, Action::ListSubmissions, Some(Operation::ListSubmissions)),
        with_body(Post, SUBMISSIONS, JsonOrForm, Action::CreateSubmission, Some(Operation::CreateSubmission)),
        plain(Delete, SUBMISSIONS, Action::DeleteSubmissions, Some(Operation::DeleteSubmissions)),
        plain(Get, SUBMISSION, Action::GetSubmission, Some(Operation::GetSubmission)),
        with_body(Patch, SUBMISSION, Form, Action::UpdateSubmission, Some(Operation::UpdateSubmission)),
        plain(Delete, SUBMISSION, Action::DeleteSubmission, Some(Operation::DeleteSubmission)),
        plain(Get, FILE, Action::GetFile, Some(Operation::GetSubmittedFile)),
        plain(Get, CONTENT, Action::DownloadFile, Some(Operation::GetSubmittedFileContent)),
        plain(Get, CLASSES, Action::ListClassActions, Some(Operation::ListAvailableActions)),
        plain(Get, CLASS, Action::GetClassActions, Some(Operation::GetAvailableActions)),
        plain(Get, GRANTS, Action::ListGrants, Some(Operation::ListGrants)),
        with_body(Post, GRANTS, Json, Action::CreateGrant, Some(Operation::CreateGrant)),
        plain(Get, GRANT, Action::GetGrant, Some(Operation::GetGrant)),
        plain(Delete, GRANT, Action::DeleteGrant, Some(Operation::DeleteGrant)),
        plain(Get, GRANTED, Action::GetGrantedActions, Some(Operation::GetGrantedActions)),
        plain(Get, USER, Action::GetUser, None),
        plain(Get, PEOPLE, Action::ListDirectory(Kind::People), None),
        plain(Get, PERSON, Action::GetFromDirectory(Kind::People), None),
        plain(Get, ORGANIZATIONS, Action::ListDirectory(Kind::Organizations), None),
        plain(Get, ORGANIZATION, Action::GetFromDirectory(Kind::Organizations), None),
        plain(Get, COURSES, Action::ListDirectory(Kind::Courses), None),
        plain(Get, COURSE, Action::GetFromDirectory(Kind::Courses), None),
        plain(Get, ROOMS, Action::ListDirectory(Kind::Rooms), None),
        plain(Get, ROOM, Action::GetFromDirectory(Kind::Rooms), None),
    ]
};

/// The result of routing.
pub(crate) enum Found {
    /// A route, and the parameters in the path.
    Route(&'static Route, PathParameters),
    /// The path supports other methods: the value of the `Allow` header.
    OtherMethods(String),
    /// No route.
    Nothing,
}

/// Finds the route of a request by its method and its path, which is still percent-encoded.
pub(crate) fn find(method: &str, path: &str) -> Found {
    let verb = Verb::of(method);
    let mut others = Vec::new();
    for route in ROUTES {
        let Some(found) = parameters(route.path, path) else {
            continue;
        };
        if Some(route.verb) == verb {
            return Found::Route(route, found);
        }
        others.push(route.verb);
    }
    allow(others).map_or(Found::Nothing, Found::OtherMethods)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_found_by_method_and_path() {
        let action = |method, path| match find(method, path) {
            Found::Route(route, _) => Some(route.action),
            _ => None,
        };
        assert_eq!(action("HEAD", "/formalize/forms"), Some(Action::ListForms));
        assert_eq!(
            action("PATCH", "/formalize/submissions/x"),
            Some(Action::UpdateSubmission)
        );
        assert_eq!(action("GET", "/formalize/submissions/x/files"), None);
        let Found::OtherMethods(allow) = find("PUT", "/formalize/forms/x") else {
            panic!("the path has a route");
        };
        assert_eq!(allow, "GET, HEAD, PATCH, DELETE");
    }

    #[test]
    fn each_route_is_there_once() {
        for (at, route) in ROUTES.iter().enumerate() {
            let mut others = ROUTES.iter().take(at);
            assert!(
                !others.any(|other| (other.verb, other.path) == (route.verb, route.path)),
                "{} {}",
                route.verb.name(),
                route.path
            );
        }
    }
}
