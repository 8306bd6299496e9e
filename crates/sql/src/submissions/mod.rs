//! Statements about submissions and the places that they take.

use async_trait::async_trait;
use formalize_core::events::EventId;
use formalize_core::forms::{SubmissionCap, SubmissionLimit};
use formalize_core::store::scope::SubmissionScope;
use formalize_core::store::{
    Principal, ReadSubmissions, Selection, StoreResult, SubmissionFor, SubmissionHeader, Window,
    WriteSubmissions, compose,
};
use formalize_core::submissions::Tags;
use formalize_core::{
    Deletion, FormId, Revision, Submission, SubmissionId, SubmissionState, UserId,
};

use super::driver::{Dialect, FixedText, Lock, Row, Statement, Transaction, saturated, sql};
use super::query::Query;
use super::reach::state_bit;
use super::record::{Record, written};
use super::{batch, deletions, files, forms, grants, kept_forms, tags};

mod insert;
mod list;

pub(super) use insert::{frozen_at, limit_of, submit};
pub(super) use list::select;
use list::sources;

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
    let record = Record::new("formalize_submissions", row);
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
    let record = Record::new("formalize_submissions", row);
    Ok(SubmissionHeader {
        id: SubmissionId::from_uuid(record.id()?),
        form: FormId::from_uuid(record.uuid("form_id")?),
        rules: forms::read_rules(Record::joined("formalize_forms", "form_id", row))?,
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
    let (dialect, kept) = (tx.dialect(), kept_forms::is_kept("submissions.form_id"));
    let select = dialect.select_one(&columns(dialect), "submissions", &kept, None);
    let select = sql(select).bind(id.as_uuid()).brief();
    tx.read_one(select, read).await
}

/// Finds a submission and locks it. Its files are read afterwards: if PostgreSQL had to wait for the lock, the statement sees
/// the new state of the submission, but the old one of everything else.
async fn find_locked(tx: &mut Transaction, id: SubmissionId) -> StoreResult<Option<Submission>> {
    let kept = kept_forms::is_kept("submissions.form_id");
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
    if Record::new("formalize_submissions", &row).int("num_files")? > 0 {
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
        self.read_one(select, |row| {
            Ok(SubmissionFor {
                submission: read(row)?,
                rules: forms::read_rules(Record::joined("formalize_forms", "form_id", row))?,
                held: grants::read_held(row)?,
            })
        })
        .await
    }

    async fn submission_headers(
        &mut self,
        ids: &[SubmissionId],
    ) -> StoreResult<Vec<SubmissionHeader>> {
        let ids: Vec<_> = ids.iter().map(|id| id.as_uuid()).collect();
        let of_ids = self.dialect().any_uuid("submissions.id", "$1");
        let select = format!(
            "SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, {} \
             FROM formalize_submissions AS submissions JOIN formalize_forms AS forms ON forms.id = submissions.form_id \
             WHERE {of_ids} AND {}",
            forms::RULES,
            kept_forms::KEPT
        );
        self.read_all(sql(select).bind(ids), read_header).await
    }

    async fn submissions(
        &mut self,
        form: FormId,
        scope: &SubmissionScope,
        selection: Selection<'_>,
        window: Window,
    ) -> StoreResult<Vec<Submission>> {
        let select = select(self.dialect(), form, scope, selection, window);
        self.read_list(select, read).await
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
        let counted =
            |row: &Row| Record::joined("formalize_submissions", "counted", row).int("counted");
        let counted = self.read_one(count, counted).await?.unwrap_or_default();
        Ok(u64::try_from(counted).unwrap_or_default())
    }

    async fn places_taken(&mut self, form: FormId, creator: &UserId) -> StoreResult<i64> {
        let select = sql(format!(
            "SELECT form_id, taken FROM formalize_submission_places AS submission_places WHERE form_id = $1 \
             AND creator = $2 AND {}",
            kept_forms::is_kept("form_id")
        ))
        .bind(form.as_uuid())
        .bind(creator.as_str());
        let taken =
            |row: &Row| Record::joined("formalize_submission_places", "form_id", row).int("taken");
        let taken = self.read_one(select.brief(), taken).await?;
        Ok(taken.unwrap_or_default())
    }

    async fn form_places_taken(&mut self, form: FormId) -> StoreResult<Option<i64>> {
        let select = sql("SELECT form_id, taken FROM formalize_form_places WHERE form_id = $1")
            .bind(form.as_uuid());
        self.read_one(select.brief(), |row| {
            Record::joined("formalize_form_places", "form_id", row).int("taken")
        })
        .await
    }

    async fn has_submissions(&mut self, form: FormId) -> StoreResult<bool> {
        let select = sql(format!(
            "SELECT 1 FROM formalize_submissions AS submissions WHERE form_id = $1 AND {} LIMIT 1",
            kept_forms::is_kept("$1")
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
        let take = sql(
            "UPDATE formalize_form_places SET taken = taken + 1 WHERE form_id = $1 AND taken < $2",
        )
        .bind(form.as_uuid())
        .bind(limit.get());
        Ok(self.run(take.brief()).await? > 0)
    }

    async fn update_submission(&mut self, submission: &Submission) -> StoreResult<()> {
        let update = sql(
            "UPDATE formalize_submissions SET state = $2, last_modified_by = $3, date_last_modified = $4, \
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
        self.run(sql("DELETE FROM formalize_resources WHERE anchor = $1").bind(id))
            .await?;
        let deleted = self
            .run(sql("DELETE FROM formalize_submissions WHERE id = $1").bind(id))
            .await?;
        if deleted > 0 {
            give_back(self, submission).await?;
        }
        Ok(())
    }

    async fn delete_submitted(&mut self, form: FormId) -> StoreResult<u64> {
        let submitted = state_bit(SubmissionState::Submitted);
        let places = self.dialect().together(
            "UPDATE formalize_submission_places AS submission_places SET taken = taken - \
             (SELECT count(*) FROM formalize_submissions AS submissions WHERE submissions.form_id = $1 \
              AND submissions.creator = submission_places.creator AND submissions.state = $2), \
             file_bytes = file_bytes - \
             (SELECT CAST(coalesce(sum(submissions.file_bytes), 0) AS BIGINT) FROM formalize_submissions AS submissions \
              WHERE submissions.form_id = $1 AND submissions.creator = submission_places.creator \
              AND submissions.state = $2 AND submissions.num_files > 0) \
             WHERE form_id = $1",
            "UPDATE formalize_form_places SET taken = 0 WHERE form_id = $1",
        );
        // Only the index of anchors fits. Given the form, too, PostgreSQL reads all of its resources for each submission, as
        // long as the tables have no statistics.
        let resources = "DELETE FROM formalize_resources WHERE anchor IN \
             (SELECT id FROM formalize_submissions WHERE form_id = $1 AND state = $2)";
        for prepare in [resources, &places] {
            let prepare = sql(prepare.to_owned());
            self.run(prepare.bind(form.as_uuid()).bind(submitted))
                .await?;
        }
        // Rows with no submissions left are deleted.
        let empty =
            sql("DELETE FROM formalize_submission_places WHERE form_id = $1 AND taken <= 0");
        self.run(empty.bind(form.as_uuid())).await?;
        let delete = sql("DELETE FROM formalize_submissions WHERE form_id = $1 AND state = $2")
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
            "SELECT {}, {}, {held} AS held FROM formalize_submissions AS submissions \
             JOIN formalize_forms AS forms ON forms.id = submissions.form_id WHERE submissions.id = {submission} AND {}",
            columns(dialect),
            forms::RULES,
            kept_forms::KEPT
        )
    });
    query.statement(select).brief()
}

/// Frees the places of a submission, and the bytes of its files. The row of the form is changed first, as when places are
/// taken.
async fn give_back(tx: &mut Transaction, submission: &Submission) -> StoreResult<()> {
    let of_creator = "UPDATE formalize_submission_places SET taken = taken - 1, file_bytes = file_bytes - $3 \
         WHERE form_id = $1 AND creator = $2";
    let of_form = "UPDATE formalize_form_places SET taken = taken - 1 WHERE form_id = $1";
    let free = match submission.state {
        SubmissionState::Draft => of_creator.to_owned(),
        SubmissionState::Submitted => tx.dialect().together(of_creator, of_form),
    };
    let empty = "DELETE FROM formalize_submission_places WHERE form_id = $1 AND creator = $2 AND taken <= 0";
    let of_submission = |change: Statement<'static>| {
        let creator = submission.creator.as_str().to_owned();
        change.bind(submission.form.as_uuid()).bind(creator)
    };
    let bytes = saturated(submission.file_bytes());
    tx.run(of_submission(sql(free)).bind(bytes)).await?;
    tx.run(of_submission(sql(empty))).await?;
    Ok(())
}
