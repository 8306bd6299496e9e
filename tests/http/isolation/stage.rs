//! The records of the matrix: one of every kind, all created by Alice.

use formalize_core::{Action, Caller, NewGrant, Subject, authorization::NamedResource};
use serde_json::{Value, json};

use crate::support::{
    App, COLLECTION_CLASS, FORM_CLASS, FORM_LINKS, FORMS, GRANTS, GROUP_CLASS, GROUPS, MEMBERS,
    RESOURCES, SUBMISSION_CLASS, SUBMISSIONS, WEBHOOKS, at, draft, each, grant, id, items, query,
    submission,
};

/// A resource on the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    Group,
    Groups,
    Form,
    Forms,
    SubmissionsOfForm,
    SubmissionCollections,
    Submission,
    Submissions,
}

impl Spot {
    /// Every spot with the actions that can be granted on it.
    pub(super) const ALL: [(Self, &[&str]); 8] = [
        (
            Self::Group,
            &[
                "manage",
                "read",
                "update",
                "delete",
                "add_members",
                "delete_members",
            ],
        ),
        (Self::Groups, &["manage", "create"]),
        (
            Self::Form,
            &[
                "manage",
                "read",
                "update",
                "delete",
                "create_submissions",
                "read_submissions",
                "update_submissions",
                "delete_submissions",
            ],
        ),
        (Self::Forms, &["manage", "create"]),
        (
            Self::SubmissionsOfForm,
            &["manage", "create_submissions", "read", "update", "delete"],
        ),
        (Self::SubmissionCollections, &["manage"]),
        (Self::Submission, &["manage", "read", "update", "delete"]),
        (Self::Submissions, &["manage"]),
    ];

    fn class(self) -> &'static str {
        match self {
            Self::Group | Self::Groups => GROUP_CLASS,
            Self::Form | Self::Forms => FORM_CLASS,
            Self::SubmissionsOfForm | Self::SubmissionCollections => COLLECTION_CLASS,
            Self::Submission | Self::Submissions => SUBMISSION_CLASS,
        }
    }
}

/// The records, by their identifiers.
pub(super) struct Stage {
    pub(super) group: String,
    /// A group that Alice may not read.
    pub(super) hidden_group: String,
    /// A membership of a user in the group.
    pub(super) member: String,
    /// The resource of the group.
    pub(super) resource: String,
    pub(super) form_resource: String,
    pub(super) submission_resource: String,
    /// A grant on the group.
    pub(super) grant: String,
    pub(super) form: String,
    pub(super) submission: String,
    pub(super) draft: String,
    /// A file of the submission.
    pub(super) file: String,
    /// A public link to the form.
    pub(super) link: String,
    /// A webhook of the form.
    pub(super) webhook: String,
    /// A delivery of the webhook.
    pub(super) delivery: String,
}

impl Stage {
    /// Submissions use grants, which apply in every state.
    pub(super) async fn build(app: &App) -> Self {
        let alice = app.alice();
        let group = app.group("Editors").await;
        let hidden = app
            .admin()
            .post(GROUPS, json!({ "name": "Hidden" }))
            .await
            .expect(201);
        let member = json!({ "groupIdentifier": group, "userIdentifier": "dora" });
        let member = alice.post(MEMBERS, member).await.expect(201);
        let grant = app.share_group(&group, "read", "dora").await;
        let form = form(app).await;
        let submitted = alice.post(SUBMISSIONS, submission(&form, "{}")).await;
        let submitted = id(&submitted.expect(201));
        let file = alice.add_file(&submitted, "cv", "cv.txt", "text").await;
        let file = id(&file.expect(201));
        let draft = alice
            .post(SUBMISSIONS, draft(&form, "{}"))
            .await
            .expect(201);
        let link = json!({ "formIdentifier": form });
        let link = alice.post(FORM_LINKS, link).await.expect(201);
        let webhook = json!({ "formIdentifier": form, "url": "https://example.org/hook" });
        let webhook = id(&alice.post(WEBHOOKS, webhook).await.expect(201));
        let path = at(WEBHOOKS, &webhook);
        let everything = json!({ "since": "2020-01-01T00:00:00Z", "state": "all" });
        let resend = format!("{path}/resend");
        alice.post(&resend, everything).await.expect(202);
        let deliveries = alice.get(&format!("{path}/deliveries")).await.expect(200);
        Self {
            delivery: id(&items(&deliveries)[0]),
            webhook,
            link: id(&link),
            resource: record(app, GROUP_CLASS, &group).await,
            form_resource: record(app, FORM_CLASS, &form).await,
            submission_resource: record(app, SUBMISSION_CLASS, &submitted).await,
            hidden_group: id(&hidden),
            member: id(&member),
            grant: id(&grant),
            group,
            form,
            submission: submitted,
            draft: id(&draft),
            file,
        }
    }

