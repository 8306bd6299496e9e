//! Copies of contents, and holds.

use std::path::Path;
use std::time::Duration;

use formalize_core::file_store::copies::CopyFolder;
use formalize_core::{
    Error,
    files::{CopiedFiles, FileHoldId},
};

use crate::failure::{Exit, Failure};
use crate::record::FileHold;
use crate::session::{Outcome, Session, note, plural, with_spinner};

/// How many files without content a message names.
const NAMED: usize = 20;

pub(super) async fn copy(session: &Session, folder: &Path) -> Outcome {
    let mut to = CopyFolder::open(folder).map_err(Error::from)?;
    if let Some(originals) = &session.files_folder {
        to = to.linked_to(originals).map_err(Error::from)?;
    }
    let files = session.formalize.files();
    let copying = files.copy(&**session.formalize.store(), &to);
    let copied = with_spinner("copying files", files.hold_while(copying)).await?;
    report_copied(&copied.ok_or_else(hold_ended)?, folder)
}

/// Says how many files were copied.
///
/// # Errors
///
/// If contents are missing.
pub(crate) fn report_copied(copied: &CopiedFiles, folder: &Path) -> Outcome {
    let CopiedFiles {
        copied,
        present,
        missing,
        ..
    } = copied;
    let folder = folder.display();
    note(&format!(
        "copied {} to {folder}; {present} were there",
        plural(*copied, "file")
    ));
    if missing.is_empty() {
        return Ok(());
    }
    let number = plural(missing.len(), "file");
    let message =
        format!("the contents of {number} are not in the file store; see `formalize verify`");
    let failure = Failure::new(Exit::Invalid, message);
    let named = missing.iter().take(NAMED);
    Err(named.fold(failure, |failure, id| failure.with_detail(&id.to_string())))
}

/// Files may have been deleted while they were copied.
pub(crate) fn hold_ended() -> Failure {
    let message = "files may have been deleted before they were copied, because the hold on them ended too early; try again";
    Failure::new(Exit::Unavailable, message)
}

pub(super) async fn hold(session: &mut Session, seconds: i64) -> Outcome {
    let lasting = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    let hold = session.formalize.files().hold(lasting).await?;
    Ok(session.printer.item(&FileHold::from(hold))?)
}

pub(super) async fn release(session: &Session, hold: Option<FileHoldId>) -> Outcome {
    let files = session.formalize.files();
    let holds = match hold {
        Some(hold) => vec![hold],
        None => files.holds().await?.iter().map(|hold| hold.id).collect(),
    };
    let mut released = 0;
    for hold in holds {
        released += usize::from(files.release(hold).await?);
    }
    if released == 0 {
        let message = "the hold does not exist or has ended, so files may have been deleted before they were copied";
        return Err(Failure::new(Exit::NotFound, message));
    }
    note(&format!("released {}", plural(released, "hold")));
    Ok(())
}
