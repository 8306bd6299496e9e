//! Judges the files of a submission by the rules of its form.

use formalize_schema::internals::listing::{Space, shorten_to_one_line, size};
use formalize_schema::internals::push_token;
use formalize_schema::questions::Questions;
use formalize_schema::{FileAttributeName, FileRule, FileRules, Violation};
use serde_json::{Map, Value};

use super::SubmittedFile;
use crate::id::FileId;

/// A rule that the files of a submission violate.
///
/// The location is `/submittedFiles/` and the name of the group, the keyword the member of the rule, or `additionalFiles` for
/// a file in a group that the form does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileViolation {
    /// Where and what.
    pub violation: Violation,
    /// The group of files.
    pub attribute: FileAttributeName,
    /// The file, if a single one violates the rule.
    pub file: Option<FileId>,
}

/// Why the files of a submission were refused. There is at least one violation.
///
/// As many are listed as in a [`Rejection`](crate::Rejection), and the others counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", messages(violations, *omitted))]
pub struct FilesRejection {
    violations: Vec<FileViolation>,
    omitted: usize,
}

fn messages(violations: &[FileViolation], omitted: usize) -> String {
    let messages = violations.iter().map(|one| one.violation.to_string());
    let more = (omitted > 0).then(|| format!("and {omitted} more"));
    let messages: Vec<String> = messages.chain(more).collect();
    messages.join("; ")
}

impl FilesRejection {
    /// Judges all files of a submission that is submitted or becomes so.
    ///
    /// ```
    /// use formalize_core::{DataSchema, files::FilesRejection};
    ///
    /// let schema = DataSchema::compile(r#"{"files": {"cv": {"allowedMimeTypes": ["application/pdf"]}}}"#)?;
    /// let refused = FilesRejection::judge(schema.file_rules(), &[]).unwrap_err();
    /// assert_eq!(refused.to_string(), "/submittedFiles/cv: must have at least 1 file");
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A rejection with the first violations.
    pub fn judge(rules: &FileRules, files: &[SubmittedFile]) -> Result<(), Self> {
        Self::if_any(violations(rules, files))
    }

    /// Judges files like [`judge`](Self::judge), but only by some of the keywords: those that apply to what is known about the
    /// files while they arrive.
    pub(crate) fn judge_by(
        rules: &FileRules,
        files: &[SubmittedFile],
        keywords: &[&str],
    ) -> Result<(), Self> {
        let mut violations = violations(rules, files);
        violations.retain(|one| keywords.contains(&one.violation.keyword.as_str()));
        Self::if_any(violations)
    }

    /// Returns the rejection for the given violations, if there are any.
    fn if_any(found: Vec<FileViolation>) -> Result<(), Self> {
        if found.is_empty() {
            return Ok(());
        }
        let (mut space, number) = (Space::default(), found.len());
        let mut violations = found;
        violations.retain_mut(|one| space.admits(&mut one.violation));
        let omitted = number - violations.len();
        Err(Self {
            violations,
            omitted,
        })
    }

    /// The violations that are listed.
    pub fn violations(&self) -> &[FileViolation] {
        &self.violations
    }

    /// The number of violations that are not listed.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The first violation alone, without params.
    pub(crate) fn in_brief(&self) -> Self {
        let mut violations: Vec<_> = self.violations.iter().take(1).cloned().collect();
        for one in &mut violations {
            shorten_to_one_line(&mut one.violation);
        }
        let omitted = self.omitted + self.violations.len() - violations.len();
        Self {
            violations,
            omitted,
        }
    }

    /// The bytes that it takes up in a response.
    pub(crate) fn size(&self) -> usize {
        let violations = self.violations.iter();
        violations.map(|one| size(&one.violation)).sum()
    }

    /// The same for a caller who may not read the submission: nothing about single files that were there before. `added` are
    /// the files that the caller has added.
    pub(crate) fn without_stored_files(self, added: &[SubmittedFile]) -> Self {
        let is_stored = |id: FileId| added.iter().all(|file| file.id != id);
        let mut violations: Vec<FileViolation> = Vec::new();
        for one in self.violations {
            let shown = match one.file {
                Some(id) if is_stored(id) => FileViolation {
                    violation: Violation {
                        message: "has a stored file that violates the rule".to_owned(),
                        params: Map::new(),
                        ..one.violation
                    },
                    file: None,
                    ..one
                },
                _ => one,
            };
            if !violations.contains(&shown) {
                violations.push(shown);
            }
        }
        Self {
            violations,
            omitted: self.omitted,
        }
    }

    /// The groups of files with violations, each once.
    pub fn attributes(&self) -> Vec<&FileAttributeName> {
        let mut attributes: Vec<&FileAttributeName> = Vec::new();
        for one in &self.violations {
            if !attributes.contains(&&one.attribute) {
                attributes.push(&one.attribute);
            }
        }
        attributes
    }

