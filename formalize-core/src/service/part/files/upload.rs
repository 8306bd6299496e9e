//! Uploads: files are judged and stored while they arrive, and become part of their submission at the end.
//!
//! Before the first byte of a file, its row is written, without a submission. So whatever happens later, the content can be
//! found and deleted: the row expires unless the upload is finished.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use formalize_schema::FileRules;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::unfinished::Sender;
use super::{FileStorage, FilesService};
use crate::error::{Error, Result};
use crate::file_store::{ContentStream, FileStoreError};
use crate::id::{Expected, FileId, SubmissionId};
use crate::model::file::SubmittedFile;
use crate::model::file::hash::ContentHash;
use crate::model::file::mime_type::MimeType;
use crate::model::file::new_file::NewFile;
use crate::model::file::rejection::FilesRejection;
use crate::model::subject::Caller;
use crate::model::submission::{NewSubmission, Submission, SubmissionChange};
use crate::model::words::SubmissionState;
use crate::offload::Turn;
use crate::page::{PageRequest, PageSize};
use crate::service::part::submissions::{
    ChangedSubmission, SubmissionsService, UploadTarget, Wanted,
};
use crate::service::part::validators::Validator;
use crate::service::{End, FormsService, Shared, Viewed};
use crate::time::Timestamp;

/// Files on their way to a submission.
///
/// Whatever can be judged without the files was judged when the upload began. [`add`](Self::add) stores a file, and refuses it
/// as soon as it is certain to violate a limit or a rule of the form. [`finish`](Self::finish) judges all again, and creates or
/// changes the submission in one transaction.
///
/// If a file is refused, or the upload is [discarded](Self::discard), what was stored is deleted at once, or if that fails by
/// the next [`FilesService::sweep`](super::FilesService::sweep). An upload that is just dropped leaves its files until they
/// expire ([`FileLimits::upload_lifetime`](super::FileLimits)); so let the content end with an error rather than dropping the
/// future of [`add`](Self::add).
///
/// Steps that fail because the connection to the store was lost are repeated
/// ([`Builder::retry_time`](crate::Builder::retry_time)). The content is read only once.
pub struct Upload<'a> {
    shared: &'a Shared,
    caller: &'a Caller,
    purpose: Purpose,
    /// The files that the submission has already and keeps.
    kept: Vec<SubmittedFile>,
    added: Vec<SubmittedFile>,
    /// The files with a row, whether they were added or refused.
    begun: Vec<FileId>,
    /// The rules for the files; `None` if the submission is and stays a draft.
    rules: Option<Arc<Validator>>,
    /// The bytes that may be added within the quota of the creator.
    room: Option<u64>,
    /// Whether the caller may not read the submission.
    is_unreadable: bool,
    /// For whom bytes count until the upload is finished.
    sender: Sender,
}

enum Purpose {
    /// It is not known yet.
    Unknown,
    Create(NewSubmission),
    Change(Expected<SubmissionId>, Wanted),
}

impl<'a> SubmissionsService<'a> {
    /// Begins to upload the files of a new submission, which [`Upload::finish`] creates.
    ///
    /// # Errors
    ///
    /// Those of [`create`](Self::create), as far as they do not depend on the files; [`Error::FilesNotConfigured`].
    pub async fn upload_new(&self, caller: &'a Caller, new: NewSubmission) -> Result<Upload<'a>> {
        self.0.forms.files.store()?;
        let foreseen = self.foresee_new(caller, &new).await?;
        Upload::begin(self.0, caller, Purpose::Create(new), foreseen).await
    }

    /// Begins to upload files of a new submission before it is known to which form. [`Upload::finish_new`] judges and takes
    /// them. Until then only the limits of the server apply, so prefer [`upload_new`](Self::upload_new).
    ///
    /// # Errors
    ///
    /// [`Error::FilesNotConfigured`]; [`Error::Forbidden`] if the caller may not submit to any form;
    /// [`Error::Store`].
    pub async fn upload_unjudged_new(&self, caller: &'a Caller) -> Result<Upload<'a>> {
        let unjudged = Upload::unjudged(self.0, caller)?;
        let one = PageRequest {
            size: PageSize::ONE,
            ..PageRequest::default()
        };
        let forms = FormsService(self.0).list_to_fill_in(caller, &one).await?;
        ensure!(!forms.items.is_empty(), Error::Forbidden);
        Ok(unjudged)
    }

    /// Begins to upload files to a submission before it is known what else changes in it. [`Upload::finish_change`] judges and
    /// takes them. Until then only the limits of the server apply, so prefer [`upload_change`](Self::upload_change).
    ///
    /// # Errors
    ///
    /// Those of [`FilesService::upload`](crate::service::FilesService::upload).
    pub async fn upload_unjudged_change(
        &self,
        caller: &'a Caller,
        id: impl Into<Expected<SubmissionId>>,
    ) -> Result<Upload<'a>> {
        FilesService(self.0).upload(caller, id).await?;
        Upload::unjudged(self.0, caller)
    }

    /// Begins to upload files together with a change of a submission, which [`Upload::finish`] makes.
    ///
    /// # Errors
    ///
    /// Those of [`update`](Self::update), as far as they do not depend on the files; [`Error::FilesNotConfigured`].
    pub async fn upload_change(
        &self,
        caller: &'a Caller,
        id: impl Into<Expected<SubmissionId>>,
        change: SubmissionChange,
    ) -> Result<Upload<'a>> {
        let wanted = Wanted::new(change)?;
        Upload::to_change(self.0, caller, id.into(), wanted).await
    }
}

