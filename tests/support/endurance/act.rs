//! The requests that users make.

use reqwest::Method;
use serde_json::{Value, json};

use super::holdings::Holdings;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// Creates a form together with the grant to manage it.
    CreateForm {
        name: String,
        cap: Option<u64>,
        limit: Option<u64>,
        grant_based: bool,
    },
    /// Changes the name of a form.
    RenameForm { form: String, name: String },
    /// Deletes a form with all that belongs to it.
    DeleteForm { form: String },
    /// Grants an action on a form to a user or to a group.
    Grant {
        form: String,
        action: &'static str,
        user: Option<String>,
        group: Option<String>,
    },
    /// Deletes a grant.
    Revoke { form: String, grant: String },
    /// Creates a submission.
    Submit {
        form: String,
        state: &'static str,
        data: String,
    },
    /// Changes a submission. A draft becomes submitted.
    Resubmit {
        form: String,
        submission: String,
        data: String,
    },
    /// Deletes a submission.
    Withdraw { form: String, submission: String },
    /// Adds a file to a submission.
    AddFile {
        form: String,
        submission: String,
        content: String,
    },
    /// Removes a file from a submission.
    RemoveFile {
        form: String,
        submission: String,
        file: String,
    },
    /// Deletes all submissions of a form that are not drafts.
    Clear { form: String },
    /// Creates a public link to a form together with its grant.
    CreateLink { form: String, label: String },
    /// Deletes a public link with its grant.
    DeleteLink { form: String, link: String },
    /// Creates a group together with the grant to manage it.
    CreateGroup { name: String },
    /// Deletes a group with its memberships and grants.
    DeleteGroup { group: String },
    /// Makes a user or a group a member of a group.
    Join {
        group: String,
        user: Option<String>,
        child: Option<String>,
    },
    /// Removes a member from a group.
    Leave { group: String, membership: String },
    /// Only reads.
    Look { path: String },
}

/// The schema of every form.
const SCHEMA: &str = r#"{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}},
    "files": {"f": {"minNumber": 0, "maxNumber": 3, "allowedMimeTypes": ["*/*"]}}}"#;

impl Act {
    /// The request: method, path and body.
    pub(super) fn request(&self) -> (Method, String, Option<Value>) {
        let post = |path: &str, body| (Method::POST, path.to_owned(), Some(body));
        let patch = |path: String, body| (Method::PATCH, path, Some(body));
        let delete = |path: String| (Method::DELETE, path, None);
        match self {
            Self::CreateForm {
                name,
                cap,
                limit,
                grant_based,
            } => post(
                "/formalize/forms",
                json!({"name": name, "dataFeedSchema": SCHEMA, "maxNumSubmissionsPerCreator": cap,
                    "maxNumSubmissions": limit, "grantBasedSubmissionAuthorization": grant_based,
                    "allowedSubmissionStates": ["draft", "submitted"],
                    "allowedActionsWhenSubmitted": ["read", "update", "delete", "manage"]}),
            ),
            Self::RenameForm { form, name } => {
                patch(format!("/formalize/forms/{form}"), json!({"name": name}))
            }
            Self::DeleteForm { form } => delete(format!("/formalize/forms/{form}")),
            Self::Grant {
                form,
                action,
                user,
                group,
            } => post(
                "/authorization/resource-action-grants",
                json!({"resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form,
                    "action": action, "userIdentifier": user, "groupIdentifier": group}),
            ),
            Self::Revoke { grant, .. } => {
                delete(format!("/authorization/resource-action-grants/{grant}"))
            }
            Self::Submit { form, state, data } => post(
                "/formalize/submissions",
                json!({"formIdentifier": form, "submissionState": state, "dataFeedElement": data}),
            ),
            Self::Resubmit {
                submission, data, ..
            } => patch(
                format!("/formalize/submissions/{submission}"),
                json!({"dataFeedElement": data, "submissionState": "submitted"}),
            ),
            Self::Withdraw { submission, .. } => {
                delete(format!("/formalize/submissions/{submission}"))
            }
            Self::AddFile {
                submission,
                content,
                ..
            } => post(
                &format!("/formalize/submissions/{submission}/files?fileAttributeName=f"),
                json!(content),
            ),
            Self::RemoveFile {
                submission, file, ..
            } => delete(format!("/formalize/submissions/{submission}/files/{file}")),
            Self::Clear { form } => delete(format!("/formalize/submissions?formIdentifier={form}")),
            Self::CreateLink { form, label } => post(
                "/formalize/form-links",
                json!({"formIdentifier": form, "label": label}),
            ),
            Self::DeleteLink { link, .. } => delete(format!("/formalize/form-links/{link}")),
            Self::CreateGroup { name } => post("/authorization/groups", json!({"name": name})),
            Self::DeleteGroup { group } => delete(format!("/authorization/groups/{group}")),
            Self::Join { group, user, child } => post(
                "/authorization/groups-members",
                json!({"groupIdentifier": group, "userIdentifier": user, "childGroupIdentifier": child}),
            ),
            Self::Leave { membership, .. } => {
                delete(format!("/authorization/groups-members/{membership}"))
            }
            Self::Look { path } => (Method::GET, path.clone(), None),
        }
    }

