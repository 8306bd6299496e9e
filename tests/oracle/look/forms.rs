//! Forms and submissions.

use formalize_core::summary::Summary;
use formalize_core::{
    FormFilter, FormId, FormView, Result, Submission, SubmissionFilter, SubmissionId,
    SubmissionState, Timestamp, Viewed,
    forms::TagAction,
    links::{FormLink, LinkCap, LinkId},
    submissions::OutputValidation,
};
use serde_json::Value;

use super::{List, Onlooker};
use crate::model::words::{TAG_ACTIONS, keys_only};
use crate::model::{Actor, Id, Link, Place, State, Words};
use crate::paging;
use crate::service::{state_of, words};

/// The visible parts of a submission, except times. The creator is empty for the system.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    id: SubmissionId,
    form: FormId,
    creator: String,
    modifier: String,
    state: SubmissionState,
    data: Option<String>,
    granted: Words,
    tags: Vec<String>,
    tag_actions: Vec<&'static str>,
}

fn seen(view: Viewed<Submission>) -> Seen {
    let submission = view.item;
    Seen {
        id: submission.id,
        form: submission.form,
        creator: submission.creator.to_string(),
        modifier: submission.last_modified_by.to_string(),
        state: submission.state,
        data: submission.data.as_deref().map(str::to_owned),
        granted: words(&view.granted_actions),
        tags: submission.tags.iter().map(str::to_owned).collect(),
        tag_actions: view.tag_actions.iter().map(TagAction::as_str).collect(),
    }
}

/// What is compared of a summary: the number of submissions, whether these are all, and the answers to each question.
type Counts = (u64, bool, Vec<(String, u64)>);

/// What is compared of a submission in an export.
type Exported = (SubmissionId, SubmissionState, Option<String>);

