//! The table of operations: how to call each one, and which single grants suffice.

use serde_json::{Value, json};

use super::stage::{Spot, Stage};
use crate::support::{
    ACTIONS, BATCH, CHECK, DYNAMIC_GROUPS, EVENTS, FORM_CLASS, FORM_LINKS, FORMS, GRANTED, GRANTS,
    GROUP_CLASS, GROUPS, MEMBERS, RESOURCES, SUBMISSIONS, WEBHOOKS, at, files, items, query,
    submission,
};

/// A grant: the resource and the action.
pub(super) type Entitlement = (Spot, &'static str);

/// How to call an operation.
pub(super) struct Row {
    /// The name in the OpenAPI document.
    pub(super) operation: &'static str,
    /// The path with its query, and the body.
    pub(super) ask: fn(&Stage) -> (String, Value),
    /// For operations that everybody may call: whether the response contains the item. Other operations return 403
    /// without permission.
    pub(super) shows: Option<fn(&Stage, &Value) -> bool>,
    pub(super) enough: Vec<Entitlement>,
    /// Alice created everything, and may create groups and forms.
    pub(super) alice: bool,
    pub(super) by_policy: ByPolicy,
    /// Whether every user with credentials may call it.
    pub(super) everybody: bool,
}

/// Who may call an operation through a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByPolicy {
    Nobody,
    /// Those who manage everything, which submissions are not part of.
    ManagersOfEverything,
    /// Those who manage the collections of all classes, and those who manage everything.
    Administrators,
}

/// An operation on a record, allowed for its creator, for holders of one of these grants, and for managers of everything.
fn about(
    operation: &'static str,
    ask: fn(&Stage) -> (String, Value),
    enough: &[Entitlement],
) -> Row {
    Row {
        operation,
        ask,
        shows: None,
        enough: enough.to_vec(),
        alice: true,
        by_policy: ByPolicy::ManagersOfEverything,
        everybody: false,
    }
}

fn for_everybody(operation: &'static str, ask: fn(&Stage) -> (String, Value)) -> Row {
    Row {
        everybody: true,
        ..about(operation, ask, &[])
    }
}

impl Row {
    fn showing(self, shows: fn(&Stage, &Value) -> bool) -> Self {
        Self {
            shows: Some(shows),
            ..self
        }
    }

    /// Allowed for administrators, too.
    fn and_admin(self) -> Self {
        Self {
            by_policy: ByPolicy::Administrators,
            ..self
        }
    }

    /// About a submission to which managers of its form have no access.
    fn not_even_root(self) -> Self {
        Self {
            by_policy: ByPolicy::Nobody,
            ..self
        }
    }

    /// Not allowed for Alice, who may not read the other group.
    fn not_even_alice(self) -> Self {
        Self {
            alice: false,
            ..self
        }
    }
}

const GROUP: fn(&Stage, &Value) -> bool = |stage, list| lists(list, &stage.group);
const FORM: fn(&Stage, &Value) -> bool = |stage, list| lists(list, &stage.form);

fn lists(list: &Value, identifier: &str) -> bool {
    let mut items = items(list).iter();
    items.any(|item| item["identifier"] == identifier)
}

fn get(path: String) -> (String, Value) {
    (path, Value::Null)
}

fn list(path: &str, parameters: &[(&str, &str)]) -> (String, Value) {
    let all = [parameters, &[("perPage", "10000")]].concat();
    (query(path, &all), Value::Null)
}

/// All actions on a spot.
fn any(spot: Spot) -> Vec<Entitlement> {
    let mut all = Spot::ALL.iter().filter(|(it, _)| *it == spot);
    let actions = all.next().map(|(_, actions)| *actions).unwrap_or_default();
    actions.iter().map(|action| (spot, *action)).collect()
}

