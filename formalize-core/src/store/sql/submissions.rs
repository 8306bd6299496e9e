//! Statements about submissions and the places that they take.

use async_trait::async_trait;

use super::driver::{Dialect, FixedText, Lock, Row, Statement, Transaction, sql};
use super::query::{Query, Source, can_be_stored};
use super::reach::{of_actions, state_bit};
use super::record::{Record, read_list, written};
use super::{batch, deletions, events, files, forms, grants, tags, webhooks};
use crate::authz::scope::{Subjects, SubmissionScope};
use crate::id::{EventId, FormId, Revision, SubmissionId};
use crate::model::action::Action;
use crate::model::deletion::Deletion;
use crate::model::event::EventContent;
use crate::model::form::{SubmissionCap, SubmissionLimit, SubmissionState, SubmissionStates};
use crate::model::subject::UserId;
use crate::model::submission::Submission;
use crate::model::tag::Tags;
use crate::model::webhook::FrozenSubmission;
use crate::page::{Selection, Window};
use crate::store::{
    Principal, ReadSubmissions, StoreResult, SubmissionFor, SubmissionHeader, WriteSubmissions,
    compose,
};

/// The columns of a submission, except for its files.
const COLUMNS: &str = "submissions.id, submissions.form_id, submissions.creator, submissions.state, \
     submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, \
     submissions.revision, submissions.data, submissions.tags";

/// The columns of a submission with its files.
fn columns(dialect: Dialect) -> String {
    format!("{COLUMNS}, {}", files::of_submission(dialect))
}

fn read(row: &Row) -> StoreResult<Submission> {
    let submission = read_without_files(row)?;
    let files = files::read_of_submission(row, submission.id)?;
    Ok(Submission {
        files,
        ..submission
    })
}

pub(super) fn read_without_files(row: &Row) -> StoreResult<Submission> {
    let record = Record::new("submissions", row);
    Ok(Submission {
        id: SubmissionId::from_uuid(record.id()?),
        form: FormId::from_uuid(record.uuid("form_id")?),
        data: record.optional_text("data")?.map(Into::into),
        state: record.checked("state", read_state(record.bits("state")?).ok_or(()))?,
        creator: record.author("creator")?,
        last_modified_by: record.author("last_modified_by")?,
        date_created: record.instant("date_created")?,
        date_last_modified: record.instant("date_last_modified")?,
        revision: Revision::from_uuid(record.uuid("revision")?),
        files: Vec::new(),
        tags: tags::read(record)?,
    })
}

fn read_header(row: &Row) -> StoreResult<SubmissionHeader> {
    let record = Record::new("submissions", row);
    Ok(SubmissionHeader {
        id: SubmissionId::from_uuid(record.id()?),
        form: FormId::from_uuid(record.uuid("form_id")?),
        rules: forms::read_rules(Record::joined("forms", "form_id", row))?,
        state: record.checked("state", read_state(record.bits("state")?).ok_or(()))?,
        creator: record.author("creator")?,
    })
}

/// A state is stored as the set that contains only it.
fn read_state(bits: u8) -> Option<SubmissionState> {
    SubmissionState::ALL
        .iter()
        .copied()
        .find(|state| state_bit(*state) == i64::from(bits))
}

async fn find(tx: &mut Transaction, id: SubmissionId) -> StoreResult<Option<Submission>> {
    let (dialect, kept) = (tx.dialect(), forms::is_kept("submissions.form_id"));
    let select = dialect.select_one(&columns(dialect), "submissions", &kept, None);
    let row = tx.optional(sql(select).bind(id.as_uuid()).brief()).await?;
    row.as_ref().map(read).transpose()
}

/// Finds a submission and locks it. Its files are read afterwards: if PostgreSQL had to wait for the lock, the statement sees
/// the new state of the submission, but the old one of everything else.
async fn find_locked(tx: &mut Transaction, id: SubmissionId) -> StoreResult<Option<Submission>> {
    let kept = forms::is_kept("submissions.form_id");
    let columns = format!("{COLUMNS}, submissions.num_files");
    let lock = Some(Lock::Exclusive);
    let select = tx
        .dialect()
        .select_one(&columns, "submissions", &kept, lock);
    let row = tx.optional(sql(select).bind(id.as_uuid()).brief()).await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let mut submission = read_without_files(&row)?;
    if Record::new("submissions", &row).int("num_files")? > 0 {
        submission.files = files::find_of(tx, id).await?;
    }
    Ok(Some(submission))
}

