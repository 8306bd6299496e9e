//! Chooses what users do next.

use serde_json::json;

use super::act::Act;
use super::dice::Dice;
use super::holdings::{Form, Holdings};

/// The maximum number of records of a user, so that they can be compared often.
const MOST_FORMS: usize = 5;
const MOST_GROUPS: usize = 5;
const MOST_OF_EACH: usize = 12;
/// The schema of every form allows no more.
const MOST_FILES: usize = 3;

impl Act {
    /// A random act for a user with these records. It succeeds unless a cap or a limit is reached.
    pub(super) fn draw(dice: &mut Dice, has: &Holdings) -> Self {
        for _ in 0..16 {
            let kind = dice.number(0..30);
            if let Some(act) = Self::of_kind(kind, dice, has) {
                return act;
            }
        }
        Self::Look {
            path: "/formalize/forms".to_owned(),
        }
    }

    fn of_kind(kind: u64, dice: &mut Dice, has: &Holdings) -> Option<Self> {
        match kind {
            0 | 1 => (has.forms.len() < MOST_FORMS).then(|| Self::CreateForm {
                name: word(dice, "form"),
                cap: dice.once_in(2).then(|| dice.number(1..5)),
                limit: dice.once_in(2).then(|| dice.number(1..4)),
                grant_based: dice.once_in(2),
            }),
            2..=5 => about_groups(kind, dice, has),
            6 | 7 => Some(Self::Look {
                path: look(dice, has),
            }),
            _ => {
                let (id, form) = dice.one_of(has.forms.iter())?;
                about_form(kind, dice, has, id.clone(), form)
            }
        }
    }
}

fn word(dice: &mut Dice, kind: &str) -> String {
    format!("{kind} {}", dice.number(0..1_000_000))
}

fn data(dice: &mut Dice) -> String {
    let padding = usize::try_from(dice.number(0..2000)).unwrap_or(0);
    json!({"n": dice.number(0..1_000_000), "padding": "x".repeat(padding)}).to_string()
}

/// The content of a file: mostly a small one, sometimes one that is stored in several parts.
fn content(dice: &mut Dice) -> String {
    let most = if dice.once_in(4) { 600_000 } else { 4000 };
    let size = usize::try_from(dice.number(0..most)).unwrap_or(0);
    format!("{} {}", dice.number(0..1_000_000), "x".repeat(size))
}

fn look(dice: &mut Dice, has: &Holdings) -> String {
    let form = dice.one_of(has.forms.keys());
    match (dice.number(0..5), form) {
        (0, Some(form)) => format!("/formalize/forms/{form}"),
        (1, Some(form)) => format!("/formalize/submissions?formIdentifier={form}"),
        (2, _) => "/authorization/resources".to_owned(),
        (3, _) => "/authorization/resource-action-grants".to_owned(),
        (4, _) => "/authorization/groups?search=roup".to_owned(),
        _ => "/formalize/forms?whereReadFormSubmissionsGranted=true".to_owned(),
    }
}

fn about_groups(kind: u64, dice: &mut Dice, has: &Holdings) -> Option<Act> {
    if kind == 2 && has.groups.len() < MOST_GROUPS {
        let name = word(dice, "group");
        return Some(Act::CreateGroup { name });
    }
    let (id, group) = dice.one_of(has.groups.iter())?;
    let id = id.clone();
    if kind == 3 {
        let membership = dice.one_of(group.members.keys());
        return match membership {
            Some(membership) => Some(Act::Leave {
                membership: membership.clone(),
                group: id,
            }),
            None => Some(Act::DeleteGroup { group: id }),
        };
    }
    if kind == 4 {
        return dice.once_in(4).then_some(Act::DeleteGroup { group: id });
    }
    // Only groups created earlier, so that no cycle is requested.
    let later = has.groups.keys().filter(|other| **other > id);
    let later: Vec<_> = later
        .filter(|other| !group.members.values().any(|member| member == *other))
        .collect();
    let child = dice.one_of(later.into_iter()).cloned();
    let user = child.is_none().then(|| word(dice, "user"));
    let room = group.members.len() < MOST_OF_EACH;
    let known = user
        .as_ref()
        .is_some_and(|user| group.members.values().any(|it| it == user));
    (room && !known).then_some(Act::Join {
        group: id,
        user,
        child,
    })
}

fn about_form(kind: u64, dice: &mut Dice, has: &Holdings, id: String, form: &Form) -> Option<Act> {
    let submission = dice.one_of(form.submissions.keys()).cloned();
    Some(match kind {
        8 => Act::RenameForm {
            form: id,
            name: word(dice, "renamed"),
        },
        9 if dice.once_in(3) => Act::DeleteForm { form: id },
        10 | 11 if form.grants.len() < MOST_OF_EACH => new_grant(dice, has, id, form)?,
        12 => Act::Revoke {
            grant: dice.one_of(form.grants.keys())?.clone(),
            form: id,
        },
        13 if dice.once_in(4) => Act::Clear { form: id },
        14 | 15 => Act::Withdraw {
            submission: submission?,
            form: id,
        },
        16 | 17 => Act::Resubmit {
            submission: submission?,
            form: id,
            data: data(dice),
        },
        18 if form.links.len() < MOST_OF_EACH => Act::CreateLink {
            form: id,
            label: word(dice, "link"),
        },
        19 => Act::DeleteLink {
            link: dice.one_of(form.links.keys())?.clone(),
            form: id,
        },
        20 | 21 => {
            let submission = submission?;
            let files = &form.submissions.get(&submission)?.files;
            (files.len() < MOST_FILES).then(|| Act::AddFile {
                form: id,
                submission,
                content: content(dice),
            })?
        }
        22 => {
            let submission = submission?;
            let files = &form.submissions.get(&submission)?.files;
            Act::RemoveFile {
                file: dice.one_of(files.keys())?.clone(),
                form: id,
                submission,
            }
        }
        23.. if form.submissions.len() < MOST_OF_EACH => Act::Submit {
            form: id,
            state: if dice.once_in(3) {
                "draft"
            } else {
                "submitted"
            },
            data: data(dice),
        },
        _ => return None,
    })
}

fn new_grant(dice: &mut Dice, has: &Holdings, id: String, form: &Form) -> Option<Act> {
    let action =
        *dice.one_of(["read", "update", "read_submissions", "create_submissions"].iter())?;
    let group = dice.one_of(has.groups.keys()).filter(|_| dice.once_in(2));
    let group = group.cloned();
    let user = group.is_none().then(|| word(dice, "user"));
    let holder = group.as_ref().or(user.as_ref())?;
    let mut given = form.grants.values();
    let exists = given.any(|(given, to)| given == action && to == holder);
    (!exists).then_some(Act::Grant {
        form: id,
        action,
        user,
        group,
    })
}
