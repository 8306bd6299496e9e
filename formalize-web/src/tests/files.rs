//! Pages with files.

use std::error;

use formalize_core::questions::Questions;
use formalize_core::{DataSchema, Error, InvalidFields, files::FilesRejection};
use serde_json::json;

use super::super::{FormPage, Notice, ReadingPage, Shell, ShownFile};
use super::{Data, Page, at, called, named};

/// All pages with files.
pub(crate) fn pages(shell: &Shell<'_>, data: Data<'_>) -> Result<Vec<Page>, Box<dyn error::Error>> {
    let schema = schema(data)?;
    let questions = Questions::of(Some(&schema), None, None)?;
    let mut wrong = questions.clone();
    if let Err(rejection) = FilesRejection::judge(schema.file_rules(), &[]) {
        rejection.place_in(&mut wrong);
    }
    let file = |group: &str, name: &str, is_removed| ShownFile {
        id: data("0193"),
        group: group.to_owned(),
        name: data(name),
        size: 123_456,
        path: at("", &data("s/1/files/1")),
        is_removed,
    };
    let files = [
        file(
            "photos",
            "A photo with a long name of a summer in the mountains.jpeg",
            false,
        ),
        file("photos", "2.png", true),
        file("notes", "Notes.txt", false),
    ];
    let (name, action) = (data("Application"), at("", &data("f/1")));
    let lost = ["photos".to_owned()];
    let form = FormPage {
        action: &action,
        ..FormPage::new(called(&name), &questions)
    };
    let drafts = FormPage {
        saves_drafts: true,
        ..form.clone()
    };
    let stored = FormPage {
        files: &files,
        ..form.clone()
    };
    let problems = FormPage {
        action: &action,
        lost_files: &lost,
        ..FormPage::new(called(&name), &wrong)
    };
    let reading = ReadingPage {
        form: called(&name),
        questions: &questions,
        files: &files,
        notice: None,
        delete: None,
    };
    let mut pages = vec![
        named("form-files", drafts.render(shell)),
        named("form-files-stored", stored.render(shell)),
        named("form-files-problems", problems.render(shell)),
        named("reading-files", reading.render(shell)),
    ];
    for (name, notice) in [
        ("busy", Notice::FilesBusy),
        ("quota", Notice::of(&Error::FilesQuotaExceeded)),
        ("large", Notice::of(&Error::FileTooLarge)),
        (
            "invalid",
            Notice::of(&Error::InvalidFields(InvalidFields::SubmittedFile(
                Vec::new(),
            ))),
        ),
        ("interrupted", Notice::of(&Error::UploadInterrupted)),
        ("full", Notice::FilesFull),
        ("off", Notice::of(&Error::FilesNotConfigured)),
    ] {
        let page = FormPage {
            notice: Some(notice),
            ..form.clone()
        };
        pages.push(named(&format!("form-files-{name}"), page.render(shell)));
    }
    Ok(pages)
}

fn schema(data: Data<'_>) -> Result<DataSchema, formalize_core::Rejection> {
    let schema = json!({
        "properties": {"name": {"type": "string", "title": data("Full name")}},
        "files": {
            "cv": {"allowedMimeTypes": ["*/*"]},
            "photos": {"minNumber": 0, "maxNumber": 3, "maxSizeMb": 2.5, "allowedMimeTypes": ["image/*", "video/*"]},
        },
        "x-form": {"files": {
            "cv": {"label": data("Curriculum vitae"), "hint": data("In English or German.")},
            "photos": {"label": data("Photos")},
        }},
    });
    DataSchema::compile(&schema.to_string())
}