#[async_trait]
impl ReadSubmissions for Transaction {
    async fn deletion_of_submitted(&mut self, form: FormId) -> StoreResult<Deletion> {
        deletions::of_submitted(self, form).await
    }

    async fn find_submission(&mut self, id: SubmissionId) -> StoreResult<Option<Submission>> {
        find(self, id).await
    }

    async fn find_submission_for(
        &mut self,
        id: SubmissionId,
        principal: Principal<'_>,
    ) -> StoreResult<Option<SubmissionFor>> {
        let select = select_for(self.dialect(), id, principal);
        let Some(row) = self.optional(select).await? else {
            return Ok(None);
        };
        Ok(Some(SubmissionFor {
            submission: read(&row)?,
            rules: forms::read_rules(Record::joined("forms", "form_id", &row))?,
            held: grants::read_held(&row)?,
        }))
    }

    async fn submission_headers(
        &mut self,
        ids: &[SubmissionId],
    ) -> StoreResult<Vec<SubmissionHeader>> {
        let ids: Vec<_> = ids.iter().map(|id| id.as_uuid()).collect();
        let of_ids = self.dialect().any_uuid("submissions.id", "$1");
        let select = format!(
            "SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, {} \
             FROM submissions JOIN forms ON forms.id = submissions.form_id WHERE {of_ids} AND {}",
            forms::RULES,
            forms::KEPT
        );
        let rows = self.all(sql(select).bind(ids)).await?;
        rows.iter().map(read_header).collect()
    }

    async fn submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        selection: Selection<'_>,
        window: Window,
    ) -> StoreResult<Vec<Submission>> {
        let select = select(self.dialect(), form, scope, selection, window);
        read_list(self, select, read).await
    }

    async fn count_submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        window: Window,
    ) -> StoreResult<u64> {
        let Some((query, sources)) = sources(self.dialect(), form, scope, Selection::default())
        else {
            return Ok(0);
        };
        let Some(count) = query.count(&sources, window) else {
            return Ok(0);
        };
        let row = self.optional(count).await?;
        let counted = row.map(|row| Record::joined("submissions", "counted", &row).int("counted"));
        let counted = counted.transpose()?.unwrap_or_default();
        Ok(u64::try_from(counted).unwrap_or_default())
    }

    async fn places_taken(&mut self, form: FormId, creator: &UserId) -> StoreResult<i64> {
        let select = sql(format!(
            "SELECT form_id, taken FROM submission_places WHERE form_id = $1 AND creator = $2 AND {}",
            forms::is_kept("form_id")
        ))
        .bind(form.as_uuid())
        .bind(creator.as_str());
        match self.optional(select.brief()).await? {
            Some(row) => Record::joined("submission_places", "form_id", &row).int("taken"),
            None => Ok(0),
        }
    }

    async fn form_places_taken(&mut self, form: FormId) -> StoreResult<Option<i64>> {
        let select =
            sql("SELECT form_id, taken FROM form_places WHERE form_id = $1").bind(form.as_uuid());
        let row = self.optional(select.brief()).await?;
        row.map(|row| Record::joined("form_places", "form_id", &row).int("taken"))
            .transpose()
    }

    async fn has_submissions(&mut self, form: FormId) -> StoreResult<bool> {
        let select = sql(format!(
            "SELECT 1 FROM submissions WHERE form_id = $1 AND {} LIMIT 1",
            forms::is_kept("$1")
        ))
        .bind(form.as_uuid());
        Ok(self.optional(select.brief()).await?.is_some())
    }
}

#[async_trait]
impl WriteSubmissions for Transaction {
    async fn lock_submission_exclusive(
        &mut self,
        id: SubmissionId,
    ) -> StoreResult<Option<Submission>> {
        find_locked(self, id).await
    }

    async fn submit(
        &mut self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
    ) -> StoreResult<bool> {
        let submit = submit(self.dialect(), submission, form, (cap, limit), event);
        let is_written = self.run(submit).await? > 0;
        if let Some(event) = event.filter(|_| is_written) {
            self.appended(event);
        }
        Ok(is_written)
    }

