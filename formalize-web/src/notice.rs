//! Short messages above the content of a page.

use formalize_core::file_store::FileStoreError;
use formalize_core::{Error, InvalidFields};

use crate::language::Language;

/// A short message above the content of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A draft was saved.
    Saved,
    /// Changes of submitted answers were saved.
    Changed,
    /// The form takes drafts only at the moment.
    OnlyDraft,
    /// Nothing was sent, because the page was too old.
    Resend,
    /// Nothing was sent, because hardly any person answers so fast. The next time, it is.
    TooFast,
    /// Nothing was saved, because somebody else has changed the answers.
    Conflict,
    /// The form is not open.
    NotOpen,
    /// The reader has sent the form as often as is allowed.
    CapReached,
    /// All places of the form are taken.
    LimitReached,
    /// Too many files are being sent at the moment.
    FilesBusy,
    /// The reader has no room left for more files.
    FilesQuota,
    /// A file, or all files together, are too large for the service.
    FilesTooLarge,
    /// There are too many files, or the name of one is too long.
    FilesInvalid,
    /// The files did not arrive.
    FilesInterrupted,
    /// The service has no room for files.
    FilesFull,
    /// The service takes no files.
    FilesOff,
    /// The answers could not be sent for another reason.
    Failed,
}

impl Notice {
    /// Says why answers could not be sent or saved.
    ///
    /// ```
    /// use formalize_core::Error;
    /// use formalize_web::Notice;
    ///
    /// assert_eq!(Notice::of(&Error::RevisionMismatch), Notice::Conflict);
    /// ```
    pub fn of(error: &Error) -> Self {
        match error {
            Error::RevisionMismatch => Self::Conflict,
            Error::FormNotAvailable => Self::NotOpen,
            Error::SubmissionCapReached => Self::CapReached,
            Error::SubmissionLimitReached => Self::LimitReached,
            Error::FilesQuotaExceeded => Self::FilesQuota,
            Error::FileTooLarge => Self::FilesTooLarge,
            Error::InvalidFields(InvalidFields::SubmittedFile(_)) => Self::FilesInvalid,
            Error::UploadInterrupted | Error::UploadExpired => Self::FilesInterrupted,
            Error::FileStore(FileStoreError::Full(_)) => Self::FilesFull,
            Error::FilesNotConfigured => Self::FilesOff,
            _ => Self::Failed,
        }
    }

    pub(crate) fn text(self, language: Language) -> &'static str {
        language.say(match self {
            Self::Saved => "saved",
            Self::Changed => "changed",
            Self::OnlyDraft => "onlyDraft",
            Self::Resend => "notice.resend",
            Self::TooFast => "notice.tooFast",
            Self::Conflict => "notice.conflict",
            Self::NotOpen => "closed.window",
            Self::CapReached => "closed.cap",
            Self::LimitReached => "closed.limit",
            Self::FilesBusy => "notice.filesBusy",
            Self::FilesQuota => "notice.filesQuota",
            Self::FilesTooLarge => "notice.filesTooLarge",
            Self::FilesInvalid => "notice.filesInvalid",
            Self::FilesInterrupted => "notice.filesInterrupted",
            Self::FilesFull => "notice.filesFull",
            Self::FilesOff => "notice.filesOff",
            Self::Failed => "notice.failed",
        })
    }
}
