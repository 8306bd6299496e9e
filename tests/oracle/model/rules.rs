//! Predicts the result of every act. Checks are made in the order that the interface defines: existence, permission,
//! then state, limits and data.

use super::words::{self, TagList};
use super::{
    Actor, Form, Grant, Holder, Id, Key, Link, Member, Membership, Model, Place, State, Submission,
    Words,
};
use crate::act::{Act, Answer, Change, Data, Item};

/// The reason of a rejection: the name of the variant of `formalize_core::Error`.
type Refusal = &'static str;
type Outcome = Result<Answer, Refusal>;

impl Model {
    /// Applies an act, and returns the expected result.
    pub(crate) fn take(&mut self, actor: Actor, act: &Act) -> Answer {
        let before = self.clone();
        let outcome = match *act {
            Act::CreateGroup { name } => self.create_group(actor, name),
            Act::RenameGroup { group, name } => self.rename_group(actor, group, name),
            Act::DeleteGroup { group } => self.counting(|it| it.delete_group(actor, group)),
            Act::AddMember { group, member } => self.add_member(actor, group, member),
            Act::RemoveMember { membership } => self.remove_member(actor, membership),
            Act::Register { thing, manager } => self.register(actor, thing, manager),
            Act::Deregister { thing } => self.deregister(actor, thing),
            Act::Grant {
                holder, action, on, ..
            } => self.grant(actor, Grant { holder, action, on }, act),
            Act::Revoke { grant } => self.revoke(actor, grant),
            Act::CreateForm { name, ref form } => self.create_form(actor, name, form),
            Act::ChangeForm { form, ref change } => self.change_form(actor, form, change),
            Act::DeleteForm { form } => self.counting(|it| it.delete_form(actor, form)),
            Act::Submit {
                form,
                state,
                data,
                tags,
            } => self.submit(actor, form, state, (data, tags)),
            Act::SubmitBatch {
                form,
                ref items,
                is_atomic,
                is_dry_run,
            } => self.submit_batch(actor, form, items, (is_atomic, is_dry_run)),
            Act::ChangeSubmission {
                submission,
                state,
                data,
                tags,
            } => self.change_submission(actor, submission, state, (data, tags)),
            Act::DeleteSubmission { submission } => self.delete_submission(actor, submission),
            Act::DeleteSubmitted { form } => self.counting(|it| it.delete_submitted(actor, form)),
            Act::CreateLink { form, cap } => self.create_link(actor, form, cap),
            Act::ChangeLink { link, cap } => self.change_link(actor, link, cap),
            Act::DeleteLink { link } => self.delete_link(actor, link),
            Act::MoveClock { seconds } => {
                self.now += seconds;
                Ok(Answer::Done)
            }
        };
        if outcome.is_ok() {
            self.note(&before, act);
        }
        outcome.unwrap_or_else(|refusal| Answer::Refused(refusal.to_owned()))
    }

    /// Deletes, and returns how many records of each kind are gone.
    fn counting(&mut self, delete: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let before = self.counts();
        delete(self)?;
        let after = self.counts();
        let gone = before
            .iter()
            .zip(after)
            .map(|(before, after)| before - after);
        let gone: Vec<usize> = gone.collect();
        Ok(Answer::Deleted(gone.try_into().unwrap()))
    }

    fn counts(&self) -> [usize; 8] {
        let in_state = |state| {
            let submissions = self.submissions.iter();
            submissions.filter(|(_, it)| it.state == state).count()
        };
        let is_collection = |place: &Place| matches!(place, Place::SubmissionsOf(_));
        let resources = self.resources.iter();
        let links = self.links.iter();
        [
            self.forms.iter().count(),
            in_state(State::Submitted),
            in_state(State::Draft),
            self.groups.iter().count(),
            self.memberships.iter().count(),
            resources.filter(|(_, it)| !is_collection(it)).count(),
            self.grants.iter().count(),
            links
                .filter(|(_, it)| self.grants.get(it.grant).is_some())
                .count(),
        ]
    }

    fn need(&self, actor: Actor, action: &str, place: Place) -> Result<(), Refusal> {
        if self.may(actor, action, place) {
            Ok(())
        } else {
            Err("Forbidden")
        }
    }

    /// A change returns the item, unless the caller may not read it.
    fn shown(&self, actor: Actor, place: Place) -> Answer {
        if self.may(actor, "read", place) {
            Answer::Shown(self.effective(actor, place))
        } else {
            Answer::Hidden
        }
    }