    async fn submit_all(
        &mut self,
        submissions: &[(Submission, Option<EventId>)],
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
    ) -> StoreResult<bool> {
        if !self.dialect().takes_columns() {
            return compose::submit_all(self, submissions, form, cap, limit).await;
        }
        let are_written = batch::submit_all(self, submissions, form, (cap, limit)).await?;
        let event = submissions.iter().find_map(|(_, event)| *event);
        if let Some(event) = event.filter(|_| are_written) {
            self.appended(event);
        }
        Ok(are_written)
    }

    async fn take_form_place(&mut self, form: FormId, limit: SubmissionLimit) -> StoreResult<bool> {
        let take =
            sql("UPDATE form_places SET taken = taken + 1 WHERE form_id = $1 AND taken < $2")
                .bind(form.as_uuid())
                .bind(limit.get());
        Ok(self.run(take.brief()).await? > 0)
    }

    async fn update_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        let update = sql(
            "UPDATE submissions SET state = $2, last_modified_by = $3, date_last_modified = $4, \
             revision = $5, data = $6 WHERE id = $1",
        )
        .bind(submission.id.as_uuid())
        .bind(state_bit(submission.state))
        .bind(submission.last_modified_by.as_str())
        .bind(submission.date_last_modified.as_millis())
        .bind(submission.revision.as_uuid())
        .bind(submission.data.as_deref());
        written(self.run(update.brief()).await?, "submission")
    }

    async fn set_tags(&mut self, id: SubmissionId, form: FormId, tags: &Tags) -> StoreResult<()> {
        tags::set(self, id, form, tags).await
    }

    /// Foreign keys delete the grants on it with its resource, and its tags.
    async fn delete_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        let id = submission.id.as_uuid();
        self.run(sql("DELETE FROM resources WHERE anchor = $1").bind(id))
            .await?;
        let deleted = self
            .run(sql("DELETE FROM submissions WHERE id = $1").bind(id))
            .await?;
        if deleted > 0 {
            give_back(self, submission).await?;
        }
        Ok(())
    }

    async fn delete_submitted(&mut self, form: FormId) -> StoreResult<u64> {
        let submitted = state_bit(SubmissionState::Submitted);
        let places = self.dialect().together(
            "UPDATE submission_places SET taken = taken - \
             (SELECT count(*) FROM submissions WHERE submissions.form_id = $1 \
              AND submissions.creator = submission_places.creator AND submissions.state = $2), \
             file_bytes = file_bytes - \
             (SELECT CAST(coalesce(sum(submissions.file_bytes), 0) AS BIGINT) FROM submissions \
              WHERE submissions.form_id = $1 AND submissions.creator = submission_places.creator \
              AND submissions.state = $2 AND submissions.num_files > 0) \
             WHERE form_id = $1",
            "UPDATE form_places SET taken = 0 WHERE form_id = $1",
        );
        let resources = "DELETE FROM resources WHERE form_id = $1 AND anchor IN \
             (SELECT id FROM submissions WHERE form_id = $1 AND state = $2)";
        for prepare in [resources, &places] {
            let prepare = sql(prepare.to_owned());
            self.run(prepare.bind(form.as_uuid()).bind(submitted))
                .await?;
        }
        // Rows with no submissions left are deleted.
        let empty = sql("DELETE FROM submission_places WHERE form_id = $1 AND taken <= 0");
        self.run(empty.bind(form.as_uuid())).await?;
        let delete = sql("DELETE FROM submissions WHERE form_id = $1 AND state = $2")
            .bind(form.as_uuid())
            .bind(submitted);
        self.run(delete).await
    }
}

pub(super) fn select_for(
    dialect: Dialect,
    id: SubmissionId,
    principal: Principal<'_>,
) -> Statement<'_> {
    static TEXT: FixedText = FixedText::new();
    let mut query = Query::new(dialect);
    let submission = query.bind(id.as_uuid());
    let principal = grants::BoundPrincipal::new(&mut query, principal);
    let select = TEXT.get(dialect, || {
        let under = "grants.anchor IN (submissions.id, submissions.form_id)";
        let held = grants::held_value(dialect, under, &principal);
        format!(
            "SELECT {}, {}, {held} AS held FROM submissions \
             JOIN forms ON forms.id = submissions.form_id WHERE submissions.id = {submission} AND {}",
            columns(dialect),
            forms::RULES,
            forms::KEPT
        )
    });
    query.statement(select).brief()
}