impl<'a> Upload<'a> {
    /// An upload whose files are judged at the end.
    fn unjudged(shared: &'a Shared, caller: &'a Caller) -> Result<Self> {
        shared.forms.files.store()?;
        Ok(Self {
            shared,
            caller,
            purpose: Purpose::Unknown,
            kept: Vec::new(),
            added: Vec::new(),
            begun: Vec::new(),
            rules: None,
            room: shared.forms.files.limits.creator_quota,
            is_unreadable: false,
            sender: Sender {
                user: caller.author(),
                source: None,
            },
        })
    }

    /// Begins to upload files to a submission.
    pub(super) async fn to_change(
        shared: &'a Shared,
        caller: &'a Caller,
        expected: Expected<SubmissionId>,
        wanted: Wanted,
    ) -> Result<Self> {
        let submissions = SubmissionsService(shared);
        let foreseen = submissions
            .foresee_change(caller, &expected, &wanted)
            .await?;
        shared.forms.files.store()?;
        let purpose = Purpose::Change(expected, wanted);
        Self::begin(shared, caller, purpose, foreseen).await
    }

    async fn begin(
        shared: &'a Shared,
        caller: &'a Caller,
        purpose: Purpose,
        foreseen: UploadTarget,
    ) -> Result<Self> {
        let rules = match foreseen.state {
            SubmissionState::Draft => None,
            SubmissionState::Submitted => {
                let validators = &shared.forms.validators;
                Some(validators.of(&foreseen.form, Turn::Of(caller)).await?)
            }
        };
        let quota = shared.forms.files.limits.creator_quota;
        Ok(Self {
            purpose,
            kept: foreseen.kept,
            rules,
            room: quota.map(|quota| quota.saturating_sub(foreseen.taken) + foreseen.freed),
            is_unreadable: foreseen.is_unreadable,
            ..Self::unjudged(shared, caller)?
        })
    }

    /// Says where the files come from, such as the address of the client. If the caller has a public link, what has arrived and
    /// is not finished counts for this source of the link. Otherwise it counts for the caller, wherever it comes from.
    #[must_use]
    pub fn sent_from(mut self, source: &impl ToString) -> Self {
        let is_link = matches!(self.caller, Caller::Link(_));
        self.sender.source = is_link.then(|| source.to_string());
        self
    }

    /// Stores a file. After an error, the upload can only be dropped, and what it has stored is deleted.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::SubmittedFile`](crate::InvalidFields::SubmittedFile) if the submission would have too many files,
    /// [`Error::FileTooLarge`], [`Error::SubmissionFilesInvalid`], [`Error::FilesQuotaExceeded`],
    /// [`Error::UploadInterrupted`] if the content ends with an error, [`Error::FileStore`], [`Error::Store`].
    pub async fn add(&mut self, new: NewFile, content: ContentStream<'_>) -> Result<FileId> {
        let stored = self.store(new, content).await;
        if stored.is_err() {
            self.release(false).await;
        }
        let file = stored?;
        let id = file.id;
        self.added.push(file);
        Ok(id)
    }

