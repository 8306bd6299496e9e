//! What there should be, and who should be able to do what with it: sections 3 and 5.3 of the interface, written down a
//! second time, slowly and without any of the code that is tested.

use std::collections::{BTreeMap, BTreeSet};

use formalize_core::{
    Action, DynamicGroupId, FormId, GroupId, Member, ResourceClass, ResourceRef, Subject,
    SubmissionId,
};
use formalize_tests::world::{THING, class, holder, user_id};

/// The users, each with the dynamic groups that the user is in, and the classes whose collections the user manages by a
/// policy.
pub(super) const USERS: [(&str, &[&str], Managed); 5] = [
    ("alice", &["staff"], Managed::Nothing),
    ("bob", &["staff", "press"], Managed::Nothing),
    ("carol", &[], Managed::Things),
    ("dave", &[], Managed::Groups),
    ("erin", &["press"], Managed::Everything),
];

/// The collections that somebody manages by a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Managed {
    Nothing,
    Groups,
    Things,
    Everything,
}

/// A grant by what makes it unique.
pub(super) type GrantKey = (Subject, Action, ResourceRef);

/// Everything that there should be.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) groups: Vec<GroupId>,
    pub(super) memberships: BTreeSet<(GroupId, Member)>,
    pub(super) forms: BTreeMap<FormId, FormFacts>,
    pub(super) submissions: BTreeMap<SubmissionId, Facts>,
    pub(super) resources: BTreeSet<ResourceRef>,
    pub(super) grants: BTreeSet<GrantKey>,
    /// How many things there have ever been.
    pub(super) things: u32,
}

/// What matters of a form.
#[derive(Debug, Clone)]
pub(super) struct FormFacts {
    pub(super) grant_based: bool,
    /// The words of `allowedActionsWhenSubmitted`.
    pub(super) allowed: Vec<&'static str>,
}

/// What matters of a submission.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) form: FormId,
    pub(super) creator: &'static str,
    pub(super) is_draft: bool,
}

/// Actions by their words.
pub(super) type Words = BTreeSet<String>;

impl Model {
    /// The groups in which a member is, directly or through any depth of nested groups.
    pub(super) fn groups_with(&self, member: &Member) -> BTreeSet<GroupId> {
        let mut found: BTreeSet<GroupId> = BTreeSet::new();
        loop {
            let more: BTreeSet<GroupId> = self
                .memberships
                .iter()
                .filter(|(_, inner)| match inner {
                    Member::ChildGroup(group) => found.contains(group) || inner == member,
                    Member::User(_) => inner == member,
                })
                .map(|(group, _)| *group)
                .collect();
            if more == found {
                return found;
            }
            found = more;
        }
    }

    /// Whether a child would close a cycle: it is the group, or contains it.
    pub(super) fn would_close_a_cycle(&self, group: GroupId, child: GroupId) -> bool {
        let around = self.groups_with(&Member::ChildGroup(group));
        group == child || around.contains(&child)
    }

    /// Whose grants count for a user.
    pub(super) fn counts_for(&self, user: &str, subject: &Subject) -> bool {
        match subject {
            Subject::User(_) => *subject == holder(user),
            Subject::Group(group) => {
                let groups = self.groups_with(&Member::User(user_id(user)));
                groups.contains(group)
            }
            Subject::DynamicGroup(group) => {
                let (_, dynamic, _) = facts_of(user);
                *group == DynamicGroupId::EVERYBODY || dynamic.contains(&group.as_str())
            }
        }
    }

    /// The actions of all grants on a resource that count for a user.
    fn granted(&self, user: &str, resource: &ResourceRef) -> Words {
        let on_resource = self.grants.iter().filter(|(_, _, on)| on == resource);
        on_resource
            .filter(|(subject, _, _)| self.counts_for(user, subject))
            .map(|(_, action, _)| action.to_string())
            .collect()
    }

    /// The effective actions of a user on a resource; `None` is the system.
    pub(super) fn effective(&self, user: Option<&str>, resource: &ResourceRef) -> Words {
        let exists = self.resources.contains(resource) || self.submission_at(resource).is_some();
        let words = match user {
            _ if !exists => Words::new(),
            None => words(&["manage"]),
            Some(user) => self.effective_of_user(user, resource),
        };
        if words.contains("manage") {
            self::words(&["manage"])
        } else {
            words
        }
    }

    fn effective_of_user(&self, user: &str, resource: &ResourceRef) -> Words {
        if resource.identifier.is_none() {
            return self.on_collection(user, resource);
        }
        if let Some((submission, facts)) = self.submission_at(resource) {
            return self.on_submission(user, submission, facts);
        }
        let of_form = self.forms.keys().find(|form| {
            *resource == ResourceRef::form(**form)
                || *resource == ResourceRef::submission_collection(**form)
        });
        match of_form {
            Some(form) if resource.class == ResourceClass::FORM => self.on_form(user, *form),
            Some(form) => self.on_submissions(user, *form),
            None => self.granted(user, resource),
        }
    }

    fn on_collection(&self, user: &str, resource: &ResourceRef) -> Words {
        let mut words = self.granted(user, resource);
        let (_, _, policy) = facts_of(user);
        let manages = match policy {
            Managed::Nothing => false,
            Managed::Groups => resource.class == ResourceClass::GROUP,
            Managed::Things => resource.class == class(THING),
            Managed::Everything => true,
        };
        if manages {
            words.insert("manage".to_owned());
        }
        words
    }

