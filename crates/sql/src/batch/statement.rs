//! The statement that inserts several submissions.

use data_encoding::HEXLOWER;
use formalize_core::events::EventId;
use formalize_core::events::EventType;
use formalize_core::forms::SubmissionCap;
use formalize_core::idempotency::KeptResponse;
use formalize_core::internals::tags_and_files;
use formalize_core::{Submission, SubmissionId};
use uuid::Uuid;

use super::Conditions;
use crate::driver::{Dialect, FixedText, Lock, Statement, sql};
use crate::events::OF_SUBMISSIONS;
use crate::kept_forms::KEPT;
use crate::reach::state_bit;
use crate::submissions::frozen_at;
use crate::webhooks;

/// Writes the submissions to one form whose creators have enough places for all of theirs, and returns which were
/// written. If the form has too few places for all submissions, none is written. The conditions are those of
/// [`submit`](crate::submissions::submit).
///
/// The responses in `kept` are kept with the submissions that are written. If one of their keys is used, the statement
/// fails.
pub(super) fn submit<'a>(
    dialect: Dialect,
    submissions: &[(&'a Submission, Option<EventId>)],
    kept: &[(SubmissionId, &'a KeptResponse)],
    conditions: Conditions,
) -> Statement<'a> {
    static UNLIMITED: FixedText = FixedText::new();
    static UNLIMITED_LOGGED: FixedText = FixedText::new();
    static LIMITED: FixedText = FixedText::new();
    static LIMITED_LOGGED: FixedText = FixedText::new();
    let Conditions {
        form,
        cap,
        limit,
        is_logged,
    } = conditions;
    let fixed = match (limit, is_logged) {
        (None, false) => &UNLIMITED,
        (None, true) => &UNLIMITED_LOGGED,
        (Some(_), false) => &LIMITED,
        (Some(_), true) => &LIMITED_LOGGED,
    };
    let text = fixed.get(dialect, || text(dialect, limit.is_some(), is_logged));
    let form_id = submissions
        .first()
        .map(|(submission, _)| submission.form.as_uuid());
    let submit = sql(text)
        .bind(form_id)
        .bind(form.as_uuid())
        .bind(cap.map(SubmissionCap::get))
        .bind(column(submissions, |made| made.id.as_uuid()))
        .bind(column(submissions, |made| Some(made.creator.as_str())))
        .bind(column(submissions, |made| state_bit(made.state)))
        .bind(column(submissions, |made| {
            Some(made.last_modified_by.as_str())
        }))
        .bind(column(submissions, |made| made.date_created.as_millis()))
        .bind(column(submissions, |made| {
            made.date_last_modified.as_millis()
        }))
        .bind(column(submissions, |made| made.revision.as_uuid()))
        .bind(column(submissions, |made| made.data.as_deref()));
    let events = submissions.iter().filter_map(|(_, event)| *event);
    let events: Vec<Uuid> = events.map(EventId::as_uuid).collect();
    let types = column(submissions, |made| {
        Some(EventType::of_new_submission(made.state).as_str())
    });
    let submit = if is_logged {
        submit
            .bind(events)
            .bind(types)
            .bind(column(submissions, frozen_at))
            .bind(column(submissions, tags_and_files))
    } else {
        submit
    };
    let submit = submit
        .bind(kept.iter().map(|(id, _)| id.as_uuid()).collect::<Vec<_>>())
        .bind(kept_column(kept, |kept| Some(kept.owner.as_str())))
        .bind(kept_column(kept, |kept| Some(kept.key.as_str())))
        .bind(kept_column(kept, |kept| {
            HEXLOWER.encode(&kept.fingerprint.0)
        }))
        .bind(kept_column(kept, |kept| Some(kept.response.as_str())))
        .bind(kept_column(kept, |kept| kept.date_expires.as_millis()));
    match limit {
        None => submit,
        Some(limit) => submit.bind(limit.get()),
    }
    .brief()
}

/// The text, with the common tables that check the places of the form and count them, append events, and keep responses.
///
/// The rows of places are locked in the order of creators, so that two statements cannot deadlock.
fn text(dialect: Dialect, is_limited: bool, is_logged: bool) -> String {
    let (event_lists, event_columns, logging, first_kept) = if is_logged {
        let lists = ", $12, $13, $14, $15";
        let columns = ", event_id, event_type, frozen_at, tags_and_files";
        (lists, columns, logging(dialect), 16)
    } else {
        ("", "", String::new(), 12)
    };
    let (form, room, count) = if is_limited {
        ("room", room(dialect, first_kept + KEPT_COLUMNS), COUNT)
    } else {
        ("form", String::new(), "")
    };
    let keeping = keeping(first_kept);
    format!(
        "WITH made AS (SELECT * FROM unnest($4, $5, $6, $7, $8, $9, $10, $11{event_lists}) \
         AS made (id, creator, state, last_modified_by, date_created, date_last_modified, revision, data{event_columns})), \
         form AS (SELECT id FROM formalize_forms AS forms WHERE id = $1 AND revision = $2 AND {KEPT}{}), {room}\
         places AS (INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken) \
         SELECT {form}.id, made.creator, count(*) FROM {form}, made GROUP BY {form}.id, made.creator \
         HAVING $3 IS NULL OR count(*) <= $3 ORDER BY made.creator \
         ON CONFLICT (form_id, creator) \
         DO UPDATE SET taken = submission_places.taken + EXCLUDED.taken \
         WHERE $3 IS NULL OR submission_places.taken + EXCLUDED.taken <= $3 RETURNING creator){count}, \
         written AS ({INSERT}){logging}{keeping} SELECT id FROM written",
        dialect.lock(Some(Lock::Shared))
    )
}

const INSERT: &str = "INSERT INTO formalize_submissions (id, form_id, creator, state, last_modified_by, date_created, \
     date_last_modified, revision, data) \
     SELECT id, $1, creator, state, last_modified_by, date_created, date_last_modified, \
     revision, data FROM made JOIN places USING (creator) RETURNING id";

/// Appends the event of each submission that was written, in the order of identifiers, which is that in which they were made.
/// Keeps its data if a webhook wants it.
fn logging(dialect: Dialect) -> String {
    let values = "event_id, event_type, date_created, id, $1, creator, last_modified_by";
    let append = dialect.append_event(OF_SUBMISSIONS, values);
    let append: String = append.iter().map(|step| step.join(" ")).collect();
    let written = "FROM made JOIN written USING (id)";
    let (insert, wanted) = (
        webhooks::INSERT_DATA,
        webhooks::freeze_condition("$1", "frozen_at"),
    );
    format!(
        ", logged AS ({append} {written} ORDER BY made.id), \
         frozen AS ({insert} SELECT event_id, id, data, last_modified_by, date_created, date_last_modified, \
         tags_and_files {written} WHERE {wanted})"
    )
}

/// The number of arguments of the responses.
const KEPT_COLUMNS: usize = 6;

/// Keeps the responses to the requests whose submissions were written. Their arguments begin with this number.
fn keeping(first: usize) -> String {
    let lists: Vec<String> = (first..first + KEPT_COLUMNS)
        .map(|number| format!("${number}"))
        .collect();
    let (lists, columns) = (
        lists.join(", "),
        "owner, key_text, fingerprint, response, date_expires",
    );
    format!(
        ", kept AS (INSERT INTO formalize_kept_responses ({columns}) SELECT {columns} \
         FROM unnest({lists}) AS kept (id, {columns}) JOIN written USING (id))"
    )
}

/// The form, if it has a place for each submission.
fn room(dialect: Dialect, limit: usize) -> String {
    format!(
        "room AS (SELECT form.id FROM form JOIN formalize_form_places AS form_places ON form_places.form_id = form.id \
         AND form_places.taken + (SELECT count(*) FROM made) <= ${limit}{}), ",
        dialect.lock_of(Lock::Exclusive, "form_places")
    )
}

const COUNT: &str = ", counted AS (INSERT INTO formalize_form_places AS form_places (form_id, taken) \
     SELECT $1, count(*) FROM made JOIN places USING (creator) HAVING count(*) > 0 \
     ON CONFLICT (form_id) DO UPDATE SET taken = form_places.taken + EXCLUDED.taken)";

fn column<'a, T>(
    submissions: &[(&'a Submission, Option<EventId>)],
    value: fn(&'a Submission) -> T,
) -> Vec<T> {
    let submissions = submissions.iter();
    submissions
        .map(|(submission, _)| value(submission))
        .collect()
}

fn kept_column<'a, T>(
    kept: &[(SubmissionId, &'a KeptResponse)],
    value: fn(&'a KeptResponse) -> T,
) -> Vec<T> {
    kept.iter().map(|(_, kept)| value(kept)).collect()
}
