//! Questions for files.

use serde::{Serialize, Serializer};
use serde_json::Number;

use super::words::{in_language, spelled_out};
use crate::schema::{DataSchema, FileAttributeName, FileRule, FileTexts, Violation};

/// A question for the files of one group.
///
/// ```
/// use formalize_schema::DataSchema;
/// use formalize_schema::questions::Questions;
///
/// let schema = DataSchema::compile(r#"{
///     "files": {"cv": {"allowedMimeTypes": ["application/pdf"]}},
///     "x-form": {"files": {"cv": {"label": {"en": "Curriculum vitae", "de": "Lebenslauf"}}}}
/// }"#)?;
/// let questions = Questions::of(Some(&schema), None, Some("de"))?;
/// let [cv] = questions.files.as_slice() else { panic!() };
/// assert_eq!((cv.label.as_str(), cv.rule.max_number()), ("Lebenslauf", 1));
/// # Ok::<(), formalize_schema::Rejection>(())
/// ```
#[derive(Debug, Clone)]
pub struct FileQuestion {
    /// The group.
    pub attribute: FileAttributeName,
    /// The label in `x-form`, else the name of the group in words.
    pub label: String,
    /// How to answer, from `x-form`.
    pub hint: Option<String>,
    /// How many files of which types and sizes there may be. At least one is required if the minimum is above zero.
    pub rule: FileRule,
    /// The problems of the files in the group.
    pub problems: Vec<Violation>,
}

impl FileQuestion {
    /// The kind of these questions, as in the REST interface.
    pub const KIND: &'static str = "files";

    /// Whether there must be at least one file.
    ///
    /// ```
    /// use formalize_schema::DataSchema;
    /// use formalize_schema::questions::Questions;
    ///
    /// let schema = DataSchema::compile(r#"{"files": {"map": {"minNumber": 0, "allowedMimeTypes": ["*/*"]}}}"#)?;
    /// assert!(!Questions::of(Some(&schema), None, None)?.files[0].is_required());
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn is_required(&self) -> bool {
        self.rule.min_number() > 0
    }
}

impl Serialize for FileQuestion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Shown<'q> {
            kind: &'static str,
            file_attribute_name: &'q str,
            label: &'q str,
            #[serde(skip_serializing_if = "Option::is_none")]
            hint: Option<&'q str>,
            required: bool,
            min_number: u64,
            max_number: u64,
            max_size_mb: &'q Number,
            allowed_mime_types: Vec<String>,
        }
        let shown = Shown {
            kind: Self::KIND,
            file_attribute_name: self.attribute.as_str(),
            label: &self.label,
            hint: self.hint.as_deref(),
            required: self.is_required(),
            min_number: self.rule.min_number(),
            max_number: self.rule.max_number(),
            max_size_mb: self.rule.max_size_mb(),
            allowed_mime_types: self.rule.allowed_types().collect(),
        };
        shown.serialize(serializer)
    }
}

/// The questions for the groups of files that a schema names, in its order.
pub(super) fn questions(schema: Option<&DataSchema>, language: Option<&str>) -> Vec<FileQuestion> {
    let Some(schema) = schema else {
        return Vec::new();
    };
    if schema.file_rules().declared().next().is_none() {
        return Vec::new();
    }
    let root = schema.outline().and_then(|outline| outline.schema(0));
    let texts = root.map_or(&[][..], |root| root.files.as_slice());
    let position = |question: &FileQuestion| {
        let mut groups = texts.iter();
        groups.position(|texts| texts.group == question.attribute.as_str())
    };
    let declared = schema.file_rules().declared();
    let mut questions: Vec<_> = declared
        .map(|(group, rule)| question(group, rule, texts, language))
        .collect();
    questions.sort_by_key(|question| position(question).unwrap_or(usize::MAX));
    questions
}

