//! Deletes forms, and counts what a deletion would remove. The conditions are those of the statements that delete.
//!
//! A form goes with all its submissions in one statement, through foreign keys, unless it has more of them than
//! [`AT_ONCE`]. That statement could run into `statement_timeout`, or block the only writer of SQLite for a minute. Such a
//! form is marked as deleted instead. From then on it and everything that belongs to it is found by no statement (see
//! [`KEPT`](super::kept_forms::KEPT)), and [`delete_remains`] deletes it in portions. The mark is in the row of the form, because
//! every transaction that changes something of the form locks this row first. If it has to wait for the deletion, it then
//! sees the mark.

use formalize_core::store::StoreResult;
use formalize_core::{Deletion, FormId, GroupId, ResourceClass, StoreError, SubmissionState};
use uuid::Uuid;

use super::driver::{Lock, Row, Statement, Transaction, saturated, sql};
use super::kept_forms;
use super::reach::state_bit;
use super::record::Record;

/// How many submissions of a form are deleted with it.
const AT_ONCE: i64 = 1_000;

/// Deletes a form. Returns whether it has remains.
pub(super) async fn delete_form(tx: &mut Transaction, id: FormId) -> StoreResult<bool> {
    let mark = sql("UPDATE formalize_forms SET deleted = TRUE WHERE id = $1 \
         AND (SELECT count(*) FROM (SELECT 1 FROM formalize_submissions WHERE form_id = $1 LIMIT $2) AS found) = $2")
    .bind(id.as_uuid())
    .bind(AT_ONCE + 1);
    let is_marked = tx.run(mark).await? > 0;
    // Foreign keys delete grants with the resources, links with the grants, and the rest with the form.
    let deletions: &[&'static str] = if is_marked {
        &[
            "DELETE FROM formalize_resources WHERE anchor = $1",
            "DELETE FROM formalize_form_places WHERE form_id = $1",
        ]
    } else {
        &[
            "DELETE FROM formalize_resources WHERE form_id = $1",
            "DELETE FROM formalize_resources WHERE anchor = $1",
            "DELETE FROM formalize_forms WHERE id = $1",
        ]
    };
    for delete in deletions {
        tx.run(sql(*delete).bind(id.as_uuid())).await?;
    }
    Ok(is_marked)
}

/// Deletes at most so many rows of a form that was marked as deleted, not counting grants, and returns their number.
pub(super) async fn delete_remains(tx: &mut Transaction, limit: usize) -> StoreResult<u64> {
    let lock = tx.dialect().lock(Some(Lock::Exclusive));
    let marked = sql(format!(
        "SELECT forms.id FROM formalize_forms AS forms WHERE forms.deleted ORDER BY forms.id LIMIT 1{lock}"
    ));
    let Some(row) = tx.optional(marked).await? else {
        return Ok(0);
    };
    let form = Record::new("formalize_forms", &row).id()?;
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    // Submissions go after their resources, so that no resource is about nothing in between.
    let mut deleted = delete_some(tx, "formalize_resources", form, limit).await?;
    if deleted < limit {
        deleted += delete_some(tx, "formalize_submissions", form, limit - deleted).await?;
    }
    if deleted < limit {
        deleted += delete_places(tx, form, limit - deleted).await?;
    }
    if deleted < limit {
        let last = sql("DELETE FROM formalize_forms WHERE id = $1").bind(form);
        deleted += tx.run(last).await?;
    }
    Ok(deleted)
}

/// Deletes at most `limit` rows of a table that belong to a form. They are selected first, because PostgreSQL would scan the
/// table for a subquery with a limit.
async fn delete_some(
    tx: &mut Transaction,
    table: &'static str,
    form: Uuid,
    limit: u64,
) -> StoreResult<u64> {
    let select = format!("SELECT id FROM {table} WHERE form_id = $1 LIMIT $2");
    let select = sql(select).bind(form).bind(saturated(limit));
    let ids = tx.read_ids(table, select).await?;
    if ids.is_empty() {
        return Ok(0);
    }
    let is_one = tx.dialect().any_uuid("id", "$1");
    let delete = format!("DELETE FROM {table} WHERE {is_one}");
    tx.run(sql(delete).bind(ids)).await
}

async fn delete_places(tx: &mut Transaction, form: Uuid, limit: u64) -> StoreResult<u64> {
    let select = sql("SELECT creator FROM formalize_submission_places WHERE form_id = $1 LIMIT $2");
    let select = select.bind(form).bind(saturated(limit));
    let creator =
        |row: &Row| Record::joined("formalize_submission_places", "creator", row).text("creator");
    let creators = tx.read_all(select, creator).await?;
    let is_one = tx.dialect().any_text("creator", "$2");
    let delete = format!(
        "DELETE FROM formalize_submission_places AS submission_places WHERE form_id = $1 AND {is_one}"
    );
    tx.run(sql(delete).bind(form).bind(creators)).await
}

