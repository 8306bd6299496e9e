//! Permissions: sections 3 and 5.3 of the interface, by brute force.

use super::words::TAG_ACTIONS;
use super::{
    Actor, Creator, Form, Holder, Id, Member, Model, Place, State, Submission, User, Words,
};

/// Pairs of an action on a form and the equivalent action on the collection of its submissions.
const SAME: [(&str, &str); 4] = [
    ("create_submissions", "create_submissions"),
    ("read_submissions", "read"),
    ("update_submissions", "update"),
    ("delete_submissions", "delete"),
];

impl Model {
    /// Whether an actor may perform an action.
    pub(crate) fn may(&self, actor: Actor, action: &str, place: Place) -> bool {
        let effective = self.effective(actor, place);
        effective.contains("manage") || effective.contains(action)
    }

    /// The effective actions; only `manage` if it is among them.
    pub(crate) fn effective(&self, actor: Actor, place: Place) -> Words {
        let words = match actor {
            _ if !self.exists(place) => Words::new(),
            Actor::System => Words::from(["manage"]),
            Actor::User(user) => self.effective_of(user, place),
            Actor::Link(link) => self.effective_by(link, place),
        };
        if words.contains("manage") {
            Words::from(["manage"])
        } else {
            words
        }
    }

    /// Whether there are actions on the place: on every resource, and on submissions that are not resources.
    fn exists(&self, place: Place) -> bool {
        match place {
            Place::Submission(id) => self.submissions.get(id).is_some(),
            _ => self.is_resource(place),
        }
    }

    /// "A link lets whoever has it submit to one form, and nothing else."
    fn effective_by(&self, link: Id, place: Place) -> Words {
        let form = self.links.get(link).map(|link| link.form);
        match place {
            Place::Form(id) | Place::SubmissionsOf(id) if Some(id) == form => {
                Words::from(["create_submissions"])
            }
            _ => Words::new(),
        }
    }

    fn effective_of(&self, user: &User, place: Place) -> Words {
        match place {
            Place::Form(form) => self.on_form(user, form),
            Place::SubmissionsOf(form) => self.on_submissions_of(user, form),
            Place::Submission(id) => self.on_submission(user, id),
            _ => {
                let mut words = self.granted(user, place);
                if user.manages.contains(&place) {
                    words.insert("manage");
                }
                words
            }
        }
    }

    /// The actions of all grants on a place that apply to a user, and `manage` if the user manages everything: "`manage`
    /// on every item and every collection of every class, except submissions".
    fn granted(&self, user: &User, place: Place) -> Words {
        let mut words = Words::new();
        if user.manages_everything && !matches!(place, Place::Submission(_)) {
            words.insert("manage");
        }
        for (_, grant) in self.grants.iter() {
            if grant.on == place && self.counts_for(user, grant.holder) {
                words.insert(grant.action);
            }
        }
        words
    }

    /// Whether the grants of a holder apply to a user.
    pub(crate) fn counts_for(&self, user: &User, holder: Holder) -> bool {
        match holder {
            Holder::User(name) => name == user.name,
            Holder::Group(group) => self.is_within(Member::User(user.name), group),
            Holder::Dynamic("everybody") => true,
            Holder::Dynamic(name) => user.dynamic_groups.contains(&name),
            Holder::Link(_) => false,
        }
    }

    /// Whether an actor is in a group. The system and links are in none.
    pub(crate) fn is_in_group(&self, actor: Actor, group: Id) -> bool {
        match actor {
            Actor::User(user) => self.is_within(Member::User(user.name), group),
            Actor::System | Actor::Link(_) => false,
        }
    }

    /// Whether the member belongs to a group, directly or through nested groups. There are no cycles.
    pub(crate) fn is_within(&self, inner: Member, group: Id) -> bool {
        for (_, membership) in self.memberships.iter() {
            if membership.group != group {
                continue;
            }
            let through = match membership.member {
                Member::User(_) => false,
                Member::Group(child) => self.is_within(inner, child),
            };
            if through || membership.member == inner {
                return true;
            }
        }
        false
    }

    /// "`read` on the collection appears as `read_submissions` on the form; `manage` on the collection is the four
    /// submission actions on the form."
    fn on_form(&self, user: &User, form: Id) -> Words {
        let mut words = self.granted(user, Place::Form(form));
        let on_collection = self.granted(user, Place::SubmissionsOf(form));
        for (on_form, same) in SAME {
            if on_collection.contains("manage") || on_collection.contains(same) {
                words.insert(on_form);
            }
        }
        words
    }