    /// Adds a resource that its creator manages.
    fn add_resource(&mut self, place: Place, manager: Option<&'static str>) {
        self.resources.add(place);
        if let Some(name) = manager {
            self.grants.add(Grant {
                holder: Holder::User(name),
                action: "manage",
                on: place,
            });
        }
    }

    /// Removes a resource and the grants on it.
    fn drop_resource(&mut self, place: Place) {
        self.resources.delete_where(|it| *it == place);
        self.grants.delete_where(|it| it.on == place);
        self.drop_ended_links();
    }

    /// "Deleting the grant or the form ends the link too."
    fn drop_ended_links(&mut self) {
        let grants = &self.grants;
        self.links
            .delete_where(|link| grants.get(link.grant).is_none());
    }

    fn create_group(&mut self, actor: Actor, name: &'static str) -> Outcome {
        self.need(actor, "create", Place::Groups)?;
        let place = Place::Group(self.groups.add(name));
        self.add_resource(place, actor.name());
        Ok(Answer::Shown(self.effective(actor, place)))
    }

    fn rename_group(&mut self, actor: Actor, id: Id, name: &'static str) -> Outcome {
        self.groups.get(id).ok_or("GroupNotFound")?;
        self.need(actor, "update", Place::Group(id))?;
        *self.groups.get_mut(id).ok_or("GroupNotFound")? = name;
        Ok(self.shown(actor, Place::Group(id)))
    }

    fn delete_group(&mut self, actor: Actor, id: Id) -> Outcome {
        self.groups.get(id).ok_or("GroupNotFound")?;
        self.need(actor, "delete", Place::Group(id))?;
        self.groups.delete(id);
        self.memberships
            .delete_where(|it| it.group == id || it.member == Member::Group(id));
        self.grants
            .delete_where(|it| it.holder == Holder::Group(id));
        self.drop_resource(Place::Group(id));
        Ok(Answer::Done)
    }

    fn add_member(&mut self, actor: Actor, group: Id, member: Member) -> Outcome {
        self.groups.get(group).ok_or("GroupNotFound")?;
        if let Member::Group(child) = member {
            self.groups.get(child).ok_or("GroupNotFound")?;
        }
        self.need(actor, "add_members", Place::Group(group))?;
        if let Member::Group(child) = member {
            self.need(actor, "read", Place::Group(child))?;
            if child == group || self.is_within(Member::Group(group), child) {
                return Err("InvalidMembership");
            }
        }
        let membership = Membership { group, member };
        if self.memberships.contains(&membership) {
            return Err("MembershipExists");
        }
        self.memberships.add(membership);
        Ok(Answer::Done)
    }

    fn remove_member(&mut self, actor: Actor, id: Id) -> Outcome {
        let membership = self.memberships.get(id).ok_or("MembershipNotFound")?;
        self.need(actor, "delete_members", Place::Group(membership.group))?;
        self.memberships.delete(id);
        Ok(Answer::Done)
    }

    fn register(&mut self, actor: Actor, thing: Id, manager: Option<&'static str>) -> Outcome {
        if actor != Actor::System {
            return Err("Forbidden");
        }
        if self.is_resource(Place::Thing(thing)) {
            return Err("ResourceExists");
        }
        self.add_resource(Place::Thing(thing), manager);
        Ok(Answer::Done)
    }

    fn deregister(&mut self, actor: Actor, thing: Id) -> Outcome {
        if actor != Actor::System {
            return Err("Forbidden");
        }
        if !self.is_resource(Place::Thing(thing)) {
            return Err("ResourceNotFound");
        }
        self.drop_resource(Place::Thing(thing));
        Ok(Answer::Done)
    }

    fn grant(&mut self, actor: Actor, grant: Grant, act: &Act) -> Outcome {
        let by_record = matches!(act, Act::Grant { by_record, .. } if *by_record);
        let is_defined = grant.on.actions().contains(&grant.action);
        if matches!(grant.holder, Holder::Link(_)) {
            return Err("InvalidGrantHolder");
        }
        if grant.holder == Holder::Dynamic("ghosts") {
            return Err("InvalidGrantDynamicGroupUndefined");
        }
        if !by_record && !is_defined {
            return Err("InvalidGrantActionUndefined");
        }
        if !self.is_resource(grant.on) {
            return Err("ResourceNotFound");
        }
        if let Holder::Group(group) = grant.holder {
            self.groups.get(group).ok_or("GroupNotFound")?;
        }
        self.need(actor, "manage", grant.on)?;
        // "Faults of a grant that only its record shows are judged after permission."
        if !is_defined {
            return Err("InvalidGrantActionUndefined");
        }
        if self.grants.contains(&grant) {
            return Err("GrantExists");
        }
        self.grants.add(grant);
        Ok(Answer::Shown(Words::from(["delete"])))
    }

