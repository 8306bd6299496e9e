//! Counts what a deletion would remove. The conditions are those of the statements that delete.

use super::driver::{Statement, Transaction, sql};
use super::reach::state_bit;
use super::record::Record;
use crate::id::{FormId, GroupId};
use crate::model::deletion::Deletion;
use crate::model::form::SubmissionState;
use crate::model::resource::ResourceClass;
use crate::store::{StoreError, StoreResult};

pub(super) async fn of_group(tx: &mut Transaction, id: GroupId) -> StoreResult<Deletion> {
    let count = sql(
        "SELECT (SELECT count(*) FROM groups WHERE id = $1) AS groups, \
         (SELECT count(*) FROM memberships WHERE group_id = $1) \
         + (SELECT count(*) FROM memberships WHERE child_group_id = $1) AS members, \
         (SELECT count(*) FROM resources WHERE anchor = $1) AS resources, \
         (SELECT count(*) FROM grants WHERE anchor = $1) \
         + (SELECT count(*) FROM grants WHERE group_id = $1 AND anchor <> $1) AS grants",
    );
    let [groups, members, resources, grants] = counts(
        tx,
        count.bind(id.as_uuid()),
        ["groups", "members", "resources", "grants"],
    )
    .await?;
    Ok(Deletion {
        groups,
        members,
        resources,
        grants,
        ..Deletion::default()
    })
}

/// The collection of a form's submissions counts as the form.
pub(super) async fn of_form(tx: &mut Transaction, id: FormId) -> StoreResult<Deletion> {
    let count = sql(
        "SELECT (SELECT count(*) FROM forms WHERE id = $1) AS forms, \
         (SELECT count(*) FROM submissions WHERE form_id = $1 AND state = $2) AS submissions, \
         (SELECT count(*) FROM submissions WHERE form_id = $1 AND state = $3) AS drafts, \
         (SELECT count(*) FROM resources WHERE form_id = $1) \
         + (SELECT count(*) FROM resources WHERE anchor = $1 AND class <> $4) AS resources, \
         (SELECT count(*) FROM grants WHERE anchor = $1) \
         + (SELECT count(*) FROM resources JOIN grants ON grants.resource_id = resources.id \
            WHERE resources.form_id = $1) AS grants, \
         (SELECT count(*) FROM form_links WHERE form_id = $1) AS links",
    )
    .bind(id.as_uuid())
    .bind(state_bit(SubmissionState::Submitted))
    .bind(state_bit(SubmissionState::Draft))
    .bind(ResourceClass::SUBMISSION_COLLECTION.to_string());
    let names = [
        "forms",
        "submissions",
        "drafts",
        "resources",
        "grants",
        "links",
    ];
    let [forms, submissions, drafts, resources, grants, links] = counts(tx, count, names).await?;
    Ok(Deletion {
        forms,
        submissions,
        drafts,
        resources,
        grants,
        links,
        ..Deletion::default()
    })
}

pub(super) async fn of_submitted(tx: &mut Transaction, form: FormId) -> StoreResult<Deletion> {
    let count = sql(
        "SELECT (SELECT count(*) FROM submissions WHERE form_id = $1 AND state = $2) AS submissions, \
         (SELECT count(*) FROM resources JOIN submissions ON submissions.id = resources.anchor \
          WHERE resources.form_id = $1 AND submissions.state = $2) AS resources, \
         (SELECT count(*) FROM resources JOIN submissions ON submissions.id = resources.anchor \
          JOIN grants ON grants.resource_id = resources.id \
          WHERE resources.form_id = $1 AND submissions.state = $2) AS grants",
    )
    .bind(form.as_uuid())
    .bind(state_bit(SubmissionState::Submitted));
    let names = ["submissions", "resources", "grants"];
    let [submissions, resources, grants] = counts(tx, count, names).await?;
    Ok(Deletion {
        submissions,
        resources,
        grants,
        ..Deletion::default()
    })
}

/// The columns of the single row of a statement.
async fn counts<const N: usize>(
    tx: &mut Transaction,
    count: Statement<'_>,
    names: [&'static str; N],
) -> StoreResult<[u64; N]> {
    let row = tx.optional(count).await?;
    let row = row.ok_or_else(|| StoreError::Failed("nothing was counted".to_owned()))?;
    let mut counts = [0; N];
    for (count, name) in counts.iter_mut().zip(names) {
        *count = Record::joined("forms", name, &row)
            .int(name)?
            .unsigned_abs();
    }
    Ok(counts)
}