    /// Adds the problems of the files to the questions for their groups. Those of groups without a question are problems of
    /// the whole.
    ///
    /// ```
    /// use formalize_core::questions::Questions;
    /// use formalize_core::{DataSchema, files::FilesRejection};
    ///
    /// let schema = DataSchema::compile(r#"{"files": {"cv": {"allowedMimeTypes": ["application/pdf"]}}}"#)?;
    /// let mut questions = Questions::of(Some(&schema), None, None)?;
    /// let rejection = FilesRejection::judge(schema.file_rules(), &[]).unwrap_err();
    /// rejection.place_in(&mut questions);
    /// assert_eq!(questions.files[0].problems[0].keyword, "minNumber");
    /// # Ok::<(), formalize_core::Rejection>(())
    /// ```
    pub fn place_in(&self, questions: &mut Questions) {
        questions.omitted_problems += self.omitted;
        for one in &self.violations {
            questions.place_file(&one.attribute, &one.violation);
        }
    }
}

/// What is wrong with the files of a submission.
fn violations(rules: &FileRules, files: &[SubmittedFile]) -> Vec<FileViolation> {
    let mut violations = Vec::new();
    for (attribute, rule) in rules.declared() {
        let of_attribute = files.iter().filter(|file| file.attribute == *attribute);
        let mut path = "/files".to_owned();
        push_token(&mut path, attribute.as_str());
        Judge::of(attribute, &path).judge(rule, of_attribute, &mut violations);
    }
    for attribute in undeclared(rules, files) {
        let of_attribute = files.iter().filter(|file| file.attribute == *attribute);
        let judge = Judge::of(attribute, "/additionalFiles");
        match rules.of(attribute) {
            Some(rule) => judge.judge(rule, of_attribute, &mut violations),
            None => violations.extend(of_attribute.map(|file| judge.not_allowed(file))),
        }
    }
    violations
}

/// The groups of the files that the schema does not name, each once.
fn undeclared<'f>(rules: &FileRules, files: &'f [SubmittedFile]) -> Vec<&'f FileAttributeName> {
    let mut found = Vec::new();
    for file in files {
        let is_declared = rules.declared().any(|(name, _)| *name == file.attribute);
        if !is_declared && !found.contains(&&file.attribute) {
            found.push(&file.attribute);
        }
    }
    found
}

/// Judges the files of one group.
struct Judge<'a> {
    attribute: &'a FileAttributeName,
    /// The location of the rule in the schema.
    rule_path: &'a str,
}

impl<'a> Judge<'a> {
    fn of(attribute: &'a FileAttributeName, rule_path: &'a str) -> Self {
        Self {
            attribute,
            rule_path,
        }
    }

    fn judge<'f>(
        &self,
        rule: &FileRule,
        files: impl Iterator<Item = &'f SubmittedFile>,
        violations: &mut Vec<FileViolation>,
    ) {
        let mut number = 0;
        for file in files {
            number += 1;
            if file.size > rule.max_bytes() {
                violations.push(self.too_large(rule, file));
            }
            if !rule.allows(file.mime_type.as_str()) {
                violations.push(self.of_wrong_type(file));
            }
        }
        let (least, most) = (rule.min_number(), rule.max_number());
        if number < least {
            let message = format!("must have at least {}", files_in_words(least));
            violations.push(self.violation("minNumber", message, ("limit", least.into()), None));
        }
        if number > most {
            let message = format!("must have at most {}", files_in_words(most));
            violations.push(self.violation("maxNumber", message, ("limit", most.into()), None));
        }
    }

    fn too_large(&self, rule: &FileRule, file: &SubmittedFile) -> FileViolation {
        let most = rule.max_size_mb();
        let message = format!("must not have a file larger than {most} MiB");
        let limit = ("limit", Value::Number(most.clone()));
        self.violation("maxSizeMb", message, limit, Some(file.id))
    }

    fn of_wrong_type(&self, file: &SubmittedFile) -> FileViolation {
        let found = file.mime_type.as_str();
        let message = format!("must not have a file of the type {found}");
        let found = ("mimeType", Value::from(found));
        self.violation("allowedMimeTypes", message, found, Some(file.id))
    }

    /// The violation by a file in a group that must not exist.
    fn not_allowed(&self, file: &SubmittedFile) -> FileViolation {
        let message = "is not a group of files of this form".to_owned();
        FileViolation {
            violation: Violation {
                schema_path: self.rule_path.to_owned(),
                ..self.located("additionalFiles", message)
            },
            attribute: self.attribute.clone(),
            file: Some(file.id),
        }
    }

    fn violation(
        &self,
        keyword: &str,
        message: String,
        (param, value): (&str, Value),
        file: Option<FileId>,
    ) -> FileViolation {
        FileViolation {
            violation: Violation {
                schema_path: format!("{}/{keyword}", self.rule_path),
                params: Map::from_iter([(param.to_owned(), value)]),
                ..self.located(keyword, message)
            },
            attribute: self.attribute.clone(),
            file,
        }
    }

    fn located(&self, keyword: &str, message: String) -> Violation {
        let mut pointer = "/submittedFiles".to_owned();
        push_token(&mut pointer, self.attribute.as_str());
        Violation::of_keyword(keyword, pointer, message)
    }
}

fn files_in_words(number: u64) -> String {
    let noun = if number == 1 { "file" } else { "files" };
    format!("{number} {noun}")
}

#[cfg(test)]
mod tests;
