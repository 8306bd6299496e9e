//! The records of a user, as the service returns them.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value returns null for a missing member"
)]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::Result;
use crate::client::Client;

/// All records of a user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Holdings {
    /// The forms that the user created, by identifier.
    pub(super) forms: BTreeMap<String, Form>,
    /// The groups that the user created, by identifier.
    pub(super) groups: BTreeMap<String, Group>,
}

/// A form with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// The current name.
    pub(super) name: String,
    /// How many submissions a creator may have.
    pub(super) cap: Option<u64>,
    /// How many submitted submissions it takes.
    pub(super) limit: Option<u64>,
    /// Whether its submissions use grants.
    pub(super) grant_based: bool,
    /// The grants on it except those of its creator and of public links: action and holder by identifier.
    pub(super) grants: BTreeMap<String, (String, String)>,
    /// The submissions of the user, by identifier.
    pub(super) submissions: BTreeMap<String, Submission>,
    /// The public links to it, each with its label.
    pub(super) links: BTreeMap<String, String>,
}

/// A submission with its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Submission {
    pub(super) state: String,
    pub(super) data: String,
    /// The contents of the files, by identifier.
    pub(super) files: BTreeMap<String, String>,
}

/// A group with its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The current name.
    pub(super) name: String,
    /// Users and groups, by the identifier of the membership.
    pub(super) members: BTreeMap<String, String>,
}

impl Form {
    /// Whether the limit of submitted submissions is reached.
    pub(super) fn is_at_limit(&self) -> bool {
        let submitted = self.submissions.values();
        let submitted = submitted.filter(|it| it.state == "submitted").count();
        let taken = u64::try_from(submitted).unwrap_or(u64::MAX);
        self.limit.is_some_and(|limit| taken >= limit)
    }
}

const FORM: &str = "DbpRelayFormalizeForm";
const COLLECTION: &str = "DbpRelayFormalizeSubmissionCollection";
const GROUP: &str = "DbpRelayAuthorizationGroup";
const SUBMISSION: &str = "DbpRelayFormalizeSubmission";

/// A grant that the user sees.
struct Grant {
    id: String,
    action: String,
    class: String,
    item: String,
    holder: String,
}

impl Holdings {
    /// Reads all records of `user` from the service.
    ///
    /// # Errors
    ///
    /// If a record is incomplete, for example a form without the grant to manage it or a wrong count, or if the service
    /// does not answer correctly.
    pub(super) async fn read(client: &Client, user: &str) -> Result<Self> {
        let grants = items(client, "/authorization/resource-action-grants?").await?;
        let grants: Vec<Grant> = grants.iter().map(grant).collect();
        let managed = |class: &str, item: &str| {
            let own = |grant: &&Grant| grant.class == class && grant.item == item;
            let mut own = grants.iter().filter(own);
            if own.any(|grant| grant.action == "manage" && grant.holder == user) {
                return Ok(());
            }
            Err(format!("{user} made {class} {item} and does not manage it"))
        };
        let mut holdings = Self::default();
        for listed in items(client, "/formalize/forms?").await? {
            let id = text(&listed, "identifier");
            managed(FORM, &id)?;
            let form = read_form(client, &id, &grants).await?;
            if form.grant_based {
                for submission in form.submissions.keys() {
                    managed(SUBMISSION, submission)?;
                }
            }
            holdings.forms.insert(id, form);
        }
        for listed in items(client, "/authorization/groups?").await? {
            let id = text(&listed, "identifier");
            managed(GROUP, &id)?;
            let path = format!("/authorization/groups-members?groupIdentifier={id}&");
            let members = items(client, &path).await?;
            let members = members.iter().map(|member| {
                let holder = holder(member, &["userIdentifier", "childGroupIdentifier"]);
                (text(member, "identifier"), holder)
            });
            let group = Group {
                name: text(&listed, "name"),
                members: members.collect(),
            };
            holdings.groups.insert(id, group);
        }
        holdings.nothing_left_over(&grants)?;
        Ok(holdings)
    }

    /// Fails for grants on resources that do not exist.
    fn nothing_left_over(&self, grants: &[Grant]) -> Result<()> {
        for grant in grants {
            let there = match grant.class.as_str() {
                FORM | COLLECTION => self.forms.contains_key(&grant.item),
                GROUP => self.groups.contains_key(&grant.item),
                SUBMISSION => {
                    let mut forms = self.forms.values();
                    forms.any(|form| form.submissions.contains_key(&grant.item))
                }
                _ => true,
            };
            if !there {
                let Grant {
                    id, class, item, ..
                } = grant;
                return Err(format!("grant {id} is on {class} {item}, which is not there").into());
            }
        }
        Ok(())
    }

