//! Statements about files. Submissions are read with their files: see [`of_submission`].

use async_trait::async_trait;
use formalize_core::files::{
    ContentHash, FileHold, FileHoldId, FileId, FileName, MimeType, SubmittedFile,
};
use formalize_core::store::{FilesChanged, ReadFiles, StoreResult, WriteFiles};
use formalize_core::{FormId, Submission, SubmissionId, Timestamp, UserId};
use formalize_schema::FileAttributeName;
use uuid::Uuid;

use super::driver::{Dialect, Row, Transaction, saturated, sql};
use super::record::{Record, written};

/// The table of files.
pub(super) const TABLE: &str = "formalize_submitted_files";

/// The columns of a file that belongs to a submission, after its identifier.
const VALUES: [&str; 7] = [
    "submitted_files.attribute",
    "submitted_files.name",
    "submitted_files.size",
    "submitted_files.mime_type",
    "submitted_files.sha256",
    "submitted_files.creator",
    "submitted_files.date_created",
];

/// The files of a submission as the column `files`, for [`read_of_submission`]. Those of a submission without files are not
/// looked for.
pub(super) fn of_submission(dialect: Dialect) -> String {
    let rows = dialect.json_rows("submitted_files.id", &VALUES);
    format!(
        "CASE WHEN submissions.num_files > 0 THEN (SELECT {rows} FROM formalize_submitted_files AS submitted_files \
         WHERE submitted_files.submission_id = submissions.id) END AS files"
    )
}

/// The identifier of a file and its [`VALUES`].
type Values = (String, String, String, i64, String, String, String, i64);

/// Reads the column of [`of_submission`].
pub(super) fn read_of_submission(
    row: &Row,
    submission: SubmissionId,
) -> StoreResult<Vec<SubmittedFile>> {
    let record = Record::new("formalize_submissions", row);
    let Some(json) = record.optional_text("files")? else {
        return Ok(Vec::new());
    };
    let rows: Vec<Values> = record.checked("files", serde_json::from_str(&json))?;
    let read = |values| record.checked("files", of_values(values, submission));
    let mut files: Vec<_> = rows.into_iter().map(read).collect::<StoreResult<_>>()?;
    files.sort_by_key(|file| file.id);
    Ok(files)
}

/// A file with values that were stored, unless one is invalid.
fn of_values(values: Values, submission: SubmissionId) -> Result<SubmittedFile, ()> {
    fn valid<T, E>(value: Result<T, E>) -> Result<T, ()> {
        value.map_err(|_| ())
    }
    let (id, attribute, name, size, mime_type, sha256, creator, date_created) = values;
    Ok(SubmittedFile {
        id: FileId::from_uuid(valid(Uuid::try_parse(&id))?),
        submission,
        attribute: valid(FileAttributeName::new(attribute))?,
        name: valid(file_name(&name))?,
        size: valid(u64::try_from(size))?,
        mime_type: MimeType::from_stored(mime_type),
        sha256: valid(sha256.parse::<ContentHash>())?,
        creator: match creator.as_str() {
            "" => UserId::SYSTEM,
            _ => valid(UserId::new(creator))?,
        },
        date_created: valid(Timestamp::from_millis(date_created))?,
    })
}

/// A name as it was stored, which cleaning leaves as it is.
fn file_name(stored: &str) -> Result<FileName, ()> {
    match FileName::clean(stored) {
        Ok(name) if name.as_str() == stored => Ok(name),
        _ => Err(()),
    }
}

pub(super) fn read(row: &Row) -> StoreResult<SubmittedFile> {
    let record = Record::new(TABLE, row);
    Ok(SubmittedFile {
        id: FileId::from_uuid(record.id()?),
        submission: SubmissionId::from_uuid(record.uuid("submission_id")?),
        attribute: record.parsed("attribute", FileAttributeName::new)?,
        name: record.parsed("name", |name| file_name(&name))?,
        size: record.checked("size", u64::try_from(record.int("size")?))?,
        mime_type: MimeType::from_stored(record.text("mime_type")?),
        sha256: record.parsed("sha256", |digits| digits.parse::<ContentHash>())?,
        creator: record.author("creator")?,
        date_created: record.instant("date_created")?,
    })
}

/// Checks that the values of a file are valid if it belongs to a submission.
pub(super) fn check(row: &Row) -> StoreResult<()> {
    let record = Record::new(TABLE, row);
    match record.optional_uuid("submission_id")? {
        Some(_) => read(row).map(drop),
        None => record.int("date_expires").map(drop),
    }
}

