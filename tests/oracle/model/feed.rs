//! What the change feed shows: the events of each act, and who may learn of them, by brute force.

use super::rights::with_implied;
use super::{Actor, Creator, Grant, Holder, Id, Member, Membership, Model, Place, State};
use crate::act::Act;

/// The record that an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    Group(Id),
    Member(Id, Membership),
    Grant(Id, Grant),
    /// A thing, and the number of its resource: it may be registered several times.
    Thing(Id, Id),
    Form(Id),
    Submission(Id, Id),
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its type.
    pub(crate) kind: &'static str,
    pub(crate) about: About,
    /// Who could read what was deleted.
    audience: Vec<Holder>,
}

impl Model {
    /// Notes what an act did that was not refused. `before` is the state before it.
    pub(super) fn note(&mut self, before: &Self, act: &Act) {
        let last = |number: usize| number.saturating_sub(1);
        let (kind, about, audience) = match *act {
            Act::CreateGroup { .. } => (
                "group.created",
                About::Group(last(self.groups.len())),
                vec![],
            ),
            Act::RenameGroup { group, .. } => ("group.updated", About::Group(group), vec![]),
            Act::DeleteGroup { group } => {
                let audience = before.holders(Place::Group(group), &["read", "manage"]);
                ("group.deleted", About::Group(group), audience)
            }
            Act::AddMember { group, member } => {
                let id = last(self.memberships.len());
                (
                    "member.added",
                    About::Member(id, Membership { group, member }),
                    vec![],
                )
            }
            Act::RemoveMember { membership } => {
                let removed = *before.memberships.get(membership).unwrap();
                ("member.removed", About::Member(membership, removed), vec![])
            }
            Act::Register { thing, .. } => {
                let about = self.thing(thing);
                ("resource.registered", about, vec![])
            }
            Act::Deregister { thing } => {
                let audience = before.holders(Place::Thing(thing), &["manage", "write"]);
                ("resource.deregistered", before.thing(thing), audience)
            }
            Act::Grant {
                holder, action, on, ..
            } => {
                let grant = Grant { holder, action, on };
                (
                    "grant.created",
                    About::Grant(last(self.grants.len()), grant),
                    vec![],
                )
            }
            Act::Revoke { grant } => {
                let revoked = *before.grants.get(grant).unwrap();
                ("grant.deleted", About::Grant(grant, revoked), vec![])
            }
            Act::CreateForm { .. } => ("form.created", About::Form(last(self.forms.len())), vec![]),
            Act::ChangeForm { form, .. } => ("form.updated", About::Form(form), vec![]),
            Act::DeleteForm { form } => (
                "form.deleted",
                About::Form(form),
                before.readers_of_form(form),
            ),
            Act::DeleteSubmitted { form } => {
                let audience = before.readers_of_submissions(form, &[State::Submitted]);
                ("form.cleared", About::Form(form), audience)
            }
            Act::Submit { .. } | Act::SubmitBatch { .. } => {
                for id in before.submissions.len()..self.submissions.len() {
                    self.note_submitted(id);
                }
                return;
            }
            Act::ChangeSubmission { submission, .. } => {
                let old = before.submissions.get(submission).unwrap();
                let new = *self.submissions.get(submission).unwrap();
                let kind = match (old.state, new.state) {
                    (_, State::Draft) => "draft.updated",
                    (State::Draft, State::Submitted) => "submission.submitted",
                    (State::Submitted, State::Submitted) => "submission.updated",
                };
                (kind, About::Submission(submission, new.form), vec![])
            }
            Act::DeleteSubmission { submission } => {
                let old = before.submissions.get(submission).unwrap();
                let kind = match old.state {
                    State::Draft => "draft.deleted",
                    State::Submitted => "submission.deleted",
                };
                let about = About::Submission(submission, old.form);
                (kind, about, before.readers_of(submission))
            }
            Act::CreateLink { .. }
            | Act::ChangeLink { .. }
            | Act::DeleteLink { .. }
            | Act::MoveClock { .. } => return,
        };
        self.events.push(Event {
            kind,
            about,
            audience,
        });
    }

    fn note_submitted(&mut self, id: Id) {
        let Some(submission) = self.submissions.get(id) else {
            return;
        };
        let kind = match submission.state {
            State::Draft => "draft.created",
            State::Submitted => "submission.submitted",
        };
        let about = About::Submission(id, submission.form);
        self.events.push(Event {
            kind,
            about,
            audience: vec![],
        });
    }