fn question(
    group: &FileAttributeName,
    rule: &FileRule,
    texts: &[FileTexts],
    language: Option<&str>,
) -> FileQuestion {
    let texts = texts.iter().find(|texts| texts.group == group.as_str());
    let label = texts.and_then(|texts| in_language(&texts.label, language));
    let hint = texts.and_then(|texts| in_language(&texts.hint, language));
    FileQuestion {
        attribute: group.clone(),
        label: label.map_or_else(|| spelled_out(group.as_str()), str::to_owned),
        hint: hint.map(str::to_owned),
        rule: rule.clone(),
        problems: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::questions::{Answers, Entries, Questions};
    use crate::schema::{DataSchema, FileAttributeName, Violation};

    const SCHEMA: &str = r#"{
        "properties": {"name": {"type": "string"}},
        "files": {
            "workSamples": {"minNumber": 0, "maxNumber": 2, "maxSizeMb": 0.50, "allowedMimeTypes": ["IMAGE/*", "text/csv"]},
            "cv": {"allowedMimeTypes": ["application/pdf"]}
        },
        "additionalFiles": true,
        "x-form": {"files": {
            "cv": {"label": {"de": "Lebenslauf", "en": "Curriculum vitae"}, "hint": "One page", "width": 3},
            "other": {"label": "No such group"}
        }}
    }"#;

    fn asked(schema: &str, language: Option<&str>) -> Questions {
        let schema = DataSchema::compile(schema).unwrap();
        Questions::of(Some(&schema), None, language).unwrap()
    }

    #[test]
    fn each_group_that_a_schema_names_has_a_question() {
        let shown = serde_json::to_value(asked(SCHEMA, None)).unwrap();
        let expected = json!([
            {
                "kind": "files", "fileAttributeName": "workSamples", "label": "Work samples", "required": false,
                "minNumber": 0, "maxNumber": 2, "maxSizeMb": 0.5, "allowedMimeTypes": ["image/*", "text/csv"],
            },
            {
                "kind": "files", "fileAttributeName": "cv", "label": "Lebenslauf", "hint": "One page", "required": true,
                "minNumber": 1, "maxNumber": 1, "maxSizeMb": 10, "allowedMimeTypes": ["application/pdf"],
            },
        ]);
        assert_eq!(shown["files"], expected);
        assert_eq!(shown["question"]["children"].as_array().unwrap().len(), 1);
        let english = asked(SCHEMA, Some("en-GB"));
        assert_eq!(english.files.last().unwrap().label, "Curriculum vitae");
        let none = serde_json::to_value(asked("{}", None)).unwrap();
        assert_eq!(none.get("files"), None);
        assert!(Questions::of(None, None, None).unwrap().files.is_empty());
    }

    #[test]
    fn every_draft_has_questions_for_files() {
        for draft in [
            "http://json-schema.org/draft-04/schema#",
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2019-09/schema",
        ] {
            let mut schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
            schema["$schema"] = draft.into();
            let labels = asked(&schema.to_string(), Some("en")).files;
            assert_eq!(labels.len(), 2, "{draft}");
        }
        // A reference hides what stands beside it, but not the rules about files.
        let hidden = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a",
            "definitions": {"a": {}}, "files": {"cv": {"allowedMimeTypes": ["*/*"]}}}"##;
        assert_eq!(asked(hidden, None).files.len(), 1);
    }

    #[test]
    fn a_page_has_the_questions_whatever_was_entered() {
        let schema = DataSchema::compile(SCHEMA).unwrap();
        let entries = Entries::new([("/name".to_owned(), "Ada".to_owned())]).unwrap();
        let answers = Answers::of(Some(&schema), None, &entries, None).unwrap();
        assert_eq!(answers.questions.files.len(), 2);
        assert_eq!(answers.data, r#"{"name":"Ada"}"#);
    }

    #[test]
    fn problems_are_shown_with_the_question_for_their_group() {
        let schema = DataSchema::compile(SCHEMA).unwrap();
        let mut questions = Questions::of(Some(&schema), None, None).unwrap();
        let mut place = |keyword: &str, group: &str| {
            let location = format!("/submittedFiles/{group}");
            let problem = Violation::of_keyword(keyword, location, "is wrong");
            let group = FileAttributeName::new(group).unwrap();
            questions.place_file(&group, &problem);
        };
        place("minNumber", "cv");
        // It is said once, and a group without a question has none to say it at.
        place("additionalFiles", "notes");
        place("additionalFiles", "notes");
        let of_group = |at: usize| &questions.files.get(at).unwrap().problems;
        assert!(of_group(0).is_empty());
        let [missing] = of_group(1).as_slice() else {
            panic!("{questions:?}");
        };
        assert_eq!(missing.keyword, "minNumber");
        let [other] = questions.root.problems.as_slice() else {
            panic!("{:?}", questions.root.problems);
        };
        assert_eq!(other.instance_path, "/submittedFiles/notes");
    }
}