impl Onlooker<'_> {
    pub(super) async fn look_at_forms(&self) {
        let forms = self.service.world.forms();
        let view = |it: FormView| {
            let granted = words(&it.granted_actions);
            let tags = it.item.details.available_tags.identifiers();
            let tags = (it.sees_available_tags, tags);
            (it.item.id, granted, it.num_submissions_by_caller, tags)
        };
        let tags = |id| {
            let sees_them = self.model.sees_tags_of_form(self.actor, id);
            let of_form = self.model.forms.get(id).map_or(&[][..], |form| form.tags);
            let tags = of_form.iter().filter(|_| sees_them);
            let tags: Vec<String> = tags.copied().map(str::to_owned).collect();
            (sees_them, tags)
        };
        for id in 0..self.model.forms.len() {
            let read = forms.get(&self.caller, self.service.form(id)).await;
            let own = i64::try_from(self.model.count_of(id, self.actor)).ok();
            let expected = match self.model.forms.get(id) {
                None => Err("FormNotFound"),
                Some(_) if !self.may("read", Place::Form(id)) => Err("Forbidden"),
                Some(_) => Ok((self.service.form(id), own)),
            };
            let expected = expected
                .map(|(it, own)| (it, self.effective(Place::Form(id)).clone(), own, tags(id)));
            self.same(read.map(view), expected, ("form", id));
            self.look_at_questions(id).await;
        }
        for where_read_form_submissions_granted in [false, true] {
            let filter = FormFilter {
                where_read_form_submissions_granted,
                ..FormFilter::default()
            };
            let list = async |request| forms.list(&self.caller, &filter, &request).await;
            let listed = paging::read(self.page_size(List::Forms), list).await;
            let listed = listed.map(|all| all.into_iter().map(view).collect());
            let readable = self.model.forms.iter().map(|(id, _)| id).filter(|id| {
                self.may("read", Place::Form(*id))
                    && (!where_read_form_submissions_granted || self.reads_submissions_of(*id))
            });
            let expected = readable.map(|id| {
                let granted = self.effective(Place::Form(id)).clone();
                (self.service.form(id), granted, None, tags(id))
            });
            self.same(listed, Ok(expected.collect::<Vec<_>>()), filter);
        }
        self.look_at_forms_of_console().await;
    }

    /// The lists of the first page of the console.
    async fn look_at_forms_of_console(&self) {
        let forms = self.service.world.forms();
        let page_size = self.page_size(List::Forms);
        let all = || self.model.forms.iter().map(|(id, _)| id);

        let list = async |request| forms.list_to_fill_in(&self.caller, &request).await;
        let listed = paging::read(page_size, list).await;
        let listed = listed.map(|all| all.into_iter().map(|form| form.id).collect());
        // A link finds its form by its address alone.
        let is_link = matches!(self.actor, Actor::Link(_));
        let to_fill_in =
            all().filter(|id| !is_link && self.may("create_submissions", Place::Form(*id)));
        let expected = to_fill_in.map(|id| self.service.form(id));
        self.same(listed, Ok(expected.collect::<Vec<_>>()), "forms to fill in");

        let list = async |request| forms.list_to_look_after(&self.caller, &request).await;
        let listed = paging::read(page_size, list).await;
        let listed = listed.map(|all| all.into_iter().map(|form| form.item.id).collect());
        let to_look_after = all().filter(|id| {
            let form = Place::Form(*id);
            self.may("read", form) && (self.may("update", form) || self.reads_submissions_of(*id))
        });
        let expected = to_look_after.map(|id| self.service.form(id));
        self.same(
            listed,
            Ok(expected.collect::<Vec<_>>()),
            "forms to look after",
        );
    }

    async fn look_at_questions(&self, id: Id) {
        let forms = self.service.world.forms();
        let form = self.service.form(id);
        let asked = forms.questions(&self.caller, form, None, None).await;
        let may = |action| self.may(action, Place::Form(id));
        let expected = match self.model.forms.get(id) {
            None => Err("FormNotFound"),
            Some(_) if may("read") || may("create_submissions") => Ok(()),
            Some(_) => Err("Forbidden"),
        };
        self.same(asked.map(drop), expected, ("questions", id));
    }

    pub(super) async fn look_at_links(&self) {
        let links = self.service.world.links();
        let view = |link: FormLink| {
            (
                link.id,
                link.form,
                link.cap.map(LinkCap::get),
                link.num_submissions,
            )
        };
        for id in 0..self.model.links.len() {
            let read = links.get(&self.caller, self.service.link(id)).await;
            let expected = match self.model.links.get(id) {
                None => Err("FormLinkNotFound"),
                Some(link) if !self.may("manage", Place::Form(link.form)) => Err("Forbidden"),
                Some(link) => Ok(self.link(id, link)),
            };
            self.same(read.map(view), expected, ("link", id));
        }
        for form in 0..self.model.forms.len() {
            let of_form = self.service.form(form);
            let list = async |request| links.list(&self.caller, of_form, &request).await;
            let listed = paging::read(self.page_size(List::Links), list).await;
            let listed = listed.map(|all| all.into_iter().map(view).collect());
            let of_form = self
                .model
                .links
                .iter()
                .filter(|(_, link)| link.form == form);
            let expected = match self.model.forms.get(form) {
                None => Err("FormNotFound"),
                Some(_) if !self.may("manage", Place::Form(form)) => Err("Forbidden"),
                Some(_) => Ok(of_form
                    .map(|(id, link)| self.link(id, link))
                    .collect::<Vec<_>>()),
            };
            self.same(listed, expected, ("links of", form));
        }
    }

    /// A link with its cap and the number of submissions through it.
    fn link(&self, id: Id, link: &Link) -> (LinkId, FormId, Option<i64>, i64) {
        let number = |number| i64::try_from(number).unwrap();
        let count = self.model.count_of(link.form, Actor::Link(id));
        let form = self.service.form(link.form);
        (
            self.service.link(id),
            form,
            link.cap.map(number),
            number(count),
        )
    }

    /// Whether all submissions of a form may be read (even if there are none), or at least one existing submission.
    fn reads_submissions_of(&self, form: Id) -> bool {
        let mut submissions = self.model.submissions_of(form).into_iter();
        self.may("read_submissions", Place::Form(form))
            || submissions.any(|id| self.may("read", Place::Submission(id)))
    }

    pub(super) async fn look_at_submissions(&self) {
        let submissions = self.service.world.submissions();
        let mut readable = Vec::new();
        for id in 0..self.model.submissions.len() {
            let read = submissions
                .get(&self.caller, self.service.submission(id))
                .await;
            let expected = self.submission(id);
            readable.extend(expected.is_ok().then_some(id));
            self.same(read.map(seen), expected, ("submission", id));
        }
        for form in 0..self.model.forms.len() {
            for filters in self.focus.share(filters(self.model.submissions.len())) {
                self.look_at_list(form, &readable, filters).await;
            }
        }
    }

    async fn look_at_list(&self, form: Id, readable: &[Id], filters: Filters) {
        let Filters {
            creator,
            state,
            tag,
            output,
            from,
            before,
        } = filters;
        let (from, before) = (from.map(|id| self.time(id)), before.map(|id| self.time(id)));
        let filter = SubmissionFilter {
            creator: creator.map(str::to_owned),
            state: state.map(state_of),
            tag: tag.map(str::to_owned),
            created_from: from,
            created_before: before,
            output,
            newest_first: false,
        };
        let submissions = self.service.world.submissions();
        let of_form = self.service.form(form);
        let list = async |request| {
            submissions
                .list(&self.caller, of_form, &filter, &request)
                .await
        };
        let listed = paging::read(self.page_size(List::Submissions), list).await;
        let listed = listed.map(|all| all.into_iter().map(seen).collect());
        let listable = readable.iter().filter(|id| {
            let submission = self.model.submissions.get(**id).expect("it exists");
            submission.form == form
                && state.is_none_or(|state| state == submission.state)
                && tag.is_none_or(|tag| {
                    let sees_tags = self.model.tag_actions_on(self.actor, **id).contains("read");
                    sees_tags && submission.tags.contains(&tag)
                })
                && creator.is_none_or(|it| it == self.service.creator(submission.creator))
                && from.is_none_or(|from| self.time(**id) >= from)
                && before.is_none_or(|before| self.time(**id) < before)
        });
        let expected = listable.map(|id| self.in_list(*id, output));
        let expected = match self.model.forms.get(form) {
            None => Err("FormNotFound"),
            Some(_) => Ok(expected.collect::<Vec<_>>()),
        };
        if self.focus.list == List::Submissions {
            let newest = SubmissionFilter {
                newest_first: true,
                ..filter.clone()
            };
            let list = async |request| {
                submissions
                    .list(&self.caller, of_form, &newest, &request)
                    .await
            };
            let listed = paging::read(self.page_size(List::Submissions), list).await;
            let listed = listed.map(|all| all.into_iter().map(seen).rev().collect());
            self.same(listed, expected.clone(), ("newest of", form, &newest));
            let exported = self.exported(of_form, &filter).await;
            let without_actions = |seen: &Seen| (seen.id, seen.state, seen.data.clone());
            let expected = expected.as_ref().map_err(|error| *error);
            let expected = expected.map(|all| all.iter().map(without_actions).collect::<Vec<_>>());
            self.same(exported, expected.clone(), ("export of", form, &filter));
            let summary = submissions.summary(&self.caller, of_form, &filter, None);
            let counts = |summary: Summary| {
                let questions = summary.questions.into_iter();
                let answered = questions.map(|question| (question.pointer, question.num_answered));
                (
                    summary.num_submissions,
                    summary.is_complete,
                    answered.collect(),
                )
            };
            let expected = expected.map(|all| self.counts(form, &all));
            self.same(
                summary.await.map(counts),
                expected,
                ("summary of", form, &filter),
            );
        }
        self.same(listed, expected, ("submissions of", form, &filter));
    }

    /// What a summary of submissions counts: them, and the answers to the only question of the schema.
    fn counts(&self, form: Id, submissions: &[Exported]) -> Counts {
        let is_shown = !submissions.is_empty() || self.may("read", Place::Form(form));
        let has_schema = (self.model.forms.get(form)).is_some_and(|form| form.has_schema);
        let is_answer = |(_, _, data): &&Exported| {
            let data: Option<Value> = data
                .as_ref()
                .map(|data| serde_json::from_str(data).unwrap());
            data.is_some_and(|data| data.get("a").is_some_and(|answer| !answer.is_null()))
        };
        let answered = submissions.iter().filter(is_answer).count();
        let questions = (is_shown && has_schema).then(|| ("/a".to_owned(), answered as u64));
        (
            submissions.len() as u64,
            true,
            questions.into_iter().collect(),
        )
    }

    /// The submissions in an export, which must say whether the form may be read.
    async fn exported(&self, form: FormId, filter: &SubmissionFilter) -> Result<Vec<Exported>> {
        let submissions = self.service.world.submissions();
        let mut export = submissions.export(&self.caller, form, filter, "en").await?;
        let form_read = self.service.world.forms().get(&self.caller, form).await;
        assert_eq!(export.form().is_some(), form_read.is_ok());
        let mut exported = Vec::new();
        while let Some(rows) = export.next().await? {
            let rows = rows.into_iter();
            exported.extend(rows.map(|it| (it.id, it.state, it.data.map(|data| data.to_string()))));
        }
        Ok(exported)
    }

    /// The time with which the identifier of a submission begins.
    fn time(&self, id: Id) -> Timestamp {
        let time = self.service.submission(id).as_uuid().get_timestamp();
        let (seconds, nanos) = time.expect("it has one").to_unix();
        let millis = seconds * 1000 + u64::from(nanos / 1_000_000);
        Timestamp::from_millis(millis.try_into().unwrap()).unwrap()
    }

    fn in_list(&self, id: Id, output: OutputValidation) -> Seen {
        let mut seen = self.submission(id).expect("it is readable");
        let has_schema = self.model.form_of(id).is_some_and(|form| form.has_schema);
        if output == OutputValidation::Keys {
            seen.data = seen
                .data
                .map(|data| keys_only(&data, has_schema).to_owned());
        }
        seen
    }

    fn submission(&self, id: Id) -> std::result::Result<Seen, &'static str> {
        let submission = self.model.submissions.get(id).ok_or("SubmissionNotFound")?;
        if !self.may("read", Place::Submission(id)) {
            return Err("Forbidden");
        }
        let tag_actions = self.model.tag_actions_on(self.actor, id);
        Ok(Seen {
            id: self.service.submission(id),
            form: self.service.form(submission.form),
            creator: self.service.creator(submission.creator),
            modifier: self.service.creator(submission.modifier),
            state: state_of(submission.state),
            data: submission.data.map(str::to_owned),
            granted: self.effective(Place::Submission(id)).clone(),
            tags: if tag_actions.contains("read") {
                submission.tags.iter().copied().map(str::to_owned).collect()
            } else {
                Vec::new()
            },
            tag_actions: TAG_ACTIONS
                .into_iter()
                .filter(|action| tag_actions.contains(action))
                .collect(),
        })
    }
}