    /// The expected status of the response.
    pub(super) fn expected(&self, has: &Holdings) -> u16 {
        match self {
            Self::Submit { form, state, .. } if is_full(has, form, state) => 403,
            Self::Resubmit {
                form, submission, ..
            } if is_draft_of_full(has, form, submission) => 403,
            Self::CreateForm { .. }
            | Self::Grant { .. }
            | Self::Submit { .. }
            | Self::AddFile { .. }
            | Self::CreateLink { .. }
            | Self::CreateGroup { .. }
            | Self::Join { .. } => 201,
            Self::RenameForm { .. } | Self::Resubmit { .. } | Self::Look { .. } => 200,
            Self::DeleteForm { .. }
            | Self::Revoke { .. }
            | Self::Withdraw { .. }
            | Self::RemoveFile { .. }
            | Self::Clear { .. }
            | Self::DeleteLink { .. }
            | Self::DeleteGroup { .. }
            | Self::Leave { .. } => 204,
        }
    }

    /// Whether the request may have an idempotency key.
    pub(super) fn takes_key(&self) -> bool {
        matches!(
            self,
            Self::CreateForm { .. }
                | Self::Grant { .. }
                | Self::Submit { .. }
                | Self::CreateGroup { .. }
                | Self::Join { .. }
        )
    }

    /// Whether the request deletes one record, so that it has the same effect if it is performed twice.
    pub(super) fn deletes_one(&self) -> bool {
        matches!(
            self,
            Self::DeleteForm { .. }
                | Self::Revoke { .. }
                | Self::Withdraw { .. }
                | Self::RemoveFile { .. }
                | Self::DeleteLink { .. }
                | Self::DeleteGroup { .. }
                | Self::Leave { .. }
        )
    }

    /// Whether a successful request writes.
    pub(super) fn writes(&self) -> bool {
        !matches!(self, Self::Look { .. })
    }
}

/// Whether another submission in this state would exceed the cap or the limit of the form.
fn is_full(has: &Holdings, form: &str, state: &str) -> bool {
    has.forms.get(form).is_some_and(|form| {
        let taken = u64::try_from(form.submissions.len()).unwrap_or(u64::MAX);
        form.cap.is_some_and(|cap| taken >= cap) || (state == "submitted" && form.is_at_limit())
    })
}

fn is_draft_of_full(has: &Holdings, form: &str, submission: &str) -> bool {
    has.forms.get(form).is_some_and(|form| {
        let found = form.submissions.get(submission);
        found.is_some_and(|it| it.state == "draft") && form.is_at_limit()
    })
}