    fn revoke(&mut self, actor: Actor, id: Id) -> Outcome {
        let grant = *self.grants.get(id).ok_or("GrantNotFound")?;
        self.need(actor, "manage", grant.on)?;
        let is_guarded = !grant.on.is_collection() && !matches!(grant.on, Place::SubmissionsOf(_));
        let has_other = self
            .grants
            .iter()
            .any(|(other, it)| other != id && it.on == grant.on && it.action == "manage");
        if grant.action == "manage" && is_guarded && !has_other {
            return Err("LastManageGrant");
        }
        self.grants.delete(id);
        self.drop_ended_links();
        Ok(Answer::Done)
    }

    fn create_form(&mut self, actor: Actor, name: &'static str, form: &Form) -> Outcome {
        let by_policy =
            matches!(actor, Actor::User(user) if user.creates_forms && name.starts_with('S'));
        if !by_policy {
            self.need(actor, "create", Place::Forms)?;
        }
        let id = self.forms.add(form.clone());
        self.add_resource(Place::Form(id), actor.name());
        self.add_resource(Place::SubmissionsOf(id), None);
        Ok(Answer::Shown(self.effective(actor, Place::Form(id))))
    }

    fn change_form(&mut self, actor: Actor, id: Id, change: &Change) -> Outcome {
        let old = self.forms.get(id).ok_or("FormNotFound")?;
        self.need(actor, "update", Place::Form(id))?;
        let mut form = old.clone();
        match change {
            Change::Nothing => {}
            Change::GrantBased(grant_based) => form.grant_based = *grant_based,
            Change::Allowed(allowed) => form.allowed.clone_from(allowed),
            Change::States(states) => form.states.clone_from(states),
            Change::Starts(starts) => form.starts = *starts,
            Change::Ends(ends) => form.ends = *ends,
            Change::Cap(cap) => form.cap = *cap,
            Change::Limit(limit) => form.limit = *limit,
            Change::Schema(has_schema) => form.has_schema = *has_schema,
            Change::Tags(tags) => form.tags = tags,
            Change::TagActions(number) => form.tag_actions = *number,
            Change::BrokenSchema => return Err("DataSchemaInvalid"),
        }
        if matches!((form.starts, form.ends), (Some(starts), Some(ends)) if starts > ends) {
            return Err("InvalidForm");
        }
        let has_submissions = self.submissions.iter().any(|(_, it)| it.form == id);
        if form.grant_based != old.grant_based && has_submissions {
            return Err("FormHasSubmissions");
        }
        *self.forms.get_mut(id).ok_or("FormNotFound")? = form;
        Ok(self.shown(actor, Place::Form(id)))
    }

    fn delete_form(&mut self, actor: Actor, id: Id) -> Outcome {
        self.forms.get(id).ok_or("FormNotFound")?;
        self.need(actor, "delete", Place::Form(id))?;
        for submission in self.submissions_of(id) {
            self.drop_submission(submission);
        }
        self.forms.delete(id);
        self.drop_resource(Place::Form(id));
        self.drop_resource(Place::SubmissionsOf(id));
        Ok(Answer::Done)
    }

    /// The submissions of a form.
    pub(crate) fn submissions_of(&self, form: Id) -> Vec<Id> {
        let all = self.submissions.iter();
        let of_form = all.filter(|(_, submission)| submission.form == form);
        of_form.map(|(id, _)| id).collect()
    }

    fn drop_submission(&mut self, id: Id) {
        self.submissions.delete(id);
        self.drop_resource(Place::Submission(id));
    }

