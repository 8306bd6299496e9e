use formalize_schema::DataSchema;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::id::SubmissionId;
use crate::model::file::hash::ContentHash;
use crate::model::file::mime_type::MimeType;
use crate::model::file::name::FileName;
use crate::model::subject::UserId;
use crate::time::Timestamp;

const MIB: u64 = 1024 * 1024;

fn compile(schema: &Value) -> DataSchema {
    DataSchema::compile(&schema.to_string()).unwrap()
}

fn judge(schema: &Value, files: &[SubmittedFile]) -> Result<(), FilesRejection> {
    FilesRejection::judge(compile(schema).file_rules(), files)
}

/// A PDF file of 1 MiB.
fn file(number: u128, attribute: &str) -> SubmittedFile {
    SubmittedFile {
        id: FileId::from_uuid(uuid::Uuid::from_u128(number)),
        submission: SubmissionId::from_uuid(uuid::Uuid::nil()),
        attribute: FileAttributeName::new(attribute).unwrap(),
        name: FileName::clean("a.pdf").unwrap(),
        size: MIB,
        mime_type: MimeType::from_stored("application/pdf".to_owned()),
        sha256: ContentHash::of(b""),
        creator: UserId::new("bob").unwrap(),
        date_created: Timestamp::from_millis(0).unwrap(),
    }
}

fn sized(size: u64, file: SubmittedFile) -> SubmittedFile {
    SubmittedFile { size, ..file }
}

fn typed(mime_type: &str, file: SubmittedFile) -> SubmittedFile {
    SubmittedFile {
        mime_type: MimeType::from_stored(mime_type.to_owned()),
        ..file
    }
}

/// What is wrong with files: keyword, location of the rule, and number of the file.
fn judged(schema: &Value, files: &[SubmittedFile]) -> Vec<(String, String, Option<u128>)> {
    let Err(refused) = judge(schema, files) else {
        return Vec::new();
    };
    let told = refused.violations().iter().map(|one| {
        let path = format!(
            "/submittedFiles/{}",
            one.attribute.as_str().replace('~', "~0")
        );
        assert_eq!(one.violation.instance_path, path);
        let number = one.file.map(|file| file.as_uuid().as_u128());
        (
            one.violation.keyword.clone(),
            one.violation.schema_path.clone(),
            number,
        )
    });
    told.collect()
}

fn violation(keyword: &str, path: &str, file: Option<u128>) -> (String, String, Option<u128>) {
    (keyword.to_owned(), path.to_owned(), file)
}

#[test]
fn every_violation_is_reported() {
    let schema = json!({
        "files": {
            "cv": {"allowedMimeTypes": ["application/pdf"]},
            "photo": {"allowedMimeTypes": ["image/*"], "minNumber": 2, "maxNumber": 2, "maxSizeMb": 1},
            "x~": {"allowedMimeTypes": ["*/*"], "minNumber": 0}
        }
    });
    let photo = |number| typed("image/png", file(number, "photo"));
    let good = [file(1, "cv"), photo(2), photo(3), file(4, "x~")];
    assert_eq!(judged(&schema, &good), []);
    let bad = [
        sized(MIB + 1, typed("text/plain", file(1, "photo"))),
        photo(2),
        sized(MIB, photo(3)),
        file(4, "x~"),
        file(5, "x~"),
        file(6, "other"),
        file(7, "other"),
    ];
    let expected = [
        violation("minNumber", "/files/cv/minNumber", None),
        violation("maxSizeMb", "/files/photo/maxSizeMb", Some(1)),
        violation("allowedMimeTypes", "/files/photo/allowedMimeTypes", Some(1)),
        violation("maxNumber", "/files/photo/maxNumber", None),
        violation("maxNumber", "/files/x~0/maxNumber", None),
        violation("additionalFiles", "/additionalFiles", Some(6)),
        violation("additionalFiles", "/additionalFiles", Some(7)),
    ];
    assert_eq!(judged(&schema, &bad), expected);
    let refused = judge(&schema, &bad).unwrap_err();
    let attributes: Vec<_> = refused
        .attributes()
        .into_iter()
        .map(FileAttributeName::as_str)
        .collect();
    assert_eq!(attributes, ["cv", "photo", "x~", "other"]);
    let messages = refused.to_string();
    for told in [
        "/submittedFiles/cv: must have at least 1 file",
        "/submittedFiles/photo: must not have a file larger than 1 MiB",
        "/submittedFiles/photo: must not have a file of the type text/plain",
        "/submittedFiles/photo: must have at most 2 files",
        "/submittedFiles/other: is not a group of files of this form",
    ] {
        assert!(messages.contains(told), "{messages}");
    }
}