/// The statement of a list, or `None` if the list is certainly empty.
pub(super) fn select<'a>(
    dialect: Dialect,
    form: FormId,
    scope: &'a SubmissionScope,
    selection: Selection<'a>,
    window: Window,
) -> Option<Statement<'a>> {
    let (query, sources) = sources(dialect, form, scope, selection)?;
    let table = ("submissions", &["submissions.data", "submissions.tags"][..]);
    query.large_rows(&columns(dialect), table, "submissions.id", &sources, window)
}

/// The sets of submissions that a list merges, or `None` if the list is certainly empty.
fn sources<'a>(
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
            vec![tags::of_tag(&mut query, &form, tag, condition)?]
        }
        None => sources_in_scope(&mut query, &form, scope, creator),
    };
    let kept = forms::is_kept(&form);
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
        match creator {
            Some(creator) => {
                sources.extend(granted_of_creator(query, form, creator, granted));
            }
            None => sources.push(granted_to(query, form, granted)),
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
    let subjects = query.bind_subjects(subjects);
    of_actions(query, &subjects, actions, "grants.anchor")
        .and(format!("grants.form_id = {form}"))
        .join("submissions", "submissions.id = grants.anchor")
        .and(in_states(query, states))
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
    // Without the limit, SQLite 3.51 makes a join of it. Then OFFSET counts a submission once for each of its grants.
    format!(
        "EXISTS (SELECT 1 FROM grants WHERE grants.anchor = submissions.id AND {} AND {} LIMIT 1)",
        query.dialect().any_text("grants.subject", &subjects),
        query.dialect().any_text("grants.action", &actions)
    )
}

/// Inserts a submission if its form `$1` has the revision `$11`, the creator `$2` has a free place under the cap `$3`, and
/// the form has a free place under the limit `$12` if the submission needs one. The form is locked. Transactions that
/// race for the last place wait for the row of the form or of the creator.
///
/// With `event`, the same statement appends the event of the submission. Its arguments follow the others; the rest are
/// those of the submission, as in [`NewEvent::of_submission`].
///
/// A single statement, because each costs a round trip.
pub(super) fn submit(
    dialect: Dialect,
    submission: &Submission,
    form: Revision,
    (cap, limit): (Option<SubmissionCap>, Option<SubmissionLimit>),
    event: Option<EventId>,
) -> Statement<'_> {
    static UNLIMITED: FixedText = FixedText::new();
    static UNLIMITED_LOGGED: FixedText = FixedText::new();
    static LIMITED: FixedText = FixedText::new();
    static LIMITED_LOGGED: FixedText = FixedText::new();
    let limit = limit_of(submission, limit);
    let text = match (limit, event) {
        (None, None) => UNLIMITED.get(dialect, || unlimited(dialect, None)),
        (None, Some(_)) => UNLIMITED_LOGGED.get(dialect, || {
            unlimited(dialect, Some(&Logged::new(dialect, ["$12", "$13", "$14"])))
        }),
        (Some(_), None) => LIMITED.get(dialect, || limited(dialect, None)),
        (Some(_), Some(_)) => LIMITED_LOGGED.get(dialect, || {
            limited(dialect, Some(&Logged::new(dialect, ["$13", "$14", "$15"])))
        }),
    };
    let mut submit = sql(text)
        .bind(submission.form.as_uuid())
        .bind(submission.creator.as_str())
        .bind(cap.map(SubmissionCap::get))
        .bind(submission.id.as_uuid())
        .bind(state_bit(submission.state))
        .bind(submission.last_modified_by.as_str())
        .bind(submission.date_created.as_millis())
        .bind(submission.date_last_modified.as_millis())
        .bind(submission.revision.as_uuid())
        .bind(submission.data.as_deref())
        .bind(form.as_uuid());
    if let Some(limit) = limit {
        submit = submit.bind(limit.get());
    }
    if let Some(event) = event {
        let event_type = EventContent::submission_created(submission).event_type;
        submit = submit
            .bind(event.as_uuid())
            .bind(event_type.as_str())
            .bind(frozen_at(submission));
    }
    submit.brief()
}

/// The event at which the data of a new submission may be kept for webhooks; zero if it never is.
pub(super) fn frozen_at(submission: &Submission) -> i64 {
    let event_type = EventContent::submission_created(submission).event_type;
    let fits = FrozenSubmission::of(submission).is_some();
    if fits {
        webhooks::frozen_event(event_type)
    } else {
        0
    }
}

