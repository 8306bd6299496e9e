use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::id::{FileId, SubmissionId};
use crate::model::file::SubmittedFile;
use crate::model::file::hash::ContentHash;
use crate::model::file::name::FileName;
use crate::model::subject::UserId;
use crate::schema::{DataSchema, Rejection};
use crate::time::Timestamp;

const MIB: u64 = 1024 * 1024;

fn name(name: &str) -> FileAttributeName {
    FileAttributeName::new(name).unwrap()
}

fn compile(schema: &Value) -> Result<FileRules, Rejection> {
    DataSchema::compile(&schema.to_string()).map(|schema| schema.file_rules().clone())
}

fn rules(schema: &Value) -> FileRules {
    compile(schema).unwrap_or_else(|refused| panic!("{schema}: {refused}"))
}

/// The messages for a schema that is refused, each with its location.
fn faults(schema: &Value) -> Vec<String> {
    let refused = compile(schema).expect_err(&schema.to_string());
    refused.messages().to_vec()
}

/// A PDF file of 1 MiB.
fn file(number: u128, attribute: &str) -> SubmittedFile {
    SubmittedFile {
        id: FileId::from_uuid(uuid::Uuid::from_u128(number)),
        submission: SubmissionId::from_uuid(uuid::Uuid::nil()),
        attribute: name(attribute),
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
    let Err(refused) = rules(schema).judge(files) else {
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
fn defaults_are_those_of_the_interface() {
    let any = json!(["*/*"]);
    for (rule, min, max, bytes) in [
        (json!({"allowedMimeTypes": any}), 1, 1, 10 * MIB),
        (
            json!({"allowedMimeTypes": any, "minNumber": 0}),
            0,
            1,
            10 * MIB,
        ),
        (
            json!({"allowedMimeTypes": any, "minNumber": 3}),
            3,
            3,
            10 * MIB,
        ),
        (
            json!({"allowedMimeTypes": any, "maxNumber": 7.0}),
            1,
            7,
            10 * MIB,
        ),
        (
            json!({"allowedMimeTypes": any, "maxSizeMb": 0.5}),
            1,
            1,
            MIB / 2,
        ),
        (
            json!({"allowedMimeTypes": any, "maxSizeMb": 1e300}),
            1,
            1,
            u64::MAX,
        ),
        (json!({"allowedMimeTypes": any, "maxSizeMb": 1e-9}), 1, 1, 0),
    ] {
        let rules = rules(&json!({"files": {"a": rule}}));
        let rule = rules.of(&name("a")).unwrap();
        let told = (rule.min_number(), rule.max_number(), rule.max_bytes());
        assert_eq!(told, (min, max, bytes), "{rule:?}");
        assert_eq!(rules.of(&name("b")), None);
    }
    let with_others = rules(&json!({"additionalFiles": true}));
    let others = with_others.of(&name("b")).unwrap();
    assert_eq!(
        (others.min_number(), others.max_number(), others.max_bytes()),
        (0, 2, 10 * MIB)
    );
    assert!(others.allows(&MimeType::from_stored("application/pdf".to_owned())));
    assert!(!others.allows(&MimeType::UNKNOWN));
    for none in [
        json!({}),
        json!(true),
        json!({"additionalFiles": false}),
        json!({"files": {}}),
    ] {
        assert_eq!(rules(&none), FileRules::default(), "{none}");
    }
}

#[test]
fn types_are_compared_without_case() {
    let schema = json!({"files": {"a": {"allowedMimeTypes": ["IMAGE/PNG", "Text/*"]}}});
    let rules = rules(&schema);
    let rule = rules.of(&name("a")).unwrap();
    for (mime_type, is_allowed) in [
        ("image/png", true),
        ("image/jpeg", false),
        ("text/csv", true),
        ("text/plain", true),
        ("textual/x", false),
    ] {
        assert_eq!(
            rule.allows(&MimeType::from_stored(mime_type.to_owned())),
            is_allowed,
            "{mime_type}"
        );
    }
}

#[test]
fn faults_are_reported_where_they_are() {
    let types = json!(["*/*"]);
    let faults_of = |rule: Value| faults(&json!({"files": {"a": rule}}));
    for (rule, expected) in [
        (json!(1), "/files/a: must be an object"),
        (json!({}), "/files/a: `allowedMimeTypes` is required"),
        (
            json!({"allowedMimeTypes": []}),
            "/files/a/allowedMimeTypes: must be an array with at least one type",
        ),
        (
            json!({"allowedMimeTypes": "*/*"}),
            "/files/a/allowedMimeTypes: must be an array with at least one type",
        ),
        (
            json!({"allowedMimeTypes": types, "hobby": 1}),
            "/files/a: `hobby` is an unknown field",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": -1}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": 1.5}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": "1"}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": null}),
            "/files/a/minNumber: must be an integer of at least 0",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": 0, "maxNumber": 0}),
            "/files/a/maxNumber: must be an integer of at least 1",
        ),
        (
            json!({"allowedMimeTypes": types, "minNumber": 3, "maxNumber": 2}),
            "/files/a/maxNumber: must not be less than minNumber",
        ),
        (
            json!({"allowedMimeTypes": types, "maxSizeMb": 0}),
            "/files/a/maxSizeMb: must be a number above 0",
        ),
        (
            json!({"allowedMimeTypes": types, "maxSizeMb": "1"}),
            "/files/a/maxSizeMb: must be a number above 0",
        ),
    ] {
        assert_eq!(faults_of(rule.clone()), [expected], "{rule}");
    }
    for wrong in [
        "pdf",
        "*",
        "*/pdf",
        "image/",
        "/png",
        "image/png; q=1",
        "image/png ",
        "a/b/c",
        "",
        "ä/b",
        "image/*+xml",
    ] {
        let told = faults_of(json!({"allowedMimeTypes": ["image/png", wrong]}));
        assert_eq!(
            told,
            ["/files/a/allowedMimeTypes/1: must be a type such as application/pdf, image/* or */*"],
            "{wrong}"
        );
    }
    let told = faults_of(json!({"allowedMimeTypes": [1]}));
    assert_eq!(told.len(), 1);
}