/// The files of a submission, in order.
pub(super) async fn find_of(
    tx: &mut Transaction,
    submission: SubmissionId,
) -> StoreResult<Vec<SubmittedFile>> {
    let select = sql(format!(
        "SELECT submitted_files.id, submitted_files.submission_id, {} FROM formalize_submitted_files AS submitted_files \
         WHERE submitted_files.submission_id = $1 ORDER BY submitted_files.id",
        VALUES.join(", ")
    ));
    tx.read_all(select.bind(submission.as_uuid()), read).await
}

fn uuids(ids: &[FileId]) -> Vec<Uuid> {
    ids.iter().map(|id| id.as_uuid()).collect()
}

fn read_id(row: &Row) -> StoreResult<FileId> {
    Record::new(TABLE, row).id().map(FileId::from_uuid)
}

#[async_trait]
impl ReadFiles for Transaction {
    async fn find_file(&mut self, id: FileId) -> StoreResult<Option<SubmittedFile>> {
        let select = sql(
            "SELECT submitted_files.* FROM formalize_submitted_files AS submitted_files \
             WHERE id = $1 AND submission_id IS NOT NULL",
        );
        self.read_one(select.bind(id.as_uuid()), read).await
    }

    async fn file_bytes(&mut self, form: FormId, creator: &UserId) -> StoreResult<u64> {
        let select = sql(
            "SELECT form_id, file_bytes FROM formalize_submission_places WHERE form_id = $1 AND creator = $2",
        )
        .bind(form.as_uuid())
        .bind(creator.as_str());
        let bytes = |row: &Row| {
            let record = Record::joined("formalize_submission_places", "form_id", row);
            record.checked("file_bytes", u64::try_from(record.int("file_bytes")?))
        };
        let bytes = self.read_one(select.brief(), bytes).await?;
        Ok(bytes.unwrap_or_default())
    }

    async fn unused_files(&mut self, now: Timestamp, limit: usize) -> StoreResult<Vec<FileId>> {
        let select = sql(
            "SELECT id FROM formalize_submitted_files WHERE submission_id IS NULL AND date_expires <= $1 \
             ORDER BY date_expires, id LIMIT $2",
        )
        .bind(now.as_millis())
        .bind(saturated(limit));
        self.read_all(select, read_id).await
    }

    async fn files_after(
        &mut self,
        after: Option<FileId>,
        limit: usize,
    ) -> StoreResult<Vec<(FileId, bool)>> {
        let select =
            sql("SELECT id, submission_id FROM formalize_submitted_files WHERE id > $1 ORDER BY id LIMIT $2")
                .bind(after.map_or(Uuid::nil(), FileId::as_uuid))
                .bind(saturated(limit));
        self.read_all(select, |row| {
            let submission = Record::new(TABLE, row).optional_uuid("submission_id");
            Ok((read_id(row)?, submission?.is_some()))
        })
        .await
    }

    async fn file_holds(&mut self, now: Timestamp) -> StoreResult<Vec<FileHold>> {
        let select =
            sql("SELECT id, date_ends FROM formalize_file_holds WHERE date_ends > $1 ORDER BY id");
        self.read_all(select.bind(now.as_millis()), |row| {
            let record = Record::new("formalize_file_holds", row);
            Ok(FileHold {
                id: FileHoldId::from_uuid(record.id()?),
                date_ends: record.instant("date_ends")?,
            })
        })
        .await
    }
}

#[async_trait]
impl WriteFiles for Transaction {
    async fn insert_file(&mut self, id: FileId, expires: Timestamp) -> StoreResult<()> {
        let insert =
            sql("INSERT INTO formalize_submitted_files (id, date_expires) VALUES ($1, $2)")
                .bind(id.as_uuid())
                .bind(expires.as_millis());
        self.run(insert.brief()).await.map(drop)
    }