    async fn store(&mut self, new: NewFile, content: ContentStream<'_>) -> Result<SubmittedFile> {
        let number = self.kept.len() + self.added.len() + 1;
        self.shared.forms.files.check_number(number)?;
        let now = self.shared.now();
        let file = SubmittedFile {
            // For messages only: the file gets another one with its row.
            id: FileId::from_uuid(self.shared.ids.next(now)),
            // Until it is known.
            submission: SubmissionId::from_uuid(Uuid::nil()),
            attribute: new.attribute,
            name: new.name,
            size: new.size.unwrap_or_default(),
            mime_type: MimeType::UNKNOWN,
            sha256: ContentHash::of(b""),
            creator: self.caller.author(),
            date_created: now,
        };
        self.judge(&file, &["additionalFiles", "maxNumber"])?;
        self.check_size(&file)?;
        let id = self.begin_file(now).await?;
        self.begun.push(id);
        let FileStorage {
            limits, unfinished, ..
        } = &self.shared.forms.files;
        let expires = now.saturating_add(limits.upload_lifetime);
        unfinished.begin(id, &self.sender, now, expires);
        let file = SubmittedFile { id, ..file };
        let arriving = Mutex::new(IncomingFile::new(self, file, new.declared_type));
        let judged = content.map(|piece| {
            let piece = piece?;
            let mut arriving = arriving.lock().unwrap_or_else(PoisonError::into_inner);
            arriving.take(&piece)?;
            Ok(piece)
        });
        let store = self.shared.forms.files.store()?;
        let put = store.put(id, Box::pin(judged)).await;
        let arriving = arriving.into_inner();
        arriving.unwrap_or_else(PoisonError::into_inner).end(put)
    }

    /// Writes the row of a file that is going to arrive.
    async fn begin_file(&self, now: Timestamp) -> Result<FileId> {
        let shared = self.shared;
        let expires = now.saturating_add(shared.forms.files.limits.upload_lifetime);
        // A row too many expires, so this can be repeated whether it was committed or not.
        let beginning = shared.transact_idempotent(true, async |mut tx| {
            let id = FileId::from_uuid(shared.ids.next(now));
            tx.write_files()?.insert_file(id, expires).await?;
            Ok(End::commit(tx, id))
        });
        beginning.await
    }

    /// Creates or changes the submission, to which the files belong from then on. Returns the submission, or `None` if the
    /// caller may change it but not read it.
    ///
    /// # Errors
    ///
    /// Those of [`SubmissionsService::create`] or [`SubmissionsService::update`]; [`Error::SubmissionFilesInvalid`],
    /// [`Error::FilesQuotaExceeded`]; [`Error::UploadExpired`] if the upload has taken too long. What was stored is deleted
    /// then.
    pub async fn finish(mut self) -> Result<Option<Viewed<Submission>>> {
        let finished = match &self.purpose {
            // Nobody can see the files, which expire.
            Purpose::Unknown => Ok(None),
            Purpose::Create(new) => self.create(new).await.map(Some),
            Purpose::Change(expected, wanted) => {
                let changed = self.change(expected, wanted).await;
                changed.map(|changed| changed.shown)
            }
        };
        let is_known = !matches!(self.purpose, Purpose::Unknown);
        self.end(is_known && finished.is_ok(), is_known).await;
        finished
    }

    /// Creates a submission with the files that were uploaded, and returns it. The files are judged now if the upload began
    /// with [`SubmissionsService::upload_unjudged_new`].
    ///
    /// # Errors
    ///
    /// Those of [`SubmissionsService::create`] and of [`finish`](Self::finish).
    pub async fn finish_new(mut self, new: &NewSubmission) -> Result<Viewed<Submission>> {
        let created = self.create(new).await;
        self.end(created.is_ok(), true).await;
        created
    }

    /// Makes a change of a submission with the files that were uploaded. The files are judged now if the upload began with
    /// [`SubmissionsService::upload_unjudged_change`].
    ///
    /// # Errors
    ///
    /// Those of [`SubmissionsService::update`] and of [`finish`](Self::finish).
    pub async fn finish_change(
        mut self,
        submission: impl Into<Expected<SubmissionId>>,
        change: SubmissionChange,
    ) -> Result<ChangedSubmission> {
        let changed = match Wanted::new(change) {
            Ok(wanted) => self.change(&submission.into(), &wanted).await,
            Err(error) => Err(error),
        };
        self.end(changed.is_ok(), true).await;
        changed
    }

    async fn create(&self, new: &NewSubmission) -> Result<Viewed<Submission>> {
        let submissions = SubmissionsService(self.shared);
        submissions
            .create_with_files(self.caller, new, &self.added, None)
            .await
    }

    async fn change(
        &self,
        expected: &Expected<SubmissionId>,
        wanted: &Wanted,
    ) -> Result<ChangedSubmission> {
        let submissions = SubmissionsService(self.shared);
        submissions
            .change(self.caller, expected, wanted, &self.added)
            .await
    }

    /// Gives up the upload. What was stored is deleted.
    pub async fn discard(mut self) {
        self.release(false).await;
    }

    /// Ends the upload, whose files belong to the submission if they were accepted.
    async fn end(&mut self, were_accepted: bool, were_offered: bool) {
        if were_accepted {
            self.shared.forms.files.unfinished.end(&self.begun);
        } else {
            self.release(were_offered).await;
        }
    }