    /// "`read` on the collection appears as `read_submissions` on the form; `manage` on the collection is the four
    /// submission actions on the form."
    fn on_form(&self, user: &str, form: FormId) -> Words {
        let mut words = self.granted(user, &ResourceRef::form(form));
        let on_collection = self.granted(user, &ResourceRef::submission_collection(form));
        for (on_form, same) in SUBMISSION_WORDS {
            if on_collection.contains("manage") || on_collection.contains(same) {
                words.insert(on_form.to_owned());
            }
        }
        words
    }

    /// "… and the other way round; `manage` on the form is `manage` on the collection."
    fn on_submissions(&self, user: &str, form: FormId) -> Words {
        let mut words = self.granted(user, &ResourceRef::submission_collection(form));
        let on_form = self.granted(user, &ResourceRef::form(form));
        if on_form.contains("manage") {
            words.insert("manage".to_owned());
        }
        for (same, on_collection) in SUBMISSION_WORDS {
            if on_form.contains(same) {
                words.insert(on_collection.to_owned());
            }
        }
        words
    }

    fn on_submission(&self, user: &str, submission: SubmissionId, facts: &Facts) -> Words {
        let form = &self.forms[&facts.form];
        let own = if form.grant_based {
            let words = self.granted(user, &ResourceRef::submission(submission));
            implied(&words, &["read", "update", "delete"])
        } else if facts.creator == user {
            words(&["read", "update", "delete", "manage"])
        } else {
            Words::new()
        };
        if facts.is_draft {
            let shares = form.grant_based;
            return own
                .into_iter()
                .filter(|it| shares || it != "manage")
                .collect();
        }
        let allowed = form.allowed.iter().map(|it| (*it).to_owned()).collect();
        let allowed = implied(&allowed, &["read", "update", "delete"]);
        let mut effective: Words = own.intersection(&allowed).cloned().collect();
        let on_form = self.on_form(user, facts.form);
        for action in ["read", "update", "delete"] {
            if on_form.contains("manage") || on_form.contains(&format!("{action}_submissions")) {
                effective.insert(action.to_owned());
            }
        }
        effective
    }

    /// The submission that a resource is about, whether it is a resource of its own or not.
    fn submission_at(&self, resource: &ResourceRef) -> Option<(SubmissionId, &Facts)> {
        let mut submissions = self.submissions.iter();
        submissions
            .find(|(id, _)| ResourceRef::submission(**id) == *resource)
            .map(|(id, facts)| (*id, facts))
    }

    /// Whether a user may do an action.
    pub(super) fn may(&self, user: Option<&str>, action: &str, resource: &ResourceRef) -> bool {
        let effective = self.effective(user, resource);
        effective.contains("manage") || effective.contains(action)
    }

    /// Everything that there are actions on: resources, and submissions that are none.
    pub(super) fn places(&self) -> BTreeSet<ResourceRef> {
        let submissions = self.submissions.keys();
        let submissions = submissions.map(|id| ResourceRef::submission(*id));
        self.resources.iter().cloned().chain(submissions).collect()
    }

    /// Forgets resources, and the grants on them.
    pub(super) fn forget_resources(&mut self, gone: &[ResourceRef]) {
        self.resources.retain(|resource| !gone.contains(resource));
        self.grants.retain(|(_, _, on)| !gone.contains(on));
    }

    pub(super) fn forget_group(&mut self, group: GroupId) {
        self.groups.retain(|other| *other != group);
        self.memberships
            .retain(|(outer, inner)| *outer != group && *inner != Member::ChildGroup(group));
        self.grants
            .retain(|(subject, _, _)| *subject != Subject::Group(group));
        self.forget_resources(&[ResourceRef::group(group)]);
    }

    pub(super) fn forget_submission(&mut self, submission: SubmissionId) {
        self.submissions.remove(&submission);
        self.forget_resources(&[ResourceRef::submission(submission)]);
    }

    pub(super) fn forget_form(&mut self, form: FormId) {
        for submission in self.submissions_of(form) {
            self.forget_submission(submission);
        }
        self.forms.remove(&form);
        let collection = ResourceRef::submission_collection(form);
        self.forget_resources(&[ResourceRef::form(form), collection]);
    }

    pub(super) fn submissions_of(&self, form: FormId) -> Vec<SubmissionId> {
        let submissions = self.submissions.iter();
        submissions
            .filter(|(_, facts)| facts.form == form)
            .map(|(id, _)| *id)
            .collect()
    }
}

/// An action on a form, and the action on its submission collection that means the same.
const SUBMISSION_WORDS: [(&str, &str); 4] = [
    ("create_submissions", "create_submissions"),
    ("read_submissions", "read"),
    ("update_submissions", "update"),
    ("delete_submissions", "delete"),
];

/// The words with those that `manage` implies.
fn implied(given: &Words, by_manage: &[&str]) -> Words {
    let mut all = given.clone();
    if given.contains("manage") {
        all.extend(words(by_manage));
    }
    all
}

fn words(words: &[&str]) -> Words {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn facts_of(user: &str) -> (&'static str, &'static [&'static str], Managed) {
    let mut users = USERS.into_iter();
    users.find(|(name, _, _)| *name == user).unwrap()
}
