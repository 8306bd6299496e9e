//! The statement that inserts several submissions.

use super::Conditions;
use crate::model::form::SubmissionCap;
use crate::model::submission::Submission;
use crate::store::sql::driver::{Dialect, FixedText, Lock, Statement, sql};
use crate::store::sql::reach::state_bit;

/// Writes the submissions to one form whose creators have enough places for all of theirs, and returns which were
/// written. If the form has too few places for all submissions, none is written. The conditions are those of
/// [`submit`](crate::store::sql::submissions::submit).
pub(super) fn submit<'a>(
    dialect: Dialect,
    submissions: &[&'a Submission],
    Conditions { form, cap, limit }: Conditions,
) -> Statement<'a> {
    static UNLIMITED: FixedText = FixedText::new();
    static LIMITED: FixedText = FixedText::new();
    let text = match limit {
        None => UNLIMITED.get(dialect, || text(dialect, ["", ""])),
        Some(_) => LIMITED.get(dialect, || text(dialect, [&room(dialect), COUNT])),
    };
    let form_id = submissions
        .first()
        .map(|submission| submission.form.as_uuid());
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
    match limit {
        None => submit,
        Some(limit) => submit.bind(limit.get()),
    }
    .brief()
}

/// The text, with the common tables that check the places of the form and count them.
///
/// The rows of places are locked in the order of creators, so that two statements cannot deadlock.
fn text(dialect: Dialect, [room, count]: [&str; 2]) -> String {
    let form = if room.is_empty() { "form" } else { "room" };
    format!(
        "WITH made AS (SELECT * FROM unnest($4, $5, $6, $7, $8, $9, $10, $11) \
         AS made (id, creator, state, last_modified_by, date_created, date_last_modified, revision, data)), \
         form AS (SELECT id FROM forms WHERE id = $1 AND revision = $2{}), {room}\
         places AS (INSERT INTO submission_places (form_id, creator, taken) \
         SELECT {form}.id, made.creator, count(*) FROM {form}, made GROUP BY {form}.id, made.creator \
         HAVING $3 IS NULL OR count(*) <= $3 ORDER BY made.creator \
         ON CONFLICT (form_id, creator) \
         DO UPDATE SET taken = submission_places.taken + EXCLUDED.taken \
         WHERE $3 IS NULL OR submission_places.taken + EXCLUDED.taken <= $3 RETURNING creator){count} \
         INSERT INTO submissions (id, form_id, creator, state, last_modified_by, date_created, \
         date_last_modified, revision, data) \
         SELECT id, $1, creator, state, last_modified_by, date_created, date_last_modified, \
         revision, data FROM made JOIN places USING (creator) RETURNING id",
        dialect.lock(Some(Lock::Shared))
    )
}

/// The form, if it has a place for each submission.
fn room(dialect: Dialect) -> String {
    format!(
        "room AS (SELECT form.id FROM form JOIN form_places ON form_places.form_id = form.id \
         AND form_places.taken + (SELECT count(*) FROM made) <= $12{}), ",
        dialect.lock_of(Lock::Exclusive, "form_places")
    )
}

const COUNT: &str = ", counted AS (INSERT INTO form_places (form_id, taken) \
     SELECT $1, count(*) FROM made JOIN places USING (creator) HAVING count(*) > 0 \
     ON CONFLICT (form_id) DO UPDATE SET taken = form_places.taken + EXCLUDED.taken)";

fn column<'a, T>(submissions: &[&'a Submission], value: fn(&'a Submission) -> T) -> Vec<T> {
    submissions.iter().copied().map(value).collect()
}