#[test]
fn all_faults_are_reported_together() {
    let schema = json!({
        "type": "object",
        "properties": {"x": {"localizedName": 1}},
        "files": {"a[]": {}, "b~": {"minNumber": -1, "x": 1}},
        "additionalFiles": {"maxSizeMb": 0}
    });
    let told = faults(&schema);
    let places: Vec<&str> = told
        .iter()
        .filter_map(|one| one.split_once(": "))
        .map(|(place, _)| place)
        .collect();
    let expected = [
        "/properties/x/localizedName",
        "/files/a[]",
        "/files/b~0",
        "/files/b~0/minNumber",
        "/files/b~0",
        "/additionalFiles/maxSizeMb",
        "/additionalFiles",
    ];
    assert_eq!(places, expected);
    for (schema, place) in [
        (json!({"files": []}), "/files"),
        (json!({"files": null}), "/files"),
        (json!({"additionalFiles": null}), "/additionalFiles"),
        (json!({"additionalFiles": "yes"}), "/additionalFiles"),
    ] {
        assert!(
            faults(&schema)[0].starts_with(&format!("{place}: ")),
            "{schema}"
        );
    }
}

#[test]
fn the_number_of_groups_is_limited() {
    let schema = |number: usize| {
        let rule = json!({"allowedMimeTypes": ["*/*"]});
        let files: serde_json::Map<_, _> = (0..number)
            .map(|index| (format!("a{index}"), rule.clone()))
            .collect();
        json!({"files": files})
    };
    assert_eq!(rules(&schema(50)).declared.len(), 50);
    assert_eq!(
        faults(&schema(51)),
        ["/files: must not have more than 50 names"]
    );
}

/// Only the keywords at the root are rules. Elsewhere they are annotations, or names of fields.
#[test]
fn keywords_below_the_root_are_not_rules() {
    let schema = json!({
        "properties": {"files": {"type": "array"}, "a": {"files": 1, "additionalFiles": "x"}},
        "submissionExport": {"files": 1}
    });
    assert_eq!(rules(&schema), FileRules::default());
}

#[test]
fn schemas_from_before_the_rules_still_work() {
    let schema = json!({"type": "object", "files": "an annotation"}).to_string();
    assert!(DataSchema::compile(&schema).is_err());
    let stored = DataSchema::compile_stored(&schema).unwrap();
    assert_eq!(stored.file_rules(), &FileRules::default());
    assert_eq!(stored.validate(&json!({})), Ok(()));
    assert!(stored.outline().is_some());
    assert!(DataSchema::compile_stored(r#"{"type": "strin"}"#).is_err());
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
    let refused = rules(&schema).judge(&bad).unwrap_err();
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
    assert_eq!(FileRules::default().judge(&[]), Ok(()));
    let refused = FileRules::default().judge(&[file(1, "a")]).unwrap_err();
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
        let verdict = rules(&json!({"files": {"a": rule}})).judge(&files);
        prop_assert_eq!(verdict.is_ok(), is_accepted);
    }
}