pub(super) async fn of_group(tx: &mut Transaction, id: GroupId) -> StoreResult<Deletion> {
    let count = sql(format!(
        "SELECT (SELECT count(*) FROM formalize_groups AS groups WHERE id = $1) AS groups, \
         (SELECT count(*) FROM formalize_memberships AS memberships WHERE group_id = $1) \
         + (SELECT count(*) FROM formalize_memberships AS memberships WHERE child_group_id = $1) AS members, \
         (SELECT count(*) FROM formalize_resources AS resources WHERE anchor = $1) AS resources, \
         (SELECT count(*) FROM formalize_grants AS grants WHERE anchor = $1) \
         + (SELECT count(*) FROM formalize_grants AS grants WHERE group_id = $1 AND anchor <> $1 AND {}) AS grants",
        kept_forms::is_kept("grants.form_id")
    ));
    let columns = ["groups", "members", "resources", "grants"];
    counted(tx, count.bind(id.as_uuid()), &columns).await
}

/// The collection of a form's submissions counts as the form.
pub(super) async fn of_form(tx: &mut Transaction, id: FormId) -> StoreResult<Deletion> {
    let count = sql(
        "SELECT (SELECT count(*) FROM formalize_forms WHERE id = $1) AS forms, \
         (SELECT count(*) FROM formalize_submissions WHERE form_id = $1 AND state = $2) AS submissions, \
         (SELECT count(*) FROM formalize_submissions WHERE form_id = $1 AND state = $3) AS drafts, \
         (SELECT count(*) FROM formalize_resources AS resources WHERE form_id = $1) \
         + (SELECT count(*) FROM formalize_resources AS resources WHERE anchor = $1 AND class <> $4) AS resources, \
         (SELECT count(*) FROM formalize_grants AS grants WHERE anchor = $1) \
         + (SELECT count(*) FROM formalize_resources AS resources JOIN formalize_grants AS grants \
         ON grants.resource_id = resources.id \
            WHERE resources.form_id = $1) AS grants, \
         (SELECT count(*) FROM formalize_form_links WHERE form_id = $1) AS links",
    )
    .bind(id.as_uuid())
    .bind(state_bit(SubmissionState::Submitted))
    .bind(state_bit(SubmissionState::Draft))
    .bind(ResourceClass::SUBMISSION_COLLECTION.to_string());
    let columns = [
        "forms",
        "submissions",
        "drafts",
        "resources",
        "grants",
        "links",
    ];
    counted(tx, count, &columns).await
}

pub(super) async fn of_submitted(tx: &mut Transaction, form: FormId) -> StoreResult<Deletion> {
    let count = sql(
        "SELECT (SELECT count(*) FROM formalize_submissions AS submissions WHERE form_id = $1 \
         AND state = $2) AS submissions, \
         (SELECT count(*) FROM formalize_resources AS resources JOIN formalize_submissions AS submissions \
         ON submissions.id = resources.anchor \
          WHERE resources.form_id = $1 AND submissions.state = $2) AS resources, \
         (SELECT count(*) FROM formalize_resources AS resources JOIN formalize_submissions AS submissions \
         ON submissions.id = resources.anchor \
          JOIN formalize_grants AS grants ON grants.resource_id = resources.id \
          WHERE resources.form_id = $1 AND submissions.state = $2) AS grants",
    )
    .bind(form.as_uuid())
    .bind(state_bit(SubmissionState::Submitted));
    counted(tx, count, &["submissions", "resources", "grants"]).await
}

/// Reads the only row of a statement. Each column is named after what it counts.
async fn counted(
    tx: &mut Transaction,
    count: Statement<'_>,
    columns: &[&'static str],
) -> StoreResult<Deletion> {
    let row = tx.optional(count).await?;
    let row = row.ok_or_else(|| StoreError::Failed("nothing was counted".to_owned()))?;
    let number = |column| {
        if !columns.contains(&column) {
            return Ok(0);
        }
        let record = Record::joined("formalize_forms", column, &row);
        record.int(column).map(i64::unsigned_abs)
    };
    Ok(Deletion {
        forms: number("forms")?,
        submissions: number("submissions")?,
        drafts: number("drafts")?,
        groups: number("groups")?,
        members: number("members")?,
        resources: number("resources")?,
        grants: number("grants")?,
        links: number("links")?,
        webhooks: 0,
    })
}
