//! The statement that inserts several submissions.

use crate::id::Revision;
use crate::model::form::SubmissionCap;
use crate::model::submission::Submission;
use crate::store::sql::driver::{Dialect, FixedText, Lock, Statement, sql};
use crate::store::sql::reach::state_bit;

/// Writes the submissions to one form whose creators have enough places for all of theirs, and returns which were
/// written. The conditions are those of [`submit`](crate::store::sql::submissions::submit).
pub(super) fn submit<'a>(
    dialect: Dialect,
    submissions: &[&'a Submission],
    form: Revision,
    cap: Option<SubmissionCap>,
) -> Statement<'a> {
    static TEXT: FixedText = FixedText::new();
    let text = TEXT.get(dialect, || {
        // The rows of places are locked in the order of creators, so that two statements cannot deadlock.
        format!(
            "WITH made AS (SELECT * FROM unnest($4, $5, $6, $7, $8, $9, $10, $11) \
             AS made (id, creator, state, last_modified_by, date_created, date_last_modified, revision, data)), \
             form AS (SELECT id FROM forms WHERE id = $1 AND revision = $2{}), \
             places AS (INSERT INTO submission_places (form_id, creator, taken) \
             SELECT form.id, made.creator, count(*) FROM form, made GROUP BY form.id, made.creator \
             HAVING $3 IS NULL OR count(*) <= $3 ORDER BY made.creator \
             ON CONFLICT (form_id, creator) \
             DO UPDATE SET taken = submission_places.taken + EXCLUDED.taken \
             WHERE $3 IS NULL OR submission_places.taken + EXCLUDED.taken <= $3 RETURNING creator) \
             INSERT INTO submissions (id, form_id, creator, state, last_modified_by, date_created, \
             date_last_modified, revision, data) \
             SELECT id, $1, creator, state, last_modified_by, date_created, date_last_modified, \
             revision, data FROM made JOIN places USING (creator) RETURNING id",
            dialect.lock(Some(Lock::Shared))
        )
    });
    let form_id = submissions
        .first()
        .map(|submission| submission.form.as_uuid());
    sql(text)
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
        .bind(column(submissions, |made| made.data.as_deref()))
        .brief()
}

fn column<'a, T>(submissions: &[&'a Submission], value: fn(&'a Submission) -> T) -> Vec<T> {
    submissions.iter().copied().map(value).collect()
}
