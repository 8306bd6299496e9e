//! `formalize files`.

use std::path::PathBuf;

use formalize_core::FileHoldId;

use crate::args;
use crate::session::{Outcome, Session};

mod backup;

pub(crate) use backup::{hold_ended, report_copied};

/// Keep and copy the contents of files of submissions, for backups
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Copy the contents of all files to a folder
    ///
    /// Contents that are there already are not copied again, and nothing is removed. On the same disk, hard links are created
    /// instead of copies. No content is deleted in the meantime.
    #[command(after_help = "Example:\n  formalize files copy /backup/files")]
    Copy {
        /// The folder; it is created if it does not exist
        folder: PathBuf,
    },
    /// Stop deleting the contents of files on all servers, while you make a backup
    #[command(
        after_help = "Example:\n  formalize files hold --for 2h\n  pg_dump --format=custom --file=forms.dump \"$FORMALIZE_DATABASE_URL\"\n  formalize files copy /backup/files\n  formalize files release"
    )]
    Hold {
        /// When the hold ends unless it is released: in s, m, h, d or w
        #[arg(long = "for", value_name = "DURATION", value_parser = args::duration)]
        lasting: i64,
    },
    /// End a hold, or all holds
    ///
    /// If there is none any more, the exit code is 3: contents may have been deleted before they were copied.
    #[command(after_help = "Example:\n  formalize files release")]
    Release {
        /// The hold's identifier [default: all holds]
        #[arg(value_parser = args::file_hold_id)]
        hold: Option<FileHoldId>,
    },
}

impl Args {
    /// Whether the command can be run with the permissions of a user.
    pub(crate) fn is_for_users(&self) -> bool {
        match self {
            Self::Copy { .. } | Self::Hold { .. } | Self::Release { .. } => false,
        }
    }

    /// Whether the command reads or writes contents.
    pub(crate) fn needs_contents(&self) -> bool {
        match self {
            Self::Copy { .. } => true,
            Self::Hold { .. } | Self::Release { .. } => false,
        }
    }

    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Copy { folder } => backup::copy(session, &folder).await,
            Self::Hold { lasting } => backup::hold(session, lasting).await,
            Self::Release { hold } => backup::release(session, hold).await,
        }
    }
}