    /// The number of records.
    pub(super) fn count(&self) -> usize {
        let forms = self.forms.values();
        let in_forms: usize = forms
            .map(|form| {
                let submissions = form.submissions.values().map(|it| 1 + it.files.len());
                1 + form.grants.len() + submissions.sum::<usize>() + form.links.len()
            })
            .sum();
        let groups = self.groups.values();
        in_forms + groups.map(|group| 1 + group.members.len()).sum::<usize>()
    }

    /// The identifiers of all files.
    pub(super) fn files(&self) -> impl Iterator<Item = &String> {
        let forms = self.forms.values();
        let submissions = forms.flat_map(|form| form.submissions.values());
        submissions.flat_map(|submission| submission.files.keys())
    }
}

async fn read_form(client: &Client, id: &str, grants: &[Grant]) -> Result<Form> {
    let (status, form) = client.get(&format!("/formalize/forms/{id}")).await?;
    if status != 200 {
        return Err(format!("form {id} is listed and answers {status}").into());
    }
    let path = format!("/formalize/submissions?formIdentifier={id}&");
    let submissions = items(client, &path).await?;
    let counted = form["numSubmissionsByCurrentUser"].as_u64();
    if counted != u64::try_from(submissions.len()).ok() {
        let there = submissions.len();
        return Err(format!("form {id} counts {counted:?} submissions of {there}").into());
    }
    let mut read = BTreeMap::new();
    for submission in &submissions {
        let identifier = text(submission, "identifier");
        let submission = Submission {
            state: text(submission, "submissionState"),
            data: text(submission, "dataFeedElement"),
            files: read_files(client, submission).await?,
        };
        read.insert(identifier, submission);
    }
    let own = grants
        .iter()
        .filter(|grant| grant.class == FORM && grant.item == id && grant.action != "manage");
    let (of_links, own): (Vec<&Grant>, Vec<&Grant>) =
        own.partition(|grant| grant.holder.starts_with("link:"));
    let path = format!("/formalize/form-links?formIdentifier={id}&");
    let links = items(client, &path).await?;
    let links = links
        .iter()
        .map(|link| (text(link, "identifier"), text(link, "label")));
    let links: BTreeMap<String, String> = links.collect();
    let holders: BTreeSet<String> = of_links.iter().map(|grant| grant.holder.clone()).collect();
    let expected: BTreeSet<String> = links.keys().map(|link| format!("link:{link}")).collect();
    if holders != expected || of_links.len() != links.len() {
        return Err(
            format!("form {id} has the links {expected:?} and grants of {holders:?}").into(),
        );
    }
    let own = own.into_iter().map(|grant| {
        (
            grant.id.clone(),
            (grant.action.clone(), grant.holder.clone()),
        )
    });
    Ok(Form {
        name: text(&form, "name"),
        cap: form["maxNumSubmissionsPerCreator"].as_u64(),
        limit: form["maxNumSubmissions"].as_u64(),
        grant_based: form["grantBasedSubmissionAuthorization"] == true,
        grants: own.collect(),
        submissions: read,
        links,
    })
}

/// The contents of the files of a submission.
async fn read_files(client: &Client, submission: &Value) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let path = format!("/formalize/submissions/{}", text(submission, "identifier"));
    for file in submission["submittedFiles"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let id = text(file, "identifier");
        let path = format!("{path}/files/{id}/content");
        match client.get(&path).await? {
            (200, Value::String(content)) => files.insert(id, content),
            (status, body) => return Err(format!("GET {path} answers {status}: {body}").into()),
        };
    }
    Ok(files)
}

fn grant(item: &Value) -> Grant {
    let holders = [
        "userIdentifier",
        "groupIdentifier",
        "dynamicGroupIdentifier",
    ];
    Grant {
        id: text(item, "identifier"),
        action: text(item, "action"),
        class: text(item, "resourceClass"),
        item: text(item, "resourceIdentifier"),
        holder: holder(item, &holders),
    }
}

fn holder(item: &Value, fields: &[&str]) -> String {
    let mut named = fields.iter().filter_map(|field| item[*field].as_str());
    named.next().unwrap_or_default().to_owned()
}

fn text(item: &Value, field: &str) -> String {
    item[field].as_str().unwrap_or_default().to_owned()
}

/// The items of a list that fits on one page.
async fn items(client: &Client, path: &str) -> Result<Vec<Value>> {
    let path = format!("{path}perPage=10000");
    let (status, page) = client.get(&path).await?;
    match page["items"].as_array() {
        Some(items) if status == 200 => Ok(items.clone()),
        _ => Err(format!("GET {path} answers {status}: {page}").into()),
    }
}
