//! The effect of acts on the records of users.

use std::collections::BTreeMap;

use super::act::Act;
use super::holdings::{Form, Group, Holdings, Submission};

impl Holdings {
    /// Updates the records after an act; `made` is the identifier of a created record.
    pub(super) fn apply(&mut self, act: &Act, made: &str) {
        let made = made.to_owned();
        match act {
            Act::CreateForm {
                name,
                cap,
                limit,
                grant_based,
            } => {
                let form = Form {
                    name: name.clone(),
                    cap: *cap,
                    limit: *limit,
                    grant_based: *grant_based,
                    grants: BTreeMap::new(),
                    submissions: BTreeMap::new(),
                    links: BTreeMap::new(),
                };
                self.forms.insert(made, form);
            }
            Act::DeleteForm { form } => {
                self.forms.remove(form);
            }
            Act::CreateGroup { name } => {
                let group = Group {
                    name: name.clone(),
                    members: BTreeMap::new(),
                };
                self.groups.insert(made, group);
            }
            Act::DeleteGroup { group } => self.without_group(group),
            Act::Join { group, user, child } => {
                if let (Some(group), Some(member)) =
                    (self.groups.get_mut(group), user.as_ref().or(child.as_ref()))
                {
                    group.members.insert(made, member.clone());
                }
            }
            Act::Leave { group, membership } => {
                if let Some(group) = self.groups.get_mut(group) {
                    group.members.remove(membership);
                }
            }
            Act::Look { .. } => {}
            Act::RenameForm { form, .. }
            | Act::Grant { form, .. }
            | Act::Revoke { form, .. }
            | Act::Submit { form, .. }
            | Act::Resubmit { form, .. }
            | Act::Withdraw { form, .. }
            | Act::AddFile { form, .. }
            | Act::RemoveFile { form, .. }
            | Act::CreateLink { form, .. }
            | Act::DeleteLink { form, .. }
            | Act::Clear { form } => {
                if let Some(form) = self.forms.get_mut(form) {
                    form.apply(act, made);
                }
            }
        }
    }

    fn without_group(&mut self, group: &str) {
        self.groups.remove(group);
        for other in self.groups.values_mut() {
            other.members.retain(|_, member| member != group);
        }
        for form in self.forms.values_mut() {
            form.grants.retain(|_, (_, holder)| holder != group);
        }
    }

    /// Finds the identifier of the record that an act created by comparing with the records before it, if it was
    /// carried out.
    pub(super) fn made_since<'a>(&'a self, before: &'a Self, act: &Act) -> String {
        fn new<T, U>(
            now: Option<&BTreeMap<String, T>>,
            before: Option<&BTreeMap<String, U>>,
        ) -> String {
            let mut now = now.into_iter().flat_map(|now| now.keys());
            let new = now.find(|id| before.is_none_or(|before| !before.contains_key(*id)));
            new.cloned().unwrap_or_default()
        }
        let forms = |form| (self.forms.get(form), before.forms.get(form));
        match act {
            Act::CreateForm { .. } => new(Some(&self.forms), Some(&before.forms)),
            Act::CreateGroup { .. } => new(Some(&self.groups), Some(&before.groups)),
            Act::Grant { form, .. } => {
                let (now, before) = forms(form);
                new(now.map(|it| &it.grants), before.map(|it| &it.grants))
            }
            Act::Submit { form, .. } => {
                let (now, before) = forms(form);
                new(
                    now.map(|it| &it.submissions),
                    before.map(|it| &it.submissions),
                )
            }
            Act::AddFile {
                form, submission, ..
            } => {
                let files = |form: Option<&'a Form>| {
                    form.and_then(|it| it.submissions.get(submission))
                        .map(|it| &it.files)
                };
                let (now, before) = forms(form);
                new(files(now), files(before))
            }
            Act::CreateLink { form, .. } => {
                let (now, before) = forms(form);
                new(now.map(|it| &it.links), before.map(|it| &it.links))
            }
            Act::Join { group, .. } => {
                let (now, before) = (self.groups.get(group), before.groups.get(group));
                new(now.map(|it| &it.members), before.map(|it| &it.members))
            }
            _ => String::new(),
        }
    }
}

impl Form {
    fn apply(&mut self, act: &Act, made: String) {
        match act {
            Act::RenameForm { name, .. } => self.name.clone_from(name),
            Act::Grant {
                action,
                user,
                group,
                ..
            } => {
                let holder = user.as_ref().or(group.as_ref());
                let holder = holder.cloned().unwrap_or_default();
                self.grants.insert(made, ((*action).to_owned(), holder));
            }
            Act::Revoke { grant, .. } => {
                self.grants.remove(grant);
            }
            Act::Submit { state, data, .. } => {
                let submission = Submission {
                    state: (*state).to_owned(),
                    data: data.clone(),
                    files: BTreeMap::new(),
                };
                self.submissions.insert(made, submission);
            }
            Act::Resubmit {
                submission, data, ..
            } => {
                if let Some(submission) = self.submissions.get_mut(submission) {
                    "submitted".clone_into(&mut submission.state);
                    submission.data.clone_from(data);
                }
            }
            Act::AddFile {
                submission,
                content,
                ..
            } => {
                if let Some(submission) = self.submissions.get_mut(submission) {
                    submission.files.insert(made, content.clone());
                }
            }
            Act::RemoveFile {
                submission, file, ..
            } => {
                if let Some(submission) = self.submissions.get_mut(submission) {
                    submission.files.remove(file);
                }
            }
            Act::Withdraw { submission, .. } => {
                self.submissions.remove(submission);
            }
            Act::CreateLink { label, .. } => {
                self.links.insert(made, label.clone());
            }
            Act::DeleteLink { link, .. } => {
                self.links.remove(link);
            }
            Act::Clear { .. } => self.submissions.retain(|_, it| it.state == "draft"),
            _ => {}
        }
    }
}