    fn submit(
        &mut self,
        actor: Actor,
        id: Id,
        state: State,
        (data, tags): (Option<&'static str>, TagList),
    ) -> Outcome {
        let form = self.forms.get(id).ok_or("FormNotFound")?;
        self.need(actor, "create_submissions", Place::Form(id))?;
        check_state(form, state)?;
        if matches!(actor, Actor::Link(_)) && state == State::Draft {
            return Err("SubmissionStateNotAllowed");
        }
        if state == State::Submitted {
            self.check_window(form)?;
        }
        let (cap, refusal) = match actor {
            Actor::Link(link) => {
                let cap = self.links.get(link).and_then(|link| link.cap);
                (cap, "SubmissionLimitReached")
            }
            _ => (form.cap, "SubmissionCapReached"),
        };
        if cap.is_some_and(|cap| self.count_of(id, actor) >= cap) {
            return Err(refusal);
        }
        if state == State::Submitted {
            self.check_limit(id, form)?;
        }
        if !tags.is_empty() {
            self.check_tags(actor, id, (&[], tags))?;
        }
        check_data(form, state, data)?;
        let is_resource = form.grant_based;
        let submission = self.submissions.add(Submission {
            form: id,
            creator: actor.creator(),
            modifier: actor.creator(),
            state,
            data,
            tags,
        });
        let place = Place::Submission(submission);
        if is_resource {
            self.add_resource(place, actor.name());
        }
        Ok(Answer::Shown(self.effective(actor, place)))
    }

    /// Each submission of a batch is created as if it were sent alone, after those before it.
    fn submit_batch(
        &mut self,
        actor: Actor,
        form: Id,
        items: &[Item],
        (is_atomic, is_dry_run): (bool, bool),
    ) -> Outcome {
        if self.forms.get(form).is_none() {
            return Err("FormNotFound");
        }
        self.need(actor, "create_submissions", Place::Form(form))?;
        let before = self.clone();
        let mut results = Vec::new();
        for item in items {
            results.push(self.submit_item(actor, form, *item));
        }
        let is_undone = is_atomic && results.iter().any(Result::is_err);
        let words = results.iter().map(|result| match result {
            Ok(_) if is_undone => "omitted",
            Ok(word) | Err(word) => word,
        });
        if is_undone || is_dry_run {
            *self = before;
        }
        Ok(Answer::Batch(words.map(str::to_owned).collect()))
    }

    fn submit_item(&mut self, actor: Actor, form: Id, item: Item) -> Result<&'static str, Refusal> {
        let owner = actor.creator();
        let mut keys = self.keys.iter();
        let known = keys.find(|key| {
            item.key.is_some() && (key.owner, key.form, key.item.key) == (owner, form, item.key)
        });
        match known {
            Some(known) if known.item == item => return Ok("repeated"),
            Some(_) => return Err("IdempotencyKeyReused"),
            None => {}
        }
        self.submit(actor, form, item.state, (item.data, &[]))?;
        if item.key.is_some() {
            self.keys.push(Key { owner, form, item });
        }
        Ok("created")
    }

    /// Whether an actor may replace tags of submissions to a form by others.
    fn check_tags(
        &self,
        actor: Actor,
        form: Id,
        (old, new): (TagList, TagList),
    ) -> Result<(), Refusal> {
        let rights = self.tag_actions_of(actor, form);
        let mut added = new.iter().filter(|tag| !old.contains(tag)).peekable();
        let is_removed = old.iter().any(|tag| !new.contains(tag));
        if !rights.contains("read")
            || added.peek().is_some() && !rights.contains("add")
            || is_removed && !rights.contains("remove")
        {
            return Err("TagsForbidden");
        }
        let known = self.forms.get(form).map_or(&[][..], |form| form.tags);
        if added.all(|tag| known.contains(tag)) {
            Ok(())
        } else {
            Err("SubmissionTagsInvalid")
        }
    }

    /// The number of submissions that a user has created for a form, including drafts.
    pub(crate) fn count_of(&self, form: Id, actor: Actor) -> usize {
        let own = self.submissions.iter();
        own.filter(|(_, it)| it.form == form && it.creator == actor.creator())
            .count()
    }