fn unlimited(dialect: Dialect, then: Option<&Logged>) -> String {
    let place = place_of_creator("forms", dialect.lock(Some(Lock::Shared)));
    insert_after(dialect, &place, &[INSERT], then)
}

fn limited(dialect: Dialect, then: Option<&Logged>) -> String {
    let lock = [
        dialect.lock_of(Lock::Shared, "forms"),
        dialect.lock_of(Lock::Exclusive, "form_places"),
    ];
    let with_place = "forms JOIN form_places \
         ON form_places.form_id = forms.id AND form_places.taken < $12";
    let place = place_of_creator(with_place, &lock.concat());
    let count = [
        "INSERT INTO form_places (form_id, taken)",
        "SELECT $1, 1",
        " ON CONFLICT (form_id) DO UPDATE SET taken = form_places.taken + 1",
    ];
    insert_after(dialect, &place, &[count, INSERT], then)
}

fn insert_after(
    dialect: Dialect,
    first: &str,
    inserts: &[[&str; 3]],
    then: Option<&Logged>,
) -> String {
    let (then, aside) = match then {
        Some(logged) => (logged.event.as_slice(), Some(&logged.data)),
        None => (&[] as &[_], None),
    };
    let then = then
        .iter()
        .map(|insert| insert.each_ref().map(String::as_str));
    let inserts: Vec<_> = inserts.iter().copied().chain(then).collect();
    let aside = aside.map(|insert| insert.each_ref().map(String::as_str));
    dialect.insert_after(first, &inserts, aside)
}

/// The inserts that append the event of a submission, and that keep its data if a webhook wants it.
struct Logged {
    event: Vec<[String; 3]>,
    data: [String; 3],
}

impl Logged {
    fn new(dialect: Dialect, [id, event_type, frozen]: [&str; 3]) -> Self {
        let values = format!("{id}, {event_type}, $7, $4, $1, $2, $6");
        Self {
            event: dialect.append_event(events::OF_SUBMISSIONS, &values),
            data: [
                webhooks::INSERT_DATA.to_owned(),
                format!("SELECT {id}, $4, $10, $6, $7, $8"),
                webhooks::freeze_condition("$1", frozen),
            ],
        }
    }
}

/// The limit that applies to a new submission. Drafts take no place of the form.
pub(super) fn limit_of(
    submission: &Submission,
    limit: Option<SubmissionLimit>,
) -> Option<SubmissionLimit> {
    limit.filter(|_| submission.state == SubmissionState::Submitted)
}

/// Takes a place of the creator if `form`, the text after `FROM`, has a row.
fn place_of_creator(form: &str, lock: &str) -> String {
    format!(
        "INSERT INTO submission_places (form_id, creator, taken) \
         SELECT forms.id, $2, 1 FROM {form} \
         WHERE forms.id = $1 AND forms.revision = $11 AND {} AND ($3 IS NULL OR $3 > 0){lock} \
         ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1 \
         WHERE $3 IS NULL OR submission_places.taken < $3",
        forms::KEPT
    )
}

const INSERT: [&str; 3] = [
    "INSERT INTO submissions (form_id, creator, id, state, last_modified_by, date_created, \
     date_last_modified, revision, data)",
    "SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10",
    "",
];

/// Frees the places of a submission, and the bytes of its files. The row of the form is changed first, as when places are
/// taken.
async fn give_back(tx: &mut Transaction, submission: &Submission) -> StoreResult<()> {
    let of_creator = "UPDATE submission_places SET taken = taken - 1, file_bytes = file_bytes - $3 \
         WHERE form_id = $1 AND creator = $2";
    let of_form = "UPDATE form_places SET taken = taken - 1 WHERE form_id = $1";
    let free = match submission.state {
        SubmissionState::Draft => of_creator.to_owned(),
        SubmissionState::Submitted => tx.dialect().together(of_creator, of_form),
    };
    let empty = "DELETE FROM submission_places WHERE form_id = $1 AND creator = $2 AND taken <= 0";
    let of_submission = |change: Statement<'static>| {
        let creator = submission.creator.as_str().to_owned();
        change.bind(submission.form.as_uuid()).bind(creator)
    };
    let bytes = files::stored_size(submission.file_bytes());
    tx.run(of_submission(sql(free)).bind(bytes)).await?;
    tx.run(of_submission(sql(empty))).await?;
    Ok(())
}
