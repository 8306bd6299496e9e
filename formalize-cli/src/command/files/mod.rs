//! `formalize files`.

use std::path::PathBuf;

use formalize_core::{
    SubmissionId,
    files::{FileAttributeName, FileHoldId, FileId},
};

use crate::args;
use crate::grammar::FormFilterArg;
use crate::session::{Outcome, Session};

mod backup;
mod contents;

pub(crate) use backup::{hold_ended, report_copied};
pub(crate) use contents::upload;

/// List, read, add and delete files of submissions, and copy their contents for backups
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// List the files of a submission, or those of all submissions of a form
    #[command(
        after_help = "Example:\n  formalize files list --form 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o csv"
    )]
    List(List),
    /// Show what is known about a file
    #[command(
        after_help = "Example:\n  formalize files show 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o json"
    )]
    Show {
        /// The file's identifier
        #[arg(value_parser = args::file_id)]
        id: FileId,
    },
    /// Write the content of a file to a file or to standard output
    ///
    /// The hash of the content is checked. A file gets its name once it is complete, and never overwrites another one. If the
    /// content has another hash than when it was uploaded, or is missing, the exit code is not 0; what was written to standard
    /// output until then is not reliable.
    #[command(
        after_help = "Example:\n  formalize files get 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b - > cv.pdf"
    )]
    Get {
        /// The file's identifier
        #[arg(value_parser = args::file_id)]
        id: FileId,
        /// The file to create [default: its identifier with an extension, in the working directory]
        #[arg(value_name = "FILE|-")]
        file: Option<PathBuf>,
    },
    /// Add a file to a submission, whose state and data stay the same
    #[command(
        after_help = "Example:\n  formalize files add 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --file-attribute cv cv.pdf"
    )]
    Add(Add),
    /// Remove a file from its submission
    ///
    /// The content is deleted later, by a server or `formalize files sweep`.
    #[command(
        after_help = "Example:\n  formalize files delete 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Delete {
        /// The file's identifier
        #[arg(value_parser = args::file_id)]
        id: FileId,
    },
    /// Delete the contents of files that belong to no submission
    ///
    /// Servers do this regularly. Nothing is deleted while there is a hold.
    #[command(after_help = "Example:\n  formalize files sweep --dry-run")]
    Sweep {
        /// Delete nothing, and print the number of contents that would be deleted
        #[arg(long)]
        dry_run: bool,
    },
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
    #[command(after_help = "Example:\n  formalize files hold --for 2h")]
    Hold {
        /// When the hold ends unless it is released: in s, m, h, d or w
        #[arg(long = "for", value_name = "DURATION", value_parser = args::duration)]
        lasting: i64,
    },
    /// End a hold, or all holds
    ///
    /// If the hold has already ended, the exit code is 3: contents may have been deleted before they were copied.
    #[command(after_help = "Example:\n  formalize files release")]
    Release {
        /// The hold's identifier [default: all holds]
        #[arg(value_parser = args::file_hold_id)]
        hold: Option<FileHoldId>,
    },
}

/// Which files to list.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("of").required(true).args(["form", "form_option", "submission"]))]
pub(crate) struct List {
    #[command(flatten)]
    form: FormFilterArg,
    /// The submission's identifier
    #[arg(long, value_name = "ID", value_parser = args::submission_id)]
    submission: Option<SubmissionId>,
}

/// A file to add.
#[derive(Debug, clap::Args)]
pub(crate) struct Add {
    /// The submission's identifier
    #[arg(value_parser = args::submission_id)]
    submission: SubmissionId,
    /// The group of files of the form to which it belongs
    #[arg(long, value_name = "ATTRIBUTE", value_parser = args::file_attribute)]
    file_attribute: FileAttributeName,
    /// The name [default: that of the file]
    #[arg(long)]
    name: Option<String>,
    /// File with the content
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
}

impl Args {
    /// Whether the command can be run with the permissions of a user.
    pub(crate) fn is_for_users(&self) -> bool {
        !matches!(
            self,
            Self::Copy { .. } | Self::Hold { .. } | Self::Release { .. } | Self::Sweep { .. }
        )
    }

    /// Whether the command reads or writes contents.
    pub(crate) fn needs_contents(&self) -> bool {
        matches!(
            self,
            Self::Get { .. } | Self::Add(_) | Self::Sweep { .. } | Self::Copy { .. }
        )
    }

    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::List(list) => list.run(session).await,
            Self::Show { id } => contents::show(session, id).await,
            Self::Get { id, file } => contents::get(session, id, file.as_deref()).await,
            Self::Add(add) => add.run(session).await,
            Self::Delete { id } => contents::delete(session, id).await,
            Self::Sweep { dry_run } => contents::sweep(session, dry_run).await,
            Self::Copy { folder } => backup::copy(session, &folder).await,
            Self::Hold { lasting } => backup::hold(session, lasting).await,
            Self::Release { hold } => backup::release(session, hold).await,
        }
    }
}