    /// The class and identifier of the resource at a spot.
    pub(super) fn at(&self, spot: Spot) -> (&'static str, Option<&str>) {
        let identifier = match spot {
            Spot::Group => Some(self.group.as_str()),
            Spot::Form | Spot::SubmissionsOfForm => Some(self.form.as_str()),
            Spot::Submission => Some(self.submission.as_str()),
            _ => None,
        };
        (spot.class(), identifier)
    }

    /// Creates a grant as the system.
    pub(super) async fn grant(&self, app: &App, subject: &Subject, spot: Spot, action: &str) {
        let (class, identifier) = self.at(spot);
        let new = NewGrant {
            subject: subject.clone(),
            action: Action::new(action).unwrap(),
            resource: NamedResource {
                class: Some(class.to_owned()),
                identifier: identifier.map(str::to_owned),
                record: None,
            },
        };
        let grants = app.formalize.grants();
        grants.create(&Caller::System, new).await.unwrap();
    }

    /// The body of a grant of `read` to a new user on the resource at a spot.
    pub(super) fn new_grant(&self, spot: Spot, action: &str) -> Value {
        let (class, identifier) = self.at(spot);
        grant(
            action,
            class,
            identifier,
            json!({ "userIdentifier": "eve" }),
        )
    }

    /// All identifiers.
    pub(super) fn identifiers(&self) -> [&str; 10] {
        [
            &self.group,
            &self.hidden_group,
            &self.member,
            &self.resource,
            &self.form_resource,
            &self.submission_resource,
            &self.grant,
            &self.form,
            &self.submission,
            &self.draft,
        ]
    }

    /// Deletes all of Alice's records as the system.
    pub(super) async fn strike(&self, app: &App) {
        let system = &Caller::System;
        let group = self.group.parse::<formalize_core::GroupId>().unwrap();
        app.formalize.groups().delete(system, group).await.unwrap();
        let form = self.form.parse::<formalize_core::FormId>().unwrap();
        app.formalize.forms().delete(system, form).await.unwrap();
    }

    /// Adds many more records of every kind, which must not be visible to others.
    pub(super) async fn enrich(&self, app: &App) {
        let alice = app.alice();
        for user in ["eve", "frank"] {
            let member = json!({ "groupIdentifier": self.group, "userIdentifier": user });
            alice.post(MEMBERS, member).await.expect(201);
            app.share_group(&self.group, "update", user).await;
            let holder = json!({ "userIdentifier": user });
            app.share_form(&self.form, "read_submissions", holder).await;
        }
        for data in [r#"{"a": 1}"#, r#"{"a": "secret"}"#] {
            let made = alice.post(SUBMISSIONS, submission(&self.form, data)).await;
            made.expect(201);
        }
        let name = json!({ "name": "Inner circle" });
        alice
            .patch(&at(GROUPS, &self.group), name)
            .await
            .expect(200);
        let closed = json!({
            "name": "Secrets",
            "maxNumSubmissionsPerCreator": 0,
            "maxNumSubmissions": 0,
            "availabilityEnds": "2001-01-01",
            "allowedSubmissionStates": ["draft"],
            "allowedActionsWhenSubmitted": [],
            "dataFeedSchema": r#"{"required": ["a"]}"#,
        });
        alice
            .patch(&at(FORMS, &self.form), closed)
            .await
            .expect(200);
        let shared = grant(
            "read",
            SUBMISSION_CLASS,
            Some(&self.draft),
            json!({ "userIdentifier": "eve" }),
        );
        alice.post(GRANTS, shared).await.expect(201);
    }
}

async fn form(app: &App) -> String {
    let form = json!({
        "grantBasedSubmissionAuthorization": true,
        "allowedSubmissionStates": ["draft", "submitted"],
        "allowedActionsWhenSubmitted": ["read", "update", "delete", "manage"],
        "dataFeedSchema": r#"{"additionalFiles": {"minNumber": 0, "maxNumber": 9, "allowedMimeTypes": ["*/*"]}}"#,
    });
    id(&app.form(form).await)
}

/// The record of a resource as Alice sees it.
async fn record(app: &App, class: &str, identifier: &str) -> String {
    let filter = [("resourceClass", class), ("resourceIdentifier", identifier)];
    let list = app
        .alice()
        .get(&query(RESOURCES, &filter))
        .await
        .expect(200);
    each(&list, "identifier")[0].to_owned()
}