#[derive(Clone, Copy)]
struct Filters {
    creator: Option<&'static str>,
    state: Option<State>,
    tag: Option<&'static str>,
    output: OutputValidation,
    /// Only submissions created when this one was, or later.
    from: Option<Id>,
    /// Only submissions created before this one.
    before: Option<Id>,
}

/// Filters for lists in a scenario with this number of submissions.
fn filters(submissions: usize) -> Vec<Filters> {
    let mut filters = Vec::new();
    let all = Filters {
        creator: None,
        state: None,
        tag: None,
        output: OutputValidation::None,
        from: None,
        before: None,
    };
    for creator in [None, Some("ann"), Some("Ann"), Some(""), Some("a\0")] {
        for state in [None, Some(State::Draft), Some(State::Submitted)] {
            filters.push(Filters {
                creator,
                state,
                ..all
            });
        }
    }
    filters.push(Filters {
        output: OutputValidation::Keys,
        ..all
    });
    for (creator, state, tag) in [
        (None, None, "new"),
        (None, None, "old"),
        (Some("ann"), None, "new"),
        (None, Some(State::Submitted), "new"),
        (None, None, "NEW"),
        (None, None, "a\0"),
    ] {
        filters.push(Filters {
            creator,
            state,
            tag: Some(tag),
            ..all
        });
    }
    let middle = submissions.checked_sub(1).map(|last| last / 2);
    for (creator, state) in [
        (None, None),
        (Some("ann"), None),
        (None, Some(State::Submitted)),
    ] {
        for (from, before) in [
            (middle, None),
            (None, middle),
            (middle.and(Some(0)), middle),
            (middle, middle),
        ] {
            filters.push(Filters {
                creator,
                state,
                from,
                before,
                ..all
            });
        }
    }
    filters
}