    /// Deletes what was stored. If that fails, it is deleted later.
    async fn release(&mut self, were_offered: bool) {
        let begun = std::mem::take(&mut self.begun);
        if !begun.is_empty() {
            let _ = self.shared.give_up(&begun, were_offered).await;
        }
    }

    fn rules(&self) -> Option<&FileRules> {
        self.rules.as_ref().map(|validator| validator.file_rules())
    }

    /// Judges the files so far and one more by some of the keywords of the rules.
    fn judge(&self, file: &SubmittedFile, keywords: &[&str]) -> Result<()> {
        let Some(rules) = self.rules() else {
            return Ok(());
        };
        let files = self.kept.iter().chain(&self.added).chain([file]);
        let files: Vec<SubmittedFile> = files.cloned().collect();
        FilesRejection::judge_by(rules, &files, keywords).map_err(|rejection| {
            Error::SubmissionFilesInvalid(if self.is_unreadable {
                let added = files.get(self.kept.len()..).unwrap_or_default();
                rejection.without_stored_files(added)
            } else {
                rejection
            })
        })
    }

    /// Checks the size of a file as far as it is known.
    fn check_size(&self, file: &SubmittedFile) -> Result<()> {
        let fits = file.size <= self.shared.forms.files.limits.file_size;
        ensure!(fits, Error::FileTooLarge);
        let rule = self.rules().and_then(|rules| rules.of(&file.attribute));
        if rule.is_some_and(|rule| file.size > rule.max_bytes()) {
            self.judge(file, &["maxSizeMb"])?;
        }
        let added: u64 = self.added.iter().map(|file| file.size).sum();
        let fits = self.room.is_none_or(|room| added + file.size <= room);
        ensure!(fits, Error::FilesQuotaExceeded);
        Ok(())
    }
}

/// A file whose content is arriving.
struct IncomingFile<'u> {
    upload: &'u Upload<'u>,
    file: SubmittedFile,
    declared_type: Option<String>,
    hash: Sha256,
    /// The beginning of the content, until the type was found in it.
    prefix: Vec<u8>,
    has_type: bool,
    /// Why the content was cut.
    refusal: Option<Error>,
}

impl<'u> IncomingFile<'u> {
    fn new(upload: &'u Upload<'u>, file: SubmittedFile, declared_type: Option<String>) -> Self {
        Self {
            upload,
            file: SubmittedFile { size: 0, ..file },
            declared_type,
            hash: Sha256::new(),
            prefix: Vec::new(),
            has_type: false,
            refusal: None,
        }
    }

    /// Judges a piece. After an error, the content is cut.
    fn take(&mut self, piece: &Bytes) -> io::Result<()> {
        self.judge(piece).map_err(|refusal| {
            self.refusal = Some(refusal);
            io::Error::other("the file was refused")
        })
    }

    fn judge(&mut self, piece: &Bytes) -> Result<()> {
        let bytes = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.file.size += bytes;
        self.upload.check_size(&self.file)?;
        let FileStorage {
            limits, unfinished, ..
        } = &self.upload.shared.forms.files;
        let unfinished = unfinished.grow(self.file.id, bytes);
        let fits = limits.creator_quota.is_none_or(|most| unfinished <= most);
        ensure!(fits, Error::FilesQuotaExceeded);
        self.hash.update(piece);
        if !self.has_type {
            let missing = MimeType::PREFIX_BYTES - self.prefix.len();
            let more = piece.get(..missing).unwrap_or(piece.as_ref());
            self.prefix.extend_from_slice(more);
            if self.prefix.len() == MimeType::PREFIX_BYTES {
                self.find_type()?;
            }
        }
        Ok(())
    }

    fn find_type(&mut self) -> Result<()> {
        let declared = self.declared_type.as_deref();
        self.file.mime_type = MimeType::detect(&self.prefix, declared, &self.file.name);
        self.prefix = Vec::new();
        self.has_type = true;
        self.upload.judge(&self.file, &["allowedMimeTypes"])
    }

    /// The file, if it was stored.
    fn end(mut self, put: Result<(), FileStoreError>) -> Result<SubmittedFile> {
        if let Some(refusal) = self.refusal {
            return Err(refusal);
        }
        match put {
            Ok(()) => {}
            Err(FileStoreError::Interrupted) => return Err(Error::UploadInterrupted),
            Err(error) => return Err(error.into()),
        }
        if !self.has_type {
            self.find_type()?;
        }
        let hash: [u8; 32] = self.hash.finalize().into();
        Ok(SubmittedFile {
            sha256: hash.into(),
            ..self.file
        })
    }
}