    /// "… and the other way round; `manage` on the form is `manage` on the collection."
    fn on_submissions_of(&self, user: &User, form: Id) -> Words {
        let mut words = self.granted(user, Place::SubmissionsOf(form));
        let on_form = self.granted(user, Place::Form(form));
        if on_form.contains("manage") {
            words.insert("manage");
        }
        for (same, on_collection) in SAME {
            if on_form.contains(same) {
                words.insert(on_collection);
            }
        }
        words
    }

    fn on_submission(&self, user: &User, id: Id) -> Words {
        let (Some(submission), Some(form)) = (self.submissions.get(id), self.form_of(id)) else {
            return Words::new();
        };
        let own = self.own_rights(user, id, submission, form);
        if submission.state == State::Draft {
            return own;
        }
        let allowed = with_implied(form.allowed.clone());
        let mut words: Words = own.intersection(&allowed).copied().collect();
        let on_form = self.on_form(user, submission.form);
        for (on_all, on_one) in [
            ("read_submissions", "read"),
            ("update_submissions", "update"),
            ("delete_submissions", "delete"),
        ] {
            if on_form.contains("manage") || on_form.contains(on_all) {
                words.insert(on_one);
            }
        }
        words
    }

    /// What grants or authorship give before the form restricts it.
    fn own_rights(&self, user: &User, id: Id, submission: &Submission, form: &Form) -> Words {
        if form.grant_based {
            return with_implied(self.granted(user, Place::Submission(id)));
        }
        if submission.creator != Creator::User(user.name) {
            return Words::new();
        }
        match submission.state {
            // "The creator may read, update and delete a draft"; sharing is not included.
            State::Draft => Words::from(["read", "update", "delete"]),
            State::Submitted => Words::from(["read", "update", "delete", "manage"]),
        }
    }

    /// The form of a submission.
    pub(crate) fn form_of(&self, submission: Id) -> Option<&Form> {
        self.forms.get(self.submissions.get(submission)?.form)
    }

    /// What a form lets an actor do with the tags of its submissions. "Form level is whoever has `update_submissions` among
    /// the effective actions on the form; everybody else is a submitter." Who holds `read_submissions` sees tags.
    pub(crate) fn tag_actions_of(&self, actor: Actor, form: Id) -> Words {
        let Some(rules) = self.forms.get(form) else {
            return Words::new();
        };
        if self.may(actor, "update_submissions", Place::Form(form)) {
            return Words::from(TAG_ACTIONS);
        }
        let mut words: Words = TAG_ACTIONS.into_iter().take(rules.tag_actions).collect();
        if self.may(actor, "read_submissions", Place::Form(form)) {
            words.insert("read");
        }
        words
    }

    /// What an actor may do with the tags of a submission: see them, if the actor may read it; change them, if the actor may
    /// update it.
    pub(crate) fn tag_actions_on(&self, actor: Actor, id: Id) -> Words {
        let Some(submission) = self.submissions.get(id) else {
            return Words::new();
        };
        let place = Place::Submission(id);
        let (reads, updates) = (
            self.may(actor, "read", place),
            self.may(actor, "update", place),
        );
        let mut words = self.tag_actions_of(actor, submission.form);
        words.retain(|action| if *action == "read" { reads } else { updates });
        words
    }

    /// Whether the actor sees the tags that a form has.
    pub(crate) fn sees_tags_of_form(&self, actor: Actor, form: Id) -> bool {
        self.tag_actions_of(actor, form).contains("read")
            || self.may(actor, "update", Place::Form(form))
    }

    /// Whether the actor sees a grant: as its holder, or as a manager of its resource.
    pub(crate) fn sees_grant(&self, actor: Actor, id: Id) -> bool {
        let Some(grant) = self.grants.get(id) else {
            return false;
        };
        let holds = match actor {
            Actor::System => true,
            Actor::User(user) => self.counts_for(user, grant.holder),
            Actor::Link(_) => false,
        };
        holds || self.may(actor, "manage", grant.on)
    }
}

/// Replaces `manage` by the actions that it implies.
pub(super) fn with_implied(mut words: Words) -> Words {
    if words.contains("manage") {
        words.extend(["read", "update", "delete"]);
    }
    words
}
