//! Exit codes, and the table that maps each library error to one.

use std::fmt::Write as _;
use std::io;

use clap::builder::styling::Style;
use formalize_core::config::ConfigError;
use formalize_core::file_store::FileStoreError;
use formalize_core::{Error, InvalidFields, Rejection, StoreError, authorization::InvalidGrant};

use crate::output::plain;

/// The exit codes. Scripts rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The command succeeded.
    Done = 0,
    /// A failure without a code of its own.
    Failed = 1,
    /// Invalid command line or configuration, or a confirmation is missing.
    Usage = 2,
    /// A record does not exist.
    NotFound = 3,
    /// The database rejected the role or password in the URL.
    NotAuthenticated = 4,
    /// The user does not have permission.
    Denied = 5,
    /// The current state of the records does not allow it.
    Conflict = 6,
    /// A value is missing or invalid, or the database is inconsistent.
    Invalid = 7,
    /// The database is unreachable, missing or not migrated.
    Unavailable = 8,
}

impl Exit {
    /// Every code with its meaning, as shown in the help.
    pub(crate) const TABLE: [(Self, &str); 9] = [
        (Self::Done, "done, or allowed"),
        (Self::Failed, "failed"),
        (
            Self::Usage,
            "invalid command line or configuration, or confirmation is required",
        ),
        (Self::NotFound, "not found"),
        (
            Self::NotAuthenticated,
            "the database rejected the user or the password in the URL",
        ),
        (Self::Denied, "denied"),
        (
            Self::Conflict,
            "conflict: exists already, last of its kind, at a limit, or changed meanwhile",
        ),
        (Self::Invalid, "invalid input, or `verify` found problems"),
        (
            Self::Unavailable,
            "the database is unavailable, missing, or not migrated",
        ),
    ];

    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// Why a command failed: a message and optional details.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// Whether policies, dynamic groups or resource classes in a configuration file could have prevented it.
    pub(crate) may_lack_configuration: bool,
    message: String,
    details: Vec<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            may_lack_configuration: false,
            message: message.into(),
            details: Vec::new(),
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Adds a detail line.
    pub(crate) fn with_detail(mut self, detail: &str) -> Self {
        self.details.push(detail.to_owned());
        self
    }

    /// Prepends a subject to the message.
    pub(crate) fn with_subject(mut self, subject: &str) -> Self {
        self.message = format!("{subject}: {}", self.message);
        self
    }

    /// The details or, without any, the message.
    pub(crate) fn reasons(&self) -> Vec<String> {
        if self.details.is_empty() {
            vec![self.message.clone()]
        } else {
            self.details.clone()
        }
    }

    /// A rejection with one line per violation, or a single line if there are none.
    fn rejected(what: &str, rejection: &Rejection) -> Self {
        if rejection.violations().is_empty() {
            return Self::new(Exit::Invalid, format!("{what}: {rejection}"));
        }
        Self {
            details: rejection.messages().to_vec(),
            ..Self::new(Exit::Invalid, what)
        }
    }

    /// The text for standard error: `error: ` in a style, and the message, then one indented line per detail.
    pub(crate) fn styled(&self, style: Style) -> String {
        let mut report = format!("{style}error:{style:#} {}\n", one_line(&self.message));
        for detail in &self.details {
            // Writing to a string cannot fail.
            let _ = writeln!(report, "  {}", one_line(detail));
        }
        report
    }
}

fn one_line(text: &str) -> String {
    plain(text).replace('\n', " ")
}

