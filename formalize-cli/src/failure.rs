//! How a command ends: the exit codes, and the table that gives each error of the library its code.

use std::fmt::Write as _;
use std::io;

use formalize_core::config::ConfigError;
use formalize_core::{Error, Rejection, StoreError};

use crate::output::plain;

/// The exit codes, on which scripts rely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// What was asked for is done.
    Done = 0,
    /// It failed for a reason that has no code of its own.
    Failed = 1,
    /// The command line or the configuration cannot be understood, or a question was left without an answer.
    Usage = 2,
    /// What the command is about does not exist.
    NotFound = 3,
    /// The database does not believe who the program says it is: the role or password in the URL is wrong.
    NotAuthenticated = 4,
    /// The user is not entitled to this.
    Denied = 5,
    /// It cannot be done to things as they are.
    Conflict = 6,
    /// A value is missing or impossible, or a database holds what it cannot hold.
    Invalid = 7,
    /// The database cannot be reached, is not there, or is not migrated.
    Unavailable = 8,
}

impl Exit {
    /// Every code with what it means, as the help shows them.
    pub(crate) const TABLE: [(Self, &str); 9] = [
        (Self::Done, "done, or allowed"),
        (Self::Failed, "failed"),
        (
            Self::Usage,
            "the command line or the configuration is wrong, or `--yes` is missing",
        ),
        (Self::NotFound, "not found"),
        (
            Self::NotAuthenticated,
            "not authenticated: the database refuses the user or the password of the URL",
        ),
        (Self::Denied, "denied"),
        (
            Self::Conflict,
            "conflict: it exists already, is the last of its kind, has reached a limit, or was changed meanwhile",
        ),
        (
            Self::Invalid,
            "invalid input, or a database that `verify` finds something in",
        ),
        (
            Self::Unavailable,
            "the database is unavailable, missing, or not migrated",
        ),
    ];

    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// Why a command did not do what was asked: one line, and more lines about it if there are any.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// Whether policies, dynamic groups or resource classes of a configuration file could have prevented it.
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

    /// The failure with one more line about it.
    pub(crate) fn with_detail(mut self, detail: &str) -> Self {
        self.details.push(detail.to_owned());
        self
    }

    /// The failure with what it is about in front.
    pub(crate) fn with_subject(mut self, subject: &str) -> Self {
        self.message = format!("{subject}: {}", self.message);
        self
    }

    /// What is wrong, in one or more lines.
    pub(crate) fn reasons(&self) -> Vec<String> {
        if self.details.is_empty() {
            vec![self.message.clone()]
        } else {
            self.details.clone()
        }
    }

    /// A refusal with one line for each problem, or in one line where there is no place to name.
    fn rejected(what: &str, rejection: &Rejection) -> Self {
        if rejection.violations().is_empty() {
            return Self::new(Exit::Invalid, format!("{what}: {rejection}"));
        }
        Self {
            details: rejection.messages().to_vec(),
            ..Self::new(Exit::Invalid, what)
        }
    }

    /// The failure as it is shown: `error: ` and what is wrong, then one indented line for each detail.
    pub(crate) fn report(&self) -> String {
        let mut report = format!("error: {}\n", one_line(&self.message));
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
        Error::Forbidden => Exit::Denied,
        Error::GroupNotFound(_)
        | Error::MembershipNotFound
        | Error::ResourceNotFound
        | Error::GrantNotFound
        | Error::ResourceClassNotFound
        | Error::DynamicGroupNotFound
        | Error::FormNotFound
        | Error::SubmissionNotFound
        | Error::TokenNotFound => Exit::NotFound,
        Error::RevisionMismatch { .. }
        | Error::MembershipExists
        | Error::GrantExists
        | Error::LastManageGrant
        | Error::ResourceExists
        | Error::FormHasSubmissions(_)
        | Error::SubmissionStateTransitionNotAllowed
        | Error::SubmissionCapReached => Exit::Conflict,
        Error::InvalidValue(_)
        | Error::GroupInvalid(_)
        | Error::MembershipInvalid(_)
        | Error::GrantActionMissing
        | Error::GrantActionUndefined
        | Error::GrantInvalidHolder(_)
        | Error::GrantInvalidResource(_)
        | Error::DynamicGroupUndefined
        | Error::ResourceReserved
        | Error::FormInvalid(_)
        | Error::DataSchemaInvalid(_)
        | Error::SubmissionStateNotAllowed(_)
        | Error::FormNotAvailable
        | Error::SubmissionDataInvalid(_)
        | Error::SubmissionDataTooLarge => Exit::Invalid,
        Error::Store(StoreError::Unavailable(_) | StoreError::Deadlock(_)) => Exit::Unavailable,
        Error::Store(StoreError::Refused(_)) => Exit::NotAuthenticated,
        // The program follows only cursors that it was given.
        Error::InvalidCursor | Error::Store(StoreError::Failed(_)) => Exit::Failed,
    }
}

