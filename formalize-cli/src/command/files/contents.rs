//! Listing, reading, adding and deleting files.

use std::path::{Path, PathBuf};

use formalize_core::{
    Caller, Error, Page, SubmissionFilter,
    files::{FileAttributeName, FileId, FileName, NewFile, Upload},
};
use futures_util::TryStreamExt;

use super::{Add, List};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::OutputFile;
use crate::record::SubmittedFile;
use crate::session::{Outcome, Session, note, plural, with_spinner};

impl List {
    pub(super) async fn run(self, session: &mut Session) -> Outcome {
        let (formalize, caller) = session.service();
        let files = formalize.files();
        if let Some(submission) = self.submission {
            return session
                .print_list::<_, SubmittedFile>(async |request| {
                    files.list(&caller, submission, None, request).await
                })
                .await;
        }
        let Some(form) = self.form.given() else {
            return Ok(());
        };
        let form = session.form(form).await?;
        let (submissions, all) = (formalize.submissions(), SubmissionFilter::default());
        session
            .print_list::<_, SubmittedFile>(async |request| {
                let page = submissions.list(&caller, form, &all, request).await?;
                let files = page.items.into_iter().flat_map(|view| view.item.files);
                Ok(Page {
                    items: files.collect(),
                    next: page.next,
                })
            })
            .await
    }
}

pub(super) async fn show(session: &mut Session, id: FileId) -> Outcome {
    let file = session.formalize.files().find(&session.caller, id).await?;
    Ok(session.printer.item(&SubmittedFile::from(file))?)
}

pub(super) async fn get(session: &Session, id: FileId, to: Option<&Path>) -> Outcome {
    let files = session.formalize.files();
    let file = files.find(&session.caller, id).await?;
    let default = || PathBuf::from(format!("{id}.{}", file.mime_type.extension()));
    let to = to.map_or_else(default, Path::to_owned);
    let mut output = OutputFile::create(&to)?;
    let opened = files.open(&session.caller, file.submission, id).await?;
    let mut content = opened.read_checked().await?;
    let writing = async {
        while let Some(piece) = content.try_next().await.map_err(damaged)? {
            output.write_all(&piece)?;
        }
        output.finish()
    };
    with_spinner("reading", writing).await?;
    if !input::is_standard(&to) {
        note(&format!("written to {}", to.display()));
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn damaged(error: std::io::Error) -> Failure {
    Failure::new(
        Exit::Invalid,
        format!("the content cannot be read: {error}"),
    )
}

impl Add {
    pub(super) async fn run(self, session: &mut Session) -> Outcome {
        let caller = session.caller.clone();
        let formalize = session.formalize.clone();
        let files = formalize.files();
        let mut upload = files.upload(&caller, self.submission).await?;
        let id = match add(&mut upload, self.file_attribute, self.name, &self.file).await {
            Ok(id) => id,
            Err(failure) => {
                upload.discard().await;
                return Err(failure);
            }
        };
        let changed = upload.finish().await?;
        let files = changed.map(|view| view.item.files).unwrap_or_default();
        match files.into_iter().find(|file| file.id == id) {
            Some(file) => session.printer.item(&SubmittedFile::from(file))?,
            None => note(&format!("added file {id}; the user may not read it")),
        }
        Ok(())
    }
}

/// Adds files to an upload, and gives it up if one cannot be read or is refused.
pub(crate) async fn upload(
    mut upload: Upload<'_>,
    files: Vec<(FileAttributeName, PathBuf)>,
) -> Result<Upload<'_>, Failure> {
    for (attribute, file) in files {
        if let Err(failure) = add(&mut upload, attribute, None, &file).await {
            upload.discard().await;
            return Err(failure);
        }
    }
    Ok(upload)
}

async fn add(
    upload: &mut Upload<'_>,
    attribute: FileAttributeName,
    name: Option<String>,
    file: &Path,
) -> Result<FileId, Failure> {
    let content = input::content(file)?;
    let name = name.or(content.name).unwrap_or_default();
    let new = NewFile {
        size: content.size,
        ..NewFile::new(attribute, FileName::clean(&name)?)
    };
    let adding = upload.add(new, content.bytes);
    let added = with_spinner("uploading", adding).await;
    added.map_err(|error| {
        let failure = match error {
            Error::UploadInterrupted => Failure::new(Exit::Failed, "the file cannot be read"),
            error => error.into(),
        };
        failure.with_subject(&file.display().to_string())
    })
}

pub(super) async fn delete(session: &Session, id: FileId) -> Outcome {
    let files = session.formalize.files();
    // As the system, because the user may have permission to remove it but not to read it.
    let file = files.find(&Caller::System, id).await?;
    files.remove(&session.caller, file.submission, id).await?;
    note(&format!("deleted file {id}"));
    Ok(())
}

pub(super) async fn sweep(session: &Session, dry_run: bool) -> Outcome {
    let files = session.formalize.files();
    if dry_run {
        let number = files.unused().await?.len();
        note(&format!("would delete {}", plural(number, "content")));
        return Ok(());
    }
    let swept = with_spinner("deleting", files.sweep()).await?;
    note(&format!("deleted {}", plural(swept, "content")));
    let holds = files.holds().await?;
    if let Some(end) = holds.iter().map(|hold| hold.date_ends).max() {
        note(&format!(
            "note: a backup keeps contents from being deleted until {end}"
        ));
    }
    Ok(())
}