/// The exit code of every error: the counterpart of the server's table of statuses.
fn exit(error: &Error) -> Exit {
    match error {
        Error::Forbidden | Error::TagsForbidden => Exit::Denied,
        Error::GroupNotFound(_)
        | Error::MembershipNotFound
        | Error::ResourceNotFound
        | Error::GrantNotFound
        | Error::ResourceClassNotFound
        | Error::DynamicGroupNotFound
        | Error::FormNotFound
        | Error::SubmissionNotFound
        | Error::FormLinkNotFound
        | Error::TokenNotFound
        | Error::EventsExpired
        | Error::EventSubscriptionNotFound
        | Error::WebhookNotFound
        | Error::WebhookDeliveryNotFound
        | Error::SubmittedFileNotFound(_) => Exit::NotFound,
        Error::RevisionMismatch
        | Error::IdempotencyKeyReused
        | Error::IdempotencyKeyInUse
        | Error::MembershipExists
        | Error::MembershipLimitReached
        | Error::GrantExists
        | Error::LastManageGrant
        | Error::EventSubscriptionTaken
        | Error::EventSubscriptionReserved
        | Error::ResourceExists
        | Error::FormExists
        | Error::FormHasSubmissions(_)
        | Error::SubmissionStateTransitionNotAllowed
        | Error::SubmissionCapReached
        | Error::SubmissionLimitReached
        | Error::FilesQuotaExceeded
        | Error::UploadExpired
        | Error::WebhookLimitReached
        | Error::WebhookDisabled
        | Error::WebhookTestedRecently => Exit::Conflict,
        Error::InvalidValue(_)
        | Error::InvalidFields(_)
        | Error::InvalidGrant(_)
        | Error::BatchTooLarge(_)
        | Error::BatchRefused(_)
        | Error::ResourceReserved
        | Error::FormIdentifierReserved
        | Error::UserReserved
        | Error::DataSchemaInvalid(_)
        | Error::SubmissionStateNotAllowed(_)
        | Error::FormNotAvailable
        | Error::SubmissionTagsInvalid(_)
        | Error::SubmissionDataInvalid(_)
        | Error::SubmissionDataTooLarge
        | Error::SubmissionFilesInvalid(_)
        | Error::FileTooLarge => Exit::Invalid,
        Error::Store(
            StoreError::Unavailable(_)
            | StoreError::Disconnected(_)
            | StoreError::Uncertain(_)
            | StoreError::Conflict(_)
            | StoreError::LockTimeout(_),
        )
        | Error::FileStore(FileStoreError::Unavailable(_)) => Exit::Unavailable,
        Error::Store(StoreError::Refused(_)) => Exit::NotAuthenticated,
        // The program requests pages only by the cursors that it was given.
        Error::InvalidCursor
        | Error::PageTooLarge
        | Error::WebhookKeyMissing
        | Error::UploadInterrupted
        | Error::FilesNotConfigured
        | Error::FileStore(_)
        | Error::NotConfigured(_)
        | Error::Store(StoreError::Failed(_) | StoreError::NotConfigured(_)) => Exit::Failed,
    }
}

/// Whether the error may come from a policy, a dynamic group or a resource class that is not configured.
fn may_lack_configuration(error: &Error) -> bool {
    matches!(
        error,
        Error::Forbidden
            | Error::DynamicGroupNotFound
            | Error::InvalidGrant(
                InvalidGrant::ActionUndefined | InvalidGrant::DynamicGroupUndefined
            )
            | Error::ResourceClassNotFound
    )
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let may_lack_configuration = may_lack_configuration(&error);
        let failure = match &error {
            Error::DataSchemaInvalid(rejection) => Self::rejected("invalid schema", rejection),
            Error::SubmissionDataInvalid(rejection) => Self::rejected("invalid data", rejection),
            Error::SubmissionFilesInvalid(rejection) => Self {
                details: (rejection.violations().iter())
                    .map(|one| one.violation.to_string())
                    .collect(),
                ..Self::new(Exit::Invalid, "invalid files")
            },
            _ => Self::new(exit(&error), error.to_string()),
        };
        Self {
            may_lack_configuration,
            ..failure
        }
    }
}

macro_rules! from_parts_of_errors {
    ($($part:ty)+) => {$(
        impl From<$part> for Failure {
            fn from(error: $part) -> Self {
                Error::from(error).into()
            }
        }
    )+};
}

from_parts_of_errors! { StoreError InvalidFields InvalidGrant }

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Unreadable { .. }
            | ConfigError::Foreign { .. }
            | ConfigError::Syntax { .. } => Self::usage(error.to_string()),
            ConfigError::Invalid(problems) => Self {
                details: problems.iter().map(ToString::to_string).collect(),
                ..Self::usage("invalid configuration")
            },
        }
    }
}