    async fn change_files(
        &mut self,
        submission: &Submission,
        removed: &[FileId],
        added: &[SubmittedFile],
        quota: Option<u64>,
        now: Timestamp,
    ) -> StoreResult<FilesChanged> {
        let kept = submission
            .files
            .iter()
            .filter(|file| !removed.contains(&file.id));
        let (mut number, mut bytes) = (0, 0);
        for file in kept.chain(added) {
            number += 1;
            bytes += saturated(file.size);
        }
        let count =
            sql("UPDATE formalize_submissions SET num_files = $2, file_bytes = $3 WHERE id = $1")
                .bind(submission.id.as_uuid())
                .bind(number)
                .bind(bytes);
        written(self.run(count.brief()).await?, "submission")?;
        let take = sql(
            "UPDATE formalize_submission_places SET file_bytes = file_bytes + $3 \
             WHERE form_id = $1 AND creator = $2 \
             AND ($4 IS NULL OR $3 <= 0 OR file_bytes + $3 <= $4)",
        )
        .bind(submission.form.as_uuid())
        .bind(submission.creator.as_str())
        .bind(bytes - saturated(submission.file_bytes()))
        .bind(quota.map(saturated));
        if self.run(take.brief()).await? == 0 {
            return Ok(FilesChanged::OverQuota);
        }
        if !removed.is_empty() {
            let is_removed = self.dialect().any_uuid("id", "$2");
            let remove = format!(
                "UPDATE formalize_submitted_files AS submitted_files SET submission_id = NULL \
                 WHERE submission_id = $1 AND {is_removed}"
            );
            let remove = sql(remove).bind(submission.id.as_uuid());
            self.run(remove.bind(uuids(removed))).await?;
        }
        for file in added {
            let add = sql(
                "UPDATE formalize_submitted_files SET submission_id = $2, date_expires = 0, attribute = $3, \
                 name = $4, size = $5, mime_type = $6, sha256 = $7, creator = $8, date_created = $9 \
                 WHERE id = $1 AND submission_id IS NULL AND date_expires > $10",
            )
            .bind(file.id.as_uuid())
            .bind(submission.id.as_uuid())
            .bind(file.attribute.as_str())
            .bind(file.name.as_str())
            .bind(saturated(file.size))
            .bind(file.mime_type.as_str())
            .bind(file.sha256.to_string())
            .bind(file.creator.as_str())
            .bind(file.date_created.as_millis())
            .bind(now.as_millis());
            if self.run(add.brief()).await? == 0 {
                return Ok(FilesChanged::Expired);
            }
        }
        Ok(FilesChanged::Done)
    }

    async fn expire_files(&mut self, ids: &[FileId]) -> StoreResult<Vec<FileId>> {
        let is_one = self.dialect().any_uuid("id", "$1");
        let expire = format!(
            "UPDATE formalize_submitted_files AS submitted_files SET date_expires = 0 \
             WHERE {is_one} AND submission_id IS NULL AND date_expires > 0"
        );
        self.run(sql(expire).bind(uuids(ids))).await?;
        let select = format!(
            "SELECT id FROM formalize_submitted_files AS submitted_files \
             WHERE {is_one} AND submission_id IS NULL AND date_expires = 0"
        );
        self.read_all(sql(select).bind(uuids(ids)), read_id).await
    }

    async fn expire_all_uploads(&mut self) -> StoreResult<u64> {
        let expire = sql("UPDATE formalize_submitted_files SET date_expires = 0 \
             WHERE submission_id IS NULL AND date_expires > 0");
        self.run(expire).await
    }

    async fn delete_unused_files(&mut self, ids: &[FileId]) -> StoreResult<u64> {
        let is_one = self.dialect().any_uuid("id", "$1");
        let delete = format!(
            "DELETE FROM formalize_submitted_files AS submitted_files \
             WHERE {is_one} AND submission_id IS NULL AND date_expires = 0"
        );
        self.run(sql(delete).bind(uuids(ids))).await
    }

    async fn insert_file_hold(&mut self, hold: FileHold, now: Timestamp) -> StoreResult<()> {
        let delete = sql("DELETE FROM formalize_file_holds WHERE date_ends <= $1");
        self.run(delete.bind(now.as_millis())).await?;
        let insert = sql("INSERT INTO formalize_file_holds (id, date_ends) VALUES ($1, $2)")
            .bind(hold.id.as_uuid())
            .bind(hold.date_ends.as_millis());
        self.run(insert).await.map(drop)
    }

    async fn renew_file_hold(&mut self, hold: FileHold, now: Timestamp) -> StoreResult<bool> {
        let renew =
            sql("UPDATE formalize_file_holds SET date_ends = $2 WHERE id = $1 AND date_ends > $3")
                .bind(hold.id.as_uuid())
                .bind(hold.date_ends.as_millis())
                .bind(now.as_millis());
        Ok(self.run(renew).await? > 0)
    }

    async fn delete_file_hold(&mut self, id: FileHoldId, now: Timestamp) -> StoreResult<bool> {
        let delete = sql("DELETE FROM formalize_file_holds WHERE id = $1 AND date_ends > $2")
            .bind(id.as_uuid())
            .bind(now.as_millis());
        Ok(self.run(delete).await? > 0)
    }
}