    fn change_submission(
        &mut self,
        actor: Actor,
        id: Id,
        state: State,
        (data, wanted): (Data, Option<TagList>),
    ) -> Outcome {
        let old = *self.submissions.get(id).ok_or("SubmissionNotFound")?;
        let form = self.form_of(id).ok_or("SubmissionNotFound")?;
        self.need(actor, "update", Place::Submission(id))?;
        if old.state == State::Submitted && state == State::Draft {
            return Err("SubmissionStateTransitionNotAllowed");
        }
        check_state(form, state)?;
        if old.state == State::Draft && state == State::Submitted {
            self.check_window(form)?;
            self.check_limit(old.form, form)?;
        }
        let mut tags = old.tags;
        if let Some(wanted) = wanted {
            self.check_tags(actor, old.form, (old.tags, wanted))?;
            // "The same set is no change."
            let is_same = wanted.len() == tags.len() && wanted.iter().all(|tag| tags.contains(tag));
            tags = if is_same { tags } else { wanted };
        }
        let keeps = matches!(data, Data::Keep);
        let data = match data {
            Data::Keep => old.data,
            Data::Clear => None,
            Data::Set(data) => Some(data),
        };
        // "Who may not read learns nothing by writing."
        let is_hidden = keeps && !self.may(actor, "read", Place::Submission(id));
        // "A change that sends tags, neither data nor files, judges neither data nor files."
        let is_marked = keeps && wanted.is_some();
        if !(is_hidden || is_marked) || state != old.state {
            check_data(form, state, data)?;
        }
        let modifier = actor.creator();
        if let Some(submission) = self.submissions.get_mut(id) {
            *submission = Submission {
                modifier,
                state,
                data,
                tags,
                ..old
            };
        }
        Ok(self.shown(actor, Place::Submission(id)))
    }

    fn delete_submission(&mut self, actor: Actor, id: Id) -> Outcome {
        self.submissions.get(id).ok_or("SubmissionNotFound")?;
        self.need(actor, "delete", Place::Submission(id))?;
        self.drop_submission(id);
        Ok(Answer::Done)
    }

    fn delete_submitted(&mut self, actor: Actor, form: Id) -> Outcome {
        self.forms.get(form).ok_or("FormNotFound")?;
        self.need(actor, "delete_submissions", Place::Form(form))?;
        for id in self.submissions_of(form) {
            if self.submissions.get(id).map(|it| it.state) == Some(State::Submitted) {
                self.drop_submission(id);
            }
        }
        Ok(Answer::Done)
    }

    fn create_link(&mut self, actor: Actor, form: Id, cap: Option<usize>) -> Outcome {
        self.forms.get(form).ok_or("FormNotFound")?;
        self.need(actor, "manage", Place::Form(form))?;
        let grant = self.grants.add(Grant {
            holder: Holder::Link(self.links.len()),
            action: "create_submissions",
            on: Place::Form(form),
        });
        self.links.add(Link { form, grant, cap });
        Ok(Answer::Done)
    }

    fn change_link(&mut self, actor: Actor, id: Id, cap: Option<usize>) -> Outcome {
        let link = *self.links.get(id).ok_or("FormLinkNotFound")?;
        self.need(actor, "manage", Place::Form(link.form))?;
        if let Some(link) = self.links.get_mut(id) {
            link.cap = cap;
        }
        Ok(Answer::Done)
    }

    fn delete_link(&mut self, actor: Actor, id: Id) -> Outcome {
        let link = *self.links.get(id).ok_or("FormLinkNotFound")?;
        self.need(actor, "manage", Place::Form(link.form))?;
        self.grants.delete(link.grant);
        self.drop_ended_links();
        Ok(Answer::Done)
    }

    /// "How many *submitted* submissions it takes in all."
    fn check_limit(&self, id: Id, form: &Form) -> Result<(), Refusal> {
        let submitted = self.submissions.iter();
        let submitted = submitted.filter(|(_, it)| it.form == id && it.state == State::Submitted);
        let taken = submitted.count();
        if form.limit.is_some_and(|limit| taken >= limit) {
            return Err("SubmissionLimitReached");
        }
        Ok(())
    }

    fn check_window(&self, form: &Form) -> Result<(), Refusal> {
        let is_early = form.starts.is_some_and(|starts| self.now < starts);
        let is_late = form.ends.is_some_and(|ends| self.now > ends);
        if is_early || is_late {
            return Err("FormNotAvailable");
        }
        Ok(())
    }
}

fn check_state(form: &Form, state: State) -> Result<(), Refusal> {
    if form.states.contains(&state) {
        Ok(())
    } else {
        Err("SubmissionStateNotAllowed")
    }
}

/// "A missing `dataFeedElement` counts as `{}`. A draft needs well-formed JSON only."
fn check_data(form: &Form, state: State, data: Option<&str>) -> Result<(), Refusal> {
    let is_fine = match (state, data) {
        (State::Draft, data) => data.is_none_or(words::is_json),
        (State::Submitted, data) => words::is_valid(data.unwrap_or("{}"), form.has_schema),
    };
    if is_fine {
        Ok(())
    } else {
        Err("SubmissionDataInvalid")
    }
}