pub(super) fn rows() -> Vec<Row> {
    [
        on_groups(),
        on_members(),
        on_resources(),
        on_grants(),
        on_actions(),
        on_forms(),
        on_events(),
        on_all_submissions(),
        on_one_submission(),
        on_files(),
        on_links(),
        on_webhooks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn on_events() -> Vec<Row> {
    use Spot::Form;
    let created = |_: &Stage| {
        let parameters = [("types", "form.created"), ("perPage", "1000")];
        get(query(EVENTS, &parameters))
    };
    let shows = |stage: &Stage, page: &Value| {
        let mut events = items(page).iter();
        events.any(|event| event["data"]["formIdentifier"] == stage.form.as_str())
    };
    let read = [(Form, "read"), (Form, "manage")];
    vec![about("listEvents", created, &read).showing(shows)]
}

fn on_groups() -> Vec<Row> {
    use Spot::{Group, Groups};
    let read = [(Group, "read"), (Group, "manage")];
    let create = [(Groups, "create"), (Groups, "manage")];
    let named = |_: &Stage| (GROUPS.to_owned(), json!({ "name": "New" }));
    let path = |stage: &Stage| get(at(GROUPS, &stage.group));
    vec![
        about("listGroups", |_| list(GROUPS, &[]), &read).showing(GROUP),
        about("createGroup", named, &create).and_admin(),
        about("getGroup", path, &read),
        about(
            "updateGroup",
            |stage| (at(GROUPS, &stage.group), json!({ "name": "Newer" })),
            &[(Group, "update"), (Group, "manage")],
        ),
        about("deleteGroup", path, &[(Group, "delete"), (Group, "manage")]),
    ]
}

fn on_members() -> Vec<Row> {
    use Spot::Group;
    let read = [(Group, "read"), (Group, "manage")];
    let path = |stage: &Stage| get(at(MEMBERS, &stage.member));
    vec![
        about(
            "listGroupMembers",
            |stage| list(MEMBERS, &[("groupIdentifier", &stage.group)]),
            &read,
        ),
        about(
            "createGroupMember",
            |stage| {
                let member = json!({ "groupIdentifier": stage.group, "userIdentifier": "eve" });
                (MEMBERS.to_owned(), member)
            },
            &[(Group, "add_members"), (Group, "manage")],
        ),
        // The child must be readable as well.
        about(
            "createGroupMember",
            |stage| {
                let (group, child) = (&stage.group, &stage.hidden_group);
                let member = json!({ "groupIdentifier": group, "childGroupIdentifier": child });
                (MEMBERS.to_owned(), member)
            },
            &[],
        )
        .not_even_alice(),
        about("getGroupMember", path, &read),
        about(
            "deleteGroupMember",
            path,
            &[(Group, "delete_members"), (Group, "manage")],
        ),
    ]
}

fn on_resources() -> Vec<Row> {
    use Spot::{Form, Group, Submission, SubmissionsOfForm};
    let form = [any(Form), any(SubmissionsOfForm)].concat();
    let submission = [
        any(Submission),
        any(SubmissionsOfForm),
        vec![
            (Form, "manage"),
            (Form, "read_submissions"),
            (Form, "update_submissions"),
            (Form, "delete_submissions"),
        ],
    ]
    .concat();
    let submission: Vec<_> = submission
        .into_iter()
        .filter(|it| *it != (SubmissionsOfForm, "create_submissions"))
        .collect();
    let all = |_: &Stage| list(RESOURCES, &[]);
    vec![
        about("listResources", all, &any(Group))
            .showing(|stage, page| lists(page, &stage.resource)),
        about("listResources", all, &form).showing(|stage, page| lists(page, &stage.form_resource)),
        about("listResources", all, &submission)
            .showing(|stage, page| lists(page, &stage.submission_resource)),
        about(
            "getResource",
            |stage| get(at(RESOURCES, &stage.resource)),
            &any(Group),
        ),
        about(
            "getResource",
            |stage| get(at(RESOURCES, &stage.form_resource)),
            &form,
        ),
        about(
            "getResource",
            |stage| get(at(RESOURCES, &stage.submission_resource)),
            &submission,
        ),
    ]
}

fn on_grants() -> Vec<Row> {
    use Spot::{Form, Group, Groups, Submission, SubmissionsOfForm};
    let manage = [(Group, "manage")];
    let path = |stage: &Stage| get(at(GRANTS, &stage.grant));
    let create = "createResourceActionGrant";
    vec![
        about("listResourceActionGrants", |_| list(GRANTS, &[]), &manage)
            .showing(|stage, page| lists(page, &stage.grant)),
        about(
            create,
            |stage| (GRANTS.to_owned(), stage.new_grant(Group, "read")),
            &manage,
        ),
        about(
            create,
            |stage| {
                let record = &stage.resource;
                let grant = json!({
                    "action": "read", "authorizationResourceIdentifier": record, "userIdentifier": "eve",
                });
                (GRANTS.to_owned(), grant)
            },
            &manage,
        ),
        about(
            create,
            |stage| (GRANTS.to_owned(), stage.new_grant(Form, "read")),
            &[(Form, "manage")],
        ),
        about(
            create,
            |stage| {
                (
                    GRANTS.to_owned(),
                    stage.new_grant(SubmissionsOfForm, "read"),
                )
            },
            &[(Form, "manage"), (SubmissionsOfForm, "manage")],
        ),
        about(
            create,
            |stage| (GRANTS.to_owned(), stage.new_grant(Submission, "read")),
            &[(Submission, "manage")],
        )
        .not_even_root(),
        about(
            create,
            |stage| (GRANTS.to_owned(), stage.new_grant(Groups, "create")),
            &[(Groups, "manage")],
        )
        .and_admin(),
        about("getResourceActionGrant", path, &manage),
        about("deleteResourceActionGrant", path, &manage),
    ]
}

fn on_actions() -> Vec<Row> {
    use Spot::{Group, Groups};
    const HAS_ACTIONS: fn(&Stage, &Value) -> bool = |_, granted| {
        granted["actions"]
            .as_array()
            .is_some_and(|it| !it.is_empty())
    };
    vec![
        about(
            "listAvailableResourceClassActions",
            |_| list(ACTIONS, &[]),
            &[any(Group), any(Groups)].concat(),
        )
        .showing(|_, page| {
            items(page)
                .iter()
                .any(|it| it["resourceClass"] == GROUP_CLASS)
        })
        .and_admin(),
        for_everybody("getAvailableResourceClassActions", |_| {
            get(at(ACTIONS, FORM_CLASS))
        }),
        for_everybody("listDynamicGroups", |_| list(DYNAMIC_GROUPS, &[])),
        for_everybody("getMe", |_| get("/me".to_owned())),
        for_everybody("getDynamicGroup", |_| get(at(DYNAMIC_GROUPS, "staff"))),
        about(
            "getGrantedActions",
            |stage| get(format!("{GRANTED}/{GROUP_CLASS}/{}", stage.group)),
            &any(Group),
        )
        .showing(HAS_ACTIONS),
        about(
            "getCollectionGrantedActions",
            |_| get(at(GRANTED, GROUP_CLASS)),
            &any(Groups),
        )
        .showing(HAS_ACTIONS)
        .and_admin(),
        about(
            "checkActions",
            |stage| {
                let check = json!({ "resourceClass": GROUP_CLASS, "resourceIdentifier": stage.group, "action": "read" });
                (CHECK.to_owned(), check)
            },
            &[(Group, "read"), (Group, "manage")],
        )
        .showing(|_, checked| checked["results"][0]["allowed"] == true),
    ]
}

fn on_forms() -> Vec<Row> {
    use Spot::{Form, Forms, SubmissionsOfForm};
    let read = [(Form, "read"), (Form, "manage")];
    let path = |stage: &Stage| get(at(FORMS, &stage.form));
    vec![
        about("listForms", |_| list(FORMS, &[]), &read).showing(FORM),
        about(
            "createForm",
            |_| (FORMS.to_owned(), json!({ "name": "New" })),
            &[(Forms, "create"), (Forms, "manage")],
        )
        .and_admin(),
        about("getForm", path, &read),
        about(
            "getFormQuestions",
            |stage| (format!("{}/questions", at(FORMS, &stage.form)), json!({})),
            &[
                (Form, "read"),
                (Form, "create_submissions"),
                (Form, "manage"),
                (SubmissionsOfForm, "create_submissions"),
                (SubmissionsOfForm, "manage"),
            ],
        ),
        about(
            "updateForm",
            |stage| (at(FORMS, &stage.form), json!({ "name": "Newer" })),
            &[(Form, "update"), (Form, "manage")],
        ),
        about("deleteForm", path, &[(Form, "delete"), (Form, "manage")]),
    ]
}

/// Grants that allow doing something with all submissions of the form.
fn with_all(on_form: &'static str, on_collection: &'static str) -> Vec<Entitlement> {
    use Spot::{Form, SubmissionsOfForm};
    vec![
        (Form, "manage"),
        (Form, on_form),
        (SubmissionsOfForm, "manage"),
        (SubmissionsOfForm, on_collection),
    ]
}

fn on_all_submissions() -> Vec<Row> {
    let of_form = |stage: &Stage| list(SUBMISSIONS, &[("formIdentifier", &stage.form)]);
    let export = |stage: &Stage| {
        let parameters = [("formIdentifier", &*stage.form), ("format", "json")];
        get(query("/formalize/submissions/export", &parameters))
    };
    let summary = |stage: &Stage| {
        let path = "/formalize/submissions/summary";
        get(query(path, &[("formIdentifier", &stage.form)]))
    };
    let read = [with_all("read_submissions", "read"), on_own("read")].concat();
    vec![
        about("exportSubmissions", export, &read)
            .showing(|stage, page| lists(page, &stage.submission)),
        about("exportSubmissions", export, &[])
            .showing(|stage, page| lists(page, &stage.draft))
            .not_even_root(),
        about("summarizeSubmissions", summary, &read)
            .showing(|_, summary| summary["numSubmissions"].as_u64() > Some(0)),
        about("listSubmissions", of_form, &read)
            .showing(|stage, page| lists(page, &stage.submission)),
        about("listSubmissions", of_form, &[])
            .showing(|stage, page| lists(page, &stage.draft))
            .not_even_root(),
        about(
            "createSubmission",
            |stage| (SUBMISSIONS.to_owned(), submission(&stage.form, "{}")),
            &with_all("create_submissions", "create_submissions"),
        ),
        about(
            "createSubmissions",
            |stage| {
                let batch = json!({ "formIdentifier": stage.form, "submissions": [{}] });
                (BATCH.to_owned(), batch)
            },
            &with_all("create_submissions", "create_submissions"),
        ),
        about(
            "deleteSubmissions",
            |stage| get(query(SUBMISSIONS, &[("formIdentifier", &stage.form)])),
            &with_all("delete_submissions", "delete"),
        ),
    ]
}

/// Grants that allow doing something with this one submission.
fn on_own(action: &'static str) -> Vec<Entitlement> {
    vec![(Spot::Submission, "manage"), (Spot::Submission, action)]
}

fn on_one_submission() -> Vec<Row> {
    let path = |stage: &Stage| get(at(SUBMISSIONS, &stage.submission));
    let of_draft = |stage: &Stage| get(at(SUBMISSIONS, &stage.draft));
    let changed = |stage: &Stage| {
        let change = json!({ "dataFeedElement": "{}" });
        (at(SUBMISSIONS, &stage.submission), change)
    };
    let submitted_with = |stage: &Stage| (at(SUBMISSIONS, &stage.draft), json!({}));
    vec![
        about(
            "getSubmission",
            path,
            &[with_all("read_submissions", "read"), on_own("read")].concat(),
        ),
        about(
            "updateSubmission",
            changed,
            &[with_all("update_submissions", "update"), on_own("update")].concat(),
        ),
        about(
            "deleteSubmission",
            path,
            &[with_all("delete_submissions", "delete"), on_own("delete")].concat(),
        ),
        about("getSubmission", of_draft, &[]).not_even_root(),
        about("updateSubmission", submitted_with, &[]).not_even_root(),
        about("deleteSubmission", of_draft, &[]).not_even_root(),
    ]
}

fn on_files() -> Vec<Row> {
    let read = [with_all("read_submissions", "read"), on_own("read")].concat();
    let update = [with_all("update_submissions", "update"), on_own("update")].concat();
    let file = |stage: &Stage| get(at(&files(&stage.submission), &stage.file));
    let added = |stage: &Stage| {
        let parameters = [("fileAttributeName", "cv"), ("fileName", "new.json")];
        (query(&files(&stage.submission), &parameters), json!({}))
    };
    let of_draft = |stage: &Stage| get(files(&stage.draft));
    vec![
        about(
            "listSubmittedFiles",
            |stage| get(files(&stage.submission)),
            &read,
        ),
        about("addSubmittedFile", added, &update),
        about("getSubmittedFile", file, &read),
        about(
            "getSubmittedFileContent",
            |stage| {
                let file = at(&files(&stage.submission), &stage.file);
                get(format!("{file}/content"))
            },
            &read,
        ),
        about("removeSubmittedFile", file, &update),
        about("listSubmittedFiles", of_draft, &[]).not_even_root(),
    ]
}

fn on_links() -> Vec<Row> {
    let manage = [(Spot::Form, "manage")];
    let path = |stage: &Stage| get(at(FORM_LINKS, &stage.link));
    vec![
        about(
            "listFormLinks",
            |stage| list(FORM_LINKS, &[("formIdentifier", &stage.form)]),
            &manage,
        ),
        about(
            "createFormLink",
            |stage| {
                let link = json!({ "formIdentifier": stage.form });
                (FORM_LINKS.to_owned(), link)
            },
            &manage,
        ),
        about("getFormLink", path, &manage),
        about(
            "updateFormLink",
            |stage| (at(FORM_LINKS, &stage.link), json!({ "label": "New" })),
            &manage,
        ),
        about("deleteFormLink", path, &manage),
    ]
}

fn on_webhooks() -> Vec<Row> {
    let manage = [(Spot::Form, "manage")];
    let path = |stage: &Stage| get(at(WEBHOOKS, &stage.webhook));
    let shows = |stage: &Stage, list: &Value| lists(list, &stage.webhook);
    vec![
        about("listWebhooks", |_| list(WEBHOOKS, &[]), &manage).showing(shows),
        about(
            "createWebhook",
            |stage| {
                let url = "https://example.org/other";
                let webhook = json!({ "formIdentifier": stage.form, "url": url });
                (WEBHOOKS.to_owned(), webhook)
            },
            &manage,
        ),
        about("getWebhook", path, &manage),
        about(
            "updateWebhook",
            |stage| (at(WEBHOOKS, &stage.webhook), json!({ "payload": "thin" })),
            &manage,
        ),
        about("deleteWebhook", path, &manage),
        about(
            "rotateWebhookSecret",
            |stage| under(stage, "rotate-secret"),
            &manage,
        ),
        about("testWebhook", |stage| under(stage, "test"), &manage),
        about(
            "resendWebhookDeliveries",
            |stage| {
                let (path, _) = under(stage, "resend");
                (path, json!({ "deliveries": [stage.delivery] }))
            },
            &manage,
        ),
        about(
            "listWebhookDeliveries",
            |stage| get(under(stage, "deliveries").0),
            &manage,
        ),
        about(
            "getWebhookDelivery",
            |stage| get(under(stage, &format!("deliveries/{}", stage.delivery)).0),
            &manage,
        ),
    ]
}

/// A route of the webhook, and an empty body.
fn under(stage: &Stage, route: &str) -> (String, Value) {
    let webhook = at(WEBHOOKS, &stage.webhook);
    (format!("{webhook}/{route}"), json!({}))
}