    fn thing(&self, thing: Id) -> About {
        let mut resources = self.resources.iter();
        let found = resources.find(|(_, place)| **place == Place::Thing(thing));
        About::Thing(thing, found.unwrap().0)
    }

    /// The holders of grants of these actions on a place.
    fn holders(&self, place: Place, actions: &[&str]) -> Vec<Holder> {
        let grants = self.grants.iter().map(|(_, grant)| grant);
        let grants = grants.filter(|grant| grant.on == place && actions.contains(&grant.action));
        grants.map(|grant| grant.holder).collect()
    }

    /// Who could read a form, its submissions, or one of them.
    fn readers_of_form(&self, form: Id) -> Vec<Holder> {
        let on_form = self.holders(Place::Form(form), &["read", "read_submissions", "manage"]);
        let on_all = self.holders(Place::SubmissionsOf(form), &["read", "manage"]);
        let single = self.readers_of_submissions(form, &[State::Draft, State::Submitted]);
        [on_form, on_all, single].concat()
    }

    fn readers_of_submissions(&self, form: Id, states: &[State]) -> Vec<Holder> {
        let of_form = self.submissions_of(form).into_iter();
        let of_form =
            of_form.filter(|id| states.contains(&self.submissions.get(*id).unwrap().state));
        of_form.flat_map(|id| self.readers_of(id)).collect()
    }

    /// Who could read a submission, but for permissions on its form.
    fn readers_of(&self, id: Id) -> Vec<Holder> {
        let submission = self.submissions.get(id).unwrap();
        let form = self.form_of(id).unwrap();
        let is_open =
            submission.state == State::Draft || with_implied(form.allowed.clone()).contains("read");
        match submission.creator {
            _ if !is_open => vec![],
            _ if form.grant_based => self.holders(Place::Submission(id), &["read", "manage"]),
            Creator::User(name) => vec![Holder::User(name)],
            Creator::System | Creator::Link(_) => vec![],
        }
    }

    /// Whether an actor may learn of an event now.
    pub(crate) fn learns(&self, actor: Actor, event: &Event) -> bool {
        if matches!(actor, Actor::Link(_)) {
            return false;
        }
        let is_told = || match actor {
            Actor::User(user) => {
                let mut audience = event.audience.iter();
                audience.any(|holder| self.counts_for(user, *holder))
            }
            _ => true,
        };
        match (event.about, event.kind) {
            (_, "group.deleted" | "form.deleted" | "draft.deleted" | "resource.deregistered") => {
                is_told()
            }
            (About::Group(id), _) => self.may(actor, "read", Place::Group(id)),
            (About::Member(id, it), "member.added") => {
                self.memberships.get(id).is_some()
                    && self.may(actor, "read", Place::Group(it.group))
            }
            (About::Member(_, it), _) => {
                let name = actor.name();
                let is_removed = matches!(it.member, Member::User(user) if Some(user) == name);
                is_removed || self.may(actor, "read", Place::Group(it.group))
            }
            (About::Grant(id, _), "grant.created") => self.sees_grant(actor, id),
            (About::Grant(_, grant), _) => {
                let holds = match actor {
                    Actor::User(user) => self.counts_for(user, grant.holder),
                    _ => true,
                };
                holds || self.may(actor, "manage", grant.on)
            }
            (About::Thing(thing, resource), _) => {
                let is_there = self.resources.get(resource).is_some();
                is_there && !self.effective(actor, Place::Thing(thing)).is_empty()
            }
            (About::Form(id), "form.cleared") => {
                let reads = |action| self.may(actor, action, Place::Form(id));
                is_told() || reads("read") || reads("read_submissions")
            }
            (About::Form(id), _) => self.may(actor, "read", Place::Form(id)),
            (About::Submission(_, form), "submission.deleted") => {
                is_told() || self.may(actor, "read_submissions", Place::Form(form))
            }
            (About::Submission(id, _), "draft.created" | "draft.updated") => {
                // Permissions on the form never lead to what happened to a draft.
                let mut earlier = self.clone();
                if let Some(submission) = earlier.submissions.get_mut(id) {
                    submission.state = State::Draft;
                }
                earlier.may(actor, "read", Place::Submission(id))
            }
            (About::Submission(id, _), _) => self.may(actor, "read", Place::Submission(id)),
        }
    }
}
