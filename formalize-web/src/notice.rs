//! Short messages above the content of a page.

use formalize_core::Error;

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
    /// Nothing was saved, because somebody else has changed the answers.
    Conflict,
    /// The form is not open.
    NotOpen,
    /// The reader has sent the form as often as is allowed.
    CapReached,
    /// All places of the form are taken.
    LimitReached,
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
            _ => Self::Failed,
        }
    }

    pub(crate) fn text(self, language: Language) -> &'static str {
        language.say(match self {
            Self::Saved => "saved",
            Self::Changed => "changed",
            Self::OnlyDraft => "onlyDraft",
            Self::Resend => "notice.resend",
            Self::Conflict => "notice.conflict",
            Self::NotOpen => "closed.window",
            Self::CapReached => "closed.cap",
            Self::LimitReached => "closed.limit",
            Self::Failed => "notice.failed",
        })
    }
}