#[test]
fn additional_groups_have_one_rule_each() {
    let schema =
        json!({"additionalFiles": {"allowedMimeTypes": ["*/*"], "minNumber": 2, "maxNumber": 2}});
    assert_eq!(judged(&schema, &[]), []);
    let expected = [
        violation("minNumber", "/additionalFiles/minNumber", None),
        violation("maxNumber", "/additionalFiles/maxNumber", None),
    ];
    let files = [file(1, "a"), file(2, "b"), file(3, "b"), file(4, "b")];
    assert_eq!(judged(&schema, &files), expected);
    let pdfs = json!({"additionalFiles": true});
    let files = [file(1, "a"), file(2, "a"), typed("image/png", file(3, "a"))];
    let expected = [
        violation(
            "allowedMimeTypes",
            "/additionalFiles/allowedMimeTypes",
            Some(3),
        ),
        violation("maxNumber", "/additionalFiles/maxNumber", None),
    ];
    assert_eq!(judged(&pdfs, &files), expected);
}

#[test]
fn without_rules_there_are_no_files() {
    assert_eq!(judge(&json!({}), &[]), Ok(()));
    let refused = judge(&json!({}), &[file(1, "a")]).unwrap_err();
    assert_eq!(refused.violations().len(), 1);
}

proptest! {
    /// Files are accepted if and only if each group has as many as its rule says, of the sizes and types that it says.
    #[test]
    fn the_rules_decide(
        (min, more) in (0_u64..3, 0_u64..3),
        sizes in proptest::collection::vec((0_u64..3, any::<bool>()), 0..5),
    ) {
        let max = (min + more).max(1);
        let rule = json!({"minNumber": min, "maxNumber": max, "maxSizeMb": 1, "allowedMimeTypes": ["application/pdf"]});
        let of = |(size, is_pdf): &(u64, bool)| {
            let file = sized(size * MIB, file(1, "a"));
            if *is_pdf { file } else { typed("text/plain", file) }
        };
        let files: Vec<_> = sizes.iter().map(of).collect();
        let number = u64::try_from(files.len()).unwrap();
        let is_accepted = (min..=max).contains(&number) && sizes.iter().all(|(size, is_pdf)| *size <= 1 && *is_pdf);
        let verdict = judge(&json!({"files": {"a": rule}}), &files);
        prop_assert_eq!(verdict.is_ok(), is_accepted);
    }
}

#[test]
fn problems_are_shown_with_the_question_for_their_group() {
    let schema = json!({"files": {"cv": {"allowedMimeTypes": ["application/pdf"]}}});
    let mut questions = Questions::of(Some(&compile(&schema)), None, None).unwrap();
    judge(&schema, &[]).unwrap_err().place_in(&mut questions);
    let [cv] = questions.files.as_slice() else {
        panic!("{questions:?}");
    };
    assert_eq!(cv.problems.len(), 1);
    assert_eq!(cv.problems[0].keyword, "minNumber");
    // Without rules, any file is one too many, and has no question.
    let files = [file(1, "notes"), file(2, "notes")];
    let refused = judge(&json!({}), &files).unwrap_err();
    refused.place_in(&mut questions);
    let [other] = questions.root.problems.as_slice() else {
        panic!("{:?}", questions.root.problems);
    };
    assert_eq!(other.instance_path, "/submittedFiles/notes");
    assert_eq!(questions.omitted_problems, 0);
    let files: Vec<_> = (0..100).map(|number| file(number, "notes")).collect();
    let refused = judge(&json!({}), &files).unwrap_err();
    refused.place_in(&mut questions);
    assert_eq!(questions.omitted_problems, 36);
}