/// Whether the error may come from a policy, a dynamic group or a resource class that is not configured.
fn may_lack_configuration(error: &Error) -> bool {
    matches!(
        error,
        Error::Forbidden
            | Error::DynamicGroupNotFound
            | Error::DynamicGroupUndefined
            | Error::GrantActionUndefined
            | Error::ResourceClassNotFound
    )
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let may_lack_configuration = may_lack_configuration(&error);
        let failure = match &error {
            Error::DataSchemaInvalid(rejection) => Self::rejected("invalid schema", rejection),
            Error::SubmissionDataInvalid(rejection) => Self::rejected("invalid data", rejection),
            Error::GroupNotFound(Some(field)) => {
                Self::new(exit(&error), format!("{error}: {field}"))
            }
            _ => Self::new(exit(&error), error.to_string()),
        };
        Self {
            may_lack_configuration,
            ..failure
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Error::Store(error).into()
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Unreadable { .. } | ConfigError::Syntax { .. } => {
                Self::usage(error.to_string())
            }
            ConfigError::Invalid(problems) => Self {
                details: problems.iter().map(ToString::to_string).collect(),
                ..Self::usage("invalid configuration")
            },
        }
    }
}

/// A failure to write the output. Whoever reads it may stop when it has seen enough, as `head` does.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let exit = match error.kind() {
            io::ErrorKind::BrokenPipe => Exit::Done,
            _ => Exit::Failed,
        };
        Self::new(exit, format!("cannot write the output: {error}"))
    }
}

/// Goes on when nobody reads what is written any more: for commands whose exit code is an answer too.
pub(crate) fn unless_unread(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formalize_core::{DataSchema, Field, UserId};

    fn rejection(schema: &str) -> Rejection {
        DataSchema::compile(schema).err().unwrap()
    }

    #[test]
    fn every_error_has_its_exit_code() {
        let unreadable = || rejection("{");
        let table = [
            (Error::InvalidCursor, 1),
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
            (Error::TokenNotFound, 3),
            (Error::Forbidden, 5),
            (Error::RevisionMismatch { current: None }, 6),
            (Error::MembershipExists, 6),
            (Error::GrantExists, 6),
            (Error::LastManageGrant, 6),
            (Error::ResourceExists, 6),
            (Error::FormHasSubmissions(vec![]), 6),
            (Error::SubmissionStateTransitionNotAllowed, 6),
            (Error::SubmissionCapReached, 6),
            (UserId::new("").unwrap_err().into(), 7),
            (Error::GroupInvalid(vec![]), 7),
            (Error::MembershipInvalid(vec![]), 7),
            (Error::GrantActionMissing, 7),
            (Error::GrantActionUndefined, 7),
            (Error::GrantInvalidHolder(vec![]), 7),
            (Error::GrantInvalidResource(vec![]), 7),
            (Error::DynamicGroupUndefined, 7),
            (Error::ResourceReserved, 7),
            (Error::FormInvalid(vec![]), 7),
            (Error::DataSchemaInvalid(unreadable()), 7),
            (Error::SubmissionStateNotAllowed("x".into()), 7),
            (Error::FormNotAvailable, 7),
            (Error::SubmissionDataInvalid(unreadable()), 7),
            (Error::SubmissionDataTooLarge, 7),
            (Error::Store(StoreError::Refused("x".into())), 4),
            (Error::Store(StoreError::Unavailable("x".into())), 8),
        ];
        for (error, code) in table {
            let text = error.to_string();
            assert_eq!(Failure::from(error).exit.code(), code, "{text}");
        }
    }

    #[test]
    fn the_codes_of_the_table_count_up() {
        let codes: Vec<u8> = Exit::TABLE.iter().map(|(exit, _)| exit.code()).collect();
        assert_eq!(codes, (0..=8).collect::<Vec<u8>>());
    }

    #[test]
    fn a_rejection_has_a_line_for_each_violation_with_its_place() {
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
    fn a_rejection_of_what_is_no_json_is_one_line() {
        let report = Failure::from(Error::SubmissionDataInvalid(rejection("{"))).report();
        assert!(report.starts_with("error: invalid data: "), "{report}");
        assert_eq!(report.lines().count(), 1);
    }

    #[test]
    fn reports_do_not_control_the_terminal() {
        let report = Failure::usage("\u{1b}[2J\u{9b}2J\nerror: x").report();
        assert_eq!(report, "error: \\u{1b}[2J\\u{9b}2J error: x\n");
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let closed = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.exit, Exit::Done);
        let full = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(full.exit, Exit::Failed);
    }
}