/// A failure to write the output. A closed pipe is not an error: `head` closes it after it has read enough.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let exit = match error.kind() {
            io::ErrorKind::BrokenPipe => Exit::Done,
            _ => Exit::Failed,
        };
        Self::new(exit, format!("cannot write the output: {error}"))
    }
}

/// Ignores a closed pipe, for commands whose exit code is a result too.
pub(crate) fn unless_unread(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Failure {
        pub(crate) fn report(&self) -> String {
            self.styled(Style::new())
        }
    }
    use formalize_core::store::Part;
    use formalize_core::{DataSchema, Field, UserId, files::FileId, submissions::BatchTooLarge};

    fn rejection(schema: &str) -> Rejection {
        DataSchema::compile(schema).err().unwrap()
    }

    #[test]
    fn every_error_has_its_exit_code() {
        let unreadable = || rejection("{");
        let table = [
            (Error::InvalidCursor, 1),
            (Error::WebhookKeyMissing, 1),
            (Error::Store(StoreError::Failed("x".into())), 1),
            (Error::GroupNotFound(None), 3),
            (Error::GroupNotFound(Some(Field::GroupIdentifier)), 3),
            (Error::MembershipNotFound, 3),
            (Error::ResourceNotFound, 3),
            (Error::GrantNotFound, 3),
            (Error::ResourceClassNotFound, 3),
            (Error::DynamicGroupNotFound, 3),
            (Error::FormNotFound, 3),
            (Error::SubmissionNotFound, 3),
            (Error::FormLinkNotFound, 3),
            (Error::TokenNotFound, 3),
            (Error::EventsExpired, 3),
            (Error::EventSubscriptionNotFound, 3),
            (Error::WebhookNotFound, 3),
            (Error::WebhookDeliveryNotFound, 3),
            (Error::Forbidden, 5),
            (Error::TagsForbidden, 5),
            (Error::RevisionMismatch, 6),
            (Error::IdempotencyKeyReused, 6),
            (Error::IdempotencyKeyInUse, 6),
            (Error::MembershipExists, 6),
            (Error::MembershipLimitReached, 6),
            (Error::GrantExists, 6),
            (Error::LastManageGrant, 6),
            (Error::EventSubscriptionTaken, 6),
            (Error::EventSubscriptionReserved, 6),
            (Error::ResourceExists, 6),
            (Error::FormExists, 6),
            (Error::FormHasSubmissions(vec![]), 6),
            (Error::SubmissionStateTransitionNotAllowed, 6),
            (Error::SubmissionCapReached, 6),
            (Error::SubmissionLimitReached, 6),
            (Error::WebhookLimitReached, 6),
            (Error::WebhookDisabled, 6),
            (Error::WebhookTestedRecently, 6),
            (UserId::new("").unwrap_err().into(), 7),
            (BatchTooLarge.into(), 7),
            (Error::BatchRefused(vec![]), 7),
            (InvalidFields::Group(vec![]).into(), 7),
            (InvalidFields::Membership(vec![]).into(), 7),
            (InvalidGrant::ActionMissing.into(), 7),
            (InvalidGrant::ActionUndefined.into(), 7),
            (InvalidGrant::Holder(vec![]).into(), 7),
            (InvalidGrant::Resource(vec![]).into(), 7),
            (InvalidGrant::DynamicGroupUndefined.into(), 7),
            (Error::ResourceReserved, 7),
            (InvalidFields::Form(vec![]).into(), 7),
            (Error::FormIdentifierReserved, 7),
            (InvalidFields::FormLink(vec![]).into(), 7),
            (InvalidFields::Webhook(vec![]).into(), 7),
            (Error::UserReserved, 7),
            (Error::DataSchemaInvalid(unreadable()), 7),
            (Error::SubmissionStateNotAllowed("x".into()), 7),
            (Error::SubmissionTagsInvalid(vec![]), 7),
            (Error::FormNotAvailable, 7),
            (Error::SubmissionDataInvalid(unreadable()), 7),
            (Error::SubmissionDataTooLarge, 7),
            (InvalidFields::SubmittedFile(vec![]).into(), 7),
            (Error::FileTooLarge, 7),
            (Error::SubmittedFileNotFound(vec![]), 3),
            (Error::FilesQuotaExceeded, 6),
            (Error::UploadExpired, 6),
            (Error::UploadInterrupted, 1),
            (Error::FilesNotConfigured, 1),
            (Error::NotConfigured(Part::Events), 1),
            (FileStoreError::Missing.into(), 1),
            (FileStoreError::Unavailable("x".into()).into(), 8),
            (Error::Store(StoreError::Refused("x".into())), 4),
            (Error::Store(StoreError::Unavailable("x".into())), 8),
            (Error::Store(StoreError::LockTimeout("x".into())), 8),
        ];
        for (error, code) in table {
            let text = error.to_string();
            assert_eq!(Failure::from(error).exit.code(), code, "{text}");
        }
    }

    /// Every error that has details, with each detail. The names of fields alone would not say what is wrong with them; the
    /// library has a sentence for each (`Error::reasons`).
    #[test]
    fn a_report_has_the_reasons_of_its_error() {
        let of_fields: [fn(Vec<Field>) -> Error; 9] = [
            |fields| InvalidFields::Group(fields).into(),
            |fields| InvalidFields::Membership(fields).into(),
            |fields| InvalidFields::Form(fields).into(),
            |fields| InvalidFields::FormLink(fields).into(),
            |fields| InvalidFields::Webhook(fields).into(),
            |fields| InvalidFields::SubmittedFile(fields).into(),
            |fields| InvalidGrant::Holder(fields).into(),
            |fields| InvalidGrant::Resource(fields).into(),
            Error::FormHasSubmissions,
        ];
        for error in of_fields {
            for field in Field::ALL {
                let error = error(vec![*field]);
                let reasons = error.reasons();
                let report = Failure::from(error).report();
                for reason in reasons {
                    assert!(report.contains(&reason), "{report}");
                }
            }
        }
        let file: FileId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse().unwrap();
        let field = Field::ChildGroupIdentifier;
        for (error, detail) in [
            (
                Error::GroupNotFound(Some(field)),
                "childGroupIdentifier matches no group",
            ),
            (Error::SubmittedFileNotFound(vec![file]), "0193a5b6-7c8d"),
            (
                Error::SubmissionTagsInvalid(vec!["blue".to_owned()]),
                "blue",
            ),
            (Error::SubmissionStateNotAllowed("open".to_owned()), "open"),
            (
                Error::DataSchemaInvalid(rejection(r#"{"type": 3}"#)),
                "/type",
            ),
            (
                Error::SubmissionDataInvalid(rejection(r#"{"type": 3}"#)),
                "/type",
            ),
            (Error::MembershipLimitReached, "1000 groups"),
            (UserId::new("").unwrap_err().into(), "1 to 255"),
        ] {
            let report = Failure::from(error).report();
            assert!(report.contains(detail), "{report}");
        }
    }

    #[test]
    fn exit_codes_are_consecutive() {
        let codes: Vec<u8> = Exit::TABLE.iter().map(|(exit, _)| exit.code()).collect();
        assert_eq!(codes, (0..=8).collect::<Vec<u8>>());
    }

    #[test]
    fn each_violation_of_a_rejection_has_a_line_with_its_path() {
        let two = rejection(r#"{"type": "objekt", "properties": {"a": {"type": 3}}}"#);
        assert_eq!(two.violations().len(), 2);
        let report = Failure::from(Error::DataSchemaInvalid(two)).report();
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[0], "error: invalid schema");
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().any(|line| line.starts_with("  /type: ")));
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("  /properties/a/type: "))
        );
    }

    #[test]
    fn malformed_json_is_reported_on_one_line() {
        let report = Failure::from(Error::SubmissionDataInvalid(rejection("{"))).report();
        assert!(report.starts_with("error: invalid data: "), "{report}");
        assert_eq!(report.lines().count(), 1);
    }

    #[test]
    fn control_characters_are_escaped_in_reports() {
        let report = Failure::usage("\u{1b}[2J\u{9b}2J\nerror: x").report();
        assert_eq!(report, "error: \\u{1b}[2J\\u{9b}2J error: x\n");
    }

    #[test]
    fn a_closed_pipe_is_not_a_failure() {
        let closed = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.exit, Exit::Done);
        let full = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(full.exit, Exit::Failed);
    }
}
