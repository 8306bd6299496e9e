//! The statement of a list of submissions: those that a scope contains.

use formalize_core::forms::SubmissionStates;
use formalize_core::store::scope::{Subjects, SubmissionScope};
use formalize_core::store::{Selection, Window};
use formalize_core::{Action, FormId};

use super::columns;
use crate::driver::{Dialect, Statement};
use crate::query::{FENCE, Query, Source, can_be_stored};
use crate::reach::state_bit;
use crate::{kept_forms, tags};

/// The statement of a list, or `None` if the list is certainly empty.
pub(crate) fn select<'a>(
    dialect: Dialect,
    form: FormId,
    scope: &'a SubmissionScope,
    selection: Selection<'a>,
    window: Window,
) -> Option<Statement<'a>> {
    let (query, sources) = sources(dialect, form, scope, selection)?;
    let texts = &["submissions.data", "submissions.tags"];
    let table = ("submissions", &texts[..]);
    query.large_rows(&columns(dialect), table, &sources, window)
}

/// The sets of submissions that a list merges, or `None` if the list is certainly empty.
pub(super) fn sources<'a>(
    dialect: Dialect,
    form: FormId,
    scope: &'a SubmissionScope,
    selection: Selection<'a>,
) -> Option<(Query<'a>, Vec<Source>)> {
    let creator = selection.creator;
    if creator.is_some_and(|creator| !can_be_stored(creator)) {
        return None;
    }
    let mut query = Query::new(dialect);
    let form = query.bind(form.as_uuid());
    let sources = match selection.tag {
        Some(tag) => {
            let condition = in_scope(&mut query, scope, creator)?;
            vec![tags::of_tag(&mut query, &form, tag, &condition)?]
        }
        None => sources_in_scope(&mut query, &form, scope, creator),
    };
    let kept = kept_forms::is_kept(&form);
    let sources = sources.into_iter().map(|source| source.and(kept.clone()));
    let sources = sources.collect();
    query.order(selection.before, selection.newest_first);
    Some((query, sources))
}

/// One set of submissions for each way to them that a scope has.
fn sources_in_scope<'a>(
    query: &mut Query<'a>,
    form: &str,
    scope: &'a SubmissionScope,
    creator: Option<&'a str>,
) -> Vec<Source> {
    let mut sources = everything(query, form, scope.all, creator);
    if let Some((author, states)) = &scope.created {
        let wanted = creator.is_none_or(|creator| creator == author.as_str());
        if wanted {
            sources.extend(of_creator(query, form, author.as_str(), *states));
        }
    }
    if let Some((subjects, actions, states)) = &scope.granted
        && !states.is_empty()
    {
        let granted = (subjects, actions.as_slice(), *states);
        if let Some(creator) = creator {
            sources.extend(granted_of_creator(query, form, creator, granted));
        } else {
            // Submissions in the states `all` are listed anyway. With these states, the search ends after a page of grants;
            // without them it might read all grants of the caller.
            let states = states.union(scope.all);
            sources.push(granted_to(query, form, (subjects, actions, states)));
        }
    }
    sources
}

/// The condition that a submission is in a scope, or `None` if it contains nothing. Submissions with one tag are few, so they
/// are read one after the other; those outside of the scope are read past.
fn in_scope<'a>(
    query: &mut Query<'a>,
    scope: &'a SubmissionScope,
    creator: Option<&'a str>,
) -> Option<String> {
    let mut ways = Vec::new();
    if !scope.all.is_empty() {
        ways.push(in_states(query, scope.all));
    }
    if let Some((author, states)) = &scope.created
        && !states.is_empty()
    {
        let (author, states) = (query.bind(author.as_str()), in_states(query, *states));
        ways.push(format!("submissions.creator = {author} AND {states}"));
    }
    if let Some((subjects, actions, states)) = &scope.granted
        && !states.is_empty()
    {
        let (granted, states) = (
            is_granted(query, subjects, actions),
            in_states(query, *states),
        );
        ways.push(format!("{granted} AND {states}"));
    }
    if ways.is_empty() {
        return None;
    }
    let any = format!("({})", ways.join(" OR "));
    Some(match creator {
        Some(creator) => format!("submissions.creator = {} AND {any}", query.bind(creator)),
        None => any,
    })
}

/// Every submission in the states, or those of a creator.
fn everything<'a>(
    query: &mut Query<'a>,
    form: &str,
    states: SubmissionStates,
    creator: Option<&'a str>,
) -> Vec<Source> {
    match creator {
        Some(creator) => of_creator(query, form, creator, states),
        None => of_states(query, &of_form(form), states),
    }
}

fn of_creator<'a>(
    query: &mut Query<'a>,
    form: &str,
    creator: &'a str,
    states: SubmissionStates,
) -> Vec<Source> {
    let creator = query.bind(creator);
    let created = of_form(form).and(format!("submissions.creator = {creator}"));
    of_states(query, &created, states)
}

/// One set for each state, because an index has the identifiers of each state in order. A condition on the state would
/// read past all submissions in other states.
fn of_states(query: &mut Query<'_>, source: &Source, states: SubmissionStates) -> Vec<Source> {
    let led = |state| {
        let state = query.bind(state_bit(state));
        source.clone().led_by("submissions.state", state)
    };
    states.iter().map(led).collect()
}

fn of_form(form: &str) -> Source {
    let condition = format!("submissions.form_id = {form}");
    Source::of("submissions", "submissions.id", vec![condition])
}

fn in_states(query: &mut Query<'_>, states: SubmissionStates) -> String {
    let states = query.bind(i64::from(states.bits()));
    format!("(submissions.state & {states}) <> 0")
}

/// Subjects, actions, and the states of submissions that their grants apply to.
type Granted<'a> = (&'a Subjects, &'a [Action], SubmissionStates);

/// The submissions on which a subject holds an action, one set for each subject and action.
fn granted_to(
    query: &mut Query<'_>,
    form: &str,
    (subjects, actions, states): Granted<'_>,
) -> Source {
    let (subjects, actions) = (query.bind_subjects(subjects), query.bind_actions(actions));
    let dialect = query.dialect();
    Source {
        each: vec![
            dialect.texts("subject", &subjects),
            dialect.texts("action", &actions),
        ],
        ..Source::of("grants", "grants.anchor", Vec::new())
    }
    .and("grants.form_id IS NOT NULL")
    .led_by("grants.subject", "subject.value")
    .led_by("grants.form_id", form)
    .led_by("grants.action", "action.value")
    .whose(
        "formalize_submissions AS submissions",
        "submissions.id = grants.anchor",
        &in_states(query, states),
    )
}

/// The same for one creator, who usually has fewer submissions than there are grants.
fn granted_of_creator<'a>(
    query: &mut Query<'a>,
    form: &str,
    creator: &'a str,
    (subjects, actions, states): Granted<'_>,
) -> Vec<Source> {
    let granted = is_granted(query, subjects, actions);
    let created = of_creator(query, form, creator, states).into_iter();
    created.map(|source| source.and(granted.clone())).collect()
}

/// The condition that a subject holds an action on a submission.
fn is_granted(query: &mut Query<'_>, subjects: &Subjects, actions: &[Action]) -> String {
    let (subjects, actions) = (query.bind_subjects(subjects), query.bind_actions(actions));
    format!(
        "EXISTS (SELECT 1 FROM formalize_grants AS grants WHERE grants.anchor = submissions.id AND {} AND {}{FENCE})",
        query.dialect().any_text("grants.subject", &subjects),
        query.dialect().any_text("grants.action", &actions)
    )
}
