//! Statements about the tags of submissions. A submission is read with its tags from its own row; the table of tags has the
//! same for lists of the submissions with one tag.

use std::collections::BTreeSet;

use formalize_core::store::StoreResult;
use formalize_core::submissions::Tags;
use formalize_core::{FormId, Submission, SubmissionId};
use uuid::Uuid;

use super::driver::{Dialect, Row, Transaction, sql};
use super::query::{Query, Source, can_be_stored};
use super::record::{Record, written};

/// The tags in the row of a submission.
pub(super) fn read(record: Record<'_>) -> StoreResult<Tags> {
    let tags = record.optional_text("tags")?;
    let tags = tags.map(|json| Tags::stored(&json).ok_or(()));
    Ok(record
        .checked("tags", tags.transpose())?
        .unwrap_or_default())
}

/// Replaces the tags of a submission.
pub(super) async fn set(
    tx: &mut Transaction,
    id: SubmissionId,
    form: FormId,
    tags: &Tags,
) -> StoreResult<()> {
    let update = sql("UPDATE formalize_submissions SET tags = $2 WHERE id = $1");
    let update = update.bind(id.as_uuid()).bind(tags.to_json());
    written(tx.run(update.brief()).await?, "submission")?;
    let delete = sql("DELETE FROM formalize_submission_tags WHERE submission_id = $1");
    tx.run(delete.bind(id.as_uuid()).brief()).await?;
    if tags.is_empty() {
        return Ok(());
    }
    let each = tx.dialect().texts("wanted", "$3");
    let insert = sql(format!(
        "INSERT INTO formalize_submission_tags (submission_id, tag, form_id) SELECT $1, wanted.value, $2 FROM {each}"
    ));
    let texts: Vec<String> = tags.iter().map(str::to_owned).collect();
    let insert = insert.bind(id.as_uuid()).bind(form.as_uuid()).bind(texts);
    tx.run(insert.brief()).await.map(drop)
}

/// The submissions of a form that have a tag and satisfy a condition. `None` if no submission can have it.
pub(super) fn of_tag<'a>(
    query: &mut Query<'a>,
    form: &str,
    tag: &'a str,
    condition: &str,
) -> Option<Source> {
    if !can_be_stored(tag) {
        return None;
    }
    let tag = query.bind(tag);
    let submission =
        format!("submissions.id = submission_tags.submission_id AND submissions.form_id = {form}");
    let source = Source::of(
        "submission_tags",
        "submission_tags.submission_id",
        Vec::new(),
    )
    .led_by("submission_tags.form_id", form)
    .led_by("submission_tags.tag", tag)
    .whose(
        "formalize_submissions AS submissions",
        &submission,
        condition,
    );
    Some(source)
}

/// The tags by which a submission is found, as a column for [`differ`].
pub(super) fn found_by(dialect: Dialect) -> String {
    let rows = dialect.json_rows("submission_tags.form_id", &["submission_tags.tag"]);
    format!(
        "(SELECT {rows} FROM formalize_submission_tags AS submission_tags \
         WHERE submission_tags.submission_id = submissions.id) AS found_by"
    )
}

/// Whether the tags by which a submission is found are not its own, or belong to another form.
pub(super) fn differ(row: &Row, submission: &Submission) -> bool {
    let found_by = Record::new("formalize_submissions", row).optional_text("found_by");
    let json = found_by.ok().flatten().unwrap_or_default();
    let rows: Vec<(String, String)> = serde_json::from_str(&json).unwrap_or_default();
    let is_of_form = |form: &str| Uuid::try_parse(form) == Ok(submission.form.as_uuid());
    let same_form = rows.iter().all(|(form, _)| is_of_form(form));
    let found_by: BTreeSet<&str> = rows.iter().map(|(_, tag)| tag.as_str()).collect();
    !same_form || found_by != submission.tags.iter().collect()
}
